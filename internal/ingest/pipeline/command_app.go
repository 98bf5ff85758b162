package pipeline

import (
	"context"
	"fmt"
	"slices"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
	"quipu/internal/topic"
)

// dropApp forgets all data of an app; its numbering starts again.
func (p *Pipeline) dropApp(ctx context.Context, d *decoded) error {
	err := p.remove(ctx, d, "drop app", func(ctx context.Context, w events.Writer) error {
		return w.DropApp(ctx, d.app, d.at.Watermark())
	})
	if err != nil {
		return err
	}
	sch, err := p.o.Schema.App(d.app)
	if err != nil {
		return fmt.Errorf("open schema: %w", err)
	}
	sch.Clear()
	p.o.Profiles.DeleteApp(d.app)
	err = p.store(ctx, d.at, state.App{
		ID: d.app, Remove: []rollup.Removal{rollup.RemoveApp{}}, ForgetMarks: true, ForgetSettings: d.kind == request.DeleteApp,
	})
	if err != nil {
		return err
	}
	if d.kind == request.DeleteApp {
		p.force.forget(d.app)
		p.o.Schema.Forget(d.app)
	}
	return nil
}

// deleteEvents forgets event keys with rows, segments and cells.
func (p *Pipeline) deleteEvents(ctx context.Context, d *decoded) error {
	keys := slices.Clone(d.rec.Names)
	if len(keys) == 0 {
		return p.storeNothing(ctx, d.at)
	}
	err := p.remove(ctx, d, "delete events", func(ctx context.Context, w events.Writer) error {
		return w.DeleteEvents(ctx, d.app, keys, d.at.Watermark())
	})
	if err != nil {
		return err
	}
	sch, err := p.o.Schema.App(d.app)
	if err != nil {
		return fmt.Errorf("open schema: %w", err)
	}
	sch.DeleteEvents(keys)
	change := state.App{ID: d.app}
	for _, key := range keys {
		change.Remove = append(change.Remove,
			rollup.RemoveValue{Series: rollup.Series{Metric: rollup.Events}, Value: key},
			rollup.RemoveDims{Metric: rollup.Segments, Prefix: rollup.SegmentDim(key, "")},
			rollup.RemoveSeries{Series: rollup.Series{Metric: rollup.TimesOfDay, Dim: key}},
		)
	}
	return p.store(ctx, d.at, change)
}

// omitSegments stops the recording of a segment and forgets what was
// recorded. A record names one segment; Submit sees to it.
func (p *Pipeline) omitSegments(ctx context.Context, d *decoded) error {
	if len(d.rec.Names) != 1 {
		p.o.Log.ErrorContext(ctx, "segments cannot be omitted: a record names exactly one", "offset", d.at.Offset)
		return p.storeNothing(ctx, d.at)
	}
	sch, err := p.o.Schema.App(d.app)
	if err != nil {
		return fmt.Errorf("open schema: %w", err)
	}
	for _, s := range sch.OmitSegments(d.rec.Event, d.rec.Names) {
		slots := slices.DeleteFunc([]schema.Slot{s.Slot, s.Was}, func(s schema.Slot) bool { return s.Kind == schema.NoSlot })
		if len(slots) == 0 {
			continue
		}
		err := p.remove(ctx, d, "clear property", func(ctx context.Context, w events.Writer) error {
			return w.ClearProperty(ctx, d.app, d.rec.Event, slots, s.Name, d.at.Watermark())
		})
		if err != nil {
			return err
		}
	}
	change := state.App{ID: d.app}
	for _, name := range d.rec.Names {
		series := rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim(d.rec.Event, name)}
		change.Remove = append(change.Remove, rollup.RemoveSeries{Series: series})
		for _, m := range p.owner(d.rec.Event).bySegment() {
			change.Remove = append(change.Remove, rollup.RemoveDims{Metric: m, Prefix: rollup.SegmentDim(name, "")})
		}
	}
	return p.store(ctx, d.at, change)
}

// deleteSubjects forgets subjects of a feature with their rows and cells. Sessions keep what they counted of them,
// by numbers that nobody gets again, and cells that are not of subjects keep what the rows added.
func (p *Pipeline) deleteSubjects(ctx context.Context, d *decoded) error {
	names, f := slices.Clone(d.rec.Names), p.ownerOfRows(d.rec.Feature())
	if f == nil {
		p.o.Log.ErrorContext(ctx, "subjects of no feature are to be deleted", "event", d.rec.Event, "offset", d.at.Offset)
	}
	if len(names) == 0 || f == nil {
		return p.storeNothing(ctx, d.at)
	}
	err := p.remove(ctx, d, "delete "+f.Name, func(ctx context.Context, w events.Writer) error {
		return w.DeleteNamed(ctx, d.app, slices.Concat(f.Events, f.Rows), names, d.at.Watermark())
	})
	if err != nil {
		return err
	}
	sch, err := p.o.Schema.App(d.app)
	if err != nil {
		return fmt.Errorf("open schema: %w", err)
	}
	change := state.App{ID: d.app, Remove: f.cellsOf(deleted(sch, f.Subjects, names))}
	if f.countsBeside() {
		mark, err := p.o.State.Marks(d.app)
		if err != nil {
			return err
		}
		mark.Loose = true
		change.Marks = &mark
	}
	return p.store(ctx, d.at, change)
}

func (p *Pipeline) whitelist(ctx context.Context, d *decoded) error {
	sch, err := p.o.Schema.App(d.app)
	if err != nil {
		return fmt.Errorf("open schema: %w", err)
	}
	sch.Whitelist(d.rec.Event, slices.Clone(d.rec.Names))
	return p.storeNothing(ctx, d.at)
}

// deleteUsers removes profiles and their rows. What they added to cells
// stays: counters cannot tell whose they are, and bitmaps keep the numbers, which
// are never given out again.
func (p *Pipeline) deleteUsers(ctx context.Context, d *decoded) error {
	var found []*model.Profile
	for _, uid := range d.rec.UIDs {
		l := shard{p: p, id: d.app}
		u, err := l.loadUID(uid)
		if err != nil {
			return err
		}
		if u != nil && !slices.ContainsFunc(found, func(f *model.Profile) bool { return f.UID == u.UID }) {
			found = append(found, u)
		}
	}
	if len(found) == 0 {
		return p.storeNothing(ctx, d.at)
	}
	uids := make([]uint32, len(found))
	for i, u := range found {
		uids[i] = u.UID
	}
	err := p.remove(ctx, d, "delete users", func(ctx context.Context, w events.Writer) error {
		return w.DeleteUsers(ctx, d.app, uids, d.at.Watermark())
	})
	if err != nil {
		return err
	}
	for _, u := range found {
		if err := p.o.Profiles.Delete(d.app, u.ID); err != nil {
			return fmt.Errorf("delete profile: %w", err)
		}
	}
	mark, err := p.o.State.Marks(d.app)
	if err != nil {
		return err
	}
	mark.Deleted += uint64(len(found))
	mark.Loose = true
	return p.store(ctx, d.at, state.App{ID: d.app, Marks: &mark}, topic.UsersDeleted{App: d.app, UIDs: uids})
}
