package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/backup"
)

// snapshotOf has Write take a folder as it is.
func snapshotOf(dir string, info backup.Info) func(context.Context) (string, backup.Info, error) {
	return func(context.Context) (string, backup.Info, error) { return dir, info, nil }
}

// began is when the first backups of tests are made.
var began = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// treeOf writes files of random sizes, some longer than a piece.
func treeOf(t *testing.T, rng *rand.Rand, dir string) {
	t.Helper()
	change := func(name string, content []byte) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	// Immutable tables come and go, a large file changes in its middle and grows, a small one is another each time.
	for range 3 {
		change(fmt.Sprintf("state/%06d.sst", rng.IntN(1000)), random(rng.IntN(100_000)))
	}
	if tables, _ := filepath.Glob(filepath.Join(dir, "state", "*.sst")); len(tables) > 6 {
		if err := os.Remove(tables[rng.IntN(len(tables))]); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "events.duckdb")
	b, err := os.ReadFile(path)
	if err != nil {
		b = random(2*backup.ChunkSize + 77)
	}
	b[rng.IntN(len(b))]++
	change("events.duckdb", append(b, random(rng.IntN(200_000))...))
	change("docs.sqlite", random(rng.IntN(5000)))
	change("state/CURRENT", nil)
}

// TestRepositoryModel makes backups of a folder that changes, in random order with restores, and compares with copies of it. What no kept
// backup needs is gone, and a change of little writes little.
func TestRepositoryModel(t *testing.T) {
	t.Parallel()
	for name, open := range repositories(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			rng := rand.New(rand.NewPCG(seed, 1))
			r := open(t)
			if list, err := r.List(t.Context()); err != nil || len(list) > 0 {
				t.Fatalf("before the first backup: %v, %v", list, err)
			}
			if _, err := r.Newest(t.Context()); !errors.Is(err, backup.ErrNoBackup) {
				t.Errorf("the newest of none: %v", err)
			}
			src := t.TempDir()
			const keep = 3
			want := map[string]map[string]string{}
			var kept []string
			for n := range 8 {
				treeOf(t, rng, src)
				info := backup.Info{Created: int64(n), Version: "v", Watermark: uint64(n), End: uint64(n)}
				w, err := r.Write(t.Context(), began.Add(time.Duration(n)*time.Hour), keep, snapshotOf(src, info))
				if err != nil {
					t.Fatal(err)
				}
				want[w.Name] = tree(t, src)
				if kept = append(kept, w.Name); len(kept) > keep {
					kept = kept[1:]
				}
				if removed := max(0, min(1, n+1-keep)); w.Removed != removed || w.Info != info || len(w.Files) != len(want[w.Name]) {
					t.Errorf("backup %d: %+v, want %d removed", n, w, removed)
				}
				if n > 0 && w.Bytes > 2*backup.ChunkSize+700_000 {
					t.Errorf("backup %d wrote %d bytes", n, w.Bytes)
				}
				list, err := r.List(t.Context())
				if diff := cmp.Diff(kept, list); err != nil || diff != "" {
					t.Fatalf("kept (-want +got), %v:\n%s", err, diff)
				}
				name := kept[rng.IntN(len(kept))]
				dir := filepath.Join(t.TempDir(), "data")
				m, err := r.Restore(t.Context(), name, dir)
				if err != nil || len(m.Files) != len(want[name]) {
					t.Fatalf("restore %s: %+v, %v", name, m, err)
				}
				if diff := cmp.Diff(want[name], tree(t, dir)); diff != "" {
					t.Fatalf("restore %s (-want +got)", name)
				}
			}
			// The same once more writes nothing but its manifest.
			w, err := r.Write(t.Context(), began.Add(24*time.Hour), 1, snapshotOf(src, backup.Info{}))
			if err != nil || w.New != 0 || w.Bytes != 0 || w.Chunks == 0 || w.Removed != 3 {
				t.Errorf("nothing changed: %+v, %v", w, err)
			}
			// A name that is taken is not written over.
			if _, err := r.Write(t.Context(), began.Add(24*time.Hour), 1, snapshotOf(src, backup.Info{})); err == nil {
				t.Error("written over")
			}
		})
	}
}

