package trackers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// jiraKit is a kit whose server may log in to a fake Jira, and whose app uses it as the wire has it.
func jiraKit(t *testing.T) (*kit, *fakeJira) {
	t.Helper()
	f := newJira(t)
	k := newKit(t, f.URL)
	f.now = k.s.Clock().Now
	v := k.ok("/i/trackers/jira", "address", f.URL+"/jira/", "consumer_key", "quipu", "callback", "https://stats.example.org/q")
	f.trust(v["public_key"].(string))
	return k, f
}

func (k *kit) plugin(args string) {
	k.Helper()
	k.s.Admin("/i/apps/update/plugins", "app_id", k.a.ID, "args", args)
}

// wire calls a value of /i/crashes-jira?method=.
func (k *kit) wire(status int, result, method string, pairs ...string) {
	k.Helper()
	r := k.call("/i/crashes-jira", append([]string{"method", method}, pairs...)...)
	if r.Status != status || r.Body != `{"result":"`+result+`"}` || status != 200 && r.Header.Get("Quipu-Error") == "" {
		k.Errorf("%s %q: %d %s %q, want %d %s", method, pairs, r.Status, r.Body, r.Header.Get("Quipu-Error"), status, result)
	}
}

// login logs the server in as a browser does.
func (k *kit) login(f *fakeJira, pretty ...string) string {
	k.Helper()
	r := k.call("/i/crashes-jira", append([]string{"method", "login"}, pretty...)...)
	to, err := url.Parse(r.Header.Get("Location"))
	if err != nil || r.Status != http.StatusFound || to.Query().Get("oauth_token") != f.request || !strings.HasPrefix(to.String(), f.URL+"/jira/plugins/servlet/oauth/authorize?") {
		k.Fatalf("login: %d %s %s", r.Status, r.Header.Get("Location"), r.Body)
	}
	back := f.grant()
	rest, ok := strings.CutPrefix(back, "https://stats.example.org/q")
	if !ok {
		k.Fatalf("sent back to %s", back)
	}
	return rest
}

