package pipeline_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// TestEventStoreFails lets commits of rows fail for a while: nothing is lost
// or counted twice, Healthy tells, and it ends by itself.
func TestEventStoreFails(t *testing.T) {
	t.Parallel()
	var failing atomic.Bool
	failing.Store(true)
	failed := make(chan struct{}, 100)
	ev := newMemory()
	ev.fault = func(point string) error {
		if failing.Load() {
			failed <- struct{}{}
			return errors.New("disk full " + point)
		}
		return nil
	}
	w := open(t, vfs.NewMem(), ev, nil).start(t)
	defer w.close(t)
	if _, ok := w.pipe.Healthy(); !ok {
		t.Error("unhealthy at the start")
	}
	w.append(t, req(&utcApp, "X", noon, "begin_session", "1", "events", `[{"key":"a"}]`))
	<-failed
	<-failed // the second attempt: what the first told stands
	if after, ok := w.pipe.Healthy(); ok || after < time.Second {
		t.Errorf("healthy = %v, retry after %v", ok, after)
	}
	failing.Store(false)
	w.flush(t)
	if _, ok := w.pipe.Healthy(); !ok {
		t.Error("unhealthy after it went on")
	}
	if got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]; got != "e:1 t:1 n:1 u:1 d:0" {
		t.Errorf("users %q", got)
	}
	if n := len(w.events.rows(&utcApp)); n != 2 {
		t.Errorf("got %d rows, want 2", n)
	}
}

// TestDatabaseFails makes the database's log unwritable: Run ends, and a new
// start on the same disk has everything that was acknowledged, once.
func TestDatabaseFails(t *testing.T) {
	t.Parallel()
	mem := vfs.NewCrashableMem()
	toggle := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if strings.HasSuffix(op.Path, ".log") && op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return errorfs.ErrInjected
		}
		return nil
	})}
	ev := newMemory()
	w := open(t, mem, ev, nil)
	w.embeddedOnly(t)
	w.append(t, req(&utcApp, "X", noon, "begin_session", "1"))
	w.close(t)

	w = openFS(t, errorfs.Wrap(mem, toggle), ev, nil)
	toggle.On()
	err := w.pipe.Run(t.Context())
	if !errors.Is(err, kv.ErrFailed) {
		t.Fatalf("run: got %v, want kv.ErrFailed", err)
	}
	if _, ok := w.pipe.Healthy(); ok {
		t.Error("healthy on a failed database")
	}
	toggle.Off()
	if err := w.journal.Close(); err != nil {
		t.Logf("close journal: %v", err)
	}
	if err := w.db.Close(); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("close: %v", err)
	}

	w = open(t, mem, ev, nil).start(t)
	defer w.close(t)
	w.flush(t)
	if got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]; got != "e:1 t:1 n:1 u:1 d:0" {
		t.Errorf("users %q", got)
	}
	if n := len(ev.rows(&utcApp)); n != 1 {
		t.Errorf("got %d rows, want 1", n)
	}
}

// TestPanickingStep drops the request whose step panics, with all of its
// parts, and leaves no trace of it.
func TestPanickingStep(t *testing.T) {
	t.Parallel()
	for _, after := range []string{pipeline.StepDedup, pipeline.StepProfile, pipeline.StepSession, pipeline.StepEnrich, pipeline.StepExpand, pipeline.StepCells} {
		t.Run(after, func(t *testing.T) {
			t.Parallel()
			w := running(t, func(o *pipeline.Options) {
				o.Steps = []pipeline.Addition{{After: after, Step: pipeline.Step{Name: "bad", Apply: func(it *pipeline.Item) error {
					if it.Request.DeviceID == "P" || len(it.Request.Events) == 3 {
						panic("this step is bad")
					}
					return nil
				}}}}
			})
			bad := []string{
				"begin_session", "1", "session_duration", "9", "end_session", "1", "old_device_id", "O", "consent", `{"push":true}`, "crash", `{"a":1}`,
				"user_details", `{"name":"Bad","custom":{"k":"bad"}}`, "events", `[{"key":"a"},{"key":"a"},{"key":"a"},{}]`,
			}
			w.send(t,
				req(&utcApp, "O", noon, "begin_session", "1", "user_details", `{"custom":{"k":"v"}}`),
				req(&utcApp, "X", noon, "begin_session", "1", "consent", `{"push":false}`),
				req(&utcApp, "P", noon, bad...),
				req(&utcApp, "X", noon, bad...),
				req(&utcApp, "Y", noon, "begin_session", "1"),
			)
			if got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]; got != "e:3 t:3 n:3 u:3 d:0" {
				t.Errorf("users %q", got)
			}
			want := map[string]string{
				"request/accepted": "3", "session/accepted": "3", "request/internal": "2", "session/internal": "2",
				"event/internal": "6", "event/no_key": "2", "crash/internal": "2",
			}
			if diff := cmp.Diff(want, w.outcomes(t, &utcApp, noon)); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			x, o := w.profile(t, &utcApp, "X"), w.profile(t, &utcApp, "O")
			if x.Name != "" || x.Sessions != 1 || x.Open.ID == 0 || x.Consent["push"] || x.TotalDuration != 0 || o.Custom["k"] != "v" {
				t.Errorf("profiles\n%+v\n%+v", x, o)
			}
			for _, r := range w.events.rows(&utcApp) {
				if r.Key != "[CLY]_session_begin" && r.Key != "[CLY]_consent" {
					t.Errorf("row %+v", r)
				}
			}
		})
	}
}

