package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/traffic"
)

// heavyReads are what costs most: lists, exports and counts over all event rows and
// users, some of them sorted.
func heavyReads(a app) []read {
	return []read{
		{"users by search and order", "/o", url.Values{"method": {"user_details"}, "sSearch": {"an"}, "iSortCol_0": {"2"}, "sSortDir_0": {"desc"}, "iDisplayLength": {"100"}}},
		{"events as CSV, sorted", "/o/export/db", url.Values{"collection": {"drill_events"}, "type": {"csv"}, "sort": {`{"dur":-1,"ts":1}`}}},
		{"events as JSON", "/o/export/db", url.Values{"collection": {"drill_events"}, "type": {"json"}}},
		{"users as CSV", "/o/export/db", url.Values{"collection": {"app_users" + a.ID}, "type": {"csv"}}},
		{"punch card", "/o/server-stats/punch-card", url.Values{"period": {"90days"}}},
		{"data points", "/o/server-stats/data-points", url.Values{"period": {"90days"}}},
	}
}

// readers ask the server for one thing after the other until they are stopped.
type readers struct {
	s                 *server
	answered, refused atomic.Int64
	bytes             atomic.Int64
}

// run has clients read, each starting elsewhere in the list. A refusal for
// the moment is no error.
func (r *readers) run(ctx context.Context, clients int, list []read) error {
	var wg sync.WaitGroup
	errs := make([]error, clients)
	for i := range clients {
		wg.Go(func() {
			for n := i; errs[i] == nil && ctx.Err() == nil; n++ {
				errs[i] = r.one(ctx, list[n%len(list)])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (r *readers) one(ctx context.Context, rd read) error {
	v := url.Values{"api_key": {r.s.apiKey}, "app_id": {r.s.app.ID}}
	maps.Copy(v, rd.values)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.s.url+rd.path+"?"+v.Encode(), nil)
	if err != nil {
		return fmt.Errorf("read %s: %w", rd.name, err)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		var n int64
		n, err = io.Copy(io.Discard, res.Body)
		err = errors.Join(err, res.Body.Close())
		r.bytes.Add(n)
	}
	switch {
	case ctx.Err() != nil:
		return nil //nolint:nilerr // asked to stop
	case err != nil:
		return fmt.Errorf("read %s: %w", rd.name, err)
	case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "":
		r.refused.Add(1)
		return pause(ctx, 200*time.Millisecond)
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("read %s: status %s", rd.name, res.Status)
	}
	r.answered.Add(1)
	return nil
}

// memory reads with many clients while the server takes in events: first what
// dashboards ask for, then the heaviest there is. It reports the peak of the resident set.
func memory(ctx context.Context, o *Options, r *Report, s *server) error {
	g, err := traffic.New(traffic.Config{Seed: o.Seed + 2, AppKey: s.app.Key, Users: o.Users, Start: o.Now().Add(-24 * time.Hour), SessionsPerDay: float64(o.Users) / 5, EventsPerRequest: 10})
	if err != nil {
		return err
	}
	heavy := heavyReads(s.app)
	for _, mix := range []struct {
		name    string
		clients int
		list    []read
	}{
		{"8 clients that read dashboards", 8, dashboardReads()},
		{"12 clients that list, count and export", 12, heavy},
		{"24 clients of both kinds", 24, append(dashboardReads(), heavy...)},
	} {
		if err := s.loaded(ctx, o, r, g, "memory", mix.name, mix.clients, mix.list); err != nil {
			return err
		}
	}
	r.add("memory", "peak memory of the server (RSS) with --memory "+o.Memory, "≤ "+o.Memory, "%s", mib(s.memory("VmHWM")))
	return nil
}

// loaded takes events in beside readers, and reports it as a figure of mode.
func (s *server) loaded(ctx context.Context, o *Options, r *Report, g *traffic.Generator, mode, name string, clients int, list []read) error {
	got, err := s.outcomes(ctx, s.app)
	if err != nil {
		return err
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	rs := &readers{s: s}
	done := make(chan error, 1)
	go func() { done <- rs.run(reading, clients, list) }()
	l := render(g, int64(o.Events), bulkItems, s.app.Key)
	began := o.Now()
	err = saturate(ctx, s.url, l, 4)
	if err == nil {
		_, err = s.drained(ctx, s.app, got.total("request")+l.items)
	}
	took := o.Now().Sub(began)
	stop()
	if err := errors.Join(err, <-done); err != nil {
		return err
	}
	r.add(mode, "bulk ingestion beside "+name+"; peak so far; answers, bytes, refusals of reads; refusals of ingestion", "", "%.0f events/s; %s; %d, %s, %d; %d",
		float64(l.events)/took.Seconds(), mib(s.memory("VmHWM")), rs.answered.Load(), mib(rs.bytes.Load()), rs.refused.Load(), l.refused.Load())
	return nil
}
