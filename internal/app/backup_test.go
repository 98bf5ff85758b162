package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/backup"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

// TestBackupUnderLoad makes backups through the running server while events
// arrive, restores each and verifies it: what was acknowledged before the backup began is there, and
// nothing that was sent after it had ended.
func TestBackupUnderLoad(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	var begun, acked atomic.Int64
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				n := begun.Add(1)
				if r.send(int(n % 50)) {
					acked.Add(1)
				}
			}
		})
	}
	for acked.Load() < 200 { // let there be something
		if !r.send(0) {
			t.Fatal("not acknowledged")
		}
		begun.Add(1)
		acked.Add(1)
	}
	for _, name := range []string{"a.tar.zst", "b", "c.tar"} {
		target := filepath.Join(t.TempDir(), name)
		least := acked.Load()
		if _, err := app.Backup(t.Context(), r.cfg, app.Process{}, target, app.BackupParts{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		most := begun.Load()
		cfg := r.cfg
		cfg.Data = filepath.Join(t.TempDir(), "data")
		if _, err := backup.Restore(t.Context(), target, cfg.Data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := counted(t, cfg)
		if got < least || got > most {
			t.Errorf("%s: %d events restored, want %d to %d", name, got, least, most)
		}
	}
	close(stop)
	wg.Wait()
	if left, err := filepath.Glob(filepath.Join(r.cfg.Data, "backups", "*")); err != nil || len(left) > 0 {
		t.Errorf("snapshots are left: %v, %v", left, err)
	}
	r.expect(int(acked.Load()))
}

// TestSnapshotNames names snapshots at the same time by the server's clock.
func TestSnapshotNames(t *testing.T) {
	srv := testkit.New(t)
	one, two := srv.App().(*app.App).NewSnapshotDir(), srv.App().(*app.App).NewSnapshotDir()
	if one == two {
		t.Errorf("two snapshots have one name: %s", one)
	}
}

// TestSnapshotOfACommandThatLeaves asks for snapshots as commands do and leaves without removing them, as a command that is killed does.
func TestSnapshotOfACommandThatLeaves(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	ask := func(path string) (dir string, leave func()) {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(r.cfg.Data, "control.sock"))
		}}}
		res, err := client.Post("http://quipu"+path, "", http.NoBody) //nolint:bodyclose // the connection is the test's to end, and leave closes the body
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Dir string }
		if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", path, res.StatusCode, err)
		}
		if _, err := os.Stat(filepath.Join(answer.Dir, "state")); err != nil {
			t.Fatalf("%s: no snapshot: %v", path, err)
		}
		return answer.Dir, func() {
			if err := res.Body.Close(); err != nil {
				t.Error(err)
			}
			client.CloseIdleConnections()
		}
	}
	there := func(dir string) bool {
		_, err := os.Lstat(dir)
		return err == nil
	}

	held, leave := ask("/snapshot?hold")
	other, leaveOther := ask("/snapshot?hold") // stays while its command does
	leave()
	for deadline := time.Now().Add(30 * time.Second); there(held); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the snapshot of a command that left stays")
		}
	}
	if !there(other) {
		t.Error("the snapshot of a command that is still there was removed")
	}
	earlier, leaveEarlier := ask("/snapshot") // of a command of an earlier version, which does not wait with its connection
	leaveEarlier()

	r.end()
	for _, dir := range []string{other, earlier} {
		if !there(dir) {
			t.Errorf("the end of the server removed %s, which a command may still copy", dir)
		}
	}
	leaveOther()
	r.start()
	for _, dir := range []string{other, earlier} {
		if there(dir) {
			t.Errorf("%s is left after a start", dir)
		}
	}
}

