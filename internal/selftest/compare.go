package selftest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"quipu/internal/app"
	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/verify"
)

// compare opens the data folder, which no server uses, and compares it with
// the list: must holds the numbers that have to be there beside those acknowledged by
// now; nil = all acknowledged.
func (t *trial) compare(ctx context.Context, data string, proc app.Process, must map[int64]bool) error {
	cfg := app.DefaultConfig()
	cfg.Data, cfg.Memory, cfg.Ingest.DiskReserve, cfg.Log.Level = data, "256MiB", 0, "warn"
	if proc.Err == nil {
		proc.Err = t.Err
	}
	if must == nil {
		must = t.load.ackedNow()
	}
	return app.Offline(ctx, cfg, proc, func(ctx context.Context, a *app.App) error {
		report, err := a.Verify(ctx, verify.Options{Limit: 5})
		if err != nil {
			return fmt.Errorf("verify: %w", err)
		}
		for _, d := range report.Differences {
			t.fault("verify: %s", d)
		}
		c := &comparison{trial: t, app: a, must: must, found: map[int64]*found{}}
		t.last = c
		return c.run(ctx)
	})
}

// comparison is one comparison of a folder with the list.
type comparison struct {
	*trial
	app  *app.App
	id   model.AppID
	must map[int64]bool

	found map[int64]*found
	sent  map[int64]*item
	cut   int   // items lost at the end of the log, where the trial allows it
	extra int64 // sendings beyond the first of what is there
}

// found is what the rows say of an item.
type found struct {
	offset uint64
	events int
}

// expected is what the list says of a device.
type expected struct {
	device           string
	sessions         int64
	first, last      int64 // s
	seconds          float64
	active, lastSeen int64 // s
	began            bool
}

func (c *comparison) run(ctx context.Context) error {
	all := c.app.Apps()
	if len(all) != 1 {
		c.fault("the folder has %d apps, want 1", len(all))
		return nil
	}
	c.id = all[0].ID
	if err := c.rows(ctx); err != nil {
		return err
	}
	present := c.presence()
	devices, gone := apply(present)
	if err := c.profiles(ctx, all[0], devices, gone); err != nil {
		return err
	}
	return c.cells(ctx, present, devices)
}

// rows reads which items have rows.
func (c *comparison) rows(ctx context.Context) error {
	data := c.app.Data()
	slot := uint8(0)
	if e, ok := data.Schema.Event(c.id, "load"); ok {
		for _, s := range e.Segments {
			if s.Name == "no" {
				slot = s.Slot.Index
			}
		}
	}
	return data.Events.ScanRows(ctx, c.id, events.Place{}, func(r *events.Row) error {
		if r.Key != events.CustomKey || r.Name != "load" {
			return nil
		}
		c.result.Rows++
		if slot == 0 || r.Num[slot-1] == nil {
			c.fault("row %d/%d has no number", r.Offset, r.Item)
			return nil
		}
		no := int64(*r.Num[slot-1])
		f := c.found[no]
		if f == nil {
			f = &found{offset: r.Offset}
			c.found[no] = f
		}
		if f.offset != r.Offset {
			c.fault("item %d is counted twice, by records %d and %d", no, f.offset, r.Offset)
		}
		f.events++
		return nil
	})
}

// presence compares rows with the list and returns the items that are there,
// in the order in which they were applied.
func (c *comparison) presence() []*item {
	var present []*item
	var missing []int64
	c.sent = map[int64]*item{}
	c.load.each(func(s *sending) {
		there := 0
		for _, it := range s.items {
			c.sent[it.no] = it
			f := c.found[it.no]
			switch {
			case f == nil && c.must[it.no]:
				missing = append(missing, it.no)
			case f == nil:
			case f.events != len(it.events):
				c.fault("item %d has %d of %d rows", it.no, f.events, len(it.events))
			}
			if f != nil {
				there++
				present = append(present, it)
			}
		}
		if there > 0 && there < len(s.items) {
			c.fault("a bulk of %d is there with %d items", len(s.items), there)
		}
		c.extra += (s.sends - 1) * int64(there)
	})
	if len(missing) > 0 && c.torn(missing, c.found) {
		c.cut = len(missing)
	} else {
		for _, no := range missing[:min(len(missing), 3)] {
			c.fault("item %d of device %s was acknowledged and is lost, one of %d", no, c.sent[no].device, len(missing))
		}
	}
	for no := range c.found {
		if c.sent[no] == nil {
			c.fault("item %d was never sent", no)
		}
	}
	slices.SortFunc(present, func(a, b *item) int {
		return cmp.Or(cmp.Compare(c.found[a.no].offset, c.found[b.no].offset), cmp.Compare(a.no, b.no))
	})
	return present
}

