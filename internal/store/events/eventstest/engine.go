package eventstest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// engine is a naive one: it runs plans over maps, one row after another: what every engine has to answer. Values are nil,
// bool, int64, float64, string, and document for JSON.
type engine struct {
	tables map[plan.Table][]values
	users  map[int64]values   // by uid
	states map[int64]values   // by number
	lasts  map[int64][]values // states by uid, in order of their places and numbers
}

type values map[string]any

// document is a value of JSON.
type document struct{ value any }

// engineOf returns an engine that holds tables.
func engineOf(tables map[plan.Table][]values) *engine {
	n := &engine{tables: tables, users: map[int64]values{}, states: map[int64]values{}, lasts: map[int64][]values{}}
	for _, u := range tables[plan.Users] {
		n.users[u["uid"].(int64)] = u
	}
	for _, s := range tables[plan.States] {
		n.states[s["state"].(int64)] = s
		uid := s["uid"].(int64)
		n.lasts[uid] = append(n.lasts[uid], s)
	}
	for _, list := range n.lasts {
		slices.SortFunc(list, func(a, b values) int {
			return cmp.Or(cmp.Compare(a["off"].(int64), b["off"].(int64)), cmp.Compare(a["state"].(int64), b["state"].(int64)))
		})
	}
	return n
}

// newEngine returns an engine that holds c and the users that are given by their columns.
func newEngine(c Contents, users []values) *engine {
	tables := map[plan.Table][]values{plan.Users: users}
	for _, s := range c.States {
		tables[plan.States] = append(tables[plan.States], values{"state": int64(s.Number), "off": int64(s.Offset), "uid": int64(s.UID), "props": text(s.JSON)})
	}
	for _, r := range c.Requests {
		tables[plan.Requests] = append(tables[plan.Requests], values{
			"off": int64(r.Offset), "item": int64(r.Item), "ts": r.TS, "received": r.Received, "uid": int64(r.UID), "flags": int64(r.Flags), "dur": r.Dur,
		})
	}
	for _, r := range c.Rows {
		v := values{
			"off": int64(r.Offset), "item": int64(r.Item), "ts": r.TS, "received": r.Received, "e": r.Key, "n": text(r.Name), "uid": int64(r.UID),
			"session": int64(r.Session), "state": int64(r.State), "c": r.Count, "s": r.Sum, "dur": r.Dur, "hour": int64(r.Hour), "dow": int64(r.Dow), "extra": text(r.Extra),
		}
		for i, p := range r.Text {
			if p != nil {
				v[fmt.Sprintf("s%d", i+1)] = *p
			}
		}
		for i, p := range r.Num {
			if p != nil {
				v[fmt.Sprintf("n%d", i+1)] = *p
			}
		}
		tables[plan.Events] = append(tables[plan.Events], v)
	}
	return engineOf(tables)
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Run returns the rows of a plan's result.
func (n *engine) Run(q *plan.Query) [][]any {
	if q.Detail != nil {
		return n.detailed(q)
	}
	found := n.found(q)
	type line struct{ out, order []any }
	var lines []line
	if q.Whole && (q.Having == nil || n.ofGroup(q, found, q.Having) == true) {
		var l line
		for _, e := range q.Select {
			l.out = append(l.out, n.whole(q, found, e))
		}
		for _, o := range q.Order {
			l.order = append(l.order, n.whole(q, found, o.By))
		}
		lines = append(lines, l)
	}
	for _, group := range n.groups(q, found) {
		if q.Having != nil && n.ofGroup(q, group, q.Having) != true {
			continue
		}
		var l line
		for _, e := range q.Select {
			l.out = append(l.out, n.ofGroup(q, group, e))
		}
		for _, o := range q.Order {
			l.order = append(l.order, n.ofGroup(q, group, o.By))
		}
		if q.Distinct && slices.ContainsFunc(lines, func(x line) bool { return slices.Equal(x.out, l.out) }) {
			continue
		}
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		for i, o := range q.Order {
			if c := ranked(a.order[i], b.order[i], o.Desc); c != 0 {
				return c
			}
		}
		return 0
	})
	for i, e := range q.Select {
		if a, ok := e.(plan.Agg); ok && a.Fn == plan.Groups {
			for _, l := range lines {
				l.out[i] = int64(len(lines))
			}
		}
	}
	lines = lines[min(q.Offset, len(lines)):]
	if q.Limit > 0 {
		lines = lines[:min(q.Limit, len(lines))]
	}
	out := make([][]any, len(lines))
	for i, l := range lines {
		out[i] = l.out
	}
	return out
}

