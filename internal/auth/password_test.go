package auth_test

import (
	"strings"
	"testing"

	"quipu/internal/auth"
	"quipu/internal/fault"
)

func TestPasswordPolicy(t *testing.T) {
	policy := auth.DefaultConfig().Policy
	names := []string{"Zoë Åström-Grande", "zoe99", "zoe.astrom@example.org", "zoe.astrom", "Zoë", "Åström-Grande", "12345x67"}
	for _, test := range []struct {
		name, password string
		want           auth.Weakness
	}{
		{"words", "correct horse battery staple", ""},
		{"letters only", "vorpalsnicker", ""},
		{"digits only", "8206371949", ""},
		{"any script", "пароль-мой", ""},
		{"signs", "🐎🔋📎✅🐎🔋📎✅", ""},
		{"space", "a b c d e f", ""},
		{"short", "Abc1!ef", auth.TooShort},
		{"characters, not bytes", "Ää1!Öö", auth.TooShort},
		{"composed characters count", "e\u0301e\u0301e\u0301e\u0301", auth.TooShort},
		{"64 characters of four bytes", strings.Repeat("🐎", 64), ""},
		{"as long as may be", strings.Repeat("xyz ", 64), ""},
		{"too long", strings.Repeat("xyz ", 64) + "x", auth.TooLong},
		{"leaked", "12345678", auth.IsLeaked},
		{"leaked, in another case", "PassWord", auth.IsLeaked},
		{"leaked, with what rules of composition ask for", "Password1!", auth.IsLeaked},
		{"leaked, with space around", " password1 ", auth.IsLeaked},
		{"product", "quipu-123", auth.IsOwn},
		{"product twice, in capitals", "QUIPUQUIPU", auth.IsOwn},
		{"full name", "zoë åström-grande", auth.IsOwn},
		{"full name in one", "ZOËÅSTRÖMGRANDE", auth.IsOwn},
		{"full name, not composed", "zoe\u0308 a\u030astro\u0308m grande", auth.IsOwn},
		{"a part of it", "Åströmgrande1", auth.IsOwn},
		{"user name with digits and symbols", "!!zoe99!2031", auth.IsOwn},
		{"user name of digits", "12345X67", auth.IsOwn},
		{"address", "Zoe.Astrom@Example.org", auth.IsOwn},
		{"before the @", "zoe.astrom1", auth.IsOwn},
		{"a name among words", "zoe rides a horse", ""},
		{"name twice", "zoëzoë12", auth.IsOwn},
		{"name three times, digits between", "1zoë2zoë3zoë", auth.IsOwn},
		{"nothing but space", "            ", ""},
		{"names one after another", "Åström-Grande Zoë Åström-Grande", auth.IsOwn},
		{"name and product", "zoequipu99", auth.IsOwn},
		{"user name of digits, twice", "12345x6712345X67", auth.IsOwn},
		{"a name and a letter more", "zoëzoëzoëx", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := policy.Check(test.password, names...)
			if got != test.want || (policy.Text(got) == "") != (got == "") {
				t.Errorf("got %q, %q, want %q", got, policy.Text(got), test.want)
			}
		})
	}
	if got := (auth.PasswordPolicy{MinLength: 3}).Check("abc"); got != "" {
		t.Errorf("a policy with a shorter length says %q", got)
	}
}

// TestComposedPasswords gives a password as one keyboard sends it, and signs in as another does.
func TestComposedPasswords(t *testing.T) {
	w := newWorld(t)
	composed, split := "Çedilla-über-ñandú", "C\u0327edilla-u\u0308ber-n\u0303andu\u0301"
	w.member("one", func(n *auth.NewMember) { n.Password = composed })
	two := w.member("two", func(n *auth.NewMember) { n.Password = split })
	for _, login := range []string{"one", "two"} {
		for _, password := range []string{composed, split} {
			if err := w.try(login, password); err != nil {
				t.Errorf("%s with %q: %v", login, password, err)
			}
		}
	}
	_, err := w.UpdateMember(t.Context(), two.ID, auth.MemberChange{Password: &composed, Own: true}, "")
	if fault.CodeOf(err) != "auth.password_reused" {
		t.Errorf("the same password in another form: %v", err)
	}
}

// TestHashOfSplitPassword signs in with the hash that an older version made of a password as it came.
func TestHashOfSplitPassword(t *testing.T) {
	w := newWorld(t)
	split := "C\u0327edilla-u\u0308ber-n\u0303andu\u0301"
	old, err := w.passwords.Hash(split)
	if err != nil {
		t.Fatal(err)
	}
	w.passwords.instead = old
	w.member("old", func(n *auth.NewMember) { n.Password = split })
	w.passwords.instead = ""
	if err := w.try("old", split); err != nil {
		t.Fatalf("with the old hash: %v", err)
	}
	if err := w.try("old", "Çedilla-über-ñandú"); err != nil {
		t.Errorf("the hash was not renewed: %v", err)
	}
}

// TestWeakPasswordsEverywhere gives a leaked password, and the own name, wherever a password is set.
func TestWeakPasswordsEverywhere(t *testing.T) {
	first := emptyWorld(t)
	w := newWorld(t)
	bob := w.member("bobby.tables")
	n := auth.NewMember{FullName: "Carol", Username: "caroline.smith", Email: "c.smith@example.org"}
	for _, test := range []struct {
		name string
		set  func(password string) error
	}{
		{"first administrator", func(p string) error {
			n := n
			n.Password = p
			_, err := first.CreateFirstAdmin(t.Context(), n)
			return err
		}},
		{"new member", func(p string) error { n := n; n.Password = p; _, err := w.CreateMember(t.Context(), n); return err }},
		{"given by an administrator", func(p string) error {
			_, err := w.UpdateMember(t.Context(), bob.ID, auth.MemberChange{Password: &p, Username: new("caroline.smith")}, "")
			return err
		}},
		{"the own one", func(p string) error {
			_, err := w.UpdateMember(t.Context(), bob.ID, auth.MemberChange{Password: &p, Own: true, FullName: new("Caroline Smith")}, "")
			return err
		}},
		{"at sign-in", func(p string) error {
			if p == "CarolineSmith1" {
				p = "BobbyTables1"
			}
			_, err := w.ChangePassword(t.Context(), auth.LoginAttempt{Login: bob.Username, Password: goodPassword}, p)
			return err
		}},
	} {
		for password, want := range map[string]string{
			"password1": "leaked", "CarolineSmith1": "personal", "Quipu-2031": "personal", "shorty": "short", strings.Repeat("long", 65): "long",
		} {
			if err := test.set(password); fault.CodeOf(err) != "auth.password_"+want || asFault(err).Fields["password"] == "" {
				t.Errorf("%s: %q gives %v, want auth.password_%s", test.name, password, err, want)
			}
		}
	}
	for what, world := range map[string]*world{"first": first, "second": w} {
		if list, err := world.Members(t.Context()); err != nil || len(list) != map[string]int{"first": 0, "second": 2}[what] {
			t.Errorf("%s world: %d members, %v", what, len(list), err)
		}
	}
	if err := w.try("bobby.tables", goodPassword); err != nil {
		t.Errorf("a refused password took the place of the one before: %v", err)
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
