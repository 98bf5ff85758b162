package trackers_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/modules/trackers"
	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// kit is a server with an app that has a crash group.
type kit struct {
	*testing.T
	s     *testkit.Server
	a     testkit.TestApp
	group string
	at    time.Time
	h     *trackers.Handle
}

func newKit(t *testing.T, hosts ...string) *kit {
	t.Helper()
	for i := range hosts {
		hosts[i] = strings.TrimPrefix(hosts[i], "http://")
	}
	h := &trackers.Handle{}
	s := testkit.New(t, testkit.At(start), testkit.WithModules(h.Watched), testkit.WithConfig(func(c *app.Config) {
		c.Modules = map[string]any{"trackers": map[string]any{"allow_hosts": hosts, "timeout": "400ms"}}
		c.Log.Level = "debug"
	}))
	k := &kit{T: t, s: s, a: s.CreateApp("shop", "UTC"), at: start, h: h}
	k.group = k.crash("IllegalStateException: cart is empty ``` {noformat}", "1.0")
	return k
}

// tick lets time pass.
func (k *kit) tick(d time.Duration) { k.at = k.at.Add(d); k.s.Clock().Set(k.at) }

// crash reports a crash and returns its group.
func (k *kit) crash(text, version string) string {
	k.Helper()
	k.tick(time.Minute)
	k.s.Ingest(k.a, "d1", "timestamp", fmt.Sprint(k.at.UnixMilli()), "crash", fmt.Sprintf(`{"_error":%q,"_os":"Android","_app_version":%q}`, text+"\n\tat Cart.pay(Cart.java:12)", version))
	k.s.Flush()
	for _, r := range k.groups() {
		if strings.HasPrefix(r["error"].(string), text[:10]) {
			return r["_id"].(string)
		}
	}
	k.Fatalf("no group")
	return ""
}

func (k *kit) groups() []object {
	k.Helper()
	var out struct{ AaData []object }
	testkit.Decode(k, k.s.Admin("/o", "method", "crashes", "app_id", k.a.ID), &out)
	return out.AaData
}

// state is "open", "resolving" or "resolved".
func (k *kit) state() string {
	k.Helper()
	for _, g := range k.groups() {
		if g["_id"] == k.group {
			switch {
			case g["is_resolved"] == true:
				return "resolved"
			case g["is_resolving"] == true:
				return "resolving"
			}
			return "open"
		}
	}
	return "gone"
}

func (k *kit) act(name string) {
	k.Helper()
	k.s.Admin("/i/crashes/"+name, "app_id", k.a.ID, "args", `{"crash_id":"`+k.group+`"}`)
}

func (k *kit) call(path string, pairs ...string) testkit.Response {
	k.Helper()
	return k.s.Post(path, append([]string{"api_key", k.s.Key, "app_id", k.a.ID}, pairs...)...)
}

// ok calls and returns the answer of a success.
func (k *kit) ok(path string, pairs ...string) object {
	k.Helper()
	r := k.call(path, pairs...)
	out := object{}
	if r.Status != http.StatusOK {
		k.Fatalf("%s %q: %d %s", path, pairs, r.Status, r.Body)
	}
	testkit.Decode(k, r.Body, &out)
	return out
}

func (k *kit) issue(path string, pairs ...string) object {
	k.Helper()
	i, _ := k.ok(path, append([]string{"group", k.group}, pairs...)...)["issue"].(object)
	return i
}

// refused calls and wants a fault.
func (k *kit) refused(status int, code, path string, pairs ...string) testkit.Response {
	k.Helper()
	r := k.call(path, pairs...)
	if r.Status != status || r.Header.Get("Quipu-Error") != code {
		k.Errorf("%s %q: %d %s %s, want %d %s", path, pairs, r.Status, r.Header.Get("Quipu-Error"), r.Body, status, code)
	}
	return r
}

// run is a turn of the job.
func (k *kit) run() {
	k.Helper()
	if err := k.h.Sync(k.Context()); err != nil {
		k.Error(err)
	}
}

func (k *kit) set(tracker, address, more string) {
	k.Helper()
	k.ok("/i/trackers/settings", "args", fmt.Sprintf(
		`{"tracker":%q,"address":%q,"token":%q,"labels":["crash"],"resolve_groups":true,"reopen_groups":true,"close_issues":true,"reopen_issues":true,%s}`, tracker, address, secretToken, more))
}

// shop is one tracker with the project that the fakes have.
type shop struct {
	name         string
	make         func(t *testing.T) *fake
	settings     string
	below        string // path of the site
	open, closed string
	key, url     string
}

