// Package rolluptest is the specification of a store of cells as a test
// suite: whatever keeps cells must pass Run.
package rolluptest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Backend is a store under test with the writes that production code does in
// its own ways.
type Backend interface {
	rollup.Reader
	// Write applies a batch: the aliases it makes and its cells, atomically.
	Write(ctx context.Context, app model.AppID, aliases []rollup.Alias, d rollup.Delta) error
	// Rewrite removes all merged numbers from the cells and forgets their
	// aliases. between is called once or more while the work is under way and may
	// call Write.
	Rewrite(ctx context.Context, app model.AppID, between func() error) error
	// Compact makes the store merge what it keeps apart, as far as it can.
	Compact(ctx context.Context) error
	// The removals of cells, by app, by series, by the beginning of the
	// dimension and by value.
	DeleteApp(ctx context.Context, app model.AppID) error
	DeleteSeries(ctx context.Context, app model.AppID, s rollup.Series) error
	DeleteDims(ctx context.Context, app model.AppID, m rollup.Metric, dimPrefix string) error
	DeleteValue(ctx context.Context, app model.AppID, s rollup.Series, value string) error
}

// Run runs the suite; open returns an empty store each time. With names, only the tests of these.
func Run(t *testing.T, open func(t *testing.T) Backend, only ...string) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"Order", func(t *testing.T) { t.Helper(); testOrder(t, open(t)) }},
		{"Bounds", func(t *testing.T) { t.Helper(); testBounds(t, open(t)) }},
		{"CallbackError", func(t *testing.T) { t.Helper(); testCallbackError(t, open(t)) }},
		{"Cancelled", func(t *testing.T) { t.Helper(); testCancelled(t, open(t)) }},
		{"UnionOutlivesScan", func(t *testing.T) { t.Helper(); testUnionOutlivesScan(t, open(t)) }},
		{"AliasChain", func(t *testing.T) { t.Helper(); testAliasChain(t, open(t)) }},
		{"Random", func(t *testing.T) { t.Helper(); Random(t, open, 4) }},
	} {
		if len(only) == 0 || slices.Contains(only, test.name) {
			t.Run(test.name, test.run)
		}
	}
}

// Random runs so many rounds of random operations, each with a seed of its own and on a store of its own.
func Random(t *testing.T, open func(t *testing.T) Backend, rounds int) {
	t.Helper()
	for range rounds {
		testRandom(t, open(t), rand.Uint64())
	}
}

// Row is a cell as a scan showed it, in comparable form.
type Row struct {
	Bucket rollup.Bucket
	Value  string
	Cell   rollup.Cell // without Users
	Users  []uint32
}

