package dwarf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"quipu/internal/symbols"
)

// buffer reads numbers from bytes. Missing bytes read as zero and set bad.
type buffer struct {
	b     []byte
	at    int
	order binary.ByteOrder
	bad   bool
}

// take returns the next n bytes; nil when there are fewer.
func (b *buffer) take(n int) []byte {
	if n < 0 || n > len(b.b)-b.at {
		b.bad, b.at = true, len(b.b)
		return nil
	}
	b.at += n
	return b.b[b.at-n : b.at]
}

func (b *buffer) skip(n uint64) {
	if n > uint64(len(b.b)-b.at) { // at is never beyond the end
		b.bad, b.at = true, len(b.b)
		return
	}
	b.at += int(n) // less than a length
}

func (b *buffer) left() int { return len(b.b) - b.at }

func (b *buffer) u8() uint8 {
	if b.at >= len(b.b) {
		b.bad = true
		return 0
	}
	b.at++
	return b.b[b.at-1]
}

// uint reads n bytes, 1 to 8.
func (b *buffer) uint(n int) uint64 {
	p := b.take(n)
	switch {
	case p == nil:
		return 0
	case n == 1:
		return uint64(p[0])
	case n == 2:
		return uint64(b.order.Uint16(p))
	case n == 4:
		return uint64(b.order.Uint32(p))
	case n == 8:
		return b.order.Uint64(p)
	}
	var v uint64
	for i := range p {
		if b.order == binary.ByteOrder(binary.BigEndian) {
			v = v<<8 | uint64(p[i])
		} else {
			v |= uint64(p[i]) << (8 * i)
		}
	}
	return v
}

func (b *buffer) u16() uint16 { return uint16(b.uint(2)) } // two bytes
func (b *buffer) u32() uint32 { return uint32(b.uint(4)) } // four bytes

// uleb reads a LEB128 number; bits beyond 64 are dropped.
func (b *buffer) uleb() uint64 {
	var v uint64
	for shift := uint(0); ; shift += 7 {
		if b.at >= len(b.b) {
			b.bad = true
			return v
		}
		c := b.b[b.at]
		b.at++
		if shift < 64 {
			v |= uint64(c&0x7f) << shift
		}
		if c < 0x80 {
			return v
		}
	}
}

// sleb reads a signed LEB128 number.
func (b *buffer) sleb() int64 {
	var v int64
	for shift := uint(0); ; {
		if b.at >= len(b.b) {
			b.bad = true
			return v
		}
		c := b.b[b.at]
		b.at++
		if shift < 64 {
			v |= int64(c&0x7f) << shift
		}
		shift += 7
		if c < 0x80 {
			if shift < 64 && c&0x40 != 0 {
				v |= -1 << shift
			}
			return v
		}
	}
}

// str reads a text that ends with a zero byte.
func (b *buffer) str() []byte {
	n := bytes.IndexByte(b.b[b.at:], 0)
	if n < 0 {
		b.bad, b.at = true, len(b.b)
		return nil
	}
	b.at += n + 1
	return b.b[b.at-n-1 : b.at-1]
}

// length reads the length that begins a unit, and whether offsets in it have 64 bits.
func (b *buffer) length() (n uint64, is64 bool) {
	if n = b.uint(4); n == 0xffffffff {
		return b.uint(8), true
	}
	if n >= 0xfffffff0 {
		b.bad = true
	}
	return n, false
}

// offset reads an offset into a section.
func (b *buffer) offset(is64 bool) uint64 {
	if is64 {
		return b.uint(8)
	}
	return b.uint(4)
}

// window is how many bytes a section reads at once for small reads.
const window = 8 << 10

// section is a part of the file. The zero value is empty. Not safe for concurrent use.
type section struct {
	r    io.ReaderAt
	at   int64 // where it begins in r
	size int64

	have   []byte // what the last small read brought, from
	haveAt int64  // this offset on
}

// read returns n bytes from an offset; they are the caller's. Beyond the end it fails.
func (s *section) read(off uint64, n int64) ([]byte, error) {
	if n < 0 || off > uint64(s.size) || uint64(n) > uint64(s.size)-off { // sizes are not negative
		return nil, symbols.Bad("it refers beyond the end of a section")
	}
	if n == 0 {
		return nil, nil
	}
	b := make([]byte, n)
	if _, err := s.r.ReadAt(b, s.at+int64(off)); err != nil && !errors.Is(err, io.EOF) { // off is within the section
		return nil, err
	}
	return b, nil
}

// peek returns up to window bytes from an offset, fewer at the end of the section. They are valid until the next call.
func (s *section) peek(off uint64, n int) ([]byte, error) {
	if off >= uint64(s.size) { // sizes are not negative
		return nil, nil
	}
	at := int64(off) // within the section
	if at >= s.haveAt && at+int64(n) <= s.haveAt+int64(len(s.have)) {
		return s.have[at-s.haveAt:], nil
	}
	if s.have == nil || cap(s.have) < window {
		s.have = make([]byte, window)
	}
	s.have, s.haveAt = s.have[:min(window, s.size-at)], at
	if _, err := s.r.ReadAt(s.have, s.at+at); err != nil && !errors.Is(err, io.EOF) {
		s.have = s.have[:0]
		return nil, err
	}
	return s.have, nil
}

// maxString is how much of a name is read, in bytes.
const maxString = 16 << 10

// text returns the text at an offset, which ends with a zero byte. Beyond maxString it is cut.
func (s *section) text(off uint64) (string, error) {
	b, err := s.peek(off, 256)
	if err != nil {
		return "", err
	}
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return string(b[:n]), nil
	}
	if b, err = s.read(off, min(maxString, max(0, s.size-int64(off)))); err != nil { // read checks it
		return "", err
	}
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return string(b), nil
}

// number returns the number of n bytes at an offset; beyond the end it fails.
func (s *section) number(off uint64, n int, order binary.ByteOrder) (uint64, error) {
	p, err := s.peek(off, n)
	if err != nil {
		return 0, err
	}
	b := buffer{b: p, order: order}
	v := b.uint(n)
	if b.bad {
		return 0, symbols.Bad("it refers beyond the end of a section")
	}
	return v, nil
}
