package filter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/store/events/duck"
)

// TestListArguments asks a list whose elements have arguments beside a text: each placeholder has its argument, in their order.
func TestListArguments(t *testing.T) {
	t.Parallel()
	elements := func(path string) (filter.Column, bool) {
		if path != "list" {
			return columns(path)
		}
		return filter.Column{Type: filter.List, Elements: []filter.Element{
			{Value: "a", Holds: "(has(?))", Args: []any{"of a"}}, {Value: true, Holds: "(has(?))", Args: []any{"of true"}},
		}}, true
	}
	for condition, want := range map[string][]any{
		`{"$size":0}`:                   nil,
		`{"$size":1}`:                   {"of a", "of true", int64(1)},
		`{"$exists":true}`:              {"of a", "of true"},
		`{"$in":["a"]}`:                 {"of a"},
		`{"$in":["b"]}`:                 nil,
		`{"$in":["true"]}`:              {"of true"},
		`{"$in":["a",null]}`:            {"of a", "of a", "of true"},
		`{"$elemMatch":{"$in":[true]}}`: {"of true"},
		`{"$regex":"^a"}`:               {"of a"},
	} {
		for form, args := range map[string][]any{
			`{"list":%s,"t":"x"}`:             append(slices.Clip(want), "x"),
			`{"$or":[{"list":%s},{"t":"x"}]}`: append(slices.Clip(want), "x"),
			`{"list":{"$not":%s},"t":"x"}`:    append(slices.Clip(want), "x"),
		} {
			where, got := mustParse(t, fmt.Sprintf(form, condition)).SQL(duck.Dialect{}, elements)
			if strings.Count(where, "?") != len(got) {
				t.Errorf("%s: %d arguments for %s", condition, len(got), where)
			}
			if diff := cmp.Diff(args, got); diff != "" {
				t.Errorf("%s, arguments (-want +got):\n%s", fmt.Sprintf(form, condition), diff)
			}
		}
	}
}
