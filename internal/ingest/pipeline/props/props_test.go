package props_test

import (
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

func TestCustom(t *testing.T) {
	t.Parallel()
	has := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	list := func(v ...any) []any { return append([]any{}, v...) }
	tests := []struct {
		name, doc string
		before    map[string]any
		want      map[string]any
		same      bool
	}{
		{"set", `{"a":"x","b":2,"c":true,"d":["p",1]}`, nil, has("a", "x", "b", 2.0, "c", true, "d", list("p", 1.0)), false},
		{"set again", `{"a":"x"}`, has("a", "x"), has("a", "x"), true},
		{"set another type", `{"a":1}`, has("a", "1"), has("a", 1.0), false},
		{"empty and null unset", `{"a":"","b":null}`, has("a", "x", "b", 1.0, "c", 2.0), has("c", 2.0), false},
		{"last one goes", `{"a":{"$unset":""}}`, has("a", "x"), nil, false},
		{"unset what is not there", `{"z":""}`, has("a", "x"), has("a", "x"), true},
		{"setOnce", `{"a":{"$setOnce":"new"},"b":{"$setOnce":"new"}}`, has("a", "old"), has("a", "old", "b", "new"), false},
		{"inc", `{"a":{"$inc":5},"b":{"$inc":2}}`, has("a", 1.5), has("a", 6.5, "b", 2.0), false},
		{"inc of numeric text", `{"a":{"$inc":5}}`, has("a", "37"), has("a", 42.0), false},
		{"inc of other text", `{"a":{"$inc":5}}`, has("a", "x"), has("a", "x"), true},
		{"inc by text", `{"a":{"$inc":"5"}}`, has("a", 1.0), has("a", 6.0), false},
		{"inc beyond the bound", `{"a":{"$inc":1.7e308},"b":{"$inc":-1e100}}`, has("a", 1.7e308, "b", -1e100), has("a", 1e100, "b", -1e100), false},
		{"mul beyond the bound", `{"a":{"$mul":1e99},"b":{"$mul":1e99},"c":{"$mul":1e99}}`, has("a", 1e99, "b", -1e99, "c", "1e99"), has("a", 1e100, "b", -1e100, "c", 1e100), false},
		{"set beyond the bound", `{"a":1e999,"b":{"$max":"-1e999"},"c":[1,-1e999]}`, nil, has("a", 1e100, "b", -1e100, "c", list(1.0, -1e100)), false},
		{"mul", `{"a":{"$mul":3},"b":{"$mul":3}}`, has("a", 2.0), has("a", 6.0, "b", 0.0), false},
		{"min", `{"a":{"$min":3},"b":{"$min":3},"c":{"$min":3}}`, has("a", 2.0, "c", 4.0), has("a", 2.0, "b", 3.0, "c", 3.0), false},
		{"max", `{"a":{"$max":3},"b":{"$max":3},"c":{"$max":3}}`, has("a", 2.0, "c", 4.0), has("a", 3.0, "b", 3.0, "c", 4.0), false},
		{
			"push", `{"a":{"$push":"y"},"b":{"$push":["y","y"]},"c":{"$push":1}}`, has("a", list("x"), "c", "s"),
			has("a", list("x", "y"), "b", list("y", "y"), "c", list("s", 1.0)), false,
		},
		{"addToSet", `{"a":{"$addToSet":["x","y","y"]}}`, has("a", list("x")), has("a", list("x", "y")), false},
		{"addToSet known", `{"a":{"$addToSet":"x"}}`, has("a", list("x")), has("a", list("x")), true},
		{"pull", `{"a":{"$pull":"x"},"b":{"$pull":"x"}}`, has("a", list("x", "y", "x")), has("a", list("y")), false},
		{"pull the last", `{"a":{"$pull":"x"}}`, has("a", list("x")), has("a", list()), false},
		{"several in rank order", `{"a":{"$max":10,"$mul":3,"$inc":1,"$set":4,"$min":100}}`, has("a", 1.0), has("a", 15.0), false},
		{"lists in rank order", `{"a":{"$pull":"x","$push":["x","y"],"$addToSet":"z"}}`, nil, has("a", list("y", "z")), false},
		{"unset comes last", `{"a":{"$unset":1,"$inc":1}}`, has("a", 1.0), nil, false},
		{"unknown operator", `{"a":{"$rename":"b"}}`, has("a", 1.0), has("a", 1.0), true},
		{"dots and dollars", `{"a.b$c":1}`, nil, has("abc", 1.0), false},
		{"prototype names are names", `{"__proto__":"x","constructor":"y"}`, nil, has("__proto__", "x", "constructor", "y"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := request.ParseUserDetails([]byte(`{"custom":` + tt.doc + `}`))
			p := &model.Profile{Custom: tt.before}
			copied := maps.Clone(tt.before)
			changed := props.Apply(p, u)
			if diff := cmp.Diff(tt.want, p.Custom); diff != "" {
				t.Errorf("custom (-want +got):\n%s", diff)
			}
			if changed == tt.same {
				t.Errorf("changed = %v", changed)
			}
			if tt.before != nil {
				if diff := cmp.Diff(copied, tt.before); diff != "" {
					t.Errorf("the given map was changed:\n%s", diff)
				}
			}
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	p := &model.Profile{}
	for i := range props.MaxProperties + 20 {
		props.Apply(p, request.ParseUserDetails([]byte(`{"custom":{"k`+strconv.Itoa(i)+`":1}}`)))
	}
	if len(p.Custom) != props.MaxProperties {
		t.Errorf("got %d properties, want %d", len(p.Custom), props.MaxProperties)
	}
	props.Apply(p, request.ParseUserDetails([]byte(`{"custom":{"k1":2,"k2":""}}`)))
	props.Apply(p, request.ParseUserDetails([]byte(`{"custom":{"fits":3}}`)))
	if p.Custom["k1"] != 2.0 || p.Custom["k2"] != nil || p.Custom["fits"] != 3.0 {
		t.Errorf("a full profile cannot be changed: %v %v %v", p.Custom["k1"], p.Custom["k2"], p.Custom["fits"])
	}

	long := "[" + strings.Repeat("1,", props.MaxList+20) + "2]"
	q := &model.Profile{}
	props.Apply(q, request.ParseUserDetails([]byte(`{"custom":{"set":`+long+`,"push":{"$push":`+long+`}}}`)))
	for _, k := range []string{"set", "push"} {
		if l, _ := q.Custom[k].([]any); len(l) != props.MaxList {
			t.Errorf("%s: got %d elements, want %d", k, len(l), props.MaxList)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	p := &model.Profile{Name: "Ann", Email: "a@x.example", BirthYear: 1990, Phone: "1"}
	u := request.ParseUserDetails([]byte(`{"name":"Bea","email":"","phone":null,"byear":-1,"gender":"F","other":"x"}`))
	if !props.Apply(p, u) {
		t.Error("nothing changed")
	}
	if diff := cmp.Diff(&model.Profile{Name: "Bea", Gender: "F"}, p); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
	if props.Apply(p, u) {
		t.Error("the same again is a change")
	}
	if props.Apply(p, nil) {
		t.Error("no details are a change")
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, doc string
		want      model.Profile
	}{
		{"paths", `{"custom.flag":"1","name":"Bea"}`, model.Profile{Name: "Bea", Custom: map[string]any{"n": 1.0, "flag": "1"}}},
		{
			"operators", `{"$inc":{"custom.n":2},"$set":{"email":"b@x.example","custom.a":true},"$unset":{"name":""}}`,
			model.Profile{Email: "b@x.example", Custom: map[string]any{"n": 3.0, "a": true}},
		},
		{"custom object", `{"custom":{"n":{"$mul":5},"b":"x"}}`, model.Profile{Name: "Ann", Custom: map[string]any{"n": 5.0, "b": "x"}}},
		{"set of custom", `{"$set":{"custom":{"n":7}}}`, model.Profile{Name: "Ann", Custom: map[string]any{"n": 7.0}}},
		{"operator beside plain", `{"$push":{"custom.l":["a"]},"custom.n":""}`, model.Profile{Name: "Ann", Custom: map[string]any{"l": []any{"a"}}}},
		{"foreign fields", `{"uid":"9","sc":5,"_id":"x"}`, model.Profile{Name: "Ann", Custom: map[string]any{"n": 1.0}}},
		{"quotes in names", `{"custom.a\"b":1}`, model.Profile{Name: "Ann", Custom: map[string]any{"n": 1.0, `a"b`: 1.0}}},
		{"operator without object", `{"$set":5}`, model.Profile{Name: "Ann", Custom: map[string]any{"n": 1.0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := &model.Profile{Name: "Ann", Custom: map[string]any{"n": 1.0}}
			changed, err := props.Update(p, []byte(tt.doc))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, p); diff != "" {
				t.Errorf("profile (-want +got):\n%s", diff)
			}
			if same := cmp.Equal(&tt.want, &model.Profile{Name: "Ann", Custom: map[string]any{"n": 1.0}}); changed == same {
				t.Errorf("changed = %v", changed)
			}
		})
	}
	for _, doc := range []string{``, `[]`, `{"a":`, `5`} {
		if _, err := props.Update(&model.Profile{}, []byte(doc)); !errors.Is(err, props.ErrUpdate) {
			t.Errorf("%q: got error %v", doc, err)
		}
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	d, err := props.ParseDocument([]byte(`{"did":"dev","name":"Ann","custom":{"k":1},"cc":"DE","sc":3,"tsd":12.5,"fac":-4,"p":7,"uid":"99"}`))
	if err != nil || d.DID != "dev" {
		t.Fatalf("got %+v, %v", d, err)
	}
	p := &model.Profile{}
	d.Apply(p)
	want := &model.Profile{Name: "Ann", Custom: map[string]any{"k": 1.0}, Dims: model.Dims{model.Country: "DE"}, Sessions: 3, TotalDuration: 12.5, Assigned: true}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
	if _, err := props.ParseDocument([]byte(`[1]`)); !errors.Is(err, props.ErrUpdate) {
		t.Errorf("got error %v", err)
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	p := &model.Profile{
		Dims: model.Dims{model.AppVersion: "3:4:1", model.Country: "DE"}, BirthYear: 1990, Name: `A"b`, Sessions: 9, LastActivity: 5,
		Custom:   map[string]any{"z": []any{"a", 1.5}, "a": true, "n": 1e21, "s": "x"},
		Campaign: map[string]string{"c": "spring"}, Consent: map[string]bool{"push": true},
	}
	got, hash := props.State(p)
	want := `{"up.av":"3:4:1","up.cc":"DE","up.name":"A\"b","up.byear":1990,"custom.a":true,"custom.n":1e+21,"custom.s":"x","custom.z":["a",1.5],"cmp.c":"spring"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.Sessions, p.LastActivity, p.Consent = 10, 6, nil
	if _, again := props.State(p); again != hash {
		t.Error("activity changes the hash")
	}
	p.Custom["a"] = false
	if _, other := props.State(p); other == hash {
		t.Error("a custom property does not change the hash")
	}
	if got, _ := props.State(&model.Profile{}); string(got) != "{}" {
		t.Errorf("empty profile: got %s", got)
	}
}
