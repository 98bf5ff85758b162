// Package profiletest is the specification of profile.Store as a test suite.
package profiletest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// Env is a store under test.
type Env struct {
	Store profile.Store
	// Flush flushes the store into a batch. The function it returns ends the
	// batch: by commit, or by discarding it.
	Flush func() (end func(commit bool) error, err error)
	// Reopen closes the store and opens it again with what it holds.
	Reopen func() profile.Store
}

// Opener returns an environment with a new, empty store, closed by t's cleanup.
type Opener func(t *testing.T) *Env

// Run tests the stores that open makes.
func Run(t *testing.T, open Opener) {
	t.Helper()
	for _, tt := range []struct {
		name string
		run  func(t *testing.T, e *Env)
	}{
		{"readers see what is committed", visibility},
		{"profiles come back as they were", values},
		{"load gives one pointer in a batch", pointers},
		{"numbers and sequences", numbers},
		{"merges", merges},
		{"open sessions", sessions},
		{"fingerprints", fingerprints},
		{"deleting an app", deleteApp},
		{"random operations match a model", random},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

func (e *Env) commit(t *testing.T) {
	t.Helper()
	end, err := e.Flush()
	if err == nil {
		err = end(true)
	}
	if err != nil {
		t.Fatalf("commit: %v", err)
	}
}

func must[T any](t *testing.T) func(v T, err error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func app(n byte) model.AppID { return model.AppID{0: n, 11: 0xff} }

func id(n int) model.ProfileID { return model.NewProfileID("key", fmt.Sprint(n)) }

func (e *Env) put(t *testing.T, a model.AppID, p *model.Profile) {
	t.Helper()
	if err := e.Store.Put(a, p); err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) { // a tenth of the time
		return
	}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

func visibility(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	e.put(t, a, &model.Profile{ID: id(1), UID: 1, Dims: model.Dims{model.City: "Ulm"}})
	if _, err := e.Store.Get(t.Context(), a, id(1)); !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("before the commit: got %v, want ErrNotFound", err)
	}
	e.commit(t)
	got := must[*model.Profile](t)(e.Store.Get(t.Context(), a, id(1)))
	got.Dims[model.City] = "changed by the reader"
	p := must[*model.Profile](t)(e.Store.Load(a, id(1)))
	same(t, "a reader's copy is its own", p.Dims[model.City], "Ulm")
	p.Dims[model.City] = "Bern"
	e.put(t, a, p)
	same(t, "a running batch is not seen", must[*model.Profile](t)(e.Store.Get(t.Context(), a, id(1))).Dims[model.City], "Ulm")
	end := must[func(bool) error](t)(e.Flush())
	if err := end(false); err != nil {
		t.Fatal(err)
	}
	same(t, "after discarding", must[*model.Profile](t)(e.Store.Load(a, id(1))).Dims[model.City], "Ulm")
	p = must[*model.Profile](t)(e.Store.Load(a, id(1)))
	p.Dims[model.City] = "Bern"
	e.put(t, a, p)
	e.Store.Abandon()
	same(t, "after abandoning", must[*model.Profile](t)(e.Store.Load(a, id(1))).Dims[model.City], "Ulm")
	if _, err := e.Store.Get(t.Context(), app(2), id(1)); !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("another app: got %v, want ErrNotFound", err)
	}
}

func values(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	want := &model.Profile{
		ID: id(1), UID: 1, DID: "device\x00id \xff not UTF-8", Dims: model.Dims{model.Country: "CH"}, Loc: &[2]float64{47.3769, -8.5417},
		NoLocation: true, FirstSession: 1, LastActivity: 1 << 40, Sessions: 3, LastDuration: 0.1, TotalDuration: 1e300,
		Open: model.SessionState{ID: 1 << 63, Start: 1, Last: 2, Seconds: 2.5, Seen: 1_800_000_000_000}, LastEnd: -5,
		Name: "Ünïcode 😀", BirthYear: -1,
		Custom: map[string]any{
			"text": "\x00", "number": 1.5, "whole": float64(7), "big": 1e22, "tiny": 5e-324, "yes": true, "no": false,
			"list": []any{"a", 1.0, true, []any{}}, "": "", "bad \xfe": "\xfd", strings.Repeat("k", 3000): "long",
		},
		Consent: map[string]bool{"events": true, "views": false}, Campaign: map[string]string{"campaign_id": "x"},
		Extra: map[string]any{"push": []any{"t1"}}, State: 1<<32 - 1, StateHash: 1<<64 - 1,
	}
	e.put(t, a, want.Clone())
	e.commit(t)
	same(t, "read", must[*model.Profile](t)(e.Store.Get(t.Context(), a, id(1))), want)
	e.Store = e.Reopen()
	same(t, "loaded after reopening", must[*model.Profile](t)(e.Store.Load(a, id(1))), want)
}

func pointers(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	for i := range 50 { // more than a small cache holds
		e.put(t, a, &model.Profile{ID: id(i), UID: uint32(i) + 1})
	}
	e.commit(t)
	first := must[*model.Profile](t)(e.Store.Load(a, id(0)))
	first.Dims[model.City] = "kept"
	e.put(t, a, first)
	for i := range 50 {
		must[*model.Profile](t)(e.Store.Load(a, id(i)))
	}
	if again := must[*model.Profile](t)(e.Store.Load(a, id(0))); again != first {
		t.Error("a second load in the batch gave another pointer")
	}
	if byUID := must[*model.Profile](t)(e.Store.LoadUID(a, 1)); byUID != first {
		t.Error("a load by number gave another pointer")
	}
	e.commit(t)
	same(t, "committed", must[*model.Profile](t)(e.Store.Get(t.Context(), a, id(0))).Dims[model.City], "kept")
	if err := e.Store.Put(a, &model.Profile{ID: id(99)}); err == nil {
		t.Error("a profile without a number was taken")
	}
}

func numbers(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	uid := must[uint32](t)
	same(t, "first", uid(e.Store.NextUID(a)), uint32(1))
	same(t, "second", uid(e.Store.NextUID(a)), uint32(2))
	same(t, "state", uid(e.Store.NextState(a)), uint32(1))
	e.Store.Abandon()
	same(t, "after abandoning", uid(e.Store.NextUID(a)), uint32(1))
	same(t, "other app", uid(e.Store.NextUID(app(2))), uint32(1))
	e.put(t, a, &model.Profile{ID: id(1), UID: 1})
	e.put(t, a, &model.Profile{ID: id(1), UID: 1}) // again: still one
	same(t, "before the commit", must[profile.Sequence](t)(e.Store.Sequence(t.Context(), a)), profile.Sequence{})
	e.commit(t)
	same(t, "committed", must[profile.Sequence](t)(e.Store.Sequence(t.Context(), a)), profile.Sequence{UID: 1, Users: 1})
	e.Store = e.Reopen()
	same(t, "after reopening", uid(e.Store.NextUID(a)), uint32(2))
	if err := errors.Join(e.Store.Delete(a, id(1)), e.Store.Delete(a, id(1)), e.Store.Delete(a, id(5))); err != nil {
		t.Fatal(err)
	}
	e.commit(t)
	same(t, "after deleting", must[profile.Sequence](t)(e.Store.Sequence(t.Context(), a)), profile.Sequence{UID: 2})
	if _, err := e.Store.ByUID(t.Context(), a, 1); !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("number of a deleted profile: got %v", err)
	}
	// The id comes back under another number.
	e.put(t, a, &model.Profile{ID: id(1), UID: 3})
	if _, err := e.Store.LoadUID(a, 1); !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("old number in the batch: got %v", err)
	}
	same(t, "new number in the batch", must[*model.Profile](t)(e.Store.LoadUID(a, 3)).ID, id(1))
	e.commit(t)
	same(t, "new number", must[*model.Profile](t)(e.Store.ByUID(t.Context(), a, 3)).ID, id(1))
}

