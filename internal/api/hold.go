package api

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/params"
)

// UnknownBody is how much is read of the body of a caller whose address and headers hold no
// credentials, in bytes.
const UnknownBody = 64 << 10

// smallAnswer is what an answer may hold uncharged: it is part of what a connection costs.
const smallAnswer = 16 << 10

var errUnknownBody = fault.Newf(fault.TooLarge, "request.too_large",
	"Request is too large: send more than %d kB with credentials in the address or in a header", UnknownBody>>10)

// busy asks the caller to come back. It is to be expected, so it has no cause to be logged.
func busy() error {
	return &fault.Error{Kind: fault.Unavailable, Code: "server.busy", Msg: "Server is busy, try again later", RetryAfter: intake.ComeBack}
}

// headers fills in the credentials of headers.
func (s *Server) headers(r *http.Request, cred *Credentials) {
	for _, header := range []string{"Service-Token", "Countly-Token"} {
		if cred.AuthToken == "" {
			cred.AuthToken = r.Header.Get(header)
		}
	}
	if cred.AuthToken == "" && cred.APIKey == "" {
		cred.APIKey, cred.AuthToken = auth.Bearer(r.Header.Get("Authorization"))
	}
	if value := auth.SessionCookie(r, s.opts.Cookie); value != "" {
		cred.Cookie = value
	}
}

// bodyLimit returns how much of the body is read. Credentials in the body come too late for it
// unless the route takes uploads.
// Faults: request.too_large.
func (s *Server) bodyLimit(c *Call, uploads bool) (int64, error) {
	r, most := c.request, s.opts.Limits.Body
	if r.ContentLength > most {
		return 0, fault.New(fault.TooLarge, "request.too_large", "Request is too large")
	}
	if r.ContentLength >= 0 && r.ContentLength <= UnknownBody || most <= UnknownBody || uploads {
		return most, nil
	}
	var cred Credentials
	params.EachPair(r.URL.RawQuery, func(name, value string) bool {
		switch name {
		case "api_key":
			cred.APIKey = value
		case "auth_token":
			cred.AuthToken = value
		}
		return true
	})
	s.headers(r, &cred)
	switch {
	case s.opts.Auth.Known(r.Context(), cred):
		return most, nil
	case r.ContentLength > UnknownBody:
		return 0, errUnknownBody
	}
	return UnknownBody, nil
}

// spool admits the caller of an upload that is larger than what is held in memory, by what stands in the address and in headers, and lets
// its files go elsewhere. done gives up what nobody took.
// Faults: request.too_large, and those of admission.
func (s *Server) spool(c *Call, a Access, limits *params.Limits) (done func(), err error) {
	if c.Params, err = params.Query(c.request, *limits); err != nil {
		return nil, err
	}
	if err := s.admit(c, a); err != nil {
		return nil, err
	}
	to, err := a.Spool(c)
	if err != nil {
		return nil, err
	}
	done = func() {
		if err := to.Close(); err != nil {
			s.opts.Log.ErrorContext(c.request.Context(), "files of an upload stay on disk", slog.Any("error", err))
		}
	}
	if c.request.ContentLength > to.Most() {
		done()
		return nil, fault.Newf(fault.TooLarge, "request.too_large", "Request is too large: there is room for %d bytes", to.Most())
	}
	limits.Body, limits.Spool = to.Most(), to
	return done, nil
}

// discard reads the rest of a refused upload, at most n bytes. A client sends its whole body before it reads the answer, and a
// connection that is closed while it sends would be all that it sees.
func discard(body io.Reader, n int64) {
	_, _ = io.CopyN(io.Discard, body, n) // the answer is tried whether or not the client still sends
}

// enter takes a place among those who read, for callers who may. Files and streams take none: how
// long they last depends on who fetches them.
func (s *Server) enter(c *Call) error {
	caller := intake.CallerOf(c.request.Context())
	who := caller.Who()
	if c.Member != nil {
		who = memory.Member(c.Member.ID)
		caller.Recognise(who)
	}
	if c.route.Raw != "" || c.Path != "/o" && !strings.HasPrefix(c.Path, "/o/") {
		return nil
	}
	c.slot = s.opts.Intake.Reads.Claim(who)
	if err := c.slot.Grow(c.request.Context(), 1); err != nil {
		if ctxErr := c.request.Context().Err(); ctxErr != nil {
			return fmt.Errorf("wait for a place: %w", ctxErr)
		}
		return busy()
	}
	return nil
}

// send writes an answer. While the client takes it in, it is charged, and holds no place among
// those who read.
func (s *Server) send(w http.ResponseWriter, c *Call, status int, body []byte) error {
	ctx := c.request.Context()
	if c.charge != nil {
		if err := c.charge(ctx, len(body)); err != nil {
			return err
		}
	} else if len(body) > smallAnswer && c.again == nil {
		claim := s.opts.Intake.Answers.Claim(intake.CallerOf(ctx).Who())
		if err := claim.Grow(ctx, int64(len(body))); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("send answer: %w", ctx.Err())
			}
			w.Header().Del("Content-Length")
			w.Header().Del("Content-Encoding")
			return busy()
		}
		defer claim.Leave()
		if until := claim.Until(); !until.IsZero() {
			conn := http.NewResponseController(w)
			_ = conn.SetWriteDeadline(until) // without a connection nobody is slow
			defer func() { _ = conn.SetWriteDeadline(time.Time{}) }()
		}
	}
	c.slot.Leave()
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}
