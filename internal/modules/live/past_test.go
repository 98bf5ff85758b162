package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// requests are what a device may send, in turn.
var requests = [][]string{
	{
		"begin_session", "1", "country_code", "DE", "metrics", `{"_os":"Android","_device":"Pixel 9","_app_version":"3.4"}`,
		"events", `[{"key":"buy","count":2,"sum":9.5,"segmentation":{"what":"<b>tea</b>","n":3,"gift":true,"tags":["a","b"]}},{"key":"sell"}]`,
	},
	{"session_duration", "30"},
	{"events", `[{"key":"[CLY]_view","count":1,"segmentation":{"name":"Cart"}}]`},
	{"consent", `{"sessions":true,"events":true,"views":true,"crashes":true}`},
	{"crash", `{"_error":"boom","_nonfatal":false}`},
	{"end_session", "1", "session_duration", "5"},
}

// TestPast has a stream begin with what another one has shown before the server was restarted.
func TestPast(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	live := open(t, s, "/o/live/feed", a, s.Key)
	var want []entry
	for i, pairs := range requests {
		s.Ingest(b, "theirs", "events", `[{"key":"theirs"}]`)
		s.Ingest(a, fmt.Sprintf("d%d", i/3), pairs...)
		f := live.feed()
		if f.Past {
			t.Errorf("what came just now is past: %+v", f)
		}
		want = append(want, f.Entries...)
	}
	live.close()
	s.Flush()
	s.Stop()
	s.Start()
	f := open(t, s, "/o/live/feed", a, s.Key).feed()
	for i := range f.Entries {
		// Rows do not tell of users that no session began with.
		f.Entries[i].New = f.Entries[i].New || want[i].New && !want[i].Begin
	}
	if d := cmp.Diff(feed{Entries: want, Past: true}, f); d != "" {
		t.Errorf("what was recorded before (-live +rows):\n%s", d)
	}
	f = open(t, s, "/o/live/feed", a, s.Key, "Last-Event-Id", want[3].ID).feed()
	if d := cmp.Diff(feed{Entries: want[4:]}, f); d != "" {
		t.Errorf("after %s (-want +got):\n%s", want[3].ID, d)
	}
}

// TestPastIsBounded begins with the newest of many requests, of a day, and of those who are still there.
func TestPastIsBounded(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "long-ago", "events", `[{"key":"long ago"}]`)
	s.Clock().Set(s.Clock().Now().Add(25 * time.Hour))
	for i := range 70 {
		s.Ingest(a, "d", "events", fmt.Sprintf(`[{"key":"k%d"}]`, i))
	}
	s.Flush()
	l := open(t, s, "/o/live/feed", a, s.Key)
	var keys []string
	for len(keys) < 50 {
		f := l.feed()
		if f.Skipped != 0 || len(f.Entries) > 25 {
			t.Fatalf("%d skipped, %d at once", f.Skipped, len(f.Entries))
		}
		for _, e := range f.Entries {
			keys = append(keys, e.Events[0].Key)
		}
	}
	if len(keys) != 50 || keys[0] != "k20" || keys[49] != "k69" {
		t.Errorf("%d entries: %v", len(keys), keys)
	}
	other := s.CreateApp("other", "UTC")
	s.Ingest(other, "long-ago", "events", `[{"key":"long ago"}]`)
	s.Clock().Set(s.Clock().Now().Add(25 * time.Hour))
	s.Ingest(other, "gone", "events", `[{"key":"gone"}]`)
	s.Ingest(other, "here", "events", `[{"key":"here"}]`)
	s.Flush()
	s.Admin("/i/app_users/delete", "app_id", other.ID, "query", `{"did":"gone"}`)
	s.Flush()
	if f := open(t, s, "/o/live/feed", other, s.Key).feed(); len(f.Entries) != 1 || f.Entries[0].Events[0].Key != "here" {
		t.Errorf("entries %+v", f)
	}
}