func shops() []shop {
	return []shop{
		{"github", newGitHub, `"project":"acme/shop","auth":"token"`, "", "open", "closed", "1", "/acme/shop/issues/1"},
		{"gitlab", newGitLab, `"project":"acme/mobile/shop","auth":"token"`, "", "opened", "closed", "1", "/acme/mobile/shop/-/issues/1"},
		{"jira", func(t *testing.T) *fake { t.Helper(); return newJira(t).fake }, `"project":"SHOP","auth":"basic","user":"dev@example.org","type":"Bug"`, "/jira", "To Do", "Shipped", "SHOP-1", "/jira/browse/SHOP-1"},
	}
}

func each(t *testing.T, fn func(k *kit, f *fake, s shop)) {
	t.Helper()
	for _, s := range shops() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			f := s.make(t)
			k := newKit(t, f.URL)
			k.set(s.name, f.URL+s.below, s.settings)
			fn(k, f, s)
		})
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	each(t, func(k *kit, f *fake, s shop) {
		k.ok("/i/trackers/check")
		draft := k.ok("/o/trackers/draft", "group", k.group, "address", "https://stats.example.org/q/")
		for _, want := range []string{"https://stats.example.org/q/dashboard/apps/" + k.a.ID + "/crashes/" + k.group, "Cart.pay(Cart.java:12)", "Reports: 1", "Users: 1", "1.0"} {
			if !strings.Contains(draft["text"].(string), want) {
				k.Errorf("draft lacks %q:\n%s", want, draft["text"])
			}
		}
		if s.name == "jira" && strings.Count(draft["text"].(string), "{noformat") != 2 || s.name != "jira" && !strings.Contains(draft["text"].(string), "\n````\n") {
			k.Errorf("the stack leaves its block:\n%s", draft["text"])
		}
		i := k.issue("/i/trackers/create")
		if i["key"] != s.key || i["url"] != f.URL+s.url || i["state"] != "open" || i["tracker"] != s.name {
			k.Errorf("%v", i)
		}
		if got := f.issue(1); got.Title != draft["title"] || !strings.Contains(got.Text, "Cart.pay") || !strings.Contains(got.Labels, "crash") {
			k.Errorf("made %+v", got)
		}
		var detail object
		testkit.Decode(k, k.s.Admin("/o", "method", "crashes", "app_id", k.a.ID, "group", k.group), &detail)
		if d, _ := detail["issue"].(object); d["key"] != s.key {
			k.Errorf("detail has %v", detail["issue"])
		}
		k.refused(409, "trackers.linked", "/i/trackers/create", "group", k.group)
		k.refused(409, "trackers.linked", "/i/trackers/link", "group", k.group, "issue", "1")
		if f.count("POST") != 1 {
			k.Errorf("%d issues were made", f.count("POST"))
		}
		k.ok("/i/trackers/unlink", "group", k.group)
		k.refused(404, "trackers.not_linked", "/i/trackers/unlink", "group", k.group)
		r := k.refused(400, "trackers.refused", "/i/trackers/create", "group", k.group, "title", "unwanted", "text", "own text")
		if !strings.Contains(r.Body, "invalid") && !strings.Contains(r.Body, "too long") {
			k.Errorf("what the tracker says is lost: %s", r.Body)
		}
		i = k.issue("/i/trackers/create", "title", "own title", "text", "own text")
		if got := f.issue(2); i["title"] != "own title" || got.Title != "own title" || !strings.HasPrefix(got.Text, "own text\n\n") {
			k.Errorf("made %+v, %v", got, i)
		}
		k.act("delete")
		if i, _ := k.ok("/o/trackers/issue", "group", k.group)["issue"].(object); i != nil {
			k.Errorf("a deleted group has %v", i)
		}
	})
}

