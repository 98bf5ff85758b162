package sourcemap

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quipu/internal/symbols"
)

const (
	markEvery   = 64         // mappings
	maxLines    = 10_000_000 // of the generated file
	maxUnsorted = 1 << 20    // mappings that are out of order
	noIndex     = int32(-1)
)

// mappings are the mappings of a section in their written form.
type mappings struct {
	text  string
	marks []mark
	// sorted has the lines whose mappings are written out of order.
	sorted map[int32][]mapping
}

// mapping says where a place of the generated file comes from. Lines and columns begin at 0.
type mapping struct {
	line, column         int32 // generated
	source               int32 // noIndex for none
	origLine, origColumn int32
	name                 int32 // noIndex for none
}

// mark is the state of reading before a mapping, and where that mapping begins in the generated file.
type mark struct {
	at           int // in the text
	state        state
	line, column int32
}

// state is what written mappings are relative to.
type state struct {
	line, column                       int32
	source, origLine, origColumn, name int32
}

// index reads all mappings once. Faults: symbols.bad_file, symbols.too_large.
func (m *mappings) index(ctx context.Context, text string, sources, names int) error {
	m.text = text
	r := reader{text: text, sources: int32(min(sources, maxSources)), names: int32(min(names, maxNames))}
	unsorted := map[int32]bool{}
	before := mapping{line: noIndex}
	for count := 0; ; count++ {
		if count%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		k := mark{at: r.at, state: r.state}
		got, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if count%markEvery == 0 {
			k.line, k.column = got.line, got.column
			m.marks = append(m.marks, k)
		}
		if got.line == before.line && got.column < before.column {
			unsorted[got.line] = true
		}
		before = got
	}
	return m.sort(unsorted)
}

// sort keeps the mappings of lines that are out of order.
func (m *mappings) sort(lines map[int32]bool) error {
	if len(lines) == 0 {
		return nil
	}
	m.sorted = map[int32][]mapping{}
	r := reader{text: m.text, sources: math.MaxInt32, names: math.MaxInt32}
	for total := 0; ; {
		got, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if !lines[got.line] {
			continue
		}
		if total++; total > maxUnsorted {
			return symbols.TooLarge("more than %d mappings are out of order", maxUnsorted)
		}
		m.sorted[got.line] = append(m.sorted[got.line], got)
	}
	for _, list := range m.sorted {
		slices.SortStableFunc(list, func(a, b mapping) int { return cmp.Compare(a.column, b.column) })
	}
	return nil
}

// find returns the last mapping of the line that does not begin behind the column; of several that begin there the first.
func (m *mappings) find(line, column int32) (found mapping, ok bool) {
	take := func(got mapping) (more bool) {
		if got.line > line || got.line == line && got.column > column {
			return false
		}
		if got.line == line && (!ok || got.column > found.column) {
			found, ok = got, true
		}
		return true
	}
	if list, there := m.sorted[line]; there {
		for _, each := range list {
			if !take(each) {
				break
			}
		}
		return found, ok
	}
	i, _ := slices.BinarySearchFunc(m.marks, 0, func(k mark, _ int) int {
		if k.line > line || k.line == line && k.column >= column {
			return 1
		}
		return -1
	})
	if len(m.marks) == 0 {
		return found, false
	}
	start := m.marks[max(i-1, 0)]
	r := reader{text: m.text, at: start.at, state: start.state, sources: math.MaxInt32, names: math.MaxInt32}
	for {
		got, there, err := r.next()
		if err != nil || !there || !take(got) {
			return found, ok
		}
	}
}

// reader goes through written mappings.
type reader struct {
	text           string
	at             int
	state          state
	sources, names int32 // how many there are
}

// next returns the next mapping; ok is false at the end.
func (r *reader) next() (got mapping, ok bool, err error) {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ';':
			if r.state.line == maxLines {
				return got, false, symbols.TooLarge("more than %d lines", maxLines)
			}
			r.state.line++
			r.state.column = 0
			r.at++
		case ',':
			r.at++
		default:
			got, err = r.mapping()
			return got, err == nil, err
		}
	}
	return got, false, nil
}

// mapping reads one, which has one, four or five fields.
func (r *reader) mapping() (mapping, error) {
	s := &r.state
	fields := [...]*int32{&s.column, &s.source, &s.origLine, &s.origColumn, &s.name}
	n := 0
	for r.at < len(r.text) && r.text[r.at] != ',' && r.text[r.at] != ';' {
		delta, err := r.number()
		if err != nil {
			return mapping{}, err
		}
		if n == len(fields) {
			return mapping{}, symbols.Bad("a mapping has too many fields")
		}
		sum := int64(*fields[n]) + delta
		if sum < 0 || sum > math.MaxInt32 {
			return mapping{}, symbols.Bad("a mapping points outside of its file")
		}
		*fields[n] = int32(sum)
		n++
	}
	got := mapping{line: s.line, column: s.column, source: noIndex, name: noIndex}
	switch n {
	case 1:
	case 4, 5:
		got.source, got.origLine, got.origColumn = s.source, s.origLine, s.origColumn
		if got.source >= r.sources {
			return got, symbols.Bad("a mapping names a source that is not there")
		}
		if n == 5 {
			if got.name = s.name; got.name >= r.names {
				return got, symbols.Bad("a mapping has a name that is not there")
			}
		}
	default:
		return got, symbols.Bad("a mapping has %d fields", n)
	}
	return got, nil
}

// number reads a number in base 64, its sign in the lowest bit.
func (r *reader) number() (int64, error) {
	var n int64
	for shift := 0; r.at < len(r.text); shift += 5 {
		v := digit(r.text[r.at])
		if v < 0 || shift > 30 {
			return 0, symbols.Bad("its mappings are no numbers in base 64")
		}
		r.at++
		n |= int64(v&31) << shift
		if v&32 == 0 {
			if n&1 != 0 {
				return -(n >> 1), nil
			}
			return n >> 1, nil
		}
	}
	return 0, symbols.Bad("its mappings end within a number")
}

func digit(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}
