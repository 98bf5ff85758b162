package clickhouse

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/rollup"
)

// Changes implements rollup.Tracker.
func (s *Store) Changes() rollup.Changes { return s.changes }

// Subscribe implements rollup.Tracker: nothing tells what is added.
func (s *Store) Subscribe(context.Context, model.AppID, rollup.Series, rollup.Grain, rollup.Bucket, rollup.Bucket, func(rollup.Bucket, string, *rollup.Cell) error) (rollup.Subscription, error) {
	return nil, nil
}

// What is read of a cell beside its key. A name of the result must not be that of a column, which would then be taken for it.
const (
	counters = "toUInt64(min(first)) AS x1, sum(count) AS x2, sum(new) AS x3, sum(requests) AS x4, sum(sum) AS x5, sum(dur) AS x6, toUInt8(groupBitOr(flags)) AS x7"
	sets     = "groupBitmapMergeState(users) AS x8"
)

// nCounters is how many columns counters are.
const nCounters = 7

// ofSeries is the condition of the cells of a series.
const ofSeries = " FROM " + cellsTable + " WHERE app = ? AND metric = ? AND dim = ? AND grain = ? AND bucket >= ? AND bucket <= ?"

func seriesArgs(app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket) []any {
	return []any{app.String(), int(series.Metric), series.Dim, int(g), uint32(from), uint32(to)}
}

// setsAtOnce is how many sets an answer brings at a time: each may have half a megabyte.
const setsAtOnce = "128"

// reading are the settings of reads. Rows lie in the order in which they are grouped.
func reading(more map[string]string) map[string]string {
	out := map[string]string{"optimize_aggregation_in_order": "1"}
	maps.Copy(out, more)
	return out
}

// each runs a read within its budget.
func (s *Store) each(ctx context.Context, what string, st ch.Statement, fn func(b *ch.Block, row int) error) error {
	st.Timeout = s.o.ReadTimeout
	if err := s.c.Each(ctx, st, fn); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// counted fills in the counters of a cell from the columns behind at.
func counted(c *rollup.Cell, b *ch.Block, at, row int) {
	*c = rollup.Cell{}
	col := b.Columns[at:]
	if first := uint64(col[0].Whole[row]); first != math.MaxUint64 { // its bits
		c.First = first
	}
	c.Count = rollup.AddCount(col[1].Whole[row], 0)
	c.New = rollup.AddCount(col[2].Whole[row], 0)
	c.Requests = rollup.AddCount(col[3].Whole[row], 0)
	c.Sum = rollup.AddSum(col[4].Number[row], 0)
	c.Dur = rollup.AddSum(col[5].Number[row], 0)
	c.Flags = uint8(col[6].Whole[row]) // eight bits
}

// Scan implements rollup.Reader. Beyond the contract, bitmaps may be united into others that outlive the call.
func (s *Store) Scan(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell) error) error {
	if from > to {
		return nil
	}
	v, merged, err := s.mergesOf(ctx, app)
	if err != nil {
		return err
	}
	switch cells, ok, err := s.hotCells(ctx, app, v, series, g, from, to); {
	case err != nil:
		return err
	case ok:
		return eachHot(cells, merged, from, to, fn)
	}
	st := ch.Statement{
		SQL:  "SELECT bucket, value, " + counters + ", " + sets + ofSeries + " GROUP BY bucket, value ORDER BY bucket, value",
		Args: seriesArgs(app, series, g, from, to), Settings: reading(map[string]string{"max_block_size": setsAtOnce}),
	}
	var c rollup.Cell
	return s.each(ctx, fmt.Sprintf("scan metric %d", series.Metric), st, func(b *ch.Block, row int) error {
		if err := whole(&c, b, 2, row, merged); err != nil || c.IsZero() {
			return err
		}
		return fn(rollup.Bucket(b.Columns[0].Whole[row]), b.Columns[1].Text[row], &c) // 32 bits
	})
}

// whole fills in a cell with its users from the columns behind at.
func whole(c *rollup.Cell, b *ch.Block, at, row int, merged merges) (err error) {
	counted(c, b, at, row)
	users, err := readSet(b.Columns[at+nCounters].Text[row])
	if err == nil && !users.IsEmpty() {
		merged.correct(users)
		c.Users = users
	}
	return err
}

// readSet reads a set of users as package ch gives it: one by one, or a bitmap.
func readSet(text string) (*roaring.Bitmap, error) {
	b := []byte(text)
	users := roaring.New()
	switch {
	case len(b) > 0 && b[0] == 0 && len(b)%4 == 1:
		for at := 1; at < len(b); at += 4 {
			users.Add(binary.LittleEndian.Uint32(b[at:]))
		}
		return users, nil
	case len(b) > 0 && b[0] == 1:
		if n, err := users.FromBuffer(b[1:]); err == nil && n == int64(len(b)-1) {
			return users, nil
		}
	}
	return nil, fault.New(fault.Unavailable, "clickhouse.answer", "ClickHouse's response has a set of users that cannot be read")
}

