package pipeline_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// TestEveryDimension sends a value of each row of the table and looks for it wherever the pipeline
// keeps it: profile, row, user state, cells, and the cells that come of the rows.
func TestEveryDimension(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	doc, metrics, want := map[string]string{"did": "X"}, map[string]string{"_device": "device"}, model.Dims{}
	for i := range model.Dimensions {
		d := &model.Dimensions[i]
		want[i] = d.Name
		if d.Sent != "" {
			metrics[d.Sent] = d.Name
		} else {
			doc[d.Key] = d.Name
		}
	}
	want[model.SDK] = "[sdk]_1"
	user, _ := json.Marshal(doc)
	sent, _ := json.Marshal(metrics)
	w.submit(t, request.Record{Kind: request.CreateUser, App: utcApp.ID, JSON: user})
	w.send(t, req(&utcApp, "X", noon, "begin_session", "1", "sdk_name", "sdk", "sdk_version", "1", "metrics", string(sent)))

	if diff := cmp.Diff(want, w.profile(t, &utcApp, "X").Dims); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
	event, _ := w.schema.Event(utcApp.ID, cells.BeginKey)
	row := w.events.rows(&utcApp)[0]
	state := w.events.of(utcApp.ID).states[row.State].JSON
	for i := range model.Dimensions {
		d := &model.Dimensions[i]
		var slot schema.Slot
		for _, s := range event.Segments {
			if s.Name == d.Name {
				slot = s.Slot
			}
		}
		kept := ""
		switch slot.Kind {
		case schema.Text:
			kept = *row.Text[slot.Index-1]
		case schema.JSON:
			var extra map[string]string
			if err := json.Unmarshal([]byte(row.Extra), &extra); err != nil {
				t.Fatal(err)
			}
			kept = extra[d.Name]
		case schema.Number, schema.NoSlot:
		}
		if kept != want[i] {
			t.Errorf("the row holds %q as %s", kept, d.Name)
		}
		if member := `"up.` + d.Key + `":"` + want[i] + `"`; !strings.Contains(state, member) {
			t.Errorf("the user state lacks %s: %s", member, state)
		}
		if got := w.day(t, &utcApp, rollup.Metric(d.Metric), "", noon, counts)[want[i]]; got != "1" {
			t.Errorf("%s counts %q sessions", d.Name, got)
		}
	}
	before := w.cells(t, &utcApp)
	w.submit(t, request.Record{Kind: request.RebuildCells, App: utcApp.ID})
	if diff := cmp.Diff(before, w.cells(t, &utcApp)); diff != "" {
		t.Errorf("cells of rows (-before +after):\n%s", diff)
	}
}
