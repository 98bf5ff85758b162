package wiretest_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

func stringsReader(text string) io.Reader { return strings.NewReader(text) }

// TestMembers plays the life of members (wire.md 7.1 to 7.3).
func TestMembers(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("A", "UTC"), s.CreateApp("B", "UTC")
	all := s.Admin("/o/users/all")
	if members, _ := value(t, all).(map[string]any); len(members) != 1 {
		t.Errorf("a fresh install has %d members", len(members))
	}
	create := func(args string) testkit.Response { return s.Post("/i/users/create", "api_key", s.Key, "args", args) }
	for what, c := range map[string][2]string{
		"nothing":         {`{}`, "Missing full_name argument"},
		"a name":          {`{"full_name":"F"}`, "Missing username argument"},
		"no password":     {`{"full_name":"F","username":"u"}`, "Missing password argument"},
		"no address":      {`{"full_name":"F","username":"u","password":"` + password + `"}`, "Missing email argument"},
		"a taken name":    {`{"full_name":"F","username":"ADMIN","password":"` + password + `","email":"x@example.org"}`, "Email or username already exists"},
		"a taken email":   {`{"full_name":"F","username":"u","password":"` + password + `","email":"Admin@example.org"}`, "Email or username already exists"},
		"null for a name": {`{"full_name":null}`, "Missing full_name argument"},
	} {
		bytes(t, "create with "+what, create(c[0]), 400, `{"result":["`+c[1]+`"]}`)
	}
	made := create(`{"full_name":"Ann","username":"ann","password":"` + password + `","email":"ann@example.org"}`)
	if made.Status != 200 || strings.Contains(made.Body, "password_hash") || strings.Contains(made.Body, password) {
		t.Errorf("created: %d %s", made.Status, made.Body)
	}
	part(t, "the default permission", made.Body, `{"_":{"a":[],"u":[]},"c":{},"r":{},"u":{},"d":{}}`, "permission")
	part(t, "created_at", made.Body, `1936526400`, "created_at")
	part(t, "password_changed", made.Body, `0`, "password_changed")
	id, key := dig(t, made.Body, "_id").(string), dig(t, made.Body, "api_key").(string)
	if len(key) != 32 {
		t.Errorf("key %q", key)
	}
	me := s.Get("/o/users/me", "api_key", key).Body
	for field, want := range map[string]string{"full_name": `"Ann"`, "username": `"ann"`, "email": `"ann@example.org"`, "global_admin": `false`, "api_key": `"` + key + `"`} {
		part(t, "me", me, want, field)
	}
	if strings.Contains(me, `"password"`) {
		t.Errorf("me shows a password: %s", me)
	}
	all = s.Admin("/o/users/all")
	part(t, "all is a map by id", all, `"`+id+`"`, id, "_id")
	part(t, "all says who is blocked", all, `false`, id, "blocked")
	if strings.Contains(all, key) || strings.Contains(all, s.Key) {
		t.Errorf("all shows keys: %s", all)
	}
	one := s.Admin("/o/users/id", "id", id)
	part(t, "one by id", one, `"ann"`, id, "username")
	for what, odd := range map[string]string{"unknown": unknownID, "malformed": noID, "operator": `{"$ne":""}`} {
		bytes(t, "by an id "+what, s.Get("/o/users/id", "api_key", s.Key, "id", odd), 200, `{}`)
	}
	same(t, "by no id", s.Get("/o/users/id", "api_key", s.Key), 401, wrong("Missing user id parameter"))

	update := func(fields string) testkit.Response {
		return s.Post("/i/users/update", "api_key", s.Key, "args", `{"user_id":"`+id+`",`+fields+`}`)
	}
	show := func() string { return s.Admin("/o/users/id", "id", id) }
	done(t, "update", update(`"full_name":"Ann B","lang":"de"`))
	part(t, "updated", show(), `"Ann B"`, id, "full_name")
	done(t, "admin_of", update(`"admin_of":["x"]`))
	part(t, "exactly those", show(), `["x"]`, id, "permission", "_", "a")
	done(t, "nested and flat apps", update(`"permission":{"_":{"a":["`+a.ID+`"],"u":["`+a.ID+`",["`+b.ID+`"]]},"r":{"`+a.ID+`":{"all":true}},"c":{"`+a.ID+`":{}}}`))
	done(t, "the app is deleted", s.Post("/i/apps/delete", "api_key", s.Key, "args", `{"app_id":"`+a.ID+`"}`))
	part(t, "and leaves every permission", show(), `{"_":{"a":[],"u":[["`+b.ID+`"]]},"c":{},"r":{},"u":{},"d":{}}`, id, "permission")
	done(t, "and the other one", s.Post("/i/apps/delete", "api_key", s.Key, "args", `{"app_id":"`+b.ID+`"}`))
	part(t, "the default form", show(), `{"_":{"a":[],"u":[]},"c":{},"r":{},"u":{},"d":{}}`, id, "permission")

	bytes(t, "delete without args", s.Post("/i/users/delete", "api_key", s.Key), 400, wrong("Error: Missing 'args' parameter"))
	self, _ := dig(t, s.Admin("/o/users/me"), "_id").(string)
	done(t, "a global administrator names itself", s.Post("/i/users/delete", "api_key", s.Key, "args", `{"user_ids":["`+self+`"]}`))
	part(t, "and is still there", s.Admin("/o/users/all"), `"`+self+`"`, self, "_id")
	done(t, "delete", s.Post("/i/users/delete", "api_key", s.Key, "args", `{"user_ids":["`+id+`","`+unknownID+`","x"]}`))
	part(t, "gone", s.Admin("/o/users/all"), "", id)
	same(t, "its key too", s.Get("/o/users/me", "api_key", key), 401, wrong("User does not exist"))

	own := func(key string, pairs ...string) testkit.Response {
		return s.Post("/i/users/deleteOwnAccount", append([]string{"api_key", key}, pairs...)...)
	}
	second := createMember(t, s, "second", map[string]any{"global_admin": true})
	same(t, "own account, no password", own(second.key), 400, wrong("password mandatory"))
	same(t, "own account, wrong password", own(second.key, "password", "nope"), 400, wrong("password not valid"))
	done(t, "own account", own(second.key, "password", password))
	part(t, "it is gone", s.Admin("/o/users/all"), "", second.id)
	same(t, "the last administrator", own(s.Key, "password", testkit.AdminPassword), 400, wrong("global admin limit"))
	features := s.Admin("/o/users/permissions")
	if list, _ := dig(t, features, "features").([]any); len(list) < 3 {
		t.Errorf("features: %s", features)
	}
	bytes(t, "reset_timeban", s.Post("/o/users/reset_timeban", "api_key", s.Key, "username", "admin"), 200, `true`)
}

