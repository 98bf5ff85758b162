package query

import (
	"context"
	"errors"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/fault"
	"quipu/internal/store/rollup"
)

// Limits bound what a read of cells may take.
type Limits struct {
	// Enter lets a read in with its first n bytes of the memory of all reads. It may wait: the read holds nothing yet. Its error ends the read.
	Enter func(ctx context.Context, n int64) (Room, error)
	// Most bounds what one read holds of values and users, bytes.
	Most int64
	// Timeout is the time budget of a read, from when it is let in.
	Timeout time.Duration
}

// Room is what a read takes of the memory of all reads.
type Room interface {
	// Grow takes n bytes more, without waiting. Its error ends the read.
	Grow(n int64) error
	// Leave gives everything back.
	Leave()
}

// Faults of reads beyond their limits. Rows have them, too.
var (
	errTooMuchHeld = fault.New(fault.Invalid, "figures.too_many", "There are too many values and users for one read, choose a shorter period")
	errTooSlow     = fault.New(fault.Invalid, "read.too_slow", "The read takes too long, choose a shorter period or a narrower filter")
)

// TooSlow returns the fault of a read that ended at its time limit. err is what it ended with.
func TooSlow(err error) error {
	return fault.Wrap(err, errTooSlow.Kind, errTooSlow.Code, errTooSlow.Msg)
}

// Within returns a Query whose reads keep limits. A read beyond them ends with figures.too_many or read.too_slow (Invalid), or with the error of Enter or its Room,
// and then holds nothing.
func (q *Query) Within(l Limits) *Query {
	return &Query{cells: q.cells, schema: q.schema, limits: l}
}

// reading is a read of cells under way: what it holds, and its context, which it bounds as the deadline does. It is for one goroutine. nil bounds nothing.
type reading struct {
	context.Context
	room Room
	most int64 // bytes that may still be taken of the room
	free int64 // bytes that were taken and hold nothing
	end  context.CancelFunc
	err  error // that ended it
}

// readingKey is that of the reading in its context.
type readingKey struct{}

// Value implements context.Context.
func (r *reading) Value(key any) any {
	if key == (readingKey{}) {
		return r
	}
	return r.Context.Value(key)
}

// readingOf returns the read that a context is of; nil = none that has limits.
func readingOf(ctx context.Context) *reading {
	if r, ok := ctx.(*reading); ok {
		return r
	}
	r, _ := ctx.Value(readingKey{}).(*reading)
	return r
}

// enter begins a read, unless ctx is that of one that has begun: ctx becomes the read's. leave ends it, and says in err why where the read did not come to its end. Each exported method that
// reads cells enters first.
func (q *Query) enter(ctx *context.Context, err *error) (leave func()) {
	if q.limits.Timeout == 0 || readingOf(*ctx) != nil {
		return func() {}
	}
	r := &reading{most: q.limits.Most, free: min(roomStep, q.limits.Most)}
	r.most -= r.free
	r.room, r.err = q.limits.Enter(*ctx, r.free)
	r.Context, r.end = context.WithTimeoutCause(*ctx, q.limits.Timeout, errTooSlow)
	if r.err != nil {
		r.end()
	}
	*ctx = r
	return func() { //nolint:contextcheck // the read is its context
		*err = r.ended(*err)
		r.end()
		if r.room != nil {
			r.room.Leave()
		}
	}
}

// ended returns what a read ends with.
func (r *reading) ended(err error) error {
	if err == nil && r.err == nil {
		return nil
	}
	if r.err != nil {
		err = r.err // what was found lacks what was not held
	}
	over := errors.Is(context.Cause(r), errTooSlow) || r.Err() == nil && errors.Is(err, context.DeadlineExceeded) // the latter of a statement
	if over {
		return TooSlow(err)
	}
	return err
}

// roomStep is how much a read takes of its room at least, bytes.
const roomStep = 256 << 10

// take charges n bytes that are about to be held. It reports whether they may be: if not, the read ends, and its context with it.
func (r *reading) take(n int64) bool {
	if r == nil {
		return true
	}
	if r.free >= n {
		r.free -= n
		return true
	}
	return r.takeMore(n)
}

func (r *reading) takeMore(n int64) bool {
	if r.err != nil {
		return false
	}
	lacks := n - r.free
	if lacks > r.most {
		r.err = errTooMuchHeld
	} else {
		lacks = min(max(lacks, roomStep), r.most)
		r.err = r.room.Grow(lacks)
	}
	if r.err != nil {
		r.end()
		return false
	}
	r.most -= lacks
	r.free += lacks - n
	return true
}

// give gives back bytes that were taken and are held no more.
func (r *reading) give(n int64) {
	if r != nil {
		r.free += n
	}
}

// failed returns what ended the read; nil = nothing yet.
func (r *reading) failed() error {
	if r == nil {
		return nil
	}
	return r.err
}

// unite adds the users of a cell, which is valid only during a call, to a set.
func (r *reading) unite(to *roaring.Bitmap, c *rollup.Cell) {
	if c.Users == nil {
		return
	}
	if r == nil {
		to.Or(c.Users)
		to.CloneCopyOnWriteContainers()
		return
	}
	before, most := sizeOf(to), sizeOf(c.Users)
	if !r.take(most) {
		return
	}
	to.Or(c.Users)
	to.CloneCopyOnWriteContainers()
	r.give(most - (sizeOf(to) - before))
}

// cloneBytes is about what a clone takes of a set that copies what it changes; nil is empty.
func cloneBytes(users *roaring.Bitmap) int64 {
	const each = 24
	if users == nil {
		return 0
	}
	return each * int64(users.Stats().Containers) // far below
}

// sizeOf is about what a set takes, bytes; nil is empty.
func sizeOf(set *roaring.Bitmap) int64 {
	if set == nil {
		return 0
	}
	return int64(set.GetSizeInBytes()) // far below
}
