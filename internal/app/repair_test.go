package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
)

// overwrite changes some bytes of a file at a share of its length.
func overwrite(path string, at float64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	st, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt([]byte("damaged damaged damaged"), int64(float64(st.Size())*at))
	}
	return errors.Join(err, f.Close())
}

// damagedTable changes bytes of the largest table of the state.
func damagedTable(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "state", "*.sst"))
	if err != nil {
		return err
	}
	var found string
	var most int64
	for _, name := range names {
		if st, err := os.Stat(name); err == nil && st.Size() > most {
			found, most = name, st.Size()
		}
	}
	return overwrite(found, 0.05)
}

// TestRepair damages a folder of 30 events in many ways. With a backup of 20 of
// them all is repaired; the server opens, shows what is said to be left, and takes new events.
func TestRepair(t *testing.T) {
	t.Parallel()
	const before, sent = 20, 30
	whole := newRig(t, nil, app.Process{})
	for n := range before {
		whole.send(n)
	}
	whole.expect(before)
	target := filepath.Join(t.TempDir(), "backup.tar")
	if _, err := app.Backup(t.Context(), whole.cfg, app.Process{}, target, app.BackupParts{}); err != nil {
		t.Fatal(err)
	}
	for n := before; n < sent; n++ {
		whole.send(n)
	}
	whole.expect(sent)
	whole.end()
	for _, tt := range []struct {
		name   string
		harm   func(dir string) error
		backup bool
		needs  bool // a backup, without which nothing is done
		store  string
		found  string // text of what was found in store
		lost   string // text of what is lost
		events int    // that reads show
	}{
		{name: "nothing", harm: func(string) error { return nil }, events: sent},
		{
			name: "event store gone", store: "event store", found: "lost its last rows", lost: "event rows of the journal records", events: sent,
			harm: func(dir string) error { return os.Remove(filepath.Join(dir, "events.duckdb")) },
		},
		{
			name: "head of the event store", store: "event store", found: "damaged", lost: "event rows of the journal records", events: sent,
			harm: func(dir string) error { return overwrite(filepath.Join(dir, "events.duckdb"), 0) },
		},
		{
			name: "head of the event store, with a backup", backup: true, store: "event store", found: "damaged", lost: "event rows of the journal records", events: sent,
			harm: func(dir string) error { return overwrite(filepath.Join(dir, "events.duckdb"), 0) },
		},
		{
			name: "documents", needs: true, store: "documents", found: "damaged",
			harm: func(dir string) error { return overwrite(filepath.Join(dir, "docs.sqlite"), 0) },
		},
		{
			name: "documents, with a backup", backup: true, store: "documents", found: "damaged", lost: "since the backup of", events: sent,
			harm: func(dir string) error { return overwrite(filepath.Join(dir, "docs.sqlite"), 0) },
		},
		{
			name: "state gone", needs: true, store: "state", found: "",
			harm: func(dir string) error { return os.RemoveAll(filepath.Join(dir, "state")) },
		},
		{
			name: "state gone, with a backup", backup: true, store: "state", lost: "all data that was collected since the backup of", events: before,
			harm: func(dir string) error { return os.RemoveAll(filepath.Join(dir, "state")) },
		},
		{
			name: "a table of the state, with a backup", backup: true, store: "state", lost: " ",
			harm: damagedTable, events: before,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := whole.copied(t)
			if err := tt.harm(r.cfg.Data); err != nil {
				t.Fatal(err)
			}
			o := app.RepairOptions{}
			if tt.backup {
				o.Backup = target
			}
			report, err := app.Repair(t.Context(), r.cfg, app.Process{}, o)
			if tt.needs {
				if !errors.Is(err, app.ErrNeedsBackup) {
					t.Fatalf("got %v, want ErrNeedsBackup; %+v", err, report)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v; %+v", err, report)
			}
			if report.Whole() != (tt.store == "") {
				t.Errorf("report: %+v", report)
			}
			for _, s := range report.Stores {
				if s.Store == tt.store && (!strings.Contains(s.Found, tt.found) || !strings.Contains(s.Lost, tt.lost) || s.Lost == "") {
					t.Errorf("found %q, done %q, lost %q; want %q and %q", s.Found, s.Done, s.Lost, tt.found, tt.lost)
				}
			}
			r.start()
			r.expect(tt.events)
			if !r.send(sent) {
				t.Error("refused afterwards")
			}
			r.expect(tt.events + 1)
			r.end()
			again, err := app.Repair(t.Context(), r.cfg, app.Process{}, app.RepairOptions{})
			if err != nil {
				t.Fatalf("a second time: %v", err)
			}
			for _, s := range again.Stores {
				if s.Store != "figures" && s.Found != "" {
					t.Errorf("a second time: %+v", s)
				}
			}
		})
	}
}
