package drill

import (
	"context"
	"crypto/sha1" // names documents; it protects nothing
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/schema"
)

// The types of properties on the wire.
const (
	typeText   = "s"
	typeNumber = "n"
	typeDate   = "d"
	typeList   = "l"  // text of few values, all of which are listed
	typeBig    = "bl" // text of so many that they are searched
	typeArray  = "a"
)

// Bounds of what is known of properties.
const (
	listLimit  = 100           // values up to which a property is a list
	kept       = 100           // values that are kept of others, the most frequent
	maxCustom  = 100           // custom properties of users that are looked at
	sample     = 2000          // users whose custom properties are looked at
	window     = "90days"      // whose rows are looked at, unless a period is given
	freshFor   = 6 * time.Hour // how long what was found is answered
	maxSearch  = 1000          // values that a search answers
	maxPlaces  = 100           // events that are listed of a property
	usersKey   = "up"          // of the document of users' properties
	crashEvent = "[CLY]_crash"
	answers    = "answ-" // begins segments that hold answers of surveys, which are not listed
)

// property is what is known of a property's values.
type property struct {
	Type   string   `json:"type"`
	Values []string `json:"values,omitempty"` // the most frequent first
	// Count is how many values there are; 0 = they were not counted.
	Count int64 `json:"count,omitempty"`
	// Format is that of text all of whose values are dates, date or datetime, or true and false, boolean.
	Format string `json:"format,omitempty"`
	// Rows are the events that have the property, First and Last when the first and the last one happened (ms). Of a property of
	// users, Rows are users, and Last is when one of those who have it was active last.
	Rows  int64 `json:"rows,omitempty"`
	First int64 `json:"first,omitempty"`
	Last  int64 `json:"last,omitempty"`
}

// found is what was found of the properties of an event, or of users.
type found struct {
	ID         string              `json:"_id"`
	Event      string              `json:"event"` // "" for those of users
	Properties map[string]property `json:"properties"`
	At         int64               `json:"at"` // ms
}

// Key returns the id.
func (f found) Key() string { return f.ID }

// Validate accepts what was found.
func (found) Validate() error { return nil }

func metaSpec() docs.Spec[found] { return docs.Spec[found]{Name: "drill.meta", Version: 1} }

func metaID(event string) string {
	if event == "" {
		return usersKey
	}
	sum := sha1.Sum([]byte(event))
	return hex.EncodeToString(sum[:])
}

type metaReq struct {
	Event string `param:"event"`
	// Property and Search find values of one property that hold a text, whatever its case.
	Property string `param:"property"`
	Search   string `param:"search"`
}

type metaRes struct {
	Event    string             `json:"e"`
	User     map[string]metaOne `json:"up"`
	Segments map[string]metaOne `json:"sg"`
	Cohorts  *property          `json:"chr,omitempty"` // ids of those that everyone sees, for those who may read cohorts; nil = there are none
}

// metaOne is a property with what people say about it.
type metaOne struct {
	property
	kernel.PropertyLabel
	// Events are the keys of events that have a property of the name, in order of first appearance, the first maxPlaces; EventCount
	// is how many there are.
	Events     []string `json:"events,omitempty"`
	EventCount int      `json:"event_count,omitempty"`
}

// meta answers which properties the rows of an event can be asked by, or searches the values of one.
func (s *service) meta(ctx context.Context, c api.Caller, r metaReq) (any, error) {
	need := []string{feature}
	if r.Event == crashEvent {
		need = []string{"crashes"}
	}
	if !mayRead(c.Member, c.App.ID, need...) {
		return nil, errNoRight
	}
	if r.Event == "" {
		return nil, missing("event")
	}
	if r.Property != "" {
		return s.search(ctx, c, r)
	}
	out := metaRes{Event: r.Event, User: map[string]metaOne{}, Segments: map[string]metaOne{}}
	labels, err := s.labels.Of(ctx, c.App.ID)
	if err != nil {
		return nil, err
	}
	keys, err := s.keys(ctx, c.App.ID, r.Event)
	if err != nil {
		return nil, err
	}
	if keys, err = s.defined.Keys(ctx, c.App.ID, keys); err != nil {
		return nil, err
	}
	users, err := s.known(ctx, c.App, "")
	if err != nil {
		return nil, err
	}
	for name, p := range users.Properties {
		if auth.MayAskBy(c.Member, c.App.ID, []string{name}, nil) {
			out.User[name] = metaOne{property: p, PropertyLabel: labels[userPath(name)]}
		}
	}
	if auth.Can(c.Member, c.App.ID, "cohorts", model.Read) {
		sets, err := s.cohorts.Members(ctx, c.App.ID, nil, true)
		if err != nil {
			return nil, err
		}
		if len(sets) > 0 {
			out.Cohorts = &property{Type: typeList, Values: slices.Sorted(maps.Keys(sets))}
		}
	}
	for _, key := range keys {
		f, err := s.known(ctx, c.App, key)
		if err != nil {
			return nil, err
		}
		for name, p := range f.Properties {
			if old, twice := out.Segments[name]; twice {
				p = union(old.property, p)
			}
			out.Segments[name] = metaOne{property: p, PropertyLabel: labels["sg."+name]}
		}
	}
	s.place(c, out.Segments)
	return out, nil
}

