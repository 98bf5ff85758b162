package pipeline

import (
	"time"

	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
)

// Observation describes a batch that was committed, or of outcomes of the edge
// that were stored: then Records is 0.
type Observation struct {
	Records, Rows, Requests int
	// Apply is how long the shards took, from Began on, and Commit how long the state did, from Committing on.
	Apply, Commit     time.Duration
	Began, Committing time.Time
	// Outcomes counts what became of what was received; Clamped counts the accepted items
	// among it that had a number beyond its bound.
	Outcomes map[Ended]int64
	Clamped  map[outcome.Item]int64
}

// Ended is a kind of item and what became of it.
type Ended struct {
	Item   outcome.Item
	Reason outcome.Reason
}

// observe reports a committed batch.
func (p *Pipeline) observe(c *commit) {
	if p.o.Observe == nil {
		return
	}
	o := Observation{
		Records: c.records, Apply: c.applied, Commit: p.o.Now().Sub(c.began), Began: c.applying, Committing: c.began, Outcomes: map[Ended]int64{}, Clamped: map[outcome.Item]int64{},
	}
	for _, r := range c.results {
		o.Rows += r.rows
		o.Requests += len(r.part.Requests)
		for k, t := range r.outcomes {
			if k.clamped {
				o.Clamped[k.item] += t.n
				continue
			}
			o.Outcomes[Ended{k.item, k.reason}] += t.n
		}
	}
	p.o.Observe(o)
}

// observeEdge reports stored outcomes of the edge.
func (p *Pipeline) observeEdge(edge map[model.AppID]map[outcome.Key]int64) {
	if p.o.Observe == nil || len(edge) == 0 {
		return
	}
	o := Observation{Outcomes: map[Ended]int64{}}
	for app, counts := range edge {
		if app.IsZero() {
			continue // who counts it is notified at once
		}
		for k, n := range counts {
			o.Outcomes[Ended{k.Item, k.Reason}] += n
		}
	}
	p.o.Observe(o)
}
