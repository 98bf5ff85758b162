package swift

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// parser runs a mangled name. Methods that return a node return nil for what cannot be read.
type parser struct {
	s     string
	i     int
	old   bool // _T0: labels are within the types of functions
	sugar bool // of names within the name
	stack []*node
	subst []*node
	words []string
	nodes int
}

func (p *parser) make(kind string, kids ...*node) *node {
	p.nodes++
	if p.nodes > maxNodes || slices.Contains(kids, nil) {
		return nil
	}
	return &node{kind: kind, kids: kids}
}

func (p *parser) typeOf(kind string, kids ...*node) *node {
	n := p.make(kind, kids...)
	if n != nil {
		n.typ = true
	}
	return n
}

func (p *parser) named(kind, text string) *node {
	n := p.make(kind)
	if n != nil {
		n.text = text
	}
	return n
}

func (p *parser) push(n *node) bool {
	if n == nil {
		return false
	}
	p.stack = append(p.stack, n)
	return true
}

// sub remembers a node for substitutions.
func (p *parser) sub(n *node) *node {
	if n != nil {
		p.subst = append(p.subst, n)
	}
	return n
}

func (p *parser) top() *node {
	if len(p.stack) == 0 {
		return nil
	}
	return p.stack[len(p.stack)-1]
}

func (p *parser) any() *node {
	n := p.top()
	if n != nil {
		p.stack = p.stack[:len(p.stack)-1]
	}
	return n
}

// pop takes a node of one of the kinds; nil when another stands there.
func (p *parser) pop(kinds ...string) *node {
	if n := p.top(); n != nil && slices.Contains(kinds, n.kind) {
		return p.any()
	}
	return nil
}

func (p *parser) popType() *node {
	if n := p.top(); n != nil && n.typ {
		return p.any()
	}
	return nil
}

func (p *parser) next() byte {
	if p.i >= len(p.s) {
		return 0
	}
	p.i++
	return p.s[p.i-1]
}

func (p *parser) peek() byte {
	if p.i >= len(p.s) {
		return 0
	}
	return p.s[p.i]
}

func (p *parser) eat(c byte) bool {
	if p.peek() == c && c != 0 {
		p.i++
		return true
	}
	return false
}

// natural reads a number; -1 for none.
func (p *parser) natural() int {
	from := p.i
	for p.peek() >= '0' && p.peek() <= '9' {
		p.i++
	}
	n, err := strconv.Atoi(p.s[from:p.i])
	if err != nil || n > math.MaxInt32 {
		return -1
	}
	return n
}

// index reads an index; -1 for none.
func (p *parser) index() int {
	if p.eat('_') {
		return 0
	}
	n := p.natural()
	if n < 0 || !p.eat('_') {
		return -1
	}
	return n + 1
}

// parse runs the name; nil when it cannot be read.
func (p *parser) parse() *node {
	for p.i < len(p.s) {
		if c := p.peek(); c == '.' || c == ' ' {
			suffix := p.named("suffix", p.s[p.i:])
			p.i = len(p.s)
			p.push(suffix)
			break
		}
		if !p.push(p.operator()) {
			return nil
		}
	}
	root := p.make("global")
	if root == nil {
		return nil
	}
	// Attributes that stand behind the name come in front of it.
	suffix := p.pop("suffix")
	for n := p.pop("attribute"); n != nil; n = p.pop("attribute") {
		root.kids = append(root.kids, n)
	}
	root.kids = append(root.kids, p.stack...)
	if suffix != nil {
		root.kids = append(root.kids, suffix)
	}
	if len(root.kids) == 0 || root.kids[0].kind == "suffix" {
		return nil
	}
	return root
}

