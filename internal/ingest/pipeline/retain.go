package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/marks"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// dropping is the JSON of a DropRows record.
type dropping struct {
	Before int64 `json:"before"` // ms
	// Cells says that what the rows were counted in goes too.
	Cells bool `json:"cells,omitempty"`
}

// DropRowsBefore returns the command that drops an app's rows of times before
// an instant (ms).
func DropRowsBefore(app model.AppID, before int64) request.Record {
	b, _ := json.Marshal(dropping{Before: before}) // cannot fail
	return request.Record{Kind: request.DropRows, App: app, JSON: b}
}

// ForgetBefore returns the command that drops an app's rows of times before
// an instant (ms) and the cells of the days before it. Times of day, which are counted by month, are
// counted again from rows for the month of that instant, unless rows after it were dropped before.
func ForgetBefore(app model.AppID, before int64) request.Record {
	b, _ := json.Marshal(dropping{Before: before, Cells: true}) // cannot fail
	return request.Record{Kind: request.DropRows, App: app, JSON: b}
}

// dropRows drops rows for their age. What they were counted in stays unless
// the record says otherwise.
func (p *Pipeline) dropRows(ctx context.Context, d *decoded) error {
	var what dropping
	if err := json.Unmarshal(d.rec.JSON, &what); err != nil {
		p.o.Log.ErrorContext(ctx, "rows cannot be dropped: the record names no time", "app", d.app.String(), "offset", d.at.Offset)
		return p.storeNothing(ctx, d.at)
	}
	mark, err := p.o.State.Marks(d.app)
	if err != nil {
		return err
	}
	if what.Before <= mark.Dropped && !what.Cells {
		return p.storeNothing(ctx, d.at)
	}
	whole := what.Before >= mark.Dropped // rows are there from that instant on
	if what.Before > mark.Dropped {
		err = p.remove(ctx, d, "drop rows", func(ctx context.Context, w events.Writer) error {
			return w.DropRows(ctx, d.app, what.Before, d.at.Watermark())
		})
		if err != nil {
			return err
		}
		mark.Dropped = what.Before
	}
	change := state.App{ID: d.app, Marks: &mark}
	if what.Cells {
		if err := p.forgetCells(ctx, &change, what.Before, whole); err != nil {
			return err
		}
	}
	return p.store(ctx, d.at, change)
}

