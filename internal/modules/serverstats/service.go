package serverstats

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/period"
)

// points are the data points of an app, or of several.
type points struct {
	Events   int64 `json:"events"` // items, the sum of what follows Change
	Sessions int64 `json:"sessions"`
	Push     int64 `json:"push"` // reactions to push messages
	DP       int64 `json:"dp"`   // events and sessions
	Change   int64 `json:"change"`
	Crash    int64 `json:"crash"`
	Views    int64 `json:"views"`
	Actions  int64 `json:"actions"`
	NPS      int64 `json:"nps"`
	Surveys  int64 `json:"surveys"`
	Ratings  int64 `json:"ratings"`
	APM      int64 `json:"apm"`
	Custom   int64 `json:"custom"`
	Consent  int64 `json:"cs"`
	PushSent int64 `json:"ps"`
	LLM      int64 `json:"llm"`
	Clicks   int64 `json:"aclk"`
}

// add counts rows of an event key. Keys that no feature has are not counted.
func (p *points) add(key string, n int64) {
	kind := map[string]*int64{
		"[CLY]_crash": &p.Crash, "[CLY]_view": &p.Views, "[CLY]_action": &p.Actions, "[CLY]_nps": &p.NPS, "[CLY]_survey": &p.Surveys,
		"[CLY]_star_rating": &p.Ratings, "[CLY]_apm_network": &p.APM, "[CLY]_apm_device": &p.APM, "[CLY]_custom": &p.Custom,
		"[CLY]_consent": &p.Consent, "[CLY]_push_action": &p.Push, "[CLY]_push_sent": &p.PushSent,
		"[CLY]_llm_interaction": &p.LLM, "[CLY]_llm_interaction_feedback": &p.LLM, "[CLY]_llm_tool_used": &p.LLM, "[CLY]_llm_tool_usage_parameter": &p.LLM,
		"[CLY]_session_begin": &p.Sessions,
	}[key]
	if kind == nil {
		return
	}
	*kind += n
	p.DP += n
	if kind != &p.Sessions {
		p.Events += n
	}
}

// sum adds what another counted.
func (p *points) sum(o points) {
	for _, pair := range []struct {
		dst *int64
		n   int64
	}{
		{&p.Events, o.Events},
		{&p.Sessions, o.Sessions},
		{&p.Push, o.Push},
		{&p.DP, o.DP},
		{&p.Change, o.Change},
		{&p.Crash, o.Crash},
		{&p.Views, o.Views},
		{&p.Actions, o.Actions},
		{&p.NPS, o.NPS},
		{&p.Surveys, o.Surveys},
		{&p.Ratings, o.Ratings},
		{&p.APM, o.APM},
		{&p.Custom, o.Custom},
		{&p.Consent, o.Consent},
		{&p.PushSent, o.PushSent},
		{&p.LLM, o.LLM},
		{&p.Clicks, o.Clicks},
	} {
		*pair.dst += pair.n
	}
}

type statsReq struct {
	Period string `param:"period"`
	App    string `param:"selected_app"`
}

// mine lists the apps that are counted for a caller: those it may read, or the one it selected.
func (s *service) mine(c api.Caller, selected string) []*model.App {
	var out []*model.App
	for _, a := range s.apps.All() {
		may := c.Member.GlobalAdmin || auth.IsAppUser(c.Member, a.ID) || auth.IsAppAdmin(c.Member, a.ID)
		if may && c.Identity.AllowsApp(a.ID) && (selected == "" || selected == "all-apps" || selected == a.ID.String()) {
			out = append(out, a)
		}
	}
	return out
}

// window reads a period; a bare number is the moment it begins (ms), until today.
func (s *service) window(text string, loc *time.Location) (period.Period, error) {
	if text == "" {
		text = period.Default
	}
	if ms, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
		text = `{"since":` + strconv.FormatInt(ms, 10) + `}`
	}
	p, err := period.Parse(text, s.now(), period.NewCalendar(loc))
	if err != nil {
		return p, fault.Wrap(err, fault.Invalid, "serverstats.bad_period", "Bad request parameter: period")
	}
	return p, nil
}

// span are apps with the same days of a period.
type span struct {
	period period.Period
	apps   []model.AppID
}

// spans groups apps by their time zones, as a period has other days in each. shift makes another period of it.
func (s *service) spans(list []*model.App, text string, shift func(period.Period) period.Period) ([]*span, error) {
	var out []*span
	zones := map[string]*span{}
	for _, a := range list {
		sp := zones[a.Timezone]
		if sp == nil {
			p, err := s.window(text, a.Location())
			if err != nil {
				return nil, err
			}
			sp = &span{period: shift(p)}
			zones[a.Timezone] = sp
			out = append(out, sp)
		}
		sp.apps = append(sp.apps, a.ID)
	}
	return out, nil
}

// same is the period itself.
func same(p period.Period) period.Period { return p }

