package jobs

import (
	"context"
	"crypto/sha1" // names equal requests, guards nothing
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"sync/atomic"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
)

// State is where a task is on its way.
type State string

// The states. A task that is deleted has none.
const (
	Queued    State = "queued"
	Running   State = "running"
	Completed State = "completed"
	Errored   State = "errored"
)

// Live reports whether the task has work before it.
func (s State) Live() bool { return s == Queued || s == Running }

// Spec says what a task is to do and how it is shown.
type Spec struct {
	// Kind names the Runner.
	Kind string
	// Type is the label that people see and filter by, such as "tableExport".
	Type string
	// App is the app that the task reads; zero for none.
	App model.AppID
	// Creator is whose task it is. The zero id is nobody: only Global shows such a task.
	Creator model.MemberID
	// Params are the Runner's parameters, as JSON. They must hold no secrets. Two requests of one
	// creator are the same if kind, app and parameters are.
	Params any
	// ReportName is shown in lists, and ReportDesc and PeriodDesc beside it.
	ReportName, ReportDesc, PeriodDesc string
	// Global shows the task to everyone who may read its app.
	Global bool
	// Personal says that the result may hold data of single app users: it goes when one of the app's users is erased.
	Personal bool
	// Manual marks a report that someone asked for by hand.
	Manual bool
	// View is where the dashboard shows the result.
	View string
}

// Task is a long-running task as it is stored.
type Task struct {
	ID         string          `json:"_id"`
	Kind       string          `json:"kind"`
	Type       string          `json:"type"`
	App        model.AppID     `json:"app_id"`
	Creator    model.MemberID  `json:"creator"`
	ReportName string          `json:"report_name"`
	ReportDesc string          `json:"report_desc"`
	PeriodDesc string          `json:"period_desc"`
	Name       string          `json:"name"`
	View       string          `json:"view"`
	Manual     bool            `json:"manual"`
	Global     bool            `json:"global"`
	Personal   bool            `json:"personal"`
	Refresh    bool            `json:"refresh"` // run again from time to time
	State      State           `json:"state"`
	Rerun      bool            `json:"rerun"`          // under way once more, its former result still stands
	Error      string          `json:"error"`          // may be shown
	Code       string          `json:"code,omitempty"` // of the fault that Error is the text of
	Request    string          `json:"request"`
	Params     json.RawMessage `json:"params"`
	Starts     int             `json:"starts"`
	TS         int64           `json:"ts"`    // ms, when it was asked for
	Start      int64           `json:"start"` // ms, 0 = not yet
	End        int64           `json:"end"`   // ms, 0 = not yet
	Result     Result          `json:"result"`
	// Holder is the server that runs the task, or ran it last; Epoch is the number of the run. See Leases.
	Holder string `json:"holder,omitempty"`
	Epoch  int64  `json:"epoch,omitempty"`
}

// Result is what a run left: a small JSON value, or a file, or neither.
type Result struct {
	Data json.RawMessage `json:"data,omitempty"`
	File *File           `json:"file,omitempty"`
}

// File describes a result's file.
type File struct {
	Stored string `json:"stored"` // its name in the folder of tasks
	Name   string `json:"name"`   // for anyone who downloads it
	Type   string `json:"type"`   // content type
	Size   int64  `json:"size"`   // bytes
}

// Key returns the id.
func (t Task) Key() string { return t.ID }

// fail notes why the task has no result.
func (t *Task) fail(e *fault.Error) { t.State, t.Error, t.Code = Errored, e.Msg, e.Code }

// Validate refuses tasks that nobody could run or find.
func (t Task) Validate() error {
	if t.ID == "" || t.Kind == "" || t.State == "" {
		return fault.New(fault.Invalid, "tasks.invalid", "A task needs an id, a kind and a state")
	}
	return nil
}

// taskSpec declares the collection. Tasks are global documents: lists go
// through several apps, and a task may belong to none.
func taskSpec() docs.Spec[Task] {
	return docs.Spec[Task]{
		Name: "tasks", Version: 1, Search: []docs.Field{".report_name", ".name", ".report_desc", ".type"},
		Indexes: []docs.Index[Task]{
			{Name: "state", Path: ".state"}, {Name: "ts", Path: ".ts", Order: true}, {Name: "app", Path: ".app_id"}, {Name: "creator", Path: ".creator"},
		},
	}
}

