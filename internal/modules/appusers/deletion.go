package appusers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quipu/internal/api"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// A deletion of profiles is an erasure in two parts. The profiles and their rows go at once, as anyone who deletes them may
// look; what the persons were found by is noted before. By and by the rest is erased, for all deletions of an app together:
// it goes through all cells of the app, and rewrites files.

// deletedAtOnce is how many persons the deletions have that are finished together; a single one may have more.
const deletedAtOnce = 200

// noteDeletion notes what persons who are about to be deleted are found by. The function it returns takes the
// note away again.
func (s *subjects) noteDeletion(ctx context.Context, c api.Caller, uids []uint32) (forget func() error, err error) {
	if err := s.data.Flush(ctx); err != nil {
		return nil, err
	}
	e := erasure{
		ID: model.NewID().String(), UIDs: slices.Clone(uids), State: erasing, Member: c.Member.ID, By: c.Member.Username,
		Requested: s.now().UnixMilli(), Plain: true,
	}
	if c.IP.IsValid() {
		e.IP = c.IP.String()
	}
	if err := s.identify(ctx, c.App.ID, &e); err != nil {
		return nil, err
	}
	if e.Own, err = s.ownValues(ctx, c.App.ID, e.UIDs); err != nil {
		return nil, err
	}
	col := erasureSpec().In(s.docs, c.App.ID)
	if err := col.Create(ctx, e); err != nil {
		return nil, err
	}
	return func() error { return col.Delete(context.WithoutCancel(ctx), e.ID) }, nil
}

// finishDeletions erases what deletions left. Every step may be repeated.
func (s *subjects) finishDeletions(ctx context.Context) error {
	open, err := s.openDeletions(ctx)
	if err != nil {
		return fmt.Errorf("list deletions: %w", err)
	}
	var errs []error
	for app, list := range open {
		if err := s.finishDeletionsOf(ctx, app, list[erasing], list[cleaning]); err != nil {
			errs = append(errs, fmt.Errorf("deletions of app %s: %w", app, err))
		}
	}
	return errors.Join(errs...)
}

// openDeletions returns the deletions that are submitted and not finished, by app and state.
func (s *subjects) openDeletions(ctx context.Context) (map[model.AppID]map[string][]erasure, error) {
	s.noting.Lock()
	defer s.noting.Unlock()
	open := map[model.AppID]map[string][]erasure{}
	q := docs.Query{Where: []docs.Cond{docs.Ne("state", erased), docs.Eq(".plain", true)}}
	for found, err := range erasureSpec().AcrossApps(s.docs, "deletions of all apps are finished").List(ctx, q) {
		if err != nil {
			return nil, err
		}
		if open[found.App] == nil {
			open[found.App] = map[string][]erasure{}
		}
		open[found.App][found.Doc.State] = append(open[found.App][found.Doc.State], found.Doc)
	}
	return open, nil
}

func (s *subjects) finishDeletionsOf(ctx context.Context, app model.AppID, noted, ready []erasure) error {
	col := erasureSpec().In(s.docs, app)
	for len(noted) > 0 {
		some := noted[:fitting(noted)]
		noted = noted[len(some):]
		e := joined(some)
		var err error
		if e.Own, err = s.unsent(ctx, app, e.Own); err != nil {
			return err
		}
		if err := s.eraseNoted(ctx, app, e); err != nil {
			return err
		}
		for _, e := range some {
			e, err := col.Update(ctx, e.ID, toCleaning)
			if err != nil {
				return err
			}
			ready = append(ready, e)
		}
	}
	if err := s.data.Scrub(ctx, app); err != nil {
		return err
	}
	for _, e := range ready {
		// The audit log comes first: an entry too many after a crash is better than none.
		if err := s.tell(ctx, app, e); err != nil {
			return err
		}
		_, err := col.Update(ctx, e.ID, func(e *erasure) error {
			e.State, e.Done = erased, s.now().UnixMilli()
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fitting is how many deletions, one at least, are finished together.
func fitting(list []erasure) int {
	n, persons := 1, len(list[0].UIDs)
	for n < len(list) && persons+len(list[n].UIDs) <= deletedAtOnce {
		persons += len(list[n].UIDs)
		n++
	}
	return n
}

// unsent leaves out what somebody has sent since it was noted.
func (s *subjects) unsent(ctx context.Context, app model.AppID, own []pipeline.OwnValues) ([]pipeline.OwnValues, error) {
	if err := s.data.Flush(ctx); err != nil {
		return nil, err
	}
	list := make([]query.SegmentValues, len(own))
	for i, v := range own {
		list[i] = query.SegmentValues{Event: v.Event, Segment: v.Segment, Values: v.Values}
	}
	left, err := s.tables.Unsent(ctx, app, list)
	out := make([]pipeline.OwnValues, len(left))
	for i, v := range left {
		out[i] = pipeline.OwnValues{Event: v.Event, Segment: v.Segment, Values: v.Values}
	}
	return out, err
}

// joined makes one erasure of several.
func joined(list []erasure) erasure {
	out := erasure{Props: map[string][]string{}}
	own := map[[2]string][]string{}
	for _, e := range list {
		out.UIDs, out.Texts, out.Pictures = append(out.UIDs, e.UIDs...), append(out.Texts, e.Texts...), append(out.Pictures, e.Pictures...)
		for path, values := range e.Props {
			out.Props[path] = append(out.Props[path], values...)
		}
		for _, v := range e.Own {
			k := [2]string{v.Event, v.Segment}
			own[k] = append(own[k], v.Values...)
		}
	}
	for k, values := range own {
		out.Own = append(out.Own, pipeline.OwnValues{Event: k[0], Segment: k[1], Values: unique(values)})
	}
	out.UIDs, out.Texts, out.Pictures = unique(out.UIDs), unique(out.Texts), unique(out.Pictures)
	for path, values := range out.Props {
		out.Props[path] = unique(values)
	}
	return out
}

func unique[T uint32 | string](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}
