package stored

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/x448/float16"
)

// The kinds of values, RFC 8949 3.1.
const (
	kindUint byte = iota
	kindNegative
	kindBytes
	kindText
	kindList
	kindMap
	kindTag
	kindSimple
)

// Simple values and floats, RFC 8949 3.3.
const (
	simpleFalse byte = 20 + iota
	simpleTrue
	simpleNull
	_
	_
	simpleFloat16
	simpleFloat32
	simpleFloat64
)

// shortHead is the first number that does not fit into the byte of a kind.
const shortHead = 24

// maxDepth bounds how deep values may lie in one another.
const maxDepth = 64

// appendHead appends a kind and its number in the shortest form.
func appendHead(b []byte, kind byte, n uint64) []byte {
	kind <<= 5
	switch {
	case n < shortHead:
		return append(b, kind|byte(n))
	case n <= math.MaxUint8:
		return append(b, kind|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, kind|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, kind|26), uint32(n))
	default:
		return binary.BigEndian.AppendUint64(append(b, kind|27), n)
	}
}

// writer appends values to b.
type writer struct {
	b   []byte
	err error
}

func (w *writer) head(kind byte, n uint64) { w.b = appendHead(w.b, kind, n) }

func (w *writer) text(s string) {
	w.head(kindText, uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) int(v int64) {
	if v < 0 {
		w.head(kindNegative, uint64(-(v + 1))) // not negative
		return
	}
	w.head(kindUint, uint64(v))
}

func (w *writer) flag(v bool) {
	if v {
		w.b = append(w.b, kindSimple<<5|simpleTrue)
		return
	}
	w.b = append(w.b, kindSimple<<5|simpleFalse)
}

// float writes the shortest form that keeps the value, RFC 8949 4.2.2.
func (w *writer) float(v float64) {
	const kind = kindSimple << 5
	if math.IsNaN(v) {
		w.b = append(w.b, kind|simpleFloat16, 0x7e, 0)
		return
	}
	f := float32(v)
	if float64(f) != v {
		w.b = binary.BigEndian.AppendUint64(append(w.b, kind|simpleFloat64), math.Float64bits(v))
		return
	}
	if h := float16.Fromfloat32(f); h.Float32() == f {
		w.b = binary.BigEndian.AppendUint16(append(w.b, kind|simpleFloat16), h.Bits())
		return
	}
	w.b = binary.BigEndian.AppendUint32(append(w.b, kind|simpleFloat32), math.Float32bits(f))
}

// value writes a custom property.
func (w *writer) value(v any) {
	switch v := v.(type) {
	case nil:
		w.b = append(w.b, kindSimple<<5|simpleNull)
	case string:
		w.text(v)
	case float64:
		w.float(v)
	case bool:
		w.flag(v)
	case int:
		w.int(int64(v))
	case int64:
		w.int(v)
	case []byte:
		w.head(kindBytes, uint64(len(v)))
		w.b = append(w.b, v...)
	case []any:
		if v == nil {
			w.value(nil)
			return
		}
		w.head(kindList, uint64(len(v)))
		for i := range v {
			w.value(v[i])
		}
	case map[string]any:
		if v == nil {
			w.value(nil)
			return
		}
		putMap(w, v, (*writer).value)
	default:
		if w.err == nil {
			w.err = fmt.Errorf("a property cannot hold a %T", v)
		}
	}
}

// reader takes values off s; after the first fault everything read is zero.
type reader struct {
	s     string
	at    int
	depth int
	err   error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = errors.New(what)
	}
	r.at = len(r.s)
}

// head reads a kind and its number; of a simple value or float, info tells which.
func (r *reader) head() (kind, info byte, n uint64) {
	if r.at >= len(r.s) {
		r.fail("it is cut off")
		return 0, 0, 0
	}
	kind, info = r.s[r.at]>>5, r.s[r.at]&31
	r.at++
	if info < shortHead {
		return kind, info, uint64(info)
	}
	if info > 27 {
		r.fail("malformed number")
		return 0, 0, 0
	}
	size := 1 << (info - 24)
	if len(r.s)-r.at < size {
		r.fail("it is cut off")
		return 0, 0, 0
	}
	for range size {
		n = n<<8 | uint64(r.s[r.at])
		r.at++
	}
	return kind, info, n
}

