package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
)

// TaskOptions are the limits of long-running tasks.
type TaskOptions struct {
	// Threshold is how long a caller of Tasks.Run waits before the work becomes a task; Waiting,
	// if it is given, tells the present one.
	Threshold time.Duration
	Waiting   func() time.Duration
	// Workers is how many queued tasks run at a time, Inline how many of those that callers wait for, or have waited for.
	Workers, Inline int
	// Keep is how long a task is kept after it ended.
	Keep time.Duration
	// MaxRun bounds one run.
	MaxRun time.Duration
	// Ended is notified of the end of each task, unless it is nil.
	Ended func(failed bool)
	// Watch is notified when the work of a task of a kind begins, which gets the context that it returns, and ended when it has ended; nil = nobody is.
	Watch func(ctx context.Context, kind string) (watched context.Context, ended func(error))
	// Refresh is how old the result of a task that refreshes itself may become.
	Refresh time.Duration
}

// DefaultTaskOptions returns the documented defaults.
func DefaultTaskOptions() TaskOptions {
	return TaskOptions{
		Threshold: 30 * time.Second, Workers: 2, Inline: 16, Keep: 60 * 24 * time.Hour, MaxRun: 6 * time.Hour, Refresh: time.Hour,
	}
}

// threshold is how long a caller waits now.
func (o TaskOptions) threshold() time.Duration {
	if o.Waiting != nil {
		return o.Waiting()
	}
	return o.Threshold
}

// Validate reports everything that is wrong.
func (o TaskOptions) Validate() error {
	var errs []error
	for name, n := range map[string]int64{
		"threshold": int64(o.Threshold), "workers": int64(o.Workers), "inline": int64(o.Inline), "keep": int64(o.Keep),
		"max_run": int64(o.MaxRun), "refresh": int64(o.Refresh),
	} {
		if n <= 0 {
			errs = append(errs, fmt.Errorf("%s must be positive", name))
		}
	}
	return errors.Join(errs...)
}

// maxStarts is how often a task is started before it is given up: one whose
// run ends the process must not do so forever.
const maxStarts = 3

// CodeCancelled is the code of the fault of work whose data was deleted while it read.
const CodeCancelled = "tasks.cancelled"

// Faults of tasks.
var (
	errStopping  = fault.New(fault.Unavailable, "tasks.stopping", "The server is stopping")
	errBusy      = fault.New(fault.Unavailable, "tasks.busy", "Too many requests of this kind are running")
	errForgotten = fault.New(fault.Conflict, CodeCancelled, "The data that was read has been deleted meanwhile")
	errTooLong   = fault.New(fault.Invalid, "tasks.too_long", "The task took too long")
	errLost      = fault.New(fault.Unavailable, "tasks.interrupted", "The server stopped while the task ran")
)

// Tasks runs what takes longer than a request: a queue with a bounded number of workers,
// results that are kept for a while, and tasks that survive a crash. It is safe for concurrent use.
type Tasks struct {
	db     docs.DB
	folder *files.Folder
	log    *slog.Logger
	now    func() time.Time
	opt    TaskOptions
	leases Leases
	claims sync.Mutex // held while a queued task is taken or a lost one taken back; before mu

	inline chan struct{} // an element for each run that holds an inline place
	wake   chan struct{} // says that a task was queued
	seen   atomic.Int64  // generation of tasks at the last Refresh

	mu      sync.Mutex // held for moments, and while a task's first document is written
	runners map[string]Runner
	live    map[string]*execution // by task id: all that run in this process
	stopped bool
	ending  <-chan struct{} // closed when the server stops, before anything that runs notices; nil before Serve
	under   sync.WaitGroup  // the runs in live
}

// execution is a run under way.
type execution struct {
	run      *Run
	cancel   context.CancelCauseFunc
	finished chan struct{} // closed when res and err are set
	res      Result
	err      error
	lost     func() bool // reports whether the lease is
	promoted bool        // it has a document; guarded by Tasks.mu
}

