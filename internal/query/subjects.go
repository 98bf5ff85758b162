package query

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// SubjectSeries are the cells of the subjects of a feature.
type SubjectSeries struct {
	Of rollup.Series
	// Ends are cells without users, of what else is counted of subjects, as ends of sessions are of views; no Metric = none.
	Ends rollup.Series
}

// Amounts are the counters of cells, added up.
type Amounts struct {
	Count, New, Requests int64
	Sum, Dur             float64
}

func (a *Amounts) add(c *rollup.Cell) {
	a.Count = rollup.AddCount(a.Count, c.Count)
	a.New = rollup.AddCount(a.New, c.New)
	a.Requests = rollup.AddCount(a.Requests, c.Requests)
	a.Sum += c.Sum
	a.Dur += c.Dur
}

func (a *Amounts) merge(b Amounts) {
	a.add(&rollup.Cell{Count: b.Count, New: b.New, Requests: b.Requests, Sum: b.Sum, Dur: b.Dur})
}

// SubjectSum is what a subject adds up to over a period.
type SubjectSum struct {
	Subject  uint32 // its number
	Users    int64  // as the wire counts them: by day, or of the year
	Uniques  int64  // of the whole period
	New      int64  // users who came to the subject for the first time; filled in by NewOfSubjects
	Of, Ends Amounts
}

// subjectBytes is about what a sum takes with its place, and what is made of it, beside its users.
const subjectBytes = 512

