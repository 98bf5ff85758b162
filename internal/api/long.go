package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
)

// Long lets a read go on as a task when it takes longer than a caller waits (setting
// api.request_threshold). The answer then names the task, whose result is what the read would have answered.
//
// The result is kept, and goes with any user of the app that is erased: the filter of a read may name users.
type Long struct {
	// Type is the label of the tasks, that people filter by.
	Type string
	// Name is what a task is called for whom the caller gives no report_name.
	Name string
	// Quick tells reads that need no task, nor a place among those that do; nil = none.
	Quick func(*params.Params) bool
}

// Long returns a view of g whose typed reads of an app may go on as tasks.
func (g *Registrar) Long(l Long) *Registrar {
	out := *g
	out.long = &l
	return &out
}

// longKind is the kind of tasks that are reads.
const longKind = "read"

// longRead is a read as it is stored in its task. It holds no credentials.
type longRead struct {
	As     auth.Proxy                 `json:"as"`
	Path   string                     `json:"path"`
	Params map[string]json.RawMessage `json:"params"`
}

// longReads runs reads that may go on as tasks.
type longReads struct {
	tasks *jobs.Tasks
	inner *Inner
}

// RunLong makes tasks what slow reads go on as. Without a call they answer when they are done.
func (r *Routes) RunLong(tasks *jobs.Tasks, a *auth.Service) {
	r.long = &longReads{tasks: tasks, inner: &Inner{routes: r, auth: a}}
	tasks.Register(jobs.Runner{Kind: longKind, Repeatable: true, Run: r.long.run})
}

// run does a read that has become a task, or may yet, by the present rights of anyone who asked.
func (l *longReads) run(ctx context.Context, r *jobs.Run) error {
	var o longRead
	if err := r.Params(&o); err != nil {
		return err
	}
	p := &params.Params{}
	for name, raw := range o.Params {
		var text string
		if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
			p.Set(name, params.Value{Text: text})
		} else {
			p.Set(name, params.Value{JSON: raw})
		}
	}
	body, err := l.inner.Get(ctx, o.As, o.Path, p)
	if err != nil {
		return err
	}
	return r.SetData(json.RawMessage(body))
}

// maxReport bounds what a caller writes about a task, in bytes.
const maxReport = 2000

// answer does the read of a call, and answers with the task when it takes too long.
func (l *longReads) answer(w http.ResponseWriter, c *Call, s *Server, about *Long, names []string, direct runner) error {
	o := longRead{As: c.Proxy(), Path: c.Path, Params: map[string]json.RawMessage{}}
	for _, name := range append([]string{"app_id", "method"}, names...) {
		if v, sent := c.Params.Get(name); sent {
			o.Params[name] = v.Raw()
			if v.IsText() {
				text, err := json.Marshal(v.Text)
				if err != nil {
					return err
				}
				o.Params[name] = text
			}
		}
	}
	spec := jobs.Spec{
		Kind: longKind, Type: about.Type, App: c.App.ID, Creator: c.Member.ID, Params: o, Personal: true, ReportName: about.Name,
		ReportDesc: clipTo(c.Params.Text("report_desc"), maxReport), PeriodDesc: clipTo(c.Params.Text("period_desc"), maxReport),
	}
	if name := c.Params.Text("report_name"); name != "" {
		spec.ReportName = clipTo(name, maxReport)
	}
	out, err := l.tasks.Run(c.request.Context(), spec, nil)
	if fault.CodeOf(err) == jobs.CodeCancelled { // somebody was deleted meanwhile: what is there now is not kept, but answered
		return direct(w, c, s)
	}
	if err != nil {
		return err
	}
	if pending, ok := out.Pending(); ok {
		return s.writeJSON(w, c, http.StatusOK, pending)
	}
	return s.writeJSON(w, c, http.StatusOK, out.Result.Data)
}

// withoutTasks marks a context, see WithoutTasks.
type withoutTasks struct{}

// WithoutTasks returns a context whose requests answer when they are done, however long that takes: none goes on as a task.
func WithoutTasks(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutTasks{}, true)
}

// mayGoOn reports whether a read may go on as a task, and the caller could see that: reads of tasks need
// the right to read the app's core, and a token that is not for single endpoints.
func mayGoOn(c *Call) bool {
	return c.again == nil && c.request.Context().Value(withoutTasks{}) == nil && c.explained == nil && c.App != nil && len(c.Identity.Endpoint) == 0 && auth.Can(c.Member, c.App.ID, "core", model.Read)
}

// longly wraps the run of a route that may go on as a task. What a request is made without is said before it may become one: the task has
// neither the headers of the request nor those of the answer.
func longly[Req any](g *Registrar, route *Route) {
	if g.long == nil {
		return
	}
	routes, about, direct := g.routes, g.long, route.run
	bind, names := binderOf(reflect.TypeFor[Req]()), paramNames(reflect.TypeFor[Req]())
	route.Long = true
	route.run = func(w http.ResponseWriter, c *Call, s *Server) error {
		if routes.long == nil || !mayGoOn(c) || about.Quick != nil && about.Quick(c.Params) {
			return direct(w, c, s)
		}
		var req Req
		if err := c.fit(); err != nil {
			return err
		}
		if err := bind(reflect.ValueOf(&req).Elem(), c); err != nil {
			return err
		}
		if err := c.sensible(&req); err != nil {
			return err
		}
		return routes.long.answer(w, c, s, about, names, direct)
	}
}

// paramNames lists the parameters that a request type is made of.
func paramNames(t reflect.Type) []string {
	var out []string
	for f := range t.Fields() {
		if f.Anonymous {
			out = append(out, paramNames(f.Type)...)
		}
		if name := f.Tag.Get("param"); name != "" {
			out = append(out, name)
		}
	}
	return out
}
