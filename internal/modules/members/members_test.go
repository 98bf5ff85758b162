package members_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func volatile() []testkit.Volatile {
	return []testkit.Volatile{
		{Pattern: regexp.MustCompile(`"[0-9a-f]{24}"`), With: `"<id>"`},
		{Pattern: regexp.MustCompile(`"[0-9a-f]{32}"`), With: `"<key>"`},
	}
}

type account struct {
	ID          string `json:"_id"`
	Username    string `json:"username"`
	Email       string `json:"email"`
	APIKey      string `json:"api_key"`
	GlobalAdmin bool   `json:"global_admin"`
	Locked      bool   `json:"locked"`
	Blocked     bool   `json:"blocked"`
	Permission  json.RawMessage
}

const password = "Correct-horse-1"

// create makes a member through the API.
func create(t *testing.T, s *testkit.Server, name, more string) account {
	t.Helper()
	args := `{"full_name":"` + name + `","username":"` + name + `","password":"` + password + `","email":"` + name + `@example.org"` + more + `}`
	var a account
	testkit.Decode(t, s.Admin("/i/users/create", "args", args), &a)
	return a
}

func TestBodies(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	body := s.Admin("/i/users/create", "args", `{"full_name":"Bob <b>","username":" Bob ","password":"`+password+`","email":"BOB@example.org","lang":"pt"}`)
	testkit.GoldenJSON(t, "create", body, volatile()...)
	var bob account
	testkit.Decode(t, body, &bob)
	r := s.Get("/o/users/me", "api_key", bob.APIKey)
	testkit.GoldenJSON(t, "me", r.Body, volatile()...)
	testkit.GoldenJSON(t, "id", strings.ReplaceAll(s.Admin("/o/users/id", "id", bob.ID), bob.ID, "<id>"), volatile()...)
	testkit.GoldenJSON(t, "permissions", s.Admin("/o/users/permissions"))

	var all map[string]account
	testkit.Decode(t, s.Admin("/o/users/all"), &all)
	if len(all) != 2 || all[bob.ID].ID != bob.ID || all[bob.ID].APIKey != "" {
		t.Errorf("all: %+v", all)
	}
	for _, path := range []string{"/o/users/all", "/o/users/me", "/i/users/create"} {
		if r := s.Get(path, "api_key", s.Key, "args", `{}`); strings.Contains(r.Body, "argon2") || strings.Contains(r.Body, "password_hash") {
			t.Errorf("%s tells a hash: %s", path, r.Body)
		}
	}
}

