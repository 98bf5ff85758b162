package writers

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// internalPrefix begins the event keys of the product itself.
const internalPrefix = "[CLY]_"

// event is an event key in memory. Its slices are never changed in place, so
// what was handed out stays as it was.
type event struct {
	id        uint32
	pub       schema.Event // what is shown; Seq 0 = not listed
	nums      []uint32     // numbers of pub.Segments, for keys of values
	nextNum   uint32       // last number given out
	whitelist []string
	index     map[string]int // segment name → place in pub.Segments; nil while there are few
}

// manySegments is how many segments an event has an index from: fewer are found as fast without one.
const manySegments = 16

func newEvent(id uint32, key string) *event { return &event{id: id, pub: schema.Event{Key: key}} }

// find returns the place of a segment.
func (ev *event) find(name string) (int, bool) {
	if ev.index != nil {
		i, ok := ev.index[name]
		return i, ok
	}
	i := slices.IndexFunc(ev.pub.Segments, func(s schema.Segment) bool { return s.Name == name })
	return i, i >= 0
}

// reindex makes the index when segments have come in another order or some have gone.
func (ev *event) reindex() {
	ev.index = nil
	if len(ev.pub.Segments) < manySegments {
		return
	}
	ev.index = make(map[string]int, len(ev.pub.Segments))
	for i, s := range ev.pub.Segments {
		ev.index[s.Name] = i
	}
}

// eventOf returns an event key that is stored.
func (s *Store) eventOf(r *schema.Record) *event {
	ev := newEvent(r.ID, s.names.text(r.Event.Key))
	for i := range r.Event.Segments {
		of := &r.Event.Segments[i]
		of.Name = s.names.text(of.Name)
	}
	ev.pub.Seq, ev.pub.Segments, ev.nums, ev.nextNum, ev.whitelist = r.Event.Seq, s.names.segments(r.Event.Segments), numbersOf(r.Numbers), r.Last, r.Whitelist
	ev.reindex()
	return ev
}

// setSegment replaces segment i.
func (ev *event) setSegment(i int, s schema.Segment) {
	ev.pub.Segments = slices.Clone(ev.pub.Segments)
	ev.pub.Segments[i] = s
}

// list replaces segment i, which is listed from now on: it comes behind those that are listed already.
func (ev *event) list(i int, s schema.Segment) {
	num := ev.nums[i]
	ev.pub.Segments = append(slices.Delete(slices.Clone(ev.pub.Segments), i, i+1), s)
	ev.nums = append(slices.Delete(slices.Clone(ev.nums), i, i+1), num)
	ev.reindex()
}

// addSegment adds a segment whose name nothing else holds in memory.
func (ev *event) addSegment(s schema.Segment) {
	ev.nextNum++
	ev.pub.Segments = with(ev.pub.Segments, s)
	ev.nums = with(ev.nums, ev.nextNum)
	if ev.index == nil {
		ev.reindex()
	} else {
		ev.index[s.Name] = len(ev.pub.Segments) - 1
	}
}

// with returns a copy of a list with one more at its end and no room behind it: there are many apps and few changes.
func with[T any](list []T, v T) []T {
	out := make([]T, len(list)+1)
	copy(out, list)
	out[len(list)] = v
	return out
}

func (ev *event) removeSegment(i int) {
	ev.pub.Segments = slices.Delete(slices.Clone(ev.pub.Segments), i, i+1)
	ev.nums = slices.Delete(slices.Clone(ev.nums), i, i+1)
	ev.reindex()
}

// recorded counts the segments that are not omitted.
func (ev *event) recorded() (n int) {
	for _, s := range ev.pub.Segments {
		if !s.Omitted {
			n++
		}
	}
	return n
}

// freeSlot returns the first slot of the kind that no segment has or had; the
// JSON slot when all are taken.
func (ev *event) freeSlot(kind schema.SlotKind) schema.Slot {
	var used [256]bool
	for _, s := range ev.pub.Segments {
		if s.Slot.Kind == kind {
			used[s.Slot.Index] = true
		}
		if s.Was.Kind == kind {
			used[s.Was.Index] = true
		}
	}
	limit := 0
	switch kind {
	case schema.Text:
		limit = schema.TextSlots
	case schema.Number:
		limit = schema.NumberSlots
	case schema.NoSlot, schema.JSON:
	}
	for i := 1; i <= limit; i++ {
		if !used[i] {
			return schema.Slot{Kind: kind, Index: uint8(i)}
		}
	}
	return schema.Slot{Kind: schema.JSON}
}

