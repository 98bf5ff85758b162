package e2e_test

import (
	"net/http"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// TestUnsteadyServer drives each SDK against a server whose answers get lost, which then answers
// 503, is gone, comes back and is slow. Its queue ends empty, nothing is lost and nothing counts twice.
func TestUnsteadyServer(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"node": "unsteady-node.mjs", "bulk": "unsteady-bulk.mjs", "web": "unsteady-web.mjs",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "web" {
				need.Program(t, "chromium")
			}
			unsteady(t, script)
		})
	}
}

func unsteady(t *testing.T, script string) {
	t.Helper()
	s := testkit.New(t)
	a := s.CreateApp("unsteady", "UTC")
	g := newGate(t, s)
	sdk := begin(t, script, g.url(), a.Key)

	sdk.hears("sent")
	g.lose(2)
	sdk.answer()
	sdk.hears("sending")
	sdk.answer()
	sdk.hears("sent again")

	// The disk has less room than the reserve, so the server refuses what it would have to write.
	restart(t, s, g, func(c *app.Config) { c.Ingest.DiskReserve = 1 << 60 })
	sdk.answer()
	sdk.hears("refused")
	g.waitSeen("a request refused", func(e exchange) bool { return e.Status == http.StatusServiceUnavailable })
	g.shut()
	sdk.answer()
	sdk.hears("gone")
	restart(t, s, g, func(c *app.Config) { c.Ingest.DiskReserve = 0 })
	sdk.answer()
	sdk.hears("back")

	release := g.hold()
	sdk.answer()
	sdk.hears("waiting")
	g.waitHeld()
	sdk.answer()
	sdk.hears("queued")
	release()
	sdk.answer()
	sdk.ends()
	s.Flush()

	users := today(t, read(t, s, a, "/o", "method", "users"))
	expect(t, "sessions", figures(users, "t", "n", "u", "d"), map[string]any{"t": 1, "n": 1, "u": 1, "d": 21})
	phases := today(t, read(t, s, a, "/o", "method", "events", "event", "step", "segmentation", "phase"))
	five := map[string]float64{"c": 5, "s": 2.5}
	expect(t, "events by phase", phases, map[string]any{
		"steady": five, "answers lost": five, "refused": five, "gone": five, "slow": five, "queued behind": five,
	})
	custom, _ := profile(t, s, a, "unsteady")["custom"].(map[string]any)
	expect(t, "custom properties", custom, map[string]any{"visits": 3})

	lost := 0
	for _, e := range g.exchanges() {
		if e.Lost {
			lost++
		}
	}
	if lost != 2 {
		t.Errorf("%d answers were lost, want 2", lost)
	}
	expectOnly(t, outcomes(t, s, a), "session", map[string]int{"accepted": 1})
}

// restart stops the server and starts it on the same data with another configuration.
func restart(t *testing.T, s *testkit.Server, g *gate, fn func(*app.Config)) {
	t.Helper()
	g.shut()
	s.Stop()
	s.Configure(fn)
	s.Start()
	g.open(s)
}

// outcomes returns what became of everything an app received: item → outcome or reason → count.
func outcomes(t *testing.T, s *testkit.Server, a testkit.TestApp) map[string]map[string]int {
	t.Helper()
	var got struct {
		Totals map[string]map[string]int `json:"totals"`
	}
	testkit.Decode(t, s.Admin("/o/ingest/outcomes", "app_id", a.ID), &got)
	return got.Totals
}
