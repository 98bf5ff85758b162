package main

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestBackupToAStore backs a running server up to an S3-compatible store twice, tries and restores what is there,
// with credentials from files that appear nowhere.
func TestBackupToAStore(t *testing.T) {
	gateway := tool(t, "versitygw")
	const access, secret = "of-a-test-access", "of-a-test-secret-0123456789"
	dir, address := t.TempDir(), freePort(t)
	if err := os.MkdirAll(filepath.Join(dir, "store", "backups"), 0o700); err != nil {
		t.Fatal(err)
	}
	background(t, []string{"ROOT_ACCESS_KEY=" + access, "ROOT_SECRET_KEY=" + secret}, gateway,
		"--port", address, "--health", "/health", "--quiet", "posix", "--sidecar", t.TempDir(), filepath.Join(dir, "store"))
	for n := 0; ; n++ {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := on("tcp", address, nil).Do(req)
		if err == nil {
			_ = resp.Body.Close()
			break
		}
		if n == 200 {
			t.Fatal("the store does not answer")
		}
		time.Sleep(50 * time.Millisecond) // another process starts
	}
	accessFile, secretFile := filepath.Join(dir, "access"), filepath.Join(dir, "secret")
	file(t, accessFile, access+"\n")
	file(t, secretFile, secret+"\n")
	env := []string{
		"QUIPU_BACKUP_S3_ENDPOINT=http://" + address, "QUIPU_BACKUP_S3_REGION=us-east-1",
		"QUIPU_BACKUP_S3_ACCESS_KEY_FILE=" + accessFile, "QUIPU_BACKUP_S3_SECRET_KEY_FILE=" + secretFile,
		"QUIPU_BACKUP_TO=s3://backups/of/quipu", "QUIPU_BACKUP_WITH_SECRET_KEY=true",
	}
	run := func(args ...string) (string, error) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), os.Args[0], args...) // this very binary
		cmd.Env = append(append(os.Environ(), asQuipu+"=1"), env...)
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), secret) || strings.Contains(string(out), access) {
			t.Errorf("quipu %q shows credentials: %s", args, out)
		}
		return string(out), err
	}
	must := func(args ...string) string {
		t.Helper()
		out, err := run(args...)
		if err != nil {
			t.Fatalf("quipu %q: %v: %s", args, err, out)
		}
		return out
	}
	data := filepath.Join(dir, "data")
	p := start(t, data, append(env, admin...)...)
	_, key := p.get("/api-key", nil)
	p.get("/i/apps/create", url.Values{"api_key": {key}, "args": {`{"name":"a","key":"k1"}`}})
	if status, body := p.get("/i", url.Values{"app_key": {"k1"}, "device_id": {"d"}, "begin_session": {"1"}}); status != http.StatusOK {
		t.Fatalf("/i: %d %s", status, body)
	}
	if out := must("backup", "list"); out != "" {
		t.Errorf("before the first backup: %q", out)
	}
	must("backup", "--data", data)
	second := regexp.MustCompile(`^backup s3://backups/of/quipu (quipu-\S+): \d+ files, .* (\d+) of (\d+) chunks are new`)
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) // a name is taken for a second
	out := must("backup", "--data", data)
	got := second.FindStringSubmatch(out)
	if got == nil {
		t.Fatalf("backup: %s", out)
	}
	if got[2] == got[3] {
		t.Errorf("the second backup has all chunks new: %q", got)
	}
	if out := must("backup", "check", "--name", got[1]); !strings.Contains(out, "backup s3://backups/of/quipu "+got[1]+" can be restored") {
		t.Errorf("check says %q", out)
	}
	if err := p.end(syscall.SIGKILL); err == nil {
		t.Fatal("a killed process ended well")
	}
	again := filepath.Join(dir, "again")
	must("restore", "--data", again)
	if out := must("verify", "--data", again); !strings.Contains(out, "everything is as the rows give it") {
		t.Errorf("verify says %q", out)
	}
	if out, err := run("restore", "--name", "quipu-20000101T000000Z", "--data", filepath.Join(dir, "none")); err == nil || !strings.Contains(out, "no such backup") {
		t.Errorf("restore of none: %v, %s", err, out)
	}
	// What is configured is checked, and not shown.
	if out := must("config", "check", "--data", again); strings.Contains(out, secret) || !strings.Contains(out, "backup.s3.secret_key = (not shown)") {
		t.Errorf("config check says %q", out)
	}
	file(t, secretFile, "another\n")
	if out, err := run("backup", "check"); err == nil || !strings.Contains(out, "does not accept the credentials (SignatureDoesNotMatch)") {
		t.Errorf("check with another secret: %v, %s", err, out)
	}
}
