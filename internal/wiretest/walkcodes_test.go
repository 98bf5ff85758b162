package wiretest_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quipu/internal/ingest/decode"
	"quipu/internal/testkit"
)

// pathValues are the parts of paths that stand for values.
var pathValues = regexp.MustCompile(`\{[^}]+\}`)

// TestWalkFaultCodes sends bad requests to every route, those outside the API included: each answer with the status of a fault, and the
// picture that stands for one, has a code, which
// scripts of other origins may read where they may read the answer.
func TestWalkFaultCodes(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	list := routes(t)
	for _, path := range append(decode.Paths(), "/api-key", "/openapi.json", "/livez", "/readyz", "/nothing", "/o/nothing") {
		list = append(list, route{path: path})
	}
	list = append(list, route{path: "/readyz?role=nothing"}, route{path: "/o/sdk/content?app_key=" + a.Key + "&device_id=d&resolution=nothing"})
	key, app := []string{"api_key", s.Key}, []string{"app_id", a.ID}
	nonsense := append(append(append([]string{}, key...), app...), "period", "{", "args", "{", "id", "nothing", "query", "{", "timezone", "nowhere")
	refused := map[string]bool{}
	for _, r := range list {
		for what, params := range map[string][]string{
			"nothing": nil, "a wrong key": append([]string{"api_key", "nothing"}, app...), "a key alone": key, "an unknown app": append([]string{"app_id", unknownID}, key...),
			"nonsense": nonsense, "nonsense of an SDK": {"app_key", "nothing", "device_id", "", "requests", "{"}, "nonsense in an app": {"app_key", a.Key, "requests", "{"},
		} {
			if r.method != "" {
				params = append([]string{"method", r.method}, params...)
			}
			query, path := testkit.Query(params...), pathValues.ReplaceAllString(r.path, "nothing")
			with := path + "?" + query
			if strings.Contains(path, "?") {
				with = path + "&" + query
			}
			for name, ask := range map[string]func() testkit.Response{
				http.MethodGet:    func() testkit.Response { return s.Do(http.MethodGet, with, nil) },
				http.MethodPost:   func() testkit.Response { return s.Do(http.MethodPost, path, strings.NewReader(query), form...) },
				http.MethodDelete: func() testkit.Response { return s.Do(http.MethodDelete, with, nil) },
				"a broken body": func() testkit.Response {
					return s.Do(http.MethodPost, with, strings.NewReader(`{"a":`), "Content-Type", "application/json", "Content-Encoding", "gzip")
				},
				"a wrong password": func() testkit.Response {
					return s.Do(http.MethodGet, with, nil, "Authorization", "Basic bm9ib2R5Om5vdGhpbmc=")
				},
			} {
				got := ask()
				if got.Status < http.StatusBadRequest && (!strings.HasPrefix(path, "/pixel.png") || strings.HasSuffix(what, "an app")) {
					continue
				}
				refused[r.path] = true
				exposed, anyOrigin := got.Header.Get("Access-Control-Expose-Headers"), got.Header.Get("Access-Control-Allow-Origin") != ""
				if code(got) == "" || anyOrigin && !strings.Contains(exposed, "Quipu-Error") {
					t.Errorf("%s with %s by %s: %d with code %q, scripts may read %q: %.200s", r.name(), what, name, got.Status, code(got), exposed, got.Body)
				}
			}
		}
	}
	for _, path := range []string{"/api-key", "/i", "/i/bulk", "/readyz?role=nothing", "/api/{project}/envelope", "/api/{project}/minidump", "/crash/{url}", "/feedback", "/o/nothing"} {
		if !refused[path] {
			t.Errorf("%s refused nothing: the requests are not bad", path)
		}
	}
}
