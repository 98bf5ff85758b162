package filter

import (
	"fmt"
	"math"
	"strings"
)

// Type is what a column holds. NULL is nothing.
type Type uint8

// The column types.
const (
	Text    Type = iota + 1 // VARCHAR
	Number                  // DOUBLE, without NaN
	Integer                 // whole numbers of up to 64 bits; compared as doubles, unless the operand is whole too
	Bool                    // BOOLEAN
	JSON                    // any value as the dialect's JSON type; JSON null is nothing
	List                    // a list of the values of Column.Elements that rows have; nothing where a row has none
)

// Column is where the value of a path stands.
type Column struct {
	// Expr is a SQL expression that goes into the statement as it is, in
	// parentheses where needed, perhaps several times. It comes from the schema of an app's
	// properties, never from a filter.
	Expr string
	Type Type
	// Elements are what lists of the type List may hold, in their order; Expr is not used.
	Elements []Element
	// Object is the text of the JSON object that a column of the type JSON is the member Key of, as Go writes it; "" = unknown.
	Object, Key string
}

// Element is a value that the lists of a column may hold.
type Element struct {
	Value any // string or bool
	// Holds is the condition that a list holds the value, in parentheses and never NULL, with the arguments of its placeholders, which
	// are "?".
	Holds string
	Args  []any
}

// Columns finds the column of a path. A path without a column is one where
// no row has anything.
type Columns func(path string) (Column, bool)

// Dialect writes what differs between databases. The SQL that it is given
// holds no placeholders, but for what the function given to AnyOf returns, and may
// be repeated.
type Dialect interface {
	// Contains is the condition that the RE2 expression in the placeholder is
	// found in text; NULL if text is NULL. placeholder must appear once.
	Contains(text, placeholder string) string

	// TextOf, NumberOf and BoolOf are a JSON value as VARCHAR, DOUBLE and
	// BOOLEAN; NULL if it has another type.
	TextOf(json string) string
	NumberOf(json string) string
	BoolOf(json string) string
	// IsNull is the condition that the value is NULL or JSON null; never NULL.
	IsNull(json string) string
	// SizeOf is the number of elements of an array; NULL if it is none.
	SizeOf(json string) string
	// AnyOf is the condition that cond holds of an element; false if json is no
	// array; never NULL. cond gets the SQL of the element and is called once; what it
	// returns appears once.
	AnyOf(json string, cond func(element string) string) string
}

// Operands is what a Dialect implements, too, when its placeholders are not "?" or its database does not
// take texts, expressions and types as the others do.
type Operands interface {
	// Placeholder is that of the n-th argument, from 1.
	Placeholder(n int) string
	// Operand is the form in which a text is compared, and Pattern that of a RE2 expression.
	Operand(text string) string
	Pattern(re2 string) string
	// Double is a whole number as DOUBLE.
	Double(integer string) string
}

// Parts is what a Dialect implements, too, whose database finds a part of a text in less time than a member of a JSON object.
type Parts interface {
	// Part is the condition that a text has the part that is the argument of a placeholder.
	Part(text, placeholder string) string
	// Flat is the condition that no value of the JSON object of a text is an object, nor has one in it. It may be false of some that are flat.
	Flat(object string) string
}

// plain is the form of the operands of most dialects.
type plain struct{}

func (plain) Placeholder(int) string       { return "?" }
func (plain) Operand(text string) string   { return text }
func (plain) Pattern(re2 string) string    { return re2 }
func (plain) Double(integer string) string { return "CAST(" + integer + " AS DOUBLE)" }

// SQL returns the filter as a condition for WHERE and the arguments of its
// placeholders, "?" unless the dialect has Operands. The condition is never NULL, so it may be negated and combined at will.
func (e Expr) SQL(d Dialect, columns Columns) (where string, args []any) {
	w := writer{dialect: d, operands: plain{}, columns: columns}
	if own, ok := d.(Operands); ok {
		w.operands = own
	}
	return w.node(e.root), w.args
}

const (
	always = "TRUE"
	never  = "FALSE"
)

// writer makes SQL and collects the arguments in the order of their
// placeholders; so each piece is made where it stands in the text.
type writer struct {
	dialect  Dialect
	operands Operands
	columns  Columns
	args     []any
	// element is the SQL of the array's element that conditions ask while inside $elemMatch.
	element string
}

func (w *writer) bind(arg any) string {
	if text, ok := arg.(string); ok {
		arg = w.operands.Operand(text)
	}
	w.args = append(w.args, arg)
	return w.operands.Placeholder(len(w.args))
}

