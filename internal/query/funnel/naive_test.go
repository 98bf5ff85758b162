package funnel_test

import (
	"slices"

	"quipu/internal/query/funnel"
)

// found is an attempt as the naive model finds it.
type found struct {
	depth, done int
	rows        []int // by step; -1 = not done
	first, last int   // places of the earliest and the latest row
}

// naive tries all choices of rows, and returns what is reported of a user.
func naive(f funnel.Funnel, rows []funnel.Row) []found {
	keys := []uint32{0}
	if f.Keyed {
		keys = nil
		for _, r := range rows {
			if r.Key != 0 && !slices.Contains(keys, r.Key) {
				keys = append(keys, r.Key)
			}
		}
	}
	slices.Sort(keys)
	var all []found
	for _, key := range keys {
		var places []int
		for i, r := range rows {
			if !f.Keyed || r.Key == key {
				places = append(places, i)
			}
		}
		for {
			best, ok := deepest(f, rows, places)
			if !ok {
				break
			}
			all = append(all, best)
			if !f.Repeat || best.depth < len(f.Optional) {
				break
			}
			places = slices.DeleteFunc(slices.Clone(places), func(i int) bool { return i <= best.last })
		}
	}
	if f.Repeat || len(all) == 0 {
		return all
	}
	return []found{slices.MinFunc(all, better)}
}

// better orders attempts by what is reported first.
func better(a, b found) int {
	switch {
	case a.depth != b.depth:
		return b.depth - a.depth
	case a.last != b.last:
		return a.last - b.last
	case a.first != b.first:
		return b.first - a.first
	}
	return b.done - a.done
}

func deepest(f funnel.Funnel, rows []funnel.Row, places []int) (found, bool) {
	var all []found
	switch f.Order {
	case funnel.AnyOrder:
		all = inAnyOrder(f, rows, places)
	case funnel.Anchored:
		all = anchored(f, rows, places, nil)
	case funnel.InOrder, funnel.Strict:
		all = sequences(f, rows, places, nil)
	}
	if len(all) == 0 {
		return found{}, false
	}
	return slices.MinFunc(all, better), true
}

// sequences returns all attempts that go on from a choice of rows for the first steps, given as places in places.
func sequences(f funnel.Funnel, rows []funnel.Row, places, chosen []int) []found {
	var all []found
	if len(chosen) > 0 && chosen[len(chosen)-1] >= 0 {
		if !valid(f, rows, places, chosen) {
			return nil
		}
		one := found{depth: len(chosen)}
		for _, c := range chosen {
			if c < 0 {
				one.rows = append(one.rows, -1)
				continue
			}
			one.rows = append(one.rows, places[c])
			one.done++
		}
		one.first, one.last = one.rows[0], one.rows[len(one.rows)-1]
		all = append(all, one)
	}
	step := len(chosen)
	if step == len(f.Optional) {
		return all
	}
	if f.Optional[step] {
		all = append(all, sequences(f, rows, places, append(slices.Clone(chosen), -1))...)
	}
	for c := slices.Max(append([]int{-1}, chosen...)) + 1; c < len(places); c++ {
		if rows[places[c]].Match&funnel.StepBit(step) != 0 {
			all = append(all, sequences(f, rows, places, append(slices.Clone(chosen), c))...)
		}
	}
	return all
}

// valid reports whether rows in order make an attempt.
func valid(f funnel.Funnel, rows []funnel.Row, places, chosen []int) bool {
	first, last := chosen[0], chosen[len(chosen)-1]
	if f.Window > 0 && rows[places[last]].TS-rows[places[first]].TS > f.Window {
		return false
	}
	for c := first; c <= last; c++ {
		if slices.Contains(chosen, c) {
			continue
		}
		if f.Order == funnel.Strict {
			return false
		}
		before, next := 0, 0 // steps around the row
		for step, at := range chosen {
			switch {
			case at >= 0 && at < c:
				before = step
			case at > c:
				next = step
			}
			if next > 0 {
				break
			}
		}
		for i, x := range f.Exclusions {
			if rows[places[c]].Match&funnel.ExclusionBit(i) != 0 && x.From <= before && before < x.To {
				return false
			}
		}
	}
	return true
}

// inAnyOrder returns the attempts that end with each row, which begin as early as they may.
func inAnyOrder(f funnel.Funnel, rows []funnel.Row, places []int) []found {
	var all []found
	for e := range places {
		s := e
		for s > 0 && (f.Window == 0 || rows[places[e]].TS-rows[places[s-1]].TS <= f.Window) && (len(f.Exclusions) == 0 || rows[places[s]].Match>>funnel.MaxSteps == 0) {
			s--
		}
		one := found{first: 1 << 30, last: places[e]}
		for step := range f.Optional {
			row := -1
			for _, p := range places[s : e+1] {
				if rows[p].Match&funnel.StepBit(step) != 0 {
					row = p
				}
			}
			if row < 0 && !f.Optional[step] {
				break
			}
			if one.rows = append(one.rows, row); row >= 0 {
				one.depth, one.done = step+1, one.done+1
				one.first = min(one.first, row)
			}
		}
		if one.rows = one.rows[:one.depth]; one.depth > 0 {
			all = append(all, one)
		}
	}
	return all
}

// anchored returns all attempts that go on from a choice of rows, places among all, for the first steps.
func anchored(f funnel.Funnel, rows []funnel.Row, places, chosen []int) []found {
	var all []found
	if len(chosen) > 0 {
		if !validAnchored(f, rows, places, chosen, false) {
			return nil
		}
		if validAnchored(f, rows, places, chosen, true) {
			all = append(all, found{depth: len(chosen), done: len(chosen), rows: slices.Clone(chosen), first: slices.Min(chosen), last: slices.Max(chosen)})
		}
	}
	if step := len(chosen); step < len(f.Optional) {
		for _, p := range places {
			if rows[p].Match&funnel.StepBit(step) != 0 {
				all = append(all, anchored(f, rows, places, append(slices.Clone(chosen), p))...)
			}
		}
	}
	return all
}

// validAnchored reports whether rows make an attempt; unless it is whole, only what no further step can change is looked at.
func validAnchored(f funnel.Funnel, rows []funnel.Row, places, chosen []int, whole bool) bool {
	for j := range chosen {
		for i := range j {
			apart := false // an anchor stands between them, or is one of them
			for _, a := range f.Anchors {
				apart = apart || i <= a && a <= j
			}
			if apart && chosen[i] >= chosen[j] {
				return false
			}
		}
	}
	first, last := slices.Min(chosen), slices.Max(chosen)
	if f.Window > 0 && rows[last].TS-rows[first].TS > f.Window {
		return false
	}
	for i, x := range f.Exclusions {
		if !whole || len(chosen) <= x.From {
			continue
		}
		to := last + 1
		if len(chosen) > x.To {
			to = chosen[x.To]
		}
		for _, p := range places {
			if chosen[x.From] < p && p < to && rows[p].Match&funnel.ExclusionBit(i) != 0 {
				return false
			}
		}
	}
	return true
}
