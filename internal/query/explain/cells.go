package explain

import (
	"context"
	"sync/atomic"
	"time"
)

// Cells is a read of cells.
type Cells struct {
	App string `json:"app"`
	// Series is the name of what the cells count, Of the event and the property whose cells they are, Value the only value that is read.
	Series string   `json:"series"`
	Of     []string `json:"of,omitempty"`
	Value  string   `json:"value,omitempty"`
	// Answer is what the read returns: cells, their sums by value over all spans, or sums by week.
	Answer string `json:"answer"`
	Spans  []Span `json:"spans"`
	// Returned is how many of Answer there were, Read how many cells were read from the store: the others were remembered.
	Returned int64 `json:"returned"`
	Read     int64 `json:"cells_read"`
	// Remembered says that the store was not asked: all was remembered.
	Remembered bool    `json:"remembered,omitempty"`
	Seconds    float64 `json:"seconds"` // with what was done with the cells meanwhile
	Error      string  `json:"error,omitempty"`
}

// The answers of a read of cells.
const (
	AnswerCells = "cells"
	AnswerSums  = "sums"
	AnswerWeeks = "weekly sums"
)

// Reading is a read of cells that is under way.
type Reading struct {
	trace    *Trace
	what     Cells
	began    time.Time
	returned atomic.Int64
	read     atomic.Int64
	stored   atomic.Bool
}

type readingKey struct{}

// Begin begins a read of cells.
func (t *Trace) Begin(what Cells) *Reading { return &Reading{trace: t, what: what, began: t.now()} }

// In returns a context of the read.
func (r *Reading) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, readingKey{}, r)
}

// ReadingOf returns the read of cells that a context belongs to, nil if there is none.
func ReadingOf(ctx context.Context) *Reading {
	r, _ := ctx.Value(readingKey{}).(*Reading)
	return r
}

// Return counts what the read returns.
func (r *Reading) Return(n int) { r.returned.Add(int64(n)) }

// Store says that the store was asked and gave n cells.
func (r *Reading) Store(n int) {
	r.stored.Store(true)
	r.read.Add(int64(n))
}

// End ends the read with the error that it had and records it. Beyond a hundred reads they are only counted.
func (r *Reading) End(err error) {
	c := r.what
	c.Returned, c.Read, c.Remembered, c.Seconds = r.returned.Load(), r.read.Load(), !r.stored.Load(), r.trace.now().Sub(r.began).Seconds()
	if err != nil {
		c.Error = err.Error()
	}
	t := r.trace
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.cells) == most {
		t.omitted++
		return
	}
	t.cells = append(t.cells, c)
}

// EndStored is End of a read that returns what the store gives.
func (r *Reading) EndStored(err error) {
	r.returned.Store(r.read.Load())
	r.End(err)
}

// Cells returns the reads of cells, in the order in which they ended, and how many more there were.
func (t *Trace) Cells() (list []Cells, omitted int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Cells{}, t.cells...), t.omitted
}
