package modeltest_test

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// text writes a number as the wire does in keys.
func text(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

func float(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return f
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// colons is the form of versions and segment values as keys.
func colons(s string) string { return strings.ReplaceAll(s, ".", ":") }

// people is a set of persons.
type people map[*profile]bool

// node is an object of a time document: counters, the people of u, objects by name.
type node struct {
	counters map[string]float64
	people   people
	kids     map[string]*node
}

func newNode() *node {
	return &node{counters: map[string]float64{}, people: people{}, kids: map[string]*node{}}
}

func (n *node) kid(name string) *node {
	if n.kids[name] == nil {
		n.kids[name] = newNode()
	}
	return n.kids[name]
}

func (n *node) path(names ...string) *node {
	for _, name := range names {
		n = n.kid(name)
	}
	return n
}

// add counts; adding 0 makes the counter appear.
func (n *node) add(name string, v float64) { n.counters[name] += v }

func (n *node) meet(p *profile) { n.people[p.person()] = true }

func (n *node) render() map[string]any {
	out := map[string]any{}
	for k, v := range n.counters {
		out[k] = v
	}
	if len(n.people) > 0 {
		out["u"] = len(n.people)
	}
	for name, kid := range n.kids {
		out[name] = kid.render()
	}
	return out
}

// document is a time document of a window: for each year the window touches its
// counters, its weeks and its months, and days and hours for the months it touches.
// Refresh has the branch of today alone, with the same meta.
type document struct {
	root    *node
	years   map[int]bool
	months  map[month]bool
	visible map[month]bool // the months that are not left out; nil = all
	refresh bool
	today   date
	// allWeeks keeps the weeks of years that have nothing but weeks.
	allWeeks bool
}

func newDocument(w window, refresh bool) *document {
	d := &document{root: newNode(), years: map[int]bool{}, months: map[month]bool{}, refresh: refresh, today: w.today}
	for _, day := range w.days() {
		d.years[day.year()], d.months[day.month()] = true, true
	}
	return d
}

// hidden reports whether the month is left out: nothing in it makes it visible.
func (d *document) hidden(m moment) bool { return d.visible != nil && !d.visible[m.date.month()] }

// shows reports whether something of the moment is in the document.
func (d *document) shows(m moment) bool { return d.years[m.date.year()] }

// showsWeek reports whether the ISO week of the moment is of a year of the document.
func (d *document) showsWeek(m moment) bool {
	y, _ := m.date.week()
	return d.years[y]
}

// each calls fn for the objects of year, month and day of a moment, as far as they are shown.
func (d *document) each(m moment, fn func(*node)) {
	y, mon, day := m.date.utc().Date()
	switch {
	case !d.years[y]:
	case d.refresh:
		if m.date == d.today && !d.hidden(m) {
			fn(d.root.path(text(y), text(int(mon)), text(day)))
		}
	case d.hidden(m):
		if d.yearVisible(y) {
			fn(d.root.path(text(y)))
		}
	default:
		fn(d.root.path(text(y)))
		fn(d.root.path(text(y), text(int(mon))))
		if d.months[m.date.month()] {
			fn(d.root.path(text(y), text(int(mon)), text(day)))
		}
	}
}

func (d *document) yearVisible(y int) bool {
	for m := range d.visible {
		if m.year == y {
			return true
		}
	}
	return false
}

// hour calls fn for the object of the hour, if it is shown.
func (d *document) hour(m moment, fn func(*node)) {
	if d.refresh && m.date != d.today || !d.months[m.date.month()] || d.hidden(m) {
		return
	}
	y, mon, day := m.date.utc().Date()
	fn(d.root.path(text(y), text(int(mon)), text(day), text(m.hour)))
}

// week calls fn for the object of the ISO week, which stands in the year it belongs to,
// unless that is left out.
func (d *document) week(m moment, fn func(*node)) {
	if y, w := m.date.week(); d.years[y] && !d.refresh && (d.visible == nil || d.allWeeks || d.yearVisible(y)) {
		fn(d.root.path(text(y), "w"+text(w)))
	}
}

// render gives the document with its meta; {} when it has no year.
func (d *document) render(meta map[string]any, some bool) map[string]any {
	if !some {
		return map[string]any{}
	}
	out := d.root.render()
	out["meta"] = meta
	return out
}

// sortedNumbers orders range indices.
func sortedNumbers(list []string) []string {
	sort.Slice(list, func(i, j int) bool { return float(list[i]) < float(list[j]) })
	return list
}

func appendNew(list []string, v string) []string {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// escape is the HTML escaping of answers (wire.md 0.4).
func escape(v any) any {
	switch v := v.(type) {
	case string:
		return escapeText(v)
	case []any:
		for i := range v {
			v[i] = escape(v[i])
		}
	case map[string]any:
		for _, k := range slices.Collect(maps.Keys(v)) {
			x := escape(v[k])
			delete(v, k)
			v[escapeText(k)] = x
		}
	}
	return v
}

func escapeText(s string) string {
	angled := strings.ContainsAny(s, "<>")
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&' && !entity(s[i:]):
			b.WriteString("&amp;")
		case r == '"' && angled:
			b.WriteString("&quot;")
		case r == '\'' && angled:
			b.WriteString("&#39;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// entity reports whether s begins with a well-formed entity. The texts of the
// traffic hold no others than the encoded dot.
func entity(s string) bool { return strings.HasPrefix(s, "&#46;") }
