package query

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/sketch"
	"quipu/internal/store/rollup"
)

// SampleCells are the cells of a spread.
type SampleCells struct {
	// Bins have the bins of package sketch as values: Count = numbers.
	Bins rollup.Series
	// Ratings have as values those of RatingValue: Count = numbers, Sum = their sum, Users = who has them.
	Ratings rollup.Series
}

// RatingValue is the value under which cells are kept of a rating.
func RatingValue(rated int) string { return string([]byte{byte('0' + rated)}) }

// CountSample counts a number in cells, which at returns by series and value.
func CountSample(to SampleCells, r Rating, v float64, uid uint32, at func(s rollup.Series, value string) *rollup.Cell) {
	rated, ok := r.Of(v)
	if !ok {
		return
	}
	cell := at(to.Ratings, RatingValue(rated))
	cell.Count++
	cell.Sum = rollup.AddSum(cell.Sum, v)
	cell.AddUser(uid)
	if !r.Codes { // percentiles of codes say nothing
		at(to.Bins, sketch.BinOf(v).Text()).Count++
	}
}

// SampleSpread returns the spread of the numbers of a period. Percentiles are within sketch.Error of the exact ones; all else is exact.
func (q *Query) SampleSpread(ctx context.Context, app model.AppID, of SampleCells, first, last period.Day) (s Spread, err error) {
	all, poor := roaring.New(), roaring.New()
	sum := 0.0
	for _, sp := range spansOf(first, last) {
		err := q.cells.Scan(ctx, app, of.Ratings, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
			s.Count = rollup.AddCount(s.Count, c.Count)
			sum = rollup.AddSum(sum, c.Sum)
			switch value {
			case RatingValue(RatedGood):
				s.Good = rollup.AddCount(s.Good, c.Count)
			case RatingValue(RatedPoor):
				s.Poor = rollup.AddCount(s.Poor, c.Count)
				unite(poor, c)
			}
			unite(all, c)
			return nil
		})
		if err != nil {
			return s, err
		}
	}
	if s.Count == 0 {
		return Spread{}, nil
	}
	s.Users, s.PoorUsers = int64(all.GetCardinality()), int64(poor.GetCardinality()) //nolint:gosec // at most 2^32
	s.Average = Quotient(&sum, number(s.Count))
	var bins sketch.Sketch
	err = q.eachDay(ctx, app, of.Bins, first, last, func(value string, c *rollup.Cell) {
		if b, ok := sketch.Parse(value); ok && c.Count > 0 {
			bins.Add(b, c.Count)
		}
	})
	if err != nil {
		return s, err
	}
	places := s.percentiles()
	for i, v := range bins.Percentiles(sampleShares[:]...) {
		*places[i] = &v
	}
	return s, nil
}

// unite adds the users of a cell, which is valid only during a call, to a set.
func unite(to *roaring.Bitmap, c *rollup.Cell) {
	if c.Users != nil {
		to.Or(c.Users)
		to.CloneCopyOnWriteContainers()
	}
}

// SampleBuckets calls fn with the spread of each bucket of days, weeks or months that has numbers, in order of time.
func (q *Query) SampleBuckets(ctx context.Context, app model.AppID, of SampleCells, p period.Period, step period.Step, fn func(period.Bucket, Spread) error) error {
	for b := range p.Buckets(step) {
		s, err := q.SampleSpread(ctx, app, of, b.First, b.Last)
		if err != nil {
			return err
		}
		if s.Count == 0 {
			continue
		}
		if err := fn(b, s); err != nil {
			return err
		}
	}
	return nil
}
