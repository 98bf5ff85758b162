package pipeline_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/state/postgres"
)

// swallow takes rows and keeps none.
type swallow struct{ *memory }

func (swallow) Commit(context.Context, *events.Batch) error { return nil }

const (
	benchUsers = 1000
	benchBatch = 10 // events of a request
	benchTotal = 20_000
)

// benchTraffic is a batch of requests with events of 20 keys and three
// segments each.
func benchTraffic(round int) [][]byte {
	var out [][]byte
	for i := range benchTotal / benchBatch {
		user := i % benchUsers
		ts := noon + int64(round)*1000*60 + int64(i)*17 + 1
		var list []string
		for e := range benchBatch {
			list = append(list, fmt.Sprintf(
				`{"key":"event_%02d","count":1,"sum":%d.5,"timestamp":%d,"hour":12,"dow":3,"segmentation":{"plan":"plan_%d","screen":"screen_%02d","price":%d}}`,
				(i+e)%20, e, ts+int64(e), i%3, (i+e)%50, (i*e)%200))
		}
		pairs := []string{"events", "[" + strings.Join(list, ",") + "]", "sdk_name", "java", "sdk_version", "24.1", "hour", "12", "dow", "3", "rr", "0"}
		if i < benchUsers && round%4 == 0 {
			pairs = append(pairs, "begin_session", "1", "metrics", `{"_os":"Android","_os_version":"14","_device":"Pixel `+strconv.Itoa(user%9)+`","_app_version":"3.4.1","_resolution":"1080x2400","_locale":"de_DE"}`)
		}
		rec := req(&utcApp, "device-"+strconv.Itoa(user), ts, pairs...)
		out = append(out, request.Append(nil, &rec))
	}
	return out
}

// viewTraffic is a batch of requests as websites send them: visits of 60 views,
// each followed by how long it took, with a platform and a host, in sessions that end.
func viewTraffic(round int) [][]byte {
	var out [][]byte
	for i := range benchTotal / benchBatch {
		ts := noon + int64(round)*1000*60 + int64(i)*17 + 1
		var list []string
		for e := range benchBatch / 2 {
			view, first := (i*7+e)%60, ""
			if e == 0 {
				first = `"start":1,`
			}
			list = append(list, fmt.Sprintf(
				`{"key":"[CLY]_view","count":1,"timestamp":%d,"hour":12,"dow":3,"segmentation":{"name":"View number %02d","visit":1,%s"view":"/view/%02d","domain":"www.site.io","platform":"p%d"}}`,
				ts+int64(2*e), view, first, view, i%3))
			list = append(list, fmt.Sprintf(
				`{"key":"[CLY]_view","count":1,"dur":%d,"timestamp":%d,"hour":12,"dow":3,"segmentation":{"name":"View number %02d","platform":"p%d"}}`,
				e, ts+int64(2*e)+1, view, i%3))
		}
		pairs := []string{"events", "[" + strings.Join(list, ",") + "]", "sdk_name", "js", "sdk_version", "24.1", "hour", "12", "dow", "3", "rr", "0"}
		if round%4 == 0 {
			pairs = append(pairs, "begin_session", "1", "metrics", `{"_os":"Windows","_os_version":"11","_browser":"Firefox","_app_version":"3.4.1","_resolution":"1080x2400","_locale":"de_DE"}`)
		}
		if round%4 == 3 {
			pairs = append(pairs, "end_session", "1")
		}
		rec := req(&utcApp, "device-"+strconv.Itoa(i%benchUsers), ts, pairs...)
		out = append(out, request.Append(nil, &rec))
	}
	return out
}

// cpu is the processor time of the process, which other processes on the
// machine do not disturb.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchmarkBatch(b *testing.B, traffic func(round int) [][]byte, change func(*pipeline.Options)) {
	b.Helper()
	b.ReportAllocs()
	w := open(b, vfs.NewMem(), nil, func(o *pipeline.Options) {
		change(o)
	}).start(b)
	defer w.close(b)
	round := 0
	var used time.Duration
	for b.Loop() {
		b.StopTimer()
		payloads := traffic(round)
		round++
		if _, err := w.journal.Append(b.Context(), journal.Entries(0, payloads...)...); err != nil {
			b.Fatal(err)
		}
		before := cpu(b)
		b.StartTimer()
		w.flush(b)
		used += cpu(b) - before
	}
	b.ReportMetric(float64(b.N*benchTotal)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N*benchTotal), "cpu-ns/event")
}

