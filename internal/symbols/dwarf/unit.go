package dwarf

import (
	"context"
	"slices"
	"sort"

	"quipu/internal/symbols"
)

// Bounds of what is kept of units.
const (
	maxUnits     = 250_000
	maxSpans     = 1 << 20  // of all units
	maxUnitBytes = 64 << 20 // of one that is read
)

// unit is a compilation unit: what stands in its header and in its first entry.
type unit struct {
	off, end   uint64 // within the section
	first      uint64 // its first entry
	abbrevs    uint64
	low        uint64
	strBase    uint64
	addrBase   uint64
	rangesBase uint64
	lines      uint64 // its line program, noLines = none
	version    uint8
	addrSize   uint8
	is64       bool
	swift      bool
}

const noLines = ^uint64(0)

// Types of units of DWARF 5.
const (
	unitCompile  = 1
	unitPartial  = 3
	unitSkeleton = 4
)

// header reads the header of the unit at an offset. ok is false for a unit that is of no use.
func (f *File) header(off uint64) (u unit, ok bool, err error) {
	p, err := f.image.info.peek(off, 64)
	if err != nil {
		return u, false, err
	}
	b := buffer{b: p[:min(len(p), 64)], order: f.image.order}
	u.off, u.lines = off, noLines
	var n uint64
	n, u.is64 = b.length()
	size := uint64(f.image.info.size) // sizes are not negative
	if b.bad || n > size-off-uint64(b.at) {
		return u, false, symbols.Bad("a unit is longer than its section")
	}
	u.end = off + uint64(b.at) + n // within the buffer
	u.version = uint8(min(b.u16(), 255))
	if u.version < 2 || u.version > 5 {
		return u, false, nil
	}
	kind := uint8(unitCompile)
	if u.version >= 5 {
		kind = b.u8()
		u.addrSize = b.u8()
		u.abbrevs = b.offset(u.is64)
		if kind == unitSkeleton {
			b.skip(8)
		}
	} else {
		u.abbrevs = b.offset(u.is64)
		u.addrSize = b.u8()
	}
	u.first = off + uint64(b.at) // within the buffer
	ok = !b.bad && u.first <= u.end && (u.addrSize == 4 || u.addrSize == 8) && (kind == unitCompile || kind == unitPartial || kind == unitSkeleton)
	return u, ok, nil
}

// root reads the first entry of a unit and what it says of all of it.
func (f *File) root(u *unit) (e entry, err error) {
	if _, err = f.entryAt(u, u.first, &e); err != nil {
		return e, err
	}
	u.swift = e.lang == langSwift
	if e.stmtList.is() {
		u.lines = e.stmtList.u
	}
	header := uint64(8) // behind which the tables of DWARF 5 begin
	if u.is64 {
		header = 16
	}
	if u.version >= 5 {
		u.strBase, u.addrBase, u.rangesBase = header, header, header+4
	}
	for v, to := range map[*value]*uint64{&e.strBase: &u.strBase, &e.addrBase: &u.addrBase, &e.rangesBase: &u.rangesBase} {
		if v.is() {
			*to = v.u
		}
	}
	if e.low.address() {
		u.low, err = f.address(u, e.low)
	}
	return e, err
}

// entryAt reads the entry at an offset of a unit; false when it is none.
func (f *File) entryAt(u *unit, off uint64, e *entry) (bool, error) {
	if off < u.first || off >= u.end {
		return false, symbols.Bad("an entry is outside of its unit")
	}
	t, err := f.table(u.abbrevs)
	if err != nil {
		return false, err
	}
	for n := uint64(512); ; n *= 16 {
		n = min(n, u.end-off)
		var p []byte
		if n <= window {
			if p, err = f.image.info.peek(off, int(n)); err == nil { // at most window
				p = p[:min(uint64(len(p)), n)]
			}
		} else {
			p, err = f.image.info.read(off, int64(n)) // within the section
		}
		if err != nil {
			return false, err
		}
		if f.work -= int64(n); f.work < 0 { // within the section
			return false, errWork()
		}
		b := buffer{b: p, order: f.image.order}
		a := t.find(b.uleb())
		if a == nil {
			return false, nil
		}
		if err := u.entry(&b, a, e); err != nil {
			return false, err
		}
		if !b.bad {
			if e.name.text != nil { // the window is read again
				e.name.text = slices.Clone(e.name.text)
			}
			if e.linkage.text != nil {
				e.linkage.text = slices.Clone(e.linkage.text)
			}
			if e.compDir.text != nil {
				e.compDir.text = slices.Clone(e.compDir.text)
			}
			return true, nil
		}
		if n == u.end-off || n > 1<<20 {
			return false, symbols.Bad("an entry has no end")
		}
	}
}

