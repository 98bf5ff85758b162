package main

import (
	"context"
	"io/fs"
	"maps"
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
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...) // this very binary
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

	if got := quipu(t, "verify", "--data", target); !strings.Contains(got, "everything is as the rows give it") {
		t.Errorf("verify of the archive says %q", got)
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

// TestVerifyOfDamage damages a table of the state, and a backup folder: neither is called as it should be, and the backup stays as it was.
func TestVerifyOfDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	p := start(t, dir, admin...)
	_, key := p.get("/api-key", nil)
	p.get("/i/apps/create", url.Values{"api_key": {key}, "args": {`{"name":"a","key":"k1"}`}})
	if status, body := p.get("/i", url.Values{"app_key": {"k1"}, "device_id": {"d"}, "begin_session": {"1"}}); status != http.StatusOK {
		t.Fatalf("/i: %d %s", status, body)
	}
	target := filepath.Join(t.TempDir(), "folder")
	quipu(t, "backup", "--data", dir, "--to", target)
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	before := contents(t, target)
	if got := quipu(t, "verify", "--data", target); !strings.Contains(got, "everything is as the rows give it") {
		t.Errorf("verify of the backup says %q", got)
	}
	if after := contents(t, target); !maps.Equal(before, after) {
		t.Error("verify changed the backup")
	}
	damaged := 0
	tables, err := filepath.Glob(filepath.Join(dir, "state", "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables of the state: %v", err)
	}
	for _, path := range tables {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(64, len(b)/2) {
			b[i] ^= 0xff
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		damaged++
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "verify", "--data", dir) // this very binary
	cmd.Env = append(os.Environ(), asQuipu+"=1")
	if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "everything is") {
		t.Errorf("verify of %d damaged tables: %v, %s", damaged, err, out)
	}
}

// contents are the files under a folder by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestInterrupted cancels a backup, which must not report success, and a server that starts, which must.
func TestInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	p := start(t, dir, admin...)
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	if code := run(ctx, []string{"backup", "--data", dir, "--to", filepath.Join(t.TempDir(), "b.tar.zst"), "--with-secret-key"}, &out, &errs); code != 1 || errs.String() != "quipu: interrupted before completion\n" {
		t.Errorf("backup: %d, %q, %q", code, out.String(), errs.String())
	}
	if code := run(ctx, []string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, &out, &errs); code != 0 {
		t.Errorf("serve: %d, %q", code, errs.String())
	}
}
