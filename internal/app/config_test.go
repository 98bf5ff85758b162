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
		[]string{"QUIPU_LISTEN=127.0.0.1:9", "QUIPU_INGEST_MAX_BODY=1000", "QUIPU_TRUSTED_PROXIES=10.0.0.0/8,::1", "HOME=/x", "QUIPU_ADMIN_USERNAME=a"},
		map[string]any{"listen": "127.0.0.1:10"})
	if err != nil {
		t.Fatal(err)
	}
	want := app.DefaultConfig()
	want.Data, want.Listen = "/from/file", "127.0.0.1:10"
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
		"zero":               {env: []string{"QUIPU_LOGIN_ATTEMPTS=0"}, want: "login.attempts"},
		"listen":             {flags: map[string]any{"listen": "8080"}, want: "listen"},
		"memory":             {flags: map[string]any{"memory": "lots"}, want: "lots"},
		"proxy":              {env: []string{"QUIPU_TRUSTED_PROXIES=here"}, want: "here"},
		"level":              {env: []string{"QUIPU_LOG_LEVEL=loud"}, want: "loud"},
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
