package move

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"time"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
)

// Record is a record of the source's journal.
type Record struct {
	Offset  uint64
	Payload []byte
}

// Follower appends the records behind what was copied to the journal of the target, which nobody else appends to.
type Follower struct {
	to      journal.Journal
	of      func(model.AppID) uint16
	through uint64
	bases   journal.Watermark

	last uint64 // offset that was seen last
	// offsets are, by partition, those of the records that are there, less through, in their order.
	offsets map[uint16][]uint32
	// there is how many records of a partition an earlier run appended.
	there    map[uint16]uint64
	appended int64
}

// NewFollower begins behind Source.Through. The journal, which numbers its records behind bases, may have some already: they are seen once more, and not
// appended again.
func NewFollower(to journal.Journal, of func(model.AppID) uint16, through uint64, bases journal.Watermark) *Follower {
	f := &Follower{to: to, of: of, through: through, bases: bases, last: through, offsets: map[uint16][]uint32{}, there: map[uint16]uint64{}}
	for partition, end := range to.End() {
		f.there[partition] = end - min(end, bases[partition])
	}
	return f
}

// Last is the offset of the record that was appended last.
func (f *Follower) Last() uint64 { return f.last }

// Appended counts the records that were appended by this follower.
func (f *Follower) Appended() int64 { return f.appended }

// Missing reports whether records that the journal has were not seen yet.
func (f *Follower) Missing() bool {
	for partition, n := range f.there {
		if uint64(len(f.offsets[partition])) < n {
			return true
		}
	}
	return false
}

// errOffsets says that the source does not give the records that follow.
var errOffsets = errors.New("the records do not follow the previous ones")

// Append appends records, which follow those of the last call. On an error some of them may be there; a new follower finds out.
func (f *Follower) Append(ctx context.Context, records []Record) error {
	waiting := map[uint16][]journal.Entry{}
	for _, r := range records {
		if r.Offset != f.last+1 {
			return fmt.Errorf("%w: %d comes after %d", errOffsets, r.Offset, f.last)
		}
		f.last = r.Offset
		if r.Offset-f.through > math.MaxUint32 {
			return fmt.Errorf("more than %d records came while data was moved", uint32(math.MaxUint32))
		}
		var rec request.Record
		if request.Decode(r.Payload, &rec) != nil {
			continue // as it is left out when it is projected
		}
		partition, payload := f.of(rec.App), r.Payload
		if rec.Kind == request.SessionTimeout {
			rec.Session = f.session(partition, rec.Session)
			payload = request.Append(nil, &rec)
		}
		f.offsets[partition] = append(f.offsets[partition], uint32(r.Offset-f.through)) // bounded above
		if uint64(len(f.offsets[partition])) > f.there[partition] {
			waiting[partition] = append(waiting[partition], journal.Entry{Routing: journal.Routing(rec.App), Payload: payload})
		}
	}
	for partition, entries := range waiting {
		if err := f.send(ctx, partition, entries); err != nil {
			return err
		}
	}
	return nil
}

// session is the place in the target of the record by which a session began.
func (f *Follower) session(partition uint16, place uint64) uint64 {
	offset := journal.PositionOf(place).Offset
	if offset <= f.through {
		return Place(partition, place)
	}
	list := f.offsets[partition]
	i := sort.Search(len(list), func(i int) bool { return uint64(list[i]) >= offset-f.through })
	return journal.Position{Partition: partition, Offset: f.bases[partition] + uint64(i) + 1}.Place()
}

// The bounds of an append.
const (
	appendRecords = 500
	appendBytes   = 1 << 20
	fullPause     = 100 * time.Millisecond
)

// send appends entries of one partition. It waits for room.
func (f *Follower) send(ctx context.Context, partition uint16, entries []journal.Entry) error {
	for len(entries) > 0 {
		n, bytes := 0, 0
		for n < len(entries) && n < appendRecords && (n == 0 || bytes+len(entries[n].Payload) <= appendBytes) {
			bytes += len(entries[n].Payload)
			n++
		}
		at, err := f.to.Append(ctx, entries[:n]...)
		if errors.Is(err, journal.ErrFull) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(fullPause):
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("append to partition %d: %w", partition, err)
		}
		f.appended += int64(n)
		want := f.bases[partition] + uint64(len(f.offsets[partition])-len(entries)+n) // lengths
		if at.Partition != partition || at.Offset != want {
			return fmt.Errorf("the journal of the cluster has foreign records: the last one is number %d of partition %d, not number %d of %d", at.Offset, at.Partition, want, partition)
		}
		entries = entries[n:]
	}
	return nil
}
