package filter_test

import (
	"testing"

	"quipu/internal/filter"
)

func parsed(t *testing.T, text string) filter.Expr {
	t.Helper()
	f, err := filter.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReplace asks stored documents for a field that is made of two others.
func TestReplace(t *testing.T) {
	t.Parallel()
	cases := []filter.Case{
		{Value: "open", When: parsed(t, `{"state":{"$in":["new","old"]},"closed":{"$ne":true}}`)},
		{Value: "closed", When: parsed(t, `{"closed":true}`)},
		{Value: 5, When: parsed(t, `{"state":"five"}`)},
	}
	stored := map[string]filter.MapDoc{
		"open": {"state": "old"}, "closed": {"state": "new", "closed": true}, "5": {"state": "five"},
	}
	for text, want := range map[string]map[string]bool{
		`{}`:                                         {"open": true, "closed": true, "5": true},
		`{"shown":"open"}`:                           {"open": true},
		`{"shown":{"$ne":"open"}}`:                   {"closed": true, "5": true},
		`{"shown":{"$in":["open",5]}}`:               {"open": true, "5": true},
		`{"shown":{"$regex":"^c"}}`:                  {"closed": true},
		`{"shown":{"$gt":4}}`:                        {"5": true},
		`{"shown":{"$exists":true}}`:                 {"open": true, "closed": true, "5": true},
		`{"shown":{"$exists":false}}`:                {},
		`{"shown":"none","state":"old"}`:             {},
		`{"$or":[{"shown":"none"},{"state":"old"}]}`: {"open": true},
		`{"$nor":[{"shown":"open"},{"shown":5}]}`:    {"closed": true},
		`{"state":"old"}`:                            {"open": true},
	} {
		f := parsed(t, text).Replace("shown", cases...)
		again := parsed(t, f.String())
		for name, doc := range stored {
			if got := f.Match(doc); got != want[name] || again.Match(doc) != got {
				t.Errorf("%s of %s: got %t, written and read again %t, want %t", text, name, got, again.Match(doc), want[name])
			}
		}
	}
	always := parsed(t, `{"shown":"x","a":1}`).Replace("shown", filter.Case{Value: "x"})
	if !always.Match(filter.MapDoc{"a": 1}) || always.Match(filter.MapDoc{"a": 2}) {
		t.Errorf("a case that always holds gives %s", always)
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	f := parsed(t, `{"a":1,"$or":[{"b":{"$ne":2}},{"c":{"$elemMatch":{"$gt":1}}}]}`)
	got := f.Rename(func(path string) string { return "x." + path }).String()
	if want := parsed(t, `{"x.a":1,"$or":[{"x.b":{"$ne":2}},{"x.c":{"$elemMatch":{"$gt":1}}}]}`).String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if same := parsed(t, f.String()).String(); f.String() != same {
		t.Errorf("the renamed filter changed to %s", f)
	}
}
