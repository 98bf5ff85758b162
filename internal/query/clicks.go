package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/click"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// ClickQuery says which clicks and which scrolling on a view are wanted.
type ClickQuery struct {
	Subject            schema.Subject // the view, by its name or its path
	From, To           int64          // ms, both included
	MinWidth, MaxWidth float64        // of the page; 0 = any
	Segment            string         // platform; "" = any
	Domain             string         // "" = any
	Filter             filter.Expr    // of all rows that are counted; the zero filter selects all
}

// The grid that clicks are counted in: a page of any size has as many columns and rows.
const (
	ClickColumns = 200
	ClickRows    = 500
	// Depths are the per cent of a page that users scroll down to.
	Depths = 100
)

// Spot is a cell of the grid with its clicks.
type Spot struct {
	Column, Row        int
	Clicks, Dead, Rage int64
}

// Clicks is where users click on a view and how far they scroll.
type Clicks struct {
	Clicks, Users int64
	Dead, Rage    int64
	RageUsers     int64
	// Visits are those of the view, Clicked those with a first click, Median and Late the ms to it of the half and of nine tenths of these.
	Visits, Clicked, Median, Late int64
	// Spots are the cells with clicks, by row and column. Clicks without a place on the page are in none.
	Spots []Spot
	// Scrolls is how often scrolling was reported, Reached how often it came as far as a per cent of the page, from 0 on.
	Scrolls int64
	Reached [Depths + 1]int64
	// Width and Height are the medians of the pages' sizes in pixels; 0 = nothing was reported.
	Width, Height float64
}

// ClickMap counts clicks and scrolling on a view. What makes a click dead or a rage click says package click; what an app reports are events
// of all kinds but clicks, sessions, crashes, and what the device did. The clicks of more users than fit into memory are read in parts.
//
// The answer is shared: nobody changes it.
func (f *Funnels) ClickMap(ctx context.Context, app model.AppID, q *ClickQuery) (*Clicks, error) {
	ctx = plan.For(ctx, plan.FlowOperator)
	t := f.tables
	whole := &plan.Query{App: app, From: plan.Events, Where: t.actionsOf(app, q, ""), Select: []plan.Expr{plan.Agg{Fn: plan.Count}}}
	compute := func() (*Clicks, error) {
		done, err := f.take(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		r := &clickReader{t: t, app: app, q: q, out: &Clicks{}, limit: f.limit, users: roaring.New(), raging: roaring.New()}
		err = missing(r.read(ctx))
		return r.out, err
	}
	if t.answers == nil {
		return compute()
	}
	asked, err := t.lookups.in(ctx, whole)
	if err != nil {
		return nil, err
	}
	key := asked.Key().With(fmt.Sprint("clicks ", q.From, " ", q.To))
	value, _, err := t.answers.do(ctx, app, key, func() (any, int64, error) {
		v, err := compute()
		if err != nil {
			return nil, 0, err
		}
		if now, err := t.lookups.in(ctx, whole); err != nil || now != asked && now.Key() != asked.Key() {
			return v, notKept, err // others were members when rows were read, perhaps
		}
		return v, 2000 + 48*int64(len(v.Spots)), nil
	})
	out, _ := value.(*Clicks)
	return out, err
}

// actionsOf is the condition that a row is an action of a type on the view; "" = of any.
func (t *Tables) actionsOf(app model.AppID, q *ClickQuery, of string) plan.Expr {
	text, number := t.actionTexts(app)
	where := []plan.Expr{
		plan.Do(plan.Eq, plan.Ev("e"), plan.Is(actionKey)), plan.Between(plan.Ev("ts"), q.From, q.To),
		plan.Any(plan.Do(plan.Eq, plan.Ev("n"), plan.Is(q.Subject.Name)), plan.OneOf(text("view"), []string{q.Subject.Name, q.Subject.Alias})),
	}
	if of != "" {
		where = append(where, plan.Do(plan.Eq, text("type"), plan.Is(of)))
	}
	if q.MinWidth > 0 {
		where = append(where, plan.Do(plan.Ge, number("width"), plan.Is(q.MinWidth)))
	}
	if q.MaxWidth > 0 {
		where = append(where, plan.Do(plan.Le, number("width"), plan.Is(q.MaxWidth)))
	}
	if q.Segment != "" {
		where = append(where, plan.Any(plan.Do(plan.Eq, text("platform"), plan.Is(q.Segment)), plan.Do(plan.Eq, text("segment"), plan.Is(q.Segment))))
	}
	if q.Domain != "" {
		where = append(where, plan.Do(plan.Eq, text("domain"), plan.Is(q.Domain)))
	}
	return plan.All(append(where, plan.Matching(q.Filter, t.bindEvent(app)))...)
}

// actionTexts returns what finds the properties of actions: "" and 0 where a row has none.
func (t *Tables) actionTexts(app model.AppID) (text, number func(name string) plan.Expr) {
	text = func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Text, t.segmentOfKey(app, actionKey, name)), plan.Is(""))
	}
	number = func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Number, t.segmentOfKey(app, actionKey, name)), plan.Is(0.0))
	}
	return text, number
}

