package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// What goes in one change.
const (
	mostRows     = 100_000
	stepProfiles = 1_000
	stepCells    = 2_000
	stepBytes    = 4 << 20 // of users of cells
	stepPrints   = 20_000
	stepTexts    = 20_000 // values of segments
)

// sendCells is after how many changes with cells they are sent.
const sendCells = 32

type copier struct {
	from Source
	to   Target
	show func(Progress)
	done Progress

	committed map[uint16]uint64 // watermarks of the target as they were found
	at        map[uint16]uint64 // of the change that is made
	unsent    int               // changes with cells since they were sent
}

// Copy copies everything, or what earlier runs have left, and returns where the journal of the target begins. show, which may be nil, is called now and
// then.
func Copy(ctx context.Context, from Source, to Target, show func(Progress)) (journal.Watermark, error) {
	to.MostRows = cmp.Or(to.MostRows, mostRows)
	c := &copier{from: from, to: to, show: show, at: map[uint16]uint64{}}
	slices.SortFunc(c.from.Apps, func(a, b model.AppID) int { return slices.Compare(a[:], b[:]) })
	c.from.Apps = slices.Compact(c.from.Apps)
	var err error
	if c.committed, err = to.State.Watermark(ctx); err != nil {
		return nil, err
	}
	of := make([][]model.AppID, to.Partitions)
	for _, app := range c.from.Apps {
		of[to.Of(app)] = append(of[to.Of(app)], app)
	}
	for i, apps := range of {
		partition := uint16(i) // a partition
		c.at[partition] = from.Through
		if err := c.copyRows(ctx, partition, apps); err != nil {
			return nil, fmt.Errorf("copy event rows: %w", err)
		}
	}
	for _, app := range c.from.Apps {
		if err := c.copyApp(ctx, app); err != nil {
			return nil, fmt.Errorf("copy app %s: %w", app, err)
		}
		c.note(func(p *Progress) { p.Apps++ })
	}
	if err := c.copyPrints(ctx); err != nil {
		return nil, fmt.Errorf("copy fingerprints: %w", err)
	}
	for i := range to.Partitions { // of partitions without apps, too
		if err := c.commit(ctx, uint16(i), &state.Change{}); err != nil { // a partition
			return nil, err
		}
	}
	if err := to.Cells(ctx); err != nil {
		return nil, fmt.Errorf("send cells: %w", err)
	}
	return journal.Watermark(c.at), nil
}

// note counts, and shows it.
func (c *copier) note(fn func(*Progress)) {
	fn(&c.done)
	if c.show != nil {
		c.show(c.done)
	}
}

// commit commits the next change of a partition, unless an earlier run did.
func (c *copier) commit(ctx context.Context, partition uint16, change *state.Change) error {
	c.at[partition]++
	if c.at[partition] <= c.committed[partition] {
		c.done.Skipped++
		change.End(false)
		return nil
	}
	change.Watermark = journal.Watermark{partition: c.at[partition]}
	if err := c.to.State.Commit(ctx, change); err != nil {
		return err
	}
	for i := range change.Apps {
		if len(change.Apps[i].Cells) > 0 {
			c.unsent++
		}
	}
	if c.unsent < sendCells {
		return nil
	}
	c.unsent = 0
	return c.to.Cells(ctx)
}

// copyApp copies all of an app but its rows and fingerprints.
func (c *copier) copyApp(ctx context.Context, app model.AppID) error {
	partition := c.to.Of(app)
	if err := c.copySchema(ctx, partition, app); err != nil {
		return err
	}
	if err := c.copyNumbers(ctx, partition, app); err != nil {
		return err
	}
	if err := c.copyProfiles(ctx, partition, app); err != nil {
		return err
	}
	return c.copyCells(ctx, partition, app)
}

