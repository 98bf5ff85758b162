package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// TestWebVitals runs the lines of docs/reference/performance.md in a browser with the real SDK and the real web-vitals, and reads what they measured.
func TestWebVitals(t *testing.T) {
	t.Parallel()
	need.Program(t, "chromium")
	text, err := os.ReadFile("../docs/reference/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)\n```js\n(.*?)```\n").FindAllSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("the page has %d blocks of JavaScript, want 1", len(found))
	}
	lines := filepath.Join(t.TempDir(), "vitals.js")
	if err := os.WriteFile(lines, found[0][1], 0o600); err != nil {
		t.Fatal(err)
	}
	s := testkit.New(t)
	a := s.CreateApp("web", "UTC")
	tell(t, "vitals.mjs", s, a, lines)

	var out struct {
		Measures []struct {
			ID  string
			N   int
			P75 *float64
		}
	}
	testkit.Decode(t, s.Admin("/o/performance", "app_id", a.ID, "period", "7days"), &out)
	vitals := map[string][2]float64{ // between what and what a page of this machine is
		"lcp": {1, 60_000}, "fcp": {1, 60_000}, "ttfb": {0, 60_000}, "inp": {0, 10_000}, "cls": {0.001, 5},
	}
	for _, m := range out.Measures {
		bounds, ok := vitals[m.ID]
		if !ok {
			continue
		}
		delete(vitals, m.ID)
		if m.N != 1 || m.P75 == nil || *m.P75 < bounds[0] || *m.P75 > bounds[1] {
			t.Errorf("%s: %d values, %v", m.ID, m.N, m.P75)
			continue
		}
		t.Logf("%s %v", m.ID, *m.P75)
	}
	if len(vitals) > 0 {
		t.Errorf("not measured: %v", vitals)
	}
	var table struct {
		Rows []struct{ Value string } `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o/performance/table", "app_id", a.ID, "period", "7days", "measure", "lcp", "by", "name"), &table)
	if len(table.Rows) != 1 || !regexp.MustCompile(`^127\.0\.0\.1:\d+/item/\{id\}$`).MatchString(table.Rows[0].Value) {
		t.Errorf("the page counts under %+v", table.Rows)
	}
}
