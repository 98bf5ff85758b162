package query

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// shape says which numbers a value has on the wire.
type shape uint8

const (
	noShape      shape = iota
	sessionShape       // n, t, u
	weekShape          // u
	eventShape         // c, and s and dur if they were sent
)

// value is a named entry of a level: a country, a device, a segment's value.
type value struct {
	name  string
	shape shape
	t, n  int64 // sessions and new users; t is the count of events
	u     int64
	s, d  float64
	flags uint8
	// users is kept where cells of several series share the entry; u then
	// follows from it.
	users *union
}

func (v *value) append(b []byte) []byte {
	if v.users != nil {
		v.u = v.users.cardinality()
	}
	switch v.shape {
	case sessionShape:
		b = appendPair(b, "n", float64(v.n))
		b = appendPair(b, "t", float64(v.t))
		b = appendPair(b, "u", float64(v.u))
	case weekShape:
		b = appendPair(b, "u", float64(v.u))
	case eventShape:
		b = appendPair(b, "c", float64(v.t))
		if v.flags&rollup.HasSum != 0 {
			b = appendPair(b, "s", v.s)
		}
		if v.flags&rollup.HasDur != 0 {
			b = appendPair(b, "dur", v.d)
		}
	case noShape:
	}
	return b
}

// addEvent counts an event cell.
func (v *value) addEvent(c *rollup.Cell) {
	v.shape = eventShape
	v.t = rollup.AddCount(v.t, c.Count)
	v.s += c.Sum
	v.d += c.Dur
	v.flags |= c.Flags
}

// pair is a counter of a level.
type pair struct {
	key string
	num float64
}

// level is one object of a time document: a year, month, week, day or hour.
type level struct {
	num  int // orders a level among its siblings
	key  string
	kids []*level
	own  []pair
	// event are the counters of an event document.
	event value
	// freq and lengths are the histograms f and ds.
	freq, lengths []pair
	vals          []value
	// places are those of the names in vals, once they are many and val is asked for them.
	places map[string]int
	held   *reading // that is charged; nil = none is
}

// What is charged for a level with its counters and histograms, for an entry, and for a name that was seen, beside their names.
const (
	levelBytes = 512
	entryBytes = 160
	seenBytes  = 64
)

// push adds an entry.
func (l *level) push(v value) {
	if l.held.take(entryBytes + int64(len(v.name))) {
		l.vals = append(l.vals, v)
	}
}

func (l *level) empty() bool {
	return len(l.kids)+len(l.own)+len(l.freq)+len(l.lengths)+len(l.vals) == 0 && l.event.shape == noShape
}

// val returns the entry of a name, adding it when it is new.
func (l *level) val(name string) *value {
	const few = 16
	if len(l.vals) <= few {
		for i := range l.vals {
			if l.vals[i].name == name {
				return &l.vals[i]
			}
		}
		return l.added(name)
	}
	if l.places == nil {
		l.places = make(map[string]int, 2*len(l.vals))
	}
	for i := len(l.places); i < len(l.vals); i++ { // what was appended past val
		l.places[l.vals[i].name] = i
	}
	i, ok := l.places[name]
	if !ok {
		l.places[name] = len(l.vals)
		return l.added(name)
	}
	return &l.vals[i]
}

// added adds an entry and returns it.
func (l *level) added(name string) *value {
	n := len(l.vals)
	if l.push(value{name: name}); len(l.vals) == n {
		return &value{name: name} // of a read that ends
	}
	return &l.vals[n]
}

// append writes the level as an object. extra is an entry of the level above
// that has the level's key as its name (an app version "5" beside the month
// of May): both must share one object, as an object has a key only once.
func (l *level) append(b []byte, extra *value) []byte {
	slices.SortStableFunc(l.kids, func(x, y *level) int { return cmp.Compare(x.num, y.num) })
	shared := l.namesakes()
	b = append(b, '{')
	for _, kid := range l.kids {
		if !kid.empty() {
			b = kid.append(appendKey(b, kid.key), shared[kid.key])
		}
	}
	for _, p := range l.own {
		b = appendPair(b, p.key, p.num)
	}
	b = l.event.append(b)
	if extra != nil {
		b = extra.append(b)
	}
	b = appendHistogram(b, "f", l.freq)
	b = appendHistogram(b, "ds", l.lengths)
	for i := range l.vals {
		v := &l.vals[i]
		if shared[v.name] != nil {
			continue
		}
		b = append(appendKey(b, v.name), '{')
		b = append(v.append(b), '}')
	}
	return append(b, '}')
}