// Subjects sums up the subjects that have data in the period, by number.
func (q *Query) Subjects(ctx context.Context, app model.AppID, by SubjectSeries, p period.Period) (_ []SubjectSum, err error) {
	defer q.enter(&ctx, &err)()
	if p.Empty() {
		return nil, nil
	}
	sums, held := map[string]*SubjectSum{}, readingOf(ctx)
	at := func(value string) *SubjectSum {
		if sums[value] == nil {
			if !held.take(subjectBytes) {
				return &SubjectSum{} // of a read that ends
			}
			sums[value] = &SubjectSum{Subject: rollup.SubjectNumber(value)}
		}
		return sums[value]
	}
	ts, err := q.numbers(ctx, app, by.Of, spansOf(p.First, p.Last), everyCell)
	if err != nil {
		return nil, err
	}
	for _, t := range ts.all[:ts.used] {
		v := at(t.value)
		v.Of, v.Uniques = Amounts{Count: t.t, New: t.n, Requests: t.e, Sum: t.s, Dur: t.d}, t.cardinality()
		v.Users = v.Uniques
	}
	if p.Step != period.MonthStep && p.Days() > 1 {
		for _, v := range sums {
			v.Users = 0
		}
		err := q.cells.counts(ctx, app, by.Of, rollup.Day, rollup.Bucket(p.First), rollup.Bucket(p.Last), func(_ rollup.Bucket, value string, _ *rollup.Cell, users int64) error {
			at(value).Users += users
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if by.Ends.Metric != 0 {
		err := q.eachDay(ctx, app, by.Ends, p.First, p.Last, func(value string, c *rollup.Cell) {
			if c.Count == 0 && c.New == 0 && c.Requests == 0 {
				return // taken back
			}
			at(value).Ends.add(c)
		})
		if err != nil {
			return nil, err
		}
	}
	out := make([]SubjectSum, 0, len(sums))
	for _, v := range sums {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b SubjectSum) int { return int(a.Subject) - int(b.Subject) })
	return out, nil
}

// NewOfSubjects fills in how many users of the period came to each subject for the first time, by the time of what they did.
func (q *Query) NewOfSubjects(ctx context.Context, app model.AppID, by SubjectSeries, p period.Period, subjects []SubjectSum) (err error) {
	defer q.enter(&ctx, &err)()
	if len(subjects) == 0 || p.Empty() {
		return nil
	}
	wanted := make(map[string]bool, len(subjects))
	for _, v := range subjects {
		wanted[rollup.SubjectValue(v.Subject)] = true
	}
	now, err := q.subjectUsers(ctx, app, by, wanted, p.First, p.Last)
	if err != nil {
		return err
	}
	before, err := q.subjectUsers(ctx, app, by, wanted, 0, p.First-1)
	if err != nil {
		return err
	}
	for i := range subjects {
		value := rollup.SubjectValue(subjects[i].Subject)
		users := now[value]
		if users == nil {
			continue
		}
		n := users.GetCardinality()
		if known := before[value]; known != nil {
			n -= users.AndCardinality(known)
		}
		subjects[i].New = int64(n) // at most 2^32
	}
	return nil
}

// subjectUsers returns the users of some subjects on days, by value.
func (q *Query) subjectUsers(ctx context.Context, app model.AppID, by SubjectSeries, wanted map[string]bool, first, last period.Day) (map[string]*roaring.Bitmap, error) {
	out, held := map[string]*roaring.Bitmap{}, readingOf(ctx)
	for _, sp := range spansOf(first, last) {
		err := q.cells.Scan(ctx, app, by.Of, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
			if c.Users == nil || !wanted[value] {
				return nil
			}
			if out[value] == nil {
				out[value] = roaring.New()
			}
			held.unite(out[value], c)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// AllSubjects sums up all subjects of the period: users are those who came to any, new ones those of them who
// never had before.
func (q *Query) AllSubjects(ctx context.Context, app model.AppID, by SubjectSeries, p period.Period) (_ SubjectSum, err error) {
	defer q.enter(&ctx, &err)()
	var all SubjectSum
	list, err := q.Subjects(ctx, app, by, p)
	if err != nil || len(list) == 0 {
		return all, err
	}
	for _, v := range list {
		all.Of.merge(v.Of)
		all.Ends.merge(v.Ends)
	}
	users, err := q.united(ctx, app, by.Of, p.First, p.Last)
	if err != nil {
		return all, err
	}
	all.Uniques = int64(users.GetCardinality()) // at most 2^32
	all.Users, all.New = all.Uniques, all.Uniques
	if p.First <= 0 {
		return all, nil
	}
	before, err := q.united(ctx, app, by.Of, 0, p.First-1)
	if err != nil {
		return all, err
	}
	all.New -= int64(users.AndCardinality(before)) // at most 2^32
	return all, nil
}

// SubjectBucket is what a subject adds up to in a bucket of a period.
type SubjectBucket struct {
	period.Bucket
	SubjectSum
}

// SubjectRows returns the buckets of a period that have data of a subject, by its number, in order. Users are
// the uniques of that very bucket. Hours are not kept: steps of hours are taken for days. Where a step
// makes too many rows a coarser one is taken (period.Fit).
func (q *Query) SubjectRows(ctx context.Context, app model.AppID, by SubjectSeries, subjects []uint32, p period.Period, step period.Step) (_ map[uint32][]SubjectBucket, err error) {
	defer q.enter(&ctx, &err)()
	if step == period.HourStep || step == period.AutoStep && p.Step == period.HourStep {
		step = period.DayStep
	}
	step = p.Fit(step, len(subjects))
	buckets := slices.Collect(p.Buckets(step))
	if len(buckets) == 0 || len(subjects) == 0 {
		return nil, nil
	}
	wanted := make(map[string]bool, len(subjects))
	for _, v := range subjects {
		wanted[rollup.SubjectValue(v)] = true
	}
	type place struct {
		bucket int
		value  string
	}
	sums, users, held := map[place]*SubjectSum{}, map[place]*roaring.Bitmap{}, readingOf(ctx)
	collect := func(s rollup.Series, add func(v *SubjectSum, at place, c *rollup.Cell)) error {
		return q.eachBucket(ctx, app, s, buckets, func(i int, value string, c *rollup.Cell) {
			if !wanted[value] {
				return
			}
			at := place{i, value}
			if sums[at] == nil {
				if !held.take(subjectBytes) {
					return
				}
				sums[at] = &SubjectSum{Subject: rollup.SubjectNumber(value)}
			}
			add(sums[at], at, c)
		})
	}
	err = collect(by.Of, func(v *SubjectSum, at place, c *rollup.Cell) {
		v.Of.add(c)
		if c.Users == nil {
			return
		}
		if users[at] == nil {
			users[at] = roaring.New()
		}
		held.unite(users[at], c)
	})
	if err == nil && by.Ends.Metric != 0 {
		err = collect(by.Ends, func(v *SubjectSum, _ place, c *rollup.Cell) {
			v.Ends.add(c)
		})
	}
	if err != nil {
		return nil, err
	}
	known, err := q.subjectUsers(ctx, app, by, wanted, 0, p.First-1)
	if err != nil {
		return nil, err
	}
	out := map[uint32][]SubjectBucket{}
	for i, b := range buckets {
		for value := range wanted {
			v, of := sums[place{i, value}], users[place{i, value}]
			if v == nil {
				continue
			}
			if of != nil {
				if known[value] == nil {
					known[value] = roaring.New()
				}
				v.Users = int64(of.GetCardinality()) // at most 2^32
				v.New = v.Users - int64(of.AndCardinality(known[value]))
				v.Uniques = v.Users
				held.unite(known[value], &rollup.Cell{Users: of})
			}
			out[v.Subject] = append(out[v.Subject], SubjectBucket{b, *v})
		}
	}
	return out, nil
}

// eachBucket calls fn for the cells of each bucket of days or more.
func (q *Query) eachBucket(ctx context.Context, app model.AppID, s rollup.Series, buckets []period.Bucket, fn func(i int, value string, c *rollup.Cell)) error {
	if first := buckets[0]; first.Step == period.DayStep {
		from, to := rollup.Bucket(first.First), rollup.Bucket(buckets[len(buckets)-1].Last)
		return q.cells.Scan(ctx, app, s, rollup.Day, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
			fn(int(b-from), value, c)
			return nil
		})
	}
	for i, b := range buckets {
		for _, sp := range spansOf(b.First, b.Last) {
			err := q.cells.Scan(ctx, app, s, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
				fn(i, value, c)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