// breaker is a schema whose shard breaks outside of the steps.
type breaker struct {
	schema.Writers
}

type brokenWriter struct {
	schema.Writer
}

func (b breaker) App(app model.AppID) (schema.Writer, error) {
	l, err := b.Writers.App(app)
	return brokenWriter{l}, err
}

func (l brokenWriter) AddEvent(key string) bool {
	if key == "[CLY]_session" {
		panic("no closed sessions today")
	}
	return l.Writer.AddEvent(key)
}

// TestPoison: a command that breaks its shard is left out, and the shard goes on.
func TestPoison(t *testing.T) {
	t.Parallel()
	w := running(t, func(o *pipeline.Options) { o.Schema = breaker{o.Schema} })
	timeout := request.Record{
		Kind: request.SessionTimeout, App: utcApp.ID, Received: noon + 24*3_600_000, Profile: model.NewProfileID(utcApp.IDKey, "X"),
	}
	w.send(t,
		req(&utcApp, "X", noon, "begin_session", "1"), timeout,
		req(&utcApp, "Y", noon, "begin_session", "1"), request.Record{Kind: 99, App: utcApp.ID, Received: noon},
		req(&utcApp, "Z", noon, "begin_session", "1"),
	)
	if got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]; got != "e:3 t:3 n:3 u:3 d:0" {
		t.Errorf("users %q", got)
	}
	if _, ok := w.pipe.Healthy(); !ok {
		t.Error("unhealthy after the poison was left out")
	}
}

