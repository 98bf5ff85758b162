package pipeline_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/topic"
)

func TestReset(t *testing.T) {
	t.Parallel()
	for _, kind := range []request.Kind{request.ResetApp, request.DeleteApp} {
		w := running(t, nil)
		first := req(&utcApp, "X", noon+1, "begin_session", "1", "events", `[{"key":"a","segmentation":{"k":"v"}}]`)
		other := req(&kolkataApp, "X", noon, "begin_session", "1")
		w.send(t, first, req(&utcApp, "Y", noon, "old_device_id", "X"), other)
		w.submit(t, request.Record{Kind: kind, App: utcApp.ID})
		empty := state{
			Cells: map[string]string{}, Profiles: map[string]model.Profile{}, Values: map[string][]string{},
		}
		got := w.state(t, &utcApp)
		got.Requests, got.States, got.Users = nil, nil, nil
		if len(got.Aliases) == 0 {
			got.Aliases = nil
		}
		if len(got.Events) == 0 {
			got.Events = nil
		}
		if diff := cmp.Diff(empty, got); diff != "" {
			t.Errorf("kind %d: state (-want +got):\n%s", kind, diff)
		}
		if got := w.day(t, &kolkataApp, rollup.Users, "", noon, totals)[""]; got != "e:1 t:1 n:1 u:1 d:0" {
			t.Errorf("kind %d: the other app has %q", kind, got)
		}
		w.send(t, first) // no duplicate any more
		if p := w.profile(t, &utcApp, "X"); p.UID != 1 {
			t.Errorf("kind %d: numbering goes on with %d", kind, p.UID)
		}
	}
}

func TestDeleteEvents(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	list := `[{"key":"a","segmentation":{"k":"v"}},{"key":"ab","segmentation":{"k":"v"}}]`
	w.send(t, req(&utcApp, "X", noon, "hour", "1", "dow", "1", "events", list))
	w.submit(t, request.Record{Kind: request.DeleteEvents, App: utcApp.ID, Names: []string{"a"}})
	for k := range w.cells(t, &utcApp) {
		if strings.Contains(k, `"a"`) || strings.Contains(k, `"a\x00`) {
			t.Errorf("cell %s is left", k)
		}
	}
	if got := brief(w.events.rows(&utcApp)); len(got) != 1 || !strings.Contains(got[0], " ab ") {
		t.Errorf("rows %q", got)
	}
	if got := w.day(t, &utcApp, rollup.Segments, "ab\x00k", noon, counts); got["v"] != "1" {
		t.Errorf("the other event's segment: %v", got)
	}
	if e := w.schema.Events(utcApp.ID); len(e) != 1 || e[0].Key != "ab" {
		t.Errorf("schema %+v", e)
	}
	w.send(t, req(&utcApp, "X", noon, "events", list))
	if got := w.day(t, &utcApp, rollup.Events, "", noon, counts); got["a"] != "1" || got["ab"] != "2" {
		t.Errorf("events later: %v", got)
	}
}

