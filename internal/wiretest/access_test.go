package wiretest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// standing is what a member is to the app that a request names.
type standing int

const (
	stranger   standing = iota // no app at all, or others only
	exactly                    // user of the app, with the right that the route asks for and no other
	otherwise                  // user of the app, with every right but the one
	appAdmin                   // administrator of the app
	everywhere                 // global administrator
)

// credential is how a request says who it is from.
type credential int

const (
	none credential = iota
	badKey
	key
	goodToken
	badToken // expired, used up, of another app or another endpoint
	page     // session cookie with the CSRF token
	forged   // session cookie alone
)

// caller is one kind of caller: what it is and how it says so.
type caller struct {
	name       string
	credential credential
	standing   standing
	locked     bool
	ofApps     bool // a token of apps
	// ask adds the credentials to a request.
	ask func(r route) (params, header []string)
}

// refusals of access, by status and text (wire.md 6.1).
type refusal struct {
	status int
	result string
}

var (
	refusedMissing = refusal{400, `Missing parameter "api_key" or "auth_token"`}
	refusedKey     = refusal{401, "User does not exist"}
	refusedToken   = refusal{400, "Token not valid"}
	refusedLocked  = refusal{401, "User is locked"}
	refusedForged  = refusal{403, "The page is out of date, reload it"}
	refusedRight   = refusal{401, "User does not have right"}
	refusedNoApp   = refusal{401, "No app_id provided"}
	refusedPlain   = refusal{400, "No app_id provided"}
	refusedNeedApp = refusal{400, `Missing parameter "app_id"`}
	refusedBadApp  = refusal{400, `Invalid parameter "app_id"`}
	refusedNewApp  = refusal{401, "App does not exist"}
	refusedEarly   = refusal{401, "Missing parameter app_id"}
	admitted       = refusal{}
)

// expected is the rule: what a route must answer a caller that names an app
// there is, from nothing but the route's declared access.
func expected(r route, c caller) refusal {
	if r.level == "public" {
		return admitted
	}
	switch c.credential {
	case none:
		return refusedMissing
	case badKey:
		return refusedKey
	case badToken:
		return refusedToken
	case forged:
		if r.changes() {
			return refusedForged
		}
	case key, goodToken, page:
	}
	if c.ofApps && !r.forTokensOfApps() {
		return refusedToken
	}
	if c.locked {
		return refusedLocked
	}
	enough := map[string][]standing{
		"member":       {stranger, exactly, otherwise, appAdmin, everywhere},
		"feature":      {exactly, appAdmin, everywhere},
		"app_user":     {exactly, otherwise, appAdmin, everywhere},
		"app_admin":    {appAdmin, everywhere},
		"global_admin": {everywhere},
	}
	if slices.Contains(enough[r.level], c.standing) {
		return admitted
	}
	return refusedRight
}

// expectedApp is the rule for the app id: what a route must answer a key that
// may do everything, or nothing, to an app id that is missing, malformed or unknown.
func expectedApp(r route, global bool, id string) refusal {
	if r.app == "" || r.level == "public" {
		if !global && r.level == "global_admin" {
			return refusedRight
		}
		return admitted
	}
	if id == "" && earlyApp(r) {
		return refusedEarly
	}
	left := refusedRight // of a member who may nothing, where the route answers for the id itself
	if global {
		left = admitted
	}
	switch {
	case id == noID:
		return refusedBadApp
	case id == unknownID && r.app == "args.app_id":
		return left
	case id == unknownID:
		return refusedNewApp
	}
	switch r.app {
	case "app_id", "app_id before credentials":
		return refusedNeedApp
	case "app_id or 401":
		return refusedNoApp
	case "app_id or 400":
		return refusedPlain
	case "args.app_id":
		return left
	case "app_id optional":
		if global {
			return admitted
		}
		return refusedNoApp
	}
	return refusal{status: -1, result: "no rule for " + r.app}
}

// troubles are the answers above 499 that the wire has for a request that was admitted.
var troubles = []refusal{
	{503, wrong("Failed")},                               // /o/email_test without a mail server
	{500, `{"result":false}`},                            // /o/system/healthcheck without conditions that hold
	{500, wrong("Error getting presets")},                // /o/date_presets/getAll when there are none
	{500, wrong("Could not find preset")},                // /o/date_presets/getById, and those below /i
	{500, wrong("Invalid template id.")},                 // /i/populator/templates/remove without one
	{500, wrong("Invalid paramerer 'data'")},             // /i/flows/updateDisabled without data
	{500, wrong("You should provide widget ids array.")}, // /o/feedback/multiple-widgets-by-id without them

	// /i/crashes-jira before Jira is set up
	{500, wrong("Failed to generate oauth object: No issue tracker is set up for the app")},
	{500, wrong("Missing access token, please log in to JIRA")},
	{500, wrong("Failed to find JIRA access token")},
	{500, wrong("Incomplete jira-crashes app config")},
}

