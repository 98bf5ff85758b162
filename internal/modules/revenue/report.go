package revenue

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

// Bounds of reports.
const (
	maxProperties = 3
	usualGroups   = 10
	maxGroups     = 200
	maxPoints     = 100_000 // buckets of all rows and of groups
)

type reportReq struct {
	Period   params.Value `param:"period"`
	Timezone string       `param:"timezone"`
	Events   params.Value `param:"events"`
	Filter   params.Value `param:"filter"`
	Bucket   string       `param:"bucket"`
	By       params.Value `param:"breakdown"`
	Limit    params.Value `param:"breakdown_limit"`
	Sort     string       `param:"sort"`
	Compare  params.Value `param:"compare"`
}

// figures are what people pay. What cannot be divided is nil, as are users where they cannot be counted.
type figures struct {
	Revenue      float64  `json:"revenue"`
	Refunds      float64  `json:"refunds"` // part of Revenue, 0 or below
	Transactions int64    `json:"transactions"`
	Paying       int64    `json:"paying"`
	Users        *int64   `json:"users"`
	ARPU         *float64 `json:"arpu"`
	ARPPU        *float64 `json:"arppu"`
	Order        *float64 `json:"average_order"`
	PerPayer     *float64 `json:"transactions_per_payer"`
	Share        *float64 `json:"paying_percent"`
}

// figuresOf completes what was counted; users is whom it is looked at beside, nil = they cannot be counted.
func figuresOf(r query.Revenue, users *int64) figures {
	f := figures{
		Revenue: rounded(r.Net), Refunds: rounded(r.Refunds), Transactions: r.Purchases, Paying: r.Payers, Users: users,
		ARPPU: quotient(r.Net, r.Payers), Order: quotient(r.Net-r.Refunds, r.Purchases), PerPayer: quotient(float64(r.Purchases), r.Payers),
	}
	if users != nil {
		f.ARPU, f.Share = quotient(r.Net, *users), quotient(100*float64(r.Payers), *users)
	}
	return f
}

func quotient(a float64, b int64) *float64 {
	by := float64(b)
	if q := query.Quotient(&a, &by); q != nil {
		*q = rounded(*q)
		return q
	}
	return nil
}

// point are the figures of a bucket.
type point struct {
	At string `json:"at"`
	figures
}

// besidePoint are the figures of an earlier bucket, and the bucket beside which it stands.
type besidePoint struct {
	Beside string `json:"beside"`
	point
}

// group are the figures of some values of properties.
type group struct {
	Values []any `json:"values"` // nil = absent
	figures
	Data []point `json:"data,omitempty"`
}

// report is what people paid in a period.
type report struct {
	Events     []string  `json:"events"`
	Configured []string  `json:"configured"`
	From       int64     `json:"from"` // ms
	To         int64     `json:"to"`   // ms, included
	Timezone   string    `json:"timezone"`
	Bucket     string    `json:"bucket"`
	Totals     figures   `json:"totals"`
	Data       []point   `json:"data"`
	Groups     []group   `json:"groups,omitempty"`
	Other      *otherRes `json:"other,omitempty"`
	Compare    *earlier  `json:"compare,omitempty"`
	Updated    int64     `json:"lu"` // s
}

// otherRes are the groups that are not listed.
type otherRes struct {
	Groups int64 `json:"groups"`
	figures
}

// earlier is the period that a report is compared with.
type earlier struct {
	From   int64         `json:"from"`
	To     int64         `json:"to"`
	Totals figures       `json:"totals"`
	Data   []besidePoint `json:"data"`
	Groups []figures     `json:"groups,omitempty"` // of the groups of the report, in their order
}

// question is a request that was read.
type question struct {
	query.RevenueQuery
	bucket   string
	step     period.Step
	sort     string
	limit    int
	earlier  *period.Period
	given    []string // keys of the wire
	users    bool     // active users can be counted
	dividing bool     // groups are beside the users of all groups
}

// steps are those of buckets by their names.
var steps = map[string]period.Step{
	"hourly": period.HourStep, "daily": period.DayStep, "weekly": period.WeekStep, "monthly": period.MonthStep, "yearly": period.YearStep,
}

// frame is that of the app's days, or of another zone's.
func (s *service) frame(c api.Caller, zone string) (period.Frame, error) {
	cal, _ := s.zones.Get(c.App.Timezone)
	if zone != "" {
		other, known := s.zones.Read(zone)
		if !known {
			return period.Frame{}, bad("timezone")
		}
		cal = other
	}
	return period.Frame{Now: c.Now, Calendar: cal, Parsed: c.Parsed()}, nil
}

