package ch

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"quipu/internal/fault"
)

// Block is rows of a result by column.
type Block struct {
	Rows    int
	Columns []Column
}

// Column holds a value for each row: in Number if its type is a floating-point number, in Text if it is String, otherwise in Whole. Values that are
// absent are 0 or "", and Null tells which are; nil = none.
type Column struct {
	Name, Type string
	Whole      []int64
	Number     []float64
	Text       []string
	Null       []bool
}

// Absent reports whether a row has no value.
func (c *Column) Absent(row int) bool { return c.Null != nil && c.Null[row] }

// Kind is which of a column's lists hold its values.
type Kind uint8

// The kinds.
const (
	Whole Kind = iota
	Number
	Text
)

// Holds says where the values are.
func (c *Column) Holds() Kind {
	switch {
	case strings.Contains(c.Type, "String"), c.Type == UserSet:
		return Text
	case strings.Contains(c.Type, "Float"):
		return Number
	}
	return Whole
}

// Truth reports whether the values are truth values.
func (c *Column) Truth() bool { return c.Type == "Bool" || c.Type == "Nullable(Bool)" }

// maxColumns bounds what a block's head may say.
const maxColumns = 4096

// decoder reads blocks in the Native format. What it holds is charged before.
type decoder struct {
	ctx   context.Context // of one answer
	in    *bufio.Reader
	most  int64 // bytes of a block
	claim Claim

	block   Block
	first   bool // no block was read yet
	charged int64
	held    int64 // bytes of the present block
	tail    *tail
}

func newDecoder(ctx context.Context, in io.Reader, most int64, claim Claim) *decoder {
	t := &tail{in: in}
	return &decoder{ctx: ctx, in: bufio.NewReaderSize(t, 64<<10), tail: t, most: most, claim: claim, first: true}
}

// tail keeps the end of what was read: that is where a server says why it failed midway.
type tail struct {
	in   io.Reader
	last []byte
}

// Read implements io.Reader.
func (t *tail) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	t.last = append(t.last, p[:n]...)
	if extra := len(t.last) - exceptionBytes; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return n, err
}

// chargeStep is how much is charged at least.
const chargeStep = 64 << 10

// hold charges n bytes more of the block.
func (d *decoder) hold(n int64) error {
	if n < 0 || n > d.most-d.held {
		return fault.Newf(fault.TooLarge, "clickhouse.too_large", "a part of ClickHouse's response has more than %d bytes", d.most)
	}
	d.held += n
	if d.held <= d.charged {
		return nil
	}
	step := max(d.held-d.charged, chargeStep)
	if err := d.claim.Grow(d.ctx, step); err != nil {
		return err
	}
	d.charged += step
	return nil
}

// because returns what a block's error means: a server that fails midway writes why where the next part of the answer would stand.
func (d *decoder) because(err error) error {
	if fault.CodeOf(err) == "clickhouse.too_large" || d.ctx.Err() != nil {
		return err
	}
	if _, bad := errors.AsType[formError](err); !bad && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreachable(err)
	}
	_, _ = io.CopyN(io.Discard, d.in, maxRest) // what there is of it
	if e := midway(d.tail.last); e != nil {
		return e
	}
	return garbled(err)
}

// maxRest bounds how far the end of an answer is looked for.
const maxRest = 16 << 20

// formError says that an answer is not in the format.
type formError struct{ error }

func malformed(format string, args ...any) error { return formError{fmt.Errorf(format, args...)} }

// next reads a block that has rows, which is valid until the next call. Errors: io.EOF at the end of the answer.
func (d *decoder) next() (*Block, error) {
	for {
		d.held = 0
		if _, err := d.in.Peek(1); err != nil {
			return nil, err
		}
		if err := d.read(); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if d.block.Rows > 0 {
			return &d.block, nil
		}
	}
}

func (d *decoder) read() error {
	columns, err := d.uvarint(maxColumns)
	if err != nil {
		return err
	}
	rows, err := d.uvarint(math.MaxInt32)
	if err != nil {
		return err
	}
	if !d.first && columns != len(d.block.Columns) {
		return malformed("%d columns after %d", columns, len(d.block.Columns))
	}
	if d.first {
		d.block.Columns = make([]Column, columns)
	}
	d.block.Rows = rows
	for i := range d.block.Columns {
		c := &d.block.Columns[i]
		name, err := d.name()
		if err != nil {
			return err
		}
		typ, err := d.name()
		if err != nil {
			return err
		}
		if !d.first && (name != c.Name || typ != c.Type) {
			return malformed("a column %d of another name or type", i)
		}
		c.Name, c.Type = name, typ
		if rows == 0 {
			continue
		}
		if err := d.column(c, rows); err != nil {
			return err
		}
	}
	d.first = false
	return nil
}

