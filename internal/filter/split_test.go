package filter_test

import (
	"strings"
	"testing"

	"quipu/internal/filter"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                              `{} {}`,
		`{"a.x":1}`:                       `{"a.x":1} {}`,
		`{"b":1}`:                         `{} {"b":1}`,
		`{"a.x":1,"b":{"$gt":2},"a.y":3}`: `{"a.x":1,"a.y":3} {"b":{"$gt":2}}`,
		`{"$and":[{"a.x":1},{"$or":[{"b":1},{"c":1}]}]}`: `{"a.x":1} {"$or":[{"b":1},{"c":1}]}`,
		`{"$nor":[{"a.x":1},{"a.y":1}]}`:                 `{"$nor":[{"a.x":1},{"a.y":1}]} {}`,
		`{"$or":[{"a.x":1},{"b":1}]}`:                    `mixed`,
		`{"c":1,"$nor":[{"a.x":1},{"b":1}]}`:             `mixed`,
		`{"$or":[]}`:                                     `{} {"$or":[]}`,
	} {
		f, err := filter.Parse(text)
		if err != nil {
			if text == `{"$or":[]}` {
				continue // refused
			}
			t.Fatal(text, err)
		}
		mine, rest, ok := f.Split(func(path string) bool { return strings.HasPrefix(path, "a.") })
		got := mine.String() + " " + rest.String()
		if !ok {
			got = "mixed"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if ok && filter.And(mine, rest).IsZero() != f.IsZero() {
			t.Errorf("%s: a condition is lost", text)
		}
	}
}
