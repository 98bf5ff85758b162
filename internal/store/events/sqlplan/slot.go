package sqlplan

import (
	"strconv"

	"quipu/internal/filter"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// RestColumn is where Slots has the object of the properties that have no slot.
const RestColumn = "extra"

// Slots is the part of a Layout that has a column for each slot of events, named s1, s2 … for texts and n1, n2 … for numbers, and one for the object of all other
// properties.
type Slots struct{}

// Slot implements Layout.
func (Slots) Slot(s schema.Slot) Part {
	name := SlotColumn(s)
	if name == "" {
		return Part{}
	}
	return Raw(Alias(plan.Events) + "." + name)
}

// Rest implements Layout.
func (Slots) Rest() Part { return Raw(Alias(plan.Events) + "." + RestColumn) }

// SlotColumn is the name of the column that Slots has for a slot; "" for properties in the object and for none.
func SlotColumn(s schema.Slot) string {
	switch {
	case s.Kind == schema.Text && s.Index >= 1 && s.Index <= schema.TextSlots:
		return "s" + strconv.Itoa(int(s.Index))
	case s.Kind == schema.Number && s.Index >= 1 && s.Index <= schema.NumberSlots:
		return "n" + strconv.Itoa(int(s.Index))
	}
	return ""
}

// inRest is the value of a property that has no slot.
func inRest(l Layout, name string) Part { return l.Member(l.Rest(), []string{name}) }

// slot is the value of a slot.
func slot(l Layout, s plan.Slot) Part {
	if p := l.Slot(s.Slot); !p.Empty() {
		return p
	}
	return l.Text(Typed{inRest(l, s.Name), filter.JSON})
}

// segment is the value of a property of events: it looks into the slots of all events that have it.
func segment(l Layout, s plan.Segment) Part {
	var cases []Part
	for _, p := range s.In {
		if when, ok := rowsOf(l, p.Event); ok {
			cases = append(cases, Write(" WHEN @ THEN @", when, placed(l, s, p)))
		}
	}
	if len(cases) == 0 {
		return Raw("NULL")
	}
	return Write("CASE@ END", Join(cases, ""))
}

// rowsOf is the condition that a row is of an event key; ok is false for keys that no statement can name.
func rowsOf(l Layout, event string) (condition Part, ok bool) {
	column := func(name string) Part {
		p, _ := l.Column(plan.Ev(name))
		return p
	}
	key, name := events.Selector(event)
	k, ok := l.Quoted(key)
	if name == "" || !ok {
		return Write("@ = @", column("e"), Raw(k)), ok
	}
	n, ok := l.Quoted(name)
	return Write("@ = @ AND @ = @", column("e"), Raw(k), column("n"), Raw(n)), ok
}

// placed is the value of a segment in the rows of one event key.
func placed(l Layout, s plan.Segment, p plan.Placed) Part {
	value, was := l.Slot(p.Slot), l.Slot(p.Was)
	switch {
	case !value.Empty() && s.Type == filter.JSON:
		return l.AsJSON(value)
	case !value.Empty():
		return value
	case s.Type != filter.JSON: // no column, hence none of the type
		return Raw("NULL")
	case !was.Empty():
		return Write("coalesce(@, @)", inRest(l, s.Name), l.AsJSON(was))
	default:
		return inRest(l, s.Name)
	}
}
