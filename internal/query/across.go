package query

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
)

// ActiveUsers returns the numbers of the users of sessions that began on the days from first to last; it is the caller's own.
func (q *Query) ActiveUsers(ctx context.Context, app model.AppID, first, last period.Day) (_ *roaring.Bitmap, err error) {
	defer q.enter(&ctx, &err)()
	return q.united(ctx, app, rollup.Series{Metric: rollup.Users}, first, last)
}

// united returns the numbers of the users of a series on days; it is the caller's own.
func (q *Query) united(ctx context.Context, app model.AppID, s rollup.Series, first, last period.Day) (*roaring.Bitmap, error) {
	out, held := roaring.New(), readingOf(ctx)
	for _, sp := range spansOf(first, last) {
		err := q.cells.Scan(ctx, app, s, sp.grain, sp.from, sp.to, func(_ rollup.Bucket, _ string, c *rollup.Cell) error {
			held.unite(out, c)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Crashed returns how many fatal crashes were reported in a period, and the numbers of the users who had one; they are the caller's own.
func (t *Tables) Crashed(ctx context.Context, app model.AppID, p period.Period) (reports int64, users *roaring.Bitmap, err error) {
	ctx = plan.For(ctx, plan.DrillOperator)
	users = roaring.New()
	fatal, ok := t.bindTrend(app)("sg.nonfatal")
	if !ok {
		return 0, users, nil
	}
	q := &plan.Query{
		App: app, From: plan.Events, Select: []plan.Expr{plan.Ev("uid"), plan.Agg{Fn: plan.Count}},
		Where: plan.All(rowsOf(crashKey), plan.Between(plan.Ev("ts"), p.Start, p.End), plan.Do(plan.Eq, plan.Do(plan.Text, fatal), plan.Is("false"))),
	}
	err = t.asked.Run(ctx, q, func(row events.Scanner) error {
		var uid uint32
		var n int64
		if err := row.Scan(&uid, &n); err != nil {
			return err
		}
		users.Add(uid)
		reports += n
		return nil
	})
	return reports, users, missing(err)
}

// AppUsers are users of an app, by their numbers.
type AppUsers struct {
	App   model.AppID
	Users *roaring.Bitmap
}

// idSize is how much of the digest of a device id is held: two ids have the same with a chance that is no chance.
const idSize = 16

// Unite returns how many people the users of several apps are, where those with the same device id are one person, and how many of them use more
// than one of the apps. Ids are held by their digests, in memory of the reader's limit, in its turn; where they do not fit, the
// users are read several times, a part of the digests each time.
func (f *Funnels) Unite(ctx context.Context, apps []AppUsers) (people, shared int64, err error) {
	ctx = plan.For(ctx, plan.PeopleOperator)
	done, err := f.take(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer done()
	var total uint64
	for _, a := range apps {
		total += a.Users.GetCardinality()
	}
	const spare = 2                                                       // of 16 parts: lists of digests are not of the size that was reckoned
	passes := 1 + int(total*idSize*(16+spare)/16/max(1, uint64(f.limit))) // a limit is positive
	for pass := range passes {
		n, m, err := f.unitePart(ctx, apps, pass, passes, total)
		if err != nil {
			return 0, 0, err
		}
		people, shared = people+n, shared+m
	}
	return people, shared, nil
}

// unitePart is Unite for one of several parts of the digests.
func (f *Funnels) unitePart(ctx context.Context, apps []AppUsers, pass, passes int, total uint64) (people, shared int64, err error) {
	ids := make([][idSize]byte, 0, int(total)/passes+int(total)/16/passes) // Unite bounds it
	for _, a := range apps {
		if a.Users.IsEmpty() {
			continue
		}
		q := &plan.Query{
			App: a.App, From: plan.Users, Select: []plan.Expr{plan.Us("did")}, Where: plan.InSet{Of: plan.Us("uid"), Set: plan.NewSet(a.Users)},
		}
		err := missing(f.tables.rows.Run(ctx, q, func(row events.Scanner) error {
			var did string
			if err := row.Scan(&did); err != nil {
				return err
			}
			sum := sha256.Sum256([]byte(did))
			if binary.BigEndian.Uint32(sum[idSize:])%uint32(passes) == uint32(pass) { // passes are few
				ids = append(ids, [idSize]byte(sum[:]))
			}
			return nil
		}))
		if err != nil {
			return 0, 0, err
		}
	}
	slices.SortFunc(ids, func(a, b [idSize]byte) int { return bytes.Compare(a[:], b[:]) })
	for i := 0; i < len(ids); {
		j := i + 1
		for j < len(ids) && ids[j] == ids[i] {
			j++
		}
		people++
		if j-i > 1 {
			shared++
		}
		i = j
	}
	return people, shared, nil
}
