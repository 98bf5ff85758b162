// Package sentry is the module for a second door of ingestion: Sentry's SDKs, unmodified, send their envelopes and events to it. What they send becomes
// requests of the protocol that Quipu speaks and goes the way of all others: crashes with their breadcrumbs, sessions, samples of performance.
// docs/reference/sentry.md says what becomes of what.
//
// Faults: sentry.bad_request, sentry.unpacked (Invalid), sentry.no_key (Unauthenticated), sentry.unknown_key, sentry.signed (Forbidden),
// sentry.too_large (TooLarge), sentry.encoding (Invalid), sentry.later (RateLimited).
package sentry

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/ingest/outcome"
	"quipu/internal/kernel"
	"quipu/internal/model"
)

// Config is what operators set.
type Config struct {
	// MaxEnvelope is how many bytes an envelope has, packed and unpacked.
	MaxEnvelope int64 `json:"max_envelope"`
	// MaxEvent is how many bytes one event has.
	MaxEvent int64 `json:"max_event"`
}

// Validate reports what is out of bounds.
func (c Config) Validate() error {
	var out []error
	if c.MaxEnvelope < 1<<10 || c.MaxEnvelope > 100<<20 {
		out = append(out, errors.New("sentry.max_envelope is not between 1 KiB and 100 MiB"))
	}
	if c.MaxEvent < 1<<10 || c.MaxEvent > 8<<20 {
		out = append(out, errors.New("sentry.max_event is not between 1 KiB and 8 MiB"))
	}
	return errors.Join(out...)
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "sentry", Requires: []string{"crashes"},
		Plugin: &kernel.Plugin{
			Code: "sentry", Title: "Sentry SDKs", Description: "Takes errors and sessions that the SDKs of Sentry send.",
		},
		Defaults: Config{MaxEnvelope: 20 << 20, MaxEvent: 1 << 20},
		Setup:    kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Directory
	kernel.Writes
}

func pick(c *kernel.Capabilities) uses { return uses{c.Directory, c.Writes} }

type service struct {
	cfg     Config
	apps    *apps.Store
	ingest  func(ctx context.Context, app *model.App, requests []byte) error
	refused func(app model.AppID, reason outcome.Reason)
	now     func() time.Time
}

func setup(s *kernel.Scope, n uses) error {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return err
	}
	svc := &service{cfg: cfg, apps: n.Apps, ingest: n.Ingest, refused: n.Refused, now: s.Now}
	const why = "Sentry's SDKs read answers of their own form"
	api.HandleRawOf(s.Routes, "/api/{project}/envelope", api.Public().OfDevices().ReadingItself(), why, svc.handler(svc.envelope))
	api.HandleRawOf(s.Routes, "/api/{project}/store", api.Public().OfDevices().ReadingItself(), why, svc.handler(svc.store))
	api.HandleRawOf(s.Routes, "/api/{project}/minidump", api.Public().OfDevices().ReadingItself(), why, svc.handler(svc.minidump))
	return nil
}

// Faults as Sentry's own server words them.
var (
	errNoKey    = fault.New(fault.Unauthenticated, "sentry.no_key", "missing authorization information")
	errKey      = fault.New(fault.Forbidden, "sentry.unknown_key", "bad sentry DSN public key")
	errSigned   = fault.New(fault.Forbidden, "sentry.signed", "the app accepts only signed requests, which Sentry's SDKs cannot send")
	errEnvelope = fault.New(fault.Invalid, "sentry.bad_request", "invalid envelope")
	errNoDump   = fault.New(fault.Invalid, "sentry.bad_request", "the form has no minidump")
	errMethod   = fault.New(fault.Invalid, "sentry.bad_request", "send with POST")
	errUnpack   = fault.New(fault.Invalid, "sentry.unpacked", "the body cannot be unpacked")
	errEncoding = fault.New(fault.Invalid, "sentry.encoding", "the content encoding is not supported")
	errTooLarge = fault.New(fault.TooLarge, "sentry.too_large", "envelope exceeded size limits")
)

// How long SDKs keep quiet.
const (
	pausedFor = time.Minute
	busyFor   = 5 * time.Second
)

func errLater(after time.Duration) error {
	f := fault.New(fault.RateLimited, "sentry.later", "the server is not accepting data at the moment")
	f.RetryAfter = max(after, time.Second)
	return f
}

// accepted is the answer to what was taken. ID is that of the event, as it came.
type accepted struct {
	ID string `json:"id,omitempty"`
}

// refusal is the answer to what was not.
type refusal struct {
	Detail string   `json:"detail"`
	Causes []string `json:"causes,omitempty"`
}

// handler writes what fn returns as SDKs expect it. An error of the server itself is rendered as everywhere.
func (s *service) handler(fn func(api.Caller, sent) (accepted, error)) func(http.ResponseWriter, api.Caller, sent) error {
	return func(w http.ResponseWriter, c api.Caller, r sent) error {
		c.NoAudit()
		h := w.Header()
		h.Set("Access-Control-Expose-Headers", fault.Header+", X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		out, err := fn(c, r)
		status := http.StatusOK
		var body any = out
		if f, ok := errors.AsType[*fault.Error](err); ok && statusOf(f.Kind) != 0 {
			status = statusOf(f.Kind)
			body = refusal{Detail: f.Msg}
			h.Set(fault.Header, f.Code)
			h.Set("X-Sentry-Error", f.Msg)
			if f.RetryAfter > 0 {
				seconds := strconv.Itoa(int((f.RetryAfter + time.Second - 1) / time.Second))
				h.Set("Retry-After", seconds)
				h.Set("X-Sentry-Rate-Limits", seconds+"::organization")
			}
		} else if err != nil {
			return err
		}
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		h.Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, err = w.Write(text)
		return err
	}
}

// statusOf is the status of a fault that SDKs are to read; 0 for all others.
func statusOf(k fault.Kind) int {
	switch k { //nolint:exhaustive // others are none of this module
	case fault.Invalid:
		return http.StatusBadRequest
	case fault.Unauthenticated:
		return http.StatusUnauthorized
	case fault.Forbidden:
		return http.StatusForbidden
	case fault.TooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.RateLimited, fault.Unavailable:
		return http.StatusTooManyRequests
	}
	return 0
}
