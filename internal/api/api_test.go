package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/params"
)

var (
	appA = model.App{ID: model.ID{0xa}, Name: "A"}
	appB = model.App{ID: model.ID{0xb}, Name: "B"}
)

type directory struct{}

func (directory) ByKey(string) *model.App { return nil }
func (directory) All() []*model.App       { return []*model.App{&appA, &appB} }
func (directory) ByID(id model.AppID) *model.App {
	switch id {
	case appA.ID:
		return &appA
	case appB.ID:
		return &appB
	}
	return nil
}

// keys recognises callers by api_key alone.
type keys map[string]*model.Member

func (k keys) Authenticate(_ context.Context, c api.Credentials) (api.Identity, error) {
	if c.APIKey == "" && c.Cookie == "" {
		return api.Identity{}, fault.New(fault.Invalid, "auth.credentials_missing", `Missing parameter "api_key" or "auth_token"`)
	}
	if m := k[c.Cookie]; m != nil {
		return api.Identity{Member: m, Session: true}, nil
	}
	m := k[c.APIKey]
	if m == nil {
		return api.Identity{}, fault.New(fault.Unauthenticated, "auth.unknown_user", "User does not exist")
	}
	return api.Identity{Member: m}, nil
}

type echoReq struct {
	Name  string          `param:"name"`
	N     int             `param:"n"`
	On    bool            `param:"on"`
	Args  map[string]any  `param:"args"`
	Value params.Value    `param:"value"`
	Raw   json.RawMessage `param:"raw"`
}

func (k keys) Known(_ context.Context, c api.Credentials) bool {
	return k[c.Cookie] != nil || k[c.APIKey] != nil
}

func server(t *testing.T, more ...func(*api.Registrar)) *httptest.Server {
	t.Helper()
	return serverOn(t, hook.NewBus(), more...)
}

func serverOn(t *testing.T, bus *hook.Bus, more ...func(*api.Registrar)) *httptest.Server {
	t.Helper()
	routes := api.NewRoutes()
	g := routes.For("test")
	for _, add := range more {
		add(g)
	}
	reply := func(_ context.Context, c api.Caller, _ api.None) (api.Result, error) {
		if c.App != nil {
			return api.Result{Result: c.App.Name}, nil
		}
		return api.Success(), nil
	}
	api.Handle(g, "/o/public", api.Public(), reply)
	api.Handle(g, "/o/member", api.Authenticated(), reply)
	api.Handle(g, "/o/global", api.GlobalAdmin(), reply)
	api.Handle(g, "/o/admin", api.AppAdmin(api.AppParamLegacy), reply)
	api.Handle(g, "/i/args", api.AppAdmin(api.AppInArgs), reply)
	api.Handle(g, "/o/core", api.Feature("core", model.Read, api.AppParam), reply)
	api.Handle(g, "/o/optional", api.Feature("core", model.Read, api.AppOptional), reply)
	api.HandleMethod(g, "users", api.Feature("core", model.Read, api.AppParamFirst), reply)
	api.Handle(g, "/o/echo", api.Public(), func(_ context.Context, _ api.Caller, r echoReq) (echoReq, error) { return r, nil })
	api.Handle(g, "/o/item/{id}", api.Public(), func(_ context.Context, _ api.Caller, r struct {
		ID string `path:"id"`
	},
	) (string, error) {
		return r.ID, nil
	})
	api.Handle(g, "/o/html", api.Authenticated(), func(context.Context, api.Caller, api.None) (map[string]string, error) {
		return map[string]string{"a": `<b title="x">&amp; & 'y'`, "q": `{"k":"v"}`, "s": "com&#46;x &#9647"}, nil
	})
	long := func(n int) func(context.Context, api.Caller, api.None) (string, error) {
		return func(context.Context, api.Caller, api.None) (string, error) { return strings.Repeat("x", n), nil }
	}
	api.Handle(g, "/o/big", api.Authenticated(), long(1<<20))
	api.Handle(g, "/o/long-text", api.Authenticated(), long(1<<12))
	api.Handle(g, "/o/secret", api.Authenticated().Confidential(), reply)
	api.Handle(g, "/o/writing", api.Authenticated().Writing(), reply)
	api.Handle(g, "/o/file", api.Authenticated(), func(context.Context, api.Caller, api.None) (api.File, error) {
		return api.File{Type: "text/plain", Name: "x.txt", Content: []byte("x")}, nil
	})
	api.HandleRaw(g, "/o/stream", api.Authenticated(), "a stream", func(http.ResponseWriter, api.Caller) error { return nil })
	api.HandleBatch(g, "/o/batch")
	for name, err := range map[string]error{
		"bug": errors.New("secret"), "gone": fault.New(fault.NotFound, "x.gone", "Not here"),
		"later": &fault.Error{Kind: fault.Unavailable, Code: "x.later", Msg: "Later", RetryAfter: 1500 * time.Millisecond},
		"wart":  api.Status(http.StatusNotFound, fault.New(fault.Invalid, "x.wart", "Odd")),
		"list":  &api.StatusError{Status: 400, Result: []string{"one"}, Err: fault.New(fault.Invalid, "x", "one")},
	} {
		api.Handle(g, "/o/err/"+name, api.Public(), func(context.Context, api.Caller, api.None) (any, error) { return nil, err })
	}
	api.Handle(g, "/o/err/panic", api.Public(), func(context.Context, api.Caller, api.None) (any, error) { panic("secret") })
	g.Family("/o/users", "Invalid path, must be one of /all or /me")
	reader := &model.Member{Permission: model.Permission{
		Apps: model.PermissionApps{User: [][]string{{appA.ID.String()}}, Admin: []string{appB.ID.String()}},
		Read: map[string]model.AppRights{appA.ID.String(): {Allowed: map[string]bool{"core": true}}},
	}}
	client := func(*http.Request) netip.Addr { return netip.Addr{} }
	in := intake.New(intake.Options{Governor: memory.New(memory.Split(256<<20), slog.New(slog.DiscardHandler), time.Now), Now: time.Now, Client: client})
	srv := httptest.NewServer(api.NewServer(routes, api.Options{
		Intake: in, Auth: keys{"root": {GlobalAdmin: true}, "reader": reader, "nobody": {}}, Apps: directory{},
		Log: slog.New(slog.DiscardHandler), Now: time.Now, Limits: params.Limits{Body: 1 << 16, Params: 50},
		Client: client, Cookie: "sid", Bus: bus, Form: formsOfTest,
	}))
	t.Cleanup(srv.Close)
	return srv
}

