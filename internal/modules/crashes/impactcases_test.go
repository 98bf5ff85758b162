package crashes_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestVolumeImpactPlanted has a group that users of Android meet more often, on the way to paying, and that keeps them away: all of it is found.
func TestVolumeImpactPlanted(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.random(rand.New(rand.NewPCG(11, 7)), 400, 40, true) // reproducible
	s.send(start.AddDate(0, 0, 42))
	var properties propertiesDoc
	s.ask("crash_properties", &properties, "period", "60days")
	if len(properties.Properties) == 0 {
		t.Fatal("no properties")
	}
	significant := map[string]bool{}
	for _, p := range properties.Properties {
		if p.Adjusted < 0.05 {
			significant[fmt.Sprint(p.Kind, " ", p.Path, "=", p.Value)] = p.Odds.Low > 1
		}
	}
	s.same("over-represented", significant, map[string]bool{"user up.p=Android": true, "user up.src=Android": true, "report sg.muted=yes": true})
	var cost costDoc
	s.ask("crash_cost", &cost, "period", "60days")
	s.same("outcomes", len(cost.Outcomes), 3)
	if week := cost.Outcomes[1]; week.Few || week.Difference.High >= 0 || week.Difference.Low < -100 || week.Ratio.High >= 1 {
		t.Errorf("cost of a week: %+v", week)
	}
	var paths pathsDoc
	s.ask("crash_paths", &paths, "period", "60days")
	if len(paths.Steps) == 0 || paths.Steps[0].Event != "pay" || paths.Steps[0].Lift < 2 {
		t.Errorf("steps: %+v", paths.Steps)
	}
	last := paths.Levels[len(paths.Levels)-1]
	if last.Level != 0 || len(last.Nodes) != 1 || last.Nodes[0].Paths != paths.Paths || len(paths.Levels) != 6 {
		t.Errorf("levels: %+v", paths.Levels)
	}
}

// TestVolumeImpactNone has a group that anybody meets and that changes nothing: nothing is shown as certain.
func TestVolumeImpactNone(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{1, 2, 3} {
		s := newStory(t)
		s.random(rand.New(rand.NewPCG(seed, 9)), 300, 40, false) // reproducible
		s.send(start.AddDate(0, 0, 42))
		var properties propertiesDoc
		s.ask("crash_properties", &properties, "period", "60days")
		if properties.Users.Few || properties.Tested < 5 {
			t.Errorf("seed %d: nothing was compared: %+v", seed, properties)
		}
		for _, p := range properties.Properties {
			if p.Adjusted < 0.05 && p.Path != "sg.muted" {
				t.Errorf("seed %d: %+v", seed, p)
			}
		}
		var cost costDoc
		s.ask("crash_cost", &cost, "period", "60days", "event", "buy")
		said := 0
		for _, o := range cost.Outcomes {
			if o.Few {
				continue
			}
			if said++; o.Difference.Low > 0 || o.Difference.High < 0 {
				t.Errorf("seed %d: %s within %d: %+v", seed, o.Kind, o.Days, o.Difference)
			}
		}
		if said < 4 {
			t.Errorf("seed %d: only %d outcomes", seed, said)
		}
	}
}

// TestImpactFew has nine users hit: nothing is said of so few.
func TestImpactFew(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	for n := range 60 {
		device := fmt.Sprint("d", n)
		s.begins(device, start.Add(time.Duration(n)*time.Minute), "iOS", fmt.Sprint(1+n%2, ".0"), "free")
		if n < 9 {
			s.does(device, start.Add(time.Duration(n)*time.Minute+time.Second), "target")
		}
	}
	s.send(start.AddDate(0, 0, 9))
	var properties propertiesDoc
	s.ask("crash_properties", &properties, "period", "30days")
	s.same("properties", []any{properties.Users.Hit, properties.Users.Other, properties.Users.Few, properties.Reports.Few, len(properties.Properties)}, []any{9, 51, true, true, 0})
	var cost costDoc
	s.ask("crash_cost", &cost, "period", "30days")
	s.same("users hit", cost.Users, 9)
	for _, o := range cost.Outcomes {
		if !o.Few || o.Hit != nil || o.Ratio != nil {
			t.Errorf("cost: %+v", o)
		}
	}
	s.same("followed", []int{cost.Outcomes[0].Followed, cost.Outcomes[1].Followed, cost.Outcomes[2].Followed}, []int{9, 9, 0})
	var paths pathsDoc
	s.ask("crash_paths", &paths, "period", "30days", "steps", "1")
	s.same("paths", []any{paths.Paths, paths.Users, paths.Few, len(paths.Steps), len(paths.Levels)}, []any{9, 9, true, 0, 2})
}

