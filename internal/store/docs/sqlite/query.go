package sqlite

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/store/docs"
)

// builder collects a condition in SQL over documents d, all values bound.
type builder struct {
	l     *docs.Layout
	s     docs.Scope
	from  string
	parts []string
	args  []any
	key   string // the key in ORDER BY
	sort  string
	sorts []any
	// walk is the index in whose order the documents are read, as o; "" for none.
	walk docs.Field
}

// compile turns the conditions and the order of q into SQL. With walk, the documents
// are read in the order of q's index, see walks.
func compile(l *docs.Layout, s docs.Scope, q docs.Query, walk bool) (*builder, error) {
	if q.Offset < 0 || q.Limit < 0 {
		return nil, docs.ErrInvalidQuery("offset and limit cannot be negative")
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
func (b *builder) scope(q docs.Query) {
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
func leads(c docs.Cond) bool {
	if _, isPath := c.Field.Path(); isPath || c.Field == "" {
		return false
	}
	switch c.Op {
	case docs.OpEq, docs.OpLt, docs.OpLe, docs.OpGt, docs.OpGe, docs.OpIn, docs.OpPrefix:
		return true
	case docs.OpNone, docs.OpNe, docs.OpExists, docs.OpMissing, docs.OpHas, docs.OpAny, docs.OpAll:
	}
	return false
}

// fewAtMost is up to how many documents an index leads to that are read and sorted
// rather than found among all while these are walked in order.
const fewAtMost = 2000

// walks decides how a list in the order of an index is read: off that index, document by
// document, until the page is full; or, when a condition on another index leads to few documents, by
// sorting these.
func walks(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, query docs.Query) (bool, error) {
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
			return false, docs.ErrInvalidQuery("collection %s has no index %s", l.Name, c.Field)
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
		return docs.ErrInvalidQuery("collection %s cannot be searched", b.l.Name)
	}
	text, args := "quipu_search(?", []any{docs.SearchText(needle)}
	for _, f := range b.l.Search {
		p, err := jsonPath(docs.Field(f))
		if err != nil {
			return err
		}
		text += ", CASE json_type(d.body, ?) WHEN 'text' THEN json_extract(d.body, ?) END"
		args = append(args, p, p)
	}
	b.add(text+")", args...)
	return nil
}

func (b *builder) orderBy(f docs.Field) error {
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
			return docs.ErrInvalidQuery("collection %s has no index %s", b.l.Name, f)
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
func (b *builder) order(s docs.Scope, q docs.Query) string {
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

func (b *builder) cond(c docs.Cond) (string, []any, error) {
	switch c.Op { //nolint:exhaustive // the others look at a field
	case docs.OpAny:
		return b.several(c.Any, "0", " OR ")
	case docs.OpAll:
		return b.several(c.Any, "1", " AND ")
	}
	if c.Op == docs.OpNe {
		c.Op = docs.OpEq
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
func (b *builder) several(conds []docs.Cond, none, join string) (string, []any, error) {
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
func (b *builder) indexCond(c docs.Cond) (string, []any, error) {
	ix, known := b.l.Index(string(c.Field))
	if !known {
		return "", nil, docs.ErrInvalidQuery("collection %s has no index %s", b.l.Name, c.Field)
	}
	test, args, err := entryTest(c, ix.Fold)
	if err != nil {
		return "", nil, err
	}
	if c.Op == docs.OpMissing {
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
func entryTest(c docs.Cond, fold bool) (string, []any, error) {
	if op, ok := orderOps[c.Op]; ok {
		v, err := ordered(c.Value, fold)
		if err != nil {
			return "", nil, err
		}
		return " AND e.value " + op + " ? AND e.value >= ? AND e.value < ?", []any{v, v[:1], []byte{v[0] + 1}}, nil
	}
	switch c.Op {
	case docs.OpEq:
		v, err := docs.EncodeValue(c.Value, fold)
		return " AND e.value = ?", []any{v}, err
	case docs.OpIn:
		if len(c.Values) == 0 {
			return " AND 0", nil, nil
		}
		args := make([]any, len(c.Values))
		for i, v := range c.Values {
			e, err := docs.EncodeValue(v, fold)
			if err != nil {
				return "", nil, err
			}
			args[i] = e
		}
		return " AND e.value IN (" + marks(len(args)) + ")", args, nil
	case docs.OpPrefix:
		s, ok := c.Value.(string)
		if !ok {
			return "", nil, docs.ErrInvalidQuery("a prefix is text")
		}
		low, err := docs.EncodeValue(s, fold)
		if err != nil {
			return "", nil, err
		}
		high := append([]byte(nil), low...)
		high[len(high)-1]++ // never overflows: no byte of UTF-8 is 0xFF
		return " AND e.value >= ? AND e.value < ?", []any{low, high}, nil
	case docs.OpExists, docs.OpMissing:
		return " AND e.value <> x''", nil, nil // the entry of nothing
	case docs.OpNone, docs.OpNe, docs.OpLt, docs.OpLe, docs.OpGt, docs.OpGe, docs.OpHas, docs.OpAny, docs.OpAll:
	}
	return "", nil, docs.ErrInvalidQuery("comparison %d cannot be made on index %s", c.Op, c.Field)
}

var orderOps = map[docs.Op]string{docs.OpLt: "<", docs.OpLe: "<=", docs.OpGt: ">", docs.OpGe: ">="}

func ordered(v any, fold bool) ([]byte, error) {
	if _, ok := v.(bool); ok {
		return nil, docs.ErrInvalidQuery("booleans have no order")
	}
	return docs.EncodeValue(v, fold)
}

func keyCond(c docs.Cond) (string, []any, error) {
	switch c.Op {
	case docs.OpExists:
		return "1", nil, nil
	case docs.OpMissing:
		return "0", nil, nil
	case docs.OpIn:
		if len(c.Values) == 0 {
			return "0", nil, nil
		}
		return "d.key IN (" + marks(len(c.Values)) + ")", texts(c.Values), nil
	case docs.OpNone, docs.OpNe, docs.OpEq, docs.OpLt, docs.OpLe, docs.OpGt, docs.OpGe, docs.OpPrefix, docs.OpHas, docs.OpAny, docs.OpAll:
	}
	s, ok := c.Value.(string)
	if !ok {
		return "", nil, docs.ErrInvalidQuery("a key is text")
	}
	if op, ok := orderOps[c.Op]; ok {
		return "d.key " + op + " ?", []any{s}, nil
	}
	switch c.Op { //nolint:exhaustive // the others stand above
	case docs.OpEq:
		return "d.key = ?", []any{s}, nil
	case docs.OpPrefix:
		return "substr(CAST(d.key AS BLOB), 1, ?) = ?", []any{len(s), []byte(s)}, nil
	}
	return "", nil, docs.ErrInvalidQuery("comparison %d cannot be made on the key", c.Op)
}

func texts(vs []any) []any {
	out := make([]any, 0, len(vs))
	for _, v := range vs {
		s, _ := docs.Scalar(v)
		out = append(out, s)
	}
	return out
}

// pathCond compares a value inside the body, with values of the same type.
func pathCond(c docs.Cond) (string, []any, error) {
	p, err := jsonPath(c.Field)
	if err != nil {
		return "", nil, err
	}
	if op, ok := orderOps[c.Op]; ok {
		return pathOrder(c, op, p)
	}
	switch c.Op {
	case docs.OpEq:
		return pathEq(c.Value, p)
	case docs.OpIn:
		conds := make([]docs.Cond, len(c.Values))
		for i, v := range c.Values {
			conds[i] = docs.Eq(c.Field, v)
		}
		return (&builder{}).several(conds, "0", " OR ")
	case docs.OpPrefix:
		s, ok := c.Value.(string)
		if !ok {
			return "", nil, docs.ErrInvalidQuery("a prefix is text")
		}
		return "(json_type(d.body, ?) = 'text' AND substr(CAST(json_extract(d.body, ?) AS BLOB), 1, ?) = ?)",
			[]any{p, p, len(s), []byte(s)}, nil // of bytes, because SQLite counts the signs of a text up to a NUL
	case docs.OpExists:
		return "coalesce(json_type(d.body, ?), 'null') <> 'null'", []any{p}, nil
	case docs.OpMissing:
		return "coalesce(json_type(d.body, ?), 'null') = 'null'", []any{p}, nil
	case docs.OpHas:
		v, err := docs.Scalar(c.Value)
		if err != nil {
			return "", nil, err
		}
		types, value := typeList(v)
		text := "(json_type(d.body, ?) = 'array' AND EXISTS (SELECT 1 FROM json_each(d.body, ?) j WHERE j.type IN (" + types + ")"
		if value == nil {
			return text + "))", []any{p, p}, nil
		}
		return text + " AND j.value = ?))", []any{p, p, value}, nil
	case docs.OpNone, docs.OpNe, docs.OpLt, docs.OpLe, docs.OpGt, docs.OpGe, docs.OpAny, docs.OpAll:
	}
	return "", nil, docs.ErrInvalidQuery("comparison %d is unknown", c.Op)
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
	s, err := docs.Scalar(v)
	if err != nil {
		return "", nil, err
	}
	types, value := typeList(s)
	if value == nil {
		return "json_type(d.body, ?) IN (" + types + ")", []any{p}, nil
	}
	return "(json_type(d.body, ?) IN (" + types + ") AND json_extract(d.body, ?) = ?)", []any{p, p, value}, nil
}

func pathOrder(c docs.Cond, op, p string) (string, []any, error) {
	s, err := docs.Scalar(c.Value)
	if err != nil {
		return "", nil, err
	}
	types, value := typeList(s)
	if value == nil {
		return "", nil, docs.ErrInvalidQuery("booleans have no order")
	}
	return "(json_type(d.body, ?) IN (" + types + ") AND json_extract(d.body, ?) " + op + " ?)", []any{p, p, value}, nil
}

// jsonPath writes a path in SQLite's form, every element quoted.
func jsonPath(f docs.Field) (string, error) {
	elements, err := f.Elements()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteByte('$')
	for _, e := range elements {
		b.WriteString(`."` + e + `"`)
	}
	return b.String(), nil
}