// apply applies items to devices as the rules of ingestion say.
func apply(present []*item) (devices map[string]*expected, gone map[string]bool) {
	devices, gone = map[string]*expected{}, map[string]bool{}
	for _, it := range present {
		d := devices[it.device]
		if d == nil {
			d = &expected{device: it.device}
			devices[it.device] = d
			delete(gone, it.device)
		}
		if old := devices[it.old]; it.old != "" && old != nil {
			d.sessions += old.sessions
			d.seconds += old.seconds
			d.first, d.active = least(d.first, old.first), least(d.active, old.active)
			d.last, d.lastSeen = max(d.last, old.last), max(d.lastSeen, old.lastSeen)
			d.began = d.began || old.began
			delete(devices, it.old)
			gone[it.old] = true
		}
		sec := it.ts / 1000
		d.active, d.lastSeen = least(d.active, sec), max(d.lastSeen, sec)
		if it.begin {
			d.sessions++
			d.first, d.last, d.began = least(d.first, sec), max(d.last, sec), true
		}
		d.seconds += float64(it.seconds)
	}
	return devices, gone
}

// least is the smaller of two times, 0 being none.
func least(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func (c *comparison) profiles(ctx context.Context, of *model.App, devices map[string]*expected, gone map[string]bool) error {
	profiles := c.app.Data().Profiles
	for name, d := range devices {
		p, err := profiles.Get(ctx, c.id, model.NewProfileID(of.IDKey, name))
		if errors.Is(err, profile.ErrNotFound) {
			c.fault("device %s has no profile", name)
			continue
		}
		if err != nil {
			return fmt.Errorf("read profile: %w", err)
		}
		got := expected{
			device: p.DID, sessions: p.Sessions, first: p.FirstSession, last: p.LastSession,
			seconds: p.TotalDuration, active: p.FirstActivity, lastSeen: p.LastActivity, began: p.Sessions > 0,
		}
		if got != *d {
			c.fault("profile of device %s is %+v, want %+v", name, got, *d)
		}
	}
	for name := range gone {
		if _, err := profiles.Get(ctx, c.id, model.NewProfileID(of.IDKey, name)); !errors.Is(err, profile.ErrNotFound) {
			c.fault("device %s was merged away and is still there (%v)", name, err)
		}
	}
	s, err := profiles.Sequence(ctx, c.id)
	if err != nil {
		return fmt.Errorf("read sequence: %w", err)
	}
	if s.Users != int64(len(devices)) {
		c.fault("there are %d profiles, want %d", s.Users, len(devices))
	}
	return nil
}

// cells compares totals over all months with the list, and outcomes with what
// was sent.
func (c *comparison) cells(ctx context.Context, present []*item, devices map[string]*expected) error {
	var users, load rollup.Cell
	outcomes := map[string]int64{}
	total := func(m rollup.Metric, g rollup.Grain, fn func(value string, cell *rollup.Cell)) error {
		return c.app.Data().Cells.Scan(ctx, c.id, rollup.Series{Metric: m}, g, 0, math.MaxUint32, func(_ rollup.Bucket, v string, cell *rollup.Cell) error {
			fn(v, cell)
			return nil
		})
	}
	err := errors.Join(
		total(rollup.Users, rollup.Month, func(_ string, cell *rollup.Cell) { users.Merge(cell) }),
		total(rollup.Events, rollup.Month, func(v string, cell *rollup.Cell) {
			if v == "load" {
				load.Merge(cell)
			}
		}),
		total(rollup.Outcomes, rollup.Day, func(v string, cell *rollup.Cell) {
			what, _, _ := outcome.SplitValue(v)
			outcomes[what] += cell.Count
		}),
	)
	if err != nil {
		return fmt.Errorf("read cells: %w", err)
	}
	var want struct {
		sessions, events, rows int64
		sum, seconds           float64
		uniques                uint64
	}
	for _, it := range present {
		if it.begin {
			want.sessions++
		}
		want.seconds += float64(it.seconds)
		for _, e := range it.events {
			want.rows++
			want.events += e.count
			want.sum += e.sum
		}
	}
	for _, d := range devices {
		if d.began {
			want.uniques++
		}
	}
	for _, f := range []struct {
		name      string
		got, want any
	}{
		{"requests", users.Requests, int64(len(present))},
		{"sessions", users.Count, want.sessions},
		{"seconds", users.Dur, want.seconds},
		{"users with sessions", users.Uniques(), want.uniques},
		{"events", load.Count, want.events},
		{"sum of events", load.Sum, want.sum},
		{"accepted requests", outcomes["request\x00accepted\x00"], int64(len(present))},
		{"accepted sessions", outcomes["session\x00accepted\x00"], want.sessions},
		{"accepted events", outcomes["event\x00accepted\x00"], want.rows},
	} {
		if f.got != f.want {
			c.fault("%s: cells say %v, the list says %v", f.name, f.got, f.want)
		}
	}
	// Everything else that arrived was a duplicate, and no more can have arrived than was sent.
	duplicates := outcomes["request\x00dropped\x00duplicate"]
	if duplicates > c.extra {
		c.fault("%d requests were dropped as duplicates, at most %d can have been", duplicates, c.extra)
	}
	delete(outcomes, "request\x00accepted\x00")
	delete(outcomes, "request\x00dropped\x00duplicate")
	for v, n := range outcomes {
		if n != 0 && strings.HasPrefix(v, "request\x00") {
			c.fault("%d requests ended as %q", n, v)
		}
	}
	return nil
}
