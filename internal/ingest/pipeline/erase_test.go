package pipeline_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/store/rollup"
	"quipu/internal/topic"
)

// TestEraseUsers erases somebody who came by two devices: rows, profile, aliases and numbers in bitmaps
// go, and so do values that only they had. What others did stays as it was.
func TestEraseUsers(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	var told []topic.UsersDeleted
	hook.On(w.bus, "test", func(_ context.Context, d topic.UsersDeleted) error {
		told = append(told, d)
		return nil
	})
	w.send(t,
		req(&utcApp, "X", noon, "begin_session", "1", "metrics", `{"_device":"Ann's phone","_os":"Android"}`,
			"events", `[{"key":"a","segmentation":{"mail":"ann@example.org","plan":"free"}}]`),
		req(&utcApp, "Y", noon, "begin_session", "1", "metrics", `{"_device":"Pixel","_os":"Android"}`),
		req(&utcApp, "Z", noon, "begin_session", "1", "metrics", `{"_device":"Pixel","_os":"Android"}`,
			"events", `[{"key":"a","segmentation":{"mail":"cid@example.org","plan":"free"}}]`),
	)
	w.send(t, req(&utcApp, "Y", noon, "old_device_id", "X"))
	erase, err := pipeline.EraseUsers(utcApp.ID, []uint32{2}, []pipeline.OwnValues{
		{Event: "a", Segment: "mail", Values: []string{"ann@example.org"}}, {Event: "unknown", Segment: "s", Values: []string{"v"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.submit(t, erase)
	w.submit(t, erase) // again, with nothing left to do
	w.submit(t, request.Record{Kind: request.EraseUsers, App: utcApp.ID, UIDs: []uint32{3}, JSON: []byte(`no JSON`)})
	got := w.state(t, &utcApp)
	if len(got.Profiles) != 1 || got.Profiles["Z"].UID != 3 || len(got.Aliases) != 0 || len(got.Requests) != 1 || len(got.Users) != 1 {
		t.Errorf("left: %+v", got)
	}
	for _, r := range w.events.rows(&utcApp) {
		if r.UID != 3 {
			t.Errorf("a row of user %d is left", r.UID)
		}
	}
	for k := range w.cells(t, &utcApp) {
		if strings.Contains(k, "Ann's") || strings.Contains(k, "ann@") {
			t.Errorf("cell %s is left", k)
		}
	}
	for name, tt := range map[string]struct {
		got  map[string]string
		want map[string]string
	}{
		"sessions": {w.day(t, &utcApp, rollup.Users, "", noon, totals), map[string]string{"": "e:4 t:3 n:3 u:1 d:0"}},
		"devices":  {w.day(t, &utcApp, rollup.Devices, "", noon, totals), map[string]string{"Pixel": "e:0 t:2 n:2 u:1 d:0"}},
		"values":   {w.day(t, &utcApp, rollup.Segments, "a\x00mail", noon, counts), map[string]string{"cid@example:org": "1"}},
		"plans":    {w.day(t, &utcApp, rollup.Segments, "a\x00plan", noon, counts), map[string]string{"free": "2"}},
	} {
		if d := cmp.Diff(tt.want, tt.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	values, err := w.schema.Values(t.Context(), utcApp.ID, "a", "mail")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"cid@example:org"}, values); d != "" {
		t.Errorf("known values (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]topic.UsersDeleted{{App: utcApp.ID, UIDs: []uint32{1, 2}}, {App: utcApp.ID, UIDs: []uint32{2}}}, told); d != "" {
		t.Errorf("told (-want +got):\n%s", d)
	}
	w.send(t, req(&utcApp, "X", noon, "begin_session", "1"))
	if p := w.profile(t, &utcApp, "X"); p.UID != 4 {
		t.Errorf("an erased user's number was given out again: %d", p.UID)
	}
}
