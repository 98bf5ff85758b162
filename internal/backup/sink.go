package backup

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/shirou/gopsutil/v4/disk"
)

// folder is a backup as a folder.
type folder struct {
	dir   string
	made  map[string]bool // folders to be synced
	usage func(context.Context, string) (*disk.UsageStat, error)
}

// ErrNoRoom says that the files of a backup do not fit onto the disk that they are restored to.
var ErrNoRoom = errors.New("no space left for the backup")

func newFolder(dir string) (*folder, error) {
	if err := vacant(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	return &folder{dir: dir, made: map[string]bool{dir: true, filepath.Dir(dir): true}, usage: disk.UsageWithContext}, nil
}

// roomFor refuses files of so many bytes in all where they do not fit, before the first of them is written. What the file system does not
// say is no reason to refuse.
func (f *folder) roomFor(ctx context.Context, size int64) error {
	u, err := f.usage(ctx, f.dir)
	if err != nil || size < 0 || uint64(size) <= u.Free {
		return nil //nolint:nilerr // see above
	}
	return fmt.Errorf("%w: %d MiB are needed in %s, and %d MiB are free", ErrNoRoom, size>>20+1, f.dir, u.Free>>20)
}

func (f *folder) put(name string, size int64, r io.Reader) (err error) {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	for d := filepath.Dir(path); d != f.dir; d = filepath.Dir(d) {
		f.made[d] = true
	}
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, r)
	if err == nil && n != size {
		err = fmt.Errorf("file %s has %d bytes, want %d", name, n, size)
	}
	return errors.Join(err, out.Sync(), out.Close())
}

func (f *folder) close() error {
	var errs []error
	for d := range f.made {
		errs = append(errs, syncDir(d))
	}
	return errors.Join(errs...)
}

func (f *folder) abort() error { return os.RemoveAll(f.dir) }

// archive is a backup as a tar file, compressed when its name says so.
type archive struct {
	path string
	file *os.File
	zst  *zstd.Encoder // nil when not compressed
	tar  *tar.Writer
}

// unfinished ends the name of an archive that is being written.
const unfinished = ".part"

func newArchive(path string) (*archive, error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("file %s exists already", path), err)
	}
	f, err := os.OpenFile(path+unfinished, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make archive: %w", err)
	}
	a := &archive{path: path, file: f}
	var w io.Writer = f
	if strings.HasSuffix(path, ".zst") {
		if a.zst, err = zstd.NewWriter(f, zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, errors.Join(fmt.Errorf("make archive: %w", err), f.Close())
		}
		w = a.zst
	}
	a.tar = tar.NewWriter(w)
	return a, nil
}

func (a *archive) put(name string, size int64, r io.Reader) error {
	if err := a.tar.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, Typeflag: tar.TypeReg, Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err := io.Copy(a.tar, r)
	return err
}

func (a *archive) close() error {
	err := a.tar.Close()
	if a.zst != nil {
		err = errors.Join(err, a.zst.Close())
	}
	err = errors.Join(err, a.file.Sync(), a.file.Close())
	a.file = nil
	if err != nil {
		return err
	}
	return errors.Join(os.Rename(a.path+unfinished, a.path), syncDir(filepath.Dir(a.path)))
}

func (a *archive) abort() error {
	var err error
	if a.file != nil {
		err = a.file.Close()
	}
	if rerr := os.Remove(a.path + unfinished); !errors.Is(rerr, fs.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	return err
}

// read calls fn for every file of a backup.
func read(source string, fn func(name string, size int64, r io.Reader) error) error {
	st, err := os.Stat(source)
	if err != nil {
		return err
	}
	if st.IsDir() {
		return readFolder(source, fn)
	}
	f, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	var r io.Reader = f
	if strings.HasSuffix(source, ".zst") {
		z, err := zstd.NewReader(f)
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	}
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if h.Typeflag != tar.TypeReg {
			return fmt.Errorf("%w: %s is not a file", ErrDamaged, h.Name)
		}
		if err := fn(h.Name, h.Size, t); err != nil {
			return err
		}
	}
}

func readFolder(source string, fn func(name string, size int64, r io.Reader) error) error {
	names, err := sortedNames(source)
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := os.Open(filepath.Join(source, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		st, err := f.Stat()
		if err == nil {
			err = fn(name, st.Size(), f)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