// writer is the schema of an app in memory: what is stored and what the
// running batch adds. A writer and the committer meet here.
type writer struct {
	s   *Store
	app model.AppID

	mu     sync.Mutex
	limits schema.Limits
	most   map[schema.Kind]int // as limits.Subjects, of the kinds that have a bound of their own
	events map[string]*event
	last   *event // of events, asked for last; nil = none was, or it is gone
	schema.Counters
	custom   int // listed events that count towards the maximum
	subjects map[schema.Kind]*subjectSet

	// Since the last flush.
	dirty   map[uint32]*event  // to be written; nil = to be removed
	purged  []schema.SegmentID // segments whose values are to go
	cleared bool               // the app was cleared first
	sets    map[schema.SegmentID]*valueSet

	flushing map[schema.SegmentID]*valueSet // the sets of the flushed batch; nil = none
	pending  bool                           // a batch is under way
}

var _ schema.Writer = (*writer)(nil)

func newWriter(s *Store, app model.AppID) *writer {
	return &writer{s: s, app: app, limits: s.limits, events: map[string]*event{}, dirty: map[uint32]*event{}, sets: map[schema.SegmentID]*valueSet{}, subjects: map[schema.Kind]*subjectSet{}, Counters: schema.Counters{Subjects: map[schema.Kind]uint32{}}}
}

// changed reports whether the running batch changed anything.
func (l *writer) changed() bool {
	if len(l.dirty) > 0 || l.renamed() || len(l.purged) > 0 || l.cleared {
		return true
	}
	for _, set := range l.sets {
		if len(set.added) > 0 {
			return true
		}
	}
	return false
}

func (l *writer) touch(ev *event) { l.dirty[ev.id] = ev }

// known returns the event's entry when the event has come.
func (l *writer) known(key string) *event {
	if l.last == nil || l.last.pub.Key != key { // an event's properties are asked for one after the other
		l.last = l.events[key]
	}
	if l.last != nil && l.last.pub.Seq > 0 {
		return l.last
	}
	return nil
}

// entry returns the event's entry, making one that is not listed.
func (l *writer) entry(key string) *event {
	ev := l.events[key]
	if ev == nil {
		l.ID++
		ev = newEvent(l.ID, l.s.names.text(key))
		l.events[ev.pub.Key] = ev
	}
	return ev
}

func isCustom(key string) bool { return !strings.HasPrefix(key, internalPrefix) }

// SetLimits implements Writer.
func (l *writer) SetLimits(limits schema.Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = limits.Or(l.s.limits)
}

// Event implements Writer.
func (l *writer) Event(key string) (schema.Event, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ev := l.known(key); ev != nil {
		return ev.pub, true
	}
	return schema.Event{}, false
}

// AddEvent implements Writer.
func (l *writer) AddEvent(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known(key) != nil {
		return true
	}
	if isCustom(key) {
		if l.custom >= l.limits.Events {
			return false
		}
		l.custom++
	}
	ev := l.entry(key)
	l.Seq++
	ev.pub.Seq = l.Seq
	l.touch(ev)
	return true
}

// Segment implements Writer.
func (l *writer) Segment(key, name string, kind schema.SlotKind) (schema.Slot, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ev := l.known(key)
	if ev == nil || kind == schema.NoSlot {
		return schema.Slot{}, false
	}
	if len(ev.whitelist) > 0 && !slices.Contains(ev.whitelist, name) {
		return schema.Slot{}, false
	}
	i, ok := ev.find(name)
	if !ok {
		if key != schema.BeginKey && ev.recorded() >= l.limits.Segments { // those of sessions are as many as there are
			return schema.Slot{}, false
		}
		s := schema.Segment{Name: l.s.names.text(name), Slot: ev.freeSlot(kind), Opaque: kind == schema.JSON}
		ev.addSegment(s)
		l.touch(ev)
		return s.Slot, true
	}
	known := &ev.pub.Segments[i]
	if known.Omitted {
		return schema.Slot{}, false
	}
	moves, seen := known.Slot.Kind != kind && known.Slot.Kind != schema.JSON, known.Opaque && kind != schema.JSON
	if !moves && !seen {
		return known.Slot, true
	}
	s := *known
	if moves {
		s.Was, s.Slot = s.Slot, schema.Slot{Kind: schema.JSON}
	}
	switch {
	case seen:
		s.Opaque = false
		ev.list(i, s)
		l.touch(ev)
	case moves:
		ev.setSegment(i, s)
		l.touch(ev)
	}
	return s.Slot, true
}

// AddValue implements Writer.
func (l *writer) AddValue(of schema.Values, key, segment, value string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ev := l.known(key)
	if ev == nil {
		return false, nil
	}
	i, ok := ev.find(segment)
	if !ok || ev.pub.Segments[i].Omitted {
		return false, nil
	}
	set, err := l.set(schema.SegmentID{Event: ev.id, Segment: ev.nums[i]})
	if err != nil {
		return false, err
	}
	limit := l.limits.Values
	switch of {
	case schema.OfEvents:
	case schema.OfSubjects:
		limit = l.limits.SubjectValues
	case schema.OfSessions:
		limit = l.limits.MetricValues
	}
	return set.add(value, limit), nil
}

