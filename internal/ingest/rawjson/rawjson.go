// Package rawjson walks JSON text that strangers wrote, without building a
// tree.
//
// Values are handed on as slices of the input, so walking costs no memory
// however the input is shaped, and nesting costs at most MaxDepth bits. A
// value that is nested deeper is handed on too, with nothing checked but its
// brackets and strings, so that what stands beside it and shallow in it is
// not lost: who keeps a value asks Valid first. The grammar is RFC 8259 with
// two relaxations that clients rely on: control characters may stand unescaped
// in strings, and bytes need not be UTF-8 (Unescape replaces what is not).
package rawjson

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// MaxDepth is how deep a valid value may be nested.
const MaxDepth = 64

// ErrSyntax says that the text is not JSON.
var ErrSyntax = errors.New("rawjson: malformed")

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. Invalid is what no JSON value begins with.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// KindOf tells the type of a value by its first byte, which must not be space.
func KindOf(v []byte) Kind {
	if len(v) == 0 {
		return Invalid
	}
	switch c := v[0]; {
	case c == '{':
		return Object
	case c == '[':
		return Array
	case c == '"':
		return String
	case c == 't' || c == 'f':
		return Bool
	case c == 'n':
		return Null
	case c == '-' || c >= '0' && c <= '9':
		return Number
	}
	return Invalid
}

// Trim cuts JSON white space from both ends.
func Trim(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// Valid reports whether b is one JSON value, with white space around it
// allowed, nested at most MaxDepth deep.
func Valid(b []byte) bool {
	b = Trim(b)
	if k := KindOf(b); k == Object || k == Array {
		return container(b, 0) == len(b)
	}
	return value(b, 0) == len(b)
}

// Elements calls fn for each element of the array b until fn returns false.
// It returns ErrSyntax when b is not an array or breaks off; what stood before
// the fault has been passed on.
func Elements(b []byte, fn func(v []byte) bool) error {
	c := NewCursor(b)
	for range c.Elements {
		if v := c.Value(); v != nil && !fn(v) {
			return nil
		}
	}
	return c.err()
}

// Members calls fn for each member of the object b, in order and with
// duplicates, until fn returns false. The key is raw: the text between its
// quotes, see Unescape. It returns ErrSyntax when b is not an object or breaks
// off; what stood before the fault has been passed on.
func Members(b []byte, fn func(key, v []byte) bool) error {
	c := NewCursor(b)
	for key := range c.Members {
		if v := c.Value(); v != nil && !fn(key, v) {
			return nil
		}
	}
	return c.err()
}

// What the functions below return in place of the index behind what they step over.
const (
	malformed = -1 // it is not JSON
	tooDeep   = -2 // it is nested deeper than MaxDepth
)

// value returns the index behind the value that begins at i, whatever its depth.
func value(b []byte, i int) int {
	if i < 0 || i >= len(b) {
		return malformed
	}
	switch c := b[i]; {
	case c == '"':
		return str(b, i)
	case c == '-' || c >= '0' && c <= '9':
		return number(b, i)
	case c == '{' || c == '[':
		if end := container(b, i); end != tooDeep {
			return end
		}
		return skipDeep(b, i)
	}
	return literal(b, i)
}

// container returns the index behind the object or array that begins at i.
func container(b []byte, i int) int {
	var (
		stack uint64 // bit 0 is the innermost: 1 = object, 0 = array
		depth int
	)
	for {
		// A value begins at i.
		if i >= len(b) {
			return malformed
		}
		switch c := b[i]; {
		case c == '"':
			if i = str(b, i); i < 0 {
				return malformed
			}
		case c == '-' || c >= '0' && c <= '9':
			if i = number(b, i); i < 0 {
				return malformed
			}
		case c == '{' || c == '[':
			if depth == MaxDepth {
				return tooDeep
			}
			depth++
			stack <<= 1
			closing := byte(']')
			if c == '{' {
				stack |= 1
				closing = '}'
			}
			if i = space(b, i+1); i < len(b) && b[i] == closing {
				break // the end is found below
			}
			if c == '{' {
				if i = key(b, i); i < 0 {
					return malformed
				}
			}
			continue
		default:
			if i = literal(b, i); i < 0 {
				return malformed
			}
		}
		// A value ended before i: close containers until one goes on.
		for {
			i = space(b, i)
			if i >= len(b) {
				return malformed
			}
			c := b[i]
			i++
			if c == ',' {
				i = space(b, i)
				if stack&1 == 1 {
					if i = key(b, i); i < 0 {
						return malformed
					}
				}
				break
			}
			if stack&1 == 1 && c != '}' || stack&1 == 0 && c != ']' {
				return malformed
			}
			stack >>= 1
			if depth--; depth == 0 {
				return i
			}
		}
	}
}

// skipDeep steps over a container of any depth by counting brackets outside
// of strings.
func skipDeep(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			if i = str(b, i); i < 0 {
				return malformed
			}
			continue
		}
		i++
	}
	return malformed
}

