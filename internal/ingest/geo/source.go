package geo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/oschwald/maxminddb-golang/v2"
	"golang.org/x/sys/unix"
)

// copyPattern names the private copies of databases while they are made.
const copyPattern = "geo-*.mmdb.tmp"

// source is one opened database. Lookups are safe for concurrent use, until it is closed.
type source struct {
	r      *maxminddb.Reader
	all    []byte
	mapped bool // all is to be unmapped
	// flat says that records have the code of a country and nothing else: those of the embedded database.
	flat   bool
	file   stamp
	loaded time.Time
	// cities is nil until the records have been read.
	cities *cities
}

// stamp is what tells versions of a file apart.
type stamp struct {
	path string
	size int64
	mod  time.Time
}

func stampOf(path string) (stamp, error) {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{path: path}, err
	}
	return stamp{path, st.Size(), st.ModTime()}, nil
}

// maxFile bounds a database; the largest that are sold have some gigabytes.
const maxFile = 16 << 30

// openFile maps a database. With a folder, it maps a copy there that has no name: overwriting the operator's file does not change
// the database in use.
func openFile(path, dir string) (*source, error) {
	mark, err := stampOf(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path) // the operator names it
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	if dir != "" {
		c, err := copied(f, dir)
		if err != nil {
			return nil, err
		}
		defer c.Close() //nolint:errcheck // the mapping holds it
		f = c
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() == 0 || st.Size() > maxFile || !st.Mode().IsRegular() {
		return nil, fmt.Errorf("no database: a file of %d bytes, mode %s", st.Size(), st.Mode().Type())
	}
	all, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	s, err := openBytes(all)
	if err != nil {
		return nil, errors.Join(err, unix.Munmap(all))
	}
	s.mapped, s.file = true, mark
	return s, nil
}

// copied returns a copy of a file that goes with its last user. The caller closes it.
func copied(from *os.File, dir string) (_ *os.File, err error) {
	to, err := os.CreateTemp(dir, copyPattern)
	if err != nil {
		return nil, fmt.Errorf("copy the database: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, to.Close())
		}
	}()
	if err := os.Remove(to.Name()); err != nil {
		return nil, fmt.Errorf("copy the database: %w", err)
	}
	if n, err := io.Copy(to, io.LimitReader(from, maxFile)); err != nil {
		return nil, fmt.Errorf("copy the database: after %d bytes: %w", n, err)
	}
	return to, nil
}

// dropCopies removes the copies that a process left which ended while it made one.
func dropCopies(dir string) error {
	list, err := filepath.Glob(filepath.Join(dir, copyPattern))
	for _, name := range list {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// openBytes opens a database held in b.
func openBytes(b []byte) (*source, error) {
	r, err := maxminddb.OpenBytes(b)
	if err != nil {
		return nil, err
	}
	switch r.Metadata.RecordSize {
	case 24, 28, 32:
	default:
		return nil, fmt.Errorf("records of %d bits", r.Metadata.RecordSize)
	}
	return &source{r: r, all: b}, nil
}

func (s *source) close() error {
	if !s.mapped {
		return nil
	}
	s.mapped = false
	return unix.Munmap(s.all)
}

// data returns how many bytes of data there are. openBytes has seen that they are inside the file.
func (s *source) data() uint64 {
	m := s.r.Metadata
	return uint64(bytes.LastIndex(s.all, []byte("\xab\xcd\xefMaxMind.com"))) - uint64(m.NodeCount)*uint64(m.RecordSize)/4 - separator // it was found
}

// Place is where an address is. The zero value is nowhere known.
type Place struct {
	// Country is an ISO 3166 code of two capital letters, Region what the database tells regions of the country apart by: the second
	// part of an ISO 3166-2 code, or a name. City is the English name.
	Country, Region, City string
	// Lat and Lng are degrees, where Located says that they are known.
	Lat, Lng float64
	Located  bool
}

// lookup finds the place of an address.
func (s *source) lookup(ip netip.Addr) Place {
	res := s.r.Lookup(ip)
	if s.flat {
		var text string
		if err := res.DecodePath(&text, "country_code"); err != nil {
			return Place{}
		}
		return Place{Country: code(text)}
	}
	p, _, err := s.read(res)
	if err != nil {
		return Place{}
	}
	return p
}

// read reads a record, in MaxMind's own layout or as fields beside each other, and the name of its region. What has another type than
// expected is not known; an error is a record that cannot be read at all.
func (s *source) read(res maxminddb.Result) (p Place, region string, err error) {
	if err := res.Err(); err != nil || !res.Found() {
		return Place{}, "", err
	}
	text := func(path ...any) string {
		var out string
		if e := res.DecodePath(&out, path...); e != nil && err == nil && !mistyped(e) {
			err = e
		}
		return clean(out)
	}
	number := func(path ...any) (float64, bool) {
		var out *float64
		if e := res.DecodePath(&out, path...); e != nil && err == nil && !mistyped(e) {
			err = e
		}
		if out == nil {
			return 0, false
		}
		return *out, true
	}
	var lat, lng float64
	var ok, also bool
	if flat := text("country_code"); flat != "" {
		p.Country, p.City, region = code(flat), text("city"), text("state1")
		p.Region = region
		lat, ok = number("latitude")
		lng, also = number("longitude")
	} else {
		p.Country, p.City, region = code(text("country", "iso_code")), text("city", "names", "en"), text("subdivisions", 0, "names", "en")
		if p.Region = text("subdivisions", 0, "iso_code"); p.Region == "" {
			p.Region = region
		}
		lat, ok = number("location", "latitude")
		lng, also = number("location", "longitude")
	}
	if p.Country == "" {
		return Place{}, "", err
	}
	if ok && also && lat >= -90 && lat <= 90 && lng >= -180 && lng <= 180 {
		p.Lat, p.Lng, p.Located = lat, lng, true
	}
	return p, region, err
}

// mistyped reports whether a value has another type than was asked for.
func mistyped(err error) bool {
	_, ok := errors.AsType[maxminddb.UnmarshalTypeError](err)
	return ok
}

// code returns a country's code, "" for what is none.
func code(s string) string {
	if len(s) != 2 || s[0] < 'A' || s[0] > 'Z' || s[1] < 'A' || s[1] > 'Z' || s == "ZZ" {
		return ""
	}
	return s
}

// maxName bounds names, in bytes, as those that SDKs send.
const maxName = 256

// clean returns a name as it may be stored: valid text without control characters.
func clean(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
	if len(s) > maxName {
		s = strings.ToValidUTF8(s[:maxName], "")
	}
	return s
}
