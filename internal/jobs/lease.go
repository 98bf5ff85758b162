package jobs

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/store/docs"
)

// Leases says who may run tasks, where several servers share the documents of tasks. The lease of a task stands in its document:
// the server that holds it, and an epoch that grows with each run. A server takes a task by compare-and-swap, and the end of a run is
// stored only under the epoch in which it began, so that a run that was given up cannot outlive its lease.
type Leases interface {
	// Hold returns the name under which this server holds the task it is about to run, which no other server has or had. run is
	// done when the server may hold it no longer, before Gone says so to another; end is called when the run has ended.
	Hold(ctx context.Context, task string) (holder string, run context.Context, end func())
	// Gone reports whether the server of that name runs nothing any more, so that its tasks are free. It is not asked about
	// what runs in this process.
	Gone(ctx context.Context, holder string) (bool, error)
}

// Hold implements Leases.
func (Alone) Hold(ctx context.Context, _ string) (string, context.Context, func()) {
	return "", ctx, func() {}
}

// Gone implements Leases: what does not run in this process does not run.
func (Alone) Gone(context.Context, string) (bool, error) { return true, nil }

// errTaken says that a task is another server's.
var errTaken = errors.New("another server runs the task")

// reclaim brings tasks whose server is gone into order: they are queued again, or errored when they cannot be repeated or
// have been started too often.
func (t *Tasks) reclaim(ctx context.Context) error {
	t.claims.Lock()
	defer t.claims.Unlock()
	col := taskSpec().Global(t.db)
	running, err := col.All(ctx, docs.Query{Where: []docs.Cond{docs.Eq("state", string(Running))}})
	if err != nil {
		return fmt.Errorf("find interrupted tasks: %w", err)
	}
	for _, task := range running {
		if t.runs(task.ID) {
			continue
		}
		gone, err := t.leases.Gone(ctx, task.Holder)
		if err != nil {
			return fmt.Errorf("find the holder of task %s: %w", task.ID, err)
		}
		if !gone {
			continue
		}
		epoch := task.Epoch
		_, err = col.Update(ctx, task.ID, func(task *Task) error {
			if task.State != Running || task.Epoch != epoch {
				return errTaken
			}
			t.interrupted(task)
			return nil
		})
		if err != nil && !docs.IsNotFound(err) && !errors.Is(err, errTaken) {
			return fmt.Errorf("recover task %s: %w", task.ID, err)
		}
	}
	return nil
}

// interrupted says in a task that the server that ran it is gone.
func (t *Tasks) interrupted(task *Task) {
	if r, known := t.runner(task.Kind); known && r.Repeatable && task.Starts < maxStarts {
		task.State, task.Start = Queued, 0
		return
	}
	task.End, task.Rerun = t.now().UnixMilli(), false
	task.fail(errLost)
}

// runs reports whether a task runs in this process.
func (t *Tasks) runs(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live[id] != nil
}