// chunkFiles lists the pieces in the folder of a repository.
func chunkFiles(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "chunks", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRepositoryKeepsOnlyWhatIsNeeded counts pieces after the retention.
func TestRepositoryKeepsOnlyWhatIsNeeded(t *testing.T) {
	t.Parallel()
	to, src := t.TempDir(), t.TempDir()
	r := backup.NewFolderRepository(to)
	write := func(n int, files map[string]string, keep int) {
		t.Helper()
		if err := os.RemoveAll(src); err != nil {
			t.Fatal(err)
		}
		for name, content := range files {
			path := filepath.Join(src, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.Write(t.Context(), began.Add(time.Duration(n)*time.Hour), keep, snapshotOf(src, backup.Info{})); err != nil {
			t.Fatal(err)
		}
	}
	write(0, map[string]string{"a": "shared", "b": "first"}, 0)
	write(1, map[string]string{"a": "shared", "b": "second"}, 0)
	if got := len(chunkFiles(t, to)); got != 3 {
		t.Errorf("%d pieces, want 3", got)
	}
	write(2, map[string]string{"a": "shared", "b": "third"}, 2)
	if got := len(chunkFiles(t, to)); got != 3 {
		t.Errorf("%d pieces, want 3: shared, second, third", got)
	}
	// A backup of later than now, by a clock that went wrong, does not push out the others.
	write(1000, map[string]string{"a": "future"}, 0)
	write(3, map[string]string{"a": "now"}, 2)
	list, err := r.List(t.Context())
	if err != nil || len(list) != 3 {
		t.Errorf("kept: %v, %v", list, err)
	}
	// While a manifest cannot be read, no piece goes.
	before := len(chunkFiles(t, to))
	if err := os.WriteFile(filepath.Join(to, "backups", list[1]+".json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write(t.Context(), began.Add(4*time.Hour), 2, snapshotOf(src, backup.Info{})); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("beside a damaged manifest: %v", err)
	}
	if got := len(chunkFiles(t, to)); got < before {
		t.Errorf("%d pieces, want no fewer than %d", got, before)
	}
}

// TestRepositoryRefusesDamage restores from a repository that was harmed, says what is wrong, and leaves nothing; the next backup writes
// what is missing once more.
func TestRepositoryRefusesDamage(t *testing.T) {
	t.Parallel()
	src, _ := snapshot(t)
	for _, tt := range []struct {
		name, says string
		heals      bool
		harm       func(chunk, manifest string) error
	}{
		{"missing piece", "is missing", true, func(c, _ string) error { return os.Remove(c) }},
		{"piece cut off", "is cut off", true, func(c, _ string) error { return os.Truncate(c, 3) }},
		{"changed piece", "is damaged", false, func(c, _ string) error {
			b, err := os.ReadFile(c)
			b[len(b)-1] ^= 0xff
			return errors.Join(err, os.WriteFile(c, b, 0o600))
		}},
		{"manifest cut off", "manifest of", false, func(_, m string) error { return os.Truncate(m, 100) }},
		{"empty manifest", "manifest of", false, func(_, m string) error { return os.Truncate(m, 0) }},
		{"file outside", "cannot be restored", false, func(_, m string) error {
			b, err := os.ReadFile(m)
			return errors.Join(err, os.WriteFile(m, []byte(strings.Replace(string(b), `"name":"docs.sqlite"`, `"name":"../outside"`, 1)), 0o600))
		}},
		{"file twice", "cannot be restored", false, func(_, m string) error {
			b, err := os.ReadFile(m)
			return errors.Join(err, os.WriteFile(m, []byte(strings.Replace(string(b), `"name":"state/CURRENT"`, `"name":"docs.sqlite"`, 1)), 0o600))
		}},
		{"piece by another name", "names no chunk", false, func(_, m string) error {
			b, err := os.ReadFile(m)
			return errors.Join(err, os.WriteFile(m, []byte(strings.Replace(string(b), `"chunks":["`, `"chunks":["../`, 1)), 0o600))
		}},
	} {
		to := t.TempDir()
		r := backup.NewFolderRepository(to)
		w, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{}))
		if err != nil {
			t.Fatal(err)
		}
		if err := tt.harm(chunkFiles(t, to)[0], filepath.Join(to, "backups", w.Name+".json")); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "data")
		if _, err := r.Restore(t.Context(), w.Name, dir); !errors.Is(err, backup.ErrDamaged) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
		if left, err := filepath.Glob(dir + "*"); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", tt.name, left, err)
		}
		again, err := r.Write(t.Context(), began.Add(time.Hour), 0, snapshotOf(src, backup.Info{}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Restore(t.Context(), again.Name, dir); (err == nil) != (tt.heals || strings.Contains(tt.name, "manifest") || strings.Contains(tt.name, "file") || strings.Contains(tt.name, "name")) {
			t.Errorf("%s: after another backup: %v", tt.name, err)
		}
	}
}

// TestRepositoryBrokenOff ends backups after each number of writes: what is half written is no backup, and the next one uses its pieces.
func TestRepositoryBrokenOff(t *testing.T) {
	t.Parallel()
	src, want := snapshot(t)
	broken := errors.New("the disk is full")
	for n := range 6 { // lock, mark, three pieces, manifest
		to := t.TempDir()
		r := backup.FailingRepository(to, n, broken)
		if _, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{})); !errors.Is(err, broken) {
			t.Fatalf("after %d writes: %v", n, err)
		}
		if locks, _ := filepath.Glob(filepath.Join(to, "locks", "*")); len(locks) > 0 {
			t.Errorf("after %d writes locks are left: %v", n, locks)
		}
		r = backup.NewFolderRepository(to)
		if list, err := r.List(t.Context()); err != nil || len(list) > 0 {
			t.Fatalf("after %d writes: %v, %v", n, list, err)
		}
		left := len(chunkFiles(t, to))
		if n > 1 && left > 0 { // what a process that was killed has left
			if err := os.WriteFile(filepath.Join(filepath.Dir(chunkFiles(t, to)[0]), "1234.part"), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{}))
		if err != nil {
			t.Fatal(err)
		}
		if w.New != 3-left {
			t.Errorf("after %d writes %d pieces were written once more, %d were there", n, w.New, left)
		}
		if parts, _ := filepath.Glob(filepath.Join(to, "chunks", "*", "*.part")); len(parts) > 0 {
			t.Errorf("unfinished files are left: %v", parts)
		}
		dir := filepath.Join(t.TempDir(), "data")
		if _, err := r.Restore(t.Context(), w.Name, dir); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
	}
}

