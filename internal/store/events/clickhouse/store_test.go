package clickhouse_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"quipu/internal/query/rewrite"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events"
	"quipu/internal/store/events/clickhouse"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/journal"
)

// ledger is one in memory, which outlives the stores of a test.
type ledger struct {
	mu      sync.Mutex
	name    string
	own     journal.Watermark
	noted   map[uint16]events.Sending
	version uint64
	// cut, if not nil, is called before each call that changes something and after it; an error is that of the call.
	cut func(what string, done bool) error
}

func newLedger(name string) *ledger {
	return &ledger{name: name, own: journal.Watermark{}, noted: map[uint16]events.Sending{}}
}

// change makes a change, unless the test cuts it.
func (l *ledger) change(what string, do func()) error {
	if l.cut != nil {
		if err := l.cut(what, false); err != nil {
			return err
		}
	}
	l.mu.Lock()
	do()
	l.mu.Unlock()
	if l.cut != nil {
		return l.cut(what, true)
	}
	return nil
}

func (l *ledger) State(context.Context) (string, error) { return l.name, nil }

func (l *ledger) Watermark(context.Context) (journal.Watermark, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.own.Clone(), nil
}

func (l *ledger) Begin(_ context.Context, s events.Sending) (noted events.Sending, again bool, err error) {
	err = l.change("begin", func() {
		if noted, again = l.noted[s.Partition]; !again {
			l.noted[s.Partition], noted = s, s
		}
	})
	return noted, again, err
}

func (l *ledger) Noted(_ context.Context, partition uint16) (events.Sending, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.noted[partition], nil
}

func (l *ledger) Retry(_ context.Context, s events.Sending) (events.Sending, error) {
	err := l.change("retry", func() {
		s.Try++
		l.noted[s.Partition] = s
	})
	return s, err
}

func (l *ledger) Confirm(_ context.Context, w journal.Watermark) error {
	return l.change("confirm", func() {
		for partition, offset := range w {
			l.own[partition] = max(l.own[partition], offset)
			if n, ok := l.noted[partition]; ok && n.Through <= offset {
				delete(l.noted, partition)
			}
		}
	})
}

func (l *ledger) Version(context.Context) (v uint64, err error) {
	err = l.change("version", func() {
		l.version++
		v = l.version
	})
	return v, err
}

// open opens a store.
func open(tb testing.TB, c *ch.Client, l clickhouse.Ledger, change ...func(*clickhouse.Options)) *clickhouse.Store {
	tb.Helper()
	o := clickhouse.Options{Client: c, Ledger: l, Now: time.Now, Hasty: true}
	for _, f := range change {
		f(&o)
	}
	s, err := clickhouse.Open(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// TestConformance runs the suite, and what is about merged users once more with rows that are rewritten at once.
func TestConformance(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	opener := func(change ...func(*clickhouse.Options)) eventstest.Opener {
		return func(t *testing.T) (eventstest.Store, func() eventstest.Store) {
			t.Helper()
			c, l := server.Client(t), newLedger("test")
			return open(t, c, l, change...), func() eventstest.Store { return open(t, c, l, change...) }
		}
	}
	eventstest.Run(t, opener())
	t.Run("plans as package query has them rewritten", func(t *testing.T) {
		eventstest.Rewritten(t, 100, opener(), rewrite.Query, rewrite.ManyApps)
	})
	t.Run("rewriting always", func(t *testing.T) {
		eventstest.Run(t, opener(func(o *clickhouse.Options) { o.Merged = 1 }), "merged users move", "delete users")
	})
	t.Run("cluster", func(t *testing.T) { // through Distributed tables of one shard, which know names of inserts
		eventstest.Run(t, func(t *testing.T) (eventstest.Store, func() eventstest.Store) {
			t.Helper()
			c, l := server.Client(t, func(o *ch.Options) { o.Cluster.Name = chdbtest.Cluster }), newLedger("test")
			if err := c.Find(t.Context()); err != nil {
				t.Fatal(err)
			}
			return open(t, c, l), func() eventstest.Store { return open(t, c, l) }
		}, "what is committed is skipped", "drop app", "clear property", "delete users", "drop rows", "many apps in one batch")
	})
	t.Run("two shards", func(t *testing.T) {
		two := func(t *testing.T) (eventstest.Store, func() eventstest.Store) {
			t.Helper()
			c, l := server.Client(t, func(o *ch.Options) { o.Cluster.Name = chdbtest.Two }), newLedger("test")
			if err := c.Find(t.Context()); err != nil {
				t.Fatal(err)
			}
			return open(t, c, l), func() eventstest.Store { return open(t, c, l) }
		}
		// Plans cost the engine thrice as much here; what differs from those of one server is where rows meet, of which there are few kinds.
		t.Run("random plans match a naive engine", func(t *testing.T) { eventstest.PlansOf(t, 100, two) })
		eventstest.Run(t, two, "users are upserted", "merged users move")
	})
}

// TestLimitOverJoin runs a plan that ClickHouse 26.5 refuses unless a setting is off.
func TestLimitOverJoin(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	s := open(t, server.Client(t), newLedger("test"))
	eventstest.Commit(t, s, part(1, 1, 3))
	rows := 0
	q := &plan.Query{
		App: appOf(1, 0), From: plan.Events, Select: []plan.Expr{plan.Ev("s")}, Order: []plan.Order{{By: plan.Ev("s")}}, Limit: 3,
		Where: plan.Any(plan.Do(plan.Not, plan.Do(plan.IsNull, plan.Ev("ts"))), plan.Do(plan.Gt, plan.Do(plan.Number, plan.Member{Of: plan.St("props"), Path: []string{"x"}}), plan.Is(0.5))),
	}
	err := s.Run(t.Context(), q, func(events.Scanner) error { rows++; return nil })
	if err != nil || rows != 3 {
		t.Errorf("%d rows, %v", rows, err)
	}
}
