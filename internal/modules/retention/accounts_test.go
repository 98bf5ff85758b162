package retention_test

import (
	"testing"

	"quipu/internal/testkit"
)

// TestAccounts counts the systems that come back, in place of users.
func TestAccounts(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	ask := func(path string, pairs ...string) testkit.Response {
		return s.Get(path, append([]string{"api_key", s.Key, "app_id", a.ID, "period", "5days"}, pairs...)...)
	}
	var got struct {
		Users  int64
		Source string
		Rows   []struct {
			Users int64
			Cells []*struct{ Users int64 }
		}
	}
	testkit.Decode(t, ask("/o/retention", "start_type", "recurring", "span", "1", "count_by", "up.p").Body, &got)
	// Both systems come on the 10th and 11th, Android on the 12th, iOS on the 14th.
	if got.Users != 2 || got.Source != "rows" || len(got.Rows) != 5 || got.Rows[0].Users != 2 || got.Rows[0].Cells[0].Users != 2 || got.Rows[1].Users != 2 || got.Rows[1].Cells[0].Users != 1 || got.Rows[4].Users != 1 {
		t.Errorf("%+v", got)
	}
	people := []string{"start_type", "recurring", "span", "1", "count_by", "up.p", "cohort", "1"}
	if got := ask("/o/retention/people", people...).Body; got != `{"users":2,"uids":[],"accounts":["Android","iOS"]}` {
		t.Errorf("a cohort: %s", got)
	}
	if got := ask("/o/retention/people", append(people, "bracket", "0")...).Body; got != `{"users":1,"uids":[],"accounts":["Android"]}` {
		t.Errorf("a cell: %s", got)
	}
	var active struct{ Users int64 }
	testkit.Decode(t, ask("/o/retention/activity", "count_by", "up.p").Body, &active)
	if active.Users != 2 {
		t.Errorf("activity: %+v", active)
	}
	for _, path := range []string{"/o/retention", "/o/retention/activity"} {
		for _, by := range []string{"sessions", "p", "$where"} {
			if got := ask(path, "count_by", by); got.Status != 400 {
				t.Errorf("%s by %s: %d %s", path, by, got.Status, got.Body)
			}
		}
	}
}
