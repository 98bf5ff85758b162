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
			end, err := str(v, i)
			if err != nil {
				return v, false
			}
			i = end
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
