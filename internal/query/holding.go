package query

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/peruser"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Bounds of rows that are held.
const (
	heldRowBytes = 8         // of a row, about, before it is read
	rowsAtOnce   = 1_000_000 // of rows that are read by one statement, about
	heldShare    = 2         // a series that takes more than such a part of the room is not held
	maxHeldTries = 3
)

// errTooLong is the error of rows that do not fit, errShort that memory is short.
var (
	errTooLong = errors.New("query: rows do not fit")
	errShort   = errors.New("query: memory is short")
)

// Hold reads, until ctx is done, the rows of series that reads missed and the texts that searches missed, one after the other, so that further ones find them. Without
// it nothing is held. What fails is missed again by those that come; a panic is logged, and concerns nothing but what was being read.
func (r *Recalling) Hold(ctx context.Context, log *slog.Logger) {
	var rows chan heldKey
	if r.held != nil {
		rows = r.held.missed
	}
	var texts chan model.AppID
	if r.texts != nil {
		texts = r.texts.missed
	}
	turns := time.NewTicker(textTurn)
	defer turns.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-rows:
			caught(ctx, log, func() { r.held.read(ctx, k) })
		case app := <-texts:
			caught(ctx, log, func() { r.texts.read(ctx, app) })
		case <-turns.C:
			if r.texts != nil {
				caught(ctx, log, func() { r.texts.turn(ctx) })
			}
		}
	}
}

// caught calls fn, and logs a panic of it.
func caught(ctx context.Context, log *slog.Logger, fn func()) {
	defer func() {
		if v := recover(); v != nil {
			log.ErrorContext(ctx, "reading in the background panicked", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
	}()
	fn()
}

// read reads the rows of a series as they are asked for by now.
func (h *heldRows) read(ctx context.Context, k heldKey) {
	ask, first, last, ok := h.next(k)
	if !ok {
		return
	}
	f := &filling{rowCells: ask, key: k}
	var s *heldSeries
	tooLong, panicked := int64(0), true
	defer func() {
		if h.settle(k, s, tooLong, f.bytes); panicked {
			h.setBack(k)
		}
	}()
	s, err := f.fill(ctx, first, last)
	if panicked = false; errors.Is(err, errTooLong) {
		tooLong = daysOf(first, last)
	}
}

// filling reads the rows of a series.
type filling struct {
	*rowCells
	key   heldKey
	bytes int64 // that were counted
}

// fill returns the rows of some days. Errors: errTooLong, errShort, those of reading.
func (f *filling) fill(ctx context.Context, first, last period.Day) (*heldSeries, error) {
	versions := f.t.held.versions
	for range maxHeldTries {
		rows, ok, err := f.heldOf(ctx, f.key.of)
		if err != nil || !ok {
			return nil, err
		}
		s := &heldSeries{turn: make(chan struct{}, 1), rows: peruser.New(rows.options), first: first, last: last, known: rows.known, version: versions.Version(f.App)}
		_, s.moment, _ = versions.Rewrites(f.App, 0)
		s.plans = f.plansOf(rows)
		if err := f.places(ctx, s, rows); err != nil {
			return nil, err
		}
		for i := range rows.parts {
			if err := f.readDays(ctx, s, &rows.parts[i], first, last); err != nil {
				return nil, err
			}
		}
		s.rows.Compact()
		if err := f.count(s); err != nil {
			return nil, err
		}
		if s.rewrite(versions, f.App) { // what happened meanwhile concerns a part of what was read
			return s, nil
		}
	}
	return nil, nil
}

// count counts what the series takes by now.
func (f *filling) count(s *heldSeries) error {
	held := f.t.held
	n := s.rows.Bytes()
	held.grow(f.key, n-f.bytes)
	f.bytes = n
	switch {
	case n > held.limit/heldShare:
		return errTooLong
	case held.short():
		return errShort
	}
	return nil
}

// readDays reads rows of some days, so many at a time.
func (f *filling) readDays(ctx context.Context, s *heldSeries, part *userPart, first, last period.Day) error {
	from, to := f.Calendar.DayStart(first), f.Calendar.DayEnd(last)
	at := plan.Column{Of: part.from, Name: "ts"}
	q := &plan.Query{
		App: f.App, From: part.from, Where: plan.All(part.where, plan.Between(at, from, to)),
		Select: []plan.Expr{plan.Agg{Fn: plan.Count}, plan.Agg{Fn: plan.Min, Of: at}, plan.Agg{Fn: plan.Max, Of: at}},
	}
	var n int64
	err := f.t.rows.Run(ctx, q, func(row events.Scanner) error {
		var low, high any
		err := row.Scan(&n, &low, &high)
		if n > 0 {
			from, to = wholeOf(low), wholeOf(high)
		}
		return err
	})
	if err := missing(err); err != nil {
		return err
	}
	if (n+int64(s.rows.Rows()))*heldRowBytes > f.t.held.limit/heldShare {
		return errTooLong
	}
	if part.at != nil { // not by the time of the row
		if err := f.readPart(ctx, s, part, first, last, 0); err != nil {
			return err
		}
		return f.count(s)
	}
	if n == 0 {
		return nil
	}
	days := max(1, (f.Calendar.DayBucket(to)-f.Calendar.DayBucket(from)+1)/period.Day(1+n/rowsAtOnce)) // few
	for day := f.Calendar.DayBucket(from); day <= f.Calendar.DayBucket(to); day += days {
		if err := f.readPart(ctx, s, part, max(day, first), min(day+days-1, last), 0); err != nil {
			return err
		}
		if err := f.count(s); err != nil {
			return err
		}
	}
	return nil
}
