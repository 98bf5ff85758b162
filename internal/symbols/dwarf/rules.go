package dwarf

import "slices"

// Kinds of rules of a register.
const (
	ruleSame = iota
	ruleUndefined
	ruleOffset     // it stands at an offset from the frame
	ruleValue      // it is the frame and an offset
	ruleRegister   // another register has it
	ruleExpression // an expression says where it stands
	ruleComputed   // an expression says what it is
)

// rule says where a register of the caller is.
type rule struct {
	reg  uint64
	kind int
	n    int64
	expr []byte
}

// state is what holds at an address: where the frame is, and the rules of registers.
type state struct {
	reg   uint64
	off   int64
	expr  []byte // in place of reg and off; nil = none
	rules []rule
}

func (s *state) clone() state {
	out := *s
	out.rules = slices.Clone(s.rules)
	return out
}

func (s *state) set(r rule) {
	for i := range s.rules {
		if s.rules[i].reg == r.reg {
			s.rules[i] = r
			return
		}
	}
	if len(s.rules) < 200 {
		s.rules = append(s.rules, r)
	}
}

func (s *state) rule(reg uint64) (rule, bool) {
	for _, r := range s.rules {
		if r.reg == reg {
			return r, true
		}
	}
	return rule{reg: reg}, false
}

// unwinder runs the program of an entry.
type unwinder struct {
	t     *frames
	c     *common
	w     Walker
	order *image
	state state
	first state
	saved []state
}

// run runs a program up to an address; false when it cannot be read.
func (m *unwinder) run(program []byte, loc, addr uint64) bool {
	b := buffer{b: program, order: m.order.order}
	for b.left() > 0 && loc <= addr {
		op := b.u8()
		reg := uint64(op & 0x3f)
		switch op >> 6 {
		case 1:
			loc += reg * m.c.code
			continue
		case 2:
			m.state.set(rule{reg: reg, kind: ruleOffset, n: int64(b.uleb()) * m.c.data}) // two's complement
			continue
		case 3:
			m.restore(reg)
			continue
		}
		switch op {
		case 0x00: // nop
		case 0x01: // set_loc
			v, ok := m.t.pointer(&b, m.c.encoding, 0)
			if !ok {
				return false
			}
			loc = v
		case 0x02:
			loc += uint64(b.u8()) * m.c.code
		case 0x03:
			loc += uint64(b.u16()) * m.c.code
		case 0x04:
			loc += uint64(b.u32()) * m.c.code
		case 0x0a: // remember_state
			if len(m.saved) >= maxStates {
				return false
			}
			m.saved = append(m.saved, m.state.clone())
		case 0x0b: // restore_state
			n := len(m.saved)
			if n == 0 {
				return false
			}
			m.state, m.saved = m.saved[n-1], m.saved[:n-1]
		case 0x0c, 0x12: // def_cfa
			m.state.reg, m.state.expr = b.uleb(), nil
			m.state.off = m.factored(&b, op == 0x12)
		case 0x0d:
			m.state.reg, m.state.expr = b.uleb(), nil
		case 0x0e, 0x13:
			m.state.off = m.factored(&b, op == 0x13)
		case 0x0f:
			m.state.expr = m.block(&b)
		case 0x2d: // whether the return address is signed: signatures are removed in any case
		case 0x2e: // size of arguments
			b.uleb()
		default:
			if !m.register(op, &b) {
				return false
			}
		}
	}
	return !b.bad
}

