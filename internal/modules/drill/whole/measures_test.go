package whole_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// part decodes an answer's member at a path of names.
func part(t *testing.T, r testkit.Response, path ...string) string {
	t.Helper()
	raw := json.RawMessage(r.Body)
	for _, name := range path {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(raw, &o); err != nil {
			t.Fatalf("%v at %s of %d %s", err, name, r.Status, r.Body)
		}
		raw = o[name]
	}
	return string(raw)
}

func TestMeasures(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	got := query(s, a, "measures", `[{"fn":"avg","of":"sg.price"},{"fn":"median","of":"sg.price"},{"fn":"percentile","of":"sg.price","p":66.67},{"fn":"per_user"},{"fn":"sum","of":"dur"},
		{"fn":"ratio","of":{"fn":"users"},"to":{"fn":"users","event":"sell"}},{"fn":"ratio","of":{"fn":"count","query":{"sg.what":"tea"}},"to":{"fn":"count"}}]`)
	for _, tt := range []struct {
		want string
		path []string
	}{
		{`{"u":2,"t":5,"s":5,"dur":3,"m":[3.3333333333333335,3,4,2.5,3,2,0.6]}`, []string{"totals"}},
		{`{"u":1,"t":1,"s":0,"dur":0,"m":[null,null,null,1,0,null,0]}`, []string{"data", "daily", "2031.5.12"}},
		{`{"u":2,"t":4,"s":5,"dur":3,"m":[3.3333333333333335,3,4,2,3,2,0.75]}`, []string{"data", "daily", "2031.5.14"}},
	} {
		if part := part(t, got, tt.path...); part != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, part, tt.want)
		}
	}
	got = query(s, a, "projectionKey", "sg.what", "measures", `[{"fn":"max","of":"sg.price"},{"fn":"ratio","of":{"fn":"count"},"to":{"fn":"users","event":"buy","query":{}}}]`, "limit", "1", "other", "true")
	for _, tt := range []struct {
		want string
		path []string
	}{
		{`{"u":2,"t":3,"s":5,"dur":3,"m":[3,1.5],"s0":"tea","keys":{"sg.what":"tea"},"segment":"tea"}`, []string{"segments", "tea"}},
		{`{"u":2,"t":3,"s":5,"dur":3,"m":[3,1.5],"keys":{"sg.what":"tea"}}`, []string{"data", "daily", "2031.5.14", "tea"}},
		{`{"groups":2,"u":2,"t":2,"s":0,"dur":0,"m":[4,1],"data":{"daily":{"2031.5.12":{"u":1,"t":1,"s":0,"dur":0,"m":[null,1]},"2031.5.14":{"u":1,"t":1,"s":0,"dur":0,"m":[4,1]}}}}`, []string{"other"}},
	} {
		if part := part(t, got, tt.path...); part != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, part, tt.want)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{
			"two days ago until the same moment",
			[]string{"period", "today", "compare", `[1936310400000,1936396799999]`, "bucket", "hourly"},
			`{"from":1936310400000,"to":1936344600000,"totals":{"u":1,"t":1,"s":0,"dur":0},"data":{"hourly":{"2031.5.14.9":{"at":"2031.5.12.9","u":1,"t":1,"s":0,"dur":0}}}}`,
		},
		{"nothing yesterday", []string{"period", "today", "compare", "previous"}, `{"from":1936396800000,"to":1936431000000,"totals":{"u":0,"t":0,"s":0,"dur":0},"data":{"daily":{}}}`},
		{"the year before", []string{"period", "month", "compare", "year", "bucket", "monthly"}, `{"from":1893456000000,"to":1904981400000,"totals":{"u":0,"t":0,"s":0,"dur":0},"data":{"monthly":{}}}`},
		{
			"groups",
			[]string{"period", "today", "compare", `[1936310400000,1936396799999]`, "projectionKey", "sg.gift", "other", "1", "limit", "1"},
			`{"from":1936310400000,"to":1936344600000,"totals":{"u":1,"t":1,"s":0,"dur":0},"segments":{"Unknown":{"u":0,"t":0,"s":0,"dur":0,"s0":null,"keys":{"sg.gift":null},"segment":"Unknown"}},` +
				`"other":{"u":1,"t":1,"s":0,"dur":0,"data":{"daily":{"2031.5.14":{"at":"2031.5.12","u":1,"t":1,"s":0,"dur":0}}}},"data":{"daily":{}}}`,
		},
	} {
		if got := part(t, query(s, a, tt.pairs...), "compare"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestPeople(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	drill, users := member(t, s, a, "drill", "r:drill"), member(t, s, a, "users", "r:drill", "r:users")
	ask := func(key string, pairs ...string) testkit.Response {
		return query(s, a, append([]string{"method", "segmentation_users", "api_key", key, "projectionKey", "sg.what"}, pairs...)...)
	}
	if got := ask(drill.Key); got.Status != http.StatusUnauthorized {
		t.Errorf("without the right to read users: %d %s", got.Status, got.Body)
	}
	anna := `{"uid":"1","did":"anna","name":"Anna","lac":1936517400,"t":3,"last":1936517400000}`
	bert := `{"uid":"2","did":"bert","lac":1936517400,"t":2,"last":1936517400000}`
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"all", nil, `{"total":2,"users":[` + anna + `,` + bert + `]}`},
		{"a page", []string{"skip", "1", "limit", "1"}, `{"total":2,"users":[` + bert + `]}`},
		{"a bucket", []string{"at", "2031.5.12"}, `{"total":1,"users":[{"uid":"2","did":"bert","lac":1936517400,"t":1,"last":1936344600000}]}`},
		{"a group", []string{"groups", `[["milk"]]`}, `{"total":1,"users":[{"uid":"1","did":"anna","name":"Anna","lac":1936517400,"t":1,"last":1936517400000}]}`},
		{"the others", []string{"not_groups", `[["tea"],["milk"]]`}, `{"total":1,"users":[{"uid":"2","did":"bert","lac":1936517400,"t":1,"last":1936344600000}]}`},
		{"a minute", []string{"bucket", "minutely", "at", "2031.5.12.9.30"}, `{"total":1,"users":[{"uid":"2","did":"bert","lac":1936517400,"t":1,"last":1936344600000}]}`},
		{"nobody", []string{"event", "nothing"}, `{"total":0,"users":[]}`},
	} {
		if got := ask(users.Key, tt.pairs...); got.Body != tt.want {
			t.Errorf("%s: %d %s, want %s", tt.name, got.Status, got.Body, tt.want)
		}
	}
	for _, pairs := range [][]string{
		{"at", "2031.5.99"},
		{"at", "x"},
		{"at", "2031.5.14", "bucket", `["daily","hourly"]`},
		{"at", "2031.5.12.9.60", "bucket", "minutely"},
		{"timezone", "user", "bucket", "minutely"},
		{"groups", `[["a","b"]]`},
		{"groups", `{}`},
		{"groups", `[["a"]]`, "projectionKey", ""},
		{"limit", "x"},
	} {
		if got := ask(users.Key, pairs...); got.Status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", pairs, got.Status, got.Body)
		}
	}
}

