package rollup

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
)

// CountScanner is a Reader that tells how many users cells have without
// reading who they are.
type CountScanner interface {
	// ScanCounts is Reader.Scan with cells whose Users are nil, and the number of users instead.
	ScanCounts(ctx context.Context, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users UserCount) error) error
}

// UserCount is what is known of a set of users without reading it. The zero value is
// that of the empty set.
type UserCount struct {
	N       uint64
	Largest uint32 // the largest number of a user
}

// CountUsers counts the users of a set; nil is empty.
func CountUsers(users *roaring.Bitmap) UserCount {
	if users == nil || users.IsEmpty() {
		return UserCount{}
	}
	return UserCount{N: users.GetCardinality(), Largest: users.Maximum()}
}

// ScanCounts calls fn for the cells of a series, which come without their
// users, and with how many they are. It uses a CountScanner where r is one.
func ScanCounts(ctx context.Context, r Reader, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell, users UserCount) error) error {
	if v, ok := r.(CountScanner); ok {
		return v.ScanCounts(ctx, app, s, g, from, to, fn)
	}
	return r.Scan(ctx, app, s, g, from, to, func(b Bucket, value string, c *Cell) error {
		bare := *c
		bare.Users = nil
		return fn(b, value, &bare, CountUsers(c.Users))
	})
}
