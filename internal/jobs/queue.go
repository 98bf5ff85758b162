package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// Recover brings the tasks that a former process left behind into order, as reclaim does, and deletes files that
// belong to no task. It is called once, before anything runs.
func (t *Tasks) Recover(ctx context.Context) error {
	if err := t.reclaim(ctx); err != nil {
		return err
	}
	kept := map[string]bool{}
	for task, err := range taskSpec().Global(t.db).List(ctx, docs.Query{}) {
		if err != nil {
			return fmt.Errorf("list results of tasks: %w", err)
		}
		if f := task.Result.File; f != nil {
			kept[f.Stored] = true
		}
	}
	return t.folder.Sweep(ctx, func(name string) bool { return kept[name] })
}

// Serve runs queued tasks until ctx is done; then it cancels what runs and
// returns when all has ended. What was cancelled that way is found by Recover at the next start.
func (t *Tasks) Serve(ctx context.Context) {
	workers := make(chan struct{}, t.opt.Workers)
	t.mu.Lock()
	t.ending = ctx.Done()
	t.mu.Unlock()
	t.poke()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			continue
		case workers <- struct{}{}:
		}
		started, err := t.next(ctx, func() { <-workers; t.poke() })
		if err != nil && ctx.Err() == nil {
			t.log.ErrorContext(ctx, "queued task not started", slog.Any("error", err))
		}
		if started {
			continue
		}
		<-workers
		select {
		case <-ctx.Done():
		case <-t.wake:
		}
	}
	t.mu.Lock()
	t.stopped = true
	for _, e := range t.live {
		e.cancel(errStopping)
	}
	t.mu.Unlock()
	t.under.Wait()
}

// next starts the task that has waited longest; false when none waits.
func (t *Tasks) next(ctx context.Context, release func()) (bool, error) {
	t.claims.Lock()
	defer t.claims.Unlock()
	col := taskSpec().Global(t.db)
	task, err := col.First(ctx, docs.Query{Where: []docs.Cond{docs.Eq("state", string(Queued))}, Sort: "ts"})
	if docs.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r, known := t.runner(task.Kind)
	holder, run, end := t.leases.Hold(context.WithoutCancel(ctx), task.ID)
	free := func() { end(); release() }
	task, err = col.Update(ctx, task.ID, func(task *Task) error {
		if task.State != Queued {
			return errTaken
		}
		task.Start, task.Starts = t.now().UnixMilli(), task.Starts+1
		task.Holder, task.Epoch = holder, task.Epoch+1
		if !known {
			task.End, task.Rerun = task.Start, false
			task.fail(ErrNotRepeatable)
			return nil
		}
		task.State = Running
		return nil
	})
	if docs.IsNotFound(err) || errors.Is(err, errTaken) || err == nil && !known {
		end()
		t.poke() // there may be others
		return false, nil
	}
	if err != nil {
		end()
		return false, err
	}
	e := t.execution(task)
	e.promoted = true
	if err = t.start(run, e, r.Run, free); err != nil {
		end()
	}
	return err == nil, err
}

// Housekeep deletes tasks that ended long ago, queues those that refresh themselves, and takes over those whose server is gone.
func (t *Tasks) Housekeep(ctx context.Context) error {
	now := t.now()
	errs := []error{t.reclaim(ctx)}
	for task, err := range taskSpec().Global(t.db).List(ctx, docs.Query{Where: []docs.Cond{docs.Le("ts", now.UnixMilli())}}) {
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("list tasks: %w", err))...)
		}
		switch {
		case task.State.Live():
		case now.Sub(time.UnixMilli(task.End)) > t.opt.Keep && !task.Refresh:
			errs = append(errs, t.Delete(ctx, task.ID))
		case task.Refresh && now.Sub(time.UnixMilli(task.End)) > t.opt.Refresh:
			if err := t.Rerun(ctx, task.ID); err != nil && !docs.IsNotFound(err) && !errors.Is(err, ErrNotRepeatable) {
				errs = append(errs, err)
			}
		}
	}
	t.poke() // in case a queued task could not be started when it came
	return errors.Join(errs...)
}

// ForgetApp removes the tasks of an app and cancels what reads it.
func (t *Tasks) ForgetApp(ctx context.Context, app model.AppID) error {
	return t.forget(ctx, app, func(Task) bool { return true })
}

// ForgetUsers removes the results that may hold data of app users, with their
// tasks, and cancels what collects such data.
func (t *Tasks) ForgetUsers(ctx context.Context, app model.AppID) error {
	return t.forget(ctx, app, func(task Task) bool { return task.Personal })
}

func (t *Tasks) forget(ctx context.Context, app model.AppID, which func(Task) bool) error {
	t.mu.Lock()
	for _, e := range t.live {
		if e.run.task.App == app && which(e.run.task) {
			e.cancel(errForgotten)
		}
	}
	t.mu.Unlock()
	var errs []error
	for task, err := range taskSpec().Global(t.db).List(ctx, docs.Query{Where: []docs.Cond{docs.Eq("app", app.String())}}) {
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("list tasks of app: %w", err))...)
		}
		if which(task) {
			errs = append(errs, t.Delete(ctx, task.ID))
		}
	}
	return errors.Join(errs...)
}

// ForgetMember removes the tasks of a member that nobody else sees.
func (t *Tasks) ForgetMember(ctx context.Context, member model.MemberID) error {
	var errs []error
	for task, err := range taskSpec().Global(t.db).List(ctx, docs.Query{Where: []docs.Cond{docs.Eq("creator", member.String())}}) {
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("list tasks of member: %w", err))...)
		}
		if !task.Global {
			errs = append(errs, t.Delete(ctx, task.ID))
		}
	}
	return errors.Join(errs...)
}
