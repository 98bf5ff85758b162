package compliancehub

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
)

// consentKey is the event key of changes of consent.
const consentKey = request.ConsentKey

// pathOf is where the event rows have a field of the wire's history.
func pathOf(field string) string {
	switch field {
	case "device_id":
		return "did"
	case "type":
		return "sg._type"
	}
	if feature, ok := strings.CutPrefix(field, "change."); ok {
		return "sg." + feature
	}
	return field
}

// translate brings a filter of the wire's fields to those of rows. The consent that rows hold is text.
func translate(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range x {
			out[pathOf(k)] = translate(v)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = translate(x[i])
		}
		return out
	}
	return v
}

// texts makes the switches of a filter the texts that rows hold, but for those of $exists.
func texts(key string, v any) any {
	switch x := v.(type) {
	case bool:
		if key != "$exists" {
			return strconv.FormatBool(x)
		}
	case map[string]any:
		for k := range x {
			x[k] = texts(k, x[k])
		}
	case []any:
		for i := range x {
			x[i] = texts(key, x[i])
		}
	}
	return v
}

// selection is the filter for the rows of the history that a request asks for.
func (s *service) selection(app *model.App, r listReq) (filter.Expr, error) {
	own := map[string]any{"e": consentKey}
	if r.Period != "" {
		p, err := period.Parse(r.Period, s.now(), period.NewCalendar(app.Location()))
		if err != nil {
			return filter.Expr{}, fault.Wrap(err, fault.Invalid, "compliancehub.bad_period", "Bad request parameter: period")
		}
		cal := p.Calendar()
		own["ts"] = map[string]any{"$gte": float64(cal.DayStart(p.First)), "$lte": float64(cal.DayEnd(p.Last))}
	}
	if strings.ContainsRune(r.Search, 0) || !utf8.ValidString(r.Search) {
		own["did"] = map[string]any{"$in": []any{}} // no device is called so
	} else if r.Search != "" {
		own["did"] = map[string]any{"$regex": regexp.QuoteMeta(r.Search), "$options": "i"}
	}
	base, err := filter.Parse(own)
	if err != nil {
		return filter.Expr{}, err
	}
	var asked map[string]any
	if json.Unmarshal(r.where(), &asked) != nil {
		return base, nil //nolint:nilerr // an unusable filter is none
	}
	f, err := filter.Parse(texts("", translate(asked)))
	if err != nil {
		return base, nil //nolint:nilerr // as above
	}
	return filter.And(base, f), nil
}

// changes returns rows of the history in the form of the wire, and how many there are.
func (s *service) changes(ctx context.Context, app *model.App, r listReq, skip, limit int) ([]map[string]any, int64, error) {
	f, err := s.selection(app, r)
	if err != nil {
		return nil, 0, err
	}
	total, err := s.rows.CountEvents(ctx, app.ID, f)
	if err != nil {
		return nil, 0, err
	}
	key, desc := r.sort()
	if key = pathOf(key); key == "" {
		key = "ts"
	}
	export, err := s.rows.Events(ctx, app.ID, query.RowSelection{
		Filter: f, Fields: []string{"ts", "cd", "uid", "sg"}, Sort: key, Desc: desc, Skip: int64(skip), Limit: int64(limit),
	})
	if err != nil {
		return nil, 0, err
	}
	rows, fields := []map[string]any{}, r.fields()
	err = export.Each(ctx, func(values []any) error {
		row := changeOf(export.Columns, values)
		row["a"] = app.ID.String()
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	for i, row := range rows {
		uid, _ := row["uid"].(string)
		if row["uid"], row["device_id"], err = s.person(ctx, app.ID, uid); err != nil {
			return nil, 0, err
		}
		rows[i] = kept(row, fields)
	}
	return rows, total, nil
}

// changeOf makes a row of the wire of the values of an event row.
func changeOf(columns [][]string, values []any) map[string]any {
	row, change := map[string]any{}, map[string]bool{}
	for i, path := range columns {
		v := values[i]
		switch {
		case v == nil:
		case len(path) == 2 && path[0] == "sg" && path[1] == "_type":
			row["type"] = v
		case len(path) == 2 && path[0] == "sg":
			change[path[1]] = v == "true"
		case path[0] == "cd":
			if ms, ok := v.(int64); ok {
				row["cd"] = time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
			}
		default:
			row[path[0]] = v
		}
	}
	for _, feature := range sorted(change) {
		if before, ok := strings.CutSuffix(feature, "_bf"); ok {
			if _, changed := change[before]; changed {
				delete(change, feature) // what it was before
			}
		}
	}
	row["change"] = change
	return row
}

// bucket counts changes (e) and the people who made them (p).
type bucket struct {
	changes int64
	people  map[string]bool
	below   map[string]*bucket
}

func (b *bucket) at(key string) *bucket {
	if b.below == nil {
		b.below = map[string]*bucket{}
	}
	if b.below[key] == nil {
		b.below[key] = &bucket{people: map[string]bool{}}
	}
	return b.below[key]
}

// MarshalJSON writes the counters beside the buckets below.
func (b *bucket) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for k, v := range b.below {
		out[k] = v
	}
	if b.people != nil {
		out["p"], out["e"] = len(b.people), b.changes
	}
	return json.Marshal(out)
}

type documentReq struct {
	Period string `param:"period"`
}

// document answers with the changes of consent of a period by year, month, day and hour.
func (s *service) document(ctx context.Context, c api.Caller, r documentReq) (*bucket, error) {
	if r.Period == "" {
		r.Period = period.Default
	}
	f, err := s.selection(c.App, listReq{Period: r.Period})
	if err != nil {
		return nil, err
	}
	export, err := s.rows.Events(ctx, c.App.ID, query.RowSelection{Filter: f, Fields: []string{"ts", "uid"}})
	if err != nil {
		return nil, err
	}
	root, cal := &bucket{}, period.NewCalendar(c.App.Location())
	err = export.Each(ctx, func(values []any) error {
		row := changeOf(export.Columns, values)
		ms, okTime := row["ts"].(int64)
		uid, okUser := row["uid"].(string)
		if !okTime || !okUser {
			return fmt.Errorf("consent row without time or user: %v", row)
		}
		day, hour := cal.HourBucket(ms).Split()
		y, m, d := day.Date()
		b := root
		for _, n := range []int{y, m, d, hour} {
			b = b.at(strconv.Itoa(n))
			b.changes++
			b.people[uid] = true
		}
		return nil
	})
	return root, err
}
