package outbox

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"
	"unsafe"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

// The first byte of a stored part (docs/format/outbox.md). In a part of version 1 the rows come first,
// and their slots are not noted; such parts are read only.
const (
	partVersion byte = 2
	rowsFirst   byte = 1
)

// slotsLen is the size of the noted slots: text slots, number slots, one byte for other properties.
const slotsLen = 4 + 4 + 1

// rowWork is about what it takes to read a row.
const rowWork = 500 * time.Nanosecond

// appendPart appends the stored form of a part.
func appendPart(b []byte, p *Part) []byte {
	e := encoder{b: append(b, partVersion)}
	at := len(e.b)
	e.b = append(e.b, make([]byte, slotsLen)...)
	e.uint(uint64(p.Rows.n))
	e.uint(uint64(len(p.Requests)))
	for i := range p.Requests {
		r := &p.Requests[i]
		e.place(r.Offset, r.Item, r.TS, r.Received)
		e.uint(uint64(r.UID))
		e.uint(uint64(r.Flags))
		e.float(r.Dur)
	}
	e.last = place{}
	e.uint(uint64(len(p.States)))
	for i := range p.States {
		s := &p.States[i]
		e.uint(uint64(s.Number))
		e.uint(s.Offset)
		e.uint(uint64(s.UID))
		e.text(s.JSON)
	}
	e.uint(uint64(len(p.Users)))
	for i := range p.Users {
		e.b = append(e.b, p.Users[i][:]...)
	}
	e.uint(uint64(len(p.Gone)))
	for _, uid := range p.Gone {
		e.uint(uint64(uid))
	}
	e.uint(uint64(len(p.Rewrites)))
	for from, to := range p.Rewrites {
		e.uint(uint64(from))
		e.uint(uint64(to))
	}
	p.Rows.e.noteSlots(e.b[at:])
	return append(e.b, p.Rows.e.b...)
}

// place is what neighbours have nearly in common.
type place struct {
	offset uint64
	ts     int64
}

type encoder struct {
	b    []byte
	last place
	key  string // of the last row
	used events.Slots
}

// noteSlots writes the slots that the rows used to the room made for them.
func (e *encoder) noteSlots(b []byte) {
	binary.LittleEndian.PutUint32(b, e.used.Text)
	binary.LittleEndian.PutUint32(b[4:], e.used.Num)
	if e.used.Extra {
		b[8] = 1
	}
}

