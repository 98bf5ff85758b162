package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/profile"
	"quipu/internal/store/schema"
	statestore "quipu/internal/store/state"
)

// traffic makes n random records. Sums and seconds are multiples of 1/4, so
// that they add up to the same number in any order.
func traffic(r *rand.Rand, n int, commands bool) []request.Record {
	apps := []*model.App{&utcApp, &kolkataApp}
	device := func() string { return "d" + strconv.Itoa(r.IntN(9)) }
	ts := noon
	var out []request.Record
	for len(out) < n {
		app := apps[r.IntN(2)]
		ts += r.Int64N(40 * 60_000)
		when := ts
		if r.IntN(6) == 0 {
			when -= r.Int64N(40 * 24 * 3_600_000) // late data
		}
		when -= when % 1000
		if r.IntN(4) == 0 {
			when += 1 + r.Int64N(999) // with milliseconds it has a fingerprint
		}
		if commands && r.IntN(12) == 0 {
			out = append(out, command(r, app, device(), ts))
			continue
		}
		var pairs []string
		add := func(k, v string) { pairs = append(pairs, k, v) }
		if r.IntN(3) == 0 {
			add("begin_session", "1")
			add("metrics", fmt.Sprintf(`{"_os":"%s","_os_version":"1.%d","_device":"D%d","_locale":"de_DE"}`, []string{"iOS", "Android"}[r.IntN(2)], r.IntN(3), r.IntN(4)))
		}
		if r.IntN(3) == 0 {
			add("session_duration", strconv.FormatFloat(float64(r.IntN(600))/4, 'f', -1, 64))
		}
		if r.IntN(4) == 0 {
			add("end_session", "1")
		}
		if r.IntN(2) == 0 {
			add("events", randomEvents(r, when))
		}
		if r.IntN(5) == 0 {
			add("user_details", fmt.Sprintf(`{"name":"N%d","custom":{"plan":"p%d","visits":{"$inc":1},"list":{"$addToSet":"x%d"}}}`, r.IntN(4), r.IntN(3), r.IntN(3)))
		}
		if r.IntN(8) == 0 {
			add("consent", fmt.Sprintf(`{"push":%v,"events":%v}`, r.IntN(2) == 0, r.IntN(2) == 0))
		}
		if r.IntN(8) == 0 {
			add("crash", `{"_error":"boom","_os":"iOS"}`)
		}
		if r.IntN(20) == 0 {
			add("apm", fmt.Sprintf(`{"type":%q,"name":"t%d","apm_metrics":{"duration":%d}}`, []string{"device", "network"}[r.IntN(2)], r.IntN(3), r.IntN(900)))
		}
		if r.IntN(8) == 0 {
			add("country_code", []string{"DE", "PE", "FR"}[r.IntN(3)])
		}
		if r.IntN(8) == 0 {
			add("old_device_id", device())
		}
		if r.IntN(5) == 0 {
			add("hour", strconv.Itoa(r.IntN(24)))
			add("dow", strconv.Itoa(r.IntN(7)))
		}
		rec := req(app, device(), when, pairs...)
		rec.Received = ts + 200
		out = append(out, rec)
		if r.IntN(10) == 0 {
			out = append(out, rec) // sent again
		}
	}
	return out
}