// check compares an answer with what was expected.
func check(t *testing.T, what string, r testkit.Response, want refusal) {
	t.Helper()
	if want != admitted {
		if r.Status != want.status || r.Body != wrong(want.result) {
			t.Errorf("%s: %d %s, want %d %s", what, r.Status, r.Body, want.status, want.result)
		}
		return
	}
	for _, no := range []refusal{refusedMissing, refusedKey, refusedToken, refusedLocked, refusedForged, refusedRight, refusedNoApp} {
		if r.Body == wrong(no.result) {
			t.Errorf("%s: %d %s, want it admitted", what, r.Status, r.Body)
		}
	}
	if r.Status >= 500 && !slices.Contains(troubles, refusal{r.Status, r.Body}) {
		t.Errorf("%s: %d %s", what, r.Status, r.Body)
	}
}

// early are the parameters that some routes check before the credentials.
func early() map[string][]string {
	return map[string][]string{
		"/i/populator/templates/create":   {"name", "t", "uniqueUserCount", "5", "platformType", `["Web"]`},
		"/i/populator/environment/save":   {"users", "[]"},
		"/o/populator/environment/get":    {"environment_id", "e", "template_id", unknownID},
		"/o/populator/environment/remove": {"environment_id", "e", "template_id", unknownID},
	}
}

// earlyApp reports whether the app id is among them.
func earlyApp(r route) bool { return r.path == "/o/populator/environment/get" }

// naming returns the parameters that make a request of a route name an app.
func naming(t *testing.T, r route, app string) []string {
	t.Helper()
	pairs := slices.Clone(early()[r.path])
	if r.method != "" {
		pairs = append(pairs, "method", r.method)
	}
	if app == "" {
		return pairs
	}
	if r.app == "args.app_id" {
		return append(pairs, "args", text(t, map[string]string{"app_id": app}))
	}
	return append(pairs, "app_id", app)
}

// at fills the {names} of a route's path.
func at(r route) string {
	if before, _, ok := strings.Cut(r.path, "{"); ok {
		return before + "nothing"
	}
	return r.path
}

func withKey(k string) func(route) ([]string, []string) {
	return func(route) ([]string, []string) { return []string{"api_key", k}, nil }
}

// TestWalkAccess walks every route with every kind of caller.
func TestWalkAccess(t *testing.T) { //nolint:tparallel // the subtests share one server, in order
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("shop", "UTC"), s.CreateApp("rival", "UTC")
	list := routes(t)
	for _, c := range callers(t, s, list, a, b) {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range list {
				params, header := c.ask(r)
				params = append(naming(t, r, a.ID), params...)
				got := s.Do(http.MethodGet, at(r)+"?"+testkit.Query(params...), nil, header...)
				check(t, r.name(), got, expected(r, c))
			}
		})
	}
}

