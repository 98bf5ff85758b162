package duck

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
)

// A small app shares tables with others, where a column holds its number: a table costs memory, disk and time however few
// its rows are. An app that grows gets tables of its own, so that its reads look at no other's rows and its rows go past
// the log. What it leaves in the shared tables is retired: its number leads nowhere from then on, and the rows are deleted
// once no read can still look for them there. Numbers are never given twice.

// place is where the rows of an app lie.
type place struct {
	tables
	own    bool       // the tables are the app's own
	number uint32     // of the app in the shared tables; no app has 0
	slots  columnsFor // what the tables of events have columns for
}

// eventTable is a table of event rows.
type eventTable struct {
	table string
	slots events.Slots // that it has columns for
}

// eventTables lists the tables that the app's event rows lie in.
func (p place) eventTables() []eventTable {
	out := []eventTable{{p.events, p.slots.narrow}}
	if p.wide != "" {
		out = append(out, eventTable{p.wide, p.slots.wide})
	}
	return out
}

// mine is the condition that a row is the app's; it can be put before others with AND.
func (p place) mine() string {
	if p.own {
		return "TRUE"
	}
	return appColumn + " = " + strconv.FormatUint(uint64(p.number), 10)
}

// places are the apps that there is something of.
type places map[model.AppID]home

// home is where the rows of an app lie.
type home struct {
	number uint32     // in the shared tables; 0 = it has tables of its own
	slots  columnsFor // what its own tables of events have columns for
}

func (m places) of(app model.AppID) (p place, ok bool) {
	h, ok := m[app]
	if ok && h.number == 0 {
		return place{tables: ownTables(app), own: true, slots: h.slots}, true
	}
	return place{tables: sharedTables, number: h.number, slots: columnsFor{narrow: allSlots}}, ok
}

// extent is what is in the shared tables of an app.
type extent struct {
	rows    int64  // in the largest of its tables; rather too many
	lastUID uint32 // no user's number in the users table exceeds it
}

// largest is the number of rows that a batch adds to the table it adds most to; users among them may be there already.
func largest(b *events.AppBatch) int64 {
	return int64(max(b.CountRows(), len(b.Requests), len(b.States), len(b.Users)))
}

// measure reads the extents of all apps in the shared tables, unless they are known.
func (s *Store) measure(ctx context.Context) (err error) {
	if s.extents == nil {
		s.extents, err = s.measureApps(ctx, 0)
	}
	return err
}

