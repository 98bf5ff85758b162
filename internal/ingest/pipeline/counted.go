package pipeline

import (
	"context"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/query/counting"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Counted returns how rows count under a metric, for reads under a filter; nil where no feature has it.
func (fs Features) Counted(m rollup.Metric) *counting.Metric {
	for _, f := range fs {
		for _, own := range f.Metrics {
			if own.Number == m {
				return f.counted(m)
			}
		}
	}
	return nil
}

func (f *Feature) counted(m rollup.Metric) *counting.Metric {
	out := &counting.Metric{Kind: f.Subjects}
	if m == f.Items.Under.Own || m == f.Items.Under.BySegment {
		for _, key := range f.Events {
			out.Items = append(out.Items, counting.Item{Key: key, Adds: *f.Items.Adds[key]})
		}
		return out
	}
	out.Rows = f.Rows
	if f.Sessions.ReadBegin != nil {
		out.Begins = f.Name
	}
	if f.Sessions.Read != nil {
		out.Ends = f.Name
	}
	out.Open = func(ctx context.Context, app model.AppID, known schema.Details, to counting.Sink) counting.Counter {
		sch := &subjectsOf{ctx: ctx, app: app, known: known}
		return &recounter{f: f, sch: sch, counter: Counter{Subjects: Subjects{f.Subjects, sch}, to: to}}
	}
	return out
}

// recounter counts stored rows of a feature, without those of its items.
type recounter struct {
	f       *Feature
	sch     *subjectsOf
	counter Counter
}

// Row implements counting.Counter.
func (r *recounter) Row(row *events.Row, recorded Texts) (known bool) {
	r.counter.offset = row.Offset
	r.f.Count(&r.counter, row, recorded)
	return r.sch.all()
}

// Begin implements counting.Counter.
func (r *recounter) Begin(kept []byte, row *events.Row) (known bool) {
	r.counter.offset = row.Offset
	if b := r.f.Sessions.ReadBegin(kept); b != nil {
		b.Count(&r.counter, row)
	}
	return r.sch.all()
}

// End implements counting.Counter.
func (r *recounter) End(kept []byte, at, before int64) (known bool) {
	if e := r.f.Sessions.Read(kept); e != nil {
		e.Count(&r.counter, at, before)
	}
	return r.sch.all()
}

// Err implements counting.Counter.
func (r *recounter) Err() error { return r.sch.err }

// subjectsOf are the subjects of an app that are known. Nobody adds to them.
type subjectsOf struct {
	ctx    context.Context // lives as long as the call that made it
	app    model.AppID
	known  schema.Details
	kinds  map[schema.Kind]*numbered
	missed bool  // one was not known
	err    error // that of reading them
}

// numbered are the subjects of a kind by name, and their numbers.
type numbered struct {
	byName  map[string]schema.Subject
	numbers map[uint32]bool
}

// of returns the subjects of a kind.
func (g *subjectsOf) of(kind schema.Kind) *numbered {
	if n := g.kinds[kind]; n != nil {
		return n
	}
	n := &numbered{byName: map[string]schema.Subject{}, numbers: map[uint32]bool{}}
	if g.kinds == nil {
		g.kinds = map[schema.Kind]*numbered{}
	}
	g.kinds[kind] = n
	if kind == 0 {
		return n
	}
	list, err := g.known.Subjects(g.ctx, g.app, kind)
	if err != nil && g.err == nil {
		g.err = fmt.Errorf("read subjects: %w", err)
	}
	for _, s := range list {
		n.byName[s.Name], n.numbers[s.Num] = s, true
	}
	return n
}

// all reports whether all subjects that were looked for since the last call are known.
func (g *subjectsOf) all() bool {
	missed := g.missed
	g.missed = false
	return !missed
}

// found notes whether a subject is known.
func (g *subjectsOf) found(ok bool) bool {
	g.missed = g.missed || !ok
	return ok
}

// SeeSubject returns the number of a subject that is known.
func (g *subjectsOf) SeeSubject(kind schema.Kind, name, _, _ string) (uint32, bool) {
	s, ok := g.of(kind).byName[name]
	return s.Num, g.found(ok)
}

// FindSubject returns the subject with the name.
func (g *subjectsOf) FindSubject(kind schema.Kind, name, _ string) (schema.Subject, bool) {
	s, ok := g.of(kind).byName[name]
	return s, g.found(ok)
}

// HasSubject reports whether a subject has the number.
func (g *subjectsOf) HasSubject(kind schema.Kind, num uint32) bool {
	return g.found(g.of(kind).numbers[num])
}

// SubjectOf returns the subject with the number.
func (g *subjectsOf) SubjectOf(kind schema.Kind, num uint32) (schema.Subject, bool) {
	for _, s := range g.of(kind).byName {
		if s.Num == num {
			return s, true
		}
	}
	return schema.Subject{}, g.found(false)
}

// NoteSubject changes nothing: rows are only counted.
func (g *subjectsOf) NoteSubject(schema.Kind, string, string) {}
