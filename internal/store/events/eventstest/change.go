package eventstest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// of makes one row, request and state of each user at an offset.
func of(off uint64, uids ...uint32) *events.AppBatch {
	b := &events.AppBatch{}
	for i, uid := range uids {
		b.Rows = append(b.Rows, events.Row{Offset: off, Item: uint32(i), Key: "k", UID: uid})
		b.Requests = append(b.Requests, events.RequestRow{Offset: off, Item: uint32(i), UID: uid})
		b.States = append(b.States, events.State{Offset: off, Number: uint32(off)*100 + uint32(i), UID: uid})
		b.Users = append(b.Users, &model.Profile{UID: uid})
	}
	return b
}

// uidsOf lists the users of all rows, requests and states, which must agree.
func uidsOf(t *testing.T, s Store, app model.AppID) []uint32 {
	t.Helper()
	c := Dump(t, s, app)
	var rows, requests, states []uint32
	for _, r := range c.Rows {
		rows = append(rows, r.UID)
	}
	for _, r := range c.Requests {
		requests = append(requests, r.UID)
	}
	for _, r := range c.States {
		states = append(states, r.UID)
	}
	if !slices.Equal(rows, requests) || !slices.Equal(rows, states) {
		t.Fatalf("users of rows %v, of requests %v, of states %v", rows, requests, states)
	}
	return rows
}

