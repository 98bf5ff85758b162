package drill

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/params"
	"quipu/internal/query"
)

var errPercentile = fault.New(fault.Invalid, "drill.bad_parameter", "Bad request parameter: measures: p is more than 0, at most 100, and has up to two decimals")

// Bounds of measures.
const (
	maxMeasures = 10
	maxOthers   = 4 // other events or filters of an answer's ratios
)

// measure is one of the wire.
type measure struct {
	Fn string          `json:"fn"`
	Of json.RawMessage `json:"of"` // a path, or a measure for ratios
	P  *float64        `json:"p"`
	To *measure        `json:"to"`
	// Event and Query are those of a side of a ratio, if they are not those of the question.
	Event string `json:"event"`
	Query any    `json:"query"`
}

// place is where the value of a measure stands: among the measures of a trend of the question.
type place struct{ trend, measure int }

// figure is a measure of an answer: the value at of, divided by that at by if it is a ratio.
type figure struct {
	of, by place
	ratio  bool
}

// measureFns are the measures of one trend; those that are false need no path.
var measureFns = map[string]struct {
	fn    query.MeasureFn
	paths bool
}{
	"users": {query.MeasureUsers, false}, "count": {query.MeasureCount, false}, "sessions": {query.MeasureSessions, false}, "sum": {query.MeasureSum, true},
	"avg": {query.MeasureAverage, true}, "per_user": {query.MeasurePerUser, true}, "min": {query.MeasureMin, true}, "max": {query.MeasureMax, true},
	"percentile": {query.MeasurePercentile, true}, "median": {query.MeasurePercentile, true},
}

// measures reads the measures of a question whose first trend is known. What others need becomes more trends. The paths of
// filters are added to paths.
func (s *service) measures(ctx context.Context, c api.Caller, v params.Value, q *question, paths *[]string) error {
	if v.String() == "" {
		return nil
	}
	var list []measure
	d := json.NewDecoder(bytes.NewReader(v.Raw()))
	d.DisallowUnknownFields()
	if d.Decode(&list) != nil || len(list) > maxMeasures {
		return bad("measures")
	}
	for _, m := range list {
		var f figure
		var err error
		if f.ratio = m.Fn == "ratio"; f.ratio {
			var of measure
			if json.Unmarshal(m.Of, &of) != nil || m.To == nil || m.P != nil || m.Event != "" || m.Query != nil {
				return bad("measures")
			}
			if f.of, err = s.side(ctx, c, of, q, paths); err != nil {
				return err
			}
			m = *m.To
			f.by, err = s.side(ctx, c, m, q, paths)
		} else if m.Event != "" || m.Query != nil {
			return bad("measures")
		} else {
			f.of, err = q.place(0, m)
		}
		if err != nil {
			return err
		}
		q.figures = append(q.figures, f)
	}
	for _, t := range q.trends {
		for _, m := range t.Measures {
			*paths = append(*paths, m.Of)
		}
	}
	return nil
}

// side reads a side of a ratio.
func (s *service) side(ctx context.Context, c api.Caller, m measure, q *question, paths *[]string) (place, error) {
	trend := q.trends[0]
	trend.Measures = nil
	if m.Event != "" {
		keys, err := s.groups.Keys(ctx, c.App.ID, m.Event)
		if err != nil {
			return place{}, err
		}
		trend.Events, trend.Filter = keys, filter.Expr{}
	}
	if m.Query != nil && m.Query != "" {
		f, err := filter.Parse(m.Query)
		if err != nil {
			return place{}, err
		}
		trend.Filter = f
		*paths = append(*paths, f.Paths()...)
	}
	for i, t := range q.trends {
		if reflect.DeepEqual(t.Events, trend.Events) && t.Filter.String() == trend.Filter.String() {
			return q.place(i, m)
		}
	}
	if len(q.trends) > maxOthers {
		return place{}, bad("measures")
	}
	q.trends = append(q.trends, trend)
	return q.place(len(q.trends)-1, m)
}

// place adds a measure to a trend.
func (q *question) place(trend int, m measure) (place, error) {
	known, ok := measureFns[m.Fn]
	var of string
	if len(m.Of) > 0 && json.Unmarshal(m.Of, &of) != nil {
		return place{}, bad("measures")
	}
	needs := known.paths && known.fn != query.MeasurePerUser
	switch {
	case !ok, m.To != nil, needs && of == "", !known.paths && of != "", len(of) > maxPath, (m.P != nil) != (m.Fn == "percentile"):
		return place{}, bad("measures")
	}
	found := query.Measure{Fn: known.fn, Of: of}
	if known.fn == query.MeasurePercentile {
		p := *cmp.Or(m.P, new(50.0))
		share := math.Round(p * 100)
		if share < 1 || share > 10_000 || math.Abs(p*100-share) > 1e-6 {
			return place{}, errPercentile
		}
		found.Share = int(share)
	}
	t := &q.trends[trend]
	t.Measures = append(t.Measures, found)
	return place{trend, len(t.Measures) - 1}, nil
}

// shown are the figures of an answer, given those of each trend.
func (q *question) shown(of []query.Figures) query.Figures {
	out := of[0]
	out.More = nil
	at := func(p place) *float64 {
		more := of[p.trend].More
		if more == nil {
			more = query.Nothing(q.trends[p.trend].Measures)
		}
		return more[p.measure]
	}
	for _, f := range q.figures {
		v := at(f.of)
		if f.ratio {
			v = query.Quotient(v, at(f.by))
		}
		out.More = append(out.More, v)
	}
	return out
}

// tooMany says what to do when percentiles are asked for of too many values.
func (s *service) tooMany(err error) error {
	if errors.Is(err, query.ErrRanks) {
		return fault.Newf(fault.Invalid, "drill.too_many_values", "Percentiles of more than %d values: choose a shorter period or a narrower filter", s.ranks.Most())
	}
	return err
}
