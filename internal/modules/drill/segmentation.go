package drill

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

type segmentationReq struct {
	Event     string       `param:"event"`
	Query     params.Value `param:"queryObject"`
	Period    params.Value `param:"period"`
	Bucket    params.Value `param:"bucket"`
	By        params.Value `param:"projectionKey"`
	List      string       `param:"list"`
	Limit     params.Value `param:"limit"`
	Skip      params.Value `param:"skip"`
	Sort      params.Value `param:"sort"`
	GraphSort string       `param:"sortGraphBy"`
	// Timezone cuts days in another zone than the app's; Steps are conditions on what people did.
	Timezone string       `param:"timezone"`
	Steps    params.Value `param:"steps"`
}

type segmentationRes struct {
	Totals    query.Figures `json:"totals"`
	Segments  *ordered      `json:"segments,omitempty"` // by label, in the order asked for
	Data      ordered       `json:"data"`               // by bucket, then time, then, in a breakdown, label
	Buckets   []string      `json:"buckets"`
	Page      *pageData     `json:"page_data,omitempty"`
	AppID     string        `json:"app_id"`
	Updated   string        `json:"lu"`
	QueryTime int64         `json:"query_time"` // ms
}

// pageData says which segments of all are shown; Start and End count from 1.
type pageData struct {
	Total   int64 `json:"total"`
	Limit   int   `json:"limit"`
	Start   int64 `json:"start"`
	End     int64 `json:"end"`
	Pages   int64 `json:"pages"`
	Current int64 `json:"curPage"`
}

// segment is a group of rows.
type segment struct {
	label  string
	values []any
	keys   ordered
}

// maxPoints is how many values the buckets of an answer hold at most.
const maxPoints = 100_000

var errPoints = fault.Newf(fault.Invalid, "drill.too_many_points", "More than %d values: ask for wider buckets or a shorter period", maxPoints)

// question is a request that was read.
type question struct {
	trend   query.Trend
	buckets []bucket
	list    bool
	order   query.TrendOrder
	limit   int
	skip    int
}

// segmentation answers figures of an event's rows.
func (s *service) segmentation(ctx context.Context, c api.Caller, r segmentationReq) (segmentationRes, error) {
	began := s.now()
	q, err := s.question(ctx, c, r)
	if err != nil {
		return segmentationRes{}, err
	}
	out := segmentationRes{AppID: c.App.ID.String(), Updated: began.UTC().Format("2006-01-02T15:04:05.000Z07:00")}
	for _, b := range q.buckets {
		out.Buckets = append(out.Buckets, b.name)
	}
	if out.Totals, err = s.tables.TrendTotals(ctx, c.App.ID, q.trend); err != nil {
		return out, err
	}
	if len(q.trend.By) == 0 {
		out.Data, err = s.graph(ctx, c.App.ID, q)
	} else {
		err = s.breakdown(ctx, c.App.ID, q, &out)
	}
	out.QueryTime = s.now().Sub(began).Milliseconds()
	return out, err
}

// question reads a request, in the order of the wire's checks.
func (s *service) question(ctx context.Context, c api.Caller, r segmentationReq) (q question, err error) {
	if r.Event == "" {
		return q, missing("event")
	}
	if r.Query.String() == "" {
		return q, missing("queryObject")
	}
	f, err := readFilter(r.Query, "queryObject")
	if err != nil {
		return q, err
	}
	frame, err := s.frame(c, r.Timezone)
	if err != nil {
		return q, err
	}
	p, err := readPeriod(frame, r.Period.String())
	if err != nil {
		return q, err
	}
	if q.buckets, err = readBuckets(r.Bucket); err != nil {
		return q, err
	}
	by, err := readProperties(r.By)
	if err != nil {
		return q, err
	}
	q.trend = query.Trend{Filter: f, Period: p, By: by}
	paths := f.Paths()
	if q.trend.Did, err = s.steps(ctx, c, frame, p, r.Steps, &paths); err != nil {
		return q, err
	}
	if err := permitted(c.Member, c.App.ID, paths, by); err != nil {
		return q, err
	}
	if q.trend.Events, err = s.groups.Keys(ctx, c.App.ID, r.Event); err != nil {
		return q, err
	}
	return q, q.page(r)
}

