package hook_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/hook"
)

type plain struct{}

type binding struct{}

func (binding) Binding() {}

// TestSwitch emits to subscribers that are on and off.
func TestSwitch(t *testing.T) {
	t.Parallel()
	off := map[string]bool{}
	b := hook.NewBus()
	b.Switch(func(owner string) bool { return !off[owner] })
	var got []string
	for _, owner := range []string{"a", "b"} {
		hook.On(b, owner, func(context.Context, plain) error { got = append(got, owner+" plain"); return errors.New("no") })
		hook.On(b, owner, func(context.Context, binding) error { got = append(got, owner+" binding"); return nil })
	}
	emit := func(wantErr string) {
		t.Helper()
		err := hook.Emit(t.Context(), b, plain{})
		if err == nil || err.Error() != wantErr {
			t.Errorf("error %v, want %q", err, wantErr)
		}
		if err := hook.Emit(t.Context(), b, binding{}); err != nil {
			t.Error(err)
		}
	}
	emit("a: no\nb: no")
	off["a"] = true
	emit("b: no")
	off["a"] = false
	emit("a: no\nb: no")
	want := []string{"a plain", "b plain", "a binding", "b binding", "b plain", "a binding", "b binding", "a plain", "b plain", "a binding", "b binding"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
}
