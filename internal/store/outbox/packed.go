package outbox

import (
	"math/bits"

	"quipu/internal/store/events"
	"quipu/internal/turn"
)

// packed are the rows of a stored part, in stored form.
type packed struct {
	n    int
	used events.Slots
	s    string
}

// packedRows are the rows of parts. They implement events.Pieces.
type packedRows []packed

// Len implements events.Pieces.
func (l packedRows) Len() int {
	n := 0
	for i := range l {
		n += l[i].n
	}
	return n
}

// Slots implements events.Pieces.
func (l packedRows) Slots() (used events.Slots) {
	for i := range l {
		used = used.Or(l[i].used)
	}
	return used
}

// Each implements events.Pieces. What it hands out lies in memory that it uses again for the next piece.
func (l packedRows) Each(n int, fn func([]events.Row) error) error {
	n = min(n, l.Len())
	used := l.Slots()
	rows := make([]events.Row, 0, n)
	texts := make([]string, 0, n*bits.OnesCount32(used.Text))
	nums := make([]float64, 0, n*bits.OnesCount32(used.Num))
	var work turn.Counter
	for i := range l {
		d := newDecoder(l[i].s)
		for range l[i].n {
			rows = append(rows, events.Row{})
			if d.row(&rows[len(rows)-1], &texts, &nums); d.err != nil {
				return d.err
			}
			work.Spend(rowWork)
			if len(rows) < n {
				continue
			}
			if err := fn(rows); err != nil {
				return err
			}
			rows, texts, nums = rows[:0], texts[:0], nums[:0]
		}
		if d.at != len(d.b) {
			d.fail()
			return d.err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return fn(rows)
}
