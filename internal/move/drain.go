package move

import (
	"quipu/internal/ingest/request"
	"quipu/internal/store/journal"
)

// Drain makes of records that a cluster's journal still gets, after the data has moved to a data folder, entries of the folder's journal. It is not safe for concurrent use.
type Drain struct {
	// At is up to where each partition was projected in what has moved.
	At  journal.Watermark
	rec request.Record
}

// Entry is what becomes of a record behind At; ok is false for one that is left out. The payload may be that of the record.
//
// Records stay as they are, but the places of sessions that ended in silence become those of the folder. Left out are what cannot be read, as when it is
// projected; the end of a session that began behind At, as the folder's server closes its idle sessions itself; and settings of apps: the folder's server has appended
// its own, which are those of the cluster or newer, and nothing would bring them back into force.
func (d *Drain) Entry(r journal.Record) (e journal.Entry, ok bool) {
	if request.Decode(r.Payload, &d.rec) != nil {
		return e, false
	}
	e = journal.Entry{Routing: journal.Routing(d.rec.App), Payload: r.Payload}
	switch d.rec.Kind { //nolint:exhaustive // all others stay
	case request.SetSettings:
		return e, false
	case request.SessionTimeout:
		began := journal.PositionOf(d.rec.Session)
		if !d.At.Covers(began.Partition, began.Offset) {
			return e, false
		}
		d.rec.Session = Place(0, d.rec.Session)
		e.Payload = request.Append(nil, &d.rec)
	}
	return e, true
}
