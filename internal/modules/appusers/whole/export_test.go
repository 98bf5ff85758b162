package whole_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// exportWorld is a server whose data folder the test can see.
func exportWorld(t *testing.T, change ...func(*app.Config)) (s *testkit.Server, dir string) {
	t.Helper()
	s = testkit.New(t, testkit.At(time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)), testkit.WithConfig(func(c *app.Config) {
		dir = c.Data
		for _, fn := range change {
			fn(c)
		}
	}))
	return s, dir
}

func result(t *testing.T, body string) string {
	t.Helper()
	var r struct{ Result string }
	testkit.Decode(t, body, &r)
	return r.Result
}

// stored lists the files of exports.
func stored(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "files", "app_users"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestExportOfUsers(t *testing.T) {
	s, dir := exportWorld(t)
	a := s.CreateApp("shop", "UTC")
	s.Ingest(a, "d1", "begin_session", "1", "metrics", `{"_os":"Android"}`, "user_details", `{"name":"Ann <b>","custom":{"plan":"free"}}`)
	s.Ingest(a, "d1", "user_details", `{"custom":{"plan":"pro"}}`, "consent", `{"events":true}`)
	s.Ingest(a, "d1", "events", `[{"key":"Buy","count":2,"segmentation":{"item":"hat","price":4.5}}]`)
	s.Ingest(a, "d2", "begin_session", "1", "events", `[{"key":"Other","count":1}]`)
	s.Ingest(a, "d1", "crash", `{"_error":"boom"}`)

	name := result(t, s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{"did":"d1"}`))
	if want := "appUser_" + a.ID + "_1.json"; name != want {
		t.Fatalf("export %q, want %q", name, want)
	}
	r := s.Get("/o/app_users/download/"+name, "api_key", s.Key, "app_id", a.ID)
	if r.Status != 200 || r.Header.Get("Content-Disposition") != `attachment; filename="`+name+`"` || !strings.Contains(r.Header.Get("Content-Type"), "json") {
		t.Fatalf("download: %d %v", r.Status, r.Header)
	}
	testkit.GoldenJSON(t, "export", regexp.MustCompile(`(?s)"logger":\[.*`).ReplaceAllString(r.Body, `"logger":[]}`), // requests as they came, which vary
		testkit.Volatile{Pattern: regexp.MustCompile(`"[0-9a-f]{40}"`), With: `"<hash>"`}, testkit.Volatile{Pattern: regexp.MustCompile(`"[0-9a-f]{24}"`), With: `"<id>"`},
		testkit.Volatile{Pattern: regexp.MustCompile(`"[0-9]+\.[0-9]+"`), With: `"<row>"`}, testkit.Volatile{Pattern: regexp.MustCompile(`"lsid":[0-9]+`), With: `"lsid":0`})
	if strings.Contains(r.Body, "Other") || strings.Contains(r.Body, `"d2"`) {
		t.Errorf("tells of another user: %s", r.Body)
	}
	if again := s.Get("/o/app_users/download/appUser_"+a.ID+"_1", "api_key", s.Key, "app_id", a.ID); again.Body != r.Body {
		t.Errorf("without extension: %d", again.Status)
	}

	both := result(t, s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{}`))
	if !regexp.MustCompile(`^appUser_` + a.ID + `_HASH_[0-9a-f]{40}\.json$`).MatchString(both) {
		t.Errorf("export of two: %q", both)
	}
	var doc struct {
		Users  []json.RawMessage `json:"app_users"`
		Events []json.RawMessage `json:"events"`
	}
	testkit.Decode(t, s.Get("/o/app_users/download/"+both, "api_key", s.Key, "app_id", a.ID).Body, &doc)
	if len(doc.Users) != 2 || len(doc.Events) < 5 {
		t.Errorf("%d users, %d events", len(doc.Users), len(doc.Events))
	}

	if got := result(t, s.Admin("/i/app_users/deleteExport/"+name, "app_id", a.ID)); got != "Export deleted" || stored(t, dir) != both {
		t.Errorf("deleted: %q, files %s", got, stored(t, dir))
	}
	if got := result(t, s.Admin("/i/app_users/deleteExport/"+name, "app_id", a.ID)); got != "Export deleted" {
		t.Errorf("deleted again: %q", got)
	}
	s.Admin("/i/app_users/delete", "app_id", a.ID, "query", `{"did":"d1"}`)
	if got := stored(t, dir); got != "" {
		t.Errorf("after an erasure there are %s", got)
	}
	if r := s.Get("/o/app_users/download/"+both, "api_key", s.Key, "app_id", a.ID); r.Status != 400 || r.Body != `{"result":"Export doesn't exist"}` {
		t.Errorf("after an erasure: %d %s", r.Status, r.Body)
	}
}

