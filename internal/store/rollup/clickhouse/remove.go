package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/rollup"
)

// mutationPatience bounds a statement that changes rows: parts of tables are written again.
const mutationPatience = time.Hour

// mutate runs a change of rows, if there are any, and returns when all replicas have done it. A replica that is asked may not have all rows yet: then they are changed in any case.
func (s *Store) mutate(ctx context.Context, table, change, where string, args ...any) error {
	c := ch.Change{Table: table, Do: change, Where: where, Args: args, Timeout: mutationPatience}
	if s.c.Place().Replicated {
		return s.c.Change(ctx, c)
	}
	any := false
	err := s.c.Each(ctx, ch.Statement{SQL: "SELECT 1 FROM " + table + " WHERE " + where + " LIMIT 1", Args: args}, func(*ch.Block, int) error {
		any = true
		return nil
	})
	if err != nil || !any {
		return err
	}
	return s.c.Change(ctx, c)
}

// remove removes cells of an app of eras before one.
func (s *Store) remove(ctx context.Context, app model.AppID, before uint64, r rollup.Removal) error {
	if e, ok := r.(rollup.EraseUsers); ok {
		return s.erase(ctx, app, before, e.UIDs)
	}
	where, args, err := condition(r)
	if err != nil {
		return err
	}
	return s.mutate(ctx, cellsTable, "DELETE", "app = ? AND era < ? AND ("+where+")", append([]any{app.String(), before}, args...)...)
}

// condition returns which cells of an app a removal names.
func condition(r rollup.Removal) (where string, args []any, err error) {
	switch r := r.(type) {
	case rollup.RemoveApp:
		return "1", nil, nil
	case rollup.RemoveSeries:
		return "metric = ? AND dim = ?", []any{int(r.Series.Metric), r.Series.Dim}, nil
	case rollup.RemoveDims:
		return "metric = ? AND startsWith(dim, ?)", []any{int(r.Metric), r.Prefix}, nil
	case rollup.RemoveValue:
		return "metric = ? AND dim = ? AND value = ?", []any{int(r.Series.Metric), r.Series.Dim, r.Value}, nil
	case rollup.RemoveValues:
		if len(r.Values) == 0 {
			return "0", nil, nil
		}
		return "metric = ? AND value IN (?)", []any{int(r.Metric), r.Values}, nil
	case rollup.RemoveFrom:
		where, args = buckets(r.Metric, r.From, ">=")
		return where, args, nil
	case rollup.RemoveBefore:
		where, args = buckets(r.Metric, r.Before, "<")
		return where, args, nil
	}
	return "", nil, fmt.Errorf("rollup: unknown removal %T", r)
}

func buckets(m rollup.Metric, by map[rollup.Grain]rollup.Bucket, comparison string) (where string, args []any) {
	parts, args := []string{"0"}, []any{int(m)}
	for _, g := range slices.Sorted(maps.Keys(by)) {
		parts = append(parts, "grain = ? AND bucket "+comparison+" ?")
		args = append(args, int(g), uint32(by[g]))
	}
	return "metric = ? AND (" + strings.Join(parts, " OR ") + ")", args
}

// numbers is a list of users' numbers as an expression.
func numbers(list []uint32) string {
	var b strings.Builder
	b.WriteString("CAST([")
	for i, n := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, n)
	}
	b.WriteString("], 'Array(UInt32)')")
	return b.String()
}

// erase takes users out of the cells of eras before one. Values that nobody else has go first: once the users are out, nothing tells which those are.
func (s *Store) erase(ctx context.Context, app model.AppID, before uint64, uids []uint32) error {
	if len(uids) == 0 {
		return nil
	}
	set := "bitmapBuild(" + numbers(slices.Compact(slices.Sorted(slices.Values(uids)))) + ")"
	const where = "app = ? AND era < ?"
	args := []any{app.String(), before}
	var gone []string
	var names []any
	statement := "SELECT metric, dim, value FROM " + cellsTable + " WHERE " + where + " AND value != '' GROUP BY metric, dim, value" +
		" HAVING max(bitmapCardinality(users)) > 0 AND max(bitmapAndnotCardinality(users, " + set + ")) = 0"
	err := s.c.Each(ctx, ch.Statement{SQL: statement, Args: args}, func(b *ch.Block, row int) error {
		gone = append(gone, "metric = ? AND dim = ? AND value = ?")
		names = append(names, b.Columns[0].Whole[row], b.Columns[1].Text[row], b.Columns[2].Text[row])
		return nil
	})
	if err != nil {
		return err
	}
	for at := 0; at < len(gone); at += eraseAtOnce {
		to := min(at+eraseAtOnce, len(gone))
		if err := s.mutate(ctx, cellsTable, "DELETE", where+" AND ("+strings.Join(gone[at:to], " OR ")+")", append(slices.Clone(args), names[3*at:3*to]...)...); err != nil {
			return err
		}
	}
	return s.mutate(ctx, cellsTable, "UPDATE users = bitmapAndnot(users, "+set+")", where+" AND bitmapHasAny(users, "+set+")", args...)
}

// eraseAtOnce is how many values go in one statement.
const eraseAtOnce = 500

// replace replaces merged users in the cells of an app, up to an era.
func (s *Store) replace(ctx context.Context, app model.AppID, through uint64, merged map[uint32]uint32) error {
	olds, news := newMerges(merged).lists()
	if len(olds) == 0 {
		return nil
	}
	from := numbers(olds)
	return s.mutate(ctx, cellsTable, "UPDATE users = bitmapTransform(users, "+from+", "+numbers(news)+")", "app = ? AND era <= ? AND bitmapHasAny(users, bitmapBuild("+from+"))", app.String(), through)
}

// unmerge forgets the merges of an app that came before a place.
func (s *Store) unmerge(ctx context.Context, app model.AppID, before uint64) error {
	return s.mutate(ctx, mergedTable, "DELETE", "app = ? AND version < ?", app.String(), before)
}
