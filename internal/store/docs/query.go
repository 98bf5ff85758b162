package docs

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"quipu/internal/filter"
)

// Field names what a condition or an order looks at: the name of an index, or
// a JSON path with a leading dot, as ".owner.name". The empty Field is the key.
type Field string

// Path reports the JSON path's elements, and false for an index or the key.
func (f Field) Path() ([]string, bool) {
	if !strings.HasPrefix(string(f), ".") {
		return nil, false
	}
	return strings.Split(string(f[1:]), "."), true
}

// Elements returns the JSON path's elements, or docs.invalid_query when one of them is empty or holds a
// quote, a backslash or a control character.
func (f Field) Elements() ([]string, error) {
	elements, _ := f.Path()
	for _, e := range elements {
		if e == "" || strings.ContainsAny(e, "\"\\") || strings.ContainsFunc(e, func(r rune) bool { return r < ' ' }) {
			return nil, ErrInvalidQuery("%q is not a path", f)
		}
	}
	return elements, nil
}

// Query selects documents. The zero value selects all of them, by key.
type Query struct {
	Where  []Cond // all must hold
	Sort   Field  // zero: by key, and what has the same key by app
	Desc   bool   // the other way round; so are ties, which go by when a document came
	Offset int
	Limit  int // 0: no limit
	// Filter keeps the documents that pass it, as their JSON stands.
	Filter filter.Expr
	// Search keeps the documents that have this text somewhere in the Spec's
	// Search paths, as SearchText compares texts.
	Search string
}

// Op is a comparison.
type Op uint8

// The comparisons. The zero value is not one.
const (
	OpNone Op = iota
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpIn      // Values
	OpPrefix  // of text
	OpExists  // a value other than null
	OpMissing // no value, or null
	OpHas     // an array that holds the value; paths only
	OpAny     // one of Any holds
	OpAll     // all of Any hold
)

// Cond is a condition; make it with Eq, Ne and the like.
//
// Values compare with values of their own type only: text by its bytes,
// numbers as float64. Ne holds for documents without the value, too. On an index
// of several values, a comparison holds when it holds for one of them, and Ne when
// none is equal.
type Cond struct {
	Field  Field
	Op     Op
	Value  any // string, bool, or a number
	Values []any
	Any    []Cond
}

// Eq asks for equality.
func Eq(f Field, v any) Cond { return Cond{Field: f, Op: OpEq, Value: v} }

// Ne asks for inequality.
func Ne(f Field, v any) Cond { return Cond{Field: f, Op: OpNe, Value: v} }

// Lt asks for values below v.
func Lt(f Field, v any) Cond { return Cond{Field: f, Op: OpLt, Value: v} }

// Le asks for values up to v.
func Le(f Field, v any) Cond { return Cond{Field: f, Op: OpLe, Value: v} }

// Gt asks for values above v.
func Gt(f Field, v any) Cond { return Cond{Field: f, Op: OpGt, Value: v} }

// Ge asks for values from v on.
func Ge(f Field, v any) Cond { return Cond{Field: f, Op: OpGe, Value: v} }

// In asks for one of several values.
func In(f Field, vs ...any) Cond { return Cond{Field: f, Op: OpIn, Values: vs} }

// Prefix asks for text that begins with s.
func Prefix(f Field, s string) Cond { return Cond{Field: f, Op: OpPrefix, Value: s} }

// Exists asks for any value.
func Exists(f Field) Cond { return Cond{Field: f, Op: OpExists} }

// Missing asks for no value.
func Missing(f Field) Cond { return Cond{Field: f, Op: OpMissing} }

// Has asks for an array that holds v.
func Has(f Field, v any) Cond { return Cond{Field: f, Op: OpHas, Value: v} }

// Any asks for one of several conditions.
func Any(conds ...Cond) Cond { return Cond{Op: OpAny, Any: conds} }

// All asks for several conditions at once.
func All(conds ...Cond) Cond { return Cond{Op: OpAll, Any: conds} }

// Scalar brings a condition's or an index function's value to one of string,
// bool and float64. Text is made valid UTF-8.
func Scalar(v any) (any, error) {
	switch x := v.(type) {
	case string:
		return strings.ToValidUTF8(x, "\uFFFD"), nil
	case bool:
		return x, nil
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, ErrInvalidQuery("%v is not a number of JSON", x)
		}
		if x == 0 {
			return 0.0, nil // no negative zero
		}
		return x, nil
	case int:
		return float64(x), nil
	case int64:
		return float64(x), nil
	case int32:
		return float64(x), nil
	case uint32:
		return float64(x), nil
	case json.Number:
		n, err := x.Float64()
		if err != nil {
			return nil, ErrInvalidQuery("%s is not a number", x)
		}
		return Scalar(n)
	case interface{ MarshalText() ([]byte, error) }:
		text, err := x.MarshalText()
		if err != nil {
			return nil, fmt.Errorf("write value as text: %w", err)
		}
		return Scalar(string(text))
	default:
		return nil, ErrInvalidQuery("a value of type %T cannot be compared", v)
	}
}

// Tags of encoded values, in their order. The entry of nothing, in an index with Order, has none.
const (
	tagFalse  = 1
	tagTrue   = 2
	tagNumber = 3
	tagText   = 4
)

// EncodeValue writes a scalar so that the order of the bytes is the order of
// the values: false, true, numbers, text. fold lowers the case of text.
func EncodeValue(v any, fold bool) ([]byte, error) {
	s, err := Scalar(v)
	if err != nil {
		return nil, err
	}
	switch x := s.(type) {
	case bool:
		if x {
			return []byte{tagTrue}, nil
		}
		return []byte{tagFalse}, nil
	case float64:
		bits := math.Float64bits(x)
		if bits>>63 == 1 {
			bits = ^bits
		} else {
			bits |= 1 << 63
		}
		return binary.BigEndian.AppendUint64([]byte{tagNumber}, bits), nil
	case string:
		if fold {
			x = Fold(x)
		}
		return append([]byte{tagText}, x...), nil
	}
	return nil, ErrInvalidQuery("a value of type %T cannot be compared", s)
}

// Fold is the one definition of text without case: every letter lowered.
func Fold(s string) string { return strings.ToLower(s) }

// SearchText is the form in which texts are searched: without case, as Unicode
// folds it ("ß" is "ss", both small sigmas are one), and composed.
func SearchText(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
		}
	}
	return strings.ToLower(s)
}

// DecodeValue reads what EncodeValue has written, and nil of nothing.
func DecodeValue(b []byte) (any, error) {
	switch {
	case len(b) == 0:
		return nil, nil
	case len(b) == 1 && b[0] == tagFalse:
		return false, nil
	case len(b) == 1 && b[0] == tagTrue:
		return true, nil
	case len(b) == 9 && b[0] == tagNumber:
		bits := binary.BigEndian.Uint64(b[1:])
		if bits>>63 == 1 {
			bits &^= 1 << 63
		} else {
			bits = ^bits
		}
		return math.Float64frombits(bits), nil
	case b[0] == tagText:
		return string(b[1:]), nil
	}
	return nil, fmt.Errorf("an index entry of %d bytes with tag %d", len(b), b[0])
}
