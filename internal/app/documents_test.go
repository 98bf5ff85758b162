package app_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/pgtest"
	"quipu/internal/verify"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestDocumentsInPostgreSQL sets a server up on a database of its own, and reads everything back after a restart of both.
func TestDocumentsInPostgreSQL(t *testing.T) {
	server := pgtest.Shared(t)
	dsn := server.Database(t) + "&lock_timeout=500"
	r := newRig(t, func(c *app.Config) { c.Docs = dsn }, app.Process{})
	for n := range 5 {
		if !r.send(n) {
			t.Fatal("not acknowledged")
		}
	}
	r.expect(5)
	if files, err := filepath.Glob(filepath.Join(r.cfg.Data, "docs.*")); len(files) > 0 || err != nil {
		t.Errorf("the data folder has documents: %v, %v", files, err)
	}
	second := r.cfg
	second.Data = t.TempDir()
	if a, err := app.Open(t.Context(), second, app.Process{Shared: true}); fault.CodeOf(err) != "docs.busy" {
		t.Errorf("a second server on the same documents: %v, want docs.busy", err)
		if err == nil {
			_ = a.Close()
		}
	}
	if _, err := app.Backup(t.Context(), r.cfg, app.Process{}, filepath.Join(t.TempDir(), "b"), app.BackupParts{}); err == nil || !strings.Contains(err.Error(), "pg_dump") {
		t.Errorf("a backup: %v", err)
	}
	unaware := r.cfg // of where the documents are; the server knows
	unaware.Docs = ""
	if _, err := app.Backup(t.Context(), unaware, app.Process{}, filepath.Join(t.TempDir(), "b"), app.BackupParts{}); err == nil || !strings.Contains(err.Error(), "pg_dump") {
		t.Errorf("a backup through the server: %v", err)
	}
	var id model.AppID
	if err := id.UnmarshalText([]byte(r.id)); err != nil {
		t.Fatal(err)
	}
	if err := r.app.Scrub(t.Context(), id); err != nil {
		t.Errorf("scrub: %v", err)
	}
	server.Restart(t) // under the server
	r.expect(5)
	if status, body, _ := r.get("/i/apps/update", "args", `{"app_id":"`+r.id+`","name":"renamed"}`); status != http.StatusOK {
		t.Errorf("a write after the database came back: %d %s", status, body)
	}
	r.end()

	report, err := app.Verify(t.Context(), r.cfg, app.Process{Shared: true}, verify.Options{})
	if err != nil || len(report.Differences) > 0 {
		t.Errorf("verify: %+v, %v", report, err)
	}
	if repaired, err := app.Repair(t.Context(), r.cfg, app.Process{Shared: true}, app.RepairOptions{}); err != nil || !repaired.Whole() {
		t.Errorf("repair: %+v, %v", repaired, err)
	}
	if key, err := app.RotateKey(t.Context(), r.cfg, "root"); err != nil {
		t.Errorf("rotate a key: %v", err)
	} else {
		r.key = key
	}
	r.start()
	r.expect(5)
	if _, body, _ := r.get("/o/apps/mine"); !strings.Contains(body, `"name":"renamed"`) {
		t.Errorf("apps after a restart: %s", body)
	}
	r.end()

	without := r.cfg
	without.Docs = ""
	if a, err := app.Open(t.Context(), without, app.Process{Shared: true}); err == nil {
		t.Error("the folder is opened without its documents")
		_ = a.Close()
	}
	empty := r.cfg
	empty.Docs = server.Database(t)
	if a, err := app.Open(t.Context(), empty, app.Process{Shared: true}); err == nil {
		t.Error("the folder is opened on a database without its documents")
		_ = a.Close()
	}
}

// TestDocumentsInTwoPlaces refuses a database for a folder that has documents.
func TestDocumentsInTwoPlaces(t *testing.T) {
	dsn := pgtest.Shared(t).Database(t)
	r := newRig(t, nil, app.Process{})
	r.end()
	cfg := r.cfg
	cfg.Docs = dsn
	if a, err := app.Open(context.Background(), cfg, app.Process{Shared: true}); err == nil || !strings.Contains(err.Error(), "docs.sqlite") {
		t.Errorf("opened with documents in two places: %v", err)
		if err == nil {
			_ = a.Close()
		}
	}
}

// TestDocsAddress names no password in what it says of an address that cannot be read.
func TestDocsAddress(t *testing.T) {
	const secret = "hunter2-and-more"
	for _, address := range []string{"postgres://quipu:" + secret + "@127.0.0.1:port/x", "mysql://quipu:" + secret + "@127.0.0.1/x", "password=" + secret + " host"} {
		_, err := app.LoadConfig("", []string{"QUIPU_DOCS=" + address}, nil)
		if err == nil || !strings.Contains(err.Error(), "docs: ") || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
