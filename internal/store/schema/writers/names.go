package writers

import (
	"slices"
	"strings"
	"sync"

	"quipu/internal/store/schema"
)

// names holds texts that many apps have in common, the names of what SDKs send above all, so that each is in memory once. The zero value holds none.
type names struct {
	mu    sync.Mutex
	texts map[string]string
	lists map[string][]schema.Segment
}

// Of so many names, each so long at most (bytes), and of so many lists of segments, each so long at most, the first are held.
const (
	mostNames   = 4096
	longestName = 64
	mostLists   = 256
	longestList = 64
)

// text returns a copy of a text, which may be part of something large.
func (n *names) text(s string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if held, ok := n.texts[s]; ok {
		return held
	}
	s = strings.Clone(s)
	if len(n.texts) < mostNames && len(s) <= longestName {
		put(&n.texts, s, s)
	}
	return s
}

// segments returns a list as it is, or one that is equal: what sessions of many apps consist of is the same. Neither may be changed.
func (n *names) segments(list []schema.Segment) []schema.Segment {
	if len(list) == 0 || len(list) > longestList {
		return list
	}
	key := make([]byte, 0, 32*len(list))
	for i := range list {
		key = append(append(key, list[i].Name...), 0)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if held, ok := n.lists[string(key)]; ok { // the same names in the same order; the rest may still differ
		if slices.Equal(held, list) {
			return held
		}
		return list
	}
	if len(n.lists) < mostLists {
		put(&n.lists, string(key), list)
	}
	return list
}

// ascending is 1, 2 and so on: the numbers of segments of which none was deleted.
var ascending = func() (list [longestList]uint32) {
	for i := range list {
		list[i] = uint32(i) + 1
	}
	return list
}()

// numbersOf returns a list of numbers as it is, or one that is equal.
func numbersOf(list []uint32) []uint32 {
	if len(list) <= len(ascending) && slices.Equal(list, ascending[:len(list)]) {
		return ascending[:len(list):len(list)]
	}
	return list
}
