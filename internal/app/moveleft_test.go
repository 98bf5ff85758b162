package app_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/store/state/postgres"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

// ticking is a module whose jobs run all the time.
type ticking struct{ worker, every atomic.Int64 }

func (k *ticking) modules(list []kernel.Module) []kernel.Module {
	count := func(n *atomic.Int64) jobs.Func {
		return func(context.Context) error { n.Add(1); return nil }
	}
	return append(list, kernel.Module{Name: "ticking", Setup: kernel.Alone(func(s *kernel.Scope) error {
		s.Jobs.Every("tick", 20*time.Millisecond, count(&k.worker))
		s.Jobs.OnEveryNode("everywhere", 20*time.Millisecond, count(&k.every))
		return nil
	})})
}

// moveOut notes that the data of a cluster has left, as a process does that holds all partitions alone.
func moveOut(t *testing.T, stores *clustered.Stores) {
	t.Helper()
	cfg, err := app.LoadCluster(stores.File)
	if err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(t.Context(), postgres.Options{DSN: cfg.State.Address.Value, Partitions: cfg.Partitions, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	done := false
	err = db.Keep(postgres.KeeperOptions{Alone: true, Every: 100 * time.Millisecond}).Run(ctx, func(working context.Context, w *postgres.Worker) error {
		if len(w.Leases()) < cfg.Partitions {
			<-working.Done()
			return nil
		}
		err := db.MoveOut(working, w.Leases(), []byte(`{"id":"","left":"a move"}`))
		if err == nil {
			done = true
			stop()
		}
		return err
	})
	if cerr := db.Close(); err != nil || cerr != nil || !done {
		t.Fatalf("the data has not left: %v, %v", err, cerr)
	}
}

// TestLeft has the data of a cluster leave for a folder while nodes run: they accept what devices send, project nothing, answer nobody else, and run no jobs. Another one does not start.
func TestLeft(t *testing.T) {
	stores := clustered.NewStores(t)
	ticks, edgeTicks := &ticking{}, &ticking{}
	node := testkit.New(t, stores.Node(), testkit.WithModules(ticks.modules), testkit.WithConfig(func(c *app.Config) { c.MetricsListen = "127.0.0.1:0" }))
	a := node.CreateApp("shop", "UTC")
	edge := testkit.New(t, stores.Node(), testkit.WithModules(edgeTicks.modules), testkit.WithConfig(func(c *app.Config) { c.Roles = []string{"ingest"} }))
	wait := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: not within 20 s", what)
			}
		}
	}
	send := func(s *testkit.Server, device string) int {
		return s.Post("/i", "app_key", a.Key, "device_id", device, "begin_session", "1").Status
	}
	wait("the edge knows the app", func() bool { return send(edge, "d1") == http.StatusOK })
	node.Flush()
	wait("jobs run", func() bool { return ticks.worker.Load() > 0 && ticks.every.Load() > 0 && edgeTicks.every.Load() > 0 })
	if got := node.Get("/readyz"); got.Status != http.StatusOK {
		t.Errorf("/readyz before: %d %s", got.Status, got.Body)
	}

	moveOut(t, stores)
	for _, s := range []*testkit.Server{node, edge} {
		wait("a node notices", func() bool { return s.Get("/readyz").Status == http.StatusServiceUnavailable })
	}
	end, behind, err := node.App().(*app.App).Journaled(t.Context())
	if err != nil || behind != 0 {
		t.Fatalf("%d of %d records wait, %v", behind, end, err)
	}
	time.Sleep(100 * time.Millisecond) // runs under way end
	before := [3]int64{ticks.worker.Load(), ticks.every.Load(), edgeTicks.every.Load()}
	for _, c := range []struct {
		of           *testkit.Server
		method, path string
		code         string
		status       int
	}{
		{node, "GET", "/livez", "", 200},
		{edge, "GET", "/livez", "", 200},
		{node, "GET", "/readyz?role=read", "system.refusing", 503},
		{node, "GET", "/readyz?role=work", "system.refusing", 503},
		{node, "GET", "/readyz?role=ingest", "", 200},
		{node, "GET", "/o?method=users&app_id=" + a.ID + "&api_key=" + node.Key, "cluster.moved", 503},
		{node, "GET", "/i/apps/create?args={}&api_key=" + node.Key, "cluster.moved", 503},
		{node, "GET", "/o/ping", "cluster.moved", 503},
		{node, "GET", "/login", "cluster.moved", 503},
		{node, "GET", "/o/sdk?method=sc&app_key=" + a.Key + "&device_id=d", "", 200},
		{edge, "GET", "/o/sdk?method=sc&app_key=" + a.Key + "&device_id=d", "", 200},
		{edge, "GET", "/o?method=users&app_id=" + a.ID + "&api_key=" + node.Key, "cluster.moved", 503},
	} {
		if r := c.of.Do(c.method, c.path, nil); r.Status != c.status || r.Header.Get("Quipu-Error") != c.code {
			t.Errorf("%s %s: %d %q %s, want %d %q", c.method, c.path, r.Status, r.Header.Get("Quipu-Error"), r.Body, c.status, c.code)
		}
	}
	if status, body := node.App().(*app.App).Ready(); status != http.StatusServiceUnavailable || body != "moved\n" {
		t.Errorf("/readyz for operators: %d %q", status, body)
	}
	for i, s := range []*testkit.Server{node, edge, node} {
		if got := send(s, "d"+string(rune('2'+i))); got != http.StatusOK {
			t.Errorf("/i: %d", got)
		}
	}
	if got := node.Post("/i/bulk", "requests", `[{"app_key":"`+a.Key+`","device_id":"d5","begin_session":1}]`); got.Status != http.StatusOK {
		t.Errorf("/i/bulk: %d %s", got.Status, got.Body)
	}
	time.Sleep(1500 * time.Millisecond) // longer than keepers and jobs wait
	now, behind, err := node.App().(*app.App).Journaled(t.Context())
	if now != end+4 || behind != 4 || err != nil {
		t.Errorf("the journal grew by %d records, of which %d wait, %v; want 4", now-end, behind, err)
	}
	if after := [3]int64{ticks.worker.Load(), ticks.every.Load(), edgeTicks.every.Load()}; after != before {
		t.Errorf("runs of jobs: %v, before %v", after, before)
	}
	cfg := app.DefaultConfig()
	cfg.Cluster, cfg.Data, cfg.SecretKey = stores.File, t.TempDir(), strings.Repeat("5a", 32)
	other, err := app.Open(t.Context(), cfg, app.Process{Shared: true})
	if err == nil {
		err = other.Close()
		t.Errorf("another node starts, %v", err)
	} else if !strings.Contains(err.Error(), "quipu move --back") {
		t.Errorf("another node: %v", err)
	}
	at := time.Now()
	node.Stop()
	if took := time.Since(at); took > 10*time.Second {
		t.Errorf("the end of the node took %v: it waited for records that nobody projects", took)
	}
}
