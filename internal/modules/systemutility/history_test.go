package systemutility_test

import (
	"testing"
	"time"

	"quipu/internal/testkit"
)

// The history has a step for each minute of the last hour and each quarter of
// the last day in which somebody looked, and no more.
func TestHistory(t *testing.T) {
	now := time.Date(2031, 5, 14, 12, 0, 30, 0, time.UTC)
	s := testkit.New(t, testkit.At(now))
	type step struct {
		TS                int64
		CPU, Memory, Disk float64
		Resident, Waiting int64
	}
	var got struct {
		Memory            struct{ Limit, Resident int64 }
		Minutes, Quarters []step
	}
	read := func() {
		t.Helper()
		s.Clock().Set(now)
		testkit.Decode(t, s.Admin("/o/system/history"), &got)
	}

	read()
	read()
	if len(got.Minutes) != 1 || len(got.Quarters) != 1 {
		t.Fatalf("%d minutes and %d quarters after two looks in a minute, want one each", len(got.Minutes), len(got.Quarters))
	}
	if got.Memory.Limit <= 0 {
		t.Errorf("memory = %+v, want the cap", got.Memory)
	}
	for range 70 {
		now = now.Add(time.Minute)
		read()
	}
	if len(got.Minutes) != 60 || len(got.Quarters) != 5 {
		t.Fatalf("%d minutes and %d quarters after 70 minutes, want 60 and 5", len(got.Minutes), len(got.Quarters))
	}
	for i, m := range got.Minutes {
		if want := now.Truncate(time.Minute).Add(time.Duration(i-59) * time.Minute).UnixMilli(); m.TS != want {
			t.Fatalf("minute %d is at %d, want %d", i, m.TS, want)
		}
		if m.CPU < 0 || m.CPU > 100 || m.Memory <= 0 || m.Memory > 100 || m.Disk <= 0 || m.Disk > 100 || m.Resident < 0 || m.Waiting < 0 {
			t.Fatalf("minute %d: %+v", i, m)
		}
	}
	for range 100 {
		now = now.Add(15 * time.Minute)
		read()
	}
	if len(got.Quarters) != 96 || len(got.Minutes) != 60 {
		t.Errorf("%d quarters and %d minutes after more than a day, want 96 and 60", len(got.Quarters), len(got.Minutes))
	}
}
