package pipeline_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	statestore "quipu/internal/store/state"
)

// live are settings as an operator has them at the moment, whatever the journal says.
type live struct {
	mu  sync.Mutex
	set map[model.AppID]pipeline.Settings
}

func (l *live) of(app *model.App) pipeline.Settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.set[app.ID]; ok {
		return s
	}
	s := pipeline.DefaultSettings()
	s.Timezone = app.Timezone
	return s
}

func (l *live) options(o *pipeline.Options) { o.Settings = l.of }

// change returns the command that puts settings in force, which are live from now on.
func (l *live) change(app *model.App, s pipeline.Settings, received int64) request.Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.set == nil {
		l.set = map[model.AppID]pipeline.Settings{}
	}
	l.set[app.ID] = s
	rec := pipeline.SetSettings(app.ID, s)
	rec.Received = received
	return rec
}

func randomSettings(r *rand.Rand, app *model.App) pipeline.Settings {
	d := func(most time.Duration) time.Duration {
		return time.Duration(r.Int64N(int64(most/time.Millisecond))) * time.Millisecond
	}
	s := pipeline.Settings{
		Timezone: app.Timezone, SessionTimeout: d(time.Hour), Cooldown: d(time.Minute), MaxDuration: 250 * time.Millisecond * time.Duration(1+r.IntN(600)),
		FutureLimit: d(2 * time.Hour), AllowDuplicates: r.IntN(2) == 0,
		Limits: schema.Limits{Events: 1 + r.IntN(4), Segments: 1 + r.IntN(4), Values: 1 + r.IntN(4), Subjects: 1 + r.IntN(3), SubjectValues: 1 + r.IntN(3), MetricValues: 1 + r.IntN(4)},
	}
	if r.IntN(3) == 0 {
		s.Timezone = []string{"America/Lima", "Pacific/Auckland", "Asia/Kolkata", "UTC"}[r.IntN(4)]
	}
	return s
}

// crashAt runs a world on a disk until the given write or sync of its state, and returns
// the disk as a crash at that moment leaves it; crashed is false when all was projected before.
func crashAt(t *testing.T, mem *vfs.MemFS, ev *memory, at int64, change func(*pipeline.Options)) (disk *vfs.MemFS, crashed bool) {
	t.Helper()
	var ops atomic.Int64
	var dead atomic.Bool
	left := make(chan *vfs.MemFS, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && ops.Add(1) == at {
			dead.Store(true)
			left <- crashClone(mem)
			cancel()
		}
		return nil
	}))
	ev.fault = func(string) error {
		if dead.Load() {
			return errCrash
		}
		return nil
	}
	sameDatabase(fs, mem)
	w := openFS(t, fs, ev, change)
	done := make(chan error, 1)
	go func() { done <- w.pipe.Run(ctx) }()
	err := w.pipe.Flush(ctx)
	cancel()
	if rerr := <-done; rerr != nil && !errors.Is(rerr, statestore.ErrLost) {
		t.Fatalf("run: %v", rerr)
	}
	w.close(t)
	ev.fault = nil
	if err == nil && !dead.Load() {
		return mem, false
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errCrash) {
		t.Fatalf("flush: %v", err)
	}
	return <-left, true
}

// TestSettingsKeepTheirPlace mixes changes of settings into traffic. A world that projects every
// record at once, under the settings of that moment, is the model. Worlds that find all of it
// in their journal and crash at random writes come to the same rows, cells and profiles.
func TestSettingsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	now := &live{}
	w := open(t, vfs.NewMem(), newMemory(), now.options).start(t)
	w.embeddedOnly(t) // crashes are by the number of its writes
	changes := 0
	all := []request.Record{now.change(&utcApp, now.of(&utcApp), noon), now.change(&kolkataApp, now.of(&kolkataApp), noon)}
	w.append(t, all...)
	for i, rec := range traffic(r, 80, true) {
		app := &utcApp
		if rec.App == kolkataApp.ID {
			app = &kolkataApp
		}
		if i%16 == 9 || r.IntN(12) == 0 { // five at least
			w.flush(t)
			set := []request.Record{now.change(app, randomSettings(r, app), rec.Received)}
			if r.IntN(2) == 0 {
				set = append(set, request.Record{Kind: request.RebuildCells, App: app.ID, Received: rec.Received})
			}
			changes++
			all = append(all, set...)
			w.append(t, set...)
		}
		all = append(all, rec)
		w.append(t, rec)
	}
	w.flush(t)
	want := [2]state{w.state(t, &utcApp), w.state(t, &kolkataApp)}
	w.close(t)

	ev, disk, crashed, crashes := newMemory(), vfs.NewCrashableMem(), true, 0
	early := open(t, disk, ev, now.options)
	early.append(t, all...)
	early.close(t)
	for ; crashed; crashes++ {
		batches := 1 + r.IntN(9)
		at := 1 + r.Int64N(30) + 6*int64(crashes) // so that it ends
		disk, crashed = crashAt(t, disk, ev, at, func(o *pipeline.Options) {
			now.options(o)
			o.BatchRecords = batches
		})
	}
	if changes < 5 || crashes < 5 {
		t.Errorf("%d changes and %d crashes are too few", changes, crashes)
	}
	for _, diff := range ev.diverged {
		t.Errorf("a row of the replay differs:\n%s", diff)
	}
	w = open(t, disk, ev, now.options).start(t)
	defer w.close(t)
	w.flush(t)
	if diff := cmp.Diff(want, [2]state{w.state(t, &utcApp), w.state(t, &kolkataApp)}); diff != "" {
		t.Errorf("state after %d crashes (-at once +with):\n%s", crashes, diff)
	}
}

