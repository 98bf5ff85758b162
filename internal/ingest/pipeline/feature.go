package pipeline

import (
	"errors"
	"slices"
	"strings"

	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/query/counting"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Feature is what a feature declares of its part in ingestion. The pipeline, rebuilds, recounts, erasure, deletion and verify walk the
// declarations and know no feature by name. What a feature has no use for stays out.
//
// A feature may own events: their items count under its subjects, which the schema of an app numbers, and cells name them by
// rollup.SubjectValue of that number. It may have steps, which add rows of its own, and count these. A reset clears schema,
// profiles, rows and cells of an app as a whole and needs no declaration.
//
// Functions must follow from their arguments alone: no clock, no randomness, no I/O. They run in the pipeline's hot path.
type Feature struct {
	// Name is unique. What the feature keeps beside what all rows and states have is stored under it.
	Name string
	// Subjects is the kind of its subjects in the schema; 0 = it has none.
	Subjects schema.Kind
	// MostSubjects is how many subjects an app has at most; 0 = as many as its settings say.
	MostSubjects int
	// Events are the keys of the events that belong to the feature, all with request.ReservedPrefix and each of one feature only.
	// Their items count under its subjects, not as events. A feature with events has subjects and all of the functions of Items.
	// A command deletes subjects by name, with all rows of Events and Rows that are named so (request.DeleteSubjects).
	Events []string
	// Items is how items of Events are recorded and counted.
	Items Items
	// Names are segments, by key of an event that counts as one: the text of the segment is the name of the event's row.
	Names map[string]string
	// Fields are the names of the parameters of requests that belong to the feature (request.Fields), each of one feature only.
	Fields []string
	// Steps are further steps of the pipeline. What they decide must show in the rows that they add (Item.Record) or change:
	// rows are all that a rebuild has.
	Steps []Addition
	// Rows are the keys of rows that count under the feature, those of its steps and those of crashes and calls; all with
	// request.ReservedPrefix and each of one feature only. They count as no events.
	Rows []string
	// Count counts a row of Rows: when it is recorded, and whenever rows are counted again.
	Count func(c *Counter, row *events.Row, recorded Texts)
	// Command does something to a user who sent nothing: it.Profile, to be changed as by a step, and rows added by Item.Record. It runs for
	// each user of a command (FeatureUsers) with the JSON of that, under the time at which the server took it. An error stops the whole batch, as that of a step. nil = there are no commands.
	Command func(it *Item, json []byte) error
	// Decide takes a decision of people about subjects at its place in the journal (FeatureDecision), so that what comes later is
	// decided alike whenever it is done. It may note it at the subjects. nil = there are none.
	Decide func(s Subjects, decision []byte)
	// Sessions is its part in sessions.
	Sessions Sessions
	// Metrics are the metrics of its cells that rows can give back: rebuilds replace them, and verify compares them.
	Metrics []Metric
	// Merge settles what the feature keeps in profiles when old goes into p. was is p as it was before; all else is merged already.
	// Members of Profile.Extra are united without it.
	Merge func(p, was, old *model.Profile)
	// Places replaces each journal place that the feature keeps in a profile by what to returns, which keeps their order. nil = it keeps none.
	Places func(p *model.Profile, to func(place uint64) uint64)
	// State returns what belongs to the user state of rows (text, number, bool or list of these by name), stored
	// as "<Name>.<name>". A step that changes it before StepExpand calls Item.PropertiesChanged.
	State func(p *model.Profile) map[string]any
	// Erase forgets what one person alone told the schema of an app, as that person sent it. The
	// cells of subjects that are deleted go with them. nil = nothing is known of single persons.
	Erase func(s *Erasing, own []OwnValues)
}

// Items is how items of a feature's events are recorded and counted.
type Items struct {
	// Under are the metrics that subjects count under. Nothing but items does.
	Under cells.Under
	// Arrive prepares an item before the session it belongs to may end. It may change the segments, and set Subject and
	// SubjectName of the event. An item without subject is recorded and counts nowhere.
	Arrive func(it *Item, e *Event)
	// Duration reports whether a number of the segment stands in the column dur and takes no slot.
	Duration func(key, segment string) bool
	// Counts reports whether cells are kept for the values of a segment.
	Counts func(key, segment string) bool
	// Value is the form in which a value of a segment stands in cells.
	Value func(key, text string) string
	// Adds says by event what an item adds to its subject, when it is recorded, whenever rows are counted again, and where a filter selects rows.
	Adds map[string]*counting.Adds
	// Subject returns the number of the subject that a stored row counts under; false when there is none. It is how rows are
	// counted again.
	Subject func(s Subjects, row *events.Row, recorded Texts) (uint32, bool)
}

// Texts are the segments of an item that are recorded.
type Texts = counting.Texts

// Metric is a metric of a feature.
type Metric struct {
	Number rollup.Metric
	// Name is what people read, in the plural.
	Name string
	// Subject is what people call one of its subjects, "" = its values are no subjects.
	Subject string
	// BySegment says that its dimension is a segment and a value of it (rollup.SegmentDim) rather than "".
	BySegment bool
}

// Features are the declarations of all features.
type Features []*Feature

// owners are the features by what they own.
type owners struct {
	events, rows map[string]*Feature
	names        map[string]string // of all features
}

// owners returns the features by the keys of their events and rows, or what is wrong with the declarations.
func (fs Features) owners() (owners, error) {
	var errs []error
	fail := func(f *Feature, what string) { errs = append(errs, errors.New("pipeline: feature "+f.Name+" "+what)) }
	out := owners{events: map[string]*Feature{}, rows: map[string]*Feature{}, names: map[string]string{}}
	fields := map[string]bool{} // those that no feature has yet
	for _, field := range request.Fields() {
		for _, name := range field.Names {
			fields[name] = true
		}
	}
	metrics, kinds, names := map[rollup.Metric]bool{}, map[schema.Kind]bool{0: true}, map[string]bool{"": true}
	for _, f := range fs {
		i := &f.Items
		if names[f.Name] {
			fail(f, "has no name of its own")
		}
		names[f.Name] = true
		if f.Subjects != 0 && kinds[f.Subjects] {
			fail(f, "has the subjects of another")
		}
		kinds[f.Subjects] = true
		if len(f.Events) > 0 && (f.Subjects == 0 || i.Arrive == nil || i.Duration == nil || i.Counts == nil || i.Value == nil || i.Subject == nil) {
			fail(f, "has events and lacks subjects or a function for their items")
		}
		if (len(f.Rows) > 0) != (f.Count != nil) || (f.Sessions.End != nil) != (f.Sessions.Read != nil) || (f.Sessions.Began != nil) != (f.Sessions.ReadBegin != nil) {
			fail(f, "cannot count what it records")
		}
		for _, key := range f.Events {
			if i.Adds[key] == nil {
				fail(f, "does not say what items of the event "+key+" add")
			}
			if out.events[key] != nil || !strings.HasPrefix(key, request.ReservedPrefix) {
				fail(f, "cannot own the event "+key)
			}
			out.events[key] = f
		}
		for _, m := range f.Metrics {
			if metrics[m.Number] {
				fail(f, "has a metric twice, or that of another: "+m.Name)
			}
			metrics[m.Number] = true
		}
		for _, m := range []rollup.Metric{i.Under.Own, i.Under.BySegment} {
			if m != 0 && !metrics[m] {
				fail(f, "counts under a metric that it does not declare")
			}
		}
	}
	for _, f := range fs {
		for key, segment := range f.Names {
			if out.names[key] != "" || out.events[key] != nil || !strings.HasPrefix(key, request.ReservedPrefix) {
				fail(f, "cannot name rows of the event "+key)
			}
			out.names[key] = segment
		}
		for _, name := range f.Fields {
			if !fields[name] {
				fail(f, "cannot own the field "+name)
			}
			delete(fields, name)
		}
		for _, key := range f.Rows {
			if out.rows[key] != nil || out.events[key] != nil || counted[key] || !strings.HasPrefix(key, request.ReservedPrefix) {
				fail(f, "cannot own rows of the key "+key)
			}
			out.rows[key] = f
		}
	}
	return out, errors.Join(errs...)
}

// counted are keys of rows that the pipeline counts itself.
var counted = map[string]bool{cells.BeginKey: true, cells.SessionKey: true, events.CustomKey: true}

// named returns the feature of a name; nil when there is none.
func (fs Features) named(name string) *Feature {
	for _, f := range fs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Places calls that of each feature.
func (fs Features) Places(p *model.Profile, to func(place uint64) uint64) {
	for _, f := range fs {
		if f.Places != nil {
			f.Places(p, to)
		}
	}
}

// FeatureUsers returns the command by which a feature does something to users of an app; see Feature.Command.
func FeatureUsers(app model.AppID, feature string, uids []uint32, json []byte) request.Record {
	return request.Record{Kind: request.FeatureUsers, App: app, Event: feature, UIDs: uids, JSON: json}
}

// FeatureDecision returns the command by which a feature decides something about its subjects; see Feature.Decide.
func FeatureDecision(app model.AppID, feature string, json []byte) request.Record {
	return request.Record{Kind: request.FeatureUsers, App: app, Event: feature, JSON: json}
}

// bound sets how many subjects features may have.
func (fs Features) bound(sch schema.Writer) {
	for _, f := range fs {
		if f.MostSubjects > 0 {
			sch.SetMost(f.Subjects, f.MostSubjects)
		}
	}
}

// Records reports whether rows of a key are made by steps of a feature or counted by one, and are no events.
func (fs Features) Records(key string) bool {
	return slices.ContainsFunc(fs, func(f *Feature) bool { return slices.Contains(f.Rows, key) })
}

// NoEvents are the keys of rows that count as no events, sorted: those that the pipeline makes itself, and Rows of all features.
// Rows of Events count as events.
func (fs Features) NoEvents() []string {
	out := []string{cells.BeginKey, cells.SessionKey}
	for _, field := range request.Fields() {
		out = append(out, field.Keys...)
	}
	for _, f := range fs {
		out = append(out, f.Rows...)
	}
	slices.Sort(out)
	return slices.Compact(out) // a feature may count what the pipeline only records
}

// Deletes reports whether rows of a key that is no event's go with subjects that are deleted.
func (fs Features) Deletes(key string) bool {
	return slices.ContainsFunc(fs, func(f *Feature) bool { return f.Subjects != 0 && slices.Contains(f.Rows, key) })
}

// States are the parts of features in user states.
func (fs Features) States() []props.Part {
	var out []props.Part
	for _, f := range fs {
		if f.State != nil {
			out = append(out, props.Part{Name: f.Name, Of: f.State})
		}
	}
	return out
}

// additions are the steps of all features.
func (fs Features) additions() []Addition {
	var out []Addition
	for _, f := range fs {
		out = append(out, f.Steps...)
	}
	return out
}

// metrics lists the metrics of all features.
func (fs Features) metrics() []rollup.Metric {
	var out []rollup.Metric
	for _, f := range fs {
		for _, m := range f.Metrics {
			out = append(out, m.Number)
		}
	}
	return out
}

// Metric returns the declaration of a metric; false when no feature has it.
func (fs Features) Metric(number rollup.Metric) (Metric, bool) {
	for _, f := range fs {
		for _, m := range f.Metrics {
			if m.Number == number {
				return m, true
			}
		}
	}
	return Metric{}, false
}

// cellsOf names the cells of subjects.
func (f *Feature) cellsOf(subjects []uint32) (gone []rollup.Removal) {
	if len(subjects) == 0 {
		return nil
	}
	values := make([]string, len(subjects))
	for i, n := range subjects {
		values[i] = rollup.SubjectValue(n)
	}
	for _, m := range f.Metrics {
		if m.Subject != "" {
			gone = append(gone, rollup.RemoveValues{Metric: m.Number, Values: values})
		}
	}
	return gone
}

// bySegment lists the metrics that count by segments; none of no feature.
func (f *Feature) bySegment() []rollup.Metric {
	if f == nil {
		return nil
	}
	var out []rollup.Metric
	for _, m := range f.Metrics {
		if m.BySegment {
			out = append(out, m.Number)
		}
	}
	return out
}

// owner returns the feature that an event belongs to; nil for events that count as such.
func (p *Pipeline) owner(key string) *Feature {
	if !strings.HasPrefix(key, request.ReservedPrefix) {
		return nil
	}
	return p.owners.events[key]
}

// ownerOfRows returns the feature that an event or a row belongs to; nil when there is none.
func (p *Pipeline) ownerOfRows(key string) *Feature {
	if f := p.owners.rows[key]; f != nil {
		return f
	}
	return p.owner(key)
}

// countsBeside reports whether rows of the feature count under anything but subjects.
func (f *Feature) countsBeside() bool {
	return slices.ContainsFunc(f.Metrics, func(m Metric) bool { return m.Subject == "" })
}

// countsValues reports whether cells are kept for the values of a segment of an event.
func countsValues(of *Feature, key, segment string) bool {
	return of == nil || of.Items.Counts(key, segment)
}

// valueOf is the form in which a value of a segment of an event stands in cells.
func valueOf(of *Feature, key, text string) string {
	if of == nil {
		return cells.SegmentValue(text)
	}
	return of.Items.Value(key, text)
}

// valuesOf says which limit the values of the segments of an event are under.
func valuesOf(of *Feature) schema.Values {
	if of == nil {
		return schema.OfEvents
	}
	return schema.OfSubjects
}
