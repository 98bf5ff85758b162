package pebble

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"quipu/internal/store/kv"
)

// The layout of keys and values is drawn in docs/format/journal-store.md.
const (
	recordVersion = 1
	recordHeader  = 1 + 4 + 8 // version, checksum, running total
	recordKeyLen  = 1 + 2 + 8
	markVersion   = 1
	noteKeyLen    = 2 + 2 // of the notes of Take
	noteLen       = 1 + 8
)

// CorruptError says that a record cannot be read back as it was written.
type CorruptError struct {
	Partition uint16
	Offset    uint64
	Reason    string
}

// Error names the record and what is wrong with it.
func (e *CorruptError) Error() string {
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

func recordKey(partition uint16, offset uint64) []byte {
	k := make([]byte, recordKeyLen)
	putRecordKey(k, partition, offset)
	return k
}

// putRecord fills dst, recordHeader+len(payload) bytes, with the value of a record.
func putRecord(dst, key []byte, total uint64, payload []byte) {
	dst[0] = recordVersion
	binary.BigEndian.PutUint64(dst[5:], total)
	copy(dst[recordHeader:], payload)
	binary.BigEndian.PutUint32(dst[1:], checksum(key, dst))
}

// checksum covers the key, so that a value cannot pass for another record's.
func checksum(key, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // made once by the standard library
	return crc32.Update(crc32.Update(0, table, key), table, value[5:])
}

func parseRecord(key, value []byte) (total uint64, payload []byte, err error) {
	switch {
	case len(value) < recordHeader:
		return 0, nil, fmt.Errorf("%d bytes are too few", len(value))
	case value[0] != recordVersion:
		return 0, nil, fmt.Errorf("unknown version %d", value[0])
	case binary.BigEndian.Uint32(value[1:]) != checksum(key, value):
		return 0, nil, errors.New("wrong checksum")
	}
	return binary.BigEndian.Uint64(value[5:]), value[recordHeader:], nil
}

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
