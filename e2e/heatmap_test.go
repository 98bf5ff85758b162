package e2e_test

import (
	"testing"

	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// TestHeatmap records clicks with the SDK for the web and has it load the heat map of them.
func TestHeatmap(t *testing.T) {
	t.Parallel()
	need.Program(t, "chromium")
	s := testkit.New(t)
	a := s.CreateApp("web", "UTC")
	tell(t, "heatmap.mjs", s, a)
	var heat struct {
		Clicks, Dead, Rage, Scrolls, Visits, Clicked int
		Width, Height                                float64
		Reached                                      []int
	}
	testkit.Decode(t, s.Admin("/o/heatmaps", "app_id", a.ID, "view", "Shop", "period", "7days"), &heat)
	if heat.Clicks != 4 || heat.Dead != 3 || heat.Rage != 3 || heat.Scrolls != 1 || heat.Visits != 1 || heat.Clicked != 1 || heat.Width != 1280 {
		t.Errorf("figures: %+v", heat)
	}
	if heat.Reached[50] != 1 || heat.Reached[95] != 0 {
		t.Errorf("how far the page was scrolled: %v", heat.Reached)
	}
	var token struct{ Result string }
	testkit.Decode(t, s.Admin("/i/token/create", "apps", a.ID, "endpoint", "^/o/actions$", "purpose", "heatmap", "ttl", "600"), &token)
	tell(t, "heatmap.mjs", s, a, token.Result, "4", "1")
}
