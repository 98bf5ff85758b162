package duck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// load makes batches like those of a busy app: 50 custom events with four text
// and at most one number property, five rows a request, 200,000 users.
type load struct {
	r      *rand.Rand
	off    uint64
	ms     int64
	values []string
	states uint32
}

func newLoad() *load {
	l := &load{r: rand.New(rand.NewPCG(1, 2)), ms: 1_700_000_000_000}
	for i := range 300 {
		v := fmt.Sprint("value-", i)
		if i%3 == 0 {
			v = fmt.Sprint("a longer value number ", i)
		}
		l.values = append(l.values, v)
	}
	return l
}

// next makes a batch of n rows over some apps.
func (l *load) next(n int, apps ...model.AppID) *events.Batch {
	b := &events.Batch{Apps: map[model.AppID]*events.AppBatch{}}
	for len(apps) > 0 && n > 0 {
		ab := &events.AppBatch{}
		b.Apps[apps[0]] = ab
		share := (n + len(apps) - 1) / len(apps)
		for i := range share {
			if i%5 == 0 {
				l.off++
				l.ms += int64(l.r.IntN(100))
				uid := 1 + l.r.Uint32N(200_000)
				ab.Requests = append(ab.Requests, events.RequestRow{Offset: l.off, TS: l.ms, Received: l.ms, UID: uid, Flags: events.RequestDuration, Dur: float64(l.r.IntN(60))})
				if i%20 == 0 {
					ab.Users = append(ab.Users, l.profile(uid))
				}
			}
			ab.Rows = append(ab.Rows, l.row(uint32(i%5), ab.Requests[len(ab.Requests)-1].UID))
		}
		n, apps = n-share, apps[1:]
	}
	b.Watermark = eventstest.At(l.off)
	return b
}

func (l *load) row(item, uid uint32) events.Row {
	r := events.Row{
		Offset: l.off, Item: item, TS: l.ms - int64(l.r.IntN(3000)), Received: l.ms, Key: events.CustomKey,
		Name: fmt.Sprint("event-", int(l.r.ExpFloat64()*8)%50), UID: uid, Session: l.off - uint64(l.r.IntN(100)), State: uid, Count: 1,
		Hour: int8(l.ms / 3_600_000 % 24), Dow: int8(l.ms / 86_400_000 % 7),
	}
	for k := range 4 {
		r.Text[k] = &l.values[int(l.r.ExpFloat64()*10)%(10+k*70)]
	}
	if l.r.IntN(3) == 0 {
		r.Num[0] = new(float64(l.r.IntN(1000)) / 10)
	}
	if l.r.IntN(10) == 0 {
		r.Sum = float64(l.r.IntN(10_000)) / 100
	}
	return r
}

func (l *load) profile(uid uint32) *model.Profile {
	v := func(n int) string { return l.values[l.r.IntN(n)] }
	return &model.Profile{
		ID: model.NewProfileID("key", fmt.Sprint(uid)), UID: uid, DID: fmt.Sprint("device-", uid), Dims: model.Dims{model.Country: v(20), model.City: v(300), model.Device: v(100), model.DeviceType: v(3), model.Manufacturer: v(20), model.OS: v(3), model.OSVersion: v(20), model.AppVersion: v(30), model.Resolution: v(20), model.Carrier: v(50), model.Language: v(20), model.SDK: v(3), model.Region: v(100)},
		FirstSession: l.ms/1000 - 9999, LastSession: l.ms / 1000, FirstActivity: l.ms/1000 - 9999, LastActivity: l.ms / 1000, FirstSync: l.ms/1000 - 9999,
		LastSync: l.ms / 1000, Sessions: int64(l.r.IntN(50)), TotalDuration: float64(l.r.IntN(9999)), State: uid,
		Custom: map[string]any{"plan": v(3), "level": float64(l.r.IntN(100))},
	}
}

// BenchmarkCommit measures batches of event rows with their requests (one in
// five rows) and users (one in twenty), checkpoints included.
func BenchmarkCommit(b *testing.B) {
	for _, bb := range []struct{ rows, apps int }{{1, 1}, {1000, 1}, {1000, 5}, {20_000, 1}, {20_000, 5}, {2000, 100}, {10_000, 10_000}} {
		b.Run(fmt.Sprintf("rows=%d/apps=%d", bb.rows, bb.apps), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "events.duckdb")
			s := open(b, duck.Options{Path: path})
			var apps []model.AppID
			for i := range bb.apps {
				apps = append(apps, model.ID{5, byte(i >> 8), byte(i)})
			}
			l := newLoad()
			var worst, cpu time.Duration
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				batch := l.next(bb.rows, apps...)
				b.StartTimer()
				began, used := time.Now(), cpuTime(b)
				eventstest.Commit(b, s, batch)
				worst = max(worst, time.Since(began))
				cpu += cpuTime(b) - used
			}
			b.ReportMetric(float64(cpu.Microseconds())/float64(bb.rows*b.N), "cpu-µs/row") // what a busy machine does not change
			b.ReportMetric(float64(bb.rows*b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
		})
	}
}

// cpuTime is what the process has used of all processors.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSize loads three million rows of one app and reports bytes per row
// on disk, how fast they are read again, and how long a start takes.
func BenchmarkSize(b *testing.B) {
	for b.Loop() {
		const rows, size = 3_000_000, 20_000
		path := filepath.Join(b.TempDir(), "events.duckdb")
		opt := duck.Options{Path: path}
		s := open(b, opt)
		l := newLoad()
		var busy, worst time.Duration
		for range rows / size {
			batch := l.next(size, app)
			for _, ab := range batch.Apps {
				ab.Users = nil // what users take is no part of an event
			}
			began := time.Now()
			eventstest.Commit(b, s, batch)
			busy += time.Since(began)
			worst = max(worst, time.Since(began))
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		s = open(b, opt)
		b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "open-ms")
		b.ReportMetric(float64(st.Size())/rows, "B/row")
		b.ReportMetric(rows/busy.Seconds(), "rows/s")
		b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
		began = time.Now()
		n, err := s.Count(context.Background(), app, events.RowFilter{Keys: []string{events.CustomKey}, Names: []string{"event-3"}, From: 1_700_000_000_000})
		if err != nil || n == 0 {
			b.Fatal(n, err)
		}
		b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "count-ms")
		n = 0
		began = time.Now()
		if err := s.ScanRows(context.Background(), app, events.Place{}, func(*events.Row) error { n++; return nil }); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/time.Since(began).Seconds(), "scanned/s")
	}
}
