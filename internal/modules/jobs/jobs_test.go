package jobs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

type page struct {
	Total   int `json:"iTotalRecords"`
	Display int `json:"iTotalDisplayRecords"`
	Rows    []struct {
		Name, Status, Result, Schedule string
		Next, Finished                 *int64
		Total, Failures                int64
	} `json:"aaData"`
	Echo any `json:"sEcho"`
}

func TestList(t *testing.T) {
	s := testkit.New(t, testkit.At(time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)))
	a := s.CreateApp("shop", "UTC")
	list := func(params ...string) (p page) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o", append([]string{"method", "jobs", "app_id", a.ID}, params...)...), &p)
		return p
	}
	all := list("sEcho", "3")
	if all.Total < 2 || len(all.Rows) != all.Total || all.Echo != "3" {
		t.Errorf("all: %+v", all)
	}
	var names []string
	for _, r := range all.Rows {
		names = append(names, r.Name)
		if r.Status != "SCHEDULED" || r.Next == nil || r.Finished != nil || r.Result != "none" || !strings.HasPrefix(r.Schedule, "every ") {
			t.Errorf("row %+v", r)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("names %v", names)
	}
	one := list("name", "api:task")
	if one.Total != 1 || len(one.Rows) != 1 || one.Rows[0].Name != "api:task" || one.Rows[0].Schedule != "every 10m0s" || one.Echo != nil {
		t.Errorf("one: %+v", one)
	}
	if got := list("name", "none"); got.Total != 0 || got.Rows == nil {
		t.Errorf("none: %+v", got)
	}
	if got := list("sSearch", "TASK"); got.Display == 0 || got.Display == all.Total || got.Total != all.Total {
		t.Errorf("search: %+v", got)
	}
	if got := list("iDisplayStart", "1", "iDisplayLength", "1", "iSortCol_0", "0", "sSortDir_0", "desc"); len(got.Rows) != 1 || got.Rows[0].Name != names[len(names)-2] || got.Total != all.Total {
		t.Errorf("page: %+v", got)
	}
	if got := list("iDisplayStart", "99999", "iSortCol_0", "-7"); len(got.Rows) != 0 {
		t.Errorf("beyond: %+v", got)
	}
}

func TestAccess(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("shop", "UTC")
	var m struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args",
		`{"full_name":"x","username":"x","password":"Correct-horse-1","email":"x@example.org","permission":{"_":{"a":["`+a.ID+`"],"u":[]}}}`), &m)
	if r := s.Get("/o", "api_key", m.Key, "app_id", a.ID, "method", "jobs"); r.Status != 401 || r.Body != `{"result":"User does not have right"}` {
		t.Errorf("administrator of an app: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/o", "api_key", s.Key, "method", "jobs"); r.Status != 400 || r.Body != `{"result":"Missing parameter \"app_id\""}` {
		t.Errorf("without an app: %d %s", r.Status, r.Body)
	}
}
