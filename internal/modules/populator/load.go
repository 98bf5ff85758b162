package populator

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
	"quipu/internal/traffic"
)

// kind is the kind of the tasks that load demo data.
const kind = "populator"

// Faults of loading.
var (
	errLoading = fault.New(fault.Conflict, "populator.loading", "Demo data is being loaded into this app")
	errLocked  = fault.New(fault.Forbidden, "apps.locked", "App is locked")
	errPaused  = fault.New(fault.Invalid, "apps.paused", "App is currently not accepting data")
	errStopped = fault.New(fault.Conflict, "populator.stopped", "The data of the app was deleted in the meantime")
)

type loadReq struct {
	Template    string `param:"template_id"`
	Days        int    `param:"days"`
	Users       int    `param:"users"`
	Environment string `param:"environment_name"`
}

// plan is what a task is to load. The template is as it was when the task was asked for.
type plan struct {
	Template    Template `json:"template"`
	Days        int      `json:"days"`
	Users       int      `json:"users"`
	Environment string   `json:"environment"`
}

const defaultDays = 90

// load queues a task that fills the app.
func (s *service) load(ctx context.Context, c api.Caller, r loadReq) (api.Result, error) {
	if r.Template == "" {
		return api.Result{}, api.MissingParam("template_id")
	}
	t, ok, err := s.find(ctx, c, r.Template)
	if err != nil {
		return api.Result{}, err
	}
	if !ok {
		return api.Result{}, errNoTemplate
	}
	if err := open(c.App); err != nil {
		return api.Result{}, err
	}
	if _, err := world(&t); err != nil {
		return api.Result{}, err
	}
	p := plan{Template: t, Days: r.Days, Users: r.Users, Environment: r.Environment}
	if p.Days <= 0 {
		p.Days = defaultDays
	}
	if p.Users <= 0 {
		p.Users = int(t.Users)
	}
	if p.Environment == "" {
		p.Environment = t.Name
	}
	if !validName(p.Environment) {
		return api.Result{}, fault.New(fault.Invalid, "populator.bad_environment", "Invalid params: environment_name")
	}
	p.Days, p.Users = min(p.Days, s.cfg.MaxDays), min(p.Users, s.cfg.MaxUsers)
	id, err := s.submit(ctx, c, p)
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("populator_load", nil, map[string]any{"templateId": t.ID, "days": p.Days, "users": p.Users, "environmentName": p.Environment, "task_id": id}, nil)
	return api.Result{Result: map[string]string{"task_id": id}}, nil
}

// open reports why an app takes no demo data.
func open(app *model.App) error {
	switch {
	case app == nil:
		return errStopped
	case app.Locked:
		return errLocked
	case app.Paused:
		return errPaused
	}
	return nil
}

// submit queues a load unless one is under way.
func (s *service) submit(ctx context.Context, c api.Caller, p plan) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live, err := s.live(ctx, c.App.ID)
	if err != nil {
		return "", err
	}
	if len(live) > 0 {
		return "", errLoading
	}
	id, _, err := s.tasks.Submit(ctx, jobs.Spec{
		Kind: kind, Type: "populator", App: c.App.ID, Creator: c.Member.ID, Params: p, ReportName: p.Template.Name, ReportDesc: p.Environment,
		Global: true, Manual: true,
	})
	return id, err
}

// live lists the loads of an app that have not ended.
func (s *service) live(ctx context.Context, app model.AppID) ([]string, error) {
	var ids []string
	q := docs.Query{Where: []docs.Cond{docs.Eq("app", app.String()), docs.In("state", string(jobs.Queued), string(jobs.Running)), docs.Eq(".kind", kind)}}
	err := s.tasks.Query(q).Each(ctx, func(t jobs.Task) error {
		ids = append(ids, t.ID)
		return nil
	})
	return ids, err
}

// load is a run under way.
type load struct {
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when it has ended
}

// stop ends the loads of an app whose data is about to go, and waits for that.
func (s *service) stop(ctx context.Context, ev topic.AppResetting) error {
	ids, err := s.live(ctx, ev.App)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.tasks.Delete(ctx, id); err != nil {
			return err
		}
	}
	s.mu.Lock()
	l := s.loads[ev.App]
	s.mu.Unlock()
	if l == nil {
		return nil
	}
	l.cancel(errStopped)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run is the work of a task. It cannot be repeated: what a run that was cut short has loaded stays, and
// a second one would load it twice.
func (s *service) run(ctx context.Context, r *jobs.Run) error {
	var p plan
	if err := r.Params(&p); err != nil {
		return err
	}
	app := r.Task().App
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := &load{cancel: cancel, done: make(chan struct{})}
	s.mu.Lock()
	s.loads[app] = l
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.loads, app)
		s.mu.Unlock()
		close(l.done)
	}()
	err := s.fill(ctx, app, p, r)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errStopped) {
		return cause
	}
	return err
}