func randomEvents(r *rand.Rand, ts int64) string {
	var list []string
	for range 1 + r.IntN(4) {
		segments := ""
		switch r.IntN(4) {
		case 0:
			segments = fmt.Sprintf(`,"segmentation":{"plan":"v%d.5","n":%d,"list":["a"]}`, r.IntN(4), r.IntN(3))
		case 1:
			segments = `,"segmentation":{"mixed":"text","ok":true}`
		case 2:
			segments = fmt.Sprintf(`,"segmentation":{"mixed":%d}`, r.IntN(2))
		}
		own := ""
		if r.IntN(3) == 0 {
			own = fmt.Sprintf(`,"timestamp":%d`, ts-r.Int64N(3*24*3_600_000))
		}
		key := []string{"buy", "open", "[CLY]_view", "[CLY]_action", "[CLY]_view", "close", "[CLY]_nope", ""}[min(r.IntN(10), 7)]
		switch key {
		case "[CLY]_view":
			segments = `,"segmentation":{` + randomView(r) + `}`
		case "[CLY]_action":
			segments = `,"segmentation":{` + randomAction(r) + `}`
		}
		list = append(list, fmt.Sprintf(`{"key":%q,"count":%d,"sum":%v,"dur":%v%s%s}`, key, 1+r.IntN(3), float64(r.IntN(40))/4-2, float64(r.IntN(9))/4, segments, own))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func randomView(r *rand.Rand) string {
	list := []string{`"plan":"x"`}
	maybe := func(n int, pair string) {
		if r.IntN(n) == 0 {
			list = append(list, pair)
		}
	}
	if r.IntN(8) > 0 {
		list = append(list, `"name":"`+[]string{"Home", "Cart", "Search.all", "Ünder"}[r.IntN(4)]+`"`)
	}
	if r.IntN(3) > 0 {
		list = append(list, `"visit":`+[]string{"1", `"1"`, "true", "0"}[min(r.IntN(6), 3)])
	}
	maybe(3, `"start":1`)
	maybe(2, fmt.Sprintf(`"view":"/u%d"`, r.IntN(3)))
	maybe(3, `"segment":"web"`)
	maybe(3, `"platform":"app.1"`)
	maybe(4, `"a.b":2.5`)
	maybe(4, `"domain":"x.io"`)
	maybe(4, `"utm_source":"mail"`)
	return strings.Join(list, ",")
}

func randomAction(r *rand.Rand) string {
	out := fmt.Sprintf(`"type":"%s","y":%d,"height":200`, []string{"scroll", "scroll", "click"}[r.IntN(3)], r.IntN(300))
	if r.IntN(4) == 0 {
		out += `,"start":1`
	}
	if r.IntN(2) == 0 {
		return out + fmt.Sprintf(`,"view":"/u%d"`, r.IntN(4))
	}
	return out + `,"name":"` + []string{"Home", "Cart", "nowhere"}[r.IntN(3)] + `"`
}

func command(r *rand.Rand, app *model.App, device string, ts int64) request.Record {
	rec := request.Record{App: app.ID, Received: ts + 200}
	switch r.IntN(15) {
	case 0, 1, 2, 3:
		rec.Kind, rec.Profile = request.SessionTimeout, model.NewProfileID(app.IDKey, device)
	case 4, 5:
		rec.Kind, rec.UIDs, rec.JSON = request.UpdateUsers, []uint32{1, 3, 5}, []byte(`{"$inc":{"custom.visits":10},"custom.flag":"1"}`)
	case 6:
		rec.Kind, rec.JSON = request.CreateUser, fmt.Appendf(nil, `{"did":%q,"name":"made","custom":{"a":1}}`, device)
	case 7:
		rec.Kind, rec.Names = request.DeleteEvents, []string{"close"}
	case 8:
		rec.Kind, rec.Event, rec.Names = request.OmitSegments, "open", []string{"mixed"}
	case 9:
		rec.Kind, rec.UIDs = request.DeleteUsers, []uint32{uint32(1 + r.IntN(6))}
	case 10:
		rec.Kind = request.RebuildCells
	case 11:
		rec.Kind, rec.UIDs = request.EraseUsers, []uint32{uint32(1 + r.IntN(6)), 2}
		rec.JSON = []byte(`{"values":[{"event":"buy","segment":"mixed","values":["1","x"]},{"event":"[CLY]_view","segment":"name","values":["Cart"]},{"event":"[CLY]_view","segment":"domain","values":["x.io"]},{"event":"[CLY]_view","segment":"view","values":["/u1"]}]}`)
	case 12:
		rec.Kind, rec.Names = request.DeleteSubjects, []string{"Home", "nowhere"}
	case 13:
		rec.Kind, rec.Event, rec.Names = request.OmitSegments, "[CLY]_view", []string{"platform"}
	default:
		rec.Kind = request.ResetApp
	}
	return rec
}

// state is all that a world has stored of an app.
type state struct {
	Cells    map[string]string
	Profiles map[string]model.Profile
	Sequence profile.Sequence
	Aliases  map[uint32]uint32
	Events   []schema.Event
	Values   map[string][]string
	Views    []schema.Subject
	Rows     []events.Row
	Requests map[uint64]events.RequestRow
	States   map[uint32]events.State
	Users    map[uint32]model.Profile
}

func (w *world) state(tb testing.TB, app *model.App) state {
	tb.Helper()
	ctx := tb.Context()
	s := state{Cells: w.cells(tb, app), Profiles: map[string]model.Profile{}, Values: map[string][]string{}}
	check := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	check(w.profiles.Scan(ctx, app.ID, func(p *model.Profile) error {
		s.Profiles[p.DID] = *p
		return nil
	}))
	var err error
	s.Sequence, err = w.profiles.Sequence(ctx, app.ID)
	check(err)
	s.Aliases, err = w.profiles.Aliases(ctx, app.ID)
	check(err)
	s.Events = w.schema.Events(app.ID)
	for _, e := range s.Events {
		for _, g := range e.Segments {
			v, err := w.schema.Values(ctx, app.ID, e.Key, g.Name)
			check(err)
			s.Values[e.Key+"/"+g.Name] = v
		}
	}
	s.Views, err = w.schema.Subjects(ctx, app.ID, 1)
	check(err)
	s.Rows = w.events.rows(app)
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	of := w.events.of(app.ID)
	s.Requests, s.States, s.Users = of.requests, of.states, of.users
	return s
}

// project runs records through a fresh world and returns its state.
func project(t *testing.T, records []request.Record, perBatch int) [2]state {
	t.Helper()
	return projectBy(t, records, func(o *pipeline.Options) { o.BatchRecords = perBatch })
}

func projectBy(t *testing.T, records []request.Record, change func(*pipeline.Options)) [2]state {
	t.Helper()
	return projectOn(t, vfs.NewMem(), records, change)
}

func projectOn(t *testing.T, fs *vfs.MemFS, records []request.Record, change func(*pipeline.Options)) [2]state {
	t.Helper()
	w := open(t, fs, newMemory(), change).start(t)
	defer w.close(t)
	for len(records) > 0 {
		n := min(len(records), 40)
		w.append(t, records[:n]...)
		records = records[n:]
	}
	w.flush(t)
	return [2]state{w.state(t, &utcApp), w.state(t, &kolkataApp)}
}

// TestPartitionsDoNotMatter: the records of an app, commands among them, do in a journal of several partitions what they do
// alone in the embedded one, which has one partition.
func TestPartitionsDoNotMatter(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	records := traffic(rand.New(rand.NewPCG(seed, 3)), 300, true)
	apps := [2]*model.App{&utcApp, &kolkataApp}
	for i, app := range apps {
		partitions := 2 // with the app in the first, where places are offsets, and the other elsewhere
		for journal.Routing(app.ID)%uint64(partitions) != 0 || journal.Routing(apps[1-i].ID)%uint64(partitions) == 0 {
			partitions++
		}
		alone := slices.DeleteFunc(slices.Clone(records), func(r request.Record) bool { return r.App != app.ID })
		want := project(t, alone, 20_000)[i]
		got := projectBy(t, records, func(o *pipeline.Options) { o.Journal, o.BatchRecords = journaltest.NewMemory(partitions), 7 })[i]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("app %s in a journal of %d partitions (-alone +with others):\n%s", app.ID, partitions, diff)
		}
	}
}

// TestBatchesDoNotMatter: how records are cut into batches changes nothing.
func TestBatchesDoNotMatter(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	records := traffic(rand.New(rand.NewPCG(seed, 1)), 300, true)
	want := project(t, records, 20_000)
	for _, n := range []int{1, 7} {
		if diff := cmp.Diff(want, project(t, records, n)); diff != "" {
			t.Errorf("batches of %d records (-one batch +many):\n%s", n, diff)
		}
	}
}

// TestCrash kills the world at every commit, before the rows are committed
// and between the rows and all the rest, and lets a new one go on.
func TestCrash(t *testing.T) {
	t.Parallel()
	testCrash(t, func(_ *testing.T, fs *vfs.MemFS) *vfs.MemFS { return fs })
}

// testCrash crashes on disks that on prepares.
func testCrash(t *testing.T, on func(*testing.T, *vfs.MemFS) *vfs.MemFS) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	records := traffic(rand.New(rand.NewPCG(seed, 2)), 150, true)
	want := project(t, records, 20_000)

	// The first world has everything in its journal and crashes at its first commit, as every
	// world after it does at its own first or second.
	for _, point := range []string{"before", "after", "both"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			ev := newMemory()
			fs := on(t, vfs.NewCrashableMem())
			w := open(t, fs, ev, nil)
			w.append(t, records...)
			w.close(t)
			crashes := 0
			for alive := true; alive; {
				fs, alive = runUntilCrash(t, fs, ev, point, crashes)
				crashes++
			}
			if crashes < 10 {
				t.Errorf("only %d crashes", crashes)
			}
			ev.fault = nil
			w = open(t, fs, ev, nil).start(t)
			defer w.close(t)
			w.flush(t)
			for _, diff := range ev.diverged {
				t.Errorf("a row of the replay differs:\n%s", diff)
			}
			got := [2]state{w.state(t, &utcApp), w.state(t, &kolkataApp)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("state after %d crashes (-without +with):\n%s", crashes, diff)
			}
		})
	}
}

