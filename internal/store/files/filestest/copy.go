package filestest

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"quipu/internal/store/files"
	"quipu/internal/store/files/disk"
)

// copies copies files to a disk and back to the engine, and imports one that is cut off.
func copies(t *testing.T, w World) {
	t.Helper()
	s := files.New(w.Engine, files.Options{})
	picture := Picture(t)
	hash, err := s.Put(t.Context(), picture, 1<<20, files.Images())
	if err != nil {
		t.Fatal(err)
	}
	put(t, s.Folder("results"), "a.csv", "first")
	put(t, s.Folder("results"), "b.csv", strings.Repeat("second", 10_000))
	there, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"results/b.csv": true}
	if err := there.Copy(t.Context(), s, seen); err != nil {
		t.Fatal(err)
	}
	if got, err := there.Get(t.Context(), hash); err != nil || !slices.Equal(got, picture) {
		t.Errorf("the picture: %d bytes, %v", len(got), err)
	}
	if a, b := read(t, there.Folder("results"), "a.csv"), read(t, there.Folder("results"), "b.csv"); a != "first" || b != "none" {
		t.Errorf("%q and %q, want the first and what was to be left out not", a, b)
	}
	if !seen["results/a.csv"] || len(seen) != 3 {
		t.Errorf("seen: %v", seen)
	}
	// Back, where there is one that a copy that broke off has left shorter.
	put(t, there.Folder("results"), "c.csv", "third")
	put(t, s.Folder("results"), "c.csv", "th")
	if err := s.Copy(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	if got := read(t, s.Folder("results"), "c.csv"); got != "third" {
		t.Errorf("%q, want it as it is in the other store", got)
	}
	if _, err := s.Import(t.Context(), "results/d.csv", 10, io.LimitReader(strings.NewReader("fourth file"), 4)); err == nil {
		t.Error("a file that is cut off is imported")
	}
	if did, err := s.Import(t.Context(), "results/a.csv", 5, iotestError{}); did || err != nil {
		t.Errorf("a file that is there is read: %t, %v", did, err)
	}
	if got := read(t, s.Folder("results"), "d.csv"); got != "none" {
		t.Errorf("%q, want nothing of a file that was cut off", got)
	}
}

// iotestError fails when it is read.
type iotestError struct{}

// Read implements io.Reader.
func (iotestError) Read([]byte) (int, error) { return 0, errors.New("it is read") }
