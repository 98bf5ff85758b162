package rolluptest

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// modelCell is a cell of the naive store.
type modelCell struct {
	rollup.Cell
	users map[uint32]bool
}

// naive keeps all cells in a map and merges users by rewriting every cell at once.
type naive map[model.AppID]map[rollup.Key]*modelCell

func (n naive) write(app model.AppID, aliases []rollup.Alias, d rollup.Delta) {
	for _, a := range aliases {
		for _, c := range n[app] {
			if c.users[a.Old] {
				delete(c.users, a.Old)
				c.users[a.New] = true
			}
		}
	}
	for k, c := range d {
		if n[app] == nil {
			n[app] = map[rollup.Key]*modelCell{}
		}
		m := n[app][k]
		if m == nil {
			m = &modelCell{users: map[uint32]bool{}}
			n[app][k] = m
		}
		if c.First > 0 && (m.First == 0 || c.First < m.First) {
			m.First = c.First
		}
		m.Count += c.Count
		m.New += c.New
		m.Requests += c.Requests
		m.Sum += c.Sum
		m.Dur += c.Dur
		m.Flags |= c.Flags
		if c.Users != nil {
			for _, u := range c.Users.ToArray() {
				m.users[u] = true
			}
		}
	}
}

func (n naive) remove(app model.AppID, match func(rollup.Key) bool) {
	maps.DeleteFunc(n[app], func(k rollup.Key, _ *modelCell) bool { return match(k) })
}

func (n naive) rows(app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket) []Row {
	var rows []Row
	for k, c := range n[app] {
		if k.Series == s && k.Grain == g && k.Bucket >= from && k.Bucket <= to {
			rows = append(rows, Row{k.Bucket, k.Value, c.Cell, slices.Sorted(maps.Keys(c.users))})
		}
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Value, b.Value))
	})
	return rows
}

func (n naive) union(app model.AppID, s rollup.Series, value string, from, to rollup.Bucket) []uint32 {
	users := map[uint32]bool{}
	for k, c := range n[app] {
		if k.Series == s && k.Grain == rollup.Day && k.Value == value && k.Bucket >= from && k.Bucket <= to {
			maps.Copy(users, c.users)
		}
	}
	return slices.Sorted(maps.Keys(users))
}

// player makes random batches over a few users who merge now and then.
type player struct {
	rng    *rand.Rand
	live   map[model.AppID][]uint32
	last   map[model.AppID]uint32
	offset uint64
}

var randomSeries = []rollup.Series{
	{Metric: rollup.Users},
	{Metric: rollup.Events},
	{Metric: rollup.Segments, Dim: rollup.SegmentDim("buy", "size")},
	{Metric: rollup.Segments, Dim: rollup.SegmentDim("buy", "colour")},
	{Metric: rollup.Segments, Dim: rollup.SegmentDim("buyer", "size")},
}

const (
	randomFirstDay = 19700 // 2023-12-09
	randomDays     = 120
)

func (p *player) user(app model.AppID) uint32 {
	if len(p.live[app]) == 0 || p.rng.IntN(4) == 0 {
		// Far apart now and then, so that bitmaps have several containers.
		p.last[app] += 1 + uint32(p.rng.IntN(3)/2*p.rng.IntN(50000))
		p.live[app] = append(p.live[app], p.last[app])
	}
	return p.live[app][p.rng.IntN(len(p.live[app]))]
}

func (p *player) batch(app model.AppID) ([]rollup.Alias, rollup.Delta) {
	var aliases []rollup.Alias
	for p.rng.IntN(3) == 0 && len(p.live[app]) > 2 {
		i := p.rng.IntN(len(p.live[app]))
		old := p.live[app][i]
		p.live[app] = slices.Delete(p.live[app], i, i+1)
		aliases = append(aliases, rollup.Alias{Old: old, New: p.live[app][p.rng.IntN(len(p.live[app]))]})
	}
	d := rollup.Delta{}
	for range p.rng.IntN(12) {
		p.offset++
		day := rollup.Bucket(randomFirstDay + p.rng.IntN(randomDays))
		s := randomSeries[p.rng.IntN(len(randomSeries))]
		value := string(rune('a' + p.rng.IntN(4)))
		eighths := float64(p.rng.IntN(1000)-500) / 8 // sums of eighths are exact
		user := p.user(app)
		for _, k := range []rollup.Key{
			{Series: s, Grain: rollup.Day, Bucket: day, Value: value},
			{Series: s, Grain: rollup.Month, Bucket: rollup.MonthOfDay(day), Value: value},
		} {
			c := d.At(k)
			c.Merge(&rollup.Cell{
				First: p.offset, Count: 1, New: int64(p.rng.IntN(3)) - 1, Requests: int64(p.rng.IntN(2)),
				Sum: eighths, Dur: -2 * eighths, Flags: uint8(p.rng.IntN(4)),
			})
			if s.Metric != rollup.Segments {
				c.AddUser(user)
			}
		}
	}
	return aliases, d
}

