package funnels

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/query/stats"
)

// drivers says what separates those who convert from those who do not.
type drivers struct {
	Users   int64    `json:"users"`   // who reached the one step
	Success int64    `json:"success"` // and the other one
	Percent float64  `json:"percent"`
	Tested  int      `json:"tested"`           // how many differences were looked at
	Sample  int      `json:"sample,omitempty"` // of so many users, one was looked at; 0 = of all
	Back    int64    `json:"back"`             // s in which events were looked for
	Drivers []driver `json:"drivers"`
}

// driver is a value of a property, or an event done before, with how those who have it differ from those who have not.
type driver struct {
	Kind    string `json:"kind"` // "property" or "event"
	Path    string `json:"path,omitempty"`
	Value   any    `json:"value,omitempty"` // nil = the property is absent
	Event   string `json:"event,omitempty"`
	Name    string `json:"name,omitempty"` // of a view, or the group of a crash
	Users   int64  `json:"users"`
	Success int64  `json:"success"`
	// OtherPercent is the share of all others who convert.
	OtherPercent float64 `json:"otherPercent"`
	comparison
}

// Bounds of drivers.
const (
	mostPaths    = 20
	ownPaths     = 12 // properties of the event, when none are named
	usualDrivers = 20
	mostDrivers  = 200
	leastUsers   = 10 // with, and without: below, nothing can be said
	usualBack    = 7 * 86400
	mostBack     = 366 * 86400
	mostEntries  = 1 << 19 // users who are held in memory; of more, some are looked at
)

// usualPaths are the properties of users that are looked at when none are named.
var usualPaths = []string{"up.p", "up.pv", "up.cc", "up.la", "up.av", "up.brw", "up.dt", "up.src"}

// driverQuestion is which drivers are wanted.
type driverQuestion struct {
	from, to int // steps, from 0
	paths    []string
	back     int64 // s
	most     int
}

// entry is a user who reached the step that drivers are looked for at.
type entry struct {
	uid   uint32
	place uint32 // of the row of the step among those of the same time that match it
	did   bool
	ts    int64 // ms, of the row of the step
	began int64 // ms, of the attempt
}

// driving reads which drivers a request wants.
func (s *service) driving(c api.Caller, r analyseReq, q *question) (*driverQuestion, error) {
	d := &driverQuestion{to: len(q.labels) - 1, back: usualBack, most: min(max(cmp.Or(r.DriversMost, usualDrivers), 1), mostDrivers)}
	if r.Drivers != "true" && r.Drivers != "1" {
		who, err := analyseReq{Between: r.Drivers}.chosen(len(q.labels))
		if err != nil {
			return nil, invalid("drivers is true, or two steps, as 0|1")
		}
		d.from, d.to = who.step, who.not
	}
	if r.DriversBack.String() != "" {
		if json.Unmarshal(r.DriversBack.Raw(), &d.back) != nil || d.back < 0 || d.back > mostBack {
			return nil, invalid("drivers_back is 0 to %d seconds", mostBack)
		}
	}
	if r.DriversBy.String() == "" {
		d.paths = s.pathsAt(c, q.query.Steps[d.from])
		return d, nil
	}
	if json.Unmarshal(r.DriversBy.Raw(), &d.paths) != nil || len(d.paths) > mostPaths || slices.ContainsFunc(d.paths, func(p string) bool { return p == "" || len(p) > maxKey }) {
		return nil, invalid("drivers_by is a list of at most %d properties", mostPaths)
	}
	return d, mayLookAt(c, d.paths)
}

