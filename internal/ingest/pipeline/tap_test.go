package pipeline_test

import (
	"context"
	"errors"
	"testing"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
)

// follower is a tap that counts rows. It fails until goOn is closed.
type follower struct {
	failed chan struct{} // receives once for each failure
	goOn   chan struct{}
	rows   int // that were committed
}

// Part implements pipeline.Tap.
func (f *follower) Part(p *pipeline.Part) (any, error) {
	n := 0
	if err := p.EachRow(func(*events.Row) { n++ }); err != nil {
		return nil, err
	}
	select {
	case <-f.goOn:
		return n, nil
	default:
		f.failed <- struct{}{}
		return n, errors.New("the rows cannot be unpacked")
	}
}

// Committed implements pipeline.Tap.
func (f *follower) Committed(_ context.Context, _ model.AppID, part any) { f.rows += part.(int) }

// Removed implements pipeline.Tap.
func (f *follower) Removed(context.Context, model.AppID, bool) {}

// TestTapFails has a tap that cannot follow a batch for a while: nothing of the batch is committed, Healthy tells, and then it is there once, and was shown once.
func TestTapFails(t *testing.T) {
	t.Parallel()
	f := &follower{failed: make(chan struct{}, 100), goOn: make(chan struct{})}
	w := running(t, func(o *pipeline.Options) {
		o.Taps = &pipeline.Taps{}
		o.Taps.Add(f)
	})
	w.append(t, req(&utcApp, "X", noon, "begin_session", "1", "events", `[{"key":"a"}]`))
	<-f.failed
	<-f.failed // the second attempt: what the first did has ended
	if _, ok := w.pipe.Healthy(); ok {
		t.Error("healthy while a batch cannot be followed")
	}
	if n := len(w.events.rows(&utcApp)); n != 0 {
		t.Errorf("%d rows were sent, want none", n)
	}
	close(f.goOn)
	w.flush(t)
	if got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]; got != "e:1 t:1 n:1 u:1 d:0" {
		t.Errorf("users %q", got)
	}
	if n := len(w.events.rows(&utcApp)); n != 2 || f.rows != 2 {
		t.Errorf("%d rows were sent and %d shown, want 2 and 2", n, f.rows)
	}
}