// key steps over `"text" :` and the space behind it.
func key(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return malformed
	}
	if i = str(b, i); i < 0 {
		return malformed
	}
	i = space(b, i)
	if i >= len(b) || b[i] != ':' {
		return malformed
	}
	return space(b, i+1)
}

// str returns the index behind the string that begins at i.
func str(b []byte, i int) int {
	i++
	for {
		for i <= len(b)-8 {
			if found := ends(b[i:]); found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		for i < len(b) && b[i] != '"' && b[i] != '\\' {
			i++
		}
		if i >= len(b) {
			return malformed
		}
		if b[i] == '"' {
			return i + 1
		}
		if i = escape(b, i); i < 0 {
			return malformed
		}
	}
}

// ends looks at the first eight bytes of b: of each that is a quote or a backslash, and of nothing before the first of
// them, it sets the highest bit.
func ends(b []byte) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	w := binary.LittleEndian.Uint64(b)
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash) & high
}

// escape steps over the escape whose backslash stands at i.
func escape(b []byte, i int) int {
	i++
	if i >= len(b) {
		return malformed
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		if _, ok := hex4(b, i+1); ok {
			return i + 5
		}
	}
	return malformed
}

func number(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return malformed
	case b[i] == '0':
		i++
	case b[i] >= '1' && b[i] <= '9':
		i = digits(b, i)
	default:
		return malformed
	}
	if i < len(b) && b[i] == '.' {
		end := digits(b, i+1)
		if end == i+1 {
			return malformed
		}
		i = end
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		end := digits(b, i)
		if end == i {
			return malformed
		}
		i = end
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func literal(b []byte, i int) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(b)-i >= len(word) && string(b[i:i+len(word)]) == word {
			return i + len(word)
		}
	}
	return malformed
}

// space steps over white space, of which most JSON has none.
func space(b []byte, i int) int {
	if i < len(b) && b[i] <= ' ' {
		return blanks(b, i)
	}
	return i
}

func blanks(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// Text appends the text of a JSON string value to dst: escapes resolved, what
// is not UTF-8 replaced by U+FFFD. It returns false when v is not a string.
func Text(dst, v []byte) ([]byte, bool) {
	if len(v) < 2 || v[0] != '"' {
		return dst, false
	}
	return Unescape(dst, v[1:len(v)-1]), true
}

// Unescape appends the text that raw, the inside of a JSON string, stands
// for. Lone surrogates and bytes that are not UTF-8 become U+FFFD.
func Unescape(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '\\' && i+1 < len(raw):
			switch raw[i+1] {
			case 'b':
				dst = append(dst, '\b')
			case 'f':
				dst = append(dst, '\f')
			case 'n':
				dst = append(dst, '\n')
			case 'r':
				dst = append(dst, '\r')
			case 't':
				dst = append(dst, '\t')
			case 'u':
				r, ok := hex4(raw, i+2)
				if !ok {
					dst = append(dst, raw[i], raw[i+1])
					i += 2
					continue
				}
				i += 6
				if utf16.IsSurrogate(r) {
					low, ok := rune(0), false
					if i+1 < len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
						low, ok = hex4(raw, i+2)
					}
					if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
						i += 6
					}
				}
				dst = utf8.AppendRune(dst, r)
				continue
			default:
				dst = append(dst, raw[i+1])
			}
			i += 2
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		}
	}
	return dst
}

func hex4(b []byte, i int) (rune, bool) {
	if len(b)-i < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// Float returns the value of a JSON number. It returns false when v is not a
// number or out of range.
func Float(v []byte) (float64, bool) {
	if KindOf(v) != Number {
		return 0, false
	}
	return ParseFloat(v)
}

// ParseFloat reads a decimal number as clients write it in text, without
// allocating. Infinities, NaN, hexadecimal and underscores are refused.
func ParseFloat(v []byte) (float64, bool) {
	if len(v) == 0 || len(v) > 64 {
		return 0, false
	}
	if f, ok := short(v); ok {
		return f, true
	}
	for _, c := range v {
		if !inNumber(c) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(v), len(v)), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, false
	}
	return f, true
}

// AppendQuote appends s as a JSON string.
func AppendQuote(dst, s []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
			i++
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			i++
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRune(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		}
	}
	return append(dst, '"')
}
