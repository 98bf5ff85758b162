package logger_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

type row struct {
	Query     string            `json:"q"`
	Cancelled any               `json:"c"`
	Types     map[string]string `json:"t"`
}

func logs(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) (rows []row, state string) {
	t.Helper()
	var out struct {
		Logs  []row  `json:"logs"`
		State string `json:"state"`
	}
	testkit.Decode(t, s.Admin("/o", append([]string{"method", "logs", "app_id", a.ID}, pairs...)...), &out)
	return out.Logs, out.State
}

func info(t *testing.T, s *testkit.Server, a testkit.TestApp) string {
	t.Helper()
	return s.Admin("/o", "method", "collection_info", "app_id", a.ID)
}

func TestRow(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "d1", "begin_session", "1", "metrics", `{"_os":"Android","_os_version":"14","_device":"Pixel 9","_app_version":"3.4"}`, "country_code", "de", "city", "Berlin")
	s.Flush()
	r := s.Do(http.MethodGet, "/i?"+testkit.Query("device_id", "d1", "app_key", a.Key, "sdk_name", "js", "sdk_version", "24.1", "timestamp", "1936500000", "events", `[{"key":"<b>"}]`), nil,
		"User-Agent", "test", "Cookie", "secret=1", "countly-token", "secret", "Accept-Encoding", "identity")
	if r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	s.Flush()
	body := s.Do(http.MethodGet, "/o?"+testkit.Query("method", "logs", "app_id", a.ID, "api_key", s.Key, "filter", `{"s.name":"js"}`), nil, "Accept", "application/json;escape=none").Body
	testkit.GoldenJSON(t, "row", body,
		testkit.Volatile{Pattern: regexp.MustCompile(`"_id":"[0-9a-f]{24}"`), With: `"_id":"ID"`},
		testkit.Volatile{Pattern: regexp.MustCompile(a.Key), With: "KEY"},
		testkit.Volatile{Pattern: regexp.MustCompile(`127\.0\.0\.1:\d+`), With: "HOST"})
	if strings.Contains(body, "secret") {
		t.Errorf("the log shows credentials: %s", body)
	}
	if got, want := info(t, s, a), `{"capped":true,"count":2,"max":1000,"status":"automatic"}`; got != want {
		t.Errorf("info %s, want %s", got, want)
	}
}

// TestQuery shows that the parameters are shown as they came, in their order, and nothing else.
func TestQuery(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Do(http.MethodGet, "/i?device_id=d1&app_key="+a.Key, nil)
	s.Do(http.MethodPost, "/i?b=2", strings.NewReader(`{"app_key":"`+a.Key+`","device_id":"d2","events":[{"key":"x"}],"n":5}`), "Content-Type", "application/json")
	s.Do(http.MethodPost, "/i/bulk?app_key="+a.Key, strings.NewReader(testkit.Query("requests", `[{"device_id":"d3","begin_session":1},{"no":"device"}]`)), "Content-Type", "application/x-www-form-urlencoded")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":"pepper"}`)
	s.Do(http.MethodGet, "/i?device_id=d4&app_key="+a.Key, nil)
	s.Do(http.MethodGet, "/i?device_id=d5&app_key="+a.Key+"&auth_token=secret&api_key="+s.Key, nil)
	rows, _ := logs(t, s, a)
	want := []row{
		{Query: `{"device_id":"d5","app_key":"` + a.Key + `","auth_token":"…","api_key":"…"}`, Cancelled: "Request does not have checksum"},
		{Query: `{"device_id":"d4","app_key":"` + a.Key + `"}`, Cancelled: "Request does not have checksum"},
		{Query: `{"no":"device"}`, Cancelled: "malformed"},
		{Query: `{"device_id":"d3","begin_session":"1"}`, Cancelled: false},
		{Query: `{"b":"2","app_key":"` + a.Key + `","device_id":"d2","events":"[{\"key\":\"x\"}]","n":"5"}`, Cancelled: false},
		{Query: `{"device_id":"d1","app_key":"` + a.Key + `"}`, Cancelled: false},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d: %v", len(rows), len(want), rows)
	}
	for i, w := range want {
		if rows[i].Query != w.Query || rows[i].Cancelled != w.Cancelled {
			t.Errorf("row %d: %s, cancelled %v; want %s, %v", i, rows[i].Query, rows[i].Cancelled, w.Query, w.Cancelled)
		}
	}
	if got := rows[3].Types["begin_session"]; got != "1" {
		t.Errorf("types %v lack begin_session", rows[3].Types)
	}
}

