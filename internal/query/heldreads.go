package query

import (
	"context"
	"math"
	"slices"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/peruser"
	"quipu/internal/store/rollup"
)

// heldRead is what a read has of a series whose rows are held.
type heldRead struct {
	passes int // over the rows
	// narrow are the rows of the users whom the read selects, from one day to another; nil = they were not picked.
	narrow      *peruser.Series
	first, last period.Day
	// months are cells of months, which are asked for several times, and monthly what was asked.
	months  []peruser.Cells
	monthly peruser.Ask
}

// fromUsers returns cells of some days that are made of rows that are held by user; ok is false where they are not.
func (r *rowCells) fromUsers(ctx context.Context, k seriesKey, g peruser.Grain, first, last period.Day, want peruser.Want) (cells []peruser.Cells, ok bool, err error) {
	held := r.t.held
	if held == nil || r.users == nil {
		return nil, false, nil
	}
	rows, ok, err := r.heldOf(ctx, k)
	if err != nil || !ok || g > peruser.Month && rows.finest == rollup.Month {
		return nil, false, err
	}
	if g < peruser.Grain(rows.finest) {
		return nil, true, nil
	}
	key := heldKey{r.App, k, r.Calendar.Location().String()}
	key.of.users = false
	own := r.byUser[key]
	if own == nil {
		own = &heldRead{}
		if r.byUser == nil {
			r.byUser = map[heldKey]*heldRead{}
		}
		r.byUser[key] = own
	}
	ask := &peruser.Ask{Grain: g, From: first, To: last, Want: want, Room: r.left}
	plain := g == peruser.Month && want != peruser.Set
	if plain && own.months != nil && own.monthly == *ask {
		return own.months, true, nil
	}
	if own.narrow != nil && first >= own.first && last <= own.last {
		cells, ok = own.narrow.Select(ask)
	} else if cells, ok, err = r.fromHeld(ctx, key, own, rows, ask); err != nil {
		return nil, false, err
	}
	if !ok {
		return nil, false, nil
	}
	if rows.keep != nil {
		cells = slices.DeleteFunc(cells, func(c peruser.Cells) bool { return !rows.keep(c.Value) })
	}
	if ask.Users = nil; plain {
		own.months, own.monthly = cells, *ask
	}
	return cells, true, nil
}

// fromHeld is fromUsers of the rows of all users. A read that comes back to a series, as those that begin with months do, picks the rows that it selects first.
func (r *rowCells) fromHeld(ctx context.Context, key heldKey, own *heldRead, rows *rowsByUser, ask *peruser.Ask) (cells []peruser.Cells, ok bool, err error) {
	held := r.t.held
	s := held.of(key)
	if s == nil {
		r.missed(key, ask.From, ask.To)
		return nil, false, nil
	}
	followed := false
	select {
	case s.turn <- struct{}{}:
		defer func() {
			if !followed { // it panicked
				s.rows = nil
				held.giveUp(key, s)
			}
			<-s.turn
		}()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	before := s.count()
	state, err := r.follow(ctx, s, rows, ask.From, ask.To)
	followed = true
	switch {
	case err != nil || state == outdated:
		s.rows = nil
		held.giveUp(key, s)
	case s.count() != before:
		held.resize(key, s, s.rows.Bytes())
	}
	if err != nil {
		return nil, false, err
	}
	if state != upToDate {
		r.missed(key, ask.From, ask.To)
		return nil, false, nil
	}
	held.hit(key, s)
	users := r.selectedUsers(s.rows.Words())
	if own.passes++; own.passes > 1 || ask.Grain == peruser.Month {
		if r.narrow(own, s, ask, users) {
			cells, ok = own.narrow.Select(ask)
			return cells, ok, nil
		}
	}
	ask.Users = users
	cells, ok = s.rows.Select(ask)
	return cells, ok, nil
}

// selectedUsers returns whom the read selects, of so many words at least.
func (r *rowCells) selectedUsers(words int) *peruser.Users {
	if r.chosen == nil || r.chosen.Words() < words {
		n := int64(words) * 64
		room := r.t.held.lend(n)
		if r.chosen = peruser.NewUsers(r.users.words(words), room == n); room == n {
			r.lent += n
		} else {
			r.t.held.giveBack(room)
		}
	}
	return r.chosen
}

// moreDays is how many days a read picks beside those that it asks for: weeks are longer than years and months.
const moreDays = 7

// narrow picks the rows that a read selects, if there is room for them.
func (r *rowCells) narrow(own *heldRead, s *heldSeries, ask *peruser.Ask, users *peruser.Users) (ok bool) {
	held := r.t.held
	first, last := max(s.first, ask.From-moreDays), min(s.last, ask.To+moreDays)
	if own.narrow != nil { // of other days
		first, last = max(s.first, min(first, own.first)), min(s.last, max(last, own.last))
		own.narrow = nil
	}
	room := held.lend(math.MaxInt64)
	narrow, ok := s.rows.Narrow(first, last, users, room)
	if !ok {
		held.giveBack(room)
		return false
	}
	n := narrow.Bytes()
	held.giveBack(room - n)
	r.lent += n
	own.narrow, own.first, own.last = narrow, first, last
	return true
}

// lentShare is the part of the room of rows that are held by user that reads may take for what they make of them.
const lentShare = 8

// lend takes so many bytes of the room for what reads make, or what is left of it; giveBack gives back what is not needed.
func (h *heldRows) lend(n int64) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	n = min(n, max(0, h.forReads-h.lent))
	h.lent += n
	return n
}

