package request

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"net/netip"
	"unsafe"

	"quipu/internal/model"
)

// version is the first byte of every record.
const version = 1

// The bits of a record's field mask, in the order in which fields follow.
const (
	hasIP uint64 = 1 << iota
	hasUserAgent
	hasPicture
	hasParams
	hasProfile
	hasSession
	hasEvent
	hasNames
	hasUIDs
	hasJSON
	hasPrint
	pictureLeftOut
	maskEnd
)

// errShort says that a record ends in the middle of a field.
var errShort = errors.New("record breaks off")

// Append appends the byte form of r (docs/format/journal.md) to dst and
// returns the result. A zone of the address is not kept.
func Append(dst []byte, r *Record) []byte {
	var mask uint64
	set := func(bit uint64, on bool) {
		if on {
			mask |= bit
		}
	}
	set(hasIP, r.IP.IsValid())
	set(hasUserAgent, r.UserAgent != "")
	set(hasPicture, r.Picture != "")
	set(hasParams, len(r.Params) > 0)
	set(hasProfile, r.Profile != model.ProfileID{})
	set(hasSession, r.Session != 0)
	set(hasEvent, r.Event != "")
	set(hasNames, len(r.Names) > 0)
	set(hasUIDs, len(r.UIDs) > 0)
	set(hasJSON, len(r.JSON) > 0)
	set(hasPrint, r.Print != [16]byte{})
	set(pictureLeftOut, r.PictureLeftOut && r.Picture != "")

	dst = append(dst, version, byte(r.Kind))
	dst = append(dst, r.App[:]...)
	dst = binary.AppendVarint(dst, r.Received)
	dst = binary.AppendUvarint(dst, mask)
	if mask&hasIP != 0 {
		if r.IP.Is4() {
			a := r.IP.As4()
			dst = append(dst, 4)
			dst = append(dst, a[:]...)
		} else {
			a := r.IP.As16()
			dst = append(dst, 16)
			dst = append(dst, a[:]...)
		}
	}
	if mask&hasUserAgent != 0 {
		dst = appendText(dst, r.UserAgent)
	}
	if mask&hasPicture != 0 {
		dst = appendText(dst, r.Picture)
	}
	if mask&hasParams != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(r.Params)))
		for i := range r.Params {
			p := &r.Params[i]
			n := uint64(len(p.Name)) << 1
			if p.JSON {
				n |= 1
			}
			dst = binary.AppendUvarint(dst, n)
			dst = append(dst, p.Name...)
			dst = binary.AppendUvarint(dst, uint64(len(p.Value)))
			dst = append(dst, p.Value...)
		}
	}
	if mask&hasProfile != 0 {
		dst = append(dst, r.Profile[:]...)
	}
	if mask&hasSession != 0 {
		dst = binary.AppendUvarint(dst, r.Session)
	}
	if mask&hasEvent != 0 {
		dst = appendText(dst, r.Event)
	}
	if mask&hasNames != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(r.Names)))
		for _, name := range r.Names {
			dst = appendText(dst, name)
		}
	}
	if mask&hasUIDs != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(r.UIDs)))
		for _, uid := range r.UIDs {
			dst = binary.AppendUvarint(dst, uint64(uid))
		}
	}
	if mask&hasJSON != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(r.JSON)))
		dst = append(dst, r.JSON...)
	}
	if mask&hasPrint != 0 {
		dst = append(dst, r.Print[:]...)
	}
	return dst
}

// Size returns a bound of what Append adds for the record of a client, bytes.
func Size(r *Record) int {
	const fixed, perParam = 96, 2 * binary.MaxVarintLen64
	n := fixed + len(r.UserAgent) + len(r.Picture)
	for i := range r.Params {
		n += perParam + len(r.Params[i].Name) + len(r.Params[i].Value)
	}
	return n
}

