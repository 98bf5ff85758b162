package model_test

import (
	"encoding/json"
	"testing"

	"quipu/internal/model"
)

func TestPermissionForms(t *testing.T) {
	const none = `{"_":{"a":[],"u":[]},"c":{},"r":{},"u":{},"d":{}}`
	for _, test := range []struct{ name, in, want string }{
		{"empty object", `{}`, none},
		{"default form", none, none},
		{"nulls", `{"_":null,"c":null,"r":{}}`, none},
		{"arrays for empty objects", `{"_":[],"c":[],"r":[],"u":[],"d":[]}`, none},
		{
			"nested", `{"_":{"a":["A1"],"u":[["A2","A3"],["A4"]]},"r":{"A2":{"all":false,"allowed":{"core":true}}}}`,
			`{"_":{"a":["A1"],"u":[["A2","A3"],["A4"]]},"c":{},"r":{"A2":{"all":false,"allowed":{"core":true}}},"u":{},"d":{}}`,
		},
		{"flat", `{"_":{"u":["A2","A3"]}}`, `{"_":{"a":[],"u":[["A2","A3"]]},"c":{},"r":{},"u":{},"d":{}}`},
		{"mixed", `{"_":{"u":["A2",["A3"],[],"A4"]}}`, `{"_":{"a":[],"u":[["A3"],["A2","A4"]]},"c":{},"r":{},"u":{},"d":{}}`},
		{"null for an app", `{"_":{"u":[null,["A3"]]}}`, `{"_":{"a":[],"u":[["A3"]]},"c":{},"r":{},"u":{},"d":{}}`},
		{
			"rights", `{"c":{"A":{},"B":{"all":true},"C":{"allowed":{"x":true,"y":"true","z":1,"w":false}},"D":null,"E":[]}}`,
			`{"_":{"a":[],"u":[]},"c":{"A":{},"B":{"all":true,"allowed":{}},` +
				`"C":{"all":false,"allowed":{"w":false,"x":true,"y":true,"z":false}},"D":{},"E":{}},"r":{},"u":{},"d":{}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var p model.Permission
			if err := json.Unmarshal([]byte(test.in), &p); err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(p)
			if err != nil || string(got) != test.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
			}
		})
	}
	if got, err := json.Marshal(model.Member{}.Permission); err != nil || string(got) != none {
		t.Errorf("zero value: got %s, %v", got, err)
	}
	for _, in := range []string{`5`, `"x"`, `[]`, `{"_":{"a":[1]}}`, `{"_":{"u":[[1]]}}`, `{"_":{"u":[5]}}`} {
		if err := json.Unmarshal([]byte(in), &model.Permission{}); err == nil {
			t.Errorf("%s is accepted", in)
		}
	}
}

func TestPermissionWithout(t *testing.T) {
	const in = `{"_":{"a":["A","B"],"u":[["A"],["A","C"]]},"c":{"A":{"all":true}},"r":{"A":{},"C":{"all":true}},"u":{"A":{}},"d":{"A":{}}}`
	var p model.Permission
	if err := json.Unmarshal([]byte(in), &p); err != nil {
		t.Fatal(err)
	}
	before, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(p.Without("A"))
	want := `{"_":{"a":["B"],"u":[["C"]]},"c":{},"r":{"C":{"all":true,"allowed":{}}},"u":{},"d":{}}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	if after, err := json.Marshal(p); err != nil || string(after) != string(before) {
		t.Errorf("the original changed to %s, %v", after, err)
	}
	if !p.Mentions("A") || p.Without("A").Mentions("A") || p.Mentions("Z") {
		t.Error("Mentions is wrong")
	}
	got, err = json.Marshal(p.Without("A").Without("B").Without("C"))
	if want := `{"_":{"a":[],"u":[]},"c":{},"r":{},"u":{},"d":{}}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want the default form", got, err)
	}
}
