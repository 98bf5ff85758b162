package pipeline

import (
	"quipu/internal/ingest/device"
	"quipu/internal/ingest/request"
)

// Describe is Options.Describe of the product: metrics first, then the agent.
func Describe(r *request.Request, agent string) Technology {
	t := Technology{SDK: device.SDK(r.SDKName, r.SDKVersion), AppVersion: device.Version(r.AppVersion)}
	if len(r.Metrics) == 0 && agent == "" {
		return t
	}
	d := device.Normalise(r.Metrics, agent)
	if d.AppVersion != "" {
		t.AppVersion = d.AppVersion
	}
	t.OS, t.OSVersion, t.Device, t.DeviceType, t.Manufacturer = d.OS, d.OSVersion, d.Device, d.DeviceType, d.Manufacturer
	t.Resolution, t.Density, t.Carrier, t.Language = d.Resolution, d.Density, d.Carrier, d.Language
	t.Browser, t.BrowserVersion, t.Source = d.Browser, d.BrowserVersion, d.Source
	return t
}