// operator runs one operator.
func (p *parser) operator() *node {
	c := p.next()
	switch c {
	case 'A':
		return p.substitution()
	case 'B':
		return p.builtin()
	case 'C', 'V', 'O', 'a':
		return p.nominal(string(c))
	case 'D':
		return p.make("typeMangling", p.popType())
	case 'E':
		return p.extension()
	case 'F':
		return p.function()
	case 'G':
		return p.boundGeneric()
	case 'H':
		return p.conformance()
	case 'I':
		return p.implFunction()
	case 'K':
		return p.make("throws")
	case 'L':
		return p.local()
	case 'M':
		return p.metadata()
	case 'N':
		return p.about("type metadata for ", p.popType())
	case 'P':
		return p.protocolType()
	case 'Q':
		return p.archetype()
	case 'R':
		return p.requirement()
	case 'S':
		return p.standard()
	case 'T':
		return p.thunk()
	case 'W':
		return p.witness()
	case 'X':
		return p.special()
	case 'Y':
		return p.annotation()
	case 'Z':
		return p.make("static", p.popEntity())
	case 'c':
		return p.functionType("function")
	case 'd':
		return p.make("variadic")
	case 'f':
		return p.functionEntity()
	case 'g':
		return p.retroactive()
	case 'h':
		return p.typeOf("shared", p.popType())
	case 'i':
		return p.subscript()
	case 'l':
		return p.genericSignature(false)
	case 'm':
		return p.typeOf("metatype", p.popType())
	case 'n':
		return p.typeOf("owned", p.popType())
	case 'o':
		return p.operatorName()
	case 'p':
		return p.typeOf("protocols", p.protocolList())
	case 'q':
		return p.genericParam()
	case 'r':
		return p.genericSignature(true)
	case 's':
		return p.named("module", "Swift")
	case 't':
		return p.tuple()
	case 'u':
		sig := p.pop("signature of generics")
		return p.typeOf("generic", sig, p.popType())
	case 'v':
		return p.variable()
	case 'w':
		return p.valueWitness()
	case 'x':
		return p.param(0, 0)
	case 'y':
		return p.make("empty")
	case 'z':
		return p.typeOf("inout", p.popType())
	case '_':
		return p.make("first")
	}
	if c >= '0' && c <= '9' {
		p.i--
		return p.identifier()
	}
	return nil
}

// about is something about another node, which is written behind it.
func (p *parser) about(text string, kids ...*node) *node {
	n := p.make("about", kids...)
	if n != nil {
		n.text = text
	}
	return n
}

func (p *parser) substitution() *node {
	repeat := -1
	for {
		c := p.next()
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			at := int(c|0x20) - 'a'
			if at >= len(p.subst) || repeat > 2048 {
				return nil
			}
			for range max(repeat, 1) - 1 {
				p.push(p.subst[at])
			}
			if p.nodes += max(repeat, 1); p.nodes > maxNodes {
				return nil
			}
			if c <= 'Z' {
				return p.subst[at]
			}
			p.push(p.subst[at])
			repeat = -1
		case c == '_':
			at := repeat + 27
			if at >= len(p.subst) {
				return nil
			}
			return p.subst[at]
		case c >= '0' && c <= '9':
			p.i--
			if repeat = p.natural(); repeat < 0 {
				return nil
			}
		default:
			return nil
		}
	}
}

func (p *parser) standard() *node {
	switch p.peek() {
	case 'o':
		p.i++
		return p.named("module", "__C")
	case 'C':
		p.i++
		return p.named("module", "__C_Synthesized")
	case 'g':
		p.i++
		return p.sub(p.bound(p.swiftType("O", "Optional"), []*node{p.popType()}))
	}
	repeat := 1
	if c := p.peek(); c >= '0' && c <= '9' {
		if repeat = p.natural(); repeat < 1 || repeat > 2048 {
			return nil
		}
	}
	key := string(p.next())
	if key == "c" {
		key += string(p.next())
	}
	kind, name, ok := strings.Cut(standard[key], " ")
	if !ok {
		return nil
	}
	n := p.swiftType(kind, name)
	if p.nodes += repeat; p.nodes > maxNodes {
		return nil
	}
	for range repeat - 1 {
		p.push(n)
	}
	return n
}

