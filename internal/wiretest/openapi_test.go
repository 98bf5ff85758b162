package wiretest_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"quipu/internal/api"
	"quipu/internal/app"
	"quipu/internal/ingest/request"
	"quipu/internal/openapi"
	"quipu/internal/testkit/golden"
)

// declared are the routes as they are declared.
var declared = sync.OnceValues(app.Routes)

// undeclared reports whether a handler reads a parameter that its route does not describe. Credentials, the app and what tasks of slow
// reads are called belong to every route that has them. Calls of SDKs are handed to ingestion as they came.
func undeclared(r *api.Route, name string) bool {
	switch name {
	case "api_key", "auth_token":
		return false
	case "app_id":
		if r.Access.App != api.NoApp {
			return false
		}
	case "method":
		if r.Method != "" || r.Long {
			return false
		}
	case "report_name", "report_desc", "period_desc", "task_id": // the last says that a read needs no task
		if r.Long {
			return false
		}
	}
	if strings.HasSuffix(r.Path, "/sdk") && request.Known(name) {
		return false
	}
	return !slices.ContainsFunc(r.Parameters(), func(p api.Parameter) bool { return p.Name == name })
}

// TestDescribeFacts fails where the description of the API says nothing about a route or a parameter.
func TestDescribeFacts(t *testing.T) {
	t.Parallel()
	list, err := declared()
	if err != nil {
		t.Fatal(err)
	}
	var named []openapi.Named
	for _, r := range list {
		n := openapi.Named{Route: r.Name(), Owner: r.Owner}
		for _, p := range r.Parameters() {
			n.Parameters = append(n.Parameters, p.Name)
		}
		if r.Access.App != api.NoApp {
			n.Parameters = append(n.Parameters, "app_id")
		}
		if r.Long {
			n.Parameters = append(n.Parameters, "report_name", "report_desc", "period_desc")
		}
		named = append(named, n)
	}
	gaps, err := openapi.Gaps(named)
	if err != nil {
		t.Fatal(err)
	}
	for _, gap := range gaps {
		t.Error(gap)
	}
	sent, err := openapi.SentByClients()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sent {
		if !request.Known(name) {
			t.Errorf("internal/openapi/facts/ingestion.tsv has %s, which ingestion does not know", name)
		}
	}
}

// recorded is what the description shows of a route, taken from the golden conversations.
type recorded struct {
	Parameters map[string]string `json:"parameters,omitempty"`
	Kinds      []string          `json:"kinds,omitempty"`
	Answer     any               `json:"answer,omitempty"`
	shown      bool
}

// maxExample bounds the example of an answer, in bytes of JSON.
const maxExample = 2000

var standIn = regexp.MustCompile(`\{[a-z][A-Za-z0-9]*\}`)

// TestDescribeExamples keeps the examples of the description what the golden conversations have: for each route, the first request that
// succeeded. Run with -update it writes them.
func TestDescribeExamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	st := &scene{list: routes(t)}
	out := map[string]*recorded{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq("\n"+string(b), "\n# ") {
			question, answer, ok := strings.Cut(block, "\n<<< 200 application/json")
			if ok {
				st.record(out, strings.Split(question, "\n")[1:], answer)
			}
		}
	}
	for _, r := range out {
		slices.Sort(r.Kinds)
	}
	b, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, "../openapi/facts/examples.json", append(b, '\n'))
}

// record adds what one block of a golden file shows.
func (st *scene) record(out map[string]*recorded, question []string, answer string) {
	_, path, _ := strings.Cut(question[0], " ")
	parameters, pairs, partial := map[string]string{}, []string(nil), false
	for _, line := range question[1:] {
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "as", "header", "body", "file", "until", "save", "warned":
		case "keys", "blank":
			partial = true
		default:
			if name, value, ok := strings.Cut(line, "="); ok && len(value) <= 300 {
				parameters[name], pairs = standIn.ReplaceAllString(value, unknownID), append(pairs, name, value)
			}
		}
	}
	_, answer, _ = strings.Cut(answer, "\n")
	var v any
	if json.Unmarshal([]byte(answer), &v) != nil {
		return
	}
	path, query, _ := strings.Cut(path, "?")
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			parameters[name], pairs = standIn.ReplaceAllString(value, unknownID), append(pairs, name, value)
		}
	}
	for _, name := range st.routesOf(path, pairs) {
		r := out[name]
		if r == nil {
			r = &recorded{}
			out[name] = r
		}
		if kind := kindOf(v); !slices.Contains(r.Kinds, kind) {
			r.Kinds = append(r.Kinds, kind)
		}
		if !r.shown {
			r.shown, r.Parameters = true, parameters
			delete(r.Parameters, "method")
			if !partial {
				r.Answer = example(v, answer)
			}
		}
	}
}

func kindOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case nil:
		return "null"
	}
	return "number"
}

// example shortens an answer: of long ones lists show their first element. What is still too long is left out.
func example(v any, text string) any {
	text = standIn.ReplaceAllString(text, unknownID)
	if json.Unmarshal([]byte(text), &v) != nil {
		return nil
	}
	if len(text) > maxExample {
		v = shortened(v)
		if b, err := json.Marshal(v); err != nil || len(b) > maxExample {
			return nil
		}
	}
	return v
}

func shortened(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for name := range x {
			x[name] = shortened(x[name])
		}
	case []any:
		if len(x) > 1 {
			x = x[:1]
		}
		for i := range x {
			x[i] = shortened(x[i])
		}
		return x
	}
	return v
}

// TestDescription reads the description from a server: it is there without credentials, compressed or not, and has every route once.
func TestDescription(t *testing.T) {
	t.Parallel()
	s := server(t)
	got := s.Do(http.MethodGet, "/openapi.json", nil, "Accept-Encoding", "identity")
	if got.Status != http.StatusOK || got.Header.Get("ETag") == "" {
		t.Fatalf("status %d, headers %v", got.Status, got.Header)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal([]byte(got.Body), &doc); err != nil {
		t.Fatal(err)
	}
	list, err := declared()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for path, verbs := range doc.Paths {
		for verb, op := range verbs {
			if other, taken := ids[op.OperationID]; taken {
				t.Errorf("%s %s and %s are both called %s", verb, path, other, op.OperationID)
			}
			ids[op.OperationID] = verb + " " + path
		}
	}
	for _, r := range list {
		if len(doc.Paths[api.PathOf(r)]) == 0 {
			t.Errorf("%s is not described", r.Name())
		}
	}
	if again := s.Do(http.MethodGet, "/openapi.json", nil, "If-None-Match", got.Header.Get("ETag")); again.Status != http.StatusNotModified {
		t.Errorf("asked again: status %d, want 304", again.Status)
	}
}

// TestMethodPaths compares the two paths of a value of /o?method=.
func TestMethodPaths(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("a", "UTC")
	for _, name := range []string{"sessions", "get_events", "nothing", ""} {
		plain := s.Get("/o", "method", name, "app_id", a.ID, "api_key", s.Key)
		own := s.Get("/o/method/"+name, "method", "jobs", "app_id", a.ID, "api_key", s.Key)
		if name == "" { // no value at all is no path of one
			plain = s.Get("/o/method", "app_id", a.ID, "api_key", s.Key)
			own = s.Get("/o/method/", "app_id", a.ID, "api_key", s.Key)
		}
		bytes(t, "/o/method/"+name, own, plain.Status, plain.Body)
	}
	bytes(t, "without an app", s.Get("/o/method/sessions", "api_key", s.Key), http.StatusBadRequest, wrong(`Missing parameter "app_id"`))
}

// TestReference keeps what is generated from the description equal to it: the pages of docs/reference/api and the clients. -update writes them.
func TestReference(t *testing.T) {
	t.Parallel()
	var doc strings.Builder
	if err := app.DescribeAPI(&doc); err != nil {
		t.Fatal(err)
	}
	pages, err := openapi.Pages([]byte(doc.String()))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range pages {
		golden.File(t, filepath.Join("../../docs/reference/api", name), []byte(text))
	}
	there, err := os.ReadDir("../../docs/reference/api")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range there {
		if _, ok := pages[f.Name()]; !ok {
			t.Errorf("docs/reference/api/%s is of no group", f.Name())
		}
	}
	code, err := openapi.GoClient([]byte(doc.String()))
	if err != nil {
		t.Fatal(err)
	}
	generated(t, "../../client", "api_*.go", code)
	script, err := openapi.TypeScriptClient([]byte(doc.String()))
	if err != nil {
		t.Fatal(err)
	}
	generated(t, "../../clients/typescript/src", "groups/*.ts", script)
}

// generated compares files with those of a folder, which has no others that match a pattern, and none of more than 800 lines.
func generated(t *testing.T, folder, pattern string, files map[string][]byte) {
	t.Helper()
	for name, text := range files {
		golden.File(t, filepath.Join(folder, name), text)
		if n := strings.Count(string(text), "\n"); n > 800 {
			t.Errorf("%s has %d lines", name, n)
		}
	}
	there, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range there {
		if name, _ := filepath.Rel(folder, path); files[filepath.ToSlash(name)] == nil {
			t.Errorf("%s is of no group", path)
		}
	}
}
