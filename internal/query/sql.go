package query

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlbox"
	"quipu/internal/store/schema"
)

// SQL runs statements that people write over views of an app. docs/reference/sql.md describes the views.
type SQL struct {
	rows   Rows
	tables *Tables
	people *People
	boxes  *sqlbox.Boxes
}

// NewSQL returns what runs statements over rows.
func NewSQL(t *Tables, p *People, boxes *sqlbox.Boxes) *SQL {
	return &SQL{rows: t.rows, tables: t, people: p, boxes: boxes}
}

// The names of the views.
const (
	SQLEvents   = "events"
	SQLSessions = "sessions"
	SQLUsers    = "users"
)

// SQLColumn is a column of a view. Path is the path by which filters know it, "" for what they do not know.
type SQLColumn struct {
	sqlbox.Column
	Path string
	expr plan.Expr
}

// SQLView is a view of an app.
type SQLView struct {
	Name    string
	Columns []SQLColumn
}

// Bounds of views.
const (
	maxSQLColumns = 1000
	sqlUsers      = 2000 // whose properties are looked at
	sqlProperties = 200  // of users
)

// sqlColumns are the columns of a view while they are put together.
type sqlColumns struct {
	list  []SQLColumn
	taken map[string]bool // names in lower case
}

// add adds a column. A name that is taken, whatever its case, gets a number.
func (c *sqlColumns) add(name string, t sqlbox.Type, path string, e plan.Expr) {
	if len(c.list) == maxSQLColumns || strings.ContainsRune(name, 0) {
		return
	}
	if c.taken == nil {
		c.taken = map[string]bool{}
	}
	free := name
	for n := 2; c.taken[strings.ToLower(free)]; n++ {
		free = name + "_" + strconv.Itoa(n)
	}
	c.taken[strings.ToLower(free)] = true
	c.list = append(c.list, SQLColumn{sqlbox.Column{Name: free, Type: t}, path, e})
}

// typed adds a column of what filters take a value to have: JSON is shown as text.
func (c *sqlColumns) typed(name, path string, v plan.Typed) {
	switch v.Type {
	case filter.Integer:
		c.add(name, sqlbox.Whole, path, v.Expr)
	case filter.Number:
		c.add(name, sqlbox.Number, path, v.Expr)
	case filter.Bool:
		c.add(name, sqlbox.Truth, path, v.Expr)
	case filter.Text:
		c.add(name, sqlbox.Text, path, v.Expr)
	case filter.JSON, filter.List:
		c.add(name, sqlbox.Text, path, plan.Do(plan.Text, v.Expr))
	}
}

// Views lists the views of an app with the columns whose paths may tells.
func (s *SQL) Views(ctx context.Context, app model.AppID, may func(path string) bool) ([]SQLView, error) {
	properties, err := s.people.Properties(ctx, app, sqlUsers, sqlProperties)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(properties, func(a, b Property) int { return strings.Compare(a.Name, b.Name) })
	out := []SQLView{
		{SQLEvents, s.eventColumns(app, properties)},
		{SQLSessions, s.sessionColumns(app)},
		{SQLUsers, userSQLColumns(properties)},
	}
	for i := range out {
		out[i].Columns = slices.DeleteFunc(out[i].Columns, func(c SQLColumn) bool { return c.Path != "" && !may(c.Path) })
	}
	return out, nil
}

// seconds is a time that is kept in seconds, in ms.
func seconds(e plan.Expr) plan.Expr { return plan.Do(plan.Mul, e, plan.Is(1000)) }

// orNone is a value, absent where it is another one.
func orNone(e plan.Expr, none any) plan.Expr { return plan.Do(plan.NullIf, e, plan.Is(none)) }

