package clickhouse

import (
	"cmp"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// column writes a value of a T to a place of a builder.
type column[T any] struct {
	name string
	put  func(b *ch.Builder, at int, r *T)
}

func whole[T any](name string, get func(*T) uint64) column[T] {
	return column[T]{name, func(b *ch.Builder, at int, r *T) { b.Whole(at, get(r)) }}
}

func number[T any](name string, get func(*T) float64) column[T] {
	return column[T]{name, func(b *ch.Builder, at int, r *T) {
		f := get(r)
		if !events.Finite(f) {
			f = 0
		}
		b.Number(at, f)
	}}
}

// words is a column of texts that are absent where get says false.
func words[T any](name string, get func(*T) (string, bool)) column[T] {
	return column[T]{name, func(b *ch.Builder, at int, r *T) {
		if s, ok := get(r); ok {
			b.Text(at, s)
		} else {
			b.Null(at)
		}
	}}
}

// count is a column of whole numbers that are absent where they are 0.
func count[T any](name string, get func(*T) int64) column[T] {
	return column[T]{name, func(b *ch.Builder, at int, r *T) {
		if n := get(r); n != 0 {
			b.Whole(at, uint64(n)) // its bits
		} else {
			b.Null(at)
		}
	}}
}

// measure is a column of numbers that are absent where get says false.
func measure[T any](name string, get func(*T) (float64, bool)) column[T] {
	return column[T]{name, func(b *ch.Builder, at int, r *T) {
		if f, ok := get(r); ok && events.Finite(f) {
			b.Number(at, f)
		} else {
			b.Null(at)
		}
	}}
}

func eventColumns() []column[events.Row] {
	out := []column[events.Row]{
		whole("off", func(r *events.Row) uint64 { return r.Offset }),
		whole("item", func(r *events.Row) uint64 { return uint64(r.Item) }),
		whole("ts", func(r *events.Row) uint64 { return uint64(r.TS) }),             // its bits
		whole("received", func(r *events.Row) uint64 { return uint64(r.Received) }), // its bits
		{"e", func(b *ch.Builder, at int, r *events.Row) { b.Text(at, events.CleanText(r.Key)) }},
		words("n", func(r *events.Row) (string, bool) { return events.StoredText(r.Name) }),
		whole("uid", func(r *events.Row) uint64 { return uint64(r.UID) }),
		whole("session", func(r *events.Row) uint64 { return r.Session }),
		whole("state", func(r *events.Row) uint64 { return uint64(r.State) }),
		whole("c", func(r *events.Row) uint64 { return uint64(r.Count) }), // its bits
		number("s", func(r *events.Row) float64 { return r.Sum }),
		number("dur", func(r *events.Row) float64 { return r.Dur }),
		whole("hour", func(r *events.Row) uint64 { return uint64(r.Hour) }), // its bits
		whole("dow", func(r *events.Row) uint64 { return uint64(r.Dow) }),   // its bits
		words("extra", func(r *events.Row) (string, bool) { return events.StoredJSON(r.Extra) }),
	}
	for i := range schema.TextSlots {
		out = append(out, words(fmt.Sprintf("s%d", i+1), func(r *events.Row) (string, bool) {
			if p := r.Text[i]; p != nil {
				return events.CleanText(*p), true
			}
			return "", false
		}))
	}
	for i := range schema.NumberSlots {
		out = append(out, measure(fmt.Sprintf("n%d", i+1), func(r *events.Row) (float64, bool) {
			if p := r.Num[i]; p != nil {
				return *p, true
			}
			return 0, false
		}))
	}
	return out
}

func requestColumns() []column[events.RequestRow] {
	return []column[events.RequestRow]{
		whole("off", func(r *events.RequestRow) uint64 { return r.Offset }),
		whole("item", func(r *events.RequestRow) uint64 { return uint64(r.Item) }),
		whole("ts", func(r *events.RequestRow) uint64 { return uint64(r.TS) }),             // its bits
		whole("received", func(r *events.RequestRow) uint64 { return uint64(r.Received) }), // its bits
		whole("uid", func(r *events.RequestRow) uint64 { return uint64(r.UID) }),
		whole("flags", func(r *events.RequestRow) uint64 { return uint64(r.Flags) }),
		number("dur", func(r *events.RequestRow) float64 { return r.Dur }),
	}
}

func stateColumns() []column[events.State] {
	return []column[events.State]{
		whole("state", func(s *events.State) uint64 { return uint64(s.Number) }),
		whole("off", func(s *events.State) uint64 { return s.Offset }),
		whole("uid", func(s *events.State) uint64 { return uint64(s.UID) }),
		words("props", func(s *events.State) (string, bool) { return events.StoredJSON(s.JSON) }),
	}
}

// userColumns are named by the short keys of the wire. As there, what is zero is absent.
func userColumns() []column[model.Profile] {
	place := func(i int) func(*model.Profile) (float64, bool) {
		return func(p *model.Profile) (float64, bool) {
			if p.Loc == nil {
				return 0, false
			}
			return p.Loc[i], true
		}
	}
	out := []column[model.Profile]{
		whole("uid", func(p *model.Profile) uint64 { return uint64(p.UID) }),
		{"_id", func(b *ch.Builder, at int, p *model.Profile) { b.Text(at, p.ID.String()) }},
		words("did", func(p *model.Profile) (string, bool) { return events.StoredText(p.DID) }),
		measure("lat", place(0)),
		measure("lng", place(1)),
		count("fs", func(p *model.Profile) int64 { return p.FirstSession }),
		count("ls", func(p *model.Profile) int64 { return p.LastSession }),
		count("fac", func(p *model.Profile) int64 { return p.FirstActivity }),
		count("lac", func(p *model.Profile) int64 { return p.LastActivity }),
		count("first_sync", func(p *model.Profile) int64 { return p.FirstSync }),
		count("last_sync", func(p *model.Profile) int64 { return p.LastSync }),
		count("sc", func(p *model.Profile) int64 { return p.Sessions }),
		measure("sd", func(p *model.Profile) (float64, bool) { return p.LastDuration, p.LastDuration != 0 }),
		measure("tsd", func(p *model.Profile) (float64, bool) { return p.TotalDuration, p.TotalDuration != 0 }),
		words("name", func(p *model.Profile) (string, bool) { return events.StoredText(p.Name) }),
		words("username", func(p *model.Profile) (string, bool) { return events.StoredText(p.Username) }),
		words("email", func(p *model.Profile) (string, bool) { return events.StoredText(p.Email) }),
		words("organization", func(p *model.Profile) (string, bool) { return events.StoredText(p.Organization) }),
		words("phone", func(p *model.Profile) (string, bool) { return events.StoredText(p.Phone) }),
		words("gender", func(p *model.Profile) (string, bool) { return events.StoredText(p.Gender) }),
		count("byear", func(p *model.Profile) int64 { return p.BirthYear }),
		words("picture", func(p *model.Profile) (string, bool) { return events.StoredText(p.Picture) }),
		{"hasInfo", func(b *ch.Builder, at int, p *model.Profile) {
			var has uint64
			if cmp.Or(p.Name, p.Username, p.Email, p.Organization, p.Phone, p.Gender, p.Picture) != "" || p.BirthYear != 0 {
				has = 1
			}
			b.Whole(at, has)
		}},
		count("state", func(p *model.Profile) int64 { return int64(p.State) }),
		words("custom", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Custom) }),
		words("consent", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Consent) }),
		words("cmp", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Campaign) }),
		words("extra", func(p *model.Profile) (string, bool) { return events.StoredObject(p.Extra) }),
	}
	for i := range model.Dimensions {
		out = append(out, words(model.Dimensions[i].Key, func(p *model.Profile) (string, bool) { return events.StoredText(p.Dims[i]) }))
	}
	return out
}

