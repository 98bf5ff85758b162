// Package render is the module that takes pictures of the dashboard, with a browser that is on
// the host: for reports by e-mail and the like. The browser sees nothing but this server, and the
// page as the member who requests the picture. For other modules it takes pictures of pages of the internet.
package render

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/outbound"
	"quipu/internal/store/files"
)

// Config is the module's configuration.
type Config struct {
	// Browser is the path of a Chromium; "" = the first one in PATH, "off" = none.
	Browser string `json:"browser"`
	// Timeout bounds the making of one picture.
	Timeout kernel.Duration `json:"timeout"`
	// Keep is how long a picture can be fetched.
	Keep kernel.Duration `json:"keep"`
	// User is the account that the browser runs as when the server runs as root; it must not be root.
	User string `json:"user"`
	// Heap bounds the memory of scripts, in MiB.
	Heap int `json:"heap_mib"`
	// AllowHosts are hosts beside those of the internet of whose pages pictures may be taken, as "staging.example.internal" or "10.1.2.3:8080".
	AllowHosts []string `json:"allow_hosts"`
	// PagesWithoutSandbox lets scripts of such pages run where the host has no sandbox for the browser.
	PagesWithoutSandbox bool `json:"pages_without_sandbox"`
}

// Validate reports what is wrong.
func (c *Config) Validate() error {
	if c.Timeout <= 0 || c.Keep <= 0 || c.Heap <= 0 {
		return errors.New("timeout, keep and heap_mib must be positive")
	}
	if err := outbound.CheckAllow(c.AllowHosts); err != nil {
		return fmt.Errorf("allow_hosts: %w", err)
	}
	return nil
}

// Host is what the module needs of the server that it is in.
type Host struct {
	// Handler answers the requests of the public listener. It is asked for when a picture is made.
	Handler func() http.Handler
	// Cookie names the dashboard's session cookie.
	Cookie string
}

// Module returns the module.
func Module(h Host) kernel.Module {
	return kernel.Module{
		Name: "render", Requires: []string{"apps"}, Features: []string{"core"},
		Defaults: Config{Timeout: kernel.Duration(45 * time.Second), Keep: kernel.Duration(24 * time.Hour), User: "nobody", Heap: 512, AllowHosts: []string{}},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			cfg, err := kernel.Config[Config](s)
			if err != nil {
				return err
			}
			svc := &service{
				cfg: cfg, host: h, auth: n.Auth, folder: n.Files.Folder("screenshots"), now: s.Now, log: s.Log, turn: make(chan struct{}, 1),
			}
			api.Handle(s.Routes, "/o/render", api.Feature("core", model.Read, api.AppOptional).Writing(), svc.render)
			api.HandleRaw(s.Routes, "/images/screenshots/{file}", api.Authenticated(), "the answer is an image", svc.image)
			n.Pages.Provide(svc.page)
			s.Jobs.Every("prune", time.Hour, svc.prune)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Directory
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Directory, c.Shared} }

type service struct {
	cfg    Config
	host   Host
	auth   *auth.Service
	folder *files.Folder
	now    func() time.Time
	log    *slog.Logger
	turn   chan struct{} // holds an element while a picture is being made: one at a time
	// unconfined is whether the host turned out to have no sandbox for Chromium; guarded by turn.
	unconfined bool
}

// Faults, in the words of the wire.
var (
	errFailed    = fault.New(fault.Invalid, "render.failed", "Error creating screenshot. Please check logs for more information.")
	errToken     = fault.New(fault.Forbidden, "render.restricted", "Pictures need a token without restrictions")
	errNoPicture = fault.New(fault.NotFound, "render.not_found", "No such picture")
)

type renderReq struct {
	View  string `param:"view"`
	Route string `param:"route"`
	ID    string `param:"id"`
}

// picture is the answer: where the picture can be fetched.
type picture struct {
	Path string `json:"path"`
}

// render takes a picture of a page of the dashboard, or of an element of it.
func (s *service) render(ctx context.Context, c api.Caller, r renderReq) (picture, error) {
	if c.Identity.Restricted {
		return picture{}, errToken // the page would show more than the token may
	}
	target, err := page(c.App, r)
	if err != nil {
		return picture{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.cfg.Timeout))
	defer cancel()
	png, err := s.take(ctx, c.Member, target, r.ID)
	if err != nil {
		s.log.ErrorContext(ctx, "no picture of the dashboard", slog.String("page", target), slog.Any("error", err))
		return picture{}, errFailed
	}
	name := fmt.Sprintf("screenshot_%08x%s.png", s.now().Unix(), model.NewID())
	if err := s.keep(ctx, name, png); err != nil {
		return picture{}, err
	}
	c.Audit("render", nil, nil, map[string]any{"page": target, "element": r.ID})
	return picture{Path: "/images/screenshots/" + name}, nil
}

