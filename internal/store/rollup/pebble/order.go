package pebble

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	"quipu/internal/turn"
)

// keyed is a cell and where its key lies among all keys.
type keyed struct {
	cell     *rollup.Cell
	from, to int
}

// orderer puts the cells of a delta in the order of their keys.
type orderer struct {
	keys   []byte // one after the other
	cells  []keyed
	places []place
}

var orderers = sync.Pool{New: func() any { return &orderer{} }}

// read takes the cells of a delta that are not empty.
func (o *orderer) read(app model.AppID, d rollup.Delta) (err error) {
	o.keys, o.cells, o.places = o.keys[:0], o.cells[:0], o.places[:0]
	var work turn.Counter
	for k, c := range d {
		if c == nil || c.IsZero() {
			continue
		}
		work.Spend(orderWork)
		from := len(o.keys)
		if o.keys, err = appendKey(o.keys, app, k); err != nil {
			return err
		}
		o.places = append(o.places, place{i: len(o.cells)})
		o.cells = append(o.cells, keyed{c, from, len(o.keys)})
	}
	o.order(o.places, appEnd)
	return nil
}

// free gives the memory back for the next delta.
func (o *orderer) free() {
	clear(o.cells) // they are the caller's
	orderers.Put(o)
}

func (o *orderer) key(p place) []byte {
	c := &o.cells[p.i]
	return o.keys[c.from:c.to]
}

// place stands for cells[i] while they are put in order.
type place struct {
	head uint64 // of what is compared of the key
	i    int
}

const (
	fewCells = 12 // from here down whole keys are compared
	deepKey  = 64 // and from here on
)

// order sorts places by the keys of their cells, whose first bytes, at of them, are the same. It compares eight
// bytes at a time, because neighbours share most of their keys: comparing whole keys takes three times as long.
func (o *orderer) order(places []place, at int) {
	if len(places) <= fewCells || at >= deepKey {
		slices.SortFunc(places, func(a, b place) int { return bytes.Compare(o.key(a), o.key(b)) })
		return
	}
	for i := range places {
		places[i].head = head(o.key(places[i]), at)
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.head, b.head) })
	for from, to := 0, 1; from < len(places); from, to = to, to+1 {
		for to < len(places) && places[to].head == places[from].head {
			to++
		}
		if to-from > 1 {
			o.order(places[from:to], at+8)
		}
	}
}

// head returns the bytes of a key at a position as a number, with zeros for those beyond its end.
func head(key []byte, at int) uint64 {
	if at+8 <= len(key) {
		return binary.BigEndian.Uint64(key[at:])
	}
	var b [8]byte
	if at < len(key) {
		copy(b[:], key[at:])
	}
	return binary.BigEndian.Uint64(b[:])
}
