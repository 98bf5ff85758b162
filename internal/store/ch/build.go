package ch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// Builder gathers rows by column, as a block of the Native format has them. A row is added with one value for each column, then
// End. It is for one goroutine.
type Builder struct {
	columns []building
	rows    int
}

// UserSet is the type of a column of sets of numbers, whose values are states of ClickHouse's groupBitmap. In a Block they are texts.
const UserSet = "AggregateFunction(groupBitmap, UInt32)"

// MaxFew is how many numbers a set has at most that is no bitmap.
const MaxFew = 32

// Spec is a column of a Builder. Type is Int64, UInt64, UInt8, Bool, Float64 or String, or one of these as Nullable(T), or UserSet.
type Spec struct{ Name, Type string }

// building is a column that is gathered.
type building struct {
	Spec
	kind     kind
	nullable bool
	nulls    []byte
	data     []byte
}

// kind is how the values of a column are encoded.
type kind uint8

const (
	kindInt kind = iota + 1
	kindUint
	kindFloat
	kindBool
	kindText
	kindNothing
	kindUserSet
)

// kindOf returns the kind and the width, in bytes, of the values of a type that is not Nullable.
func kindOf(typ string) (k kind, width int, ok bool) {
	switch typ {
	case "Int8":
		return kindInt, 1, true
	case "Int16":
		return kindInt, 2, true
	case "Int32":
		return kindInt, 4, true
	case "Int64":
		return kindInt, 8, true
	case "UInt8":
		return kindUint, 1, true
	case "UInt16":
		return kindUint, 2, true
	case "UInt32":
		return kindUint, 4, true
	case "UInt64":
		return kindUint, 8, true
	case "Float32":
		return kindFloat, 4, true
	case "Float64":
		return kindFloat, 8, true
	case "Bool":
		return kindBool, 1, true
	case "String":
		return kindText, 0, true
	case "Nothing":
		return kindNothing, 1, true
	case UserSet:
		return kindUserSet, 0, true
	}
	return 0, 0, false
}

// NewBuilder returns a builder of columns. It panics on a type that it does not know, which is a bug.
func NewBuilder(specs []Spec) *Builder {
	b := &Builder{columns: make([]building, len(specs))}
	for i, s := range specs {
		inner, nullable := strings.CutPrefix(s.Type, "Nullable(")
		if nullable {
			inner = strings.TrimSuffix(inner, ")")
		}
		k, width, ok := kindOf(inner)
		if !ok || width != 8 && width != 1 && width != 0 {
			panic(fmt.Sprintf("clickhouse: a column of type %s", s.Type))
		}
		b.columns[i] = building{Spec: s, kind: k, nullable: nullable}
	}
	return b
}

// Rows is how many rows were ended.
func (b *Builder) Rows() int { return b.rows }

// Reset empties the builder.
func (b *Builder) Reset() {
	b.rows = 0
	for i := range b.columns {
		c := &b.columns[i]
		c.nulls, c.data = c.nulls[:0], c.data[:0]
	}
}

// Names lists the columns for a statement: "(a, b)".
func (b *Builder) Names() string {
	var out strings.Builder
	for i := range b.columns {
		out.WriteString(map[bool]string{true: "(", false: ", "}[i == 0])
		out.WriteString("`" + b.columns[i].Name + "`")
	}
	return out.String() + ")"
}

// End ends a row.
func (b *Builder) End() { b.rows++ }

// Null adds an absent value to a column that may have them.
func (b *Builder) Null(column int) {
	c := &b.columns[column]
	c.nulls = append(c.nulls, 1)
	switch c.kind {
	case kindText, kindBool:
		c.data = append(c.data, 0)
	default:
		c.data = append(c.data, 0, 0, 0, 0, 0, 0, 0, 0)
	}
}

// has says that a value follows.
func (b *Builder) has(column int) *building {
	c := &b.columns[column]
	if c.nullable {
		c.nulls = append(c.nulls, 0)
	}
	return c
}

// Whole adds a number to a column of Int64 or UInt64, or a truth value or small number to one of Bool or UInt8.
func (b *Builder) Whole(column int, v uint64) {
	c := b.has(column)
	if c.kind == kindBool || c.Type == "UInt8" {
		c.data = append(c.data, byte(v))
		return
	}
	c.data = binary.LittleEndian.AppendUint64(c.data, v)
}

// Number adds a number to a column of Float64.
func (b *Builder) Number(column int, v float64) {
	c := b.has(column)
	c.data = binary.LittleEndian.AppendUint64(c.data, math.Float64bits(v))
}

// Text adds a text to a column of String.
func (b *Builder) Text(column int, v string) {
	c := b.has(column)
	c.data = append(binary.AppendUvarint(c.data, uint64(len(v))), v...)
}

// UserSet adds a set to a column of UserSet: its numbers, ascending, when they are no more than MaxFew, otherwise as a Roaring bitmap in its portable form.
func (b *Builder) UserSet(column int, few []uint32, portable []byte) {
	c := b.has(column)
	if len(portable) > 0 {
		c.data = append(c.data, setRoaring)
		c.data = append(binary.AppendUvarint(c.data, uint64(len(portable))), portable...)
		return
	}
	c.data = binary.AppendUvarint(append(c.data, setFew), uint64(len(few)))
	for _, n := range few {
		c.data = binary.LittleEndian.AppendUint32(c.data, n)
	}
}

// head is what stands before the values of a column.
func (c *building) head() []byte {
	var h []byte
	for _, s := range []string{c.Name, c.Type} {
		h = append(binary.AppendUvarint(h, uint64(len(s))), s...)
	}
	return h
}

// parts are the pieces of the block in their order.
func (b *Builder) parts() [][]byte {
	out := [][]byte{binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(b.columns))), uint64(b.rows))} // never negative
	for i := range b.columns {
		c := &b.columns[i]
		out = append(out, c.head(), c.nulls, c.data)
	}
	return out
}

// reader reads the block, without copying it.
func (b *Builder) reader() io.Reader {
	var list []io.Reader
	for _, p := range b.parts() {
		list = append(list, bytes.NewReader(p))
	}
	return io.MultiReader(list...)
}

// encoded is how many bytes the block has.
func (b *Builder) encoded() (n int64) {
	for _, p := range b.parts() {
		n += int64(len(p))
	}
	return n
}
