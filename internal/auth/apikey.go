package auth

import (
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

// KeyHandler answers GET /api-key: with the member's key as plain text to HTTP
// Basic credentials that are right, 401 and "-1" to all others, and 500 and "Server
// Error" when the check itself fails, as when the throttle's state cannot be read. Credentials
// that are right, of a member whose password has to be changed first, get 403 and a sentence that says so; while too many
// attempts wait, the answer is 503.
//
// HEAD is answered like GET, without the body. The specification knows no
// other method here; they get 405 and "-1" before the credentials are looked at. A 401 names the
// Basic scheme, as HTTP asks, for clients that send credentials only when challenged.
func (s *Service) KeyHandler(client func(*http.Request) netip.Addr) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			writePlain(w, http.StatusMethodNotAllowed, "-1")
			return
		}
		login, password, ok := r.BasicAuth()
		if !ok {
			refuseKey(w)
			return
		}
		m, err := s.Login(r.Context(), LoginAttempt{Login: login, Password: password, Addr: client(r)})
		switch {
		case err == nil:
			writePlain(w, http.StatusOK, m.APIKey)
		case fault.CodeOf(err) == errPasswordDue.Code:
			writePlain(w, http.StatusForbidden, errPasswordDue.Msg)
		case fault.CodeOf(err) == errBusy.Code:
			w.Header().Set("Retry-After", strconv.Itoa(int(busyFor/time.Second)))
			writePlain(w, http.StatusServiceUnavailable, errBusy.Msg)
		case fault.CodeOf(err) == errRefused.Code:
			refuseKey(w)
		case r.Context().Err() != nil && errors.Is(err, context.Canceled):
			s.log.DebugContext(r.Context(), "client gone", slog.String("path", r.URL.Path))
		default:
			s.log.ErrorContext(r.Context(), "log-in failed", slog.Any("error", err))
			writePlain(w, http.StatusInternalServerError, "Server Error")
		}
	})
}

func refuseKey(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", `Basic realm="api-key", charset="UTF-8"`)
	writePlain(w, http.StatusUnauthorized, "-1")
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
