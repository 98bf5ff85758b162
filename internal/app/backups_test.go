package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit/need"
	"quipu/internal/verify"
)

// TestBackupsOnSchedule lets days pass: a backup is made when the newest is old, the oldest go, files of others stay, and what was made
// can be restored and is as the rows give it.
func TestBackupsOnSchedule(t *testing.T) {
	for _, form := range []string{"archive", "incremental"} {
		t.Run(form, func(t *testing.T) { backupsOnSchedule(t, form) })
	}
}

func backupsOnSchedule(t *testing.T, form string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "backups")
	var passed atomic.Int64
	began := time.Now()
	r := newRig(t, func(c *app.Config) {
		c.MetricsListen, c.Backup = "127.0.0.1:0", app.BackupConfig{To: to, Form: form, Every: 24 * time.Hour, Keep: 3}
	}, app.Process{Now: func() time.Time { return began.Add(time.Duration(passed.Load())) }})
	for n := range 3 {
		if !r.send(n) {
			t.Fatal("not acknowledged")
		}
	}
	r.expect(3)
	count := func(want int) []app.BackupSource {
		t.Helper()
		list, err := app.ListBackups(t.Context(), r.cfg, to)
		if err != nil || len(list) != want {
			t.Fatalf("backups: %v, %v; want %d", list, err, want)
		}
		return list
	}
	count(0)
	for step, tt := range []struct {
		pass time.Duration
		want int
	}{{0, 1}, {23 * time.Hour, 1}, {2 * time.Hour, 2}, {25 * time.Hour, 3}, {25 * time.Hour, 3}, {25 * time.Hour, 3}} {
		passed.Add(int64(tt.pass))
		if step == 1 {
			for _, name := range []string{"quipu-notes.tar.zst", "other.tar"} {
				if err := os.WriteFile(filepath.Join(to, name), []byte("x"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := r.app.BackUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		count(tt.want)
	}
	for _, name := range []string{"quipu-notes.tar.zst", "other.tar"} {
		if _, err := os.Stat(filepath.Join(to, name)); err != nil {
			t.Errorf("a file of others: %v", err)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(r.cfg.Data, "backups")); len(left) > 0 {
		t.Errorf("snapshots are left: %v", left)
	}
	w := newRecorder()
	r.app.MetricsHandler().ServeHTTP(w, newRequest(t, "/metrics"))
	for _, want := range []string{
		`quipu_backups_total{outcome="completed"} 5`, `quipu_backups_total{outcome="failed"} 0`, `quipu_build_info{commit=`, `quipu_tasks_total{outcome="failed"} 0`,
		`quipu_job_runs_total{name="ingest:retention",outcome="completed"} 0`, "quipu_backup_last_success_timestamp_seconds 1.",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	newest := count(3)[2]
	report, err := app.VerifyBackup(t.Context(), app.DefaultConfig(), app.Process{}, newest, verify.Options{})
	if err != nil || !report.OK() {
		t.Errorf("the newest backup: %v, %v", err, report)
	}
	// Another form goes on from there: what the first has made counts, and goes in its turn.
	if form == "archive" {
		r.end()
		r.cfg.Backup.Form = "incremental"
		r.start()
		for range 2 {
			passed.Add(int64(25 * time.Hour))
			if err := r.app.BackUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if list := count(3); list[0].Label != newest.Label || !strings.HasPrefix(list[2].Label, to+" quipu-") {
			t.Errorf("after another form: %v", list)
		}
	}
	// A folder that cannot be written is a failure that metrics show.
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.app.BackUp(t.Context()); err == nil {
		t.Error("no error")
	}
	// The next attempt is not made at once.
	if err := r.app.BackUp(t.Context()); err != nil {
		t.Errorf("at once: %v", err)
	}
	w = newRecorder()
	r.app.MetricsHandler().ServeHTTP(w, newRequest(t, "/metrics"))
	if want := `quipu_backups_total{outcome="failed"} 1`; !strings.Contains(w.Body.String(), want) {
		t.Errorf("metrics lack %s", want)
	}
}

// TestMonitoringFiles has every metric that the alert rules and the board name, finds every metric in the reference, and has promtool check and test
// the rules.
func TestMonitoringFiles(t *testing.T) {
	const dir = "../../docs/operations/monitoring"
	r := newRig(t, func(c *app.Config) { c.MetricsListen = "127.0.0.1:0" }, app.Process{})
	w := newRecorder()
	r.app.MetricsHandler().ServeHTTP(w, newRequest(t, "/metrics"))
	for _, name := range []string{"alerts.yml", "alerts_test.yml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, metric := range regexp.MustCompile(`quipu_[a-z_]+`).FindAllString(string(text), -1) {
			if !strings.Contains(w.Body.String(), "\n"+metric+"{") && !strings.Contains(w.Body.String(), "\n"+metric+" ") {
				t.Errorf("%s names %s, which is no metric", name, metric)
			}
		}
	}
	page, err := os.ReadFile("../../docs/reference/monitoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (quipu_\w+) `).FindAllStringSubmatch(w.Body.String(), -1) {
		if !strings.Contains(string(page), "`"+m[1]+"`") {
			t.Errorf("docs/reference/monitoring.md lacks %s", m[1])
		}
	}
	need.Program(t, "promtool")
	for _, args := range [][]string{{"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}} {
		cmd := exec.CommandContext(t.Context(), "promtool", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}
