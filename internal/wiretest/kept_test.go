package wiretest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// TestSecretsOfRequestsAreNotKept sends credentials, passwords and parameters that nobody knows to /i in every form it takes, with
// the log of requests on: none of them is in a log or in a file of the server.
func TestSecretsOfRequestsAreNotKept(t *testing.T) {
	t.Parallel()
	var folder string
	s := server(t, testkit.WithConfig(func(c *app.Config) { folder = c.Data }))
	a := s.CreateApp("A", "UTC")
	s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"logger":{"state":"on"}}`)
	const mark = "Zq7-not-to-be-kept-"
	secrets := []string{"api_key", "auth_token", "password", "PASSWORD", "old_pwd", "new_pwd", "secret", "authorization", "cookie"}
	pairs := []string{"app_key", a.Key, "device_id", "d", "begin_session", "1"}
	object := `{"app_key":"` + a.Key + `","device_id":"d","events":[{"key":"seen"}]`
	for _, name := range secrets {
		pairs = append(pairs, name, mark+name)
		object += `,"` + name + `":"` + mark + name + `"`
	}
	object += "}"
	header := []string{"Authorization", "Bearer " + mark + "a", "Cookie", "sid=" + mark + "c", "countly-token", mark + "t", "service-token", mark + "s"}
	form := append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)
	for name, r := range map[string]testkit.Response{
		"query":       s.Do(http.MethodGet, "/i?"+testkit.Query(pairs...), nil, header...),
		"form":        s.Do(http.MethodPost, "/i", strings.NewReader(testkit.Query(append(pairs, "timestamp", noonMS)...)), form...),
		"JSON":        s.Do(http.MethodPost, "/i", strings.NewReader(object), append([]string{"Content-Type", "application/json"}, header...)...),
		"bulk":        s.Do(http.MethodPost, "/i/bulk", strings.NewReader(testkit.Query("app_key", a.Key, "requests", "["+object+"]", "api_key", mark+"b")), form...),
		"bulk, JSON":  s.Do(http.MethodPost, "/i/bulk", strings.NewReader("["+object+"]"), append([]string{"Content-Type", "application/json"}, header...)...),
		"refused":     s.Do(http.MethodGet, "/i?"+testkit.Query(append([]string{"app_key", a.Key, "device_id", "undefined"}, pairs[4:]...)...), nil, header...),
		"pixel":       s.Do(http.MethodGet, "/pixel.png?"+testkit.Query(pairs...), nil, header...),
		"unknown one": s.Get("/i", "app_key", a.Key, "device_id", "d", "surely_unknown", "Zq8-"+mark),
	} {
		if r.Status != 200 {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	s.Flush()
	logs := s.Admin("/o", "method", "logs", "app_id", a.ID)
	if !strings.Contains(logs, "seen") {
		t.Fatalf("the log of requests has no request: %.300s", logs)
	}
	for what, text := range map[string]string{
		"log of requests": strings.ReplaceAll(logs, "Zq8-"+mark, ""), // which is there to show what a client sends
		"audit log":       s.Admin("/o", "app_id", a.ID, "method", "systemlogs"),
		"profile":         s.Admin("/o", "method", "user_details", "app_id", a.ID, "did", "d"),
	} {
		if at := strings.Index(text, mark); at >= 0 {
			t.Errorf("%s has %q", what, text[max(0, at-40):min(len(text), at+40)])
		}
	}
	s.Stop()
	files := 0
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		text := strings.ReplaceAll(string(data), "Zq8-"+mark, "")
		if at := strings.Index(text, mark); at >= 0 {
			t.Errorf("%s holds %q", path, text[max(0, at-40):min(len(text), at+60)])
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files read: %v", files, err)
	}
}

// TestAuditOfTokens makes and deletes tokens: the audit log shows nothing of a token but the beginning of a digest, which is that of
// no plain hash.
func TestAuditOfTokens(t *testing.T) {
	t.Parallel()
	s := server(t)
	var made struct{ Result string }
	testkit.Decode(t, s.Admin("/i/token/create", "purpose", "audited"), &made)
	token := made.Result
	s.Admin("/i/token/delete", "tokenid", token)
	logs := s.Admin("/o", "method", "systemlogs", "app_id", s.CreateApp("A", "UTC").ID)
	if !strings.Contains(logs, "token_create") || !strings.Contains(logs, "token_delete") || strings.Count(logs, `"digest `) < 2 {
		t.Fatalf("entries of the token are missing: %.600s", logs)
	}
	sum := sha256.Sum256([]byte(token))
	digest := hex.EncodeToString(sum[:])
	for at := range len(token) - 5 {
		if part := token[at : at+6]; strings.Contains(logs, part) {
			t.Errorf("the log shows %q of the token", part)
		}
	}
	if strings.Contains(logs, digest[:8]) {
		t.Error("the log shows the plain hash of the token")
	}
	for _, entry := range strings.Split(logs, `"digest `)[1:] {
		shown, _, _ := strings.Cut(entry, `"`)
		if b, err := hex.DecodeString(shown); err != nil || len(b) > 4 {
			t.Errorf("the log shows the digest %q, want at most 8 digits", shown)
		}
	}
}
