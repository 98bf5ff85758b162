package live_test

import (
	"strings"
	"testing"
	"time"

	"quipu/internal/store/pgtest"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestShared looks at apps on both nodes of a cluster, of which each projects some: both show what either receives, once and in its order, and
// neither what was there before as new.
func TestShared(t *testing.T) {
	stores := clustered.NewStores(t)
	node := func() *testkit.Server {
		t.Helper()
		return testkit.New(t, stores.Node(), quick(map[string]any{"elsewhere": "50ms"}))
	}
	one, two := node(), node()
	for range 4 {
		a := one.CreateApp("a", "UTC")
		nodes, key := []*testkit.Server{one, two}, one.Key
		for end := time.Now().Add(patience); two.Get("/o/sdk", "method", "sc", "app_key", a.Key, "device_id", "d").Status != 200; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("an app that one node made is not known to the other")
			}
		}
		one.Ingest(a, "before", "events", `[{"key":"early"}]`)
		var feeds []*listener
		for _, s := range nodes {
			l := open(t, s, "/o/live/feed", a, key)
			feeds = append(feeds, l)
			for seen := false; !seen; { // it is in the past, or arrives late
				for _, e := range l.feed().Entries {
					seen = seen || len(e.Events) == 1 && e.Events[0].Key == "early"
				}
			}
		}
		two.Ingest(a, "d1", "begin_session", "1", "events", `[{"key":"one","segmentation":{"x":"y"}}]`)
		two.Flush()
		one.Ingest(a, "d2", "events", `[{"key":"two"}]`)
		for i, l := range feeds {
			var got []string
			last := ""
			for len(got) < 2 {
				f := l.feed()
				if f.Past || f.Skipped != 0 {
					t.Errorf("node %d: what is sent now is past, or left out: %+v", i, f)
				}
				for _, e := range f.Entries {
					if e.ID == last || len(e.Events) != 1 {
						t.Errorf("node %d: %+v after %s", i, e, last)
						continue
					}
					last = e.ID
					got = append(got, e.Events[0].Key)
				}
			}
			if strings.Join(got, " ") != "one two" {
				t.Errorf("node %d: %q", i, got)
			}
			l.close()
		}
	}
}