// ScanCounts implements rollup.CountScanner: ClickHouse counts.
func (s *Store) ScanCounts(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error) error {
	if from > to {
		return nil
	}
	v, merged, err := s.mergesOf(ctx, app)
	if err != nil {
		return err
	}
	switch cells, ok, err := s.hotCells(ctx, app, v, series, g, from, to); {
	case err != nil:
		return err
	case ok:
		return eachHot(cells, merged, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
			var users rollup.UserCount
			if c.Users != nil {
				users = rollup.UserCount{N: c.Users.GetCardinality(), Largest: c.Users.Maximum()}
				c.Users = nil
			}
			return fn(b, value, c, users)
		})
	}
	set := "groupBitmapMergeState(users)"
	if olds, news := merged.lists(); len(olds) > 0 {
		set = "bitmapTransform(" + set + ", " + numbers(olds) + ", " + numbers(news) + ")"
	}
	st := ch.Statement{
		SQL:  "SELECT bucket, value, " + counters + ", bitmapCardinality(" + set + ") AS x8, bitmapMax(" + set + ") AS x9" + ofSeries + " GROUP BY bucket, value ORDER BY bucket, value",
		Args: seriesArgs(app, series, g, from, to), Settings: reading(nil),
	}
	var c rollup.Cell
	return s.each(ctx, fmt.Sprintf("count metric %d", series.Metric), st, func(b *ch.Block, row int) error {
		counted(&c, b, 2, row)
		var users rollup.UserCount
		if n := b.Columns[2+nCounters].Whole[row]; n > 0 {
			users = rollup.UserCount{N: uint64(n), Largest: uint32(b.Columns[3+nCounters].Whole[row])} // 32 bits
		}
		if users.N == 0 && c.IsZero() {
			return nil
		}
		return fn(rollup.Bucket(b.Columns[0].Whole[row]), b.Columns[1].Text[row], &c, users) // 32 bits
	})
}

// ScanValue implements rollup.ValueScanner.
func (s *Store) ScanValue(ctx context.Context, app model.AppID, series rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(b rollup.Bucket, c *rollup.Cell) error) error {
	if from > to {
		return nil
	}
	v, _ := s.changes.current(app) //nolint:contextcheck // it is waited for by others, too
	switch cells, ok, err := s.hotCells(ctx, app, v, series, g, from, to); {
	case err != nil:
		return err
	case ok:
		return eachHot(cells, merges{}, from, to, func(b rollup.Bucket, of string, c *rollup.Cell) error {
			if c.Users = nil; of != value || c.IsZero() {
				return nil
			}
			return fn(b, c)
		})
	}
	st := ch.Statement{
		SQL:  "SELECT bucket, " + counters + ofSeries + " AND value = ? GROUP BY bucket ORDER BY bucket",
		Args: append(seriesArgs(app, series, g, from, to), value), Settings: reading(nil),
	}
	var c rollup.Cell
	return s.each(ctx, fmt.Sprintf("scan metric %d", series.Metric), st, func(b *ch.Block, row int) error {
		if counted(&c, b, 1, row); c.IsZero() {
			return nil
		}
		return fn(rollup.Bucket(b.Columns[0].Whole[row]), &c) // 32 bits
	})
}

// ScanApp implements rollup.AppScanner.
func (s *Store) ScanApp(ctx context.Context, app model.AppID, fn func(rollup.Key, *rollup.Cell) error) error {
	merged, err := s.askMerges(ctx, app)
	if err != nil {
		return err
	}
	st := ch.Statement{
		SQL: "SELECT metric, dim, grain, bucket, value, " + counters + ", " + sets + " FROM " + cellsTable +
			" WHERE app = ? GROUP BY metric, dim, grain, bucket, value ORDER BY metric, dim, grain, bucket, value",
		Args: []any{app.String()}, Settings: reading(map[string]string{"max_block_size": setsAtOnce}),
	}
	var c rollup.Cell
	return s.each(ctx, "scan cells of app "+app.String(), st, func(b *ch.Block, row int) error {
		if err := whole(&c, b, 5, row, merged[app]); err != nil || c.IsZero() {
			return err
		}
		return fn(keyOf(b, row), &c)
	})
}

// keyOf returns the key of a cell whose columns come first.
func keyOf(b *ch.Block, row int) rollup.Key {
	col := b.Columns
	return rollup.Key{
		Series: rollup.Series{Metric: rollup.Metric(col[0].Whole[row]), Dim: col[1].Text[row]},                     // eight bits
		Grain:  rollup.Grain(col[2].Whole[row]), Bucket: rollup.Bucket(col[3].Whole[row]), Value: col[4].Text[row], // as they were written
	}
}
