package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync"
	"time"

	"quipu/internal/traffic"
)

// history starts a server and loads it through /i/bulk with traffic of many days.
func history(ctx context.Context, o *Options, r *Report) (*server, error) {
	s, err := fresh(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := s.fill(ctx, o, r); err != nil {
		return nil, errors.Join(err, s.discard())
	}
	return s, nil
}

func (s *server) fill(ctx context.Context, o *Options, r *Report) error {
	const perRequest, perSession = 10, 30.0
	g, err := traffic.New(traffic.Config{
		Seed: o.Seed, AppKey: s.app.Key, Users: o.Users, Start: o.Now().AddDate(0, 0, -o.Days),
		SessionsPerDay: float64(o.ReadEvents) / perSession / float64(o.Days), EventsPerRequest: perRequest,
	})
	if err != nil {
		return err
	}
	const chunk = 250_000 // events rendered at a time
	began, before := o.Now(), s.cpu()
	var events, items int64
	for events < int64(o.ReadEvents) {
		l := render(g, min(chunk, int64(o.ReadEvents)-events), bulkItems, s.app.Key)
		if err := saturate(ctx, s.url, l, 4); err != nil {
			return err
		}
		events, items = events+l.events, items+l.items
		if events%5_000_000 < chunk {
			fmt.Fprintf(o.Out, "loaded %d events in %s\n", events, o.Now().Sub(began).Round(time.Second))
		}
		// No further ahead of the pipeline than a few chunks.
		if _, err := s.drained(ctx, s.app, items-2*l.items); err != nil {
			return err
		}
	}
	if _, err := s.drained(ctx, s.app, items); err != nil {
		return err
	}
	took := o.Now().Sub(began)
	r.add("history", fmt.Sprintf("%d users, %d events over %d days: load, CPU for a million events", o.Users, events, o.Days), "",
		"%.0f events/s, %.1f s", float64(events)/took.Seconds(), (s.cpu()-before).Seconds()/float64(events)*1e6)
	r.add("history", "peak memory of the server (RSS)", "", "%s", mib(s.memory("VmHWM")))
	return nil
}

// read is a request of a dashboard.
type read struct {
	name, path string
	values     url.Values
}

// dashboardReads are what the pages of a dashboard ask for.
func dashboardReads() []read {
	method := func(name string, more ...string) read {
		v := url.Values{"method": {name}, "period": {"30days"}}
		for i := 0; i+1 < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return read{"/o " + name, "/o", v}
	}
	path := func(path string, more ...string) read {
		v := url.Values{"period": {"30days"}}
		for i := 0; i+1 < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return read{path, path, v}
	}
	return []read{
		path("/o/analytics/dashboard"), path("/o/analytics/sessions", "bucket", "daily"), path("/o/analytics/countries"),
		path("/o/analytics/metric", "metric", "devices"), path("/o/analytics/events"),
		method("total_users"), method("users"), method("users", "action", "refresh"), method("devices"), method("device_details"),
		method("events", "event", "Open Product"), method("events", "event", "Share Article", "segmentation", "category"),
	}
}

func (s *server) read(ctx context.Context, rd read) ([]byte, error) {
	v := url.Values{"api_key": {s.apiKey}, "app_id": {s.app.ID}}
	maps.Copy(v, rd.values)
	return s.get(ctx, rd.path, v)
}

// readPause is how long the rounds of reads wait for each other: longer than a batch of the
// pipeline, so that no answer is the one before.
const readPause = 300 * time.Millisecond

// reads measures dashboard reads: one after the other, the kinds in turn, while a
// trickle of events arrives, as on a server in use. Every read meets new figures. What
// loading the history left to be done in the background is done before.
func reads(ctx context.Context, o *Options, r *Report, s *server) error {
	settled, err := s.settle(ctx, o)
	if err != nil {
		return err
	}
	r.add("reads", "rest after the load, until the server is idle", "", "%s", settled.Round(time.Second))
	done := make(chan struct{})
	var trickled error
	var wg sync.WaitGroup
	wg.Go(func() { trickled = s.trickle(ctx, o, done) })
	err = func() error {
		defer close(done)
		return s.readInTurn(ctx, o, r, "reads", "p99 ≤ 10 ms")
	}()
	wg.Wait()
	return errors.Join(err, trickled)
}

// readInTurn sends all kinds of reads, round by round.
func (s *server) readInTurn(ctx context.Context, o *Options, r *Report, mode, budget string) error {
	kinds := dashboardReads()
	type figures struct {
		cold time.Duration
		took []time.Duration
		used time.Duration
		size int
	}
	seen := make([]figures, len(kinds))
	pause := time.NewTicker(readPause)
	defer pause.Stop()
	for round := range o.ReadRounds + 1 {
		select {
		case <-pause.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i, kind := range kinds {
			f := &seen[i]
			used, began := s.cpu(), o.Now()
			body, err := s.read(ctx, kind)
			if err != nil {
				return err
			}
			took := o.Now().Sub(began)
			if round == 0 {
				f.cold, f.size = took, len(body)
				continue
			}
			f.took, f.used = append(f.took, took), f.used+s.cpu()-used
		}
	}
	var all []time.Duration
	for i, kind := range kinds {
		f := &seen[i]
		name := strings.Join(strings.Fields(kind.name+" "+kind.values.Get("action")+" "+kind.values.Get("event")+" "+kind.values.Get("segmentation")), " ")
		r.add(mode, name+": p50, p99, first, CPU, bytes", budget, "%s, %s, %s, %.2f ms, %d",
			ms(quantile(f.took, 0.5)), ms(quantile(f.took, 0.99)), ms(f.cold), f.used.Seconds()*1e3/float64(o.ReadRounds), f.size)
		all = append(all, f.took...)
	}
	r.add(mode, "dashboard reads, all of them: p50, p99", budget, "%s, %s", ms(quantile(all, 0.5)), ms(quantile(all, 0.99)))
	return nil
}

// settle waits until the server hardly works any more, a minute at most, and says how
// long that took.
func (s *server) settle(ctx context.Context, o *Options) (time.Duration, error) {
	const (
		look    = 2 * time.Second
		resting = look / 20 // of processor time
		longest = time.Minute
	)
	began := o.Now()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for before := s.cpu(); ; {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		after := s.cpu()
		if took := o.Now().Sub(began); after-before < resting || took >= longest {
			return took, nil
		}
		before = after
	}
}

// trickle sends a few requests a second until done is closed.
func (s *server) trickle(ctx context.Context, o *Options, done <-chan struct{}) error {
	g, err := traffic.New(traffic.Config{Seed: o.Seed + 1, AppKey: s.app.Key, Users: o.Users, Start: o.Now().Add(-time.Minute), SessionsPerDay: 86_400})
	if err != nil {
		return err
	}
	return each(ctx, s.url, 1, func(c *conn) error {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
			}
			l := render(g, 1, 0, "")
			for _, request := range l.requests {
				if err := c.send(request); err != nil {
					return err
				}
			}
		}
	})
}

