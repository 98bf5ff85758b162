package pipeline_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/hook"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/modules/views"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	"quipu/internal/store/outbox"
	pebbleoutbox "quipu/internal/store/outbox/pebble"
	"quipu/internal/store/profile"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/schema"
	pebbleschema "quipu/internal/store/schema/pebble"
	statestore "quipu/internal/store/state"
	pebblestate "quipu/internal/store/state/pebble"
)

// noon is a time well inside a day, month and year: 2031-05-14 12:00 UTC.
const noon = int64(1_936_612_800_000)

var (
	utcApp     = model.App{ID: model.AppID{1}, Timezone: "UTC", Key: "key-1", IDKey: "key-1"}
	kolkataApp = model.App{ID: model.AppID{2}, Timezone: "Asia/Kolkata", Key: "key-2", IDKey: "key-2"}
)

// directory is a fixed list of apps.
type directory []*model.App

func (d directory) ByKey(key string) *model.App {
	return d.find(func(a *model.App) bool { return a.Key == key })
}

func (d directory) ByID(id model.AppID) *model.App {
	return d.find(func(a *model.App) bool { return a.ID == id })
}
func (d directory) All() []*model.App { return d }
func (d directory) find(is func(*model.App) bool) *model.App {
	if i := slices.IndexFunc(d, is); i >= 0 {
		return d[i]
	}
	return nil
}

// closer is a journal that can be closed.
type closer interface {
	journal.Journal
	Close() error
}

// store is a state with its outbox.
type store interface {
	statestore.Store
	Outbox() outbox.Store
}

// embedded is the state in the database of the journal.
type embedded struct {
	*pebblestate.Store
	db *kv.DB
}

func (e embedded) Outbox() outbox.Store { return pebbleoutbox.New(e.db) }

// world is a pipeline over real stores in memory. With QUIPU_TEST_STATE=postgres, or on a disk of onPostgres, the state is in PostgreSQL, and
// cells travel from there to the database of the journal.
type world struct {
	db       *kv.DB
	journal  closer
	profiles profile.Store
	schema   schema.Store
	store    store
	aliases  rollup.AliasSource // of readers of cells
	events   *memory
	dropped  *outcome.Counter
	bus      *hook.Bus
	cached   int    // profiles in memory that no batch uses
	moving   *mover // of cells to w.db; nil = the state is there, too
	pipe     *pipeline.Pipeline
	apps     directory
	stop     context.CancelFunc
	ended    chan error
	clock    func() time.Time
}

// features are those of the product that declare a part in ingestion.
func features() pipeline.Features { return pipeline.Features{views.Module().Ingest} }

// open opens the stores on fs and makes a pipeline, which is at rest.
func open(tb testing.TB, fs *vfs.MemFS, ev *memory, change func(*pipeline.Options)) *world {
	tb.Helper()
	return openFS(tb, fs, ev, change)
}

func openFS(tb testing.TB, fs vfs.FS, ev *memory, change func(*pipeline.Options)) *world {
	tb.Helper()
	return openCached(tb, fs, ev, 20, change)
}

func openCached(tb testing.TB, fs vfs.FS, ev *memory, cached int, change func(*pipeline.Options)) *world {
	tb.Helper()
	w := &world{events: ev, cached: cached, bus: hook.NewBus(), apps: directory{&utcApp, &kolkataApp}, ended: make(chan error, 1)}
	w.clock = func() time.Time { return time.UnixMilli(noon) }
	w.dropped = outcome.NewCounter(w.clock)
	log := slog.New(slog.DiscardHandler)
	var err error
	if w.db, err = kv.Open(tb.Context(), kv.Options{Dir: "state", FS: fs, Merger: pebblerollup.Merger(), Logger: log}); err != nil {
		tb.Fatal(err)
	}
	if w.journal, err = pebblejournal.Open(tb.Context(), w.db, pebblejournal.Options{DiskFree: func() (uint64, error) { return 1 << 40, nil }}); err != nil {
		tb.Fatal(err)
	}
	if dsn, ok := databaseOf(tb, fs); ok {
		w.openPostgres(tb, dsn, partitionsOf(change))
	} else {
		w.openEmbedded(tb)
	}
	o := pipeline.Options{
		Journal: w.journal, State: w.store, Outbox: w.store.Outbox(), Cells: w.cellStore(), Profiles: w.profiles, Schema: w.schema, Events: ev, Rows: ev, Apps: w.apps, Features: features(),
		Dropped: w.dropped, Bus: w.bus, Log: log, Now: w.clock, BatchAge: time.Millisecond, TrimEvery: 50,
		MoveRows: 8, MoveEvery: 3 * time.Millisecond,
	}
	if change != nil {
		change(&o)
	}
	if j, ok := o.Journal.(closer); ok && j != w.journal {
		if err := w.journal.Close(); err != nil {
			tb.Fatal(err)
		}
		w.journal = j
	}
	if w.pipe, err = pipeline.New(o); err != nil {
		tb.Fatal(err)
	}
	return w
}

