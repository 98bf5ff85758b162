// Package whole_test has the tests of the module in a whole server. They stand apart from those that see inside the package: with one of
// these in its own folder, the server, which imports the package, is compiled once more.
package whole_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// dids lists the device ids of an answer of user_details, in its order.
func dids(t *testing.T, body string) []string {
	t.Helper()
	var list struct {
		Rows []struct {
			DID string `json:"did"`
		} `json:"aaData"`
	}
	testkit.Decode(t, body, &list)
	out := []string{}
	for _, r := range list.Rows {
		out = append(out, r.DID)
	}
	return out
}

func people(t *testing.T) (*testkit.Server, testkit.TestApp) {
	t.Helper()
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	for i, p := range []struct {
		sessions int
		custom   string
	}{{1, `{"plan":"pro","score":5}`}, {2, `{"plan":"free"}`}, {4, `{"a/b~c":{"d'e":"x"}}`}, {0, `{"plan":"none"}`}} {
		did := fmt.Sprintf("d%d", i)
		for range p.sessions {
			s.Ingest(a, did, "begin_session", "1")
		}
		s.Ingest(a, did, "user_details", `{"name":"Person `+did+`","custom":`+p.custom+`}`)
	}
	s.Flush()
	return s, a
}

func TestList(t *testing.T) {
	s, a := people(t)
	for name, c := range map[string]struct {
		pairs []string
		want  []string
	}{
		"all":             {nil, []string{"d0", "d1", "d2", "d3"}},
		"page":            {[]string{"iDisplayStart", "1", "iDisplayLength", "2"}, []string{"d1", "d2"}},
		"sorted":          {[]string{"sort", `{"sc":-1}`}, []string{"d2", "d1", "d0", "d3"}},
		"unknown sort":    {[]string{"sort", `{"; DROP TABLE u_x":1}`}, []string{"d0", "d1", "d2", "d3"}},
		"search":          {[]string{"sSearch", "PERSON D1"}, []string{"d1"}},
		"filter":          {[]string{"query", `{"sc":{"$gte":2}}`}, []string{"d1", "d2"}},
		"custom":          {[]string{"query", `{"custom.plan":{"$in":["pro","none"]}}`}, []string{"d0", "d3"}},
		"custom number":   {[]string{"query", `{"custom.score":5}`}, []string{"d0"}},
		"signs in a key":  {[]string{"query", `{"custom.a/b~c.d'e":"x"}`}, []string{}},
		"quotes in value": {[]string{"query", `{"did":"' OR 1=1 --"}`}, []string{}},
		"uid as text":     {[]string{"query", `{"uid":"3"}`}, []string{"d2"}},
		"prefixed":        {[]string{"query", `{"up.did":"d1"}`}, []string{"d1"}},
		"negated":         {[]string{"query", `{"custom.plan":{"$ne":"pro"}}`}, []string{"d1", "d2", "d3"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := dids(t, s.Admin("/o", append([]string{"method", "user_details", "app_id", a.ID}, c.pairs...)...))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("people (-want +got):\n%s", d)
			}
		})
	}
}

func TestLoyalty(t *testing.T) {
	s, a := people(t)
	rows := `[{"_id":"1","count":1,"index":0},{"_id":"2","count":1,"index":1},{"_id":"3-5","count":1,"index":2}]`
	if got, want := s.Admin("/o/app_users/loyalty", "app_id", a.ID), `{"all":`+rows+`,"7days":`+rows+`,"30days":`+rows+`}`; got != want {
		t.Errorf("loyalty %s, want %s", got, want)
	}
	one := `[{"_id":"2","count":1,"index":1}]`
	if got, want := s.Admin("/o/app_users/loyalty", "app_id", a.ID, "query", `{"custom.plan":"free"}`), `{"all":`+one+`,"7days":`+one+`,"30days":`+one+`}`; got != want {
		t.Errorf("loyalty of a filter %s, want %s", got, want)
	}
	empty := s.CreateApp("empty", "UTC")
	if got, want := s.Admin("/o/app_users/loyalty", "app_id", empty.ID, "query", "{"), `{"all":[],"7days":[],"30days":[]}`; got != want {
		t.Errorf("loyalty of nobody %s, want %s", got, want)
	}
}

