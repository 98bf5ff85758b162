package wiretest_test

import (
	"crypto/sha1" // the wire names environments by it
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// list says how a list is filled and what is known of it then.
type list struct {
	pairs []string // parameters beside those of every list
	// fill adds rows, rowsEach of them from a number on, which no other call has.
	fill  func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int)
	least int // rows that there are then, at least
	// by sorts the list, down and up, so that one is the other read backwards.
	by []string
	// term finds the row that has it alone; "" where there is nothing to search.
	term string
	// searched says that the list has no rows but those that are searched for.
	searched bool
	// id is the field that tells rows apart.
	id string
	// matching says that both totals count what matches.
	matching bool
	// bare is where the rows are when no table is wanted: "" at the root, "-" for a list that is always a table.
	bare string
}

const rowsEach = 3

func each(fn func(s *testkit.Server, a testkit.TestApp, i int)) func(*testing.T, *testkit.Server, testkit.TestApp, int) {
	return func(_ *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
		for i := from; i < from+rowsEach; i++ {
			fn(s, a, i)
		}
	}
}

func words(i int) string {
	return []string{"Alpha", "Bravo", "Charlie", "Aaron", "Abel", "Adam", "Berta", "Carla", "Delta"}[i]
}

// lists are all lists of the API, by the name of their route.
func lists() map[string]list {
	users := func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
		t.Helper()
		for i := from; i < from+rowsEach; i++ {
			s.Ingest(a, "device-"+words(i), "begin_session", "1", "consent", `{"sessions":true}`, "timestamp", ms(-1000*int64(i)))
		}
		s.Flush()
	}
	notes := list{least: 3, by: []string{"iSortCol_0", "2"}, term: "bravo", bare: "-", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
		s.Admin("/i/notes/save", "args", `{"app_id":"`+a.ID+`","note":"`+words(i)+`","ts":`+ms(-1000*int64(i))+`,"noteType":"public"}`)
	})}
	apps := list{least: 3, by: []string{"sort", "name"}, term: "bravo", fill: each(func(s *testkit.Server, _ testkit.TestApp, i int) { s.CreateApp(words(i), "UTC") })}
	mine := apps
	mine.bare = "admin_of"
	tasks := list{least: 3, by: []string{"iSortCol_0", "0"}, term: "bravo", fill: func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
		t.Helper()
		for i := from; i < from+rowsEach; i++ {
			s.Admin("/o/export/requestQuery", "app_id", a.ID, "path", "/o/analytics/sessions", "data", `{"app_id":"`+a.ID+`","period":"`+strconv.Itoa(i+2)+`days"}`, "filename", words(i))
		}
	}}
	table := tasks
	table.bare = "-"
	crashes := func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
		t.Helper()
		for i := from; i < from+rowsEach; i++ {
			s.Ingest(a, "d", "timestamp", ms(-1000*int64(i)), "crash", `{"_os":"Android","_error":"`+words(i)+`\n at Main"}`)
		}
		s.Flush()
	}
	consents := list{least: 3, by: []string{"sort", "ts"}, term: "bravo", bare: "-", fill: users, matching: true}
	return map[string]list{
		"/o?method=all_apps": apps, "/o/apps/all": mine, "/o/apps/mine": mine,
		"/o/notes": notes, "/o?method=notes": notes, "/o/tasks/all": tasks, "/o/tasks/list": table,
		"/o/consent/search": consents, "/o/consent/searchOld": consents,
		"/o?method=jobs":         {least: 3, by: []string{"iSortCol_0", "0"}, term: "api:task", id: "name", bare: "-"},
		"/o?method=user_details": {least: 3, by: []string{"sort", "did"}, term: "bravo", fill: users, matching: true, bare: "-"},
		"/o/app_users/consents":  {least: 3, by: []string{"sort", "did"}, term: "bravo", fill: users, matching: true, bare: "-"},
		"/o/data_subjects":       {least: 3, by: []string{"sort", "did"}, term: "bravo", searched: true, pairs: []string{"sSearch", "device"}, fill: users, matching: true, bare: "-"},
		"/o/system/kafka/events": {bare: "-"},
		"/o/data_subjects/erasures": {least: 3, by: []string{"sort", "by"}, term: "charlie", bare: "-", fill: func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
			t.Helper()
			users(t, s, a, from)
			for i := from; i < from+rowsEach; i++ {
				s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", strconv.Itoa(i+1), "reason", words(i))
			}
		}},
		"/o?method=logs": {least: 3, by: []string{"iSortCol_0", "0"}, term: "bravo", bare: "logs", fill: users},
		"/o?method=systemlogs": {least: 3, by: []string{"iSortCol_0", "1"}, term: "bravo", bare: "-", fill: each(func(s *testkit.Server, _ testkit.TestApp, i int) {
			s.Admin("/i/systemlogs", "action", words(i), "data", `{"x":1}`)
		})},
		"/o?method=get_event_groups": {least: 3, by: []string{"sort", "name"}, term: "bravo", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/event_groups/create", "args", `{"app_id":"`+a.ID+`","name":"`+words(i)+`","source_events":["E"],"status":true}`)
		})},
		"/o/date_presets/getAll": {least: 3, by: []string{"sort", "name"}, term: "bravo", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/date_presets/create", "app_id", a.ID, "name", words(i), "range", "[1,2]", "share_with", "none")
		})},
		"/o/cms/entries": {least: 3, by: []string{"sort", "_id"}, term: "bravo", bare: "data", pairs: []string{"_id", "w_"}, fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/cms/save_entries", "app_id", a.ID, "entries", `[{"_id":"w_`+words(i)+`"}]`)
		})},
		"/o?method=get_funnels": {least: 3, by: []string{"sort", "name"}, term: "bravo", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/funnels/add", "app_id", a.ID, "funnel_name", words(i), "steps", `["a","b"]`)
		})},
		"/o/campaign": {least: 3, by: []string{"sort", "name"}, term: "bravo", bare: "-", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/campaign/create", "app_id", a.ID, "args", `{"name":"`+words(i)+`"}`)
		})},
		"/o/defined_events": {least: 3, by: []string{"sort", "name"}, term: "bravo", fill: func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
			t.Helper()
			s.Ingest(a, "d", "events", `[{"key":"buy","count":1}]`)
			s.Flush()
			for i := from; i < from+rowsEach; i++ {
				s.Admin("/i/defined_events/create", "app_id", a.ID, "name", words(i), "events", `["buy"]`)
			}
		}},
		"/o?method=get_cohorts": {least: 3, by: []string{"sort", "name"}, term: "bravo", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/cohorts/add", "app_id", a.ID, "cohort_name", words(i), "type", "manual")
		})},
		"/o/flows": {least: 3, by: []string{"sort", "name"}, term: "bravo", bare: "-", pairs: []string{"method", "list"}, fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/flows/create", "app_id", a.ID, "name", words(i))
		})},
		"/o/explore/views": {least: 3, by: []string{"sort", "name"}, term: "bravo", bare: "-", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/explore/views/save", "app_id", a.ID, "name", words(i), "page", "explore", "state", "a=1", "shared", "1")
		})},
		"/o/populator/templates": {least: 4, by: []string{"sort", "name"}, term: "bravo", fill: each(func(s *testkit.Server, a testkit.TestApp, i int) {
			s.Admin("/i/populator/templates/create", "app_id", a.ID, "name", words(i), "uniqueUserCount", "5", "platformType", `["iOS"]`, "behavior", `{}`)
		})},
		"/o/populator/environment/list": {least: 3, by: []string{"sort", "name"}, term: "bravo", fill: each(environment)},
		"/o/populator/environment/get": {
			least: 3, by: []string{"iSortCol_0", "1"}, term: "bravo", bare: "-", pairs: []string{"template_id", unknownID, "environment_id", "ENV"},
			fill: func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) { t.Helper(); people(t, s, a, from) },
		},
		"/o/token/list": {least: 3, by: []string{"sort", "purpose"}, term: "bravo", bare: "result", fill: each(func(s *testkit.Server, _ testkit.TestApp, i int) {
			s.Admin("/i/token/create", "purpose", words(i))
		})},
		"/o/users/all": {least: 4, by: []string{"sort", "full_name"}, term: "bravo", fill: func(t *testing.T, s *testkit.Server, _ testkit.TestApp, from int) {
			t.Helper()
			for i := from; i < from+rowsEach; i++ {
				createMember(t, s, words(i), nil)
			}
		}},
		"/o?method=views": {least: 3, by: []string{"iSortCol_0", "3"}, term: "bravo", bare: "-", pairs: []string{"action", "getTable"}, fill: func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
			t.Helper()
			for i := from; i < from+rowsEach; i++ {
				s.Ingest(a, "d", "timestamp", ms(-1000*int64(i)), "events", `[{"key":"[CLY]_view","segmentation":{"name":"`+words(i)+`","visit":1}}]`)
			}
			s.Flush()
		}},
		"/o?method=crashes":      {least: 3, by: []string{"iSortCol_0", "1"}, term: "bravo", bare: "-", fill: crashes},
		"/o?method=user_crashes": {least: 3, bare: "-", id: "group", pairs: []string{"uid", "1"}, fill: crashes},
		"/o?method=crash_jobs": {least: 3, by: []string{"iSortCol_0", "2"}, term: "bravo", fill: func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
			t.Helper()
			crashes(t, s, a, from)
			symbolicated(t, s, a, from)
		}},
		"/o/performance/table": {least: 3, by: []string{"sort", "p75"}, term: "bravo", bare: "-", id: "value", matching: true, pairs: []string{"measure", "lcp", "by", "name"}, fill: func(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
			t.Helper()
			for i := from; i < from+rowsEach; i++ {
				s.Ingest(a, "d", "timestamp", ms(-1000*int64(i)), "apm", `{"type":"device","name":"`+words(i)+`","apm_metrics":{"largest_contentful_paint":`+strconv.Itoa(1000+i)+`}}`)
			}
			s.Flush()
		}},
		"/o/users/sessions": {least: 3, by: []string{"sort", "agent"}, term: "bravo"},
	}
}

