package query

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// MetricOf returns the metric that the wire calls name.
func MetricOf(name string) (rollup.Metric, bool) {
	for i := range model.Dimensions {
		if d := &model.Dimensions[i]; slices.Contains(d.Metrics, name) {
			return rollup.Metric(d.Metric), true
		}
	}
	return 0, false
}

// CountryName returns the English name of an ISO 3166 code; what is no such
// code is its own name.
func CountryName(code string) string {
	region, err := language.ParseRegion(code)
	if err != nil || len(code) != 2 {
		return code
	}
	name := display.English.Regions().Name(region)
	if name == "" || strings.HasPrefix(name, "Unknown") {
		return code
	}
	return name
}

// DisplayName returns a value as people read it: countries by name, and
// without the encodings that keys of documents need.
func DisplayName(m rollup.Metric, value string) string {
	if m == rollup.Countries {
		return CountryName(value)
	}
	return Decoded(m, value)
}

// Decoded returns a value without the encodings that keys of documents need: 3.2.1 for 3:2:1, and google.com for google&#46;com.
func Decoded(m rollup.Metric, value string) string {
	if m == rollup.Sources {
		return strings.NewReplacer("&#46;", ".", "&#36;", "$").Replace(value)
	}
	if slices.ContainsFunc(model.Dimensions[:], func(d model.Dimension) bool { return d.Encoded && rollup.Metric(d.Metric) == m }) {
		return strings.ReplaceAll(value, ":", ".")
	}
	return value
}