// found are the rows that a plan reads.
func (n *engine) found(q *plan.Query) (found []values) {
	for _, row := range n.tables[q.From] {
		if q.Where == nil || n.holds(q, row, q.Where) {
			found = append(found, n.unfolded(q, row)...)
		}
	}
	return found
}

// detailed is Run of a plan with Detail.
func (n *engine) detailed(q *plan.Query) [][]any {
	groups, d := *q, q.Detail
	groups.Detail = nil
	var out [][]any
	places := map[string]int{} // of groups in the page
	keyOf := func(value func(i int) any) string {
		var key []any
		for i, e := range q.Select {
			if _, literal := e.(plan.Literal); !literal && !aggregates(e) {
				key = append(key, value(i))
			}
		}
		return fmt.Sprintf("%#v", key)
	}
	for place, line := range n.Run(&groups) {
		places[keyOf(func(i int) any { return line[i] })] = place
		out = append(out, append(line, int64(plan.PartPage), nil))
	}
	of := map[plan.Part]map[any]map[int][]values{plan.PartAll: {nil: {0: nil}}, plan.PartPageBy: {}, plan.PartRest: {nil: {0: nil}}, plan.PartRestBy: {}}
	add := func(p plan.Part, by any, place int, row values) {
		if of[p][by] == nil {
			of[p][by] = map[int][]values{}
		}
		of[p][by][place] = append(of[p][by][place], row)
	}
	for _, row := range n.found(q) {
		add(plan.PartAll, nil, 0, row)
		place, shown := places[keyOf(func(i int) any { return n.of(q, row, q.Select[i]) })]
		if !shown {
			add(plan.PartRest, nil, 0, row)
		}
		if d.By == nil {
			continue
		}
		if by := n.of(q, row, d.By); shown {
			add(plan.PartPageBy, by, place, row)
		} else {
			add(plan.PartRestBy, by, 0, row)
		}
	}
	for _, p := range []plan.Part{plan.PartAll, plan.PartPageBy, plan.PartRest, plan.PartRestBy} {
		if p == plan.PartAll && !d.Whole || (p == plan.PartRest || p == plan.PartRestBy) && !d.Rest {
			continue
		}
		for _, by := range slices.SortedFunc(maps.Keys(of[p]), func(a, b any) int { return ranked(a, b, false) }) {
			for _, place := range slices.Sorted(maps.Keys(of[p][by])) {
				var line []any
				for _, e := range q.Select {
					a, isAgg := e.(plan.Agg)
					switch {
					case isAgg && a.Fn == plan.Groups:
						line = append(line, int64(0))
					case p == plan.PartPageBy:
						line = append(line, n.ofGroup(q, of[p][by][place], e))
					default:
						line = append(line, n.whole(q, of[p][by][place], e))
					}
				}
				out = append(out, append(line, int64(p), by))
			}
		}
	}
	return out
}

// keyOf is where a row that stands for one key of a JSON object has this key.
const keyOf = "\x00key"

// unfolded returns a row once for each key, if the query selects the keys of an object, otherwise the row.
func (n *engine) unfolded(q *plan.Query, row values) []values {
	i := slices.IndexFunc(q.Select, func(e plan.Expr) bool { c, ok := e.(plan.Call); return ok && c.Fn == plan.Keys })
	if i < 0 {
		return []values{row}
	}
	object, _ := n.of(q, row, q.Select[i].(plan.Call).Args[0]).(string)
	var members map[string]any
	if json.Unmarshal([]byte(object), &members) != nil {
		return nil
	}
	var out []values
	for _, key := range slices.Sorted(maps.Keys(members)) {
		one := maps.Clone(row)
		one[keyOf] = key
		out = append(out, one)
	}
	return out
}

