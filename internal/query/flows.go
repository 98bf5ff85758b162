package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/explain"
	"quipu/internal/query/flow"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// FlowQuery says which paths of users are wanted.
type FlowQuery struct {
	// Anchors are what any of is the anchor of a path, Until what ends one; none = paths end by themselves.
	Anchors, Until []FunnelEvent
	// Kinds are what steps may be, besides anchors and ends: FlowEvents and the like.
	Kinds []FlowKind
	// Hidden reports whether a step does not count; nil = all do. Anchors and ends count anyway.
	// HiddenBy names what it hides; "" = the answer is not to be remembered.
	Hidden   func(FlowStep) bool
	HiddenBy string
	Filter   filter.Expr // of all rows; the zero filter selects all
	From     int64       // ms
	To       int64       // ms, included
	// Session keeps a path within a session. Hold are paths of properties, equal in all of a path's steps.
	Session bool
	Hold    []string
	// Expand is the path of a property whose values make different steps of one event; "" = none.
	Expand string
	// CountBy is whose paths they are, in place of users.
	CountBy CountBy
	// Before, After, Window (ms) and Repeats are those of flow.Flow. Nodes is how many different steps a level shows, the
	// others being one more.
	Before, After int
	Window        int64
	Repeats       bool
	Nodes         int
}

// FlowKind is a value of the column e of rows that may be steps.
type FlowKind string

// What steps may be.
const (
	FlowEvents   FlowKind = events.CustomKey
	FlowViews    FlowKind = "[CLY]_view"
	FlowSessions FlowKind = beginKey
	FlowCrashes  FlowKind = crashKey
)

// FlowStep is what a step of a path is. The zero step stands for all that a level does not show.
type FlowStep struct {
	Event string // the key on the wire, "[CLY]_session" for a session that begins
	Name  string // of a view, or the group of a crash; "" of other events
	Value string // of FlowQuery.Expand; "" = it is absent
}

func (s FlowStep) compare(other FlowStep) int {
	return cmp.Or(cmp.Compare(s.Event, other.Event), cmp.Compare(s.Name, other.Name), cmp.Compare(s.Value, other.Value))
}

// FlowNode is a step at a level: the anchor is level 0.
type FlowNode struct {
	FlowStep
	Other bool // all that the level does not show
	Paths int64
	Users int64
	// Ended are the paths that stop here, since nothing comes behind or, at levels before 0 (and at 0 where no steps behind are
	// wanted), in front.
	Ended int64
}

// FlowLink is from a node of a level to one of the next.
type FlowLink struct {
	From, To int // places among the nodes of their levels
	Paths    int64
	Users    int64
}

// FlowLevel is a level of a flow.
type FlowLevel struct {
	Level int
	Nodes []FlowNode // most paths first, the others last
	Links []FlowLink // to the next level, most paths first
}

// Flow is the answer to a FlowQuery. Its levels ascend, without a gap; there are none when there are no paths.
type Flow struct {
	Paths, Users int64
	Levels       []FlowLevel
}

// Flow counts paths. It walks the rows twice: which steps a level shows has to be known before users of those that it does not show
// can be counted once each. Where the rows do not fit into memory at a time, they are read twice, too.
//
// The answer is shared: nobody changes it.
func (f *Funnels) Flow(ctx context.Context, app model.AppID, q *FlowQuery) (*Flow, error) {
	ctx = plan.For(ctx, plan.FlowOperator)
	w, err := flow.New(q.flow())
	if err != nil {
		return nil, err
	}
	asks(ctx, func() explain.Question { return q.rows().question(app) })
	if q.Hidden != nil && q.HiddenBy == "" {
		return f.countFlow(ctx, app, q, w)
	}
	about := fmt.Sprint("flow ", q.flow(), " ", q.Nodes, " without ", q.HiddenBy)
	return recollected(ctx, f, app, q.rows(), about, (*Flow).bytes, func() (*Flow, error) { return f.countFlow(ctx, app, q, w) })
}

// bytes is about what a flow takes in memory.
func (f *Flow) bytes() int64 {
	n := int64(100)
	for _, l := range f.Levels {
		n += 80 + 40*int64(len(l.Links))
		for _, node := range l.Nodes {
			n += 100 + int64(len(node.Event)+len(node.Name)+len(node.Value))
		}
	}
	return n
}