func (w *world) openEmbedded(tb testing.TB) {
	tb.Helper()
	profiles, err := pebbleprofile.Open(w.db, pebbleprofile.Options{CacheProfiles: w.cached})
	if err != nil {
		tb.Fatal(err)
	}
	known, err := pebbleschema.Open(w.db, pebbleschema.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	committer, err := pebblestate.New(w.db)
	if err != nil {
		tb.Fatal(err)
	}
	w.profiles, w.aliases, w.schema, w.store = profiles, profiles, known, embedded{committer, w.db}
}

// cellStore reads cells.
func (w *world) cellStore() *pebblerollup.Store {
	return pebblerollup.NewStore(w.db.Reader(), w.aliases)
}

// start runs the pipeline until the test ends or close is called.
func (w *world) start(tb testing.TB) *world {
	tb.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	w.stop = stop
	go func() { w.ended <- w.pipe.Run(ctx) }()
	w.moving.start(ctx)
	return w
}

// close stops the pipeline and closes the stores.
func (w *world) close(tb testing.TB) {
	tb.Helper()
	if w.stop != nil {
		w.stop()
		if err := <-w.ended; err != nil {
			tb.Errorf("run: %v", err)
		}
	}
	w.moving.close(tb)
	if err := w.journal.Close(); err != nil {
		tb.Errorf("close journal: %v", err)
	}
	if err := w.db.Close(); err != nil {
		tb.Errorf("close database: %v", err)
	}
}

func running(tb testing.TB, change func(*pipeline.Options)) *world {
	tb.Helper()
	w := open(tb, vfs.NewMem(), newMemory(), change).start(tb)
	tb.Cleanup(func() { w.close(tb) })
	return w
}

// send appends records and waits until they are projected.
func (w *world) send(tb testing.TB, records ...request.Record) {
	tb.Helper()
	w.append(tb, records...)
	w.flush(tb)
}

func (w *world) append(tb testing.TB, records ...request.Record) {
	tb.Helper()
	entries := make([]journal.Entry, len(records))
	for i := range records {
		entries[i] = journal.Entry{Routing: journal.Routing(records[i].App), Payload: request.Append(nil, &records[i])}
	}
	if _, err := w.journal.Append(tb.Context(), entries...); err != nil {
		tb.Fatal(err)
	}
}

func (w *world) flush(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	defer cancel()
	if err := w.pipe.Flush(ctx); err != nil {
		tb.Fatalf("flush: %v", err)
	}
}

func (w *world) submit(tb testing.TB, rec request.Record) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	defer cancel()
	if err := w.pipe.Submit(ctx, rec); err != nil {
		tb.Fatalf("submit: %v", err)
	}
	if err := w.pipe.Drain(ctx); err != nil {
		tb.Fatalf("drain: %v", err)
	}
}

// req is a client's request of a device at ts; pairs are further parameters.
func req(app *model.App, device string, ts int64, pairs ...string) request.Record {
	r := request.Record{Kind: request.Client, App: app.ID, Received: ts + 200}
	add := func(name, value string) {
		r.Params = append(r.Params, request.Param{Name: name, Value: []byte(value)})
	}
	add("app_key", app.Key)
	add("device_id", device)
	if ts%1000 == 0 { // seconds: no fingerprint
		add("timestamp", strconv.FormatInt(ts/1000, 10))
	} else {
		add("timestamp", strconv.FormatInt(ts, 10))
	}
	for i := 0; i < len(pairs); i += 2 {
		add(pairs[i], pairs[i+1])
	}
	return r
}

