package render

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"time"

	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/outbound"
)

// Faults of pictures of pages.
var (
	errNoAddress   = fault.New(fault.Invalid, "render.bad_address", "The address must begin with https:// or http://")
	errBlockedHost = fault.New(fault.Invalid, "render.blocked_host", "The page is not on the internet, or leads to a host that is not")
	errUnreachable = fault.New(fault.Invalid, "render.unreachable", "The page cannot be opened")
	errSlow        = fault.New(fault.Invalid, "render.too_slow", "The page takes too long to load")
	errNoBrowser   = fault.New(fault.Conflict, "render.no_browser", "The server has no browser that is allowed to open internet pages")
)

const (
	// maxLoaded is how many bytes a page loads at most. The picture shows what has come until then.
	maxLoaded = 64 << 20
	// Bounds of the width of a page in pixels; narrower ones than phoneWidth are shown as telephones show them.
	minWidth, maxWidth, phoneWidth = 240, 2560, 700
	maxAddress                     = 2000 // bytes
	jpegQuality                    = 80
)

// page opens a page of the internet in a browser of its own, without cookies, and takes a picture of the whole of it, as a JPEG. All that the
// page loads goes through a proxy that checks each connection, and strangers' scripts run in Chromium's sandbox, or not at all.
func (s *service) page(ctx context.Context, want kernel.Shot) ([]byte, error) {
	at, err := url.Parse(want.URL)
	if err != nil || len(want.URL) > maxAddress || at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "" || at.User != nil {
		return nil, errNoAddress
	}
	program, err := s.program()
	if err != nil {
		s.log.InfoContext(ctx, "no picture of a page", slog.Any("error", err))
		return nil, errNoBrowser
	}
	as, err := findAccount(s.cfg.User)
	if err != nil {
		s.log.InfoContext(ctx, "no picture of a page", slog.Any("error", err))
		return nil, errNoBrowser
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.cfg.Timeout))
	defer cancel()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, errSlow
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	client := outbound.New(outbound.Options{Allow: s.cfg.AllowHosts, Timeout: pageTimeout, MaxBytes: maxLoaded})
	through, end := context.WithCancel(ctx)
	proxy := client.Proxy(through)
	server := &http.Server{Handler: proxy, ReadHeaderTimeout: pageTimeout}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.log.ErrorContext(ctx, "proxy of the browser ended", slog.Any("error", err))
		}
	}()
	defer func() {
		end()
		_ = server.Close() // what is under way may break off
		<-served
		proxy.Wait()
	}()
	how := launch{program: program, heap: s.cfg.Heap, account: as, unconfined: s.cfg.PagesWithoutSandbox, proxy: ln.Addr().String()}
	picture, err := openPage(ctx, how, want)
	switch {
	case err == nil:
		return picture, nil
	case errors.Is(err, errNoSandbox):
		s.log.WarnContext(ctx, "no pictures of pages: the host allows neither user namespaces nor has it the package chromium-sandbox")
		return nil, errNoBrowser
	case errors.Is(err, errUnreachable) && proxy.Blocked():
		return nil, errBlockedHost
	case errors.Is(err, errUnreachable):
		return nil, errUnreachable
	case ctx.Err() != nil:
		return nil, errSlow
	}
	return nil, err
}

// openPage runs a browser for one picture of a page.
func openPage(ctx context.Context, how launch, want kernel.Shot) (picture []byte, err error) {
	b, err := start(ctx, how)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	return b.shootPage(want)
}

// How long a page has, at most: to connect, and to load.
const (
	pageTimeout = 15 * time.Second
	loadTime    = 20 * time.Second
)

// shootPage opens a page of strangers.
func (b *browser) shootPage(s kernel.Shot) ([]byte, error) {
	if err := b.call("Browser.setDownloadBehavior", object{"behavior": "deny"}, nil); err != nil {
		return nil, err
	}
	if err := b.attach(); err != nil {
		return nil, err
	}
	if err := b.call("Page.enable", object{}, nil); err != nil { // dialogs are heard of, and closed
		return nil, err
	}
	w := max(minWidth, min(s.Width, maxWidth))
	screen := object{"width": w, "height": height, "deviceScaleFactor": 1, "mobile": w < phoneWidth}
	if err := b.call("Emulation.setDeviceMetricsOverride", screen, nil); err != nil {
		return nil, err
	}
	var opened struct {
		Error string `json:"errorText"`
	}
	if err := b.call("Page.navigate", object{"url": s.URL}, &opened); err != nil {
		return nil, err
	}
	if opened.Error != "" {
		return nil, fmt.Errorf("%w: %s", errUnreachable, opened.Error)
	}
	if err := b.loaded(); err != nil {
		return nil, err
	}
	var metrics struct {
		Content struct{ Width, Height float64 } `json:"cssContentSize"`
	}
	if err := b.call("Page.getLayoutMetrics", object{}, &metrics); err != nil {
		return nil, err
	}
	tall := max(1, min(math.Ceil(metrics.Content.Height), maxHeight))
	// The page is as high as its content from here on, so that parts that load when they come into view do.
	screen["height"] = int(max(tall, height))
	if err := b.call("Emulation.setDeviceMetricsOverride", screen, nil); err != nil {
		return nil, err
	}
	if err := b.loaded(); err != nil {
		return nil, err
	}
	clip := object{"x": 0, "y": 0, "width": w, "height": tall, "scale": 1}
	return b.capture(object{"format": "jpeg", "quality": jpegQuality, "captureBeyondViewport": true, "clip": clip})
}

// loaded waits until the page says that it has loaded, for loadTime at most, and a moment longer.
func (b *browser) loaded() error {
	const pause = 250 * time.Millisecond
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for waited := time.Duration(0); waited < loadTime; waited += pause {
		select {
		case <-timer.C:
			timer.Reset(pause)
		case <-b.ctx.Done():
			return fmt.Errorf("page does not load: %w", context.Cause(b.ctx))
		}
		var state any
		if err := b.evaluate(`document.readyState`, &state); err != nil {
			if b.ctx.Err() != nil {
				return err
			}
			continue // the page moves on to another address
		}
		if state == "complete" && waited >= 2*pause {
			return nil
		}
	}
	return nil // what there is by now is what visitors look at, too
}
