package duck_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// bulk makes a batch of an outbox that was emptied: n rows of one app with three
// to six texts and one or two numbers, three rows a request, a user among each
// four rows with a state for one in five of them.
func (l *load) bulk(n, users int) *events.Batch {
	ab := &events.AppBatch{}
	first := l.r.Uint32N(200_000)
	for i := range n {
		if i%3 == 0 {
			l.off++
			l.ms += int64(l.r.IntN(10))
			uid := 1 + (first+l.r.Uint32N(uint32(users))*6)%200_000
			ab.Requests = append(ab.Requests, events.RequestRow{
				Offset: l.off, TS: l.ms - int64(l.r.IntN(3000)), Received: l.ms, UID: uid, Flags: events.RequestDuration, Dur: float64(l.r.IntN(60)),
			})
		}
		r := l.row(uint32(i%3), ab.Requests[len(ab.Requests)-1].UID)
		for k := 4; k < 4+l.r.IntN(3); k++ {
			r.Text[k] = &l.values[l.r.IntN(20)]
		}
		if l.r.IntN(3) > 0 {
			r.Text[3] = nil
		}
		r.Num[0], r.Num[1] = new(float64(l.r.IntN(20))), nil
		if l.r.IntN(2) == 0 {
			r.Num[1] = new(float64(l.r.IntN(10_000)) / 100)
		}
		ab.Rows = append(ab.Rows, r)
	}
	for i := range users {
		uid := 1 + (first+uint32(i)*6)%200_000
		ab.Users = append(ab.Users, l.profile(uid))
		if i%5 == 0 {
			l.states++
			ab.States = append(ab.States, events.State{Number: l.states, Offset: l.off, UID: uid, JSON: fmt.Sprintf(
				`{"up.av":"3:%d:1","up.cc":"DE","up.d":"Galaxy S24","up.p":"Android","up.pv":"o15","up.la":"de","custom.plan":"pro %d"}`, i%9, i%99)})
		}
	}
	return &events.Batch{Watermark: eventstest.At(l.off), Apps: map[model.AppID]*events.AppBatch{app: ab}}
}

// BenchmarkBulk measures batches of a row group, of some more rows and of a sixth of one: CPU time of all threads and
// wall time of the commits and of a checkpoint behind them, and what is written.
func BenchmarkBulk(b *testing.B) {
	const total, users = 4 * 122_880, 4 // a user for so many rows
	type part struct {
		name string
		drop func(*events.AppBatch)
	}
	for _, p := range []part{
		{"events", func(ab *events.AppBatch) { ab.Requests, ab.States, ab.Users = nil, nil, nil }},
		{"requests", func(ab *events.AppBatch) { ab.Rows, ab.States, ab.Users = nil, nil, nil }},
		{"states", func(ab *events.AppBatch) { ab.Rows, ab.Requests, ab.Users = nil, nil, nil }},
		{"users", func(ab *events.AppBatch) { ab.Rows, ab.Requests, ab.States = nil, nil, nil }},
		{"all", func(*events.AppBatch) {}},
	} {
		for _, n := range []int{122_880, 130_000, 20_480} {
			b.Run(fmt.Sprintf("%s/%d", p.name, n), func(b *testing.B) {
				for b.Loop() {
					path := filepath.Join(b.TempDir(), "events.duckdb")
					s := open(b, duck.Options{Path: path, CheckpointBytes: 1 << 40})
					l := newLoad()
					rows := 0
					var commit, commitCPU time.Duration
					for rows < total {
						batch := l.bulk(n, n/users)
						rows += n
						p.drop(batch.Apps[app])
						began, used := time.Now(), cpuTime(b)
						eventstest.Commit(b, s, batch)
						commit += time.Since(began)
						commitCPU += cpuTime(b) - used
					}
					var log int64
					if st, err := os.Stat(path + ".wal"); err == nil {
						log = st.Size()
					}
					began, used := time.Now(), cpuTime(b)
					if err := s.Checkpoint(context.Background()); err != nil {
						b.Fatal(err)
					}
					check, checkCPU := time.Since(began), cpuTime(b)-used
					st, err := os.Stat(path)
					if err != nil {
						b.Fatal(err)
					}
					us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 / float64(rows) }
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(us(commitCPU), "commit-cpu-µs/row")
					b.ReportMetric(us(commit), "commit-µs/row")
					b.ReportMetric(us(checkCPU), "checkpoint-cpu-µs/row")
					b.ReportMetric(us(check), "checkpoint-µs/row")
					b.ReportMetric(float64(log)/float64(rows), "log-B/row")
					b.ReportMetric(float64(st.Size())/float64(rows), "file-B/row")
					if err := s.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
