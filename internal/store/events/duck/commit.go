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
	if err := s.retried(ctx, func() error { return s.ready(ctx) }); err != nil {
		return nil, fmt.Errorf("event store watermark: %w", err)
	}
	return s.own.Clone(), nil
}

// Commit implements events.Writer. A batch of more apps than fit into memory
// at once is committed in parts, each with a note of how far its apps got, so that a
// repetition continues where it failed. Errors: events.ErrMemory, ErrClosed, ctx's.
func (s *Store) Commit(ctx context.Context, b *events.Batch) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	ids := slices.SortedFunc(maps.Keys(b.Apps), compareIDs)
	err := s.commit(ctx, b, ids)
	if err == nil {
		err = s.retried(ctx, func() error { return s.purge(ctx) })
	}
	if err != nil {
		return fmt.Errorf("commit to event store: %w", err)
	}
	s.maybeCheckpoint(ctx)
	return nil
}

// commit commits a batch, in one transaction if it fits into memory. When it does not fit beside the reads, it is tried alone.
func (s *Store) commit(ctx context.Context, batch *events.Batch, ids []model.AppID) error {
	whole := func() error {
		b, err := s.settled(ctx, batch)
		if err == nil {
			err = s.commitFitting(ctx, b, ids)
		}
		return err
	}
	err := s.retried(ctx, whole)
	if !errors.Is(err, events.ErrMemory) {
		return err
	}
	return s.writeAlone(ctx, func() error { return s.commitSmall(ctx, batch, ids) })
}

// settled makes sure that the store is ready, and settles a batch.
func (s *Store) settled(ctx context.Context, batch *events.Batch) (placed, error) {
	if err := s.ready(ctx); err != nil {
		return placed{}, err
	}
	return s.settle(ctx, batch)
}

// commitSmall commits a batch in parts that are halved while they do not fit into memory.
func (s *Store) commitSmall(ctx context.Context, batch *events.Batch, ids []model.AppID) error {
	b, err := s.settled(ctx, batch)
	if err != nil {
		return err
	}
	s.log.WarnContext(ctx, "batch does not fit into the event store's memory limit, committing it in small parts", "apps", len(ids))
	if err := s.commitHalves(ctx, b, ids); err != nil {
		return err
	}
	return s.commitRest(ctx, b, nil)
}

