// Package block writes what batches change of cells in a form in which it can wait and travel, where cells lie in another store than the
// state: the state commits a block with its batch, and somebody brings blocks to the cells, in their order. docs/format/blocks.md
// draws the form.
package block

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// ErrDamaged says that bytes are no block.
var ErrDamaged = errors.New("rollup: damaged block of cells")

// Block is what is done with cells, app by app in order; an app may come more than once.
type Block []App

// App is what a block does with the cells of an app, from the top down.
type App struct {
	ID     model.AppID
	Remove []rollup.Removal
	Cells  rollup.Delta
	// Replace are numbers of merged users that are replaced in all cells, old → new.
	Replace map[uint32]uint32
	// Unmerge forgets all merges of the app; Merged are those that came, old → new number, 0 = forgotten. Readers of cells
	// correct bitmaps by them until the numbers are replaced.
	Unmerge bool
	Merged  map[uint32]uint32
}

// Empty reports whether the block does nothing.
func (b Block) Empty() bool {
	return !slices.ContainsFunc(b, func(a App) bool { return len(a.Remove)+len(a.Cells)+len(a.Replace)+len(a.Merged) > 0 || a.Unmerge })
}

// Sending names blocks that are sent together: those of a partition from First to Last. It was stored before they are sent and never
// changes, so a store that is given one again, after a failure, knows it by its name.
type Sending struct {
	Partition   uint16
	First, Last uint64
}

// Store is a store of cells in another place than the state.
type Store interface {
	// Put does what the blocks of a sending say, in their order, once: a sending that it has had changes nothing. Those of a
	// partition come in ascending order.
	Put(ctx context.Context, s Sending, blocks []Block) error
}

const version = 1

// The kinds of removals.
const (
	removeApp byte = iota + 1
	removeSeries
	removeDims
	removeValue
	removeValues
	removeFrom
	removeBefore
	eraseUsers
)

// Append appends the form of a block: the same bytes for the same block, whatever the order of its maps.
func Append(b []byte, block Block) ([]byte, error) {
	w := writer{b: append(b, version)}
	w.num(uint64(len(block)))
	for i := range block {
		a := &block[i]
		w.b = append(w.b, a.ID[:]...)
		w.num(uint64(len(a.Remove)))
		for _, r := range a.Remove {
			w.removal(r)
		}
		w.cells(a.Cells)
		w.numbers(a.Replace)
		unmerge := byte(0)
		if a.Unmerge {
			unmerge = 1
		}
		w.b = append(w.b, unmerge)
		w.numbers(a.Merged)
	}
	return w.b, w.err
}

type writer struct {
	b   []byte
	err error
}

func (w *writer) num(n uint64)  { w.b = binary.AppendUvarint(w.b, n) }
func (w *writer) text(s string) { w.num(uint64(len(s))); w.b = append(w.b, s...) }

func (w *writer) numbers(m map[uint32]uint32) {
	w.num(uint64(len(m)))
	for _, old := range slices.Sorted(maps.Keys(m)) {
		w.num(uint64(old))
		w.num(uint64(m[old]))
	}
}

func (w *writer) series(s rollup.Series) {
	w.b = append(w.b, byte(s.Metric))
	w.text(s.Dim)
}

func (w *writer) buckets(m map[rollup.Grain]rollup.Bucket) {
	w.num(uint64(len(m)))
	for _, g := range slices.Sorted(maps.Keys(m)) {
		w.b = append(w.b, byte(g))
		w.num(uint64(m[g]))
	}
}

func (w *writer) removal(r rollup.Removal) {
	switch r := r.(type) {
	case rollup.RemoveApp:
		w.b = append(w.b, removeApp)
	case rollup.RemoveSeries:
		w.b = append(w.b, removeSeries)
		w.series(r.Series)
	case rollup.RemoveDims:
		w.b = append(w.b, removeDims, byte(r.Metric))
		w.text(r.Prefix)
	case rollup.RemoveValue:
		w.b = append(w.b, removeValue)
		w.series(r.Series)
		w.text(r.Value)
	case rollup.RemoveValues:
		w.b = append(w.b, removeValues, byte(r.Metric))
		w.num(uint64(len(r.Values)))
		for _, v := range r.Values {
			w.text(v)
		}
	case rollup.RemoveFrom:
		w.b = append(w.b, removeFrom, byte(r.Metric))
		w.buckets(r.From)
	case rollup.RemoveBefore:
		w.b = append(w.b, removeBefore, byte(r.Metric))
		w.buckets(r.Before)
	case rollup.EraseUsers:
		w.b = append(w.b, eraseUsers)
		w.num(uint64(len(r.UIDs)))
		for _, uid := range r.UIDs {
			w.num(uint64(uid))
		}
	default:
		w.err = cmp.Or(w.err, fmt.Errorf("rollup: unknown removal %T", r))
	}
}

// byKey is the order of cells: by series, grain, bucket, value.
func byKey(a, b rollup.Key) int {
	return cmp.Or(cmp.Compare(a.Series.Metric, b.Series.Metric), strings.Compare(a.Series.Dim, b.Series.Dim), cmp.Compare(a.Grain, b.Grain),
		cmp.Compare(a.Bucket, b.Bucket), strings.Compare(a.Value, b.Value))
}