// TestExportsGo follows exports through merges, resets and deletions of apps.
func TestExportsGo(t *testing.T) {
	s, dir := exportWorld(t)
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	for _, d := range []string{"d1", "d2", "d3"} {
		s.Ingest(a, d, "begin_session", "1")
	}
	s.Ingest(b, "x", "begin_session", "1")
	export := func(a testkit.TestApp, did string) string {
		t.Helper()
		return result(t, s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{"did":"`+did+`"}`))
	}
	export(a, "d1")
	s.Ingest(a, "d2", "old_device_id", "d1")
	third := export(a, "d3")
	elsewhere := export(b, "x")
	s.Flush()
	s.Admin("/i/app_users/delete", "app_id", a.ID, "query", `{"did":"d2"}`)
	if got := strings.Fields(stored(t, dir)); len(got) != 2 || !strings.Contains(strings.Join(got, " "), third) {
		t.Errorf("after the one was erased that the first was merged into: %v", got)
	}
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	if got := stored(t, dir); got != elsewhere {
		t.Errorf("after a reset: %s", got)
	}
	s.Admin("/i/apps/delete", "args", `{"app_id":"`+b.ID+`"}`)
	if got := stored(t, dir); got != "" {
		t.Errorf("after the app was deleted: %s", got)
	}
}

func TestExportAnswers(t *testing.T) {
	s, _ := exportWorld(t)
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	s.Ingest(a, "d1", "begin_session", "1")
	s.Ingest(b, "d1", "begin_session", "1")
	name := result(t, s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{"did":"d1"}`))
	const none, bad = `{"result":"Export doesn't exist"}`, `{"result":"invalid filename"}`
	for _, test := range []struct {
		name, path string
		params     []string
		status     int
		body       string
	}{
		{"export, no app", "/i/app_users/export", []string{"query", "{}"}, 400, `{"result":"Missing parameter \"app_id\""}`},
		{"export, no query", "/i/app_users/export", []string{"app_id", a.ID}, 400, `{"result":"Missing parameter \"query\""}`},
		{"export, bad query", "/i/app_users/export", []string{"app_id", a.ID, "query", "{bad-json}"}, 400, `{"result":"Could not parse parameter \"query\": {bad-json}"}`},
		{"export, nobody", "/i/app_users/export", []string{"app_id", a.ID, "query", `{"did":"none"}`}, 400, `{"result":"Query didn't mach any user"}`},
		{"export, hostile", "/i/app_users/export", []string{"app_id", a.ID, "query", `{"custom.x') OR TRUE --":1}`}, 400, `{"result":"Query didn't mach any user"}`},
		{"download, no name", "/o/app_users/download", []string{"app_id", a.ID}, 400, `{"result":"Missing filename"}`},
		{"download, no app", "/o/app_users/download/" + name, nil, 401, `{"result":"No app_id provided"}`},
		{"download, other app", "/o/app_users/download/" + name, []string{"app_id", b.ID}, 400, none},
		{"download, unknown", "/o/app_users/download/appUser_" + a.ID + "_9", []string{"app_id", a.ID}, 400, none},
		{"download, upwards", "/o/app_users/download/..%2f..%2fdocs.sqlite", []string{"app_id", a.ID}, 400, ""},
		{"delete, no app", "/i/app_users/deleteExport/" + name, nil, 401, `{"result":"No app_id provided"}`},
		{"delete, bad name", "/i/app_users/deleteExport/x", []string{"app_id", a.ID}, 400, bad},
		{"delete, no name", "/i/app_users/deleteExport", []string{"app_id", a.ID}, 400, bad},
		{"delete, other app", "/i/app_users/deleteExport/" + name, []string{"app_id", b.ID}, 400, bad},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.Get(test.path, append([]string{"api_key", s.Key}, test.params...)...)
			if r.Status != test.status || test.body != "" && r.Body != test.body {
				t.Errorf("%d %s, want %d %s", r.Status, r.Body, test.status, test.body)
			}
		})
	}
	for _, path := range []string{"/i/app_users/export", "/i/app_users/deleteExport/x", "/o/app_users/download/x"} {
		if r := s.Get(path, "app_id", a.ID, "query", "{}"); r.Status != 400 || !strings.Contains(r.Body, "auth_token") {
			t.Errorf("%s without a key: %d %s", path, r.Status, r.Body)
		}
	}
}

// TestSlowExport lets an export pass the threshold.
func TestSlowExport(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "d1", "begin_session", "1")
	if got := result(t, s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{"did":"d1"}`)); got != "appUser_"+a.ID+"_1.json" {
		t.Errorf("within the threshold: %s", got)
	}
	s.Admin("/i/configs", "configs", `{"api":{"request_threshold":0}}`) // from now on
	var res struct {
		Result json.RawMessage
		TaskID string `json:"task_id"`
	}
	testkit.Decode(t, s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{"did":"d1"}`), &res)
	var task struct {
		ID string `json:"task_id"`
	}
	if json.Unmarshal(res.Result, &task) != nil || len(task.ID) != 40 {
		t.Fatalf("answer %+v", res)
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range 2000 {
		if got := result(t, s.Admin("/o/tasks/check", "task_id", task.ID)); got != "running" {
			break
		}
		<-tick.C
	}
	want := "appUser_" + a.ID + "_1.json"
	if r := s.Get("/o/app_users/download/"+task.ID, "api_key", s.Key, "app_id", a.ID); r.Status != 200 || !strings.Contains(r.Body, `"did":"d1"`) || !strings.Contains(r.Header.Get("Content-Disposition"), want) {
		t.Errorf("download: %d %s", r.Status, r.Body)
	}
}
