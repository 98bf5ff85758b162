package drill

import (
	"context"
	"slices"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// taskKind is the kind of tasks that keep what is known of properties in order.
const taskKind = "drill.maintain"

// The work of a task.
const (
	workRegenerate = "meta"     // find everything again
	workCleanup    = "cleanup"  // forget what is no longer there
	workRecheck    = "recheck"  // find again how many values properties have
	workCells      = "sessions" // count rows again; also events and views
)

// work is what a task does.
type work struct {
	What   string         `json:"what"`
	Apps   []string       `json:"apps"`
	Period string         `json:"period"`
	Event  string         `json:"event,omitempty"`
	Views  any            `json:"view_id,omitempty"`
	Member model.MemberID `json:"member"`
	User   string         `json:"user"`
}

// regenerated is the result of a task.
type regenerated struct {
	AppID  string `json:"app_id"`
	Event  string `json:"event,omitempty"`
	Views  any    `json:"view_id,omitempty"`
	Period string `json:"period"`
	Result string `json:"result"`
}

type maintainReq struct {
	Period params.Value `param:"period"`
	Wait   string       `param:"wait_to_finish"`
	All    string       `param:"all"`
	Apps   string       `param:"all_apps"`
	Method string       `param:"method"`
	Event  string       `param:"event"`
	Views  params.Value `param:"view_id"`
}

// window reads the period of a maintenance, 30 days by default.
func (r maintainReq) window(s *service, c api.Caller) (string, error) {
	text := r.Period.String()
	if text == "" {
		text = period.Default
	}
	_, err := s.periodOf(c.App, text)
	return text, err
}

// scope are the apps that a maintenance is for: one, or, for global administrators, all.
func (s *service) scope(c api.Caller, all string) ([]string, error) {
	if params.On(all) {
		if !c.Member.GlobalAdmin {
			return nil, errNoRight
		}
		out := []string{}
		for _, a := range s.apps() {
			out = append(out, a.ID.String())
		}
		return out, nil
	}
	if c.App == nil {
		return nil, errNoApp
	}
	return []string{c.App.ID.String()}, nil
}

// start queues a task. All apps are no app's task: only its creator sees it.
func (s *service) start(ctx context.Context, c api.Caller, w work, name string) error {
	w.Member, w.User = c.Member.ID, c.Member.Username
	spec := jobs.Spec{Kind: taskKind, Type: "drill", Creator: c.Member.ID, Params: w, ReportName: name}
	if c.App != nil && len(w.Apps) == 1 {
		spec.App = c.App.ID
	}
	_, _, err := s.tasks.Submit(ctx, spec)
	c.Audit("", nil, w, nil)
	return err
}

func (s *service) cleanupMeta(ctx context.Context, c api.Caller, r maintainReq) (api.Result, error) {
	apps, err := s.scope(c, r.All)
	if err != nil {
		return api.Result{}, err
	}
	return api.Result{Result: "Meta cleanup started"}, s.start(ctx, c, work{What: workCleanup, Apps: apps}, "Clean up properties")
}

func (s *service) recheckLists(ctx context.Context, c api.Caller, r maintainReq) (api.Result, error) {
	apps, err := s.scope(c, r.Apps)
	if err != nil {
		return api.Result{}, err
	}
	return api.Result{Result: "List recheck started"}, s.start(ctx, c, work{What: workRecheck, Apps: apps}, "Recheck lists of values")
}

func (s *service) regenerateMeta(ctx context.Context, c api.Caller, r maintainReq) (api.Result, error) {
	if c.App == nil {
		return api.Result{}, errNoApp
	}
	text, err := r.window(s, c)
	if err != nil {
		return api.Result{}, err
	}
	w := work{What: workRegenerate, Apps: []string{c.App.ID.String()}, Period: text}
	if params.On(r.Wait) {
		w.Member, w.User = c.Member.ID, c.Member.Username
		c.Audit("", nil, w, nil)
		return api.Result{Result: "Meta regeneration done"}, s.do(ctx, w, func(int, int) {})
	}
	return api.Result{Result: "Meta regeneration started"}, s.start(ctx, c, w, "Find properties again")
}

// regeneration recounts an app's rows: figures of sessions, events and views, and known
// properties.
func (s *service) regeneration(ctx context.Context, c api.Caller, r maintainReq) (any, error) {
	if c.App == nil {
		return nil, errNoApp
	}
	if !slices.Contains([]string{"sessions", "events", "views"}, r.Method) {
		return nil, withStatus(200, "drill.bad_parameter", "Missing parameter method. Must be one of: sessions, events, views")
	}
	if r.Method == "events" && r.Event == "" {
		return nil, withStatus(404, "drill.bad_parameter", "Missing parameter event")
	}
	text, err := r.window(s, c)
	if err != nil {
		return nil, err
	}
	w := work{What: r.Method, Apps: []string{c.App.ID.String()}, Period: text, Event: r.Event, Member: c.Member.ID, User: c.Member.Username}
	if r.Views.String() != "" {
		list, ok := texts(r.Views)
		if !ok {
			return nil, bad("view_id")
		}
		w.Views = list
	}
	spec := jobs.Spec{Kind: taskKind, Type: "regeneration", App: c.App.ID, Creator: c.Member.ID, Params: w, ReportName: "Count again: " + r.Method}
	c.Audit("", nil, w, nil)
	if !params.On(r.Wait) {
		id, _, err := s.tasks.Submit(ctx, spec)
		return api.Result{Result: map[string]string{"task_id": id}}, err
	}
	out, err := s.tasks.Run(ctx, spec, nil)
	if err != nil {
		return nil, err
	}
	if pending, ok := out.Pending(); ok {
		return pending, nil
	}
	return api.Result{Result: out.Result.Data}, nil
}

// run does a task.
func (s *service) run(ctx context.Context, r *jobs.Run) error {
	var w work
	if err := r.Params(&w); err != nil {
		return err
	}
	if err := s.do(ctx, w, func(done, of int) { r.Progress(int64(done), int64(of)) }); err != nil {
		return err
	}
	out := regenerated{Event: w.Event, Views: w.Views, Period: w.Period, Result: "Success"}
	if len(w.Apps) == 1 {
		out.AppID = w.Apps[0]
	}
	return r.SetData(out)
}

// finished are the actions of the audit log at the end of works.
var finished = map[string]string{
	workRegenerate: "meta_regeneration_finished", workCleanup: "meta_cleanup_finished", workRecheck: "lists_rechecked",
	workCells: "session_recalculation_finished", "events": "event_recalculation_finished", "views": "view_recalculation_finished",
}

// do does a work for each of its apps, and logs that it did.
func (s *service) do(ctx context.Context, w work, progress func(done, of int)) error {
	for i, text := range w.Apps {
		id, err := model.ParseID(text)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(s.apps(), func(a *model.App) bool { return a.ID == id })
		if at < 0 {
			continue // deleted meanwhile
		}
		app := s.apps()[at]
		err = s.doApp(ctx, app, w)
		result := "Success"
		if err != nil {
			result = "Error"
		}
		ev := topic.Action{
			At: s.now(), Name: finished[w.What], Member: w.Member, Username: w.User, App: id, Data: map[string]any{"result": result, "period": w.Period, "event": w.Event},
		}
		if emitted := hook.Emit(ctx, s.bus, ev); err == nil {
			err = emitted
		}
		if err != nil {
			return err
		}
		progress(i+1, len(w.Apps))
	}
	return nil
}

func (s *service) doApp(ctx context.Context, app *model.App, w work) error {
	switch w.What {
	case workCleanup:
		return s.cleanup(ctx, app.ID)
	case workRecheck:
		p, err := s.recent(app)
		if err != nil {
			return err
		}
		return s.recheck(ctx, app, p)
	case workRegenerate:
		p, err := s.periodOf(app, w.Period)
		if err != nil {
			return err
		}
		if _, err := s.find(ctx, app, "", p); err != nil {
			return err
		}
		for _, ev := range s.schema.Events(app.ID) {
			if _, err := s.find(ctx, app, ev.Key, p); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.submit(ctx, request.Record{Kind: request.RebuildCells, App: app.ID}); err != nil {
		return err
	}
	return s.forgetMeta(ctx, app.ID) // found again when it is asked for
}

// cleanup forgets events that the app no longer has, and properties that they no longer list.
func (s *service) cleanup(ctx context.Context, app model.AppID) error {
	col := metaSpec().In(s.docs, app)
	list, err := col.All(ctx, docs.Query{})
	if err != nil {
		return err
	}
	for _, f := range list {
		if f.Event == "" {
			continue
		}
		if _, ok := s.schema.Event(app, f.Event); !ok {
			err = col.Delete(ctx, f.ID)
		} else {
			err = col.Put(ctx, s.withNew(app, f))
		}
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// recheck finds again what was found of each event and of users.
func (s *service) recheck(ctx context.Context, app *model.App, p period.Period) error {
	list, err := metaSpec().In(s.docs, app.ID).All(ctx, docs.Query{})
	if err != nil {
		return err
	}
	for _, f := range list {
		if _, err := s.find(ctx, app, f.Event, p); err != nil {
			return err
		}
	}
	return nil
}
