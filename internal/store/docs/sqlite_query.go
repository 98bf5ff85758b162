package docs

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// builder collects a condition in SQL over documents d, all values bound.
type builder struct {
	l     *Layout
	s     Scope
	from  string
	parts []string
	args  []any
	key   string // the key in ORDER BY
	sort  string
	sorts []any
	// walk is the index in whose order the documents are read, as o; "" for none.
	walk Field
}

// compile turns the conditions and the order of q into SQL. With walk, the documents
// are read in the order of q's index, see walks.
func compile(l *Layout, s Scope, q Query, walk bool) (*builder, error) {
	if q.Offset < 0 || q.Limit < 0 {
		return nil, badQuery("offset and limit cannot be negative")
	}
	b := &builder{l: l, s: s, key: "d.key", from: "documents d"}
	if walk {
		b.walk = q.Sort
		// A cross join is what SQLite does not turn around.
		b.from = "entries o CROSS JOIN documents d ON d.id = o.document"
		b.add("o.collection = ? AND o.app = ? AND o.name = ?", l.Name, appText(s.App), string(q.Sort))
	} else {
		b.scope(q)
	}
	for _, c := range q.Where {
		text, args, err := b.cond(c)
		if err != nil {
			return nil, err
		}
		b.add(text, args...)
	}
	if !q.Filter.IsZero() {
		b.add("quipu_match(d.body, ?)", q.Filter.String())
	}
	if q.Search != "" {
		if err := b.search(q.Search); err != nil {
			return nil, err
		}
	}
	return b, b.orderBy(q.Sort)
}

// scope adds whose documents are read. A unary plus keeps SQLite from walking the whole
// collection by its key when an index leads to few documents.
func (b *builder) scope(q Query) {
	plus := ""
	if !b.s.Many() && slices.ContainsFunc(q.Where, leads) {
		plus, b.key = "+", "+d.key"
	}
	b.add(plus+"d.collection = ?", b.l.Name)
	switch {
	case b.s.All:
	case b.s.Apps != nil:
		apps := make([]any, len(b.s.Apps))
		for i, app := range b.s.Apps {
			apps[i] = appText(app)
		}
		b.add("d.app IN ("+marks(len(apps))+")", apps...)
	default:
		b.add(plus+"d.app = ?", appText(b.s.App))
	}
}

// marks are n placeholders.
func marks(n int) string {
	return strings.TrimPrefix(strings.Repeat(",?", n), ",")
}

// leads reports whether a condition is answered from the entries of an index.
func leads(c Cond) bool {
	if _, isPath := c.Field.Path(); isPath || c.Field == "" {
		return false
	}
	switch c.Op {
	case OpEq, OpLt, OpLe, OpGt, OpGe, OpIn, OpPrefix:
		return true
	case OpNone, OpNe, OpExists, OpMissing, OpHas, OpAny, OpAll:
	}
	return false
}

// fewAtMost is up to how many documents an index leads to that are read and sorted
// rather than found among all while these are walked in order.
const fewAtMost = 2000

// walks decides how a list in the order of an index is read: off that index, document by
// document, until the page is full; or, when a condition on another index leads to few documents, by
// sorting these.
func walks(ctx context.Context, q querier, l *Layout, s Scope, query Query) (bool, error) {
	ix, known := l.Index(string(query.Sort))
	if !known || !ix.Order || s.Many() {
		return false, nil
	}
	for _, c := range query.Where {
		if !leads(c) || c.Field == query.Sort {
			continue
		}
		other, known := l.Index(string(c.Field))
		if !known {
			return false, badQuery("collection %s has no index %s", l.Name, c.Field)
		}
		test, args, err := entryTest(c, other.Fold)
		if err != nil {
			return false, err
		}
		args = append(append([]any{l.Name, appText(s.App), other.Name}, args...), fewAtMost+1)
		var n int
		err = q.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM entries e WHERE e.collection = ? AND e.app = ? AND e.name = ?"+test+" LIMIT ?)", args...).Scan(&n)
		if err != nil || n <= fewAtMost {
			return false, storeError(err)
		}
	}
	return true, nil
}

