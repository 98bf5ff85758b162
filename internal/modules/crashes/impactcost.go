package crashes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/api"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/query/stats"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// horizons are within how many days people are looked at again.
var horizons = [...]int{1, 7, 30}

// Bounds of a comparison of those hit with others.
const (
	backDays     = 28 // in which sessions before are counted
	sessionReach = 24 * hourMS
	mostStrata   = 1 << 19
	mostMoments  = 1 << 22 // of those not hit; of more, some of the users are looked at
	mostUnhit    = 1 << 20
	mostSeen     = 1 << 24 // numbers of users of whom it is known when they were first seen

	hourMS = 3_600_000
	dayMS  = 24 * hourMS
)

type costReq struct {
	impactReq
	Event string `param:"event"`
	Name  string `param:"name"`
}

// costRes is what a group cost: how many of those hit for the first time in the period came back, or did an event, compared with people like them
// who were not hit.
type costRes struct {
	Users    int64         `json:"users"` // hit for the first time in the period
	Event    string        `json:"event,omitempty"`
	Name     string        `json:"name,omitempty"`
	Sample   int           `json:"sample,omitempty"` // of so many users not hit, one was looked at; absent = all were
	Outcomes []costOutcome `json:"outcomes"`
}

// costOutcome compares how many did something within some days. Rates are percent, with intervals of 95 %.
type costOutcome struct {
	Kind     string `json:"kind"` // "return" or "event"
	Days     int    `json:"days"`
	Followed int64  `json:"followed"` // of the users hit, those for so long ago that it is known
	Matched  int64  `json:"matched"`  // of these, those with someone like them who was not hit
	Unhit    int64  `json:"unhit"`    // users whom they are compared with
	Moments  int64  `json:"moments"`  // days on which these are
	Few      bool   `json:"few"`      // too few people to say anything; figures are absent
	// Hit and Other are the rates of both, standardised; Difference is in points.
	Hit        *measure `json:"hit,omitempty"`
	Other      *measure `json:"other,omitempty"`
	Difference *measure `json:"difference,omitempty"`
	Ratio      *measure `json:"ratio,omitempty"`
}

