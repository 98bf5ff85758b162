package pipeline

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// RowReader reads an app's rows in the order of the journal.
type RowReader interface {
	ScanRows(ctx context.Context, app model.AppID, after events.Place, fn func(*events.Row) error) error
	ScanRequests(ctx context.Context, app model.AppID, after events.Place, fn func(*events.RequestRow) error) error
}

// rebuilt lists the metrics that rows can give back. Outcomes cannot be
// rebuilt, and stay.
func rebuilt(features Features) []rollup.Metric {
	list := []rollup.Metric{rollup.Users, rollup.Frequency, rollup.Durations, rollup.Events, rollup.Segments, rollup.TimesOfDay}
	for i := range model.Dimensions {
		list = append(list, rollup.Metric(model.Dimensions[i].Metric))
	}
	return append(list, features.metrics()...)
}

// rebuildCells recounts an app's cells from its rows, in the time zone in
// force. The new cells replace the old ones in one batch. Where rows were dropped for
// their age the old cells stay.
func (p *Pipeline) rebuildCells(ctx context.Context, d *decoded) error {
	app, err := p.app(ctx, d.app)
	if err != nil {
		return err
	}
	if app == nil || p.o.Rows == nil {
		p.o.Log.WarnContext(ctx, "cells cannot be rebuilt", "app", d.app.String(), "offset", d.at.Offset)
		return p.storeNothing(ctx, d.at)
	}
	sch, calendar, err := p.countingOf(app)
	if err != nil {
		return err
	}
	r := p.rebuilder(calendar, sch)
	if err := p.untilDone(ctx, "move rows", p.outbox.Drain); err != nil {
		return err
	}
	if err := r.scan(ctx, p.o.Rows, d.app, nil, nil); err != nil {
		return err
	}
	mark, err := p.o.State.Marks(d.app)
	if err != nil {
		return err
	}
	delta := r.acc.Delta()
	kept, err := p.keep(ctx, d.app, mark, calendar, delta)
	if err != nil {
		return err
	}
	mark.Loose = false
	return p.store(ctx, d.at, state.App{ID: d.app, Remove: kept.rewritten(rebuilt(p.o.Features)), Cells: delta, Marks: &mark})
}

// countingOf returns what counts rows of an app under its settings in force.
func (p *Pipeline) countingOf(app *model.App) (schema.Writer, *period.Calendar, error) {
	settings, _, err := p.settings(app)
	if err != nil {
		return nil, nil, err
	}
	sch, err := p.o.Schema.App(app.ID)
	if err != nil {
		return nil, nil, fmt.Errorf("open schema: %w", err)
	}
	sch.SetLimits(settings.Limits)
	p.o.Features.bound(sch)
	calendar, _ := p.zones.Get(settings.Timezone)
	return sch, calendar, nil
}

// rebuilder counts rows as the pipeline counted the requests they come from.
type rebuilder struct {
	acc      *cells.Accumulator
	sch      countedBy
	events   map[string]*known
	features Features
	owners   owners
}

func (p *Pipeline) rebuilder(calendar *period.Calendar, sch countedBy) rebuilder {
	return rebuilder{acc: cells.New(calendar), sch: sch, events: map[string]*known{}, features: p.o.Features, owners: p.owners}
}

// known is what the schema says of an event, by property.
type known struct {
	event  schema.Event
	byName map[string]*schema.Segment
}

func (r *rebuilder) known(key string) *known {
	k := r.events[key]
	if k == nil {
		event, _ := r.sch.Event(key)
		k = knownOf(event)
		r.events[key] = k
	}
	return k
}

func knownOf(event schema.Event) *known {
	k := &known{event: event, byName: map[string]*schema.Segment{}}
	for i := range k.event.Segments {
		s := &k.event.Segments[i]
		k.byName[s.Name] = s
	}
	return k
}

// row counts one row. Its texts are copied where the cells keep them.
func (r *rebuilder) row(row *events.Row) error {
	if f := r.owners.rows[row.Key]; f != nil {
		extra, _ := scalars(row.Extra) // as textsOf
		f.Count(f.counter(r.acc, r.sch, row.Offset), row, &rowTexts{r.known(row.Key), row, extra})
		return nil
	}
	switch row.Key {
	case cells.BeginKey:
		r.begin(row)
	case cells.SessionKey:
		r.closed(row)
	case events.CustomKey:
		return r.event(row)
	default:
		if request.FieldOf(row.Key) == nil {
			return r.event(row)
		}
	}
	return nil
}

func (r *rebuilder) begin(row *events.Row) {
	k := r.known(cells.BeginKey)
	var dims model.Dims
	for i := range dims {
		dims[i] = k.text(row, model.Dimensions[i].Name)
	}
	r.acc.Begin(row.Offset, row.TS, row.UID, int(k.number(row, "frequency")), k.number(row, "is_new") == 1, &dims)
	r.acc.SessionTime(row.Offset, row.TS, row.Dow, row.Hour)
	r.features.eachBegin(row, func(f *Feature, begin SessionBegin) { begin.Count(f.counter(r.acc, r.sch, row.Offset), row) })
}

func (r *rebuilder) closed(row *events.Row) {
	k := r.known(cells.SessionKey)
	c := session.Closed{At: row.TS, Seconds: k.number(row, "seconds")}
	if row.Count == 0 {
		c.Reopened = true
		c.ClosedSeconds, c.ClosedAt = k.number(row, "closed_seconds"), int64(k.number(row, "closed_at"))
	}
	r.acc.Close(row.Offset, &c)
	r.features.eachEnd(row, func(f *Feature, end SessionEnd) { end.Count(f.counter(r.acc, r.sch, row.Offset), c.At, c.ClosedAt) })
}