func merges(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	for i := 1; i <= 4; i++ {
		e.put(t, a, &model.Profile{ID: id(i), UID: uint32(i)})
	}
	e.commit(t)
	merge := func(from, to int) {
		t.Helper()
		if err := errors.Join(e.Store.Delete(a, id(from)), e.Store.PutAlias(a, uint32(from), uint32(to))); err != nil {
			t.Fatal(err)
		}
	}
	aliases := func() map[uint32]uint32 {
		t.Helper()
		return must[map[uint32]uint32](t)(e.Store.Aliases(t.Context(), a))
	}
	merge(1, 2)
	same(t, "in the batch", must[*model.Profile](t)(e.Store.LoadUID(a, 1)).UID, uint32(2))
	same(t, "before the commit", aliases(), map[uint32]uint32{})
	e.commit(t)
	old := aliases()
	same(t, "committed", old, map[uint32]uint32{1: 2})
	merge(2, 3)
	merge(3, 4)
	same(t, "resolved in the batch", must[uint32](t)(e.Store.Resolve(a, 1)), uint32(4))
	e.commit(t)
	same(t, "what a reader holds does not change", old, map[uint32]uint32{1: 2})
	same(t, "chains are followed", aliases(), map[uint32]uint32{1: 4, 2: 4, 3: 4})
	same(t, "by number", must[*model.Profile](t)(e.Store.ByUID(t.Context(), a, 1)).UID, uint32(4))
	e.Store = e.Reopen()
	same(t, "after reopening", aliases(), map[uint32]uint32{1: 4, 2: 4, 3: 4})
	if err := e.Store.RemoveAliases(a, 2, 3, 9); err != nil {
		t.Fatal(err)
	}
	same(t, "a chain stays whole", must[uint32](t)(e.Store.Resolve(a, 1)), uint32(4))
	e.commit(t)
	same(t, "after removing", aliases(), map[uint32]uint32{1: 4})
	for _, bad := range [][2]uint32{{4, 4}, {4, 1}, {0, 4}, {3, 0}} {
		if err := e.Store.PutAlias(a, bad[0], bad[1]); err == nil {
			t.Errorf("merging %d into %d was taken", bad[0], bad[1])
		}
	}
	same(t, "other app", must[map[uint32]uint32](t)(e.Store.Aliases(t.Context(), app(2))), map[uint32]uint32{})
}

