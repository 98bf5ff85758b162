package pipeline

import (
	"quipu/internal/ingest/device"
	"quipu/internal/ingest/request"
)

// Describe is the product's Options.Describe: metrics first, then the HTTP
// header.
func Describe(r *request.Request) Technology {
	t := Technology{SDK: device.SDK(r.SDKName, r.SDKVersion), AppVersion: device.Version(r.AppVersion)}
	if len(r.Metrics) == 0 && r.UserAgent == "" {
		return t
	}
	d := device.Normalise(r.Metrics, r.UserAgent)
	if d.AppVersion != "" {
		t.AppVersion = d.AppVersion
	}
	t.OS, t.OSVersion, t.Device, t.DeviceType, t.Manufacturer = d.OS, d.OSVersion, d.Device, d.DeviceType, d.Manufacturer
	t.Resolution, t.Density, t.Carrier, t.Language = d.Resolution, d.Density, d.Carrier, d.Language
	t.Browser, t.BrowserVersion, t.Source = d.Browser, d.BrowserVersion, d.Source
	return t
}
