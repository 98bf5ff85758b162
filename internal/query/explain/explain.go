// Package explain records what a read asks for once its parameters are understood, and which cells it reads, for people who want to know what a read does.
package explain

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"quipu/internal/filter"
	"quipu/internal/period"
)

// most is how many entries of each kind a Trace keeps.
const most = 100

// Query is what a read asks for.
type Query struct {
	// Periods are those that parameters name.
	Periods []Period `json:"periods"`
	// Questions are what is asked of cells and of rows.
	Questions []Question `json:"questions"`
	// Cohorts are those whose members were looked up.
	Cohorts []Cohort `json:"cohorts"`
}

// Period is a period as days of a zone, "2031-05-14", or as moments of UTC, "2031-05-14T00:00:00.000Z"; both ends are included.
type Period struct {
	From string `json:"from"`
	To   string `json:"to"`
	Zone string `json:"zone"`
}

// PeriodOf returns the days of a period.
func PeriodOf(p period.Period) Period {
	return Period{From: Day(p.First), To: Day(p.Last), Zone: p.Calendar().Location().String()}
}

// Day is a day as people write it.
func Day(d period.Day) string {
	year, month, day := d.Date()
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// Question is a query that was asked: what its parameters mean, and where the answer is.
type Question struct {
	Asks string `json:"asks"` // for what
	App  string `json:"app"`
	// Source is where the answer is: cells, rows, both, or the table of users.
	Source string `json:"source"`
	Reason string `json:"reason,omitempty"` // why it is not in cells alone
	Period Period `json:"period,omitzero"`  // of the question itself
	// Steps are the events that are asked about: any one of a step will do. Retention has starts, then returns. Exclusions are those that must not happen.
	Steps      [][]Event   `json:"steps,omitempty"`
	Exclusions []Event     `json:"exclusions,omitempty"`
	Filter     filter.Expr `json:"filter,omitzero"`
	Search     string      `json:"search,omitempty"`
	By         []string    `json:"by,omitempty"`       // the paths of properties that make up groups
	CountBy    string      `json:"count_by,omitempty"` // what is counted in place of users
}

// Event is an event that is asked about.
type Event struct {
	Key    string      `json:"event"`
	Name   string      `json:"name,omitempty"`
	Filter filter.Expr `json:"filter,omitzero"`
}

// Cohort is a cohort whose members were looked up.
type Cohort struct {
	App     string `json:"app"`
	ID      string `json:"id"`
	Users   int    `json:"users"`
	Unknown bool   `json:"unknown,omitempty"` // there is none with this id
}

// Span is a run of buckets of a grain, "2031-05-14 23", "2031-05-14" or "2031-05" in the app's zone, both included; "" = the run has no end.
type Span struct {
	Grain string `json:"grain"`
	First string `json:"first"`
	Last  string `json:"last"`
}

// Trace records what a read asks for and the cells that it reads. It is safe for concurrent use.
type Trace struct {
	now func() time.Time

	mu      sync.Mutex
	asked   Query
	known   map[string]bool // what asked has, as JSON
	cells   []Cells
	omitted int // of cells
}

type traceKey struct{}

// Traced returns a context under which a read is recorded.
func Traced(ctx context.Context, now func() time.Time) (context.Context, *Trace) {
	t := &Trace{now: now, known: map[string]bool{}, asked: Query{[]Period{}, []Question{}, []Cohort{}}}
	return context.WithValue(ctx, traceKey{}, t), t
}

// Of returns what records the read of a context, nil if nothing does.
func Of(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}

// Period records a period that a parameter names.
func (t *Trace) Period(p Period) { once(t, &t.asked.Periods, p) }

// Ask records a question.
func (t *Trace) Ask(q Question) { once(t, &t.asked.Questions, q) }

// Cohort records a cohort that was looked up.
func (t *Trace) Cohort(c Cohort) { once(t, &t.asked.Cohorts, c) }

// once adds what is not there yet.
func once[T any](t *Trace, list *[]T, v T) {
	text, err := json.Marshal(v)
	if err != nil {
		return // a filter that cannot be shown
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.known[string(text)] && len(*list) < most {
		t.known[string(text)] = true
		*list = append(*list, v)
	}
}

// Query returns what was asked so far, each once and at most a hundred of a kind.
func (t *Trace) Query() Query {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Query{append([]Period{}, t.asked.Periods...), append([]Question{}, t.asked.Questions...), append([]Cohort{}, t.asked.Cohorts...)}
}