func (e *encoder) uint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)   { e.b = binary.AppendVarint(e.b, v) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

// float writes whole numbers short: the bytes of a float64 that are 0 are its last.
func (e *encoder) float(f float64) { e.uint(bits.ReverseBytes64(math.Float64bits(f))) }

func (e *encoder) place(offset uint64, item uint32, ts, received int64) {
	e.int(int64(offset - e.last.offset)) // wraps around, and back when it is read
	e.uint(uint64(item))
	e.int(ts - e.last.ts)
	e.int(received - ts)
	e.last = place{offset, ts}
}

// What a row has beside the fields that all have.
const (
	rowKey   = 1 << iota // a key other than that of the row before
	rowSum               // a sum
	rowDur               // a duration
	rowTime              // the device's hour and day of the week
	rowText              // text slots
	rowNum               // number slots
	rowExtra             // other properties
)

// row writes a row and returns where the number of its user stands.
func (e *encoder) row(r *events.Row) (user int) {
	var has byte
	var texts, nums uint32
	if r.Key != e.key {
		has |= rowKey
	}
	if math.Float64bits(r.Sum) != 0 {
		has |= rowSum
	}
	if math.Float64bits(r.Dur) != 0 {
		has |= rowDur
	}
	if r.Hour != -1 || r.Dow != -1 {
		has |= rowTime
	}
	for i := range r.Text { // by index: the arrays are not copied
		if r.Text[i] != nil {
			texts |= 1 << i
			has |= rowText
		}
	}
	for i := range r.Num {
		if r.Num[i] != nil {
			nums |= 1 << i
			has |= rowNum
		}
	}
	if r.Extra != "" {
		has |= rowExtra
	}
	e.used = e.used.Or(events.Slots{Text: texts, Num: nums, Extra: r.Extra != ""})
	e.b = append(e.b, has)
	e.place(r.Offset, r.Item, r.TS, r.Received)
	if has&rowKey != 0 {
		e.text(r.Key)
		e.key = r.Key
	}
	e.text(r.Name)
	user = len(e.b)
	e.uint(uint64(r.UID))
	e.uint(r.Session)
	e.uint(uint64(r.State))
	e.int(r.Count)
	if has&rowSum != 0 {
		e.float(r.Sum)
	}
	if has&rowDur != 0 {
		e.float(r.Dur)
	}
	if has&rowTime != 0 {
		e.b = append(e.b, byte(r.Hour), byte(r.Dow)) // the bits, which come back
	}
	if has&rowText != 0 {
		e.uint(uint64(texts))
		for ; texts != 0; texts &= texts - 1 {
			e.text(*r.Text[bits.TrailingZeros32(texts)])
		}
	}
	if has&rowNum != 0 {
		e.uint(uint64(nums))
		for ; nums != 0; nums &= nums - 1 {
			e.float(*r.Num[bits.TrailingZeros32(nums)])
		}
	}
	if has&rowExtra != 0 {
		e.text(r.Extra)
	}
	return user
}

// rowsOf returns how many rows a stored part holds.
func rowsOf(b []byte) (int, error) {
	d := decoder{b: b, s: unsafe.String(unsafe.SliceData(b), len(b))} // nothing of it is kept
	n, _, _ := d.head()
	return n, d.err
}

// head reads up to the number of rows.
func (d *decoder) head() (rows int, used events.Slots, version byte) {
	switch version = d.byte(); version {
	case rowsFirst:
	case partVersion:
		if b := d.take(slotsLen); len(b) == slotsLen {
			used = events.Slots{Text: binary.LittleEndian.Uint32([]byte(b)), Num: binary.LittleEndian.Uint32([]byte(b[4:])), Extra: b[8] != 0}
		}
	default:
		d.fail()
	}
	return d.count(1), used, version
}

// decodePart appends what a stored part holds to p, but for its rows, which stay packed. Texts are parts of s.
func decodePart(s string, p *Part) (packed, error) {
	d := newDecoder(s)
	n, used, version := d.head()
	rows := packed{n: n, used: used}
	if version == rowsFirst {
		rows.s = d.skipRows(n, &rows.used)
	}
	d.rest(p)
	if version == partVersion {
		rows.s = d.take(len(d.b) - d.at)
	}
	if d.err == nil && (d.at != len(d.b) || len(rows.s) < n) {
		d.fail()
	}
	return rows, d.err
}

// rest reads all but the rows.
func (d *decoder) rest(p *Part) {
	d.last = place{}
	n := d.count(1)
	p.Requests = slices.Grow(p.Requests, n)
	for range n {
		var r events.RequestRow
		r.Offset, r.Item, r.TS, r.Received = d.place()
		r.UID, r.Flags, r.Dur = d.uint32(), uint16(d.uint()), d.float() // as it was written
		p.Requests = append(p.Requests, r)
	}
	n = d.count(1)
	p.States = slices.Grow(p.States, n)
	for range n {
		p.States = append(p.States, events.State{Number: d.uint32(), Offset: d.uint(), UID: d.uint32(), JSON: d.text()})
	}
	n = d.count(len(model.ProfileID{}))
	p.Users = slices.Grow(p.Users, n)
	for range n {
		var id model.ProfileID
		copy(id[:], d.take(len(id)))
		p.Users = append(p.Users, id)
	}
	for range d.count(1) {
		p.Gone = append(p.Gone, d.uint32())
	}
	if n = d.count(2); n > 0 && p.Rewrites == nil {
		p.Rewrites = make(map[uint32]uint32, n)
	}
	for range n {
		from := d.uint32()
		p.Rewrites[from] = d.uint32()
	}
}

// skipRows returns the bytes of n rows and notes their slots.
func (d *decoder) skipRows(n int, used *events.Slots) string {
	from := d.at
	var texts []string
	var nums []float64
	for range n {
		var r events.Row
		texts, nums = texts[:0], nums[:0]
		d.row(&r, &texts, &nums)
		used.Note(&r)
	}
	if d.err != nil {
		return ""
	}
	return d.s[from:d.at]
}

// newDecoder returns a decoder of s.
func newDecoder(s string) decoder {
	return decoder{b: unsafe.Slice(unsafe.StringData(s), len(s)), s: s} // the decoder writes nothing
}

// decoder reads a stored part. After an error it reads zeros.
type decoder struct {
	b    []byte
	s    string // the same bytes
	at   int
	last place
	key  string
	err  error
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = fmt.Errorf("%w at byte %d", ErrDamaged, d.at)
	}
	d.at = len(d.b)
}

