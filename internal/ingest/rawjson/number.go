package rawjson

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"unsafe"
)

// longest is the length of the longest number that is read, in bytes.
const longest = 1024

// ParseWide is ParseFloat for numbers of any size: one beyond the range of a float64 is
// an infinity with its sign.
func ParseWide(v []byte) (float64, bool) {
	if f, ok := ParseFloat(v); ok {
		return f, true
	}
	if len(v) == 0 || len(v) > longest {
		return 0, false
	}
	for _, c := range v {
		if !inNumber(c) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(v), len(v)), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return f, true
}

// powers are those of ten by which what short reads is divided.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// short reads a number of at most 15 digits without an exponent, as nearly all are. A float64 holds its digits and the
// power of ten exactly, so their quotient is the nearest float64, as for strconv.
func short(v []byte) (float64, bool) {
	negative := v[0] == '-'
	if negative || v[0] == '+' {
		v = v[1:]
	}
	if len(v) > len(powers) {
		return 0, false
	}
	digits, all, point := uint64(0), len(v), len(v)
	for i, c := range v {
		switch {
		case c >= '0' && c <= '9':
			digits = 10*digits + uint64(c-'0')
		case c == '.' && point == len(v):
			point, all = i, all-1
		default:
			return 0, false
		}
	}
	if all == 0 || all == len(powers) {
		return 0, false
	}
	f := float64(digits)
	if point < len(v) {
		f /= powers[len(v)-1-point]
	}
	if negative {
		f = -f
	}
	return f, true
}

// inNumber reports whether a decimal number can hold the byte.
func inNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E'
}

// Bound returns valid JSON with every number beyond ±limit replaced by that limit, and
// whether there was one. Without one the result is v itself.
func Bound(v []byte, limit float64) ([]byte, bool) {
	var out []byte // nil until something is replaced
	done := 0      // of v, in out
	for i := 0; i < len(v); {
		c := v[i]
		switch {
		case c == '"':
			if i = str(v, i); i < 0 {
				return v, false
			}
			continue
		case c != '-' && (c < '0' || c > '9'):
			i++
			continue
		}
		end := number(v, i)
		if end < 0 {
			return v, false
		}
		if text := v[i:end]; len(text) > 15 || bytes.ContainsAny(text, "eE") {
			f, ok := ParseWide(text)
			if !ok { // longer than any number of use
				f = math.Inf(1)
				if text[0] == '-' {
					f = math.Inf(-1)
				}
			}
			if math.Abs(f) > limit {
				out = append(out, v[done:i]...)
				out = strconv.AppendFloat(out, math.Copysign(limit, f), 'g', -1, 64)
				done = end
			}
		}
		i = end
	}
	if out == nil {
		return v, false
	}
	return append(out, v[done:]...), true
}
