package minidump

import (
	"context"
	"math/bits"

	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/dwarf"
)

// Bounds of a walk.
const (
	maxFrames = 1024 // of a thread
	scanFar   = 160  // registers that are looked through behind a frame that is sure
	scanNear  = 40
	maxGap    = 128 << 10 // bytes between two frames
)

// Ways in which a frame was found.
const (
	ByContext = "context"       // the registers of the thread
	ByRules   = "cfi"           // by call frame information
	ByPointer = "frame_pointer" // by the frame pointer
	ByScan    = "scan"          // what may be a return address was found in the stack
)

// Symbols know the functions of a module. Addresses are counted from its begin.
type Symbols interface {
	// Function returns the functions that an address is in, the innermost first, and how many bytes of parameters the outermost takes on the stack.
	Function(ctx context.Context, addr uint64) (list []dwarf.Frame, params uint32, err error)
	// Named reports whether a function with a name is known at an address.
	Named(ctx context.Context, addr uint64) (bool, error)
	// Unwind finds the caller of a frame by rules; false when there are none for the address.
	Unwind(ctx context.Context, addr uint64, w breakpad.Walker) (bool, error)
}

// Frame is a frame of a stack.
type Frame struct {
	Addr   uint64  // of the instruction: for callers one that is within the call
	Module *Module // nil = none
	How    string
	Calls  []dwarf.Frame // the functions, the innermost first; none = not known

	regs   *registers
	params uint32
	exact  bool // a signal interrupted the caller, so regs have no return address
}

// Walk returns the frames of a thread, the latest call first. of returns what knows a module, nil for none; it is asked often, and must remember. The
// error is that of ctx or of what knows a module.
func (p *Dump) Walk(ctx context.Context, t *Thread, of func(*Module) (Symbols, error)) ([]Frame, error) {
	if t.regs == nil || t.Skipped {
		return nil, nil
	}
	s := &steps{dump: p, stack: t.stack, of: of, cpu: t.regs.cpu}
	frames := []Frame{{Addr: t.regs.ip(), How: ByContext, regs: t.regs}}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		last := &frames[len(frames)-1]
		if err := s.fill(ctx, last); err != nil {
			return nil, err
		}
		if len(frames) == maxFrames || !t.stack.usable() {
			return frames, nil
		}
		var inner *Frame
		if len(frames) > 1 {
			inner = &frames[len(frames)-2]
		}
		next, err := s.caller(ctx, last, inner)
		if err != nil {
			return nil, err
		}
		if next == nil {
			return frames, nil
		}
		frames = append(frames, *next)
	}
}

// steps is a walk of one thread.
type steps struct {
	dump  *Dump
	stack region
	cpu   *cpu
	of    func(*Module) (Symbols, error)
}

// fill finds out which function a frame is in.
func (s *steps) fill(ctx context.Context, f *Frame) error {
	if f.Module = s.dump.Module(f.Addr); f.Module == nil {
		return nil
	}
	know, err := s.of(f.Module)
	if err != nil || know == nil {
		return err
	}
	f.Calls, f.params, err = know.Function(ctx, f.Addr-f.Module.Base)
	return err
}

// caller returns the frame that called another one; nil at the end of the stack.
func (s *steps) caller(ctx context.Context, f, inner *Frame) (*Frame, error) {
	regs, err := s.byRules(ctx, f, inner)
	how := ByRules
	if err == nil && regs == nil {
		regs, how = s.byPointer(f), ByPointer
	}
	if err == nil && regs == nil {
		how = ByScan
		regs, err = s.byScan(ctx, f)
	}
	if err != nil || regs == nil || regs.ip() < 4096 {
		return nil, err
	}
	back := uint64(1)
	if s.cpu.lr >= 0 {
		back = 4
	}
	if f.exact {
		back = 0
	}
	if s.cpu.lr >= 0 {
		if !s.advances(f, regs, how) {
			return nil, nil
		}
	} else if regs.sp() <= f.regs.sp() {
		return nil, nil
	}
	return &Frame{Addr: regs.ip() - back, How: how, regs: regs}, nil
}

// advances reports whether the stack of a caller is further up, as it has to be. Functions that have no stack of their own leave it where it was.
func (s *steps) advances(f *Frame, caller *registers, how string) bool {
	now, before := caller.sp(), f.regs.sp()
	if now != before {
		return now > before
	}
	return caller.ip() != f.regs.ip() && (f.How == ByContext || how == ByRules)
}

