package flows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/query/flow"
	"quipu/internal/store/docs"
)

// Definition is a flow as it is stored. What the wire knows stands at the top, what it does not in Options.
type Definition struct {
	ID       string         `json:"_id"` // the app's id, "_", and one of its own
	AppID    string         `json:"app_id"`
	Name     string         `json:"name"`
	Type     string         `json:"type"` // "events" or "views"
	Start    anchor         `json:"start"`
	End      anchor         `json:"end"`
	Exclude  []anchor       `json:"exclude"`
	Users    filter.Expr    `json:"user_segmentation"`
	Period   string         `json:"period"`
	Disabled bool           `json:"disabled"`
	Options  *Options       `json:"options,omitempty"`
	Status   string         `json:"status"`
	Changed  int64          `json:"status_changed"` // ms
	Task     string         `json:"task_id,omitempty"`
	Creator  model.MemberID `json:"creator"`
	Created  int64          `json:"created"` // ms
}

// The states of a flow.
const (
	stateNew         = "new"
	stateEdited      = "edited"
	stateCalculating = "calculating"
	stateCompleted   = "completed"
	stateError       = "error"
	stateDisabled    = "disabled" // in answers only
)

// Options are what the wire does not know of.
type Options struct {
	Bound   string   `json:"bound,omitempty"`    // "session" (the usual one), "window" or "user"
	Window  int64    `json:"window,omitempty"`   // s around the anchor, with "window"
	Before  *int     `json:"before,omitempty"`   // steps in front of the anchor
	After   *int     `json:"after,omitempty"`    // steps behind it
	Nodes   int      `json:"nodes,omitempty"`    // different steps that a level shows
	Hold    []string `json:"hold,omitempty"`     // paths of properties, equal in all steps of a path
	Expand  string   `json:"expand,omitempty"`   // path of a property whose values make different steps
	Repeats bool     `json:"repeats,omitempty"`  // the same step several times in a row counts as several
	Kinds   []string `json:"kinds,omitempty"`    // "events", "views", "sessions", "crashes"
	CountBy string   `json:"count_by,omitempty"` // whose paths they are: "users" (the usual ones), "sessions", or the path of a property
	Anchors []anchor `json:"anchors,omitempty"`  // any of which starts a flow, besides start
}

// anchor selects events: by key, a view by its id or name, a crash by its group, and by a filter. On the wire, a text is a key.
type anchor struct {
	Event string      `json:"event,omitempty"`
	View  string      `json:"vid,omitempty"` // the id of a view
	Crash string      `json:"cid,omitempty"` // the id of a group of crashes
	Name  string      `json:"name,omitempty"`
	Query filter.Expr `json:"query,omitzero"`
}

// named sets the event of an anchor that only says which of its rows are meant, where that tells it; false where it does not.
func (a *anchor) named() bool {
	switch {
	case a.Event != "":
	case a.View != "":
		a.Event = viewKey
	case a.Crash != "":
		a.Event = crashKey
	default:
		return a.Name == "" && len(a.Query.Paths()) == 0
	}
	return true
}

// UnmarshalJSON reads both forms.
func (a *anchor) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &a.Event) == nil {
		return nil
	}
	type object anchor
	return json.Unmarshal(b, (*object)(a))
}

// Bounds of a definition.
const (
	maxFlows  = 1000 // of an app
	maxName   = 500  // bytes
	maxBytes  = 64 << 10
	maxKey    = 2048 // bytes
	maxNodes  = 25
	maxHold   = 3
	maxList   = 100
	maxWindow = 366 * 86400 // s
)

const (
	sessionKey = "[CLY]_session"
	viewKey    = "[CLY]_view"
	crashKey   = "[CLY]_crash"
)

// Key returns the flow's id.
func (d Definition) Key() string { return d.ID }

// Validate returns what is wrong with the flow.
func (d Definition) Validate() error {
	if text, err := json.Marshal(d); err != nil || len(text) > maxBytes || len(d.Name) > maxName {
		return errTooLarge
	}
	if strings.TrimSpace(d.Name) == "" {
		return errName
	}
	if d.Type != "events" && d.Type != "views" {
		return errType
	}
	return nil
}

