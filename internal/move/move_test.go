package move_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/move"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/marks"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// held is what either side holds of apps, in memory.
type held struct {
	rows     map[model.AppID][]events.Row
	requests map[model.AppID][]events.RequestRow
	states   map[model.AppID][]events.State
	users    map[model.AppID]map[model.ProfileID]model.Profile
	mirrored map[model.AppID]map[uint32]bool
	cells    map[model.AppID]rollup.Delta
	prints   map[model.AppID]map[profile.Print]int // how often each was put
	seq      map[model.AppID]profile.Sequence
	schema   map[model.AppID][]schema.AppChange
}

func newHeld() *held {
	return &held{
		map[model.AppID][]events.Row{},
		map[model.AppID][]events.RequestRow{},
		map[model.AppID][]events.State{},
		map[model.AppID]map[model.ProfileID]model.Profile{},
		map[model.AppID]map[uint32]bool{},
		map[model.AppID]rollup.Delta{},
		map[model.AppID]map[profile.Print]int{},
		map[model.AppID]profile.Sequence{},
		map[model.AppID][]schema.AppChange{},
	}
}

// source reads what is held, as the stores of a folder do.
type source struct {
	rowReader
	profileReader
	*held
}

// rowReader and profileReader are what source does not need to have.
type (
	rowReader     struct{ events.Reader }
	profileReader struct{ profile.Reader }
)