// symbolicated uploads maps that have no frame of the app's crashes, and has each tried.
func symbolicated(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
	t.Helper()
	var groups []struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "crashes", "app_id", a.ID, "list", "true"), &groups)
	for i := from; i < from+rowsEach; i++ {
		form := "--q\r\nContent-Disposition: form-data; name=\"symbols\"; filename=\"a.map\"\r\n\r\n{}\r\n--q--\r\n"
		r := s.Do("POST", "/i/crash_symbols/upload_symbol?"+testkit.Query("app_key", a.Key, "platform", "javascript", "build", words(i)), strings.NewReader(form),
			"Content-Type", "multipart/form-data; boundary=q")
		var symbol struct {
			ID string `json:"_id"`
		}
		testkit.Decode(t, r.Body, &symbol)
		r = s.Post("/i/crash_symbols/symbolicate", "api_key", s.Key, "app_id", a.ID, "crashgroup_id", groups[0].ID, "symbol_id", symbol.ID, "return_url", "x")
		if r.Status != 400 {
			t.Fatalf("a map of nothing has a frame: %d %s", r.Status, r.Body)
		}
	}
}

// answered is a table as it came.
type answered struct {
	Echo    any              `json:"sEcho"`
	Total   int              `json:"iTotalRecords"`
	Display int              `json:"iTotalDisplayRecords"`
	Rows    []map[string]any `json:"aaData"`
}

