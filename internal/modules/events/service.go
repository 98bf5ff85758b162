package events

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/settings"
	"quipu/internal/store/docs"
	"quipu/internal/store/schema"
	"quipu/internal/topic"
)

// maxOverview is how many cards the overview holds.
const maxOverview = 12

type service struct {
	docs     docs.DB
	data     kernel.Data
	bus      *hook.Bus
	settings *settings.Store
}

// list is the answer of get_events. Absent parts were never needed.
type list struct {
	List        []string                  `json:"list,omitzero"`
	Segments    map[string][]string       `json:"segments,omitzero"`
	Order       []string                  `json:"order,omitzero"`
	Map         map[string]map[string]any `json:"map,omitzero"`
	Overview    []card                    `json:"overview,omitzero"`
	Omitted     map[string][]string       `json:"omitted_segments,omitzero"`
	Whitelisted map[string][]string       `json:"whitelisted_segments,omitzero"`
	Limits      limits                    `json:"limits"`
}

// limits returns the limits in force.
func (s *service) limits() limits {
	n := func(name string) int { return int(s.settings.Number("api", name)) }
	return limits{n("event_limit"), n("event_segmentation_limit"), n("event_segmentation_value_limit")}
}

func (s *service) get(ctx context.Context, c api.Caller, _ api.None) (list, error) {
	m, err := s.load(ctx, c.App.ID)
	if err != nil {
		return list{}, err
	}
	out := list{Order: m.Order, Map: m.Map, Overview: m.Overview, Limits: s.limits()}
	for _, e := range s.data.Schema.Events(c.App.ID) {
		if strings.HasPrefix(e.Key, internalPrefix) {
			continue
		}
		out.List = append(out.List, e.Key)
		names := segmentNames(e)
		if names == nil {
			continue
		}
		if out.Segments == nil {
			out.Segments = map[string][]string{}
		}
		out.Segments[e.Key] = names
	}
	omitted, err := s.data.Schema.Omitted(ctx, c.App.ID)
	if err != nil {
		return list{}, err
	}
	if len(omitted) > 0 {
		out.Omitted = omitted
	}
	lists, err := s.data.Schema.Whitelists(ctx, c.App.ID)
	if err != nil {
		return list{}, err
	}
	if len(lists) > 0 || m.Whitelist {
		out.Whitelisted = map[string][]string{}
		maps.Copy(out.Whitelisted, lists)
	}
	return out, nil
}

// segmentNames lists the segments of an event: none (nil) as long as it had no segment with a value that counts, and an empty
// list when all of them are omitted.
func segmentNames(e schema.Event) []string {
	var names []string
	for _, seg := range e.Segments {
		if names == nil && !seg.Opaque {
			names = []string{}
		}
		if seg.Listed() {
			names = append(names, seg.Name)
		}
	}
	return names
}

type editMapReq struct {
	Order    params.Value `param:"event_order"`
	Map      params.Value `param:"event_map"`
	Overview params.Value `param:"event_overview"`
	Omitted  params.Value `param:"omitted_segments"`
}

