// Package eventgroups is the module for groups of events, which read as the
// sum of their source events.
package eventgroups

import (
	"context"
	"crypto/md5" // the wire names MD5 for group ids; it protects nothing
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

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
		Name: "eventgroups", Requires: []string{"apps"}, Features: []string{"core"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs, bus: s.Bus, now: s.Now}
			g := s.Routes
			api.HandleMethod(g, "get_event_groups", api.Feature("core", model.Read, api.AppParamFirst), svc.list)
			api.HandleMethod(g, "get_event_group", api.Feature("core", model.Read, api.AppParamFirst), svc.get)
			api.Handle(g, "/i/event_groups/create", api.Feature("core", model.Create, api.AppInArgs), svc.create)
			api.Handle(g, "/i/event_groups/update", api.Feature("core", model.Update, api.AppInArgs), svc.update)
			api.Handle(g, "/i/event_groups/delete", api.Feature("core", model.Delete, api.AppInArgs), svc.delete)
			hook.On(s.Bus, "eventgroups", svc.forget)
			n.Groups.Provide(svc.sources)
			n.Collections.Add(collection(s, n))
			n.EventUsers.Add(kernel.EventUser{Kind: "group", Feature: "core", Each: svc.eachUse})
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Directory
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Directory, c.Shared} }

type service struct {
	docs docs.DB
	bus  *hook.Bus
	now  func() time.Time
}

type listReq struct{ api.List }

const maxPage = 1000

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "order", Field: ".order"}, {Name: "name", Field: ".name"}, {Name: "status", Field: ".status"}},
		Sort:    ".order", Usual: maxPage, Most: maxPage,
	}
}

// list answers an array, or a table.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (any, error) {
	p, err := Spec().In(s.docs, c.App.ID).Page(ctx, r.Query(listing()))
	return api.Bare(r.List, api.TableOf(r.List, p, api.Itself[Group])), err
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

// create adds a group behind all others.
func (s *service) create(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	a, err := readArgs(r.Args)
	if err != nil {
		return api.Result{}, err
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	sum := md5.Sum(fmt.Appendf(nil, "%s%s%d", c.App.ID, model.NewID(), s.now().UnixNano()))
	g := Group{ID: model.EventGroupPrefix + hex.EncodeToString(sum[:]), AppID: c.App.ID.String(), Status: true}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := Spec().In(tx, c.App.ID)
		n, err := col.Count(ctx, docs.Query{})
		if err != nil {
			return err
		}
		g.Order = n
		if err := a.apply(&g); err != nil {
			return err
		}
		return col.Create(ctx, g)
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", nil, g, nil)
	return api.Success(), nil
}

type updateReq struct {
	Args   params.Value `param:"args"`
	Order  params.Value `param:"event_order"`
	IDs    params.Value `param:"update_status"`
	Status params.Value `param:"status"`
}

// update changes a group (args), the order of groups (event_order), or
// switches several on or off (update_status, status); the first that was sent counts.
func (s *service) update(ctx context.Context, c api.Caller, r updateReq) (api.Result, error) {
	var list []string
	var change func(place int, g *Group) error
	switch {
	case r.Args.String() != "":
		a, err := readArgs(r.Args)
		if err != nil {
			return api.Result{}, err
		}
		if list = ids(r.Args); len(list) == 0 {
			return api.Result{}, errArgs
		}
		change = func(_ int, g *Group) error { return a.apply(g) }
	case r.Order.String() != "":
		if json.Unmarshal(r.Order.Raw(), &list) != nil {
			return api.Result{}, badType("event_order")
		}
		change = func(place int, g *Group) error { g.Order = place; return nil }
	case r.IDs.String() != "":
		on, ok := flag(r.Status.Raw())
		if json.Unmarshal(r.IDs.Raw(), &list) != nil || !ok {
			return api.Result{}, badType("update_status")
		}
		change = func(_ int, g *Group) error { g.Status = on; return nil }
	default:
		return api.Result{}, errNoArgs
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	var off []string
	before, after := map[string]Group{}, map[string]Group{}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		for place, id := range list {
			g, err := Spec().In(tx, c.App.ID).Update(ctx, id, func(g *Group) error {
				before[id] = *g
				return change(place, g)
			})
			if docs.IsNotFound(err) {
				return errNotFound
			}
			if err != nil {
				return err
			}
			after[id] = g
			if !g.Status {
				off = append(off, id)
			}
		}
		return nil
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", before, after, nil)
	return api.Success(), s.gone(ctx, c.App.ID, off)
}

func (s *service) delete(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	list := ids(r.Args)
	if len(list) == 0 {
		return api.Result{}, errNoArgs
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	var removed []string
	before := map[string]Group{}
	for _, id := range list {
		g, err := Spec().In(s.docs, c.App.ID).Get(ctx, id)
		if err == nil {
			err = Spec().In(s.docs, c.App.ID).Delete(ctx, id)
		}
		if docs.IsNotFound(err) {
			continue
		}
		if err != nil {
			return api.Result{}, err
		}
		removed, before[id] = append(removed, id), g
	}
	c.Audit("", before, nil, nil)
	if len(removed) == 0 {
		return api.Result{}, errNotFound
	}
	return api.Success(), s.gone(ctx, c.App.ID, removed)
}

// gone tells that groups are not shown any more.
func (s *service) gone(ctx context.Context, app model.AppID, list []string) error {
	if len(list) == 0 {
		return nil
	}
	return hook.Emit(ctx, s.bus, topic.EventGroupsGone{App: app, IDs: list})
}

// forget removes the groups of an app that was reset.
func (s *service) forget(ctx context.Context, ev topic.AppReset) error {
	_, err := Spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// sources tells a read which events a group stands for; a disabled or unknown
// group stands for none.
func (s *service) sources(ctx context.Context, app model.AppID, id string) ([]string, error) {
	g, err := Spec().In(s.docs, app).Get(ctx, id)
	if docs.IsNotFound(err) || err == nil && !g.Status {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return g.SourceEvents, nil
}

// eachUse lists which events groups are of.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for g, err := range Spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err == nil {
			err = fn(kernel.EventUse{ID: g.ID, Name: g.Name, Events: g.SourceEvents})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// collection shows the groups of the apps that a member may read, for browsing and export.
func collection(s *kernel.Scope, n uses) kernel.Collection {
	db, apps := n.Docs, n.Apps
	return kernel.Collection{
		Name: "event_groups", Allowed: func(m *model.Member, _ *model.App) bool { return !m.Locked },
		Each: func(ctx context.Context, m *model.Member, _ *model.App, fn func(any) error) error {
			for _, app := range apps.All() {
				if !auth.Can(m, app.ID, "core", model.Read) {
					continue
				}
				for g, err := range Spec().In(db, app.ID).List(ctx, docs.Query{Sort: ".order"}) {
					if err == nil {
						err = fn(g)
					}
					if err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
}
