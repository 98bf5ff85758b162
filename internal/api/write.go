package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// statusClientGone is logged, never sent: the client has closed the connection.
const statusClientGone = 499

// StatusOf returns the status that an answer with a fault has.
func StatusOf(e *fault.Error) int { return statusOf(e) }

// Problem renders a fault in the form of RFC 9457, for edges that are no routes.
func Problem(e *fault.Error, status int) []byte {
	p := problem{Status: status, Title: http.StatusText(status), Type: "urn:quipu:fault:" + e.Code, Code: e.Code, Detail: e.Msg, Fields: e.Fields, Params: e.Params}
	body, _ := json.Marshal(p) // cannot fail
	return body
}

// statusOf is the one table from faults to statuses. The wire gives some codes
// a status of their own; all others go by their kind.
func statusOf(e *fault.Error) int {
	switch e.Code {
	case "access.no_right":
		return http.StatusUnauthorized
	case "auth.credentials_missing", "auth.token_invalid":
		return http.StatusBadRequest
	}
	switch e.Kind {
	case fault.Invalid:
		return http.StatusBadRequest
	case fault.Unauthenticated:
		return http.StatusUnauthorized
	case fault.Forbidden:
		return http.StatusForbidden
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Conflict:
		return http.StatusConflict
	case fault.TooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.RateLimited:
		return http.StatusTooManyRequests
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	case fault.Internal:
	}
	return http.StatusInternalServerError
}

// StatusError gives a fault the status and, if Result is not nil, the result
// that one route of the wire has for it: {"result": Result}.
type StatusError struct {
	Status int
	Result any
	// InError says that the wire has {"error": …} instead.
	InError bool
	Err     error
}

// Error returns the wrapped fault's text.
func (e *StatusError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped fault.
func (e *StatusError) Unwrap() error { return e.Err }

// Status wraps err so that it is answered with status.
func Status(status int, err error) error { return &StatusError{Status: status, Err: err} }

// FaultHeader is the header of an answer that has the code of its fault.
const FaultHeader = fault.Header

// errInternal stands for every error that is no fault.
var errInternal = fault.New(fault.Internal, fault.CodeInternal, "Internal error")

// resultWithParams is the answer with a fault that has params.
type resultWithParams struct {
	Result any            `json:"result"`
	Params map[string]int `json:"params"`
}

func (s *Server) writeError(w http.ResponseWriter, c *Call, err error) {
	ctx := c.request.Context()
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)) {
		s.opts.Log.DebugContext(ctx, "client gone", slog.Int("status", statusClientGone), slog.String("path", c.Path))
		return
	}
	status, result := http.StatusInternalServerError, any(nil)
	body := func() any { return Result{Result: result} }
	fe, ok := errors.AsType[*fault.Error](err)
	if ok && fe.Params != nil {
		body = func() any { return resultWithParams{result, fe.Params} }
	}
	if ok && fe.Kind != fault.Internal {
		status, result = statusOf(fe), fe.Msg
		if fe.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(fe.RetryAfter.Seconds()+0.999)))
		}
		if fe.Err != nil && status >= http.StatusInternalServerError {
			s.opts.Log.ErrorContext(ctx, "request unavailable", slog.String("path", c.Path), slog.Any("error", err))
		}
	} else if ok {
		result = fe.Msg
		s.opts.Log.ErrorContext(ctx, "request failed", slog.String("path", c.Path), slog.Any("error", err))
	}
	if se, ok := errors.AsType[*StatusError](err); ok {
		status = se.Status
		if se.Result != nil {
			result = se.Result
		}
		if se.InError {
			body = func() any { return map[string]any{"error": result} }
		}
	}
	if !ok {
		fe = errInternal
	}
	w.Header().Set(FaultHeader, fe.Code)
	p := problem{
		Type: "urn:quipu:fault:" + fe.Code, Title: http.StatusText(status), Status: status, Detail: fe.Msg, Code: fe.Code, Fields: fe.Fields, Params: fe.Params,
	}
	if result == nil {
		p.Incident = s.incident(ctx, c, err)
		result = "Internal error, incident " + p.Incident
	}
	write := func() error { return s.writeJSON(w, c, status, body()) }
	if p.wanted(c) {
		write = func() error { return s.writeProblem(w, c, p) }
	}
	if werr := write(); werr != nil {
		s.opts.Log.DebugContext(ctx, "answer not sent", slog.String("path", c.Path), slog.Any("error", werr))
	}
}

// ProblemType is the media type of faults in the form of RFC 9457, for requests that accept it.
const ProblemType = "application/problem+json"

// problem is a fault in the form of RFC 9457.
type problem struct {
	Type     string            `json:"type"`
	Title    string            `json:"title"`
	Status   int               `json:"status"`
	Detail   string            `json:"detail,omitempty"`
	Code     string            `json:"code,omitempty"`     // as in the header Quipu-Error
	Fields   map[string]string `json:"fields,omitempty"`   // what is wrong with parameters
	Params   map[string]int    `json:"params,omitempty"`   // numbers that the detail names
	Incident string            `json:"incident,omitempty"` // number of an unexpected fault in the log
}

// wanted reports whether the caller accepts problems.
func (problem) wanted(c *Call) bool {
	return strings.Contains(strings.ToLower(c.request.Header.Get("Accept")), ProblemType)
}

// writeProblem renders a fault as a problem, with texts as they are.
func (s *Server) writeProblem(w http.ResponseWriter, c *Call, p problem) error {
	body, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("render problem: %w", err)
	}
	w.Header().Set("Content-Type", ProblemType)
	return s.send(w, c, p.Status, body)
}

// incident logs an unexpected error under a number that the caller may quote, and returns it.
func (s *Server) incident(ctx context.Context, c *Call, err error) string {
	id := model.NewID().String()[:12]
	s.opts.Log.ErrorContext(ctx, "request failed", slog.String("incident", id), slog.String("path", c.Path), slog.Any("error", err))
	return id
}

func (s *Server) recoverPanic(w http.ResponseWriter, c *Call) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { //nolint:errorlint // net/http compares it this way too
		panic(v) // a stream that broke off must not look complete
	}
	s.writeError(w, c, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
}

// writeJSON renders an answer. Callers with the dashboard's cookie, and those that ask
// for it, get strings as they are; all others get them HTML-escaped (wire.md 0.4).
func (s *Server) writeJSON(w http.ResponseWriter, c *Call, status int, v any) error {
	var buf bytes.Buffer
	if raw, ok := v.(json.RawMessage); ok {
		buf.Write(raw)
	} else {
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("render answer: %w", err)
		}
		buf.Truncate(buf.Len() - 1) // the encoder's newline
	}
	body := buf.Bytes()
	if !c.Identity.Session && !strings.Contains(c.request.Header.Get("Accept"), "escape=none") {
		body = escapeStrings(body)
	}
	if c.Identity.Session && s.opts.Build != "" {
		w.Header().Set("X-Quipu-Dashboard", s.opts.Build)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return s.send(w, c, status, encode(w.Header(), c.request, body, c.compressible()))
}

// compressible reports whether an answer to a call may be compressed (compress.go).
func (c *Call) compressible() bool {
	if c.again != nil || c.route == nil || c.route.Access.Secret || c.secret || c.route.Writes() {
		return false
	}
	return !c.Identity.Session || SameOrigin(c.request)
}
