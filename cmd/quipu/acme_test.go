package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit/need"
)

// tool returns a program that make builds from tools/go.mod for tests.
func tool(t *testing.T, name string) string {
	t.Helper()
	return need.File(t, "../../bin/tools/"+name, "make bin/tools/"+name)
}

// background runs a program until the test ends, and shows what it said if that failed.
func background(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	var said strings.Builder
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), &said, &said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it may have processes of its own
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // the context is done
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(name), said.String())
		}
	})
}

// TestACME has a certificate from Pebble, Let's Encrypt's test server, which looks at the public listener by TLS-ALPN-01. After a restart
// the same certificate is shown without the authority.
func TestACME(t *testing.T) {
	pebble, dns := tool(t, "pebble"), tool(t, "pebble-challtestsrv")
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "ca-cert.pem"), filepath.Join(dir, "ca-key.pem")
	trusted := pair(t, cert, key, 1)
	public, authority, manage, resolver := freePort(t), freePort(t), freePort(t), freePort(t)
	_, port, err := net.SplitHostPort(public)
	if err != nil {
		t.Fatal(err)
	}
	const name = "analytics.example.test"
	config := filepath.Join(dir, "pebble.json")
	file(t, config, fmt.Sprintf(`{"pebble": {"listenAddress": %q, "managementListenAddress": %q, "certificate": %q, "privateKey": %q, "httpPort": 1,
		"tlsPort": %s, "retryAfter": {"authz": 1, "order": 1}, "profiles": {"default": {"description": "d", "validityPeriod": 7776000}}}}`, authority, manage, cert, key, port))
	background(t, nil, dns, "-dnsserver", resolver, "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-doh", "", "-http01", "", "-https01", "", "-tlsalpn01", "", "-management", "")
	background(t, []string{"PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=10"}, pebble, "-config", config, "-dnsserver", resolver)
	var roots *x509.CertPool
	for range 100 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+manage+"/roots/0", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := on("tcp", manage, trusted).Do(req)
		if err != nil {
			time.Sleep(50 * time.Millisecond) // another process starts
			continue
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		roots = x509.NewCertPool()
		if err != nil || !roots.AppendCertsFromPEM(text) {
			t.Fatalf("the root of the authority: %q, %v", text, err)
		}
		break
	}
	if roots == nil {
		t.Fatal("the authority does not answer")
	}
	data := filepath.Join(dir, "data")
	env := append([]string{"QUIPU_TLS_ACME_DOMAINS=" + name, "QUIPU_TLS_ACME_DIRECTORY=https://" + authority + "/dir", "QUIPU_TLS_ACME_CA_FILE=" + cert}, admin...)
	// A handshake that waits for the authority longer than a request may take to arrive is ended, while the certificate is still being
	// had: the authority refuses some nonces on purpose, and each refusal costs seconds.
	await := func() {
		t.Helper()
		client := on("tcp", public, roots)
		client.Timeout = time.Minute
		for range 60 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+name+"/livez", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Do(req)
			if err == nil {
				_ = resp.Body.Close()
				return
			}
			time.Sleep(500 * time.Millisecond) // another process talks to the authority
		}
	}
	serial := func() string {
		t.Helper()
		await()
		resp, body := ask(t, on("tcp", public, roots), "https://"+name+"/readyz")
		if resp.StatusCode != http.StatusOK || body != "ok\n" {
			t.Errorf("/readyz: %d %q", resp.StatusCode, body)
		}
		return resp.TLS.PeerCertificates[0].SerialNumber.String()
	}
	s := supervised(t, []string{"--data", data, "--listen", public}, env)
	s.note()
	first := serial()
	// Names that are not configured cost the authority nothing.
	c, err := tls.Dial("tcp", public, &tls.Config{ServerName: "other.example.test", RootCAs: roots, MinVersion: tls.VersionTLS12})
	if err == nil {
		_ = c.Close()
		t.Error("a certificate for a name that is not configured")
	}
	s.stop()
	st, err := os.Stat(filepath.Join(data, "acme"))
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("the folder of certificates: %v, %v", st, err)
	}
	env[1] = "QUIPU_TLS_ACME_DIRECTORY=https://127.0.0.1:1/dir"
	s = supervised(t, []string{"--data", data, "--listen", public}, env)
	s.note()
	if again := serial(); again != first {
		t.Errorf("after a restart certificate %s, want %s", again, first)
	}
	s.stop()
}
