package schema

// BeginKey is the key of the event that stands for a begun session. Its segments are the values that
// a session counts under.
const BeginKey = "[CLY]_session_begin"

// Kind tells the subjects of features apart. It is stored, so a feature keeps its number forever; docs/format/schema.md lists
// those that are taken. 0 is none.
type Kind uint8

// Subject is what a feature counts: a view, a widget, a group of crashes.
type Subject struct {
	// Num is the number of the subject among those of its kind in the app, from 1 in order of first appearance. It is
	// not given out again as long as there is anything else of the app.
	Num  uint32
	Name string
	// Alias is another name that it was last seen under, "" = none. Several subjects may have the same.
	Alias string
	// Tags are short texts it was seen with, in order of first appearance.
	Tags []string
	// Note is what the feature keeps of it, "" = nothing.
	Note string
}

// Values says under which limit the values of a segment are.
type Values uint8

// The limits of values.
const (
	OfEvents   Values = iota // Limits.Values
	OfSubjects               // Limits.SubjectValues: cells are kept for each value of each subject
	OfSessions               // Limits.MetricValues
)
