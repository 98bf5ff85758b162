// Package statetest is the specification of state.Store as a test suite.
package statetest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// Partitions is how many the states under test are opened with.
const Partitions = 3

// Env is a state under test.
type Env struct {
	State    state.Store
	Outbox   outbox.Store
	Profiles profile.Store
	Schema   schema.Store
	// Cells reads all cells of an app, brought to where they lie.
	Cells func(t *testing.T, app model.AppID) map[rollup.Key]rollup.Cell
	// Reopen closes the state and opens it again with what it holds.
	Reopen func() *Env
}

// Run tests the states that open makes.
func Run(t *testing.T, open func(t *testing.T) *Env) {
	t.Helper()
	for _, tt := range []struct {
		name string
		run  func(t *testing.T, e *Env)
	}{
		{"a change is whole", whole},
		{"a change that cannot be stored leaves nothing", refused},
		{"watermarks", watermarks},
		{"functions at the end", ends},
		{"begun changes", begun},
		{"cells", cells},
		{"numbers of merged users", replaced},
		{"random changes match a model", random},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

// in returns an app of each partition, and the partition's number.
func in(partition uint16, n byte) model.AppID {
	for i := range math.MaxUint8 {
		if id := (model.AppID{0: n, 11: byte(i)}); journal.Routing(id)%Partitions == uint64(partition) {
			return id
		}
	}
	panic("no app of the partition")
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(rollup.Cell{}, "Users")); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fill adds what the stores flush.
func (e *Env) fill(t *testing.T, c *state.Change) *state.Change {
	t.Helper()
	profiles, end, err := e.Profiles.Flush()
	check(t, err)
	c.Profiles = profiles
	c.OnEnd(end)
	known, end, err := e.Schema.Flush()
	check(t, err)
	c.Schema = known
	c.OnEnd(end)
	return c
}

// users is the series of the cells.
var users = rollup.Series{Metric: rollup.Users}

func counted(n int64) rollup.Delta {
	return rollup.Delta{rollup.Key{Series: users, Grain: rollup.Day, Bucket: 20_000}: {Count: n, First: 1}}
}

// put changes something of everything of an app.
func (e *Env) put(t *testing.T, partition uint16, offset uint64) *state.Change {
	t.Helper()
	app := in(partition, 1)
	uid, err := e.Profiles.NextUID(app)
	check(t, err)
	p := &model.Profile{ID: model.NewProfileID("key", fmt.Sprint(uid)), UID: uid, DID: "device"}
	check(t, e.Profiles.Put(app, p))
	e.Profiles.Remember(app, 100, profile.Fingerprint{byte(uid)})
	w, err := e.Schema.App(app)
	check(t, err)
	w.AddEvent(fmt.Sprint("event", uid))
	return e.fill(t, &state.Change{
		Apps:      []state.App{{ID: app, Cells: counted(1), Settings: []byte(fmt.Sprint(offset))}},
		Rows:      outbox.Batch{Partition: partition, Through: offset, Parts: []outbox.Stored{{App: app, Value: []byte(fmt.Sprint(offset))}}},
		Watermark: journal.Watermark{partition: offset},
	})
}

// holds requires that so many changes of put are stored of a partition, and the last watermark.
func (e *Env) holds(t *testing.T, what string, partition uint16, changes int, offset uint64) {
	t.Helper()
	ctx, app := t.Context(), in(partition, 1)
	seq, err := e.Profiles.Sequence(ctx, app)
	check(t, err)
	n := 0
	check(t, e.Profiles.Scan(ctx, app, func(*model.Profile) error { n++; return nil }))
	prints := 0
	for i := range changes + 2 {
		seen, err := e.Profiles.Seen(app, profile.Fingerprint{byte(i)}, 100)
		check(t, err)
		if seen {
			prints++
		}
	}
	parts := 0
	check(t, e.Outbox.Parts(ctx, partition, 0, math.MaxUint64, func(uint64, model.AppID, []byte) (bool, error) { parts++; return true, nil }))
	settings, err := e.State.Settings(app)
	check(t, err)
	w, err := e.State.Watermark(ctx)
	check(t, err)
	sum := int64(0)
	for _, c := range e.Cells(t, app) {
		sum += c.Count
	}
	text := ""
	if offset > 0 {
		text = fmt.Sprint(offset)
	}
	same(t, what+": number, profiles, prints, events, parts, cells, settings, watermark",
		[]any{int(seq.UID), n, prints, len(e.Schema.Events(app)), parts, int(sum), string(settings), w[partition]},
		[]any{changes, changes, changes, changes, changes, changes, text, offset})
}

func whole(t *testing.T, e *Env) {
	t.Helper()
	e.holds(t, "new", 1, 0, 0)
	check(t, e.State.Commit(t.Context(), e.put(t, 1, 7)))
	e.holds(t, "committed", 1, 1, 7)
	e = e.Reopen()
	e.holds(t, "after opening again", 1, 1, 7)
	check(t, e.State.Commit(t.Context(), e.put(t, 1, 8)))
	e.holds(t, "committed again", 1, 2, 8)
	e.holds(t, "another partition", 2, 0, 0)
	check(t, e.State.Commit(t.Context(), e.put(t, 2, 1)))
	e.holds(t, "another partition, committed", 2, 1, 1)
	e.holds(t, "the first", 1, 2, 8)
	check(t, e.State.Failed())
}

// refused commits what has no stored form.
func refused(t *testing.T, e *Env) {
	t.Helper()
	check(t, e.State.Commit(t.Context(), e.put(t, 1, 7)))
	app := in(1, 1)
	for _, commit := range []func(*state.Change) error{
		func(c *state.Change) error { return e.State.Commit(t.Context(), c) },
		func(c *state.Change) error { _, err := e.State.Begin(t.Context(), c); return err },
	} {
		check(t, e.Profiles.Put(app, &model.Profile{ID: model.ProfileID{9}, UID: 9, Custom: map[string]any{"no": struct{}{}}}))
		c, told := e.put(t, 1, 8), []bool{}
		c.OnEnd(func(ok bool) { told = append(told, ok) })
		if err := commit(c); err == nil {
			t.Error("a profile of what no profile holds was stored")
		}
		same(t, "told", told, []bool{false})
	}
	e.holds(t, "afterwards", 1, 1, 7)
	check(t, e.State.Commit(t.Context(), e.put(t, 1, 8)))
	e.holds(t, "the next", 1, 2, 8)
}

func watermarks(t *testing.T, e *Env) {
	t.Helper()
	mark := func(what string, want journal.Watermark) {
		t.Helper()
		got, err := e.State.Watermark(t.Context())
		check(t, err)
		same(t, what, got, want)
	}
	mark("new", journal.Watermark{})
	check(t, e.State.Commit(t.Context(), &state.Change{Watermark: journal.Watermark{0: 5, 2: 1 << 47}}))
	mark("two", journal.Watermark{0: 5, 2: 1 << 47})
	check(t, e.State.Commit(t.Context(), &state.Change{Watermark: journal.Watermark{0: 5}, RowsMark: journal.Watermark{0: 4}}))
	mark("the same again", journal.Watermark{0: 5, 2: 1 << 47})
	check(t, e.State.Commit(t.Context(), &state.Change{Watermark: journal.Watermark{1: 1, 0: 6}}))
	mark("those that are not named stay", journal.Watermark{0: 6, 1: 1, 2: 1 << 47})
	check(t, e.State.Commit(t.Context(), &state.Change{}))
	mark("nothing changes", journal.Watermark{0: 6, 1: 1, 2: 1 << 47})
	e = e.Reopen()
	mark("after opening again", journal.Watermark{0: 6, 1: 1, 2: 1 << 47})
}

func ends(t *testing.T, e *Env) {
	t.Helper()
	var told []string
	c := &state.Change{Watermark: journal.Watermark{0: 1}}
	for _, name := range []string{"a", "b"} {
		c.OnEnd(func(ok bool) { told = append(told, fmt.Sprint(name, ok)) })
	}
	check(t, e.State.Commit(t.Context(), c))
	same(t, "told", told, []string{"atrue", "btrue"})
}

// begun changes what a change refers to as soon as it is taken in.
func begun(t *testing.T, e *Env) {
	t.Helper()
	app := in(1, 1)
	p := &model.Profile{ID: model.ProfileID{1}, UID: 1, DID: "before"}
	check(t, e.Profiles.Put(app, p))
	value, settings, told := []byte("part"), []byte("settings"), false
	c := e.fill(t, &state.Change{
		Apps: []state.App{{ID: app, Settings: settings, Cells: counted(1)}}, Watermark: journal.Watermark{1: 1},
		Rows: outbox.Batch{Partition: 1, Through: 1, Parts: []outbox.Stored{{App: app, Value: value}}},
	})
	c.OnEnd(func(bool) { told = true })
	ended, err := e.State.Begin(t.Context(), c)
	check(t, err)
	p.DID = "after"
	copy(value, "xxxx")
	copy(settings, "xxxxxxxx")
	clear(c.Apps[0].Cells)
	check(t, <-ended)
	if !told {
		t.Error("the change ended before its functions were called")
	}
	e = e.Reopen()
	got, err := e.Profiles.Get(t.Context(), app, p.ID)
	check(t, err)
	text, err := e.State.Settings(app)
	check(t, err)
	var part string
	check(t, e.Outbox.Parts(t.Context(), 1, 0, 9, func(_ uint64, _ model.AppID, v []byte) (bool, error) { part = string(v); return true, nil }))
	same(t, "stored", []any{got.DID, string(text), part, len(e.Cells(t, app))}, []any{"before", "settings", "part", 1})
}

func cells(t *testing.T, e *Env) {
	t.Helper()
	app, other := in(1, 1), in(1, 2)
	at := uint64(0)
	commit := func(apps ...state.App) {
		t.Helper()
		at++
		check(t, e.State.Commit(t.Context(), &state.Change{Apps: apps, Watermark: journal.Watermark{1: at}}))
	}
	count := func(app model.AppID) (n int64) {
		t.Helper()
		for _, c := range e.Cells(t, app) {
			n += c.Count
		}
		return n
	}
	commit(state.App{ID: app, Cells: counted(5)}, state.App{ID: other, Cells: counted(100)})
	commit(state.App{ID: app, Cells: counted(2)})
	same(t, "added", count(app), int64(7))
	commit(state.App{ID: app, Remove: []rollup.Removal{rollup.RemoveSeries{Series: users}}, Cells: counted(3)})
	same(t, "removed before what comes with it", count(app), int64(3))
	commit(state.App{ID: app, Cells: counted(1)}, state.App{ID: other, Remove: []rollup.Removal{rollup.RemoveApp{}}})
	same(t, "of both", []int64{count(app), count(other)}, []int64{4, 0})
	e = e.Reopen()
	same(t, "after opening again", count(app), int64(4))
	commit(state.App{ID: app, Remove: []rollup.Removal{rollup.RemoveFrom{Metric: rollup.Users, From: map[rollup.Grain]rollup.Bucket{rollup.Day: 20_001}}}})
	same(t, "of other days", count(app), int64(4))
}

// replaced replaces numbers, twice.
func replaced(t *testing.T, e *Env) {
	t.Helper()
	app := in(1, 1)
	d := counted(1)
	for _, c := range d {
		for uid := range uint32(9) {
			c.AddUser(uid + 1)
		}
	}
	check(t, e.State.Commit(t.Context(), &state.Change{Apps: []state.App{{ID: app, Cells: d}}, Watermark: journal.Watermark{1: 1}}))
	for range 2 {
		check(t, e.State.ReplaceUsers(t.Context(), app, map[uint32]uint32{1: 9, 2: 9, 3: 4}))
	}
	check(t, e.State.ReplaceUsers(t.Context(), app, nil))
	check(t, e.State.Commit(t.Context(), &state.Change{Watermark: journal.Watermark{1: 2}}))
	e = e.Reopen()
	for _, c := range e.Cells(t, app) {
		same(t, "users", c.Users.ToArray(), []uint32{4, 5, 6, 7, 8, 9})
	}
}

// random commits changes of several partitions, opens the state again now and then, and compares with what was committed.
func random(t *testing.T, e *Env) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	changes, offsets := map[uint16]int{}, map[uint16]uint64{}
	for range 60 {
		p := uint16(r.IntN(Partitions)) // few
		next := offsets[p] + 1 + r.Uint64N(1000)
		switch op := r.IntN(10); {
		case op < 3:
			check(t, e.State.Commit(t.Context(), e.put(t, p, next)))
			changes[p], offsets[p] = changes[p]+1, next
		case op < 6:
			ended, err := e.State.Begin(t.Context(), e.put(t, p, next))
			check(t, err)
			check(t, <-ended)
			changes[p], offsets[p] = changes[p]+1, next
		case op < 7:
			c := e.put(t, p, next)
			c.End(false)
		case op < 8:
			e = e.Reopen()
		default:
			e.holds(t, fmt.Sprint("partition ", p), p, changes[p], offsets[p])
		}
	}
	for _, p := range slices.Sorted(maps.Keys(changes)) {
		e.holds(t, fmt.Sprint("at the end, partition ", p), p, changes[p], offsets[p])
	}
}

// Commit returns a function that commits changes of apps, one record after the other, for suites of what a state holds.
func Commit(at journal.Watermark, current func() state.Store) func(t *testing.T, apps ...state.App) {
	return func(t *testing.T, apps ...state.App) {
		t.Helper()
		for i := range apps {
			at[uint16(journal.Routing(apps[i].ID)%Partitions)]++
		}
		check(t, current().Commit(t.Context(), &state.Change{Apps: apps, Watermark: at.Clone()}))
	}
}
