// Package backup keeps copies of a data folder: a snapshot that the server
// wrote becomes a folder or an archive with a manifest of its files, and is checked
// against that when it is restored. docs/format/backup.md describes the form.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ManifestName is the file that lists the others. It is written last, so a
// copy without it is not whole.
const ManifestName = "backup.json"

// formatVersion of manifests.
const formatVersion = 1

// ErrDamaged says that a backup is not as it was written.
var ErrDamaged = errors.New("backup: damaged or not whole")

// Info tells what a snapshot holds.
type Info struct {
	Created int64  `json:"created"` // ms
	Version string `json:"version"` // of the server
	// Watermark is the journal offset up to which everything is projected, End
	// that of the last record, which are projected after a restore.
	Watermark uint64 `json:"watermark"`
	End       uint64 `json:"end"`
}

// File is an entry of a manifest.
type File struct {
	Name   string `json:"name"` // slashes, within the folder
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Manifest lists what a backup holds.
type Manifest struct {
	Format int `json:"format"`
	Info
	Files []File `json:"files"`
}

// sink takes the files of a backup in turn.
type sink interface {
	// put stores a file of size bytes.
	put(name string, size int64, r io.Reader) error
	// close makes all of it durable.
	close() error
	// abort leaves nothing.
	abort() error
}

// Write copies a snapshot to a target: an archive when its name ends in .tar
// or .tar.zst, else a folder, which must not exist or be empty. Names of other archives are refused.
func Write(ctx context.Context, snapshot string, info Info, target string) (*Manifest, error) {
	out, err := newSink(target)
	if err != nil {
		return nil, err
	}
	m, err := write(ctx, snapshot, info, out)
	if err == nil {
		err = out.close()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write backup %s: %w", target, err), out.abort())
	}
	return m, nil
}

func newSink(target string) (sink, error) {
	if strings.HasSuffix(target, ".tar") || strings.HasSuffix(target, ".tar.zst") {
		return newArchive(target)
	}
	for _, end := range []string{".tgz", ".gz", ".zst", ".zip", ".bz2", ".xz", ".7z"} {
		if strings.HasSuffix(strings.ToLower(target), end) {
			return nil, fmt.Errorf("%s: backups are archives that end in .tar or .tar.zst, or folders, not %s", target, end)
		}
	}
	return newFolder(target)
}

func write(ctx context.Context, snapshot string, info Info, out sink) (*Manifest, error) {
	m := &Manifest{Format: formatVersion, Info: info}
	err := filepath.WalkDir(snapshot, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(snapshot, path)
		if err != nil {
			return err
		}
		f, err := putFile(path, filepath.ToSlash(rel), out)
		if err == nil {
			m.Files = append(m.Files, f)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return nil, err
	}
	return m, out.put(ManifestName, int64(len(text)), strings.NewReader(string(text)))
}

func putFile(path, name string, out sink) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = f.Close() }() // only read
	st, err := f.Stat()
	if err != nil {
		return File{}, err
	}
	h := sha256.New()
	if err := out.put(name, st.Size(), io.TeeReader(io.LimitReader(f, st.Size()), h)); err != nil {
		return File{}, err
	}
	return File{Name: name, Size: st.Size(), SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

func restore(ctx context.Context, source string, out sink) (*Manifest, error) {
	if st, err := os.Stat(source); err == nil && st.IsDir() {
		size, err := Size(source)
		if err == nil {
			err = roomFor(ctx, out, size)
		}
		if err != nil {
			return nil, err
		}
	}
	got := map[string]File{}
	var text []byte
	err := read(source, func(name string, size int64, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if name == ManifestName {
			var err error
			text, err = io.ReadAll(r)
			return err
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%w: file %q would lie outside of the folder", ErrDamaged, name)
		}
		if _, twice := got[name]; twice {
			return fmt.Errorf("%w: file %s is there twice", ErrDamaged, name)
		}
		if err := roomFor(ctx, out, size); err != nil { // an archive does not say beforehand what it holds
			return err
		}
		h := sha256.New()
		if err := out.put(name, size, io.TeeReader(whole{r}, h)); err != nil {
			return err
		}
		got[name] = File{Name: name, Size: size, SHA256: hex.EncodeToString(h.Sum(nil))}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return check(text, got)
}

// roomFor asks a sink that knows whether it has room for so many bytes; the error wraps ErrNoRoom.
func roomFor(ctx context.Context, out sink, size int64) error {
	if f, ok := out.(interface {
		roomFor(ctx context.Context, size int64) error
	}); ok {
		return f.roomFor(ctx, size)
	}
	return nil
}

// Size is how many bytes a file has, or all files of a folder. Missing files, and files removed meanwhile, count as none.
func Size(path string) (size int64, err error) {
	err = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		st, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			size += st.Size()
		}
		return err
	})
	return size, err
}

// whole calls what cannot be read damaged.
type whole struct{ r io.Reader }

// Read implements io.Reader.
func (w whole) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return n, err
}

// check compares what was read with the manifest.
func check(text []byte, got map[string]File) (*Manifest, error) {
	if text == nil {
		return nil, fmt.Errorf("%w: there is no %s", ErrDamaged, ManifestName)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, ManifestName, err)
	}
	if m.Format > formatVersion {
		return nil, fmt.Errorf("backup has format %d, this version supports up to %d", m.Format, formatVersion)
	}
	for _, f := range m.Files {
		g, ok := got[f.Name]
		if !ok || g != f {
			return nil, fmt.Errorf("%w: file %s", ErrDamaged, f.Name)
		}
		delete(got, f.Name)
	}
	for name := range got {
		return nil, fmt.Errorf("%w: file %s is not in the manifest", ErrDamaged, name)
	}
	return &m, nil
}

// vacant refuses a folder that holds something. What the file system itself keeps at its root is nothing.
func vacant(dir string) error {
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("look into %s: %w", dir, err)
	}
	for _, e := range list {
		if e.Name() != kept {
			return fmt.Errorf("folder %s is not empty", dir)
		}
	}
	return nil
}

// syncDir makes the names in a folder durable.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// sortedNames lists the files under a folder by name, slashes between.
func sortedNames(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	slices.Sort(names)
	return names, err
}