func (b *builder) add(text string, args ...any) {
	b.parts = append(b.parts, text)
	b.args = append(b.args, args...)
}

func (b *builder) text() string { return strings.Join(b.parts, " AND ") }

func (b *builder) search(needle string) error {
	if len(b.l.Search) == 0 {
		return badQuery("collection %s cannot be searched", b.l.Name)
	}
	text, args := "quipu_search(?", []any{SearchText(needle)}
	for _, f := range b.l.Search {
		p, err := jsonPath(Field(f))
		if err != nil {
			return err
		}
		text += ", CASE json_type(d.body, ?) WHEN 'text' THEN json_extract(d.body, ?) END"
		args = append(args, p, p)
	}
	b.add(text+")", args...)
	return nil
}

func (b *builder) orderBy(f Field) error {
	switch f {
	case "":
		b.sort = b.key
		return nil
	case b.walk:
		b.sort = "o.value"
		return nil
	}
	if _, ok := f.Path(); !ok {
		if _, known := b.l.Index(string(f)); !known {
			return badQuery("collection %s has no index %s", b.l.Name, f)
		}
		b.sort = "(SELECT min(e.value) FROM entries e WHERE e.document = d.id AND e.name = ?)"
		b.sorts = []any{string(f)}
		return nil
	}
	p, err := jsonPath(f)
	if err != nil {
		return err
	}
	b.sort = `CASE json_type(d.body, ?) WHEN 'false' THEN 1 WHEN 'true' THEN 2 WHEN 'integer' THEN 3 WHEN 'real' THEN 3
		WHEN 'text' THEN 4 ELSE 0 END DIR, CASE WHEN json_type(d.body, ?) IN ('integer', 'real', 'text') THEN json_extract(d.body, ?) END`
	b.sorts = []any{p, p, p}
	return nil
}

// order writes the ORDER BY and LIMIT clauses and binds their values.
func (b *builder) order(s Scope, q Query) string {
	dir := " ASC"
	if q.Desc {
		dir = " DESC"
	}
	text := " ORDER BY " + strings.ReplaceAll(b.sort, " DIR", dir) + dir
	b.args = append(b.args, b.sorts...)
	switch {
	case b.walk != "":
		text += ", o.document" + dir
	case q.Sort != "":
		text += ", d.id" + dir
	case s.Many():
		text += ", d.app"
	}
	limit := -1
	if q.Limit > 0 {
		limit = q.Limit
	}
	b.args = append(b.args, limit, q.Offset)
	return text + " LIMIT ? OFFSET ?"
}

func (b *builder) cond(c Cond) (string, []any, error) {
	switch c.Op { //nolint:exhaustive // the others look at a field
	case OpAny:
		return b.several(c.Any, "0", " OR ")
	case OpAll:
		return b.several(c.Any, "1", " AND ")
	}
	if c.Op == OpNe {
		c.Op = OpEq
		text, args, err := b.cond(c)
		return "NOT coalesce(" + text + ", 0)", args, err
	}
	if c.Field == "" {
		return keyCond(c)
	}
	if _, ok := c.Field.Path(); ok {
		return pathCond(c)
	}
	return b.indexCond(c)
}

// several joins conditions; of none there is what none says.
func (b *builder) several(conds []Cond, none, join string) (string, []any, error) {
	parts := []string{none}
	var args []any
	for _, c := range conds {
		text, more, err := b.cond(c)
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, "coalesce("+text+", 0)")
		args = append(args, more...)
	}
	return "(" + strings.Join(parts, join) + ")", args, nil
}

