package app

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"quipu/internal/fault"
	"quipu/internal/ingest/decode"
	"quipu/internal/memory"
	"quipu/internal/model"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/events/duck"
)

// How long work waits for room before it is turned away, and when it should
// come back.
const (
	readPatience   = 10 * time.Second
	ingestPatience = 5 * time.Second
	comeBack       = 5 * time.Second
	// workPatience is that of work which has begun, as an export of many pages, and of
	// tasks, for which nobody waits.
	workPatience = 5 * time.Minute
)

// gates admit work so that memory lasts; ingestion has a gate of its own, so
// that no reader can close it.
type gates struct {
	requests *memory.Gate // bytes of bodies to ingestion
	answers  *memory.Gate // requests to /o
	reads    *memory.Gate // reads of the event store
}

func newGates(g *memory.Governor) gates {
	const smallRequest = 128 << 10 // goes on when memory is short: it takes little
	return gates{
		requests: g.NewGate(g.Plan().Requests, smallRequest, ingestPatience),
		answers:  g.NewGate(answersAtOnce, 0, readPatience),
		reads:    g.NewGate(int64(g.Plan().Reads), 0, readPatience),
	}
}

// answersAtOnce is how many requests to /o are worked on at a time: more than
// processors can work on, few enough for memory.
const answersAtOnce = 32

// admitted lets requests of clients and readers wait for room.
func (g *gates) admitted(next http.Handler) http.Handler {
	ingest := map[string]bool{}
	for _, p := range decode.Paths() {
		ingest[strings.TrimSuffix(p, "{$}")] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var (
			gate *memory.Gate
			size int64 = 1
			text       = `{"result":"Server is busy, try again later"}`
		)
		switch {
		case ingest[r.URL.Path]:
			gate, size, text = g.requests, bodyMemory(r), `{"result":"Server is not accepting data at the moment"}`
		case isRead(r.URL.Path):
			gate = g.answers
		default:
			next.ServeHTTP(w, withTurn(r))
			return
		}
		taken, err := gate.Enter(r.Context(), size)
		if err != nil {
			refuse(w, text)
			return
		}
		defer gate.Leave(taken)
		if gate == g.answers {
			r = withTurn(r)
		}
		next.ServeHTTP(w, r)
	})
}

// turn is the share of a request in the event store. What had its turn once is
// not turned away later, when half of its answer may have been sent.
type turn struct{ had atomic.Bool }

type turnKey struct{}

func withTurn(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), turnKey{}, &turn{}))
}

// isRead reports whether a path is of the reading API. Files and streams are
// not counted: how long they take depends on who fetches them.
func isRead(path string) bool {
	for _, streamed := range []string{"/o/export/", "/o/app_users/download", "/o/live/"} {
		if strings.HasPrefix(path, streamed) {
			return false
		}
	}
	return path == "/o" || strings.HasPrefix(path, "/o/")
}

// bodyMemory estimates what the body of a request takes while it is read,
// unpacked and made a record of.
func bodyMemory(r *http.Request) int64 {
	const perRequest = 16 << 10
	switch n := r.ContentLength; {
	case n < 0:
		return 1 << 20
	case r.Header.Get("Content-Encoding") != "":
		return perRequest + 12*n
	default:
		return perRequest + 3*n
	}
}

func refuse(w http.ResponseWriter, text string) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")
	h.Set("Retry-After", strconv.Itoa(int(comeBack/time.Second)))
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, text) // a client that left is nobody's concern
}

// queued is the event store as modules read it: reads wait for their turn,
// and what does not fit into memory asks the caller to come back.
type queued struct {
	evstore.Reader
	gate *memory.Gate
}

// enter waits for a turn and runs the read.
func (q queued) enter(ctx context.Context, read func() error) error {
	patience := workPatience
	if t, ok := ctx.Value(turnKey{}).(*turn); ok && !t.had.Swap(true) {
		patience = readPatience
	}
	taken, err := q.gate.EnterWithin(ctx, 1, patience)
	if errors.Is(err, memory.ErrBusy) {
		return unavailable(nil, "events.busy", "Too many reports are being computed, try again later")
	}
	if err != nil {
		return err
	}
	defer q.gate.Leave(taken)
	err = read()
	if errors.Is(err, duck.ErrMemory) {
		return unavailable(err, "events.memory", "There is not enough memory for this report at the moment")
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

// Users implements events.Reader.
func (q queued) Users(ctx context.Context, app model.AppID, u evstore.UserQuery) (page evstore.UserPage, err error) {
	err = q.enter(ctx, func() (err error) {
		page, err = q.Reader.Users(ctx, app, u)
		return err
	})
	return page, err
}

// Query implements events.Reader.
func (q queued) Query(ctx context.Context, statement string, args []any, fn func(evstore.Scanner) error) error {
	return q.enter(ctx, func() error { return q.Reader.Query(ctx, statement, args, fn) })
}