// uvarint reads a number that is not greater than most.
func (d *decoder) uvarint(most uint64) (int, error) {
	n, err := binary.ReadUvarint(d.in)
	if err != nil {
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && strings.Contains(err.Error(), "overflow") {
			return 0, malformed("a number of more than 64 bits")
		}
		return 0, err
	}
	if n > most {
		return 0, malformed("a number %d that is greater than %d", n, most)
	}
	return int(n), nil // bounded
}

// name reads the name or type of a column.
func (d *decoder) name() (string, error) {
	n, err := d.uvarint(math.MaxInt32)
	if err != nil {
		return "", err
	}
	if n > textPiece { // an expression without a name is named by its text
		return d.long(n)
	}
	if err := d.hold(int64(n)); err != nil {
		return "", err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(d.in, b)
	return string(b), err
}

// column reads the values of a column.
func (d *decoder) column(c *Column, rows int) error {
	switch c.Type {
	case "LowCardinality(String)", "LowCardinality(Nullable(String))":
		return d.dictionary(c, rows)
	}
	inner, nullable := strings.CutPrefix(c.Type, "Nullable(")
	if nullable {
		inner = strings.TrimSuffix(inner, ")")
	}
	k, width, ok := kindOf(inner)
	if !ok {
		return malformed("a column of type %s", c.Type)
	}
	c.Null = nil
	if nullable {
		if err := d.nulls(c, rows); err != nil {
			return err
		}
	}
	var err error
	switch k {
	case kindText:
		err = d.texts(c, rows)
	case kindUserSet:
		err = d.userSets(c, rows)
	case kindFloat:
		err = d.floats(c, rows, width)
	default:
		err = d.wholes(c, rows, k, width)
	}
	if err != nil {
		return err
	}
	for i, null := range c.Null { // what stands there is left over
		switch {
		case !null:
		case k == kindText:
			c.Text[i] = ""
		case k == kindFloat:
			c.Number[i] = 0
		default:
			c.Whole[i] = 0
		}
	}
	return nil
}

func (d *decoder) nulls(c *Column, rows int) error {
	if err := d.hold(int64(rows)); err != nil {
		return err
	}
	c.Null = make([]bool, rows)
	return d.fixed(rows, 1, func(at int, b []byte) {
		for i, v := range b {
			c.Null[at+i] = v != 0
		}
	})
}

// fixed reads values of a width, some at a time.
func (d *decoder) fixed(rows, width int, fn func(at int, b []byte)) error {
	var buf [8 << 10]byte
	for at := 0; at < rows; {
		n := min(rows-at, len(buf)/width)
		if _, err := io.ReadFull(d.in, buf[:n*width]); err != nil {
			return err
		}
		fn(at, buf[:n*width])
		at += n
	}
	return nil
}

// resized returns a slice of n elements, a new one where the old one is too short.
func resized[V any](s []V, n int) []V {
	if cap(s) < n {
		return make([]V, n)
	}
	return s[:n]
}

func (d *decoder) wholes(c *Column, rows int, k kind, width int) error {
	if err := d.hold(int64(rows) * 8); err != nil {
		return err
	}
	c.Whole = resized(c.Whole, rows)
	return d.fixed(rows, width, func(at int, b []byte) {
		out := c.Whole[at : at+len(b)/width]
		for i := range out {
			var v uint64
			switch v8 := b[i*width:]; width {
			case 1:
				v = uint64(v8[0])
			case 2:
				v = uint64(binary.LittleEndian.Uint16(v8))
			case 4:
				v = uint64(binary.LittleEndian.Uint32(v8))
			default:
				v = binary.LittleEndian.Uint64(v8)
			}
			if shift := 64 - 8*width; k == kindInt {
				out[i] = int64(v<<shift) >> shift // the bits of a signed number
			} else {
				out[i] = int64(v) // greater ones keep their bits
			}
		}
	})
}

func (d *decoder) floats(c *Column, rows, width int) error {
	if err := d.hold(int64(rows) * 8); err != nil {
		return err
	}
	c.Number = resized(c.Number, rows)
	return d.fixed(rows, width, func(at int, b []byte) {
		out := c.Number[at : at+len(b)/width]
		for i := range out {
			if width == 4 {
				out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i*4:])))
			} else {
				out[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[i*8:]))
			}
		}
	})
}