// indexCond looks into the entries of an index.
func (b *builder) indexCond(c Cond) (string, []any, error) {
	ix, known := b.l.Index(string(c.Field))
	if !known {
		return "", nil, badQuery("collection %s has no index %s", b.l.Name, c.Field)
	}
	test, args, err := entryTest(c, ix.Fold)
	if err != nil {
		return "", nil, err
	}
	if c.Op == OpMissing {
		return "NOT EXISTS (SELECT 1 FROM entries e WHERE e.document = d.id AND e.name = ?" + test + ")", []any{ix.Name}, nil
	}
	if b.walk != "" && c.Field == b.walk { // o is the one entry of the document
		return strings.ReplaceAll(strings.TrimPrefix(test, " AND "), "e.value", "o.value"), args, nil
	}
	if b.walk != "" || b.s.Many() {
		return "EXISTS (SELECT 1 FROM entries e WHERE e.document = d.id AND e.name = ?" + test + ")",
			append([]any{ix.Name}, args...), nil
	}
	return "d.id IN (SELECT e.document FROM entries e WHERE e.collection = ? AND e.app = ? AND e.name = ?" + test + ")",
		append([]any{b.l.Name, appText(b.s.App), ix.Name}, args...), nil
}

// entryTest is the condition on e.value, with its leading AND.
func entryTest(c Cond, fold bool) (string, []any, error) {
	if op, ok := orderOps[c.Op]; ok {
		v, err := ordered(c.Value, fold)
		if err != nil {
			return "", nil, err
		}
		return " AND e.value " + op + " ? AND e.value >= ? AND e.value < ?", []any{v, v[:1], []byte{v[0] + 1}}, nil
	}
	switch c.Op {
	case OpEq:
		v, err := EncodeValue(c.Value, fold)
		return " AND e.value = ?", []any{v}, err
	case OpIn:
		if len(c.Values) == 0 {
			return " AND 0", nil, nil
		}
		args := make([]any, len(c.Values))
		for i, v := range c.Values {
			e, err := EncodeValue(v, fold)
			if err != nil {
				return "", nil, err
			}
			args[i] = e
		}
		return " AND e.value IN (" + marks(len(args)) + ")", args, nil
	case OpPrefix:
		s, ok := c.Value.(string)
		if !ok {
			return "", nil, badQuery("a prefix is text")
		}
		low, err := EncodeValue(s, fold)
		if err != nil {
			return "", nil, err
		}
		high := append([]byte(nil), low...)
		high[len(high)-1]++ // never overflows: no byte of UTF-8 is 0xFF
		return " AND e.value >= ? AND e.value < ?", []any{low, high}, nil
	case OpExists, OpMissing:
		return " AND e.value <> x''", nil, nil // the entry of nothing
	case OpNone, OpNe, OpLt, OpLe, OpGt, OpGe, OpHas, OpAny, OpAll:
	}
	return "", nil, badQuery("comparison %d cannot be made on index %s", c.Op, c.Field)
}

var orderOps = map[Op]string{OpLt: "<", OpLe: "<=", OpGt: ">", OpGe: ">="}

func ordered(v any, fold bool) ([]byte, error) {
	if _, ok := v.(bool); ok {
		return nil, badQuery("booleans have no order")
	}
	return EncodeValue(v, fold)
}

func keyCond(c Cond) (string, []any, error) {
	switch c.Op {
	case OpExists:
		return "1", nil, nil
	case OpMissing:
		return "0", nil, nil
	case OpIn:
		if len(c.Values) == 0 {
			return "0", nil, nil
		}
		return "d.key IN (" + marks(len(c.Values)) + ")", texts(c.Values), nil
	case OpNone, OpNe, OpEq, OpLt, OpLe, OpGt, OpGe, OpPrefix, OpHas, OpAny, OpAll:
	}
	s, ok := c.Value.(string)
	if !ok {
		return "", nil, badQuery("a key is text")
	}
	if op, ok := orderOps[c.Op]; ok {
		return "d.key " + op + " ?", []any{s}, nil
	}
	switch c.Op { //nolint:exhaustive // the others stand above
	case OpEq:
		return "d.key = ?", []any{s}, nil
	case OpPrefix:
		return "substr(d.key, 1, ?) = ?", []any{utf8.RuneCountInString(s), s}, nil
	}
	return "", nil, badQuery("comparison %d cannot be made on the key", c.Op)
}

