package flows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// Data is what was computed of a flow.
type Data struct {
	ID         string  `json:"_id,omitempty"` // the flow's, and "_data"; "" = it is not kept
	Flow       string  `json:"flow,omitempty"`
	Period     string  `json:"period"`
	From       int64   `json:"from"`       // ms
	To         int64   `json:"to"`         // ms, included
	Calculated int64   `json:"calculated"` // ms
	Paths      int64   `json:"paths"`
	Users      int64   `json:"users"`
	Levels     []level `json:"levels"`
}

// Key returns the document's id.
func (d Data) Key() string { return d.ID }

// Validate accepts: only the service writes it, from what it computed.
func (Data) Validate() error { return nil }

func dataSpec() docs.Spec[Data] {
	return docs.Spec[Data]{Name: "flows.data", Version: 1, Indexes: []docs.Index[Data]{{Name: "flow", Path: ".flow"}}}
}

// level holds the steps at a distance from the anchor, and where paths go from them to the next level.
type level struct {
	Level int    `json:"level"`
	Nodes []node `json:"nodes"`
	Links []link `json:"links"`
}

// node is a step. Other stands for all that the level does not show.
type node struct {
	Event string `json:"event,omitempty"`
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
	Other bool   `json:"other,omitempty"`
	Paths int64  `json:"paths"`
	Users int64  `json:"users"`
	Ended int64  `json:"ended"`
}

// link goes from a node of a level to one of the next, by their places.
type link struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Paths int64 `json:"paths"`
	Users int64 `json:"users"`
}

// levels writes a flow.
func levels(f *query.Flow) []level {
	out := make([]level, len(f.Levels))
	for i, l := range f.Levels {
		out[i] = level{Level: l.Level, Nodes: make([]node, len(l.Nodes)), Links: make([]link, len(l.Links))}
		for j, n := range l.Nodes {
			out[i].Nodes[j] = node{Event: n.Event, Name: n.Name, Value: n.Value, Other: n.Other, Paths: n.Paths, Users: n.Users, Ended: n.Ended}
		}
		for j, k := range l.Links {
			out[i].Links[j] = link(k)
		}
	}
	return out
}

// period reads a period in the zone of an app.
func (s *service) period(app *model.App, now time.Time, text string) (period.Period, error) {
	cal, _ := s.zones.Get(app.Timezone)
	if text == "" {
		text = period.Default
	}
	return period.NewFrame(now, cal, &s.zones, period.Overrides{}).Parse(strings.Trim(text, `"`))
}

// compute asks for the paths of a definition.
func (s *service) compute(ctx context.Context, app *model.App, now time.Time, d Definition, ready *compiled) (Data, error) {
	p, err := s.period(app, now, d.Period)
	if err != nil {
		return Data{}, errPeriod
	}
	ready.query.From, ready.query.To = p.Start, p.End
	f, err := s.rows.Flow(ctx, app.ID, &ready.query)
	if err != nil {
		return Data{}, err
	}
	return Data{
		ID: d.ID + "_data", Flow: d.ID, Period: d.Period, From: p.Start, To: p.End, Calculated: now.UnixMilli(), Paths: f.Paths, Users: f.Users, Levels: levels(f),
	}, nil
}

// paths answers with the flow that a request describes, which is not kept.
func (s *service) paths(ctx context.Context, c api.Caller, r fields) (Data, error) {
	d := Definition{Name: feature, Type: "events", Period: period.Default, AppID: c.App.ID.String()}
	if err := r.fill(&d); err != nil {
		return Data{}, err
	}
	if err := d.Validate(); err != nil {
		return Data{}, err
	}
	ready, err := s.compile(ctx, c.App.ID, d)
	if err != nil {
		return Data{}, err
	}
	if err := mayLookAt(c.Member, c.App.ID, ready.paths); err != nil {
		return Data{}, err
	}
	out, err := s.compute(ctx, c.App, c.Now, d, ready)
	out.ID = ""
	return out, err
}

// work is what a task computes.
type work struct {
	App  string `json:"app_id"`
	Flow string `json:"flow"`
}

// calculate has a flow computed in the background.
func (s *service) calculate(ctx context.Context, c api.Caller, r idReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errFlowID
	}
	d, err := spec().In(s.docs, c.App.ID).Get(ctx, r.ID)
	if docs.IsNotFound(err) {
		return api.Result{}, errNotFound
	}
	if err != nil {
		return api.Result{}, err
	}
	if d.Disabled {
		return api.Result{}, errDisabled
	}
	if busy, err := s.calculating(ctx, d); err != nil || busy {
		if busy {
			err = errCalculating
		}
		return api.Result{}, err
	}
	ready, err := s.compile(ctx, c.App.ID, d)
	if err != nil {
		return api.Result{}, err
	}
	if err := mayLookAt(c.Member, c.App.ID, ready.paths); err != nil {
		return api.Result{}, err
	}
	if err := s.submit(ctx, c, d); err != nil {
		return api.Result{}, err
	}
	c.Audit("flows_calculated", nil, map[string]string{"_id": d.ID}, nil)
	return api.Result{Result: "Flow calculation started"}, nil
}