func sessions(t *testing.T, e *Env) {
	t.Helper()
	open := func(a model.AppID, n int, seen int64) {
		t.Helper()
		e.put(t, a, &model.Profile{ID: id(n), UID: uint32(n), Open: model.SessionState{ID: uint64(n), Seen: seen}})
	}
	open(app(1), 1, 300)
	open(app(1), 2, 100)
	open(app(1), 3, 200)
	open(app(2), 4, 50)
	open(app(2), 5, 900)
	open(app(255), 6, 70)
	e.put(t, app(1), &model.Profile{ID: id(7), UID: 7}) // none open
	e.commit(t)
	expired := func(before int64, limit int) (uids []uint32) {
		t.Helper()
		for _, o := range must[[]profile.OpenSession](t)(e.Store.ExpiredSessions(t.Context(), before, limit)) {
			p := must[*model.Profile](t)(e.Store.Get(t.Context(), o.App, o.ID))
			same(t, "entry", []any{o.UID, o.Seen}, []any{p.UID, p.Open.Seen})
			uids = append(uids, o.UID)
		}
		return uids
	}
	online := func(a model.AppID, since int64, want int) {
		t.Helper()
		same(t, "online", must[int](t)(e.Store.Online(t.Context(), a, since)), want)
	}
	for since, want := range map[int64]int{0: 3, 100: 3, 101: 2, 300: 1, 301: 0} {
		online(app(1), since, want)
	}
	each := func(a model.AppID, since int64) (uids []uint32) {
		t.Helper()
		err := e.Store.EachOnline(t.Context(), a, since, func(o profile.OpenSession) error {
			uids = append(uids, o.UID)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return uids
	}
	same(t, "online of all", each(model.AppID{}, 100), []uint32{2, 3, 1, 5})
	same(t, "online of all since ever", each(model.AppID{}, 0), []uint32{2, 3, 1, 4, 5, 6})
	same(t, "online of one", each(app(1), 101), []uint32{3, 1})
	same(t, "online of the last one", each(app(255), 0), []uint32{6})
	same(t, "online of none", each(app(254), 0), []uint32(nil))
	stop := errors.New("enough")
	if err := e.Store.EachOnline(t.Context(), model.AppID{}, 0, func(profile.OpenSession) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v, want what fn returned", err)
	}
	online(app(2), 51, 1)
	online(app(254), 0, 0)
	online(app(255), 0, 1)
	same(t, "none", expired(50, 99), []uint32{})
	same(t, "some", expired(201, 99), []uint32{2, 3, 4, 6})
	same(t, "all", expired(1000, 99), []uint32{2, 3, 1, 4, 5, 6})
	same(t, "limit", expired(1000, 4), []uint32{2, 3, 1, 4})
	p := must[*model.Profile](t)(e.Store.Load(app(1), id(2)))
	p.Open.Seen = 500
	e.put(t, app(1), p)
	p = must[*model.Profile](t)(e.Store.Load(app(1), id(3)))
	p.Open = model.SessionState{}
	e.put(t, app(1), p)
	if err := e.Store.Delete(app(2), id(4)); err != nil {
		t.Fatal(err)
	}
	e.commit(t)
	same(t, "moved, closed, deleted", expired(1000, 99), []uint32{1, 2, 5, 6})
	online(app(1), 400, 1)
	online(app(1), 0, 2)
	online(app(2), 0, 1)
	e.Store = e.Reopen()
	p = must[*model.Profile](t)(e.Store.Load(app(1), id(2)))
	p.Open.Seen = 501
	e.put(t, app(1), p)
	e.Store.DeleteApp(app(255))
	e.commit(t)
	same(t, "moved again", expired(1000, 99), []uint32{1, 2, 5})
}

func fingerprints(t *testing.T, e *Env) {
	t.Helper()
	a, f := app(1), profile.Fingerprint{1, 2, 3}
	seen := func(days ...uint16) bool {
		t.Helper()
		return must[bool](t)(e.Store.Seen(a, f, days...))
	}
	stored := func(days ...uint16) bool {
		t.Helper()
		return must[bool](t)(e.Store.Remembered(a, f, days...))
	}
	e.Store.Remember(a, 10, f)
	same(t, "in the batch", []bool{seen(10), seen(9, 10), seen(9), seen()}, []bool{true, true, false, false})
	same(t, "stored in the batch", stored(10), false)
	e.Store.Abandon()
	same(t, "after abandoning", seen(10), false)
	e.Store.Remember(a, 10, f)
	e.Store.Remember(a, 12, f)
	end := must[func(bool) error](t)(e.Flush())
	same(t, "while committing", seen(10), true)
	if err := end(true); err != nil {
		t.Fatal(err)
	}
	same(t, "committed", []bool{seen(10), seen(11), seen(11, 12)}, []bool{true, false, true})
	same(t, "stored", []bool{stored(10), stored(11), stored(11, 12), stored()}, []bool{true, false, true, false})
	same(t, "stored for another app", must[bool](t)(e.Store.Remembered(app(2), f, 10)), false)
	same(t, "another stored", must[bool](t)(e.Store.Remembered(a, profile.Fingerprint{9}, 10)), false)
	same(t, "other app", must[bool](t)(e.Store.Seen(app(2), f, 10)), false)
	same(t, "other fingerprint", must[bool](t)(e.Store.Seen(a, profile.Fingerprint{9}, 10)), false)
	e.Store.ForgetBefore(12)
	e.Store.ForgetBefore(11)
	e.commit(t)
	same(t, "forgotten", []bool{seen(10), seen(12)}, []bool{false, true})
	same(t, "stored and forgotten", []bool{stored(10), stored(12)}, []bool{false, true})
	e.Store = e.Reopen()
	if stored(10) {
		t.Error("a forgotten fingerprint is stored again")
	}
}

func deleteApp(t *testing.T, e *Env) {
	t.Helper()
	a, f := app(1), profile.Fingerprint{1}
	fill := func(a model.AppID) {
		t.Helper()
		for i := 1; i <= 3; i++ {
			uid := must[uint32](t)(e.Store.NextUID(a))
			e.put(t, a, &model.Profile{ID: id(i), UID: uid, Open: model.SessionState{ID: 1, Seen: 1}})
		}
		if err := errors.Join(e.Store.Delete(a, id(3)), e.Store.PutAlias(a, 3, 1)); err != nil {
			t.Fatal(err)
		}
		e.Store.Remember(a, 5, f)
		e.Store.Remember(a, 1<<16-1, f)
	}
	fill(a)
	fill(app(0xff))
	fill(app(2))
	e.commit(t)
	must[*model.Profile](t)(e.Store.Load(a, id(1)))
	e.Store.DeleteApp(a)
	if _, err := e.Store.Load(a, id(1)); !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("load in the batch: got %v", err)
	}
	if _, err := e.Store.LoadUID(a, 2); !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("load by number in the batch: got %v", err)
	}
	same(t, "seen in the batch", must[bool](t)(e.Store.Seen(a, f, 5)), false)
	same(t, "resolve in the batch", must[uint32](t)(e.Store.Resolve(a, 3)), uint32(3))
	// What comes after it in the same batch stays.
	e.put(t, a, &model.Profile{ID: id(2), UID: must[uint32](t)(e.Store.NextUID(a)), Dims: model.Dims{model.City: "new"}})
	e.Store.Remember(a, 6, f)
	e.commit(t)
	same(t, "sequence", must[profile.Sequence](t)(e.Store.Sequence(t.Context(), a)), profile.Sequence{UID: 1, Users: 1})
	var left []string
	err := e.Store.Scan(t.Context(), a, func(p *model.Profile) error {
		left = append(left, fmt.Sprint(p.UID, p.Dims[model.City]))
		return nil
	})
	same(t, "profiles", left, []string{"1new"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "seen", []bool{must[bool](t)(e.Store.Seen(a, f, 5, 1<<16-1)), must[bool](t)(e.Store.Seen(a, f, 6))}, []bool{false, true})
	same(t, "aliases", must[map[uint32]uint32](t)(e.Store.Aliases(t.Context(), a)), map[uint32]uint32{})
	for _, other := range []model.AppID{app(2), app(0xff)} {
		same(t, "another app", must[profile.Sequence](t)(e.Store.Sequence(t.Context(), other)), profile.Sequence{UID: 3, Users: 2})
		same(t, "its alias", must[map[uint32]uint32](t)(e.Store.Aliases(t.Context(), other)), map[uint32]uint32{3: 1})
		same(t, "its fingerprint", must[bool](t)(e.Store.Seen(other, f, 1<<16-1)), true)
	}
	n := len(must[[]profile.OpenSession](t)(e.Store.ExpiredSessions(t.Context(), 100, 99)))
	same(t, "open sessions of the others", n, 4)
}

// modelApp is the naive store of one app.
type modelApp struct {
	profiles map[model.ProfileID]*model.Profile
	seq      profile.Sequence
	aliases  map[uint32]uint32
	prints   map[string]bool
}

func (m *modelApp) clone() *modelApp {
	c := &modelApp{profiles: map[model.ProfileID]*model.Profile{}, seq: m.seq, aliases: maps.Clone(m.aliases), prints: maps.Clone(m.prints)}
	for id, p := range m.profiles {
		c.profiles[id] = p.Clone()
	}
	return c
}

func newModelApp() *modelApp {
	return (&modelApp{aliases: map[uint32]uint32{}, prints: map[string]bool{}}).clone()
}

func (m *modelApp) resolve(uid uint32) uint32 {
	for m.aliases[uid] != 0 {
		uid = m.aliases[uid]
	}
	return uid
}

func cloneAll(ms []*modelApp) []*modelApp {
	out := make([]*modelApp, len(ms))
	for i := range ms {
		out[i] = ms[i].clone()
	}
	return out
}

// random drives two apps through batches whose commits overlap the next batch,
// beside a model of three states: committed, being committed, running.
func random(t *testing.T, e *Env) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	committed := []*modelApp{newModelApp(), newModelApp()}
	running := cloneAll(committed)
	var flushed []*modelApp
	var end func(bool) error
	finish := func(ok bool) {
		if end == nil {
			return
		}
		if err := end(ok); err != nil {
			t.Fatal(err)
		}
		if ok {
			committed = flushed
		} else {
			running = cloneAll(committed)
		}
		end, flushed = nil, nil
	}
	for step := range 3000 {
		n := rng.IntN(2)
		if rng.IntN(5) == 0 {
			ahead(t, e, app(byte(n)), rng)
		}
		a, m, pid := app(byte(n)), running[n], id(rng.IntN(12))
		switch op := rng.IntN(100); {
		case op < 35: // a new or changed profile
			p, err := e.Store.Load(a, pid)
			if want := m.profiles[pid]; want == nil {
				if !errors.Is(err, profile.ErrNotFound) {
					t.Fatalf("step %d: load: got %v, want ErrNotFound", step, err)
				}
				p = &model.Profile{ID: pid, UID: must[uint32](t)(e.Store.NextUID(a))}
				m.seq.UID++
				m.seq.Users++
				same(t, "number", p.UID, m.seq.UID)
			} else {
				same(t, fmt.Sprintf("step %d: load", step), must[*model.Profile](t)(p, err), want)
			}
			p.Sessions++
			p.Dims[model.City] = fmt.Sprint(rng.IntN(5))
			p.Open = model.SessionState{}
			if rng.IntN(2) == 0 {
				p.Open = model.SessionState{ID: uint64(step) + 1, Seen: rng.Int64N(100)}
			}
			m.profiles[pid] = p.Clone()
			e.put(t, a, p)
		case op < 45:
			if err := e.Store.Delete(a, pid); err != nil {
				t.Fatal(err)
			}
			if m.profiles[pid] != nil {
				m.seq.Users--
				delete(m.profiles, pid)
			}
		case op < 50: // merge
			into := m.profiles[id(rng.IntN(12))]
			if from := m.profiles[pid]; from != nil && into != nil && from != into {
				if err := errors.Join(e.Store.Delete(a, pid), e.Store.PutAlias(a, from.UID, into.UID)); err != nil {
					t.Fatalf("step %d: %v", step, err)
				}
				m.aliases[from.UID] = into.UID
				m.seq.Users--
				delete(m.profiles, pid)
			}
		case op < 52:
			var gone []uint32
			for _, old := range slices.Sorted(maps.Keys(m.aliases)) {
				if rng.IntN(3) == 0 {
					gone = append(gone, old)
				}
			}
			if err := e.Store.RemoveAliases(a, gone...); err != nil {
				t.Fatal(err)
			}
			for old := range m.aliases {
				m.aliases[old] = m.resolve(old)
			}
			for _, old := range gone {
				delete(m.aliases, old)
			}
		case op < 60:
			uid := uint32(rng.IntN(int(m.seq.UID) + 2))
			p, err := e.Store.LoadUID(a, uid)
			var want *model.Profile
			for _, q := range m.profiles {
				if q.UID == m.resolve(uid) {
					want = q
				}
			}
			if want == nil && !errors.Is(err, profile.ErrNotFound) || want != nil && err != nil {
				t.Fatalf("step %d: load number %d: got %v", step, uid, err)
			}
			if want != nil {
				same(t, fmt.Sprintf("step %d: load number %d", step, uid), p, want)
			}
		case op < 68:
			f, day := profile.Fingerprint{byte(rng.IntN(4))}, uint16(rng.IntN(3))
			key := fmt.Sprint(day, f)
			same(t, fmt.Sprintf("step %d: seen", step), must[bool](t)(e.Store.Seen(a, f, day)), m.prints[key])
			e.Store.Remember(a, day, f)
			m.prints[key] = true
		case op < 69:
			e.Store.DeleteApp(a)
			running[n] = newModelApp()
		case op < 78:
			finish(true)
			var err error
			if end, err = e.Flush(); err != nil {
				t.Fatalf("step %d: flush: %v", step, err)
			}
			flushed = cloneAll(running)
		case op < 84:
			finish(true)
		case op < 85:
			finish(false)
		case op < 86:
			finish(true)
			e.Store.Abandon()
			running = cloneAll(committed)
		case op < 87:
			finish(true)
			e.Store = e.Reopen()
			running = cloneAll(committed)
		default:
			readers(t, step, e, committed)
		}
	}
	finish(true)
}

