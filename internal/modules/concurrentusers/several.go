package concurrentusers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
	"unique"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/store/docs"
)

// Faults of several apps. Those that the caller may not read do not differ from those that are not there.
var (
	errApps    = fault.Newf(fault.Invalid, "concurrent.apps", "apps must be a JSON list of 1 to %d app ids", kernel.MaxApps)
	errNoRight = fault.New(fault.Forbidden, "concurrent.no_right", "User does not have view rights for one or more apps provided in apps parameter")
)

// several are the apps whose users are counted together; none = only the caller's app.
func (s *service) several(c api.Caller, v params.Value) ([]*model.App, error) {
	return kernel.SeveralApps(c, v, s.apps.ByID, feature, errApps, errNoRight)
}

// together answers all figures of several apps at once. Hours and days are those of the zone of the caller's app.
func (s *service) together(ctx context.Context, c api.Caller, apps []*model.App) (*overview, error) {
	window := s.window()
	out := &overview{At: c.Now.UnixMilli(), Window: int64(window.Seconds()), Whole: true}
	list, present := make([]history, len(apps)), make([]*crowd, len(apps))
	for i, app := range apps {
		w, err := s.crowds.now(ctx, app.ID, c.Now, window)
		if err != nil {
			return nil, err
		}
		if list[i], err = s.history(ctx, app, w.count, c.Now); err != nil {
			return nil, err
		}
		present[i] = w
		out.Whole = out.Whole && w.whole
		out.Apps = append(out.Apps, appRow{app.ID.String(), app.Name})
	}
	out.Now, out.Shared, out.Parts = union(present, out.Whole)
	cal, _ := s.zones.Get(c.App.Timezone)
	sums := sum{list, cal, c.Now}
	out.Minutes, out.Hours, out.Days, out.Most = sums.minutes(), sums.hours(), sums.days(), sums.ever()
	return out, nil
}

// appRow is one of several apps whose users are counted together.
type appRow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// union counts the people of several apps: those with the same device id are one. People are new who are in a first session in each app in which they are. shared are
// those who are in several. Where people are not whole, they are only counted, by app.
func union(apps []*crowd, whole bool) (n count, shared int64, p parts) {
	p = parts{map[string]int64{}, map[string]int64{}, map[string]int64{}}
	if !whole {
		for _, w := range apps {
			n.Online += w.count.Online
			n.New += w.count.New
		}
		return n, 0, p
	}
	type known struct {
		last   int // app
		old    bool
		shared bool
	}
	type part struct {
		of     *map[string]int64
		value  unique.Handle[string]
		device device
	}
	devices, values := map[device]known{}, map[part]bool{}
	for i, w := range apps {
		for _, u := range w.people {
			k, met := devices[u.device]
			if k.old = k.old || !u.isNew; met && k.last != i {
				k.shared = true
			}
			k.last = i
			devices[u.device] = k
			for _, v := range []part{{&p.Country, u.country, u.device}, {&p.Platform, u.platform, u.device}, {&p.Source, u.source, u.device}} {
				if !values[v] {
					values[v] = true
					add(*v.of, v.value)
				}
			}
		}
	}
	for _, k := range devices {
		n.Online++
		if !k.old {
			n.New++
		}
		if k.shared {
			shared++
		}
	}
	return n, shared, p
}

// history are the maxima that are stored of an app, with who is online now.
type history struct {
	cal    *period.Calendar
	points map[kind][]point
}

func (s *service) history(ctx context.Context, app *model.App, online count, at time.Time) (history, error) {
	cal, _ := s.zones.Get(app.Timezone)
	h := history{cal, map[kind][]point{}}
	for _, k := range kinds {
		d, err := seriesSpec().In(s.docs, app.ID).Get(ctx, string(k))
		if err != nil && !docs.IsNotFound(err) {
			return history{}, fmt.Errorf("online users of app %s: %w", app.ID, err)
		}
		list, begin := d.Points, k.start(at, cal)
		if len(list) == 0 || list[len(list)-1].Time < begin {
			list = append(list, point{Time: begin})
		}
		if last := &list[len(list)-1]; last.Time == begin {
			last.meet(online, at.UnixMilli())
		}
		h.points[k] = list
	}
	return h, nil
}

// most returns the maxima of the buckets of a kind that overlap a time: it begins at from (ms) and ends before until.
func (h *history) most(k kind, from, until int64) (b bucket) {
	list := h.points[k]
	// The longest bucket is a day of 25 hours.
	i, _ := slices.BinarySearchFunc(list, from-26*time.Hour.Milliseconds(), func(p point, t int64) int { return int(p.Time - t) })
	for ; i < len(list) && list[i].Time < until; i++ {
		if end := h.end(k, list[i].Time); end > from {
			outside := list[i].Time < from || end > until
			b.join(bucket{point: list[i], looseOnline: outside, looseNew: outside})
		}
	}
	return b
}