// Bounds of how a load goes on.
const (
	batchItems = 500
	batchBytes = 1 << 20
	// ahead is how many records may wait to be projected before a load waits, too: others come first.
	ahead = 20_000
)

// summary is the result of a load.
type summary struct {
	Environment string `json:"environment_id"`
	From        int64  `json:"from"` // ms
	To          int64  `json:"to"`   // ms
	Users       int    `json:"users"`
	Sessions    int    `json:"sessions"`
	Events      int    `json:"events"`
	Requests    int    `json:"requests"`
}

// fill loads what is planned, from local midnight of the first day until now.
func (s *service) fill(ctx context.Context, app model.AppID, p plan, r *jobs.Run) error {
	a := s.apps.ByID(app)
	if err := open(a); err != nil {
		return err
	}
	w, err := world(&p.Template)
	if err != nil {
		return err
	}
	now := s.now()
	local := now.In(a.Location())
	start := time.Date(local.Year(), local.Month(), local.Day()-p.Days+1, 0, 0, 0, 0, a.Location())
	b := p.Template.behavior()
	g, err := traffic.New(traffic.Config{
		Seed: seed(p), Users: p.Users, Start: start, World: w, Zone: a.Location(), Growth: now.Sub(start),
		SessionsPerDay: float64(p.Users) * float64(b.SessionsPerWeek) / 7, Weekend: float64(b.Weekend), EventsPerRequest: 3, Marked: true,
	})
	if err != nil {
		return err
	}
	env := s.environment(app, p.Template.ID, p.Environment)
	f := &filler{s: s, app: app, g: g, env: env, sum: summary{Environment: env.ID, From: start.UnixMilli(), To: now.UnixMilli()}}
	hours := int64(now.Sub(start)/time.Hour) + 1
	r.Progress(0, hours)
	for {
		at, more, err := f.batch(ctx)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		r.Progress(int64(time.UnixMilli(at).Sub(start)/time.Hour), hours)
	}
	if err := s.data.Flush(ctx); err != nil {
		return err
	}
	s.log.InfoContext(ctx, "demo data loaded", slog.String("app", app.String()), slog.Int("requests", f.sum.Requests))
	return r.SetData(f.sum)
}

// seed makes the same users of the same environment, every time.
func seed(p plan) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(p.Template.ID + "\x00" + p.Environment)) // never fails
	return h.Sum64()
}

// filler sends the requests of a load.
type filler struct {
	s    *service
	app  model.AppID
	g    *traffic.Generator
	env  Environment
	sum  summary
	body []byte
	item []byte // made for the next batch
	info traffic.Info
}

// batch sends some requests and remembers the users who are new; more is false after the last one. at
// is how far it has come (ms).
func (f *filler) batch(ctx context.Context) (at int64, more bool, err error) {
	f.body = append(f.body[:0], '[')
	next := f.sum
	var users []User
	items := 0
	for more = true; items < batchItems && len(f.body) < batchBytes; items++ {
		f.item, f.info = f.g.Next(f.item[:0], traffic.Item)
		if more = f.info.TS < f.sum.To; !more {
			break
		}
		if items > 0 {
			f.body = append(f.body, ',')
		}
		f.body = append(f.body, f.item...)
		next.Events += f.info.Events
		if f.info.Begin {
			next.Sessions++
		}
		if f.info.First {
			users = append(users, f.user(f.info.User))
		}
	}
	next.Requests, next.Users = next.Requests+items, next.Users+len(users)
	if items == 0 {
		return f.sum.To, more, nil
	}
	f.body = append(f.body, ']')
	if err := f.send(ctx); err != nil {
		return 0, false, err
	}
	f.sum = next
	return f.info.TS, more, f.s.remember(ctx, f.env, users, true)
}

func (f *filler) user(number int) User {
	p := f.g.Person(number)
	return User{
		ID:       userPrefix(f.app, f.env.TemplateID, f.env.ID) + p.Device,
		UserName: p.Name, Platform: p.OS, Device: p.Model, AppVersion: p.AppVersion, DeviceID: p.Device, Custom: p.Custom, CreatedAt: f.env.CreatedAt,
	}
}

// send hands the batch to ingestion, as soon as there is room for it.
func (f *filler) send(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		a := f.s.apps.ByID(f.app)
		if err := open(a); err != nil {
			return err
		}
		progress, err := f.s.data.Progress(ctx)
		if err != nil {
			return err
		}
		wait := 20 * time.Millisecond
		if progress.Waiting < ahead {
			err := f.s.data.Ingest(ctx, a, f.body)
			fe, ok := errors.AsType[*fault.Error](err)
			if !ok || fe.Kind != fault.Unavailable {
				return err
			}
			wait = max(fe.RetryAfter, wait)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}
