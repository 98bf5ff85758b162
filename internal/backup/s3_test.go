package backup_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/backup"
	"quipu/internal/store/s3/s3test"
)

// store is a store with a bucket named "backups".
type store struct {
	dir string // holds the buckets
	s3  backup.S3
}

// startStore starts one.
func startStore(t *testing.T) store {
	t.Helper()
	s := s3test.Start(t, "backups")
	return store{dir: s.Dir, s3: s.Config}
}

// repositories are the kinds of places, each opened empty. That of a store is missing where its program is.
func repositories(t *testing.T) map[string]func(*testing.T) *backup.Repository {
	t.Helper()
	return map[string]func(*testing.T) *backup.Repository{
		"folder": func(t *testing.T) *backup.Repository {
			t.Helper()
			return backup.NewFolderRepository(filepath.Join(t.TempDir(), "to"))
		},
		"s3": func(t *testing.T) *backup.Repository {
			t.Helper()
			return openStore(t, startStore(t).s3, "s3://backups/a/b")
		},
	}
}

func openStore(t *testing.T, c backup.S3, target string) *backup.Repository {
	t.Helper()
	r, err := backup.NewS3Repository(target, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestS3Faults says plainly why a store does not take a backup, without its credentials, and leaves nothing that counts as one.
func TestS3Faults(t *testing.T) {
	t.Parallel()
	s := startStore(t)
	src, _ := snapshot(t)
	wrongSecret, wrongKey, gone := s.s3, s.s3, s.s3
	wrongSecret.SecretKey = "another-secret-9876543210"
	wrongKey.AccessKey = "nobody"
	gone.Endpoint = "http://127.0.0.1:1"
	for _, tt := range []struct {
		name, target, says string
		s3                 backup.S3
	}{
		{"wrong secret", "s3://backups", "does not accept the credentials (SignatureDoesNotMatch): check backup.s3.access_key and backup.s3.secret_key", wrongSecret},
		{"unknown key", "s3://backups", "does not accept the credentials (", wrongKey},
		{"unreachable", "s3://backups", "the store at http://127.0.0.1:1 cannot be reached", gone},
		{"no bucket", "s3://not-there/x", "has no bucket not-there; create it first", s.s3},
	} {
		r := openStore(t, tt.s3, tt.target)
		_, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{}))
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		} else if strings.Contains(err.Error(), tt.s3.SecretKey) || strings.Contains(err.Error(), tt.s3.AccessKey) {
			t.Errorf("%s: %v shows credentials", tt.name, err)
		}
		if _, err := r.List(t.Context()); err == nil {
			t.Errorf("%s: listed", tt.name)
		}
		if _, err := r.Restore(t.Context(), "quipu-20261101T120000Z", filepath.Join(t.TempDir(), "d")); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: restore: %v, want %q", tt.name, err, tt.says)
		}
	}
	if list, err := openStore(t, s.s3, "s3://backups").List(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("listed %v, %v", list, err)
	}
}

