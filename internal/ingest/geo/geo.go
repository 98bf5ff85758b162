// Package geo tells the country of an internet address from a database in
// MaxMind's format: one of the operator's, or the one embedded at build time
// (data/README.md says where it comes from).
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
	"time"
	"unsafe"

	"github.com/oschwald/maxminddb-golang/v2"
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
	// Log gets one warning when there is no database; nil is none.
	Log *slog.Logger
}

// DB finds countries. It is safe for concurrent use.
type DB struct {
	r *maxminddb.Reader // nil when there is no database
}

// Open opens the database. A file that cannot be read is an error; an absent
// embedded one is not: lookups then find nothing.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.File != "" {
		r, err := maxminddb.Open(o.File)
		if err != nil {
			return nil, fmt.Errorf("open country database %s: %w", o.File, err)
		}
		return &DB{r: r}, nil
	}
	b, err := view(embedded, embeddedName)
	if errors.Is(err, fs.ErrNotExist) {
		if o.Log != nil {
			o.Log.WarnContext(ctx, "built without a country database, addresses give no country")
		}
		return &DB{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read embedded country database: %w", err)
	}
	return FromBytes(b)
}

// FromBytes opens a database held in b, which must not change afterwards.
func FromBytes(b []byte) (*DB, error) {
	r, err := maxminddb.OpenBytes(b)
	if err != nil {
		return nil, fmt.Errorf("open country database: %w", err)
	}
	return &DB{r: r}, nil
}

// Close releases the database; no lookup may be under way or follow.
func (db *DB) Close() error {
	if db.r == nil {
		return nil
	}
	if err := db.r.Close(); err != nil {
		return fmt.Errorf("close country database: %w", err)
	}
	return nil
}

// Built returns when the database was made; the zero time when there is none.
func (db *DB) Built() time.Time {
	if db.r == nil {
		return time.Time{}
	}
	return db.r.Metadata.BuildTime().UTC()
}

// Lookup returns the ISO 3166 alpha-2 code of an address's country in upper
// case. It is "" when the country is unknown, and for addresses that belong to
// no country: private, loopback, link-local, shared, multicast.
func (db *DB) Lookup(ip netip.Addr) string {
	ip = ip.Unmap().WithZone("")
	if db.r == nil || !ip.IsGlobalUnicast() || ip.IsPrivate() || shared(ip) {
		return ""
	}
	res := db.r.Lookup(ip)
	var code string
	if err := res.DecodePath(&code, "country_code"); err != nil || code == "" {
		if err := res.DecodePath(&code, "country", "iso_code"); err != nil { // MaxMind's own layout
			return ""
		}
	}
	if len(code) != 2 || code[0] < 'A' || code[0] > 'Z' || code[1] < 'A' || code[1] > 'Z' || code == "ZZ" {
		return ""
	}
	return code
}

// shared reports whether ip is in 100.64.0.0/10, which carriers use inside
// their networks.
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
