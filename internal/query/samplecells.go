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
func (q *Query) SampleSpread(ctx context.Context, app model.AppID, of SampleCells, first, last period.Day) (_ Spread, err error) {
	defer q.enter(&ctx, &err)()
	sums := sampleSums{held: readingOf(ctx)}
	spans := spansOf(first, last)
	ratings, err := q.cells.sums(ctx, app, of.Ratings, spans, everyCell)
	if err != nil {
		return Spread{}, err
	}
	for _, t := range ratings.all[:ratings.used] {
		sums.rate(t.value, t.t, t.s)
		if t.head != nil {
			sums.unite(t.value, t.head)
		}
		if !t.users.empty() {
			sums.unite(t.value, t.users.set())
		}
	}
	if sums.Count == 0 {
		return Spread{}, nil
	}
	bins, err := q.cells.sums(ctx, app, of.Bins, spans, everyCell)
	if err != nil {
		return Spread{}, err
	}
	for _, t := range bins.all[:bins.used] {
		sums.bin(t.value, t.t)
	}
	return sums.spread(), nil
}

// sampleSums add up the cells of a spread.
type sampleSums struct {
	Spread
	sum       float64
	all, poor roaring.Bitmap
	held      *reading
	bins      sketch.Sketch
}

// rate counts n numbers of a rating.
func (s *sampleSums) rate(value string, n int64, sum float64) {
	s.Count = rollup.AddCount(s.Count, n)
	s.sum = rollup.AddSum(s.sum, sum)
	switch value {
	case RatingValue(RatedGood):
		s.Good = rollup.AddCount(s.Good, n)
	case RatingValue(RatedPoor):
		s.Poor = rollup.AddCount(s.Poor, n)
	}
}

// unite adds users of a rating, a set that may change afterwards.
func (s *sampleSums) unite(value string, users *roaring.Bitmap) {
	c := rollup.Cell{Users: users}
	s.held.unite(&s.all, &c)
	if value == RatingValue(RatedPoor) {
		s.held.unite(&s.poor, &c)
	}
}

// bin counts n numbers of a bin.
func (s *sampleSums) bin(value string, n int64) {
	if b, ok := sketch.Parse(value); ok && n > 0 {
		s.bins.Add(b, n)
	}
}

// spread returns what was added up.
func (s *sampleSums) spread() Spread {
	if s.Count == 0 {
		return Spread{}
	}
	s.Users, s.PoorUsers = int64(s.all.GetCardinality()), int64(s.poor.GetCardinality()) // at most 2^32
	s.Average = Quotient(&s.sum, number(s.Count))
	places := s.percentiles()
	for i, v := range s.bins.Percentiles(sampleShares[:]...) {
		*places[i] = &v
	}
	return s.Spread
}

// SampleBuckets calls fn with the spread of each bucket of days, weeks or months that has numbers, in order of time.
func (q *Query) SampleBuckets(ctx context.Context, app model.AppID, of SampleCells, p period.Period, step period.Step, fn func(period.Bucket, Spread) error) (err error) {
	defer q.enter(&ctx, &err)()
	if step == period.MonthStep {
		return q.sampleMonths(ctx, app, of, p, fn)
	}
	var buckets []period.Bucket
	for b := range p.Buckets(step) {
		buckets = append(buckets, b)
	}
	if len(buckets) == 0 {
		return nil
	}
	// The cells come in order of time, and so do buckets.
	sums, held := make([]sampleSums, len(buckets)), readingOf(ctx)
	var at int
	find := func(b rollup.Bucket) *sampleSums {
		for rollup.Bucket(buckets[at].Last) < b {
			at++
		}
		sums[at].held = held
		return &sums[at]
	}
	from, to := rollup.Bucket(buckets[0].First), rollup.Bucket(buckets[len(buckets)-1].Last)
	err = q.cells.Scan(ctx, app, of.Ratings, rollup.Day, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		s := find(b)
		s.rate(value, c.Count, c.Sum)
		s.unite(value, c.Users)
		return nil
	})
	if err != nil {
		return err
	}
	at = 0
	err = q.cells.counts(ctx, app, of.Bins, rollup.Day, from, to, func(b rollup.Bucket, value string, c *rollup.Cell, _ int64) error {
		find(b).bin(value, c.Count)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range sums {
		if sums[i].Count == 0 {
			continue
		}
		if err := fn(buckets[i], sums[i].spread()); err != nil {
			return err
		}
	}
	return nil
}

// sampleMonths is SampleBuckets of months, whole ones from their own cells.
func (q *Query) sampleMonths(ctx context.Context, app model.AppID, of SampleCells, p period.Period, fn func(period.Bucket, Spread) error) error {
	for b := range p.Buckets(period.MonthStep) {
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
