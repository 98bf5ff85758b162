package rollup

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2"
)

// IsZero reports whether c is the empty cell.
func (c *Cell) IsZero() bool {
	return c.First == 0 && c.Count == 0 && c.New == 0 && c.Requests == 0 &&
		c.Sum == 0 && c.Dur == 0 && c.Flags == 0 && (c.Users == nil || c.Users.IsEmpty())
}

// Uniques returns the number of users. It reads what each container of the
// bitmap knows of itself and walks no elements.
func (c *Cell) Uniques() uint64 {
	if c.Users == nil {
		return 0
	}
	return c.Users.GetCardinality()
}

// AddUser puts a user's number into the cell.
func (c *Cell) AddUser(uid uint32) {
	if c.Users == nil {
		c.Users = roaring.New()
	}
	c.Users.Add(uid)
}

// MaxCount and MaxSum are where counters and sums stop growing, in both directions. Readers in
// JavaScript are exact up to MaxCount. MaxSum is far beyond what the sums of bounded events can
// reach, so only what was stored without bounds meets it; it is small enough that
// no reader overflows when it adds and multiplies such sums.
const (
	MaxCount = 1 << 53
	MaxSum   = 1e30
)

// AddCount returns a + b, at most MaxCount away from 0. Counters that only grow give the same
// result in every order.
func AddCount(a, b int64) int64 { return boundCount(boundCount(a) + boundCount(b)) }

// boundCount returns n, at most MaxCount away from 0.
func boundCount(n int64) int64 { return max(-MaxCount, min(n, MaxCount)) }

// AddSum returns a + b, at most MaxSum away from 0 and always a number.
func AddSum(a, b float64) float64 {
	s := a + b
	if s >= -MaxSum && s <= MaxSum {
		return s
	}
	return boundSum(s)
}

// boundSum returns s, at most MaxSum away from 0, and 0 for what is no number.
func boundSum(s float64) float64 {
	if math.IsNaN(s) {
		return 0
	}
	return max(-MaxSum, min(s, MaxSum))
}

// Merge adds o to c. Counters and sums stop at MaxCount and MaxSum; floats add with rounding, so sums of
// values that are no binary fractions may differ in the last bits when deltas
// are grouped differently. o is not changed and shares no memory with c afterwards.
func (c *Cell) Merge(o *Cell) {
	c.MergeCounters(o)
	if o.Users == nil || o.Users.IsEmpty() {
		return
	}
	if c.Users == nil {
		c.Users = roaring.New()
	}
	c.Users.Or(o.Users)
	c.Users.CloneCopyOnWriteContainers()
}

// MergeCounters is Merge without the users.
func (c *Cell) MergeCounters(o *Cell) {
	if o.First != 0 && (c.First == 0 || o.First < c.First) {
		c.First = o.First
	}
	c.Count = AddCount(c.Count, o.Count)
	c.New = AddCount(c.New, o.New)
	c.Requests = AddCount(c.Requests, o.Requests)
	c.Sum = AddSum(c.Sum, o.Sum)
	c.Dur = AddSum(c.Dur, o.Dur)
	c.Flags |= o.Flags
}

// Clone returns a copy that shares nothing with c.
func (c *Cell) Clone() *Cell {
	d := &Cell{}
	d.Merge(c)
	return d
}

// At returns the cell under k and makes an empty one when there is none.
func (d Delta) At(k Key) *Cell {
	c, ok := d[k]
	if !ok {
		c = &Cell{}
		d[k] = c
	}
	return c
}