// userPath is the path of a property of users by its name in the answer.
func userPath(name string) string {
	if strings.HasPrefix(name, "custom.") || strings.HasPrefix(name, "cmp.") {
		return name
	}
	return "up." + name
}

// place says of properties which events have one of the name, of those that the caller may ask about.
func (s *service) place(c api.Caller, of map[string]metaOne) {
	crashes := mayRead(c.Member, c.App.ID, "crashes")
	for _, ev := range s.schema.Events(c.App.ID) {
		if ev.Key == crashEvent && !crashes {
			continue
		}
		for _, seg := range ev.Segments {
			p, ok := of[seg.Name]
			if !ok || seg.Omitted {
				continue
			}
			if p.EventCount++; p.EventCount <= maxPlaces {
				p.Events = append(p.Events, ev.Key)
			}
			of[seg.Name] = p
		}
	}
}

// union is what two events know of one property. How many values there are is known at least.
func union(a, b property) property {
	a.Rows, a.Last = a.Rows+b.Rows, max(a.Last, b.Last)
	if a.First == 0 || b.First != 0 && b.First < a.First {
		a.First = b.First
	}
	if a.Format != b.Format {
		a.Format = ""
	}
	if a.Type != b.Type && (a.Type != typeList || b.Type != typeBig) && (a.Type != typeBig || b.Type != typeList) {
		return property{Type: typeText, Rows: a.Rows, First: a.First, Last: a.Last}
	}
	if b.Type == typeBig {
		a.Type = typeBig
	}
	a.Count = max(a.Count, b.Count)
	for _, v := range b.Values {
		if !slices.Contains(a.Values, v) && len(a.Values) < kept {
			a.Values = append(a.Values, v)
		}
	}
	return a
}

type searchRes struct {
	Values []string `json:"values"` // the most frequent first
	Counts []int64  `json:"counts"` // the rows that have each of them, in their order
	Total  int64    `json:"total"`  // how many there are
}

// search answers values of a property that hold a text.
func (s *service) search(ctx context.Context, c api.Caller, r metaReq) (any, error) {
	if len(r.Property) > maxPath || len(r.Search) > maxText {
		return nil, bad("property")
	}
	if err := permitted(c.Member, c.App.ID, nil, []string{r.Property}); err != nil {
		return nil, err
	}
	keys, err := s.keys(ctx, c.App.ID, r.Event)
	if err != nil {
		return nil, err
	}
	p, err := s.recent(c.App)
	if err != nil {
		return nil, err
	}
	found, err := s.tables.PropertyValues(ctx, c.App.ID, keys, p, r.Property, r.Search, maxSearch)
	return searchRes{found.Values, found.Counts, found.Total}, err
}

// recent is the period whose rows are looked at.
func (s *service) recent(app *model.App) (period.Period, error) { return s.periodOf(app, window) }

func (s *service) periodOf(app *model.App, text string) (period.Period, error) {
	cal, _ := s.zones.Get(app.Timezone)
	return period.Parse(text, s.now(), cal)
}

// known returns what is known of the properties of an event, or, for "", of users. What was found long ago is found again;
// properties that came since then are there with their type alone.
func (s *service) known(ctx context.Context, app *model.App, event string) (found, error) {
	if _, there := s.schema.Event(app.ID, event); event != "" && !there {
		return found{}, nil // nothing is kept of names that anybody may make up
	}
	f, err := metaSpec().In(s.docs, app.ID).Get(ctx, metaID(event))
	if err == nil && s.now().Sub(time.UnixMilli(f.At)) < freshFor {
		return s.withNew(app.ID, f), nil
	}
	if err != nil && !docs.IsNotFound(err) {
		return found{}, err
	}
	p, err := s.recent(app)
	if err != nil {
		return found{}, err
	}
	return s.find(ctx, app, event, p)
}

// withNew drops the properties that the schema no longer lists, and adds those that it came to know since.
func (s *service) withNew(app model.AppID, f found) found {
	if f.Event == "" {
		return f
	}
	ev, _ := s.schema.Event(app, f.Event)
	out := found{ID: f.ID, Event: f.Event, At: f.At, Properties: map[string]property{}}
	for _, seg := range ev.Segments {
		if seg.Omitted || strings.HasPrefix(seg.Name, answers) {
			continue
		}
		p, ok := f.Properties[seg.Name]
		if !ok {
			p = property{Type: typeOf(seg)}
		}
		out.Properties[seg.Name] = p
	}
	return out
}

