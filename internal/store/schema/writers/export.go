package writers

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// Export returns the change that gives an app without a schema all that is stored of this one. The same schema gives the same change.
func (s *Store) Export(ctx context.Context, app model.AppID) (schema.AppChange, error) {
	out := schema.AppChange{App: app}
	found, err := s.src.Load(ctx, app)
	if err != nil {
		return out, fmt.Errorf("read schema of app %s: %w", app, err)
	}
	out.Events, out.Subjects = found.Events, found.Subjects
	slices.SortFunc(out.Events, func(a, b schema.Record) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(out.Subjects, func(a, b schema.SubjectRecord) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject.Num, b.Subject.Num))
	})
	if c := found.Counters; c.ID != 0 || c.Seq != 0 || len(c.Subjects) > 0 {
		out.Counters = &c
	}
	for i := range out.Events {
		ev := &out.Events[i]
		for _, number := range ev.Numbers {
			of := schema.NewValues{Segment: schema.SegmentID{Event: ev.ID, Segment: number}, First: 1}
			err := s.src.Values(ctx, app, of.Segment, func(value []byte) { of.Texts = append(of.Texts, string(value)) })
			if err != nil {
				return out, err
			}
			if len(of.Texts) > 0 {
				out.Values = append(out.Values, of)
			}
		}
	}
	return out, nil
}
