package events

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CustomKey is the Row.Key of all custom events; the key the app gave is the Row.Name.
const CustomKey = "[CLY]_custom"

// InternalPrefix begins the keys of events that have a Row.Key of their own.
const InternalPrefix = "[CLY]_"

// Selector returns the values of Row.Key and Row.Name by which rows of an event
// key of the schema are found. Name is "" when any will do.
func Selector(event string) (key, name string) {
	if strings.HasPrefix(event, InternalPrefix) {
		return event, ""
	}
	return CustomKey, event
}

// CleanText is the form in which a text is stored: each run of bytes that is
// not UTF-8 becomes U+FFFD, everything else, NUL included, stays. Anyone who
// compares with stored text must clean the other side too.
func CleanText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// Finite reports whether a number can be stored. In its place, a slot is
// NULL, and a sum or duration is 0.
func Finite(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }

// CleanJSON is the form in which JSON text is stored: valid for every reader,
// so that one row cannot spoil a query over all. Text that is no JSON becomes "".
func CleanJSON(s string) string {
	s = CleanText(s)
	if plainObject(s) {
		return s
	}
	b := []byte(s)
	if !json.Valid(b) {
		return ""
	}
	// encoding/json lets lone surrogates pass, which are no text elsewhere.
	if !strings.Contains(s, `\ud`) && !strings.Contains(s, `\uD`) {
		return s
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return ""
	}
	return JSONText(v)
}

// plainObject reports whether a text is a JSON object of texts without escapes and of whole numbers without a sign, with no white space between them. Most
// are, and need no closer look, which takes four times as long. The text must be UTF-8.
func plainObject(s string) bool {
	if !strings.HasPrefix(s, `{"`) {
		return false
	}
	for i := 1; ; i++ { // behind the bracket, or a comma
		if i = plainText(s, i); i < 0 || i+1 >= len(s) || s[i] != ':' {
			return false
		}
		if i++; s[i] == '"' {
			i = plainText(s, i)
		} else {
			i = wholeNumber(s, i)
		}
		if i < 0 || i >= len(s) {
			return false
		}
		if s[i] == '}' {
			return i+1 == len(s)
		}
		if s[i] != ',' {
			return false
		}
	}
}

// plainText returns where a text without escapes that begins at i ends, less than 0 when there is none.
func plainText(s string, i int) int {
	if i >= len(s) || s[i] != '"' {
		return -1
	}
	for i++; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i + 1
		case c == '\\' || c < ' ':
			return -1
		}
	}
	return -1
}

// wholeNumber returns where a number of digits that begins at i ends, less than 0 when there is none.
func wholeNumber(s string, i int) int {
	from := i
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	if i == from || s[from] == '0' && i > from+1 {
		return -1
	}
	return i
}

// JSONText writes a value of a profile (see model.Profile) as JSON: keys sorted,
// no HTML escapes, text cleaned, numbers that are not finite as null. An
// empty or nil map gives "".
func JSONText(v any) string {
	b := appendJSON(nil, v)
	if s := string(b); s != "{}" && s != "null" {
		return s
	}
	return ""
}

func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case float64:
		if !Finite(v) {
			return append(b, "null"...)
		}
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.AppendInt(b, int64(v), 10)
		}
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	case map[string]any:
		return appendObject(b, v, appendJSON)
	case map[string]bool:
		return appendObject(b, v, strconv.AppendBool)
	case map[string]string:
		return appendObject(b, v, appendString)
	default:
		out, err := json.Marshal(v)
		if err != nil {
			return append(b, "null"...)
		}
		return append(b, out...)
	}
}

func appendObject[V any](b []byte, m map[string]V, value func([]byte, V) []byte) []byte {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	b = append(b, '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, k), ':')
		b = value(b, m[k])
	}
	return append(b, '}')
}

func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range CleanText(s) {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// StoredText is a text as it is stored; false for "", which is stored as absent.
func StoredText(s string) (string, bool) { return CleanText(s), s != "" }

// StoredJSON is JSON as it is stored; false, absent, for "" and for what is no JSON.
func StoredJSON(s string) (string, bool) {
	if s == "" {
		return "", false
	}
	s = CleanJSON(s)
	return s, s != ""
}

// StoredObject is a map as it is stored, as JSON; false, absent, for an empty one.
func StoredObject[V any](m map[string]V) (string, bool) {
	if len(m) == 0 {
		return "", false
	}
	s := JSONText(m)
	return s, s != ""
}

// Resolve follows chains of rewritten users' numbers: 1→2, 2→3 becomes 1→3, 2→3.
func Resolve(rewrites map[uint32]uint32) map[uint32]uint32 {
	out := make(map[uint32]uint32, len(rewrites))
	for from, to := range rewrites {
		for range rewrites { // a ring ends too
			next, ok := rewrites[to]
			if !ok {
				break
			}
			to = next
		}
		out[from] = to
	}
	return out
}