// bought reads the events of a request: those that it names, else those of the app.
func bought(c api.Caller, v params.Value) ([]string, error) {
	list, ok := texts(v)
	if !ok || len(list) > maxEvents || slices.ContainsFunc(list, func(key string) bool { return key == "" || len(key) > maxKey }) {
		return nil, bad("events")
	}
	if len(list) == 0 {
		return configured(c.App), nil
	}
	return usable(list), nil
}

// selection reads a filter.
func selection(v params.Value) (filter.Expr, error) {
	if v.String() == "" {
		return filter.Expr{}, nil
	}
	if !strings.HasPrefix(strings.TrimSpace(string(v.Raw())), "{") || !json.Valid(v.Raw()) {
		return filter.Expr{}, bad("filter")
	}
	return filter.Parse(v.Raw())
}

// whole reads a whole number from least to most.
func whole(v params.Value, usual, least, most int, name string) (int, error) {
	if v.String() == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(v.String())
	if err != nil || n < least || n > most {
		return 0, bad(name)
	}
	return n, nil
}

// permitted refuses paths that the caller may not ask by, see auth.MayAskBy.
func permitted(c api.Caller, paths, by []string) error {
	if !auth.MayAskBy(c.Member, c.App.ID, paths, by) {
		return errUsers
	}
	return nil
}

// question reads a request.
func (s *service) question(ctx context.Context, c api.Caller, r reportReq) (*question, error) {
	q := &question{}
	frame, err := s.frame(c, r.Timezone)
	if err != nil {
		return nil, err
	}
	if q.Period, err = frame.Parse(r.Period.String()); err != nil {
		return nil, err
	}
	if q.given, err = bought(c, r.Events); err != nil {
		return nil, err
	}
	if q.Events, err = s.keys(ctx, c.App.ID, q.given); err != nil {
		return nil, err
	}
	if q.Filter, err = selection(r.Filter); err != nil {
		return nil, err
	}
	by, ok := texts(r.By)
	if !ok || len(by) > maxProperties || slices.ContainsFunc(by, func(path string) bool { return path == "" || len(path) > maxPath }) {
		return nil, bad("breakdown")
	}
	if err := permitted(c, q.Filter.Paths(), by); err != nil {
		return nil, err
	}
	q.users = q.Active()
	q.dividing = q.users && slices.ContainsFunc(by, query.OfPurchase)
	q.By = by
	if q.limit, err = whole(r.Limit, usualGroups, 1, maxGroups, "breakdown_limit"); err != nil {
		return nil, err
	}
	if q.sort = cmp.Or(r.Sort, "revenue"); !query.RevenueOrder(q.sort) {
		return nil, bad("sort")
	}
	q.bucket = r.Bucket
	if q.bucket == "" {
		if q.bucket = "daily"; q.Period.First == q.Period.Last {
			q.bucket = "hourly"
		}
	}
	if q.step, ok = steps[q.bucket]; !ok {
		return nil, bad("bucket")
	}
	if text := r.Compare.String(); text != "" {
		e, err := query.Earlier(frame, q.Period, text)
		if err != nil {
			return nil, bad("compare")
		}
		q.earlier = &e
	}
	return q, q.bounded()
}

// bounded refuses answers that are too large.
func (q *question) bounded() error {
	perDay := 1
	if q.step == period.HourStep {
		perDay = 24
	}
	days := q.Period.Days()
	if q.earlier != nil {
		days += q.earlier.Days()
	}
	groups := 1
	if len(q.By) > 0 {
		groups += q.limit
	}
	if days > maxPoints || days*perDay*groups > maxPoints && q.step <= period.DayStep {
		return errTooMany
	}
	return nil
}

// report answers the figures of a period.
func (s *service) report(ctx context.Context, c api.Caller, r reportReq) (*report, error) {
	q, err := s.question(ctx, c, r)
	if err != nil {
		return nil, err
	}
	out := &report{
		Events: q.given, Configured: configured(c.App), From: q.Period.Start, To: q.Period.End, Timezone: q.Period.Calendar().Location().String(),
		Bucket: q.bucket, Updated: c.Now.Unix(),
	}
	all := q.RevenueQuery
	all.By = nil
	total, err := s.tables.RevenueTotals(ctx, c.App.ID, all)
	if err != nil {
		return nil, err
	}
	out.Totals = figuresOf(total, q.beside(&total))
	found, err := s.buckets(ctx, c.App.ID, all, q.step)
	if err != nil {
		return nil, err
	}
	out.Data = q.points(q.Period, found, nil)
	if len(q.By) > 0 {
		if err := s.breakdown(ctx, c.App.ID, q, total, found, out); err != nil {
			return nil, err
		}
	}
	if q.earlier != nil {
		out.Compare, err = s.before(ctx, c.App.ID, q, out.Groups)
	}
	return out, err
}

