package funnels

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/store/docs"
)

// Definition is a funnel as it is stored. What the wire knows stands at the top, what it does not in Options.
type Definition struct {
	ID          string            `json:"_id"`
	AppID       string            `json:"app_id"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Type        string            `json:"type"`
	Steps       []step            `json:"steps"`
	Queries     []string          `json:"queries"`    // for each step a filter as JSON text; "" and "{}" select all
	QueryTexts  []string          `json:"queryTexts"` // for people
	StepGroups  []json.RawMessage `json:"stepGroups"` // {"c":"or"} makes a step an alternative of the one before
	Options     *Options          `json:"options,omitempty"`
	Groups      map[string]int    `json:"groups,omitempty"`
	Order       float64           `json:"order"`
	Creator     model.MemberID    `json:"creator"`
	Created     int64             `json:"created"` // ms
}

// Options are what the wire does not know of. Steps count from 1.
type Options struct {
	Order      string      `json:"order,omitempty"`   // "sequential" (the usual one), "strict", "any" or "anchored"
	Anchors    []int       `json:"anchors,omitempty"` // of "anchored"; none = the first and the last step
	Window     *int64      `json:"window,omitempty"`  // s from the first to the last step; nil = no bound but the period
	Exclusions []exclusion `json:"exclusions,omitempty"`
	Hold       []string    `json:"hold,omitempty"`     // paths of properties that are equal in all steps
	Optional   []int       `json:"optional,omitempty"` // steps that may be skipped
	Reentry    string      `json:"reentry,omitempty"`  // "once" (the usual one) or "repeat"
	CountBy    string      `json:"count_by,omitempty"` // "users" (the usual one), "sessions", or the path of a property
}

// exclusion is an event that must not happen between two steps; To 0 is the last one, From 0 the first.
type exclusion struct {
	Event string      `json:"event"`
	Query filter.Expr `json:"query"`
	From  int         `json:"from,omitempty"`
	To    int         `json:"to,omitempty"`
}

// step is an event key, or several of which any will do: text or a list of texts on the wire.
type step []string

// UnmarshalJSON reads both forms.
func (s *step) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*s = step{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(s))
}

// MarshalJSON writes the form with which the step came.
func (s step) MarshalJSON() ([]byte, error) {
	if len(s) == 1 {
		return json.Marshal(s[0])
	}
	return json.Marshal([]string(s))
}

// The types of funnels.
const (
	anySession  = "session-independent"
	sameSession = "same-session"
)

// Bounds of a definition.
const (
	maxFunnels = 1000 // of an app
	maxName    = 500  // bytes
	maxBytes   = 256 << 10
	maxKey     = 2048 // bytes
	maxEvents  = 100  // over all steps
	maxHold    = 3
	maxWindow  = 366 * 86400 // s
	maxGroups  = 200
)

// Key returns the funnel's id.
func (d Definition) Key() string { return d.ID }

// Validate returns what is wrong with the funnel.
func (d Definition) Validate() error {
	if text, err := json.Marshal(d); err != nil || len(text) > maxBytes || len(d.Name) > maxName || len(d.Groups) > maxGroups {
		return errTooLarge
	}
	if strings.TrimSpace(d.Name) == "" || len(d.Steps) == 0 {
		return errArgs
	}
	if d.Type != anySession && d.Type != sameSession {
		return invalid("Funnel type is %s or %s", anySession, sameSession)
	}
	if err := d.duplicates(); err != nil {
		return err
	}
	_, err := d.compile(func(key string) ([]string, error) { return []string{key}, nil })
	return err
}

// duplicates refuses an event that stands twice in the steps; of views and sessions filters make different ones.
func (d Definition) duplicates() error {
	seen := map[string]bool{}
	for _, s := range d.Steps {
		for _, key := range s {
			if seen[key] && key != "[CLY]_view" && key != "[CLY]_session" {
				return errDuplicates
			}
			seen[key] = true
		}
	}
	if len(seen) > maxEvents {
		return errTooLarge
	}
	return nil
}

func spec() docs.Spec[Definition] {
	return docs.Spec[Definition]{Name: "funnels", Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[Definition]{
		{Name: "name", Path: ".name", Fold: true, Order: true},
		{Name: "created", Path: ".created", Order: true},
		{Name: "order", Path: ".order", Order: true},
	}}
}

// compiled is a definition that is ready to be asked.
type compiled struct {
	funnel funnel.Funnel
	query  query.FunnelQuery
	labels []any // of each step: a text, or a list of texts
	shown  []json.RawMessage
	paths  []string // of properties, all that it looks at
}

// compile makes what a definition asks for. Keys returns the events that a key stands for.
func (d Definition) compile(keys func(key string) ([]string, error)) (*compiled, error) {
	c := &compiled{}
	var labels [][]string
	for i, s := range d.Steps {
		f, err := d.filter(i)
		if err != nil {
			return nil, err
		}
		c.paths = append(c.paths, f.Paths()...)
		own, err := eventsOf(s, f, keys)
		if err != nil {
			return nil, err
		}
		if i > 0 && d.alternative(i) {
			last := len(c.query.Steps) - 1
			c.query.Steps[last], labels[last] = append(c.query.Steps[last], own...), append(labels[last], s...)
			continue
		}
		c.query.Steps, labels = append(c.query.Steps, own), append(labels, slices.Clone(s))
		c.shown = append(c.shown, json.RawMessage(f.String()))
	}
	for _, l := range labels {
		if len(l) == 1 {
			c.labels = append(c.labels, l[0])
		} else {
			c.labels = append(c.labels, l)
		}
	}
	c.query.SameSession = d.Type == sameSession
	c.funnel.Optional = make([]bool, len(c.query.Steps))
	if d.Options != nil {
		if err := d.Options.apply(c, keys); err != nil {
			return nil, err
		}
	}
	c.funnel.Keyed = c.query.SameSession || len(c.query.Hold) > 0
	if err := c.funnel.Validate(); err != nil {
		return nil, invalid("%s", strings.TrimPrefix(err.Error(), "funnel: "))
	}
	return c, nil
}

// filter parses the filter of a step, counted from 0.
func (d Definition) filter(i int) (filter.Expr, error) {
	if i >= len(d.Queries) || d.Queries[i] == "" {
		return filter.Expr{}, nil
	}
	return filter.Parse(d.Queries[i])
}

// alternative reports whether a step is one of that before.
func (d Definition) alternative(i int) bool {
	var g struct {
		C string `json:"c"`
	}
	return i < len(d.StepGroups) && json.Unmarshal(d.StepGroups[i], &g) == nil && g.C == "or"
}

func eventsOf(s step, f filter.Expr, keys func(string) ([]string, error)) ([]query.FunnelEvent, error) {
	var out []query.FunnelEvent
	for _, key := range s {
		if key == "" || len(key) > maxKey {
			return nil, invalid("A step is an event, or a list of events")
		}
		all, err := keys(key)
		if err != nil {
			return nil, err
		}
		for _, k := range all {
			out = append(out, query.FunnelEvent{Key: k, Filter: f})
		}
	}
	if len(out) == 0 {
		return nil, invalid("A step is an event, or a list of events")
	}
	return out, nil
}

// apply adds the options to a funnel.
func (o *Options) apply(c *compiled, keys func(string) ([]string, error)) error {
	n := len(c.funnel.Optional)
	switch o.Order {
	case "", "sequential":
	case "strict":
		c.funnel.Order, c.query.Others = funnel.Strict, true
	case "any":
		c.funnel.Order = funnel.AnyOrder
	case "anchored":
		if err := o.anchor(c); err != nil {
			return err
		}
	default:
		return invalid("Order is sequential, strict, any or anchored")
	}
	if len(o.Anchors) > 0 && o.Order != "anchored" {
		return invalid("Anchors are for the order anchored")
	}
	switch o.Reentry {
	case "", "once":
	case "repeat":
		c.funnel.Repeat = true
	default:
		return invalid("Reentry is once or repeat")
	}
	if o.Window != nil {
		if *o.Window < 1 || *o.Window > maxWindow {
			return invalid("Window is 1 to %d seconds", maxWindow)
		}
		c.funnel.Window = *o.Window * 1000
	}
	for _, at := range o.Optional {
		if at < 1 || at > n {
			return invalid("Optional names steps from 1 to %d", n)
		}
		c.funnel.Optional[at-1] = true
	}
	if len(o.Hold) > maxHold || slices.ContainsFunc(o.Hold, func(p string) bool { return p == "" || len(p) > filter.MaxPath }) {
		return invalid("At most %d properties are held constant", maxHold)
	}
	var err error
	if c.query.CountBy, err = query.ParseCountBy(o.CountBy); err != nil {
		return err
	}
	c.paths = append(c.paths, c.query.CountBy.Paths()...)
	c.query.Hold = o.Hold
	c.paths = append(c.paths, o.Hold...)
	for _, x := range o.Exclusions {
		own, err := eventsOf(step{x.Event}, x.Query, keys)
		if err != nil {
			return err
		}
		between := funnel.Exclusion{From: max(x.From, 1) - 1, To: n - 1}
		if x.To != 0 {
			between.To = x.To - 1
		}
		for _, e := range own {
			c.query.Exclusions = append(c.query.Exclusions, e)
			c.funnel.Exclusions = append(c.funnel.Exclusions, between)
		}
		c.paths = append(c.paths, x.Query.Paths()...)
	}
	return nil
}

// anchor sets the steps that keep their place.
func (o *Options) anchor(c *compiled) error {
	n := len(c.funnel.Optional)
	c.funnel.Order, c.funnel.Anchors = funnel.Anchored, []int{0, n - 1}
	if len(o.Anchors) == 0 {
		return nil
	}
	c.funnel.Anchors = nil
	for _, at := range o.Anchors {
		if at < 1 || at > n || slices.Contains(c.funnel.Anchors, at-1) {
			return invalid("Anchors names steps from 1 to %d, each once", n)
		}
		c.funnel.Anchors = append(c.funnel.Anchors, at-1)
	}
	return nil
}

// compile is Definition.compile with the groups of events that an app has.
func (s *service) compile(ctx context.Context, app model.AppID, d Definition) (*compiled, error) {
	return d.compile(func(key string) ([]string, error) { return s.groups.Keys(ctx, app, key) })
}

// fields are those of a funnel that a client sends; nil was not sent.
type fields struct {
	Name       *string  `json:"funnel_name"`
	Desc       *string  `json:"funnel_desc"`
	Type       *string  `json:"funnel_type"`
	Steps      nested   `json:"steps"`
	Queries    nested   `json:"queries"`
	QueryTexts nested   `json:"queryTexts"`
	StepGroups nested   `json:"stepGroups"`
	Options    nested   `json:"options"`
	Order      *float64 `json:"order"`
}

// nested is JSON, or text that is JSON.
type nested struct{ raw []byte }

// UnmarshalJSON takes both forms.
func (n *nested) UnmarshalJSON(b []byte) error {
	n.raw = params.Value{JSON: b}.Raw()
	var text string
	if json.Unmarshal(b, &text) == nil {
		n.raw = []byte(text)
	}
	return nil
}

func (n nested) sent() bool { return len(n.raw) > 0 && string(n.raw) != "null" }

// read decodes what was sent.
func (n nested) read(name string, dst any) error {
	if !n.sent() {
		return nil
	}
	if json.Unmarshal(n.raw, dst) != nil {
		return invalid("Invalid parameter %s", name)
	}
	return nil
}

// fill changes the fields of a funnel that were sent.
func (f fields) fill(d *Definition) error {
	for _, text := range []struct{ to, from *string }{{&d.Name, f.Name}, {&d.Description, f.Desc}, {&d.Type, f.Type}} {
		if text.from != nil {
			*text.to = *text.from
		}
	}
	if f.Name != nil {
		if err := params.CheckName(*f.Name); err != nil {
			return err
		}
	}
	if f.Order != nil {
		d.Order = *f.Order
	}
	if f.Steps.sent() {
		d.Steps = nil
	}
	if err := f.Steps.read("steps", &d.Steps); err != nil {
		return err
	}
	if err := f.queries(d); err != nil {
		return err
	}
	if f.QueryTexts.sent() {
		d.QueryTexts = nil
	}
	if f.StepGroups.sent() {
		d.StepGroups = nil
	}
	if err := f.QueryTexts.read("queryTexts", &d.QueryTexts); err != nil {
		return err
	}
	if err := f.StepGroups.read("stepGroups", &d.StepGroups); err != nil {
		return err
	}
	if f.Options.sent() {
		d.Options = nil
	}
	return f.Options.read("options", &d.Options)
}

// queries keeps filters as text, as the wire has them.
func (f fields) queries(d *Definition) error {
	if !f.Queries.sent() {
		return nil
	}
	var list []json.RawMessage
	if err := f.Queries.read("queries", &list); err != nil {
		return err
	}
	d.Queries = make([]string, len(list))
	for i, raw := range list {
		if json.Unmarshal(raw, &d.Queries[i]) != nil {
			d.Queries[i] = string(raw)
		}
	}
	return nil
}
