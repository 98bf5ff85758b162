package tasks

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// view is a task as the wire has it. Times are ms.
type view struct {
	ID         string          `json:"_id"`
	Status     string          `json:"status"`
	Type       string          `json:"type"`
	AppID      string          `json:"app_id"`
	Creator    string          `json:"creator"`
	ReportName string          `json:"report_name"`
	ReportDesc string          `json:"report_desc,omitempty"`
	PeriodDesc string          `json:"period_desc,omitempty"`
	Name       string          `json:"name,omitempty"`
	View       string          `json:"view,omitempty"`
	Manual     bool            `json:"manually_create"`
	Global     bool            `json:"global"`
	Refresh    bool            `json:"autoRefresh"`
	TS         int64           `json:"ts"`
	Start      int64           `json:"start,omitempty"`
	End        int64           `json:"end,omitempty"`
	Error      string          `json:"errormsg,omitempty"`
	Code       string          `json:"errorcode,omitempty"`
	Progress   *progress       `json:"progress,omitempty"`
	HasData    bool            `json:"hasData"`
	File       *file           `json:"file,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
}

// progress tells how much of a task is done; a total of 0 is not known.
type progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// file describes a result that is downloaded from /o/export/download.
type file struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Size int64  `json:"size"`
}

// status is the wire's word for a state. A task that waits is on its way: clients
// that poll know no other word for it.
func status(t jobs.Task) string {
	switch {
	case t.State.Live() && t.Rerun:
		return "rerunning"
	case t.State.Live():
		return "running"
	}
	return string(t.State)
}

func (s *service) view(t jobs.Task) view {
	v := view{
		ID: t.ID, Status: status(t), Type: t.Type, ReportName: t.ReportName, ReportDesc: t.ReportDesc, PeriodDesc: t.PeriodDesc,
		Name: t.Name, View: t.View, Manual: t.Manual, Global: t.Global, Refresh: t.Refresh, TS: t.TS, Start: t.Start, End: t.End,
		Error: t.Error, Code: t.Code, HasData: t.Result.Data != nil || t.Result.File != nil,
	}
	if !t.App.IsZero() {
		v.AppID = t.App.String()
	}
	if !t.Creator.IsZero() {
		v.Creator = t.Creator.String()
	}
	if done, total, ok := s.tasks.Progress(t.ID); ok && t.State == jobs.Running {
		v.Progress = &progress{done, total}
	}
	if f := t.Result.File; f != nil {
		v.File = &file{f.Name, f.Type, f.Size}
	}
	return v
}

// maxData bounds a JSON result that is shown inside its task, in bytes.
const maxData = 16 << 20

// whole is the view with the task's result, if that is JSON.
func (s *service) whole(ctx context.Context, t jobs.Task) (view, error) {
	v := s.view(t)
	f := t.Result.File
	if f == nil || !strings.HasPrefix(f.Type, "application/json") || f.Size > maxData {
		v.Data = t.Result.Data
		return v, nil
	}
	r, err := s.tasks.Open(ctx, t)
	if err != nil {
		return v, err
	}
	defer func() { _ = r.Close() }() // it was only read
	v.Data, err = io.ReadAll(r)
	return v, err
}

// sees reports whether a member may see a task: it is the member's own, or shared with
// everyone who may read the app.
func (s *service) sees(m *model.Member, t jobs.Task) bool {
	if t.App.IsZero() {
		return t.Creator == m.ID || t.Global && m.GlobalAdmin
	}
	return (t.Global || t.Creator == m.ID) && auth.Can(m, t.App, "core", model.Read)
}

// changes reports whether a member may change a task.
func (s *service) changes(m *model.Member, t jobs.Task) bool {
	return s.sees(m, t) && (t.Creator == m.ID || m.GlobalAdmin || auth.IsAppAdmin(m, t.App))
}

// reaches reports whether the caller may see a task with the present credentials.
func (s *service) reaches(c api.Caller, t jobs.Task) bool {
	return s.sees(c.Member, t) && (len(c.Identity.Apps) == 0 || !t.App.IsZero() && c.Identity.AllowsApp(t.App))
}

// get returns a task that the caller may see; ok is false for others and for those that are
// not there.
func (s *service) get(ctx context.Context, c api.Caller, id string) (t jobs.Task, ok bool, err error) {
	t, err = s.tasks.Get(ctx, id)
	if docs.IsNotFound(err) {
		return t, false, nil
	}
	if err != nil {
		return t, false, err
	}
	return t, s.reaches(c, t), nil
}

// collection shows the tasks of a member for browsing and export.
func (s *service) collection() kernel.Collection {
	return kernel.Collection{
		Name: "long_tasks", Indexes: []string{"ts", "app_id", "creator", "state"},
		Allowed: func(m *model.Member, _ *model.App) bool { return !m.Locked },
		Each: func(ctx context.Context, m *model.Member, _ *model.App, fn func(any) error) error {
			return s.tasks.Query(docs.Query{Where: []docs.Cond{s.visible(m)}, Sort: "ts", Desc: true}).Each(ctx, func(t jobs.Task) error {
				if !s.sees(m, t) {
					return nil
				}
				return fn(s.view(t))
			})
		},
	}
}