// clickReader makes the answer to a ClickQuery.
type clickReader struct {
	t     *Tables
	app   model.AppID
	q     *ClickQuery
	out   *Clicks
	limit int64 // bytes of clicks

	clicks        click.Clicks
	spots         [ClickColumns * ClickRows]*Spot
	users, raging *roaring.Bitmap
	first         []int64 // ms
	widths        sizes
	heights       sizes
}

// read reads all users at once, and where their clicks do not fit, part by part: only then clicks and visits are counted first.
func (r *clickReader) read(ctx context.Context) error {
	err := r.part(ctx, 0, 1)
	if errors.Is(err, errTooLong) {
		err = r.inParts(ctx)
	}
	if err != nil {
		return err
	}
	if err := r.scrolled(ctx); err != nil {
		return err
	}
	r.finish()
	return nil
}

// inParts reads users part by part.
func (r *clickReader) inParts(ctx context.Context) error {
	parts, err := r.parts(ctx)
	if err != nil {
		return err
	}
	*r.out, r.widths, r.heights = Clicks{}, sizes{}, sizes{}
	for part := range parts {
		if err := r.part(ctx, part, parts); err != nil {
			return err
		}
	}
	return nil
}

// parts returns in how many parts the clicks of users fit into memory.
func (r *clickReader) parts(ctx context.Context) (int64, error) {
	var clicks, visits int64
	count := func(where plan.Expr, to *int64) error {
		q := &plan.Query{App: r.app, From: plan.Events, Where: where, Select: []plan.Expr{plan.Agg{Fn: plan.Count}}}
		return r.t.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(to) })
	}
	if err := count(r.t.actionsOf(r.app, r.q, "click"), &clicks); err != nil {
		return 0, err
	}
	if err := count(r.visited(), &visits); err != nil {
		return 0, err
	}
	return max(2, 1+(clicks+visits)*click.Bytes/max(r.limit, click.Bytes)), nil
}

// visited is the condition that a row is a visit of the view.
func (r *clickReader) visited() plan.Expr {
	return plan.All(
		plan.Do(plan.Eq, plan.Ev("e"), plan.Is(viewKey)), plan.Between(plan.Ev("ts"), r.q.From, r.q.To), plan.Do(plan.Eq, plan.Ev("n"), plan.Is(r.q.Subject.Name)),
		visits(r.t.segmentOfKey(r.app, viewKey, "visit")), plan.Matching(r.q.Filter, r.t.bindEvent(r.app)),
	)
}

// part reads the clicks of one part of the users.
func (r *clickReader) part(ctx context.Context, part, parts int64) error {
	r.clicks.Reset()
	var whose plan.Expr
	if parts > 1 {
		whose = plan.Do(plan.Eq, plan.Do(plan.Mod, plan.Ev("uid"), plan.Is(parts)), plan.Is(part))
	}
	_, number := r.t.actionTexts(r.app)
	clicked := plan.All(r.t.actionsOf(r.app, r.q, "click"), whose)
	err := r.t.rows.RunColumns(ctx, &plan.Query{
		App: r.app, From: plan.Events, Where: clicked,
		Select: []plan.Expr{plan.Ev("uid"), plan.Ev("ts"), number("x"), number("y"), number("width"), number("height")},
	}, func(c *events.Columns) error {
		if parts == 1 && r.tooLong(c.Len) {
			return errTooLong
		}
		return r.add(c)
	})
	if err != nil {
		return err
	}
	r.clicks.Sort()
	err = r.t.rows.RunColumns(ctx, &plan.Query{
		App: r.app, From: plan.Events, Where: plan.All(r.visited(), whose), Select: []plan.Expr{plan.Ev("uid"), plan.Ev("ts")},
	}, func(c *events.Columns) error {
		if parts == 1 && r.tooLong(c.Len+int(r.out.Visits)) {
			return errTooLong
		}
		for i := range c.Len {
			r.clicks.Visit(click.Visit{UID: uint32(c.List[0].Whole[i]), TS: c.List[1].Whole[i]}) // as it is stored
		}
		r.out.Visits += int64(c.Len)
		return nil
	})
	if err != nil {
		return err
	}
	if len(r.clicks.List) > 0 {
		if err := r.answered(ctx); err != nil {
			return err
		}
	}
	r.clicks.Rage()
	r.clicks.First(func(ms int64) { r.first = append(r.first, ms) })
	for i := range r.clicks.List {
		r.tally(&r.clicks.List[i])
	}
	return nil
}

// tooLong reports whether the clicks do not fit into memory, with so many more rows.
func (r *clickReader) tooLong(more int) bool {
	return int64(len(r.clicks.List)+more)*click.Bytes > max(r.limit, click.Bytes)
}

// noCell is the cell of clicks without a place on the page.
const noCell = math.MaxUint32

