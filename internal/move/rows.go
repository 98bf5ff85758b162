package move

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
)

// errFull ends a scan when a commit has enough.
var errFull = errors.New("enough")

// cursor is how far the rows of an app are copied.
type cursor struct {
	app model.AppID
	// rows, requests and states are offsets before which there is nothing more of these; they never fall.
	rows, requests, states uint64
	// state is the number of the last state that was copied.
	state uint32
}

// copyRows copies the rows of a partition behind what its event store has.
func (c *copier) copyRows(ctx context.Context, partition uint16, apps []model.AppID) error {
	at, err := c.to.Rows.Watermark(ctx)
	if err != nil {
		return err
	}
	after, length := at[partition], c.from.Through
	cursors := make([]*cursor, len(apps))
	for i, app := range apps {
		cursors[i] = &cursor{app: app}
	}
	for after < c.from.Through {
		w := &window{copier: c, partition: partition, after: after, through: after + min(2*length, c.from.Through-after)}
		if r, ok := c.to.Rows.(events.Resumer); ok { // what was begun is finished first, and ends where it did
			ends, err := r.Resumes(ctx, partition)
			if err != nil {
				return err
			}
			if w.fixed = ends != 0; w.fixed {
				w.through = ends
			}
		}
		for _, one := range cursors {
			if err := w.fill(ctx, one); err != nil {
				return fmt.Errorf("rows of app %s: %w", one.app, err)
			}
		}
		b := w.batch()
		if err := c.to.Rows.Commit(ctx, b); err != nil {
			return err
		}
		after, length = w.through, w.through-after
		c.note(func(p *Progress) {
			for _, part := range b.Apps {
				p.Rows, p.Requests, p.States = p.Rows+int64(len(part.Rows)), p.Requests+int64(len(part.Requests)), p.States+int64(len(part.States))
			}
		})
	}
	return nil
}

// window is what goes in one commit: the rows of a partition behind an offset, up to one that falls while they are read.
type window struct {
	*copier
	partition      uint16
	after, through uint64
	fixed          bool // through stays where it is
	n              int  // rows of all kinds
	parts          []part
}

// part is what a window has of an app.
type part struct {
	*events.AppBatch
	at *cursor
}

// offset is that of a place, in whatever partition.
func offset(place uint64) uint64 { return journal.PositionOf(place).Offset }

// take counts a row at an offset, and halves the window while it has too many, unless it is fixed. It returns errFull when the row is beyond.
func (w *window) take(offset uint64) error {
	if offset > w.through {
		return errFull
	}
	w.n++
	for w.n > w.to.MostRows && w.through > w.after+1 && !w.fixed {
		w.through = w.after + (w.through-w.after)/2
		w.n = 1
		for i := range w.parts {
			w.n += w.parts[i].cut(journal.Position{Partition: w.partition, Offset: w.through}.Place())
		}
		if offset > w.through {
			w.n--
			return errFull
		}
	}
	return nil
}

// cut takes away what lies beyond a place, which is to be read again, and returns how many rows are left.
func (p *part) cut(beyond uint64) int {
	if n := sort.Search(len(p.Rows), func(i int) bool { return p.Rows[i].Offset > beyond }); n < len(p.Rows) {
		p.at.rows, p.Rows = offset(p.Rows[n].Offset), p.Rows[:n]
	}
	if n := sort.Search(len(p.Requests), func(i int) bool { return p.Requests[i].Offset > beyond }); n < len(p.Requests) {
		p.at.requests, p.Requests = offset(p.Requests[n].Offset), p.Requests[:n]
	}
	if n := sort.Search(len(p.States), func(i int) bool { return p.States[i].Offset > beyond }); n < len(p.States) {
		p.at.states, p.States = offset(p.States[n].Offset), p.States[:n]
	}
	return len(p.Rows) + len(p.Requests) + len(p.States)
}

// fill reads what an app has in the window. Its cursor learns where the next rows are.
func (w *window) fill(ctx context.Context, at *cursor) error {
	if min(at.rows, at.requests, at.states) > w.through {
		return nil
	}
	w.parts = append(w.parts, part{&events.AppBatch{}, at})
	p := &w.parts[len(w.parts)-1]
	from := events.Place{Offset: journal.Position{Partition: w.from.of(at.app), Offset: w.after}.Place(), Item: math.MaxUint32}
	// scanned says where the next row of a kind is, after a scan that fn ended at a row or that came to the end.
	scanned := func(next *uint64, stopped uint64, err error) error {
		switch {
		case err == nil:
			if *next <= w.through { // nothing was cut off meanwhile
				*next = math.MaxUint64
			}
		case errors.Is(err, errFull):
			if *next <= w.through || stopped < *next {
				*next = stopped
			}
		default:
			return err
		}
		return nil
	}
	if at.rows <= w.through {
		var stopped uint64
		err := w.from.Rows.ScanRows(ctx, at.app, from, func(r *events.Row) error {
			if err := w.take(offset(r.Offset)); err != nil {
				stopped = offset(r.Offset)
				return err
			}
			p.Rows = append(p.Rows, w.row(r))
			return nil
		})
		if err := scanned(&at.rows, stopped, err); err != nil {
			return err
		}
	}
	if at.requests <= w.through {
		var stopped uint64
		err := w.from.Rows.ScanRequests(ctx, at.app, from, func(r *events.RequestRow) error {
			if err := w.take(offset(r.Offset)); err != nil {
				stopped = offset(r.Offset)
				return err
			}
			moved := *r
			moved.Offset = Place(w.partition, r.Offset)
			p.Requests = append(p.Requests, moved)
			return nil
		})
		if err := scanned(&at.requests, stopped, err); err != nil {
			return err
		}
	}
	if at.states > w.through {
		return nil
	}
	var stopped uint64
	err := w.from.Rows.ScanStates(ctx, at.app, at.state, func(s *events.State) error {
		if offset(s.Offset) <= w.after {
			if len(p.States) > 0 || at.states > 0 {
				return fmt.Errorf("state %d belongs to an earlier record than the previous state", s.Number)
			}
			at.state = s.Number // copied by an earlier run
			return nil
		}
		if err := w.take(offset(s.Offset)); err != nil {
			stopped = offset(s.Offset)
			return err
		}
		p.States = append(p.States, events.State{Number: s.Number, Offset: Place(w.partition, s.Offset), UID: s.UID, JSON: strings.Clone(s.JSON)})
		return nil
	})
	return scanned(&at.states, stopped, err)
}

// row is a copy of a row, in its partition.
func (w *window) row(r *events.Row) events.Row {
	out := *r
	out.Offset, out.Session = Place(w.partition, r.Offset), Place(w.partition, r.Session)
	out.Key, out.Name, out.Extra = strings.Clone(r.Key), strings.Clone(r.Name), strings.Clone(r.Extra)
	for i, t := range r.Text {
		if t != nil {
			text := strings.Clone(*t)
			out.Text[i] = &text
		}
	}
	for i, n := range r.Num {
		if n != nil {
			number := *n
			out.Num[i] = &number
		}
	}
	return out
}

// batch is what is in the window.
func (w *window) batch() *events.Batch {
	b := &events.Batch{Partition: w.partition, Watermark: journal.Watermark{w.partition: w.through}, Apps: map[model.AppID]*events.AppBatch{}}
	for i := range w.parts {
		p := &w.parts[i]
		if n := len(p.States); n > 0 {
			p.at.state = p.States[n-1].Number
		}
		if len(p.Rows)+len(p.Requests)+len(p.States) > 0 {
			b.Apps[p.at.app] = p.AppBatch
		}
	}
	return b
}
