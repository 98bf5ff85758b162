package s3_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/store/files"
	"quipu/internal/store/files/filestest"
	"quipu/internal/store/files/s3"
	objects "quipu/internal/store/s3"
	"quipu/internal/store/s3/s3test"
)

const bucket = "files"

// options are those of an engine in the bucket of a store.
func options(t *testing.T, c objects.Config) s3.Options {
	t.Helper()
	return s3.Options{Options: objects.Options{Config: c, Bucket: bucket, Prefix: "a/b", Settings: "files.s3", Tries: 2}, Dir: t.TempDir(), Patience: 10 * time.Second}
}

func open(t *testing.T, o s3.Options) *s3.Engine {
	t.Helper()
	e, err := s3.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSuite(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t, bucket)
	var n atomic.Int64
	filestest.Run(t, func(t *testing.T) filestest.World {
		t.Helper()
		o := options(t, server.Config)
		o.Prefix = fmt.Sprint("world/", n.Add(1))
		return filestest.World{Engine: open(t, o), Age: func(t *testing.T, name string, by time.Duration) {
			t.Helper()
			path := filepath.Join(server.Dir, bucket, o.Prefix, name)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Time{}, info.ModTime().Add(-by)); err != nil {
				t.Fatal(err)
			}
		}}
	})
}

// policy lets a user do things in the bucket.
func policy(t *testing.T, server *s3test.Server, user string, actions ...string) {
	t.Helper()
	text := fmt.Sprintf(`{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": [%q]}, "Action": ["s3:%s"], "Resource": ["arn:aws:s3:::%s", "arn:aws:s3:::%s/*"]}]}`,
		user, strings.Join(actions, `", "s3:`), bucket, bucket)
	server.Policy(t, bucket, text)
}