// frame is that of the app's days, or of another zone's.
func (s *service) frame(c api.Caller, zone string) (period.Frame, error) {
	cal, _ := s.zones.Get(c.App.Timezone)
	if zone != "" {
		other, known := s.zones.Get(zone)
		if !known {
			return period.Frame{}, bad("timezone")
		}
		cal = other
	}
	return period.Frame{Now: c.Now, Calendar: cal}, nil
}

// page reads which segments are wanted, and in which order.
func (q *question) page(r segmentationReq) (err error) {
	q.list = truthy(r.List)
	if q.limit, err = within(r.Limit, usualLimit, 1, maxLimit, "limit"); err != nil {
		return err
	}
	q.order = query.TrendOrder{By: "t", Desc: true}
	if !q.list {
		if r.GraphSort != "" {
			q.order.By = r.GraphSort
		}
		if !q.trend.Orderable(q.order.By) {
			return bad("sortGraphBy")
		}
		return nil
	}
	if q.skip, err = within(r.Skip, 0, 0, maxSkip, "skip"); err != nil || r.Sort.String() == "" {
		return err
	}
	var by map[string]float64
	if json.Unmarshal(r.Sort.Raw(), &by) != nil || len(by) > 1 {
		return bad("sort")
	}
	for name, direction := range by {
		if !q.trend.Orderable(name) || direction == 0 {
			return bad("sort")
		}
		q.order = query.TrendOrder{By: name, Desc: direction < 0}
	}
	return nil
}

// graph answers the buckets of all rows.
func (s *service) graph(ctx context.Context, app model.AppID, q question) (ordered, error) {
	var data ordered
	points := 0
	for _, b := range q.buckets {
		rows := ordered{}
		err := s.tables.TrendBuckets(ctx, app, q.trend, b.step, func(at period.Bucket, f query.Figures) error {
			if points++; points > maxPoints {
				return errPoints
			}
			rows.add(at.ID(period.Dot), f)
			return nil
		})
		if err != nil {
			return nil, err
		}
		data.add(b.name, rows)
	}
	return data, nil
}

// breakdown answers segments and, unless they are for a list, their buckets.
func (s *service) breakdown(ctx context.Context, app model.AppID, q question, out *segmentationRes) error {
	groups, total, err := s.tables.TrendGroups(ctx, app, q.trend, q.order, q.skip, q.limit)
	if err != nil {
		return err
	}
	out.Page = pageOf(total, q.skip, q.limit, len(groups))
	out.Segments = &ordered{}
	segments := label(q.trend.By, groups)
	for i, g := range groups {
		out.Segments.add(segments[i].label, segments[i].entry(g.Figures))
	}
	points := 0
	for _, b := range q.buckets {
		rows := ordered{}
		if !q.list {
			var at string
			var last *ordered
			err := s.tables.TrendGroupBuckets(ctx, app, q.trend, b.step, groups, func(bucket period.Bucket, group int, f query.Figures) error {
				if points++; points > maxPoints {
					return errPoints
				}
				if id := bucket.ID(period.Dot); last == nil || id != at {
					at, last = id, &ordered{}
					rows.add(id, last)
				}
				last.add(segments[group].label, inBucket{f, segments[group].keys})
				return nil
			})
			if err != nil {
				return err
			}
		}
		out.Data.add(b.name, rows)
	}
	return nil
}

// inBucket are the figures of a segment in one bucket.
type inBucket struct {
	query.Figures
	Keys ordered `json:"keys"`
}

func pageOf(total int64, skip, limit, shown int) *pageData {
	p := &pageData{Total: total, Limit: limit, Pages: (total + int64(limit) - 1) / int64(limit), Current: int64(skip/limit) + 1}
	if shown > 0 {
		p.Start, p.End = int64(skip)+1, int64(skip+shown)
	}
	return p
}

// unknown is the label of rows without a property.
const unknown = "Unknown"