func (h *heldRows) giveBack(n int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lent -= n
}

// end gives back what a read was lent.
func (r *rowCells) end() {
	if r.t.held != nil {
		r.t.held.giveBack(r.lent)
	}
}

// counts implements Cells. Cells of events come without a number of users.
func (s fromRows) counts(ctx context.Context, app model.AppID, of rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn countFunc) error {
	return s.rows.counts(ctx, seriesKey{Series: of}, g, from, to, fn)
}

// value implements Cells. The users of events are read only where they are asked for.
func (s fromRows) value(ctx context.Context, app model.AppID, of rollup.Series, g rollup.Grain, from, to rollup.Bucket, value string, fn func(b rollup.Bucket, c *rollup.Cell) error) error {
	if of.Metric != rollup.Events {
		return s.plain.value(ctx, app, of, g, from, to, value, fn)
	}
	return s.rows.counts(ctx, seriesKey{Series: of, only: value}, g, from, to, func(b rollup.Bucket, _ string, c *rollup.Cell, _ int64) error { return fn(b, c) })
}

func (r *rowCells) counts(ctx context.Context, k seriesKey, g rollup.Grain, from, to rollup.Bucket, fn countFunc) error {
	want := peruser.Number
	if k.Metric == rollup.Events {
		want = peruser.Nothing
	}
	return r.scan(ctx, k, g, from, to, want, func(b rollup.Bucket, value string, c *rollup.Cell, users int64) error {
		bare := *c
		bare.Users = nil
		return fn(b, value, &bare, users)
	})
}

// sums implements Cells.
func (s fromRows) sums(ctx context.Context, app model.AppID, of rollup.Series, spans []span, which only) (*tallies, error) {
	return s.whole(ctx, app, of, spans, which, peruser.Set)
}

// numbers implements numbering.
func (s fromRows) numbers(ctx context.Context, app model.AppID, of rollup.Series, spans []span, which only) (*tallies, error) {
	return s.whole(ctx, app, of, spans, which, peruser.Number)
}

func (s fromRows) whole(ctx context.Context, app model.AppID, of rollup.Series, spans []span, which only, want peruser.Want) (*tallies, error) {
	if len(spans) == 0 || which == countedCells && !counted(of) {
		return s.plain.sums(ctx, app, of, spans, which)
	}
	first, last := firstDay(spans[0].grain, spans[0].from), lastDay(spans[0].grain, spans[0].to)
	for _, sp := range spans[1:] {
		if firstDay(sp.grain, sp.from) != last+1 {
			return s.plain.sums(ctx, app, of, spans, which)
		}
		last = lastDay(sp.grain, sp.to)
	}
	cells, ok, err := s.rows.fromUsers(ctx, seriesKey{Series: of, users: of.Metric == rollup.Events}, peruser.Whole, first, last, want)
	if err != nil {
		return nil, err
	}
	if !ok {
		return s.plain.sums(ctx, app, of, spans, which)
	}
	ts := newTallies()
	for _, c := range cells {
		t := ts.count(c.Value, c.Cell)
		if t.users.dense = c.Cell.Users; want == peruser.Number {
			t.number = c.Users
		}
	}
	return ts, nil
}

// counted reports whether each row of a series counts, so that none of its cells is without a count.
func counted(s rollup.Series) bool {
	return slices.ContainsFunc(model.Dimensions[:], func(d model.Dimension) bool { return rollup.Metric(d.Metric) == s.Metric })
}

// weeks implements Cells.
func (s fromRows) weeks(ctx context.Context, app model.AppID, of rollup.Series, isoYear int, fn func(week int, t *sum)) error {
	monday := period.WeekStart(isoYear)
	cells, ok, err := s.rows.fromUsers(ctx, seriesKey{Series: of, users: of.Metric == rollup.Events}, peruser.Week, max(0, monday), monday+period.Day(7*weeksOf(isoYear))-1, peruser.Number) // at most 53
	if err != nil {
		return err
	}
	if !ok {
		return s.plain.weeks(ctx, app, of, isoYear, fn)
	}
	ts := newTallies()
	for _, c := range cells {
		fn(int(period.Day(c.Bucket)-monday)/7+1, &sum{tally: *ts.count(c.Value, c.Cell), u: c.Users}) // a day
		ts.reset()
	}
	return nil
}
