package outcome

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"

	"quipu/internal/fault"
)

// Receipt says what became of one request of a client and of its parts.
type Receipt struct {
	Reason Reason // of the request
	Parts  []Part
	More   int // parts that there was no room for
}

// Part is a part of a request and what became of it.
type Part struct {
	Item   Item
	Index  int // of an event, among the events as they were sent, from 0; -1 = there is one of the kind
	Reason Reason
}

// Bounds of receipts.
const (
	MaxParts   = 10_000 // parts in the receipts of one request over HTTP
	maxWaiting = 1_000  // requests that wait for receipts at the same time
	tagSize    = 12     // bytes
)

// Receipts hands what the pipeline knows of requests to those who wait for it at the edge. It is in memory only: nobody waits any more
// when the process has ended. The zero value is ready, and safe for concurrent use.
type Receipts struct {
	mu   sync.Mutex
	open map[uint64]*Waiting
}

// Waiting is a request over HTTP, with one or more requests of clients, that waits for receipts.
type Waiting struct {
	from *Receipts
	id   uint64
	room int // for parts; guarded by from.mu, as are got and left
	got  map[uint32]Receipt
	left int
	done chan struct{}
}

// Expect begins to wait; nil when too many wait already. The caller closes what it gets.
func (r *Receipts) Expect() *Waiting {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.open) >= maxWaiting {
		return nil
	}
	if r.open == nil {
		r.open = map[uint64]*Waiting{}
	}
	// Numbers are random, so that records of an earlier process are not taken for those of this one.
	w := &Waiting{from: r, id: rand.Uint64(), room: MaxParts, got: map[uint32]Receipt{}, done: make(chan struct{})} // it is no secret
	r.open[w.id] = w
	return w
}

// Tag returns what the record of the request at index carries, and counts it among those that are waited for. All tags are to be taken
// before any of the records is appended.
func (w *Waiting) Tag(index int) []byte {
	w.from.mu.Lock()
	w.left++
	w.from.mu.Unlock()
	b := binary.BigEndian.AppendUint64(make([]byte, 0, tagSize), w.id)
	return binary.BigEndian.AppendUint32(b, uint32(index)) // the edge bounds the items of a request
}

// Done is closed when all receipts have come.
func (w *Waiting) Done() <-chan struct{} { return w.done }

// Close ends the wait and returns the receipts that have come, by index.
func (w *Waiting) Close() map[uint32]Receipt {
	w.from.mu.Lock()
	defer w.from.mu.Unlock()
	delete(w.from.open, w.id)
	got := w.got
	w.got = nil
	return got
}

func split(tag []byte) (id uint64, index uint32, ok bool) {
	if len(tag) != tagSize {
		return 0, 0, false
	}
	return binary.BigEndian.Uint64(tag), binary.BigEndian.Uint32(tag[8:]), true
}

// Room reports whether anybody waits for the receipt of a tag and, if so, takes room for n parts of it: as many as the receipt may have.
func (r *Receipts) Room(tag []byte, n int) (parts int, wanted bool) {
	id, _, ok := split(tag)
	if r == nil || !ok {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.open[id]
	if w == nil {
		return 0, false
	}
	parts = min(n, w.room)
	w.room -= parts
	return parts, true
}

// Give hands over the receipt of a tag, if anybody still waits for it.
func (r *Receipts) Give(tag []byte, receipt Receipt) {
	id, index, ok := split(tag)
	if r == nil || !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.open[id]
	if w == nil {
		return
	}
	if _, again := w.got[index]; again {
		return
	}
	w.got[index] = receipt
	if w.left--; w.left == 0 {
		close(w.done)
	}
}

// Class is what a client is to make of an outcome: "accepted", "ignored" for what is as it should be but counts nothing, or "refused" for
// what somebody has to correct.
func (r Reason) Class() string {
	switch r {
	case Accepted:
		return "accepted"
	case Duplicate, IgnoredDevice, UnknownDeviceEnd, SessionCooldown, FilteredOut, NoConsent, UnknownCall:
		return "ignored"
	case AppPaused, AppLocked, ChecksumMissing, ChecksumMismatch, Malformed, NoKey, ReservedKey, EventLimit, PictureQuota, Internal, UnknownApp, reasons:
	}
	return "refused"
}

// Fault returns the fault that stands for a reason, whose code receipts have; nil for Accepted.
func (r Reason) Fault() *fault.Error {
	switch r {
	case Accepted:
	case Duplicate:
		return fault.New(fault.Conflict, "ingest.duplicate", "Request was received before")
	case AppPaused:
		return fault.New(fault.Invalid, "ingest.app_paused", "App is currently not accepting data")
	case AppLocked:
		return fault.New(fault.Forbidden, "ingest.app_locked", "App is locked")
	case ChecksumMissing:
		return fault.New(fault.Invalid, "ingest.checksum_missing", "Request does not have checksum")
	case ChecksumMismatch:
		return fault.New(fault.Invalid, "ingest.checksum_mismatch", "Request does not match checksum")
	case IgnoredDevice:
		return fault.New(fault.Invalid, "ingest.ignored_device", "Ignoring device_id")
	case UnknownDeviceEnd:
		return fault.New(fault.Invalid, "ingest.unknown_device_end", "Session of an unknown device ends")
	case SessionCooldown:
		return fault.New(fault.Conflict, "ingest.session_cooldown", "Session continues")
	case Malformed:
		return fault.New(fault.Invalid, "ingest.malformed", "Item cannot be read")
	case NoKey:
		return fault.New(fault.Invalid, "ingest.no_key", "Event has no key")
	case ReservedKey:
		return fault.New(fault.Invalid, "ingest.reserved_key", "The event key is reserved")
	case EventLimit:
		return fault.New(fault.Conflict, "ingest.event_limit", "The app has reached its event limit")
	case FilteredOut:
		return fault.New(fault.Invalid, "ingest.filtered_out", "Dropped by a rule of the app")
	case NoConsent:
		return fault.New(fault.Invalid, "ingest.no_consent", "User has not consented")
	case UnknownCall:
		return fault.New(fault.Invalid, "ingest.unknown_call", "Unknown call")
	case PictureQuota:
		return fault.New(fault.TooLarge, "ingest.picture_quota", "The app has too many pictures at the moment")
	case UnknownApp:
		return fault.New(fault.Invalid, "ingest.unknown_app", "App does not exist")
	case Internal, reasons:
	}
	if r == Accepted {
		return nil
	}
	return fault.New(fault.Internal, "ingest.internal", "Item could not be processed")
}
