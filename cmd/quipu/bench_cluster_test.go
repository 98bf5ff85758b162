package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/bench"
	"quipu/internal/store/ch"
	"quipu/internal/testkit/clustered"
)

// TestBenchCluster measures a cluster with numbers so small that the figures say nothing: all of it has to run, and to leave nothing behind.
func TestBenchCluster(t *testing.T) {
	stores := clustered.NewApart(t)
	dir := t.TempDir()
	r, err := bench.Run(t.Context(), bench.Options{
		Modes: []string{bench.ClusterMode, bench.ClusterReadsMode}, Cluster: stores.File, Nodes: 2, ClusterApps: 3, Pace: 150, Users: 60, Events: 300, Rounds: 1, ReadEvents: 3000, ReadRounds: 1, Days: 5,
		Connections: 4, Look: 100 * time.Millisecond, Memory: "256MiB", Dir: dir, Seed: 1, Limit: 4 * time.Minute, Engines: map[string][]int{"clickhouse": {stores.ClickHouse.Pid()}},
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
	if want := "`quipu bench --cluster FILE --markdown FILE cluster cluster-reads` writes this page"; !strings.Contains(page.String(), want) {
		t.Errorf("the page does not say %q", want)
	}
	const one, seconds = `[1-9]\d*`, `\d+\.\d s`
	for _, want := range []struct{ mode, name, value string }{
		{"cluster", "own stores, /i: CPU of the server for a million events", seconds},
		{"cluster", "own stores, /i/bulk: events, acknowledged and counted; processors of the machine that worked", one + `/s, \d+ %`},
		{"cluster", "cluster: journal, partitions, apps, users", "jetstream, 12, 3, 60"},
		{"cluster", "1 worker, /i/bulk: CPU of the nodes for a million events; as a multiple of own stores", seconds + `; \S+`},
		{"cluster", "2 workers, /i: CPU for a million events as a multiple of one worker's; each node's share", `\S+; \d+ %, \d+ %`},
		{"cluster", "own stores, /i/bulk at 300 events a second: CPU of the server for a million events; processors of the machine that worked", seconds + `( \(did not come to rest\))?, \d+ %`},
		{"cluster", "2 workers, /i at 150 events a second each: CPU of the nodes for a million events; processors of the machine that worked; as a multiple of own stores", seconds + `( \(did not come to rest\))?, \d+ %; \S+`},
		{"cluster", "2 workers, /i at 150 events a second each: CPU for a million events as a multiple of one worker's; each node's share", `\S+; \d+ %, \d+ %`},
		{"cluster", "2 workers, /i: CPU of the engines for a million events", "clickhouse " + seconds},
		{"cluster", "a node with the role ingest, /i: network to and from journal", one + ", " + one + " B an event"},
		{"cluster", "a node with the roles work and read, /i: network to and from postgres", one + ", " + one + " B an event"},
		{"cluster", "a node with the roles work and read, /i/bulk: network to and from clickhouse", one + `, \d+ B an event`},
		{"cluster", "/i: log (WAL) of PostgreSQL, all of its databases", one + " B an event"},
		{"cluster", `bytes an event in ClickHouse, of \d+ events of 3 apps`, one + `\.\d B: .*events ` + one + ".*"},
		{"cluster", "bytes an event in PostgreSQL, with indexes", one + `\.\d B: .*`},
		{"cluster", "a node is killed: until a request of each of 3 apps, sent then, is counted; median and longest of 1", one + `(\.\d+)?m?s, ` + one + `(\.\d+)?m?s`}, // less than a second where no app was the lost node's
		{"cluster-reads", `cluster: \d+ events of one app, on one connection, acknowledged and counted; CPU for a million events`, one + "/s; " + seconds},
		{"cluster-reads", "funnel of 5 steps in sequence: p50, max on ClickHouse, CPU of the node; p50, max on DuckDB, CPU of the server", `(\d+\.\d\d ms, ){2}\d+ ms; (\d+\.\d\d ms, ){2}\d+ ms`},
		{"cluster-reads", "answers that say something and are the same on both; that differ", `[1-9]\d; 0`},
		{"cluster-reads", "dashboard reads, all of them.*", ".*"},
	} {
		rows := slices.DeleteFunc(slices.Clone(r.Rows), func(row bench.Row) bool { return row.Mode != want.mode || !matches(want.name, row.Name) })
		if len(rows) != 1 || !matches(want.value, rows[0].Value) {
			t.Errorf("%s: %s: %+v, want one with %s", want.mode, want.name, rows, want.value)
		}
	}
	for _, folder := range []string{dir, filepath.Join(filepath.Dir(stores.File), "files")} {
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%v are left in %s, %v", left, folder, err)
		}
	}
	if out := stores.Postgres.SQL(t, "postgres", "SELECT datname FROM pg_database WHERE datname LIKE 'quipu_bench%'"); out != "" {
		t.Errorf("databases are left: %s", out)
	}
	client, err := ch.New(ch.Options{Addresses: []string{stores.ClickHouse.Address()}, Database: "quipu"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	err = client.Query(t.Context(), ch.Statement{SQL: "SELECT name FROM system.databases WHERE startsWith(name, 'quipu_bench')"}, func(b *ch.Block) error {
		if b.Rows > 0 {
			t.Errorf("%d databases are left in ClickHouse", b.Rows)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if list, err := stores.NATS.Streams("quipu_bench"); err != nil || len(list) > 0 {
		t.Errorf("streams are left: %v, %v", list, err)
	}
}

// matches reports whether a text is as a pattern has it, all of it, but for what says that nodes were busy.
func matches(pattern, text string) bool {
	return regexp.MustCompile(`^(?:` + strings.NewReplacer("(WAL)", `\(WAL\)`).Replace(pattern) + `)( \(did not come to rest\))?$`).MatchString(text)
}
