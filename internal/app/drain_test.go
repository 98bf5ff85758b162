package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/testkit"
)

// oldCluster is a cluster whose data has moved to a folder, and whose nodes still accept.
type oldCluster struct {
	t     *testing.T
	nats  *natstest.Cluster
	file  string
	bases journal.Watermark
}

func newOldCluster(t *testing.T) *oldCluster {
	t.Helper()
	c := &oldCluster{t: t, nats: natstest.Start(t, natstest.Options{}), bases: journal.Watermark{0: 100, 1: 200, 2: 300, 3: 400}}
	c.file = clusterFile(t, fmt.Sprintf(`
partitions: 4
journal: {engine: jetstream, replicas: 1, addresses: [%q], user: %s, password: %s, system: {user: %s, password: %s}}
state: {address: "postgres://nobody@127.0.0.1:1/none"}
clickhouse: {addresses: ["http://127.0.0.1:1"], database: none}
files: none
`, c.nats.URL(), natstest.User, natstest.User, natstest.System, natstest.System))
	return c
}

// node calls fn with the journal as a node has it.
func (c *oldCluster) node(fn func(journal.Journal)) {
	c.t.Helper()
	nc := c.nats.Connect()
	defer nc.Close()
	j, err := jetstream.Open(c.t.Context(), nc, jetstream.Options{Partitions: 4, Replicas: 1, MaxBytes: 64 << 20, MaxAppend: 1 << 20})
	if err != nil {
		c.t.Fatal(err)
	}
	fn(journal.Behind(j, c.bases))
	if err := j.Close(); err != nil {
		c.t.Error(err)
	}
}

// note writes the note of the folder that the data has moved, as it is in the cluster's journal now.
func (c *oldCluster) note(data string, done bool) {
	c.t.Helper()
	var at journal.Watermark
	c.node(func(j journal.Journal) { at = j.End() })
	text, err := json.Marshal(map[string]any{"id": "m1", "cluster": c.file, "at": at, "bases": c.bases, "done": done})
	if err == nil {
		err = os.MkdirAll(filepath.Join(data, "move"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "move", "back.json"), text, 0o600)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// session is what a client sent to a node.
func session(t *testing.T, of testkit.TestApp, device string, at time.Time) journal.Entry {
	t.Helper()
	id, err := model.ParseID(of.ID)
	if err != nil {
		t.Fatal(err)
	}
	rec := request.Record{Kind: request.Client, App: id, Received: at.UnixMilli()}
	for _, p := range [][2]string{{"device_id", device}, {"begin_session", "1"}, {"timestamp", strconv.FormatInt(at.UnixMilli(), 10)}} {
		rec.Params = append(rec.Params, request.Param{Name: p[0], Value: []byte(p[1])})
	}
	return journal.Entry{Routing: journal.Routing(id), Payload: request.Append(nil, &rec)}
}

// send has a client send the same to the folder's server.
func send(srv *testkit.Server, of testkit.TestApp, device string, at time.Time) {
	srv.Ingest(of, device, "begin_session", "1", "timestamp", strconv.FormatInt(at.UnixMilli(), 10))
}

// sessions waits until an app has so many sessions, and then checks that it has no more.
func sessions(t *testing.T, srv *testkit.Server, of testkit.TestApp, want int) {
	t.Helper()
	is := regexp.MustCompile(fmt.Sprintf(`"t":%d\D`, want))
	for end := time.Now().Add(40 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		srv.Flush()
		got := srv.Admin("/o", "method", "users", "app_id", of.ID)
		if is.MatchString(got) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("want %d sessions: %s", want, got)
		}
	}
}

// ready waits until a server accepts data.
func ready(t *testing.T, srv *testkit.Server) {
	t.Helper()
	for end := time.Now().Add(time.Minute); srv.Get("/readyz").Status != http.StatusOK; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the server accepts nothing")
		}
	}
}

