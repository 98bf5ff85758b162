package pipeline_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
)

// observer looks at one app and keeps what it is told.
type observer struct {
	app  model.AppID
	read func() // called with every part of a batch

	mu   sync.Mutex
	seen []pipeline.Recorded
}

// Wants implements pipeline.Watcher.
func (o *observer) Wants(app model.AppID) bool { return app == o.app }

// Saw implements pipeline.Watcher.
func (o *observer) Saw(r pipeline.Recorded) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, r)
	if o.read != nil {
		o.read()
	}
}

// take hands out the arrivals seen so far, and the number of requests they stand for.
func (o *observer) take() (list []pipeline.Arrival, requests int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range o.seen {
		list, requests = append(list, r.Arrivals...), requests+r.Requests
	}
	o.seen = nil
	return list, requests
}

func watched(t *testing.T, o *observer) *world {
	t.Helper()
	watch := &pipeline.Watchers{}
	watch.Add(o)
	return running(t, func(opt *pipeline.Options) { opt.Watch = watch })
}

func TestWatch(t *testing.T) {
	o := &observer{app: utcApp.ID}
	w := watched(t, o)
	long := strings.Repeat("ü", 70)
	w.send(t,
		req(&kolkataApp, "other", noon, "begin_session", "1"),
		req(&utcApp, "d", noon, "begin_session", "1", "country_code", "DE", "metrics", `{"_os":"iOS","_device":"iPad"}`,
			"events", `[{"key":"a","count":3,"sum":2,"dur":1,"segmentation":{"n":1,"list":["x"],"`+long+`":"`+long+`"}},{"key":"[CLY]_none"}]`),
		req(&utcApp, "d", noon+1000, "session_duration", "30", "end_session", "1", "user_details", `{"name":"x"}`, "consent", `{"a":true}`, "crash", `{"_error":"e"}`),
		req(&utcApp, "unknown", noon, "end_session", "1"), // dropped
	)
	cut := strings.Repeat("ü", 60) + "…"
	want := []pipeline.Arrival{
		{
			Received: noon + 200, TS: noon, UID: 1, New: true, Began: true, Country: "DE", City: "Unknown", Device: "iPad", OS: "iOS",
			Events: []pipeline.ArrivedEvent{{Key: "a", Count: 3, Sum: 2, Dur: 1, Segments: []pipeline.ArrivedSegment{{"n", "1"}, {"list", `["x"]`}, {cut, cut}}}},
		},
		{
			Received: noon + 1200, TS: noon + 1000, UID: 1, Ended: true, Seconds: 30, Crash: true, Consent: true, Person: true,
			Country: "DE", City: "Unknown", Device: "iPad", OS: "iOS",
		},
	}
	got, n := o.take()
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(pipeline.Arrival{}, "Offset")); d != "" || n != 2 {
		t.Errorf("%d requests (-want +got):\n%s", n, d)
	}
	if len(got) == 2 && (got[0].Offset == 0 || got[1].Offset <= got[0].Offset) {
		t.Errorf("offsets %d and %d", got[0].Offset, got[1].Offset)
	}
}

// TestWatchBounds sends more than watchers are shown.
func TestWatchBounds(t *testing.T) {
	o := &observer{app: utcApp.ID}
	w := watched(t, o)
	var events, segments []string
	for i := range 40 {
		events = append(events, fmt.Sprintf(`{"key":"k%d"}`, i))
		segments = append(segments, fmt.Sprintf(`"s%d":1`, i))
	}
	for i := range 500 {
		w.append(t, req(&utcApp, "d", noon+int64(i)*1000, "events", "["+strings.Join(events, ",")+`,{"key":"k","segmentation":{`+strings.Join(segments, ",")+"}}]"))
	}
	w.append(t, req(&utcApp, "e", noon, "events", `[{"key":"k","segmentation":{`+strings.Join(segments, ",")+"}}]"))
	w.flush(t)
	got, n := o.take()
	if n != 501 || len(got) == 0 {
		t.Errorf("%d requests with %d arrivals, want 501", n, len(got))
	}
	for _, a := range got {
		if len(a.Events)+a.More == 1 { // the last one
			if e := a.Events[0]; len(e.Segments) != 6 || e.More != 34 {
				t.Errorf("%d segments, %d more", len(e.Segments), e.More)
			}
		} else if len(a.Events) != 10 || a.More != 31 {
			t.Errorf("%d events, %d more", len(a.Events), a.More)
		}
	}
}

// TestWatchIsReadable looks into the stores at the moment a watcher is told.
func TestWatchIsReadable(t *testing.T) {
	o := &observer{app: utcApp.ID}
	w := watched(t, o)
	users := []int{}
	o.read = func() {
		page, err := w.profiles.Sequence(t.Context(), utcApp.ID)
		if err != nil {
			t.Error(err)
		}
		users = append(users, int(page.Users))
	}
	for i := range 3 {
		w.send(t, req(&utcApp, fmt.Sprint(i), noon, "begin_session", "1"))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if d := cmp.Diff([]int{1, 2, 3}, users); d != "" {
		t.Errorf("readable users (-want +got):\n%s", d)
	}
}
