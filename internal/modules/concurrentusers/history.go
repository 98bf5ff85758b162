package concurrentusers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"quipu/internal/background"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/docs"
)

// kind is a width of buckets; it is the key of a document.
type kind string

// The kinds. Ever has one bucket.
const (
	minutes kind = "minutes"
	hours   kind = "hours"
	days    kind = "days"
	ever    kind = "ever"
)

// kinds lists them in the order in which they are recorded.
var kinds = [...]kind{minutes, hours, days, ever}

// kept is how many buckets of a kind are stored.
func (k kind) kept() int { return map[kind]int{minutes: 180, hours: 24 * 7, days: 400, ever: 1}[k] }

// shown is how many buckets of a kind are answered.
func (k kind) shown() int { return map[kind]int{minutes: 60, hours: 24, days: 30, ever: 1}[k] }

// start returns when (ms) the bucket begins that a moment is in, by the clock of an app.
func (k kind) start(at time.Time, cal *period.Calendar) int64 {
	switch k {
	case minutes:
		return at.Truncate(time.Minute).UnixMilli()
	case hours: // hours on the clock, which begin at half past in some zones
		local := at.In(cal.Location())
		return local.Add(-time.Duration(local.Minute())*time.Minute - time.Duration(local.Second())*time.Second).Truncate(time.Second).UnixMilli()
	case days:
		return cal.DayStart(cal.DayBucket(at.UnixMilli()))
	case ever:
	}
	return 0
}

// point is the most users that were online in a bucket.
type point struct {
	Time int64 `json:"t"` // ms, when the bucket begins
	count

	// OnlineAt and NewAt are when (ms) the maxima were first met.
	OnlineAt int64 `json:"oa,omitempty"`
	NewAt    int64 `json:"na,omitempty"`
}

// meet takes a sample into a bucket and reports whether it is a new maximum.
func (p *point) meet(n count, at int64) (changed bool) {
	if n.Online > p.Online {
		p.Online, p.OnlineAt, changed = n.Online, at, true
	}
	if n.New > p.New {
		p.New, p.NewAt, changed = n.New, at, true
	}
	return changed
}

// series are the maxima of an app by buckets of a kind, the oldest first. Buckets without users are not there.
type series struct {
	ID     kind    `json:"_id"`
	Points []point `json:"points"`
}

// Key implements docs.Document.
func (s series) Key() string { return string(s.ID) }

// Validate implements docs.Document.
func (s series) Validate() error {
	if !slices.Contains(kinds[:], s.ID) || len(s.Points) > s.ID.kept() {
		return fmt.Errorf("series %q has %d points", s.ID, len(s.Points))
	}
	return nil
}

func seriesSpec() docs.Spec[series] { return docs.Spec[series]{Name: feature + ".series", Version: 1} }

// cache holds the buckets that samples fall in, so that one that is no maximum touches no document.
type cache struct {
	mu   sync.Mutex
	apps map[model.AppID]map[kind]point
}

func newCache() *cache { return &cache{apps: map[model.AppID]map[kind]point{}} }

func (c *cache) get(app model.AppID, k kind) (point, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.apps[app][k]
	return p, ok
}

func (c *cache) put(app model.AppID, k kind, p point) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.apps[app] == nil {
		c.apps[app] = map[kind]point{}
	}
	c.apps[app][k] = p
}

func (c *cache) forget(app model.AppID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.apps, app)
}

// change is a sample that an app's bucket has to take in.
type change struct {
	app   model.AppID
	kind  kind
	begin int64 // ms, of the bucket
	n     count
}

// changes returns what a sample changes of the maxima of an app.
func (s *service) changes(app *model.App, n count, at time.Time) (out []change) {
	if n.Online == 0 {
		s.cache.forget(app.ID)
		return nil
	}
	cal, _ := s.zones.Get(app.Timezone)
	for _, k := range kinds {
		begin := k.start(at, cal)
		if p, known := s.cache.get(app.ID, k); !known || p.Time != begin || p.meet(n, at.UnixMilli()) {
			out = append(out, change{app.ID, k, begin, n})
		}
	}
	return out
}

// together is how many changes are written at once: the others that write to the same store wait meanwhile.
const together = 100

// record writes changes.
func (s *service) record(ctx context.Context, list []change, at time.Time) error {
	now := make([]point, len(list))
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		for i, c := range list {
			of := seriesSpec().In(tx, c.app)
			d, err := of.Get(ctx, string(c.kind))
			if docs.IsNotFound(err) {
				d, err = series{ID: c.kind}, nil
			}
			if err != nil {
				return err
			}
			now[i] = d.meet(c, at)
			if err := of.Put(ctx, d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("record online users: %w", err)
	}
	for i, c := range list {
		s.cache.put(c.app, c.kind, now[i])
	}
	return nil
}

// meet takes a change in and returns the bucket it fell in.
func (s *series) meet(c change, at time.Time) point {
	if len(s.Points) == 0 || s.Points[len(s.Points)-1].Time < c.begin {
		s.Points = append(s.Points, point{Time: c.begin})
	}
	last := &s.Points[len(s.Points)-1]
	last.meet(c.n, at.UnixMilli())
	now := *last
	if over := len(s.Points) - c.kind.kept(); over > 0 {
		s.Points = slices.Clone(s.Points[over:])
	}
	return now
}

// read returns the buckets of a kind up to a moment, the oldest first, those without users too.
func (s *service) read(ctx context.Context, app *model.App, k kind, at time.Time) ([]point, error) {
	d, err := seriesSpec().In(s.docs, app.ID).Get(ctx, string(k))
	if err != nil && !docs.IsNotFound(err) {
		return nil, err
	}
	cal, _ := s.zones.Get(app.Timezone)
	out := make([]point, k.shown())
	begin := k.start(at, cal)
	for i := len(out) - 1; i >= 0; i-- {
		out[i].Time = begin
		if at, found := slices.BinarySearchFunc(d.Points, begin, func(p point, t int64) int { return int(p.Time - t) }); found {
			out[i] = d.Points[at]
		}
		begin = k.start(time.UnixMilli(begin-1), cal)
	}
	return out, nil
}

// sample looks at all apps, records maxima and moves alerts.
func (s *service) sample(ctx context.Context) error {
	at := s.now()
	counts, err := s.crowds.all(ctx, at, s.window())
	if err != nil {
		return fmt.Errorf("count online users: %w", err)
	}
	var list []change
	for id, n := range counts {
		if app := s.apps.ByID(id); app != nil {
			list = append(list, s.changes(app, n, at)...)
		}
	}
	var faults []error
	breaks := background.Breaks{Now: s.now}
	for some := range slices.Chunk(list, together) {
		breaks.Next(ctx)
		if s.record(ctx, some, at) == nil {
			continue
		}
		for i := range some { // what cannot be written of one app holds up no other
			if err := s.record(ctx, some[i:i+1], at); err != nil {
				faults = append(faults, fmt.Errorf("app %s: %w", some[i].app, err))
			}
		}
	}
	return errors.Join(append(faults, s.watch(ctx, counts, at))...)
}