func (w *world) profile(tb testing.TB, app *model.App, device string) *model.Profile {
	tb.Helper()
	p, err := w.profiles.Get(tb.Context(), app.ID, model.NewProfileID(app.IDKey, device))
	if err != nil {
		tb.Fatalf("profile of %s: %v", device, err)
	}
	return p
}

// cells returns all cells of an app, as text by key, with users resolved.
func (w *world) cells(tb testing.TB, app *model.App) map[string]string {
	tb.Helper()
	out := map[string]string{}
	store := w.cellStore()
	for s := range w.series(tb, app) {
		for g := rollup.Hour; g <= rollup.Month; g++ {
			err := store.Scan(tb.Context(), app.ID, s, g, 0, 1<<31, func(b rollup.Bucket, value string, c *rollup.Cell) error {
				text := fmt.Sprintf("c%d n%d e%d s%v d%v f%d first%d", c.Count, c.New, c.Requests, c.Sum, c.Dur, c.Flags, c.First)
				if c.Users != nil && !c.Users.IsEmpty() {
					text += fmt.Sprint(" u", c.Users.ToArray())
				}
				out[fmt.Sprintf("%d %q %d %d %q", s.Metric, s.Dim, g, b, value)] = text
				return nil
			})
			if err != nil {
				tb.Fatal(err)
			}
		}
	}
	return out
}

