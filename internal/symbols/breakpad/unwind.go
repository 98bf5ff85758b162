package breakpad

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Walker is a frame of a stack on its way to its caller. Registers are called as files call them, without $.
type Walker interface {
	// Callee returns a register of the frame; false when its value is not known.
	Callee(name string) (uint64, bool)
	// Memory reads what is as wide as a register from the stack.
	Memory(addr uint64) (uint64, bool)
	// Params is how many bytes of parameters the function takes that the frame called; inner is whether there is one.
	Params() (n uint32, inner bool)
	// Rules says where the rules begin that are evaluated next.
	Rules(start uint64)
	// Set sets a register of the caller; false when there is none of the name, or the value is too wide.
	Set(name string, v uint64) bool
	// Clear makes a register of the caller unknown.
	Clear(name string)
	// SetStack and SetReturn set what the stack pointer and the instruction pointer of the caller are.
	SetStack(v uint64) bool
	SetReturn(v uint64) bool
}

// win is a line of STACK WIN.
type win struct {
	addr    uint64
	size    uint32
	params  uint32
	saved   uint32
	locals  uint32
	program string // "" = a frame of fixed size
	base    bool   // such a frame has the base pointer saved
}

// readWin reads such a line behind its first words; false for one that contradicts itself, and for kinds that are not known.
func readWin(b []byte) (w win, ok bool) {
	kind, rest := word(b)
	var size, prologue, epilogue, params, saved, locals, most uint64
	if rest, ok = numbers(rest, 16, &w.addr, &size, &prologue, &epilogue, &params, &saved, &locals, &most); !ok {
		return w, false
	}
	for _, n := range []uint64{size, params, saved, locals} {
		if n >= 1<<32 {
			return w, false
		}
	}
	has, rest := word(rest)
	last := strings.TrimLeft(string(rest), " ")
	w.size, w.params, w.saved, w.locals = uint32(size), uint32(params), uint32(saved), uint32(locals) // checked
	switch {
	case string(kind) == "4" && string(has) == "1" && last != "":
		w.program = last
		return w, true
	case string(kind) == "0" && string(has) != "1":
		w.base = last == "1"
		return w, true
	}
	return w, false
}

// winAt returns the rules of Windows at an address: programs before sizes.
func (f *File) winAt(ctx context.Context, addr uint64) (win, bool, error) {
	r := covering(f.data, addr)
	if r == nil {
		if r = covering(f.fpo, addr); r == nil {
			return win{}, false, nil
		}
	}
	line, err := f.lineAt(ctx, r.at)
	if err != nil {
		return win{}, false, err
	}
	w, ok := readWin(bytes.TrimPrefix(line, []byte("STACK WIN ")))
	return w, ok, nil
}

// Unwind finds the registers of a frame's caller by the rules for an address; false when there are none, or they cannot be evaluated. The registers of
// the caller that are not set keep what the walker has for them.
func (f *File) Unwind(ctx context.Context, addr uint64, w Walker) (bool, error) {
	x, ok, err := f.winAt(ctx, addr)
	if err != nil {
		return false, err
	}
	if ok && (x.program != "" && x.run(w) || x.program == "" && x.fixed(w)) {
		return true, nil
	}
	r := covering(f.cfi, addr)
	if r == nil {
		return false, nil
	}
	all, err := held(ctx, f, r, f.rules)
	if err != nil {
		return false, err
	}
	w.Rules(r.addr)
	defer w.Rules(1<<64 - 1)
	return evaluate(all.at(addr), w), nil
}

// rules are those of a range: the first hold from its begin on, changes behind their addresses.
type rules struct {
	first   string
	changes []change // by address
	bytes   int
}

// change is what changes of the rules at an address.
type change struct {
	addr uint64
	text string
}

// Bounds of the rules of one range.
const (
	maxChanges    = 10_000
	maxChangeText = 8 << 20 // bytes
)

func (r *rules) cost() int64 { return int64(r.bytes) + int64(cap(r.changes))*24 + 128 }

// at returns the rules that hold at an address, each behind those that it changes.
func (r *rules) at(addr uint64) []string {
	out := []string{r.first}
	for _, c := range r.changes {
		if c.addr > addr {
			break
		}
		out = append(out, c.text)
	}
	return out
}