// TestMeasuresRefused: what cannot be measured is refused.
func TestMeasuresRefused(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	one := `{"fn":"users"}`
	sides := make([]string, 6)
	for i := range sides {
		sides[i] = `{"fn":"ratio","of":{"fn":"users"},"to":{"fn":"users","event":"e` + strings.Repeat("x", i) + `"}}`
	}
	for _, tt := range [][2]string{
		{"measures", "x"},
		{"measures", "{}"},
		{"measures", "[" + strings.Repeat(one+",", 10) + one + "]"},
		{"measures", `[{"fn":"mode","of":"s"}]`},
		{"measures", `[{"fn":"users","of":"s"}]`},
		{"measures", `[{"fn":"avg"}]`},
		{"measures", `[{"fn":"avg","of":7}]`},
		{"measures", `[{"fn":"avg","of":"` + strings.Repeat("x", 600) + `"}]`},
		{"measures", `[{"fn":"percentile","of":"s"}]`},
		{"measures", `[{"fn":"percentile","of":"s","p":0}]`},
		{"measures", `[{"fn":"percentile","of":"s","p":100.1}]`},
		{"measures", `[{"fn":"percentile","of":"s","p":100.001}]`},
		{"measures", `[{"fn":"percentile","of":"s","p":99.999}]`},
		{"measures", `[{"fn":"median","of":"s","p":50}]`},
		{"measures", `[{"fn":"users","event":"sell"}]`},
		{"measures", `[{"fn":"users","more":1}]`},
		{"measures", `[{"fn":"ratio","of":{"fn":"users"}}]`},
		{"measures", `[{"fn":"ratio","of":{"fn":"ratio"},"to":{"fn":"users"}}]`},
		{"measures", `[{"fn":"ratio","of":{"fn":"users"},"to":{"fn":"users","query":{"$where":"1"}}}]`},
		{"measures", "[" + strings.Join(sides, ",") + "]"},
		{"bins", "[]"},
		{"bins", `{"sg.price":[1,2]}`},
		{"compare", "soon"},
		{"compare", "[2,1]"},
	} {
		if got := query(s, a, tt[0], tt[1]); got.Status != http.StatusBadRequest {
			t.Errorf("%s=%.80s: %d %s", tt[0], tt[1], got.Status, got.Body)
		}
	}
	for _, bins := range []string{`{"sg.price":[]}`, `{"sg.price":[2,1]}`, `{"sg.price":[1,1]}`, `{"sg.price":["x"]}`} {
		if got := query(s, a, "projectionKey", "sg.price", "bins", bins); got.Status != http.StatusBadRequest {
			t.Errorf("bins=%s: %d %s", bins, got.Status, got.Body)
		}
	}
	hidden := member(t, s, a, "hidden", "r:drill")
	if got := query(s, a, "api_key", hidden.Key, "measures", `[{"fn":"max","of":"up.phone"}]`); got.Status != http.StatusUnauthorized {
		t.Errorf("the largest phone number without the right to users: %d %s", got.Status, got.Body)
	}
}

// TestRatioBeyondNumbers divides what is huge by what is nearly nothing: there is no such number.
func TestRatioBeyondNumbers(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "d1", "events", `[{"key":"buy","count":1,"segmentation":{"much":1e100,"little":1e-300}}]`)
	s.Flush()
	got := query(s, a, "measures", `[{"fn":"ratio","of":{"fn":"sum","of":"sg.much"},"to":{"fn":"sum","of":"sg.little"}},{"fn":"sum","of":"sg.little"}]`)
	if m := part(t, got, "totals", "m"); m != "[null,1e-300]" {
		t.Errorf("%s", m)
	}
}
