package flows_test

import (
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// TestComputedAgain has flows computed by themselves: new ones, edited ones, and when what was computed is a day old; not those that are switched off.
func TestComputedAgain(t *testing.T) {
	s := testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) {
		if c.Modules == nil {
			c.Modules = map[string]any{}
		}
		c.Modules["flows"] = map[string]any{"interval": "1s"}
	}))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	s.Admin("/i/flows/create", "app_id", a.ID, "name", "On", "start", `{"event":"see"}`, "period", "7days")
	s.Admin("/i/flows/create", "app_id", a.ID, "name", "Off", "start", `{"event":"see"}`, "period", "7days", "disabled", "true")
	s.Admin("/i/flows/create", "app_id", a.ID, "name", "Past", "start", `{"event":"see"}`, "period", `["2031-01-01","2031-01-02"]`)
	ids := map[string]string{}
	var list struct {
		Rows []map[string]any `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o/flows", "app_id", a.ID, "method", "list"), &list)
	for _, row := range list.Rows {
		name, _ := row["name"].(string)
		ids[name], _ = row["_id"].(string)
	}
	read := func(name string) (d data) {
		t.Helper()
		testkit.Decode(t, s.Admin("/o/flows", "app_id", a.ID, "method", "data", "_id", ids[name]), &d)
		return d
	}
	wait := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: %s", what, s.Admin("/o/flows", "app_id", a.ID, "method", "list"))
			}
		}
	}
	wait("new flows", func() bool { return read("On").Calculated > 0 && read("Past").Calculated > 0 })
	first, past := read("On").Calculated, read("Past").Calculated
	if got := s.Admin("/o/flows", "app_id", a.ID, "method", "info", "_id", ids["On"]); !strings.Contains(got, `"status":"completed"`) {
		t.Errorf("%s", got)
	}
	s.Admin("/i/flows/edit", "app_id", a.ID, "_id", ids["On"], "start", `{"event":"cart"}`)
	wait("an edited flow", func() bool {
		return strings.Contains(s.Admin("/o/flows", "app_id", a.ID, "method", "info", "_id", ids["On"]), `"status":"completed"`)
	})
	s.Clock().Set(start.Add(25 * time.Hour))
	wait("a day later", func() bool { return read("On").Calculated >= first+86400_000 })
	if read("Past").Calculated != past {
		t.Error("a period that is over is computed again")
	}
	if read("Off").Calculated != 0 {
		t.Error("a flow that is switched off is computed")
	}
	s.Admin("/i/flows/updateDisabled", "app_id", a.ID, "data", `{"`+ids["Off"]+`":false}`)
	wait("switched on", func() bool { return read("Off").Calculated > 0 })
}