// TestImpactOutside follows a user from the report on where no session began in the day before it, and takes the reports of all variants of a merged group.
func TestImpactOutside(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	for n := range 30 {
		device, at := fmt.Sprint("d", n), start.Add(time.Duration(n)*time.Minute)
		s.begins(device, at, "iOS", "1.0", "free")
		s.begins(device, at.AddDate(0, 0, 3), "iOS", "1.0", "free")
		switch {
		case n < 6:
			s.does(device, at.Add(time.Second), "target")
		case n < 12:
			s.does(device, at.Add(time.Second), "other")
		}
		if n == 12 {
			s.does(device, at.AddDate(0, 0, 2), "target")
		}
	}
	s.send(start.AddDate(0, 0, 11))
	var cost costDoc
	s.ask("crash_cost", &cost, "period", "30days")
	o := cost.Outcomes[1]
	s.same("with a report outside of sessions", []int{cost.Users, o.Followed, o.Matched, o.Unhit}, []int{7, 7, 6, 24})
	s.act("merge", fmt.Sprintf(`{"crash_id":%q,"crashes":[%q]}`, s.id("target"), s.id("other")))
	deadline := time.Now().Add(20 * time.Second)
	for cost.Users != 13 {
		if time.Now().After(deadline) {
			t.Fatalf("users hit by the merged group: %d, want 13", cost.Users)
		}
		time.Sleep(20 * time.Millisecond)
		s.ask("crash_cost", &cost, "period", "30days")
	}
	o = cost.Outcomes[1]
	s.same("merged", []any{o.Followed, o.Matched, o.Unhit, o.Few}, []any{13, 12, 18, false})
	s.same("nobody differs", []float64{o.Hit.Value, o.Other.Value, o.Difference.Value}, []float64{100, 100, 0})
}

// TestImpactAccess refuses what has no meaning and groups that are not there, and tells properties of users to those only who may read users.
func TestImpactAccess(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.random(rand.New(rand.NewPCG(5, 9)), 120, 30, true) // reproducible
	s.send(start.AddDate(0, 0, 31))
	id, other := s.id("target"), s.s.CreateApp("another", "UTC")
	for _, method := range []string{"crash_properties", "crash_cost", "crash_paths"} {
		for _, tt := range []struct {
			status int
			code   string
			pairs  []string
		}{
			{404, "crashes.unknown_group", []string{"app_id", s.a.ID, "group", "nothing"}},
			{404, "crashes.unknown_group", []string{"app_id", other.ID, "group", id}},
			{400, "crashes.bad_parameter", []string{"app_id", s.a.ID}},
			{400, "", []string{"app_id", s.a.ID, "group", id, "period", "[2,1,0]"}},
			{400, "", []string{"app_id", s.a.ID, "group", id, "period", `{"$gt":1}`}},
			{404, "crashes.unknown_group", []string{"app_id", s.a.ID, "group", strings.Repeat("x\x00'", 2000)}},
		} {
			res := s.s.Get("/o", append([]string{"api_key", s.s.Key, "method", method}, tt.pairs...)...)
			if res.Status != tt.status || tt.code != "" && res.Header.Get("Quipu-Error") != tt.code {
				t.Errorf("%s %.80v: %d %s %.200s", method, tt.pairs, res.Status, res.Header.Get("Quipu-Error"), res.Body)
			}
		}
	}
	for _, pairs := range [][]string{
		{"method", "crash_properties", "limit", "-1"},
		{"method", "crash_properties", "limit", "501"},
		{"method", "crash_paths", "steps", "11"},
		{"method", "crash_paths", "steps", "-3"},
		{"method", "crash_cost", "event", strings.Repeat("e", 2000)},
		{"method", "crash_cost", "name", "Home"},
	} {
		res := s.s.Get("/o", append([]string{"api_key", s.s.Key, "app_id", s.a.ID, "group", id}, pairs...)...)
		if res.Status != 400 {
			t.Errorf("%.80v: %d %.200s", pairs, res.Status, res.Body)
		}
	}
	permission := map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{s.a.ID}}}}
	for _, action := range []string{"c", "r", "u", "d"} {
		permission[action] = map[string]any{s.a.ID: map[string]any{"all": false, "allowed": map[string]bool{"crashes": action == "r", "core": action == "r"}}}
	}
	args, err := json.Marshal(map[string]any{"full_name": "reader", "username": "reader", "password": "Correct-horse-1", "email": "reader@example.org", "permission": permission})
	if err != nil {
		t.Fatal(err)
	}
	var reader struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.s.Admin("/i/users/create", "args", string(args)), &reader)
	res := s.s.Get("/o", "api_key", reader.Key, "method", "crash_properties", "app_id", s.a.ID, "group", id, "period", "60days")
	var properties propertiesDoc
	testkit.Decode(t, res.Body, &properties)
	for _, p := range properties.Properties {
		if p.Kind != "report" {
			t.Errorf("%s is told to a member who may not read users", p.Path)
		}
	}
	if res.Status != 200 || properties.Tested == 0 {
		t.Errorf("reader: %d %s", res.Status, res.Body)
	}
}
