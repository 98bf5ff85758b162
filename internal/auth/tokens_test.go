package auth_test

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
)

func (w *world) token(n auth.NewToken) string {
	w.t.Helper()
	t, err := w.CreateToken(w.t.Context(), w.admin.ID, n)
	if err != nil {
		w.t.Fatal(err)
	}
	return t.ID
}

// named are the apps of a request that names one, or none for "".
func named(app string) func() []string {
	return func() []string {
		if app == "" {
			return nil
		}
		return []string{app}
	}
}

func TestAuthenticate(t *testing.T) {
	w := newWorld(t)
	locked := w.member("locked")
	lockedToken, err := w.CreateToken(t.Context(), locked.ID, auth.NewToken{Multi: true})
	if err != nil {
		t.Fatal(err)
	}
	if locked, err = w.UpdateMember(t.Context(), locked.ID, auth.MemberChange{Locked: new(true)}, ""); err != nil {
		t.Fatal(err)
	}
	token := w.token(auth.NewToken{TTL: 60, Multi: true})
	session := w.session(w.admin)
	for _, test := range []struct {
		name string
		c    auth.Credentials
		code string
		msg  string
	}{
		{"nothing", auth.Credentials{}, "auth.credentials_missing", `Missing parameter "api_key" or "auth_token"`},
		{"key", auth.Credentials{APIKey: w.admin.APIKey}, "", ""},
		{"unknown key", auth.Credentials{APIKey: strings.Repeat("0", 32)}, "auth.unknown_user", "User does not exist"},
		{"key in another case", auth.Credentials{APIKey: strings.ToUpper(w.admin.APIKey) + "x"}, "auth.unknown_user", "User does not exist"},
		{"key that is no text", auth.Credentials{APIKey: `{"$ne":""}`}, "auth.unknown_user", "User does not exist"},
		{"key of a locked member", auth.Credentials{APIKey: locked.APIKey}, "auth.locked", "User is locked"},
		{"token", auth.Credentials{AuthToken: token}, "", ""},
		{"token beside a wrong key", auth.Credentials{AuthToken: token, APIKey: "x"}, "", ""},
		{"wrong token beside a key", auth.Credentials{AuthToken: "x", APIKey: w.admin.APIKey}, "auth.token_invalid", "Token not valid"},
		{"token of a locked member", auth.Credentials{AuthToken: lockedToken.ID}, "auth.locked", "User is locked"},
		{"cookie, read", auth.Credentials{Cookie: session.Cookie}, "", ""},
		{"cookie, write", auth.Credentials{Cookie: session.Cookie, Write: true}, "auth.csrf", "The page is out of date, reload it"},
		{"cookie, write with the token", auth.Credentials{Cookie: session.Cookie, Write: true, CSRF: session.CSRF}, "", ""},
		{"cookie, write with another token", auth.Credentials{Cookie: session.Cookie, Write: true, CSRF: w.session(w.admin).CSRF}, "auth.csrf", "The page is out of date, reload it"},
		{"unknown cookie", auth.Credentials{Cookie: strings.Repeat("A", 43)}, "auth.credentials_missing", `Missing parameter "api_key" or "auth_token"`},
		{"key beside a cookie", auth.Credentials{Cookie: session.Cookie, APIKey: "x"}, "auth.unknown_user", "User does not exist"},
	} {
		t.Run(test.name, func(t *testing.T) {
			id, err := w.Authenticate(t.Context(), test.c)
			if fault.CodeOf(err) != test.code || asFault(err).Msg != test.msg {
				t.Fatalf("got %v, want %s %q", err, test.code, test.msg)
			}
			if err == nil && (id.Member.ID != w.admin.ID || id.Session != (test.c.Cookie != "") || id.Token != test.c.AuthToken) {
				t.Errorf("got %+v", id)
			}
		})
	}
}

