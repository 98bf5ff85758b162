package wiretest_test

import (
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// things are what belongs to an app and may be asked for by name.
type things struct {
	app, device, event, segment, group, note, member, token string
}

// rivalSecrets never stand in a request, so they may not stand in an answer either.
var rivalSecrets = []string{"rival", "Rivalia"}

// fillRival puts something into every place of an app, and returns its names.
func fillRival(t *testing.T, s *testkit.Server, b testkit.TestApp) things {
	t.Helper()
	s.Ingest(b, "their-device", "begin_session", "1", "timestamp", "1936526400000",
		"metrics", `{"_os":"rivalOS","_device":"rival phone","_carrier":"rival net","_locale":"rival_XX","_store":"rival.store","_browser":"rival browser"}`,
		"events", `[{"key":"their-event","sum":4,"segmentation":{"their-segment":"rival value","rival segment":"x"}},{"key":"rival event"}]`,
		"user_details", `{"name":"rival person","custom":{"rival property":"rival value"}}`, "city", "Rivalia", "country_code", "ES")
	s.Flush()
	s.Admin("/i/event_groups/create", "args", `{"app_id":"`+b.ID+`","name":"rival group","source_events":["their-event"],"status":true}`)
	s.Admin("/i/notes/save", "args", `{"app_id":"`+b.ID+`","note":"rival note","ts":1936526400000,"noteType":"public"}`)
	s.Admin("/i/apps/update/plugins", "app_id", b.ID, "args", `{"rival":{"state":"rival"}}`)
	s.Admin("/i/events/edit_map", "app_id", b.ID, "event_map", `{"their-event":{"name":"rival label"}}`, "event_order", `["rival event"]`)
	m := createMember(t, s, "rival_member", map[string]any{"permission": everything(b.ID)})
	var groups []struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o", "app_id", b.ID, "method", "get_event_groups"), &groups)
	var notes struct {
		Rows []struct {
			ID string `json:"_id"`
		} `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o/notes", "app_id", b.ID), &notes)
	return things{
		app: b.ID, device: "their-device", event: "their-event", segment: "their-segment", group: groups[0].ID, note: notes.Rows[0].ID,
		member: m.id, token: createToken(t, s, m.key),
	}
}

// asking are the ways to ask a route for things in the name of an app that is
// the caller's own.
func asking(r route, own string, x things) [][]string {
	args := `{"app_id":"` + own + `","_id":"` + x.group + `","user_id":"` + x.member + `","user_ids":["` + x.member + `"],"note":"mine"}`
	base := []string{"app_id", own}
	if r.method != "" {
		base = append(base, "method", r.method)
	}
	plus := func(pairs ...string) []string { return append(append([]string{}, base...), pairs...) }
	return [][]string{
		plus(),
		plus("event", x.event, "segmentation", x.segment, "did", x.device, "id", x.member, "token", x.token, "tokenid", x.token),
		plus("event", x.group, "_id", x.group, "note_id", x.note, "notes_apps", `["`+x.app+`"]`, "apps", `["`+x.app+`"]`),
		plus("events", `["`+x.event+`","`+x.group+`"]`, "metric", "devices", "overview", "true"),
		plus("events", `["`+x.event+`"]`, "set_visibility", "hide", "event_order", `["`+x.event+`"]`),
		plus("query", `{"did":"`+x.device+`"}`, "update", `{"name":"stolen"}`, "force", "true"),
		plus("query", `{"app_id":"`+x.app+`"}`, "uid", "7", "tod_type", x.event, "app_ids", own+","+x.app),
		plus("args", args, "homeSettings", "{}"),
		plus("args", strings.Replace(args, x.group, x.note, 1)),
	}
}

// TestWalkTenants asks every route, as someone of one app, for what is another
// app's: the answers must be those for things that nobody has.
func TestWalkTenants(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("shop", "UTC"), s.CreateApp("rival", "UTC")
	s.Ingest(a, "d1", "begin_session", "1", "timestamp", "1936526400000", "events", `[{"key":"buy"}]`)
	theirs := fillRival(t, s, b)
	nobodys := things{
		app: unknownID, device: "some-device_", event: "some-event_", segment: "some-segment_", group: "[CLY]_group_" + strings.Repeat("0", 32),
		note: unknownID, member: unknownID, token: strings.Repeat("0", 40),
	}
	hidden := func(body string) string {
		for _, p := range [][2]string{
			{theirs.app, nobodys.app},
			{theirs.device, nobodys.device},
			{theirs.event, nobodys.event},
			{theirs.segment, nobodys.segment},
			{theirs.group, nobodys.group},
			{theirs.note, nobodys.note},
			{theirs.member, nobodys.member},
		} {
			body = strings.ReplaceAll(body, p[0], p[1])
		}
		return body
	}
	before := snapshot(s, b)
	for who, k := range map[string]string{
		"user":          createMember(t, s, "user_a", map[string]any{"permission": everything(a.ID)}).key,
		"administrator": createMember(t, s, "admin_a", map[string]any{"permission": permission([]string{a.ID}, nil, nil)}).key,
	} {
		for _, r := range routes(t) {
			if r.name() == "/o/token/check" { // knowing a token is the right to ask about it
				continue
			}
			real, made := asking(r, a.ID, theirs), asking(r, a.ID, nobodys)
			for i := range real {
				got := s.Post(at(r), append(real[i], "api_key", k)...)
				want := s.Post(at(r), append(made[i], "api_key", k)...)
				if volatile(r) {
					got.Body, want.Body = "", ""
				}
				if got.Status != want.Status || hidden(got.Body) != hidden(want.Body) {
					t.Errorf("%s of %s, asked %q:\n%d %.500s\nbut of what nobody has:\n%d %.500s", who, r.name(), real[i], got.Status, got.Body, want.Status, want.Body)
				}
				noSecrets(t, who+" of "+r.name(), got.Body, b)
			}
		}
	}
	if after := snapshot(s, b); after != before {
		t.Errorf("the other app changed from\n%s\nto\n%s", before, after)
	}
}

// volatile reports whether a route answers every call differently.
func volatile(r route) bool { return r.name() == "/i/token/create" }

// snapshot reads what can be read of an app.
func snapshot(s *testkit.Server, a testkit.TestApp) string {
	var out strings.Builder
	for _, method := range []string{"users", "events", "get_events", "get_event_groups", "user_details", "notes", "devices"} {
		out.WriteString(s.Admin("/o", "app_id", a.ID, "method", method) + "\n")
	}
	out.WriteString(s.Admin("/o/apps/plugins", "app_id", a.ID))
	return out.String()
}

func noSecrets(t *testing.T, what, body string, b testkit.TestApp) {
	t.Helper()
	for _, secret := range append([]string{b.Key}, rivalSecrets...) {
		if strings.Contains(body, secret) {
			t.Errorf("%s: the answer has %q:\n%s", what, secret, body)
		}
	}
}

// TestWalkTwoApps names two apps in one request. Whichever counts, nobody gets
// what is not theirs.
func TestWalkTwoApps(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("shop", "UTC"), s.CreateApp("rival", "UTC")
	fillRival(t, s, b)
	before := snapshot(s, b)
	k := createMember(t, s, "admin_a", map[string]any{"permission": permission([]string{a.ID}, nil, nil)}).key
	for _, r := range routes(t) {
		method := ""
		if r.method != "" {
			method = "&method=" + r.method
		}
		for name, ask := range map[string]struct{ query, body, kind string }{
			"theirs alone":    {"app_id=" + b.ID, "", ""},
			"body theirs":     {"app_id=" + a.ID, "app_id=" + b.ID, "application/x-www-form-urlencoded"},
			"query theirs":    {"app_id=" + b.ID, "app_id=" + a.ID, "application/x-www-form-urlencoded"},
			"json theirs":     {"app_id=" + a.ID, `{"app_id":"` + b.ID + `"}`, "application/json"},
			"args theirs":     {"app_id=" + a.ID, `{"args":{"app_id":"` + b.ID + `","name":"x","note":"x"}}`, "application/json"},
			"args ours":       {"app_id=" + b.ID, `{"args":{"app_id":"` + a.ID + `","note":"x"}}`, "application/json"},
			"both in args":    {"app_id=" + a.ID, `{"args":{"app_id":"` + a.ID + `","App_ID":"` + b.ID + `","note":"x","name":"x"}}`, "application/json"},
			"list":            {"app_id=" + a.ID, `{"app_id":["` + a.ID + `","` + b.ID + `"]}`, "application/json"},
			"operator":        {"app_id[$in][]=" + a.ID + "&app_id[$in][]=" + b.ID, "", ""},
			"operator beside": {"app_id=" + a.ID + "&app_id[$ne]=" + a.ID, "", ""},
			"upper case":      {"app_id=" + strings.ToUpper(b.ID), "", ""},
		} {
			var header []string
			if ask.kind != "" {
				header = []string{"Content-Type", ask.kind}
			}
			got := s.Do(http.MethodPost, at(r)+"?api_key="+k+method+"&"+ask.query, strings.NewReader(ask.body), header...)
			noSecrets(t, r.name()+", "+name, got.Body, b)
			if broken(got) {
				t.Errorf("%s, %s: %d %s", r.name(), name, got.Status, got.Body)
			}
		}
	}
	if after := snapshot(s, b); after != before {
		t.Errorf("the other app changed from\n%s\nto\n%s", before, after)
	}
}

// TestAppKeyReadsNothing tries an app's key in every place of a credential.
func TestAppKeyReadsNothing(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("shop", "UTC")
	for _, r := range routes(t) {
		if r.level == "public" {
			continue
		}
		for name, ask := range map[string]struct{ params, header []string }{
			"api_key":       {params: []string{"api_key", a.Key}},
			"auth_token":    {params: []string{"auth_token", a.Key}},
			"app_key":       {params: []string{"app_key", a.Key, "device_id", "d"}},
			"service-token": {header: []string{"service-token", a.Key}},
			"countly-token": {header: []string{"countly-token", a.Key}},
			"cookie":        {header: []string{"Cookie", "quipu_session=" + a.Key}},
			"basic":         {header: []string{"Authorization", "Basic " + a.Key}},
		} {
			got := s.Do(http.MethodGet, at(r)+"?"+testkit.Query(append(naming(t, r, a.ID), ask.params...)...), nil, ask.header...)
			if got.Status != 400 && got.Status != 401 {
				t.Errorf("%s with the app key as %s: %d %s", r.name(), name, got.Status, got.Body)
			}
		}
	}
}