func (p *parser) swiftType(kind, name string) *node {
	return p.typeOf(kind, p.named("module", "Swift"), p.named("identifier", name))
}

// bound is a generic type with arguments; nil when one of them is none.
func (p *parser) bound(t *node, args []*node) *node {
	return p.typeOf("bound", t, p.make("list", args...))
}

func (p *parser) builtin() *node {
	c := p.next()
	text := builtin[c]
	switch c {
	case 'f', 'i':
		n := p.natural()
		if n <= 0 || n > 4096 || !p.eat('_') {
			return nil
		}
		text = map[byte]string{'f': "FPIEEE", 'i': "Int"}[c] + strconv.Itoa(n)
	case 'v':
		n := p.natural()
		t := p.popType()
		if n <= 0 || n > 4096 || !p.eat('_') || t == nil || t.kind != "builtin" {
			return nil
		}
		text = "Vec" + strconv.Itoa(n) + "x" + strings.TrimPrefix(t.text, "Builtin.")
	}
	if text == "" {
		return nil
	}
	n := p.named("builtin", "Builtin."+text)
	if n != nil {
		n.typ = true
	}
	if c == 'f' || c == 'i' || c == 'v' {
		return p.sub(n)
	}
	return n
}

// identifier reads an identifier with its words.
func (p *parser) identifier() *node {
	words, puny := false, false
	if p.eat('0') {
		if p.eat('0') {
			puny = true
		} else {
			words = true
		}
	}
	var text strings.Builder
	for first := true; first || words; first = false {
		for c := p.peek(); words && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'); c = p.peek() {
			p.i++
			at := int(c|0x20) - 'a'
			if at >= len(p.words) {
				return nil
			}
			text.WriteString(p.words[at])
			if c <= 'Z' {
				words = false
			}
		}
		if p.eat('0') {
			break
		}
		n := p.natural()
		if n <= 0 {
			return nil
		}
		if puny {
			p.eat('_')
		}
		if n > len(p.s)-p.i {
			return nil
		}
		part := p.s[p.i : p.i+n]
		p.i += n
		if puny {
			var ok bool
			if part, ok = punycode(part); !ok {
				return nil
			}
		} else {
			p.learn(part)
		}
		text.WriteString(part)
	}
	if text.Len() == 0 || text.Len() > maxMangled {
		return nil
	}
	return p.sub(p.named("identifier", text.String()))
}

// learn adds the words of an identifier: they begin with capitals and behind what is no letter.
func (p *parser) learn(s string) {
	start := -1
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	ends := func(i int) bool { return i == len(s) || s[i] == '_' || !upper(s[i-1]) && upper(s[i]) }
	for i := 0; i <= len(s); i++ {
		if start >= 0 && ends(i) {
			if i-start >= 2 && len(p.words) < 26 {
				p.words = append(p.words, s[start:i])
			}
			start = -1
		}
		if i < len(s) && start < 0 && s[i] != '_' && (s[i] < '0' || s[i] > '9') {
			start = i
		}
	}
}

var operators = map[byte]byte{
	'a': '&', 'c': '@', 'd': '/', 'e': '=', 'g': '>', 'l': '<', 'm': '*', 'n': '!', 'o': '|', 'p': '+', 'q': '?', 'r': '%', 's': '-', 't': '~', 'x': '^', 'z': '.',
}

func (p *parser) operatorName() *node {
	name := p.pop("identifier")
	if name == nil {
		return nil
	}
	var text strings.Builder
	for i := range len(name.text) {
		c := name.text[i]
		if c < 0x80 {
			if c = operators[c]; c == 0 {
				return nil
			}
		}
		text.WriteByte(c)
	}
	fix := map[byte]string{'i': " infix", 'p': " prefix", 'P': " postfix"}[p.next()]
	if fix == "" {
		return nil
	}
	return p.named("operator", text.String()+fix)
}

