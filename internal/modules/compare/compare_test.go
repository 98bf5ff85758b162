package compare_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// now is a Wednesday.
var now = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func at(days int) string { return fmt.Sprint(now.AddDate(0, 0, days).Unix()) }

func TestApps(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(now))
	a, b := s.CreateApp("busy", "UTC"), s.CreateApp("idle", "Asia/Tokyo")
	s.Ingest(a, "one", "begin_session", "1", "session_duration", "30", "timestamp", at(-2)) // before the period
	s.Ingest(a, "one", "end_session", "1", "timestamp", at(-2))
	s.Ingest(a, "one", "begin_session", "1", "session_duration", "90", "timestamp", at(0))
	s.Ingest(a, "two", "begin_session", "1", "session_duration", "60", "timestamp", at(-1))
	s.Flush()

	got := s.Admin("/o/compare/apps", "apps", `["`+b.ID+`","`+a.ID+`","`+b.ID+`"]`, "period", "2days")
	zeros := func(value string) string { return `[[0,` + value + `],[1,` + value + `]]` }
	quiet := `{"id":"` + b.ID + `","name":"idle","sessions":{"total":0,"change":"NA","trend":"u"},"users":{"total":0,"change":"NA","trend":"u","is_estimate":true},` +
		`"newusers":{"total":0,"change":"NA","trend":"u"},"duration":{"total":"0.0 min","change":"NA","trend":"u"},"avgduration":{"total":"0.0 min","change":"NA","trend":"u"},` +
		`"charts":{"total-users":` + zeros("0") + `,"new-users":` + zeros("0") + `,"total-sessions":` + zeros("0") +
		`,"time-spent":` + zeros(`"0.0"`) + `,"total-time-spent":` + zeros(`"0.0"`) + `,"avg-events-served":` + zeros(`"0.0"`) + `}}`
	busy := `{"id":"` + a.ID + `","name":"busy","sessions":{"total":2,"change":"100%","trend":"u"},"users":{"total":2,"change":"100%","trend":"u","is_estimate":false},` +
		`"newusers":{"total":1,"change":"0%","trend":"u"},"duration":{"total":"2.5 min","change":"400%","trend":"u"},"avgduration":{"total":"1.3 min","change":"150%","trend":"u"},` +
		`"charts":{"total-users":[[0,1],[1,1]],"new-users":[[0,1],[1,0]],"total-sessions":[[0,1],[1,1]],` +
		`"time-spent":[[0,"1.0"],[1,"1.5"]],"total-time-spent":[[0,"1.0"],[1,"1.5"]],"avg-events-served":[[0,"1.0"],[1,"1.0"]]}}`
	if want := "[" + quiet + "," + busy + "]"; got != want {
		t.Errorf("two apps:\n%s, want\n%s", got, want)
	}
}