// submit queues the task that computes a flow. The flow's state changes first: the task may end before its id is noted.
func (s *service) submit(ctx context.Context, c api.Caller, d Definition) error {
	col := spec().In(s.docs, c.App.ID)
	_, err := col.Update(ctx, d.ID, func(d *Definition) error {
		d.Task, d.Status, d.Changed = "", stateCalculating, c.Now.UnixMilli()
		return nil
	})
	if err != nil {
		return err
	}
	id, _, err := s.tasks.Submit(ctx, jobs.Spec{
		Kind: taskKind, Type: feature, App: c.App.ID, Creator: c.Member.ID, Params: work{c.App.ID.String(), d.ID}, ReportName: d.Name, PeriodDesc: d.Period,
	})
	failed := err
	_, err = col.Update(context.WithoutCancel(ctx), d.ID, func(d *Definition) error {
		if d.Status == stateCalculating {
			d.Task = id
		}
		if failed != nil {
			d.Status = stateError
		}
		return nil
	})
	return errors.Join(failed, err)
}

// unnoted is how long a flow may be under way without the id of its task (ms).
const unnoted = 60_000

// calculating reports whether a task computes a flow. One that was cancelled or deleted does not.
func (s *service) calculating(ctx context.Context, d Definition) (bool, error) {
	if d.Status != stateCalculating {
		return false, nil
	}
	if d.Task == "" {
		return s.now().UnixMilli()-d.Changed < unnoted, nil
	}
	t, err := s.tasks.Get(ctx, d.Task)
	if docs.IsNotFound(err) {
		return false, nil
	}
	return t.State.Live() || t.Rerun, err
}

// run does a task.
func (s *service) run(ctx context.Context, r *jobs.Run) error {
	var w work
	if err := r.Params(&w); err != nil {
		return err
	}
	at := slices.IndexFunc(s.apps(), func(a *model.App) bool { return a.ID.String() == w.App })
	if at < 0 {
		return errNotFound // deleted meanwhile
	}
	app := s.apps()[at]
	d, err := spec().In(s.docs, app.ID).Get(ctx, w.Flow)
	if err != nil {
		return err
	}
	data, err := s.computed(ctx, app, d)
	if kept := s.keep(context.WithoutCancel(ctx), app.ID, d, data, err); err == nil {
		err = kept
	}
	if err != nil {
		return err
	}
	return r.SetData(map[string]string{"_id": d.ID})
}

func (s *service) computed(ctx context.Context, app *model.App, d Definition) (Data, error) {
	ready, err := s.compile(ctx, app.ID, d)
	if err != nil {
		return Data{}, err
	}
	return s.compute(ctx, app, s.now(), d, ready)
}

// keep stores what was computed, and the state of the flow, unless it was edited or deleted meanwhile.
func (s *service) keep(ctx context.Context, app model.AppID, was Definition, data Data, failed error) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		_, err := spec().In(tx, app).Update(ctx, was.ID, func(d *Definition) error {
			if d.Status == stateEdited {
				return nil
			}
			d.Status, d.Changed = stateCompleted, s.now().UnixMilli()
			if failed != nil {
				d.Status = stateError
			}
			return nil
		})
		if docs.IsNotFound(err) {
			return nil
		}
		if err != nil || failed != nil {
			return err
		}
		return dataSpec().In(tx, app).Put(ctx, data)
	})
}

// lateDays is how long after the end of its period a flow is computed again, since events may come late.
const lateDays = 7 * 86400_000 // ms

// calculateDue computes the flows of all apps that are due, one after another. One that fails does not keep the others from it, and is tried again
// when it is due again.
func (s *service) calculateDue(ctx context.Context) error {
	var errs []error
	for _, app := range s.apps() {
		list, err := spec().In(s.docs, app.ID).All(ctx, docs.Query{})
		errs = append(errs, err)
		for _, d := range list {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			due, err := s.due(ctx, app, d)
			if err == nil && due {
				err = s.again(ctx, app, d)
			}
			if err != nil && !docs.IsNotFound(err) {
				errs = append(errs, fmt.Errorf("calculate flow %s: %w", d.ID, err))
			}
		}
	}
	return errors.Join(errs...)
}

// due reports whether a flow is to be computed: one that is switched on, that nothing computes, and of which nothing was computed, or something else, or what
// is too old. What was computed of a period that is long over stays.
func (s *service) due(ctx context.Context, app *model.App, d Definition) (bool, error) {
	now := s.now()
	if d.Disabled {
		return false, nil
	}
	if busy, err := s.calculating(ctx, d); err != nil || busy {
		return false, err
	}
	if d.Status == stateError && now.UnixMilli()-d.Changed < s.age {
		return false, nil
	}
	data, err := dataSpec().In(s.docs, app.ID).Get(ctx, d.ID+"_data")
	if docs.IsNotFound(err) || err == nil && d.Status != stateCompleted {
		return true, nil
	}
	if err != nil || now.UnixMilli()-data.Calculated < s.age {
		return false, err
	}
	p, err := s.period(app, now, d.Period)
	return err == nil && data.Calculated < p.End+lateDays, nil
}

// again computes a flow, unless somebody changes it meanwhile.
func (s *service) again(ctx context.Context, app *model.App, d Definition) error {
	d, err := spec().In(s.docs, app.ID).Update(ctx, d.ID, func(d *Definition) error {
		d.Task, d.Status, d.Changed = "", stateCalculating, s.now().UnixMilli()
		return nil
	})
	if err != nil {
		return err
	}
	data, err := s.computed(ctx, app, d)
	return errors.Join(err, s.keep(context.WithoutCancel(ctx), app.ID, d, data, err))
}
