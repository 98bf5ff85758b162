package performance

import (
	"context"
	"slices"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/sketch"
)

// Bounds of reads.
const (
	maxBuckets = 1000
	usualRows  = 25
	maxRows    = 1000
	maxMetrics = 50  // of one trace
	maxPath    = 512 // bytes
)

var (
	errTooMany = fault.Newf(fault.Invalid, "performance.too_many", "At most %d buckets: ask for wider ones or a shorter period", maxBuckets)
	errUsers   = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// readReq is what reads take.
type readReq struct {
	api.Window

	Filter params.Value `param:"filter"`
}

// asked is a read that was understood.
type asked struct {
	app    model.AppID
	period period.Period
	filter filter.Expr
	// days says that days are those of the app, of which there are cells.
	days bool
}

func (s *service) asked(c api.Caller, r readReq) (asked, error) {
	f, err := api.ReadFilter(c, r.Filter)
	if err != nil {
		return asked{}, err
	}
	p := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	return asked{c.App.ID, p, f, p.Calendar().Location().String() == c.App.Timezone}, nil
}

// samples selects the rows of a measure that are asked for.
func (a asked) samples(m *measure) query.Samples {
	q := m.samples()
	q.Filter, q.Period = a.filter, a.period
	return q
}

// spread asks how the numbers of a measure are spread.
func (a asked) spread(m *measure) *query.SpreadQuery {
	return &query.SpreadQuery{Samples: a.samples(m), Cells: m.cells(), AppDays: a.days}
}

// source names what answered, and how far its percentiles are from the exact ones at most.
func source(fromCells bool) (name string, inexact float64) {
	if fromCells {
		return "cells", sketch.Error
	}
	return "rows", 0
}

// measureRes is a measure with how its numbers are spread.
type measureRes struct {
	ID    string `json:"id"`
	Group string `json:"group"`
	Unit  string `json:"unit"`
	// Event, Metric, Name and Others say which numbers of which rows they are, for questions to other parts of the API.
	Event  string   `json:"event"`
	Metric string   `json:"metric"`
	Name   string   `json:"name,omitempty"`
	Others []string `json:"others,omitempty"`
	// Limits are the largest number that is good and the largest that is not poor; nil = numbers are not rated by limits.
	Limits []float64 `json:"limits,omitempty"`
	query.Spread
}

func resOf(m *measure, s query.Spread) measureRes {
	out := measureRes{ID: m.id, Group: m.group, Unit: m.unit, Event: m.key, Metric: m.metric, Name: m.only, Others: m.other, Spread: s}
	if m.rating.Poor > 0 {
		out.Limits = []float64{m.rating.Good, m.rating.Poor}
	}
	return out
}

// overviewRes are all measures.
type overviewRes struct {
	Source string `json:"source"`
	// Error is how far percentiles are from the exact ones at most, by parts of these.
	Error    float64      `json:"error"`
	Measures []measureRes `json:"measures"`
}

// overview answers how the numbers of each measure are spread in the period.
func (s *service) overview(ctx context.Context, c api.Caller, r readReq) (overviewRes, error) {
	a, err := s.asked(c, r)
	if err != nil {
		return overviewRes{}, err
	}
	var out overviewRes
	for _, m := range measures() {
		spread, fromCells, err := s.spreads.Read(ctx, a.app, a.spread(&m))
		if err != nil {
			return out, err
		}
		out.Source, out.Error = source(fromCells)
		out.Measures = append(out.Measures, resOf(&m, spread))
	}
	return out, nil
}

type courseReq struct {
	readReq

	Measure string `param:"measure"`
	Bucket  string `param:"bucket"`
	// Name is that of the traces alone that are wanted.
	Name string `param:"name"`
}

// bucketRes is the spread in a bucket.
type bucketRes struct {
	ID string `json:"_id"`
	query.Spread
}

type courseRes struct {
	Source  string      `json:"source"`
	Error   float64     `json:"error"`
	Measure measureRes  `json:"measure"`
	Buckets []bucketRes `json:"buckets"`
}

// steps are the widths of buckets.
func stepOf(text string, p period.Period) (period.Step, error) {
	switch text {
	case "":
		return p.Step, nil
	case "hour":
		return period.HourStep, nil
	case "day":
		return period.DayStep, nil
	case "week":
		return period.WeekStep, nil
	case "month":
		return period.MonthStep, nil
	}
	return 0, bad("bucket")
}

// course answers how the numbers of a measure are spread in each bucket of the period that has some.
func (s *service) course(ctx context.Context, c api.Caller, r courseReq) (courseRes, error) {
	m, ok := named(r.Measure)
	if !ok {
		return courseRes{}, bad("measure")
	}
	a, err := s.asked(c, r.readReq)
	if err != nil {
		return courseRes{}, err
	}
	step, err := stepOf(r.Bucket, a.period)
	if err != nil {
		return courseRes{}, err
	}
	out := courseRes{Measure: resOf(&m, query.Spread{}), Buckets: []bucketRes{}}
	if n := bucketsIn(a.period, step); n > maxBuckets {
		return out, errTooMany
	}
	add := func(b period.Bucket, s query.Spread) error {
		out.Buckets = append(out.Buckets, bucketRes{b.ID(period.Dash), s})
		return nil
	}
	q := a.spread(&m)
	q.Name = r.Name
	var fromCells bool
	out.Measure.Spread, fromCells, err = s.spreads.Course(ctx, a.app, q, step, add)
	out.Source, out.Error = source(fromCells)
	return out, err
}

// bucketsIn is how many buckets a period has.
func bucketsIn(p period.Period, step period.Step) int {
	n := 0
	for range p.Buckets(step) {
		if n++; n > maxBuckets {
			break
		}
	}
	return n
}

type tableReq struct {
	readReq
	api.List

	Measure string `param:"measure"`
	// By is what the table is by: a dimension, name, code, or the path of a property.
	By   string `param:"by"`
	Name string `param:"name"`
}

// dimensions are what tables are by, beside names and paths of properties.
func dimensions() map[string]string {
	return map[string]string{
		"name": "n", "app_version": "up.av", "country": "up.cc", "device": "up.d", "device_type": "up.dt", "platform": "up.p", "platform_version": "up.pv",
		"browser": "up.brw", "code": "sg.response_code",
	}
}

// table answers how the numbers of a measure are spread by a dimension, from rows.
func (s *service) table(ctx context.Context, c api.Caller, r tableReq) (api.Table[query.SampleGroup], error) {
	out := api.Table[query.SampleGroup]{Echo: r.Echo.Echo(), Rows: []query.SampleGroup{}}
	m, ok := named(r.Measure)
	if !ok {
		return out, bad("measure")
	}
	path, ok := dimensions()[r.By]
	if !ok {
		if path = r.By; path == "" || len(path) > maxPath {
			return out, bad("by")
		}
	}
	if !auth.MayAskBy(c.Member, c.App.ID, []string{path}, nil) {
		return out, errUsers
	}
	a, err := s.asked(c, r.readReq)
	if err != nil || a.period.Empty() {
		return out, err
	}
	q := a.samples(&m)
	q.By = path
	if r.Name != "" {
		q.Names = []string{r.Name}
	}
	order := query.SampleOrder{By: "n", Desc: true}
	if by, desc := r.SortBy(); query.SampleOrderable(by) {
		order = query.SampleOrder{By: by, Desc: desc}
	}
	skip, limit := r.Part(usualRows, maxRows)
	groups, total, err := s.tables.SampleGroups(ctx, a.app, q, r.Search, order, skip, max(1, limit))
	if len(groups) > 0 {
		out.Rows = groups
	}
	out.Total, out.Display = int(total), int(total)
	return out, err
}

type traceReq struct {
	readReq

	// Kind is device or network, Name that of the traces.
	Kind string `param:"kind"`
	Name string `param:"name"`
}

// metricRes is the spread of a metric of a trace.
type metricRes struct {
	Metric string `json:"metric"`
	query.Spread
}

type traceRes struct {
	Name    string      `json:"name"`
	Metrics []metricRes `json:"metrics"`
	// More is how many further metrics the app sends with traces of the kind, which were not looked at.
	More int `json:"more"`
}

// trace answers all that traces with a name measure, those metrics too that are no measures.
func (s *service) trace(ctx context.Context, c api.Caller, r traceReq) (traceRes, error) {
	out := traceRes{Name: r.Name, Metrics: []metricRes{}}
	key, ok := map[string]string{"device": request.DeviceTraceKey, "network": request.NetworkTraceKey}[r.Kind]
	switch {
	case !ok:
		return out, bad("kind")
	case r.Name == "":
		return out, bad("name")
	}
	a, err := s.asked(c, r.readReq)
	if err != nil || a.period.Empty() {
		return out, err
	}
	names := s.metrics(a.app, key)
	if len(names) > maxMetrics {
		out.More, names = len(names)-maxMetrics, names[:maxMetrics]
	}
	for _, name := range names {
		q := query.Samples{Event: key, Names: []string{r.Name}, Of: "sg." + name, Filter: a.filter, Period: a.period}
		i := slices.IndexFunc(measures(), func(m measure) bool { return m.key == key && m.metric == name && m.has(r.Name) })
		if i >= 0 {
			q.Rating = measures()[i].rating
		}
		spread, err := s.tables.SampleSpread(ctx, a.app, q)
		if err != nil {
			return out, err
		}
		if spread.Count > 0 {
			out.Metrics = append(out.Metrics, metricRes{name, spread})
		}
	}
	return out, nil
}

// metrics lists what traces of a kind were seen to measure: first what there are measures of, then the others in order of appearance.
func (s *service) metrics(app model.AppID, key string) []string {
	var own, others []string
	ev, _ := s.schema.Event(app, key)
	for _, seg := range ev.Segments {
		switch {
		case seg.Omitted || seg.Name == "stz" || seg.Name == "etz" || !seg.IsNumber() && !seg.IsMixed():
		case slices.ContainsFunc(measures(), func(m measure) bool { return m.key == key && m.metric == seg.Name }):
			own = append(own, seg.Name)
		default:
			others = append(others, seg.Name)
		}
	}
	return append(own, others...)
}
