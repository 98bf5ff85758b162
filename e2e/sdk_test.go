// Package e2e_test drives the server with the real, unmodified client SDKs and
// reads every figure back through the API.
package e2e_test

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// tell runs a script that drives an SDK to its end, and waits until what it sent is readable.
func tell(t *testing.T, script string, s *testkit.Server, a testkit.TestApp, arguments ...string) {
	t.Helper()
	begin(t, script, append([]string{s.URL(), a.Key}, arguments...)...).ends()
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
	return dayOf(t, time.Now(), doc)
}

// dayOf is the level of a day in a time document.
func dayOf(t *testing.T, at time.Time, doc any) map[string]any {
	t.Helper()
	now := at.UTC()
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
	t.Parallel()
	s := testkit.New(t)
	a := s.CreateApp("node", "UTC")
	tell(t, "node.mjs", s, a)

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
	t.Parallel()
	need.Program(t, "chromium")
	s := testkit.New(t)
	a := s.CreateApp("web", "UTC")
	tell(t, "web.mjs", s, a)

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

// salted makes an app that demands checksums of its salt.
func salted(t *testing.T, s *testkit.Server, name, salt string) testkit.TestApp {
	t.Helper()
	a := s.CreateApp(name, "UTC")
	args, err := json.Marshal(map[string]string{"app_id": a.ID, "salt": salt})
	if err != nil {
		t.Fatal(err)
	}
	s.Admin("/i/apps/update", "app_id", a.ID, "args", string(args))
	return a
}

func TestNodeSDKIdentities(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	a := salted(t, s, "node", "pepper")
	tell(t, "node-identities.mjs", s, a, "pepper", picture(t))

	users := today(t, read(t, s, a, "/o", "method", "users"))
	expect(t, "sessions", figures(users, "t", "n", "u"), map[string]any{"t": 2, "n": 2, "u": 2}) // the SDK counts the seconds of the first one
	names := today(t, read(t, s, a, "/o", "method", "events", "event", "level", "segmentation", "name"))
	one := map[string]float64{"c": 1}
	expect(t, "levels", names, map[string]any{`one &amp; only = 100 % "é" +`: one, "two": one})

	ada := profile(t, s, a, "ada")
	expect(t, "ada", figures(ada, "name", "sc", "custom"), map[string]any{
		"name": "Ada Example", "sc": 1, "custom": map[string]any{
			"logins": 1, "visits": 4, "points": 42, "best": 7, "worst": -1, "first": "mail", "tags": []string{"a"}, "seen": []string{},
		},
	})
	expect(t, "bob", figures(profile(t, s, a, "bob"), "did", "sc", "tsd"), map[string]any{"did": "bob", "sc": 1, "tsd": 3})
	expect(t, "users in all", read(t, s, a, "/o", "method", "total_users"), []any{map[string]any{"_id": "users", "u": 2, "pu": 0}})
	got := outcomes(t, s, a)
	expectOnly(t, got, "event", map[string]int{"accepted": 3})
	expectOnly(t, got, "session", map[string]int{"accepted": 2})
	expectOnly(t, got, "crash", map[string]int{"accepted": 1})
}

func TestWebSDKOffline(t *testing.T) {
	t.Parallel()
	need.Program(t, "chromium")
	s := testkit.New(t)
	a := salted(t, s, "web", "pepper")
	tell(t, "web-offline.mjs", s, a, "pepper")

	users := today(t, read(t, s, a, "/o", "method", "users"))
	expect(t, "sessions", figures(users, "t", "n", "u"), map[string]any{"t": 2, "n": 2, "u": 2})
	pages := today(t, read(t, s, a, "/o", "method", "events", "event", "read", "segmentation", "page"))
	one := map[string]float64{"c": 1}
	expect(t, "pages", pages, map[string]any{`one &amp; only = 100 % "é" +`: one, "two": one})
	visited(t, s, a, "/offline")
	ada := profile(t, s, a, "ada")
	expect(t, "ada", figures(ada, "sc", "custom"), map[string]any{"sc": 1, "custom": map[string]any{"visits": 4, "tags": []string{"a"}}})
	expect(t, "bob", figures(profile(t, s, a, "bob"), "did", "sc", "tsd"), map[string]any{"did": "bob", "sc": 1, "tsd": 3})
	expectOnly(t, outcomes(t, s, a), "crash", map[string]int{"accepted": 1})
}

// expectOnly compares the outcomes of one kind of item.
func expectOnly(t *testing.T, got map[string]map[string]int, item string, want map[string]int) {
	t.Helper()
	if d := cmp.Diff(want, got[item]); d != "" {
		t.Errorf("outcomes of %ss (-want +got):\n%s", item, d)
	}
}

// picture writes a small image and returns its path.
func picture(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ada.png")
	f, err := os.Create(name) // a folder of the test
	if err != nil {
		t.Fatal(err)
	}
	err = png.Encode(f, image.NewGray(image.Rect(0, 0, 8, 8)))
	if cerr := f.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return name
}
