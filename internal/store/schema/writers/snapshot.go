package writers

import (
	"cmp"
	"slices"

	"quipu/internal/store/schema"
)

// snapshot is what is committed of an app. It does not change.
type snapshot struct {
	events  []schema.Event // listed, in order
	numbers []numbers      // of events, for keys of values
	index   map[string]int // event key → place in events; nil while there are few

	// Each is nil when there are none.
	omitted    map[string][]string
	whitelists map[string][]string
	subjects   []subjects
}

// subjects are those of a kind, by number.
type subjects struct {
	kind schema.Kind
	list []schema.Subject
}

// numbers are those of an event and its segments.
type numbers struct {
	event    uint32
	segments []uint32
}

// manyEvents is how many events an app has an index from: fewer are found as fast without one.
const manyEvents = 16

// snapshot makes the readers' view of the writer.
func (l *writer) snapshot() *snapshot {
	n := &snapshot{}
	for kind, set := range l.subjects {
		if list := set.sorted(); len(list) > 0 {
			n.subjects = append(n.subjects, subjects{kind, list})
		}
	}
	var listed []*event
	for key, ev := range l.events {
		if ev.pub.Seq > 0 {
			listed = append(listed, ev)
		}
		for _, s := range ev.pub.Segments {
			if s.Omitted {
				put(&n.omitted, key, append(n.omitted[key], s.Name))
			}
		}
		if len(ev.whitelist) > 0 {
			put(&n.whitelists, key, ev.whitelist)
		}
	}
	slices.SortFunc(listed, func(a, b *event) int { return cmp.Compare(a.pub.Seq, b.pub.Seq) })
	n.events, n.numbers = make([]schema.Event, len(listed)), make([]numbers, len(listed))
	for i, ev := range listed {
		n.events[i], n.numbers[i] = ev.pub, numbers{ev.id, ev.nums}
		if len(listed) >= manyEvents {
			put(&n.index, ev.pub.Key, i)
		}
	}
	return n
}

// put puts a value into a map, which it makes when there is none.
func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}

// find returns the place of a listed event.
func (n *snapshot) find(key string) (int, bool) {
	if n.index != nil {
		i, ok := n.index[key]
		return i, ok
	}
	i := slices.IndexFunc(n.events, func(ev schema.Event) bool { return ev.Key == key })
	return i, i >= 0
}
