package whole_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// row is a group of an answer.
type row struct {
	S0 *string
	T  int64
	M  []*float64
}

// rows decodes the segments of an answer, in their order.
func rows(t *testing.T, r testkit.Response) (out []row) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(part(t, r, "segments")))
	if _, err := d.Token(); err != nil {
		t.Fatalf("%v: %d %s", err, r.Status, r.Body)
	}
	for d.More() {
		var one row
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		if err := d.Decode(&one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}

// TestOrderByMeasure orders the groups of random traffic by each measure, and compares with all groups, ordered here.
func TestOrderByMeasure(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 1)) // traffic
	t.Logf("seed %d", seed)
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	for i := range 60 {
		var list []string
		for range rnd.IntN(8) {
			price := ""
			if rnd.IntN(3) > 0 {
				price = fmt.Sprintf(`,"price":%d`, rnd.IntN(20)-5)
			}
			list = append(list, fmt.Sprintf(`{"key":%q,"count":%d,"sum":%d,"dur":%d,"segmentation":{"what":"w%d"%s}}`, []string{"buy", "buy", "sell"}[rnd.IntN(3)], 1+rnd.IntN(3), rnd.IntN(9), rnd.IntN(9), rnd.IntN(15), price))
		}
		s.Ingest(a, fmt.Sprint("d", i%25), "begin_session", "1", "events", "["+strings.Join(list, ",")+"]")
	}
	s.Flush()
	const measures = `[{"fn":"avg","of":"sg.price"},{"fn":"median","of":"sg.price"},{"fn":"per_user"},{"fn":"sessions"},{"fn":"min","of":"sg.price"},{"fn":"avg","of":"s"},
		{"fn":"ratio","of":{"fn":"sum","of":"sg.price"},"to":{"fn":"users"}},{"fn":"ratio","of":{"fn":"count"},"to":{"fn":"count","event":"sell"}},
		{"fn":"ratio","of":{"fn":"users","query":{"sg.price":{"$gt":5}}},"to":{"fn":"users","query":{"sg.price":{"$lte":5}}}},{"fn":"max","of":"dur"}]`
	ask := func(pairs ...string) []row {
		return rows(t, query(s, a, append([]string{"projectionKey", "sg.what", "measures", measures}, pairs...)...))
	}
	all := ask("list", "true", "sort", `{"s0":1}`, "limit", "1000")
	if len(all) < 10 {
		t.Fatalf("%d groups", len(all))
	}
	for i := range 10 {
		for _, desc := range []bool{true, false} {
			want := slices.Clone(all)
			slices.SortStableFunc(want, func(x, y row) int {
				a, b := x.M[i], y.M[i]
				switch {
				case a == nil || b == nil:
					return map[[2]bool]int{{true, false}: 1, {false, true}: -1}[[2]bool{a == nil, b == nil}]
				case desc:
					a, b = b, a
				}
				return cmp.Compare(*a, *b)
			})
			text := func(list []row) string {
				b, err := json.Marshal(list)
				if err != nil {
					t.Fatal(err)
				}
				return string(b)
			}
			sort := fmt.Sprintf(`{"m%d":%d}`, i, map[bool]int{true: -1, false: 1}[desc])
			skip, limit := rnd.IntN(5), 1+rnd.IntN(12)
			got := ask("list", "true", "sort", sort, "skip", fmt.Sprint(skip), "limit", fmt.Sprint(limit))
			if w := text(want[skip:min(len(want), skip+limit)]); text(got) != w {
				t.Errorf("%s, %d from %d:\n%s\nwant\n%s", sort, limit, skip, text(got), w)
			}
			if desc {
				if got := ask("sortGraphBy", fmt.Sprintf("m%d", i), "limit", "4"); text(got) != text(want[:4]) {
					t.Errorf("graph by m%d:\n%s\nwant\n%s", i, text(got), text(want[:4]))
				}
			}
		}
	}
	for _, bad := range []string{"m", "m10", "m-1", "m01", "m0/m1", "m1x", "m99999999999999999999"} {
		for name, value := range map[string]string{"sort": `{"` + bad + `":1}`, "sortGraphBy": bad} {
			pairs := []string{"projectionKey", "sg.what", "measures", measures, name, value}
			if name == "sort" {
				pairs = append(pairs, "list", "true")
			}
			if r := query(s, a, pairs...); r.Status != http.StatusBadRequest {
				t.Errorf("%s by %s: %d", name, bad, r.Status)
			}
		}
	}
}
