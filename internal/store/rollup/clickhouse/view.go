package clickhouse

import (
	"maps"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
)

// view is what is known of an app as of a moment. It is not changed once it is published: what is asked later makes another one.
type view struct {
	whole   time.Time // when everything was taken for changed last
	all     uint64    // the count then
	buckets map[grainBucket]changed
	merges  merges
	merged  []mergedAt // those that can be the smallest since some moment: later ones have larger numbers
	// fresh are the buckets with the count unnumbered.
	fresh []grainBucket
}

// unnumbered is the count of what is noticed in a view that is not published yet: it is later than all.
const unnumbered = math.MaxUint64

// found is what ClickHouse says about an app: a number for each bucket that differs from all it was before when the bucket has changed, and who is merged and not
// replaced yet.
type found struct {
	buckets map[grainBucket]uint64
	merges  merges
}

// grainBucket is a bucket; of hours, the day. The zero value is all of an app's.
type grainBucket struct {
	grain  rollup.Grain
	bucket rollup.Bucket
}

// noted returns what is noted of a bucket.
func noted(g rollup.Grain, b rollup.Bucket) grainBucket {
	if g == rollup.Hour {
		b /= 24
	}
	return grainBucket{g, b}
}

// changed says at which number a bucket stands, and at which count and when that was noticed.
type changed struct {
	at    uint64
	count uint64
	when  time.Time
}

// mergedAt says at which count a merged user was noticed.
type mergedAt struct {
	count uint64
	old   uint32
}

// afresh is after how long everything of an app is taken for changed once more: a process that ended after a removal and before its note may be long in coming back, and nodes
// of an earlier version write no notes.
const afresh = 10 * time.Minute

// changed returns a view by which everything has changed.
func (v *view) changed(count uint64, now time.Time) *view {
	out := *v
	out.all, out.whole = count, now
	return &out
}

// next returns the view after what ClickHouse said when it was asked at now. Apps whose count differs lose their number.
func (v *view) next(f found, now time.Time, settle time.Duration) *view {
	out := *v
	out.merges, out.fresh = f.merges, nil
	if now.Sub(v.whole) >= afresh || v.whole.After(now) || v.merges.olds != nil && !without(v.merges.olds, f.merges.olds).IsEmpty() {
		// Merges that are forgotten are replaced in the cells, and the note of that may come later.
		out.all, out.whole = unnumbered, now
	}
	for b, at := range f.buckets {
		was, ok := v.buckets[b]
		if ok && was.at == at && now.Sub(was.when) >= settle {
			continue
		}
		if out.fresh == nil {
			if out.buckets = maps.Clone(v.buckets); out.buckets == nil {
				out.buckets = make(map[grainBucket]changed, len(f.buckets))
			}
		}
		if !ok || was.at != at {
			was.at, was.when = at, now
		}
		was.count = unnumbered
		out.buckets[b], out.fresh = was, append(out.fresh, b)
	}
	if f.merges.olds == nil {
		return &out
	}
	news := without(f.merges.olds, v.merges.olds)
	if news.IsEmpty() {
		return &out
	}
	old, n := news.Minimum(), len(v.merged)
	for n > 0 && v.merged[n-1].old >= old {
		n--
	}
	if out.merged = append(slices.Clone(v.merged[:n]), mergedAt{unnumbered, old}); len(out.merged) > maxMerged {
		out.merged, out.all = nil, unnumbered
	}
	return &out
}

// without returns the users of one set that are not in another, which may be nil.
func without(a, b *roaring.Bitmap) *roaring.Bitmap {
	if b == nil {
		return a
	}
	return roaring.AndNot(a, b)
}

// number gives what is noticed in the view its count, before the view is published.
func (v *view) number(count uint64) {
	if v.all == unnumbered {
		v.all = count
	}
	for _, b := range v.fresh {
		c := v.buckets[b]
		c.count = count
		v.buckets[b] = c
	}
	v.fresh = nil
	if n := len(v.merged); n > 0 && v.merged[n-1].count == unnumbered {
		v.merged[n-1].count = count
	}
}

// generation is that of Changes.
func (v *view) generation(g rollup.Grain, from, to rollup.Bucket) uint64 {
	latest := max(v.all, v.buckets[grainBucket{}].count)
	first, last := noted(g, from), noted(g, to)
	if int64(last.bucket)-int64(first.bucket) > int64(len(v.buckets)) {
		for b, at := range v.buckets {
			if b.grain == g && b.bucket >= first.bucket && b.bucket <= last.bucket {
				latest = max(latest, at.count)
			}
		}
		return latest
	}
	for b := int64(first.bucket); b <= int64(last.bucket); b++ {
		latest = max(latest, v.buckets[grainBucket{g, rollup.Bucket(b)}].count) // between two buckets
	}
	return latest
}

// mergedSince is that of Changes.
func (v *view) mergedSince(moment uint64) (old uint32, ok bool) {
	if v.all > moment { // what was noticed before may be forgotten
		return 0, true
	}
	i := sort.Search(len(v.merged), func(i int) bool { return v.merged[i].count > moment })
	if i == len(v.merged) {
		return 0, false
	}
	return v.merged[i].old, true
}
