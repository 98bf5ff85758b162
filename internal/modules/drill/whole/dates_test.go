package whole_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// TestMetaBooleans says of properties all of whose values are true and false, sent as these or as texts, that they are booleans.
func TestMetaBooleans(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	early := start.AddDate(0, -6, 0) // before the days whose values are looked at
	s.Clock().Set(early)
	s.Ingest(a, "old", "events", `[{"key":"buy","segmentation":{"late":"maybe"}}]`)
	s.Clock().Set(start)
	s.Ingest(a, "anna", "user_details", `{"custom":{"pro":true,"mixed":true,"one":true}}`, "events",
		`[{"key":"buy","segmentation":{"gift":true,"text":"true","late":true,"other":true,"list":[true],"upper":"True"}},{"key":"sell","segmentation":{"gift":"no"}}]`)
	s.Ingest(a, "bert", "user_details", `{"custom":{"pro":"false","mixed":3}}`, "events", `[{"key":"buy","segmentation":{"gift":false,"text":true,"other":1}}]`)
	s.Flush()
	var got struct {
		Up, Sg map[string]struct {
			Type, Format string
			Values       []string
		}
	}
	testkit.Decode(t, s.Admin("/o", "method", "segmentation_meta", "app_id", a.ID, "event", "buy"), &got)
	for name, want := range map[string]string{"gift": "boolean", "text": "boolean", "late": "", "other": "", "list": "", "upper": ""} {
		if p := got.Sg[name]; p.Format != want || p.Type == "" || want != "" && p.Type != "l" {
			t.Errorf("%s: %+v, want the format %q", name, p, want)
		}
	}
	for name, want := range map[string]string{"custom.pro": "boolean", "custom.one": "boolean", "custom.mixed": ""} {
		if p := got.Up[name]; p.Format != want || p.Type != "l" {
			t.Errorf("%s: %+v, want the format %q", name, p, want)
		}
	}
}

