package appusers

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
)

// sessionDoc is a session in an answer. Times and lengths are s.
type sessionDoc struct {
	ID     string  `json:"_id"`
	DID    string  `json:"did"`
	Start  int64   `json:"ts"`
	End    int64   `json:"end,omitempty"` // the last sign of life; none of an open session
	Dur    float64 `json:"dur"`           // so far, of an open session
	Open   bool    `json:"open,omitempty"`
	New    bool    `json:"is_new,omitempty"` // the user's first
	Events int64   `json:"events"`
	Views  int64   `json:"views"`
	Crash  int64   `json:"crashes"`

	Country    string `json:"cc,omitempty"`
	City       string `json:"cty,omitempty"`
	OS         string `json:"p,omitempty"`
	OSVersion  string `json:"pv,omitempty"`
	Device     string `json:"d,omitempty"`
	AppVersion string `json:"av,omitempty"`
}

// sessionsRes is a page of the sessions of a user.
type sessionsRes struct {
	api.Table[sessionDoc]
	// Before are the sums of the period before, when asked for.
	Before *sessionSums `json:"comparison,omitempty"`
}

// sessionSums are what sessions add up to.
type sessionSums struct {
	Sessions int64   `json:"s"`
	Seconds  float64 `json:"tsd"`
	Events   int64   `json:"e"`
}

// sessionOrders are what sessions are sorted by: by name, and, in this order, by number.
var sessionOrders = []struct {
	name string
	cmp  func(a, b *sessionDoc) int
}{
	{"ts", func(a, b *sessionDoc) int { return cmp.Compare(a.Start, b.Start) }},
	{"dur", func(a, b *sessionDoc) int { return cmp.Compare(a.Dur, b.Dur) }},
	{"events", func(a, b *sessionDoc) int { return cmp.Compare(a.Events, b.Events) }},
	{"views", func(a, b *sessionDoc) int { return cmp.Compare(a.Views, b.Views) }},
	{"p", func(a, b *sessionDoc) int { return cmp.Compare(a.OS, b.OS) }},
	{"av", func(a, b *sessionDoc) int { return cmp.Compare(a.AppVersion, b.AppVersion) }},
	{"cc", func(a, b *sessionDoc) int { return cmp.Compare(a.Country, b.Country) }},
}

// sessions lists the sessions of a user that began in a period, the latest first unless another order is asked for.
func (s *service) sessions(ctx context.Context, c api.Caller, r detailsReq, p *model.Profile) (any, error) {
	when := s.period(c, r)
	list, err := s.sessionsOf(ctx, c, p, when.Start, end(when))
	if err != nil {
		return nil, err
	}
	out := sessionsRes{}
	out.Echo, out.Total = r.Echo.Echo(), len(list)
	if text := strings.ToLower(strings.TrimSpace(r.Search)); text != "" {
		list = slices.DeleteFunc(list, func(d sessionDoc) bool { return !d.holds(text) })
	}
	r.sortSessions(list)
	from, n := r.Part(defaultPage, maxPage)
	out.Display = len(list)
	out.Rows = append([]sessionDoc{}, list[min(from, len(list)):min(from+n, len(list))]...)
	if r.Compare {
		before := when.Prev()
		earlier := []sessionDoc{}
		if !before.Empty() {
			if earlier, err = s.sessionsOf(ctx, c, p, before.Start, before.End); err != nil {
				return nil, err
			}
		}
		out.Before = &sessionSums{}
		for _, d := range earlier {
			out.Before.Sessions++
			out.Before.Seconds += d.Dur
			out.Before.Events += d.Events
		}
	}
	return out, nil
}

func (s *service) sessionsOf(ctx context.Context, c api.Caller, p *model.Profile, from, to int64) ([]sessionDoc, error) {
	found, err := s.tables.SessionsOfUser(ctx, c.App.ID, p.UID, from, to)
	out := make([]sessionDoc, len(found))
	for i := range found {
		f := &found[i]
		d := sessionDoc{
			ID: strconv.FormatUint(f.ID, 10), DID: p.DID, Start: f.Start / 1000, End: f.End / 1000, Dur: f.Seconds, New: f.New,
			Events: f.Events, Views: f.Views, Crash: f.Crashes, Country: f.Dims[model.Country], City: f.Dims[model.City],
			OS: f.Dims[model.OS], OSVersion: f.Dims[model.OSVersion], Device: f.Dims[model.Device], AppVersion: f.Dims[model.AppVersion],
		}
		if p.Open.ID == f.ID {
			d.Open, d.Dur, d.End = true, p.Open.Seconds, 0
		}
		out[i] = d
	}
	return out, err
}

