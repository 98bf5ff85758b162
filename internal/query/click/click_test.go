package click_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/query/click"
)

// naive decides by looking at all clicks for each.
type naive struct {
	clicks  []click.Click
	reports []click.Visit
	visits  []click.Visit
}

func (n *naive) dead(k click.Click) bool {
	return !slices.ContainsFunc(n.reports, func(r click.Visit) bool {
		return r.UID == k.UID && r.TS >= k.TS-click.Before && r.TS <= k.TS+click.Answer
	})
}

// first are the ms from visits to their first click.
func (n *naive) first() (out []int64) {
	for i, v := range n.visits {
		end := v.TS + click.FirstWithin
		for j, other := range n.visits {
			if other.UID == v.UID && (other.TS > v.TS || other.TS == v.TS && j > i) {
				end = min(end, other.TS-1)
			}
		}
		best := int64(-1)
		for _, k := range n.clicks {
			if k.UID == v.UID && k.TS >= v.TS && k.TS <= end && (best < 0 || k.TS-v.TS < best) {
				best = k.TS - v.TS
			}
		}
		if best >= 0 {
			out = append(out, best)
		}
	}
	slices.Sort(out)
	return out
}

// TestClicks compares what is found out about clicks with the naive way: of users whose numbers are close to each other, and far apart.
func TestClicks(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1)) // not for secrets
	var c click.Clicks
	for range 80 {
		c.Reset()
		users, step := 1+r.Uint32N(9), []uint32{1, 3, 1 << 28}[r.IntN(3)]
		uid := func() uint32 { return r.Uint32N(users) * step }
		ts := func() int64 { return r.Int64N(int64(1 + r.IntN(200_000))) }
		var n naive
		for range r.IntN(120) {
			k := click.Click{UID: uid(), TS: ts(), X: r.Int32N(100), Y: r.Int32N(100)}
			c.Add(k)
			n.clicks = append(n.clicks, k)
		}
		c.Sort()
		for range r.IntN(40) {
			v := click.Visit{UID: uid(), TS: ts()}
			n.reports = append(n.reports, v)
			c.Report(v.UID, v.TS)
		}
		c.Report(1<<31+7, 5) // of a user without clicks
		for range r.IntN(10) {
			v := click.Visit{UID: uid(), TS: ts()}
			n.visits = append(n.visits, v)
			c.Visit(v)
		}
		if len(c.List) != len(n.clicks) || !slices.IsSortedFunc(c.List, func(a, b click.Click) int {
			if a.UID != b.UID {
				return int(int64(a.UID) - int64(b.UID))
			}
			return int(a.TS - b.TS)
		}) {
			t.Fatalf("%d clicks of %d, or not in order", len(c.List), len(n.clicks))
		}
		for _, k := range c.List {
			if want := n.dead(k); k.Dead != want {
				t.Fatalf("%+v: dead is to be %v", k, want)
			}
		}
		got := []int64{}
		c.First(func(ms int64) { got = append(got, ms) })
		slices.Sort(got)
		if diff := cmp.Diff(append([]int64{}, n.first()...), got); diff != "" {
			t.Fatalf("first clicks (-want +got):\n%s", diff)
		}
	}
}

// BenchmarkClicks puts 630,000 clicks of 200,000 users in order, and tells them of as many reports.
func BenchmarkClicks(b *testing.B) {
	const clicks, users = 630_000, 200_000
	r := rand.New(rand.NewPCG(1, 1)) // not for secrets
	var c click.Clicks
	for b.Loop() {
		c.Reset()
		for i := range clicks {
			c.Add(click.Click{UID: r.Uint32N(users), TS: int64(i) * 1000})
		}
		c.Sort()
		for i := range clicks {
			c.Report(r.Uint32N(users), int64(i)*1000)
		}
	}
}