func (d *decoder) byte() byte {
	if d.at >= len(d.b) {
		d.fail()
		return 0
	}
	d.at++
	return d.b[d.at-1]
}

// uint reads a number. Most are of one byte.
func (d *decoder) uint() uint64 {
	if d.at < len(d.b) && d.b[d.at] < 0x80 {
		d.at++
		return uint64(d.b[d.at-1])
	}
	v, n := binary.Uvarint(d.b[d.at:])
	if n <= 0 {
		d.fail()
		return 0
	}
	d.at += n
	return v
}

func (d *decoder) uint32() uint32 {
	v := d.uint()
	if v > math.MaxUint32 {
		d.fail()
	}
	return uint32(v) // checked
}

func (d *decoder) int() int64 {
	v := d.uint()
	return int64(v>>1) ^ -int64(v&1) // the form of binary.Varint
}

func (d *decoder) float() float64 { return math.Float64frombits(bits.ReverseBytes64(d.uint())) }

// count reads a number of values that take at least size bytes each.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64((len(d.b)-d.at)/size) { // at never exceeds the length
		d.fail()
		return 0
	}
	return int(n) // checked
}

func (d *decoder) take(n int) string {
	if n < 0 || n > len(d.b)-d.at {
		d.fail()
		return ""
	}
	d.at += n
	return d.s[d.at-n : d.at]
}

func (d *decoder) text() string {
	n := d.uint()
	if n > uint64(len(d.b)-d.at) { // at never exceeds the length
		d.fail()
		return ""
	}
	d.at += int(n)                 // checked
	return d.s[d.at-int(n) : d.at] // checked
}

func (d *decoder) place() (offset uint64, item uint32, ts, received int64) {
	offset = d.last.offset + uint64(d.int()) // wraps around, as it was written
	item = d.uint32()
	ts = d.last.ts + d.int()
	received = ts + d.int()
	d.last = place{offset, ts}
	return offset, item, ts, received
}

// row reads a row. The values that its slots point to are appended to texts and nums, which should have room for them.
func (d *decoder) row(r *events.Row, texts *[]string, nums *[]float64) {
	has := d.byte()
	r.Offset, r.Item, r.TS, r.Received = d.place()
	if has&rowKey != 0 {
		d.key = d.text()
	}
	r.Key, r.Name = d.key, d.text()
	r.UID, r.Session, r.State, r.Count = d.uint32(), d.uint(), d.uint32(), d.int()
	if has&rowSum != 0 {
		r.Sum = d.float()
	}
	if has&rowDur != 0 {
		r.Dur = d.float()
	}
	r.Hour, r.Dow = -1, -1
	if has&rowTime != 0 {
		r.Hour, r.Dow = int8(d.byte()), int8(d.byte()) // the bits, as they were written
	}
	if has&rowText != 0 {
		for mask := d.uint() & (1<<schema.TextSlots - 1); mask != 0; mask &= mask - 1 {
			r.Text[bits.TrailingZeros64(mask)] = keep(texts, d.text())
		}
	}
	if has&rowNum != 0 {
		for mask := d.uint() & (1<<schema.NumberSlots - 1); mask != 0; mask &= mask - 1 {
			r.Num[bits.TrailingZeros64(mask)] = keep(nums, d.float())
		}
	}
	if has&rowExtra != 0 {
		r.Extra = d.text()
	}
}

// keep appends v and returns where it stands.
func keep[T any](in *[]T, v T) *T {
	*in = append(*in, v)
	return &(*in)[len(*in)-1]
}
