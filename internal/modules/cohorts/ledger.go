package cohorts

import (
	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/period"
)

// rule is a condition on what users did, without the days that it looks at.
type rule struct {
	keys        []string
	filter      filter.Expr
	firstTime   bool // and never before the first day
	least, most int64
	period      string
	// stages are what is done one after the other, keys and filter those of the last; nil = there is nothing before.
	stages []stage
}

// counts reports whether the rule asks how often, by the events' counts.
func (r rule) counts() bool { return r.least > 1 || r.most > 0 }

// window is the days that a rule looks at, both included. That of a rule with a fixed begin is anchored: no day leaves it.
type window struct {
	first, last period.Day
	anchored    bool
}

func (w window) includes(d period.Day) bool { return d >= w.first && d <= w.last }

// ledger is what is held of a rule: who did it on which day, and for whom it holds. Days leave the window at midnight, so the days, in
// their order, are the queue of what expires: only those who did it on the days that go may cease to be selected.
//
// What is added in another order, or with other users' numbers that are then merged, gives the same ledger. It belongs to its liveApp's lock.
type ledger struct {
	rule
	window
	days map[period.Day]*tally
	// latest is the day that was added to last, lately its tally; nil = none is known.
	latest period.Day
	lately *tally
	// base holds the days of an anchored window as one.
	base *tally
	// before are who did it before the first day, of a rule that asks for the first time.
	before *roaring.Bitmap
	// known are all users of days, base and before; in are those of the window; total is how often these did it, where the rule asks.
	known, in *roaring.Bitmap
	total     map[uint32]int64
	// holds are the users for whom the rule holds: in itself, if nothing else is asked.
	holds *roaring.Bitmap
	// changed are those for whom it holds or does not since it was asked last.
	changed *roaring.Bitmap
	// sequence has the rows of a rule with stages; days are then those on which the last stage was met. nil = there are none.
	sequence *sequence

	// started says that everything after the place from is added; ready, that everything before is, too.
	started, ready bool
	from           uint64
}

// tally holds the users who did something on a day. Users not in n did so once, by count.
type tally struct {
	users *roaring.Bitmap
	n     map[uint32]int64
}

func newTally() *tally { return &tally{users: roaring.New()} }

func newLedger(r rule, w window, cal *period.Calendar) *ledger {
	c := &ledger{
		rule: r, window: w, days: map[period.Day]*tally{}, known: roaring.New(), in: roaring.New(), changed: roaring.New(),
	}
	c.holds = c.in
	if w.anchored {
		c.base = newTally()
	}
	if r.counts() {
		c.total = map[uint32]int64{}
	}
	if r.firstTime {
		c.before = roaring.New()
	}
	if r.counts() || r.firstTime {
		c.holds = roaring.New()
	}
	if r.stages != nil {
		c.sequence = newSequence(r.stages, cal, w)
	}
	return c
}

// met adds that a user met the last stage on a day.
func (c *ledger) met(uid uint32, d period.Day) { c.add(uid, d, 1) }

// pass adds rows of a rule with stages, those of a user one after the other. It returns false when there are too many of a user.
func (c *ledger) pass(list []passing) (fits bool) {
	fits = true
	for len(list) > 0 {
		uid, n := list[0].uid, 1
		for n < len(list) && list[n].uid == uid {
			n++
		}
		fits = c.sequence.add(uid, list[:n], func(d period.Day) { c.met(uid, d) }) && fits
		list = list[n:]
	}
	return fits
}

func (t *tally) count(uid uint32) int64 {
	if n, ok := t.n[uid]; ok {
		return n
	}
	if t.users.Contains(uid) {
		return 1
	}
	return 0
}

// add adds n times of a user.
func (t *tally) add(uid uint32, n int64, counted bool) {
	fresh := t.users.CheckedAdd(uid)
	if !counted {
		return
	}
	if !fresh {
		before := int64(1)
		if v, ok := t.n[uid]; ok {
			before = v
		}
		n += before
	}
	if n == 1 {
		delete(t.n, uid)
		return
	}
	if t.n == nil {
		t.n = map[uint32]int64{}
	}
	t.n[uid] = n
}

func (t *tally) remove(uid uint32) {
	t.users.Remove(uid)
	delete(t.n, uid)
}

// at is the tally that a day is in; nil when the window has left it behind.
func (c *ledger) at(d period.Day) *tally {
	switch {
	case d < c.first:
		return nil
	case c.anchored && d <= c.last:
		return c.base
	}
	if c.lately != nil && c.latest == d {
		return c.lately
	}
	t := c.days[d]
	if t == nil {
		t = newTally()
		c.days[d] = t
	}
	c.latest, c.lately = d, t
	return t
}

// add adds that a user did it n times on a day.
func (c *ledger) add(uid uint32, d period.Day, n int64) {
	t := c.at(d)
	if t == nil {
		if c.before != nil && c.before.CheckedAdd(uid) {
			c.known.Add(uid)
			c.check(uid)
		}
		return
	}
	if c.total == nil && t.users.Contains(uid) {
		return // another time on the same day changes nothing
	}
	t.add(uid, n, c.total != nil)
	if !c.includes(d) {
		c.known.Add(uid)
		return
	}
	fresh := c.in.CheckedAdd(uid)
	if fresh {
		c.known.Add(uid)
	}
	if c.total != nil {
		c.total[uid] += n
	}
	switch {
	case c.holds != c.in:
		c.check(uid)
	case fresh:
		c.changed.Add(uid)
	}
}

