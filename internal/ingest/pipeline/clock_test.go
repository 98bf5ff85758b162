package pipeline_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/rollup"
)

// TestDuplicatesWhenTheClockJumps sends a request again after the server's
// clock was set back and forth by up to two days.
func TestDuplicatesWhenTheClockJumps(t *testing.T) {
	t.Parallel()
	const day = 24 * 3_600_000
	for _, tt := range []struct {
		name  string
		jumps []int64 // of the clock, against the first receipt
	}{
		{"back over midnight", []int64{-day}},
		{"back two days", []int64{-2 * day}},
		{"forth two days", []int64{2 * day}},
		{"forth and back", []int64{2 * day, 0, -2 * day, 2 * day}},
	} {
		w := running(t, nil)
		send := func(received int64) {
			rec := req(&utcApp, "X", noon-9*day+1, "events", `[{"key":"a"}]`)
			rec.Received = received
			w.send(t, rec)
		}
		send(noon)
		for _, jump := range tt.jumps {
			send(noon + jump)
		}
		if got := w.day(t, &utcApp, rollup.Events, "", noon-9*day, counts)["a"]; got != "1" {
			t.Errorf("%s: counted %s times", tt.name, got)
		}
	}
}

// TestDuplicatesBehindAnotherPartition sends a request again in a partition that waits while another one, of which a record
// was received days later, goes on: the first is not forgotten for that.
func TestDuplicatesBehindAnotherPartition(t *testing.T) {
	t.Parallel()
	const day = 24 * 3_600_000
	for _, apps := range [][2]*model.App{{&utcApp, &kolkataApp}, {&kolkataApp, &utcApp}} {
		j := journaltest.NewMemory(5)
		if j.Partition(journal.Routing(utcApp.ID)) == j.Partition(journal.Routing(kolkataApp.ID)) {
			t.Fatal("both apps are in one partition")
		}
		w := open(t, vfs.NewMem(), newMemory(), func(o *pipeline.Options) { o.Journal, o.BatchRecords = j, 1 }).start(t)
		send := func(app *model.App, received int64) request.Record {
			rec := req(app, "X", noon+1, "events", `[{"key":"a"}]`)
			rec.Received = received
			return rec
		}
		w.send(t, send(apps[0], noon))
		w.append(t, send(apps[1], noon+5*day), send(apps[1], noon+6*day), send(apps[0], noon+200), send(apps[0], noon+day))
		w.flush(t)
		if got := w.day(t, apps[0], rollup.Events, "", noon, counts)["a"]; got != "1" {
			t.Errorf("%s: counted %s times", apps[0].Timezone, got)
		}
		w.close(t)
	}
}
