package drill

import (
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
)

// table answers a breakdown of one trend in one pass over its rows; false where it takes several.
func (s *service) table(ctx context.Context, app model.AppID, q *question, out *segmentationRes) (bool, error) {
	if len(q.trends) > 1 || q.rank > 0 || !q.list && len(q.buckets) != 1 {
		return false, nil
	}
	page := query.TrendPage{Order: q.order, Skip: q.skip, Limit: q.limit, Rest: q.other}
	if !q.list {
		page.Step = &q.buckets[0].step
	}
	var points, rest []point
	t, ok, err := s.tables.TrendTable(ctx, app, q.trends[0], page, func(at period.Bucket, group int, f query.Figures) error {
		if q.points++; q.points > maxPoints {
			return errPoints
		}
		p := point{spot{at, max(group, 0)}, q.shown([]query.Figures{f})}
		if group == query.TrendRest {
			rest = append(rest, p)
		} else {
			points = append(points, p)
		}
		return nil
	})
	if err != nil || !ok {
		return false, err
	}
	slices.SortFunc(points, inTime)
	slices.SortFunc(rest, inTime)
	shown := func(f query.Figures) query.Figures { return q.shown([]query.Figures{f}) }
	out.Totals, out.Page, out.Segments = shown(t.All), pageOf(t.Total, q.skip, q.limit, len(t.Groups)), &ordered{}
	segments := label(q.trends[0].By, t.Groups)
	for i, g := range t.Groups {
		out.Segments.add(segments[i].label, segments[i].entry(shown(g.Figures)))
	}
	for _, b := range q.buckets {
		out.Data.add(b.name, byBucket(points, segments)) // nothing for a list
	}
	if q.other {
		left := t.Total - int64(len(t.Groups))
		out.Other = &otherRes{Groups: &left, Figures: shown(t.Rest)}
		if !q.list {
			rows := ordered{}
			for _, p := range rest {
				rows.add(p.at.ID(period.Dot), p.Figures)
			}
			out.Other.Data.add(q.buckets[0].name, rows)
		}
	}
	return true, s.compare(ctx, app, q, t.Groups, segments, out)
}
