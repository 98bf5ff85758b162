// Package api is the HTTP face of the management and reading side: typed
// endpoints, the access check in front of them, the table of errors and the
// form of answers. Ingestion has its own edge (package ingest/decode).
//
// A route is declared with the access it needs as a required argument; the
// server finds the caller, checks the right, reads the parameters into the
// request type and renders what the handler returns. Handlers see no HTTP.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query/explain"
)

// Credentials are what a request brings to say who it is from.
type Credentials = auth.Credentials

// Identity is a caller that was recognised.
type Identity = auth.Identity

// Authenticator recognises callers. Faults: auth.credentials_missing,
// auth.unknown_user, auth.locked, auth.token_invalid.
type Authenticator interface {
	Authenticate(ctx context.Context, c Credentials) (Identity, error)
	// Known reports whether credentials are somebody's, without using them up or counting as activity.
	Known(ctx context.Context, c Credentials) bool
}

// Options are what a Server needs. All fields but Form, Routed, Wrote and Read are required.
type Options struct {
	Auth   Authenticator
	Apps   apps.Directory
	Log    *slog.Logger
	Now    func() time.Time
	Limits params.Limits
	// Intake charges what requests hold.
	Intake *intake.Intake
	// Client tells the caller's address, after trusted proxies.
	Client func(*http.Request) netip.Addr
	// Cookie names the dashboard's session cookie.
	Cookie string
	// Bus gets a topic.Action for every write that succeeded.
	Bus *hook.Bus
	// Build names the dashboard that is served. Answers to it carry the name, so that an open page notices a newer one.
	Build string
	// Sign returns the signature of a text, by a key that outlasts the process; cursors are signed with it. nil: by a key of this process.
	Sign func(text string) string
	// Form says what a parameter of a route has to be: one that is not gives the answer a warning, or a fault where the caller is strict; nil = all
	// may be anything.
	Form func(*Route, Parameter) Form
	// Routed is notified of the route of each request from outside; nil = nobody is.
	Routed func(r *http.Request, route *Route)
	// Wrote, set by tests only, is notified of every write that succeeded: the route's path, with its method
	// behind a question mark if it has one, and what it gave the audit log.
	Wrote func(route string, entry Audited)
	// Read, set by tests only, is notified of every parameter that a handler asks for.
	Read func(r *Route, parameter string)
}

// Audited is what a write gave the audit log.
type Audited struct {
	Change bool // what stood before or after
	Silent bool // nothing, on purpose
}

// Server answers the routes it was given.
type Server struct {
	opts   Options
	routes *Routes
}

// NewServer returns a handler for routes, which must not change any more.
func NewServer(routes *Routes, o Options) *Server {
	if o.Sign == nil {
		o.Sign = ownSignature()
	}
	s := &Server{opts: o, routes: routes}
	if o.Form != nil {
		routes.setForms(o.Form)
	}
	routes.server = s
	return s
}

// Call is one request on its way through the server.
type Call struct {
	Params   *params.Params
	Files    []params.File
	Member   *model.Member // nil on public routes
	App      *model.App    // nil when the route names no app
	Identity Identity
	IP       netip.Addr
	Path     string
	// PathValues are the {name} elements of the route's path.
	PathValues map[string]string
	Now        time.Time
	request    *http.Request
	header     http.Header // of the answer; nil for inner reads
	route      *Route
	audit      audit
	server     *Server      // nil for inner reads
	slot       memory.Claim // among those who read
	// again recognises the caller of an inner read; nil for requests from outside.
	again func(Credentials) (Identity, error)
	// batched marks a read of a batch; secret a batch that has an answer with credentials.
	batched, secret bool
	// charge charges the bytes of the answer before it is sent, as a batch does for its reads; nil: they are charged while it is sent.
	charge func(ctx context.Context, n int) error
	// explained records what the read asks for; it answers itself, however long it takes. nil = nobody wants to know.
	explained *explain.Trace
}

// Caller is what a handler knows of who calls.
type Caller = *Call

// Request returns the HTTP request, for raw handlers.
func (c *Call) Request() *http.Request { return c.request }

// exposedHeaders are those of answers that scripts of other origins may read.
const exposedHeaders = FaultHeader + ", " + WarningHeader + ", Retry-After"

// ServeHTTP finds the route, admits the caller and runs the handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding, countly-token, service-token, Prefer, X-Sentry-Auth, sentry-trace, baggage")
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	c := &Call{server: s, request: r, header: h, Now: s.opts.Now(), IP: s.opts.Client(r), Path: strings.TrimSuffix(r.URL.Path, "/")}
	defer s.recoverPanic(w, c)            //nolint:contextcheck // the call carries the request and its context
	if err := s.serve(w, c); err != nil { //nolint:contextcheck // as above
		s.writeError(w, c, err) //nolint:contextcheck // as above
	}
}

// OfDevices reports whether a path is one that devices ask, see Access.OfDevices.
func (s *Server) OfDevices(path string) bool {
	route, _, known := s.routes.find(strings.TrimSuffix(path, "/"))
	return known && route.Access.Devices
}

