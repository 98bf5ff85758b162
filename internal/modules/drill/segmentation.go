package drill

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
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
	// Cohorts are the ids of those that a breakdown by chr has; none = the largest that everyone sees.
	Cohorts params.Value `param:"cohorts"`
	// CountBy is what the figure u counts: users, sessions, or the path of a property.
	CountBy string `param:"count_by"`
	// Timezone cuts days in another zone than the app's, or, as user, in that of each device; Steps are conditions on what people did.
	Timezone string       `param:"timezone"`
	Steps    params.Value `param:"steps"`
	// Measures are more figures, Bins ranges of numbers, Other asks for the groups that are not shown, Compare for an earlier
	// period.
	Measures params.Value `param:"measures"`
	Bins     params.Value `param:"bins"`
	Other    string       `param:"other"`
	Compare  params.Value `param:"compare"`
}

type segmentationRes struct {
	Totals    query.Figures `json:"totals"`
	Segments  *ordered      `json:"segments,omitempty"` // by label, in the order asked for
	Other     *otherRes     `json:"other,omitempty"`
	Data      ordered       `json:"data"` // by bucket, then time, then, in a breakdown, label
	Compare   *compareRes   `json:"compare,omitempty"`
	Buckets   []string      `json:"buckets"`
	Page      *pageData     `json:"page_data,omitempty"`
	AppID     string        `json:"app_id"`
	Updated   string        `json:"lu"`
	QueryTime int64         `json:"query_time"` // ms
}

// Ignored implements api.Lenient: what a request without a list does without, and a direction that is none.
func (r segmentationReq) Ignored() (out []error) {
	if !params.On(r.List) {
		for _, p := range []struct {
			name string
			v    params.Value
		}{{"sort", r.Sort}, {"skip", r.Skip}} {
			if text := p.v.String(); text != "" && text != "0" && text != "{}" {
				out = append(out, api.BadParam(p.name, text, "parameter of an answer without list=true"))
			}
		}
		return out
	}
	var by map[string]float64
	if json.Unmarshal(r.Sort.Raw(), &by) != nil {
		return nil // it is refused
	}
	for _, direction := range by {
		if direction != 0 && direction != 1 && direction != -1 {
			out = append(out, api.BadParam("sort", r.Sort.String(), "order: want 1 or -1"))
		}
	}
	return out
}

