// Package geo finds the place of an internet address in a database of MaxMind's format: one of the operator's, with countries or with
// cities, or the one of countries embedded at build time (data/README.md says where that comes from).
package geo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"reflect"
	"sync"
	"time"
	"unsafe"
)

// embedded holds country.mmdb when it was there at build time.
//
//go:embed data
var embedded embed.FS

const embeddedName = "data/country.mmdb"

// Options configure Open.
type Options struct {
	// File is a database of the operator's; "" means the embedded one.
	File string
	// Dir is a folder for private copies of File, which keep a file that is written over from harming lookups; "" means that File
	// does not change.
	Dir string
	// Log gets what becomes of the database; nil is none.
	Log *slog.Logger
	// Now is the time; nil is none.
	Now func() time.Time
}

// DB finds places. It is safe for concurrent use.
type DB struct {
	o Options

	// changing is held while the database is changed; locked before mu.
	changing sync.Mutex
	mu       sync.RWMutex // guards what follows
	s        *source      // nil when there is no database
	closed   bool
	tried    stamp  // the file that was looked at last
	fault    string // why that is not in use; "" = it is
}

// Open opens the database. A file that cannot be read is an error; an absent embedded one is not: lookups then find nothing.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	db := &DB{o: o}
	if o.Dir != "" {
		if err := dropCopies(o.Dir); err != nil {
			return nil, fmt.Errorf("remove old copies of the geo database: %w", err)
		}
	}
	s, err := db.open(o.File)
	if err != nil {
		return nil, err
	}
	if s == nil {
		o.Log.WarnContext(ctx, "built without a country database, addresses give no country")
		return db, nil
	}
	db.s, db.tried = s, s.file
	return db, nil
}

// open opens a file, or the embedded database, nil where there is none.
func (db *DB) open(file string) (*source, error) {
	if file != "" {
		s, err := openFile(file, db.o.Dir)
		if err != nil {
			return nil, fmt.Errorf("open geo database %s: %w", file, err)
		}
		s.loaded = db.o.Now()
		return s, nil
	}
	b, err := view(embedded, embeddedName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // there is none
	}
	if err != nil {
		return nil, fmt.Errorf("read embedded country database: %w", err)
	}
	s, err := openBytes(b)
	if err != nil {
		return nil, fmt.Errorf("open embedded country database: %w", err)
	}
	s.flat, s.loaded = true, db.o.Now()
	return s, nil
}

// FromBytes opens a database held in b, which must not change afterwards.
func FromBytes(b []byte) (*DB, error) {
	s, err := openBytes(b)
	if err != nil {
		return nil, fmt.Errorf("open geo database: %w", err)
	}
	return &DB{s: s, o: Options{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Time{} }}}, nil
}

// Close releases the database. Lookups then find nothing.
func (db *DB) Close() error {
	db.changing.Lock()
	defer db.changing.Unlock()
	db.mu.Lock()
	s := db.s
	db.s, db.closed = nil, true
	db.mu.Unlock()
	if s == nil {
		return nil
	}
	if err := s.close(); err != nil {
		return fmt.Errorf("close geo database: %w", err)
	}
	return nil
}

// Info says which database is in use.
type Info struct {
	// Kind is what the maker calls it, File where it was read; "" = the embedded one.
	Kind, File string
	// Built is when it was made, Loaded since when it is in use; the zero time when there is none.
	Built, Loaded time.Time
	// Bytes is its size, Cities how many it knows.
	Bytes  int64
	Cities int
	// Ready says that its records have been read.
	Ready bool
	// Fault says why a newer file is not in use; "" = there is none.
	Fault string
}

// Info returns which database is in use.
func (db *DB) Info() Info {
	db.mu.RLock()
	defer db.mu.RUnlock()
	out := Info{Fault: db.fault}
	s := db.s
	if s == nil {
		return out
	}
	out.Kind, out.File, out.Built, out.Loaded, out.Bytes = clean(s.r.Metadata.DatabaseType), s.file.path, s.r.Metadata.BuildTime().UTC(), s.loaded, int64(len(s.all))
	if s.cities != nil {
		out.Ready, out.Cities = true, len(s.cities.list)
	}
	return out
}

// Lookup returns the place of an address. It is nowhere when the country is unknown, and for addresses that belong to no country: private,
// loopback, link-local, shared, multicast.
func (db *DB) Lookup(ip netip.Addr) Place {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || shared(ip) {
		return Place{}
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.s == nil {
		return Place{}
	}
	return db.s.lookup(ip)
}

// Cities returns the cities of a country that have one of some names, and the names of its regions by their codes. Both are empty before
// the records have been read, and where the database has countries alone.
func (db *DB) Cities(country string, names []string) ([]City, map[string]string) {
	if l := db.known(); l != nil {
		return l.named(country, names), l.regionsOf(country)
	}
	return nil, nil
}

// Nearest returns the city next to a point, and how far it is, in kilometres; false where the database knows none.
func (db *DB) Nearest(lat, lng float64) (City, float64, bool) {
	if l := db.known(); l != nil {
		return l.nearest(lat, lng)
	}
	return City{}, 0, false
}

// known returns the cities, which outlive the database that they were read from; nil when there are none.
func (db *DB) known() *cities {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.s == nil {
		return nil
	}
	return db.s.cities
}

// shared reports whether ip is in 100.64.0.0/10, which carriers use inside their networks.
func shared(ip netip.Addr) bool {
	if !ip.Is4() {
		return false
	}
	b := ip.As4()
	return b[0] == 100 && b[1]&0xc0 == 64
}

// view returns an embedded file without copying it, so that its pages stay in
// the binary and only those in use take memory. Package embed offers copies
// only; should its layout ever change, view falls back to one.
func view(files embed.FS, name string) ([]byte, error) {
	if s, ok := embeddedText(files, name); ok && s != "" {
		return unsafe.Slice(unsafe.StringData(s), len(s)), nil
	}
	return files.ReadFile(name)
}

// embeddedText reads FS.files[i].data by reflection, which allows reading
// unexported texts.
func embeddedText(files embed.FS, name string) (string, bool) {
	list := reflect.ValueOf(files).FieldByName("files")
	if !list.IsValid() || list.Kind() != reflect.Pointer || list.IsNil() || list.Elem().Kind() != reflect.Slice {
		return "", false
	}
	for i := range list.Elem().Len() {
		f := list.Elem().Index(i)
		if f.Kind() != reflect.Struct {
			return "", false
		}
		n, data := f.FieldByName("name"), f.FieldByName("data")
		if n.Kind() != reflect.String || data.Kind() != reflect.String {
			return "", false
		}
		if n.String() == name {
			return data.String(), true
		}
	}
	return "", false
}
