package pebble_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/schema"
	"quipu/internal/store/schema/pebble"
	"quipu/internal/store/schema/schematest"
)

func openStore(tb testing.TB, fs vfs.FS, opts pebble.Options) (*kv.DB, *pebble.Store) {
	tb.Helper()
	db, err := kv.Open(context.Background(), kv.Options{Dir: "state", FS: fs})
	if err != nil {
		tb.Fatal(err)
	}
	s, err := pebble.Open(db, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return db, s
}

func TestConformance(t *testing.T) {
	for name, cached := range map[string]int{"small cache": 10, "large cache": 10_000} {
		t.Run(name, func(t *testing.T) {
			opts := pebble.Options{Limits: schematest.Limits(), CachedValues: cached, CachedApps: cached / 3}
			schematest.Run(t, func(t *testing.T) *schematest.Env {
				t.Helper()
				fs := vfs.NewMem()
				db, s := openStore(t, fs, opts)
				t.Cleanup(func() {
					if err := db.Close(); err != nil {
						t.Error(err)
					}
				})
				e := &schematest.Env{Store: s}
				e.Flush = func() (func(bool) error, error) {
					b := db.NewBatch()
					if err := flush(s, b); err != nil {
						b.Discard()
						return nil, err
					}
					return func(commit bool) error {
						if commit {
							return db.Commit(b)
						}
						b.Discard()
						return nil
					}, nil
				}
				e.Reopen = func() schema.Store {
					if err := db.Close(); err != nil {
						t.Fatal(err)
					}
					db, s = openStore(t, fs, opts)
					return s
				}
				return e
			})
		})
	}
}

func TestDefaultLimits(t *testing.T) {
	db, s := openStore(t, vfs.NewMem(), pebble.Options{})
	defer func() { _ = db.Close() }()
	if got, want := s.Limits(), (schema.Limits{Events: 500, Segments: 100, Values: 1000, Subjects: 10_000, SubjectValues: 50, MetricValues: 1000}); got != want {
		t.Errorf("limits: got %v, want %v", got, want)
	}
	l, err := s.App(model.AppID{1})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for l.AddEvent(fmt.Sprint("e", n)) {
		n++
	}
	if n != 500 {
		t.Errorf("%d events were taken, want 500", n)
	}
	for _, step := range []struct {
		limits schema.Limits
		taken  int // more events, segments and values
	}{
		{schema.Limits{Events: 502, Segments: 2, Values: 2}, 2},
		{schema.Limits{Events: 1, Segments: 1, Values: 1}, 0}, // what is known stays
		{schema.Limits{Events: 503, Segments: 3, Values: 3}, 1},
	} {
		l.SetLimits(step.limits)
		var got [3]int
		for ; l.AddEvent(fmt.Sprint("e", n)); got[0]++ {
			n++
		}
		for i := range 5 {
			name := fmt.Sprint(step.limits.Segments, i)
			if _, ok := l.Segment("e0", name, schema.Text); ok {
				got[1]++
			}
			l.Segment("e1", "s", schema.Text)
			if ok, err := l.AddValue(schema.OfEvents, "e1", "s", name); err != nil {
				t.Fatal(err)
			} else if ok {
				got[2]++
			}
		}
		if got != [3]int{step.taken, step.taken, step.taken} {
			t.Errorf("limits %v: %v more were taken, want %d each", step.limits, got, step.taken)
		}
	}
}

// TestIdleBatchWritesNothing uses what is known without changing it.
func TestIdleBatchWritesNothing(t *testing.T) {
	db, s := openStore(t, vfs.NewMem(), pebble.Options{})
	for batch, want := range []bool{true, false, false} {
		l, err := s.App(model.AppID{1})
		if err != nil {
			t.Fatal(err)
		}
		l.AddEvent("e")
		l.Segment("e", "s", schema.Text)
		if _, err := l.AddValue(schema.OfEvents, "e", "s", "v"); err != nil {
			t.Fatal(err)
		}
		b := db.NewBatch()
		if err := flush(s, b); err != nil {
			t.Fatal(err)
		}
		if got := b.Count() > 0; got != want {
			t.Errorf("batch %d: writes %v, want %v", batch, got, want)
		}
		if err := db.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkWriter measures what an event with five segments costs the writer once all is known.
func BenchmarkWriter(b *testing.B) {
	db, s := openStore(b, vfs.NewMem(), pebble.Options{})
	l, err := s.App(model.AppID{1})
	if err != nil {
		b.Fatal(err)
	}
	segments := []string{"plan", "country", "amount", "source", "step"}
	b.ReportAllocs()
	for b.Loop() {
		l.AddEvent("purchase")
		for _, name := range segments {
			l.Segment("purchase", name, schema.Text)
			if _, err := l.AddValue(schema.OfEvents, "purchase", name, "some value"); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}

// flush adds what the store flushes to a batch, which ends it.
func flush(s *pebble.Store, b *kv.Batch) error {
	c, end, err := s.Flush()
	if err != nil {
		return err
	}
	b.OnEnd(end)
	w, err := pebble.NewWriter()
	if err != nil {
		return err
	}
	return w.Write(b, &c)
}
