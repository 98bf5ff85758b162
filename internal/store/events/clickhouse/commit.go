package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/journal"
)

// errReader says that the store was opened to read.
var errReader = errors.New("the event store was opened without a ledger: it only reads")

// maxPartition is the greatest partition whose places are numbers of ClickHouse's Int64.
const maxPartition = 1<<15 - 1

// Watermark implements events.Writer: up to where rows are confirmed.
func (s *Store) Watermark(ctx context.Context) (journal.Watermark, error) {
	if s.o.Ledger == nil {
		return nil, errReader
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	w, err := s.o.Ledger.Watermark(ctx)
	if err != nil {
		return nil, fmt.Errorf("event store watermark: %w", err)
	}
	return w, nil
}

// Resumes implements events.Resumer.
func (s *Store) Resumes(ctx context.Context, partition uint16) (through uint64, err error) {
	if s.o.Ledger == nil {
		return 0, errReader
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	noted, err := s.o.Ledger.Noted(ctx, partition)
	if err != nil {
		return 0, fmt.Errorf("event store ledger: %w", err)
	}
	return noted.Through, nil
}

// Commit implements events.Writer. What fails in the middle is finished by a later commit that ends where it would have: see Resumes. Errors: those of package ch,
// clickhouse.unfinished for a batch that ends elsewhere than the one that is to be finished, clickhouse.rows_differ when ClickHouse holds other rows of
// a batch than were sent, and does so again after they were removed and sent again.
func (s *Store) Commit(ctx context.Context, b *events.Batch) error {
	if s.o.Ledger == nil {
		return errReader
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.commit(ctx, b); err != nil {
		return fmt.Errorf("commit to event store: %w", err)
	}
	return nil
}

func (s *Store) commit(ctx context.Context, b *events.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.Partition > maxPartition {
		return fmt.Errorf("partition %d is beyond %d", b.Partition, maxPartition)
	}
	own, err := s.o.Ledger.Watermark(ctx)
	if err != nil {
		return err
	}
	apps := gather(b)
	// The holder of the partitions has the highest number. Rows from an earlier holder have a smaller one.
	version, err := s.o.Ledger.Version(ctx)
	if err != nil {
		return err
	}
	known, err := s.introduce(ctx, apps, version)
	if err != nil {
		return err
	}
	if want := (events.Sending{Partition: b.Partition, After: own[b.Partition], Through: b.Watermark[b.Partition]}); want.After < want.Through {
		noted, again, err := s.o.Ledger.Begin(ctx, want)
		if err != nil {
			return err
		}
		// What is confirmed has its merges and users, too: nobody brings them again. So a sending is confirmed with its own batch, not as a part of a longer one.
		if noted.After != want.After || noted.Through != want.Through {
			return fault.Newf(fault.Conflict, codeUnfinished, "rows of partition %d from %d to %d have to be sent before those up to %d", noted.Partition, noted.After, noted.Through, want.Through)
		}
		if err := s.deliver(ctx, apps, noted, again); err != nil {
			return err
		}
	}
	if err := s.merge(ctx, apps, known, version); err != nil {
		return err
	}
	if err := s.mirror(ctx, apps, version); err != nil {
		return err
	}
	if len(b.Watermark) == 0 {
		return nil
	}
	return s.o.Ledger.Confirm(ctx, b.Watermark)
}

// member is what a batch adds to an app.
type member struct {
	*events.AppBatch
	id       model.AppID
	name     string
	rewrites map[uint32]uint32
}

// gather lists the apps of a batch in an order that is always the same.
func gather(b *events.Batch) []member {
	var out []member
	for _, id := range slices.SortedFunc(maps.Keys(b.Apps), func(a, b model.AppID) int { return slices.Compare(a[:], b[:]) }) {
		out = append(out, member{AppBatch: b.Apps[id], id: id, name: id.String(), rewrites: events.Resolve(b.Apps[id].Rewrites)})
	}
	return out
}

// introduce makes apps known, and returns what is stored of them.
func (s *Store) introduce(ctx context.Context, apps []member, version uint64) (map[model.AppID]app, error) {
	b := ch.NewBuilder([]ch.Spec{{Name: "app", Type: "String"}, {Name: "version", Type: "UInt64"}, {Name: "gone", Type: "UInt8"}})
	ids := make([]model.AppID, len(apps))
	for i, m := range apps {
		ids[i] = m.id
	}
	known, err := s.ask(ctx, ids...)
	if err != nil {
		return nil, err
	}
	fresh := map[model.AppID]app{}
	for _, m := range apps {
		if a := known[m.id]; !a.exists {
			b.Text(0, m.name)
			b.Whole(1, version)
			b.Whole(2, 0)
			b.End()
			a.exists = true
			fresh[m.id], known[m.id] = a, a
		}
	}
	if err := s.c.Insert(ctx, ch.Statement{SQL: "INSERT INTO " + appsTable + " " + b.Names(), Settings: nameless(), Ordered: true}, b); err != nil {
		return nil, err
	}
	for id, a := range fresh {
		s.note(id, a)
	}
	return known, nil
}

// nameless are the settings of inserts that may come twice. Newer servers drop those that are equal in spite of it; their rows have versions, so none are.
func nameless() map[string]string { return map[string]string{"insert_deduplicate": "0"} }

// named are the settings of an insert that ClickHouse drops when it had one of the same name.
func (s *Store) named(n events.Sending, kind string, block int) map[string]string {
	settings := map[string]string{"insert_deduplicate": "1", "insert_deduplication_token": fmt.Sprintf("%d:%d-%d.%d:%s:%d", n.Partition, n.After, n.Through, n.Try, kind, block)}
	if s.insists {
		settings[insisting] = "enable"
	}
	return settings
}

// span are the places of a sending: behind the first, up to the last.
func span(n events.Sending) (after, through uint64) {
	return journal.Position{Partition: n.Partition, Offset: n.After}.Place(), journal.Position{Partition: n.Partition, Offset: n.Through}.Place()
}

// codeUnfinished is the code of what has to wait until a sending is finished.
const codeUnfinished = "clickhouse.unfinished"

// codeDiffer is the code of a sending of which ClickHouse holds other rows than were sent.
const codeDiffer = "clickhouse.rows_differ"

// deliver sends a sending. When it was begun before and ClickHouse then has more or fewer of its rows than there are, it is removed and sent again, under other
// names, which are noted first.
func (s *Store) deliver(ctx context.Context, apps []member, n events.Sending, again bool) error {
	err := s.send(ctx, apps, n, again)
	if fault.CodeOf(err) != codeDiffer {
		return err
	}
	s.log.WarnContext(ctx, "event store sends again what was sent before", "error", err)
	after, through := span(n)
	for _, t := range byUser() {
		// Each removal waits for a while. A worker that has lost the partition meanwhile must not remove what its successor has confirmed.
		if n, err = s.o.Ledger.Retry(ctx, n); err != nil {
			return err
		}
		if err := s.c.Change(ctx, ch.Change{Table: tableNames[t], Do: "DELETE", Where: "off > ? AND off <= ?", Args: []any{after, through}, Timeout: mutationPatience}); err != nil {
			return err
		}
	}
	return s.send(ctx, apps, n, true)
}

// send sends the rows of a sending. If it was noted before, some of them may be there already: their names tell ClickHouse, and their number is checked.
func (s *Store) send(ctx context.Context, apps []member, n events.Sending, again bool) error {
	rows := newSender(s, n, newFilling(plan.Events, eventColumns()), func(r *events.Row) (uint64, *uint32, int) {
		size := len(r.Key) + len(r.Name) + len(r.Extra)
		for _, t := range r.Text {
			if t != nil {
				size += len(*t)
			}
		}
		return r.Offset, &r.UID, size
	})
	requests := newSender(s, n, newFilling(plan.Requests, requestColumns()), func(r *events.RequestRow) (uint64, *uint32, int) { return r.Offset, &r.UID, 0 })
	states := newSender(s, n, newFilling(plan.States, stateColumns()), func(r *events.State) (uint64, *uint32, int) { return r.Offset, &r.UID, len(r.JSON) })
	for _, m := range apps {
		err := m.EachRows(pieceRows, func(list []events.Row) error { return rows.add(ctx, m, list) })
		if err != nil {
			return err
		}
		if err := requests.add(ctx, m, m.Requests); err != nil {
			return err
		}
		if err := states.add(ctx, m, m.States); err != nil {
			return err
		}
	}
	if err := errors.Join(rows.flush(ctx), requests.flush(ctx), states.flush(ctx)); err != nil {
		return err
	}
	if !again {
		return nil
	}
	s.log.InfoContext(ctx, "event store finishes what was begun before", "partition", n.Partition, "after", n.After, "through", n.Through)
	for table, sent := range map[plan.Table]int64{plan.Events: rows.sent, plan.Requests: requests.sent, plan.States: states.sent} {
		if err := s.compare(ctx, table, n, sent); err != nil {
			return err
		}
	}
	return nil
}

// pieceRows is how many rows are brought into memory at a time.
const pieceRows = 4096

// compare makes sure that a table has as many rows of a sending as were sent: the engine may have forgotten names, after a crash or a long time.
func (s *Store) compare(ctx context.Context, t plan.Table, n events.Sending, sent int64) error {
	after, through := span(n)
	var have int64
	err := s.c.Each(ctx, ch.Statement{SQL: "SELECT count() FROM " + tableNames[t] + " WHERE off > ? AND off <= ?", Args: []any{after, through}}, func(b *ch.Block, row int) error {
		have = b.Columns[0].Whole[row]
		return nil
	})
	if err != nil {
		return err
	}
	if have != sent {
		return fault.Newf(fault.Conflict, codeDiffer, "ClickHouse has %d rows of %s of partition %d from %d to %d, and %d were sent", have, tableNames[t], n.Partition, n.After, n.Through, sent)
	}
	return nil
}

// sender sends the rows of a table in blocks.
type sender[T any] struct {
	s      *Store
	n      events.Sending
	f      *filling[T]
	ids    func(*T) (off uint64, uid *uint32, size int)
	blocks int
	sent   int64
}

func newSender[T any](s *Store, n events.Sending, f *filling[T], ids func(*T) (off uint64, uid *uint32, size int)) *sender[T] {
	return &sender[T]{s: s, n: n, f: f, ids: ids}
}

// add adds the rows of an app that belong to the sending, with their new user. The rows themselves stay as they are.
func (d *sender[T]) add(ctx context.Context, m member, rows []T) error {
	after, through := span(d.n)
	for i := range rows {
		r := &rows[i]
		off, uid, size := d.ids(r)
		if off <= after || off > through {
			continue
		}
		if to, ok := m.rewrites[*uid]; ok {
			moved := *r
			r = &moved
			_, uid, _ = d.ids(r)
			*uid = to
		}
		d.f.add(m.name, r, size)
		d.f.End()
		if d.f.full() {
			if err := d.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush sends the block.
func (d *sender[T]) flush(ctx context.Context) error {
	if d.f.Rows() == 0 {
		return nil
	}
	if err := d.s.c.Insert(ctx, d.f.insert(d.s.named(d.n, d.f.table, d.blocks)), d.f.Builder); err != nil {
		return err
	}
	d.blocks++
	d.sent += int64(d.f.Rows())
	d.f.reset()
	return nil
}

// merge notes the users who were merged into others. Rows are rewritten when there are many.
func (s *Store) merge(ctx context.Context, apps []member, known map[model.AppID]app, version uint64) error {
	b := mergedBuilder()
	changed := map[model.AppID]app{}
	for _, m := range apps {
		if len(m.rewrites) == 0 {
			continue
		}
		a := known[m.id]
		all := maps.Clone(m.rewrites)
		for old, to := range a.merged { // 1→2 before, 2→3 now: 1→3
			if next, ok := m.rewrites[to]; ok {
				to = next
			}
			if _, ok := all[old]; !ok {
				all[old] = to
			}
		}
		for old, to := range all {
			if before, ok := a.merged[old]; ok && before == to {
				continue
			}
			addMerged(b, m.name, old, to, version, old == to)
		}
		maps.DeleteFunc(all, func(old, to uint32) bool { return old == to })
		a.merged = all
		changed[m.id] = a
	}
	if len(changed) == 0 {
		return nil
	}
	if err := s.c.Insert(ctx, ch.Statement{SQL: "INSERT INTO " + mergedTable + " " + b.Names(), Settings: nameless(), Ordered: true}, b); err != nil {
		return err
	}
	for id, a := range changed {
		s.note(id, a)
		if len(a.merged) < s.o.Merged {
			continue
		}
		if err := s.rewrite(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func mergedBuilder() *ch.Builder {
	return ch.NewBuilder([]ch.Spec{{Name: "app", Type: "String"}, {Name: "old", Type: "Int64"}, {Name: "new", Type: "Int64"}, {Name: "version", Type: "UInt64"}, {Name: "gone", Type: "UInt8"}})
}

func addMerged(b *ch.Builder, name string, old, to uint32, version uint64, gone bool) {
	b.Text(0, name)
	b.Whole(1, uint64(old))
	b.Whole(2, uint64(to))
	b.Whole(3, version)
	b.Whole(4, map[bool]uint64{true: 1}[gone])
	b.End()
}

// mirror writes profiles to the users table and removes those that are gone. Each write has a version, and the last one counts.
func (s *Store) mirror(ctx context.Context, apps []member, version uint64) error {
	columns := userColumns()
	f := newFilling(plan.Users, columns, ch.Spec{Name: "version", Type: "UInt64"}, ch.Spec{Name: "gone", Type: "UInt8"})
	flush := func() error {
		if err := s.c.Insert(ctx, f.insert(nameless()), f.Builder); err != nil {
			return err
		}
		f.reset()
		return nil
	}
	add := func(m member, p *model.Profile, gone uint64) error {
		f.add(m.name, p, profileSize(p))
		f.Whole(len(columns)+1, version)
		f.Whole(len(columns)+2, gone)
		f.End()
		if f.full() {
			return flush()
		}
		return nil
	}
	for _, m := range apps {
		seen := make(map[uint32]bool, len(m.Users)+len(m.Gone))
		for _, uid := range m.Gone {
			if seen[uid] {
				continue
			}
			seen[uid] = true
			if err := add(m, &model.Profile{UID: uid}, 1); err != nil {
				return err
			}
		}
		for _, p := range slices.Backward(m.Users) { // the last one of a user counts
			if seen[p.UID] {
				continue
			}
			seen[p.UID] = true
			if err := add(m, p, 0); err != nil {
				return err
			}
		}
	}
	return flush()
}

// profileSize estimates what a profile takes in a block.
func profileSize(p *model.Profile) int {
	n := 512 + cmp.Or(len(p.Custom), 0)*64 + len(p.Name) + len(p.DID) + len(p.Picture)
	for _, v := range p.Custom {
		if s, ok := v.(string); ok {
			n += len(s)
		}
	}
	return n
}
