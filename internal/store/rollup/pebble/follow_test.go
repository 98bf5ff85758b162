package pebble_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// followed is a database whose changes can be followed.
type followed struct {
	t       *testing.T
	db      *kv.DB
	store   *pebblerollup.Store
	changes *pebblerollup.Changes
	aliases map[uint32]uint32
}

var (
	followedApp    = model.ID{7}
	followedSeries = rollup.Series{Metric: rollup.Countries}
)

func (f *followed) Aliases(context.Context, model.AppID) (map[uint32]uint32, error) {
	return f.aliases, nil
}

func openFollowed(t *testing.T) *followed {
	t.Helper()
	changes := &pebblerollup.Changes{}
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: vfs.NewMem(), Merger: pebblerollup.Merger(), Watch: changes.Watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	f := &followed{t: t, db: db, changes: changes}
	f.store = pebblerollup.NewStore(db.Reader(), f).Watched(changes)
	return f
}

func (f *followed) commit(fill func(b *kv.Batch) error) {
	f.t.Helper()
	b := f.db.NewBatch()
	if err := fill(b); err != nil {
		f.t.Error(err)
	}
	if err := f.db.Commit(b); err != nil {
		f.t.Error(err)
	}
}

func (f *followed) add(d rollup.Delta) {
	f.t.Helper()
	f.commit(func(b *kv.Batch) error { return pebblerollup.Write(b.Pebble(), followedApp, d) })
}

// follow begins to follow days 10 to 12 and returns the cells there are; nil while
// a batch is on its way.
func (f *followed) follow() (rollup.Subscription, map[rollup.Key]*rollup.Cell) {
	f.t.Helper()
	cells := map[rollup.Key]*rollup.Cell{}
	subscription, err := f.store.Subscribe(f.t.Context(), followedApp, followedSeries, rollup.Day, 10, 12, into(cells))
	if err != nil {
		f.t.Fatal(err)
	}
	return subscription, cells
}

func into(cells map[rollup.Key]*rollup.Cell) func(rollup.Bucket, string, *rollup.Cell) error {
	return func(b rollup.Bucket, v string, c *rollup.Cell) error {
		rollup.Delta(cells).At(rollup.Key{Series: followedSeries, Grain: rollup.Day, Bucket: b, Value: v}).Merge(c)
		return nil
	}
}

func take(f rollup.Subscription, cells map[rollup.Key]*rollup.Cell) bool {
	return f.Take(context.Background(),
		func(b rollup.Bucket, v string, c *rollup.Cell) { _ = into(cells)(b, v, c) },
		func(correct func(*roaring.Bitmap)) {
			for _, c := range cells {
				correct(c.Users)
			}
		})
}

// comparable returns cells in a form for cmp.
func comparable(cells map[rollup.Key]*rollup.Cell) map[rollup.Key]plain {
	out := map[rollup.Key]plain{}
	for k, c := range cells {
		p := plain{Cell: *c}
		p.Cell.Users = nil
		if c.Users != nil {
			p.Users = c.Users.ToArray()
		}
		out[k] = p
	}
	return out
}

