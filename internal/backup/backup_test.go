package backup_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/backup"
)

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, rerr := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(b)
		return errors.Join(err, rerr)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func snapshot(t *testing.T) (string, map[string]string) {
	t.Helper()
	dir := t.TempDir()
	want := map[string]string{
		"docs.sqlite": strings.Repeat("docs", 5000), "state/000001.sst": "s", "state/CURRENT": "", "files/ab/abcd": "x\x00y",
	}
	for name, content := range want {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, want
}

func TestWriteAndRestore(t *testing.T) {
	t.Parallel()
	info := backup.Info{Created: 5, Version: "v1", Watermark: 7, End: 9}
	for _, target := range []string{"folder", "a.tar", "a.tar.zst"} {
		src, want := snapshot(t)
		path := filepath.Join(t.TempDir(), target)
		m, err := backup.Write(t.Context(), src, info, path)
		if err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		if m.Info != info || len(m.Files) != len(want) {
			t.Errorf("%s: manifest %+v", target, m)
		}
		if _, err := backup.Write(t.Context(), src, info, path); err == nil {
			t.Errorf("%s: written over", target)
		}
		dir := filepath.Join(t.TempDir(), "data")
		got, err := backup.Restore(t.Context(), path, dir)
		if err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("%s: manifest (-written +read):\n%s", target, diff)
		}
		if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", target, diff)
		}
		if _, err := backup.Restore(t.Context(), path, dir); err == nil {
			t.Errorf("%s: restored over a folder that is not empty", target)
		}
	}
}

func TestRestoreRefusesDamage(t *testing.T) {
	t.Parallel()
	src, _ := snapshot(t)
	for _, tt := range []struct {
		name, target string
		harm         func(path string) error
	}{
		{"changed file", "f", func(p string) error { return os.WriteFile(filepath.Join(p, "state", "000001.sst"), []byte("t"), 0o600) }},
		{"missing file", "f", func(p string) error { return os.Remove(filepath.Join(p, "state", "CURRENT")) }},
		{"file too many", "f", func(p string) error { return os.WriteFile(filepath.Join(p, "more"), nil, 0o600) }},
		{"no manifest", "f", func(p string) error { return os.Remove(filepath.Join(p, backup.ManifestName)) }},
		{"torn archive", "a.tar", func(p string) error { return os.Truncate(p, 9000) }},
		{"torn compressed archive", "a.tar.zst", func(p string) error { return os.Truncate(p, 100) }},
	} {
		path := filepath.Join(t.TempDir(), tt.target)
		if _, err := backup.Write(t.Context(), src, backup.Info{}, path); err != nil {
			t.Fatal(err)
		}
		if err := tt.harm(path); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "data")
		if _, err := backup.Restore(t.Context(), path, dir); !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if left, err := filepath.Glob(dir + "*"); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", tt.name, left, err)
		}
	}
}

// TestRestoreWithoutRoom restores backups that are larger than the disk: nothing is written, and the error says how much is needed.
func TestRestoreWithoutRoom(t *testing.T) {
	t.Parallel()
	const huge = 1 << 43 // bytes
	folder := filepath.Join(t.TempDir(), "b")
	src, _ := snapshot(t)
	if _, err := backup.Write(t.Context(), src, backup.Info{}, folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(folder, "state", "000001.sst"), huge); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "b.tar")
	var b bytes.Buffer
	if err := tar.NewWriter(&b).WriteHeader(&tar.Header{Name: "state/000001.sst", Size: huge, Mode: 0o600, Typeflag: tar.TypeReg, Format: tar.FormatPAX}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	r := backup.NewFolderRepository(filepath.Join(t.TempDir(), "r"))
	w, err := r.Write(t.Context(), time.Now(), 1, snapshotOf(src, backup.Info{}))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	for name, restore := range map[string]func() error{
		"folder":     func() error { _, err := backup.Restore(t.Context(), folder, dir); return err },
		"archive":    func() error { _, err := backup.Restore(t.Context(), archive, dir); return err },
		"repository": func() error { _, err := r.RestoreOnto(t.Context(), w.Name, dir, 1); return err },
	} {
		if err := restore(); !errors.Is(err, backup.ErrNoRoom) || !strings.Contains(err.Error(), "MiB are needed in "+dir) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: something is left: %v", name, err)
		}
	}
	if _, err := r.RestoreOnto(t.Context(), w.Name, dir, huge); err != nil {
		t.Errorf("with room: %v", err)
	}
}

// TestRestoreWithin restores into folders that are there, beside which nothing can be written, as mount points and folders of a service.
func TestRestoreWithin(t *testing.T) {
	t.Parallel()
	src, want := snapshot(t)
	archive := filepath.Join(t.TempDir(), "b.tar")
	if _, err := backup.Write(t.Context(), src, backup.Info{}, archive); err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "lost+found"), 0o700), os.Chmod(parent, 0o500)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(parent, 0o700) }) // a folder of the test
	before, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), archive, dir); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(dir); err != nil || !os.SameFile(before, after) {
		t.Errorf("the folder is another one: %v", err)
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if err := backup.Usable(dir); err != nil {
		t.Error(err)
	}
}

// TestRestoreKeepsOwner restores as the superuser into a folder of a service.
func TestRestoreKeepsOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only the superuser can give files away")
	}
	src, _ := snapshot(t)
	archive := filepath.Join(t.TempDir(), "b.tar")
	if _, err := backup.Write(t.Context(), src, backup.Info{}, archive); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const service = 4711
	if err := os.Chown(dir, service, service); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), archive, dir); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		files++
		st, err := os.Lstat(path)
		if err == nil && (st.Sys().(*syscall.Stat_t).Uid != service || st.Sys().(*syscall.Stat_t).Gid != service) {
			t.Errorf("%s has another owner", path)
		}
		return err
	})
	if err != nil || files < 7 {
		t.Errorf("%d entries, %v", files, err)
	}
}

// TestRestoreBrokenOff goes on where a restore ended in the middle, with a part of the files in their place.
func TestRestoreBrokenOff(t *testing.T) {
	t.Parallel()
	src, want := snapshot(t)
	path := filepath.Join(t.TempDir(), "b")
	if _, err := backup.Write(t.Context(), src, backup.Info{}, path); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "restore.part", "state"), 0o700), os.WriteFile(filepath.Join(dir, "docs.sqlite"), []byte("old"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := backup.Usable(dir); !errors.Is(err, backup.ErrUnfinished) {
		t.Errorf("usable: %v", err)
	}
	if _, err := backup.Restore(t.Context(), path, dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if err := backup.Usable(path); !errors.Is(err, backup.ErrBackup) {
		t.Errorf("a backup is usable: %v", err)
	}
}

// TestWriteRefusesOtherArchives has names whose form nobody writes.
func TestWriteRefusesOtherArchives(t *testing.T) {
	t.Parallel()
	src, _ := snapshot(t)
	for _, name := range []string{"x.tgz", "x.tar.gz", "x.ZIP", "x.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if _, err := backup.Write(t.Context(), src, backup.Info{}, path); err == nil || !strings.Contains(err.Error(), ".tar.zst") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there", name)
		}
	}
}
