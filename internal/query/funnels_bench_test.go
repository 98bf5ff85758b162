package query_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

const benchMonth = 30 * 86400_000 // ms

// benchFunnels opens a store with a million event rows, or as many as QUIPU_ROWS says, over a month; a tenth as many users, 50
// events.
func benchFunnels(b *testing.B) (*query.Funnels, model.AppID) {
	b.Helper()
	count, err := strconv.Atoi(cmp.Or(os.Getenv("QUIPU_ROWS"), "1000000"))
	if err != nil {
		b.Fatal(err)
	}
	s, err := duck.Open(b.Context(), duck.Options{Path: filepath.Join(b.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	app := model.AppID{1}
	r := rand.New(rand.NewPCG(1, 2))
	for off := 0; off < count; {
		ab := &events.AppBatch{}
		for range min(196_608, count-off) {
			off++
			ab.Rows = append(ab.Rows, events.Row{
				Offset: uint64(off), TS: int64(off)*benchMonth/int64(count) + r.Int64N(3000), Key: events.CustomKey, Name: fmt.Sprint("event-", int(r.ExpFloat64()*8)%50),
				UID: 1 + r.Uint32N(uint32(count/10)), Count: 1, Session: uint64(off - off%50),
			})
		}
		eventstest.Commit(b, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{app: ab}, Watermark: eventstest.At(uint64(off))})
	}
	return query.NewFunnels(query.NewTables(s, &memory{}), 64<<20), app
}

// processor returns how long processors have worked for the test (s).
func processor(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkFunnel asks a funnel of five steps, whose events are nearly half of all rows.
func BenchmarkFunnel(b *testing.B) {
	f, app := benchFunnels(b)
	for _, of := range []struct {
		name  string
		order funnel.Order
		by    query.CountBy
	}{{"sequential", funnel.InOrder, query.CountUsers}, {"strict", funnel.Strict, query.CountUsers}, {"any", funnel.AnyOrder, query.CountUsers}, {"sessions", funnel.InOrder, query.CountSessions}} {
		b.Run(of.name, func(b *testing.B) {
			q := &query.FunnelQuery{To: benchMonth + 3000, Others: of.order == funnel.Strict, CountBy: of.by}
			for i := range 5 {
				q.Steps = append(q.Steps, []query.FunnelEvent{{Key: fmt.Sprint("event-", i)}})
			}
			before := processor(b)
			for b.Loop() {
				tallies := make([]*funnel.Tally, query.Workers())
				fns := make([]func(uint32, []funnel.Row), len(tallies))
				for i := range tallies {
					m, err := funnel.New(funnel.Funnel{Optional: make([]bool, 5), Order: of.order, Window: 7 * 86400_000})
					if err != nil {
						b.Fatal(err)
					}
					t := funnel.NewTally(5, nil)
					tallies[i], fns[i] = t, func(_ uint32, rows []funnel.Row) { t.Add(m, rows) }
				}
				_, err := f.EachOf(b.Context(), app, q, fns...)
				for _, t := range tallies[1:] {
					tallies[0].Merge(t)
				}
				if err != nil || tallies[0].Users[0] == 0 {
					b.Fatal(err, tallies[0].Users)
				}
			}
			b.ReportMetric((processor(b)-before)/float64(b.N), "cpu-s/op")
		})
	}
}

// BenchmarkFlow asks for ten steps behind an event, over all of a user's time.
func BenchmarkFlow(b *testing.B) {
	f, app := benchFunnels(b)
	q := &query.FlowQuery{
		Anchors: []query.FunnelEvent{{Key: "event-0"}}, Kinds: []query.FlowKind{query.FlowEvents}, To: benchMonth + 3000, After: 10, Nodes: 10,
	}
	for b.Loop() {
		if out, err := f.Flow(b.Context(), app, q); err != nil || len(out.Levels) != 11 {
			b.Fatal(out, err)
		}
	}
}
