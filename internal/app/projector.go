package app

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/hook"
	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/kernel"
	"quipu/internal/model"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/rollup"
)

// projector is what projects the journal, as the server sees it: the pipeline, or in a cluster what stands for those of all nodes. Its methods are those of
// pipeline.Pipeline.
type projector interface {
	decode.Memory
	Run(ctx context.Context) error
	Submit(ctx context.Context, rec request.Record) error
	Append(ctx context.Context, commands ...request.Record) (journal.Position, error)
	Await(ctx context.Context, w journal.Watermark) error
	Flush(ctx context.Context) error
	Sweep(ctx context.Context, now time.Time) (int, error)
	LastSettings(ctx context.Context, apps []*model.App) (map[model.AppID]pipeline.Settings, error)
	Healthy() (retryAfter time.Duration, ok bool)
	Reader(r evstore.Reader) evstore.Reader
	Version(app model.AppID) uint64
	Outbox() int64
}

// cellReader reads cells.
type cellReader interface {
	rollup.Tracker
	rollup.AppScanner
}

// work is what projecting takes of the stores: those of the data folder, or of a worker of a cluster.
type work struct {
	journal  journal.Journal
	stores   projected
	events   evstore.Writer
	patience time.Duration // of rows, see pipeline.Options.MoveEvery
}

// projected are the stores that a pipeline writes to within a batch.
type projected struct {
	State
	cells rollup.AppScanner
}

// pipelineOf makes a pipeline.
func (a *App) pipelineOf(proc Process, edge *outcome.Counter, w work) (*pipeline.Pipeline, error) {
	if proc.Events != nil {
		w.events = proc.Events(w.events)
	}
	if a.tracer != nil {
		w.events = tracedRows{w.events, a.tracer}
	}
	var find func(context.Context, model.AppID) (*model.App, error)
	if a.cluster != nil {
		find = a.apps.Find
	}
	bus, observe, receipts, watch, taps := a.bus, a.observing(), &a.receipts, &a.recorded, &a.taps
	if a.moving {
		bus, observe, receipts, watch, taps = hook.NewBus(), nil, nil, nil, nil
	}
	p, err := pipeline.New(pipeline.Options{
		Journal: w.journal, State: w.stores.Store, Outbox: w.stores.Outbox, Cells: w.stores.cells, Profiles: w.stores.Profiles, Schema: w.stores.Schema, Events: w.events, Apps: a.apps, Find: find,
		Dropped: edge, Bus: bus, Log: a.log, Now: a.now, Rows: a.events,
		Locate: a.locate, Settings: a.settings, Observe: observe, Receipts: receipts, Watch: watch, Taps: taps, Features: kernel.Ingestion(a.modules()),
		Workers: proc.Cores, Pause: a.memory.Ease, BatchBytes: int(a.memory.Plan().Batch), MoveRows: a.memory.Plan().MoveRows, MoveBytes: a.memory.Plan().MoveBytes, MoveEvery: w.patience,
	})
	if err != nil {
		return nil, fmt.Errorf("make the pipeline: %w", err)
	}
	return p, nil
}

// wireWork makes what projects the journal.
func (a *App) wireWork(proc Process, edge *outcome.Counter) (err error) {
	if a.cluster != nil {
		n := a.cluster.projection(a, proc, edge)
		a.taps.Share(n.holds)
		a.work = n
		return nil
	}
	a.pipeline, err = a.pipelineOf(proc, edge, work{
		journal: a.journal, events: a.duck,
		stores: projected{State{Store: a.store, Outbox: a.outbox, Profiles: a.profiles, Schema: a.schema}, a.cells},
	})
	a.work = a.pipeline
	return err
}