func TestTokenScope(t *testing.T) {
	w := newWorld(t)
	const a1, a2 = "6991c75b024cb89cdc04efd2", "6991c75b024cb89cdc04efd3"
	params := map[string]string{"method": "get_events", "n": "5", "o": `{"b":[1,2],"a":1}`}
	for _, test := range []struct {
		name     string
		apps     []string
		endpoint string
		path     string
		app      string
		ok       bool
	}{
		{"no restriction", nil, "", "/i/apps/create", a1, true},
		{"its app", []string{a1}, "", "/o", a1, true},
		{"its app in upper case", []string{a1}, "", "/o", strings.ToUpper(a1), true},
		{"another app", []string{a1}, "", "/o", a2, false},
		{"no app named", []string{a1}, "", "/o/apps/mine", "", false},
		{"part of a path", nil, `["/o/token"]`, "/o/token/list", "", true},
		{"anchored", nil, `["^/o/users/"]`, "/o/users/all", "", true},
		{"anchored, elsewhere", nil, `["^/o/users/"]`, "/i/o/users/all", "", false},
		{"second of two", nil, `["/o/token","/o/apps/mine"]`, "/o/apps/mine", "", true},
		{"none of two", nil, `["/o/token","/o/apps/mine"]`, "/o/apps/all", "", false},
		{"path in another case", nil, `["/o/apps"]`, "/o/APPS", "", false},
		{"no pattern", nil, `["(?=x)"]`, "/o/x", "", false},
		{"a pattern that takes others exponential time", nil, `["(a+)+$"]`, "/o/" + strings.Repeat("a", 10000) + "!", "", false},
		{"object", nil, `[{"endpoint":"^/o$","params":{"method":"get_events"}}]`, "/o", "", true},
		{"object without params", nil, `[{"endpoint":"^/o$"}]`, "/o", "", true},
		{"object, another path", nil, `[{"endpoint":"^/o$","params":{"method":"get_events"}}]`, "/i", "", false},
		{"object, another value", nil, `[{"endpoint":"^/o$","params":{"method":"sessions"}}]`, "/o", "", false},
		{"object, one of two params", nil, `[{"endpoint":"^/o$","params":{"method":"get_events","x":"y"}}]`, "/o", "", false},
		{"object, number", nil, `[{"endpoint":"/o","params":{"n":5}}]`, "/o", "", true},
		{"object, structure", nil, `[{"endpoint":"/o","params":{"o":{"a":1,"b":[1,2]}}}]`, "/o", "", true},
		{"object, other structure", nil, `[{"endpoint":"/o","params":{"o":{"a":1,"b":[2,1]}}}]`, "/o", "", false},
		{"mixed", nil, `["/x",{"endpoint":"/o"}]`, "/o", "", true},
		{"one object", nil, `{"endpoint":"/o/apps"}`, "/o/apps/mine", "", true},
		{"nonsense allows nothing", nil, `[5,null,{"endpoint":""},{"endpoint":7},{}]`, "/o", "", false},
		{"app and path", []string{a1}, `["/o"]`, "/o", a2, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := auth.NewToken{TTL: 60, Multi: true, Apps: test.apps}
			if test.endpoint != "" {
				n.Endpoint = json.RawMessage(test.endpoint)
			}
			id, err := w.Authenticate(t.Context(), auth.Credentials{
				AuthToken: w.token(n), Path: test.path, Reach: auth.ReachApp, Apps: named(test.app),
				Param: func(name string) string { return params[name] },
			})
			if (err == nil) != test.ok || err != nil && fault.CodeOf(err) != "auth.token_invalid" {
				t.Fatalf("got %v, want success %t", err, test.ok)
			}
			if err == nil && id.Restricted != (test.apps != nil || test.endpoint != "") {
				t.Errorf("restricted is %t", id.Restricted)
			}
		})
	}
	for name, n := range map[string]auth.NewToken{
		"long pattern": {Endpoint: json.RawMessage(`["` + strings.Repeat("a", 1001) + `"]`)},
		"many rules":   {Endpoint: json.RawMessage(`["a"` + strings.Repeat(`,"a"`, 200) + `]`)},
		"many apps":    {Apps: make([]string, 201)},
		"huge":         {Endpoint: json.RawMessage(`[{"x":"` + strings.Repeat("a", 70_000) + `"}]`)},
	} {
		if _, err := w.CreateToken(t.Context(), w.admin.ID, n); fault.CodeOf(err) != "auth.token_scope" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestTokenTime(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	short, ever := w.token(auth.NewToken{TTL: 10, Multi: true}), w.token(auth.NewToken{Multi: true})
	check := func(id string, valid bool, seconds int64) {
		t.Helper()
		if v, s, err := w.CheckToken(ctx, id); err != nil || v != valid || s != seconds {
			t.Errorf("check says %t, %d, %v, want %t, %d", v, s, err, valid, seconds)
		}
		if _, err := w.Authenticate(ctx, auth.Credentials{AuthToken: id}); (err == nil) != valid {
			t.Errorf("use says %v, want success %t", err, valid)
		}
	}
	check(short, true, 10)
	check(ever, true, -1)
	check("nonsense", false, 0)
	w.clock.Add(9 * time.Second)
	check(short, true, 1)
	w.clock.Add(time.Second)
	check(short, false, 0)
	w.clock.Add(200 * 365 * 24 * time.Hour)
	check(ever, true, -1)
	if list, err := w.tokens(ctx, w.admin.ID); err != nil || len(list) != 1 || list[0].ID != ever {
		t.Errorf("list has %v, %v, want the one that never ends", list, err)
	}
	if err := w.Prune(ctx); err != nil {
		t.Fatal(err)
	}
	check(ever, true, -1)
	check(w.token(auth.NewToken{TTL: -5, Multi: true}), true, 1)
	check(w.token(auth.NewToken{TTL: 1 << 62, Multi: true}), true, 100*365*24*3600)
}

// TestSingleUse lets many use a single-use token at once.
func TestSingleUse(t *testing.T) {
	w := newWorld(t)
	for range 10 {
		id := w.token(auth.NewToken{TTL: 60, Endpoint: json.RawMessage(`["/o/apps"]`)})
		if _, err := w.Authenticate(t.Context(), auth.Credentials{AuthToken: id, Path: "/i"}); err == nil {
			t.Fatal("used outside its scope")
		}
		var passed, refused atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				_, err := w.Authenticate(t.Context(), auth.Credentials{AuthToken: id, Path: "/o/apps"})
				switch {
				case err == nil:
					passed.Add(1)
				case fault.CodeOf(err) == "auth.token_invalid":
					refused.Add(1)
				default:
					t.Errorf("use: %v", err)
				}
			})
		}
		wg.Wait()
		if passed.Load() != 1 || refused.Load() != 7 {
			t.Fatalf("%d uses passed, %d were refused, want 1 and 7", passed.Load(), refused.Load())
		}
		if list, err := w.tokens(t.Context(), w.admin.ID); err != nil || len(list) != 0 {
			t.Errorf("the used token is listed: %v, %v", list, err)
		}
	}
}

