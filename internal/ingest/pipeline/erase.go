package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/state"
	"quipu/internal/topic"
)

// OwnValues are values of a segment of an event that nobody but one person sent.
type OwnValues struct {
	Event   string   `json:"event"`
	Segment string   `json:"segment"`
	Values  []string `json:"values"`
}

// erasing is the JSON of an EraseUsers record.
type erasing struct {
	Values []OwnValues `json:"values,omitempty"`
}

// EraseUsers returns the command that erases users of an app, with values of
// segments that identify them.
func EraseUsers(app model.AppID, uids []uint32, own []OwnValues) (request.Record, error) {
	b, err := json.Marshal(erasing{Values: own})
	if err != nil {
		return request.Record{}, fmt.Errorf("command to erase users: %w", err)
	}
	return request.Record{Kind: request.EraseUsers, App: app, UIDs: uids, JSON: b}, nil
}

// eraseUsers removes users with their rows, and their numbers from the bitmaps of all
// cells. Counters stay, which cannot tell whose they are, but for those of values that nobody else
// has. All but the rows goes in one batch: cut short by a crash, it is done again as a whole.
func (p *Pipeline) eraseUsers(ctx context.Context, d *decoded) error {
	var what erasing
	err := json.Unmarshal(d.rec.JSON, &what)
	if err != nil || len(d.rec.UIDs) == 0 {
		p.o.Log.ErrorContext(ctx, "users cannot be erased: the record is damaged", "app", d.app.String(), "offset", d.at.Offset)
		return p.storeNothing(ctx, d.at)
	}
	sent := make([]OwnValues, len(what.Values))
	for i, v := range what.Values {
		sent[i] = OwnValues{Event: v.Event, Segment: v.Segment, Values: slices.Clone(v.Values)}
		for j := range v.Values {
			v.Values[j] = valueOf(p.owner(v.Event), v.Event, v.Values[j])
		}
	}
	uids, merged, err := p.everyNumber(ctx, d.app, d.rec.UIDs)
	if err != nil {
		return err
	}
	err = p.remove(ctx, d, "erase users", func(ctx context.Context, w events.Writer) error {
		return w.DeleteUsers(ctx, d.app, uids, d.at.Watermark())
	})
	if err != nil {
		return err
	}
	mark, err := p.o.State.Marks(d.app)
	if err != nil {
		return err
	}
	l := shard{p: p, id: d.app}
	for _, uid := range uids {
		if slices.Contains(merged, uid) {
			continue
		}
		u, err := l.loadUID(uid)
		if err != nil {
			return err
		}
		if u == nil {
			continue
		}
		if err := p.o.Profiles.Delete(d.app, u.ID); err != nil {
			return fmt.Errorf("delete profile: %w", err)
		}
		mark.Deleted++
	}
	if err := p.o.Profiles.RemoveAliases(d.app, merged...); err != nil {
		return fmt.Errorf("remove aliases: %w", err)
	}
	mark.Merged += uint64(len(merged))
	mark.Loose = true
	if err := p.forgetValues(d.app, what.Values, sent); err != nil {
		return err
	}
	gone, err := p.forgetSubjects(d.app, sent)
	if err != nil {
		return err
	}
	remove := slices.Concat([]rollup.Removal{rollup.EraseUsers{UIDs: uids}}, p.valueCells(what.Values), gone)
	return p.store(ctx, d.at, state.App{ID: d.app, Remove: remove, Marks: &mark}, topic.UsersDeleted{App: d.app, UIDs: uids})
}

// forgetSubjects takes what one person alone told the features out of the schema, and names the cells of the subjects that are gone.
func (p *Pipeline) forgetSubjects(app model.AppID, own []OwnValues) (gone []rollup.Removal, err error) {
	sch, err := p.o.Schema.App(app)
	if err != nil {
		return nil, fmt.Errorf("open schema: %w", err)
	}
	for _, f := range p.o.Features {
		if f.Erase == nil {
			continue
		}
		e := &Erasing{kind: f.Subjects, sch: sch}
		f.Erase(e, own)
		gone = append(gone, f.cellsOf(e.gone)...)
	}
	return gone, nil
}

// everyNumber returns the numbers that stand for users: theirs, and those of the users who were
// merged into them, which it returns on their own as well.
func (p *Pipeline) everyNumber(ctx context.Context, app model.AppID, uids []uint32) (all, merged []uint32, err error) {
	aliases, err := p.o.Profiles.Aliases(ctx, app)
	if err != nil {
		return nil, nil, fmt.Errorf("read aliases: %w", err)
	}
	all = slices.Clone(uids)
	for i, uid := range all {
		if to, ok := aliases[uid]; ok {
			all[i] = to
		}
	}
	for old, to := range aliases {
		if slices.Contains(all, to) {
			merged = append(merged, old)
		}
	}
	all = append(all, merged...)
	slices.Sort(all)
	slices.Sort(merged)
	return slices.Compact(all), merged, nil
}

// forgetValues takes values of segments out of the schema: as they are counted, which is how those of events are known, and as they were sent, how those of
// sessions are.
func (p *Pipeline) forgetValues(app model.AppID, own, sent []OwnValues) error {
	sch, err := p.o.Schema.App(app)
	if err != nil {
		return fmt.Errorf("open schema: %w", err)
	}
	for i, v := range own {
		if err := sch.ForgetValues(v.Event, v.Segment, slices.Concat(v.Values, sent[i].Values)); err != nil {
			return fmt.Errorf("forget values of segment: %w", err)
		}
	}
	return nil
}

// valueCells names the cells of values of segments.
func (p *Pipeline) valueCells(own []OwnValues) (gone []rollup.Removal) {
	for _, v := range own {
		series := rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim(v.Event, v.Segment)}
		for _, value := range v.Values {
			gone = append(gone, rollup.RemoveValue{Series: series, Value: value})
			for _, m := range p.owner(v.Event).bySegment() {
				gone = append(gone, rollup.RemoveSeries{Series: rollup.Series{Metric: m, Dim: rollup.SegmentDim(v.Segment, value)}})
			}
		}
	}
	return gone
}
