package schema

import "quipu/internal/model"

// Writers hands out the writers of a batch. App may be called from many
// goroutines; Flush, Forget, Abandon and Idle need all writers to rest, and nothing that
// was flushed to be under way.
type Writers interface {
	// App returns the writer of an app, reading what is stored when it is not in
	// memory.
	App(app model.AppID) (Writer, error)
	// Flush hands over what changed since the last Flush; the caller commits it. Once it calls end with
	// true, readers see it; with false, everything not committed is dropped from memory, as by Abandon. Writers of
	// a next batch may run meanwhile. One change may be under way: Flush of the next one before the
	// last has ended is an error. After an error all is abandoned.
	Flush() (c Change, end func(committed bool), err error)
	// Forget drops an app from memory with all that is not committed; writers
	// handed out before are dead.
	Forget(app model.AppID)
	// Abandon is Forget for every app with changes that are not committed.
	Abandon()
	// Idle tells that there is no batch, nor anything under way, and that none came lately: writers handed out before are dead,
	// and apps that need not be in memory leave it.
	Idle()
}

// Change is what writers changed since the last flush, of all apps. It never changes.
type Change struct{ Apps []AppChange }

// AppChange is what a change holds of one app. It is applied from the top down.
type AppChange struct {
	App model.AppID
	// Cleared says that all that is stored of the app goes first.
	Cleared bool
	// Purged are segments whose values go.
	Purged []SegmentID
	// Events and Subjects are added, or replace those with their numbers; those under GoneEvents and GoneSubjects go.
	Events       []Record
	GoneEvents   []uint32
	Subjects     []SubjectRecord
	GoneSubjects []SubjectID
	// Counters is nil when they are as they were.
	Counters *Counters
	Values   []NewValues
}

// SegmentID names the values of a segment in an app. Neither number is ever given out again.
type SegmentID struct{ Event, Segment uint32 }

// SubjectID names a subject in an app.
type SubjectID struct {
	Kind Kind
	Num  uint32
}

// SubjectRecord is all that is kept of a subject.
type SubjectRecord struct {
	Kind    Kind
	Subject *Subject
}

// Record is all that is kept of an event key.
type Record struct {
	ID        uint32
	Event     Event    // Seq 0 = it never came
	Numbers   []uint32 // of Event.Segments
	Last      uint32   // last number of a segment that was given out
	Whitelist []string
}

// Counters are the last numbers given out in an app.
type Counters struct {
	ID       uint32          // of events, for keys
	Seq      uint32          // of events that came, for their order
	Subjects map[Kind]uint32 // of subjects, by kind
}

// NewValues are values of a segment in order of first appearance; First is the ordinal of the first, from 1.
type NewValues struct {
	Segment SegmentID
	First   uint32
	Texts   []string
}
