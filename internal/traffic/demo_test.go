package traffic_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quipu/internal/traffic"
)

var first = time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)

func shop() traffic.Spec {
	return traffic.Spec{
		Platforms: []string{"Web", "iOS"},
		Events: []traffic.EventSpec{
			{Key: "Look", Weight: 1, Segments: []traffic.PropertySpec{{Name: "what", Values: []traffic.Weighted{{Value: "a", Weight: 3}, {Value: "b", Weight: 1}}}}},
			{Key: "Buy", SumMin: 2, SumMax: 4, DurationMin: 5, DurationMax: 5},
		},
		Views:      []traffic.Weighted{{Value: "Home", Weight: 1}, {Value: `Till "1"` + "\x01"}},
		Properties: []traffic.PropertySpec{{Name: "plan", Values: []traffic.Weighted{{Value: "free", Weight: 1}, {Value: "pro"}}}},
		Sequences: []traffic.SequenceSpec{
			{Weight: 1, Steps: []traffic.StepSpec{{View: "Home", Share: 1}, {Event: "Look", Share: 0.8}, {View: `Till "1"` + "\x01", Share: 0.5}, {Event: "Buy", Share: 0.5}}},
		},
	}
}

// item is a request as it is sent.
type item struct {
	Device    string            `json:"device_id"`
	Timestamp int64             `json:"timestamp"`
	Hour, Dow int               // of the device's clock
	TZ        int               `json:"tz"`
	Begin     int               `json:"begin_session"`
	Country   string            `json:"country_code"`
	Metrics   map[string]string `json:"metrics"`
	Populator string            `json:"populator"`
	AppKey    *string           `json:"app_key"`
	Details   *struct {
		Name   string
		Custom map[string]string
	} `json:"user_details"`
	Events []struct {
		Key          string
		Sum, Dur     float64
		Segmentation map[string]any
	}
}

