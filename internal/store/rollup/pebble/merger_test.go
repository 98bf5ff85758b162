package pebble_test

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// plain is a decoded value in comparable form.
type plain struct {
	Cell     rollup.Cell
	Users    []uint32
	Replaces []rollup.Alias
}

func decodePlain(tb testing.TB, b []byte) plain {
	tb.Helper()
	c, r, err := pebblerollup.DecodeOperand(b)
	if err != nil {
		tb.Fatalf("decode % x: %v", b, err)
	}
	p := plain{Cell: *c, Replaces: r}
	p.Cell.Users = nil
	if c.Users != nil {
		p.Users = c.Users.ToArray()
	}
	return p
}

func encode(tb testing.TB, c *rollup.Cell, r ...rollup.Alias) []byte {
	tb.Helper()
	b, err := pebblerollup.EncodeOperand(c, r)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// merge runs the operator over operands given from the oldest to the newest.
func merge(tb testing.TB, newestFirst, includesBase bool, ops ...[]byte) []byte {
	tb.Helper()
	ops = slices.Clone(ops)
	if newestFirst {
		slices.Reverse(ops)
	}
	scratch := slices.Clone(ops[0])
	m, err := pebblerollup.Merger().Merge(nil, scratch)
	if err != nil {
		tb.Fatal(err)
	}
	clear(scratch) // the operator must not hold on to it
	for _, op := range ops[1:] {
		scratch = slices.Clone(op)
		if newestFirst {
			err = m.MergeOlder(scratch)
		} else {
			err = m.MergeNewer(scratch)
		}
		if err != nil {
			tb.Fatal(err)
		}
		clear(scratch)
	}
	out, _, err := m.Finish(includesBase)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func randomCell(rng *rand.Rand) *rollup.Cell {
	c := &rollup.Cell{
		First: rng.Uint64N(5), Count: rng.Int64N(9) - 4, New: rng.Int64N(3), Requests: rng.Int64N(3),
		Sum: float64(rng.IntN(64)) / 8, Dur: float64(rng.IntN(64)) / 8, Flags: uint8(rng.IntN(4)),
	}
	for range rng.IntN(6) {
		c.AddUser(randomUser(rng))
	}
	if rng.IntN(40) == 0 { // a container of another kind
		start := 1 + rng.Uint64N(4)*30000
		c.AddUser(1)
		c.Users.AddRange(start, start+rng.Uint64N(6000))
	}
	return c
}

// randomUser returns few numbers, so that replacements meet them, in two containers.
func randomUser(rng *rand.Rand) uint32 { return 1 + rng.Uint32N(12) + rng.Uint32N(2)*65536 }

func randomReplacements(rng *rand.Rand) []rollup.Alias {
	m := map[uint32]uint32{}
	for range rng.IntN(5) {
		m[randomUser(rng)] = randomUser(rng) * rng.Uint32N(2) // 0 takes out
	}
	var r []rollup.Alias
	for old, to := range m {
		if old != to {
			r = append(r, rollup.Alias{Old: old, New: to})
		}
	}
	slices.SortFunc(r, func(a, b rollup.Alias) int { return int(int64(a.Old) - int64(b.Old)) })
	return r
}

// naiveMerge says what operands, oldest first, amount to.
func naiveMerge(tb testing.TB, ops [][]byte) plain {
	tb.Helper()
	users := map[uint32]bool{}
	var sum rollup.Cell
	for _, op := range ops {
		p := decodePlain(tb, op)
		next := map[uint32]bool{}
		for u := range users {
			i := slices.IndexFunc(p.Replaces, func(a rollup.Alias) bool { return a.Old == u })
			if i >= 0 {
				u = p.Replaces[i].New
			}
			if u != 0 {
				next[u] = true
			}
		}
		for _, u := range p.Users {
			next[u] = true
		}
		users = next
		sum.Merge(&p.Cell)
	}
	out := plain{Cell: sum}
	for u := range users {
		out.Users = append(out.Users, u)
	}
	slices.Sort(out.Users)
	return out
}

// TestVolumeMergeIsAssociative merges random operands in random groups and either
// order; all must amount to the naive result.
func TestVolumeMergeIsAssociative(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 1000 {
		ops := make([][]byte, 1+rng.IntN(7))
		for i := range ops {
			ops[i] = encode(t, randomCell(rng), randomReplacements(rng)...)
		}
		want := naiveMerge(t, ops)
		for groups := slices.Clone(ops); len(groups) > 1; {
			i := rng.IntN(len(groups))
			n := 1 + rng.IntN(len(groups)-i)
			if n == len(groups) {
				break
			}
			part := merge(t, rng.IntN(2) == 0, false, groups[i:i+n]...)
			groups = slices.Replace(groups, i, i+n, part)
			got := decodePlain(t, merge(t, rng.IntN(2) == 0, true, groups...))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %d operands, %d groups (-want +got):\n%s", seed, len(ops), len(groups), diff)
			}
			if n == 1 && rng.IntN(4) == 0 {
				break
			}
		}
		for _, newestFirst := range []bool{false, true} {
			if diff := cmp.Diff(want, decodePlain(t, merge(t, newestFirst, true, ops...))); diff != "" {
				t.Fatalf("seed %d, newest first %v (-want +got):\n%s", seed, newestFirst, diff)
			}
		}
	}
}

// TestMergeOfDeltasCommutes shuffles operands without replacements.
func TestMergeOfDeltasCommutes(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 3))
	for range 500 {
		ops := make([][]byte, 2+rng.IntN(6))
		for i := range ops {
			ops[i] = encode(t, randomCell(rng))
		}
		want := merge(t, false, true, ops...)
		rng.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
		if got := merge(t, rng.IntN(2) == 0, true, ops...); !slices.Equal(want, got) {
			t.Fatalf("seed %d: got % x, want % x", seed, got, want)
		}
	}
}

