package app

import "testing"

func TestCalm(t *testing.T) {
	t.Parallel()
	var c calm
	const mib = 1 << 20
	for i, step := range []struct {
		written uint64
		rest    bool
	}{
		{0, false}, {0, true}, // a folder that was left in haste
		{0, false}, {10 * mib, false}, {10*mib + 200_000, false}, {10*mib + 200_000, false}, {10*mib + 201_000, true}, {10*mib + 202_000, false}, // a load, then little
		{10*mib + 203_000, false}, {10*mib + 204_000, false}, {10*mib + 205_000, false}, // nothing to gain
		{12 * mib, false}, {14 * mib, false}, {16 * mib, false}, {18 * mib, false}, // never calm
		{18 * mib, false}, {18 * mib, true}, {18 * mib, false},
	} {
		got := c.look(step.written)
		if got != step.rest {
			t.Errorf("step %d, %d bytes written: rest is %t", i, step.written, got)
		}
		if got && !c.still() {
			t.Errorf("step %d: rest, but not still", i)
		}
		if got {
			c.rested(step.written)
		}
	}
}