// copySchema copies events and subjects in one change, and values in as many as it takes.
func (c *copier) copySchema(ctx context.Context, partition uint16, app model.AppID) error {
	all, err := c.from.Schema.Export(ctx, app)
	if err != nil {
		return err
	}
	values := all.Values
	all.Values = nil
	if all.Counters == nil && len(all.Events)+len(all.Subjects) == 0 {
		return nil
	}
	if err := c.commit(ctx, partition, &state.Change{Schema: schema.Change{Apps: []schema.AppChange{all}}}); err != nil {
		return err
	}
	part, n := schema.AppChange{App: app}, 0
	flush := func() error {
		if n == 0 {
			return nil
		}
		err := c.commit(ctx, partition, &state.Change{Schema: schema.Change{Apps: []schema.AppChange{part}}})
		part, n = schema.AppChange{App: app}, 0
		return err
	}
	for _, v := range values {
		part.Values = append(part.Values, v)
		if n += len(v.Texts); n >= stepTexts {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// copyNumbers copies the last numbers, merges, marks and settings.
func (c *copier) copyNumbers(ctx context.Context, partition uint16, app model.AppID) error {
	seq, err := c.from.Profiles.Sequence(ctx, app)
	if err != nil {
		return err
	}
	aliases, err := c.from.Profiles.Aliases(ctx, app)
	if err != nil {
		return err
	}
	m, err := c.from.Marks.Marks(app)
	if err != nil {
		return err
	}
	settings, err := c.from.Marks.Settings(app)
	if err != nil {
		return err
	}
	change := &state.Change{Apps: []state.App{{ID: app, Marks: &m, Settings: settings}}}
	of := profile.AppChange{App: app, Aliases: aliases}
	if seq != (profile.Sequence{}) {
		of.Sequence = &seq
	}
	if of.Sequence != nil || len(aliases) > 0 {
		change.Profiles.Apps = []profile.AppChange{of}
	}
	return c.commit(ctx, partition, change)
}

// copyProfiles copies profiles, and mirrors them in the event store, which may be done again.
func (c *copier) copyProfiles(ctx context.Context, partition uint16, app model.AppID) error {
	var list []*model.Profile
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		fresh := c.at[partition]+1 > c.committed[partition]
		if fresh {
			users := &events.Batch{Partition: partition, Watermark: journal.Watermark{}, Apps: map[model.AppID]*events.AppBatch{app: {Users: list}}}
			if err := c.to.Rows.Commit(ctx, users); err != nil {
				return fmt.Errorf("mirror users: %w", err)
			}
		}
		of := profile.AppChange{App: app}
		for _, p := range list {
			of.Profiles = append(of.Profiles, profile.Changed{ID: p.ID, Profile: p})
		}
		if err := c.commit(ctx, partition, &state.Change{Profiles: profile.Change{Apps: []profile.AppChange{of}}}); err != nil {
			return err
		}
		if fresh {
			c.note(func(p *Progress) { p.Profiles += int64(len(list)) })
		}
		list = nil
		return nil
	}
	err := c.from.Profiles.Scan(ctx, app, func(p *model.Profile) error {
		if list = append(list, placed(p, partition, c.from.Places)); len(list) >= cmp.Or(c.to.Steps, stepProfiles) {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// copyCells copies the cells of an app.
func (c *copier) copyCells(ctx context.Context, partition uint16, app model.AppID) error {
	cells, bytes := rollup.Delta{}, uint64(0)
	flush := func() error {
		n := len(cells)
		if n == 0 {
			return nil
		}
		fresh := c.at[partition]+1 > c.committed[partition]
		if err := c.commit(ctx, partition, &state.Change{Apps: []state.App{{ID: app, Cells: cells}}}); err != nil {
			return err
		}
		if fresh {
			c.note(func(p *Progress) { p.Cells += int64(n) })
		}
		cells, bytes = rollup.Delta{}, 0
		return nil
	}
	err := c.from.Cells.ScanApp(ctx, app, func(k rollup.Key, cell *rollup.Cell) error {
		copied := cell.Clone()
		copied.First = Place(partition, cell.First)
		cells[k] = copied
		if copied.Users != nil {
			bytes += copied.Users.GetSizeInBytes()
		}
		if len(cells) >= cmp.Or(c.to.Steps, stepCells) || bytes >= stepBytes {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// copyPrints copies the fingerprints of requests, by which one that is sent again is known.
func (c *copier) copyPrints(ctx context.Context) error {
	type pending struct {
		apps map[model.AppID]map[profile.Print]struct{}
		n    int
	}
	waiting := map[uint16]*pending{}
	flush := func(partition uint16) error {
		w := waiting[partition]
		if w == nil || w.n == 0 {
			return nil
		}
		change := &state.Change{}
		for app, prints := range w.apps {
			change.Profiles.Apps = append(change.Profiles.Apps, profile.AppChange{App: app, Prints: prints})
		}
		fresh := c.at[partition]+1 > c.committed[partition]
		if err := c.commit(ctx, partition, change); err != nil {
			return err
		}
		if fresh {
			c.note(func(p *Progress) { p.Prints += int64(w.n) })
		}
		delete(waiting, partition)
		return nil
	}
	known := map[model.AppID]bool{}
	for _, app := range c.from.Apps {
		known[app] = true
	}
	err := c.from.Profiles.EachPrint(ctx, func(app model.AppID, print profile.Print) error {
		if !known[app] {
			return nil
		}
		partition := c.to.Of(app)
		w := waiting[partition]
		if w == nil {
			w = &pending{apps: map[model.AppID]map[profile.Print]struct{}{}}
			waiting[partition] = w
		}
		if w.apps[app] == nil {
			w.apps[app] = map[profile.Print]struct{}{}
		}
		w.apps[app][print] = struct{}{}
		if w.n++; w.n >= cmp.Or(c.to.Steps, stepPrints) {
			return flush(partition)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var errs []error
	for i := range c.to.Partitions {
		errs = append(errs, flush(uint16(i))) // a partition
	}
	return errors.Join(errs...)
}
