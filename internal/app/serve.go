package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"quipu/internal/hook"
	"quipu/internal/intake"
	"quipu/internal/topic"
)

// Time limits of the public listener, so that a slow client cannot hold a connection for
// ever. Bodies that go on arriving get more time, and answers have limits of their own: see package intake.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = headerTimeout + intake.BodyGrace
	idleTimeout   = 120 * time.Second
	drainTimeout  = 15 * time.Second // for requests under way when asked to stop
	maxHeader     = 1 << 20          // bytes; some clients send everything in the URL
)

// Serve opens the server, listens and runs until ctx is done; then it lets
// requests finish, projects what was accepted and closes the stores. What connects before the stores are open waits.
func Serve(ctx context.Context, cfg Config, proc Process) (err error) {
	proc.fill()
	certs, err := openCertificates(cfg)
	if err != nil {
		return err
	}
	on, err := listen(ctx, cfg, proc.Sockets)
	if err != nil {
		return err
	}
	ops := serveOperators(on.operators)
	defer func() { err = errors.Join(err, ops.close()) }()
	a, err := Open(ctx, cfg, proc)
	if err != nil {
		return errors.Join(err, on.close())
	}
	a.certs = certs
	a.announce(ctx, proc, on.public[0].Addr())
	err = a.run(ctx, on, ops)
	ops.show(unready(refusesStopping))
	return errors.Join(err, a.Close()) //nolint:contextcheck // closing must not be cut short
}

// announce tells where the server is, with the host as it was configured, and what to do first.
func (a *App) announce(ctx context.Context, proc Process, addr net.Addr) {
	url := a.url(addr)
	fmt.Fprintf(proc.Out, "quipu %s serves on %s, data in %s\n", Version(), url, a.cfg.Data)
	if exists, err := a.auth.HasMembers(ctx); err == nil && !exists {
		fmt.Fprintf(proc.Out, "create the first administrator at %s/setup\n", url)
		fmt.Fprintf(proc.Out, "from another machine, or through a proxy, it asks for this setup code: %s\n", a.auth.NewSetupCode())
	}
}

// url is the address of a public listener for people.
func (a *App) url(addr net.Addr) string {
	scheme := "http"
	if a.certs != nil {
		scheme = "https"
	}
	return urlOf(addr, a.cfg.Listen, scheme, a.cfg.BasePath)
}

// Run serves on ln until ctx is done or a part fails, and returns when
// everything has come to rest. The stores stay open. It is to be called once.
func (a *App) Run(ctx context.Context, ln net.Listener) (err error) {
	on := listeners{public: []net.Listener{ln}}
	if a.cfg.MetricsListen != "" {
		if on.operators, err = listenOn(ctx, a.cfg.MetricsListen); err != nil {
			return errors.Join(fmt.Errorf("cannot listen for metrics on %s: %w", a.cfg.MetricsListen, err), ln.Close())
		}
	}
	ops := serveOperators(on.operators)
	defer func() { err = errors.Join(err, ops.close()) }()
	return a.run(ctx, on, ops)
}