func testRandom(t *testing.T, b Backend, seed uint64) {
	t.Helper()
	t.Logf("seed %d", seed)
	ctx := t.Context()
	p := &player{rng: rand.New(rand.NewPCG(seed, 1)), live: map[model.AppID][]uint32{}, last: map[model.AppID]uint32{}}
	m := naive{}
	apps := []model.AppID{appA, appB}
	batch := func(app model.AppID) error {
		aliases, d := p.batch(app)
		m.write(app, aliases, d)
		return b.Write(ctx, app, aliases, d)
	}
	for step := range 300 {
		app := apps[p.rng.IntN(len(apps))]
		s := randomSeries[p.rng.IntN(len(randomSeries))]
		var err error
		switch n := p.rng.IntN(200); {
		case n == 0:
			m.remove(app, func(rollup.Key) bool { return true })
			err = b.DeleteApp(ctx, app)
		case n < 3:
			m.remove(app, func(k rollup.Key) bool { return k.Series == s })
			err = b.DeleteSeries(ctx, app, s)
		case n < 5:
			m.remove(app, func(k rollup.Key) bool {
				return k.Series.Metric == rollup.Segments && strings.HasPrefix(k.Series.Dim, rollup.SegmentDim("buy", ""))
			})
			err = b.DeleteDims(ctx, app, rollup.Segments, rollup.SegmentDim("buy", ""))
		case n < 8:
			m.remove(app, func(k rollup.Key) bool { return k.Series == s && k.Value == "b" })
			err = b.DeleteValue(ctx, app, s, "b")
		case n < 16:
			err = b.Rewrite(ctx, app, func() error { return batch(app) })
		case n < 26:
			err = b.Compact(ctx)
		case n < 50:
			compare(t, p.rng, b, m, app)
		default:
			err = batch(app)
		}
		if err != nil {
			t.Fatalf("seed %d, step %d: %v", seed, step, err)
		}
	}
	for range 2 {
		for _, app := range apps {
			for range 20 {
				compare(t, p.rng, b, m, app)
			}
		}
		if err := b.Compact(ctx); err != nil {
			t.Fatalf("seed %d: compact: %v", seed, err)
		}
	}
}

// compare scans and unites at random and wants what the naive store says.
func compare(t *testing.T, rng *rand.Rand, b Backend, m naive, app model.AppID) {
	t.Helper()
	ctx := t.Context()
	s := randomSeries[rng.IntN(len(randomSeries))]
	from := rollup.Bucket(randomFirstDay + rng.IntN(randomDays))
	to := rollup.Bucket(randomFirstDay + rng.IntN(randomDays))
	wantRows(t, b, app, s, rollup.Day, from, to, m.rows(app, s, rollup.Day, from, to))
	fromMonth, toMonth := rollup.MonthOfDay(from), rollup.MonthOfDay(to)
	wantRows(t, b, app, s, rollup.Month, fromMonth, toMonth, m.rows(app, s, rollup.Month, fromMonth, toMonth))

	byValue, err := rollup.UnionUsersByValue(ctx, b, app, s, from, to)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"a", "b", "c", "d"} {
		want := m.union(app, s, v, from, to)
		got, err := rollup.UnionUsers(ctx, b, app, s, func(value string) bool { return value == v }, from, to)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.ToArray(), want) {
			t.Fatalf("users of %v %q from %d to %d: got %v, want %v", s, v, from, to, got.ToArray(), want)
		}
		var one []uint32
		if u := byValue[v]; u != nil {
			one = u.ToArray()
		}
		if diff := gocmp.Diff(want, one); diff != "" {
			t.Fatalf("users by value of %v %q from %d to %d (-want +got):\n%s", s, v, from, to, diff)
		}
	}
}