// NewTasks returns a queue that does not run yet. Its files are in folder.
func NewTasks(db docs.DB, folder *files.Folder, log *slog.Logger, now func() time.Time, opt TaskOptions, leases Leases) (*Tasks, error) {
	if err := opt.Validate(); err != nil {
		return nil, fmt.Errorf("options of tasks: %w", err)
	}
	return &Tasks{
		db: db, folder: folder, log: log, now: now, opt: opt, leases: leases, inline: make(chan struct{}, opt.Inline), wake: make(chan struct{}, 1),
		runners: map[string]Runner{}, live: map[string]*execution{},
	}, nil
}

// Register declares who runs the tasks of a kind. It is called while the server is
// wired; a second runner of a kind is a bug and panics.
func (t *Tasks) Register(r Runner) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, twice := t.runners[r.Kind]; twice || r.Kind == "" || r.Run == nil {
		panic(fmt.Sprintf("jobs: runner %q is declared twice or lacks a part", r.Kind))
	}
	t.runners[r.Kind] = r
}

func (t *Tasks) runner(kind string) (Runner, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.runners[kind]
	return r, ok
}

// Outcome is what became of a request: its result, or the task that goes on
// working. A result with a file must be discarded after use.
type Outcome struct {
	// TaskID names the task that has taken over; "" when Result is there.
	TaskID string
	// Existing says that the task had been started by an earlier, equal request.
	Existing bool
	Result   Result
	folder   *files.Folder
}

// Pending returns the answer of the wire while there is no result, and false
// when there is one.
func (o Outcome) Pending() (any, bool) {
	if o.TaskID == "" {
		return nil, false
	}
	id := map[string]string{"task_id": o.TaskID}
	if o.Existing {
		return id, true
	}
	return map[string]any{"result": id}, true
}

// Open opens the result's file; files.ErrNotFound when there is none. The caller closes it.
func (o Outcome) Open(ctx context.Context) (*os.File, error) { return open(ctx, o.folder, o.Result) }

// Discard deletes the file of a result that belongs to no task.
func (o Outcome) Discard(ctx context.Context) error {
	if o.TaskID != "" || o.Result.File == nil {
		return nil
	}
	return o.folder.Remove(ctx, o.Result.File.Stored)
}

func open(ctx context.Context, folder *files.Folder, r Result) (*os.File, error) {
	if r.File == nil {
		return nil, files.ErrNotFound
	}
	return folder.Open(ctx, r.File.Stored)
}

// Run does the work of spec, by fn or, when that is nil, by the runner of its kind, and waits for the
// result. When that takes longer than the threshold, the work goes on as a task, and its id is
// returned; so is that of a task which already does the same for the same creator. Work
// that is not done when ctx ends, before it became a task, is cancelled. Inside the work of another call, it is
// simply done.
//
// Faults: tasks.stopping, tasks.busy, tasks.cancelled, and those of the work.
func (t *Tasks) Run(ctx context.Context, spec Spec, fn TaskFunc) (Outcome, error) {
	task, fn, err := t.prepare(spec, fn)
	if err != nil {
		return Outcome{}, err
	}
	if ctx.Value(insideKey{}) != nil {
		res, err := t.do(ctx, &Run{task: task, folder: t.folder}, fn)
		return Outcome{Result: res, folder: t.folder}, err
	}
	if id := t.same(task.Request, ""); id != "" {
		return Outcome{TaskID: id, Existing: true}, nil
	}
	id, err := t.queued(ctx, task.Request)
	if err != nil || id != "" {
		return Outcome{TaskID: id, Existing: true}, err
	}
	timer := time.NewTimer(t.opt.threshold())
	defer timer.Stop()
	select {
	case t.inline <- struct{}{}:
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	case <-timer.C:
		if r, ok := t.runner(spec.Kind); !ok || r.Run == nil {
			return Outcome{}, errBusy
		}
		id, existing, err := t.enqueue(ctx, task)
		return Outcome{TaskID: id, Existing: existing}, err
	}
	holder, run, end := t.leases.Hold(context.WithoutCancel(ctx), task.ID)
	release := func() { end(); <-t.inline }
	task.State, task.Start, task.Starts, task.Holder, task.Epoch = Running, t.now().UnixMilli(), 1, holder, 1
	e := t.execution(task)
	if err := t.start(run, e, fn, release); err != nil {
		release()
		return Outcome{}, err
	}
	select {
	case <-e.finished:
	case <-ctx.Done():
		e.cancel(ctx.Err())
		<-e.finished
		t.dropResult(ctx, e)
		return Outcome{}, ctx.Err()
	case <-timer.C:
		if out, done, err := t.promote(ctx, e); done {
			return out, err
		}
	}
	return Outcome{Result: e.res, folder: t.folder}, e.err
}

