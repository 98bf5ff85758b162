package query

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Membership is a condition on users: that Filter selects them as they are now and, where there are steps, that the steps hold, taken
// from the first to the last one.
type Membership struct {
	Filter filter.Expr
	Steps  []MemberStep
}

// MemberStep is a step of a Membership.
type MemberStep struct {
	Did
	// First asks for users who did so for the first time ever in the time of the step. Not and Least do not go with it.
	First bool
	// Or widens what the steps before hold for; false narrows it. It means nothing in the first step.
	Or bool
	// Before are what users did before, one after the other, each a time before the next at most: what the step asks for counts only behind the last of them. First,
	// Least and Most do not go with it.
	Before []Before
}

// Before is what users did before something else.
type Before struct {
	Events []string // keys
	Filter filter.Expr
	Within int64 // ms from this to the next, included
}

// errOrdered is the error of Tables.Members for steps with Before.
var errOrdered = errors.New("query: an order of events is found by Funnels.Select")

// Select is Tables.Members of any membership. Rows in an order are held in the memory of f.
func (f *Funnels) Select(ctx context.Context, app model.AppID, q Membership, done func(done, total int64)) (*roaring.Bitmap, error) {
	return f.tables.members(ctx, app, q, done, f.inOrder)
}

// inOrder returns the users who did what a step asks for behind what they did before.
func (f *Funnels) inOrder(ctx context.Context, app model.AppID, s MemberStep) (*roaring.Bitmap, error) {
	q := &FunnelQuery{From: s.From, To: s.To, trend: true}
	within := make([]int64, 0, len(s.Before))
	for _, b := range append(slices.Clone(s.Before), Before{Events: s.Events, Filter: s.Filter}) {
		of := make([]FunnelEvent, len(b.Events))
		for i, key := range b.Events {
			of[i] = FunnelEvent{Key: key, Filter: b.Filter}
		}
		q.Steps, within = append(q.Steps, of), append(within, b.Within)
		q.From -= b.Within
	}
	out, last := roaring.New(), len(within)-1
	reached := make([]int64, last) // when each step was done last, behind those before it
	_, err := f.Each(ctx, app, q, func(uid uint32, rows []funnel.Row) {
		for i := range reached {
			reached[i] = math.MinInt64
		}
		for _, row := range rows {
			for i := last; i >= 0; i-- { // from the last one: a row is not behind itself
				switch {
				case row.Match&funnel.StepBit(i) == 0 || i > 0 && (reached[i-1] == math.MinInt64 || row.TS-reached[i-1] > within[i-1]):
				case i < last:
					reached[i] = row.TS
				case row.TS >= s.From:
					out.Add(uid)
					return
				}
			}
		}
	})
	return out, err
}

// Moment is the place of a row among those of its user: rows are ordered by time, then by place in the journal, then by item.
type Moment struct {
	TS   int64 // ms
	Off  uint64
	Item uint32
}

// EachMoment calls fn for each row of what users did, those up to DidDays.Through, in no order; days and counts are not looked at.
func (t *Tables) EachMoment(ctx context.Context, app model.AppID, d DidDays, fn func(uid uint32, at Moment) error) error {
	ctx = plan.For(ctx, plan.CohortOperator)
	q, err := t.doers(ctx, app, Did{Events: d.Events, Filter: d.Filter, From: d.From, To: d.To}, t.bindTrend(app))
	if err != nil {
		return err
	}
	q.Distinct = false
	q.Where = plan.All(q.Where, plan.Do(plan.Le, plan.Ev("off"), plan.Is(int64(d.Through)))) // a place is of less than 63 bits
	q.Select = append(q.Select, plan.Ev("ts"), plan.Ev("off"), plan.Ev("item"))
	return missing(t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
		for i := range c.Len {
			at := Moment{c.List[1].Whole[i], place(c.List[2].Whole[i]), uint32(c.List[3].Whole[i])} // as they were
			if err := fn(uint32(c.List[0].Whole[i]), at); err != nil {                              // numbers of users are of 32 bits
				return err
			}
		}
		return nil
	}))
}

