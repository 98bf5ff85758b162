// Package schematest is the specification of the schema's store as a test suite.
package schematest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// Env is a store under test.
type Env struct {
	Store schema.Store
	// Flush flushes the store into a batch. The function it returns ends the
	// batch: by commit, or by discarding it.
	Flush func() (end func(commit bool) error, err error)
	// Reopen closes the store and opens it again with what it holds.
	Reopen func() schema.Store
}

// Limits are those the stores under test have to be opened with.
func Limits() schema.Limits {
	return schema.Limits{Events: 5, Segments: 20, Values: 4, Subjects: 3, SubjectValues: 2}
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
		{"events in order of first appearance", events},
		{"slots", slots},
		{"values", values},
		{"readers see what is committed", visibility},
		{"omitted segments", omitted},
		{"whitelists", whitelists},
		{"deleting", deleting},
		{"forgetting values", forgetting},
		{"subjects", subjects},
		{"random operations match a model", func(t *testing.T, e *Env) {
			t.Helper()
			random(t, e, 2, 4000)
		}},
		{"random operations on apps that come and go match a model", func(t *testing.T, e *Env) {
			t.Helper()
			random(t, e, 24, 3000)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

// forgetting removes values of a segment and lets others come.
func forgetting(t *testing.T, e *Env) {
	t.Helper()
	a := app(0)
	l := e.writer(t, a)
	l.AddEvent("e")
	l.Segment("e", "s", schema.Text)
	l.Segment("e", "other", schema.Text)
	for _, v := range []string{"a", "b", "c", "d"} {
		must[bool](t)(l.AddValue(schema.OfEvents, "e", "s", v))
	}
	must[bool](t)(l.AddValue(schema.OfEvents, "e", "other", "b"))
	e.commit(t)
	for _, err := range []error{
		l.ForgetValues("e", "s", []string{"b", "d", "unknown"}), l.ForgetValues("e", "unknown", []string{"b"}), l.ForgetValues("none", "s", []string{"b"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	e.commit(t)
	same(t, "what is left", must[[]string](t)(e.Store.Values(t.Context(), a, "e", "s")), []string{"a", "c"})
	same(t, "another segment", must[[]string](t)(e.Store.Values(t.Context(), a, "e", "other")), []string{"b"})
	same(t, "there is room for two", []bool{
		must[bool](t)(l.AddValue(schema.OfEvents, "e", "s", "e")), must[bool](t)(l.AddValue(schema.OfEvents, "e", "s", "d")), must[bool](t)(l.AddValue(schema.OfEvents, "e", "s", "f")),
	}, []bool{true, true, false})
	e.commit(t)
	e.Store = e.Reopen()
	same(t, "after opening again", must[[]string](t)(e.Store.Values(t.Context(), a, "e", "s")), []string{"a", "c", "e", "d"})
}

func app(n byte) model.AppID { return model.AppID{0: n, 11: 0xff} }

func (e *Env) writer(t *testing.T, a model.AppID) schema.Writer {
	t.Helper()
	l, err := e.Store.App(a)
	if err != nil {
		t.Fatal(err)
	}
	return l
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

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
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

func keys(es []schema.Event) (out []string) {
	for _, ev := range es {
		out = append(out, fmt.Sprint(ev.Seq, ev.Key))
	}
	return out
}

func events(t *testing.T, e *Env) {
	t.Helper()
	l := e.writer(t, app(1))
	for _, key := range []string{"b", "[CLY]_view", "a", "b", "", "é\x00\xff", "c"} {
		same(t, key, l.AddEvent(key), true)
	}
	same(t, "beyond the maximum", []bool{l.AddEvent("d"), l.AddEvent("[CLY]_crash"), l.AddEvent("a")}, []bool{false, true, true})
	_, ok := l.Event("d")
	same(t, "refused event", ok, false)
	same(t, "another app", e.writer(t, app(2)).AddEvent("d"), true)
	e.commit(t)
	want := []string{"1 b", "2 [CLY]_view", "3 a", "4 ", "5 é\x00\xff", "6 c", "7 [CLY]_crash"}
	for i := range want { // fmt.Sprint puts no space between a number and a string
		want[i] = strings.Replace(want[i], " ", "", 1)
	}
	same(t, "events", keys(e.Store.Events(app(1))), want)
	e.Store = e.Reopen()
	same(t, "events after reopening", keys(e.Store.Events(app(1))), want)
	l = e.writer(t, app(1))
	same(t, "still full", l.AddEvent("d"), false)
	l.DeleteEvents([]string{"a", "[CLY]_view"})
	same(t, "room again, for one", []bool{l.AddEvent("d"), l.AddEvent("f")}, []bool{true, false})
	ev, _ := l.Event("d")
	same(t, "its number is new", ev.Seq, uint32(8))
}

func slots(t *testing.T, e *Env) {
	t.Helper()
	l := e.writer(t, app(1))
	slot := func(name string, kind schema.SlotKind, want schema.Slot) {
		t.Helper()
		got, ok := l.Segment("e", name, kind)
		if got != want || !ok {
			t.Errorf("%s: got %v, %v; want %v", name, got, ok, want)
		}
	}
	text := func(i uint8) schema.Slot { return schema.Slot{Kind: schema.Text, Index: i} }
	number := func(i uint8) schema.Slot { return schema.Slot{Kind: schema.Number, Index: i} }
	rest := schema.Slot{Kind: schema.JSON}

	if _, ok := l.Segment("e", "early", schema.Text); ok {
		t.Error("a segment of an unknown event was recorded")
	}
	l.AddEvent("e")
	slot("t1", schema.Text, text(1))
	slot("n1", schema.Number, number(1))
	slot("t2", schema.Text, text(2))
	slot("list", schema.JSON, rest)
	slot("t1", schema.Text, text(1))
	slot("t1", schema.Number, rest) // mixed from here on
	slot("t1", schema.Text, rest)
	slot("n1", schema.JSON, rest)
	slot("t3", schema.Text, text(3)) // the slot of t1 still holds its rows
	for i := uint8(2); i <= schema.NumberSlots; i++ {
		slot(fmt.Sprint("n", i), schema.Number, number(i))
	}
	slot("beyond", schema.Number, rest)
	slot("beyond", schema.Text, rest)
	ev, _ := l.Event("e")
	same(t, "mixed", ev.Segments[0], schema.Segment{Name: "t1", Slot: rest, Was: text(1)})
	same(t, "overflow", ev.Segments[len(ev.Segments)-1], schema.Segment{Name: "beyond", Slot: rest})
	same(t, "nothing but a list", ev.Segments[3], schema.Segment{Name: "list", Slot: rest, Opaque: true})
	slot("list", schema.Number, rest)
	ev, _ = l.Event("e")
	same(t, "a number after a list", ev.Segments[len(ev.Segments)-1], schema.Segment{Name: "list", Slot: rest})
	for i := len(ev.Segments); i < Limits().Segments; i++ {
		l.Segment("e", fmt.Sprint("more", i), schema.JSON)
	}
	if _, ok := l.Segment("e", "too many", schema.Text); ok {
		t.Error("a segment beyond the maximum was recorded")
	}
	l.AddEvent("other")
	if got, _ := l.Segment("other", "t9", schema.Text); got != text(1) {
		t.Errorf("another event: got %v, want its own first slot", got)
	}
	ev, _ = l.Event("e")
	e.commit(t)
	e.Store = e.Reopen()
	again, _ := e.writer(t, app(1)).Event("e")
	same(t, "after reopening", again, ev)
	l = e.writer(t, app(1))
	l.DeleteSegments("e", []string{"t1", "n2"})
	slot("t4", schema.Text, text(1))
	slot("n9", schema.Number, number(2))
}

func values(t *testing.T, e *Env) {
	t.Helper()
	l := e.writer(t, app(1))
	add := func(value string) bool {
		t.Helper()
		return must[bool](t)(l.AddValue(schema.OfEvents, "e", "s", value))
	}
	same(t, "unknown event", add("x"), false)
	l.AddEvent("e")
	same(t, "unknown segment", add("x"), false)
	l.Segment("e", "s", schema.Text)
	same(t, "values", []bool{add("b"), add("a"), add("b"), add(""), add("d\x00\xff"), add("e"), add("a")}, []bool{true, true, true, true, true, false, true})
	list := func(segment string) []string {
		t.Helper()
		return must[[]string](t)(e.Store.Values(t.Context(), app(1), "e", segment))
	}
	same(t, "before the commit", list("s"), nil)
	e.commit(t)
	want := []string{"b", "a", "", "d\x00\xff"}
	same(t, "committed", list("s"), want)
	same(t, "other segment", list("s2"), nil)
	e.Store = e.Reopen()
	l = e.writer(t, app(1))
	same(t, "full after reopening", []bool{add("e"), add("d\x00\xff")}, []bool{false, true})
	l.DeleteSegments("e", []string{"s"})
	l.Segment("e", "s", schema.Text)
	same(t, "room after deleting the segment", add("new"), true)
	e.commit(t)
	same(t, "only the new one", list("s"), []string{"new"})
	same(t, "added in two batches", add("newer"), true)
	e.commit(t)
	same(t, "both", list("s"), []string{"new", "newer"})

	// While a batch is being committed, the next one knows its values.
	add("third")
	end := must[func(bool) error](t)(e.Flush())
	same(t, "while committing", []bool{add("third"), add("fourth"), add("fifth")}, []bool{true, true, false})
	if err := end(true); err != nil {
		t.Fatal(err)
	}
	same(t, "the batch that was flushed", list("s"), []string{"new", "newer", "third"})
	e.Store.Abandon()
	l = e.writer(t, app(1))
	same(t, "instead of what was abandoned", []bool{add("other"), add("fourth")}, []bool{true, false})
	e.commit(t)
	same(t, "after abandoning", list("s"), []string{"new", "newer", "third", "other"})
}

func visibility(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	same(t, "empty", e.Store.Events(a), nil)
	l := e.writer(t, a)
	l.AddEvent("e")
	l.Segment("e", "s", schema.Text)
	same(t, "before the commit", e.Store.Events(a), nil)
	e.commit(t)
	before := e.Store.Events(a)
	l.Segment("e", "s", schema.Number)
	l.Segment("e", "s2", schema.Number)
	l.AddEvent("f")
	same(t, "a running batch is not seen", e.Store.Events(a), before)
	end := must[func(bool) error](t)(e.Flush())
	l.AddEvent("g")
	if err := end(true); err != nil {
		t.Fatal(err)
	}
	same(t, "the batch after the flush is not seen", keys(e.Store.Events(a)), []string{"1e", "2f"})
	same(t, "what a reader holds does not change", before, []schema.Event{{
		Key: "e", Seq: 1, Segments: []schema.Segment{{Name: "s", Slot: schema.Slot{Kind: schema.Text, Index: 1}}},
	}})
	ev, ok := e.Store.Event(a, "e")
	same(t, "one event", []any{len(ev.Segments), ok}, []any{2, true})
	_, ok = e.Store.Event(a, "g")
	same(t, "an event to come", ok, false)
	e.Store.Forget(a)
	_, ok = e.writer(t, a).Event("g")
	same(t, "forgotten", ok, false)
	e.writer(t, a).AddEvent("g")
	e.Store.Abandon()
	_, ok = e.writer(t, a).Event("g")
	same(t, "abandoned", ok, false)
	e.writer(t, a).AddEvent("h")
	end = must[func(bool) error](t)(e.Flush())
	if err := end(false); err != nil {
		t.Fatal(err)
	}
	_, ok = e.writer(t, a).Event("h")
	same(t, "discarded", ok, false)
}

func omitted(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	l := e.writer(t, a)
	l.AddEvent("e")
	slot, _ := l.Segment("e", "s", schema.Text)
	l.Segment("e", "keep", schema.Text)
	must[bool](t)(l.AddValue(schema.OfEvents, "e", "s", "v"))
	same(t, "entries as they were", l.OmitSegments("e", []string{"s", "unknown", "s"}), []schema.Segment{{Name: "s", Slot: slot}})
	same(t, "of an unknown event", l.OmitSegments("never", []string{"x"}), nil)
	_, ok := l.Segment("e", "s", schema.Text)
	_, ok2 := l.Segment("e", "unknown", schema.Text)
	same(t, "recorded", []bool{ok, ok2, must[bool](t)(l.AddValue(schema.OfEvents, "e", "s", "v"))}, []bool{false, false, false})
	_, ok = l.Event("never")
	same(t, "an event that never came", ok, false)
	e.commit(t)
	e.Store = e.Reopen()
	same(t, "omitted", must[map[string][]string](t)(e.Store.Omitted(t.Context(), a)), map[string][]string{"e": {"s", "unknown"}, "never": {"x"}})
	same(t, "listed", keys(e.Store.Events(a)), []string{"1e"})
	same(t, "values", must[[]string](t)(e.Store.Values(t.Context(), a, "e", "s")), nil)
	l = e.writer(t, a)
	same(t, "the event comes", l.AddEvent("never"), true)
	_, ok = l.Segment("never", "x", schema.Text)
	same(t, "its omitted segment", ok, false)
	got, _ := l.Segment("e", "next", schema.Text)
	same(t, "the slot is free again", got, slot)
}

func whitelists(t *testing.T, e *Env) {
	t.Helper()
	a := app(1)
	l := e.writer(t, a)
	l.Whitelist("z", []string{"s", "s"})
	l.Whitelist("gone", []string{"x"})
	l.Whitelist("gone", nil)
	l.Whitelist("unknown", nil)
	l.AddEvent("e")
	l.Segment("e", "old", schema.Text)
	l.Whitelist("e", []string{"s"})
	record := func(key, name string) bool {
		t.Helper()
		_, ok := l.Segment(key, name, schema.Text)
		return ok
	}
	same(t, "recorded", []bool{record("e", "old"), record("e", "s"), record("e", "other")}, []bool{false, true, false})
	e.commit(t)
	e.Store = e.Reopen()
	l = e.writer(t, a)
	same(t, "whitelists", must[map[string][]string](t)(e.Store.Whitelists(t.Context(), a)), map[string][]string{"z": {"s"}, "e": {"s"}})
	same(t, "listed", keys(e.Store.Events(a)), []string{"1e"})
	l.AddEvent("z")
	same(t, "an event that came later", []bool{record("z", "s"), record("z", "t")}, []bool{true, false})
	l.Whitelist("e", nil)
	same(t, "recorded again", []bool{record("e", "old"), record("e", "other")}, []bool{true, true})
	ev, _ := l.Event("e")
	same(t, "segments known before stay", len(ev.Segments), 3)
}

func deleting(t *testing.T, e *Env) {
	t.Helper()
	a := app(0xff)
	fill := func(a model.AppID) {
		t.Helper()
		l := e.writer(t, a)
		for _, key := range []string{"x", "y"} {
			l.AddEvent(key)
			l.Segment(key, "s", schema.Text)
			must[bool](t)(l.AddValue(schema.OfEvents, key, "s", "v"))
			l.OmitSegments(key, []string{"o"})
			l.Whitelist(key, []string{"s"})
		}
	}
	fill(a)
	fill(app(1))
	e.commit(t)
	l := e.writer(t, a)
	l.DeleteEvents([]string{"x", "unknown"})
	e.commit(t)
	same(t, "events", keys(e.Store.Events(a)), []string{"2y"})
	same(t, "omitted", must[map[string][]string](t)(e.Store.Omitted(t.Context(), a)), map[string][]string{"y": {"o"}})
	l.AddEvent("x")
	l.Segment("x", "s", schema.Text)
	e.commit(t)
	same(t, "values of the event that came back", must[[]string](t)(e.Store.Values(t.Context(), a, "x", "s")), nil)
	l.Clear()
	l.AddEvent("first")
	l.Segment("first", "s", schema.Text)
	must[bool](t)(l.AddValue(schema.OfEvents, "first", "s", "w"))
	_, ok := l.Event("y")
	same(t, "after clearing, in the batch", ok, false)
	e.commit(t)
	for range 2 {
		same(t, "after clearing", keys(e.Store.Events(a)), []string{"1first"})
		same(t, "values after clearing", must[[]string](t)(e.Store.Values(t.Context(), a, "first", "s")), []string{"w"})
		same(t, "whitelists after clearing", must[map[string][]string](t)(e.Store.Whitelists(t.Context(), a)), map[string][]string{})
		same(t, "another app", keys(e.Store.Events(app(1))), []string{"1x", "2y"})
		e.Store = e.Reopen()
	}
}

// modelEvent and modelApp are the naive schema.
type modelEvent struct {
	ev        schema.Event
	values    map[string][]string
	whitelist []string
}

type modelApp struct {
	events map[string]*modelEvent
	seq    uint32
}

func newModelApp() *modelApp { return &modelApp{events: map[string]*modelEvent{}} }

func (m *modelApp) clone() *modelApp {
	c := &modelApp{events: map[string]*modelEvent{}, seq: m.seq}
	for key, ev := range m.events {
		d := &modelEvent{ev: ev.ev, values: map[string][]string{}, whitelist: slices.Clone(ev.whitelist)}
		d.ev.Segments = slices.Clone(ev.ev.Segments)
		for s, vs := range ev.values {
			d.values[s] = slices.Clone(vs)
		}
		c.events[key] = d
	}
	return c
}

func (m *modelApp) get(key string) *modelEvent {
	if m.events[key] == nil {
		m.events[key] = &modelEvent{ev: schema.Event{Key: key}, values: map[string][]string{}}
	}
	return m.events[key]
}

func (m *modelApp) listed() (out []schema.Event) {
	for _, ev := range m.events {
		if ev.ev.Seq > 0 {
			out = append(out, ev.ev)
		}
	}
	slices.SortFunc(out, func(a, b schema.Event) int { return int(a.Seq) - int(b.Seq) })
	return out
}

func (m *modelApp) addEvent(key string) bool {
	if ev := m.events[key]; ev != nil && ev.ev.Seq > 0 {
		return true
	}
	custom := 0
	for _, ev := range m.listed() {
		if !strings.HasPrefix(ev.Key, "[CLY]_") {
			custom++
		}
	}
	if !strings.HasPrefix(key, "[CLY]_") && custom >= Limits().Events {
		return false
	}
	m.seq++
	m.get(key).ev.Seq = m.seq
	return true
}

func (ev *modelEvent) find(name string) int {
	return slices.IndexFunc(ev.ev.Segments, func(s schema.Segment) bool { return s.Name == name })
}

func (m *modelApp) segment(key, name string, kind schema.SlotKind) (schema.Slot, bool) {
	ev := m.events[key]
	if ev == nil || ev.ev.Seq == 0 || len(ev.whitelist) > 0 && !slices.Contains(ev.whitelist, name) {
		return schema.Slot{}, false
	}
	i := ev.find(name)
	if i < 0 {
		n, taken := 0, map[schema.Slot]bool{}
		for _, s := range ev.ev.Segments {
			taken[s.Slot], taken[s.Was] = true, true
			if !s.Omitted {
				n++
			}
		}
		if n >= Limits().Segments {
			return schema.Slot{}, false
		}
		slot := schema.Slot{Kind: schema.JSON}
		last := map[schema.SlotKind]uint8{schema.Text: schema.TextSlots, schema.Number: schema.NumberSlots}[kind]
		for j := last; j >= 1; j-- {
			if s := (schema.Slot{Kind: kind, Index: j}); !taken[s] {
				slot = s
			}
		}
		ev.ev.Segments = append(ev.ev.Segments, schema.Segment{Name: name, Slot: slot, Opaque: kind == schema.JSON})
		return slot, true
	}
	s := &ev.ev.Segments[i]
	if s.Omitted {
		return schema.Slot{}, false
	}
	if s.Slot.Kind != schema.JSON && s.Slot.Kind != kind {
		s.Was, s.Slot = s.Slot, schema.Slot{Kind: schema.JSON}
	}
	if s.Opaque && kind != schema.JSON {
		listed := *s
		listed.Opaque = false
		ev.ev.Segments = append(slices.Delete(ev.ev.Segments, i, i+1), listed)
		return listed.Slot, true
	}
	return s.Slot, true
}

func (m *modelApp) addValue(key, name, value string) bool {
	ev := m.events[key]
	if ev == nil || ev.ev.Seq == 0 || ev.find(name) < 0 || ev.ev.Segments[ev.find(name)].Omitted {
		return false
	}
	if slices.Contains(ev.values[name], value) {
		return true
	}
	if len(ev.values[name]) >= Limits().Values {
		return false
	}
	ev.values[name] = append(ev.values[name], value)
	return true
}

func (m *modelApp) omit(key, name string) (out []schema.Segment) {
	ev := m.get(key)
	gone := schema.Segment{Name: name, Omitted: true}
	switch i := ev.find(name); {
	case i < 0:
		ev.ev.Segments = append(ev.ev.Segments, gone)
	case !ev.ev.Segments[i].Omitted:
		out = append(out, ev.ev.Segments[i])
		ev.ev.Segments[i] = gone
		delete(ev.values, name)
	}
	return out
}

func (m *modelApp) remove(key, name string) (out []schema.Segment) {
	ev := m.events[key]
	if ev == nil || ev.find(name) < 0 {
		return nil
	}
	i := ev.find(name)
	if !ev.ev.Segments[i].Omitted {
		out = append(out, ev.ev.Segments[i])
	}
	ev.ev.Segments = slices.Delete(ev.ev.Segments, i, i+1)
	delete(ev.values, name)
	return out
}

func cloneAll(ms []*modelApp) []*modelApp {
	out := make([]*modelApp, len(ms))
	for i := range ms {
		out[i] = ms[i].clone()
	}
	return out
}

// random drives apps through batches whose commits overlap the next batch, beside a model of three states: committed, being
// committed, running. Of many apps three are used for a while, then others.
func random(t *testing.T, e *Env, apps, steps int) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	committed := make([]*modelApp, apps)
	for i := range committed {
		committed[i] = newModelApp()
	}
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
	names := make([]string, 22)
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	eventKeys := []string{"a", "b", "c", "d", "e", "f", "[CLY]_g"}
	for step := range steps {
		n := (step/150*2 + rng.IntN(3)) % apps
		m, l := running[n], e.writer(t, app(byte(n)))
		key, name := eventKeys[rng.IntN(len(eventKeys))], names[rng.IntN(1+rng.IntN(len(names)))]
		what := fmt.Sprintf("step %d, app %d, event %s, segment %s", step, n, key, name)
		switch op := rng.IntN(100); {
		case op < 15:
			same(t, what, l.AddEvent(key), m.addEvent(key))
		case op < 40:
			kind := schema.SlotKind(1 + rng.IntN(3))
			got, ok := l.Segment(key, name, kind)
			want, wantOK := m.segment(key, name, kind)
			same(t, what, []any{got, ok}, []any{want, wantOK})
		case op < 60:
			value := fmt.Sprint(rng.IntN(8))
			same(t, what, must[bool](t)(l.AddValue(schema.OfEvents, key, name, value)), m.addValue(key, name, value))
		case op < 61:
			same(t, what, l.OmitSegments(key, []string{name}), m.omit(key, name))
		case op < 63:
			same(t, what, l.DeleteSegments(key, []string{name}), m.remove(key, name))
		case op < 65:
			var list []string
			for range rng.IntN(2) * 12 {
				if s := names[rng.IntN(len(names))]; !slices.Contains(list, s) {
					list = append(list, s)
				}
			}
			l.Whitelist(key, list)
			m.get(key).whitelist = list
		case op < 66:
			l.DeleteEvents([]string{key})
			delete(m.events, key)
		case op == 66 && rng.IntN(4) == 0:
			l.Clear()
			running[n] = newModelApp()
		case op < 72:
			finish(true)
			var err error
			if end, err = e.Flush(); err != nil {
				t.Fatalf("step %d: flush: %v", step, err)
			}
			flushed = cloneAll(running)
		case op < 76:
			finish(true)
		case op < 77:
			finish(false)
		case op < 78:
			finish(true)
			e.Store.Abandon()
			running = cloneAll(committed)
		case op < 79:
			finish(true)
			e.Store = e.Reopen()
			running = cloneAll(committed)
		default:
			got, ok := l.Event(key)
			var want schema.Event
			if ev := m.events[key]; ev != nil && ev.ev.Seq > 0 {
				want = ev.ev
			}
			same(t, what, []any{got, ok}, []any{want, want.Seq > 0})
			if step%4 == 0 {
				readers(t, what, e, app(byte(n)), committed[n])
				other := rng.IntN(apps)
				readers(t, what+fmt.Sprintf(" (of app %d)", other), e, app(byte(other)), committed[other])
			}
		}
	}
	finish(true)
}

// readers compares all that readers can ask of an app with the committed state.
func readers(t *testing.T, what string, e *Env, a model.AppID, m *modelApp) {
	t.Helper()
	same(t, what+": events", e.Store.Events(a), m.listed())
	omit, white := map[string][]string{}, map[string][]string{}
	for key, ev := range m.events {
		for _, s := range ev.ev.Segments {
			if s.Omitted {
				omit[key] = append(omit[key], s.Name)
			}
			if ev.ev.Seq > 0 {
				same(t, what+": values", must[[]string](t)(e.Store.Values(t.Context(), a, key, s.Name)), ev.values[s.Name])
			}
		}
		if len(ev.whitelist) > 0 {
			white[key] = ev.whitelist
		}
	}
	same(t, what+": omitted", must[map[string][]string](t)(e.Store.Omitted(t.Context(), a)), maps.Clone(omit))
	same(t, what+": whitelists", must[map[string][]string](t)(e.Store.Whitelists(t.Context(), a)), white)
}
