package jetstream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/nats-io/nats.go"
)

// A frame is the data of a message: a byte for the version, the number of records, the length of each (unsigned varints), the payloads one
// after the other, and the CRC-32C of all before it (4 bytes, big-endian). Headers say how many records and payload bytes there
// are, for those who follow headers alone. See docs/format/journal-jetstream.md.
const (
	frameVersion  = 1
	headerRecords = "Quipu-Records"
	headerBytes   = "Quipu-Bytes"
	// maxRecords bounds the records of a frame.
	maxRecords = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errFrame says that a message is no frame, or a damaged one.
var errFrame = errors.New("the message is not a whole frame of the journal")

// frame is a frame that was read. The zero value is none.
type frame struct {
	partition uint16
	seq       uint64 // of its message, from 1
	payloads  [][]byte
}

// frameSize returns at most how many bytes a frame of payloads takes.
func frameSize(payloads [][]byte) int {
	size := 1 + binary.MaxVarintLen32 + 4
	for _, p := range payloads {
		size += binary.MaxVarintLen32 + len(p)
	}
	return size
}

// encode returns the frame of the payloads of several callers, and how many records and payload bytes that are.
func encode(group []*appending) (data []byte, records, bytes int) {
	size := 0
	for _, a := range group {
		records += len(a.payloads)
		size += frameSize(a.payloads)
	}
	data = append(make([]byte, 0, size), frameVersion)
	data = binary.AppendUvarint(data, uint64(records)) // a length
	for _, a := range group {
		for _, p := range a.payloads {
			data = binary.AppendUvarint(data, uint64(len(p)))
			bytes += len(p)
		}
	}
	for _, a := range group {
		for _, p := range a.payloads {
			data = append(data, p...)
		}
	}
	return binary.BigEndian.AppendUint32(data, crc32.Checksum(data, castagnoli)), records, bytes
}

// decode returns the payloads of a frame, which are parts of data.
func decode(data []byte) ([][]byte, error) {
	if len(data) < 6 || data[0] != frameVersion {
		return nil, fmt.Errorf("%w: %d bytes", errFrame, len(data))
	}
	body, sum := data[1:len(data)-4], binary.BigEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(data[:len(data)-4], castagnoli) != sum {
		return nil, fmt.Errorf("%w: its checksum differs", errFrame)
	}
	records, n := binary.Uvarint(body)
	if n <= 0 || records > maxRecords || records > uint64(len(body)) {
		return nil, fmt.Errorf("%w: its number of records", errFrame)
	}
	body = body[n:]
	lengths := make([]uint64, records)
	var total uint64
	for i := range lengths {
		if lengths[i], n = binary.Uvarint(body); n <= 0 || lengths[i] > uint64(len(data)) {
			return nil, fmt.Errorf("%w: the length of record %d", errFrame, i)
		}
		total += lengths[i]
		body = body[n:]
	}
	if total != uint64(len(body)) {
		return nil, fmt.Errorf("%w: %d bytes of payload, want %d", errFrame, len(body), total)
	}
	payloads := make([][]byte, records)
	for i, length := range lengths {
		payloads[i], body = body[:length:length], body[length:]
	}
	return payloads, nil
}

// counts reads from the headers of a message how many records and payload bytes its frame has.
func counts(h nats.Header) (records, bytes uint64, err error) {
	records, err = strconv.ParseUint(h.Get(headerRecords), 10, 32)
	if err == nil {
		bytes, err = strconv.ParseUint(h.Get(headerBytes), 10, 63)
	}
	if err != nil || records > maxRecords {
		return 0, 0, fmt.Errorf("%w: its headers", errFrame)
	}
	return records, bytes, nil
}
