package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"
)

// What a repository consists of, see docs/format/backup.md.
const (
	repositoryFile = "repository.json"
	chunksDir      = "chunks"
	backupsDir     = "backups"
	locksDir       = "locks"
)

// repositoryFormat is the version of repositories.
const repositoryFormat = 1

// chunkSize is how long the pieces are that files are cut into, bytes. The event store's file changes by blocks of 256 KiB and the
// documents' by pages, in place, so pieces at fixed offsets find what stayed the same.
const chunkSize = 1 << 20

// inFlight is how many chunks are written or read at a time.
const inFlight = 4

// NameFormat is the form of the names of backups in a repository, a time in UTC.
const NameFormat = "quipu-20060102T150405Z"

var repositoryBackup = regexp.MustCompile(`^quipu-\d{8}T\d{6}Z$`)

// ErrNoBackup says that a repository has no backup of a name, or none at all.
var ErrNoBackup = errors.New("no such backup")

// Repository keeps incremental backups: pieces of files under their hashes, each only once, and for each backup a list of the pieces of
// each file. Every backup can be restored by itself.
type Repository struct {
	place place
}

// NewFolderRepository returns the repository in a folder, which the first backup makes.
func NewFolderRepository(dir string) *Repository { return &Repository{newFolderPlace(dir)} }

// NewS3Repository returns the repository at s3://BUCKET/PREFIX. The store is not asked yet.
func NewS3Repository(target string, c S3) (*Repository, error) {
	p, err := newS3Place(target, c)
	if err != nil {
		return nil, err
	}
	return &Repository{p}, nil
}

// IsRepository reports whether a folder is a repository.
func IsRepository(dir string) bool {
	st, err := os.Stat(filepath.Join(dir, repositoryFile))
	return err == nil && st.Mode().IsRegular()
}

// String says where the repository is, without credentials.
func (r *Repository) String() string { return r.place.String() }

// repositoryMark is the content of repositoryFile.
type repositoryMark struct {
	Format int `json:"format"`
}

// stored is the manifest of a backup in a repository.
type stored struct {
	Format int `json:"format"`
	Info
	ChunkSize int64        `json:"chunk_size"`
	Files     []storedFile `json:"files"`
}

// storedFile is a file with the names of its pieces in order.
type storedFile struct {
	File
	Chunks []string `json:"chunks"`
}

func (s *stored) manifest() *Manifest {
	m := &Manifest{Format: formatVersion, Info: s.Info}
	for _, f := range s.Files {
		m.Files = append(m.Files, f.File)
	}
	return m
}

// Written is what a backup in a repository came to.
type Written struct {
	Name string
	*Manifest
	Chunks  int   // of all files
	New     int   // of them written now
	Bytes   int64 // written now, packed
	Removed int   // older backups that are no longer kept
}

// chunkName names a piece by the hash of its content and by its packed length, so that an object that was cut off shows.
func chunkName(hash string, packed int) string { return hash + "-" + strconv.Itoa(packed) }

var chunkForm = regexp.MustCompile(`^[0-9a-f]{64}-\d{1,10}$`)

// splitChunk is the opposite of chunkName.
func splitChunk(name string) (hash string, packed int64, err error) {
	if !chunkForm.MatchString(name) {
		return "", 0, fmt.Errorf("%w: %q names no chunk", ErrDamaged, name)
	}
	hash, digits, _ := strings.Cut(name, "-")
	packed, err = strconv.ParseInt(digits, 10, 64)
	return hash, packed, err
}

// chunkObject is the name of the object that holds a piece.
func chunkObject(name string) string { return chunksDir + "/" + name[:2] + "/" + name }

// open checks that the place holds a repository that this version reads.
func (r *Repository) open(ctx context.Context) error {
	text, err := r.place.get(ctx, repositoryFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is not a backup repository", ErrNoBackup, r)
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", r, err)
	}
	var mark repositoryMark
	if err := json.Unmarshal(text, &mark); err != nil || mark.Format < 1 {
		return fmt.Errorf("%w: %s of %s", ErrDamaged, repositoryFile, r)
	}
	if mark.Format > repositoryFormat {
		return fmt.Errorf("the repository %s has format %d, this version supports up to %d: it was written by a newer version", r, mark.Format, repositoryFormat)
	}
	return nil
}

