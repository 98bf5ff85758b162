package revenue_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var now = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// day is a time of a day in May.
func day(d, hour int) int64 { return time.Date(2031, 5, d, hour, 0, 0, 0, time.UTC).UnixMilli() }

// fill sends what three people did: 1 (iOS) pays 10 and 6 for two on the 12th and gets 4 back on the 13th, 2 (Android) pays 8 on the 13th, 3 (iOS) is there on
// the 14th.
func fill(s *testkit.Server, a testkit.TestApp) {
	visit := func(device, system string, d int) {
		s.Ingest(a, device, "timestamp", fmt.Sprint(day(d, 7)), "begin_session", "1", "metrics", fmt.Sprintf(`{"_os":%q}`, system))
	}
	event := func(device string, d int, text string) {
		s.Ingest(a, device, "timestamp", fmt.Sprint(day(d, 8)), "events", fmt.Sprintf(`[{"timestamp":%d,%s}]`, day(d, 8), text))
	}
	visit("d1", "iOS", 12)
	event("d1", 12, `"key":"buy","sum":10,"segmentation":{"what":"tea"}`)
	event("d1", 12, `"key":"order","count":2,"sum":6,"segmentation":{"what":"milk"}`)
	visit("d2", "Android", 12)
	visit("d2", "Android", 13)
	event("d2", 13, `"key":"buy","sum":8,"segmentation":{"what":"tea"}`)
	event("d2", 13, `"key":"buy","segmentation":{"what":"tea"}`)
	event("d1", 13, `"key":"buy","sum":-4,"segmentation":{"what":"tea"}`)
	visit("d3", "iOS", 14)
	s.Flush()
}