func TestStates(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	set := func(settings string) {
		t.Helper()
		s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"logger":`+settings+`}`)
	}
	send := func(n int) {
		t.Helper()
		for i := range n {
			s.Ingest(a, "d", "n", fmt.Sprint(i), "rr", "1")
		}
	}
	shown := func() string {
		t.Helper()
		var details struct {
			App struct {
				Plugins map[string]map[string]any `json:"plugins"`
			} `json:"app"`
		}
		testkit.Decode(t, s.Admin("/o/apps/details", "app_id", a.ID), &details)
		state, _ := details.App.Plugins["logger"]["state"].(string)
		return state
	}
	expect := func(when string, wantRows int, wantState string) {
		t.Helper()
		if rows, state := logs(t, s, a); len(rows) != wantRows || state != wantState {
			t.Errorf("%s: %d rows, state %s; want %d, %s", when, len(rows), state, wantRows, wantState)
		}
	}
	set(`{"state":"off"}`)
	send(2)
	expect("off", 0, "off")
	set(`{"state":"on","limit":2}`)
	send(4)
	expect("on, whatever the limit", 4, "on")
	set(`{"state":"automatic","limit":3}`)
	send(3)
	expect("automatic at the limit", 7, "automatic")
	s.Clock().Set(start.Add(time.Minute))
	send(2)
	expect("automatic in the next minute", 9, "automatic")
	send(5)
	expect("automatic past the limit", 10, "off")
	if got := shown(); got != "off" {
		t.Errorf("details show the state %q, want off", got)
	}
	set(`{"state":"automatic","limit":3}`)
	s.Clock().Set(start.Add(2 * time.Minute))
	send(5)
	s.Clock().Set(start.Add(3 * time.Minute))
	send(2) // of the next minute, before the log is off
	expect("automatic past the limit again", 13, "off")
	// Requests that pass limits, and flushes, at once: go test -race.
	set(`{"state":"automatic","limit":1}`)
	s.Clock().Set(start.Add(4 * time.Minute))
	var reading sync.WaitGroup
	for range 4 {
		reading.Go(func() {
			for range 5 {
				s.Admin("/o", "method", "logs", "app_id", a.ID)
			}
		})
	}
	send(20)
	reading.Wait()
	expect("flushed meanwhile", 14, "off")
	s.Stop()
	s.Start()
	expect("after a restart", 14, "off")
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	expect("after a reset", 0, "off")
}

// TestCapped sends more than an app keeps.
func TestCapped(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"logger":{"state":"on"}}`)
	items := make([]map[string]string, 600)
	for round := range 2 {
		for i := range items {
			items[i] = map[string]string{"device_id": "d", "n": fmt.Sprint(round*600 + i)}
		}
		text, err := json.Marshal(items)
		if err != nil {
			t.Fatal(err)
		}
		if r := s.Post("/i/bulk", "app_key", a.Key, "requests", string(text)); r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		info(t, s, a)
	}
	rows, _ := logs(t, s, a)
	if len(rows) != 1000 || rows[0].Query != `{"device_id":"d","n":"1199"}` || rows[999].Query != `{"device_id":"d","n":"200"}` {
		t.Errorf("%d rows, want the newest 1000", len(rows))
	}
}