func get(t *testing.T, srv *httptest.Server, path string, header ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := srv.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return res.StatusCode, string(body), res.Header
}

func TestAccess(t *testing.T) {
	srv := server(t)
	a, b, unknown := appA.ID.String(), appB.ID.String(), model.ID{0xc}.String()
	missingKey := `{"result":"Missing parameter \"api_key\" or \"auth_token\""}`
	missingApp := `{"result":"Missing parameter \"app_id\""}`
	noRight, noApp, noUser := `{"result":"User does not have right"}`, `{"result":"No app_id provided"}`, `{"result":"User does not exist"}`
	ok := `{"result":"Success"}`
	for _, c := range []struct {
		path   string
		status int
		body   string
	}{
		{"/o/public", 200, ok},
		{"/o/member", 400, missingKey},
		{"/o/member?api_key=who", 401, noUser},
		{"/o/member?api_key=nobody", 200, ok},
		{"/o/member/?api_key=nobody", 200, ok},
		{"/o/global?api_key=reader", 401, noRight},
		{"/o/global?api_key=root", 200, ok},
		{"/o/admin?api_key=reader", 401, noApp},
		{"/o/admin?api_key=reader&app_id=" + a, 401, noRight},
		{"/o/admin?api_key=reader&app_id=" + b, 200, `{"result":"B"}`},
		{"/o/core", 400, missingKey},
		{"/o/core?api_key=reader", 400, missingApp},
		{"/o/core?api_key=reader&app_id=x", 400, `{"result":"Invalid parameter \"app_id\""}`},
		{"/o/core?api_key=reader&app_id=" + unknown, 401, `{"result":"App does not exist"}`},
		{"/o/core?api_key=reader&app_id=" + a, 200, `{"result":"A"}`},
		{"/o/core?api_key=nobody&app_id=" + a, 401, noRight},
		{"/o/core?api_key=root&app_id=" + b, 200, `{"result":"B"}`},
		{"/o/optional?api_key=root", 200, ok},
		{"/o/optional?api_key=reader", 401, noApp},
		{"/i/args?api_key=reader", 401, noRight},
		{"/i/args?api_key=root", 200, ok},
		{`/i/args?api_key=reader&args={"app_id":"` + b + `"}`, 200, `{"result":"B"}`},
		{`/i/args?api_key=reader&args={"app_id":"` + a + `"}`, 401, noRight},
		{`/i/args?api_key=reader&args={"app_id":"` + unknown + `"}`, 401, noRight},
		{"/o", 400, missingApp},
		{"/o?api_key=reader", 400, missingApp},
		{"/o?app_id=" + a, 400, missingKey},
		{"/o?api_key=who&app_id=" + unknown, 401, noUser},
		{"/o?api_key=nobody&method=nope&app_id=" + a, 401, noRight},
		{"/o?api_key=reader&method=nope&app_id=" + a, 400, `{"result":"Invalid method"}`},
		{"/o?api_key=reader&app_id=" + a, 400, `{"result":"Invalid method"}`},
		{"/o?api_key=reader&method=users&app_id=" + a, 200, `{"result":"A"}`},
		{"/o/users", 400, `{"result":"Invalid path, must be one of /all or /me"}`},
		{"/o/users/x/y", 400, `{"result":"Invalid path, must be one of /all or /me"}`},
		{"/o/nope", 400, `{"result":"Invalid path"}`},
		{"/o/item/42", 200, `"42"`},
	} {
		status, body, _ := get(t, srv, strings.ReplaceAll(c.path, `"`, "%22"))
		if status != c.status || body != c.body {
			t.Errorf("%s: %d %s, want %d %s", c.path, status, body, c.status, c.body)
		}
	}
}

