package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/store/files"
	"quipu/internal/store/files/disk"
)

// hooked is a disk that calls a function, unless it is nil, before files are looked for, begun and opened, and returns its errors.
type hooked struct {
	*disk.Engine
	before func(op, name string) error
}

func (h *hooked) call(op, name string) error {
	if h.before == nil {
		return nil
	}
	return h.before(op, name)
}

func (h *hooked) Stat(ctx context.Context, name string) (files.Info, error) {
	if err := h.call("stat", name); err != nil {
		return files.Info{}, err
	}
	return h.Engine.Stat(ctx, name)
}

func (h *hooked) Create(name string) (files.Upload, error) {
	if err := h.call("create", name); err != nil {
		return nil, err
	}
	return h.Engine.Create(name)
}

func (h *hooked) Open(ctx context.Context, name string) (*os.File, error) {
	if err := h.call("open", name); err != nil {
		return nil, err
	}
	return h.Engine.Open(ctx, name)
}

// hookedPair are two disks, the first of which has the files r/a, r/b and r/c.
func hookedPair(t *testing.T) (dir string, from, to *hooked) {
	t.Helper()
	engine := func() (string, *hooked) {
		dir := t.TempDir()
		e, err := disk.New(dir)
		if err != nil {
			t.Fatal(err)
		}
		return dir, &hooked{Engine: e}
	}
	dir, from = engine()
	_, to = engine()
	for _, name := range []string{"r/a", "r/b", "r/c"} {
		if err := from.Put(t.Context(), name, []byte("content")); err != nil {
			t.Fatal(err)
		}
	}
	return dir, from, to
}

func copyFiles(t *testing.T, from, to files.Engine, seen map[string]bool) error {
	t.Helper()
	return files.New(to, files.Options{}).Copy(t.Context(), files.New(from, files.Options{}), seen)
}

// TestCopyDeleted copies files one of which is deleted meanwhile; the others are looked for once each.
func TestCopyDeleted(t *testing.T) {
	t.Parallel()
	_, from, to := hookedPair(t)
	from.before = func(op, name string) error {
		if op == "open" && name == "r/b" {
			return files.ErrNotFound
		}
		return nil
	}
	looked := 0
	to.before = func(op, _ string) error {
		if op == "stat" {
			looked++
		}
		return nil
	}
	seen := map[string]bool{}
	if err := copyFiles(t, from, to, seen); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen["r/b"] || looked != 3 {
		t.Errorf("seen %v, looked %d times", seen, looked)
	}
}

// TestCopyFails copies files to where one cannot be stored, although that is said with an error that in the other store means a file that was deleted.
func TestCopyFails(t *testing.T) {
	t.Parallel()
	_, from, to := hookedPair(t)
	to.before = func(op, name string) error {
		if op == "create" && name == "r/b" {
			return fmt.Errorf("no such bucket: %w", files.ErrNotFound)
		}
		return nil
	}
	if err := copyFiles(t, from, to, nil); err == nil || !errors.Is(err, files.ErrNotFound) {
		t.Errorf("a file that was not stored: %v", err)
	}
}

// TestCopyNames copies files some of whose names other stores do not take.
func TestCopyNames(t *testing.T) {
	t.Parallel()
	dir, from, to := hookedPair(t)
	for _, name := range []string{"ä", "a b"} {
		if err := os.WriteFile(filepath.Join(dir, "r", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	if err := copyFiles(t, from, to, seen); err == nil || !strings.Contains(err.Error(), "2 files have names") {
		t.Errorf("names that are not taken: %v", err)
	}
	if len(seen) != 3 {
		t.Errorf("the others: %v", seen)
	}
}
