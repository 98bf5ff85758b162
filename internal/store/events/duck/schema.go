package duck

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

// FormatVersion is what table format holds (docs/format/events.md).
const FormatVersion = 5

// globalTables are those that belong to no app, and those that small apps share.
var globalTables = `
CREATE TABLE IF NOT EXISTS format (version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS watermark (part USMALLINT NOT NULL, off UBIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS progress (app VARCHAR NOT NULL, part USMALLINT NOT NULL, off UBIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS apps (app VARCHAR NOT NULL, number UINTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS numbers (last UINTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS retired (number UINTEGER NOT NULL);
` + strings.Join(createTables("CREATE TABLE IF NOT EXISTS ", sharedTables, appColumn+" UINTEGER, ", columnsFor{narrow: allSlots}), ";\n")

// tables are the names of the tables of rows. They are made of letters, digits
// and the underscore only.
type tables struct {
	events, requests, states, users string
	// wide has the rows of events that use many slots, see slots.go; "" = all are in events.
	wide string
	// rows is what the rows of events are read from: a view of both tables, with all columns, or the only one.
	rows string
}

// sharedTables are those of all apps that have none of their own. Their first column, appColumn, is the app's number.
var sharedTables = tables{events: "events", requests: "requests", states: "states", users: "users", rows: "events"}

const appColumn = "app"

// ownTables are the tables of one app.
func ownTables(app model.AppID) tables {
	id := app.String()
	return tables{events: eventsPrefix + id, wide: widePrefix + id, requests: "r_" + id, states: "st_" + id, users: "u_" + id, rows: rowsPrefix + id}
}

// ofEvents lists the tables of event rows.
func (t tables) ofEvents() []string {
	if t.wide == "" {
		return []string{t.events}
	}
	return []string{t.events, t.wide}
}

// all lists the tables.
func (t tables) all() []string { return append(t.ofEvents(), t.requests, t.states, t.users) }

// byUser lists the tables whose rows point to a user.
func (t tables) byUser() []string { return append(t.ofEvents(), t.requests, t.states) }

// column is a column of a table whose rows are made of T.
type column[T any] struct {
	name, typ string
	// zstd is set for long texts that few statements look at: compressed by Zstandard they take a third of the bytes. It needs four bytes
	// for each row, NULL or not.
	zstd bool
	// fill writes the values of rows to a vector, from place at on.
	fill func(v *vector, at int, rows []*T)
	// value returns what is stored for one row; nil is NULL.
	value func(*T) driver.Value
}

// fixed is a column of numbers that is never NULL.
func fixed[T any, V int8 | uint16 | uint32 | uint64 | int64 | float64](name string, get func(*T) V) column[T] {
	return column[T]{
		name: name, typ: sqlType[V](),
		fill: func(v *vector, at int, rows []*T) {
			for i, out := 0, values[V](v)[at:at+len(rows)]; i < len(out); i++ {
				out[i] = get(rows[i])
			}
		},
		value: func(r *T) driver.Value { return get(r) },
	}
}

// sparse is a column of numbers or truth values that are NULL where get says false.
func sparse[T any, V bool | uint32 | int64 | float64](name string, get func(*T) (V, bool)) column[T] {
	return column[T]{
		name: name, typ: sqlType[V](),
		fill: func(v *vector, at int, rows []*T) {
			out := values[V](v)[at:]
			for i, r := range rows {
				if value, ok := get(r); ok {
					out[i] = value
				} else {
					v.null(at + i)
				}
			}
		},
		value: func(r *T) driver.Value {
			if value, ok := get(r); ok {
				return value
			}
			return nil
		},
	}
}

// words is a column of texts that are NULL where get says false. They are cleaned.
func words[T any](name string, get func(*T) (string, bool)) column[T] {
	return column[T]{
		name: name, typ: "VARCHAR",
		fill: func(v *vector, at int, rows []*T) {
			out := values[word](v)[at:]
			for i, r := range rows {
				if value, ok := get(r); ok {
					v.texts.put(&out[i], value)
				} else {
					out[i] = word{}
					v.null(at + i)
				}
			}
		},
		value: func(r *T) driver.Value {
			if value, ok := get(r); ok {
				return events.CleanText(value)
			}
			return nil
		},
	}
}

// packed returns a column of long texts.
func packed[T any](c column[T]) column[T] {
	c.zstd = true
	return c
}

// sqlType is the type of a column of Go values.
func sqlType[V any]() string {
	switch any(*new(V)).(type) {
	case bool:
		return "BOOLEAN"
	case int8:
		return "TINYINT"
	case uint16:
		return "USMALLINT"
	case uint32:
		return "UINTEGER"
	case uint64:
		return "UBIGINT"
	case int64:
		return "BIGINT"
	default:
		return "DOUBLE"
	}
}

func names[T any](columns []column[T]) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}
	return out
}

