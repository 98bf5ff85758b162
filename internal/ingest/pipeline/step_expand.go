package pipeline

import (
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/ingest/request"
	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

// expand makes the rows of the request: sessions, consent, events, crash, trace. The
// user state is settled before, so all of them carry the new one.
func expand(it *Item) error {
	if it.Created || it.changed || len(it.merged) > 0 || !props.SameFields(it.Profile, it.saved) {
		state, err := it.shard.state(it.Profile, it.Offset)
		if err != nil {
			return err
		}
		it.state = state
	}
	it.shard.placeBuf = it.shard.placeBuf[:0]
	if err := it.sessionRows(); err != nil {
		return err
	}
	it.consent()
	for i := range it.Events {
		if e := &it.Events[i]; e.Dropped == outcome.Accepted {
			it.eventRow(e)
		}
	}
	it.crash()
	it.trace()
	it.call()
	return nil
}

// eventRow makes the row of an event item, unless the app has too many keys.
func (it *Item) eventRow(e *Event) {
	if !it.shard.schema.AddEvent(e.Event.Key) {
		e.Dropped = outcome.EventLimit
		return
	}
	e.Key, e.Name = events.CustomKey, e.Event.Key
	internal := strings.HasPrefix(e.Event.Key, request.ReservedPrefix)
	if internal {
		e.Key, e.Name = e.Event.Key, it.eventName(e)
	}
	row := it.AddRow(e.Key, e.TS)
	row.Name, row.Count, row.Sum, row.Dur = e.Name, e.Count, e.Sum, e.Dur
	row.Hour, row.Dow = it.clock(e)
	w := slotWriter{shard: it.shard, row: row, event: e.Event.Key}
	e.places = it.shard.places(len(e.Segmentation))
	for i := range e.Segmentation {
		g := &e.Segmentation[i]
		if moved(e, g) {
			row.Dur = min(max(g.Number, 0), request.MaxSeconds)
			e.clamped = e.clamped || g.Number > row.Dur
			e.Dur = row.Dur
			continue
		}
		e.places[i].Slot = w.slot(g.Name, slotKind(g))
		w.segment(g, e.places[i].Slot)
	}
	w.end()
	if e.Subject != 0 {
		e.adds = e.owner.Items.Adds[e.Key].Of(e.Dur, e)
	}
}

// clock returns hour and weekday of an event by the device's clock: its own,
// else the request's.
func (it *Item) clock(e *Event) (hour, dow int8) {
	hour, dow = e.Hour, e.Dow
	if hour < 0 {
		hour = it.Request.Hour
	}
	if dow < 0 {
		dow = it.Request.Dow
	}
	return hour, dow
}

// eventName is the name (n) of an internal event. That of a subject is missing when the app has
// too many of them, so that the row tells whether it was counted.
func (it *Item) eventName(e *Event) string {
	if segment := it.shard.p.owners.names[e.Event.Key]; segment != "" {
		return textOf(e.Event, segment)
	}
	return e.SubjectName
}

// textOf returns the text of a segment; "" when there is none.
func textOf(e *request.Event, name string) string {
	for i := range e.Segmentation {
		if g := &e.Segmentation[i]; g.Name == name {
			return g.Text
		}
	}
	return ""
}

// Text returns the text of a segment that has a slot, or "".
func (e *Event) Text(name string) string {
	for i := range e.Segmentation {
		if g := &e.Segmentation[i]; g.Name == name && e.places[i].Kind != schema.NoSlot {
			return g.Text
		}
	}
	return ""
}

// moved reports whether a segment stands in a column of its own and takes no
// slot: a duration that a feature takes from a segment.
func moved(e *Event, g *request.Segment) bool {
	return e.owner != nil && g.Kind == request.NumberValue && e.owner.Items.Duration(e.Event.Key, g.Name)
}

// places returns room for what is found out about n segments, valid until the request is settled.
func (l *shard) places(n int) []place {
	if cap(l.placeBuf)-len(l.placeBuf) < n {
		l.placeBuf = make([]place, 0, max(64, 2*cap(l.placeBuf), n))
	}
	start := len(l.placeBuf)
	l.placeBuf = l.placeBuf[:start+n]
	out := l.placeBuf[start : start+n : start+n]
	clear(out)
	return out
}