func configure(s *testkit.Server, a testkit.TestApp, events string) {
	s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"revenue":{"iap_events":`+events+`}}`)
}

func TestSeries(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	read := func(pairs ...string) string {
		t.Helper()
		return s.Admin("/o/revenue", append([]string{"app_id", a.ID}, pairs...)...)
	}
	lu := fmt.Sprintf(`"lu":%d`, now.Unix())
	if got, want := read("period", "3days", "events", `["buy","never"]`), `{"2031":{"5":{"12":{"p":0,"u":{"e":{"buy":{"c":1,"s":10}},"s":2}},"13":{"p":0,"u":{"e":{"buy":{"c":3,"s":4}},"s":1}},"14":{"p":0,"u":{"s":1}},"p":0},"p":0},`+lu+`}`; got != want {
		t.Errorf("without a setting:\n%s, want\n%s", got, want)
	}
	configure(s, a, `["buy","order"]`)
	if got, want := read("period", "3days", "events", "order"), `{"2031":{"5":{"12":{"p":1,"u":{"e":{"order":{"c":2,"s":6}},"s":2}},"13":{"p":1,"u":{"s":1}},"14":{"p":0,"u":{"s":1}},"p":2},"p":2},`+lu+`}`; got != want {
		t.Errorf("paying users:\n%s, want\n%s", got, want)
	}
	if got := read("period", "yesterday"); !strings.Contains(got, `"8":{"p":1,"u":{"e":{"buy":{"c":3,"s":4}},"s":0}}`) || !strings.Contains(got, `"7":{"p":0,"u":{"s":1}}`) {
		t.Errorf("hours: %s", got)
	}
	s.Ingest(a, "d1", "old_device_id", "d2")
	s.Flush()
	if got := read("period", "3days"); !strings.Contains(got, `"p":1},"p":1}`) {
		t.Errorf("merged: %s", got)
	}
	for _, pairs := range [][]string{{"events", `{"a":1}`}, {"events", `[1]`}, {"events", `["` + strings.Repeat(`a","`, 60) + `"]`}} {
		if r := s.Get("/o/revenue", append(pairs, "api_key", s.Key, "app_id", a.ID)...); r.Status != http.StatusBadRequest {
			t.Errorf("%v: %d %s", pairs, r.Status, r.Body)
		}
	}
}

type figures struct {
	Revenue, Refunds     float64
	Transactions, Paying int64
	Users                *int64
	ARPU, ARPPU          *float64
	Order                *float64 `json:"average_order"`
	Share                *float64 `json:"paying_percent"`
	At, Beside           string
}

// String writes figures in one word each, - for what is missing.
func (f figures) String() string {
	out := fmt.Sprintf("%g %g %d %d", f.Revenue, f.Refunds, f.Transactions, f.Paying)
	if f.Users == nil {
		out += " -"
	} else {
		out += fmt.Sprint(" ", *f.Users)
	}
	for _, v := range []*float64{f.ARPU, f.ARPPU, f.Order, f.Share} {
		if v == nil {
			out += " -"
		} else {
			out += fmt.Sprintf(" %.4g", *v)
		}
	}
	return out
}

type report struct {
	Events, Configured []string
	Bucket             string
	Totals             figures
	Data               []figures
	Groups             []struct {
		Values []any
		figures
		Data []figures
	}
	Other *struct {
		Groups int
		figures
	}
	Compare *struct {
		Totals figures
		Data   []figures
		Groups []figures
	}
}

func TestReport(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	read := func(pairs ...string) (out report) {
		t.Helper()
		text := s.Admin("/o/revenue/report", append([]string{"app_id", a.ID, "period", "3days"}, pairs...)...)
		if err := json.Unmarshal([]byte(text), &out); err != nil || out.Data == nil {
			t.Fatal(text)
		}
		return out
	}
	if got := read(); len(got.Configured) != 0 || got.Totals.String() != "0 0 0 0 3 0 - - 0" || len(got.Data) != 3 {
		t.Errorf("nothing chosen: %+v", got)
	}
	configure(s, a, `["buy","order","buy",7,""]`)
	got := read("compare", "previous")
	if fmt.Sprint(got.Configured, got.Events) != "[buy order] [buy order]" || got.Bucket != "daily" {
		t.Errorf("%+v", got)
	}
	if want := "20 -4 4 2 3 6.667 10 6 66.67"; got.Totals.String() != want {
		t.Errorf("totals %s, want %s", got.Totals, want)
	}
	for i, want := range []string{"16 0 3 1 2 8 16 5.333 50", "4 -4 1 1 2 2 4 8 50", "0 0 0 0 1 0 - - 0"} {
		if got.Data[i].String() != want {
			t.Errorf("%s: %s, want %s", got.Data[i].At, got.Data[i], want)
		}
	}
	if got.Compare == nil || got.Compare.Totals.Revenue != 0 || len(got.Compare.Data) != 3 || got.Compare.Data[0].Beside != "2031.5.12" || got.Compare.Data[0].At != "2031.5.9" {
		t.Errorf("compared: %+v", got.Compare)
	}
	got = read("period", "today", "compare", "yesterday", "breakdown", "up.p")
	if got.Bucket != "hourly" || len(got.Data) != 24 || got.Compare.Totals.String() != "4 -4 1 1 2 2 4 8 50" || got.Compare.Data[8].String() != "4 -4 1 1 2 2 4 8 50" || got.Compare.Groups[0].String() != "-4 -4 0 0 1 -4 - - 0" {
		t.Errorf("beside yesterday until now: %+v", got.Compare)
	}
	got = read("breakdown", "up.p", "breakdown_limit", "1", "sort", "active")
	if len(got.Groups) != 1 || fmt.Sprint(got.Groups[0].Values, got.Groups[0].figures) != "[iOS] 12 -4 3 1 2 6 12 5.333 50" || got.Other == nil || got.Other.Groups != 1 || got.Other.String() != "8 0 1 1 1 8 8 8 100" {
		t.Errorf("by platform: %+v", got)
	}
	if got.Groups[0].Data[1].String() != "-4 -4 0 0 1 -4 - - 0" {
		t.Errorf("by platform and day: %+v", got.Groups[0].Data)
	}
	// What is bought is beside all who were active.
	got = read("breakdown", "sg.what", "filter", `{"up.p":"iOS"}`)
	if len(got.Groups) != 2 || fmt.Sprint(got.Groups[0].Values, got.Groups[0].figures, got.Groups[0].Data[0]) != "[milk] 6 0 2 1 2 3 6 3 50 6 0 2 1 1 6 6 3 100" {
		t.Errorf("by property: %+v", got.Groups)
	}
	if got := read("filter", `{"$or":[{"sg.what":"milk"},{"up.p":"Android"}]}`); got.Totals.String() != "14 0 3 2 - - 7 4.667 -" {
		t.Errorf("mixed: %s", got.Totals)
	}
	if got := read("events", `["order"]`, "timezone", "Asia/Tokyo", "bucket", "monthly"); got.Totals.String() != "6 0 2 1 3 2 6 3 33.33" || len(got.Data) != 1 {
		t.Errorf("other events: %+v", got)
	}
	for _, pairs := range [][]string{
		{"period", "?"},
		{"timezone", "Moon"},
		{"events", `{}`},
		{"events", `[""]`},
		{"events", `["` + strings.Repeat("x", 3000) + `"]`},
		{"filter", "x"},
		{"filter", `{"a":{"$what":1}}`},
		{"filter", strings.Repeat(`{"$and":[`, 60)},
		{"bucket", "secondly"},
		{"breakdown", `["a","b","c","d"]`},
		{"breakdown", strings.Repeat("x", 600)},
		{"breakdown_limit", "0"},
		{"breakdown_limit", "x"},
		{"sort", "name"},
		{"compare", "?"},
		{"period", "[0,1900000000000]", "bucket", "hourly"},
	} {
		if r := s.Get("/o/revenue/report", append(append([]string{}, pairs...), "api_key", s.Key, "app_id", a.ID)...); r.Status != http.StatusBadRequest {
			t.Errorf("%v: %d %s", pairs, r.Status, r.Body)
		}
	}
	for _, pairs := range [][]string{{"breakdown", `sg.x' OR 1=1 --`}, {"filter", `{"sg.\u0000":1}`}, {"events", `["'; DROP TABLE events"]`}, {"filter", `{"$where":"1"}`}} {
		if r := s.Get("/o/revenue/report", append(append([]string{}, pairs...), "api_key", s.Key, "app_id", a.ID)...); r.Status >= http.StatusInternalServerError {
			t.Errorf("%v: %d %s", pairs, r.Status, r.Body)
		}
	}
}

