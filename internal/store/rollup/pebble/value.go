package pebble

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
)

// valueVersion is the first byte of every value.
const valueVersion byte = 1

// Presence bits, the second byte of a value. A field without its bit is zero.
const (
	hasFirst byte = 1 << iota
	hasCount
	hasNew
	hasRequests
	hasSumValue
	hasDurValue
	hasReplacements
	hasUsers
)

// errValue is wrapped by every error about bytes that are no value of the layout.
var errValue = errors.New("rollup: malformed value")

// encoder builds values in a buffer that it keeps. It is an io.Writer so that
// bitmaps serialise straight into the buffer.
type encoder struct{ buf []byte }

// Write appends p.
func (e *encoder) Write(p []byte) (int, error) {
	e.buf = append(e.buf, p...)
	return len(p), nil
}

// encode replaces the buffer by the value of c and its replacements.
func (e *encoder) encode(c *rollup.Cell, r replacements) error {
	var bits byte
	b := append(e.buf[:0], valueVersion, 0, c.Flags)
	if c.First != 0 {
		bits |= hasFirst
		b = binary.AppendUvarint(b, c.First)
	}
	if c.Count != 0 {
		bits |= hasCount
		b = binary.AppendVarint(b, c.Count)
	}
	if c.New != 0 {
		bits |= hasNew
		b = binary.AppendVarint(b, c.New)
	}
	if c.Requests != 0 {
		bits |= hasRequests
		b = binary.AppendVarint(b, c.Requests)
	}
	if c.Sum != 0 {
		bits |= hasSumValue
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.Sum))
	}
	if c.Dur != 0 {
		bits |= hasDurValue
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.Dur))
	}
	if len(r) > 0 {
		bits |= hasReplacements
		b = r.append(b)
	}
	e.buf = b
	if c.Users != nil && !c.Users.IsEmpty() {
		bits |= hasUsers
		if _, err := c.Users.WriteTo(e); err != nil {
			return fmt.Errorf("rollup: write users: %w", err)
		}
	}
	e.buf[1] = bits
	return nil
}

// decodeAll is decode that also looks into every container of the users. That costs more than all
// else a read does with a large set, so reads rely on the checksums of the blocks.
func decodeAll(b []byte, c *rollup.Cell, users *roaring.Bitmap) (replacements, error) {
	r, err := decode(b, c, users)
	if err == nil && c.Users != nil {
		err = c.Users.Validate()
	}
	if err != nil && !errors.Is(err, errValue) {
		err = fmt.Errorf("%w: users: %w", errValue, err)
	}
	return r, err
}

// decode reads a value into c. The users are read into users and refer to b,
// which must not change while they, or anything made from them, are in use.
func decode(b []byte, c *rollup.Cell, users *roaring.Bitmap) (replacements, error) {
	r, set, err := decodeCounters(b, c)
	if err != nil || set == nil {
		return r, err
	}
	if err := readUsers(users, set); err != nil {
		return nil, err
	}
	c.Users = users
	return r, nil
}

// readUsers makes users refer to their serialised form.
func readUsers(users *roaring.Bitmap, set []byte) error {
	n, err := users.FromBuffer(set)
	if err != nil {
		return fmt.Errorf("%w: users: %w", errValue, err)
	}
	if n != int64(len(set)) {
		return fmt.Errorf("%w: %d bytes after the users", errValue, int64(len(set))-n)
	}
	return nil
}

