package ch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/fault"
)

// Cluster says on which servers tables are. The zero value is the one that answers.
//
// On a cluster each table is two: NAME_local, on every server, and NAME, which is a Distributed table above it, so that readers and writers use the same names as
// on one server. All that is said to ClickHouse about clusters is in this file.
type Cluster struct {
	// Name is that of a cluster in the servers' remote_servers; "" = none.
	Name string
	// Replicated has tables kept by all replicas of a shard. Servers need the macros shard and replica.
	Replicated bool
}

// Place is where tables are made. The zero value is the server that answers.
type Place struct {
	Cluster
	// Shards is how many there are; Database the one that holds the tables. Both are for clusters.
	Shards   int
	Database string
}

// local ends the names of the tables that have the rows.
const local = "_local"

// Local is the name of the table that has rows where ClickHouse has to be told so.
func (p Place) Local(table string) string {
	if p.Name == "" {
		return table
	}
	return table + local
}

// on is the part of a statement that has it run on all servers.
func (p Place) on() string {
	if p.Name == "" {
		return ""
	}
	return " ON CLUSTER " + p.quoted()
}

func (p Place) quoted() string { return "`" + p.Name + "`" }

// Window is how many inserts a table remembers by their names, and windowSeconds for how long where it is replicated.
const (
	Window        = 100_000
	windowSeconds = 7 * 24 * 3600
)

// Table is a table of a store.
type Table struct {
	Name, Columns string
	// Engine is one of the MergeTree family, with its arguments; Order its sorting key.
	Engine, Order string
	// By is what rows are spread over shards by: a list of expressions. "" = all are on the first shard.
	By string
	// Durable has rows on the disk when an insert is answered.
	Durable bool
}

