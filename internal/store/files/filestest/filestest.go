// Package filestest is the suite of the engines of package files.
package filestest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/store/files"
)

// World is an empty engine and what can be done to it from outside.
type World struct {
	Engine files.Engine
	// Age makes a file, folder/name, older.
	Age func(t *testing.T, name string, by time.Duration)
}

// Picture is a small picture.
func Picture(t *testing.T) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := png.Encode(&buf, image.NewRGBA(image.Rect(0, 0, 3, 3))); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Run runs the suite.
func Run(t *testing.T, open func(t *testing.T) World) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, World){
		"put, get, delete":         putGetDelete,
		"put refuses":              putRefuses,
		"names that are no hashes": refusesPaths,
		"check":                    check,
		"old":                      old,
		"waiting":                  waits,
		"small files that wait":    waitsSmall,
		"folder":                   folder,
		"folder's names":           folderNames,
		"folder, several writers":  folderTogether,
		"folder, shared":           folderShared,
		"sizes":                    sizes,
		"parts are read":           parts,
		"reading goes on":          readingGoesOn,
		"many at a time":           together,
		"copy":                     copies,
		"cancelled":                cancelled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func store(w World) *files.Store { return files.New(w.Engine, files.Options{}) }

func putGetDelete(t *testing.T, w World) {
	t.Helper()
	s, ctx, data := store(w), t.Context(), Picture(t)
	first, err := s.Put(ctx, data, 1000, files.Images())
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Put(ctx, data, 1000, files.Images())
	if err != nil || again != first {
		t.Errorf("second Put = %q, %v, want %q", again, err, first)
	}
	got, err := s.Get(ctx, first)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("Get = %d bytes, %v, want the %d stored", len(got), err, len(data))
	}
	if err := errors.Join(s.Delete(ctx, first), s.Delete(ctx, first)); err != nil {
		t.Errorf("Delete twice: %v", err)
	}
	if _, err := s.Get(ctx, first); !errors.Is(err, files.ErrNotFound) {
		t.Errorf("Get after Delete: %v, want ErrNotFound", err)
	}
}

func putRefuses(t *testing.T, w World) {
	t.Helper()
	s := store(w)
	for name, c := range map[string]struct {
		data []byte
		max  int
		code string
	}{
		"too large":        {Picture(t), 10, "files.too_large"},
		"html in disguise": {[]byte("<html><script>alert(1)</script>"), 1000, "files.bad_type"},
		"empty":            {nil, 1000, "files.bad_type"},
	} {
		if _, err := s.Put(t.Context(), c.data, c.max, files.Images()); fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want code %s", name, err, c.code)
		}
	}
}

func refusesPaths(t *testing.T, w World) {
	t.Helper()
	s := store(w)
	hash, err := s.Put(t.Context(), Picture(t), 1000, files.Images())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "x", "../../etc/passwd", "zz", strings.ToUpper(hash), hash + "/", hash[:63], "../" + hash} {
		if _, err := s.Get(t.Context(), name); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("Get(%q) = %v, want ErrNotFound", name, err)
		}
		if err := s.Delete(t.Context(), name); err != nil {
			t.Errorf("Delete(%q) = %v", name, err)
		}
	}
	if _, err := s.Get(t.Context(), hash); err != nil {
		t.Error(err)
	}
}

func check(t *testing.T, w World) {
	t.Helper()
	s, ctx := store(w), t.Context()
	var hashes []string
	for n := range 5 {
		hash, err := s.Put(ctx, append(Picture(t), byte(n)), 1000, files.Images())
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
	}
	for _, name := range []string{hashes[1][:2] + "/" + hashes[1], hashes[0][:2] + "/other", "symbols/x"} {
		if err := w.Engine.Put(ctx, name, []byte("another content")); err != nil {
			t.Fatal(err)
		}
	}
	var damaged []string
	n, err := s.Check(ctx, func(hash string) { damaged = append(damaged, hash) })
	if err != nil || n != 5 || !slices.Equal(damaged, hashes[1:2]) {
		t.Errorf("%d files, damaged %v, %v", n, damaged, err)
	}
}

