package app_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	a := srv.App()
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
	if err := a.WriteDocument(ctx); fault.CodeOf(err) != "server.moving" {
		t.Errorf("a change of a paused server: %v", err)
	}
	if got := srv.Admin("/o", "app_id", made.ID, "method", "users"); got == "" {
		t.Error("a paused server answers no reads")
	}
	if _, err := a.Pause(ctx); err == nil {
		t.Error("a paused server is paused again")
	}
	open()
	if err := a.FinishMove(ctx); err == nil {
		t.Error("the data has moved from a server that accepts data")
	}
	if got := send("b"); got != http.StatusOK {
		t.Errorf("/i afterwards: %d", got)
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