// label names groups by their values. Where two would have one name, the later ones get a number.
func label(by []string, groups []query.TrendGroup) []segment {
	out := make([]segment, len(groups))
	taken := map[string]bool{}
	for i, g := range groups {
		parts := make([]string, len(by))
		for j, v := range g.Values {
			text, ok := v.(string)
			parts[j] = text
			if !ok {
				parts[j] = unknown
			}
			out[i].keys.add(by[j], v)
		}
		name := strings.Join(parts, " | ")
		out[i].label, out[i].values = name, g.Values
		for n := 2; taken[out[i].label]; n++ {
			out[i].label = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[out[i].label] = true
	}
	return out
}

// entry is a segment among those of an answer.
func (s segment) entry(f query.Figures) ordered {
	o := ordered{{"u", f.Users}, {"t", f.Count}, {"s", f.Sum}, {"dur", f.Dur}}
	for i, v := range s.values {
		o.add(fmt.Sprintf("s%d", i), v)
	}
	o.add("keys", s.keys)
	o.add("segment", s.label)
	return o
}

// step is a condition on what people did, as those of cohorts: type is did or didnot.
type step struct {
	Type   string `json:"type"`
	Event  any    `json:"event"` // a key, or several
	Query  any    `json:"query"`
	Period any    `json:"period"`
	Times  any    `json:"times"`
}

// steps reads conditions on what people did. The paths of their filters are added to paths.
func (s *service) steps(ctx context.Context, c api.Caller, frame period.Frame, whole period.Period, v params.Value, paths *[]string) ([]query.Did, error) {
	if v.String() == "" {
		return nil, nil
	}
	var list []step
	if json.Unmarshal(v.Raw(), &list) != nil || len(list) > maxSteps {
		return nil, bad("steps")
	}
	out := make([]query.Did, len(list))
	for i, st := range list {
		d, err := s.step(ctx, c, frame, whole, st)
		if err != nil {
			return nil, err
		}
		out[i] = d
		*paths = append(*paths, d.Filter.Paths()...)
	}
	return out, nil
}

func (s *service) step(ctx context.Context, c api.Caller, frame period.Frame, whole period.Period, st step) (d query.Did, err error) {
	if d.Not = st.Type == "didnot"; !d.Not && st.Type != "did" {
		return d, bad("steps")
	}
	var keys []string
	switch e := st.Event.(type) {
	case string:
		keys = []string{e}
	case []any:
		for _, k := range e {
			key, _ := k.(string)
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 || len(keys) > maxEvents {
		return d, bad("steps")
	}
	for _, key := range keys {
		if key == "" {
			return d, bad("steps")
		}
		list, err := s.groups.Keys(ctx, c.App.ID, key)
		if err != nil {
			return d, err
		}
		d.Events = append(d.Events, list...)
	}
	if st.Query != nil && st.Query != "" {
		if d.Filter, err = filter.Parse(st.Query); err != nil {
			return d, err
		}
	}
	d.From, d.To = whole.Start, whole.End
	if text := jsonText(st.Period); text != "" {
		p, err := readPeriod(frame, text)
		if err != nil {
			return d, err
		}
		d.From, d.To = p.Start, p.End
	}
	d.Least = 1
	if text := jsonText(st.Times); text != "" {
		err = times(text, &d)
	}
	return d, err
}

// jsonText is a value as text: text as it is, all else as JSON, "" for none.
func jsonText(v any) string {
	if v == nil {
		return ""
	}
	if text, ok := v.(string); ok {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// times reads how often: a number, which is the least, or {"$gte":…,"$lte":…,"$gt":…,"$lt":…,"$eq":…}.
func times(text string, d *query.Did) error {
	var n int64
	if json.Unmarshal([]byte(text), &n) == nil {
		d.Least = max(n, 1)
		return nil
	}
	var bounds map[string]int64
	if json.Unmarshal([]byte(text), &bounds) != nil {
		return bad("steps")
	}
	most := func(n int64) error {
		if n < 1 {
			return bad("steps") // to have done it 0 times is not to have done it
		}
		d.Most = cmp.Or(min(n, cmp.Or(d.Most, n)), n)
		return nil
	}
	for op, n := range bounds {
		var err error
		switch op {
		case "$gte":
			d.Least = max(n, 1)
		case "$gt":
			d.Least = max(n, 0) + 1
		case "$lte":
			err = most(n)
		case "$lt":
			err = most(n - 1)
		case "$eq":
			d.Least, err = max(n, 1), most(n)
		default:
			err = bad("steps")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
