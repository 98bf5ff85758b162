package query_test

import (
	"fmt"
	"strings"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/query"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// bound writes what a path stands for: its type, and where its value is.
func bound(t plan.Typed, ok bool) string {
	if !ok {
		return "nothing"
	}
	typ := map[filter.Type]string{
		filter.Text: "text", filter.Number: "number", filter.Integer: "integer", filter.Bool: "bool", filter.JSON: "json", filter.List: "list",
	}[t.Type]
	if s, ok := t.Expr.(plan.Segment); ok {
		var places []string
		for _, p := range s.In {
			place := p.Event + " " + slotText(p.Slot)
			if p.Was != (schema.Slot{}) {
				place += " was " + slotText(p.Was)
			}
			places = append(places, place)
		}
		if s.Type != t.Type {
			typ += " of another type"
		}
		return typ + ": " + s.Name + " in " + strings.Join(places, ", ")
	}
	if l, ok := t.Expr.(plan.Lists); ok {
		column, _ := l.Of.(plan.Column)
		return fmt.Sprintf("%s: %q of %s", typ, l.ID, column.Name)
	}
	text := (&plan.Query{From: plan.Events, Select: []plan.Expr{t.Expr}}).String()
	return typ + ": " + strings.TrimPrefix(text, "from events select ")
}

func slotText(s schema.Slot) string {
	return fmt.Sprintf("%s%d", map[schema.SlotKind]string{schema.Text: "s", schema.Number: "n", schema.JSON: "json"}[s.Kind], s.Index)
}

// TestBind has paths of the wire, and what they are bound to: where the schema places a property, and as which type.
func TestBind(t *testing.T) {
	t.Parallel()
	tables := query.NewTables(noRows{}, &memory{events: segmentsOf})
	event, trend, funnel := query.BindEvent(tables, testApp), query.BindTrend(tables, testApp), query.BindFunnel(tables, testApp)
	for _, c := range []struct {
		name string
		bind query.Binder
		path string
		want string
	}{
		{"a column of text", event, "e", "text: events.e"},
		{"a column of whole numbers", event, "ts", "integer: events.ts"},
		{"a column by its name on the wire", event, "cd", "integer: events.received"},
		{"a column of numbers", event, "s", "number: events.s"},
		{"the number of a user is text", event, "uid", "text: text(events.uid)"},
		{"two columns", event, "_id", `text: concat(events.off, ".", events.item)`},
		{"a column of the row's user", event, "did", "text: users.did"},
		{"no session", event, "lsid", "integer: null_if(events.session, 0)"},
		{"no hour", event, "hour", "integer: null_if(events.hour, -1)"},
		{"the app itself", event, "a", fmt.Sprintf("text: %q", testApp.String())},

		{"text in each of its events", event, "sg.item", "text: item in Buy s1, it's s2"},
		{"a number of one event", event, "sg.price", "number: price in Buy n1"},
		{"text here, a number there", event, "sg.kind", "json: kind in Buy s2, it's n3"},
		{"of mixed type, with older rows in a slot", event, "sg.late", "json: late in Buy json0 was s3"},
		{"in JSON, with a hostile name", event, "sg.a.b/c~d'e", "json: a.b/c~d'e in it's json0"},
		{"nobody sent it", event, "sg.unknown", "nothing"},
		{"no name", event, "sg.", "nothing"},
		{"all of them", event, "sg", "nothing"},

		{"a dimension at the event", event, "up.cc", `json: states.props."up.cc"`},
		{"a named property at the event", event, "up.name", `json: states.props."up.name"`},
		{"a custom property at the event", event, "custom.plan", `json: states.props."custom.plan"`},
		{"a campaign at the event", event, "cmp.c", `json: states.props."cmp.c"`},
		{"a dimension without its group", event, "cc", "nothing"},
		{"all cohorts", event, "chr", `list: "" of uid`},
		{"a cohort", event, "chr.c1.in", `list: "c1" of uid`},
		{"a cohort without an id", event, "chr.", "nothing"},
		{"no such path", event, "nonsense", "nothing"},
		{"nothing", event, "", "nothing"},
		{"a column that is not for the wire", event, "off", "nothing"},

		{"a custom property below up", trend, "up.custom.plan", `json: states.props."custom.plan"`},
		{"known as it is now only", trend, "up.sc", "integer: users.sc"},
		{"a consent is known as it is now only", trend, "up.consent.push", `json: users.consent."push"`},
		{"known at the event", trend, "up.av", `json: states.props."up.av"`},
		{"a property of events in trends", trend, "sg.price", "number: price in Buy n1"},
		{"a dimension without its group in funnels", funnel, "cc", `json: states.props."up.cc"`},

		{"a column of users", query.BindUser, "name", "text: users.name"},
		{"the same below up", query.BindUser, "up.name", "text: users.name"},
		{"a whole number of users", query.BindUser, "sc", "integer: users.sc"},
		{"a number of users", query.BindUser, "tsd", "number: users.tsd"},
		{"yes or no of users", query.BindUser, "hasInfo", "bool: users.hasInfo"},
		{"a dimension of users", query.BindUser, "cc", "text: users.cc"},
		{"the number of users", query.BindUser, "uid", "text: text(users.uid)"},
		{"a custom property of users", query.BindUser, "custom.plan", `json: users.custom."plan"`},
		{"deep in a custom property", query.BindUser, "up.custom.a.b", `json: users.custom."a.b"`},
		{"a consent of users", query.BindUser, "consent.push", `json: users.consent."push"`},
		{"a group without a key", query.BindUser, "custom.", "nothing"},
		{"a group", query.BindUser, "custom", "nothing"},
		{"a cohort of users", query.BindUser, "chr.c1", `list: "c1" of uid`},
		{"a property of events, of users", query.BindUser, "sg.price", "nothing"},
		{"a column of users that is not for the wire", query.BindUser, "extra", "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := bound(c.bind(c.path)); got != c.want {
				t.Errorf("%q is bound to\n%s, want\n%s", c.path, got, c.want)
			}
		})
	}
}

// TestProperty has properties of rows of one event.
func TestProperty(t *testing.T) {
	t.Parallel()
	tables := query.NewTables(noRows{}, &memory{events: segmentsOf})
	for _, c := range []struct{ event, name, want string }{
		{"Buy", "kind", "text: kind in Buy s2"}, // of one type, where it is not over all events
		{"it's", "kind", "number: kind in it's n3"},
		{"Buy", "late", "json: late in Buy json0 was s3"},
		{"it's", "price", ": null"}, // of another event
		{"none", "kind", ": null"},
	} {
		e := tables.Property(testApp, c.event, c.name)
		typed := plan.Typed{Expr: e}
		if s, ok := e.(plan.Segment); ok {
			typed.Type = s.Type
		}
		if got := bound(typed, true); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.name, c.event, got, c.want)
		}
	}
}