// TestMetaFacts says where properties were met, in which events, and which of them are dates.
func TestMetaFacts(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	early := start.AddDate(0, -6, 0) // before the days whose values are looked at
	s.Clock().Set(early)
	s.Ingest(a, "anna", "user_details", `{"custom":{"born":"1990-02-28","joined":"2031-01-01T10:00Z"}}`, "events", `[{"key":"buy","segmentation":{"due":"2031-06-01","code":"x"}},`+
		`{"key":"[CLY]_crash","segmentation":{"due":"no"}}]`)
	s.Clock().Set(start)
	s.Ingest(b, "eve", "events", `[{"key":"buy","segmentation":{"due":"2031-06-01"}}]`)
	s.Ingest(a, "bert", "user_details", `{"custom":{"born":"1988-02-29","joined":"soon"}}`, "events", `[`+strings.Join([]string{
		`{"key":"buy","count":3,"segmentation":{"due":"2031-06-02","at":"2031-05-14T09:30:00.123Z","both":"2031-05-14","bad":"2031-02-30","long":"2031-05-14x","price":3}}`,
		`{"key":"buy","segmentation":{"at":"2031-05-14 09:30+02:00","both":"2031-05-14T09:30","mixed":"2031-05-14"}}`,
		`{"key":"buy","segmentation":{"mixed":7,"old":"2031-01-01"}}`,
		`{"key":"sell","segmentation":{"due":"2031-06-02"}}`,
	}, ",")+`]`)
	s.Clock().Set(early)
	s.Ingest(a, "carl", "events", `[{"key":"buy","segmentation":{"old":"never"}}]`)
	s.Clock().Set(start)
	s.Flush()
	type one struct {
		Type, Format  string
		Rows, Count   int
		First, Last   int64
		Events        []string
		EventCount    int `json:"event_count"`
		Label, Values any
	}
	var got struct{ Up, Sg map[string]one }
	testkit.Decode(t, s.Admin("/o", "method", "segmentation_meta", "app_id", a.ID, "event", "buy"), &got)
	was, now := early.UnixMilli(), start.UnixMilli()
	for name, w := range map[string]one{
		"due":   {Type: "l", Format: "date", Rows: 2, Count: 1, First: was, Last: now, EventCount: 2, Events: []string{"buy", "sell"}, Values: []any{"2031-06-02"}},
		"code":  {Type: "s", Rows: 1, First: was, Last: was, EventCount: 1, Events: []string{"buy"}},
		"at":    {Type: "l", Format: "datetime", Rows: 2, Count: 2, First: now, Last: now, EventCount: 1, Events: []string{"buy"}, Values: []any{"2031-05-14 09:30+02:00", "2031-05-14T09:30:00.123Z"}},
		"both":  {Type: "l", Rows: 2, Count: 2, First: now, Last: now, EventCount: 1, Events: []string{"buy"}, Values: []any{"2031-05-14", "2031-05-14T09:30"}},
		"bad":   {Type: "l", Rows: 1, Count: 1, First: now, Last: now, EventCount: 1, Events: []string{"buy"}, Values: []any{"2031-02-30"}},
		"long":  {Type: "l", Rows: 1, Count: 1, First: now, Last: now, EventCount: 1, Events: []string{"buy"}, Values: []any{"2031-05-14x"}},
		"mixed": {Type: "l", Rows: 2, Count: 2, First: now, Last: now, EventCount: 1, Events: []string{"buy"}, Values: []any{"2031-05-14", "7"}},
		// A value that is no longer listed is no date.
		"old":   {Type: "l", Rows: 2, Count: 1, First: was, Last: now, EventCount: 1, Events: []string{"buy"}, Values: []any{"2031-01-01"}},
		"price": {Type: "n", Rows: 1, Count: 1, First: now, Last: now, EventCount: 1, Events: []string{"buy"}},
	} {
		if diff := cmp.Diff(w, got.Sg[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if born := got.Up["custom.born"]; born.Format != "date" || born.Rows != 2 || born.First != 0 || born.Last != now {
		t.Errorf("a date of users: %+v", born)
	}
	if joined := got.Up["custom.joined"]; joined.Format != "" || joined.Count != 2 {
		t.Errorf("text of users: %+v", joined)
	}
	// What events two keys have in common is known of both.
	s.Admin("/i/event_groups/create", "args", `{"app_id":"`+a.ID+`","name":"all","source_events":["buy","sell"],"display_map":{},"status":true}`)
	var groups []struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "get_event_groups", "app_id", a.ID), &groups)
	testkit.Decode(t, s.Admin("/o", "method", "segmentation_meta", "app_id", a.ID, "event", groups[0].ID), &got)
	if due := got.Sg["due"]; due.Rows != 3 || due.First != was || due.Last != now || due.Format != "date" || due.Type != "l" {
		t.Errorf("of a group: %+v", due)
	}
}

// TestMetaLabels shows what people say about properties where properties are shown.
func TestMetaLabels(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	fill(s, b)
	s.Admin("/i/properties/edit", "app_id", a.ID, "properties",
		`{"sg.what":{"label":"Drink","description":"What they had"},"sg.price":{"hidden":true},"up.p":{"label":"System"},"up.custom.plan":{"label":"Plan","hidden":true}}`)
	type one struct {
		Label, Description string
		Hidden             bool
	}
	read := func(app testkit.TestApp) (out struct{ Up, Sg map[string]one }) {
		testkit.Decode(t, s.Admin("/o", "method", "segmentation_meta", "app_id", app.ID, "event", "buy"), &out)
		return out
	}
	got := read(a)
	for name, pair := range map[string][2]one{
		"what": {got.Sg["what"], {"Drink", "What they had", false}}, "price": {got.Sg["price"], {Hidden: true}}, "gift": {got.Sg["gift"], {}},
		"p": {got.Up["p"], {Label: "System"}}, "plan": {got.Up["custom.plan"], {Label: "Plan", Hidden: true}}, "another app's": {read(b).Sg["what"], {}},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %+v, want %+v", name, pair[0], pair[1])
		}
	}
	// Hidden properties answer.
	if r := query(s, a, "queryObject", `{"sg.price":3}`, "list", "true", "projectionKey", "sg.price"); r.Status != http.StatusOK || !strings.Contains(r.Body, `"3":{"u":2`) {
		t.Errorf("by a hidden property: %d %s", r.Status, r.Body)
	}
	type shown struct {
		Name, Label string
		Hidden      bool
	}
	var known struct {
		Events []struct {
			Key        string
			Properties []shown
		}
		Custom []shown
	}
	testkit.Decode(t, s.Admin("/o/explore/properties", "app_id", a.ID), &known)
	var of []shown
	for _, e := range known.Events {
		if e.Key == "buy" {
			of = e.Properties
		}
	}
	if want := []shown{{Name: "what", Label: "Drink"}, {Name: "price", Hidden: true}, {Name: "gift"}}; !slices.Equal(of, want) {
		t.Errorf("explore: %+v, want %+v", of, want)
	}
	if !slices.Contains(known.Custom, shown{"plan", "Plan", true}) {
		t.Errorf("explore, of users: %+v", known.Custom)
	}
}