func (s *SQL) eventColumns(app model.AppID, properties []Property) []SQLColumn {
	c := &sqlColumns{}
	custom := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(events.CustomKey))
	c.add("time", sqlbox.Time, "", plan.Ev("ts"))
	c.add("event", sqlbox.Text, "", plan.Do(plan.If, custom, plan.Ev("n"), plan.Ev("e")))
	c.add("name", sqlbox.Text, "", plan.Do(plan.If, custom, plan.Is(nil), plan.Ev("n")))
	c.add("user_id", sqlbox.Whole, "", plan.Ev("uid"))
	c.add("session_id", sqlbox.Whole, "", orNone(plan.Ev("session"), 0))
	c.add("count", sqlbox.Whole, "", plan.Ev("c"))
	c.add("sum", sqlbox.Number, "", plan.Ev("s"))
	c.add("duration", sqlbox.Number, "", plan.Ev("dur"))
	c.add("received", sqlbox.Time, "", plan.Ev("received"))
	c.add("hour", sqlbox.Whole, "", orNone(plan.Ev("hour"), -1))
	c.add("weekday", sqlbox.Whole, "", orNone(plan.Ev("dow"), -1))
	bind := s.tables.bindEvent(app)
	for i := range model.Dimensions {
		d := &model.Dimensions[i]
		if v, ok := bind("up." + d.Key); ok {
			c.typed("user_"+d.Name, "up."+d.Key, v)
		}
	}
	for _, p := range properties {
		if v, ok := bind("custom." + p.Name); ok {
			c.typed("user_custom_"+p.Name, "custom."+p.Name, ofKind(v, p.Kind))
		}
	}
	seen := map[string]bool{}
	for _, ev := range s.tables.schema.Events(app) {
		for _, seg := range ev.Segments {
			if seen[seg.Name] || ev.Key == crashKey && seg.Name == crashReport {
				continue
			}
			seen[seg.Name] = true
			if v, ok := bind("sg." + seg.Name); ok {
				c.typed(seg.Name, "sg."+seg.Name, v)
			}
		}
	}
	return c.list
}

// ofKind is a value of a property of users: a number where all values that were met are.
func ofKind(v plan.Typed, kind string) plan.Typed {
	if kind == KindNumber {
		return plan.Typed{Expr: plan.Do(plan.Number, v.Expr), Type: filter.Number}
	}
	return v
}

// sessionColumns are computed of the rows of each session.
func (s *SQL) sessionColumns(app model.AppID) []SQLColumn {
	c := &sqlColumns{}
	begins, closes := plan.Do(plan.Eq, plan.Ev("e"), plan.Is(beginKey)), plan.Do(plan.Eq, plan.Ev("e"), plan.Is(sessionKey))
	c.add("started", sqlbox.Time, "", plan.Agg{Fn: plan.Min, Of: plan.Ev("ts"), When: begins})
	c.add("ended", sqlbox.Time, "", plan.Agg{Fn: plan.Max, Of: plan.Ev("ts"), When: closes})
	c.add("duration", sqlbox.Number, "", plan.Agg{Fn: plan.Sum, Of: plan.Ev("dur"), When: closes})
	c.add("user_id", sqlbox.Whole, "", plan.Ev("uid"))
	c.add("session_id", sqlbox.Whole, "", plan.Ev("session"))
	ev, _ := s.tables.schema.Event(app, beginKey)
	for _, seg := range ev.Segments {
		if v, ok := segmentOf([]schema.Event{ev}, seg.Name); ok && v.Type != filter.JSON {
			c.typed(seg.Name, "", plan.Typed{Expr: plan.Agg{Fn: plan.Max, Of: v, When: begins}, Type: v.Type})
		}
	}
	return c.list
}

func userSQLColumns(properties []Property) []SQLColumn {
	c := &sqlColumns{}
	c.add("user_id", sqlbox.Whole, "", plan.Us("uid"))
	for _, f := range []struct{ name, path string }{
		{"device_id", "did"},
		{"name", "name"},
		{"username", "username"},
		{"email", "email"},
		{"organization", "organization"},
		{"phone", "phone"},
		{"gender", "gender"},
		{"birth_year", "byear"},
		{"sessions", "sc"},
		{"duration", "tsd"},
		{"latitude", "lat"},
		{"longitude", "lng"},
	} {
		if v, ok := bindUser(f.path); ok {
			c.typed(f.name, f.path, v)
		}
	}
	for _, f := range []struct{ name, path string }{{"first_session", "fs"}, {"last_session", "ls"}, {"first_seen", "fac"}, {"last_seen", "lac"}} {
		c.add(f.name, sqlbox.Time, f.path, seconds(plan.Us(f.path)))
	}
	for i := range model.Dimensions {
		d := &model.Dimensions[i]
		if v, ok := bindUser(d.Key); ok {
			c.typed(d.Name, d.Key, v)
		}
	}
	for _, p := range properties {
		if v, ok := bindUser("custom." + p.Name); ok {
			c.typed("custom_"+p.Name, "custom."+p.Name, ofKind(v, p.Kind))
		}
	}
	return c.list
}

// SQLQuestion is a statement over an app.
type SQLQuestion struct {
	Statement string
	Zone      string // of times
	// From and To bound the times of events and the begins of sessions: the first and the last ms.
	From, To int64
	Rows     int // how many rows are answered at most
	// Without are keys of events whose rows nobody gets to see.
	Without []string
}