type lifetimes struct {
	Users int64
	Ages  int
	Curve []*struct {
		Users        int64
		Revenue, LTV float64
		Paying       float64 `json:"paying_percent"`
	}
	Rows []struct {
		ID    string `json:"_id"`
		Users int64
		Cells []*struct {
			Revenue float64
			Paying  int64
			LTV     *float64
			Over    bool
		}
	}
	Groups []struct {
		Value any
		Other bool
		Users int64
		Curve []*struct{ LTV float64 }
	}
}

func TestLifetimes(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	configure(s, a, `["buy","order"]`)
	read := func(pairs ...string) (out lifetimes) {
		t.Helper()
		text := s.Admin("/o/revenue/ltv", append([]string{"app_id", a.ID, "period", "3days", "ages", "3"}, pairs...)...)
		if err := json.Unmarshal([]byte(text), &out); err != nil || out.Rows == nil {
			t.Fatal(text)
		}
		return out
	}
	got := read()
	if got.Users != 3 || len(got.Curve) != 3 || got.Curve[2] != nil || got.Curve[1].LTV != 10 || got.Curve[1].Paying != 100 || got.Curve[0].LTV != 8 || got.Curve[0].Users != 2 {
		t.Errorf("%+v", got)
	}
	if row := got.Rows[0]; row.ID != "2031-05-12" || row.Users != 2 || *row.Cells[1].LTV != 10 || !row.Cells[1].Over || row.Cells[2].Over || row.Cells[2].Paying != 2 {
		t.Errorf("%+v", row)
	}
	if row := got.Rows[1]; row.Users != 0 || row.Cells[0].LTV != nil || row.Cells[2] != nil {
		t.Errorf("an empty cohort: %+v", row)
	}
	got = read("breakdown", "up.p", "breakdown_limit", "1", "unit", "week")
	if len(got.Groups) != 2 || got.Groups[0].Value != "iOS" || got.Groups[0].Users != 2 || !got.Groups[1].Other || got.Groups[1].Users != 1 {
		t.Errorf("groups %+v", got.Groups)
	}
	if got := read("filter", `{"up.p":"iOS","sg.what":"milk"}`); got.Users != 2 || got.Curve[0].LTV != 6 || got.Curve[0].Users != 1 {
		t.Errorf("filtered: %+v", got)
	}
	if got := read("unit", "month", "ages", "2", "timezone", "Europe/Berlin"); got.Rows[0].ID != "2031-05" || got.Rows[0].Users != 3 || got.Rows[0].Cells[0].Revenue != 20 {
		t.Errorf("months: %+v", got)
	}
	for _, pairs := range [][]string{
		{"period", "?"},
		{"unit", "hour"},
		{"ages", "401"},
		{"ages", "x"},
		{"breakdown", "sg.what"},
		{"filter", `{"$or":[{"sg.what":"milk"},{"up.p":"Android"}]}`},
		{"period", "[0,1900000000000]"},
		{"timezone", "Moon"},
		{"events", "{}"},
		{"breakdown_limit", "1000"},
	} {
		if r := s.Get("/o/revenue/ltv", append(append([]string{}, pairs...), "api_key", s.Key, "app_id", a.ID)...); r.Status != http.StatusBadRequest {
			t.Errorf("%v: %d %s", pairs, r.Status, r.Body)
		}
	}
}

// TestRights: who may not read users does not ask by what tells who somebody is.
func TestRights(t *testing.T) {
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	permission, err := json.Marshal(map[string]any{
		"full_name": "r", "username": "r", "password": "Passw0rd!x", "email": "r@example.org",
		"permission": map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}, "r": map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{"revenue": true}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(permission)), &m)
	for path, pairs := range map[string][]string{"/o/revenue/report": {"filter", `{"did":"d1"}`}, "/o/revenue/ltv": {"breakdown", "uid"}} {
		if r := s.Get(path, "api_key", m.Key, "app_id", a.ID, "period", "3days"); r.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
		if r := s.Get(path, append(pairs, "api_key", m.Key, "app_id", a.ID, "period", "3days")...); r.Status != http.StatusUnauthorized {
			t.Errorf("%s %v: %d %s", path, pairs, r.Status, r.Body)
		}
	}
}
