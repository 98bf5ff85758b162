// Package sdk is the module that client SDKs read their behaviour settings
// from: /o/sdk.
package sdk

import (
	"context"
	"encoding/json"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/params"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{Name: "sdk", Requires: []string{"apps"}, Setup: func(s *kernel.Scope) error {
		svc := &service{apps: s.Apps, now: s.Now}
		api.Handle(s.Routes, "/o/sdk", api.Public(), svc.read)
		return nil
	}}
}

type service struct {
	apps apps.Directory
	now  func() time.Time
}

type readReq struct {
	AppKey   params.Value `param:"app_key"`
	DeviceID params.Value `param:"device_id"`
	Method   string       `param:"method"`
}

// settings is the answer of method=sc. An empty C lets the SDK use its own defaults.
type settings struct {
	Version int            `json:"v"`
	Time    int64          `json:"t"` // ms
	C       map[string]any `json:"c"`
}

func (s *service) read(_ context.Context, _ api.Caller, r readReq) (any, error) {
	if r.AppKey.String() == "" || r.DeviceID.String() == "" {
		return nil, fault.New(fault.Invalid, "sdk.missing", `Missing parameter "app_key" or "device_id"`)
	}
	if !text(r.AppKey) || s.apps.ByKey(r.AppKey.String()) == nil {
		return nil, fault.New(fault.Invalid, "sdk.unknown_app", "App does not exist")
	}
	if r.Method != "sc" {
		return nil, fault.New(fault.Invalid, "request.invalid_method", "Invalid method")
	}
	return settings{Version: 2, Time: s.now().UnixMilli(), C: map[string]any{}}, nil
}

// text reports whether a parameter is a string; other forms never match an app.
func text(v params.Value) bool {
	var s string
	return v.IsText() || json.Unmarshal(v.JSON, &s) == nil
}