// apiKey asks for a key with HTTP Basic.
func apiKey(s *testkit.Server, user, pass string) testkit.Response {
	return s.Do(http.MethodGet, "/api-key", nil, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+pass)))
}

// TestAPIKey is the specification's one endpoint, with its throttle.
func TestAPIKey(t *testing.T) {
	t.Parallel()
	s := server(t)
	ann := createMember(t, s, "ann", nil)
	good := apiKey(s, "ann", password)
	bytes(t, "the key", good, 200, ann.key)
	if ct := good.Header.Get("Content-Type"); !strings.HasPrefix(ct, "text/plain") {
		t.Errorf("content type %q", ct)
	}
	bytes(t, "by address", apiKey(s, "ANN@example.org", password), 200, ann.key)
	part(t, "last_login", s.Admin("/o/users/id", "id", ann.id), `1936526400`, ann.id, "last_login")
	for name, header := range map[string]string{
		"nothing": "", "no scheme": "x", "bearer": "Bearer " + ann.key, "no base64": "Basic %%%", "no colon": "Basic " + base64.StdEncoding.EncodeToString([]byte("ann")),
		"no password": "Basic " + base64.StdEncoding.EncodeToString([]byte("nobody1:")), "unknown": "Basic " + base64.StdEncoding.EncodeToString([]byte("nobody2:"+password)),
		"nul bytes": "Basic " + base64.StdEncoding.EncodeToString([]byte("nobody\x003:\x00")), "huge": "Basic " + base64.StdEncoding.EncodeToString([]byte("nobody4:"+strings.Repeat("x", 100_000))),
	} {
		bytes(t, name, s.Do(http.MethodGet, "/api-key", nil, "Authorization", header), 401, "-1")
	}
	bytes(t, "the key itself is no credential here", s.Do(http.MethodGet, "/api-key?api_key="+ann.key, nil), 401, "-1")

	// Three wrong passwords block even the right one; the block ends with time, and
	// a success forgives.
	for range 2 {
		bytes(t, "wrong", apiKey(s, "ann", "wrong"), 401, "-1")
	}
	bytes(t, "two wrong ones do not block", apiKey(s, "ann", password), 200, ann.key)
	for range 3 {
		bytes(t, "wrong", apiKey(s, "ann", "wrong"), 401, "-1")
	}
	bytes(t, "blocked, with the right password", apiKey(s, "ann", password), 401, "-1")
	bytes(t, "blocked by address too", apiKey(s, "Ann", password), 401, "-1")
	part(t, "all says so", s.Admin("/o/users/all"), `true`, ann.id, "blocked")
	bytes(t, "others are not", apiKey(s, testkit.AdminUser, testkit.AdminPassword), 200, s.Key)
	if r := s.Get("/o/users/me", "api_key", ann.key); r.Status != 200 {
		t.Errorf("the key works on: %d %s", r.Status, r.Body)
	}
	s.Clock().Set(noon.Add(5*time.Minute - time.Second))
	bytes(t, "still blocked", apiKey(s, "ann", password), 401, "-1")
	s.Clock().Set(noon.Add(5*time.Minute + time.Second))
	bytes(t, "the block has ended", apiKey(s, "ann", password), 200, ann.key)
	for range 3 {
		apiKey(s, "ann", "wrong")
	}
	bytes(t, "blocked again", apiKey(s, "ann", password), 401, "-1")
	s.Stop()
	s.Start()
	bytes(t, "also after a restart", apiKey(s, "ann", password), 401, "-1")
	bytes(t, "reset", s.Post("/o/users/reset_timeban", "api_key", s.Key, "username", "ann"), 200, `true`)
	bytes(t, "forgiven", apiKey(s, "ann", password), 200, ann.key)
	s.Admin("/i/users/update", "args", `{"user_id":"`+ann.id+`","locked":true}`)
	bytes(t, "locked", apiKey(s, "ann", password), 401, "-1")
}