// pathsAt are the properties of some events, and of users for those who may read users.
func (s *service) pathsAt(c api.Caller, of []query.FunnelEvent) []string {
	var out []string
	for _, e := range s.schema.Events(c.App.ID) {
		if !slices.ContainsFunc(of, func(f query.FunnelEvent) bool { return f.Key == e.Key }) {
			continue
		}
		for _, seg := range e.Segments {
			if path := "sg." + seg.Name; seg.Listed() && len(out) < ownPaths && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	if auth.Can(c.Member, c.App.ID, "users", model.Read) {
		out = append(out, usualPaths...)
	}
	return out
}

// drivers looks for what separates those who reached one step and another from those who reached the one only.
func (s *service) drivers(ctx context.Context, app model.AppID, q *question, d *driverQuestion) (*drivers, error) {
	about := fmt.Sprintf("funnel %+v drivers %+v", q.funnel, *d)
	bytes := func(d *drivers) int64 { return 200 + 400*int64(len(d.Drivers)) }
	return query.Recalled(ctx, s.rows, app, &q.query, about, bytes, func() (*drivers, error) { return s.findDrivers(ctx, app, q, d) })
}

func (s *service) findDrivers(ctx context.Context, app model.AppID, q *question, d *driverQuestion) (*drivers, error) {
	list, shift, err := s.entries(ctx, app, q, d)
	if err != nil {
		return nil, err
	}
	out := &drivers{Back: d.back, Drivers: []driver{}}
	if shift > 0 {
		out.Sample = 1 << shift
	}
	all := stats.Share{Of: int64(len(list))}
	for _, e := range list {
		if e.did {
			all.Did++
		}
	}
	out.Users, out.Success, out.Percent = all.Of, all.Did, points(all.Rate())
	add := func(of driver, s stats.Share) {
		others := stats.Share{Did: all.Did - s.Did, Of: all.Of - s.Of}
		if s.Of < leastUsers || others.Of < leastUsers {
			return
		}
		of.Users, of.Success, of.OtherPercent, of.comparison = s.Of, s.Did, points(others.Rate()), *comparisonOf(s, others)
		out.Drivers = append(out.Drivers, of)
	}
	for _, path := range d.paths {
		if err := s.byProperty(ctx, app, q, d, path, list, add); err != nil {
			return nil, err
		}
	}
	if d.back > 0 {
		if err := s.byEvent(ctx, app, d, list, add); err != nil {
			return nil, err
		}
	}
	out.rank(d.most)
	return out, nil
}

// rank corrects probabilities for the number of drivers looked at, and keeps the strongest: those whose odds are surely farthest from even.
func (d *drivers) rank(most int) {
	d.Tested = len(d.Drivers)
	p := make([]float64, len(d.Drivers))
	for i := range d.Drivers {
		p[i] = d.Drivers[i].P
	}
	for i, adjusted := range stats.FalseDiscoveries(p) {
		d.Drivers[i].Adjusted = adjusted
	}
	slices.SortStableFunc(d.Drivers, func(a, b driver) int {
		return cmp.Or(cmp.Compare(b.strength(), a.strength()), cmp.Compare(a.P, b.P), cmp.Compare(a.Kind+a.Path+a.Event+a.Name, b.Kind+b.Path+b.Event+b.Name), cmp.Compare(fmt.Sprint(a.Value), fmt.Sprint(b.Value)))
	})
	d.Drivers = d.Drivers[:min(most, len(d.Drivers))]
}

// strength is the end of the interval of the odds that is nearer to even, as a distance; below zero where even lies within.
func (c *comparison) strength() float64 {
	if c.Odds >= 1 {
		return math.Log(max(c.OddsLow, 1e-9))
	}
	return -math.Log(max(c.OddsHigh, 1e-9))
}

// entries are the users who reached the step, by ascending number; shift: of 2^shift users, one was looked at.
func (s *service) entries(ctx context.Context, app model.AppID, q *question, d *driverQuestion) (list []entry, shift uint, err error) {
	left := func(uid uint32) bool { return shift > 0 && uid*2654435761>>(32-shift) != 0 }
	bit := funnel.StepBit(d.from)
	_, err = s.stand(ctx, app, q, d.from, true, func(uid uint32, rows []funnel.Row, a *funnel.Attempt, reached []bool) {
		if left(uid) {
			return
		}
		at := a.Rows[d.from]
		first, _ := a.Span()
		e := entry{uid: uid, ts: rows[at].TS, began: rows[first].TS, did: reached[d.to]}
		for i := at - 1; i >= 0 && rows[i].TS == e.ts; i-- {
			if rows[i].Match&bit != 0 {
				e.place++
			}
		}
		list = append(list, e)
		for len(list) > mostEntries {
			shift++
			list = slices.DeleteFunc(list, func(e entry) bool { return left(e.uid) })
		}
	})
	return list, shift, err
}

// byProperty adds the values that a property has in the rows of the step.
func (s *service) byProperty(ctx context.Context, app model.AppID, q *question, d *driverQuestion, path string, list []entry, add func(driver, stats.Share)) error {
	of := query.FunnelQuery{Steps: q.query.Steps[d.from : d.from+1], Filter: q.query.Filter, From: q.query.From, To: q.query.To, UIDs: q.query.UIDs, Breakdown: path}
	shares := map[uint32]stats.Share{}
	at := 0
	names, err := s.rows.Each(ctx, app, &of, func(uid uint32, rows []funnel.Row) {
		for at < len(list) && list[at].uid < uid {
			at++
		}
		if at == len(list) || list[at].uid != uid {
			return
		}
		left := list[at].place
		for i := range rows {
			if rows[i].TS != list[at].ts {
				continue
			}
			if left > 0 {
				left--
				continue
			}
			count(shares, rows[i].Group, list[at].did)
			return
		}
	})
	if err != nil || len(shares) < 2 {
		return err // what all have separates nobody
	}
	both := len(shares) == 2
	for id, share := range shares {
		if id == query.OtherGroup {
			continue
		}
		if both { // each is the other's contrary: the one that converts more will do
			other := stats.Share{}
			for o, s := range shares {
				if o != id {
					other = s
				}
			}
			if share.Rate() < other.Rate() || share.Rate() == other.Rate() && id == 0 {
				continue
			}
		}
		of := driver{Kind: "property", Path: path}
		if id != 0 {
			of.Value = names[id]
		}
		add(of, share)
	}
	return nil
}

// byEvent adds what users did before their attempts began.
func (s *service) byEvent(ctx context.Context, app model.AppID, d *driverQuestion, list []entry, add func(driver, stats.Share)) error {
	of := query.HappenedQuery{Kinds: query.AllKinds()}
	for _, e := range list {
		of.Users = append(of.Users, query.Stretch{UID: e.uid, From: e.began - d.back*1000, To: e.began - 1})
	}
	shares := map[uint32]stats.Share{}
	names, err := s.rows.Happened(ctx, app, &of, func(at int, did []uint32) {
		for _, id := range did {
			count(shares, id, list[at].did)
		}
	})
	for id, share := range shares {
		if id != query.OtherGroup {
			add(driver{Kind: "event", Event: names[id].Event, Name: names[id].Name}, share)
		}
	}
	return err
}

// count adds a user to a share.
func count(shares map[uint32]stats.Share, id uint32, did bool) {
	s := shares[id]
	s.Of++
	if did {
		s.Did++
	}
	shares[id] = s
}