// decodeCounters reads a value into c, without its users, and returns their
// serialised form, a part of b; nil when there are none. Counters and sums that were stored without
// bounds come within MaxCount and MaxSum.
func decodeCounters(b []byte, c *rollup.Cell) (r replacements, users []byte, err error) {
	*c = rollup.Cell{}
	if len(b) < 3 {
		return nil, nil, fmt.Errorf("%w: %d bytes", errValue, len(b))
	}
	if b[0] != valueVersion {
		return nil, nil, fmt.Errorf("%w: version %d", errValue, b[0])
	}
	bits := b[1]
	c.Flags = b[2]
	d := decoder{b: b[3:]}
	if bits&hasFirst != 0 {
		c.First = d.uvarint()
	}
	if bits&hasCount != 0 {
		c.Count = rollup.AddCount(d.varint(), 0)
	}
	if bits&hasNew != 0 {
		c.New = rollup.AddCount(d.varint(), 0)
	}
	if bits&hasRequests != 0 {
		c.Requests = rollup.AddCount(d.varint(), 0)
	}
	if bits&hasSumValue != 0 {
		c.Sum = rollup.AddSum(d.float(), 0)
	}
	if bits&hasDurValue != 0 {
		c.Dur = rollup.AddSum(d.float(), 0)
	}
	if bits&hasReplacements != 0 {
		r = d.replacements()
	}
	if d.bad {
		return nil, nil, fmt.Errorf("%w: truncated counters", errValue)
	}
	switch {
	case bits&hasUsers == 0 && len(d.b) != 0:
		return nil, nil, fmt.Errorf("%w: %d bytes too many", errValue, len(d.b))
	case bits&hasUsers == 0:
		return r, nil, nil
	case len(d.b) == 0:
		return nil, nil, fmt.Errorf("%w: users are missing", errValue)
	}
	return r, d.b, nil
}

// countUsers counts a serialised set. It reads the set's header, where every container
// tells its size, and the end of the last container, and nothing else.
func countUsers(b []byte) (rollup.UserCount, error) {
	const (
		plain    = 12346 // the cookies of the portable format of Roaring bitmaps
		withRuns = 12347
		maxArray = 4096 // users of an array, more are bits
		bitBytes = 8192
	)
	var n rollup.UserCount
	if len(b) < 4 {
		return n, fmt.Errorf("%w: users have %d bytes", errValue, len(b))
	}
	var (
		containers, at int
		runs           bool // in the last container
	)
	switch cookie := binary.LittleEndian.Uint32(b); {
	case cookie&0xffff == withRuns:
		containers = int(cookie>>16) + 1
		at = 4 + (containers+7)/8
		last := containers - 1
		runs = len(b) > at && b[4+last/8]>>(last%8)&1 != 0
	case cookie == plain && len(b) >= 8:
		containers = int(binary.LittleEndian.Uint32(b[4:]))
		at = 8
	default:
		return n, fmt.Errorf("%w: users begin with %#x", errValue, cookie)
	}
	if containers > 1<<16 || len(b) < at+4*containers {
		return n, fmt.Errorf("%w: header of users is truncated", errValue)
	}
	var high, size int // of the last container
	for ; containers > 0; containers-- {
		high, size = int(binary.LittleEndian.Uint16(b[at:])), int(binary.LittleEndian.Uint16(b[at+2:]))+1
		n.N += uint64(size) // at most 65,536
		at += 4
	}
	if size == 0 {
		return n, nil
	}
	var low int
	end := b[at:]
	switch {
	case runs && len(end) >= 4: // start and length of the last run
		low = int(binary.LittleEndian.Uint16(end[len(end)-4:])) + int(binary.LittleEndian.Uint16(end[len(end)-2:]))
	case !runs && size <= maxArray && len(end) >= 2:
		low = int(binary.LittleEndian.Uint16(end[len(end)-2:]))
	case !runs && size > maxArray && len(end) >= bitBytes:
		set := end[len(end)-bitBytes:]
		for low = 1<<16 - 1; low > 0 && set[low/8]>>(low%8)&1 == 0; low-- {
		}
	default:
		return n, fmt.Errorf("%w: users are truncated", errValue)
	}
	n.Largest = uint32(high<<16 | low&0xffff) // two halves of 16 bits
	return n, nil
}

// decoder takes fields from the front of b; after a failure bad is set and
// all further fields are zero.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) float() float64 {
	if len(d.b) < 8 {
		d.bad, d.b = true, nil
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(d.b))
	d.b = d.b[8:]
	return v
}

func (d *decoder) replacements() replacements {
	n := d.uvarint()
	if n == 0 || n > uint64(len(d.b))/2 {
		d.bad, d.b = true, nil
		return nil
	}
	r := make(replacements, 0, n)
	var old uint64
	for i := range n {
		step := d.uvarint()
		old += step
		to := d.uvarint()
		if d.bad || step > math.MaxUint32 || old > math.MaxUint32 || to > math.MaxUint32 || (i > 0 && step == 0) {
			d.bad, d.b = true, nil
			return nil
		}
		r = append(r, rollup.Alias{Old: uint32(old), New: uint32(to)})
	}
	return r
}
