package writers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"quipu/internal/store/schema"
)

// TestNames holds what many apps have in common once, and no more than a bound of what one app could send.
func TestNames(t *testing.T) {
	t.Parallel()
	var n names
	same := func(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }
	large := strings.Repeat("x", 1000) + "name"
	first := n.text(large[1000:])
	if first != "name" || same(first, large[1000:]) {
		t.Errorf("%q is part of the caller's text", first)
	}
	if !same(n.text("name"), first) {
		t.Error("the same text is held twice")
	}
	long := strings.Repeat("l", longestName+1)
	if same(n.text(long), n.text(long)) {
		t.Error("a long text is held")
	}
	for i := range 2 * mostNames {
		n.text(fmt.Sprint(i))
	}
	if len(n.texts) != mostNames || n.text("of many") != "of many" {
		t.Errorf("%d texts are held, want %d", len(n.texts), mostNames)
	}
}

// TestSegmentLists shares lists that are equal, and none that only has the same names.
func TestSegmentLists(t *testing.T) {
	t.Parallel()
	var n names
	list := func(kind schema.SlotKind) []schema.Segment {
		return []schema.Segment{{Name: "a", Slot: schema.Slot{Kind: kind, Index: 1}}, {Name: "b"}}
	}
	first := n.segments(list(schema.Text))
	if again := n.segments(list(schema.Text)); &again[0] != &first[0] {
		t.Error("an equal list is another one")
	}
	if other := n.segments(list(schema.Number)); other[0].Slot.Kind != schema.Number || first[0].Slot.Kind != schema.Text {
		t.Errorf("a list with the same names is %v", other)
	}
	for i := range 2 * mostLists {
		n.segments([]schema.Segment{{Name: fmt.Sprint(i)}})
	}
	if len(n.lists) != mostLists {
		t.Errorf("%d lists are held, want %d", len(n.lists), mostLists)
	}
	for _, list := range [][]uint32{nil, {1}, {1, 2, 3}, {1, 3}, {2, 3}, make([]uint32, longestList+1)} {
		if got := numbersOf(list); !slices.Equal(got, list) {
			t.Errorf("numbers %v are %v", list, got)
		}
	}
	if a, b := numbersOf([]uint32{1, 2}), numbersOf([]uint32{1, 2}); &a[0] != &b[0] || cap(a) != 2 {
		t.Errorf("numbers in order are apart, or have room behind them: %d", cap(a))
	}
}