func (t *Tasks) dropResult(ctx context.Context, e *execution) {
	if e.res.File == nil {
		return
	}
	if err := t.folder.Remove(context.WithoutCancel(ctx), e.res.File.Stored); err != nil {
		t.log.WarnContext(ctx, "result not deleted", slog.String("task", e.run.task.ID), slog.Any("error", err))
	}
}

// prepare makes the task of a spec and finds who runs it.
func (t *Tasks) prepare(spec Spec, fn TaskFunc) (Task, TaskFunc, error) {
	if fn == nil {
		r, ok := t.runner(spec.Kind)
		if !ok {
			return Task{}, nil, fmt.Errorf("task of unknown kind %q", spec.Kind)
		}
		fn = r.Run
	}
	task, err := spec.task(newTaskID(), t.now().UnixMilli())
	return task, fn, err
}

// newTaskID returns a random id of the form that clients know: 40 hex digits.
func newTaskID() string { return model.NewID().String() + model.NewID().String()[:16] }

// same finds a promoted run of an equal request.
func (t *Tasks) same(request, except string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sameLocked(request, except)
}

func (t *Tasks) sameLocked(request, except string) string {
	for id, e := range t.live {
		if e.promoted && id != except && e.run.task.Request == request {
			return id
		}
	}
	return ""
}

// queued finds a task of an equal request that waits.
func (t *Tasks) queued(ctx context.Context, request string) (string, error) {
	found, err := taskSpec().Global(t.db).First(ctx, docs.Query{Where: []docs.Cond{docs.Eq("state", string(Queued)), docs.Eq(".request", request)}})
	if docs.IsNotFound(err) {
		return "", nil
	}
	return found.ID, err
}

// Submit queues the work of spec, whose kind must have a runner, and returns
// the task's id at once. existing says that it is the task of an earlier, equal request that has not ended.
func (t *Tasks) Submit(ctx context.Context, spec Spec) (id string, existing bool, err error) {
	task, _, err := t.prepare(spec, nil)
	if err != nil {
		return "", false, err
	}
	return t.enqueue(ctx, task)
}

func (t *Tasks) enqueue(ctx context.Context, task Task) (id string, existing bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped {
		return "", false, errStopping
	}
	if id := t.sameLocked(task.Request, ""); id != "" {
		return id, true, nil
	}
	if id, err := t.queued(ctx, task.Request); err != nil || id != "" {
		return id, true, err
	}
	if err := taskSpec().Global(t.db).Create(ctx, task); err != nil {
		return "", false, fmt.Errorf("queue task: %w", err)
	}
	t.poke()
	return task.ID, false, nil
}

// Collection is the name of the collection of tasks.
func (*Tasks) Collection() string { return taskSpec().Name }

// Refresh looks for tasks that other servers have queued.
func (t *Tasks) Refresh(ctx context.Context) error {
	generation, err := taskSpec().Global(t.db).Generation(ctx)
	if err == nil && t.seen.Swap(generation) != generation {
		t.poke()
	}
	return err
}

// poke tells the dispatcher that a task waits.
func (t *Tasks) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *Tasks) execution(task Task) *execution {
	return &execution{run: &Run{task: task, folder: t.folder}, finished: make(chan struct{})}
}

// start begins a run in a goroutine of its own, with the context of its lease; release is called when it has ended.
func (t *Tasks) start(ctx context.Context, e *execution, fn TaskFunc, release func()) error {
	held := ctx
	e.lost = func() bool { return held.Err() != nil }
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, insideKey{}, true))
	e.cancel = cancel
	t.mu.Lock()
	if t.stopped {
		t.mu.Unlock()
		cancel(nil)
		return errStopping
	}
	t.live[e.run.task.ID] = e
	t.under.Add(1)
	t.mu.Unlock()
	go func() {
		defer t.under.Done()
		e.res, e.err = t.do(ctx, e.run, fn)
		cancel(nil)
		release()
		t.end(context.WithoutCancel(ctx), e)
	}()
	return nil
}