func TestWire(t *testing.T) {
	t.Parallel()
	k, f := jiraKit(t)
	const noAccess, noConfig = "Missing access token, please log in to JIRA", "Incomplete jira-crashes app config"
	k.wire(500, noAccess, "check_login")
	k.wire(400, "Missing params", "create")
	k.wire(404, "Could not find crash group", "create", "crashgroup_id", "nope")
	k.wire(500, noConfig, "create", "crashgroup_id", k.group)
	k.wire(404, "Failed to find crashgroup", "sync", "crashgroup_id", "nope")
	k.wire(404, "Failed to find crashgroup jira issue", "sync", "crashgroup_id", k.group)
	k.wire(500, noConfig, "sync")
	k.wire(400, "Invalid method", "nope")
	k.plugin(`{"crashes-jira":{"project":"SHOP","type":"Bug","done-states":["Waiting"],"todo-states":"To Do"}}`)
	k.wire(500, noAccess, "create", "crashgroup_id", k.group)

	back := k.login(f)
	if r := k.s.Get(back[:strings.Index(back, "?")], "method", "callback", "oauth_verifier", f.verifier, "oauth_token", "guessed"); r.Status != 500 || r.Header.Get("Quipu-Error") != "trackers.login_expired" {
		k.Errorf("a token that was guessed: %d %s", r.Status, r.Body)
	}
	if r := k.s.Do(http.MethodGet, back, nil); r.Status != 200 || r.Body != `{"result":"Success"}` {
		k.Fatalf("callback: %d %s", r.Status, r.Body)
	}
	if r := k.s.Do(http.MethodGet, back, nil); r.Status != 500 {
		k.Errorf("the callback counts twice: %d %s", r.Status, r.Body)
	}
	k.wire(200, "Successfully fetched server info", "check_login")
	if r := k.call("/i/crashes-jira/check_login"); r.Status != 200 {
		k.Errorf("the path of its own: %d %s", r.Status, r.Body)
	}
	k.wire(500, "The issue tracker refused the request: The issue type selected is invalid., Summary is invalid.", "create", "crashgroup_id", k.group, "summary", "unwanted")
	k.wire(200, "Success", "create", "crashgroup_id", k.group)
	k.wire(200, "There is already a JIRA issue for this crashgroup", "create", "crashgroup_id", k.group)
	for _, pairs := range [][]string{nil, {"crashgroup_id", k.group}, {"crashgroups", `["` + k.group + `","x"]`}} {
		var list []object
		r := k.call("/o", append([]string{"method", "crashes-jira"}, pairs...)...)
		if r.Status != 200 || !strings.Contains(r.Body, `"issue":{"key":"SHOP-1"}`) || !strings.Contains(r.Body, f.URL+"/jira/browse/SHOP-1") {
			k.Errorf("issues %q: %s %v", pairs, r.Body, list)
		}
	}
	k.wire(200, "Crash is already in sync", "sync", "crashgroup_id", k.group)
	f.change(1, "Waiting")                                                     // done for the app, though in progress for Jira
	k.wire(200, "Succesfully updated crash", "sync", "crashgroup_id", k.group) //nolint:misspell // as the wire has it
	if got := k.state(); got != "resolved" {
		k.Errorf("the group is %s", got)
	}
	k.act("unresolve")
	for method, text := range map[string]string{http.MethodGet: "Failed to get JIRA issue transitions", http.MethodPost: "Failed to transition JIRA issue"} {
		f.answering(func(w http.ResponseWriter, r *http.Request) bool {
			broken := strings.HasSuffix(r.URL.Path, "/transitions") && r.Method == method
			if broken {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return broken
		})
		k.wire(500, text, "sync", "crashgroup_id", k.group)
		k.wire(500, text, "sync")
	}
	f.answering(nil)
	k.wire(200, "Success", "sync", "crashgroup_id", k.group)
	if got := f.issue(1).Status; got != "To Do" {
		k.Errorf("the issue is %s", got)
	}
	k.wire(200, "Success", "sync")

	// The token is for the address and the consumer that it was made for.
	k.ok("/i/trackers/jira", "address", "https://other.example.org", "consumer_key", "quipu", "callback", "https://stats.example.org/q")
	k.wire(500, noAccess, "check_login")
	k.ok("/i/trackers/jira", "address", f.URL+"/jira", "consumer_key", "quipu", "callback", "https://stats.example.org/q")
	k.wire(200, "Successfully fetched server info", "check_login")
	v := k.ok("/i/trackers/jira/logout")
	if v["logged_in"] != false || v["public_key"] == "" {
		k.Errorf("%v", v)
	}
	k.wire(500, noAccess, "check_login")
}

func TestLogin(t *testing.T) {
	t.Parallel()
	k, f := jiraKit(t)
	if r := k.s.Do(http.MethodGet, k.login(f, "pretty_callback", "yes"), nil); r.Status != 302 || r.Header.Get("Location") != "../crashes-jira/login_callback" {
		k.Errorf("pretty: %d %s", r.Status, r.Header.Get("Location"))
	}
	if v := k.ok("/o/trackers/jira"); v["logged_in"] != true || strings.Contains(v["public_key"].(string), "PRIVATE") {
		k.Errorf("%v", v)
	}
	back := k.login(f)
	k.tick(11 * time.Minute)
	if r := k.s.Do(http.MethodGet, back, nil); r.Status != 302 || r.Header.Get("Location") != "?method=login" {
		k.Errorf("late: %d %s %s", r.Status, r.Header.Get("Location"), r.Body)
	}
	if to, _ := k.ok("/i/trackers/jira/login")["url"].(string); !strings.HasPrefix(to, f.URL+"/jira/plugins/servlet/oauth/authorize?oauth_token=") {
		k.Errorf("leads to %s", to)
	}
	// Jira knows another key: the signature is refused.
	f.consumer = "other"
	k.refused(409, "trackers.login_refused", "/i/trackers/jira/login")
	for _, pairs := range [][]string{{"address", "ftp://x"}, {"callback", "nowhere"}, {"consumer_key", ""}, {"consumer_key", "a b"}} {
		base := map[string]string{"address": f.URL, "consumer_key": "quipu", "callback": "https://a.b"}
		base[pairs[0]] = pairs[1]
		k.refused(400, "trackers.bad_settings", "/i/trackers/jira", "address", base["address"], "consumer_key", base["consumer_key"], "callback", base["callback"])
	}
	// An app uses the login of the server by settings of its own, too.
	f.consumer = "quipu"
	k.ok("/i/trackers/settings", "args", `{"tracker":"jira","project":"shop","auth":"oauth","type":"Bug","resolve_groups":true}`)
	if i := k.issue("/i/trackers/create"); i["key"] != "SHOP-1" {
		k.Errorf("%v", i)
	}
}
