// Package eventgroups is the module for groups of events, which read as the
// sum of their source events.
package eventgroups

import (
	"context"
	"crypto/md5" //nolint:gosec // the wire names MD5 for group ids; it protects nothing
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
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
		Name: "eventgroups", Requires: []string{"apps"}, Features: []string{"core"},
		Setup: func(s *kernel.Scope) error {
			svc := &service{docs: s.Docs, now: s.Now}
			g := s.Routes
			api.HandleMethod(g, "get_event_groups", api.Feature("core", model.Read, api.AppParamFirst), svc.list)
			api.HandleMethod(g, "get_event_group", api.Feature("core", model.Read, api.AppParamFirst), svc.get)
			api.Handle(g, "/i/event_groups/create", api.Feature("core", model.Create, api.AppInArgs), svc.create)
			api.Handle(g, "/i/event_groups/update", api.Feature("core", model.Update, api.AppInArgs), svc.update)
			api.Handle(g, "/i/event_groups/delete", api.Feature("core", model.Delete, api.AppInArgs), svc.delete)
			hook.On(s.Bus, "eventgroups", svc.forget)
			hook.On(s.Bus, "eventgroups", svc.sources)
			return nil
		},
	}
}

// Group is a group of events as the wire shows it.
type Group struct {
	ID           string          `json:"_id"`
	AppID        string          `json:"app_id"`
	Name         string          `json:"name"`
	SourceEvents []string        `json:"source_events"`
	DisplayMap   json.RawMessage `json:"display_map,omitempty"`
	Description  string          `json:"description,omitempty"`
	Status       bool            `json:"status"`
	Order        int             `json:"order"`
}

// Key returns the group's id.
func (g Group) Key() string { return g.ID }

// Validate refuses groups without a name or events.
func (g Group) Validate() error {
	if g.Name == "" || len(g.SourceEvents) == 0 || len(g.SourceEvents) > 100 {
		return errArgs
	}
	return nil
}

// Spec declares the collection of groups.
func Spec() docs.Spec[Group] { return docs.Spec[Group]{Name: "event_groups", Version: 1} }

var (
	errArgs     = fault.New(fault.Invalid, "event_groups.args", "Not enough args")
	errNotFound = fault.New(fault.Invalid, "event_groups.not_found", "Could not find event")
)

type service struct {
	docs docs.DB
	now  func() time.Time
}

func (s *service) list(ctx context.Context, c api.Caller, _ api.None) ([]Group, error) {
	out, err := Spec().In(s.docs, c.App.ID).All(ctx, docs.Query{Sort: ".order"})
	if out == nil {
		out = []Group{}
	}
	return out, err
}

type idReq struct {
	ID string `param:"_id"`
}

func (s *service) get(ctx context.Context, c api.Caller, r idReq) (any, error) {
	g, err := Spec().In(s.docs, c.App.ID).Get(ctx, r.ID)
	if docs.IsNotFound(err) {
		return struct{}{}, nil
	}
	return g, err
}

type argsReq struct {
	Args params.Value `param:"args"`
}

// args are the fields of a write; a nil one was not sent.
type args struct {
	RawID        json.RawMessage `json:"_id"`
	Name         *string         `json:"name"`
	SourceEvents []string        `json:"source_events"`
	DisplayMap   json.RawMessage `json:"display_map"`
	Description  *string         `json:"description"`
	Status       *bool           `json:"status"`
	Order        *int            `json:"order"`
}

func (r argsReq) read() (args, error) {
	var a args
	if r.Args.String() == "" || json.Unmarshal(r.Args.Raw(), &a) != nil {
		return a, errArgs
	}
	return a, nil
}

// ids reads _id as one id or a list of them.
func (a args) ids() []string {
	var one string
	if json.Unmarshal(a.RawID, &one) == nil && one != "" {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(a.RawID, &many) == nil {
		return many
	}
	return nil
}

func (a args) apply(g *Group) {
	if a.Name != nil {
		g.Name = *a.Name
	}
	if a.SourceEvents != nil {
		g.SourceEvents = a.SourceEvents
	}
	if a.DisplayMap != nil {
		g.DisplayMap = a.DisplayMap
	}
	if a.Description != nil {
		g.Description = *a.Description
	}
	if a.Status != nil {
		g.Status = *a.Status
	}
	if a.Order != nil {
		g.Order = *a.Order
	}
}

func (s *service) create(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	a, err := r.read()
	if err != nil {
		return api.Result{}, err
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	sum := md5.Sum(fmt.Appendf(nil, "%s%s%d", c.App.ID, model.NewID(), s.now().UnixNano())) //nolint:gosec // see the import
	g := Group{ID: "[CLY]_group_" + hex.EncodeToString(sum[:]), AppID: c.App.ID.String(), Status: true}
	a.apply(&g)
	if err := Spec().In(s.docs, c.App.ID).Create(ctx, g); err != nil {
		return api.Result{}, err
	}
	return api.Success(), nil
}

func (s *service) update(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	a, err := r.read()
	if err != nil {
		return api.Result{}, err
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	ids := a.ids()
	if len(ids) == 0 {
		return api.Result{}, errArgs
	}
	for _, id := range ids {
		_, err := Spec().In(s.docs, c.App.ID).Update(ctx, id, func(g *Group) error { a.apply(g); return nil })
		if docs.IsNotFound(err) {
			return api.Result{}, errNotFound
		}
		if err != nil {
			return api.Result{}, err
		}
	}
	return api.Success(), nil
}

func (s *service) delete(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	a, err := r.read()
	if err != nil {
		return api.Result{}, err
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	for _, id := range a.ids() {
		if err := Spec().In(s.docs, c.App.ID).Delete(ctx, id); err != nil && !docs.IsNotFound(err) {
			return api.Result{}, err
		}
	}
	return api.Success(), nil
}

// forget removes the groups of an app that was reset.
func (s *service) forget(ctx context.Context, ev topic.AppReset) error {
	_, err := Spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// sources tells a read which events a group stands for; a disabled or unknown
// group stands for none.
func (s *service) sources(ctx context.Context, ev topic.EventGroupRead) error {
	g, err := Spec().In(s.docs, ev.App).Get(ctx, ev.ID)
	if docs.IsNotFound(err) || err == nil && !g.Status {
		return nil
	}
	if err != nil {
		return err
	}
	*ev.Sources = g.SourceEvents
	return nil
}
