package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Check reads every file that is kept under its hash and calls damaged for
// each whose content is another. It returns how many it read.
func (s *Store) Check(ctx context.Context, damaged func(hash string)) (n int64, err error) {
	err = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		name := d.Name()
		if b, herr := hex.DecodeString(name); d.IsDir() || herr != nil || len(b) != sha256.Size || strings.ToLower(name) != name {
			return nil //nolint:nilerr // a folder, or a file that has another name than its hash
		}
		n++
		got, err := hashOf(path)
		if err == nil && got != name {
			damaged(name)
		}
		return err
	})
	if err != nil {
		return n, fmt.Errorf("check files: %w", err)
	}
	return n, nil
}

func hashOf(path string) (_ string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		_ = f.Close() // only read
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), f.Close()
}

// Unfinished reports whether a file of that name is still being written.
func Unfinished(name string) bool {
	return strings.HasSuffix(name, unfinished) || strings.HasPrefix(name, ".new-")
}
