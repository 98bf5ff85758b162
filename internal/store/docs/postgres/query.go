package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// builder collects a condition in SQL over documents d, all values bound.
type builder struct {
	l     *docs.Layout
	s     docs.Scope
	from  string
	parts []string
	args  []any
	// sort are the expressions of ORDER BY, each to be followed by the direction.
	sort []string
	// walk says that the documents are read in the order of the query's index, as o.
	walk bool
	// once says that the statement is like no other, so that it is not worth preparing.
	once bool
}

// way says how documents are found. The planner of the server is left no choice between ways of which one is slow, because
// it knows little of tables that grew a moment ago.
type way struct {
	// walk reads the documents in the order of the query's index.
	walk bool
	// leader is the condition, by its place in Where, whose entries lead to the documents; -1 for none.
	leader int
}

// usual is the way by the first condition that leads to documents, equality before others.
func usual(s docs.Scope, q docs.Query) way {
	w := way{leader: -1}
	for i, c := range q.Where {
		if !s.Many() && leads(c) && (w.leader < 0 || c.Op == docs.OpEq && q.Where[w.leader].Op != docs.OpEq) {
			w.leader = i
		}
	}
	return w
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

// listWay decides how a list is read: in the order of an index, off that index, document by document, until the
// page is full; or, when a condition on another index leads to few documents, by sorting these.
func listWay(ctx context.Context, q querier, l *docs.Layout, s docs.Scope, query docs.Query) (way, error) {
	ix, known := l.Index(string(query.Sort))
	if !known || !ix.Order || s.Many() {
		return usual(s, query), nil
	}
	for i, c := range query.Where {
		if !leads(c) || c.Field == query.Sort {
			continue
		}
		b := &builder{l: l, s: s}
		of, err := b.entriesOf(c)
		if err != nil {
			return way{}, err
		}
		var n int
		err = q.QueryRow(ctx, "SELECT count(*) FROM (SELECT 1 FROM entries e WHERE "+of+" LIMIT "+b.bind(fewAtMost+1)+") few", b.args...).Scan(&n)
		if err != nil || n <= fewAtMost {
			return way{leader: i}, err
		}
	}
	return way{walk: true, leader: -1}, nil
}

// compile turns the conditions and the order of q into SQL.
func compile(l *docs.Layout, s docs.Scope, q docs.Query, w way) (*builder, error) {
	if q.Offset < 0 || q.Limit < 0 {
		return nil, docs.ErrInvalidQuery("offset and limit cannot be negative")
	}
	b := &builder{l: l, s: s, from: "documents d", walk: w.walk}
	if w.walk {
		b.from = "entries o JOIN documents d ON d.id = o.document"
		b.add("o.collection = " + b.bind(l.Name) + " AND o.app = " + b.bind(appText(s.App)) + " AND o.name = " + b.bind(string(q.Sort)))
	} else if w.leader < 0 {
		b.scope()
	} else {
		of, err := b.entriesOf(q.Where[w.leader])
		if err != nil {
			return nil, err
		}
		b.add("d.id IN (SELECT e.document FROM entries e WHERE " + of + ")")
		q.Where = slices.Delete(slices.Clone(q.Where), w.leader, w.leader+1)
	}
	for _, c := range q.Where {
		text, err := b.cond(c)
		if err != nil {
			return nil, err
		}
		b.add(text)
	}
	if !q.Filter.IsZero() {
		where, args := q.Filter.SQL(Dialect{Before: len(b.args)}, columns)
		b.args = append(b.args, args...)
		b.add(where)
		b.once = true
	}
	if q.Search != "" {
		if err := b.search(docs.SearchText(q.Search)); err != nil {
			return nil, err
		}
	}
	return b, b.orderBy(q.Sort)
}

func (b *builder) search(needle string) error {
	switch {
	case len(b.l.Search) == 0:
		return docs.ErrInvalidQuery("collection %s cannot be searched", b.l.Name)
	case !utf8.ValidString(needle): // as no document is
		b.add("FALSE")
	default:
		b.add("EXISTS (SELECT 1 FROM unnest(d.search) AS texts(text) WHERE strpos(texts.text, " + b.bind(StoredText(needle)) + ") > 0)")
	}
	return nil
}

// columns gives a filter what stands at a path of a document.
func columns(path string) (filter.Column, bool) {
	return filter.Column{Expr: "quipu_lookup(d.doc, " + literal(StoredText(path)) + ")", Type: filter.JSON}, true
}

// literal writes a text without NUL into a statement.
func literal(text string) string {
	return "E'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `'`, `''`) + "'"
}

func (b *builder) bind(arg any) string {
	b.args = append(b.args, arg)
	return "$" + strconv.Itoa(len(b.args))
}

func (b *builder) add(text string) { b.parts = append(b.parts, text) }

func (b *builder) text() string { return strings.Join(b.parts, " AND ") }

// bound are the arguments as pgx takes them.
func (b *builder) bound() []any {
	if b.once {
		return append([]any{pgx.QueryExecModeExec}, b.args...)
	}
	return b.args
}

// scope adds whose documents are read.
func (b *builder) scope() {
	b.add("d.collection = " + b.bind(b.l.Name))
	switch {
	case b.s.All:
	case b.s.Apps != nil:
		apps := make([]string, len(b.s.Apps))
		for i, app := range b.s.Apps {
			apps[i] = appText(app)
		}
		b.add("d.app = ANY(" + b.bind(apps) + ")")
	default:
		b.add("d.app = " + b.bind(appText(b.s.App)))
	}
}

func (b *builder) orderBy(f docs.Field) error {
	switch {
	case f == "":
		b.sort = []string{"d.key"}
		return nil
	case b.walk:
		b.sort = []string{"o.head", "o.value", "o.document"}
		return nil
	}
	if _, ok := f.Path(); !ok {
		if _, known := b.l.Index(string(f)); !known {
			return docs.ErrInvalidQuery("collection %s has no index %s", b.l.Name, f)
		}
		b.sort = []string{"(SELECT e.value FROM entries e WHERE e.document = d.id AND e.name = " + b.bind(string(f)) + " ORDER BY e.head, e.value LIMIT 1)", "d.id"}
		return nil
	}
	x, err := b.path(f)
	if err != nil {
		return err
	}
	var d Dialect
	b.sort = []string{
		"CASE jsonb_typeof(" + x + ") WHEN 'boolean' THEN 1 WHEN 'number' THEN 3 WHEN 'string' THEN 4 ELSE 0 END",
		d.BoolOf(x), d.NumberOf(x), d.TextOf(x), "d.id",
	}
	return nil
}

// order writes the ORDER BY and LIMIT clauses and binds their values. Missing values come first.
func (b *builder) order(q docs.Query) string {
	dir := " ASC NULLS FIRST"
	if q.Desc {
		dir = " DESC NULLS LAST"
	}
	if b.walk { // without NULLs, as the index has it
		dir, _, _ = strings.Cut(dir, " NULLS")
	}
	text := " ORDER BY " + strings.Join(b.sort, dir+", ") + dir
	if q.Sort == "" && b.s.Many() {
		text += ", d.app"
	}
	if q.Limit > 0 {
		text += " LIMIT " + b.bind(q.Limit)
	}
	if q.Offset > 0 {
		text += " OFFSET " + b.bind(q.Offset)
	}
	return text
}

func (b *builder) cond(c docs.Cond) (string, error) {
	switch c.Op { //nolint:exhaustive // the others look at a field
	case docs.OpAny:
		return b.several(c.Any, "FALSE", " OR ")
	case docs.OpAll:
		return b.several(c.Any, "TRUE", " AND ")
	}
	if c.Op == docs.OpNe {
		c.Op = docs.OpEq
		text, err := b.cond(c)
		return "NOT coalesce(" + text + ", FALSE)", err
	}
	if c.Field == "" {
		return b.keyCond(c)
	}
	if _, ok := c.Field.Path(); ok {
		return b.pathCond(c)
	}
	return b.indexCond(c)
}

// several joins conditions; of none there is what none says.
func (b *builder) several(conds []docs.Cond, none, join string) (string, error) {
	parts := []string{none}
	for _, c := range conds {
		text, err := b.cond(c)
		if err != nil {
			return "", err
		}
		parts = append(parts, "coalesce("+text+", FALSE)")
	}
	return "(" + strings.Join(parts, join) + ")", nil
}

// indexCond looks into the entries of an index.
func (b *builder) indexCond(c docs.Cond) (string, error) {
	ix, known := b.l.Index(string(c.Field))
	if !known {
		return "", docs.ErrInvalidQuery("collection %s has no index %s", b.l.Name, c.Field)
	}
	of := "e.document = d.id AND e.name = " + b.bind(ix.Name)
	test, err := b.entryTest(c, ix.Fold)
	if err != nil {
		return "", err
	}
	text := "EXISTS (SELECT 1 FROM entries e WHERE " + of + " AND " + test + ")"
	if c.Op == docs.OpMissing {
		return "NOT " + text, nil
	}
	return text, nil
}

// entriesOf selects the entries e that meet a condition on an index, of the app whose documents are read.
func (b *builder) entriesOf(c docs.Cond) (string, error) {
	ix, known := b.l.Index(string(c.Field))
	if !known {
		return "", docs.ErrInvalidQuery("collection %s has no index %s", b.l.Name, c.Field)
	}
	test, err := b.entryTest(c, ix.Fold)
	return "e.collection = " + b.bind(b.l.Name) + " AND e.app = " + b.bind(appText(b.s.App)) + " AND e.name = " + b.bind(ix.Name) + " AND " + test, err
}

// head is what the index of the entries holds of a value, see tables.
func head(value []byte) []byte { return value[:min(len(value), 1024)] }

// between is the condition on an entry's value that it lies from low on and below high.
func (b *builder) between(low, high []byte) string {
	return "e.head >= " + b.bind(head(low)) + " AND e.head <= " + b.bind(head(high)) + " AND e.value >= " + b.bind(low) + " AND e.value < " + b.bind(high)
}

// entryTest is the condition on an entry e.
func (b *builder) entryTest(c docs.Cond, fold bool) (string, error) {
	if op, ok := orderOp(c.Op); ok {
		if _, ok := c.Value.(bool); ok {
			return "", docs.ErrInvalidQuery("booleans have no order")
		}
		v, err := docs.EncodeValue(c.Value, fold)
		if err != nil {
			return "", err
		}
		text := "e.value " + op + " " + b.bind(v) + " AND "
		low, high := v[:1], []byte{v[0] + 1} // the values of the same type
		if c.Op == docs.OpGt || c.Op == docs.OpGe {
			return text + b.between(v, high), nil
		}
		return text + "e.head <= " + b.bind(head(v)) + " AND " + b.between(low, high), nil
	}
	switch c.Op {
	case docs.OpEq:
		v, err := docs.EncodeValue(c.Value, fold)
		if err != nil {
			return "", err
		}
		return "e.head = " + b.bind(head(v)) + " AND e.value = " + b.bind(v), nil
	case docs.OpIn:
		values, heads := make([][]byte, len(c.Values)), make([][]byte, len(c.Values))
		for i, one := range c.Values {
			v, err := docs.EncodeValue(one, fold)
			if err != nil {
				return "", err
			}
			values[i], heads[i] = v, head(v)
		}
		return "e.head = ANY(" + b.bind(heads) + ") AND e.value = ANY(" + b.bind(values) + ")", nil
	case docs.OpPrefix:
		s, ok := c.Value.(string)
		if !ok {
			return "", docs.ErrInvalidQuery("a prefix is text")
		}
		low, err := docs.EncodeValue(s, fold)
		if err != nil {
			return "", err
		}
		high := append([]byte(nil), low...)
		high[len(high)-1]++ // never overflows: no byte of UTF-8 is 0xFF
		return b.between(low, high), nil
	case docs.OpExists, docs.OpMissing:
		return "e.head <> ''", nil // the entry of nothing
	case docs.OpNone, docs.OpNe, docs.OpLt, docs.OpLe, docs.OpGt, docs.OpGe, docs.OpHas, docs.OpAny, docs.OpAll:
	}
	return "", docs.ErrInvalidQuery("comparison %d cannot be made on index %s", c.Op, c.Field)
}

func orderOp(op docs.Op) (string, bool) {
	switch op { //nolint:exhaustive // the others are no orders
	case docs.OpLt:
		return "<", true
	case docs.OpLe:
		return "<=", true
	case docs.OpGt:
		return ">", true
	case docs.OpGe:
		return ">=", true
	}
	return "", false
}

func (b *builder) keyCond(c docs.Cond) (string, error) {
	switch c.Op {
	case docs.OpExists:
		return "TRUE", nil
	case docs.OpMissing:
		return "FALSE", nil
	case docs.OpIn:
		keys := []string{}
		for _, v := range c.Values {
			if s, ok := v.(string); ok {
				keys = append(keys, storedKey(s))
			}
		}
		return "d.key = ANY(" + b.bind(keys) + ")", nil
	case docs.OpNone, docs.OpNe, docs.OpEq, docs.OpLt, docs.OpLe, docs.OpGt, docs.OpGe, docs.OpPrefix, docs.OpHas, docs.OpAny, docs.OpAll:
	}
	s, ok := c.Value.(string)
	if !ok {
		return "", docs.ErrInvalidQuery("a key is text")
	}
	if op, ok := orderOp(c.Op); ok {
		return "d.key " + op + " " + b.bind(storedKey(s)), nil
	}
	switch c.Op { //nolint:exhaustive // the others stand above
	case docs.OpEq:
		return "d.key = " + b.bind(storedKey(s)), nil
	case docs.OpPrefix:
		return "starts_with(d.key, " + b.bind(storedKey(s)) + ")", nil
	}
	return "", docs.ErrInvalidQuery("comparison %d cannot be made on the key", c.Op)
}

// storedKey is a key, or what one is compared with, as the column has it; plainKey is the key.
func storedKey(key string) string {
	return StoredText(strings.ToValidUTF8(key, "\uFFFD"))
}

func plainKey(stored string) string { return PlainText(stored) }

// path is the value at a path inside the document.
func (b *builder) path(f docs.Field) (string, error) {
	elements, err := f.Elements()
	if err != nil {
		return "", err
	}
	var x strings.Builder
	x.WriteString("(d.doc")
	for _, e := range elements {
		x.WriteString(" -> " + b.bind(StoredText(strings.ToValidUTF8(e, "\uFFFD"))) + "::text")
	}
	x.WriteByte(')')
	return x.String(), nil
}

// pathCond compares a value inside the document, with values of the same type.
func (b *builder) pathCond(c docs.Cond) (string, error) {
	if c.Op == docs.OpIn {
		conds := make([]docs.Cond, len(c.Values))
		for i, v := range c.Values {
			conds[i] = docs.Eq(c.Field, v)
		}
		return b.several(conds, "FALSE", " OR ")
	}
	x, err := b.path(c.Field)
	if err != nil {
		return "", err
	}
	var d Dialect
	if op, ok := orderOp(c.Op); ok {
		if _, ok := c.Value.(bool); ok {
			return "", docs.ErrInvalidQuery("booleans have no order")
		}
		return b.compare(x, op, c.Value)
	}
	switch c.Op {
	case docs.OpEq:
		return b.compare(x, "=", c.Value)
	case docs.OpPrefix:
		s, ok := c.Value.(string)
		if !ok {
			return "", docs.ErrInvalidQuery("a prefix is text")
		}
		return "starts_with(" + d.TextOf(x) + ", " + b.bind(storedKey(s)) + ")", nil
	case docs.OpExists:
		return "NOT " + d.IsNull(x), nil
	case docs.OpMissing:
		return d.IsNull(x), nil
	case docs.OpHas:
		any := d.AnyOf(x, func(element string) (text string) {
			text, err = b.compare(element, "=", c.Value)
			return text
		})
		return any, err
	case docs.OpNone, docs.OpNe, docs.OpLt, docs.OpLe, docs.OpGt, docs.OpGe, docs.OpIn, docs.OpAny, docs.OpAll:
	}
	return "", docs.ErrInvalidQuery("comparison %d is unknown", c.Op)
}

// compare compares a JSON value with one of the same type.
func (b *builder) compare(x, op string, v any) (string, error) {
	s, err := docs.Scalar(v)
	if err != nil {
		return "", err
	}
	var d Dialect
	switch s := s.(type) {
	case bool:
		return d.BoolOf(x) + " " + op + " " + b.bind(s), nil
	case string:
		return d.TextOf(x) + " " + op + " " + b.bind(StoredText(s)), nil
	default:
		return d.NumberOf(x) + " " + op + " " + b.bind(s), nil
	}
}

func appText(app model.AppID) string {
	if app.IsZero() {
		return ""
	}
	return app.String()
}
