package wiretest_test

import (
	"encoding/csv"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quipu/internal/ingest/decode"
)

// endpoint is a row of docs/reference/endpoints.tsv, the list of what the wire has.
type endpoint struct{ id, area, path, method string }

func endpoints(t *testing.T) []endpoint {
	t.Helper()
	f, err := os.Open("../../docs/reference/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, 11
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []endpoint
	for _, row := range rows[1:] {
		out = append(out, endpoint{row[0], row[1], row[2], row[3]})
	}
	if len(out) != 490 {
		t.Fatalf("%d endpoints, want the 490 that the wire has", len(out))
	}
	return out
}

// required reports whether every installation has the endpoints of an area.
func required(area string) bool {
	return strings.HasPrefix(area, "core/") || slices.Contains([]string{
		"sdk", "plugins", "system-utility", "systemlogs", "errorlogs", "logger", "server-stats", "locale", "compliance-hub", "consolidate",
		"populator", "slipping-away-users",
	}, area)
}

var pathElement = regexp.MustCompile(`\{[^}]*\}`)

// TestEndpoints compares what the wire has with the routes there are.
func TestEndpoints(t *testing.T) {
	s := server(t)
	a := s.CreateApp("a", "UTC")
	have := map[string]bool{"/api-key": true, "/o": true}
	for _, r := range routes(t) {
		have[pathElement.ReplaceAllString(r.name(), "{}")] = true
	}
	for _, p := range decode.Paths() {
		have[p] = true
	}
	covered := func(e endpoint) bool {
		path := pathElement.ReplaceAllString(e.path, "{}")
		switch {
		case e.method == "":
			return have[path]
		case path == "/o":
			return have[path+"?method="+e.method]
		}
		// These methods are no routes of their own. An answer to one of a feature that is not there is no cover.
		return required(e.area) && have[path] && s.Get(path, "method", e.method, "app_key", a.Key, "device_id", "d", "api_key", s.Key, "app_id", a.ID).Body != wrong("Invalid method")
	}
	total, done := map[string]int{}, map[string]int{}
	sum, all := 0, 0
	for _, e := range endpoints(t) {
		area := e.area
		total[area]++
		all++
		ok := covered(e)
		if ok {
			done[area]++
			sum++
		}
		if !ok && required(area) {
			t.Errorf("%s (%s) has no route", e.id, e.path)
		}
	}
	for _, area := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%3d of %3d  %s", done[area], total[area], area)
	}
	t.Logf("%3d of %3d  in all", sum, all)
}
