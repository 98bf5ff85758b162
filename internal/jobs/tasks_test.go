package jobs_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/fault"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/files/disk"
)

// world is what stays when a server goes: its document store and its files.
type world struct {
	t    *testing.T
	db   docs.DB
	dir  string
	opt  jobs.TaskOptions
	stop func()
	*jobs.Tasks
	ending <-chan struct{} // of the server that runs
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &world{t: t, db: db, dir: dir, opt: jobs.DefaultTaskOptions()}
}

// start makes a queue with runners on the world's stores and serves it.
func (w *world) start(runners ...jobs.Runner) {
	w.t.Helper()
	store, err := disk.Open(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	w.Tasks, err = jobs.NewTasks(w.db, store.Folder("tasks"), slog.New(slog.DiscardHandler), time.Now, w.opt, jobs.Alone{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range runners {
		w.Register(r)
	}
	if err := w.Recover(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { w.Serve(ctx); close(done) }()
	w.stop = func() { cancel(); <-done }
	w.ending = ctx.Done()
}

func (w *world) state(id string) jobs.Task {
	w.t.Helper()
	synctest.Wait()
	task, err := w.Get(w.t.Context(), id)
	if docs.IsNotFound(err) {
		return jobs.Task{}
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return task
}

// stored lists the files of results.
func (w *world) stored() []string {
	w.t.Helper()
	entries, err := os.ReadDir(filepath.Join(w.dir, "tasks"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

var (
	appA  = model.AppID{1}
	alice = model.MemberID{2}
)

func spec() jobs.Spec {
	return jobs.Spec{Kind: "k", Type: "export", App: appA, Creator: alice, Params: map[string]int{"n": 1}, ReportName: "r"}
}

// takes returns a runner that takes a while, and then leaves a file with its text.
func takes(d time.Duration, text string, repeatable bool) jobs.Runner {
	return jobs.Runner{Kind: "k", Repeatable: repeatable, Run: func(ctx context.Context, r *jobs.Run) error {
		f, err := r.File("report.txt", "text/plain")
		if err != nil {
			return err
		}
		r.Progress(1, 2)
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return ctx.Err()
		}
		_, err = io.WriteString(f, text)
		return err
	}}
}

func read(t *testing.T, w *world, task jobs.Task) string {
	t.Helper()
	f, err := w.Open(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestInline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start(takes(time.Second, "text", true))
		defer func() { w.stop() }()
		out, err := w.Run(t.Context(), spec(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, pending := out.Pending(); pending || out.Result.File == nil || out.Result.File.Size != 4 {
			t.Errorf("outcome %+v", out)
		}
		f, err := out.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close(), out.Discard(t.Context())); err != nil || string(b) != "text" {
			t.Errorf("result %q, %v", b, err)
		}
		out, err = w.Run(t.Context(), spec(), func(_ context.Context, r *jobs.Run) error { return r.SetData([]int{1}) })
		if err != nil || string(out.Result.Data) != "[1]" {
			t.Errorf("data %s, %v", out.Result.Data, err)
		}
		bad := fault.New(fault.Invalid, "x.bad", "Bad")
		if _, err := w.Run(t.Context(), spec(), func(context.Context, *jobs.Run) error { return bad }); !errors.Is(err, bad) {
			t.Errorf("error %v", err)
		}
		if _, err := w.Run(t.Context(), spec(), func(context.Context, *jobs.Run) error { panic("bug") }); err == nil || !strings.Contains(err.Error(), "panic: bug") {
			t.Errorf("panic gives %v", err)
		}
		n, err := w.Query(docs.Query{}).Count(t.Context())
		if err != nil || n != 0 || len(w.stored()) != 0 {
			t.Errorf("%d tasks, files %v, %v", n, w.stored(), err)
		}
	})
}

func TestBecomesTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start(takes(time.Minute, "text", true))
		defer func() { w.stop() }()
		ctx, cancel := context.WithCancel(t.Context())
		begin := time.Now()
		out, err := w.Run(ctx, spec(), nil)
		if err != nil || out.TaskID == "" || out.Existing || time.Since(begin) != w.opt.Threshold {
			t.Fatalf("outcome %+v after %v, %v", out, time.Since(begin), err)
		}
		cancel() // the request ends, the task does not
		if task := w.state(out.TaskID); task.State != jobs.Running || task.Creator != alice || task.End != 0 {
			t.Errorf("while it runs: %+v", task)
		}
		if done, total, ok := w.Progress(out.TaskID); done != 1 || total != 2 || !ok {
			t.Errorf("progress %d of %d, %v", done, total, ok)
		}
		again, err := w.Run(t.Context(), spec(), nil)
		if err != nil || again.TaskID != out.TaskID || !again.Existing {
			t.Errorf("the same request: %+v, %v", again, err)
		}
		other := spec()
		other.Creator = model.MemberID{9}
		id, existing, err := w.Submit(t.Context(), other)
		if err != nil || existing || id == out.TaskID {
			t.Errorf("the same request of another: %s, %v, %v", id, existing, err)
		}
		time.Sleep(2 * time.Minute)
		task := w.state(out.TaskID)
		if task.State != jobs.Completed || task.End-task.Start != time.Minute.Milliseconds() || read(t, w, task) != "text" {
			t.Errorf("in the end: %+v", task)
		}
		if _, _, ok := w.Progress(out.TaskID); ok {
			t.Error("there is progress after the end")
		}
	})
}

// TestSameRequestTwice lets two equal requests run into the threshold together.
func TestSameRequestTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start(takes(time.Minute, "text", true))
		defer func() { w.stop() }()
		outs := make(chan jobs.Outcome, 2)
		for range 2 {
			go func() {
				out, err := w.Run(t.Context(), spec(), nil)
				if err != nil {
					t.Error(err)
				}
				outs <- out
			}()
		}
		a, b := <-outs, <-outs
		if a.TaskID != b.TaskID || a.Existing == b.Existing {
			t.Errorf("outcomes %+v and %+v", a, b)
		}
		time.Sleep(time.Hour)
		if n, err := w.Query(docs.Query{}).Count(t.Context()); err != nil || n != 1 || len(w.stored()) != 1 {
			t.Errorf("%d tasks, files %v, %v", n, w.stored(), err)
		}
	})
}

func TestCallerGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start(takes(time.Minute, "text", true))
		defer func() { w.stop() }()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := w.Run(ctx, spec(), nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if len(w.stored()) != 0 {
			t.Errorf("files %v are left", w.stored())
		}
	})
}

