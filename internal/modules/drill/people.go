package drill

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

// Bounds of lists of people.
const (
	usualPeople = 100
	maxGroups   = maxLimit // that people are asked of
)

type peopleReq struct {
	Event    string       `param:"event"`
	Query    params.Value `param:"queryObject"`
	Period   params.Value `param:"period"`
	Bucket   params.Value `param:"bucket"`
	By       params.Value `param:"projectionKey"`
	Cohorts  params.Value `param:"cohorts"`
	CountBy  string       `param:"count_by"`
	Timezone string       `param:"timezone"`
	Steps    params.Value `param:"steps"`
	Bins     params.Value `param:"bins"`
	// At is the name of a bucket; Groups and NotGroups are lists of the values of groups.
	At        string       `param:"at"`
	Groups    params.Value `param:"groups"`
	NotGroups params.Value `param:"not_groups"`
	Limit     params.Value `param:"limit"`
	Skip      params.Value `param:"skip"`
}

type peopleRes struct {
	Total int64             `json:"total"`
	Users []query.TrendUser `json:"users"`
	// Accounts are the sessions or accounts, where these are counted; there are no users then.
	Accounts []query.TrendAccount `json:"accounts,omitempty"`
}

// users answers the people behind a figure, or the sessions or accounts.
func (s *service) users(ctx context.Context, c api.Caller, r peopleReq) (out peopleRes, err error) {
	q, err := s.question(ctx, c, segmentationReq{Event: r.Event, Query: r.Query, Period: r.Period, Bucket: r.Bucket, By: r.By, Timezone: r.Timezone, Steps: r.Steps, Bins: r.Bins, Cohorts: r.Cohorts, CountBy: r.CountBy})
	if err != nil {
		return out, err
	}
	if !auth.MayLookAtPeople(c.Member, c.App.ID) {
		return out, errUsers
	}
	t := q.trends[0]
	if r.At != "" {
		at, ok := bucketNamed(t.Period, q.buckets[0].step, r.At)
		if !ok || len(q.buckets) > 1 {
			return out, bad("at")
		}
		t.At = &at
	}
	if t.Only, err = readGroups(r.Groups, len(t.By), "groups"); err != nil {
		return out, err
	}
	if t.Except, err = readGroups(r.NotGroups, len(t.By), "not_groups"); err != nil {
		return out, err
	}
	limit, err := within(r.Limit, usualPeople, 1, maxLimit, "limit")
	if err != nil {
		return out, err
	}
	skip, err := within(r.Skip, 0, 0, maxSkip, "skip")
	if err != nil {
		return out, err
	}
	if t.CountBy != query.CountUsers {
		out.Users = []query.TrendUser{}
		out.Accounts, out.Total, err = s.tables.TrendAccounts(ctx, c.App.ID, t, skip, limit)
		return out, err
	}
	out.Users, out.Total, err = s.tables.TrendUsers(ctx, c.App.ID, t, skip, limit)
	return out, err
}

// readGroups reads a list of groups, each a list of as many values, text or null, as there are properties; nil for none.
func readGroups(v params.Value, properties int, name string) ([]query.TrendGroup, error) {
	if v.String() == "" {
		return nil, nil
	}
	var list [][]*string
	if json.Unmarshal(v.Raw(), &list) != nil || properties == 0 || len(list) > maxGroups {
		return nil, bad(name)
	}
	out := make([]query.TrendGroup, len(list))
	for i, values := range list {
		if len(values) != properties {
			return nil, bad(name)
		}
		for _, text := range values {
			if text == nil {
				out[i].Values = append(out[i].Values, nil)
			} else {
				out[i].Values = append(out[i].Values, *text)
			}
		}
	}
	return out, nil
}

// bucketNamed finds a bucket of a period by its name.
func bucketNamed(p period.Period, step period.Step, name string) (period.Bucket, bool) {
	coarse, numbers := step, 0 // of the clock
	switch step {
	case period.HourStep:
		coarse, numbers = period.DayStep, 1
	case period.MinuteStep:
		coarse, numbers = period.DayStep, 2
	case period.AutoStep, period.DayStep, period.WeekStep, period.MonthStep, period.YearStep:
	}
	parts := strings.Split(name, ".")
	if len(parts) <= numbers {
		return period.Bucket{}, false
	}
	clock := parts[len(parts)-numbers:]
	day := strings.Join(parts[:len(parts)-numbers], ".")
	for b := range p.Buckets(coarse) {
		if b.ID(period.Dot) != day {
			continue
		}
		b.Step = step
		for i, text := range clock {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n >= []int{24, 60}[i] {
				return b, false
			}
			if i == 0 {
				b.Hour = n
			} else {
				b.Minute = n
			}
		}
		return b, true
	}
	return period.Bucket{}, false
}