func TestDeleteViews(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	visit := func(name, more string) string {
		return fmt.Sprintf(`{"key":"[CLY]_view","segmentation":{"name":%q,"visit":1,"platform":"web","view":"/%s"%s}}`, name, name, more)
	}
	scroll := `{"key":"[CLY]_action","segmentation":{"type":"scroll","y":6,"height":10,"view":"/home"}}`
	w.send(t, req(&utcApp, "X", noon, "begin_session", "1", "events", "["+visit("home", "")+","+visit("cart", "")+","+visit("home", "")+","+scroll+"]"),
		req(&utcApp, "X", noon, "end_session", "1"))
	w.submit(t, request.Record{Kind: request.DeleteSubjects, App: utcApp.ID, Event: "[CLY]_view", Names: []string{"home"}})
	check := func(when string, want map[string]string) {
		t.Helper()
		got := map[string]string{}
		for k, v := range w.text(t, &utcApp) {
			if _, k, _ = strings.Cut(k, " "); strings.HasPrefix(k, "view ") || strings.HasPrefix(k, "exit ") {
				got[k] = v
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	left := map[string]string{"view cart": "t:1 u:1 s:0 d:0 scr:0", "view cart platform=web": "t:1 u:1 s:0 d:0 scr:0", "exit cart": "e:0 b:0 uvc:1"}
	check("after it", left)
	for _, r := range w.events.rows(&utcApp) {
		if r.Name == "home" {
			t.Errorf("a row is left: %+v", r)
		}
	}
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	check("rebuilt", left)
	w.send(t, req(&utcApp, "X", noon, "events", "["+visit("home", `,"start":true`)+"]"))
	left["view home"], left["view home platform=web"] = "t:1 u:1 s:1 d:0 scr:0", "t:1 u:1 s:1 d:0 scr:0"
	check("visited again", left)
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	check("visited again, rebuilt", left)
}

// TestViews counts what the wire says of views.
func TestViews(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	view := func(segmentation, more string) string {
		return `{"key":"[CLY]_view"` + more + `,"segmentation":{` + segmentation + `}}`
	}
	later := noon + 60_000
	w.send(t,
		req(&utcApp, "X", noon, "begin_session", "1", "events", "["+view(`"name":"A","visit":1,"start":1,"view":"/a","a.B.c":"x.y","referrer":"r","utm_medium":"m"`, `,"dur":40`)+"]"),
		req(&utcApp, "X", later, "events", "["+view(`"name":"A","dur":60`, "")+"]"),
		req(&utcApp, "X", later+1, "events", `[{"key":"[CLY]_action","segmentation":{"type":"scroll","y":600,"height":1000,"view":"/a","start":1}},`+
			`{"key":"[CLY]_action","segmentation":{"type":"click","y":600,"height":1000,"view":"/a"}},{"key":"[CLY]_action","segmentation":{"type":"scroll","y":1,"height":0,"name":"A"}}]`),
		req(&utcApp, "X", later+2, "end_session", "1"),
		req(&utcApp, "Y", noon, "begin_session", "1", "events", "["+view(`"name":"A","visit":"1"`, "")+","+view(`"name":"B","visit":true`, "")+"]"),
		req(&utcApp, "Y", later, "session_duration", "9"),
		req(&utcApp, "Y", later+5, "end_session", "1"),
		// The session goes on within the cooldown: what its end counted is taken back.
		req(&utcApp, "Y", later+6, "begin_session", "1", "events", "["+view(`"name":"A","visit":1`, "")+"]"),
		req(&utcApp, "Y", later+7, "end_session", "1"),
		// Without an end nothing is left, without a name nothing was seen.
		req(&utcApp, "Z", noon, "begin_session", "1", "events", "["+view(`"name":"B","visit":1`, "")+","+view(`"visit":1`, "")+"]"),
	)
	got := map[string]string{}
	for k, v := range w.text(t, &utcApp) {
		if _, k, _ = strings.Cut(k, " "); strings.HasPrefix(k, "view ") || strings.HasPrefix(k, "exit ") {
			got[k] = v
		}
	}
	want := map[string]string{
		"view A": "t:3 u:2 s:2 d:100 scr:60", "view A aBc=x:y": "t:1 u:1 s:1 d:40 scr:0", "view B": "t:2 u:2 s:0 d:0 scr:0",
		"exit A": "e:2 b:1 uvc:2", "exit B": "e:0 b:0 uvc:1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("views (-want +got):\n%s", diff)
	}
	if p := w.profile(t, &utcApp, "Y"); p.LastView != "A" || p.LastViewAt != (later+6)/1000 || p.Views != 3 {
		t.Errorf("last view %q at %d, %d in the session", p.LastView, p.LastViewAt, p.Views)
	}
	w.send(t, req(&utcApp, "N", later+10_000, "old_device_id", "Y"))
	if p := w.profile(t, &utcApp, "N"); p.LastView != "A" || p.LastViewAt != (later+6)/1000 || p.Views != 3 {
		t.Errorf("after a merge: last view %q at %d, %d in the session", p.LastView, p.LastViewAt, p.Views)
	}
	w.submit(t, request.Record{Kind: request.OmitSegments, App: utcApp.ID, Event: "[CLY]_view", Names: []string{"aBc"}})
	if _, left := w.text(t, &utcApp)["2031-05-14 view A aBc=x:y"]; left {
		t.Error("cells of an omitted segment are left")
	}
}

func TestOmitAndWhitelist(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	send := func() {
		w.send(t, req(&utcApp, "X", noon, "events", `[{"key":"a","segmentation":{"x":"1","y":"2","z":"3"}}]`))
	}
	values := func() map[string]string {
		out := map[string]string{}
		for _, name := range []string{"x", "y", "z"} {
			if n := w.day(t, &utcApp, rollup.Segments, "a\x00"+name, noon, counts); len(n) > 0 {
				out[name] = n[map[string]string{"x": "1", "y": "2", "z": "3"}[name]]
			}
		}
		return out
	}
	stored := func(row int) string {
		r := w.events.rows(&utcApp)[row]
		var out []string
		for _, v := range r.Text {
			if v != nil {
				out = append(out, *v)
			}
		}
		return strings.Join(out, ",")
	}
	send()
	w.submit(t, request.Record{Kind: request.OmitSegments, App: utcApp.ID, Event: "a", Names: []string{"x", "y"}})
	send()
	if diff := cmp.Diff(map[string]string{"z": "2"}, values()); diff != "" {
		t.Errorf("omitted (-want +got):\n%s", diff)
	}
	if stored(0) != "3" || stored(1) != "3" {
		t.Errorf("rows hold %q and %q", stored(0), stored(1))
	}
	w.submit(t, request.Record{Kind: request.WhitelistSegments, App: utcApp.ID, Event: "a", Names: []string{"w"}})
	send()
	if diff := cmp.Diff(map[string]string{"z": "2"}, values()); diff != "" {
		t.Errorf("whitelisted (-want +got):\n%s", diff)
	}
	w.submit(t, request.Record{Kind: request.WhitelistSegments, App: utcApp.ID, Event: "a"})
	send()
	if diff := cmp.Diff(map[string]string{"z": "3"}, values()); diff != "" {
		t.Errorf("no whitelist any more (-want +got):\n%s", diff)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	var told []topic.UsersDeleted
	hook.On(w.bus, "test", func(_ context.Context, d topic.UsersDeleted) error {
		told = append(told, d)
		return nil
	})
	w.send(t, req(&utcApp, "X", noon, "begin_session", "1", "events", `[{"key":"a"}]`), req(&utcApp, "Z", noon, "begin_session", "1"))
	w.submit(t, request.Record{Kind: request.CreateUser, App: utcApp.ID, JSON: []byte(`{"did":"Y","name":"Bea","custom":{"k":1}}`)})
	w.submit(t, request.Record{Kind: request.CreateUser, App: utcApp.ID, JSON: []byte(`{"name":"nobody"}`)})
	w.submit(t, request.Record{Kind: request.CreateUser, App: utcApp.ID, JSON: []byte(`{"did":"X","name":"Ann"}`)})
	y := w.profile(t, &utcApp, "Y")
	if y.UID != 3 || y.Name != "Bea" || y.Custom["k"] != 1.0 || y.State == 0 || y.FirstSync != noon/1000 {
		t.Errorf("created %+v", y)
	}
	if x := w.profile(t, &utcApp, "X"); x.UID != 1 || x.Name != "Ann" || x.Sessions != 1 {
		t.Errorf("created again %+v", x)
	}
	w.submit(t, request.Record{Kind: request.UpdateUsers, App: utcApp.ID, UIDs: []uint32{1, 3, 99}, JSON: []byte(`{"$inc":{"custom.k":2},"name":"Cid"}`)})
	w.submit(t, request.Record{Kind: request.UpdateUsers, App: utcApp.ID, UIDs: []uint32{1}, JSON: []byte(`[]`)})
	for did, k := range map[string]float64{"X": 2, "Y": 3} {
		p := w.profile(t, &utcApp, did)
		if p.Name != "Cid" || p.Custom["k"] != k || w.events.of(utcApp.ID).states[p.State].UID != p.UID {
			t.Errorf("updated %s: %+v", did, p)
		}
	}
	before := w.cells(t, &utcApp)
	w.submit(t, request.Record{Kind: request.DeleteUsers, App: utcApp.ID, UIDs: []uint32{1, 1, 3, 77}})
	if diff := cmp.Diff(before, w.cells(t, &utcApp)); diff != "" {
		t.Errorf("cells changed:\n%s", diff)
	}
	got := w.state(t, &utcApp)
	if len(got.Profiles) != 1 || got.Profiles["Z"].UID != 2 || len(got.Rows) != 1 || len(got.Requests) != 1 || len(got.Users) != 1 {
		t.Errorf("left: %+v", got)
	}
	if diff := cmp.Diff(profile.Sequence{UID: 3, State: got.Sequence.State, Users: 1}, got.Sequence); diff != "" {
		t.Errorf("sequence (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]topic.UsersDeleted{{App: utcApp.ID, UIDs: []uint32{1, 3}}}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	w.send(t, req(&utcApp, "X", noon, "begin_session", "1"))
	if p := w.profile(t, &utcApp, "X"); p.UID != 4 {
		t.Errorf("a deleted user's number was given out again: %d", p.UID)
	}
}

// TestZoneChange rebuilds the cells in another time zone.
func TestZoneChange(t *testing.T) {
	t.Parallel()
	app := utcApp
	app.ID = model.AppID{9}
	w := running(t, nil)
	w.apps[0] = &app
	late := noon + 11*3_600_000 + 45*60_000 // 23:45 UTC
	w.send(t,
		req(&app, "X", late, "begin_session", "1", "events", `[{"key":"a","sum":2,"segmentation":{"n":0.0000001,"m":1e21,"k":12.50}}]`),
		req(&app, "X", late, "end_session", "1", "session_duration", "5"),
	)
	moved := app
	moved.Timezone = "Asia/Kolkata"
	settings := pipeline.DefaultSettings()
	settings.Timezone = moved.Timezone
	w.submit(t, pipeline.SetSettings(app.ID, settings))
	w.submit(t, request.Record{Kind: request.RebuildCells, App: app.ID})
	rebuilt := w.cells(t, &moved)

	fresh := running(t, nil)
	fresh.apps[0] = &moved
	fresh.send(t,
		req(&app, "X", late, "begin_session", "1", "events", `[{"key":"a","sum":2,"segmentation":{"n":0.0000001,"m":1e21,"k":12.50}}]`),
		req(&app, "X", late, "end_session", "1", "session_duration", "5"),
	)
	want := fresh.cells(t, &moved)
	for k := range want {
		if strings.HasPrefix(k, "48 ") { // outcomes stay as they were counted
			delete(want, k)
		}
	}
	for k := range rebuilt {
		if strings.HasPrefix(k, "48 ") {
			delete(rebuilt, k)
		}
	}
	if diff := cmp.Diff(want, rebuilt); diff != "" {
		t.Errorf("cells (-counted in the zone +rebuilt in it):\n%s", diff)
	}
}

// TestLongValues: what is too long for the key of a cell does not stop the
// pipeline, wherever it comes from.
func TestLongValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", 2500)
	w := running(t, func(o *pipeline.Options) {
		o.Features = append(o.Features, &pipeline.Feature{
			Name: "long", Rows: []string{"[CLY]_long"},
			Steps: []pipeline.Addition{{After: pipeline.StepExpand, Step: pipeline.Step{Name: "long", Apply: func(it *pipeline.Item) error {
				it.Record("[CLY]_long", it.TS, "", nil)
				return nil
			}}}},
			Count: func(c *pipeline.Counter, row *events.Row, _ pipeline.Texts) {
				c.Day(row.TS, rollup.Series{Metric: 64, Dim: long}, long).Count++
			},
		})
	})
	w.submit(t, request.Record{Kind: request.CreateUser, App: utcApp.ID, JSON: []byte(`{"did":"X","d":"` + long + `","cty":"` + long + `"}`)})
	w.send(t, req(&utcApp, "X", noon, "begin_session", "1", "city", long, "metrics", `{"_os":"`+long+`","_carrier":"`+long+`"}`,
		"events", `[{"key":"`+long+`","segmentation":{"`+long+`":"`+long+`"}}]`))
	if got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]; got != "e:1 t:1 n:1 u:1 d:0" {
		t.Errorf("users %q", got)
	}
	for v := range w.day(t, &utcApp, rollup.Devices, "", noon, counts) {
		if !strings.HasPrefix(long, v) || len(v) < 100 {
			t.Errorf("device of %d bytes", len(v))
		}
	}
}
