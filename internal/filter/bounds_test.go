package filter_test

import (
	"fmt"
	"math"
	"testing"

	"quipu/internal/filter"
)

// TestBounds has what filters say of a path without a document.
func TestBounds(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for text, want := range map[string]string{
		`{}`:                                        fmt.Sprint([]string(nil), false, -inf, inf),
		`{"n":"a"}`:                                 fmt.Sprint([]string{"a"}, true, -inf, inf),
		`{"n":{"$in":["a","b"]},"x":1}`:             fmt.Sprint([]string{"a", "b"}, true, -inf, inf),
		`{"n":{"$in":["a",1]}}`:                     fmt.Sprint([]string(nil), false, -inf, inf),
		`{"n":{"$in":[]}}`:                          fmt.Sprint([]string{}, true, -inf, inf),
		`{"n":{"$ne":"a"}}`:                         fmt.Sprint([]string(nil), false, -inf, inf),
		`{"n":null}`:                                fmt.Sprint([]string(nil), false, -inf, inf),
		`{"$or":[{"n":"a"},{"n":"b","x":2}]}`:       fmt.Sprint([]string{"a", "b"}, true, -inf, inf),
		`{"$or":[{"n":"a"},{"x":2}]}`:               fmt.Sprint([]string(nil), false, -inf, inf),
		`{"$nor":[{"n":"a"}]}`:                      fmt.Sprint([]string(nil), false, -inf, inf),
		`{"t":{"$gte":1,"$lt":5}}`:                  fmt.Sprint([]string(nil), false, 1.0, 5.0),
		`{"t":3,"x":{"$gt":9}}`:                     fmt.Sprint([]string(nil), false, 3.0, 3.0),
		`{"t":{"$gt":"1"}}`:                         fmt.Sprint([]string(nil), false, -inf, inf),
		`{"$or":[{"t":{"$gt":1}},{"t":{"$lt":0}}]}`: fmt.Sprint([]string(nil), false, -inf, inf),
		`{"$or":[{"t":1},{"t":{"$gt":3,"$lt":4}}]}`: fmt.Sprint([]string(nil), false, 1.0, 4.0),
		`{"t":{"$gt":5,"$lt":1}}`:                   fmt.Sprint([]string(nil), false, 5.0, 1.0),
		`{"t":{"$not":{"$gt":5}}}`:                  fmt.Sprint([]string(nil), false, -inf, inf),
	} {
		f, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		texts, ok := f.Texts("n")
		low, high := f.Range("t")
		if got := fmt.Sprint(texts, ok, low, high); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
