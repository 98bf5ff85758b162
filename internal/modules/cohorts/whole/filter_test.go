package whole_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// listed are the numbers of the users that a list has.
func listed(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) (uids []string) {
	t.Helper()
	text := s.Admin("/o", append([]string{"method", "user_details", "app_id", a.ID}, pairs...)...)
	var table struct {
		Rows []struct {
			UID string `json:"uid"`
		} `json:"aaData"`
	}
	if err := json.Unmarshal([]byte(text), &table); err != nil {
		t.Fatal(err, text)
	}
	for _, r := range table.Rows {
		uids = append(uids, r.UID)
	}
	slices.Sort(uids)
	return uids
}

// TestFilter selects by cohorts wherever filters are: lists of users, drill, figures of pages.
func TestFilter(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	fill(s, other)
	id, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	calculated(t, s, a, id)
	mine, _ := add(s, a, "cohort_name", "Hidden", "type", "manual", "visibility", "private")
	s.Admin("/i/cohorts/add_users", "app_id", a.ID, "cohort", mine, "uids", `["3"]`)
	foreign, _ := add(s, other, "cohort_name", "Buyers", "steps", buyers)
	calculated(t, s, other, foreign)
	for name, tt := range map[string]struct {
		pairs []string
		want  []string
	}{
		"in":                  {[]string{"query", `{"chr":"` + id + `"}`}, []string{"1", "2"}},
		"not in":              {[]string{"query", `{"chr":{"$nin":["` + id + `"]}}`}, []string{"3"}},
		"any of":              {[]string{"query", `{"chr":{"$in":["` + id + `","` + mine + `"]}}`}, []string{"1", "2", "3"}},
		"on the profile":      {[]string{"query", `{"chr.` + id + `.in":"true"}`}, []string{"1", "2"}},
		"group":               {[]string{"profile_group", mine}, []string{"3"}},
		"group and query":     {[]string{"profile_group", id, "query", `{"custom.plan":"pro"}`}, []string{"1"}},
		"any at all":          {[]string{"query", `{"chr":{"$exists":true}}`}, []string{"1", "2"}}, // of those that everyone sees
		"of another app":      {[]string{"query", `{"chr":"` + foreign + `"}`}, nil},
		"no id":               {[]string{"query", `{"chr":"../x"}`}, nil},
		"a group of another":  {[]string{"profile_group", foreign}, nil},
		"on the profile, no.": {[]string{"query", `{"chr.` + foreign + `.in":true}`}, nil},
	} {
		if got := listed(t, s, a, tt.pairs...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: users %v, want %v", name, got, tt.want)
		}
	}
	var p struct {
		Chr map[string]map[string]string
	}
	decode(s.Admin("/o", "method", "user_details", "app_id", a.ID, "uid", "1"), &p)
	if len(p.Chr) != 1 || p.Chr[id]["in"] != "true" {
		t.Errorf("profile has %v", p.Chr)
	}
	segmentation := func(pairs ...string) string {
		return s.Admin("/o", append([]string{"method", "segmentation", "app_id", a.ID, "event", "[CLY]_session_begin", "period", "7days", "bucket", "daily"}, pairs...)...)
	}
	if got := segmentation("queryObject", `{"chr":"`+id+`"}`); !strings.Contains(got, `"totals":{"u":2,"t":2`) {
		t.Errorf("drill: %s", got)
	}
	got := segmentation("queryObject", `{}`, "projectionKey", `["chr"]`)
	if !strings.Contains(got, `"segment":"`+id+`"`) || strings.Contains(got, mine) || !strings.Contains(got, `"Unknown":{"u":1,"t":1`) {
		t.Errorf("broken down: %s", got)
	}
	if got := segmentation("queryObject", `{}`, "projectionKey", `["chr"]`, "cohorts", `["`+mine+`"]`); !strings.Contains(got, mine) || !strings.Contains(got, `"Unknown":{"u":2,"t":2`) {
		t.Errorf("broken down by one: %s", got)
	}
	if got := s.Admin("/o", "method", "segmentation_meta", "app_id", a.ID, "event", "buy"); !strings.Contains(got, `"chr":{"type":"l","values":["`+id+`"]}`) {
		t.Errorf("meta: %s", got)
	}
	if got := s.Admin("/o/analytics/sessions", "app_id", a.ID, "period", "7days", "filter", `{"chr":{"$ne":"`+id+`"}}`); !strings.Contains(got, `"t":1,"n":1,"u":1`) {
		t.Errorf("sessions: %s", got)
	}
	// Answers follow what changes: a merge at once, an erasure, another definition.
	s.Ingest(a, "new", "begin_session", "1")
	s.Ingest(a, "new", "old_device_id", "d1")
	s.Flush()
	in := listed(t, s, a, "query", `{"chr":"`+id+`"}`)
	if len(in) != 2 || !slices.Contains(in, "2") || slices.Contains(in, "3") {
		t.Errorf("after a merge: %v", in)
	}
	s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", "2", "reason", "asked")
	for range 1000 {
		if len(listed(t, s, a, "query", `{"chr":"`+id+`"}`)) == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := listed(t, s, a, "query", `{"chr":"`+id+`"}`); len(got) != 1 || slices.Contains(got, "2") {
		t.Errorf("after an erasure: %v", got)
	}
	s.Admin("/i/cohorts/delete", "app_id", a.ID, "cohort_id", id)
	if got := listed(t, s, a, "query", `{"chr":"`+id+`"}`); len(got) != 0 {
		t.Errorf("of a deleted cohort: %v", got)
	}
}

// TestPreview counts conditions that are not kept, and refuses those that a cohort may not have.
func TestPreview(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	for name, tt := range map[string]struct {
		pairs []string
		want  string
	}{
		"steps":    {[]string{"steps", buyers}, `{"users":2,"of":3}`},
		"both":     {[]string{"steps", buyers, "user_segmentation", `{"custom.plan":"pro"}`}, `{"users":1,"of":3}`},
		"nothing":  {nil, "Not enough args"},
		"no event": {[]string{"steps", `[{"type":"did","period":"7days"}]`}, "All steps must contain event"},
		"no JSON":  {[]string{"steps", `[`}, "Bad request parameter: steps"},
		"deep":     {[]string{"user_segmentation", strings.Repeat(`{"$and":[`, 50) + `{"a":1}` + strings.Repeat(`]}`, 50)}, "filter"},
		"large":    {[]string{"steps", `[{"type":"did","event":"` + strings.Repeat("x", 70_000) + `","period":"7days"}]`}, "too large"},
		"NUL":      {[]string{"steps", `[{"type":"did","event":"a\u0000b","period":"7days"}]`}, `{"users":0,"of":3}`},
	} {
		if got := s.Post("/o/cohorts/preview", append([]string{"api_key", s.Key, "app_id", a.ID}, tt.pairs...)...).Body; !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// TestFilterRight refuses members who may not read cohorts.
func TestFilterRight(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	calculated(t, s, a, id)
	rights := `{"` + a.ID + `":{"all":false,"allowed":{"core":true,"drill":true,"users":true,"funnels":true}}}`
	s.Admin("/i/users/create", "args", `{"full_name":"x","username":"x","password":"Passw0rd!x","email":"x@example.org","permission":{"_":{"a":[],"u":[["`+a.ID+`"]]},"c":`+rights+`,"r":`+rights+`,"u":`+rights+`,"d":`+rights+`}}`)
	key := s.APIKey("x", "Passw0rd!x")
	chr := `{"chr":"` + id + `"}`
	for name, pairs := range map[string][]string{
		"users":     {"/o", "method", "user_details", "query", chr},
		"drill":     {"/o", "method", "segmentation", "event", "buy", "period", "7days", "bucket", "daily", "queryObject", chr},
		"breakdown": {"/o", "method", "segmentation", "event", "buy", "period", "7days", "bucket", "daily", "queryObject", "{}", "projectionKey", `["chr"]`},
		"figures":   {"/o/analytics/sessions", "period", "7days", "filter", chr},
		"events":    {"/o/export/db", "collection", "drill_events", "type", "json", "query", chr},
		"exported":  {"/o/export/db", "collection", "app_users" + a.ID, "type", "json", "query", chr},
		"nested":    {"/o/analytics/sessions", "period", "7days", "filter", `{"$or":[{"up.p":"iOS"},{"chr.` + id + `.in":"true"}]}`},
	} {
		res := s.Get(pairs[0], append([]string{"api_key", key, "app_id", a.ID}, pairs[1:]...)...)
		if res.Status != 401 || !strings.Contains(res.Body, "right") {
			t.Errorf("%s: %d %s", name, res.Status, res.Body)
		}
	}
	if res := s.Get("/o", "api_key", key, "app_id", a.ID, "method", "user_details", "uid", "1"); strings.Contains(res.Body, `"chr"`) || res.Status != 200 {
		t.Errorf("profile: %d %s", res.Status, res.Body)
	}
}
