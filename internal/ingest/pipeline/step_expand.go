package pipeline

import (
	"maps"
	"slices"
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/ingest/request"
	"quipu/internal/store/schema"
)

// The event keys of rows that are no event item of their own key.
const (
	CustomKey  = "[CLY]_custom"
	CrashKey   = "[CLY]_crash"
	ConsentKey = "[CLY]_consent"
	// CallKey is the key of calls of features, see request.RecordedCall. The name of the row is the method.
	CallKey = "[CLY]_sdk_call"
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
	e.Key, e.Name = CustomKey, e.Event.Key
	internal := strings.HasPrefix(e.Event.Key, request.ReservedPrefix)
	if internal {
		e.Key, e.Name = e.Event.Key, eventName(e)
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
func eventName(e *Event) string {
	switch e.Event.Key {
	case "[CLY]_star_rating", "[CLY]_nps", "[CLY]_survey":
		return textOf(e.Event, "widget_id")
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

// crash makes the row of a crash, which keeps the report as it came.
func (it *Item) crash() {
	if it.Request.Crash == nil {
		return
	}
	it.shard.schema.AddEvent(CrashKey)
	row := it.AddRow(CrashKey, it.TS)
	row.Hour, row.Dow = it.Request.Hour, it.Request.Dow
	row.Extra = string(appendStrict(nil, string(it.Request.Crash)))
}

// trace makes the row of a sample of performance: n is its name, each metric a number, and stz and etz are when it began and
// ended by the device's clock (ms).
func (it *Item) trace() {
	t := it.Request.Trace
	if t == nil {
		return
	}
	key := t.Key()
	it.shard.schema.AddEvent(key)
	row := it.AddRow(key, it.TS)
	row.Name, row.Hour, row.Dow = t.Name, it.Request.Hour, it.Request.Dow
	w := slotWriter{shard: it.shard, row: row, event: key}
	for _, m := range t.Metrics {
		w.number(m.Name, m.Number)
	}
	if t.Start != 0 {
		w.number("stz", float64(t.Start))
	}
	if t.End != 0 {
		w.number("etz", float64(t.End))
	}
	w.end()
}

// call makes the row of a call that is kept for a feature.
func (it *Item) call() {
	c := &it.Request.Call
	if !request.RecordedCall(c.Method) {
		return
	}
	it.shard.schema.AddEvent(CallKey)
	row := it.AddRow(CallKey, it.TS)
	row.Name, row.Hour, row.Dow = c.Method, it.Request.Hour, it.Request.Dow
	w := slotWriter{shard: it.shard, row: row, event: CallKey}
	w.text("key", &c.Key)
	w.text("variant", &c.Variant)
	if c.Keys != nil {
		w.json("keys", string(c.Keys))
	}
	w.end()
}

// consent compares the consent sent with what is known and makes a row of the
// features that changed: <feature> and, when known before, <feature>_bf; _type
// is i, o, or both. What was not sent stays as it is.
func (it *Item) consent() {
	p, now := it.Profile, it.Request.Consent
	if len(now) == 0 {
		return
	}
	var changed []string
	in, out := false, false
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if before, known := p.Consent[name]; !known || before != now[name] {
			changed = append(changed, name)
			in, out = in || now[name], out || !now[name]
		}
	}
	if len(changed) == 0 {
		return
	}
	it.shard.schema.AddEvent(ConsentKey)
	row := it.AddRow(ConsentKey, it.TS)
	row.Hour, row.Dow = it.Request.Hour, it.Request.Dow
	w := slotWriter{shard: it.shard, row: row, event: ConsentKey}
	texts := [...]string{"false", "true", "i", "o"}
	flag := func(on bool) *string {
		if on {
			return &texts[1]
		}
		return &texts[0]
	}
	switch {
	case in && out:
		w.json("_type", `["i","o"]`)
	case in:
		w.text("_type", &texts[2])
	default:
		w.text("_type", &texts[3])
	}
	for _, name := range changed {
		w.text(name, flag(now[name]))
		if before, known := p.Consent[name]; known {
			w.text(name+"_bf", flag(before))
		}
	}
	w.end()
	next := maps.Clone(p.Consent)
	if next == nil {
		next = map[string]bool{}
	}
	maps.Copy(next, now)
	p.Consent = next
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
