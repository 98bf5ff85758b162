package outbound_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"quipu/internal/outbound"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true, "127.0.0.1": false, "10.0.0.1": false, "172.16.3.4": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false, "::1": false, "::": false, "fe80::1": false, "fd00::1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "::ffff:8.8.8.8": true, "fec0::1": false,
	} {
		if got := outbound.Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://Jira.Example.org/": "https://jira.example.org", " https://a.b/jira ": "https://a.b/jira", "http://a:8080": "http://a:8080",
		"ftp://a": "", "a.b": "", "https://u:p@a": "", "https://a?x=1": "", "https://a#x": "", "https://": "", "javascript:alert(1)": "", "file:///etc/passwd": "",
	} {
		if got, err := outbound.Address(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestCheckAllow(t *testing.T) {
	t.Parallel()
	if err := outbound.CheckAllow([]string{"jira.internal", "10.0.0.1:8080", "[::1]:80"}); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "https://a", "*.internal", "a b"} {
		if outbound.CheckAllow([]string{bad}) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestDo(t *testing.T) {
	t.Parallel()
	stalled := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			for range 100 {
				_, _ = w.Write([]byte(strings.Repeat("x", 1000)))
			}
		case "/stalls":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-stalled
		case "/away":
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		default:
			_, _ = w.Write([]byte(r.UserAgent() + r.Header.Get("X-A")))
		}
	}))
	t.Cleanup(site.Close)
	t.Cleanup(func() { close(stalled) })
	host := strings.TrimPrefix(site.URL, "http://")
	o := outbound.Options{Allow: []string{host}, Timeout: 300 * time.Millisecond, MaxBytes: 5000, Agent: "test"}
	c := outbound.New(o)
	do := func(path string) (outbound.Answer, error) {
		return c.Do(t.Context(), outbound.Request{Method: http.MethodGet, URL: site.URL + path, Header: http.Header{"X-A": {"!"}}})
	}
	if a, err := do("/"); err != nil || string(a.Body) != "test!" || a.Status != http.StatusOK {
		t.Errorf("%v %s", err, a.Body)
	}
	if a, err := do("/away"); err != nil || a.Status != http.StatusFound {
		t.Errorf("a redirect is followed: %d, %v", a.Status, err)
	}
	if _, err := do("/large"); !errors.Is(err, outbound.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := do("/stalls"); !errors.Is(err, outbound.ErrTimeout) {
		t.Error(err)
	}
	if _, err := c.Do(t.Context(), outbound.Request{Method: http.MethodGet, URL: "http://127.0.0.1:1/"}); !errors.Is(err, outbound.ErrBlocked) {
		t.Error("another port of an allowed host:", err)
	}
	o.Allow = nil
	for _, address := range []string{site.URL, strings.Replace(site.URL, "127.0.0.1", "localhost", 1), strings.Replace(site.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1), strings.Replace(site.URL, "127.0.0.1", "0x7f000001", 1)} {
		_, err := outbound.New(o).Do(t.Context(), outbound.Request{Method: http.MethodGet, URL: address})
		if !errors.Is(err, outbound.ErrBlocked) && !errors.Is(err, outbound.ErrUnreachable) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
