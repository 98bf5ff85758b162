package app_test

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"quipu/internal/app"
)

// TestDirect tells who is at the machine of the server from who is not, and only seems to be.
func TestDirect(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")}
	for _, test := range []struct {
		name, peer, host string
		header           []string
		want             bool
	}{
		{"loopback", "127.0.0.1:4000", "127.0.0.1:8080", nil, true},
		{"loopback, version 6", "[::1]:4000", "[::1]:8080", nil, true},
		{"by name", "127.0.0.1:4000", "localhost:8080", nil, true},
		{"own origin", "127.0.0.1:4000", "localhost:8080", []string{"Origin", "http://localhost:8080"}, true},
		{"mapped", "[::ffff:127.0.0.1]:4000", "127.0.0.1", nil, true},
		{"elsewhere", "198.51.100.7:4000", "127.0.0.1:8080", nil, false},
		{"elsewhere, who says to be here", "198.51.100.7:4000", "localhost", []string{"X-Forwarded-For", "127.0.0.1"}, false},
		{"container's gateway", "172.17.0.1:4000", "localhost:8080", nil, false},
		{"no address", "@", "localhost:8080", nil, false},
		{"configured proxy", "127.0.0.9:4000", "127.0.0.1:8080", nil, false},
		{"proxy", "127.0.0.1:4000", "127.0.0.1:8080", []string{"X-Forwarded-For", "198.51.100.7"}, false},
		{"proxy that says here", "127.0.0.1:4000", "127.0.0.1:8080", []string{"X-Forwarded-For", "127.0.0.1"}, false},
		{"proxy, empty header", "127.0.0.1:4000", "127.0.0.1:8080", []string{"X-Forwarded-For", ""}, false},
		{"proxy of the standard", "127.0.0.1:4000", "127.0.0.1:8080", []string{"Forwarded", "for=198.51.100.7"}, false},
		{"proxy that names itself", "127.0.0.1:4000", "127.0.0.1:8080", []string{"Via", "1.1 edge"}, false},
		{"proxy with its own header", "127.0.0.1:4000", "127.0.0.1:8080", []string{"X-Real-IP", "198.51.100.7"}, false},
		{"proxy that passes the host on", "127.0.0.1:4000", "stats.example.org", nil, false},
		{"proxy that passes the origin on", "127.0.0.1:4000", "127.0.0.1:8080", []string{"Origin", "https://stats.example.org"}, false},
		{"page elsewhere whose name leads here", "127.0.0.1:4000", "evil.example:8080", nil, false},
		{"name that only begins like ours", "127.0.0.1:4000", "localhost.evil.example", nil, false},
		{"no host", "127.0.0.1:4000", "", nil, false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/setup", nil)
		r.RemoteAddr, r.Host = test.peer, test.host
		if test.header != nil {
			r.Header.Set(test.header[0], test.header[1])
		}
		if got := app.Direct(r, proxies); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
		r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.0", 1, 0
		if app.Direct(r, proxies) {
			t.Errorf("%s: HTTP/1.0, as proxies speak, is taken for a browser", test.name)
		}
	}
}
