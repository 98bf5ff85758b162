package formulas_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// bought is one event of the traffic.
type bought struct {
	day, session  int
	user, company string
	count         int
	sum, dur      float64
	price         *float64
}

// percentile is the one by nearest rank; 0 of nothing.
func percentile(numbers []float64, p float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	return numbers[max(0, int(math.Ceil(p/100*float64(len(numbers))))-1)]
}

// TestMeasures compares formulas over random traffic with what is computed here.
func TestMeasures(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 1)) // traffic
	t.Logf("seed %d", seed)
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	var all []bought
	first := time.Date(2031, 5, 12, 1, 0, 0, 0, time.UTC)
	for i := range 44 { // an hour each, so that every request begins a session; 20 on the second day, which is the 13th
		at := first.Add(time.Duration(i) * time.Hour)
		s.Clock().Set(at)
		user, company := fmt.Sprint("u", rnd.IntN(5)), fmt.Sprint("c", rnd.IntN(3))
		var list []string
		for range rnd.IntN(5) {
			b := bought{day: at.Day(), session: i, user: user, company: company, count: 1 + rnd.IntN(3), sum: float64(rnd.IntN(20)), dur: float64(rnd.IntN(30))}
			price := ""
			if rnd.IntN(4) > 0 {
				b.price = new(float64(rnd.IntN(50) - 10))
				price = fmt.Sprintf(`,"price":%g`, *b.price)
			}
			all = append(all, b)
			list = append(list, fmt.Sprintf(`{"key":"buy","count":%d,"sum":%g,"dur":%g,"segmentation":{"company":%q%s}}`, b.count, b.sum, b.dur, b.company, price))
		}
		s.Ingest(a, user, "begin_session", "1", "events", "["+strings.Join(list, ",")+"]")
	}
	s.Clock().Set(time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC))
	s.Flush()
	prices := func(list []bought) (out []float64) {
		for _, b := range list {
			if b.price != nil {
				out = append(out, *b.price)
			}
		}
		return out
	}
	total := func(list []bought, of func(bought) float64) (n float64) {
		for _, b := range list {
			n += of(b)
		}
		return n
	}
	different := func(list []bought, of func(bought) any) float64 {
		seen := map[any]bool{}
		for _, b := range list {
			seen[of(b)] = true
		}
		return float64(len(seen))
	}
	sumOf := func(numbers []float64) (n float64) {
		for _, v := range numbers {
			n += v
		}
		return n
	}
	per := func(x, y float64) float64 {
		if y == 0 {
			return 0
		}
		return x / y
	}
	count := func(list []bought) float64 { return total(list, func(b bought) float64 { return float64(b.count) }) }
	users := func(list []bought) float64 { return different(list, func(b bought) any { return b.user }) }
	durs := func(list []bought) (out []float64) {
		for _, b := range list {
			out = append(out, b.dur)
		}
		return out
	}
	sessions := func(list []bought) float64 { return different(list, func(b bought) any { return b.session }) }
	dear := func(list []bought) []bought {
		return slices.DeleteFunc(slices.Clone(list), func(b bought) bool { return b.price == nil || *b.price < 5 })
	}
	for formula, of := range map[string]func([]bought) float64{
		`sessions("buy")`:                          sessions,
		`sessions("buy", {"sg.price":{"$gte":5}})`: func(l []bought) float64 { return sessions(dear(l)) },
		`per_user("buy")`:                          func(l []bought) float64 { return per(count(l), users(l)) },
		`per_user("buy", "sg.price")`:              func(l []bought) float64 { return per(sumOf(prices(l)), users(l)) },
		`per_user("buy", "s")`:                     func(l []bought) float64 { return per(total(l, func(b bought) float64 { return b.sum }), users(l)) },
		`sum("buy", "sg.price")`:                   func(l []bought) float64 { return sumOf(prices(l)) },
		`average("buy", "sg.price")`:               func(l []bought) float64 { return per(sumOf(prices(l)), float64(len(prices(l)))) },
		`average("buy", "dur")`:                    func(l []bought) float64 { return per(sumOf(durs(l)), count(l)) },
		`min("buy", "sg.price")`:                   func(l []bought) float64 { return percentile(prices(l), 0) },
		`max("buy", "sg.price")`:                   func(l []bought) float64 { return percentile(prices(l), 100) },
		`median("buy", "sg.price")`:                func(l []bought) float64 { return percentile(prices(l), 50) },
		`median("buy", "dur")`:                     func(l []bought) float64 { return percentile(durs(l), 50) },
		`percentile("buy", "sg.price", 90)`:        func(l []bought) float64 { return percentile(prices(l), 90) },
		`accounts("buy", "sg.company")`:            func(l []bought) float64 { return different(l, func(b bought) any { return b.company }) },
		`max("buy", "sg.price") - min("buy", "sg.price") + 10 * accounts("buy", "sg.company") / users("buy")`: func(l []bought) float64 {
			return percentile(prices(l), 100) - percentile(prices(l), 0) + per(10*different(l, func(b bought) any { return b.company }), users(l))
		},
		`min(median("buy", "sg.price", {"sg.price":{"$gte":5}}), count("buy"))`: func(l []bought) float64 { return min(percentile(prices(dear(l)), 50), count(l)) },
		`median("buy", "sg.never") + accounts("buy", "custom.never")`:           func([]bought) float64 { return 0 },
	} {
		for _, company := range []string{"", "c1"} { // a filter narrows all figures of the formula
			by := ""
			if company != "" {
				by = fmt.Sprintf(`{"sg.company":%q}`, company)
			}
			var got answer
			testkit.Decode(t, s.Admin("/o", "method", "calculated_metrics", "app_id", a.ID, "mode", "unsaved", "formula", formula, "bucket", `["daily","single"]`, "period", "3days", "filter", by), &got)
			want := []float64{}
			var whole []bought
			for day := 12; day <= 14; day++ {
				of1 := slices.DeleteFunc(slices.Clone(all), func(b bought) bool { return b.day != day || company != "" && b.company != company })
				whole = append(whole, of1...)
				want = append(want, of(of1))
			}
			same := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }
			if values := got.Data["daily"]["current"].Value; !slices.EqualFunc(values, want, same) {
				t.Errorf("%s by day, of %q: %v, want %v", formula, company, values, want)
			}
			if values := got.Data["single"]["current"].Value; !slices.EqualFunc(values, []float64{of(whole)}, same) {
				t.Errorf("%s of %q: %v, want %v", formula, company, values, of(whole))
			}
		}
	}
	// What tells who somebody is needs the right to read users, be it measured, counted or in a filter.
	key := member(t, s, a, "ann")
	for formula, status := range map[string]int{
		`accounts("buy", "up.email")`: http.StatusUnauthorized, `max("buy", "up.phone")`: http.StatusUnauthorized, `median("buy", "dur", {"up.did":"u1"})`: http.StatusUnauthorized,
		`accounts("buy", "up.uid")`: http.StatusUnauthorized, `accounts("buy", "sg.company")`: http.StatusOK, `accounts("buy", "buy")`: http.StatusBadRequest,
	} {
		r := s.Get("/o", "api_key", key, "method", "calculated_metrics", "app_id", a.ID, "mode", "unsaved", "formula", formula, "bucket", "daily", "period", "3days")
		if r.Status != status {
			t.Errorf("%s: %d %s", formula, r.Status, r.Body)
		}
	}
	for by, status := range map[string]int{`{"sg.company":"c1"}`: http.StatusOK, `{"up.email":"x"}`: http.StatusUnauthorized, `{"$where":"1"}`: http.StatusBadRequest, `[1]`: http.StatusBadRequest, "x": http.StatusBadRequest} {
		r := s.Get("/o", "api_key", key, "method", "calculated_metrics", "app_id", a.ID, "mode", "unsaved", "formula", `count("buy")`, "bucket", "daily", "period", "3days", "filter", by)
		if r.Status != status {
			t.Errorf("filter %s: %d %s", by, r.Status, r.Body)
		}
	}
}
