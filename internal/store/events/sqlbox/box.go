// Package sqlbox runs SQL statements that people write, each in a process of its own.
//
// The process is this very program with another command (see package sqlworker). It has no file of the server, no connection, and of the data
// only what the server hands to it: the columns of one app's views that the statement names, over a pipe. A statement is parsed there,
// compared with a list of what is permitted, and run over these rows in a database in memory. What goes wrong in that process, by the
// statement's fault or by the database's, ends the process and nothing else.
package sqlbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"quipu/internal/store/events"
)

// Type is the type of a column of a view.
type Type string

// The types. Values of Time and Whole are whole numbers, Time in ms since 1970 UTC; those of Truth are 0 and 1.
const (
	Text   Type = "text"
	Whole  Type = "whole"
	Number Type = "number"
	Truth  Type = "truth"
	Time   Type = "time"
)

// Column is a column of a view.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// View is a table that statements may read.
type View struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
}

// Job is a statement and what it may read.
type Job struct {
	Statement string `json:"statement"`
	Zone      string `json:"zone"` // in which times are cut and shown, as Europe/Berlin
	Views     []View `json:"views"`
	Rows      int    `json:"rows"` // how many rows of the result are returned at most
}

// Result is what a statement answers.
type Result struct {
	Columns []ResultColumn
	// Rows are JSON lists, with a value for each column.
	Rows []json.RawMessage
	// Truncated says that there are more rows.
	Truncated bool
	// Read is how many rows of views were handed to the statement.
	Read int64
}

// ResultColumn is a column of a result. Type is the database's name of its type.
type ResultColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Kind says why a statement has no result.
type Kind string

// The kinds of errors.
const (
	// Invalid: the statement cannot be understood, or its values do not fit.
	Invalid Kind = "invalid"
	// NotAllowed: the statement does what is not permitted.
	NotAllowed Kind = "not_allowed"
	// Memory: it needs more memory than there is for it.
	Memory Kind = "memory"
	// Slow: it takes longer than it may.
	Slow Kind = "slow"
	// Large: its result is larger than may be returned.
	Large Kind = "large"
	// Crashed: its process ended before it answered.
	Crashed Kind = "crashed"
	// Busy: others run, and none ended in time.
	Busy Kind = "busy"
	// Unavailable: this server cannot start processes for statements.
	Unavailable Kind = "unavailable"
)