// unitAt returns the unit that has an offset; nil for none.
func (f *File) unitAt(off uint64) *unit {
	i := sort.Search(len(f.units), func(i int) bool { return f.units[i].end > off })
	if i < len(f.units) && off >= f.units[i].first {
		return &f.units[i]
	}
	return nil
}

// piece is a range of addresses that belongs to something by its number, up to where the next begins; -1 = to nothing.
type piece struct {
	low uint64
	of  int32
}

// claim is a range of addresses that something claims.
type claim struct {
	span
	of int32
}

// pieces lays claims over one another: of two that overlap, the one that begins later has what they share, or, when both begin at
// the same address, the shorter one, or the one that stands later.
func pieces(claims []claim) []piece {
	slices.SortStableFunc(claims, func(a, b claim) int {
		switch {
		case a.low != b.low:
			return order(a.low, b.low)
		case a.high != b.high:
			return order(b.high, a.high)
		}
		return 0
	})
	out := make([]piece, 0, len(claims)+len(claims)/2+1)
	put := func(low uint64, of int32) {
		if n := len(out); n > 0 && out[n-1].low == low {
			out[n-1].of = of
		} else if n == 0 || out[n-1].of != of {
			out = append(out, piece{low, of})
		}
	}
	var open []claim
	until := func(low uint64) { // ends what ends before low
		for len(open) > 0 && open[len(open)-1].high <= low {
			end := open[len(open)-1].high
			for len(open) > 0 && open[len(open)-1].high <= end {
				open = open[:len(open)-1]
			}
			if len(open) > 0 {
				put(end, open[len(open)-1].of)
			} else {
				put(end, -1)
			}
		}
	}
	for _, c := range claims {
		until(c.low)
		put(c.low, c.of)
		open = append(open, c)
	}
	until(^uint64(0))
	return out
}

func order(a, b uint64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

// find returns to what an address belongs; -1 = to nothing.
func find(list []piece, addr uint64) int32 {
	i := sort.Search(len(list), func(i int) bool { return list[i].low > addr })
	if i == 0 {
		return -1
	}
	return list[i-1].of
}

// index reads the header and the first entry of each unit. Units that cannot be read are passed over.
func (f *File) index(ctx context.Context) error {
	var claims []claim
	size := uint64(f.image.info.size) // sizes are not negative
	for off := uint64(0); off < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		u, ok, err := f.header(off)
		if err != nil || u.end <= off {
			break // what stands behind cannot be found
		}
		off = u.end
		if !ok {
			continue
		}
		if len(f.units) >= maxUnits {
			return symbols.TooLarge("more than %d units", maxUnits)
		}
		e, err := f.root(&u)
		n := int32(len(f.units)) // at most maxUnits
		f.units = append(f.units, u)
		if err == nil {
			claims, err = f.claims(ctx, claims, &f.units[n], &e, n)
		}
		switch {
		case len(claims) > maxSpans:
			return symbols.TooLarge("more than %d ranges of addresses", maxSpans)
		case f.work < 0:
			return errWork()
		case err != nil && !damaged(err):
			return err
		}
	}
	f.ranges = pieces(claims)
	return nil //nolint:nilerr // what can be found is
}

// claims adds what a unit claims: the ranges it names, else those of its lines.
func (f *File) claims(ctx context.Context, claims []claim, u *unit, e *entry, n int32) ([]claim, error) {
	was := len(claims)
	add := func(s span) {
		if f.image.runs(s.low) && len(claims) <= maxSpans {
			claims = append(claims, claim{s, n})
		}
	}
	if err := f.spans(u, e, add); err != nil || len(claims) > was || e.ranges.is() || u.lines == noLines {
		return claims, err
	}
	l, err := f.program(ctx, u, "")
	for _, s := range l.seqs {
		add(span{s.low, s.high})
	}
	return claims, err
}