// TestWorld reads the requests of a world as a server would.
func TestWorld(t *testing.T) {
	t.Parallel()
	w, err := traffic.NewWorld(shop())
	if err != nil {
		t.Fatal(err)
	}
	zone := time.FixedZone("", -3*3600)
	const users, days = 300, 40
	g, err := traffic.New(traffic.Config{
		Seed: 5, Users: users, Start: first, World: w, Zone: zone, Growth: days * 24 * time.Hour, SessionsPerDay: 100, Weekend: 0.3, Marked: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	end := first.AddDate(0, 0, days)
	seen, counts, begins := map[string]int{}, map[string]int{}, map[time.Weekday]int{}
	views, early, late, firsts := map[string]int{}, 0, 0, 0
	for {
		text, info := g.Next(nil, traffic.Item)
		if info.TS >= end.UnixMilli() {
			break
		}
		var r item
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		at := time.UnixMilli(r.Timestamp).In(zone)
		if r.Hour != at.Hour() || r.Dow != int(at.Weekday()) || r.TZ != -180 || r.Populator != "true" || r.AppKey != nil {
			t.Fatalf("clock or marks of %s", text)
		}
		if info.Begin {
			if info.First != (seen[r.Device] == 0) {
				t.Fatalf("first is %v of %s", info.First, text)
			}
			begins[at.Weekday()]++
			seen[r.Device]++
			if info.First {
				firsts++
				if p := g.Person(info.User); p.Device != r.Device || p.OS != r.Metrics["_os"] || p.Model != r.Metrics["_device"] || string(p.Custom) != `{"plan":"free"}` {
					t.Fatalf("%+v is not who sent %s", p, text)
				}
				if at.Sub(first) < days/2*24*time.Hour {
					early++
				} else {
					late++
				}
			}
			if os := r.Metrics["_os"]; os == "iOS" && r.Metrics["_browser"] == "" && r.Metrics["_carrier"] == "" || os == "Windows" && (r.Metrics["_browser_version"] == "" || r.Metrics["_store"] == "") {
				t.Fatalf("metrics %v", r.Metrics)
			}
			if r.Details != nil && (len(strings.Fields(r.Details.Name)) != 2 || r.Details.Custom["plan"] != "free") {
				t.Fatalf("details %+v", r.Details)
			}
		}
		if len(r.Events) != info.Events {
			t.Fatalf("%d events, told %d", len(r.Events), info.Events)
		}
		for _, e := range r.Events {
			counts[e.Key]++
			if e.Key == "Buy" && (e.Sum < 2 || e.Sum > 4.01 || e.Dur != 5) || e.Key != "Buy" && e.Sum != 0 {
				t.Fatalf("event %+v", e)
			}
			if e.Key == "[CLY]_view" {
				name, _ := e.Segmentation["name"].(string)
				if e.Segmentation["visit"] != nil {
					views[name]++
				} else {
					views["left"]++
				}
			}
		}
	}
	if firsts != len(seen) || len(seen) < users*9/10 || early < users/3 || late < users/3 {
		t.Errorf("%d users came, %d of them early and %d late", len(seen), early, late)
	}
	sessions := 0
	for _, n := range begins {
		sessions += n
	}
	if begins[time.Saturday]*2 > begins[time.Wednesday] {
		t.Errorf("sessions by weekday %v", begins)
	}
	home, till, looks, buys := views["Home"], views[`Till "1"`+"\x01"], counts["Look"], counts["Buy"]
	if home < sessions-20 || looks < home/2 || till > looks || buys > till || buys < sessions/20 || views["left"] < home {
		t.Errorf("%d sessions: %d home, %d looks, %d at the till, %d buy; %v", sessions, home, looks, till, buys, views)
	}
}

// TestSpecs holds NewWorld to telling what is wrong, and to living with little.
func TestSpecs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*traffic.Spec)
		want   string // "" = it is fine
	}{
		"as it is":           {func(*traffic.Spec) {}, ""},
		"all platforms":      {func(s *traffic.Spec) { s.Platforms = traffic.Platforms() }, ""},
		"only events":        {func(s *traffic.Spec) { s.Views, s.Sequences = nil, nil }, ""},
		"only views":         {func(s *traffic.Spec) { s.Events, s.Sequences = nil, nil }, ""},
		"no sequences":       {func(s *traffic.Spec) { s.Sequences = nil }, ""},
		"an empty sequence":  {func(s *traffic.Spec) { s.Sequences = []traffic.SequenceSpec{{}} }, ""},
		"nothing":            {func(s *traffic.Spec) { *s = traffic.Spec{} }, "events, views: there are none"},
		"unknown platform":   {func(s *traffic.Spec) { s.Platforms = []string{"Abacus"} }, "platforms: none of Abacus is known"},
		"unknown step":       {func(s *traffic.Spec) { s.Sequences[0].Steps[1].Event = "Fly" }, `sequence 1: there is no view or event "Fly"`},
		"event without key":  {func(s *traffic.Spec) { s.Events[1].Key = "" }, "event 2 has no key"},
		"view without name":  {func(s *traffic.Spec) { s.Views[0].Value = "" }, "view 1 has no name"},
		"segment of nothing": {func(s *traffic.Spec) { s.Events[0].Segments[0].Values = nil }, `segment or property "what" has no name, no values or too many`},
		"odd ranges": {func(s *traffic.Spec) {
			s.Events[1].SumMin, s.Events[1].SumMax, s.Events[1].DurationMax = 5, -1, 1e300
		}, ""},
	} {
		s := shop()
		c.change(&s)
		w, err := traffic.NewWorld(s)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g, err := traffic.New(traffic.Config{Users: 5, Start: first, World: w})
		if err != nil {
			t.Fatal(err)
		}
		events := 0
		for range 100 {
			text, info := g.Next(nil, traffic.Item)
			events += info.Events
			if !json.Valid(text) {
				t.Fatalf("%s: %s", name, text)
			}
		}
		if events == 0 {
			t.Errorf("%s: nothing happens", name)
		}
	}
}