func TestTokensBelongToTheirOwner(t *testing.T) {
	w := newWorld(t)
	bob := w.member("bob")
	mine := w.token(auth.NewToken{TTL: 60, Multi: true})
	if list, err := w.tokens(t.Context(), bob.ID); err != nil || len(list) != 0 {
		t.Errorf("bob sees %v, %v", list, err)
	}
	if found, err := w.DeleteToken(t.Context(), bob.ID, mine); err != nil || found {
		t.Errorf("bob deletes another's token: %t, %v", found, err)
	}
	if found, err := w.DeleteToken(t.Context(), w.admin.ID, mine); err != nil || !found {
		t.Errorf("the owner cannot delete: %t, %v", found, err)
	}
	if _, err := w.CreateToken(t.Context(), model.MemberID{}, auth.NewToken{}); fault.CodeOf(err) != "auth.token_no_owner" {
		t.Errorf("a token without owner: %v", err)
	}
}

// TestTokensAreBounded fills up the tokens of a member.
func TestTokensAreBounded(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	last := w.token(auth.NewToken{TTL: 60, Multi: true})
	for range 999 {
		w.token(auth.NewToken{TTL: 10, Multi: true})
	}
	full := func() string {
		_, err := w.CreateToken(ctx, w.admin.ID, auth.NewToken{Multi: true})
		return fault.CodeOf(err)
	}
	if code := full(); code != "auth.too_many_tokens" {
		t.Errorf("one token too many: %q", code)
	}
	if _, err := w.CreateToken(ctx, w.member("bob").ID, auth.NewToken{Multi: true}); err != nil {
		t.Errorf("a token of someone else: %v", err)
	}
	if _, err := w.CreateSession(ctx, w.admin, auth.SessionInfo{}); err != nil {
		t.Errorf("a session: %v", err)
	}
	if found, err := w.DeleteToken(ctx, w.admin.ID, last); err != nil || !found {
		t.Fatalf("delete: %t, %v", found, err)
	}
	if code := full(); code != "auth.too_many_tokens" { // the session's token counts
		t.Errorf("with the session's token: %q", code)
	}
	w.clock.Add(11 * time.Second)
	if code := full(); code != "" {
		t.Errorf("after the others have ended: %q", code)
	}
}
