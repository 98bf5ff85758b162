package clickhouse

import (
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
)

// view is what is known of an app as of a moment. It is never changed: what is asked later makes another one.
type view struct {
	whole   time.Time // when everything was taken for changed last
	all     uint64    // the count then
	buckets map[grainBucket]changed
	merges  merges
	merged  []mergedAt // those that can be the smallest since some moment: later ones have larger numbers
}

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

// next returns the view after what ClickHouse said when it was asked at now. What differs is noticed under the count.
func (v *view) next(f found, count uint64, now time.Time, settle time.Duration) *view {
	out := *v
	if now.Sub(v.whole) >= afresh || v.whole.After(now) {
		out = *v.changed(count, now)
	}
	out.merges = f.merges
	cloned := false
	for b, at := range f.buckets {
		was, ok := v.buckets[b]
		switch {
		case !ok || was.at != at:
			was = changed{at, count, now}
		case now.Sub(was.when) < settle:
			was.count = count
		default:
			continue
		}
		if !cloned {
			if out.buckets, cloned = maps.Clone(v.buckets), true; out.buckets == nil {
				out.buckets = make(map[grainBucket]changed, len(f.buckets))
			}
		}
		out.buckets[b] = was
	}
	news := f.merges.olds
	if news != nil && v.merges.olds != nil {
		news = roaring.AndNot(news, v.merges.olds)
	}
	if news == nil || news.IsEmpty() {
		return &out
	}
	old, n := news.Minimum(), len(v.merged)
	for n > 0 && v.merged[n-1].old >= old {
		n--
	}
	if out.merged = append(slices.Clone(v.merged[:n]), mergedAt{count, old}); len(out.merged) > maxMerged {
		out.merged, out.all = nil, count
	}
	return &out
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
		latest = max(latest, v.buckets[grainBucket{g, rollup.Bucket(b)}].count) //nolint:gosec // between two buckets
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