// TestAnswers goes through texts and statuses in the order of wire.md 6.
func TestAnswers(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	bob := create(t, s, "bob", "")
	locked := create(t, s, "locked", `,"locked":true`)
	const (
		noKey  = `{"result":"Missing parameter \"api_key\" or \"auth_token\""}`
		badKey = `{"result":"User does not exist"}`
		noArgs = `{"result":["Missing 'args' parameter"]}`
		right  = `{"result":"User does not have right"}`
		tree   = `{"result":"Invalid path, must be one of /create, /update, /deleteOwnAccount or /delete"}`
		paths  = `{"result":"Invalid path, must be one of /all or /me"}`
		done   = `{"result":"Success"}`
	)
	valid := func(field, value string) string {
		a := map[string]string{"full_name": "x", "username": "x", "password": password, "email": "x@x"}
		if value == "" {
			delete(a, field)
		} else {
			a[field] = value
		}
		b, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, test := range []struct {
		name, path string
		pairs      []string
		status     int
		body       string
	}{
		{"bare read path", "/o/users", nil, 400, paths},
		{"unknown read path", "/o/users/none", []string{"api_key", s.Key}, 400, paths},
		{"bare write path", "/i/users", nil, 400, tree},
		{"unknown write path, bad key", "/i/users/none", []string{"api_key", "x"}, 400, tree},
		{"all, no key", "/o/users/all", nil, 400, noKey},
		{"all, bad key", "/o/users/all", []string{"api_key", "x"}, 401, badKey},
		{"all, key that is an object", "/o/users/all", []string{"api_key[$ne]", "x"}, 401, badKey},
		{"all, ordinary member", "/o/users/all", []string{"api_key", bob.APIKey}, 401, right},
		{"me, locked", "/o/users/me", []string{"api_key", locked.APIKey}, 401, `{"result":"User is locked"}`},
		{"id, missing", "/o/users/id", []string{"api_key", s.Key}, 401, `{"result":"Missing user id parameter"}`},
		{"id, unknown", "/o/users/id", []string{"api_key", s.Key, "id", strings.Repeat("0", 24)}, 200, `{}`},
		{"id, malformed", "/o/users/id", []string{"api_key", s.Key, "id", "x"}, 200, `{}`},
		{"id, ordinary member", "/o/users/id", []string{"api_key", bob.APIKey, "id", bob.ID}, 401, right},
		{"permissions, no app", "/o/users/permissions", []string{"api_key", bob.APIKey}, 401, `{"result":"No app_id provided"}`},
		{"timeban", "/o/users/reset_timeban", []string{"api_key", s.Key, "username", "bob"}, 200, `true`},
		{"timeban, unknown", "/o/users/reset_timeban", []string{"api_key", s.Key, "username", "nobody"}, 200, `true`},
		{"timeban, missing", "/o/users/reset_timeban", []string{"api_key", s.Key}, 400, `{"result":"Missing parameter \"username\""}`},
		{"timeban, ordinary member", "/o/users/reset_timeban", []string{"api_key", bob.APIKey, "username", "bob"}, 401, right},

		{"create, no key", "/i/users/create", nil, 400, noKey},
		{"create, no args", "/i/users/create", []string{"api_key", s.Key}, 400, noArgs},
		{"create, no args, ordinary member", "/i/users/create", []string{"api_key", bob.APIKey}, 401, right},
		{"create, args no JSON", "/i/users/create", []string{"api_key", s.Key, "args", "{"}, 400, noArgs},
		{"create, args no object", "/i/users/create", []string{"api_key", s.Key, "args", "[]"}, 400, noArgs},
		{"create, nothing", "/i/users/create", []string{"api_key", s.Key, "args", "{}"}, 400, `{"result":["Missing full_name argument"]}`},
		{"create, no name", "/i/users/create", []string{"api_key", s.Key, "args", valid("full_name", "")}, 400, `{"result":["Missing full_name argument"]}`},
		{"create, no user name", "/i/users/create", []string{"api_key", s.Key, "args", valid("username", "")}, 400, `{"result":["Missing username argument"]}`},
		{"create, no password", "/i/users/create", []string{"api_key", s.Key, "args", valid("password", "")}, 400, `{"result":["Missing password argument"]}`},
		{"create, no address", "/i/users/create", []string{"api_key", s.Key, "args", valid("email", "")}, 400, `{"result":["Missing email argument"]}`},
		{"create, weak password", "/i/users/create", []string{"api_key", s.Key, "args", valid("password", "12345678")}, 400, `{"result":["Password is one of the most used leaked passwords: choose another"]}`},
		{"create, name taken", "/i/users/create", []string{"api_key", s.Key, "args", valid("username", "BOB")}, 400, `{"result":["Email or username already exists"]}`},
		{"create, address taken", "/i/users/create", []string{"api_key", s.Key, "args", valid("email", "Bob@Example.org")}, 400, `{"result":["Email or username already exists"]}`},
		{"create, name no text", "/i/users/create", []string{"api_key", s.Key, "args", `{"full_name":5}`}, 400, `{"result":["Invalid full_name argument"]}`},
		{"create, permission no object", "/i/users/create", []string{"api_key", s.Key, "args", `{"full_name":"x","permission":5}`}, 400, `{"result":["Invalid permission argument"]}`},

		{"update, no args", "/i/users/update", []string{"api_key", s.Key}, 400, noArgs},
		{"update, no id", "/i/users/update", []string{"api_key", s.Key, "args", "{}"}, 400, `{"result":["Missing user_id argument"]}`},
		{"update, unknown id", "/i/users/update", []string{"api_key", s.Key, "args", `{"user_id":"000000000000000000000000"}`}, 400, `{"result":["User not found"]}`},
		{"update, malformed id", "/i/users/update", []string{"api_key", s.Key, "args", `{"user_id":"x"}`}, 400, `{"result":["User not found"]}`},
		{"update, name taken", "/i/users/update", []string{"api_key", s.Key, "args", `{"user_id":"` + bob.ID + `","username":"admin"}`}, 400, `{"result":["Email or username already exists"]}`},
		{"update, ordinary member", "/i/users/update", []string{"api_key", bob.APIKey, "args", `{"user_id":"` + bob.ID + `","global_admin":true}`}, 401, right},
		{"update", "/i/users/update", []string{"api_key", s.Key, "args", `{"user_id":"` + bob.ID + `","full_name":"Robert"}`}, 200, done},
		{"update, a field that is not kept", "/i/users/update", []string{"api_key", s.Key, "args", `{"user_id":"` + bob.ID + `","send_notification":true,"_id":"x","api_key":"x"}`}, 200, done},

		{"delete, no args", "/i/users/delete", []string{"api_key", s.Key}, 400, `{"result":"Error: Missing 'args' parameter"}`},
		{"delete, no args, ordinary member", "/i/users/delete", []string{"api_key", bob.APIKey}, 401, right},
		{"delete, no ids", "/i/users/delete", []string{"api_key", s.Key, "args", "{}"}, 400, `{"result":"Error: Missing user_ids argument"}`},
		{"delete, ids no list", "/i/users/delete", []string{"api_key", s.Key, "args", `{"user_ids":5}`}, 400, `{"result":"Error: Invalid user_ids argument"}`},
		{"delete, unknown ids", "/i/users/delete", []string{"api_key", s.Key, "args", `{"user_ids":["x","000000000000000000000000"]}`}, 200, done},

		{"own account, no password", "/i/users/deleteOwnAccount", []string{"api_key", s.Key}, 400, `{"result":"password mandatory"}`},
		{"own account, wrong password", "/i/users/deleteOwnAccount", []string{"api_key", s.Key, "password", "x"}, 400, `{"result":"password not valid"}`},
		{"own account, last administrator", "/i/users/deleteOwnAccount", []string{"api_key", s.Key, "password", testkit.AdminPassword}, 400, `{"result":"global admin limit"}`},

		{"home, nothing", "/i/users/updateHomeSettings", []string{"api_key", s.Key}, 400, "{\"result\":\"`homeSettings` should contain stringified object with home settings\"}"},
		{"home, no app", "/i/users/updateHomeSettings", []string{"api_key", s.Key, "homeSettings", "{}"}, 400, "{\"result\":\"`app_id` must be passed\"}"},
		{"home, unknown app", "/i/users/updateHomeSettings", []string{"api_key", s.Key, "homeSettings", "{}", "app_id", "x"}, 401, `{"result":"App does not exist"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, call := range []func(string, ...string) testkit.Response{s.Get, s.Post} {
				r := call(test.path, test.pairs...)
				if r.Status != test.status || r.Body != test.body {
					t.Fatalf("got  %d %s\nwant %d %s", r.Status, r.Body, test.status, test.body)
				}
			}
		})
	}
	var me account
	testkit.Decode(t, s.Get("/o/users/me", "api_key", bob.APIKey).Body, &me)
	if me.ID != bob.ID || me.APIKey != bob.APIKey {
		t.Errorf("an update changed id or key: %+v", me)
	}
}

func TestRemoval(t *testing.T) {
	s := testkit.New(t)
	bob, carol, second := create(t, s, "bob", ""), create(t, s, "carol", ""), create(t, s, "second", `,"global_admin":true`)
	var admin account
	testkit.Decode(t, s.Admin("/o/users/me"), &admin)
	ids, err := json.Marshal(map[string][]string{"user_ids": {bob.ID, admin.ID, carol.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if body := s.Admin("/i/users/delete", "args", string(ids)); body != `{"result":"Success"}` {
		t.Errorf("delete: %s", body)
	}
	var all map[string]account
	testkit.Decode(t, s.Admin("/o/users/all"), &all)
	if len(all) != 2 || all[admin.ID].ID == "" || all[second.ID].ID == "" {
		t.Errorf("left are %v, want the two administrators", all)
	}
	if r := s.Get("/o/users/me", "api_key", bob.APIKey); r.Status != http.StatusUnauthorized {
		t.Errorf("the key of a removed member: %d %s", r.Status, r.Body)
	}
	if r := s.Post("/i/users/deleteOwnAccount", "api_key", second.APIKey, "password", password); r.Body != `{"result":"Success"}` {
		t.Errorf("own account: %d %s", r.Status, r.Body)
	}
	testkit.Decode(t, s.Admin("/o/users/all"), &all)
	if r := s.Get("/o/users/me", "api_key", second.APIKey); r.Status != http.StatusUnauthorized {
		t.Errorf("the key of who removed itself: %d %s", r.Status, r.Body)
	}
}

func TestPermissionFollowsApps(t *testing.T) {
	s := testkit.New(t)
	app := s.CreateApp("one", "UTC")
	permission := strings.ReplaceAll(`{"_":{"a":["A"],"u":["A"]},"r":{"A":{"all":false,"allowed":{"core":true}}}}`, "A", app.ID)
	bob := create(t, s, "bob", `,"permission":`+permission)
	if r := s.Get("/o/users/permissions", "api_key", bob.APIKey, "app_id", app.ID); r.Status != http.StatusOK {
		t.Errorf("permissions of an app's user: %d %s", r.Status, r.Body)
	}
	if got := s.Admin("/i/users/updateHomeSettings", "app_id", app.ID, "homeSettings", `{"widgets":[1]}`); got != `{"result":"Success"}` {
		t.Errorf("home settings: %s", got)
	}
	me := func(key string) (m struct {
		Permission   json.RawMessage `json:"permission"`
		HomeSettings json.RawMessage `json:"homeSettings"`
	},
	) {
		testkit.Decode(t, s.Get("/o/users/me", "api_key", key).Body, &m)
		return m
	}
	if got := string(me(s.Key).HomeSettings); got != `{"`+app.ID+`":{"widgets":[1]}}` {
		t.Errorf("home settings are %s", got)
	}
	s.Admin("/i/users/updateHomeSettings", "app_id", app.ID, "homeSettings", `no JSON`)
	if got := string(me(s.Key).HomeSettings); got != `{"`+app.ID+`":{}}` {
		t.Errorf("home settings are %s", got)
	}
	s.Admin("/i/apps/delete", "args", `{"app_id":"`+app.ID+`"}`)
	const none = `{"_":{"a":[],"u":[]},"c":{},"r":{},"u":{},"d":{}}`
	if got := string(me(bob.APIKey).Permission); got != none {
		t.Errorf("after the app's removal: %s, want %s", got, none)
	}
	if got := string(me(s.Key).HomeSettings); got != "" {
		t.Errorf("home settings of a removed app: %s", got)
	}
	s.Admin("/i/users/update", "args", `{"user_id":"`+bob.ID+`","admin_of":["x"],"user_of":["y"]}`)
	want := `{"_":{"a":["x"],"u":[["y"]]},"c":{},"r":{"y":{"all":false,"allowed":{"core":true,"events":true}}},"u":{},"d":{}}`
	if got := string(me(bob.APIKey).Permission); got != want {
		t.Errorf("after the shorthands: %s, want %s", got, want)
	}
}

func TestBlockedIsShownAndReset(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	bob := create(t, s, "bob", "")
	for range 3 {
		if r := s.Do(http.MethodGet, "/api-key", nil, "Authorization", "Basic Ym9iOndyb25n"); r.Status != http.StatusUnauthorized || r.Body != "-1" {
			t.Fatalf("wrong password: %d %s", r.Status, r.Body)
		}
	}
	blocked := func() bool {
		var all map[string]account
		testkit.Decode(t, s.Admin("/o/users/all"), &all)
		return all[bob.ID].Blocked
	}
	if !blocked() {
		t.Error("three wrong passwords are not shown as a block")
	}
	s.Stop()
	s.Start()
	if !blocked() {
		t.Error("a restart ended the block")
	}
	s.Admin("/o/users/reset_timeban", "username", "bob")
	if blocked() || s.APIKey("bob", password) != bob.APIKey {
		t.Error("the reset did not end the block")
	}
}

// TestPasswordRules sets the rules as an administrator does, and follows a member through them.
func TestPasswordRules(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	key := func(user, password string) int {
		r := s.Do(http.MethodGet, "/api-key", nil, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
		return r.Status
	}
	all := func(id string) string {
		var list map[string]json.RawMessage
		testkit.Decode(t, s.Admin("/o/users/all"), &list)
		return string(list[id])
	}
	before := create(t, s, "before", "")
	s.Admin("/i/configs", "configs", `{"security":{"password_expiration":30,"password_rotation":1,"force_password_change":true}}`)
	bob := create(t, s, "bob", "")
	free := create(t, s, "free", `,"must_change_password":false`)
	for user, want := range map[string]int{"before": 200, "bob": 403, "free": 200, "admin": 200} {
		p := password
		if user == "admin" {
			p = testkit.AdminPassword
		}
		if got := key(user, p); got != want {
			t.Errorf("%s: got %d, want %d", user, got, want)
		}
	}
	if row := all(bob.ID); !strings.Contains(row, `"must_change_password":true`) || strings.Contains(row, "history") {
		t.Errorf("the list says %s", row)
	}
	if r := s.Get("/o/users/me", "api_key", bob.APIKey); r.Status != http.StatusOK {
		t.Errorf("the key itself: %d %s", r.Status, r.Body)
	}
	const second, reused = "Another-horse-2", `{"result":"Password must differ from the present one and from recent ones"}`
	for _, step := range []struct{ old, next, body string }{
		{password, password, reused},
		{password, second, `{"result":"Success"}`},
		{second, password, reused},
		{second, "Third-horse-3", `{"result":"Success"}`},
		{"Third-horse-3", password, `{"result":"Success"}`},
	} {
		if r := s.Post("/i/users/password", "api_key", bob.APIKey, "old_pwd", step.old, "new_pwd", step.next); r.Body != step.body {
			t.Errorf("from %s to %s: %d %s", step.old, step.next, r.Status, r.Body)
		}
	}
	if got := key("bob", password); got != http.StatusOK {
		t.Errorf("bob chose one: %d", got)
	}
	s.Admin("/i/users/update", "args", `{"user_id":"`+free.ID+`","password":"`+second+`"}`)
	s.Admin("/i/users/update", "args", `{"user_id":"`+before.ID+`","must_change_password":true}`)
	if a, b := key("free", second), key("before", password); a != http.StatusForbidden || b != http.StatusForbidden {
		t.Errorf("given another: %d, asked for another: %d", a, b)
	}
	s.Admin("/i/users/update", "args", `{"user_id":"`+before.ID+`","must_change_password":false}`)
	s.Clock().Set(start.Add(30*24*time.Hour - time.Second))
	if got := key("before", password); got != http.StatusOK {
		t.Errorf("a second before the end: %d", got)
	}
	s.Clock().Set(start.Add(30 * 24 * time.Hour))
	if got := key("before", password); got != http.StatusForbidden || !strings.Contains(all(before.ID), `"password_expired":true`) {
		t.Errorf("at the end: %d %s", got, all(before.ID))
	}
	export := s.Admin("/o/export/db", "collection", "members", "type", "json")
	if !strings.Contains(export, "before@example.org") || strings.Contains(export, "argon2") || strings.Contains(export, "history") {
		t.Errorf("an export tells %s", export)
	}
	if r := s.Get("/i/configs", "api_key", s.Key, "configs", `{"security":{"password_rotation":25}}`); r.Status != http.StatusBadRequest {
		t.Errorf("a history without bounds: %d %s", r.Status, r.Body)
	}
}