// register runs an instruction that is about a register.
func (m *unwinder) register(op uint8, b *buffer) bool {
	r := rule{reg: b.uleb()}
	switch op {
	case 0x05:
		r.kind, r.n = ruleOffset, int64(b.uleb())*m.c.data // two's complement
	case 0x11:
		r.kind, r.n = ruleOffset, b.sleb()*m.c.data
	case 0x2f:
		r.kind, r.n = ruleOffset, -int64(b.uleb())*m.c.data // two's complement
	case 0x14:
		r.kind, r.n = ruleValue, int64(b.uleb())*m.c.data // two's complement
	case 0x15:
		r.kind, r.n = ruleValue, b.sleb()*m.c.data
	case 0x06:
		m.restore(r.reg)
		return true
	case 0x07:
		r.kind = ruleUndefined
	case 0x08:
		r.kind = ruleSame
	case 0x09:
		r.kind, r.n = ruleRegister, int64(b.uleb()) // a number of a register
	case 0x10:
		r.kind, r.expr = ruleExpression, m.block(b)
	case 0x16:
		r.kind, r.expr = ruleComputed, m.block(b)
	default:
		return false
	}
	m.state.set(r)
	return true
}

func (m *unwinder) factored(b *buffer, signed bool) int64 {
	if signed {
		return b.sleb() * m.c.data
	}
	return int64(b.uleb()) // two's complement
}

func (*unwinder) block(b *buffer) []byte {
	p := b.take(int(min(b.uleb(), maxFrameEntry))) // bounded
	if p == nil {
		return []byte{}
	}
	return p
}

// restore has a register be where the begin of the function has it.
func (m *unwinder) restore(reg uint64) {
	if r, ok := m.first.rule(reg); ok {
		m.state.set(r)
		return
	}
	m.state.rules = slices.DeleteFunc(m.state.rules, func(r rule) bool { return r.reg == reg })
}

// name is how the walker calls a register; "" for those that it does not have.
func (m *unwinder) name(reg uint64) string {
	if reg < uint64(len(m.t.names)) {
		return m.t.names[reg]
	}
	return ""
}

func (m *unwinder) callee(reg uint64) (uint64, bool) {
	name := m.name(reg)
	if name == "" {
		return 0, false
	}
	return m.w.Callee(name)
}

func (m *unwinder) wrap(v uint64) uint64 {
	if m.t.width == 4 {
		return v & (1<<32 - 1)
	}
	return v
}

// apply sets the registers of the caller.
func (m *unwinder) apply() bool {
	var cfa uint64
	var ok bool
	if m.state.expr != nil {
		cfa, ok = m.evaluate(m.state.expr, nil)
	} else if cfa, ok = m.callee(m.state.reg); ok {
		cfa = m.wrap(cfa + uint64(m.state.off)) // two's complement
	}
	if !ok {
		return false
	}
	ret, known := m.state.rule(m.c.ret)
	back, ok := uint64(0), true
	switch {
	case known && ret.kind == ruleUndefined: // the end of the stack
	case !known && m.name(m.c.ret) != "lr":
		return false
	default:
		back, ok = m.value(ret, cfa)
	}
	if !ok || !m.w.SetStack(cfa) || !m.w.SetReturn(back) {
		return false
	}
	for _, r := range m.state.rules {
		name := m.name(r.reg)
		if name == "" || r.kind == ruleSame || name == "rip" || name == "eip" {
			continue
		}
		if v, ok := m.value(r, cfa); ok {
			m.w.Set(name, v)
		} else {
			m.w.Clear(name)
		}
	}
	return true
}

// value is what a register of the caller is by its rule.
func (m *unwinder) value(r rule, cfa uint64) (uint64, bool) {
	switch r.kind {
	case ruleSame:
		return m.callee(r.reg)
	case ruleOffset:
		return m.w.Memory(m.wrap(cfa + uint64(r.n))) // two's complement
	case ruleValue:
		return m.wrap(cfa + uint64(r.n)), true // two's complement
	case ruleRegister:
		return m.callee(uint64(r.n)) // was one
	case ruleExpression:
		at, ok := m.evaluate(r.expr, &cfa)
		if !ok {
			return 0, false
		}
		return m.w.Memory(at)
	case ruleComputed:
		return m.evaluate(r.expr, &cfa)
	}
	return 0, false
}