// TestS3BrokenOff cuts the connection in the middle of an upload, and answers of a download: neither is taken for whole.
func TestS3BrokenOff(t *testing.T) {
	t.Parallel()
	s := startStore(t)
	backend, err := url.Parse(s.s3.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var (
		puts atomic.Int64
		cut  atomic.Int64 // uploads from this one on are cut off
		half atomic.Bool  // downloads of pieces are cut off
	)
	cut.Store(1 << 60)
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(backend)
			r.Out.Host = r.In.Host // is signed
			if r.In.Method == http.MethodPut && puts.Add(1) >= cut.Load() {
				r.Out.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.In.Body, 10), brokenReader{}))
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if half.Load() && strings.Contains(r.Request.URL.Path, "/chunks/") && r.Request.Method == http.MethodGet && r.Request.URL.RawQuery == "" {
				r.Body = struct {
					io.Reader
					io.Closer
				}{io.LimitReader(r.Body, 5), r.Body}
			}
			return nil
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	t.Cleanup(proxy.Close)
	c := s.s3
	c.Endpoint = proxy.URL
	src, _ := snapshot(t)
	for n := int64(1); n <= 6; n++ { // lock, mark, three pieces, manifest
		r := openStore(t, c, fmt.Sprintf("s3://backups/%d", n))
		puts.Store(0)
		cut.Store(n)
		if _, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{})); err == nil {
			t.Fatalf("cut off at write %d, and no error", n)
		}
		cut.Store(1 << 60)
		if list, err := r.List(t.Context()); err != nil || len(list) > 0 {
			t.Errorf("cut off at write %d: listed %v, %v", n, list, err)
		}
		w, err := r.Write(t.Context(), began.Add(time.Hour), 0, snapshotOf(src, backup.Info{}))
		if err != nil {
			t.Fatal(err)
		}
		half.Store(true)
		dir := filepath.Join(t.TempDir(), "data")
		if _, err := r.Restore(t.Context(), w.Name, dir); err == nil {
			t.Error("restored from answers that were cut off")
		}
		half.Store(false)
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("something is left: %v", err)
		}
		if _, err := r.Restore(t.Context(), w.Name, dir); err != nil {
			t.Error(err)
		}
	}
}

// TestS3ObjectCutOff shortens an object in the store: the backup is damaged, and the next one writes the object once more.
func TestS3ObjectCutOff(t *testing.T) {
	t.Parallel()
	s := startStore(t)
	r := openStore(t, s.s3, "s3://backups")
	src, want := snapshot(t)
	w, err := r.Write(t.Context(), began, 0, snapshotOf(src, backup.Info{}))
	if err != nil {
		t.Fatal(err)
	}
	chunks := chunkFiles(t, filepath.Join(s.dir, "backups"))
	if len(chunks) != 3 {
		t.Fatalf("pieces: %v", chunks)
	}
	if err := os.Truncate(chunks[1], 2); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := r.Restore(t.Context(), w.Name, dir); !errors.Is(err, backup.ErrDamaged) || !strings.Contains(err.Error(), filepath.Base(chunks[1])) {
		t.Errorf("restored: %v", err)
	}
	again, err := r.Write(t.Context(), began.Add(time.Hour), 0, snapshotOf(src, backup.Info{}))
	if err != nil || again.New != 1 {
		t.Fatalf("the next backup: %+v, %v", again, err)
	}
	if _, err := r.Restore(t.Context(), again.Name, dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// brokenReader is a connection that ends.
type brokenReader struct{}

// Read implements io.Reader.
func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestS3Settings refuses what can be seen to be wrong without a store.
func TestS3Settings(t *testing.T) {
	t.Parallel()
	good := backup.S3{Endpoint: "https://s3.example.org", AccessKey: "a", SecretKey: "b"}
	if faults := good.Check(); len(faults) > 0 {
		t.Errorf("faults: %v", faults)
	}
	for key, c := range map[string]backup.S3{
		"endpoint":   {Endpoint: "s3.example.org", AccessKey: "a", SecretKey: "b"},
		"access_key": {Endpoint: "https://s3.example.org", SecretKey: "b"},
		"secret_key": {Endpoint: "https://s3.example.org", AccessKey: "a"},
		"ca_file":    {Endpoint: "https://s3.example.org", AccessKey: "a", SecretKey: "b", CAFile: "/not/there"},
	} {
		if faults := c.Check(); len(faults) != 1 || faults[0][0] != key {
			t.Errorf("%s: %v", key, faults)
		}
	}
	for _, target := range []string{"s3://", "s3://B", "s3://x", "s3://bucket/a/../b", "s3:bucket", "/bucket"} {
		if _, _, err := backup.ParseS3(target); err == nil {
			t.Errorf("%s is taken", target)
		}
	}
	if bucket, prefix, err := backup.ParseS3("s3://bucket/a/b/"); bucket != "bucket" || prefix != "a/b" || err != nil {
		t.Errorf("got %q %q %v", bucket, prefix, err)
	}
}
