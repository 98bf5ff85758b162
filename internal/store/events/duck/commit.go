package duck

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
)

// Watermark implements events.Writer.
func (s *Store) Watermark(ctx context.Context) (journal.Watermark, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.ready(ctx); err != nil {
		return nil, fmt.Errorf("event store watermark: %w", err)
	}
	return s.own.Clone(), nil
}

// Commit implements events.Writer. A batch of more apps than fit into memory
// at once is committed in parts, each with a note of how far its apps got, so that a
// repetition continues where it failed. Errors: ErrMemory, ErrClosed, ctx's.
func (s *Store) Commit(ctx context.Context, b *events.Batch) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	ids := slices.SortedFunc(maps.Keys(b.Apps), compareIDs)
	err := s.commit(ctx, b, ids)
	if errors.Is(err, ErrMemory) {
		s.log.WarnContext(ctx, "tick does not fit into the event store's memory limit, committing it app by app", "apps", len(ids))
		for part := range slices.Chunk(ids, 1) {
			if err = s.commitPart(ctx, b, part); err != nil {
				break
			}
		}
		if err == nil {
			err = s.commitRest(ctx, b, nil)
		}
	}
	if err != nil {
		return fmt.Errorf("commit to event store: %w", err)
	}
	s.maybeCheckpoint(ctx)
	return nil
}

// commit commits a batch, in one transaction if it fits into memory.
func (s *Store) commit(ctx context.Context, b *events.Batch, ids []model.AppID) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	for {
		n := s.fit(ids, b)
		if n < len(ids) && len(s.touched) > 0 {
			if err := s.checkpoint(ctx); err != nil {
				return err
			}
			n = s.fit(ids, b)
		}
		if n == len(ids) {
			return s.commitRest(ctx, b, ids)
		}
		if err := s.commitPart(ctx, b, ids[:n]); err != nil {
			return err
		}
		ids = ids[n:]
	}
}

// commitRest commits what a batch adds to the apps that are left, and its
// watermark.
func (s *Store) commitRest(ctx context.Context, b *events.Batch, ids []model.AppID) error {
	return s.transact(ctx, func(t *tx) error {
		if err := t.all(ctx, b, ids); err != nil {
			return err
		}
		return t.advance(ctx, b.Watermark)
	})
}

// commitPart commits what a batch adds to some of its apps.
func (s *Store) commitPart(ctx context.Context, b *events.Batch, ids []model.AppID) error {
	one := func() error {
		return s.transact(ctx, func(t *tx) error {
			if err := t.all(ctx, b, ids); err != nil {
				return err
			}
			return t.reach(ctx, ids, b.Partition, b.Watermark[b.Partition])
		})
	}
	err := one()
	if errors.Is(err, ErrMemory) { // a checkpoint frees what was committed before
		if err = s.checkpoint(ctx); err == nil {
			err = one()
		}
	}
	return err
}

func compareIDs(a, b model.AppID) int { return slices.Compare(a[:], b[:]) }

// ready makes sure that the database is open and that what the store keeps in
// memory is true. The caller holds turn.
func (s *Store) ready(ctx context.Context) error {
	if s.db == nil {
		return ErrClosed
	}
	return classify(s.refresh(ctx))
}

// tx is a transaction under way.
type tx struct {
	s    *Store
	conn *database
	// Changes of what the store keeps in memory, for when it is committed.
	own     journal.Watermark
	floors  map[model.AppID]journal.Watermark
	apps    map[model.AppID]bool
	lastUID map[model.AppID]uint32
}

