package outbox

import (
	"encoding/binary"

	"quipu/internal/store/events"
)

// Rows are event rows in the form in which they are stored: a fifth of the size of events.Row, and without pointers, so that a
// batch of them costs the garbage collector nothing. The zero value has none.
type Rows struct {
	e encoder
	n int
	// users has where the number of the user of each row stands.
	users []int
}

// Pack returns rows in stored form.
func Pack(rows ...events.Row) (r Rows) {
	for i := range rows {
		r.Append(&rows[i])
	}
	return r
}

// Append adds a row. Nothing of it is kept.
func (r *Rows) Append(row *events.Row) {
	r.users = append(r.users, r.e.row(row))
	r.n++
}

// Len returns the number of rows.
func (r *Rows) Len() int { return r.n }

// Size returns how many bytes there is room for.
func (r *Rows) Size() int { return cap(r.e.b) + 8*cap(r.users) }

// Reset removes all rows; their memory is used again.
func (r *Rows) Reset() {
	*r = Rows{e: encoder{b: r.e.b[:0]}, users: r.users[:0]}
}

// Rewrite gives rows of the users named the number that theirs leads to.
func (r *Rows) Rewrite(users map[uint32]uint32) {
	var b []byte // the rows up to done, rewritten
	done := 0
	for i, at := range r.users {
		uid, n := binary.Uvarint(r.e.b[at:])
		r.users[i] = len(b) + at - done
		to, ok := users[uint32(uid)] // as it was written
		if !ok {
			continue
		}
		b = binary.AppendUvarint(append(b, r.e.b[done:at]...), uint64(to))
		done = at + n
	}
	if done > 0 {
		r.e.b = append(b, r.e.b[done:]...)
	}
}

// Each calls fn with all rows, at most n at a time, until it returns an error, which it returns. What fn gets is used again for the next.
func (r *Rows) Each(n int, fn func([]events.Row) error) error {
	if r.n == 0 {
		return nil
	}
	return packedRows{{n: r.n, used: r.e.used, s: string(r.e.b)}}.Each(n, fn)
}
