// Package s3test starts an S3-compatible store for tests: a Versity S3 gateway, whose buckets are folders. make go-test makes the program.
package s3test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"quipu/internal/store/s3"
	"quipu/internal/testkit/need"
)

// The credentials of the owner of the stores of tests.
const (
	AccessKey = "test-access"
	SecretKey = "test-secret-0123456789"
)

// Server is a store of one test.
type Server struct {
	s3.Config        // of its owner
	Dir       string // holds the buckets
	program   string
}

// Start starts a store with buckets. It ends with the test.
func Start(tb testing.TB, buckets ...string) *Server {
	tb.Helper()
	program := need.File(tb, filepath.Join(root(tb), "bin/tools/versitygw"), "make bin/tools/versitygw")
	port, err := need.Port()
	if err != nil {
		tb.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	s := &Server{Dir: tb.TempDir(), Config: s3.Config{Endpoint: "http://" + address, Region: "us-east-1", AccessKey: AccessKey, SecretKey: SecretKey}, program: program}
	for _, name := range buckets {
		if err := os.Mkdir(filepath.Join(s.Dir, name), 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(tb.Context(), program, "--port", address, "--health", "/health", "--quiet", "--iam-dir", tb.TempDir(), "posix", "--sidecar", tb.TempDir(), s.Dir)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKey, "ROOT_SECRET_KEY="+SecretKey)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Wait()
		if tb.Failed() {
			tb.Logf("the store said:\n%s", said.String())
		}
	})
	client := &http.Client{Timeout: time.Second}
	for range 200 {
		resp, err := client.Get(s.Endpoint + "/health") //nolint:noctx // bounded by the client
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return s
			}
		}
		wait := time.NewTimer(50 * time.Millisecond) // another process starts
		<-wait.C
	}
	tb.Fatal("the store does not answer")
	return nil
}

// root is the folder of go.mod above the test's.
func root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	tb.Fatal("there is no go.mod above the test")
	return ""
}

// User adds a user, who has no rights, and returns the settings with which he comes.
func (s *Server) User(tb testing.TB, name string) s3.Config {
	tb.Helper()
	secret := SecretKey + "-" + name
	cmd := exec.CommandContext(tb.Context(), s.program, "admin", "--access", AccessKey, "--secret", SecretKey, "--endpoint-url", s.Endpoint, "create-user", "--access", name, "--secret", secret, "--role", "user")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("add a user: %v: %s", err, out)
	}
	c := s.Config
	c.AccessKey, c.SecretKey = name, secret
	return c
}

// Proxy is a way to the store that can be broken.
type Proxy struct {
	s3.Config
	// Pass is asked before each request is passed on: it may return another body, or false to cut the connection.
	Pass func(r *http.Request) (body io.ReadCloser, ok bool)
}

// Proxy returns one, for the owner.
func (s *Server) Proxy(tb testing.TB) *Proxy {
	tb.Helper()
	backend, err := url.Parse(s.Endpoint)
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{Config: s.Config}
	through := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(backend)
			r.Out.Host = r.In.Host // is signed
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Pass != nil {
			body, ok := p.Pass(r)
			if !ok {
				panic(http.ErrAbortHandler)
			}
			r.Body = body
		}
		through.ServeHTTP(w, r)
	}))
	tb.Cleanup(server.Close)
	p.Endpoint = server.URL
	return p
}

// Silent listens, takes connections and never answers, until the test ends. It returns its address.
func Silent(tb testing.TB) string {
	tb.Helper()
	ln, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(tb.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var held []net.Conn
		for {
			c, err := ln.Accept()
			if err != nil {
				break
			}
			held = append(held, c)
		}
		<-ctx.Done()
		for _, c := range held {
			_ = c.Close()
		}
	}()
	tb.Cleanup(func() { _ = ln.Close(); cancel(); <-done })
	return "http://" + ln.Addr().String()
}

// Policy sets who may do what in a bucket.
func (s *Server) Policy(tb testing.TB, bucket, text string) {
	tb.Helper()
	u, err := url.Parse(s.Endpoint)
	if err != nil {
		tb.Fatal(err)
	}
	c, err := minio.New(u.Host, &minio.Options{Creds: credentials.NewStaticV4(s.AccessKey, s.SecretKey, ""), Region: s.Region})
	if err != nil {
		tb.Fatal(err)
	}
	if err := c.SetBucketPolicy(tb.Context(), bucket, text); err != nil {
		tb.Fatal(err)
	}
}
