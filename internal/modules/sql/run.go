package sql

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events/sqlbox"
	"quipu/internal/topic"
)

var (
	errMissing = fault.New(fault.Invalid, "sql.missing", "Missing request parameter: sql")
	errLimit   = fault.New(fault.Invalid, "sql.limit", "Bad request parameter: limit")
	errLong    = fault.Newf(fault.Invalid, "sql.invalid", "A statement has at most %d bytes", maxSQL)
)

// The usual values of parameters.
const (
	usualPeriod = "30days"
	usualRows   = 1000
)

type runReq struct {
	SQL    string `param:"sql"`
	Period string `param:"period"`
	Limit  string `param:"limit"`
	Form   string `param:"form"`
}

// answer is the result of a statement.
type answer struct {
	Columns   []sqlbox.ResultColumn `json:"columns"`
	Rows      []json.RawMessage     `json:"rows"` // lists of values, in the order of the columns; with form=objects, objects
	Truncated bool                  `json:"truncated"`
	Read      int64                 `json:"read"` // rows of views that the statement was given
	Took      int64                 `json:"took"` // ms
	From      int64                 `json:"from"` // the first and the last ms of the period
	To        int64                 `json:"to"`
}

// run runs a statement. Every run is in the audit log, whether it succeeds or not.
func (s *service) run(ctx context.Context, c api.Caller, r runReq) (*answer, error) {
	if strings.TrimSpace(r.SQL) == "" {
		return nil, errMissing
	}
	if len(r.SQL) > maxSQL {
		return nil, errLong
	}
	rows := min(usualRows, s.cfg.Rows)
	if r.Limit != "" {
		n, err := strconv.Atoi(r.Limit)
		if err != nil || n < 1 {
			return nil, errLimit
		}
		rows = min(n, s.cfg.Rows)
	}
	if r.Period == "" {
		r.Period = usualPeriod
	}
	cal, _ := s.zones.Get(c.App.Timezone)
	p, err := period.Frame{Now: c.Now, Calendar: cal, Parsed: c.Parsed()}.Parse(r.Period)
	if err != nil {
		return nil, err
	}
	views, err := s.sql.Views(ctx, c.App.ID, may(c.Member, c.App.ID))
	if err != nil {
		return nil, err
	}
	q := query.SQLQuestion{Statement: r.SQL, Zone: c.App.Timezone, From: p.Start, To: p.End, Rows: rows, Without: hidden(c.Member, c.App.ID)}
	began := s.now()
	res, err := s.sql.Run(ctx, c.App.ID, views, q)
	took := s.now().Sub(began)
	s.note(ctx, c, r, took, res, err)
	if err != nil {
		return nil, said(err)
	}
	out := &answer{
		Columns: res.Columns, Rows: res.Rows, Truncated: res.Truncated, Read: res.Read,
		Took: int64(took / time.Millisecond), From: p.Start, To: p.End,
	}
	if out.Rows == nil {
		out.Rows = []json.RawMessage{}
	}
	if r.Form == "objects" {
		return out, out.unfold()
	}
	return out, nil
}

// unfold makes the rows objects, for exports. Columns of one name get numbers.
func (a *answer) unfold() error {
	names, taken := make([]json.RawMessage, len(a.Columns)), map[string]bool{}
	for i, col := range a.Columns {
		free := col.Name
		for n := 2; taken[free]; n++ {
			free = col.Name + "_" + strconv.Itoa(n)
		}
		taken[free] = true
		var err error
		if names[i], err = json.Marshal(free); err != nil {
			return err
		}
	}
	for i, row := range a.Rows {
		var values []json.RawMessage
		if err := json.Unmarshal(row, &values); err != nil || len(values) != len(names) {
			return errors.Join(errors.New("sql: row does not match its columns"), err)
		}
		b := []byte{'{'}
		for j, v := range values {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(append(append(b, names[j]...), ':'), v...)
		}
		a.Rows[i] = append(b, '}')
	}
	return nil
}

// may tells which properties a member may see: those that tell who somebody is need the right to read users.
func may(m *model.Member, app model.AppID) func(path string) bool {
	return func(path string) bool { return auth.MayRead(m, app, path) }
}

// crashKey is the key of rows that only those who may read crashes see.
const crashKey = "[CLY]_crash"

func hidden(m *model.Member, app model.AppID) []string {
	if auth.Can(m, app, "crashes", model.Read) {
		return nil
	}
	return []string{crashKey}
}

// said is the fault of an error.
func said(err error) error {
	var own *sqlbox.Error
	if !errors.As(err, &own) {
		return err
	}
	switch own.Kind {
	case sqlbox.Invalid:
		return &fault.Error{Kind: fault.Invalid, Code: "sql.invalid", Msg: own.Msg, Params: place(own)}
	case sqlbox.NotAllowed:
		return fault.New(fault.Invalid, "sql.not_allowed", own.Msg)
	case sqlbox.Memory:
		return fault.New(fault.Invalid, "sql.too_much_memory", "The statement exceeds its memory limit. Select fewer columns or choose a shorter period")
	case sqlbox.Slow:
		return fault.New(fault.Invalid, "sql.too_slow", own.Msg)
	case sqlbox.Large:
		return fault.New(fault.Invalid, "sql.too_large", "The result is too large. Select fewer columns or rows")
	case sqlbox.Busy:
		return fault.New(fault.Unavailable, "sql.busy", "Too many statements run at the moment. Please try again")
	case sqlbox.Unavailable:
		return fault.New(fault.Unavailable, "sql.unavailable", "This server cannot run statements")
	case sqlbox.Crashed:
	}
	return fault.Wrap(err, fault.Unavailable, "sql.crashed", "The statement ended the process that ran it")
}

// place are the numbers of a fault that say where in the statement it is; nil where that is unknown.
func place(e *sqlbox.Error) map[string]int {
	if e.Line == 0 {
		return nil
	}
	return map[string]int{"line": e.Line, "character": e.Character}
}

// note writes a run to the audit log.
func (s *service) note(ctx context.Context, c api.Caller, r runReq, took time.Duration, res *sqlbox.Result, err error) {
	data := map[string]any{"sql": r.SQL, "period": r.Period, "took": took.Milliseconds()}
	switch {
	case ctx.Err() != nil:
		data["outcome"] = "cancelled"
	case err != nil:
		data["outcome"] = fault.CodeOf(said(err))
	default:
		data["outcome"], data["rows"] = "answered", len(res.Rows)
	}
	ev := topic.Action{At: c.Now, Name: "sql_run", Member: c.Member.ID, Username: c.Member.Username, App: c.App.ID, Path: "/o/sql", Data: data}
	if c.IP.IsValid() {
		ev.IP = c.IP.String()
	}
	if err := hook.Emit(context.WithoutCancel(ctx), s.bus, ev); err != nil {
		s.log.ErrorContext(ctx, "statement not recorded", slog.Any("error", err))
	}
}

// shownView is a view with the columns that the caller may read.
type shownView struct {
	Name    string          `json:"name"`
	Columns []sqlbox.Column `json:"columns"`
}

// schema lists the views.
func (s *service) schema(ctx context.Context, c api.Caller, _ struct{}) ([]shownView, error) {
	views, err := s.sql.Views(ctx, c.App.ID, may(c.Member, c.App.ID))
	if err != nil {
		return nil, err
	}
	out := []shownView{}
	for _, v := range views {
		one := shownView{Name: v.Name, Columns: []sqlbox.Column{}}
		for _, col := range v.Columns {
			one.Columns = append(one.Columns, col.Column)
		}
		out = append(out, one)
	}
	return out, nil
}
