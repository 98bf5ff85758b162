package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/backup"
	"quipu/internal/testkit/logged"
	"quipu/internal/verify"
)

// folderFormats is formats.json.
type folderFormats struct {
	Version string         `json:"version"`
	Stores  map[string]int `json:"stores"`
}

func readFormats(t *testing.T, dir string) (f folderFormats) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "formats.json"))
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func writeFormats(t *testing.T, dir string, f folderFormats) {
	t.Helper()
	text, err := json.Marshal(f)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "formats.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// storesIn are the contents of the stores of a folder by name.
func storesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"state", "events.duckdb", "events.duckdb.wal", "docs.sqlite", "files"} {
		err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) || err == nil && !d.Type().IsRegular() {
				return nil
			}
			if err != nil {
				return err
			}
			b, err := os.ReadFile(path)
			out[strings.TrimPrefix(path, dir)] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

const folders = "testdata/folders"

// goldenName names the folder of formats.
func goldenName(f folderFormats) string {
	return fmt.Sprintf("state%d-events%d-documents%d.tar.zst", f.Stores["state"], f.Stores["event store"], f.Stores["documents"])
}

// TestFoldersOfEveryFormat opens a folder of each format that there ever was: it is brought to the present one, all seven events are there, every
// figure is as the rows give it, and a rollback has the stores as they were, to the byte.
func TestFoldersOfEveryFormat(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	present := readFormats(t, r.cfg.Data)
	for n := range 7 {
		if !r.send(n) {
			t.Fatal("not acknowledged")
		}
	}
	r.expect(7)
	target := filepath.Join(folders, goldenName(present))
	if flag.Lookup("update").Value.String() == "true" { // of package testkit
		if err := os.RemoveAll(target); err != nil {
			t.Fatal(err)
		}
		if _, err := app.Backup(t.Context(), r.cfg, app.Process{}, target, app.BackupParts{SecretKey: true}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(target); err != nil {
		t.Fatalf("there is no folder of the present formats, %v: go test ./internal/app -run TestFoldersOfEveryFormat -update; keep the others", err)
	}
	archives, err := filepath.Glob(filepath.Join(folders, "*.tar.zst"))
	if err != nil || len(archives) < 2 {
		t.Fatalf("folders: %v, %v", archives, err)
	}
	for _, archive := range archives {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			cfg := app.DefaultConfig()
			cfg.Data, cfg.Ingest.DiskReserve = filepath.Join(t.TempDir(), "data"), 0
			if _, err := backup.Restore(t.Context(), archive, cfg.Data); err != nil {
				t.Fatal(err)
			}
			before := storesIn(t, cfg.Data)
			if got := counted(t, cfg); got != 7 {
				t.Errorf("%d events, want 7", got)
			}
			if got := readFormats(t, cfg.Data); !maps.Equal(got.Stores, present.Stores) {
				t.Errorf("formats %v, want %v", got, present)
			}
			report, err := app.Rollback(cfg, app.Process{})
			if filepath.Base(archive) == goldenName(present) {
				if !errors.Is(err, app.ErrNoRollback) {
					t.Errorf("nothing was changed, but: %+v, %v", report, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if after := storesIn(t, cfg.Data); !maps.Equal(before, after) {
				t.Errorf("after the rollback there are %v, want %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
			}
			if len(storesIn(t, report.Aside)) == 0 {
				t.Error("the newer data is not kept")
			}
			if got := counted(t, cfg); got != 7 { // once more up
				t.Errorf("after the rollback %d events, want 7", got)
			}
		})
	}
}

// TestNewerFolderIsRefused raises the format of each store, as a newer version would: the folder is refused in plain words, with the way out, and
// nothing in it changes.
func TestNewerFolderIsRefused(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	if !r.send(0) {
		t.Fatal("not acknowledged")
	}
	r.expect(1)
	r.end()
	present := readFormats(t, r.cfg.Data)
	for store, format := range present.Stores {
		newer := folderFormats{Version: "9.8.7", Stores: maps.Clone(present.Stores)}
		newer.Stores[store] = format + 1
		writeFormats(t, r.cfg.Data, newer)
		before := storesIn(t, r.cfg.Data)
		a, err := app.Open(t.Context(), r.cfg, r.proc)
		if err == nil {
			_ = a.Close()
		}
		if want := fmt.Sprintf("written by a newer version, 9.8.7; this is %s: %s has format %d, this version knows up to %d; nothing was changed; install that version again",
			app.Version(), store, format+1, format); !errors.Is(err, app.ErrNewerFolder) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", store, err, want)
		}
		if after := storesIn(t, r.cfg.Data); !maps.Equal(before, after) || readFormats(t, r.cfg.Data).Version != "9.8.7" {
			t.Errorf("%s: the folder has changed", store)
		}
	}
	writeFormats(t, r.cfg.Data, folderFormats{Version: "9.8.7", Stores: map[string]int{"state": 1, "graph": 1}})
	if _, err := app.Open(t.Context(), r.cfg, r.proc); !errors.Is(err, app.ErrNewerFolder) || !strings.Contains(err.Error(), "graph has format 1, which this version does not know") {
		t.Errorf("a store that is not known: %v", err)
	}
	writeFormats(t, r.cfg.Data, present)
	r.start()
	r.expect(1)
}

// older makes a folder one of an earlier format, as far as its formats say.
func older(t *testing.T, r *rig) {
	t.Helper()
	f := readFormats(t, r.cfg.Data)
	f.Version, f.Stores["event store"] = "0.0.9", f.Stores["event store"]-1
	writeFormats(t, r.cfg.Data, f)
}

// TestRollback goes on after an upgrade and back: what came after it is set aside, what was there before counts again.
func TestRollback(t *testing.T) {
	var log logged.Buffer
	r := newRig(t, nil, app.Process{Err: &log})
	for n := range 3 {
		if !r.send(n) {
			t.Fatal("not acknowledged")
		}
	}
	r.expect(3)
	r.end()
	if _, err := app.Rollback(r.cfg, app.Process{}); !errors.Is(err, app.ErrNoRollback) {
		t.Errorf("before any upgrade: %v", err)
	}
	older(t, r)
	r.start()
	if !strings.Contains(log.String(), "the data is kept as it is before the upgrade") {
		t.Errorf("the log does not say so: %s", log.String())
	}
	if _, err := app.Rollback(r.cfg, app.Process{}); err == nil || !strings.Contains(err.Error(), "in use by another quipu process") {
		t.Errorf("beside a server: %v", err)
	}
	for n := range 2 {
		if !r.send(10 + n) {
			t.Fatal("not acknowledged")
		}
	}
	r.expect(5)
	r.end()
	// An older version that meets the newer folder names the way back.
	f := readFormats(t, r.cfg.Data)
	raised := folderFormats{Version: "9.8.7", Stores: maps.Clone(f.Stores)}
	raised.Stores["state"]++
	writeFormats(t, r.cfg.Data, raised)
	if _, err := app.Open(t.Context(), r.cfg, r.proc); err == nil || !strings.Contains(err.Error(), "go back by quipu rollback to the data of version 0.0.9") {
		t.Errorf("a newer folder: %v", err)
	}
	report, err := app.Rollback(r.cfg, app.Process{})
	if err != nil || report.Version != "0.0.9" || report.Made.IsZero() {
		t.Fatalf("rollback: %+v, %v", report, err)
	}
	if got := readFormats(t, r.cfg.Data).Version; got != "0.0.9" {
		t.Errorf("the folder is one of %s", got)
	}
	r.start() // it is an upgrade once more
	r.expect(3)
	r.end()
	if _, err := app.Rollback(r.cfg, app.Process{}); err != nil {
		t.Errorf("rollback of the second upgrade: %v", err)
	}
}

// TestRollbackBrokenOff ends a rollback after each of its steps: a server refuses the folder, and the next rollback ends it.
func TestRollbackBrokenOff(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	if !r.send(0) {
		t.Fatal("not acknowledged")
	}
	r.expect(1)
	r.end()
	older(t, r)
	before := storesIn(t, r.cfg.Data)
	r.start()
	if !r.send(1) {
		t.Fatal("not acknowledged")
	}
	r.expect(2)
	r.end()
	kept := filepath.Join(r.cfg.Data, "rollback")
	aside := filepath.Join(r.cfg.Data, "newer-20261123-120000")
	move := func(from, to string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Rename(from, to)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(kept, "going"), []byte(filepath.Base(aside)), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := func(step string) {
		t.Helper()
		if _, err := app.Open(t.Context(), r.cfg, r.proc); err == nil || !strings.Contains(err.Error(), "run quipu rollback again") {
			t.Fatalf("%s: opened, %v", step, err)
		}
	}
	refused("begun")
	move(filepath.Join(r.cfg.Data, "state"), filepath.Join(aside, "state"))
	refused("one store aside")
	move(filepath.Join(kept, "state"), filepath.Join(r.cfg.Data, "state"))
	refused("one store back")
	move(filepath.Join(r.cfg.Data, "events.duckdb"), filepath.Join(aside, "events.duckdb"))
	report, err := app.Rollback(r.cfg, app.Process{})
	if err != nil || report.Aside != aside {
		t.Fatalf("%+v, %v", report, err)
	}
	if after := storesIn(t, r.cfg.Data); !maps.Equal(before, after) {
		t.Error("the stores are not as they were")
	}
	// The remains of one that ended but for the last removal.
	if err := errors.Join(os.MkdirAll(kept, 0o700), os.WriteFile(filepath.Join(kept, "going"), []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r.start()
	r.expect(1)
}

// TestUpgradeBrokenOff starts an upgrade twice: the snapshot is that of before the first. It goes when it is old.
func TestUpgradeBrokenOff(t *testing.T) {
	var later atomic.Int64
	r := newRig(t, nil, app.Process{Now: func() time.Time { return time.Now().Add(time.Duration(later.Load())) }})
	if !r.send(0) {
		t.Fatal("not acknowledged")
	}
	r.expect(1)
	r.end()
	older(t, r)
	formats := readFormats(t, r.cfg.Data)
	before := storesIn(t, r.cfg.Data)
	r.start()
	if !r.send(1) {
		t.Fatal("not acknowledged")
	}
	r.expect(2)
	r.end()
	writeFormats(t, r.cfg.Data, formats) // as if it had ended before all stores were open
	r.start()
	if kept := storesIn(t, filepath.Join(r.cfg.Data, "rollback")); !maps.Equal(before, kept) {
		t.Error("the snapshot was made again")
	}
	if err := r.app.Retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(r.cfg.Data, "rollback")); err != nil {
		t.Errorf("the snapshot is gone too early: %v", err)
	}
	later.Store(int64(r.cfg.Upgrade.Keep))
	if err := r.app.Retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(r.cfg.Data, "rollback")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old snapshot is still there: %v", err)
	}
}

// TestUpgradeNeedsRoom refuses to begin where a copy has no room, and does without one when told to.
func TestUpgradeNeedsRoom(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	r.end()
	older(t, r)
	r.cfg.Ingest.DiskReserve = 1 << 60
	if _, err := app.Open(t.Context(), r.cfg, r.proc); err == nil || !strings.Contains(err.Error(), "make room, or make a backup") {
		t.Errorf("without room: %v", err)
	}
	if got := readFormats(t, r.cfg.Data).Version; got != "0.0.9" {
		t.Errorf("the folder is one of %s", got)
	}
	r.cfg.Upgrade.Snapshot = false
	a, err := app.Open(context.Background(), r.cfg, r.proc)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(r.cfg.Data, "rollback")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a snapshot was made: %v", err)
	}
}

// TestUpgradeWithoutRoomKeepsTheEarlierSnapshot refuses an upgrade for want of room: what an earlier one kept is still there to go back to.
func TestUpgradeWithoutRoomKeepsTheEarlierSnapshot(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	r.end()
	older(t, r)
	r.start() // the first upgrade
	r.end()
	kept := filepath.Join(r.cfg.Data, "rollback")
	before := storesIn(t, kept)
	f := readFormats(t, r.cfg.Data)
	f.Version, f.Stores["event store"] = "0.0.8", f.Stores["event store"]-2
	writeFormats(t, r.cfg.Data, f)
	cfg := r.cfg
	cfg.Ingest.DiskReserve = 1 << 60
	if _, err := app.Open(t.Context(), cfg, r.proc); err == nil || !strings.Contains(err.Error(), kept+", may be removed") {
		t.Errorf("without room: %v", err)
	}
	if after := storesIn(t, kept); len(after) == 0 || !maps.Equal(before, after) {
		t.Errorf("of the earlier snapshot %d files are left of %d", len(after), len(before))
	}
	r.start() // with room it makes one of its own
	r.end()
	if report, err := app.Rollback(r.cfg, app.Process{}); err != nil || report.Version != "0.0.8" {
		t.Errorf("rollback: %+v, %v", report, err)
	}
}

// TestRollbackReplacesNothingAside goes on after a rollback that broke off, with a file in the way of what is to be set aside.
func TestRollbackReplacesNothingAside(t *testing.T) {
	r := newRig(t, nil, app.Process{})
	r.end()
	older(t, r)
	r.start()
	r.end()
	kept, aside := filepath.Join(r.cfg.Data, "rollback"), filepath.Join(r.cfg.Data, "newer-20261123-120000")
	inTheWay := filepath.Join(aside, "events.duckdb")
	if err := errors.Join(
		os.WriteFile(filepath.Join(kept, "going"), []byte(filepath.Base(aside)), 0o600),
		os.Mkdir(aside, 0o700), os.WriteFile(inTheWay, []byte("rows that are nowhere else"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Rollback(r.cfg, app.Process{}); err == nil || !strings.Contains(err.Error(), inTheWay+" already: move one of them elsewhere; run quipu rollback again") {
		t.Errorf("with a file in the way: %v", err)
	}
	if text, err := os.ReadFile(inTheWay); err != nil || string(text) != "rows that are nowhere else" {
		t.Errorf("the file that was aside has %d other bytes, %v", len(text), err)
	}
	if err := os.Rename(inTheWay, filepath.Join(t.TempDir(), "events.duckdb")); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Rollback(r.cfg, app.Process{}); err != nil {
		t.Errorf("with nothing in the way: %v", err)
	}
}

// TestFolderOfAnotherUser refuses root the folder of a service, which could not open what root writes.
func TestFolderOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	r := newRig(t, nil, app.Process{})
	r.end()
	lock := filepath.Join(r.cfg.Data, "LOCK")
	if err := os.Chown(lock, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	before := storesIn(t, r.cfg.Data)
	if _, err := app.Verify(t.Context(), r.cfg, r.proc, verify.Options{}); !errors.Is(err, backup.ErrForeign) {
		t.Errorf("root opens the folder of another user: %v", err)
	}
	if !maps.Equal(before, storesIn(t, r.cfg.Data)) {
		t.Error("the stores have changed")
	}
	if err := os.Chown(lock, 0, 0); err != nil {
		t.Fatal(err)
	}
	r.start()
}
