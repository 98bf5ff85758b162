package funnels

import (
	"cmp"
	"math"
	"slices"

	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/query/stats"
)

// significance says whether the groups of a breakdown differ at all, in the part of their users of a step who went all the way.
type significance struct {
	Step int    `json:"step"`           // from 1: whose users the parts are of
	Base string `json:"base,omitempty"` // value of the group that the others are compared with; "" = each with all others
	// BaseMissing says that no group has that value, so that nothing is compared.
	BaseMissing bool    `json:"baseMissing,omitempty"`
	ChiSquared  float64 `json:"chiSquared"`
	Freedom     int     `json:"freedom"`
	P           float64 `json:"p"`
	// Rough says that there are too few users for P to be relied on.
	Rough bool `json:"rough,omitempty"`
}

// comparison is how the conversion of a group differs from that of all others, or of the base. Shares are percent, differences percentage
// points, with two decimals; odds have four. Intervals are of 95 %.
type comparison struct {
	Percent        float64 `json:"percent"`
	PercentLow     float64 `json:"percentLow"`
	PercentHigh    float64 `json:"percentHigh"`
	Difference     float64 `json:"difference"`
	DifferenceLow  float64 `json:"differenceLow"`
	DifferenceHigh float64 `json:"differenceHigh"`
	Odds           float64 `json:"odds"`
	OddsLow        float64 `json:"oddsLow"`
	OddsHigh       float64 `json:"oddsHigh"`
	P              float64 `json:"p"`
	// Adjusted is P corrected for the number of comparisons.
	Adjusted float64 `json:"adjusted"`
	Exact    bool    `json:"exact,omitempty"` // Fisher's exact test, since there are few users
}

// group is the users of one value, by step.
type group struct {
	id    uint32
	users []int64
}

// groupsOf returns the groups of a tally, that with most users of the first step first, and that of all other values by itself (users: nil = there is
// none).
func groupsOf(t *funnel.Tally, names query.FunnelGroups, most int) (list []group, other group) {
	other.id = query.OtherGroup
	add := func(users []int64) {
		if other.users == nil {
			other.users = make([]int64, len(users))
		}
		for i, n := range users {
			other.users[i] += n
		}
	}
	for id, users := range t.Groups {
		if id == query.OtherGroup {
			add(users)
			continue
		}
		list = append(list, group{id, users})
	}
	slices.SortFunc(list, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.users[0], a.users[0]), cmp.Compare(names[a.id], names[b.id]))
	})
	for _, g := range list[min(most, len(list)):] {
		add(g.users)
	}
	return list[:min(most, len(list))], other
}

// groupRows lists the largest groups by users of the first step, and all others as one, and compares them.
func groupRows(t *funnel.Tally, names query.FunnelGroups, q *question) ([]groupRow, *significance) {
	list, other := groupsOf(t, names, q.most)
	out := []groupRow{}
	for _, g := range list {
		row := groupRow{Value: names[g.id], Users: g.users}
		if g.id == 0 {
			row.Value = nil
		}
		out = append(out, row)
	}
	found := q.compare(t, names, list, other, out)
	if other.users != nil {
		out = append(out, groupRow{Other: true, Users: other.users})
	}
	return out, found
}

// compare writes into rows how the groups of a list differ. There is nothing to compare where it differs which step has the value, where that step
// may be skipped, or where there is one group only.
func (q *question) compare(t *funnel.Tally, names query.FunnelGroups, list []group, other group, rows []groupRow) *significance {
	if q.byAt < 0 || q.funnel.Optional[q.byAt] || len(t.Groups) < 2 || q.byAt == len(q.labels)-1 {
		return nil
	}
	share := func(users []int64) stats.Share {
		return stats.Share{Did: users[len(users)-1], Of: users[q.byAt]}
	}
	var all, base stats.Share
	for id, users := range t.Groups {
		s := share(users)
		all.Did, all.Of = all.Did+s.Did, all.Of+s.Of
		if id != query.OtherGroup && id != 0 && names[id] == q.base {
			base = s
		}
	}
	shares := make([]stats.Share, 0, len(list)+1)
	for _, g := range list {
		shares = append(shares, share(g.users))
	}
	if other.users != nil {
		shares = append(shares, share(other.users))
	}
	h := stats.Homogeneous(shares)
	out := &significance{Step: q.byAt + 1, Base: q.base, ChiSquared: rounded(h.ChiSquared), Freedom: h.Freedom, P: h.P, Rough: h.Rough}
	if q.base != "" && base.Of == 0 {
		out.BaseMissing = true
		return out
	}
	var p []float64
	var compared []*comparison
	for i, s := range shares[:len(list)] {
		against := base
		if q.base == "" {
			against = stats.Share{Did: all.Did - s.Did, Of: all.Of - s.Of}
		} else if list[i].id != 0 && names[list[i].id] == q.base {
			continue
		}
		if s.Of == 0 || against.Of == 0 {
			continue
		}
		c := comparisonOf(s, against)
		rows[i].Comparison = c
		p, compared = append(p, c.P), append(compared, c)
	}
	if q.base == "" && len(t.Groups) == 2 {
		return out // it is one comparison, seen from both sides
	}
	for i, adjusted := range stats.Holm(p) {
		compared[i].Adjusted = adjusted
	}
	return out
}

// comparisonOf writes how a share differs from another one, not yet adjusted.
func comparisonOf(s, against stats.Share) *comparison {
	c := stats.Compare(s, against)
	low, high := s.Wilson()
	return &comparison{
		Percent: points(s.Rate()), PercentLow: points(low), PercentHigh: points(high), Difference: points(c.Difference), DifferenceLow: points(c.Low), DifferenceHigh: points(c.High),
		Odds: rounded(c.Odds), OddsLow: rounded(c.OddsLow), OddsHigh: rounded(c.OddsHigh), P: c.P, Adjusted: c.P, Exact: c.Exact,
	}
}

// points writes a share in percent, with two decimals.
func points(share float64) float64 { return math.Round(share*10_000) / 100 }

// rounded writes a number with four decimals.
func rounded(v float64) float64 { return math.Round(v*10_000) / 10_000 }
