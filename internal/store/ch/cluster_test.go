package ch_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse"
	"quipu/internal/store/events/clickhouse/chdbtest"
	cells "quipu/internal/store/rollup/clickhouse"
	"quipu/internal/testkit/need"
)

var update = flag.Bool("update", false, "write testdata/cluster.sql")

// TestClusterStatements compares all that is said to a cluster of ClickHouse, and to a single server, with testdata/cluster.sql, which people can read and which tools/cluster/prove.sh runs the like of.
func TestClusterStatements(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, p := range []struct {
		what  string
		place ch.Place
	}{
		{"a server", ch.Place{}},
		{"a cluster of three shards", ch.Place{Cluster: ch.Cluster{Name: "quipu"}, Shards: 3, Database: "analytics"}},
		{"a cluster of two shards with replicas", ch.Place{Cluster: ch.Cluster{Name: "quipu", Replicated: true}, Shards: 2, Database: "analytics"}},
	} {
		fmt.Fprintf(&b, "-- On %s.\n\n-- Tables of event rows.\n", p.what)
		for _, sql := range clickhouse.Schema(p.place, true) {
			fmt.Fprintf(&b, "%s;\n", shortened(sql))
		}
		b.WriteString("\n-- Tables of cells.\n")
		for _, sql := range cells.Schema(p.place, true) {
			fmt.Fprintf(&b, "%s;\n", sql)
		}
		b.WriteString("\n-- A new dimension.\n")
		for _, sql := range p.place.Alter("users", "ADD COLUMN IF NOT EXISTS `x` Nullable(String)") {
			fmt.Fprintf(&b, "%s;\n", sql)
		}
		b.WriteString("\n-- Changes of rows.\n")
		for _, c := range []ch.Change{
			{Table: "events", Do: "DELETE", Where: "app = 'a' AND e = ?", Loose: true},
			{Table: "cells", Do: "UPDATE users = bitmapAndnot(users, x)", Where: "app = ? AND era < ?"},
		} {
			st := ch.StatementOf(p.place, c)
			fmt.Fprintf(&b, "%s SETTINGS %s;\n", st.SQL, listed(st.Settings))
		}
		fmt.Fprintf(&b, "\n-- Settings of all statements: %s\n-- Of those that come in one order: %s\n-- Of cells of partition 5, with their name: %s\n\n", listed(ch.Settings(p.place, false)), listed(ch.Settings(p.place, true)), listed(p.place.Shard(5)))
	}
	const path = "testdata/cluster.sql"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("run this test with -update (-file +source):\n%s", diff)
	}
}

// shortened leaves out the many columns that are alike.
func shortened(sql string) string {
	open, end := strings.Index(sql, "("), strings.LastIndex(sql, ") ENGINE")
	if open < 0 || end < open || end-open < 600 {
		return sql
	}
	columns := sql[open+1 : end]
	head, tail := columns[:strings.LastIndex(columns[:200], ",")], columns[strings.LastIndex(columns[:len(columns)-150], ", "):]
	return sql[:open+1] + head + ", …" + tail + sql[end:]
}

func listed(m map[string]string) string {
	if len(m) == 0 {
		return "none"
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, key+" = '"+m[key]+"'")
	}
	return strings.Join(out, ", ")
}

