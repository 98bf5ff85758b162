package views

import (
	"context"
	"encoding/json"
	"slices"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/schema"
)

// actionsReq asks where users clicked or how far they scrolled.
type actionsReq struct {
	View    string       `param:"view"`
	Device  params.Value `param:"device"`
	Period  string       `param:"period"`
	Type    string       `param:"actionType"`
	Segment string       `param:"segment"`
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

func (s *service) actions(ctx context.Context, c api.Caller, r actionsReq) (actionsRes, error) {
	if r.View == "" {
		return actionsRes{}, fault.New(fault.Unauthenticated, "views.no_view", "Please provide view for which to query data")
	}
	var device widths
	if r.Device.String() != "" && json.Unmarshal(r.Device.Raw(), &device) != nil {
		return actionsRes{}, bad("Bad request parameter: device")
	}
	if r.Period == "" {
		return actionsRes{}, bad("Missing request parameter: period")
	}
	cal, _ := s.zones.Get(c.App.Timezone)
	p, err := period.NewFrame(c.Now, cal, &s.zones, period.Overrides{}).Parse(r.Period)
	if err != nil {
		return actionsRes{}, bad("Bad request parameter: period")
	}
	out := actionsRes{Types: []string{}, Data: []actionRow{}}
	if out.Domains, err = s.domains(ctx, c.App.ID); err != nil {
		return out, err
	}
	types, err := s.data.Schema.Values(ctx, c.App.ID, viewKey, "platform")
	if err != nil {
		return out, err
	}
	slices.Sort(types)
	out.Types = append(out.Types, types...)
	of, err := s.viewOf(ctx, c, r.View)
	if err != nil {
		return out, err
	}
	if r.Type != "scroll" {
		r.Type = "click"
	}
	list, err := s.tables.Actions(ctx, c.App.ID, query.ActionFilter{
		Subject: of, Type: r.Type, From: cal.DayStart(p.First), To: cal.DayEnd(p.Last),
		MinWidth: device.Min, MaxWidth: device.Max, Segment: r.Segment,
	})
	for _, a := range list {
		sg := map[string]any{"type": a.Type, "y": a.Y, "width": a.Width, "height": a.Height}
		if a.Type != "scroll" {
			sg["x"] = a.X
		}
		if a.Domain != "" {
			sg["domain"] = a.Domain
		}
		out.Data = append(out.Data, actionRow{a.Count, sg})
	}
	return out, err
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