// beside is whom the figures of a row are looked at beside.
func (q *question) beside(r *query.Revenue) *int64 {
	if !q.users {
		return nil
	}
	return &r.Active
}

// buckets reads the figures of the buckets that have any.
func (s *service) buckets(ctx context.Context, app model.AppID, q query.RevenueQuery, step period.Step) (map[period.Bucket]query.Revenue, error) {
	found := map[period.Bucket]query.Revenue{}
	err := s.tables.RevenueBuckets(ctx, app, q, step, func(b period.Bucket, f query.Revenue) error {
		found[b] = f
		return nil
	})
	return found, err
}

// points lists every bucket of a period. With all, users are those of all rows.
func (q *question) points(p period.Period, found, all map[period.Bucket]query.Revenue) []point {
	out := []point{}
	for b := range p.Buckets(q.step) {
		f := found[b]
		if all != nil {
			f.Active = all[b].Active
		}
		out = append(out, point{b.ID(period.Dot), figuresOf(f, q.beside(&f))})
	}
	return out
}

// breakdown adds the groups.
func (s *service) breakdown(ctx context.Context, app model.AppID, q *question, total query.Revenue, all map[period.Bucket]query.Revenue, out *report) error {
	groups, n, err := s.tables.RevenueGroups(ctx, app, q.RevenueQuery, q.sort, q.limit)
	if err != nil {
		return err
	}
	found := make([]map[period.Bucket]query.Revenue, len(groups))
	for i := range found {
		found[i] = map[period.Bucket]query.Revenue{}
	}
	err = s.tables.RevenueGroupBuckets(ctx, app, q.RevenueQuery, q.step, groups, func(b period.Bucket, i int, f query.Revenue) error {
		found[i][b] = f
		return nil
	})
	if err != nil {
		return err
	}
	whole := all
	if !q.dividing {
		whole = nil
	}
	out.Groups = []group{}
	for i, g := range groups {
		out.Groups = append(out.Groups, group{g.Values, q.ofGroup(g.Revenue, total), q.points(q.Period, found[i], whole)})
	}
	if rest := n - int64(len(groups)); rest > 0 {
		f, err := s.tables.RevenueBeside(ctx, app, q.RevenueQuery, groups)
		if err != nil {
			return err
		}
		out.Other = &otherRes{rest, q.ofGroup(f, total)}
	}
	return nil
}

// ofGroup are the figures of a group: beside its own users, or those of all groups where the group is one of purchases.
func (q *question) ofGroup(f, total query.Revenue) figures {
	if q.dividing {
		f.Active = total.Active
	}
	return figuresOf(f, q.beside(&f))
}

// before answers the earlier period.
func (s *service) before(ctx context.Context, app model.AppID, q *question, groups []group) (*earlier, error) {
	then := q.RevenueQuery
	then.Period, then.By = *q.earlier, nil
	out := &earlier{From: q.earlier.Start, To: q.earlier.End, Data: []besidePoint{}}
	total, err := s.tables.RevenueTotals(ctx, app, then)
	if err != nil {
		return nil, err
	}
	out.Totals = figuresOf(total, q.beside(&total))
	found, err := s.buckets(ctx, app, then, q.step)
	if err != nil {
		return nil, err
	}
	counterpart := query.Counterparts(q.Period, *q.earlier, q.step)
	i := 0
	points := q.points(*q.earlier, found, nil)
	for b := range q.earlier.Buckets(q.step) {
		if at, ok := counterpart(b); ok {
			out.Data = append(out.Data, besidePoint{at.ID(period.Dot), points[i]})
		}
		i++
	}
	if len(groups) == 0 {
		return out, nil
	}
	then.By = q.By
	list := make([]query.RevenueGroup, len(groups))
	out.Groups = make([]figures, len(groups))
	for i, g := range groups {
		list[i].Values = g.Values
		out.Groups[i] = q.ofGroup(query.Revenue{}, total)
	}
	err = s.tables.RevenueOfGroups(ctx, app, then, list, func(i int, f query.Revenue) error {
		out.Groups[i] = q.ofGroup(f, total)
		return nil
	})
	return out, err
}
