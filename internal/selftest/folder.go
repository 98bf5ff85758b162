package selftest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// listFiles returns the files of a data folder that hold something, as paths
// within it.
func listFiles(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "LOCK" || strings.Contains(path, ".duckdb.tmp") {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out = append(out, rel)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list data folder: %w", err)
	}
	return out, nil
}

// copyFolder copies the files of a data folder. A length that is given for a
// file cuts the copy there.
func copyFolder(from, to string, lengths map[string]int64) error {
	list, err := listFiles(from)
	if err != nil {
		return err
	}
	for _, name := range list {
		most, cut := lengths[name]
		if !cut {
			most = 1 << 62
		}
		if err := copyFile(filepath.Join(from, name), filepath.Join(to, name), most); err != nil {
			return fmt.Errorf("copy data folder: %w", err)
		}
	}
	return nil
}

func copyFile(from, to string, most int64) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return errors.Join(err, src.Close())
	}
	_, err = io.Copy(dst, io.LimitReader(src, most))
	return errors.Join(err, src.Close(), dst.Close())
}