// List returns the names of the backups, the oldest first. A place that holds no repository yet has none.
func (r *Repository) List(ctx context.Context) (names []string, err error) {
	err = r.open(ctx)
	if errors.Is(err, ErrNoBackup) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for o, err := range r.place.list(ctx, backupsDir) {
		if err != nil {
			return nil, fmt.Errorf("list backups in %s: %w", r, err)
		}
		name, ok := strings.CutSuffix(strings.TrimPrefix(o.name, backupsDir+"/"), ".json")
		if ok && repositoryBackup.MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Newest returns the name of the newest backup; the error wraps ErrNoBackup when there is none.
func (r *Repository) Newest(ctx context.Context) (string, error) {
	names, err := r.List(ctx)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%w: %s holds none", ErrNoBackup, r)
	}
	return names[len(names)-1], nil
}

// Write adds a snapshot as the backup of a time. Nothing counts as a backup before all of it is stored, and what a backup that broke off
// has left serves the next one. With keep > 0 the oldest backups beyond so many go, with the pieces that no other needs; later ones than
// this, by a clock that went wrong, stay. Only one process writes to a repository at a time.
func (r *Repository) Write(ctx context.Context, at time.Time, keep int, snapshot func(context.Context) (dir string, info Info, err error)) (w *Written, err error) {
	if p, ok := r.place.(*folderPlace); ok {
		if err := Foreign(p.path(repositoryFile)); err != nil {
			return nil, err
		}
	}
	held, release, err := r.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("write backup to %s: %w", r, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	if w, err = r.write(ctx, at, snapshot, held); err != nil {
		return nil, fmt.Errorf("write backup to %s: %w", r, err)
	}
	if keep > 0 {
		if w.Removed, err = r.prune(ctx, w.Name, keep); err != nil {
			return w, fmt.Errorf("backup %s is written, but older ones are not removed from %s: %w", w.Name, r, err)
		}
	}
	return w, nil
}

func (r *Repository) write(ctx context.Context, at time.Time, snapshot func(context.Context) (string, Info, error), held func(context.Context) error) (*Written, error) {
	err := r.open(ctx)
	if errors.Is(err, ErrNoBackup) {
		err = r.putJSON(ctx, repositoryFile, repositoryMark{Format: repositoryFormat})
	}
	if err != nil {
		return nil, err
	}
	if p, ok := r.place.(*folderPlace); ok {
		if err := p.dropUnfinished(at); err != nil {
			return nil, err
		}
	}
	name := at.UTC().Format(NameFormat)
	names, err := r.List(ctx)
	if err != nil {
		return nil, err
	}
	if slices.Contains(names, name) {
		return nil, fmt.Errorf("there is a backup %s already", name)
	}
	have, err := r.chunks(ctx)
	if err != nil {
		return nil, err
	}
	dir, info, err := snapshot(ctx)
	if err != nil {
		return nil, err
	}
	u, err := newUpload(r.place, have)
	if err != nil {
		return nil, err
	}
	s, err := u.files(ctx, dir, info)
	if err != nil {
		return nil, err
	}
	if err := held(ctx); err != nil { // others may have removed pieces that this one counts on
		return nil, err
	}
	if err := r.putJSON(ctx, backupsDir+"/"+name+".json", s); err != nil {
		return nil, err
	}
	return &Written{Name: name, Manifest: s.manifest(), Chunks: u.all, New: u.fresh, Bytes: u.bytes}, nil
}

// chunks maps the hashes of the pieces that are stored whole to their names.
func (r *Repository) chunks(ctx context.Context) (map[string]string, error) {
	have := map[string]string{}
	for o, err := range r.place.list(ctx, chunksDir) {
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", chunksDir, err)
		}
		name := o.name[strings.LastIndexByte(o.name, '/')+1:]
		if hash, packed, err := splitChunk(name); err == nil && packed == o.size && o.name == chunkObject(name) {
			have[hash] = name
		}
	}
	return have, nil
}

func (r *Repository) putJSON(ctx context.Context, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return r.place.put(ctx, name, text)
}

// manifest reads the manifest of a backup.
func (r *Repository) manifest(ctx context.Context, name string) (*stored, error) {
	text, err := r.place.get(ctx, backupsDir+"/"+name+".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s in %s", ErrNoBackup, name, r)
	}
	if err != nil {
		return nil, err
	}
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%w: manifest of %s: %w", ErrDamaged, name, err)
	}
	if s.Format > repositoryFormat {
		return nil, fmt.Errorf("backup %s has format %d, this version supports up to %d", name, s.Format, repositoryFormat)
	}
	for _, f := range s.Files {
		if s.ChunkSize <= 0 || f.Size < 0 || int64(len(f.Chunks)) != (f.Size+s.ChunkSize-1)/s.ChunkSize {
			return nil, fmt.Errorf("%w: manifest of %s: file %s", ErrDamaged, name, f.Name)
		}
		for _, c := range f.Chunks {
			if _, _, err := splitChunk(c); err != nil {
				return nil, fmt.Errorf("manifest of %s: %w", name, err)
			}
		}
	}
	return &s, nil
}

