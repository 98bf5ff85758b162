package query

import (
	"context"
	"math"
	"strconv"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// SegmentValues are values of a segment of an event, as the texts they are counted under.
type SegmentValues struct {
	Event, Segment string
	Values         []string
}

// OwnValues returns the values of segments that stand in event rows of the users and in those of
// nobody else: what identifies them, where an app sends such things with its events.
func (t *Tables) OwnValues(ctx context.Context, app model.AppID, uids []uint32) ([]SegmentValues, error) {
	ctx = plan.For(ctx, plan.ValuesOperator)
	if len(uids) == 0 {
		return nil, nil
	}
	whose := byUser(plan.Ev("uid"), uids)
	q := &plan.Query{
		App: app, From: plan.Events, Where: whose, Distinct: true,
		Select: []plan.Expr{plan.Ev("e"), plan.Do(plan.Coalesce, plan.Ev("n"), plan.Is(""))},
	}
	sent := map[[2]string]bool{} // e and n of their rows
	err := t.rows.Run(ctx, q, func(r events.Scanner) error {
		var k [2]string
		err := r.Scan(&k[0], &k[1])
		sent[k] = true
		sent[[2]string{k[0], ""}] = true
		return err
	})
	if err != nil {
		return nil, missing(err)
	}
	var out []SegmentValues
	for _, ev := range t.schema.Events(app) {
		key, name := events.Selector(ev.Key)
		if !sent[[2]string{events.CleanText(key), events.CleanText(name)}] {
			continue
		}
		for _, s := range ev.Segments {
			own := SegmentValues{Event: ev.Key, Segment: s.Name}
			for _, v := range plan.ValuesOf(&s) {
				if err := t.ownIn(ctx, app, v.Expr, rowsOf(ev.Key), whose, &own.Values); err != nil {
					return nil, err
				}
			}
			if len(own.Values) > 0 {
				out = append(out, own)
			}
		}
	}
	return out, nil
}

// rowsOf is the condition that a row is of an event key.
func rowsOf(event string) plan.Expr {
	key, name := events.Selector(event)
	if name == "" {
		return plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key))
	}
	return plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(key)), plan.Do(plan.Eq, plan.Ev("n"), plan.Is(name)))
}

// byUser is the condition that a column has the number of one of the users.
func byUser(column plan.Column, uids []uint32) plan.Expr {
	list := make([]int64, len(uids))
	for i, uid := range uids {
		list[i] = int64(uid)
	}
	return plan.OneOf(column, list)
}

// ownIn appends the values of a property that no rows have but those of whose.
func (t *Tables) ownIn(ctx context.Context, app model.AppID, value, rows, whose plan.Expr, out *[]string) error {
	theirs := &plan.Query{App: app, From: plan.Events, Where: plan.All(rows, whose), Select: []plan.Expr{value}}
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.All(rows, plan.Among{Of: value, Query: theirs}), Select: []plan.Expr{value},
		Having: plan.Agg{Fn: plan.Every, Of: whose}, Order: []plan.Order{{By: value}},
	}
	return missing(t.rows.Run(ctx, q, func(r events.Scanner) error {
		var v any
		if err := r.Scan(&v); err != nil {
			return err
		}
		switch v := v.(type) {
		case string:
			*out = append(*out, v)
		case float64:
			*out = append(*out, numberText(v))
		}
		return nil
	}))
}

// numberText writes a number as JavaScript would.
func numberText(f float64) string {
	if a := math.Abs(f); f == 0 || a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f+0, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	if n := len(s); n > 4 && s[n-2] == '0' && (s[n-3] == '-' || s[n-3] == '+') {
		s = s[:n-2] + s[n-1:] // 1e-7 where Go writes 1e-07
	}
	return s
}

// Unsent returns those of the values that stand in no event row (any more).
func (t *Tables) Unsent(ctx context.Context, app model.AppID, list []SegmentValues) ([]SegmentValues, error) {
	ctx = plan.For(ctx, plan.ValuesOperator)
	known := map[string]schema.Event{}
	for _, ev := range t.schema.Events(app) {
		known[ev.Key] = ev
	}
	var out []SegmentValues
	for _, v := range list {
		sent := map[string]bool{}
		for _, s := range known[v.Event].Segments {
			if s.Name != v.Segment {
				continue
			}
			for _, in := range plan.ValuesOf(&s) {
				if err := t.sentIn(ctx, app, in, rowsOf(v.Event), v.Values, sent); err != nil {
					return nil, err
				}
			}
		}
		left := SegmentValues{Event: v.Event, Segment: v.Segment}
		for _, text := range v.Values {
			if !sent[text] {
				left.Values = append(left.Values, text)
			}
		}
		if len(left.Values) > 0 {
			out = append(out, left)
		}
	}
	return out, nil
}

// sentIn marks those of the values that rows have in one of the places of a property.
func (t *Tables) sentIn(ctx context.Context, app model.AppID, value plan.Typed, rows plan.Expr, values []string, sent map[string]bool) error {
	in := plan.In{Of: value.Expr}
	for _, text := range values {
		if value.Type != filter.Number {
			in.Values = append(in.Values, text)
		} else if f, err := strconv.ParseFloat(text, 64); err == nil {
			in.Values = append(in.Values, f)
		}
	}
	if len(in.Values) == 0 {
		return nil
	}
	q := &plan.Query{App: app, From: plan.Events, Where: plan.All(rows, in), Select: []plan.Expr{value.Expr}, Distinct: true}
	return missing(t.rows.Run(ctx, q, func(r events.Scanner) error {
		var v any
		if err := r.Scan(&v); err != nil {
			return err
		}
		switch v := v.(type) {
		case string:
			sent[v] = true
		case float64:
			sent[numberText(v)] = true
		}
		return nil
	}))
}
