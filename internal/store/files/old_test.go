package files_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/store/files"
)

func TestOld(t *testing.T) {
	dir := t.TempDir()
	s, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := s.Put(t.Context(), picture(t), 1<<20, files.Images())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, hash[:2], hash)
	old := func() bool {
		t.Helper()
		list, err := s.Old(t.Context(), time.Hour, 10)
		if err != nil {
			t.Fatal(err)
		}
		if none, err := s.Old(t.Context(), time.Hour, 0); err != nil || len(none) != 0 {
			t.Errorf("more than asked for: %v, %v", none, err)
		}
		return list[hash]
	}
	age := func() {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, info.ModTime().Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if old() {
		t.Error("a file is old at once")
	}
	age()
	if !old() {
		t.Error("a file of two hours is not old")
	}
	// Somebody uploads the same between the look and the deletion.
	if _, err := s.Put(t.Context(), picture(t), 1<<20, files.Images()); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteOld(t.Context(), hash, time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), hash); err != nil || old() {
		t.Errorf("a file that was put again is gone, or old: %v", err)
	}
	age()
	for range 2 {
		if err := s.DeleteOld(t.Context(), hash, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Get(t.Context(), hash); err == nil {
		t.Error("an old file is still there")
	}
	if err := s.DeleteOld(t.Context(), "../x", time.Hour); err != nil {
		t.Error(err)
	}
}
