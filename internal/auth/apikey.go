package auth

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"quipu/internal/fault"
)

// Faults of the key's route, whose bodies the protocol fixes.
var (
	errVerb    = fault.New(fault.Invalid, "request.bad_verb", "The path takes GET and HEAD")
	errNoBasic = fault.New(fault.Unauthenticated, "auth.credentials_missing", "Missing credentials")
)

// KeyHandler answers GET /api-key: with the member's key as plain text to HTTP
// Basic credentials that are right, 401 and "-1" to all others, and 500 and "Server
// Error" when the check itself fails, as when the throttle's state cannot be read. Credentials
// that are right, of a member whose password has to be changed first, get 403 and a sentence that says so; while too many
// attempts wait, the answer is 503.
//
// HEAD is answered like GET, without the body. The specification knows no
// other method here; they get 405 and "-1" before the credentials are looked at. A 401 names the
// Basic scheme, as HTTP asks, for clients that send credentials only when challenged. Every refusal has the code of its fault in a header.
func (s *Service) KeyHandler(client func(*http.Request) netip.Addr) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			refusePlain(w, http.StatusMethodNotAllowed, errVerb.Code, "-1")
			return
		}
		login, password, ok := r.BasicAuth()
		if !ok {
			refuseKey(w, errNoBasic.Code)
			return
		}
		m, err := s.Login(r.Context(), LoginAttempt{Login: login, Password: password, Addr: client(r)})
		switch {
		case err == nil:
			writePlain(w, http.StatusOK, m.APIKey)
		case fault.CodeOf(err) == errPasswordDue.Code:
			refusePlain(w, http.StatusForbidden, errPasswordDue.Code, errPasswordDue.Msg)
		case fault.CodeOf(err) == errBusy.Code:
			w.Header().Set("Retry-After", strconv.Itoa(int(busyFor/time.Second)))
			refusePlain(w, http.StatusServiceUnavailable, errBusy.Code, errBusy.Msg)
		case fault.CodeOf(err) == errRefused.Code:
			refuseKey(w, errRefused.Code)
		case r.Context().Err() != nil && errors.Is(err, context.Canceled):
			s.log.DebugContext(r.Context(), "client gone", slog.String("path", r.URL.Path))
		default:
			s.log.ErrorContext(r.Context(), "log-in failed", slog.Any("error", err))
			refusePlain(w, http.StatusInternalServerError, cmp.Or(fault.CodeOf(err), fault.CodeInternal), "Server Error")
		}
	})
}

func refuseKey(w http.ResponseWriter, code string) {
	w.Header().Set("WWW-Authenticate", `Basic realm="api-key", charset="UTF-8"`)
	refusePlain(w, http.StatusUnauthorized, code, "-1")
}

// refusePlain answers with a fault whose body the protocol has as plain text.
func refusePlain(w http.ResponseWriter, status int, code, body string) {
	w.Header().Set(fault.Header, code)
	writePlain(w, status, body)
}

func writePlain(w http.ResponseWriter, status int, body string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // the client may be gone; there is nobody to tell
}