// transact runs do in a transaction and commits it. When it fails, nothing of
// it remains and the writer can be used again. The caller holds turn.
func (s *Store) transact(ctx context.Context, do func(*tx) error) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	t := &tx{
		s: s, conn: s.db,
		own: s.own.Clone(), floors: s.floors, apps: *s.apps.Load(), lastUID: maps.Clone(s.lastUID),
	}
	err := t.conn.exec(ctx, "BEGIN TRANSACTION")
	if err == nil {
		err = do(t)
	}
	if err == nil {
		err = s.at("commit")
	}
	if err == nil {
		// From here on the transaction is not interrupted.
		if err = t.conn.exec(context.WithoutCancel(ctx), "COMMIT"); err == nil {
			err = s.syncName()
		}
	}
	if err != nil {
		err = because(ctx, classify(err))
		if rerr := s.recover(context.WithoutCancel(ctx), err); rerr != nil {
			s.log.ErrorContext(ctx, "event store does not recover from a failed commit", "error", rerr)
			return errors.Join(err, rerr)
		}
		return err
	}
	s.own, s.floors, s.lastUID = t.own, t.floors, t.lastUID
	s.apps.Store(&t.apps)
	return nil
}

// syncName makes the name of a log that was made since the last checkpoint
// durable, which DuckDB leaves to chance. The caller holds turn.
func (s *Store) syncName() error {
	if s.named {
		return nil
	}
	dir, err := os.Open(filepath.Dir(s.opt.Path))
	if err != nil {
		return err
	}
	if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
		return err
	}
	s.named = true
	return nil
}

// at is a point where tests let commits fail.
func (s *Store) at(point string) error {
	if s.fault == nil {
		return nil
	}
	return s.fault(point)
}

// recover ends a transaction that failed. A connection that cannot roll back
// is replaced, a database that is out of service is opened again. The
// caller holds turn.
func (s *Store) recover(ctx context.Context, cause error) error {
	s.stale = true
	if !invalidated(cause) {
		err := s.db.exec(ctx, "ROLLBACK")
		if err == nil || noTransaction(err) {
			return nil
		}
		if !invalidated(err) {
			if err := s.db.reconnect(ctx); err == nil {
				return nil
			}
		}
	}
	s.log.WarnContext(ctx, "event store is opened again after an error it cannot undo", "error", cause)
	s.life.Lock()
	defer s.life.Unlock()
	if err := s.db.close(); err != nil {
		s.log.WarnContext(ctx, "event store does not close cleanly", "error", err)
	}
	old := s.db
	if err := s.open(ctx); err != nil {
		s.db = old // every use fails, and tries again
		return fmt.Errorf("reopen: %w", err)
	}
	return nil
}

// noTransaction reports whether a rollback found nothing to roll back: the
// transaction never began, or a failed COMMIT ended it.
func noTransaction(err error) bool {
	var de *duckdb.Error
	return errors.As(err, &de) && de.Type == duckdb.ErrorTypeTransaction
}

// reconnect replaces the writer's connection; with the old one ends its
// transaction.
func (db *database) reconnect(ctx context.Context) error {
	_ = db.writer.Raw(func(any) error { return driver.ErrBadConn }) // discards the connection
	_ = db.writer.Close()                                           // as it is already discarded
	var err error
	db.writer, err = db.writers.Conn(ctx)
	return err
}

// floor returns the offset up to which an app's rows are committed.
func (t *tx) floor(app model.AppID, part uint16) uint64 {
	return max(t.own[part], t.floors[app][part])
}

// advance moves the watermark to w, never backwards, and drops the notes of a
// tick that was split.
func (t *tx) advance(ctx context.Context, w journal.Watermark) error {
	for part, off := range w {
		old, known := t.own[part]
		if known && off <= old {
			continue
		}
		t.own[part] = off
		statement := "UPDATE watermark SET off = ? WHERE part = ?"
		if !known {
			statement = "INSERT INTO watermark (off, part) VALUES (?, ?)"
		}
		if err := t.conn.exec(ctx, statement, off, part); err != nil {
			return fmt.Errorf("move watermark: %w", err)
		}
	}
	for _, floor := range t.floors {
		for part, off := range floor {
			if off > t.own[part] {
				return nil
			}
		}
	}
	if len(t.floors) == 0 {
		return nil
	}
	t.floors = map[model.AppID]journal.Watermark{}
	if err := t.conn.exec(ctx, "DELETE FROM progress"); err != nil {
		return fmt.Errorf("drop progress: %w", err)
	}
	return nil
}

