package pipeline

import (
	"quipu/internal/ingest/device"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// Describe is the product's Options.Describe: metrics first, then the HTTP
// header.
func Describe(r *request.Request) model.Dims {
	var d model.Dims
	if len(r.Metrics) > 0 || r.UserAgent != "" {
		d = device.Normalise(r.Metrics, r.UserAgent)
	}
	d[model.SDK] = device.SDK(r.SDKName, r.SDKVersion)
	if d[model.AppVersion] == "" {
		d[model.AppVersion] = device.Version(r.AppVersion)
	}
	return d
}