// TestDrainSteady starts a server while nodes accept data all the time: its own clients are not refused for longer than it takes what was there.
func TestDrainSteady(t *testing.T) {
	c, srv, now := newOldCluster(t), testkit.New(t), time.Now()
	one := srv.CreateApp("one", "UTC")
	srv.Stop()
	c.note(srv.Data(), true)
	var sending sync.WaitGroup
	var sent atomic.Int64
	var enough atomic.Bool
	for range 4 {
		sending.Go(func() {
			c.node(func(j journal.Journal) {
				var g sync.WaitGroup
				for range 16 {
					g.Go(func() {
						for !enough.Load() {
							if _, err := j.Append(t.Context(), session(t, one, fmt.Sprint(sent.Add(1)), now)); err != nil && !errors.Is(err, journal.ErrFull) {
								t.Error(err)
								return
							}
						}
					})
				}
				g.Wait()
			})
		})
	}
	defer sending.Wait()
	defer enough.Store(true)
	for sent.Load() < 1000 {
		time.Sleep(time.Millisecond)
	}
	srv.Start()
	began := time.Now()
	ready(t, srv)
	t.Logf("ready after %v, %d records were sent", time.Since(began), sent.Load())
	enough.Store(true)
	sending.Wait()
	send(srv, one, "own", now)
}

// endBack is quipu move --back --end.
func endBack(ctx context.Context, srv *testkit.Server, giveUp bool) error {
	cfg := app.DefaultConfig()
	cfg.Data = srv.Data()
	return app.EndMoveBack(ctx, cfg, app.Process{Shared: true}, giveUp)
}