// local reads what tells declarations of one name from another.
func (p *parser) local() *node {
	if p.eat('L') {
		disc, name := p.pop("identifier"), p.declName()
		return p.make("private", disc, name)
	}
	if p.eat('l') {
		return p.make("private", p.pop("identifier"))
	}
	if c := p.peek(); c >= 'a' && c <= 'j' || c >= 'A' && c <= 'J' {
		p.i++
		n := p.make("related", p.declName())
		if n != nil {
			n.text = string(c)
		}
		return n
	}
	at := p.index()
	n := p.make("local", p.declName())
	if n == nil || at < 0 {
		return nil
	}
	n.n = at
	return n
}

func (p *parser) declName() *node {
	return p.pop("identifier", "operator", "local", "private", "related")
}

// contexts are the kinds of nodes that others may be within.
var contexts = []string{
	"module", "C", "V", "O", "P", "a", "bound", "extension", "func", "closure", "implicit", "variable", "subscript", "accessor", "static", "allocator", "init", "dealloc",
	"deinit", "initializer", "default", "ivarDestroyer", "ivarInit", "otherNominal", "wrapperInit", "wrapperFrom", "macro",
}

func (p *parser) context() *node {
	if n := p.pop("identifier"); n != nil { // a module
		return &node{kind: "module", text: n.text}
	}
	return p.pop(contexts...)
}

func (p *parser) nominal(kind string) *node {
	name := p.declName()
	return p.sub(p.typeOf(kind, p.context(), name))
}

func (p *parser) protocol() *node {
	if n := p.top(); n != nil && n.kind == "P" {
		return p.any()
	}
	name := p.declName()
	return p.typeOf("P", p.context(), name)
}

func (p *parser) protocolType() *node {
	return p.sub(p.protocol())
}

func (p *parser) extension() *node {
	sig := p.pop("signature of generics")
	var module *node
	if n := p.pop("identifier"); n != nil {
		module = &node{kind: "module", text: n.text}
	} else {
		module = p.pop("module")
	}
	t := p.any()
	if t == nil || !t.typ {
		return nil
	}
	n := p.make("extension", module, t)
	if n != nil && sig != nil {
		n.kids = append(n.kids, sig)
	}
	return n
}

// popEntity takes what was declared.
func (p *parser) popEntity() *node {
	if n := p.top(); n != nil && slices.Contains(contexts, n.kind) {
		return p.any()
	}
	return nil
}

func (p *parser) function() *node {
	sig := p.pop("signature of generics")
	t := p.functionType("function")
	labels := p.labels(t)
	if t != nil && sig != nil {
		t = p.typeOf("generic", sig, t)
	}
	name := p.declName()
	n := p.make("func", p.context(), name, t)
	if n != nil && labels != nil {
		n.kids = append(n.kids, labels)
	}
	return n
}

// labels takes the labels of the parameters of a function; nil when there are none.
func (p *parser) labels(t *node) *node {
	if !p.old && p.pop("empty") != nil {
		return &node{kind: "labels"}
	}
	for t != nil && t.kind == "generic" {
		t = t.kid(1)
	}
	if t == nil || t.kid(0) == nil || !slices.Contains(functions, t.kind) {
		return nil
	}
	params := t.kid(0)
	count := 1
	if params.kind == "tuple" {
		count = len(params.kids)
	}
	if count == 0 {
		return nil
	}
	list, some := make([]*node, count), false
	for i := range count {
		var label *node
		if p.old {
			label = &node{kind: "first"}
			if params.kind == "tuple" && params.kids[i].child("label") != nil {
				e := *params.kids[i]
				l := e.child("label")
				label = &node{kind: "identifier", text: l.text}
				e.kids = slices.DeleteFunc(slices.Clone(e.kids), func(k *node) bool { return k == l })
				params.kids[i] = &e
			}
			list[i] = label
		} else {
			if label = p.pop("identifier", "first"); label == nil {
				return nil
			}
			list[count-1-i] = label
		}
		some = some || label.kind != "first"
	}
	if !some {
		return &node{kind: "labels"}
	}
	return &node{kind: "labels", kids: list}
}

