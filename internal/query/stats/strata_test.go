package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quipu/internal/query/stats"
)

func stratum(hitDid, hitOf, did, of int64) stats.Stratum {
	return stats.Stratum{Hit: share(hitDid, hitOf), Unhit: share(did, of)}
}

// standardised are figures of Python: the ratio of statsmodels 0.15.0 (StratifiedTable.riskratio_pooled), the intervals of the rates and of the difference by
// its proportion_confint with method="wilson" and confint_proportions_2indep with method="newcomb" for the weighted rates and effective sizes, computed with NumPy
// 2.4.6, and the interval of the ratio by the formula of Donner and Zou there.
var standardised = []struct {
	strata []stats.Stratum
	want   []float64
}{
	{
		[]stats.Stratum{stratum(12, 40, 90, 200)},
		[]float64{0.3, 0.1807484522974653, 0.45430018818144946, 0.45, 0.3826406840224835, 0.5192438486152431, -0.15, -0.2878972160723363, 0.01836218554589278, 0.6666666666666666, 0.39478952206368984, 1.0434544059000543},
	},
	{
		[]stats.Stratum{stratum(12, 40, 90, 200), stratum(3, 10, 40, 90), stratum(7, 9, 1, 2)},
		[]float64{0.3177808407994487, 0.20880864880066885, 0.4511918214683157, 0.450723638869745, 0.3900237478255528, 0.5129265543183918, -0.1329427980702963, -0.25841845833686133, 0.013627889776235996, 0.705045871559633, 0.45524448230546005, 1.0320464793301745},
	},
	{
		[]stats.Stratum{stratum(1, 1, 2, 3), stratum(0, 1, 1, 1), stratum(1, 1, 5, 9), stratum(0, 1, 0, 4), stratum(1, 2, 3, 3), stratum(0, 5, 0, 0)},
		[]float64{0.5421686746987951, 0.2099735125986344, 0.8406721526295593, 0.6506024096385542, 0.40054882858829716, 0.8384249426463, -0.10843373493975905, -0.4900499421797003, 0.28096467252080015, 0.8333333333333333, 0.3147166260641826, 1.6008375830428985},
	},
	{
		[]stats.Stratum{stratum(0, 30, 12, 200), stratum(0, 10, 5, 80)},
		[]float64{0, 0, 0.08762892179935237, 0.0606353591160221, 0.03814482916399353, 0.09507574349344095, -0.0606353591160221, -0.09507574349344095, 0.029833706719986773, 0, 0, 1.5561859118984067},
	},
	{
		[]stats.Stratum{stratum(500, 1000, 52000, 100000), stratum(90, 300, 9000, 28000)},
		[]float64{0.45387124836885606, 0.42698281767712915, 0.48103149388026306, 0.47420073945193564, 0.4714649392476996, 0.47693808943513505, -0.020329491083079576, -0.04735689920880121, 0.006968192683082745, 0.9571289342429629, 0.9001886928124994, 1.01470316855178},
	},
}

// alone are effective sizes where each observation is of another person.
func alone(strata []stats.Stratum) (hit, unhit stats.Effective) {
	for _, s := range strata {
		for range s.Hit.Of {
			hit.Add(s.HitWeight())
		}
		for range s.Unhit.Of {
			unhit.Add(s.UnhitWeight())
		}
	}
	return hit, unhit
}

func TestStandardise(t *testing.T) {
	t.Parallel()
	for _, tt := range standardised {
		hit, unhit := alone(tt.strata)
		s, ok := stats.Standardise(tt.strata, &hit, &unhit)
		got := []float64{s.Hit.Rate, s.Hit.Low, s.Hit.High, s.Unhit.Rate, s.Unhit.Low, s.Unhit.High, s.Difference, s.Low, s.High, s.Ratio, s.RatioLow, s.RatioHigh}
		if !ok || !slices.EqualFunc(got, tt.want, near) {
			t.Errorf("%v: %v\nwant %v", tt.strata, got, tt.want)
		}
	}
	for _, none := range [][]stats.Stratum{nil, {stratum(1, 2, 0, 0)}, {stratum(0, 0, 1, 2), stratum(3, 4, 0, 0)}} {
		hit, unhit := alone(none)
		if s, ok := stats.Standardise(none, &hit, &unhit); ok {
			t.Errorf("%v: %+v", none, s)
		}
	}
	never := []stats.Stratum{stratum(0, 20, 0, 30)}
	hit, unhit := alone(never)
	s, ok := stats.Standardise(never, &hit, &unhit)
	if !ok || s.Low >= 0 || s.High <= 0 || !math.IsNaN(s.Ratio) || !math.IsInf(s.RatioHigh, 1) || math.IsNaN(s.RatioLow) {
		t.Errorf("nobody did it: %+v", s)
	}
	always := []stats.Stratum{stratum(20, 20, 30, 30)}
	hit, unhit = alone(always)
	if s, ok = stats.Standardise(always, &hit, &unhit); !ok || s.Low >= 0 || s.High <= 0 || s.Ratio != 1 || s.RatioLow >= 1 || s.RatioHigh <= 1 {
		t.Errorf("all did it: %+v", s)
	}
}

// TestCoverage makes people who differ in how likely they are to do something and how often they are looked at, in strata that matter as well, and counts how often
// the interval holds the true difference: without the effective sizes it would be too short.
func TestCoverage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5)) // reproducible
	const runs, days, people = 400, 10, 150
	for _, effect := range []float64{0, -0.15} {
		covered, zero := 0, 0
		for range runs {
			type observation struct {
				stratum int
				did     int64
			}
			strata := make([]stats.Stratum, 2*days)
			var hits []int
			controls := make([][]observation, people)
			for person := range people {
				kind := r.IntN(2)
				likely := 0.25 + 0.2*float64(kind) + 0.3*r.Float64()
				often := 0.2 + 0.6*float64(kind)
				for day := range days {
					if r.Float64() > often {
						continue
					}
					at := 2*day + kind
					if r.Float64() < 0.06 { // hit: nothing about the person but the stratum makes it likely
						did := int64(0)
						if r.Float64() < likely+effect {
							did = 1
						}
						strata[at].Hit.Did += did
						strata[at].Hit.Of++
						hits = append(hits, at)
						break
					}
					did := int64(0)
					if r.Float64() < likely {
						did = 1
					}
					controls[person] = append(controls[person], observation{at, did})
					strata[at].Unhit.Did += did
					strata[at].Unhit.Of++
				}
			}
			var hit, unhit stats.Effective
			for _, at := range hits {
				hit.Add(strata[at].HitWeight())
			}
			for _, list := range controls {
				sum := 0.0
				for _, o := range list {
					sum += strata[o.stratum].UnhitWeight()
				}
				unhit.Add(sum)
			}
			s, ok := stats.Standardise(strata, &hit, &unhit)
			if !ok {
				t.Fatal("nobody to compare")
			}
			if s.Low <= effect && effect <= s.High {
				covered++
			}
			if s.Low <= 0 && s.High >= 0 {
				zero++
			}
		}
		if share := float64(covered) / runs; share < 0.94 {
			t.Errorf("with an effect of %v, %v of the intervals hold it", effect, share)
		}
		if effect < 0 && zero > runs*3/4 {
			t.Errorf("with an effect of %v, %d of %d intervals hold none", effect, zero, runs)
		}
	}
}
