package postgres_test

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"quipu/internal/store/journal"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/profile"
	"quipu/internal/store/profile/profiletest"
	"quipu/internal/store/schema"
	"quipu/internal/store/schema/schematest"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// open opens the state of a database with one partition.
func open(tb testing.TB, dsn string) *postgres.DB {
	tb.Helper()
	return openWith(tb, postgres.Options{DSN: dsn})
}

func openWith(tb testing.TB, o postgres.Options) *postgres.DB {
	tb.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Partitions == 0 {
		o.Partitions = 1
	}
	d, err := postgres.Open(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil {
			tb.Error(err)
		}
	})
	return d
}

const ttl = time.Minute

// claim takes all partitions from their holders, as a process does that replaces one that has ended.
func claim(tb testing.TB, d *postgres.DB, holder string) []postgres.Lease {
	tb.Helper()
	list, err := d.Claim(tb.Context(), holder, 1<<16, ttl)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// worker makes a worker of partitions that nobody holds.
func worker(tb testing.TB, d *postgres.DB, o postgres.WorkerOptions) *postgres.Worker {
	tb.Helper()
	w, err := d.Worker(tb.Context(), claim(tb, d, "test"), o)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// again gives up a worker's partitions and makes another of them.
func again(tb testing.TB, d *postgres.DB, w *postgres.Worker, o postgres.WorkerOptions) *postgres.Worker {
	tb.Helper()
	if err := d.Release(tb.Context(), w.Leases()); err != nil {
		tb.Fatal(err)
	}
	return worker(tb, d, o)
}

// committer commits what stores flush, one record after the other.
type committer struct {
	w  *postgres.Worker
	at uint64
}

// under takes a change in; the function ends it.
func (c *committer) under(tb testing.TB, change *state.Change) func(bool) error {
	tb.Helper()
	return func(commit bool) error {
		if !commit {
			change.End(false)
			return nil
		}
		c.at++
		change.Watermark = journal.Watermark{0: c.at}
		return c.w.Commit(tb.Context(), change)
	}
}

// taken copies what a change of profiles refers to, as a state that takes it in does before shards go on.
func taken(c profile.Change) profile.Change {
	c.Apps = slices.Clone(c.Apps)
	for i := range c.Apps {
		list := slices.Clone(c.Apps[i].Profiles)
		for k := range list {
			if list[k].Profile != nil {
				list[k].Profile = list[k].Profile.Clone()
			}
		}
		c.Apps[i].Profiles = list
	}
	return c
}

func TestProfiles(t *testing.T) {
	dsn := pgtest.Shared(t)
	profiletest.Run(t, func(t *testing.T) *profiletest.Env {
		t.Helper()
		d := open(t, dsn.Database(t))
		o := postgres.WorkerOptions{CacheProfiles: 3}
		c := &committer{w: worker(t, d, o)}
		e := &profiletest.Env{Store: c.w.Profiles()}
		e.Flush = func() (func(bool) error, error) {
			change, end, err := c.w.Profiles().Flush()
			if err != nil {
				return nil, err
			}
			s := &state.Change{Profiles: taken(change)}
			s.OnEnd(end)
			return c.under(t, s), nil
		}
		e.Reopen = func() profile.Store {
			c.w = again(t, d, c.w, o)
			return c.w.Profiles()
		}
		return e
	})
}

func TestSchema(t *testing.T) {
	dsn := pgtest.Shared(t)
	schematest.Run(t, func(t *testing.T) *schematest.Env {
		t.Helper()
		d := open(t, dsn.Database(t))
		o := postgres.WorkerOptions{Limits: schematest.Limits(), CachedValues: 10, CachedApps: 3}
		c := &committer{w: worker(t, d, o)}
		e := &schematest.Env{Store: c.w.Schema()}
		e.Flush = func() (func(bool) error, error) {
			change, end, err := c.w.Schema().Flush()
			if err != nil {
				return nil, err
			}
			s := &state.Change{Schema: change}
			s.OnEnd(end)
			return c.under(t, s), nil
		}
		e.Reopen = func() schema.Store {
			c.w = again(t, d, c.w, o)
			return c.w.Schema()
		}
		return e
	})
}
