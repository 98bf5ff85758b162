// Package schema knows what an app's data consists of: its events in order
// of first appearance, their segments, the values of each segment (up to a
// limit), and the slot of the event table in which each property is stored.
// It grows while the pipeline runs and is committed with the batch that made
// it grow, so replaying the journal assigns the same slots again.
package schema

import "quipu/internal/model"

// Slots of the event table. A property of a type gets the next free slot of
// its event key; beyond them it goes to the JSON column.
const (
	TextSlots   = 16
	NumberSlots = 8
)

// Slot says where a property of an event is stored.
type Slot struct {
	// Kind is Text, Number or JSON.
	Kind SlotKind
	// Index counts from 1 inside its kind; 0 for JSON.
	Index uint8
}

// SlotKind is the sort of column a property lives in.
type SlotKind uint8

// The slot kinds. NoSlot is the zero value: the property is unknown.
const (
	NoSlot SlotKind = iota
	Text            // columns s1…s16
	Number          // columns n1…n8
	JSON            // the shared JSON column
)

// Event is what is known of one event key of an app.
type Event struct {
	Key string
	// Seq orders events by first appearance, from 1.
	Seq uint32
	// Segments in order of first appearance, of a value that counts if there was one. A segment of mixed type is in the
	// JSON slot from the moment the second type arrives; Was keeps the slot
	// that still holds older rows.
	Segments []Segment
}

// Segment is a property of an event.
type Segment struct {
	Name string
	Slot Slot
	Was  Slot
	// Omitted segments are no longer recorded.
	Omitted bool
	// Opaque segments have had nothing but arrays and objects so far, which count under no value.
	Opaque bool
}

// Listed reports whether lists of an event's segments show the segment.
func (s *Segment) Listed() bool { return !s.Omitted && !s.Opaque }

// IsText reports whether all values of the segment are texts, IsNumber whether they are numbers, and IsMixed whether they may be anything. None of them holds of a
// segment that rows do not have.
func (s *Segment) IsText() bool { return s.Slot.Kind == Text }

// IsNumber is described at IsText.
func (s *Segment) IsNumber() bool { return s.Slot.Kind == Number }

// IsMixed is described at IsText.
func (s *Segment) IsMixed() bool { return s.Slot.Kind == JSON }

// Reader is a snapshot of an app's schema; it does not change.
type Reader interface {
	// Events lists the custom and internal event keys in order of first appearance.
	Events(app model.AppID) []Event
	// Event returns one event key's entry.
	Event(app model.AppID, key string) (Event, bool)
}