func spec() docs.Spec[Definition] {
	return docs.Spec[Definition]{Name: feature, Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[Definition]{
		{Name: "name", Path: ".name", Fold: true, Order: true},
		{Name: "created", Path: ".created", Order: true},
		{Name: "status", Path: ".status", Order: true},
	}}
}

// settle gives a definition the form in which it is kept.
func (d *Definition) settle() {
	if d.Start.Event == "" && d.End.Event == "" {
		d.Start.Event = sessionKey
	}
	for _, a := range []*anchor{&d.Start, &d.End} {
		if a.Event != viewKey {
			a.View = ""
		}
		if a.Event != crashKey {
			a.Crash = ""
		}
		if a.Event == "" {
			*a = anchor{}
		}
	}
	if d.Exclude == nil {
		d.Exclude = []anchor{}
	}
}

// limits are how much a flow may show.
type limits struct{ nodes, depth int }

func (s *service) limits() limits {
	return limits{nodes: int(s.settings.Number(feature, "nodesCn")), depth: int(s.settings.Number(feature, "maxDepth"))}
}

// compiled is a definition that is ready to be asked.
type compiled struct {
	query query.FlowQuery
	paths []string // of properties that it looks at
}

// names knows what ids and keys of the wire stand for.
type names struct {
	keys func(key string) ([]string, error) // the events of a group, or the key itself
	view func(id string) string             // the name of a view; "" = there is none
}

// compile makes what a definition asks for.
func (d Definition) compile(in names, l limits) (*compiled, error) {
	c := &compiled{query: query.FlowQuery{Filter: d.Users, Nodes: l.nodes, Session: true, Kinds: []query.FlowKind{query.FlowEvents, query.FlowSessions, query.FlowCrashes}}}
	c.paths = d.Users.Paths()
	if d.Type == "views" {
		c.query.Kinds = []query.FlowKind{query.FlowViews, query.FlowSessions}
	}
	starts, ends := d.starts(), []anchor{}
	if d.End.Event != "" {
		ends = append(ends, d.End)
	}
	c.query.After = l.depth
	if len(starts) == 0 {
		starts, ends = ends, nil
		c.query.Before, c.query.After = l.depth, 0
	}
	var err error
	if c.query.Anchors, err = c.events(starts, in); err != nil {
		return nil, err
	}
	if c.query.Until, err = c.events(ends, in); err != nil {
		return nil, err
	}
	if c.query.Hidden, c.query.HiddenBy, err = d.hidden(in); err != nil {
		return nil, err
	}
	if d.Options != nil {
		if err := d.Options.apply(c, l); err != nil {
			return nil, err
		}
	}
	if _, err := flow.New(flow.Flow{Before: c.query.Before, After: c.query.After, Until: len(ends) > 0, Window: c.query.Window}); err != nil {
		return nil, invalid("%s", strings.TrimPrefix(err.Error(), "flow: "))
	}
	return c, nil
}

// starts are the anchors that any flow from here begins with.
func (d Definition) starts() []anchor {
	var out []anchor
	if d.Start.Event != "" {
		out = append(out, d.Start)
	}
	if d.Options != nil {
		out = append(out, d.Options.Anchors...)
	}
	return out
}

// events makes the events that anchors select.
func (c *compiled) events(list []anchor, in names) ([]query.FunnelEvent, error) {
	if len(list) > maxList {
		return nil, errTooLarge
	}
	var out []query.FunnelEvent
	for _, a := range list {
		if a.Event == "" || len(a.Event) > maxKey {
			return nil, invalid("A flow starts and ends with events")
		}
		c.paths = append(c.paths, a.Query.Paths()...)
		keys, err := in.keys(a.Event)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			out = append(out, query.FunnelEvent{Key: key, Name: a.name(in), Filter: a.Query})
		}
	}
	return out, nil
}

// name is the name of the rows that an anchor selects; "" = any.
func (a anchor) name(in names) string {
	switch {
	case a.Event == viewKey && a.View != "":
		if name := in.view(a.View); name != "" {
			return name
		}
		return a.View // no view has it: none is found
	case a.Event == crashKey && a.Crash != "":
		return a.Crash
	case a.Event == viewKey || a.Event == crashKey:
		return a.Name
	}
	return ""
}

