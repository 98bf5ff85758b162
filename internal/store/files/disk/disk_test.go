package disk_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/store/files"
	"quipu/internal/store/files/disk"
	"quipu/internal/store/files/filestest"
)

func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, info.ModTime().Add(-by)); err != nil {
		t.Fatal(err)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	filestest.Run(t, func(t *testing.T) filestest.World {
		t.Helper()
		dir := t.TempDir()
		e, err := disk.New(dir)
		if err != nil {
			t.Fatal(err)
		}
		return filestest.World{Engine: e, Age: func(t *testing.T, name string, by time.Duration) {
			t.Helper()
			age(t, filepath.Join(dir, name), by)
		}}
	})
}

// TestUnfinished has files left as a crash leaves them: they go by their age, or with the next sweep of a folder that nobody else writes to.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, err := disk.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	count := func() int {
		t.Helper()
		entries, err := os.ReadDir(filepath.Join(dir, "results"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return len(entries)
	}
	f, shared := files.New(e, files.Options{}).Folder("results"), files.New(e, files.Options{Shared: true}).Folder("results")
	if count() != 0 {
		t.Error("the folder was made before its first file")
	}
	for _, name := range []string{"young", "old"} {
		if _, err := f.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	list, err := filepath.Glob(filepath.Join(dir, "results", "old.*"))
	if err != nil || len(list) != 1 || !disk.Unfinished(filepath.Base(list[0])) {
		t.Fatalf("%v, %v", list, err)
	}
	age(t, list[0], 48*time.Hour)
	none := func(string) bool { return false }
	if err := f.RemoveUnfinished(t.Context(), time.Now().Add(-72*time.Hour)); err != nil || count() != 2 {
		t.Errorf("%d files, %v", count(), err)
	}
	if err := shared.Sweep(t.Context(), none); err != nil || count() != 1 {
		t.Errorf("a shared folder: %d files, %v", count(), err)
	}
	if err := f.Sweep(t.Context(), none); err != nil || count() != 0 {
		t.Errorf("%d files, %v", count(), err)
	}
}
