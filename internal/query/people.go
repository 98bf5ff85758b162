package query

import (
	"context"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/explain"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// People reads the users table of the event store: lists of users by
// condition, and what is counted over users.
type People struct {
	rows  Rows
	texts *heldTexts // nil = none are held
	// answers are remembered; nil = they are not.
	answers *answers
}

// NewPeople returns a reader of users. Over rows of Recall it remembers its answers.
func NewPeople(rows Rows) *People {
	return &People{rows: Knowing(recalled(rewriting{rows}, answersOf(rows)), lookupsOf(rows)), texts: textsOf(rows), answers: answersOf(rows)}
}

// Page is what a list of users asks for. Sort is a short key of profiles; an unknown one
// sorts by number. Limit 0 counts only.
type Page struct {
	Filter        filter.Expr
	Search        string // part of the device id, name, user name or e-mail, whatever its case, or the number
	Sort          string
	Desc          bool
	Offset, Limit int
}

// List returns the numbers of a page of users, and how many match in all.
func (p *People) List(ctx context.Context, app model.AppID, page Page) ([]uint32, int64, error) {
	asks(ctx, func() explain.Question { return page.question(app) })
	ctx = plan.For(ctx, plan.PeopleOperator)
	where := page.where()
	if page.Search != "" {
		found, ok, err := p.texts.find(ctx, app, page.Search)
		if err == nil && !ok && p.texts != nil {
			found, err = p.scanned(ctx, app, page.Search)
			ok = err == nil
		}
		switch {
		case err != nil:
			return nil, 0, err
		case ok && found.IsEmpty():
			return nil, 0, nil
		case ok:
			where = plan.All(plan.Matching(page.Filter, bindUser), plan.InSet{Of: plan.Us("uid"), Set: plan.NewSet(found)})
			if page.Filter.IsZero() {
				total := int64(found.GetCardinality()) // numbers of users are of 32 bits
				uids, err := p.numbers(ctx, app, where, page.order(), page, total)
				return uids, total, err
			}
		}
	}
	return p.page(ctx, app, where, page.order(), page)
}

// scanned is find of texts that are not held: it looks through the users of the store once, where counting them and listing a page of them would do so twice.
// Nobody changes what it returns.
func (p *People) scanned(ctx context.Context, app model.AppID, text string) (*roaring.Bitmap, error) {
	q := &plan.Query{App: app, From: plan.Users, Where: Page{Search: text}.where(), Select: []plan.Expr{plan.Us("uid")}}
	value, remembered, err := p.answers.do(ctx, app, q.Key().With("set"), func() (any, int64, error) {
		out := roaring.New()
		err := missing(p.rows.RunColumns(ctx, q, func(c *events.Columns) error {
			for _, uid := range c.List[0].Whole[:c.Len] {
				out.Add(uint32(uid)) // numbers of users are of 32 bits
			}
			return nil
		}))
		out.RunOptimize()
		return out, int64(out.GetSizeInBytes()), err // it is in memory
	})
	found, _ := value.(*roaring.Bitmap)
	if remembered && err == nil {
		note(ctx, q.String, int64(found.GetCardinality())) // numbers of users are of 32 bits
	}
	return found, err
}

// Prepare has the texts that searches among users of an app look at read in the background, if they are not held: somebody is likely to search.
func (p *People) Prepare(app model.AppID) {
	if p.texts != nil {
		p.texts.of(app)
	}
}

// hasPart returns the conditions that a column has a text as part of it, whatever its case.
func hasPart(text string, columns ...string) []plan.Expr {
	out := make([]plan.Expr, len(columns))
	for i, c := range columns {
		out[i] = plan.Do(plan.HasPart, plan.Do(plan.Lower, plan.Us(c)), plan.Do(plan.Lower, plan.Is(text)))
	}
	return out
}

// page returns the numbers of a page of users and how many there are on all pages. Ties are in the order
// of their numbers.
func (p *People) page(ctx context.Context, app model.AppID, where plan.Expr, order []plan.Order, page Page) (uids []uint32, total int64, err error) {
	q := &plan.Query{App: app, From: plan.Users, Where: where, Select: []plan.Expr{plan.Agg{Fn: plan.Count}}}
	err = p.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(&total) })
	if err != nil {
		return nil, 0, missing(err)
	}
	uids, err = p.numbers(ctx, app, where, order, page, total)
	return uids, total, err
}

