package pipeline

import (
	"cmp"
	"slices"

	"quipu/internal/ingest/outcome"
)

// receipt is what became of a request that somebody may wait for.
type receipt struct {
	tag     []byte
	receipt outcome.Receipt
}

// receipt keeps what became of the record until the batch is committed, if somebody waits for it. The shard's item is that of the record
// if it could be read.
func (l *shard) receipt(d *decoded, reason outcome.Reason) {
	if d.receipt == nil {
		return
	}
	it := &l.item
	n := 0
	if d.req != nil {
		n = len(d.req.Events) + len(d.req.Refused) + 4
	}
	room, wanted := l.p.o.Receipts.Room(d.receipt, n)
	if !wanted {
		return
	}
	r := outcome.Receipt{Reason: reason}
	if d.req != nil && !d.broken {
		r.Parts = it.parts(reason)
		slices.SortStableFunc(r.Parts, func(a, b outcome.Part) int { return cmp.Or(cmp.Compare(a.Item, b.Item), cmp.Compare(a.Index, b.Index)) })
		if len(r.Parts) > room {
			r.Parts, r.More = slices.Clone(r.Parts[:room]), len(r.Parts)-room
		}
	}
	l.receipts = append(l.receipts, receipt{d.receipt, r})
}

// parts are those of a request that ended for a reason, and what became of each.
func (it *Item) parts(reason outcome.Reason) []outcome.Part {
	var out []outcome.Part
	one := func(item outcome.Item, reason outcome.Reason) {
		out = append(out, outcome.Part{Item: item, Index: -1, Reason: reason})
	}
	switch {
	case it.Request.Begin && reason == outcome.Accepted && it.Began == nil:
		one(outcome.Session, outcome.SessionCooldown)
	case it.Request.Begin:
		one(outcome.Session, reason)
	}
	if it.Request.Crash != nil {
		one(outcome.Crash, reason)
	}
	if it.Request.Trace != nil {
		one(outcome.Trace, reason)
	}
	if it.Request.Picture != "" {
		one(outcome.Picture, reason)
	}
	for _, d := range it.Request.Drops {
		if d.Item != outcome.Event {
			one(d.Item, d.Reason)
		}
	}
	for i := range it.Request.Events {
		p := outcome.Part{Item: outcome.Event, Index: it.Request.Places[i], Reason: reason}
		if reason == outcome.Accepted {
			p.Reason = it.Events[i].Dropped
		}
		out = append(out, p)
	}
	return append(out, it.Request.Refused...)
}