// insideKey marks the context of a run.
type insideKey struct{}

// do runs fn within its limits and settles the result.
func (t *Tasks) do(ctx context.Context, r *Run, fn TaskFunc) (_ Result, err error) {
	if t.opt.Watch != nil {
		watched, ended := t.opt.Watch(ctx, r.task.Kind)
		defer func() { ended(err) }()
		ctx = watched
	}
	limited, cancel := context.WithTimeout(ctx, t.opt.MaxRun)
	defer cancel()
	err = call(limited, func(ctx context.Context) error { return fn(ctx, r) })
	if cause := context.Cause(limited); err == nil && cause != nil {
		err = cause // cancelled, and the work did not notice
	} else if fe, ok := errors.AsType[*fault.Error](cause); ok && err != nil {
		err = fe
	}
	return r.finish(ctx, err)
}

// end makes the result of a run known, and stores it when the run is a task.
func (t *Tasks) end(ctx context.Context, e *execution) {
	t.mu.Lock()
	promoted := e.promoted
	if !promoted { // from here on it cannot become one
		delete(t.live, e.run.task.ID)
	}
	t.mu.Unlock()
	if !promoted {
		close(e.finished)
		return
	}
	t.settle(ctx, e)
	t.mu.Lock()
	delete(t.live, e.run.task.ID)
	t.mu.Unlock()
	close(e.finished)
}

// promote turns a run into a task. It reports false when the run has ended meanwhile, or
// is about to.
func (t *Tasks) promote(ctx context.Context, e *execution) (Outcome, bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live[e.run.task.ID] != e {
		<-e.finished // closed a moment after the run left the list
		return Outcome{}, false, nil
	}
	if id := t.sameLocked(e.run.task.Request, e.run.task.ID); id != "" {
		e.cancel(context.Canceled)
		return Outcome{TaskID: id, Existing: true}, true, nil
	}
	if err := taskSpec().Global(t.db).Create(context.WithoutCancel(ctx), e.run.task); err != nil {
		e.cancel(context.Canceled)
		return Outcome{}, true, fmt.Errorf("store task: %w", err)
	}
	e.promoted = true
	return Outcome{TaskID: e.run.task.ID}, true, nil
}

// settle stores how a task's run ended. A task that was deleted meanwhile stays so, and one that
// the server's stop interrupted is left as it is: the next start finds it. One whose lease was lost is another server's.
func (t *Tasks) settle(ctx context.Context, e *execution) {
	id := e.run.task.ID
	res, err := e.res, e.err
	if err == nil {
		res, err = e.run.spill(ctx, res)
	}
	t.mu.Lock()
	stopped := t.stopped
	select {
	case <-t.ending:
		stopped = true
	default:
	}
	t.mu.Unlock()
	if err != nil && (stopped || e.lost()) {
		return
	}
	var old *File
	_, uerr := taskSpec().Global(t.db).Update(ctx, id, func(task *Task) error {
		if task.State != Running || task.Epoch != e.run.task.Epoch {
			return errTaken
		}
		task.End, task.Rerun, task.Error, task.Code = t.now().UnixMilli(), false, "", ""
		if err != nil {
			task.fail(shown(err))
			return nil //nolint:nilerr // the error is the task's, and is stored there
		}
		old = task.Result.File
		task.State, task.Result = Completed, res
		return nil
	})
	if uerr == nil && t.opt.Ended != nil {
		t.opt.Ended(err != nil)
	}
	switch {
	case docs.IsNotFound(uerr), errors.Is(uerr, errTaken):
		t.dropResult(ctx, &execution{run: e.run, res: res})
	case uerr != nil:
		t.log.ErrorContext(ctx, "end of task not stored", slog.String("task", id), slog.Any("error", uerr))
	case err != nil:
		t.log.WarnContext(ctx, "task failed", slog.String("task", id), slog.String("kind", e.run.task.Kind), slog.Any("error", err))
	case old != nil && (res.File == nil || old.Stored != res.File.Stored):
		t.dropResult(ctx, &execution{run: e.run, res: Result{File: old}})
	}
}

