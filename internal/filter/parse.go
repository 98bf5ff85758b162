package filter

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
)

// Codes of the faults of Parse, all of kind Invalid.
const (
	CodeMalformed       = "filter.malformed"        // no JSON, or no object where one belongs
	CodeUnknownOperator = "filter.unknown_operator" //
	CodeBadValue        = "filter.bad_value"        // an operand of the wrong form
	CodeTooLarge        = "filter.too_large"        // a limit is exceeded
)

func malformed(format string, args ...any) error {
	return fault.Newf(fault.Invalid, CodeMalformed, "filter: "+format, args...)
}

func badValue(format string, args ...any) error {
	return fault.Newf(fault.Invalid, CodeBadValue, "filter: "+format, args...)
}

func tooLarge(format string, args ...any) error {
	return fault.Newf(fault.Invalid, CodeTooLarge, "filter: "+format, args...)
}

func unknownOperator(name string) error {
	return fault.Newf(fault.Invalid, CodeUnknownOperator, "filter: unknown operator %s", shorten(name))
}

// shorten quotes text of the client for a message.
func shorten(s string) string {
	const limit = 64
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	b, err := json.Marshal(s)
	if err != nil {
		return "?"
	}
	return string(b)
}

// Parse reads a filter: JSON text as []byte, json.RawMessage or string, or an
// object that encoding/json has decoded. nil, blank text and JSON null are the empty filter.
func Parse(v any) (Expr, error) {
	switch t := v.(type) {
	case nil:
		return Expr{}, nil
	case json.RawMessage:
		return parseText(t)
	case []byte:
		return parseText(t)
	case string:
		return parseText([]byte(t))
	default:
		p := parser{}
		n, err := p.filter(v, 1)
		return Expr{n}, err
	}
}

