// Package sdk is the module that client SDKs read their behaviour settings
// from (/o/sdk), and in which people set them.
package sdk

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/request"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "sdk", Requires: []string{"apps"}, Features: []string{"sdk"},
		Setup: func(s *kernel.Scope) error {
			svc := &service{apps: s.Apps, docs: s.Docs, now: s.Now}
			g := s.Routes
			api.Handle(g, "/o/sdk", api.Public(), svc.read)
			api.HandleMethod(g, "sdk-config", api.Feature("sdk", model.Read, api.AppParamFirst), svc.config)
			api.HandleMethod(g, "sdk-enforcement", api.Feature("sdk", model.Read, api.AppParamFirst), svc.enforcement)
			api.HandleMethod(g, "config-upload", api.Feature("sdk", model.Update, api.AppParamFirst).Writing(), svc.upload)
			api.Handle(g, "/i/sdk-config/update-parameter", api.Feature("sdk", model.Update, api.AppParam), svc.updateParameter)
			api.Handle(g, "/i/sdk-config/update-enforcement", api.Feature("sdk", model.Update, api.AppParam), svc.updateEnforcement)
			return nil
		},
	}
}

type service struct {
	apps apps.Directory
	docs docs.DB
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

func (s *service) read(ctx context.Context, c api.Caller, r readReq) (any, error) {
	if r.AppKey.String() == "" || r.DeviceID.String() == "" {
		return nil, fault.New(fault.Invalid, "sdk.missing", `Missing parameter "app_key" or "device_id"`)
	}
	var app *model.App
	if text(r.AppKey) {
		app = s.apps.ByKey(r.AppKey.String())
	}
	if app == nil {
		return nil, fault.New(fault.Invalid, "sdk.unknown_app", "App does not exist")
	}
	if refused := decode.Refusal([]byte(c.Params.Signed()), app.Salt); refused != "" {
		return api.Result{Result: refused}, nil
	}
	if request.IgnoredDevice(r.DeviceID.String()) {
		return api.Result{Result: "Ignoring device_id"}, nil
	}
	switch r.Method {
	case "sc":
		doc, err := s.load(ctx, app.ID)
		return settings{Version: 2, Time: s.now().UnixMilli(), C: doc.delivered()}, err
	case "rc", "fetch_remote_config", "ab_fetch_variants":
		return struct{}{}, nil // no parameters are defined
	case "ab_fetch_experiments":
		return []any{}, nil
	case "feedback":
		return api.Result{Result: []any{}}, nil
	}
	return nil, fault.New(fault.Invalid, "request.invalid_method", "Invalid method")
}

// text reports whether a parameter is a string; other forms never match an app.
func text(v params.Value) bool {
	var s string
	return v.IsText() || json.Unmarshal(v.JSON, &s) == nil
}

func (s *service) config(ctx context.Context, c api.Caller, _ api.None) (map[string]any, error) {
	doc, err := s.load(ctx, c.App.ID)
	return orEmpty(doc.Config), err
}

func (s *service) enforcement(ctx context.Context, c api.Caller, _ api.None) (map[string]bool, error) {
	doc, err := s.load(ctx, c.App.ID)
	return orEmpty(doc.Enforcement), err
}

func orEmpty[M ~map[string]V, V any](m M) M {
	if m == nil {
		return M{}
	}
	return m
}

type uploadReq struct {
	Config params.Value `param:"config"`
}

// upload replaces the whole configuration; {"c":{…}}, as SDKs get it, is unwrapped.
func (s *service) upload(ctx context.Context, c api.Caller, r uploadReq) (api.Result, error) {
	m, err := object(r.Config)
	if err != nil {
		return api.Result{}, fault.Wrap(err, fault.Invalid, "sdk.bad_config", "Invalid config format")
	}
	if m == nil {
		return api.Result{}, fault.New(fault.Invalid, "sdk.bad_config", "Config must be a valid object")
	}
	if inner, ok := m["c"].(map[string]any); ok {
		m = inner
	}
	return s.change(ctx, c, "sdk_config_uploaded", func(d *document) { d.Config = known(m) })
}

type parameterReq struct {
	Parameter params.Value `param:"parameter"`
}

func (s *service) updateParameter(ctx context.Context, c api.Caller, r parameterReq) (api.Result, error) {
	m, err := object(r.Parameter)
	if err != nil || m == nil {
		return api.Result{}, fault.New(fault.Invalid, "sdk.bad_parameter", "Error parsing parameter")
	}
	return s.change(ctx, c, "sdk_config_updated", func(d *document) {
		next := orEmpty(maps.Clone(d.Config))
		maps.Copy(next, known(m))
		d.Config = next
	})
}

type enforcementReq struct {
	Enforcement params.Value `param:"enforcement"`
}

func (s *service) updateEnforcement(ctx context.Context, c api.Caller, r enforcementReq) (api.Result, error) {
	wrong := fault.New(fault.Invalid, "sdk.bad_enforcement", "Wrong enforcement format")
	if r.Enforcement.String() == "" {
		return api.Result{}, wrong
	}
	var v any
	if json.Unmarshal(r.Enforcement.Raw(), &v) != nil {
		return api.Result{}, fault.New(fault.Invalid, "sdk.bad_enforcement", "Error parsing enforcement")
	}
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return api.Result{}, wrong
	}
	return s.change(ctx, c, "sdk_enforcement_updated", func(d *document) {
		d.Enforcement = map[string]bool{}
		for k, on := range known(m) {
			if flag, ok := on.(bool); ok {
				d.Enforcement[k] = flag
			}
		}
	})
}

// object reads a parameter that is to be a JSON object; nil when it was not sent or is none.
func object(v params.Value) (map[string]any, error) {
	if v.String() == "" {
		return nil, nil //nolint:nilnil // both are told apart by the caller's text
	}
	var decoded any
	if err := json.Unmarshal(v.Raw(), &decoded); err != nil {
		return nil, err
	}
	m, _ := decoded.(map[string]any)
	return m, nil
}

// change applies fn to the app's document.
func (s *service) change(ctx context.Context, c api.Caller, action string, fn func(*document)) (api.Result, error) {
	var before, after document
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		d, err := col.Get(ctx, documentKey)
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
		before = d
		fn(&d)
		after = d
		return col.Put(ctx, d)
	})
	c.Audit(action, before, after, nil)
	return api.Success(), err
}