func TestMergeDropsReplacementsWithoutCell(t *testing.T) {
	op := encode(t, &rollup.Cell{}, rollup.Alias{Old: 1, New: 2})
	for _, tc := range []struct {
		name         string
		includesBase bool
		ops          int
		wantDelete   bool
	}{
		{"one, nothing older", true, 1, true},
		{"two, nothing older", true, 2, true},
		{"one, maybe older", false, 1, false},
		{"two, maybe older", false, 2, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := pebblerollup.Merger().Merge(nil, op)
			if err != nil {
				t.Fatal(err)
			}
			for range tc.ops - 1 {
				if err := m.MergeNewer(op); err != nil {
					t.Fatal(err)
				}
			}
			_, del, _, err := m.(pebble.DeletableValueMerger).DeletableFinish(tc.includesBase)
			if err != nil || del != tc.wantDelete {
				t.Fatalf("got delete %v, error %v, want delete %v", del, err, tc.wantDelete)
			}
		})
	}
}

func TestCellMergeSharesNothing(t *testing.T) {
	var a, b rollup.Cell
	b.AddUser(5)
	a.Merge(&b)
	b.AddUser(6)
	a.AddUser(7)
	if got := a.Users.ToArray(); !slices.Equal(got, []uint32{5, 7}) {
		t.Errorf("merged cell has users %v, want [5 7]", got)
	}
	if got := b.Users.ToArray(); !slices.Equal(got, []uint32{5, 6}) {
		t.Errorf("source has users %v, want [5 6]", got)
	}
}

