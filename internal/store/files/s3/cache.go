package s3

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// cache holds contents of objects on the local disk, the latest used first. Files that are open stay readable when they go. It is safe for concurrent use.
type cache struct {
	dir  string
	most int64

	mu     sync.Mutex
	order  list.List // of *kept
	byKey  map[string]*list.Element
	bytes  int64
	coming map[string]*coming
}

// coming is a content on its way.
type coming struct {
	done chan struct{} // closed when it has been brought, or not
	err  error         // why not; set before
}

type kept struct {
	key  string
	size int64
}

// The names of files that are being written, and of those that are kept.
const (
	writing = "new-*"
	whole   = "kept-"
)

// newCache empties the folder.
func newCache(dir string, most int64) (*cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder for files: %w", err)
	}
	for _, pattern := range []string{writing, whole + "*"} {
		left, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range left {
			if err := os.Remove(path); err != nil {
				return nil, fmt.Errorf("empty folder for files: %w", err)
			}
		}
	}
	return &cache{dir: dir, most: most, byKey: map[string]*list.Element{}, coming: map[string]*coming{}}, nil
}

// path is where the content of a key is.
func (c *cache) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(c.dir, whole+hex.EncodeToString(sum[:]))
}

// create returns a new file, which keep or drop ends.
func (c *cache) create() (*os.File, error) { return os.CreateTemp(c.dir, writing) }

// drop ends a new file.
func (c *cache) drop(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }

// scratch returns a new file without a name.
func (c *cache) scratch() (*os.File, error) {
	f, err := c.create()
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// keep makes a new file the content of a key, and closes it.
func (c *cache) keep(f *os.File, key string, size int64) error {
	if size > c.most {
		return c.drop(f)
	}
	if err := f.Close(); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := os.Rename(f.Name(), c.path(key)); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if e := c.byKey[key]; e != nil {
		c.order.MoveToFront(e)
		return nil
	}
	c.byKey[key] = c.order.PushFront(&kept{key, size})
	for c.bytes += size; c.bytes > c.most; {
		if err := c.forget(c.order.Back()); err != nil {
			return err
		}
	}
	return nil
}

// forget deletes a content; mu is held.
func (c *cache) forget(e *list.Element) error {
	k, _ := e.Value.(*kept) // the list has nothing else
	c.order.Remove(e)
	delete(c.byKey, k.key)
	c.bytes -= k.size
	if err := os.Remove(c.path(k.key)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// find opens the content of a key; nil = it is not there. One whose size is another is deleted.
func (c *cache) find(key string) (*os.File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil, nil
	}
	if f, err := os.Open(c.path(key)); err == nil {
		k, _ := e.Value.(*kept) // the list has nothing else
		if st, err := f.Stat(); err == nil && st.Size() == k.size {
			c.order.MoveToFront(e)
			return f, nil
		}
		_ = f.Close() // it was only looked at
	}
	return nil, c.forget(e)
}

// open opens the content of a key, which bring brings if it is not there: once, however many want it. bring says how large it is.
func (c *cache) open(ctx context.Context, key string, bring func(*os.File) (int64, error)) (*os.File, error) {
	for {
		if f, err := c.find(key); f != nil || err != nil {
			return f, err
		}
		c.mu.Lock()
		other := c.coming[key]
		mine := &coming{done: make(chan struct{})}
		if other == nil {
			c.coming[key] = mine
		}
		c.mu.Unlock()
		if other == nil {
			f, err := c.brought(key, bring)
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.coming, key)
			mine.err = err
			close(mine.done)
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-other.done:
			if err := other.err; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
				return nil, err
			}
		}
	}
}

// brought brings the content of a key and opens it.
func (c *cache) brought(key string, bring func(*os.File) (int64, error)) (*os.File, error) {
	if f, err := c.find(key); f != nil || err != nil { // another one was quicker
		return f, err
	}
	to, err := c.create()
	if err != nil {
		return nil, err
	}
	size, err := bring(to)
	if err != nil {
		return nil, errors.Join(err, c.drop(to))
	}
	f, err := os.Open(to.Name()) // from its beginning
	if err != nil {
		return nil, errors.Join(err, c.drop(to))
	}
	if err := c.keep(to, key, size); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
