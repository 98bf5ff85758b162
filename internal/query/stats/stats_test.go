package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quipu/internal/query/stats"
)

func share(did, of int64) stats.Share { return stats.Share{Did: did, Of: of} }

// near reports whether two figures agree to seven digits.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-7*math.Max(math.Abs(a), math.Abs(b))
}

// compared are figures of SciPy 1.17.1 (chi2_contingency without correction, fisher_exact, contingency.odds_ratio with kind="sample",
// binomtest(…).proportion_ci with method="wilson") and of statsmodels 0.15.0 (confint_proportions_2indep with method="newcomb").
var compared = []struct {
	a, b             stats.Share
	p                float64
	exact            bool
	low, high        float64
	odds, from, to   float64
	wilson, wilsonTo float64
}{
	{share(120, 1000), share(90, 1000), 0.028650240398448427, false, 0.0030960486785798005, 0.057009571192658454, 1.378787878787879, 1.0331568912934985, 1.8400458156091688, 0.10129926060130914, 0.14160907584771276},
	{share(30, 400), share(60, 410), 0.0012373734572335348, false, -0.11479403445481443, -0.028220510403358844, 0.47297297297297297, 0.297987777201465, 0.7507134529603543, 0.053037743922847665, 0.10504770626130439},
	{share(500, 1000), share(500, 1000), 1.0, false, -0.043742190649046844, 0.043742190649046844, 1.0, 0.8392014382093806, 1.19160901598753, 0.4690696003681042, 0.5309303996318958},
	{share(1, 8), share(9, 11), 0.005477494641581329, true, -0.8591351307195659, -0.2384737082409532, 0.031746031746031744, 0.0023679890366411463, 0.4255976341214717, 0.02241749145005667, 0.4708881822128535},
	{share(0, 10), share(5, 12), 0.039644565960355434, true, -0.6804886874504502, -0.06038748742091071, 0.06493506493506494, 0.0030970792931362353, 1.361464224524658, 0.0, 0.27753279986288926},
	{share(3, 1000), share(40, 300000), 0.00040858330935651985, true, 0.0008868634788880719, 0.008649789121688334, 22.56469408224674, 6.969106954039729, 73.06035369858071, 0.0010207838811386186, 0.008783014053503173},
	{share(51000, 1000000), share(50000, 1000000), 0.0012414710287283145, false, 0.0003930469757529246, 0.0016069704833932344, 1.0210748155953635, 1.0082307715182321, 1.0340824823994692, 0.05057053456473948, 0.051432915052029946},
	{share(7, 7), share(2, 9), 0.0032342657342657346, true, 0.296843459497958, 0.9367748928821533, 45.0, 1.8331846596277275, 1104.635034645787, 0.6456695649333126, 1.0},
	{share(0, 50), share(0, 60), 1.0, false, -0.060171852142089886, 0.07134759913335874, 1.198019801980198, 0.02335324068022719, 61.45834171751061, 0.0, 0.07134759913335872},
	{share(1000, 5000), share(4, 20), 1.0, true, -0.2162899981027983, 0.11987759612449722, 1.0, 0.3335900966839087, 2.997690908515021, 0.18914494391506542, 0.21131567725196881},
	{share(2500, 5000), share(3900, 9000), 3.2686147453116696e-14, false, 0.04942500719657475, 0.08387452240157864, 1.3076923076923077, 1.2200597684030758, 1.4016191795553694, 0.48614628258320963, 0.5138537174167904},
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range compared {
		c := stats.Compare(tt.a, tt.b)
		low, high := tt.a.Wilson()
		got := []float64{c.P, c.Low, c.High, c.Odds, c.OddsLow, c.OddsHigh, low, high}
		want := []float64{tt.p, tt.low, tt.high, tt.odds, tt.from, tt.to, tt.wilson, tt.wilsonTo}
		if !slices.EqualFunc(got, want, near) || c.Exact != tt.exact || c.Difference != tt.a.Rate()-tt.b.Rate() {
			t.Errorf("%v and %v: %v\nwant %v, exact %v", tt.a, tt.b, got, want, tt.exact)
		}
		back := stats.Compare(tt.b, tt.a)
		if !near(back.P, c.P) || !near(back.Low, -c.High) || !near(back.Odds*c.Odds, 1) {
			t.Errorf("%v and %v the other way round: %+v", tt.a, tt.b, back)
		}
	}
	for _, none := range [][2]stats.Share{{{}, {}}, {{}, {Did: 3, Of: 5}}, {{Did: 4, Of: 4}, {Did: 5, Of: 5}}} {
		c := stats.Compare(none[0], none[1])
		if c.P != 1 || c.Exact || math.IsNaN(c.Low+c.High+c.Odds+c.OddsLow+c.OddsHigh) {
			t.Errorf("%v: %+v", none, c)
		}
	}
}

