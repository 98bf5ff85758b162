package rawjson_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/rawjson"
)

// naive is the package as plainly as possible.
type naive struct{ text string }

var (
	blank   = regexp.MustCompile(`^[ \t\r\n]*`)
	scalars = regexp.MustCompile(`^(?s:"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)`)
)

func (n *naive) take(re *regexp.Regexp) string {
	s := re.FindString(n.text)
	n.text = n.text[len(s):]
	return s
}

func (n *naive) takes(s string) (ok bool) {
	n.take(blank)
	n.text, ok = strings.CutPrefix(n.text, s)
	return ok
}

func (n *naive) scalar() bool {
	s := n.take(scalars)
	if s == "" {
		return false
	}
	if n.text == "" || !strings.Contains("-0123456789", s[:1]) {
		return true
	}
	// A fraction or an exponent that breaks off spoils the number before it.
	return (n.text[0] != '.' || strings.ContainsAny(s, ".eE")) && (n.text[0]|0x20 != 'e' || strings.ContainsAny(s, "eE"))
}

// value steps over a value nested at most depth deep.
func (n *naive) value(depth int) (ok, deep bool) {
	n.take(blank)
	var end string
	switch {
	case strings.HasPrefix(n.text, "{"):
		end = "}"
	case strings.HasPrefix(n.text, "["):
		end = "]"
	default:
		return n.scalar(), false
	}
	if depth == 0 {
		return false, true
	}
	n.text = n.text[1:]
	if n.takes(end) {
		return true, false
	}
	for {
		if end == "}" {
			if n.take(blank); !strings.HasPrefix(n.text, `"`) || !n.scalar() || !n.takes(":") {
				return false, false
			}
		}
		if ok, deep = n.value(depth - 1); !ok {
			return false, deep
		}
		if n.takes(end) {
			return true, false
		}
		if !n.takes(",") {
			return false, false
		}
	}
}

// any steps over a value of any depth, and returns it.
func (n *naive) any() (string, bool) {
	n.take(blank)
	begin := n.text
	ok, deep := n.value(rawjson.MaxDepth)
	if deep {
		n.text = begin
		for depth := 0; n.text != ""; {
			switch n.text[0] {
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			case '"':
				if !n.scalar() {
					return "", false
				}
				continue
			}
			if n.text = n.text[1:]; depth == 0 {
				ok = true
				break
			}
		}
	}
	return begin[:len(begin)-len(n.text)], ok
}

// items returns the elements or, with their keys, the members that stand before the first fault, and whether there is none.
func (n *naive) items(begin, end string) (list []string, ok bool) {
	n.text = strings.Trim(n.text, " \t\r\n")
	if !n.takes(begin) {
		return nil, false
	}
	if n.takes(end) {
		return nil, n.text == ""
	}
	for {
		if begin == "{" {
			n.take(blank)
			key := n.text
			if !strings.HasPrefix(key, `"`) || !n.scalar() {
				return list, false
			}
			key = key[1 : len(key)-len(n.text)-1]
			if !n.takes(":") {
				return list, false
			}
			v, ok := n.any()
			if !ok {
				return list, false
			}
			list = append(list, key, v)
		} else {
			v, ok := n.any()
			if !ok {
				return list, false
			}
			list = append(list, v)
		}
		if n.takes(end) {
			return list, n.text == ""
		}
		if !n.takes(",") {
			return list, false
		}
	}
}

// compare compares all walks with the naive ones.
func compare(t *testing.T, b []byte) {
	t.Helper()
	n := naive{strings.Trim(string(b), " \t\r\n")}
	want, _ := n.value(rawjson.MaxDepth)
	if want = want && n.text == ""; rawjson.Valid(b) != want {
		t.Errorf("%q: valid is %v, want %v", b, !want, want)
	}
	var got []string
	err := rawjson.Elements(b, func(v []byte) bool { got = append(got, string(v)); return true })
	n = naive{string(b)}
	if list, ok := n.items("[", "]"); ok != (err == nil) || !cmp.Equal(list, got) {
		t.Errorf("%q: elements %q, %v, want %q, %v", b, got, err, list, ok)
	}
	got = nil
	err = rawjson.Members(b, func(key, v []byte) bool { got = append(got, string(key), string(v)); return true })
	n = naive{string(b)}
	if list, ok := n.items("{", "}"); ok != (err == nil) || !cmp.Equal(list, got) {
		t.Errorf("%q: members %q, %v, want %q, %v", b, got, err, list, ok)
	}
	if !want {
		return
	}
	c := rawjson.NewCursor(b)
	if entered, walked := enter(&c, nil), leaves(rawjson.Trim(b), nil); !c.Done() || !cmp.Equal(entered, walked) {
		t.Errorf("%q: a cursor finds %q, want %q", b, entered, walked)
	}
}

