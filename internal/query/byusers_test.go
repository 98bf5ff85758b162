package query_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/outbox"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// counting counts what is run.
type counting struct {
	events.Reader
	runs atomic.Int64
}

// Run implements events.Reader.
func (c *counting) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	c.runs.Add(1)
	return c.Reader.Run(ctx, q, fn)
}

// RunColumns implements events.Reader.
func (c *counting) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	c.runs.Add(1)
	return c.Reader.RunColumns(ctx, q, fn)
}

// fiveValues are the details of a schema whose segments have the values of queued.traffic.
type fiveValues struct{ schema.Details }

// Values implements schema.Details.
func (fiveValues) Values(context.Context, model.AppID, string, string) ([]string, error) {
	return []string{"value-0", "value-1", "value-2", "value-3", "value-4"}, nil
}

// TestHeldRows compares figures of cohorts with those of rows that are read each time, with room for all rows and for hardly any, while rows are added, users
// merged and rows removed, cohorts change, and other days are asked for. In the end nothing is run where nothing changed.
func TestHeldRows(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for name, room := range map[string]int64{"room": 4 << 20, "little room": 3 << 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 5)) // not for secrets
			s := newQueued(t, 1<<20)
			app, cal := testApp, period.NewCalendar(nil)
			sch := &memory{cal: cal, events: append([]schema.Event{{Key: "[CLY]_session_begin", Segments: []schema.Segment{
				{Name: "is_new", Slot: schema.Slot{Kind: schema.Number, Index: 1}}, {Name: "country", Slot: schema.Slot{Kind: schema.Text, Index: 1}},
			}}}, recallEvents...)}
			rows := &counting{Reader: s.plain}
			sets := map[string]*plan.Set{}
			cohorts := &query.Cohorts{}
			cohorts.Provide(func(context.Context, model.AppID, []string, bool) (map[string]*plan.Set, error) { return sets, nil })
			lookups := query.Lookups{Cohorts: cohorts}
			held := query.Recall(rows, s.outbox, 1<<20).Holding(s.outbox, room, func() bool { return false }).Knowing(lookups)
			go held.Hold(t.Context(), slog.New(slog.DiscardHandler))
			readers := []*query.Funnels{query.NewFunnels(query.NewTables(query.Knowing(s.plain, lookups), sch), 1<<20), query.NewFunnels(query.NewTables(held, sch), 1<<20)}
			ask := func(reader *query.Funnels, text string, first, last period.Day) any {
				f, err := filter.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				var out []any
				err = reader.Filtered(t.Context(), query.Chosen{App: app, Filter: f, Calendar: cal, Known: fiveValues{}}, func(q *query.Query) error {
					totals, err := q.Totals(t.Context(), app, first, last)
					if err != nil {
						return err
					}
					list, err := q.EventTotalsOf(t.Context(), app, query.Part{First: first, Last: last, Until: query.WholeDay})
					for _, key := range q.Events(app) {
						if e, ok := list[key]; ok {
							out = append(out, key, e.Count, e.Sum, *e.Users)
						}
					}
					out = append(out, totals)
					if err != nil || first%2 == 0 {
						return err
					}
					p, err := period.Parse("7days", time.UnixMilli(int64(last)*86400_000), cal)
					if err != nil {
						return err
					}
					for _, read := range []func() (any, error){
						func() (any, error) { return q.UsersDocument(t.Context(), app, p, query.Whole) },
						func() (any, error) { return q.MetricDocument(t.Context(), app, "countries", p, query.Whole) },
						func() (any, error) { return q.EventDocument(t.Context(), app, []string{"buy"}, "", p, query.Whole) },
						func() (any, error) { return q.EventDocument(t.Context(), app, []string{"buy"}, "what", p, query.Whole) },
						func() (any, error) { return q.SessionRows(t.Context(), app, p, period.DayStep) },
						func() (any, error) { return q.MetricRows(t.Context(), app, rollup.Countries, p) },
					} {
						answer, err := read()
						if err != nil {
							return err
						}
						if text, ok := answer.(json.RawMessage); ok {
							answer = string(text)
						}
						out = append(out, answer)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			gone := map[uint32]bool{}
			for step := range 60 {
				p, traffic := s.rows(r)
				traffic = dropGone(traffic, gone)
				for i := range traffic {
					row := &traffic[i]
					if r.IntN(3) == 0 {
						first := float64(r.IntN(2))
						country := []string{"DE", "FR", "5"}[r.IntN(3)]
						row.Key, row.Name, row.Text[0], row.Num[0] = "[CLY]_session_begin", "", &country, &first
						p.Requests = append(p.Requests, events.RequestRow{Offset: row.Offset, Item: row.Item, TS: row.TS, UID: row.UID, Flags: events.RequestCounted, Dur: float64(r.IntN(3))})
					}
				}
				if from, to := 1+r.Uint32N(40), 1+r.Uint32N(40); r.IntN(4) == 0 && from != to && !gone[from] && !gone[to] {
					gone[from] = true
					for i := range traffic { // as the pipeline does
						if traffic[i].UID == from {
							traffic[i].UID = to
						}
					}
					for i := range p.Requests {
						if p.Requests[i].UID == from {
							p.Requests[i].UID = to
						}
					}
					p.Rewrites, p.Gone = map[uint32]uint32{from: to}, []uint32{from}
				}
				p.Rows = outbox.Pack(traffic...)
				s.put(t, app, p)
				if r.IntN(12) == 0 {
					uid := 1 + r.Uint32N(40)
					err := s.outbox.Exclusive(t.Context(), func(ctx context.Context, w events.Writer) error {
						mark, err := w.Watermark(ctx)
						if err != nil {
							return err
						}
						s.off++
						mark[0] = s.off
						return w.DeleteUsers(ctx, app, []uint32{uid}, mark)
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				if r.IntN(2) == 0 {
					members := roaring.New()
					for range r.IntN(30) {
						members.Add(1 + r.Uint32N(40))
					}
					sets = map[string]*plan.Set{"a": plan.NewSet(members), "b": sets["a"]}
					if sets["b"] == nil {
						delete(sets, "b")
					}
				}
				first := period.Day(r.IntN(5))
				last := first + period.Day(r.IntN(5)) // few
				text := []string{`{"chr":"a"}`, `{"chr":{"$ne":"a"}}`, `{"chr":{"$in":["a","b"]}}`, `{"chr.a":{"$exists":false},"chr.b.in":"true"}`}[r.IntN(4)]
				want, got := ask(readers[0], text, first, last), ask(readers[1], text, first, last)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("step %d: %s from %d to %d (-read +held):\n%s", step, text, first, last, diff)
				}
				for late := time.Now().Add(20 * time.Second); name == "room"; { // what was asked for several times is held
					before := rows.runs.Load()
					if diff := cmp.Diff(want, ask(readers[1], text, first, last)); diff != "" {
						t.Fatalf("step %d: %s from %d to %d (-read +held):\n%s", step, text, first, last, diff)
					}
					if rows.runs.Load() == before {
						break
					}
					if time.Now().After(late) {
						t.Fatalf("step %d: rows are not held", step)
					}
				}
				if held.Bytes() > room+1<<20 {
					t.Fatalf("%d bytes are held", held.Bytes())
				}
			}
		})
	}
}

// dropGone leaves out rows of users who were merged into others.
func dropGone(rows []events.Row, gone map[uint32]bool) []events.Row {
	out := rows[:0]
	for _, row := range rows {
		if !gone[row.UID] {
			out = append(out, row)
		}
	}
	return out
}
