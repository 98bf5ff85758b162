package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRemoteCommands creates an app of a running server, sends it an event, reads it and follows it.
func TestRemoteCommands(t *testing.T) {
	dir := t.TempDir()
	p := start(t, filepath.Join(dir, "data"), admin...)
	_, key := p.get("/api-key", nil)
	file := filepath.Join(dir, "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := command(t, "", append(args, "--server", p.url, "--key-file", file)...)
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		return out
	}
	made := strings.Fields(strings.Split(run("apps", "create", "Shop\x1b[2J", "--timezone", "Europe/Berlin"), "\n")[1])
	if len(made) != 5 || made[4] != "Europe/Berlin" || strings.Contains(made[0], "\x1b") {
		t.Fatalf("created %q", made)
	}
	id, appKey := made[1], made[2]
	if out := run("apps", "list"); !strings.Contains(out, id) || !strings.HasPrefix(out, "NAME ") {
		t.Errorf("list:\n%s", out)
	}
	if out := run("apps", "list", "-o", "json"); !strings.Contains(out, `"_id": "`+id+`"`) {
		t.Errorf("list as JSON:\n%s", out)
	}
	if status, body := p.get("/i", url.Values{"app_key": {appKey}, "device_id": {"d"}, "begin_session": {"1"}, "receipt": {"1"}, "events": {`[{"key":"buy\u001b[2J","sum":2.5,"segmentation":{"plan":"pro"}}]`}}); status != 200 {
		t.Fatalf("send: %d %s", status, body)
	}
	if out := run("tail", "--app", appKey, "-n", "1"); !strings.Contains(out, "new user · session begins · buy�[2J sum=2.5 plan=pro") {
		t.Errorf("tail:\n%s", out)
	}
	if out := run("tail", "--app", id, "-n", "1", "--output", "json"); !strings.HasPrefix(out, "{") || strings.Count(out, "\n") != 1 {
		t.Errorf("tail as JSON:\n%s", out)
	}
	if out := run("query", "--app", id, "/o/ingest/outcomes"); !strings.Contains(out, "totals.event.accepted             1\n") {
		t.Errorf("query:\n%s", out)
	}
	if out := run("query", "--app", id, "--period", "7days", "countries", "-o", "json"); !strings.HasPrefix(out, "{") && !strings.HasPrefix(out, "[") {
		t.Errorf("query of a method:\n%s", out)
	}
	if out := run("query", "--app", id, "jobs", "sEcho=1"); !strings.Contains(out, "name") {
		t.Errorf("query of a table:\n%s", out)
	}
	if out := run("query", "--app", id, "notes"); !strings.HasPrefix(out, "No data.") {
		t.Errorf("query without rows:\n%s", out)
	}
	if out := run("query", "--app", id, "/o/analytics/events"); !strings.HasPrefix(out, "_id ") || !strings.Contains(out, "\nbuy") {
		t.Errorf("query of an object that has a list:\n%s", out)
	}
	for want, args := range map[string][]string{
		"period.invalid":                    {"query", "--app", id, "--period", "last week", "countries"},
		"request.bad_parameter":             {"query", "--app", id, "/o/analytics/events", "limit=all"},
		"no app with id, key or name":       {"query", "--app", "nothing", "sessions"},
		"request.invalid_method":            {"query", "--app", id, "no-such-method"},
		"is not a read":                     {"query", "/i/apps/delete"},
		"does not have the form name=value": {"query", "sessions", "period"},
		"must be one of \"table\",\"json\"": {"apps", "list", "-o", "xml"},
	} {
		out, err := command(t, "", append(args, "--server", p.url, "--key-file", file)...)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%v: %v, want %q:\n%s", args, err, want, out)
		}
	}
	if out, err := command(t, "", "apps", "list", "--server", p.url, "--key", "wrong"); err == nil || !strings.Contains(out, "auth.") {
		t.Errorf("wrong key: %v\n%s", err, out)
	}
	if out, err := command(t, "", "apps", "list"); err == nil || !strings.Contains(out, "no key: set QUIPU_KEY") {
		t.Errorf("no key: %v\n%s", err, out)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
