package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
)

// operators serves metrics and health on a listener of its own, from before the stores are open until after they are closed. The nil
// value serves nothing.
type operators struct {
	srv   *http.Server
	ended chan error

	mu      sync.RWMutex // held for reading by answers, so that none is under way in what has been replaced
	handler http.Handler
}

// serveOperators serves on ln; nil where there is none.
func serveOperators(ln net.Listener) *operators {
	if ln == nil {
		return nil
	}
	o := &operators{handler: unready(refusesStarting), ended: make(chan error, 1)}
	o.srv = &http.Server{
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: readTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o.mu.RLock()
			defer o.mu.RUnlock()
			o.handler.ServeHTTP(w, r)
		}),
	}
	go func() { o.ended <- o.srv.Serve(ln) }()
	return o
}

// show answers by h from now on.
func (o *operators) show(h http.Handler) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.handler = h
}

// close ends it.
func (o *operators) close() error {
	if o == nil {
		return nil
	}
	err := o.srv.Close()
	if ended := <-o.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// failed ends the server when nobody can be answered any more.
func (o *operators) failed(ctx context.Context) error {
	if o == nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-o.ended:
		o.ended <- http.ErrServerClosed // for close
		return err
	}
}

// unready answers for a server whose stores are not open, with the reason.
func unready(reason string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", live)
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusServiceUnavailable, reason) })
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusServiceUnavailable, reason) })
	return mux
}

// operatorsHandler answers for the open server.
func (a *App) operatorsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.MetricsHandler())
	mux.HandleFunc("GET /livez", live)
	mux.HandleFunc("GET /readyz", a.ready(true))
	return mux
}
