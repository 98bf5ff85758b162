package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/params"
)

// formedReq has a parameter of each kind.
type formedReq struct {
	Count  params.Value `param:"count"`
	Flag   bool         `param:"flag"`
	Order  string       `param:"order"`
	Object params.Value `param:"object"`
	List   params.Value `param:"list"`
	Period string       `param:"period"`
	Text   string       `param:"text"`
	Few    params.Value `param:"few"`
	Most   int          `param:"most"`
	N      int          `param:"n"`
}

// formsOfTest are the forms of formedReq, and of slowReq.
func formsOfTest(_ *api.Route, p api.Parameter) api.Form {
	return map[string]api.Form{
		"count": {Kind: api.FormInt}, "flag": {Kind: api.FormFlag}, "order": {Kind: api.FormEnum, Enum: []string{"asc", "desc"}},
		"object": {Kind: api.FormObject}, "list": {Kind: api.FormArray}, "period": {Kind: api.FormPeriod},
		"few": {Kind: api.FormInt, Range: &api.Range{Least: 1, Most: 20}}, "most": {Kind: api.FormInt, Range: &api.Range{Least: -5, Most: 5}},
	}[p.Name]
}

// TestForms sends parameters that are of their form and others that are not: the latter give the answer a warning, and a strict caller is refused
// before the handler runs.
func TestForms(t *testing.T) {
	t.Parallel()
	calls := 0
	handle := func(_ context.Context, _ api.Caller, _ formedReq) (string, error) { calls++; return "done", nil }
	srv := server(t, func(g *api.Registrar) {
		api.Handle(g, "/o/formed", api.Public(), handle)
		api.HandleRawOf(g, "/o/formed-raw", api.Public(), "a test", func(w http.ResponseWriter, _ api.Caller, _ formedReq) error {
			calls++
			_, err := w.Write([]byte(`"done"`))
			return err
		})
	})
	for _, tt := range []struct {
		name string
		good []string
		bad  []string
		code string
	}{
		{"count", []string{"7", " -1 ", "+3", "99999999999999999999999", "null", "undefined", ""}, []string{"seven", "1.5", "1 2", "0x1", "\x00"}, "request.bad_parameter"},
		{"flag", []string{"true", "false", "1", "0", "undefined"}, []string{"yes", "TRUE", "2"}, "request.bad_parameter"},
		{"order", []string{"asc", "desc"}, []string{"up", "ASC", "asc,desc"}, "request.bad_parameter"},
		{"object", []string{"{}", ` {"a":[1]}`}, []string{"[]", "{", `"{}"`, "a", "1", " "}, "request.bad_parameter"},
		{"list", []string{"[]", `["a",{}]`}, []string{"{}", "[", "a,b", "]"}, "request.bad_parameter"},
		{"period", []string{"30days", "2031-05-02"}, []string{"soon"}, "period.invalid"},
		{"text", []string{"anything", "{"}, nil, ""},
		{"n", []string{"7"}, []string{"seven"}, "request.bad_parameter"},
		{"few", []string{"1", "20", " +7 ", "", "null"}, []string{"0", "21", "-1", "99999999999999999999999", "1.5", "many"}, "request.bad_parameter"},
		{"most", []string{"-5", "0", "5"}, []string{"-6", "6", "-99999999999999999999999", "many"}, "request.bad_parameter"},
	} {
		for _, path := range []string{"/o/formed", "/o/formed-raw"} {
			for _, text := range tt.good {
				status, body, header := get(t, srv, path+"?"+url.Values{tt.name: {text}}.Encode(), "Prefer", "handling=strict")
				if status != http.StatusOK || header.Get("Quipu-Warning") != "" {
					t.Errorf("%s %s=%q: %d %s %s", path, tt.name, text, status, body, header.Get("Quipu-Warning"))
				}
			}
			for _, text := range tt.bad {
				target := path + "?" + url.Values{tt.name: {text}}.Encode()
				before := calls
				status, body, header := get(t, srv, target, "Prefer", "handling=strict")
				if status != http.StatusBadRequest || header.Get("Quipu-Error") != tt.code || calls != before {
					t.Errorf("%s, strictly: %d %s, %d calls", target, status, body, calls-before)
				}
				status, body, header = get(t, srv, target)
				if warnings := header.Values("Quipu-Warning"); status != http.StatusOK || len(warnings) != 1 || !strings.HasPrefix(warnings[0], tt.code+` "`+tt.name+": ") {
					t.Errorf("%s: %d %s, warnings %q", target, status, body, warnings)
				}
			}
		}
	}
}

// TestRanges answers with the nearest number where one is out of range.
func TestRanges(t *testing.T) {
	t.Parallel()
	srv := server(t, func(g *api.Registrar) {
		api.Handle(g, "/o/formed", api.Public(), func(_ context.Context, _ api.Caller, r formedReq) ([]string, error) {
			return []string{r.Few.String(), fmt.Sprint(r.Most)}, nil
		})
	})
	for query, want := range map[string]string{
		"few=0&most=6": `["1","5"]`, "few=21&most=-6": `["20","-5"]`, "few=99999999999999999999999&most=-99999999999999999999999": `["20","-5"]`,
		"few=7&most=-3": `["7","-3"]`, "few=many": `["many","0"]`, "": `["","0"]`,
	} {
		if status, body, _ := get(t, srv, "/o/formed?"+query); status != http.StatusOK || body != want {
			t.Errorf("%s: %d %s, want %s", query, status, body, want)
		}
	}
}

// TestFormsOfLongReads has the warnings of a read that may become a task, and refuses a strict caller before it becomes one.
func TestFormsOfLongReads(t *testing.T) {
	t.Parallel()
	s := newSlow(t)
	close(s.gate)
	s.waiting.Store(int64(1 << 40)) // ns
	key := s.member("admin", func(n *auth.NewMember) { n.GlobalAdmin = true })
	ask := func(header ...string) (int, http.Header) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/o/slow?"+url.Values{"api_key": {key}, "app_id": {appA.ID.String()}, "list": {"a,b"}}.Encode(), http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := s.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
		return resp.StatusCode, resp.Header
	}
	if status, header := ask("Prefer", "handling=strict"); status != http.StatusBadRequest || header.Get("Quipu-Error") != "request.bad_parameter" || s.calls.Load() != 0 {
		t.Errorf("strictly: %d %v, %d calls", status, header, s.calls.Load())
	}
	if status, header := ask(); len(header.Values("Quipu-Warning")) != 1 || s.calls.Load() != 1 {
		t.Errorf("%d %v, %d calls", status, header, s.calls.Load())
	}
}
