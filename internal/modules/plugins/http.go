package plugins

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/mail"
	"quipu/internal/params"
	"quipu/internal/settings"
)

type service struct {
	settings *settings.Store
	plugins  func() []kernel.Feature
	mail     *mail.Sender
	version  string
}

// row is a feature as the wire has it.
type row struct {
	Enabled      bool           `json:"enabled"`
	Code         string         `json:"code"`
	Title        string         `json:"title"`
	Name         string         `json:"name"`
	Description  string         `json:"description"`
	Version      string         `json:"version"`
	Author       string         `json:"author"`
	Homepage     string         `json:"homepage"`
	Dependencies map[string]any `json:"cly_dependencies"`
	// Fixed features cannot be switched off.
	Fixed bool `json:"fixed,omitempty"`
}

func (s *service) list(context.Context, api.Caller, api.None) ([]row, error) {
	out := []row{}
	for _, p := range s.plugins() {
		out = append(out, row{
			Enabled: p.Enabled, Code: p.Code, Title: p.Title, Name: "quipu-" + p.Code, Description: p.Description,
			Version: s.version, Author: "Quipu", Dependencies: map[string]any{}, Fixed: p.Fixed,
		})
	}
	return out, nil
}

type changeReq struct {
	Plugin params.Value `param:"plugin"`
}

// change switches features. It takes effect with the next request.
func (s *service) change(ctx context.Context, c api.Caller, r changeReq) (any, error) {
	var wanted map[string]any
	if json.Unmarshal(r.Plugin.Raw(), &wanted) != nil || len(wanted) == 0 {
		c.NoAudit()
		return "Not enough parameters", nil //nolint:nilerr // the wire answers so with 200
	}
	known, fixed := map[string]bool{}, map[string]bool{}
	for _, p := range s.plugins() {
		known[p.Code], fixed[p.Code] = true, p.Fixed
	}
	change, bad := map[string]any{}, []string{}
	for code, on := range wanted {
		if !known[code] || fixed[code] {
			bad = append(bad, code)
			continue
		}
		change[code] = on
	}
	if len(bad) > 0 {
		slices.Sort(bad)
		return nil, fault.New(fault.Invalid, "plugins.not_switchable", "Cannot be switched: "+strings.Join(bad, ", "))
	}
	before, after, err := s.settings.Set(ctx, settings.Values{"plugins": change})
	if err != nil {
		return nil, err
	}
	c.Audit("change_plugins", before["plugins"], after["plugins"], nil)
	return api.Result{Result: "started"}, nil
}

// check tells how far the last change of features is: always done, for it is made at once.
func (s *service) check(context.Context, api.Caller, api.None) (api.Result, error) {
	return api.Result{Result: "completed"}, nil
}

func (s *service) configs(_ context.Context, c api.Caller, _ api.None) (settings.Values, error) {
	return s.settings.All(c.App), nil
}

// schema tells which settings there are and what values they take, for those who show forms. Only
// global administrators see the values of the server.
func (s *service) schema(_ context.Context, c api.Caller, _ api.None) (map[string]map[string]settings.Declaration, error) {
	all := s.settings.Declared()
	if c.Member.GlobalAdmin {
		return all, nil
	}
	for _, list := range all {
		for name, d := range list {
			d.Value = nil
			list[name] = d
		}
	}
	return all, nil
}

type configsReq struct {
	Configs params.Value `param:"configs"`
}

var errConfigs = fault.New(fault.Invalid, "settings.invalid", "Error updating configs")

func (r configsReq) values() (settings.Values, error) {
	var out settings.Values
	if err := json.Unmarshal(r.Configs.Raw(), &out); err != nil || out == nil {
		return nil, errConfigs
	}
	return out, nil
}

func (s *service) setConfigs(ctx context.Context, c api.Caller, r configsReq) (settings.Values, error) {
	change, err := r.values()
	if err != nil {
		return nil, err
	}
	before, after, err := s.settings.Set(ctx, change)
	if err != nil {
		return nil, err
	}
	c.Audit("change_configs", before, after, nil)
	return after, nil
}

func (s *service) userConfigs(ctx context.Context, c api.Caller, _ api.None) (settings.Values, error) {
	return s.settings.Member(ctx, c.Member.ID)
}

func (s *service) setUserConfigs(ctx context.Context, c api.Caller, r configsReq) (settings.Values, error) {
	change, err := r.values()
	if err != nil {
		return nil, err
	}
	before, err := s.settings.Member(ctx, c.Member.ID)
	if err != nil {
		return nil, err
	}
	if err := s.settings.SetMember(ctx, c.Member.ID, change); err != nil {
		return nil, err
	}
	after, err := s.settings.Member(ctx, c.Member.ID)
	if err != nil {
		return nil, err
	}
	c.Audit("change_userconfigs", before, after, nil)
	return after, nil
}

func (s *service) themes(context.Context, api.Caller, api.None) ([]string, error) {
	return themes(), nil
}

// internalEvents lists the events that the server and its SDKs record beside those of the app's own.
func (s *service) internalEvents(context.Context, api.Caller, api.None) ([]string, error) {
	return internalEvents(), nil
}

// emailTest sends a message to the caller.
func (s *service) emailTest(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	err := s.mail.Send(ctx, mail.Message{
		To: c.Member.Email, Subject: "Quipu test message",
		Text: "Hello " + c.Member.FullName + ",\n\nthis message shows that Quipu can send e-mail.\n",
	})
	if err != nil {
		return api.Result{}, fault.Wrap(err, fault.Unavailable, "plugins.email_failed", "Failed")
	}
	return api.Result{Result: "OK"}, nil
}
