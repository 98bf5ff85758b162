package pipeline_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// The numbers of incidents.
const (
	incidentKind  schema.Kind   = 201
	incidentTotal rollup.Metric = 70 // by group; Users = who had it
	incidentFatal rollup.Metric = 71 // by whether it was fatal
	incidentKey                 = "[CLY]_incident"
)

// incidents is a feature as one for crashes would be: it groups the reports of the wire field crash, has a row of its own of each,
// counts by group and by a property, and keeps in profiles how many a user had, which stands in the user's state.
func incidents() *pipeline.Feature {
	had := func(p *model.Profile) float64 { n, _ := p.Extra["incidents"].(float64); return n }
	set := func(p *model.Profile, n float64) {
		extra := maps.Clone(p.Extra)
		if extra == nil {
			extra = map[string]any{}
		}
		extra["incidents"] = n
		p.Extra = extra
	}
	return &pipeline.Feature{
		Name: "incidents", Subjects: incidentKind, Rows: []string{incidentKey},
		Steps: []pipeline.Addition{
			{After: pipeline.StepEnrich, Step: pipeline.Step{Name: "incident-user", Apply: func(it *pipeline.Item) error {
				if it.Request.Crash != nil {
					set(it.Profile, had(it.Profile)+1)
					it.PropertiesChanged()
				}
				return nil
			}}},
			{After: pipeline.StepExpand, Step: pipeline.Step{Name: "incident-row", Apply: func(it *pipeline.Item) error {
				var report struct {
					Group string `json:"_name"`
					Fatal string `json:"_fatal"`
				}
				if it.Request.Crash == nil {
					return nil
				}
				if err := json.Unmarshal(it.Request.Crash, &report); err != nil {
					return err
				}
				name := ""
				if _, ok := it.Subjects(incidentKind).See(report.Group, "", ""); ok {
					name = report.Group
				}
				it.Record(incidentKey, it.TS, name, []request.Segment{
					{Name: "group", Kind: request.TextValue, Text: report.Group}, {Name: "fatal", Kind: request.TextValue, Text: report.Fatal},
				})
				return nil
			}}},
		},
		Count: func(c *pipeline.Counter, row *events.Row, recorded pipeline.Texts) {
			if row.Name == "" {
				return
			}
			num, ok := c.Subjects.See(row.Name, "", "")
			if !ok {
				return
			}
			group := c.Subject(row.TS, incidentTotal, num)
			group.Count++
			group.AddUser(row.UID)
			c.Day(row.TS, rollup.Series{Metric: incidentFatal}, recorded.Text("fatal")).Count++
		},
		Metrics: []pipeline.Metric{{Number: incidentTotal, Name: "incidents", Subject: "group"}, {Number: incidentFatal, Name: "incidents by severity"}},
		Merge: func(p, was, old *model.Profile) {
			if n := had(was) + had(old); n > 0 {
				set(p, n)
			}
		},
		State: func(p *model.Profile) map[string]any {
			if n := had(p); n > 0 {
				return map[string]any{"had": n}
			}
			return nil
		},
		Command: func(it *pipeline.Item, json []byte) error {
			set(it.Profile, had(it.Profile)+1)
			name := string(json)
			if _, ok := it.Subjects(incidentKind).See(name, "", ""); !ok {
				name = ""
			}
			it.Record(incidentKey, it.TS, name, []request.Segment{{Name: "fatal", Kind: request.TextValue, Text: "reported"}})
			return nil
		},
		Erase: func(s *pipeline.Erasing, own []pipeline.OwnValues) {
			for _, v := range own {
				if v.Event == incidentKey && v.Segment == "group" {
					s.Delete(v.Values)
				}
			}
		},
	}
}

// TestFeatureWithSteps runs a feature that stands on steps of its own through all that a feature has to survive, with the journal
// of one process and with one of several partitions.
func TestFeatureWithSteps(t *testing.T) {
	t.Parallel()
	for name, journal := range map[string]func() journal.Journal{
		"one partition": nil, "three partitions": func() journal.Journal { return journaltest.NewMemory(3) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := openDuck(t)
			w := running(t, func(o *pipeline.Options) {
				o.Features, o.Events, o.Rows = append(o.Features, incidents()), store, store
				if journal != nil {
					o.Journal = journal()
				}
			})
			throughLife(t, w, func() { w.verify(t, store, append(features(), incidents())) })
		})
	}
}

