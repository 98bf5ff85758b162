package shards

import (
	"encoding/binary"
	"sync"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// printFilter knows of most fingerprints that they are not stored, without
// asking the disk: nearly all requests are sent once, so nearly all look-ups find
// nothing. It is a blocked Bloom filter a day (Putze, Sanders, Singler: Cache-, hash- and
// space-efficient Bloom filters), filled as fingerprints are remembered, and with those
// that were stored before by Store.loadPrints. It is safe for concurrent use.
type printFilter struct {
	mu    sync.Mutex
	days  map[uint16]*dayFilter
	words int // of all days
	most  int // words
}

const (
	blockWords  = 8       // of 64 bits: one cache line
	bitsOfPrint = 12      // of the filter, for each fingerprint
	probes      = 6       // bits set for each
	firstLayer  = 1 << 15 // fingerprints; each further layer takes four times as many
	firstWords  = firstLayer * bitsOfPrint / 64

	defaultPrintBytes = 16 << 20
)

// dayFilter is the filter of a day. It grows by layers.
type dayFilter struct {
	layers [][]uint64
	words  int // of all layers
	room   int // fingerprints that fit into the last layer
	// full says that there is no memory for a further layer: fingerprints are spread over all
	// layers, which know fewer and fewer of them to be absent.
	full bool
	// partial says that fingerprints may be stored that are not in the filter.
	partial bool
}

// newPrintFilter returns a filter of so many bytes, 0 = 16 MiB. Of the partial days fingerprints are stored.
func newPrintFilter(partial []uint16, bytes int64) *printFilter {
	if bytes <= 0 {
		bytes = defaultPrintBytes
	}
	f := &printFilter{days: map[uint16]*dayFilter{}, most: int(bytes / 8)}
	for _, day := range partial {
		f.days[day] = &dayFilter{partial: true}
	}
	return f
}

// hashes returns what places a fingerprint, which is a hash itself, in a filter. Stored ones come in the order
// of their first bytes, so these are mixed.
func hashes(app model.AppID, p profile.Fingerprint) (block, bits uint64) {
	block = (binary.LittleEndian.Uint64(p[:]) ^ binary.LittleEndian.Uint64(app[:])) * 0x9e3779b97f4a7c15
	block ^= block >> 32
	bits = binary.LittleEndian.Uint64(p[8:]) ^ uint64(binary.LittleEndian.Uint32(app[8:]))*0x9e3779b97f4a7c15
	return block, bits
}

// add notes a fingerprint.
func (f *printFilter) add(day uint16, app model.AppID, p profile.Fingerprint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.days[day]
	if d == nil {
		d = &dayFilter{}
		f.days[day] = d
	}
	if d.room == 0 && !d.full {
		f.grow(d)
	}
	if len(d.layers) == 0 {
		return
	}
	d.room--
	block, bits := hashes(app, p)
	layer := d.layers[len(d.layers)-1]
	if d.full {
		layer = d.any(bits >> (64 - spreadBits))
	}
	at := block % uint64(len(layer)/blockWords) * blockWords
	for range probes {
		layer[at+bits>>6&(blockWords-1)] |= 1 << (bits & 63)
		bits >>= 9
	}
}

// grow adds a layer. A day takes no more than half of what the others leave, so that there is room for the next.
func (f *printFilter) grow(d *dayFilter) {
	words := firstWords
	if n := len(d.layers); n > 0 {
		words = 4 * len(d.layers[n-1])
	}
	words = min(words, (f.most-f.words+d.words)/2-d.words) &^ (blockWords - 1)
	if words < firstWords {
		d.full = true
		return
	}
	f.words, d.words = f.words+words, d.words+words
	d.layers, d.room = append(d.layers, make([]uint64, words)), words*64/bitsOfPrint
}

// spreadBits is how many bits of a hash the probes leave over.
const spreadBits = 64 - 9*probes

// any returns one of the layers, large ones as often as they are large. r has spreadBits bits.
func (d *dayFilter) any(r uint64) []uint64 {
	at := int(r) * d.words >> spreadBits // ten bits
	for _, layer := range d.layers {
		if at < len(layer) {
			return layer
		}
		at -= len(layer)
	}
	return d.layers[len(d.layers)-1]
}

// Absent reports that a fingerprint is certainly not remembered for a day, which spares a look-up.
func (s *Store) Absent(day uint16, app model.AppID, f profile.Fingerprint) bool {
	return s.prints.absent(day, app, f)
}

// absent reports that a fingerprint is certainly not remembered for a day.
func (f *printFilter) absent(day uint16, app model.AppID, p profile.Fingerprint) bool {
	return f.may(app, p, []uint16{day}) == 0
}

// may reports for which of at most 64 days a fingerprint may be remembered, by a bit each.
func (f *printFilter) may(app model.AppID, p profile.Fingerprint, days []uint16) (at uint64) {
	block, bits := hashes(app, p)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, day := range days {
		if d := f.days[day]; d != nil && (d.partial || d.full && len(d.layers) == 0 || d.holds(block, bits)) {
			at |= 1 << i
		}
	}
	return at
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

// likely reports for which of at most 64 days a fingerprint may be remembered, by a bit each, and that few are of
// which this is not true.
func (f *printFilter) likely(app model.AppID, p profile.Fingerprint, days []uint16) (at uint64) {
	block, bits := hashes(app, p)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, day := range days {
		if d := f.days[day]; d != nil && !d.partial && !d.full && d.holds(block, bits) {
			at |= 1 << i
		}
	}
	return at
}

// holds reports whether one of the layers knows what is placed there.
func (d *dayFilter) holds(block, bits uint64) bool {
	for _, layer := range d.layers {
		if holds(layer[block%uint64(len(layer)/blockWords)*blockWords:], bits) {
			return true
		}
	}
	return false
}

// partial returns the newest day of which not all stored fingerprints are in the filter.
func (f *printFilter) partial() (day uint16, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n, d := range f.days {
		if d.partial && (!ok || n > day) {
			day, ok = n, true
		}
	}
	return day, ok
}

// whole says that all fingerprints of a day are in the filter.
func (f *printFilter) whole(day uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := f.days[day]; d != nil {
		d.partial = false
	}
}

// forget drops the days before one, whose fingerprints are removed.
func (f *printFilter) forget(before uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for day, d := range f.days {
		if day < before {
			f.words -= d.words
			delete(f.days, day)
		}
	}
}
