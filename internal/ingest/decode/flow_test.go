package decode_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"quipu/internal/model"
)

// TestFlow checks that what flows into other apps is durable with what it comes from: in one append.
func TestFlow(t *testing.T) {
	source := *plainApp
	source.Plugins = map[string]any{model.Consolidate: []any{saltedApp.ID.String(), pausedApp.ID.String(), "nonsense", 5.0, plainApp.ID.String(), model.AppID{9}.String()}}
	for name, r := range map[string]*http.Request{
		"one":  httptest.NewRequest(http.MethodGet, "/i?app_key=K&device_id=D&consolidated_from=x", nil),
		"bulk": httptest.NewRequest(http.MethodPost, "/i/bulk", strings.NewReader(`[{"app_key":"K","device_id":"D"}]`)),
	} {
		t.Run(name, func(t *testing.T) {
			s := &sink{}
			d, counter := newDecoderOf(t, s, directory{&source, saltedApp, pausedApp})
			if name == "bulk" {
				r.Header.Set("Content-Type", "application/json")
			}
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			if w.Body.String() != okBody || s.appends != 1 {
				t.Fatalf("%s in %d appends, want success in one", w.Body, s.appends)
			}
			if len(s.records) != 2 || s.records[0].App != source.ID || s.records[1].App != saltedApp.ID {
				t.Fatalf("records %v, want one of the app and one of the app it flows into", s.records)
			}
			last := s.records[1].Params[len(s.records[1].Params)-1]
			if last.Name != "consolidated_from" || string(last.Value) != source.ID.String() || strings.Count(show(s.records[1]), "consolidated_from") != 1 {
				t.Errorf("parameters %s, want where they come from once", show(s.records[1]))
			}
			if got, want := drained(counter), "3 request app_paused 1"; got != want {
				t.Errorf("outcomes %q, want %q", got, want)
			}
			if slices.ContainsFunc(source.FlowsInto(), func(id model.AppID) bool { return id == source.ID }) {
				t.Error("the app flows into itself")
			}
		})
	}
}