// TestFollow follows cells again and again while they are written, and compares
// what it was told with what is stored in the end.
func TestFollow(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	f := openFollowed(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r := rand.New(rand.NewPCG(seed, 0))
		for range 2000 {
			d := rollup.Delta{}
			for range 1 + r.IntN(4) {
				series := followedSeries
				if r.IntN(3) == 0 {
					series = rollup.Series{Metric: rollup.Segments, Dim: "a\x00b"}
				}
				k := rollup.Key{Series: series, Grain: rollup.Day, Bucket: rollup.Bucket(9 + r.IntN(5)), Value: string(rune('A' + r.IntN(4)))}
				d[k] = randomCell(r)
			}
			f.add(d)
		}
	}()
	began := 0
	for writing := true; writing; {
		subscription, cells := f.follow()
		if subscription == nil {
			continue
		}
		began++
		for range 20 {
			if !take(subscription, cells) {
				t.Fatal("it ended")
			}
		}
		select {
		case <-done:
			writing = false
		default:
		}
		if writing {
			subscription.Stop()
			if take(subscription, cells) {
				t.Fatal("it goes on after its stop")
			}
			continue
		}
		if !take(subscription, cells) {
			t.Fatal("it ended")
		}
		stored := map[rollup.Key]*rollup.Cell{}
		if err := f.store.Scan(t.Context(), followedApp, followedSeries, rollup.Day, 10, 12, into(stored)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(comparable(stored), comparable(cells)); diff != "" {
			t.Fatalf("after %d beginnings (-stored +told):\n%s", began, diff)
		}
	}
	t.Logf("began %d times", began)
}

// TestFollowingEnds changes cells in ways that are no additions.
func TestFollowingEnds(t *testing.T) {
	t.Parallel()
	cell := func(users ...uint32) *rollup.Cell {
		c := &rollup.Cell{Count: 1}
		for _, u := range users {
			c.AddUser(u)
		}
		return c
	}
	key := rollup.Key{Series: followedSeries, Grain: rollup.Day, Bucket: 10, Value: "DE"}
	for name, change := range map[string]func(f *followed){
		"app removed": func(f *followed) {
			f.commit(func(b *kv.Batch) error { return pebblerollup.DeleteApp(b.Pebble(), followedApp) })
		},
		"users replaced": func(f *followed) {
			f.commit(func(b *kv.Batch) error {
				_, err := pebblerollup.Rewrite(f.t.Context(), f.db.Reader(), b.Pebble(), followedApp, map[uint32]uint32{1: 2}, nil, 100)
				return err
			})
		},
		"too much": func(f *followed) {
			for i := range uint32(3000) {
				f.add(rollup.Delta{key: cell(100*i, 100*i+1, 100*i+50)})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := openFollowed(t)
			f.add(rollup.Delta{key: cell(1)})
			subscription, cells := f.follow()
			f.add(rollup.Delta{key: cell(3)})
			if !take(subscription, cells) {
				t.Fatal("it ended early")
			}
			change(f)
			f.add(rollup.Delta{key: cell(4)})
			if take(subscription, cells) {
				t.Error("it goes on")
			}
			if !subscription.Ended() {
				t.Error("it does not say so")
			}
		})
	}
	t.Run("while a batch is on its way", func(t *testing.T) {
		t.Parallel()
		f := openFollowed(t)
		b := f.db.NewBatch()
		defer b.Discard()
		if err := pebblerollup.Write(b.Pebble(), followedApp, rollup.Delta{key: cell(1)}); err != nil {
			t.Fatal(err)
		}
		after := f.changes.Watch(b.Pebble())
		if subscription, _ := f.follow(); subscription != nil {
			t.Error("it begins")
		}
		after()
		if subscription, _ := f.follow(); subscription == nil {
			t.Error("it does not begin when the batch has ended")
		}
	})
	t.Run("other apps", func(t *testing.T) {
		t.Parallel()
		f := openFollowed(t)
		subscription, cells := f.follow()
		f.commit(func(b *kv.Batch) error { return pebblerollup.DeleteApp(b.Pebble(), model.ID{8}) })
		if !take(subscription, cells) {
			t.Error("it ended")
		}
	})
}

// TestManyFollowers lets much wait for many, who together may not hold more than there is room for. One who comes
// for what waits goes on.
func TestManyFollowers(t *testing.T) {
	t.Parallel()
	f := openFollowed(t)
	key := rollup.Key{Series: followedSeries, Grain: rollup.Day, Bucket: 10, Value: "DE"}
	list := make([]rollup.Subscription, 100)
	for i := range list {
		list[i], _ = f.follow()
	}
	diligent, cells := f.follow()
	for n := range uint32(25) {
		users := roaring.New()
		for i := range uint32(4000) {
			users.Add(n<<16 + i*16)
		}
		f.add(rollup.Delta{key: {Count: 1, Users: users}})
		if !take(diligent, cells) {
			t.Fatal("who comes in time was given up")
		}
		if bytes, counted := pebblerollup.Waiting(f.changes); bytes > counted || counted > pebblerollup.FollowAllBytes {
			t.Fatalf("%d bytes wait, %d are counted, want at most %d", bytes, counted, pebblerollup.FollowAllBytes)
		}
	}
	ended := 0
	for _, l := range list {
		if l.Ended() {
			ended++
		}
	}
	if ended == 0 || ended == len(list) {
		t.Errorf("%d of %d were given up, want some", ended, len(list))
	}
	f.commit(func(b *kv.Batch) error { return pebblerollup.DeleteApp(b.Pebble(), followedApp) })
	for _, l := range append(list, diligent) {
		if !l.Ended() {
			t.Fatal("one goes on after its app was removed")
		}
	}
	if bytes, counted := pebblerollup.Waiting(f.changes); bytes != 0 || counted != 0 {
		t.Errorf("%d bytes wait for nobody, %d are counted", bytes, counted)
	}
}

// TestFollowMerged merges users before a subscription begins and while it goes on; what is
// notified of cells that have the numbers before is corrected.
func TestFollowMerged(t *testing.T) {
	t.Parallel()
	key := rollup.Key{Series: followedSeries, Grain: rollup.Day, Bucket: 10, Value: "DE"}
	f := openFollowed(t)
	merge := func(old, to uint32, all map[uint32]uint32) {
		f.commit(func(b *kv.Batch) error {
			return b.Set(aliasKey(old), binary.BigEndian.AppendUint32(nil, to))
		})
		f.aliases = all
	}
	add := func(users ...uint32) { f.add(rollup.Delta{key: {Count: 1, Users: roaring.BitmapOf(users...)}}) }
	add(1, 2, 3)
	merge(1, 2, map[uint32]uint32{1: 2})
	subscription, cells := f.follow()
	head := roaring.BitmapOf(1, 9)
	subscription.Correct(head)
	if diff := cmp.Diff([]uint32{2, 9}, head.ToArray()); diff != "" {
		t.Errorf("corrected for what was before (-want +got):\n%s", diff)
	}
	for _, step := range []struct {
		name string
		do   func()
		want []uint32
	}{
		{"a number from before", func() { add(1, 4) }, []uint32{2, 3, 4}},
		{"a merge", func() { merge(3, 4, map[uint32]uint32{1: 2, 3: 4}) }, []uint32{2, 4}},
		{"numbers of both, of many", func() { add(1, 3, 5, 6, 7) }, []uint32{2, 4, 5, 6, 7}},
		{"a chain", func() { merge(4, 7, map[uint32]uint32{1: 2, 3: 7, 4: 7}); add(3, 4) }, []uint32{2, 5, 6, 7}},
		{"a merge that is not announced yet", func() { add(8); f.aliases = map[uint32]uint32{1: 2, 3: 7, 4: 7, 2: 8}; add(2) }, []uint32{5, 6, 7, 8}},
		{"two merges", func() {
			merge(5, 6, map[uint32]uint32{1: 8, 2: 8, 3: 7, 4: 7, 5: 6})
			merge(6, 7, map[uint32]uint32{1: 8, 2: 8, 3: 7, 4: 7, 5: 7, 6: 7})
		}, []uint32{7, 8}},
	} {
		step.do()
		if !take(subscription, cells) {
			t.Fatalf("%s: it ended", step.name)
		}
		if diff := cmp.Diff(step.want, cells[key].Users.ToArray()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

// aliasKey is the key under which it is kept that a user of followedApp was merged.
func aliasKey(old uint32) []byte {
	return binary.BigEndian.AppendUint32(append([]byte{kv.PrefixAlias}, followedApp[:]...), old)
}

// BenchmarkWatch measures what a commit of 200 cells, of which every fourth is followed by four, and of 20 merged
// users pays for 1,000 subscriptions.
func BenchmarkWatch(b *testing.B) {
	changes := &pebblerollup.Changes{}
	db, err := kv.Open(b.Context(), kv.Options{Dir: "state", FS: vfs.NewMem(), Merger: pebblerollup.Merger()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	series := func(n int) rollup.Series {
		return rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim("event", strconv.Itoa(n))}
	}
	store := pebblerollup.NewStore(db.Reader(), rollup.NoAliases{}).Watched(changes)
	var list []rollup.Subscription
	for n := range 1000 {
		f, err := store.Subscribe(b.Context(), followedApp, series(n/4), rollup.Day, 10, 10, func(rollup.Bucket, string, *rollup.Cell) error { return nil })
		if err != nil || f == nil {
			b.Fatal(f, err)
		}
		list = append(list, f)
	}
	batch := db.NewBatch()
	defer batch.Discard()
	d := rollup.Delta{}
	for n := range 200 {
		d[rollup.Key{Series: series(n), Grain: rollup.Day, Bucket: rollup.Bucket(10 + n%4), Value: "v"}] = &rollup.Cell{Count: 1, Users: roaring.BitmapOf(1, 2, 3)}
	}
	if err := pebblerollup.Write(batch.Pebble(), followedApp, d); err != nil {
		b.Fatal(err)
	}
	for old := range uint32(20) {
		if err := batch.Set(aliasKey(old+1), []byte{0, 0, 1, 0}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		changes.Watch(batch.Pebble())()
		b.StopTimer()
		for _, f := range list {
			if !f.Take(b.Context(), func(rollup.Bucket, string, *rollup.Cell) {}, func(func(*roaring.Bitmap)) {}) {
				b.Fatal("it ended")
			}
		}
		b.StartTimer()
	}
}
