package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quipu/internal/store/pgtest"
	"quipu/internal/testkit/clustered"
	"quipu/internal/traffic"
)

// manage does something with an app, which has to succeed.
func (s *side) manage(path string, app int, pairs ...string) {
	s.t.Helper()
	v := url.Values{"api_key": {s.key}, "app_id": {s.ids[app]}}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	if status, body := s.get(path, v); status != http.StatusOK {
		s.t.Fatalf("%s: %d %s", path, status, body)
	}
}

// insists sends a request to where the address says at the time until it is acknowledged, as SDKs do.
func insists(t *testing.T, address *atomic.Pointer[string], body []byte) {
	t.Helper()
	last := ""
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, *address.Load()+"/i", bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			last = err.Error()
			continue
		}
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return
		}
		if last = res.Status; res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
			t.Errorf("/i: %s, Retry-After %q", res.Status, res.Header.Get("Retry-After"))
			return
		}
	}
	t.Errorf("a request is not acknowledged: %s", last)
}

// moveTraffic sends the same to two servers.
type moveTraffic struct {
	t       *testing.T
	mu      sync.Mutex
	r       *rand.Rand
	g       *traffic.Generator
	twin    atomic.Pointer[string]
	address atomic.Pointer[string]
	sent    int
	at      time.Time
}

func (m *moveTraffic) both(pairs url.Values) {
	m.at = m.at.Add(time.Second)
	pairs.Set("timestamp", fmt.Sprint(m.at.UnixMilli()))
	m.raw([]byte(pairs.Encode()))
}

func (m *moveTraffic) raw(body []byte) {
	insists(m.t, &m.twin, body)
	insists(m.t, &m.address, body)
	m.sent++
}

// send sends requests of sessions, and now and then users who are merged, crashes, events and properties.
func (m *moveTraffic) send(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.r
	for range n {
		key := sites[m.sent%len(sites)].key
		body, _ := m.g.Next(nil, traffic.Form)
		m.raw(append(body, "&app_key="+key...))
		if r.IntN(8) == 0 {
			m.both(url.Values{"app_key": {key}, "device_id": {fmt.Sprint("known", r.IntN(20))}, "old_device_id": {fmt.Sprint("guest", r.IntN(40))}, "begin_session": {"1"}, "metrics": {`{"_os":"Android","_app_version":"1.2"}`}})
		}
		if r.IntN(4) == 0 {
			m.both(url.Values{
				"app_key": {key}, "device_id": {fmt.Sprint("guest", r.IntN(40))}, "begin_session": {"1"}, "metrics": {`{"_os":"iOS","_device":"D` + fmt.Sprint(r.IntN(5)) + `"}`},
				"crash":        {fmt.Sprintf(`{"_error":"Fault %d\nat a.b(c.java:%d)","_os":"Android","_app_version":"1.0","_nonfatal":%t}`, r.IntN(4), r.IntN(4), r.IntN(2) == 0)},
				"events":       {fmt.Sprintf(`[{"key":"shop","count":%d,"sum":%d.5,"segmentation":{"kind":"k%d","n":%d}}]`, 1+r.IntN(3), r.IntN(9), r.IntN(5), r.IntN(7))},
				"user_details": {fmt.Sprintf(`{"name":"N%d","custom":{"plan":"p%d"}}`, r.IntN(9), r.IntN(3))},
			})
		}
	}
}

// killAt begins a move and kills it as soon as it has printed a line that begins so, none of which is its last for seconds.
func killAt(t *testing.T, line string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"move"}, args...)...) // this very binary
	cmd.Env = append(os.Environ(), asQuipu+"=1")
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	printed, found := []string{}, false
	for lines := bufio.NewScanner(pipe); !found && lines.Scan(); {
		printed = append(printed, lines.Text())
		found = strings.HasPrefix(lines.Text(), line)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !found || !errors.As(err, &exit) || !exit.Sys().(syscall.WaitStatus).Signaled() {
		t.Fatalf("the move is not killed at a line that begins with %q: %v\n%s", line, err, strings.Join(printed, "\n"))
	}
}

// TestMove moves a server that goes on taking traffic to a cluster. The move is killed in the middle and started again. Another server gets the same
// requests; in the end a node of the cluster answers every read as it does.
func TestMove(t *testing.T) {
	stores := clustered.NewStores(t)
	folder := filepath.Join(t.TempDir(), "data")
	old := newSide(t, start(t, folder, admin...))
	want := newSide(t, start(t, filepath.Join(t.TempDir(), "twin"), admin...))
	g, err := traffic.New(traffic.Config{Seed: 11, Users: 80, Start: time.Now().Add(-50 * time.Hour), SessionsPerDay: 120})
	if err != nil {
		t.Fatal(err)
	}
	m := &moveTraffic{t: t, r: rand.New(rand.NewPCG(11, 3)), g: g, at: time.Now().Add(-40 * time.Hour)} // not for secrets
	m.twin.Store(&want.url)
	m.address.Store(&old.url)
	m.send(150)
	for _, s := range []*side{old, want} {
		s.manage("/i/apps/reset", 3, "args", fmt.Sprintf(`{"app_id":%q,"period":"reset"}`, s.ids[3]))
		s.manage("/i/cohorts/add", 0, "cohort_name", "buyers", "steps", `[{"type":"did","event":"shop","times":"{\"$gte\":1}","period":"0days","query":"{}","byVal":""}]`)
	}
	m.send(100)

	plan, err := command(t, "", "move", "--data", folder, "--to", stores.File, "--plan")
	if err != nil || !strings.Contains(plan, "PostgreSQL, state: 1. make the tables of the state") || !strings.Contains(plan, "make a snapshot of the data folder") {
		t.Fatalf("plan: %v\n%s", err, plan)
	}
	stop := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				m.send(1)
			}
		}
	})
	for _, line := range []string{"copies ", "copied:", "all cells", "followed:"} {
		killAt(t, line, "--data", folder, "--to", stores.File)
	}
	out, err := command(t, "", "move", "--data", folder, "--to", stores.File)
	t.Logf("move:\n%s", out)
	if err != nil {
		close(stop)
		m.address.Store(&want.url) // so that what waits ends
		sending.Wait()
		t.Fatal(err)
	}
	node := startWith(t, []string{"--data", filepath.Join(t.TempDir(), "node"), "--listen", "127.0.0.1:0", "--cluster", stores.File}, "QUIPU_SECRET_KEY_FILE="+filepath.Join(folder, "secret.key"))
	m.address.Store(&node.url)
	got := &side{process: node, key: old.key, ids: old.ids}
	m.send(40)
	close(stop)
	sending.Wait()
	equal(t, "after the move", want, got, questions(0, 1))
	if err := old.end(syscall.SIGTERM); err != nil {
		t.Errorf("the server whose data has moved, after SIGTERM: %v", err)
	}
	t.Logf("%d requests", m.sent)
}

