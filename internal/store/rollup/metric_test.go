package rollup_test

import (
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// TestNamedMetrics compares the metrics that code names with the rows of their dimensions.
func TestNamedMetrics(t *testing.T) {
	t.Parallel()
	for d, m := range map[model.Dim]rollup.Metric{
		model.Country: rollup.Countries, model.City: rollup.Cities, model.Device: rollup.Devices, model.Carrier: rollup.Carriers,
		model.OS: rollup.OS, model.OSVersion: rollup.OSVersions, model.Resolution: rollup.Resolutions, model.AppVersion: rollup.AppVersions,
		model.Browser: rollup.Browsers, model.BrowserVersion: rollup.BrowserVersion, model.Language: rollup.Languages,
		model.Source: rollup.Sources, model.SDK: rollup.SDKs, model.DeviceType: rollup.DeviceTypes, model.Manufacturer: rollup.Manufacturers,
	} {
		if row := model.Dimensions[d]; rollup.Metric(row.Metric) != m {
			t.Errorf("metric %d is called that of %s, whose row has %d", m, row.Name, row.Metric)
		}
	}
}
