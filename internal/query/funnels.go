package query

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/explain"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// FunnelEvent selects event rows: those of a key of the schema that a filter selects. "[CLY]_session" stands for sessions
// that begin, the key of a defined event for its events. Name is that of a view, or of another internal event with names; "" = any.
type FunnelEvent struct {
	Key    string
	Name   string
	Filter filter.Expr

	defined *defined // what the key stands for; nil = a key of the schema
}

// FunnelQuery says which rows of users are the steps of a funnel.
type FunnelQuery struct {
	// Steps are what one of stands for each step, at most funnel.MaxSteps; Exclusions, at most funnel.MaxExclusions, those
	// for exclusions.
	Steps      [][]FunnelEvent
	Exclusions []FunnelEvent
	// Others adds rows that are neither, for strict funnels: the app's own events and views.
	Others bool
	// Filter selects among all rows; the zero filter selects all.
	Filter filter.Expr
	From   int64 // ms
	To     int64 // ms, included
	UIDs   []uint32
	// SameSession and Hold, paths of properties, make up the key of a row; the key of a row without a session, or without a
	// value at one of the paths, is 0.
	SameSession bool
	Hold        []string
	// Breakdown is the path of what makes up the group of a row; "" = there are no groups.
	Breakdown string
	// With are paths of further properties whose values make up the group of a row together with that of Breakdown.
	With []string
	// First leaves out users who did the first step before From: those of whom there is such a row.
	First bool
	// Matching says that filters of steps leave out many rows: those that match nothing are not read.
	Matching bool
	// Value is the path of a number that is the value of a row; 0 where it is absent. Rows with a value have no key.
	Value string
	// CountBy is what the rows are of, in place of users: rows of the same session, or of the same account, belong together. Rows of none are
	// left out. Of a query with UIDs it is users.
	CountBy CountBy
	// Kinds are values of the rows' column e: rows with one of them are taken whether they match or not, and what happened is,
	// with the value of Breakdown, what makes up the group of a row (happened). Flows have them.
	Kinds []string

	trend bool // filters know what those of trends do
}

// FunnelGroups names groups by their number. Number 0 is an absent value.
type FunnelGroups []string

// OtherGroup is the group of all values that come after the first maxGroups different ones, or when these take a quarter as much
// memory as rows may.
const (
	OtherGroup = math.MaxUint32
	maxGroups  = 100_000
)

// errOneUser is the fault of a user who alone has more rows than fit into memory, errOneAccount that of an account.
var (
	errOneUser    = fault.New(fault.Invalid, "funnels.too_many_events", "One user has too many events of this funnel, choose a shorter period")
	errOneAccount = fault.New(fault.Invalid, "funnels.too_many_events", "One account has too many events of this funnel, choose a shorter period")
)

// Funnels reads the rows of users in their order: for funnels, flows and retention. It is safe for concurrent use; one read at a
// time holds rows in memory.
type Funnels struct {
	tables *Tables
	limit  int64 // bytes of rows
	turn   chan struct{}
}

// NewFunnels returns a reader that holds rows of limit bytes in memory at most.
func NewFunnels(t *Tables, limit int64) *Funnels {
	return &Funnels{tables: t, limit: limit, turn: make(chan struct{}, 1)}
}

// Each calls fn with the rows of each user who has any, in their order, users by ascending number; rows are valid until fn
// returns. Where sessions or accounts are counted, it is called with those of each of these, in any order, and uid counts them.
// The rows of a user are from one state of the store; where there are more than fit into memory, those of other users
// may be from a later one.
func (f *Funnels) Each(ctx context.Context, app model.AppID, q *FunnelQuery, fn func(uid uint32, rows []funnel.Row)) (FunnelGroups, error) {
	return f.EachOf(ctx, app, q, fn)
}

// Workers is by how many functions EachOf is best shared.
func Workers() int { return min(runtime.GOMAXPROCS(0), 4) }

