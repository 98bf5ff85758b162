package sentry

import (
	"context"
	"io"
)

// ReadPart reads a part of a form. charge is asked for bytes before they are held.
func ReadPart(p io.Reader, charge func(n int64) error) ([]byte, error) {
	h := &held{ctx: context.Background(), charge: func(_ context.Context, n int64) (func(), error) { return func() {}, charge(n) }}
	return (&service{}).part(p, h)
}

// PartCost is what is charged for a byte of a part.
const PartCost = partCost

// Split takes an envelope apart: the kinds of its items and their bytes.
func Split(body []byte) (kinds []string, data [][]byte, err error) {
	_, items, err := split(body)
	for _, it := range items {
		kinds, data = append(kinds, it.kind), append(data, it.data)
	}
	return kinds, data, err
}
