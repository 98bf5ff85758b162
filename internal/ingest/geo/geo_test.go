package geo_test

import (
	"bytes"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quipu/internal/ingest/geo"
	"quipu/internal/ingest/geo/geotest"
)

func testDatabase(t *testing.T) []byte {
	t.Helper()
	text, dict := geotest.Text, geotest.Map
	flat := func(code string) []byte { return dict("country_code", text(code)) }
	return geotest.Database("test", 1_936_515_600, map[string][]byte{
		"81.2.69.0/24":    flat("GB"),
		"10.0.0.0/8":      flat("US"),
		"100.64.0.0/10":   flat("US"),
		"127.0.0.0/8":     flat("US"),
		"1.0.0.0/24":      flat("ZZ"),
		"1.0.1.0/24":      flat("xx"),
		"1.0.2.0/24":      text("AU"),
		"1.0.3.0/24":      dict("country", dict("iso_code", text("NL"))),
		"2001:4860::/32":  flat("US"),
		"fd00::/8":        flat("US"),
		"2a02:26f7::/128": flat("DE"),
	})
}

func TestLookup(t *testing.T) {
	db, err := geo.FromBytes(testDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, ip, want string }{
		{"ipv4", "81.2.69.142", "GB"},
		{"ipv4 in ipv6", "::ffff:81.2.69.142", "GB"},
		{"beside", "81.2.70.1", ""},
		{"ipv6", "2001:4860:4860::8888", "US"},
		{"ipv6 with zone", "2001:4860:4860::8888%eth0", "US"},
		{"ipv6 host", "2a02:26f7::", "DE"},
		{"ipv6 beside", "2a02:26f7::1", ""},
		{"private", "10.1.2.3", ""},
		{"shared", "100.100.1.1", ""},
		{"loopback", "127.0.0.1", ""},
		{"unique local", "fd00::1", ""},
		{"link-local", "fe80::1", ""},
		{"multicast", "224.0.0.1", ""},
		{"unspecified", "::", ""},
		{"no country", "1.0.0.1", ""},
		{"no code", "1.0.1.1", ""},
		{"other layout", "1.0.2.1", ""},
		{"maxmind's layout", "1.0.3.1", "NL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := db.Lookup(netip.MustParseAddr(tt.ip)).Country; got != tt.want {
				t.Errorf("country of %s = %q, want %q", tt.ip, got, tt.want)
			}
		})
	}
	if got := db.Lookup(netip.Addr{}).Country; got != "" {
		t.Errorf("country of no address = %q", got)
	}
	if got := db.Info().Built; !got.Equal(time.Unix(1_936_515_600, 0)) {
		t.Errorf("built %v", got)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "own.mmdb")
	if err := os.WriteFile(path, testDatabase(t), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := geo.Open(t.Context(), geo.Options{File: path})
	if err != nil {
		t.Fatal(err)
	}
	if got := db.Lookup(netip.MustParseAddr("81.2.69.142")).Country; got != "GB" {
		t.Errorf("country = %q, want GB", got)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if _, err := geo.Open(t.Context(), geo.Options{File: filepath.Join(dir, "none.mmdb")}); err == nil {
		t.Error("an absent file is opened")
	}
	broken := filepath.Join(dir, "broken.mmdb")
	if err := os.WriteFile(broken, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := geo.Open(t.Context(), geo.Options{File: broken}); err == nil {
		t.Error("a broken file is opened")
	}
}

// TestEmbedded holds for builds with and without the embedded database.
func TestEmbedded(t *testing.T) {
	_, err := os.Stat("data/country.mmdb")
	present := err == nil
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var log bytes.Buffer
	db, err := geo.Open(t.Context(), geo.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("opening took %d bytes: the database was copied", got)
	}
	want := map[string]string{"8.8.8.8": "", "2001:4860:4860::8888": "", "193.0.6.139": ""}
	if present {
		want = map[string]string{"8.8.8.8": "US", "2001:4860:4860::8888": "US", "193.0.6.139": "NL"}
	}
	for ip, country := range want {
		if got := db.Lookup(netip.MustParseAddr(ip)).Country; got != country {
			t.Errorf("country of %s = %q, want %q", ip, got, country)
		}
	}
	if present == db.Info().Built.IsZero() || present == strings.Contains(log.String(), "level=WARN") {
		t.Errorf("present %v, built %v, log %q", present, db.Info().Built, log.String())
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func BenchmarkLookup(b *testing.B) {
	db, err := geo.Open(b.Context(), geo.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ip := netip.MustParseAddr("193.0.6.139")
	b.ReportAllocs()
	for b.Loop() {
		db.Lookup(ip)
	}
}
