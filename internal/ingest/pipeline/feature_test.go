package pipeline_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/query/counting"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/files/disk"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/verify"
)

// ratingKind is the kind of widgets.
const ratingKind schema.Kind = 200

// ratings is a feature as a module declares one: widgets are its subjects, answers the items.
func ratings() *pipeline.Feature {
	const key = "[CLY]_star_rating"
	return &pipeline.Feature{
		Name: "ratings", Subjects: ratingKind, Events: []string{key},
		Items: pipeline.Items{
			Under: cells.Under{Own: 64, BySegment: 65},
			Arrive: func(it *pipeline.Item, e *pipeline.Event) {
				for _, g := range e.Segmentation {
					if g.Name == "widget_id" {
						e.Subject, _ = it.Subjects(ratingKind).See(g.Text, "", "")
						e.SubjectName = g.Text
					}
				}
			},
			Duration: func(string, string) bool { return false },
			Counts:   func(_, segment string) bool { return segment == "rating" },
			Value:    func(_, text string) string { return text },
			Adds:     map[string]*counting.Adds{key: {Visit: counting.Always}},
			Subject: func(s pipeline.Subjects, row *events.Row, _ pipeline.Texts) (uint32, bool) {
				return s.See(row.Name, "", "")
			},
		},
		Metrics: []pipeline.Metric{{Number: 64, Name: "ratings", Subject: "widget"}, {Number: 65, Name: "ratings by segment", Subject: "widget", BySegment: true}},
		Erase: func(s *pipeline.Erasing, own []pipeline.OwnValues) {
			for _, v := range own {
				if v.Event == key && v.Segment == "widget_id" {
					s.Delete(v.Values)
				}
			}
		},
	}
}

// TestSecondFeature runs a feature that the pipeline has never heard of: it counts, its cells come of rows again, and
// what one person alone sent goes with that person.
func TestSecondFeature(t *testing.T) {
	t.Parallel()
	store := openDuck(t)
	w := running(t, func(o *pipeline.Options) {
		o.Features, o.Events, o.Rows = append(o.Features, ratings()), store, store
	})
	answer := func(device, widget, rating string) request.Record {
		return req(&utcApp, device, noon, "events", `[{"key":"[CLY]_star_rating","segmentation":{"widget_id":"`+widget+`","rating":"`+rating+`"}}]`)
	}
	w.send(t, answer("X", "home", "4"), answer("Y", "home", "5"), answer("Y", "mine", "5"))
	home, mine := rollup.SubjectValue(1), rollup.SubjectValue(2)
	want := map[string]string{home: "2", mine: "1"}
	if diff := cmp.Diff(want, w.day(t, &utcApp, 64, "", noon, counts)); diff != "" {
		t.Errorf("by widget (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{home: "1", mine: "1"}, w.day(t, &utcApp, 65, rollup.SegmentDim("rating", "5"), noon, counts)); diff != "" {
		t.Errorf("with five stars (-want +got):\n%s", diff)
	}
	if got := w.day(t, &utcApp, rollup.Events, "", noon, counts); len(got) != 0 {
		t.Errorf("answers count as events: %v", got)
	}
	w.verify(t, store, append(features(), ratings()))
	before := w.cells(t, &utcApp)
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	if diff := cmp.Diff(before, w.cells(t, &utcApp)); diff != "" {
		t.Errorf("cells of rows (-before +after):\n%s", diff)
	}
	erasure, err := pipeline.EraseUsers(utcApp.ID, []uint32{w.profile(t, &utcApp, "Y").UID}, []pipeline.OwnValues{
		{Event: "[CLY]_star_rating", Segment: "widget_id", Values: []string{"mine"}}, {Event: "[CLY]_star_rating", Segment: "rating", Values: []string{"5"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.submit(t, erasure)
	if diff := cmp.Diff(map[string]string{home: "2"}, w.day(t, &utcApp, 64, "", noon, counts)); diff != "" {
		t.Errorf("after the erasure (-want +got):\n%s", diff)
	}
	if got := w.day(t, &utcApp, 65, rollup.SegmentDim("rating", "5"), noon, counts); len(got) != 0 {
		t.Errorf("values of the erased user count: %v", got)
	}
	w.verify(t, store, append(features(), ratings()))
}

// verify compares what is stored with what the rows say.
func (w *world) verify(t *testing.T, rows *duck.Store, features pipeline.Features) {
	t.Helper()
	profiles, ok := w.profiles.(verify.Profiles)
	if !ok {
		t.Fatalf("%T cannot be verified", w.profiles)
	}
	documents, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs.db"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = documents.Close() }()
	content, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w.flush(t)
	w.moving.drain(t)
	err = w.pipe.Between(t.Context(), func(ctx context.Context) error {
		report, err := verify.Run(ctx, verify.Stores{
			Blocks: w.db, State: w.store, Journal: w.journal, Profiles: profiles, Schema: w.schema, Cells: w.cellStore(),
			Events: rows, Docs: documents, Files: content, Apps: w.apps, Features: features,
		}, verify.Options{})
		if err != nil {
			return err
		}
		for _, d := range report.Differences {
			t.Error(d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDeclarations names what is wrong with declarations.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	bare := func(change func(*pipeline.Feature)) pipeline.Features {
		f := ratings()
		change(f)
		return pipeline.Features{ratings(), f}
	}
	for want, features := range map[string]pipeline.Features{
		"cannot own the event [CLY]_star_rating": bare(func(*pipeline.Feature) {}),
		"cannot own the event stars":             bare(func(f *pipeline.Feature) { f.Events = []string{"stars"} }),
		"lacks subjects or a function":           bare(func(f *pipeline.Feature) { f.Items.Value = nil }),
		"does not say what items of":             bare(func(f *pipeline.Feature) { f.Items.Adds = nil }),
		"has a metric twice":                     bare(func(*pipeline.Feature) {}),
		"does not declare":                       {func() *pipeline.Feature { f := ratings(); f.Metrics = nil; return f }()},
		"cannot name rows of the event":          bare(func(f *pipeline.Feature) { f.Names = map[string]string{"[CLY]_star_rating": "widget_id"} }),
		"cannot own the field speed":             bare(func(f *pipeline.Feature) { f.Fields = []string{"speed"} }),
		"cannot own the field crash":             bare(func(f *pipeline.Feature) { f.Fields = []string{"crash", "crash"} }),
		"has no name of its own":                 bare(func(*pipeline.Feature) {}),
		"has the subjects of":                    bare(func(*pipeline.Feature) {}),
		"cannot count what":                      bare(func(f *pipeline.Feature) { f.Rows = []string{"[CLY]_x"} }),
		"rows of the key [CLY]_star_rating": bare(func(f *pipeline.Feature) {
			f.Rows, f.Count = []string{"[CLY]_star_rating"}, func(*pipeline.Counter, *events.Row, pipeline.Texts) {}
		}),
	} {
		if _, err := pipeline.New(pipeline.Options{Features: features}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
