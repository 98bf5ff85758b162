package dwarf

import (
	"encoding/binary"
	"slices"
	"sort"

	"quipu/internal/symbols"
)

// Stopped is implemented by walkers that know whether a frame is the one in which the thread stopped, and what is code. Compact tables say what holds in
// the body of a function; where it stopped in the prologue or the epilogue, the instructions there say where the caller is.
type Stopped interface {
	Stopped() bool
	// Code reports whether an address of the process is within a module.
	Code(addr uint64) bool
}

// compact is Apple's table for unwinding, __unwind_info: for each function a number that says how its frame is laid out, or which entry of
// __eh_frame says it.
type compact struct {
	in   section
	base uint64 // address of the image
	arm  bool
	// code are the instructions, in what is read of them.
	code     section
	codeAddr uint64
	// starts is where functions begin, as differences; functions are these, once they are read, counted from base.
	starts    section
	functions []uint32
	read      bool
}

// maxFunctions is how many functions are known of a program, 4 bytes each.
const maxFunctions = 4_000_000

// function returns where the function of an address begins; false when that is not known. Entries of the table may stand for several functions.
func (c *compact) function(img *image, addr uint64) (uint64, bool) {
	if !c.read {
		c.read = true
		p, err := c.starts.read(0, c.starts.size)
		if err != nil {
			return 0, false
		}
		b := buffer{b: p, order: img.order}
		for at := uint64(0); b.left() > 0 && len(c.functions) < maxFunctions; {
			n := b.uleb()
			if n == 0 || b.bad || n > 1<<32-1-at {
				break
			}
			at += n
			c.functions = append(c.functions, uint32(at)) // less
		}
		c.functions = slices.Clip(c.functions)
	}
	if addr < c.base || addr-c.base >= 1<<32 {
		return 0, false
	}
	i := sort.Search(len(c.functions), func(i int) bool { return uint64(c.functions[i]) > addr-c.base }) - 1
	if i < 0 {
		return 0, false
	}
	return c.base + uint64(c.functions[i]), true
}

// Kinds of numbers, and what they hold.
const (
	modeMask = 0x0f000000

	x86Frame    = 0x01000000 // by the frame pointer
	x86Fixed    = 0x02000000 // by the size of the frame
	x86Indirect = 0x03000000 // by the size of the frame that an instruction has
	x86Table    = 0x04000000 // by __eh_frame

	armFixed = 0x02000000
	armTable = 0x03000000
	armFrame = 0x04000000
)

// Kinds of pages.
const (
	pageRegular    = 2
	pageCompressed = 3
)

func (c *compact) u32(at uint64, img *image) (uint64, error) { return c.in.number(at, 4, img.order) }

// number returns the number of the function at an address, and where the function begins. 0 = the table has none.
func (c *compact) number(img *image, addr uint64) (n uint32, start uint64, err error) {
	if addr < c.base || addr-c.base >= 1<<32 {
		return 0, 0, nil
	}
	off := addr - c.base
	var head [7]uint64
	for i := range head {
		if head[i], err = c.u32(uint64(4*i), img); err != nil { // less than 7
			return 0, 0, err
		}
	}
	if head[0] != 1 {
		return 0, 0, symbols.Bad("its table for unwinding is of another version")
	}
	commons, index := head[1], head[5]
	first, page, err := c.search(img, index, head[6], 12, off, 0, 1<<32-1)
	if err != nil || page == 1<<64-1 {
		return 0, 0, err
	}
	at, err := c.u32(page+4, img)
	if err != nil || at == 0 { // the end
		return 0, 0, err
	}
	kind, err := c.u32(at, img)
	if err != nil {
		return 0, 0, err
	}
	half := func(at uint64) uint64 {
		v, e := c.in.number(at, 2, img.order)
		if e != nil {
			err = e
		}
		return v
	}
	entries, count := at+half(at+4), half(at+6)
	if err != nil {
		return 0, 0, err
	}
	switch kind {
	case pageRegular:
		start, place, err := c.search(img, entries, count, 8, off, 0, 1<<32-1)
		if err != nil || place == 1<<64-1 {
			return 0, 0, err
		}
		v, err := c.u32(place+4, img)
		return uint32(v), c.base + start, err // four bytes
	case pageCompressed:
		own, owns := at+half(at+8), half(at+10)
		if err != nil {
			return 0, 0, err
		}
		start, place, err := c.search(img, entries, count, 4, off, first, 1<<24-1)
		if err != nil || place == 1<<64-1 {
			return 0, 0, err
		}
		entry, err := c.u32(place, img)
		if err != nil {
			return 0, 0, err
		}
		i := entry >> 24
		from := commons + 4*i
		if i >= head[2] {
			if i -= head[2]; i >= owns {
				return 0, 0, symbols.Bad("its table for unwinding refers beyond its end")
			}
			from = own + 4*i
		}
		v, err := c.u32(from, img)
		return uint32(v), c.base + start, err // four bytes
	}
	return 0, 0, symbols.Bad("its table for unwinding has pages of another kind")
}

