package sentry

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/andybalholm/brotli"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/ingest/outcome"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/model"
)

const (
	// byteCost is what is held for a byte of an unpacked body: itself, what is parsed of it, and the request that it becomes.
	byteCost = 6
	// brotliCost is what a decompressor of brotli takes: its window, and tables.
	brotliCost = 18 << 20
	// piece is how much is charged at a time, in bytes of the body.
	piece = 64 << 10
)

// sent are the parameters of requests.
type sent struct {
	Key string `param:"sentry_key"`
}

// keyOf returns the key of the app that a request names in its query or in its header; "" for none.
func keyOf(r *http.Request, q sent) string {
	if q.Key != "" {
		return q.Key
	}
	for _, header := range []string{"X-Sentry-Auth", "Authorization"} {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(r.Header.Get(header)), " ")
		if !strings.EqualFold(scheme, "sentry") {
			continue
		}
		for pair := range strings.SplitSeq(rest, ",") {
			if name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); name == "sentry_key" {
				return strings.Trim(value, `"`)
			}
		}
	}
	return ""
}

// keyOfDSN returns the key in a DSN, as the header of an envelope has it when nothing else says whose it is.
func keyOfDSN(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.User == nil {
		return ""
	}
	return u.User.Username()
}

// app returns the app of a key.
func (s *service) app(ctx context.Context, key string) (*model.App, error) {
	if key == "" {
		return nil, errNoKey
	}
	app, err := s.apps.FindByKey(ctx, key)
	switch {
	case err != nil:
		return nil, err
	case app == nil:
		return nil, errKey
	case app.Salt != "":
		s.refused(app.ID, outcome.ChecksumMissing)
		return nil, errSigned
	}
	return app, nil
}

// body reads and unpacks the body of a request. Each byte is charged before it is held; leave gives all of it back.
func (s *service) body(ctx context.Context, r *http.Request) (body []byte, leave func(), err error) {
	body, h, err := s.heldBody(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return body, h.leave, nil
}

// heldBody is body with what is charged, so that more can be.
func (s *service) heldBody(ctx context.Context, r *http.Request) (body []byte, h *held, err error) {
	if r.Method != http.MethodPost {
		return nil, nil, errMethod
	}
	if r.ContentLength > s.cfg.MaxEnvelope {
		return nil, nil, errTooLarge
	}
	h = &held{ctx: ctx, charge: intake.Hold}
	if body, err = s.unpacked(r, h); err != nil {
		h.leave()
		return nil, nil, err
	}
	return body, h, nil
}

// held is what is charged for a request.
type held struct {
	ctx    context.Context // it lives as long as one call
	charge func(ctx context.Context, n int64) (leave func(), err error)
	list   []func()
}

func (h *held) hold(n int64) error {
	leave, err := h.charge(h.ctx, n)
	if err == nil {
		h.list = append(h.list, leave)
	}
	return err
}

func (h *held) leave() {
	for _, leave := range h.list {
		leave()
	}
}

func (s *service) unpacked(r *http.Request, h *held) ([]byte, error) {
	in := io.Reader(&limited{r.Body, s.cfg.MaxEnvelope})
	src := in
	var err error
	switch encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		src, err = gzip.NewReader(in)
	case "deflate":
		src, err = inflated(in)
	case "br":
		if err = h.hold(brotliCost); err == nil {
			src = brotli.NewReader(in)
		}
	default:
		return nil, errEncoding
	}
	if err != nil {
		return nil, s.unread(err)
	}
	var out []byte
	for {
		if err := h.hold(byteCost * piece); err != nil {
			return nil, s.unread(err)
		}
		at := len(out)
		if cap(out) < at+piece {
			out = append(make([]byte, 0, max(2*cap(out), piece)), out...)
		}
		n, err := io.ReadFull(src, out[at:at+piece])
		out = out[:at+n]
		switch {
		case int64(len(out)) > s.cfg.MaxEnvelope:
			return nil, errTooLarge
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && src == in:
			return out, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			// ReadFull ended within a piece: at the end of what was packed, or where it was cut.
			var more [1]byte
			if _, err := src.Read(more[:]); !errors.Is(err, io.EOF) {
				return nil, s.unread(err)
			}
			return out, nil
		case err != nil:
			return nil, s.unread(err)
		}
	}
}