func throughLife(t *testing.T, w *world, verify func()) {
	t.Helper()
	crash := func(app *model.App, device, group, fatal string, pairs ...string) request.Record {
		return req(app, device, noon, append(pairs, "crash", `{"_name":"`+group+`","_fatal":"`+fatal+`"}`)...)
	}
	same := func(what string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	by := func(m rollup.Metric, of func(*rollup.Cell) string) map[string]string {
		t.Helper()
		return w.day(t, &utcApp, m, "", noon, of)
	}
	users := func(c *rollup.Cell) string { return counts(c) + " of " + totals(c)[len("e:0 t:0 n:0 "):] }
	oom, null := rollup.SubjectValue(1), rollup.SubjectValue(2)

	w.send(t,
		crash(&utcApp, "X", "oom", "yes", "events", `[{"key":"[CLY]_view","segmentation":{"name":"home","visit":1}}]`),
		crash(&utcApp, "Y", "oom", "no"), crash(&utcApp, "Y", "null", "no"), crash(&kolkataApp, "X", "oom", "yes"),
	)
	same("by group", map[string]string{oom: "2", null: "1"}, by(incidentTotal, counts))
	same("by severity", map[string]string{"yes": "1", "no": "2"}, by(incidentFatal, counts))
	same("events", map[string]string{}, by(rollup.Events, counts))
	same("views, which have numbers of their own", map[string]string{oom: "1"}, by(rollup.Views, counts))
	same("outcomes", map[string]string{"request/accepted": "3", "crash/accepted": "3", "event/accepted": "1"}, w.outcomes(t, &utcApp, noon))
	same("of a user", map[string]any{"incidents": 2.0}, w.profile(t, &utcApp, "Y").Extra)
	verify()

	same("users before the merge", "2 of u:2 d:0", by(incidentTotal, users)[oom])
	w.send(t, req(&utcApp, "Y", noon, "old_device_id", "X"))
	same("of a merged user", map[string]any{"incidents": 3.0}, w.profile(t, &utcApp, "Y").Extra)
	same("users after the merge", "2 of u:1 d:0", by(incidentTotal, users)[oom])
	verify()

	before := w.cells(t, &utcApp)
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	same("cells of rows", before, w.cells(t, &utcApp))

	command := pipeline.FeatureUsers(utcApp.ID, "incidents", []uint32{w.profile(t, &utcApp, "Y").UID, 99}, []byte("oom"))
	command.Received = noon
	w.submit(t, command)
	same("by severity after a command", map[string]string{"yes": "1", "no": "2", "reported": "1"}, by(incidentFatal, counts))
	same("of the user of a command", map[string]any{"incidents": 4.0}, w.profile(t, &utcApp, "Y").Extra)
	w.submit(t, pipeline.FeatureUsers(utcApp.ID, "views", []uint32{1}, nil)) // no feature takes it: nothing happens
	verify()

	w.send(t, crash(&utcApp, "Z", "oom", "no"))
	erasure, err := pipeline.EraseUsers(utcApp.ID, []uint32{w.profile(t, &utcApp, "Y").UID}, []pipeline.OwnValues{{Event: incidentKey, Segment: "group", Values: []string{"null"}}})
	if err != nil {
		t.Fatal(err)
	}
	w.submit(t, erasure)
	same("after the erasure", map[string]string{oom: "4 of u:1 d:0"}, by(incidentTotal, users))
	left, err := w.schema.Subjects(t.Context(), utcApp.ID, incidentKind)
	if err != nil {
		t.Fatal(err)
	}
	same("groups after the erasure", []schema.Subject{{Num: 1, Name: "oom"}}, left)
	verify()

	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	same("rows that are left", map[string]string{oom: "1 of u:1 d:0"}, by(incidentTotal, users))
	verify()

	other := w.cells(t, &kolkataApp)
	w.submit(t, request.Record{Kind: request.ResetApp, App: utcApp.ID})
	same("after the reset", map[string]string{}, by(incidentTotal, counts))
	same("of the other app", other, w.cells(t, &kolkataApp))
	w.send(t, crash(&utcApp, "Y", "null", "yes"))
	same("numbers start again", map[string]string{oom: "1"}, by(incidentTotal, counts))
	verify()
}

// TestStateOfFeature: the part of a feature in user states is stored under its name, and gives a state of its own.
func TestStateOfFeature(t *testing.T) {
	t.Parallel()
	w := running(t, func(o *pipeline.Options) { o.Features = append(o.Features, incidents()) })
	w.send(t, req(&utcApp, "X", noon, "events", `[{"key":"a"}]`), req(&utcApp, "X", noon, "crash", `{"_name":"oom"}`))
	states := w.state(t, &utcApp).States
	for n, want := range map[uint32]bool{1: false, 2: true} {
		if got := strings.Contains(states[n].JSON, `"incidents.had":1`); got != want || states[n].UID != 1 {
			t.Errorf("state %d of %d: %s", n, len(states), states[n].JSON)
		}
	}
}

// TestNoEvents sees that rows of features count as no events, and their events do.
func TestNoEvents(t *testing.T) {
	keys := pipeline.Features{incidents(), {Name: "seen", Events: []string{"[CLY]_seen"}}}.NoEvents()
	if !slices.Contains(keys, incidentKey) || !slices.Contains(keys, request.CallKey) || slices.Contains(keys, "[CLY]_seen") || !slices.IsSorted(keys) {
		t.Errorf("no events are %q", keys)
	}
}
