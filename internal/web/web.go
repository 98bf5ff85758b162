// Package web serves what a person sees in a browser: the sign-in pages, which
// are rendered here and work without JavaScript, and the shell of the
// dashboard, whose files Vite builds from ui/ into dist/app.
//
// Every page has a Content-Security-Policy without unsafe-inline. A form is
// accepted only with the token of its own page and, where a browser tells,
// from the same origin. Redirects lead to fixed paths or to paths below
// /dashboard/, never to another host.
package web

import (
	"context"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/model"
)

// Accounts is what the pages need of members and their sessions;
// *auth.Service has it.
type Accounts interface {
	HasMembers(ctx context.Context) (bool, error)
	CheckSetupCode(ctx context.Context, code string, addr netip.Addr) (bool, error)
	Weakness(n auth.NewMember) auth.Weakness
	CreateFirstAdmin(ctx context.Context, n auth.NewMember) (*model.Member, error)
	Login(ctx context.Context, a auth.LoginAttempt) (*model.Member, error)
	CreateSession(ctx context.Context, m *model.Member, info auth.SessionInfo) (auth.Session, error)
	Session(ctx context.Context, cookie string) (s auth.Session, ok bool, err error)
	RevokeSession(ctx context.Context, cookie string) error
	Device(m *model.Member, before string) (cookie string, end time.Time)
	ChangePassword(ctx context.Context, a auth.LoginAttempt, password string) (*model.Member, error)
}

// Options are what a Site needs. All fields but Base are required.
type Options struct {
	Accounts Accounts
	Log      *slog.Logger
	// Client tells the caller's address, after trusted proxies.
	Client func(*http.Request) netip.Addr
	// Secure tells whether the browser speaks TLS, to us or to a trusted proxy.
	Secure func(*http.Request) bool
	// Local tells whether the request comes from the machine of the server and through no proxy: then /setup asks for no code.
	Local func(*http.Request) bool
	// Cookie names the session cookie.
	Cookie string
	// Base is the path below which browsers reach the site, such as /analytics; "" = none. Requests come without it.
	Base string
	// Bus is notified of changes, for the audit log.
	Bus *hook.Bus
	Now func() time.Time
}

// Site answers the paths of Patterns. It is safe for concurrent use.
type Site struct {
	opts   Options
	mux    *http.ServeMux
	pages  map[string]*pages // by language
	assets map[string]asset  // by path
	shell  *template.Template
	style  string // path of the pages' style sheet
	icon   string // path of the icon
	build  string // names the built dashboard; "" without one
	origin *http.CrossOriginProtection
}

// Patterns lists the patterns, in the form of http.ServeMux, that a Site answers.
func Patterns() []string {
	return []string{
		"/{$}", "/login", "/logout", "/password", "/setup", "/forgot", "/reset", "/reset/{id...}",
		"/dashboard", "/dashboard/{page...}", "/assets/{file...}",
	}
}

// New prepares the pages. It fails only when the embedded files are broken.
func New(o Options) (*Site, error) {
	s := &Site{opts: o, mux: http.NewServeMux(), origin: http.NewCrossOriginProtection()}
	if err := s.loadAssets(); err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	if err := s.loadPages(); err != nil {
		return nil, fmt.Errorf("load pages: %w", err)
	}
	get := map[string]handler{
		"/{$}": s.home, "/login": s.showLogin, "/logout": s.showLogout, "/password": s.showPassword, "/setup": s.showSetup,
		"/forgot": s.showForgot, "/reset": s.missing, "/reset/{id...}": s.reset,
		"/dashboard": s.dashboard, "/dashboard/{page...}": s.dashboard, "/assets/{file...}": s.asset,
	}
	for _, pattern := range Patterns() {
		s.mux.Handle("GET "+pattern, s.guard(get[pattern]))
	}
	for pattern, h := range map[string]handler{
		"/login": s.login, "/logout": s.logout, "/password": s.changePassword, "/setup": s.setup,
	} {
		s.mux.Handle("POST "+pattern, s.guard(h))
	}
	return s, nil
}

// Build names the dashboard that the site serves: another build has another name. It is "" without one.
func (s *Site) Build() string { return s.build }

// ServeHTTP answers one request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// handler answers a request or returns an error that nobody but the log may see.
type handler func(http.ResponseWriter, *http.Request) error

// guard sets the headers that every answer has and turns errors into a page.
func (s *Site) guard(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", pagePolicy)
		head.Set("X-Frame-Options", "DENY")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		head.Set("Cache-Control", "no-store")
		if s.opts.Secure(r) {
			head.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// The policies: pages run no script at all; the shell runs its own files and
// the one inline script that carries the nonce.
const (
	pagePolicy  = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	shellPolicy = "default-src 'none'; script-src 'self' 'nonce-%[1]s'; style-src 'self' 'nonce-%[1]s'; img-src 'self' data: blob:; " +
		"font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

// redirect answers 302 with exactly this path, below the base, as Location.
func (s *Site) redirect(w http.ResponseWriter, path string) error {
	w.Header().Set("Location", s.opts.Base+path)
	w.WriteHeader(http.StatusFound)
	return nil
}
