package dwarf

import (
	"bytes"
	"context"
	"path"
	"slices"
	"sort"
	"strings"

	"quipu/internal/symbols"
)

// Bounds of what is kept of the line program of a unit.
const (
	maxRows  = 1 << 20
	maxFiles = 100_000
	maxPaths = 8 << 20 // bytes of the names of files
)

// row is where an address comes from.
type row struct {
	addr       uint64
	file, line uint32
	column     uint32
}

// sequence is a run of rows whose addresses increase: rows from to.
type sequence struct {
	low, high uint64
	from, to  int
}

// lines is what a line program says.
type lines struct {
	rows  []row
	seqs  []sequence
	files []string // by their number, as version 5 counts
	bytes int      // of files
}

// find returns the row of an address.
func (l *lines) find(addr uint64) (row, bool) {
	i := sort.Search(len(l.seqs), func(i int) bool { return l.seqs[i].low > addr })
	for i--; i >= 0; i-- { // sequences of dead code may lie over others
		s := l.seqs[i]
		if addr < s.high {
			rows := l.rows[s.from:s.to]
			n := sort.Search(len(rows), func(i int) bool { return rows[i].addr > addr })
			return rows[max(n-1, 0)], n > 0
		}
		if i < len(l.seqs)-16 && s.high < addr { // no need to look at all that there are
			return row{}, false
		}
	}
	return row{}, false
}

// file returns the name of a file.
func (l *lines) file(n uint64) string {
	if n < uint64(len(l.files)) {
		return l.files[n]
	}
	return ""
}

// program runs the line program of a unit. dir is the folder of the compilation.
func (f *File) program(ctx context.Context, u *unit, dir string) (*lines, error) {
	l := &lines{}
	head, err := f.image.line.peek(u.lines, 16)
	if err != nil {
		return l, err
	}
	b := buffer{b: head[:min(len(head), 16)], order: f.image.order}
	size, is64 := b.length()
	if b.bad || size > maxUnitBytes {
		return l, symbols.Bad("a line program has no length")
	}
	p, err := f.image.line.read(u.lines+uint64(b.at), int64(size)) // within the buffer; at most maxUnitBytes
	if err != nil {
		return l, err
	}
	f.work -= int64(size) // at most maxUnitBytes
	m := machine{f: f, u: u, l: l, b: buffer{b: p, order: f.image.order}, is64: is64, dir: dir}
	if err := m.header(); err != nil {
		return l, err
	}
	if err := m.run(ctx); err != nil {
		return l, err
	}
	slices.SortStableFunc(l.seqs, func(a, b sequence) int { return order(a.low, b.low) })
	return l, nil
}

// machine runs a line program.
type machine struct {
	f    *File
	u    *unit
	l    *lines
	b    buffer
	is64 bool
	dir  string

	version, minInst, maxOps uint8
	lineBase                 int8
	lineRange, opcodeBase    uint8
	lengths                  [256]uint8
	dirs                     []string

	row     row
	opIndex uint64
	from    int // first row of the sequence
}

func (m *machine) header() error {
	b := &m.b
	m.version = uint8(min(b.u16(), 255))
	if m.version < 2 || m.version > 5 {
		return symbols.Bad("a line program has an unknown version")
	}
	if m.version >= 5 {
		b.skip(2) // sizes of addresses and segments
	}
	n := b.offset(m.is64)
	start := uint64(b.at) // within the buffer
	if n > uint64(b.left()) {
		return symbols.Bad("a line program has no header")
	}
	m.minInst, m.maxOps = b.u8(), 1
	if m.version >= 4 {
		m.maxOps = max(b.u8(), 1)
	}
	b.skip(1)                 // is_stmt is not used
	m.lineBase = int8(b.u8()) // the bits are kept
	m.lineRange, m.opcodeBase = b.u8(), b.u8()
	for i := 1; i < int(m.opcodeBase); i++ {
		m.lengths[i] = b.u8()
	}
	var err error
	if m.version >= 5 {
		err = m.files5()
	} else {
		m.files()
	}
	if err != nil {
		return err
	}
	if b.bad {
		return symbols.Bad("a line program has no header")
	}
	b.at = int(start + n) // checked above
	return nil
}

// files reads the tables of versions 2 to 4. Files count from 1 there.
func (m *machine) files() {
	m.dirs = []string{m.dir}
	for !m.b.bad {
		d := m.b.str()
		if len(d) == 0 {
			break
		}
		m.addDir(string(d))
	}
	m.l.files = append(m.l.files, "")
	for !m.b.bad {
		name := m.b.str()
		if len(name) == 0 {
			break
		}
		dir := m.b.uleb()
		m.b.uleb()
		m.b.uleb()
		m.addFile(string(name), dir)
	}
}

func (m *machine) addDir(d string) {
	if len(m.dirs) > 0 {
		d = join(m.dirs[0], d)
	} else {
		d = join(m.dir, d)
	}
	if m.l.bytes += len(d) + 16; m.l.bytes <= maxPaths && len(m.dirs) < maxFiles {
		m.dirs = append(m.dirs, d)
	}
}

func (m *machine) addFile(name string, dir uint64) {
	if dir < uint64(len(m.dirs)) {
		name = join(m.dirs[dir], name)
	}
	if m.l.bytes += len(name) + 16; m.l.bytes <= maxPaths && len(m.l.files) < maxFiles {
		m.l.files = append(m.l.files, name)
	}
}