// EachOf is Each that shares users among several functions, each of which is called by one goroutine at a time; users are in no order then, and uid says nothing
// of sessions and accounts.
func (f *Funnels) EachOf(ctx context.Context, app model.AppID, q *FunnelQuery, fns ...func(uid uint32, rows []funnel.Row)) (FunnelGroups, error) {
	asks(ctx, func() explain.Question { return q.question(app) })
	ctx = plan.For(ctx, plan.FunnelOperator)
	done, err := f.take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	q, err = f.tables.resolved(ctx, app, q)
	if err != nil {
		return nil, err
	}
	r := newFunnelReader(f.tables, app, q, int(f.limit))
	err = r.passes(ctx, f.tables.rows, fns...)
	return r.groups.names, missing(err)
}

// Recalled returns what compute returned before of the rows that q selects and of a question about them, if nothing of the app has changed since;
// otherwise what it returns now. about holds all that the answer depends on beside q and the rows. The answer is shared: nobody changes it. bytes is
// about how much memory it takes; nothing is remembered when f reads rows that do not come from Recall.
func Recalled[T any](ctx context.Context, f *Funnels, app model.AppID, q *FunnelQuery, about string, bytes func(T) int64, compute func() (T, error)) (T, error) {
	asks(ctx, func() explain.Question { return q.question(app) })
	return recollected(ctx, f, app, q, about, bytes, compute)
}

// recollected is Recalled of a question that is recorded already.
func recollected[T any](ctx context.Context, f *Funnels, app model.AppID, q *FunnelQuery, about string, bytes func(T) int64, compute func() (T, error)) (T, error) {
	if f.tables.answers == nil {
		return compute()
	}
	var none T
	generation := f.tables.defined.Generation(app) // definitions may change before compute reads them
	q, err := f.tables.resolved(ctx, app, q)
	if err != nil {
		return none, err
	}
	reader := newFunnelReader(f.tables, app, q, 0)
	asked, err := f.tables.lookups.in(ctx, &reader.plan)
	if err != nil {
		return none, err
	}
	key := asked.Key().With(fmt.Sprint(generation, " ", reader.masks, " ", q.CountBy, " ", q.SameSession, len(q.Hold), q.Breakdown != "", q.Value != "", q.Others, q.Kinds != nil, " ", about))
	value, remembered, err := f.tables.answers.do(ctx, app, key, func() (any, int64, error) {
		v, err := compute()
		if err != nil {
			return nil, 0, err
		}
		if now, err := f.tables.lookups.in(ctx, &reader.plan); err != nil || now != asked && now.Key() != asked.Key() {
			return v, notKept, err // others were members when rows were read, perhaps
		}
		return v, bytes(v), nil
	})
	if remembered {
		note(ctx, func() string { return about + " of " + reader.plan.String() }, -1)
	}
	out, _ := value.(T)
	return out, err
}

