package crashes_test

import (
	"fmt"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// BenchmarkDetail reads a group of 20,000 reports with 40 custom segments.
func BenchmarkDetail(b *testing.B) {
	s := testkit.New(b, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	const reports, custom = 20_000, 40
	for i := 0; i < reports; {
		var list []string
		for range 1000 {
			var own []string
			for c := range custom {
				own = append(own, fmt.Sprintf(`"c%d":"v%d"`, c, i%(c+2)))
			}
			list = append(list, fmt.Sprintf(`{"app_key":%q,"device_id":"d%d","timestamp":%d,"crash":{"_error":"e","_os":"Android","_app_version":"1.%d","_device":"p%d","_root":%t,"_custom":{%s}}}`,
				a.Key, i%3000, start.UnixMilli()+int64(i), i%20, i%300, i%2 == 0, strings.Join(own, ",")))
			i++
		}
		if r := s.Post("/i/bulk", "requests", "["+strings.Join(list, ",")+"]"); r.Status != 200 {
			b.Fatal(r.Body)
		}
	}
	s.Flush()
	var table struct{ AaData []object }
	testkit.Decode(b, s.Admin("/o", "method", "crashes", "app_id", a.ID), &table)
	id := table.AaData[0]["_id"].(string)
	if got := table.AaData[0]["reports"]; got != float64(reports) {
		b.Fatalf("%v reports", got)
	}
	for b.Loop() {
		var g object
		testkit.Decode(b, s.Admin("/o", "method", "crashes", "app_id", a.ID, "group", id), &g)
		if n := len(g["custom"].(object)); n != custom {
			b.Fatalf("%d custom segments", n)
		}
	}
}

// stackOf is a stack of Java with twenty frames, of one of n groups.
func stackOf(group int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "java.lang.IllegalStateException: cart %d is empty", group)
	for i := range 20 {
		fmt.Fprintf(&b, "\n\tat com.example.shop.part%d.Cart%d.pay%d(Cart.java:%d)", i, group, i, 10+i)
	}
	return b.String()
}

// bulkOf are crashes as one body: groups from, from+1 … below most, then from 0 again.
func bulkOf(a testkit.TestApp, from, count, most int) string {
	list := make([]string, 0, count)
	for i := from; i < from+count; i++ {
		list = append(list, fmt.Sprintf(`{"app_key":%q,"device_id":"d%d","timestamp":%d,"crash":{"_error":%q,"_os":"Android","_app_version":"1.%d","_device":"p%d"}}`,
			a.Key, i%5000, start.UnixMilli()+int64(i), stackOf(i%most), i%20, i%300))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// BenchmarkIngest takes crashes in bodies of 500, of 1,000 groups, until all of them can be read.
func BenchmarkIngest(b *testing.B) {
	s := testkit.New(b, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	const body = 500
	var bodies []string
	for i := range 40 {
		bodies = append(bodies, bulkOf(a, i*body, body, 1000))
	}
	n := 0
	for b.Loop() {
		if r := s.Post("/i/bulk", "requests", bodies[n%len(bodies)]); r.Status != 200 {
			b.Fatal(r.Body)
		}
		if n++; n%40 == 0 {
			s.Flush()
		}
	}
	s.Flush()
	b.ReportMetric(float64(n*body)/b.Elapsed().Seconds(), "crashes/s")
}

// BenchmarkGroups lists the first page of 100,000 groups.
func BenchmarkGroups(b *testing.B) {
	s := testkit.New(b, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	const groups, body = 100_000, 1000
	for i := 0; i < groups; i += body {
		if r := s.Post("/i/bulk", "requests", bulkOf(a, i, body, groups)); r.Status != 200 {
			b.Fatal(r.Body)
		}
		if i%20_000 == 0 {
			s.Flush()
		}
	}
	s.Flush()
	for name, more := range map[string][]string{
		"latest": {"sort", `{"lastTs":-1}`}, "most": {"sort", `{"reports":-1}`}, "search": {"sSearch", "cart 777"},
	} {
		b.Run(name, func(b *testing.B) {
			var table struct {
				All    int `json:"iTotalRecords"`
				AaData []object
			}
			for b.Loop() {
				testkit.Decode(b, s.Admin("/o", append([]string{"method", "crashes", "app_id", a.ID, "iDisplayLength", "20"}, more...)...), &table)
			}
			b.ReportMetric(float64(table.All), "groups")
			b.ReportMetric(float64(len(table.AaData)), "rows")
		})
	}
}
