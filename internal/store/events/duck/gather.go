package duck

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
)

// gatherApps is how many apps move to the shared tables in one transaction.
const gatherApps = 64

// gather moves the rows of apps that have tables of their own and few rows to the shared ones: what files of format 1 hold,
// and apps that most rows of were removed. A crash leaves each app in the one place or the other, and the next start goes
// on. Nobody else uses the store yet.
func (s *Store) gather(ctx context.Context) error {
	small, err := s.smallApps(ctx)
	if err != nil || len(small) == 0 {
		return err
	}
	s.log.InfoContext(ctx, "event store moves the rows of small apps to shared tables", "apps", len(small))
	for part := range slices.Chunk(small, gatherApps) {
		err := s.transact(ctx, func(t *tx) error {
			if err := t.gather(ctx, part); err != nil {
				return err
			}
			return s.at("gather")
		})
		if err == nil && s.logSize() > s.opt.CheckpointBytes {
			err = s.checkpoint(ctx)
		}
		if err != nil {
			return fmt.Errorf("move small apps to shared tables: %w", err)
		}
	}
	return s.checkpoint(ctx)
}

// smallApps lists the apps whose own tables hold less than half of the rows that they would get such tables with.
func (s *Store) smallApps(ctx context.Context) ([]model.AppID, error) {
	rows := map[string]int64{}
	err := each(ctx, s.db.writer, "SELECT table_name, estimated_size FROM duckdb_tables() WHERE database_name = current_database()", nil, func(r events.Scanner) error {
		var (
			name string
			n    int64
		)
		err := r.Scan(&name, &n)
		rows[name] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("size of tables: %w", err)
	}
	var out []model.AppID
	for id, at := range *s.apps.Load() {
		large := func(table string) bool { return rows[table] >= s.opt.OwnRows/2 }
		if at.number == 0 && !slices.ContainsFunc(ownTables(id).all(), large) {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, compareIDs)
	return out, nil
}

// gather moves the rows of apps to the shared tables.
func (t *tx) gather(ctx context.Context, ids []model.AppID) error {
	apps := maps.Clone(t.apps)
	names, numbers := make([]string, len(ids)), make([]uint32, len(ids))
	for i, id := range ids {
		t.last++
		names[i], numbers[i] = id.String(), t.last
		own, from := ownTables(id), copies(ownTables(id), apps[id].slots)
		apps[id] = home{number: t.last}
		for _, c := range from {
			statement := fmt.Sprintf("INSERT INTO %s (%s, %[3]s) SELECT %[4]d, %[3]s FROM %[5]s", c.shared, appColumn, c.columns, t.last, c.own)
			if err := t.conn.exec(ctx, statement); err != nil {
				return fmt.Errorf("copy table %s: %w", c.own, err)
			}
		}
		if err := t.drop(ctx, own); err != nil {
			return err
		}
		delete(t.s.lastUID, id)
	}
	t.apps = apps
	t.s.extents = nil
	return t.name(ctx, names, numbers)
}
