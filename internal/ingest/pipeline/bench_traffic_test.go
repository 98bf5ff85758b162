package pipeline_test

import (
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/modules/attribution"
	"quipu/internal/modules/crashes"
	"quipu/internal/modules/performance"
	"quipu/internal/modules/views"
	"quipu/internal/store/journal"
	population "quipu/internal/traffic"
)

// BenchmarkTraffic projects batches of 20,000 events as quipu bench sends them, of 50,000 users, with all features that have a part in ingestion. apply-ns/event
// is how long the shard took.
func BenchmarkTraffic(b *testing.B) {
	b.ReportAllocs()
	var applied time.Duration
	w := openCached(b, vfs.NewMem(), nil, 32_000, func(o *pipeline.Options) {
		o.Events, o.MoveRows, o.MoveEvery = swallow{newMemory()}, 192<<10, time.Second
		o.BatchAge = 50 * time.Millisecond
		o.Features = pipeline.Features{views.Module().Ingest, crashes.Module().Ingest, attribution.Module().Ingest, performance.Module().Ingest}
		o.Now = time.Now
		o.Observe = func(ob pipeline.Observation) { applied += ob.Apply }
	}).start(b)
	defer w.close(b)
	g, err := population.New(population.Config{
		Seed: 1, AppKey: utcApp.Key, Users: 50_000, Start: time.UnixMilli(noon).Add(-24 * time.Hour), SessionsPerDay: 25_000, EventsPerRequest: benchBatch,
	})
	if err != nil {
		b.Fatal(err)
	}
	var events int
	round := func() {
		var payloads [][]byte
		for n := 0; n < benchTotal; {
			item, info := g.Next(nil, population.Item)
			rec := request.Record{Kind: request.Client, App: utcApp.ID, Received: info.TS + 200}
			_ = rawjson.Members(item, func(key, v []byte) bool {
				p := request.Param{Name: string(key), Value: v, JSON: true}
				if text, ok := rawjson.Text(nil, v); ok {
					p.Value, p.JSON = text, false
				}
				rec.Params = append(rec.Params, p)
				return true
			})
			payloads = append(payloads, request.Append(nil, &rec))
			n += info.Events
			events += info.Events
		}
		if _, err := w.journal.Append(b.Context(), journal.Entries(0, payloads...)...); err != nil {
			b.Fatal(err)
		}
	}
	for range 8 {
		round()
		w.flush(b) // so that events, properties and many users are known
	}
	var used time.Duration
	events, applied = 0, 0
	for b.Loop() {
		b.StopTimer()
		round()
		before := cpu(b)
		b.StartTimer()
		w.flush(b)
		used += cpu(b) - before
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(used.Nanoseconds())/float64(events), "cpu-ns/event")
	b.ReportMetric(float64(applied.Nanoseconds())/float64(events), "apply-ns/event")
}