func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// Decode reads what Append wrote into r, whose earlier content is replaced
// and whose slices are reused. Strings and byte slices of r alias b: they are
// valid while b is neither changed nor reused. Only the exact output of Append
// is accepted.
func Decode(b []byte, r *Record) error {
	params, names, uids := r.Params[:0], r.Names[:0], r.UIDs[:0]
	*r = Record{}
	d := reader{b: b}
	if v := d.byte(); d.err == nil && v != version {
		return fmt.Errorf("decode record: version %d is unknown", v)
	}
	r.Kind = Kind(d.byte())
	copy(r.App[:], d.take(uint64(len(r.App))))
	r.Received = d.varint()
	mask := d.uvarint()
	if mask >= maskEnd {
		d.fail("unknown fields")
	}
	if mask&hasIP != 0 {
		switch n := d.byte(); n {
		case 4:
			r.IP, _ = netip.AddrFromSlice(d.take(4))
		case 16:
			r.IP, _ = netip.AddrFromSlice(d.take(16))
		default:
			d.fail("address of wrong length")
		}
	}
	if mask&hasUserAgent != 0 {
		r.UserAgent = d.text()
	}
	if mask&hasPicture != 0 {
		r.Picture = d.text()
	}
	if r.PictureLeftOut = mask&pictureLeftOut != 0; r.PictureLeftOut && r.Picture == "" {
		d.fail("no picture that was left out")
	}
	if mask&hasParams != 0 {
		for range d.count(2) {
			n := d.uvarint()
			name := alias(d.take(n >> 1))
			value := d.take(d.uvarint())
			params = append(params, Param{Name: name, Value: value, JSON: n&1 == 1})
			if d.err != nil {
				break
			}
		}
		r.Params = params
	}
	if mask&hasProfile != 0 {
		copy(r.Profile[:], d.take(uint64(len(r.Profile))))
		if (r.Profile == model.ProfileID{}) {
			d.fail("empty field")
		}
	}
	if mask&hasSession != 0 {
		if r.Session = d.uvarint(); r.Session == 0 {
			d.fail("empty field")
		}
	}
	if mask&hasEvent != 0 {
		r.Event = d.text()
	}
	if mask&hasNames != 0 {
		for range d.count(1) {
			names = append(names, alias(d.take(d.uvarint())))
			if d.err != nil {
				break
			}
		}
		r.Names = names
	}
	if mask&hasUIDs != 0 {
		for range d.count(1) {
			uid := d.uvarint()
			if uid > math.MaxUint32 {
				d.fail("user number out of range")
			}
			if d.err != nil {
				break
			}
			uids = append(uids, uint32(uid))
		}
		r.UIDs = uids
	}
	if mask&hasJSON != 0 {
		n := d.uvarint()
		if n == 0 {
			d.fail("empty field")
		}
		r.JSON = d.take(n)
	}
	if mask&hasPrint != 0 {
		copy(r.Print[:], d.take(uint64(len(r.Print))))
		if r.Print == [16]byte{} {
			d.fail("empty field")
		}
	}
	if len(d.b) > 0 {
		d.fail("bytes behind the record")
	}
	if d.err != nil {
		*r = Record{}
		return fmt.Errorf("decode record: %w", d.err)
	}
	return nil
}

// reader takes fields off the front of b; after the first fault everything
// read is zero.
type reader struct {
	b   []byte
	err error
}

func (d *reader) fail(text string) {
	if d.err == nil {
		d.err = errors.New(text)
	}
}

func (d *reader) take(n uint64) []byte {
	if d.err != nil {
		return nil
	}
	if n > uint64(len(d.b)) {
		d.err = errShort
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *reader) byte() byte {
	if v := d.take(1); len(v) == 1 {
		return v[0]
	}
	return 0
}

func (d *reader) uvarint() uint64 {
	if d.err != nil {
		return 0
	}
	v, n := binary.Uvarint(d.b)
	switch {
	case n == 0:
		d.err = errShort
		return 0
	case n < 0 || n > 1 && bits.Len64(v) <= 7*(n-1):
		d.fail("malformed number")
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *reader) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads the length of a list whose elements take at least size bytes each.
func (d *reader) count(size uint64) uint64 {
	n := d.uvarint()
	if n == 0 {
		d.fail("empty field")
	}
	if d.err != nil {
		return 0
	}
	if n > uint64(len(d.b))/size {
		d.err = errShort
		return 0
	}
	return n
}

// text reads a text that is not empty.
func (d *reader) text() string {
	n := d.uvarint()
	if n == 0 {
		d.fail("empty field")
	}
	return alias(d.take(n))
}

func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
