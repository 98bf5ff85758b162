package properties_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// member makes a member who may do some things in an app, and answers their key.
func member(t *testing.T, s *testkit.Server, a testkit.TestApp, name string, rights ...string) string {
	t.Helper()
	permission := map[string]any{"_": map[string]any{"a": []string{}, "u": [][]string{{a.ID}}}}
	for _, action := range []string{"c", "r", "u", "d"} {
		allowed := map[string]bool{}
		for _, right := range rights {
			if of, feature, _ := strings.Cut(right, ":"); of == action {
				allowed[feature] = true
			}
		}
		permission[action] = map[string]any{a.ID: map[string]any{"all": false, "allowed": allowed}}
	}
	args, err := json.Marshal(map[string]any{"full_name": name, "username": name, "password": "Correct-horse-1", "email": name + "@example.org", "permission": permission})
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", string(args)), &p)
	return p.Key
}

func TestLabels(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	reader, users := member(t, s, a, "reader", "r:core"), member(t, s, a, "users", "r:core", "r:users")
	editor := member(t, s, a, "editor", "r:core", "u:events")
	edit := func(key string, app testkit.TestApp, text string) testkit.Response {
		return s.Post("/i/properties/edit?"+testkit.Query("api_key", key, "app_id", app.ID), "properties", text)
	}
	list := func(key string, app testkit.TestApp) string {
		return s.Get("/o/properties", "api_key", key, "app_id", app.ID).Body
	}
	for _, tt := range []struct {
		name, text, want string
	}{
		{"labels", `{"sg.what":{"label":" Drink ","description":"<What>"},"up.custom.plan":{"hidden":true}}`, `{"custom.plan":{"hidden":true},"sg.what":{"label":"Drink","description":"<What>"}}`},
		{"others", `{"sg.price":{"hidden":true}}`, `{"custom.plan":{"hidden":true},"sg.price":{"hidden":true},"sg.what":{"label":"Drink","description":"<What>"}}`},
		{"a part", `{"sg.what":{"hidden":true},"sg.price":{"hidden":false}}`, `{"custom.plan":{"hidden":true},"sg.what":{"label":"Drink","description":"<What>","hidden":true}}`},
		{"taken back", `{"sg.what":null,"custom.plan":{"label":"Tarif 😀"}}`, `{"custom.plan":{"label":"Tarif 😀","hidden":true}}`},
	} {
		if r := edit(editor, a, tt.text); r.Status != http.StatusOK || r.Body != `{"result":"Success"}` {
			t.Errorf("%s: %d %s", tt.name, r.Status, r.Body)
		}
		got := s.Do(http.MethodGet, "/o/properties?"+testkit.Query("api_key", users, "app_id", a.ID), nil, "Accept", "application/json;escape=none").Body
		if got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if got := list(reader, a); got != `{}` {
		t.Errorf("of users, without the right to read them: %s", got)
	}
	if got := list(s.Key, b); got != `{}` {
		t.Errorf("of another app: %s", got)
	}
	many := map[string]any{}
	for i := range 5001 {
		many[fmt.Sprintf("sg.%d", i)] = map[string]any{"hidden": true}
	}
	tooMany, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"nothing": ``, "no object": `[]`, "empty": `{}`, "an unknown field": `{"sg.a":{"color":"red"}}`, "no label": `{"sg.a":"x"}`, "no property": `{"sg.":{"label":"x"}}`,
		"another path": `{"e":{"label":"x"}}`, "an operator": `{"$or":{"label":"x"}}`, "two ways": `{"custom.a":{"label":"x"},"up.custom.a":{"label":"y"}}`, "NUL": `{"sg.a":{"label":"\u0000"}}`,
		"NUL in a path": `{"sg.\u0000":{"label":"x"}}`, "more behind": `{"sg.a":{"label":"x"}}{}`, "a number": `{"sg.a":{"label":1}}`, "a long path": `{"sg.` + strings.Repeat("x", 600) + `":{"label":"x"}}`,
		"a long label": `{"sg.a":{"label":"` + strings.Repeat("x", 201) + `"}}`, "a long description": `{"sg.a":{"description":"` + strings.Repeat("x", 2001) + `"}}`, "too many": string(tooMany),
		"deep": strings.Repeat(`{"sg.a":`, 100_000),
	} {
		if r := edit(editor, a, text); r.Status != http.StatusBadRequest || name != "deep" && r.Header.Get("Quipu-Error") != "properties.invalid" {
			t.Errorf("%s: %d %.200s", name, r.Status, r.Body)
		}
	}
	// Much, but not more than may be said.
	for i := range 3 {
		part := map[string]any{}
		for j := range 500 {
			part[fmt.Sprintf("sg.%d.%d", i, j)] = map[string]any{"description": strings.Repeat("x", 2000)}
		}
		text, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		if r := edit(editor, a, string(text)); (r.Status == http.StatusOK) != (i < 2) || i == 2 && r.Header.Get("Quipu-Error") != "properties.too_many" {
			t.Errorf("part %d: %d %.200s", i, r.Status, r.Body)
		}
	}
	for name, r := range map[string]testkit.Response{
		"a reader": edit(reader, a, `{"sg.a":{"label":"x"}}`), "another app": edit(editor, b, `{"sg.a":{"label":"x"}}`), "nobody": edit("nothing", a, `{"sg.a":{"label":"x"}}`),
		"reading another app": s.Get("/o/properties", "api_key", reader, "app_id", b.ID),
	} {
		if r.Status != http.StatusUnauthorized && r.Status != http.StatusForbidden {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	if got := list(s.Key, b); got != `{}` {
		t.Errorf("of another app, afterwards: %s", got)
	}
	if log := s.Admin("/o", "method", "systemlogs", "app_id", a.ID, "iDisplayLength", "100"); !strings.Contains(log, "properties_edited") || !strings.Contains(log, "Tarif") {
		t.Errorf("the log has no change: %.500s", log)
	}
	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	if got := list(s.Key, a); got != `{}` {
		t.Errorf("after a reset: %.200s", got)
	}
}
