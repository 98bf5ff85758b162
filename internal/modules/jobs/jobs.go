// Package jobs is the module that shows what runs on a schedule: /o?method=jobs.
package jobs

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/params"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{Name: "jobs", Setup: func(s *kernel.Scope) error {
		svc := &service{jobs: s.Jobs}
		api.HandleMethod(s.Routes, "jobs", api.GlobalAdmin(), svc.list)
		return nil
	}}
}

type service struct{ jobs *jobs.Registrar }

type listReq struct {
	Name   string       `param:"name"`
	Search string       `param:"sSearch"`
	Start  int          `param:"iDisplayStart"`
	Length int          `param:"iDisplayLength"`
	Sort   int          `param:"iSortCol_0"`
	Dir    string       `param:"sSortDir_0"`
	Echo   params.Value `param:"sEcho"`
}

// row is a job as the wire has it. Times are ms, null for never.
type row struct {
	Name     string `json:"name"`
	Status   string `json:"status"` // RUNNING, SCHEDULED, or WAITING for the server to be up
	Result   string `json:"result"` // of the last run: success, failure, or none
	Schedule string `json:"schedule"`
	Next     *int64 `json:"next"`
	Finished *int64 `json:"finished"`
	Total    int64  `json:"total"` // runs
	Failures int64  `json:"failures"`
	Error    string `json:"error,omitempty"`
}

func rowOf(st jobs.Status) row {
	r := row{
		Name: st.Name, Status: "WAITING", Result: "none", Schedule: "every " + st.Every.String(), Next: millis(st.Next),
		Finished: millis(st.Last), Total: st.Runs, Failures: st.Failures,
	}
	switch {
	case st.Running:
		r.Status, r.Next = "RUNNING", nil
	case r.Next != nil:
		r.Status = "SCHEDULED"
	}
	switch {
	case st.LastErr != "":
		r.Result = "failure"
		r.Error, _, _ = strings.Cut(st.LastErr, "\n") // without the stack of a panic
	case st.Runs > 0:
		r.Result = "success"
	}
	return r
}

func millis(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}

// orders are what iSortCol_0 sorts by.
var orders = []func(a, b row) int{
	func(a, b row) int { return strings.Compare(a.Name, b.Name) },
	func(a, b row) int { return strings.Compare(a.Status, b.Status) },
	func(a, b row) int { return strings.Compare(a.Schedule, b.Schedule) },
	func(a, b row) int { return cmp.Compare(value(a.Next), value(b.Next)) },
	func(a, b row) int { return cmp.Compare(value(a.Finished), value(b.Finished)) },
	func(a, b row) int { return cmp.Compare(a.Total, b.Total) },
}

func value(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// list returns the jobs. There are a few dozen, known to the scheduler alone, so they are sorted here.
func (s *service) list(_ context.Context, c api.Caller, r listReq) (map[string]any, error) {
	rows := []row{}
	for _, st := range s.jobs.List() {
		if (r.Name == "" || st.Name == r.Name) && strings.Contains(strings.ToLower(st.Name), strings.ToLower(r.Search)) {
			rows = append(rows, rowOf(st))
		}
	}
	if r.Sort >= 0 && r.Sort < len(orders) {
		slices.SortStableFunc(rows, orders[r.Sort])
	}
	if r.Dir == "desc" {
		slices.Reverse(rows)
	}
	total := len(rows)
	start := min(max(r.Start, 0), total)
	end := total
	if r.Length > 0 {
		end = min(start+r.Length, total)
	}
	out := map[string]any{"iTotalRecords": total, "iTotalDisplayRecords": total, "aaData": rows[start:end]}
	if _, sent := c.Params.Get("sEcho"); sent {
		out["sEcho"] = r.Echo.String()
	}
	return out, nil
}
