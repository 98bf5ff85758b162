package live_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/testkit"
)

// patience bounds how long a test waits for what must come.
const patience = 30 * time.Second

// quick makes streams look often, so that tests need not wait.
func quick(more map[string]any) testkit.Option {
	cfg := map[string]any{"check": "20ms", "tiles": "20ms", "feed": "10ms"}
	maps.Copy(cfg, more)
	return testkit.WithConfig(func(c *app.Config) { c.Modules = map[string]any{"live": cfg} })
}

// message is one event of a stream.
type message struct{ kind, id, data string }

// listener is a client of a stream.
type listener struct {
	t      *testing.T
	status int
	header http.Header
	body   string // of an answer that is no stream
	lines  chan string
	close  context.CancelFunc
}

// listen opens a stream; header holds names and values in turn.
func listen(t *testing.T, url, path string, pairs []string, header ...string) *listener {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path+"?"+testkit.Query(pairs...), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := (&http.Client{}).Do(req) //nolint:bodyclose // the reader closes it
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{t: t, status: res.StatusCode, header: res.Header, lines: make(chan string, 10_000), close: cancel}
	if res.StatusCode != http.StatusOK {
		text, _ := bufio.NewReader(res.Body).ReadString(0)
		_ = res.Body.Close()
		l.body = text
		return l
	}
	go func() {
		defer close(l.lines)
		defer func() { _ = res.Body.Close() }()
		for sc := bufio.NewScanner(res.Body); sc.Scan(); {
			l.lines <- sc.Text()
		}
	}()
	return l
}

// next returns the next event of one of the kinds; false at the end of the stream.
func (l *listener) next(kinds ...string) (message, bool) {
	l.t.Helper()
	var m message
	for line := range l.lines {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "event":
			m.kind = value
		case "id":
			m.id = value
		case "data":
			m.data = value
		case "":
			if slices.Contains(kinds, m.kind) {
				return m, true
			}
			m = message{}
		}
	}
	return message{}, false
}

type entry struct {
	ID      string   `json:"id"`
	UID     string   `json:"uid"`
	New     bool     `json:"new"`
	Begin   bool     `json:"begin"`
	End     bool     `json:"end"`
	Seconds float64  `json:"seconds"`
	Crash   bool     `json:"crash"`
	Consent bool     `json:"consent"`
	Events  []event  `json:"events"`
	More    int      `json:"more"`
	Country string   `json:"country"`
	Device  string   `json:"device"`
	OS      string   `json:"os"`
	Version string   `json:"version"`
	TS      *float64 `json:"ts"`
}

type event struct {
	Key      string      `json:"key"`
	Count    int         `json:"count"`
	Sum      float64     `json:"sum"`
	Segments [][2]string `json:"segments"`
	More     int         `json:"more"`
}

type feed struct {
	Entries []entry `json:"entries"`
	Skipped int     `json:"skipped"`
	Past    bool    `json:"past"`
}

// feed returns the next event of the feed.
func (l *listener) feed() feed {
	l.t.Helper()
	m, ok := l.next("feed", "end")
	if !ok || m.kind == "end" {
		l.t.Fatalf("no feed, but %+v", m)
	}
	var f feed
	testkit.Decode(l.t, m.data, &f)
	return f
}

// end returns the code with which the server ends the stream.
func (l *listener) end() string {
	l.t.Helper()
	m, ok := l.next("end")
	if !ok {
		l.t.Fatal("the stream broke off")
	}
	var e struct {
		Code string `json:"code"`
	}
	testkit.Decode(l.t, m.data, &e)
	if m, ok := l.next("feed", "tiles", "end"); ok {
		l.t.Errorf("after the end came %+v", m)
	}
	return e.Code
}

type tiles struct {
	Online  int `json:"online"`
	Users   int `json:"users"`
	Minutes []struct {
		Sessions int `json:"sessions"`
		Events   int `json:"events"`
		New      int `json:"new_users"`
	} `json:"minutes"`
}