// add takes rows of clicks.
func (r *clickReader) add(c *events.Columns) error {
	uid, ts, x, y, width, height := c.List[0].Whole, c.List[1].Whole, c.List[2].Number, c.List[3].Number, c.List[4].Number, c.List[5].Number
	for i := range c.Len {
		k := click.Click{UID: uint32(uid[i]), TS: ts[i], X: pixel(x[i]), Y: pixel(y[i]), Cell: noCell} // as it is stored
		if width[i] > 0 && height[i] > 0 && x[i] >= 0 && y[i] >= 0 && x[i] <= width[i] && y[i] <= height[i] {
			column, row := min(int(x[i]*ClickColumns/width[i]), ClickColumns-1), min(int(y[i]*ClickRows/height[i]), ClickRows-1)
			k.Cell = uint32(row*ClickColumns + column) // there are few
			r.widths.add(width[i])
			r.heights.add(height[i])
		}
		r.clicks.Add(k)
	}
	return nil
}

// pixel is a coordinate in whole pixels.
func pixel(v float64) int32 { return int32(max(-1<<30, min(v, 1<<30))) }

// unanswered are the keys of rows that are no reaction to a click.
var unanswered = []string{beginKey, "[CLY]_session", crashKey, "[CLY]_orientation", "[CLY]_consent", "[CLY]_push_sent"}

// answered tells the clicks of what apps reported of their users.
func (r *clickReader) answered(ctx context.Context) error {
	text, _ := r.t.actionTexts(r.app)
	users := roaring.New()
	for i := range r.clicks.List {
		users.Add(r.clicks.List[i].UID)
	}
	isClick := plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(actionKey)), plan.Do(plan.Eq, text("type"), plan.Is("click")))
	return r.t.rows.RunColumns(ctx, &plan.Query{
		App: r.app, From: plan.Events, Select: []plan.Expr{plan.Ev("uid"), plan.Ev("ts")},
		Where: plan.All(
			plan.Between(plan.Ev("ts"), r.q.From-click.Before, r.q.To+click.Answer), plan.Do(plan.Not, plan.OneOf(plan.Ev("e"), unanswered)), plan.Do(plan.Not, isClick),
			plan.InSet{Of: plan.Ev("uid"), Set: plan.NewSet(users)},
		),
	}, func(c *events.Columns) error {
		for i := range c.Len {
			r.clicks.Report(uint32(c.List[0].Whole[i]), c.List[1].Whole[i]) // as it is stored
		}
		return nil
	})
}

// tally counts a click.
func (r *clickReader) tally(k *click.Click) {
	r.out.Clicks++
	r.users.Add(k.UID)
	s := &Spot{}
	if k.Cell != noCell {
		if r.spots[k.Cell] == nil {
			r.spots[k.Cell] = &Spot{Column: int(k.Cell % ClickColumns), Row: int(k.Cell / ClickColumns)}
		}
		s = r.spots[k.Cell]
	}
	s.Clicks++
	if k.Dead {
		r.out.Dead++
		s.Dead++
	}
	if k.Rage {
		r.out.Rage++
		s.Rage++
		r.raging.Add(k.UID)
	}
}

// scrolled counts how far users scrolled.
func (r *clickReader) scrolled(ctx context.Context) error {
	_, number := r.t.actionTexts(r.app)
	return r.t.rows.RunColumns(ctx, &plan.Query{
		App: r.app, From: plan.Events, Where: r.t.actionsOf(r.app, r.q, "scroll"), Select: []plan.Expr{number("y"), number("width"), number("height")},
	}, func(c *events.Columns) error {
		for i := range c.Len {
			y, width, height := c.List[0].Number[i], c.List[1].Number[i], c.List[2].Number[i]
			if height <= 0 || y < 0 {
				continue
			}
			r.out.Scrolls++
			r.out.Reached[min(int(y*Depths/height), Depths)]++
			if r.out.Clicks == 0 && width > 0 {
				r.widths.add(width)
				r.heights.add(height)
			}
		}
		return nil
	})
}

// finish sums up.
func (r *clickReader) finish() {
	r.out.Users, r.out.RageUsers = int64(r.users.GetCardinality()), int64(r.raging.GetCardinality()) // below 2^32
	for i := Depths - 1; i >= 0; i-- {
		r.out.Reached[i] += r.out.Reached[i+1]
	}
	for _, s := range r.spots {
		if s != nil {
			r.out.Spots = append(r.out.Spots, *s)
		}
	}
	slices.Sort(r.first)
	r.out.Clicked = int64(len(r.first))
	if n := len(r.first); n > 0 {
		r.out.Median, r.out.Late = r.first[(n-1)/2], r.first[(n*9+9)/10-1]
	}
	r.out.Width, r.out.Height = r.widths.median(), r.heights.median()
}

// sizes counts sizes in pixels; those beyond the last are the last.
type sizes struct{ n [1 << 16]uint32 }

func (s *sizes) add(v float64) { s.n[min(int(v), len(s.n)-1)]++ }

func (s *sizes) median() float64 {
	var all, sum uint64
	for _, n := range s.n {
		all += uint64(n)
	}
	for v, n := range s.n {
		if sum += uint64(n); all > 0 && sum*2 >= all {
			return float64(v)
		}
	}
	return 0
}
