package live

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
)

const (
	// batch is how many entries one event of the feed has at most.
	batch = 25
	// patience is how long a stream waits for what was recorded before it, or elsewhere.
	patience = 2 * time.Second
)

var (
	errNoStream = fault.New(fault.Invalid, "live.no_stream", "Use GET with the header Accept: text/event-stream")
	errStopping = fault.New(fault.Unavailable, "live.stopping", "The server is restarting")
)

type service struct {
	cfg      Config
	log      *slog.Logger
	now      func() time.Time
	stopping <-chan struct{}
	hub      *hub
	source   source
	// holds reports whether this server records what an app sends; another one does otherwise, and its rows are asked.
	holds func(model.AppID) bool
}

// once answers with the figures of an app, for those who want no stream.
func (s *service) once(ctx context.Context, c api.Caller, _ api.None) (tiles, error) {
	return s.source.read(ctx, c.App.ID)
}

// tiles streams the figures of an app.
func (s *service) tiles(w http.ResponseWriter, c api.Caller) error { return s.serve(w, c, false) }

// feed streams what an app records, and its figures to those who may read them.
func (s *service) feed(w http.ResponseWriter, c api.Caller) error { return s.serve(w, c, true) }

func (s *service) serve(w http.ResponseWriter, c api.Caller, feed bool) error {
	r := c.Request()
	if r.Method != http.MethodGet || !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		return errNoStream
	}
	// A token for one use is gone by now, and so is the right to go on.
	if err := c.Readmit(); err != nil {
		return err
	}
	st, err := s.hub.join(c.App.ID, c.Member.ID)
	if err != nil {
		return err
	}
	defer s.hub.leave(st)
	var before []pipeline.Arrival
	after, _ := strconv.ParseUint(r.Header.Get("Last-Event-Id"), 10, 64)
	if feed {
		before = s.before(r.Context(), st, after)
	}
	out := newWire(w, time.Duration(s.cfg.Write))
	if err := s.run(r.Context(), c, st, out, before, after == 0); err != nil {
		s.log.DebugContext(r.Context(), "live stream ended", slog.Any("error", err))
	}
	return nil
}

// before returns the newest entries that were recorded before a stream, and lets it follow what comes.
func (s *service) before(ctx context.Context, st *stream, after uint64) []pipeline.Arrival {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := st.room.remember(func() ([]pipeline.Arrival, error) { return s.source.past(bounded, st.app) })
	if err != nil && ctx.Err() == nil && bounded.Err() == nil && !unavailable(err) {
		s.log.WarnContext(ctx, "what was recorded before cannot be read", slog.String("app", st.app.String()), slog.Any("error", err))
	}
	return st.follow(after)
}

// unavailable reports whether an error comes from a busy store.
func unavailable(err error) bool {
	fe, ok := errors.AsType[*fault.Error](err)
	return ok && fe.Kind == fault.Unavailable
}

// run writes a stream until its client is gone, the caller may read no more, or the server stops. It begins
// with the entries before it, which are the past of a client that has seen none.
func (s *service) run(ctx context.Context, c api.Caller, st *stream, out *wire, before []pipeline.Arrival, past bool) error {
	if err := out.begin(); err != nil {
		return err
	}
	for list := range slices.Chunk(before, batch) {
		if err := sendEntries(c, st, out, list, 0, past); err != nil {
			return err
		}
	}
	heartbeat, check := time.NewTicker(time.Duration(s.cfg.Heartbeat)), time.NewTicker(time.Duration(s.cfg.Check))
	defer heartbeat.Stop()
	defer check.Stop()
	figures := time.NewTimer(0)
	defer figures.Stop()
	elsewhere := time.NewTicker(time.Duration(s.cfg.Elsewhere))
	defer elsewhere.Stop()
	ready, rested := (<-chan struct{})(st.ready), (<-chan time.Time)(nil)
	shown := ""
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-s.stopping:
			return out.end(errStopping)
		case <-heartbeat.C:
			err = out.comment()
		case <-check.C:
			if err := c.Readmit(); err != nil { //nolint:contextcheck // the call carries the request and its context
				return out.end(err)
			}
		case <-figures.C:
			shown, err = s.sendTiles(ctx, c, st, out, shown)
			figures.Reset(time.Duration(s.cfg.Tiles))
		case <-elsewhere.C:
			if st.feed && !s.holds(st.app) {
				s.look(ctx, st)
			}
		case <-ready:
			err = sendFeed(c, st, out)
			ready, rested = nil, time.After(time.Duration(s.cfg.Feed))
		case <-rested:
			ready, rested = st.ready, nil
		}
		if err != nil {
			return err
		}
	}
}

