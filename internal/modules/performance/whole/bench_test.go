// Package whole_test has the tests of the module in a whole server. They stand apart from those that see inside the package: with one of
// these in its own folder, the server, which imports the package, is compiled once more.
package whole_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// BenchmarkReads reads traces of 30 days and 10,000 people: from cells, and from rows as under a filter and in tables.
func BenchmarkReads(b *testing.B) {
	const traces, people, perRequest = 200_000, 10_000, 500
	s := testkit.New(b, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	r := rand.New(rand.NewPCG(1, 2))
	for done := 0; done < traces; done += perRequest {
		var list []string
		for i := range perRequest {
			at := start.Add(-time.Duration(r.IntN(30*24*60)) * time.Minute).UnixMilli()
			list = append(list, fmt.Sprintf(`{"device_id":"u%d","timestamp":%d,"apm":{"type":"device","name":"shop.example/page%d","apm_metrics":{"largest_contentful_paint":%.1f,"interaction_to_next_paint":%.1f,"cumulative_layout_shift":%.4f}}}`,
				r.IntN(people), at+int64(i), r.IntN(100), math.Exp(r.NormFloat64()*0.6+7.5), math.Exp(r.NormFloat64()+4.5), r.Float64()/4))
		}
		if res := s.Post("/i/bulk", "app_key", a.Key, "requests", "["+strings.Join(list, ",")+"]"); res.Status != 200 {
			b.Fatal(res.Status, res.Body)
		}
	}
	s.Flush()
	n := 0
	read := func(path string, pairs ...string) func(*testing.B) {
		return func(b *testing.B) {
			b.Helper()
			for b.Loop() {
				n++ // a filter of its own each time, so that nothing is remembered
				q := append([]string{"app_id", a.ID, "period", "30days"}, pairs...)
				for i := range q {
					q[i] = strings.ReplaceAll(q[i], "%n", fmt.Sprint(n))
				}
				s.Admin(path, q...)
			}
		}
	}
	b.Run("cells/overview", read("/o/performance"))
	b.Run("cells/course", read("/o/performance/course", "measure", "lcp"))
	b.Run("rows/overview", read("/o/performance", "filter", `{"up.p":{"$ne":"x%n"}}`))
	b.Run("rows/course", read("/o/performance/course", "measure", "lcp", "filter", `{"up.p":{"$ne":"x%n"}}`))
	b.Run("rows/table", read("/o/performance/table", "measure", "lcp", "by", "name", "filter", `{"up.p":{"$ne":"x%n"}}`))
}
