package swift

import "slices"

// functions are the kinds of types of functions, with what is written in front of them.
var functions = []string{"function", "thin", "autoclosure", "escaping autoclosure", "block", "escaping block", "c", "uncurried"}

// functionType reads the type of a function: its result, its parameters and what else is said of it.
func (p *parser) functionType(kind string) *node {
	var extra []*node
	for _, k := range [][]string{{"sending result"}, {"actor", "isolated any", "nonsending"}, {"differentiable"}, {"throws", "throws type"}, {"sendable"}, {"async"}} {
		if n := p.pop(k...); n != nil {
			extra = append(extra, n)
		}
	}
	params := p.unit()
	result := p.unit()
	n := p.typeOf(kind, params, result)
	if n != nil {
		n.kids = append(n.kids, extra...)
	}
	return n
}

// unit takes a type, or what stands for an empty tuple.
func (p *parser) unit() *node {
	if p.pop("empty") != nil {
		return p.typeOf("tuple")
	}
	return p.popType()
}

func (p *parser) tuple() *node {
	n := p.typeOf("tuple")
	if n == nil || p.pop("empty") != nil {
		return n
	}
	for {
		first := p.pop("first") != nil
		variadic := p.pop("variadic")
		label := p.pop("identifier")
		e := p.make("element", p.popType())
		if e == nil {
			return nil
		}
		if label != nil {
			e.kids = append(e.kids, &node{kind: "label", text: label.text})
		}
		if variadic != nil {
			e.kids = append(e.kids, variadic)
		}
		n.kids = append(n.kids, e)
		if first {
			slices.Reverse(n.kids)
			return n
		}
	}
}

func (p *parser) protocolList() *node {
	n := p.make("list")
	if n == nil || p.pop("empty") != nil {
		return n
	}
	for {
		first := p.pop("first") != nil
		proto := p.protocol()
		if proto == nil {
			return nil
		}
		n.kids = append(n.kids, proto)
		if first {
			slices.Reverse(n.kids)
			return n
		}
	}
}

// arguments takes the arguments of generic types, one list for each level, the innermost first; nil when they cannot be read.
func (p *parser) arguments() (lists [][]*node) {
	for p.pop("retroactive") != nil {
		continue // how types conform is not written
	}
	for {
		var list []*node
		for t := p.popType(); t != nil; t = p.popType() {
			list = append(list, t)
		}
		slices.Reverse(list)
		lists = append(lists, list)
		if p.pop("empty") != nil {
			return lists
		}
		if p.pop("first") == nil {
			return nil
		}
	}
}

func (p *parser) boundGeneric() *node {
	lists := p.arguments()
	t := p.popType()
	if lists == nil || t == nil {
		return nil
	}
	return p.sub(p.distribute(t, lists))
}

// distribute gives the arguments of generics to a type and to those that it is within.
func (p *parser) distribute(t *node, lists [][]*node) *node {
	if t == nil || len(t.kids) == 0 || !slices.Contains([]string{"C", "V", "O", "P", "a", "otherNominal"}, t.kind) {
		return nil
	}
	own, rest := lists[0], lists[1:]
	if len(rest) > 0 {
		outer := t.kids[0]
		if outer.kind == "extension" {
			in := p.distribute(outer.kids[1], rest)
			if in == nil {
				return nil
			}
			outer = p.make("extension", append([]*node{outer.kids[0], in}, outer.kids[2:]...)...)
		} else {
			outer = p.distribute(outer, rest)
		}
		typ := t.typ
		if t = p.make(t.kind, append([]*node{outer}, t.kids[1:]...)...); t == nil {
			return nil
		}
		t.typ = typ
	}
	if len(own) == 0 {
		return t
	}
	return p.bound(t, own)
}

func (p *parser) param(depth, index int) *node {
	n := p.typeOf("param")
	if n != nil {
		n.text = paramName(depth, index)
	}
	return n
}

// genericParam reads which parameter of generics it is.
func (p *parser) genericParam() *node {
	switch {
	case p.eat('d'):
		depth, index := p.index(), p.index()
		if depth < 0 || index < 0 {
			return nil
		}
		return p.param(depth+1, index)
	case p.eat('z'):
		return p.param(0, 0)
	case p.eat('s'):
		n := p.param(0, 0)
		if n != nil {
			n.text = "Self"
		}
		return n
	}
	index := p.index()
	if index < 0 {
		return nil
	}
	return p.param(0, index+1)
}