// createTables returns the statements that make tables: how they begin, the columns before the others, and the slots that those of events have
// columns for.
func createTables(begin string, t tables, first string, slots columnsFor) []string {
	out := []string{
		begin + t.events + " (" + first + definitions(usedColumns(slots.narrow)) + ")",
		begin + t.requests + " (" + first + definitions(requestColumns) + ")",
		begin + t.states + " (" + first + definitions(storedStateColumns) + ")",
		begin + t.users + " (" + first + definitions(userColumns) + ")",
	}
	if t.wide != "" {
		out = append(out, begin+t.wide+" ("+first+definitions(usedColumns(slots.wide))+")")
	}
	return out
}

// copied is what one table has of another, in columns for SELECT: tables of different age have them in different orders.
type copied struct{ shared, own, columns, where string }

// copies lists what an app's own tables, with columns for some slots, have of the shared ones.
func copies(own tables, slots columnsFor) []copied {
	return []copied{
		{sharedTables.events, own.events, list(usedColumns(slots.narrow)), "NOT " + wideRows},
		{sharedTables.events, own.wide, list(usedColumns(slots.wide)), wideRows},
		{sharedTables.requests, own.requests, list(requestColumns), "TRUE"},
		{sharedTables.states, own.states, list(storedStateColumns), "TRUE"},
		{sharedTables.users, own.users, list(userColumns), "TRUE"},
	}
}

func definitions[T any](columns []column[T]) string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = quote(c.name) + " " + c.typ
		if c.zstd {
			out[i] += " USING COMPRESSION zstd"
		}
	}
	return strings.Join(out, ", ")
}

// quote makes an identifier of one of our own column names.
func quote(name string) string { return `"` + name + `"` }

// fixedEventColumns come before the slots in a table of events.
var fixedEventColumns = []column[events.Row]{
	fixed("off", func(r *events.Row) uint64 { return r.Offset }),
	fixed("item", func(r *events.Row) uint32 { return r.Item }),
	fixed("ts", func(r *events.Row) int64 { return r.TS }),
	fixed("received", func(r *events.Row) int64 { return r.Received }),
	words("e", func(r *events.Row) (string, bool) { return r.Key, true }),
	words("n", func(r *events.Row) (string, bool) { return text(r.Name) }),
	fixed("uid", func(r *events.Row) uint32 { return r.UID }),
	fixed("session", func(r *events.Row) uint64 { return r.Session }),
	fixed("state", func(r *events.Row) uint32 { return r.State }),
	fixed("c", func(r *events.Row) int64 { return r.Count }),
	fixed("s", func(r *events.Row) float64 { return finite(r.Sum) }),
	fixed("dur", func(r *events.Row) float64 { return finite(r.Dur) }),
	fixed("hour", func(r *events.Row) int8 { return r.Hour }),
	fixed("dow", func(r *events.Row) int8 { return r.Dow }),
}

// Places of the first slots among the columns of a table of events.
var (
	firstText   = len(fixedEventColumns)
	firstNumber = firstText + schema.TextSlots
)

// eventColumns are all columns of a table of events.
var eventColumns = slotColumns(fixedEventColumns)

func slotColumns(fixed []column[events.Row]) []column[events.Row] {
	out := append([]column[events.Row](nil), fixed...)
	for i := range schema.TextSlots {
		out = append(out, words(fmt.Sprintf("s%d", i+1), func(r *events.Row) (string, bool) {
			if p := r.Text[i]; p != nil {
				return *p, true
			}
			return "", false
		}))
	}
	for i := range schema.NumberSlots {
		out = append(out, sparse(fmt.Sprintf("n%d", i+1), func(r *events.Row) (float64, bool) {
			if p := r.Num[i]; p != nil && events.Finite(*p) {
				return *p, true
			}
			return 0, false
		}))
	}
	return append(out, words("extra", func(r *events.Row) (string, bool) { return events.StoredJSON(r.Extra) }))
}

// usedColumns returns the columns of rows that use slots:
// an appender is faster the fewer columns it is given, and the others are NULL.
func usedColumns(used events.Slots) []column[events.Row] {
	return append(append(make([]column[events.Row], 0, len(eventColumns)), fixedEventColumns...), columnsOf(used)...)
}

// columnsOf returns the columns of slots.
func columnsOf(used events.Slots) []column[events.Row] {
	var out []column[events.Row]
	for i := range schema.TextSlots {
		if used.Text&(1<<i) != 0 {
			out = append(out, eventColumns[firstText+i])
		}
	}
	for i := range schema.NumberSlots {
		if used.Num&(1<<i) != 0 {
			out = append(out, eventColumns[firstNumber+i])
		}
	}
	if used.Extra {
		out = append(out, eventColumns[len(eventColumns)-1])
	}
	return out
}

