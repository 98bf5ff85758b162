package rewrite

// Source is where a read of figures finds its answer.
type Source uint8

// The sources.
const (
	Rows   Source = iota + 1 // event rows, as far as they are kept
	Cells                    // cells alone
	Starts                   // rows say who began, cells who came back
)

// String is what people call a source.
func (s Source) String() string {
	switch s {
	case Cells:
		return "cells"
	case Starts:
		return "rows and cells"
	case Rows:
	}
	return "rows"
}

// Asked says what a read of figures asks for, as far as that decides where the answer is. The zero value is what cells have.
type Asked struct {
	// Time says that time is cut otherwise than the cells of these figures are.
	Time bool
	// Filter says that a filter selects rows; in retention, other rows than starts.
	Filter bool
	// Breakdown says that a property makes groups.
	Breakdown bool
	// Events says that other events are asked about than those of which there are cells; in retention, as returns.
	Events bool
	// Units says that others than users are counted, Value that numbers are summed up.
	Units, Value bool
	// Moments says that the moment of a start matters, and not only its day: units that begin with each start, or returns on its own day.
	Moments bool
	// Chosen says that, in retention, starts are other events than sessions, or selected ones, First that the first start of a user is meant.
	Chosen, First bool
}

// Reason says why cells do not answer.
type Reason string

// The reasons; none where cells answer.
const (
	OfTime      Reason = "cells do not cut time like that"
	OfFilter    Reason = "a filter selects rows"
	OfBreakdown Reason = "a property makes groups"
	OfEvents    Reason = "there are no cells of these events"
	OfUnits     Reason = "others than users are counted"
	OfValue     Reason = "numbers of rows are summed up"
	OfMoments   Reason = "cells do not know when in a day something happened"
	OfStarts    Reason = "cells do not know who has these starts"
)

// SourceOf says where the answer to a read of figures is, and if it is not in cells alone, why.
func SourceOf(a Asked) (Source, Reason) {
	for _, c := range []struct {
		asked bool
		why   Reason
	}{
		{a.Time, OfTime},
		{a.Filter, OfFilter},
		{a.Breakdown, OfBreakdown},
		{a.Events, OfEvents},
		{a.Units, OfUnits},
		{a.Value, OfValue},
		{a.Moments, OfMoments},
		{a.Chosen && a.First, OfStarts},
	} {
		if c.asked {
			return Rows, c.why
		}
	}
	if a.Chosen {
		return Starts, OfStarts
	}
	return Cells, ""
}
