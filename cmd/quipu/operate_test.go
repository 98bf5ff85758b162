package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestLogOfAnOperator starts a server with a log in JSON, fails to sign in, has its configuration read again by SIGHUP, with and without
// faults, and stops it: each of these is an entry. The failure is counted, and one of the audit log, too.
func TestLogOfAnOperator(t *testing.T) {
	config := filepath.Join(t.TempDir(), "quipu.yaml")
	configure := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	configure("log:\n  format: json\n")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "serve", "--config", config, "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0") // this very binary
	metrics := freePort(t)
	cmd.Env = append(append(os.Environ(), asQuipu+"=1", "QUIPU_METRICS_LISTEN="+metrics), admin...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	lines := bufio.NewScanner(stderr)
	// entry waits for a line of the log.
	entry := func(msg string) map[string]any {
		t.Helper()
		for lines.Scan() {
			var e map[string]any
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Fatalf("%q is not JSON: %v", lines.Text(), err)
			}
			if e["msg"] == msg {
				return e
			}
		}
		t.Fatalf("the log has no %q: %v", msg, lines.Err())
		return nil
	}
	hangup := func() {
		t.Helper()
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	started := entry("server started")
	url := "http://" + started["address"].(string) + "/api-key"
	func() {
		const password = "wrong-Horse-9"
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth("root", password)
		resp, err := new(http.Client).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		e := entry("sign-in")
		if e["outcome"] != "refused" || e["member"] != "root" || e["address"] != "127.0.0.1" || e["level"] != "WARN" {
			t.Errorf("sign-in: %v", e)
		}
		if strings.Contains(lines.Text(), password) {
			t.Error("the log holds the password")
		}
		if _, body := ask(t, new(http.Client), "http://"+metrics+"/metrics"); !strings.Contains(body, "\nquipu_sign_ins_total{outcome=\"refused\"} 1\n") {
			t.Error("the metric of refused attempts is not 1")
		}
		_, key := ask(t, new(http.Client), url, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("root:Correct-horse-1")))
		_, made := ask(t, new(http.Client), strings.TrimSuffix(url, "/api-key")+`/i/apps/create?args={"name":"a"}&api_key=`+key)
		var app struct {
			ID string `json:"_id"`
		}
		if err := json.Unmarshal([]byte(made), &app); err != nil {
			t.Fatalf("%v: %s", err, made)
		}
		_, audit := ask(t, new(http.Client), strings.TrimSuffix(url, "/api-key")+"/o?method=systemlogs&app_id="+app.ID+"&api_key="+key)
		if !strings.Contains(audit, `"a":"sign_in_refused"`) || strings.Contains(audit, password) {
			t.Errorf("the audit log: %s", audit)
		}
	}()
	configure("log:\n  format: json\n  level: warn\nmemory: 256MiB\n")
	hangup()
	if e := entry("the log has another level"); e["level"] != "WARN" && e["level"] != "warn" {
		t.Errorf("level: %v", e)
	}
	if e := entry("these changes of the configuration take effect at the next start"); len(e["keys"].([]any)) != 1 || e["keys"].([]any)[0] != "memory" {
		t.Errorf("changes: %v", e)
	}
	configure("memory: 1\n")
	hangup()
	if e := entry("the configuration has faults; the server goes on with that of its start"); !strings.Contains(e["error"].(string), "memory") {
		t.Errorf("faults: %v", e)
	}
	configure("log:\n  format: json\n")
	hangup()
	entry("the log has another level")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	entry("server stops: requests under way are finished")
	entry("server stopped")
	for lines.Scan() { // to its end, so that Wait closes nothing that is read
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}
