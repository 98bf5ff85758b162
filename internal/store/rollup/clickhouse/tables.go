// Package clickhouse keeps cells in ClickHouse: the engine of package rollup for a cluster. Cells arrive in the blocks that the state
// commits (package block); a cell is one row, or several until ClickHouse merges them: counters add up, the users are a state of
// groupBitmap, which is a Roaring bitmap as everywhere. docs/format/cells-clickhouse.md describes the tables.
//
// ClickHouse has no transactions. The name of what is sent is stored before (block.Sending) and is that of the insert, so ClickHouse drops one that it had;
// and each insert brings with it, in the same part, up to where the blocks of its partition are there. Removals have a place among the
// blocks, an era: cells that come behind it have a greater one, so a removal that is done again, or late, removes nothing that is newer.
package clickhouse

import (
	"slices"

	"quipu/internal/store/ch"
)

// The tables: the version, the state that the cells belong to, cells, eras of apps, and users who were merged into others and are not replaced yet.
const (
	formatTable   = "cell_format"
	identityTable = "cell_identity"
	cellsTable    = "cells"
	erasTable     = "cell_eras"
	mergedTable   = "cell_merged"
)

// Schema returns the statements that make the tables. With durable, rows are on the disk when an insert is answered. On a cluster, each insert of cells says to which shard it goes,
// so the expression by which they are spread is not used.
func Schema(at ch.Place, durable bool) []string {
	table := func(name, columns, engine, order string) []string {
		return at.Make(ch.Table{Name: name, Columns: columns, Engine: engine, Order: order, Durable: durable})
	}
	const sum = "SimpleAggregateFunction(sum, "
	return slices.Concat(
		table(formatTable, "version UInt64", "MergeTree", "version"),
		table(identityTable, "state String", "MergeTree", "state"),
		table(erasTable, "app String, partition UInt64, era UInt64", "ReplacingMergeTree", "app, partition, era"),
		table(mergedTable, "app String, old Int64, new Int64, version UInt64, gone UInt8", "ReplacingMergeTree(version, gone)", "app, old"),
		table(cellsTable, "app LowCardinality(String), metric UInt8, dim String, grain UInt8, bucket UInt32, value String, era UInt64, first SimpleAggregateFunction(min, UInt64), "+
			"count "+sum+"Int64), new "+sum+"Int64), requests "+sum+"Int64), sum "+sum+"Float64), dur "+sum+"Float64), flags SimpleAggregateFunction(groupBitOr, UInt8), users "+ch.UserSet,
			"AggregatingMergeTree", "app, metric, dim, grain, bucket, value, era"),
	)
}

// tables are those of the store.
func tables(at ch.Place, durable bool) *ch.Tables {
	return &ch.Tables{
		Format: formatTable, Names: []string{identityTable, cellsTable, erasTable, mergedTable},
		Steps: []ch.Step{{What: "make the tables of cells", SQL: Schema(at, durable)}},
	}
}