// counted verifies a folder and returns how many events its cells count.
func counted(t *testing.T, cfg app.Config) int64 {
	t.Helper()
	var n int64
	err := app.Offline(t.Context(), cfg, app.Process{}, func(ctx context.Context, a *app.App) error {
		report, err := a.Verify(ctx, verify.Options{})
		if err != nil {
			return err
		}
		for _, d := range report.Differences {
			t.Error(d)
		}
		for _, of := range a.Apps() {
			err = errors.Join(err, a.Data().Cells.Scan(ctx, of.ID, rollup.Series{Metric: rollup.Events}, rollup.Month, 0, 1<<31, func(_ rollup.Bucket, _ string, c *rollup.Cell) error {
				n += c.Count
				return nil
			}))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestBackupOfAStoppedServer(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	for n := range 7 {
		if !r.send(n) {
			t.Fatal("not acknowledged")
		}
	}
	r.end()
	target := filepath.Join(t.TempDir(), "b.tar")
	if _, err := app.Backup(t.Context(), r.cfg, app.Process{}, target, app.BackupParts{}); err != nil {
		t.Fatal(err)
	}
	cfg := r.cfg
	cfg.Data = filepath.Join(t.TempDir(), "data")
	if _, err := backup.Restore(t.Context(), target, cfg.Data); err != nil {
		t.Fatal(err)
	}
	if got := counted(t, cfg); got != 7 {
		t.Errorf("%d events restored, want 7", got)
	}
	cfg.Data = t.TempDir()
	if _, err := app.Backup(t.Context(), cfg, app.Process{}, target+"2", app.BackupParts{}); err == nil {
		t.Error("a folder that is no data folder was backed up")
	}
	if _, err := os.Stat(filepath.Join(cfg.Data, "LOCK")); err == nil {
		t.Error("a data folder was made where none was")
	}
}

// TestRetention keeps rows for two days: counts stay, rows go, and verify
// agrees.
func TestRetention(t *testing.T) {
	clock := time.Date(2031, 5, 14, 12, 0, 0, 0, time.UTC)
	r := newRig(t, func(c *app.Config) { c.Ingest.RetentionDays = 2 }, app.Process{Now: func() time.Time { return clock }})
	for day := range 6 {
		ts := clock.AddDate(0, 0, -day).UnixMilli()
		status, body, _ := r.get("/i", "app_key", "k", "device_id", fmt.Sprint("d", day), "timestamp", fmt.Sprint(ts), "begin_session", "1", "events", `[{"key":"e"}]`)
		if status != 200 {
			t.Fatalf("/i: %d %s", status, body)
		}
	}
	if err := r.app.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := func() (n int64) {
		for _, of := range r.app.Apps() {
			got, err := r.app.Data().Events.Count(t.Context(), of.ID, rowsOf("e"))
			if err != nil {
				t.Fatal(err)
			}
			n += got
		}
		return n
	}
	if got := rows(); got != 6 {
		t.Fatalf("%d rows, want 6", got)
	}
	for range 2 {
		if err := r.app.Retain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := rows(); got != 3 {
			t.Errorf("%d rows are left, want 3: of today and two days", got)
		}
	}
	_, body, _ := r.get("/o/analytics/events", "period", "30days")
	if want := `"_id":"e","c":6,`; !strings.Contains(body, want) {
		t.Errorf("events %s, want %s", body, want)
	}
	report, err := r.app.Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Errorf("verify: %v, %v", err, report.Differences)
	}
}

func TestMetrics(t *testing.T) {
	r := newRig(t, func(c *app.Config) { c.MetricsListen = "127.0.0.1:0" }, app.Process{})
	before := newRecorder()
	r.app.MetricsHandler().ServeHTTP(before, newRequest(t, "/metrics"))
	for _, want := range []string{ // series are there before the first of anything, so that rate() sees it
		`quipu_ingest_outcomes_total{item="crash",outcome="dropped_internal"} 0`, `quipu_ingest_clamped_total{item="event"} 0`,
		`quipu_http_request_seconds_count{route="ingest",status="5xx"} 0`, `quipu_sign_ins_total{outcome="refused"} 0`,
	} {
		if !strings.Contains(before.Body.String(), want+"\n") {
			t.Errorf("metrics of a new server lack %s", want)
		}
	}
	for n := range 3 {
		if !r.send(n) {
			t.Fatal("not acknowledged")
		}
	}
	r.expect(3)
	w := newRecorder()
	r.app.MetricsHandler().ServeHTTP(w, newRequest(t, "/metrics"))
	text := w.Body.String()
	for _, want := range []string{
		`quipu_ingest_outcomes_total{item="request",outcome="accepted"} 3`, `quipu_ingest_outcomes_total{item="event",outcome="accepted"} 3`,
		"quipu_pipeline_event_rows_total 3", "quipu_pipeline_requests_total 3", "quipu_journal_backlog_records 0", "quipu_pipeline_healthy 1",
		`quipu_http_request_seconds_count{route="ingest",status="2xx"} 3`, `quipu_pipeline_batch_seconds_count{phase="commit"}`,
		`quipu_store_bytes{store="events"}`, "quipu_disk_free_bytes", "go_goroutines",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if status, _, _ := r.get("/metrics"); status == 200 {
		t.Error("the public listener serves metrics")
	}
}

func rowsOf(name string) events.RowFilter { return events.RowFilter{Names: []string{name}} }

func newRecorder() *httptest.ResponseRecorder { return httptest.NewRecorder() }

func newRequest(t *testing.T, path string) *http.Request {
	t.Helper()
	return httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
}