// TestSettingsInTheBacklog changes settings while 10,000 records wait: these are
// projected under the old ones, what is acknowledged afterwards under the new ones.
func TestSettingsInTheBacklog(t *testing.T) {
	t.Parallel()
	now := &live{}
	w := open(t, vfs.NewMem(), newMemory(), func(o *pipeline.Options) {
		now.options(o)
		o.MoveRows, o.MoveEvery = 10_000, time.Second
	})
	defer w.close(t)
	some := func(n int, more ...string) {
		records := make([]request.Record, n)
		for i := range records {
			// Of 20:00 UTC, which is the next day in Auckland; sent twice each.
			ts := noon + 8*3_600_000 + int64(i/2)*3 + 1
			if ts%1000 == 0 {
				ts++
			}
			records[i] = req(&utcApp, "X", ts, append([]string{"session_duration", "200"}, more...)...)
		}
		w.append(t, records...)
	}
	s := now.of(&utcApp)
	w.append(t, now.change(&utcApp, s, noon))
	some(10_000, "events", `[{"key":"a"}]`)
	s.Timezone, s.MaxDuration, s.AllowDuplicates, s.Limits.Events = "Pacific/Auckland", time.Minute, true, 1
	w.append(t, now.change(&utcApp, s, noon))
	some(100, "events", `[{"key":"a"},{"key":"b"}]`)
	w.start(t)
	w.flush(t)
	days := [2]string{}
	for i := range days {
		days[i] = w.day(t, &utcApp, rollup.Users, "", noon+int64(i)*24*3_600_000, totals)[""]
	}
	if want := [2]string{"e:5000 t:0 n:0 u:0 d:600000", "e:100 t:0 n:0 u:0 d:6000"}; days != want {
		t.Errorf("requests and seconds of both days: got %q, want %q", days, want)
	}
	var keys []string
	for _, e := range w.schema.Events(utcApp.ID) {
		keys = append(keys, e.Key)
	}
	if diff := cmp.Diff([]string{"a"}, keys); diff != "" {
		t.Errorf("event keys (-want +got):\n%s", diff)
	}
}

// TestSettingsStay: they outlive a start and a reset, and go with their app.
func TestSettingsStay(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	now := &live{}
	w := open(t, fs, newMemory(), now.options).start(t)
	stored := func() (pipeline.Settings, bool) {
		t.Helper()
		s, ok, err := pipeline.LoadSettings(w.store, utcApp.ID)
		if err != nil {
			t.Fatal(err)
		}
		return s, ok
	}
	if s, ok := stored(); ok {
		t.Errorf("a new app has %+v", s)
	}
	w.send(t, req(&utcApp, "X", noon))
	first := pipeline.DefaultSettings()
	first.Timezone = "UTC"
	if s, ok := stored(); !ok || s != first {
		t.Errorf("after its first record an app has %+v, want those of that moment: %+v", s, first)
	}
	s := pipeline.Settings{
		Timezone: "America/Lima", SessionTimeout: time.Minute, Cooldown: 1500 * time.Millisecond, MaxDuration: 1 << 62, FutureLimit: 1,
		AllowDuplicates: true, Limits: schema.Limits{Events: 1, Segments: 2, Values: 3, Subjects: 4, SubjectValues: 5, MetricValues: 6},
	}
	w.submit(t, now.change(&utcApp, s, noon))
	want := s.Normal()
	if want.FutureLimit != 0 || want.MaxDuration == 0 {
		t.Errorf("normal: %+v", want)
	}
	for _, rec := range []request.Record{
		{Kind: request.ResetApp, App: utcApp.ID},
		{Kind: request.SetSettings, App: utcApp.ID, JSON: []byte(`{`)},
		{Kind: request.SetSettings, App: utcApp.ID, JSON: []byte(`{"timezone":"UTC","cooldown":-1}`)},
		{Kind: request.SetSettings, App: utcApp.ID},
	} {
		w.submit(t, rec)
		if got, ok := stored(); !ok || got != want {
			t.Errorf("after %d %s: %+v, want %+v", rec.Kind, rec.JSON, got, want)
		}
	}
	w.close(t)
	w = open(t, fs, newMemory(), now.options).start(t)
	defer w.close(t)
	w.send(t, req(&utcApp, "X", noon, "session_duration", "1000"))
	if got, _ := stored(); got != want {
		t.Errorf("after another start: %+v, want %+v", got, want)
	}
	w.submit(t, request.Record{Kind: request.DeleteApp, App: utcApp.ID})
	if got, ok := stored(); ok {
		t.Errorf("a deleted app has %+v", got)
	}
}

// TestSettingsDamaged: settings that cannot be read stop the pipeline; nothing
// is projected under others.
func TestSettingsDamaged(t *testing.T) {
	t.Parallel()
	w := open(t, vfs.NewMem(), newMemory(), nil)
	w.embeddedOnly(t)
	b := w.db.NewBatch()
	if err := b.Set(append(kv.AppKey(kv.PrefixMarks, utcApp.ID, 1), 's'), []byte("\x01{")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.db.Commit(b)); err != nil {
		t.Fatal(err)
	}
	b.Discard()
	w.append(t, req(&utcApp, "X", noon))
	w.start(t)
	defer w.close(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := w.pipe.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("flush: %v", err)
	}
	if _, ok := w.pipe.Healthy(); ok {
		t.Error("healthy with settings that cannot be read")
	}
	if _, err := w.pipe.Sweep(t.Context(), time.UnixMilli(noon)); err == nil || !strings.Contains(err.Error(), "settings") {
		t.Errorf("sweep: %v", err)
	}
}
