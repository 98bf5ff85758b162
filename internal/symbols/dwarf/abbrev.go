package dwarf

import (
	"quipu/internal/symbols"
)

// Bounds of tables of abbreviations.
const (
	maxAbbrevBytes = 8 << 20
	maxAbbrevs     = 200_000
	maxAttrs       = 2_000_000 // of a table
	maxTables      = 64        // that are remembered
)

// attr is an attribute of an abbreviation.
type attr struct {
	name, form uint16
	implicit   int64
}

// abbrev says which attributes an entry has.
type abbrev struct {
	tag      uint16
	children bool
	attrs    []attr
}

// abbrevs is a table of abbreviations by their code.
type abbrevs struct {
	list  []abbrev         // of the codes from 1 on
	other map[uint64]int32 // of all others: indexes of list
}

func (t *abbrevs) find(code uint64) *abbrev {
	if t.other == nil {
		if code-1 < uint64(len(t.list)) {
			return &t.list[code-1]
		}
		return nil
	}
	if i, ok := t.other[code]; ok {
		return &t.list[i]
	}
	return nil
}

// table returns the table of abbreviations at an offset.
func (f *File) table(off uint64) (*abbrevs, error) {
	if t := f.tables[off]; t != nil {
		return t, nil
	}
	s := &f.image.abbrev
	var t *abbrevs
	for n := int64(16 << 10); ; n *= 8 {
		whole := n >= s.size-int64(min(off, 1<<62)) // cut
		if whole {
			n = s.size - int64(min(off, 1<<62)) // cut
		}
		b, err := s.read(off, n)
		if err != nil {
			return nil, err
		}
		f.work -= n
		parsed, ok, err := f.parseTable(b)
		if err != nil {
			return nil, err
		}
		if ok || whole {
			t = parsed
			break
		}
		if n >= maxAbbrevBytes {
			return nil, symbols.TooLarge("a table of abbreviations of more than %d bytes", maxAbbrevBytes)
		}
	}
	if len(f.tables) >= maxTables {
		clear(f.tables)
	}
	f.tables[off] = t
	return t, nil
}

// parseTable reads a table; false when it goes on behind the bytes.
func (f *File) parseTable(p []byte) (*abbrevs, bool, error) {
	b := buffer{b: p, order: f.image.order}
	t := &abbrevs{}
	n := 0
	for {
		code := b.uleb()
		if b.bad {
			return t, false, nil
		}
		if code == 0 {
			return t, true, nil
		}
		a := abbrev{tag: small(b.uleb()), children: b.u8() != 0}
		for {
			name, form := b.uleb(), b.uleb()
			if b.bad {
				return t, false, nil
			}
			at := attr{name: small(name), form: small(form)}
			if form == formImplicitConst {
				at.implicit = b.sleb()
			}
			if name == 0 && form == 0 {
				break
			}
			if n++; n > maxAttrs {
				return nil, false, symbols.TooLarge("more than %d attributes in a table of abbreviations", maxAttrs)
			}
			a.attrs = append(a.attrs, at)
		}
		if len(t.list) >= maxAbbrevs {
			return nil, false, symbols.TooLarge("more than %d abbreviations", maxAbbrevs)
		}
		if t.other == nil && code != uint64(len(t.list))+1 {
			t.other = map[uint64]int32{}
			for i := range t.list {
				t.other[uint64(i)+1] = int32(i) // at most maxAbbrevs
			}
		}
		if t.other != nil {
			t.other[code] = int32(len(t.list)) // at most maxAbbrevs
		}
		t.list = append(t.list, a)
	}
}

// small is a number of 16 bits; larger ones, which nothing defines, are 0xffff.
func small(v uint64) uint16 { return uint16(min(v, 0xffff)) } // cut
