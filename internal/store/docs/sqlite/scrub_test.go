package sqlite_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

// TestScrub deletes and replaces documents and looks for them in the bytes of the files.
func TestScrub(t *testing.T) {
	t.Parallel()
	const secret = "somebody@example.org"
	dir := t.TempDir()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	has := func() (n int) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			n += bytes.Count(b, []byte(secret))
		}
		return n
	}
	col := docs.Spec[scrubbed]{Name: "scrubbed", Version: 1, Indexes: []docs.Index[scrubbed]{{Name: "text", Path: ".text"}}}.Global(db)
	for i := range 300 {
		if err := col.Put(t.Context(), scrubbed{ID: fmt.Sprint(i), Text: strings.Repeat("x", i%50) + secret}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		if err := col.Put(t.Context(), scrubbed{ID: fmt.Sprint(i), Text: "other"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := col.DeleteWhere(t.Context(), docs.Query{Where: []docs.Cond{docs.Ne("text", "other")}}); err != nil {
		t.Fatal(err)
	}
	if has() == 0 {
		t.Fatal("the text is nowhere before, so the test can tell nothing")
	}
	if err := db.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := has(); n > 0 {
		t.Errorf("the text is found %d times in the files", n)
	}
	if n, err := col.Count(t.Context(), docs.Query{}); n != 100 || err != nil {
		t.Errorf("%d documents are left (%v), want 100", n, err)
	}
}

type scrubbed struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

func (s scrubbed) Key() string   { return s.ID }
func (scrubbed) Validate() error { return nil }
