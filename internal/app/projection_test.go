package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/apps"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/rollup"
	"quipu/internal/verify"
)

// seconds adds up the session seconds of all days of the rig's app.
func (r *rig) seconds() (sum float64) {
	r.t.Helper()
	if err := r.app.Flush(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	id, err := model.ParseID(r.id)
	if err != nil {
		r.t.Fatal(err)
	}
	err = r.app.Data().Cells.Scan(r.t.Context(), id, rollup.Series{Metric: rollup.Users}, rollup.Day, 0, 1<<31, func(_ rollup.Bucket, _ string, c *rollup.Cell) error {
		sum += c.Dur
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return sum
}

// verified expects figures that agree with the rows, and notes of the zone or none.
func (r *rig) verified(ctx context.Context, zone bool) {
	r.t.Helper()
	report, err := r.app.Verify(ctx, verify.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, d := range report.Differences {
		r.t.Error(d)
	}
	if noted := strings.Contains(strings.Join(report.Notes, " "), "time zone"); noted != zone {
		r.t.Errorf("notes %q, want one of the time zone: %v", report.Notes, zone)
	}
}

// TestSettingsApply changes settings in every way there is and expects that the very next
// request is counted under them.
func TestSettingsApply(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, app.Process{})
	total, n := 0.0, 0
	long := func(want float64) {
		t.Helper()
		n++
		if status, body, _ := r.get("/i", "app_key", "k", "device_id", "d", "session_duration", "5000", "events", fmt.Sprintf(`[{"key":"e%d"}]`, n)); status != 200 {
			t.Fatalf("/i: %d %s", status, body)
		}
		total += want
		if got := r.seconds(); got != total {
			t.Errorf("%v seconds, want %v", got, total)
		}
	}
	set := func(path string, pairs ...string) {
		t.Helper()
		if status, body, _ := r.get(path, pairs...); status != 200 {
			t.Fatalf("%s: %d %s", path, status, body)
		}
	}
	long(120)
	set("/i/configs", "configs", `{"api":{"session_duration_limit":60}}`)
	long(60)
	set("/i/apps/update/plugins", "args", `{"api":{"session_duration_limit":30}}`)
	long(30)
	set("/i/configs", "configs", `{"api":{"session_duration_limit":90,"event_limit":3}}`)
	long(30) // the app has its own, and more events than it may have
	set("/i/apps/update", "args", fmt.Sprintf(`{"app_id":%q,"timezone":"Pacific/Auckland"}`, r.id))
	long(30)
	r.verified(t.Context(), false)
	if _, body, _ := r.get("/o", "method", "get_events"); !strings.Contains(body, `"e3"`) || strings.Contains(body, `"e4"`) {
		t.Errorf("events %s, want the first three", body)
	}
	set("/i/apps/update/plugins", "args", `{"api":{"session_duration_limit":null}}`)
	long(90)

	// What the operator gives for the start is a default, and applies from the start on.
	r.end()
	r.cfg.Ingest.SessionTimeout = time.Minute
	r.start()
	long(90)
	set("/i/apps/delete", "args", fmt.Sprintf(`{"app_id":%q}`, r.id))
	r.verified(t.Context(), false)
}

// TestSettingsAfterCrash changes an app as a crash leaves it that came before the journal was
// told: the figures stay as they are, and the next start puts that right.
func TestSettingsAfterCrash(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, app.Process{})
	for n := range 5 {
		r.send(n)
	}
	r.end()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(r.cfg.Data, "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := apps.Open(t.Context(), db, hook.NewBus())
	if err != nil {
		t.Fatal(err)
	}
	id, err := model.ParseID(r.id)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = list.Update(t.Context(), id, func(a *model.App) error { a.Timezone = "Pacific/Kiritimati"; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	err = app.Offline(t.Context(), r.cfg, r.proc, func(ctx context.Context, a *app.App) error {
		r.app = a
		r.verified(ctx, true)
		r.app = nil
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r.start()
	if err := r.app.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.verified(t.Context(), false)
}
