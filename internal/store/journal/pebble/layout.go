package pebble

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"quipu/internal/store/kv"
)

// The layout of keys and values is drawn in docs/format/journal-store.md.
const (
	recordVersion = 1
	blockVersion  = 2
	recordHeader  = 1 + 4 + 8 // version, checksum, running total
	recordKeyLen  = 1 + 2 + 8
	markVersion   = 1
	noteKeyLen    = 2 + 2 // of the notes of Take
	noteLen       = 1 + 8
)

// CorruptError says that records cannot be read back as they were written: those from Offset to Last, which are
// stored together.
type CorruptError struct {
	Partition uint16
	Offset    uint64
	Last      uint64
	Reason    string
}

// Error names the records and what is wrong with them.
func (e *CorruptError) Error() string {
	if e.Last > e.Offset {
		return fmt.Sprintf("journal: records %d to %d of partition %d are corrupt: %s", e.Offset, e.Last, e.Partition, e.Reason)
	}
	return fmt.Sprintf("journal: record %d of partition %d is corrupt: %s", e.Offset, e.Partition, e.Reason)
}

// mark is a place in a partition: an offset and the sum of the sizes of all payloads
// up to and including it.
type mark struct {
	offset uint64
	total  uint64 // bytes
}

func putRecordKey(dst []byte, partition uint16, offset uint64) {
	dst[0] = kv.PrefixJournal
	binary.BigEndian.PutUint16(dst[1:], partition)
	binary.BigEndian.PutUint64(dst[3:], offset)
}

// recordKey is the key of the block whose last record has the offset.
func recordKey(partition uint16, offset uint64) []byte {
	k := make([]byte, recordKeyLen)
	putRecordKey(k, partition, offset)
	return k
}

// checksum covers the key, so that a value cannot pass for another record's.
func checksum(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // made once by the standard library
	return crc32.Update(crc32.Update(0, table, key), table, value[5:])
}

// offsetOf returns the offset in a key.
func offsetOf(key []byte) uint64 { return binary.BigEndian.Uint64(key[3:]) }

func metaKey(kind byte, partition uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte{kv.PrefixMeta, kind}, partition)
}

func appendMark(dst []byte, m mark) []byte {
	dst = append(dst, markVersion)
	dst = binary.BigEndian.AppendUint64(dst, m.offset)
	return binary.BigEndian.AppendUint64(dst, m.total)
}

func parseMark(v []byte) (mark, error) {
	if len(v) != 17 || v[0] != markVersion {
		return mark{}, fmt.Errorf("trim point has %d bytes, want 17 of version %d", len(v), markVersion)
	}
	return mark{offset: binary.BigEndian.Uint64(v[1:]), total: binary.BigEndian.Uint64(v[9:])}, nil
}
