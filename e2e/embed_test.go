package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// TestEmbeddedFigures makes the token of docs/how-to/embed-figures.md by its command, opens its page in a browser at another origin, and
// tries what the token must not do.
func TestEmbeddedFigures(t *testing.T) {
	t.Parallel()
	need.Program(t, "chromium")
	need.Program(t, "curl")
	text, err := os.ReadFile("../docs/how-to/embed-figures.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		t.Helper()
		found := regexp.MustCompile("(?s)\n```"+language+"\n(.*?)```\n").FindAllStringSubmatch(string(text), -1)
		if len(found) != 1 {
			t.Fatalf("the page has %d blocks of %s, want 1", len(found), language)
		}
		return found[0][1]
	}
	s := testkit.New(t)
	a, other := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
	for _, device := range []string{"a", "b", "c"} {
		s.Post("/i", "app_key", a.Key, "device_id", device, "begin_session", "1")
	}
	s.Flush()
	cmd := exec.CommandContext(t.Context(), "bash", "-euc", block("sh"))
	cmd.Env = append(os.Environ(), "QUIPU_SERVER="+s.URL(), "QUIPU_KEY="+s.Key, "APP_ID="+a.ID)
	out, err := cmd.Output()
	var made struct{ Result string }
	if err != nil || json.Unmarshal(out, &made) != nil || made.Result == "" {
		t.Fatalf("token: %v %s", err, out)
	}
	shown := func(token string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "page.html")
		page := strings.NewReplacer("QUIPU_SERVER", s.URL(), "'TOKEN'", "'"+token+"'", "APP_ID", a.ID).Replace(block("html"))
		if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "node", "sdk/embed.mjs", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if got, want := shown(made.Result), "3 sessions in the last 7 days; 7 bars"; got != want {
		t.Errorf("the page shows %q, want %q", got, want)
	}
	for what, pairs := range map[string][]string{
		"another period":    {"app_id", a.ID, "period", "30days", "bucket", "daily"},
		"another app":       {"app_id", other.ID, "period", "7days", "bucket", "daily"},
		"another parameter": {"app_id", a.ID, "period", "7days", "bucket", "monthly"},
	} {
		r := s.Get("/o/analytics/sessions", append(pairs, "auth_token", made.Result)...)
		if r.Status != http.StatusBadRequest || r.Header.Get("Quipu-Error") != "auth.token_invalid" {
			t.Errorf("%s: %d %s", what, r.Status, r.Body)
		}
	}
	for _, path := range []string{"/o/analytics/dashboard", "/o/apps/mine", "/o/users/me", "/i/apps/delete", "/x/o/analytics/sessions"} {
		if r := s.Get(path, "app_id", a.ID, "period", "7days", "bucket", "daily", "auth_token", made.Result); r.Status == http.StatusOK {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	s.Admin("/i/token/delete", "tokenid", made.Result)
	if got, want := shown(made.Result), "No figures: auth.token_invalid; 0 bars"; got != want {
		t.Errorf("after the token was revoked the page shows %q, want %q", got, want)
	}
}
