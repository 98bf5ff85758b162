// Package upload finds the symbol files that a build left behind, packs them and sends them to a server. docs/reference/symbols.md describes
// which files a server reads.
package upload

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Platforms whose files are found in folders.
const (
	Android    = "android"
	JavaScript = "javascript"
)

// MaxBuilds is how many builds an upload has, as the server has it.
const MaxBuilds = 50

// Bounds of an upload; the server has the same.
const (
	maxFiles = 200
	maxMap   = 64 << 20 // bytes of a source map
)

// File is a symbol file on disk.
type File struct {
	Path string
	Name string // within the folder that was searched, with slashes
	Size int64  // bytes
}

// ErrNone says that no symbol file was found.
var ErrNone = errors.New("no symbol file was found")

// Find returns the symbol files that paths name, sorted by name: files as they are, and of folders those that builds of the platform write:
// source maps (*.map), or mapping files (mapping.txt). Without a platform it is known by the files; it is returned.
func Find(platform string, paths []string) (string, []File, error) {
	platform = strings.ToLower(strings.TrimSpace(platform))
	var list []File
	for _, path := range paths {
		found, err := findIn(platform, path)
		if err != nil {
			return "", nil, fmt.Errorf("look for symbol files in %s: %w", path, err)
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b File) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path)) })
	list = slices.CompactFunc(list, func(a, b File) bool { return a.Path == b.Path })
	if len(list) == 0 {
		return "", nil, ErrNone
	}
	if platform == "" {
		for _, f := range list {
			is := platformOf(f.Name)
			if is == "" {
				return "", nil, fmt.Errorf("the platform of %s is not known by its name; name it with --platform", f.Path)
			}
			if platform != "" && platform != is {
				return "", nil, errors.New("there are files of several platforms; choose one with --platform")
			}
			platform = is
		}
	}
	switch {
	case len(list) > 1 && platform != JavaScript:
		return "", nil, fmt.Errorf("a build of %s has one file, but %d were found, such as %s and %s", platform, len(list), list[0].Path, list[1].Path)
	case len(list) > maxFiles:
		return "", nil, fmt.Errorf("%d files; an upload has at most %d", len(list), maxFiles)
	}
	return platform, list, nil
}

// platformOf is the platform whose builds write a file of a name; "" = it cannot be known.
func platformOf(name string) string {
	switch base := strings.ToLower(filepath.Base(name)); {
	case base == "mapping.txt", base == "mapping.txt.gz":
		return Android
	case strings.HasSuffix(base, ".map"):
		return JavaScript
	}
	return ""
}

func findIn(platform, path string) ([]File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []File{{Path: filepath.Clean(path), Name: filepath.Base(path), Size: info.Size()}}, nil
	}
	var out []File
	err = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && at != path && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		is := platformOf(d.Name())
		if !d.Type().IsRegular() || is == "" || platform != "" && is != platform || strings.HasSuffix(strings.ToLower(d.Name()), ".css.map") {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(path, at)
		if err != nil {
			return err
		}
		out = append(out, File{Path: filepath.Clean(at), Name: filepath.ToSlash(name), Size: info.Size()})
		return nil
	})
	return out, err
}

// IDs returns the ids that files name their builds by: the debug ids of source maps or of the scripts beside them, and the map id of R8. Files that cannot be read as such
// have none.
func IDs(files []File) ([]string, error) {
	var out []string
	for _, f := range files {
		id, err := idOf(f)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Path, err)
		}
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out, nil
}

func idOf(f File) (string, error) {
	r, err := os.Open(f.Path)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }() // it was only read
	switch platformOf(f.Name) {
	case JavaScript:
		if f.Size > maxMap {
			return "", nil
		}
		var m struct {
			ID  string `json:"debugId"`
			Old string `json:"debug_id"`
		}
		if err := json.NewDecoder(r).Decode(&m); err != nil {
			if _, ok := errors.AsType[*fs.PathError](err); ok {
				return "", err
			}
			return "", nil // the server says what is wrong with it
		}
		if id := cmp.Or(m.ID, m.Old); id != "" {
			return id, nil
		}
		return scriptID(strings.TrimSuffix(f.Path, ".map"))
	case Android:
		return mapID(r)
	}
	return "", nil
}

// scriptID reads the debug id in the last lines of a script, which stands beside its map; "" when there is no such script, or it has none.
func scriptID(path string) (string, error) {
	r, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }() // it was only read
	info, err := r.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	const tail = 4 << 10
	b, err := io.ReadAll(io.NewSectionReader(r, max(0, info.Size()-tail), tail))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(b)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "//# debugId="); ok {
			return strings.TrimSpace(id), nil
		}
	}
	return "", nil
}

// mapID reads the comments at the head of a mapping.
func mapID(r io.Reader) (string, error) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if !strings.HasPrefix(line, "#") {
			return "", nil
		}
		if id, ok := strings.CutPrefix(line, "# pg_map_id: "); ok {
			return strings.TrimSpace(id), nil
		}
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
	}
}