// cost answers with what a group cost.
func (s *service) cost(ctx context.Context, c api.Caller, r costReq) (costRes, error) {
	if len(r.Event) > maxText || len(r.Name) > maxText || r.Event == "" && r.Name != "" {
		return costRes{}, bad("event is the key of an event, and name that of a view")
	}
	i, err := s.impactOf(ctx, c, r.impactReq)
	if err != nil {
		return costRes{}, err
	}
	q := i.followed(r.Event, r.Name)
	about := fmt.Sprint("crash cost ", i.group, i.signatures, i.period.First, i.period.Last, i.today, i.calendar.Location(), r.Event, "\x00", r.Name)
	out, err := query.Recalled(ctx, s.data.Sequences, i.app, q, about, func(*costRes) int64 { return 3000 }, func() (*costRes, error) {
		done, err := s.takeTurn(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		return s.findCost(ctx, i, q, r)
	})
	if err != nil {
		return costRes{}, err
	}
	return *out, nil
}

// followed selects what is looked at of users: begun sessions, reports of the group and the event, from before the period until the last of them was followed.
func (i *impact) followed(event, name string) *query.FunnelQuery {
	q := &query.FunnelQuery{
		Steps: [][]query.FunnelEvent{sessionsBegun(), i.reports()}, Breakdown: "up.av", With: []string{"up.p"},
		From: i.period.Start - backDays*dayMS, To: min(i.period.End+int64(horizons[len(horizons)-1]+1)*dayMS, i.now),
	}
	if event != "" {
		q.Steps = append(q.Steps, []query.FunnelEvent{{Key: event, Name: name}})
	}
	return q
}

// likeness is what those compared have in common: the day, the platform and version of the app at that moment, since when they are known and how many
// sessions they had before.
type likeness struct {
	day            period.Day
	build          uint32 // platform and version
	seen, sessions uint8
}

// moment is from when on a user is followed. The lower bits of what it did are horizons within which the user came back, those above horizons within which the
// user did the event.
type moment struct {
	stratum uint32
	did     uint8
}

// unhitUser is whose moments end where.
type unhitUser struct {
	uid uint32
	end int
}

// costs collects who is followed from when on.
type costs struct {
	*impact
	before *roaring.Bitmap
	days   map[period.Day]bool // with a report of someone hit for the first time, and those before them
	seen   []uint16            // days since 1970, by number of the user; 0 = unknown
	last   period.Day          // that is whole

	strata  map[likeness]uint32
	list    []likeness
	hit     []moment
	users   int64
	unhit   []unhitUser
	moments []moment
	shift   uint // of 2^shift users not hit, one is looked at
	begun   []sessionAt
}

// sessionAt is a session of a user.
type sessionAt struct {
	at  int // place of its row
	day period.Day
}

func (s *service) findCost(ctx context.Context, i *impact, q *query.FunnelQuery, r costReq) (*costRes, error) {
	c := &costs{impact: i, days: map[period.Day]bool{}, last: i.today - 1, strata: map[likeness]uint32{}}
	var err error
	c.before, err = s.hitBefore(ctx, i, func(ts int64) {
		d := i.calendar.DayBucket(ts)
		c.days[d], c.days[d-1] = true, true
	})
	if err != nil {
		return nil, err
	}
	out := &costRes{Event: r.Event, Name: r.Name, Outcomes: []costOutcome{}}
	if len(c.days) > 0 {
		if c.seen, err = s.firstSeen(ctx, i); err != nil {
			return nil, err
		}
		if _, err := s.data.Sequences.Each(ctx, i.app, q, c.user); err != nil {
			return nil, err
		}
	}
	out.Users = c.users
	if c.shift > 0 {
		out.Sample = 1 << c.shift
	}
	for n := range horizons {
		out.Outcomes = append(out.Outcomes, c.outcome("return", n, n))
	}
	if r.Event != "" {
		for n := range horizons {
			out.Outcomes = append(out.Outcomes, c.outcome("event", n, len(horizons)+n))
		}
	}
	return out, nil
}

// firstSeen returns the days on which users were first seen, by their numbers.
func (s *service) firstSeen(ctx context.Context, i *impact) ([]uint16, error) {
	var out []uint16
	q := &plan.Query{
		App: i.app, From: plan.Users, Where: plan.Do(plan.Lt, plan.Us("uid"), plan.Is(mostSeen)),
		Select: []plan.Expr{plan.Us("uid"), plan.Do(plan.Coalesce, plan.Us("fac"), plan.Is(0))},
	}
	err := s.tables.EachColumns(ctx, q, func(c *events.Columns) error {
		for n := range c.Len {
			uid := c.List[0].Whole[n]
			if grow := int(uid) + 1 - len(out); grow > 0 {
				out = append(out, make([]uint16, grow)...)
			}
			out[uid] = uint16(min(max(c.List[1].Whole[n]/86400, 0), math.MaxUint16)) // clamped
		}
		return nil
	})
	return out, err
}

// user adds the moments of a user: the first report of one who is hit in the period, or else, of each day, one of the sessions before that.
func (c *costs) user(uid uint32, rows []funnel.Row) {
	if c.before.Contains(uid) {
		return
	}
	c.begun = c.begun[:0]
	hit := -1
	for at := range rows {
		if rows[at].Match&sessionBit != 0 {
			c.begun = append(c.begun, sessionAt{at, c.calendar.DayBucket(rows[at].TS)})
		}
		if rows[at].Match&reportBit != 0 && hit < 0 && rows[at].TS >= c.period.Start && rows[at].TS <= c.period.End {
			hit = at
		}
	}
	until := period.MaxDay
	if hit >= 0 {
		c.users++
		from := hit
		for _, b := range c.begun {
			if ts := rows[b.at].TS; b.at < hit && ts >= c.period.Start && ts >= rows[hit].TS-sessionReach {
				from = b.at
			}
		}
		m, day, ok := c.moment(uid, rows, from)
		if ok {
			c.hit = append(c.hit, m)
		}
		until = day
	}
	c.unhitDays(uid, rows, until)
}

// unhitDays adds a session of each day before until.
func (c *costs) unhitDays(uid uint32, rows []funnel.Row, until period.Day) {
	if c.skips(uid) {
		return
	}
	before := len(c.moments)
	for rest := c.begun; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].day == rest[0].day {
			n++
		}
		day := rest[0].day
		if day >= until {
			break
		}
		if day >= c.period.First && day <= c.period.Last && c.days[day] {
			if m, _, ok := c.moment(uid, rows, rest[drawn(uid, int64(day), n)].at); ok {
				c.moments = append(c.moments, m)
			}
		}
		rest = rest[n:]
	}
	if len(c.moments) > before {
		c.unhit = append(c.unhit, unhitUser{uid, len(c.moments)})
	}
	for len(c.moments) > mostMoments || len(c.unhit) > mostUnhit {
		c.thin()
	}
}

// skips reports whether a user is one of those who are not looked at.
func (c *costs) skips(uid uint32) bool { return c.shift > 0 && drawn(uid, -1, 1<<c.shift) != 0 }

