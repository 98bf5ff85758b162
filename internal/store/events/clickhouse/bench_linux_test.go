package clickhouse_test

import (
	"fmt"
	"syscall"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/journal"
)

// spent is the processor time of the process, s: of the store, and of the engine and its server, which are in it.
func spent(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkRows commits and scans rows with four text slots and two number slots, 200,000 at a time.
func BenchmarkRows(b *testing.B) {
	const n = 200_000
	server := chtest.Start(b, chdbtest.Open(b))
	s := open(b, server.Client(b), newLedger("test"))
	app := model.AppID{1}
	batch := func(part uint64) *events.Batch {
		rows := make([]events.Row, n)
		for i := range rows {
			r := &rows[i]
			*r = events.Row{Offset: part*n + uint64(i) + 1, TS: int64(i) * 1000, Received: int64(i)*1000 + 50, Key: events.CustomKey, Name: fmt.Sprint("event", i%50), UID: uint32(i % 5000), Session: uint64(i / 10), State: uint32(i % 5000), Count: 1} // few
			for j := range 4 {
				text := fmt.Sprint("value ", j, " ", i%(10+j*200))
				r.Text[j] = &text
			}
			for j := range 2 {
				number := float64(i % 1000)
				r.Num[j] = &number
			}
		}
		return &events.Batch{Watermark: journal.Watermark{0: (part + 1) * n}, Apps: map[model.AppID]*events.AppBatch{app: {Rows: rows}}}
	}
	parts := uint64(0)
	b.Run("commit", func(b *testing.B) {
		cpu := 0.0
		for range b.N {
			one := batch(parts)
			before := spent(b)
			if err := s.Commit(b.Context(), one); err != nil {
				b.Fatal(err)
			}
			cpu += spent(b) - before
			parts++
		}
		b.ReportMetric(cpu/float64(b.N)/n*1e6, "cpu-µs/row")
	})
	b.Run("scan", func(b *testing.B) {
		rows, before := 0, spent(b)
		for range b.N {
			err := s.ScanRows(b.Context(), app, events.Place{}, func(*events.Row) error { rows++; return nil })
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((spent(b)-before)/float64(rows)*1e6, "cpu-µs/row")
	})
}