// Refuse answers a request with a fault, in the form of the API.
func (s *Server) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	s.writeError(w, &Call{server: s, request: r, header: h, Now: s.opts.Now(), IP: s.opts.Client(r), Path: strings.TrimSuffix(r.URL.Path, "/")}, err)
}

// Knows reports whether a path is one of the API's, or below /i or /o, where everything is.
func (s *Server) Knows(path string) bool {
	for _, root := range []string{"/i", "/o"} {
		if path == root || strings.HasPrefix(path, root+"/") {
			return true
		}
	}
	_, _, known := s.routes.find(strings.TrimSuffix(path, "/"))
	return known
}

// methodPath is the folder in which each value of /o?method= has a path of its own, for clients that tell requests apart by their paths.
const methodPath = "/o/method/"

// ofMethod turns the path of a value of ?method= into that which all values share, and returns the value. All checks are of the
// shared path then.
func (c *Call) ofMethod(r *Routes) string {
	if name, ok := strings.CutPrefix(c.Path, methodPath); ok && !strings.Contains(name, "/") {
		c.Path = "/o"
		return name
	}
	if at := strings.LastIndexByte(c.Path, '/'); at > 0 && r.at[c.Path[:at]][c.Path[at+1:]] != nil {
		name := c.Path[at+1:]
		c.Path = c.Path[:at]
		return name
	}
	return ""
}

func (s *Server) serve(w http.ResponseWriter, c *Call) error {
	method := c.ofMethod(s.routes)
	route, values, known := s.routes.find(c.Path)
	c.PathValues = values
	if !known {
		return s.routes.unknown(c.Path)
	}
	err := c.inBatch(route)
	if err != nil {
		return err
	}
	limits := s.opts.Limits
	spooled := route.Access.Spool != nil && c.request.ContentLength > limits.Body && strings.HasPrefix(c.request.Header.Get("Content-Type"), "multipart/form-data")
	switch {
	case spooled:
		done, err := s.spool(c, route.Access, &limits)
		if err != nil {
			return err
		}
		defer done()
	case route.Access.Unread:
	default:
		if limits.Body, err = s.bodyLimit(c, route.Access.Uploads); err != nil {
			return err
		}
	}
	from := c.request
	if route.Access.Unread {
		bare := *from
		bare.Body = http.NoBody
		from = &bare
	}
	if c.Params, c.Files, err = params.Read(from, limits); err != nil {
		if spooled {
			discard(from.Body, limits.Body)
		}
		if limits.Body == UnknownBody && fault.KindOf(err) == fault.TooLarge {
			return errUnknownBody
		}
		return err
	}
	if method != "" {
		c.Params.Set("method", params.Value{Text: method})
	}
	if route.methods {
		if route, err = s.methodRoute(c); err != nil {
			return err
		}
	} else if !spooled { // those were admitted before the body
		if err := s.admit(c, route.Access); err != nil {
			return err
		}
	}
	c.route = route
	if s.opts.Routed != nil {
		s.opts.Routed(c.request, route)
	}
	if err := c.inBatch(route); err != nil {
		return err
	}
	if err := s.enter(c); err != nil {
		return err
	}
	defer c.slot.Leave()
	if s.opts.Read != nil {
		c.Params.Watch(func(name string) { s.opts.Read(route, name) })
	}
	return route.run(w, c, s)
}

// methodRoute picks the route of ?method=. The order of checks of /o differs from that of other
// routes: app, credentials and right to read anything come before an unknown method. Elsewhere credentials come before it.
func (s *Server) methodRoute(c *Call) (*Route, error) {
	if list := s.routes.at[c.Path]; list != nil {
		if route := list[c.Params.Text("method")]; route != nil && s.routes.on(route) {
			return route, s.admit(c, route.Access)
		}
		if err := s.admit(c, Authenticated()); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Invalid, "request.invalid_method", "Invalid method")
	}
	route := s.routes.method(c.Params.Text("method"))
	if route == nil {
		if err := s.admit(c, Access{Level: AppUserLevel, App: AppParamFirst}); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Invalid, "request.invalid_method", "Invalid method")
	}
	return route, s.admit(c, route.Access)
}

func (s *Server) authenticate(c *Call, a Access) (Identity, error) {
	r := c.request
	cred := Credentials{
		APIKey: c.Params.Text("api_key"), AuthToken: c.Params.Text("auth_token"),
		CSRF: r.Header.Get("X-Csrf-Token"), Path: c.Path, Apps: func() []string { return NamedApps(c.Params) }, Reach: a.reach(),
		Param: c.Params.Text, Times: c.Params.Times, Write: a.Writes || strings.HasPrefix(c.Path, "/i"),
	}
	cred.Again = c.route != nil // admitted before
	if c.again != nil {
		return c.again(cred)
	}
	s.headers(r, &cred)
	return s.opts.Auth.Authenticate(r.Context(), cred)
}
