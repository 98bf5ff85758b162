package geo_test

import (
	"bytes"
	"encoding/binary"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quipu/internal/ingest/geo"
)

// database writes a MaxMind database of networks and the JSON-like values that
// encode made for them.
func database(t *testing.T, networks map[string][]byte) []byte {
	t.Helper()
	const separator = 16
	type node [2]int // child: 0 empty, >0 node, <0 −(1+offset of data)
	nodes := []node{{}}
	var data []byte
	for cidr, value := range networks {
		p := netip.MustParsePrefix(cidr)
		addr, bits := p.Addr().As16(), p.Bits()
		if p.Addr().Is4() { // IPv4 lives at ::/96
			v4 := p.Addr().As4()
			addr, bits = [16]byte{}, bits+96
			copy(addr[12:], v4[:])
		}
		at := 0
		for i := range bits {
			bit := addr[i/8] >> (7 - i%8) & 1
			if i == bits-1 {
				nodes[at][bit] = -1 - len(data)
				break
			}
			if nodes[at][bit] == 0 {
				nodes = append(nodes, node{})
				nodes[at][bit] = len(nodes) - 1
			}
			at = nodes[at][bit]
		}
		data = append(data, value...)
	}
	var out []byte
	for _, n := range nodes {
		for _, c := range n {
			v := c
			switch {
			case c == 0:
				v = len(nodes)
			case c < 0:
				v = len(nodes) + separator + (-c - 1)
			}
			out = append(out, byte(v>>16), byte(v>>8), byte(v))
		}
	}
	out = append(out, make([]byte, separator)...)
	out = append(out, data...)
	out = append(out, "\xab\xcd\xefMaxMind.com"...)
	number := func(typ byte, v uint32) []byte {
		b := binary.BigEndian.AppendUint32(nil, v)
		if typ == 5 { // uint16
			return append([]byte{5<<5 | 2}, b[2:]...)
		}
		return append([]byte{6<<5 | 4}, b...)
	}
	return append(out, dict(
		"node_count", number(6, uint32(len(nodes))), "record_size", number(5, 24), "ip_version", number(5, 6),
		"binary_format_major_version", number(5, 2), "binary_format_minor_version", number(5, 0),
		"database_type", text("test"), "build_epoch", append([]byte{4, 2}, number(6, 1_936_515_600)[1:]...), // uint64
	)...)
}

func text(s string) []byte { return append([]byte{2<<5 | byte(len(s))}, s...) }

// dict encodes a map: name, value, and so on.
func dict(pairs ...any) []byte {
	out := []byte{7<<5 | byte(len(pairs)/2)}
	for i := 0; i < len(pairs); i += 2 {
		out = append(append(out, text(pairs[i].(string))...), pairs[i+1].([]byte)...)
	}
	return out
}

func testDatabase(t *testing.T) []byte {
	t.Helper()
	flat := func(code string) []byte { return dict("country_code", text(code)) }
	return database(t, map[string][]byte{
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
			if got := db.Lookup(netip.MustParseAddr(tt.ip)); got != tt.want {
				t.Errorf("country of %s = %q, want %q", tt.ip, got, tt.want)
			}
		})
	}
	if got := db.Lookup(netip.Addr{}); got != "" {
		t.Errorf("country of no address = %q", got)
	}
	if got := db.Built(); !got.Equal(time.Unix(1_936_515_600, 0)) {
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
	if got := db.Lookup(netip.MustParseAddr("81.2.69.142")); got != "GB" {
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
		if got := db.Lookup(netip.MustParseAddr(ip)); got != country {
			t.Errorf("country of %s = %q, want %q", ip, got, country)
		}
	}
	if present == db.Built().IsZero() || present == strings.Contains(log.String(), "level=WARN") {
		t.Errorf("present %v, built %v, log %q", present, db.Built(), log.String())
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzDatabase(f *testing.F) {
	f.Add([]byte("\xab\xcd\xefMaxMind.com"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		db, err := geo.FromBytes(b)
		if err != nil {
			return
		}
		for _, ip := range []string{"81.2.69.142", "2001:4860::1"} {
			db.Lookup(netip.MustParseAddr(ip))
		}
	})
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