func TestLink(t *testing.T) {
	t.Parallel()
	each(t, func(k *kit, f *fake, s shop) {
		f.add("old one", s.closed)
		for _, ref := range []string{f.URL + s.url, "1", "#1", s.key, f.URL + s.url + "/"} {
			if s.name == "jira" && ref == "#1" {
				continue
			}
			if i := k.issue("/i/trackers/link", "issue", ref); i["key"] != s.key || i["state"] != "done" || i["title"] != "old one" {
				k.Errorf("%s: %v", ref, i)
			}
			k.ok("/i/trackers/unlink", "group", k.group)
		}
		for _, ref := range []string{"https://elsewhere.example.org" + s.url, f.URL + "/other/project/issues/1", "OTHER-1", "-1", "0", "x", "1/../2", strings.Repeat("9", 30), "\x00", f.URL + s.url + "/../2"} {
			if r := k.call("/i/trackers/link", "group", k.group, "issue", ref); r.Status != 400 {
				k.Errorf("%q: %d %s", ref, r.Status, r.Body)
			}
		}
		k.refused(404, "trackers.no_issue", "/i/trackers/link", "group", k.group, "issue", "99")
		k.refused(404, "trackers.no_group", "/i/trackers/link", "group", "nope", "issue", "1")
		if s.name == "github" {
			k.refused(400, "trackers.pull_request", "/i/trackers/link", "group", k.group, "issue", "77")
		}
		// An issue that is there decides nothing until one of the two changes.
		k.issue("/i/trackers/link", "issue", "1")
		k.issue("/i/trackers/sync")
		if got := k.state(); got != "open" {
			k.Errorf("the group is %s", got)
		}
	})
}

func TestSync(t *testing.T) {
	t.Parallel()
	each(t, func(k *kit, f *fake, s shop) {
		k.issue("/i/trackers/create")
		want := func(when, group, issue string) {
			k.Helper()
			if got := k.state(); got != group {
				k.Errorf("%s: the group is %s, want %s", when, got, group)
			}
			if got := f.issue(1).Status; got != issue {
				k.Errorf("%s: the issue is %s, want %s", when, got, issue)
			}
		}
		f.change(1, s.closed)
		k.run()
		want("before its turn", "open", s.closed)
		k.tick(6 * time.Minute)
		k.run()
		want("issue closed", "resolved", s.closed)
		k.tick(6 * time.Minute)
		k.run()
		want("nothing", "resolved", s.closed)
		k.act("unresolve")
		k.run() // decisions do not wait
		want("group opened", "open", s.open)
		k.act("resolve")
		k.run()
		want("group resolved", "resolved", s.closed)
		f.change(1, s.open)
		if i := k.issue("/i/trackers/sync"); i["state"] != "open" {
			k.Errorf("%v", i)
		}
		want("issue reopened", "open", s.open)
		k.act("resolve")
		k.run()
		if k.crash("IllegalStateException: cart is empty ``` {noformat}", "2.0") != k.group {
			k.Error("another group")
		}
		k.tick(6 * time.Minute)
		k.run()
		want("crash came back", "open", s.open)
		if i := k.issue("/i/trackers/state", "state", "done"); i["state"] != "done" {
			k.Errorf("%v", i)
		}
		want("closed by hand", "resolved", s.closed)
		changes := f.count("PATCH") + f.count("PUT") + f.count("POST")
		for range 10 {
			k.tick(6 * time.Minute)
			k.run()
		}
		if n := f.count("PATCH") + f.count("PUT") + f.count("POST"); n != changes {
			k.Errorf("%d changes while nothing happened", n-changes)
		}
		if s.name == "jira" {
			f.change(1, "In Progress")
			k.issue("/i/trackers/sync")
			want("in progress", "resolving", "In Progress")
			k.act("resolve")
			k.run()
			k.act("unresolve")
			k.act("resolving")
			k.run()
			want("resolving", "resolving", "In Progress")
		} else {
			k.refused(409, "trackers.no_transition", "/i/trackers/state", "group", k.group, "state", "doing")
		}
		// Directions that are off.
		k.set(s.name, f.URL+s.below, s.settings+`,"resolve_groups":false,"close_issues":false,"reopen_groups":false,"reopen_issues":false`)
		k.issue("/i/trackers/state", "state", "open")
		before := k.state()
		k.act("resolve")
		k.run()
		want("closing is off", "resolved", s.open)
		k.act("unresolve")
		k.run()
		f.change(1, s.closed)
		k.issue("/i/trackers/sync")
		want("resolving is off ("+before+" before)", "open", s.closed)
	})
}