// reach notes that the rows of apps are committed up to off.
func (t *tx) reach(ctx context.Context, ids []model.AppID, part uint16, off uint64) error {
	t.floors = maps.Clone(t.floors)
	for _, id := range ids {
		if off <= t.floor(id, part) {
			continue
		}
		t.floors[id] = t.floors[id].Clone()
		t.floors[id][part] = off
		if err := t.conn.exec(ctx, "INSERT INTO progress VALUES (?, ?, ?)", id.String(), part, off); err != nil {
			return fmt.Errorf("note progress: %w", err)
		}
	}
	return nil
}

// all stores what a tick adds to some apps.
func (t *tx) all(ctx context.Context, b *events.Batch, ids []model.AppID) error {
	for _, id := range ids {
		if err := t.app(ctx, id, b.Partition, b.Apps[id]); err != nil {
			return fmt.Errorf("app %s: %w", id, err)
		}
	}
	return nil
}

// app stores what a tick adds to an app.
func (t *tx) app(ctx context.Context, id model.AppID, part uint16, b *events.AppBatch) error {
	if err := t.createTables(ctx, id); err != nil {
		return err
	}
	maps.Copy(t.s.touched, fills(tablesOf(id), b))
	names, moves := tablesOf(id), resolve(b.Moves)
	floor := journal.Position{Partition: part, Offset: t.floor(id, part)}.Place()
	if err := t.move(ctx, names, moves); err != nil {
		return err
	}
	if err := t.rows(ctx, names.events, floor, moves, b); err != nil {
		return err
	}
	requests := pick(nil, b.Requests, floor, moves, func(r *events.RequestRow) (uint64, *uint32) { return r.Offset, &r.UID })
	if len(requests) > 0 {
		if err := appendRows(ctx, t, names.requests, requestColumns, all(requests)); err != nil {
			return err
		}
	}
	states := pick(nil, b.States, floor, moves, func(r *events.State) (uint64, *uint32) { return r.Offset, &r.UID })
	if len(states) > 0 {
		if err := appendRows(ctx, t, names.states, stateColumns, all(states)); err != nil {
			return err
		}
	}
	return t.users(ctx, id, names, b.Users, b.Gone)
}

// rows stores the event rows that a tick adds to an app.
func (t *tx) rows(ctx context.Context, table string, floor uint64, moves map[uint32]uint32, b *events.AppBatch) error {
	n := b.CountRows()
	if n == 0 {
		return nil
	}
	picked := make([]*events.Row, 0, min(n, chunkRows))
	return appendRows(ctx, t, table, usedColumns(b.RowSlots()), func(fn func([]*events.Row) error) error {
		return b.EachRows(chunkRows, func(rows []events.Row) error {
			picked = pick(picked[:0], rows, floor, moves, func(r *events.Row) (uint64, *uint32) { return r.Offset, &r.UID })
			if len(picked) == 0 {
				return nil
			}
			return fn(picked)
		})
	})
}

// createTables makes the tables of an app that has none.
func (t *tx) createTables(ctx context.Context, id model.AppID) error {
	if t.apps[id] {
		return nil
	}
	names := tablesOf(id)
	for _, ddl := range []string{
		createTable(names.events, eventColumns), createTable(names.requests, requestColumns),
		createTable(names.states, stateColumns), createTable(names.users, userColumns),
	} {
		if err := t.conn.exec(ctx, ddl); err != nil {
			return fmt.Errorf("create tables: %w", err)
		}
	}
	apps := maps.Clone(t.apps)
	apps[id] = true
	t.apps = apps
	return nil
}

// pick appends the rows whose offset lies beyond floor, with their new user.
// The rows themselves stay as they are: a changed row is a copy.
func pick[T any](out []*T, rows []T, floor uint64, moves map[uint32]uint32, ids func(*T) (off uint64, uid *uint32)) []*T {
	out = slices.Grow(out, len(rows))
	for i := range rows {
		r := &rows[i]
		off, uid := ids(r)
		if off <= floor {
			continue
		}
		if to, ok := moves[*uid]; ok {
			moved := *r
			r = &moved
			_, uid = ids(r)
			*uid = to
		}
		out = append(out, r)
	}
	return out
}