// search finds the last of count entries of width bytes that begins at off or before: what it begins with is masked and counted from add. Without one, the
// place is the highest number.
func (c *compact) search(img *image, entries, count, width, off, add, mask uint64) (start, place uint64, err error) {
	if count > uint64(c.in.size)/width { // not negative
		return 0, 0, symbols.Bad("its table for unwinding refers beyond its end")
	}
	var failed error
	begins := func(i int) uint64 {
		v, err := c.u32(entries+uint64(i)*width, img) // not negative
		if err != nil {
			failed = err
		}
		return v&mask + add
	}
	i := sort.Search(int(count), func(i int) bool { return begins(i) > off }) - 1 // fewer than the table has bytes
	if failed != nil || i < 0 {
		return 0, 1<<64 - 1, failed
	}
	return begins(i), entries + uint64(i)*width, failed // not negative
}

// unwind finds the caller by the number of the function. table is whether __eh_frame has to be asked.
func (c *compact) unwind(img *image, addr uint64, w Walker) (ok, table bool, err error) {
	if stopped(w) {
		begin, known := c.function(img, addr)
		if !known {
			begin = addr + 1 // the epilogue only
		}
		if c.arm && c.armEdges(begin, addr, w) || !c.arm && c.x86Edges(begin, addr, w) {
			return true, false, nil
		}
	}
	if c.in.r == nil {
		return false, true, nil
	}
	n, start, err := c.number(img, addr)
	switch {
	case err != nil, n == 0, c.arm && n&modeMask == armTable, !c.arm && n&modeMask == x86Table:
		return false, true, err
	case c.arm:
		return c.armCaller(n, w), false, nil
	}
	return c.x86Caller(n, start, w), false, nil
}

func stopped(w Walker) bool {
	s, ok := w.(Stopped)
	return ok && s.Stopped()
}

// leaf finds the caller where the thread stopped in a function that no table has: functions that call nothing may have no frame.
func (c *compact) leaf(addr uint64, w Walker) bool {
	code, ok := w.(Stopped)
	if !ok || !code.Stopped() || c.instructions(addr, 1) == nil {
		return false
	}
	if c.arm {
		sp, ok := w.Callee("sp")
		lr, ok2 := w.Callee("lr")
		return ok && ok2 && code.Code(lr) && w.SetStack(sp) && w.SetReturn(lr)
	}
	sp, ok := w.Callee("rsp")
	ret, ok2 := w.Memory(sp)
	return ok && ok2 && code.Code(ret) && w.SetStack(sp+8) && w.SetReturn(ret)
}

// restore sets a register of the caller to what stands at an address.
func restore(w Walker, name string, at uint64) {
	if v, ok := w.Memory(at); ok {
		w.Set(name, v)
	} else {
		w.Clear(name)
	}
}

// x86Registers are the registers that frames keep, by their numbers.
var x86Registers = [...]string{"", "rbx", "r12", "r13", "r14", "r15", "rbp", ""}

// asyncFrame is the bit of a frame pointer by which Swift tells frames of asynchronous functions.
const asyncFrame = 1 << 60