// look hands what another server has recorded to the streams of an app, unless one of them is at it.
func (s *service) look(ctx context.Context, st *stream) {
	r := st.room
	if !r.reading.TryLock() {
		return
	}
	defer r.reading.Unlock()
	if now := s.now(); now.Sub(r.read) < time.Duration(s.cfg.Elsewhere)/2 && !now.Before(r.read) { // another stream of the app did so
		return
	}
	r.read = s.now()
	r.mu.Lock()
	after, opened, gone := r.seen, r.opened, r.gone
	r.mu.Unlock()
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, more, newest, err := s.source.since(bounded, st.app, after, opened)
	if err != nil {
		if bounded.Err() == nil && !unavailable(err) {
			s.log.WarnContext(ctx, "what another server records cannot be read", slog.String("app", st.app.String()), slog.Any("error", err))
		}
		return
	}
	if newest == 0 {
		return
	}
	r.figures.changed.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone == gone {
		r.show(list, more)
		r.seen = max(r.seen, newest) // also those whose users are gone
	}
}

// sendTiles sends the figures unless they are those that are shown already.
func (s *service) sendTiles(ctx context.Context, c api.Caller, st *stream, out *wire, shown string) (string, error) {
	if !auth.Can(c.Member, st.app, "core", model.Read) {
		return shown, nil
	}
	now, err := st.room.figures.get(ctx, st.app, &s.source, time.Duration(s.cfg.Tiles))
	if err != nil {
		// While the event store is busy the figures stay as they are.
		if ctx.Err() == nil && !unavailable(err) {
			s.log.WarnContext(ctx, "live figures cannot be read", slog.String("app", st.app.String()), slog.Any("error", err))
		}
		return shown, nil
	}
	// The moment alone is no news.
	same := now
	same.At = 0
	text, err := json.Marshal(same)
	if err != nil || string(text) == shown {
		return shown, err
	}
	return string(text), out.send("tiles", "", now)
}

func sendFeed(c api.Caller, st *stream, out *wire) error {
	list, skipped := st.take(batch)
	if len(list) == 0 && skipped == 0 {
		return nil
	}
	return sendEntries(c, st, out, list, skipped, false)
}

func sendEntries(c api.Caller, st *stream, out *wire, list []pipeline.Arrival, skipped int, past bool) error {
	named := auth.Can(c.Member, st.app, "users", model.Read)
	f := feedEvent{Skipped: skipped, Past: past, Entries: make([]entry, 0, len(list))}
	id := ""
	for _, a := range list {
		f.Entries = append(f.Entries, entryOf(a, named))
		id = strconv.FormatUint(a.Offset, 10)
	}
	return out.send("feed", id, f)
}

// endEvent tells why a stream ends.
type endEvent struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

func endOf(err error) endEvent {
	if fe, ok := errors.AsType[*fault.Error](err); ok && slices.Contains([]fault.Kind{fault.Invalid, fault.Unauthenticated, fault.Forbidden, fault.Unavailable}, fe.Kind) {
		return endEvent{fe.Code, fe.Msg}
	}
	return endEvent{"live.failed", "The live view failed"}
}
