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
	"quipu/internal/store/docs"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{Name: "jobs", Setup: kernel.Alone(func(s *kernel.Scope) error {
		svc := &service{jobs: s.Jobs}
		api.HandleMethod(s.Routes, "jobs", api.GlobalAdmin(), svc.list)
		return nil
	})}
}

type service struct{ jobs *jobs.Registrar }

type listReq struct {
	api.List
	Name string `param:"name"`
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

// orders are what a list is sorted by.
func orders() map[docs.Field]func(a, b row) int {
	return map[docs.Field]func(a, b row) int{
		"name":     func(a, b row) int { return strings.Compare(a.Name, b.Name) },
		"status":   func(a, b row) int { return strings.Compare(a.Status, b.Status) },
		"schedule": func(a, b row) int { return strings.Compare(a.Schedule, b.Schedule) },
		"next":     func(a, b row) int { return cmp.Compare(value(a.Next), value(b.Next)) },
		"finished": func(a, b row) int { return cmp.Compare(value(a.Finished), value(b.Finished)) },
		"total":    func(a, b row) int { return cmp.Compare(a.Total, b.Total) },
		"result":   func(a, b row) int { return strings.Compare(a.Result, b.Result) },
		"failures": func(a, b row) int { return cmp.Compare(a.Failures, b.Failures) },
	}
}

func listing() api.Listing {
	l := api.Listing{Sort: "name", Usual: maxPage, Most: maxPage}
	for _, name := range []string{"name", "status", "schedule", "next", "finished", "total", "result", "failures"} {
		l.Columns = append(l.Columns, api.Column{Name: name, Field: docs.Field(name)})
	}
	return l
}

const maxPage = 1000

func value(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// list returns the jobs. There are a few dozen, known to the scheduler alone, so they are sorted here.
func (s *service) list(_ context.Context, _ api.Caller, r listReq) (api.Table[row], error) {
	q := r.Query(listing())
	rows, total, needle := []row{}, 0, docs.SearchText(q.Search)
	for _, st := range s.jobs.List() {
		if r.Name != "" && st.Name != r.Name {
			continue
		}
		total++
		if strings.Contains(docs.SearchText(st.Name), needle) {
			rows = append(rows, rowOf(st))
		}
	}
	order := orders()[q.Sort]
	slices.SortStableFunc(rows, func(a, b row) int {
		if q.Desc {
			return order(b, a)
		}
		return order(a, b)
	})
	return api.TableOf(r.List, api.PartOf(rows, q, total), api.Itself[row]), nil
}