func (w *writer) node(n node) string {
	switch n := n.(type) {
	case nil:
		return always
	case *not:
		return "(NOT " + w.node(n.part) + ")"
	case *group:
		if len(n.parts) == 0 {
			return never
		}
		parts := make([]string, len(n.parts))
		for i, p := range n.parts {
			parts[i] = w.node(p)
		}
		if n.any {
			return joined(" OR ", parts)
		}
		return joined(" AND ", parts)
	case *cond:
		return w.cond(n)
	default:
		panic(fmt.Sprintf("filter: node of type %T", n))
	}
}

// joined joins conditions; none at all is never.
func joined(operator string, parts []string) string {
	switch len(parts) {
	case 0:
		return never
	case 1:
		return parts[0]
	default:
		return "(" + strings.Join(parts, operator) + ")"
	}
}

func (w *writer) cond(c *cond) string {
	if w.element != "" {
		return w.scalar(c, w.element)
	}
	col, ok := w.columns(c.path)
	if !ok {
		if c.op == opIn && c.wants(null) {
			return always
		}
		return never
	}
	switch col.Type {
	case JSON:
		if parts, ok := w.dialect.(Parts); ok && col.Object != "" && simple(col.Key) && c.texts() {
			return w.member(parts, c, col)
		}
		return w.json(c, col.Expr)
	case List:
		return w.list(c, col.Elements)
	default:
		return w.typed(c, col)
	}
}

// wants reports whether a value of the kind is in the list.
func (c *cond) wants(k kind) bool {
	for _, v := range c.values {
		if v.kind == k {
			return true
		}
	}
	return false
}

// typed asks a column that holds values of one type.
func (w *writer) typed(c *cond, col Column) string {
	x := "(" + col.Expr + ")"
	switch c.op {
	case opExists:
		return "(" + x + " IS NOT NULL)"
	case opIn:
		var parts []string
		if c.wants(null) {
			parts = append(parts, "("+x+" IS NULL)")
		}
		if equal := w.equal(x, col.Type, c.equals); equal != "" {
			parts = append(parts, known(x, equal))
		}
		return joined(" OR ", parts)
	case opGt, opGte, opLt, opLte:
		if order := w.order(x, col.Type, c); order != "" {
			return known(x, order)
		}
		return never
	case opRegex:
		if col.Type != Text {
			return never
		}
		return known(x, w.contains(x, c.re))
	case opSize, opElem: // there are no arrays in such a column
		return never
	default:
		panic("filter: unknown condition")
	}
}

// known keeps a condition on x from being NULL.
func known(x, condition string) string {
	return "(" + x + " IS NOT NULL AND " + condition + ")"
}

// maxParts is how many texts a member is compared with as parts of its object.
const maxParts = 16

// texts reports whether a condition is that a value is one of a few simple texts.
func (c *cond) texts() bool {
	if c.op != opIn || len(c.values) == 0 || len(c.values) > maxParts {
		return false
	}
	for _, v := range c.equals {
		if v.kind != text || !simple(v.s) {
			return false
		}
	}
	return true
}

// simple reports whether a text stands in JSON as it is, whatever wrote that: no writer that is not out to hide it escapes letters, digits and these signs.
func simple(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.Contains(" _-.:@+", string(c)) {
			return false
		}
	}
	return s != ""
}

// member asks whether a member of an object is one of some simple texts. Nearly all objects tell it by their text: one without the text in quotation marks
// has no such value, and one with the member as it is written has it, if it is flat, because an object has quotation marks behind its brace or a comma
// only where a key begins. Others, as those with lists, are looked into.
func (w *writer) member(parts Parts, c *cond, col Column) string {
	object := "(" + col.Object + ")"
	anywhere := make([]string, len(c.values))
	for i, v := range c.values {
		anywhere[i] = parts.Part(object, w.bind(`"`+v.s+`"`))
	}
	var written []string
	for _, v := range c.values {
		for _, before := range []string{"{", ","} {
			written = append(written, parts.Part(object, w.bind(before+`"`+col.Key+`":"`+v.s+`"`)))
		}
	}
	return "CASE WHEN NOT " + joined(" OR ", anywhere) + " THEN FALSE WHEN " + joined(" OR ", written) + " AND " + parts.Flat(object) + " THEN TRUE ELSE " + w.json(c, col.Expr) + " END"
}

// json asks a column of any type, as a whole and by its elements.
func (w *writer) json(c *cond, expr string) string {
	x := "(" + expr + ")"
	switch c.op {
	case opExists:
		return "(NOT " + w.dialect.IsNull(x) + ")"
	case opSize:
		return "coalesce(" + w.dialect.SizeOf(x) + " = " + w.bind(int64(c.size)) + ", FALSE)"
	case opElem:
		return w.dialect.AnyOf(x, func(element string) string {
			w.element = element
			defer func() { w.element = "" }()
			return w.node(c.elem)
		})
	case opIn, opGt, opGte, opLt, opLte, opRegex:
		whole := w.scalar(c, x)
		if whole == never {
			return never // of no value at all
		}
		return "(" + whole + " OR " + w.dialect.AnyOf(x, func(element string) string { return w.scalar(c, element) }) + ")"
	default:
		panic("filter: unknown condition")
	}
}

