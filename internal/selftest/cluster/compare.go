package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quipu/internal/app"
	"quipu/internal/child"
	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
)

// settleLimit is how long it may take until everything acknowledged has arrived in all stores.
const settleLimit = 5 * time.Minute

// place is where a request is.
type place struct {
	w     *worker
	index int
}

// facts are what the stores of a server say of an app.
type facts struct {
	// outcomes counts what became of what was received; figures are totals.
	outcomes map[string]int64
	figures  map[string]any
	// users are the profiles by device.
	users map[string]user
}

// user is what a profile says that follows from requests and their order.
type user struct {
	sessions, firstSession, lastSession, firstActivity, lastActivity int64
	lastDuration, totalDuration                                      float64
	dims                                                             string
}

// compare waits until everything has arrived and compares all of it.
func (t *trial) compare(ctx context.Context) error {
	var got []facts
	orders := make([][]place, t.Apps)
	cfg := t.observed("observer")
	cfg.Cluster, cfg.Roles = t.place.File, []string{"read"}
	err := app.Offline(ctx, cfg, app.Process{Err: t.nodes[0].log, Shared: true}, func(ctx context.Context, a *app.App) error {
		limited, cancel := context.WithTimeout(ctx, settleLimit)
		defer cancel()
		if err := a.Flush(limited); err != nil {
			return fmt.Errorf("not everything acknowledged has arrived after %v: %w", settleLimit, err)
		}
		t.progress("settled")
		byKey := map[string]*model.App{}
		for _, of := range a.Apps() {
			byKey[of.Key] = of
		}
		for k, key := range t.load.apps {
			of := byKey[key]
			if of == nil {
				t.fault("app %s is not there", key)
				return nil
			}
			if err := t.rows(ctx, a, of.ID, k); err != nil {
				return err
			}
			orders[k] = t.presence(k)
			f, err := factsOf(ctx, a, of.ID)
			if err != nil {
				return err
			}
			t.figures(k, f, orders[k])
			got = append(got, f)
		}
		return nil
	})
	if err != nil || len(got) < t.Apps {
		return err
	}
	t.progress("%d event rows compared with the list; the same requests go to a server with its own stores", t.result.Rows)
	return t.embedded(ctx, orders, got)
}

// observed is the configuration of a server that this process opens.
func (t *trial) observed(folder string) app.Config {
	cfg := app.DefaultConfig()
	cfg.Data, cfg.Memory, cfg.Ingest.DiskReserve, cfg.Log.Level = filepath.Join(t.dir, folder), "256MiB", 0, "warn"
	cfg.Ingest.SessionTimeout = 720 * time.Hour
	return cfg
}

// rows reads which requests of an app have rows.
func (t *trial) rows(ctx context.Context, a *app.App, id model.AppID, number int) error {
	data := a.Data()
	slots := map[string]uint8{}
	return data.Events.ScanRows(ctx, id, events.Place{}, func(r *events.Row) error {
		if r.Key != events.CustomKey {
			return nil
		}
		t.result.Rows++
		slot, ok := slots[r.Name]
		if !ok {
			if e, ok := data.Schema.Event(id, r.Name); ok {
				for _, s := range e.Segments {
					if s.Name == "no" {
						slot = s.Slot.Index
					}
				}
			}
			slots[r.Name] = slot
		}
		if slot == 0 || r.Num[slot-1] == nil {
			t.fault("row %d/%d of app %d, event %s, has no number", r.Offset, r.Item, number, r.Name)
			return nil
		}
		t.row(number, r.Name, int64(*r.Num[slot-1]), r.Offset)
		return nil
	})
}

// row notes that an app has a row of an event with the number of a request.
func (t *trial) row(number int, event string, no int64, offset uint64) {
	w, index := int(no/perWorker), int(no%perWorker)
	if w >= len(t.load.workers) || index >= len(t.load.workers[w].items) {
		t.fault("request %d was never sent", no)
		return
	}
	it := &t.load.workers[w].items[index]
	switch {
	case int(it.app) != number || it.event() != event:
		t.fault("request %d is in app %d as event %s, was sent to app %d as %s", no, number, event, it.app, it.event())
	case it.rows == 0:
		it.offset = offset
	case it.offset != offset:
		t.fault("request %d is counted twice, by records %d and %d", no, it.offset, offset)
	}
	it.rows++
}

