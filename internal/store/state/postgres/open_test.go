package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/pg"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/profile"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
	"quipu/internal/testkit/need"
)

// TestOpen opens what it may not have.
func TestOpen(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t)
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	try := func(change func(*postgres.Options)) error {
		t.Helper()
		o := postgres.Options{DSN: dsn, Partitions: 4, Log: slog.New(slog.DiscardHandler), Now: time.Now, Wait: time.Millisecond}
		change(&o)
		d, err := postgres.Open(t.Context(), o)
		if err == nil {
			return d.Close()
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("an error holds the password: %v", err)
		}
		return err
	}
	code := func(what, want string, change func(*postgres.Options)) {
		t.Helper()
		if err := try(change); fault.CodeOf(err) != want || want != "" && err == nil {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	plan := func() []pg.Step {
		t.Helper()
		list, err := postgres.Plan(t.Context(), postgres.Options{DSN: dsn, Partitions: 4, Log: slog.New(slog.DiscardHandler), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if list := plan(); len(list) == 0 {
		t.Error("nothing is to be done to an empty database")
	}
	var wg sync.WaitGroup
	for range 4 { // together
		wg.Go(func() {
			if err := try(func(*postgres.Options) {}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if list := plan(); len(list) != 0 {
		t.Errorf("after that, %v is to be done", list)
	}
	code("again", "", func(*postgres.Options) {})
	code("another number of partitions", "state.partitions", func(o *postgres.Options) { o.Partitions = 5 })
	server.SQL(t, name, "CREATE SCHEMA strange; CREATE TABLE strange.t (a integer)")
	code("tables of another program", "state.foreign", func(o *postgres.Options) { o.Schema = "strange" })
	server.SQL(t, name, "UPDATE quipu_state.format SET version = 99")
	code("tables of a newer program", "state.newer_format", func(*postgres.Options) {})
	nobody, err := need.Port()
	if err != nil {
		t.Fatal(err)
	}
	code("a server that is not there", "state.unavailable", func(o *postgres.Options) {
		o.DSN = fmt.Sprintf("postgres://quipu:hunter2@127.0.0.1:%d/x?sslmode=disable", nobody)
	})
	for what, change := range map[string]func(*postgres.Options){
		"no address": func(o *postgres.Options) { o.DSN = "" }, "a bad address": func(o *postgres.Options) { o.DSN = "postgres://quipu:hunter2@[/x" },
		"no partitions": func(o *postgres.Options) { o.Partitions = 0 }, "too many": func(o *postgres.Options) { o.Partitions = 1<<16 + 1 },
		"a bad schema": func(o *postgres.Options) { o.Schema = `a"b` }, "no logger": func(o *postgres.Options) { o.Log = nil },
	} {
		if err := try(change); err == nil {
			t.Errorf("%s: opened", what)
		}
	}
}

// TestOthersSee reads through another process what a worker commits: at once, or within the age that readers were given.
func TestOthersSee(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	d := open(t, dsn)
	var now time.Time
	var mu sync.Mutex
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	now = time.Unix(1_800_000_000, 0)
	prompt, patient := openWith(t, postgres.Options{DSN: dsn, Age: -1}), openWith(t, postgres.Options{DSN: dsn, Age: time.Second, Now: clock})
	app, ctx := model.AppID{1}, t.Context()
	w := worker(t, d, postgres.WorkerOptions{})
	at := uint64(0)
	commit := func() {
		t.Helper()
		at++
		c := &state.Change{Watermark: journal.Watermark{0: at}}
		var end func(bool)
		var err error
		if c.Profiles, end, err = w.Profiles().Flush(); err != nil {
			t.Fatal(err)
		}
		c.OnEnd(end)
		if c.Schema, end, err = w.Schema().Flush(); err != nil {
			t.Fatal(err)
		}
		c.OnEnd(end)
		if err := w.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(what string, d *postgres.DB, events int, aliases map[uint32]uint32) {
		t.Helper()
		got, err := d.Profiles().Aliases(ctx, app)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(aliases, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: merges (-want +got):\n%s", what, diff)
		}
		if n := len(d.Schema().Events(app)); n != events { //nolint:contextcheck // readers of a schema have none
			t.Errorf("%s: %d events, want %d", what, n, events)
		}
		if _, ok := d.Schema().Event(app, "e0"); ok != (events > 0) { //nolint:contextcheck // readers of a schema have none
			t.Errorf("%s: the first event is known: %v", what, ok)
		}
	}
	expect("new", prompt, 0, nil)
	expect("new", patient, 0, nil)
	add := func(n uint32) {
		t.Helper()
		s, err := w.Schema().App(app)
		if err != nil {
			t.Fatal(err)
		}
		s.AddEvent("e" + string(rune('0'+n)))
		for _, uid := range []uint32{2*n + 1, 2*n + 2} {
			if err := w.Profiles().Put(app, &model.Profile{ID: model.ProfileID{byte(uid)}, UID: uid}); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Profiles().Delete(app, model.ProfileID{byte(2*n + 1)}), w.Profiles().PutAlias(app, 2*n+1, 2*n+2)); err != nil {
			t.Fatal(err)
		}
		commit()
	}
	add(0)
	expect("one", prompt, 1, map[uint32]uint32{1: 2})
	expect("one, a moment later", patient, 0, nil)
	mu.Lock()
	now = now.Add(time.Second)
	mu.Unlock()
	expect("one, later", patient, 1, map[uint32]uint32{1: 2})
	add(1)
	expect("two", prompt, 2, map[uint32]uint32{1: 2, 3: 4})
	w.Profiles().DeleteApp(app)
	s, err := w.Schema().App(app)
	if err != nil {
		t.Fatal(err)
	}
	s.Clear()
	commit()
	expect("cleared", prompt, 0, nil)
	mu.Lock()
	now = now.Add(-time.Hour) // a clock that was set back asks
	mu.Unlock()
	expect("cleared, with the clock set back", patient, 0, nil)
	if _, err := prompt.Schema().Subjects(ctx, app, schema.Kind(1)); err != nil {
		t.Error(err)
	}
}

// TestForgetting removes what was forgotten from the table, in the background, and leaves what a partition that is behind still needs.
func TestForgetting(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	d := openWith(t, postgres.Options{DSN: dsn, Partitions: 2})
	ctx := t.Context()
	first, second := claimOne(t, d), claimOne(t, d)
	put := func(w *postgres.Worker, partition uint16, at uint64, days ...uint16) {
		t.Helper()
		for _, day := range days {
			w.Profiles().Remember(appIn(d, partition), day, profile.Fingerprint{byte(day)})
		}
		c := &state.Change{Watermark: journal.Watermark{partition: at}}
		var end func(bool)
		var err error
		if c.Profiles, end, err = w.Profiles().Flush(); err != nil {
			t.Fatal(err)
		}
		c.OnEnd(end)
		if err := w.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	put(first, 0, 1, 10, 11, 12)
	put(second, 1, 1, 10, 11, 12)
	first.Profiles().ForgetBefore(12)
	put(first, 0, 2)
	count := func(partition int32) (n int) {
		t.Helper()
		if err := query(t, dsn, &n, "SELECT count(*) FROM quipu_state.prints WHERE partition = $1", partition); err != nil {
			t.Fatal(err)
		}
		return n
	}
	until(t, "what was forgotten is removed", func() bool { return count(0) == 1 })
	if n := count(1); n != 3 {
		t.Errorf("%d fingerprints of the partition that has forgotten nothing, want 3", n)
	}
	if ok, err := second.Profiles().Seen(appIn(d, 1), profile.Fingerprint{10}, 10); err != nil || !ok {
		t.Errorf("seen %v, %v", ok, err)
	}
}

// claimOne makes a worker of one partition.
func claimOne(t *testing.T, d *postgres.DB) *postgres.Worker {
	t.Helper()
	leases, err := d.Claim(t.Context(), "one", 1, ttl)
	if err != nil || len(leases) != 1 {
		t.Fatalf("claimed %v, %v", leases, err)
	}
	w, err := d.Worker(t.Context(), leases, postgres.WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestMisplaced refuses what is of no partition of the worker, or goes back.
func TestMisplaced(t *testing.T) {
	d := openWith(t, postgres.Options{DSN: pgtest.Shared(t).Database(t), Partitions: 2})
	ctx := t.Context()
	w := claimOne(t, d) // of partition 0
	told := 0
	refuse := func(what string, c state.Change) {
		t.Helper()
		before := told
		c.OnEnd(func(ok bool) {
			if !ok {
				told++
			}
		})
		if err := w.Commit(ctx, &c); err == nil {
			t.Errorf("%s was committed", what)
		}
		if told != before+1 {
			t.Errorf("%s: the end was told %d times", what, told-before)
		}
	}
	if err := w.Commit(ctx, &state.Change{Watermark: journal.Watermark{0: 5}}); err != nil {
		t.Fatal(err)
	}
	settings := []byte("{}")
	refuse("a partition of another worker", state.Change{Watermark: journal.Watermark{1: 1}})
	refuse("settings of an app of another partition", state.Change{Watermark: journal.Watermark{0: 6}, Apps: []state.App{{ID: appIn(d, 1), Settings: settings}}})
	refuse("settings of such an app without a watermark", state.Change{Apps: []state.App{{ID: appIn(d, 1), Settings: settings}}})
	refuse("a watermark that goes back", state.Change{Watermark: journal.Watermark{0: 4}})
	refuse("profiles of an app of another partition", state.Change{Watermark: journal.Watermark{0: 6}, Profiles: profile.Change{Apps: []profile.AppChange{{App: appIn(d, 1), Sequence: &profile.Sequence{UID: 1}}}}})
	if err := w.Commit(ctx, &state.Change{Apps: []state.App{{ID: appIn(d, 0), Settings: settings}}}); err != nil {
		t.Errorf("settings without a watermark: %v", err)
	}
	if got, err := d.Settings(appIn(d, 1)); err != nil || got != nil {
		t.Errorf("settings %q, %v", got, err)
	}
	if _, err := d.Worker(context.WithoutCancel(ctx), nil, postgres.WorkerOptions{}); err == nil {
		t.Error("a worker of nothing")
	}
}