// numbers returns the numbers of a page of so many users in all.
func (p *People) numbers(ctx context.Context, app model.AppID, where plan.Expr, order []plan.Order, page Page, total int64) (uids []uint32, err error) {
	if page.Limit <= 0 || int64(page.Offset) >= total {
		return nil, nil
	}
	q := &plan.Query{
		App: app, From: plan.Users, Where: where, Select: []plan.Expr{plan.Us("uid")}, Limit: page.Limit, Offset: page.Offset,
		Order: append(order, plan.Order{By: plan.Us("uid")}),
	}
	err = p.rows.Run(ctx, q, func(row events.Scanner) error {
		var uid uint32
		if err := row.Scan(&uid); err != nil {
			return err
		}
		uids = append(uids, uid)
		return nil
	})
	return uids, missing(err)
}

// order is what a list is sorted by; none when that is unknown.
func (page Page) order() []plan.Order {
	by, ok := bindUser(page.Sort)
	if !ok {
		return nil
	}
	if page.Sort == "uid" { // as a number, which its text does not sort as
		by.Expr = plan.Us("uid")
	}
	return []plan.Order{{By: by.Expr, Desc: page.Desc}}
}

// Find returns the numbers of a page of users whom the text of its search may mean, and how many there are in all.
// By is one of FindBy, whose value then has to be the text; "" finds it in any of them, and in part, whatever its case.
// Those last active come first unless the page is sorted. Its filter does not count.
func (p *People) Find(ctx context.Context, app model.AppID, by string, page Page) ([]uint32, int64, error) {
	asks(ctx, func() explain.Question { return Page{Search: page.Search}.question(app) })
	ctx = plan.For(ctx, plan.PeopleOperator)
	order := page.order()
	if order == nil {
		order = []plan.Order{{By: plan.Us("lac"), Desc: true}}
	}
	text := plan.Is(page.Search)
	if c, ok := bindUser(by); ok && by != "" {
		return p.page(ctx, app, plan.Do(plan.Eq, plan.Do(plan.Text, c), text), order, page)
	}
	where := append(
		hasPart(page.Search, "did", "name", "username", "email", "phone", "custom"),
		plan.Do(plan.Eq, plan.Do(plan.Text, plan.Us("uid")), text), plan.Do(plan.Eq, plan.Us("_id"), plan.Do(plan.Lower, text)),
	)
	return p.page(ctx, app, plan.Any(where...), order, page)
}

// FindBy lists what Find may look at alone.
func FindBy() []string { return []string{"uid", "_id", "did", "name", "username", "email", "phone"} }

// LoyaltyRow is the number of users with so many sessions.
type LoyaltyRow struct {
	Label string `json:"_id"`
	Count int64  `json:"count"`
	Index int    `json:"index"`
}

// loyalty are the ranges of wire.md 4.3: label and smallest number of sessions.
var loyalty = []struct {
	label string
	from  int
}{{"1", 1}, {"2", 2}, {"3-5", 3}, {"6-9", 6}, {"10-19", 10}, {"20-49", 20}, {"50-99", 50}, {"100-499", 100}, {"500+", 500}}

// Loyalty counts users by their number of sessions, of those active since a
// moment (the zero time = ever). Only ranges with users are returned, ascending.
func (p *People) Loyalty(ctx context.Context, app model.AppID, f filter.Expr, since time.Time) ([]LoyaltyRow, error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	where := []plan.Expr{plan.Do(plan.Ge, plan.Us("sc"), plan.Is(1)), plan.Matching(f, bindUser)}
	if !since.IsZero() {
		where = append(where, plan.Do(plan.Ge, plan.Us("lac"), plan.Is(since.Unix())))
	}
	var bucket plan.Expr = plan.Is(0)
	for i, r := range loyalty {
		bucket = plan.Do(plan.If, plan.Do(plan.Ge, plan.Us("sc"), plan.Is(r.from)), plan.Is(i), bucket)
	}
	q := &plan.Query{
		App: app, From: plan.Users, Where: plan.All(where...), Select: []plan.Expr{bucket, plan.Agg{Fn: plan.Count}}, Order: []plan.Order{{By: bucket}},
	}
	out := []LoyaltyRow{}
	err := p.rows.Run(ctx, q, func(row events.Scanner) error {
		var index int
		var n int64
		if err := row.Scan(&index, &n); err != nil {
			return err
		}
		out = append(out, LoyaltyRow{Label: loyalty[index].label, Count: n, Index: index})
		return nil
	})
	return out, missing(err)
}