// callers are all kinds of callers.
func callers(t *testing.T, s *testkit.Server, list []route, a, b testkit.TestApp) []caller {
	t.Helper()
	someone := func(name string, p map[string]any) member {
		return createMember(t, s, name, map[string]any{"permission": p})
	}
	locked := createMember(t, s, "locked", map[string]any{"permission": permission([]string{a.ID}, nil, nil)})
	root := createMember(t, s, "root", map[string]any{"global_admin": true})
	admin := someone("admin_a", permission([]string{a.ID}, nil, nil))
	out := []caller{
		{name: "nobody", ask: func(route) ([]string, []string) { return nil, nil }},
		{name: "empty key", ask: withKey("")},
		{name: "wrong key", credential: badKey, ask: withKey("0123456789abcdef0123456789abcdef")},
		{name: "app key alone", ask: func(route) ([]string, []string) { return []string{"app_key", a.Key}, nil }},
		{name: "app key as api key", credential: badKey, ask: withKey(a.Key)},
		{name: "app key as token", credential: badToken, ask: func(route) ([]string, []string) { return []string{"auth_token", a.Key}, nil }},
		{name: "locked administrator", credential: key, standing: appAdmin, locked: true, ask: withKey(locked.key)},
		{name: "member without apps", credential: key, ask: withKey(someone("bare", map[string]any{}).key)},
		{name: "user of another app", credential: key, ask: withKey(someone("user_b", everything(b.ID)).key)},
		{name: "administrator of another app", credential: key, ask: withKey(someone("admin_b", permission([]string{b.ID}, nil, nil)).key)},
		{
			name: "rights without membership", credential: key, ask: withKey(someone("outside", map[string]any{
				"r": map[string]any{a.ID: map[string]any{"all": true}}, "c": map[string]any{a.ID: map[string]any{"all": true}},
			}).key),
		},
		{name: "administrator of the app", credential: key, standing: appAdmin, ask: withKey(admin.key)},
		{name: "global administrator", credential: key, standing: everywhere, ask: withKey(root.key)},
	}
	out = append(out, users(t, s, list, a)...)
	out = append(out, tokenHolders(t, s, root, admin, a, b)...)

	pages := map[string]session{"admin_a": signIn(t, s, "admin_a", password), "root": signIn(t, s, "root", password)}
	for name, st := range map[string]standing{"admin_a": appAdmin, "root": everywhere} {
		p := pages[name]
		out = append(out,
			caller{name: "page of " + name, credential: page, standing: st, ask: func(route) ([]string, []string) {
				return nil, []string{"Cookie", p.cookie, "X-Csrf-Token", p.csrf}
			}},
			caller{name: "page of " + name + " without token", credential: forged, standing: st, ask: func(route) ([]string, []string) {
				return nil, []string{"Cookie", p.cookie}
			}},
			caller{name: "page of " + name + " with another's token", credential: forged, standing: st, ask: func(route) ([]string, []string) {
				other := pages[map[string]string{"admin_a": "root", "root": "admin_a"}[name]]
				return nil, []string{"Cookie", p.cookie, "X-Csrf-Token", other.csrf}
			}},
			caller{name: "page of " + name + " beside a wrong key", credential: badKey, standing: st, ask: func(route) ([]string, []string) {
				return []string{"api_key", "no such key"}, []string{"Cookie", p.cookie, "X-Csrf-Token", p.csrf}
			}},
		)
	}
	// Locking comes last: a token of the member must outlive it.
	held := createToken(t, s, locked.key)
	s.Admin("/i/users/update", "args", text(t, map[string]any{"user_id": locked.id, "locked": true}))
	return append(out, caller{
		name: "token of a locked member", credential: goodToken, standing: appAdmin, locked: true,
		ask: func(route) ([]string, []string) { return []string{"auth_token", held}, nil },
	})
}

// users are members with the one right that a route asks for, and with all but that one.
func users(t *testing.T, s *testkit.Server, list []route, a testkit.TestApp) []caller {
	t.Helper()
	type right struct{ action, feature string }
	letter := map[string]string{"create": "c", "read": "r", "update": "u", "delete": "d"}
	features := map[string]bool{}
	for _, r := range list {
		for _, f := range r.features() {
			features[f] = true
		}
	}
	with, without := map[right]member{}, map[right]member{}
	for _, r := range list {
		need := right{letter[r.action], r.feature}
		if _, known := with[need]; known {
			continue
		}
		rules := map[string]map[string]any{}
		for _, action := range []string{"c", "r", "u", "d"} {
			allowed := map[string]bool{}
			for f := range features {
				allowed[f] = action != need.action || !slices.Contains(r.features(), f)
			}
			rules[action] = map[string]any{a.ID: map[string]any{"all": false, "allowed": allowed}}
		}
		name := "_" + need.action + "_" + strings.ReplaceAll(need.feature, "|", "_or_")
		without[need] = createMember(t, s, "without"+name, map[string]any{"permission": permission(nil, []string{a.ID}, rules)})
		only := map[string]map[string]any{}
		if need.feature != "" {
			only[need.action] = map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{r.features()[0]: true}}}
		}
		with[need] = createMember(t, s, "with"+name, map[string]any{"permission": permission(nil, []string{a.ID}, only)})
	}
	of := func(m map[right]member) func(route) ([]string, []string) {
		return func(r route) ([]string, []string) {
			return []string{"api_key", m[right{letter[r.action], r.feature}].key}, nil
		}
	}
	return []caller{
		{name: "user with the right", credential: key, standing: exactly, ask: of(with)},
		{name: "user with every other right", credential: key, standing: otherwise, ask: of(without)},
	}
}

