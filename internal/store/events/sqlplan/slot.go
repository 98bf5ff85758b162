package sqlplan

import (
	"strconv"

	"quipu/internal/filter"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// SlotColumn is the name of the column that holds a slot; "" for properties in JSON and for none.
func SlotColumn(s schema.Slot) string {
	switch {
	case s.Kind == schema.Text && s.Index >= 1 && s.Index <= schema.TextSlots:
		return "s" + strconv.Itoa(int(s.Index))
	case s.Kind == schema.Number && s.Index >= 1 && s.Index <= schema.NumberSlots:
		return "n" + strconv.Itoa(int(s.Index))
	}
	return ""
}

// slotPart is the value in the column of a slot, empty if it has none.
func slotPart(s schema.Slot) Part {
	if name := SlotColumn(s); name != "" {
		return Raw(Alias(plan.Events) + "." + name)
	}
	return Part{}
}

// extra is the value of a property that has no column.
func extra(l Layout, name string) Part {
	return l.Member(Raw(Alias(plan.Events)+".extra"), []string{name})
}

// slot is the value of a slot.
func slot(l Layout, s plan.Slot) Part {
	if p := slotPart(s.Slot); !p.Empty() {
		return p
	}
	return l.Text(Typed{extra(l, s.Name), filter.JSON})
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
	key, name := events.Selector(event)
	k, ok := l.Quoted(key)
	if name == "" || !ok {
		return Write("ev.e = @", Raw(k)), ok
	}
	n, ok := l.Quoted(name)
	return Write("ev.e = @ AND ev.n = @", Raw(k), Raw(n)), ok
}

// placed is the value of a segment in the rows of one event key.
func placed(l Layout, s plan.Segment, p plan.Placed) Part {
	value, was := slotPart(p.Slot), slotPart(p.Was)
	switch {
	case !value.Empty() && s.Type == filter.JSON:
		return l.AsJSON(value)
	case !value.Empty():
		return value
	case s.Type != filter.JSON: // no column, hence none of the type
		return Raw("NULL")
	case !was.Empty():
		return Write("coalesce(@, @)", extra(l, s.Name), l.AsJSON(was))
	default:
		return extra(l, s.Name)
	}
}
