// Package jobs runs what must happen on a schedule, and what takes longer than
// a request. A job runs in one goroutine at a time; a panic is contained and
// logged, and the job runs again at its next turn. Tasks are the queue of long-running work.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Func does one run of a job. It returns soon after ctx is done.
type Func func(ctx context.Context) error

// Status is what is known of a job.
type Status struct {
	Name     string        // "owner:job"
	Every    time.Duration // interval between the end of a run and the next start
	On       Servers       // which servers run it
	Last     time.Time     // end of the last run; zero = never ran
	Next     time.Time     // start of the next run; zero = the scheduler does not run
	Running  bool
	LastErr  string // "" when the last run succeeded
	Runs     int64
	Failures int64
}

// Servers says which of several servers that share what jobs work on run a job, as a person reads it.
type Servers string

// Servers that run a job.
const (
	OneWorker  Servers = "one worker" // one of those that run jobs, in turn
	EachWorker Servers = "each worker"
	EveryNode  Servers = "every node" // also those that run no other jobs
)

// Turns decides whose turn a run of a job is, where several servers share what jobs work on.
type Turns interface {
	// Take asks for the turn of a job by its name; false means that it is another server's, and the run is left out. The job gets
	// run, which is done when the turn is lost, and end gives the turn back.
	Take(ctx context.Context, job string) (run context.Context, end func(), ok bool)
}

// Alone is Turns and Leases for the only server: every turn and every task is its own.
type Alone struct{}

// Take implements Turns.
func (Alone) Take(ctx context.Context, _ string) (context.Context, func(), bool) {
	return ctx, func() {}, true
}

// Scheduler holds the jobs of a server. Jobs are declared while the server is
// wired; Run starts them.
type Scheduler struct {
	log   *slog.Logger
	now   func() time.Time
	turns Turns

	mu      sync.Mutex
	jobs    []*job
	enabled func(owner string) bool // nil = all are
	watch   func(ctx context.Context, job string) (watched context.Context, ended func(error))
}

type job struct {
	owner  string
	status Status
	fn     Func
}

// New returns a scheduler without jobs.
func New(log *slog.Logger, now func() time.Time, turns Turns) *Scheduler {
	return &Scheduler{log: log, now: now, turns: turns}
}

// Switch lets owners be switched off: while enabled is false for the owner of a job, its turns are left out.
// It is called while the server is wired.
func (s *Scheduler) Switch(enabled func(owner string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.enabled = enabled
}

// Watch notifies watch when a run of a job begins, which gets the context that it returns, and ended when it has ended. It is called
// while the server is wired.
func (s *Scheduler) Watch(watch func(ctx context.Context, job string) (watched context.Context, ended func(error))) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch = watch
}

// For returns a view that declares jobs in the name of a module.
func (s *Scheduler) For(owner string) *Registrar { return &Registrar{scheduler: s, owner: owner} }

// Registrar declares the jobs of one module.
type Registrar struct {
	scheduler *Scheduler
	owner     string
}

// Every declares a job that runs each interval, the first time one interval
// after the start. A second job of the same name is a bug and panics.
func (r *Registrar) Every(name string, interval time.Duration, fn Func) {
	r.declare(job{owner: r.owner, status: Status{Name: name, Every: interval, On: OneWorker}, fn: fn})
}

// OnEachWorker declares a job that runs as those of Every do, but on each server, where several share the work: one about what a server itself works on.
func (r *Registrar) OnEachWorker(name string, interval time.Duration, fn Func) {
	r.declare(job{owner: r.owner, status: Status{Name: name, Every: interval, On: EachWorker}, fn: fn})
}

// OnEveryNode is OnEachWorker for servers that run no other jobs, too: for a job about what a server holds in its memory, or about its machine.
func (r *Registrar) OnEveryNode(name string, interval time.Duration, fn Func) {
	r.declare(job{owner: r.owner, status: Status{Name: name, Every: interval, On: EveryNode}, fn: fn})
}

func (r *Registrar) declare(j job) {
	s := r.scheduler
	j.status.Name = r.owner + ":" + j.status.Name
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.status.Every <= 0 || slices.ContainsFunc(s.jobs, func(other *job) bool { return other.status.Name == j.status.Name }) {
		panic(fmt.Sprintf("jobs: %s is declared twice or has no interval", j.status.Name))
	}
	s.jobs = append(s.jobs, &j)
}

// List returns the state of every job of the server, ordered by name.
func (r *Registrar) List() []Status { return r.scheduler.List() }

// Run runs all jobs until ctx is done and every run under way has returned.
func (s *Scheduler) Run(ctx context.Context) { s.run(ctx, func(*job) bool { return true }) }

// RunOnEveryNode is Run for a server that runs no other jobs than those of OnEveryNode.
func (s *Scheduler) RunOnEveryNode(ctx context.Context) {
	s.run(ctx, func(j *job) bool { return j.status.On == EveryNode })
}

func (s *Scheduler) run(ctx context.Context, which func(*job) bool) {
	s.mu.Lock()
	list := slices.DeleteFunc(slices.Clone(s.jobs), func(j *job) bool { return !which(j) })
	s.mu.Unlock()
	var wg sync.WaitGroup
	for _, j := range list {
		wg.Go(func() { s.loop(ctx, j) })
	}
	wg.Wait()
}

func (s *Scheduler) loop(ctx context.Context, j *job) {
	t := time.NewTimer(j.status.Every)
	defer t.Stop()
	for {
		s.note(j, func(st *Status) { st.Next = s.now().Add(st.Every) })
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		s.once(ctx, j)
		t.Reset(j.status.Every)
	}
}

func (s *Scheduler) note(j *job, fn func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn(&j.status)
}

func (s *Scheduler) once(ctx context.Context, j *job) {
	s.mu.Lock()
	enabled, watch := s.enabled, s.watch
	s.mu.Unlock()
	if enabled != nil && !enabled(j.owner) {
		return
	}
	run := ctx
	if j.status.On == OneWorker {
		turn, end, ok := s.turns.Take(ctx, j.status.Name)
		if !ok {
			return
		}
		defer end()
		run = turn
	}
	s.note(j, func(st *Status) { st.Running = true })
	ended := func(error) {}
	if watch != nil {
		run, ended = watch(run, j.status.Name)
	}
	err := call(run, j.fn)
	ended(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	j.status.Runs++
	j.status.Running = false
	j.status.Last, j.status.LastErr = s.now(), ""
	if err != nil && ctx.Err() == nil {
		j.status.Failures++
		j.status.LastErr = err.Error()
		s.log.WarnContext(ctx, "job failed", slog.String("job", j.status.Name), slog.Any("error", err))
	}
}

func call(ctx context.Context, fn Func) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return fn(ctx)
}

// List returns the state of every job, ordered by name.
func (s *Scheduler) List() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Status, 0, len(s.jobs))
	for _, j := range s.jobs {
		out = append(out, j.status)
	}
	slices.SortFunc(out, func(a, b Status) int { return strings.Compare(a.Name, b.Name) })
	return out
}