// thin leaves out half of the users who are not hit.
func (c *costs) thin() {
	c.shift++
	users, moments, from := c.unhit[:0], c.moments[:0], 0
	for _, u := range c.unhit {
		of := c.moments[from:u.end]
		from = u.end
		if !c.skips(u.uid) {
			moments = append(moments, of...)
			users = append(users, unhitUser{u.uid, len(moments)})
		}
	}
	c.unhit, c.moments = users, moments
}

// moment is from when on a user is followed whose row stands at a place. It returns false where there are too many strata.
func (c *costs) moment(uid uint32, rows []funnel.Row, at int) (m moment, day period.Day, ok bool) {
	from := &rows[at]
	day = c.calendar.DayBucket(from.TS)
	sessions := 0
	for _, b := range c.begun {
		if ts := rows[b.at].TS; b.at < at && ts >= from.TS-backDays*dayMS {
			sessions++
		}
		if b.day > day {
			for n, within := range horizons {
				if int(b.day-day) <= within {
					m.did |= 1 << n
				}
			}
			break
		}
	}
	for _, row := range rows[at:] {
		if row.Match&eventBit != 0 {
			for n, within := range horizons {
				if row.TS-from.TS <= int64(within)*dayMS {
					m.did |= 1 << (len(horizons) + n)
				}
			}
			break
		}
	}
	like := likeness{day: day, build: from.Group, seen: c.seenBefore(uid, from.TS), sessions: binned(sessions, 1, 2, 5, 10, 20)}
	if m.stratum, ok = c.strata[like]; !ok {
		if len(c.list) >= mostStrata {
			return m, day, false
		}
		m.stratum = uint32(len(c.list)) // at most mostStrata
		c.strata[like] = m.stratum
		c.list = append(c.list, like)
	}
	return m, day, true
}

// seenBefore is how long before a moment a user was first seen, as a bin; 0 = unknown.
func (c *costs) seenBefore(uid uint32, ts int64) uint8 {
	if int(uid) >= len(c.seen) || c.seen[uid] == 0 {
		return 0
	}
	return 1 + binned(int(ts/dayMS)-int(c.seen[uid]), 1, 7, 30, 90)
}

// binned returns how many of the bounds, which ascend, a number reaches.
func binned(n int, bounds ...int) uint8 {
	at, exact := slices.BinarySearch(bounds, n)
	if exact {
		at++
	}
	return uint8(at) // there are few
}

// outcome compares what was done within a horizon; bit is that of moments.
func (c *costs) outcome(kind string, horizon, bit int) costOutcome {
	out := costOutcome{Kind: kind, Days: horizons[horizon]}
	known := func(m moment) bool { return int(c.list[m.stratum].day)+out.Days <= int(c.last) }
	strata := make([]stats.Stratum, len(c.list))
	count := func(s *stats.Share, m moment) {
		s.Of++
		s.Did += int64(m.did >> bit & 1)
	}
	for _, m := range c.hit {
		if known(m) {
			out.Followed++
			count(&strata[m.stratum].Hit, m)
		}
	}
	for _, m := range c.moments {
		if known(m) {
			count(&strata[m.stratum].Unhit, m)
		}
	}
	var hit, unhit stats.Effective
	for _, m := range c.hit {
		if w := strata[m.stratum].HitWeight(); known(m) && w > 0 {
			out.Matched++
			hit.Add(w)
		}
	}
	from := 0
	for _, u := range c.unhit {
		sum := 0.0
		for _, m := range c.moments[from:u.end] {
			if w := strata[m.stratum].UnhitWeight(); known(m) && w > 0 {
				out.Moments++
				sum += w
			}
		}
		if from = u.end; sum > 0 {
			out.Unhit++
			unhit.Add(sum)
		}
	}
	found, ok := stats.Standardise(strata, &hit, &unhit)
	if out.Few = !ok || out.Matched < leastPeople || out.Unhit < leastPeople; out.Few {
		return out
	}
	out.Hit, out.Other = ratedPoints(found.Hit), ratedPoints(found.Unhit)
	high := 100 * found.High
	out.Difference = &measure{100 * found.Difference, 100 * found.Low, &high}
	if found.Unhit.Rate > 0 {
		out.Ratio = &measure{Value: found.Ratio, Low: found.RatioLow}
		if !math.IsInf(found.RatioHigh, 1) {
			out.Ratio.High = &found.RatioHigh
		}
	}
	return out
}

// ratedPoints is a rate in percent.
func ratedPoints(r stats.Rated) *measure {
	high := 100 * r.High
	return &measure{100 * r.Rate, 100 * r.Low, &high}
}
