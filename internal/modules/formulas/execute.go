package formulas

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/formula"
)

type executeReq struct {
	Mode     string       `param:"mode"`
	Metric   string       `param:"metric_id"`
	Formula  params.Value `param:"formula"`
	Bucket   params.Value `param:"bucket"`
	Period   params.Value `param:"period"`
	Timezone string       `param:"timezone"`
	Previous string       `param:"previous"`
	Details  string       `param:"metric_details"`
	Filter   params.Value `param:"filter"`
}

// executed are the values of a formula.
type executed struct {
	App         string                        `json:"app_id"`
	Buckets     []string                      `json:"buckets"`
	Updated     string                        `json:"lu"`
	Title       string                        `json:"title,omitempty"`
	Description *string                       `json:"description,omitempty"`
	Unit        *string                       `json:"unit,omitempty"`
	Format      string                        `json:"format,omitempty"`
	Places      *int                          `json:"dplaces,omitempty"`
	Data        map[string]map[string]*series `json:"data"` // by bucket, then current and previous
}

// series are values by time.
type series struct {
	Values  []float64 `json:"value"`
	Buckets []string  `json:"buckets"`
}

// Bounds of an answer.
const (
	maxBuckets = 5
	maxPoints  = 20_000
)

var errPoints = fault.Newf(fault.Invalid, "formulas.too_many_points", "More than %d values: ask for wider buckets or a shorter period", maxPoints)

// single is the bucket of a whole period.
const single = "single"

// steps are the buckets by their names on the wire.
var steps = map[string]period.Step{
	"hourly": period.HourStep, "daily": period.DayStep, "weekly": period.WeekStep, "monthly": period.MonthStep, "yearly": period.YearStep,
}

// execute computes a formula: one that is kept, or one that is sent.
func (s *service) execute(ctx context.Context, c api.Caller, r executeReq) (any, error) {
	var m metric
	switch r.Mode {
	case "saved":
		var err error
		if m, err = find(ctx, spec().In(s.docs, c.App.ID), c, r.Metric); err != nil {
			return nil, err
		}
	case "unsaved", "snapshot":
		if m.Formula = r.Formula.String(); m.Formula == "" {
			return nil, errIncorrect
		}
	default:
		return struct{}{}, nil // as the wire has it
	}
	ready, err := read(m.Formula)
	if err != nil {
		return nil, err
	}
	if err := narrow(ready, r.Filter); err != nil {
		return nil, err
	}
	if err := permitted(c, ready); err != nil {
		return nil, err
	}
	buckets, err := r.buckets()
	if err != nil {
		return nil, err
	}
	p, err := s.period(c, r)
	if err != nil {
		return nil, err
	}
	out := &executed{App: c.App.ID.String(), Buckets: buckets, Updated: s.now().UTC().Format("2006-01-02T15:04:05.000Z07:00"), Data: map[string]map[string]*series{}}
	if params.On(r.Details) && r.Mode == "saved" {
		out.Title, out.Description, out.Unit, out.Format, out.Places = m.Title, &m.Description, &m.Unit, m.Format, &m.Places
	}
	for _, b := range buckets {
		by := map[string]*series{}
		if by["current"], err = s.compute(ctx, c.App.ID, ready, p, b); err != nil {
			return nil, err
		}
		if params.On(r.Previous) {
			if by["previous"], err = s.compute(ctx, c.App.ID, ready, query.Until(p, p.Prev(), c.Now), b); err != nil {
				return nil, err
			}
		}
		out.Data[b] = by
	}
	return out, nil
}

// narrow has all figures of a formula be of the rows alone that a filter selects.
func narrow(f *formula.Formula, by params.Value) error {
	selected, err := filter.Parse(by.Raw())
	if err != nil {
		return err
	}
	for i := range f.Sources {
		f.Sources[i].Filter = filter.And(f.Sources[i].Filter, selected)
	}
	return nil
}

