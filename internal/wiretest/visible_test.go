package wiretest_test

import (
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestVisible reads what was just written: what people write at the next
// request, what SDKs send within a second (wire.md 0.1). The clock is the real one.
func TestVisible(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	a := s.CreateApp("A", "UTC")
	took := func(what string, limit time.Duration, seen func() bool) {
		t.Helper()
		start := time.Now()
		for !seen() && time.Since(start) < 20*limit {
			continue
		}
		if d := time.Since(start); d > limit {
			t.Errorf("%s: not seen within %v, looked for %v", what, limit, d)
		}
	}
	s.Ingest(a, "d", "begin_session", "1", "events", `[{"key":"E"}]`, "user_details", `{"name":"Ann"}`)
	took("a session", time.Second, func() bool { return method(s, a, "total_users") != `[]` })
	took("an event", time.Second, func() bool { return method(s, a, "get_events") != noEvents })
	took("a profile", time.Second, func() bool { return dig(t, method(s, a, "user_details", "did", "d"), "name") == "Ann" })
	took("a list of profiles", time.Second, func() bool { return dig(t, method(s, a, "user_details"), "iTotalRecords") == 1.0 })
	done(t, "bulk", s.Post("/i/bulk", "app_key", a.Key, "requests", `[{"device_id":"e","begin_session":1},{"device_id":"f","begin_session":1}]`))
	took("a bulk", 5*time.Second, func() bool { return dig(t, method(s, a, "total_users"), "0", "u") == 3.0 })

	// Management, at once and without a flush.
	for i := range 4 { // passwords cost time
		name := "name" + string(rune('a'+i))
		s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","name":"`+name+`"}`)
		part(t, "an app's name", s.Admin("/o/apps/mine"), `"`+name+`"`, "admin_of", a.ID, "name")
		s.Admin("/i/events/edit_map", "app_id", a.ID, "event_order", `["`+name+`"]`)
		part(t, "an order", method(s, a, "get_events"), `["`+name+`"]`, "order")
		s.Admin("/i/app_users/update", "app_id", a.ID, "query", `{"did":"d"}`, "update", `{"name":"`+name+`"}`)
		part(t, "a user", method(s, a, "user_details", "did", "d"), `"`+name+`"`, "name")
		part(t, "a user, in a list", method(s, a, "user_details", "query", `{"name":"`+name+`"}`), `1`, "iTotalRecords")
		m := createMember(t, s, name, map[string]any{"permission": everything(a.ID)})
		if r := s.Get("/o", "api_key", m.key, "app_id", a.ID, "method", "users"); r.Status != 200 {
			t.Errorf("a new member: %d %s", r.Status, r.Body)
		}
		s.Admin("/i/users/update", "args", `{"user_id":"`+m.id+`","permission":{}}`)
		same(t, "a right that was taken", s.Get("/o", "api_key", m.key, "app_id", a.ID, "method", "users"), 401, wrong("User does not have right"))
	}
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	bytes(t, "a reset", s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "users"), 200, `{}`)
	part(t, "a reset, of profiles", method(s, a, "user_details"), `0`, "iTotalRecords")
}
