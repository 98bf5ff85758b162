package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/docstest"
	"quipu/internal/store/docs/sqlite"
)

func open(t *testing.T, path string) (*sqlite.Store, error) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{
		Path: path, Log: slog.New(slog.DiscardHandler), BusyTimeout: 50 * time.Millisecond,
	})
	if err == nil {
		t.Cleanup(func() { _ = db.Close() })
	}
	return db, err
}

func mustOpen(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	db, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func empty(t *testing.T) docs.DB {
	t.Helper()
	return mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
}

func TestSQLite(t *testing.T)     { docstest.Concurrent(t, empty) }
func TestWalkSQLite(t *testing.T) { docstest.Sequential(t, empty) }

func TestWalkFaultyPassesEverything(t *testing.T) {
	for _, half := range []func(*testing.T, func(*testing.T) docs.DB){docstest.Sequential, docstest.Concurrent} {
		half(t, func(t *testing.T) docs.DB {
			t.Helper()
			return &docstest.Faulty{DB: empty(t)}
		})
	}
}

// note has had three forms: text only, then a title, then a list of tags.
type note struct {
	ID    string   `json:"_id"`
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
}

func (n note) Key() string     { return n.ID }
func (n note) Validate() error { return nil }

type noteV1 struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

func (n noteV1) Key() string     { return n.ID }
func (n noteV1) Validate() error { return nil }

func notesV1() docs.Spec[noteV1] {
	return docs.Spec[noteV1]{Name: "notes", Version: 1, Indexes: []docs.Index[noteV1]{{Name: "text", Path: ".text"}}}
}

func notes() docs.Spec[note] {
	edit := func(fn func(map[string]any)) func(json.RawMessage) (json.RawMessage, error) {
		return func(body json.RawMessage) (json.RawMessage, error) {
			var m map[string]any
			if err := json.Unmarshal(body, &m); err != nil {
				return nil, err
			}
			fn(m)
			return json.Marshal(m)
		}
	}
	return docs.Spec[note]{
		Name: "notes", Version: 3,
		Indexes: []docs.Index[note]{{Name: "title", Path: ".title", Unique: true}, {Name: "tags", Path: ".tags"}},
		Migrations: []func(json.RawMessage) (json.RawMessage, error){
			edit(func(m map[string]any) { m["title"] = m["text"]; delete(m, "text") }),
			edit(func(m map[string]any) { m["tags"] = []string{"old"} }),
		},
	}
}

func TestMigration(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	for i := range 300 {
		if err := notesV1().Global(db).Create(ctx, noteV1{ID: fmt.Sprintf("n%03d", i), Text: fmt.Sprintf("text %03d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	db = mustOpen(t, path)
	got, err := notes().Global(db).First(ctx, docs.Query{Where: []docs.Cond{docs.Eq("title", "text 007"), docs.Eq("tags", "old")}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(note{ID: "n007", Title: "text 007", Tags: []string{"old"}}, got); diff != "" {
		t.Errorf("after migration (-want +got):\n%s", diff)
	}
	if n, err := notes().Global(db).Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq("tags", "old")}}); err != nil || n != 300 {
		t.Errorf("%d documents (%v) are in the new index, want 300", n, err)
	}
	_, err = notesV1().Global(db).Get(ctx, "n001")
	if got := fault.CodeOf(err); got != "docs.newer_version" {
		t.Errorf("an older program reads a newer collection: got %v", err)
	}
}

// TestMigrationOnRead reads a document that an older program wrote after the
// collection was migrated, as happens while a cluster is being upgraded.
func TestMigrationOnRead(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	if err := notes().Global(db).Create(ctx, note{ID: "new", Title: "new"}); err != nil {
		t.Fatal(err)
	}
	raw := rawOpen(t, path)
	if _, err := raw.ExecContext(ctx, `INSERT INTO documents (collection, app, key, version, rev, body)
		VALUES ('notes', '', 'old', 1, 1, '{"_id":"old","text":"t"}')`); err != nil {
		t.Fatal(err)
	}
	got, err := notes().Global(db).Get(ctx, "old")
	if err != nil || !cmp.Equal(got, note{ID: "old", Title: "t", Tags: []string{"old"}}) {
		t.Fatalf("got %+v, %v", got, err)
	}
	if _, err := notes().Global(db).Update(ctx, "old", func(*note) error { return nil }); err != nil {
		t.Fatal(err)
	}
	var version int
	var body string
	if err := raw.QueryRowContext(ctx, "SELECT version, body FROM documents WHERE key = 'old'").Scan(&version, &body); err != nil {
		t.Fatal(err)
	}
	if want := `{"_id":"old","title":"t","tags":["old"]}`; version != 3 || body != want {
		t.Errorf("after an update it is stored as version %d %s, want 3 %s", version, body, want)
	}
}

func TestUniqueIndexAddedToDuplicates(t *testing.T) {
	ctx := t.Context()
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	for _, id := range []string{"a", "b"} {
		if err := notesV1().Global(db).Create(ctx, noteV1{ID: id, Text: "same"}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := notes().Global(db).Get(ctx, "a")
	if docs.DuplicateOf(err) != "title" {
		t.Errorf("got %v, want the duplicate to be named", err)
	}
	if got, err := notesV1().Global(db).Get(ctx, "a"); err != nil || got.Text != "same" {
		t.Errorf("after the refused migration: %+v, %v", got, err)
	}
}

func TestFaultySpecs(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "docs.db"))
	for name, spec := range map[string]docs.Spec[note]{
		"no name":             {Version: 1},
		"bad name":            {Name: "A B", Version: 1},
		"no version":          {Name: "x"},
		"missing migrations":  {Name: "x", Version: 2},
		"index without value": {Name: "x", Version: 1, Indexes: []docs.Index[note]{{Name: "i"}}},
		"index twice":         {Name: "x", Version: 1, Indexes: []docs.Index[note]{{Name: "i", Path: ".a"}, {Name: "i", Path: ".b"}}},
		"search no path":      {Name: "x", Version: 1, Search: []docs.Field{"a"}},
	} {
		if _, err := spec.Global(db).Get(t.Context(), "k"); err == nil || docs.IsNotFound(err) {
			t.Errorf("%s: got %v, want the spec to be refused", name, err)
		}
	}
}

func rawOpen(t *testing.T, path string) *sql.DB {
	t.Helper()
	raw, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	return raw
}

func TestOpenFaults(t *testing.T) {
	exec := func(statements string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			t.Helper()
			if _, err := rawOpen(t, path).ExecContext(t.Context(), statements); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		code    string
		text    string
	}{
		{"no database", func(t *testing.T, path string) {
			t.Helper()
			if err := os.WriteFile(path, []byte(strings.Repeat("not a database. ", 100)), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "docs.corrupt", "docs.db"},
		{"someone else's", exec("CREATE TABLE t (x)"), "docs.foreign", "another program"},
		{"newer format", func(t *testing.T, path string) {
			t.Helper()
			if err := mustOpen(t, path).Close(); err != nil {
				t.Fatal(err)
			}
			exec("PRAGMA user_version = 99")(t, path)
		}, "docs.newer_format", "newer version"},
		{"locked", func(t *testing.T, path string) {
			t.Helper()
			if err := mustOpen(t, path).Close(); err != nil {
				t.Fatal(err)
			}
			conn, err := rawOpen(t, path).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			if _, err := conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
				t.Fatal(err)
			}
		}, "docs.busy", "another process"},
		{"folder missing", func(t *testing.T, path string) {
			t.Helper()
			if err := os.Remove(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		}, "", "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "docs.db")
			test.prepare(t, path)
			_, err := open(t, path)
			if err == nil || fault.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v, want code %q and a text with %q", err, test.code, test.text)
			}
		})
	}
	if _, err := sqlite.Open(t.Context(), sqlite.Options{}); err == nil ||
		!strings.Contains(err.Error(), "no path") || !strings.Contains(err.Error(), "no logger") {
		t.Errorf("got %v, want every fault of the options", err)
	}
}

func TestDamageIsNamed(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	for i := range 200 {
		if err := notesV1().Global(db).Create(ctx, noteV1{ID: fmt.Sprint(i), Text: strings.Repeat("x", 500)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Check(ctx); err != nil {
		t.Fatalf("a sound store: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// One character of one document: all pages and indexes are whole.
	if err := os.WriteFile(path, bytes.Replace(body, []byte(`"x`), []byte(`#x`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	db = mustOpen(t, path)
	if err := db.Check(ctx); fault.CodeOf(err) != "docs.corrupt" || !strings.Contains(err.Error(), "1 documents are no JSON") {
		t.Errorf("check of a document that is no JSON: got %v, want docs.corrupt", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for i := 8192; i < len(body); i++ {
		body[i] = 0xAA
	}
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	db = mustOpen(t, path)
	if err := db.Check(ctx); fault.CodeOf(err) != "docs.corrupt" {
		t.Errorf("check: got %v, want docs.corrupt", err)
	}
	if _, err := notesV1().Global(db).All(ctx, docs.Query{}); fault.CodeOf(err) != "docs.corrupt" {
		t.Errorf("list: got %v, want docs.corrupt", err)
	}
}

func TestFileIsPrivateAndPathsAreTakenLiterally(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c%20#d.db")
	db := mustOpen(t, path)
	if err := notesV1().Global(db).Create(t.Context(), noteV1{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal"} {
		st, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if st.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", st.Name(), st.Mode())
		}
	}
}

// TestTwoProcesses opens the file twice, as the server and an admin command do.
func TestTwoProcesses(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "docs.db")
	a, b := mustOpen(t, path), mustOpen(t, path)
	before, err := notesV1().Global(a).Generation(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := notesV1().Global(b).Create(ctx, noteV1{ID: "x", Text: "from b"}); err != nil {
		t.Fatal(err)
	}
	if got, err := notesV1().Global(a).Get(ctx, "x"); err != nil || got.Text != "from b" {
		t.Errorf("got %+v, %v", got, err)
	}
	if after, err := notesV1().Global(a).Generation(ctx); err != nil || after == before {
		t.Errorf("generation stayed %d (%v) after another process's write", after, err)
	}
}

var update = flag.Bool("update", false, "rewrite golden files")

// TestFileLayout pins the tables that docs/format/docs.md draws.
func TestFileLayout(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	if err := notes().Global(db).Create(ctx, note{ID: "a", Title: "T", Tags: []string{"x", "y"}}); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, query := range []string{
		"SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name",
		"SELECT 'application_id ' || application_id FROM pragma_application_id",
		"SELECT 'user_version ' || user_version FROM pragma_user_version",
		"SELECT name || ' ' || version || ' ' || signature FROM collections",
		"SELECT collection || ' ' || key || ' ' || version || ' ' || rev || ' ' || body FROM documents",
		"SELECT name || ' ' || hex(value) || ' ' || uniq FROM entries ORDER BY 1",
	} {
		rows, err := rawOpen(t, path).QueryContext(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, line)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "layout.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the file's layout changed (-want +got):\n%s", diff)
	}
}
