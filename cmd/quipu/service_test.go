package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit/need"
)

// service is a server as a service manager starts it.
type service struct {
	*process
	notes chan string // what it says, but for signs of life
	alive chan struct{}
}

// supervised starts a server that notifies a socket of ours. Its output is its own.
func supervised(t *testing.T, args, env []string, files ...*os.File) *service {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	ln, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	s := &service{notes: make(chan string, 100), alive: make(chan struct{}, 1)}
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := ln.Read(b)
			if err != nil {
				return
			}
			if note := string(b[:n]); note != "WATCHDOG=1" {
				s.notes <- note
				continue
			}
			select {
			case s.alive <- struct{}{}:
			default:
			}
		}
	}()
	// Only the process itself knows its number.
	shell := append([]string{"-c", `LISTEN_PID=$$ exec "$0" "$@"`, os.Args[0], "serve"}, args...)
	cmd := exec.CommandContext(t.Context(), "/bin/sh", shell...) // this very binary
	cmd.Env = append(append(os.Environ(), asQuipu+"=1", "NOTIFY_SOCKET="+path, "WATCHDOG_USEC=200000"), env...)
	cmd.ExtraFiles = files
	if len(files) == 0 {
		cmd.Env = append(cmd.Env, "LISTEN_FDS=0")
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		_ = f.Close() // it is the server's now
	}
	s.process = &process{t: t, cmd: cmd}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server said:\n%s", said.String())
		}
	})
	return s
}

// note waits for the next state.
func (s *service) note() string {
	s.t.Helper()
	select {
	case n := <-s.notes:
		return n
	case <-time.After(30 * time.Second):
		s.t.Fatal("the service manager is not notified")
		return ""
	}
}

// stop ends it and checks that the manager knew.
func (s *service) stop() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if got := s.note(); got != "STOPPING=1" {
		s.t.Errorf("at the end: %q", got)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Error(err)
	}
}

// on returns a client whose connections all go to one address.
func on(network, addr string, roots *x509.CertPool) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, addr)
			},
			TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// answered is the head of an answer.
type answered struct {
	StatusCode int
	Header     http.Header
	TLS        *tls.ConnectionState // nil without
}

// Cookies are those that it sets.
func (a answered) Cookies() []*http.Cookie { return (&http.Response{Header: a.Header}).Cookies() }

// ask returns an answer and its body.
func ask(t *testing.T, client *http.Client, address string, header ...string) (answered, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client.Timeout = 30 * time.Second
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	if cerr := resp.Body.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return answered{resp.StatusCode, resp.Header, resp.TLS}, string(b)
}

// file writes a file of a folder of the test.
func file(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestServiceOnSockets hands the server two sockets, for the public and for metrics, and follows what it tells the manager, from the start
// over a reload to the end.
func TestServiceOnSockets(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "quipu.yaml")
	file(t, config, "metrics_listen: 127.0.0.1:1\n") // the socket stands in its place: nobody may listen on this port
	public, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "metrics.sock")
	metrics, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	metrics.SetUnlinkOnClose(false)
	var files []*os.File
	for _, ln := range []interface {
		File() (*os.File, error)
		Close() error
	}{public, metrics} {
		f, err := ln.File()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		if err := ln.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := supervised(t, []string{"--config", config, "--data", filepath.Join(dir, "data"), "--listen", "127.0.0.1:2"},
		append([]string{"LISTEN_FDS=2", "LISTEN_FDNAMES=quipu.socket:metrics"}, admin...), files...)
	url := "http://" + public.Addr().String()
	// The socket takes connections before the stores are open.
	if resp, body := ask(t, new(http.Client), url+"/readyz"); resp.StatusCode != http.StatusOK || body != "ok\n" {
		t.Errorf("public /readyz: %d %q", resp.StatusCode, body)
	}
	if got := s.note(); !strings.HasPrefix(got, "READY=1\nSTATUS=serves on http://127.0.0.1:") {
		t.Errorf("at the start: %q", got)
	}
	select {
	case <-s.alive:
	case <-time.After(30 * time.Second):
		t.Error("no sign of life")
	}
	operators := on("unix", path, nil)
	for at, want := range map[string]string{"/livez": "ok\n", "/readyz": "ok\n", "/metrics": "quipu_ingest_accepting 1"} {
		if resp, body := ask(t, operators, "http://quipu"+at); resp.StatusCode != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s on the socket of metrics: %d %q", at, resp.StatusCode, body[:min(len(body), 100)])
		}
	}
	file(t, config, "metrics_listen: 127.0.0.1:1\nlog:\n  level: error\n")
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if got := s.note(); !strings.HasPrefix(got, "RELOADING=1\nMONOTONIC_USEC=") {
		t.Errorf("reloading: %q", got)
	}
	if got := s.note(); !strings.HasPrefix(got, "READY=1\n") {
		t.Errorf("after the reload: %q", got)
	}
	s.stop()
}