// forgetCells adds to a change the removal of the cells of days before an instant (ms), and the month that
// is cut in two, recomputed; whole says that the rows from that instant on are there. An app
// that is gone has none.
func (p *Pipeline) forgetCells(ctx context.Context, change *state.App, before int64, whole bool) error {
	id := change.ID
	app, err := p.app(ctx, id)
	if app == nil {
		return err
	}
	sch, calendar, err := p.countingOf(app)
	if err != nil {
		return err
	}
	first := calendar.DayBucket(before-1) + 1
	month, metrics, cut := first.Month(), rebuilt(p.o.Features), rollup.Delta{}
	err = p.o.Cells.ScanApp(ctx, id, func(key rollup.Key, c *rollup.Cell) error {
		day := period.Day(key.Bucket) // a day since 1970, where the grain is one
		if key.Grain == rollup.Day && day >= first && day.Month() == month && slices.Contains(metrics, key.Series.Metric) {
			key.Grain, key.Bucket = rollup.Month, rollup.Bucket(month)
			cut.At(key).Merge(c)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read cells that stay: %w", err)
	}
	recounted := false
	if whole && p.o.Rows != nil && first > month.First() {
		if recounted, err = p.timesOfDay(ctx, id, sch, calendar, month, cut); err != nil {
			return err
		}
	}
	for _, m := range metrics {
		gone := map[rollup.Grain]rollup.Bucket{
			rollup.Hour: rollup.Bucket(first.Hour(0)), rollup.Day: rollup.Bucket(first), rollup.Month: rollup.Bucket(month) + 1,
		}
		if m == rollup.TimesOfDay && !recounted {
			gone[rollup.Month] = rollup.Bucket(month)
		}
		change.Remove = append(change.Remove, rollup.RemoveBefore{Metric: m, Before: gone})
	}
	change.Cells = cut
	return nil
}

// timesOfDay adds the times of day of a month to cells, counted from the rows there are.
func (p *Pipeline) timesOfDay(ctx context.Context, id model.AppID, sch schema.Writer, calendar *period.Calendar, month period.Month, into rollup.Delta) (bool, error) {
	if err := p.untilDone(ctx, "move rows", p.outbox.Drain); err != nil {
		return false, err
	}
	r := p.rebuilder(calendar, sch)
	if err := r.scan(ctx, p.o.Rows, id, nil, nil); err != nil {
		return false, err
	}
	for key, c := range r.acc.Delta() {
		if key.Series.Metric == rollup.TimesOfDay && isMonthOf(key, month) {
			into.At(key).Merge(c)
		}
	}
	return true, nil
}

// rewriteUsers replaces the numbers of merged users in all cells. Cut short by
// a crash it is done again from the start, which gives the same.
func (p *Pipeline) rewriteUsers(ctx context.Context, d *decoded) error {
	aliases, err := p.o.Profiles.Aliases(ctx, d.app)
	if err != nil {
		return fmt.Errorf("read aliases: %w", err)
	}
	if len(aliases) == 0 {
		return p.storeNothing(ctx, d.at)
	}
	if err := p.o.State.ReplaceUsers(ctx, d.app, aliases); err != nil {
		return err
	}
	mark, err := p.o.State.Marks(d.app)
	if err != nil {
		return err
	}
	mark.Merged += uint64(len(aliases))
	olds := make([]uint32, 0, len(aliases))
	for old := range aliases {
		olds = append(olds, old)
	}
	slices.Sort(olds)
	if err := p.o.Profiles.RemoveAliases(d.app, olds...); err != nil {
		return fmt.Errorf("remove aliases: %w", err)
	}
	return p.store(ctx, d.at, state.App{ID: d.app, Marks: &mark})
}

// kept says which cells a rebuild leaves alone: those of days before first,
// whose rows are not all there any more. Zero keeps none.
type kept struct{ first period.Day }

// keep makes delta fit what is kept: cells of kept days are taken out, and
// the month that is cut in two is added up from its kept and its new days.
func (p *Pipeline) keep(ctx context.Context, app model.AppID, mark marks.Marks, calendar *period.Calendar, delta rollup.Delta) (kept, error) {
	if mark.Dropped == 0 {
		return kept{}, nil
	}
	k := kept{first: calendar.DayBucket(mark.Dropped-1) + 1}
	month := k.first.Month()
	for key := range delta {
		if !k.replaces(key) || isMonthOf(key, month) && key.Series.Metric != rollup.TimesOfDay {
			delete(delta, key)
		}
	}
	fold := func(key rollup.Key, c *rollup.Cell) {
		if key.Grain == rollup.Day && period.Day(key.Bucket).Month() == month { // a day since 1970
			key.Grain, key.Bucket = rollup.Month, rollup.Bucket(month)
			delta.At(key).Merge(c)
		}
	}
	days := rollup.Delta{}
	maps.Copy(days, delta)
	for key, c := range days {
		fold(key, c)
	}
	metrics := rebuilt(p.o.Features)
	err := p.o.Cells.ScanApp(ctx, app, func(key rollup.Key, c *rollup.Cell) error {
		if slices.Contains(metrics, key.Series.Metric) && !k.replaces(key) {
			fold(key, c)
		}
		return nil
	})
	if err != nil {
		return kept{}, fmt.Errorf("read cells that stay: %w", err)
	}
	return k, nil
}

func isMonthOf(key rollup.Key, m period.Month) bool {
	return key.Grain == rollup.Month && key.Bucket == rollup.Bucket(m)
}

// replaces reports whether a rebuild rewrites the cell.
func (k kept) replaces(key rollup.Key) bool {
	from := k.from(key.Series.Metric)
	return key.Bucket >= from[key.Grain]
}

// from returns the first buckets, by grain, that are rewritten.
func (k kept) from(m rollup.Metric) map[rollup.Grain]rollup.Bucket {
	month := k.first.Month()
	if m == rollup.TimesOfDay && month.First() < k.first {
		month++ // it has no days to add up
	}
	return map[rollup.Grain]rollup.Bucket{
		rollup.Hour: rollup.Bucket(k.first.Hour(0)), rollup.Day: rollup.Bucket(k.first), rollup.Month: rollup.Bucket(month),
	}
}

// rewritten names the cells of metrics that are rewritten.
func (k kept) rewritten(metrics []rollup.Metric) (gone []rollup.Removal) {
	for _, m := range metrics {
		if k.first == 0 {
			gone = append(gone, rollup.RemoveDims{Metric: m})
		} else {
			gone = append(gone, rollup.RemoveFrom{Metric: m, From: k.from(m)})
		}
	}
	return gone
}