// TestWalkLists walks all routes that are lists: each is in the table above, comes in parts, sorts
// and searches, says how much there is, and cannot be asked for more than its bound.
func TestWalkLists(t *testing.T) {
	t.Parallel()
	known := lists()
	for _, r := range routes(t) {
		l, found := known[r.name()]
		if found != r.list {
			t.Errorf("%s: a list %t, in this test %t", r.name(), r.list, found)
		}
		delete(known, r.name())
		if found && r.list {
			t.Run(strings.Trim(strings.ReplaceAll(r.name(), "/", "_"), "_"), func(t *testing.T) {
				t.Parallel()
				walk(t, r, l)
			})
		}
	}
	for name := range known {
		t.Errorf("%s is no route", name)
	}
}

func walk(t *testing.T, r route, l list) {
	t.Helper()
	s := server(t)
	a := s.CreateApp("App", "UTC")
	key := []string{"api_key", s.Key}
	switch {
	case l.fill != nil:
		l.fill(t, s, a, 0)
	case r.path == "/o/users/sessions":
		key = sessionsOf(t, s)
	}
	base := slices.Concat(key, []string{"app_id", a.ID}, environmentOf(a, l.pairs))
	if r.method != "" {
		base = append(base, "method", r.method)
	}
	ask := func(pairs ...string) answered {
		t.Helper()
		got := s.Post(r.path, slices.Concat(base, []string{"sEcho", "7"}, pairs)...)
		var out answered
		testkit.Decode(t, got.Body, &out)
		if got.Status != http.StatusOK || out.Echo != "7" || out.Rows == nil || len(out.Rows) > out.Display || out.Display > out.Total {
			t.Fatalf("%v: %d %.600s", pairs, got.Status, got.Body)
		}
		return out
	}
	rows := func(got answered) (out []string) {
		for _, row := range got.Rows {
			text, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			if id, ok := row[orID(l.id)]; ok {
				text = []byte(fmt.Sprint(id))
			}
			out = append(out, string(text))
		}
		return out
	}
	all := ask()
	if all.Total < l.least || len(all.Rows) != all.Total || all.Display != all.Total {
		t.Fatalf("%d rows, %d of %d, want at least %d", len(all.Rows), all.Display, all.Total, l.least)
	}
	var parts []string
	for start := 0; start < all.Total; start++ {
		part := ask("iDisplayStart", strconv.Itoa(start), "iDisplayLength", "1")
		if len(part.Rows) != 1 || part.Total != all.Total || part.Display != all.Total {
			t.Fatalf("part %d: %d rows, %d of %d", start, len(part.Rows), part.Display, part.Total)
		}
		parts = append(parts, rows(part)...)
	}
	if !slices.Equal(parts, rows(all)) {
		t.Errorf("row by row: %q, at once: %q", parts, rows(all))
	}
	if beyond := ask("iDisplayStart", strconv.Itoa(all.Total), "iDisplayLength", "5"); len(beyond.Rows) != 0 || beyond.Display != all.Total {
		t.Errorf("beyond the end: %d rows of %d", len(beyond.Rows), beyond.Display)
	}
	if l.by != nil {
		up, down := rows(ask(append(l.by, "sSortDir_0", "asc")...)), rows(ask(append(l.by, "sSortDir_0", "desc")...))
		first := rows(ask(append(l.by, "sSortDir_0", "desc", "iDisplayLength", "1")...))
		if slices.Reverse(down); !slices.Equal(up, down) || first[0] != up[len(up)-1] {
			t.Errorf("up %q, down read backwards %q, first of down %q", up, down, first)
		}
	}
	if l.term != "" {
		one := ask("sSearch", strings.ToUpper(l.term))
		wantTotal := all.Total
		if l.matching {
			wantTotal = 1
		}
		if len(one.Rows) != 1 || one.Display != 1 || one.Total != wantTotal {
			t.Errorf("search: %q, %d of %d, want one of %d", rows(one), one.Display, one.Total, wantTotal)
		}
		for _, none := range []string{"no such row", "%", "' OR 1=1 --", "a\x00b", "\xff", "_%_"} {
			if got := ask("sSearch", none); len(got.Rows) != 0 || got.Display != 0 {
				t.Errorf("search for %q: %d rows", none, len(got.Rows))
			}
		}
	}
	for _, length := range []string{"-1", "0", "1e9", "1000000000", "99999999999999999999999", "-99999999999999999999999", "x", "\x00", "1;DROP TABLE documents", `{"$gt":0}`, "[]", "null"} {
		for _, name := range []string{"iDisplayLength", "iDisplayStart"} {
			got := ask(name, length)
			if got.Total != all.Total || name == "iDisplayLength" && len(got.Rows) != all.Total {
				t.Errorf("%s=%q: %d rows of %d, want %d", name, length, len(got.Rows), got.Total, all.Total)
			}
		}
	}
	for _, sort := range []string{"x", "-1", "99", `{"x":1}`, `{"a":1,"b":1}`, "{", "'", "ts; DROP TABLE documents"} {
		if got := ask("iSortCol_0", sort, "sort", sort); len(got.Rows) != all.Total {
			t.Errorf("sort by %q: %d rows", sort, len(got.Rows))
		}
	}
	bare(t, l, s.Post(r.path, append(base, "iDisplayLength", "1")...), all.Total)
}

