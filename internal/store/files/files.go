// Package files keeps uploaded files under the hash of their content: the
// same bytes are stored once, and a name can be guessed by nobody who does
// not have the bytes. Beside them are folders of files with names of their own. Where they lie is for an Engine to say:
// on a disk, or in an S3-compatible store.
package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"quipu/internal/fault"
)

// ErrNotFound says that no file has the hash.
var ErrNotFound = errors.New("files: not found")

// Options of New.
type Options struct {
	// Shared says that other processes write files to the same place: what is not old enough is spared when folders are swept.
	Shared bool
}

// Store keeps files by their hashes, under <first two hex digits>/<hash>, and folders. It is safe for concurrent use.
type Store struct {
	e       Engine
	o       Options
	turns   [64]sync.Mutex // of files by their hashes; held while it is decided whether a file is still wanted
	waiting waiting
}

// New returns a store of the files of an engine.
func New(e Engine, o Options) *Store { return &Store{e: e, o: o} }

// Images are the content types accepted as pictures.
func Images() []string { return []string{"image/png", "image/jpeg", "image/gif", "image/webp"} }

// Put stores data and returns its hash (64 hex digits). maxBytes bounds the size;
// types are the accepted content types as sniffed from the bytes, never from a name. Faults:
// files.too_large, files.bad_type, files.unavailable.
func (s *Store) Put(ctx context.Context, data []byte, maxBytes int, types []string) (string, error) {
	sum, err := checked(data, maxBytes, types)
	if err != nil {
		return "", err
	}
	hash := hex.EncodeToString(sum[:])
	if again, err := s.again(ctx, sum, data); again || err != nil {
		return hash, err
	}
	return hash, s.write(ctx, hash, data)
}

// checked returns the hash of what may be stored.
func checked(data []byte, maxBytes int, types []string) ([32]byte, error) {
	if len(data) > maxBytes {
		return [32]byte{}, fault.Newf(fault.TooLarge, "files.too_large", "File is larger than %d bytes", maxBytes)
	}
	if got := http.DetectContentType(data); !slices.Contains(types, got) {
		return [32]byte{}, fault.New(fault.Invalid, "files.bad_type", "File is not of an accepted type")
	}
	return sha256.Sum256(data), nil
}

func (s *Store) write(ctx context.Context, hash string, data []byte) error {
	if err := s.e.Put(ctx, path(hash), data); err != nil {
		return fmt.Errorf("store file %s: %w", hash, err)
	}
	return nil
}

// turn is that of a file.
func (s *Store) turn(hash []byte) *sync.Mutex { return &s.turns[int(hash[0])%len(s.turns)] }

// again reports whether a file has these bytes already, and makes it young again, see Old.
func (s *Store) again(ctx context.Context, sum [32]byte, data []byte) (bool, error) {
	turn := s.turn(sum[:])
	turn.Lock()
	defer turn.Unlock()
	return s.e.Again(ctx, path(hex.EncodeToString(sum[:])), data)
}

// parsed returns the bytes of a hash; nil when it is none.
func parsed(hash string) []byte {
	b, err := hex.DecodeString(hash)
	if err != nil || len(b) != sha256.Size || hex.EncodeToString(b) != hash {
		return nil
	}
	return b
}

// Get returns the bytes stored under hash, or ErrNotFound. Faults: files.unavailable.
func (s *Store) Get(ctx context.Context, hash string) ([]byte, error) {
	if parsed(hash) == nil {
		return nil, ErrNotFound
	}
	data, err := s.e.Get(ctx, path(hash))
	if err != nil && !errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("read file %s: %w", hash, err)
	}
	return data, err
}

// Delete forgets the file; a missing one is no error. Faults: files.unavailable.
func (s *Store) Delete(ctx context.Context, hash string) error {
	if parsed(hash) == nil {
		return nil // such a name was never stored
	}
	if err := s.e.Remove(ctx, path(hash)); err != nil {
		return fmt.Errorf("delete file %s: %w", hash, err)
	}
	return nil
}

// path is the name that a hash has for the engine.
func path(hash string) string { return hash[:2] + "/" + hash }

// hashed is the folder of hashes that begin with a byte.
func hashed(first byte) string { return hex.EncodeToString([]byte{first}) }

// Check reads every file that is kept under its hash and calls damaged for
// each whose content is another. It returns how many it read.
func (s *Store) Check(ctx context.Context, damaged func(hash string)) (n int64, err error) {
	for i := range 256 {
		for f, err := range s.e.List(ctx, hashed(byte(i))) {
			if err != nil {
				return n, fmt.Errorf("check files: %w", err)
			}
			want := parsed(f.Name)
			if want == nil || want[0] != byte(i) { // a file that has another name than its hash
				continue
			}
			data, err := s.e.Get(ctx, path(f.Name))
			if errors.Is(err, ErrNotFound) {
				continue // it was deleted
			}
			if err != nil {
				return n, fmt.Errorf("check files: %w", err)
			}
			n++
			if sum := sha256.Sum256(data); !slices.Equal(sum[:], want) {
				damaged(f.Name)
			}
		}
	}
	return n, nil
}

// spared is how old a file of a folder has to be before a sweep of a shared store may delete it: another process may be about to note that it is there, or still write it.
const spared = 24 * time.Hour