// TestGolden fixes the bytes of keys and values forever.
func TestGolden(t *testing.T) {
	full := &rollup.Cell{First: 300, Count: -2, New: 1, Requests: 64, Sum: 1.5, Dur: -0.25, Flags: rollup.HasSum | rollup.HasDur}
	full.AddUser(1)
	full.AddUser(65537)
	for name, tc := range map[string]struct {
		cell     *rollup.Cell
		replaces []rollup.Alias
		want     string
	}{
		"empty":        {&rollup.Cell{}, nil, "010000"},
		"count":        {&rollup.Cell{Count: 1}, nil, "01020002"},
		"replacements": {&rollup.Cell{}, []rollup.Alias{{Old: 300, New: 7}, {Old: 301, New: 2}}, "01400002ac02070102"},
		"full": {full, []rollup.Alias{{Old: 3, New: 4}}, "01ff03" + "ac02" + "03" + "02" + "8001" +
			"000000000000f83f" + "000000000000d0bf" + "010304" +
			"3a300000" + "02000000" + "00000000" + "01000000" + "18000000" + "1a000000" + "0100" + "0100"},
	} {
		t.Run(name, func(t *testing.T) {
			got := encode(t, tc.cell, tc.replaces...)
			if hex.EncodeToString(got) != tc.want {
				t.Fatalf("got  %x\nwant %s", got, tc.want)
			}
			back, replaces, err := pebblerollup.DecodeOperand(got)
			if err != nil {
				t.Fatal(err)
			}
			if again := encode(t, back, replaces...); !slices.Equal(again, got) {
				t.Errorf("decoded and encoded again: got % x, want % x", again, got)
			}
		})
	}
	key, err := pebblerollup.AppendKey(nil, model.AppID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, rollup.Key{
		Series: rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim("buy", "s")},
		Grain:  rollup.Day, Bucket: 19700, Value: "xl",
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := hex.EncodeToString(key), "10"+"0102030405060708090a0b0c"+"21"+"0005"+"6275790073"+"02"+"00004cf4"+"786c"; got != want {
		t.Errorf("key: got %s, want %s", got, want)
	}
}

// FuzzDecode feeds the operator bytes from outside: no panic, and what is
// taken keeps its meaning.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		f.Add(encode(f, randomCell(rng), randomReplacements(rng)...))
	}
	f.Add([]byte{1, 0x80, 0, 0x3b, 0x30, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 0})
	other := encode(f, randomCell(rng), rollup.Alias{Old: 1, New: 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, r, err := pebblerollup.DecodeOperand(b)
		if err != nil {
			return
		}
		again := encode(t, c, r...)
		c2, r2, err := pebblerollup.DecodeOperand(again)
		if err != nil {
			t.Fatalf("encoded again it is refused: %v", err)
		}
		if third := encode(t, c2, r2...); !slices.Equal(third, again) {
			t.Fatalf("encoding is not stable: % x, then % x", again, third)
		}
		merge(t, false, true, other, b, other)
		merge(t, true, false, b, other, b)
	})
}

// TestEmptiedCell compacts a stored cell with an operand that takes all of it
// back, twice, and expects that neither comes back.
func TestEmptiedCell(t *testing.T) {
	t.Parallel()
	db := openDB(t)
	app := model.AppID{7}
	s := pebblerollup.NewStore(db, rollup.NoAliases{})
	write := func(d rollup.Delta) {
		t.Helper()
		b := db.NewBatch()
		if err := pebblerollup.Write(b, app, d); err != nil {
			t.Fatal(err)
		}
		if err := b.Commit(pebble.NoSync); err != nil {
			t.Fatal(err)
		}
		if err := db.Compact(t.Context(), []byte{0}, []byte{0xff}, false); err != nil {
			t.Fatal(err)
		}
	}
	key := func(value string) rollup.Key {
		return rollup.Key{Series: rollup.Series{Metric: rollup.OS}, Grain: rollup.Day, Bucket: 5, Value: value}
	}
	for _, n := range []int64{1, -1, 0} {
		d := rollup.Delta{key("b"): {Count: 2}}
		if n != 0 {
			d[key("a")] = &rollup.Cell{Count: n}
		}
		write(d)
	}
	got := map[string]int64{}
	err := s.Scan(t.Context(), app, rollup.Series{Metric: rollup.OS}, rollup.Day, 0, 9, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
		got[value] = c.Count
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int64{"b": 6}, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}