var requestColumns = []column[events.RequestRow]{
	fixed("off", func(r *events.RequestRow) uint64 { return r.Offset }),
	fixed("item", func(r *events.RequestRow) uint32 { return r.Item }),
	fixed("ts", func(r *events.RequestRow) int64 { return r.TS }),
	fixed("received", func(r *events.RequestRow) int64 { return r.Received }),
	fixed("uid", func(r *events.RequestRow) uint32 { return r.UID }),
	fixed("flags", func(r *events.RequestRow) uint16 { return r.Flags }),
	fixed("dur", func(r *events.RequestRow) float64 { return finite(r.Dur) }),
}

// stateColumns are those that a state is read from.
var stateColumns = []column[stateRow]{
	fixed("state", func(s *stateRow) uint32 { return s.Number }),
	fixed("off", func(s *stateRow) uint64 { return s.Offset }),
	fixed("uid", func(s *stateRow) uint32 { return s.UID }),
	packed(words("props", func(s *stateRow) (string, bool) { return text(s.props) })),
}

// storedStateColumns are all columns of a table of states.
var storedStateColumns = withStateDimensions(stateColumns)

// userColumns are named by the short keys of the wire. As there, what is
// zero is absent, hence NULL.
var userColumns = withDimensions([]column[model.Profile]{
	fixed("uid", func(p *model.Profile) uint32 { return p.UID }),
	words("_id", func(p *model.Profile) (string, bool) { return p.ID.String(), true }),
	words("did", func(p *model.Profile) (string, bool) { return text(p.DID) }),
	sparse("lat", func(p *model.Profile) (float64, bool) { return coordinate(p.Loc, 0) }),
	sparse("lng", func(p *model.Profile) (float64, bool) { return coordinate(p.Loc, 1) }),
	sparse("fs", func(p *model.Profile) (int64, bool) { return integer(p.FirstSession) }),
	sparse("ls", func(p *model.Profile) (int64, bool) { return integer(p.LastSession) }),
	sparse("fac", func(p *model.Profile) (int64, bool) { return integer(p.FirstActivity) }),
	sparse("lac", func(p *model.Profile) (int64, bool) { return integer(p.LastActivity) }),
	sparse("first_sync", func(p *model.Profile) (int64, bool) { return integer(p.FirstSync) }),
	sparse("last_sync", func(p *model.Profile) (int64, bool) { return integer(p.LastSync) }),
	sparse("sc", func(p *model.Profile) (int64, bool) { return integer(p.Sessions) }),
	sparse("sd", func(p *model.Profile) (float64, bool) { return number(p.LastDuration) }),
	sparse("tsd", func(p *model.Profile) (float64, bool) { return number(p.TotalDuration) }),
	words("name", func(p *model.Profile) (string, bool) { return text(p.Name) }),
	words("username", func(p *model.Profile) (string, bool) { return text(p.Username) }),
	words("email", func(p *model.Profile) (string, bool) { return text(p.Email) }),
	words("organization", func(p *model.Profile) (string, bool) { return text(p.Organization) }),
	words("phone", func(p *model.Profile) (string, bool) { return text(p.Phone) }),
	words("gender", func(p *model.Profile) (string, bool) { return text(p.Gender) }),
	sparse("byear", func(p *model.Profile) (int64, bool) { return integer(p.BirthYear) }),
	words("picture", func(p *model.Profile) (string, bool) { return text(p.Picture) }),
	sparse("hasInfo", func(p *model.Profile) (bool, bool) {
		return true, cmp.Or(p.Name, p.Username, p.Email, p.Organization, p.Phone, p.Gender, p.Picture) != "" || p.BirthYear != 0
	}),
	sparse("state", func(p *model.Profile) (uint32, bool) { return p.State, p.State != 0 }),
	words("custom", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Custom) }),
	words("consent", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Consent) }),
	words("cmp", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Campaign) }),
	packed(words("extra", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Extra) })),
})

// withDimensions adds the columns of dimensions.
func withDimensions(columns []column[model.Profile]) []column[model.Profile] {
	for i := range model.Dimensions {
		columns = append(columns, words(model.Dimensions[i].Key, func(p *model.Profile) (string, bool) { return text(p.Dims[i]) }))
	}
	return columns
}

// The functions below return what is stored, texts yet to be cleaned, and false for NULL.

func integer(n int64) (int64, bool) { return n, n != 0 }

func text(s string) (string, bool) { return s, s != "" }

func number(f float64) (float64, bool) { return f, f != 0 && events.Finite(f) }

func coordinate(loc *[2]float64, i int) (float64, bool) {
	if loc == nil || !events.Finite(loc[i]) {
		return 0, false
	}
	return loc[i], true
}

// finite is the stored form of a sum or a duration.
func finite(f float64) float64 {
	if !events.Finite(f) {
		return 0
	}
	return f
}
