package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"quipu/internal/api"
)

// dist holds the dashboard once `make ui` has built it, and a note until then.
//
//go:embed all:dist
var dist embed.FS

//go:embed static
var static embed.FS

// asset is a file whose name changes with its content. Text is kept compressed
// only, in both forms; brotli is nil for the few files of the pages.
type asset struct {
	plain, gzip, brotli []byte
	content             string
}

// loadAssets reads the built dashboard and the files of the pages.
func (s *Site) loadAssets() error {
	s.assets = map[string]asset{}
	var err error
	if s.style, err = s.addStatic("pages.css"); err != nil {
		return err
	}
	if s.icon, err = s.addStatic("quipu.svg"); err != nil {
		return err
	}
	return s.loadApp(dist)
}

// addStatic serves a file of static/ under a name that holds its hash.
func (s *Site) addStatic(name string) (string, error) {
	data, err := static.ReadFile("static/" + name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	p := "/assets/" + strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:5]) + ext
	zipped, err := api.Gzip(data)
	if err != nil {
		return "", fmt.Errorf("compress %s: %w", name, err)
	}
	s.assets[p] = asset{gzip: zipped, content: contentType(ext)}
	return p, nil
}

// loadApp reads the files that Vite wrote: index.html, the template of the
// shell, and assets/, in which text is stored as gzip and as brotli. Before `make ui` there
// are none, and a page says how to build them.
func (s *Site) loadApp(built fs.FS) error {
	index, err := fs.ReadFile(built, "dist/app/index.html")
	if errors.Is(err, fs.ErrNotExist) {
		s.shell, err = template.ParseFS(files, "templates/unbuilt.html")
		return err
	}
	if err != nil {
		return fmt.Errorf("read the shell: %w", err)
	}
	sum := sha256.Sum256(index)
	s.build = hex.EncodeToString(sum[:8])
	if s.shell, err = template.New("shell").Parse(string(index)); err != nil {
		return fmt.Errorf("parse the shell: %w", err)
	}
	entries, err := fs.ReadDir(built, "dist/app/assets")
	if err != nil {
		return fmt.Errorf("list assets: %w", err)
	}
	for _, e := range entries {
		data, err := fs.ReadFile(built, "dist/app/assets/"+e.Name())
		if err != nil {
			return fmt.Errorf("read asset: %w", err)
		}
		ext := path.Ext(e.Name())
		name := strings.TrimSuffix(e.Name(), ext)
		if ext != ".gz" && ext != ".br" {
			name = e.Name()
		}
		a := s.assets["/assets/"+name]
		a.content = contentType(path.Ext(name))
		switch ext {
		case ".gz":
			a.gzip = data
		case ".br":
			a.brotli = data
		default:
			a.plain = data
		}
		s.assets["/assets/"+name] = a
	}
	return nil
}

// contentType knows the types that the dashboard uses, whatever the machine's
// own table says.
func contentType(ext string) string {
	switch ext {
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	case ".woff2":
		return "font/woff2"
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

// documentHeaders lists the headers that say what a document may do. Scripts and style sheets do nothing
// by themselves, and a page loads a dozen of them: without these, 3.5 kB less.
func documentHeaders() []string {
	return []string{"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy", "Referrer-Policy", "X-Frame-Options"}
}

// inert reports whether a browser that opens the file by itself shows text and runs nothing.
func (a asset) inert() bool {
	return strings.HasPrefix(a.content, "text/javascript") || strings.HasPrefix(a.content, "text/css")
}

// asset serves a file forever: another content has another name.
func (s *Site) asset(w http.ResponseWriter, r *http.Request) error {
	a, ok := s.assets[r.URL.Path]
	if !ok {
		http.Error(w, "Not Found", http.StatusNotFound)
		return nil
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Type", a.content)
	if a.inert() {
		for _, name := range documentHeaders() {
			h.Del(name)
		}
	}
	data, encoding, err := a.form(r)
	if err != nil {
		return fmt.Errorf("unpack asset: %w", err)
	}
	if a.plain == nil {
		h.Set("Vary", "Accept-Encoding")
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // a client that left is nobody's concern
	return nil
}

// form returns the smallest form of the file that the client takes, and the name of its encoding.
func (a asset) form(r *http.Request) (data []byte, encoding string, err error) {
	switch {
	case a.plain != nil:
		return a.plain, "", nil
	case a.brotli != nil && api.Accepts(r, "br"):
		return a.brotli, "br", nil
	case api.Accepts(r, "gzip"):
		return a.gzip, "gzip", nil
	}
	data, err = unzip(a.gzip)
	return data, "", err
}

func unzip(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
