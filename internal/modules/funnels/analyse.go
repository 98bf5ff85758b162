package funnels

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/store/docs"
)

type window struct {
	Period    params.Value `param:"period"`
	Timezone  string       `param:"timezone"`
	Timestamp string       `param:"timestamp"`
	Offset    string       `param:"periodOffset"`
}

func (w window) overrides() period.Overrides {
	return period.Overrides{Timezone: w.Timezone, Timestamp: w.Timestamp, Offset: w.Offset}
}

// Ignored implements api.Lenient.
func (w window) Ignored() []error { return w.overrides().Ignored() }

// of reads the window in the zone of the app, or of the caller: rows can be divided at any moment.
func (w window) of(s *service, c api.Caller) (period.Period, error) {
	frame := period.NewFrame(c.Now, s.calendar(c.App), &s.zones, w.overrides())
	frame.Numbers, frame.Parsed = nil, c.Parsed()
	return frame.Parse(w.Period.String())
}

type analyseReq struct {
	window
	Funnel    string       `param:"funnel"`
	Filter    params.Value `param:"filter"`
	FilterID  string       `param:"filter_id"`
	Task      string       `param:"task_id"`
	EndStep   params.Value `param:"end_step"`
	ForStep   params.Value `param:"users_for_step"`
	Between   string       `param:"users_between_steps"`
	Echo      params.Value `param:"echo"`
	CountBy   string       `param:"count_by"`
	Breakdown string       `param:"breakdown"`
	By        string       `param:"breakdown_step"`
	Most      int          `param:"breakdown_limit"`
	Base      string       `param:"breakdown_base"`
	Trend     string       `param:"trend"`
	Instead   string       `param:"instead"`
	// Drivers is true, or two steps, as Between. DriversBy are paths, DriversBack is s.
	Drivers     string       `param:"drivers"`
	DriversBy   params.Value `param:"drivers_by"`
	DriversBack params.Value `param:"drivers_back"`
	DriversMost int          `param:"drivers_limit"`
}

// Ignored implements api.Lenient: beside the window, what a breakdown or drivers are asked for without either.
func (r analyseReq) Ignored() []error {
	out := r.window.Ignored()
	ignored := func(name, text, without string) {
		if text != "" && text != "0" {
			out = append(out, api.BadParam(name, text, "parameter of an answer without "+without))
		}
	}
	if r.Breakdown == "" {
		ignored("breakdown_step", r.By, "breakdown")
		ignored("breakdown_base", r.Base, "breakdown")
	}
	if r.Drivers == "" {
		ignored("drivers_by", r.DriversBy.String(), "drivers")
		ignored("drivers_back", r.DriversBack.String(), "drivers")
	}
	return out
}

// analysis is how far users got.
type analysis struct {
	Total   int64     `json:"total_users"`
	Entered int64     `json:"users_in_first_step"`
	Success int64     `json:"success_users"`
	Rate    float64   `json:"success_rate"` // percent of the total
	Steps   []stepRow `json:"steps"`
	// Conversion is how long it took from the first to the last step.
	Conversion spread     `json:"conversion"`
	Groups     []groupRow `json:"groups,omitempty"`
	// Significance says whether the groups differ; absent where they cannot be compared.
	Significance *significance `json:"significance,omitempty"`
	Trend        []trendRow    `json:"trend,omitempty"`
	Echo         any           `json:"echo,omitempty"`
}

// stepRow is one step. Percentages have two decimals; those of users are of all, those of users entered of those of the first step.
type stepRow struct {
	Step        any             `json:"step"`
	Query       json.RawMessage `json:"query"`
	Users       int64           `json:"users"`
	Times       int64           `json:"times"`
	Percent     float64         `json:"percent"`
	Left        float64         `json:"percentLeft"`
	Entered     float64         `json:"percentUserEntered"`
	LeftEntered float64         `json:"percentLeftUserEntered"`
	Average     float64         `json:"averageTimeSpend"` // s since the step before
	Attempts    int64           `json:"attempts"`
	Optional    bool            `json:"optional,omitempty"`
	Took        *spread         `json:"timeSpend,omitempty"`
}

// spread is a distribution of times (s).
type spread struct {
	Count     int64   `json:"count"`
	Mean      float64 `json:"mean"`
	Min       float64 `json:"min"`
	Median    float64 `json:"median"`
	P75       float64 `json:"p75"`
	P90       float64 `json:"p90"`
	P95       float64 `json:"p95"`
	Max       float64 `json:"max"`
	Histogram []bar   `json:"histogram"`
}

// bar counts times above the bound before; the last one has no bound.
type bar struct {
	To    float64 `json:"to,omitempty"` // s, included
	Count int64   `json:"count"`
}

