package pipeline_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// TestBatchOfManyApps projects the same records of one app and of many: an app adds to a batch what it takes in memory, so a batch holds fewer records of many apps.
// Once nothing comes any more, the schema is notified of it.
func TestBatchOfManyApps(t *testing.T) {
	const records, most = 60, 100 << 10
	for apps, want := range map[int][2]int{1: {1, 1}, records: {3, 4}} {
		t.Run(strconv.Itoa(apps), func(t *testing.T) {
			var list directory
			for i := range apps {
				list = append(list, &model.App{ID: model.AppID{byte(i), 1}, Timezone: "UTC", Key: "key-" + strconv.Itoa(i), IDKey: "key"})
			}
			var mu sync.Mutex
			var batches, projected int
			idle := &idleSchema{notified: make(chan struct{}, 100)}
			w := open(t, vfs.NewMem(), newMemory(), func(o *pipeline.Options) {
				o.Apps, o.BatchBytes = list, most
				idle.Writers, o.Schema = o.Schema, idle
				o.Observe = func(seen pipeline.Observation) {
					mu.Lock()
					defer mu.Unlock()
					if seen.Records > 0 {
						batches, projected = batches+1, projected+seen.Records
					}
				}
			})
			var sent []request.Record
			for i := range records {
				sent = append(sent, req(list[i%apps], "device", noon))
			}
			w.append(t, sent...)
			w.start(t)
			defer w.close(t)
			w.flush(t)
			mu.Lock()
			if projected != records || batches < want[0] || batches > want[1] {
				t.Errorf("%d records of %d apps in %d batches, want %d in %d to %d", projected, apps, batches, records, want[0], want[1])
			}
			mu.Unlock()
			select {
			case <-idle.notified:
			case <-time.After(20 * time.Second):
				t.Error("the schema is not notified that nothing comes")
			}
		})
	}
}

// idleSchema is a schema that knows when nothing comes.
type idleSchema struct {
	schema.Writers
	notified chan struct{}
}

func (s *idleSchema) Idle() {
	s.Writers.Idle()
	select {
	case s.notified <- struct{}{}:
	default:
	}
}

// TestNoCompany appends many records that no others follow: they do not wait for the age of a batch.
func TestNoCompany(t *testing.T) {
	w := running(t, func(o *pipeline.Options) { o.BatchAge, o.BatchRecords = time.Hour, 160 })
	w.send(t, req(&utcApp, "first", noon))
	var records []request.Record
	for i := range 40 {
		records = append(records, req(&utcApp, "device "+strconv.Itoa(i), noon))
	}
	w.append(t, records...)
	end := w.journal.End()
	deadline := time.After(20 * time.Second)
	for {
		got, err := w.store.Watermark(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Reaches(end) {
			return
		}
		select {
		case <-deadline:
			t.Fatalf("projected up to %v, want %v", got, end)
		case <-time.After(time.Millisecond):
		}
	}
}
