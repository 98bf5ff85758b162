package swift

import (
	"slices"
	"strconv"
	"strings"
)

// look is how an entity is written.
type look struct {
	name  bool   // it has a name, its second child
	over  string // in place of a name
	extra string // behind the name, or instead of one
	index string // behind extra
	typ   *node  // nil = is not written
	colon bool   // the type is written behind a colon
}

// lookOf says how an entity is written; false for what is none.
func lookOf(n *node) (l look, ok bool) {
	switch n.kind {
	case "C", "V", "O", "P", "a", "otherNominal":
		return look{name: true}, true
	case "func":
		return look{name: true, typ: n.kid(2)}, true
	case "variable":
		return look{name: true, typ: n.kid(2), colon: true}, true
	case "subscript":
		return look{over: "subscript", typ: n.kid(1)}, true
	case "accessor":
		l, ok := lookOf(n.kid(0))
		if !ok {
			return l, false
		}
		l.extra, l.colon = n.text, true
		return l, true
	case "closure":
		return look{extra: "closure #", index: strconv.Itoa(n.n + 1), typ: n.kid(1)}, true
	case "implicit":
		return look{extra: "implicit closure #", index: strconv.Itoa(n.n + 1), typ: n.kid(1)}, true
	case "allocator":
		name := "init"
		if in := n.kid(0); in.kind == "C" || in.kind == "bound" && in.kid(0).kind == "C" {
			name = "__allocating_init"
		}
		return look{extra: name, typ: n.kid(1)}, true
	case "init":
		return look{extra: "init", typ: n.kid(1)}, true
	case "dealloc":
		return look{extra: "__deallocating_deinit"}, true
	case "deinit":
		return look{extra: "deinit"}, true
	case "ivarDestroyer":
		return look{extra: "__ivar_destroyer"}, true
	case "ivarInit":
		return look{extra: "__ivar_initializer"}, true
	case "initializer":
		return look{extra: "variable initialization expression"}, true
	case "wrapperInit":
		return look{extra: "property wrapper backing initializer"}, true
	case "wrapperFrom":
		return look{extra: "property wrapper init from projected value"}, true
	case "default":
		return look{extra: "default argument ", index: strconv.Itoa(n.n)}, true
	}
	return look{}, false
}

// entity writes what was declared; false for what is none.
func (w *printer) entity(n *node) bool {
	if n.kind == "static" {
		w.write("static ")
		w.print(n.kid(0))
		return true
	}
	_, ok := lookOf(n)
	if ok {
		w.declared(n, false)
	}
	return ok
}

// declared writes an entity. As the prefix of another one it may be that it has to stand behind that: it is then returned, and nothing is written.
func (w *printer) declared(n *node, prefix bool) (behind *node) {
	if w.depth++; w.depth > maxDepth {
		w.failed = true
	}
	defer func() { w.depth-- }()
	if w.failed {
		return nil
	}
	switch n.kind {
	case "module", "extension", "bound":
		w.print(n)
		return nil
	case "static":
		if prefix {
			return n
		}
		w.print(n)
		return nil
	}
	l, ok := lookOf(n)
	if !ok {
		w.failed = true
		return nil
	}
	of := n
	if n.kind == "accessor" {
		of = n.kid(0)
	}
	words := strings.Contains(l.extra, " ") || l.name && of.kid(1).kind == "local"
	if prefix && (l.typ != nil || words) {
		return n
	}
	in := of.kid(0)
	if in == nil {
		w.failed = true
		return nil
	}
	if words {
		behind = in
	} else {
		at := w.b.Len()
		behind = w.declared(in, true)
		if w.b.Len() > at {
			w.write(".")
		}
	}
	private := of.child("private")
	if l.name || l.over != "" {
		if l.extra != "" && words {
			w.write(l.extra, l.index, " of ")
			l.extra, l.index = "", ""
		}
		at := w.b.Len()
		if l.over != "" {
			w.write(l.over)
		} else {
			w.print(of.kid(1))
		}
		if w.b.Len() > at && l.extra != "" {
			w.write(".")
		}
	} else if private != nil && len(private.kids) == 1 && n.kind == "init" {
		w.print(private)
		w.write(".")
	}
	w.write(l.extra, l.index)
	w.typeOfEntity(of, l, words)
	if !prefix && behind != nil {
		if slices.Contains([]string{"default", "initializer", "wrapperInit", "wrapperFrom"}, n.kind) {
			w.write(" of ")
		} else {
			w.write(" in ")
		}
		w.print(behind)
		behind = nil
	}
	return behind
}

// typeOfEntity writes the type of an entity: that of a function without a colon.
func (w *printer) typeOfEntity(n *node, l look, words bool) {
	if l.typ == nil {
		return
	}
	labels := n.child("labels")
	t := l.typ
	for t.kind == "generic" {
		if t = t.kid(1); t == nil {
			w.failed = true
			return
		}
	}
	if l.colon || !slices.Contains(functions, t.kind) {
		w.write(" : ")
	} else if words {
		w.write(" ")
	}
	t = l.typ
	for t.kind == "generic" {
		w.print(t.kid(0))
		t = t.kid(1)
		if !slices.Contains(functions, t.kind) && t.kind != "generic" {
			w.write(" ")
		}
	}
	if slices.Contains(functions, t.kind) {
		w.function(t, labels)
		return
	}
	w.print(t)
}
