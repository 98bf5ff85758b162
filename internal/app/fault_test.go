package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"quipu/internal/app"
	"quipu/internal/auth"
	"quipu/internal/store/events"
)

// rig is a server on stores that can be made to fail.
type rig struct {
	t    *testing.T
	cfg  app.Config
	proc app.Process
	app  *app.App
	srv  *httptest.Server
	stop context.CancelFunc
	done chan error
	key  string // api_key
	id   string // of the app
}

func newRig(t *testing.T, cfg func(*app.Config), proc app.Process) *rig {
	t.Helper()
	r := &rig{t: t, cfg: app.DefaultConfig(), proc: proc}
	r.proc.Shared, r.proc.Hash = true, auth.HashParams{Memory: 8, Passes: 1, Threads: 1} // the least costs
	r.cfg.Data, r.cfg.Ingest.DiskReserve = t.TempDir(), 0
	if cfg != nil {
		cfg(&r.cfg)
	}
	r.proc.FirstAdmin = app.NewAdmin{Username: "root", Password: "Correct-horse-1", Email: "root@example.org", FullName: "Root"}
	r.start()
	t.Cleanup(func() { r.end() })
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.srv.URL+"/api-key", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("root", "Correct-horse-1")
	_, r.key, _ = r.do(req)
	_, body, _ := r.get("/i/apps/create", "args", `{"name":"a","key":"k"}`)
	r.id = body[strings.Index(body, `"_id":"`)+7:][:24]
	return r
}

// copied is a rig whose server has ended, on a copy of the folder.
func (r *rig) copied(t *testing.T) *rig {
	t.Helper()
	c := &rig{t: t, cfg: r.cfg, proc: r.proc, key: r.key, id: r.id}
	c.cfg.Data = filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(c.cfg.Data, os.DirFS(r.cfg.Data)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	return c
}

func (r *rig) start() {
	r.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	a, err := app.Open(ctx, r.cfg, r.proc)
	if err != nil {
		stop()
		r.t.Fatalf("open: %v", err)
	}
	r.app, r.stop, r.done = a, stop, make(chan error, 1)
	r.srv = httptest.NewUnstartedServer(nil)
	ln := r.srv.Listener
	r.srv.URL = "http://" + ln.Addr().String()
	go func() { r.done <- a.Run(ctx, ln) }()
}

// end stops the server, however well that goes with its stores.
func (r *rig) end() {
	if r.app == nil {
		return
	}
	r.stop()
	runErr := <-r.done
	closeErr := r.app.Close()
	if err := errors.Join(runErr, closeErr); err != nil {
		r.t.Logf("the server ended with %v", err)
	}
	r.app = nil
}

func (r *rig) do(req *http.Request) (int, string, http.Header) {
	r.t.Helper()
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		r.t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		r.t.Fatal(err, cerr)
	}
	return res.StatusCode, string(body), res.Header
}

