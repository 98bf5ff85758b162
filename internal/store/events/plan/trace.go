package plan

import (
	"context"
	"sync"
)

// Bounds of a Trace.
const (
	traceStatements = 100
	traceText       = 8 << 10 // bytes of a statement, and of a plan
	traceArgs       = 100     // of a statement
)

// Trace records the statements that an event store runs under a context, for people who want to know what a read does.
// The zero Trace is empty. It is safe for concurrent use.
type Trace struct {
	mu      sync.Mutex
	list    []Statement
	omitted int
}

// Statement is a statement that was run. Long texts are cut.
type Statement struct {
	Plan string `json:"plan"` // as it was compiled, see Query.String; "" for what is no plan
	SQL  string `json:"sql"`
	// Remembered says that nothing was run: the answer was remembered from before.
	Remembered bool `json:"remembered,omitempty"`
	// Args are the values of the statement's placeholders.
	Args []any `json:"args"`
	// Read is the number of rows that its scans read, Returned that of its result; -1 = unknown.
	Read     int64   `json:"rows_read"`
	Returned int64   `json:"rows_returned"`
	Seconds  float64 `json:"seconds"`
	Error    string  `json:"error,omitempty"`
}

type traceKey struct{}

// Traced returns a context under which statements are recorded.
func Traced(ctx context.Context) (context.Context, *Trace) {
	t := &Trace{}
	return context.WithValue(ctx, traceKey{}, t), t
}

// TraceOf returns what records the statements of a context, nil if nothing does.
func TraceOf(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}

// Add records a statement. Beyond a hundred they are only counted.
func (t *Trace) Add(s Statement) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) == traceStatements {
		t.omitted++
		return
	}
	s.Plan, s.SQL = clip(s.Plan), clip(s.SQL)
	args := []any{}
	for _, a := range s.Args[:min(len(s.Args), traceArgs)] {
		if text, ok := a.(string); ok {
			a = clip(text)
		}
		args = append(args, a)
	}
	s.Args = args
	t.list = append(t.list, s)
}

// Statements returns what was recorded, in the order in which it ended, and how many more there were.
func (t *Trace) Statements() (list []Statement, omitted int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Statement{}, t.list...), t.omitted
}

func clip(text string) string {
	if len(text) <= traceText {
		return text
	}
	return text[:traceText] + "…"
}
