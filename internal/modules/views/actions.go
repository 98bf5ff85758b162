package views

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/schema"
)

// heatReq says which clicks and which scrolling is looked at.
type heatReq struct {
	View    string       `param:"view"`
	Device  params.Value `param:"device"`
	Period  string       `param:"period"`
	Segment string       `param:"segment"`
	Domain  string       `param:"domain"`
	// Filter selects the rows that are counted; none = all.
	Filter params.Value `param:"filter"`
}

// actionsReq asks where users clicked or how far they scrolled.
type actionsReq struct {
	heatReq

	Type string `param:"actionType"`
}

// widths bounds the width of the devices that are looked at; 0 = any.
type widths struct {
	Min float64 `json:"minWidth"`
	Max float64 `json:"maxWidth"`
}

type actionsRes struct {
	Types   []string    `json:"types"`
	Domains []string    `json:"domains"`
	Data    []actionRow `json:"data"`
}

type actionRow struct {
	Count   int64          `json:"c"`
	Segment map[string]any `json:"sg"`
}

// errNoView answers those who name no view.
var errNoView = fault.New(fault.Unauthenticated, "views.no_view", "Please provide view for which to query data")

// clicks is what is asked for, in the order of checks that the wire has.
func (s *service) clicks(ctx context.Context, c api.Caller, r heatReq) (*query.ClickQuery, error) {
	if r.View == "" {
		return nil, errNoView
	}
	var device widths
	if r.Device.String() != "" && json.Unmarshal(r.Device.Raw(), &device) != nil || device.Min < 0 || device.Max < 0 {
		return nil, bad("Bad request parameter: device")
	}
	if r.Period == "" {
		return nil, bad("Missing request parameter: period")
	}
	cal, _ := s.zones.Get(c.App.Timezone)
	p, err := period.NewFrame(c.Now, cal, s.zones, period.Overrides{}).Parse(r.Period)
	if err != nil {
		return nil, bad("Bad request parameter: period")
	}
	q := &query.ClickQuery{
		From: cal.DayStart(p.First), To: cal.DayEnd(p.Last), MinWidth: device.Min, MaxWidth: device.Max, Segment: r.Segment, Domain: r.Domain,
	}
	if q.Filter, err = api.ReadFilter(c, r.Filter); err != nil {
		return nil, err
	}
	q.Subject, err = s.viewOf(ctx, c, r.View)
	return q, err
}

// What /o/actions answers. Dead clicks and those in a rage are ours.
const (
	clicksAction = "click"
	scrollAction = "scroll"
	deadAction   = "dead"
	rageAction   = "rage"
)

func (s *service) actions(ctx context.Context, c api.Caller, r actionsReq) (actionsRes, error) {
	out := actionsRes{Types: []string{}, Data: []actionRow{}}
	q, err := s.clicks(ctx, c, r.heatReq)
	if err != nil {
		return out, err
	}
	if out.Domains, err = s.domains(ctx, c.App.ID); err != nil {
		return out, err
	}
	types, err := s.data.Schema.Values(ctx, c.App.ID, viewKey, "platform")
	if err != nil {
		return out, err
	}
	slices.Sort(types)
	out.Types = append(out.Types, types...)
	switch r.Type {
	case deadAction, rageAction:
		out.Data, err = s.spots(ctx, c, r.Type, q)
		return out, err
	case scrollAction:
	default:
		r.Type = clicksAction
	}
	list, err := s.tables.Actions(ctx, c.App.ID, r.Type, q)
	if err == nil && len(list) > query.MaxActions {
		out.Data, err = s.spots(ctx, c, r.Type, q)
		return out, err
	}
	for _, a := range list {
		sg := map[string]any{"type": a.Type, "y": a.Y, "width": a.Width, "height": a.Height}
		if a.Type != scrollAction {
			sg["x"] = a.X
		}
		if a.Domain != "" {
			sg["domain"] = a.Domain
		}
		out.Data = append(out.Data, actionRow{a.Count, sg})
	}
	return out, err
}

// spots are the clicks or the scrolling of a kind in a grid over a page of median size: of any number of places there are no more rows than
// cells.
func (s *service) spots(ctx context.Context, c api.Caller, of string, q *query.ClickQuery) ([]actionRow, error) {
	m, err := s.data.Sequences.ClickMap(ctx, c.App.ID, q)
	out := []actionRow{}
	if err != nil {
		return out, err
	}
	add := func(n int64, place map[string]any) {
		if n > 0 {
			place["type"], place["width"], place["height"] = of, m.Width, m.Height
			out = append(out, actionRow{n, place})
		}
	}
	if of == scrollAction {
		for depth, n := range m.Reached {
			if depth < query.Depths {
				n -= m.Reached[depth+1]
			}
			add(n, map[string]any{"y": float64(depth) * m.Height / query.Depths})
		}
		return out, nil
	}
	for _, spot := range m.Spots {
		n := spot.Clicks
		switch of {
		case deadAction:
			n = spot.Dead
		case rageAction:
			n = spot.Rage
		}
		add(n, map[string]any{
			"x": math.Round((float64(spot.Column) + 0.5) * m.Width / query.ClickColumns), "y": math.Round((float64(spot.Row) + 0.5) * m.Height / query.ClickRows),
		})
	}
	slices.SortStableFunc(out, func(a, b actionRow) int { return cmp.Compare(b.Count, a.Count) })
	return out[:min(len(out), query.MaxActions)], nil
}

// viewOf returns the view that a text names by id, name or path; one that is not known has both name and path of the text.
func (s *service) viewOf(ctx context.Context, c api.Caller, text string) (schema.Subject, error) {
	list, err := s.data.Schema.Subjects(ctx, c.App.ID, kind)
	if err != nil {
		return schema.Subject{}, err
	}
	for _, is := range []func(v schema.Subject) bool{
		func(v schema.Subject) bool { return v.Name == text || idOf(c.App.ID, v.Name) == text },
		func(v schema.Subject) bool { return v.Alias == text },
	} {
		if i := slices.IndexFunc(list, is); i >= 0 {
			return list[i], nil
		}
	}
	return schema.Subject{Name: text, Alias: text}, nil
}
