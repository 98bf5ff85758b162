package sqlite_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/fault"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

// left makes a store and returns copies of its file and its log as a crash leaves them, with n notes, each
// in a transaction of its own, of which the log holds the later half.
func left(t *testing.T, n int) (file, log []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	for i := range n {
		if i == n/2 {
			if err := db.Scrub(t.Context()); err != nil { // empties the log
				t.Fatal(err)
			}
		}
		if err := notes().Global(db).Create(t.Context(), note{ID: fmt.Sprint("n", i), Title: fmt.Sprint("title ", i), Tags: []string{"a", "b"}}); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) []byte {
		b, err := os.ReadFile(path) // the test's own file
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	file, log = read(path), read(path+"-wal")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return file, log
}

// placed writes a store into a new folder.
func placed(t *testing.T, file, log []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docs.db")
	for name, b := range map[string][]byte{path: file, path + "-wal": log} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func flipped(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 0x10
	return b
}

func TestDamagedLog(t *testing.T) {
	const n = 40
	file, log := left(t, n)
	const header, frame = 32, 24 + 4096
	if len(log) < header+10*frame || (len(log)-header)%frame != 0 {
		t.Fatalf("the log has %d bytes", len(log))
	}
	tests := []struct {
		name string
		log  []byte
		code string
		want int // notes that are there; -1 = not looked at
	}{
		{"whole", log, "", n},
		{"nothing", nil, "", n / 2},
		{"header cut", log[:20], "", n / 2},
		{"room that nothing was written to", make([]byte, header+3*frame), "", n / 2},
		{"last write torn", log[:len(log)-frame/2], "", n - 1},
		{"last write out of order", flipped(log, len(log)-frame+100), "", n - 1},
		{"header", flipped(log, 17), "docs.corrupt_log", -1},
		{"magic", flipped(log, 2), "docs.corrupt_log", -1},
		{"page in the middle", flipped(log, header+3*frame+1000), "docs.corrupt_log", -1},
		{"frame in the middle", flipped(log, header+3*frame+9), "docs.corrupt_log", -1},
		{"first frame", flipped(log, header+30), "docs.corrupt_log", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := placed(t, file, tt.log)
			db, err := open(t, path)
			if fault.CodeOf(err) != tt.code {
				t.Fatalf("open: %v, want code %q", err, tt.code)
			}
			if err != nil {
				// What stands before the damage can be had when it is asked for.
				if db, err = sqlite.Open(t.Context(), sqlite.Options{Path: path, Log: slog.New(slog.DiscardHandler), Salvage: true}); err != nil {
					t.Fatal(err)
				}
			}
			got, err := notes().Global(db).Count(t.Context(), docs.Query{})
			if err != nil || got < n/2 || tt.want >= 0 && got != tt.want {
				t.Errorf("%d notes, want %d (%v)", got, tt.want, err)
			}
			if err := db.Check(t.Context()); err != nil {
				t.Error(err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestChangedLetter changes single characters on the disk, which no structure of the file shows.
func TestChangedLetter(t *testing.T) {
	file, log := left(t, 40)
	path := placed(t, file, log)
	db := mustOpen(t, path)
	if err := db.Close(); err != nil { // moves the log to the file
		t.Fatal(err)
	}
	file, err := os.ReadFile(path) // the test's own file
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string][2]string{
		"body":  {`"title 7"`, `"title 9"`},
		"key":   {"n17\x03{", "n19\x03{"},
		"index": {"\x04title 8", "\x04title 0"},
	} {
		t.Run(what, func(t *testing.T) {
			damaged := bytes.Replace(file, []byte(change[0]), []byte(change[1]), 1)
			if bytes.Equal(damaged, file) {
				t.Fatal("the file is laid out in another way")
			}
			db := mustOpen(t, placed(t, damaged, nil))
			err := db.Check(t.Context())
			if fault.CodeOf(err) != "docs.corrupt" {
				t.Errorf("check: %v, want docs.corrupt", err)
			}
			if what == "body" {
				if _, err := notes().Global(db).Get(t.Context(), "n7"); fault.CodeOf(err) != "docs.corrupt" || !strings.Contains(err.Error(), "n7") {
					t.Errorf("read: %v, want docs.corrupt", err)
				}
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFormat1 opens a file without checksums, as earlier versions made it.
func TestFormat1(t *testing.T) {
	file, log := left(t, 40)
	path := placed(t, file, log)
	raw := rawOpen(t, path)
	for _, statement := range []string{
		"ALTER TABLE documents DROP COLUMN sum", "ALTER TABLE documents DROP COLUMN indexed", "PRAGMA user_version = 1",
	} {
		if _, err := raw.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	db := mustOpen(t, path)
	if err := db.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if got, err := notes().Global(db).Get(t.Context(), "n7"); err != nil || got.Title != "title 7" {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