func (f *Funnels) countFlow(ctx context.Context, app model.AppID, q *FlowQuery, w *flow.Walker) (*Flow, error) {
	done, err := f.take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	rows, err := f.tables.resolved(ctx, app, q.rows())
	if err != nil {
		return nil, err
	}
	r := newFunnelReader(f.tables, app, rows, int(f.limit))
	steps := &flowSteps{q: q, walker: w, groups: &r.groups}
	first := &flowCount{q: q}
	if err := r.passes(ctx, f.tables.rows, steps.each(first.add)); errors.Is(err, events.ErrNoApp) {
		return &Flow{}, nil
	} else if err != nil {
		return nil, err
	}
	second := newFlowTally(q, first.shown(r.groups.names))
	if err := r.again(ctx, f.tables.rows, steps.each(second.add)); err != nil {
		return nil, err
	}
	return second.flow(r.groups.names), nil
}

func (q *FlowQuery) flow() flow.Flow {
	return flow.Flow{Before: q.Before, After: q.After, Until: len(q.Until) > 0, Window: q.Window, Keyed: q.Session || len(q.Hold) > 0, Repeats: q.Repeats}
}

// rows says which rows may be steps.
func (q *FlowQuery) rows() *FunnelQuery {
	out := &FunnelQuery{Steps: [][]FunnelEvent{q.Anchors}, Filter: q.Filter, From: q.From, To: q.To, SameSession: q.Session, Hold: q.Hold, Breakdown: q.Expand, CountBy: q.CountBy}
	if len(q.Until) > 0 {
		out.Steps = append(out.Steps, q.Until)
	}
	for _, k := range q.Kinds {
		out.Kinds = append(out.Kinds, string(k))
	}
	return out
}

// flowSteps leaves out the rows of users that are no steps, and finds their paths.
type flowSteps struct {
	q      *FlowQuery
	walker *flow.Walker
	groups *grouping
	hidden []bool // by group, as far as they are known
	rows   []funnel.Row
}

// each calls fn with the paths of each user.
func (s *flowSteps) each(fn func(uid uint32, p flow.Path)) func(uid uint32, rows []funnel.Row) {
	return func(uid uint32, rows []funnel.Row) {
		for len(s.hidden) < len(s.groups.names) {
			s.hidden = append(s.hidden, s.q.hides(stepOf(s.groups.names[len(s.hidden)], s.q.Expand != "")))
		}
		s.rows = s.rows[:0]
		for i := range rows {
			if rows[i].Match != 0 || rows[i].Group == OtherGroup || !s.hidden[rows[i].Group] {
				s.rows = append(s.rows, rows[i])
			}
		}
		s.walker.User(s.rows, func(p flow.Path) { fn(uid, p) })
	}
}

// hides reports whether a step does not count, but as an anchor or end.
func (q *FlowQuery) hides(s FlowStep) bool {
	of := slices.ContainsFunc(q.Kinds, func(k FlowKind) bool {
		return wireKey(string(k)) == s.Event || k == FlowEvents && !strings.HasPrefix(s.Event, events.InternalPrefix)
	})
	return !of || q.Hidden != nil && q.Hidden(s)
}

// nameMark stands between the event and the name of what happened.
const nameMark = "\x1f"

// happened returns the event name of a row: the key of an event, or for an internal event its name after the mark.
func happened() plan.Expr {
	return plan.Do(plan.If, plan.Do(plan.Eq, plan.Ev("e"), plan.Is(events.CustomKey)), plan.Ev("n"), plan.Do(plan.Concat, plan.Ev("e"), plan.Is(nameMark), plan.Ev("n")))
}

// withValue is what happened with the value of a property.
func withValue(what, value string) string { return strconv.Itoa(len(what)) + ":" + what + value }

// wireKey is the key of rows as clients know it.
func wireKey(key string) string {
	if key == beginKey {
		return "[CLY]_session"
	}
	return key
}

// stepOf reads what happened, and withValue.
func stepOf(group string, expanded bool) FlowStep {
	var s FlowStep
	if expanded {
		length, rest, _ := strings.Cut(group, ":")
		n, err := strconv.Atoi(length)
		if err != nil || n > len(rest) {
			return s // the absent group
		}
		group, s.Value = rest[:n], rest[n:]
	}
	s.Event = group
	if strings.HasPrefix(group, events.InternalPrefix) {
		s.Event, s.Name, _ = strings.Cut(group, nameMark)
		s.Event = wireKey(s.Event)
	}
	return s
}

// StepOf returns what a group of a FunnelQuery with Kinds and without Breakdown stands for.
func StepOf(group string) FlowStep { return stepOf(group, false) }