// inflated tells zlib from a bare deflate stream by its first two bytes.
func inflated(in io.Reader) (io.Reader, error) {
	var head [2]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, err
	}
	in = io.MultiReader(bytes.NewReader(head[:]), in)
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(in)
	}
	return flate.NewReader(in), nil
}

// unread is the fault of a body that could not be read.
func (s *service) unread(err error) error {
	switch {
	case errors.Is(err, memory.ErrBusy):
		return errLater(busyFor)
	case errors.Is(err, errTooLarge):
		return errTooLarge
	}
	return errUnpack
}

// limited refuses to read more than so many bytes.
type limited struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// envelope takes an envelope.
func (s *service) envelope(c api.Caller, q sent) (accepted, error) {
	r := c.Request()
	key := keyOf(r, q)
	if key != "" { // before anything is read
		if _, err := s.app(r.Context(), key); err != nil {
			return accepted{}, err
		}
	}
	body, leave, err := s.body(r.Context(), r)
	if err != nil {
		return accepted{}, s.unreadable(key, err)
	}
	defer leave()
	head, items, err := split(body)
	if err != nil {
		return accepted{}, s.unreadable(key, err)
	}
	if key == "" {
		key = keyOfDSN(string(head.DSN))
	}
	app, err := s.app(r.Context(), key)
	if err != nil {
		return accepted{}, err
	}
	return s.take(r.Context(), c, app, head, items)
}

// unreadable counts a request of an app that cannot be read, and returns why. One that is to come again is not counted.
func (s *service) unreadable(key string, err error) error {
	if app := s.apps.ByKey(key); app != nil && fault.KindOf(err) != fault.RateLimited && !errors.Is(err, errMethod) {
		s.refused(app.ID, outcome.Malformed)
	}
	return err
}

// store takes a single event, as older SDKs send it.
func (s *service) store(c api.Caller, q sent) (accepted, error) {
	r := c.Request()
	app, err := s.app(r.Context(), keyOf(r, q))
	if err != nil {
		return accepted{}, err
	}
	body, leave, err := s.body(r.Context(), r)
	if err != nil {
		return accepted{}, s.unreadable(app.Key, err)
	}
	defer leave()
	var head header
	_ = json.Unmarshal(body, &head) // what cannot be read is counted below
	return s.take(r.Context(), c, app, header{EventID: head.EventID}, []item{{kind: "event", data: body}})
}

// take turns items into requests and keeps them. Items that cannot be taken are counted, each for its reason.
func (s *service) take(ctx context.Context, c api.Caller, app *model.App, head header, items []item) (accepted, error) {
	drop := func(reason outcome.Reason, n int) {
		for range n {
			s.refused(app.ID, reason)
		}
	}
	if app.Paused {
		drop(outcome.AppPaused, max(1, len(items)))
		return accepted{}, errLater(pausedFor)
	}
	from := sender{app: app, now: s.now(), ip: c.IP, agent: c.Request().UserAgent(), maxEvent: s.cfg.MaxEvent}
	list, dropped := from.requests(items)
	if len(list) > 0 {
		text, err := json.Marshal(list)
		if err != nil {
			return accepted{}, err
		}
		if err := s.ingest(ctx, app, text); err != nil {
			if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.Unavailable {
				return accepted{}, errLater(f.RetryAfter)
			}
			return accepted{}, err
		}
	}
	for _, reason := range dropped {
		drop(reason, 1)
	}
	if len(list) == 0 && len(items) == 1 && dropped[0] == outcome.Malformed {
		return accepted{}, errEnvelope
	}
	return accepted{ID: string(head.EventID)}, nil
}
