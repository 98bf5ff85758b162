package auth_test

import (
	"net/netip"
	"strings"
	"testing"
)

func TestSetupCode(t *testing.T) {
	w := emptyWorld(t)
	at := netip.MustParseAddr("192.0.2.1")
	check := func(code string) bool {
		t.Helper()
		ok, err := w.CheckSetupCode(t.Context(), code, at)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if check("") || check("0000-0000-0000") {
		t.Error("a code is right before there is any")
	}
	old := w.NewSetupCode()
	code := w.NewSetupCode()
	if len(code) != 14 || code == old {
		t.Errorf("codes %q and %q", old, code)
	}
	for _, right := range []string{code, strings.ToLower(code), strings.ReplaceAll(code, "-", ""), " " + strings.ReplaceAll(code, "-", " - ") + " ", strings.ReplaceAll(strings.ReplaceAll(code, "0", "o"), "1", "l")} {
		if !check(right) {
			t.Errorf("%q is refused for %q", right, code)
		}
	}
	for _, wrong := range []string{old, "", code[1:], code + "0", code[:13] + "!", strings.Repeat(code, 100_000)} {
		if check(wrong) {
			t.Errorf("%.20q is taken for %q", wrong, code)
		}
	}
}

// TestSetupCodeIsThrottled guesses at the code: that uses up the attempts of an address to sign in, and makes the right code no less right.
func TestSetupCodeIsThrottled(t *testing.T) {
	w := newWorld(t)
	code := w.NewSetupCode()
	for range 60 {
		if ok, err := w.CheckSetupCode(t.Context(), "0000-0000-0000", stranger(0)); ok || err != nil {
			t.Fatalf("%t, %v", ok, err)
		}
	}
	for i, want := range []bool{false, true} {
		if ok, err := w.CheckSetupCode(t.Context(), code, stranger(i)); !ok || err != nil {
			t.Errorf("right code from %s: %t, %v", stranger(i), ok, err)
		}
		if err := w.from(stranger(i), "", "admin", goodPassword); (err == nil) != want {
			t.Errorf("sign-in from %s: %v, want success %t", stranger(i), err, want)
		}
	}
	w.db.Hook = failing("get")
	if ok, err := w.CheckSetupCode(t.Context(), "0000-0000-0000", stranger(1)); ok || err == nil {
		t.Errorf("when attempts cannot be counted: %t, %v", ok, err)
	}
}
