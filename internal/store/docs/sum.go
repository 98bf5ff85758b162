package docs

import (
	"encoding/binary"
	"hash/crc32"
)

// Engines keep two checksums of every document, because a database need not keep any of its pages: one covers the
// document, one its entries in the indexes. Both are CRC-32C, drawn in docs/format/docs.md.

// castagnoli returns the table of CRC-32C, which the library makes once.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// DocumentSum is the checksum of a document; app is 24 hex digits, or "" for documents of no app.
func DocumentSum(collection, app, key string, version int, body []byte) int64 {
	h := crc32.New(castagnoli())
	var size [4]byte
	for _, part := range []string{collection, app, key} {
		binary.BigEndian.PutUint32(size[:], uint32(len(part))) // keys have at most 512 bytes
		h.Write(size[:])
		h.Write([]byte(part))
	}
	binary.BigEndian.PutUint32(size[:], uint32(version)) // versions count from 1
	h.Write(size[:])
	h.Write(body)
	return int64(h.Sum32())
}

// EntrySum is the checksum of one entry of an index.
func EntrySum(e Entry) int64 {
	h := crc32.New(castagnoli())
	var head [5]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(e.Index))) // names are short
	if e.Unique {
		head[4] = 1
	}
	h.Write(head[:])
	h.Write([]byte(e.Index))
	h.Write(e.Value)
	return int64(h.Sum32())
}

// EntriesSum is the checksum of a document's entries: the sum of theirs, in any order.
func EntriesSum(entries []Entry) (sum int64) {
	for _, e := range entries {
		sum += EntrySum(e)
	}
	return sum
}