// TestStart says plainly why a store cannot be used, without its credentials.
func TestStart(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t, bucket)
	if _, err := s3.Open(t.Context(), options(t, server.Config)); err != nil {
		t.Fatal(err)
	}
	wrongSecret, wrongKey, gone, noBucket, silent := options(t, server.Config), options(t, server.Config), options(t, server.Config), options(t, server.Config), options(t, server.Config)
	wrongSecret.SecretKey = "another-secret-9876543210"
	wrongKey.AccessKey = "nobody"
	gone.Endpoint = "http://127.0.0.1:1"
	noBucket.Bucket = "not-there"
	silent.Endpoint, silent.Patience = s3test.Silent(t), 300*time.Millisecond
	stranger, reader := options(t, server.User(t, "stranger")), options(t, server.User(t, "reader"))
	policy(t, server, "reader", "ListBucket", "GetObject")
	for name, c := range map[string]struct {
		o    s3.Options
		says string
	}{
		"wrong secret":      {wrongSecret, "does not accept the credentials (SignatureDoesNotMatch): check files.s3.access_key and files.s3.secret_key"},
		"unknown key":       {wrongKey, "does not accept the credentials ("},
		"unreachable":       {gone, "the store at http://127.0.0.1:1 cannot be reached"},
		"no bucket":         {noBucket, "has no bucket not-there; create it first"},
		"no rights":         {stranger, "list objects: the store at " + server.Endpoint + " denies access to bucket files"},
		"no right to write": {reader, "write an object: the store at " + server.Endpoint + " denies access to bucket files"},
		"no answer":         {silent, "the store at " + silent.Endpoint},
	} {
		began := time.Now()
		_, err := s3.Open(t.Context(), c.o)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
			continue
		}
		if strings.Contains(err.Error(), c.o.SecretKey) || strings.Contains(err.Error(), c.o.AccessKey) && c.o.AccessKey != "reader" {
			t.Errorf("%s: %v shows credentials", name, err)
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
	left, err := filepath.Glob(filepath.Join(server.Dir, bucket, "a/b/probe/*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestSilent has a store that takes requests and does not answer: all that can be asked ends in time, with a fault.
func TestSilent(t *testing.T) {
	t.Parallel()
	o := options(t, objects.Config{Endpoint: s3test.Silent(t), Region: "us-east-1", AccessKey: "a", SecretKey: "b"})
	o.Patience = 300 * time.Millisecond
	e := open(t, o)
	s := files.New(e, files.Options{Shared: true})
	f := s.Folder("symbols")
	hash := strings.Repeat("ab", 32)
	for name, ask := range map[string]func() error{
		"put": func() error {
			_, err := s.Put(t.Context(), filestest.Picture(t), 1000, files.Images())
			return err
		},
		"get":        func() error { _, err := s.Get(t.Context(), hash); return err },
		"delete":     func() error { return s.Delete(t.Context(), hash) },
		"delete old": func() error { return s.DeleteOld(t.Context(), hash, time.Hour) },
		"old":        func() error { _, err := s.Old(t.Context(), time.Hour, 10); return err },
		"check":      func() error { _, err := s.Check(t.Context(), func(string) {}); return err },
		"open":       func() error { _, err := f.Open(t.Context(), "x"); return err },
		"remove":     func() error { return f.Remove(t.Context(), "x") },
		"remove all": func() error { return f.RemoveAll(t.Context(), "x") },
		"sweep":      func() error { return f.Sweep(t.Context(), func(string) bool { return false }) },
		"unfinished": func() error { return f.RemoveUnfinished(t.Context(), time.Now()) },
		"commit": func() error {
			w, err := f.Create("x")
			if err != nil {
				return err
			}
			return w.Commit(t.Context())
		},
	} {
		began := time.Now()
		err := ask()
		if code := fault.CodeOf(err); code != "files.unavailable" {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
		t.Errorf("left on disk: %v, %v", left, err)
	}
}

// write writes a file of a folder.
func write(t *testing.T, f *files.Folder, name string, content []byte) error {
	t.Helper()
	w, err := f.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	return w.Commit(t.Context())
}

func read(t *testing.T, f *files.Folder, name string) (string, error) {
	t.Helper()
	file, err := f.Open(t.Context(), name)
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(file)
	return string(content), errors.Join(err, file.Close())
}

// TestCutOff cuts uploads of small and large files at each of their requests: nothing is there to be read, what was there before stays, and what is left in the store is removed.
func TestCutOff(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t, bucket)
	proxy := server.Proxy(t)
	var mu sync.Mutex
	requests, cut := 0, -1
	proxy.Pass = func(r *http.Request) (io.ReadCloser, bool) {
		if r.Method != http.MethodPut && r.Method != http.MethodPost {
			return r.Body, true
		}
		mu.Lock()
		defer mu.Unlock()
		requests++
		if cut >= 0 && requests > cut { // all later ones, too
			return io.NopCloser(io.MultiReader(io.LimitReader(r.Body, 10), brokenReader{})), r.ContentLength > 10
		}
		return r.Body, true
	}
	count := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		had := requests
		requests, cut = 0, n
		return had
	}
	e := open(t, options(t, proxy.Config))
	f := files.New(e, files.Options{}).Folder("symbols")
	for _, size := range []int{100, 40 << 20} {
		count(-1)
		if err := write(t, f, "whole", make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		all := count(-1)
		if err := write(t, f, "x", []byte("before")); err != nil {
			t.Fatal(err)
		}
		for n := range all {
			count(n)
			if err := write(t, f, "x", make([]byte, size)); fault.CodeOf(err) != "files.unavailable" {
				t.Errorf("%d bytes, cut off at request %d of %d: %v", size, n, all, err)
			}
			if err := write(t, f, "y", make([]byte, size)); fault.CodeOf(err) != "files.unavailable" {
				t.Errorf("%d bytes, cut off at request %d of %d: %v", size, n, all, err)
			}
			count(-1)
			if got, err := read(t, f, "x"); got != "before" || err != nil {
				t.Errorf("%d bytes, cut off at request %d: %d bytes are there, %v", size, n, len(got), err)
			}
			if _, err := read(t, f, "y"); !errors.Is(err, files.ErrNotFound) {
				t.Errorf("%d bytes, cut off at request %d: %v", size, n, err)
			}
		}
		if err := f.RemoveUnfinished(t.Context(), time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
}

type brokenReader struct{}

// Read implements io.Reader.
func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestGoesAway stops a store between writing and reading: what is on the local disk is not answered, as it might have been deleted.
func TestGoesAway(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t, bucket)
	proxy := server.Proxy(t)
	var away atomic.Bool
	proxy.Pass = func(r *http.Request) (io.ReadCloser, bool) { return r.Body, !away.Load() }
	f := files.New(open(t, options(t, proxy.Config)), files.Options{}).Folder("symbols")
	if err := write(t, f, "x", []byte("text")); err != nil {
		t.Fatal(err)
	}
	away.Store(true)
	if _, err := read(t, f, "x"); fault.CodeOf(err) != "files.unavailable" {
		t.Errorf("read: %v", err)
	}
	away.Store(false)
	if got, err := read(t, f, "x"); got != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTwoNodes has one node see at once what the other does.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t, bucket)
	one := files.New(open(t, options(t, server.Config)), files.Options{Shared: true}).Folder("symbols")
	two := files.New(open(t, options(t, server.Config)), files.Options{Shared: true}).Folder("symbols")
	for _, text := range []string{"first", "other", "last"} {
		if err := write(t, one, "x", []byte(text)); err != nil {
			t.Fatal(err)
		}
		for _, f := range []*files.Folder{one, two, two} {
			if got, err := read(t, f, "x"); got != text || err != nil {
				t.Errorf("%q, %v, want %q", got, err, text)
			}
		}
	}
	if err := two.Remove(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, one, "x"); !errors.Is(err, files.ErrNotFound) {
		t.Errorf("removed by the other node: %v", err)
	}
}

// TestDamaged changes an object behind the back of its writer, and then what is on the local disk.
func TestDamaged(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t, bucket)
	o := options(t, server.Config)
	f, other := files.New(open(t, o), files.Options{}).Folder("symbols"), files.New(open(t, options(t, server.Config)), files.Options{}).Folder("symbols")
	if err := write(t, f, "x", []byte("content")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(server.Dir, bucket, "a/b/symbols/x")
	if err := os.WriteFile(path, []byte("CONTENT"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, other, "x"); fault.CodeOf(err) != "files.unavailable" || !strings.Contains(err.Error(), "its hash is not the one it was written with") {
		t.Errorf("a damaged object: %v", err)
	}
	if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(o.Dir, "kept-*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	for _, hurt := range []func() error{func() error { return os.Truncate(kept[0], 2) }, func() error { return os.Remove(kept[0]) }} {
		if err := hurt(); err != nil {
			t.Fatal(err)
		}
		if got, err := read(t, f, "x"); got != "content" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// TestCache bounds what stays on the local disk, brings what several readers want once, and is empty after a start.
func TestCache(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t, bucket)
	proxy := server.Proxy(t)
	var brought atomic.Int64
	proxy.Pass = func(r *http.Request) (io.ReadCloser, bool) {
		if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/symbols/") {
			brought.Add(1)
		}
		return r.Body, true
	}
	o := options(t, proxy.Config)
	o.CacheBytes = 2500
	f := files.New(open(t, o), files.Options{}).Folder("symbols")
	onDisk := func() (n int, size int64) {
		t.Helper()
		list, err := os.ReadDir(o.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			n, size = n+1, size+info.Size()
		}
		return n, size
	}
	for i := range 5 {
		if err := write(t, f, fmt.Sprint(i), bytes.Repeat([]byte{byte('0' + i)}, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	if n, size := onDisk(); n != 2 || size != 2000 {
		t.Errorf("%d files with %d bytes", n, size)
	}
	for _, c := range []struct {
		name string
		want int64
	}{{"4", 0}, {"3", 0}, {"0", 1}, {"3", 0}, {"4", 1}} {
		brought.Store(0)
		if got, err := read(t, f, c.name); got != strings.Repeat(c.name, 1000) || err != nil {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
		if got := brought.Load(); got != c.want {
			t.Errorf("%s: brought %d times, want %d", c.name, got, c.want)
		}
	}
	brought.Store(0)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if got, err := read(t, f, "1"); got != strings.Repeat("1", 1000) || err != nil {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	group.Wait()
	if got := brought.Load(); got != 1 {
		t.Errorf("eight readers: brought %d times", got)
	}
	if err := write(t, f, "large", make([]byte, 10_000)); err != nil { // is not kept
		t.Fatal(err)
	}
	if got, err := read(t, f, "large"); len(got) != 10_000 || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if n, size := onDisk(); n != 2 || size != 2000 {
		t.Errorf("%d files with %d bytes", n, size)
	}
	if err := os.WriteFile(filepath.Join(o.Dir, "kept-x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, o)
	if n, _ := onDisk(); n != 0 {
		t.Errorf("%d files after a start", n)
	}
}