// filling gathers rows of a table for a block.
type filling[T any] struct {
	*ch.Builder
	table   string
	columns []column[T]
	size    int // bytes of the texts that were given; whatever their stored form is, so that blocks have the same ends always
}

// newFilling returns one for the rows of a table; further columns are named by more.
func newFilling[T any](t plan.Table, columns []column[T], more ...ch.Spec) *filling[T] {
	types := map[string]string{}
	for _, c := range definedIn(t) {
		types[c.Name] = plainType(c)
	}
	specs := []ch.Spec{{Name: "app", Type: "String"}}
	for _, c := range columns {
		specs = append(specs, ch.Spec{Name: c.name, Type: types[c.name]})
	}
	return &filling[T]{Builder: ch.NewBuilder(append(specs, more...)), table: tableNames[t], columns: columns}
}

// add adds a row of an app, without the further columns and without ending it.
func (f *filling[T]) add(app string, r *T, size int) {
	f.Text(0, app)
	for i := range f.columns {
		f.columns[i].put(f.Builder, i+1, r)
	}
	f.size += size
}

// The bounds of a block.
const (
	blockRows  = 32 << 10
	blockBytes = 8 << 20 // of texts
)

// full reports whether a block has to end.
func (f *filling[T]) full() bool { return f.Rows() >= blockRows || f.size >= blockBytes }

// reset empties it.
func (f *filling[T]) reset() {
	f.Reset()
	f.size = 0
}

// insert is the statement that adds the block.
func (f *filling[T]) insert(settings map[string]string) ch.Statement {
	return ch.Statement{SQL: "INSERT INTO " + f.table + " " + f.Names(), Settings: settings}
}
