package pipeline

import (
	"errors"
	"strings"

	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/request"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Feature is what a feature declares of its part in ingestion. The pipeline, recounts, erasure, deletion and verify walk the
// declarations and know no feature by name. What a feature has no use for stays out.
//
// A feature counts subjects: views, and whatever else its events are about. The schema of an app numbers them, and cells name
// them by rollup.ViewValue of that number. Merges need no declaration: cells hold users by number, which readers
// resolve. A reset clears the schema and the cells of an app as a whole.
//
// Functions must follow from their arguments alone: no clock, no randomness, no I/O. They run in the pipeline's hot path.
type Feature struct {
	// Name is unique, for messages.
	Name string
	// Events are the keys of the events that belong to the feature, all with request.ReservedPrefix and each of one feature only.
	// Their items count under its subjects, not as events. A feature with events has all of the functions of Items.
	Events []string
	// Items is how items of Events are recorded and counted.
	Items Items
	// Steps are further steps of the pipeline.
	Steps []Addition
	// Metrics are the metrics of its cells that rows can give back: rebuilds replace them, and verify compares them.
	Metrics []Metric
	// Erase forgets what one person alone told the schema of an app, as that person sent it, and returns the numbers of the
	// subjects that are gone; their cells go with them. nil = nothing is known of single persons.
	Erase func(sch schema.Writer, own []OwnValues) []uint32
	// Deletes is the kind of command that deletes subjects by name, with all rows of Events that are named so; 0 = none.
	Deletes request.Kind
	// Delete forgets subjects by name and returns their numbers. It belongs to Deletes.
	Delete func(sch schema.Writer, names []string) []uint32
}

// Items is how items of a feature's events are recorded and counted.
type Items struct {
	// Under are the metrics that subjects count under.
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
	// Adds returns what an item adds to its subject.
	Adds func(key string, seconds float64, recorded Texts) cells.Added
	// Subject returns the number of the subject that a stored row counts under; false when there is none. It is how rows are
	// counted again.
	Subject func(sch Subjects, row *events.Row, recorded Texts) (uint32, bool)
}

// Texts are the segments of an item that are recorded.
type Texts interface {
	// Text returns the value of a segment, or "" when none is recorded.
	Text(segment string) string
}

// Subjects is the part of an app's schema that numbers subjects. When rows are counted for comparison it adds none.
type Subjects interface {
	SeeView(name, url, domain string) (uint32, bool)
	FindView(name, url string) (schema.View, bool)
}

// Metric is a metric of a feature.
type Metric struct {
	Number rollup.Metric
	// Name is what people read, in the plural.
	Name string
	// BySegment says that its dimension is a segment and a value of it (rollup.SegmentDim) rather than "".
	BySegment bool
}

// Features are the declarations of all features.
type Features []*Feature

// owners returns the features by the keys of their events, or what is wrong with the declarations.
func (fs Features) owners() (map[string]*Feature, error) {
	var errs []error
	out, metrics, kinds := map[string]*Feature{}, map[rollup.Metric]bool{}, map[request.Kind]bool{}
	for _, f := range fs {
		i := &f.Items
		if len(f.Events) > 0 && (i.Arrive == nil || i.Duration == nil || i.Counts == nil || i.Value == nil || i.Adds == nil || i.Subject == nil) {
			errs = append(errs, errors.New("pipeline: feature "+f.Name+" has events and lacks a function for their items"))
		}
		for _, key := range f.Events {
			if out[key] != nil || !strings.HasPrefix(key, request.ReservedPrefix) {
				errs = append(errs, errors.New("pipeline: feature "+f.Name+" cannot own the event "+key))
			}
			out[key] = f
		}
		for _, m := range f.Metrics {
			if metrics[m.Number] {
				errs = append(errs, errors.New("pipeline: feature "+f.Name+" has a metric twice, or that of another: "+m.Name))
			}
			metrics[m.Number] = true
		}
		for _, m := range []rollup.Metric{i.Under.Own, i.Under.BySegment} {
			if m != 0 && !metrics[m] {
				errs = append(errs, errors.New("pipeline: feature "+f.Name+" counts under a metric that it does not declare"))
			}
		}
		if (f.Deletes == 0) != (f.Delete == nil) || f.Deletes != 0 && kinds[f.Deletes] {
			errs = append(errs, errors.New("pipeline: feature "+f.Name+" does not say how its subjects are deleted"))
		}
		kinds[f.Deletes] = true
	}
	return out, errors.Join(errs...)
}

// deletes returns the feature whose subjects a kind of command deletes; nil when there is none.
func (fs Features) deletes(kind request.Kind) *Feature {
	for _, f := range fs {
		if f.Delete != nil && f.Deletes == kind {
			return f
		}
	}
	return nil
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
		values[i] = rollup.ViewValue(n)
	}
	for _, m := range f.Metrics {
		gone = append(gone, rollup.RemoveValues{Metric: m.Number, Values: values})
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
	return p.owners[key]
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
