package filter_test

import (
	"encoding/json"
	"testing"

	"quipu/internal/filter"
)

func TestMatch(t *testing.T) {
	doc := filter.MapDoc{}
	err := json.Unmarshal([]byte(`{
		"s":"Berlin", "n":5, "ns":"5", "b":true, "bs":"false", "bl":[true,"x"], "z":null, "list":["x","y",3], "empty":[], "nulls":[null],
		"o":{"p":"q","n":{"m":1}}, "flat.key":"f", "lines":"one\ntwo", "objs":[{"k":1},{"k":[2,3]},4], "nested":[[1]]
	}`), &doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		filter string
		want   bool
	}{
		{`{}`, true},
		{`{"s":"Berlin"}`, true},
		{`{"s":"berlin"}`, false},
		{`{"n":5}`, true},
		{`{"n":5.0}`, true},
		{`{"n":"5"}`, false},
		{`{"ns":5}`, false},
		{`{"ns":"5"}`, true},
		{`{"b":true}`, true},
		{`{"b":1}`, false},
		{`{"b":"true"}`, true},
		{`{"b":"false"}`, false},
		{`{"b":"True"}`, false},
		{`{"b":{"$ne":"true"}}`, false},
		{`{"bs":false}`, true},
		{`{"bs":true}`, false},
		{`{"bs":{"$eq":false}}`, true},
		{`{"bs":{"$ne":false}}`, false},
		{`{"bs":{"$in":[true,false]}}`, true},
		{`{"bs":{"$nin":[false,"x"]}}`, false},
		{`{"bl":"true"}`, true},
		{`{"bl":{"$all":["true",true,"x"]}}`, true},
		{`{"bl":{"$elemMatch":{"$eq":"true"}}}`, true},
		{`{"b":{"$in":["true",2,3,4,5,6,7,8]}}`, true},
		{`{"missing":{"$in":[true,"true"]}}`, false},
		{`{"z":null}`, true},
		{`{"missing":null}`, true},
		{`{"s":null}`, false},
		{`{"list":null}`, false},
		{`{"empty":null}`, false},
		{`{"nulls":null}`, true},
		{`{"z":{"$exists":true}}`, false},
		{`{"missing":{"$exists":false}}`, true},
		{`{"empty":{"$exists":true}}`, true},
		{`{"o":{"$exists":true}}`, true},
		{`{"missing":{"$ne":"x"}}`, true},
		{`{"list":{"$ne":"x"}}`, false},
		{`{"list":{"$ne":"z"}}`, true},
		{`{"list":{"$nin":["z","y"]}}`, false},
		{`{"list":"y"}`, true},
		{`{"list":3}`, true},
		{`{"list":"3"}`, false},
		{`{"list":{"$in":["q",3]}}`, true},
		{`{"s":{"$in":"Berlin"}}`, true},
		{`{"s":{"$in":[]}}`, false},
		{`{"s":{"$nin":[]}}`, true},
		{`{"n":{"$gt":4,"$lt":6}}`, true},
		{`{"n":{"$gte":5,"$lte":5}}`, true},
		{`{"n":{"$gt":5}}`, false},
		{`{"n":{"$gt":"4"}}`, false},
		{`{"s":{"$gt":"A"}}`, true},
		{`{"s":{"$gt":"a"}}`, false},
		{`{"missing":{"$lt":9}}`, false},
		{`{"missing":{"$not":{"$lt":9}}}`, true},
		{`{"b":{"$gt":0}}`, false},
		{`{"list":{"$gt":2}}`, true},
		{`{"s":{"$regex":"^ber"}}`, false},
		{`{"s":{"$regex":"^ber","$options":"i"}}`, true},
		{`{"lines":{"$regex":"^two$"}}`, false},
		{`{"lines":{"$regex":"^two$","$options":"m"}}`, true},
		{`{"lines":{"$regex":"one.two"}}`, false},
		{`{"lines":{"$regex":"one.two","$options":"s"}}`, true},
		{`{"lines":{"$regex":"ONE.t|x","$options":"is"}}`, true},
		{`{"n":{"$regex":"5"}}`, false},
		{`{"list":{"$regex":"[yz]"}}`, true},
		{`{"s":{"$not":{"$regex":"er"}}}`, false},
		{`{"list":{"$size":3}}`, true},
		{`{"list":{"$size":2}}`, false},
		{`{"s":{"$size":1}}`, false},
		{`{"empty":{"$size":0}}`, true},
		{`{"list":{"$all":["x",3]}}`, true},
		{`{"list":{"$all":["x","q"]}}`, false},
		{`{"s":{"$all":["Berlin"]}}`, true},
		{`{"list":{"$all":[]}}`, false},
		{`{"list":{"$elemMatch":{"$gt":2,"$lt":4}}}`, true},
		{`{"list":{"$elemMatch":{"$gt":"w","$ne":"x"}}}`, true},
		{`{"list":{"$elemMatch":{"$regex":"X","$options":"i"}}}`, true},
		{`{"n":{"$elemMatch":{"$gt":2}}}`, false},
		{`{"nested":1}`, false},
		{`{"nested":{"$elemMatch":{"$eq":1}}}`, false},
		{`{"nested":{"$elemMatch":{"$ne":1}}}`, true},
		{`{"o.p":"q"}`, true},
		{`{"o.n.m":1}`, true},
		{`{"o":"q"}`, false},
		{`{"o":{"$ne":"q"}}`, true},
		{`{"flat.key":"f"}`, true},
		{`{"objs.k":3}`, true},
		{`{"objs.k":{"$size":3}}`, true},
		{`{"objs.x":{"$exists":false}}`, true},
		{`{"s.x":null}`, true},
		{`{"$or":[{"n":1},{"s":"Berlin"}]}`, true},
		{`{"$and":[{"n":1},{"s":"Berlin"}]}`, false},
		{`{"$nor":[{"n":1},{"s":"Paris"}]}`, true},
		{`{"$nor":[{}]}`, false},
		{`{"$not":{"n":1}}`, true},
		{`{"n":{"$in":[1,2,3,4,5,6,7,8,9,10]}}`, true},
		{`{"n":{"$in":[1,2,3,4,"5",6,7,8,9,10]}}`, false},
		{`{"o":{"$in":[null,2,3,4,"5",6,7,8,9,10]}}`, false},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			if got := mustParse(t, tc.filter).Match(doc); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// TestMatchNumberTypes gives documents numbers as Go programs hold them.
func TestMatchNumberTypes(t *testing.T) {
	e := mustParse(t, `{"n":7}`)
	for _, v := range []any{7, int8(7), int16(7), int32(7), int64(7), uint(7), uint8(7), uint16(7), uint32(7), uint64(7), float32(7), 7.0, json.Number("7"), []float64{1, 7}} {
		if !e.Match(filter.MapDoc{"n": v}) {
			t.Errorf("%T(7) does not match", v)
		}
	}
	if !mustParse(t, `{"s":"x"}`).Match(filter.MapDoc{"s": []string{"y", "x"}}) {
		t.Error("[]string does not match")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":{"$in":[1,"x",null,true]}}`, `{"$or":[{"a":{"$gt":1}},{"b":{"$not":{"$regex":"x$","$options":"im"}}}]}`,
		`{"a":{"$elemMatch":{"$gt":1,"$nin":[2]}}}`, `{"a":{"$all":["x"],"$size":2,"$exists":1}}`, `{"$nor":[{}]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := filter.Parse(s)
		if err != nil {
			return
		}
		canonical := e.String()
		again, err := filter.Parse(canonical)
		if err != nil {
			t.Fatalf("canonical form %s is refused: %v", canonical, err)
		}
		if again.String() != canonical {
			t.Fatalf("canonical form is not stable: %s, then %s", canonical, again)
		}
		for _, doc := range []filter.MapDoc{nil, {"a": 1.0, "b": "x"}, {"a": []any{1.0, "x", nil}, "b": "ax\n"}} {
			if e.Match(doc) != again.Match(doc) {
				t.Fatalf("%s and its canonical form %s differ on %v", s, canonical, doc)
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	e := mustParse(b, `{"cc":{"$in":["DE","FR","US"]},"sc":{"$gt":3},"custom.plan":{"$ne":"free"},"av":{"$regex":"^3:"}}`)
	doc := filter.MapDoc{"cc": "DE", "sc": 5.0, "custom": map[string]any{"plan": "pro"}, "av": "3:4:1"}
	b.ReportAllocs()
	for b.Loop() {
		if !e.Match(doc) {
			b.Fatal("no match")
		}
	}
}
