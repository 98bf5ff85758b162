package duck

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
)

const (
	// smallTable is the number of row groups up to which a table is rewritten as a whole, and
	// moveGroups how many of a larger one are moved in one transaction.
	smallTable = 4
	moveGroups = 8
	// fullGroup is the number of rows of a row group that is full.
	fullGroup = 122_880
	// filling begins the names of the tables that free space is overwritten with, maxFillings is how
	// many of them there are at most.
	filling     = "filling"
	maxFillings = 64
)

// Scrub takes what was deleted from an app's tables, and from those that small apps share, off the disk. DuckDB keeps deleted rows in
// their row group as long as others live there, and leaves what it no longer uses in the file until something
// else is written to the place. So the rows that live beside deleted ones are moved to the end of their table, and then
// the free blocks of the file are written over. Batches wait meanwhile, and reads at the end.
//
// A crash at any point leaves the tables as they were or as they will be; Scrub may be
// repeated at any time.
func (s *Store) Scrub(ctx context.Context, app model.AppID) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.ready(ctx); err != nil {
		return fmt.Errorf("scrub event store: %w", err)
	}
	if err := s.quiet(ctx, func() error { return nil }); err != nil {
		return err
	}
	if err := s.purgeNow(ctx); err != nil { // reads that begin from here on look elsewhere
		return fmt.Errorf("scrub event store: %w", err)
	}
	list := sharedTables.all() // where it was while it was small
	if p, ok := (*s.apps.Load()).of(app); ok && p.own {
		list = append(list, p.all()...)
	}
	for _, table := range list {
		if err := s.compact(ctx, table); err != nil {
			return fmt.Errorf("scrub table %s of event store: %w", table, err)
		}
	}
	// While a statement reads, a checkpoint keeps what it may still see.
	s.life.Lock()
	defer s.life.Unlock()
	if err := s.overwrite(ctx); err != nil {
		return fmt.Errorf("overwrite free space of event store: %w", err)
	}
	return nil
}

// group is a row group of a table: its first row id, the rows it holds, and how many of them are not deleted.
type group struct{ start, rows, live int64 }

// compact moves rows until no row group of a table has deleted rows. The caller holds turn.
func (s *Store) compact(ctx context.Context, table string) error {
	for {
		if err := s.quiet(ctx, func() error { return s.checkpointNow(ctx) }); err != nil {
			return err
		}
		groups, err := s.groups(ctx, table)
		if err != nil {
			return err
		}
		move := toMove(groups)
		switch {
		case len(move) == 0:
			return nil
		case len(groups) <= smallTable:
			err = s.transact(ctx, func(t *tx) error { return t.rewrite(ctx, table) })
		default:
			err = s.transact(ctx, func(t *tx) error { return t.carry(ctx, table, move) })
		}
		if err != nil {
			return err
		}
	}
}

// quiet runs fn while nobody reads. The caller holds turn.
func (s *Store) quiet(ctx context.Context, fn func() error) error {
	s.life.Lock()
	defer s.life.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn()
}

// toMove picks row groups with deleted rows. The last one can only be left behind once it is
// full: then a clean one goes along, whose rows fill it.
func toMove(groups []group) []group {
	var dirty []group
	last := len(groups) - 1
	for i, g := range groups {
		if g.live < g.rows && i < last && len(dirty) < moveGroups {
			dirty = append(dirty, g)
		}
	}
	if len(dirty) > 0 || last < 0 || groups[last].live == groups[last].rows {
		return dirty
	}
	if last == 0 {
		return groups
	}
	return []group{groups[last-1]}
}

// groups lists the row groups of a table.
func (s *Store) groups(ctx context.Context, table string) ([]group, error) {
	var (
		out []group
		g   group
	)
	err := each(ctx, s.db.writer, "SELECT sum(count)::BIGINT FROM pragma_storage_info('"+table+
		"') WHERE column_name = 'uid' AND segment_type <> 'VALIDITY' GROUP BY row_group_id ORDER BY row_group_id", nil, func(r events.Scanner) error {
		if err := r.Scan(&g.rows); err != nil {
			return err
		}
		out = append(out, g)
		g.start += g.rows
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		err := s.db.writer.QueryRowContext(ctx, "SELECT count(*) FROM "+table+" WHERE rowid >= ? AND rowid < ?", out[i].start, out[i].start+out[i].rows).Scan(&out[i].live)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rewrite rewrites a table.
func (t *tx) rewrite(ctx context.Context, table string) error {
	for _, statement := range []string{
		"CREATE TABLE scrubbed AS SELECT * FROM " + table, "DROP TABLE " + table, "ALTER TABLE scrubbed RENAME TO " + table,
	} {
		if err := t.conn.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// carry puts the rows of row groups at the end of their table.
func (t *tx) carry(ctx context.Context, table string, groups []group) error {
	conds := make([]string, len(groups))
	for i, g := range groups {
		conds[i] = fmt.Sprintf("rowid >= %d AND rowid < %d", g.start, g.start+g.rows)
	}
	of := " FROM " + table + " WHERE " + strings.Join(conds, " OR ")
	// The rows are copied before they are deleted: appended, they have other row ids.
	for _, statement := range []string{
		"CREATE TEMP TABLE moving AS SELECT *" + of, "DELETE" + of, "INSERT INTO " + table + " SELECT * FROM moving", "DROP TABLE moving",
	} {
		if err := t.conn.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// overwrite fills the free blocks of the file and frees them again. Nobody reads meanwhile.
// The caller holds turn and life.
func (s *Store) overwrite(ctx context.Context) error {
	if s.held > 0 {
		return ErrHeld
	}
	err := s.unfill(ctx) // what a crash left
	clear(s.touched)
	for n := 0; err == nil; n++ {
		var free int64
		err = s.db.writer.QueryRowContext(ctx, "SELECT free_blocks FROM pragma_database_size()").Scan(&free)
		if err != nil || free == 0 {
			break
		}
		if n == maxFillings {
			err = errors.New("free blocks do not get fewer")
			break
		}
		// Eight bytes a row that cannot be compressed, and more of them than there is room for.
		rows := free*blockSize/8 + 2*fullGroup
		err = s.db.exec(ctx, fmt.Sprintf("CREATE TABLE "+filling+"%d AS SELECT hash(range + %d) AS x FROM range(%d)", n, n<<40, rows))
		if err == nil {
			err = s.db.exec(ctx, "CHECKPOINT")
		}
	}
	return classify(errors.Join(err, s.unfill(context.WithoutCancel(ctx))))
}

// unfill drops what overwrite filled the file with.
func (s *Store) unfill(ctx context.Context) error {
	var names []string
	err := each(ctx, s.db.writer, "SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, '"+filling+"')", nil, func(r events.Scanner) error {
		var name string
		err := r.Scan(&name)
		names = append(names, name)
		return err
	})
	for _, name := range names {
		if err == nil {
			err = s.db.exec(ctx, "DROP TABLE "+name)
		}
	}
	if err == nil {
		err = s.db.exec(ctx, "CHECKPOINT")
	}
	return err
}
