package app

import (
	"context"
	"time"

	"quipu/internal/hook"
	"quipu/internal/jobs"
	"quipu/internal/settings"
	"quipu/internal/topic"
)

// housekeepEvery is how often tasks that have ended are looked through.
const housekeepEvery = 10 * time.Minute

// openTasks makes the queue of long-running tasks, whose runners the modules declare.
func (a *App) openTasks() (err error) {
	a.config.Declare("api", "request_threshold", settings.Setting{Default: a.cfg.Tasks.RequestThreshold.Seconds(), Max: 24 * 3600}) // s
	o := a.cfg.taskOptions()
	o.Waiting = func() time.Duration {
		return time.Duration(a.config.Number("api", "request_threshold") * float64(time.Second))
	}
	o.Ended = a.taskEnded
	if a.tracer != nil {
		o.Watch = a.traceTask
	}
	leases := jobs.Leases(jobs.Alone{})
	if a.cluster != nil {
		leases = a.cluster.keeper.Turns(nil)
	}
	if a.tasks, err = jobs.NewTasks(a.docs, a.files.Folder("tasks"), a.log, a.now, o, leases); err != nil {
		return err
	}
	a.routes.RunLong(a.tasks, a.auth)
	return nil
}

// wireTasks lets tasks follow what happens to the data, and finds those that a
// former process left.
func (a *App) wireTasks(ctx context.Context) error {
	hook.On(a.bus, "tasks", func(ctx context.Context, ev topic.AppReset) error { return a.tasks.ForgetApp(ctx, ev.App) })
	hook.On(a.bus, "tasks", func(ctx context.Context, ev topic.AppDeleted) error { return a.tasks.ForgetApp(ctx, ev.App) })
	hook.On(a.bus, "tasks", func(ctx context.Context, ev topic.UsersDeleted) error { return a.tasks.ForgetUsers(ctx, ev.App) })
	hook.On(a.bus, "tasks", func(ctx context.Context, ev topic.MemberDeleted) error { return a.tasks.ForgetMember(ctx, ev.Member) })
	a.jobs.For("api").Every("task", housekeepEvery, a.tasks.Housekeep)
	return a.tasks.Recover(ctx)
}

// taskOptions are the limits that the operator sets, and defaults.
func (c *Config) taskOptions() jobs.TaskOptions {
	o := jobs.DefaultTaskOptions()
	o.Threshold, o.Workers, o.Keep, o.MaxRun = c.Tasks.RequestThreshold, c.Tasks.Workers, c.Tasks.Keep, c.Tasks.MaxRun
	return o
}