// series lists the series of an app by looking at the keys (docs/format/rollup.md).
func (w *world) series(tb testing.TB, app *model.App) map[rollup.Series]bool {
	tb.Helper()
	prefix := kv.AppKey(kv.PrefixRollup, app.ID, 0)
	out := map[rollup.Series]bool{}
	w.moving.drain(tb)
	err := w.db.Scan(tb.Context(), prefix, kv.After(prefix), func(key, _ []byte) (bool, error) {
		at := len(prefix)
		n := int(binary.BigEndian.Uint16(key[at+1:]))
		out[rollup.Series{Metric: rollup.Metric(key[at]), Dim: string(key[at+3 : at+3+n])}] = true
		return true, nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// day reads a metric's values on one local day: value → what of returns.
func (w *world) day(tb testing.TB, app *model.App, m rollup.Metric, dim string, ts int64, of func(*rollup.Cell) string) map[string]string {
	tb.Helper()
	var zones period.Zones
	cal, _ := zones.Get(app.Timezone)
	b := rollup.Bucket(cal.DayBucket(ts))
	out := map[string]string{}
	store := w.cellStore()
	err := store.Scan(tb.Context(), app.ID, rollup.Series{Metric: m, Dim: dim}, rollup.Day, b, b, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
		out[value] = of(c)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func counts(c *rollup.Cell) string { return strconv.FormatInt(c.Count, 10) }

func totals(c *rollup.Cell) string {
	return fmt.Sprintf("e:%d t:%d n:%d u:%d d:%v", c.Requests, c.Count, c.New, c.Uniques(), c.Dur)
}

// outcomes reads the outcomes of a UTC day: "item/reason" → count.
func (w *world) outcomes(tb testing.TB, app *model.App, ts int64) map[string]string {
	tb.Helper()
	sums := map[string]int64{}
	utc := model.App{ID: app.ID, Timezone: "UTC"}
	for value, text := range w.day(tb, &utc, rollup.Outcomes, "", ts, counts) {
		what, _, dated := outcome.SplitValue(value)
		n, err := strconv.ParseInt(text, 10, 64)
		if !dated || err != nil {
			tb.Fatalf("outcome cell %q: %s", value, text)
		}
		sums[what] += n
	}
	out := map[string]string{}
	for k, n := range sums {
		v := strconv.FormatInt(n, 10)
		var item, how, why string
		parts := splitNUL(k)
		item, how, why = parts[0], parts[1], parts[2]
		if why == "" {
			why = how
		}
		out[item+"/"+why] = v
	}
	return out
}

func splitNUL(s string) []string {
	var parts []string
	start := 0
	for i := range len(s) {
		if s[i] == 0 {
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// memory is an event store in memory, with faults on demand. It survives the
// crash of a world, as a store on disk would.
type memory struct {
	mu   sync.Mutex
	mark journal.Watermark
	apps map[model.AppID]*tables
	// fault is asked before and after every commit; an error refuses it.
	fault func(point string) error
	// diverged lists what contradicts itself: rows that a replay made in another way than the
	// first time, users who are there and gone.
	diverged []string
}

type tables struct {
	rows     map[events.Place]events.Row
	requests map[uint64]events.RequestRow
	states   map[uint32]events.State
	users    map[uint32]model.Profile
}

func newMemory() *memory { return &memory{mark: journal.Watermark{}, apps: map[model.AppID]*tables{}} }

func (m *memory) at(point string) error {
	if m.fault == nil {
		return nil
	}
	return m.fault(point)
}

// change runs a change, unless the watermark covers it.
func (m *memory) change(through journal.Watermark, always func(), once func()) error {
	if err := m.at("before"); err != nil {
		return err
	}
	m.mu.Lock()
	if always != nil {
		always()
	}
	if !m.mark.Reaches(through) {
		once()
		maps.Copy(m.mark, through)
	}
	m.mu.Unlock()
	return m.at("after")
}

func (m *memory) of(app model.AppID) *tables {
	t := m.apps[app]
	if t == nil {
		t = &tables{
			rows: map[events.Place]events.Row{}, requests: map[uint64]events.RequestRow{},
			states: map[uint32]events.State{}, users: map[uint32]model.Profile{},
		}
		m.apps[app] = t
	}
	return t
}

func (m *memory) Commit(_ context.Context, b *events.Batch) error {
	m.mu.Lock()
	mark := journal.Position{Partition: b.Partition, Offset: m.mark[b.Partition]}.Place()
	m.mu.Unlock()
	return m.change(b.Watermark, func() {
		for id, a := range b.Apps {
			t := m.of(id)
			err := a.EachRows(100, func(rows []events.Row) error {
				for _, r := range rows {
					place := events.Place{Offset: r.Offset, Item: r.Item}
					if r.Offset > mark {
						t.rows[place] = deep(r)
						continue
					}
					first := t.rows[place]
					first.UID = r.UID // merges may have moved the first
					if diff := cmp.Diff(first, r); diff != "" {
						m.diverged = append(m.diverged, diff)
					}
				}
				return nil
			})
			if err != nil {
				m.diverged = append(m.diverged, err.Error())
			}
			for _, r := range a.Requests {
				if r.Offset > mark {
					t.requests[r.Offset] = r
				}
			}
			for _, s := range a.States {
				if s.Offset > mark {
					t.states[s.Number] = s
				}
			}
			t.move(a.Rewrites)
			for _, p := range a.Users {
				if slices.Contains(a.Gone, p.UID) {
					m.diverged = append(m.diverged, fmt.Sprintf("user %d is both there and gone", p.UID))
				}
				t.users[p.UID] = *p
			}
			for _, uid := range a.Gone {
				delete(t.users, uid)
			}
		}
	}, func() {})
}

// deep copies what a row borrows.
func deep(r events.Row) events.Row {
	for i, s := range r.Text {
		if s != nil {
			c := string([]byte(*s))
			r.Text[i] = &c
		}
	}
	for i, f := range r.Num {
		if f != nil {
			c := *f
			r.Num[i] = &c
		}
	}
	return r
}

func (t *tables) move(rewrites map[uint32]uint32) {
	for k, r := range t.rows {
		if to, ok := rewrites[r.UID]; ok {
			r.UID = to
			t.rows[k] = r
		}
	}
	for k, r := range t.requests {
		if to, ok := rewrites[r.UID]; ok {
			r.UID = to
			t.requests[k] = r
		}
	}
	for k, s := range t.states {
		if to, ok := rewrites[s.UID]; ok {
			s.UID = to
			t.states[k] = s
		}
	}
}

func (m *memory) Watermark(context.Context) (journal.Watermark, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mark.Clone(), nil
}

func (m *memory) DropApp(_ context.Context, app model.AppID, w journal.Watermark) error {
	return m.change(w, nil, func() { delete(m.apps, app) })
}

func (m *memory) DeleteEvents(_ context.Context, app model.AppID, keys []string, w journal.Watermark) error {
	return m.change(w, nil, func() {
		maps.DeleteFunc(m.of(app).rows, func(_ events.Place, r events.Row) bool {
			return r.Key == events.CustomKey && slices.Contains(keys, r.Name)
		})
	})
}

func (m *memory) DeleteNamed(_ context.Context, app model.AppID, keys, names []string, w journal.Watermark) error {
	return m.change(w, nil, func() {
		maps.DeleteFunc(m.of(app).rows, func(_ events.Place, r events.Row) bool {
			return slices.Contains(keys, r.Key) && slices.Contains(names, r.Name)
		})
	})
}

func (m *memory) ClearProperty(_ context.Context, app model.AppID, event string, slots []schema.Slot, name string, w journal.Watermark) error {
	return m.change(w, nil, func() {
		t := m.of(app)
		for k, r := range t.rows {
			key, own := events.Selector(event)
			if r.Key != key || own != "" && r.Name != own {
				continue
			}
			for _, s := range slots {
				switch s.Kind {
				case schema.Text:
					r.Text[s.Index-1] = nil
				case schema.Number:
					r.Num[s.Index-1] = nil
				case schema.JSON:
					r.Extra = without(r.Extra, name)
				case schema.NoSlot:
				}
			}
			t.rows[k] = r
		}
	})
}

// without removes a member of a JSON object; what is left of none is "".
func without(object, name string) string {
	members := map[string]json.RawMessage{}
	if object == "" || json.Unmarshal([]byte(object), &members) != nil {
		return object
	}
	delete(members, name)
	if len(members) == 0 {
		return ""
	}
	out, _ := json.Marshal(members) // raw messages that were just read
	return string(out)
}

func (m *memory) DeleteUsers(_ context.Context, app model.AppID, uids []uint32, w journal.Watermark) error {
	return m.change(w, nil, func() {
		t := m.of(app)
		maps.DeleteFunc(t.rows, func(_ events.Place, r events.Row) bool { return slices.Contains(uids, r.UID) })
		maps.DeleteFunc(t.requests, func(_ uint64, r events.RequestRow) bool { return slices.Contains(uids, r.UID) })
		maps.DeleteFunc(t.states, func(_ uint32, s events.State) bool { return slices.Contains(uids, s.UID) })
		maps.DeleteFunc(t.users, func(uid uint32, _ model.Profile) bool { return slices.Contains(uids, uid) })
	})
}

func (m *memory) DropRows(_ context.Context, app model.AppID, before int64, w journal.Watermark) error {
	return m.change(w, nil, func() {
		t := m.of(app)
		maps.DeleteFunc(t.rows, func(_ events.Place, r events.Row) bool { return r.TS < before })
		maps.DeleteFunc(t.requests, func(_ uint64, r events.RequestRow) bool { return r.TS < before })
		used := map[uint32]bool{}
		for _, r := range t.rows {
			used[r.State] = true
		}
		for _, p := range t.users {
			used[p.State] = true
		}
		maps.DeleteFunc(t.states, func(n uint32, _ events.State) bool { return !used[n] })
	})
}

// rows returns an app's rows in order.
func (m *memory) rows(app *model.App) []events.Row {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.of(app.ID)
	out := slices.Collect(maps.Values(t.rows))
	slices.SortFunc(out, func(a, b events.Row) int {
		if a.Offset != b.Offset {
			return int(a.Offset) - int(b.Offset)
		}
		return int(a.Item) - int(b.Item)
	})
	return out
}

func (m *memory) ScanRows(_ context.Context, app model.AppID, _ events.Place, fn func(*events.Row) error) error {
	for _, r := range m.rows(&model.App{ID: app}) {
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) ScanRequests(_ context.Context, app model.AppID, _ events.Place, fn func(*events.RequestRow) error) error {
	m.mu.Lock()
	all := maps.Clone(m.of(app).requests)
	m.mu.Unlock()
	for _, offset := range slices.Sorted(maps.Keys(all)) {
		r := all[offset]
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}
