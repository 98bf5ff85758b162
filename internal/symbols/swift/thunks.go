package swift

import (
	"slices"
	"strconv"
	"strings"
)

// attribute is something about a whole name, which is written in front of it.
func (p *parser) attribute(text string) *node { return p.named("attribute", text) }

// thunks are the operators behind T that are about what stands before them.
var thunks = map[byte]string{
	'a': "partial apply ObjC forwarder for ", 'A': "partial apply forwarder for ", 'o': "@objc ", 'O': "@nonobjc ", 'D': "dynamic ",
	'd': "super ", 'E': "distributed thunk ", 'F': "distributed accessor for ", 'I': "dynamically replaceable thunk for ", 'x': "dynamically replaceable key for ",
	'X': "dynamically replaceable variable for ", 'm': "merged ", 'u': "async function pointer to ", 'U': "reabstraction thunk helper with global actor constraint ",
}

func (p *parser) thunk() *node {
	c := p.next()
	if text := thunks[c]; text != "" {
		return p.attribute(text)
	}
	switch c {
	case 'c':
		return p.about("curry thunk of ", p.popEntity())
	case 'j':
		return p.about("dispatch thunk of ", p.popEntity())
	case 'q':
		return p.about("method descriptor for ", p.popEntity())
	case 'S':
		return p.about("protocol self-conformance witness for ", p.popEntity())
	case 'V':
		base, derived := p.popEntity(), p.popEntity()
		return p.make("vtable thunk", derived, base)
	case 'W':
		entity := p.popEntity()
		return p.make("witness", entity, p.protocolConformance())
	case 'Q', 'Y':
		n := p.index()
		if n < 0 {
			return nil
		}
		return p.attribute("(" + strconv.Itoa(n) + map[byte]string{'Q': ") await resume partial function for ", 'Y': ") suspend resume partial function for "}[c])
	case 'w':
		text := map[byte]string{
			'b': "back deployment thunk for ", 'B': "back deployment fallback for ", 'S': "#_hasSymbol query for ", 'c': "coro function pointer to ",
			'd': "default override of ",
		}[p.next()]
		if text == "" {
			return nil
		}
		return p.attribute(text)
	case 'R', 'r':
		sig := p.pop("signature of generics")
		to, from := p.popType(), p.popType()
		n := p.make("reabstraction", to, from)
		if n == nil {
			return nil
		}
		n.text = map[byte]string{'R': "reabstraction thunk helper ", 'r': "reabstraction thunk "}[c]
		if sig != nil {
			n.kids = append(n.kids, sig)
		}
		return n
	case 'K', 'k':
		return p.keyPath(map[byte]string{'K': "key path getter for ", 'k': "key path setter for "}[c])
	case 'H', 'h':
		sig := p.pop("signature of generics")
		n := p.about(map[byte]string{'H': "key path index equality operator for ", 'h': "key path index hash operator for "}[c])
		var types []*node
		for t := p.popType(); t != nil; t = p.popType() {
			types = append(types, t)
		}
		slices.Reverse(types)
		if n == nil || len(types) == 0 || sig != nil {
			return nil
		}
		n.kids = []*node{p.typeOf("tuple of types", types...)}
		return n
	case 'L':
		return p.about("protocol requirements base descriptor for ", p.protocol())
	case 'l':
		name := p.memberName()
		return p.about("associated type descriptor for ", p.member2(name))
	case 'M':
		return p.about("default associated type witness accessor for ", p.member2(p.memberName()))
	case 'b':
		proto := p.protocol()
		n := p.make("requires", p.popType(), proto)
		if n != nil {
			n.text = "base conformance descriptor for "
		}
		return n
	case 'n', 'N':
		proto := p.protocol()
		of := p.popType()
		if of == nil {
			if of = p.members2(); of == nil {
				return nil
			}
		}
		base := p.popType()
		n := p.make("requires", p.typeOf("member", base, of), proto)
		if n != nil {
			n.text = map[byte]string{'n': "associated conformance descriptor for ", 'N': "default associated conformance accessor for "}[c]
		}
		return n
	case 'v':
		n := p.index()
		if n < 0 {
			return nil
		}
		what := "outlined variable #"
		if p.eat('r') {
			what = "outlined read-only object #"
		}
		return p.attribute(what + strconv.Itoa(n) + " of ")
	case 'e':
		from := p.i
		for p.i < len(p.s) && p.s[p.i] != '_' {
			p.i++
		}
		text := p.s[from:p.i]
		if !p.eat('_') || text == "" || strings.Trim(text, "mapbgn") != "" {
			return nil
		}
		return p.attribute("outlined bridged method (" + text + ") of ")
	case 'g', 'G', 'B', 's', 'i', 't':
		return p.specialized(c)
	case 'p', 'P':
		if _, ok := p.passes(); !ok {
			return nil
		}
		t := p.popType()
		if t == nil {
			return nil
		}
		n := p.attribute(map[byte]string{'p': "generic partial specialization", 'P': "generic not-reabstracted partial specialization"}[c])
		if n != nil {
			n.kids = []*node{t}
		}
		return n
	case 'f':
		return p.signature()
	}
	return nil
}