// Members returns the numbers of the users for whom a membership holds; it is the caller's own. After each of its parts it calls done with how many
// are done and how many there are. Steps with Before are for Funnels.Select.
func (t *Tables) Members(ctx context.Context, app model.AppID, q Membership, done func(done, total int64)) (*roaring.Bitmap, error) {
	return t.members(ctx, app, q, done, func(context.Context, model.AppID, MemberStep) (*roaring.Bitmap, error) { return nil, errOrdered })
}

func (t *Tables) members(ctx context.Context, app model.AppID, q Membership, done func(done, total int64), inOrder func(context.Context, model.AppID, MemberStep) (*roaring.Bitmap, error)) (*roaring.Bitmap, error) {
	ctx = plan.For(ctx, plan.CohortOperator)
	total := int64(len(q.Steps)) + 1
	all, err := t.numbers(ctx, &plan.Query{
		App: app, From: plan.Users, Where: plan.Matching(q.Filter, bindUser), Select: []plan.Expr{plan.Us("uid")},
	})
	if err != nil {
		return nil, err
	}
	done(1, total)
	out := all
	for i, step := range q.Steps {
		did := t.unordered
		if len(step.Before) > 0 {
			did = inOrder
		}
		these, err := did(ctx, app, step)
		if err != nil {
			return nil, err
		}
		these.And(all)
		if step.Not {
			these = roaring.AndNot(all, these)
		}
		switch {
		case i == 0:
			out = these
		case step.Or:
			out.Or(these)
		default:
			out.And(these)
		}
		done(int64(i)+2, total)
	}
	return out, nil
}

// unordered returns those who did what a step asks for, whether it is negated or not.
func (t *Tables) unordered(ctx context.Context, app model.AppID, s MemberStep) (*roaring.Bitmap, error) {
	q, err := t.stepUsers(ctx, app, s, t.bindTrend(app))
	if err != nil {
		return nil, err
	}
	return t.numbers(ctx, q)
}

// stepUsers selects the numbers of those who did what a step asks for, whether it is negated or not.
func (t *Tables) stepUsers(ctx context.Context, app model.AppID, s MemberStep, bind binder) (*plan.Query, error) {
	q, err := t.doers(ctx, app, s.Did, bind)
	if err != nil || !s.First {
		return q, err
	}
	before := s.Did
	before.From, before.To, before.Least, before.Most = 0, s.From-1, 0, 0
	earlier, err := t.doers(ctx, app, before, bind)
	if err != nil {
		return nil, err
	}
	q.Where = plan.All(q.Where, plan.Do(plan.Not, plan.Among{Of: plan.Ev("uid"), Query: earlier}))
	return q, nil
}

