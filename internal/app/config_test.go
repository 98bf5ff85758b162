package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
)

func TestLoadConfigLayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quipu.yaml")
	text := "data: /from/file\nlisten: 1.2.3.4:1\ningest:\n  session_timeout: 45m\nmodules:\n  analytics:\n    city_data: false\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := app.LoadConfig(path,
		[]string{"QUIPU_LISTEN=127.0.0.1:9", "QUIPU_INGEST_MAX_BODY=1000", "QUIPU_ROLES=read,work,ingest", "QUIPU_TRUSTED_PROXIES=10.0.0.0/8,::1", "HOME=/x", "QUIPU_ADMIN_USERNAME=a"},
		map[string]any{"listen": "127.0.0.1:10"})
	if err != nil {
		t.Fatal(err)
	}
	want := app.DefaultConfig()
	want.Data, want.Listen = "/from/file", "127.0.0.1:10"
	want.Roles = []string{"read", "work", "ingest"}
	want.Ingest.SessionTimeout, want.Ingest.MaxBody = 45*time.Minute, 1000
	want.TrustedProxies = []string{"10.0.0.0/8", "::1"}
	want.Modules = map[string]any{"analytics": map[string]any{"city_data": false}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("configuration (-want +got):\n%s", d)
	}
}

func TestLoadConfigRefuses(t *testing.T) {
	cases := map[string]struct {
		file  string
		env   []string
		flags map[string]any
		want  string
	}{
		"unknown key":        {file: "dta: x\n", want: "dta"},
		"unknown nested key": {file: "ingest:\n  sesion: 1\n", want: "sesion"},
		"unknown variable":   {env: []string{"QUIPU_LISTN=x"}, want: "QUIPU_LISTN"},
		"not a duration":     {env: []string{"QUIPU_INGEST_SESSION_TIMEOUT=soon"}, want: "session_timeout"},
		"unknown role":       {flags: map[string]any{"cluster": "c.yaml", "roles": []string{"work", "rest"}}, want: `roles: "rest" is none of ingest, work, read`},
		"no role":            {env: []string{"QUIPU_CLUSTER=c.yaml", "QUIPU_ROLES="}, want: "roles: names no role"},
		"role twice":         {env: []string{"QUIPU_CLUSTER=c.yaml", "QUIPU_ROLES=work,work"}, want: "roles: work is named twice"},
		"role alone":         {file: "roles: [read]\n", want: "roles: only nodes of a cluster"},
		"zero":               {env: []string{"QUIPU_LOGIN_ATTEMPTS=0"}, want: "login.attempts"},
		"listen":             {flags: map[string]any{"listen": "8080"}, want: "listen"},
		"memory":             {flags: map[string]any{"memory": "lots"}, want: "lots"},
		"proxy":              {env: []string{"QUIPU_TRUSTED_PROXIES=here"}, want: "here"},
		"level":              {env: []string{"QUIPU_LOG_LEVEL=loud"}, want: "loud"},
		"number as duration": {file: "ingest:\n  session_duration_limit: 120\n", want: "ingest.session_duration_limit: 120 is a number without a unit"},
		"digits as duration": {env: []string{"QUIPU_TASKS_KEEP=60"}, want: "tasks.keep: 60 is a number without a unit"},
		"long session":       {file: "ingest:\n  session_duration_limit: 48h\n", want: "ingest.session_duration_limit: 48h0m0s is not"},
		"half a second":      {file: "ingest:\n  session_duration_limit: 500ms\n", want: "ingest.session_duration_limit: 500ms is not"},
		"cooldown":           {file: "ingest:\n  session_cooldown: -1s\n", want: "ingest.session_cooldown: -1s is not"},
		"event limit":        {file: "ingest:\n  event_limit: 1000000000\n", want: "ingest.event_limit: 1000000000 is not from 1 to 1000000"},
		"metrics on listen":  {env: []string{"QUIPU_METRICS_LISTEN=127.0.0.1:8080"}, want: "metrics_listen"},
		"metrics everywhere": {env: []string{"QUIPU_METRICS_LISTEN=:8080"}, want: "metrics_listen"},
		"admin variable":     {env: []string{"QUIPU_ADMIN_USER=x"}, want: "QUIPU_ADMIN_USER"},
		"no secret file":     {env: []string{"QUIPU_MAIL_PASSWORD_FILE=/nowhere/at/all"}, want: "QUIPU_MAIL_PASSWORD_FILE"},
		"file of no secret":  {env: []string{"QUIPU_LISTEN_FILE=/x"}, want: "QUIPU_LISTEN_FILE"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := ""
			if c.file != "" {
				path = filepath.Join(t.TempDir(), "c.yaml")
				if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := app.LoadConfig(path, c.env, c.flags)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one that names %q", err, c.want)
			}
		})
	}
}

// TestLoadConfigNamesEveryFault has faults of every layer at once.
func TestLoadConfigNamesEveryFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte("dta: x\ningest:\n  session_timeout: soon\n  event_limit: 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := app.LoadConfig(path, []string{"QUIPU_LISTN=x", "QUIPU_MEMORY=1", "QUIPU_TASKS_WORKERS=many"}, map[string]any{"log.level": "loud"})
	if err == nil {
		t.Fatal("no error")
	}
	t.Log(err)
	for _, want := range []string{"dta", "ingest.session_timeout", "ingest.event_limit", "QUIPU_LISTN", "memory", "tasks.workers", "log.level"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %s", err, want)
		}
	}
}

// TestSecretsFromFiles reads secrets from the files that variables name.
func TestSecretsFromFiles(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := app.LoadConfig("", []string{"QUIPU_MAIL_PASSWORD_FILE=" + write("mail", "p w\r\n"), "QUIPU_DOCS_FILE=" + write("docs", "postgres://a:b@127.0.0.1/c\n")}, nil)
	if err != nil || got.Mail.Password != "p w" || got.Docs != "postgres://a:b@127.0.0.1/c" {
		t.Errorf("mail password %q, docs %q, error %v", got.Mail.Password, got.Docs, err)
	}
	for name, env := range map[string][]string{
		"both":  {"QUIPU_MAIL_PASSWORD=x", "QUIPU_MAIL_PASSWORD_FILE=" + write("a", "x")},
		"empty": {"QUIPU_MAIL_PASSWORD_FILE=" + write("b", "\n")},
		"large": {"QUIPU_MAIL_PASSWORD_FILE=" + write("c", strings.Repeat("x", 100_000))},
	} {
		if _, err := app.LoadConfig("", env, nil); err == nil || !strings.Contains(err.Error(), "QUIPU_MAIL_PASSWORD_FILE") {
			t.Errorf("%s: error %v, want one that names the variable", name, err)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "1KiB": 1024, "1.5GiB": 3 << 29, "2MB": 2e6, " 7 B": 7} {
		if got, err := app.ParseBytes(text); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "-1", "1PB", "99999999TiB"} {
		if _, err := app.ParseBytes(text); err == nil {
			t.Errorf("ParseBytes(%q) has no error", text)
		}
	}
}
