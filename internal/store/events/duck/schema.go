package duck

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/registry"
)

// formatVersion is what table format holds (docs/format/events.md).
const formatVersion = 1

// globalTables are those that belong to no app.
const globalTables = `
CREATE TABLE IF NOT EXISTS format (version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS watermark (part USMALLINT NOT NULL, off UBIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS progress (app VARCHAR NOT NULL, part USMALLINT NOT NULL, off UBIGINT NOT NULL);`

// tables are the names of an app's tables. They are made of letters, digits
// and the underscore only.
type tables struct{ events, requests, states, users string }

func tablesOf(app model.AppID) tables {
	id := app.String()
	return tables{events: "e_" + id, requests: "r_" + id, states: "st_" + id, users: "u_" + id}
}

// all lists the tables.
func (t tables) all() []string { return []string{t.events, t.requests, t.states, t.users} }

// byUser lists the tables whose rows point to a user.
func (t tables) byUser() []string { return []string{t.events, t.requests, t.states} }

// column is a column of a table whose rows are made of T.
type column[T any] struct {
	name, typ string
	// value returns what is stored; nil is NULL.
	value func(*T) driver.Value
}

func names[T any](columns []column[T]) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}
	return out
}

// createTable returns the statement that makes a table.
func createTable[T any](name string, columns []column[T]) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE " + name + " (")
	for i, c := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(c.name) + " " + c.typ)
	}
	b.WriteString(")")
	return b.String()
}

// quote makes an identifier of one of our own column names.
func quote(name string) string { return `"` + name + `"` }

// fixedEventColumns come before the slots in a table of events.
var fixedEventColumns = []column[events.Row]{
	{"off", "UBIGINT", func(r *events.Row) driver.Value { return r.Offset }},
	{"item", "UINTEGER", func(r *events.Row) driver.Value { return r.Item }},
	{"ts", "BIGINT", func(r *events.Row) driver.Value { return r.TS }},
	{"received", "BIGINT", func(r *events.Row) driver.Value { return r.Received }},
	{"e", "VARCHAR", func(r *events.Row) driver.Value { return events.CleanText(r.Key) }},
	{"n", "VARCHAR", func(r *events.Row) driver.Value { return text(r.Name) }},
	{"uid", "UINTEGER", func(r *events.Row) driver.Value { return r.UID }},
	{"session", "UBIGINT", func(r *events.Row) driver.Value { return r.Session }},
	{"state", "UINTEGER", func(r *events.Row) driver.Value { return r.State }},
	{"c", "BIGINT", func(r *events.Row) driver.Value { return r.Count }},
	{"s", "DOUBLE", func(r *events.Row) driver.Value { return finite(r.Sum) }},
	{"dur", "DOUBLE", func(r *events.Row) driver.Value { return finite(r.Dur) }},
	{"hour", "TINYINT", func(r *events.Row) driver.Value { return r.Hour }},
	{"dow", "TINYINT", func(r *events.Row) driver.Value { return r.Dow }},
}

// Places of the first slots among the columns of a table of events.
var (
	firstText   = len(fixedEventColumns)
	firstNumber = firstText + registry.TextSlots
)

// eventColumns are all columns of a table of events.
var eventColumns = slotColumns(fixedEventColumns)

func slotColumns(fixed []column[events.Row]) []column[events.Row] {
	out := append([]column[events.Row](nil), fixed...)
	for i := range registry.TextSlots {
		out = append(out, column[events.Row]{fmt.Sprintf("s%d", i+1), "VARCHAR", func(r *events.Row) driver.Value {
			if p := r.Text[i]; p != nil {
				return events.CleanText(*p)
			}
			return nil
		}})
	}
	for i := range registry.NumberSlots {
		out = append(out, column[events.Row]{fmt.Sprintf("n%d", i+1), "DOUBLE", func(r *events.Row) driver.Value {
			if p := r.Num[i]; p != nil && events.Finite(*p) {
				return *p
			}
			return nil
		}})
	}
	return append(out, column[events.Row]{"extra", "VARCHAR", func(r *events.Row) driver.Value { return jsonText(r.Extra) }})
}

// usedColumns returns the columns that hold something in one of the rows:
// an appender is faster the fewer columns it is given, and the others are NULL.
func usedColumns(rows []events.Row) []column[events.Row] {
	var used [registry.TextSlots + registry.NumberSlots + 1]bool
	for i := range rows {
		r := &rows[i]
		for j, p := range r.Text {
			used[j] = used[j] || p != nil
		}
		for j, p := range r.Num {
			used[registry.TextSlots+j] = used[registry.TextSlots+j] || p != nil
		}
		used[len(used)-1] = used[len(used)-1] || r.Extra != ""
	}
	out := append(make([]column[events.Row], 0, len(eventColumns)), fixedEventColumns...)
	for i, u := range used {
		if u {
			out = append(out, eventColumns[firstText+i])
		}
	}
	return out
}

// slotColumn is the name of the column of a slot; "" for the JSON column and
// for what is no slot.
func slotColumn(s registry.Slot) string {
	switch {
	case s.Kind == registry.Text && s.Index >= 1 && s.Index <= registry.TextSlots:
		return eventColumns[firstText+int(s.Index)-1].name
	case s.Kind == registry.Number && s.Index >= 1 && s.Index <= registry.NumberSlots:
		return eventColumns[firstNumber+int(s.Index)-1].name
	}
	return ""
}