// groupRow is how far the users of one value of a property got.
type groupRow struct {
	Value any     `json:"value"` // nil = it is absent
	Other bool    `json:"other,omitempty"`
	Users []int64 `json:"users"` // by step
	// Comparison is absent of the group of all others, and where groups cannot be compared.
	Comparison *comparison `json:"comparison,omitempty"`
}

// errProblem is what the wire says of a failure.
const errProblem = "There was a problem calculating funnel"

// Bounds of groups in an answer.
const (
	usualGroups = 10
	mostGroups  = 1000
)

// analyse answers with how far users got, or, where users of a step are asked for, with their numbers.
func (s *service) analyse(ctx context.Context, c api.Caller, r analyseReq) (any, error) {
	if r.Task != "" {
		return s.result(ctx, c, r.Task)
	}
	if r.Funnel == "" {
		return nil, errMissing
	}
	d, err := spec().In(s.docs, c.App.ID).Get(ctx, r.Funnel)
	if docs.IsNotFound(err) {
		return nil, errUnknown
	}
	if err != nil {
		return nil, err
	}
	q, err := s.question(ctx, c, d, r)
	if err != nil {
		return nil, err
	}
	if r.Instead+r.Drivers != "" && q.query.CountBy != query.CountUsers {
		return nil, invalid("instead and drivers are of users: send count_by=users")
	}
	if r.Instead != "" {
		who, err := analyseReq{Between: r.Instead}.chosen(len(q.labels))
		if err != nil {
			return nil, invalid("instead is two steps, as 0|1")
		}
		return s.instead(ctx, c.App.ID, q, who)
	}
	if r.Drivers != "" {
		d, err := s.driving(c, r, q)
		if err != nil {
			return nil, err
		}
		return s.drivers(ctx, c.App.ID, q, d)
	}
	var who *chosen
	if r.ForStep.String()+r.EndStep.String()+r.Between != "" {
		if who, err = r.chosen(len(q.labels)); err != nil {
			return nil, err
		}
		if !auth.MayLookAtPeople(c.Member, c.App.ID) {
			return nil, errRight
		}
	}
	out, err := s.run(ctx, c.App.ID, q, who)
	if err != nil {
		return nil, err
	}
	if who != nil {
		return who.list, nil
	}
	out.Echo = r.Echo.Echo()
	return out, nil
}

// question is what one analysis asks.
type question struct {
	*compiled
	period period.Period
	by     func([]funnel.Row, *funnel.Attempt) uint32
	byStep string // what by goes by
	byAt   int    // the step that by goes by, from 0 on; -1 = that differs
	most   int
	base   string      // value of the group that the others are compared with; "" = each with all others
	trend  period.Step // AutoStep = none
	now    int64       // ms
}

// counted is what the rows of a funnel come to.
type counted struct {
	tally *funnel.Tally // without its times
	times times
	names query.FunnelGroups
	total int64
}

// times are how long it took to each step from the one before, and from the first to the last. The zero times are unknown.
type times struct {
	steps []spread
	whole spread
}

// timesOf takes the times out of a tally: they are large, and take long to evaluate.
func timesOf(t *funnel.Tally) times {
	out := times{whole: spreadOf(&t.Whole), steps: make([]spread, len(t.Took))}
	for i := range t.Took {
		out.steps[i] = spreadOf(&t.Took[i])
	}
	t.Whole, t.Took = funnel.Spread{}, nil
	return out
}

func (c *counted) bytes() int64 {
	n := c.tally.Bytes() + 600*int64(1+len(c.times.steps))
	for _, name := range c.names {
		n += 16 + int64(len(name))
	}
	return n
}

// question puts a funnel and a request together.
func (s *service) question(ctx context.Context, c api.Caller, d Definition, r analyseReq) (*question, error) {
	p, err := r.of(s, c)
	if err != nil {
		return nil, err
	}
	ready, err := s.compile(ctx, c.App.ID, d)
	if err != nil {
		return nil, err
	}
	q := &question{compiled: ready, period: p, most: min(max(cmp.Or(r.Most, usualGroups), 1), mostGroups), base: r.Base, now: now(c)}
	if q.trend, err = trendStep(r.Trend, p); err != nil {
		return nil, err
	}
	q.query.From, q.query.To = p.Start, p.End
	var paths []string
	if r.CountBy != "" {
		if q.query.CountBy, err = query.ParseCountBy(r.CountBy); err != nil {
			return nil, err
		}
		paths = q.query.CountBy.Paths()
	}
	if text := r.Filter.String(); text != "" {
		if q.query.Filter, err = filter.Parse(r.Filter.Raw()); err != nil {
			return nil, err
		}
		paths = append(paths, q.query.Filter.Paths()...)
	} else if r.FilterID != "" {
		return nil, errFilterID
	}
	if r.Breakdown != "" {
		paths = append(paths, r.Breakdown)
		q.query.Breakdown = r.Breakdown
		q.byStep = r.By
		if q.by, q.byAt, err = attribution(r.By, len(q.labels)); err != nil {
			return nil, err
		}
	}
	return q, mayLookAt(c, paths)
}

