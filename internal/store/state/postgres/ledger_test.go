package postgres_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// TestLedger has two workers note what they send, of which the first has lost its partitions: it changes nothing.
func TestLedger(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	d := openWith(t, postgres.Options{DSN: dsn, Partitions: 2})
	ctx := t.Context()
	w := worker(t, d, postgres.WorkerOptions{})
	old := w.Ledger()
	check := func(l postgres.Ledger, mark journal.Watermark, noted events.Sending) {
		t.Helper()
		got, err := l.Watermark(ctx)
		if diff := cmp.Diff(mark, got); err != nil || diff != "" {
			t.Errorf("watermark: %v\n%s", err, diff)
		}
		if s, err := l.Noted(ctx, 1); err != nil || s != noted {
			t.Errorf("noted: %+v, %v, want %+v", s, err, noted)
		}
	}
	check(old, journal.Watermark{}, events.Sending{})
	first := events.Sending{Partition: 1, Through: 5}
	if s, again, err := old.Begin(ctx, first); err != nil || again || s != first {
		t.Fatalf("begin: %+v, %t, %v", s, again, err)
	}
	if s, again, err := old.Begin(ctx, events.Sending{Partition: 1, Through: 9}); err != nil || !again || s != first {
		t.Errorf("begin another: %+v, %t, %v", s, again, err)
	}
	version, err := old.Version(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l := again(t, d, w, postgres.WorkerOptions{}).Ledger()
	check(l, journal.Watermark{}, first)
	for what, err := range map[string]error{"confirm": old.Confirm(ctx, journal.Watermark{1: 5}), "version": func() error { _, err := old.Version(ctx); return err }(), "begin": func() error {
		_, _, err := old.Begin(ctx, events.Sending{Through: 3})
		return err
	}()} {
		if !errors.Is(err, state.ErrLost) {
			t.Errorf("%s of a worker that has lost the partition: %v", what, err)
		}
	}
	check(l, journal.Watermark{}, first)
	if err := l.Confirm(ctx, journal.Watermark{0: 2, 1: 5}); err != nil {
		t.Fatal(err)
	}
	if err := l.Confirm(ctx, journal.Watermark{1: 3}); err != nil { // nowhere back
		t.Fatal(err)
	}
	check(l, journal.Watermark{0: 2, 1: 5}, events.Sending{})
	second := events.Sending{Partition: 1, After: 5, Through: 8}
	if s, _, err := l.Begin(ctx, second); err != nil || s != second {
		t.Errorf("begin the next: %+v, %v", s, err)
	}
	check(l, journal.Watermark{0: 2, 1: 5}, second)
	if second, err = l.Retry(ctx, second); err != nil || second.Try != 1 {
		t.Errorf("retried: %+v, %v", second, err)
	}
	check(l, journal.Watermark{0: 2, 1: 5}, second)
	if _, err := old.Retry(ctx, second); !errors.Is(err, state.ErrLost) {
		t.Errorf("retried by a worker that has lost the partition: %v", err)
	}
	for range 3 {
		next, err := l.Version(ctx)
		if err != nil || next <= version {
			t.Errorf("version %d after %d, %v", next, version, err)
		}
		version = next
		behind(t, dsn, "UPDATE row_versions SET last = 0") // as a replica that lacks the last transactions
	}
	name, err := l.State(ctx)
	same, _ := old.State(ctx)
	other, _ := worker(t, openWith(t, postgres.Options{DSN: pgtest.Shared(t).Database(t)}), postgres.WorkerOptions{}).Ledger().State(ctx)
	if err != nil || len(name) != 36 || name != same || name == other {
		t.Errorf("states are named %q, %q and %q, %v", name, same, other, err)
	}
}
