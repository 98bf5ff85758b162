package profile

import (
	"encoding/binary"
	"sync"

	"quipu/internal/model"
)

// printFilter tells of most fingerprints that they are not stored, without
// asking the disk: nearly all requests are sent once, so nearly all look-ups find
// nothing. It is a Bloom filter a day, filled as fingerprints are remembered. Of
// days that had fingerprints when the store was opened it knows nothing.
// It is safe for concurrent use.
type printFilter struct {
	mu      sync.Mutex
	unknown map[uint16]bool
	days    map[uint16]*dayFilter
	words   int // of all days
}

const (
	blockWords    = 8       // of 64 bits: one cache line
	bitsOfPrint   = 12      // of the filter, for each fingerprint
	probes        = 6       // bits set for each
	firstLayer    = 1 << 15 // fingerprints; each further layer takes twice as many
	maxPrintWords = 2 << 20 // 16 MiB; what does not fit is asked of the disk
)

// dayFilter is the filter of a day. It grows by layers.
type dayFilter struct {
	layers [][]uint64
	room   int // fingerprints that fit into the last layer
}

func newPrintFilter(unknown []uint16) *printFilter {
	f := &printFilter{unknown: map[uint16]bool{}, days: map[uint16]*dayFilter{}}
	for _, day := range unknown {
		f.unknown[day] = true
	}
	return f
}

// hashes returns what places a fingerprint, which is a hash itself, in a filter.
func hashes(app model.AppID, p Fingerprint) (block, bits uint64) {
	block = binary.LittleEndian.Uint64(p[:]) ^ binary.LittleEndian.Uint64(app[:])
	bits = binary.LittleEndian.Uint64(p[8:]) ^ uint64(binary.LittleEndian.Uint32(app[8:]))*0x9e3779b97f4a7c15
	return block, bits
}

// add notes a fingerprint.
func (f *printFilter) add(day uint16, app model.AppID, p Fingerprint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unknown[day] {
		return
	}
	d := f.days[day]
	if d == nil {
		d = &dayFilter{}
		f.days[day] = d
	}
	if d.room == 0 {
		prints := firstLayer << len(d.layers)
		words := prints * bitsOfPrint / 64
		if f.words+words > maxPrintWords {
			f.drop(day)
			f.unknown[day] = true
			return
		}
		f.words += words
		d.layers, d.room = append(d.layers, make([]uint64, words)), prints
	}
	d.room--
	block, bits := hashes(app, p)
	layer := d.layers[len(d.layers)-1]
	at := block % uint64(len(layer)/blockWords) * blockWords
	for range probes {
		layer[at+bits>>6&(blockWords-1)] |= 1 << (bits & 63)
		bits >>= 9
	}
}

// absent reports that a fingerprint is certainly not remembered for a day.
func (f *printFilter) absent(day uint16, app model.AppID, p Fingerprint) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unknown[day] {
		return false
	}
	d := f.days[day]
	if d == nil {
		return true
	}
	block, bits := hashes(app, p)
	for _, layer := range d.layers {
		if holds(layer[block%uint64(len(layer)/blockWords)*blockWords:], bits) {
			return false
		}
	}
	return true
}

func holds(block []uint64, bits uint64) bool {
	for range probes {
		if block[bits>>6&(blockWords-1)]&(1<<(bits&63)) == 0 {
			return false
		}
		bits >>= 9
	}
	return true
}

func (f *printFilter) drop(day uint16) {
	if d := f.days[day]; d != nil {
		for _, layer := range d.layers {
			f.words -= len(layer)
		}
		delete(f.days, day)
	}
}

// forget drops the days before one, whose fingerprints are removed.
func (f *printFilter) forget(before uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for day := range f.days {
		if day < before {
			f.drop(day)
		}
	}
	for day := range f.unknown {
		if day < before {
			delete(f.unknown, day)
		}
	}
}