// hidden returns which steps do not count, and what names them.
func (d Definition) hidden(in names) (of func(query.FlowStep) bool, by string, err error) {
	if len(d.Exclude) > maxList {
		return nil, "", errTooLarge
	}
	type step struct{ event, name string }
	hidden := map[step]bool{}
	for _, a := range d.Exclude {
		if !a.named() || a.Event == "" {
			return nil, "", invalid("A step that does not count is named by its event, vid or cid")
		}
		keys, err := in.keys(a.Event)
		if err != nil {
			return nil, "", err
		}
		for _, key := range keys {
			hidden[step{key, a.name(in)}] = true
		}
	}
	of = func(s query.FlowStep) bool { return hidden[step{s.Event, ""}] || hidden[step{s.Event, s.Name}] }
	var list []string
	for s := range hidden {
		list = append(list, fmt.Sprintf("%q %q", s.event, s.name))
	}
	slices.Sort(list)
	return of, fmt.Sprint(list), nil
}

// apply adds the options to what is asked for.
func (o *Options) apply(c *compiled, l limits) error {
	switch o.Bound {
	case "", "session":
	case "window":
		if o.Window < 1 || o.Window > maxWindow {
			return invalid("Window is 1 to %d seconds", maxWindow)
		}
		c.query.Session, c.query.Window = false, o.Window*1000
	case "user":
		c.query.Session = false
	default:
		return invalid("Bound is session, window or user")
	}
	for _, side := range []struct {
		wanted *int
		steps  *int
	}{{o.Before, &c.query.Before}, {o.After, &c.query.After}} {
		if side.wanted == nil {
			continue
		}
		if *side.wanted < 0 || *side.wanted > l.depth {
			return invalid("There are 0 to %d steps on either side", l.depth)
		}
		*side.steps = *side.wanted
	}
	if o.Nodes < 0 || o.Nodes > maxNodes {
		return invalid("A level shows 1 to %d different steps", maxNodes)
	}
	if o.Nodes > 0 {
		c.query.Nodes = o.Nodes
	}
	if len(o.Hold) > maxHold || slices.ContainsFunc(o.Hold, badPath) || o.Expand != "" && badPath(o.Expand) {
		return invalid("At most %d properties are held constant, and one expands steps", maxHold)
	}
	var err error
	if c.query.CountBy, err = query.ParseCountBy(o.CountBy); err != nil {
		return err
	}
	c.paths = append(c.paths, c.query.CountBy.Paths()...)
	c.query.Hold, c.query.Expand, c.query.Repeats = o.Hold, o.Expand, o.Repeats
	c.paths = append(c.paths, o.Hold...)
	if o.Expand != "" {
		c.paths = append(c.paths, o.Expand)
	}
	return o.kinds(c)
}

func badPath(p string) bool { return p == "" || len(p) > filter.MaxPath }

func (o *Options) kinds(c *compiled) error {
	if len(o.Kinds) == 0 {
		return nil
	}
	all := map[string]query.FlowKind{"events": query.FlowEvents, "views": query.FlowViews, "sessions": query.FlowSessions, "crashes": query.FlowCrashes}
	c.query.Kinds = nil
	for _, name := range o.Kinds {
		k, ok := all[name]
		if !ok {
			return invalid("Kinds are events, views, sessions and crashes")
		}
		if !slices.Contains(c.query.Kinds, k) {
			c.query.Kinds = append(c.query.Kinds, k)
		}
	}
	return nil
}

// compile is Definition.compile with the groups of events and the views that an app has.
func (s *service) compile(ctx context.Context, app model.AppID, d Definition) (*compiled, error) {
	var views map[string]string
	list, err := s.subjects.List(ctx, app, viewKey)
	if err != nil {
		return nil, err
	}
	views = make(map[string]string, len(list))
	for _, v := range list {
		views[v.ID] = v.Name
	}
	return d.compile(names{
		keys: func(key string) ([]string, error) { return s.groups.Keys(ctx, app, key) },
		view: func(id string) string { return views[id] },
	}, s.limits())
}

// mayLookAt refuses paths that a member may not ask by, see auth.MayAskOfUsers.
func mayLookAt(m *model.Member, app model.AppID, paths []string) error {
	if !auth.MayAskOfUsers(m, app, paths) {
		return errRight
	}
	return nil
}