// typeOf is the type of a property by what the schema knows of it.
func typeOf(seg schema.Segment) string {
	if seg.IsNumber() {
		return typeNumber
	}
	if seg.Opaque {
		return typeArray
	}
	return typeText
}

// find looks at rows, and keeps what it finds.
func (s *service) find(ctx context.Context, app *model.App, event string, p period.Period) (f found, err error) {
	f = found{ID: metaID(event), Event: event, Properties: map[string]property{}, At: s.now().UnixMilli()}
	if event == "" {
		err = s.findUsers(ctx, app.ID, f.Properties)
	} else {
		err = s.findSegments(ctx, app.ID, event, p, f.Properties)
	}
	if err != nil {
		return f, err
	}
	return f, metaSpec().In(s.docs, app.ID).Put(ctx, f)
}

func (s *service) findSegments(ctx context.Context, app model.AppID, event string, p period.Period, into map[string]property) error {
	ev, _ := s.schema.Event(app, event)
	var names []string
	for _, seg := range ev.Segments {
		if seg.Omitted || strings.HasPrefix(seg.Name, answers) {
			continue
		}
		names = append(names, seg.Name)
		most, err := s.tables.PropertyValues(ctx, app, []string{event}, p, "sg."+seg.Name, "", kept)
		if err != nil {
			return err
		}
		values, total := most.Values, most.Total
		if t := typeOf(seg); t == typeNumber {
			into[seg.Name] = property{Type: t, Count: total}
			continue
		}
		found := ofValues(values, total, seg.IsMixed())
		if err := s.findFormat(ctx, app, &found, values, event, "sg."+seg.Name); err != nil {
			return err
		}
		into[seg.Name] = found
	}
	facts, err := s.tables.PropertyFacts(ctx, app, event, names)
	for i, f := range facts {
		found := into[names[i]]
		found.Rows, found.First, found.Last = f.Rows, f.First, f.Last
		into[names[i]] = found
	}
	return err
}

// ofValues is a property by its most frequent values and their number; mixed says that they may be of any type.
func ofValues(values []string, total int64, mixed bool) property {
	all := func(is func(string) bool) bool {
		return mixed && len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !is(v) })
	}
	switch {
	case all(func(v string) bool { return strings.HasPrefix(v, "[") }):
		return property{Type: typeArray, Count: total}
	case all(isNumber):
		return property{Type: typeNumber, Count: total}
	case total > listLimit:
		return property{Type: typeBig, Values: values, Count: total}
	case len(values) == 0:
		return property{Type: typeText}
	}
	return property{Type: typeList, Values: values, Count: total}
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// dates are properties of users that are moments (s).
var dates = []string{"fs", "ls", "fac", "lac", "first_sync", "last_sync"}

// numbers are those that are numbers.
var numbers = []string{"sc", "sd", "tsd", "byear", "lat", "lng"}

// named are those whose values are as many as there are users.
var named = []string{"did", "name", "username", "email", "organization", "phone", "picture"}

func (s *service) findUsers(ctx context.Context, app model.AppID, into map[string]property) error {
	for _, name := range dates {
		into[name] = property{Type: typeDate}
	}
	for _, name := range numbers {
		into[name] = property{Type: typeNumber}
	}
	for _, name := range named {
		into[name] = property{Type: typeText}
	}
	list := []string{"gender"}
	for i := range model.Dimensions {
		list = append(list, model.Dimensions[i].Key)
	}
	custom, err := s.people.Properties(ctx, app, sample, maxCustom)
	if err != nil {
		return err
	}
	mixed := map[string]bool{}
	for _, p := range custom {
		name := "custom." + p.Name
		switch p.Kind {
		case query.KindNumber:
			into[name] = property{Type: typeNumber}
		default:
			list, mixed[name] = append(list, name), p.Kind != query.KindText
		}
	}
	for _, name := range list {
		most, err := s.people.Values(ctx, app, name, "", kept)
		if err != nil {
			return err
		}
		values, total := most.Values, most.Total
		if total == 0 {
			continue
		}
		found := ofValues(values, total, mixed[name])
		if err := s.findFormat(ctx, app, &found, values, "", name); err != nil {
			return err
		}
		into[name] = found
	}
	names := slices.Sorted(maps.Keys(into))
	facts, err := s.people.PropertyFacts(ctx, app, names)
	for i, f := range facts {
		found := into[names[i]]
		found.Rows, found.Last = f.Rows, f.Last
		into[names[i]] = found
	}
	return err
}