// Run runs a statement over views of an app, which are those that Views returned. Errors: those of sqlbox.Boxes.Run, and those of rows.
func (s *SQL) Run(ctx context.Context, app model.AppID, views []SQLView, q SQLQuestion) (*sqlbox.Result, error) {
	job := sqlbox.Job{Statement: q.Statement, Zone: q.Zone, Rows: q.Rows}
	for _, v := range views {
		named := sqlbox.View{Name: v.Name}
		for _, c := range v.Columns {
			named.Columns = append(named.Columns, c.Column)
		}
		job.Views = append(job.Views, named)
	}
	return s.boxes.Run(ctx, job, func(ctx context.Context, view string, columns []string, put func(*events.Columns) error) error {
		at := slices.IndexFunc(views, func(v SQLView) bool { return v.Name == view })
		list := make([]plan.Expr, 0, len(columns))
		for _, name := range columns {
			i := slices.IndexFunc(views[at].Columns, func(c SQLColumn) bool { return c.Name == name })
			list = append(list, views[at].Columns[i].expr)
		}
		some := func(c *events.Columns) error {
			if c.Len == 0 {
				return nil
			}
			return put(c)
		}
		var err error
		switch view {
		case SQLEvents:
			err = s.feedEvents(ctx, app, q, list, some)
		case SQLSessions:
			err = s.feedSessions(ctx, app, q, list, some)
		default:
			err = s.feedUsers(ctx, app, list, some)
		}
		return missing(err)
	})
}

// How many rows, and users, a statement of the event store returns: it holds its result in memory.
const (
	sqlWindow      = 100_000
	sqlUsersWindow = 200_000
)

// feedEvents goes along the offsets of the events.
func (s *SQL) feedEvents(ctx context.Context, app model.AppID, q SQLQuestion, list []plan.Expr, put func(*events.Columns) error) error {
	var without plan.Expr
	if len(q.Without) > 0 {
		without = plan.Do(plan.Not, plan.OneOf(plan.Ev("e"), q.Without))
	}
	for low := uint64(0); ; {
		high, n, err := s.rows.Ahead(ctx, app, low, sqlWindow)
		if err != nil || n == 0 {
			return err
		}
		err = s.rows.RunColumns(ctx, &plan.Query{
			App: app, From: plan.Events, Select: list,
			Where: plan.All(offsets(low, high), plan.Between(plan.Ev("ts"), q.From, q.To), without),
		}, put)
		if err != nil {
			return err
		}
		low = high + 1
	}
}

// eachRange calls fn for ranges of the numbers of users, all together those up to the largest.
func (s *SQL) eachRange(ctx context.Context, app model.AppID, fn func(first, last int64) error) error {
	var largest *int64
	err := s.rows.Run(ctx, &plan.Query{App: app, From: plan.Users, Select: []plan.Expr{plan.Agg{Fn: plan.Max, Of: plan.Us("uid")}}}, func(row events.Scanner) error {
		return row.Scan(&largest)
	})
	if err != nil || largest == nil {
		return err
	}
	for first := int64(0); first <= *largest; first += sqlUsersWindow {
		if err := fn(first, first+sqlUsersWindow-1); err != nil {
			return err
		}
	}
	return nil
}

// feedSessions groups the rows of sessions by range of users. A session counts by when it began; it may close later.
func (s *SQL) feedSessions(ctx context.Context, app model.AppID, q SQLQuestion, list []plan.Expr, put func(*events.Columns) error) error {
	began := plan.Agg{Fn: plan.Min, Of: plan.Ev("ts"), When: plan.Do(plan.Eq, plan.Ev("e"), plan.Is(beginKey))}
	n := len(list)
	for _, e := range []plan.Expr{plan.Ev("session"), plan.Ev("uid")} { // what rows are grouped by
		if !slices.Contains(list[:n], e) {
			list = append(list, e)
		}
	}
	return s.eachRange(ctx, app, func(first, last int64) error {
		return s.rows.RunColumns(ctx, &plan.Query{
			App: app, From: plan.Events, Select: list,
			Where:  plan.All(plan.OneOf(plan.Ev("e"), []string{beginKey, sessionKey}), plan.Do(plan.Ge, plan.Ev("ts"), plan.Is(q.From)), plan.Between(plan.Ev("uid"), first, last)),
			Having: plan.Between(began, q.From, q.To),
		}, put)
	})
}

func (s *SQL) feedUsers(ctx context.Context, app model.AppID, list []plan.Expr, put func(*events.Columns) error) error {
	return s.eachRange(ctx, app, func(first, last int64) error {
		return s.rows.RunColumns(ctx, &plan.Query{App: app, From: plan.Users, Select: list, Where: plan.Between(plan.Us("uid"), first, last)}, put)
	})
}