// The forms of a set of numbers: few follow one by one, in four bytes each, many as a Roaring bitmap in its portable form.
const (
	setFew     = 0
	setRoaring = 1
)

// userSets reads states of groupBitmap. The text of one has its form in the first byte, and behind it the numbers or the bitmap.
func (d *decoder) userSets(c *Column, rows int) error {
	if err := d.hold(int64(rows) * 16); err != nil {
		return err
	}
	c.Text = resized(c.Text, rows)
	for i := range c.Text {
		form, err := d.in.ReadByte()
		if err != nil {
			return err
		}
		most, width := uint64(math.MaxInt32), 1
		switch form {
		case setFew:
			most, width = MaxFew, 4
		case setRoaring:
		default:
			return malformed("a set of numbers of form %d", form)
		}
		n, err := d.uvarint(most)
		if err != nil {
			return err
		}
		text, err := d.long(n * width)
		if err != nil {
			return err
		}
		c.Text[i] = string([]byte{form}) + text
	}
	return nil
}

// textPiece is how much of a long text is read at a time: its length is only what the server says.
const textPiece = 64 << 10

func (d *decoder) texts(c *Column, rows int) error {
	if err := d.hold(int64(rows) * 16); err != nil {
		return err
	}
	c.Text = resized(c.Text, rows)
	return d.fill(c.Text)
}

// fill reads texts. Their headers are charged.
func (d *decoder) fill(out []string) error {
	var buf []byte
	for i := range out {
		n, err := d.uvarint(math.MaxInt32)
		if err != nil {
			return err
		}
		if n <= textPiece {
			if err := d.hold(int64(n)); err != nil {
				return err
			}
			if cap(buf) < n {
				buf = make([]byte, max(n, 256))
			}
			if _, err := io.ReadFull(d.in, buf[:n]); err != nil {
				return err
			}
			out[i] = string(buf[:n])
			continue
		}
		if out[i], err = d.long(n); err != nil {
			return err
		}
	}
	return nil
}

// long reads a long text, which grows as it comes.
func (d *decoder) long(n int) (string, error) {
	var b strings.Builder
	piece := make([]byte, min(n, textPiece))
	for left := n; left > 0; {
		k := min(left, textPiece)
		if err := d.hold(2 * int64(k)); err != nil { // growing copies
			return "", err
		}
		if _, err := io.ReadFull(d.in, piece[:k]); err != nil {
			return "", err
		}
		b.Write(piece[:k])
		left -= k
	}
	return b.String(), nil
}

// What the head of a dictionary's column says: the version of the form, and in the low byte of the flags the width of places.
const (
	dictionaryVersion = 1
	dictionaryOwn     = 1 << 9 // the keys follow
	dictionaryShared  = 1 << 8 // they do not
)

// dictionary reads a column of few different texts: these, and for each row the place of its own among them. Where texts may be absent the first
// stands for that.
func (d *decoder) dictionary(c *Column, rows int) error {
	var head [3]uint64
	if err := binary.Read(d.in, binary.LittleEndian, &head); err != nil {
		return err
	}
	width := 1 << (head[1] & 0xff)
	if head[0] != dictionaryVersion || head[1]&dictionaryOwn == 0 || head[1]&dictionaryShared != 0 || width > 8 || head[2] > math.MaxInt32 {
		return malformed("a dictionary of version %d with flags %x and %d keys", head[0], head[1], head[2])
	}
	if err := d.hold((int64(head[2]) + int64(rows)) * 17); err != nil { // bounded
		return err
	}
	keys := make([]string, head[2])
	if err := d.fill(keys); err != nil {
		return err
	}
	var n uint64
	if err := binary.Read(d.in, binary.LittleEndian, &n); err != nil {
		return err
	}
	if n != uint64(rows) { // never negative
		return malformed("%d places of %d rows", n, rows)
	}
	c.Text, c.Null = resized(c.Text, rows), nil
	if c.Type == "LowCardinality(Nullable(String))" {
		c.Null = make([]bool, rows)
	}
	beyond := false
	err := d.fixed(rows, width, func(at int, b []byte) {
		for i := range len(b) / width {
			var place uint64
			for j := width - 1; j >= 0; j-- {
				place = place<<8 | uint64(b[i*width+j])
			}
			switch {
			case place >= uint64(len(keys)):
				beyond = true
			case c.Null != nil && place == 0:
				c.Text[at+i], c.Null[at+i] = "", true
			default:
				c.Text[at+i] = keys[place]
			}
		}
	})
	if err == nil && beyond {
		err = malformed("a place behind the %d keys of a dictionary", len(keys))
	}
	return err
}