// byRules finds the caller by the rules that symbols have.
func (s *steps) byRules(ctx context.Context, f, inner *Frame) (*registers, error) {
	if f.Module == nil || !f.regs.has(s.cpu.sp) {
		return nil, nil
	}
	know, err := s.of(f.Module)
	if err != nil || know == nil {
		return nil, err
	}
	next := *f.regs
	next.valid &= s.cpu.saved
	w := &walker{steps: s, frame: f, inner: inner, caller: &next, rules: 1<<64 - 1}
	ok, err := know.Unwind(ctx, f.Addr-f.Module.Base, w)
	if err != nil || !ok {
		return nil, err
	}
	if s.cpu.lr >= 0 {
		for _, n := range []int{s.cpu.ip, s.cpu.lr, s.cpu.fp} {
			if n == s.cpu.ip || next.has(n) {
				next.values[n] = s.plain(next.values[n])
			}
		}
	}
	return &next, nil
}

// walker is a frame whose caller rules are evaluated for.
type walker struct {
	*steps
	frame, inner *Frame
	caller       *registers
	rules        uint64
}

// Exact implements dwarf.Exact.
func (w *walker) Exact() { w.frame.exact = true }

// Stopped implements dwarf.Stopped.
func (w *walker) Stopped() bool { return w.inner == nil || w.inner.exact }

// Code implements dwarf.Stopped.
func (w *walker) Code(addr uint64) bool { return w.dump.Module(w.plain(addr)) != nil }

// Callee implements breakpad.Walker.
func (w *walker) Callee(name string) (uint64, bool) {
	n := w.cpu.number(name)
	if n < 0 || !w.frame.regs.has(n) {
		return 0, false
	}
	if n == w.cpu.lr && w.frame.How == ByPointer && w.rules+w.frame.Module.Base != w.frame.Addr {
		return 0, false // what the frame pointer led to is the link register at the entry of the function only
	}
	return w.frame.regs.values[n], true
}

// Memory implements breakpad.Walker.
func (w *walker) Memory(addr uint64) (uint64, bool) { return w.stack.read(addr, w.cpu.width) }

// Params implements breakpad.Walker.
func (w *walker) Params() (uint32, bool) {
	if w.inner == nil {
		return 0, false
	}
	return w.inner.params, true
}

// Rules implements breakpad.Walker.
func (w *walker) Rules(start uint64) { w.rules = start }

// Set implements breakpad.Walker.
func (w *walker) Set(name string, v uint64) bool { return w.set(w.cpu.number(name), v) }

// SetStack implements breakpad.Walker.
func (w *walker) SetStack(v uint64) bool { return w.set(w.cpu.sp, v) }

// SetReturn implements breakpad.Walker.
func (w *walker) SetReturn(v uint64) bool { return w.set(w.cpu.ip, v) }

func (w *walker) set(n int, v uint64) bool {
	if n < 0 || w.cpu.width == 4 && v >= 1<<32 {
		return false
	}
	w.caller.set(n, v)
	return true
}

// Clear implements breakpad.Walker.
func (w *walker) Clear(name string) {
	if n := w.cpu.number(name); n >= 0 {
		w.caller.valid &^= 1 << n
	}
}

// plain removes the signature that processors put into the upper bits of pointers. What is left is wide enough for all modules.
func (s *steps) plain(v uint64) uint64 {
	most := uint64(1<<47 - 1)
	if n := len(s.dump.byAddr); n > 0 {
		most = max(most, s.dump.byAddr[n-1].end()+1)
	}
	return v & (1<<bits.Len64(most-1) - 1)
}

// made returns registers of which the instruction pointer and the stack pointer are known.
func (s *steps) made(ip, sp uint64) *registers {
	r := &registers{cpu: s.cpu}
	r.set(s.cpu.ip, ip)
	r.set(s.cpu.sp, sp)
	return r
}

