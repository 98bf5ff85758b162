// Package stats compares shares: whether users of one group do something more often than those of another, by how much, and how
// sure that is when many groups are compared at once. It is pure.
//
// Intervals are of 95 %. Probabilities are two-sided: how likely a difference at least as large would be if there were none.
package stats

import (
	"cmp"
	"math"
	"slices"
)

// z95 is the standard normal quantile of 97.5 %.
const z95 = 1.959963984540054

// leastExpected is how many users each cell of a table has to be expected to have for the normal approximation; with fewer, Fisher's exact test
// decides.
const leastExpected = 5

// Share is how many of all did something.
type Share struct{ Did, Of int64 }

// Rate returns the share, 0 of nothing.
func (s Share) Rate() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Did) / float64(s.Of)
}

// Wilson returns the score interval of the share; of nothing it is from 0 to 1.
func (s Share) Wilson() (low, high float64) {
	if s.Of == 0 {
		return 0, 1
	}
	low, high = wilson(s.Rate(), float64(s.Of))
	if s.Did == 0 {
		low = 0 // what is left of rounding
	}
	if s.Did == s.Of {
		high = 1
	}
	return low, high
}

// wilson is the score interval of a rate of n people, which need not be a whole number.
func wilson(p, n float64) (low, high float64) {
	middle := p + z95*z95/(2*n)
	half := z95 * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
	return (middle - half) / (1 + z95*z95/n), (middle + half) / (1 + z95*z95/n)
}

// Comparison says how one share differs from another.
type Comparison struct {
	// Difference is of the rates, with its interval by Newcombe's method.
	Difference, Low, High float64
	// Odds is the odds ratio with its interval by Woolf's method. Where a cell of the table is empty, half a user is added to each.
	Odds, OddsLow, OddsHigh float64
	P                       float64
	// Exact says that P is that of Fisher's exact test, since too few users are in a cell; otherwise of the pooled z test.
	Exact bool
}

// Compare compares two shares. Where one is of nothing, or all did the same, P is 1.
func Compare(a, b Share) Comparison {
	c := Comparison{Difference: a.Rate() - b.Rate(), P: 1}
	aLow, aHigh := a.Wilson()
	bLow, bHigh := b.Wilson()
	c.Low = c.Difference - math.Hypot(a.Rate()-aLow, bHigh-b.Rate())
	c.High = c.Difference + math.Hypot(aHigh-a.Rate(), b.Rate()-bLow)
	c.odds(a, b)
	did, of := float64(a.Did+b.Did), float64(a.Of+b.Of)
	if a.Of == 0 || b.Of == 0 || did == 0 || did == of {
		return c
	}
	least := min(float64(a.Of), float64(b.Of)) * min(did, of-did) / of
	if c.Exact = least < leastExpected; c.Exact {
		c.P = fisher(a, b)
		return c
	}
	pooled := did / of
	z := c.Difference / math.Sqrt(pooled*(1-pooled)*(1/float64(a.Of)+1/float64(b.Of)))
	c.P = math.Erfc(math.Abs(z) / math.Sqrt2)
	return c
}

func (c *Comparison) odds(a, b Share) {
	cells := [4]float64{float64(a.Did), float64(a.Of - a.Did), float64(b.Did), float64(b.Of - b.Did)}
	if slices.Contains(cells[:], 0) {
		for i := range cells {
			cells[i] += 0.5
		}
	}
	c.Odds = cells[0] * cells[3] / (cells[1] * cells[2])
	spread := math.Exp(z95 * math.Sqrt(1/cells[0]+1/cells[1]+1/cells[2]+1/cells[3]))
	c.OddsLow, c.OddsHigh = c.Odds/spread, c.Odds*spread
}

