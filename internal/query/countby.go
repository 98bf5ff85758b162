package query

import (
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// CountBy is what a question counts each once: users, sessions, or, with the path of a property, accounts, which are the different values of
// that property. Rows without a session, or without a value, or with an empty one, are of no unit. docs/reference/accounts.md defines it.
type CountBy string

// The units that are no property.
const (
	CountUsers    CountBy = ""
	CountSessions CountBy = "sessions"
)

// accountPaths begin the paths of properties that can be accounts.
var accountPaths = []string{"sg.", "up.", "custom.", "cmp."}

var errCountBy = fault.New(fault.Invalid, "query.bad_count_by", "count_by is users, sessions, or a property, as up.organization, custom.company or sg.household")

// ParseCountBy reads what the API calls count_by; "" is users. Fault: query.bad_count_by (Invalid).
func ParseCountBy(text string) (CountBy, error) {
	switch text {
	case "", "users":
		return CountUsers, nil
	case string(CountSessions):
		return CountSessions, nil
	}
	for _, prefix := range accountPaths {
		if name, ok := strings.CutPrefix(text, prefix); ok && name != "" && len(text) <= filter.MaxPath {
			return CountBy(text), nil
		}
	}
	return CountUsers, errCountBy
}

// Paths are the properties that are looked at.
func (c CountBy) Paths() []string {
	if c == CountUsers || c == CountSessions {
		return nil
	}
	return []string{string(c)}
}

// String is the name of the API.
func (c CountBy) String() string {
	if c == CountUsers {
		return "users"
	}
	return string(c)
}

// unit is what tells the units of event rows apart, absent in rows of none; nil = no row is of any.
func (t *Tables) unit(app model.AppID, c CountBy) plan.Expr {
	switch c {
	case CountUsers:
		return plan.Ev("uid")
	case CountSessions:
		return plan.Do(plan.NullIf, plan.Ev("session"), plan.Is(0))
	}
	typed, ok := t.bindDefined(app)(string(c))
	if !ok {
		return nil
	}
	return plan.Do(plan.NullIf, plan.Do(plan.Text, typed), plan.Is(""))
}

// units counts different units, of the rows that meet when; nil = all.
func units(unit, when plan.Expr) plan.Agg {
	if unit == nil {
		return plan.Agg{Fn: plan.Count, When: plan.Any()}
	}
	return plan.Agg{Fn: plan.Distinct, Of: unit, When: when}
}

// present is the condition that a row is of a unit.
func present(unit plan.Expr) plan.Expr {
	if unit == nil {
		return plan.Any()
	}
	return plan.Do(plan.Not, plan.Do(plan.IsNull, unit))
}

// accountClasses is into how many numbers accounts are put: as many are side by side in a pile as are rows of few users.
const accountClasses = 1 << 20

// account puts the value of a property into the number of its class, and what tells the accounts of a class apart.
func (r *funnelReader) account(value string) (class uint32, unit uint64) {
	unit = maphash.String(r.seed, value)
	return uint32(unit % accountClasses), unit // below 2^20
}

// errAccounts is the fault of a list of more accounts than fit into memory.
var errAccounts = fault.New(fault.Invalid, "query.too_many_accounts", "Too many accounts to list, choose a shorter period or a filter")

// Members returns the units whose rows chosen selects: users by ascending number, sessions by theirs, or the values of the property that tells
// accounts apart, in order. Chosen is called as fn is by Each. Of a session, the member is the place in the journal at which it began.
func (f *Funnels) Members(ctx context.Context, app model.AppID, q *FunnelQuery, chosen func(rows []funnel.Row) bool) ([]string, error) {
	ctx = plan.For(ctx, plan.FunnelOperator)
	done, err := f.take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if q, err = f.tables.resolved(ctx, app, q); err != nil {
		return nil, err
	}
	r := newFunnelReader(f.tables, app, q, int(f.limit))
	list := []string{}
	units := map[uint64]bool{}
	err = r.passes(ctx, f.tables.rows, func(uid uint32, rows []funnel.Row) {
		switch {
		case !chosen(rows):
		case q.CountBy == CountUsers:
			list = append(list, strconv.FormatUint(uint64(uid), 10))
		default:
			units[r.unit] = true
		}
	})
	if errors.Is(err, events.ErrNoApp) {
		return list, nil
	}
	switch {
	case err != nil || q.CountBy == CountUsers:
		return list, err
	case q.CountBy == CountSessions:
		for _, n := range slices.Sorted(maps.Keys(units)) {
			list = append(list, strconv.FormatUint(n, 10))
		}
		return list, nil
	}
	return r.accounts(ctx, f.tables.rows, units)
}

// accounts are the values of some units, in order.
func (r *funnelReader) accounts(ctx context.Context, rows Rows, units map[uint64]bool) ([]string, error) {
	list, room := []string{}, r.limit
	values := plan.Query{App: r.plan.App, From: plan.Events, Where: r.plan.Where, Select: []plan.Expr{r.plan.Select[unitColumn]}, Distinct: true}
	err := rows.RunColumns(ctx, &values, func(c *events.Columns) error {
		for _, value := range c.List[0].Text {
			if _, unit := r.account(value); units[unit] {
				if room -= len(value) + groupBytes; room < 0 {
					return errAccounts
				}
				list = append(list, strings.Clone(value))
			}
		}
		return nil
	})
	slices.Sort(list)
	return list, missing(err)
}
