package query_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/query/retention"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/journal"
	"quipu/internal/store/kv"
	"quipu/internal/store/outbox"
	pebbleoutbox "quipu/internal/store/outbox/pebble"
	"quipu/internal/store/profile"
	"quipu/internal/store/schema"
)

// queued is an event store behind an outbox, as a server has them.
type queued struct {
	db     *kv.DB
	outbox *outbox.Outbox
	store  *duck.Store
	// plain reads past what recall remembers.
	plain  events.Reader
	recall *query.Recalling
	people map[model.ProfileID]*model.Profile
	off    uint64
	mu     sync.Mutex // guards people
}

// Get implements outbox.Profiles.
func (s *queued) Get(_ context.Context, _ model.AppID, id model.ProfileID) (*model.Profile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.people[id]; u != nil {
		own := *u
		return &own, nil
	}
	return nil, profile.ErrNotFound
}

func newQueued(t *testing.T, room int64) *queued {
	t.Helper()
	s := &queued{people: map[model.ProfileID]*model.Profile{}}
	var err error
	if s.db, err = kv.Open(t.Context(), kv.Options{Dir: "state", FS: vfs.NewMem()}); err != nil {
		t.Fatal(err)
	}
	if s.store, err = duck.Open(t.Context(), duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), MemoryLimit: 128 << 20, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []io.Closer{s.db, s.store} {
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	s.outbox, err = outbox.New(outbox.Options{Store: pebbleoutbox.New(s.db), Events: s.store, Profiles: s, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.outbox.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.plain = s.outbox.Reader(s.store)
	s.recall = query.Recall(s.plain, s.outbox, room)
	return s
}

// put commits a part to the state, from where the outbox has it.
func (s *queued) put(t *testing.T, app model.AppID, p *outbox.Part) {
	t.Helper()
	batch, end := s.outbox.Put(journal.Position{Offset: s.off}, map[model.AppID]*outbox.Part{app: p})
	b := s.db.NewBatch()
	b.OnEnd(end)
	if err := pebbleoutbox.Put(b, &batch); err != nil {
		t.Error(err)
	}
	if err := s.db.Commit(b); err != nil {
		t.Error(err)
	}
}

// traffic makes a part of some rows of some users.
func (s *queued) traffic(r *rand.Rand) *outbox.Part {
	p, rows := s.rows(r)
	p.Rows = outbox.Pack(rows...)
	return p
}

// rows makes a part and rows, which it lacks.
func (s *queued) rows(r *rand.Rand) (p *outbox.Part, rows []events.Row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off++
	p = &outbox.Part{}
	for item := range uint32(1 + r.IntN(20)) {
		uid := 1 + r.Uint32N(40)
		id := model.ProfileID{byte(uid)}
		what := fmt.Sprint("value-", r.IntN(5))
		row := events.Row{
			Offset: s.off, Item: item, TS: r.Int64N(5 * 86400_000), Received: 1, Key: events.CustomKey, Name: []string{"buy", "see", "go"}[r.IntN(3)], UID: uid, Count: 1 + r.Int64N(3),
			Sum: float64(r.IntN(9)), Hour: -1, Dow: -1,
		}
		row.Text[0] = &what
		rows = append(rows, row)
		if s.people[id] == nil {
			s.people[id] = &model.Profile{ID: id, UID: uid, DID: fmt.Sprint("device-", uid)}
		}
		s.people[id].Sessions++
		p.Users = append(p.Users, id)
	}
	return p, rows
}

var recallEvents = []schema.Event{
	{Key: "buy", Seq: 1, Segments: []schema.Segment{{Name: "what", Slot: schema.Slot{Kind: schema.Text, Index: 1}}}},
	{Key: "see", Seq: 2, Segments: []schema.Segment{{Name: "what", Slot: schema.Slot{Kind: schema.Text, Index: 1}}}},
	{Key: "go", Seq: 3},
}

// question asks rows for something.
type question func(ctx context.Context, rows events.Reader) (any, error)

// recallQuestions are questions of every operator.
func recallQuestions(t *testing.T, app model.AppID) map[string]question {
	t.Helper()
	cal := period.NewCalendar(nil)
	p, err := period.Parse("[0,345600000]", time.UnixMilli(5*86400_000), cal)
	if err != nil {
		t.Fatal(err)
	}
	some, err := filter.Parse(`{"sg.what":{"$in":["value-1","value-2"]}}`)
	if err != nil {
		t.Fatal(err)
	}
	often, err := filter.Parse(`{"sc":{"$gt":3}}`)
	if err != nil {
		t.Fatal(err)
	}
	sch := &memory{cal: cal, events: recallEvents}
	trend := query.Trend{Events: []string{"buy", "see"}, Period: p}
	filtered, by := trend, trend
	filtered.Filter, by.By = some, []string{"sg.what"}
	steps := [][]query.FunnelEvent{{{Key: "buy"}}, {{Key: "see"}}}
	funnels := func(rows events.Reader) *query.Funnels {
		return query.NewFunnels(query.NewTables(rows, sch), 1<<20)
	}
	retain := &query.RetentionQuery{Start: steps[0], Return: steps[1], Step: period.DayStep}
	retain.End = 5 * 86400_000
	retain.Units, _, retain.Cohorts = query.Units(p, period.DayStep, retain.End)
	retain.Brackets = []retention.Bracket{{From: 0, To: 0}, {From: 1, To: 3}}
	return map[string]question{
		"totals": func(ctx context.Context, rows events.Reader) (any, error) {
			return query.NewTables(rows, sch).TrendTotals(ctx, app, filtered)
		},
		"days": func(ctx context.Context, rows events.Reader) (any, error) {
			var out []any
			err := query.NewTables(rows, sch).TrendBuckets(ctx, app, trend, period.DayStep, func(b period.Bucket, f query.Figures) error {
				out = append(out, b, f)
				return nil
			})
			return out, err
		},
		"groups": func(ctx context.Context, rows events.Reader) (any, error) {
			groups, total, err := query.NewTables(rows, sch).TrendGroups(ctx, app, by, query.TrendOrder{By: "t", Desc: true}, 0, 3)
			return []any{groups, total}, err
		},
		"users of a trend": func(ctx context.Context, rows events.Reader) (any, error) {
			users, total, err := query.NewTables(rows, sch).TrendUsers(ctx, app, filtered, 0, 10)
			return []any{users, total}, err
		},
		"values": func(ctx context.Context, rows events.Reader) (any, error) {
			found, err := query.NewTables(rows, sch).PropertyValues(ctx, app, []string{"buy"}, p, "sg.what", "", 10)
			return found, err
		},
		"people": func(ctx context.Context, rows events.Reader) (any, error) {
			uids, total, err := query.NewPeople(rows).List(ctx, app, query.Page{Filter: often, Sort: "sc", Limit: 5})
			return []any{uids, total}, err
		},
		"funnel": func(ctx context.Context, rows events.Reader) (any, error) {
			q := &query.FunnelQuery{Steps: steps, To: p.End}
			f := funnels(rows)
			users, err := query.Recalled(ctx, f, app, q, "users who get somewhere", func([]int64) int64 { return 100 }, func() ([]int64, error) {
				m, err := funnel.New(funnel.Funnel{Optional: make([]bool, 2)})
				if err != nil {
					return nil, err
				}
				tally := funnel.NewTally(2, nil)
				_, err = f.Each(ctx, app, q, func(_ uint32, rows []funnel.Row) { tally.Add(m, rows) })
				return tally.Users, err
			})
			return users, err
		},
		"users": func(ctx context.Context, rows events.Reader) (any, error) {
			return funnels(rows).Users(ctx, app, &query.FunnelQuery{To: p.End, Filter: some})
		},
		"retention": func(ctx context.Context, rows events.Reader) (any, error) {
			got, err := query.NewRetentions(query.New(query.Plain(sch), sch), funnels(rows)).Read(ctx, app, retain)
			if err != nil {
				return nil, err
			}
			return []any{got.Users, got.Sizes, got.Cells}, nil
		},
		"activity": func(ctx context.Context, rows events.Reader) (any, error) {
			a, err := query.NewRetentions(query.New(query.Plain(sch), sch), funnels(rows)).Activity(ctx, app, steps[0], query.CountUsers, 0, []int64{86400_000, 2 * 86400_000, 3 * 86400_000})
			if err != nil {
				return nil, err
			}
			return []any{a.Users, a.Phases, a.Sticky}, nil
		},
		"flow": func(ctx context.Context, rows events.Reader) (any, error) {
			return funnels(rows).Flow(ctx, app, &query.FlowQuery{Anchors: steps[0], Kinds: []query.FlowKind{query.FlowEvents}, To: p.End, After: 3, Nodes: 3})
		},
	}
}

// TestRecall makes random traffic, moves, removals and merges, and after each of them asks random questions: what is remembered equals what is
// computed, and a question that is asked again runs nothing.
func TestRecall(t *testing.T) {
	t.Parallel()
	for name, room := range map[string]int64{"enough room": 4 << 20, "hardly any": 20 << 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 0))
			s := newQueued(t, room)
			app, other := testApp, model.AppID{2}
			questions := recallQuestions(t, app)
			s.put(t, app, s.traffic(r))
			for step := range 80 {
				was := s.outbox.Version(app)
				changed := s.change(t, r, app, other)
				if now := s.outbox.Version(app); now < was || (now > was) != changed {
					t.Fatalf("step %d: version %d after %d, a change: %v", step, now, was, changed)
				}
				for name, ask := range questions {
					if r.IntN(3) > 0 {
						continue
					}
					want, werr := ask(t.Context(), s.plain)
					ctx, trace := plan.Traced(t.Context())
					for range 2 {
						got, err := ask(ctx, s.recall)
						if err != nil || werr != nil {
							t.Fatalf("step %d: %s: %v, %v", step, name, err, werr)
						}
						if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
							t.Fatalf("step %d: %s (-computed +remembered):\n%s", step, name, diff)
						}
					}
					list, _ := trace.Statements()
					if len(list) == 0 {
						t.Fatalf("step %d: %s: nothing is traced: %v", step, name, want)
					}
					if room > 1<<20 && !list[len(list)-1].Remembered {
						t.Fatalf("step %d: %s is not remembered", step, name)
					}
				}
				if n := s.recall.Bytes(); n > room {
					t.Fatalf("%d bytes are remembered in a room of %d", n, room)
				}
			}
			s.recall.Forget(app)
			if n := s.recall.Bytes(); n != 0 {
				t.Errorf("%d bytes are left of an app that was forgotten", n)
			}
		})
	}
}

