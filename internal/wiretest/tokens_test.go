package wiretest_test

import (
	"net/http"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestTokens plays the life of tokens (wire.md 8).
func TestTokens(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	ann := createMember(t, s, "ann", map[string]any{"permission": permission([]string{a.ID}, nil, nil)})
	list := func(key string) string { return s.Get("/o/token/list", "api_key", key).Body }
	checked := func(token string) string {
		return s.Get("/o/token/check", "api_key", s.Key, "token", token).Body
	}
	sameJSON(t, "none", list(ann.key), `{"result":[]}`)
	token := createToken(t, s, ann.key)
	end := "1936528200" // noon and 1800 s
	sameJSON(t, "defaults", list(ann.key), `{"result":[{"_id":"`+token+`","ttl":1800,"ends":`+end+`,"multi":true,"owner":"`+ann.id+
		`","app":"","endpoint":"","purpose":"","temporary":false}]}`)
	sameJSON(t, "check", checked(token), `{"result":{"valid":true,"time":1800}}`)
	sameJSON(t, "check of nothing", checked("x"), `{"result":{"valid":false,"time":0}}`)
	same(t, "check without a token", s.Get("/o/token/check", "api_key", s.Key), 400, wrong(`Missing parameter "token"`))
	same(t, "delete without an id", s.Get("/i/token/delete", "api_key", ann.key), 404, wrong("Token id not provided"))
	part(t, "delete another's", s.Get("/i/token/delete", "api_key", s.Key, "tokenid", token).Body, `0`, "result", "deletedCount")
	sameJSON(t, "delete", s.Get("/i/token/delete", "api_key", ann.key, "tokenid", token).Body, `{"result":{"n":1,"ok":1,"deletedCount":1}}`)
	same(t, "it is of no use any more", s.Get("/o/users/me", "auth_token", token), 400, wrong("Token not valid"))
	sameJSON(t, "nor in the list", list(ann.key), `{"result":[]}`)

	for name, c := range map[string]struct {
		pairs []string
		field string
		want  string
	}{
		"apps by commas":   {[]string{"apps", a.ID + "," + unknownID}, "app", `["` + a.ID + `","` + unknownID + `"]`},
		"apps as JSON":     {[]string{"apps", `["` + a.ID + `"]`}, "app", `["` + a.ID + `"]`},
		"endpoints":        {[]string{"endpoint", "/o/token,/o/apps/mine"}, "endpoint", `["/o/token","/o/apps/mine"]`},
		"endpoint query":   {[]string{"endpoint", "/o/x", "endpointquery", `[{"endpoint":"/o","params":{"method":"get_events"}}]`}, "endpoint", `[{"endpoint":"/o","params":{"method":"get_events"}}]`},
		"purpose":          {[]string{"purpose", "a <b>"}, "purpose", `"a &lt;b&gt;"`},
		"ttl":              {[]string{"ttl", "60"}, "ttl", `60`},
		"ttl forever":      {[]string{"ttl", "0"}, "ttl", `0`},
		"ttl of nonsense":  {[]string{"ttl", "soon"}, "ttl", `1800`},
		"multi false":      {[]string{"multi", "false"}, "multi", `false`},
		"multi other text": {[]string{"multi", "x"}, "multi", `true`},
	} {
		id := createToken(t, s, ann.key, c.pairs...)
		rows, _ := dig(t, list(ann.key), "result").([]any)
		for _, row := range rows {
			if r, _ := row.(map[string]any); r["_id"] == id {
				sameJSON(t, name, text(t, r[c.field]), c.want)
			}
		}
		if name == "ttl forever" {
			sameJSON(t, "check forever", checked(id), `{"result":{"valid":true,"time":-1}}`)
		}
		s.Get("/i/token/delete", "api_key", ann.key, "tokenid", id)
	}

	// Scope.
	use := func(what, token, path string, status int, pairs ...string) {
		t.Helper()
		if r := s.Get(path, append([]string{"auth_token", token}, pairs...)...); r.Status != status || status == 400 && r.Body != wrong("Token not valid") {
			t.Errorf("%s: %d %s, want %d", what, r.Status, r.Body, status)
		}
	}
	tokens := createToken(t, s, ann.key, "endpoint", "/o/token")
	use("/o/token matches /o/token/list", tokens, "/o/token/list", 200)
	use("not /o/apps/mine", tokens, "/o/apps/mine", 400)
	anchored := createToken(t, s, s.Key, "endpoint", "^/o/users/")
	use("^/o/users/ matches /o/users/all", anchored, "/o/users/all", 200)
	use("not /o/apps/mine", anchored, "/o/apps/mine", 400)
	query := createToken(t, s, ann.key, "endpointquery", `[{"endpoint":"/o","params":{"method":"get_events","x":1}}]`)
	use("all params equal", query, "/o", 200, "method", "get_events", "app_id", a.ID, "x", "1")
	use("a param missing", query, "/o", 400, "method", "get_events", "app_id", a.ID)
	use("a param different", query, "/o", 400, "method", "users", "app_id", a.ID, "x", "1")
	bad := createToken(t, s, ann.key, "endpoint", "(")
	use("a pattern that is none allows nothing", bad, "/o/apps/mine", 400)
	ofApp := createToken(t, s, s.Key, "apps", a.ID)
	other := s.CreateApp("B", "UTC")
	use("its app", ofApp, "/o", 200, "method", "users", "app_id", a.ID)
	use("another app", ofApp, "/o", 400, "method", "users", "app_id", other.ID)
	use("another app in args", ofApp, "/i/apps/update", 400, "args", `{"app_id":"`+other.ID+`","name":"x"}`)

	// A token for one use passes exactly once, however many try.
	once := createToken(t, s, ann.key, "multi", "false")
	results := make(chan int, 8)
	for range 8 {
		go func() {
			req, err := http.NewRequest(http.MethodGet, s.URL()+"/o/apps/mine?auth_token="+once, nil)
			if err != nil {
				results <- 0
				return
			}
			res, err := (&http.Client{}).Do(req)
			if err != nil {
				results <- 0
				return
			}
			_ = res.Body.Close() // only the status counts
			results <- res.StatusCode
		}()
	}
	passed := 0
	for range 8 {
		switch status := <-results; status {
		case 200:
			passed++
		case 400:
		default:
			t.Errorf("one use: status %d", status)
		}
	}
	if passed != 1 {
		t.Errorf("a token for one use passed %d times", passed)
	}

	// Time.
	short := createToken(t, s, ann.key, "ttl", "60")
	s.Clock().Set(noon.Add(59 * time.Second))
	use("a second before its end", short, "/o/apps/mine", 200)
	sameJSON(t, "check before the end", checked(short), `{"result":{"valid":true,"time":1}}`)
	s.Clock().Set(noon.Add(60 * time.Second))
	use("at its end", short, "/o/apps/mine", 400)
	sameJSON(t, "check at the end", checked(short), `{"result":{"valid":false,"time":0}}`)

	// Signing in makes one, signing out removes it.
	before := len(dig(t, list(ann.key), "result").([]any))
	p := signIn(t, s, "ann", password)
	rows, _ := dig(t, list(ann.key), "result").([]any)
	if len(rows) != before+1 {
		t.Errorf("%d tokens after signing in, want %d", len(rows), before+1)
	}
	found := false
	for _, row := range rows {
		r, _ := row.(map[string]any)
		if r["purpose"] == "LoggedInAuth" {
			found = r["multi"] == true && r["ttl"] == 1800.0
		}
	}
	if !found {
		t.Errorf("no token of the log-in among %v", rows)
	}
	out := s.Post("/logout", "_csrf", p.csrf)
	if out.Status != 302 {
		t.Errorf("log-out without the cookie: %d", out.Status)
	}
	s.Do(http.MethodPost, "/logout", stringsReader(testkit.Query("_csrf", p.csrf)), append([]string{"Cookie", p.cookie}, form...)...)
	if rows, _ := dig(t, list(ann.key), "result").([]any); len(rows) != before {
		t.Errorf("%d tokens after signing out, want %d", len(rows), before)
	}

	// A removed member's tokens are gone.
	s.Admin("/i/users/delete", "args", `{"user_ids":["`+ann.id+`"]}`)
	use("of nobody", tokens, "/o/token/list", 400)
}