// tokenHolders are callers with a token, by parameter and by both headers.
func tokenHolders(t *testing.T, s *testkit.Server, root, admin member, a, b testkit.TestApp) []caller {
	t.Helper()
	free, adminFree := createToken(t, s, root.key), createToken(t, s, admin.key)
	expired := createToken(t, s, root.key, "ttl", "1")
	s.Clock().Set(noon.Add(2 * time.Second))
	const ofApp = "of the app"
	fixed := func(token string) func(route) string { return func(route) string { return token } }
	holders := []struct {
		name     string
		good     bool
		standing standing
		token    func(r route) string
		costly   bool // a token for each route: sent in one of the ways only
	}{
		{"unscoped", true, everywhere, fixed(free), false},
		{"unscoped of an administrator", true, appAdmin, fixed(adminFree), false},
		{ofApp, true, everywhere, fixed(createToken(t, s, root.key, "apps", a.ID)), false},
		{ofApp + " and another", true, everywhere, fixed(createToken(t, s, root.key, "apps", a.ID+","+b.ID)), false},
		{ofApp + ", of an administrator", true, appAdmin, fixed(createToken(t, s, admin.key, "apps", a.ID)), false},
		{"of another app", false, everywhere, fixed(createToken(t, s, root.key, "apps", b.ID)), false},
		{"of another endpoint", false, everywhere, fixed(createToken(t, s, root.key, "endpoint", "^/o/nowhere")), false},
		{"of another parameter", false, everywhere, fixed(createToken(t, s, root.key, "endpointquery", `[{"endpoint":"/","params":{"x":"y"}}]`)), false},
		{"expired", false, everywhere, fixed(expired), false},
		{"unknown", false, everywhere, fixed(strings.Repeat("0", 40)), false},
		{"of the endpoint", true, everywhere, func(r route) string { return createToken(t, s, root.key, "endpoint", "^"+at(r)+"$") }, true},
		{"used once", true, everywhere, func(route) string { return createToken(t, s, root.key, "multi", "false") }, true},
		{"used twice", false, everywhere, func(route) string {
			once := createToken(t, s, root.key, "multi", "false")
			if r := s.Get("/o/apps/mine", "auth_token", once); r.Status != http.StatusOK {
				t.Errorf("first use of a token for one: %d %s", r.Status, r.Body)
			}
			return once
		}, true},
	}
	ways := []struct {
		name string
		send func(token string) (params, header []string)
	}{
		{"auth_token", func(token string) ([]string, []string) { return []string{"auth_token", token}, nil }},
		{"service-token", func(token string) ([]string, []string) { return nil, []string{"service-token", token} }},
		{"countly-token", func(token string) ([]string, []string) { return nil, []string{"countly-token", token} }},
	}
	var out []caller
	for _, h := range holders {
		for i, w := range ways {
			c := caller{name: h.name + " by " + w.name, credential: badToken, standing: h.standing, ofApps: strings.HasPrefix(h.name, ofApp)}
			if h.good {
				c.credential = goodToken
			}
			c.ask = func(r route) ([]string, []string) {
				way := w
				if h.costly {
					way = ways[(i+len(r.name()))%len(ways)]
				}
				// A valid token wins over a wrong key; nothing saves an invalid one.
				params, header := way.send(h.token(r))
				return append(params, "api_key", "no such key"), header
			}
			if !h.costly || i == 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// TestAppID walks every route with app ids that are missing, malformed and unknown.
func TestAppID(t *testing.T) {
	t.Parallel()
	s := server(t)
	bare := createMember(t, s, "bare", nil)
	for _, r := range routes(t) {
		for name, id := range map[string]string{"missing": "", "malformed": noID, "unknown": unknownID} {
			for _, global := range []bool{true, false} {
				k, who := bare.key, "member"
				if global {
					k, who = s.Key, "global administrator"
				}
				got := s.Get(at(r), append(naming(t, r, id), "api_key", k)...)
				check(t, r.name()+", "+name+" app_id, "+who, got, expectedApp(r, global, id))
			}
			// Without credentials only the routes that say so look at the app first.
			want := refusedMissing
			if r.level == "public" {
				want = admitted
			} else if id == "" && r.app == "app_id before credentials" {
				want = refusedNeedApp
			} else if id == "" && earlyApp(r) {
				want = refusedEarly
			}
			check(t, r.name()+", "+name+" app_id, nobody", s.Get(at(r), naming(t, r, id)...), want)
		}
	}
}

// TestRuleRefuses shows that check tells right from wrong answers.
func TestRuleRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		got  testkit.Response
		want refusal
	}{
		"let in":       {testkit.Response{Status: 200, Body: `{}`}, refusedRight},
		"kept out":     {testkit.Response{Status: 401, Body: wrong("User does not have right")}, admitted},
		"other status": {testkit.Response{Status: 403, Body: wrong("User does not have right")}, refusedRight},
		"broken":       {testkit.Response{Status: 500, Body: wrong("Internal error, incident 0")}, admitted},
	} {
		probe := &testing.T{}
		check(probe, name, c.got, c.want)
		if !probe.Failed() {
			t.Errorf("%s: the check accepts %d %s", name, c.got.Status, c.got.Body)
		}
	}
}
