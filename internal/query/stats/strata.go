package stats

import "math"

// Stratum is two groups of people who are alike: those to whom something happened, and those to whom it did not.
type Stratum struct{ Hit, Unhit Share }

// weight is that of Mantel and Haenszel: it is largest where there are many of both, and nearly the number of hit where the others are many more.
func (s Stratum) weight() float64 {
	if s.Hit.Of == 0 || s.Unhit.Of == 0 {
		return 0
	}
	return float64(s.Hit.Of) * (float64(s.Unhit.Of) / float64(s.Hit.Of+s.Unhit.Of))
}

// HitWeight and UnhitWeight are what one observation of a group counts in the rates of Standardise; 0 where the other group is empty.
func (s Stratum) HitWeight() float64 {
	if s.weight() == 0 {
		return 0
	}
	return s.weight() / float64(s.Hit.Of)
}

// UnhitWeight is HitWeight of the other group.
func (s Stratum) UnhitWeight() float64 {
	if s.weight() == 0 {
		return 0
	}
	return s.weight() / float64(s.Unhit.Of)
}

// Effective is by how many people a weighted rate is carried: Kish's effective size. It adds up what each person counts, over all of the person's observations. The zero
// value is of nobody.
type Effective struct{ sum, squares float64 }

// Add counts a person.
func (e *Effective) Add(weight float64) {
	e.sum += weight
	e.squares += weight * weight
}

// Size returns the number of people of equal weight that the rate is as sure as.
func (e *Effective) Size() float64 {
	if e.squares == 0 {
		return 0
	}
	return e.sum * e.sum / e.squares
}

// Rated is a rate with its interval.
type Rated struct{ Rate, Low, High float64 }

// Standardised compares two groups whose strata have one mix.
type Standardised struct {
	Hit, Unhit Rated
	// Difference is that of Mantel and Haenszel, Ratio the ratio of the rates. RatioHigh is infinite where the other rate may be 0, Ratio not a number
	// where both are.
	Difference, Low, High      float64
	Ratio, RatioLow, RatioHigh float64
}

// Standardise compares the rates of two groups within strata. Each stratum counts with the weight of Mantel and Haenszel (S. Greenland, J. M. Robins:
// Estimation of a common effect parameter from sparse follow-up data, Biometrics 41, 1985), so strata that lack a group count nothing. Intervals of the rates are
// Wilson's with the effective sizes; those of the difference and of the ratio are put together of them: R. G. Newcombe, Statistics in Medicine 17, 1998,
// and A. Donner, G. Y. Zou, Statistical Methods in Medical Research 21, 2012. It returns false where no stratum has both groups.
func Standardise(strata []Stratum, hit, unhit *Effective) (Standardised, bool) {
	var all, h, u float64
	for _, s := range strata {
		w := s.weight()
		all += w
		h += w * s.Hit.Rate()
		u += w * s.Unhit.Rate()
	}
	if all == 0 || hit.Size() == 0 || unhit.Size() == 0 {
		return Standardised{}, false
	}
	out := Standardised{Hit: rated(h/all, hit.Size()), Unhit: rated(u/all, unhit.Size())}
	a, b := out.Hit, out.Unhit
	out.Difference = a.Rate - b.Rate
	out.Low = out.Difference - math.Hypot(a.Rate-a.Low, b.High-b.Rate)
	out.High = out.Difference + math.Hypot(a.High-a.Rate, b.Rate-b.Low)
	out.Ratio, out.RatioLow, out.RatioHigh = a.Rate/b.Rate, ratioLow(a, b), math.Inf(1)
	if b.Low > 0 {
		out.RatioHigh = ratioHigh(a, b)
	}
	return out, true
}

// rated is a rate of n people with Wilson's interval.
func rated(p, n float64) Rated {
	p = min(max(p, 0), 1)
	low, high := wilson(p, n)
	return Rated{p, min(max(low, 0), p), max(min(high, 1), p)}
}

// ratioLow is the lower end of the interval of a ratio of rates.
func ratioLow(a, b Rated) float64 {
	up, down, both := a.Low*(2*a.Rate-a.Low), b.High*(2*b.Rate-b.High), a.Rate*b.Rate
	if math.Abs(down) < 1e-12 && both > 0 { // what the other expression comes near to
		return up / (2 * both)
	}
	return max(0, (both-math.Sqrt(max(0, both*both-up*down)))/down)
}

// ratioHigh is the upper end, where the lower end of the other rate is above 0.
func ratioHigh(a, b Rated) float64 {
	up, down, both := a.High*(2*a.Rate-a.High), b.Low*(2*b.Rate-b.Low), a.Rate*b.Rate
	return (both + math.Sqrt(max(0, both*both-up*down))) / down
}