func (s *service) keep(ctx context.Context, name string, png []byte) error {
	w, err := s.folder.Create(name)
	if err != nil {
		return err
	}
	if _, err := w.Write(png); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Commit(ctx)
}

var errPage = fault.New(fault.Invalid, "render.bad_page", "Invalid parameter: view")

// elsewhere maps routes that clients of old know to pages.
func elsewhere() map[string]string {
	return map[string]string{
		"/analytics/sessions/overview": "/sessions", "/analytics/sessions": "/sessions", "/analytics/users": "/users", "/analytics/countries": "/countries",
		"/analytics/events": "/events", "/analytics/technology": "/technology", "/analytics/versions": "/versions", "/users": "/profiles",
	}
}

// page returns the path and query of a page of the dashboard: view, or what route names of it.
func page(app *model.App, r renderReq) (string, error) {
	view := r.View
	if view == "" {
		view = "/dashboard"
	}
	u, err := url.Parse(view)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || strings.Contains(view, "\\") {
		return "", errPage
	}
	at := path.Clean("/" + u.Path)
	if at != "/dashboard" && !strings.HasPrefix(at, "/dashboard/") {
		return "", errPage
	}
	if at == "/dashboard" {
		at = withRoute(app, r.Route)
	}
	q := u.Query()
	q.Del("ssr")
	return (&url.URL{Path: at, RawQuery: q.Encode()}).String(), nil
}

func withRoute(app *model.App, route string) string {
	route = path.Clean("/" + strings.TrimPrefix(strings.TrimPrefix(route, "#"), "/"))
	if strings.HasPrefix(route, "/apps/") || strings.HasPrefix(route, "/manage/") {
		return "/dashboard" + route
	}
	if app == nil {
		return "/dashboard"
	}
	if known, ok := elsewhere()[route]; ok {
		route = known
	}
	return "/dashboard/apps/" + app.ID.String() + strings.TrimSuffix(route, "/")
}

// take opens the page in a browser, through a listener and a session that live no longer than that.
func (s *service) take(ctx context.Context, m *model.Member, target, element string) (png []byte, err error) {
	program, err := s.program()
	if err != nil {
		return nil, err
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	server := &http.Server{Handler: s.host.Handler(), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.log.ErrorContext(ctx, "listener of the browser ended", slog.Any("error", err))
		}
	}()
	defer func() {
		err = errors.Join(err, server.Close())
		<-served
	}()
	session, err := s.auth.CreateSession(ctx, m, auth.SessionInfo{Addr: "127.0.0.1", Agent: "Quipu render"})
	if err != nil {
		return nil, err
	}
	defer func() {
		// Whatever became of the picture, the session goes.
		err = errors.Join(err, s.auth.RevokeSession(context.WithoutCancel(ctx), session.Cookie))
	}()
	want := shot{origin: "http://" + ln.Addr().String(), page: target, cookie: s.host.Cookie, value: session.Cookie, element: element}
	as, err := findAccount(s.cfg.User)
	if err != nil {
		return nil, err
	}
	how := launch{program: program, heap: s.cfg.Heap, account: as, unconfined: s.unconfined}
	png, err = open(ctx, how, want)
	if errors.Is(err, errNoSandbox) && !s.unconfined {
		s.log.WarnContext(ctx, "pictures are taken by a browser without its sandbox: the host allows neither user namespaces nor has it the package chromium-sandbox")
		s.unconfined, how.unconfined = true, true
		png, err = open(ctx, how, want)
	}
	return png, err
}

// open runs a browser for one picture.
func open(ctx context.Context, how launch, want shot) (png []byte, err error) {
	b, err := start(ctx, how)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	return b.shoot(want)
}

var fileForm = regexp.MustCompile(`^screenshot_([0-9a-f]{8})[0-9a-f]{24}\.png$`)

// made is when the picture of a name was made.
func made(name string) (time.Time, bool) {
	m := fileForm.FindStringSubmatch(name)
	if m == nil {
		return time.Time{}, false
	}
	b, err := hex.DecodeString(m[1])
	if err != nil {
		return time.Time{}, false
	}
	return time.Unix(int64(b[0])<<24|int64(b[1])<<16|int64(b[2])<<8|int64(b[3]), 0), true
}

// image answers a picture to those who know its name.
func (s *service) image(w http.ResponseWriter, c api.Caller) error {
	name := c.PathValues["file"]
	at, ok := made(name)
	if !ok || s.now().Sub(at) > time.Duration(s.cfg.Keep) {
		return errNoPicture
	}
	f, err := s.folder.Open(c.Request().Context(), name)
	if errors.Is(err, files.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return errNoPicture
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("size of picture: %w", err)
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	_, err = io.Copy(w, f)
	return err
}

// prune deletes pictures that can no longer be fetched.
func (s *service) prune(ctx context.Context) error {
	return s.folder.Sweep(ctx, func(name string) bool {
		at, ok := made(name)
		return ok && s.now().Sub(at) <= time.Duration(s.cfg.Keep)
	})
}
