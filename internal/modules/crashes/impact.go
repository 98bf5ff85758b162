package crashes

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// The impact of a group is how it stands beside behaviour: which properties those hit have more often than others, what it cost, and what they
// did before. docs/reference/crashes.md defines each figure.

// leastPeople is how many people each side of a comparison has at least; with fewer, nothing is said.
const leastPeople = 10

var errUnknownGroup = fault.New(fault.NotFound, "crashes.unknown_group", "There is no such crash group")

// impactReq says of which group and in which period.
type impactReq struct {
	Group     string       `param:"group"`
	Period    params.Value `param:"period"`
	Timezone  string       `param:"timezone"`
	Timestamp string       `param:"timestamp"`
	Offset    string       `param:"periodOffset"`
}

// impact is what a question about the impact of a group is about.
type impact struct {
	app        model.AppID
	group      string
	signatures []string
	period     period.Period
	calendar   *period.Calendar // of the app
	today      period.Day
	now        int64 // ms
}

// impactOf reads what a request asks about.
func (s *service) impactOf(ctx context.Context, c api.Caller, r impactReq) (*impact, error) {
	if r.Group == "" {
		return nil, bad(`Missing parameter "group"`)
	}
	cal, _ := s.zones.Get(c.App.Timezone)
	p, err := period.NewFrame(c.Now, cal, &s.zones, period.Overrides{Timezone: r.Timezone, Timestamp: r.Timestamp, Offset: r.Offset}).Parse(r.Period.String())
	if err != nil {
		return nil, err
	}
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return nil, err
	}
	defer done()
	g := b.groups[r.Group]
	if g == nil {
		return nil, errUnknownGroup
	}
	ms := c.Now.UnixMilli()
	return &impact{app: c.App.ID, group: g.id, signatures: slices.Clone(g.signatures()), period: p, calendar: cal, today: cal.DayBucket(ms), now: ms}, nil
}

// reports selects the reports of the group as a step.
func (i *impact) reports() []query.FunnelEvent {
	return []query.FunnelEvent{{Key: crashKey, Name: i.group}}
}

// sessionsBegun selects sessions that begin as a step.
func sessionsBegun() []query.FunnelEvent { return []query.FunnelEvent{{Key: closedKey}} }

// What rows match of a question whose steps are sessions and reports.
const (
	sessionBit = 1 << iota
	reportBit
	eventBit
)

// hitBefore returns the users who reported the group before the period, and calls first with the time of the first report of each other one.
func (s *service) hitBefore(ctx context.Context, i *impact, first func(ts int64)) (*roaring.Bitmap, error) {
	before := roaring.New()
	q := &plan.Query{
		App: i.app, From: plan.Events, Where: plan.All(signed(i.signatures), plan.Do(plan.Le, plan.Ev("ts"), plan.Is(i.period.End))),
		Select: []plan.Expr{plan.Ev("uid"), plan.Agg{Fn: plan.Min, Of: plan.Ev("ts")}},
	}
	err := s.tables.Each(ctx, q, func(r events.Scanner) error {
		var uid uint32
		var ts int64
		if err := r.Scan(&uid, &ts); err != nil {
			return err
		}
		if ts < i.period.Start {
			before.Add(uid)
		} else {
			first(ts)
		}
		return nil
	})
	return before, err
}

// drawn returns a number below n that follows from a user and a salt, each about as often.
func drawn(uid uint32, salt int64, n int) int {
	x := uint64(uid)<<32 ^ uint64(salt) // only its bits count
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n)) // below n
}

// takeTurn waits until no other question of this kind is held in memory.
func (s *service) takeTurn(ctx context.Context) (done func(), err error) {
	select {
	case s.impacts <- struct{}{}:
		return func() { <-s.impacts }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// measure is a figure with its interval. High is absent where it has no bound.
type measure struct {
	Value float64  `json:"value"`
	Low   float64  `json:"low"`
	High  *float64 `json:"high,omitempty"`
}
