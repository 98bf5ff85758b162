package crashes_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/modules/crashes"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// crowd are the sessions of an app: who began one, by day and by month.
type crowd struct {
	days, months map[rollup.Bucket]*roaring.Bitmap
}

// Scan implements rollup.Reader.
func (w *crowd) Scan(ctx context.Context, _ model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	cells := w.days
	if g == rollup.Month {
		cells = w.months
	}
	if s.Metric != rollup.Users {
		return nil
	}
	for _, b := range slices.Sorted(maps.Keys(cells)) {
		if b < from || b > to {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := fn(b, "", &rollup.Cell{Count: int64(cells[b].GetCardinality()) + 1, Users: cells[b].Clone()}); err != nil {
			return err
		}
	}
	return nil
}

// room is memory without end.
type room struct{}

func (room) Grow(int64) error { return nil }
func (room) Leave()           {}

// TestCourseHolds has the course of a large app read within little memory: less than the users of its days take.
func TestCourseHolds(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	first := period.DayOf(2030, 6, 1)
	w := &crowd{map[rollup.Bucket]*roaring.Bitmap{}, map[rollup.Bucket]*roaring.Bitmap{}}
	years := map[int]*roaring.Bitmap{}
	want := map[string]any{"meta": map[string]any{}}
	counts := func(users *roaring.Bitmap) map[string]any {
		return map[string]any{"cr_u": int64(users.GetCardinality()), "cr_s": int64(users.GetCardinality()) + 1}
	}
	var bytes uint64
	for day := first; day < first+400; day++ {
		users := roaring.New()
		for range 5000 {
			users.Add(r.Uint32N(500_000))
		}
		bytes += users.GetSizeInBytes()
		y, _, _ := day.Date()
		month := rollup.Bucket(day.Month())
		if w.months[month] == nil {
			w.months[month] = roaring.New()
		}
		if years[y] == nil {
			years[y] = roaring.New()
		}
		w.days[rollup.Bucket(day)] = users
		w.months[month].Or(users)
		years[y].Or(users)
	}
	for y, users := range years {
		doc, sessions := map[string]any{}, int64(0)
		for b, of := range w.months {
			if at, m, _ := period.Month(b).First().Date(); at == y {
				doc[strconv.Itoa(m)] = counts(of)
				sessions += int64(of.GetCardinality()) + 1
			}
		}
		doc["cr_u"], doc["cr_s"] = int64(users.GetCardinality()), sessions
		want[strconv.Itoa(y)] = doc
	}
	for b, of := range w.days {
		y, m, d := period.Day(b).Date()
		want[strconv.Itoa(y)].(map[string]any)[strconv.Itoa(m)].(map[string]any)[strconv.Itoa(d)] = counts(of)
	}
	read := func(most int64) (map[string]any, error) {
		q := query.New(query.Plain(w), nil).Within(query.Limits{
			Enter: func(context.Context, int64) (query.Room, error) { return room{}, nil }, Most: most, Timeout: time.Minute,
		})
		return crashes.Course(t.Context(), kernel.Data{Reads: kernel.Reads{Cells: w, Query: q}}, model.NewID())
	}
	const little = 1 << 20
	if bytes < 3*little {
		t.Fatalf("the users of all days take %d bytes only", bytes)
	}
	got, err := read(little)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, err := read(32 << 10); fault.CodeOf(err) != "figures.too_many" {
		t.Errorf("within too little memory: %v, want figures.too_many", err)
	}
}
