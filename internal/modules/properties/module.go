// Package properties is the module for what people say about the properties of events and users: what they call them, what they mean, and
// which of them are not offered where one is chosen. docs/reference/drill.md describes it.
//
// Faults: properties.invalid (Invalid), properties.too_many (Conflict).
package properties

import (
	"context"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "properties", Requires: []string{"apps"}, Features: []string{"core", "events"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs}
			api.Handle(s.Routes, "/o/properties", api.Feature("core", model.Read, api.AppParam), svc.list)
			api.Handle(s.Routes, "/i/properties/edit", api.Feature("events", model.Update, api.AppParam), svc.edit)
			hook.On(s.Bus, s.Name, svc.appDeleted)
			hook.On(s.Bus, s.Name, svc.appReset)
			n.Properties.Provide(svc.of)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Shared} }

type service struct{ docs docs.DB }

// of returns the labels of an app by path.
func (s *service) of(ctx context.Context, app model.AppID) (map[string]kernel.PropertyLabel, error) {
	l, err := spec().In(s.docs, app).Get(ctx, labelsKey)
	if docs.IsNotFound(err) {
		return nil, nil
	}
	return l.Labels, err
}

// list answers the labels of an app by path. Those of users are for members who may read users.
func (s *service) list(ctx context.Context, c api.Caller, _ api.None) (map[string]kernel.PropertyLabel, error) {
	labels, err := s.of(ctx, c.App.ID)
	out := map[string]kernel.PropertyLabel{}
	for path, l := range labels {
		if auth.MayAskOfUsers(c.Member, c.App.ID, []string{path}) {
			out[path] = l
		}
	}
	return out, err
}

type editReq struct {
	Properties params.Value `param:"properties"`
}

// edit changes the labels of the properties that are named, and no others.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	changes, err := readChanges(r.Properties.Raw())
	if err != nil {
		return api.Result{}, err
	}
	before, after := map[string]kernel.PropertyLabel{}, map[string]kernel.PropertyLabel{}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		clear(before)
		clear(after)
		col := spec().In(tx, c.App.ID)
		l, err := col.Get(ctx, labelsKey)
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
		if l.Labels == nil {
			l.Labels = map[string]kernel.PropertyLabel{}
		}
		for path, change := range changes {
			was := l.Labels[path]
			next := change.apply(was)
			before[path], after[path] = was, next
			if next == (kernel.PropertyLabel{}) {
				delete(l.Labels, path)
			} else {
				l.Labels[path] = next
			}
		}
		return col.Put(ctx, l)
	})
	c.Audit("properties_edited", before, after, nil)
	return api.Success(), err
}

// appDeleted removes what was said about the properties of an app that is no more.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	return s.forget(ctx, ev.App)
}

// appReset removes it of an app whose data went.
func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	return s.forget(ctx, ev.App)
}

func (s *service) forget(ctx context.Context, app model.AppID) error {
	_, err := spec().In(s.docs, app).DeleteWhere(ctx, docs.Query{})
	return err
}

// pathOf returns the path under which a property is kept, of the ways to write it: properties people made up stand under custom. and cmp.,
// others of users under up.
func pathOf(path string) (string, bool) {
	if rest, ok := strings.CutPrefix(path, "up."); ok && (strings.HasPrefix(rest, "custom.") || strings.HasPrefix(rest, "cmp.")) {
		path = rest
	}
	for _, start := range []string{"sg.", "up.", "custom.", "cmp."} {
		if name, ok := strings.CutPrefix(path, start); ok {
			return path, name != ""
		}
	}
	return path, false
}
