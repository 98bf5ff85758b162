package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"time"

	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/query"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/journal"
)

// Queued puts the gate of a governor in front of the reads of an event store.
func Queued(g *memory.Governor, r evstore.Reader) evstore.Reader {
	return queued{Reader: r, gate: newReads(g)}
}

// CellLimits are the limits of reads of cells under a governor, and their gate.
func CellLimits(g *memory.Governor) (query.Limits, *memory.Gate) {
	gate := newCellReads(g)
	return cellLimits(gate), gate
}

// CellGate is the gate of what reads of cells of a server hold.
func CellGate(a *App) *memory.Gate { return a.cellGate }

// Ingests reports whether a path is of ingestion.
func Ingests(path string) bool { return ingests()(path) }

// Direct is direct, for tests.
func Direct(r *http.Request, proxies []netip.Prefix) bool { return direct(r, proxies) }

// BackUp is one run of the job that makes backups.
func (a *App) BackUp(ctx context.Context) error { return a.backUp(ctx) }

// Skewed is skewed.
func Skewed(ctx context.Context, of string, clock func(context.Context) (time.Time, error)) error {
	return skewed(ctx, of, clock)
}

// BeginMove is beginMove.
func (a *App) BeginMove(ctx context.Context) error {
	_, err := a.beginMove(ctx)
	return err
}

// Pause is pause.
func (a *App) Pause(ctx context.Context) (open func() bool, err error) {
	_, open, err = a.pause(ctx)
	return open, err
}

// CopyDocuments is copyDocuments; it returns where the copy is.
func (a *App) CopyDocuments(ctx context.Context) (path string, err error) {
	return movePath(a.cfg.Data, moveDocuments), a.copyDocuments(ctx)
}

// FinishMove is finishMove.
func (a *App) FinishMove(ctx context.Context) error { return a.finishMove(ctx) }

// CancelMove is cancelMove.
func (a *App) CancelMove(ctx context.Context) error { return a.cancelMove(ctx) }

// Ready is what /readyz answers operators.
func (a *App) Ready() (status int, body string) {
	w := httptest.NewRecorder()
	a.ready(true)(w, httptest.NewRequest(http.MethodGet, "/readyz", http.NoBody))
	return w.Code, w.Body.String()
}

// ReadAsAdmin is readAsAdmin.
func (a *App) ReadAsAdmin(ctx context.Context, path string, query url.Values) (status int, body string, err error) {
	got, err := a.readAsAdmin(ctx, moveRead{path, query})
	return got.Status, string(got.Body), err
}

// WriteDocument writes a document of the server.
func (a *App) WriteDocument(ctx context.Context) error {
	return parkedSpec().Global(a.docs).Put(ctx, parked{ID: model.NewID().String()})
}

// Journaled is the end of the journal, and how many of its records are not projected.
func (a *App) Journaled(ctx context.Context) (end, behind uint64, err error) {
	at, err := a.state.Watermark(ctx)
	records, _ := a.journal.Size(at)
	return a.journal.End().Total(), uint64(records), err // a count
}

// Taken is up to where the journal of a cluster is taken.
func (a *App) Taken() journal.Watermark { return a.own.Taken() }

// NewSnapshotDir names a new folder for a snapshot.
func (a *App) NewSnapshotDir() string { return a.newSnapshotDir() }
