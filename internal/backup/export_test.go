package backup

import "context"

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