func TestErrors(t *testing.T) {
	srv := server(t)
	for path, want := range map[string]struct {
		status int
		body   string
	}{
		"/o/err/gone": {404, `{"result":"Not here"}`}, "/o/err/later": {503, `{"result":"Later"}`},
		"/o/err/wart": {404, `{"result":"Odd"}`}, "/o/err/list": {400, `{"result":["one"]}`},
		"/o/echo?args={": {400, `{"result":"Could not parse parameter \"args\": {"}`},
	} {
		if status, body, _ := get(t, srv, path); status != want.status || body != want.body {
			t.Errorf("%s: %d %s, want %d %s", path, status, body, want.status, want.body)
		}
	}
	if _, _, h := get(t, srv, "/o/err/later"); h.Get("Retry-After") != "2" || h.Get("Quipu-Error") == "" {
		t.Errorf("Retry-After = %q, Quipu-Error = %q, want 2 and a code", h.Get("Retry-After"), h.Get("Quipu-Error"))
	}
	for _, path := range []string{"/o/err/bug", "/o/err/panic"} {
		status, body, header := get(t, srv, path)
		if status != 500 || header.Get(api.FaultHeader) != "server.internal" || strings.Contains(body, "secret") || !strings.HasPrefix(body, `{"result":"Internal error, incident `) {
			t.Errorf("%s: %d %q %s, want 500 with a code, an incident id and no secret", path, status, header.Get(api.FaultHeader), body)
		}
		status, body, _ = get(t, srv, path, "Accept", api.ProblemType)
		if status != 500 || strings.Contains(body, "secret") || !strings.Contains(body, `"incident":"`) || !strings.Contains(body, `"code":"server.internal"`) {
			t.Errorf("%s: %d %s, want a problem with an incident and no secret", path, status, body)
		}
	}
}

func TestEscaping(t *testing.T) {
	srv := server(t)
	_, got, _ := get(t, srv, "/o/html?api_key=root")
	want := `{"a":"&lt;b title=&quot;x&quot;&gt;&amp; &amp; &#39;y&#39;","q":"{\"k\":\"v\"}","s":"com&#46;x &amp;#9647"}`
	if got != want {
		t.Errorf("escaped = %s\nwant      %s", got, want)
	}
	raw := `{"a":"<b title=\"x\">&amp; & 'y'","q":"{\"k\":\"v\"}","s":"com&#46;x &#9647"}`
	if _, got, _ := get(t, srv, "/o/html?api_key=root", "Accept", "application/json;escape=none"); got != raw {
		t.Errorf("asked for raw = %s, want %s", got, raw)
	}
	if _, got, _ := get(t, srv, "/o/html", "Cookie", "sid=nobody; __Host-sid=root"); got != raw {
		t.Errorf("with the cookie that TLS has: got %s, want %s", got, raw)
	}
	if _, got, _ := get(t, srv, "/o/html", "Cookie", "sid=root"); got != raw {
		t.Errorf("with the cookie = %s, want %s", got, raw)
	}
}

func TestBinding(t *testing.T) {
	srv := server(t)
	_, got, _ := get(t, srv, `/o/echo?name=a%20b&n=%207&on=true&args={%22k%22:[1]}&value=v&raw=[1,2]`)
	want := `{"Name":"a b","N":7,"On":true,"Args":{"k":[1]},"Value":{"Text":"v","JSON":null,"Brackets":false},"Raw":[1,2]}`
	if got != want {
		t.Errorf("bound = %s\nwant    %s", got, want)
	}
}

func TestDeclaredTwice(t *testing.T) {
	routes := api.NewRoutes()
	h := func(context.Context, api.Caller, api.None) (any, error) { return 1, nil }
	api.Handle(routes.For("a"), "/o/x", api.Public(), h)
	for name, f := range map[string]func(){
		"same path": func() { api.Handle(routes.For("b"), "/o/x", api.Public(), h) },
		"no access": func() { api.Handle(routes.For("b"), "/o/y", api.Access{}, h) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
