package query

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// The functions below append JSON text. An object or array is opened and
// closed by its brackets; comma writes the separator where one is due.

func comma(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] != '{' && b[n-1] != '[' {
		return append(b, ',')
	}
	return b
}

func appendKey(b []byte, key string) []byte {
	return append(appendString(comma(b), key), ':')
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c == 0x7f {
			return appendOddString(b, s)
		}
	}
	if !utf8.ValidString(s) {
		return appendOddString(b, s)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendOddString(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return append(b, `""`...) // a string cannot fail to marshal
	}
	return append(b, text...)
}

// appendNumber writes integers without a fraction; what JSON cannot write
// (infinities, not-a-number) becomes 0.
func appendNumber(b []byte, x float64) []byte {
	const exact = 1 << 53
	switch {
	case x == math.Trunc(x) && math.Abs(x) < exact:
		return strconv.AppendInt(b, int64(x), 10)
	case math.IsInf(x, 0) || math.IsNaN(x):
		return append(b, '0')
	case math.Abs(x) >= 1e21 || math.Abs(x) < 1e-6:
		return strconv.AppendFloat(b, x, 'e', -1, 64)
	default:
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
}

func appendPair(b []byte, key string, x float64) []byte {
	return appendNumber(appendKey(b, key), x)
}
