package pebble

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"

	"quipu/internal/store/kv"
)

const (
	// blockBytes and blockRecords bound what is put into one block. A larger record is stored alone.
	blockBytes   = 64 << 10
	blockRecords = 4096
	// maxBlockBytes and maxBlockRecords bound what is read of one, regardless of its writer.
	maxBlockBytes   = 1 << 20
	maxBlockRecords = 1 << 16
	// packFrom is how many bytes of payload are worth compressing.
	packFrom = 8 << 10
)

// How the payloads of a block are stored.
const (
	codedPlain byte = 0
	codedS2    byte = 1 // the block format of S2
)

// block is consecutive records on their way into the database. The zero value is empty.
type block struct {
	last  mark   // the last of them
	sizes []byte // the size of each payload, as it is stored
	count int
	plain []byte // the payloads
}

// takes reports whether one more payload of a size fits.
func (b *block) takes(size int) bool {
	return b.count == 0 || len(b.plain)+size <= blockBytes && b.count < blockRecords
}

// add adds a record, whose mark is at. The first payload is not copied when it is too large for others beside it.
func (b *block) add(at mark, payload []byte) {
	if b.count == 0 && len(payload) > blockBytes {
		b.plain = slices.Clip(payload)
	} else {
		b.plain = append(b.plain, payload...)
	}
	b.sizes = binary.AppendUvarint(b.sizes, uint64(len(payload)))
	b.count++
	b.last = at
}

// reset empties the block. It keeps its memory.
func (b *block) reset() {
	if len(b.plain) > blockBytes { // the caller's, or more than is worth keeping
		b.plain = nil
	}
	b.sizes, b.count, b.plain = b.sizes[:0], 0, b.plain[:0]
}

// packer stores blocks. It belongs to one goroutine.
type packer struct{ head, packed []byte }

// put adds the value of a block to a batch; nothing for an empty one.
func (p *packer) put(to *kv.Batch, b *block) error {
	if b.count == 0 {
		return nil
	}
	body := p.form(b)
	key, value, finish := to.SetDeferred(recordKeyLen, len(p.head)+len(body))
	putRecordKey(key, only, b.last.offset)
	copy(value[copy(value, p.head):], body)
	binary.BigEndian.PutUint32(value[1:], checksum(key, value))
	return finish()
}

// form makes the value of a block but for the checksum: what is in head, and then body, which is valid until the next call.
func (p *packer) form(b *block) (body []byte) {
	p.head = append(p.head[:0], recordVersion, 0, 0, 0, 0)
	p.head = binary.BigEndian.AppendUint64(p.head, b.last.total)
	if b.count == 1 {
		return b.plain
	}
	p.head[0] = blockVersion
	coding, body := codedPlain, b.plain
	if len(b.plain) >= packFrom {
		if most := s2.MaxEncodedLen(len(b.plain)); cap(p.packed) < most {
			p.packed = make([]byte, most)
		}
		packed := s2.Encode(p.packed[:cap(p.packed)], b.plain)
		if len(packed) < len(b.plain)-len(b.plain)/8 {
			coding, body = codedS2, packed
		}
	}
	p.head = append(p.head, coding)
	p.head = binary.AppendUvarint(p.head, uint64(b.count))
	p.head = append(p.head, b.sizes...)
	return body
}

// stored is a value of the database, taken apart. The zero value is ready for parse.
type stored struct {
	last   mark
	ends   []int // where the payload of each record ends, counted in plain bytes
	coding byte
	body   []byte // a part of the value
	plain  []byte // see check
	buf    []byte
}

// parse takes a value apart and checks it against its key. What s held before is lost.
func (s *stored) parse(key, value []byte) error {
	s.ends, s.plain, s.coding = s.ends[:0], nil, codedPlain
	if len(value) < recordHeader {
		return fmt.Errorf("%d bytes are too few", len(value))
	}
	if version := value[0]; version != recordVersion && version != blockVersion {
		return fmt.Errorf("unknown version %d", version)
	}
	if binary.BigEndian.Uint32(value[1:]) != checksum(key, value) {
		return errors.New("wrong checksum")
	}
	s.last = mark{offset: offsetOf(key), total: binary.BigEndian.Uint64(value[5:])}
	s.body = value[recordHeader:]
	if value[0] == recordVersion {
		s.ends = append(s.ends, len(s.body))
		return nil
	}
	return s.block(s.body)
}

// block takes apart what a block has behind the header of a record.
func (s *stored) block(b []byte) error {
	if len(b) == 0 || b[0] > codedS2 {
		return errors.New("unknown coding")
	}
	s.coding, b = b[0], b[1:]
	count, n := binary.Uvarint(b)
	if n <= 0 || count == 0 || count > maxBlockRecords || count > s.last.offset {
		return errors.New("wrong number of records")
	}
	b = b[n:]
	end := 0
	for range count {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(maxBlockBytes-end) { // end is at most maxBlockBytes
			return errors.New("wrong size of a record")
		}
		b = b[n:]
		end += int(size) // checked
		s.ends = append(s.ends, end)
	}
	s.body = b
	size := len(b)
	if s.coding == codedS2 {
		var err error
		if size, err = s2.DecodedLen(b); err != nil {
			return fmt.Errorf("packed payloads: %w", err)
		}
	}
	if size != end {
		return fmt.Errorf("payloads of %d bytes instead of %d", size, end)
	}
	return nil
}

// check makes the payloads of what was parsed available in plain, until the value ends or the next parse.
func (s *stored) check() error {
	if s.coding == codedPlain {
		s.plain = s.body
		return nil
	}
	plain, err := s2.Decode(s.buf[:cap(s.buf)], s.body) // parse has bounded the size
	if err != nil {
		return fmt.Errorf("packed payloads: %w", err)
	}
	s.plain, s.buf = plain, plain
	return nil
}

// first returns the offset of the first record.
func (s *stored) first() uint64 { return s.last.offset - uint64(len(s.ends)) + 1 }

// has reports whether a record is in the block.
func (s *stored) has(offset uint64) bool { return s.first() <= offset && offset <= s.last.offset }

// at returns the mark of a record that is in the block.
func (s *stored) at(offset uint64) mark {
	behind := s.ends[len(s.ends)-1] - s.ends[offset-s.first()]
	return mark{offset: offset, total: s.last.total - uint64(behind)} // ends ascend
}

// payload returns that of a record that is in the block, after check.
func (s *stored) payload(offset uint64) []byte {
	i, from := offset-s.first(), 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.plain[from:s.ends[i]:s.ends[i]]
}