// namesakes returns the entries whose name is the key of a level below; nil
// when there are none, which is usual.
func (l *level) namesakes() map[string]*value {
	const longest = 3 // "w53"
	var out map[string]*value
	for i := range l.vals {
		v := &l.vals[i]
		if len(v.name) > longest || v.name == "" || (v.name[0] != 'w' && (v.name[0] < '0' || v.name[0] > '9')) {
			continue
		}
		for _, kid := range l.kids {
			if kid.key == v.name && !kid.empty() {
				if out == nil {
					out = map[string]*value{}
				}
				out[v.name] = v
			}
		}
	}
	return out
}

func appendHistogram(b []byte, key string, h []pair) []byte {
	if len(h) == 0 {
		return b
	}
	slices.SortFunc(h, func(x, y pair) int { return cmp.Or(cmp.Compare(len(x.key), len(y.key)), cmp.Compare(x.key, y.key)) })
	b = append(appendKey(b, key), '{')
	for _, p := range h {
		b = appendPair(b, p.key, p.num)
	}
	return append(b, '}')
}

// sheet is a year of a time document in the making.
type sheet struct {
	year   int
	root   *level
	levels map[sheetKey]*level
}

type sheetKey struct {
	grain  rollup.Grain
	bucket rollup.Bucket
}

func newSheet(ctx context.Context, year int) *sheet {
	return &sheet{
		year:   year,
		root:   &level{num: year, key: strconv.Itoa(year), held: readingOf(ctx)},
		levels: map[sheetKey]*level{},
	}
}

// at returns the level of a bucket of the sheet's year, with all above it.
func (s *sheet) at(g rollup.Grain, b rollup.Bucket) *level {
	k := sheetKey{g, b}
	if l := s.levels[k]; l != nil {
		return l
	}
	var (
		up  *level
		num int
	)
	switch g {
	case rollup.Month:
		_, num = period.Month(b).Date()
		up = s.root
	case rollup.Day:
		_, _, num = period.Day(b).Date()
		up = s.at(rollup.Month, rollup.Bucket(period.Day(b).Month()))
	case rollup.Hour:
		day, hour := period.Hour(b).Split()
		num = hour
		up = s.at(rollup.Day, rollup.Bucket(day))
	}
	l := up.kid(num, strconv.Itoa(num))
	s.levels[k] = l
	return l
}

// week returns the level of an ISO week; weeks follow the months.
func (s *sheet) week(n int) *level {
	const weekGrain rollup.Grain = 0 // no grain of cells
	k := sheetKey{weekGrain, rollup.Bucket(n)}
	l := s.levels[k]
	if l == nil {
		l = s.root.kid(100+n, "w"+strconv.Itoa(n))
		s.levels[k] = l
	}
	return l
}

func (l *level) kid(num int, key string) *level {
	k := &level{num: num, key: key, held: l.held}
	if l.held.take(levelBytes) {
		l.kids = append(l.kids, k)
	}
	return k
}

// list is a named list of meta.
type list struct {
	name string
	vals []string
}

// render writes a time document. Years that hold nothing are left out, and
// without years and lists it is {}.
func render(years []*sheet, meta []list) json.RawMessage {
	b := make([]byte, 0, 4096)
	b = append(b, '{')
	for _, y := range years {
		if !y.root.empty() {
			b = y.root.append(appendKey(b, y.root.key), nil)
		}
	}
	if len(meta) == 0 {
		return append(b, '}')
	}
	b = append(appendKey(b, "meta"), '{')
	for _, l := range meta {
		b = append(appendKey(b, l.name), '[')
		for _, v := range l.vals {
			b = appendString(comma(b), v)
		}
		b = append(b, ']')
	}
	return append(b, "}}"...)
}

// seen collects distinct values with the order of their first appearance.
type seen map[string]uint64

func (s seen) add(held *reading, value string, c *rollup.Cell) {
	first, ok := s[value]
	if !ok && !held.take(seenBytes+int64(len(value))) {
		return
	}
	if !ok || c.First < first {
		s[value] = c.First
	}
}

// folded returns the values shown, with Other for all else.
func (s seen) folded(shown map[string]bool) seen {
	out := make(seen, len(shown)+1)
	for v, first := range s {
		if !shown[v] {
			v = rollup.Other
		}
		out.add(nil, v, &rollup.Cell{First: first}) // no more than they were
	}
	return out
}

// values lists them by first appearance, then by name.
func (s seen) values() []string {
	out := make([]string, 0, len(s))
	for v := range s {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(s[a], s[b]), cmp.Compare(a, b)) })
	return out
}

// indices lists them as numbers, ascending.
func (s seen) indices() []string {
	out := make([]string, 0, len(s))
	for v := range s {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}