func old(t *testing.T, w World) {
	t.Helper()
	s := store(w)
	hash, err := s.Put(t.Context(), Picture(t), 1<<20, files.Images())
	if err != nil {
		t.Fatal(err)
	}
	isOld := func() bool {
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
	age := func() { t.Helper(); w.Age(t, hash[:2]+"/"+hash, 2*time.Hour) }
	if isOld() {
		t.Error("a file is old at once")
	}
	age()
	if !isOld() {
		t.Error("a file of two hours is not old")
	}
	// Somebody uploads the same between the look and the deletion.
	if _, err := s.Put(t.Context(), Picture(t), 1<<20, files.Images()); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteOld(t.Context(), hash, time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), hash); err != nil || isOld() {
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

// sizes writes files about the sizes at which engines change their ways: buffers, and objects that are uploaded in parts.
func sizes(t *testing.T, w World) {
	t.Helper()
	f := store(w).Folder("results")
	random := rand.NewChaCha8([32]byte{1})
	for _, size := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20, 17<<20 + 3, 40 << 20} {
		want := make([]byte, size)
		_, _ = random.Read(want) // never fails
		wr, err := f.Create("x")
		if err != nil {
			t.Fatal(err)
		}
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 100_000)
			if _, err := wr.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := wr.Commit(t.Context()); err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if got := read(t, f, "x"); got != string(want) {
			t.Errorf("%d bytes: %d were read, or others", size, len(got))
		}
		info, err := w.Engine.Stat(t.Context(), "results/x")
		if err != nil || info.Size != int64(size) || info.Name != "x" {
			t.Errorf("%d bytes: %+v, %v", size, info, err)
		}
	}
}

// parts reads pieces of a file in any order, as those do who read symbols.
func parts(t *testing.T, w World) {
	t.Helper()
	f := store(w).Folder("symbols")
	want := make([]byte, 1<<20)
	for i := range len(want) / 8 {
		binary.BigEndian.PutUint64(want[i*8:], uint64(i)) // small
	}
	put(t, f, "x", string(want))
	file, err := f.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2)) // a test's
	for range 200 {
		at := random.IntN(len(want))
		got := make([]byte, 1+random.IntN(min(10_000, len(want)-at)))
		if _, err := file.ReadAt(got, int64(at)); err != nil || !bytes.Equal(got, want[at:at+len(got)]) {
			t.Fatalf("%d bytes at %d: %v", len(got), at, err)
		}
	}
	if st, err := file.Stat(); err != nil || st.Size() != int64(len(want)) {
		t.Errorf("%v, %v", st, err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}

// readingGoesOn replaces and removes a file that is open.
func readingGoesOn(t *testing.T, w World) {
	t.Helper()
	f := store(w).Folder("results")
	put(t, f, "x", "first")
	one, err := f.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	put(t, f, "x", "second")
	two, err := f.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	for want, file := range map[string]*os.File{"first": one, "second": two} {
		got, err := io.ReadAll(file)
		if err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := read(t, f, "x"); got != "none" {
		t.Errorf("a removed file reads %q", got)
	}
}

// together has several goroutines write, read, list and remove the same few files: what is read is always what one of them wrote, whole.
func together(t *testing.T, w World) {
	t.Helper()
	s := store(w)
	f := s.Folder("results")
	var group sync.WaitGroup
	for worker := range 4 {
		random := rand.New(rand.NewPCG(7, uint64(worker))) // a test's
		group.Go(func() {
			for i := range 25 {
				what, name := random.IntN(6), fmt.Sprint("f", random.IntN(3))
				if what >= 4 { // a file of its own; some stores fail when one is written and removed at the same time
					name = fmt.Sprint("own", worker)
				}
				if err := once(t.Context(), s, f, what, name, strings.Repeat(fmt.Sprintf("%d-%d;", worker, i), 3000)); err != nil {
					t.Errorf("seed 7, %d: %v", worker, err)
				}
			}
		})
	}
	group.Wait()
}

// once does one of several things to a file.
func once(ctx context.Context, s *files.Store, f *files.Folder, what int, name, text string) error {
	switch what {
	case 0, 1, 4:
		wr, err := f.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(wr, text); err != nil {
			return err
		}
		return wr.Commit(ctx)
	case 5:
		return f.Remove(ctx, name)
	case 2:
		_, err := s.Put(ctx, []byte("\x89PNG\r\n\x1a\n"+name), 1000, files.Images())
		return err
	}
	file, err := f.Open(ctx, name)
	if errors.Is(err, files.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	got, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(got), ";")
	if string(got) != strings.Repeat(first+";", 3000) {
		return fmt.Errorf("%d bytes that nobody wrote, or from two", len(got))
	}
	return nil
}

// cancelled asks with a context that has ended.
func cancelled(t *testing.T, w World) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for f, err := range w.Engine.List(ctx, "results") {
		if err == nil {
			t.Errorf("listed %v", f)
		}
	}
	s := store(w)
	if _, err := s.Old(ctx, time.Hour, 5); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("old: %v", err)
	}
}