// check decides again whether the rule holds for a user; where in decides, that is known already.
func (c *ledger) check(uid uint32) {
	if c.holds == c.in {
		return
	}
	holds := c.in.Contains(uid) && (c.before == nil || !c.before.Contains(uid))
	if holds && c.total != nil {
		n := c.total[uid]
		holds = n >= max(c.least, 1) && (c.most == 0 || n <= c.most)
	}
	switch {
	case holds && c.holds.CheckedAdd(uid), !holds && c.holds.CheckedRemove(uid):
		c.changed.Add(uid)
	}
}

// move lets the ledger look at other days, later ones: it works on the users of the days that come in or go, not on all.
func (c *ledger) move(to window) {
	was := c.window
	if was == to {
		return
	}
	c.lately = nil
	touched := roaring.New()
	for d, t := range c.days {
		if was.includes(d) != to.includes(d) {
			touched.Or(t.users)
			c.shift(t, was.includes(d))
		}
		switch {
		case d < to.first:
			if c.before != nil {
				c.before.Or(t.users)
			}
			delete(c.days, d)
		case to.anchored && d <= to.last:
			c.base.absorb(t, c.counts())
			delete(c.days, d)
		}
	}
	c.window = to
	if c.sequence != nil {
		c.sequence.move(to)
	}
	before := roaring.And(c.in, touched)
	c.in.AndNot(touched)
	for d, t := range c.days {
		if to.includes(d) {
			c.in.Or(roaring.And(t.users, touched))
		}
	}
	if c.base != nil {
		c.in.Or(roaring.And(c.base.users, touched))
	}
	if c.holds == c.in {
		c.changed.Or(roaring.Xor(before, roaring.And(c.in, touched)))
	}
	for at := touched.Iterator(); at.HasNext(); {
		uid := at.Next()
		if c.total != nil && !c.in.Contains(uid) {
			delete(c.total, uid)
		}
		c.check(uid)
	}
	c.recall()
}

// shift takes a day that goes from the totals, or adds one that comes in.
func (c *ledger) shift(t *tally, goes bool) {
	if c.total == nil {
		return
	}
	for at := t.users.Iterator(); at.HasNext(); {
		uid := at.Next()
		if n := t.count(uid); goes {
			c.total[uid] -= n
		} else {
			c.total[uid] += n
		}
	}
}

func (t *tally) absorb(o *tally, counted bool) {
	if !counted {
		t.users.Or(o.users)
		return
	}
	for at := o.users.Iterator(); at.HasNext(); {
		uid := at.Next()
		t.add(uid, o.count(uid), true)
	}
}

// recall finds out who is known.
func (c *ledger) recall() {
	c.known = roaring.New()
	c.each(func(t *tally) { c.known.Or(t.users) })
	if c.before != nil {
		c.known.Or(c.before)
	}
}

func (c *ledger) each(fn func(t *tally)) {
	for _, t := range c.days {
		fn(t)
	}
	if c.base != nil {
		fn(c.base)
	}
}

// forget takes a user out, who is no more.
func (c *ledger) forget(uid uint32) {
	if c.sequence != nil {
		c.sequence.forget(uid)
	}
	if !c.known.CheckedRemove(uid) {
		return
	}
	c.each(func(t *tally) { t.remove(uid) })
	if c.before != nil {
		c.before.Remove(uid)
	}
	c.in.Remove(uid)
	c.holds.Remove(uid)
	delete(c.total, uid)
}

// merge moves what a user did to another, whom the first was merged into.
func (c *ledger) merge(from, to uint32) {
	c.mergeDays(from, to)
	if c.sequence != nil && c.sequence.merge(from, to) {
		c.sequence.walk(c.sequence.of(to), func(d period.Day) { c.met(to, d) })
	}
}

func (c *ledger) mergeDays(from, to uint32) {
	if !c.known.CheckedRemove(from) {
		return
	}
	c.known.Add(to)
	c.each(func(t *tally) {
		if t.users.Contains(from) {
			n := t.count(from)
			t.remove(from)
			t.add(to, n, c.counts())
		}
	})
	if c.before != nil && c.before.CheckedRemove(from) {
		c.before.Add(to)
	}
	if c.total != nil {
		c.total[to] += c.total[from]
		delete(c.total, from)
	}
	if c.holds != c.in {
		c.holds.Remove(from)
	}
	if c.in.CheckedRemove(from) && c.in.CheckedAdd(to) && c.holds == c.in {
		c.changed.Add(to)
	}
	if c.total != nil && !c.in.Contains(to) {
		delete(c.total, to)
	}
	c.check(to)
}

// join adds what another ledger of the same rule and window holds.
func (c *ledger) join(o *ledger) {
	if c.sequence != nil {
		c.sequence.join(o.sequence, c.met)
	}
	for d, t := range o.days {
		o.put(c, t, d)
	}
	if o.base != nil {
		o.put(c, o.base, c.last)
	}
	if o.before != nil {
		for at := o.before.Iterator(); at.HasNext(); {
			c.add(at.Next(), c.first-1, 1)
		}
	}
}

func (c *ledger) put(into *ledger, t *tally, d period.Day) {
	for at := t.users.Iterator(); at.HasNext(); {
		uid := at.Next()
		into.add(uid, d, t.count(uid))
	}
}

// bytes is about how much memory the ledger takes.
func (c *ledger) bytes() int64 {
	const entry = 40 // of a map of numbers
	n := c.known.GetSizeInBytes() + c.in.GetSizeInBytes() + uint64(len(c.total))*entry
	if c.holds != c.in {
		n += c.holds.GetSizeInBytes()
	}
	if c.before != nil {
		n += c.before.GetSizeInBytes()
	}
	if c.sequence != nil {
		n += uint64(c.sequence.bytes()) // not negative
	}
	c.each(func(t *tally) { n += t.users.GetSizeInBytes() + uint64(len(t.n))*entry })
	return int64(n) // far less
}
