package swift

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// printer writes nodes.
type printer struct {
	b      strings.Builder
	sugar  bool
	depth  int
	failed bool
}

func (w *printer) write(list ...string) {
	for _, s := range list {
		if w.b.Len()+len(s) > maxText {
			w.failed = true
			return
		}
		w.b.WriteString(s)
	}
}

func (w *printer) join(list []*node, between string) {
	for i, n := range list {
		if i > 0 {
			w.write(between)
		}
		w.print(n)
	}
}

// paramName is how a parameter of generics is called.
func paramName(depth, index int) string {
	var out []byte
	for {
		out = append(out, byte('A'+index%26))
		if index /= 26; index == 0 {
			break
		}
	}
	if depth > 0 {
		return string(out) + strconv.Itoa(depth)
	}
	return string(out)
}

func (w *printer) print(n *node) {
	if n == nil || w.failed || w.depth > maxDepth {
		w.failed = true
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.kind {
	case "global":
		w.global(n)
	case "suffix":
		w.write(" with unmangled suffix ", strconv.Quote(n.text))
	case "attribute":
		w.write(n.text)
		if len(n.kids) > 0 {
			w.write(" <")
			w.join(n.kids, ", ")
			w.write("> of ")
		}
	case "about":
		w.write(n.text)
		w.join(n.kids, "")
	case "typeMangling":
		w.print(n.kid(0))
	case "module", "identifier", "operator", "label", "builtin", "param", "some", "error":
		w.write(n.text)
	case "local":
		w.print(n.kid(0))
		w.write(" #", strconv.Itoa(n.n+1))
	case "related":
		w.write("related decl '", n.text, "' for ")
		w.print(n.kid(0))
	case "private":
		if len(n.kids) == 1 {
			w.write("(in ")
			w.print(n.kid(0))
		} else {
			w.write("(")
			w.print(n.kid(1))
			w.write(" in ")
			w.print(n.kid(0))
		}
		w.write(")")
	case "extension":
		w.write("(extension in ")
		w.print(n.kid(0))
		w.write("):")
		w.print(n.kid(1))
		if len(n.kids) > 2 {
			w.print(n.kid(2))
		}
	case "witness":
		w.write("protocol witness for ")
		w.print(n.kid(0))
		w.write(" in conformance ")
		w.print(n.kid(1))
	case "vtable thunk":
		w.write("vtable thunk for ")
		w.print(n.kid(1))
		w.write(" dispatching to ")
		w.print(n.kid(0))
	case "conforms":
		if len(n.kids) > 3 {
			w.print(n.kid(3))
			w.write(" ")
		}
		w.print(n.kid(0))
		w.write(" : ")
		w.print(n.kid(1))
		w.write(" in ")
		w.print(n.kid(2))
	case "reabstraction":
		w.write(n.text)
		if len(n.kids) > 2 {
			w.print(n.kid(2))
			w.write(" ")
		}
		w.write("from ")
		w.print(n.kid(1))
		w.write(" to ")
		w.print(n.kid(0))
	case "lazy witness table":
		w.write(n.text)
		w.print(n.kid(0))
		w.write(" and conformance ")
		w.print(n.kid(1))
	case "accessor for":
		w.write(n.text)
		w.join(n.kids[2:], ".")
		w.write(" : ")
		w.print(n.kid(0))
		w.write(" in ")
		w.print(n.kid(1))
	case "requires":
		w.write(n.text)
		w.print(n.kid(0))
		w.write(": ")
		w.print(n.kid(1))
	case "in":
		w.write(n.text)
		w.print(n.kid(0))
		w.write(" in ")
		w.print(n.kid(1))
	case "globals":
		w.write(n.text)
		w.join(n.kids[1:], ", ")
	case "key path":
		w.keyPath(n)
	default:
		if !w.entity(n) && !w.typed(n) {
			w.failed = true
		}
	}
}

func (w *printer) global(n *node) {
	for i, k := range n.kids {
		if k.kind == "attribute" && strings.HasPrefix(k.text, "partial apply") && (i == len(n.kids)-1 || n.kids[i+1].kind == "suffix") {
			w.write(strings.TrimSuffix(k.text, " for "))
			continue
		}
		w.print(k)
	}
}

func (w *printer) keyPath(n *node) {
	w.write(n.text)
	w.print(n.kid(0))
	w.write(" : ")
	rest := n.kids[1:]
	if sig := n.child("signature of generics"); sig != nil {
		w.print(sig)
		rest = rest[:len(rest)-1]
	}
	w.join(rest, ", ")
	if n.n == 1 {
		w.write(", serialized")
	}
}

// typed writes a type; false for what is none.
func (w *printer) typed(n *node) bool {
	switch n.kind {
	case "bound":
		w.bound(n)
	case "tuple":
		w.write("(")
		w.join(n.kids, ", ")
		w.write(")")
	case "tuple of types":
		w.write("(")
		w.join(n.kids, ", ")
		w.write(")")
	case "element":
		if l := n.child("label"); l != nil {
			w.write(l.text, ": ")
		}
		w.print(n.kid(0))
		if n.child("variadic") != nil {
			w.write("...")
		}
	case "inout":
		w.write("inout ")
		w.print(n.kid(0))
	case "shared":
		w.write("__shared ")
		w.print(n.kid(0))
	case "owned":
		w.write("__owned ")
		w.print(n.kid(0))
	case "with words":
		w.write(n.text)
		w.print(n.kid(0))
	case "dynamic self":
		w.write("Self")
	case "metatype", "existential metatype":
		w.write(n.text)
		w.simple(n.kid(0))
		if n.kind == "metatype" && n.kid(0).kind == "protocols" {
			w.write(".Protocol")
		} else {
			w.write(".Type")
		}
	case "protocols":
		var list []*node
		if len(n.kids) > 1 {
			list = append(list, n.kids[1])
		}
		list = append(list, n.kids[0].kids...)
		if n.text != "" {
			list = append(list, &node{kind: "identifier", text: n.text})
		}
		if len(list) == 0 {
			w.write("Any")
		}
		w.join(list, " & ")
	case "member":
		w.print(n.kid(0))
		w.write(".")
		w.print(n.kid(1))
	case "member name":
		if len(n.kids) > 1 {
			w.print(n.kid(1))
			w.write(".")
		}
		w.print(n.kid(0))
	case "path":
		w.join(n.kids, ".")
	case "opaque":
		w.print(n.kid(0))
		w.write(".", strconv.Itoa(n.n))
	case "opaque of":
		w.write("<<opaque return type of ")
		w.print(n.kid(0))
		w.write(">>")
	case "expansion":
		w.write("repeat ")
		w.print(n.kid(0))
	case "generic":
		w.print(n.kid(0))
		if !slices.Contains(functions, n.kid(1).kind) {
			w.write(" ")
		}
		w.print(n.kid(1))
	case "signature of generics":
		w.signature(n)
	case "pseudogeneric":
		w.write("@pseudogeneric ")
		w.print(n.kid(0))
	case "requirement":
		w.print(n.kid(0))
		w.write(n.text)
		w.print(n.kid(1))
	case "impl":
		w.impl(n)
	case "impl param", "impl result", "impl yield":
		w.write(n.text, " ")
		w.print(n.kid(0))
	default:
		if !slices.Contains(functions, n.kind) {
			return false
		}
		w.function(n, nil)
	}
	return true
}

// isSimple reports whether a type can stand in front of a sign without parentheses.
func isSimple(n *node) bool {
	switch n.kind {
	case "impl", "with words", "inout", "generic", "opaque":
		return false
	case "protocols":
		return len(n.kids) == 1 && len(n.kids[0].kids) <= 1 && (n.text == "" || len(n.kids[0].kids) == 0)
	}
	return !slices.Contains(functions, n.kind)
}

func (w *printer) simple(n *node) {
	if isSimple(n) {
		w.print(n)
		return
	}
	w.write("(")
	w.print(n)
	w.write(")")
}

// swiftName is the name of a type of the standard library; "" for others.
func swiftName(n *node) string {
	if len(n.kids) == 2 && n.kids[0].kind == "module" && n.kids[0].text == "Swift" && n.kids[1].kind == "identifier" {
		return n.kids[1].text
	}
	return ""
}

func (w *printer) bound(n *node) {
	t, args := n.kid(0), n.kid(1).kids
	if w.sugar {
		switch name := swiftName(t); {
		case name == "Optional" && t.kind == "O" && len(args) == 1:
			w.simple(args[0])
			w.write("?")
			return
		case name == "Array" && len(args) == 1:
			w.write("[")
			w.print(args[0])
			w.write("]")
			return
		case name == "Dictionary" && len(args) == 2:
			w.write("[")
			w.print(args[0])
			w.write(" : ")
			w.print(args[1])
			w.write("]")
			return
		}
	}
	w.print(t)
	w.write("<")
	w.join(args, ", ")
	w.write(">")
}

func (w *printer) signature(n *node) {
	depth := 0
	packs := map[string]bool{}
	var reqs []*node
	for _, k := range n.kids {
		switch k.kind {
		case "pack":
			packs[k.kids[0].text] = true
		case "requirement":
			reqs = append(reqs, k)
		}
	}
	counts := 0
	for _, k := range n.kids {
		if k.kind == "count" {
			counts++
		}
	}
	w.write("<")
	for _, k := range n.kids {
		if k.kind != "count" {
			continue
		}
		if depth > 0 {
			w.write("><")
		}
		for i := range k.n {
			if i > 0 {
				w.write(", ")
			}
			if i >= 128 {
				w.write("...")
				break
			}
			name := paramName(depth, i)
			if packs[name] {
				w.write("each ")
			}
			w.write(name)
		}
		depth++
	}
	if len(reqs) > 0 {
		w.write(" where ")
		w.join(reqs, ", ")
	}
	w.write(">")
}

func (w *printer) impl(n *node) {
	if sig := n.kids; len(sig) > 0 {
		if last := sig[len(sig)-1]; last.kind == "signature of generics" || last.kind == "pseudogeneric" {
			defer func(kids []*node) { n.kids = kids }(n.kids)
			w.write(n.text)
			w.print(last)
			w.write(" ")
			n.kids = sig[:len(sig)-1]
			w.implTypes(n)
			return
		}
	}
	w.write(n.text)
	w.implTypes(n)
}

func (w *printer) implTypes(n *node) {
	var params, results []*node
	for _, k := range n.kids {
		if k.kind == "impl param" {
			params = append(params, k)
		} else {
			results = append(results, k)
		}
	}
	w.write("(")
	w.join(params, ", ")
	w.write(") -> ")
	if n.n == 1 {
		w.write("sending ")
	}
	w.write("(")
	w.join(results, ", ")
	w.write(")")
}

// function writes the type of a function, with the labels of its parameters.
func (w *printer) function(n, labels *node) {
	switch n.kind {
	case "thin":
		w.write("@convention(thin) ")
	case "autoclosure":
		w.write("@autoclosure ")
	case "escaping autoclosure":
		w.write("@escaping @autoclosure ")
	case "block":
		w.write("@convention(block) ")
	case "escaping block":
		w.write("@escaping @convention(block) ")
	case "c":
		w.write("@convention(c) ")
	}
	if d := n.child("differentiable"); d != nil {
		w.write("@differentiable", d.text, " ")
	}
	if a := n.child("actor"); a != nil {
		w.write("@")
		w.print(a.kid(0))
		w.write(" ")
	}
	if n.child("isolated any") != nil {
		w.write("@isolated(any) ")
	}
	if n.child("nonsending") != nil {
		w.write("nonisolated(nonsending) ")
	}
	if n.child("sendable") != nil {
		w.write("@Sendable ")
	}
	w.params(n.kid(0), labels)
	if n.child("async") != nil {
		w.write(" async")
	}
	if n.child("throws") != nil {
		w.write(" throws")
	}
	if t := n.child("throws type"); t != nil {
		w.write(" throws(")
		w.print(t.kid(0))
		w.write(")")
	}
	w.write(" -> ")
	if n.child("sending result") != nil {
		w.write("sending ")
	}
	w.print(n.kid(1))
}

func (w *printer) params(t, labels *node) {
	label := func(i int) {
		if labels == nil || len(labels.kids) == 0 {
			return
		}
		if l := labels.kid(i); l != nil && l.kind == "identifier" {
			w.write(l.text, ": ")
		} else {
			w.write("_: ")
		}
	}
	w.write("(")
	if t.kind != "tuple" {
		label(0)
		w.print(t)
	}
	for i, e := range t.kids {
		if t.kind != "tuple" {
			break
		}
		if i > 0 {
			w.write(", ")
		}
		label(i)
		w.print(e)
	}
	w.write(")")
}

// punycode decodes an identifier with letters beyond ASCII: letters a to z and A to J are digits.
func punycode(s string) (string, bool) {
	var out []rune
	if i := strings.LastIndexByte(s, '_'); i >= 0 {
		out = []rune(s[:i])
		s = s[i+1:]
	}
	n, i, bias := 128, 0, 72
	for at := 0; at < len(s); {
		was, weight := i, 1
		for k := 36; ; k += 36 {
			if at >= len(s) {
				return "", false
			}
			c := s[at]
			at++
			var digit int
			switch {
			case c >= 'a' && c <= 'z':
				digit = int(c - 'a')
			case c >= 'A' && c <= 'J':
				digit = int(c-'A') + 26
			default:
				return "", false
			}
			if i += digit * weight; i > 1<<30 || i < 0 {
				return "", false
			}
			t := min(max(k-bias, 1), 26)
			if digit < t {
				break
			}
			if weight *= 36 - t; weight > 1<<30 {
				return "", false
			}
		}
		size := len(out) + 1
		delta := (i - was) / 2
		if was == 0 {
			delta = i / 700
		}
		delta += delta / size
		k := 0
		for delta > 455 {
			delta /= 35
			k += 36
		}
		bias = k + 36*delta/(delta+38)
		n += i / size
		i %= size
		r := rune(n)
		if n >= 0xd800 && n < 0xd880 { // what is no letter of identifiers stands there for ASCII
			r = rune(n - 0xd800)
		}
		if n > utf8.MaxRune || len(out) > maxMangled {
			return "", false
		}
		out = slices.Insert(out, i, r)
		i++
	}
	return string(out), true
}
