// Package eventstest is the specification of events.Writer and events.Reader
// as a test suite. Every implementation runs it.
package eventstest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/journal"
)

// Store is what is tested.
type Store interface {
	events.Writer
	events.Reader
}

// Opener returns a new, empty store, and a function that closes it and opens
// it again with what it holds. The store that is open at the end is closed by the
// opener's cleanup.
type Opener func(t *testing.T) (s Store, reopen func() Store)

// Run tests the stores that open makes: by all tests of the suite, or only by those with one of the names.
func Run(t *testing.T, open Opener, only ...string) {
	t.Helper()
	tests := []struct {
		name string
		run  func(t *testing.T, open Opener)
	}{
		{"an empty store", empty},
		{"rows come back as they were", roundTrip},
		{"scans go on after a place", places},
		{"values that cannot be stored are cleaned", cleaning},
		{"what is committed is skipped", replay},
		{"users are upserted", users},
		{"pages of users", userPages},
		{"merged users move", moves},
		{"count", count},
		{"drop app", dropApp},
		{"delete events", deleteEvents},
		{"delete named rows", deleteNamed},
		{"clear property", clearProperty},
		{"delete users", deleteUsers},
		{"drop rows", dropRows},
		{"a cancelled commit leaves nothing", cancelled},
		{"reads give up with their context", readCancelled},
		{"random operations match a model", random},
		{"random plans match a naive engine", plans},
		{"plans run for many apps at once", plansOfAll},
		{"many apps in one batch", manyApps},
	}
	ran := 0
	for _, tt := range tests {
		if len(only) == 0 || slices.Contains(only, tt.name) {
			ran++
			t.Run(tt.name, func(t *testing.T) { tt.run(t, open) })
		}
	}
	if len(only) > 0 && ran != len(only) {
		t.Errorf("of %q there are %d", only, ran)
	}
}

// Apps of the tests.
var (
	appA = model.ID{0xaa, 1}
	appB = model.ID{0xbb, 2}
)

// At is the watermark of partition 0.
func At(off uint64) journal.Watermark { return journal.Watermark{0: off} }

// Batch makes a batch of one app.
func Batch(off uint64, app model.AppID, b *events.AppBatch) *events.Batch {
	return &events.Batch{Watermark: At(off), Apps: map[model.AppID]*events.AppBatch{app: b}}
}

// Contents is all that a store holds of an app.
type Contents struct {
	Rows     []events.Row
	Requests []events.RequestRow
	States   []events.State
	Users    []uint32
}

// Dump reads an app.
func Dump(tb testing.TB, s Store, app model.AppID) Contents {
	tb.Helper()
	ctx := context.Background()
	var c Contents
	err := s.ScanRows(ctx, app, events.Place{}, func(r *events.Row) error {
		row := *r
		c.Rows = append(c.Rows, row)
		return nil
	})
	if err != nil {
		tb.Fatalf("scan rows: %v", err)
	}
	err = s.ScanRequests(ctx, app, events.Place{}, func(r *events.RequestRow) error { c.Requests = append(c.Requests, *r); return nil })
	if err != nil {
		tb.Fatalf("scan requests: %v", err)
	}
	err = s.ScanStates(ctx, app, 0, func(r *events.State) error { c.States = append(c.States, *r); return nil })
	if err != nil {
		tb.Fatalf("scan states: %v", err)
	}
	c.Users, err = numbers(ctx, s, &plan.Query{App: app, From: plan.Users, Order: []plan.Order{{By: plan.Us("uid")}}})
	if err != nil {
		tb.Fatalf("list users: %v", err)
	}
	return c
}

// numbers returns the numbers of the users that a query selects; none for an app without tables.
func numbers(ctx context.Context, s Store, q *plan.Query) (uids []uint32, err error) {
	q.Select = []plan.Expr{plan.Us("uid")}
	err = s.Run(ctx, q, func(row events.Scanner) error {
		var uid uint32
		err := row.Scan(&uid)
		uids = append(uids, uid)
		return err
	})
	if errors.Is(err, events.ErrNoApp) {
		return nil, nil
	}
	return uids, err
}

// is is the condition that a column of users has a value.
func is(column string, value any) plan.Expr {
	return plan.Do(plan.Eq, plan.Us(column), plan.Is(value))
}

// equal compares what the store holds of an app.
func equal(t *testing.T, s Store, app model.AppID, want Contents) {
	t.Helper()
	got := Dump(t, s, app)
	if same(want, got) {
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("app %s (-want +got):\n%s", app, diff)
	}
}

