package pipeline

import (
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/model"
	"quipu/internal/query/counting"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// numbering is the part of an app's schema that numbers subjects. When rows are counted for comparison it adds none.
type numbering interface {
	SeeSubject(kind schema.Kind, name, alias, tag string) (uint32, bool)
	FindSubject(kind schema.Kind, name, alias string) (schema.Subject, bool)
	HasSubject(kind schema.Kind, num uint32) bool
	SubjectOf(kind schema.Kind, num uint32) (schema.Subject, bool)
	NoteSubject(kind schema.Kind, name, note string)
}

// Subjects numbers the subjects of a feature in an app.
type Subjects struct {
	kind schema.Kind
	sch  numbering
}

// Other returns the subjects of another kind of the same feature.
func (s Subjects) Other(kind schema.Kind) Subjects { return Subjects{kind, s.sch} }

// See makes sure that a subject is known and returns its number; false means that the app has its maximum of them. Alias and
// tag are kept where they are not "".
func (s Subjects) See(name, alias, tag string) (uint32, bool) {
	return s.sch.SeeSubject(s.kind, name, alias, tag)
}

// Find returns the subject with the name, else the first of those with the alias.
func (s Subjects) Find(name, alias string) (schema.Subject, bool) {
	return s.sch.FindSubject(s.kind, name, alias)
}

// Has reports whether a subject has the number.
func (s Subjects) Has(num uint32) bool { return s.sch.HasSubject(s.kind, num) }

// Of returns the subject that has the number.
func (s Subjects) Of(num uint32) (schema.Subject, bool) { return s.sch.SubjectOf(s.kind, num) }

// Note replaces what the feature keeps of a subject. It is part of the state that the journal leads to, and rows do not give it back.
func (s Subjects) Note(name, note string) { s.sch.NoteSubject(s.kind, name, note) }

// Counter adds to the cells of a feature what one record does. Cells are valid during the call that got the Counter.
type Counter struct {
	// Subjects are those of the feature.
	Subjects Subjects

	to     counting.Sink
	offset uint64
}

// Day returns the cell of a value on the local day of ts (ms), to be added to; months are added up from days. A dimension or
// value that is too long is cut.
func (c *Counter) Day(ts int64, s rollup.Series, value string) *rollup.Cell {
	return c.to.Day(c.offset, ts, s, value)
}

// Subject returns the cell of a subject on the local day of ts (ms), to be added to.
func (c *Counter) Subject(ts int64, m rollup.Metric, num uint32) *rollup.Cell {
	return c.to.SubjectDay(c.offset, ts, m, num)
}

// Erasing forgets what one person alone told the schema of an app.
type Erasing struct {
	kind schema.Kind
	sch  schema.Writer
	gone []uint32
}

// Delete forgets subjects of the feature by name.
func (e *Erasing) Delete(names []string) { e.gone = append(e.gone, deleted(e.sch, e.kind, names)...) }

// ForgetTexts takes aliases and tags from the subjects that have them.
func (e *Erasing) ForgetTexts(aliases, tags []string) { e.sch.ForgetTexts(e.kind, aliases, tags) }

// deleted forgets subjects by name and returns their numbers.
func deleted(sch schema.Writer, kind schema.Kind, names []string) []uint32 {
	gone := sch.DeleteSubjects(kind, names)
	out := make([]uint32, len(gone))
	for i, s := range gone {
		out[i] = s.Num
	}
	return out
}

// Sessions is the part of a feature in sessions.
type Sessions struct {
	// Begin prepares the profile of a user whose session begins; nil = nothing is to be done.
	Begin func(p *model.Profile)
	// Began returns what a session that begins counts of the user's past, before the session's row is complete; nil when that is
	// nothing. It may change the profile, and adds no rows. dims are what the session counts under. An error is one of a step.
	Began func(it *Item, dims *model.Dims) (SessionBegin, error)
	// ReadBegin reads what SessionBegin.Kept wrote; nil when that is of no use. It belongs to Began.
	ReadBegin func(kept []byte) SessionBegin
	// End returns what counts when a client ends a session; nil when nothing does. It may change the session, which is taken up
	// again as it leaves it. Sessions that end otherwise count nothing.
	End func(ended *model.SessionState) SessionEnd
	// Read reads what SessionEnd.Kept wrote; nil when that is of no use. It belongs to End.
	Read func(kept []byte) SessionEnd
}

// SessionBegin is what a feature counts at the begin of a session.
type SessionBegin interface {
	// Kept is the JSON under which it stands in the row of the session that begins, by the name of the feature.
	Kept() string
	// Count counts it, given that row: when the session begins, and whenever rows are counted again.
	Count(c *Counter, row *events.Row)
}

// SessionEnd is what a feature counts at the end of a session.
type SessionEnd interface {
	// Kept is the JSON under which it stands in the row of the session, by the name of the feature.
	Kept() string
	// Count counts it: when the session ends, and whenever rows are counted again. The session ended at a time, and had ended at another before it
	// was taken up again; 0 = it had not. Cells are of the days of these two.
	Count(c *Counter, at, before int64)
}

// sessionEnd is what a feature says of the end of a session.
type sessionEnd struct {
	of  *Feature
	end SessionEnd
}

// sessionBegin is what a feature says of the begin of a session.
type sessionBegin struct {
	of    *Feature
	begin SessionBegin
}

// sessionEnds asks the features what counts at the end of a session.
func (p *Pipeline) sessionEnds(into []sessionEnd, ended *model.SessionState) []sessionEnd {
	for _, f := range p.o.Features {
		if f.Sessions.End == nil {
			continue
		}
		if end := f.Sessions.End(ended); end != nil {
			into = append(into, sessionEnd{f, end})
		}
	}
	return into
}

// counter returns what counts for a feature.
func (f *Feature) counter(acc *cells.Accumulator, sch numbering, offset uint64) *Counter {
	return &Counter{Subjects: Subjects{f.Subjects, sch}, to: acc, offset: offset}
}
