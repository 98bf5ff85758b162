package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// schemathesis is where tools/schemathesis/fetch.sh puts the program.
const schemathesis = "../bin/tools/schemathesis/bin/schemathesis"

// TestDescribedAPI sends requests that Schemathesis makes of the description to a server that has data: examples, values of each type, and what
// breaks the types. No answer is an unexpected fault, and each is as it is described.
//
// Streams do not end, and what needs a browser or a mail server is not there. The profiler belongs to the process. Switching features and
// settings off would take paths away from the other requests, and a new key the credentials.
func TestDescribedAPI(t *testing.T) {
	program := need.File(t, schemathesis, "tools/schemathesis/fetch.sh")
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { // some of the requests load demo data: as many as may be loaded
		c.Modules = map[string]any{"populator": map[string]any{"max_users": 20, "max_days": 3}}
	}))
	a := s.CreateApp("Shop", "Europe/Berlin")
	for _, device := range []string{"d1", "d2", "d3"} {
		s.Ingest(
			a, device, "begin_session", "1", "metrics", `{"_os":"Android","_app_version":"1.2"}`, "user_details", `{"name":"Ann","custom":{"plan":"pro"}}`,
			"events", `[{"key":"buy","count":2,"sum":7.5,"segmentation":{"plan":"pro"}},{"key":"[CLY]_view","segmentation":{"name":"home","visit":1}}]`,
			"crash", `{"_error":"boom\n at x","_os":"Android","_app_version":"1.2"}`,
		)
	}
	s.Flush()
	var token struct{ Result string }
	testkit.Decode(t, s.Admin("/i/token/create", "multi", "true", "ttl", "0"), &token)
	dir := t.TempDir()
	description := filepath.Join(dir, "openapi.json")
	if err := os.WriteFile(description, about(t, s, a), 0o600); err != nil {
		t.Fatal(err)
	}
	hooks, err := filepath.Abs("../tools/schemathesis")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(
		t.Context(), program, "run", description, "--url", s.URL(), "--header", "countly-token: "+token.Result,
		"--checks", "coded_fault,status_code_conformance,content_type_conformance,response_schema_conformance",
		"--exclude-path-regex", `^/o/live/|^/o/render|^/i/profiler|^/i/inspector|^/i/plugins|^/i/configs|/api_key/rotate|^/o/email`,
		"--phases", "examples,fuzzing", "--max-examples", "5", "--workers", "1", "--seed", "1", "--no-shrink", "--generation-database", "none", "--continue-on-failure", "--warnings", "off", "--no-color",
	)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SCHEMATHESIS_HOOKS=hooks", "PYTHONPATH="+hooks, "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// about returns the description, which names the app wherever a request needs one, so that requests reach what is behind the check of access.
func about(t *testing.T, s *testkit.Server, a testkit.TestApp) []byte {
	t.Helper()
	got := s.Do(http.MethodGet, "/openapi.json", nil)
	if got.Status != http.StatusOK {
		t.Fatalf("description: %d %s", got.Status, got.Body)
	}
	var doc map[string]any
	testkit.Decode(t, got.Body, &doc)
	only := map[string]any{"type": "string", "const": a.ID}
	var name func(v any)
	name = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			if x["name"] == "app_id" && x["in"] == "query" {
				x["schema"], x["example"] = only, a.ID
			}
			if list, ok := x["properties"].(map[string]any); ok && x["x-request"] == true && list["app_id"] != nil {
				list["app_id"] = only
			}
			for _, e := range x {
				name(e)
			}
		case []any:
			for _, e := range x {
				name(e)
			}
		}
	}
	name(doc)
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