// ranked compares values for an order, absent ones last.
func ranked(a, b any, desc bool) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	case desc:
		return -compared(a, b)
	}
	return compared(a, b)
}

// groups returns the rows that make one row of the result each.
func (n *engine) groups(q *plan.Query, rows []values) [][]values {
	if !slices.ContainsFunc(q.Select, aggregates) && q.Having == nil {
		out := make([][]values, len(rows))
		for i, r := range rows {
			out[i] = []values{r}
		}
		return out
	}
	var keys [][]any
	var out [][]values
	alone := true // nothing but aggregates
	for _, e := range q.Select {
		alone = alone && aggregates(e)
	}
	if alone {
		return [][]values{rows}
	}
	for _, r := range rows {
		var key []any
		for _, e := range q.Select {
			if !aggregates(e) {
				key = append(key, n.of(q, r, e))
			}
		}
		i := slices.IndexFunc(keys, func(k []any) bool { return slices.Equal(k, key) })
		if i < 0 {
			i = len(keys)
			keys, out = append(keys, key), append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// whole is the result's row of all rows.
func (n *engine) whole(q *plan.Query, rows []values, e plan.Expr) any {
	if !aggregates(e) {
		return nil
	}
	return n.ofGroup(q, rows, e)
}

func aggregates(e plan.Expr) bool {
	switch e := e.(type) {
	case plan.Agg:
		return true
	case plan.Call:
		return slices.ContainsFunc(e.Args, aggregates)
	default:
		return false
	}
}

func (n *engine) ofGroup(q *plan.Query, group []values, e plan.Expr) any {
	if c, ok := e.(plan.Call); ok && aggregates(c) {
		args := make([]any, len(c.Args))
		for i, a := range c.Args {
			args[i] = n.ofGroup(q, group, a)
		}
		return applied(c.Fn, args)
	}
	if l, ok := e.(plan.Literal); ok {
		return l.Value
	}
	a, ok := e.(plan.Agg)
	if !ok {
		return n.of(q, group[0], e)
	}
	var list []any
	for _, row := range group {
		if a.When != nil && !n.holds(q, row, a.When) {
			continue
		}
		if a.Of == nil {
			list = append(list, true)
		} else if a.Fn == plan.Every {
			list = append(list, n.holds(q, row, a.Of))
		} else if v := n.of(q, row, a.Of); v != nil {
			list = append(list, v)
		}
	}
	switch a.Fn {
	case plan.Count:
		return int64(len(list))
	case plan.Distinct:
		seen := map[any]bool{}
		for _, v := range list {
			seen[v] = true
		}
		return int64(len(seen))
	case plan.Sum:
		return summed(list)
	case plan.Max:
		if len(list) == 0 {
			return nil
		}
		return slices.MaxFunc(list, compared)
	case plan.Min:
		if len(list) == 0 {
			return nil
		}
		return slices.MinFunc(list, compared)
	case plan.Rank:
		if len(list) == 0 {
			return nil
		}
		slices.SortFunc(list, compared)
		for i, v := range list { // the first with enough values up to it
			if (i+1)*10_000 >= a.Share*len(list) {
				return v
			}
		}
	case plan.Every:
		if len(list) == 0 {
			return nil
		}
		return !slices.Contains(list, any(false))
	case plan.Groups:
		return int64(0) // Run knows it once it has all groups
	}
	panic("aggregate")
}

func summed(list []any) any {
	var whole int64
	var sum float64
	broken := false
	for _, v := range list {
		switch v := v.(type) {
		case int64:
			whole += v
		case float64:
			sum, broken = sum+v, true
		}
	}
	if broken {
		return sum
	}
	return whole
}

func (n *engine) holds(q *plan.Query, row values, e plan.Expr) bool { return n.of(q, row, e) == true }

// of returns the value of an expression in a row.
func (n *engine) of(q *plan.Query, row values, e plan.Expr) any {
	switch e := e.(type) {
	case plan.Column:
		return n.column(q, row, e)
	case plan.Member:
		s, _ := n.column(q, row, e.Of).(string)
		return member(s, e.Path)
	case plan.Segment:
		return segment(row, e)
	case plan.Slot:
		if v := slotOf(row, e.Slot); e.Kind != schema.JSON {
			return v
		}
		s, _ := row["extra"].(string)
		return textOf(member(s, []string{e.Name}))
	case plan.Rest:
		return row["extra"]
	case plan.Literal:
		return e.Value
	case plan.Call:
		return n.call(q, row, e)
	case plan.In:
		v := n.of(q, row, e.Of)
		return v != nil && slices.ContainsFunc(e.Values, func(x any) bool { return compared(v, x) == 0 })
	case plan.Among:
		v := n.of(q, row, e.Of)
		return v != nil && slices.ContainsFunc(n.Run(e.Query), func(r []any) bool { return r[0] != nil && compared(v, r[0]) == 0 })
	case plan.Typed:
		return n.of(q, row, e.Expr)
	case plan.InSet:
		uid, ok := n.of(q, row, e.Of).(int64)
		return ok && e.Set.Contains(uint32(uid)) // a number of a user
	case plan.Lists:
		uid, ok := n.of(q, row, e.Of).(int64)
		var list []any
		for _, v := range e.Sets {
			if ok && v.Set.Contains(uint32(uid)) {
				list = append(list, v.Value)
			}
		}
		if list == nil {
			return nil
		}
		return list
	case plan.Filter:
		return e.Filter.Match(paths(func(path string) any {
			t, ok := e.Paths[path]
			if !ok {
				return nil
			}
			v := n.of(q, row, t.Expr)
			if d, ok := v.(document); ok {
				return d.value
			}
			return v
		}))
	}
	panic(fmt.Sprintf("expression %T", e))
}

type paths func(path string) any

// Lookup implements filter.Doc.
func (p paths) Lookup(path string) (any, bool) {
	v := p(path)
	return v, v != nil
}

func (n *engine) column(q *plan.Query, row values, c plan.Column) any {
	switch c.Of {
	case q.From:
		return row[c.Name]
	case plan.Users:
		return n.users[row["uid"].(int64)][c.Name]
	case plan.States:
		if q.From == plan.Requests {
			return n.lastState(row)[c.Name]
		}
		return n.states[row["state"].(int64)][c.Name]
	default:
		panic("column of another table")
	}
}

// lastState is the last state of a request's user up to its record.
func (n *engine) lastState(request values) (last values) {
	for _, s := range n.lasts[request["uid"].(int64)] {
		if s["off"].(int64) <= request["off"].(int64) {
			last = s
		}
	}
	return last
}

func member(object string, path []string) any {
	var v any
	if json.Unmarshal([]byte(object), &v) != nil {
		return nil
	}
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	if v == nil {
		return nil
	}
	return document{v}
}

func segment(row values, s plan.Segment) any {
	for _, p := range s.In {
		key, name := events.Selector(p.Event)
		if row["e"] != key || name != "" && row["n"] != name {
			continue
		}
		v := slotOf(row, p.Slot)
		if p.Slot.Kind == schema.JSON {
			extra, _ := row["extra"].(string)
			if v = member(extra, []string{s.Name}); v == nil && !strings.Contains(extra, strconv.Quote(s.Name)+":") {
				v = slotOf(row, p.Was)
			}
		}
		if _, ok := v.(document); ok || s.Type != filter.JSON || v == nil {
			return v
		}
		return document{v}
	}
	return nil
}

func slotOf(row values, s schema.Slot) any {
	switch s.Kind {
	case schema.Text:
		return row[fmt.Sprintf("s%d", s.Index)]
	case schema.Number:
		return row[fmt.Sprintf("n%d", s.Index)]
	default:
		return nil
	}
}

// compared compares values of one type; numbers of both types are one.
func compared(a, b any) int {
	switch x := a.(type) {
	case string:
		return cmp.Compare(x, b.(string))
	case bool:
		y := b.(bool)
		return cmp.Compare(map[bool]int{true: 1}[x], map[bool]int{true: 1}[y])
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(float64(x), b.(float64))
	case float64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, float64(y))
		}
		return cmp.Compare(x, b.(float64))
	}
	panic(fmt.Sprintf("compare %T", a))
}

func (n *engine) call(q *plan.Query, row values, c plan.Call) any {
	if c.Fn == plan.Keys {
		return row[keyOf]
	}
	args := make([]any, len(c.Args))
	for i, a := range c.Args {
		args[i] = n.of(q, row, a)
	}
	return applied(c.Fn, args)
}

// applied applies a function to values.
func applied(fn plan.Fn, args []any) any {
	absent := slices.Contains(args, nil)
	switch fn {
	case plan.And:
		return !slices.ContainsFunc(args, func(v any) bool { return v != true })
	case plan.Or:
		return slices.Contains(args, any(true))
	case plan.Not:
		return args[0] != true
	case plan.IsNull:
		return absent
	case plan.Coalesce:
		i := slices.IndexFunc(args, func(v any) bool { return v != nil })
		if i < 0 {
			return nil
		}
		return args[i]
	case plan.If:
		if args[0] == true {
			return args[1]
		}
		return args[2]
	case plan.Text:
		return textOf(args[0])
	case plan.Number:
		return numberOf(args[0])
	case plan.Concat:
		var b strings.Builder
		for _, v := range args {
			s, _ := textOf(v).(string)
			b.WriteString(s)
		}
		return b.String()
	case plan.Place:
		for i, v := range args[1:] {
			if args[0] == v {
				return int64(i + 1)
			}
		}
		return int64(0)
	case plan.NullIf:
		if !absent && compared(args[0], args[1]) == 0 {
			return nil
		}
		return args[0]
	case plan.Eq, plan.Ne, plan.Lt, plan.Le, plan.Gt, plan.Ge:
		return !absent && relation(fn, compared(args[0], args[1]))
	default:
	}
	if absent {
		return nil
	}
	switch fn {
	case plan.Lower:
		return strings.ToLower(args[0].(string))
	case plan.HasPart:
		return strings.Contains(args[0].(string), args[1].(string))
	case plan.Per:
		a, b := numberOf(args[0]).(float64), numberOf(args[1]).(float64)
		if b == 0 {
			return nil
		}
		return a / b
	default:
		return arithmetic(fn, args[0].(int64), args[1].(int64))
	}
}

func relation(fn plan.Fn, c int) bool {
	switch fn {
	case plan.Eq:
		return c == 0
	case plan.Ne:
		return c != 0
	case plan.Lt:
		return c < 0
	case plan.Le:
		return c <= 0
	case plan.Gt:
		return c > 0
	default:
		return c >= 0
	}
}

func arithmetic(fn plan.Fn, a, b int64) any {
	switch fn {
	case plan.Add:
		return a + b
	case plan.Sub:
		return a - b
	case plan.Mul:
		return a * b
	case plan.Mod:
		return a % b
	case plan.Quo:
		return a / b
	case plan.Div:
		return int64(math.Floor(float64(a) / float64(b)))
	default:
		panic("function")
	}
}

// textOf returns a value as text.
func textOf(v any) any {
	switch x := v.(type) {
	case document:
		if s, ok := x.value.(string); ok {
			return s
		}
		b, err := json.Marshal(x.value)
		if err != nil {
			panic(err)
		}
		return string(b)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	}
	return v
}

// numberOf returns a value as a number.
func numberOf(v any) any {
	switch x := v.(type) {
	case int64:
		return float64(x)
	case float64:
		return x
	case document, string:
		s, _ := textOf(x).(string)
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil
		}
		return f
	}
	return nil
}