func (w *writer) cells(d rollup.Delta) {
	keys := make([]rollup.Key, 0, len(d))
	for k, c := range d {
		if c != nil && !c.IsZero() {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, byKey)
	w.num(uint64(len(keys)))
	var last rollup.Series
	for i, k := range keys {
		if i == 0 || k.Series != last {
			w.b = append(w.b, 1)
			w.series(k.Series)
			last = k.Series
		} else {
			w.b = append(w.b, 0)
		}
		w.b = append(w.b, byte(k.Grain))
		w.num(uint64(k.Bucket))
		w.text(k.Value)
		w.cell(d[k])
	}
}

func (w *writer) cell(c *rollup.Cell) {
	w.num(c.First)
	for _, n := range [...]int64{c.Count, c.New, c.Requests} {
		w.b = binary.AppendVarint(w.b, n)
	}
	w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(c.Sum))
	w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(c.Dur))
	w.b = append(w.b, c.Flags)
	if c.Users == nil || c.Users.IsEmpty() {
		w.num(0)
		return
	}
	w.num(c.Users.GetSerializedSizeInBytes())
	at := bytes.NewBuffer(w.b)
	_, err := c.Users.WriteTo(at)
	w.b, w.err = at.Bytes(), cmp.Or(w.err, err)
}

// Read reads what Append wrote. The block shares nothing with b.
func Read(b []byte) (Block, error) {
	r := reader{b: b}
	if r.byte() != version {
		r.bad = true
	}
	var out Block
	for range r.count(len(model.AppID{})) {
		var a App
		copy(a.ID[:], r.take(len(a.ID)))
		for range r.count(1) {
			a.Remove = append(a.Remove, r.removal())
		}
		a.Cells = r.cells()
		a.Replace = r.numbers()
		a.Unmerge = r.byte() == 1
		a.Merged = r.numbers()
		if r.bad {
			break
		}
		out = append(out, a)
	}
	if r.bad || len(r.b) > 0 {
		return nil, ErrDamaged
	}
	return out, nil
}

// reader reads pieces; after bytes that are none it returns zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) num() uint64 {
	n, used := binary.Uvarint(r.b)
	if r.bad || used <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[used:]
	return n
}

func (r *reader) int() int64 {
	n, used := binary.Varint(r.b)
	if r.bad || used <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[used:]
	return n
}

func (r *reader) uint32() uint32 {
	n := r.num()
	if n > math.MaxUint32 {
		r.bad = true
	}
	return uint32(n) // what is larger is no block
}

// count reads the number of things that take at least so many bytes each.
func (r *reader) count(least int) int {
	n := r.num()
	if n > uint64(len(r.b)/least) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(n) // no more than there are bytes
}

func (r *reader) numbers() (m map[uint32]uint32) {
	for range r.count(2) {
		if m == nil {
			m = map[uint32]uint32{}
		}
		old := r.uint32()
		m[old] = r.uint32()
	}
	return m
}

func (r *reader) text() string { return string(r.take(r.count(1))) }

func (r *reader) series() rollup.Series {
	m := rollup.Metric(r.byte())
	return rollup.Series{Metric: m, Dim: r.text()}
}

func (r *reader) buckets() map[rollup.Grain]rollup.Bucket {
	m := map[rollup.Grain]rollup.Bucket{}
	for range r.count(2) {
		g := rollup.Grain(r.byte())
		m[g] = rollup.Bucket(r.uint32())
	}
	return m
}

func (r *reader) float() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *reader) removal() rollup.Removal {
	switch r.byte() {
	case removeApp:
		return rollup.RemoveApp{}
	case removeSeries:
		return rollup.RemoveSeries{Series: r.series()}
	case removeDims:
		m := rollup.Metric(r.byte())
		return rollup.RemoveDims{Metric: m, Prefix: r.text()}
	case removeValue:
		s := r.series()
		return rollup.RemoveValue{Series: s, Value: r.text()}
	case removeValues:
		v := rollup.RemoveValues{Metric: rollup.Metric(r.byte())}
		for range r.count(1) {
			v.Values = append(v.Values, r.text())
		}
		return v
	case removeFrom:
		m := rollup.Metric(r.byte())
		return rollup.RemoveFrom{Metric: m, From: r.buckets()}
	case removeBefore:
		m := rollup.Metric(r.byte())
		return rollup.RemoveBefore{Metric: m, Before: r.buckets()}
	case eraseUsers:
		var v rollup.EraseUsers
		for range r.count(1) {
			v.UIDs = append(v.UIDs, r.uint32())
		}
		return v
	}
	r.bad = true
	return rollup.RemoveApp{}
}

// leastCell is how many bytes a cell takes at least: whether its series is that of the cell before, grain, bucket, value, cell.
const leastCell = 1 + 1 + 1 + 1 + 4 + 16 + 1 + 1

func (r *reader) cells() rollup.Delta {
	n := r.count(leastCell)
	if n == 0 {
		return nil
	}
	d := make(rollup.Delta, n)
	var s rollup.Series
	for range n {
		switch r.byte() {
		case 1:
			s = r.series()
		case 0:
		default:
			r.bad = true
		}
		g := rollup.Grain(r.byte())
		k := rollup.Key{Series: s, Grain: g, Bucket: rollup.Bucket(r.uint32())}
		k.Value = r.text()
		if d[k] = r.cell(); r.bad {
			return nil
		}
	}
	return d
}

func (r *reader) cell() *rollup.Cell {
	c := &rollup.Cell{First: r.num()}
	for _, n := range [...]*int64{&c.Count, &c.New, &c.Requests} {
		*n = r.int()
	}
	c.Sum = r.float()
	c.Dur = r.float()
	c.Flags = r.byte()
	n := r.count(1)
	if n == 0 {
		return c
	}
	c.Users = roaring.New()
	if used, err := c.Users.ReadFrom(bytes.NewReader(r.take(n))); err != nil || used != int64(n) || c.Users.Validate() != nil {
		r.bad = true
	}
	return c
}
