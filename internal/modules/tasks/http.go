package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/store/docs"
)

const (
	maxAll      = 1000 // tasks that /o/tasks/all answers, the newest
	defaultPage = 50
	maxPage     = 1000
)

var (
	errNoTask  = fault.New(fault.Invalid, "tasks.not_found", "Task does not exist")
	errNoRight = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

type service struct {
	tasks *jobs.Tasks
	apps  *apps.Store
	now   func() time.Time
}

// visible is the condition, in the store, that a task is the member's own or shared.
func (s *service) visible(m *model.Member) docs.Cond {
	return docs.Any(docs.Eq("creator", m.ID.String()), docs.Eq(".global", true))
}

// selection is what lists of tasks have in common.
type selection struct {
	Query  params.Value `param:"query"`
	AppIDs string       `param:"app_ids"`
	Period string       `param:"period"`
	Source string       `param:"data_source"`
}

// find makes the conditions of a list, and the filter that the caller gave, which is looked at task by task. An
// unusable filter is none.
func (s *service) find(c api.Caller, r selection) ([]docs.Cond, filter.Expr, error) {
	where := []docs.Cond{s.visible(c.Member)}
	apps, err := s.scope(c, r)
	if err != nil {
		return nil, filter.Expr{}, err
	}
	if apps != nil {
		where = append(where, docs.In("app", apps...))
	}
	if r.Period != "" {
		loc := time.UTC
		if c.App != nil {
			loc = c.App.Location()
		}
		p, err := period.Parse(r.Period, s.now(), period.NewCalendar(loc))
		if err != nil {
			return nil, filter.Expr{}, fault.Wrap(err, fault.Invalid, "tasks.bad_period", "Bad request parameter: period")
		}
		where = append(where, docs.Ge("ts", p.Calendar().DayStart(p.First)), docs.Le("ts", p.Calendar().DayEnd(p.Last)))
	}
	f, err := filter.Parse(r.Query.Raw())
	if err != nil {
		f = filter.Expr{}
	}
	return where, f, nil
}

// scope lists the apps whose tasks are wanted, "" for tasks of no app; nil for all
// that a global administrator sees.
func (s *service) scope(c api.Caller, r selection) ([]any, error) {
	if ids := strings.Split(r.AppIDs, ","); len(ids) > 1 {
		var out []any
		for _, text := range ids {
			id, err := model.ParseID(strings.TrimSpace(text))
			if err != nil || !c.Identity.AllowsApp(id) || s.apps.ByID(id) == nil || !auth.Can(c.Member, id, "core", model.Read) {
				return nil, errNoRight
			}
			out = append(out, id.String())
		}
		return out, nil
	}
	if c.App != nil && r.Source != "all" && r.Source != "independent" {
		return []any{c.App.ID.String()}, nil
	}
	if r.Source == "independent" {
		return []any{""}, nil
	}
	if c.Member.GlobalAdmin && len(c.Identity.Apps) == 0 {
		return nil, nil
	}
	out := []any{}
	if len(c.Identity.Apps) == 0 {
		out = append(out, "")
	}
	for _, app := range s.apps.All() {
		if c.Identity.AllowsApp(app.ID) && auth.Can(c.Member, app.ID, "core", model.Read) {
			out = append(out, app.ID.String())
		}
	}
	return out, nil
}

// each calls fn for the tasks of a selection that pass the caller's filter.
func (s *service) each(ctx context.Context, c api.Caller, q docs.Query, f filter.Expr, fn func(jobs.Task) error) error {
	return s.tasks.Query(q).Each(ctx, func(t jobs.Task) error {
		if !s.reaches(c, t) {
			return nil
		}
		if !f.IsZero() {
			doc, err := asDoc(s.view(t))
			if err != nil || !f.Match(doc) {
				return err
			}
		}
		return fn(t)
	})
}

func asDoc(v view) (filter.MapDoc, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var doc filter.MapDoc
	return doc, json.Unmarshal(text, &doc)
}

// errEnough ends a list.
var errEnough = errors.New("tasks: enough")

func (s *service) all(ctx context.Context, c api.Caller, r selection) ([]view, error) {
	where, f, err := s.find(c, r)
	if err != nil {
		return nil, err
	}
	out := []view{}
	err = s.each(ctx, c, docs.Query{Where: where, Sort: "ts", Desc: true}, f, func(t jobs.Task) error {
		if out = append(out, s.view(t)); len(out) == maxAll {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

// countRow is the number of tasks of an app.
type countRow struct {
	ID string `json:"_id"`
	N  int    `json:"c"`
}

func (s *service) count(ctx context.Context, c api.Caller, r selection) ([]countRow, error) {
	where, f, err := s.find(c, r)
	if err != nil {
		return nil, err
	}
	out := []countRow{}
	at := map[string]int{}
	err = s.each(ctx, c, docs.Query{Where: where, Sort: "app"}, f, func(t jobs.Task) error {
		id := s.view(t).AppID
		if _, ok := at[id]; !ok {
			at[id] = len(out)
			out = append(out, countRow{ID: id})
		}
		out[at[id]].N++
		return nil
	})
	return out, err
}

type listReq struct {
	Query  params.Value `param:"query"`
	AppIDs string       `param:"app_ids"`
	Period string       `param:"period"`
	Source string       `param:"data_source"`
	Start  int          `param:"iDisplayStart"`
	Length int          `param:"iDisplayLength"`
	Sort   params.Value `param:"iSortCol_0"`
	Dir    string       `param:"sSortDir_0"`
	Search string       `param:"sSearch"`
	Echo   params.Value `param:"sEcho"`
}

// order are what iSortCol_0 sorts by.
var order = []docs.Field{".report_name", ".state", ".type", ".report_desc", "app", "creator", ".start", "ts", ".end"}

type table struct {
	Rows    []view          `json:"aaData"`
	Display int             `json:"iTotalDisplayRecords"`
	Total   int             `json:"iTotalRecords"`
	Echo    json.RawMessage `json:"sEcho,omitempty"`
}

// list answers a page. Without a filter of the caller the store pages and counts.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (table, error) {
	where, f, err := s.find(c, selection{r.Query, r.AppIDs, r.Period, r.Source})
	if err != nil {
		return table{}, err
	}
	q := docs.Query{Where: where, Search: r.Search, Sort: "ts", Desc: r.Dir != "asc"}
	if n := c.Params.Int("iSortCol_0", -1); n >= 0 && n < len(order) {
		q.Sort, q.Desc = order[n], r.Dir == "desc"
	}
	if r.Length <= 0 || r.Length > maxPage {
		r.Length = defaultPage
	}
	r.Start = max(r.Start, 0)
	out := table{Rows: []view{}, Echo: echo(c)}
	seen := 0
	if f.IsZero() {
		if out.Total, err = s.tasks.Query(q).Count(ctx); err != nil {
			return table{}, queryFailed(err)
		}
		q.Offset, q.Limit, seen = r.Start, r.Length, r.Start
	}
	err = s.each(ctx, c, q, f, func(t jobs.Task) error {
		if seen >= r.Start && len(out.Rows) < r.Length {
			out.Rows = append(out.Rows, s.view(t))
		}
		seen++
		return nil
	})
	if err != nil {
		return table{}, queryFailed(err)
	}
	if !f.IsZero() {
		out.Total = seen
	}
	out.Display = out.Total
	return out, nil
}

// queryFailed is the wire's answer to a list that cannot be read; its text is quoted twice.
func queryFailed(err error) error {
	return &api.StatusError{Status: http.StatusInternalServerError, Result: `"Query failed"`, Err: fault.Wrap(err, fault.Internal, "tasks.list", "Query failed")}
}

// echo returns sEcho with the type it came in; nil when it was not sent.
func echo(c api.Caller) json.RawMessage {
	v, sent := c.Params.Get("sEcho")
	if !sent {
		return nil
	}
	if v.JSON != nil {
		return v.JSON
	}
	text, err := json.Marshal(v.Text)
	if err != nil { // text always marshals
		return nil
	}
	return text
}

type taskReq struct {
	ID params.Value `param:"task_id"`
}

// Validate asks for the id.
func (r taskReq) Validate() error {
	if r.ID.String() == "" {
		return api.MissingParam("task_id")
	}
	return nil
}

type checkRow struct {
	ID         string `json:"_id"`
	Result     string `json:"result"`
	ReportName string `json:"report_name,omitempty"`
	Type       string `json:"type,omitempty"`
	Manual     bool   `json:"manually_create,omitempty"`
	View       string `json:"view,omitempty"`
}

// check answers the status of one task, or of a list of them.
func (s *service) check(ctx context.Context, c api.Caller, r taskReq) (api.Result, error) {
	var ids []string
	if json.Unmarshal(r.ID.Raw(), &ids) != nil || ids == nil {
		t, ok, err := s.get(ctx, c, r.ID.String())
		if err != nil {
			return api.Result{}, err
		}
		if !ok {
			return api.Result{}, errNoTask
		}
		return api.Result{Result: status(t)}, nil
	}
	if len(ids) > maxPage {
		return api.Result{}, fault.New(fault.Invalid, "tasks.too_many", "Too many task ids")
	}
	rows := []checkRow{}
	for _, id := range ids {
		t, ok, err := s.get(ctx, c, id)
		if err != nil {
			return api.Result{}, err
		}
		if !ok {
			rows = append(rows, checkRow{ID: id, Result: "deleted"})
			continue
		}
		rows = append(rows, checkRow{t.ID, status(t), t.ReportName, t.Type, t.Manual, t.View})
	}
	return api.Result{Result: rows}, nil
}

func (s *service) task(ctx context.Context, c api.Caller, r taskReq) (view, error) {
	t, ok, err := s.get(ctx, c, r.ID.String())
	if err != nil {
		return view{}, err
	}
	if !ok {
		return view{}, errNoTask
	}
	return s.whole(t)
}

// rerun queues a task again. The wire answers 200 in any case.
func (s *service) rerun(ctx context.Context, c api.Caller, r taskReq) (api.Result, error) {
	t, ok, err := s.get(ctx, c, r.ID.String())
	if err != nil {
		return api.Result{}, err
	}
	if ok && !s.changes(c.Member, t) {
		c.NoAudit()
		return api.Result{Result: "No permission to run this task"}, nil
	}
	if ok {
		before := s.view(t)
		if err = s.tasks.Rerun(ctx, t.ID); err == nil {
			c.Audit("task_manager_task_rerun", before, map[string]any{"_id": t.ID, "status": "rerunning"}, map[string]any{"task_id": t.ID})
		}
	}
	if !ok || errors.Is(err, jobs.ErrNotRepeatable) || docs.IsNotFound(err) {
		c.NoAudit()
		return api.Result{Result: jobs.ErrNotRepeatable.Msg}, nil
	}
	return api.Success(), err
}

type nameReq struct {
	ID   params.Value `param:"task_id"`
	Name string       `param:"name"`
}

// Validate asks for the id.
func (r nameReq) Validate() error { return taskReq{r.ID}.Validate() }

// maxText bounds what people write about a task, in bytes.
const maxText = 2000

func clip(s string) string {
	if len(s) > maxText {
		return strings.ToValidUTF8(s[:maxText], "")
	}
	return s
}

// update changes a task that the caller may change. Otherwise nothing happens, which the wire
// does not tell.
func (s *service) update(ctx context.Context, c api.Caller, id, action string, fn func(*jobs.Task)) error {
	before, ok, err := s.get(ctx, c, id)
	if err != nil || !ok || !s.changes(c.Member, before) {
		c.NoAudit()
		return err
	}
	after, err := s.tasks.Update(ctx, id, func(t *jobs.Task) error { fn(t); return nil })
	if docs.IsNotFound(err) {
		c.NoAudit()
		return nil
	}
	c.Audit(action, s.view(before), s.view(after), nil)
	return err
}

func (s *service) name(ctx context.Context, c api.Caller, r nameReq) (api.Result, error) {
	err := s.update(ctx, c, r.ID.String(), "task_manager_task_named", func(t *jobs.Task) { t.Name = clip(r.Name) })
	return api.Success(), err
}

type editReq struct {
	ID         params.Value `param:"task_id"`
	ReportName string       `param:"report_name"`
	ReportDesc string       `param:"report_desc"`
	PeriodDesc string       `param:"period_desc"`
	Global     string       `param:"global"`
	Refresh    string       `param:"autoRefresh"`
}

// Validate asks for the id.
func (r editReq) Validate() error { return taskReq{r.ID}.Validate() }

// edit changes what was sent, and leaves the rest.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	err := s.update(ctx, c, r.ID.String(), "task_manager_task_updated", func(t *jobs.Task) {
		for name, set := range map[string]func(){
			"report_name": func() { t.ReportName = clip(r.ReportName) },
			"report_desc": func() { t.ReportDesc = clip(r.ReportDesc) },
			"period_desc": func() { t.PeriodDesc = clip(r.PeriodDesc) },
			"global":      func() { t.Global = r.Global == "true" && !t.App.IsZero() },
			"autoRefresh": func() { t.Refresh = r.Refresh == "true" },
		} {
			if _, sent := c.Params.Get(name); sent {
				set()
			}
		}
	})
	if err != nil {
		return api.Result{}, api.Status(http.StatusServiceUnavailable, fault.Wrap(err, fault.Unavailable, "tasks.edit", "Error"))
	}
	return api.Success(), nil
}

// delete removes a task and its result; one that is not there, or not the caller's, is passed over.
func (s *service) delete(ctx context.Context, c api.Caller, r taskReq) (api.Result, error) {
	t, ok, err := s.get(ctx, c, r.ID.String())
	if err != nil {
		return api.Result{}, err
	}
	if !ok || !s.changes(c.Member, t) {
		c.NoAudit()
		return api.Success(), nil
	}
	c.Audit("task_manager_task_deleted", s.view(t), nil, nil)
	return api.Success(), s.tasks.Delete(ctx, t.ID)
}
