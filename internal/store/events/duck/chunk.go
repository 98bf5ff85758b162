package duck

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unicode/utf8"
	"unsafe"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"

	"quipu/internal/store/events"
)

// This file is all that touches DuckDB's memory: values are written straight
// into the vectors of a data chunk, where the driver would box each one and call C for it.

// chunkRows is the number of rows of a data chunk, which DuckDB is built for.
const chunkRows = 2048

// chunk is a data chunk of DuckDB with the columns of an appender.
type chunk struct {
	handle  mapping.DataChunk
	vectors []vector
	texts   texts
}

// newChunk makes a chunk of columns of SQL types. It must be closed.
func newChunk(types []string) (*chunk, error) {
	if n := mapping.VectorSize(); n < chunkRows {
		return nil, fmt.Errorf("vectors of DuckDB hold %d values, want %d", n, chunkRows)
	}
	logical := make([]mapping.LogicalType, 0, len(types))
	defer func() {
		for i := range logical {
			mapping.DestroyLogicalType(&logical[i])
		}
	}()
	for _, name := range types {
		typ, ok := sqlTypes[name]
		if !ok {
			return nil, fmt.Errorf("no vector for values of type %s", name)
		}
		logical = append(logical, mapping.CreateLogicalType(typ))
	}
	c := &chunk{handle: mapping.CreateDataChunk(logical), vectors: make([]vector, len(types))}
	if c.handle.Ptr == nil {
		return nil, errors.New("DuckDB gives no data chunk")
	}
	return c, nil
}

// close frees the chunk.
func (c *chunk) close() {
	mapping.DestroyDataChunk(&c.handle)
	c.texts.free()
}

// reset empties the chunk. What the vectors pointed to is no longer needed.
func (c *chunk) reset() {
	mapping.DataChunkReset(c.handle)
	c.texts.reset()
	for i := range c.vectors {
		v := mapping.DataChunkGetVector(c.handle, mapping.IdxT(i))
		c.vectors[i] = vector{handle: v, data: mapping.VectorGetData(v), texts: &c.texts}
	}
}

// appendTo gives the chunk's first n rows to an appender, which copies them.
func (c *chunk) appendTo(a mapping.Appender, n int) error {
	mapping.DataChunkSetSize(c.handle, mapping.IdxT(n)) // at most chunkRows
	if mapping.AppendDataChunk(a, c.handle) != mapping.StateError {
		return nil
	}
	e := mapping.AppenderErrorData(a)
	defer mapping.DestroyErrorData(&e)
	return &duckdb.Error{Type: duckdb.ErrorType(mapping.ErrorDataErrorType(e)), Msg: mapping.ErrorDataMessage(e)}
}

// handleOf returns DuckDB's handle of an appender. The driver keeps it to
// itself, so it is found by the names of its fields; another driver that has none
// of these gives an error.
func handleOf(a *duckdb.Appender) (mapping.Appender, error) {
	f := reflect.ValueOf(a).Elem().FieldByName("appender")
	if f.IsValid() && f.Type() == reflect.TypeFor[mapping.Appender]() {
		if p := f.FieldByName("Ptr"); p.IsValid() && p.Kind() == reflect.UnsafePointer && !p.IsNil() {
			return mapping.Appender{Ptr: p.UnsafePointer()}, nil
		}
	}
	return mapping.Appender{}, errors.New("the driver's appender has no known handle")
}

// sqlTypes are the types of our columns. The size of a Go value written with
// put must be that of the type.
var sqlTypes = map[string]mapping.Type{
	"BOOLEAN": mapping.TypeBoolean, "TINYINT": mapping.TypeTinyInt, "USMALLINT": mapping.TypeUSmallInt, "UINTEGER": mapping.TypeUInteger,
	"UBIGINT": mapping.TypeUBigInt, "BIGINT": mapping.TypeBigInt, "DOUBLE": mapping.TypeDouble, "VARCHAR": mapping.TypeVarchar,
}

// vector is a column of a chunk.
type vector struct {
	handle mapping.Vector
	data   unsafe.Pointer // chunkRows values
	valid  []uint64       // a bit for each value, 0 is NULL; nil while none is
	texts  *texts
}

// values is the memory of a vector. V must have the size of the column's type.
func values[V bool | int8 | uint16 | uint32 | uint64 | int64 | float64 | word](v *vector) []V {
	return unsafe.Slice((*V)(v.data), chunkRows)
}

// null makes a value NULL.
func (v *vector) null(i int) {
	if v.valid == nil {
		v.haveValidity()
	}
	v.valid[uint(i)/64] &^= 1 << (uint(i) % 64) // at most chunkRows
}

// haveValidity makes the bits of a vector. It stands apart so that null is inlined.
func (v *vector) haveValidity() {
	mapping.VectorEnsureValidityWritable(v.handle)
	v.valid = unsafe.Slice((*uint64)(mapping.VectorGetValidity(v.handle)), chunkRows/64)
}

// word is a text in a vector, duckdb_string_t: its length, and up to 12 bytes
// the text itself and zeros, beyond that its first four bytes and its address.
type word struct {
	length uint32
	inline [inlineBytes]byte
}

// inlineBytes is the length of the longest text that needs no memory elsewhere.
const inlineBytes = 12

// put cleans a text and writes it to its place in a vector. A long text is copied.
func (t *texts) put(w *word, s string) {
	if len(s) <= inlineBytes && w.short(s) {
		return
	}
	s = events.CleanText(s)
	*w = word{length: uint32(len(s))} // no text is that long
	if len(s) <= inlineBytes {
		copy(w.inline[:], s)
		return
	}
	if len(t.rest) < len(s) {
		t.grow(len(s))
	}
	copy(t.rest, s)
	copy(w.inline[:4], s)
	binary.NativeEndian.PutUint64(w.inline[4:], uint64(uintptr(unsafe.Pointer(unsafe.SliceData(t.rest)))))
	t.rest = t.rest[len(s):]
}

// short sets the word to a text of at most inlineBytes; false when it has bytes beyond ASCII. Texts as short as these are copied and checked faster in
// one loop than one after the other.
func (w *word) short(s string) bool {
	*w = word{length: uint32(len(s))} // short
	var all byte
	for i := range min(len(s), len(w.inline)) {
		w.inline[i] = s[i]
		all |= s[i]
	}
	return all < utf8.RuneSelf
}

// texts holds the long texts of a chunk: memory of Go, pinned so that DuckDB
// may have its address.
type texts struct {
	pin   runtime.Pinner
	block []byte // the latest
	rest  []byte // what is left of it
	more  bool   // others are pinned too
}

// textBlock is the size of a block of texts.
const textBlock = 256 << 10

// grow takes another block with room for n bytes. Texts in the ones before stay where they are.
func (t *texts) grow(n int) {
	t.more = t.more || t.block != nil
	t.block = make([]byte, max(n, textBlock))
	t.rest = t.block
	t.pin.Pin(unsafe.SliceData(t.block))
}

// reset forgets all texts.
func (t *texts) reset() {
	if t.more {
		t.free()
	}
	t.rest = t.block
}

// free gives the memory back.
func (t *texts) free() {
	t.pin.Unpin()
	t.block, t.rest, t.more = nil, nil, false
}
