// Package cohorts is the module for cohorts: sets of users under a name, by what they did and who they are, or, for profile groups, by
// hand. docs/reference/cohorts.md defines conditions and figures.
//
// Faults: cohorts.args, cohorts.visibility, cohorts.step_event, cohorts.step_type, cohorts.step_period, cohorts.period, cohorts.invalid,
// cohorts.too_large, cohorts.permission, cohorts.no_cohort, cohorts.nothing, cohorts.manual, cohorts.too_many, cohorts.bad_parameter (Invalid),
// cohorts.not_found, cohorts.gone (NotFound).
package cohorts

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/follow"
	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

// feature is the name of the module's permission and of the type of its tasks; groupsFeature is the permission for manual cohorts.
const (
	feature       = "cohorts"
	groupsFeature = "profile_groups"
)

// taskKind is the kind of tasks that calculate a cohort.
const taskKind = "cohorts.calculate"

// Config is the module's configuration.
type Config struct {
	// Interval is the time from one calculation of all cohorts to the next.
	Interval kernel.Duration `json:"interval"`
	// LiveMemory is how many bytes live cohorts may hold in memory; those that do not fit are calculated on schedule.
	LiveMemory int64 `json:"live_memory"`
}

// tendEvery is how often cohorts that are to be live and are not are looked for, and storeEvery how many times later those that changed are stored.
const (
	tendEvery  = 2 * time.Second
	storeEvery = 5
)

// Validate returns what is wrong with the configuration.
func (c Config) Validate() error {
	var errs []error
	if time.Duration(c.Interval) < time.Minute {
		errs = append(errs, errors.New("cohorts.interval is less than a minute"))
	}
	if c.LiveMemory < 0 {
		errs = append(errs, errors.New("cohorts.live_memory is negative"))
	}
	return errors.Join(errs...)
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: feature, Requires: []string{"apps", "eventgroups"}, Features: []string{feature, groupsFeature},
		Plugin:   &kernel.Plugin{Code: feature, Title: "Cohorts", Description: "Keeps sets of users by what they did and who they are, and groups of users by hand."},
		Defaults: Config{Interval: kernel.Duration(15 * time.Minute), LiveMemory: 128 << 20},
		Ingest:   &pipeline.Feature{Name: feature, Decide: func(pipeline.Subjects, []byte) {}},
		Setup:    kernel.With(pick, setup),
	}
}

func setup(s *kernel.Scope, n uses) error {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return err
	}
	svc := &service{
		submitted: n.Submit, progress: n.Progress, most: cfg.LiveMemory, taps: n.Taps, thorough: int(time.Duration(cfg.Interval) / tendEvery),
		docs: n.Docs, tasks: n.Tasks, groups: n.Groups, tables: query.NewTables(n.Events, n.Schema).Defining(n.Defined), rows: n.Sequences,
		profiles: n.Profiles, apps: n.Apps.All, now: s.Now,
	}
	n.Tasks.Register(jobs.Runner{Kind: taskKind, Repeatable: true, Run: svc.run})
	s.Jobs.Every("calculate", time.Duration(cfg.Interval), svc.calculateAll)
	n.Holdings.Add(kernel.Holding{Name: feature, Each: svc.ofUsers})
	n.EventUsers.Add(kernel.EventUser{Kind: "cohort", Feature: feature, Each: svc.eachUse})
	svc.routes(s.Routes)
	hook.On(s.Bus, s.Name, svc.appDeleted)
	hook.On(s.Bus, s.Name, svc.appReset)
	hook.On(s.Bus, s.Name, svc.memberDeleted)
	hook.On(s.Bus, s.Name, svc.usersDeleted)
	hook.On(s.Bus, s.Name, svc.usersErased)
	hook.On(s.Bus, s.Name, svc.userMerged)
	svc.live = &live{now: s.Now, zones: &svc.zones, emit: func(ctx context.Context, ev topic.CohortChanged) {
		if err := hook.Emit(ctx, s.Bus, ev); err != nil {
			s.Log.ErrorContext(ctx, "subscribers of a cohort failed", "cohort", ev.Cohort, "error", err)
		}
	}}
	n.Taps.Add(svc.live)
	n.Checks.Add(kernel.Check{Name: feature, App: svc.check})
	svc.due.Store(true)
	svc.live.ended = svc.passOn
	svc.live.due = func() {
		if n.Taps.Shared() {
			svc.due.Store(true)
		}
	}
	if n.Taps.Shared() {
		n.Followers.Add(follow.Follower{Name: "cohorts", Collections: []string{spec().Name}, Refresh: follow.OnChange(
			func(ctx context.Context) (int64, error) { return spec().Global(n.Docs).Generation(ctx) },
			func(context.Context) error { svc.live.due(); return nil },
		)})
	}
	s.Jobs.OnEachWorker("live", tendEvery, svc.tend)
	hook.On(s.Bus, s.Name, svc.projectionEnded)
	hook.On(s.Bus, s.Name, svc.projectionPaused)
	n.Cohorts.Provide(svc.membersOf)
	return nil
}