func (c *compact) x86Caller(n uint32, start uint64, w Walker) bool {
	if n&modeMask == x86Frame {
		fp, ok := w.Callee("rbp")
		if !ok {
			return false
		}
		ret, ok := w.Memory(fp + 8)
		next, ok2 := w.Memory(fp)
		if !ok || !ok2 {
			return false
		}
		at := fp - 8*uint64(n>>16&0xff)
		for i := range 5 {
			if name := x86Registers[n>>(3*i)&7]; name != "" {
				restore(w, name, at)
			}
			at += 8
		}
		w.Set("rbp", next&^asyncFrame)
		return w.SetStack(fp+16) && w.SetReturn(ret)
	}
	sp, ok := w.Callee("rsp")
	if !ok {
		return false
	}
	size := 8 * uint64(n>>16&0xff)
	switch n & modeMask {
	case x86Fixed:
	case x86Indirect: // the operand of sub, and what is pushed beside
		p := c.instructions(start+uint64(n>>16&0xff), 4)
		if len(p) < 4 {
			return false
		}
		size = uint64(binary.LittleEndian.Uint32(p)) + 8*uint64(n>>13&7)
	default:
		return false
	}
	count := n >> 10 & 7
	if size < 8*uint64(count+1) {
		return false
	}
	ret, ok := w.Memory(sp + size - 8)
	if !ok {
		return false
	}
	at := sp + size - 8 - 8*uint64(count)
	for _, r := range permuted(count, n&0x3ff) {
		if name := x86Registers[r]; name != "" {
			restore(w, name, at)
		}
		at += 8
	}
	return w.SetStack(sp+size) && w.SetReturn(ret)
}

// permuted is the order of count registers that a number stands for: each digit says which of those that are left comes next.
func permuted(count, n uint32) []uint32 {
	if count > 6 {
		return nil
	}
	left := []uint32{1, 2, 3, 4, 5, 6}
	var out []uint32
	for i := range count {
		weight := uint32(1) // how many orders there are of those behind
		for k := i + 1; k < count; k++ {
			weight *= 6 - k
		}
		d := n / weight
		n %= weight
		if d >= uint32(len(left)) { // at most 6
			return nil
		}
		out = append(out, left[d])
		left = append(left[:d:d], left[d+1:]...)
	}
	return out
}

// armPairs are the pairs of registers that frames keep, by their bits. Those of floating-point numbers take their place.
var armPairs = [...][2]string{{"x19", "x20"}, {"x21", "x22"}, {"x23", "x24"}, {"x25", "x26"}, {"x27", "x28"}}

func (c *compact) armCaller(n uint32, w Walker) bool {
	switch n & modeMask {
	case armFrame:
		fp, ok := w.Callee("fp")
		if !ok {
			return false
		}
		next, ok := w.Memory(fp)
		ret, ok2 := w.Memory(fp + 8)
		if !ok || !ok2 {
			return false
		}
		armSaved(n, fp, w)
		w.Set("fp", next&^asyncFrame)
		return w.SetStack(fp+16) && w.SetReturn(ret)
	case armFixed:
		sp, ok := w.Callee("sp")
		ret, ok2 := w.Callee("lr")
		if !ok || !ok2 {
			return false
		}
		top := sp + 16*uint64(n>>12&0xfff)
		armSaved(n, top, w)
		return w.SetStack(top) && w.SetReturn(ret)
	}
	return false
}

// armSaved restores the pairs that a frame keeps below an address.
func armSaved(n uint32, top uint64, w Walker) {
	for i, pair := range armPairs {
		if n>>i&1 != 0 {
			restore(w, pair[0], top-8)
			restore(w, pair[1], top-16)
			top -= 16
		}
	}
}

// instructions returns up to n bytes of code from an address, fewer at its end.
func (c *compact) instructions(addr uint64, n int) []byte {
	if addr < c.codeAddr || addr-c.codeAddr >= uint64(c.code.size) { // not negative
		return nil
	}
	p, err := c.code.peek(addr-c.codeAddr, n)
	if err != nil {
		return nil
	}
	return p[:min(n, len(p))]
}

// maxPrologue and maxEpilogue are how many bytes are looked at.
const (
	maxPrologue = 128
	maxEpilogue = 96
)