func (p *parser) genericSignature(counted bool) *node {
	n := p.make("signature of generics")
	if n == nil {
		return nil
	}
	if !counted {
		n.kids = append(n.kids, &node{kind: "count", n: 1})
	}
	for counted && !p.eat('l') {
		count := 0
		if !p.eat('z') {
			if count = p.index() + 1; count <= 0 || count > 1000 {
				return nil
			}
		}
		n.kids = append(n.kids, &node{kind: "count", n: count})
	}
	at := len(n.kids)
	for r := p.pop("requirement", "pack"); r != nil; r = p.pop("requirement", "pack") {
		n.kids = append(n.kids, r)
	}
	slices.Reverse(n.kids[at:])
	return n
}

// layouts are the constraints of layout by their letters.
var layouts = map[byte]string{
	'U': "_UnknownLayout", 'R': "_RefCountedObject", 'N': "_NativeRefCountedObject", 'C': "AnyObject", 'D': "_NativeClass", 'T': "_Trivial", 'B': "_BridgeObject",
	'S': "_TrivialStride",
}

func (p *parser) requirement() *node {
	c := p.next()
	// How the type is named that is constrained, and how it is.
	const (
		generic = iota
		member
		members
		given
	)
	kinds := map[byte][2]int{
		'b': {generic, ':'}, 'c': {member, ':'}, 'C': {members, ':'}, 'B': {given, ':'},
		's': {generic, '='}, 't': {member, '='}, 'T': {members, '='}, 'S': {given, '='},
		'l': {generic, 'l'}, 'm': {member, 'l'}, 'M': {members, 'l'}, 'L': {given, 'l'},
		'p': {member, 'p'}, 'P': {members, 'p'}, 'Q': {given, 'p'},
		'i': {generic, '~'}, 'j': {member, '~'}, 'J': {members, '~'}, 'I': {given, '~'},
	}
	k, ok := kinds[c]
	switch {
	case c == 'v':
		n := p.genericParam()
		return p.make("pack", n)
	case !ok:
		p.i--
		k = [2]int{generic, 'p'}
	}
	bit := -1
	if k[1] == '~' {
		if bit = p.index(); bit < 0 || bit > 1 {
			return nil
		}
	}
	var subject *node
	switch k[0] {
	case generic:
		subject = p.genericParam()
	case member:
		subject = p.sub(p.member(p.genericParam()))
	case members:
		subject = p.sub(p.members(p.genericParam()))
	case given:
		subject = p.popType()
	}
	n := p.make("requirement", subject)
	if n == nil {
		return nil
	}
	var to *node
	switch k[1] {
	case 'p':
		n.text, to = ": ", p.protocol()
	case ':':
		n.text, to = ": ", p.popType()
	case '=':
		n.text, to = " == ", p.popType()
	case '~':
		n.text, to = ": ~", p.named("identifier", []string{"Swift.Copyable", "Swift.Escapable"}[bit])
	default:
		name := layouts[p.next()]
		if name == "" {
			return nil
		}
		n.text, to = ": ", p.named("identifier", name)
	}
	if to == nil {
		return nil
	}
	n.kids = append(n.kids, to)
	return n
}

// memberName takes the name of an associated type, and the protocol that it is of.
func (p *parser) memberName() *node {
	proto := p.popType()
	name := p.pop("identifier")
	n := p.make("member name", name)
	if n == nil || proto != nil && proto.kind != "P" {
		return nil
	}
	if proto != nil {
		n.kids = append(n.kids, proto)
	}
	return n
}

// member is an associated type of another one.
func (p *parser) member(of *node) *node {
	return p.typeOf("member", of, p.memberName())
}

func (p *parser) members(of *node) *node {
	var names []*node
	for {
		first := p.pop("first") != nil
		name := p.memberName()
		if name == nil {
			return nil
		}
		names = append(names, name)
		if first {
			break
		}
	}
	for _, name := range slices.Backward(names) {
		of = p.typeOf("member", of, name)
	}
	return of
}

func (p *parser) archetype() *node {
	switch c := p.next(); c {
	case 'a':
		name := p.pop("identifier")
		t := p.popType()
		return p.sub(p.typeOf("member", t, p.make("member name", name)))
	case 'r', 'u':
		return p.named2("some", "some")
	case 'R', 'U':
		if p.index() < 0 {
			return nil
		}
		return p.named2("some", "some")
	case 'O':
		return p.make("opaque of", p.popEntity())
	case 'o':
		at := p.index()
		lists := p.arguments()
		n := p.typeOf("opaque", p.pop("opaque of"))
		if n == nil || at < 0 || lists == nil {
			return nil
		}
		n.n = at
		return p.sub(n)
	case 'x':
		name := p.memberName()
		return p.sub(p.typeOf("member", p.popType(), name))
	case 'y':
		return p.sub(p.member(p.genericParam()))
	case 'Y':
		return p.sub(p.members(p.genericParam()))
	case 'z':
		return p.sub(p.member(p.param(0, 0)))
	case 'Z':
		return p.sub(p.members(p.param(0, 0)))
	case 'p':
		count, pattern := p.popType(), p.popType()
		return p.typeOf("expansion", pattern, count)
	}
	return nil
}

