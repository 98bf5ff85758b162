package pipeline_test

import (
	"testing"

	"quipu/internal/store/rollup"
)

// TestDuplicatesWhenTheClockJumps sends a request again after the server's
// clock was set back and forth by up to two days.
func TestDuplicatesWhenTheClockJumps(t *testing.T) {
	t.Parallel()
	const day = 24 * 3_600_000
	for _, tt := range []struct {
		name  string
		jumps []int64 // of the clock, against the first receipt
	}{
		{"back over midnight", []int64{-day}},
		{"back two days", []int64{-2 * day}},
		{"forth two days", []int64{2 * day}},
		{"forth and back", []int64{2 * day, 0, -2 * day, 2 * day}},
	} {
		w := running(t, nil)
		send := func(received int64) {
			rec := req(&utcApp, "X", noon-9*day+1, "events", `[{"key":"a"}]`)
			rec.Received = received
			w.send(t, rec)
		}
		send(noon)
		for _, jump := range tt.jumps {
			send(noon + jump)
		}
		if got := w.day(t, &utcApp, rollup.Events, "", noon-9*day, counts)["a"]; got != "1" {
			t.Errorf("%s: counted %s times", tt.name, got)
		}
	}
}
