package outbox_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
)

// DropApp implements events.Writer.
func (s *sink) DropApp(context.Context, model.AppID, journal.Watermark) error { return nil }

// TestRewrites asks what happened to rows that were there: merges in their order, until rows are removed or there were too many.
func TestRewrites(t *testing.T) {
	t.Parallel()
	w := open(t, vfs.NewMem(), &sink{}, nil)
	at := uint64(0)
	merge := func(users map[uint32]uint32) {
		at++
		w.put(t, at, map[model.AppID]*outbox.Part{appA: {Rewrites: users}, appB: rows(at)})
	}
	since := func(app model.AppID, moment uint64) ([]map[uint32]uint32, uint64, bool) {
		t.Helper()
		return w.outbox.Rewrites(app, moment)
	}
	list, begin, ok := since(appA, 0)
	if !ok || list != nil {
		t.Fatalf("at first: %v, %v", list, ok)
	}
	was := w.outbox.Version(appA)
	merge(map[uint32]uint32{1: 2, 2: 3})
	_, between, _ := since(appA, begin)
	merge(map[uint32]uint32{3: 4})
	list, now, ok := since(appA, begin)
	if diff := cmp.Diff([]map[uint32]uint32{{1: 3, 2: 3}, {3: 4}}, list); diff != "" || !ok || w.outbox.Version(appA) <= was {
		t.Fatalf("two merges, %v (-want +got):\n%s", ok, diff)
	}
	if list, _, ok = since(appA, between); !ok || len(list) != 1 {
		t.Errorf("since between them: %v, %v", list, ok)
	}
	if list, _, ok = since(appA, now); !ok || len(list) != 0 {
		t.Errorf("since both: %v, %v", list, ok)
	}
	if list, _, ok = since(appB, begin); !ok || len(list) != 0 {
		t.Errorf("of another app: %v, %v", list, ok)
	}
	for i := range uint32(5000) {
		merge(map[uint32]uint32{10 + i: 9})
	}
	if _, _, ok = since(appA, now); ok {
		t.Error("5,000 batches are remembered")
	}
	if list, now, ok = since(appA, now+4900); !ok || len(list) == 0 || len(list) > 200 {
		t.Errorf("the latest: %d, %v", len(list), ok)
	}
	err := w.outbox.Exclusive(t.Context(), func(ctx context.Context, to events.Writer) error { return to.DropApp(ctx, appA, nil) })
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok = since(appA, now); ok {
		t.Error("rows were removed, and nobody says so")
	}
	if _, _, ok = since(appB, begin); !ok {
		t.Error("rows of another app were not removed")
	}
	w.outbox.Changed()
	if _, _, ok = since(appB, begin); ok {
		t.Error("the event store was changed by other means, and nobody says so")
	}
	if _, now, _ = since(appB, 0); now == 0 {
		t.Error("no moment")
	}
	if list, _, ok = since(appB, now); !ok || list != nil {
		t.Errorf("afterwards: %v, %v", list, ok)
	}
}

// TestWritten follows the profiles that are written, until there are too many or another subscription replaces it.
func TestWritten(t *testing.T) {
	t.Parallel()
	w := open(t, vfs.NewMem(), &sink{}, nil)
	at := uint64(0)
	write := func(ids ...model.ProfileID) {
		at++
		w.put(t, at, map[model.AppID]*outbox.Part{appA: {Users: ids, Gone: []uint32{uint32(at)}}, appB: {Users: ids}}) // few
	}
	one, other := model.ProfileID{1}, model.ProfileID{2}
	write(one)
	first := w.outbox.Subscribe(appA)
	write(one)
	write(other, one)
	ids, gone, ok := w.outbox.Written(appA, first)
	slices.SortFunc(ids, func(a, b model.ProfileID) int { return bytes.Compare(a[:], b[:]) })
	if !ok || !slices.Equal(ids, []model.ProfileID{one, other}) || !slices.Equal(gone, []uint32{2, 3}) {
		t.Fatalf("%v, %v, %v", ids, gone, ok)
	}
	if ids, gone, ok = w.outbox.Written(appA, first); !ok || len(ids)+len(gone) != 0 {
		t.Errorf("again: %v, %v, %v", ids, gone, ok)
	}
	second := w.outbox.Subscribe(appA)
	if _, _, ok = w.outbox.Written(appA, first); ok {
		t.Error("the first subscription still receives profiles")
	}
	w.outbox.Unsubscribe(appA, first)
	for i := range 70_000 / 100 {
		var list []model.ProfileID
		for j := range 100 {
			list = append(list, model.ProfileID{byte(i), byte(i >> 8), byte(j)})
		}
		write(list...)
	}
	if _, _, ok = w.outbox.Written(appA, second); ok {
		t.Error("70,000 profiles are noted")
	}
	w.outbox.Unsubscribe(appA, second)
	if _, _, ok = w.outbox.Written(appA, second); ok {
		t.Error("an ended subscription still receives profiles")
	}
}
