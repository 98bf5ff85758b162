package dart_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quipu/internal/fault"
	"quipu/internal/symbols"
	"quipu/internal/symbols/dart"
)

func open(t *testing.T, text string) (*dart.Map, error) {
	t.Helper()
	return dart.Open(t.Context(), strings.NewReader(text), int64(len(text)))
}

func TestRewrite(t *testing.T) {
	t.Parallel()
	m, err := open(t, ` ["CartException","xy","Cart","ab","pay","cd","Scaffold","ex","String","String","Other","xy","List","of"]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"type", "xy: no money\n#0 x", "CartException: no money\n#0 x"},
		{"type alone", "xy\n", "CartException\n"},
		{"generic", "xy<int>: no money", "CartException<int>: no money"},
		{"behind a title", "Unhandled exception:\nxy: ab\n", "Unhandled exception:\nCartException: ab\n"},
		{"instance", "Instance of 'ex'", "Instance of 'Scaffold'"},
		{"instance of a generic type", "Instance of 'Future<ab>'", "Instance of 'Future<Cart>'"},
		{"cast", "type 'ab' is not a subtype of type 'ex' in type cast", "type 'Cart' is not a subtype of type 'Scaffold' in type cast"},
		{"getter", "NoSuchMethodError: The getter 'cd' was called on null.\nReceiver: null\nTried calling: cd", "NoSuchMethodError: The getter 'pay' was called on null.\nReceiver: null\nTried calling: pay"},
		{"frame", "#0      ab.cd (package:shop/cart.dart:12:3)\n#1      new ex (package:shop/main.dart:3)\r\n", "#0      Cart.pay (package:shop/cart.dart:12:3)\n#1      new Scaffold (package:shop/main.dart:3)\r\n"},
		{"words of a message", "Exception: ab of cd ex", "Exception: ab of cd ex"},
		{"second line", "Exception: x\nxy: y", "Exception: x\nxy: y"},
		{"nothing", "", ""},
	} {
		got, changed := m.Rewrite(tt.text)
		if got != tt.want || changed != (tt.text != tt.want) {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, changed, tt.want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{}", "[", "[]", `["a"]`, `["a","b"`, `["a","b","c"]`, `["a",1]`, `[["a","b"]]`, `["a","a"]`, "\x00", `["a","b"}`} {
		if _, err := open(t, text); fault.CodeOf(err) != symbols.CodeBadFile {
			t.Errorf("%q: %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dart.Open(ctx, strings.NewReader(`["a","b"]`), 9); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(`["CartException","xy","Cart","ab"]`, "xy: ab\n#0 ab.cd (x)")
	f.Fuzz(func(t *testing.T, text, trace string) {
		m, err := open(t, text)
		if err != nil {
			return
		}
		if got, changed := m.Rewrite(trace); changed == (got == trace) {
			t.Errorf("changed is %v for %q and %q", changed, trace, got)
		}
	})
}