// buckets reads a name, or a list of names.
func (r executeReq) buckets() ([]string, error) {
	list := []string{r.Bucket.String()}
	if strings.HasPrefix(strings.TrimSpace(string(r.Bucket.Raw())), "[") && json.Unmarshal(r.Bucket.Raw(), &list) != nil {
		return nil, bad("bucket")
	}
	if len(list) == 0 || len(list) > maxBuckets {
		return nil, bad("bucket")
	}
	for _, name := range list {
		if _, ok := steps[name]; !ok && name != single {
			return nil, bad("bucket")
		}
	}
	return list, nil
}

func (s *service) period(c api.Caller, r executeReq) (period.Period, error) {
	if r.Period.String() == "" {
		return period.Period{}, bad("period")
	}
	cal, _ := s.zones.Get(c.App.Timezone)
	if r.Timezone != "" {
		other, known := s.zones.Read(r.Timezone)
		if !known {
			return period.Period{}, bad("timezone")
		}
		cal = other
	}
	return period.Frame{Now: c.Now, Calendar: cal, Parsed: c.Parsed()}.Parse(r.Period.String())
}

// compute computes a formula in each bucket of a period, those without rows too.
func (s *service) compute(ctx context.Context, app model.AppID, f *formula.Formula, p period.Period, bucket string) (*series, error) {
	out := &series{Values: []float64{}, Buckets: []string{}}
	if p.Empty() {
		return out, nil
	}
	places := map[string]int{}
	if bucket == single {
		out.Buckets = append(out.Buckets, p.First.ID(period.Colon)+"-"+p.Last.ID(period.Colon))
	} else {
		for b := range p.Buckets(steps[bucket]) {
			if len(out.Buckets) == maxPoints {
				return nil, errPoints
			}
			places[b.ID(period.Colon)] = len(out.Buckets)
			out.Buckets = append(out.Buckets, b.ID(period.Colon))
		}
	}
	values := make([][]float64, len(out.Buckets)) // of the sources, by bucket
	for i := range values {
		values[i] = make([]float64, len(f.Sources))
	}
	reads, err := s.reads(ctx, app, f, p)
	if err != nil {
		return nil, err
	}
	var step *period.Step
	if bucket != single {
		step = new(steps[bucket])
	}
	trends := make([]query.Trend, len(reads))
	for i, r := range reads {
		trends[i] = r.trend
	}
	done, err := s.ranks.Begin(ctx, trends)
	if err != nil {
		return nil, err
	}
	defer done()
	err = s.tables.TrendsTogether(ctx, app, trends, step, func(i int, b period.Bucket, figures query.Figures) error {
		at := 0
		if step != nil {
			var ok bool
			if at, ok = places[b.ID(period.Colon)]; !ok {
				return errors.New("formulas: figures of a bucket that is not in the period")
			}
		}
		for j, of := range reads[i].sources {
			if v := of.in(f.Sources[j].Measure, figures); v != nil {
				values[at][j] = *v
			}
		}
		return nil
	})
	if errors.Is(err, query.ErrRanks) {
		err = fault.Newf(fault.Invalid, "formulas.too_many_values", "Percentiles of more than %d values: choose a shorter period or a narrower filter", s.ranks.Most())
	}
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		out.Values = append(out.Values, f.Eval(v))
	}
	return out, nil
}

// trend are the rows of a source.
func (s *service) trend(ctx context.Context, app model.AppID, source formula.Source, p period.Period) (t query.Trend, err error) {
	t = query.Trend{Filter: source.Filter, Period: p}
	if t.CountBy, err = query.ParseCountBy(source.Account()); err != nil {
		return t, err
	}
	t.Events, err = s.groups.Keys(ctx, app, source.Event)
	return t, err
}

