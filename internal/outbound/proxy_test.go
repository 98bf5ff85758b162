package outbound_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"quipu/internal/outbound"
)

// through makes a client whose requests go through a proxy over a site.
func through(t *testing.T, o outbound.Options) (*http.Client, *outbound.Proxy) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := outbound.New(o).Proxy(ctx)
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		cancel()
		server.Close()
		p.Wait()
	})
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Proxy: http.ProxyURL(at)}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}, p
}

func TestProxy(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
		default:
			_, _ = io.WriteString(w, "hello "+r.Header.Get("Proxy-Connection"))
		}
	})
	plain, secure := httptest.NewServer(page), httptest.NewTLSServer(page)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	o := outbound.Options{
		Allow:   []string{strings.TrimPrefix(plain.URL, "http://"), strings.TrimPrefix(secure.URL, "https://")},
		Timeout: 5 * time.Second, MaxBytes: 50_000, Agent: "test",
	}
	for _, site := range []*httptest.Server{plain, secure} {
		c, p := through(t, o)
		if transport, ok := c.Transport.(*http.Transport); ok {
			own, _ := secure.Client().Transport.(*http.Transport)
			transport.TLSClientConfig = own.TLSClientConfig
		}
		r, err := c.Get(site.URL)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if string(body) != "hello " || p.Blocked() {
			t.Errorf("%s: %q, blocked %v", site.URL, body, p.Blocked())
		}
		if r, err := c.Get(site.URL + "/away"); err == nil {
			_ = r.Body.Close()
			t.Errorf("a redirect to a metadata service: %d", r.StatusCode)
		}
		if !p.Blocked() {
			t.Error("the proxy does not say that it refused a host")
		}
		if r, err := c.Get(site.URL + "/large"); err == nil {
			n, _ := io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
			if n >= 100_000 || !p.Full() {
				t.Errorf("%d bytes of 50,000", n)
			}
		}
	}
}

func TestProxyRefuses(t *testing.T) {
	t.Parallel()
	reached := false
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(site.Close)
	port := site.URL[strings.LastIndex(site.URL, ":"):]
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f000001", "127.1", "[::1]", "10.0.0.1", "169.254.169.254", "[fd00:ec2::254]", "[64:ff9b::7f00:1]", "0.0.0.0"} {
		for _, scheme := range []string{"http://", "https://"} {
			c, _ := through(t, outbound.Options{Timeout: time.Second, MaxBytes: 1000, Agent: "test"})
			r, err := c.Get(scheme + host + port)
			if err == nil {
				_ = r.Body.Close()
				t.Errorf("%s%s: %d", scheme, host, r.StatusCode)
			}
		}
	}
	if reached {
		t.Error("a request reached the host")
	}
}

func TestProxyEnds(t *testing.T) {
	t.Parallel()
	stalled := make(chan struct{})
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		<-stalled
	}))
	t.Cleanup(site.Close)
	t.Cleanup(func() { close(stalled) })
	ctx, cancel := context.WithCancel(t.Context())
	p := outbound.New(outbound.Options{Allow: []string{strings.TrimPrefix(site.URL, "https://")}, Timeout: time.Second, MaxBytes: 1 << 20, Agent: "test"}).Proxy(ctx)
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	at, _ := url.Parse(server.URL)
	own, _ := site.Client().Transport.(*http.Transport)
	transport := &http.Transport{Proxy: http.ProxyURL(at), TLSClientConfig: own.TLSClientConfig}
	r, err := (&http.Client{Transport: transport}).Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	p.Wait()
	if _, err := io.ReadAll(r.Body); err == nil {
		t.Error("what went through did not end")
	}
	_ = r.Body.Close()
}
