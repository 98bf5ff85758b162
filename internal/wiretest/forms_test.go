package wiretest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// describedParameter is a parameter as the description of the API has it.
type describedParameter struct {
	Name     string
	In       string
	Required bool
	Example  any
	Schema   *describedSchema
	Content  map[string]struct{ Schema *describedSchema }
}

type describedSchema struct {
	Type any
	Enum []string
}

// typed reports whether the description says that a parameter is more than a text.
func (p describedParameter) typed() bool {
	schema := p.Schema
	for _, media := range p.Content {
		schema = media.Schema
	}
	return schema != nil && (len(schema.Enum) > 0 || schema.Type != nil && schema.Type != "string")
}

// alsoTexts are parameters of which the description shows one form, and whose text names others: a key in place of an object or a list.
func alsoTexts() []string {
	return []string{
		"/o/retention start", "/o/retention return", "/o/retention/people start", "/o/retention/people return", "/o/flows/paths start", "/o/flows/paths end",
		"/o/revenue events", "/o/revenue/ltv events", "/o/revenue/report events",
	}
}

// TestWalkDescribedForms sends a text that is neither a number, a flag, a list nor an object in the place of each parameter that the description
// says to be one of these: a read is answered with a warning, or refused where the caller is strict. No form is described that nothing checks.
func TestWalkDescribedForms(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("Shop", "UTC")
	s.Ingest(a, "d", "begin_session", "1", "events", `[{"key":"buy"}]`)
	s.Flush()
	var doc struct {
		Paths map[string]map[string]struct{ Parameters []describedParameter }
	}
	testkit.Decode(t, s.Get("/openapi.json").Body, &doc)
	const nonsense = "zzz"
	tried := 0
	for path, verbs := range doc.Paths {
		op, reads := verbs["get"]
		if !reads || strings.Contains(path, "{") || strings.HasPrefix(path, "/o/live/") || path == "/o/render" || path == "/o/email_test" {
			continue // writes have bodies, streams do not end, and some need a browser or a mail server
		}
		pairs := []string{"api_key", s.Key}
		for _, p := range op.Parameters {
			if text, ok := p.Example.(string); p.Name == "app_id" {
				pairs = append(pairs, "app_id", a.ID)
			} else if ok && p.Required {
				pairs = append(pairs, p.Name, text)
			}
		}
		ask := func(more ...string) testkit.Response {
			return s.Do(http.MethodGet, path+"?"+testkit.Query(slices.Concat(pairs, more)...), nil, "Prefer", "handling=strict")
		}
		if ask().Status != http.StatusOK {
			continue // it needs something that is not there
		}
		for _, p := range op.Parameters {
			if !p.typed() || p.In != "query" || slices.Contains(pairs, p.Name) || slices.Contains(alsoTexts(), path+" "+p.Name) {
				continue
			}
			tried++
			if got := ask(p.Name, nonsense); got.Status != http.StatusBadRequest || got.Header.Get("Quipu-Error") == "" {
				t.Errorf("%s, strictly, with %s=%s: %d %.200s", path, p.Name, nonsense, got.Status, got.Body)
			}
			got := s.Do(http.MethodGet, path+"?"+testkit.Query(slices.Concat(pairs, []string{p.Name, nonsense})...), nil)
			if got.Status == http.StatusOK && !strings.Contains(got.Header.Get("Quipu-Warning"), ` "`+p.Name+": ") {
				t.Errorf("%s with %s=%s: warning %q, want one of %s", path, p.Name, nonsense, got.Header.Get("Quipu-Warning"), p.Name)
			}
		}
	}
	if tried < 300 {
		t.Errorf("%d parameters were tried, want several hundred", tried)
	}
}