// environmentOf are the parameters of a list, with the id of the environment that people fill in the place of ENV.
func environmentOf(a testkit.TestApp, pairs []string) []string {
	out := slices.Clone(pairs)
	for i, text := range out {
		if text == "ENV" {
			sum := sha1.Sum([]byte(a.ID + "env")) // the wire names it
			out[i] = hex.EncodeToString(sum[:])
		}
	}
	return out
}

// bare looks at the form of a list when no table is wanted.
func bare(t *testing.T, l list, got testkit.Response, total int) {
	t.Helper()
	var at any
	testkit.Decode(t, got.Body, &at)
	object, _ := at.(map[string]any)
	if _, isTable := object["aaData"]; isTable != (l.bare == "-") {
		t.Errorf("a table %t: %.300s", isTable, got.Body)
	}
	switch l.bare {
	case "":
	case "-":
		at = object["aaData"]
	default:
		at = object[l.bare]
	}
	n := -1
	switch x := at.(type) {
	case []any:
		n = len(x)
	case map[string]any:
		n = len(x)
	}
	if n != min(total, 1) {
		t.Errorf("%d rows when one is wanted: %.300s", n, got.Body)
	}
}

func orID(id string) string {
	if id == "" {
		return "_id"
	}
	return id
}

// sessionsOf signs in with several browsers, and returns the credentials with which each sees the sessions.
func sessionsOf(t *testing.T, s *testkit.Server) []string {
	t.Helper()
	createMember(t, s, "ann", nil)
	for i := range rowsEach {
		signIn(t, s, "ann", password, "User-Agent", words(i))
	}
	return []string{"api_key", s.APIKey("ann", password)}
}

func environment(s *testkit.Server, a testkit.TestApp, i int) {
	s.Admin("/i/populator/environment/save", "app_id", a.ID, "setEnviromentInformationOnce", "true", "users",
		`[{"deviceId":"d`+words(i)+`","templateId":"`+unknownID+`","appId":"`+a.ID+`","environmentName":"`+words(i)+`","userName":"u","platform":"iOS","device":"x","appVersion":"1","custom":{}}]`)
}

func people(t *testing.T, s *testkit.Server, a testkit.TestApp, from int) {
	t.Helper()
	var list []string
	for i := from; i < from+rowsEach; i++ {
		list = append(list, `{"deviceId":"d`+words(i)+`","templateId":"`+unknownID+`","appId":"`+a.ID+`","environmentName":"env","userName":"`+words(i)+`","platform":"iOS","device":"x","appVersion":"1","custom":{}}`)
	}
	s.Admin("/i/populator/environment/save", "app_id", a.ID, "setEnviromentInformationOnce", "true", "users", "["+strings.Join(list, ",")+"]")
}