// Make returns the statements that make a table.
func (p Place) Make(t Table) []string {
	engine, kept := t.Engine, fmt.Sprintf("non_replicated_deduplication_window = %d", Window)
	if p.Replicated {
		name, args, _ := strings.Cut(strings.TrimSuffix(t.Engine, ")"), "(")
		if args != "" {
			args = ", " + args
		}
		engine = "Replicated" + name + "('/clickhouse/tables/{shard}/{database}/{table}', '{replica}'" + args + ")"
		kept = fmt.Sprintf("replicated_deduplication_window = %d, replicated_deduplication_window_seconds = %d", Window, windowSeconds)
	}
	if t.Durable {
		kept += ", fsync_after_insert = 1, fsync_part_directory = 1"
	}
	out := []string{fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s%s (%s) ENGINE = %s ORDER BY (%s) SETTINGS %s", p.Local(t.Name), p.on(), t.Columns, engine, t.Order, kept)}
	if p.Name == "" {
		return out
	}
	by := "0"
	if t.By != "" { // shards that are added later get no rows of these tables, whose places are fixed
		by = fmt.Sprintf("cityHash64(%s) %% %d", t.By, p.Shards)
	}
	return append(out, fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s%s AS %s ENGINE = Distributed(%s, %s, %s, %s)", t.Name, p.on(), p.Local(t.Name), p.quoted(), p.Database, p.Local(t.Name), by))
}

// Alter returns the statements that change the definition of a table.
func (p Place) Alter(table, change string) []string {
	out := []string{"ALTER TABLE " + p.Local(table) + p.on() + " " + change}
	if p.Name != "" {
		out = append(out, "ALTER TABLE "+table+p.on()+" "+change)
	}
	return out
}

// The times of a cluster, in seconds: for how long a statement waits for all servers, for replicas that are away, and for a quorum.
const (
	waitServers = 120
	waitAway    = 10
	waitQuorum  = 60
)

// settings are those of every statement on a cluster: rows have arrived on their shards, and on most replicas, when an insert is answered; joins with tables of all shards
// get the whole of them.
func (p Place) settings(ordered bool) map[string]string {
	if p.Name == "" {
		return nil
	}
	out := map[string]string{
		"distributed_foreground_insert": "1", "distributed_product_mode": "global",
		"distributed_ddl_task_timeout": strconv.Itoa(waitServers), "replication_wait_for_inactive_replica_timeout": strconv.Itoa(waitAway),
	}
	if p.Replicated {
		out["insert_quorum"], out["insert_quorum_timeout"] = "auto", strconv.Itoa(waitQuorum*1000)
		if ordered {
			out["insert_quorum_parallel"], out["select_sequential_consistency"] = "0", "1"
		}
	}
	return out
}

// Shard has the rows of an insert go to one shard whatever they are, which a number chooses.
func (p Place) Shard(number uint16) map[string]string {
	if p.Name == "" {
		return nil
	}
	return map[string]string{"insert_shard_id": strconv.Itoa(int(number)%max(1, p.Shards) + 1)}
}

// Place is where the client's tables are. Find has to come before, for those of a cluster.
func (c *Client) Place() Place {
	return Place{Cluster: c.o.Cluster, Shards: int(c.shards.Load()), Database: c.o.Database}
}

// Find asks the server what a statement that reads may take of its memory, and about the cluster of the options: whether it is one that tables can be made on. Errors: clickhouse.cluster.
func (c *Client) Find(ctx context.Context) error {
	if err := c.findMemory(ctx); err != nil {
		return err
	}
	name := c.o.Cluster.Name
	if name == "" {
		return nil
	}
	var shards, replicas, apart int64
	var macros []string
	err := errors.Join(
		c.Each(ctx, Statement{SQL: "SELECT uniqExact(shard_num), count() FROM system.clusters WHERE cluster = ?", Args: []any{name}}, func(b *Block, row int) error {
			shards, replicas = b.Columns[0].Whole[row], b.Columns[1].Whole[row]
			return nil
		}),
		c.Each(ctx, Statement{SQL: "SELECT macro FROM system.macros ORDER BY macro"}, func(b *Block, row int) error {
			macros = append(macros, b.Columns[0].Text[row])
			return nil
		}),
	)
	if err != nil {
		return err
	}
	bad := func(format string, args ...any) error {
		return fault.Newf(fault.Conflict, "clickhouse.cluster", format, args...)
	}
	switch {
	case shards == 0:
		return bad("the server knows no cluster %s: define it in remote_servers", name)
	case !c.o.Cluster.Replicated && replicas > shards:
		return bad("the cluster %s has replicas: set replicated, or leave them out of remote_servers", name)
	case c.o.Cluster.Replicated && (!slices.Contains(macros, "shard") || !slices.Contains(macros, "replica")):
		return bad("the server has no macros shard and replica, which replicated tables need")
	}
	c.shards.Store(shards)
	if !c.o.Cluster.Replicated {
		return nil
	}
	err = c.Each(ctx, Statement{SQL: "SELECT count() FROM system.columns WHERE database = 'system' AND table = 'clusters' AND name = 'internal_replication'"}, func(b *Block, row int) error {
		apart = b.Columns[0].Whole[row]
		return nil
	})
	if err != nil || apart == 0 { // an older server does not say
		return err
	}
	err = c.Each(ctx, Statement{SQL: "SELECT countIf(internal_replication = 0) FROM system.clusters WHERE cluster = ?", Args: []any{name}}, func(b *Block, row int) error {
		apart = b.Columns[0].Whole[row]
		return nil
	})
	if err == nil && apart > 0 {
		return bad("the cluster %s has shards without internal_replication: each row would be written by several replicas", name)
	}
	return err
}

// Change is a change of rows: a mutation.
type Change struct {
	Table string
	// Do is DELETE, or UPDATE with what is set; Where selects the rows.
	Do, Where string
	Args      []any
	// Loose lets expressions read other tables.
	Loose   bool
	Timeout time.Duration
}

// statement is that of a change.
func (p Place) statement(ch Change) Statement {
	st := Statement{
		SQL: "ALTER TABLE " + p.Local(ch.Table) + p.on() + " " + ch.Do + " WHERE " + ch.Where, Args: ch.Args, Timeout: ch.Timeout,
		Settings: map[string]string{"mutations_sync": "2"},
	}
	if ch.Loose {
		st.Settings["allow_nondeterministic_mutations"] = "1"
	}
	return st
}

// Change changes rows and returns when all replicas have done so, except those that are away: they do it before they answer for the table again.
func (c *Client) Change(ctx context.Context, ch Change) error {
	p := c.Place()
	err := c.Exec(ctx, p.statement(ch))
	e, ok := errors.AsType[*Exception](err)
	if !ok || p.Name == "" {
		return err
	}
	switch e.Code {
	case codeUnfinished: // it is noted, and replicas that are away were waited for long enough
		c.log.WarnContext(ctx, "a replica of ClickHouse is away, it changes rows when it is back", "table", ch.Table, "error", err)
		return nil
	case codeTooSlow: // a server is away, or the change takes long
		return c.settled(ctx, p, ch)
	}
	return err
}

// pollMutations is how often it is asked whether changes are done.
const pollMutations = time.Second

// settled waits until one replica of each shard, which is there, has done all changes of a table.
func (c *Client) settled(ctx context.Context, p Place, ch Change) error {
	ctx, cancel := context.WithTimeout(ctx, max(ch.Timeout, c.o.Timeout))
	defer cancel()
	tick := time.NewTicker(pollMutations)
	defer tick.Stop()
	for {
		left := int64(1)
		st := Statement{SQL: "SELECT count() FROM cluster(" + p.quoted() + ", system.mutations) WHERE database = ? AND table = ? AND NOT is_done", Args: []any{p.Database, p.Local(ch.Table)}}
		err := c.Each(ctx, st, func(b *Block, row int) error {
			left = b.Columns[0].Whole[row]
			return nil
		})
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// with adds settings to others.
func with(settings, more map[string]string) map[string]string {
	if len(settings) == 0 {
		return more
	}
	out := maps.Clone(settings)
	maps.Copy(out, more)
	return out
}

// The times of tries of statements that come in one order.
const (
	orderTries = 30
	orderPause = 100 * time.Millisecond
)

// contended reports whether a statement that comes in one order with others has to wait for one of them, or for a replica.
func contended(err error) bool {
	e, ok := errors.AsType[*Exception](err)
	return ok && (e.Code == codeQuorumBefore || e.Code == codeNotInQuorum)
}