// set brings the values of a segment into the running batch.
func (l *writer) set(k schema.SegmentID) (*valueSet, error) {
	if set := l.sets[k]; set != nil {
		return set, nil
	}
	set := l.flushing[k]
	if set == nil {
		set = l.s.values.take(l.app, k)
	}
	if set == nil {
		var err error
		if set, err = l.s.readSet(l.app, k); err != nil {
			return nil, err
		}
	}
	l.sets[k] = set
	return set, nil
}

// forgetValues drops the values of a segment.
func (l *writer) forgetValues(k schema.SegmentID) {
	delete(l.sets, k)
	delete(l.flushing, k)
	l.s.values.take(l.app, k)
	l.purged = append(l.purged, k)
}

// ForgetValues implements Writer.
func (l *writer) ForgetValues(key, segment string, values []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ev := l.known(key)
	if ev == nil {
		return nil
	}
	i, ok := ev.find(segment)
	if !ok {
		return nil
	}
	k := schema.SegmentID{Event: ev.id, Segment: ev.nums[i]}
	left, found := &valueSet{hashes: map[uint64]struct{}{}}, false
	err := l.s.src.Values(context.Background(), l.app, k, func(value []byte) {
		if slices.Contains(values, string(value)) {
			found = true
			return
		}
		left.add(string(value), math.MaxInt)
	})
	if err != nil || !found {
		return err
	}
	l.forgetValues(k) // what is left is rewritten
	l.sets[k] = left
	return nil
}

// OmitSegments implements Writer.
func (l *writer) OmitSegments(key string, names []string) []schema.Segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []schema.Segment
	for _, name := range names {
		ev := l.entry(key)
		i, ok := ev.find(name)
		if !ok {
			ev.addSegment(schema.Segment{Name: l.s.names.text(name), Omitted: true})
			l.touch(ev)
			continue
		}
		s := ev.pub.Segments[i]
		if s.Omitted {
			continue
		}
		out = append(out, s)
		ev.setSegment(i, schema.Segment{Name: name, Omitted: true})
		l.forgetValues(schema.SegmentID{Event: ev.id, Segment: ev.nums[i]})
		l.touch(ev)
	}
	return out
}

// Whitelist implements Writer.
func (l *writer) Whitelist(key string, names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(names) == 0 && l.events[key] == nil {
		return
	}
	ev := l.entry(key)
	ev.whitelist = nil
	for _, name := range names {
		if !slices.Contains(ev.whitelist, name) {
			ev.whitelist = append(ev.whitelist, strings.Clone(name))
		}
	}
	if ev.pub.Seq == 0 && len(ev.whitelist) == 0 && len(ev.pub.Segments) == 0 {
		l.remove(ev)
		return
	}
	l.touch(ev)
}

func (l *writer) remove(ev *event) {
	delete(l.events, ev.pub.Key)
	l.last = nil
	l.dirty[ev.id] = nil
}

// DeleteSegments implements Writer.
func (l *writer) DeleteSegments(key string, names []string) []schema.Segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	ev := l.events[key]
	if ev == nil {
		return nil
	}
	var out []schema.Segment
	for _, name := range names {
		i, ok := ev.find(name)
		if !ok {
			continue
		}
		if s := ev.pub.Segments[i]; !s.Omitted {
			out = append(out, s)
		}
		l.forgetValues(schema.SegmentID{Event: ev.id, Segment: ev.nums[i]})
		ev.removeSegment(i)
		l.touch(ev)
	}
	return out
}

// DeleteEvents implements Writer.
func (l *writer) DeleteEvents(keys []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range keys {
		ev := l.events[key]
		if ev == nil {
			continue
		}
		for _, num := range ev.nums {
			l.forgetValues(schema.SegmentID{Event: ev.id, Segment: num})
		}
		if ev.pub.Seq > 0 && isCustom(key) {
			l.custom--
		}
		l.remove(ev)
	}
}

// Clear implements Writer.
func (l *writer) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	// The numbers in keys go on, so nothing in memory can be taken for what
	// comes now; the order starts again.
	for _, ev := range l.events {
		for _, num := range ev.nums {
			l.s.values.take(l.app, schema.SegmentID{Event: ev.id, Segment: num})
		}
	}
	l.last = nil
	l.events, l.custom, l.Seq, l.Subjects = map[string]*event{}, 0, 0, map[schema.Kind]uint32{}
	l.dirty, l.purged, l.sets = map[uint32]*event{}, nil, map[schema.SegmentID]*valueSet{}
	clear(l.flushing)
	l.subjects = map[schema.Kind]*subjectSet{}
	l.cleared = true
}

// valueSet is the known values of a segment.
type valueSet struct {
	hashes map[uint64]struct{}
	added  []string // since the last flush; their ordinals end at len(hashes)
}

func (s *valueSet) add(value string, limit int) bool {
	h := xxhash.Sum64String(value)
	if _, ok := s.hashes[h]; ok {
		return true
	}
	if len(s.hashes) >= limit {
		return false
	}
	s.hashes[h] = struct{}{}
	s.added = append(s.added, strings.Clone(value))
	return true
}
