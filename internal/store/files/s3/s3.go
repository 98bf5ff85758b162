// Package s3 keeps uploaded files in a bucket of an S3-compatible store, for nodes that share no folder: an engine of package files.
//
// A file is the object PREFIX/folder/name. Small files are written and read in one request each. A large one is gathered on the local disk, and uploaded
// when it is whole; to be read it is brought to the local disk, where a bounded number of bytes stays for the next reader. Whether what is there is still what the store
// has is asked each time a file is opened; what was brought is checked against the SHA-256 that its writer left with the object.
package s3

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"quipu/internal/fault"
	"quipu/internal/store/files"
	"quipu/internal/store/s3"
)

// Options of Open.
type Options struct {
	s3.Options
	// Dir is a folder of the local disk of this process alone; what is in it is deleted.
	Dir string
	// CacheBytes bounds what stays there of files that were read or written; 0 = 1 GiB. What is in use comes on top.
	CacheBytes int64
	// Patience is how long a request may take for what does not depend on sizes; 0 = 30 s. It is also how long a connection may be silent.
	Patience time.Duration
}

// slowest is how many bytes a second come at least when files are brought or uploaded.
const slowest = 256 << 10

// mostPut bounds what Get reads into memory.
const mostPut = 64 << 20

// codeUnavailable is the code of the fault that the store cannot do something.
const codeUnavailable = "files.unavailable"

// Engine is a place in a bucket. It implements files.Engine.
type Engine struct {
	b        *s3.Bucket
	cache    *cache
	patience time.Duration
}

var _ files.Engine = (*Engine)(nil)

// Open finds out whether the bucket can be used, and returns its files, which other processes write, too.
func Open(ctx context.Context, o Options) (*files.Store, error) {
	e, err := New(o)
	if err != nil {
		return nil, err
	}
	if err := e.Probe(ctx); err != nil {
		return nil, err
	}
	return files.New(e, files.Options{Shared: true}), nil
}

// New returns an engine, which has asked nothing yet.
func New(o Options) (*Engine, error) {
	if o.CacheBytes == 0 {
		o.CacheBytes = 1 << 30
	}
	if o.Patience == 0 {
		o.Patience = 30 * time.Second
	}
	if o.Stall == 0 {
		o.Stall = o.Patience
	}
	b, err := s3.Open(o.Options)
	if err != nil {
		return nil, err
	}
	c, err := newCache(o.Dir, o.CacheBytes)
	if err != nil {
		return nil, err
	}
	return &Engine{b: b, cache: c, patience: o.Patience}, nil
}

// Probe finds out whether the bucket can be used.
func (e *Engine) Probe(ctx context.Context) error {
	ctx, cancel := e.limited(ctx, 0)
	defer cancel()
	return e.b.Probe(ctx, fmt.Sprintf("probe/%016x", rand.Uint64()))
}

// limited bounds the time of a request that moves so many bytes.
func (e *Engine) limited(ctx context.Context, size int64) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, e.patience+time.Duration(size/slowest)*time.Second)
}

// failed makes a fault of what the store cannot do, and files.ErrNotFound of what it does not have. It is the caller's own error if his context, asked, has ended.
func failed(asked context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return files.ErrNotFound
	case asked.Err() != nil:
		return asked.Err()
	}
	return fault.Wrap(err, fault.Unavailable, codeUnavailable, "Uploaded files cannot be reached at present")
}

// Put implements files.Engine.
func (e *Engine) Put(asked context.Context, name string, data []byte) error {
	ctx, cancel := e.limited(asked, int64(len(data)))
	defer cancel()
	return failed(asked, e.b.Put(ctx, name, data))
}

