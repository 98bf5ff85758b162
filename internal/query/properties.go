package query

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// The kinds of properties, by the values that were met. Any is several of them, or lists.
const (
	KindText   = "text"
	KindNumber = "number"
	KindBool   = "bool"
	KindAny    = "any"
)

// Property is a property of users that an app made up.
type Property struct {
	Name  string
	Kind  string // of the constants
	Users int64  // who have it, of those looked at
}

// Properties lists the custom properties of the users who were active last, of so many users, the most common
// first, at most limit.
func (p *People) Properties(ctx context.Context, app model.AppID, users, limit int) ([]Property, error) {
	q := &plan.Query{
		App: app, From: plan.Users, Select: []plan.Expr{plan.Us("custom")},
		Where: plan.Do(plan.Not, plan.Do(plan.IsNull, plan.Us("custom"))),
		Order: []plan.Order{{By: plan.Us("lac"), Desc: true}}, Limit: users,
	}
	found := map[string]*Property{}
	err := p.rows.Run(ctx, q, func(row events.Scanner) error {
		var custom string
		if err := row.Scan(&custom); err != nil {
			return err
		}
		for name, raw := range object(custom) {
			kind := kindOf(raw)
			switch have := found[name]; {
			case have == nil:
				found[name] = &Property{Name: name, Kind: kind, Users: 1}
			case have.Kind != kind:
				have.Kind = KindAny
				have.Users++
			default:
				have.Users++
			}
		}
		return nil
	})
	out := []Property{}
	for _, property := range found {
		out = append(out, *property)
	}
	slices.SortFunc(out, func(a, b Property) int { return cmp.Or(cmp.Compare(b.Users, a.Users), cmp.Compare(a.Name, b.Name)) })
	return out[:min(limit, len(out))], missing(err)
}

// kindOf returns the kind of one value.
func kindOf(raw json.RawMessage) string {
	switch jsonValue(raw).(type) {
	case string:
		return KindText
	case json.Number:
		return KindNumber
	case bool:
		return KindBool
	}
	return KindAny
}
