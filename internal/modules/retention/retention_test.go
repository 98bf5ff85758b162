package retention_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// fill sends what three users did: 1 begins on the 10th and comes on the 11th and 14th, 2 begins on the 11th and comes on the 12th,
// 3 began in April and comes on the 10th.
func fill(s *testkit.Server, a testkit.TestApp) {
	visit := func(device string, month time.Month, day int, pay float64) {
		ms := time.Date(2031, month, day, 8, 0, 0, 0, time.UTC).UnixMilli()
		s.Ingest(a, device, "timestamp", fmt.Sprint(ms), "begin_session", "1", "metrics", `{"_os":"`+map[bool]string{true: "iOS", false: "Android"}[device == "d1"]+`"}`)
		s.Ingest(a, device, "timestamp", fmt.Sprint(ms+1000), "events", fmt.Sprintf(`[{"key":"pay","sum":%g,"timestamp":%d,"segmentation":{"what":"tea"}}]`, pay, ms+1000))
	}
	visit("d3", 4, 20, 1)
	visit("d1", 5, 10, 2)
	visit("d3", 5, 10, 4)
	visit("d1", 5, 11, 8)
	visit("d2", 5, 11, 16)
	visit("d2", 5, 12, 32)
	visit("d1", 5, 14, 64)
	s.Flush()
}