var requestColumns = []column[events.RequestRow]{
	{"off", "UBIGINT", func(r *events.RequestRow) driver.Value { return r.Offset }},
	{"item", "UINTEGER", func(r *events.RequestRow) driver.Value { return r.Item }},
	{"ts", "BIGINT", func(r *events.RequestRow) driver.Value { return r.TS }},
	{"received", "BIGINT", func(r *events.RequestRow) driver.Value { return r.Received }},
	{"uid", "UINTEGER", func(r *events.RequestRow) driver.Value { return r.UID }},
	{"flags", "USMALLINT", func(r *events.RequestRow) driver.Value { return r.Flags }},
	{"dur", "DOUBLE", func(r *events.RequestRow) driver.Value { return finite(r.Dur) }},
}

var stateColumns = []column[events.State]{
	{"state", "UINTEGER", func(s *events.State) driver.Value { return s.Number }},
	{"off", "UBIGINT", func(s *events.State) driver.Value { return s.Offset }},
	{"uid", "UINTEGER", func(s *events.State) driver.Value { return s.UID }},
	{"props", "VARCHAR", func(s *events.State) driver.Value { return jsonText(s.JSON) }},
}

// userColumns are named by the short keys of the wire. As there, what is
// zero is absent, hence NULL.
var userColumns = []column[model.Profile]{
	{"uid", "UINTEGER", func(p *model.Profile) driver.Value { return p.UID }},
	{"_id", "VARCHAR", func(p *model.Profile) driver.Value { return p.ID.String() }},
	{"did", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.DID) }},
	{"cc", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Country) }},
	{"rgn", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Region) }},
	{"cty", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.City) }},
	{"lat", "DOUBLE", func(p *model.Profile) driver.Value { return coordinate(p.Loc, 0) }},
	{"lng", "DOUBLE", func(p *model.Profile) driver.Value { return coordinate(p.Loc, 1) }},
	{"d", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Device) }},
	{"dt", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.DeviceType) }},
	{"mnf", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Manufacturer) }},
	{"p", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.OS) }},
	{"pv", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.OSVersion) }},
	{"av", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.AppVersion) }},
	{"r", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Resolution) }},
	{"c", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Carrier) }},
	{"dnst", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Density) }},
	{"la", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Language) }},
	{"src", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Source) }},
	{"brw", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Browser) }},
	{"brwv", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.BrowserVersion) }},
	{"sdk", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.SDK) }},
	{"fs", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.FirstSession) }},
	{"ls", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.LastSession) }},
	{"fac", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.FirstActivity) }},
	{"lac", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.LastActivity) }},
	{"first_sync", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.FirstSync) }},
	{"last_sync", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.LastSync) }},
	{"sc", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.Sessions) }},
	{"sd", "DOUBLE", func(p *model.Profile) driver.Value { return number(p.LastDuration) }},
	{"tsd", "DOUBLE", func(p *model.Profile) driver.Value { return number(p.TotalDuration) }},
	{"name", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Name) }},
	{"username", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Username) }},
	{"email", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Email) }},
	{"organization", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Organization) }},
	{"phone", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Phone) }},
	{"gender", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Gender) }},
	{"byear", "BIGINT", func(p *model.Profile) driver.Value { return integer(p.BirthYear) }},
	{"picture", "VARCHAR", func(p *model.Profile) driver.Value { return text(p.Picture) }},
	{"hasInfo", "BOOLEAN", func(p *model.Profile) driver.Value {
		if cmp.Or(p.Name, p.Username, p.Email, p.Organization, p.Phone, p.Gender, p.Picture) != "" || p.BirthYear != 0 {
			return true
		}
		return nil
	}},
	{"state", "UINTEGER", func(p *model.Profile) driver.Value {
		if p.State == 0 {
			return nil
		}
		return p.State
	}},
	{"custom", "VARCHAR", func(p *model.Profile) driver.Value { return object(p.Custom) }},
	{"consent", "VARCHAR", func(p *model.Profile) driver.Value { return object(p.Consent) }},
	{"cmp", "VARCHAR", func(p *model.Profile) driver.Value { return object(p.Campaign) }},
	{"extra", "VARCHAR", func(p *model.Profile) driver.Value { return object(p.Extra) }},
}

func text(s string) driver.Value {
	if s == "" {
		return nil
	}
	return events.CleanText(s)
}

func jsonText(s string) driver.Value {
	if s == "" {
		return nil
	}
	return orNil(events.CleanJSON(s))
}

func object[V any](m map[string]V) driver.Value {
	if len(m) == 0 {
		return nil
	}
	return orNil(events.JSONText(m))
}

func orNil(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

func integer(n int64) driver.Value {
	if n == 0 {
		return nil
	}
	return n
}

func number(f float64) driver.Value {
	if f == 0 || !events.Finite(f) {
		return nil
	}
	return f
}

func coordinate(loc *[2]float64, i int) driver.Value {
	if loc == nil || !events.Finite(loc[i]) {
		return nil
	}
	return loc[i]
}

// finite is the stored form of a sum or a duration.
func finite(f float64) float64 {
	if !events.Finite(f) {
		return 0
	}
	return f
}
