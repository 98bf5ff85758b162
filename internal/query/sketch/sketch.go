// Package sketch holds how numbers are spread in counters that add up: numbers from 0 up are counted in bins whose bounds grow by a constant
// factor, so that a percentile is known within a relative error (Error), whatever the numbers are. Bins of two sketches are added one by one, in any
// order, with the same result as if all numbers had been counted in one.
package sketch

import (
	"encoding/binary"
	"slices"
	"sort"
	"strconv"
)

// Bin numbers a bin: 0 holds what is below Least, bin i what is in (Least·growth^(i−2), Least·growth^(i−1)].
type Bin uint16

const (
	growth = 1.02
	// Least is the smallest number that has a bin of its own; smaller ones count as 0.
	Least = 1e-3
	// Error is how far a percentile is from the exact one at most, by parts of that: (growth − 1) / (growth + 1), which is 0.0099, and what
	// rounding to digits adds.
	Error = 0.01
	// digits are those of a percentile; more would say nothing.
	digits = 5
	// most is the last bin: it begins at about 10¹⁵, and holds all that is larger.
	most = 2093
)

// bounds are the largest numbers of the bins from 1 on. They are products of one step each, which every processor rounds alike, so that all
// machines put a number into the same bin.
var bounds = func() (b [most]float64) {
	b[0] = Least
	for i := range b[1:] {
		b[i+1] = b[i] * growth
	}
	return b
}()

// BinOf returns the bin of a number, which is not negative.
func BinOf(v float64) Bin {
	if !(v >= Least) { // NaN included
		return 0
	}
	return Bin(min(sort.SearchFloat64s(bounds[:], v)+1, most)) // most fits
}

// Middle returns the number that stands for those of a bin: within Error of each of them.
func (b Bin) Middle() float64 {
	if b == 0 {
		return 0
	}
	v := bounds[min(b, most)-1] * 2 / (growth + 1)
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil { // cannot be: it was just written
		return v
	}
	return rounded
}

// Text is the value under which cells are kept of a bin: its number, big endian, so that values sort by size.
func (b Bin) Text() string {
	return string(binary.BigEndian.AppendUint16(nil, uint16(b)))
}

// Parse reads the text of a bin; ok is false for what is none.
func Parse(text string) (b Bin, ok bool) {
	if len(text) != 2 {
		return 0, false
	}
	b = Bin(binary.BigEndian.Uint16([]byte(text)))
	return b, b <= most
}

// Sketch counts numbers by bin. The zero value is empty.
type Sketch struct {
	bins  map[Bin]int64
	total int64
}

// Add counts n numbers of a bin.
func (s *Sketch) Add(b Bin, n int64) {
	if s.bins == nil {
		s.bins = map[Bin]int64{}
	}
	s.bins[b] += n
	s.total += n
}

// Total is how many numbers were counted.
func (s *Sketch) Total() int64 { return s.total }

// Percentiles returns, for shares in hundredths of a percent, ascending, the number by nearest rank, within Error of it; nil when nothing was counted.
func (s *Sketch) Percentiles(shares ...int) []float64 {
	if s.total <= 0 {
		return nil
	}
	bins := make([]Bin, 0, len(s.bins))
	for b := range s.bins {
		bins = append(bins, b)
	}
	slices.Sort(bins)
	out := make([]float64, 0, len(shares))
	seen, at := int64(0), 0
	for _, share := range shares {
		rank := max(1, ceilDiv(s.total, int64(share)))
		for at < len(bins) && seen+s.bins[bins[at]] < rank {
			seen += s.bins[bins[at]]
			at++
		}
		out = append(out, bins[min(at, len(bins)-1)].Middle())
	}
	return out
}

// ceilDiv is total · share / 10,000, rounded up; it does not overflow.
func ceilDiv(total, share int64) int64 {
	const whole = 10_000
	return total/whole*share + (total%whole*share+whole-1)/whole
}
