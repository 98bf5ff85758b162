package analytics

import (
	"context"
	"fmt"

	"quipu/internal/api"
	"quipu/internal/period"
	"quipu/internal/query"
)

// sums are the counters of a part, by the letters that rows have.
type sums struct {
	Sessions int64   `json:"t"`
	New      int64   `json:"n"`
	Users    int64   `json:"u"`
	Requests int64   `json:"e"`
	Seconds  float64 `json:"d"`
}

// comparison is a full window, and its elapsed part beside the same part of the
// window compared with.
type comparison[T any] struct {
	// Until is the hour of the clock before which the last day of both parts
	// ends; 24 when both windows are compared whole.
	Until  int    `json:"until"`
	First  string `json:"first"` // days of the part compared with, 2031-05-13
	Last   string `json:"last"`
	Total  T      `json:"total"`
	Now    T      `json:"now"`
	Before T      `json:"before"`
}

// compare answers with the figures of a window, and with those that can be
// compared: a window that is not over beside the same part of the one before.
func (s *service) compare(ctx context.Context, c api.Caller, r readReq) (any, error) {
	f := s.frame(c, r)
	p := f.ParseOrDefault(r.Period)
	against := p.Prev()
	if r.Against != "" {
		against = f.ParseOrDefault(r.Against)
	}
	if r.Of == "events" {
		return compared(p, against, f, func(p query.Part) (map[string]query.EventSum, error) { return s.query.EventTotalsOf(ctx, c.App.ID, p) })
	}
	return compared(p, against, f, func(p query.Part) (sums, error) {
		t, err := s.query.TotalsOf(ctx, c.App.ID, p)
		return sums(t), err
	})
}

func compared[T any](p, against period.Period, f period.Frame, read func(query.Part) (T, error)) (comparison[T], error) {
	part, before := query.SameParts(p, against, p.Calendar().HourBucket(f.Now.UnixMilli()))
	out := comparison[T]{Until: part.Until, First: iso(before.First), Last: iso(before.Last)}
	var err error
	if out.Total, err = read(query.Part{First: p.First, Last: p.Last, Until: query.WholeDay}); err != nil {
		return out, err
	}
	if out.Now = out.Total; part.Until != query.WholeDay {
		if out.Now, err = read(part); err != nil {
			return out, err
		}
	}
	out.Before, err = read(before)
	return out, err
}

// iso writes a day as 2031-05-13.
func iso(d period.Day) string {
	year, month, day := d.Date()
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}
