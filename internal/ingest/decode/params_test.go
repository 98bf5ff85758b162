package decode_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// unescaped decodes + and %XX one after the other, by the definition: what is no %XX stays as it is.
func unescaped(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if len(s) > 2 && s[0] == '%' {
			if n, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				s = s[3:]
				continue
			}
		}
		if s[0] == '+' {
			b.WriteByte(' ')
		} else {
			b.WriteByte(s[0])
		}
		s = s[1:]
	}
	return b.String()
}

// TestEscapes sends values of all lengths that are full of escapes and of what looks like them.
func TestEscapes(t *testing.T) {
	const alphabet = "%%%+0123456789abcdefABCDEFgG@`/:xyz{}\x01\x80\xff"
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	s := &sink{}
	d, _ := newDecoder(t, s)
	for n := range 2000 {
		value := make([]byte, 1+n%40)
		for i := range value {
			value[i] = 'v'
			if r.IntN(3) > 0 || n%2 == 0 {
				value[i] = alphabet[r.IntN(len(alphabet))]
			}
		}
		s.records = s.records[:0]
		do(d, "POST", "/i", formType, "app_key=K&device%5Fid=D&metrics="+string(value)+"&location=a%2Cb")
		if len(s.records) != 1 {
			t.Fatalf("%d records of value %q", len(s.records), value)
		}
		got := map[string]string{}
		for _, p := range s.records[0].Params {
			got[p.Name] = string(p.Value)
		}
		if want := unescaped(string(value)); got["metrics"] != want || got["location"] != "a,b" || got["device_id"] != "D" {
			t.Fatalf("seed %d: parameters %q, want metrics %q of %q", seed, got, want, value)
		}
	}
}