func parseText(b []byte) (Expr, error) {
	if len(b) > MaxBytes {
		return Expr{}, tooLarge("%d bytes, at most %d are allowed", len(b), MaxBytes)
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return Expr{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	var v any
	if err := d.Decode(&v); err != nil {
		return Expr{}, malformed("not valid JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return Expr{}, malformed("text after the JSON value")
	}
	if v == nil {
		return Expr{}, nil
	}
	p := parser{}
	n, err := p.filter(v, 1)
	return Expr{n}, err
}

// regexTerms is what a regular expression counts among the terms: compiling
// and running one costs far more than comparing a value.
const regexTerms = 100

// parser counts what it has taken.
type parser struct{ terms int }

func (p *parser) count(n int) error {
	if p.terms += n; p.terms > MaxTerms {
		return tooLarge("more than %d values and conditions", MaxTerms)
	}
	return nil
}

// filter reads an object of paths and logical operators.
func (p *parser) filter(v any, depth int) (node, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, malformed("must be an object")
	}
	if depth > MaxDepth {
		return nil, tooLarge("more than %d levels deep", MaxDepth)
	}
	var parts []node
	for _, key := range slices.Sorted(maps.Keys(m)) {
		var (
			n   node
			err error
		)
		switch {
		case key == "$and" || key == "$or" || key == "$nor":
			n, err = p.logical(key, m[key], depth+1)
		case key == "$not":
			n, err = p.filter(m[key], depth+1)
			n = negation(n)
		case strings.HasPrefix(key, "$"):
			err = unknownOperator(key)
		default:
			n, err = p.path(key, m[key], depth+1)
		}
		if err != nil {
			return nil, err
		}
		if n != nil {
			parts = append(parts, n)
		}
	}
	return conjunction(parts), nil
}

// logical reads the list of $and, $or or $nor.
func (p *parser) logical(name string, v any, depth int) (node, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, badValue("%s needs a list of filters that is not empty", name)
	}
	if err := p.count(len(list)); err != nil {
		return nil, err
	}
	parts := make([]node, 0, len(list))
	for _, item := range list {
		n, err := p.filter(item, depth+1)
		if err != nil {
			return nil, err
		}
		if n != nil || name != "$and" {
			parts = append(parts, n)
		}
	}
	switch name {
	case "$and":
		return conjunction(parts), nil
	case "$or":
		return disjunction(parts), nil
	default:
		return negation(disjunction(parts)), nil
	}
}

// path reads what is asked of a path: a value or an object of operators.
func (p *parser) path(path string, v any, depth int) (node, error) {
	switch {
	case path == "":
		return nil, badValue("an empty path")
	case len(path) > MaxPath:
		return nil, tooLarge("a path of %d bytes, at most %d are allowed", len(path), MaxPath)
	}
	path = strings.ToValidUTF8(path, "\ufffd")
	m, ok := v.(map[string]any)
	if !ok {
		val, err := p.scalar(path, "$eq", v)
		if err != nil {
			return nil, err
		}
		return in(path, val), nil
	}
	return p.operators(path, m, depth)
}

// operators reads an object of operators.
func (p *parser) operators(path string, m map[string]any, depth int) (node, error) {
	if depth > MaxDepth {
		return nil, tooLarge("more than %d levels deep", MaxDepth)
	}
	if len(m) == 0 {
		return nil, badValue("%s is compared with an empty object", shorten(path))
	}
	var parts []node
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !strings.HasPrefix(name, "$") {
			return nil, badValue("%s is compared with an object; only operators may stand there, such as $in", shorten(path))
		}
		if name == "$options" {
			if _, ok := m["$regex"]; !ok {
				return nil, badValue("$options without $regex")
			}
			continue
		}
		n, err := p.operator(path, name, m, depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	return conjunction(parts), nil
}

// operator reads the operator name of m.
func (p *parser) operator(path, name string, m map[string]any, depth int) (node, error) {
	v := m[name]
	switch name {
	case "$not":
		inner, ok := v.(map[string]any)
		if !ok {
			return nil, badValue("$not needs an object of operators")
		}
		n, err := p.operators(path, inner, depth+1)
		if err != nil {
			return nil, err
		}
		return negation(n), nil
	case "$elemMatch":
		inner, ok := v.(map[string]any)
		if !ok {
			return nil, badValue("$elemMatch needs an object of operators")
		}
		n, err := p.elem(inner)
		if err != nil {
			return nil, err
		}
		return &cond{path: path, op: opElem, elem: n}, nil
	case "$exists":
		yes, err := truth(v)
		if err != nil {
			return nil, err
		}
		if err := p.count(1); err != nil {
			return nil, err
		}
		c := &cond{path: path, op: opExists}
		if !yes {
			return negation(c), nil
		}
		return c, nil
	case "$size":
		f, ok := asNumber(v)
		if !ok || f < 0 || f != math.Trunc(f) || f > math.MaxInt32 {
			return nil, badValue("$size needs a whole number that is not negative")
		}
		return &cond{path: path, op: opSize, size: int(f)}, p.count(1)
	case "$all":
		vals, err := p.scalars(path, name, v)
		if err != nil {
			return nil, err
		}
		parts := make([]node, len(vals))
		for i := range vals {
			parts[i] = in(path, vals[i])
		}
		if len(parts) == 0 {
			return in(path), nil
		}
		return conjunction(parts), nil
	default:
		return p.simple(path, name, m)
	}
}

// simple reads the operators that are allowed on elements too.
func (p *parser) simple(path, name string, m map[string]any) (node, error) {
	v := m[name]
	switch name {
	case "$eq", "$ne":
		val, err := p.scalar(path, name, v)
		if err != nil {
			return nil, err
		}
		return negateIf(name == "$ne", in(path, val)), nil
	case "$in", "$nin":
		vals, err := p.scalars(path, name, v)
		if err != nil {
			return nil, err
		}
		return negateIf(name == "$nin", in(path, vals...)), nil
	case "$gt", "$gte", "$lt", "$lte":
		val, err := p.scalar(path, name, v)
		if err != nil {
			return nil, err
		}
		if val.kind != number && val.kind != text {
			return nil, badValue("%s of %s needs a number or a text", name, shorten(path))
		}
		ops := map[string]op{"$gt": opGt, "$gte": opGte, "$lt": opLt, "$lte": opLte}
		return &cond{path: path, op: ops[name], values: []value{val}}, nil
	case "$regex":
		source, ok := v.(string)
		if !ok {
			return nil, badValue("$regex of %s needs a text", shorten(path))
		}
		options, ok := m["$options"].(string)
		if !ok && has(m, "$options") {
			return nil, badValue("$options of %s needs a text", shorten(path))
		}
		re, err := newPattern(source, options)
		if err != nil {
			return nil, err
		}
		return &cond{path: path, op: opRegex, re: re}, p.count(regexTerms)
	default:
		return nil, unknownOperator(name)
	}
}

// elem reads the operators of $elemMatch.
func (p *parser) elem(m map[string]any) (node, error) {
	if len(m) == 0 {
		return nil, badValue("$elemMatch needs operators")
	}
	var parts []node
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !strings.HasPrefix(name, "$") {
			return nil, badValue("$elemMatch takes operators only, no paths of objects")
		}
		if name == "$options" && has(m, "$regex") {
			continue
		}
		n, err := p.simple("", name, m)
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	return conjunction(parts), nil
}

// in returns the condition that the path equals one of the values.
func in(path string, values ...value) *cond {
	c := &cond{path: path, op: opIn, values: values, equals: withTwins(values)}
	if len(c.equals) > setFrom {
		c.set = make(map[value]struct{}, len(c.equals))
		for _, v := range c.equals {
			c.set[v] = struct{}{}
		}
	}
	return c
}

// withTwins returns values with what is equal to them in the other form, a boolean and its text, each once. Most lists have neither.
func withTwins(values []value) []value {
	out := values
	for _, v := range values {
		if twin, ok := v.twin(); ok && !slices.Contains(out, twin) {
			out = append(slices.Clip(out), twin)
		}
	}
	return out
}

// twin is the text of a boolean, or the boolean that a text shows.
func (v value) twin() (value, bool) {
	switch {
	case v.kind == boolean:
		return value{kind: text, s: strconv.FormatBool(v.b)}, true
	case v.kind == text && (v.s == "true" || v.s == "false"):
		return value{kind: boolean, b: v.s == "true"}, true
	default:
		return value{}, false
	}
}

// setFrom is the number of values above which a map finds one faster than a walk.
const setFrom = 8

func negateIf(yes bool, c *cond) node {
	if yes {
		return negation(c)
	}
	return c
}

// scalars reads a list of values; a value alone is a list of one.
func (p *parser) scalars(path, name string, v any) ([]value, error) {
	var list []any
	switch t := v.(type) {
	case []any:
		list = t
	case []string:
		for _, s := range t {
			list = append(list, s)
		}
	default:
		list = []any{v}
	}
	vals := make([]value, 0, len(list))
	for _, item := range list {
		val, err := p.scalar(path, name, item)
		if err != nil {
			return nil, err
		}
		vals = append(vals, val)
	}
	return vals, nil
}

// scalar reads one value.
func (p *parser) scalar(path, name string, v any) (value, error) {
	if err := p.count(1); err != nil {
		return value{}, err
	}
	if f, ok := asNumber(v); ok {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return value{}, badValue("%s of %s is no finite number", name, shorten(path))
		}
		return value{kind: number, n: f + 0}, nil
	}
	switch t := v.(type) {
	case nil:
		return value{kind: null}, nil
	case bool:
		return value{kind: boolean, b: t}, nil
	case string:
		return value{kind: text, s: strings.ToValidUTF8(t, "\ufffd")}, nil
	default:
		return value{}, badValue("%s of %s needs a text, a number, true, false or null", name, shorten(path))
	}
}

// truth reads the operand of $exists.
func truth(v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	if f, ok := asNumber(v); ok {
		return f != 0, nil
	}
	return false, badValue("$exists needs true or false")
}