// ahead says what may be asked for next. It must change no answer.
func ahead(t *testing.T, e *Env, a model.AppID, rng *rand.Rand) {
	t.Helper()
	err := e.Store.Ahead(t.Context(), a, func() (ids []model.ProfileID, prints []profile.Print) {
		for i := range 15 {
			ids = append(ids, id(i))
		}
		for range 6 {
			prints = append(prints, profile.Print{Day: uint16(rng.IntN(4)), Hash: profile.Fingerprint{byte(rng.IntN(5))}}) // few
		}
		return ids, prints
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readers compares all that readers can ask with the committed state.
func readers(t *testing.T, step int, e *Env, committed []*modelApp) {
	t.Helper()
	type open struct {
		App  byte
		Seen int64
		UID  uint32
	}
	var wantOpen, gotOpen []open
	for n, m := range committed {
		a := app(byte(n))
		what := func(s string) string { return fmt.Sprintf("step %d, app %d: %s", step, n, s) }
		got := map[model.ProfileID]*model.Profile{}
		if err := e.Store.Scan(t.Context(), a, func(p *model.Profile) error { got[p.ID] = p; return nil }); err != nil {
			t.Fatal(err)
		}
		same(t, what("profiles"), got, m.profiles)
		same(t, what("sequence"), must[profile.Sequence](t)(e.Store.Sequence(t.Context(), a)), m.seq)
		wantAliases := map[uint32]uint32{}
		for old := range m.aliases {
			wantAliases[old] = m.resolve(old)
		}
		same(t, what("aliases"), must[map[uint32]uint32](t)(e.Store.Aliases(t.Context(), a)), wantAliases)
		for _, p := range m.profiles {
			same(t, what("get"), must[*model.Profile](t)(e.Store.Get(t.Context(), a, p.ID)), p)
			same(t, what("by number"), must[*model.Profile](t)(e.Store.ByUID(t.Context(), a, p.UID)), p)
			if p.Open.ID != 0 && p.Open.Seen < 50 {
				wantOpen = append(wantOpen, open{byte(n), p.Open.Seen, p.UID})
			}
		}
	}
	for _, o := range must[[]profile.OpenSession](t)(e.Store.ExpiredSessions(t.Context(), 50, 1000)) {
		gotOpen = append(gotOpen, open{o.App[0], o.Seen, o.UID})
	}
	byTime := func(a, b open) int { // the order of those seen at the same time is open
		return int(a.App)*1_000_000 + int(a.Seen)*1000 + int(a.UID) - int(b.App)*1_000_000 - int(b.Seen)*1000 - int(b.UID)
	}
	if !slices.IsSortedFunc(gotOpen, func(a, b open) int { return int(a.App)*1000 + int(a.Seen) - int(b.App)*1000 - int(b.Seen) }) {
		t.Fatalf("step %d: expired sessions are out of order: %v", step, gotOpen)
	}
	slices.SortFunc(wantOpen, byTime)
	slices.SortFunc(gotOpen, byTime)
	same(t, fmt.Sprintf("step %d: expired sessions", step), gotOpen, wantOpen)
}
