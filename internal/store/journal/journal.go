// Package journal keeps accepted requests from the moment they are
// acknowledged until the pipeline has projected them.
//
// A journal is a set of partitions, each a sequence of records numbered from
// 1 without holes. The embedded journal has one partition, so its order is
// total; a distributed one has several, and keeps each app in one of them.
package journal

import (
	"context"
	"errors"
	"maps"

	"github.com/cespare/xxhash/v2"

	"quipu/internal/model"
)

// ErrFull says that the journal has reached its bound, or the disk its reserve or its end.
// Nothing was stored; the client is to come back later.
var ErrFull = errors.New("journal: full")

// ErrFailed says that the store under the journal has failed and must be
// reopened. Nothing of the refused batch counts as acknowledged.
var ErrFailed = errors.New("journal: store failed")

// ErrClosed says that the journal was closed.
var ErrClosed = errors.New("journal: closed")

// Record is one entry. Payload is opaque to the journal (package request
// writes and reads it).
type Record struct {
	Partition uint16
	// Offset counts from 1 in its partition; 0 is before the first record.
	Offset  uint64
	Payload []byte
}

// Watermark maps a partition to the last offset that was projected. A missing
// partition stands at 0. The nil Watermark is valid and is all zeros.
type Watermark map[uint16]uint64

// Covers reports whether the record at (partition, offset) lies at or below w.
func (w Watermark) Covers(partition uint16, offset uint64) bool { return offset <= w[partition] }

// Clone returns a copy that shares nothing with w.
func (w Watermark) Clone() Watermark {
	if w == nil {
		return Watermark{}
	}
	return maps.Clone(w)
}

// Routing returns the number by which a journal selects the partition of an app's records. Client records,
// commands and time-outs of an app all use it, so each app has one partition and all of its records have one order.
func Routing(app model.AppID) uint64 { return xxhash.Sum64(app[:]) }

// Total returns the sum of the offsets: how many records lie at or below w.
func (w Watermark) Total() (n uint64) {
	for _, offset := range w {
		n += offset
	}
	return n
}

// Reaches reports whether w lies nowhere before o.
func (w Watermark) Reaches(o Watermark) bool {
	for partition, offset := range o {
		if w[partition] < offset {
			return false
		}
	}
	return true
}

// Entry is what Append stores: a payload, and the number that selects its partition.
type Entry struct {
	Routing uint64 // see Routing
	Payload []byte
}

// Entries returns an entry with the routing for each payload.
func Entries(routing uint64, payloads ...[]byte) []Entry {
	list := make([]Entry, len(payloads))
	for i, p := range payloads {
		list[i] = Entry{Routing: routing, Payload: p}
	}
	return list
}

// Journal is the contract both implementations meet; the conformance suite in
// package journaltest is its specification.
type Journal interface {
	// Append stores the entries and returns once they are durable: all of them or,
	// on error, none that counts. (An engine on other machines may lose the acknowledgement of what it
	// has stored; the request is sent again then, and the pipeline knows it by its fingerprint.) Entries of one partition become consecutive
	// records, in their order. It may be called from many goroutines; concurrent
	// calls share one sync. The journal copies the payloads before it returns. The
	// position is that of the last entry. Errors: ErrFull, ErrFailed, or ctx's
	// error when it is done before the write started.
	Append(ctx context.Context, entries ...Entry) (Position, error)

	// Read calls fn for the records after from, of each partition in ascending
	// offset, until fn returns false or max bytes of payload were passed on. Payload is
	// valid only during the call. It returns at once when there is nothing.
	Read(ctx context.Context, from Watermark, maxBytes int, fn func(Record) bool) error

	// Wait returns as soon as a record after from exists, or with ctx's error.
	Wait(ctx context.Context, from Watermark) error

	// Trim forgets the records at or below w. They may stay on disk for a while.
	Trim(ctx context.Context, w Watermark) error

	// End returns the last durable offset of each partition that has one.
	End() Watermark

	// Size returns how many records and payload bytes lie after w (an estimate
	// that is exact when no append is under way).
	Size(w Watermark) (records int64, bytes int64)
}

// Position is where a record is.
type Position struct {
	Partition uint16
	Offset    uint64
}

// offsetBits is how many bits of a place are the offset's.
const offsetBits = 48

// Place returns the position as one number, under which rows, sessions and cells remember a record: the offset, and
// above it the partition. In partition 0 it is the offset. Places of one partition are in the order of its offsets.
func (p Position) Place() uint64 { return uint64(p.Partition)<<offsetBits | p.Offset }

// PositionOf returns the position of a place.
func PositionOf(place uint64) Position {
	return Position{Partition: uint16(place >> offsetBits), Offset: place & (1<<offsetBits - 1)}
}

// Watermark returns the watermark that ends with the position.
func (p Position) Watermark() Watermark { return Watermark{p.Partition: p.Offset} }
