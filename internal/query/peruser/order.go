package peruser

import (
	"cmp"
	"slices"
	"sort"

	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Grain is the width of a bucket of Select.
type Grain uint8

// The grains: those of cells, and two more.
const (
	Hour  = Grain(rollup.Hour)
	Day   = Grain(rollup.Day)
	Month = Grain(rollup.Month)
	Week  = Grain(4) // buckets are its Monday, as a day
	Whole = Grain(5) // all days that are asked for are the bucket 0

	grains = 6
)

// bucket is the one that the group is in; of hours, it is the day.
func (g *group) bucket(of Grain) rollup.Bucket { return bucketOf(of, g.day) }

func bucketOf(g Grain, day period.Day) rollup.Bucket {
	switch g {
	case Month:
		return rollup.Bucket(day.Month())
	case Week:
		return rollup.Bucket(max(0, day-period.Day(day.Weekday()))) // at most 6 before
	case Whole:
		return 0
	case Hour, Day:
	}
	return rollup.Bucket(max(0, day)) // reads may begin with the year 0
}

// compareAt orders groups by bucket, then by value, then by time.
func (s *Series) compareAt(g Grain, a, b *group) int {
	if c := cmp.Compare(a.bucket(g), b.bucket(g)); c != 0 {
		return c
	}
	if a.value != b.value {
		return cmp.Compare(s.names[a.value], s.names[b.value])
	}
	return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.part, b.part))
}

// ordered returns the groups in the order of a grain, of hours that of days. Those that came since it was asked for last are put into it.
func (s *Series) ordered(g Grain) []*group {
	if g == Hour {
		g = Day
	}
	old := s.orders[g]
	if len(old) == len(s.all) {
		return old
	}
	by := func(a, b *group) int { return s.compareAt(g, a, b) }
	fresh := slices.Clone(s.all[len(old):])
	slices.SortFunc(fresh, by)
	out := make([]*group, 0, len(s.all)+len(fresh))
	for len(old) > 0 && len(fresh) > 0 {
		if by(old[0], fresh[0]) < 0 {
			out, old = append(out, old[0]), old[1:]
		} else {
			out, fresh = append(out, fresh[0]), fresh[1:]
		}
	}
	s.orders[g] = append(append(out, old...), fresh...)
	return s.orders[g]
}

// within returns the groups of some days, in the order of a grain, and how many rows they have.
func (s *Series) within(g Grain, from, to period.Day) (list []*group, rows int) {
	all := s.ordered(g)
	if g != Whole {
		low, high := bucketOf(g, from), bucketOf(g, to)
		first, _ := slices.BinarySearchFunc(all, low, func(at *group, b rollup.Bucket) int { return cmp.Compare(at.bucket(g), b) })
		last, _ := slices.BinarySearchFunc(all, high+1, func(at *group, b rollup.Bucket) int { return cmp.Compare(at.bucket(g), b) })
		all = all[first:max(first, last)]
	}
	list = make([]*group, 0, len(all))
	for i := 0; i < len(all); {
		at := all[i]
		switch {
		case at.day >= from && at.day <= to:
			list = append(list, at)
			rows += len(at.uids)
			i++
		case g != Whole:
			i++
		case at.day < from: // on to the day within the value, or to the next value
			i += sort.Search(len(all)-i, func(j int) bool { return all[i+j].value != at.value || all[i+j].day >= from })
		default:
			i += sort.Search(len(all)-i, func(j int) bool { return all[i+j].value != at.value })
		}
	}
	return list, rows
}
