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
	"quipu/internal/query/active"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/rollup"
)

// Across counts the people who use any of several apps, where users with the same device id are one, by the sessions that began on the days of each app's zone. Device ids are
// held by their digests, in memory of the reader's limit, in its turn; where they do not fit, the apps are gone through several times, for a part of the digests each time.
func (a *Actives) Across(ctx context.Context, apps []model.AppID, q active.Question) (ActiveUsers, error) {
	ctx = plan.For(ctx, plan.ActiveOperator)
	t := active.New(q, false)
	if q.To() < q.From() {
		t.Finish()
		return ActiveUsers{Tally: t, FromCells: true}, nil
	}
	done, err := a.rows.take(ctx)
	if err != nil {
		return ActiveUsers{}, err
	}
	defer done()
	c := &crossing{Actives: a, q: q, t: t}
	var total uint64
	for _, app := range apps {
		users, err := a.cells.ActiveUsers(ctx, app, q.From(), q.To())
		if err != nil {
			return ActiveUsers{}, err
		}
		c.apps = append(c.apps, AppUsers{App: app, Users: users})
		total += users.GetCardinality()
	}
	c.passes = 1 + uint32(total*crossingBytes/max(1, uint64(a.rows.limit))) // a limit is positive, and so many users do not exist
	for c.pass = range c.passes {
		if err := c.run(ctx); err != nil {
			return ActiveUsers{}, err
		}
	}
	t.Finish()
	return ActiveUsers{Tally: t, FromCells: true}, nil
}

// crossingBytes is what a user takes while people are counted: a digest with its user, then the user with its person, and the person's last day.
const crossingBytes = 24 + 8 + 8

// crossing counts the people of several apps.
type crossing struct {
	*Actives
	q      active.Question
	t      *active.Tally
	apps   []AppUsers
	passes uint32
	pass   uint32
}

// appUser is a user of an app, by its place, with the digest of the device id.
type appUser struct {
	digest [idSize]byte
	app    uint32
	uid    uint32
}

// run counts the people of a part of the digests.
func (c *crossing) run(ctx context.Context) error {
	users, persons, err := c.people(ctx)
	if err != nil {
		return err
	}
	from, until := c.q.From(), min(c.q.Last, c.q.Known)
	first := int(c.q.First-from) + 1
	last := make([]uint16, persons) // the day counted from from, and 1; 0 = none
	var gaps [active.Never + 1]int64
	for day := from; day <= c.q.To(); day++ {
		clear(gaps[:])
		now := uint16(day-from) + 1 // periods are shorter
		within := int(now) >= first && day <= until
		for i := range c.apps {
			err := c.onDay(ctx, i, day, users[i], func(person uint32) {
				was := last[person]
				if was == now {
					return
				}
				last[person] = now
				gap := int(now) - int(was)
				if was == 0 || gap > active.Never {
					gap = active.Never
				}
				gaps[gap]++
				if within && int(was) < first {
					c.t.Users++
				}
			})
			if err != nil {
				return err
			}
		}
		for gap, n := range gaps {
			if n > 0 {
				c.t.Add(day, gap, n)
			}
		}
	}
	return nil
}

// onDay calls fn with the person of each of some users who is active in an app on a day. Users are ascending, in the upper half of a number that has the person in the lower one.
func (c *crossing) onDay(ctx context.Context, app int, day period.Day, users []uint64, fn func(person uint32)) (err error) {
	defer c.cells.enter(&ctx, &err)()
	b := rollup.Bucket(day)
	return c.cells.cells.Scan(ctx, c.apps[app].App, rollup.Series{Metric: rollup.Users}, rollup.Day, b, b, func(_ rollup.Bucket, _ string, cell *rollup.Cell) error {
		if cell.Users == nil {
			return nil
		}
		var buf [1024]uint32
		rest := users
		it := cell.Users.ManyIterator()
		for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
			for _, uid := range buf[:n] {
				for len(rest) > 0 && uint32(rest[0]>>32) < uid {
					rest = rest[1:]
				}
				if len(rest) > 0 && uint32(rest[0]>>32) == uid {
					fn(uint32(rest[0])) // the lower half is meant
				}
			}
		}
		return nil
	})
}

// people numbers the people of a part of the digests. Of each app it returns the users with their persons, as onDay takes them.
func (c *crossing) people(ctx context.Context) (users [][]uint64, persons int, err error) {
	var total uint64
	for _, app := range c.apps {
		total += app.Users.GetCardinality()
	}
	list := make([]appUser, 0, total/uint64(c.passes)+total/uint64(c.passes)/16)
	for i, app := range c.apps {
		err := c.digests(ctx, app.App, app.Users, func(uid uint32, sum [sha256.Size]byte) {
			if binary.BigEndian.Uint32(sum[idSize:])%c.passes == c.pass {
				list = append(list, appUser{[idSize]byte(sum[:]), uint32(i), uid}) // few
			}
		})
		if err != nil {
			return nil, 0, err
		}
	}
	slices.SortFunc(list, func(a, b appUser) int { return bytes.Compare(a.digest[:], b.digest[:]) })
	users = make([][]uint64, len(c.apps))
	for i := range list {
		if i == 0 || list[i].digest != list[i-1].digest {
			persons++
		}
		u := &list[i]
		users[u.app] = append(users[u.app], uint64(u.uid)<<32|uint64(persons-1)) // as many as users at most
	}
	for _, of := range users {
		slices.Sort(of)
	}
	return users, persons, nil
}

// digests calls fn with the digest of the device id of each of some users.
func (c *crossing) digests(ctx context.Context, app model.AppID, users *roaring.Bitmap, fn func(uid uint32, sum [sha256.Size]byte)) error {
	if users.IsEmpty() {
		return nil
	}
	q := &plan.Query{App: app, From: plan.Users, Select: []plan.Expr{plan.Us("uid"), plan.Us("did")}, Where: plan.InSet{Of: plan.Us("uid"), Set: plan.NewSet(users)}}
	return missing(c.rows.tables.rows.RunColumns(ctx, q, func(col *events.Columns) error {
		for i := range col.Len {
			fn(uint32(col.List[0].Whole[i]), sha256.Sum256([]byte(col.List[1].Text[i]))) // numbers of users are of 32 bits
		}
		return nil
	}))
}