// enter returns the keys and scalars of the value at c, entering every container but the third of each.
func enter(c *rawjson.Cursor, list []string) []string {
	i := 0
	switch c.Kind() {
	case rawjson.Array:
		for range c.Elements {
			if i++; i != 3 {
				list = enter(c, list)
			}
		}
	case rawjson.Object:
		for key := range c.Members {
			if i++; i != 3 {
				list = enter(c, append(list, string(key)))
			}
		}
	case rawjson.Null, rawjson.Bool, rawjson.Number, rawjson.String, rawjson.Invalid:
		list = append(list, string(c.Value()))
	}
	return list
}

// leaves is enter with slices.
func leaves(v []byte, list []string) []string {
	i := 0
	switch rawjson.KindOf(v) {
	case rawjson.Array:
		_ = rawjson.Elements(v, func(v []byte) bool {
			if i++; i != 3 {
				list = leaves(v, list)
			}
			return true
		})
	case rawjson.Object:
		_ = rawjson.Members(v, func(key, v []byte) bool {
			if i++; i != 3 {
				list = leaves(v, append(list, string(key)))
			}
			return true
		})
	case rawjson.Null, rawjson.Bool, rawjson.Number, rawjson.String, rawjson.Invalid:
		list = append(list, string(v))
	}
	return list
}

// random appends a value, now and then one that is nested about as deep as is allowed.
func random(r *rand.Rand, b []byte, depth int) []byte {
	if r.IntN(9) == 0 {
		b = append(b, " \t\r\n"[r.IntN(4)])
	}
	switch n := r.IntN(12); {
	case n == 0:
		deep := rawjson.MaxDepth - 6 + r.IntN(8)
		return append(append(append(b, strings.Repeat(`[{"k":`, deep/2)...), '1'), strings.Repeat(`}]`, deep/2)...)
	case n < 3 && depth < 5:
		b = append(b, '[')
		for i := range r.IntN(5) {
			if i > 0 {
				b = append(b, ',')
			}
			b = random(r, b, depth+1)
		}
		b = append(b, ']')
	case n < 6 && depth < 5:
		b = append(b, '{')
		for i := range r.IntN(5) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, '"'), strings.Repeat("key", r.IntN(7))...)
			b = random(r, append(b, []string{`":`, `" :`}[r.IntN(2)]...), depth+1)
		}
		b = append(b, '}')
	case n < 9:
		b = append(b, '"')
		for range r.IntN(4) {
			b = append(b, []string{"text", `\"`, `\\`, `\u00e9`, "é", "\x01", "a longer text"}[r.IntN(7)]...)
		}
		b = append(b, '"')
	default:
		b = append(b, []string{"0", "-1", "12.50", "1e-3", "1936515600123", "true", "false", "null"}[r.IntN(8)]...)
	}
	return b
}

// TestNaive walks random text, much of it damaged.
func TestNaive(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 3000 {
		b := random(r, nil, 0)
		for range r.IntN(3) {
			if i := r.IntN(len(b) + 1); r.IntN(3) == 0 {
				b = b[:i]
			} else if i < len(b) {
				b[i] = "[]{},:\"\\ 0.x"[r.IntN(12)]
			}
		}
		if compare(t, b); t.Failed() {
			return
		}
	}
}

// FuzzCursor compares the walks of any text with naive ones.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{`[1,{"a":"b\u0041"},null]`, `{"a":[true,false,-0.5e-1],"b" : {} } `, `["1234567","12345678\"9"]`, "[1.]", `{"a":"\x"}`, strings.Repeat("[", 70) + strings.Repeat("]", 70)} {
		f.Add([]byte(s))
	}
	f.Fuzz(compare)
}

// TestShortNumbers compares numbers as clients write them with what package strconv reads.
func TestShortNumbers(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		b := make([]byte, 1+r.IntN(18))
		for i := range b {
			b[i] = "0123456789"[r.IntN(10)]
		}
		if r.IntN(2) == 0 {
			b[r.IntN(len(b))] = '.'
		}
		if r.IntN(3) == 0 {
			b[0] = "+-.0"[r.IntN(4)]
		}
		want, err := strconv.ParseFloat(string(b), 64)
		if got, ok := rawjson.ParseFloat(b); ok != (err == nil) || ok && strconv.FormatFloat(got, 'x', -1, 64) != strconv.FormatFloat(want, 'x', -1, 64) {
			t.Fatalf("%q is %v, %v, want %v, %v", b, got, ok, want, err)
		}
	}
}