func (s *service) editMap(ctx context.Context, c api.Caller, r editMapReq) (api.Result, error) {
	var (
		order    []string
		labels   map[string]map[string]any
		overview []card
		omitted  map[string][]string
	)
	for _, p := range []struct {
		name  string
		value params.Value
		dst   any
	}{
		{"event_order", r.Order, &order},
		{"event_map", r.Map, &labels},
		{"event_overview", r.Overview, &overview},
		{"omitted_segments", r.Omitted, &omitted},
	} {
		if err := decode(p.name, p.value, p.dst); err != nil {
			return api.Result{}, err
		}
	}
	if err := own(slices.Collect(maps.Keys(omitted))); err != nil {
		return api.Result{}, err
	}
	omittedBefore, err := s.data.Schema.Omitted(ctx, c.App.ID)
	if err != nil {
		return api.Result{}, err
	}
	before, after, err := s.change(ctx, c.App.ID, func(m *meta) error {
		if order != nil {
			m.Order = order
		}
		for key, fields := range labels {
			if m.Map == nil {
				m.Map = map[string]map[string]any{}
			}
			m.Map[key] = fields
		}
		if overview != nil {
			var err error
			if m.Overview, err = cards(overview); err != nil {
				return err
			}
		}
		m.leaveOverview(m.hidden())
		return nil
	})
	if err != nil {
		return api.Result{}, err
	}
	was, is := auditedMeta{meta: before, Omitted: map[string][]string{}}, auditedMeta{meta: after, Omitted: omitted}
	for event := range omitted {
		was.Omitted[event] = omittedBefore[event]
	}
	c.Audit("", was, is, nil)
	for event, names := range omitted {
		err := s.data.Submit(ctx, request.Record{Kind: request.OmitSegments, App: c.App.ID, Event: event, Names: names})
		if err != nil {
			return api.Result{}, err
		}
	}
	return api.Success(), nil
}

// auditedMeta is what the audit log records of a change of metadata.
type auditedMeta struct {
	meta
	Omitted map[string][]string `json:"omitted_segments"` // of the events that were named
}

// decode reads a structured parameter; one that was not sent leaves dst as it is.
func decode(name string, v params.Value, dst any) error {
	if v.String() == "" {
		return nil
	}
	p := params.Params{}
	p.Set(name, v)
	if err := p.Decode(name, dst); err != nil {
		return fault.Wrap(err, fault.Invalid, "events.bad_parameter", "Invalid parameter: "+name)
	}
	return nil
}

// cards completes the cards of the overview and drops repeated ones.
func cards(in []card) ([]card, error) {
	out := []card{}
	for _, c := range in {
		if c.EventKey == "" || c.EventProperty == "" {
			continue
		}
		c.EventName, c.PropertyName, c.Order = c.EventKey, capitalised(c.EventProperty), len(out)
		c.IsEventGroup = c.IsEventGroup || strings.HasPrefix(c.EventKey, model.EventGroupPrefix)
		same := func(o card) bool { return o.EventKey == c.EventKey && o.EventProperty == c.EventProperty }
		if !slices.ContainsFunc(out, same) {
			out = append(out, c)
		}
	}
	if len(out) > maxOverview {
		return nil, fault.New(fault.Invalid, "events.overview_full", "You can't add more than 12 items in overview")
	}
	return out, nil
}