// expect reads the number of a kind.
func (r *reader) expect(want byte) uint64 {
	kind, _, n := r.head()
	if r.err == nil && kind != want {
		r.fail("value of another kind")
	}
	if r.err != nil {
		return 0
	}
	return n
}

// open reads the number of elements of a list or pairs of a map.
func (r *reader) open(want byte) int { return r.elements(want, r.expect(want)) }

func (r *reader) elements(kind byte, n uint64) int {
	least := uint64(1)
	if kind == kindMap {
		least = 2
	}
	if n > uint64(len(r.s)-r.at)/least { // at never exceeds the length
		r.fail("it is cut off")
		return 0
	}
	return int(n) // checked
}

func (r *reader) take(n uint64) string {
	if n > uint64(len(r.s)-r.at) { // at never exceeds the length
		r.fail("it is cut off")
		return ""
	}
	r.at += int(n) // checked
	return r.s[r.at-int(n) : r.at]
}

func (r *reader) text() string { return r.take(r.expect(kindText)) }

func (r *reader) int() int64 {
	kind, _, n := r.head()
	return r.integer(kind, n)
}

func (r *reader) integer(kind byte, n uint64) int64 {
	switch {
	case r.err != nil:
	case kind > kindNegative:
		r.fail("value of another kind")
	case n > math.MaxInt64:
		r.fail("number out of range")
	case kind == kindNegative:
		return -1 - int64(n)
	default:
		return int64(n)
	}
	return 0
}

func (r *reader) flag() bool {
	kind, info, _ := r.head()
	if r.err == nil && (kind != kindSimple || info != simpleTrue && info != simpleFalse) {
		r.fail("value of another kind")
	}
	return r.err == nil && info == simpleTrue
}

func (r *reader) float() float64 {
	kind, info, n := r.head()
	if r.err == nil && (kind != kindSimple || info < simpleFloat16) {
		r.fail("value of another kind")
	}
	return toFloat(info, n)
}

func toFloat(info byte, bits uint64) float64 {
	switch info {
	case simpleFloat16:
		return float64(float16.Frombits(uint16(bits)).Float32()) // has two bytes
	case simpleFloat32:
		return float64(math.Float32frombits(uint32(bits))) // has four bytes
	case simpleFloat64:
		return math.Float64frombits(bits)
	}
	return 0
}

// value reads a custom property.
func (r *reader) value() any {
	kind, info, n := r.head()
	if r.err != nil {
		return nil
	}
	switch kind {
	case kindUint, kindNegative:
		return r.integer(kind, n)
	case kindBytes:
		return []byte(r.take(n))
	case kindText:
		return r.take(n)
	case kindList:
		return r.list(r.elements(kind, n))
	case kindMap:
		r.at -= headLen(info) // getMap reads it again
		if r.deeper() {
			defer func() { r.depth-- }()
			return getMap(r, (*reader).value)
		}
	case kindSimple:
		switch {
		case info == simpleFalse, info == simpleTrue:
			return info == simpleTrue
		case info == simpleNull:
			return nil
		case info >= simpleFloat16:
			return toFloat(info, n)
		}
		r.fail("unknown simple value")
	default:
		r.fail("value of another kind")
	}
	return nil
}

func (r *reader) list(n int) any {
	if !r.deeper() {
		return nil
	}
	defer func() { r.depth-- }()
	out := make([]any, 0, n)
	for range n {
		if out = append(out, r.value()); r.err != nil {
			return nil
		}
	}
	return out
}

// deeper steps into a list or map.
func (r *reader) deeper() bool {
	if r.depth++; r.depth > maxDepth {
		r.fail("it is too deep")
	}
	return r.err == nil
}

// headLen is the size of a head.
func headLen(info byte) int {
	if info < shortHead {
		return 1
	}
	return 1 + 1<<(info-24)
}

// skip passes over a value.
func (r *reader) skip(depth int) {
	kind, _, n := r.head()
	switch {
	case r.err != nil:
	case depth > maxDepth:
		r.fail("it is too deep")
	case kind == kindBytes || kind == kindText:
		r.take(n)
	case kind == kindTag:
		r.fail("value of another kind")
	case kind == kindList || kind == kindMap:
		for range r.elements(kind, n) {
			if r.skip(depth + 1); kind == kindMap {
				r.skip(depth + 1)
			}
			if r.err != nil {
				return
			}
		}
	}
}
