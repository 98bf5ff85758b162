package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// manyApps measures a server with many apps that sent one request each: what it takes of memory and disk, how long it needs
// to start, to stop, for reads over all apps and to be verified.
func manyApps(ctx context.Context, o *Options, r *Report) (err error) {
	s, err := fresh(ctx, o)
	if err != nil {
		return err
	}
	dir := s
	defer func() {
		if s != nil {
			err = errors.Join(err, s.stop())
		}
		err = errors.Join(err, dir.remove())
	}()
	began := o.Now()
	list, err := s.createApps(ctx, o.Apps)
	if err != nil {
		return err
	}
	made := o.Now().Sub(began)
	began = o.Now()
	if err := s.sendEach(ctx, o, list); err != nil {
		return err
	}
	r.add("apps", fmt.Sprintf("%d apps: made, one request with an event sent to each", o.Apps), "", "%s, %s", made.Round(time.Millisecond), o.Now().Sub(began).Round(time.Millisecond))
	if err := s.readApps(ctx, o, r, list, "after the load"); err != nil {
		return err
	}
	r.add("apps", "peak memory of the server (RSS)", "", "%s", mib(s.memory("VmHWM")))
	stopped, began := s, o.Now()
	s = nil
	if err := stopped.stop(); err != nil {
		return err
	}
	took := o.Now().Sub(began)
	disk, err := stopped.disk()
	if err != nil {
		return err
	}
	r.add("apps", "stop; disk after it: event store, state", "", "%s; %s, %s", ms(took), mib(disk.events), mib(disk.state))
	if s, err = stopped.again(ctx, o); err != nil {
		return err
	}
	r.add("apps", "start-up to the first answer", "≤ 1 s", "%s", ms(s.ready))
	if err := pause(ctx, 3*time.Second); err != nil {
		return err
	}
	r.add("apps", "memory (RSS) 3s after the start", "", "%s", mib(s.memory("VmRSS")))
	if err := s.signIn(ctx); err != nil {
		return err
	}
	if err := s.readApps(ctx, o, r, list, "after a start"); err != nil {
		return err
	}
	stopped, s = s, nil
	if err := stopped.stop(); err != nil {
		return err
	}
	began = o.Now()
	cmd := exec.CommandContext(ctx, o.Program, "verify", "--data", stopped.dir) // this very binary
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("verify: %w: %.500s", err, out)
	}
	r.add("apps", "verify", "", "%s", o.Now().Sub(began).Round(time.Millisecond))
	return nil
}

// appClients is how many clients make apps and send to them at once.
const appClients = 8

// eachOf calls fn for the numbers below n on several goroutines.
func eachOf(n int, fn func(i int) error) error {
	var (
		next atomic.Int64
		wg   sync.WaitGroup
	)
	errs := make([]error, appClients)
	for c := range appClients {
		wg.Go(func() {
			for errs[c] == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[c] = fn(i)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (s *server) createApps(ctx context.Context, n int) ([]app, error) {
	list := make([]app, n)
	err := eachOf(n, func(i int) (err error) {
		list[i], err = s.createApp(ctx, fmt.Sprintf("App %d", i))
		return err
	})
	return list, err
}

// sendEach sends a request to every app and waits until all are projected.
func (s *server) sendEach(ctx context.Context, o *Options, list []app) error {
	err := eachOf(len(list), func(i int) error {
		_, err := s.get(ctx, "/i", url.Values{
			"app_key": {list[i].Key}, "device_id": {"someone"}, "begin_session": {"1"}, "metrics": {`{"_os":"Android","_app_version":"1.2"}`},
			"events": {`[{"key":"Open Product","count":1,"segmentation":{"category":"shoes","price":12.5}}]`},
		})
		return err
	})
	if err != nil {
		return err
	}
	for _, a := range list[max(0, len(list)-appClients):] {
		if _, err := s.drained(ctx, a, 1); err != nil {
			return err
		}
	}
	return nil
}

// readApps reports an export of one app, figures of all and the memory after it.
func (s *server) readApps(ctx context.Context, o *Options, r *Report, list []app, when string) error {
	began := o.Now()
	s.app = list[len(list)/2]
	body, err := s.read(ctx, read{"export", "/o/export/db", url.Values{"collection": {"drill_events"}, "type": {"json"}}})
	if err != nil {
		return err
	}
	r.add("apps", "first export of an app "+when+", bytes", "", "%s, %d", ms(o.Now().Sub(began)), len(body))
	for _, rd := range []struct{ path, budget string }{{"/o/server-stats/data-points", "≤ 200 ms"}, {"/o/server-stats/top", ""}, {"/o/server-stats/punch-card", ""}} {
		var took []time.Duration
		for range 5 {
			began := o.Now()
			body, err = s.read(ctx, read{rd.path, rd.path, url.Values{"app_id": nil, "period": {"30days"}}})
			if err != nil {
				return err
			}
			took = append(took, o.Now().Sub(began))
			if rd.budget == "" {
				continue
			}
			var points map[string]struct {
				Events int64 `json:"events"`
			}
			if err := json.Unmarshal(body, &points); err != nil || points["all-apps"].Events != int64(len(list)) {
				return fmt.Errorf("data points: %w: %d of %d events are counted", err, points["all-apps"].Events, len(list))
			}
		}
		r.add("apps", rd.path+" "+when+": first, median of five", rd.budget, "%s, %s", ms(took[0]), ms(quantile(took, 0.5)))
	}
	if err := pause(ctx, 3*time.Second); err != nil {
		return err
	}
	r.add("apps", "memory (RSS) 3s later", "≤ 300 MiB", "%s", mib(s.memory("VmRSS")))
	return nil
}
