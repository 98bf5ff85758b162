package render_test

import (
	"bytes"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

const failed = `{"result":"Error creating screenshot. Please check logs for more information."}`

// TestPictures takes pictures of a page and of a part of it, with the Chromium of the machine.
func TestPictures(t *testing.T) {
	need.Program(t, "chromium")
	s := testkit.New(t)
	a := s.CreateApp("Corner shop", "UTC")
	size := func(pairs ...string) (width, height int) {
		t.Helper()
		var made struct{ Path string }
		testkit.Decode(t, s.Admin("/o/render", append([]string{"app_id", a.ID}, pairs...)...), &made)
		if r := s.Get(made.Path); r.Status != http.StatusBadRequest {
			t.Errorf("a picture without credentials: %d", r.Status)
		}
		r := s.Get(made.Path, "api_key", s.Key)
		if r.Status != http.StatusOK || r.Header.Get("Content-Type") != "image/png" {
			t.Fatalf("%s: %d %s", made.Path, r.Status, r.Header.Get("Content-Type"))
		}
		img, err := png.Decode(bytes.NewReader([]byte(r.Body)))
		if err != nil {
			t.Fatal(err)
		}
		return img.Bounds().Dx(), img.Bounds().Dy()
	}
	w, h := size("view", "/dashboard?ssr=true", "route", "/analytics/sessions/overview")
	if w != 1280 || h < 600 {
		t.Errorf("a page of %d × %d", w, h)
	}
	if mw, mh := size("view", "/dashboard/apps/"+a.ID+"/settings", "id", "main"); mw < 300 || mw > 1280 || mh < 600 {
		t.Errorf("an element of %d × %d", mw, mh)
	}
	if r := s.Get("/o/render", "api_key", s.Key, "app_id", a.ID, "id", `no"such`); r.Status != http.StatusBadRequest || r.Body != failed {
		t.Errorf("no element: %d %s", r.Status, r.Body)
	}
	if got := s.Admin("/o/token/list"); strings.Contains(got, "LoggedInAuth") {
		t.Errorf("sessions of the browser are left: %s", got)
	}
}

// TestConfined puts a script before the Chromium of the machine that writes down who it runs as and
// with which arguments.
func TestConfined(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, before string
		unconfined   []bool // of each start
	}{
		{"host with a sandbox", "", []bool{false}},
		{"host without a sandbox", `case "$*" in *--no-sandbox*) ;; *) echo "FATAL: No usable sandbox!" >&2; exit 1;; esac`, []bool{false, true, true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, d := range []string{filepath.Dir(dir), dir} {
				if err := os.Chmod(d, 0o777); err != nil { // the account of the browser writes here
					t.Fatal(err)
				}
			}
			record, script := filepath.Join(dir, "starts"), filepath.Join(dir, "browser")
			text := "#!/bin/sh\necho \"$(id -u) $*\" >>" + record + "\n" + tt.before + "\nexec " + chromium + " \"$@\"\n"
			if err := os.WriteFile(script, []byte(text), 0o755); err != nil { // a program
				t.Fatal(err)
			}
			s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { c.Modules = map[string]any{"render": map[string]any{"browser": script}} }))
			a := s.CreateApp("a", "UTC")
			pictures := max(1, len(tt.unconfined)-1)
			for range pictures {
				if got := s.Admin("/o/render", "app_id", a.ID); !strings.Contains(got, "screenshot_") {
					t.Fatalf("no picture: %s", got)
				}
			}
			b, err := os.ReadFile(record) // the test's own file
			if err != nil {
				t.Fatal(err)
			}
			var unconfined []bool
			for line := range strings.Lines(string(b)) {
				uid, args, _ := strings.Cut(line, " ")
				if root := uid == "0"; root {
					t.Errorf("a browser runs as root: %s", line)
				}
				unconfined = append(unconfined, strings.Contains(args, "--no-sandbox"))
			}
			if !slices.Equal(unconfined, tt.unconfined) {
				t.Errorf("starts without the sandbox: %v, want %v", unconfined, tt.unconfined)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for _, browser := range []string{"off", "/no/such/browser"} {
		s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { c.Modules = map[string]any{"render": map[string]any{"browser": browser}} }))
		a := s.CreateApp("a", "UTC")
		for name, c := range map[string]struct {
			pairs  []string
			status int
			body   string
		}{
			"no browser":   {[]string{"app_id", a.ID}, http.StatusBadRequest, failed},
			"other host":   {[]string{"app_id", a.ID, "view", "https://example.org/dashboard"}, http.StatusBadRequest, `{"result":"Invalid parameter: view"}`},
			"no scheme":    {[]string{"app_id", a.ID, "view", "//example.org/dashboard"}, http.StatusBadRequest, `{"result":"Invalid parameter: view"}`},
			"other path":   {[]string{"app_id", a.ID, "view", "/o/users/all"}, http.StatusBadRequest, `{"result":"Invalid parameter: view"}`},
			"way out":      {[]string{"app_id", a.ID, "view", "/dashboard/../i/users/delete"}, http.StatusBadRequest, `{"result":"Invalid parameter: view"}`},
			"file":         {[]string{"app_id", a.ID, "view", "file:///etc/passwd"}, http.StatusBadRequest, `{"result":"Invalid parameter: view"}`},
			"a credential": {[]string{"app_id", a.ID, "view", "/dashboard", "api_key", "x"}, http.StatusUnauthorized, `{"result":"User does not exist"}`},
		} {
			r := s.Get("/o/render", append([]string{"api_key", s.Key}, c.pairs...)...)
			if r.Status != c.status || r.Body != c.body {
				t.Errorf("%s: %d %s", name, r.Status, r.Body)
			}
		}
		var token struct{ Result string }
		testkit.Decode(t, s.Admin("/i/token/create", "apps", a.ID, "multi", "true"), &token)
		if r := s.Get("/o/render", "auth_token", token.Result, "app_id", a.ID); r.Status != http.StatusForbidden {
			t.Errorf("a token of one app: %d %s", r.Status, r.Body)
		}
		for _, name := range []string{"screenshot_00000000" + strings.Repeat("0", 24) + ".png", "x.png", "..%2f..%2fdocs.sqlite"} {
			if r := s.Get("/images/screenshots/"+name, "api_key", s.Key); r.Status != http.StatusNotFound && r.Status != http.StatusBadRequest {
				t.Errorf("%s: %d", name, r.Status)
			}
		}
	}
}