// TestDrain runs a server on a folder into which data has moved from a cluster whose nodes still accept: with the journal of the cluster away at the start, with a restart in between,
// with clients of its own, and with requests that both got. Each request counts once. The cluster is forgotten only when all is taken.
func TestDrain(t *testing.T) {
	const patience = time.Second
	c, srv, now := newOldCluster(t), testkit.New(t, testkit.WithBackPatience(patience)), time.Now()
	one, two := srv.CreateApp("one", "UTC"), srv.CreateApp("two", "UTC")
	if err := endBack(t.Context(), srv, false); err == nil {
		t.Error("what has not begun is ended")
	}
	add := func(first, n int) {
		t.Helper()
		c.node(func(j journal.Journal) {
			for i := first; i < first+n; i++ {
				for _, of := range []testkit.TestApp{one, two} {
					if _, err := j.Append(t.Context(), session(t, of, fmt.Sprintf("node-%d", i), now)); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
	add(1_000_000, 3) // were projected before the data moved
	srv.Stop()
	c.note(srv.Data(), false)
	if a, err := app.Open(t.Context(), func() app.Config { cfg := app.DefaultConfig(); cfg.Data = srv.Data(); return cfg }(), app.Process{Shared: true}); err == nil {
		t.Error("a server starts on a folder that is not whole")
		_ = a.Close()
	} else if !strings.Contains(err.Error(), "data moves into this folder from a cluster") {
		t.Error(err)
	}
	if err := endBack(t.Context(), srv, true); err == nil {
		t.Error("a folder that is not whole is given up")
	}
	c.note(srv.Data(), true)
	add(0, 40)
	c.nats.Stop(0)
	srv.Start()
	began := time.Now()
	for { // what nodes have accepted comes first, but is not waited for forever
		got := srv.Get("/i", "app_key", one.Key, "device_id", "own-0", "begin_session", "1", "timestamp", strconv.FormatInt(now.UnixMilli(), 10))
		if got.Status == http.StatusOK {
			break
		}
		if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || time.Since(began) > 20*time.Second {
			t.Fatalf("/i while the journal of the cluster is away, after %v: %d, Retry-After %q", time.Since(began), got.Status, got.Header.Get("Retry-After"))
		}
		time.Sleep(20 * time.Millisecond)
	}
	if took := time.Since(began); took < patience/2 {
		t.Errorf("clients are let in after %v, while the journal of the cluster is away", took)
	}
	ready(t, srv)
	for i := 1; i < 10; i++ {
		send(srv, one, fmt.Sprintf("own-%d", i), now)
	}
	send(srv, one, "node-7", now) // a node got it, too
	sessions(t, srv, one, 11)
	if got := srv.Get("/readyz"); got.Status != 200 {
		t.Errorf("/readyz while the journal of the cluster is away: %d %s", got.Status, got.Body)
	}
	if err := endBack(t.Context(), srv, false); err == nil || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), "--give-up") {
		t.Errorf("it is ended while the journal of the cluster is away: %v", err)
	}
	c.nats.Run(0)
	sessions(t, srv, one, 50)
	sessions(t, srv, two, 40)
	if err := srv.App().(*app.App).BeginMove(t.Context()); err == nil {
		t.Error("a move to another cluster begins before this one has ended")
	}
	add(40, 100)
	srv.Stop() // somewhere in between
	add(140, 100)
	srv.Start()
	c.node(func(j journal.Journal) { // what the folder's server has had
		for i := range 10 {
			if _, err := j.Append(t.Context(), session(t, one, fmt.Sprintf("own-%d", i), now)); err != nil {
				t.Fatal(err)
			}
		}
	})
	open, err := srv.App().(*app.App).Pause(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	add(240, 1)
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	if err := endBack(short, srv, false); err == nil {
		t.Error("a server that is paused takes records")
	}
	cancel()
	if !open() {
		t.Error("it stays paused")
	}
	c.nats.Stop(0)
	c.nats.Run(0)
	add(241, 9)
	if err := endBack(t.Context(), srv, false); err != nil {
		t.Fatal(err)
	}
	sessions(t, srv, one, 260)
	sessions(t, srv, two, 250)
	if _, err := os.Stat(filepath.Join(srv.Data(), "move", "back.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the note is there: %v", err)
	}
	if got := srv.App().(*app.App).Taken(); len(got) != 0 {
		t.Errorf("it is noted that records are taken: %v", got)
	}
	if err := endBack(t.Context(), srv, false); err == nil {
		t.Error("it is ended twice")
	}
	if err := srv.App().(*app.App).BeginMove(t.Context()); err != nil {
		t.Errorf("a move afterwards: %v", err)
	}
	if err := srv.App().(*app.App).CancelMove(t.Context()); err != nil {
		t.Error(err)
	}
	add(2_000_000, 1)
	srv.Stop()
	srv.Start()
	srv.Flush()
	sessions(t, srv, two, 250)
	if got := srv.App().(*app.App).Taken(); len(got) != 0 {
		t.Errorf("records are taken after the end: %v", got)
	}
}

// TestDrainOffline ends with no server on the folder: given up, the cluster is forgotten without a look.
func TestDrainOffline(t *testing.T) {
	c, srv, now := newOldCluster(t), testkit.New(t), time.Now()
	one := srv.CreateApp("one", "UTC")
	srv.Stop()
	c.note(srv.Data(), true)
	c.node(func(j journal.Journal) {
		for i := range 5 {
			if _, err := j.Append(t.Context(), session(t, one, fmt.Sprint(i), now)); err != nil {
				t.Fatal(err)
			}
		}
	})
	note, err := os.ReadFile(filepath.Join(srv.Data(), "move", "back.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := endBack(t.Context(), srv, false); err != nil {
		t.Fatal(err)
	}
	srv.Start()
	sessions(t, srv, one, 5)
	srv.Stop()
	if err := os.WriteFile(filepath.Join(srv.Data(), "move", "back.json"), note, 0o600); err != nil {
		t.Fatal(err)
	}
	c.nats.Stop(0)
	if err := endBack(t.Context(), srv, false); err == nil {
		t.Error("it is ended while the journal of the cluster is away")
	}
	if err := endBack(t.Context(), srv, true); err != nil {
		t.Error(err)
	}
	if err := endBack(t.Context(), srv, true); err == nil {
		t.Error("it is given up twice")
	}
}
