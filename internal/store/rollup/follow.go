package rollup

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
)

// AliasSource tells which users of an app were merged and are not yet
// rewritten in the cells.
type AliasSource interface {
	// Aliases maps merged numbers to the numbers they were merged into, as
	// committed; chains are allowed. The map must not change after it was returned,
	// and the caller does not change it. nil means none.
	Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error)
}

// NoAliases is an AliasSource without merged users.
type NoAliases struct{}

// Aliases returns nil.
func (NoAliases) Aliases(context.Context, model.AppID) (map[uint32]uint32, error) { return nil, nil }

// Tracker is a Reader that knows when cells change, for readers that keep what they computed from them.
type Tracker interface {
	Reader
	// Changes returns what knows when cells changed; nil when nothing does.
	Changes() Changes
	// Subscribe is Scan with a Subscription of what is added to the cells later. It returns nil when that cannot be
	// told: while a commit is under way, or when nothing knows of changes. What fn was called with is to be thrown
	// away then.
	Subscribe(ctx context.Context, app model.AppID, s Series, g Grain, from, to Bucket, fn func(b Bucket, value string, c *Cell) error) (Subscription, error)
}

// Changes knows when the cells of a day or a month changed last. A reader asks for the generation of a span, then reads
// its cells, and may use what it made of them for as long as the span has the same generation. That users were merged
// concerns only sets with one of them, see MergedSince; a user is merged once. It is safe for concurrent use.
type Changes interface {
	// Generation returns a number that differs from all it was before when a cell
	// of the app changed at the grain in one of the buckets, both ends included.
	Generation(app model.AppID, g Grain, from, to Bucket) uint64
	// Version returns a number that grows with each change of any cell of the app, and with each merge of its users.
	Version(app model.AppID) uint64
	// Moment returns a number for what MergedSince is asked later.
	Moment() uint64
	// MergedSince returns the smallest number of the users of an app who were merged
	// since a moment; false when there are none.
	MergedSince(app model.AppID, moment uint64) (old uint32, ok bool)
}

// Subscription notifies of what is added to the cells of some buckets of a series, so
// that what was computed from them can be kept up to date instead of being recomputed: the
// increments of a materialised view. It begins at a scan of the cells, Tracker.Subscribe. Take is for one
// caller at a time.
type Subscription interface {
	// Take calls fn with each delta that was added since the last call, in order, and, when users were
	// merged since, merged with a function that corrects a set for it. c and its bitmap are
	// valid only during the call. It reports whether the caller has now been notified of everything: not when cells
	// were changed in another way or when too much had gathered. The subscription has ended then.
	Take(ctx context.Context, fn func(b Bucket, value string, c *Cell), merged func(correct func(*roaring.Bitmap))) (complete bool)
	// Correct replaces users who were merged before the subscription began in a set. It is to be called before the
	// first Take.
	Correct(users *roaring.Bitmap)
	// Ended reports whether nothing more will come.
	Ended() bool
	// Stop ends it. It may be called again.
	Stop()
}

// AppScanner reads all cells of an app.
type AppScanner interface {
	// ScanApp calls fn for every cell of an app: series by series, in each by
	// grain, bucket and value. Bitmaps are corrected as Scan does. The cell is valid only
	// during the call; fn's error ends the scan and is returned.
	ScanApp(ctx context.Context, app model.AppID, fn func(Key, *Cell) error) error
}