func TestNotSetUp(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, path := range []string{"/i/trackers/check", "/i/trackers/create", "/i/trackers/link", "/o/trackers/draft", "/i/trackers/remove"} {
		k.refused(409, "trackers.not_set_up", path, "group", k.group, "issue", "1")
	}
	for _, path := range []string{"/i/trackers/sync", "/i/trackers/unlink", "/i/trackers/state"} {
		k.refused(404, "trackers.not_linked", path, "group", k.group, "state", "done")
	}
	k.refused(409, "trackers.not_set_up", "/i/trackers/jira/login")
	if got := k.ok("/o/trackers")["set_up"]; got != false {
		k.Errorf("set up: %v", got)
	}
	args := func(more string) string {
		return `{"tracker":"github","address":"https://github.com","project":"acme/shop","auth":"token","token":"t",` + more + `}`
	}
	for name, text := range map[string]string{
		"unknown tracker": args(`"tracker":"trello"`), "unknown field": args(`"x":1`), "no JSON": `{`, "project": args(`"project":"acme/shop/../../user"`), "dots": args(`"project":"acme/.."`),
		"credentials": args(`"address":"https://u:p@github.com"`), "scheme": args(`"address":"file:///etc/passwd"`), "token": args(`"token":"a\r\nX: y"`), "no token": args(`"token":""`),
		"basic": args(`"auth":"basic"`), "labels": args(`"labels":["a,b"]`), "list": `[]`, "Jira without type": `{"tracker":"jira","address":"https://a.b","project":"SHOP","auth":"token","token":"t"}`,
	} {
		if r := k.call("/i/trackers/settings", "args", text); r.Status != 400 {
			k.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
}

// TestSecrets looks for tokens wherever they do not belong.
func TestSecrets(t *testing.T) {
	t.Parallel()
	f := newGitHub(t)
	k := newKit(t, f.URL)
	k.set("github", f.URL, `"project":"acme/shop","auth":"token"`)
	k.issue("/i/trackers/create")
	if v := k.ok("/o/trackers"); v["has_token"] != true || strings.Contains(fmt.Sprint(v), secretToken) {
		k.Errorf("%v", v)
	}
	keep := `{"tracker":"github","address":%q,"project":"acme/shop","auth":"token"}`
	k.ok("/i/trackers/settings", "args", fmt.Sprintf(keep, f.URL))
	k.ok("/i/trackers/check")
	k.refused(400, "trackers.bad_settings", "/i/trackers/settings", "args", fmt.Sprintf(keep, "https://attacker.example.org"))
	k.refused(400, "trackers.bad_settings", "/i/trackers/settings", "args", `{"tracker":"gitlab","address":"`+f.URL+`","project":"acme/shop","auth":"token"}`)
	for _, path := range []string{"/o/systemlogs", "/o/apps/details"} {
		if strings.Contains(k.call(path).Body, secretToken) {
			k.Errorf("%s shows the token", path)
		}
	}
	if log := k.call("/o", "method", "systemlogs", "query", "{}").Body; !strings.Contains(log, "trackers_settings") || !strings.Contains(log, "trackers_create") {
		k.Errorf("the audit log lacks entries: %.2000s", log)
	}
	look := func() {
		k.Helper()
		_ = filepath.WalkDir(k.s.Data(), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), secretToken) {
					k.Errorf("%s has the token", path)
				}
			}
			return nil
		})
	}
	look()
	k.ok("/i/trackers/remove")
	k.refused(409, "trackers.not_set_up", "/i/trackers/create", "group", k.group)
	k.refused(409, "trackers.not_set_up", "/i/trackers/sync", "group", k.group)
	k.set("github", f.URL, `"project":"acme/shop","auth":"token"`)
	k.s.Admin("/i/apps/delete", "args", `{"app_id":"`+k.a.ID+`"}`)
	if n, err := k.h.Held(k.Context()); err != nil || n != 0 {
		k.Errorf("%d documents are left of a deleted app, %v", n, err)
	}
	k.s.Stop()
	look()
}

// TestTenants asks for groups and issues of another app.
func TestTenants(t *testing.T) {
	t.Parallel()
	f := newGitHub(t)
	k := newKit(t, f.URL)
	k.set("github", f.URL, `"project":"acme/shop","auth":"token"`)
	k.issue("/i/trackers/create")
	other := k.s.CreateApp("other", "UTC")
	k.a = other
	k.set("github", f.URL, `"project":"acme/shop","auth":"token"`)
	for _, path := range []string{"/i/trackers/create", "/i/trackers/link", "/o/trackers/draft"} {
		k.refused(404, "trackers.no_group", path, "group", k.group, "issue", "1")
	}
	for _, path := range []string{"/i/trackers/unlink", "/i/trackers/sync", "/i/trackers/state"} {
		k.refused(404, "trackers.not_linked", path, "group", k.group, "state", "done")
	}
	if i := k.ok("/o/trackers/issue", "group", k.group)["issue"]; i != nil {
		k.Errorf("the issue of another app: %v", i)
	}
	if got := k.call("/o", "method", "crashes-jira", "crashgroup_id", k.group).Body; got != "[]" {
		k.Errorf("issues of another app: %s", got)
	}
}
