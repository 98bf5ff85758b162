package funnels_test

import (
	"testing"

	"quipu/internal/testkit"
)

// TestAccounts asks a funnel of users, of sessions, and of what they looked at.
func TestAccounts(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id := add(t, s, a, "funnel_name", "Buy", "steps", `["see",["cart","basket"]]`)
	read := func(pairs ...string) string {
		return s.Admin("/o", append([]string{"method", "funnel", "app_id", a.ID, "funnel", id, "period", "7days"}, pairs...)...)
	}
	check := func(name string, total, first, second int64, pairs ...string) {
		t.Helper()
		var got analysis
		testkit.Decode(t, read(pairs...), &got)
		if got.Total != total || got.Entered != first || got.Success != second {
			t.Errorf("%s: %+v", name, got)
		}
	}
	check("users", 4, 3, 2)
	check("things", 2, 2, 2, "count_by", "sg.what")
	check("things with a filter", 1, 1, 1, "count_by", "sg.what", "filter", `{"sg.what":"milk"}`)
	check("sessions", 2, 1, 1, "count_by", "sessions")
	if got := read("count_by", "sg.what", "users_for_step", "1"); got != `["milk","tea"]` {
		t.Errorf("accounts %s", got)
	}
	if got := read("count_by", "sg.what", "users_between_steps", "0|1"); got != `[]` {
		t.Errorf("accounts that dropped %s", got)
	}
	// Kept with the funnel, a request still says otherwise.
	if got := s.Admin("/i/funnels/edit", "app_id", a.ID, "funnel_map", `{"`+id+`":{"options":{"count_by":"sg.what"}}}`); got == "" {
		t.Error("not changed")
	}
	check("kept", 2, 2, 2)
	check("users again", 4, 3, 2, "count_by", "users")
	var days map[string][]struct {
		Total   int64 `json:"total_users"`
		Entered int64 `json:"users_in_first_step"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "funneldata", "app_id", a.ID, "funnels", `["`+id+`"]`), &days)
	if d := days[id]; len(d) != 1 || d[0].Total != 2 || d[0].Entered != 2 {
		t.Errorf("days %+v", days)
	}
	for name, pairs := range map[string][]string{
		"no unit":      {"count_by", "what"},
		"instead":      {"instead", "0|1"},
		"drivers":      {"drivers", "true"},
		"no unit kept": nil,
	} {
		path, all := "/o", append([]string{"method", "funnel", "api_key", s.Key, "app_id", a.ID, "funnel", id, "period", "7days"}, pairs...)
		if pairs == nil {
			path, all = "/i/funnels/edit", []string{"api_key", s.Key, "app_id", a.ID, "funnel_map", `{"` + id + `":{"options":{"count_by":"'; --"}}}`}
		}
		if got := s.Get(path, all...); got.Status != 400 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
}
