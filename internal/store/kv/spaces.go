package kv

import "fmt"

// Space is a part of the key space, see docs/format/kv.md.
type Space struct {
	Name     string
	prefixes []byte // the first bytes of its keys
}

// Spaces lists the parts of the key space, each key in one of them.
func Spaces() []Space {
	return []Space{
		{"journal", []byte{PrefixJournal}},
		{"profiles", []byte{PrefixProfile}},
		{"users", []byte{PrefixUID, PrefixSequence, PrefixAlias, PrefixOpenSession}},
		{"fingerprints", []byte{PrefixFingerprint}},
		{"schema", []byte{PrefixSchema}},
		{"marks", []byte{PrefixMeta, PrefixMarks}},
		{"outbox", []byte{PrefixOutbox, PrefixMirror}},
		{"cells", []byte{PrefixRollup}},
	}
}

// Size returns about how many bytes the keys of a space take in the tables on disk, superseded versions included. It reads no data: a table that
// several spaces share is divided by its blocks. What is in the log and in write buffers only does not count. Errors: ErrClosed, ErrFailed, those
// of the disk.
func (db *DB) Size(s Space) (n int64, err error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return 0, ErrClosed
	}
	if err := db.Failed(); err != nil {
		return 0, err
	}
	for _, p := range s.prefixes {
		bytes, err := db.p.EstimateDiskUsage([]byte{p}, After([]byte{p}))
		if err != nil {
			return 0, fmt.Errorf("kv: size of %s: %w", s.Name, err)
		}
		n += int64(bytes) // far below
	}
	return n, nil
}