// flowCount counts the paths by level and group.
type flowCount struct {
	q      *FlowQuery
	levels [2*flow.MaxSteps + 1][]int64 // from -Before on, by group
}

func (c *flowCount) add(_ uint32, p flow.Path) {
	for i, group := range p.Groups {
		if group == OtherGroup {
			continue
		}
		level := &c.levels[c.q.Before+i-p.Anchor]
		if int(group) >= len(*level) {
			*level = append(*level, make([]int64, int(group)+1-len(*level))...)
		}
		(*level)[group]++
	}
}

// shown returns the groups with most paths of each level, then the first by name.
func (c *flowCount) shown(names FunnelGroups) [][]uint32 {
	out, expanded := make([][]uint32, c.q.Before+1+c.q.After), c.q.Expand != ""
	for i := range out {
		var list []uint32
		for group, n := range c.levels[i] {
			if n > 0 {
				list = append(list, uint32(group)) // at most maxGroups
			}
		}
		slices.SortFunc(list, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(c.levels[i][b], c.levels[i][a]), stepOf(names[a], expanded).compare(stepOf(names[b], expanded)))
		})
		out[i] = list[:min(len(list), c.q.Nodes)]
	}
	return out
}

// flowSum counts paths, and users once: those of one user follow each other.
type flowSum struct {
	paths, users, ended int64
	last                int64 // number of the user counted last, + 1
}

func (s *flowSum) add(uid uint32) {
	s.paths++
	if s.last != int64(uid)+1 {
		s.last = int64(uid) + 1
		s.users++
	}
}

// flowTally counts nodes and links.
type flowTally struct {
	q      *FlowQuery
	shown  [][]uint32
	places []map[uint32]int // of groups among those shown
	all    flowSum
	nodes  [][]flowSum // the last of a level are the others
	links  [][]flowSum // from × to
}

func newFlowTally(q *FlowQuery, shown [][]uint32) *flowTally {
	t := &flowTally{q: q, shown: shown, places: make([]map[uint32]int, len(shown)), nodes: make([][]flowSum, len(shown)), links: make([][]flowSum, len(shown))}
	for i, list := range shown {
		t.places[i] = make(map[uint32]int, len(list))
		for place, group := range list {
			t.places[i][group] = place
		}
		t.nodes[i] = make([]flowSum, len(list)+1)
		if i > 0 {
			t.links[i-1] = make([]flowSum, len(t.nodes[i-1])*len(t.nodes[i]))
		}
	}
	return t
}

func (t *flowTally) add(uid uint32, p flow.Path) {
	t.all.add(uid)
	before := 0
	for i, group := range p.Groups {
		level := t.q.Before + i - p.Anchor
		place, ok := t.places[level][group]
		if !ok {
			place = len(t.shown[level])
		}
		node := &t.nodes[level][place]
		node.add(uid)
		if t.ended(p, i, level) {
			node.ended++
		}
		if i > 0 {
			t.links[level-1][before*len(t.nodes[level])+place].add(uid)
		}
		before = place
	}
}

// ended reports whether a path stops at its step i, which is at a level.
func (t *flowTally) ended(p flow.Path, i, level int) bool {
	if level < t.q.Before || t.q.After == 0 {
		return i == 0 && p.Begins
	}
	return i == len(p.Groups)-1 && p.Ends
}

// flow writes the tally.
func (t *flowTally) flow(names FunnelGroups) *Flow {
	out := &Flow{Paths: t.all.paths, Users: t.all.users}
	for i, sums := range t.nodes {
		level := FlowLevel{Level: i - t.q.Before}
		for place, s := range sums {
			if s.paths == 0 && (place == len(sums)-1 || t.all.paths == 0) {
				continue
			}
			node := FlowNode{Other: place == len(sums)-1, Paths: s.paths, Users: s.users, Ended: s.ended}
			if !node.Other {
				node.FlowStep = stepOf(names[t.shown[i][place]], t.q.Expand != "")
			}
			level.Nodes = append(level.Nodes, node)
		}
		if len(level.Nodes) == 0 {
			continue
		}
		for j, s := range t.links[i] {
			if s.paths > 0 {
				next := len(t.nodes[i+1])
				level.Links = append(level.Links, FlowLink{From: j / next, To: j % next, Paths: s.paths, Users: s.users})
			}
		}
		slices.SortStableFunc(level.Links, func(a, b FlowLink) int { return cmp.Compare(b.Paths, a.Paths) })
		out.Levels = append(out.Levels, level)
	}
	return out
}