func (a *App) run(ctx context.Context, on listeners, ops *operators) (err error) {
	addr := on.public[0].Addr()
	a.status = "serves on " + a.url(addr)
	a.log.InfoContext(ctx, "server started", "version", Version(), "address", addr.String(), "data", a.cfg.Data)
	defer func() {
		if err != nil {
			a.log.ErrorContext(ctx, "server failed", "error", err)
			return
		}
		a.log.InfoContext(ctx, "server stopped")
	}()
	if on.operators != nil {
		ops.show(a.operatorsHandler())
		a.log.InfoContext(ctx, "metrics are served", "address", on.operators.Addr().String())
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// What is accepted from now on falls under the settings of now. Should that fail, the job for it goes on.
	if _, err := a.appendSettings(ctx, a.ids()...); err != nil {
		a.log.ErrorContext(ctx, "settings are not in the journal", slog.Any("error", err))
	}
	if a.back != nil { // what the cluster has accepted comes first
		a.gated.first.set(true)
	}
	srv := &http.Server{
		Handler: tellTLS(a.handler), ConnContext: noteTLS, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	a.intake.Configure(srv)
	srv.RegisterOnShutdown(func() { close(a.stopping) })
	control, err := a.openControl(ctx)
	if err != nil { // a file system without sockets, for example
		a.log.WarnContext(ctx, "commands cannot talk to the server: no backup while it runs", slog.Any("error", err))
	}
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	busy, rest := context.WithCancel(work) // for what a node does no longer do when the data of its cluster has left
	defer rest()
	ended := make(chan struct{}) // closed when nothing is projected any more
	var g errgroup.Group
	for _, ln := range on.public {
		g.Go(func() error {
			defer stop()
			if err := srv.Serve(a.intake.Listen(a.certs.over(ln))); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("serve: %w", err)
			}
			return nil
		})
	}
	if on.operators != nil {
		g.Go(func() error {
			defer stop()
			if err := ops.failed(ctx); err != nil {
				return fmt.Errorf("serve metrics: %w", err)
			}
			return nil
		})
	}
	if on.redirect != nil {
		g.Go(func() error {
			defer stop()
			return a.certs.serveRedirects(ctx, on.redirect, addr)
		})
	}
	g.Go(func() error {
		a.certs.watch(ctx, a.log)
		return nil
	})
	g.Go(func() error {
		a.signs(work)
		return nil
	})
	g.Go(func() error {
		defer stop()
		defer close(ended)
		return a.work.Run(work)
	})
	if a.has(roleWork) {
		g.Go(func() error {
			a.jobs.Run(busy)
			return nil
		})
		g.Go(func() error {
			a.tasks.Serve(busy)
			return nil
		})
	} else {
		g.Go(func() error {
			a.jobs.RunOnEveryNode(busy)
			return nil
		})
	}
	if a.back != nil {
		g.Go(func() error {
			a.back.run(ctx)
			return nil
		})
	}
	g.Go(func() error {
		a.handsOver(busy)
		return nil
	})
	g.Go(func() error {
		a.leaves(work, rest)
		return nil
	})
	g.Go(func() error {
		a.recalls.Hold(work, a.log)
		return nil
	})
	if !a.shared {
		if a.kv != nil {
			a.memory.AtRest(a.kv.EmptyBuffers)
		}
		g.Go(func() error {
			a.memory.Run(work)
			return nil
		})
	}
	g.Go(func() error {
		a.checkLate(work)
		return nil
	})
	g.Go(func() error {
		a.follow(work)
		return nil
	})
	if a.cluster != nil {
		g.Go(func() error {
			a.cluster.cells.Refresh(work)
			return nil
		})
	}
	g.Go(func() error {
		a.rest(work)
		return nil
	})
	g.Go(func() error {
		a.geo.Watch(ctx)
		return nil
	})
	g.Go(func() error {
		a.reloads(ctx)
		return nil
	})
	g.Go(func() error { return control.run(ctx) })
	a.serving(ctx)
	g.Go(func() error {
		<-ctx.Done()
		a.log.InfoContext(ctx, "server stops: requests under way are finished")
		a.notified(ctx, a.manager.Stopping(context.WithoutCancel(ctx)))
		defer stopWork()
		return a.drain(context.WithoutCancel(ctx), srv, ended)
	})
	err = g.Wait()
	if a.gatedDocs != nil && a.gatedDocs.gate.isClosed() { // paused for a move: what is in memory was stored then, and nothing was projected since
		return err
	}
	return errors.Join(err, hook.Emit(context.WithoutCancel(ctx), a.bus, topic.ProjectionEnded{}))
}

// giveUp ends what waits for room on a full disk.
func (a *App) giveUp() {
	if a.kv != nil {
		a.kv.GiveUp()
	}
}

// drain ends the requests under way and projects what they brought.
func (a *App) drain(ctx context.Context, srv *http.Server, ended <-chan struct{}) error {
	a.giveUp() //nolint:contextcheck // what waits for room on a full disk would wait forever
	ctx, cancel := context.WithTimeout(ctx, a.drainFor)
	defer cancel()
	go func() {
		select {
		case <-ended: // after a fault of a store: there is nothing to wait for
			cancel()
		case <-ctx.Done():
		}
	}()
	err := srv.Shutdown(ctx)
	if ctx.Err() != nil {
		err = srv.Close()
	}
	if !a.has(roleWork) || a.left.Load() { // others project what it took
		return err
	}
	if ferr := a.work.Flush(ctx); ferr != nil {
		a.log.WarnContext(ctx, "what was accepted is projected after the next start", slog.Any("error", ferr))
	}
	return err
}

// Flush returns once everything accepted before the call is readable.
func (a *App) Flush(ctx context.Context) error { return a.work.Flush(ctx) }

// Sweep closes the sessions that gave no sign of life for too long, as the server does by itself
// every half minute.
func (a *App) Sweep(ctx context.Context) error {
	_, err := a.work.Sweep(ctx, a.now())
	return err
}
