package rollup

import (
	"context"

	"quipu/internal/model"
)

// ValueScanner is a Reader that finds the cells of one value without reading
// those of the others.
type ValueScanner interface {
	// ScanValue is Reader.Scan for a single value, with cells whose Users are nil.
	ScanValue(ctx context.Context, app model.AppID, s Series, g Grain, from, to Bucket, value string, fn func(b Bucket, c *Cell) error) error
}

// ScanValue calls fn for the cells of one value, by bucket, which come without
// their users. It is Reader.Scan without the other values, and uses a ValueScanner where r is one.
func ScanValue(ctx context.Context, r Reader, app model.AppID, s Series, g Grain, from, to Bucket, value string, fn func(b Bucket, c *Cell) error) error {
	if v, ok := r.(ValueScanner); ok {
		return v.ScanValue(ctx, app, s, g, from, to, value, fn)
	}
	return r.Scan(ctx, app, s, g, from, to, func(b Bucket, v string, c *Cell) error {
		if v != value {
			return nil
		}
		bare := *c
		bare.Users = nil
		if bare.IsZero() {
			return nil
		}
		return fn(b, &bare)
	})
}