// Again implements files.Engine: an object becomes young by being written.
func (e *Engine) Again(asked context.Context, name string, data []byte) (bool, error) {
	switch _, err := e.Stat(asked, name); {
	case errors.Is(err, files.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	err := e.Put(asked, name, data)
	return err == nil, err
}

// Get implements files.Engine.
func (e *Engine) Get(asked context.Context, name string) ([]byte, error) {
	ctx, cancel := e.limited(asked, mostPut)
	defer cancel()
	data, err := e.b.Get(ctx, name, mostPut)
	return data, failed(asked, err)
}

// Stat implements files.Engine.
func (e *Engine) Stat(asked context.Context, name string) (files.Info, error) {
	o, err := e.stat(asked, name)
	return files.Info{Name: last(name), Size: o.Size, Modified: o.Modified}, err
}

func (e *Engine) stat(asked context.Context, name string) (s3.Object, error) {
	ctx, cancel := e.limited(asked, 0)
	defer cancel()
	o, err := e.b.Stat(ctx, name)
	return o, failed(asked, err)
}

// last is a name without its folder.
func last(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// Remove implements files.Engine.
func (e *Engine) Remove(asked context.Context, name string) error {
	ctx, cancel := e.limited(asked, 0)
	defer cancel()
	return failed(asked, e.b.Remove(ctx, name))
}

// List implements files.Engine. Connections that are silent end it; it has no other bound of time.
func (e *Engine) List(asked context.Context, folder string) iter.Seq2[files.Info, error] {
	return func(yield func(files.Info, error) bool) {
		for o, err := range e.b.List(asked, folder) {
			if !yield(files.Info{Name: last(o.Name), Size: o.Size, Modified: o.Modified}, failed(asked, err)) || err != nil {
				return
			}
		}
	}
}

// All implements files.Engine, as List does.
func (e *Engine) All(asked context.Context) iter.Seq2[files.Info, error] {
	return func(yield func(files.Info, error) bool) {
		for o, err := range e.b.List(asked, "") {
			if !yield(files.Info{Name: o.Name, Size: o.Size, Modified: o.Modified}, failed(asked, err)) || err != nil {
				return
			}
		}
	}
}

// Clock implements files.Engine: it is the time of the store.
func (e *Engine) Clock(asked context.Context) (time.Time, error) {
	ctx, cancel := e.limited(asked, 0)
	defer cancel()
	at, err := e.b.Clock(ctx)
	return at, failed(asked, err)
}

// Scratch implements files.Engine.
func (e *Engine) Scratch(string) (*os.File, error) { return e.cache.scratch() }

// RemoveUnfinished implements files.Engine: what is left are parts of uploads.
func (e *Engine) RemoveUnfinished(asked context.Context, folder string, before time.Time) error {
	return failed(asked, e.b.RemoveUploads(asked, folder, before))
}

// hashKey is the key under which an object has its SHA-256.
const hashKey = "Sha256"

// upload is a file that is gathered.
type upload struct {
	e    *Engine
	name string
	file *os.File
	buf  *bufio.Writer
	hash hash.Hash
	size int64
}

// Create implements files.Engine.
func (e *Engine) Create(name string) (files.Upload, error) {
	file, err := e.cache.create()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	return &upload{e, name, file, bufio.NewWriterSize(io.MultiWriter(file, h), 64<<10), h, 0}, nil
}

// Write implements files.Upload.
func (u *upload) Write(p []byte) (int, error) {
	n, err := u.buf.Write(p)
	u.size += int64(n)
	return n, err
}

// Commit implements files.Upload.
func (u *upload) Commit(asked context.Context) error {
	if err := u.buf.Flush(); err != nil {
		return errors.Join(err, u.Abort())
	}
	ctx, cancel := u.e.limited(asked, u.size)
	defer cancel()
	o, err := u.e.b.PutFile(ctx, u.name, u.file, u.size, map[string]string{hashKey: hex.EncodeToString(u.hash.Sum(nil))})
	if err != nil {
		return errors.Join(failed(asked, err), u.Abort())
	}
	return u.e.cache.keep(u.file, keyOf(u.name, o), u.size)
}

// Abort implements files.Upload.
func (u *upload) Abort() error { return u.e.cache.drop(u.file) }

// keyOf names the content of an object.
func keyOf(name string, o s3.Object) string {
	return fmt.Sprintf("%s\n%s\n%d", name, strings.Trim(o.ETag, `"`), o.Size)
}

// triesToOpen is how often a file is asked for whose content is another than was said of it: it is being replaced, perhaps in a store that does not do so in one step. Between
// two of them is a pause.
const (
	triesToOpen = 4
	pauseToOpen = 50 * time.Millisecond
)

// errChanged says that an object has another content than was said of it.
var errChanged = errors.New("content differs from what the store reported")

// Open implements files.Engine.
func (e *Engine) Open(asked context.Context, name string) (f *os.File, err error) {
	for n := range triesToOpen {
		if n > 0 {
			pause := time.NewTimer(time.Duration(n) * pauseToOpen)
			select {
			case <-asked.Done():
				pause.Stop()
				return nil, asked.Err()
			case <-pause.C:
			}
		}
		o, serr := e.stat(asked, name)
		if serr != nil {
			return nil, serr
		}
		if o.ETag == "" {
			err = fmt.Errorf("object %s has %w: no ETag", name, errChanged)
			continue
		}
		f, err = e.cache.open(asked, keyOf(name, o), func(to *os.File) (int64, error) { return o.Size, e.bring(asked, to, name, o) })
		if !errors.Is(err, errChanged) {
			return f, err
		}
	}
	return nil, failed(asked, err)
}

// bring copies an object to a file.
func (e *Engine) bring(asked context.Context, to *os.File, name string, o s3.Object) error {
	ctx, cancel := e.limited(asked, o.Size)
	defer cancel()
	h := sha256.New()
	n, err := e.b.Copy(ctx, io.MultiWriter(to, h), name, o.ETag)
	switch want, _ := hex.DecodeString(o.Meta[hashKey]); {
	case errors.Is(err, s3.ErrChanged), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("object %s has %w", name, errChanged) // and is asked for again, or is not there any more
	case err == nil && n != o.Size:
		return fmt.Errorf("object %s has %w: received %d of %d bytes", name, errChanged, n, o.Size)
	case err == nil && len(want) > 0 && !bytes.Equal(h.Sum(nil), want):
		return fmt.Errorf("object %s has %w: its hash is not the one it was written with", name, errChanged)
	}
	return failed(asked, err)
}