// memberOf is the name of an associated type, with its protocol where it has one.
func (p *parser) memberOf(name *node) *node {
	if n := p.member2(name); n != nil {
		return n
	}
	return name
}

// member2 is the name of an associated type with its protocol.
func (p *parser) member2(name *node) *node {
	if name == nil || len(name.kids) < 2 {
		return nil
	}
	return p.typeOf("member", name.kids[1], p.make("member name", name.kids[0]))
}

// members2 is a path of associated types.
func (p *parser) members2() *node {
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
	slices.Reverse(names)
	n := p.make("path", names...)
	return n
}

func (p *parser) keyPath(text string) *node {
	serialized := p.eat('q')
	var types []*node
	sig := p.pop("signature of generics")
	for t := p.popType(); t != nil; t = p.popType() {
		types = append(types, t)
		if len(types) > 1 {
			return nil
		}
	}
	if sig == nil {
		sig = p.pop("signature of generics")
	}
	n := p.make("key path", append([]*node{p.popEntity()}, types...)...)
	if n == nil {
		return nil
	}
	n.text = text
	if serialized {
		n.n = 1
	}
	if sig != nil {
		n.kids = append(n.kids, sig)
	}
	return n
}

// passes reads by which pass of the compiler something was specialized, and whether its code is part of the module.
func (p *parser) passes() (serialized, ok bool) {
	for {
		switch c := p.next(); c {
		case 'q':
			serialized = true
		case 'a', 'r', 'm':
		default:
			return serialized, c >= '0' && c <= '9'
		}
	}
}

// specialized reads the types that a generic function was made for.
func (p *parser) specialized(c byte) *node {
	for c == 't' { // arguments that were dropped
		if d := p.peek(); d >= '0' && d <= '9' {
			p.natural()
		}
		c = p.next()
	}
	text := map[byte]string{
		'g': "generic specialization", 'G': "generic not re-abstracted specialization", 'B': "generic specialization", 's': "generic pre-specialization",
		'i': "inlined generic function",
	}[c]
	serialized, ok := p.passes()
	if text == "" || !ok {
		return nil
	}
	n := p.attribute(text)
	if n == nil {
		return nil
	}
	for p.pop("retroactive") != nil {
		continue
	}
	for {
		first := p.pop("first") != nil
		t := p.popType()
		if t == nil {
			return nil
		}
		n.kids = append(n.kids, t)
		if first {
			break
		}
	}
	slices.Reverse(n.kids)
	if serialized {
		n.kids = append([]*node{{kind: "identifier", text: "serialized"}}, n.kids...)
	}
	return n
}

