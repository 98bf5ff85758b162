// Package notes is the module for notes that people pin to a moment of an
// app's charts.
package notes

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "notes", Requires: []string{"apps"}, Features: []string{"core"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs, apps: n.Apps, auth: n.Auth, now: s.Now}
			api.HandleMethod(s.Routes, "notes", api.Feature("core", model.Read, api.AppParamFirst), svc.list)
			api.Handle(s.Routes, "/o/notes", api.Feature("core", model.Read, api.AppOptional), svc.list)
			api.Handle(s.Routes, "/i/notes/save", api.Feature("core", model.Create, api.AppInArgs), svc.save)
			api.Handle(s.Routes, "/i/notes/delete", api.Feature("core", model.Delete, api.AppOptional), svc.delete)
			hook.On(s.Bus, "notes", svc.forget)
			n.Collections.Add(svc.collection())
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
	apps *apps.Store
	auth *auth.Service
	now  func() time.Time
}

type saveReq struct {
	Args params.Value `param:"args"`
}

// Bounds of what members can fill an app with.
const (
	maxOwnNotes = 1000
	maxNotes    = 20_000
)

var errTooMany = fault.New(fault.Conflict, "notes.too_many", "There are too many notes, delete some")

var errNotFound = fault.New(fault.NotFound, "notes.not_found", "Note not found")

// save makes a note, or changes the one whose _id is given.
func (s *service) save(ctx context.Context, c api.Caller, r saveReq) (api.Result, error) {
	in, err := readInput(r.Args)
	if err != nil {
		return api.Result{}, err
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	now := s.now().UnixMilli()
	if in.ID != "" {
		var before Note
		after, err := spec().In(s.docs, c.App.ID).Update(ctx, in.ID, func(n *Note) error {
			before = *n
			if !n.changeableBy(c.Member, c.App.ID) {
				return fault.New(fault.Forbidden, "notes.not_yours", "Not allow to edit note")
			}
			in.fill(n, now)
			return nil
		})
		if docs.IsNotFound(err) {
			err = errNotFound
		}
		c.Audit("", before, after, map[string]any{"note_id": in.ID})
		return api.Success(), err
	}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		count, err := col.Count(ctx, docs.Query{})
		if err != nil {
			return err
		}
		own, err := col.Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq(".owner", c.Member.ID.String())}})
		if err != nil {
			return err
		}
		if own >= maxOwnNotes || count >= maxNotes {
			return errTooMany
		}
		n := Note{
			ID: model.NewID().String(), AppID: c.App.ID.String(), Owner: c.Member.ID, CreatedAt: now, TS: now,
			Indicator: string(rune('A' + count%26)),
		}
		in.fill(&n, now)
		c.Audit("", nil, n, map[string]any{"note_id": n.ID})
		return col.Create(ctx, n)
	})
	return api.Success(), err
}

type deleteReq struct {
	ID string `param:"note_id"`
}

// delete looks in the app that was named; without one, in all.
func (s *service) delete(ctx context.Context, c api.Caller, r deleteReq) (api.Result, error) {
	for _, app := range s.readable(c) {
		col := spec().In(s.docs, app.ID)
		n, err := col.Get(ctx, r.ID)
		if docs.IsNotFound(err) {
			continue
		}
		if err != nil {
			return api.Result{}, err
		}
		if c.App != nil && c.App.ID != app.ID {
			continue
		}
		if !n.changeableBy(c.Member, app.ID) {
			return api.Result{}, fault.New(fault.Forbidden, "notes.not_yours", "Not allow to delete this note")
		}
		c.Audit("", n, nil, nil)
		return api.Success(), col.Delete(ctx, r.ID)
	}
	return api.Result{}, errNotFound
}

// readable lists the apps whose notes a caller may read.
func (s *service) readable(c api.Caller) []*model.App {
	var out []*model.App
	for _, a := range s.apps.All() {
		if auth.Can(c.Member, a.ID, "core", model.Read) && c.Identity.AllowsApp(a.ID) {
			out = append(out, a)
		}
	}
	return out
}

type listReq struct {
	api.List
	Apps     params.Value `param:"notes_apps"`
	Period   string       `param:"period"`
	Type     string       `param:"note_type"`
	Category params.Value `param:"category"`
}

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{}, {Name: "note", Field: ".note"}, {Name: "ts", Field: "ts"}, {Name: "noteType", Field: ".noteType"}, {Name: "created_at", Field: ".created_at"}},
		Sort:    "ts", Desc: true, Usual: maxRows, Most: maxRows,
	}
}

