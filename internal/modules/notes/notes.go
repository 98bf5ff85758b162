// Package notes is the module for notes that people pin to a moment of an
// app's charts.
package notes

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
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
		Setup: func(s *kernel.Scope) error {
			svc := &service{docs: s.Docs, apps: s.Apps, auth: s.Auth, now: s.Now}
			api.HandleMethod(s.Routes, "notes", api.Feature("core", model.Read, api.AppParamFirst), svc.list)
			api.Handle(s.Routes, "/o/notes", api.Feature("core", model.Read, api.AppOptional), svc.list)
			api.Handle(s.Routes, "/i/notes/save", api.Feature("core", model.Create, api.AppInArgs), svc.save)
			api.Handle(s.Routes, "/i/notes/delete", api.Feature("core", model.Delete, api.AppOptional), svc.delete)
			hook.On(s.Bus, "notes", svc.forget)
			s.Collections.Add(svc.collection())
			return nil
		},
	}
}

type service struct {
	docs docs.DB
	apps *apps.Store
	auth *auth.Service
	now  func() time.Time
}

type saveReq struct {
	Args params.Value `param:"args"`
}

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
	Apps     params.Value `param:"notes_apps"`
	Period   string       `param:"period"`
	Search   string       `param:"sSearch"`
	Start    int          `param:"iDisplayStart"`
	Length   int          `param:"iDisplayLength"`
	Sort     string       `param:"iSortCol_0"`
	Dir      string       `param:"sSortDir_0"`
	Echo     params.Value `param:"sEcho"`
	Type     string       `param:"note_type"`
	Category params.Value `param:"category"`
}

// wanted reports which apps are asked for: those named, else the request's own, else all.
func (r listReq) wanted(own *model.App) func(model.AppID) bool {
	var ids []string
	if json.Unmarshal(r.Apps.Raw(), &ids) == nil && len(ids) > 0 {
		return func(id model.AppID) bool { return slices.Contains(ids, id.String()) }
	}
	return func(id model.AppID) bool { return own == nil || own.ID == id }
}

// picks reports whether a note has the type and one of the categories asked for.
func (r listReq) picks(n *Note) bool {
	if r.Type != "" && n.NoteType != r.Type {
		return false
	}
	var categories []any
	if json.Unmarshal(r.Category.Raw(), &categories) != nil || len(categories) == 0 {
		return true
	}
	return slices.ContainsFunc(categories, func(v any) bool { return sameJSON(v, n.Category) })
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// row is a note in the list.
type row struct {
	Note
	OwnerName string `json:"owner_name"`
}

// list answers with a page of the notes that a caller may see, the newest
// first unless it asks for another order.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (map[string]any, error) {
	if r.Period == "" {
		r.Period = period.Default
	}
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	rows := []row{}
	wanted := r.wanted(c.App)
	for _, app := range s.readable(c) {
		if !wanted(app.ID) {
			continue
		}
		p, err := period.Parse(r.Period, s.now(), period.NewCalendar(app.Location()))
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "notes.bad_period", "Bad request parameter: period")
		}
		q := docs.Query{Search: r.Search, Where: []docs.Cond{
			docs.Ge("ts", p.Calendar().DayStart(p.First)), docs.Le("ts", p.Calendar().DayEnd(p.Last)),
		}}
		for n, err := range spec().In(s.docs, app.ID).List(ctx, q) {
			if err != nil {
				return nil, err
			}
			if n.visibleTo(c.Member) && r.picks(&n) {
				rows = append(rows, row{n, names[n.Owner]})
			}
		}
	}
	r.sort(rows)
	return r.page(rows), nil
}

// sort orders rows: by the column asked for (2 the time, 3 the type), and
// what is alike by its indicator.
func (r listReq) sort(rows []row) {
	slices.SortStableFunc(rows, func(a, b row) int {
		order := cmp.Compare(a.TS, b.TS)
		if r.Sort == "3" {
			order = strings.Compare(a.NoteType, b.NoteType)
		}
		if r.Dir != "asc" {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.CreatedAt, b.CreatedAt), strings.Compare(a.Indicator, b.Indicator))
	})
}

// page cuts the rows to the page asked for, in the table envelope.
func (r listReq) page(rows []row) map[string]any {
	const maxRows = 5000
	total := len(rows)
	start := min(max(r.Start, 0), total)
	length := r.Length
	if length <= 0 || length > maxRows {
		length = maxRows
	}
	out := map[string]any{
		"iTotalRecords": total, "iTotalDisplayRecords": total, "aaData": rows[start:min(start+length, total)],
	}
	if echo := r.Echo.Echo(); echo != nil {
		out["sEcho"] = echo
	}
	return out
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