// idle measures the folder of a server that rests, restarts it, and measures the start and what it takes then. The rest begins when
// what was acknowledged before has been worked off, which takes a while after a load at full speed.
func idle(ctx context.Context, o *Options, r *Report, s *server) (*server, error) {
	settled, err := s.settle(ctx, o)
	if err != nil {
		return s, err
	}
	r.add("idle", "work after the load, until the server is idle", "", "%s", settled.Round(time.Second))
	if err := pause(ctx, o.Rest); err != nil {
		return s, err
	}
	disk, err := s.disk()
	if err != nil {
		return s, err
	}
	got, err := s.outcomes(ctx, s.app) // other modes have sent events since the history was loaded
	if err != nil {
		return s, err
	}
	sent := got["event"]["accepted"]
	r.add("idle", fmt.Sprintf("disk after %s of rest, %d events: folder, event store, state", o.Rest, sent), "≤ 60 B", "%s", disk.each(sent))
	parts, err := s.parts(ctx, sent)
	if err != nil {
		return s, err
	}
	r.add("idle", "the state of that, for each event, without its log", "", "%s", parts)
	if err := s.stop(); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	if disk, err = s.disk(); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	r.add("idle", "disk after a stop: folder, event store, state", "", "%s", disk.each(sent))
	next, err := s.again(ctx, o)
	if err != nil {
		return nil, errors.Join(err, s.remove())
	}
	r.add("idle", "start-up to the first answer", "≤ 500 ms", "%s", ms(next.ready))
	const after = 3 * time.Second
	for _, what := range []string{"the start", "a sign-in, which hashes a password"} {
		if what != "the start" {
			if err := next.signIn(ctx); err != nil {
				return next, err
			}
		}
		before := next.cpu()
		if err := pause(ctx, after); err != nil {
			return next, err
		}
		r.add("idle", fmt.Sprintf("memory (RSS) %s after %s, pages of files in it, CPU meanwhile", after, what), "≤ 80 MB", "%.1f MB, %.1f MB, %s",
			float64(next.memory("VmRSS"))/1e6, float64(next.memory("RssFile"))/1e6, ms(next.cpu()-before))
	}
	return next, nil
}
