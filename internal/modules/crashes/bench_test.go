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
