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
	"quipu/internal/model"
)

// batch is how many entries one event of the feed has at most.
const batch = 25

var (
	errNoStream = fault.New(fault.Invalid, "live.no_stream", "Ask with GET and the header Accept: text/event-stream")
	errStopping = fault.New(fault.Unavailable, "live.stopping", "The server is restarting")
)

type service struct {
	cfg      Config
	log      *slog.Logger
	now      func() time.Time
	stopping <-chan struct{}
	hub      *hub
	source   source
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
	after, _ := strconv.ParseUint(r.Header.Get("Last-Event-Id"), 10, 64)
	st, err := s.hub.join(c.App.ID, c.Member.ID, feed, after)
	if err != nil {
		return err
	}
	defer s.hub.leave(st)
	out := newWire(w, time.Duration(s.cfg.Write))
	if err := s.run(r.Context(), c, st, out); err != nil {
		s.log.DebugContext(r.Context(), "live stream ended", slog.Any("error", err))
	}
	return nil
}

// run writes a stream until its client is gone, the caller may read no more, or the server stops.
func (s *service) run(ctx context.Context, c api.Caller, st *stream, out *wire) error {
	if err := out.begin(); err != nil {
		return err
	}
	heartbeat, check := time.NewTicker(time.Duration(s.cfg.Heartbeat)), time.NewTicker(time.Duration(s.cfg.Check))
	defer heartbeat.Stop()
	defer check.Stop()
	figures := time.NewTimer(0)
	defer figures.Stop()
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

// sendTiles sends the figures unless they are those that are shown already.
func (s *service) sendTiles(ctx context.Context, c api.Caller, st *stream, out *wire, shown string) (string, error) {
	if !auth.Can(c.Member, st.app, "core", model.Read) {
		return shown, nil
	}
	now, err := st.room.figures.get(ctx, st.app, &s.source, time.Duration(s.cfg.Tiles))
	if err != nil {
		// While the event store is busy the figures stay as they are.
		if busy, ok := errors.AsType[*fault.Error](err); ctx.Err() == nil && (!ok || busy.Kind != fault.Unavailable) {
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
	named := auth.Can(c.Member, st.app, "users", model.Read)
	f := feedEvent{Skipped: skipped, Entries: make([]entry, 0, len(list))}
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