// TestMoveRefused finds a cluster that has other figures: the server goes on. Then it moves without a server. Neither nodes of a cluster into which data still moves
// start, nor a server on a folder whose data has moved.
func TestMoveRefused(t *testing.T) {
	stores := clustered.NewStores(t)
	folder := filepath.Join(t.TempDir(), "data")
	old := newSide(t, start(t, folder, admin...))
	m := &moveTraffic{t: t, r: rand.New(rand.NewPCG(5, 5)), at: time.Now().Add(-40 * time.Hour)} // not for secrets
	var err error
	if m.g, err = traffic.New(traffic.Config{Seed: 5, Users: 30, Start: time.Now().Add(-50 * time.Hour), SessionsPerDay: 120}); err != nil {
		t.Fatal(err)
	}
	m.twin.Store(&old.url) // twice is once
	m.address.Store(&old.url)
	m.send(60)

	// A move to another cluster, which is given up: what it leaves there is refused, and does not keep the folder from moving elsewhere.
	other := clustered.NewStores(t)
	killAt(t, "copies ", "--data", folder, "--to", other.File)
	if out, err := command(t, "", "move", "--data", folder, "--to", stores.File); err == nil || !strings.Contains(out, "already being moved to another cluster") {
		t.Errorf("to two clusters: %v\n%s", err, out)
	}
	if out, err := command(t, "", "move", "--data", folder, "--give-up"); err != nil {
		t.Errorf("given up: %v\n%s", err, out)
	}
	if out, err := command(t, "", "move", "--data", folder, "--to", other.File); err == nil || !strings.Contains(out, "other data has been or is being moved into this cluster") {
		t.Errorf("to a cluster with data of another move: %v\n%s", err, out)
	}
	// A move that has copied, and broke off then.
	killAt(t, "followed:", "--data", folder, "--to", stores.File)
	if out, err := command(t, "", "serve", "--data", filepath.Join(t.TempDir(), "early"), "--listen", "127.0.0.1:0", "--cluster", stores.File); err == nil || !strings.Contains(out, "data is being moved into this cluster") {
		t.Errorf("a node starts while data moves: %v\n%s", err, out)
	}
	address, err := os.ReadFile(filepath.Join(filepath.Dir(stores.File), "address"))
	if err != nil {
		t.Fatal(err)
	}
	where, err := url.Parse(strings.TrimSpace(string(address)))
	if err != nil {
		t.Fatal(err)
	}
	database := strings.TrimPrefix(where.Path, "/")
	// The events of all apps are taken away, and given back below.
	hide := func(by int) {
		pgtest.Shared(t).SQL(t, database, fmt.Sprintf("UPDATE quipu_state.schema_events SET app = set_byte(app, 0, (get_byte(app, 0) + %d) %% 256)", by))
	}
	hide(1)
	out, err := command(t, "", "move", "--data", folder, "--to", stores.File)
	if err == nil || !strings.Contains(out, "the figures of the cluster differ") || !strings.Contains(out, "reports differ") {
		t.Fatalf("a cluster with other figures: %v\n%s", err, out)
	}
	m.send(20) // the server accepts again
	hide(255)
	if err := old.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	out, err = command(t, "", "move", "--data", folder, "--to", stores.File)
	if err != nil || !strings.Contains(out, "no server runs on the folder") || !strings.Contains(out, "the data has moved") {
		t.Fatalf("without a server: %v\n%s", err, out)
	}
	t.Log(out)
	if out, err := command(t, "", "serve", "--data", folder, "--listen", "127.0.0.1:0"); err == nil || !strings.Contains(out, "the data of this folder has moved") {
		t.Errorf("a server starts on a folder that has moved: %v\n%s", err, out)
	}
	if out, err := command(t, "", "move", "--data", folder, "--to", stores.File); err != nil || !strings.Contains(out, "the data has moved") {
		t.Errorf("once more: %v\n%s", err, out)
	}
	node := startWith(t, []string{"--data", filepath.Join(t.TempDir(), "node"), "--listen", "127.0.0.1:0", "--cluster", stores.File}, "QUIPU_SECRET_KEY_FILE="+filepath.Join(folder, "secret.key"))
	got := &side{process: node, key: old.key, ids: old.ids}
	got.manage("/o", 0, "method", "users")
}
