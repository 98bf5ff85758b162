// Package testkit runs a whole server, with its real stores in a temporary
// folder, inside a test.
package testkit

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/api"
	"quipu/internal/app"
	"quipu/internal/auth"
	"quipu/internal/backup"
	"quipu/internal/kernel"
	"quipu/internal/store/kv"
	"quipu/internal/store/schema"
	"quipu/internal/testkit/logged"
	"quipu/internal/verify"
)

// The first administrator of every test server.
const (
	AdminUser     = "admin"
	AdminPassword = "Correct-horse-1"
)

// quickHash are the least costs of a password's hash. With the usual ones hashing is a third of the time in which a server starts.
var quickHash = auth.HashParams{Memory: 8, Passes: 1, Threads: 1}

// Server is a running server.
type Server struct {
	t       testing.TB
	cfg     app.Config
	clock   *Clock
	log     *logged.Buffer
	process any // an *app.Process, see App for why it does not say so
	app     App
	stop    context.CancelFunc
	done    chan error
	url     string
	client  *http.Client
	// Key is the first administrator's api_key.
	Key string
}

// App is what tests ask the server itself for, since no endpoint has it; it is an *app.App. A package that names a struct compiles the methods of
// all generic types that the struct is made of, here those of every engine, and most packages of tests name a Server.
type App interface {
	Run(ctx context.Context, ln net.Listener) error
	Close() error
	Flush(ctx context.Context) error
	Handler() http.Handler
	MetricsHandler() http.Handler
	Snapshot(ctx context.Context, dir string) (backup.Info, error)
	Sweep(ctx context.Context) error
	Verify(ctx context.Context, o verify.Options) (*verify.Report, error)
}

// Clock is the server's clock. Set to zero it is the real one.
type Clock struct {
	mu    sync.Mutex
	fixed time.Time
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fixed.IsZero() {
		return time.Now() //nolint:forbidigo // this is the clock that is injected
	}
	return c.fixed
}

// Set stops the clock at t.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fixed = t
}

// Option changes how a server is made.
type Option func(*Server)

// WithConfig changes the configuration.
func WithConfig(fn func(*app.Config)) Option { return func(s *Server) { fn(&s.cfg) } }

// Watching notifies fn of every management write that succeeds, see api.Options.
func Watching(fn func(route string, entry api.Audited)) Option {
	return func(s *Server) { process(s).Wrote = fn }
}

// Reading notifies fn of every parameter that a handler asks for, see api.Options.
func Reading(fn func(r *api.Route, parameter string)) Option {
	return func(s *Server) { process(s).Read = fn }
}

// WithWriteLimit is how long a client may take for each piece of an answer.
func WithWriteLimit(d time.Duration) Option { return func(s *Server) { process(s).WriteLimit = d } }

// WithBackPatience sets app.Process.BackPatience.
func WithBackPatience(d time.Duration) Option {
	return func(s *Server) { process(s).BackPatience = d }
}

// WithProgram is the command that runs a statement of SQL, see app.Process. It must not be a test binary that runs its tests.
func WithProgram(command ...string) Option {
	return func(s *Server) { process(s).Program = command }
}

// WithState brings the state from elsewhere, see app.Process.
func WithState(fn func(context.Context, *kv.DB, schema.Limits) (app.State, error)) Option {
	return func(s *Server) { process(s).State = fn }
}

// WithModules changes the modules, see app.Process.
func WithModules(fn func([]kernel.Module) []kernel.Module) Option {
	return func(s *Server) { process(s).Modules = fn }
}

// At stops the server's clock at a time from the start.
func At(t time.Time) Option { return func(s *Server) { s.clock.Set(t) } }

// New starts a server and stops it when the test ends. Its log is printed if the test fails.
func New(tb testing.TB, options ...Option) *Server {
	tb.Helper()
	s := &Server{t: tb, cfg: app.DefaultConfig(), clock: &Clock{}, log: &logged.Buffer{}, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
	}}
	s.process = &app.Process{Shared: true, Err: s.log, Now: s.clock.Now, Hash: quickHash, FirstAdmin: app.NewAdmin{
		Username: AdminUser, Password: AdminPassword, Email: "admin@example.org", FullName: "Admin",
	}}
	s.cfg.Data, s.cfg.Memory, s.cfg.Ingest.DiskReserve = tb.TempDir(), "256MiB", 0
	for _, o := range options {
		o(s)
	}
	tb.Cleanup(func() {
		s.Stop()
		s.client.CloseIdleConnections()
		if tb.Failed() {
			tb.Logf("log of the server:\n%s", s.log.String())
		}
	})
	s.Start()
	if slices.Contains(s.cfg.Roles, "read") { // other nodes of a cluster know nobody
		s.Key = s.APIKey(AdminUser, AdminPassword)
	}
	return s
}

func process(s *Server) *app.Process { return s.process.(*app.Process) }