// measureApps reads the extents of apps in the shared tables: of that with a number, or, for 0, of all.
func (s *Store) measureApps(ctx context.Context, number uint32) (map[uint32]extent, error) {
	where := ""
	if number != 0 {
		where = " WHERE " + place{number: number}.mine()
	}
	var parts []string
	for _, table := range sharedTables.all() {
		last := "0"
		if table == sharedTables.users {
			last = "max(uid)"
		}
		parts = append(parts, "SELECT app, count(*) AS n, "+last+" AS last FROM "+table+where+" GROUP BY app")
	}
	statement := "SELECT app, max(n)::BIGINT, max(last)::UINTEGER FROM (" + strings.Join(parts, " UNION ALL ") + ") GROUP BY app"
	out := map[uint32]extent{}
	err := each(ctx, s.db.writer, statement, nil, func(r events.Scanner) error {
		var (
			number uint32
			e      extent
		)
		err := r.Scan(&number, &e.rows, &e.lastUID)
		out[number] = e
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("measure shared tables: %w", err)
	}
	return out, nil
}

// placed is a batch, and which of its apps have tables of their own from it on.
type placed struct {
	*events.Batch
	own map[model.AppID]bool
}

// tables are those of an app from the batch on.
func (t placed) tables(app model.AppID) tables {
	if t.own[app] {
		return ownTables(app)
	}
	return sharedTables
}

// settle decides which apps of a batch have tables of their own. The caller holds turn.
func (s *Store) settle(ctx context.Context, b *events.Batch) (placed, error) {
	t := placed{b, map[model.AppID]bool{}}
	known := *s.apps.Load()
	if err := s.measure(ctx); err != nil {
		return t, classify(err)
	}
	for id, ab := range b.Apps {
		at, ok := known[id]
		number := at.number
		switch {
		case ok && number == 0:
			t.own[id] = true
		case s.extents[number].rows+largest(ab) < s.opt.OwnRows:
		default:
			if ok { // replaced users were counted twice, and removed rows are no longer there
				exact, err := s.measureApps(ctx, number)
				if err != nil {
					return t, classify(err)
				}
				s.extents[number] = exact[number]
			}
			t.own[id] = s.extents[number].rows+largest(ab) >= s.opt.OwnRows
		}
	}
	return t, nil
}

// bundle are apps of a batch whose rows go to the same tables.
type bundle struct {
	tables
	shared bool
	apps   []member
}

// member is what a batch adds to an app.
type member struct {
	*events.AppBatch
	id       model.AppID
	number   uint32 // in shared tables
	floor    uint64 // place in the journal up to which rows are there
	rewrites map[uint32]uint32
	used     events.Slots // of the rows
}

// bundles makes the places of apps, where there are none, or no columns for what they hold, and puts those together that share tables.
func (t *tx) bundles(ctx context.Context, b placed, ids []model.AppID) ([]bundle, error) {
	if err := t.s.measure(ctx); err != nil {
		return nil, err
	}
	shared := bundle{tables: sharedTables, shared: true}
	var (
		out     []bundle
		fresh   []string // shares tables from now on
		numbers []uint32
	)
	apps := maps.Clone(t.apps)
	for _, id := range ids {
		at, known := apps[id]
		used := b.Apps[id].RowSlots()
		var err error
		switch {
		case !b.own[id] && !known:
			t.last++
			at.number = t.last
			fresh, numbers = append(fresh, id.String()), append(numbers, at.number)
		case b.own[id] && (!known || at.number != 0):
			at, err = t.promote(ctx, id, at.number, used)
		case b.own[id]:
			at.slots, err = t.widen(ctx, ownTables(id), at.slots, used)
		}
		if err != nil {
			return nil, fmt.Errorf("make tables of app %s: %w", id, err)
		}
		apps[id] = at
		floor := journal.Position{Partition: b.Partition, Offset: t.floor(id, b.Partition)}.Place()
		m := member{AppBatch: b.Apps[id], id: id, number: at.number, floor: floor, rewrites: events.Resolve(b.Apps[id].Rewrites), used: used}
		if at.number != 0 {
			e := t.s.extents[at.number]
			e.rows += largest(m.AppBatch)
			t.s.extents[at.number] = e
			shared.apps = append(shared.apps, m)
		} else {
			out = append(out, bundle{tables: ownTables(id), apps: []member{m}})
		}
	}
	t.apps = apps
	if len(fresh) > 0 {
		if err := t.name(ctx, fresh, numbers); err != nil {
			return nil, err
		}
	}
	if len(shared.apps) > 0 {
		out = append(out, shared)
	}
	return out, nil
}

// name notes the numbers of apps that share tables.
func (t *tx) name(ctx context.Context, apps []string, numbers []uint32) error {
	err := t.conn.exec(ctx, "INSERT INTO apps SELECT unnest(?), unnest(?)", apps, numbers)
	if err == nil {
		err = t.conn.exec(ctx, "UPDATE numbers SET last = ?", t.last)
	}
	if err != nil {
		return fmt.Errorf("note numbers of apps: %w", err)
	}
	return nil
}

// promote makes tables of an app's own, with what it has in the shared ones under a number (0 = nothing), and columns for the slots that
// its rows use and will use.
func (t *tx) promote(ctx context.Context, id model.AppID, number uint32, used events.Slots) (home, error) {
	own := ownTables(id)
	if number != 0 {
		there, err := t.slotsOf(ctx, number)
		if err != nil {
			return home{}, err
		}
		used = used.Or(there)
	}
	slots := columnsThatHold(used)
	for _, ddl := range append(createTables("CREATE TABLE ", own, "", slots), own.viewRows(slots)) {
		if err := t.conn.exec(ctx, ddl); err != nil {
			return home{}, err
		}
	}
	if number == 0 {
		return home{slots: slots}, nil
	}
	for _, c := range copies(own, slots) {
		statement := "INSERT INTO " + c.own + " (" + c.columns + ") SELECT " + c.columns + " FROM " + c.shared + " WHERE " + place{number: number}.mine() + " AND " + c.where
		if err := t.conn.exec(ctx, statement); err != nil {
			return home{}, err
		}
	}
	t.s.lastUID[id] = t.s.extents[number].lastUID
	if err := t.conn.exec(ctx, "DELETE FROM apps WHERE number = ?", number); err != nil {
		return home{}, err
	}
	t.retired = true
	return home{slots: slots}, t.conn.exec(ctx, "INSERT INTO retired VALUES (?)", number)
}

// purge deletes what promoted apps left in the shared tables, unless reads are under way that may have begun before:
// these may still look for it. The caller holds turn.
func (s *Store) purge(ctx context.Context) error {
	if !s.retired || !s.life.TryLock() {
		return nil
	}
	s.life.Unlock() // reads that begin from here on look elsewhere
	return s.purgeNow(ctx)
}

// purgeNow deletes what promoted apps left. The caller holds turn, and nobody reads it.
func (s *Store) purgeNow(ctx context.Context) error {
	if !s.retired {
		return nil
	}
	return s.transact(ctx, func(t *tx) error {
		for _, table := range sharedTables.all() {
			if err := t.conn.exec(ctx, "DELETE FROM "+table+" WHERE app IN (SELECT number FROM retired)"); err != nil {
				return fmt.Errorf("delete retired rows from %s: %w", table, err)
			}
		}
		t.retired = false
		return t.conn.exec(ctx, "DELETE FROM retired")
	})
}