// end returns when (ms) a bucket ends that begins at a time.
func (h *history) end(k kind, begin int64) int64 {
	switch k {
	case minutes:
		return begin + time.Minute.Milliseconds()
	case hours:
		return begin + time.Hour.Milliseconds()
	case days, ever:
	}
	return days.start(time.UnixMilli(begin).Add(36*time.Hour), h.cal)
}

// bucket is a maximum that is shown.
type bucket struct {
	point
	// Bound says that there were no more users than that, but fewer, perhaps: apps had theirs at different times of the bucket.
	Bound bool `json:"bound,omitempty"`

	looseOnline, looseNew bool // Bound, of each figure
}

// join takes a part of a bucket into it. A bound that something exact reaches is none.
func (b *bucket) join(part bucket) {
	join := func(most, at *int64, loose *bool, n, when int64, bound bool) {
		switch {
		case n > *most:
			*most, *at, *loose = n, when, bound
		case n == *most && *loose && !bound:
			*at, *loose = when, false
		}
	}
	join(&b.Online, &b.OnlineAt, &b.looseOnline, part.Online, part.OnlineAt, part.looseOnline)
	join(&b.New, &b.NewAt, &b.looseNew, part.New, part.NewAt, part.looseNew)
}

// buckets are points of one app, which are exact.
func buckets(list []point) []bucket {
	out := make([]bucket, len(list))
	for i, p := range list {
		out[i].point = p
	}
	return out
}

// sum adds up the maxima of several apps, up to a moment, by the clock of a calendar.
type sum struct {
	apps []history
	cal  *period.Calendar
	at   time.Time
}

// of adds up what apps had at most in their own buckets of a kind that overlap a time. Minutes of all apps are the same, and short enough for that to be what is meant.
func (s sum) of(k kind, from, until int64) (b bucket) {
	add := func(most, at *int64, loose *bool, n, when int64, bound bool) {
		if n == 0 {
			return
		}
		if *loose = k != minutes && (*most > 0 || bound); *most == 0 && !*loose {
			*at = when
		} else if *loose {
			*at = 0
		}
		*most += n
	}
	b.Time = from
	for i := range s.apps {
		p := s.apps[i].most(k, from, until)
		add(&b.Online, &b.OnlineAt, &b.looseOnline, p.Online, p.OnlineAt, p.looseOnline)
		add(&b.New, &b.NewAt, &b.looseNew, p.New, p.NewAt, p.looseNew)
	}
	return b
}

// since is from when on (ms) buckets of a kind are there of all apps.
func (s sum) since(k kind) int64 {
	width := map[kind]time.Duration{minutes: time.Minute, hours: time.Hour}[k]
	return k.start(s.at, s.cal) - int64(k.kept()-1)*width.Milliseconds()
}

// minutes are the last ones, the oldest first.
func (s sum) minutes() []bucket {
	return s.last(minutes, func(from, until int64) bucket { return s.of(minutes, from, until) })
}

// hours are made of minutes as long as these are kept.
func (s sum) hours() []bucket { return s.last(hours, s.hour) }

func (s sum) hour(from, until int64) bucket {
	if from < s.since(minutes) {
		return s.of(hours, from, until)
	}
	b := bucket{point: point{Time: from}}
	for t := from; t < until && t <= s.at.UnixMilli(); t += time.Minute.Milliseconds() {
		b.join(s.of(minutes, t, t+time.Minute.Milliseconds()))
	}
	return b
}

// days are made of hours as long as these are kept.
func (s sum) days() []bucket {
	return s.last(days, func(from, until int64) bucket {
		if from < s.since(hours) {
			return s.of(days, from, until)
		}
		b := bucket{point: point{Time: from}}
		for t := from; t < until && t <= s.at.UnixMilli(); {
			next := hours.start(time.UnixMilli(t).Add(time.Hour), s.cal)
			b.join(s.hour(t, next))
			t = next
		}
		return b
	})
}

// ever is the most of all time.
func (s sum) ever() bucket {
	b := s.of(ever, 0, math.MaxInt64)
	b.Bound = b.looseOnline || b.looseNew
	return b
}

// last makes the buckets of a kind that are shown.
func (s sum) last(k kind, fn func(from, until int64) bucket) []bucket {
	out := make([]bucket, k.shown())
	end := int64(0)
	from := k.start(s.at, s.cal)
	switch k {
	case minutes:
		end = from + time.Minute.Milliseconds()
	case hours:
		end = hours.start(time.UnixMilli(from).Add(time.Hour), s.cal)
	case days, ever:
		end = days.start(time.UnixMilli(from).Add(36*time.Hour), s.cal)
	}
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = fn(from, end)
		out[i].Bound = out[i].looseOnline || out[i].looseNew
		from, end = k.start(time.UnixMilli(from-1), s.cal), from
	}
	return out
}
