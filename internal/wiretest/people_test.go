package wiretest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// peopleMembers are two members of an app with every right to read: all, and all but that to users.
func peopleMembers(t *testing.T, s *testkit.Server, a testkit.TestApp) (full, blind member) {
	t.Helper()
	allowed := map[string]bool{}
	for _, r := range routes(t) {
		for _, f := range r.features() {
			allowed[f] = f != "users"
		}
	}
	rights := func(entry map[string]any) map[string]any {
		return map[string]any{"permission": permission([]string{}, []string{a.ID}, map[string]map[string]any{"r": {a.ID: entry}})}
	}
	return createMember(t, s, "full", rights(map[string]any{"all": true})), createMember(t, s, "blind", rights(map[string]any{"all": false, "allowed": allowed}))
}

// secret are texts that only the profile and the requests of one person hold.
func secret() []string { return []string{"device-of-hypatia", "Hypatia of Alexandria"} }

// fillPeople sends what that person did.
func fillPeople(t *testing.T, s *testkit.Server, a testkit.TestApp) (funnel, group string) {
	t.Helper()
	s.Ingest(a, secret()[0], "begin_session", "1", "user_details", `{"name":"`+secret()[1]+`","custom":{"plan":"pro"}}`,
		"events", `[{"key":"see"},{"key":"buy","segmentation":{"what":"tea"}},{"key":"[CLY]_view","segmentation":{"name":"home","visit":1}}]`)
	s.Ingest(a, secret()[0], "crash", `{"_error":"Oops\nat a.b(C.java:1)","_os":"Android","_nonfatal":false}`)
	s.Flush()
	var made struct{ Result string }
	testkit.Decode(t, s.Admin("/i/funnels/add", "app_id", a.ID, "funnel_name", "F", "steps", `["see","buy"]`, "queries", `[{},{}]`, "queryTexts", `["",""]`), &made)
	var table struct {
		Rows []struct {
			ID string `json:"_id"`
		} `json:"aaData"`
	}
	testkit.Decode(t, method(s, a, "crashes"), &table)
	if len(table.Rows) != 1 {
		t.Fatalf("%d groups of crashes", len(table.Rows))
	}
	return made.Result, table.Rows[0].ID
}

