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

// Bounds of the names that Properties keeps while it counts.
const (
	maxNames     = 10_000
	maxNameBytes = 1 << 20
)

// Properties lists the custom properties of the users who were active last, of so many users, the most common
// first, at most limit. Beyond 10,000 names or 1 MiB of them it forgets the rarest while it counts, so that those may be
// missing, or have users missing.
func (p *People) Properties(ctx context.Context, app model.AppID, users, limit int) ([]Property, error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	q := &plan.Query{
		App: app, From: plan.Users, Select: []plan.Expr{plan.Us("custom")},
		Where: plan.Do(plan.Not, plan.Do(plan.IsNull, plan.Us("custom"))),
		Order: []plan.Order{{By: plan.Us("lac"), Desc: true}}, Limit: users,
	}
	found := propertyCounts{}
	err := p.rows.Run(ctx, q, func(row events.Scanner) error {
		var custom string
		if err := row.Scan(&custom); err != nil {
			return err
		}
		for name, raw := range object(custom) {
			found.add(name, kindOf(raw))
		}
		return nil
	})
	list := found.list()
	return list[:min(limit, len(list))], missing(err)
}

// propertyCounts counts users by property. The zero value is empty.
type propertyCounts struct {
	names map[string]*Property
	bytes int // of the names
}

// add counts a user with a property, whose value is of a kind.
func (c *propertyCounts) add(name, kind string) {
	if have := c.names[name]; have != nil {
		have.Users++
		if have.Kind != kind {
			have.Kind = KindAny
		}
		return
	}
	if c.names == nil {
		c.names = map[string]*Property{}
	}
	c.names[name] = &Property{Name: name, Kind: kind, Users: 1}
	c.bytes += len(name)
	for users := int64(1); len(c.names) > maxNames || c.bytes > maxNameBytes; users++ {
		c.forget(users)
	}
}

// forget drops the properties of at most so many users.
func (c *propertyCounts) forget(users int64) {
	for name, p := range c.names {
		if p.Users <= users {
			delete(c.names, name)
			c.bytes -= len(name)
		}
	}
}

// list returns the properties, the most common first, then by name.
func (c *propertyCounts) list() []Property {
	out := []Property{}
	for _, p := range c.names {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Property) int { return cmp.Or(cmp.Compare(b.Users, a.Users), cmp.Compare(a.Name, b.Name)) })
	return out
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
