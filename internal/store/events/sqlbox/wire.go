package sqlbox

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"quipu/internal/store/events"
)

// The frames that go over the pipes. A frame is its kind, the length of its payload (4 bytes, little-endian) and the payload.
const (
	FrameJob     = byte(iota + 1) // to the process: Job
	FrameNeeds                    // from it: Needs
	FrameRows                     // to it: a block of rows
	FrameRun                      // to it: no more rows
	FrameColumns                  // from it: ResultColumn as a list
	FrameValues                   // from it: a list of rows
	FrameDone                     // from it: whether there are more rows
	FrameError                    // from it: Error
)

// The variables that tell a process its limits: bytes, a number, seconds.
const (
	MemoryVariable  = "QUIPU_SQL_MEMORY"
	ThreadsVariable = "QUIPU_SQL_THREADS"
	TimeVariable    = "QUIPU_SQL_TIME"
)

// WriteFrame writes a frame.
func WriteFrame(w *bufio.Writer, kind byte, payload []byte) error {
	if len(payload) > MaxFrame {
		return ErrFrame
	}
	var head [5]byte
	head[0] = kind
	binary.LittleEndian.PutUint32(head[1:], uint32(len(payload))) // checked above
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

// MaxFrame is the most that a payload may have, bytes.
const MaxFrame = 64 << 20

// ErrFrame says that a frame promises a larger payload than its reader takes.
var ErrFrame = errors.New("sqlbox: frame too large")

// ReadFrame reads a frame whose payload has at most that many bytes. A larger one is ErrFrame, before any of it is read.
func ReadFrame(r io.Reader, most int64) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if int64(n) > min(most, MaxFrame) {
		return head[0], nil, ErrFrame
	}
	var b bytes.Buffer // grows with what comes, whatever the head promises
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		return 0, nil, err
	}
	return head[0], b.Bytes(), nil
}

// appendBlock writes rows of a view as a block: the view's place among those of the job, the number of rows, and each column: a byte
// that says whether values are absent, a byte for each value if so, and the values: 8 bytes each, or the length of a text and the text.
func appendBlock(b []byte, view int, types []Type, c *events.Columns) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(view))  // a place
	b = binary.AppendUvarint(b, uint64(c.Len)) // a length
	if len(c.List) < len(types) {
		return nil, fmt.Errorf("sqlbox: %d columns, want %d", len(c.List), len(types))
	}
	for i, t := range types {
		col := &c.List[i]
		if col.Null == nil {
			b = append(b, 0)
		} else {
			b = append(b, 1)
			for _, null := range col.Null[:c.Len] {
				if null {
					b = append(b, 1)
				} else {
					b = append(b, 0)
				}
			}
		}
		switch t {
		case Text:
			for _, s := range col.Text[:c.Len] {
				b = binary.AppendUvarint(b, uint64(len(s)))
				b = append(b, s...)
			}
		case Number:
			for _, f := range col.Number[:c.Len] {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
			}
		case Whole, Truth, Time:
			for _, n := range col.Whole[:c.Len] {
				b = binary.LittleEndian.AppendUint64(b, uint64(n)) // only its bits count
			}
		default:
			return nil, fmt.Errorf("sqlbox: type %q", t)
		}
	}
	return b, nil
}

// ErrBlock says that a block of rows cannot be read.
var ErrBlock = errors.New("sqlbox: unreadable block of rows")

// Block reads a block of rows, the payload of a FrameRows.
type Block struct{ b []byte }

// NewBlock returns what reads a payload.
func NewBlock(payload []byte) *Block { return &Block{payload} }

// Head reads the view's place among those of the job and the number of rows; ok is false if there are none.
func (b *Block) Head() (view, rows int, ok bool) {
	view, rows = b.uvarint(), b.uvarint()
	return view, rows, view >= 0 && rows >= 0
}

func (b *Block) uvarint() int {
	n, size := binary.Uvarint(b.b)
	if size <= 0 || n > MaxFrame {
		return -1
	}
	b.b = b.b[size:]
	return int(n)
}

// Columns reads the columns of a block of n rows. Errors: ErrBlock.
func (b *Block) Columns(n int, types []Type, out *events.Columns) error {
	out.Len = n
	out.List = slices.Grow(out.List[:0], len(types))[:len(types)]
	for i, t := range types {
		col := &out.List[i]
		if len(b.b) == 0 {
			return ErrBlock
		}
		has := b.b[0] == 1
		b.b = b.b[1:]
		col.Null = nil
		if has {
			if len(b.b) < n {
				return ErrBlock
			}
			col.Null = make([]bool, n)
			for j, v := range b.b[:n] {
				col.Null[j] = v == 1
			}
			b.b = b.b[n:]
		}
		if err := b.values(n, t, col); err != nil {
			return err
		}
	}
	return nil
}

func (b *Block) values(n int, t Type, col *events.Column) error {
	if t == Text {
		col.Text = slices.Grow(col.Text[:0], n)[:n]
		for j := range n {
			size := b.uvarint()
			if size < 0 || size > len(b.b) {
				return ErrBlock
			}
			col.Text[j] = string(b.b[:size])
			b.b = b.b[size:]
		}
		return nil
	}
	if len(b.b) < 8*n {
		return ErrBlock
	}
	col.Whole, col.Number = slices.Grow(col.Whole[:0], n)[:n], slices.Grow(col.Number[:0], n)[:n]
	for j := range n {
		bits := binary.LittleEndian.Uint64(b.b[8*j:])
		if t == Number {
			col.Number[j] = math.Float64frombits(bits)
		} else {
			col.Whole[j] = int64(bits) // only its bits count
		}
	}
	b.b = b.b[8*n:]
	return nil
}

// has reports whether one of the words was said.
func (e *end) has(words ...string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(e.text, []byte(w)) })
}