func (p *parser) named2(kind, text string) *node {
	n := p.typeOf(kind)
	if n != nil {
		n.text = text
	}
	return n
}

func (p *parser) annotation() *node {
	switch p.next() {
	case 'a':
		return p.make("async")
	case 'b':
		return p.make("sendable")
	case 'c':
		return p.make("actor", p.popType())
	case 'A':
		return p.make("isolated any")
	case 'C':
		return p.make("nonsending")
	case 'T':
		return p.make("sending result")
	case 'K':
		return p.make("throws type", p.popType())
	case 'j':
		return p.named("differentiable", map[byte]string{'d': "", 'f': "(_forward)", 'r': "(reverse)", 'l': "(_linear)"}[p.next()])
	case 'k':
		return p.around("@noDerivative ")
	case 'i':
		return p.around("isolated ")
	case 't':
		return p.around("_const ")
	case 'u':
		return p.around("sending ")
	}
	return nil
}

// around is a type with words in front of it.
func (p *parser) around(words string) *node {
	n := p.typeOf("with words", p.popType())
	if n != nil {
		n.text = words
	}
	return n
}

func (p *parser) special() *node {
	switch c := p.next(); c {
	case 'E':
		return p.functionType("function")
	case 'f':
		return p.functionType("thin")
	case 'K':
		return p.functionType("autoclosure")
	case 'A':
		return p.functionType("escaping autoclosure")
	case 'B':
		return p.functionType("block")
	case 'L':
		return p.functionType("escaping block")
	case 'C':
		return p.functionType("c")
	case 'U':
		return p.functionType("uncurried")
	case 'o':
		return p.around("unowned ")
	case 'u':
		return p.around("unowned(unsafe) ")
	case 'w':
		return p.around("weak ")
	case 'b':
		return p.around("@box ")
	case 'D':
		return p.typeOf("dynamic self", p.popType())
	case 'p':
		return p.typeOf("existential metatype", p.popType())
	case 'M', 'm':
		words := map[byte]string{'t': "@thin ", 'T': "@thick ", 'o': "@objc_metatype "}[p.next()]
		n := p.typeOf(map[byte]string{'M': "metatype", 'm': "existential metatype"}[c], p.popType())
		if n == nil || words == "" {
			return nil
		}
		n.text = words
		return n
	case 'c':
		super := p.popType()
		return p.typeOf("protocols", p.protocolList(), super)
	case 'l':
		n := p.typeOf("protocols", p.protocolList())
		if n != nil {
			n.text = "Swift.AnyObject"
		}
		return n
	case 'e':
		return p.named2("error", "<ERROR TYPE>")
	case 'Y':
		return p.nominal("otherNominal")
	case 'S':
		switch p.next() {
		case 'q':
			return p.bound(p.swiftType("O", "Optional"), []*node{p.popType()})
		case 'a':
			return p.bound(p.swiftType("V", "Array"), []*node{p.popType()})
		case 'D':
			v, k := p.popType(), p.popType()
			return p.bound(p.swiftType("V", "Dictionary"), []*node{k, v})
		}
	}
	return nil
}

// conformance reads how a type conforms to a protocol: what names of types say of it is not written.
func (p *parser) conformance() *node {
	switch p.next() {
	case 'P', 'p':
		return p.make("conformance ref", p.protocol())
	case 'C':
		if !p.conformances() {
			return nil
		}
		if p.pop("conformance ref") == nil {
			if p.pop("module", "identifier") == nil || p.protocol() == nil {
				return nil
			}
		}
		return p.make("any conformance", p.popType())
	case 'D':
		if p.index() < 0 || p.protocol() == nil {
			return nil
		}
		return p.make("any conformance", p.popType())
	case 'I':
		if p.index() < 0 || p.protocol() == nil {
			return nil
		}
		return p.pop("any conformance")
	case 'A':
		if p.index() < 0 || p.protocol() == nil || p.popType() == nil {
			return nil
		}
		return p.pop("any conformance")
	case 'X':
		if !p.conformances() {
			return nil
		}
		return p.make("any conformance")
	case 'r':
		return p.about("protocol descriptor runtime record for ", p.protocol())
	case 'n':
		return p.about("nominal type descriptor runtime record for ", p.popType())
	case 'c':
		return p.about("protocol conformance descriptor runtime record for ", p.protocolConformance())
	case 'F':
		return p.attribute("accessible function runtime record for ")
	}
	return nil
}