// same reports whether values are equal, in a tenth of the time that cmp takes; when it says no, cmp decides.
func same(want, got any) bool { return reflect.DeepEqual(want, got) }

// Commit stores a batch or ends the test.
func Commit(tb testing.TB, s Store, b *events.Batch) {
	tb.Helper()
	if err := s.Commit(context.Background(), b); err != nil {
		tb.Fatalf("commit: %v", err)
	}
}

func watermark(t *testing.T, s Store, want uint64) {
	t.Helper()
	got, err := s.Watermark(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != want {
		t.Fatalf("watermark is %v, want %d", got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func empty(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, reopen := open(t)
	for range 2 {
		watermark(t, s, 0)
		if s.HasApp(appA) {
			t.Error("an empty store has an app")
		}
		equal(t, s, appA, Contents{})
		if n, err := s.Count(ctx, appA, events.RowFilter{}); n != 0 || err != nil {
			t.Errorf("count is %d, %v", n, err)
		}
		must(t, s.DropApp(ctx, appA, nil))
		must(t, s.DeleteUsers(ctx, appA, []uint32{1}, nil))
		s = reopen()
	}
	must(t, s.Commit(ctx, &events.Batch{Watermark: At(5)}))
	watermark(t, s, 5)
	s = reopen()
	watermark(t, s, 5)
}

// FullRow has something in every field.
func FullRow(off uint64, item uint32) events.Row {
	r := events.Row{
		Offset: off, Item: item, TS: 1700000000123, Received: 1700000000456, Key: events.CustomKey, Name: "buy \"it\" 'now'",
		UID: 7, Session: 3, State: 2, Count: 2, Sum: 9.75, Dur: 0.5, Hour: 13, Dow: 6, Extra: `{"a":[1,"x"],"b":null}`,
	}
	for i := range r.Text {
		r.Text[i] = new(fmt.Sprintf("text %d; DROP TABLE x; 日本", i))
	}
	for i := range r.Num {
		r.Num[i] = new(float64(i) + 0.25)
	}
	return r
}

func roundTrip(t *testing.T, open Opener) {
	t.Helper()
	s, reopen := open(t)
	full := FullRow(1, 0)
	bare := events.Row{Offset: 1, Item: 1, Key: "[CLY]_view", Hour: -1, Dow: -1}
	extremes := events.Row{
		Offset: 2, Item: math.MaxUint32, TS: math.MaxInt64, Received: math.MinInt64, Key: "k", Name: "a\x00b",
		UID: math.MaxUint32, Session: math.MaxUint64, State: math.MaxUint32, Count: math.MinInt64,
		Sum: math.MaxFloat64, Dur: math.SmallestNonzeroFloat64, Hour: 23, Dow: 0,
	}
	extremes.Text[0], extremes.Text[15] = new(""), new(strings.Repeat("é", 5<<20)) // 10 MB
	extremes.Num[7] = new(-math.MaxFloat64)
	want := Contents{
		Rows: []events.Row{full, bare, extremes},
		Requests: []events.RequestRow{
			{Offset: 1, TS: 5, Received: 6, UID: 7, Flags: events.RequestBegin | events.RequestCounted, Dur: 1.5},
			{Offset: 1, Item: 1, UID: 8, Flags: math.MaxUint16},
			{Offset: 2},
		},
		States: []events.State{{Number: 1, Offset: 1, UID: 7, JSON: `{"up.av":"3:4:1","custom.plan":"pro"}`}, {Number: 2, Offset: 2, UID: 8}},
		Users:  []uint32{7, 8},
	}
	Commit(t, s, Batch(2, appA, &events.AppBatch{
		Rows: want.Rows, Requests: want.Requests, States: want.States,
		Users: []*model.Profile{{UID: 8}, {UID: 7, DID: "device"}},
	}))
	for range 2 {
		equal(t, s, appA, want)
		equal(t, s, appB, Contents{})
		if !s.HasApp(appA) || s.HasApp(appB) {
			t.Errorf("has A: %t, has B: %t", s.HasApp(appA), s.HasApp(appB))
		}
		watermark(t, s, 2)
		s = reopen()
	}
}

func places(t *testing.T, open Opener) {
	t.Helper()
	ctx := context.Background()
	s, _ := open(t)
	const n, near = 17_500, 9300 // more than a page, and two; from the first places the end of the first page is looked at
	b := &events.AppBatch{}
	var places []events.Place
	for i := range uint64(n) {
		off, item := i/7+1, uint32(i%7)
		if i >= 9000 { // more than a page at one offset
			off, item = 9000, uint32(i-9000)
		}
		places = append(places, events.Place{Offset: off, Item: item})
		b.Rows = append(b.Rows, events.Row{Offset: off, Item: item, Key: "k"})
		b.Requests = append(b.Requests, events.RequestRow{Offset: off, Item: item})
		b.States = append(b.States, events.State{Offset: off, Number: uint32(i + 1)})
	}
	Commit(t, s, Batch(n, appA, b))
	stop := errors.New("stop")
	for _, start := range []int{0, 1, 6, 7, 8, 8191, 9500, n - 1, n} {
		var after events.Place
		if start > 0 {
			after = places[start-1]
		}
		end := n
		if start > 0 && start < 10 {
			end = near
		}
		var at int
		next := func(got events.Place) error {
			if want := places[at]; got != want {
				return fmt.Errorf("%d is %v, want %v", at, got, want)
			}
			if at++; at == end && end < n {
				return stop
			}
			return nil
		}
		ended := func(what string, err error) {
			t.Helper()
			if end < n && errors.Is(err, stop) {
				err = nil
			}
			if err != nil || at != end {
				t.Errorf("%s from %d end at %d, want %d: %v", what, start, at, end, err)
			}
		}
		at = start
		ended("rows", s.ScanRows(ctx, appA, after, func(r *events.Row) error { return next(events.Place{Offset: r.Offset, Item: r.Item}) }))
		at = start
		ended("requests", s.ScanRequests(ctx, appA, after, func(r *events.RequestRow) error { return next(events.Place{Offset: r.Offset, Item: r.Item}) }))
		at = start
		ended("states", s.ScanStates(ctx, appA, uint32(start), func(st *events.State) error {
			if st.Number != uint32(at+1) {
				return fmt.Errorf("%d is %d", at, st.Number)
			}
			return next(places[at])
		}))
	}
	seen := 0
	err := s.ScanRows(ctx, appA, events.Place{}, func(*events.Row) error { seen++; return stop })
	if seen != 1 || !errors.Is(err, stop) {
		t.Errorf("scan that is stopped: %d rows, error %v", seen, err)
	}
}

func cleaning(t *testing.T, open Opener) {
	t.Helper()
	s, reopen := open(t)
	dirty := events.Row{
		Offset: 1, Key: "k\xff", Name: "\xc3\x28", Sum: math.NaN(), Dur: math.Inf(1), Count: 1,
		Extra: `{"a":"\ud800","b":1e999,"c":12345678901234567890123}`,
	}
	dirty.Text[0], dirty.Text[1] = new("a\xf0\x28\x8c\x28b"), new(`"quotes" 'and' \ back`)
	dirty.Num[0], dirty.Num[1], dirty.Num[2] = new(math.NaN()), new(math.Inf(-1)), new(1.5)
	noJSON := events.Row{Offset: 1, Item: 1, Key: "k", Extra: `{"a":`}
	Commit(t, s, Batch(1, appA, &events.AppBatch{
		Rows:     []events.Row{dirty, noJSON},
		Requests: []events.RequestRow{{Offset: 1, Dur: math.Inf(-1)}},
		States:   []events.State{{Number: 1, Offset: 1, JSON: "not\xffjson"}},
		Users: []*model.Profile{{
			UID: 1, DID: "d\xff", Loc: &[2]float64{math.NaN(), 3}, LastDuration: math.Inf(1), Name: "O'Brien \"x\" \x00",
			Custom: map[string]any{
				"k\xff": "v\xff", "nan": math.NaN(), "deep": []any{map[string]any{"x": math.Inf(1)}, nil, true, -0.5, 1e300},
				"odd": make(chan int), "big": strings.Repeat("z", 1<<20), "nul": "a\x00",
			},
			Consent: map[string]bool{"a\xff": true}, Campaign: map[string]string{"campaign_id": "\xff"}, Extra: map[string]any{"n": int64(math.MaxInt64)},
		}},
	}))
	clean := events.Row{Offset: 1, Key: "k\uFFFD", Name: "\uFFFD(", Count: 1, Extra: `{"a":"` + "\uFFFD" + `","b":1e999,"c":12345678901234567890123}`}
	clean.Text[0], clean.Text[1] = new("a\uFFFD(\uFFFD(b"), dirty.Text[1]
	clean.Num[2] = new(1.5)
	bare := noJSON
	bare.Extra = ""
	for range 2 {
		equal(t, s, appA, Contents{
			Rows:     []events.Row{clean, bare},
			Requests: []events.RequestRow{{Offset: 1}},
			States:   []events.State{{Number: 1, Offset: 1}},
			Users:    []uint32{1},
		})
		s = reopen()
	}
	found := list(t, s, plan.All(is("did", "d\uFFFD"), is("name", "O'Brien \"x\" \x00")))
	if len(found) != 1 {
		t.Errorf("users found by cleaned text: %v", found)
	}
}

func replay(t *testing.T, open Opener) {
	t.Helper()
	s, reopen := open(t)
	batch := func(from, to uint64) *events.Batch {
		b := &events.AppBatch{}
		for off := from; off <= to; off++ {
			b.Rows = append(b.Rows, events.Row{Offset: off, Key: "k"}, events.Row{Offset: off, Item: 1, Key: "k"})
			b.Requests = append(b.Requests, events.RequestRow{Offset: off})
			b.States = append(b.States, events.State{Offset: off, Number: uint32(off)})
		}
		return Batch(to, appA, b)
	}
	all := batch(1, 9).Apps[appA]
	want := func(to uint64) Contents {
		return Contents{Rows: all.Rows[:2*to], Requests: all.Requests[:to], States: all.States[:to]}
	}
	steps := []struct{ from, to, high uint64 }{
		{1, 3, 3}, {1, 3, 3}, // the same batch again
		{1, 2, 3}, {3, 5, 5}, // other borders: wholly covered, then in part
		{2, 5, 5}, {6, 6, 6}, {5, 9, 9},
	}
	for i, st := range steps {
		Commit(t, s, batch(st.from, st.to))
		watermark(t, s, st.high)
		equal(t, s, appA, want(st.high))
		if i%2 == 0 {
			s = reopen()
		}
	}
	// An app that appears later is measured by the same watermark.
	Commit(t, s, Batch(9, appB, &events.AppBatch{Rows: []events.Row{{Offset: 9, Key: "k"}}}))
	equal(t, s, appB, Contents{})
	// Other partitions have their own.
	place := journal.Position{Partition: 3, Offset: 4}.Place()
	b := Batch(0, appB, &events.AppBatch{Rows: []events.Row{{Offset: place, Key: "k"}}})
	b.Partition, b.Watermark = 3, journal.Watermark{0: 9, 3: 4}
	for range 2 {
		Commit(t, s, b)
		equal(t, s, appB, Contents{Rows: b.Apps[appB].Rows})
	}
	s = reopen()
	got, err := s.Watermark(context.Background())
	if diff := cmp.Diff(journal.Watermark{0: 9, 3: 4}, got); err != nil || diff != "" {
		t.Errorf("watermark: %v\n%s", err, diff)
	}
}

// list returns the numbers of users that a condition selects.
func list(t *testing.T, s Store, where plan.Expr) []uint32 {
	t.Helper()
	found, err := numbers(context.Background(), s, &plan.Query{App: appA, From: plan.Users, Where: where, Order: []plan.Order{{By: plan.Us("uid")}}})
	if err != nil {
		t.Fatalf("users: %v", err)
	}
	return found
}

func users(t *testing.T, open Opener) {
	t.Helper()
	s, reopen := open(t)
	Commit(t, s, Batch(1, appA, &events.AppBatch{Users: []*model.Profile{{UID: 3, DID: "c"}, {UID: 1, DID: "a", Sessions: 1}, {UID: 2, DID: "b"}}}))
	Commit(t, s, Batch(2, appA, &events.AppBatch{Users: []*model.Profile{{UID: 2, DID: "old"}, {UID: 4}, {UID: 2, DID: "b", Dims: model.Dims{model.Country: "PE"}}}, Gone: []uint32{3, 99}}))
	equal(t, s, appA, Contents{Users: []uint32{1, 2, 4}})
	for range 2 { // covered batches upsert all the same
		Commit(t, s, Batch(1, appA, &events.AppBatch{Users: []*model.Profile{{UID: 1, DID: "a", Sessions: 2}}, Gone: []uint32{4}}))
		s = reopen()
	}
	equal(t, s, appA, Contents{Users: []uint32{1, 2}})
	tests := []struct {
		name  string
		where plan.Expr
		want  []uint32
	}{
		{"of a country", is("cc", "PE"), []uint32{2}},
		{"of none", plan.Do(plan.IsNull, plan.Us("cc")), []uint32{1}},
		{"either", plan.Any(is("did", "b"), plan.Do(plan.Gt, plan.Us("sc"), plan.Is(1))), []uint32{1, 2}},
		{"without sessions", plan.All(plan.Do(plan.IsNull, plan.Us("sc")), plan.Do(plan.IsNull, plan.Us("tsd"))), []uint32{2}},
		{"replaced", is("did", "old"), nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, list(t, s, tt.where)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	full := &model.Profile{
		ID: model.ProfileID{1, 2}, UID: 9, DID: "did",
		Loc: &[2]float64{-12.5, 77.25}, FirstSession: 1, LastSession: 2, FirstActivity: 3, LastActivity: 4,
		FirstSync: 5, LastSync: 6, Sessions: 7, LastDuration: 8.5, TotalDuration: 9.5, Name: "name", Username: "username", Email: "email",
		Organization: "organization", Phone: "phone", Gender: "gender", BirthYear: 1990, Picture: "picture", State: 10,
		Custom: map[string]any{"b": 1.0, "a": []any{"x", true, nil}}, Consent: map[string]bool{"push": false}, Campaign: map[string]string{"campaign_id": "i"},
		Extra: map[string]any{"crashes": map[string]any{"n": 2.0}},
	}
	columns := map[string]any{
		"uid": 9, "_id": full.ID.String(), "did": "did",
		"lat": -12.5, "lng": 77.25,
		"fs": 1, "ls": 2, "fac": 3, "lac": 4, "first_sync": 5, "last_sync": 6, "sc": 7, "sd": 8.5, "tsd": 9.5, "name": "name", "username": "username",
		"email": "email", "organization": "organization", "phone": "phone", "gender": "gender", "byear": 1990, "picture": "picture", "hasInfo": true,
		"state": 10, "custom": `{"a":["x",true,null],"b":1}`, "consent": `{"push":false}`, "cmp": `{"campaign_id":"i"}`, "extra": `{"crashes":{"n":2}}`,
	}
	for i := range full.Dims {
		full.Dims[i] = "of " + model.Dimensions[i].Name
		columns[model.Dimensions[i].Key] = full.Dims[i]
	}
	Commit(t, s, Batch(3, appA, &events.AppBatch{Users: []*model.Profile{full}}))
	for column, want := range columns {
		if diff := cmp.Diff([]uint32{9}, list(t, s, is(column, want))); diff != "" {
			t.Errorf("%s is not %v (-want +got):\n%s", column, want, diff)
		}
	}
}

func userPages(t *testing.T, open Opener) {
	t.Helper()
	s, _ := open(t)
	b := &events.AppBatch{}
	for i := range uint32(50) {
		b.Users = append(b.Users, &model.Profile{UID: i + 1, Sessions: int64(i % 5), Dims: model.Dims{model.Country: []string{"PE", "DE"}[i%2]}})
	}
	Commit(t, s, Batch(1, appA, b))
	number := plan.Order{By: plan.Us("uid")}
	tests := []struct {
		name string
		q    plan.Query
		want []uint32
	}{
		{"by number", plan.Query{Limit: 3}, []uint32{1, 2, 3}},
		{"second page", plan.Query{Limit: 3, Offset: 3}, []uint32{4, 5, 6}},
		{"last page", plan.Query{Limit: 30, Offset: 48}, []uint32{49, 50}},
		{"beyond", plan.Query{Limit: 3, Offset: 50}, nil},
		{"ties by number", plan.Query{Order: []plan.Order{{By: plan.Us("sc"), Desc: true}}, Limit: 3}, []uint32{5, 10, 15}},
		{"filtered", plan.Query{Where: plan.Any(is("cc", "DE"), is("uid", 1)), Order: []plan.Order{{By: plan.Us("cc"), Desc: true}}, Limit: 2}, []uint32{1, 2}},
		{"none", plan.Query{Where: is("cc", "'; DROP"), Limit: 5}, nil},
	}
	for _, tt := range tests {
		tt.q.App, tt.q.From, tt.q.Order = appA, plan.Users, append(tt.q.Order, number)
		got, err := numbers(context.Background(), s, &tt.q)
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}
