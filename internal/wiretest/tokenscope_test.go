package wiretest_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// forTokensOfApps is the rule: tokens that are limited to apps are for what is about one app, and for
// what the route says is.
func (r route) forTokensOfApps() bool {
	return r.tokensOfApps || r.app != "" && r.level != "global_admin"
}

// namingTwo are the places in which a request can name a second app beside its own.
func namingTwo(t *testing.T, r route, own, other string) map[string]struct{ query, body, kind string } {
	t.Helper()
	type ask = struct{ query, body, kind string }
	first := testkit.Query(naming(t, r, own)...)
	out := map[string]ask{
		"app_id alone":       {query: testkit.Query(naming(t, r, other)...) + "&app_id=" + other},
		"in upper case":      {query: testkit.Query(naming(t, r, other)...) + "&app_id=" + strings.ToUpper(other)},
		"app_id first":       {query: "app_id=" + other + "&app_id=" + own + "&" + first},
		"app_id last":        {query: first + "&app_id=" + own + "&app_id=" + other},
		"app_id in the form": {query: first + "&app_id=" + own, body: "app_id=" + other, kind: form[1]},
		"app_id before form": {query: first + "&app_id=" + other, body: "app_id=" + own, kind: form[1]},
		"app_id in JSON":     {query: first + "&app_id=" + own, body: `{"app_id":"` + other + `"}`, kind: "application/json"},
		"list in JSON":       {query: first, body: `{"app_id":["` + own + `","` + other + `"]}`, kind: "application/json"},
		"brackets":           {query: first + "&app_id[]=" + own + "&app_id[]=" + other},
		"operator":           {query: first + "&app_id[$ne]=" + own + "&app_id[x]=" + other},
	}
	for _, name := range []string{"apps", "app_ids", "notes_apps", "selected_app"} {
		out[name+" by commas"] = ask{query: first + "&app_id=" + own + "&" + name + "=" + own + "," + other}
		out[name+" as JSON"] = ask{query: first + "&app_id=" + own + "&" + testkit.Query(name, `["`+own+`","`+other+`"]`)}
		out[name+" in brackets"] = ask{query: first + "&app_id=" + own + "&" + name + "[]=" + other}
	}
	for _, field := range []string{"app_id", "App_ID", "app_ids", "apps"} {
		for value, text := range map[string]string{"text": `"` + other + `"`, "list": `["` + own + `","` + other + `"]`} {
			args := `{"app_id":"` + own + `","` + field + `":` + text + `,"note":"x","name":"x"}`
			out["args."+field+" "+value] = ask{query: first + "&app_id=" + own + "&" + testkit.Query("args", args)}
			out["args."+field+" "+value+" in JSON"] = ask{query: first, body: `{"app_id":"` + own + `","args":` + args + `}`, kind: "application/json"}
		}
	}
	return out
}