func TestWrites(t *testing.T) {
	s, a := people(t)
	app := []string{"app_id", a.ID}
	with := func(pairs ...string) []string { return append(append([]string{}, app...), pairs...) }
	if got, want := s.Admin("/i/app_users/create", with("data", `{"did":"new","name":"New"}`)...)[:42], `{"result":"User Created: {\"did\":\"new\",\"`; got[:41] != want[:41] {
		t.Errorf("create: %s", got)
	}
	if got := s.Admin("/i/app_users/update", with("query", `{"did":"new"}`, "update", `{"custom.flag":"1","$inc":{"custom.n":2}}`)...); got != `{"result":"User Updated"}` {
		t.Errorf("update: %s", got)
	}
	var p struct {
		Name   string         `json:"name"`
		Custom map[string]any `json:"custom"`
	}
	testkit.Decode(t, s.Admin("/o", with("method", "user_details", "did", "new")...), &p)
	if d := cmp.Diff(map[string]any{"flag": "1", "n": 2.0}, p.Custom); d != "" || p.Name != "New" {
		t.Errorf("profile %q, custom (-want +got):\n%s", p.Name, d)
	}
	for _, c := range []struct {
		path  string
		pairs []string
		body  string
	}{
		{"/i/app_users/update", with("query", `{"sc":{"$gte":1}}`, "update", `{"name":"x"}`), "This query would update more than one user"},
		{"/i/app_users/update", with("query", `{"did":"nobody"}`, "update", `{"name":"x"}`), "No users matching criteria"},
		{"/i/app_users/update", with("query", `{"did":"new"}`, "update", `{}`), `Parameter \"update\" cannot be empty`},
		{"/i/app_users/update", with("query", `{`, "update", `{}`), `Could not parse parameter \"query\": {`},
		{"/i/app_users/delete", with("query", `{}`), `Parameter \"query\" cannot be empty, it would delete all users. Use clear app instead`},
		{"/i/app_users/delete", with("query", `{"sc":{"$gte":1}}`), "This query would delete more than one user"},
		{"/i/app_users/create", with("data", `{"name":"x"}`), "Provide device_id as did property for data"},
		{"/i/app_users/create", with(), `Missing parameter \"data\"`},
	} {
		r := s.Get(c.path, append([]string{"api_key", s.Key}, c.pairs...)...)
		if want := `{"result":"` + c.body + `"}`; r.Status != http.StatusBadRequest || r.Body != want {
			t.Errorf("%s %q: %d %s, want 400 %s", c.path, c.pairs, r.Status, r.Body, want)
		}
	}
	s.Admin("/i/app_users/delete", with("query", `{"sc":{"$gte":1}}`, "force", "true")...)
	if got := dids(t, s.Admin("/o", with("method", "user_details")...)); !cmp.Equal(got, []string{"d3", "new"}) {
		t.Errorf("people after the deletion: %v", got)
	}
}

// TestCounts has users of whom something personal is known, and others.
func TestCounts(t *testing.T) {
	s, a := people(t)
	counts := func() string { return s.Admin("/o", "method", "user_counts", "app_id", a.ID) }
	if got := counts(); got != `{"unidentified":0,"total":4}` {
		t.Errorf("all are known: %s", got)
	}
	s.Ingest(a, "nobody", "begin_session", "1")
	s.Ingest(a, "no one", "begin_session", "1")
	s.Flush()
	if got := counts(); got != `{"unidentified":2,"total":6}` {
		t.Errorf("two are not: %s", got)
	}
	for filter, want := range map[string][]string{
		"user-anonymous": {"nobody", "no one"}, "user-known": {"d0", "d1", "d2", "d3"}, "user-all": {"d0", "d1", "d2", "d3", "nobody", "no one"},
	} {
		if got := dids(t, s.Admin("/o", "method", "user_details", "app_id", a.ID, "filter", filter)); !cmp.Equal(got, want) {
			t.Errorf("%s: %v, want %v", filter, got, want)
		}
	}
	if got := dids(t, s.Admin("/o", "method", "user_details", "app_id", a.ID, "filter", "user-known", "query", `{"sc":{"$gte":2}}`)); !cmp.Equal(got, []string{"d1", "d2"}) {
		t.Errorf("with a query: %v", got)
	}
	if res := s.Get("/o", "method", "user_counts", "app_id", a.ID, "api_key", "no"); res.Status != http.StatusUnauthorized {
		t.Errorf("bad key: %d %s", res.Status, res.Body)
	}
}
