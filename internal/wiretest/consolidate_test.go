package wiretest_test

import (
	"strconv"
	"testing"

	"quipu/internal/testkit"
)

// TestConsolidate lets the data of two apps flow into a third (wire.md 11.20).
func TestConsolidate(t *testing.T) {
	t.Parallel()
	s := server(t)
	all, a, b := s.CreateApp("All", "Asia/Kolkata"), s.CreateApp("A", "UTC"), s.CreateApp("B", "UTC")
	set := func(key, app, args string) testkit.Response {
		return s.Post("/i/apps/update/plugins", "api_key", key, "app_id", app, "args", args)
	}
	count := func(app testkit.TestApp) string {
		return s.Admin("/o/analytics/events", "app_id", app.ID, "period", "30days")
	}
	totals := func(n string) string {
		return `{"all":[{"_id":"buy","key":"buy","c":` + n + `,"s":0,"dur":0}]}`
	}
	send := func(app testkit.TestApp, device, ts string) {
		t.Helper()
		r := s.Post("/i", "app_key", app.Key, "device_id", device, "timestamp", ts, "begin_session", "1", "events", `[{"key":"buy"}]`)
		if r.Status != 200 {
			t.Errorf("ingest: %d %s", r.Status, r.Body)
		}
	}

	send(a, "d", noonMS) // before it flows
	r := set(s.Key, all.ID, `{"consolidate":{"selectedApps":["`+a.ID+`","`+b.ID+`"],"initialApps":[]}}`)
	if r.Status != 200 {
		t.Fatalf("consolidate: %d %s", r.Status, r.Body)
	}
	part(t, "the sources' documents", r.Body, `"`+a.ID+`"`, "plugins", "consolidate", "0", "_id")
	part(t, "the sources' documents", r.Body, `["`+all.ID+`"]`, "plugins", "consolidate", "1", "plugins", "consolidate")
	part(t, "live in details", s.Admin("/o/apps/details", "app_id", a.ID), `["`+all.ID+`"]`, "app", "plugins", "consolidate")
	sameJSON(t, "it is no setting of the app itself", s.Admin("/o/apps/plugins", "app_id", all.ID), `{"plugins":{}}`)

	// Equal requests of two apps are two; the same again is none.
	for _, app := range []testkit.TestApp{a, b, a} {
		send(app, "d", "1936515601000")
	}
	items := `[{"device_id":"e","timestamp":1936515602000,"begin_session":1,"events":[{"key":"buy"}]},{"app_key":"` + b.Key + `","device_id":"f","timestamp":1936515602000,"events":[{"key":"buy"}]}]`
	for range 2 {
		done(t, "bulk", s.Post("/i/bulk", "app_key", a.Key, "requests", items))
	}
	s.Flush()
	sameJSON(t, "first source", count(a), totals("3"))
	sameJSON(t, "second source", count(b), totals("2"))
	sameJSON(t, "both", count(all), totals("4"))
	part(t, "a person of two apps is one user", s.Admin("/o", "method", "total_users", "app_id", all.ID, "period", "30days"), "2", "0", "u")
	s.Stop()
	s.Start()
	sameJSON(t, "both, after a restart", count(all), totals("4"))

	// What flows does not flow on, so a circle ends.
	if r := set(s.Key, a.ID, `{"consolidate":{"selectedApps":["`+all.ID+`"],"initialApps":[]}}`); r.Status != 200 {
		t.Fatalf("circle: %d %s", r.Status, r.Body)
	}
	send(a, "d", "1936515603000")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+all.ID+`","paused":true}`)
	send(a, "d", "1936515604000")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+all.ID+`","paused":false}`)
	s.Flush()
	sameJSON(t, "a circle", count(a), totals("5"))
	sameJSON(t, "the app they flow into, paused in between", count(all), totals("5"))
	part(t, "outcome of what came while it was paused", s.Admin("/o/ingest/outcomes", "app_id", all.ID), "1", "totals", "request", "app_paused")

	r = set(s.Key, all.ID, `{"consolidate":{"selectedApps":["`+b.ID+`"],"initialApps":["`+a.ID+`","`+b.ID+`"]}}`)
	part(t, "one ends", r.Body, `"`+a.ID+`"`, "plugins", "consolidate", "1", "_id")
	send(a, "d", "1936515605000")
	s.Flush()
	sameJSON(t, "after the end", count(all), totals("5"))

	s.Admin("/i/users/create", "args", `{"full_name":"M","username":"m","email":"m@example.org","password":"Very-secret-9","permission":{"_":{"a":["`+all.ID+`"],"u":[]}}}`)
	m := s.APIKey("m", "Very-secret-9")
	same(t, "an app of others", set(m, all.ID, `{"consolidate":{"selectedApps":["`+a.ID+`"],"initialApps":[]}}`), 401, wrong("User does not have right"))
	same(t, "an app of others, to end it", set(m, all.ID, `{"consolidate":{"selectedApps":[],"initialApps":["`+b.ID+`"]}}`), 401, wrong("User does not have right"))
	for name, args := range map[string]string{
		"into an app directly": `{"consolidate":["` + a.ID + `"]}`,
		"itself":               `{"consolidate":{"selectedApps":["` + all.ID + `"]}}`,
		"unknown":              `{"consolidate":{"selectedApps":["` + unknownID + `"]}}`,
		"no ids":               `{"consolidate":{"selectedApps":[5]}}`,
		"nothing":              `{"consolidate":{}}`,
		"with another":         `{"consolidate":{"selectedApps":[]},"logger":{"state":"on"}}`,
	} {
		same(t, name, set(s.Key, all.ID, args), 400, wrong("Invalid props: consolidate"))
	}
}

// TestConsolidateBesideDeleted fills the list of apps that an app flows into with apps that are deleted then.
func TestConsolidateBesideDeleted(t *testing.T) {
	t.Parallel()
	s := server(t)
	source := s.CreateApp("Source", "UTC")
	flow := func(into testkit.TestApp) testkit.Response {
		return s.Post("/i/apps/update/plugins", "api_key", s.Key, "app_id", into.ID, "args", `{"consolidate":{"selectedApps":["`+source.ID+`"],"initialApps":[]}}`)
	}
	var into []testkit.TestApp
	for i := range 10 {
		into = append(into, s.CreateApp("Into "+strconv.Itoa(i), "UTC"))
		if r := flow(into[i]); r.Status != 200 {
			t.Fatalf("app %d: %d %s", i, r.Status, r.Body)
		}
	}
	last := s.CreateApp("Last", "UTC")
	if r := flow(last); r.Status != 400 {
		t.Errorf("one app too many: %d %s", r.Status, r.Body)
	}
	s.Admin("/i/apps/delete", "args", `{"app_id":"`+into[0].ID+`"}`)
	if r := flow(last); r.Status != 200 {
		t.Errorf("in the place of a deleted app: %d %s", r.Status, r.Body)
	}
}