// measured is the measure of a source; false for the usual figures.
func measured(s formula.Source) (m query.Measure, ok bool) {
	m = query.Measure{Of: s.Of, Share: s.Share}
	switch s.Measure {
	case formula.Count, formula.Sum, formula.Dur, formula.Users, formula.Accounts:
		return m, false
	case formula.Sessions:
		m.Fn = query.MeasureSessions
	case formula.Total:
		m.Fn = query.MeasureSum
	case formula.Average:
		m.Fn = query.MeasureAverage
	case formula.PerUser:
		m.Fn = query.MeasurePerUser
	case formula.Min:
		m.Fn = query.MeasureMin
	case formula.Max:
		m.Fn = query.MeasureMax
	case formula.Percentile:
		m.Fn = query.MeasurePercentile
	}
	return m, true
}

// reading is what is read of rows for the sources of a formula that are of the same event under the same filter: one trend answers them.
type reading struct {
	trend   query.Trend
	sources map[int]figure // by their place in the formula
}

// figure is where the figure of a source stands: among the measures of the trend, from 1 on, or 0 for one of the usual figures.
type figure int

// in is the value among figures; nil where there is nothing to measure.
func (f figure) in(m formula.Measure, figures query.Figures) *float64 {
	if f > 0 {
		return figures.More[f-1]
	}
	switch m {
	case formula.Sum:
		return &figures.Sum
	case formula.Dur:
		return &figures.Dur
	case formula.Users, formula.Accounts:
		return new(float64(figures.Users))
	default:
	}
	return new(float64(figures.Count))
}

// usual are the usual figures by the measures that are one.
var usual = map[formula.Measure]query.UsualFigures{
	formula.Count: query.UsualCount, formula.Sum: query.UsualSum, formula.Dur: query.UsualDur, formula.Users: query.UsualUsers, formula.Accounts: query.UsualUsers,
}

// reads returns what is read for a formula in a period.
func (s *service) reads(ctx context.Context, app model.AppID, f *formula.Formula, p period.Period) ([]reading, error) {
	var out []reading
	for i, source := range f.Sources {
		if slices.ContainsFunc(f.Sources[:i], source.Same) {
			continue
		}
		t, err := s.trend(ctx, app, source, p)
		if err != nil {
			return nil, err
		}
		r := reading{sources: map[int]figure{}}
		for j := i; j < len(f.Sources); j++ {
			if !f.Sources[j].Same(source) {
				continue
			}
			m, ok := measured(f.Sources[j])
			if !ok {
				r.sources[j] = 0
				t.Usual |= usual[f.Sources[j].Measure]
				continue
			}
			t.Measures = append(t.Measures, m)
			t.Usual |= m.Uses()
			r.sources[j] = figure(len(t.Measures))
		}
		if t.Usual == 0 { // which would be all
			t.Usual = query.UsualCount
		}
		r.trend = t
		out = append(out, r)
	}
	return out, nil
}

// checked says whether a formula can be read, and if not, what is wrong where.
type checked struct {
	Correct bool     `json:"correct"`
	Seconds int      `json:"seconds"` // dimension: 1 = seconds, 0 = a number
	Events  []string `json:"events,omitempty"`
	At      *int     `json:"at,omitempty"`
	Error   string   `json:"error,omitempty"`
	Code    string   `json:"code,omitempty"` // of Error, for programs
	Of      string   `json:"of,omitempty"`   // the name, sign or number that Error is about
}

// check answers what is wrong with a formula.
func (s *service) check(_ context.Context, _ api.Caller, r struct {
	Formula params.Value `param:"formula"`
},
) (checked, error) {
	f, err := formula.Parse(unbuilt(r.Formula.String()))
	if wrong, ok := errors.AsType[*formula.Error](err); ok {
		return checked{At: &wrong.At, Error: wrong.Msg, Code: wrong.Code, Of: wrong.Of}, nil
	}
	if err != nil {
		return checked{}, err
	}
	var events []string
	for _, source := range f.Sources {
		if !slices.Contains(events, source.Event) {
			events = append(events, source.Event)
		}
	}
	return checked{Correct: true, Seconds: f.Seconds, Events: events}, nil
}
