// Package sdk is the module of the addresses that client SDKs call beside /i: their behaviour settings, which
// people set here, and what features offer to a user. Until a feature is there, its calls are answered
// as the protocol has it for nothing to offer, and what they bring is kept.
//
// An SDK keeps a call of its queue until the answer has a status of success and a result, and sends nothing else meanwhile. Such calls
// say how many remain in the queue (rr); they always get such an answer once their app is known. Direct calls get the protocol's errors.
package sdk

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
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
		Plugin: &kernel.Plugin{Code: "sdk", Title: "SDK behavior", Description: "Answers client SDKs, and holds the settings that they follow.", Fixed: true},
		Ingest: ingestion(),
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{apps: n.Apps, docs: n.Docs, now: s.Now, keep: n.Call, refused: n.Refused}
			g := s.Routes
			svc.calls(g)
			svc.feedback(g)
			svc.assets(g)
			api.HandleMethod(g, "sdk-config", api.Feature("sdk", model.Read, api.AppParamFirst), svc.config)
			api.HandleMethod(g, "sdk-enforcement", api.Feature("sdk", model.Read, api.AppParamFirst), svc.enforcement)
			api.HandleMethod(g, "config-upload", api.Feature("sdk", model.Update, api.AppParamFirst).Writing(), svc.upload)
			api.Handle(g, "/i/sdk-config/update-parameter", api.Feature("sdk", model.Update, api.AppParam), svc.updateParameter)
			api.Handle(g, "/i/sdk-config/update-enforcement", api.Feature("sdk", model.Update, api.AppParam), svc.updateEnforcement)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Writes
	kernel.Directory
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Writes, c.Directory} }

type service struct {
	apps *apps.Store
	docs docs.DB
	now  func() time.Time
	// keep has a call of an SDK kept, refused has it counted only; see kernel.Writes.
	keep    func(r *http.Request, app *model.App, params []request.Param) (decode.Reply, error)
	refused func(app model.AppID, reason outcome.Reason)
}

// settings is the answer of method=sc. An empty C lets the SDK use its own defaults.
type settings struct {
	Version int            `json:"v"`
	Time    int64          `json:"t"` // ms
	C       map[string]any `json:"c"`
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
		return nil, nil // both are distinguished by the caller's text
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