func (s source) ScanRows(_ context.Context, app model.AppID, after events.Place, fn func(*events.Row) error) error {
	for _, r := range s.rows[app] {
		if r.Offset < after.Offset || r.Offset == after.Offset && r.Item <= after.Item {
			continue
		}
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

func (s source) ScanRequests(_ context.Context, app model.AppID, after events.Place, fn func(*events.RequestRow) error) error {
	for _, r := range s.requests[app] {
		if r.Offset < after.Offset || r.Offset == after.Offset && r.Item <= after.Item {
			continue
		}
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

func (s source) ScanStates(_ context.Context, app model.AppID, after uint32, fn func(*events.State) error) error {
	for _, r := range s.states[app] {
		if r.Number <= after {
			continue
		}
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

func (s source) Scan(_ context.Context, app model.AppID, fn func(*model.Profile) error) error {
	ids := slices.SortedFunc(maps.Keys(s.users[app]), func(a, b model.ProfileID) int { return slices.Compare(a[:], b[:]) })
	for _, id := range ids {
		p := s.users[app][id]
		if err := fn(&p); err != nil {
			return err
		}
	}
	return nil
}

func (s source) Sequence(_ context.Context, app model.AppID) (profile.Sequence, error) {
	return s.seq[app], nil
}

func (s source) Aliases(context.Context, model.AppID) (map[uint32]uint32, error) {
	return map[uint32]uint32{900: 1}, nil
}

func (s source) EachPrint(_ context.Context, fn func(model.AppID, profile.Print) error) error {
	for _, app := range sortedApps(s.prints) {
		list := slices.SortedFunc(maps.Keys(s.prints[app]), func(a, b profile.Print) int {
			return cmp.Or(cmp.Compare(a.Day, b.Day), slices.Compare(a.Hash[:], b.Hash[:]))
		})
		for _, p := range list {
			if err := fn(app, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s source) ScanApp(_ context.Context, app model.AppID, fn func(rollup.Key, *rollup.Cell) error) error {
	for _, k := range slices.SortedFunc(maps.Keys(s.cells[app]), func(a, b rollup.Key) int { return cmp.Compare(a.Value, b.Value) }) {
		if err := fn(k, s.cells[app][k]); err != nil {
			return err
		}
	}
	return nil
}

func (s source) Export(_ context.Context, app model.AppID) (schema.AppChange, error) {
	return schema.AppChange{App: app, Counters: &schema.Counters{ID: 3}, Values: []schema.NewValues{{Segment: schema.SegmentID{Event: 1, Segment: 1}, First: 1, Texts: []string{"a", "b"}}}}, nil
}

func (s source) Marks(model.AppID) (marks.Marks, error) { return marks.Marks{Deleted: 2}, nil }
func (s source) Settings(model.AppID) ([]byte, error)   { return []byte(`{"x":1}`), nil }
func sortedApps[T any](m map[model.AppID]T) []model.AppID {
	return slices.SortedFunc(maps.Keys(m), func(a, b model.AppID) int { return slices.Compare(a[:], b[:]) })
}

// errBreak is a break of a move.
var errBreak = errors.New("broke off")

// target takes what is copied. It breaks off at random, before or after it has stored something.
type target struct {
	t    *testing.T
	r    *rand.Rand
	rate int // one call of so many breaks off; 0 = none
	of   func(model.AppID) uint16
	*held
	at, rowsAt journal.Watermark
	noted      journal.Watermark // where commits of rows that broke off have to end
	largest    int
	commits    int // of rows
}

func (g *target) breaks() bool { return g.rate > 0 && g.r.IntN(g.rate) == 0 }

// stored is the state.Store, and rowStore the events.Writer.
type (
	stored struct {
		state.Store
		*target
	}
	rowStore struct {
		events.Writer
		*target
	}
)

func (s stored) Watermark(context.Context) (journal.Watermark, error) { return s.at.Clone(), nil }

func (s stored) Commit(_ context.Context, c *state.Change) error {
	if s.breaks() {
		return errBreak
	}
	if len(c.Watermark) != 1 {
		s.t.Errorf("a change of %d partitions", len(c.Watermark))
	}
	for partition, at := range c.Watermark {
		if at <= s.at[partition] {
			s.t.Errorf("partition %d goes from %d to %d", partition, s.at[partition], at)
		}
		s.at[partition] = at
		for i := range c.Profiles.Apps {
			a := &c.Profiles.Apps[i]
			if s.of(a.App) != partition {
				s.t.Errorf("app %s in partition %d", a.App, partition)
			}
			for _, p := range a.Profiles {
				if s.users[a.App] == nil {
					s.users[a.App] = map[model.ProfileID]model.Profile{}
				}
				if !s.mirrored[a.App][p.Profile.UID] {
					s.t.Errorf("user %d is stored before it is mirrored", p.Profile.UID)
				}
				s.users[a.App][p.ID] = *p.Profile
			}
			if a.Sequence != nil {
				s.seq[a.App] = *a.Sequence
			}
			for p := range a.Prints {
				if s.prints[a.App] == nil {
					s.prints[a.App] = map[profile.Print]int{}
				}
				s.prints[a.App][p]++
			}
		}
		for i := range c.Schema.Apps {
			s.schema[c.Schema.Apps[i].App] = append(s.schema[c.Schema.Apps[i].App], c.Schema.Apps[i])
		}
		for i := range c.Apps {
			for k, cell := range c.Apps[i].Cells {
				if s.cells[c.Apps[i].ID] == nil {
					s.cells[c.Apps[i].ID] = rollup.Delta{}
				}
				s.cells[c.Apps[i].ID].At(k).Merge(cell)
			}
		}
	}
	if s.breaks() {
		return errBreak
	}
	return nil
}

func (s rowStore) Watermark(context.Context) (journal.Watermark, error) { return s.rowsAt.Clone(), nil }

// Resumes implements events.Resumer.
func (s rowStore) Resumes(_ context.Context, partition uint16) (uint64, error) {
	return s.noted[partition], nil
}

func (s rowStore) Commit(_ context.Context, b *events.Batch) error {
	if through, ok := b.Watermark[b.Partition]; ok {
		if ends := s.noted[b.Partition]; ends != 0 && ends != through {
			s.t.Errorf("a commit up to %d, where one up to %d broke off", through, ends)
		}
		s.noted[b.Partition] = through
	}
	if s.breaks() {
		return errBreak
	}
	from, to := journal.Position{Partition: b.Partition, Offset: s.rowsAt[b.Partition]}.Place(), journal.Position{Partition: b.Partition, Offset: b.Watermark[b.Partition]}.Place()
	n, records := 0, map[uint64]bool{}
	within := func(off uint64) {
		n++
		records[off] = true
		if off <= from || off > to {
			s.t.Errorf("a row at %x of a commit from %x to %x", off, from, to)
		}
	}
	for app, a := range b.Apps {
		for _, r := range a.Rows {
			within(r.Offset)
		}
		for _, r := range a.Requests {
			within(r.Offset)
		}
		for _, r := range a.States {
			within(r.Offset)
		}
		if len(a.Rows) > 0 {
			s.rows[app] = append(s.rows[app], a.Rows...)
		}
		if len(a.Requests) > 0 {
			s.requests[app] = append(s.requests[app], a.Requests...)
		}
		if len(a.States) > 0 {
			s.states[app] = append(s.states[app], a.States...)
		}
		for _, p := range a.Users {
			if s.mirrored[app] == nil {
				s.mirrored[app] = map[uint32]bool{}
			}
			s.mirrored[app][p.UID] = true
		}
	}
	if len(b.Watermark) > 0 {
		s.commits++
	}
	if len(records) > 1 {
		s.largest = max(s.largest, n)
	}
	if len(b.Watermark) > 0 {
		s.rowsAt[b.Partition] = b.Watermark[b.Partition]
		delete(s.noted, b.Partition)
	}
	if s.breaks() {
		return errBreak
	}
	return nil
}

// world makes data of some apps.
func world(r *rand.Rand, apps []model.AppID, through uint64) *held {
	h := newHeld()
	states := map[model.AppID]uint32{}
	for off := uint64(1); off <= through; off++ {
		app := apps[r.IntN(len(apps))]
		if r.IntN(4) == 0 {
			continue
		}
		rows := r.IntN(4)
		if r.IntN(40) == 0 {
			rows = 60
		}
		for item := range uint32(rows) { // few
			text := fmt.Sprint("t", r.IntN(9))
			h.rows[app] = append(h.rows[app], events.Row{Offset: off, Item: item, TS: int64(off), Key: "k", Session: off - off%3, Text: [schema.TextSlots]*string{&text}})
		}
		h.requests[app] = append(h.requests[app], events.RequestRow{Offset: off, UID: 1})
		if r.IntN(3) == 0 {
			states[app]++
			h.states[app] = append(h.states[app], events.State{Number: states[app], Offset: off, UID: 1, JSON: "{}"})
		}
	}
	for i, app := range apps {
		h.users[app], h.cells[app], h.prints[app] = map[model.ProfileID]model.Profile{}, rollup.Delta{}, map[profile.Print]int{}
		for n := range r.IntN(30) {
			p := model.Profile{UID: uint32(n + 1), Open: model.SessionState{ID: uint64(n)}, LastRequest: uint64(n), Extra: map[string]any{"feature": fmt.Sprint(n + 1)}} // few
			binary.BigEndian.PutUint32(p.ID[:], p.UID)
			h.users[app][p.ID] = p
			c := h.cells[app].At(rollup.Key{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Value: fmt.Sprintf("%03d", n)})
			c.Count, c.First, c.Sum = int64(n+1), uint64(n), 0.1*float64(n)
			c.AddUser(p.UID)
			var hash profile.Fingerprint
			binary.BigEndian.PutUint64(hash[:], r.Uint64())
			h.prints[app][profile.Print{Day: uint16(n % 3), Hash: hash}] = 1 // few
		}
		h.seq[app] = profile.Sequence{UID: uint32(len(h.users[app])), Users: int64(len(h.users[app])), State: uint32(i)} // few
	}
	return h
}

// TestCopy copies random data, of one partition or several, in runs that break off at random, before and after what they store: everything is there once.
func TestCopy(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 9)) // not for secrets
		var apps []model.AppID
		for range 1 + r.IntN(6) {
			apps = append(apps, model.NewID())
		}
		partitions, through := 1+r.IntN(4), uint64(r.IntN(250))
		of := func(app model.AppID) uint16 { return uint16(journal.Routing(app) % uint64(partitions)) } // few
		from := world(r, apps, through)
		g := &target{t: t, r: r, rate: 3 + r.IntN(30), of: of, held: newHeld(), at: journal.Watermark{}, rowsAt: journal.Watermark{}, noted: journal.Watermark{}}
		most := 1 + r.IntN(50)
		if seed%4 == 0 {
			g.rate = 0
		}
		s, was := source{held: from}, func(model.AppID) uint16 { return 0 }
		if seed%3 == 2 {
			was = func(app model.AppID) uint16 { return uint16(journal.Routing(app) % 5) }
			s.held = moved(from, was)
		}
		var bases journal.Watermark
		runs := 0
		for err := errBreak; err != nil; runs++ {
			if runs > 300 {
				g.rate = 0
			}
			bases, err = move.Copy(t.Context(), move.Source{Apps: slices.Clone(apps), Of: was, Through: through, Profiles: s, Schema: s, Marks: s, Cells: s, Rows: s, Places: further}, move.Target{
				Partitions: partitions, Of: of, State: stored{nil, g}, Rows: rowStore{nil, g}, MostRows: most, Steps: 1 + int(seed%7), // few
				Cells: func(context.Context) error {
					if g.breaks() {
						return errBreak
					}
					return nil
				},
			}, nil)
			if err != nil && !errors.Is(err, errBreak) {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		want := moved(from, of)
		for what, diff := range map[string]string{
			"rows": gocmp.Diff(want.rows, g.rows), "requests": gocmp.Diff(want.requests, g.requests), "states": gocmp.Diff(want.states, g.states), "profiles": gocmp.Diff(want.users, g.users),
			"sequences": gocmp.Diff(want.seq, g.seq), "fingerprints": gocmp.Diff(want.prints, g.prints), "schemas": gocmp.Diff(len(apps)*2, total(g.schema)),
			"cells": gocmp.Diff(texts(want.cells), texts(g.cells)), "bases": gocmp.Diff(g.at, bases),
		} {
			if diff != "" {
				t.Errorf("seed %d, %d runs: %s: -want +got\n%s", seed, runs, what, diff)
			}
		}
		for partition := range partitions {
			if bases[uint16(partition)] <= through { // few
				t.Errorf("seed %d: partition %d begins at %d, not behind %d", seed, partition, bases[uint16(partition)], through) // few
			}
		}
		rows := 0
		for _, app := range apps {
			rows += len(from.rows[app]) + len(from.requests[app]) + len(from.states[app])
		}
		if few := partitions*12 + 6*rows/most; g.rate == 0 && runs == 1 && g.commits > few {
			t.Errorf("seed %d: %d commits of %d rows, at most %d in each", seed, g.commits, rows, most)
		}
		if g.largest > most+60+3 {
			t.Errorf("seed %d: a commit of %d rows, %d are most", seed, g.largest, most)
		}
	}
}

func total(m map[model.AppID][]schema.AppChange) (n int) {
	for _, list := range m {
		n += len(list)
	}
	return n
}

// texts are cells that can be compared.
func texts(m map[model.AppID]rollup.Delta) map[string]string {
	out := map[string]string{}
	for app, cells := range m {
		for k, c := range cells {
			out[app.String()+k.Value] = fmt.Sprint(c.Count, c.First, c.Sum, c.Uniques())
		}
	}
	return out
}

// further are the places that a feature keeps in profiles.
func further(p *model.Profile, to func(place uint64) uint64) {
	place, err := strconv.ParseUint(p.Extra["feature"].(string), 10, 64)
	if err != nil {
		panic(err)
	}
	p.Extra["feature"] = fmt.Sprint(to(place))
}

// moved is what has to be there after a move.
func moved(h *held, of func(model.AppID) uint16) *held {
	out := newHeld()
	for app, list := range h.rows {
		for _, r := range list {
			r.Offset, r.Session = move.Place(of(app), r.Offset), move.Place(of(app), r.Session)
			out.rows[app] = append(out.rows[app], r)
		}
	}
	for app, list := range h.requests {
		for _, r := range list {
			r.Offset = move.Place(of(app), r.Offset)
			out.requests[app] = append(out.requests[app], r)
		}
	}
	for app, list := range h.states {
		for _, r := range list {
			r.Offset = move.Place(of(app), r.Offset)
			out.states[app] = append(out.states[app], r)
		}
	}
	for app, users := range h.users {
		for id, p := range users {
			p.Open.ID, p.LastRequest = move.Place(of(app), p.Open.ID), move.Place(of(app), p.LastRequest)
			p.Extra = maps.Clone(p.Extra)
			further(&p, func(place uint64) uint64 { return move.Place(of(app), place) })
			if out.users[app] == nil {
				out.users[app] = map[model.ProfileID]model.Profile{}
			}
			out.users[app][id] = p
		}
		for k, c := range h.cells[app] {
			if out.cells[app] == nil {
				out.cells[app] = rollup.Delta{}
			}
			moved := c.Clone()
			moved.First = move.Place(of(app), c.First)
			out.cells[app][k] = moved
		}
		if len(h.prints[app]) > 0 {
			out.prints[app] = h.prints[app]
		}
		if h.seq[app] != (profile.Sequence{}) {
			out.seq[app] = h.seq[app]
		}
	}
	return out
}

// flaky is a journal whose appends fail at random, after what they stored or before.
type flaky struct {
	journal.Journal
	r    *rand.Rand
	rate int
}

func (f flaky) Append(ctx context.Context, entries ...journal.Entry) (journal.Position, error) {
	switch f.r.IntN(f.rate) {
	case 0:
		return journal.Position{}, errBreak
	case 1:
		return journal.Position{}, journal.ErrFull
	case 2:
		if at, err := f.Journal.Append(ctx, entries...); err != nil {
			return at, err
		}
		return journal.Position{}, errBreak
	}
	return f.Journal.Append(ctx, entries...)
}

// TestFollow appends records to a journal that fails at random: each is there once, in the order of its partition, and time-outs name the sessions that they named.
func TestFollow(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4)) // not for secrets
		apps := []model.AppID{model.NewID(), model.NewID(), model.NewID()}
		const partitions, through = 2, 100
		of := func(app model.AppID) uint16 { return uint16(journal.Routing(app) % partitions) }
		var list []move.Record
		begins := map[model.AppID][]uint64{} // offsets of records that may begin sessions
		for _, app := range apps {
			begins[app] = []uint64{5, 50}
		}
		for off := uint64(through + 1); off < through+200; off++ {
			app := apps[r.IntN(len(apps))]
			rec := request.Record{Kind: request.Client, App: app, Received: int64(off)} // few
			if r.IntN(3) == 0 {
				b := begins[app]
				rec.Kind, rec.Session, rec.Profile = request.SessionTimeout, b[r.IntN(len(b))], model.ProfileID{1}
			} else {
				begins[app] = append(begins[app], off)
			}
			list = append(list, move.Record{Offset: off, Payload: request.Append(nil, &rec)})
		}
		bases := journal.Watermark{0: 120, 1: 130}
		memory := journal.Behind(journaltest.NewMemory(partitions), bases)
		to := flaky{memory, r, 12}
		for done := false; !done; {
			f := move.NewFollower(to, of, through, bases)
			err := error(nil)
			for f.Last() < list[len(list)-1].Offset && err == nil {
				rest := list[f.Last()-through:]
				err = f.Append(t.Context(), rest[:1+r.IntN(len(rest))])
			}
			if err != nil && !errors.Is(err, errBreak) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			done = err == nil && !f.Missing()
		}
		// where each record went
		places := map[uint64]uint64{}
		next := bases.Clone()
		for _, rec := range list {
			var one request.Record
			if err := request.Decode(rec.Payload, &one); err != nil {
				t.Fatal(err)
			}
			next[of(one.App)]++
			places[rec.Offset] = journal.Position{Partition: of(one.App), Offset: next[of(one.App)]}.Place()
		}
		got := map[uint64]request.Record{}
		err := memory.Read(t.Context(), bases, 1<<30, func(r journal.Record) bool {
			var one request.Record
			if err := request.Decode(slices.Clone(r.Payload), &one); err != nil {
				t.Error(err)
			}
			got[journal.Position{Partition: r.Partition, Offset: r.Offset}.Place()] = one
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(list) || gocmp.Diff(memory.End(), next) != "" {
			t.Errorf("seed %d: %d records of %d, ends at %v, want %v", seed, len(got), len(list), memory.End(), next)
		}
		for _, rec := range list {
			var want request.Record
			if err := request.Decode(rec.Payload, &want); err != nil {
				t.Fatal(err)
			}
			if want.Session > through {
				want.Session = places[want.Session]
			} else {
				want.Session = move.Place(of(want.App), want.Session)
			}
			if diff := gocmp.Diff(want, got[places[rec.Offset]], gocmp.Comparer(func(a, b request.Record) bool {
				return string(request.Append(nil, &a)) == string(request.Append(nil, &b))
			})); diff != "" {
				t.Errorf("seed %d, record %d: %s", seed, rec.Offset, diff)
			}
		}
	}
}

// TestFollowForeign finds that somebody else appends.
func TestFollowForeign(t *testing.T) {
	t.Parallel()
	app := model.NewID()
	payload := request.Append(nil, &request.Record{Kind: request.Client, App: app})
	memory := journaltest.NewMemory(1)
	f := move.NewFollower(memory, func(model.AppID) uint16 { return 0 }, 0, nil)
	if _, err := memory.Append(t.Context(), journal.Entry{Payload: payload}); err != nil {
		t.Fatal(err)
	}
	if err := f.Append(t.Context(), []move.Record{{Offset: 1, Payload: payload}}); err == nil {
		t.Error("a record of somebody else is not noticed")
	}
	if err := f.Append(t.Context(), []move.Record{{Offset: 9, Payload: payload}}); err == nil {
		t.Error("records that are missing are not noticed")
	}
}