func (r *rig) get(path string, pairs ...string) (int, string, http.Header) {
	r.t.Helper()
	v := url.Values{"api_key": {r.key}, "app_id": {r.id}}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.srv.URL+path+"?"+v.Encode(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.do(req)
}

// send ingests one event of a device and reports whether it was acknowledged; a
// refusal must be a 503 that says when to come back.
func (r *rig) send(n int) bool {
	r.t.Helper()
	status, body, h := r.get("/i", "app_key", "k", "device_id", fmt.Sprint("d", n), "events", `[{"key":"e"}]`)
	switch status {
	case http.StatusOK:
		return true
	case http.StatusServiceUnavailable:
		if h.Get("Retry-After") == "" || !strings.HasPrefix(body, `{"result":"`) {
			r.t.Errorf("503 without Retry-After or result: %v %s", h, body)
		}
		return false
	}
	r.t.Fatalf("/i: %d %s", status, body)
	return false
}

// counted returns how many events the reads show, once all is projected.
func (r *rig) counted() string {
	r.t.Helper()
	if err := r.app.Flush(r.t.Context()); err != nil {
		r.t.Fatalf("flush: %v", err)
	}
	_, body, _ := r.get("/o/analytics/events", "period", "today")
	return body
}

func (r *rig) expect(acked int) {
	r.t.Helper()
	want := fmt.Sprintf(`{"all":[{"_id":"e","c":%d,"s":0,"dur":0,"key":"e"}]}`, acked)
	if got := r.counted(); got != want {
		r.t.Errorf("events %s, want %s", got, want)
	}
}

func TestFullDisk(t *testing.T) {
	r := newRig(t, func(c *app.Config) { c.Ingest.DiskReserve = 1 << 60 }, app.Process{})
	for n := range 3 {
		if r.send(n) {
			t.Error("a request was accepted below the reserve of the disk")
		}
	}
	if status, body, _ := r.get("/o/ping"); status != http.StatusOK {
		t.Errorf("reads on a full disk: %d %s", status, body)
	}
	r.end()
	r.cfg.Ingest.DiskReserve = 0 // as if room had been made
	r.start()
	for n := range 3 {
		if !r.send(n) {
			t.Error("a request was refused with room on the disk")
		}
	}
	r.expect(3)
}

// failing is an event store whose commits fail while broken is set.
type failing struct {
	events.Writer
	broken *atomic.Bool
	failed chan struct{} // one element for each commit that failed
}

func (f failing) Commit(ctx context.Context, b *events.Batch) error {
	if f.broken.Load() {
		select {
		case f.failed <- struct{}{}:
		default:
		}
		return errors.New("injected: commit failed")
	}
	return f.Writer.Commit(ctx, b)
}

func TestEventStoreFailsToCommit(t *testing.T) {
	var broken atomic.Bool
	failed := make(chan struct{}, 1)
	r := newRig(t, nil, app.Process{Events: func(w events.Writer) events.Writer { return failing{w, &broken, failed} }})
	acked := 0
	for n := range 5 {
		if r.send(n) {
			acked++
		}
	}
	broken.Store(true)
	if r.send(5) { // accepted: nobody knows yet
		acked++
	}
	<-failed
	refused := false
	for n := 6; n < 10_000 && !refused; n++ {
		if r.send(n) {
			acked++
		} else {
			refused = true
		}
	}
	if !refused {
		t.Error("ingestion went on while nothing could be committed")
	}
	broken.Store(false)
	r.expect(acked)
	if !r.send(20_000) {
		t.Error("ingestion is still refused after the store recovered")
	}
	r.expect(acked + 1)
}

func TestStateFailsToWrite(t *testing.T) {
	var broken atomic.Bool
	inj := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if broken.Load() && op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return errorfs.ErrInjected
		}
		return nil
	})
	r := newRig(t, nil, app.Process{StateFS: errorfs.Wrap(vfs.Default, inj)})
	acked := 0
	for n := range 20 {
		if r.send(n) {
			acked++
		}
	}
	broken.Store(true)
	if r.send(20) {
		t.Error("a request was acknowledged that could not be written")
	}
	if r.send(21) {
		t.Error("a request was acknowledged after the state had failed")
	}
	r.end()
	broken.Store(false)
	r.start()
	r.expect(acked)
	if !r.send(22) {
		t.Error("ingestion is refused after the restart")
	}
	r.expect(acked + 1)
}

// full is a disk that has no room for the state while broken is set.
type full struct {
	vfs.FS
	broken *atomic.Bool
}

// GetDiskUsage implements vfs.FS.
func (f full) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	u, err := f.FS.GetDiskUsage(path)
	if f.broken.Load() {
		u.AvailBytes = 0
	}
	return u, err
}

// TestDiskRunsFull takes the room from a running server: ingestion answers 503, reads go on, and with room
// again so does ingestion, without a restart.
func TestDiskRunsFull(t *testing.T) {
	var broken atomic.Bool
	lacked := make(chan struct{}, 1)
	inj := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if broken.Load() && op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpRemove {
			select {
			case lacked <- struct{}{}:
			default:
			}
			return syscall.ENOSPC
		}
		return nil
	})
	r := newRig(t, func(c *app.Config) { c.MetricsListen = "127.0.0.1:0" }, app.Process{StateFS: full{errorfs.Wrap(vfs.Default, inj), &broken}})
	acked := 0
	for n := range 20 {
		if r.send(n) {
			acked++
		}
	}
	r.expect(acked)
	broken.Store(true)
	first := make(chan bool) // waits for room
	go func() { first <- r.send(20) }()
	<-lacked
	for n := 21; n < 30; n++ {
		if r.send(n) {
			t.Error("a request was acknowledged on a full disk")
		}
	}
	for _, path := range []string{"/livez", "/o/analytics/events", "/o/analytics/dashboard"} {
		if status, body, _ := r.get(path, "period", "today"); status != http.StatusOK {
			t.Errorf("%s on a full disk: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/readyz", "/o/ping"} { // they say what clients will meet
		if status, body, _ := r.get(path); status != http.StatusServiceUnavailable {
			t.Errorf("%s on a full disk: %d %s", path, status, body)
		}
	}
	metrics := httptest.NewRecorder()
	r.app.MetricsHandler().ServeHTTP(metrics, newRequest(t, "/metrics"))
	for _, want := range []string{"quipu_ingest_accepting 0", `quipu_ingest_refusing{reason="disk_full"} 1`, `quipu_ingest_refusing{reason="journal_full"} 0`} {
		if !strings.Contains(metrics.Body.String(), want+"\n") {
			t.Errorf("metrics on a full disk lack %s", want)
		}
	}
	broken.Store(false)
	if <-first {
		acked++
	}
	for n := 30; !r.send(n); n++ { // the server looks for room a few times a second
		if n > 100_000 {
			t.Fatal("ingestion does not go on with room on the disk")
		}
	}
	acked++
	r.expect(acked)
	for _, path := range []string{"/readyz", "/o/ping"} {
		if status, body, _ := r.get(path); status != http.StatusOK {
			t.Errorf("%s with room on the disk: %d %s", path, status, body)
		}
	}
}
