// Package e2e_test drives the server with the real, unmodified client SDKs and
// reads every figure back through the API.
package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// story runs a script that drives an SDK, with the server's address and the app's key.
func story(t *testing.T, script string, s *testkit.Server, a testkit.TestApp) {
	t.Helper()
	if _, err := os.Stat("node_modules"); err != nil {
		t.Fatalf("the SDKs are not installed (make test does it): %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "node", filepath.Join("sdk", script), s.URL(), a.Key).CombinedOutput() //nolint:gosec // our own scripts
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	s.Flush()
}

// expect compares what a path picks out of an answer.
func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	testkit.Decode(t, string(text), &plain)
	if d := cmp.Diff(plain, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// read decodes an answer.
func read(t *testing.T, s *testkit.Server, a testkit.TestApp, path string, pairs ...string) any {
	t.Helper()
	var v any
	testkit.Decode(t, s.Admin(path, append([]string{"app_id", a.ID, "period", "today"}, pairs...)...), &v)
	return v
}

// visited expects the views in the table of views, each visited at least once.
func visited(t *testing.T, s *testkit.Server, a testkit.TestApp, names ...string) {
	t.Helper()
	var table struct {
		AAData []struct {
			View string `json:"view"`
			T    int    `json:"t"`
		} `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o", "app_id", a.ID, "period", "7days", "method", "views", "action", "getTable"), &table)
	visits := map[string]int{}
	for _, row := range table.AAData {
		visits[row.View] = row.T
	}
	for _, name := range names {
		if visits[name] == 0 {
			t.Errorf("view %s is missing in %v", name, visits)
		}
	}
}

// today is the day level of a time document.
func today(t *testing.T, doc any) map[string]any {
	t.Helper()
	now := time.Now().UTC()
	level := doc
	for _, key := range []int{now.Year(), int(now.Month()), now.Day()} {
		m, ok := level.(map[string]any)
		if !ok || m[fmt.Sprint(key)] == nil {
			t.Fatalf("no level %d in %v", key, doc)
		}
		level = m[fmt.Sprint(key)]
	}
	day, ok := level.(map[string]any)
	if !ok {
		t.Fatalf("the day is no object in %v", doc)
	}
	return day
}

// without drops the hours of a day level and of figures nobody can foresee.
func figures(day map[string]any, keys ...string) map[string]any {
	out := map[string]any{}
	for _, k := range keys {
		out[k] = day[k]
	}
	return out
}

func profile(t *testing.T, s *testkit.Server, a testkit.TestApp, did string) map[string]any {
	t.Helper()
	p, ok := read(t, s, a, "/o", "method", "user_details", "did", did).(map[string]any)
	if !ok {
		t.Fatalf("profile of %s is no object", did)
	}
	return p
}

func TestNodeSDK(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("node", "UTC")
	story(t, "node.mjs", s, a)

	users := today(t, read(t, s, a, "/o", "method", "users"))
	expect(t, "sessions", figures(users, "t", "n", "u", "d", "f", "ds", "DE"), map[string]any{
		"t": 1, "n": 1, "u": 1, "d": 50, "f": map[string]int{"0": 1}, "ds": map[string]int{"2": 1},
		"DE": map[string]int{"t": 1, "n": 1, "u": 1},
	})
	for method, value := range map[string]string{
		"devices": "Pixel 9", "carriers": "Metro Pcs", "langs": "pt", "density": "420dpi", "cities": "Bremen", "sources": "Android",
		"sdks": "[javascript_native_nodejs]_24:10:4",
	} {
		expect(t, method, figures(today(t, read(t, s, a, "/o", "method", method)), value),
			map[string]any{value: map[string]int{"t": 1, "n": 1, "u": 1}})
	}
	details := today(t, read(t, s, a, "/o", "method", "device_details"))
	one := map[string]int{"t": 1, "n": 1, "u": 1}
	expect(t, "device details", details, map[string]any{"Android": one, "a14:1": one, "1080x2400": one, "3:4:1": one})

	purchase := today(t, read(t, s, a, "/o", "method", "events", "event", "purchase"))
	expect(t, "purchase", figures(purchase, "c", "s", "dur"), map[string]any{"c": 50, "s": 37.5, "dur": 75})
	plans := today(t, read(t, s, a, "/o", "method", "events", "event", "purchase", "segmentation", "plan"))
	expect(t, "plans", plans, map[string]any{
		"free": map[string]float64{"c": 26, "s": 19.5, "dur": 39}, "pro": map[string]float64{"c": 24, "s": 18, "dur": 36},
	})
	expect(t, "open", figures(today(t, read(t, s, a, "/o", "method", "events", "event", "open")), "c"), map[string]any{"c": 2})
	visited(t, s, a, "home", "settings")

	known := profile(t, s, a, "node-known")
	expect(t, "profile after the merge", figures(known, "name", "email", "byear", "sc", "tsd", "cc", "cty", "d", "p", "custom"), map[string]any{
		"name": "Ada Example", "email": "ada@example.org", "byear": 1990, "sc": 1, "tsd": 50, "cc": "DE", "cty": "Bremen",
		"d": "Pixel 9", "p": "Android",
		"custom": map[string]any{"tier": "gold", "visits": 5, "tags": []string{"a", "b"}},
	})
	if old := profile(t, s, a, "node-anonymous"); len(old) != 0 {
		t.Errorf("the merged profile is still there: %v", old)
	}
	expect(t, "users in all", read(t, s, a, "/o", "method", "total_users"), []any{map[string]any{"_id": "users", "u": 1, "pu": 0}})
}

func TestWebSDK(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("web", "UTC")
	story(t, "web.mjs", s, a)

	users := today(t, read(t, s, a, "/o", "method", "users"))
	expect(t, "sessions", figures(users, "t", "n", "u", "d", "FR"), map[string]any{
		"t": 1, "n": 1, "u": 1, "d": 30, "FR": map[string]int{"t": 1, "n": 1, "u": 1},
	})
	one := map[string]int{"t": 1, "n": 1, "u": 1}
	expect(t, "browser", figures(today(t, read(t, s, a, "/o", "method", "browser")), "Chromium"), map[string]any{"Chromium": one})
	expect(t, "os", figures(today(t, read(t, s, a, "/o", "method", "device_details")), "Windows", "1280x720", "2:0"),
		map[string]any{"Windows": one, "1280x720": one, "2:0": one})
	checkout := today(t, read(t, s, a, "/o", "method", "events", "event", "checkout"))
	expect(t, "checkout", figures(checkout, "c", "s"), map[string]any{"c": 10, "s": 16.75})
	steps := today(t, read(t, s, a, "/o", "method", "events", "event", "checkout", "segmentation", "step"))
	expect(t, "steps", steps, map[string]any{
		"0": map[string]float64{"c": 3, "s": 6.75}, "1": map[string]float64{"c": 2, "s": 4.5}, "2": map[string]float64{"c": 2, "s": 4.5},
	})
	visited(t, s, a, "/shop", "/cart")
	known := profile(t, s, a, "web-known")
	expect(t, "profile after the merge", figures(known, "name", "gender", "sc", "tsd", "brw", "custom", "consent"), map[string]any{
		"name": "Grace Example", "gender": "F", "sc": 1, "tsd": 30, "brw": "Chromium", "custom": map[string]any{"level": 3},
		"consent": map[string]bool{
			"sessions": true, "events": true, "views": true, "users": true, "crashes": true, "location": true,
			"apm": false, "attribution": false, "clicks": false, "feedback": false, "forms": false,
			"remote-config": false, "scrolls": false, "star-rating": false,
		},
	})
	if old := profile(t, s, a, "web-anonymous"); len(old) != 0 {
		t.Errorf("the merged profile is still there: %v", old)
	}
}