// count counts by app.
func (s *service) count(ctx context.Context, list []*model.App, text string, shift func(period.Period) period.Period) (map[model.AppID]*points, error) {
	spans, err := s.spans(list, text, shift)
	if err != nil {
		return nil, err
	}
	out := make(map[model.AppID]*points, len(list))
	for _, a := range list {
		out[a.ID] = &points{}
	}
	for _, sp := range spans {
		cal := sp.period.Calendar()
		err := s.rows.DataPoints(ctx, sp.apps, cal.DayStart(sp.period.First), cal.DayEnd(sp.period.Last), false, func(app model.AppID, key string, _, n int64) error {
			out[app].add(key, n)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dataPoints counts by app. change is what there is more than in the period before.
func (s *service) dataPoints(ctx context.Context, c api.Caller, r statsReq) (map[string]*points, error) {
	out := map[string]*points{}
	list := s.mine(c, r.App)
	if !c.Member.GlobalAdmin && len(list) == 0 {
		return nil, fault.New(fault.Unauthenticated, "serverstats.no_apps", "User does not have apps")
	}
	now, err := s.count(ctx, list, r.Period, same)
	if err != nil {
		return nil, err
	}
	before, err := s.count(ctx, list, r.Period, period.Period.Prev)
	if err != nil {
		return nil, err
	}
	var all points
	for app, p := range now {
		p.Change = p.DP - before[app].DP
		out[app.String()] = p
		all.sum(*p)
	}
	if c.Member.GlobalAdmin {
		out["all-apps"] = &all
	}
	return out, nil
}

type topRow struct {
	App   string `json:"a"`
	Value int64  `json:"v"`
}

// top lists the three apps with the most data points of the period.
func (s *service) top(ctx context.Context, c api.Caller, r statsReq) ([]topRow, error) {
	rows := []topRow{}
	counted, err := s.count(ctx, s.mine(c, ""), r.Period, same)
	if err != nil {
		return nil, err
	}
	for app, n := range counted {
		if n.DP > 0 {
			rows = append(rows, topRow{app.String(), n.DP})
		}
	}
	slices.SortFunc(rows, func(a, b topRow) int { return cmp.Or(cmp.Compare(b.Value, a.Value), strings.Compare(a.App, b.App)) })
	return rows[:min(3, len(rows))], nil
}

// hour is what an hour of a weekday held in the days of a period.
type hour struct {
	Min      int64   `json:"min"`
	Max      int64   `json:"max"`
	Sum      int64   `json:"sum"`
	Avg      float64 `json:"avg"`
	Days     int64   `json:"cn"`
	Sessions int64   `json:"s"`
	Events   int64   `json:"e"`
	Push     int64   `json:"p"`
}

// cell is [hour, weekday, sum, details]; weekday 0 is Sunday.
type cell struct {
	hour, weekday int
	of            hour
}

// MarshalJSON writes the list.
func (c cell) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{c.hour, c.weekday, c.of.Sum, c.of})
}

type punchCard struct {
	Data   []cell   `json:"data"`
	Days   int      `json:"dayCount"`
	Labels []string `json:"labels"`
}

func (s *service) punchCard(ctx context.Context, c api.Caller, r statsReq) (punchCard, error) {
	list := s.mine(c, r.App)
	loc := time.UTC
	if r.App != "" && len(list) == 1 {
		loc = list[0].Location()
	}
	whole, err := s.window(r.Period, loc)
	if err != nil {
		return punchCard{}, err
	}
	hours := map[period.Hour]*points{}
	spans, err := s.spans(list, r.Period, same)
	if err != nil {
		return punchCard{}, err
	}
	for _, sp := range spans {
		cal := sp.period.Calendar()
		err := s.rows.DataPoints(ctx, sp.apps, cal.DayStart(sp.period.First), cal.DayEnd(sp.period.Last), true, func(_ model.AppID, key string, quarter, n int64) error {
			h := cal.HourBucket(quarter)
			if hours[h] == nil {
				hours[h] = &points{}
			}
			hours[h].add(key, n)
			return nil
		})
		if err != nil {
			return punchCard{}, err
		}
	}
	return cardOf(whole, hours), nil
}

// cardOf folds hours into those of a week.
func cardOf(whole period.Period, hours map[period.Hour]*points) punchCard {
	var week [7][24]hour
	out := punchCard{Days: whole.Days(), Labels: whole.DayIDs(), Data: []cell{}}
	for d := whole.First; d <= whole.Last; d++ {
		for h := range 24 {
			var n points
			if found := hours[d.Hour(h)]; found != nil {
				n = *found
			}
			of := &week[(d.Weekday()+1)%7][h]
			if of.Days == 0 || n.DP < of.Min {
				of.Min = n.DP
			}
			of.Max, of.Days = max(of.Max, n.DP), of.Days+1
			of.Sum, of.Sessions, of.Events, of.Push = of.Sum+n.DP, of.Sessions+n.Sessions, of.Events+n.Events, of.Push+n.Push
		}
	}
	for weekday := range week {
		for h := range week[weekday] {
			of := week[weekday][h]
			if of.Days > 0 {
				of.Avg = float64(of.Sum) / float64(of.Days)
			}
			out.Data = append(out.Data, cell{h, weekday, of})
		}
	}
	return out
}