// presence compares rows of an app with the list and returns the requests that are there, in the order in which they were applied.
func (t *trial) presence(number int) []place {
	var order []place
	missing, partial := 0, 0
	for _, w := range t.load.workers {
		for index := range w.items {
			it := &w.items[index]
			switch {
			case int(it.app) != number:
				continue
			case it.rows == 0 && it.acked:
				if missing++; missing <= 3 {
					t.fault("request %d of app %d, device %s, was acknowledged and is lost", w.no(index), number, w.device(it, it.generation))
				}
				continue
			case it.rows == 0:
				continue
			case it.rows != it.n:
				if partial++; partial <= 3 {
					t.fault("request %d of app %d has %d of %d rows", w.no(index), number, it.rows, it.n)
				}
			}
			order = append(order, place{w, index})
		}
	}
	if missing > 3 || partial > 3 {
		t.fault("app %d: %d requests are lost, %d have other rows than were sent", number, missing, partial)
	}
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.w.items[a.index].offset, b.w.items[b.index].offset), cmp.Compare(a.w.no(a.index), b.w.no(b.index)))
	})
	return order
}

// factsOf reads the facts of an app.
func factsOf(ctx context.Context, a *app.App, id model.AppID) (facts, error) {
	f := facts{outcomes: map[string]int64{}, figures: map[string]any{}, users: map[string]user{}}
	data := a.Data()
	total := func(m rollup.Metric, g rollup.Grain, fn func(value string, cell *rollup.Cell)) error {
		return data.Cells.Scan(ctx, id, rollup.Series{Metric: m}, g, 0, math.MaxUint32, func(_ rollup.Bucket, v string, cell *rollup.Cell) error {
			fn(v, cell)
			return nil
		})
	}
	var users rollup.Cell
	byEvent := map[string]*rollup.Cell{}
	err := errors.Join(
		total(rollup.Users, rollup.Month, func(_ string, cell *rollup.Cell) { users.Merge(cell) }),
		total(rollup.Events, rollup.Month, func(v string, cell *rollup.Cell) {
			if byEvent[v] == nil {
				byEvent[v] = &rollup.Cell{}
			}
			byEvent[v].Merge(cell)
		}),
		total(rollup.Outcomes, rollup.Day, func(v string, cell *rollup.Cell) {
			what, _, _ := outcome.SplitValue(v)
			f.outcomes[what] += cell.Count
		}),
	)
	if err != nil {
		return f, fmt.Errorf("read cells: %w", err)
	}
	f.figures["requests"], f.figures["sessions"], f.figures["seconds"], f.figures["users with sessions"] = users.Requests, users.Count, users.Dur, users.Uniques()
	for name, cell := range byEvent {
		f.figures["count of "+name], f.figures["sum of "+name], f.figures["users of "+name] = cell.Count, cell.Sum, cell.Uniques()
	}
	err = data.Profiles.Scan(ctx, id, func(p *model.Profile) error {
		f.users[p.DID] = user{p.Sessions, p.FirstSession, p.LastSession, p.FirstActivity, p.LastActivity, p.LastDuration, p.TotalDuration, fmt.Sprint(p.Dims)}
		return nil
	})
	if err != nil {
		return f, fmt.Errorf("read profiles: %w", err)
	}
	return f, nil
}

// What cells say of requests.
const (
	accepted  = "request\x00accepted\x00"
	dropped   = "\x00dropped\x00duplicate"
	duplicate = "request" + dropped
)

// figures compares what cells say with the list.
func (t *trial) figures(number int, f facts, order []place) {
	var count, extra int64
	var sum float64
	for _, p := range order {
		it := &p.w.items[p.index]
		extra += int64(it.sends) - 1
		if it.sends == 255 {
			extra = math.MaxInt32 // there were more
		}
		for _, e := range it.events[:it.n] {
			if it.probe == 0 {
				count, sum = count+int64(e.count), sum+float64(e.quarters)/4
			}
		}
	}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"requests", f.figures["requests"], int64(len(order))},
		{"accepted requests", f.outcomes[accepted], int64(len(order))},
		{"events", f.figures["count of load"], count},
		{"sum of events", f.figures["sum of load"], sum},
	} {
		if c.got != c.want && (c.got != nil || len(order) > 0 && count > 0) {
			t.fault("app %d: %s: cells say %v, the list says %v", number, c.name, c.got, c.want)
		}
	}
	// No more can have been dropped than was sent again.
	t.result.Duplicates += f.outcomes[duplicate]
	if d := f.outcomes[duplicate]; d > extra {
		t.fault("app %d: %d requests were dropped as duplicates, at most %d can have been", number, d, extra)
	}
	for what, n := range f.outcomes {
		if n != 0 && strings.HasPrefix(what, "request\x00") && what != accepted && what != duplicate {
			t.fault("app %d: %d requests ended as %q", number, n, what)
		}
	}
}