// take waits for its turn to hold memory, until done is called.
func (f *Funnels) take(ctx context.Context) (done func(), err error) {
	select {
	case f.turn <- struct{}{}:
		return func() { <-f.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// funnelReader reads the rows of a funnel into piles.
type funnelReader struct {
	q      *FunnelQuery
	plan   plan.Query
	pile   *pile
	arrive arrival
	groups grouping
	seed   maphash.Seed
	keyed  bool
	masks  []uint32 // matches by the place of a row's event; nil = matches are read themselves
	limit  int      // bytes
	counts uint32   // units that passes has seen, where they are no users
	unit   uint64   // which one the rows are of that passes hands on
}

// Places among the columns that are read: of what a row matches, and of the unit, where they are no users.
const (
	matchColumn = 4
	unitColumn  = 5
)

func newFunnelReader(t *Tables, app model.AppID, q *FunnelQuery, limit int) *funnelReader {
	bind := t.bindFunnel(app)
	if q.trend {
		bind = t.bindTrend(app)
	}
	r := &funnelReader{q: q, keyed: q.SameSession || len(q.Hold) > 0, seed: maphash.MakeSeed()}
	r.limit = limit
	r.newPile(false)
	r.plan = plan.Query{App: app, From: plan.Events, Select: []plan.Expr{plan.Ev("uid"), plan.Ev("ts"), plan.Ev("off"), plan.Ev("item"), nil}}
	if r.plan.Select[matchColumn], r.masks = q.placed(); r.masks == nil {
		r.plan.Select[matchColumn] = q.match(bind)
	}
	var of plan.Expr // a unit
	if q.CountBy != CountUsers {
		unit := t.unit(app, q.CountBy)
		of = present(unit)
		r.plan.Select = append(r.plan.Select, unitOf(q.CountBy, unit))
	}
	r.plan.Where = plan.All(plan.Between(plan.Ev("ts"), q.From, q.To), q.whose(), q.rows(), of, q.newcomers(t, app, bind), plan.Matching(q.Filter, bind), q.matching(bind))
	if r.states() {
		r.plan.Order = by(eventTies)
	}
	if q.SameSession {
		r.plan.Select = append(r.plan.Select, plan.Ev("session"))
	}
	paths := q.Hold
	if q.Breakdown != "" {
		paths = append(slices.Clone(paths), q.Breakdown)
	}
	if q.grouped() {
		r.groups = newGrouping(max(limit/4, leastGroups))
	}
	for _, path := range paths {
		r.plan.Select = append(r.plan.Select, textAt(bind, path))
	}
	if n := len(r.plan.Select); q.Breakdown != "" && len(q.With) > 0 {
		several := []plan.Expr{r.plan.Select[n-1]}
		for _, path := range q.With {
			several = append(several, plan.Is(nameMark), textAt(bind, path))
		}
		r.plan.Select[n-1] = plan.Do(plan.Concat, several...)
	}
	if q.Value != "" {
		var value plan.Expr = plan.Is("")
		if v, ok := bind(q.Value); ok {
			value = plan.Do(plan.Coalesce, plan.Do(plan.Text, plan.Do(plan.Number, v)), plan.Is(""))
		}
		r.plan.Select = append(r.plan.Select, value)
	}
	if q.Kinds != nil {
		r.plan.Select = append(r.plan.Select, happened())
	}
	return r
}

// textAt is the value at a path as text, "" where it is absent.
func textAt(bind binder, path string) plan.Expr {
	if v, ok := bind(path); ok {
		return plan.Do(plan.Coalesce, plan.Do(plan.Text, v), plan.Is(""))
	}
	return plan.Is("")
}

// grouped reports whether rows have groups.
func (q *FunnelQuery) grouped() bool { return q.Breakdown != "" || q.Kinds != nil }

// unitOf is the column of units: the number of a session, or the text of an account.
func unitOf(c CountBy, unit plan.Expr) plan.Expr {
	if c == CountSessions {
		return plan.Ev("session")
	}
	if unit == nil {
		return plan.Is("")
	}
	return plan.Do(plan.Coalesce, unit, plan.Is(""))
}

// newcomers is the condition that the unit of a row did not do the first step before.
func (q *FunnelQuery) newcomers(t *Tables, app model.AppID, bind binder) plan.Expr {
	unit := t.unit(app, q.CountBy)
	if !q.First || unit == nil {
		return nil
	}
	var list []plan.Expr
	for _, e := range q.Steps[0] {
		list = append(list, e.condition(bind))
	}
	var of plan.Expr
	if q.CountBy != CountUsers {
		of = present(unit)
	}
	before := &plan.Query{
		App: app, From: plan.Events, Select: []plan.Expr{unit}, Distinct: true,
		Where: plan.All(plan.Do(plan.Lt, plan.Ev("ts"), plan.Is(q.From)), of, plan.Any(list...)),
	}
	return plan.Do(plan.Not, plan.Among{Of: unit, Query: before})
}

// newPile makes the pile of the reader.
func (r *funnelReader) newPile(wide bool) {
	r.pile = newPile(r.limit, r.q.From, r.keyed || r.q.Value != "", wide, r.q.CountBy != CountUsers)
	r.pile.values = r.q.Value != ""
}

// bindFunnel is bindEvent that also knows what a user is broken down by, as "cc", by its own name.
func (t *Tables) bindFunnel(app model.AppID) binder {
	bind := t.bindEvent(app)
	return func(path string) (plan.Typed, bool) {
		if _, ok := model.DimensionByKey(path); ok {
			path = "up." + path
		}
		return bind(path)
	}
}

// selector returns what rows of an event have in their columns e and n.
func (e FunnelEvent) selector() (key, name string) {
	if e.Key == "[CLY]_session" {
		return beginKey, ""
	}
	if key, name = events.Selector(e.Key); name == "" {
		name = e.Name
	}
	return key, name
}

// condition is that a row is of the event.
func (e FunnelEvent) condition(bind binder) plan.Expr {
	if e.defined != nil {
		return plan.All(e.defined.condition(), plan.Matching(e.Filter, bind))
	}
	key, name := e.selector()
	of := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key))
	if name == "" {
		return plan.All(of, plan.Matching(e.Filter, bind))
	}
	if key == crashKey {
		return plan.All(of, ofGroup(name), plan.Matching(e.Filter, bind))
	}
	return plan.All(of, plan.Do(plan.Eq, plan.Ev("n"), plan.Is(events.CleanText(name))), plan.Matching(e.Filter, bind))
}

// match is the value of funnel.Row.Match.
func (q *FunnelQuery) match(bind binder) plan.Expr {
	var sum plan.Expr
	add := func(when plan.Expr, bit uint32) {
		value := plan.Do(plan.If, when, plan.Is(int64(bit)), plan.Is(0))
		if sum == nil {
			sum = value
		} else {
			sum = plan.Do(plan.Add, sum, value)
		}
	}
	for i, step := range q.Steps {
		var list []plan.Expr
		for _, e := range step {
			list = append(list, e.condition(bind))
		}
		add(plan.Any(list...), funnel.StepBit(i))
	}
	for i, e := range q.Exclusions {
		add(e.condition(bind), funnel.ExclusionBit(i))
	}
	return plan.Do(plan.Add, sum, plan.Is(0)) // as wide as sums are
}

// rows is the condition that a row may be one of the funnel's. Filters of steps are not part of it: they would be
// computed twice.
func (q *FunnelQuery) rows() plan.Expr {
	var keys, names []string
	var all []FunnelEvent
	for _, e := range slices.Concat(append(slices.Clone(q.Steps), q.Exclusions)...) {
		all = append(all, e.plain()...)
	}
	for _, e := range all {
		if key, name := e.selector(); key == events.CustomKey && name != "" {
			names = append(names, events.CleanText(name))
		} else {
			keys = append(keys, key)
		}
	}
	var own plan.Expr
	switch {
	case q.Kinds != nil:
		keys = append(keys, q.Kinds...)
		if len(names) > 0 {
			keys = append(keys, events.CustomKey)
		}
	case q.Others:
		keys = append(keys, events.CustomKey, events.InternalPrefix+"view")
	case len(names) > 0:
		own = plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(events.CustomKey)), plan.OneOf(plan.Ev("n"), distinct(names)))
	}
	if len(keys) == 0 {
		return own
	}
	return plan.Any(own, plan.OneOf(plan.Ev("e"), distinct(keys)))
}

