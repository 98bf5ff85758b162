package pipeline

import (
	"maps"
	"slices"

	"quipu/internal/ingest/request"
)

// crash makes the row of a crash, which keeps the report as it came.
func (it *Item) crash() {
	if it.Request.Crash == nil {
		return
	}
	it.shard.schema.AddEvent(request.CrashKey)
	row := it.AddRow(request.CrashKey, it.TS)
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
	it.shard.schema.AddEvent(request.CallKey)
	row := it.AddRow(request.CallKey, it.TS)
	row.Name, row.Hour, row.Dow = c.Method, it.Request.Hour, it.Request.Dow
	w := slotWriter{shard: it.shard, row: row, event: request.CallKey}
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
	it.shard.schema.AddEvent(request.ConsentKey)
	row := it.AddRow(request.ConsentKey, it.TS)
	row.Hour, row.Dow = it.Request.Hour, it.Request.Dow
	w := slotWriter{shard: it.shard, row: row, event: request.ConsentKey}
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