// rules reads the rules of a range.
func (f *File) rules(ctx context.Context, r *record) (*rules, error) {
	l := f.linesAt(ctx, r.at, 4<<10)
	out := &rules{}
	for n := 0; n < maxSub && len(out.changes) < maxChanges && out.bytes < maxChangeText; n++ {
		line, _, err := l.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		rest, ok := bytes.CutPrefix(line, []byte("STACK CFI "))
		if !ok {
			break
		}
		if n == 0 {
			var at, size uint64
			rest, _ = numbers(bytes.TrimPrefix(rest, []byte("INIT ")), 16, &at, &size)
			out.first = string(rest)
			out.bytes += len(rest)
			continue
		}
		at, rest, ok := number(rest, 16, 64)
		if !ok { // the next INIT
			break
		}
		out.changes = append(out.changes, change{at, string(rest)})
		out.bytes += len(rest)
	}
	slices.SortStableFunc(out.changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.addr, b.addr), strings.Compare(a.text, b.text)) })
	return out, nil
}

// evaluate evaluates rules such as ".cfa: $rsp 8 + .ra: .cfa -8 + ^": of each register the last one counts.
func evaluate(list []string, w Walker) bool {
	rules := map[string][]string{}
	for _, text := range list {
		if !parseRules(text, rules) {
			return false
		}
	}
	if rules[".cfa"] == nil || rules[".ra"] == nil {
		return false
	}
	cfa, ok := value(rules[".cfa"], w, nil)
	if !ok {
		return false
	}
	ra, ok := value(rules[".ra"], w, &cfa)
	if !ok || !w.SetStack(cfa) || !w.SetReturn(ra) {
		return false
	}
	for name, rule := range rules {
		if name == ".cfa" || name == ".ra" {
			continue
		}
		if v, ok := value(rule, w, &cfa); ok {
			w.Set(name, v)
		} else {
			w.Clear(name)
		}
	}
	return true
}

func parseRules(text string, into map[string][]string) bool {
	name, some := "", false
	var rule []string
	for token := range strings.FieldsSeq(text) {
		next, ok := strings.CutSuffix(token, ":")
		if !ok {
			if !some {
				return false
			}
			rule = append(rule, token)
			continue
		}
		if some {
			if rule == nil {
				return false
			}
			into[name], rule = rule, nil
		}
		name, some = strings.TrimPrefix(next, "$"), true
	}
	if rule == nil {
		return false
	}
	into[name] = rule
	return true
}

// value evaluates a rule: its operators stand behind what they are for.
func value(rule []string, w Walker, cfa *uint64) (uint64, bool) {
	var stack []uint64
	for _, token := range rule {
		switch token {
		case "+", "-", "*", "/", "%", "@":
			n := len(stack)
			if n < 2 {
				return 0, false
			}
			v, ok := operate(token[0], stack[n-2], stack[n-1])
			if !ok {
				return 0, false
			}
			stack = append(stack[:n-2], v)
		case "^":
			n := len(stack)
			if n == 0 {
				return 0, false
			}
			v, ok := w.Memory(stack[n-1])
			if !ok {
				return 0, false
			}
			stack[n-1] = v
		case ".cfa":
			if cfa == nil {
				return 0, false
			}
			stack = append(stack, *cfa)
		case ".undef":
			return 0, false
		default:
			v, ok := operand(token, w)
			if !ok {
				return 0, false
			}
			stack = append(stack, v)
		}
	}
	if len(stack) != 1 {
		return 0, false
	}
	return stack[0], true
}

func operand(token string, w Walker) (uint64, bool) {
	if _, name, ok := strings.Cut(token, "$"); ok {
		return w.Callee(name)
	}
	if n, err := strconv.ParseInt(token, 10, 64); err == nil {
		return uint64(n), true // two's complement
	}
	return w.Callee(token)
}

func operate(op byte, a, b uint64) (uint64, bool) {
	switch op {
	case '+':
		return a + b, true
	case '-':
		return a - b, true
	case '*':
		return a * b, true
	case '/':
		if b == 0 {
			return 0, false
		}
		return a / b, true
	case '%':
		if b == 0 {
			return 0, false
		}
		return a % b, true
	}
	if b == 0 || b&(b-1) != 0 { // align
		return 0, false
	}
	return a &^ (b - 1), true
}

