package geo_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/geo"
	"quipu/internal/ingest/geo/geotest"
	"quipu/internal/testkit/logged"
)

// built is when the databases of the tests were made.
const built = 1_936_515_600

var networks = map[string]geotest.City{
	"81.2.69.0/24":   {Country: "GB", Region: "ENG", RegionName: "England", Name: "London", Lat: 51.5142, Lng: -0.0931},
	"81.2.70.0/24":   {Country: "GB", Region: "ENG", RegionName: "England", Name: "London", Lat: 51.6, Lng: -0.1},
	"93.184.0.0/16":  {Country: "DE", Region: "BY", RegionName: "Bavaria", Name: "Munich", Lat: 48.1374, Lng: 11.5755},
	"93.185.0.0/16":  {Country: "DE", Region: "NW", RegionName: "North Rhine-Westphalia", Name: "Bonn", Lat: 50.7344, Lng: 7.0955},
	"93.186.0.0/16":  {Country: "DE", Region: "HE", RegionName: "Hesse", Name: "Frankfurt", Lat: 50.1109, Lng: 8.6821},
	"93.187.0.0/16":  {Country: "DE", Region: "BB", RegionName: "Brandenburg", Name: "Frankfurt", Lat: 52.3412, Lng: 14.5503},
	"93.188.0.0/16":  {Country: "DE", Lat: 51, Lng: 9},
	"2a02:26f7::/32": {Country: "FJ", Region: "C", RegionName: "Central", Name: "Suva", Lat: -18.1416, Lng: 178.4415},
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// opened is a database of a file whose records have been read.
func opened(t *testing.T, data []byte) *geo.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "city.mmdb")
	write(t, path, data)
	db, err := geo.Open(t.Context(), geo.Options{File: path, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := db.Reload(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestCities(t *testing.T) {
	for name, layout := range map[string]geotest.Layout{"maxmind": geotest.MaxMind, "db-ip": geotest.DBIP, "flat": geotest.Flat} {
		t.Run(name, func(t *testing.T) {
			db := opened(t, geotest.Cities(layout, built, networks))
			bavaria := "Bavaria"
			if layout == geotest.MaxMind {
				bavaria = "BY"
			}
			for ip, want := range map[string]geo.Place{
				"93.184.216.34":    {Country: "DE", Region: bavaria, City: "Munich", Lat: 48.1374, Lng: 11.5755, Located: true},
				"93.188.0.1":       {Country: "DE", Lat: 51, Lng: 9, Located: true},
				"94.0.0.1":         {},
				"10.0.0.1":         {},
				"2a02:26f7::1":     db.Lookup(netip.MustParseAddr("2a02:26f7:0:1::2")),
				"::ffff:81.2.70.1": db.Lookup(netip.MustParseAddr("81.2.70.1")),
			} {
				if diff := cmp.Diff(want, db.Lookup(netip.MustParseAddr(ip))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", ip, diff)
				}
			}
			if i := db.Info(); i.Cities != 6 || !i.Ready || !i.Built.Equal(time.Unix(built, 0)) || i.Fault != "" || i.Kind == "" {
				t.Errorf("info %+v", i)
			}
			cities, regions := db.Cities("DE", []string{"Munich", "Frankfurt", "London", ""})
			var got []string
			for _, c := range cities {
				got = append(got, fmt.Sprint(c.Name, " ", c.RegionName, " ", c.Lat))
			}
			want := []string{"Munich Bavaria 48.1374", "Frankfurt Brandenburg 52.3412", "Frankfurt Hesse 50.1109"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("cities (-want +got):\n%s", diff)
			}
			wantRegions := map[string]string{}
			if layout == geotest.MaxMind {
				wantRegions = map[string]string{"BY": "Bavaria", "NW": "North Rhine-Westphalia", "HE": "Hesse", "BB": "Brandenburg"}
			}
			if diff := cmp.Diff(wantRegions, regions); diff != "" {
				t.Errorf("regions (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	db := opened(t, geotest.Cities(geotest.MaxMind, built, networks))
	for _, tt := range []struct {
		lat, lng float64
		want     string
		km       float64
	}{
		{50.94, 6.96, "Bonn", 24.7},
		{48.1374, 11.5755, "Munich", 0},
		{-18, -179.9, "Suva", 175.8}, // across the line of 180°
		{90, 0, "Frankfurt", 4187},   // the pole
	} {
		c, far, ok := db.Nearest(tt.lat, tt.lng)
		if !ok || c.Name != tt.want || math.Abs(far-tt.km) > 0.02*tt.km+0.1 {
			t.Errorf("next to %v %v: %s, %v km, want %s, %v km", tt.lat, tt.lng, c.Name, far, tt.want, tt.km)
		}
	}
	none, err := geo.FromBytes(geotest.Cities(geotest.MaxMind, built, networks))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := none.Nearest(50, 7); ok {
		t.Error("a database whose records were not read has a nearest city")
	}
}

// TestNames has names as nobody should write them.
func TestNames(t *testing.T) {
	long := strings.Repeat("ü", 200)
	db := opened(t, geotest.Cities(geotest.MaxMind, built, map[string]geotest.City{
		"1.0.0.0/24": {Country: "DE", Region: "B\x00Y", RegionName: "x", Name: " a\nb\xff ", Lat: 1, Lng: 1},
		"1.0.1.0/24": {Country: "DE", Region: "BY", Name: long, Lat: 91, Lng: 1},
		"1.0.2.0/24": {Country: "DE", Region: "BY", Name: "y", Lat: math.NaN(), Lng: math.Inf(1)},
		"1.0.3.0/24": {Country: "de", Name: "z"},
	}))
	for ip, want := range map[string]geo.Place{
		"1.0.0.1": {Country: "DE", Region: "BY", City: "ab", Lat: 1, Lng: 1, Located: true},
		"1.0.1.1": {Country: "DE", Region: "BY", City: long[:256]},
		"1.0.2.1": {Country: "DE", Region: "BY", City: "y"},
		"1.0.3.1": {},
	} {
		if diff := cmp.Diff(want, db.Lookup(netip.MustParseAddr(ip))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ip, diff)
		}
	}
}

// TestWatch replaces the file in all the ways that files are replaced, while lookups go on.
func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "city.mmdb")
	copies := t.TempDir()
	write(t, filepath.Join(copies, "geo-1.mmdb.tmp"), []byte("left by a process that ended"))
	first := geotest.Cities(geotest.MaxMind, built, networks)
	second := geotest.Cities(geotest.DBIP, built+1, map[string]geotest.City{"81.2.69.0/24": {Country: "GB", RegionName: "England", Name: "Leeds", Lat: 53.8, Lng: -1.5}})
	write(t, path, first)
	synctest.Test(t, func(t *testing.T) {
		var log logged.Buffer
		db, err := geo.Open(t.Context(), geo.Options{File: path, Dir: copies, Log: slog.New(slog.NewTextHandler(&log, nil)), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		go db.Watch(ctx)
		go func() {
			for ctx.Err() == nil {
				db.Lookup(netip.MustParseAddr("81.2.69.1"))
				select {
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
			}
		}()
		expect := func(when, city, fault string) {
			t.Helper()
			time.Sleep(11 * time.Second) // two looks
			synctest.Wait()
			i := db.Info()
			if got := db.Lookup(netip.MustParseAddr("81.2.69.1")).City; got != city || (fault == "") != (i.Fault == "") || !strings.Contains(i.Fault, fault) {
				t.Errorf("%s: city %q, fault %q, want %q, %q", when, got, i.Fault, city, fault)
			}
		}
		expect("at the start", "London", "")
		if left, _ := filepath.Glob(filepath.Join(copies, "*")); len(left) != 0 {
			t.Errorf("copies are left: %v", left)
		}
		write(t, path, second[:len(second)/2]) // in place: what was mapped is cut off
		expect("half written", "London", "invalid")
		write(t, path, second)
		expect("whole", "Leeds", "")
		lying := bytes.Clone(first)
		binary.BigEndian.PutUint32(lying[8*40:], 0xfffffff0)
		write(t, path, lying)
		expect("damaged", "Leeds", "beyond the data")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		expect("gone", "Leeds", "beyond the data")
		write(t, path+".new", first)
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		expect("renamed to", "London", "")
		if err := db.Reload(ctx, filepath.Join(copies, "none")); err == nil {
			t.Error("a file that is not there is opened")
		}
		expect("moved to nowhere", "London", "no such file")
		if err := db.Reload(ctx, ""); err != nil {
			t.Error(err)
		}
		expect("embedded", "", "")
		stop()
		synctest.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if got := db.Lookup(netip.MustParseAddr("81.2.69.1")); got != (geo.Place{}) {
			t.Errorf("after the end: %+v", got)
		}
		if n := strings.Count(log.String(), "level=ERROR"); n != 3 {
			t.Errorf("%d errors are logged, want 3, one for each file that cannot be used:\n%s", n, log.String())
		}
	})
}

// hostile are files that lie about what is in them.
func hostile() map[string][]byte {
	whole := geotest.Cities(geotest.MaxMind, built, networks)
	change := func(at int, v uint32) []byte {
		out := bytes.Clone(whole)
		binary.BigEndian.PutUint32(out[at:], v)
		return out
	}
	one := func(value []byte) []byte {
		return geotest.Database("city", built, map[string][]byte{"81.2.69.0/24": value})
	}
	return map[string][]byte{
		"empty":                      {},
		"metadata alone":             whole[bytes.LastIndex(whole, []byte(geotest.Marker)):],
		"no end":                     whole[:len(whole)-40],
		"no beginning":               whole[200:],
		"node beyond the tree":       change(8*20, 0x7fffffff),
		"pointer into the separator": change(8*20, uint32(bytes.Index(whole, make([]byte, 16))/8)+3), // small
		"pointer to itself":          one(geotest.Pointer(0)),
		"pointers in a circle":       one(append(geotest.Pointer(5), geotest.Pointer(0)...)),
		"pointer beyond":             one(geotest.Map("country", geotest.Pointer(1<<30))),
		"map of millions":            one([]byte{7<<5 | 31, 0xff, 0xff, 0xff}),
		"text of megabytes":          one(geotest.Map("country_code", []byte{2<<5 | 31, 0xff, 0xff, 0xff})),
	}
}

func TestHostile(t *testing.T) {
	for name, data := range hostile() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "city.mmdb")
			write(t, path, data)
			if err := geo.Check(t.Context(), path); err == nil {
				t.Error("is not refused")
			}
		})
	}
	// A tree that leads in circles costs no more than its size, and no lookup goes round forever.
	t.Run("circles", func(t *testing.T) {
		data := geotest.Cities(geotest.MaxMind, built, networks)
		binary.BigEndian.PutUint32(data[0:], 0)
		binary.BigEndian.PutUint32(data[4:], 0)
		db := opened(t, data)
		if got := db.Lookup(netip.MustParseAddr("2a02:26f7::1")); got.Country != "" {
			t.Errorf("found %+v", got)
		}
	})
	t.Run("deep", func(t *testing.T) { // nothing asks for what is down there
		deep := geotest.Text("x")
		for range 600 {
			deep = geotest.Map("country", deep)
		}
		db := opened(t, geotest.Database("city", built, map[string][]byte{"81.2.69.0/24": deep}))
		if got := db.Lookup(netip.MustParseAddr("81.2.69.1")); got != (geo.Place{}) {
			t.Errorf("found %+v", got)
		}
	})
	t.Run("folder", func(t *testing.T) {
		if err := geo.Check(t.Context(), t.TempDir()); err == nil {
			t.Error("is not refused")
		}
	})
}

func FuzzDatabase(f *testing.F) {
	for _, data := range hostile() {
		f.Add(data)
	}
	for _, layout := range []geotest.Layout{geotest.MaxMind, geotest.DBIP, geotest.Flat} {
		f.Add(geotest.Cities(layout, built, map[string]geotest.City{"81.2.69.0/24": networks["81.2.69.0/24"]}))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		db, err := geo.FromBytes(b)
		if err != nil {
			return
		}
		_ = db.Scan(t.Context())
		for _, ip := range []string{"81.2.69.142", "2001:4860::1"} {
			p := db.Lookup(netip.MustParseAddr(ip))
			if len(p.City) > 256 || strings.ContainsAny(p.City, "\x00\n") || p.Located && (math.Abs(p.Lat) > 90 || math.Abs(p.Lng) > 180) {
				t.Errorf("%+v", p)
			}
		}
		db.Cities("GB", []string{"London"})
		db.Nearest(51, 0)
	})
}
