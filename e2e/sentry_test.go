package e2e_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// crashesByName are the groups of an app, with the latest report of each.
func crashesByName(t *testing.T, s *testkit.Server, a testkit.TestApp) map[string]map[string]any {
	t.Helper()
	var table struct {
		AaData []map[string]any
	}
	testkit.Decode(t, s.Admin("/o", "app_id", a.ID, "method", "crashes"), &table)
	out := map[string]map[string]any{}
	for _, row := range table.AaData {
		name, _ := row["name"].(string)
		group, _ := read(t, s, a, "/o", "method", "crashes", "group", row["_id"].(string)).(map[string]any)
		data, _ := group["data"].([]any)
		if len(data) == 0 {
			t.Fatalf("group %s has no report", name)
		}
		report, _ := data[0].(map[string]any)
		out[name] = report
	}
	return out
}

func has(t *testing.T, what string, v any, parts ...string) {
	t.Helper()
	text, _ := v.(string)
	at := 0
	for _, p := range parts {
		i := strings.Index(text[at:], p)
		if i < 0 {
			t.Errorf("%s: %q is not in, or not in its order in %s", what, p, text)
			return
		}
		at += i + len(p)
	}
}

// TestSentryNode reads what the Node.js SDK of Sentry sends.
func TestSentryNode(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	a := s.CreateApp("sentry", "UTC")
	tell(t, "sentry-node.mjs", s, a)
	list := crashesByName(t, s, a)
	if len(list) != 3 {
		t.Fatalf("groups: %v", list)
	}
	r := list["RangeError: no money"]
	has(t, "stack", r["error"], "RangeError: no money\n", "at pay (", "sentry-node.mjs:16:", "Caused by: TypeError: empty purse\n", "at pay (")
	has(t, "breadcrumbs", r["logs"], "[info] cart: one item {\"items\":1}")
	expect(t, "report", figures(r, "nonfatal", "app_version", "app_build", "os", "attachments"), map[string]any{
		"nonfatal": true, "app_version": "3.4.1", "app_build": "12", "os": r["os"],
		"attachments": []any{map[string]any{"name": "cart.txt", "size": 8, "text": "one\nitem", "type": "text/plain"}},
	})
	custom, _ := r["custom"].(map[string]any)
	expect(t, "tags", figures(custom, "plan", "environment", "level"), map[string]any{"plan": "pro", "environment": "staging", "level": "error"})
	if list["the shop is closed"] == nil || list["Error: a large one"] == nil {
		t.Errorf("groups: %v", list)
	}
	if p := profile(t, s, a, "sentry-node"); p["email"] != "ada@example.org" || p["av"] != "3:4:1" {
		t.Errorf("profile: %v", p)
	}
	users := today(t, read(t, s, a, "/o", "method", "users"))
	if users["t"] != 1.0 {
		t.Errorf("sessions: %v", users["t"])
	}
}

// TestSentryWeb reads what the browser SDK of Sentry sends.
func TestSentryWeb(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	a := s.CreateApp("sentry", "UTC")
	tell(t, "sentry-web.mjs", s, a)
	list := crashesByName(t, s, a)
	if len(list) != 1 {
		t.Fatalf("groups: %v", list)
	}
	for name, r := range list {
		has(t, "name", name, "TypeError: ")
		has(t, "stack", r["error"], "TypeError: ", "at HTMLButtonElement.payNow (http://127.0.0.1:")
		has(t, "breadcrumbs", r["logs"], "console: before")
		expect(t, "report", figures(r, "nonfatal", "app_version", "os"), map[string]any{"nonfatal": false, "app_version": "2.0.0", "os": "Windows"})
	}
	users := today(t, read(t, s, a, "/o", "method", "users"))
	if n, _ := users["t"].(float64); n < 1 {
		t.Errorf("sessions: %v", users["t"])
	}
}

// TestSentryPython reads what the Python SDK of Sentry sends, packed with brotli.
func TestSentryPython(t *testing.T) {
	t.Parallel()
	python := need.File(t, "../bin/tools/sentry-python/bin/python", "tools/sentry-python/fetch.sh")
	s := testkit.New(t)
	a := s.CreateApp("sentry", "UTC")
	if out, err := exec.Command(python, "sdk/sentry-python.py", s.URL(), a.Key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.Flush()
	r := crashesByName(t, s, a)["ValueError: no money"]
	has(t, "stack", r["error"], "ValueError: no money\n", "sentry-python.py", "line 14, in pay")
	has(t, "breadcrumbs", r["logs"], "cart: one item")
	expect(t, "report", figures(r, "nonfatal", "app_version"), map[string]any{"nonfatal": true, "app_version": "5.0"})
	if users := today(t, read(t, s, a, "/o", "method", "users")); users["t"] != 1.0 {
		t.Errorf("sessions: %v", users["t"])
	}
}

// TestSentryGo reads what the Go SDK of Sentry sends: errors with their causes, messages, panics and attachments. It has no sessions.
func TestSentryGo(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "sentry")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./sentry")
	build.Dir = "../tools"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := testkit.New(t)
	a := s.CreateApp("sentry", "UTC")
	if out, err := exec.CommandContext(t.Context(), program, s.URL(), a.Key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.Flush()
	list := crashesByName(t, s, a)
	for name, want := range map[string]struct {
		nonfatal bool
		stack    []string
	}{
		"*fmt.wrapError: pay: no money": {true, []string{"*fmt.wrapError: pay: no money\n", "at main.run (", "main.go:", "at main.main (", "Caused by: *errors.errorString: no money"}},
		"the shop is closed":            {true, []string{"the shop is closed\n", "at main.run ("}},
		"runtime.boundsError: runtime error: index out of range [3] with length 0": {false, []string{"runtime.boundsError: ", "at main.func2 (", "at main.run (", "at main.main ("}},
	} {
		r := list[name]
		if r == nil {
			t.Errorf("no group %s in %v", name, list)
			continue
		}
		has(t, "stack", r["error"], want.stack...)
		has(t, "breadcrumbs", r["logs"], "cart: one item")
		expect(t, name, figures(r, "nonfatal", "app_version", "app_build", "attachments"), map[string]any{
			"nonfatal": want.nonfatal, "app_version": "6.1.0", "app_build": "9",
			"attachments": []any{map[string]any{"name": "cart.txt", "size": 8, "text": "one\nitem", "type": "text/plain"}},
		})
	}
	if len(list) != 3 {
		t.Errorf("groups: %v", list)
	}
	if p := profile(t, s, a, "sentry-go"); p["email"] != "ada@example.org" {
		t.Errorf("profile: %v", p)
	}
}