// TestExactSums compares Fisher's test with the sum over all arrangements of small tables.
func TestExactSums(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	binomial := func(n, k int64) float64 {
		out := 1.0
		for i := range k {
			out = out * float64(n-i) / float64(i+1)
		}
		return out
	}
	for range 500 {
		a, b := stats.Share{Of: 1 + r.Int64N(9)}, stats.Share{Of: 1 + r.Int64N(9)}
		a.Did, b.Did = r.Int64N(a.Of+1), r.Int64N(b.Of+1)
		did, want := a.Did+b.Did, 0.0
		if did == 0 || did == a.Of+b.Of {
			continue
		}
		ways := func(x int64) float64 {
			if x < 0 || x > a.Of || did-x < 0 || did-x > b.Of {
				return 0
			}
			return binomial(a.Of, x) * binomial(b.Of, did-x) / binomial(a.Of+b.Of, did)
		}
		for x := range a.Of + 1 {
			if w := ways(x); w > 0 && w <= ways(a.Did)*(1+1e-7) {
				want += w
			}
		}
		if c := stats.Compare(a, b); !c.Exact || !near(c.P, min(want, 1)) {
			t.Fatalf("%v and %v: %v, want %v", a, b, c.P, want)
		}
	}
}

// TestHomogeneous has figures of SciPy's chi2_contingency without correction.
func TestHomogeneous(t *testing.T) {
	t.Parallel()
	many := make([]stats.Share, 60)
	for i := range many {
		many[i] = stats.Share{Did: int64(i*37%91 + 5), Of: int64(100 + i)}
	}
	for name, tt := range map[string]struct {
		shares []stats.Share
		want   stats.Homogeneity
	}{
		"three":        {[]stats.Share{{Did: 120, Of: 1000}, {Did: 90, Of: 1000}, {Did: 100, Of: 950}}, stats.Homogeneity{ChiSquared: 4.785573262334722, Freedom: 2, P: 0.09137470118092275}},
		"five":         {[]stats.Share{{Did: 10, Of: 100}, {Did: 20, Of: 100}, {Did: 30, Of: 100}, {Did: 40, Of: 100}, {Did: 5, Of: 90}, {Did: 0, Of: 0}}, stats.Homogeneity{ChiSquared: 46.19528619528621, Freedom: 4, P: 2.2428262251505314e-09}},
		"the same":     {[]stats.Share{{Did: 500, Of: 1000}, {Did: 500, Of: 1000}, {Did: 500, Of: 1000}}, stats.Homogeneity{ChiSquared: 0, Freedom: 2, P: 1}},
		"sixty":        {many, stats.Homogeneity{ChiSquared: 1410.2478873373275, Freedom: 59, P: 5.60468321567906e-256}},
		"few":          {[]stats.Share{{Did: 1, Of: 8}, {Did: 9, Of: 11}}, stats.Homogeneity{ChiSquared: 8.926641414141415, Freedom: 1, P: 0.005477494641581329}},
		"three of few": {[]stats.Share{{Did: 1, Of: 8}, {Did: 9, Of: 11}, {Did: 4, Of: 9}}, stats.Homogeneity{ChiSquared: 9.065656565656564, Freedom: 2, P: 0.010750228349412212, Rough: true}},
		"one":          {[]stats.Share{{Did: 5, Of: 10}, {Did: 0, Of: 0}}, stats.Homogeneity{ChiSquared: 0, Freedom: 0, P: 1}},
		"nothing":      {nil, stats.Homogeneity{ChiSquared: 0, Freedom: 0, P: 1}},
		"all of it":    {[]stats.Share{{Did: 10, Of: 10}, {Did: 5, Of: 5}}, stats.Homogeneity{ChiSquared: 0, Freedom: 1, P: 1}},
	} {
		got := stats.Homogeneous(tt.shares)
		if !near(got.ChiSquared, tt.want.ChiSquared) || got.Freedom != tt.want.Freedom || !near(got.P, tt.want.P) || got.Rough != tt.want.Rough {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// TestCorrections has figures of multipletests of statsmodels, and of SciPy's false_discovery_control.
func TestCorrections(t *testing.T) {
	t.Parallel()
	p := []float64{0.01, 0.04, 0.03, 0.005, 0.2, 0.9, 0.04, 0.00001}
	if got, want := stats.Holm(p), []float64{0.06, 0.16, 0.15, 0.035, 0.4, 0.9, 0.16, 8e-05}; !slices.EqualFunc(got, want, near) {
		t.Errorf("Holm: %v, want %v", got, want)
	}
	want := []float64{0.026666666666666665, 0.05333333333333333, 0.05333333333333333, 0.02, 0.22857142857142856, 0.9, 0.05333333333333333, 8e-05}
	if got := stats.FalseDiscoveries(p); !slices.EqualFunc(got, want, near) {
		t.Errorf("false discoveries: %v, want %v", got, want)
	}
	if len(stats.Holm(nil))+len(stats.FalseDiscoveries(nil)) != 0 {
		t.Error("nothing is corrected to something")
	}
}

// TestCorrectedAreNoSmaller: rounding makes no probability smaller than it was.
func TestCorrectedAreNoSmaller(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1)) // not for secrets
	for range 2000 {
		p := make([]float64, 1+r.IntN(60))
		for i := range p {
			p[i] = r.Float64()
		}
		for i, q := range stats.FalseDiscoveries(p) {
			if q < p[i] {
				t.Fatalf("%v is corrected to %v among %d", p[i], q, len(p))
			}
		}
	}
}
