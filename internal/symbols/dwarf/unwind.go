package dwarf

import (
	"bytes"
	"context"
	"debug/elf"
	"slices"
	"sort"

	"quipu/internal/symbols"
)

// Bounds of tables for unwinding.
const (
	maxFrameTable = 256 << 20 // bytes of a table
	maxFrames     = 2_000_000 // entries of it
	maxFrameEntry = 64 << 10  // bytes of an entry
	maxStates     = 64        // that are remembered within an entry
	maxStackOps   = 64        // values of an expression
)

// Walker is a frame of a stack on its way to its caller.
type Walker interface {
	// Callee returns a register of the frame; false when its value is not known.
	Callee(name string) (uint64, bool)
	// Memory reads what is as wide as a register from the stack.
	Memory(addr uint64) (uint64, bool)
	// Set sets a register of the caller; false when there is none of the name, or the value is too wide.
	Set(name string, v uint64) bool
	// Clear makes a register of the caller unknown.
	Clear(name string)
	// SetStack and SetReturn set what the stack pointer and the instruction pointer of the caller are.
	SetStack(v uint64) bool
	SetReturn(v uint64) bool
}

// Exact is implemented by walkers that want to be notified when the return address is no return address, but that of the instruction at which a signal
// interrupted the caller.
type Exact interface{ Exact() }

// frames is a table for unwinding: .eh_frame or .debug_frame.
type frames struct {
	in     section
	addr   uint64 // of the section in memory
	eh     bool
	width  int      // bytes of an address
	names  []string // of registers, by their numbers
	loaded bool
	list   []entryOf // by address
}

// entryOf is where the entry of a range of addresses stands.
type entryOf struct {
	low  uint64
	size uint32
	at   uint64 // of its length
}

