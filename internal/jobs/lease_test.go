package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/jobs"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/docstest/engines"
	"quipu/internal/store/files"
	"quipu/internal/store/files/disk"
	"quipu/internal/store/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// servers are leases of several servers, of which each is there until it is lost.
type servers struct {
	mu   sync.Mutex
	gone map[string]bool
}

func (s *servers) lose(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone[name] = true
}

// lease is a server's part in servers.
type lease struct {
	all  *servers
	name string
	run  context.Context // it is the server's life
}

func (l lease) Hold(context.Context, string) (string, context.Context, func()) {
	return l.name, l.run, func() {}
}

func (l lease) Gone(_ context.Context, holder string) (bool, error) {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return l.all.gone[holder], nil
}

// node is a queue of tasks on documents that it shares.
type node struct {
	*jobs.Tasks
	name string
	lost context.CancelFunc // takes its leases away
	stop func()
}

func (s *servers) start(t *testing.T, name string, db docs.DB, runner jobs.Runner) *node {
	t.Helper()
	store, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run, lost := context.WithCancel(context.Background())
	opt := jobs.DefaultTaskOptions()
	opt.Workers = 3
	n := &node{name: name, lost: lost}
	if n.Tasks, err = jobs.NewTasks(db, store.Folder("tasks"), slog.New(slog.DiscardHandler), time.Now, opt, lease{s, name, run}); err != nil {
		t.Fatal(err)
	}
	n.Register(runner)
	if err := n.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { n.Serve(ctx); close(done) }()
	n.stop = sync.OnceFunc(func() { cancel(); lost(); <-done })
	t.Cleanup(n.stop)
	return n
}

// eventually waits until cond holds.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

// TestOneRunEach lets two servers take tasks from the same documents: each task runs once.
func TestOneRunEach(t *testing.T) {
	for name, documents := range engines.All() {
		t.Run(name, func(t *testing.T) {
			connect, all := documents(t), &servers{gone: map[string]bool{}}
			var mu sync.Mutex
			runs := map[string]int{}
			by := map[string]int{}
			runner := func(server string) jobs.Runner {
				return jobs.Runner{Kind: "k", Repeatable: true, Run: func(_ context.Context, r *jobs.Run) error {
					mu.Lock()
					defer mu.Unlock()
					runs[r.Task().ID]++
					by[server]++
					return nil
				}}
			}
			one, two := all.start(t, "one", connect(), runner("one")), all.start(t, "two", connect(), runner("two"))
			const tasks = 60
			var wg sync.WaitGroup
			for i := range tasks {
				wg.Go(func() {
					s := spec()
					s.Params = i
					n := []*node{one, two}[i%2]
					if _, _, err := n.Submit(t.Context(), s); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			eventually(t, "all tasks are done", func() bool {
				if err := errors.Join(one.Housekeep(t.Context()), two.Housekeep(t.Context())); err != nil { // takes nothing from a server that is there
					t.Fatal(err)
				}
				n, err := one.Query(docs.Query{Where: []docs.Cond{docs.Eq("state", string(jobs.Completed))}}).Count(t.Context())
				return err == nil && n == tasks
			})
			mu.Lock()
			defer mu.Unlock()
			for id, n := range runs {
				if n != 1 {
					t.Errorf("task %s ran %d times", id, n)
				}
			}
			if len(runs) != tasks || by["one"] == 0 || by["two"] == 0 {
				t.Errorf("%d tasks ran, by server %v", len(runs), by)
			}
		})
	}
}

// TestHolderGone loses the server in the middle of a run: another finds the task and runs it, and what the lost one still
// brings comes too late.
func TestHolderGone(t *testing.T) {
	for name, documents := range engines.All() {
		t.Run(name, func(t *testing.T) {
			connect, all := documents(t), &servers{gone: map[string]bool{}}
			var began atomic.Bool
			release := make(chan struct{})
			write := func(r *jobs.Run, text string) error {
				f, err := r.File("report.txt", "text/plain")
				if err == nil {
					_, err = io.WriteString(f, text)
				}
				return err
			}
			late := jobs.Runner{Kind: "k", Repeatable: true, Run: func(_ context.Context, r *jobs.Run) error {
				began.Store(true)
				<-release // deaf to the end of its lease
				return write(r, "late")
			}}
			one := all.start(t, "one", connect(), late)
			id, _, err := one.Submit(t.Context(), spec())
			if err != nil {
				t.Fatal(err)
			}
			eventually(t, "the first server runs the task", began.Load)
			two := all.start(t, "two", connect(), jobs.Runner{Kind: "k", Repeatable: true, Run: func(_ context.Context, r *jobs.Run) error {
				return write(r, "good")
			}})
			task := func() jobs.Task {
				t.Helper()
				task, err := two.Get(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				return task
			}
			if err := two.Housekeep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := task(); got.State != jobs.Running || got.Holder != "one" {
				t.Fatalf("while its server is there: %+v", got)
			}
			all.lose("one")
			if err := two.Housekeep(t.Context()); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the second server has run the task", func() bool { return task().State == jobs.Completed })
			close(release)
			one.stop()
			got := task()
			if got.State != jobs.Completed || got.Holder != "two" || got.Epoch != 2 || got.Error != "" {
				t.Errorf("in the end: %+v", got)
			}
			f, err := two.Open(t.Context(), got)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(f)
			if err := errors.Join(err, f.Close()); err != nil || string(text) != "good" {
				t.Errorf("result %q, %v", text, err)
			}
			if _, err := one.Open(t.Context(), jobs.Task{Result: jobs.Result{File: &jobs.File{Stored: fmt.Sprint(id, ".1")}}}); !errors.Is(err, files.ErrNotFound) {
				t.Errorf("the late result is kept: %v", err)
			}
		})
	}
}

// TestLeaseLost takes the lease from a run that listens: it ends before another server begins.
func TestLeaseLost(t *testing.T) {
	for name, documents := range engines.All() {
		t.Run(name, func(t *testing.T) {
			all := &servers{gone: map[string]bool{}}
			began, ended := make(chan struct{}), make(chan struct{})
			n := all.start(t, "one", documents(t)(), jobs.Runner{Kind: "k", Repeatable: true, Run: func(ctx context.Context, _ *jobs.Run) error {
				close(began)
				<-ctx.Done()
				close(ended)
				return ctx.Err()
			}})
			id, _, err := n.Submit(t.Context(), spec())
			if err != nil {
				t.Fatal(err)
			}
			<-began
			n.lost()
			<-ended
			eventually(t, "the run is settled", func() bool { _, _, runs := n.Progress(id); return !runs })
			if task, err := n.Get(t.Context(), id); err != nil || task.State != jobs.Running {
				t.Errorf("a task whose lease was lost waits for another server: %+v, %v", task, err)
			}
		})
	}
}
