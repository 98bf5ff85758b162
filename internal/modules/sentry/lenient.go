package sentry

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
)

// Bounds of what is read of an event.
const (
	maxText = 8 << 10 // bytes of any text
	maxList = 250     // elements of any list: the last ones
)

// read decodes JSON as far as it is of the types wanted: a field of another type stays empty. It fails for what is no JSON.
func read(v []byte, to any) error {
	err := json.Unmarshal(v, to)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}

// text is a text, or a number or boolean as one. Longer texts are cut.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(v []byte) error {
	switch rawjson.KindOf(v) {
	case rawjson.String:
		s, _ := rawjson.Text(nil, v)
		*t = text(request.Cut(string(s), maxText))
	case rawjson.Number, rawjson.Bool:
		*t = text(request.Cut(string(v), maxText))
	case rawjson.Invalid, rawjson.Null, rawjson.Array, rawjson.Object:
	}
	return nil
}

// number is a number, or a text that is one; 0 for all else.
type number float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(v []byte) error {
	if rawjson.KindOf(v) == rawjson.String {
		s, _ := rawjson.Text(nil, v)
		v = s
	}
	if f, err := strconv.ParseFloat(strings.TrimSpace(string(v[:min(len(v), 64)])), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		*n = number(f)
	}
	return nil
}

// flag is a boolean; nil when there is none.
type flag struct{ is *bool }

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(v []byte) error {
	var b bool
	if json.Unmarshal(v, &b) == nil && rawjson.KindOf(v) == rawjson.Bool {
		f.is = &b
	}
	return nil
}

// stamp is a time in ms: seconds as a number, or a date with a time as text; 0 for all else.
type stamp int64

// UnmarshalJSON implements json.Unmarshaler.
func (s *stamp) UnmarshalJSON(v []byte) error {
	var n number
	_ = n.UnmarshalJSON(v) // it never fails
	if n > 0 && n < 1e11 {
		*s = stamp(n * 1000)
		return nil
	}
	var t text
	_ = t.UnmarshalJSON(v) // it never fails
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(form, string(t)); err == nil {
			*s = stamp(at.UnixMilli())
			return nil
		}
	}
	return nil
}

// few is a list of which the last maxList elements are kept, so that it takes no more memory than these.
type few[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (f *few[T]) UnmarshalJSON(v []byte) error {
	if rawjson.KindOf(v) != rawjson.Array {
		return nil
	}
	var last [][]byte
	_ = rawjson.Elements(v, func(e []byte) bool { // what is before a fault counts
		if len(last) == 2*maxList {
			last = append(last[:0], last[maxList:]...)
		}
		last = append(last, e)
		return true
	})
	for _, e := range last[max(0, len(last)-maxList):] {
		var one T
		if rawjson.KindOf(e) != rawjson.Null && read(e, &one) == nil {
			*f = append(*f, one)
		}
	}
	return nil
}

// values is a list, the list in {"values": …}, or its only element.
type values[T any] struct{ list few[T] }

// UnmarshalJSON implements json.Unmarshaler.
func (l *values[T]) UnmarshalJSON(v []byte) error {
	if rawjson.KindOf(v) != rawjson.Object {
		return l.list.UnmarshalJSON(v)
	}
	var wrapped struct {
		Values *few[T] `json:"values"`
	}
	_ = read(v, &wrapped) // nothing is then in it
	if wrapped.Values != nil {
		l.list = *wrapped.Values
		return nil
	}
	var one T
	if read(v, &one) == nil {
		l.list = few[T]{one}
	}
	return nil
}

// pairs are texts by name: an object, or a list of pairs.
type pairs struct{ names, values []string }

// UnmarshalJSON implements json.Unmarshaler.
func (p *pairs) UnmarshalJSON(v []byte) error {
	add := func(name string, v []byte) bool {
		var t text
		_ = t.UnmarshalJSON(v) // it never fails
		if name != "" && t != "" {
			p.names, p.values = append(p.names, name), append(p.values, string(t))
		}
		return len(p.names) < maxList
	}
	switch rawjson.KindOf(v) {
	case rawjson.Object:
		_ = rawjson.Members(v, func(key, v []byte) bool { return add(string(rawjson.Unescape(nil, key)), v) }) // what is before a fault counts
	case rawjson.Array:
		_ = rawjson.Elements(v, func(e []byte) bool { // as above
			var pair [][]byte
			if rawjson.KindOf(e) == rawjson.Array {
				_ = rawjson.Elements(e, func(v []byte) bool { pair = append(pair, v); return len(pair) < 3 })
			}
			if len(pair) != 2 {
				return true
			}
			var name text
			_ = name.UnmarshalJSON(pair[0])
			return add(string(name), pair[1])
		})
	case rawjson.Invalid, rawjson.Null, rawjson.Bool, rawjson.Number, rawjson.String:
	}
	return nil
}