// evaluate evaluates an expression, of which those of tables for unwinding need few operations. first is what stands on the stack before; nil = nothing.
func (m *unwinder) evaluate(expr []byte, first *uint64) (uint64, bool) {
	b := buffer{b: expr, order: m.order.order}
	var stack []uint64
	if first != nil {
		stack = append(stack, *first)
	}
	for b.left() > 0 {
		op := b.u8()
		var v uint64
		switch {
		case op == 0x03:
			v = b.uint(m.t.width)
		case op == 0x08:
			v = uint64(b.u8())
		case op == 0x09:
			v = uint64(int8(b.u8())) // two's complement
		case op == 0x0a:
			v = uint64(b.u16())
		case op == 0x0b:
			v = uint64(int16(b.u16())) // two's complement
		case op == 0x0c:
			v = uint64(b.u32())
		case op == 0x0d:
			v = uint64(int32(b.u32())) // two's complement
		case op == 0x0e, op == 0x0f:
			v = b.uint(8)
		case op == 0x10:
			v = b.uleb()
		case op == 0x11:
			v = uint64(b.sleb()) // two's complement
		case op >= 0x30 && op <= 0x4f:
			v = uint64(op - 0x30)
		case op >= 0x70 && op <= 0x8f, op == 0x92:
			reg := uint64(op - 0x70)
			if op == 0x92 {
				reg = b.uleb()
			}
			r, ok := m.callee(reg)
			if !ok {
				return 0, false
			}
			v = r + uint64(b.sleb()) // two's complement
		case op == 0x96: // nop
			continue
		default:
			var ok bool
			if stack, ok = m.operate(op, &b, stack); !ok {
				return 0, false
			}
			continue
		}
		if len(stack) >= maxStackOps {
			return 0, false
		}
		stack = append(stack, m.wrap(v))
	}
	if len(stack) == 0 || b.bad {
		return 0, false
	}
	return stack[len(stack)-1], true
}

// operate runs an operation on values of the stack.
func (m *unwinder) operate(op uint8, b *buffer, stack []uint64) ([]uint64, bool) {
	n := len(stack)
	switch {
	case n >= 1 && op == 0x06: // deref
		v, ok := m.w.Memory(stack[n-1])
		stack[n-1] = v
		return stack, ok
	case n >= 1 && op == 0x12 && n < maxStackOps: // dup
		return append(stack, stack[n-1]), true
	case n >= 1 && op == 0x13: // drop
		return stack[:n-1], true
	case n >= 2 && op == 0x16: // swap
		stack[n-1], stack[n-2] = stack[n-2], stack[n-1]
		return stack, true
	case n >= 1 && op == 0x1f: // neg
		stack[n-1] = m.wrap(-stack[n-1])
		return stack, true
	case n >= 1 && op == 0x20: // not
		stack[n-1] = m.wrap(^stack[n-1])
		return stack, true
	case n >= 1 && op == 0x23: // plus_uconst
		stack[n-1] = m.wrap(stack[n-1] + b.uleb())
		return stack, true
	case n < 2:
		return nil, false
	}
	x, y := stack[n-2], stack[n-1]
	truth := func(ok bool) uint64 {
		if ok {
			return 1
		}
		return 0
	}
	s, t := int64(x), int64(y) // two's complement
	if m.t.width == 4 {
		s, t = int64(int32(x)), int64(int32(y)) // two's complement
	}
	var v uint64
	switch op {
	case 0x1a:
		v = x & y
	case 0x1c:
		v = x - y
	case 0x1e:
		v = x * y
	case 0x21:
		v = x | y
	case 0x22:
		v = x + y
	case 0x24:
		v = x << min(y, 64)
	case 0x25:
		v = x >> min(y, 64)
	case 0x27:
		v = x ^ y
	case 0x29:
		v = truth(x == y)
	case 0x2a:
		v = truth(s >= t)
	case 0x2b:
		v = truth(s > t)
	case 0x2c:
		v = truth(s <= t)
	case 0x2d:
		v = truth(s < t)
	case 0x2e:
		v = truth(x != y)
	default:
		return nil, false
	}
	return append(stack[:n-2], m.wrap(v)), true
}