// TestUnixSocket listens on a socket of the file system, also where a process that is gone left one. What a proxy says of its client is
// believed if 127.0.0.1 is trusted.
func TestUnixSocket(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "quipu.sock")
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	if err := stale.Close(); err != nil {
		t.Fatal(err)
	}
	s := supervised(t, []string{"--data", filepath.Join(dir, "data"), "--listen", "unix:" + path}, append([]string{"QUIPU_TRUSTED_PROXIES=127.0.0.1"}, admin...))
	if got, want := s.note(), "READY=1\nSTATUS=serves on unix:"+path; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o660 {
		t.Errorf("socket: %v, %v", st.Mode(), err)
	}
	client := on("unix", path, nil)
	if resp, body := ask(t, client, "http://analytics.example.org/login"); resp.StatusCode != http.StatusOK || resp.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("/login: %d %s", resp.StatusCode, body)
	}
	resp, _ := ask(t, client, "http://analytics.example.org/login", "X-Forwarded-For", "203.0.113.9", "X-Forwarded-Proto", "https")
	if resp.Header.Get("Strict-Transport-Security") == "" {
		t.Error("the proxy on the socket is not believed")
	}
	second := exec.CommandContext(t.Context(), os.Args[0], "serve", "--data", filepath.Join(dir, "other"), "--listen", "unix:"+path) // this very binary
	second.Env = append(os.Environ(), asQuipu+"=1")
	if out, err := second.CombinedOutput(); err == nil || !strings.Contains(string(out), "another process listens on "+path) {
		t.Errorf("a second server on the socket: %v\n%s", err, out)
	}
	s.stop()
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is left")
	}
}

// pair writes a certificate of its own for 127.0.0.1, and its key, and returns what trusts it.
func pair(t *testing.T, cert, key string, serial int64) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "quipu test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	file(t, cert, string(chain))
	file(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(chain)
	return roots
}

