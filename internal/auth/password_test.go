package auth_test

import (
	"strings"
	"testing"

	"quipu/internal/auth"
)

func TestPasswordPolicy(t *testing.T) {
	policy := auth.DefaultConfig().Policy
	for _, test := range []struct{ name, password, want string }{
		{"good", "Abcdef1!", ""},
		{"letters of any script", "Ünïcode9#", ""},
		{"short", "Abc1!ef", "at least 8 characters"},
		{"characters, not bytes", "Ää1!Öö", "at least 8 characters"},
		{"digits only", "12345678", "uppercase"},
		{"no upper case", "abcdefg1!", "uppercase"},
		{"no digit", "Abcdefgh!", "number"},
		{"no symbol", "Abcdefgh1", "special"},
		{"space is no symbol", "Abcdef gh1", "special"},
		{"as long as may be", "A1!" + strings.Repeat("x", 253), ""},
		{"too long", "A1!" + strings.Repeat("x", 254), "longer than 256"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := policy.Check(test.password)
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want a text with %q", got, test.want)
			}
		})
	}
	if got := (auth.PasswordPolicy{MinLength: 3}).Check("abc"); got != "" {
		t.Errorf("a policy without demands says %q", got)
	}
}

func TestArgon2(t *testing.T) {
	cheap := auth.NewArgon2(cheap().Hash)
	one, err := cheap.Hash(goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	two, err := cheap.Hash(goodPassword)
	if err != nil || one == two {
		t.Errorf("two hashes of a password are equal: no salt (%v)", err)
	}
	if !strings.HasPrefix(one, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("hash %q is not in PHC format", one)
	}
	for _, test := range []struct {
		name, hash, password string
		with                 *auth.Argon2
		ok, stale            bool
	}{
		{"right", one, goodPassword, cheap, true, false},
		{"wrong", one, goodPassword + " ", cheap, false, false},
		{"right with other costs", one, goodPassword, auth.NewArgon2(auth.HashParams{Memory: 128, Passes: 1, Threads: 1}), true, true},
		{"impossible", cheap.Impossible(), goodPassword, cheap, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ok, stale, err := test.with.Verify(test.hash, test.password)
			if err != nil || ok != test.ok || stale != test.stale {
				t.Errorf("got %t, %t, %v, want %t, %t", ok, stale, err, test.ok, test.stale)
			}
		})
	}
	for _, hash := range []string{
		"", "x", "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAA", strings.Replace(one, "v=19", "v=18", 1),
		strings.Replace(one, "t=1", "t=0", 1), strings.Replace(one, "m=64", "m=99999999", 1), one[:len(one)-4], one + "AAAA",
	} {
		if _, _, err := cheap.Verify(hash, goodPassword); err == nil {
			t.Errorf("hash %q is accepted", hash)
		}
	}
}

func TestDefaultsAreWhatOWASPRecommends(t *testing.T) {
	want := auth.HashParams{Memory: 19456, Passes: 2, Threads: 1}
	if got := auth.DefaultConfig().Hash; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := auth.DefaultConfig().Validate(); err != nil {
		t.Error(err)
	}
	err := auth.Config{}.Validate()
	for _, part := range []string{"hash memory", "login attempts", "address window", "session lifetime", "hashes"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the faults of an empty configuration do not name %q: %v", part, err)
		}
	}
}