// fisher returns the two-sided probability of Fisher's exact test: of all tables with the same margins that are no more likely.
func fisher(a, b Share) float64 {
	did, all := a.Did+b.Did, a.Of+b.Of
	log := func(x int64) float64 { // of the probability that x of a's did it
		return choose(did, x) + choose(all-did, a.Of-x) - choose(all, a.Of)
	}
	most := log(a.Did) + 1e-7
	sum := 0.0
	for x := max(0, a.Of-(all-did)); x <= min(a.Of, did); x++ {
		if l := log(x); l <= most {
			sum += math.Exp(l)
		}
	}
	return min(sum, 1)
}

// choose returns the logarithm of the binomial coefficient.
func choose(n, k int64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// Homogeneity is the chi-squared test that all shares are one.
type Homogeneity struct {
	ChiSquared float64
	Freedom    int // degrees of freedom
	P          float64
	// Rough says that P is not to be relied on, since too few users are to be expected in a cell. Of two shares P is that of Compare instead.
	Rough bool
}

// Homogeneous tests whether shares differ at all. Those of nothing take no part; with fewer than two others, or where all did the same, P is 1.
func Homogeneous(shares []Share) Homogeneity {
	var all Share
	h := Homogeneity{Freedom: -1, P: 1}
	for _, s := range shares {
		all.Did, all.Of = all.Did+s.Did, all.Of+s.Of
		if s.Of > 0 {
			h.Freedom++
		}
	}
	h.Freedom = max(h.Freedom, 0)
	rate := all.Rate()
	if h.Freedom == 0 || rate == 0 || rate == 1 {
		return h
	}
	var some []Share
	for _, s := range shares {
		if s.Of > 0 {
			some = append(some, s)
			h.Rough = h.Rough || float64(s.Of)*min(rate, 1-rate) < leastExpected
			off := float64(s.Did) - float64(s.Of)*rate
			h.ChiSquared += off * off / (float64(s.Of) * rate * (1 - rate))
		}
	}
	if h.P = gammaQ(float64(h.Freedom)/2, h.ChiSquared/2); len(some) == 2 {
		h.P, h.Rough = Compare(some[0], some[1]).P, false
	}
	return h
}

// gammaQ is the regularised upper incomplete gamma function.
func gammaQ(a, x float64) float64 {
	if x <= 0 {
		return 1
	}
	lgamma, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - lgamma)
	if x < a+1 { // the series of the lower function
		term := 1 / a
		sum := term
		for n := 1; n < 100_000 && term > sum*1e-17; n++ {
			term *= x / (a + float64(n))
			sum += term
		}
		return max(0, 1-front*sum)
	}
	const tiny = 1e-300
	b := x + 1 - a // the continued fraction, by Lentz's method
	c, d := 1/tiny, 1/b
	out := d
	for i := 1; i < 100_000; i++ {
		n := float64(i)
		an := -n * (n - a)
		b += 2
		d = 1 / keepOff(an*d+b, tiny)
		c = keepOff(b+an/c, tiny)
		step := c * d
		out *= step
		if math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return min(1, front*out)
}

// keepOff keeps a number off zero.
func keepOff(v, tiny float64) float64 {
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}

// Holm corrects probabilities of several comparisons by the method of Holm and Bonferroni: among all that stay below a level, one is there by
// chance with at most the probability of that level. They keep their order.
func Holm(p []float64) []float64 {
	out := make([]float64, len(p))
	most := 0.0
	for rank, i := range ranked(p) {
		most = max(most, min(1, p[i]*float64(len(p)-rank)))
		out[i] = most
	}
	return out
}

// FalseDiscoveries corrects probabilities of many comparisons by the method of Benjamini and Hochberg: of all that stay below a level, about
// that part is there by chance. They keep their order.
func FalseDiscoveries(p []float64) []float64 {
	out := make([]float64, len(p))
	order := ranked(p)
	least := 1.0
	for rank, i := range slices.Backward(order) {
		least = min(least, max(p[i], p[i]*float64(len(p))/float64(rank+1))) // p·n/n may round to less than p
		out[i] = least
	}
	return out
}

// ranked returns the places of probabilities, the smallest first.
func ranked(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}
