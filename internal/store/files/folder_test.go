package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/store/files"
)

func put(t *testing.T, f *files.Folder, name, text string) {
	t.Helper()
	w, err := f.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if w.Size() != int64(len(text)) {
		t.Errorf("size %d, want %d", w.Size(), len(text))
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, f *files.Folder, name string) string {
	t.Helper()
	file, err := f.Open(name)
	if errors.Is(err, files.ErrNotFound) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(file)
	if cerr := file.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return string(b)
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	s, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := s.Folder("results")
	if _, err := os.Stat(filepath.Join(dir, "results")); err == nil {
		t.Error("the folder was made before its first file")
	}
	if err := f.Sweep(func(string) bool { return false }); err != nil {
		t.Errorf("sweep before the first file: %v", err)
	}
	put(t, f, "a.csv", "one")
	put(t, f, "a.csv", "two")
	put(t, f, "b", "b")
	w, err := f.Create("a.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("three")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, f, "a.csv"); got != "two" {
		t.Errorf("while another is written: %q", got)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, f, "a.csv"); got != "two" {
		t.Errorf("after an abort: %q", got)
	}
	if _, err := f.Create("c"); err != nil { // left as a crash leaves it
		t.Fatal(err)
	}
	if err := f.Sweep(func(name string) bool { return name == "b" }); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "results"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "b" {
		t.Errorf("after the sweep: %v, %v", entries, err)
	}
	if err := errors.Join(f.Remove("b"), f.Remove("b")); err != nil {
		t.Errorf("remove: %v", err)
	}
	if got := read(t, f, "b"); got != "none" {
		t.Errorf("removed file reads %q", got)
	}
}

func TestFolderNames(t *testing.T) {
	dir := t.TempDir()
	s, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s.Folder("results"), "x", "secret")
	f := s.Folder("others")
	for _, name := range []string{"", ".", "..", "../results/x", "/etc/passwd", "a/b", "a\x00b", ".hidden", "x.part", "ü"} {
		if _, err := f.Create(name); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("create %q: %v", name, err)
		}
		if _, err := f.Open(name); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("open %q: %v", name, err)
		}
		if err := f.Remove(name); err != nil {
			t.Errorf("remove %q: %v", name, err)
		}
	}
	if got := read(t, s.Folder("results"), "x"); got != "secret" {
		t.Errorf("the other folder's file reads %q", got)
	}
}

func TestFolderTogether(t *testing.T) {
	dir := t.TempDir()
	s, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := s.Folder("results")
	a, err := f.Create("x")
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Create("x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(a, "from a"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(b, "b"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.Commit(), a.Commit()); err != nil {
		t.Fatal(err)
	}
	if got := read(t, f, "x"); got != "from a" {
		t.Errorf("the last to be committed is %q", got)
	}
	put(t, f, "xy", "")
	put(t, f, "z", "")
	if _, err := f.Create("left"); err != nil {
		t.Fatal(err)
	}
	count := func() int {
		entries, err := os.ReadDir(filepath.Join(dir, "results"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	now := time.Now()
	if err := errors.Join(f.RemoveAll("x"), f.RemoveUnfinished(now.Add(-time.Hour))); err != nil || count() != 2 {
		t.Errorf("%d files, %v", count(), err)
	}
	if err := f.RemoveUnfinished(now.Add(time.Hour)); err != nil || count() != 1 {
		t.Errorf("%d files, %v", count(), err)
	}
}