// TestTable has the answers of the wire.
func TestTable(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	for name, tt := range map[string]struct{ pairs, want string }{
		"full": {"period=adaily span=4", `[{"_id":"20310511","tu":2,"1":1,"2":0,"3":1},{"_id":"20310512","tu":1,"1":0,"2":0},{"_id":"20310513","tu":0,"1":0},{"_id":"20310514","tu":1}]`},
		"classic, in a range": {
			fmt.Sprintf("period=adaily rettype=classic range=[%d,%d]", start.AddDate(0, 0, -4).UnixMilli(), start.AddDate(0, 0, -2).UnixMilli()),
			`[{"_id":"20310510","tu":1,"1":1,"2":0},{"_id":"20310511","tu":1,"1":1},{"_id":"20310512","tu":0}]`,
		},
		"unbounded":    {"period=adaily rettype=unbounded span=5", `[{"_id":"20310510","tu":2,"1":1,"2":1,"3":1,"4":1},{"_id":"20310511","tu":2,"1":2,"2":1,"3":1},{"_id":"20310512","tu":1,"1":0,"2":0},{"_id":"20310513","tu":0,"1":0},{"_id":"20310514","tu":1}]`},
		"weeks":        {"period=aweekly span=4 rettype=classic", `[{"_id":"20310421","tu":0,"1":0,"2":0,"3":0},{"_id":"20310428","tu":0,"1":0,"2":0},{"_id":"20310505","tu":2,"1":2},{"_id":"20310512","tu":0}]`},
		"months":       {"period=amonthly span=2", `[{"_id":"20310401","tu":1,"1":1},{"_id":"20310501","tu":3}]`},
		"an event":     {"period=adaily span=4 rettype=classic evt=pay", `[{"_id":"20310511","tu":1,"1":1,"2":0,"3":0},{"_id":"20310512","tu":0,"1":0,"2":0},{"_id":"20310513","tu":0,"1":0},{"_id":"20310514","tu":0}]`},
		"a list":       {"period=adaily span=4 rettype=classic evt=[\"pay\",\"none\"]", `[{"_id":"20310511","tu":1,"1":1,"2":0,"3":0},{"_id":"20310512","tu":0,"1":0,"2":0},{"_id":"20310513","tu":0,"1":0},{"_id":"20310514","tu":0}]`},
		"a filter":     {`period=adaily span=4 query={"up.p":"iOS"}`, `[{"_id":"20310511","tu":1,"1":0,"2":0,"3":1},{"_id":"20310512","tu":0,"1":0,"2":0},{"_id":"20310513","tu":0,"1":0},{"_id":"20310514","tu":1}]`},
		"nothing sent": {"period=adaily span=1 evt=none", `[{"_id":"20310514","tu":0}]`},
	} {
		pairs := []string{"method", "retention", "app_id", a.ID}
		for pair := range strings.FieldsSeq(tt.pairs) {
			k, v, _ := strings.Cut(pair, "=")
			pairs = append(pairs, k, v)
		}
		if got := s.Admin("/o", pairs...); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if got := s.Admin("/o", "method", "retention", "app_id", a.ID, "period", "adaily"); strings.Count(got, "tu") != 10 {
		t.Errorf("without a span: %s", got)
	}
}

type report struct {
	Users    int64
	Source   string
	Timezone string
	Rows     []struct {
		ID    string `json:"_id"`
		Users int64
		Cells []*cell
	}
	Mean   []*cell
	Groups []struct {
		Value any
		Other bool
		Users int64
		Cells []*cell
	}
}

type cell struct {
	Users, Over, Kept int64
	Percent           float64
	Value             *float64
	Each              *float64 `json:"value_per_user"`
}

// short writes a list of cells.
func short(cells []*cell) string {
	var out []string
	for _, c := range cells {
		text := "-"
		if c != nil {
			text = fmt.Sprintf("%d/%d/%d %g%%", c.Users, c.Over, c.Kept, c.Percent)
			if c.Value != nil {
				text += fmt.Sprintf(" %g %.2f", *c.Value, *c.Each)
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestReport(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	read := func(pairs ...string) (out report) {
		t.Helper()
		text := s.Admin("/o/retention", append([]string{"app_id", a.ID, "period", fmt.Sprintf("[%d,%d]", start.AddDate(0, 0, -4).UnixMilli(), start.AddDate(0, 0, -2).UnixMilli())}, pairs...)...)
		if err := json.Unmarshal([]byte(text), &out); err != nil || out.Rows == nil {
			t.Fatal(text)
		}
		return out
	}
	got := read("span", "4")
	if got.Source != "cells" || got.Users != 2 || len(got.Rows) != 3 || got.Rows[0].ID != "2031-05-10" || got.Timezone != "Europe/Berlin" {
		t.Fatalf("%+v", got)
	}
	for i, want := range []string{"1/1/1 100%, 0/1/0 0%, 0/1/0 0%, 1/0/0 100%", "1/1/1 100%, 0/1/0 0%, 0/0/0 0%, -", "0/0/0 0%, 0/0/0 0%, -, -"} {
		if short(got.Rows[i].Cells) != want {
			t.Errorf("row %d: %s, want %s", i, short(got.Rows[i].Cells), want)
		}
	}
	if want := "2/2/2 100%, 0/2/0 0%, 0/1/0 0%, -"; short(got.Mean) != want {
		t.Errorf("mean %s, want %s", short(got.Mean), want)
	}
	for name, tt := range map[string]struct {
		pairs []string
		row   string
		users int64
	}{
		"by rows":           {[]string{"timezone", "UTC", "span", "2"}, "1/1/1 100%, 0/1/0 0%", 2},
		"recurring":         {[]string{"start_type", "recurring", "span", "2"}, "1/2/1 50%, 0/2/0 0%", 3},
		"revenue by age":    {[]string{"return", "pay", "value", "s", "mode", "on_or_before", "brackets", "[0,1,[2,9]]"}, "1/1/1 100% 2 2.00, 1/1/1 100% 10 10.00, 1/0/0 100% 74 74.00", 0},
		"an event's filter": {[]string{"return", `[{"event":"pay","query":{"s":{"$gt":60}}}]`, "span", "4"}, "0/1/0 0%, 0/1/0 0%, 0/1/0 0%, 1/0/0 100%", 0},
		"a streak":          {[]string{"mode", "streak", "span", "2"}, "1/1/1 100%, 0/1/0 0%", 0},
		"24 hours":          {[]string{"rolling", "true", "brackets", "[[0,0],1,4]"}, "0/1/0 0%, 1/1/1 100%, 1/0/0 100%", 0},
		"a key as JSON":     {[]string{"return", ` "pay" `, "value", "s", "mode", "on_or_before", "brackets", "[0,1,[2,9]]"}, "1/1/1 100% 2 2.00, 1/1/1 100% 10 10.00, 1/0/0 100% 74 74.00", 0},
		"hours":             {[]string{"unit", "hour", "span", "1"}, "0/0/0 0%", 0},
	} {
		got := read(tt.pairs...)
		if short(got.Rows[0].Cells) != tt.row || tt.users > 0 && got.Users != tt.users {
			t.Errorf("%s: %d users, %s, want %s", name, got.Users, short(got.Rows[0].Cells), tt.row)
		}
	}
	got = read("breakdown", "up.p", "start_type", "recurring", "span", "1", "value", "s", "return", "pay")
	if len(got.Groups) != 2 || got.Groups[0].Value != "Android" || got.Groups[0].Users != 3 || short(got.Groups[0].Cells) != "1/3/1 33.33% 32 10.67" || short(got.Groups[1].Cells) != "1/2/1 50% 8 4.00" {
		t.Errorf("groups %+v: %s", got.Groups, short(got.Groups[0].Cells))
	}
	got = read("breakdown", "up.p", "start_type", "recurring", "span", "1", "breakdown_limit", "1")
	if len(got.Groups) != 2 || !got.Groups[1].Other || got.Groups[1].Users != 2 {
		t.Errorf("groups %+v", got.Groups)
	}
}

// TestPeople has the people behind cells, from cells and from rows: their numbers are 1 (d3), 2 (d1) and 3 (d2).
func TestPeople(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "Europe/Berlin"), s.CreateApp("b", "UTC")
	fill(s, a)
	days := fmt.Sprintf("[%d,%d]", start.AddDate(0, 0, -4).UnixMilli(), start.AddDate(0, 0, -2).UnixMilli())
	for pairs, want := range map[string]string{
		"cohort=0":                                             `{"users":1,"uids":["2"]}`,
		"cohort=0 start_type=recurring":                        `{"users":2,"uids":["1","2"]}`,
		"cohort=0 start_type=recurring bracket=0":              `{"users":1,"uids":["2"]}`,
		"cohort=0 start_type=recurring bracket=0 timezone=UTC": `{"users":1,"uids":["2"]}`,
		"cohort=1 bracket=0":                                   `{"users":1,"uids":["3"]}`,
		"cohort=1 bracket=1":                                   `{"users":0,"uids":[]}`,
		"cohort=1 bracket=3":                                   `{"users":0,"uids":[]}`,
		"cohort=0 start=never":                                 `{"users":0,"uids":[]}`,
		`cohort=0 start=pay return=pay query={"sg.what":"tea"} bracket=0`: `{"users":1,"uids":["2"]}`,
	} {
		call := []string{"app_id", a.ID, "period", days, "span", "4"}
		for pair := range strings.FieldsSeq(pairs) {
			k, v, _ := strings.Cut(pair, "=")
			call = append(call, k, v)
		}
		if got := s.Admin("/o/retention/people", call...); got != want {
			t.Errorf("%s: %s, want %s", pairs, got, want)
		}
		if got := s.Admin("/o/retention/people", append([]string{"app_id", other.ID}, call[2:]...)...); !strings.HasPrefix(got, `{"users":0`) {
			t.Errorf("%s of another app: %s", pairs, got)
		}
	}
	for _, bad := range []string{"", "cohort=3", "cohort=-1", "cohort=x", "cohort=0 bracket=4", "cohort=0 bracket=-1", "cohort=0 bracket=x", "cohort=99999999999999999999", "cohort=0 mode=x"} {
		call := []string{"api_key", s.Key, "app_id", a.ID, "period", days, "span", "4"}
		for pair := range strings.FieldsSeq(bad) {
			k, v, _ := strings.Cut(pair, "=")
			call = append(call, k, v)
		}
		if r := s.Post("/o/retention/people", call...); r.Status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", bad, r.Status, r.Body)
		}
	}
}

// TestRefused has requests without a meaning, and members without the right.
func TestRefused(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	for _, bad := range []string{
		"method=retention", "method=retention period=daily", "method=retention period=adaily rettype=some", "method=retention period=adaily span=0", "method=retention period=adaily span=x",
		"method=retention period=adaily span=401", "method=retention period=adaily range=[2,1]", "method=retention period=adaily range=x", "method=retention period=adaily range=[0,1e99]", "method=retention period=adaily range=[0,1936000000000]",
		`method=retention period=adaily query={"$where":"1"}`, "method=retention period=adaily query=x", `method=retention period=adaily query=[1]`,
		"unit=year", "mode=x", "start_type=x", "timezone=x", "brackets=[]", "brackets=[2,1]", "brackets=[[1,2,3]]", `brackets=["a"]`, "brackets=[-1]", "brackets=[99999]", "brackets=x", "span=-1", "breakdown_limit=0",
		"start=[]", `start=[{"event":""}]`, `start=[1]`, `start={"event":"a","query":{"$where":1}}`, "return=[[]]", "period=x", "period=[0,1936000000000]", "unit=hour period=60days", "value=" + strings.Repeat("x", 600),
	} {
		path := "/o/retention"
		pairs := []string{"app_id", a.ID, "api_key", s.Key}
		for pair := range strings.FieldsSeq(bad) {
			k, v, _ := strings.Cut(pair, "=")
			pairs = append(pairs, k, v)
			if k == "method" {
				path = "/o"
			}
		}
		if res := s.Post(path, pairs...); res.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", bad, res.Status, res.Body)
		}
	}
	for path, name := range map[string]string{"/o/retention": "start", "/o/retention/people": "return", "/o/retention/activity": "events"} {
		if res := s.Post(path, "app_id", a.ID, "api_key", s.Key, "cohort", "0", name, " \t"); res.Status != http.StatusBadRequest {
			t.Errorf("%s of blanks: %d %.200s", name, res.Status, res.Body)
		}
	}
}

// TestRights has a member who may read retention, but not users.
func TestRights(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	permission, err := json.Marshal(map[string]any{
		"full_name": "anna", "username": "anna", "password": "Correct-horse-1", "email": "anna@example.org",
		"permission": map[string]any{
			"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}, "c": map[string]any{}, "u": map[string]any{}, "d": map[string]any{},
			"r": map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{"retention_segments": true}}, other.ID: map[string]any{"all": false, "allowed": map[string]bool{"core": true}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(permission)), &p)
	for _, tt := range []struct {
		status int
		call   []string
	}{
		{200, []string{"/o", "method", "retention", "period", "adaily"}},
		{200, []string{"/o/retention", "query", `{"up.cc":"DE"}`, "breakdown", "up.cc"}},
		{401, []string{"/o/retention", "query", `{"did":"d1"}`}},
		{401, []string{"/o/retention", "start", `{"event":"x","query":{"up.email":"x"}}`}},
		{401, []string{"/o/retention", "breakdown", "uid"}},
		{401, []string{"/o/retention/people", "cohort", "0"}},
		{401, []string{"/o", "method", "retention", "period", "adaily", "query", `{"up.name":"x"}`}},
	} {
		if r := s.Post(tt.call[0], append([]string{"api_key", p.Key, "app_id", a.ID}, tt.call[1:]...)...); r.Status != tt.status {
			t.Errorf("%q: %d %s, want %d", tt.call, r.Status, r.Body, tt.status)
		}
	}
	if r := s.Post("/o/retention", "api_key", p.Key, "app_id", other.ID); r.Status != http.StatusUnauthorized {
		t.Errorf("another app: %d %s", r.Status, r.Body)
	}
}

// TestActivity counts phases, units and intervals.
func TestActivity(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	for pairs, want := range map[string]string{
		"period=3days": `{"unit":"day","timezone":"Europe/Berlin","users":2,"lifecycle":[{"_id":"2031-05-12","start":1936303200000,"new":0,"returning":1,"resurrected":0,"dormant":1},` +
			`{"_id":"2031-05-13","start":1936389600000,"new":0,"returning":0,"resurrected":0,"dormant":1},{"_id":"2031-05-14","start":1936476000000,"new":0,"returning":0,"resurrected":1,"dormant":0}],` +
			`"stickiness":[{"units":1,"users":2}],"interval":{"users":0,"median":0,"p80":0,"histogram":[]}}`,
		`period=3weeks unit=week events=["pay"] timezone=UTC`: `{"unit":"week","timezone":"UTC","users":3,"lifecycle":[{"_id":"2031-04-21","start":1934496000000,"new":0,"returning":0,"resurrected":0,"dormant":1},` +
			`{"_id":"2031-04-28","start":1935100800000,"new":0,"returning":0,"resurrected":0,"dormant":0},{"_id":"2031-05-05","start":1935705600000,"new":2,"returning":0,"resurrected":1,"dormant":0},` +
			`{"_id":"2031-05-12","start":1936310400000,"new":0,"returning":2,"resurrected":0,"dormant":1}],"stickiness":[{"units":1,"users":1},{"units":2,"users":2}],"interval":{"users":2,"median":1,"p80":1,"histogram":[{"units":1,"users":2}]}}`,
		"period=today events=never": `{"unit":"day","timezone":"Europe/Berlin","users":0,"lifecycle":[{"_id":"2031-05-14","start":1936476000000,"new":0,"returning":0,"resurrected":0,"dormant":0}],"stickiness":[],"interval":{"users":0,"median":0,"p80":0,"histogram":[]}}`,
	} {
		call := []string{"app_id", a.ID}
		for pair := range strings.FieldsSeq(pairs) {
			k, v, _ := strings.Cut(pair, "=")
			call = append(call, k, v)
		}
		if got := s.Admin("/o/retention/activity", call...); got != want {
			t.Errorf("%s: %s, want %s", pairs, got, want)
		}
	}
	for _, bad := range [][]string{{"unit", "hour"}, {"unit", "x"}, {"period", "x"}, {"period", "500days"}, {"events", "[]"}, {"events", `{"event":"a","query":{"$x":1}}`}, {"timezone", "x"}} {
		if r := s.Post("/o/retention/activity", append([]string{"api_key", s.Key, "app_id", a.ID}, bad...)...); r.Status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", bad, r.Status, r.Body)
		}
	}
}

// TestClocksAhead has devices whose clocks are up to an hour ahead: what they say of the day under way counts from rows as from cells.
func TestClocksAhead(t *testing.T) {
	const seed = 14
	r := rand.New(rand.NewPCG(seed, 1))
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "Europe/Berlin")
	for range 60 {
		at := start.Add(time.Hour - time.Duration(r.IntN(3*24*60))*time.Minute)
		if r.IntN(3) == 0 {
			at = start.Add(time.Duration(r.IntN(60)) * time.Minute)
		}
		ms := at.UnixMilli()
		pairs := []string{"timestamp", fmt.Sprint(ms), "events", fmt.Sprintf(`[{"key":"go","timestamp":%d,"segmentation":{"n":%d}}]`, ms+1, r.IntN(2))}
		if r.IntN(4) > 0 {
			pairs = append(pairs, "begin_session", "1", "metrics", fmt.Sprintf(`{"_os":%q}`, []string{"iOS", "Android"}[r.IntN(2)]))
		}
		s.Ingest(a, fmt.Sprintf("d%d", r.IntN(12)), pairs...)
	}
	s.Flush()
	window := fmt.Sprintf("[%d,%d]", start.AddDate(0, 0, -4).UnixMilli(), start.UnixMilli())
	for _, unit := range []string{"day", "week", "month"} {
		for _, kind := range []string{"first", "recurring"} {
			read := func(pairs ...string) (out report) {
				t.Helper()
				text := s.Admin("/o/retention", append([]string{"app_id", a.ID, "period", window, "unit", unit, "start_type", kind, "span", "4"}, pairs...)...)
				if err := json.Unmarshal([]byte(text), &out); err != nil || out.Users == 0 {
					t.Fatal(text)
				}
				return out
			}
			cells, rows := read(), read("timezone", "Europe/Vienna")
			if cells.Source != "cells" || rows.Source != "rows" {
				t.Fatalf("%s, then %s", cells.Source, rows.Source)
			}
			rows.Source, rows.Timezone = cells.Source, cells.Timezone
			if diff := cmp.Diff(cells, rows); diff != "" {
				t.Errorf("seed %d, %s of %s (-cells +rows):\n%s", seed, kind, unit, diff)
			}
			for _, mode := range []string{"on", "on_or_after", "on_or_before", "streak"} { // who came back may be told by cells, who began by rows
				for _, filter := range []string{"{}", `{"sg.n":1}`, `{"up.p":"iOS"}`} {
					asked := []string{"start", "go", "mode", mode, "query", filter, "brackets", "[1,[2,3]]"}
					mixed, rows := read(asked...), read(append(asked, "timezone", "Europe/Vienna")...)
					rows.Timezone = mixed.Timezone
					if diff := cmp.Diff(mixed, rows); diff != "" {
						t.Errorf("seed %d, %s of %s, %s, %s (-mixed +rows):\n%s", seed, kind, unit, mode, filter, diff)
					}
				}
			}
		}
	}
	var hours report
	if err := json.Unmarshal([]byte(s.Admin("/o/retention", "app_id", a.ID, "period", "today", "unit", "hour", "start_type", "recurring", "span", "1")), &hours); err != nil || len(hours.Rows) == 0 {
		t.Fatal(err, hours)
	}
	if last := hours.Rows[11]; last.Users == 0 { // 11:30 in Berlin: the hour under way, up to its end
		t.Errorf("hours: %+v", hours.Rows)
	}
}
