// Package click tells clicks of users apart: those that come in a rage, those that nothing follows, and the first after a visit.
//
// A click is a rage click where it is one of three or more of a user in a row on a view, each at most [RageGap] behind the one before
// and at most [RageReach] pixels away from the first, in both directions. SDKs for the web record one click a second at most, so the gap is wider than that.
//
// A click is dead where the app reports nothing else of its user from [Before] it until [Answer] behind it: the handlers of a page run before
// SDKs, which listen at the document, notice the click. What counts as a report is up to the caller.
//
// A visit has a first click where its user clicks on the view before visiting it again, and within [FirstWithin].
package click

import (
	"cmp"
	"slices"
	"sync"
)

// What tells clicks apart, in ms and pixels.
const (
	RageGap     = 2000
	RageReach   = 40
	RageClicks  = 3
	Answer      = 3000
	Before      = 250
	FirstWithin = 30 * 60 * 1000
)

// Click is a click of a user.
type Click struct {
	TS   int64 // ms
	X, Y int32 // pixels
	UID  uint32
	Cell uint32 // the caller's
	// The details of the click.
	Rage, Dead bool
}

// Bytes is what a click takes in memory, at most: a list that grows, or is put in order, is in memory twice, and has two starts a click.
const Bytes = 2*32 + 2*4

// Visit is a visit of the view.
type Visit struct {
	TS  int64 // ms
	UID uint32
}

// Clicks are those of some users on one view. The zero value is ready; it is not safe for concurrent use.
type Clicks struct {
	List   []Click
	visits []Visit
	// starts are where the clicks of each user begin, by number, once they are in order; nil = numbers are too far apart for that.
	starts []uint32
	spare  []Click
}

// Add adds a click.
func (c *Clicks) Add(k Click) {
	k.Dead = true
	c.List = append(c.List, k)
}

// Visit adds a visit.
func (c *Clicks) Visit(v Visit) { c.visits = append(c.visits, v) }

// Sort puts clicks in order. It must be called once all are added, before the methods below.
func (c *Clicks) Sort() {
	largest := uint32(0)
	for i := range c.List {
		largest = max(largest, c.List[i].UID)
	}
	c.starts = c.starts[:0]
	if int64(largest)+2 > int64(len(c.List))*2 {
		slices.SortFunc(c.List, func(a, b Click) int { return cmp.Or(cmp.Compare(a.UID, b.UID), compare(a, b)) })
		return
	}
	c.group(int(largest))
	var both sync.WaitGroup
	half := int(largest) / 2
	for _, part := range [][2]int{{0, half}, {half + 1, int(largest)}} {
		both.Go(func() {
			for uid := part[0]; uid <= part[1]; uid++ {
				slices.SortFunc(c.List[c.starts[uid]:c.starts[uid+1]], compare)
			}
		})
	}
	both.Wait()
}

// compare orders the clicks of a user.
func compare(a, b Click) int {
	return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
}

// group puts the clicks of each user together, by the users' numbers.
func (c *Clicks) group(largest int) {
	c.starts = append(c.starts, make([]uint32, largest+2)...)
	for i := range c.List {
		c.starts[c.List[i].UID+1]++
	}
	for i := range largest + 1 {
		c.starts[i+1] += c.starts[i]
	}
	to := slices.Grow(c.spare[:0], len(c.List))[:len(c.List)]
	for i := range c.List { // each start goes on to where the next one is
		at := &c.starts[c.List[i].UID]
		to[*at] = c.List[i]
		*at++
	}
	copy(c.starts[1:], c.starts[:largest+1])
	c.starts[0] = 0
	c.List, c.spare = to, c.List
}

// at is the place of the first click of a user that comes no earlier than ts.
func (c *Clicks) at(uid uint32, ts int64) int {
	from, list := 0, c.List
	if len(c.starts) > 0 {
		if int64(uid)+1 >= int64(len(c.starts)) {
			return len(c.List)
		}
		from, list = int(c.starts[uid]), c.List[c.starts[uid]:c.starts[uid+1]]
	}
	i, _ := slices.BinarySearchFunc(list, Visit{ts, uid}, func(k Click, v Visit) int {
		return cmp.Or(cmp.Compare(k.UID, v.UID), cmp.Compare(k.TS, v.TS))
	})
	return from + i
}

// Report takes down that the app reported something of a user at ts: clicks around it are not dead.
func (c *Clicks) Report(uid uint32, ts int64) {
	for i := c.at(uid, ts-Answer); i < len(c.List) && c.List[i].UID == uid && c.List[i].TS <= ts+Before; i++ {
		c.List[i].Dead = false
	}
}

// Rage marks the rage clicks.
func (c *Clicks) Rage() {
	for from := 0; from < len(c.List); {
		first, to := &c.List[from], from+1
		for to < len(c.List) {
			k := &c.List[to]
			if k.UID != first.UID || k.TS-c.List[to-1].TS > RageGap || away(k.X, first.X) || away(k.Y, first.Y) {
				break
			}
			to++
		}
		if to-from < RageClicks {
			from++
			continue
		}
		for i := from; i < to; i++ {
			c.List[i].Rage = true
		}
		from = to
	}
}

func away(a, b int32) bool {
	d := int64(a) - int64(b)
	return d > RageReach || d < -RageReach
}

// First calls fn for each visit that has a first click, with the ms between them.
func (c *Clicks) First(fn func(ms int64)) {
	slices.SortFunc(c.visits, func(a, b Visit) int { return cmp.Or(cmp.Compare(a.UID, b.UID), cmp.Compare(a.TS, b.TS)) })
	for i, v := range c.visits {
		end := v.TS + FirstWithin + 1
		if i+1 < len(c.visits) && c.visits[i+1].UID == v.UID {
			end = min(end, c.visits[i+1].TS)
		}
		if at := c.at(v.UID, v.TS); at < len(c.List) && c.List[at].UID == v.UID && c.List[at].TS < end {
			fn(c.List[at].TS - v.TS)
		}
	}
}

// Reset forgets all clicks and visits and keeps their memory.
func (c *Clicks) Reset() { c.List, c.visits, c.starts = c.List[:0], c.visits[:0], c.starts[:0] }
