package auth_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"
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

// TestSetupCodeIsThrottled guesses at the code: an address has as many attempts as at passwords.
func TestSetupCodeIsThrottled(t *testing.T) {
	w := emptyWorld(t)
	code := w.NewSetupCode()
	for range 60 {
		if ok, err := w.CheckSetupCode(t.Context(), "0000-0000-0000", stranger(0)); ok || err != nil {
			t.Fatalf("%t, %v", ok, err)
		}
	}
	for _, test := range []struct {
		addr netip.Addr
		want bool
	}{{stranger(0), false}, {stranger(1), true}} {
		if ok, err := w.CheckSetupCode(t.Context(), code, test.addr); ok != test.want || err != nil {
			t.Errorf("right code from %s: %t, %v", test.addr, ok, err)
		}
	}
	w.clock.Add(6 * time.Minute)
	if ok, err := w.CheckSetupCode(t.Context(), code, stranger(0)); !ok || err != nil {
		t.Errorf("after the window: %t, %v", ok, err)
	}
	w.db.Hook = failing("get")
	if ok, err := w.CheckSetupCode(t.Context(), code, stranger(0)); ok || err == nil {
		t.Errorf("when attempts cannot be counted: %t, %v", ok, err)
	}
}