func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var running, most atomic.Int64
		w.start(jobs.Runner{Kind: "k", Run: func(context.Context, *jobs.Run) error {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Minute)
			running.Add(-1)
			return nil
		}})
		defer func() { w.stop() }()
		var ids []string
		for i := range 5 {
			s := spec()
			s.Params = i
			id, existing, err := w.Submit(t.Context(), s)
			if err != nil || existing {
				t.Fatal(id, existing, err)
			}
			ids = append(ids, id)
		}
		synctest.Wait()
		again, existing, err := w.Submit(t.Context(), jobs.Spec{Kind: "k", Type: "export", App: appA, Creator: alice, Params: 4})
		if err != nil || !existing || again != ids[4] {
			t.Errorf("a request that waits: %s, %v, %v", again, existing, err)
		}
		time.Sleep(10 * time.Minute)
		for _, id := range ids {
			if task := w.state(id); task.State != jobs.Completed {
				t.Errorf("task is %s", task.State)
			}
		}
		if most.Load() != int64(w.opt.Workers) {
			t.Errorf("%d tasks ran at a time, want %d", most.Load(), w.opt.Workers)
		}
	})
}

// TestBusy fills the places of callers: the next one becomes a queued task.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.opt.Inline = 1
		w.start(takes(time.Hour, "text", true))
		defer func() { w.stop() }()
		first, err := w.Run(t.Context(), spec(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s := spec()
		s.Params = "other"
		second, err := w.Run(t.Context(), s, nil)
		if err != nil || second.TaskID == "" || second.TaskID == first.TaskID || second.Existing {
			t.Errorf("second: %+v, %v", second, err)
		}
		s.Kind, s.Params = "unknown", "third"
		if _, err := w.Run(t.Context(), s, func(context.Context, *jobs.Run) error { return nil }); fault.CodeOf(err) != "tasks.busy" {
			t.Errorf("without a runner: %v", err)
		}
		time.Sleep(3 * time.Hour)
		if task := w.state(second.TaskID); task.State != jobs.Completed {
			t.Errorf("second is %s", task.State)
		}
	})
}