func (r *rebuilder) event(row *events.Row) error {
	key := row.Key
	if key == events.CustomKey {
		key = row.Name
	}
	k := r.known(key)
	if k.event.Key == "" {
		return nil // deleted meanwhile
	}
	extra, err := scalars(row.Extra)
	if err != nil {
		return fmt.Errorf("row %d/%d: %w", row.Offset, row.Item, err)
	}
	var count func(name, value string)
	of := r.owners.events[key]
	if of != nil {
		if count = r.subject(of, k, row, extra); count == nil {
			return nil
		}
	} else {
		ev := r.acc.Event(row.Offset, row.TS, row.UID, k.event.Key, cells.Amount{Count: row.Count, Sum: row.Sum, Dur: row.Dur})
		ev.Time(row.Dow, row.Hour)
		count = ev.Segment
	}
	for i := range k.event.Segments {
		s := &k.event.Segments[i]
		text, ok := value(s, row, extra)
		if !ok || !countsValues(of, key, s.Name) {
			continue
		}
		value := valueOf(of, key, text)
		counted, err := r.sch.AddValue(valuesOf(of), k.event.Key, s.Name, value)
		if err != nil {
			return fmt.Errorf("add value of segment: %w", err)
		}
		if counted {
			count(s.Name, value)
		}
	}
	return nil
}

// subject counts a row of a feature under its subject and returns what counts it by segments; nil when the row counts
// under none.
func (r *rebuilder) subject(of *Feature, k *known, row *events.Row, extra map[string]string) func(name, value string) {
	if row.Name == "" {
		return nil
	}
	recorded := &rowTexts{k, row, extra}
	num, ok := of.Items.Subject(Subjects{of.Subjects, r.sch}, row, recorded)
	if !ok {
		return nil
	}
	return r.acc.Subject(row.Offset, row.TS, row.UID, of.Items.Under, num, of.Items.Adds[row.Key].Of(row.Dur, recorded)).Segment
}

// rowTexts are the segments of a stored row.
type rowTexts struct {
	known *known
	row   *events.Row
	extra map[string]string
}

// textsOf returns the segments of a row that is recorded just now.
func textsOf(sch schema.Writer, row *events.Row) *rowTexts {
	event, _ := sch.Event(row.Key)
	extra, _ := scalars(row.Extra) // Extra was written by this package
	return &rowTexts{knownOf(event), row, extra}
}

// Text implements Texts.
func (t *rowTexts) Text(name string) string {
	s := t.known.byName[name]
	if s == nil {
		return ""
	}
	v, _ := value(s, t.row, t.extra)
	return v
}

// text returns a text property of a row, "" when it has none. Those beyond the slots are in the JSON column.
func (k *known) text(row *events.Row, name string) string {
	s := k.byName[name]
	if s == nil {
		return ""
	}
	switch s.Slot.Kind {
	case schema.Text:
		if v := row.Text[s.Slot.Index-1]; v != nil {
			return string([]byte(*v))
		}
	case schema.JSON:
		members, _ := scalars(row.Extra) // Extra was written by this package
		return members[name]
	case schema.Number, schema.NoSlot:
	}
	return ""
}

// number returns a number property of a row, 0 when it has none.
func (k *known) number(row *events.Row, name string) float64 {
	if s := k.byName[name]; s != nil && s.Slot.Kind == schema.Number {
		if v := row.Num[s.Slot.Index-1]; v != nil {
			return *v
		}
	}
	return 0
}

// value returns the text under which a property of a row was counted; false
// when the row has none.
func value(s *schema.Segment, row *events.Row, extra map[string]string) (string, bool) {
	for _, slot := range [2]schema.Slot{s.Slot, s.Was} {
		switch slot.Kind {
		case schema.Text:
			if v := row.Text[slot.Index-1]; v != nil {
				return string([]byte(*v)), true
			}
		case schema.Number:
			if v := row.Num[slot.Index-1]; v != nil {
				return numberText(*v), true
			}
		case schema.JSON:
			if v, ok := extra[s.Name]; ok {
				return v, true
			}
		case schema.NoSlot:
		}
	}
	return "", false
}

// scalars returns the members of the JSON column that are no lists or
// objects, as the texts they count under.
func scalars(extra string) (map[string]string, error) {
	if extra == "" {
		return nil, nil
	}
	out := map[string]string{}
	err := rawjson.Members([]byte(extra), func(key, v []byte) bool {
		name := string(rawjson.Unescape(nil, key))
		switch rawjson.KindOf(v) {
		case rawjson.String:
			text, _ := rawjson.Text(nil, v)
			out[name] = string(text)
		case rawjson.Number:
			if f, ok := rawjson.Float(v); ok {
				out[name] = numberText(f)
			}
		case rawjson.Bool:
			out[name] = string(v)
		case rawjson.Invalid, rawjson.Null, rawjson.Array, rawjson.Object:
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read properties: %w", err)
	}
	return out, nil
}

// numberText writes a number as package request does: as JavaScript would.
func numberText(f float64) string {
	a := math.Abs(f)
	switch {
	case f == 0:
		return "0"
	case a >= 1e-6 && a < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	// JavaScript writes 1e-7 where Go writes 1e-07.
	if n := len(s); n > 4 && s[n-2] == '0' && (s[n-3] == '-' || s[n-3] == '+') {
		s = s[:n-2] + s[n-1:]
	}
	return s
}
