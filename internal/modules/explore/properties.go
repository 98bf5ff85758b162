package explore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

type schemaReader interface {
	Events(app model.AppID) []schema.Event
}

// Bounds of what is looked at.
const (
	sampleUsers = 2000 // whose properties are looked at
	maxCustom   = 500  // properties that are listed
	maxEvents   = 50   // events that are counted at once
)

// property is a name and the kind of its values: text, number, bool, or any of them, with what people say about it.
type property struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	kernel.PropertyLabel
}

type eventProperties struct {
	Key        string     `json:"key"`
	Properties []property `json:"properties"`
}

type propertiesRes struct {
	Events []eventProperties `json:"events"`
	// Custom are the properties of users that the app made up, for those who may read users.
	Custom []property `json:"custom"`
}

// properties lists the events that people see, with their properties, and the custom properties of users.
func (s *service) properties(ctx context.Context, c api.Caller, _ api.None) (propertiesRes, error) {
	out := propertiesRes{Events: []eventProperties{}, Custom: []property{}}
	labels, err := s.labels.Of(ctx, c.App.ID)
	if err != nil {
		return out, err
	}
	for _, e := range s.schema.Events(c.App.ID) {
		if internal, ok := strings.CutPrefix(e.Key, events.InternalPrefix); ok && internal != "view" {
			continue
		}
		of := eventProperties{Key: e.Key, Properties: []property{}}
		for _, seg := range e.Segments {
			if !seg.Omitted {
				of.Properties = append(of.Properties, property{seg.Name, kindOf(seg), labels["sg."+seg.Name]})
			}
		}
		out.Events = append(out.Events, of)
	}
	if !auth.Can(c.Member, c.App.ID, "users", model.Read) {
		return out, nil
	}
	found, err := s.people.Properties(ctx, c.App.ID, sampleUsers, maxCustom)
	for _, p := range found {
		out.Custom = append(out.Custom, property{p.Name, p.Kind, labels["custom."+p.Name]})
	}
	return out, err
}

func kindOf(s schema.Segment) string {
	switch {
	case s.IsText():
		return query.KindText
	case s.IsNumber():
		return query.KindNumber
	}
	return query.KindAny // it changed its type
}

type countReq struct {
	Events params.Value `param:"events"`
	Query  params.Value `param:"query"`
	From   int64        `param:"from"` // ms
	To     int64        `param:"to"`   // ms, included
}

type countRes struct {
	Count int64 `json:"count"` // event items that the filter selects
	Total int64 `json:"total"` // without the filter
}

var (
	errEvents = fault.New(fault.Invalid, "explore.bad_events", "Invalid events parameter")
	errUsers  = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// count counts the items of some events, groups of events or defined events in a span of time: all of them, and those that a filter selects. Its paths are sg.<name>
// for properties of the event, and up.<key> and custom.<name> for those of the user at that time.
func (s *service) count(ctx context.Context, c api.Caller, r countReq) (countRes, error) {
	f, err := filter.Parse(r.Query.Raw())
	if err != nil && r.Query.String() != "" {
		return countRes{}, err
	}
	if !auth.MayAskOfUsers(c.Member, c.App.ID, f.Paths()) {
		return countRes{}, errUsers
	}
	keys, err := s.keys(ctx, c, r.Events)
	if err != nil {
		return countRes{}, err
	}
	var span filter.Expr
	if r.From != 0 || r.To != 0 {
		if span, err = filter.Parse(map[string]any{"ts": map[string]any{"$gte": float64(r.From), "$lte": float64(r.To)}}); err != nil {
			return countRes{}, err
		}
	}
	var out countRes
	if out.Total, err = s.tables.CountItems(ctx, c.App.ID, keys, span); err != nil {
		return out, err
	}
	if f.IsZero() {
		out.Count = out.Total
		return out, nil
	}
	out.Count, err = s.tables.CountItems(ctx, c.App.ID, keys, filter.And(span, f))
	return out, err
}

// keys are the events that are asked for, with those of groups in place of these.
func (s *service) keys(ctx context.Context, c api.Caller, v params.Value) ([]string, error) {
	var sent, keys []string
	if json.Unmarshal(v.Raw(), &sent) != nil || len(sent) == 0 || len(sent) > maxEvents || slices.Contains(sent, "") {
		return nil, errEvents
	}
	for _, key := range sent {
		of, err := s.groups.Keys(ctx, c.App.ID, key)
		if err != nil {
			return nil, err
		}
		keys = append(keys, of...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}
