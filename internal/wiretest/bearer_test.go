package wiretest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBearer reads with keys and tokens in the header Authorization.
func TestBearer(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("a", "UTC")
	other := s.CreateApp("b", "UTC")
	made := func(pairs ...string) string {
		var token struct{ Result string }
		if err := json.Unmarshal([]byte(s.Admin("/i/token/create", append([]string{"multi", "true"}, pairs...)...)), &token); err != nil {
			t.Fatal(err)
		}
		return token.Result
	}
	token, narrow := made(), made("app", a.ID)
	read := func(header string, pairs ...string) (int, string) {
		t.Helper()
		query := "app_id=" + a.ID
		for i := 0; i < len(pairs); i += 2 {
			query += "&" + pairs[i] + "=" + pairs[i+1]
		}
		r := s.Do(http.MethodGet, "/o/apps/details?"+query, nil, "Authorization", header)
		return r.Status, r.Header.Get("Quipu-Error")
	}
	for _, c := range []struct {
		name, header string
		pairs        []string
		status       int
		code         string
	}{
		{"a key", "Bearer " + s.Key, nil, 200, ""},
		{"any case", "bearer  " + s.Key + " ", nil, 200, ""},
		{"a token", "Bearer " + token, nil, 200, ""},
		{"another scheme", "Basic " + s.Key, nil, 400, "auth.credentials_missing"},
		{"nothing", "Bearer", nil, 400, "auth.credentials_missing"},
		{"an unknown key", "Bearer " + strings.Repeat("0", 32), nil, 401, "auth.unknown_user"},
		{"an unknown token", "Bearer " + strings.Repeat("0", 40), nil, 400, "auth.token_invalid"},
		{"a parameter goes first", "Bearer " + strings.Repeat("0", 32), []string{"api_key", s.Key}, 200, ""},
		{"a parameter that is wrong", "Bearer " + s.Key, []string{"auth_token", "x"}, 400, "auth.token_invalid"},
		{"a token of another app", "Bearer " + made("app", other.ID), nil, 400, "auth.token_invalid"},
	} {
		if status, code := read(c.header, c.pairs...); status != c.status || code != c.code {
			t.Errorf("%s: %d %s, want %d %s", c.name, status, code, c.status, c.code)
		}
	}
	r := s.Do(http.MethodGet, `/o/batch?requests=["/o/apps/details?app_id=`+a.ID+`","/o/apps/details?app_id=`+other.ID+`"]`, nil, "Authorization", "Bearer "+narrow)
	var answers []struct{ Status int }
	if err := json.Unmarshal([]byte(r.Body), &answers); err != nil || len(answers) != 2 || answers[0].Status != 401 && answers[0].Status != 200 || answers[1].Status != 400 {
		t.Errorf("a batch by a token of an app: %v %s", err, r.Body)
	}
	if r := s.Do(http.MethodPost, "/i/token/create", strings.NewReader("purpose=x"), append([]string{"Authorization", "Bearer " + s.Key}, form...)...); r.Status != http.StatusOK {
		t.Errorf("a write: %d %s", r.Status, r.Body)
	}
}

// TestProblems compares faults in the form of RFC 9457 with those of the protocol.
func TestProblems(t *testing.T) {
	t.Parallel()
	s := server(t)
	for _, c := range []struct{ name, path, accept, kind, body string }{
		{"plain", "/o?method=sessions&api_key=" + s.Key, "application/json", "application/json; charset=utf-8", `{"result":"Missing parameter \"app_id\""}`},
		{
			"a problem", "/o?method=sessions&api_key=" + s.Key, "application/problem+json", "application/problem+json",
			`{"type":"urn:quipu:fault:request.missing_parameter","title":"Bad Request","status":400,"detail":"Missing parameter \"app_id\"","code":"request.missing_parameter"}`,
		},
		{
			"a problem or JSON", "/o/nothing", "application/json, application/problem+json", "application/problem+json",
			`{"type":"urn:quipu:fault:request.invalid_path","title":"Bad Request","status":400,"detail":"Invalid path","code":"request.invalid_path"}`,
		},
		{
			"a status of the wire", "/o/apps/details?app_id=x&api_key=" + s.Key, "Application/Problem+JSON", "application/problem+json",
			`{"type":"urn:quipu:fault:access.bad_app_id","title":"Bad Request","status":400,"detail":"Invalid parameter \"app_id\"","code":"access.bad_app_id"}`,
		},
	} {
		r := s.Do(http.MethodGet, c.path, nil, "Accept", c.accept)
		if r.Header.Get("Content-Type") != c.kind || r.Header.Get("Quipu-Error") == "" || r.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %v", c.name, r.Status, r.Header)
		}
		if d := cmp.Diff(value(t, c.body), value(t, r.Body)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
