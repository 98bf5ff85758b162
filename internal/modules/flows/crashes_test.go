package flows_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestCrashes lists groups of crashes, and walks to and from one.
func TestCrashes(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	crash := func(name string) string {
		text, err := json.Marshal(map[string]any{"_os": "Android", "_app_version": "1.0", "_nonfatal": false, "_error": name + ": no\n\tat com.shop." + name + "(Main.java:7)"})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for i := range 3 {
		s.Ingest(a, fmt.Sprint("d", i), "begin_session", "1", "events", `[{"key":"see"},{"key":"cart"}]`)
		s.Clock().Set(start.Add(time.Duration(i+1) * time.Minute))
		s.Ingest(a, fmt.Sprint("d", i), "crash", crash([]string{"NoMoney", "NoMoney", "NoNetwork"}[i]))
	}
	s.Ingest(b, "d0", "crash", crash("NoSuchApp"))
	s.Flush()
	type option struct{ Value, Name string }
	list := func(key string, pairs ...string) (out struct{ Result []option }) {
		t.Helper()
		testkit.Decode(t, s.Get("/o/flows", append([]string{"api_key", key, "app_id", a.ID, "method", "crashes"}, pairs...)...).Body, &out)
		return out
	}
	all := list(s.Key).Result
	if len(all) != 2 || !strings.Contains(all[0].Name, "NoNetwork") || !strings.Contains(all[1].Name, "NoMoney") || all[0].Value == "" {
		t.Fatalf("listed: %+v", all)
	}
	if got := list(s.Key, "query", "nomon").Result; len(got) != 1 || got[0] != all[1] {
		t.Errorf("searched: %+v", got)
	}
	if got := list(s.Key, "query", "nothing").Result; got == nil || len(got) != 0 {
		t.Errorf("searched for what is not there: %+v", got)
	}
	paths := func(of option) string {
		r := s.Post("/o/flows/paths", "api_key", s.Key, "app_id", a.ID, "start", `{"event":"see"}`, "end", `{"event":"[CLY]_crash","cid":"`+of.Value+`"}`, "period", "7days", "kinds", `["events","crashes"]`)
		if r.Status != http.StatusOK {
			t.Fatalf("paths: %d %s", r.Status, r.Body)
		}
		return r.Body
	}
	for i, of := range all {
		if body := paths(of); !strings.Contains(body, of.Value) || strings.Contains(body, all[1-i].Value) {
			t.Errorf("paths to %s: %s", of.Name, body)
		}
	}
	// A group that does not count is no step, however it is named.
	without := func(exclude string) string {
		r := s.Post("/o/flows/paths", "api_key", s.Key, "app_id", a.ID, "start", `{"event":"see"}`, "exclude", exclude, "period", "7days", "kinds", `["events","crashes"]`)
		if r.Status != http.StatusOK {
			t.Fatalf("without %s: %d %s", exclude, r.Status, r.Body)
		}
		return r.Body
	}
	if body := without(`[]`); !strings.Contains(body, all[0].Value) || !strings.Contains(body, all[1].Value) {
		t.Errorf("with all: %s", body)
	}
	for _, form := range []string{`[{"event":"[CLY]_crash","cid":%q}]`, `[{"cid":%q}]`, `[{"event":"[CLY]_crash","name":%q}]`} {
		for i, of := range all {
			if body := without(fmt.Sprintf(form, of.Value)); strings.Contains(body, of.Value) || !strings.Contains(body, all[1-i].Value) {
				t.Errorf("without %s: %s", fmt.Sprintf(form, of.Value), body)
			}
		}
	}
	if r := s.Post("/o/flows/paths", "api_key", s.Key, "app_id", a.ID, "start", `{"event":"see"}`, "exclude", `[{"name":"x"}]`); r.Status != http.StatusBadRequest {
		t.Errorf("without what has no name: %d %s", r.Status, r.Body)
	}
	// Hidden groups are not offered.
	s.Admin("/i/crashes/hide", "app_id", a.ID, "args", `{"crash_id":"`+all[0].Value+`"}`)
	if got := list(s.Key).Result; len(got) != 1 || got[0] != all[1] {
		t.Errorf("after one was hidden: %+v", got)
	}
	// Names of crashes are for those who may read crashes.
	for name, rights := range map[string]map[string]bool{"flows": {"flows": true}, "both": {"flows": true, "crashes": true}} {
		permission := map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}}
		for _, action := range []string{"c", "r", "u", "d"} {
			permission[action] = map[string]any{a.ID: map[string]any{"all": false, "allowed": map[string]bool{}}}
		}
		permission["r"] = map[string]any{a.ID: map[string]any{"all": false, "allowed": rights}}
		args, err := json.Marshal(map[string]any{"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org", "permission": permission})
		if err != nil {
			t.Fatal(err)
		}
		var p struct {
			Key string `json:"api_key"`
		}
		testkit.Decode(t, s.Admin("/i/users/create", "args", string(args)), &p)
		if got := list(p.Key).Result; got == nil || len(got) != len(rights)-1 {
			t.Errorf("for %s: %+v", name, got)
		}
		if r := s.Get("/o/flows", "api_key", p.Key, "app_id", b.ID, "method", "crashes"); r.Status != http.StatusUnauthorized {
			t.Errorf("of another app: %d %s", r.Status, r.Body)
		}
	}
}