// resolve follows chains of moves: 1→2, 2→3 becomes 1→3, 2→3.
func resolve(moves map[uint32]uint32) map[uint32]uint32 {
	out := make(map[uint32]uint32, len(moves))
	for from, to := range moves {
		for range moves { // a ring ends too
			next, ok := moves[to]
			if !ok {
				break
			}
			to = next
		}
		out[from] = to
	}
	return out
}

// move rewrites the stored rows of users that were merged into others.
func (t *tx) move(ctx context.Context, names tables, moves map[uint32]uint32) error {
	if len(moves) == 0 {
		return nil
	}
	from := slices.Sorted(maps.Keys(moves))
	to := make([]uint32, len(from))
	for i, uid := range from {
		to[i] = moves[uid]
	}
	for _, table := range names.byUser() {
		statement := "UPDATE " + table + " SET uid = m.new FROM (SELECT unnest(?) AS old, unnest(?) AS new) AS m WHERE uid = m.old"
		if err := t.conn.exec(ctx, statement, from, to); err != nil {
			return fmt.Errorf("move users in %s: %w", table, err)
		}
	}
	return nil
}

// users writes profiles to the users table and removes those that are gone.
// Rows are replaced whole: see docs/format/events.md.
func (t *tx) users(ctx context.Context, app model.AppID, names tables, profiles []*model.Profile, gone []uint32) error {
	if len(profiles) == 0 && len(gone) == 0 {
		return nil
	}
	last, err := t.last(ctx, app, names.users)
	if err != nil {
		return err
	}
	seen := make(map[uint32]bool, len(profiles)+len(gone))
	stored := make([]uint32, 0, len(profiles)+len(gone)) // numbers that may have a row
	see := func(uid uint32) bool {
		if seen[uid] {
			return false
		}
		seen[uid] = true
		if uid <= last {
			stored = append(stored, uid)
		}
		return true
	}
	for _, uid := range gone {
		see(uid)
	}
	rows := make([]*model.Profile, 0, len(profiles))
	for _, p := range slices.Backward(profiles) { // the last one of a user counts
		if see(p.UID) {
			rows = append(rows, p)
		}
	}
	if err := t.delete(ctx, names.users, stored); err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b *model.Profile) int { return cmp.Compare(a.UID, b.UID) })
	if len(rows) == 0 {
		return nil
	}
	t.lastUID[app] = max(last, rows[len(rows)-1].UID)
	return appendRows(ctx, t, names.users, userColumns, all(rows))
}

// last returns a number that no user in the app's users table exceeds.
func (t *tx) last(ctx context.Context, app model.AppID, table string) (uint32, error) {
	last, ok := t.lastUID[app]
	if ok {
		return last, nil
	}
	err := t.conn.writer.QueryRowContext(ctx, "SELECT coalesce(max(uid), 0::UINTEGER) FROM "+table).Scan(&last)
	if err != nil {
		return 0, fmt.Errorf("find last user: %w", err)
	}
	t.lastUID[app] = last
	return last, nil
}

// fewUsers is the number of users up to which a statement names each.
const fewUsers = 64

// delete removes the rows of users from a table.
func (t *tx) delete(ctx context.Context, table string, uids []uint32) error {
	if len(uids) == 0 {
		return nil
	}
	statement, args := "DELETE FROM "+table+" WHERE uid IN (SELECT unnest(?))", []any{uids}
	if len(uids) <= fewUsers { // a list is faster than a join
		var list strings.Builder
		for i, uid := range uids {
			if i > 0 {
				list.WriteByte(',')
			}
			list.WriteString(strconv.FormatUint(uint64(uid), 10))
		}
		statement, args = "DELETE FROM "+table+" WHERE uid IN ("+list.String()+")", nil
	}
	if err := t.conn.exec(ctx, statement, args...); err != nil {
		return fmt.Errorf("delete users from %s: %w", table, err)
	}
	return nil
}