func TestNested(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start()
		defer func() { w.stop() }()
		out, err := w.Run(t.Context(), spec(), func(ctx context.Context, r *jobs.Run) error {
			inner, err := w.Run(ctx, spec(), func(_ context.Context, r *jobs.Run) error {
				time.Sleep(time.Hour)
				return r.SetData("inner")
			})
			if err != nil {
				return err
			}
			if _, pending := inner.Pending(); pending {
				t.Error("work inside a task became a task")
			}
			return r.SetData(string(inner.Result.Data))
		})
		if err != nil || out.TaskID == "" {
			t.Fatal(out, err)
		}
		time.Sleep(2 * time.Hour)
		if task := w.state(out.TaskID); string(task.Result.Data) != `"\"inner\""` {
			t.Errorf("result %s", task.Result.Data)
		}
	})
}

func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		runs := map[string]func() error{
			"fault":  func() error { return fault.New(fault.NotFound, "x.none", "Nothing there") },
			"secret": func() error { return errors.New("password is x") },
			"panic":  func() error { panic("bug") },
			"slow":   func() error { time.Sleep(24 * time.Hour); return nil },
			"store":  func() error { return fault.New(fault.Internal, "x.broken", "file /x is broken") },
		}
		w.start(jobs.Runner{Kind: "k", Run: func(_ context.Context, r *jobs.Run) error {
			var name string
			if err := r.Params(&name); err != nil {
				return err
			}
			return runs[name]()
		}})
		defer func() { w.stop() }()
		for name, want := range map[string]struct{ text, code string }{
			"fault": {"Nothing there", "x.none"}, "secret": {"Internal error", "server.internal"}, "panic": {"Internal error", "server.internal"},
			"slow": {"The task took too long", "tasks.too_long"}, "store": {"Internal error", "x.broken"},
		} {
			s := spec()
			s.Params = name
			id, _, err := w.Submit(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Hour)
			if task := w.state(id); task.State != jobs.Errored || task.Error != want.text || task.Code != want.code {
				t.Errorf("%s: state %s, error %q, code %q, want %q", name, task.State, task.Error, task.Code, want)
			}
		}
	})
}

// TestFailsAsServerStops has tasks fail because other parts of the server stop, some before the queue has noticed that it stops: they are interrupted, and run again.
func TestFailsAsServerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for i := range 40 {
			runs := 0
			run := func(context.Context, *jobs.Run) error {
				if runs++; runs > 1 {
					return nil
				}
				<-w.ending
				return errors.New("another part has stopped")
			}
			w.start(jobs.Runner{Kind: "k", Repeatable: true, Run: run})
			id, _, err := w.Submit(t.Context(), spec())
			if err != nil || w.state(id).State != jobs.Running {
				t.Fatalf("round %d: %s (%v)", i, w.state(id).State, err)
			}
			w.stop()
			if task := w.state(id); task.State != jobs.Running {
				t.Fatalf("round %d: the task is %s: %s", i, task.State, task.Error)
			}
			w.start(jobs.Runner{Kind: "k", Repeatable: true, Run: run})
			if task := w.state(id); task.State != jobs.Completed {
				t.Fatalf("round %d: then it is %s", i, task.State)
			}
			w.stop()
		}
	})
}