// functionEntity reads what is like a function but has no name.
func (p *parser) functionEntity() *node {
	switch c := p.next(); c {
	case 'D', 'Z':
		return p.make("dealloc", p.context())
	case 'd':
		return p.make("deinit", p.context())
	case 'E':
		return p.make("ivarDestroyer", p.context())
	case 'e':
		return p.make("ivarInit", p.context())
	case 'i':
		return p.make("initializer", p.context())
	case 'P':
		return p.make("wrapperInit", p.context())
	case 'W':
		return p.make("wrapperFrom", p.context())
	case 'C', 'c':
		return p.constructor(map[byte]string{'C': "allocator", 'c': "init"}[c])
	case 'U', 'u':
		at := p.index()
		t := p.generic(p.popTypeOrSignature)
		n := p.make(map[byte]string{'U': "closure", 'u': "implicit"}[c], p.context(), t)
		if n == nil || at < 0 {
			return nil
		}
		n.n = at
		return n
	case 'A':
		at := p.index()
		n := p.make("default", p.context())
		if n == nil || at < 0 {
			return nil
		}
		n.n = at
		return n
	}
	return nil
}

func (p *parser) popTypeOrSignature() (sig, t *node) {
	sig = p.pop("signature of generics")
	return sig, p.popType()
}

func (p *parser) generic(get func() (sig, t *node)) *node {
	sig, t := get()
	if sig == nil || t == nil {
		return t
	}
	return p.typeOf("generic", sig, t)
}

func (p *parser) constructor(kind string) *node {
	private := p.pop("private")
	t := p.generic(p.popTypeOrSignature)
	labels := p.labels(t)
	n := p.make(kind, p.context(), t)
	if n == nil {
		return nil
	}
	if labels != nil {
		n.kids = append(n.kids, labels)
	}
	if private != nil {
		n.kids = append(n.kids, private)
	}
	return n
}

var accessors = map[string]string{
	"m": "materializeForSet", "s": "setter", "g": "getter", "G": "getter", "w": "willset", "W": "didset", "r": "read", "M": "modify", "x": "modify2", "y": "read2",
	"b": "borrow", "z": "mutate", "i": "init", "aO": "owningMutableAddressor", "ao": "nativeOwningMutableAddressor", "aP": "nativePinningMutableAddressor",
	"au": "unsafeMutableAddressor", "lO": "owningAddressor", "lo": "nativeOwningAddressor", "lp": "nativePinningAddressor", "lu": "unsafeAddressor",
}

// accessor reads how storage is used.
func (p *parser) accessor(storage *node) *node {
	key := string(p.next())
	if key == "p" {
		return storage
	}
	if key == "a" || key == "l" {
		key += string(p.next())
	}
	name := accessors[key]
	n := p.make("accessor", storage)
	if n == nil || name == "" {
		return nil
	}
	n.text = name
	return n
}

func (p *parser) variable() *node {
	t := p.generic(p.popTypeOrSignature)
	labels := p.labels(t)
	name := p.declName()
	n := p.make("variable", p.context(), name, t)
	if n == nil {
		return nil
	}
	if labels != nil {
		n.kids = append(n.kids, labels)
	}
	return p.accessor(n)
}

func (p *parser) subscript() *node {
	private := p.pop("private")
	t := p.generic(p.popTypeOrSignature)
	labels := p.labels(t)
	n := p.make("subscript", p.context(), t)
	if n == nil {
		return nil
	}
	if labels != nil {
		n.kids = append(n.kids, labels)
	}
	if private != nil {
		n.kids = append(n.kids, private)
	}
	return p.accessor(n)
}
