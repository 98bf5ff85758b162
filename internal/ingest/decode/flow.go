package decode

import (
	"context"
	"slices"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
)

const (
	// flowCost is what is held for a byte of a record that flows on: itself, and the journal's copy.
	flowCost = 2
	// originCost is what a record grows by when it flows on, bytes.
	originCost = 64
)

// recordEnd is where a record of a scratch ends, and what its entry in the journal is routed by.
type recordEnd struct {
	at      int
	routing uint64
}

// put adds the record to those that sc appends, and behind it one for each app that the data of its app flow into. All
// of them are appended at once, so each is projected exactly once, whatever happens in between. Only what clients sent
// flows on, so apps that flow into each other make no circle. Each further record is charged to the request before it is
// made. put returns what is not taken, or memory.ErrBusy or ctx's error.
func (d *Decoder) put(ctx context.Context, sc *scratch, app *model.App, rec *request.Record) (drops []drop, err error) {
	if size := request.Size(rec); size > lastPiece { // one that grows by appending takes several times as much
		sc.payload = slices.Grow(sc.payload, size)
	}
	size := -int64(len(sc.payload))
	sc.payload = request.Append(sc.payload, rec)
	sc.ends = append(sc.ends, recordEnd{len(sc.payload), journal.Routing(app.ID)})
	size += int64(len(sc.payload)) + originCost
	for _, id := range app.FlowsInto() {
		to := d.o.Apps.ByID(id)
		if to == nil {
			continue // deleted meanwhile
		}
		if reason := closed(to, rec.Params); reason != outcome.Accepted {
			drops = append(drops, drop{app: to.ID, reason: reason})
			continue
		}
		if err := sc.claim.Grow(ctx, flowCost*size); err != nil {
			return drops, err
		}
		flowing := *rec
		flowing.App, flowing.Print = to.ID, [16]byte{} // that is of another app
		flowing.Params = append(slices.DeleteFunc(slices.Clone(rec.Params), func(p request.Param) bool {
			return p.Name == request.OriginParam || p.Name == request.ReceiptParam
		}), request.Param{Name: request.OriginParam, Value: []byte(app.ID.String())})
		sc.payload = request.Append(sc.payload, &flowing)
		sc.ends = append(sc.ends, recordEnd{len(sc.payload), journal.Routing(to.ID)})
	}
	return drops, nil
}

// entries returns the records that were put. They are valid until sc is reset.
func (sc *scratch) entries() []journal.Entry {
	out := make([]journal.Entry, len(sc.ends))
	start := 0
	for i, e := range sc.ends {
		out[i] = journal.Entry{Routing: e.routing, Payload: sc.payload[start:e.at]}
		start = e.at
	}
	return out
}

// closed says why an app takes no requests; Accepted when it does.
func closed(app *model.App, list []request.Param) outcome.Reason {
	if app.Paused {
		return outcome.AppPaused
	}
	if app.Locked {
		for i := range list {
			if list[i].Name == "populator" && request.Truthy(&list[i]) {
				return outcome.AppLocked
			}
		}
	}
	return outcome.Accepted
}
