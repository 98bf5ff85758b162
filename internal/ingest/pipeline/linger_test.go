package pipeline_test

import (
	"strconv"
	"testing"
	"time"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
)

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