// TestRestart stops the server while tasks run and wait.
func TestRestart(t *testing.T) {
	for name, repeatable := range map[string]bool{"repeatable": true, "once": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.opt.Workers = 1
				w.start(takes(time.Hour, "text", repeatable))
				running, _, err := w.Submit(t.Context(), spec())
				if err != nil {
					t.Fatal(err)
				}
				s := spec()
				s.Params = "waits"
				waiting, _, err := w.Submit(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				if w.state(running).State != jobs.Running || w.state(waiting).State != jobs.Queued {
					t.Fatalf("states %s and %s", w.state(running).State, w.state(waiting).State)
				}
				w.stop()
				if _, _, err := w.Submit(t.Context(), spec()); fault.CodeOf(err) != "tasks.stopping" {
					t.Errorf("submitted to a server that stopped: %v", err)
				}
				w.start(takes(time.Hour, "after", repeatable))
				defer func() { w.stop() }()
				time.Sleep(5 * time.Hour)
				if task := w.state(waiting); task.State != jobs.Completed || read(t, w, task) != "after" {
					t.Errorf("the one that waited: %+v", task)
				}
				task := w.state(running)
				if repeatable && (task.State != jobs.Completed || read(t, w, task) != "after") {
					t.Errorf("the one that ran: %+v", task)
				}
				if !repeatable && (task.State != jobs.Errored || task.Error != "The server stopped while the task ran" || task.Code != "tasks.interrupted") {
					t.Errorf("the one that ran: %+v", task)
				}
			})
		})
	}
}

// TestCrash leaves what a process leaves that was killed, again and again.
func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start(takes(time.Hour, "text", true))
		id, _, err := w.Submit(t.Context(), spec())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a stop in the middle of a run leaves it as a kill does
			if task := w.state(id); task.State != jobs.Running {
				t.Fatalf("state %s", task.State)
			}
			w.stop()
			for _, name := range []string{"left.part", "orphan.1"} {
				if err := os.WriteFile(filepath.Join(w.dir, "tasks", name), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			w.start(takes(time.Hour, "text", true))
			for _, name := range w.stored() {
				if name == "left.part" || name == "orphan.1" {
					t.Errorf("%s is still there", name)
				}
			}
		}
		if task := w.state(id); task.State != jobs.Running || task.Starts != 3 {
			t.Fatalf("state %s after %d starts", task.State, task.Starts)
		}
		w.stop()
		w.start(takes(time.Hour, "text", true))
		defer func() { w.stop() }()
		if task := w.state(id); task.State != jobs.Errored {
			t.Errorf("a task that ends every server is %s", task.State)
		}
	})
}

func TestRerun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		type plan struct {
			text string
			fail bool
			want string
		}
		var now atomic.Pointer[plan]
		now.Store(&plan{text: "first"})
		w.start(jobs.Runner{Kind: "k", Repeatable: true, Run: func(_ context.Context, r *jobs.Run) error {
			time.Sleep(time.Minute)
			f, err := r.File("x", "text/plain")
			if err == nil {
				_, err = io.WriteString(f, now.Load().text)
			}
			if now.Load().fail {
				return errors.New("no luck")
			}
			return err
		}}, jobs.Runner{Kind: "once", Run: func(context.Context, *jobs.Run) error { return nil }})
		defer func() { w.stop() }()
		id, _, err := w.Submit(t.Context(), spec())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		for _, round := range []plan{{"second", false, "second"}, {"third", true, "second"}, {"fourth", false, "fourth"}} {
			now.Store(&round)
			if err := w.Rerun(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if task := w.state(id); !task.Rerun || task.State != jobs.Running || read(t, w, task) == round.text {
				t.Errorf("%s: while it runs: %+v", round.text, task)
			}
			time.Sleep(time.Hour)
			if task := w.state(id); task.Rerun || (task.State == jobs.Errored) != round.fail || read(t, w, task) != round.want {
				t.Errorf("%s: in the end: %+v", round.text, task)
			}
		}
		if len(w.stored()) != 1 {
			t.Errorf("files %v", w.stored())
		}
		s := spec()
		s.Kind = "once"
		once, _, err := w.Submit(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := w.Rerun(t.Context(), once); !errors.Is(err, jobs.ErrNotRepeatable) {
			t.Errorf("a task for once: %v", err)
		}
		if err := w.Rerun(t.Context(), "none"); !docs.IsNotFound(err) {
			t.Errorf("no task: %v", err)
		}
	})
}

func TestDeleteAndForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.opt.Workers = 10
		w.start(takes(time.Minute, "text", true))
		defer func() { w.stop() }()
		submit := func(change func(*jobs.Spec)) string {
			s := spec()
			change(&s)
			id, _, err := w.Submit(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		deleted := submit(func(s *jobs.Spec) { s.Params = 1 })
		personal := submit(func(s *jobs.Spec) { s.Params, s.Personal = 2, true })
		other := submit(func(s *jobs.Spec) { s.Params, s.App = 3, model.AppID{7} })
		global := submit(func(s *jobs.Spec) { s.Params, s.Global = 4, true })
		time.Sleep(2 * time.Minute)
		late := submit(func(s *jobs.Spec) { s.Params, s.Personal = 5, true })
		running := submit(func(s *jobs.Spec) { s.Params = 6 })
		synctest.Wait()
		ctx := t.Context()
		if err := errors.Join(w.Delete(ctx, deleted), w.Delete(ctx, deleted), w.Delete(ctx, running), w.ForgetUsers(ctx, appA)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		for id, want := range map[string]bool{deleted: false, running: false, personal: false, late: false, other: true, global: true} {
			if got := w.state(id).State == jobs.Completed; got != want {
				t.Errorf("task %v is there: %v, want %v", w.state(id).Params, got, want)
			}
		}
		if len(w.stored()) != 2 {
			t.Errorf("files %v", w.stored())
		}
		if err := w.ForgetMember(ctx, alice); err != nil {
			t.Fatal(err)
		}
		if w.state(other).ID != "" || w.state(global).ID == "" {
			t.Error("a member's private tasks stay, or the shared ones go")
		}
		if err := w.ForgetApp(ctx, appA); err != nil || len(w.stored()) != 0 {
			t.Errorf("files %v, %v", w.stored(), err)
		}
	})
}

// TestForgottenWhileInline erases users while a caller waits for a result with their data.
func TestForgottenWhileInline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start(takes(10*time.Second, "text", true))
		defer func() { w.stop() }()
		s := spec()
		s.Personal = true
		forgotten := make(chan struct{})
		go func() {
			defer close(forgotten)
			time.Sleep(time.Second)
			if err := w.ForgetUsers(context.Background(), appA); err != nil {
				t.Error(err)
			}
		}()
		defer func() { <-forgotten }() // before the stores are closed
		if _, err := w.Run(t.Context(), s, nil); fault.CodeOf(err) != "tasks.cancelled" {
			t.Errorf("error %v", err)
		}
	})
}

func TestHousekeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start(takes(time.Minute, "text", true))
		defer func() { w.stop() }()
		old, _, err := w.Submit(t.Context(), spec())
		if err != nil {
			t.Fatal(err)
		}
		s := spec()
		s.Params = "fresh"
		fresh, _, err := w.Submit(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Update(t.Context(), fresh, func(task *jobs.Task) error { task.Refresh = true; return nil }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(59 * 24 * time.Hour)
		if err := w.Housekeep(t.Context()); err != nil || w.state(old).ID == "" {
			t.Errorf("after 59 days: %+v, %v", w.state(old), err)
		}
		time.Sleep(2 * 24 * time.Hour)
		before := w.state(fresh)
		if err := w.Housekeep(t.Context()); err != nil || w.state(old).ID != "" {
			t.Errorf("after 61 days: %+v, %v", w.state(old), err)
		}
		time.Sleep(time.Hour)
		if after := w.state(fresh); after.State != jobs.Completed || after.End == before.End {
			t.Errorf("not refreshed: %+v", after)
		}
		if len(w.stored()) != 1 {
			t.Errorf("files %v", w.stored())
		}
	})
}

func TestLargeData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		large := strings.Repeat("x", 100_000)
		w.start(jobs.Runner{Kind: "k", Run: func(_ context.Context, r *jobs.Run) error { return r.SetData(large) }})
		defer func() { w.stop() }()
		id, _, err := w.Submit(t.Context(), spec())
		if err != nil {
			t.Fatal(err)
		}
		task := w.state(id)
		if task.Result.Data != nil || read(t, w, task) != `"`+large+`"` {
			t.Errorf("result %+v", task.Result)
		}
	})
}

func TestTaskOptions(t *testing.T) {
	if err := jobs.DefaultTaskOptions().Validate(); err != nil {
		t.Error(err)
	}
	err := jobs.TaskOptions{}.Validate()
	for _, name := range []string{"threshold", "workers", "inline", "keep", "max_run", "refresh"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported: %v", name, err)
		}
	}
}
