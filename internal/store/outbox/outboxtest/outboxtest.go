// Package outboxtest is the specification of outbox.Store as a test suite.
package outboxtest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
)

// Partitions is how many the stores under test are opened with.
const Partitions = 3

// Env is a store under test.
type Env struct {
	Store outbox.Store
	// Put commits a batch, with a watermark at its end.
	Put func(t *testing.T, b outbox.Batch)
	// Reopen closes the store and opens it again with what it holds.
	Reopen func() outbox.Store
}

// Run tests the stores that open makes.
func Run(t *testing.T, open func(t *testing.T) *Env) {
	t.Helper()
	t.Run("parts", func(t *testing.T) { parts(t, open(t)) })
	t.Run("the first and the last app of an offset", func(t *testing.T) { bounds(t, open(t)) })
	t.Run("large and many parts", func(t *testing.T) { many(t, open(t)) })
	t.Run("random operations match a model", func(t *testing.T) { random(t, open(t)) })
}

// Apps has apps in their order, some of which differ in the last byte only.
func apps() []model.AppID { return []model.AppID{{}, {11: 1}, {1}, {0: 1, 11: 0xff}, {0xff}} }

type entry struct {
	Offset uint64
	App    model.AppID
	Value  string
}

func (e *Env) parts(t *testing.T, partition uint16, from, before uint64) (out []entry) {
	t.Helper()
	err := e.Store.Parts(t.Context(), partition, from, before, func(offset uint64, app model.AppID, value []byte) (bool, error) {
		out = append(out, entry{offset, app, string(value)})
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (e *Env) users(t *testing.T, partition uint16) (out []entry) {
	t.Helper()
	err := e.Store.Users(t.Context(), partition, func(offset uint64, app model.AppID, value []byte) (bool, error) {
		out = append(out, entry{offset, app, string(value)})
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func batch(partition uint16, through uint64, parts ...string) outbox.Batch {
	b := outbox.Batch{Partition: partition, Through: through}
	for i, v := range parts {
		b.Parts = append(b.Parts, outbox.Stored{App: apps()[i], Value: []byte(v)})
	}
	return b
}

func parts(t *testing.T, e *Env) {
	t.Helper()
	ctx := t.Context()
	list := func() []uint16 {
		t.Helper()
		got, err := e.Store.Partitions(ctx)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		return got
	}
	same(t, "a new store", list(), []uint16{})
	e.Put(t, batch(0, 3, "a3", "b3\x00\xff"))
	e.Put(t, batch(2, 1, "other"))
	e.Put(t, batch(0, 300, "a300"))
	e.Put(t, batch(0, 301)) // nothing
	a, b := apps()[0], apps()[1]
	all := []entry{{3, a, "a3"}, {3, b, "b3\x00\xff"}, {300, a, "a300"}}
	same(t, "all", e.parts(t, 0, 0, math.MaxUint64), all)
	same(t, "from", e.parts(t, 0, 4, math.MaxUint64), all[2:])
	same(t, "from itself", e.parts(t, 0, 300, math.MaxUint64), all[2:])
	same(t, "before", e.parts(t, 0, 0, 300), all[:2])
	same(t, "none", e.parts(t, 1, 0, math.MaxUint64), []entry(nil))
	same(t, "partitions", list(), []uint16{0, 2})
	stop, n := errors.New("enough"), 0
	err := e.Store.Parts(ctx, 0, 0, math.MaxUint64, func(uint64, model.AppID, []byte) (bool, error) { n++; return true, stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("an error of the callback: %v after %d calls", err, n)
	}
	n = 0
	if err := e.Store.Parts(ctx, 0, 0, math.MaxUint64, func(uint64, model.AppID, []byte) (bool, error) { n++; return n < 2, nil }); err != nil || n != 2 {
		t.Errorf("a callback that has enough: %v after %d calls", err, n)
	}
	e.Store = e.Reopen()
	same(t, "after opening again", e.parts(t, 0, 0, math.MaxUint64), all)

	err = e.Store.Moved(ctx, outbox.Move{
		Partition: 0, From: 0, Before: 300, Users: []outbox.Stored{{App: b, Value: []byte("users")}}, Watermark: journal.Watermark{0: 299}, Durable: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "moved", e.parts(t, 0, 0, math.MaxUint64), all[2:])
	same(t, "noted users", e.users(t, 0), []entry{{299, b, "users"}})
	if err := e.Store.Moved(ctx, outbox.Move{Partition: 2, From: 0, Before: 2, Durable: true}); err != nil {
		t.Fatal(err)
	}
	same(t, "partitions after a move", list(), []uint16{0})
	e.Store = e.Reopen()
	same(t, "noted users after opening again", e.users(t, 0), []entry{{299, b, "users"}})
	if err := e.Store.Moved(ctx, outbox.Move{Partition: 0, From: 300, Before: 301}); err != nil {
		t.Fatal(err)
	}
	same(t, "a partition with users alone", list(), []uint16{0})
	if err := e.Store.ForgetUsers(ctx, 0, 299); err != nil {
		t.Fatal(err)
	}
	same(t, "users noted at an offset are not before it", e.users(t, 0), []entry{{299, b, "users"}})
	if err := e.Store.ForgetUsers(ctx, 0, 300); err != nil {
		t.Fatal(err)
	}
	same(t, "forgotten users", e.users(t, 0), []entry(nil))
	same(t, "nothing left", list(), []uint16{})
	if err := e.Store.Failed(); err != nil {
		t.Errorf("failed: %v", err)
	}
}

func many(t *testing.T, e *Env) {
	t.Helper()
	var want []entry
	for n := range 150 {
		b := outbox.Batch{Partition: 1, Through: uint64(n + 1)}
		for i, app := range apps() {
			v := fmt.Sprint(n, i)
			b.Parts = append(b.Parts, outbox.Stored{App: app, Value: []byte(v)})
			want = append(want, entry{b.Through, app, v})
		}
		e.Put(t, b)
	}
	same(t, "many", e.parts(t, 1, 0, math.MaxUint64), want)
	large := bytes.Repeat([]byte("0123456789abcde\x00"), 1<<16) // a megabyte
	e.Put(t, outbox.Batch{Partition: 2, Through: 1, Parts: []outbox.Stored{{App: apps()[1], Value: large}}})
	got := e.parts(t, 2, 0, math.MaxUint64)
	if len(got) != 1 || got[0].Value != string(large) {
		t.Error("a large part is not as it was put")
	}
}

// bounds reads from and up to an offset with the least and the greatest ids of apps.
func bounds(t *testing.T, e *Env) {
	t.Helper()
	least, greatest := model.AppID{}, model.AppID(bytes.Repeat([]byte{0xff}, len(model.AppID{})))
	e.Put(t, outbox.Batch{Through: 7, Parts: []outbox.Stored{{App: least, Value: []byte("least")}, {App: greatest, Value: []byte("greatest")}}})
	all := []entry{{7, least, "least"}, {7, greatest, "greatest"}}
	same(t, "from the offset", e.parts(t, 0, 7, math.MaxUint64), all)
	same(t, "from the next", e.parts(t, 0, 8, math.MaxUint64), []entry{})
	same(t, "before it", e.parts(t, 0, 0, 7), []entry{})
	same(t, "before the next", e.parts(t, 0, 0, 8), all)
}

// random compares with maps of what is there.
func random(t *testing.T, e *Env) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	type key struct {
		offset uint64
		app    model.AppID
	}
	queued, noted, end := [Partitions]map[key]string{}, [Partitions]map[key]string{}, [Partitions]uint64{}
	for i := range Partitions {
		queued[i], noted[i] = map[key]string{}, map[key]string{}
	}
	sorted := func(m map[key]string, from, before uint64) (out []entry) {
		for k, v := range m {
			if k.offset >= from && k.offset < before {
				out = append(out, entry{k.offset, k.app, v})
			}
		}
		slices.SortFunc(out, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.Offset, b.Offset), bytes.Compare(a.App[:], b.App[:]))
		})
		return out
	}
	for range 400 {
		p := r.IntN(Partitions)
		at := uint16(p) // few
		switch op := r.IntN(10); {
		case op < 4:
			end[p] += 1 + r.Uint64N(300)
			b := outbox.Batch{Partition: at, Through: end[p]}
			for _, app := range apps() {
				if r.IntN(2) == 0 {
					v := fmt.Sprint(r.Uint64())
					b.Parts = append(b.Parts, outbox.Stored{App: app, Value: []byte(v)})
					queued[p][key{end[p], app}] = v
				}
			}
			e.Put(t, b)
		case op < 6:
			m := outbox.Move{Partition: at, From: r.Uint64N(end[p] + 1), Durable: r.IntN(2) == 0}
			m.Before = max(m.From+r.Uint64N(end[p]+2), 1)
			maps.DeleteFunc(queued[p], func(k key, _ string) bool { return k.offset >= m.From && k.offset < m.Before })
			for _, app := range apps() {
				if r.IntN(3) == 0 {
					v := fmt.Sprint("u", r.Uint64())
					m.Users = append(m.Users, outbox.Stored{App: app, Value: []byte(v)})
					noted[p][key{m.Before - 1, app}] = v
				}
			}
			if err := e.Store.Moved(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		case op < 7:
			before := r.Uint64N(end[p] + 2)
			maps.DeleteFunc(noted[p], func(k key, _ string) bool { return k.offset < before })
			if err := e.Store.ForgetUsers(t.Context(), at, before); err != nil {
				t.Fatal(err)
			}
		case op < 8 && r.IntN(4) == 0:
			e.Store = e.Reopen()
		default:
			from, before := r.Uint64N(end[p]+1), r.Uint64N(end[p]+2)
			same(t, "parts", e.parts(t, at, from, before), sorted(queued[p], from, before))
			same(t, "users", e.users(t, at), sorted(noted[p], 0, math.MaxUint64))
		}
	}
}
