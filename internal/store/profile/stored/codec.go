// Package stored writes and reads the stored form of profiles, which all engines keep. docs/format/profile.md describes it.
package stored

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/model"
)

// A stored profile is a version byte and CBOR (RFC 8949) in its core deterministic form (docs/format/profile.md). Every
// request reads and writes one, which is why the fields are written and read here and not by way of reflection.

// profileVersion is the first byte of a stored profile.
const profileVersion = 1

// Append appends the stored form of p. Errors: a value of Custom or Extra that is none of those that a profile may hold.
func Append(b []byte, p *model.Profile) ([]byte, error) {
	w := writer{b: append(b, profileVersion)}
	putFields(&w, p, profileFields)
	if w.err != nil {
		return b, fmt.Errorf("encode profile: %w", w.err)
	}
	return w.b, nil
}

// Decode reads what Append wrote. The profile shares nothing with value; its texts are parts of one.
func Decode(value []byte) (*model.Profile, error) {
	if len(value) == 0 {
		return nil, errors.New("decode profile: it is empty")
	}
	if value[0] != profileVersion {
		return nil, fmt.Errorf("decode profile: unknown version %d", value[0])
	}
	p := new(model.Profile)
	r := reader{s: string(value[1:])}
	getFields(&r, p, profileFields)
	if r.err == nil && r.at != len(r.s) {
		r.fail("bytes behind it")
	}
	if r.err != nil {
		return nil, fmt.Errorf("decode profile: %w", r.err)
	}
	return p, nil
}

// field is a field of S under an integer key.
type field[S any] struct {
	key uint64
	// put writes the field, nothing when it is to be absent.
	put func(w *writer, key uint64, s *S)
	get func(r *reader, s *S)
}

// putFields writes a map of the fields that are there.
func putFields[S any](w *writer, s *S, fields []field[S]) {
	at, n := len(w.b), 0
	w.b = append(w.b, 0) // the head, of one byte as a rule
	for i := range fields {
		was := len(w.b)
		if fields[i].put(w, fields[i].key, s); len(w.b) > was {
			n++
		}
	}
	if n < shortHead {
		w.b[at] = kindMap<<5 | byte(n)
		return
	}
	head := appendHead(nil, kindMap, uint64(n))
	w.b = slices.Replace(w.b, at, at+1, head...)
}

// getFields reads a map. Keys ascend; unknown ones are left out.
func getFields[S any](r *reader, s *S, fields []field[S]) {
	n, next := r.open(kindMap), 0
	for i, last := 0, uint64(0); i < n && r.err == nil; i++ {
		key := r.expect(kindUint)
		if r.err == nil && i > 0 && key <= last {
			r.fail("keys out of order")
			return
		}
		last = key
		for next < len(fields) && fields[next].key < key {
			next++
		}
		if next < len(fields) && fields[next].key == key {
			fields[next].get(r, s)
		} else {
			r.skip(0)
		}
	}
}

// The functions below make fields of a kind. Those that are zero are absent.

func textField[S any](key uint64, at func(*S) *string) field[S] {
	return field[S]{key, func(w *writer, key uint64, s *S) {
		if v := *at(s); v != "" {
			w.head(kindUint, key)
			w.text(v)
		}
	}, func(r *reader, s *S) { *at(s) = r.text() }}
}

func flagField[S any](key uint64, at func(*S) *bool) field[S] {
	return field[S]{key, func(w *writer, key uint64, s *S) {
		if *at(s) {
			w.head(kindUint, key)
			w.flag(true)
		}
	}, func(r *reader, s *S) { *at(s) = r.flag() }}
}

func floatField[S any](key uint64, at func(*S) *float64) field[S] {
	return field[S]{key, func(w *writer, key uint64, s *S) {
		if v := *at(s); v != 0 {
			w.head(kindUint, key)
			w.float(v)
		}
	}, func(r *reader, s *S) { *at(s) = r.float() }}
}

func intField[S any, V int | int64](key uint64, at func(*S) *V) field[S] {
	return field[S]{key, func(w *writer, key uint64, s *S) {
		if v := *at(s); v != 0 {
			w.head(kindUint, key)
			w.int(int64(v))
		}
	}, func(r *reader, s *S) { *at(s) = V(r.int()) }}
}

func uintField[S any, V uint32 | uint64](key uint64, at func(*S) *V) field[S] {
	return field[S]{key, func(w *writer, key uint64, s *S) {
		if v := *at(s); v != 0 {
			w.head(kindUint, key)
			w.head(kindUint, uint64(v))
		}
	}, func(r *reader, s *S) {
		v := r.expect(kindUint)
		if *at(s) = V(v); uint64(V(v)) != v {
			r.fail("number out of range")
		}
	}}
}

func structField[S, T any](key uint64, at func(*S) *T, fields []field[T]) field[S] {
	return field[S]{key, func(w *writer, key uint64, s *S) {
		before := len(w.b)
		w.head(kindUint, key)
		begin := len(w.b)
		if putFields(w, at(s), fields); len(w.b) == begin+1 { // an empty map
			w.b = w.b[:before]
		}
	}, func(r *reader, s *S) { getFields(r, at(s), fields) }}
}

func mapField[S, V any](key uint64, at func(*S) *map[string]V, put func(*writer, V), get func(*reader) V) field[S] {
	return field[S]{key, func(w *writer, key uint64, s *S) {
		if m := *at(s); len(m) > 0 {
			w.head(kindUint, key)
			putMap(w, m, put)
		}
	}, func(r *reader, s *S) { *at(s) = getMap(r, get) }}
}

// putMap writes a map in the order of its encoded keys: short ones first.
func putMap[V any](w *writer, m map[string]V, put func(*writer, V)) {
	w.head(kindMap, uint64(len(m)))
	var few [8]string
	keys := few[:0]
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := len(a) - len(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, k := range keys {
		w.text(k)
		put(w, m[k])
	}
}

func getMap[V any](r *reader, get func(*reader) V) map[string]V {
	n := r.open(kindMap)
	m := make(map[string]V, n)
	for range n {
		k := r.text()
		if _, twice := m[k]; twice {
			r.fail("key twice")
		}
		if m[k] = get(r); r.err != nil {
			return nil
		}
	}
	return m
}