// TestTable narrows the log as the dashboard does, by values that mean something elsewhere, too.
func TestTable(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"logger":{"state":"on"}}`)
	hostile := `"><img src=x onerror=alert(1)>'; DROP TABLE documents --%_`
	s.Ingest(a, hostile, "begin_session", "1")
	s.Ingest(a, "plain", "events", `[{"key":"buy"}]`)
	s.Ingest(a, "broken", "events", `[{"key":`)
	s.Post("/i", "app_key", a.Key, "device_id", "posted", "consent", `{"events":true}`)
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":"pepper"}`)
	s.Do(http.MethodGet, "/i?"+testkit.Query("app_key", a.Key, "device_id", "unsigned"), nil)
	s.Ingest(other, "elsewhere", "begin_session", "1")
	s.Flush()
	for _, tt := range []struct {
		name  string
		pairs []string
		want  []string
	}{
		{"the newest first", nil, []string{"unsigned", "posted", "broken", "plain", hostile}},
		{"a page", []string{"iDisplayStart", "1", "iDisplayLength", "2"}, []string{"posted", "broken"}},
		{"by device id", []string{"sort", `{"id":1}`}, []string{hostile, "broken", "plain", "posted", "unsigned"}},
		{"by method, back", []string{"sort", `{"method":-1}`, "iDisplayLength", "1"}, []string{"posted"}},
		{"searched", []string{"sSearch", hostile}, []string{hostile}},
		{"searched as a pattern", []string{"sSearch", "%_"}, []string{hostile}},
		{"searched by refusal", []string{"sSearch", "CHECKSUM"}, []string{"unsigned"}},
		{"of another app", []string{"sSearch", "elsewhere"}, []string{}},
		{"of a kind", []string{"filter", `{"t.events":{"$exists":true}}`}, []string{"broken", "plain"}},
		{"taken", []string{"filter", `{"c":false}`}, []string{"posted", "broken", "plain", hostile}},
		{"refused", []string{"filter", `{"c":{"$ne":false}}`}, []string{"unsigned"}},
		{"with problems", []string{"filter", `{"p":{"$not":{"$size":0}}}`}, []string{"broken"}},
		{"by an id that is none", []string{"filter", `{"_id":"x"}`}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out struct {
				Total   int      `json:"iTotalRecords"`
				Display int      `json:"iTotalDisplayRecords"`
				Kinds   []string `json:"kinds"`
				State   string   `json:"state"`
				Rows    []struct {
					ID     string `json:"_id"`
					Device struct {
						ID string `json:"id"`
					} `json:"d"`
				} `json:"aaData"`
			}
			ask := func(pairs ...string) {
				out.Rows = nil
				testkit.Decode(t, s.Admin("/o", append([]string{"method", "logs", "app_id", a.ID, "sEcho", "1"}, pairs...)...), &out)
			}
			ask(tt.pairs...)
			got := []string{}
			for _, r := range out.Rows {
				got = append(got, html.UnescapeString(r.Device.ID))
			}
			if !slices.Equal(got, tt.want) || out.Total != 5 || out.State != "on" {
				t.Errorf("%q of %d, %s; want %q", got, out.Total, out.State, tt.want)
			}
			if slices.Sort(out.Kinds); !slices.Equal(out.Kinds, []string{"begin_session", "consent", "events"}) {
				t.Errorf("kinds %q", out.Kinds)
			}
			if len(out.Rows) > 0 {
				id := out.Rows[0].ID
				if ask("filter", `{"_id":"`+id+`"}`); len(out.Rows) != 1 || out.Rows[0].ID != id {
					t.Errorf("by its id: %v", out.Rows)
				}
			}
		})
	}
}

func TestSwitchedOff(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/plugins", "plugin", `{"logger":false}`)
	s.Ingest(a, "d")
	s.Admin("/i/plugins", "plugin", `{"logger":true}`)
	if rows, _ := logs(t, s, a); len(rows) != 0 {
		t.Errorf("%d rows of a module that was off", len(rows))
	}
}