// signature reads how the parameters of a function were changed.
func (p *parser) signature() *node {
	serialized, ok := p.passes()
	if !ok {
		return nil
	}
	n := p.attribute("function signature specialization")
	if n == nil {
		return nil
	}
	type change struct {
		where, what string
		kind        byte // 'c' for closures and 'f' for functions that were put in place of a parameter, 0 for all else
	}
	var changes []change
	for done := false; !done; {
		done = p.eat('_')
		if len(changes) > 1000 {
			return nil
		}
		var is []string
		var kind byte
		switch c := p.next(); c {
		case 'n':
		case 'c':
			kind = 'c'
		case 'p':
			if !p.eat('f') {
				return nil
			}
			kind = 'f'
		case 'e':
			if p.eat('D') {
				is = append(is, "Dead")
			}
			is = append(is, "Existential To Protocol Constrained Generic")
		case 'd':
			is = append(is, "Dead")
		case 'g':
			is = append(is, "Owned To Guaranteed")
		case 'o':
			is = append(is, "Guaranteed To Owned")
		case 'x':
			is = append(is, "Exploded")
		case 'i':
			is = append(is, "Value Promoted from Box")
		case 's':
			is = append(is, "Stack Promoted from Box")
		default:
			return nil
		}
		if len(is) > 0 {
			if p.eat('G') {
				is = append(is, "Owned To Guaranteed")
			}
			if p.eat('O') {
				is = append(is, "Guaranteed To Owned")
			}
			if p.eat('X') {
				is = append(is, "Exploded")
			}
		}
		where := "Arg[" + strconv.Itoa(len(changes)) + "] = "
		if done {
			where = "Return = "
		}
		changes = append(changes, change{where, strings.Join(is, " and "), kind})
	}
	// What stands in place of parameters stands before, the first one first.
	for i := len(changes) - 1; i >= 0; i-- {
		c := &changes[i]
		if c.kind == 0 {
			continue
		}
		var types []*node
		for t := p.popType(); c.kind == 'c' && t != nil; t = p.popType() {
			types = append(types, t)
		}
		name := p.pop("identifier")
		if name == nil {
			return nil
		}
		text := strings.TrimPrefix(name.text, "_")
		if !Is(text) {
			text = name.text
		}
		if c.kind == 'f' {
			if plain, ok := demangle(text, p.sugar); ok {
				text = plain
			}
			c.what = "[Constant Propagated Function : " + text + "]"
			continue
		}
		slices.Reverse(types)
		w := &printer{sugar: p.sugar}
		w.join(types, ", ")
		if w.failed {
			return nil
		}
		c.what = "[Closure Propagated : " + text + ", Argument Types : [" + w.b.String() + "]"
	}
	var args []string
	if serialized {
		args = append(args, "serialized")
	}
	for _, c := range changes {
		if c.what != "" {
			args = append(args, c.where+c.what)
		}
	}
	n.text += " <" + strings.Join(args, ", ") + "> of "
	return n
}

// outlined are operations on values that have functions of their own.
var outlined = map[byte]string{
	'y': "outlined copy of ", 'e': "outlined consume of ", 'r': "outlined retain of ", 's': "outlined release of ", 'b': "outlined init with take of ",
	'B': "outlined init with take of ", 'c': "outlined init with copy of ", 'C': "outlined init with copy of ", 'd': "outlined assign with take of ",
	'D': "outlined assign with take of ", 'f': "outlined assign with copy of ", 'F': "outlined assign with copy of ", 'h': "outlined destroy of ",
	'H': "outlined destroy of ", 'i': "outlined enum tag store of ", 'j': "outlined enum project data of ", 'g': "outlined enum get tag of ",
}

func (p *parser) witness() *node {
	switch c := p.next(); c {
	case 'P':
		return p.about("protocol witness table for ", p.protocolConformance())
	case 'p':
		return p.about("protocol witness table pattern for ", p.protocolConformance())
	case 'a':
		return p.about("protocol witness table accessor for ", p.protocolConformance())
	case 'G':
		return p.about("generic protocol witness table for ", p.protocolConformance())
	case 'I':
		return p.about("instantiation function for generic protocol witness table for ", p.protocolConformance())
	case 'S':
		return p.about("protocol self-conformance witness table for ", p.protocol())
	case 'V':
		return p.about("value witness table for ", p.popType())
	case 'C':
		return p.about("enum case for ", p.popEntity())
	case 'v':
		text := map[byte]string{'d': "direct field offset for ", 'i': "indirect field offset for "}[p.next()]
		if text == "" {
			return nil
		}
		return p.about(text, p.popEntity())
	case 'l', 'L':
		conf := p.pop("any conformance")
		if conf != nil {
			return nil
		}
		conf = p.protocolConformance()
		t := p.popType()
		n := p.make("lazy witness table", t, conf)
		if n != nil {
			n.text = map[byte]string{'l': "lazy protocol witness table accessor for type ", 'L': "lazy protocol witness table cache variable for type "}[c]
		}
		return n
	case 'T':
		proto := p.protocol()
		var names []*node
		for {
			first := p.pop("first") != nil
			name := p.memberName()
			if name == nil {
				return nil
			}
			names = append(names, p.memberOf(name))
			if first {
				break
			}
		}
		slices.Reverse(names)
		n := p.make("accessor for", append([]*node{proto, p.protocolConformance()}, names...)...)
		if n != nil {
			n.text = "associated type witness table accessor for "
		}
		return n
	case 'b':
		proto := p.protocol()
		n := p.make("in", proto, p.protocolConformance())
		if n != nil {
			n.text = "base witness table accessor for "
		}
		return n
	case 't':
		name := p.pop("identifier")
		n := p.make("in", name, p.protocolConformance())
		if n != nil {
			n.text = "associated type metadata accessor for "
		}
		return n
	case 'O':
		text := outlined[p.next()]
		if text == "" {
			return nil
		}
		sig := p.pop("signature of generics")
		n := p.about(text, p.popType())
		if n != nil && sig != nil {
			n.kids = append(n.kids, sig)
		}
		return n
	case 'Z', 'z':
		var names []*node
		for p.pop("first") != nil {
			name := p.declName()
			if name == nil {
				return nil
			}
			names = append(names, name)
		}
		n := p.make("globals", append([]*node{p.context()}, names...)...)
		if n != nil {
			n.text = map[byte]string{'Z': "one-time initialization function for ", 'z': "one-time initialization token for "}[c]
		}
		return n
	}
	return nil
}

