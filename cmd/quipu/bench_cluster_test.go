package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"quipu/internal/bench"
	"quipu/internal/testkit/clustered"
)

// TestBenchCluster measures a cluster with numbers so small that the figures say nothing: all of it has to run, and to leave nothing behind.
func TestBenchCluster(t *testing.T) {
	stores := clustered.NewApart(t)
	dir := t.TempDir()
	r, err := bench.Run(t.Context(), bench.Options{
		Modes: []string{bench.ClusterMode, bench.ClusterReadsMode}, Cluster: stores.File, Nodes: 2, ClusterApps: 3, Users: 60, Events: 300, Rounds: 1, ReadEvents: 3000, ReadRounds: 1, Days: 5,
		Connections: 4, Look: 200 * time.Millisecond, Memory: "256MiB", Dir: dir, Seed: 1, Limit: 4 * time.Minute, Engines: map[string][]int{"clickhouse": {stores.ClickHouse.Pid()}},
		Program: os.Args[0], Env: []string{asQuipu + "=1"}, Command: "quipu bench cluster", Now: time.Now, Out: t.Output(), Err: t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := r.Markdown(&page); err != nil {
		t.Fatal(err)
	}
	t.Log(page.String())
	for _, figure := range []string{
		"own stores, /i: CPU", "1 worker, /i/bulk: CPU of the nodes", "2 workers, /i: CPU for a million events as a multiple", "CPU of the engines for a million events | clickhouse ",
		"a node with the role ingest, /i: network to and from journal", "a node with the roles work and read, /i: network to and from postgres", "log (WAL) of PostgreSQL", "cluster: ", "bytes an event in ClickHouse",
		"dashboard reads, all of them", "funnel of 5 steps in sequence", "a node is killed", "; 0 | 0 differ |",
	} {
		if !strings.Contains(page.String(), figure) {
			t.Errorf("there is no figure %q", figure)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	if out := stores.Postgres.SQL(t, "postgres", "SELECT datname FROM pg_database WHERE datname LIKE 'quipu_bench%'"); out != "" {
		t.Errorf("databases are left: %s", out)
	}
	if list, err := stores.NATS.Streams("quipu_bench"); err == nil {
		t.Errorf("streams are left: %v", list)
	}
}
