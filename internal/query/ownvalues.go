package query

import (
	"context"
	"math"
	"strconv"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/registry"
)

// SegmentValues are values of a segment of an event, as the texts they are counted under.
type SegmentValues struct {
	Event, Segment string
	Values         []string
}

// OwnValues returns the values of segments that stand in event rows of the users and in those of
// nobody else: what identifies them, where an app sends such things with its events.
func (t *Tables) OwnValues(ctx context.Context, app model.AppID, uids []uint32) ([]SegmentValues, error) {
	if len(uids) == 0 {
		return nil, nil
	}
	whose := "ev.uid IN (" + numbers(uids) + ")"
	sent := map[[2]string]bool{} // e and n of their rows
	err := t.rows.Query(ctx, "SELECT DISTINCT ev.e, coalesce(ev.n, '') FROM "+eventsTable(app)+" AS ev WHERE "+whose, nil, func(r events.Scanner) error {
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
	for _, ev := range t.registry.Events(app) {
		key, name := events.Selector(ev.Key)
		rows, ok := rowsOf(ev.Key)
		if !ok || !sent[[2]string{events.CleanText(key), events.CleanText(name)}] {
			continue
		}
		for _, s := range ev.Segments {
			own := SegmentValues{Event: ev.Key, Segment: s.Name}
			for _, slot := range [2]registry.Slot{s.Slot, s.Was} {
				if err := t.ownIn(ctx, app, valueOf(slot, s.Name), rows, whose, &own.Values); err != nil {
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

// valueOf is the expression of a slot's value; "" when it has none.
func valueOf(slot registry.Slot, name string) string {
	if slot.Kind != registry.JSON {
		return slotName(slot)
	}
	expr, ok := member("ev.extra", name)
	if !ok {
		return ""
	}
	return expr + " ->> '$'"
}

// ownIn appends the values of an expression that no rows have but those of whose.
func (t *Tables) ownIn(ctx context.Context, app model.AppID, expr, rows, whose string, out *[]string) error {
	if expr == "" {
		return nil
	}
	from := " FROM " + eventsTable(app) + " AS ev WHERE " + rows
	err := t.rows.Query(ctx, "SELECT "+expr+" AS v"+from+" AND v IN (SELECT "+expr+from+" AND "+whose+") GROUP BY v HAVING bool_and("+whose+") ORDER BY v", nil,
		func(r events.Scanner) error {
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
		})
	return missing(err)
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
	known := map[string]registry.Event{}
	for _, ev := range t.registry.Events(app) {
		known[ev.Key] = ev
	}
	var out []SegmentValues
	for _, v := range list {
		rows, ok := rowsOf(v.Event)
		if !ok {
			continue
		}
		sent := map[string]bool{}
		for _, s := range known[v.Event].Segments {
			if s.Name != v.Segment {
				continue
			}
			for _, slot := range [2]registry.Slot{s.Slot, s.Was} {
				if err := t.sentIn(ctx, app, slot, s.Name, rows, v.Values, sent); err != nil {
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

// sentIn marks those of the values that rows have in a slot.
func (t *Tables) sentIn(ctx context.Context, app model.AppID, slot registry.Slot, name, rows string, values []string, sent map[string]bool) error {
	expr := valueOf(slot, name)
	var args []any
	for _, text := range values {
		if slot.Kind != registry.Number {
			args = append(args, text)
		} else if f, err := strconv.ParseFloat(text, 64); err == nil {
			args = append(args, f)
		}
	}
	if expr == "" || len(args) == 0 {
		return nil
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	err := t.rows.Query(ctx, "SELECT DISTINCT "+expr+" AS v FROM "+eventsTable(app)+" AS ev WHERE "+rows+" AND v IN ("+marks+")", args,
		func(r events.Scanner) error {
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
		})
	return missing(err)
}