func (p *parser) conformances() bool {
	if p.pop("empty") != nil {
		return true
	}
	for {
		first := p.pop("first") != nil
		if p.pop("any conformance") == nil {
			return false
		}
		if first {
			return true
		}
	}
}

func (p *parser) retroactive() *node {
	at := p.index()
	n := p.make("retroactive", p.pop("any conformance"))
	if at < 0 {
		return nil
	}
	return n
}

// protocolConformance takes a type, a protocol and the module that says that the one conforms to the other.
func (p *parser) protocolConformance() *node {
	sig := p.pop("signature of generics")
	var module *node
	if n := p.pop("identifier"); n != nil {
		module = &node{kind: "module", text: n.text}
	} else {
		module = p.pop("module")
	}
	proto := p.protocol()
	n := p.make("conforms", p.popType(), proto, module)
	if n != nil && sig != nil {
		n.kids = append(n.kids, sig)
	}
	return n
}

var (
	paramConventions = map[byte]string{
		'i': "@in", 'c': "@in_constant", 'l': "@inout", 'b': "@inout_aliasable", 'n': "@in_guaranteed", 'X': "@in_cxx", 'x': "@owned", 'g': "@guaranteed",
		'e': "@deallocated", 'y': "@unowned", 'v': "@pack_owned", 'p': "@pack_guaranteed", 'm': "@pack_inout",
	}
	resultConventions = map[byte]string{
		'r': "@out", 'o': "@owned", 'd': "@unowned", 'u': "@unowned_inner_pointer", 'a': "@autoreleased", 'k': "@pack_out",
	}
	representations = map[byte]string{
		'B': "@convention(block)", 'C': "@convention(c)", 'M': "@convention(method)", 'J': "@convention(objc_method)", 'K': "@convention(closure)",
		'W': "@convention(witness_method)",
	}
)

// implFunction reads the type of a function as code is made for it.
func (p *parser) implFunction() *node {
	if c := p.peek(); c == 's' || c == 'I' {
		return nil // with substitutions of its own
	}
	n := p.typeOf("impl")
	if n == nil {
		return nil
	}
	sig := p.pop("signature of generics")
	words := ""
	if p.eat('P') && sig != nil {
		sig = p.make("pseudogeneric", sig)
	}
	if p.eat('e') {
		words += "@escaping "
	}
	if p.eat('A') {
		words += "@isolated(any) "
	}
	if text, ok := map[byte]string{'d': "", 'l': "(_linear)", 'f': "(_forward)", 'r': "(reverse)"}[p.peek()]; ok {
		p.i++
		words += "@differentiable" + text + " "
	}
	callee := map[byte]string{'y': "@callee_unowned ", 'g': "@callee_guaranteed ", 'x': "@callee_owned ", 't': "@convention(thin) "}[p.next()]
	if callee == "" {
		return nil
	}
	words += callee
	if text := representations[p.peek()]; text != "" {
		p.i++
		words += text + " "
	}
	if text := map[byte]string{'A': "@yield_once ", 'I': "@yield_once_2 ", 'G': "@yield_many "}[p.peek()]; text != "" {
		p.i++
		words += text
	}
	if p.eat('h') {
		words += "@Sendable "
	}
	if p.eat('H') {
		words += "@async "
	}
	sending := p.eat('T')
	n.text = words
	var types []*node
	add := func(kind, text string) *node {
		e := p.named(kind, text)
		if e != nil {
			types = append(types, e)
		}
		return e
	}
	for text := paramConventions[p.peek()]; text != ""; text = paramConventions[p.peek()] {
		p.i++
		if p.eat('w') {
			text += " @noDerivative"
		}
		if p.eat('T') {
			text += " sending"
		}
		if p.eat('I') {
			text += " isolated"
		}
		if add("impl param", text) == nil {
			return nil
		}
	}
	for text := resultConventions[p.peek()]; text != ""; text = resultConventions[p.peek()] {
		p.i++
		if p.eat('w') {
			text += " @noDerivative"
		}
		if add("impl result", text) == nil {
			return nil
		}
	}
	for p.eat('Y') {
		if add("impl yield", "@yields "+paramConventions[p.next()]) == nil {
			return nil
		}
	}
	if p.eat('z') {
		if add("impl result", "@error "+resultConventions[p.next()]) == nil {
			return nil
		}
	}
	if !p.eat('_') {
		return nil
	}
	for _, e := range slices.Backward(types) {
		t := p.popType()
		if t == nil {
			return nil
		}
		e.kids = []*node{t}
	}
	n.kids = types
	if sending {
		n.n = 1
	}
	if sig != nil {
		n.kids = append(n.kids, sig)
	}
	return n
}
