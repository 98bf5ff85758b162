package query

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"quipu/internal/store/rollup"
)

// Unknown is the value of a metric that must have one when none was found.
const Unknown = "Unknown"

// MetricOf returns the metric that the wire calls name.
func MetricOf(name string) (rollup.Metric, bool) {
	switch name {
	case "countries":
		return rollup.Countries, true
	case "cities":
		return rollup.Cities, true
	case "devices":
		return rollup.Devices, true
	case "carriers":
		return rollup.Carriers, true
	case "os", "platforms":
		return rollup.OS, true
	case "os_versions", "platform_versions":
		return rollup.OSVersions, true
	case "resolutions":
		return rollup.Resolutions, true
	case "app_versions":
		return rollup.AppVersions, true
	case "browser", "browsers":
		return rollup.Browsers, true
	case "browser_version", "browser_versions":
		return rollup.BrowserVersion, true
	case "density", "densities":
		return rollup.Densities, true
	case "langs", "languages":
		return rollup.Languages, true
	case "sources":
		return rollup.Sources, true
	case "sdks":
		return rollup.SDKs, true
	case "device_type", "device_types":
		return rollup.DeviceTypes, true
	case "manufacturers":
		return rollup.Manufacturers, true
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
	if m == rollup.Sources {
		return strings.NewReplacer("&#46;", ".", "&#36;", "$").Replace(value)
	}
	if slices.Contains([]rollup.Metric{rollup.OSVersions, rollup.AppVersions, rollup.BrowserVersion, rollup.SDKs}, m) {
		return strings.ReplaceAll(value, ":", ".")
	}
	return value
}