// otherRes is what is left beside the segments that are shown.
type otherRes struct {
	Groups *int64 `json:"groups,omitempty"` // how many; nil for an earlier period
	query.Figures
	Data ordered `json:"data"` // by bucket, then time
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

// maxPoints is how many places with figures the buckets of an answer hold at most.
const maxPoints = 100_000

var errPoints = fault.Newf(fault.Invalid, "drill.too_many_points", "More than %d values: ask for wider buckets or a shorter period", maxPoints)

// maxRankedGroups is how many groups there may be where all are looked at to order them.
const maxRankedGroups = 10_000

var errGroups = fault.Newf(fault.Invalid, "drill.too_many_groups", "More than %d groups to sort by a ratio of several events: choose a narrower filter or another order", maxRankedGroups)

// question is a request that was read.
type question struct {
	// trends are what is asked: the first is the question, the others what ratios need beside it.
	trends  []query.Trend
	figures []figure // the measures of the answer
	buckets []bucket
	list    bool
	other   bool
	order   query.TrendOrder
	rank    int // the measure, from 1, that groups are ordered by where no trend has it alone; 0 = order says it
	limit   int
	skip    int
	earlier *period.Period // what the answer is compared with
	points  int            // in buckets
}

// segmentation answers figures of an event's rows.
func (s *service) segmentation(ctx context.Context, c api.Caller, r segmentationReq) (segmentationRes, error) {
	began := s.now()
	q, err := s.question(ctx, c, r)
	if err != nil {
		return segmentationRes{}, err
	}
	done, err := s.ranks.Begin(ctx, q.trends)
	if err != nil {
		return segmentationRes{}, err
	}
	defer done()
	out := segmentationRes{AppID: c.App.ID.String(), Updated: began.UTC().Format("2006-01-02T15:04:05.000Z07:00")}
	for _, b := range q.buckets {
		out.Buckets = append(out.Buckets, b.name)
	}
	if len(q.trends[0].By) == 0 {
		out.Totals, out.Data, err = s.graph(ctx, c.App.ID, q)
		if err == nil {
			err = s.compare(ctx, c.App.ID, q, nil, nil, &out)
		}
	} else {
		err = s.breakdown(ctx, c.App.ID, q, &out)
	}
	out.QueryTime = s.now().Sub(began).Milliseconds()
	return out, s.tooMany(err)
}

// question reads a request, in the order of the wire's checks.
func (s *service) question(ctx context.Context, c api.Caller, r segmentationReq) (*question, error) {
	q := &question{}
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
	own := r.Timezone == ownZone
	if own {
		r.Timezone = ""
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
	bins, err := readBins(r.Bins, by)
	if err != nil {
		return q, err
	}
	if own && slices.ContainsFunc(q.buckets, func(b bucket) bool { return b.step == period.MinuteStep }) {
		return q, bad("bucket") // the minutes of devices are not known
	}
	trend := query.Trend{Filter: f, Period: p, By: by, Bins: bins, OwnClock: own}
	if trend.CountBy, err = query.ParseCountBy(r.CountBy); err != nil {
		return q, err
	}
	if trend.Cohorts, err = s.cohortsBy(ctx, c, by, r.Cohorts); err != nil {
		return q, err
	}
	paths := f.Paths()
	if trend.Did, err = s.steps(ctx, c, frame, p, r.Steps, &paths); err != nil {
		return q, err
	}
	if trend.Events, err = s.keys(ctx, c.App.ID, r.Event); err != nil {
		return q, err
	}
	q.trends = []query.Trend{trend}
	if err := s.measures(ctx, c, r.Measures, q, &paths); err != nil {
		return q, err
	}
	if err := permitted(c.Member, c.App.ID, paths, slices.Concat(by, trend.CountBy.Paths())); err != nil {
		return q, err
	}
	if err := q.compared(frame, r.Compare); err != nil {
		return q, err
	}
	return q, q.page(r)
}

// ownZone stands for the zone of each device in place of the name of one.
const ownZone = "user"

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

// page reads which segments are wanted, and in which order.
func (q *question) page(r segmentationReq) (err error) {
	q.list, q.other = params.On(r.List), params.On(r.Other)
	if q.limit, err = within(r.Limit, usualLimit, 1, maxLimit, "limit"); err != nil {
		return err
	}
	q.order = query.TrendOrder{By: "t", Desc: true}
	if !q.list {
		if r.GraphSort != "" {
			q.order.By = r.GraphSort
		}
		if !q.ordered(q.order.By, true) {
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
		if direction == 0 || !q.ordered(name, direction < 0) {
			return bad("sort")
		}
	}
	return nil
}

// ordered sets what groups are ordered by: a figure, the value of a property, or a measure of the answer, as m0.
func (q *question) ordered(name string, desc bool) bool {
	q.order = query.TrendOrder{By: name, Desc: desc}
	number, measured := strings.CutPrefix(name, "m")
	if !measured {
		return q.trends[0].Orderable(name)
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(q.figures) || strconv.Itoa(i) != number {
		return false
	}
	f := q.figures[i]
	switch {
	case !f.ratio:
		q.order.By = fmt.Sprintf("m%d", f.of.measure)
	case f.of.trend == 0 && f.by.trend == 0:
		q.order.By = fmt.Sprintf("m%d/m%d", f.of.measure, f.by.measure)
	default:
		q.order.By, q.rank = "", i+1
	}
	return true
}

// totals answers the figures of all rows.
func (s *service) totals(ctx context.Context, app model.AppID, q *question) (query.Figures, error) {
	all := make([]query.Figures, len(q.trends))
	for i, t := range q.trends {
		var err error
		if all[i], err = s.tables.TrendTotals(ctx, app, t); err != nil {
			return query.Figures{}, err
		}
	}
	return q.shown(all), nil
}

// spot is a bucket, and in a breakdown a group.
type spot struct {
	at    period.Bucket
	group int
}

// point are the figures at a spot.
type point struct {
	spot
	query.Figures
}

// points are the figures of the question by buckets, and by groups unless they are nil, in order of time and of groups. Without groups,
// totals gets the figures of all rows in the same pass, unless it is nil.
func (s *service) points(ctx context.Context, app model.AppID, q *question, step period.Step, groups []query.TrendGroup, totals *query.Figures) ([]point, error) {
	found := map[spot][]query.Figures{}
	all := make([]query.Figures, len(q.trends))
	for i, t := range q.trends {
		add := func(at period.Bucket, group int, f query.Figures) error {
			k := spot{at, group}
			if found[k] == nil {
				if q.points++; q.points > maxPoints {
					return errPoints
				}
				found[k] = make([]query.Figures, len(q.trends))
			}
			found[k][i] = f
			return nil
		}
		var err error
		alone := func(at period.Bucket, f query.Figures) error { return add(at, 0, f) }
		switch {
		case groups != nil:
			err = s.tables.TrendGroupBuckets(ctx, app, t, step, groups, add)
		case totals != nil:
			all[i], err = s.tables.TrendSeries(ctx, app, t, step, alone)
		default:
			err = s.tables.TrendBuckets(ctx, app, t, step, alone)
		}
		if err != nil {
			return nil, err
		}
	}
	if totals != nil {
		*totals = q.shown(all)
	}
	out := make([]point, 0, len(found))
	for k, f := range found {
		out = append(out, point{k, q.shown(f)})
	}
	slices.SortFunc(out, inTime)
	return out, nil
}

// inTime is the order of time, then of groups.
func inTime(a, b point) int {
	return cmp.Or(cmp.Compare(a.at.First, b.at.First), cmp.Compare(a.at.Hour, b.at.Hour), cmp.Compare(a.at.Minute, b.at.Minute), cmp.Compare(a.group, b.group))
}

// graph answers the figures of all rows, and their buckets.
func (s *service) graph(ctx context.Context, app model.AppID, q *question) (totals query.Figures, data ordered, err error) {
	into := &totals // with the first buckets
	for _, b := range q.buckets {
		points, err := s.points(ctx, app, q, b.step, nil, into)
		if err != nil {
			return totals, nil, err
		}
		into = nil
		rows := ordered{}
		for _, p := range points {
			rows.add(p.at.ID(period.Dot), p.Figures)
		}
		data.add(b.name, rows)
	}
	return totals, data, nil
}

// breakdown answers segments and, unless they are for a list, their buckets.
func (s *service) breakdown(ctx context.Context, app model.AppID, q *question, out *segmentationRes) (err error) {
	if done, err := s.table(ctx, app, q, out); done || err != nil {
		return err
	}
	if out.Totals, err = s.totals(ctx, app, q); err != nil {
		return err
	}
	groups, figures, total, err := s.page(ctx, app, q)
	if err != nil {
		return err
	}
	out.Page = pageOf(total, q.skip, q.limit, len(groups))
	out.Segments = &ordered{}
	segments := label(q.trends[0].By, groups)
	for i := range groups {
		out.Segments.add(segments[i].label, segments[i].entry(figures[i]))
	}
	for _, b := range q.buckets {
		rows := ordered{}
		if !q.list && len(groups) > 0 {
			points, err := s.points(ctx, app, q, b.step, groups, nil)
			if err != nil {
				return err
			}
			rows = byBucket(points, segments)
		}
		out.Data.add(b.name, rows)
	}
	if q.other {
		if out.Other, err = s.rest(ctx, app, q, groups); err != nil {
			return err
		}
		left := total - int64(len(groups))
		out.Other.Groups = &left
	}
	return s.compare(ctx, app, q, groups, segments, out)
}

// page answers the segments that are shown, their figures, and how many there are in all.
func (s *service) page(ctx context.Context, app model.AppID, q *question) (groups []query.TrendGroup, figures []query.Figures, total int64, err error) {
	skip, limit := q.skip, q.limit
	if q.rank > 0 { // by what several trends have together, so all have to be looked at
		skip, limit = 0, maxRankedGroups
	}
	if groups, total, err = s.tables.TrendGroups(ctx, app, q.trends[0], q.order, skip, limit); err != nil {
		return nil, nil, 0, err
	}
	if q.rank > 0 && total > maxRankedGroups {
		return nil, nil, 0, errGroups
	}
	if figures, err = s.ofGroups(ctx, app, q, groups); err != nil || q.rank == 0 {
		return groups, figures, total, err
	}
	places := make([]int, len(groups))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { // groups are in the order of values
		return inOrderOf(figures[a].More[q.rank-1], figures[b].More[q.rank-1], q.order.Desc)
	})
	shown, of := []query.TrendGroup{}, []query.Figures{}
	for _, i := range places[min(q.skip, len(places)):min(q.skip+q.limit, len(places))] {
		shown, of = append(shown, groups[i]), append(of, figures[i])
	}
	return shown, of, total, nil
}

// inOrderOf compares two measures; what there is nothing to measure of is last.
func inOrderOf(a, b *float64, desc bool) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	case desc:
		a, b = b, a
	}
	return cmp.Compare(*a, *b)
}

// byBucket are the figures of points by bucket and label.
func byBucket(points []point, segments []segment) ordered {
	rows := ordered{}
	for from, p := range points {
		if from == 0 || points[from-1].at != p.at {
			rows.add(p.at.ID(period.Dot), inBuckets(points[from:], segments))
		}
	}
	return rows
}

// inBuckets are the figures of the first bucket of points by label.
func inBuckets(points []point, segments []segment) *ordered {
	out := &ordered{}
	for _, p := range points {
		if p.at != points[0].at {
			break
		}
		out.add(segments[p.group].label, inBucket{p.Figures, segments[p.group].keys})
	}
	return out
}

// ofGroups answers the figures of groups, those of the first trend being known.
func (s *service) ofGroups(ctx context.Context, app model.AppID, q *question, groups []query.TrendGroup) ([]query.Figures, error) {
	all := make([][]query.Figures, len(groups))
	for i, g := range groups {
		all[i] = make([]query.Figures, len(q.trends))
		all[i][0] = g.Figures
	}
	for i, t := range q.trends[1:] {
		err := s.tables.TrendOfGroups(ctx, app, t, groups, func(group int, f query.Figures) error {
			all[group][i+1] = f
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	out := make([]query.Figures, len(groups))
	for i := range all {
		out[i] = q.shown(all[i])
	}
	return out, nil
}

// without is the question without some groups, as one.
func (q *question) without(groups []query.TrendGroup) *question {
	out := *q
	out.trends = slices.Clone(q.trends)
	for i := range out.trends {
		out.trends[i].Except = groups
	}
	return &out
}

// rest answers what is left beside some groups, counted from rows.
func (s *service) rest(ctx context.Context, app model.AppID, q *question, groups []query.TrendGroup) (*otherRes, error) {
	others := q.without(groups)
	out := &otherRes{}
	var err error
	if q.list {
		out.Figures, err = s.totals(ctx, app, others)
		return out, err
	}
	out.Figures, out.Data, err = s.graph(ctx, app, others)
	q.points = others.points
	return out, err
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
	if f.More != nil {
		o.add("m", f.More)
	}
	for i, v := range s.values {
		o.add(fmt.Sprintf("s%d", i), v)
	}
	o.add("keys", s.keys)
	o.add("segment", s.label)
	return o
}
