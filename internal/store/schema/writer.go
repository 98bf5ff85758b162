package schema

import (
	"cmp"
	"context"

	"quipu/internal/model"
)

// Writer is an app's schema in the hands of the app's pipeline writer: one
// goroutine at a time. What it changes shows at once in the writer, and to
// Readers when the batch given to the flush of its store is committed. Every change
// follows from the calls alone, so a replay makes the same one again.
type Writer interface {
	// SetLimits changes the limits for what comes from now on; what is known already stays.
	// Zero fields take the limits that the schema was opened with. Limits are not stored: who
	// opens a writer sets them.
	SetLimits(l Limits)
	// SetMost is SetLimits for the subjects of a kind, which Limits.Subjects does not bound then; 0 = it does.
	SetMost(kind Kind, n int)
	// Event returns the entry of an event key. The entry is a copy.
	Event(key string) (Event, bool)
	// AddEvent makes sure that the event key is known; false means that the app
	// has its maximum of custom event keys and the event is to be dropped. Keys
	// that begin with "[CLY]_" do not count towards the maximum.
	AddEvent(key string) bool
	// Segment returns where a property of a known event is stored for a value of
	// the kind (Text, Number; JSON for lists and objects), assigning a slot when
	// the property is new. A text or number slot whose property now comes with
	// another kind becomes JSON, and Segment.Was keeps the slot. False means that the value is
	// not to be recorded: the segment is omitted, not on the event's whitelist,
	// beyond the maximum of segments, or the event is unknown.
	Segment(event, name string, kind SlotKind) (Slot, bool)
	// AddValue makes sure that the value of a known segment is known; false
	// means that the segment has its maximum of values, so no cell is to be kept for it.
	AddValue(of Values, event, segment, value string) (bool, error)

	// OmitSegments marks segments as no longer recorded and forgets their slots
	// and values. It returns the entries as they were, for their columns to be
	// cleared. Names the event does not know yet are omitted from the start;
	// an unknown event is remembered without being listed.
	OmitSegments(event string, names []string) []Segment
	// Whitelist sets the only segments that are recorded for the event; none
	// means all. The event need not be known, and does not become so. Segments
	// already known stay.
	Whitelist(event string, names []string)
	// DeleteSegments forgets segments with their values; they may come back with
	// any slot. It returns the entries as they were, for their columns to be cleared.
	DeleteSegments(event string, names []string) []Segment
	// ForgetValues forgets values of a segment; others keep their order. The running batch must not have
	// added any values before.
	ForgetValues(event, segment string, values []string) error
	// DeleteEvents forgets event keys with their segments, values, omissions and
	// whitelists.
	DeleteEvents(keys []string)
	// SeeSubject makes sure that a subject is known and returns its number; false means that the app has
	// its maximum of them. Alias and tag are kept where they are not "".
	SeeSubject(kind Kind, name, alias, tag string) (uint32, bool)
	// FindSubject returns the subject with the name, else the first of those with the alias.
	FindSubject(kind Kind, name, alias string) (Subject, bool)
	// SubjectOf returns the subject with a number; false when there is none.
	SubjectOf(kind Kind, num uint32) (Subject, bool)
	// NoteSubject replaces the note of a subject; one that is not known stays so.
	NoteSubject(kind Kind, name, note string)
	// HasSubject reports whether a subject has the number.
	HasSubject(kind Kind, num uint32) bool
	// DeleteSubjects forgets subjects and returns them as they were. They may come back with
	// another number.
	DeleteSubjects(kind Kind, names []string) []Subject
	// ForgetTexts takes aliases and tags from the subjects that have them.
	ForgetTexts(kind Kind, aliases, tags []string)
	// Clear forgets all of the app.
	Clear()
}

// Details is what readers can ask for beside Reader. All calls see committed
// data only and may come from any goroutine.
type Details interface {
	// Values lists the known values of a segment in order of first appearance.
	Values(ctx context.Context, app model.AppID, event, segment string) ([]string, error)
	// Omitted returns event key → names of omitted segments, each in order of arrival.
	Omitted(ctx context.Context, app model.AppID) (map[string][]string, error)
	// Whitelists returns event key → the only segments recorded.
	Whitelists(ctx context.Context, app model.AppID) (map[string][]string, error)
	// Subjects lists the subjects of a kind in order of first appearance.
	Subjects(ctx context.Context, app model.AppID, kind Kind) ([]Subject, error)
}

// Store is the whole of it.
type Store interface {
	Reader
	Writers
	Details
	// Limits returns the limits of writers that nobody gave others.
	Limits() Limits
}

// Limits bound an app's schema. Zero fields take the defaults; see Writer.SetLimits.
type Limits struct {
	Events   int // custom event keys of an app, 500
	Segments int // segments of an event, 100
	Values   int // values of a segment, 1000

	Subjects      int // subjects of a kind in an app, 10,000
	SubjectValues int // values of a segment of subjects, 50

	MetricValues int // values of each property of a begun session, 1000
}

// Or returns the limits with those of other in place of zeros.
func (l Limits) Or(other Limits) Limits {
	return Limits{
		Events: cmp.Or(l.Events, other.Events), Segments: cmp.Or(l.Segments, other.Segments), Values: cmp.Or(l.Values, other.Values),
		Subjects: cmp.Or(l.Subjects, other.Subjects), SubjectValues: cmp.Or(l.SubjectValues, other.SubjectValues),
		MetricValues: cmp.Or(l.MetricValues, other.MetricValues),
	}
}