// list asks a column of lists: those are decided on here.
func (w *writer) list(c *cond, elements []Element) string {
	holding := func(wanted func(Element) bool) string {
		var parts []string
		for _, e := range elements {
			if wanted(e) {
				w.args = append(w.args, e.Args...)
				parts = append(parts, e.Holds)
			}
		}
		return joined(" OR ", parts)
	}
	all := func(Element) bool { return true }
	switch c.op {
	case opExists:
		return holding(all)
	case opSize:
		if c.size == 0 || len(elements) == 0 {
			return never // who has no element has no list
		}
		var parts []string
		for _, e := range elements {
			w.args = append(w.args, e.Args...)
			parts = append(parts, "CASE WHEN "+e.Holds+" THEN 1 ELSE 0 END")
		}
		return "((" + strings.Join(parts, " + ") + ") = " + w.bind(int64(c.size)) + ")"
	case opElem:
		return holding(func(e Element) bool {
			return c.elem.match(func(string) (any, bool) { return element{e.Value}, true })
		})
	case opIn, opGt, opGte, opLt, opLte, opRegex:
		has := holding(func(e Element) bool { return c.scalar(e.Value) })
		if c.op == opIn && c.wants(null) {
			return "(" + has + " OR NOT " + holding(all) + ")"
		}
		return has
	default:
		panic("filter: unknown condition")
	}
}

// scalar asks a JSON value that is not entered if it is an array.
func (w *writer) scalar(c *cond, x string) string {
	var parts []string
	add := func(condition string) {
		if condition != "" {
			parts = append(parts, "coalesce("+condition+", FALSE)")
		}
	}
	switch c.op {
	case opIn:
		if c.wants(null) {
			parts = append(parts, w.dialect.IsNull(x))
		}
		add(w.equal(w.dialect.TextOf(x), Text, c.equals))
		add(w.equal(w.dialect.NumberOf(x), Number, c.equals))
		add(w.equal(w.dialect.BoolOf(x), Bool, c.equals))
	case opGt, opGte, opLt, opLte:
		add(w.order(w.dialect.TextOf(x), Text, c))
		add(w.order(w.dialect.NumberOf(x), Number, c))
	case opRegex:
		add(w.contains(w.dialect.TextOf(x), c.re))
	case opExists, opSize, opElem: // the parser leaves none on elements
	}
	return joined(" OR ", parts)
}

func (w *writer) contains(x string, re *pattern) string {
	w.args = append(w.args, w.operands.Pattern(re.full))
	return w.dialect.Contains(x, w.operands.Placeholder(len(w.args)))
}

// equal compares x, of a type, with the values that can be in it; "" if none can.
func (w *writer) equal(x string, t Type, values []value) string {
	var marks []string
	asDouble := false
	for _, v := range values {
		arg, double, ok := operand(v, t)
		if ok {
			asDouble = asDouble || double
			marks = append(marks, w.bind(arg))
		}
	}
	if asDouble {
		x = w.operands.Double(x)
	}
	switch len(marks) {
	case 0:
		return ""
	case 1:
		return x + " = " + marks[0]
	default:
		return x + " IN (" + strings.Join(marks, ", ") + ")"
	}
}

// order compares x, of a type, with the operand of c; "" if the types differ.
func (w *writer) order(x string, t Type, c *cond) string {
	arg, double, ok := operand(c.values[0], t)
	if !ok {
		return ""
	}
	if double {
		x = w.operands.Double(x)
	}
	signs := map[op]string{opGt: " > ", opGte: " >= ", opLt: " < ", opLte: " <= "}
	return x + signs[c.op] + w.bind(arg)
}

// operand returns what is bound to compare a column of type t with v; ok is
// false if nothing in such a column can equal v or be in order with it. double says that
// a whole number must be made a double to compare: between whole numbers up to 2^53 the answer is the
// same, and the bare column lets the database skip blocks of rows.
func operand(v value, t Type) (arg any, double, ok bool) {
	switch {
	case v.kind == text && t == Text:
		return v.s, false, true
	case v.kind == boolean && t == Bool:
		return v.b, false, true
	case v.kind == number && t == Number:
		return v.n, false, true
	case v.kind == number && t == Integer:
		if v.n == math.Trunc(v.n) && math.Abs(v.n) < 1<<53 {
			return int64(v.n), false, true
		}
		return v.n, true, true
	default:
		return nil, false, false
	}
}