// TestFind refuses clusters that tables cannot be made on.
func TestFind(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	of := func(c ch.Cluster) *ch.Client { return server.Client(t, func(o *ch.Options) { o.Cluster = c }) }
	for name, c := range map[string]struct {
		of   ch.Cluster
		want string
	}{
		"none":       {ch.Cluster{}, ""},
		"one":        {ch.Cluster{Name: chdbtest.Cluster}, ""},
		"replicated": {ch.Cluster{Name: chdbtest.Cluster, Replicated: true}, ""},
		"unknown":    {ch.Cluster{Name: "nowhere"}, "knows no cluster nowhere"},
	} {
		err := of(c.of).Find(t.Context())
		if c.want == "" && err != nil || c.want != "" && (fault.CodeOf(err) != "clickhouse.cluster" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []ch.Cluster{{Name: "a b"}, {Name: "a`"}, {Replicated: true}} {
		if _, err := ch.New(ch.Options{Addresses: []string{server.Address()}, Database: "d", Cluster: c}); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}

	c := of(ch.Cluster{Name: chdbtest.Cluster})
	if err := c.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, sql := range c.Place().Make(ch.Table{Name: "x", Columns: "app String, uid Int64, INDEX u uid TYPE minmax GRANULARITY 1", Engine: "MergeTree", Order: "app", By: "app, uid"}) {
		if err := c.Exec(t.Context(), ch.Statement{SQL: sql}); err != nil {
			t.Fatal(err)
		}
	}
	block := func() *ch.Builder {
		b := ch.NewBuilder([]ch.Spec{{Name: "app", Type: "String"}, {Name: "uid", Type: "Int64"}})
		for n := range 5 {
			b.Text(0, "a")
			b.Whole(1, uint64(n))
			b.End()
		}
		return b
	}
	count := func() (n int64) {
		t.Helper()
		err := c.Each(t.Context(), ch.Statement{SQL: "SELECT count() FROM x"}, func(b *ch.Block, row int) error {
			n = b.Columns[0].Whole[row]
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	insert := func(ordered bool) error {
		return c.Insert(t.Context(), ch.Statement{SQL: "INSERT INTO x (app, uid)", Settings: map[string]string{"insert_deduplicate": "1", "insert_deduplication_token": "n"}, Ordered: ordered}, block())
	}
	for range 2 { // the second has the same name
		if err := insert(false); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(); n != 5 {
		t.Errorf("%d rows of one name", n)
	}
	var refused atomic.Int64
	server.Faults(func(r chtest.Request) chtest.Fault {
		if strings.HasPrefix(r.Text, "INSERT") && refused.Add(1) <= 3 {
			return chtest.Before
		}
		return chtest.None
	})
	if err := insert(true); err != nil || refused.Load() != 4 {
		t.Errorf("an insert that has to wait for others: %v, %d tries", err, refused.Load())
	}
	refused.Store(0)
	if err := insert(false); fault.CodeOf(err) != "clickhouse.busy" {
		t.Errorf("an insert that need not: %v", err)
	}
	left := int64(5)
	for _, f := range []chtest.Fault{chtest.None, chtest.Away, chtest.Late} {
		server.Faults(func(r chtest.Request) chtest.Fault {
			if strings.HasPrefix(r.Text, "ALTER") {
				return f
			}
			return chtest.None
		})
		left--
		if err := c.Change(t.Context(), ch.Change{Table: "x", Do: "DELETE", Where: "uid = ?", Args: []any{left}}); err != nil {
			t.Errorf("fault %d: %v", f, err)
		}
		if n := count(); n != left {
			t.Errorf("fault %d: %d rows are left, want %d", f, n, left)
		}
	}
	server.Faults(nil)
}

// TestProve runs the script for operators against ClickHouse's engine, which is a cluster of one shard.
func TestProve(t *testing.T) {
	need.Program(t, "curl")
	need.Program(t, "bash")
	server := chtest.Start(t, chdbtest.Open(t))
	out, err := exec.CommandContext(t.Context(), "../../../tools/cluster/prove.sh", "--cluster", chdbtest.Cluster, "--address", server.Address(), "--single").CombinedOutput()
	if err != nil || strings.Contains(string(out), "FAILED") || !strings.Contains(string(out), "all is as Quipu relies on") {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = exec.CommandContext(t.Context(), "../../../tools/cluster/prove.sh", "--cluster", "nowhere", "--address", server.Address()).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "knows no cluster nowhere") {
		t.Errorf("%v\n%s", err, out)
	}
}
