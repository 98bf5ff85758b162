package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"

	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// RunColumns implements events.Reader. Errors: events.ErrMemory, events.ErrReopened, ErrClosed.
func (s *Store) RunColumns(ctx context.Context, q *plan.Query, fn func(*events.Columns) error) error {
	return s.reading(ctx, func(ctx context.Context, one *run, apps places) error {
		statement, args, err := compile(apps, q)
		if err != nil {
			return err
		}
		if _, ok := apps[q.App]; !ok {
			return events.ErrNoApp
		}
		return s.onReader(ctx, func(conn *sql.Conn) error {
			read := func(returned *int64) error {
				return eachChunk(ctx, conn, statement, args, func(c *events.Columns) error {
					if err := s.runs.deliver(one); err != nil {
						return err
					}
					*returned += int64(c.Len)
					return fn(c)
				})
			}
			if t := plan.TraceOf(ctx); t != nil {
				return tracing(ctx, conn, t, plan.Statement{Plan: q.String(), SQL: statement, Args: args}, read)
			}
			return read(new(int64))
		})
	})
}

// eachChunk runs a statement and calls fn for each chunk of its result. The values are copied out of DuckDB's vectors a
// column at a time, where the driver would box each of them.
func eachChunk(ctx context.Context, conn *sql.Conn, statement string, args []any, fn func(*events.Columns) error) error {
	return conn.Raw(func(c any) (err error) {
		own, ok := c.(*duckdb.Conn)
		if !ok {
			return fmt.Errorf("a connection of type %T", c)
		}
		err = streamed(ctx, own, statement, args, fn)
		if lost(ctx, err) {
			err = reasonOf(ctx, own, statement, args, err)
		}
		return err
	})
}

// resultOf returns DuckDB's result of the driver's rows, which the rows own. As with handleOf, the driver keeps it to itself.
func resultOf(rows driver.Rows) (*mapping.Result, error) {
	v := reflect.ValueOf(rows)
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if f := v.Elem().FieldByName("res"); f.IsValid() && f.CanAddr() && f.Type() == reflect.TypeFor[mapping.Result]() {
			return (*mapping.Result)(f.Addr().UnsafePointer()), nil
		}
	}
	return nil, errors.New("the driver's rows have no known result")
}

// copyChunk adds a chunk of a result to columns.
func (s *stream) copyChunk(out *events.Columns, c mapping.DataChunk) error {
	n := int(mapping.DataChunkGetSize(c)) // at most chunkRows
	if s.types == nil {
		for i := range mapping.DataChunkGetColumnCount(c) {
			s.types = append(s.types, mapping.ColumnType(&s.res, i))
		}
		s.seen = make([]seen, len(s.types))
	}
	if len(out.List) != len(s.types) {
		out.List = make([]events.Column, len(s.types))
	}
	for i := range out.List {
		v := mapping.DataChunkGetVector(c, mapping.IdxT(i))
		if err := copyVector(&out.List[i], v, s.types[i], out.Len, n, &s.seen[i]); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	out.Len += n
	return nil
}

// copyVector adds the n values of a vector to a column that has some.
func copyVector(out *events.Column, v mapping.Vector, typ mapping.Type, has, n int, known *seen) error {
	nulls(out, v, has, n)
	data := mapping.VectorGetData(v)
	switch typ {
	case mapping.TypeVarchar:
		out.Text = extended(out.Text, has, n)
		copyTexts(out, data, has, n, known)
		return nil
	case mapping.TypeDouble:
		out.Number = extended(out.Number, has, n)
		copy(out.Number[has:], unsafe.Slice((*float64)(data), n))
		absent(out.Number[has:], out, has)
		return nil
	default:
	}
	out.Whole = extended(out.Whole, has, n)
	whole := out.Whole[has:]
	switch typ {
	case mapping.TypeBoolean:
		for i, b := range unsafe.Slice((*bool)(data), n) {
			whole[i] = 0
			if b {
				whole[i] = 1
			}
		}
	case mapping.TypeTinyInt:
		widen[int8](whole, data)
	case mapping.TypeUTinyInt:
		widen[uint8](whole, data)
	case mapping.TypeSmallInt:
		widen[int16](whole, data)
	case mapping.TypeUSmallInt:
		widen[uint16](whole, data)
	case mapping.TypeInteger:
		widen[int32](whole, data)
	case mapping.TypeUInteger:
		widen[uint32](whole, data)
	case mapping.TypeBigInt:
		widen[int64](whole, data)
	case mapping.TypeUBigInt:
		widen[uint64](whole, data)
	default:
		return fmt.Errorf("no number or text, but type %d", typ)
	}
	absent(whole, out, has)
	return nil
}

// absent clears the values behind has that are NULL: what a vector holds there is left over.
func absent[V int64 | float64](values []V, out *events.Column, has int) {
	if out.Null == nil {
		return
	}
	for i, null := range out.Null[has:] {
		if null {
			values[i] = 0
		}
	}
}

// extended is s with room for n values behind those that it has.
func extended[V any](s []V, has, n int) []V { return slices.Grow(s[:has], n)[:has+n] }

func widen[V int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64](out []int64, data unsafe.Pointer) {
	for i, x := range unsafe.Slice((*V)(data), len(out)) {
		out[i] = int64(x) // offsets are far below 2^63
	}
}

// nulls says which values of a vector are absent.
func nulls(out *events.Column, v mapping.Vector, has, n int) {
	if has == 0 {
		out.Null = nil
	}
	valid := mapping.VectorGetValidity(v)
	if valid == nil && out.Null == nil {
		return
	}
	if out.Null == nil {
		out.Null = make([]bool, has, has+n)
	}
	out.Null = append(out.Null, make([]bool, n)...)
	if valid == nil {
		return
	}
	words := unsafe.Slice((*uint64)(valid), (n+63)/64)
	for i := range n {
		out.Null[has+i] = words[i/64]>>(i%64)&1 == 0
	}
}

// seen are some of the texts that a column had, by a number that is made of each. Columns have few different ones as a rule, so most texts need no memory
// of their own.
type seen [512]string

// longest is the length of a text beyond which it is not looked for among those seen.
const longest = 64

// of returns a text that lies in DuckDB's memory as one of Go's.
func (s *seen) of(text string) string {
	if len(text) > longest {
		return strings.Clone(text)
	}
	hash := uint32(len(text))
	for i := range len(text) {
		hash = hash*31 + uint32(text[i])
	}
	at := &s[hash%uint32(len(s))]
	if *at != text {
		*at = strings.Clone(text)
	}
	return *at
}

// copyTexts copies the n texts of a vector, which are words.
func copyTexts(out *events.Column, data unsafe.Pointer, has, n int, known *seen) {
	words, texts := unsafe.Slice((*word)(data), n), out.Text[has:]
	for i := range words {
		w := &words[i]
		switch {
		case out.Null != nil && out.Null[has+i]:
			texts[i] = ""
		case w.length <= inlineBytes:
			texts[i] = known.of(unsafe.String(&w.inline[0], w.length))
		default: // the address stands behind the length and the first four bytes
			at := *(**byte)(unsafe.Add(data, uintptr(i)*unsafe.Sizeof(word{})+8))
			texts[i] = known.of(unsafe.String(at, w.length))
		}
	}
}
