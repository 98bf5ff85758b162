package errorlogs_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

func TestErrorLogs(t *testing.T) {
	var dir string
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { dir = filepath.Join(c.Data, "log") }))
	lines := "level=ERROR msg=one\nlevel=ERROR msg=\"two <b>\"\n"
	if err := os.WriteFile(filepath.Join(dir, "api.log"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	raw := func(pairs ...string) string {
		t.Helper()
		r := s.Do(http.MethodGet, "/o/errorlogs?"+testkit.Query(append(pairs, "api_key", s.Key)...), nil, "Accept", "application/json;escape=none")
		if r.Status != http.StatusOK {
			t.Errorf("%q: %d %s", pairs, r.Status, r.Body)
		}
		return r.Body
	}
	const text = `"level=ERROR msg=one\nlevel=ERROR msg=\"two <b>\"\n"`
	for _, c := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"all", nil, `{"api":` + text + `,"dashboard":""}`},
		{"one", []string{"log", "api"}, text},
		{"empty one", []string{"log", "dashboard"}, `{}`},
		{"unknown one", []string{"log", "nope"}, `{"api":` + text + `,"dashboard":""}`},
		{"the end", []string{"log", "api", "bytes", "30"}, `"level=ERROR msg=\"two <b>\"\n"`},
		{"no bytes", []string{"log", "api", "bytes", "0"}, text},
		{"negative", []string{"log", "api", "bytes", "-5"}, text},
		{"huge", []string{"log", "api", "bytes", "99999999999999"}, text},
	} {
		if got := raw(c.pairs...); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	r := s.Get("/o/errorlogs", "api_key", s.Key, "log", "api", "download", "true")
	if r.Body != lines || r.Header.Get("Content-Type") != "text/plain; charset=utf-8" || r.Header.Get("Content-Disposition") != "attachment; filename=countly-api.log" {
		t.Errorf("download %q %v", r.Body, r.Header)
	}
	if got := s.Admin("/i/errorlogs", "log", "nope"); got != `{"result":"Invalid log"}` {
		t.Errorf("clear an unknown log: %s", got)
	}
	if got := s.Admin("/i/errorlogs", "log", "api"); got != `{"result":"Success"}` {
		t.Errorf("clear: %s", got)
	}
	if got := raw("log", "api"); got != `{}` {
		t.Errorf("after clearing: %s", got)
	}
}

// TestRecorded makes the server fail to send mail, which it logs.
func TestRecorded(t *testing.T) {
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) {
		c.Mail = app.MailConfig{Host: "127.0.0.1", Port: 1, From: "quipu@example.org", TLS: "none"}
	}))
	if r := s.Get("/o/email_test", "api_key", s.Key); r.Status != http.StatusServiceUnavailable {
		t.Fatalf("mail to nowhere: %d %s", r.Status, r.Body)
	}
	if got := s.Admin("/o/errorlogs", "log", "api"); !strings.Contains(got, "level=ERROR") || !strings.Contains(got, "/o/email_test") {
		t.Errorf("log %s lacks the failure", got)
	}
}