// BenchmarkBatch projects 20,000 events of 1,000 users from the journal.
func BenchmarkBatch(b *testing.B) {
	b.Run("no event store", func(b *testing.B) {
		benchmarkBatch(b, benchTraffic, func(o *pipeline.Options) { o.Events = swallow{newMemory()} })
	})
	b.Run("duckdb", func(b *testing.B) {
		store := openDuck(b)
		benchmarkBatch(b, benchTraffic, func(o *pipeline.Options) { o.Events, o.Rows = store, store })
	})
}

// BenchmarkState projects the traffic of BenchmarkBatch with the state on disk in Pebble, and in PostgreSQL, with commits that are on the
// disk when they are answered and cells that travel. Small batches are those of a server with little to do.
func BenchmarkState(b *testing.B) {
	for _, records := range []int{20_000, 100} {
		b.Run(fmt.Sprint("pebble/records=", records), func(b *testing.B) {
			b.Chdir(b.TempDir())
			benchmarkState(b, vfs.Default, nil, records)
		})
		b.Run(fmt.Sprint("postgres/records=", records), func(b *testing.B) {
			server := pgtest.Durable(b)
			b.Chdir(b.TempDir())
			fs := &named{FS: vfs.Default}
			databases.Store(vfs.FS(fs), server.Database(b))
			benchmarkState(b, fs, server, records)
		})
	}
}

// named is a file system with an identity.
type named struct {
	vfs.FS
	_ int
}

func benchmarkState(b *testing.B, fs vfs.FS, server *pgtest.Server, records int) {
	b.Helper()
	w := openFS(b, fs, nil, func(o *pipeline.Options) {
		o.Events, o.BatchRecords, o.MoveRows, o.MoveEvery = swallow{newMemory()}, records, 192<<10, time.Second
	}).start(b)
	defer w.close(b)
	round := 0
	batch := func() {
		payloads := benchTraffic(round)
		round++
		if _, err := w.journal.Append(b.Context(), journal.Entries(0, payloads...)...); err != nil {
			b.Fatal(err)
		}
	}
	batch()
	w.flush(b) // so that users, events and statements are known
	var used, servers time.Duration
	before := stats(w)
	serverCPU := func() time.Duration {
		if server == nil {
			return 0
		}
		return server.CPU(b)
	}
	for b.Loop() {
		b.StopTimer()
		batch()
		theirs := serverCPU()
		own := cpu(b)
		b.StartTimer()
		w.flush(b)
		used += cpu(b) - own
		b.StopTimer()
		servers += serverCPU() - theirs
		b.StartTimer()
	}
	events := float64(b.N * benchTotal)
	b.ReportMetric(events/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(used.Nanoseconds())/events, "cpu-ns/event")
	if server != nil {
		b.ReportMetric(float64(servers.Nanoseconds())/events, "server-cpu-ns/event")
		after := stats(w)
		commits := float64(after.Commits - before.Commits)
		b.ReportMetric(float64(after.Statements-before.Statements)/commits, "statements/batch")
		b.ReportMetric(commits/float64(b.N), "batches/round")
		b.ReportMetric(float64(after.Bytes-before.Bytes)/events, "B/event")
	}
}

// stats are those of a world's worker.
func stats(w *world) postgres.Stats {
	if c, ok := w.store.(clustered); ok {
		return c.Stats()
	}
	return postgres.Stats{}
}

// BenchmarkViews projects 20,000 items of views from the journal.
func BenchmarkViews(b *testing.B) {
	b.Run("no event store", func(b *testing.B) {
		benchmarkBatch(b, viewTraffic, func(o *pipeline.Options) { o.Events = swallow{newMemory()} })
	})
	b.Run("duckdb", func(b *testing.B) {
		store := openDuck(b)
		benchmarkBatch(b, viewTraffic, func(o *pipeline.Options) { o.Events, o.Rows = store, store })
	})
}

// BenchmarkBacklog projects 100,000 events that wait in the journal, in batches
// of 20,000: decoding goes on while a batch is committed.
func BenchmarkBacklog(b *testing.B) {
	store := openDuck(b)
	w := open(b, vfs.NewMem(), nil, func(o *pipeline.Options) {
		o.Events, o.Rows, o.BatchRecords = store, store, benchTotal/benchBatch
	}).start(b)
	defer w.close(b)
	round := 0
	const rounds = 5
	var used time.Duration
	for b.Loop() {
		b.StopTimer()
		var payloads [][]byte
		for range rounds {
			payloads = append(payloads, benchTraffic(round)...)
			round++
		}
		if _, err := w.journal.Append(b.Context(), journal.Entries(0, payloads...)...); err != nil {
			b.Fatal(err)
		}
		before := cpu(b)
		b.StartTimer()
		w.flush(b)
		used += cpu(b) - before
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N*rounds*benchTotal), "cpu-ns/event")
	b.ReportMetric(float64(b.N*rounds*benchTotal)/b.Elapsed().Seconds(), "events/s")
}