func moves(t *testing.T, open Opener) {
	t.Helper()
	s, reopen := open(t)
	Commit(t, s, Batch(1, appA, of(1, 1, 2, 3, 4)))
	Commit(t, s, Batch(1, appB, of(1))) // skipped, but makes the app known
	b := of(2, 1, 2, 5)
	b.Rewrites, b.Gone = map[uint32]uint32{1: 2, 2: 3, 4: 5}, []uint32{1, 2, 4} // 1 → 2 → 3
	batch := Batch(2, appA, b)
	for range 2 {
		Commit(t, s, batch)
		if diff := cmp.Diff([]uint32{3, 3, 3, 5, 3, 3, 5}, uidsOf(t, s, appA)); diff != "" {
			t.Fatalf("users (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]uint32{3, 5}, Dump(t, s, appA).Users); diff != "" {
			t.Fatalf("users table (-want +got):\n%s", diff)
		}
		if b.Rows[0].UID != 1 {
			t.Fatal("the caller's rows were changed")
		}
		s = reopen()
	}
	Commit(t, s, Batch(3, appA, &events.AppBatch{Rewrites: map[uint32]uint32{3: 5}, Gone: []uint32{3}}))
	if diff := cmp.Diff([]uint32{5, 5, 5, 5, 5, 5, 5}, uidsOf(t, s, appA)); diff != "" {
		t.Fatalf("users (-want +got):\n%s", diff)
	}
}

func count(t *testing.T, open Opener) {
	t.Helper()
	s, _ := open(t)
	Commit(t, s, Batch(1, appA, &events.AppBatch{Rows: []events.Row{
		{Offset: 1, Item: 0, Key: events.CustomKey, Name: "buy", UID: 1, TS: 10},
		{Offset: 1, Item: 1, Key: events.CustomKey, Name: "sell", UID: 1, TS: 20},
		{Offset: 1, Item: 2, Key: "[CLY]_view", Name: "buy", UID: 2, TS: 30},
		{Offset: 1, Item: 3, Key: "[CLY]_session", UID: 3, TS: 40},
	}}))
	tests := []struct {
		name string
		f    events.RowFilter
		want int64
	}{
		{"all", events.RowFilter{}, 4},
		{"key", events.RowFilter{Keys: []string{events.CustomKey}}, 2},
		{"keys", events.RowFilter{Keys: []string{"[CLY]_view", "[CLY]_session", "x"}}, 2},
		{"name", events.RowFilter{Names: []string{"buy"}}, 2},
		{"key and name", events.RowFilter{Keys: []string{events.CustomKey}, Names: []string{"buy", "sell"}}, 2},
		{"users", events.RowFilter{UIDs: []uint32{1, 3}}, 3},
		{"from", events.RowFilter{From: 20}, 3},
		{"to", events.RowFilter{To: 20}, 1},
		{"span", events.RowFilter{From: 20, To: 40}, 2},
		{"everything", events.RowFilter{Keys: []string{events.CustomKey}, Names: []string{"sell"}, UIDs: []uint32{1, 2}, From: 1, To: 99}, 1},
		{"none", events.RowFilter{Names: []string{"' OR TRUE --"}}, 0},
	}
	for _, tt := range tests {
		if got, err := s.Count(context.Background(), appA, tt.f); got != tt.want || err != nil {
			t.Errorf("%s: got %d, %v, want %d", tt.name, got, err, tt.want)
		}
	}
}

func dropApp(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, reopen := open(t)
	Commit(t, s, Batch(1, appA, of(1, 1, 2)))
	b := of(2, 9)
	Commit(t, s, Batch(2, appB, b))
	must(t, s.DropApp(ctx, appA, At(3)))
	watermark(t, s, 3)
	keep := Contents{Rows: b.Rows, Requests: b.Requests, States: b.States, Users: []uint32{9}}
	if s.HasApp(appA) {
		t.Error("the app is still there")
	}
	equal(t, s, appA, Contents{})
	equal(t, s, appB, keep)
	s = reopen()
	again := of(4, 1)
	Commit(t, s, Batch(4, appA, again))
	must(t, s.DropApp(ctx, appA, At(3))) // replayed: too late to drop anything
	equal(t, s, appA, Contents{Rows: again.Rows, Requests: again.Requests, States: again.States, Users: []uint32{1}})
	equal(t, s, appB, keep)
	watermark(t, s, 4)
	must(t, s.DropApp(ctx, model.ID{0xcc}, At(5)))
	watermark(t, s, 5)
}

func deleteEvents(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, _ := open(t)
	rows := []events.Row{
		{Offset: 1, Item: 0, Key: events.CustomKey, Name: "buy"},
		{Offset: 1, Item: 1, Key: events.CustomKey, Name: "sell"},
		{Offset: 1, Item: 2, Key: "[CLY]_view", Name: "buy"},
		{Offset: 1, Item: 3, Key: events.CustomKey, Name: "it's"},
	}
	Commit(t, s, Batch(1, appA, &events.AppBatch{Rows: rows}))
	Commit(t, s, Batch(2, appB, &events.AppBatch{Rows: []events.Row{{Offset: 2, Key: events.CustomKey, Name: "buy"}}}))
	must(t, s.DeleteEvents(ctx, appA, []string{"buy", "it's", "unknown"}, At(3)))
	equal(t, s, appA, Contents{Rows: rows[1:3]})
	later := events.Row{Offset: 4, Key: events.CustomKey, Name: "buy"}
	Commit(t, s, Batch(4, appA, &events.AppBatch{Rows: []events.Row{later}}))
	must(t, s.DeleteEvents(ctx, appA, []string{"buy"}, At(3)))
	equal(t, s, appA, Contents{Rows: append(rows[1:3:3], later)})
	equal(t, s, appB, Contents{Rows: []events.Row{{Offset: 2, Key: events.CustomKey, Name: "buy"}}})
	watermark(t, s, 4)
}

func deleteNamed(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, _ := open(t)
	rows := []events.Row{
		{Offset: 1, Item: 0, Key: "[CLY]_view", Name: "home"},
		{Offset: 1, Item: 1, Key: "[CLY]_view", Name: "it's"},
		{Offset: 1, Item: 2, Key: "[CLY]_action", Name: "home"},
		{Offset: 1, Item: 3, Key: "[CLY]_view"},
		{Offset: 1, Item: 4, Key: events.CustomKey, Name: "home"},
		{Offset: 1, Item: 5, Key: "[CLY]_view", Name: "cart"},
	}
	Commit(t, s, Batch(1, appA, &events.AppBatch{Rows: rows}))
	Commit(t, s, Batch(2, appB, &events.AppBatch{Rows: []events.Row{{Offset: 2, Key: "[CLY]_view", Name: "home"}}}))
	must(t, s.DeleteNamed(ctx, appA, []string{"[CLY]_view", "[CLY]_action"}, []string{"home", "it's", "unknown"}, At(3)))
	left := rows[3:6:6]
	equal(t, s, appA, Contents{Rows: left})
	later := events.Row{Offset: 4, Key: "[CLY]_view", Name: "home"}
	Commit(t, s, Batch(4, appA, &events.AppBatch{Rows: []events.Row{later}}))
	must(t, s.DeleteNamed(ctx, appA, []string{"[CLY]_view"}, []string{"home"}, At(3))) // replayed
	equal(t, s, appA, Contents{Rows: append(left, later)})
	equal(t, s, appB, Contents{Rows: []events.Row{{Offset: 2, Key: "[CLY]_view", Name: "home"}}})
	watermark(t, s, 4)
}

func clearProperty(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, reopen := open(t)
	custom, view, other := FullRow(1, 0), FullRow(1, 1), FullRow(1, 2)
	custom.Name, other.Name = "buy", "sell"
	view.Key, view.Name = "[CLY]_view", "home"
	only := events.Row{Offset: 1, Item: 3, Key: events.CustomKey, Name: "buy", Extra: `{"a":1}`}
	quoted := events.Row{Offset: 1, Item: 4, Key: events.CustomKey, Name: "buy", Extra: `{"$.\"a'":1,"x":null,"y":{"a":null}}`}
	rows := []events.Row{custom, view, other, only, quoted}
	Commit(t, s, Batch(1, appA, &events.AppBatch{Rows: rows}))
	json, text, number := schema.Slot{Kind: schema.JSON}, schema.Slot{Kind: schema.Text, Index: 16}, schema.Slot{Kind: schema.Number, Index: 1}

	must(t, s.ClearProperty(ctx, appA, "buy", []schema.Slot{json, text}, "a", At(2)))
	rows[0].Extra, rows[0].Text[15] = `{"b":null}`, nil
	rows[3].Extra = ""
	equal(t, s, appA, Contents{Rows: rows})

	must(t, s.ClearProperty(ctx, appA, "[CLY]_view", []schema.Slot{number}, "n", At(3)))
	rows[1].Num[0] = nil
	must(t, s.ClearProperty(ctx, appA, "buy", []schema.Slot{json}, `$."a'`, At(4)))
	rows[4].Extra = `{"x":null,"y":{"a":null}}`
	equal(t, s, appA, Contents{Rows: rows})
	watermark(t, s, 4)

	s = reopen()
	must(t, s.ClearProperty(ctx, appA, "buy", []schema.Slot{number}, "n", At(4))) // replayed
	equal(t, s, appA, Contents{Rows: rows})
}

func deleteUsers(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, _ := open(t)
	Commit(t, s, Batch(1, appA, of(1, 1, 2, 3, 2)))
	Commit(t, s, Batch(2, appB, of(2, 2)))
	must(t, s.DeleteUsers(ctx, appA, []uint32{2, 77}, At(3)))
	if diff := cmp.Diff([]uint32{1, 3}, uidsOf(t, s, appA)); diff != "" {
		t.Errorf("users (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint32{1, 3}, Dump(t, s, appA).Users); diff != "" {
		t.Errorf("users table (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint32{2}, uidsOf(t, s, appB)); diff != "" {
		t.Errorf("users of the other app (-want +got):\n%s", diff)
	}
	watermark(t, s, 3)
}

func dropRows(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, reopen := open(t)
	row := func(off uint64, ts int64, state uint32) *events.AppBatch {
		return &events.AppBatch{
			Rows:     []events.Row{{Offset: off, TS: ts, Key: "k", UID: 1, State: state}},
			Requests: []events.RequestRow{{Offset: off, TS: ts, UID: 1}},
			States:   []events.State{{Number: state, Offset: off, UID: 1}},
			Users:    []*model.Profile{{UID: 1, State: 3}},
		}
	}
	// State 1 is used by an old row only, state 3 by the user.
	batches := []*events.AppBatch{row(1, 10, 1), row(2, 20, 2), row(3, 5, 3), row(4, 30, 2)}
	batches[3].States = nil
	for i, b := range batches {
		Commit(t, s, Batch(uint64(i+1), appA, b))
	}
	other := row(5, 1, 1)
	Commit(t, s, Batch(5, appB, other))
	must(t, s.DropRows(ctx, appA, 20, At(6)))
	want := Contents{
		Rows:     append(batches[1].Rows, batches[3].Rows...),
		Requests: append(batches[1].Requests, batches[3].Requests...),
		States:   append(batches[1].States, batches[2].States...),
		Users:    []uint32{1},
	}
	equal(t, s, appA, want)
	equal(t, s, appB, Contents{Rows: other.Rows, Requests: other.Requests, States: other.States, Users: []uint32{1}})
	s = reopen()
	must(t, s.DropRows(ctx, appA, 99, At(6))) // replayed
	equal(t, s, appA, want)
	must(t, s.DropRows(ctx, model.ID{0xcc}, 99, At(7)))
	watermark(t, s, 7)
}

func cancelled(t *testing.T, open Opener) {
	t.Helper()
	s, reopen := open(t)
	Commit(t, s, Batch(1, appA, of(1, 1)))
	before := Dump(t, s, appA)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := of(2, 1, 2)
	if err := s.Commit(ctx, Batch(2, appA, b)); !errors.Is(err, context.Canceled) {
		t.Fatalf("commit with a cancelled context: %v", err)
	}
	if err := s.DropApp(ctx, appA, At(2)); !errors.Is(err, context.Canceled) {
		t.Fatalf("drop with a cancelled context: %v", err)
	}
	equal(t, s, appA, before)
	watermark(t, s, 1)
	for range 2 {
		Commit(t, s, Batch(2, appA, b))
		equal(t, s, appA, Contents{
			Rows: append(before.Rows, b.Rows...), Requests: append(before.Requests, b.Requests...),
			States: append(before.States, b.States...), Users: []uint32{1, 2},
		})
		s = reopen()
	}
}

func readCancelled(t *testing.T, open Opener) {
	t.Helper()
	s, _ := open(t)
	Commit(t, s, Batch(1, appA, of(1, 1)))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := numbers(ctx, s, &plan.Query{App: appA, From: plan.Users}); !errors.Is(err, context.Canceled) {
		t.Errorf("users: %v", err)
	}
	if err := s.ScanRows(ctx, appA, events.Place{}, func(*events.Row) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("scan: %v", err)
	}
	if n, err := s.Count(context.Background(), appA, events.RowFilter{}); n != 1 || err != nil {
		t.Errorf("after that, count is %d, %v", n, err)
	}
}
