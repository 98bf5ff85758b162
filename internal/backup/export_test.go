package backup

import (
	"context"
	"io/fs"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/shirou/gopsutil/v4/disk"
)

// ChunkSize is how long the pieces of files are.
const ChunkSize = chunkSize

// FailingRepository is a folder's repository of which every put from the nth on fails with err.
func FailingRepository(dir string, n int, err error) *Repository {
	return &Repository{&failingPlace{folderPlace: newFolderPlace(dir), left: make(chan struct{}, n), err: err}}
}

type failingPlace struct {
	*folderPlace
	left chan struct{}
	err  error
}

func (p *failingPlace) put(ctx context.Context, name string, content []byte) error {
	select {
	case p.left <- struct{}{}:
		return p.folderPlace.put(ctx, name, content)
	default:
		return p.err
	}
}

// RestoreOnto restores a backup of a repository onto a disk that has so many bytes free.
func (r *Repository) RestoreOnto(ctx context.Context, name, dir string, free uint64) (*Manifest, error) {
	return restoreInto(dir, name, func(out sink) (*Manifest, error) {
		out.(*folder).usage = func(context.Context, string) (*disk.UsageStat, error) { return &disk.UsageStat{Free: free}, nil }
		return r.restore(ctx, name, out)
	})
}

// Lock has a repository as Write has it.
func (r *Repository) Lock(ctx context.Context) (release func() error, err error) {
	_, release, err = r.lock(ctx)
	return release, err
}

// PutLock writes the lock of a process of this machine that began at another time than the one with its id.
func (r *Repository) PutLock(ctx context.Context, pid int, start string) error {
	h := self()
	h.Process, h.Began = pid, start
	return r.putJSON(ctx, locksDir+"/of-a-test.json", h)
}

// SlowRepository is a folder's repository of which the piece of the name first is missing, while the others arrive a second after the
// reader has given up. running is how many of them are on their way.
func SlowRepository(dir, first string) (r *Repository, running *atomic.Int64) {
	running = &atomic.Int64{}
	return &Repository{&slowPlace{folderPlace: newFolderPlace(dir), first: first, running: running}}, running
}

type slowPlace struct {
	*folderPlace
	first   string
	running *atomic.Int64
}

func (p *slowPlace) get(ctx context.Context, name string) ([]byte, error) {
	if !strings.HasPrefix(name, chunksDir) {
		return p.folderPlace.get(ctx, name)
	}
	if strings.HasSuffix(name, p.first) {
		return nil, fs.ErrNotExist
	}
	p.running.Add(1)
	defer p.running.Add(-1)
	<-ctx.Done()
	time.Sleep(time.Second)
	return p.folderPlace.get(ctx, name)
}

// ForgetfulRepository is a folder's repository whose list of backups is empty.
func ForgetfulRepository(dir string) *Repository {
	return &Repository{&forgetfulPlace{newFolderPlace(dir)}}
}

type forgetfulPlace struct{ *folderPlace }

func (p *forgetfulPlace) list(ctx context.Context, prefix string) iter.Seq2[object, error] {
	if prefix == backupsDir {
		return func(func(object, error) bool) {}
	}
	return p.folderPlace.list(ctx, prefix)
}
