package api

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// List is what every list takes: which part of it, in what order, and what is
// looked for. A request type that embeds it makes its route a list (Route.List).
//
// Nothing of it is refused but a cursor that the server did not give: what cannot be read is as if it had not been sent, and what goes
// too far stops at the bound.
type List struct {
	Start  params.Value `param:"iDisplayStart"`
	Length params.Value `param:"iDisplayLength"`
	Search string       `param:"sSearch"`
	Column params.Value `param:"iSortCol_0"`
	Dir    string       `param:"sSortDir_0"`
	// Sort names a column, or is an object such as {"name":-1}.
	Sort params.Value `param:"sort"`
	Echo params.Value `param:"sEcho"`
	// Cursor leads to the rows behind those that an answer before had (cursor.go).
	Cursor params.Value `param:"cursor"`
}

// Column is what a list can be sorted by.
type Column struct {
	Name  string // for the parameter sort
	Field docs.Field
}

// Listing says how a list is sorted and bounded.
type Listing struct {
	// Columns stand at the numbers that iSortCol_0 tells; a column without a Field is not sorted by.
	Columns []Column
	// Sort and Desc are the usual order.
	Sort docs.Field
	Desc bool
	// Usual is how many rows are answered when the request does not say, and Most how many at most.
	Usual, Most int
}

// Query is the query of the part that is asked for, but for the conditions on what the
// caller may see.
func (r List) Query(l Listing) docs.Query {
	q := docs.Query{Search: strings.TrimSpace(r.Search), Sort: l.Sort, Desc: l.Desc}
	q.Offset, q.Limit = r.Part(l.Usual, l.Most)
	if key, desc := r.SortBy(); key != "" {
		for _, c := range l.Columns {
			if c.Name == key && c.Field != "" {
				q.Sort, q.Desc = c.Field, desc
				return q
			}
		}
	}
	if n, ok := number(r.Column); ok && n >= 0 && n < len(l.Columns) && l.Columns[n].Field != "" {
		q.Sort, q.Desc = l.Columns[n].Field, l.Columns[n].Field == l.Sort && l.Desc
	}
	switch r.Dir {
	case "asc":
		q.Desc = false
	case "desc":
		q.Desc = true
	}
	return q
}

// Part returns the place of the first row that is wanted, and how many are: usual if the request does
// not say, and most if it wants more, or all (a negative number).
func (r List) Part(usual, most int) (start, length int) {
	start, _ = number(r.Start)
	length, ok := number(r.Length)
	switch {
	case !ok || length == 0:
		length = usual
	case length < 0:
		length = most
	}
	return max(start, 0), min(length, most)
}

// SortBy reads the parameter sort: an object of one field such as {"lac":-1}, or the field, which
// sSortDir_0 then gives its direction. The key is "" when it is neither.
func (r List) SortBy() (key string, desc bool) {
	var m map[string]float64
	if json.Unmarshal(r.Sort.Raw(), &m) == nil {
		if len(m) != 1 {
			return "", false
		}
		for k, dir := range m {
			key, desc = k, dir < 0
		}
		return key, desc
	}
	key = r.Sort.String()
	if strings.ContainsAny(key, "{}[]\"") { // JSON that cannot be read, or does not say an order
		return "", false
	}
	return key, r.Dir == "desc"
}

// number reads a whole number; one beyond all bounds is the bound.
func number(v params.Value) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(v.String()))
	switch {
	case err == nil:
		return n, true
	case !errors.Is(err, strconv.ErrRange):
		return 0, false
	case n < 0:
		return math.MinInt, true
	}
	return math.MaxInt, true
}

// InTable reports whether a list that has another form on the wire is wanted as a table:
// it is when sEcho is sent.
func (r List) InTable() bool { return r.Echo.Echo() != nil }

// Table is a part of a list in the form that tables take.
type Table[Row any] struct {
	Echo    any   `json:"sEcho,omitempty"` // as it was sent
	Total   int   `json:"iTotalRecords"`   // rows that the caller may see
	Display int   `json:"iTotalDisplayRecords"`
	Rows    []Row `json:"aaData"`
}

// TableOf makes the table of a page that was read for r.
func TableOf[T, Row any](r List, p docs.Page[T], row func(T) Row) Table[Row] {
	out := Table[Row]{Echo: r.Echo.Echo(), Total: p.Total, Display: p.Matching, Rows: make([]Row, len(p.Docs))}
	for i, doc := range p.Docs {
		out.Rows[i] = row(doc)
	}
	return out
}

// Itself is the row of a list that shows its documents as they are.
func Itself[T any](doc T) T { return doc }

// Bare is a list whose form on the wire is an array: that, unless a table is wanted.
func Bare[Row any](r List, t Table[Row]) any {
	if r.InTable() {
		return t
	}
	return t.Rows
}

// PartOf cuts out of a list that is in memory because nothing else knows it, such as what the
// program itself consists of, the part that a query asks for.
func PartOf[T any](all []T, q docs.Query, total int) docs.Page[T] {
	start := min(q.Offset, len(all))
	return docs.Page[T]{Docs: all[start:min(start+q.Limit, len(all))], Total: total, Matching: len(all)}
}