// TestAppsRefused: what is missing, too much or not the caller's is refused in the wire's order and words.
func TestAppsRefused(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(now))
	a, b := s.CreateApp("mine", "UTC"), s.CreateApp("theirs", "UTC")
	var member struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", `{"full_name":"Ada","username":"ada","email":"ada@example.org","password":"Leopard-42-moss",`+
		`"permission":{"_":{"u":[["`+a.ID+`"]],"a":[]},"r":{"`+a.ID+`":{"all":true,"allowed":{}}}}}`), &member)
	var token struct {
		Text string `json:"result"`
	}
	testkit.Decode(t, s.Admin("/i/token/create", "apps", a.ID), &token)
	const right = "User does not have view rights for one or more apps provided in apps parameter"
	many := `["` + strings.Repeat(a.ID+`","`, 20) + a.ID + `"]`
	for _, test := range []struct {
		name, key, apps string
		status          int
		result          string
	}{
		{"no credentials", "", many, 400, `Missing parameter \"api_key\" or \"auth_token\"`},
		{"unknown key", strings.Repeat("0", 32), many, 401, "User does not exist"},
		{"none", s.Key, "", 400, "Missing parameter: apps"},
		{"no list", s.Key, `{"a":1}`, 400, "Missing parameter: apps"},
		{"numbers", s.Key, `[1]`, 400, "Missing parameter: apps"},
		{"an empty list", s.Key, `[]`, 400, "Missing parameter: apps"},
		{"too many", s.Key, many, 400, "Maximum length for parameter apps is 20"},
		{"a short id", s.Key, `["` + a.ID + `","12"]`, 400, "Invalid app id length in apps parameter, each app id should be 24 characters long"},
		{"no hex", s.Key, `["` + strings.Repeat("x", 24) + `"]`, 401, "App does not exist"},
		{"unknown", s.Key, `["` + strings.Repeat("a", 24) + `"]`, 401, "App does not exist"},
		{"not theirs", member.Key, `["` + a.ID + `","` + b.ID + `"]`, 401, right},
		{"unknown to them", member.Key, `["` + strings.Repeat("a", 24) + `"]`, 401, right},
	} {
		pairs := []string{"period", "7days"}
		if test.apps != "" {
			pairs = append(pairs, "apps", test.apps)
		}
		if test.key != "" {
			pairs = append(pairs, "api_key", test.key)
		}
		if r := s.Get("/o/compare/apps", pairs...); r.Status != test.status || r.Body != `{"result":"`+test.result+`"}` {
			t.Errorf("%s: %d %s, want %d %s", test.name, r.Status, r.Body, test.status, test.result)
		}
	}
	if r := s.Get("/o/compare/apps", "api_key", member.Key, "apps", `["`+a.ID+`"]`); r.Status != http.StatusOK {
		t.Errorf("their own: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/o/compare/apps", "auth_token", token.Text, "apps", `["`+a.ID+`"]`); r.Status != http.StatusOK {
		t.Errorf("a token of the app: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/o/compare/apps", "auth_token", token.Text, "apps", `["`+b.ID+`"]`); r.Status == http.StatusOK {
		t.Errorf("a token of another app: %s", r.Body)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("shop", "UTC")
	s.Ingest(a, "one", "begin_session", "1", "timestamp", at(0), "events",
		`[{"key":"buy","count":2,"segmentation":{"plan":"pro"}},{"key":"look","count":3},{"key":"leave"}]`)
	s.Flush()
	s.Admin("/i/event_groups/create", "args", `{"app_id":"`+a.ID+`","name":"both","source_events":["buy","look"],"status":true}`)
	var groups []struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o", "app_id", a.ID, "method", "get_event_groups"), &groups)
	group := groups[0].ID

	type document struct {
		Year struct {
			Count int `json:"c"`
			Month struct {
				Count int `json:"c"`
				Day   struct {
					Count int `json:"c"`
					Hour  struct {
						Count int `json:"c"`
					} `json:"9"`
				} `json:"14"`
			} `json:"5"`
		} `json:"2031"`
		Meta map[string][]string `json:"meta"`
	}
	var docs map[string]document
	testkit.Decode(t, s.Admin("/o/compare/events", "app_id", a.ID, "events", `["buy","look","`+group+`","never"]`, "period", "30days"), &docs)
	for key, want := range map[string]int{"buy": 2, "look": 3, group: 5, "never": 0} {
		d, there := docs[key]
		m := d.Year.Month
		if got := [4]int{d.Year.Count, m.Count, m.Day.Count, m.Day.Hour.Count}; !there || got != [4]int{want, want, want, want} || d.Meta["segments"] == nil {
			t.Errorf("%s: there %t, counts %v by year, month, day and hour, want %d; meta %v", key, there, got, want, d.Meta)
		}
	}
	if len(docs) != 4 || fmt.Sprint(docs["buy"].Meta["plan"]) != "[pro]" {
		t.Errorf("%d documents, meta %v", len(docs), docs["buy"].Meta)
	}
	if got := s.Admin("/o/compare/events", "events", `["buy"]`); got != `{"buy":{"meta":{"segments":[]}}}` {
		t.Errorf("of no app: %s", got)
	}
	list, err := json.Marshal(make([]string, 21))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, events, result string }{
		{"none", "", "Missing parameter: events"},
		{"text", "buy", "Missing parameter: events"},
		{"too many", string(list), "Maximum length for parameter events is 20"},
	} {
		if r := s.Get("/o/compare/events", "api_key", s.Key, "app_id", a.ID, "events", test.events); r.Status != http.StatusBadRequest || r.Body != `{"result":"`+test.result+`"}` {
			t.Errorf("%s: %d %s, want %s", test.name, r.Status, r.Body, test.result)
		}
	}
}