// prune removes the oldest backups up to one, so that keep of them stay, and then what no backup needs. It returns how many went.
func (r *Repository) prune(ctx context.Context, newest string, keep int) (removed int, err error) {
	names, err := r.List(ctx)
	if err != nil {
		return 0, err
	}
	i, found := slices.BinarySearch(names, newest)
	if !found { // as when a disk has gone, or a store lists what was there before: by such a list everything could go
		return 0, fmt.Errorf("%w: the list of backups lacks %s, which was just written", ErrNoBackup, newest)
	}
	for _, name := range names[:max(0, min(i+1, len(names))-keep)] {
		if err := r.place.remove(ctx, backupsDir+"/"+name+".json"); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, r.sweep(ctx, names[removed:])
}

// sweep removes the pieces that none of the backups needs. If one of these cannot be read, nothing goes.
func (r *Repository) sweep(ctx context.Context, names []string) error {
	needed := map[string]bool{}
	for _, name := range names {
		s, err := r.manifest(ctx, name)
		if err != nil {
			return err
		}
		for _, f := range s.Files {
			for _, c := range f.Chunks {
				needed[chunkObject(c)] = true
			}
		}
	}
	var idle []string
	for o, err := range r.place.list(ctx, chunksDir) {
		if err != nil {
			return err
		}
		if !needed[o.name] {
			idle = append(idle, o.name)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	for _, name := range idle {
		g.Go(func() error { return r.place.remove(ctx, name) })
	}
	return g.Wait()
}

// Restore writes a backup of the repository into a folder as the function Restore does.
func (r *Repository) Restore(ctx context.Context, name, dir string) (*Manifest, error) {
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	return restoreInto(dir, r.String()+" "+name, func(out sink) (*Manifest, error) { return r.restore(ctx, name, out) })
}

func (r *Repository) restore(ctx context.Context, name string, out sink) (*Manifest, error) {
	s, err := r.manifest(ctx, name)
	if err != nil {
		return nil, err
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(inFlight), zstd.WithDecoderMaxMemory(uint64(max(s.ChunkSize, 1)))) // positive
	if err != nil {
		return nil, err
	}
	defer unpack.Close()
	var size int64
	for _, f := range s.Files {
		size += f.Size
	}
	if err := roomFor(ctx, out, size); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range s.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) || f.Name == ManifestName || f.Name == partName || seen[f.Name] {
			return nil, fmt.Errorf("%w: file %q cannot be restored", ErrDamaged, f.Name)
		}
		seen[f.Name] = true
		h := sha256.New()
		ctx, cancel := context.WithCancel(ctx)
		in := &download{ctx: ctx, place: r.place, unpack: unpack, file: f, chunkSize: s.ChunkSize}
		err := out.put(f.Name, f.Size, io.TeeReader(in, h))
		cancel()
		in.drain() // they use the decoder, which is closed soon
		if err != nil {
			return nil, err
		}
		if hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
			return nil, fmt.Errorf("%w: file %s", ErrDamaged, f.Name)
		}
	}
	return s.manifest(), nil
}

// upload stores the pieces of files.
type upload struct {
	place place
	pack  *zstd.Encoder
	have  map[string]string // of what was there before: hash to name
	slots chan []byte

	all, fresh int
	bytes      int64
}

func newUpload(p place, have map[string]string) (*upload, error) {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(inFlight))
	if err != nil {
		return nil, err
	}
	u := &upload{place: p, pack: pack, have: have, slots: make(chan []byte, inFlight)}
	for range inFlight {
		u.slots <- make([]byte, chunkSize)
	}
	return u, nil
}

// pending is a piece whose name is known once it is packed.
type pending struct {
	hash   string
	packed int
}