// TestWalkTokensOfApps walks every route with tokens of one app, naming another one in every place an app can be
// named, and no app at all.
func TestWalkTokensOfApps(t *testing.T) { //nolint:tparallel // the subtests share one server
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("shop", "UTC"), s.CreateApp("rival", "UTC")
	fillRival(t, s, b)
	both := createMember(t, s, "both", map[string]any{"permission": permission([]string{a.ID, b.ID}, nil, nil)})
	before, members := snapshot(s, b), s.Admin("/o/users/all")
	whole := "of a global administrator" // this one meets every place on every route; of the others each route meets a quarter of the places, and all routes together all
	tokens := map[string]string{
		whole:                            createToken(t, s, s.Key, "apps", a.ID),
		"of an administrator of both":    createToken(t, s, both.key, "apps", a.ID),
		"in upper case":                  createToken(t, s, s.Key, "apps", strings.ToUpper(a.ID)),
		"of the app and every endpoint":  createToken(t, s, s.Key, "apps", a.ID, "endpoint", "/"),
		"made by another":                tokenBy(t, s, createToken(t, s, s.Key, "apps", a.ID, "ttl", "0"), "ttl", "0"),
		"for one use":                    createToken(t, s, s.Key, "apps", a.ID, "multi", "false"),
		"made by another, of the app":    tokenBy(t, s, createToken(t, s, s.Key, "apps", a.ID), "apps", a.ID),
		"made by one of every endpoint":  tokenBy(t, s, createToken(t, s, s.Key, "apps", a.ID, "endpoint", "/")),
		"beside a key of no restriction": createToken(t, s, s.Key, "apps", a.ID) + "&api_key=" + s.Key,
	}
	for k, name := range slices.Sorted(maps.Keys(tokens)) {
		token := tokens[name]
		t.Run(name, func(t *testing.T) {
			for i, r := range routes(t) {
				if r.level == "public" {
					continue
				}
				places := namingTwo(t, r, a.ID, b.ID)
				for j, place := range slices.Sorted(maps.Keys(places)) {
					if name != whole && (i+j+k)%4 != 0 {
						continue
					}
					ask := places[place]
					var header []string
					if ask.kind != "" {
						header = []string{"Content-Type", ask.kind}
					}
					got := s.Do(http.MethodPost, at(r)+"?auth_token="+token+"&"+ask.query, strings.NewReader(ask.body), header...)
					check(t, r.name()+", "+place, got, refusedToken)
				}
				if r.forTokensOfApps() && r.app == "" {
					continue // which shows what is the token's
				}
				want := refusedToken
				switch {
				case r.app == "app_id before credentials":
					want = refusedNeedApp
				case earlyApp(r):
					want = refusedEarly
				}
				check(t, r.name()+", no app", s.Get(at(r), append(naming(t, r, ""), "auth_token", token)...), want)
			}
		})
	}
	if after := snapshot(s, b); after != before {
		t.Errorf("the other app changed from\n%s\nto\n%s", before, after)
	}
	if after := s.Admin("/o/users/all"); after != members {
		t.Errorf("the members changed from\n%s\nto\n%s", members, after)
	}
}

// tokenBy makes a token with a token.
func tokenBy(t *testing.T, s *testkit.Server, token string, pairs ...string) string {
	t.Helper()
	r := s.Get("/i/token/create", append([]string{"auth_token", token}, pairs...)...)
	made, _ := dig(t, r.Body, "result").(string)
	if r.Status != http.StatusOK || len(made) != 40 {
		t.Fatalf("a token makes one with %q: %d %s", pairs, r.Status, r.Body)
	}
	return made
}