// matching is the condition that a row matches something; nil where that is not asked for.
func (q *FunnelQuery) matching(bind binder) plan.Expr {
	if !q.Matching {
		return nil
	}
	var list []plan.Expr
	for _, e := range slices.Concat(append(slices.Clone(q.Steps), q.Exclusions)...) {
		c := e.condition(bind)
		if !slices.ContainsFunc(list, func(known plan.Expr) bool { return reflect.DeepEqual(known, c) }) {
			list = append(list, c)
		}
	}
	return plan.Any(list...)
}

// states reports whether rows are selected, or matched, by their states: of a join with few states, an event store returns rows in no order, and would be
// asked twice.
func (r *funnelReader) states() (found bool) {
	(&plan.Query{Where: r.plan.Where, Select: r.plan.Select[matchColumn : matchColumn+1]}).Walk(func(e plan.Expr) {
		if c, ok := e.(plan.Column); ok && c.Of != plan.Events {
			found = true
		}
	})
	return found
}

// whose is the condition that a row is of one of the users asked for.
func (q *FunnelQuery) whose() plan.Expr {
	if q.UIDs == nil {
		return nil
	}
	list := make([]int64, len(q.UIDs))
	for i, uid := range q.UIDs {
		list[i] = int64(uid)
	}
	return plan.OneOf(plan.Ev("uid"), list)
}

