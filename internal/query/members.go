package query

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
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
}

// Members returns the numbers of the users for whom a membership holds; it is the caller's own. After each of its parts it calls done with how many
// are done and how many there are.
func (t *Tables) Members(ctx context.Context, app model.AppID, q Membership, done func(done, total int64)) (*roaring.Bitmap, error) {
	ctx = plan.For(ctx, plan.CohortOperator)
	total := int64(len(q.Steps)) + 1
	all, err := t.numbers(ctx, &plan.Query{
		App: app, From: plan.Users, Where: plan.Matching(q.Filter, bindUser), Select: []plan.Expr{plan.Us("uid")},
	})
	if err != nil {
		return nil, err
	}
	done(1, total)
	bind := t.bindTrend(app)
	out := all
	for i, step := range q.Steps {
		of, err := t.stepUsers(ctx, app, step, bind)
		if err != nil {
			return nil, err
		}
		these, err := t.numbers(ctx, of)
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

// numbers reads the numbers of users that a query selects.
func (t *Tables) numbers(ctx context.Context, q *plan.Query) (*roaring.Bitmap, error) {
	out := roaring.New()
	err := t.rows.RunColumns(ctx, q, func(c *events.Columns) error {
		for _, uid := range c.List[0].Whole[:c.Len] {
			out.Add(uint32(uid)) //nolint:gosec // numbers of users are of 32 bits
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
