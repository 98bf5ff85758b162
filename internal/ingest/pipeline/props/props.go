// Package props changes the named and custom properties of a profile and
// writes them down as a user state.
//
// When a request brings several operations for one property they apply in
// this order, whatever their order in the request: set, $setOnce, $inc,
// $mul, $min, $max, $push, $addToSet, $pull, $unset.
//
// Rules of the operations: set and $unset always apply; $setOnce applies when
// the property does not exist; $inc, $min and $max take the operand when the
// property does not exist, $mul gives 0 then; text that reads as a number
// counts as that number, any other value makes the four do nothing. A result stays within
// request.MaxNumber of 0. $push, $addToSet and $pull turn a single value
// into a list first; $pull leaves a property that does not exist alone.
//
// Limits: MaxProperties custom properties of a profile, MaxList elements of a
// list. What is beyond them is not added; what is there stays changeable.
package props

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// The limits of a profile. Lengths of texts are limited by package request.
const (
	MaxProperties = 100 // custom properties
	MaxList       = 100 // elements of a list
)

// Apply changes the properties of p as a request asks. It returns whether
// anything is different now. The map of custom properties and its lists are
// replaced, never changed in place.
func Apply(p *model.Profile, u *request.UserDetails) bool {
	if u == nil {
		return false
	}
	changed := false
	for _, f := range []struct {
		to  *string
		now request.Field
	}{
		{&p.Name, u.Name},
		{&p.Username, u.Username},
		{&p.Email, u.Email},
		{&p.Organization, u.Organization},
		{&p.Phone, u.Phone},
		{&p.Picture, u.Picture},
		{&p.Gender, u.Gender},
	} {
		value := f.now.Value
		switch f.now.State {
		case request.Absent:
			continue
		case request.Unset:
			value = ""
		case request.Set:
		}
		if *f.to != value {
			*f.to, changed = value, true
		}
	}
	if u.BirthYear.State != request.Absent {
		year := u.BirthYear.Value
		if u.BirthYear.State == request.Unset {
			year = 0
		}
		changed = changed || p.BirthYear != year
		p.BirthYear = year
	}
	custom, different := Custom(p.Custom, u.Custom)
	if different {
		p.Custom = custom
	}
	return changed || different
}

// Custom applies changes to a set of custom properties and returns the new
// set, and whether it differs. The given map is not changed; an empty result is nil.
func Custom(custom map[string]any, changes []request.Change) (map[string]any, bool) {
	next, different := custom, false
	for _, c := range ordered(changes) {
		old, exists := next[c.Key]
		value, keep := apply(old, exists, c)
		switch {
		case keep == exists && (!keep || same(old, value)):
			continue
		case keep && !exists && len(next) >= MaxProperties:
			continue
		}
		if !different {
			different = true
			if next = maps.Clone(custom); next == nil {
				next = map[string]any{}
			}
		}
		if keep {
			next[c.Key] = value
		} else {
			delete(next, c.Key)
		}
	}
	if len(next) == 0 {
		next = nil
	}
	return next, different
}

// ordered returns the changes by property, in order of first appearance, and
// for one property by the rank of the operation.
func ordered(changes []request.Change) []request.Change {
	if len(changes) < 2 {
		return changes
	}
	place := make(map[string]int, len(changes))
	for _, c := range changes {
		if _, ok := place[c.Key]; !ok {
			place[c.Key] = len(place)
		}
	}
	if len(place) == len(changes) {
		return changes
	}
	out := slices.Clone(changes)
	slices.SortStableFunc(out, func(a, b request.Change) int {
		if d := place[a.Key] - place[b.Key]; d != 0 {
			return d
		}
		return rank(a.Op) - rank(b.Op)
	})
	return out
}

func rank(op request.Op) int {
	switch op {
	case request.OpSet:
		return 0
	case request.OpSetOnce:
		return 1
	case request.OpInc:
		return 2
	case request.OpMul:
		return 3
	case request.OpMin:
		return 4
	case request.OpMax:
		return 5
	case request.OpPush:
		return 6
	case request.OpAddToSet:
		return 7
	case request.OpPull:
		return 8
	case request.OpUnset:
	}
	return 9
}

// apply returns the value after one change, and whether the property exists then.
func apply(old any, exists bool, c request.Change) (value any, keep bool) {
	switch c.Op {
	case request.OpSet:
		return bounded(c.Value), c.Value != nil
	case request.OpUnset:
		return nil, false
	case request.OpSetOnce:
		if exists {
			return old, true
		}
		return bounded(c.Value), c.Value != nil
	case request.OpInc, request.OpMul, request.OpMin, request.OpMax:
		return calculate(old, exists, c)
	case request.OpPush, request.OpAddToSet, request.OpPull:
		values, ok := c.Value.([]any)
		if !ok || (!exists && (c.Op == request.OpPull || len(values) == 0)) {
			return old, exists
		}
		return change(list(old, exists), values, c.Op), true
	}
	return old, exists
}

// bounded cuts a list that is too long.
func bounded(v any) any {
	if l, ok := v.([]any); ok && len(l) > MaxList {
		return slices.Clone(l[:MaxList])
	}
	return v
}

func calculate(old any, exists bool, c request.Change) (any, bool) {
	by, ok := c.Value.(float64)
	if !ok {
		return old, exists
	}
	if !exists {
		if c.Op == request.OpMul {
			by = 0
		}
		return by, true
	}
	n, ok := numeric(old)
	if !ok {
		return old, true
	}
	switch c.Op {
	case request.OpInc:
		n += by
	case request.OpMul:
		n *= by
	case request.OpMin:
		n = min(n, by)
	case request.OpMax:
		n = max(n, by)
	case request.OpSet, request.OpUnset, request.OpSetOnce, request.OpPush, request.OpAddToSet, request.OpPull:
	}
	// Two finite numbers never give NaN here.
	if n = max(-request.MaxNumber, min(n, request.MaxNumber)); n == 0 {
		n = 0 // never the negative zero
	}
	return n, true
}

func numeric(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	}
	return 0, false
}

// list returns a copy of a value as a list.
func list(old any, exists bool) []any {
	if !exists {
		return nil
	}
	if l, ok := old.([]any); ok {
		return slices.Clone(l)
	}
	return []any{old}
}

// change changes l, which belongs to it.
func change(l, values []any, op request.Op) []any {
	for _, v := range values {
		is := func(e any) bool { return e == v }
		switch op {
		case request.OpPush:
			if len(l) < MaxList {
				l = append(l, v)
			}
		case request.OpAddToSet:
			if len(l) < MaxList && !slices.ContainsFunc(l, is) {
				l = append(l, v)
			}
		case request.OpPull:
			l = slices.DeleteFunc(l, is)
		case request.OpSet, request.OpUnset, request.OpSetOnce, request.OpInc, request.OpMul, request.OpMin, request.OpMax:
		}
	}
	return l
}

// same reports whether two values of properties are equal.
func same(a, b any) bool {
	la, oka := a.([]any)
	lb, okb := b.([]any)
	if oka || okb {
		return oka && okb && slices.Equal(la, lb)
	}
	return a == b
}
