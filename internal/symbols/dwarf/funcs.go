package dwarf

import (
	"context"

	"quipu/internal/symbols"
)

// Bounds of what is kept of the functions of a unit.
const (
	maxFuncs  = 500_000
	maxClaims = 1 << 20
	maxDepth  = 10_000
)

// function is a function, or one that was inlined into another.
type function struct {
	entry              uint64 // its entry in the file
	parent             int32  // what it was inlined into; -1 = it was not
	callFile, callLine uint32
	callColumn         uint32
	known, bare        bool // name was found; it is not the linker's
	name               string
}

// detail is a unit as lookups need it.
type detail struct {
	funcs []function
	where []piece // of funcs
	lines *lines
	cost  int64 // about what it takes, in bytes
}

// read reads the functions and lines of a unit. Damaged entries are skipped.
func (f *File) read(ctx context.Context, u *unit) (*detail, error) {
	d := &detail{lines: &lines{}}
	f.work = workOfUnit + int64(u.end-u.off)*4 // within the file
	var e entry
	if ok, err := f.entryAt(u, u.first, &e); err != nil && !damaged(err) {
		return nil, err
	} else if ok {
		dir, err := f.text(u, e.compDir)
		if err != nil && !damaged(err) {
			return nil, err
		}
		if u.lines != noLines {
			l, err := f.program(ctx, u, dir)
			if err != nil && !damaged(err) {
				return nil, err
			}
			d.lines = l
		}
	}
	f.work = workOfUnit + int64(u.end-u.off)*4 // within the file
	if err := f.functions(ctx, u, d); err != nil {
		if !damaged(err) {
			return nil, err
		}
		d.funcs, d.where = nil, nil
	}
	d.cost = int64(len(d.funcs))*80 + int64(len(d.where))*16 + int64(cap(d.lines.rows))*24 + int64(d.lines.bytes) + 4096
	return d, nil
}

// functions reads all entries of a unit.
func (f *File) functions(ctx context.Context, u *unit, d *detail) error {
	if u.end-u.first > maxUnitBytes {
		return symbols.TooLarge("a unit of more than %d bytes", maxUnitBytes)
	}
	t, err := f.table(u.abbrevs)
	if err != nil {
		return err
	}
	p, err := f.image.info.read(u.first, int64(u.end-u.first)) // within the section
	if err != nil {
		return err
	}
	b := buffer{b: p, order: f.image.order}
	var claims []claim
	around := []int32{-1} // the functions that the entry stands in
	var e entry
	for n := 0; b.left() > 0; n++ {
		if n%(1<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := b.at
		code := b.uleb()
		if code == 0 {
			if len(around) > 1 {
				around = around[:len(around)-1]
			}
			continue
		}
		a := t.find(code)
		if a == nil {
			return symbols.Bad("an entry has no abbreviation")
		}
		if err := u.entry(&b, a, &e); err != nil {
			return err
		}
		if b.bad {
			return symbols.Bad("an entry has no end")
		}
		here := around[len(around)-1]
		if a.tag == tagFunc || a.tag == tagInlined {
			if here, err = f.function(u, d, &e, u.first+uint64(at), here, &claims); err != nil { // within the unit
				return err
			}
		}
		if a.children {
			if len(around) > maxDepth {
				return symbols.TooLarge("entries of more than %d levels", maxDepth)
			}
			around = append(around, here)
		}
	}
	d.where = pieces(claims)
	return nil
}

// function adds a function that has code, and returns its number.
func (f *File) function(u *unit, d *detail, e *entry, at uint64, parent int32, claims *[]claim) (int32, error) {
	if e.tag == tagFunc {
		parent = -1
	}
	n := int32(len(d.funcs)) // at most maxFuncs
	was := len(*claims)
	err := f.spans(u, e, func(s span) {
		if f.image.runs(s.low) && len(*claims) <= maxClaims {
			*claims = append(*claims, claim{s, n})
		}
	})
	if err != nil {
		return -1, err
	}
	if len(*claims) == was && e.tag == tagFunc {
		return -1, nil
	}
	if len(d.funcs) >= maxFuncs || len(*claims) > maxClaims {
		return -1, symbols.TooLarge("more than %d functions in a unit", maxFuncs)
	}
	d.funcs = append(d.funcs, function{
		entry: at, parent: parent,
		callFile: uint32(min(e.callFile, 1<<31)), callLine: uint32(min(e.callLine, 1<<31)), callColumn: uint32(min(e.callColumn, 1<<31)), // cut
	})
	return n, nil
}
