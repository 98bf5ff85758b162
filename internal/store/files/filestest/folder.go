package filestest

import (
	"errors"
	"io"
	"slices"
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
	if err := w.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, f *files.Folder, name string) string {
	t.Helper()
	file, err := f.Open(t.Context(), name)
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

// names lists the finished files of a folder.
func names(t *testing.T, w World, folder string) (out []string) {
	t.Helper()
	for f, err := range w.Engine.List(t.Context(), folder) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f.Name)
	}
	slices.Sort(out)
	return out
}

func folder(t *testing.T, w World) {
	t.Helper()
	f := store(w).Folder("results")
	if err := f.Sweep(t.Context(), func(string) bool { return false }); err != nil {
		t.Errorf("sweep before the first file: %v", err)
	}
	put(t, f, "a.csv", "one")
	put(t, f, "a.csv", "two")
	put(t, f, "b", "b")
	wr, err := f.Create("a.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wr.Write([]byte("three")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, f, "a.csv"); got != "two" {
		t.Errorf("while another is written: %q", got)
	}
	if err := wr.Abort(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, f, "a.csv"); got != "two" {
		t.Errorf("after an abort: %q", got)
	}
	if _, err := f.Create("c"); err != nil { // left as a crash leaves it
		t.Fatal(err)
	}
	if err := f.Sweep(t.Context(), func(name string) bool { return name == "b" }); err != nil {
		t.Fatal(err)
	}
	if got := names(t, w, "results"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("after a sweep: %v", got)
	}
	if err := errors.Join(f.Remove(t.Context(), "b"), f.Remove(t.Context(), "b")); err != nil {
		t.Errorf("remove twice: %v", err)
	}
	if got := read(t, f, "b"); got != "none" {
		t.Errorf("a removed file reads %q", got)
	}
	scratch, err := f.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scratch.WriteString("x"); err != nil {
		t.Error(err)
	}
	if got := names(t, w, "results"); len(got) > 0 {
		t.Errorf("a scratch file is listed: %v", got)
	}
	if err := scratch.Close(); err != nil {
		t.Error(err)
	}
}

func folderNames(t *testing.T, w World) {
	t.Helper()
	s, ctx := store(w), t.Context()
	put(t, s.Folder("results"), "x", "secret")
	f := s.Folder("others")
	for _, name := range []string{"", ".", "..", "../results/x", "/etc/passwd", "a/b", "a\x00b", ".hidden", "x.part", "ü", "a b", "a\n", `a\b`, "%2e%2e%2fx", "a?b", "a#b"} {
		if _, err := f.Create(name); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("create %q: %v", name, err)
		}
		if _, err := f.Open(ctx, name); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("open %q: %v", name, err)
		}
		if err := f.Remove(ctx, name); err != nil {
			t.Errorf("remove %q: %v", name, err)
		}
	}
	if got := read(t, s.Folder("results"), "x"); got != "secret" {
		t.Errorf("the other folder's file reads %q", got)
	}
	// The names of one folder do not begin those of another.
	put(t, s.Folder("result"), "y", "")
	if err := s.Folder("result").RemoveAll(ctx, ""); err != nil {
		t.Fatal(err)
	}
	if got := names(t, w, "results"); !slices.Equal(got, []string{"x"}) {
		t.Errorf("after another folder was emptied: %v", got)
	}
}

func folderTogether(t *testing.T, w World) {
	t.Helper()
	f, ctx := store(w).Folder("results"), t.Context()
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
	if err := errors.Join(b.Commit(ctx), a.Commit(ctx)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, f, "x"); got != "from a" {
		t.Errorf("the last to be committed is %q", got)
	}
	put(t, f, "xy", "")
	put(t, f, "z", "")
	if err := f.RemoveAll(ctx, "x"); err != nil {
		t.Fatal(err)
	}
	if got := names(t, w, "results"); !slices.Equal(got, []string{"z"}) {
		t.Errorf("after the removal of x*: %v", got)
	}
}

// folderShared sweeps a folder to which other processes write.
func folderShared(t *testing.T, w World) {
	t.Helper()
	f, ctx := files.New(w.Engine, files.Options{Shared: true}).Folder("results"), t.Context()
	for _, name := range []string{"kept", "old", "young"} {
		put(t, f, name, name)
	}
	w.Age(t, "results/kept", 48*time.Hour)
	w.Age(t, "results/old", 48*time.Hour)
	wr, err := f.Create("written")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Sweep(ctx, func(name string) bool { return name == "kept" }); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(wr, "text"); err != nil {
		t.Fatal(err)
	}
	if err := wr.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if got := names(t, w, "results"); !slices.Equal(got, []string{"kept", "written", "young"}) {
		t.Errorf("after a sweep: %v", got)
	}
}