// Error is why a statement has no result.
type Error struct {
	Kind Kind   `json:"kind"`
	Msg  string `json:"msg"`
	// Line and Character are where in the statement it is, both from 1; 0 = unknown.
	Line      int `json:"line,omitempty"`
	Character int `json:"character,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return "sql " + string(e.Kind) + ": " + e.Msg }

func failed(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// Options of New.
type Options struct {
	// Program is the command that calls sqlworker.Work, with its arguments; nil = there is none, and statements are Unavailable.
	Program []string
	// Memory bounds what the database takes for a statement and the rows that it reads, bytes; 0 = 256 MiB.
	Memory int64
	// Threads is how many threads a statement computes with; 0 = 1.
	Threads int
	// Time is how long a statement may take, with what is handed to it; 0 = 60 s.
	Time time.Duration
	// Statements is how many run at a time; 0 = 2. Others wait for Patience; 0 = 10 s.
	Statements int
	Patience   time.Duration
	// Bytes bounds a result; 0 = 16 MiB.
	Bytes int64
}

// Boxes runs statements. It is safe for concurrent use.
type Boxes struct {
	opt   Options
	slots chan struct{}
}

// New returns what runs statements.
func New(o Options) *Boxes {
	if o.Memory == 0 {
		o.Memory = 256 << 20
	}
	if o.Threads == 0 {
		o.Threads = 1
	}
	if o.Time == 0 {
		o.Time = time.Minute
	}
	if o.Statements == 0 {
		o.Statements = 2
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Bytes == 0 {
		o.Bytes = 16 << 20
	}
	return &Boxes{opt: o, slots: make(chan struct{}, o.Statements)}
}

// Needs are the columns of views that a statement reads, in the order of the job. A view without columns is only counted.
type Needs map[string][]string

// Feed passes on the rows of a view: of the columns, in this order, some thousand rows at a time.
type Feed func(ctx context.Context, view string, columns []string, put func(*events.Columns) error) error

// Run runs a statement. It ends with ctx. The error is a *Error, that of feed, or that of ctx.
func (b *Boxes) Run(ctx context.Context, job Job, feed Feed) (*Result, error) {
	if len(b.opt.Program) == 0 {
		return nil, failed(Unavailable, "this server cannot run statements")
	}
	patience := time.NewTimer(b.opt.Patience)
	defer patience.Stop()
	select {
	case b.slots <- struct{}{}:
	case <-patience.C:
		return nil, failed(Busy, "too many statements run at the moment")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-b.slots }()
	limited, cancel := context.WithTimeout(ctx, b.opt.Time)
	defer cancel()
	res, err := b.run(limited, job, feed)
	switch {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, failed(Slow, "the statement takes longer than %v", b.opt.Time)
	}
	return nil, err
}

// box is a process under way.
type box struct {
	in      *bufio.Writer
	out     *bufio.Reader
	columns map[string][]Column // of views, by name
	res     Result
	left    int64 // bytes that the result may still take
}

func (b *Boxes) run(ctx context.Context, job Job, feed Feed) (res *Result, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()                                                            // kills the process, if it still runs
	cmd := exec.CommandContext(ctx, b.opt.Program[0], b.opt.Program[1:]...) // this very binary
	cmd.Env = []string{
		"GOTRACEBACK=none", "GOMAXPROCS=2", "TZ=UTC", "MALLOC_ARENA_MAX=2",
		MemoryVariable + "=" + strconv.FormatInt(b.opt.Memory, 10), ThreadsVariable + "=" + strconv.Itoa(b.opt.Threads),
		TimeVariable + "=" + strconv.Itoa(int(b.opt.Time/time.Second)+1),
	}
	cmd.Dir = "/"
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start statement: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start statement: %w", err), in.Close())
	}
	said := &end{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start statement: %w", err), in.Close())
	}
	x := &box{in: bufio.NewWriterSize(in, 256<<10), out: bufio.NewReaderSize(out, 64<<10), left: b.opt.Bytes, columns: map[string][]Column{}}
	for _, v := range job.Views {
		x.columns[v.Name] = v.Columns
	}
	err = x.talk(ctx, job, feed)
	stop()
	werr := cmd.Wait() // closes both pipes
	var own *Error
	switch {
	case err == nil:
		return &x.res, nil
	case errors.As(err, &own) || !errors.Is(err, errEnded):
		return nil, err
	}
	return nil, x.ended(werr, said)
}

// ended says why a process ended that did not answer.
func (x *box) ended(err error, said *end) error {
	if said.has("out of memory", "cannot allocate memory", "bad_alloc", "Out of Memory") {
		return failed(Memory, "the statement needs more memory than it may use")
	}
	return failed(Crashed, "the statement ended the process that ran it (%v)", err)
}

// errEnded says that the process no longer reads or writes.
var errEnded = errors.New("sqlbox: the process has ended")

// talk hands the job and the rows to the process and reads what it answers.
func (x *box) talk(ctx context.Context, job Job, feed Feed) error {
	if err := x.send(FrameJob, job); err != nil {
		return err
	}
	kind, payload, err := x.read(maxSaid)
	if err != nil {
		return err
	}
	var needs Needs
	if kind != FrameNeeds || json.Unmarshal(payload, &needs) != nil {
		return failed(Crashed, "the process answers what it was not asked")
	}
	for i, v := range job.Views {
		names, ok := needs[v.Name]
		if !ok {
			continue
		}
		if err := x.feed(ctx, i, v, names, feed); err != nil {
			return err
		}
	}
	if err := x.send(FrameRun, nil); err != nil {
		return err
	}
	return x.answer()
}

// feed sends the rows of a view.
func (x *box) feed(ctx context.Context, at int, v View, names []string, feed Feed) error {
	types := make([]Type, len(names))
	for i, name := range names {
		j := slices.IndexFunc(v.Columns, func(c Column) bool { return c.Name == name })
		if j < 0 {
			return failed(Crashed, "the process asks for a column that there is none of")
		}
		types[i] = v.Columns[j].Type
	}
	var block []byte
	return feed(ctx, v.Name, names, func(c *events.Columns) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if block, err = appendBlock(block[:0], at, types, c); err != nil {
			return err
		}
		x.res.Read += int64(c.Len)
		return x.write(FrameRows, block)
	})
}

// answer reads the result.
func (x *box) answer() error {
	for {
		kind, payload, err := x.read(x.left)
		if err != nil {
			return err
		}
		x.left -= int64(len(payload))
		switch kind {
		case FrameColumns:
			err = json.Unmarshal(payload, &x.res.Columns)
		case FrameValues:
			var rows []json.RawMessage
			err = json.Unmarshal(payload, &rows)
			x.res.Rows = append(x.res.Rows, rows...)
		case FrameDone:
			return json.Unmarshal(payload, &x.res.Truncated)
		default:
			err = fmt.Errorf("frame %d", kind)
		}
		if err != nil {
			return failed(Crashed, "the process answers what cannot be read: %v", err)
		}
	}
}

func (x *box) send(kind byte, v any) error {
	payload, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write to statement: %w", err)
	}
	if err := x.write(kind, payload); err != nil {
		return err
	}
	if x.in.Flush() != nil {
		return x.lastError()
	}
	return nil
}

// write writes a frame.
func (x *box) write(kind byte, payload []byte) error {
	if WriteFrame(x.in, kind, payload) != nil {
		return x.lastError()
	}
	return nil
}

// lastError returns the error that the process left behind when it stopped reading.
func (x *box) lastError() error {
	if _, _, err := x.read(maxSaid); err != nil {
		return err
	}
	return errEnded
}

// maxSaid bounds what a process says before its result: the names of columns that it needs, or an error; bytes.
const maxSaid = 4 << 20

// read reads a frame of at most that many bytes; a larger one is Large, and none of it is read. That of an error is returned as one.
func (x *box) read(most int64) (kind byte, payload []byte, err error) {
	kind, payload, err = ReadFrame(x.out, most)
	if errors.Is(err, ErrFrame) {
		return 0, nil, failed(Large, "the result is too large")
	}
	if err != nil {
		return 0, nil, errEnded
	}
	if kind == FrameError {
		said := &Error{}
		if json.Unmarshal(payload, said) != nil || !slices.Contains([]Kind{Invalid, NotAllowed, Memory, Slow, Large}, said.Kind) {
			return 0, nil, errEnded
		}
		return 0, nil, said
	}
	return kind, payload, nil
}

// end keeps the end of what a process says about itself.
type end struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (e *end) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	const most = 8 << 10
	e.text = append(e.text, p[max(0, len(p)-most):]...)
	e.text = e.text[max(0, len(e.text)-most):]
	return len(p), nil
}

var _ io.Writer = (*end)(nil)