// shown is what may be shown of an error.
func shown(err error) *fault.Error {
	fe, ok := errors.AsType[*fault.Error](err)
	switch {
	case ok && fe.Kind != fault.Internal:
		return fe
	case errors.Is(err, context.DeadlineExceeded):
		return errTooLong
	case ok:
		return fault.New(fault.Internal, fe.Code, textInternal)
	}
	return fault.New(fault.Internal, fault.CodeInternal, textInternal)
}

// textInternal is shown of internal errors.
const textInternal = "Internal error"

// Query selects tasks, in the order and page of q; Where and Sort may name the
// indexes state, ts, app and creator, and paths of Task.
func (t *Tasks) Query(q docs.Query) *TaskList { return &TaskList{t: t, q: q} }

// TaskList is a selection of tasks.
type TaskList struct {
	t *Tasks
	q docs.Query
}

// Each calls fn for the tasks. Tasks that run have their present progress.
func (l *TaskList) Each(ctx context.Context, fn func(Task) error) error {
	for task, err := range taskSpec().Global(l.t.db).List(ctx, l.q) {
		if err == nil {
			err = fn(task)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Page reads the page that the query asks for, and counts the whole.
func (l *TaskList) Page(ctx context.Context) (docs.Page[Task], error) {
	return taskSpec().Global(l.t.db).Page(ctx, l.q)
}

// CountByApp counts all pages by the id of their app, "" for none.
func (l *TaskList) CountByApp(ctx context.Context) ([]docs.Tally, error) {
	return taskSpec().Global(l.t.db).Tally(ctx, "app", l.q)
}

// Count counts all pages.
func (l *TaskList) Count(ctx context.Context) (int, error) {
	return taskSpec().Global(l.t.db).Count(ctx, l.q)
}

// Get returns a task, or docs.not_found.
func (t *Tasks) Get(ctx context.Context, id string) (Task, error) {
	return taskSpec().Global(t.db).Get(ctx, id)
}

// Progress returns how far a run is; ok is false when the task does not run.
func (t *Tasks) Progress(id string) (done, total int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.live[id]
	if !ok {
		return 0, 0, false
	}
	return e.run.done.Load(), e.run.total.Load(), true
}

// Open opens a task's result file; files.ErrNotFound when it has none. The caller closes it.
func (t *Tasks) Open(ctx context.Context, task Task) (*os.File, error) {
	return open(ctx, t.folder, task.Result)
}

// Update changes what people may say of a task. fn must leave the rest as it is.
func (t *Tasks) Update(ctx context.Context, id string, fn func(*Task) error) (Task, error) {
	return taskSpec().Global(t.db).Update(ctx, id, fn)
}

// ErrNotRepeatable says that a task cannot be run again.
var ErrNotRepeatable = fault.New(fault.Conflict, "tasks.not_repeatable", "This task cannot be run again")

// Rerun queues a task once more; its result stands until there is a new one. A task that has not
// ended stays as it is.
func (t *Tasks) Rerun(ctx context.Context, id string) error {
	task, err := t.Get(ctx, id)
	if err != nil {
		return err
	}
	if r, ok := t.runner(task.Kind); !ok || !r.Repeatable {
		return ErrNotRepeatable
	}
	_, err = t.Update(ctx, id, func(task *Task) error {
		if !task.State.Live() {
			task.State, task.Rerun, task.Error, task.Code, task.Starts = Queued, true, "", "", 0
		}
		return nil
	})
	if err == nil {
		t.poke()
	}
	return err
}

// Delete removes a task and its result, and cancels its run. A missing one is no error.
func (t *Tasks) Delete(ctx context.Context, id string) error {
	task, err := t.Get(ctx, id)
	if docs.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := taskSpec().Global(t.db).Delete(ctx, id); err != nil && !docs.IsNotFound(err) {
		return fmt.Errorf("delete task: %w", err)
	}
	t.mu.Lock()
	if e := t.live[id]; e != nil {
		e.cancel(context.Canceled)
	}
	t.mu.Unlock()
	if task.Result.File == nil {
		return nil
	}
	return t.folder.Remove(ctx, task.Result.File.Stored)
}