// errOrder ends a read whose rows do not come in the order of their arrival.
var errOrder = errors.New("query: rows are not in the order of their arrival")

// passes reads the rows, as often as it takes to hold those of some users at a time.
func (r *funnelReader) passes(ctx context.Context, rows Rows, fns ...func(uid uint32, rows []funnel.Row)) error {
	where := r.plan.Where
	defer func() { r.plan.Where = where }()
	r.counts = 0
	for low := uint64(0); ; {
		if low > 0 && len(r.q.CountBy.Paths()) == 0 { // the numbers of accounts are unknown to the store
			r.plan.Where = plan.All(where, plan.Do(plan.Ge, plan.Ev("uid"), plan.Is(int64(low)))) // below 2^32
		}
		r.pile.reset(low)
		r.arrive = arrival{}
		err := rows.RunColumns(ctx, &r.plan, r.take)
		if errors.Is(err, errMasks) { // seldom: steps that overlap, or groups, in a thousand ways
			r.newPile(true)
			continue
		}
		if errors.Is(err, errOrder) { // an engine that keeps rows in another order has to sort them
			r.plan.Order = by(eventTies)
			continue
		}
		if errors.Is(err, errOneUser) && len(r.q.CountBy.Paths()) > 0 {
			err = errOneAccount
		}
		if err != nil {
			return err
		}
		if err := r.pile.each(ctx, r.counting(fns)...); err != nil {
			return err
		}
		if r.pile.whole() {
			return nil
		}
		low = r.pile.high
	}
}

// again calls fn with the rows that passes read: those in memory, or, where they did not fit, those there are now.
func (r *funnelReader) again(ctx context.Context, rows Rows, fn func(uid uint32, rows []funnel.Row)) error {
	if r.pile.low == 0 && r.pile.whole() {
		r.counts = 0
		return r.pile.each(ctx, r.counting([]func(uint32, []funnel.Row){fn})...)
	}
	return r.passes(ctx, rows, fn)
}

// counting calls fns with the numbers of users, or, of other units, the only one with how many came so far.
func (r *funnelReader) counting(fns []func(uid uint32, rows []funnel.Row)) []userRows {
	out := make([]userRows, len(fns))
	for i, fn := range fns {
		switch {
		case r.q.CountBy == CountUsers || len(fns) > 1:
			out[i] = func(uid uint32, _ uint64, rows []funnel.Row) { fn(uid, rows) }
		default:
			out[i] = func(_ uint32, unit uint64, rows []funnel.Row) {
				r.counts++
				r.unit = unit
				fn(r.counts, rows)
			}
		}
	}
	return out
}

// take adds rows of the result.
func (r *funnelReader) take(c *events.Columns) error {
	uid, ts, off, item, match := c.List[0].Whole, c.List[1].Whole, c.List[2].Whole, c.List[3].Whole, c.List[4].Whole
	more := c.List[unitColumn:]
	var units events.Column
	if r.q.CountBy != CountUsers {
		units, more = more[0], more[1:]
	}
	for i := range c.Len {
		if !r.arrive.next(uint64(off[i]), uint64(item[i])) { // an offset
			return errOrder
		}
		of := uint32(match[i]) // a mask, or a place
		if r.masks != nil {
			of = r.masks[of]
		}
		if of == 0 && !r.q.Others && r.q.Kinds == nil {
			continue
		}
		var extra extraRow
		if len(more) > 0 {
			extra.keptExtra = r.extra(more, i)
		}
		whose := uint32(uid[i]) // as it is stored
		switch r.q.CountBy {
		case CountUsers:
		case CountSessions:
			extra.unit = uint64(units.Whole[i]) // as it is stored
		default:
			whose, extra.unit = r.account(units.Text[i])
		}
		if err := r.pile.add(whose, ts[i], of, extra); err != nil {
			return err
		}
	}
	return nil
}

