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

// quipu runs a command of this binary.
func quipu(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...) //nolint:gosec // this very binary
	cmd.Env = append(os.Environ(), asQuipu+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("quipu %q: %v: %s", args, err, out)
	}
	return string(out)
}

// TestBackupOfARunningServer backs a server up, loses it, and goes on with
// what was restored.
func TestBackupOfARunningServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	p := start(t, dir, admin...)
	_, key := p.get("/api-key", nil)
	_, made := p.get("/i/apps/create", url.Values{"api_key": {key}, "args": {`{"name":"a","key":"k1"}`}})
	id := made[strings.Index(made, `"_id":"`)+7:][:24]
	send := func() {
		t.Helper()
		if status, body := p.get("/i", url.Values{"app_key": {"k1"}, "device_id": {"d"}, "begin_session": {"1"}}); status != http.StatusOK {
			t.Fatalf("/i: %d %s", status, body)
		}
	}
	send()
	target := filepath.Join(t.TempDir(), "b.tar.zst")
	if got := quipu(t, "backup", "--data", dir, "--to", target, "--with-secret-key"); !strings.HasPrefix(got, "backup "+target) {
		t.Errorf("backup says %q", got)
	}
	send()
	if err := p.end(syscall.SIGKILL); err == nil {
		t.Fatal("a killed process ended well")
	}

	again := filepath.Join(t.TempDir(), "again")
	quipu(t, "restore", "--from", target, "--data", again)
	if got := quipu(t, "verify", "--data", again); !strings.Contains(got, "everything is as the rows give it") {
		t.Errorf("verify says %q", got)
	}
	p = start(t, again)
	status, body := p.get("/o/analytics/sessions", url.Values{"api_key": {key}, "app_id": {id}, "period": {"today"}, "bucket": {"daily"}})
	if want := `"t":1,"n":1,"u":1,"d":0,"e":1}]`; status != http.StatusOK || !strings.HasSuffix(body, want) {
		t.Errorf("sessions after the restore: %d %s, want them to end in %s", status, body, want)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}