// join is a path within a folder.
func join(dir, name string) string {
	windows := len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
	switch {
	case dir == "" || windows || strings.HasPrefix(name, `\`):
		return name
	case strings.HasPrefix(name, "/"):
		return path.Clean(name)
	case strings.Contains(dir, `\`):
		return strings.TrimRight(dir, `\`) + `\` + name
	}
	return path.Clean(dir + "/" + name)
}

// files5 reads the tables of version 5.
func (m *machine) files5() error {
	if err := m.table(func(name string, _ uint64) { m.addDir(name) }); err != nil {
		return err
	}
	return m.table(m.addFile)
}

// table reads a table of names of version 5.
func (m *machine) table(yield func(name string, dir uint64)) error {
	b := &m.b
	type column struct{ content, form uint16 }
	columns := make([]column, b.u8())
	for i := range columns {
		columns[i] = column{small(b.uleb()), small(b.uleb())}
	}
	n := b.uleb()
	if n > uint64(b.left()) {
		return symbols.Bad("a line program has a table without an end")
	}
	u := *m.u
	u.is64, u.version = m.is64, 5
	for range n {
		var name string
		var dir uint64
		at := b.at
		for _, c := range columns {
			v, err := u.value(b, c.form, 0)
			if err != nil {
				return err
			}
			switch c.content {
			case 1: // path
				if name, err = m.f.text(&u, v); err != nil {
					return err
				}
			case 2: // number of the folder
				dir = v.u
			}
		}
		if b.bad || b.at == at {
			return symbols.Bad("a line program has a table without an end")
		}
		if m.f.work -= 32; m.f.work < 0 {
			return errWork()
		}
		yield(name, dir)
	}
	return nil
}

// advance moves the address by an operation's advance.
func (m *machine) advance(n uint64) {
	if m.maxOps == 1 {
		m.row.addr += n * uint64(m.minInst)
		return
	}
	n += m.opIndex
	m.row.addr += n / uint64(m.maxOps) * uint64(m.minInst)
	m.opIndex = n % uint64(m.maxOps)
}

func (m *machine) reset() {
	m.row, m.opIndex, m.from = row{file: 1, line: 1}, 0, len(m.l.rows)
}

// emit adds a row. Of rows with one address the last counts.
func (m *machine) emit() {
	if n := len(m.l.rows); n > m.from && m.l.rows[n-1].addr == m.row.addr {
		m.l.rows[n-1] = m.row
		return
	}
	m.l.rows = append(m.l.rows, m.row)
}

// end ends a sequence. Those of code that is not in the file are dropped.
func (m *machine) end() {
	rows := m.l.rows[m.from:]
	if len(rows) > 0 && m.f.image.runs(rows[0].addr) && m.row.addr > rows[0].addr {
		if !slices.IsSortedFunc(rows, func(a, b row) int { return order(a.addr, b.addr) }) {
			slices.SortStableFunc(rows, func(a, b row) int { return order(a.addr, b.addr) })
		}
		m.l.seqs = append(m.l.seqs, sequence{rows[0].addr, m.row.addr, m.from, len(m.l.rows)})
	} else {
		m.l.rows = m.l.rows[:m.from]
	}
	m.reset()
}

func (m *machine) run(ctx context.Context) error {
	b := &m.b
	m.reset()
	for n := 0; b.left() > 0; n++ {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(m.l.rows) > maxRows {
			return symbols.TooLarge("more than %d rows in a line program", maxRows)
		}
		op := b.u8()
		if op >= m.opcodeBase {
			if m.lineRange == 0 {
				return symbols.Bad("a line program has an operation without a range")
			}
			op -= m.opcodeBase
			m.advance(uint64(op / m.lineRange))
			m.line(int64(m.lineBase) + int64(op%m.lineRange))
			m.emit()
			continue
		}
		m.standard(op)
		if b.bad {
			return symbols.Bad("a line program has no end")
		}
	}
	return nil
}

func (m *machine) line(by int64) { m.row.line = uint32(int64(m.row.line) + by) } // lines wrap

func (m *machine) standard(op uint8) {
	b := &m.b
	switch op {
	case 0:
		m.extended()
	case 1:
		m.emit()
	case 2:
		m.advance(b.uleb())
	case 3:
		m.line(b.sleb())
	case 4:
		m.row.file = uint32(min(b.uleb(), 1<<31)) // cut
	case 5:
		m.row.column = uint32(min(b.uleb(), 1<<31)) // cut
	case 6, 7, 10, 11: // statements, blocks, prologues and epilogues do not matter
	case 8:
		if m.lineRange != 0 {
			m.advance(uint64((255 - m.opcodeBase) / m.lineRange))
		}
	case 9:
		m.row.addr += uint64(b.u16())
		m.opIndex = 0
	default:
		for range m.lengths[op] {
			b.uleb()
		}
	}
}

func (m *machine) extended() {
	b := &m.b
	n := b.uleb()
	if n == 0 || n > uint64(b.left()) {
		b.bad = b.bad || n != 0
		return
	}
	next := b.at + int(n) // checked above
	switch b.u8() {
	case 1:
		m.end()
	case 2:
		if k := int(n) - 1; k == 4 || k == 8 { // checked above
			m.row.addr, m.opIndex = b.uint(k), 0
		}
	case 3:
		if i := bytes.IndexByte(b.b[b.at:next], 0); i >= 0 {
			name := string(b.str())
			m.addFile(name, b.uleb())
		}
	}
	b.at, b.bad = next, false
}
