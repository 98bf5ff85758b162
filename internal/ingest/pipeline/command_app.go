package pipeline

import (
	"context"
	"fmt"
	"slices"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/kv"
	pebblemarks "quipu/internal/store/marks/pebble"
	"quipu/internal/store/registry"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/topic"
)

// dropApp forgets all data of an app; its numbering starts again.
func (p *Pipeline) dropApp(ctx context.Context, d *decoded) error {
	err := p.remove(ctx, d, "drop app", func(ctx context.Context, w events.Writer) error {
		return w.DropApp(ctx, d.app, at(d.offset))
	})
	if err != nil {
		return err
	}
	reg, err := p.o.Registry.App(d.app)
	if err != nil {
		return fmt.Errorf("open registry: %w", err)
	}
	reg.Clear()
	p.o.Profiles.DeleteApp(d.app)
	err = p.store(ctx, d.offset, func(b *kv.Batch) error {
		if err := pebblerollup.DeleteApp(b.Pebble(), d.app); err != nil {
			return fmt.Errorf("delete cells: %w", err)
		}
		if d.kind == request.DeleteApp {
			if err := pebblemarks.DeleteSettings(b, d.app); err != nil {
				return err
			}
		}
		return pebblemarks.Delete(b, d.app)
	})
	if err != nil {
		return err
	}
	if d.kind == request.DeleteApp {
		p.force.forget(d.app)
		p.o.Registry.Forget(d.app)
	}
	return nil
}

// deleteEvents forgets event keys with rows, segments and cells.
func (p *Pipeline) deleteEvents(ctx context.Context, d *decoded) error {
	keys := slices.Clone(d.rec.Names)
	if len(keys) == 0 {
		return p.store(ctx, d.offset, nil)
	}
	err := p.remove(ctx, d, "delete events", func(ctx context.Context, w events.Writer) error {
		return w.DeleteEvents(ctx, d.app, keys, at(d.offset))
	})
	if err != nil {
		return err
	}
	reg, err := p.o.Registry.App(d.app)
	if err != nil {
		return fmt.Errorf("open registry: %w", err)
	}
	reg.DeleteEvents(keys)
	return p.store(ctx, d.offset, func(b *kv.Batch) error {
		for _, key := range keys {
			if err := p.deleteEventCells(ctx, b, d.app, key); err != nil {
				return fmt.Errorf("delete cells of event: %w", err)
			}
		}
		return nil
	})
}

func (p *Pipeline) deleteEventCells(ctx context.Context, b *kv.Batch, app model.AppID, key string) error {
	db, batch := p.o.KV.Reader(), b.Pebble()
	if err := pebblerollup.DeleteValue(ctx, db, batch, app, rollup.Series{Metric: rollup.Events}, key); err != nil {
		return err
	}
	if err := pebblerollup.DeleteDims(ctx, db, batch, app, rollup.Segments, rollup.SegmentDim(key, "")); err != nil {
		return err
	}
	return pebblerollup.DeleteSeries(batch, app, rollup.Series{Metric: rollup.TimesOfDay, Dim: key})
}

// omitSegments stops the recording of a segment and forgets what was
// recorded. A record names one segment; Submit sees to it.
func (p *Pipeline) omitSegments(ctx context.Context, d *decoded) error {
	if len(d.rec.Names) != 1 {
		p.o.Log.ErrorContext(ctx, "segments cannot be omitted: a record names exactly one", "offset", d.offset)
		return p.store(ctx, d.offset, nil)
	}
	reg, err := p.o.Registry.App(d.app)
	if err != nil {
		return fmt.Errorf("open registry: %w", err)
	}
	for _, s := range reg.OmitSegments(d.rec.Event, d.rec.Names) {
		slots := slices.DeleteFunc([]registry.Slot{s.Slot, s.Was}, func(s registry.Slot) bool { return s.Kind == registry.NoSlot })
		if len(slots) == 0 {
			continue
		}
		err := p.remove(ctx, d, "clear property", func(ctx context.Context, w events.Writer) error {
			return w.ClearProperty(ctx, d.app, d.rec.Event, slots, s.Name, at(d.offset))
		})
		if err != nil {
			return err
		}
	}
	return p.store(ctx, d.offset, func(b *kv.Batch) error {
		for _, name := range d.rec.Names {
			series := rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim(d.rec.Event, name)}
			if err := pebblerollup.DeleteSeries(b.Pebble(), d.app, series); err != nil {
				return fmt.Errorf("delete cells of segment: %w", err)
			}
			if d.rec.Event != registry.ViewKey {
				continue
			}
			if err := pebblerollup.DeleteDims(ctx, p.o.KV.Reader(), b.Pebble(), d.app, rollup.ViewSegments, rollup.SegmentDim(name, "")); err != nil {
				return fmt.Errorf("delete cells of views by segment: %w", err)
			}
		}
		return nil
	})
}

