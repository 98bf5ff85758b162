package analytics

import (
	"context"
	"encoding/json"

	"quipu/internal/api"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// empty is the document of what is switched off.
var empty = json.RawMessage(`{}`)

func (s *service) users(ctx context.Context, c api.Caller, r readReq) (json.RawMessage, error) {
	return s.query.UsersDocument(ctx, c.App.ID, s.period(c, r), r.extent())
}

func (s *service) countries(ctx context.Context, c api.Caller, r readReq) (json.RawMessage, error) {
	if !s.settings.AppBool(c.App, "api", "country_data") {
		return empty, nil
	}
	return s.users(ctx, c, r)
}

func (s *service) cities(ctx context.Context, c api.Caller, r readReq) (json.RawMessage, error) {
	if !s.settings.AppBool(c.App, "api", "city_data") {
		return empty, nil
	}
	return s.query.MetricDocument(ctx, c.App.ID, cityDocument, s.period(c, r), r.extent())
}

func metricDocument(d string) func(*service, context.Context, api.Caller, readReq) (json.RawMessage, error) {
	return func(s *service, ctx context.Context, c api.Caller, r readReq) (json.RawMessage, error) {
		return s.query.MetricDocument(ctx, c.App.ID, d, s.period(c, r), r.extent())
	}
}

func (s *service) totalUsers(ctx context.Context, c api.Caller, r readReq) ([]query.UsersRow, error) {
	p := s.period(c, r)
	if r.Metric == "" || r.Metric == "users" {
		return s.query.TotalUsers(ctx, c.App.ID, p)
	}
	m, known := query.MetricOf(r.Metric)
	if !known {
		return []query.UsersRow{}, nil
	}
	return s.query.UsersByValue(ctx, c.App.ID, m, p)
}

// periodRes is the answer of get_period_obj.
type periodRes struct {
	Start    int64    `json:"start"`
	End      int64    `json:"end"`
	Days     int      `json:"daysInPeriod"`
	HasToday bool     `json:"periodContainsToday"`
	Current  []string `json:"currentPeriodArr"`
}

func (s *service) periodObject(_ context.Context, c api.Caller, r readReq) (periodRes, error) {
	p := s.period(c, r)
	return periodRes{Start: p.Start, End: p.End, Days: p.Days(), HasToday: p.ContainsToday(), Current: p.DayIDs()}, nil
}

// events answers for several events (events), for one (event), or for the
// first one the app has.
func (s *service) events(ctx context.Context, c api.Caller, r readReq) (any, error) {
	p := s.period(c, r)
	keys, _, several := names(r.Events)
	if !several {
		if keys = []string{r.Event}; r.Event == "" {
			keys = s.query.Events(c.App.ID)
			keys = keys[:min(1, len(keys))]
		}
	}
	selected, err := s.selections(ctx, c.App.ID, keys)
	if err != nil {
		return nil, err
	}
	if several && r.Overview {
		return s.query.EventOverviews(ctx, c.App.ID, selected, p)
	}
	var all []string
	for _, sel := range selected {
		all = append(all, sel.Keys...)
	}
	return s.query.EventDocument(ctx, c.App.ID, all, r.segment(), p, r.extent())
}

func (s *service) topEvents(ctx context.Context, c api.Caller, r readReq) ([]query.TopEvent, error) {
	limit := 10
	if r.Limit > 0 {
		limit = r.Limit
	}
	return s.query.TopEvents(ctx, c.App.ID, s.period(c, r), limit)
}

// geodata answers with rows of cities (loadFor=cities) or countries.
func (s *service) geodata(ctx context.Context, c api.Caller, r readReq) ([]query.MetricRow, error) {
	metric, on := rollup.Countries, s.settings.AppBool(c.App, "api", "country_data")
	if r.LoadFor == "cities" {
		metric, on = rollup.Cities, s.settings.AppBool(c.App, "api", "city_data")
	}
	if !on {
		return []query.MetricRow{}, nil
	}
	return s.query.MetricRows(ctx, c.App.ID, metric, s.period(c, r))
}

func (s *service) timesOfDay(ctx context.Context, c api.Caller, r readReq) (query.Week, error) {
	if r.Type == "" {
		return query.Week{}, api.MissingParam("tod_type")
	}
	return s.query.TimesOfDay(ctx, c.App.ID, r.Type, months(r.DateRange))
}
