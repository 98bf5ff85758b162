package traffic

import "math"

// table draws indices by their weights, at the cost of one look-up.
type table [4096]uint16

// newTable returns a table for one weight an index, of which at least one is positive.
func newTable(weights []float64) *table {
	n, sum := len(weights), 0.0
	for _, w := range weights {
		sum += w
	}
	t, at, acc := &table{}, 0, weights[0]
	for i := range t {
		for acc < (float64(i)+0.5)*sum/float64(len(t)) && at < n-1 {
			at++
			acc += weights[at]
		}
		t[i] = uint16(at) // n is small
	}
	return t
}

// newZipf returns a table of n indices of which the first are the most frequent.
func newZipf(n int, exponent float64) *table {
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -exponent)
	}
	return newTable(weights)
}

func (t *table) draw(bits uint64) int { return int(t[bits%uint64(len(t))]) }