// commitFitting commits a batch in as many parts as fit into memory. Where no checkpoint can free memory now, it tries all that
// is left at once.
func (s *Store) commitFitting(ctx context.Context, b placed, ids []model.AppID) error {
	for {
		n := s.fit(ids, b)
		if n < len(ids) && len(s.touched) > 0 {
			switch err := s.checkpoint(ctx); {
			case err == nil:
				n = s.fit(ids, b)
			case errors.Is(err, ErrHeld) || inTransaction(err):
				n = len(ids)
			default:
				return err
			}
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
func (s *Store) commitRest(ctx context.Context, b placed, ids []model.AppID) error {
	return s.transact(ctx, func(t *tx) error {
		if err := t.all(ctx, b, ids); err != nil {
			return err
		}
		return t.advance(ctx, b.Watermark)
	})
}

// commitHalves commits what a batch adds to some of its apps, and halves them while they do not fit into memory.
func (s *Store) commitHalves(ctx context.Context, b placed, ids []model.AppID) error {
	if len(ids) == 0 {
		return nil
	}
	err := s.commitPart(ctx, b, ids)
	if n := len(ids) / 2; n > 0 && errors.Is(err, events.ErrMemory) {
		if err = s.commitHalves(ctx, b, ids[:n]); err == nil {
			err = s.commitHalves(ctx, b, ids[n:])
		}
	}
	return err
}

// commitPart commits what a batch adds to some of its apps.
func (s *Store) commitPart(ctx context.Context, b placed, ids []model.AppID) error {
	one := func() error {
		return s.transact(ctx, func(t *tx) error {
			if err := t.all(ctx, b, ids); err != nil {
				return err
			}
			return t.reach(ctx, ids, b.Partition, b.Watermark[b.Partition])
		})
	}
	err := one()
	if errors.Is(err, events.ErrMemory) && s.checkpoint(ctx) == nil { // frees what was committed before
		err = one()
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
	apps    places
	last    uint32 // number of an app
	retired bool
}

// transact runs do in a transaction and commits it. When it fails, nothing of
// it remains and the writer can be used again. The caller holds turn.
func (s *Store) transact(ctx context.Context, do func(*tx) error) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	t := &tx{
		s: s, conn: s.db,
		own: s.own.Clone(), floors: s.floors, apps: *s.apps.Load(), last: s.lastNumber, retired: s.retired,
	}
	err := s.guarded(ctx, s.opt.reserve()/2, func() error { return t.run(ctx, do) })
	if err != nil {
		err = because(ctx, classify(err))
		if rerr := s.recover(context.WithoutCancel(ctx), err); rerr != nil {
			s.log.ErrorContext(ctx, "event store does not recover from a failed commit", "error", rerr)
			return errors.Join(err, rerr)
		}
		return err
	}
	s.own, s.floors, s.lastNumber, s.retired = t.own, t.floors, t.last, t.retired
	s.apps.Store(&t.apps)
	return nil
}

// run runs do in the transaction and commits it. When it fails, the transaction may still be open.
func (t *tx) run(ctx context.Context, do func(*tx) error) error {
	err := t.conn.exec(ctx, "BEGIN TRANSACTION")
	if err == nil {
		err = do(t)
	}
	if err == nil {
		err = t.s.at("commit")
	}
	if err == nil {
		// From here on the transaction is not interrupted.
		if err = t.conn.exec(context.WithoutCancel(ctx), "COMMIT"); err == nil {
			err = t.s.syncName()
		}
	}
	return err
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
// is replaced. A database that is out of service is opened again, and so is one that met its memory limit: DuckDB may then
// leave columns of different length behind that no rollback repairs, and it ends the process when the connection of such
// a transaction is closed while memory is short. The caller holds turn, but not life.
func (s *Store) recover(ctx context.Context, cause error) error {
	s.stale = true
	if !invalidated(cause) && !errors.Is(cause, events.ErrMemory) {
		err := s.db.exec(ctx, "ROLLBACK")
		if err == nil || inTransaction(err) {
			return nil
		}
		if !invalidated(err) {
			if err := s.db.reconnect(ctx); err == nil {
				return nil
			}
		}
	}
	return s.reopen(ctx, cause)
}

// reopen closes the database and opens it again, after an error that it cannot undo. Reads under way are stopped. The
// caller holds turn, but not life.
func (s *Store) reopen(ctx context.Context, cause error) error {
	s.stale = true
	s.log.WarnContext(ctx, "event store is opened again after an error it cannot undo", "error", cause)
	defer s.runs.clear(ctx)()
	s.life.Lock()
	defer s.life.Unlock()
	_ = s.db.exec(ctx, "ROLLBACK") // while reads no longer need memory; it says nothing new
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

// inTransaction reports whether a statement failed because of the transactions that are open or not: a rollback that found
// nothing to roll back (the transaction never began, or a failed COMMIT ended it), a checkpoint beside another transaction.
func inTransaction(err error) bool {
	var de *duckdb.Error
	return errors.As(err, &de) && de.Type == duckdb.ErrorTypeTransaction
}

// reconnect replaces the writer's connection; with the old one ends its
// transaction.
func (db *database) reconnect(ctx context.Context) error {
	discard(db.writer)
	var err error
	db.writer, err = db.writers.Conn(ctx)
	return err
}

// floor returns the offset up to which an app's rows are committed.
func (t *tx) floor(app model.AppID, part uint16) uint64 {
	return max(t.own[part], t.floors[app][part])
}

// advance rewrites the watermark to w, never backwards, and drops the notes of a
// batch that was split.
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
	var names []string
	for _, id := range ids {
		if off <= t.floor(id, part) {
			continue
		}
		t.floors[id] = t.floors[id].Clone()
		t.floors[id][part] = off
		names = append(names, id.String())
	}
	if len(names) == 0 {
		return nil
	}
	if err := t.conn.exec(ctx, "INSERT INTO progress SELECT unnest(?), ?, ?", names, part, off); err != nil {
		return fmt.Errorf("note progress: %w", err)
	}
	return nil
}

// all stores what a batch adds to some apps.
func (t *tx) all(ctx context.Context, b placed, ids []model.AppID) error {
	bundles, err := t.bundles(ctx, b, ids)
	if err != nil {
		return err
	}
	for _, g := range bundles {
		if err := t.store(ctx, g); err != nil {
			if len(g.apps) == 1 {
				err = fmt.Errorf("app %s: %w", g.apps[0].id, err)
			}
			return err
		}
	}
	return nil
}

// store stores what a batch adds to a group of apps.
func (t *tx) store(ctx context.Context, g bundle) error {
	for _, m := range g.apps {
		maps.Copy(t.s.touched, fills(g.tables, m.AppBatch))
	}
	if err := t.move(ctx, g); err != nil {
		return err
	}
	if err := t.rows(ctx, g); err != nil {
		return err
	}
	err := appendRows(ctx, t, g, g.requests, requestColumns, func(fn func(uint32, []*events.RequestRow) error) error {
		return ofEach(g, func(m member) []*events.RequestRow {
			return pick(nil, m.Requests, m.floor, m.rewrites, func(r *events.RequestRow) (uint64, *uint32) { return r.Offset, &r.UID })
		}, fn)
	})
	if err != nil {
		return err
	}
	err = appendRows(ctx, t, g, g.states, storedStateColumns, func(fn func(uint32, []*stateRow) error) error {
		return ofEach(g, func(m member) []*stateRow {
			return storedStates(pick(nil, m.States, m.floor, m.rewrites, func(r *events.State) (uint64, *uint32) { return r.Offset, &r.UID }))
		}, fn)
	})
	if err != nil {
		return err
	}
	return t.users(ctx, g)
}

// rows stores the event rows that a batch adds to apps.
func (t *tx) rows(ctx context.Context, g bundle) error {
	var used events.Slots
	for _, m := range g.apps {
		used = used.Or(m.used)
	}
	picked := make([]*events.Row, 0, chunkRows)
	each := func(fn func(uint32, []*events.Row) error) error {
		for _, m := range g.apps {
			err := m.EachRows(chunkRows, func(rows []events.Row) error {
				picked = pick(picked[:0], rows, m.floor, m.rewrites, func(r *events.Row) (uint64, *uint32) { return r.Offset, &r.UID })
				return fn(m.number, picked)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	if g.shared {
		return appendRows(ctx, t, g, g.events, usedColumns(used), each)
	}
	return t.apart(ctx, g, columnsThatHold(used), each)
}

// apart adds event rows of one app to its own tables, wide ones to theirs, or all if there are many among the first ones.
func (t *tx) apart(ctx context.Context, g bundle, slots columnsFor, rows pieces[events.Row]) error {
	var narrow, wide []*events.Row
	began, together := false, false
	err := t.conn.writer.Raw(func(conn any) error {
		few := &appending[events.Row]{s: t.s, conn: conn.(driver.Conn), table: g.events, columns: usedColumns(slots.narrow)}
		many := &appending[events.Row]{s: t.s, conn: conn.(driver.Conn), table: g.wide, columns: usedColumns(slots.wide)}
		err := rows(func(app uint32, part []*events.Row) error {
			if !began && len(part) > 0 {
				began, together = true, manyWide(part)
			}
			narrow, wide = narrow[:0], wide[:0]
			for _, r := range part {
				if together || isWide(r) {
					wide = append(wide, r)
				} else {
					narrow = append(narrow, r)
				}
			}
			if err := few.add(ctx, app, narrow); err != nil {
				return err
			}
			return many.add(ctx, app, wide)
		})
		err = few.end(ctx, err)
		return many.end(ctx, err)
	})
	if err != nil {
		return fmt.Errorf("append to %s and %s: %w", g.events, g.wide, err)
	}
	return nil
}

// pick appends the rows whose offset lies beyond floor, with their new user.
// The rows themselves stay as they are: a changed row is a copy.
func pick[T any](out []*T, rows []T, floor uint64, rewrites map[uint32]uint32, ids func(*T) (off uint64, uid *uint32)) []*T {
	out = slices.Grow(out, len(rows))
	for i := range rows {
		r := &rows[i]
		off, uid := ids(r)
		if off <= floor {
			continue
		}
		if to, ok := rewrites[*uid]; ok {
			moved := *r
			r = &moved
			_, uid = ids(r)
			*uid = to
		}
		out = append(out, r)
	}
	return out
}

// move rewrites the stored rows of users that were merged into others.
func (t *tx) move(ctx context.Context, g bundle) error {
	var apps, from, to []uint32
	for _, m := range g.apps {
		for _, uid := range slices.Sorted(maps.Keys(m.rewrites)) {
			apps, from, to = append(apps, m.number), append(from, uid), append(to, m.rewrites[uid])
		}
	}
	if len(from) == 0 {
		return nil
	}
	for _, table := range g.byUser() {
		statement, args := "UPDATE "+table+" SET uid = m.new FROM (SELECT unnest(?) AS old, unnest(?) AS new) AS m WHERE uid = m.old", []any{from, to}
		if g.shared {
			statement = "UPDATE " + table + " SET uid = m.new FROM (SELECT unnest(?) AS of, unnest(?) AS old, unnest(?) AS new) AS m WHERE " + appColumn + " = m.of AND uid = m.old"
			args = []any{apps, from, to}
		}
		if err := t.conn.exec(ctx, statement, args...); err != nil {
			return fmt.Errorf("move users in %s: %w", table, err)
		}
	}
	return nil
}

// users writes profiles to the users table and removes those that are gone.
// Rows are replaced whole: see docs/format/events.md.
func (t *tx) users(ctx context.Context, g bundle) error {
	var (
		stored refs // those that may have a row
		rows   = make([][]*model.Profile, len(g.apps))
	)
	for i, m := range g.apps {
		if len(m.Users) == 0 && len(m.Gone) == 0 {
			continue
		}
		last, err := t.lastUID(ctx, g, m)
		if err != nil {
			return err
		}
		seen := make(map[uint32]bool, len(m.Users)+len(m.Gone))
		see := func(uid uint32) bool {
			if seen[uid] {
				return false
			}
			seen[uid] = true
			if uid <= last {
				stored.add(m.number, uid)
			}
			return true
		}
		for _, uid := range m.Gone {
			see(uid)
		}
		rows[i] = make([]*model.Profile, 0, len(m.Users))
		for _, p := range slices.Backward(m.Users) { // the last one of a user counts
			if see(p.UID) {
				rows[i] = append(rows[i], p)
				last = max(last, p.UID)
			}
		}
		slices.SortFunc(rows[i], func(a, b *model.Profile) int { return cmp.Compare(a.UID, b.UID) })
		t.setLastUID(g, m, last)
	}
	if err := t.delete(ctx, g.users, g.shared, stored); err != nil {
		return err
	}
	return appendRows(ctx, t, g, g.users, userColumns, func(fn func(uint32, []*model.Profile) error) error {
		for i, m := range g.apps {
			if err := fn(m.number, rows[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// lastUID returns a number that no user in the app's users table exceeds.
func (t *tx) lastUID(ctx context.Context, g bundle, m member) (uint32, error) {
	if g.shared {
		return t.s.extents[m.number].lastUID, nil
	}
	last, ok := t.s.lastUID[m.id]
	if ok {
		return last, nil
	}
	err := t.conn.writer.QueryRowContext(ctx, "SELECT coalesce(max(uid), 0::UINTEGER) FROM "+g.users).Scan(&last)
	if err != nil {
		return 0, fmt.Errorf("find last user: %w", err)
	}
	return last, nil
}

func (t *tx) setLastUID(g bundle, m member, last uint32) {
	if !g.shared {
		t.s.lastUID[m.id] = last
		return
	}
	e := t.s.extents[m.number]
	e.lastUID = last
	t.s.extents[m.number] = e
}

// refs are users, each with the number of its app in shared tables.
type refs struct{ apps, uids []uint32 }

func (r *refs) add(app, uid uint32) { r.apps, r.uids = append(r.apps, app), append(r.uids, uid) }

// fewUsers is the number of users up to which a statement names each.
const fewUsers = 64

// delete removes the rows of users from a table.
func (t *tx) delete(ctx context.Context, table string, shared bool, users refs) error {
	if len(users.uids) == 0 {
		return nil
	}
	statement, args := "DELETE FROM "+table+" WHERE uid IN (SELECT unnest(?))", []any{users.uids}
	switch {
	case shared:
		statement = "DELETE FROM " + table + " USING (SELECT unnest(?) AS of, unnest(?) AS id) AS g WHERE " + appColumn + " = g.of AND uid = g.id"
		args = []any{users.apps, users.uids}
	case len(users.uids) <= fewUsers: // a list is faster than a join
		var list strings.Builder
		for i, uid := range users.uids {
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