// hash names the request: equal ones of a creator have the same name.
func (s Spec) hash(params []byte) string {
	h := sha1.New()
	for _, part := range [][]byte{[]byte(s.Kind), []byte(s.Type), s.App[:], s.Creator[:], params} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (s Spec) task(id string, now int64) (Task, error) {
	params, err := json.Marshal(s.Params)
	if err != nil {
		return Task{}, fmt.Errorf("parameters of task %s: %w", s.Kind, err)
	}
	return Task{
		ID: id, Kind: s.Kind, Type: s.Type, App: s.App, Creator: s.Creator, ReportName: s.ReportName, ReportDesc: s.ReportDesc,
		PeriodDesc: s.PeriodDesc, View: s.View, Manual: s.Manual, Global: s.Global, Personal: s.Personal, State: Queued,
		Request: s.hash(params), Params: params, TS: now,
	}, nil
}

// TaskFunc does the work of a task and leaves the result in r. It returns soon after ctx is done.
type TaskFunc func(ctx context.Context, r *Run) error

// Runner does the tasks of a kind.
type Runner struct {
	Kind string
	// Repeatable says that a run changes nothing but its result: it is started again after a
	// crash, and when someone asks.
	Repeatable bool
	Run        TaskFunc
}

// Run is one execution of a task. It is used by one goroutine.
type Run struct {
	task   Task
	folder *files.Folder
	data   json.RawMessage
	file   *File
	writer *files.Writer
	done   atomic.Int64
	total  atomic.Int64
}

// Task returns the task as it was when the run began.
func (r *Run) Task() Task { return r.task }

// Params reads the parameters of the Spec.
func (r *Run) Params(dst any) error {
	if err := json.Unmarshal(r.task.Params, dst); err != nil {
		return fmt.Errorf("parameters of task %s: %w", r.task.ID, err)
	}
	return nil
}

// Progress says how much of the work is done, of how much in all; a total of 0 is not known.
func (r *Run) Progress(done, total int64) {
	r.done.Store(done)
	r.total.Store(total)
}

// SetData makes a JSON value the result. A json.RawMessage is taken as it is.
func (r *Run) SetData(v any) error {
	if raw, is := v.(json.RawMessage); is {
		r.data = raw
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("result of task %s: %w", r.task.ID, err)
	}
	r.data = data
	return nil
}

// File begins the file that is the result, under the name and content type that its reader
// gets. What is written becomes visible when the run succeeds.
func (r *Run) File(name, contentType string) (io.Writer, error) {
	if r.writer != nil {
		return nil, fmt.Errorf("task %s has a file already", r.task.ID)
	}
	stored := fmt.Sprintf("%s.%d", r.task.ID, r.task.Starts)
	w, err := r.folder.Create(stored)
	if err != nil {
		return nil, err
	}
	r.writer, r.file = w, &File{Stored: stored, Name: name, Type: contentType}
	return w, nil
}

// maxInline is the size up to which a JSON result stands in the task's document.
const maxInline = 64 << 10

// finish settles what the run wrote.
func (r *Run) finish(ctx context.Context, err error) (Result, error) {
	if err != nil {
		if r.writer != nil {
			_ = r.writer.Abort() // the run's own error says more
		}
		return Result{}, err
	}
	if r.writer == nil {
		return Result{Data: r.data}, nil
	}
	r.file.Size = r.writer.Size()
	if err := r.writer.Commit(ctx); err != nil {
		return Result{}, err
	}
	return Result{Data: r.data, File: r.file}, nil
}

// spill moves a large JSON result to a file.
func (r *Run) spill(ctx context.Context, res Result) (Result, error) {
	if len(res.Data) <= maxInline || res.File != nil {
		return res, nil
	}
	w, err := r.File(r.task.ID+".json", "application/json")
	if err != nil {
		return Result{}, err
	}
	if _, err := w.Write(res.Data); err != nil {
		return r.finish(ctx, err)
	}
	r.data = nil
	return r.finish(ctx, nil)
}