// TestOwnSessions plays what members do with their own sessions and password, whatever their rights.
func TestOwnSessions(t *testing.T) {
	t.Parallel()
	s := server(t)
	made := s.Post("/i/users/create", "api_key", s.Key, "args", `{"full_name":"Ann","username":"ann","password":"`+password+`","email":"ann@example.org"}`)
	key := dig(t, made.Body, "api_key").(string)
	type row struct {
		ID      string `json:"_id"`
		Current bool   `json:"current"`
		Addr    string `json:"addr"`
		Created int64  `json:"created"`
	}
	ask := func(p session, path string, pairs ...string) testkit.Response {
		return s.Do(http.MethodPost, path, stringsReader(testkit.Query(pairs...)), "Content-Type", "application/x-www-form-urlencoded", "Cookie", p.cookie, "X-CSRF-Token", p.csrf)
	}
	list := func(p session) []row {
		var out []row
		testkit.Decode(t, ask(p, "/o/users/sessions").Body, &out)
		return out
	}
	other := signIn(t, s, testkit.AdminUser, testkit.AdminPassword)
	first := signIn(t, s, "ann", password)
	s.Clock().Set(s.Clock().Now().Add(time.Minute))
	second, third := signIn(t, s, "ann", password), signIn(t, s, "ann", password)
	rows := list(first)
	if len(rows) != 3 || rows[0].Current || rows[1].Current || !rows[2].Current || rows[2].Addr == "" || rows[2].Created >= rows[0].Created {
		t.Fatalf("sessions %+v, want three, the last of them the oldest and the one that asks", rows)
	}
	bytes(t, "a session of somebody else", ask(first, "/i/users/sessions/end", "session_id", list(other)[0].ID), 404, `{"result":"Session not found"}`)
	own := list(second)
	for _, r := range own {
		if r.Current {
			bytes(t, "end one", ask(first, "/i/users/sessions/end", "session_id", r.ID), 200, `{"result":"Success"}`)
		}
	}
	if got := list(first); len(got) != 2 {
		t.Errorf("%d sessions after one was ended, want 2", len(got))
	}
	if r := ask(second, "/o/users/sessions"); r.Status != http.StatusBadRequest {
		t.Errorf("an ended session reads: %d %s", r.Status, r.Body)
	}
	bytes(t, "without the token of the page", s.Do(http.MethodPost, "/i/users/sessions/end", nil, "Cookie", first.cookie), 403, wrong("The page is out of date, reload it"))

	const better = "Battery-staple-3"
	bytes(t, "with a wrong password", ask(first, "/i/users/password", "old_pwd", better, "new_pwd", better), 400, wrong("The current password is wrong"))
	bytes(t, "a password of one's own", ask(first, "/i/users/password", "old_pwd", password, "new_pwd", better), 200, `{"result":"Success"}`)
	if got := list(first); len(got) != 1 || !got[0].Current {
		t.Errorf("sessions after a new password: %+v, want only the one that asks", got)
	}
	if r := ask(third, "/o/users/sessions"); r.Status != http.StatusBadRequest {
		t.Errorf("a session from before the new password reads: %d", r.Status)
	}
	log := s.Admin("/o", "method", "systemlogs", "app_id", s.CreateApp("A", "UTC").ID)
	if !strings.Contains(log, `"users_password"`) || strings.Contains(log, better) || strings.Contains(log, password) {
		t.Errorf("the audit log: %s", log)
	}
	again := signIn(t, s, "ann", better)
	bytes(t, "end the others", ask(again, "/i/users/sessions/end", "others", "true"), 200, `{"result":"Success"}`)
	if r := ask(first, "/o/users/sessions"); r.Status != http.StatusBadRequest {
		t.Errorf("after signing out everywhere else: %d", r.Status)
	}
	bytes(t, "end all by key", s.Post("/i/users/sessions/end", "api_key", key, "others", "true"), 200, `{"result":"Success"}`)
	if r := ask(again, "/o/users/sessions"); r.Status != http.StatusBadRequest {
		t.Errorf("after ending all: %d", r.Status)
	}
}
