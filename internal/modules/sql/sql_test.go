package sql_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"quipu/internal/store/events/duck/sqlworker"
	"quipu/internal/testkit"
)

const worker = "sql-worker"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == worker {
		os.Exit(sqlworker.Work(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func server(t *testing.T) *testkit.Server {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return testkit.New(t, testkit.At(start), testkit.WithProgram(program, worker))
}

// fill sends what two users of an app did; what they bought is named after the app.
func fill(s *testkit.Server, a testkit.TestApp, what string) {
	at := func(n int) string { return fmt.Sprint(start.UnixMilli() + int64(n)*1000) }
	s.Ingest(a, "d1-"+what, "timestamp", at(-900), "begin_session", "1", "metrics", `{"_os":"Android","_app_version":"2.1"}`, "country_code", "DE",
		"user_details", `{"email":"`+what+`@example.org","custom":{"plan":"`+what+`","seats":7}}`)
	s.Ingest(a, "d1-"+what, "timestamp", at(-800), "events", `[{"key":"pay","count":1,"sum":2.5,"timestamp":`+at(-800)+`,"segmentation":{"what":"`+what+`","amount":3,"Count":1}}]`)
	s.Ingest(a, "d2-"+what, "timestamp", at(-700), "events", `[{"key":"pay","count":2,"sum":4,"timestamp":`+at(-700)+`,"segmentation":{"what":"it's","amount":1}}]`)
	s.Ingest(a, "d1-"+what, "timestamp", at(-600), "end_session", "1", "session_duration", "42")
	s.Flush()
}

type answer struct {
	Columns   []struct{ Name, Type string }
	Rows      []json.RawMessage
	Truncated bool
	Read      int64
}

func run(t *testing.T, s *testkit.Server, a testkit.TestApp, statement string, more ...string) string {
	t.Helper()
	var got answer
	testkit.Decode(t, s.Admin("/o/sql", append([]string{"app_id", a.ID, "sql", statement}, more...)...), &got)
	var rows []string
	for _, r := range got.Rows {
		rows = append(rows, string(r))
	}
	return strings.Join(rows, " ")
}

func TestStatements(t *testing.T) {
	s := server(t)
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a, "tea")
	for _, tt := range []struct{ name, statement, want string }{
		{"events", "SELECT event, what, amount, count, sum FROM events WHERE event = 'pay' ORDER BY time", `["pay","tea",3,1,2.5] ["pay","it's",1,2,4]`},
		{"a property named as a column", "SELECT count_2 FROM events WHERE what = 'tea'", "[1]"},
		{"users then", "SELECT user_os, user_custom_plan, user_custom_seats FROM events WHERE what = 'tea'", `["Android","tea",7]`},
		{"users", "SELECT count(*), max(email), max(custom_plan), sum(custom_seats), max(os) FROM users", `[2,"tea@example.org","tea",7,"Android"]`},
		{"sessions", "SELECT duration, date_diff('second', started, ended), os FROM sessions", `[42,300,"Android"]`},
		{"joined", "SELECT u.email, sum(e.sum) FROM events e JOIN users u USING (user_id) WHERE event = 'pay' GROUP BY 1 ORDER BY 2", `["tea@example.org",2.5] [null,4]`},
		{"the app's zone", "SELECT DISTINCT date_trunc('hour', time) FROM events WHERE event = 'pay'", `["2031-05-14T11:00:00+02:00"]`},
		{"counting", "SELECT count(*) FROM users", "[2]"},
	} {
		if got := run(t, s, a, tt.statement); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := run(t, s, a, "SELECT count(*) FROM events", "period", "yesterday"); got != "[0]" {
		t.Errorf("yesterday: %s", got)
	}
	if got := run(t, s, a, "SELECT 1 AS a, 'x' AS a", "form", "objects"); got != `{"a":1,"a_1":"x"}` && got != `{"a":1,"a_2":"x"}` {
		t.Errorf("objects: %s", got)
	}
	if got := run(t, s, s.CreateApp("empty", "UTC"), "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM users), (SELECT count(*) FROM sessions)"); got != "[0,0,0]" {
		t.Errorf("an app without rows: %s", got)
	}
	for _, tt := range []struct{ statement, code string }{
		{"", "sql.missing"},
		{" ", "sql.missing"},
		{"SELECT nothing FROM events", "sql.invalid"},
		{"SELECT (", "sql.invalid"},
		{"SELECT '\x00'", "sql.invalid"},
		{"SELECT CAST(what AS INT) FROM events", "sql.invalid"},
		{"DROP TABLE events", "sql.not_allowed"},
		{"FROM read_text('/etc/passwd')", "sql.not_allowed"},
		{strings.Repeat("(", 66_000), "sql.invalid"},
	} {
		r := s.Do(http.MethodPost, "/o/sql?api_key="+s.Key+"&app_id="+a.ID, strings.NewReader(testkit.Query("sql", tt.statement)), "Content-Type", "application/x-www-form-urlencoded")
		if code := r.Header.Get("Quipu-Error"); r.Status != http.StatusBadRequest || !strings.Contains(code, tt.code) || strings.Contains(r.Body, "CREATE TABLE") {
			t.Errorf("%.40q: %d %s %.200s, want %s", tt.statement, r.Status, code, r.Body, tt.code)
		}
	}
	// Where it is, for programs: in the body of the protocol and in that of a problem.
	for _, accept := range []string{"application/json", "application/problem+json"} {
		r := s.Do(http.MethodGet, "/o/sql?"+testkit.Query("api_key", s.Key, "app_id", a.ID, "sql", "SELECT 1\n  x y FROM events"), nil, "Accept", accept)
		var got struct{ Params map[string]int }
		testkit.Decode(t, r.Body, &got)
		if r.Status != http.StatusBadRequest || got.Params["line"] != 2 || got.Params["character"] != 5 {
			t.Errorf("%s: %d %s, want line 2, character 5", accept, r.Status, r.Body)
		}
	}
	if r := s.Get("/o/export/request", "api_key", s.Key, "path", "/o/sql?form=objects&app_id="+a.ID+"&sql="+"SELECT%20event%2C%20sum%20FROM%20events%20WHERE%20event%20%3D%20%27pay%27%20ORDER%20BY%20time", "prop", "rows", "type", "csv"); r.Body != "\"event\",\"sum\"\r\n\"pay\",\"2.5\"\r\n\"pay\",\"4\"\r\n" && !strings.Contains(r.Body, "2.5") {
		t.Errorf("export: %d %q", r.Status, r.Body)
	}
}

// TestTenants asks one of two apps that share tables for the other's rows, in all places in which an app can stand.
func TestTenants(t *testing.T) {
	s := server(t)
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a, "tea")
	fill(s, b, "milk")
	for _, statement := range []string{
		"SELECT * FROM events", "SELECT * FROM users", "SELECT * FROM sessions", "SELECT e FROM events e", "SELECT COLUMNS('.*') FROM users",
		"SELECT * FROM events WHERE true OR app = 2", "SELECT * FROM events, users, sessions", "WITH RECURSIVE x AS (SELECT * FROM events UNION SELECT * FROM events) SELECT * FROM x",
		"SELECT CAST(what AS INT) FROM events", "SELECT CAST(email AS INT) FROM users", "FROM e_" + b.ID, "FROM u_" + b.ID, "FROM own.events",
		"SELECT * FROM events WHERE what = 'milk' OR user_custom_plan = 'milk'", "SELECT string_agg(what, ',') FROM events", "SELECT app FROM events",
	} {
		for _, period := range []string{"30days", "[0,99999999999999]"} {
			body := s.Post("/o/sql", "api_key", s.Key, "app_id", a.ID, "sql", statement, "period", period).Body
			if strings.Contains(strings.ReplaceAll(body, statement, ""), "milk") && !strings.Contains(statement, "'milk'") || strings.Contains(body, "milk@") {
				t.Errorf("%s shows the other app: %s", statement, body)
			}
		}
	}
	if got := run(t, s, a, "SELECT DISTINCT what FROM events WHERE what IS NOT NULL ORDER BY 1"); got != `["it's"] ["tea"]` {
		t.Errorf("got %s", got)
	}
	if got := run(t, s, b, "SELECT max(email), count(*) FROM users"); got != `["milk@example.org",2]` {
		t.Errorf("got %s", got)
	}
}

// member makes a member of an app and returns the key.
func member(s *testkit.Server, a testkit.TestApp, name, rights string) string {
	all := fmt.Sprintf(`{%q:{"all":false,"allowed":%s}}`, a.ID, rights)
	s.Admin("/i/users/create", "args", `{"full_name":"`+name+`","username":"`+name+`","password":"Passw0rd!x","email":"`+name+`@example.org","permission":{"_":{"a":[],"u":[["`+a.ID+`"]]},"c":`+all+`,"r":`+all+`,"u":`+all+`,"d":`+all+`}}`)
	return s.APIKey(name, "Passw0rd!x")
}

func TestRights(t *testing.T) {
	s := server(t)
	a := s.CreateApp("a", "UTC")
	fill(s, a, "tea")
	none := member(s, a, "none", `{"core":true,"events":true,"users":true,"drill":true}`)
	some := member(s, a, "some", `{"core":true,"sql":true}`)
	all := member(s, a, "all", `{"core":true,"sql":true,"users":true}`)
	ask := func(key, path string, pairs ...string) testkit.Response {
		return s.Post(path, append([]string{"api_key", key, "app_id", a.ID}, pairs...)...)
	}
	for _, path := range []string{"/o/sql", "/o/sql/schema", "/o/sql/queries", "/i/sql/save", "/i/sql/delete"} {
		if r := ask(none, path, "sql", "SELECT 1", "name", "x"); r.Status == http.StatusOK {
			t.Errorf("%s without the right: %s", path, r.Body)
		}
	}
	if r := ask(some, "/o/sql", "sql", "SELECT email FROM users"); r.Status != http.StatusBadRequest || strings.Contains(r.Body, "tea@") {
		t.Errorf("an address without the right to read users: %d %s", r.Status, r.Body)
	}
	if r := ask(some, "/o/sql", "sql", "FROM users"); r.Status != http.StatusOK || strings.Contains(r.Body, "email") || strings.Contains(r.Body, "d1-tea") {
		t.Errorf("users without the right to read them: %d %s", r.Status, r.Body)
	}
	if r := ask(all, "/o/sql", "sql", "SELECT email FROM users ORDER BY 1"); !strings.Contains(r.Body, "tea@example.org") {
		t.Errorf("with it: %d %s", r.Status, r.Body)
	}
	if r := ask(some, "/o/sql/schema"); strings.Contains(r.Body, `"email"`) || !strings.Contains(r.Body, `"sessions"`) {
		t.Errorf("schema: %s", r.Body)
	}
	// Saved queries: one's own, those that are shared, and nobody else's.
	save := func(key string, pairs ...string) testkit.Response {
		return ask(key, "/i/sql/save", append([]string{"sql", "SELECT 1"}, pairs...)...)
	}
	var own, shared struct{ Result string }
	testkit.Decode(t, save(some, "name", "mine").Body, &own)
	testkit.Decode(t, save(some, "name", "ours", "shared", "true", "chart", "line", "period", "7days").Body, &shared)
	if r := ask(all, "/o/sql/queries"); strings.Contains(r.Body, "mine") || !strings.Contains(r.Body, "ours") || !strings.Contains(r.Body, `"editable":false`) {
		t.Errorf("list of another: %s", r.Body)
	}
	if r := save(all, "query_id", own.Result, "name", "x"); r.Status != http.StatusNotFound {
		t.Errorf("changing what one does not see: %d %s", r.Status, r.Body)
	}
	if r := save(all, "query_id", shared.Result, "name", "x"); r.Status != http.StatusForbidden {
		t.Errorf("changing another's: %d %s", r.Status, r.Body)
	}
	if r := ask(all, "/i/sql/delete", "query_id", shared.Result); r.Status != http.StatusForbidden {
		t.Errorf("deleting another's: %d %s", r.Status, r.Body)
	}
	for _, bad := range [][]string{{"name", ""}, {"name", strings.Repeat("x", 201)}, {"name", "x", "chart", "pie"}, {"name", "x", "period", "nonsense"}, {"name", "x", "sql", ""}, {"name", "x", "sql", strings.Repeat("x", 70_000)}} {
		if r := save(some, bad...); r.Status != http.StatusBadRequest && r.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("%.60q: %d %.100s", bad, r.Status, r.Body)
		}
	}
	other := s.CreateApp("b", "UTC")
	if r := s.Post("/i/sql/delete", "api_key", s.Key, "app_id", other.ID, "query_id", shared.Result); r.Status != http.StatusNotFound {
		t.Errorf("by way of another app: %d %s", r.Status, r.Body)
	}
	if r := ask(some, "/i/sql/delete", "query_id", shared.Result); r.Status != http.StatusOK {
		t.Errorf("deleting one's own: %d %s", r.Status, r.Body)
	}
	log := s.Admin("/o", "method", "systemlogs", "app_id", a.ID, "query", `{"a":{"$in":["sql_run","sql_save","sql_delete"]}}`)
	for _, want := range []string{"sql_run", "sql_save", "sql_delete", "SELECT email FROM users", "sql.invalid"} {
		if !strings.Contains(log, want) {
			t.Errorf("the audit log lacks %s: %.2000s", want, log)
		}
	}
}