func texts(vs []any) []any {
	out := make([]any, 0, len(vs))
	for _, v := range vs {
		s, _ := Scalar(v)
		out = append(out, s)
	}
	return out
}

// pathCond compares a value inside the body, with values of the same type.
func pathCond(c Cond) (string, []any, error) {
	p, err := jsonPath(c.Field)
	if err != nil {
		return "", nil, err
	}
	if op, ok := orderOps[c.Op]; ok {
		return pathOrder(c, op, p)
	}
	switch c.Op {
	case OpEq:
		return pathEq(c.Value, p)
	case OpIn:
		conds := make([]Cond, len(c.Values))
		for i, v := range c.Values {
			conds[i] = Eq(c.Field, v)
		}
		return (&builder{}).several(conds, "0", " OR ")
	case OpPrefix:
		s, ok := c.Value.(string)
		if !ok {
			return "", nil, badQuery("a prefix is text")
		}
		return "(json_type(d.body, ?) = 'text' AND substr(json_extract(d.body, ?), 1, ?) = ?)",
			[]any{p, p, utf8.RuneCountInString(s), s}, nil
	case OpExists:
		return "coalesce(json_type(d.body, ?), 'null') <> 'null'", []any{p}, nil
	case OpMissing:
		return "coalesce(json_type(d.body, ?), 'null') = 'null'", []any{p}, nil
	case OpHas:
		v, err := Scalar(c.Value)
		if err != nil {
			return "", nil, err
		}
		types, value := typeList(v)
		text := "(json_type(d.body, ?) = 'array' AND EXISTS (SELECT 1 FROM json_each(d.body, ?) j WHERE j.type IN (" + types + ")"
		if value == nil {
			return text + "))", []any{p, p}, nil
		}
		return text + " AND j.value = ?))", []any{p, p, value}, nil
	case OpNone, OpNe, OpLt, OpLe, OpGt, OpGe, OpAny, OpAll:
	}
	return "", nil, badQuery("comparison %d is unknown", c.Op)
}

// typeList gives SQLite's names of a scalar's JSON type, and the value to
// compare; nil when the type alone decides.
func typeList(v any) (string, any) {
	switch x := v.(type) {
	case bool:
		return "'" + strconv.FormatBool(x) + "'", nil
	case float64:
		return "'integer', 'real'", x
	default:
		return "'text'", x
	}
}

func pathEq(v any, p string) (string, []any, error) {
	s, err := Scalar(v)
	if err != nil {
		return "", nil, err
	}
	types, value := typeList(s)
	if value == nil {
		return "json_type(d.body, ?) IN (" + types + ")", []any{p}, nil
	}
	return "(json_type(d.body, ?) IN (" + types + ") AND json_extract(d.body, ?) = ?)", []any{p, p, value}, nil
}

func pathOrder(c Cond, op, p string) (string, []any, error) {
	s, err := Scalar(c.Value)
	if err != nil {
		return "", nil, err
	}
	types, value := typeList(s)
	if value == nil {
		return "", nil, badQuery("booleans have no order")
	}
	return "(json_type(d.body, ?) IN (" + types + ") AND json_extract(d.body, ?) " + op + " ?)", []any{p, p, value}, nil
}

// jsonPath writes a path in SQLite's form, every element quoted.
func jsonPath(f Field) (string, error) {
	elements, _ := f.Path()
	var b strings.Builder
	b.WriteByte('$')
	for _, e := range elements {
		if e == "" || strings.ContainsAny(e, "\"\\") || strings.ContainsFunc(e, func(r rune) bool { return r < ' ' }) {
			return "", badQuery("%q is not a path", f)
		}
		b.WriteString(`."` + e + `"`)
	}
	return b.String(), nil
}