var errCrash = errors.New("crash")

// runUntilCrash runs a world until one of its first commits reaches the point, and
// returns the disk as the crash left it; alive is false when everything was
// projected without one.
func runUntilCrash(t *testing.T, fs *vfs.MemFS, ev *memory, point string, n int) (disk *vfs.MemFS, alive bool) {
	t.Helper()
	crashed := make(chan *vfs.MemFS, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	commits := 0
	ev.fault = func(at string) error {
		if at == "before" {
			commits++
		}
		if commits < 1+n%4 || (point != "both" && at != point) || (point == "both" && (n/2%2 == 0) != (at == "before")) {
			return nil
		}
		if ctx.Err() == nil {
			crashed <- crashClone(fs) //nolint:contextcheck // a crash is not called off
			cancel()
		}
		return errCrash
	}
	if n > 60 {
		ev.fault = nil // crashes at the first commits may make no progress forever
	}
	w := open(t, fs, ev, func(o *pipeline.Options) { o.BatchRecords = 3 + n%5 })
	done := make(chan error, 1)
	go func() { done <- w.pipe.Run(ctx) }()
	flushed := make(chan error, 1)
	go func() { flushed <- w.pipe.Flush(ctx) }()
	select {
	case disk = <-crashed:
		alive = true
	case err := <-flushed:
		if err == nil {
			cancel()
			disk = fs
		} else {
			disk = <-crashed
			alive = true
		}
	}
	if err := <-done; err != nil && !errors.Is(err, statestore.ErrLost) {
		t.Fatalf("run: %v", err)
	}
	w.stop = nil
	w.close(t)
	return disk, alive
}