// attribution reads which step's row tells the group: first, last, or a number from 1 on. At is the step, from 0 on; -1 for the last.
func attribution(text string, steps int) (by func([]funnel.Row, *funnel.Attempt) uint32, at int, err error) {
	switch text {
	case "", "first":
		return funnel.First, 0, nil
	case "last":
		return funnel.Last, -1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > steps {
		return nil, 0, invalid("breakdown_step is first, last, or a step from 1 to %d", steps)
	}
	return funnel.At(n - 1), n - 1, nil
}

// chosen are the users who are wanted: those who reached a step, and not another one. Steps count from 0.
type chosen struct {
	step, not int // not: -1 = none
	list      []string
}

// chosen reads which users are wanted.
func (r analyseReq) chosen(steps int) (*chosen, error) {
	number := func(text string) (int, error) {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 || n >= steps {
			return 0, invalid("Steps are numbered from 0 to %d", steps-1)
		}
		return n, nil
	}
	out := &chosen{not: -1, list: []string{}}
	var err error
	if r.Between == "" {
		out.step, err = number(cmp.Or(r.ForStep.String(), r.EndStep.String()))
		return out, err
	}
	from, to, ok := strings.Cut(r.Between, "|")
	if !ok {
		return nil, invalid("users_between_steps is two steps, as 0|1")
	}
	if out.step, err = number(from); err != nil {
		return nil, err
	}
	if out.not, err = number(to); err == nil && out.not <= out.step {
		err = invalid("users_between_steps is two steps, as 0|1")
	}
	return out, err
}

// members finds the users who are chosen, or the sessions or accounts.
func (s *service) members(ctx context.Context, app model.AppID, q *question, who *chosen) error {
	m, err := funnel.New(q.funnel)
	if err != nil {
		return err
	}
	tally := funnel.NewTally(len(q.labels), nil)
	who.list, err = s.rows.Members(ctx, app, &q.query, func(rows []funnel.Row) bool {
		reached := tally.Add(m, rows)
		return reached[who.step] && (who.not < 0 || !reached[who.not])
	})
	return failed(ctx, err)
}

// failed is what the wire says of a read that failed.
func failed(ctx context.Context, err error) error {
	if err != nil && fault.CodeOf(err) == "" && ctx.Err() == nil {
		err = fault.Wrap(err, fault.Internal, "funnels.failed", errProblem)
	}
	return err
}

// run asks, and counts. Users who are chosen go to who; there is no analysis then.
func (s *service) run(ctx context.Context, app model.AppID, q *question, who *chosen) (*analysis, error) {
	if who != nil {
		return nil, s.members(ctx, app, q, who)
	}
	about := fmt.Sprintf("funnel %+v by %q", q.funnel, q.byStep)
	if q.trend != period.AutoStep {
		about += fmt.Sprintf(" in steps %d from %d in %s", q.trend, q.period.First, q.period.Calendar().Location())
	}
	found, err := query.Recalled(ctx, s.rows, app, &q.query, about, (*counted).bytes, func() (*counted, error) { return s.count(ctx, app, q) })
	if err != nil {
		return nil, err
	}
	out := summary(q.compiled, found.tally, found.times, found.total)
	if q.by != nil {
		out.Groups, out.Significance = groupRows(found.tally, found.names, q)
	}
	if q.trend != period.AutoStep {
		out.Trend = q.trendRows(found.tally)
	}
	return out, nil
}

// count counts all users.
func (s *service) count(ctx context.Context, app model.AppID, q *question) (*counted, error) {
	tally, names, err := s.walk(ctx, app, q)
	if err != nil {
		return nil, err
	}
	total, err := s.rows.Users(ctx, app, &q.query)
	if err != nil {
		return nil, err
	}
	return &counted{tally: tally, times: timesOf(tally), names: names, total: total}, nil
}

// walk counts how far each user got.
func (s *service) walk(ctx context.Context, app model.AppID, q *question) (*funnel.Tally, query.FunnelGroups, error) {
	tallies := make([]*funnel.Tally, query.Workers())
	fns := make([]func(uint32, []funnel.Row), len(tallies))
	for i := range tallies {
		m, err := funnel.New(q.funnel)
		if err != nil {
			return nil, nil, err
		}
		t := funnel.NewTally(len(q.labels), q.by)
		if q.trend != period.AutoStep {
			t.Over(q.part())
		}
		tallies[i], fns[i] = t, func(_ uint32, rows []funnel.Row) { t.Add(m, rows) }
	}
	names, err := s.rows.EachOf(ctx, app, &q.query, fns...)
	for _, t := range tallies[1:] {
		tallies[0].Merge(t)
	}
	return tallies[0], names, failed(ctx, err)
}

// summary writes a tally. Events may come in later requests than those of their time, so there are at least as many users as entered.
func summary(c *compiled, t *funnel.Tally, took times, users int64) *analysis {
	n := len(c.labels)
	out := &analysis{Total: max(users, t.Users[0]), Entered: t.Users[0], Success: t.Users[n-1], Steps: make([]stepRow, n), Conversion: took.whole}
	out.Rate = percent(out.Success, out.Total)
	before := out.Total // users of the last step that cannot be skipped
	for i := range out.Steps {
		u := t.Users[i]
		row := stepRow{
			Step: c.labels[i], Query: c.shown[i], Users: u, Times: t.Rows[i], Percent: percent(u, out.Total), Left: percent(before-u, out.Total),
			Entered: percent(u, out.Entered), Attempts: t.Attempts[i], Optional: c.funnel.Optional[i],
		}
		if i > 0 {
			row.LeftEntered = percent(before-u, out.Entered)
		}
		if i > 0 && took.steps != nil {
			row.Average, row.Took = took.steps[i].Mean, &took.steps[i]
		}
		if !row.Optional {
			before = u
		}
		out.Steps[i] = row
	}
	return out
}

// percent is a share with two decimals.
func percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(float64(part)*10_000/float64(whole)) / 100
}