// fixed finds the caller of a frame of fixed size.
func (x *win) fixed(w Walker) bool {
	params, inner := w.Params()
	esp, ok := w.Callee("esp")
	if !ok {
		return false
	}
	at := esp + uint64(x.locals+x.saved+params)
	eip, ok := w.Memory(at)
	if !ok {
		return false
	}
	if here, ok := w.Callee("eip"); !inner && ok && eip == here { // a call of what follows, to know where it is
		at += 4
		if eip, ok = w.Memory(at); !ok {
			return false
		}
	} else if !inner && !ok {
		return false
	}
	var ebp uint64
	if x.base {
		if ebp, ok = w.Memory(esp + uint64(params) + uint64(x.saved) - 8); !ok {
			return false
		}
	} else {
		if ebx, ok := w.Callee("ebx"); ok && !w.Set("ebx", ebx) {
			return false
		}
		if ebp, ok = w.Callee("ebp"); !ok {
			return false
		}
	}
	return w.Set("eip", eip) && w.Set("esp", at+4) && w.Set("ebp", ebp)
}

// operandWin is a number, a variable, or what is explicitly unknown.
type operandWin struct {
	n     uint32
	name  string
	undef bool
}

// run runs the program of a frame.
func (x *win) run(w Walker) bool {
	vars := map[string]uint32{}
	for _, name := range []string{"esp", "ebp", "ebx"} {
		v, ok := w.Callee(name)
		if !ok && name != "ebx" {
			return false
		}
		if ok {
			vars["$"+name] = uint32(v) // registers of 32 bits
		}
	}
	params, _ := w.Params()
	search := uint64(vars["$esp"]) + uint64(x.locals+x.saved+params)
	if strings.Contains(x.program, "@") { // an aligned stack: the base pointer knows
		search = uint64(vars["$ebp"]) + 4
	}
	if search >= 1<<32 {
		return false
	}
	vars[".cbParams"], vars[".cbCalleeParams"], vars[".cbSavedRegs"], vars[".cbLocals"] = x.params, params, x.saved, x.locals
	vars[".raSearch"], vars[".raSearchStart"] = uint32(search), uint32(search)
	p := program{vars: vars, w: w}
	for token := range strings.FieldsSeq(x.program) {
		if len(token) > 1 && token[0] == '=' {
			if !p.step("=") {
				return false
			}
			token = token[1:]
		}
		if !p.step(token) {
			return false
		}
	}
	for _, name := range []string{"eip", "esp", "ebp", "ebx", "esi", "edi"} {
		if v, ok := vars["$"+name]; ok && !w.Set(name, uint64(v)) {
			return false
		}
	}
	return true
}

type program struct {
	vars  map[string]uint32
	stack []operandWin
	w     Walker
}

func (p *program) pop() (operandWin, bool) {
	n := len(p.stack)
	if n == 0 {
		return operandWin{}, false
	}
	o := p.stack[n-1]
	p.stack = p.stack[:n-1]
	return o, true
}

func (p *program) number() (uint32, bool) {
	o, ok := p.pop()
	if !ok || o.undef {
		return 0, false
	}
	if o.name != "" {
		v, ok := p.vars[o.name]
		return v, ok
	}
	return o.n, true
}

func (p *program) step(token string) bool {
	switch token {
	case "+", "-", "*", "/", "%", "@":
		b, ok := p.number()
		a, ok2 := p.number()
		if !ok || !ok2 {
			return false
		}
		v, ok := operate(token[0], uint64(a), uint64(b))
		p.stack = append(p.stack, operandWin{n: uint32(v)}) // wraps
		return ok
	case "=":
		v, ok := p.pop()
		to, ok2 := p.pop()
		if !ok || !ok2 || to.name == "" {
			return false
		}
		if v.undef {
			delete(p.vars, to.name)
			return true
		}
		if v.name != "" {
			if v.n, ok = p.vars[v.name]; !ok {
				return false
			}
		}
		p.vars[to.name] = v.n
		return true
	case "^":
		at, ok := p.number()
		if !ok {
			return false
		}
		v, ok := p.w.Memory(uint64(at))
		p.stack = append(p.stack, operandWin{n: uint32(v)}) // registers of 32 bits
		return ok
	case ".undef":
		p.stack = append(p.stack, operandWin{undef: true})
		return true
	}
	if token[0] == '$' || token[0] == '.' {
		p.stack = append(p.stack, operandWin{name: token})
		return true
	}
	n, err := strconv.ParseInt(token, 10, 32)
	p.stack = append(p.stack, operandWin{n: uint32(n)}) // two's complement
	return err == nil
}
