package drill

import (
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

// compareRes is the answer of an earlier period.
type compareRes struct {
	From     int64         `json:"from"` // ms
	To       int64         `json:"to"`   // ms, included
	Totals   query.Figures `json:"totals"`
	Segments *ordered      `json:"segments,omitempty"` // by label
	Other    *otherRes     `json:"other,omitempty"`
	Data     ordered       `json:"data"` // by bucket, then the time beside which it stands
}

// compared reads what the answer is compared with.
func (q *question) compared(frame period.Frame, v params.Value) error {
	p := q.trends[0].Period
	if v.String() == "" {
		return nil
	}
	earlier, err := query.Earlier(frame, p, v.String())
	if err != nil {
		return bad("compare")
	}
	q.earlier = &earlier
	return nil
}

// compare answers the question of the earlier period, with the groups of the later one.
func (s *service) compare(ctx context.Context, app model.AppID, q *question, groups []query.TrendGroup, segments []segment, out *segmentationRes) error {
	if q.earlier == nil {
		return nil
	}
	before := *q
	before.trends = slices.Clone(q.trends)
	for i := range before.trends {
		before.trends[i].Period = *q.earlier
	}
	res := &compareRes{From: q.earlier.Start, To: q.earlier.End}
	out.Compare = res
	var err error
	if res.Totals, err = s.totals(ctx, app, &before); err != nil {
		return err
	}
	grouped := len(q.trends[0].By) > 0
	if grouped {
		if res.Segments, err = s.segmentsOf(ctx, app, &before, groups, segments); err != nil {
			return err
		}
	}
	if grouped && q.other {
		if res.Other, err = s.restBeside(ctx, app, q, &before, groups); err != nil {
			return err
		}
	}
	if q.list {
		return nil
	}
	for _, b := range q.buckets {
		rows, err := s.beside(ctx, app, q, &before, b.step, groups, segments)
		if err != nil {
			return err
		}
		res.Data.add(b.name, rows)
	}
	return nil
}

// segmentsOf answers the figures of groups in another period, zeros included.
func (s *service) segmentsOf(ctx context.Context, app model.AppID, q *question, groups []query.TrendGroup, segments []segment) (*ordered, error) {
	now := slices.Clone(groups)
	for i := range now {
		now[i].Figures = query.Figures{}
	}
	err := s.tables.TrendOfGroups(ctx, app, q.trends[0], groups, func(group int, f query.Figures) error {
		now[group].Figures = f
		return nil
	})
	if err != nil {
		return nil, err
	}
	figures, err := s.ofGroups(ctx, app, q, now)
	if err != nil {
		return nil, err
	}
	out := &ordered{}
	for i := range now {
		out.add(segments[i].label, segments[i].entry(figures[i]))
	}
	return out, nil
}

// restBeside is rest of the earlier period.
func (s *service) restBeside(ctx context.Context, app model.AppID, q, before *question, groups []query.TrendGroup) (*otherRes, error) {
	others := before.without(groups)
	out := &otherRes{}
	var err error
	if out.Figures, err = s.totals(ctx, app, others); err != nil || q.list {
		return out, err
	}
	for _, b := range q.buckets {
		rows, err := s.beside(ctx, app, q, others, b.step, nil, nil)
		if err != nil {
			return out, err
		}
		out.Data.add(b.name, rows)
	}
	return out, nil
}

// besideRes are the figures of an earlier bucket.
type besideRes struct {
	At string `json:"at"` // its own name
	*query.Figures
	Groups *ordered `json:"groups,omitempty"` // by label, in a breakdown
}

// beside answers the buckets of the earlier period under the names of those that they stand beside.
func (s *service) beside(ctx context.Context, app model.AppID, q, before *question, step period.Step, groups []query.TrendGroup, segments []segment) (ordered, error) {
	rows := ordered{}
	if groups != nil && len(groups) == 0 {
		return rows, nil
	}
	points, err := s.points(ctx, app, before, step, groups, nil)
	if err != nil {
		return nil, err
	}
	counterpart := query.Counterparts(q.trends[0].Period, *q.earlier, step)
	for i, p := range points {
		if i > 0 && points[i-1].at == p.at {
			continue
		}
		at, ok := counterpart(p.at)
		if !ok {
			continue
		}
		row := besideRes{At: p.at.ID(period.Dot)}
		if groups == nil {
			row.Figures = &p.Figures
		} else {
			row.Groups = inBuckets(points[i:], segments)
		}
		rows.add(at.ID(period.Dot), row)
	}
	return rows, nil
}