// embedded gives the same requests in the same order to a server with its own stores, and compares reports of all nodes and all facts with those of that server.
func (t *trial) embedded(ctx context.Context, orders [][]place, got []facts) (err error) {
	o := child.Options{Program: t.Program, Env: t.Env, Memory: "512MiB", Err: t.nodes[0].log}
	server, err := o.Serve(ctx, filepath.Join(t.dir, "embedded"), t.environment())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Kill()) }()
	own, ids, err := t.makeApps(ctx, server.URL)
	if err != nil {
		return err
	}
	errs := make([]error, t.Apps)
	var wg sync.WaitGroup
	for k := range t.Apps {
		wg.Go(func() { errs[k] = t.repeat(ctx, server.URL, k, orders[k]) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for end := t.Now().Add(settleLimit); ; {
		err := server.Drain(ctx, child.Target{APIKey: own.key, ID: ids[0]})
		if err == nil {
			break
		}
		if t.Now().After(end) || !pause(ctx, time.Second) {
			return err
		}
	}
	t.progress("the server with its own stores has them; reports are compared")
	if err := t.reports(ctx, own, ids); err != nil {
		return err
	}
	if err := server.Stop(); err != nil {
		return err
	}
	return app.Offline(ctx, t.observed("embedded"), app.Process{Err: t.nodes[0].log, Shared: true}, func(ctx context.Context, a *app.App) error {
		byKey := map[string]model.AppID{}
		for _, of := range a.Apps() {
			byKey[of.Key] = of.ID
		}
		for k, key := range t.load.apps {
			want, err := factsOf(ctx, a, byKey[key])
			if err != nil {
				return err
			}
			t.same(k, want, got[k])
		}
		return nil
	})
}

// repeat sends the requests of an app in their order.
func (t *trial) repeat(ctx context.Context, address string, number int, order []place) error {
	const most = 200 // in a bulk
	for begin := 0; begin < len(order); begin += most {
		var b strings.Builder
		for i, p := range order[begin:min(begin+most, len(order))] {
			if i > 0 {
				b.WriteByte(',')
			}
			p.w.object(&b, p.index)
		}
		body := url.Values{"app_key": {t.load.apps[number]}, "requests": {"[" + b.String() + "]"}}.Encode()
		for try := 0; ; try++ {
			answer := t.load.prober().post(ctx, address+"/i/bulk", body)
			if answer == acked {
				break
			}
			if answer == wanted || try == 100 || !pause(ctx, 100*time.Millisecond) {
				return fmt.Errorf("the server with its own stores rejects a request of app %d", number)
			}
		}
	}
	return nil
}

// same compares the facts of an app. Duplicates are those of the cluster alone.
func (t *trial) same(number int, want, got facts) {
	for what := range merged(want.outcomes, got.outcomes) {
		if strings.HasSuffix(what, dropped) {
			continue
		}
		if a, b := want.outcomes[what], got.outcomes[what]; a != b {
			t.fault("app %d: outcome %q: the server with its own stores counted %d, the cluster %d", number, what, a, b)
		}
	}
	for name := range merged(want.figures, got.figures) {
		if a, b := want.figures[name], got.figures[name]; a != b {
			t.fault("app %d: %s: the server with its own stores says %v, the cluster %v", number, name, a, b)
		}
	}
	for device := range merged(want.users, got.users) {
		t.result.Profiles++
		if a, b := want.users[device], got.users[device]; a != b {
			t.fault("app %d: user of %s: the server with its own stores has %+v, the cluster %+v", number, device, a, b)
		}
	}
}

// merged has the keys of both.
func merged[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