// metas are the operators behind M that are about a type.
var metas = map[byte]string{
	'a': "type metadata accessor for ", 'A': "", 'f': "full type metadata for ", 'P': "generic type metadata pattern for ", 'L': "lazy cache variable for type metadata for ",
	'l': "type metadata singleton initialization cache for ", 'r': "type metadata completion function for ", 'i': "type metadata instantiation function for ",
	'I': "type metadata instantiation cache for ", 'm': "metaclass for ", 'n': "nominal type descriptor for ", 'u': "method lookup function for ",
	'U': "ObjC metadata update function for ", 's': "ObjC resilient class stub for ", 't': "full ObjC resilient class stub for ", 'o': "class metadata base offset for ",
	'F': "reflection metadata field descriptor ", 'B': "reflection metadata builtin descriptor ", 'C': "reflection metadata superclass descriptor ",
	'D': "demangling cache variable for type metadata for ", 'N': "noncanonical specialized generic type metadata for ",
	'b': "canonical specialized generic type metadata accessor for ", 'M': "canonical specialized generic metaclass for ",
}

func (p *parser) metadata() *node {
	c := p.next()
	switch c {
	case 'p':
		return p.about("protocol descriptor for ", p.protocol())
	case 'S':
		return p.about("protocol self-conformance descriptor for ", p.protocol())
	case 'c':
		return p.about("protocol conformance descriptor for ", p.protocolConformance())
	case 'A':
		return p.about("reflection metadata associated type descriptor ", p.protocolConformance())
	case 'Q':
		return p.about("opaque type descriptor for ", p.pop("opaque of"))
	case 'K':
		return p.about("metadata instantiation cache for ", p.any())
	case 'V':
		return p.about("property descriptor for ", p.popEntity())
	case 'X':
		switch p.next() {
		case 'M':
			if n := p.pop("identifier"); n != nil {
				return p.about("module descriptor ", &node{kind: "module", text: n.text})
			}
			return p.about("module descriptor ", p.pop("module"))
		case 'E':
			return p.about("extension descriptor ", p.context())
		case 'X':
			return p.about("anonymous descriptor ", p.context())
		}
		return nil
	}
	if text := metas[c]; text != "" {
		return p.about(text, p.popType())
	}
	return nil
}

var valueWitnesses = map[string]string{
	"al": "allocateBuffer", "ca": "assignWithCopy", "ta": "assignWithTake", "de": "deallocateBuffer", "xx": "destroy", "XX": "destroyBuffer", "Xx": "destroyArray",
	"CP": "initializeBufferWithCopyOfBuffer", "Cp": "initializeBufferWithCopy", "cp": "initializeWithCopy", "TK": "initializeBufferWithTakeOfBuffer",
	"Tk": "initializeBufferWithTake", "tk": "initializeWithTake", "pr": "projectBuffer", "xs": "storeExtraInhabitant", "xg": "getExtraInhabitantIndex",
	"Cc": "initializeArrayWithCopy", "Tt": "initializeArrayWithTakeFrontToBack", "tT": "initializeArrayWithTakeBackToFront", "ug": "getEnumTag",
	"up": "destructiveProjectEnumData", "ui": "destructiveInjectEnumTag", "et": "getEnumTagSinglePayload", "st": "storeEnumTagSinglePayload",
}

func (p *parser) valueWitness() *node {
	name := valueWitnesses[string([]byte{p.next(), p.next()})]
	if name == "" {
		return nil
	}
	return p.about(name+" value witness for ", p.popType())
}
