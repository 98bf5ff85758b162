package analytics

import (
	"context"
	"math"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// badPath answers for unknown paths; the two spaces belong to the wire.
const badPath = "Invalid path, must be one of /dashboard,  /countries, /sessions, /metric, /tops, /loyalty, /frequency, /durations, /events"

// topCountryRows is how many countries a block of /o/analytics/countries has.
const topCountryRows = 10

var (
	errPath   = fault.New(fault.Invalid, "request.invalid_path", badPath)
	errMetric = fault.New(fault.Invalid, "analytics.no_metric", "Must provide metric")
	errEvents = fault.New(fault.Invalid, "analytics.bad_events", "Must provide valid array with event keys as events param.")
)

type unknownReq struct {
	AppID string `param:"app_id"`
}

func (s *service) unknownPath(_ context.Context, _ api.Caller, r unknownReq) (any, error) {
	if r.AppID == "" {
		return nil, api.MissingParam("app_id")
	}
	return nil, errPath
}

// blocks are the windows of reads that always answer for three of them, by
// name.
func blocks(f period.Frame) map[string]period.Period {
	return map[string]period.Period{
		"30days": f.ParseOrDefault("30days"), "7days": f.ParseOrDefault("7days"), "today": f.ParseOrDefault("today"),
	}
}

func (s *service) dashboard(ctx context.Context, c api.Caller, r readReq) (map[string]*query.Summary, error) {
	f := s.frame(c, r)
	windows := blocks(f)
	if r.Period != "" && r.Period != period.Default {
		windows = map[string]period.Period{r.Period: f.ParseOrDefault(r.Period)}
	}
	out := map[string]*query.Summary{}
	for name, p := range windows {
		var err error
		if out[name], err = s.query.Summary(ctx, c.App.ID, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *service) topCountries(ctx context.Context, c api.Caller, r readReq) (map[string][]query.CountryRow, error) {
	out := map[string][]query.CountryRow{}
	for name, p := range blocks(s.frame(c, r)) {
		var err error
		if out[name], err = s.query.CountryRows(ctx, c.App.ID, p, topCountryRows); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *service) sessionRows(ctx context.Context, c api.Caller, r readReq) ([]query.SessionRow, error) {
	p := s.period(c, r)
	return s.query.SessionRows(ctx, c.App.ID, p, r.step(p))
}

func (s *service) metricRows(ctx context.Context, c api.Caller, r readReq) ([]query.MetricRow, error) {
	if r.Metric == "" {
		return nil, errMetric
	}
	m, known := query.MetricOf(r.Metric)
	if !known {
		return []query.MetricRow{}, nil
	}
	return s.query.MetricRows(ctx, c.App.ID, m, s.period(c, r))
}

// tops answers with all rows of one metric (metric), of each of several
// (metrics), or with the first rows of the usual four.
func (s *service) tops(ctx context.Context, c api.Caller, r readReq) (any, error) {
	p := s.period(c, r)
	if r.Metric != "" {
		return s.top(ctx, c, r.Metric, p, math.MaxInt)
	}
	list, sent, ok := names(r.Metrics)
	limit := math.MaxInt
	switch {
	case !sent:
		list, limit = []string{"platforms", "resolutions", "carriers", "countries"}, query.TopLimit
	case !ok:
		return struct{}{}, nil
	}
	out := map[string][]query.TopRow{}
	for _, name := range list {
		if _, done := out[name]; done {
			continue
		}
		var err error
		if out[name], err = s.top(ctx, c, name, p, limit); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *service) top(ctx context.Context, c api.Caller, name string, p period.Period, limit int) ([]query.TopRow, error) {
	m, known := query.MetricOf(name)
	if !known {
		return []query.TopRow{}, nil
	}
	return s.query.Top(ctx, c.App.ID, m, p, limit)
}

// Rows of the ranges, with the names that the wire has for the index.
type (
	loyaltyRow struct {
		Index    string `json:"l"`
		Sessions int64  `json:"t"`
		Percent  string `json:"percent"`
	}
	frequencyRow struct {
		Index    string `json:"f"`
		Sessions int64  `json:"t"`
		Percent  string `json:"percent"`
	}
	durationRow struct {
		Index    string `json:"ds"`
		Sessions int64  `json:"t"`
		Percent  string `json:"percent"`
	}
)

// loyalty has no rows: sessions are not counted by the loyalty of their users,
// who are grouped by it in their profiles (/o/app_users/loyalty).
func (s *service) loyalty(context.Context, api.Caller, readReq) ([]loyaltyRow, error) {
	return []loyaltyRow{}, nil
}

func (s *service) frequency(ctx context.Context, c api.Caller, r readReq) ([]frequencyRow, error) {
	out := []frequencyRow{}
	rows, err := s.query.Ranges(ctx, c.App.ID, rollup.Frequency, s.period(c, r))
	for _, row := range rows {
		out = append(out, frequencyRow(row))
	}
	return out, err
}

func (s *service) durations(ctx context.Context, c api.Caller, r readReq) ([]durationRow, error) {
	out := []durationRow{}
	rows, err := s.query.Ranges(ctx, c.App.ID, rollup.Durations, s.period(c, r))
	for _, row := range rows {
		out = append(out, durationRow(row))
	}
	return out, err
}

// eventOverviews answers for all of the app's own events, or those named (events).
func (s *service) eventOverviews(ctx context.Context, c api.Caller, r readReq) (map[string]*query.EventOverview, error) {
	keys, sent, ok := names(r.Events)
	switch {
	case !sent:
		keys = s.query.Events(c.App.ID)
	case !ok:
		return nil, errEvents
	}
	selected, err := s.selections(ctx, c.App.ID, keys)
	if err != nil {
		return nil, err
	}
	return s.query.EventOverviews(ctx, c.App.ID, selected, s.period(c, r))
}

// eventRows answers for one event by sub-period or segment (event), for
// several by sub-period (events), or with the sums of all.
func (s *service) eventRows(ctx context.Context, c api.Caller, r readReq) (any, error) {
	p := s.period(c, r)
	if r.Event != "" {
		sel, err := s.selection(ctx, c.App.ID, r.Event)
		if err != nil {
			return nil, err
		}
		if segment := r.segment(); segment != "" {
			return s.query.SegmentRows(ctx, c.App.ID, sel.Keys, segment, p)
		}
		rows, err := s.query.EventRows(ctx, c.App.ID, []query.Selection{sel}, p, r.step(p))
		return rows[sel.Name], err
	}
	keys, sent, ok := names(r.Events)
	if !sent {
		totals, err := s.query.EventTotals(ctx, c.App.ID, p)
		return map[string][]query.EventTotal{"all": totals}, err
	}
	if !ok || len(keys) > maxSelected {
		return nil, errEvents
	}
	selected, err := s.selections(ctx, c.App.ID, keys)
	if err != nil {
		return nil, err
	}
	return s.query.EventRows(ctx, c.App.ID, selected, p, r.step(p))
}