// Plain reports whether keys of events name events as they are sent, and no defined events, which stand for others.
func (t *Tables) Plain(ctx context.Context, app model.AppID, keys []string) (bool, error) {
	for _, key := range keys {
		if d, err := t.definition(ctx, app, key); d != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}

// DidDays says what EachDay reads.
type DidDays struct {
	// Did has the events, their filter and the time; how often is not looked at.
	Did
	// Days cuts days. Rows before the instant Split (ms) are of no day.
	Days  *period.Calendar
	Split int64
	// Through is the last place in the journal whose rows count.
	Through uint64
	// Counted asks for counts; without it, they are 0.
	Counted bool
}

// EachDay calls fn for each user and day on which the user did something, with the sum of the counts of the events. Rows before
// DidDays.Split have the day before the first one, -1.
func (t *Tables) EachDay(ctx context.Context, app model.AppID, d DidDays, fn func(uid uint32, day period.Day, count int64) error) error {
	ctx = plan.For(ctx, plan.CohortOperator)
	q, err := t.doers(ctx, app, Did{Events: d.Events, Filter: d.Filter, From: d.From, To: d.To}, t.bindTrend(app))
	if err != nil {
		return err
	}
	var day plan.Expr = plan.Is(int64(-1))
	if d.Split <= d.To {
		day = plan.Do(plan.Quo, localTimeOf(plan.Ev("ts"), d.Days, max(d.From, d.Split), d.To), plan.Is(dayMS))
	}
	if d.From < d.Split && d.Split <= d.To {
		day = plan.Do(plan.If, plan.Do(plan.Lt, plan.Ev("ts"), plan.Is(d.Split)), plan.Is(int64(-1)), day)
	}
	q.Where = plan.All(q.Where, plan.Do(plan.Le, plan.Ev("off"), plan.Is(int64(d.Through)))) // a place is of less than 63 bits
	q.Select = append(q.Select, day)
	if !d.Counted {
		return missing(t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
			for i := range c.Len {
				if err := fn(uint32(c.List[0].Whole[i]), period.Day(c.List[1].Whole[i]), 0); err != nil { // numbers of users are of 32 bits
					return err
				}
			}
			return nil
		}))
	}
	q.Distinct, q.Select = false, append(q.Select, plan.Agg{Fn: plan.Sum, Of: plan.Ev("c")})
	return missing(t.rows.Run(ctx, q, func(row events.Scanner) error {
		var uid uint32
		var day, n int64
		if err := row.Scan(&uid, &day, &n); err != nil {
			return err
		}
		return fn(uid, period.Day(day), n)
	}))
}

// numbers reads the numbers of users that a query selects.
func (t *Tables) numbers(ctx context.Context, q *plan.Query) (*roaring.Bitmap, error) {
	out := roaring.New()
	err := t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
		for _, uid := range c.List[0].Whole[:c.Len] {
			out.Add(uint32(uid)) // numbers of users are of 32 bits
		}
		return nil
	})
	return out, missing(err)
}

// Values counts users by the text of a property as it is now, those of the set alone; users without one are left out.
func (t *Tables) Values(ctx context.Context, app model.AppID, path string, of *roaring.Bitmap) (map[string]int64, error) {
	ctx = plan.For(ctx, plan.ValuesOperator)
	out := map[string]int64{}
	value, ok := bindUser(path)
	if !ok {
		return out, nil
	}
	q := &plan.Query{
		App: app, From: plan.Users, Where: plan.Do(plan.Not, plan.Do(plan.IsNull, plan.Do(plan.Text, value))),
		Select: []plan.Expr{plan.Us("uid"), plan.Do(plan.Text, value)},
	}
	err := t.rows.Run(ctx, q, func(row events.Scanner) error {
		var uid uint32
		var text string
		if err := row.Scan(&uid, &text); err != nil {
			return err
		}
		if !of.Contains(uid) {
			return nil
		}
		if _, known := out[text]; !known && len(out) >= maxMemberValues {
			return nil
		}
		out[text]++
		return nil
	})
	return out, missing(err)
}

// maxMemberValues is how many different values Values counts; users with further ones are left out.
const maxMemberValues = 100_000

// Numbered returns the numbers of the users whose property path, "did" or "uid", is one of texts, by that text.
func (t *Tables) Numbered(ctx context.Context, app model.AppID, path string, texts []string) (map[string]uint32, error) {
	ctx = plan.For(ctx, plan.ValuesOperator)
	out := map[string]uint32{}
	value, ok := bindUser(path)
	if !ok {
		return out, nil
	}
	for len(texts) > 0 {
		some := texts[:min(len(texts), 1000)]
		texts = texts[len(some):]
		q := &plan.Query{App: app, From: plan.Users, Where: plan.OneOf(value.Expr, some), Select: []plan.Expr{plan.Us("uid"), value.Expr}}
		err := t.rows.Run(ctx, q, func(row events.Scanner) error {
			var uid uint32
			var text string
			err := row.Scan(&uid, &text)
			out[text] = uid
			return err
		})
		if err := missing(err); err != nil {
			return nil, err
		}
	}
	return out, nil
}
