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

// visible is the condition, in the store, that a task is the member's own or shared: with those who
// may read its app, or of no app with global administrators.
func (s *service) visible(m *model.Member) docs.Cond {
	own, shared := docs.Eq("creator", m.ID.String()), docs.Eq(".global", true)
	if !m.GlobalAdmin {
		shared = docs.All(shared, docs.Ne("app", ""))
	}
	return docs.Any(own, shared)
}

// selection is what lists of tasks have in common.
type selection struct {
	Query  params.Value `param:"query"`
	AppIDs string       `param:"app_ids"`
	Period string       `param:"period"`
	Source string       `param:"data_source"`
}

// find adds to q what a list selects, and the filter that the caller gave. An unusable filter is none.
func (s *service) find(c api.Caller, r selection, q docs.Query) (docs.Query, error) {
	q.Where = []docs.Cond{s.visible(c.Member)}
	apps, err := s.scope(c, r)
	if err != nil {
		return q, err
	}
	if apps != nil {
		q.Where = append(q.Where, docs.In("app", apps...))
	}
	if r.Period != "" {
		loc := time.UTC
		if c.App != nil {
			loc = c.App.Location()
		}
		p, err := period.Parse(r.Period, s.now(), period.NewCalendar(loc))
		if err != nil {
			return q, fault.Wrap(err, fault.Invalid, "tasks.bad_period", "Bad request parameter: period")
		}
		q.Where = append(q.Where, docs.Ge("ts", p.Calendar().DayStart(p.First)), docs.Le("ts", p.Calendar().DayEnd(p.Last)))
	}
	if f, err := filter.Parse(r.Query.Raw()); err == nil {
		if q.Filter, err = stored(f); err != nil {
			return q, err
		}
	}
	return q, nil
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
		if len(c.Identity.Apps) > 0 {
			return []any{}, nil // the token is good for apps only
		}
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

type allReq struct {
	api.List
	Query  params.Value `param:"query"`
	AppIDs string       `param:"app_ids"`
	Period string       `param:"period"`
	Source string       `param:"data_source"`
}

// all answers an array, or a table.
func (s *service) all(ctx context.Context, c api.Caller, r allReq) (any, error) {
	l := listing()
	l.Usual = maxAll
	q, err := s.find(c, selection{r.Query, r.AppIDs, r.Period, r.Source}, r.List.Query(l))
	if err != nil {
		return nil, err
	}
	p, err := s.tasks.Query(q).Page(ctx)
	return api.Bare(r.List, api.TableOf(r.List, p, s.view)), err
}

// countRow is the number of tasks of an app.
type countRow struct {
	ID string `json:"_id"`
	N  int    `json:"c"`
}

func (s *service) count(ctx context.Context, c api.Caller, r selection) ([]countRow, error) {
	q, err := s.find(c, r, docs.Query{})
	if err != nil {
		return nil, err
	}
	counts, err := s.tasks.Query(q).CountByApp(ctx)
	out := make([]countRow, 0, len(counts))
	for _, one := range counts {
		if id, ok := one.Value.(string); ok {
			out = append(out, countRow{ID: id, N: one.Count})
		}
	}
	return out, err
}

// listing says what columns the list has, for iSortCol_0.
func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{
			{Name: "report_name", Field: ".report_name"},
			{Name: "status", Field: "state"},
			{Name: "type", Field: ".type"},
			{Name: "report_desc", Field: ".report_desc"},
			{Name: "app_id", Field: "app"},
			{Name: "creator", Field: "creator"},
			{Name: "start", Field: ".start"},
			{Name: "ts", Field: "ts"},
			{Name: "end", Field: ".end"},
		},
		Sort: "ts", Desc: true, Usual: defaultPage, Most: maxPage,
	}
}

// list answers a page.
func (s *service) list(ctx context.Context, c api.Caller, r allReq) (api.Table[view], error) {
	q, err := s.find(c, selection{r.Query, r.AppIDs, r.Period, r.Source}, r.List.Query(listing()))
	if err != nil {
		return api.Table[view]{}, err
	}
	p, err := s.tasks.Query(q).Page(ctx)
	if err != nil {
		return api.Table[view]{}, queryFailed(err)
	}
	return api.TableOf(r.List, p, s.view), nil
}

// queryFailed is the wire's answer to a list that cannot be read; its text is quoted twice.
func queryFailed(err error) error {
	return &api.StatusError{Status: http.StatusInternalServerError, Result: `"Query failed"`, Err: fault.Wrap(err, fault.Internal, "tasks.list", "Query failed")}
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
	return s.whole(ctx, t)
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
			if c.Sent(name) {
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
