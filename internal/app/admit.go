package app

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"quipu/internal/fault"
	"quipu/internal/ingest/decode"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/query"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/outbox"
)

// How long reads of event rows wait for a turn, and when those turned away should come back.
const (
	readPatience = 10 * time.Second
	comeBack     = intake.ComeBack
	// workPatience is that of work which has begun, as an export of many pages, and of
	// tasks, for which nobody waits.
	workPatience = 5 * time.Minute
)

// openIntake makes the gates. Connections live by the time of the machine, whatever the server's clock says.
func (a *App) openIntake(limit time.Duration) error {
	proxies, err := a.cfg.Proxies()
	if err != nil {
		return err
	}
	a.proxies = proxies
	a.client = func(r *http.Request) netip.Addr { return decode.ClientAddr(r, proxies) }
	a.intake = intake.New(intake.Options{Governor: a.memory, Now: time.Now, Client: a.client, Proxies: proxies, WriteLimit: limit})
	a.reads, a.cellGate = newReads(a.memory), newCellReads(a.memory)
	return nil
}

// newReads returns the gate of reads of event rows.
func newReads(g *memory.Governor) *memory.Gate {
	return g.NewGate(memory.GateOptions{Name: "event_rows", Size: int64(g.Plan().Reads), Share: 3, Patience: readPatience})
}

// newCellReads returns the gate of what reads of cells hold, bytes.
func newCellReads(g *memory.Governor) *memory.Gate {
	return g.NewGate(memory.GateOptions{Name: "cells", Size: g.Plan().Cells, Share: 3, Small: g.Plan().Cells, Patience: readPatience})
}

// cellLimits bound reads of cells: one read holds up to half of what all may, and takes no longer than one of rows.
func cellLimits(gate *memory.Gate) query.Limits {
	return query.Limits{
		Enter: func(ctx context.Context, n int64) (query.Room, error) {
			r := &cellRoom{gate.Claim(intake.CallerOf(ctx).Who())}
			err := r.Claim.Grow(ctx, n)
			if errors.Is(err, memory.ErrBusy) {
				err = errBusy()
			}
			return r, err
		},
		Most: gate.Size / 2, Timeout: evstore.ReadTimeout,
	}
}

// cellRoom is what a read of cells takes of its gate.
type cellRoom struct{ memory.Claim }

// Grow implements query.Room. It does not wait: others may wait for what the read holds.
func (r *cellRoom) Grow(n int64) error {
	if !r.Try(n) {
		return errBusy()
	}
	return nil
}

// errBusy turns a read away.
func errBusy() error {
	return unavailable(nil, "events.busy", "Too many reports are being computed, try again later")
}

// ingests reports whether a path is of ingestion, which charges what it holds itself.
func ingests() func(path string) bool {
	paths := map[string]bool{}
	for _, p := range decode.Paths() {
		paths[strings.TrimSuffix(p, "{$}")] = true
	}
	return func(path string) bool { return paths[path] }
}

// slashes are several slashes in a row.
var slashes = regexp.MustCompile(`//+`)

// singleSlashes serves an address with several slashes in a row as that with one: a client whose server address ends with a slash sends
// them. A redirect instead would end nowhere for those that do not follow one with a body.
func singleSlashes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "//") {
			one, u := *r, *r.URL
			u.Path, u.RawPath = slashes.ReplaceAllLiteralString(u.Path, "/"), slashes.ReplaceAllLiteralString(u.RawPath, "/")
			one.URL = &u
			r = &one
		}
		next.ServeHTTP(w, r)
	})
}

// queued is the event store as modules read it: reads wait for their turn,
// and what does not fit into memory asks the caller to come back.
type queued struct {
	evstore.Reader
	gate *memory.Gate
	// watch is notified when a read has its turn, and what it returns when it has ended; nil = nobody is.
	watch func(ctx context.Context) (ended func(error))
}

// enter waits for a turn and runs the read.
func (q queued) enter(ctx context.Context, read func() error) (err error) {
	patience, caller := workPatience, intake.CallerOf(ctx)
	if caller.FirstTurn() {
		patience = readPatience
	}
	claim := q.gate.Claim(caller.Who())
	err = claim.GrowWithin(ctx, 1, patience)
	if errors.Is(err, memory.ErrBusy) {
		return errBusy()
	}
	if err != nil {
		return err
	}
	defer claim.Leave()
	if q.watch != nil {
		ended := q.watch(ctx)
		defer func() { ended(err) }()
	}
	err = read()
	if errors.Is(err, outbox.ErrBehind) {
		return unavailable(err, "events.behind", "The event store does not take new rows at the moment, try again later")
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil { // the time of a statement is over, not the caller's
		return query.TooSlow(err)
	}
	if errors.Is(err, evstore.ErrMemory) && !errors.Is(err, evstore.ErrReopened) {
		return unavailable(err, "events.memory", "There is not enough memory for this report at the moment")
	}
	if errors.Is(err, evstore.ErrReopened) {
		return unavailable(err, "events.reopened", "The event store was opened again while it was read, try again")
	}
	return err
}

// unavailable asks the caller to come back. What is to be expected has no cause,
// so that it is not logged.
func unavailable(err error, code, msg string) error {
	e := fault.Wrap(err, fault.Unavailable, code, msg)
	e.RetryAfter = comeBack
	return e
}

// ScanRows implements events.Reader.
func (q queued) ScanRows(ctx context.Context, app model.AppID, after evstore.Place, fn func(*evstore.Row) error) error {
	return q.enter(ctx, func() error { return q.Reader.ScanRows(ctx, app, after, fn) })
}

// ScanRequests implements events.Reader.
func (q queued) ScanRequests(ctx context.Context, app model.AppID, after evstore.Place, fn func(*evstore.RequestRow) error) error {
	return q.enter(ctx, func() error { return q.Reader.ScanRequests(ctx, app, after, fn) })
}

// ScanStates implements events.Reader.
func (q queued) ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*evstore.State) error) error {
	return q.enter(ctx, func() error { return q.Reader.ScanStates(ctx, app, after, fn) })
}

// Count implements events.Reader.
func (q queued) Count(ctx context.Context, app model.AppID, f evstore.RowFilter) (n int64, err error) {
	err = q.enter(ctx, func() (err error) {
		n, err = q.Reader.Count(ctx, app, f)
		return err
	})
	return n, err
}

// Run implements events.Reader.
func (q queued) Run(ctx context.Context, p *plan.Query, fn func(evstore.Scanner) error) error {
	return q.enter(ctx, func() error { return q.Reader.Run(ctx, p, fn) })
}

// RunColumns implements events.Reader.
func (q queued) RunColumns(ctx context.Context, p *plan.Query, fn func(*evstore.Columns) error) error {
	return q.enter(ctx, func() error { return q.Reader.RunColumns(ctx, p, fn) })
}

// RunAll implements events.Reader.
func (q queued) RunAll(ctx context.Context, apps []model.AppID, p *plan.Query, fn func(model.AppID, evstore.Scanner) error) error {
	return q.enter(ctx, func() error { return q.Reader.RunAll(ctx, apps, p, fn) })
}

// Ahead implements events.Reader.
func (q queued) Ahead(ctx context.Context, app model.AppID, from uint64, n int) (to uint64, found int, err error) {
	err = q.enter(ctx, func() (err error) {
		to, found, err = q.Reader.Ahead(ctx, app, from, n)
		return err
	})
	return to, found, err
}