// files stores the files of a folder, and returns their manifest.
func (u *upload) files(ctx context.Context, dir string, info Info) (*stored, error) {
	names, err := sortedNames(dir)
	if err != nil {
		return nil, err
	}
	s := &stored{Format: repositoryFormat, Info: info, ChunkSize: chunkSize}
	g, gctx := errgroup.WithContext(ctx)
	fresh := map[string]*pending{} // by hash, of this upload
	chunks := make([][]string, len(names))
	for i, name := range names {
		var f File
		if f, chunks[i], err = u.file(gctx, g, filepath.Join(dir, filepath.FromSlash(name)), name, fresh); err != nil {
			break
		}
		s.Files = append(s.Files, storedFile{File: f})
	}
	// A write that failed has ended the reading, whose fault then is only that.
	if gerr := g.Wait(); gerr != nil {
		return nil, gerr
	}
	if err != nil {
		return nil, err
	}
	for i := range s.Files {
		for k, hash := range chunks[i] {
			if p := fresh[hash]; p != nil {
				chunks[i][k] = chunkName(hash, p.packed)
			} else {
				chunks[i][k] = u.have[hash]
			}
		}
		s.Files[i].Chunks = chunks[i]
	}
	for _, p := range fresh {
		u.fresh++
		u.bytes += int64(p.packed)
	}
	return s, nil
}

// file stores the pieces of a file that are not there, and returns the hashes of all.
func (u *upload) file(ctx context.Context, g *errgroup.Group, path, name string, fresh map[string]*pending) (out File, hashes []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return out, nil, err
	}
	defer func() { _ = f.Close() }() // only read
	whole := sha256.New()
	for {
		var buf []byte
		select {
		case <-ctx.Done():
			return out, nil, ctx.Err()
		case buf = <-u.slots:
		}
		n, err := io.ReadFull(f, buf)
		if n == 0 {
			u.slots <- buf
			if errors.Is(err, io.EOF) {
				break
			}
			return out, nil, err
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			u.slots <- buf
			return out, nil, err
		}
		out.Size += int64(n)
		_, _ = whole.Write(buf[:n]) // never fails
		sum := sha256.Sum256(buf[:n])
		hash := hex.EncodeToString(sum[:])
		hashes = append(hashes, hash)
		u.all++
		if u.have[hash] != "" || fresh[hash] != nil {
			u.slots <- buf
			continue
		}
		p := &pending{hash: hash}
		fresh[hash] = p
		g.Go(func() error {
			defer func() { u.slots <- buf }()
			packed := u.pack.EncodeAll(buf[:n], nil)
			p.packed = len(packed)
			return u.place.put(ctx, chunkObject(chunkName(hash, p.packed)), packed)
		})
	}
	out.Name, out.SHA256 = name, hex.EncodeToString(whole.Sum(nil))
	return out, hashes, nil
}

// download reads a file piece by piece, some of them ahead.
type download struct {
	ctx       context.Context // of the restore that reads
	place     place
	unpack    *zstd.Decoder
	file      storedFile
	chunkSize int64

	asked int // pieces that are under way or read
	ahead []chan piece
	rest  bytes.Reader
}

// piece is the content of a chunk, or why it cannot be had.
type piece struct {
	content []byte
	err     error
}

// Read implements io.Reader.
func (d *download) Read(p []byte) (int, error) {
	for d.rest.Len() == 0 {
		for len(d.ahead) < inFlight && d.asked < len(d.file.Chunks) {
			got := make(chan piece, 1)
			i := d.asked
			go func() { // ends by itself: got takes one
				content, err := d.chunk(i)
				got <- piece{content, err}
			}()
			d.ahead = append(d.ahead, got)
			d.asked++
		}
		if len(d.ahead) == 0 {
			return 0, io.EOF
		}
		next := <-d.ahead[0]
		d.ahead = d.ahead[1:]
		if next.err != nil {
			return 0, next.err
		}
		d.rest.Reset(next.content)
	}
	return d.rest.Read(p)
}

// drain waits for the pieces that are under way.
func (d *download) drain() {
	for _, got := range d.ahead {
		<-got
	}
	d.ahead = nil
}

// chunk reads a piece and compares it with its name.
func (d *download) chunk(i int) ([]byte, error) {
	name := d.file.Chunks[i]
	bad := func(what string) error {
		return fmt.Errorf("%w: file %s: %s is %s; remove this object, so that the next backup writes it again if the data still has it", ErrDamaged, d.file.Name, chunkObject(name), what)
	}
	hash, length, err := splitChunk(name)
	if err != nil {
		return nil, err
	}
	packed, err := d.place.get(d.ctx, chunkObject(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, bad("missing")
	}
	if err != nil {
		return nil, err
	}
	if int64(len(packed)) != length {
		return nil, bad("cut off")
	}
	content, err := d.unpack.DecodeAll(packed, nil)
	if err != nil {
		return nil, bad("damaged")
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != hash {
		return nil, bad("damaged")
	}
	return content, nil
}