// byPointer finds the caller by the frame pointer: there stand the one of the caller, and the return address behind it.
func (s *steps) byPointer(f *Frame) *registers {
	r := f.regs
	width := uint64(s.cpu.width) // 4 or 8
	bp := r.values[s.cpu.fp]
	if !r.has(s.cpu.fp) || !r.has(s.cpu.sp) && s.cpu.width == 8 || bp >= 1<<(8*width-1)<<1-1-2*width {
		return nil
	}
	if s.cpu.lr >= 0 {
		return s.byLink(r, bp)
	}
	if s.cpu.width == 4 {
		ip, ok := s.stack.read(bp+4, 4)
		next, ok2 := s.stack.read(bp, 4)
		if !ok || !ok2 {
			return nil
		}
		out := s.made(ip, bp+8)
		out.set(s.cpu.fp, next)
		return out
	}
	// The frame pointer of Windows may point into the frame: at most 240 bytes, in steps of 16.
	tries := uint64(1)
	if s.dump.OS == Windows {
		tries = 16
	}
	for i := range tries {
		at := bp + i*16
		ip, ok := s.stack.read(at+8, 8)
		next, ok2 := s.stack.read(at, 8)
		if !ok || !ok2 {
			return nil
		}
		sp := at + 16
		if sp <= bp || next < sp {
			continue
		}
		if _, ok := s.stack.read(next, 8); !ok {
			return nil
		}
		if _, ok := s.stack.read(sp, 8); !ok || nonCanonical(ip) || sp <= r.sp() {
			continue
		}
		out := s.made(ip, sp)
		out.set(s.cpu.fp, next)
		return out
	}
	return nil
}

// byLink is byPointer for arm64.
func (s *steps) byLink(r *registers, fp uint64) *registers {
	var next, ip uint64
	sp := r.sp() // does not advance: the end
	if fp != 0 {
		var ok, ok2 bool
		next, ok = s.stack.read(fp, 8)
		ip, ok2 = s.stack.read(fp+8, 8)
		if !ok || !ok2 {
			return nil
		}
		sp = fp + 16
	}
	next, ip = s.plain(next), s.plain(ip)
	if outsideARM(ip) {
		return nil
	}
	out := s.made(ip, sp)
	out.set(s.cpu.fp, next)
	if next != 0 && next <= 1<<64-9 {
		if lr, ok := s.stack.read(next+8, 8); ok {
			out.set(s.cpu.lr, s.plain(lr))
		}
	}
	return out
}

// nonCanonical reports whether an address of x86-64 can be none.
func nonCanonical(v uint64) bool { return v > 0x7fffffffffff && v < 0xffff800000000000 }

// outsideARM reports whether an address is in the first page, or beyond what processes have.
func outsideARM(v uint64) bool { return v < 0x1000 || v > 0xfffffffffffff }

// byScan looks for what may be a return address.
func (s *steps) byScan(ctx context.Context, f *Frame) (*registers, error) {
	if !f.regs.has(s.cpu.sp) {
		return nil, nil
	}
	width := uint64(s.cpu.width) // 4 or 8
	tries := uint64(scanNear)
	if f.How == ByContext || f.How == ByRules {
		tries = scanFar
	}
	sp := f.regs.sp()
	for i := range tries {
		at := sp + i*width
		if at < sp || s.cpu.width == 4 && at >= 1<<32 {
			return nil, nil
		}
		ip, ok := s.stack.read(at, s.cpu.width)
		if !ok {
			return nil, nil
		}
		ok, err := s.returns(ctx, ip)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if at+width < at || s.cpu.width == 4 && at+width >= 1<<32 {
			return nil, nil
		}
		out := s.made(ip, at+width)
		if s.cpu.lr < 0 && i > 0 {
			s.restore(f.regs, out, at)
		}
		return out, nil
	}
	return nil, nil
}

// restore finds the frame pointer of a caller whose return address stands at an address: saved in front of it, or not changed.
func (s *steps) restore(r, out *registers, at uint64) {
	width := uint64(s.cpu.width) // 4 or 8
	last, known := r.values[s.cpu.fp], r.has(s.cpu.fp)
	if !known && s.cpu.width == 8 {
		return
	}
	bp, _ := s.stack.read(at-width, s.cpu.width)
	_, within := s.stack.read(bp, s.cpu.width)
	if bp > at && bp-(at-width) <= maxGap && (s.cpu.width == 4 || last == at-width) {
		if within {
			out.set(s.cpu.fp, bp)
		}
		return
	}
	if !known || last < at+width {
		return
	}
	if _, ok := s.stack.read(last, s.cpu.width); ok || s.cpu.width == 8 {
		out.set(s.cpu.fp, last)
	}
}

// returns reports whether a value may be a return address: one that is in a module, and, where its functions are known, in one of them.
func (s *steps) returns(ctx context.Context, v uint64) (bool, error) {
	switch {
	case v <= 1, s.cpu.lr >= 0 && outsideARM(v), s.cpu.width == 8 && s.cpu.lr < 0 && nonCanonical(v):
		return false, nil
	}
	m := s.dump.Module(v - 1)
	if m == nil {
		return false, nil
	}
	know, err := s.of(m)
	if err != nil || know == nil {
		return err == nil, err
	}
	return know.Named(ctx, v-1-m.Base)
}
