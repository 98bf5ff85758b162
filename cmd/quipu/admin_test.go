package main

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// command runs a command of the binary, with standard input.
func command(t *testing.T, input string, args ...string) (out string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...) // this very binary
	cmd.Env, cmd.Stdin = append(os.Environ(), asQuipu+"=1"), strings.NewReader(input)
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// TestAdministerRunningServer revokes a token and resets a password while the server runs: both hold at once, and the audit log says so, without
// the password.
func TestAdministerRunningServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	p := start(t, dir, admin...)
	_, key := p.get("/api-key", nil)
	create := func() string {
		t.Helper()
		status, body := p.get("/i/token/create", url.Values{"api_key": {key}, "purpose": {"script"}})
		if status != http.StatusOK {
			t.Fatalf("create a token: %d %s", status, body)
		}
		return strings.Split(body, `"`)[3]
	}
	works := func(name, secret string) bool {
		t.Helper()
		status, _ := p.get("/o/users/me", url.Values{name: {secret}})
		return status == http.StatusOK
	}
	_, app := p.get("/i/apps/create", url.Values{"api_key": {key}, "args": {`{"name":"Shop"}`}})
	_, app, _ = strings.Cut(app, `"_id":"`)
	one, two := create(), create()
	if !works("auth_token", one) || !works("auth_token", two) {
		t.Fatal("tokens do not work")
	}
	if out, err := command(t, "", "admin", "list", "--data", dir); err != nil || !strings.Contains(out, "root@example.org") {
		t.Errorf("list: %v\n%s", err, out)
	}
	if out, err := command(t, one+"\n", "token", "revoke", "--data", dir); err != nil || out != "revoked tokens of root: 1\n" {
		t.Errorf("revoke: %v\n%s", err, out)
	}
	if works("auth_token", one) || !works("auth_token", two) {
		t.Error("the token that was revoked works, or the other does not")
	}
	if out, err := command(t, one, "token", "revoke", "--data", dir); err == nil || !strings.Contains(out, "Token not valid") {
		t.Errorf("revoke once more: %v\n%s", err, out)
	}
	const password = "Another-horse-2"
	if out, err := command(t, password, "admin", "reset-password", "--data", dir, "--username", "root"); err != nil {
		t.Fatalf("reset: %v\n%s", err, out)
	}
	if works("auth_token", two) || works("api_key", key) {
		t.Error("a token or the API key from before works")
	}
	if status, _ := p.get("/api-key", nil); status == http.StatusOK {
		t.Error("the password from before works")
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/api-key", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("root", password)
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	fresh := make([]byte, 32)
	_, _ = resp.Body.Read(fresh)
	_ = resp.Body.Close()
	status, log := p.get("/o", url.Values{"api_key": {string(fresh)}, "method": {"systemlogs"}, "app_id": {app[:24]}})
	for _, want := range []string{"quipu admin reset-password", "quipu token revoke", "users_update", "token_delete", "command line"} {
		if !strings.Contains(log, want) {
			t.Errorf("the audit log (%d) lacks %q: %s", status, want, log)
		}
	}
	if strings.Contains(log, password) || strings.Contains(log, one) {
		t.Error("the audit log holds a secret")
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	// The same without a server.
	if out, err := command(t, "Third-horse-3", "admin", "reset-password", "--data", dir, "--username", "root", "--must-change"); err != nil {
		t.Errorf("reset without a server: %v\n%s", err, out)
	}
}