// x86Push returns which register an instruction pushes and how long it is; pop does so for pops.
func x86Push(p []byte, pop bool) (name string, n int) {
	low := [...]string{3: "rbx", 5: "rbp", 7: ""}
	high := [...]string{4: "r12", 5: "r13", 6: "r14", 7: "r15"}
	first := byte(0x50)
	if pop {
		first = 0x58
	}
	switch {
	case len(p) >= 1 && p[0]&^7 == first:
		if i := int(p[0] & 7); i < len(low) {
			name = low[i]
		}
		return name, 1
	case len(p) >= 2 && p[0] == 0x41 && p[1]&^7 == first:
		if i := int(p[1] & 7); i < len(high) {
			name = high[i]
		}
		return name, 2
	}
	return "", 0
}

// x86Prologue finds the caller where all instructions in front of the one at an offset set up the frame.
func (c *compact) x86Prologue(p []byte, to int, sp uint64, w Walker) bool {
	type slot struct {
		name string
		at   uint64 // bytes on the stack up to here, with it
	}
	var slots []slot
	depth, at := uint64(0), 0
	for at < to && at < len(p) {
		rest := p[at:]
		name, n := x86Push(rest, false)
		switch {
		case n > 0:
			depth += 8
			slots = append(slots, slot{name, depth})
		case len(rest) < 7:
			return false
		case at == 0 && string(rest[:4]) == "\xf3\x0f\x1e\xfa": // endbr64
			n = 4
		case string(rest[:3]) == "\x48\x89\xe5": // mov rbp, rsp
			n = 3
		case string(rest[:3]) == "\x48\x83\xec" && rest[3] < 0x80: // sub rsp, imm8
			n, depth = 4, depth+uint64(rest[3])
		case string(rest[:3]) == "\x48\x81\xec" && rest[6] < 0x80: // sub rsp, imm32
			n, depth = 7, depth+uint64(binary.LittleEndian.Uint32(rest[3:]))
		default:
			return false
		}
		at += n
	}
	if at != to {
		return false
	}
	ret, ok := w.Memory(sp + depth)
	if !ok {
		return false
	}
	for _, s := range slots {
		if s.name != "" {
			restore(w, s.name, sp+depth-s.at)
		}
	}
	return w.SetStack(sp+depth+8) && w.SetReturn(ret)
}

// x86Edges finds the caller where the thread stopped before the frame was set up, or when it is taken down.
func (c *compact) x86Edges(start, addr uint64, w Walker) bool {
	sp, ok := w.Callee("rsp")
	if !ok {
		return false
	}
	if addr >= start && addr-start <= maxPrologue && c.x86Prologue(c.instructions(start, maxPrologue), int(addr-start), sp, w) { // bounded
		return true
	}
	p := c.instructions(addr, maxEpilogue)
	var popped []string
	for at := 0; at < len(p); {
		if p[at] == 0xc3 {
			if at == 0 {
				break // nothing to restore
			}
			for i, name := range popped {
				if name != "" {
					restore(w, name, sp+8*uint64(i)) // not negative
				}
			}
			break
		}
		name, n := x86Push(p[at:], true)
		if n == 0 {
			return false
		}
		popped = append(popped, name)
		at += n
		if at >= len(p) {
			return false
		}
	}
	if len(p) == 0 {
		return false
	}
	at := sp + 8*uint64(len(popped))
	ret, ok := w.Memory(at)
	return ok && w.SetStack(at+8) && w.SetReturn(ret)
}

// armStep is what an instruction does to the stack pointer and to the registers that frames keep.
type armStep struct {
	before, after int64 // of the stack pointer, around what is loaded or stored
	load          bool
	pair          [2]uint32 // numbers of registers; 32 = none
	off           int64
	float         bool
	frame         bool // it sets the frame pointer
	ret           bool
}