// deleteViews forgets views with their rows and cells. What sessions visited them stays in the
// rows of the sessions, by numbers that nobody gets again.
func (p *Pipeline) deleteViews(ctx context.Context, d *decoded) error {
	names := slices.Clone(d.rec.Names)
	if len(names) == 0 {
		return p.store(ctx, d.offset, nil)
	}
	err := p.remove(ctx, d, "delete views", func(ctx context.Context, w events.Writer) error {
		return w.DeleteNamed(ctx, d.app, []string{registry.ViewKey, ActionKey}, names, at(d.offset))
	})
	if err != nil {
		return err
	}
	reg, err := p.o.Registry.App(d.app)
	if err != nil {
		return fmt.Errorf("open registry: %w", err)
	}
	gone := reg.DeleteViews(names)
	return p.store(ctx, d.offset, func(b *kv.Batch) error { return p.deleteViewCells(ctx, b, d.app, gone) })
}

func (p *Pipeline) deleteViewCells(ctx context.Context, b *kv.Batch, app model.AppID, views []registry.View) error {
	if len(views) == 0 {
		return nil
	}
	values := make([]string, len(views))
	for i, v := range views {
		values[i] = rollup.ViewValue(v.Num)
	}
	for _, m := range []rollup.Metric{rollup.Views, rollup.ViewSegments, rollup.ViewEnds} {
		if err := pebblerollup.DeleteValues(ctx, p.o.KV.Reader(), b.Pebble(), app, m, values); err != nil {
			return fmt.Errorf("delete cells of views: %w", err)
		}
	}
	return nil
}

func (p *Pipeline) whitelist(ctx context.Context, d *decoded) error {
	reg, err := p.o.Registry.App(d.app)
	if err != nil {
		return fmt.Errorf("open registry: %w", err)
	}
	reg.Whitelist(d.rec.Event, slices.Clone(d.rec.Names))
	return p.store(ctx, d.offset, nil)
}

// deleteUsers removes profiles and their rows. What they added to cells
// stays: counters cannot tell whose they are, and bitmaps keep the numbers, which
// are never given out again.
func (p *Pipeline) deleteUsers(ctx context.Context, d *decoded) error {
	var found []*model.Profile
	for _, uid := range d.rec.UIDs {
		l := lane{p: p, id: d.app}
		u, err := l.loadUID(uid)
		if err != nil {
			return err
		}
		if u != nil && !slices.ContainsFunc(found, func(f *model.Profile) bool { return f.UID == u.UID }) {
			found = append(found, u)
		}
	}
	if len(found) == 0 {
		return p.store(ctx, d.offset, nil)
	}
	uids := make([]uint32, len(found))
	for i, u := range found {
		uids[i] = u.UID
	}
	err := p.remove(ctx, d, "delete users", func(ctx context.Context, w events.Writer) error {
		return w.DeleteUsers(ctx, d.app, uids, at(d.offset))
	})
	if err != nil {
		return err
	}
	for _, u := range found {
		if err := p.o.Profiles.Delete(d.app, u.ID); err != nil {
			return fmt.Errorf("delete profile: %w", err)
		}
	}
	mark, err := pebblemarks.Load(p.o.KV, d.app)
	if err != nil {
		return err
	}
	mark.Deleted += uint64(len(found))
	mark.Loose = true
	write := func(b *kv.Batch) error { return pebblemarks.Put(b, d.app, mark) }
	return p.store(ctx, d.offset, write, topic.UsersDeleted{App: d.app, UIDs: uids})
}