// TestPeopleNeedUsers asks for lists of people, for what is known of one person and for figures of one person: all of it is refused to
// a member who may read everything but users, and answered with that right.
func TestPeopleNeedUsers(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	funnel, group := fillPeople(t, s, a)
	full, blind := peopleMembers(t, s, a)
	trend := []string{"method", "segmentation", "event", "buy", "period", "30days", "bucket", "daily"}
	of := func(more ...string) []string { return slices.Concat(trend, more) }
	people := []string{"method", "segmentation_users", "event", "buy", "queryObject", "{}", "period", "30days", "bucket", "daily"}
	steps := func(more ...string) []string {
		return append([]string{"method", "funnel", "funnel", funnel, "period", "30days"}, more...)
	}
	for name, tt := range map[string]struct {
		path  string
		pairs []string
	}{
		"people of a trend":         {"/o", people},
		"accounts of a trend":       {"/o", append(people, "count_by", "sg.what")},
		"people of a step":          {"/o", steps("users_for_step", "0")},
		"people of the last step":   {"/o", steps("end_step", "1")},
		"people between steps":      {"/o", steps("users_between_steps", "0|1")},
		"sessions of a step":        {"/o", steps("users_for_step", "0", "count_by", "sessions")},
		"accounts of a step":        {"/o", steps("users_for_step", "1", "count_by", "sg.what")},
		"funnels of one":            {"/o", []string{"method", "user_funnels", "uid", "1"}},
		"people of a retention":     {"/o/retention/people", []string{"start", "see", "return", "buy", "period", "30days", "cohort", "0"}},
		"people of a crash":         {"/o", []string{"method", "crashes", "group", group, "userlist", "true"}},
		"crashes of one":            {"/o", []string{"method", "user_crashes", "uid", "1"}},
		"profiles":                  {"/o", []string{"method", "user_details"}},
		"data subjects":             {"/o/data_subjects", []string{"sSearch", "Hypatia"}},
		"a trend of one":            {"/o", of("queryObject", `{"uid":"1"}`)},
		"a trend of one, negated":   {"/o", of("queryObject", `{"$nor":[{"uid":{"$ne":"1"}}]}`)},
		"a trend of a session":      {"/o", of("queryObject", `{"lsid":1}`)},
		"a trend of a device":       {"/o", of("queryObject", `{"up.did":"`+secret()[0]+`"}`)},
		"a trend by user":           {"/o", of("queryObject", "{}", "projectionKey", "uid")},
		"a trend by session":        {"/o", of("queryObject", "{}", "projectionKey", `["lsid"]`)},
		"a trend of who did as one": {"/o", of("queryObject", "{}", "steps", `[{"type":"did","event":"see","query":{"uid":"1"}}]`)},
		"a ratio of one":            {"/o", of("queryObject", "{}", "measures", `[{"fn":"ratio","of":{"fn":"count"},"to":{"fn":"count","query":{"uid":"1"}}}]`)},
		"values of uid":             {"/o", []string{"method", "segmentation_meta", "event", "buy", "property", "uid", "search", "1"}},
		"a funnel of one":           {"/o", steps("filter", `{"uid":"1"}`)},
		"a flow of one":             {"/o/flows/paths", []string{"start", `{"event":"see"}`, "user_segmentation", `{"uid":"1"}`}},
		"a retention of one":        {"/o/retention", []string{"start", "see", "return", "buy", "period", "30days", "query", `{"uid":"1"}`}},
		"a retention by session":    {"/o/retention", []string{"start", "see", "return", "buy", "period", "30days", "breakdown", "uid"}},
		"a count of one":            {"/o/explore/count", []string{"events", `["buy"]`, "query", `{"uid":"1"}`}},
		"revenue of one":            {"/o/revenue/report", []string{"events", `["buy"]`, "period", "30days", "filter", `{"uid":"1"}`}},
		"active as one":             {"/o/active_users/report", []string{"period", "30days", "filter", `{"uid":"1"}`}},
		"figures of one":            {"/o/analytics/events/overview", []string{"filter", `{"uid":"1"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pairs := append([]string{"app_id", a.ID}, tt.pairs...)
			if got := s.Get(tt.path, append(pairs, "api_key", full.key)...); got.Status != http.StatusOK && got.Header.Get("Quipu-Error") != "figures.unfiltered" {
				t.Errorf("with the right: %d %.300s", got.Status, got.Body)
			}
			got := s.Get(tt.path, append(pairs, "api_key", blind.key)...)
			if got.Status != http.StatusUnauthorized || got.Header.Get("Quipu-Error") != "access.no_right" {
				t.Errorf("without: %d %s %.300s", got.Status, got.Header.Get("Quipu-Error"), got.Body)
			}
		})
	}
	// Figures are there for both.
	for name, pairs := range map[string][]string{
		"trend": of("queryObject", `{"sg.what":"tea","custom.plan":"pro"}`), "funnel": steps(), "crash": {"method", "crashes", "group", group},
	} {
		for _, who := range []member{full, blind} {
			got := s.Get("/o", append([]string{"app_id", a.ID, "api_key", who.key}, pairs...)...)
			if got.Status != http.StatusOK || strings.Contains(got.Body, `"uid"`) != (name == "crash" && who == full) {
				t.Errorf("%s: %d %.2000s", name, got.Status, got.Body)
			}
		}
	}
}

// TestReadsNameNobody asks all reads that the description has for what they answer a member who may read everything but users: none of them
// says who somebody is, but those whose right is given for that.
func TestReadsNameNobody(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	fillPeople(t, s, a)
	full, blind := peopleMembers(t, s, a)
	var doc struct {
		Paths map[string]map[string]struct{ Parameters []describedParameter }
	}
	testkit.Decode(t, s.Get("/openapi.json").Body, &doc)
	answered, named := 0, 0
	for path, verbs := range doc.Paths {
		op, reads := verbs["get"]
		if !reads || strings.Contains(path, "{") || strings.HasPrefix(path, "/o/live/") || strings.HasPrefix(path, "/i/") || path == "/o/render" || path == "/o/email_test" {
			continue
		}
		pairs := []string{"app_id", a.ID}
		for _, p := range op.Parameters {
			if text, ok := p.Example.(string); p.Name != "app_id" && ok && p.Required {
				pairs = append(pairs, p.Name, text)
			}
		}
		tells := func(m member) bool {
			got := s.Get(path, append(pairs, "api_key", m.key)...)
			if got.Status == http.StatusOK {
				answered++
			}
			return slices.ContainsFunc(secret(), func(text string) bool { return strings.Contains(got.Body, text) })
		}
		if tells(full) {
			named++
		}
		purpose := strings.HasPrefix(path, "/o/consent/") || path == "/o/app_users/consents" || path == "/o/method/consents" || path == "/o/method/logs"
		if !purpose && tells(blind) {
			t.Errorf("%s %q tells who somebody is", path, pairs)
		}
	}
	if answered < 150 || named < 2 {
		t.Errorf("%d answers, %d of them name somebody: too few to say anything", answered, named)
	}
}