const maxRows = 5000

// wanted reports which apps are asked for: those named, else the request's own, else all.
func (r listReq) wanted(own *model.App) func(model.AppID) bool {
	var ids []string
	if json.Unmarshal(r.Apps.Raw(), &ids) == nil && len(ids) > 0 {
		return func(id model.AppID) bool { return slices.Contains(ids, id.String()) }
	}
	return func(id model.AppID) bool { return own == nil || own.ID == id }
}

// row is a note in the list.
type row struct {
	Note
	OwnerName string `json:"owner_name"`
}

// list answers with a page of the notes that a caller may see, the newest
// first unless it asks for another order.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (api.Table[row], error) {
	names, err := s.names(ctx)
	if err != nil {
		return api.Table[row]{}, err
	}
	var apps []*model.App
	wanted := r.wanted(c.App)
	for _, app := range s.readable(c) {
		if wanted(app.ID) {
			apps = append(apps, app)
		}
	}
	q := r.Query(listing())
	if q.Where, err = s.conditions(c.Member, r, apps); err != nil {
		return api.Table[row]{}, err
	}
	show := func(n Note) row { return row{n, names[n.Owner]} }
	if len(apps) == 1 {
		p, err := spec().In(s.docs, apps[0].ID).Page(ctx, q)
		return api.TableOf(r.List, p, show), err
	}
	ids := make([]model.AppID, len(apps))
	for i, app := range apps {
		ids[i] = app.ID
	}
	p, err := spec().Among(s.docs, ids).Page(ctx, q)
	return api.TableOf(r.List, p, func(f docs.Found[Note]) row { return show(f.Doc) }), err
}

// conditions are those on the notes of a list: the member may see them, they are of the period in the time zone of
// their app, and of the type and one of the categories asked for.
func (s *service) conditions(m *model.Member, r listReq, apps []*model.App) ([]docs.Cond, error) {
	where := []docs.Cond{visibleTo(m)}
	if r.Type != "" {
		where = append(where, docs.Eq(".noteType", r.Type))
	}
	var categories []any
	if json.Unmarshal(r.Category.Raw(), &categories) == nil && len(categories) > 0 {
		texts := make([]any, len(categories))
		for i, v := range categories {
			texts[i] = categoryText(v)
		}
		where = append(where, docs.In("category", texts...))
	}
	zones := map[string][]any{}
	for _, app := range apps {
		zones[app.Location().String()] = append(zones[app.Location().String()], app.ID.String())
	}
	var parts []docs.Cond
	for _, app := range apps {
		ids := zones[app.Location().String()]
		if ids == nil {
			continue
		}
		delete(zones, app.Location().String())
		p, err := period.Parse(cmp.Or(r.Period, period.Default), s.now(), period.NewCalendar(app.Location()))
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "notes.bad_period", "Bad request parameter: period")
		}
		from, to := docs.Ge("ts", p.Calendar().DayStart(p.First)), docs.Le("ts", p.Calendar().DayEnd(p.Last))
		if len(ids) == len(apps) {
			return append(where, from, to), nil
		}
		parts = append(parts, docs.All(docs.In(".app_id", ids...), from, to))
	}
	return append(where, docs.Any(parts...)), nil
}

func (s *service) names(ctx context.Context) (map[model.MemberID]string, error) {
	members, err := s.auth.Members(ctx)
	if err != nil {
		return nil, err
	}
	out := map[model.MemberID]string{}
	for _, m := range members {
		out[m.ID] = m.FullName
	}
	return out, nil
}

// forget removes the notes of an app that was reset.
func (s *service) forget(ctx context.Context, ev topic.AppReset) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// collection shows the notes that a member may read, for browsing and export.
func (s *service) collection() kernel.Collection {
	return kernel.Collection{
		Name: "notes", Indexes: []string{"ts"}, Allowed: func(m *model.Member, _ *model.App) bool { return !m.Locked },
		Each: func(ctx context.Context, m *model.Member, _ *model.App, fn func(any) error) error {
			for _, app := range s.apps.All() {
				if !auth.Can(m, app.ID, "core", model.Read) {
					continue
				}
				for n, err := range spec().In(s.docs, app.ID).List(ctx, docs.Query{Sort: "ts"}) {
					if err != nil {
						return err
					}
					if !n.visibleTo(m) {
						continue
					}
					if err := fn(n); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
}