// armDecode decodes the instructions that prologues and epilogues are made of; false for all others.
func armDecode(i uint32) (s armStep, ok bool) {
	s.pair = [2]uint32{32, 32}
	rn := i >> 5 & 31
	imm := int64(i>>10&0xfff) << (12 * (i >> 22 & 1))
	switch {
	case i == 0xd65f03c0, i == 0xd65f0bff, i == 0xd65f0fff: // ret, retaa, retab
		s.ret = true
	case i == 0xd503233f, i == 0xd503237f, i == 0xd50323bf, i == 0xd50323ff, i == 0xd503245f, i == 0xd503201f,
		i == 0xdac103fe, i == 0xdac107fe, i == 0xdac113fe, i == 0xdac117fe: // signatures, bti, nop
	case i&0xff8003ff == 0xd10003ff: // sub sp, sp, #imm
		s.after = -imm
	case i&0xff8003ff == 0x910003ff: // add sp, sp, #imm
		s.after = imm
	case i&0xff8003ff == 0x910003fd: // add x29, sp, #imm
		s.frame = true
	case i&0x3a000000 == 0x28000000 && rn == 31: // stp, ldp
		opc, v := i>>30, i>>26&1
		if v == 0 && opc != 2 || v == 1 && opc != 1 { // of 64 bits
			return s, false
		}
		s.float, s.load = v == 1, i>>22&1 == 1
		off := int64(int32(i<<10)>>25) * 8 // two's complement
		switch i >> 23 & 3 {
		case 1:
			s.after = off
		case 2:
			s.off = off
		case 3:
			s.before = off
		default:
			return s, false
		}
		s.pair = [2]uint32{i & 31, i >> 10 & 31}
	case i&0xffe00fe0 == 0xf8000fe0 || i&0xffe00fe0 == 0xf84007e0: // str with sp moved before, ldr with sp moved after
		off := int64(int32(i<<11) >> 23) // two's complement
		if s.load = i&0x400000 != 0; s.load {
			s.after = off
		} else {
			s.before = off
		}
		s.pair[0] = i & 31
	default:
		return s, false
	}
	return s, true
}

// armPrologue finds the caller where all instructions in front of the one at an offset set up the frame: the return address is in its register still.
func armPrologue(p []byte, to, sp, lr uint64, w Walker) bool {
	slots := map[uint32]int64{} // by the numbers of registers: from the stack pointer of the caller on
	moved := int64(0)
	for at := uint64(0); at < to; at += 4 {
		if len(p) < 4 {
			return false
		}
		s, known := armDecode(binary.LittleEndian.Uint32(p))
		if !known || s.ret || s.load || s.before+s.after > 0 {
			return false
		}
		moved += s.before
		for i, r := range s.pair {
			if r < 31 && !s.float {
				slots[r] = moved + s.off + 8*int64(i)
			}
		}
		moved += s.after
		p = p[4:]
	}
	top := sp - uint64(moved) // two's complement
	for r, at := range slots {
		if r >= 19 && r <= 29 {
			restore(w, armName(r), top+uint64(at)) // two's complement
		}
	}
	return w.SetStack(top) && w.SetReturn(lr)
}

// armEdges finds the caller where the thread stopped before the frame was set up, or when it is taken down.
func (c *compact) armEdges(start, addr uint64, w Walker) bool {
	sp, ok := w.Callee("sp")
	lr, ok2 := w.Callee("lr")
	if !ok {
		return false
	}
	if ok2 && addr >= start && addr-start <= maxPrologue && armPrologue(c.instructions(start, maxPrologue), addr-start, sp, lr, w) {
		return true
	}
	// Forward to the return: what is loaded on the way is what the caller has.
	saved := map[uint32]uint64{}
	moved := int64(0)
	for p, n := c.instructions(addr, maxEpilogue), 0; len(p) >= 4; p, n = p[4:], n+1 {
		s, known := armDecode(binary.LittleEndian.Uint32(p))
		switch {
		case !known, s.frame, s.before+s.after < 0, s.pair[0] != 32 && !s.load:
			return false
		case s.ret:
			back, there := saved[30]
			if !there {
				if back, there = lr, ok2; !there {
					return false
				}
			}
			for r, v := range saved {
				if r >= 19 && r <= 29 {
					w.Set(armName(r), v)
				}
			}
			return w.SetStack(sp+uint64(moved)) && w.SetReturn(back) // two's complement
		}
		moved += s.before
		for k, r := range s.pair {
			if r < 31 && !s.float {
				v, ok := w.Memory(sp + uint64(moved+s.off) + 8*uint64(k)) // two's complement
				if !ok {
					return false
				}
				saved[r] = v
			}
		}
		moved += s.after
	}
	return false
}

func armName(r uint32) string {
	if r == 29 {
		return "fp"
	}
	return "x" + string(rune('0'+r/10)) + string(rune('0'+r%10))
}
