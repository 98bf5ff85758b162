package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// object is what a place holds under a name.
type object struct {
	name     string // slashes
	size     int64
	modified time.Time // by the clock of the place
}

// place keeps the objects of a repository. Objects appear whole or not at all, and stay after a loss of power once put has returned.
type place interface {
	// list walks the objects whose names begin with prefix, in no order.
	list(ctx context.Context, prefix string) iter.Seq2[object, error]
	// get returns the content of an object; the error wraps fs.ErrNotExist when there is none.
	get(ctx context.Context, name string) ([]byte, error)
	// put stores an object, over one of the same name.
	put(ctx context.Context, name string, content []byte) error
	// remove removes an object; it is no error when there is none.
	remove(ctx context.Context, name string) error
	// String says where the place is, without credentials.
	String() string
}

// folderPlace is a place in a folder.
type folderPlace struct {
	dir string

	mu   sync.Mutex
	made map[string]bool // folders that are known to be there, durably
}

func newFolderPlace(dir string) *folderPlace { return &folderPlace{dir: dir, made: map[string]bool{}} }

// String implements place.
func (p *folderPlace) String() string { return p.dir }

func (p *folderPlace) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

// list implements place.
func (p *folderPlace) list(ctx context.Context, prefix string) iter.Seq2[object, error] {
	return func(yield func(object, error) bool) {
		err := filepath.WalkDir(p.path(prefix), func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case !d.Type().IsRegular() || strings.HasSuffix(d.Name(), unfinished):
				return nil
			}
			st, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(p.dir, path)
			if err != nil {
				return err
			}
			if !yield(object{name: filepath.ToSlash(rel), size: st.Size(), modified: st.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(object{}, err)
		}
	}
}

// get implements place.
func (p *folderPlace) get(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(p.path(name))
}

// put implements place.
func (p *folderPlace) put(_ context.Context, name string, content []byte) (err error) {
	path := p.path(name)
	if err := p.makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "*"+unfinished) // for the owner alone
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// makeFolder makes a folder, durably.
func (p *folderPlace) makeFolder(dir string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made[dir] {
		return nil
	}
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		_, err := os.Stat(d)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = append(missing, d)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, d := range missing {
		if err := syncDir(filepath.Dir(d)); err != nil {
			return err
		}
	}
	p.made[dir] = true
	return nil
}

// remove implements place.
func (p *folderPlace) remove(_ context.Context, name string) error {
	if err := os.Remove(p.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// dropUnfinished removes what a process that was killed has left half written. The caller has the lock, so nobody else writes; but locks
// themselves are written by all, so those that are half written go only when they are old.
func (p *folderPlace) dropUnfinished(now time.Time) error {
	for _, dir := range []string{chunksDir, backupsDir, locksDir} {
		err := filepath.WalkDir(p.path(dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case !d.Type().IsRegular() || !strings.HasSuffix(d.Name(), unfinished):
				return nil
			}
			if dir == locksDir {
				st, err := d.Info()
				if errors.Is(err, fs.ErrNotExist) || err == nil && now.Sub(st.ModTime()) < lockStale {
					return nil
				}
				if err != nil {
					return err
				}
			}
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("remove what is unfinished: %w", err)
		}
	}
	return nil
}

// ErrForeign says that root is about to write files among those of another user, who could not open them.
var ErrForeign = errors.New("root would leave files there that this user cannot open; run it as that user")

// Foreign refuses root what belongs to another user, whose service could not go on with what root writes beside it; the error wraps
// ErrForeign. A missing file belongs to nobody.
func Foreign(path string) error {
	st, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || os.Geteuid() != 0 {
		return nil
	}
	if err != nil {
		return err
	}
	owner, ok := st.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid == 0 {
		return nil
	}
	name := strconv.FormatUint(uint64(owner.Uid), 10)
	if u, err := user.LookupId(name); err == nil {
		name = u.Username
	}
	return fmt.Errorf("%s belongs to the user %s: %w: runuser -u %s -- quipu …", filepath.Dir(path), name, ErrForeign, name)
}
