package request

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"strings"

	"quipu/internal/ingest/rawjson"
)

// Printer makes fingerprints. It reuses its memory, so it is for one goroutine at a time; the zero
// value is ready.
type Printer struct {
	hash  hash.Hash
	buf   [512]byte
	n     int     // bytes of buf that are not hashed yet
	order []place // of parameters, by name
	sum   [sha256.Size]byte
}

// place is where a parameter stands. Names are compared by their first bytes, most often without looking at the rest.
type place struct {
	head uint64 // the first 8 bytes of the name
	i    uint16 // among the parameters as they came
}

// head returns the first 8 bytes of a name as a number that sorts as they do.
func head(name string) uint64 {
	if len(name) >= 8 {
		return binary.BigEndian.Uint64([]byte(name[:8]))
	}
	var b [8]byte
	copy(b[:], name)
	return binary.BigEndian.Uint64(b[:])
}

// Fingerprint identifies a client's request across re-sends: it covers the app, the
// device and every parameter except those that change between sends: the key of the app
// that was used, rr and the checksums. It depends neither on the order of the parameters nor
// on how they came: a value is the same as text and as JSON, and JSON is the same however
// blanks and escapes are written in it. It returns false for a request
// without a 13-digit millisecond timestamp, and for commands: two equal
// requests of that sort may both be meant.
//
// A request with OnceParam is identified by it alone, within its app.
//
// docs/format/journal.md has what is hashed.
func (d *Printer) Fingerprint(rec *Record) (fp [16]byte, ok bool) {
	if rec.Kind != Client {
		return fp, false
	}
	if once := rec.Param(OnceParam); once != nil {
		return d.once(rec, once), true
	}
	d.order = d.order[:0]
	for i := range rec.Params {
		p := &rec.Params[i]
		switch p.Name {
		case "app_key", "rr", "checksum", "checksum256", ReceiptParam:
			continue
		case "timestamp":
			ok = isMillis(p.Value)
		}
		d.order = append(d.order, place{head: head(p.Name), i: uint16(i)}) // the edge bounds the number of parameters far below
	}
	if !ok {
		return fp, false
	}
	slices.SortFunc(d.order, func(a, b place) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(rec.Params[a.i].Name, rec.Params[b.i].Name)
	})
	d.begin(rec)
	for _, at := range d.order {
		p := &rec.Params[at.i]
		d.addText(p.Name)
		d.length(len(p.Name))
		d.length(d.value(p.Value))
	}
	d.addText(rec.Picture)
	return d.end(), true
}

// once is the fingerprint of a request that names itself.
func (d *Printer) once(rec *Record, once []byte) [16]byte {
	d.begin(rec)
	for _, part := range [...][]byte{[]byte(OnceParam), once, rec.Param(OriginParam)} {
		d.add(part)
		d.length(len(part))
	}
	return d.end()
}

func (d *Printer) begin(rec *Record) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	d.hash.Reset()
	d.n = 0
	d.add(rec.App[:])
}

func (d *Printer) end() [16]byte {
	d.hash.Write(d.buf[:d.n])
	return [16]byte(d.hash.Sum(d.sum[:0]))
}

func (d *Printer) add(b []byte) {
	if len(b) > len(d.buf)-d.n {
		d.flush()
		if len(b) > len(d.buf) {
			d.hash.Write(b)
			return
		}
	}
	d.n += copy(d.buf[d.n:], b)
}

func (d *Printer) flush() {
	d.hash.Write(d.buf[:d.n])
	d.n = 0
}

func (d *Printer) addText(s string) {
	for len(s) > len(d.buf) {
		d.addText(s[:len(d.buf)])
		s = s[len(d.buf):]
	}
	if len(s) > len(d.buf)-d.n {
		d.flush()
	}
	d.n += copy(d.buf[d.n:], s)
}

// length adds a length behind what it is of.
func (d *Printer) length(n int) {
	if len(d.buf)-d.n < binary.MaxVarintLen64 {
		d.flush()
	}
	d.n += binary.PutUvarint(d.buf[d.n:], uint64(n)) // a length
}

// value adds a value and returns how many bytes it added. Of a JSON object or array, the blanks between its tokens are left out
// and its texts are written in one way.
func (d *Printer) value(v []byte) int {
	t := rawjson.Trim(v)
	switch kind := rawjson.KindOf(t); {
	case kind != rawjson.Object && kind != rawjson.Array:
		t = v
	case !canonical(t):
		return d.json(t)
	}
	d.add(t)
	return len(t)
}

// canonical reports that JSON is certainly in the form that json adds: no escapes, and no blanks outside of texts. It looks at
// eight bytes at a time, each of which has its mark in its highest bit.
func canonical(v []byte) bool {
	const each, low, high = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	if bytes.IndexByte(v, '\\') >= 0 {
		return false
	}
	open := uint64(0) // all marks when a text has begun that goes on
	for len(v) > 0 {
		var w uint64
		if len(v) >= 8 {
			w, v = binary.LittleEndian.Uint64(v), v[8:]
		} else {
			last := [8]byte{'0', '0', '0', '0', '0', '0', '0', '0'}
			copy(last[:], v)
			w, v = binary.LittleEndian.Uint64(last[:]), nil
		}
		quote := w ^ each*'"'
		text := ^(quote&low + low | quote) & high // the quotes
		// Each byte is in a text when the number of quotes up to it is odd.
		text ^= text << 8
		text ^= text << 16
		text ^= text << 32
		text ^= open
		if blank := (w - each*(' '+1)) &^ w & high; blank&^text != 0 {
			return false
		}
		open = high * (text >> 63)
	}
	return true
}

// json adds JSON, or what looks like it, in canonical form.
func (d *Printer) json(v []byte) (n int) {
	add := func(b []byte) {
		d.add(b)
		n += len(b)
	}
	start := 0 // of what is not added yet
	for i := 0; i < len(v); {
		switch v[i] {
		case ' ', '\n', '\t', '\r':
			add(v[start:i])
			i++
			start = i
		case '"':
			end, escaped := closing(v, i+1)
			if escaped {
				add(v[start:i])
				add(rawjson.AppendQuote(nil, rawjson.Unescape(nil, v[i+1:end])))
				start = min(end+1, len(v))
			}
			i = end + 1
		default:
			i++
		}
	}
	add(v[start:])
	return n
}

// closing returns where the quote stands that ends a JSON text which begins at i, or the length of v when none
// does, and whether there are escapes in the text.
func closing(v []byte, i int) (end int, escaped bool) {
	quote := -1 // the next from i on, once it is found; none is looked for twice, however many escapes there are
	for i < len(v) {
		if quote < i {
			if n := bytes.IndexByte(v[i:], '"'); n >= 0 {
				quote = i + n
			} else {
				quote = len(v)
			}
		}
		n := bytes.IndexByte(v[i:quote], '\\')
		if n < 0 {
			return quote, escaped
		}
		escaped = true
		i += n + 2
	}
	return len(v), escaped
}

// isMillis reports whether v is exactly 13 digits.
func isMillis(v []byte) bool {
	if len(v) != 13 || v[0] == '0' {
		return false
	}
	for _, c := range v {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