// freePort returns a port on which nobody listens at the moment.
func freePort(t *testing.T) string {
	t.Helper()
	port, err := need.Port()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// TestTLS serves with certificates of files, changes them under the server, once with a pair that does not match, and is redirected to it from
// plain HTTP.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	roots := pair(t, cert, key, 1)
	redirect := freePort(t)
	s := supervised(t, []string{"--data", filepath.Join(dir, "data"), "--listen", "127.0.0.1:0"},
		append([]string{"QUIPU_TLS_CERT_FILE=" + cert, "QUIPU_TLS_KEY_FILE=" + key, "QUIPU_TLS_REDIRECT_LISTEN=" + redirect}, admin...))
	_, address, _ := strings.Cut(s.note(), "serves on ")
	if !strings.HasPrefix(address, "https://127.0.0.1:") {
		t.Fatalf("serves on %q", address)
	}
	serial := func(roots *x509.CertPool) int64 {
		t.Helper()
		resp, body := ask(t, on("tcp", strings.TrimPrefix(address, "https://"), roots), address+"/login")
		if resp.StatusCode != http.StatusOK {
			t.Errorf("/login: %d %s", resp.StatusCode, body)
		}
		if !slices.ContainsFunc(resp.Cookies(), func(c *http.Cookie) bool { return strings.HasPrefix(c.Name, "__Host-") && c.Secure }) {
			t.Errorf("over TLS the cookie is %v", resp.Cookies())
		}
		return resp.TLS.PeerCertificates[0].SerialNumber.Int64()
	}
	if got := serial(roots); got != 1 {
		t.Errorf("certificate %d, want 1", got)
	}
	resp, _ := ask(t, on("tcp", redirect, nil), "http://"+redirect+"/o/ping?a=b")
	if got, want := resp.Header.Get("Location"), address+"/o/ping?a=b"; resp.StatusCode != http.StatusPermanentRedirect || got != want {
		t.Errorf("from plain HTTP: %d to %s, want %s", resp.StatusCode, got, want)
	}
	reload := func() {
		t.Helper()
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		s.note()
		s.note()
	}
	other := pair(t, cert, filepath.Join(dir, "other.pem"), 2)
	reload()
	if got := serial(roots); got != 1 {
		t.Errorf("after files that do not match: certificate %d, want 1", got)
	}
	if err := os.Rename(filepath.Join(dir, "other.pem"), key); err != nil {
		t.Fatal(err)
	}
	reload()
	if got := serial(other); got != 2 {
		t.Errorf("after a reload: certificate %d, want 2", got)
	}
	// Bytes that are no TLS are turned away, and the next client is served.
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if b, _ := io.ReadAll(c); strings.Contains(string(b), "200 OK") {
		t.Errorf("plain HTTP is served: %q", b)
	}
	_ = c.Close()
	if got := serial(other); got != 2 {
		t.Errorf("certificate %d, want 2", got)
	}
	s.stop()
}

// TestBasePath serves below a path, with and without a proxy that takes it off.
func TestBasePath(t *testing.T) {
	s := supervised(t, []string{"--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0"}, append([]string{"QUIPU_BASE_PATH=/tools/analytics"}, admin...))
	_, address, _ := strings.Cut(s.note(), "serves on ")
	root, ok := strings.CutSuffix(address, "/tools/analytics")
	if !ok {
		t.Fatalf("serves on %q", address)
	}
	client := on("tcp", strings.TrimPrefix(root, "http://"), nil)
	for path, want := range map[string]string{
		"/tools/analytics":                    "/tools/analytics/login",
		"/tools/analytics/":                   "/tools/analytics/login",
		"/":                                   "/tools/analytics/login",
		"/tools/analytics/dashboard/apps/x?y": "/tools/analytics/login?next=" + url.QueryEscape("/dashboard/apps/x?y"),
		"/dashboard/apps/x?y":                 "/tools/analytics/login?next=" + url.QueryEscape("/dashboard/apps/x?y"),
	} {
		if resp, _ := ask(t, client, root+path); resp.StatusCode != http.StatusFound || resp.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", path, resp.StatusCode, resp.Header.Get("Location"), want)
		}
	}
	for path, want := range map[string]int{
		"/tools/analytics/o/ping": http.StatusOK, "/tools/analytics//o//ping": http.StatusOK, "/o/ping": http.StatusOK, "/tools/analyticsx/o/ping": http.StatusNotFound,
		"/tools/analytics/tools/analytics/o/ping": http.StatusNotFound, "/tools/analytics/i?app_key=none&device_id=1": http.StatusBadRequest,
	} {
		if resp, body := ask(t, client, root+path, "Accept", "text/html"); resp.StatusCode != want {
			t.Errorf("%s: %d %s, want %d", path, resp.StatusCode, body, want)
		}
	}
	resp, body := ask(t, client, root+"/login")
	for _, want := range []string{`action="/tools/analytics/login"`, `href="/tools/analytics/forgot"`, `href="/tools/analytics/assets/pages-`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page of sign-in lacks %s", want)
		}
	}
	for _, c := range resp.Cookies() {
		if c.Name != "quipu_form-tools-analytics" || c.Path != "/" {
			t.Errorf("cookie %s", c.Raw)
		}
	}
	s.stop()
}