func (x tiles) sums() [5]int {
	out := [5]int{x.Online, x.Users}
	for _, m := range x.Minutes {
		out[2] += m.Sessions
		out[3] += m.Events
		out[4] += m.New
	}
	return out
}

// tilesUntil waits for figures: online, users, sessions, events, new users.
func (l *listener) tilesUntil(want [5]int) {
	l.t.Helper()
	var last [5]int
	for {
		m, ok := l.next("tiles")
		if !ok {
			l.t.Fatalf("the figures never became %v, but %v", want, last)
		}
		var x tiles
		testkit.Decode(l.t, m.data, &x)
		if len(x.Minutes) != 30 {
			l.t.Fatalf("%d minutes", len(x.Minutes))
		}
		if last = x.sums(); last == want {
			return
		}
	}
}

func open(t *testing.T, s *testkit.Server, path string, a testkit.TestApp, key string, header ...string) *listener {
	t.Helper()
	l := listen(t, s.URL(), path, []string{"app_id", a.ID, "api_key", key}, header...)
	if l.status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, l.status, l.body)
	}
	return l
}

func TestFeedAndTiles(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "before", "begin_session", "1", "events", `[{"key":"early","count":5}]`)
	s.Flush()
	l := open(t, s, "/o/live/feed", a, s.Key)
	if f := l.feed(); !f.Past || len(f.Entries) != 1 || f.Entries[0].Events[0].Key != "early" {
		t.Errorf("at first came %+v", f)
	}
	if got := []string{l.header.Get("Content-Type"), l.header.Get("Cache-Control"), l.header.Get("X-Accel-Buffering")}; !cmp.Equal(got, []string{"text/event-stream", "no-store, no-transform", "no"}) {
		t.Errorf("header %q", got)
	}
	l.tilesUntil([5]int{1, 1, 1, 5, 1})
	s.Ingest(a, "d1", "begin_session", "1", "country_code", "DE", "metrics", `{"_os":"Android","_os_version":"14","_device":"Pixel 9","_app_version":"3.4"}`,
		"events", `[{"key":"buy","count":2,"sum":9.5,"segmentation":{"what":"<b>tea</b>","n":3}},{"key":"[CLY]_unknown"}]`)
	got := l.feed()
	if len(got.Entries) != 1 || got.Entries[0].ID == "" || got.Entries[0].TS == nil {
		t.Fatalf("feed %+v", got)
	}
	got.Entries[0].ID, got.Entries[0].TS = "", nil
	want := feed{Entries: []entry{{
		UID: "2", New: true, Begin: true, Country: "DE", Device: "Pixel 9", OS: "Android", Version: "3:4",
		Events: []event{{Key: "buy", Count: 2, Sum: 9.5, Segments: [][2]string{{"what", "<b>tea</b>"}, {"n", "3"}}}},
	}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("feed (-want +got):\n%s", d)
	}
	l.tilesUntil([5]int{2, 2, 2, 7, 2})

	var now tiles
	testkit.Decode(t, s.Admin("/o/live/now", "app_id", a.ID), &now)
	if got := now.sums(); got != [5]int{2, 2, 2, 7, 2} {
		t.Errorf("figures read at once: %v", got)
	}
}

// TestOnlyEventsCount records rows of each kind that is no event.
func TestOnlyEventsCount(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "d1", "begin_session", "1", "consent", `{"events":true}`, "crash", `{"_error":"boom"}`, "events", `[{"key":"buy","count":2},{"key":"[CLY]_view","segmentation":{"name":"home"}}]`,
		"apm", `{"type":"network","name":"/x","apm_metrics":{"response_time":3}}`)
	s.Ingest(a, "d1", "apm", `{"type":"device","name":"start","apm_metrics":{"duration":3}}`)
	s.Ingest(a, "d1", "session_duration", "3", "end_session", "1")
	if r := s.Get("/o/sdk", "app_key", a.Key, "device_id", "d1", "method", "ab", "keys", `["colour"]`); r.Status != http.StatusOK {
		t.Fatalf("call: %+v", r)
	}
	s.Flush()
	rows := s.Admin("/o/export/db", "collection", "drill_events", "app_id", a.ID, "type", "json")
	for _, key := range (pipeline.Features{}).NoEvents() {
		if !strings.Contains(rows, `"`+key+`"`) {
			t.Errorf("no row of %s was recorded", key)
		}
	}
	var now tiles
	testkit.Decode(t, s.Admin("/o/live/now", "app_id", a.ID), &now)
	if got := now.sums(); got[3] != 3 {
		t.Errorf("%d events, want 3: two of buy and a view", got[3])
	}
}