// Rows collects what a scan shows.
func Rows(ctx context.Context, r rollup.Reader, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket) ([]Row, error) {
	var rows []Row
	err := r.Scan(ctx, app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		row := Row{Bucket: b, Value: value, Cell: *c}
		if c.Users != nil {
			row.Users = c.Users.ToArray()
		}
		if uint64(len(row.Users)) != c.Uniques() {
			return errors.New("uniques differ from the number of users")
		}
		row.Cell.Users = nil
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

const everyBucket = rollup.Bucket(1<<32 - 1)

var (
	appA = model.AppID{0: 1}
	appB = model.AppID{0: 1, 11: 1}
)

func cell(count int64, users ...uint32) *rollup.Cell {
	c := &rollup.Cell{First: 7, Count: count}
	for _, u := range users {
		c.AddUser(u)
	}
	return c
}

func write(t *testing.T, b Backend, app model.AppID, d rollup.Delta, aliases ...rollup.Alias) {
	t.Helper()
	if err := b.Write(t.Context(), app, aliases, d); err != nil {
		t.Fatalf("write: %v", err)
	}
}

func wantRows(t *testing.T, b Backend, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, want []Row) {
	t.Helper()
	got, err := Rows(t.Context(), b, app, s, g, from, to)
	if err != nil {
		t.Fatalf("scan: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("scan of %v at grain %d, %d to %d (-want +got):\n%s", s, g, from, to, diff)
	}
}

func testOrder(t *testing.T, b Backend) {
	t.Helper()
	s := rollup.Series{Metric: rollup.Countries}
	d := rollup.Delta{}
	for _, k := range []struct {
		bucket rollup.Bucket
		value  string
	}{{300, "a"}, {2, "b"}, {2, "a"}, {2, ""}, {2, "a\x00"}, {2, "\xff\xff"}, {2, "aa"}, {70000, "a"}} {
		d[rollup.Key{Series: s, Grain: rollup.Day, Bucket: k.bucket, Value: k.value}] = cell(1)
	}
	write(t, b, appA, d)
	c := rollup.Cell{First: 7, Count: 1}
	wantRows(t, b, appA, s, rollup.Day, 0, everyBucket, []Row{
		{2, "", c, nil},
		{2, "a", c, nil},
		{2, "a\x00", c, nil},
		{2, "aa", c, nil},
		{2, "b", c, nil},
		{2, "\xff\xff", c, nil},
		{300, "a", c, nil},
		{70000, "a", c, nil},
	})
}

func testBounds(t *testing.T, b Backend) {
	t.Helper()
	series := []rollup.Series{
		{Metric: rollup.Events},
		{Metric: rollup.Segments, Dim: rollup.SegmentDim("e", "s")},
		{Metric: rollup.Segments, Dim: rollup.SegmentDim("e", "s2")},
		{Metric: rollup.Segments, Dim: "\xff"},
		{Metric: 255, Dim: "\xff\xff"},
	}
	apps := []model.AppID{appA, appB, {0: 0xff, 1: 0xff, 2: 0xff, 3: 0xff, 4: 0xff, 5: 0xff, 6: 0xff, 7: 0xff, 8: 0xff, 9: 0xff, 10: 0xff, 11: 0xff}}
	n := int64(0)
	want := map[int64]func(){}
	for _, app := range apps {
		d := rollup.Delta{}
		for _, s := range series {
			for _, g := range []rollup.Grain{rollup.Hour, rollup.Day, rollup.Month} {
				for _, bucket := range []rollup.Bucket{0, 1, 255, 256, everyBucket} {
					n++
					c := cell(n, uint32(n))
					d[rollup.Key{Series: s, Grain: g, Bucket: bucket, Value: "v"}] = c
					count := n
					want[n] = func() {
						t.Helper()
						wantRows(t, b, app, s, g, bucket, bucket, []Row{{bucket, "v", rollup.Cell{First: 7, Count: count}, []uint32{uint32(count)}}})
					}
				}
			}
		}
		write(t, b, app, d)
	}
	for _, check := range want {
		check()
	}
	wantRows(t, b, appA, series[0], rollup.Day, 2, 254, nil)
	wantRows(t, b, appA, series[0], rollup.Day, 2, 1, nil)
}

func testCallbackError(t *testing.T, b Backend) {
	t.Helper()
	s := rollup.Series{Metric: rollup.Devices}
	write(t, b, appA, rollup.Delta{
		{Series: s, Grain: rollup.Day, Bucket: 1, Value: "x"}: cell(1),
		{Series: s, Grain: rollup.Day, Bucket: 2, Value: "x"}: cell(1),
	})
	stop, calls := errors.New("stop"), 0
	err := b.Scan(t.Context(), appA, s, rollup.Day, 0, everyBucket, func(rollup.Bucket, string, *rollup.Cell) error {
		calls++
		return stop
	})
	if !errors.Is(err, stop) || calls != 1 {
		t.Fatalf("got error %v after %d calls, want the callback's error after 1", err, calls)
	}
}

func testCancelled(t *testing.T, b Backend) {
	t.Helper()
	s := rollup.Series{Metric: rollup.Devices}
	write(t, b, appA, rollup.Delta{{Series: s, Grain: rollup.Day, Bucket: 1, Value: "x"}: cell(1)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := b.Scan(ctx, appA, s, rollup.Day, 0, everyBucket, func(rollup.Bucket, string, *rollup.Cell) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
}

func testUnionOutlivesScan(t *testing.T, b Backend) {
	t.Helper()
	s := rollup.Series{Metric: rollup.Users}
	want := 0
	for day := range rollup.Bucket(40) {
		c := &rollup.Cell{Count: 1}
		for u := range uint32(300) {
			c.AddUser(uint32(day)*65536*3 + u*7)
			want++
		}
		write(t, b, appA, rollup.Delta{
			{Series: s, Grain: rollup.Day, Bucket: day}:                      c,
			{Series: s, Grain: rollup.Month, Bucket: rollup.MonthOfDay(day)}: c,
		})
	}
	if err := b.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := rollup.UnionUsers(t.Context(), b, appA, s, nil, 0, 39)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.DeleteApp(t.Context(), appA); err != nil {
		t.Fatal(err)
	}
	if err := b.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got.GetCardinality() != uint64(want) || len(got.ToArray()) != want {
		t.Fatalf("union has %d users, want %d", got.GetCardinality(), want)
	}
	for day := range uint32(40) {
		for u := range uint32(300) {
			if !got.Contains(day*65536*3 + u*7) {
				t.Fatalf("user %d is missing", day*65536*3+u*7)
			}
		}
	}
}

func testAliasChain(t *testing.T, b Backend) {
	t.Helper()
	s := rollup.Series{Metric: rollup.Users}
	key := func(d rollup.Bucket) rollup.Key { return rollup.Key{Series: s, Grain: rollup.Day, Bucket: d} }
	write(t, b, appA, rollup.Delta{key(1): cell(1, 1, 2, 9), key(2): cell(1, 1), key(3): cell(1, 3, 2)})
	write(t, b, appB, rollup.Delta{key(1): cell(1, 1, 2, 9)})
	write(t, b, appA, nil, rollup.Alias{Old: 1, New: 2})
	write(t, b, appA, rollup.Delta{key(4): cell(1, 2)}, rollup.Alias{Old: 2, New: 3})
	c := rollup.Cell{First: 7, Count: 1}
	want := []Row{{1, "", c, []uint32{3, 9}}, {2, "", c, []uint32{3}}, {3, "", c, []uint32{3}}, {4, "", c, []uint32{3}}}
	for range 2 {
		wantRows(t, b, appA, s, rollup.Day, 0, 9, want)
		wantRows(t, b, appB, s, rollup.Day, 0, 9, []Row{{1, "", c, []uint32{1, 2, 9}}})
		if err := b.Rewrite(t.Context(), appA, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantRows(t, b, appA, s, rollup.Day, 0, 9, want)
}