// change makes one change, and reports whether reads of the app can find it.
func (s *queued) change(t *testing.T, r *rand.Rand, app, other model.AppID) bool {
	t.Helper()
	alone := func(do func(ctx context.Context, w events.Writer, at journal.Watermark) error) {
		s.off++
		at := journal.Watermark{0: s.off}
		if err := s.outbox.Exclusive(t.Context(), func(ctx context.Context, w events.Writer) error { return do(ctx, w, at) }); err != nil {
			t.Fatal(err)
		}
	}
	switch r.IntN(12) {
	case 0:
		if err := s.outbox.DrainAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		return false
	case 1:
		s.put(t, other, s.traffic(r))
		return false
	case 2:
		alone(func(ctx context.Context, w events.Writer, at journal.Watermark) error {
			return w.DeleteUsers(ctx, app, []uint32{1 + r.Uint32N(40)}, at)
		})
	case 3:
		alone(func(ctx context.Context, w events.Writer, at journal.Watermark) error {
			return w.DropRows(ctx, app, r.Int64N(86400_000), at)
		})
	case 4:
		if r.IntN(4) > 0 {
			return false
		}
		alone(func(ctx context.Context, w events.Writer, at journal.Watermark) error {
			return w.DeleteEvents(ctx, app, []string{"go"}, at)
		})
	case 5:
		alone(func(ctx context.Context, w events.Writer, at journal.Watermark) error {
			return w.ClearProperty(ctx, app, "see", []schema.Slot{{Kind: schema.Text, Index: 1}}, "what", at)
		})
	case 6:
		s.off++
		old := 1 + r.Uint32N(20)
		s.put(t, app, &outbox.Part{Gone: []uint32{old}, Rewrites: map[uint32]uint32{old: old + 20}})
	case 7:
		return false
	default:
		s.put(t, app, s.traffic(r))
	}
	return true
}

// TestRecallWhileRowsCome asks for the number of rows while they come: each answer has all rows that were committed before it was asked for.
func TestRecallWhileRowsCome(t *testing.T) {
	t.Parallel()
	s := newQueued(t, 1<<20)
	app := testApp
	p, err := period.Parse("[0,345600000]", time.UnixMilli(5*86400_000), period.NewCalendar(nil))
	if err != nil {
		t.Fatal(err)
	}
	tables := query.NewTables(s.recall, &memory{events: recallEvents})
	var mu sync.Mutex
	var queued, committed int64
	now := func() (int64, int64) {
		mu.Lock()
		defer mu.Unlock()
		return queued, committed
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				_, low := now()
				n, err := tables.TrendRows(t.Context(), app, query.Trend{Events: []string{"buy", "see", "go"}, Period: p})
				high, _ := now()
				if err != nil || n < low || n > high {
					t.Errorf("%d rows, want %d to %d: %v", n, low, high, err)
					return
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		part := s.traffic(r)
		mu.Lock()
		queued += int64(part.Rows.Len())
		mu.Unlock()
		s.put(t, app, part)
		mu.Lock()
		committed += int64(part.Rows.Len())
		mu.Unlock()
	}
	close(stop)
	wg.Wait()
}