// Start starts the server on its data folder; New has done it the first time.
func (s *Server) Start() {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	a, err := app.Open(ctx, s.cfg, *process(s))
	if err != nil {
		stop()
		s.t.Fatalf("open server: %v", err)
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		stop()
		s.t.Fatalf("listen: %v", err)
	}
	s.app, s.stop, s.done, s.url = a, stop, make(chan error, 1), "http://"+ln.Addr().String()
	go func() { s.done <- a.Run(ctx, ln) }()
}

// Stop ends the server gracefully; a stopped one stays so.
func (s *Server) Stop() {
	s.t.Helper()
	if s.app == nil {
		return
	}
	s.stop()
	if err := <-s.done; err != nil {
		s.t.Errorf("server ended: %v", err)
	}
	if err := s.app.Close(); err != nil {
		s.t.Errorf("close server: %v", err)
	}
	s.app = nil
}

// Configure changes the configuration that the next Start uses.
func (s *Server) Configure(fn func(*app.Config)) { fn(&s.cfg) }

// Data is the data folder.
func (s *Server) Data() string { return s.cfg.Data }

// URL is where the server listens.
func (s *Server) URL() string { return s.url }

// Clock returns the server's clock.
func (s *Server) Clock() *Clock { return s.clock }

// App returns the server itself, for what has no endpoint.
func (s *Server) App() App { return s.app }

// Response is an answer that was read whole.
type Response struct {
	Status int
	Body   string
	Header http.Header
}

// Do sends a request. header holds names and values in turn.
func (s *Server) Do(method, path string, body io.Reader, header ...string) Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, s.url+path, body)
	if err != nil {
		s.t.Fatalf("request %s: %v", path, err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatalf("request %s: %v", path, err)
	}
	text, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		s.t.Fatalf("read answer of %s: %v, %v", path, err, cerr)
	}
	return Response{res.StatusCode, string(text), res.Header}
}

// Get sends a GET with parameters given as names and values in turn.
func (s *Server) Get(path string, pairs ...string) Response {
	s.t.Helper()
	return s.Do(http.MethodGet, path+"?"+Query(pairs...), nil)
}

// Post sends a form with parameters given as names and values in turn.
func (s *Server) Post(path string, pairs ...string) Response {
	s.t.Helper()
	return s.Do(http.MethodPost, path, strings.NewReader(Query(pairs...)), "Content-Type", "application/x-www-form-urlencoded")
}

// Admin is Get with the administrator's key; it fails the test unless the answer is 200, and
// returns the body.
func (s *Server) Admin(path string, pairs ...string) string {
	s.t.Helper()
	r := s.Post(path, append([]string{"api_key", s.Key}, pairs...)...)
	if r.Status != http.StatusOK {
		s.t.Fatalf("%s %q: %d %s", path, pairs, r.Status, r.Body)
	}
	return r.Body
}

// APIKey fetches a member's key from /api-key.
func (s *Server) APIKey(user, password string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, s.url+"/api-key", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.SetBasicAuth(user, password)
	r := s.Do(http.MethodGet, "/api-key", nil, "Authorization", req.Header.Get("Authorization"))
	if r.Status != http.StatusOK {
		s.t.Fatalf("/api-key of %s: %d %s", user, r.Status, r.Body)
	}
	return r.Body
}

// TestApp is an app made for a test.
type TestApp struct{ ID, Key string }

// CreateApp makes an app in a time zone.
func (s *Server) CreateApp(name, timezone string) TestApp {
	s.t.Helper()
	args, err := json.Marshal(map[string]string{"name": name, "timezone": timezone, "country": "DE"})
	if err != nil {
		s.t.Fatal(err)
	}
	var made struct {
		ID  string `json:"_id"`
		Key string `json:"key"`
	}
	Decode(s.t, s.Admin("/i/apps/create", "args", string(args)), &made)
	return TestApp(made)
}

// Ingest sends one SDK request and fails the test unless it is accepted.
func (s *Server) Ingest(a TestApp, device string, pairs ...string) {
	s.t.Helper()
	r := s.Post("/i", append([]string{"app_key", a.Key, "device_id", device}, pairs...)...)
	if r.Status != http.StatusOK || r.Body != `{"result":"Success"}` {
		s.t.Fatalf("/i %q: %d %s", pairs, r.Status, r.Body)
	}
}

// Flush waits until all that was accepted is readable.
func (s *Server) Flush() {
	s.t.Helper()
	if err := s.app.Flush(s.t.Context()); err != nil {
		s.t.Fatalf("flush: %v", err)
	}
}

// Query encodes parameters given as names and values in turn.
func Query(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(pairs[i]) + "=" + url.QueryEscape(pairs[i+1]))
	}
	return b.String()
}

// Decode reads JSON and fails the test if it is none.
func Decode(tb testing.TB, text string, dst any) {
	tb.Helper()
	if err := json.Unmarshal([]byte(text), dst); err != nil {
		tb.Fatalf("not the JSON expected: %v\n%s", err, text)
	}
}
