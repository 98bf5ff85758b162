package dwarf

import (
	"context"
	"slices"
	"sort"

	"quipu/internal/symbols"
)

// maxSymbols is how many symbols of a file are kept.
const maxSymbols = 2 << 20

// symbol is a function of the symbol table.
type symbol struct {
	addr uint64
	name uint32 // where the name is in the names
	size uint32 // 0 = up to the next
}

// symtab is a symbol table. The zero value is empty.
type symtab struct {
	entries section
	names   section
	entry   int // bytes of one
	read    func(b *buffer) (symbol, bool)
	prefix  string // of names, that is left out

	list []symbol
}

// load reads the functions of a table.
func (t *symtab) load(ctx context.Context, img *image) error {
	if t.entry == 0 {
		return nil
	}
	const step = 4096
	for off := int64(0); off+int64(t.entry) <= t.entries.size; off += int64(step * t.entry) {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := t.entries.read(uint64(off), min(int64(step*t.entry), t.entries.size-off)) // not negative
		if err != nil {
			return err
		}
		for len(p) >= t.entry {
			s, ok := t.read(&buffer{b: p[:t.entry], order: img.order})
			p = p[t.entry:]
			if !ok || !img.runs(s.addr) {
				continue
			}
			if len(t.list) >= maxSymbols {
				return symbols.TooLarge("more than %d symbols", maxSymbols)
			}
			t.list = append(t.list, s)
		}
	}
	slices.SortStableFunc(t.list, func(a, b symbol) int { return order(a.addr, b.addr) })
	return nil
}

// find returns the name of the function that an address is in, "" for none.
func (t *symtab) find(addr uint64) (string, error) {
	i := sort.Search(len(t.list), func(i int) bool { return t.list[i].addr > addr }) - 1
	if i < 0 {
		return "", nil
	}
	for ; i > 0 && t.list[i-1].addr == t.list[i].addr && t.list[i].size == 0; i-- {
		continue // one with a size is better
	}
	s := t.list[i]
	if s.size > 0 && addr >= s.addr+uint64(s.size) {
		return "", nil
	}
	name, err := t.names.text(uint64(s.name))
	if err != nil {
		return "", err
	}
	if len(name) > len(t.prefix) && name[:len(t.prefix)] == t.prefix {
		name = name[len(t.prefix):]
	}
	return name, nil
}

// address returns the address of a symbol by its name, which is looked for in the whole table.
func (t *symtab) address(name string) (uint64, bool) {
	for _, s := range t.list {
		if have, err := t.names.text(uint64(s.name)); err == nil && have == name {
			return s.addr, true
		}
	}
	return 0, false
}