func (s *service) routes(g *api.Registrar) {
	create := api.Feature(feature, model.Create, api.AppParam).OrOf(groupsFeature)
	api.Handle(g, "/i/cohorts/add", create, s.add)
	api.Handle(g, "/i/cohorts/edit", create, s.edit)
	api.Handle(g, "/i/cohorts/delete", api.Feature(feature, model.Delete, api.AppParam).OrOf(groupsFeature), s.remove)
	update := api.Feature(feature, model.Update, api.AppParam)
	api.Handle(g, "/i/cohorts/recalculate", update, s.recalculate)
	api.Handle(g, "/i/cohorts/group", update, s.group)
	api.Handle(g, "/i/cohorts/detail_metrics", update, s.detailMetrics)
	api.Handle(g, "/i/cohorts/fixuid", update, s.fixUsers)
	api.Handle(g, "/i/cohorts/cleanup", update, s.cleanUp)
	api.Handle(g, "/i/cohorts/resetRealTimeData", update, s.resetAll)
	people := api.Feature(groupsFeature, model.Update, api.AppParam)
	api.Handle(g, "/i/cohorts/add_users", people, s.addUsers)
	api.Handle(g, "/i/cohorts/remove_users", people, s.removeUsers)
	read := api.Feature(feature, model.Read, api.AppParamFirst)
	api.HandleMethod(g, "get_cohorts", read, s.list)
	api.HandleMethod(g, "get_cohort_list", read, s.names)
	api.HandleMethod(g, "get_cohort", read, s.get)
	api.HandleMethod(g, "get_cohort_metrics", read, s.metrics)
	api.HandleMethod(g, "cohortdata", read, s.data)
	api.HandleMethod(g, "cohortstate", read, s.state)
	long := g.Long(api.Long{Type: feature, Name: "Cohort"})
	api.Handle(long, "/o/cohorts/preview", api.Feature(feature, model.Read, api.AppParam), s.preview)
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Directory
	kernel.Background
	kernel.Shared
	kernel.Writes
	kernel.Watching
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Reads, c.Directory, c.Background, c.Shared, c.Writes, c.Watching}
}

type service struct {
	docs     docs.DB
	tasks    *jobs.Tasks
	groups   *kernel.EventGroups
	tables   *query.Tables
	rows     *query.Funnels
	profiles profile.Reader
	apps     func() []*model.App
	now      func() time.Time
	zones    period.Zones
	sets     sets

	live *live
	// submitted appends a command and waits for it, progress tells how far the journal is projected.
	submitted func(context.Context, request.Record) error
	progress  func(context.Context) (kernel.Progress, error)
	// most is how many bytes live cohorts may hold, held about what they do.
	most   int64
	held   atomic.Int64
	saving sync.Mutex
	// taps knows whose records are projected here.
	taps *pipeline.Taps
	due  atomic.Bool // the job has to look at all cohorts: at the start, and where several servers share the work, whenever they or the share changed
	turn int         // of the job
	// thorough is how many turns of the job it takes until cohorts that are live are looked at, too, and again the turn at which all are because something
	// failed; where several servers share the work.
	thorough, again int
}

// Faults in the words of the wire.
var (
	errArgs       = fault.New(fault.Invalid, "cohorts.args", "Not enough args")
	errVisibility = fault.New(fault.Invalid, "cohorts.visibility", "Invalid visibility")
	errStepEvent  = fault.New(fault.Invalid, "cohorts.step_event", "All steps must contain event")
	errStepType   = fault.New(fault.Invalid, "cohorts.step_type", "All steps must contain type")
	errStepPeriod = fault.New(fault.Invalid, "cohorts.step_period", "All steps must contain period")
	errPeriod     = fault.New(fault.Invalid, "cohorts.period", "Bad request parameter: period")
	errTooLarge   = fault.New(fault.Invalid, "cohorts.too_large", "Cohort is too large")
	errPermission = fault.New(fault.Invalid, "cohorts.permission", "Insufficient permissions")
	errNotFound   = fault.New(fault.NotFound, "cohorts.not_found", "Cohort not found")
	errGone       = fault.New(fault.NotFound, "cohorts.gone", "Cohort does not exist")
	errNoCohort   = fault.New(fault.Invalid, "cohorts.no_cohort", "Cohort id is missing")
	errNothing    = fault.New(fault.Invalid, "cohorts.nothing", "There is no data passed to process")
	errManual     = fault.New(fault.Invalid, "cohorts.manual", "Users can be added by hand only to manual cohorts")
	errTooMany    = fault.New(fault.Conflict, "cohorts.too_many", "There are too many cohorts, delete some")
	errRight      = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// invalid is the fault of a definition that has no meaning.
func invalid(text string) error { return fault.New(fault.Invalid, "cohorts.invalid", text) }

// bad is the fault of a parameter that cannot be read.
func bad(name string) error {
	return fault.Newf(fault.Invalid, "cohorts.bad_parameter", "Bad request parameter: %s", name)
}

// found returns a cohort that the caller sees, or gone.
func (s *service) found(ctx context.Context, c api.Caller, id string, gone error) (Cohort, error) {
	d, err := spec().In(s.docs, c.App.ID).Get(ctx, id)
	if docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key" || err == nil && !d.visible(c.Member) {
		return Cohort{}, gone
	}
	return d, err
}