func capitalised(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

type visibilityReq struct {
	Events     params.Value `param:"events"`
	Visibility string       `param:"set_visibility"`
}

func (s *service) changeVisibility(ctx context.Context, c api.Caller, r visibilityReq) (api.Result, error) {
	var keys []string
	if err := decode("events", r.Events, &keys); err != nil {
		return api.Result{}, err
	}
	if len(s.data.Schema.Events(c.App.ID)) == 0 {
		return api.Result{}, errNoEvent
	}
	hide := r.Visibility == "hide"
	before, after, err := s.change(ctx, c.App.ID, func(m *meta) error {
		for _, key := range keys {
			switch {
			case hide && m.Map == nil:
				m.Map = map[string]map[string]any{key: {"is_visible": false}}
			case hide && m.Map[key] == nil:
				m.Map[key] = map[string]any{"is_visible": false}
			case hide:
				m.Map[key]["is_visible"] = false
			case m.Map[key] != nil:
				delete(m.Map[key], "is_visible")
			}
		}
		if hide {
			m.leaveOverview(keys)
		}
		return nil
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", before, after, nil)
	return api.Success(), nil
}

// leaveOverview removes the cards of events; an emptied overview stays an empty list.
func (m *meta) leaveOverview(keys []string) {
	if m.Overview == nil {
		return
	}
	m.Overview = slices.DeleteFunc(m.Overview, func(c card) bool { return slices.Contains(keys, c.EventKey) })
	for i := range m.Overview {
		m.Overview[i].Order = i
	}
}

// hidden lists the events that the map hides.
func (m *meta) hidden() []string {
	var keys []string
	for key, fields := range m.Map {
		if fields["is_visible"] == false {
			keys = append(keys, key)
		}
	}
	return keys
}

// own refuses the events that the server and the SDKs keep for themselves: their
// properties are not people's to take away.
func own(keys []string) error {
	if slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(k, internalPrefix) }) {
		return errNoEvent
	}
	return nil
}

// internalPrefix begins the keys of events that are not an app's own.
const internalPrefix = "[CLY]_"

var errNoEvent = fault.New(fault.Invalid, "events.not_found", "Could not find event")

type whitelistReq struct {
	Segments params.Value `param:"whitelisted_segments"`
}

func (s *service) whitelist(ctx context.Context, c api.Caller, r whitelistReq) (api.Result, error) {
	var lists map[string][]string
	if err := decode("whitelisted_segments", r.Segments, &lists); err != nil {
		return api.Result{}, err
	}
	if lists == nil {
		return api.Result{}, fault.New(fault.Invalid, "events.no_whitelist", "Value for 'whitelisted_segments' missing")
	}
	if err := own(slices.Collect(maps.Keys(lists))); err != nil {
		return api.Result{}, err
	}
	known, err := s.data.Schema.Whitelists(ctx, c.App.ID)
	if err != nil {
		return api.Result{}, err
	}
	before := map[string][]string{}
	for event := range lists {
		before[event] = known[event]
	}
	c.Audit("", before, lists, nil)
	for event, names := range lists {
		err := s.data.Submit(ctx, request.Record{Kind: request.WhitelistSegments, App: c.App.ID, Event: event, Names: names})
		if err != nil {
			return api.Result{}, err
		}
	}
	_, _, err = s.change(ctx, c.App.ID, func(m *meta) error { m.Whitelist = true; return nil })
	return api.Success(), err
}

type deleteReq struct {
	Events params.Value `param:"events"`
}

func (s *service) deleteEvents(ctx context.Context, c api.Caller, r deleteReq) (api.Result, error) {
	var keys []string
	if err := decode("events", r.Events, &keys); err != nil {
		return api.Result{}, err
	}
	if len(keys) == 0 {
		return api.Result{}, fault.New(fault.Invalid, "events.nothing_to_delete", "Missing events to delete")
	}
	app := c.App.ID
	known := func(key string) bool { _, ok := s.data.Schema.Event(app, key); return ok }
	if err := own(keys); err != nil || !slices.ContainsFunc(keys, known) {
		return api.Result{}, errNoEvent
	}
	if err := s.data.Submit(ctx, request.Record{Kind: request.DeleteEvents, App: app, Names: keys}); err != nil {
		return api.Result{}, err
	}
	before, after, err := s.change(ctx, app, func(m *meta) error {
		m.leaveOverview(keys)
		if m.Order != nil {
			m.Order = slices.DeleteFunc(m.Order, func(k string) bool { return slices.Contains(keys, k) })
		}
		for _, k := range keys {
			delete(m.Map, k)
		}
		return nil
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", before, after, map[string]any{"events": keys})
	return api.Success(), hook.Emit(ctx, s.bus, topic.EventsDeleted{App: app, Keys: keys})
}

// forget removes what people said about the events of an app that was reset.
func (s *service) forget(ctx context.Context, ev topic.AppReset) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// groupsGone takes groups that were disabled or deleted off the overview.
func (s *service) groupsGone(ctx context.Context, ev topic.EventGroupsGone) error {
	m, err := s.load(ctx, ev.App)
	if err != nil || !slices.ContainsFunc(m.Overview, func(c card) bool { return slices.Contains(ev.IDs, c.EventKey) }) {
		return err
	}
	_, _, err = s.change(ctx, ev.App, func(m *meta) error {
		m.leaveOverview(ev.IDs)
		return nil
	})
	return err
}