// TestUndecodable: bytes that are no record are stepped over.
func TestUndecodable(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	if _, err := w.journal.Append(t.Context(), journal.Entries(0, []byte("nonsense"), []byte{}, []byte{1, 1, 2})...); err != nil {
		t.Fatal(err)
	}
	gone := req(&model.App{ID: model.AppID{77}}, "X", noon, "begin_session", "1")
	noDevice := req(&utcApp, "", noon, "begin_session", "1")
	w.send(t, gone, noDevice, req(&utcApp, "X", noon, "begin_session", "1"))
	want := map[string]string{"request/accepted": "1", "session/accepted": "1", "request/malformed": "1"}
	if diff := cmp.Diff(want, w.outcomes(t, &utcApp, noon)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// TestFind projects records of an app that the directory does not know yet, as another process has just made it: none is left out, though for a while nobody can say
// whether there is one.
func TestFind(t *testing.T) {
	t.Parallel()
	made := model.App{ID: model.AppID{78}, Key: "made elsewhere", Timezone: "UTC"}
	var asked atomic.Int64
	w := running(t, func(o *pipeline.Options) {
		o.Find = func(_ context.Context, id model.AppID) (*model.App, error) {
			switch {
			case asked.Add(1) <= 2:
				return nil, errors.New("away")
			case id != made.ID:
				return nil, nil
			}
			return &made, nil
		}
	})
	w.append(t, req(&made, "X", noon, "begin_session", "1"), req(&model.App{ID: model.AppID{77}}, "X", noon, "begin_session", "1"))
	for deadline := time.Now().Add(10 * time.Second); len(w.events.rows(&made)) == 0; time.Sleep(5 * time.Millisecond) { // a flush ends with the fault
		if time.Now().After(deadline) {
			t.Fatal("the records of an app that was made elsewhere are left out")
		}
	}
	w.send(t, req(&made, "Y", noon, "begin_session", "1"))
	if n := len(w.events.rows(&made)); n != 2 || asked.Load() < 3 {
		t.Errorf("%d rows of an app that was made elsewhere, want 2; asked %d times", n, asked.Load())
	}
	if len(w.cells(t, &made)) == 0 {
		t.Error("an app that was made elsewhere has no cells")
	}
	w.submit(t, pipeline.ForgetBefore(made.ID, noon+62*86_400_000))
	for key := range w.cells(t, &made) {
		if !strings.HasPrefix(key, "48 ") { // outcomes are of the time received
			t.Errorf("%s of an app that was made elsewhere is not forgotten", key)
		}
	}
}

func TestEdgeOutcomes(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	w.dropped.Count(utcApp.ID, outcome.Request, outcome.AppPaused, 2)
	w.flush(t)
	w.dropped.Count(utcApp.ID, outcome.Request, outcome.AppPaused, 1)
	w.dropped.Count(utcApp.ID, outcome.Request, outcome.ChecksumMissing, 1)
	w.dropped.Count(model.AppID{77}, outcome.Request, outcome.ChecksumMissing, 1)
	w.send(t, req(&utcApp, "X", noon))
	want := map[string]string{"request/accepted": "1", "request/app_paused": "3", "request/checksum_missing": "1"}
	if diff := cmp.Diff(want, w.outcomes(t, &utcApp, noon)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestAdditions(t *testing.T) {
	t.Parallel()
	w := running(t, func(o *pipeline.Options) {
		o.Filter = func(it *pipeline.Item) error {
			switch {
			case it.Request.DeviceID == "blocked":
				it.Drop(outcome.FilteredOut)
			case len(it.Events) == 2:
				it.Events[1].Dropped = outcome.FilteredOut
			}
			return nil
		}
		o.Steps = []pipeline.Addition{{After: pipeline.StepExpand, Step: pipeline.Step{Name: "extra", Apply: func(it *pipeline.Item) error {
			it.AddRow("[CLY]_extra", it.TS).Name = "made"
			return nil
		}}}}
	})
	w.send(t,
		req(&utcApp, "blocked", noon, "begin_session", "1"),
		req(&utcApp, "X", noon, "events", `[{"key":"a"},{"key":"b"}]`),
	)
	if diff := cmp.Diff([]string{"[CLY]_custom a c1 s0 d0 u1", "[CLY]_extra made c1 s0 d0 u1"}, brief(w.events.rows(&utcApp))); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	want := map[string]string{
		"request/filtered_out": "1", "session/filtered_out": "1", "request/accepted": "1", "event/accepted": "1", "event/filtered_out": "1",
	}
	if diff := cmp.Diff(want, w.outcomes(t, &utcApp, noon)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	step := func(name string) pipeline.Step {
		return pipeline.Step{Name: name, Apply: func(*pipeline.Item) error { return nil }}
	}
	_, err := pipeline.New(pipeline.Options{Steps: []pipeline.Addition{{After: "nowhere", Step: step("x")}}})
	for _, want := range []string{"Journal is missing", "State is missing", "Now is missing", "unknown step nowhere"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
	_, err = pipeline.New(pipeline.Options{Steps: []pipeline.Addition{{After: pipeline.StepCells, Step: step(pipeline.StepEnrich)}}})
	if err == nil || !strings.Contains(err.Error(), "two steps are named enrich") {
		t.Errorf("error %v", err)
	}
}

// TestSubmitAndFlushGiveUp with their context.
func TestSubmitAndFlushGiveUp(t *testing.T) {
	t.Parallel()
	w := open(t, vfs.NewMem(), newMemory(), nil) // not running
	defer w.close(t)
	w.append(t, req(&utcApp, "X", noon))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.pipe.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("flush: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := w.pipe.Submit(ctx, request.Record{Kind: request.ResetApp, App: utcApp.ID}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("submit: %v", err)
	}
}

// TestWaitsEndWithRun waits for what nothing projects any more because Run has returned, with contexts that go on: such a wait ends. What
// was appended is applied by the next Run.
func TestWaitsEndWithRun(t *testing.T) {
	t.Parallel()
	w := open(t, vfs.NewMem(), newMemory(), nil)
	defer w.close(t)
	run := func() (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- w.pipe.Run(ctx) }()
		return func() {
			cancel()
			if err := <-ran; err != nil {
				t.Errorf("run: %v", err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	stop := run()
	w.send(t, req(&utcApp, "X", noon, "events", `[{"key":"a"}]`))
	early := make(chan error, 1)
	if err := w.pipe.Between(ctx, func(context.Context) error { // nothing is projected while this runs, and then Run returns
		w.append(t, req(&utcApp, "X", noon+1000, "events", `[{"key":"a"}]`)) //nolint:contextcheck // a helper of the tests, with the context of the test
		go func() { early <- w.pipe.Await(ctx, journal.Watermark{0: 1 << 40}) }()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	stop()
	for name, wait := range map[string]func() error{
		"await, begun before": func() error { return <-early },
		"submit": func() error {
			return w.pipe.Submit(ctx, request.Record{Kind: request.ResetApp, App: utcApp.ID, Received: noon + 2000})
		},
		"flush":   func() error { return w.pipe.Flush(ctx) },
		"between": func() error { return w.pipe.Between(ctx, func(context.Context) error { return nil }) },
	} {
		if err := wait(); !errors.Is(err, pipeline.ErrEnded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	defer run()()
	err := pipeline.ErrEnded
	for errors.Is(err, pipeline.ErrEnded) { // until the second Run has begun, or ctx ends
		err = w.pipe.Flush(ctx)
	}
	if err != nil {
		t.Errorf("flush, running again: %v", err)
	}
	if n := len(w.events.rows(&utcApp)); n != 0 {
		t.Errorf("%d rows are left: the command that was appended is not applied", n)
	}
}
