package rollup_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
)

// followed is a database whose changes can be followed.
type followed struct {
	t       *testing.T
	db      *kv.DB
	store   *rollup.Store
	changes *rollup.Changes
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
	changes := &rollup.Changes{}
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: vfs.NewMem(), Merger: rollup.Merger(), Watch: changes.Watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	f := &followed{t: t, db: db, changes: changes}
	f.store = rollup.NewStore(db.Reader(), f).Watched(changes)
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
	f.commit(func(b *kv.Batch) error { return rollup.Write(b.Pebble(), followedApp, d) })
}

// follow begins to follow days 10 to 12 and returns the cells there are; nil while
// a batch is on its way.
func (f *followed) follow() (*rollup.Following, map[rollup.Key]*rollup.Cell) {
	f.t.Helper()
	cells := map[rollup.Key]*rollup.Cell{}
	following, err := f.store.Follow(f.t.Context(), followedApp, followedSeries, rollup.Day, 10, 12, into(cells))
	if err != nil {
		f.t.Fatal(err)
	}
	return following, cells
}

func into(cells map[rollup.Key]*rollup.Cell) func(rollup.Bucket, string, *rollup.Cell) error {
	return func(b rollup.Bucket, v string, c *rollup.Cell) error {
		rollup.Delta(cells).At(rollup.Key{Series: followedSeries, Grain: rollup.Day, Bucket: b, Value: v}).Merge(c)
		return nil
	}
}

func take(f *rollup.Following, cells map[rollup.Key]*rollup.Cell) bool {
	return f.Take(
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
		following, cells := f.follow()
		if following == nil {
			continue
		}
		began++
		for range 20 {
			if !take(following, cells) {
				t.Fatal("it ended")
			}
		}
		select {
		case <-done:
			writing = false
		default:
		}
		if writing {
			following.Stop()
			if take(following, cells) {
				t.Fatal("it goes on after its stop")
			}
			continue
		}
		if !take(following, cells) {
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
			f.commit(func(b *kv.Batch) error { return rollup.DeleteApp(b.Pebble(), followedApp) })
		},
		"users replaced": func(f *followed) {
			f.commit(func(b *kv.Batch) error {
				_, err := rollup.Rewrite(f.t.Context(), f.db.Reader(), b.Pebble(), followedApp, map[uint32]uint32{1: 2}, nil, 100)
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
			following, cells := f.follow()
			f.add(rollup.Delta{key: cell(3)})
			if !take(following, cells) {
				t.Fatal("it ended early")
			}
			change(f)
			f.add(rollup.Delta{key: cell(4)})
			if take(following, cells) {
				t.Error("it goes on")
			}
			if !following.Ended() {
				t.Error("it does not say so")
			}
		})
	}
	t.Run("while a batch is on its way", func(t *testing.T) {
		t.Parallel()
		f := openFollowed(t)
		b := f.db.NewBatch()
		defer b.Discard()
		if err := rollup.Write(b.Pebble(), followedApp, rollup.Delta{key: cell(1)}); err != nil {
			t.Fatal(err)
		}
		after := f.changes.Watch(b.Pebble())
		if following, _ := f.follow(); following != nil {
			t.Error("it begins")
		}
		after()
		if following, _ := f.follow(); following == nil {
			t.Error("it does not begin when the batch has ended")
		}
	})
	t.Run("other apps", func(t *testing.T) {
		t.Parallel()
		f := openFollowed(t)
		following, cells := f.follow()
		f.commit(func(b *kv.Batch) error { return rollup.DeleteApp(b.Pebble(), model.ID{8}) })
		if !take(following, cells) {
			t.Error("it ended")
		}
	})
}