// holds reports whether a text, in lower case, is part of one of the session's.
func (d *sessionDoc) holds(text string) bool {
	return slices.ContainsFunc([]string{d.Country, d.City, d.OS, d.OSVersion, strings.ReplaceAll(d.OSVersion, ":", "."), d.Device, d.AppVersion, strings.ReplaceAll(d.AppVersion, ":", ".")}, func(s string) bool {
		return strings.Contains(strings.ToLower(s), text)
	})
}

func (r detailsReq) sortSessions(list []sessionDoc) {
	key, desc := r.SortBy()
	n, err := strconv.Atoi(strings.TrimSpace(r.Column.String()))
	for i, o := range sessionOrders {
		if o.name != key && (key != "" || err != nil || n != i) {
			continue
		}
		if key == "" {
			desc = r.Dir == "desc"
		}
		slices.SortStableFunc(list, func(a, b sessionDoc) int {
			if desc {
				return o.cmp(&b, &a)
			}
			return o.cmp(&a, &b)
		})
		return
	}
}

// activityDoc is what a user did in some time.
type activityDoc struct {
	Sessions int64   `json:"s"`
	Events   int64   `json:"e"`
	Views    int64   `json:"v"`
	Crashes  int64   `json:"cr"`
	Seconds  float64 `json:"tsd"`
}

func activity(a query.UserActivity) activityDoc {
	return activityDoc{Sessions: a.Sessions, Events: a.Events, Views: a.Views, Crashes: a.Crashes, Seconds: a.Seconds}
}

// totalsDoc is what a user did in a period.
type totalsDoc struct {
	activityDoc
	Days        int `json:"d"`  // with any row
	SessionDays int `json:"ds"` // on which a session began
}

// courseDoc is a period of a graph.
type courseDoc struct {
	Totals  totalsDoc              `json:"totals"`
	Graph   map[string]activityDoc `json:"graph"`
	Buckets []string               `json:"buckets"` // keys of the graph, in their order
}

// graphRes is the course of what a user did.
type graphRes struct {
	courseDoc
	Before *courseDoc `json:"comparison,omitempty"`
}

// graph answers with what a user did by hour, day, week or month.
func (s *service) graph(ctx context.Context, c api.Caller, r detailsReq, p *model.Profile) (any, error) {
	step, known := period.ParseStep(r.Bucket)
	if r.Bucket != "" && (!known || step == period.YearStep) {
		return nil, api.BadParam("bucket", r.Bucket, "bucket: want hourly, daily, weekly or monthly")
	}
	when := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	var out graphRes
	var err error
	if out.courseDoc, err = s.course(ctx, c, p, when, step); err != nil {
		return nil, err
	}
	if r.Compare {
		before, err := s.course(ctx, c, p, when.Prev(), step)
		if err != nil {
			return nil, err
		}
		out.Before = &before
	}
	return out, nil
}

func (s *service) course(ctx context.Context, c api.Caller, p *model.Profile, when period.Period, step period.Step) (courseDoc, error) {
	out := courseDoc{Graph: map[string]activityDoc{}, Buckets: []string{}}
	if when.Empty() {
		return out, nil
	}
	hours, err := s.tables.HoursOfUser(ctx, c.App.ID, p.UID, when)
	if err != nil {
		return out, err
	}
	step = when.Fit(step, 1)
	var buckets []period.Bucket
	for b := range when.Buckets(step) {
		buckets = append(buckets, b)
	}
	sums := make([]query.UserActivity, len(buckets))
	var total query.UserActivity
	days := map[period.Day]bool{}
	for _, h := range hours {
		total.Add(h.UserActivity)
		days[h.Day] = days[h.Day] || h.Sessions > 0
		i, ok := slices.BinarySearchFunc(buckets, h, func(b period.Bucket, h query.UserHour) int {
			switch {
			case b.Last < h.Day:
				return -1
			case b.First > h.Day:
				return 1
			case b.Step == period.HourStep:
				return b.Hour - h.Hour
			}
			return 0
		})
		if ok {
			sums[i].Add(h.UserActivity)
		}
	}
	out.Totals = totalsDoc{activityDoc: activity(total), Days: len(days)}
	for _, begun := range days {
		if begun {
			out.Totals.SessionDays++
		}
	}
	for i, b := range buckets {
		id := b.ID(period.Colon)
		out.Buckets = append(out.Buckets, id)
		out.Graph[id] = activity(sums[i])
	}
	return out, nil
}