// TestTokensOfTokens makes tokens by tokens: none is good for more, or for longer, than what made it.
func TestTokensOfTokens(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("shop", "UTC"), s.CreateApp("rival", "UTC")
	create := `{"endpoint":"^/i/token/create$"}`
	events := `{"endpoint":"^/o$","params":{"method":"get_events"}}`
	for name, c := range map[string]struct {
		parent, child []string
		row           map[string]string // fields of the child's row; nil = it is refused
	}{
		"apps are inherited":        {[]string{"apps", a.ID}, nil, map[string]string{"app": `["` + a.ID + `"]`}},
		"fewer apps":                {[]string{"apps", a.ID + "," + b.ID}, []string{"apps", b.ID}, map[string]string{"app": `["` + b.ID + `"]`}},
		"endpoints are inherited":   {[]string{"endpoint", "/i/token/create"}, nil, map[string]string{"endpoint": `["/i/token/create"]`}},
		"all endpoints":             {[]string{"endpoint", "/i/token/create"}, []string{"endpoint", "/"}, nil},
		"another endpoint":          {[]string{"endpoint", "/i/token/create"}, []string{"endpoint", "/i/users/create"}, nil},
		"another one beside its":    {[]string{"endpoint", "/i/token/create"}, []string{"endpoint", "/i/token/create,/i/users/create"}, nil},
		"one of its endpoints":      {[]string{"endpoint", "/i/token/create,/o/apps/mine"}, []string{"endpoint", "/o/apps/mine"}, map[string]string{"endpoint": `["/o/apps/mine"]`}},
		"endpoints inherited whole": {[]string{"endpointquery", "[" + create + "," + events + "]"}, nil, map[string]string{"endpoint": "[" + create + "," + events + "]"}},
		"an endpoint with more parameters": {
			[]string{"endpointquery", "[" + create + "," + events + "]"},
			[]string{"endpointquery", `[{"endpoint":"^/o$","params":{"method":"get_events","app_id":"` + a.ID + `"}}]`},
			map[string]string{"endpoint": `[{"endpoint":"^/o$","params":{"method":"get_events","app_id":"` + a.ID + `"}}]`},
		},
		"an endpoint with fewer parameters": {[]string{"endpointquery", "[" + create + "," + events + "]"}, []string{"endpointquery", `[{"endpoint":"^/o$"}]`}, nil},
		"an endpoint with another value": {
			[]string{"endpointquery", "[" + create + "," + events + "]"}, []string{"endpointquery", `[{"endpoint":"^/o$","params":{"method":"users"}}]`}, nil,
		},
		"forever":            {[]string{"ttl", "60"}, []string{"ttl", "0"}, map[string]string{"ttl": "60", "ends": "1936526460"}},
		"for longer":         {[]string{"ttl", "60"}, []string{"ttl", "61"}, map[string]string{"ttl": "60", "ends": "1936526460"}},
		"for shorter":        {[]string{"ttl", "60"}, []string{"ttl", "59"}, map[string]string{"ttl": "59", "ends": "1936526459"}},
		"forever by forever": {[]string{"ttl", "0"}, []string{"ttl", "0"}, map[string]string{"ttl": "0"}},
		"by one for one use": {[]string{"multi", "false"}, []string{"multi", "true"}, map[string]string{"multi": "false"}},
	} {
		token := createToken(t, s, s.Key, c.parent...)
		r := s.Get("/i/token/create", append([]string{"auth_token", token}, c.child...)...)
		if c.row == nil {
			check(t, name, r, refusedRight)
			continue
		}
		made, _ := dig(t, r.Body, "result").(string)
		found := false
		rows, _ := dig(t, s.Admin("/o/token/list"), "result").([]any)
		for _, row := range rows {
			if row, _ := row.(map[string]any); row["_id"] == made {
				found = true
				for field, want := range c.row {
					sameJSON(t, name+", "+field, text(t, row[field]), want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no token: %d %s", name, r.Status, r.Body)
		}
	}
}

// TestTokenParameters limits tokens to values of parameters, and sends these parameters more than once.
func TestTokenParameters(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("shop", "UTC")
	rule := `[{"endpoint":"^/o$","params":{"method":"users"}}]`
	token := createToken(t, s, s.Key, "endpointquery", rule)
	for name, c := range map[string]struct {
		query, body, kind string
		good              bool
	}{
		"once":                     {"method=users", "", "", true},
		"once, in the form":        {"", "method=users", form[1], true},
		"once, in JSON":            {"", `{"method":"users"}`, "application/json", true},
		"another":                  {"method=devices", "", "", false},
		"another in the form":      {"method=users", "method=devices", form[1], false},
		"another before the form":  {"method=devices", "method=users", form[1], false},
		"another in JSON":          {"method=users", `{"method":"devices"}`, "application/json", false},
		"another before JSON":      {"method=devices", `{"method":"users"}`, "application/json", false},
		"another behind":           {"method=users&method=devices", "", "", false},
		"another before":           {"method=devices&method=users", "", "", false},
		"the same twice":           {"method=users&method=users", "", "", false},
		"another in brackets":      {"method=users&method[]=devices", "", "", false},
		"brackets, then the right": {"method[x]=devices&method=users", "", "", false},
		"none":                     {"", "", "", false},
	} {
		var header []string
		if c.kind != "" {
			header = []string{"Content-Type", c.kind}
		}
		got := s.Do(http.MethodPost, "/o?auth_token="+token+"&app_id="+a.ID+"&"+c.query, strings.NewReader(c.body), header...)
		want := refusedToken
		if c.good {
			want = admitted
		}
		check(t, name, got, want)
	}
	// What a restricted token makes is no key that has no restriction.
	maker := createToken(t, s, s.Key, "endpoint", "/i/users/create")
	made := s.Get("/i/users/create", "auth_token", maker, "args",
		text(t, map[string]any{"full_name": "x", "username": "x", "email": "x@example.org", "password": password, "global_admin": true}))
	if made.Status != http.StatusOK || strings.Contains(made.Body, "api_key") {
		t.Errorf("a member made by a restricted token: %d %s, want no key", made.Status, made.Body)
	}
}