// TestRepositoryLock lets one process write at a time; the lock of one that has ended is taken over.
func TestRepositoryLock(t *testing.T) {
	t.Parallel()
	src, _ := snapshot(t)
	for name, open := range repositories(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t)
			release, err := r.Lock(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{})); !errors.Is(err, backup.ErrBusy) {
				t.Errorf("beside another: %v", err)
			}
			if err := release(); err != nil {
				t.Fatal(err)
			}
			if err := r.PutLock(t.Context(), os.Getpid(), "1"); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{})); err != nil {
				t.Errorf("after one that has ended: %v", err)
			}
		})
	}
}

// TestRepositoryOfOthers refuses repositories of newer versions, and leaves other files of a folder alone.
func TestRepositoryOfOthers(t *testing.T) {
	t.Parallel()
	src, _ := snapshot(t)
	to := t.TempDir()
	r := backup.NewFolderRepository(to)
	if backup.IsRepository(to) {
		t.Error("an empty folder is one")
	}
	for _, name := range []string{"notes.txt", "chunks/readme", "backups/other.json"} {
		path := filepath.Join(to, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{})); err != nil {
		t.Fatal(err)
	}
	list, err := r.List(t.Context())
	if !backup.IsRepository(to) || err != nil || !slices.Equal(list, []string{began.Format(backup.NameFormat)}) {
		t.Errorf("list: %v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(to, "notes.txt")); err != nil {
		t.Error(err)
	}
	if _, err := r.Restore(t.Context(), "quipu-20000101T000000Z", filepath.Join(t.TempDir(), "d")); !errors.Is(err, backup.ErrNoBackup) {
		t.Errorf("a backup that is not there: %v", err)
	}
	if _, err := backup.NewFolderRepository(t.TempDir()).Restore(t.Context(), list[0], filepath.Join(t.TempDir(), "d")); !errors.Is(err, backup.ErrNoBackup) {
		t.Errorf("a folder that is no repository: %v", err)
	}
	if err := os.WriteFile(filepath.Join(to, "repository.json"), []byte(`{"format":2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write(t.Context(), began.Add(time.Hour), 0, snapshotOf(src, backup.Info{})); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("a newer format: %v", err)
	}
	var seen []string
	_ = filepath.WalkDir(to, func(path string, d fs.DirEntry, _ error) error {
		if st, err := d.Info(); err == nil && st.Mode().Perm()&0o077 != 0 && !strings.HasSuffix(path, filepath.Base(to)) {
			seen = append(seen, path)
		}
		return nil
	})
	if len(seen) > 0 {
		t.Errorf("others may read %v", seen)
	}
}

// TestRestoreWaitsForWhatIsUnderWay restores a file whose first piece is missing while the next ones are on their way: when Restore returns,
// none of them is, for they use a decoder that is closed then.
func TestRestoreWaitsForWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	src, to := t.TempDir(), t.TempDir()
	content := make([]byte, 4*backup.ChunkSize)
	for i := range content {
		content[i] = byte(i / backup.ChunkSize)
	}
	if err := os.WriteFile(filepath.Join(src, "events.duckdb"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := backup.NewFolderRepository(to).Write(t.Context(), began, 0, snapshotOf(src, backup.Info{}))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(to, "backups", w.Name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(manifest), `"chunks":["`)
	first, _, _ := strings.Cut(rest, `"`)
	synctest.Test(t, func(t *testing.T) {
		r, running := backup.SlowRepository(to, first)
		if _, err := r.Restore(t.Context(), w.Name, filepath.Join(t.TempDir(), "data")); !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("restore without the first piece: %v", err)
		}
		if n := running.Load(); n != 0 {
			t.Errorf("%d pieces are still on their way", n)
		}
	})
}

// TestPruneByAListThatLacksTheNewest removes nothing: by an empty list every piece of every backup would go.
func TestPruneByAListThatLacksTheNewest(t *testing.T) {
	t.Parallel()
	src, want := snapshot(t)
	to := t.TempDir()
	first, err := backup.NewFolderRepository(to).Write(t.Context(), began, 1, snapshotOf(src, backup.Info{}))
	if err != nil {
		t.Fatal(err)
	}
	w, err := backup.ForgetfulRepository(to).Write(t.Context(), began.Add(time.Hour), 1, snapshotOf(src, backup.Info{}))
	if w == nil || err == nil || !strings.Contains(err.Error(), "the list of backups lacks "+w.Name) {
		t.Errorf("the newest is not listed: %+v, %v", w, err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := backup.NewFolderRepository(to).Restore(t.Context(), first.Name, dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestRepositoryLeavesLocksOfOthers begins a backup while another process writes its lock: that goes on, and only what is old goes.
func TestRepositoryLeavesLocksOfOthers(t *testing.T) {
	t.Parallel()
	src, _ := snapshot(t)
	to := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"under-way.part": time.Minute, "left.part": time.Hour} {
		path := filepath.Join(to, "locks", name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{"), 0o600), os.Chtimes(path, time.Time{}, now.Add(-age)))
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := backup.NewFolderRepository(to).Write(t.Context(), now, 0, snapshotOf(src, backup.Info{})); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(to, "locks", "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "under-way.part" {
		t.Errorf("locks: %v, %v", left, err)
	}
}

// TestRepositoryOfAnotherUser refuses root the repository of a service, which could not go on with what root writes.
func TestRepositoryOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	src, _ := snapshot(t)
	to := t.TempDir()
	r := backup.NewFolderRepository(to)
	if _, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{})); err != nil {
		t.Fatal(err)
	}
	before := tree(t, to)
	if err := os.Chown(filepath.Join(to, "repository.json"), 65534, 65534); err != nil {
		t.Fatal(err)
	}
	_, err := r.Write(t.Context(), began.Add(time.Hour), 0, snapshotOf(src, backup.Info{}))
	if !errors.Is(err, backup.ErrForeign) || !strings.Contains(err.Error(), to+" belongs to the user nobody") {
		t.Errorf("root writes to the repository of another user: %v", err)
	}
	if diff := cmp.Diff(before, tree(t, to)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if _, err := r.Newest(t.Context()); err != nil {
		t.Errorf("root may read it: %v", err)
	}
}
