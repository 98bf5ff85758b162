// Package files keeps uploaded files under the hash of their content: the
// same bytes are stored once, and a name can be guessed by nobody who does
// not have the bytes.
package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"quipu/internal/fault"
)

// ErrNotFound says that no file has the hash.
var ErrNotFound = errors.New("files: not found")

// Store is a folder of files, laid out as <first two hex digits>/<hash>.
type Store struct {
	dir     string
	mu      sync.Mutex // held while it is decided whether a file is still wanted
	waiting waiting
}

// Open makes the folder if it is missing.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder for files: %w", err)
	}
	return &Store{dir: dir}, nil
}

// Images are the content types accepted as pictures.
func Images() []string { return []string{"image/png", "image/jpeg", "image/gif", "image/webp"} }

// Put stores data and returns its hash (64 hex digits). maxBytes bounds the size;
// types are the accepted content types as sniffed from the bytes, never from a name. Faults:
// files.too_large, files.bad_type.
func (s *Store) Put(_ context.Context, data []byte, maxBytes int, types []string) (string, error) {
	sum, err := checked(data, maxBytes, types)
	if err != nil {
		return "", err
	}
	hash := hex.EncodeToString(sum[:])
	if again, err := s.again(s.path(hash), data); again || err != nil {
		return hash, err
	}
	return hash, s.write(hash, data)
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

func (s *Store) write(hash string, data []byte) error {
	if err := writeSynced(s.path(hash), data); err != nil {
		return fmt.Errorf("store file %s: %w", hash, err)
	}
	return nil
}

// again reports whether a file has these bytes already, and makes it young again, see Old.
func (s *Store) again(path string, data []byte) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(old, data) {
		return false, nil
	}
	now, err := s.clock()
	if err == nil {
		err = os.Chtimes(path, time.Time{}, now)
	}
	if err != nil {
		return false, fmt.Errorf("touch file: %w", err)
	}
	return true, nil
}

// Get returns the bytes stored under hash, or ErrNotFound.
func (s *Store) Get(_ context.Context, hash string) ([]byte, error) {
	if b, err := hex.DecodeString(hash); err != nil || len(b) != sha256.Size {
		return nil, ErrNotFound
	}
	data, err := os.ReadFile(s.path(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read file %s: %w", hash, err)
	}
	return data, nil
}

// Delete forgets the file; a missing one is no error.
func (s *Store) Delete(_ context.Context, hash string) error {
	if b, err := hex.DecodeString(hash); err != nil || len(b) != sha256.Size {
		return nil //nolint:nilerr // such a name was never stored
	}
	if err := os.Remove(s.path(hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete file %s: %w", hash, err)
	}
	return nil
}

func (s *Store) path(hash string) string { return filepath.Join(s.dir, hash[:2], hash) }

// writeSynced writes a file so that it is there whole or not at all.
func writeSynced(path string, data []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	_, werr := tmp.Write(data)
	if err := errors.Join(werr, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}
