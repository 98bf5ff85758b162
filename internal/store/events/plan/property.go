package plan

import (
	"quipu/internal/filter"
	"quipu/internal/store/schema"
)

// Rest is the JSON object, as text, of those properties of an event's row that have no place of their own; absent without any.
type Rest struct{}

func (Rest) expr() {}

// InRest is the property of that name in Rest, as text: absent in rows that have none, or have it in a place of its own.
func InRest(name string) Slot { return Slot{Slot: schema.Slot{Kind: schema.JSON}, Name: name} }

// Type is that of the slot's values; own says that they have a place to themselves, beside Rest.
func (s Slot) Type() (typ filter.Type, own bool) {
	switch s.Kind {
	case schema.Text:
		return filter.Text, true
	case schema.Number:
		return filter.Number, true
	case schema.JSON, schema.NoSlot:
	}
	return filter.Text, false
}

// Own is the value of a property in the rows of one event, if all of them have it in a place of its own.
func (p Placed) Own() (Slot, bool) {
	s := Slot{Slot: p.Slot}
	_, own := s.Type()
	return s, own
}

// Places is where the rows of an event have a property.
type Places struct {
	Own  Expr // where all have it, unless it is in Rest; nil = they do not
	Was  Expr // where older ones have it that do not have it in Rest; nil = none do
	Rest bool // in Rest, as a member of its name
}

// PlacesOf returns where the rows of an event have a property.
func PlacesOf(s *schema.Segment) Places {
	out := Places{Rest: s.Slot.Kind == schema.JSON}
	own := func(s schema.Slot) Expr {
		if slot, ok := (Placed{Slot: s}).Own(); ok {
			return slot
		}
		return nil
	}
	out.Own, out.Was = own(s.Slot), own(s.Was)
	return out
}

// ValuesOf lists the expressions that have the values of a property in the rows of an event: each has them in some of the rows, and only there.
func ValuesOf(s *schema.Segment) []Typed {
	var out []Typed
	for _, slot := range [2]schema.Slot{s.Slot, s.Was} {
		if slot.Kind == schema.NoSlot {
			continue
		}
		value := Slot{Slot: slot, Name: s.Name}
		typ, _ := value.Type()
		out = append(out, Typed{Expr: value, Type: typ})
	}
	return out
}

// Texts lists the expressions that have all properties of an event's row that are no numbers of their own, each some of them.
func Texts() []Expr {
	out := []Expr{Rest{}}
	for i := range schema.TextSlots {
		out = append(out, Slot{Slot: schema.Slot{Kind: schema.Text, Index: uint8(i + 1)}}) // there are few
	}
	return out
}
