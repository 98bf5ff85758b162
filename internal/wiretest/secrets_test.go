package wiretest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// TestNothingInClear uses keys and tokens in every way, and looks for them in every file of the data folder and of
// backups, while the server runs and after it has ended.
func TestNothingInClear(t *testing.T) {
	t.Parallel()
	var cfg app.Config
	s := server(t, testkit.WithConfig(func(c *app.Config) { c.Log.Level = "debug"; cfg = *c }))
	a := s.CreateApp("shop", "UTC")
	ann := createMember(t, s, "ann", map[string]any{"permission": permission([]string{a.ID}, nil, nil)})
	token := createToken(t, s, ann.key, "ttl", "0")
	used := createToken(t, s, ann.key, "multi", "false")
	page := signIn(t, s, "ann", password)
	cookie := page.cookie[strings.IndexByte(page.cookie, '=')+1:]
	s.Ingest(a, "d", "begin_session", "1", "events", `[{"key":"buy"}]`)
	s.Flush()

	credentials := []string{"api_key", ann.key, "auth_token", token, "app_id", a.ID}
	with := func(pairs ...string) []string { return append(append([]string{}, credentials...), pairs...) }
	for _, r := range []testkit.Response{
		s.Get("/o/users/me", with()...),
		s.Get("/o", with("method", "user_details")...),
		s.Get("/o/users/me", "auth_token", used),
		s.Get("/o/export/requestQuery", with("path", "/o/analytics/sessions", "type", "json", "data", text(t, map[string]string{
			"api_key": ann.key, "auth_token": token, "app_id": a.ID,
		}))...),
		s.Get("/o/export/data", with("type", "json", "data", `[{"a":1}]`)...),
		s.Get("/o/export/request", with("path", "/o/apps/mine?api_key="+ann.key, "type", "json", "data", `{"api_key":"`+ann.key+`"}`)...),
		s.Get("/i/systemlogs", with("action", "x", "data", `{"api_key":"`+ann.key+`","token":"`+token+`"}`)...),
		s.Post("/i/token/delete", "api_key", ann.key, "tokenid", createToken(t, s, ann.key)),
		s.Get("/i/apps/update", with("args", `{"app_id":"`+a.ID+`","name":"b","api_key":"`+ann.key+`"}`)...),
		s.Get("/i/users/api_key/rotate", "api_key", s.Key, "user_id", createMember(t, s, "bob", nil).id),
	} {
		if r.Status >= 500 {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}
	s.Get("/o/nowhere", with()...)
	s.Get("/o/token/check", "api_key", s.Key, "token", token)
	s.Flush()

	backups := t.TempDir()
	for name, parts := range map[string]app.BackupParts{"without": {}, "with": {SecretKey: true}} {
		m, err := app.Backup(t.Context(), cfg, app.Process{}, filepath.Join(backups, name), parts)
		if err != nil {
			t.Fatal(err)
		}
		if missing := app.SecretKeyMissing(app.Config{Data: t.TempDir()}, m.Manifest); (missing == "") != parts.SecretKey {
			t.Errorf("backup %s the secret key: %q", name, missing)
		}
		if _, err := os.Stat(filepath.Join(backups, name, "secret.key")); (err == nil) != parts.SecretKey {
			t.Errorf("backup %s the secret key: %v", name, err)
		}
	}
	secrets := map[string]string{"API key": ann.key, "administrator's API key": s.Key, "token": token, "used token": used, "cookie": cookie, "password": password}
	look := func(when, dir string) {
		t.Helper()
		for name, what := range holding(t, dir, secrets) {
			t.Errorf("%s, %s holds the %s in clear", when, name, what)
		}
	}
	look("while the server runs", cfg.Data)
	look("in backups", backups)
	s.Stop()
	look("after the server has ended", cfg.Data)
}

// holding looks for texts in the files of a folder.
func holding(t *testing.T, dir string, secrets map[string]string) map[string]string {
	t.Helper()
	out, files := map[string]string{}, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for what, secret := range secrets {
			if strings.Contains(string(b), secret) {
				out[path] = what
			}
		}
		return nil
	})
	if err != nil || files < 3 {
		t.Fatalf("look through %s: %d files, %v", dir, files, err)
	}
	return out
}
