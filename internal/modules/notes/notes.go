// Package notes is the module for notes that people pin to a moment of an
// app's charts.
package notes

import (
	"context"
	"encoding/json"
	"net/http"
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
			api.Handle(s.Routes, "/o/notes", api.Authenticated(), svc.list)
			api.Handle(s.Routes, "/i/notes/save", api.Feature("core", model.Create, api.AppInArgs), svc.save)
			api.Handle(s.Routes, "/i/notes/delete", api.Authenticated(), svc.delete)
			hook.On(s.Bus, "notes", svc.forget)
			return nil
		},
	}
}

// Note is a note as it is stored.
type Note struct {
	ID        string         `json:"_id"`
	AppID     string         `json:"app_id"`
	Note      string         `json:"note"`
	TS        int64          `json:"ts"` // ms, the moment it is about
	NoteType  string         `json:"noteType"`
	Emails    []string       `json:"emails"`
	Color     any            `json:"color"`
	Category  any            `json:"category,omitempty"`
	Owner     model.MemberID `json:"owner"`
	CreatedAt int64          `json:"created_at"` // ms
	UpdatedAt int64          `json:"updated_at"` // ms
	Indicator string         `json:"indicator"`
}

// Key returns the note's id.
func (n Note) Key() string { return n.ID }

// Validate bounds the text.
func (n Note) Validate() error {
	if len(n.Note) > 10_000 {
		return fault.New(fault.Invalid, "notes.too_long", "Note is too long")
	}
	return nil
}

// spec declares the collection of notes.
func spec() docs.Spec[Note] {
	return docs.Spec[Note]{Name: "notes", Version: 1, Search: []docs.Field{".note"}, Indexes: []docs.Index[Note]{
		{Name: "ts", Path: ".ts"},
	}}
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

func (s *service) save(ctx context.Context, c api.Caller, r saveReq) (api.Result, error) {
	var in struct {
		ID       string   `json:"_id"`
		Note     string   `json:"note"`
		TS       float64  `json:"ts"`
		NoteType string   `json:"noteType"`
		Emails   []string `json:"emails"`
		Color    any      `json:"color"`
		Category any      `json:"category"`
	}
	if r.Args.String() == "" || json.Unmarshal(r.Args.Raw(), &in) != nil {
		return api.Result{}, fault.New(fault.Invalid, "notes.args", "Not enough args")
	}
	if c.App == nil {
		return api.Result{}, api.MissingParam("app_id")
	}
	now := s.now().UnixMilli()
	col := spec().In(s.docs, c.App.ID)
	if in.TS == 0 {
		in.TS = float64(now)
	}
	fill := func(n *Note) {
		n.Note, n.TS, n.NoteType, n.Emails, n.Color, n.Category = in.Note, int64(in.TS), in.NoteType, in.Emails, in.Color, in.Category
		n.UpdatedAt = now
	}
	if in.ID != "" {
		_, err := col.Update(ctx, in.ID, func(n *Note) error {
			if !mayChange(c, n) {
				return fault.New(fault.Forbidden, "notes.not_yours", "Not allow to edit note")
			}
			fill(n)
			return nil
		})
		return api.Success(), err
	}
	count, err := col.Count(ctx, docs.Query{})
	if err != nil {
		return api.Result{}, err
	}
	n := Note{
		ID: model.NewID().String(), AppID: c.App.ID.String(), Owner: c.Member.ID, CreatedAt: now,
		Indicator: string(rune('A' + count%26)),
	}
	fill(&n)
	if err := col.Create(ctx, n); err != nil {
		return api.Result{}, err
	}
	return api.Success(), nil
}

func mayChange(c api.Caller, n *Note) bool {
	return c.Member.GlobalAdmin || n.Owner == c.Member.ID || c.App != nil && auth.IsAppAdmin(c.Member, c.App.ID)
}

type deleteReq struct {
	ID string `param:"note_id"`
}

func (s *service) delete(ctx context.Context, c api.Caller, r deleteReq) (api.Result, error) {
	for _, app := range s.readable(c.Member) {
		col := spec().In(s.docs, app.ID)
		n, err := col.Get(ctx, r.ID)
		if docs.IsNotFound(err) {
			continue
		}
		if err != nil {
			return api.Result{}, err
		}
		if n.Owner != c.Member.ID && !auth.IsAppAdmin(c.Member, app.ID) {
			return api.Result{}, fault.New(fault.Forbidden, "notes.not_yours", "Not allow to delete this note")
		}
		return api.Success(), col.Delete(ctx, r.ID)
	}
	return api.Result{}, api.Status(http.StatusNotFound, fault.New(fault.NotFound, "notes.not_found", "Note not found"))
}

// readable lists the apps whose notes a member may read.
func (s *service) readable(m *model.Member) []*model.App {
	var out []*model.App
	for _, a := range s.apps.All() {
		if auth.Can(m, a.ID, "core", model.Read) {
			out = append(out, a)
		}
	}
	return out
}

type listReq struct {
	AppID  string       `param:"app_id"`
	Apps   params.Value `param:"notes_apps"`
	Period string       `param:"period"`
	Search string       `param:"sSearch"`
	Start  int          `param:"iDisplayStart"`
	Length int          `param:"iDisplayLength"`
	Echo   params.Value `param:"sEcho"`
	Type   string       `param:"note_type"`
}

// row is a note in the list.
type row struct {
	Note
	OwnerName string `json:"owner_name"`
}

func (s *service) list(ctx context.Context, c api.Caller, r listReq) (map[string]any, error) {
	wanted := map[string]bool{r.AppID: true}
	var ids []string
	if json.Unmarshal(r.Apps.Raw(), &ids) == nil && len(ids) > 0 {
		wanted = map[string]bool{}
		for _, id := range ids {
			wanted[id] = true
		}
	}
	if r.Period == "" {
		r.Period = "30days"
	}
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	rows := []row{}
	for _, app := range s.readable(c.Member) {
		if !wanted[app.ID.String()] {
			continue
		}
		p, err := period.Parse(r.Period, s.now(), period.NewCalendar(app.Location()))
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "notes.bad_period", "Bad request parameter: period")
		}
		q := docs.Query{Sort: "ts", Desc: true, Search: r.Search, Where: []docs.Cond{
			docs.Ge("ts", p.Calendar().DayStart(p.First)), docs.Le("ts", p.Calendar().DayEnd(p.Last)),
		}}
		for n, err := range spec().In(s.docs, app.ID).List(ctx, q) {
			if err != nil {
				return nil, err
			}
			if n.NoteType == "private" && n.Owner != c.Member.ID {
				continue
			}
			rows = append(rows, row{n, names[n.Owner]})
		}
	}
	return page(rows, r), nil
}

// page cuts the rows to the page asked for, in the table envelope.
func page(rows []row, r listReq) map[string]any {
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
	if echo := strings.TrimSpace(r.Echo.String()); echo != "" {
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