// registersOf are the names of registers by their numbers; nil for processors that stacks are not walked of.
func registersOf(m elf.Machine) []string {
	switch m { //nolint:exhaustive // others are not walked
	case elf.EM_X86_64:
		return []string{"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"}
	case elf.EM_386:
		return []string{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip"}
	case elf.EM_AARCH64:
		out := make([]string, 32)
		for i := range 29 {
			out[i] = "x" + string(rune('0'+i/10)) + string(rune('0'+i%10))
			if i < 10 {
				out[i] = "x" + string(rune('0'+i))
			}
		}
		out[29], out[30], out[31] = "fp", "lr", "sp"
		return out
	}
	return nil
}

// framesOfELF finds the tables of a file: what .eh_frame has of it goes before .debug_frame.
func (m *image) framesOfELF(e *elf.File, in func(*elf.Section) (section, error)) error {
	names := registersOf(e.Machine)
	if names == nil {
		return nil
	}
	for _, name := range []string{".eh_frame", ".debug_frame"} {
		s := e.Section(name)
		if s == nil || s.Type == elf.SHT_NOBITS || s.FileSize < 8 || s.Size > maxFrameTable {
			continue
		}
		sec, err := in(s)
		if err != nil {
			return err
		}
		t := &frames{in: sec, addr: s.Addr, eh: name == ".eh_frame", width: 8, names: names}
		if e.Class == elf.ELFCLASS32 {
			t.width = 4
		}
		m.frames = append(m.frames, t)
	}
	return nil
}

// common is what several entries have in common.
type common struct {
	code      uint64
	data      int64
	ret       uint64
	encoding  byte
	augmented bool
	signal    bool // frames that a signal interrupted: the return address is that of the instruction
	program   []byte
}

func (t *frames) size() uint64 { return uint64(t.in.size) } // not negative

// some returns bytes of the table, fewer at its end.
func (t *frames) some(at uint64, n int) ([]byte, error) {
	n = int(min(uint64(n), t.size()-min(at, t.size()))) // bounded
	if n > window {
		return t.in.read(at, int64(n))
	}
	p, err := t.in.peek(at, n)
	return bytes.Clone(p[:min(n, len(p))]), err
}

// head reads the length of the entry at an offset, what it refers to and at most so many of its bytes.
func (t *frames) head(img *image, at uint64, most int) (b buffer, next, id, idAt uint64, err error) {
	p, err := t.in.peek(at, 12)
	if err != nil {
		return b, 0, 0, 0, err
	}
	h := buffer{b: p[:min(len(p), 12)], order: img.order}
	size, is64 := h.length()
	if h.bad || size == 0 || size > t.size() {
		return b, at + uint64(h.at), 0, 0, nil
	}
	start := at + uint64(h.at)
	next = start + size
	if next > t.size() || next <= at {
		return b, t.size(), 0, 0, nil
	}
	if p, err = t.some(start, int(min(size, uint64(most)))); err != nil { // bounded
		return b, 0, 0, 0, err
	}
	b = buffer{b: p, order: img.order}
	id = b.offset(is64 && !t.eh)
	return b, next, id, start, nil
}

// isCommon reports whether an entry is one that others refer to.
func (t *frames) isCommon(id uint64) bool {
	return t.eh && id == 0 || !t.eh && (id == 0xffffffff || id == 1<<64-1)
}

// common reads what entries have in common.
func (t *frames) common(img *image, at uint64) (c common, ok bool, err error) {
	b, _, id, _, err := t.head(img, at, maxFrameEntry)
	if err != nil || !t.isCommon(id) {
		return c, false, err
	}
	version := b.u8()
	kind := string(b.str())
	if version == 4 {
		b.skip(2)
	}
	c.code, c.data = b.uleb(), b.sleb()
	if version == 1 {
		c.ret = uint64(b.u8())
	} else {
		c.ret = b.uleb()
	}
	if len(kind) > 0 && kind[0] == 'z' {
		c.augmented = true
		size := b.uleb()
		more := buffer{b: b.take(int(min(size, maxFrameEntry))), order: img.order} // bounded
		for _, l := range kind[1:] {
			switch l {
			case 'L':
				more.skip(1)
			case 'R':
				c.encoding = more.u8()
			case 'P':
				if _, ok := t.pointer(&more, more.u8(), 0); !ok {
					return c, false, nil
				}
			case 'S':
				c.signal = true
			case 'B', 'G':
			default:
				return c, false, nil
			}
		}
	} else if kind != "" {
		return c, false, nil
	}
	c.program = b.take(b.left())
	return c, !b.bad && (version == 1 || version == 3 || version == 4), nil
}

// pointer reads an address as it is encoded; at is where it stands in memory.
func (t *frames) pointer(b *buffer, encoding byte, at uint64) (uint64, bool) {
	var v uint64
	switch encoding & 0x0f {
	case 0x00:
		v = b.uint(t.width)
	case 0x01:
		v = b.uleb()
	case 0x02:
		v = uint64(b.u16())
	case 0x03:
		v = uint64(b.u32())
	case 0x04:
		v = b.uint(8)
	case 0x09:
		v = uint64(b.sleb()) // two's complement
	case 0x0a:
		v = uint64(int16(b.u16())) // two's complement
	case 0x0b:
		v = uint64(int32(b.u32())) // two's complement
	case 0x0c:
		v = b.uint(8)
	default:
		return 0, false
	}
	if encoding&0x70 == 0x10 {
		v += at
	} else if encoding&0x70 != 0 {
		return 0, false
	}
	if t.width == 4 {
		v &= 1<<32 - 1
	}
	return v, !b.bad && encoding != 0xff
}

// entry reads the range of an entry; the buffer is then at its program.
func (t *frames) entry(c *common, b *buffer, start uint64) (low, size uint64, ok bool) {
	low, ok = t.pointer(b, c.encoding, t.addr+start+uint64(b.at)) // not negative
	if !ok {
		return 0, 0, false
	}
	size, ok = t.pointer(b, c.encoding&0x0f, 0)
	return low, size, ok && !b.bad
}

// referred is where the entry stands that another one refers to.
func (t *frames) referred(id, idAt uint64) uint64 {
	if t.eh {
		return idAt - id
	}
	return id
}

// load reads which entries there are. Those that cannot be read are passed over.
func (t *frames) load(ctx context.Context, img *image) error {
	t.loaded = true
	commons := map[uint64]*common{}
	for at := uint64(0); at+4 <= t.size(); {
		if len(t.list)&1023 == 0 && ctx.Err() != nil {
			t.loaded, t.list = false, nil
			return ctx.Err()
		}
		begin := at
		b, next, id, idAt, err := t.head(img, at, 64)
		if err != nil {
			return err
		}
		if next <= at {
			break
		}
		at = next
		if b.b == nil || t.isCommon(id) {
			continue
		}
		ref := t.referred(id, idAt)
		c := commons[ref]
		if c == nil {
			got, ok, err := t.common(img, ref)
			if err != nil && !damaged(err) {
				return err
			}
			if !ok || len(commons) > 100_000 {
				continue
			}
			got.program = nil // read again when it is used
			c = &got
			commons[ref] = c
		}
		low, size, ok := t.entry(c, &b, idAt)
		if !ok || size == 0 || size >= 1<<32 || low > 1<<64-1-size {
			continue
		}
		if len(t.list) >= maxFrames {
			return symbols.TooLarge("more than %d entries for unwinding", maxFrames)
		}
		t.list = append(t.list, entryOf{low, uint32(size), begin})
	}
	slices.SortStableFunc(t.list, func(a, b entryOf) int { return order(a.low, b.low) })
	t.list = slices.Clip(t.list)
	return nil
}

// find returns the entry of an address; nil for none.
func (t *frames) find(addr uint64) *entryOf {
	i := sort.Search(len(t.list), func(i int) bool { return t.list[i].low > addr }) - 1
	if i < 0 || addr-t.list[i].low >= uint64(t.list[i].size) {
		return nil
	}
	return &t.list[i]
}

// Unwind finds the registers of a frame's caller by the table that the program itself has for it (.eh_frame or .debug_frame, __unwind_info of Mach-O);
// false when there is none, or none for the address. The registers of the caller that are not set keep what the walker has for them. At the end of a stack the return address is 0.
func (f *File) Unwind(ctx context.Context, addr uint64, w Walker) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.image.compact; c != nil {
		ok, table, err := c.unwind(&f.image, addr, w)
		if err != nil && !damaged(err) {
			return false, err
		}
		if ok || !table && err == nil {
			return ok, nil
		}
	}
	for _, t := range f.image.frames {
		if !t.loaded {
			if err := t.load(ctx, &f.image); err != nil && !damaged(err) {
				return false, err
			}
		}
		e := t.find(addr)
		if e == nil {
			continue
		}
		if ok, err := t.unwind(&f.image, e, addr, w); ok || err != nil && !damaged(err) {
			return ok, err
		}
	}
	return f.image.compact != nil && f.image.compact.leaf(addr, w), nil
}

func (t *frames) unwind(img *image, e *entryOf, addr uint64, w Walker) (bool, error) {
	b, _, id, idAt, err := t.head(img, e.at, maxFrameEntry)
	if err != nil {
		return false, err
	}
	c, ok, err := t.common(img, t.referred(id, idAt))
	if err != nil || !ok {
		return false, err
	}
	low, _, ok := t.entry(&c, &b, idAt)
	if !ok {
		return false, nil
	}
	if c.augmented {
		b.skip(b.uleb())
	}
	m := unwinder{t: t, c: &c, w: w, order: img}
	if !m.run(c.program, low, 1<<64-1) {
		return false, nil
	}
	m.first = m.state.clone()
	if !m.run(b.take(b.left()), low, addr) {
		return false, nil
	}
	if !m.apply() {
		return false, nil
	}
	if exact, ok := w.(Exact); ok && c.signal {
		exact.Exact()
	}
	return true, nil
}
