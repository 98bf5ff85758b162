package plan

import (
	"quipu/internal/filter"
	"quipu/internal/model"
)

// Defined is a column of a table: Type is what it holds, and Nullable whether it may be absent. Text that begins with { in
// a column of the JSON kind is an object as text.
type Defined struct {
	Name     string
	Type     filter.Type
	Nullable bool
}

// Columns lists the columns of a table in the order in which docs/format/events.md has them, without the slots of
// properties.
func Columns(t Table) []Defined {
	switch t {
	case Events:
		return []Defined{
			whole("off"), whole("item"), whole("ts"), whole("received"), text("e", false), text("n", true), whole("uid"), whole("session"), whole("state"),
			whole("c"), number("s"), number("dur"), whole("hour"), whole("dow"), text("extra", true),
		}
	case Requests:
		return []Defined{whole("off"), whole("item"), whole("ts"), whole("received"), whole("uid"), whole("flags"), number("dur")}
	case States:
		return []Defined{whole("state"), whole("off"), whole("uid"), text("props", true)}
	case Users:
		out := []Defined{whole("uid"), text("_id", false)}
		out = append(out, text("did", true), Defined{"lat", filter.Number, true}, Defined{"lng", filter.Number, true})
		for i := range model.Dimensions {
			out = append(out, text(model.Dimensions[i].Key, true))
		}
		for _, name := range []string{"fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc"} {
			out = append(out, Defined{name, filter.Integer, true})
		}
		out = append(out, Defined{"sd", filter.Number, true}, Defined{"tsd", filter.Number, true})
		for _, name := range []string{"name", "username", "email", "organization", "phone", "gender"} {
			out = append(out, text(name, true))
		}
		out = append(out, Defined{"byear", filter.Integer, true}, text("picture", true), Defined{"hasInfo", filter.Bool, true}, Defined{"state", filter.Integer, true})
		for _, name := range []string{"custom", "consent", "cmp", "extra"} {
			out = append(out, text(name, true))
		}
		return out
	}
	return nil
}

func whole(name string) Defined               { return Defined{name, filter.Integer, false} }
func number(name string) Defined              { return Defined{name, filter.Number, false} }
func text(name string, nullable bool) Defined { return Defined{name, filter.Text, nullable} }
