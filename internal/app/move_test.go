package app_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/fault"
	"quipu/internal/testkit"
)

// TestMoveGate pauses a server, which then refuses data and changes and answers reads, and lets it go on; and gives the move up.
func TestMoveGate(t *testing.T) {
	srv := testkit.New(t)
	made := srv.CreateApp("shop", "Europe/Berlin")
	send := func(device string) int {
		t.Helper()
		res := srv.Get("/i", "app_key", made.Key, "device_id", device, "begin_session", "1")
		if res.Status == http.StatusServiceUnavailable && res.Header.Get("Retry-After") == "" {
			t.Error("a refusal without Retry-After")
		}
		return res.Status
	}
	if got := send("a"); got != http.StatusOK {
		t.Fatalf("/i: %d", got)
	}
	a := srv.App().(*app.App)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := a.BeginMove(ctx); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(srv.Data(), "move")
	if _, err := os.Stat(filepath.Join(dir, "snapshot", "events.duckdb")); err != nil {
		t.Error(err)
	}
	open, err := a.Pause(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := send("b"); got != http.StatusServiceUnavailable {
		t.Errorf("/i of a paused server: %d", got)
	}
	if got := srv.Get("/readyz"); got.Status != http.StatusServiceUnavailable || strings.Contains(got.Body, "moving") {
		t.Errorf("/readyz of a paused server: %d %s", got.Status, got.Body)
	}
	if status, body := a.Ready(); status != http.StatusServiceUnavailable || body != "moving\n" {
		t.Errorf("/readyz of a paused server, for operators: %d %s", status, body)
	}
	if err := a.WriteDocument(ctx); fault.CodeOf(err) != "server.moving" {
		t.Errorf("a change of a paused server: %v", err)
	}
	if got := srv.Admin("/o", "app_id", made.ID, "method", "users"); got == "" {
		t.Error("a paused server answers no reads")
	}
	if _, err := a.Pause(ctx); err == nil {
		t.Error("a paused server is paused again")
	}
	if !open() {
		t.Error("a server is not opened whose data has not moved")
	}
	if err := a.FinishMove(ctx); err == nil {
		t.Error("the data has moved from a server that accepts data")
	}
	if got := send("b"); got != http.StatusOK {
		t.Errorf("/i afterwards: %d", got)
	}
	if got := srv.Get("/readyz"); got.Status != http.StatusOK {
		t.Errorf("/readyz afterwards: %d %s", got.Status, got.Body)
	}
	if err := a.WriteDocument(ctx); err != nil {
		t.Errorf("a change afterwards: %v", err)
	}
	open, err = a.Pause(ctx)
	if err != nil {
		t.Fatal(err)
	}
	open()
	if err := a.CancelMove(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what the move needed is still there: %v", err)
	}
}

// TestMoveSlowReport compares a report that takes longer than callers wait: a paused server cannot store it as a task.
func TestMoveSlowReport(t *testing.T) {
	srv := testkit.New(t, testkit.WithConfig(func(c *app.Config) { c.Tasks.RequestThreshold = time.Nanosecond }))
	made := srv.CreateApp("shop", "Europe/Berlin")
	srv.Ingest(made, "a", "begin_session", "1")
	a := srv.App().(*app.App)
	query := func(period string) url.Values {
		return url.Values{"app_id": {made.ID}, "method": {"segmentation"}, "event": {"[CLY]_session"}, "queryObject": {"{}"}, "bucket": {"daily"}, "period": {period}}
	}
	var asked []string
	for name, values := range query("30days") {
		asked = append(asked, name, values[0])
	}
	if got := srv.Admin("/o", asked...); !strings.Contains(got, "task_id") {
		t.Fatalf("the report is not slow: %s", got)
	}
	read := func(what string) {
		t.Helper()
		status, body, err := a.ReadAsAdmin(t.Context(), "/o", query("7days"))
		if err != nil || status != http.StatusOK || strings.Contains(body, "task_id") {
			t.Errorf("%s: %d %s, %v", what, status, body, err)
		}
	}
	read("before the pause")
	if err := a.BeginMove(t.Context()); err != nil {
		t.Fatal(err)
	}
	open, err := a.Pause(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read("paused")
	open()
}

// TestMoveNote moves from a folder in which it cannot be noted that the data has moved: the server goes on, unless the note is there nevertheless.
func TestMoveNote(t *testing.T) {
	srv := testkit.New(t)
	made := srv.CreateApp("shop", "Europe/Berlin")
	a := srv.App().(*app.App)
	send := func() int {
		t.Helper()
		return srv.Get("/i", "app_key", made.Key, "device_id", "a", "begin_session", "1").Status
	}
	if err := a.BeginMove(t.Context()); err != nil {
		t.Fatal(err)
	}
	note := filepath.Join(srv.Data(), "move", "move.json")
	under, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	pause := func() (open func() bool) {
		t.Helper()
		open, err := a.Pause(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return open
	}
	if err := os.Mkdir(note+".part", 0o700); err != nil { // in place of the file that becomes the note
		t.Fatal(err)
	}
	for range 2 {
		open := pause()
		if err := a.FinishMove(t.Context()); err == nil {
			t.Fatal("it is noted")
		}
		if got := send(); got != http.StatusServiceUnavailable {
			t.Errorf("/i before it is known whether it was noted: %d", got)
		}
		if !open() {
			t.Fatal("the server stays closed")
		}
		if got := send(); got != http.StatusOK {
			t.Errorf("/i of a server whose data has not moved: %d", got)
		}
	}
	open := pause()
	if err := os.WriteFile(note, []byte(strings.Replace(string(under), `"done":false`, `"done":true`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.FinishMove(t.Context()); err == nil {
		t.Fatal("it is noted")
	}
	if open() {
		t.Error("the server is opened although a move that goes on would find the note")
	}
	if err := os.WriteFile(note, under, 0o600); err != nil {
		t.Fatal(err)
	}
	if !open() {
		t.Error("the server stays closed without a note")
	}
	if err := os.Remove(note + ".part"); err != nil {
		t.Fatal(err)
	}
	open = pause()
	if err := a.FinishMove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if open() {
		t.Error("the server is opened although the data has moved")
	}
	if got := send(); got != http.StatusServiceUnavailable {
		t.Errorf("/i of a server whose data has moved: %d", got)
	}
}
