package symbolication

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/files"
)

// Bounds of what an upload unpacks to; Config.MaxFileBytes bounds its bytes.
const (
	maxEntries = 200      // files of an archive
	maxName    = 200      // bytes of a file's name
	maxMap     = 64 << 20 // bytes of a source map
)

// Platforms whose symbols are read.
const (
	javascript = "javascript"
	android    = "android"
)

// extensions are those of files that are taken for a platform.
func extensions(platform string) []string {
	if platform == javascript {
		return []string{".gz", ".map", ".txt", ".zip"}
	}
	return []string{".gz", ".json", ".map", ".txt", ".zip"}
}

// nameOf is the name of a file without the folders that it was sent with.
func nameOf(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '"' || r == 0xfffd {
			return -1
		}
		return r
	}, name)
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[len(name)-maxName:], "")
	}
	return name
}

// keeper writes the files of one upload.
type keeper struct {
	folder   *files.Folder
	app      model.AppID
	platform string
	left     int64 // bytes that may still be written
	unpacked int64 // bytes that one file may unpack to
	uploads  []upload
	parts    []part
}

// ids are the files that were written.
func (k *keeper) ids() map[string]int64 { return symbol{Uploads: k.uploads, Parts: k.parts}.stored() }

// keep writes a file as it came, and what it holds if it is packed.
func (k *keeper) keep(ctx context.Context, f params.File) (err error) {
	name := nameOf(f.Name)
	if sp, ok := f.Spooled.(*spooled); ok {
		return k.keepSpooled(ctx, name, sp)
	}
	id, size, err := k.write(ctx, bytes.NewReader(f.Data), k.left)
	if err != nil {
		return err
	}
	return k.unpack(ctx, upload{ID: id, Name: name, Size: size}, bytes.NewReader(f.Data))
}

// keepSpooled keeps a file that stands on disk already.
func (k *keeper) keepSpooled(ctx context.Context, name string, sp *spooled) error {
	if sp.of.app != k.app {
		return errApp
	}
	if sp.size > k.left {
		return errQuota
	}
	if err := sp.commit(ctx); err != nil {
		return err
	}
	k.left -= sp.size
	up := upload{ID: sp.id, Name: name, Size: sp.size}
	r, err := k.folder.Open(ctx, file(k.app, sp.id))
	if err != nil {
		k.uploads = append(k.uploads, up) // to be deleted
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	return k.unpack(ctx, up, r)
}

// unpack takes an upload in, which r reads, and writes what it holds if it is packed.
func (k *keeper) unpack(ctx context.Context, up upload, r io.ReaderAt) error {
	k.uploads = append(k.uploads, up)
	var magic [4]byte
	n, _ := r.ReadAt(magic[:], 0) // a file may be shorter
	switch ext := strings.ToLower(path.Ext(up.Name)); {
	case ext == ".zip" || bytes.HasPrefix(magic[:n], []byte("PK\x03\x04")):
		return k.zip(ctx, r, up.Size)
	case ext == ".gz" || bytes.HasPrefix(magic[:n], []byte("\x1f\x8b")):
		from, err := gzip.NewReader(io.NewSectionReader(r, 0, up.Size))
		if err != nil {
			return packed("not a gzip file")
		}
		return k.part(ctx, strings.TrimSuffix(up.Name, path.Ext(up.Name)), from)
	}
	k.parts = append(k.parts, part{File: up.ID, Name: up.Name, Size: up.Size, From: up.ID})
	return nil
}

// zip unpacks the files of an archive that may be symbols.
func (k *keeper) zip(ctx context.Context, data io.ReaderAt, size int64) error {
	z, err := zip.NewReader(data, size)
	if err != nil {
		return packed("not a zip file")
	}
	if len(z.File) > 20*maxEntries {
		return packed("too many files")
	}
	wanted := map[string][]string{javascript: {".map"}, android: {".txt", ".map"}}[k.platform]
	native := k.platform != javascript
	n := 0
	for _, entry := range z.File {
		name := nameOf(entry.Name)
		named := strings.EqualFold(path.Ext(name), ".json")
		if !entry.Mode().IsRegular() || !native && !slices.Contains(wanted, strings.ToLower(path.Ext(name))) {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			return packed(name)
		}
		in := bufio.NewReader(r)
		if head, _ := in.Peek(headBytes); slices.Contains(wanted, strings.ToLower(path.Ext(name))) || native && (nativeFile(head) || named && formOf(head) != "") {
			if n++; n > maxEntries {
				err = packed("too many files")
			} else {
				err = k.part(ctx, name, in)
			}
		}
		_ = r.Close() // part has read what there is
		if err != nil {
			return err
		}
	}
	return nil
}

// part writes a file that was packed. What the archive says of its size does not count.
func (k *keeper) part(ctx context.Context, name string, r io.Reader) error {
	id, size, err := k.write(ctx, r, min(k.left, k.unpacked))
	if err != nil {
		return err
	}
	k.unpacked -= size
	k.parts = append(k.parts, part{File: id, Name: name, Size: size, From: k.uploads[len(k.uploads)-1].ID})
	return nil
}

// write writes a file of at most so many bytes.
func (k *keeper) write(ctx context.Context, r io.Reader, most int64) (id string, size int64, err error) {
	id = model.NewID().String()
	w, err := k.folder.Create(file(k.app, id))
	if err != nil {
		return "", 0, err
	}
	if size, err = io.Copy(w, io.LimitReader(&unpacking{r}, most+1)); err == nil && size > most {
		err = errUnpacked
		if most == k.left {
			err = errQuota
		}
	}
	if err != nil {
		return "", 0, errors.Join(err, w.Abort())
	}
	if err := w.Commit(ctx); err != nil {
		return "", 0, err
	}
	k.left -= size
	return id, size, nil
}

// unpacking makes faults of what cannot be unpacked.
type unpacking struct{ r io.Reader }

// Read implements io.Reader.
func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = packed("damaged")
	}
	return n, err
}
