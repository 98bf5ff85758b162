package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
)

func TestProfileCloneSharesNothing(t *testing.T) {
	fresh := func() *model.Profile {
		return &model.Profile{
			UID: 1, Dims: model.Dims{model.City: "Ulm"}, Loc: &[2]float64{1, 2}, Open: model.SessionState{ID: 3},
			Custom:  map[string]any{"list": []any{"a", []any{"deep"}}, "map": map[string]any{"k": "v"}, "n": 1.0},
			Consent: map[string]bool{"events": true}, Campaign: map[string]string{"id": "c"},
			Extra: map[string]any{"x": "y"},
		}
	}
	p := fresh()
	c := p.Clone()
	if d := cmp.Diff(p, c); d != "" {
		t.Fatalf("clone (-want +got):\n%s", d)
	}
	c.Dims[model.City] = "Bern"
	c.Loc[0] = 9
	c.Open.ID = 9
	c.Custom["new"] = true
	c.Custom["list"].([]any)[1].([]any)[0] = "changed"
	c.Custom["map"].(map[string]any)["k"] = "changed"
	c.Consent["events"] = false
	c.Campaign["id"] = "changed"
	c.Extra["x"] = "changed"
	if d := cmp.Diff(fresh(), p); d != "" {
		t.Errorf("the original after its clone was changed (-want +got):\n%s", d)
	}
	if d := cmp.Diff(&model.Profile{}, (&model.Profile{}).Clone()); d != "" {
		t.Errorf("clone of the empty profile (-want +got):\n%s", d)
	}
}
