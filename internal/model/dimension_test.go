package model_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/model"
)

// TestDimensions holds every row of the table to what its consumers count on.
func TestDimensions(t *testing.T) {
	t.Parallel()
	once := map[string]string{}
	claim := func(what, value, by string) {
		if other, taken := once[what+" "+value]; taken {
			t.Errorf("%s: %s %s is that of %s", by, what, value, other)
		}
		once[what+" "+value] = by
	}
	for f := range reflect.TypeFor[model.Profile]().Fields() {
		if key, _, _ := strings.Cut(f.Tag.Get("cbor"), ","); key != "-" {
			claim("stored key", key, "profile field "+f.Name)
		}
	}
	full := model.Profile{Name: "x", Username: "x", Email: "x", Organization: "x", Phone: "x", Gender: "x", BirthYear: 1, Picture: "x"}
	for key := range full.Document() {
		claim("short key", key, "profiles")
	}
	for i := range model.Dimensions {
		d := &model.Dimensions[i]
		if d.Name == "" || d.Key == "" || d.Stored == 0 || len(d.Metrics) == 0 || (len(d.Documents) == 0) != (d.List == "") {
			t.Errorf("row %d, %q, lacks a part", i, d.Name)
		}
		if d.Metric < 4 || d.Metric > 31 {
			t.Errorf("%s: metric %d is not among 4 to 31", d.Name, d.Metric)
		}
		claim("name", d.Name, d.Name)
		claim("short key", d.Key, d.Name)
		claim("stored key", strconv.FormatUint(d.Stored, 10), d.Name)
		claim("metric", strconv.Itoa(int(d.Metric)), d.Name)
		if d.Sent != "" {
			claim("sent metric", d.Sent, d.Name)
		}
		for _, name := range d.Metrics {
			claim("name of a metric", name, d.Name)
		}
		if at, ok := model.DimensionByKey(d.Key); !ok || int(at) != i {
			t.Errorf("%s is found at %d, %t", d.Key, at, ok)
		}
		p := model.Profile{}
		p.Dims[i] = "value"
		if got := p.Document()[d.Key]; got != "value" {
			t.Errorf("%s: the document holds %v", d.Name, got)
		}
	}
}