// TestFeedIsReadable sees that what the feed shows can be read already.
func TestFeedIsReadable(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	l := open(t, s, "/o/live/feed", a, s.Key)
	for i := range 5 {
		s.Ingest(a, fmt.Sprintf("d%d", i), "begin_session", "1")
		l.feed()
		var page struct {
			N int `json:"iTotalRecords"`
		}
		testkit.Decode(t, s.Admin("/o", "app_id", a.ID, "method", "user_details"), &page)
		if page.N != i+1 {
			t.Errorf("after %d entries %d users can be read", i+1, page.N)
		}
	}
}

// TestCountsAddUp floods a stream: each request is shown, or counted as left out.
func TestCountsAddUp(t *testing.T) {
	s := testkit.New(t, quick(map[string]any{"feed": "30ms"}))
	a := s.CreateApp("a", "UTC")
	l := open(t, s, "/o/live/feed", a, s.Key)
	const rounds, each = 6, 150
	for round := range rounds {
		var items []map[string]any
		for i := range each {
			items = append(items, map[string]any{"device_id": "d", "events": []any{map[string]any{"key": fmt.Sprintf("k%d", round*each+i)}}})
		}
		text, err := json.Marshal(items)
		if err != nil {
			t.Fatal(err)
		}
		if r := s.Post("/i/bulk", "app_key", a.Key, "requests", string(text)); r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	shown, skipped := 0, 0
	for shown+skipped < rounds*each {
		f := l.feed()
		if len(f.Entries) > 25 {
			t.Errorf("%d entries at once", len(f.Entries))
		}
		shown, skipped = shown+len(f.Entries), skipped+f.Skipped
	}
	if shown+skipped != rounds*each || skipped == 0 {
		t.Errorf("%d shown, %d left out, of %d", shown, skipped, rounds*each)
	}
}

// TestResume opens a second stream where the first one broke off.
func TestResume(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	first := open(t, s, "/o/live/feed", a, s.Key)
	var ids, uids []string
	for i := range 4 {
		s.Ingest(a, fmt.Sprintf("d%d", i))
		f := first.feed()
		ids, uids = append(ids, f.Entries[0].ID), append(uids, f.Entries[0].UID)
	}
	s.Admin("/i/app_users/delete", "app_id", a.ID, "query", `{"did":"d2"}`)
	second := open(t, s, "/o/live/feed", a, s.Key, "Last-Event-Id", ids[1])
	got := second.feed()
	if len(got.Entries) != 1 || got.Entries[0].UID != uids[3] {
		t.Errorf("after %s, and the deletion of user %s: %+v", ids[1], uids[2], got)
	}
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	third := open(t, s, "/o/live/feed", a, s.Key)
	s.Ingest(a, "new")
	if got := third.feed(); len(got.Entries) != 1 || got.Entries[0].UID != "1" {
		t.Errorf("after a reset: %+v", got)
	}
}

func TestHeartbeat(t *testing.T) {
	s := testkit.New(t, quick(map[string]any{"heartbeat": "10ms"}))
	a := s.CreateApp("a", "UTC")
	l := open(t, s, "/o/live/tiles", a, s.Key)
	for n := 0; n < 3; {
		line, ok := <-l.lines
		if !ok {
			t.Fatal("the stream broke off")
		}
		if line == ":" {
			n++
		}
	}
}