// extra makes the key and the group of a row.
func (r *funnelReader) extra(columns []events.Column, i int) keptExtra {
	var x keptExtra
	var h maphash.Hash
	h.SetSeed(r.seed)
	absent := false
	if r.q.SameSession {
		session := columns[0].Whole[i]
		maphash.WriteComparable(&h, session)
		absent = session == 0
		columns = columns[1:]
	}
	for j := range r.q.Hold {
		value := columns[j].Text[i]
		maphash.WriteComparable(&h, value)
		absent = absent || value == ""
	}
	if r.keyed && !absent {
		x.key = max(1, h.Sum64())
	}
	columns = columns[len(r.q.Hold):]
	switch {
	case !r.q.grouped():
	case r.q.Kinds == nil || r.q.Breakdown == "":
		x.group = r.groups.number(columns[0].Text[i])
	default:
		x.group = r.groups.number(withValue(columns[1].Text[i], columns[0].Text[i]))
	}
	if r.q.Value != "" {
		if v, err := strconv.ParseFloat(columns[len(columns)-1].Text[i], 64); err == nil {
			x.key = math.Float64bits(v)
		}
	}
	return x
}

// grouping numbers the values of a property.
type grouping struct {
	names   FunnelGroups
	numbers map[string]uint32
	left    int // bytes for more
}

// leastGroups is how much memory groups may take at least (bytes), groupBytes about what one takes besides its name.
const (
	leastGroups = 64 << 10
	groupBytes  = 64
)

func newGrouping(bytes int) grouping {
	return grouping{names: FunnelGroups{""}, numbers: map[string]uint32{}, left: bytes}
}

func (g *grouping) number(value string) uint32 {
	if value == "" {
		return 0
	}
	n, ok := g.numbers[value]
	switch {
	case ok:
		return n
	case len(g.names) > maxGroups || g.left < len(value)+groupBytes:
		return OtherGroup
	}
	g.left -= len(value) + groupBytes
	value = strings.Clone(value) // it may be part of a longer text
	n = uint32(len(g.names))     // at most maxGroups
	g.names = append(g.names, value)
	g.numbers[value] = n
	return n
}

// arrival checks that rows come in the order of their places in the journal, those of each partition by itself.
type arrival struct {
	part int
	last map[int][2]uint64 // of the other partitions
	at   [2]uint64         // place of the last row of the partition
}

// partitionShift is where the number of the partition begins in an offset (docs/format/events.md).
const partitionShift = 48

func (a *arrival) next(off, item uint64) bool {
	if part := int(off >> partitionShift); part != a.part {
		if a.last == nil {
			a.last = map[int][2]uint64{}
		}
		a.last[a.part] = a.at
		a.part, a.at = part, a.last[part]
	}
	ok := off > a.at[0] || off == a.at[0] && item >= a.at[1]
	a.at = [2]uint64{off, item}
	return ok
}

// Users counts the users of the query's time, of those asked for: those of whom a request came then, or, with a filter, of
// whom it selects an event. Sessions and accounts are those of events, too.
func (f *Funnels) Users(ctx context.Context, app model.AppID, q *FunnelQuery) (n int64, err error) {
	ctx = plan.For(ctx, plan.FunnelOperator)
	count := &plan.Query{App: app, From: plan.Requests, Where: plan.Between(plan.Rq("ts"), q.From, q.To), Select: []plan.Expr{plan.Agg{Fn: plan.Distinct, Of: plan.Rq("uid")}}}
	if !q.Filter.IsZero() || q.UIDs != nil || q.CountBy != CountUsers {
		count.From, count.Select = plan.Events, []plan.Expr{units(f.tables.unit(app, q.CountBy), nil)}
		count.Where = plan.All(plan.Between(plan.Ev("ts"), q.From, q.To), q.whose(), plan.Matching(q.Filter, f.tables.bindFunnel(app)))
	}
	err = f.tables.asked.Run(ctx, count, func(row events.Scanner) error { return row.Scan(&n) })
	return n, missing(err)
}