// seconds writes ms, with three decimals.
func seconds(ms float64) float64 { return math.Round(ms) / 1000 }

func spreadOf(s *funnel.Spread) spread {
	at := func(p float64) float64 { return seconds(float64(s.Percentile(p))) }
	out := spread{
		Count: s.Count, Mean: seconds(s.Mean()), Min: seconds(float64(s.Min)), Median: at(50), P75: at(75), P90: at(90), P95: at(95), Max: seconds(float64(s.Max)), Histogram: []bar{},
	}
	last := -1
	for i, n := range s.Within {
		if n > 0 {
			last = i
		}
	}
	bounds := funnel.Bounds()
	for i := range last + 1 {
		b := bar{Count: s.Within[i]}
		if i < len(bounds) {
			b.To = seconds(float64(bounds[i]))
		}
		out.Histogram = append(out.Histogram, b)
	}
	return out
}

// result answers with what a task that an analysis went on as has found.
func (s *service) result(ctx context.Context, c api.Caller, id string) (any, error) {
	t, err := s.tasks.Get(ctx, id)
	if docs.IsNotFound(err) || err == nil && (t.Type != feature || t.App != c.App.ID || t.Creator != c.Member.ID && !t.Global) {
		return nil, errTask
	}
	switch {
	case err != nil:
		return nil, err
	case t.State == jobs.Errored:
		return nil, fault.New(fault.Internal, "funnels.failed", errProblem)
	case t.State != jobs.Completed || t.Result.Data == nil:
		return map[string]string{"task_id": t.ID}, nil
	}
	return t.Result.Data, nil
}

type ofUserReq struct {
	window
	UID string `param:"uid"`
}

// userRow is how far one user got in a funnel.
type userRow struct {
	ID    string    `json:"_id"`
	Name  string    `json:"name"`
	Steps []step    `json:"steps"`
	Step  int       `json:"step"`
	Data  *analysis `json:"data"`
}

// ofUser answers with the funnels that a user entered. What cannot be asked is left out, as the wire has it.
func (s *service) ofUser(ctx context.Context, c api.Caller, r ofUserReq) ([]userRow, error) {
	out := []userRow{}
	uid, err := strconv.ParseUint(r.UID, 10, 32)
	if err != nil || !auth.Can(c.Member, c.App.ID, feature, model.Read) {
		return out, nil // no user has such a number
	}
	if !auth.MayLookAtPeople(c.Member, c.App.ID) {
		return nil, errRight
	}
	for f, err := range spec().In(s.docs, c.App.ID).List(ctx, docs.Query{Sort: "order"}) {
		if err != nil {
			return nil, err
		}
		q, err := s.question(ctx, c, f, analyseReq{window: r.window})
		if fault.CodeOf(err) != "" {
			continue
		}
		if err != nil {
			return nil, err
		}
		q.query.UIDs, q.query.CountBy = []uint32{uint32(uid)}, query.CountUsers
		a, err := s.run(ctx, c.App.ID, q, nil)
		if err != nil {
			return nil, err
		}
		depth := 0
		for i := range a.Steps {
			if a.Steps[i].Users > 0 {
				depth = i + 1
			}
		}
		if depth > 0 {
			out = append(out, userRow{f.ID, f.Name, f.Steps, depth, a})
		}
	}
	return out, nil
}
