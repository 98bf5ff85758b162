package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
)

// Key names a query: queries with equal keys read the same and give the same result over the same rows.
type Key [sha256.Size]byte

// Key returns the key of q. Queries that differ only in how they say the same may have different keys.
func (q *Query) Key() Key {
	w := keyWriter{sha256.New()}
	w.query(q)
	return Key(w.h.Sum(nil))
}

// With returns the key of a question about the result of the query that k names.
func (k Key) With(about string) Key { return sha256.Sum256(append(k[:], about...)) }

// keyWriter writes values so that no two different ones are written alike: each begins with what it is, or how long.
type keyWriter struct{ h hash.Hash }

// What begins expressions, in the order of their types in plan.go, and values.
const (
	keyNone byte = iota
	keyColumn
	keyMember
	keySegment
	keySlot
	keyLiteral
	keyCall
	keyIn
	keyAmong
	keyTyped
	keyFilter
	keyAgg
	keyInSet
	keyLists
	keyRest
)

func (w keyWriter) number(n uint64) {
	var b [8]byte
	_, _ = w.h.Write(binary.BigEndian.AppendUint64(b[:0], n)) // a hash takes everything
}

func (w keyWriter) count(n int) { w.number(uint64(n)) } // only its bits count

func (w keyWriter) text(s string) {
	w.count(len(s))
	_, _ = w.h.Write([]byte(s))
}

func (w keyWriter) truth(b bool) {
	if b {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w keyWriter) exprs(list []Expr) {
	w.count(len(list))
	for _, e := range list {
		w.expr(e)
	}
}

func (w keyWriter) query(q *Query) {
	w.text(string(q.App[:]))
	w.number(uint64(q.From))
	w.expr(q.Where)
	w.exprs(q.Select)
	w.truth(q.Distinct)
	w.expr(q.Having)
	w.truth(q.Whole)
	if w.truth(q.Detail != nil); q.Detail != nil {
		w.truth(q.Detail.Whole)
		w.expr(q.Detail.By)
		w.truth(q.Detail.Rest)
	}
	w.count(len(q.Order))
	for _, o := range q.Order {
		w.expr(o.By)
		w.truth(o.Desc)
	}
	w.count(q.Limit)
	w.count(q.Offset)
	if w.truth(q.Most != nil); q.Most != nil {
		w.number(uint64(q.Most.Rows)) // only its bits count
		w.expr(q.Most.When)
	}
}

func (w keyWriter) column(c Column) {
	w.number(uint64(c.Of))
	w.text(c.Name)
}

func (w keyWriter) expr(e Expr) {
	kind := func(b byte) { _, _ = w.h.Write([]byte{b}) }
	switch e := e.(type) {
	case nil:
		kind(keyNone)
	case Column:
		kind(keyColumn)
		w.column(e)
	case Member:
		kind(keyMember)
		w.column(e.Of)
		w.count(len(e.Path))
		for _, p := range e.Path {
			w.text(p)
		}
	case Segment:
		kind(keySegment)
		w.segment(e)
	case Slot:
		kind(keySlot)
		w.slot(e)
	case Rest:
		kind(keyRest)
	case Literal:
		kind(keyLiteral)
		w.value(e.Value)
	case Call:
		kind(keyCall)
		w.number(uint64(e.Fn))
		w.exprs(e.Args)
	case In:
		kind(keyIn)
		w.expr(e.Of)
		w.count(len(e.Values))
		for _, v := range e.Values {
			w.value(v)
		}
	case Among:
		kind(keyAmong)
		w.expr(e.Of)
		w.query(e.Query)
	case Typed:
		kind(keyTyped)
		w.typed(e)
	case Filter:
		kind(keyFilter)
		w.text(e.Filter.String())
		w.count(len(e.Paths))
		for _, path := range slices.Sorted(maps.Keys(e.Paths)) {
			w.text(path)
			w.typed(e.Paths[path])
		}
	case Agg:
		kind(keyAgg)
		w.number(uint64(e.Fn))
		w.expr(e.Of)
		w.expr(e.When)
		w.count(e.Share)
	case InSet:
		kind(keyInSet)
		w.expr(e.Of)
		w.text(e.ID)
		w.set(e.Set)
	case Lists:
		kind(keyLists)
		w.expr(e.Of)
		w.text(e.ID)
		w.truth(e.Sets != nil)
		w.count(len(e.Sets))
		for _, v := range e.Sets {
			w.value(v.Value)
			w.set(v.Set)
		}
	default:
		panic(fmt.Sprintf("plan: no key for %T", e)) // a new kind of expression
	}
}

func (w keyWriter) set(s *Set) {
	w.truth(s != nil)
	if s != nil {
		_, _ = w.h.Write(s.digest[:])
	}
}

func (w keyWriter) typed(t Typed) {
	w.expr(t.Expr)
	w.number(uint64(t.Type))
}

func (w keyWriter) slot(s Slot) {
	w.number(uint64(s.Kind))
	w.number(uint64(s.Index))
	w.text(s.Name)
}

func (w keyWriter) segment(s Segment) {
	w.text(s.Name)
	w.number(uint64(s.Type))
	w.count(len(s.In))
	for _, p := range s.In {
		w.text(p.Event)
		w.slot(Slot{Slot: p.Slot})
		w.slot(Slot{Slot: p.Was})
	}
}

// value writes a literal.
func (w keyWriter) value(v any) {
	switch v := v.(type) {
	case nil:
		w.number(0)
	case bool:
		w.number(1)
		w.truth(v)
	case int64:
		w.number(2)
		w.number(uint64(v)) // only its bits count
	case float64:
		w.number(3)
		w.number(math.Float64bits(v))
	case string:
		w.number(4)
		w.text(v)
	default:
		w.number(5)
		w.text(fmt.Sprintf("%T %v", v, v))
	}
}
