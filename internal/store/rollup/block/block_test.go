package block_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block"
)

// full has something of everything.
func full() block.Block {
	cell := &rollup.Cell{First: 1<<64 - 1, Count: -1 << 53, New: 3, Requests: 1 << 53, Sum: math.Copysign(0, -1), Dur: 1e30, Flags: 3}
	for _, uid := range []uint32{1, 2, 1 << 20, math.MaxUint32} {
		cell.AddUser(uid)
	}
	return block.Block{
		{ID: model.AppID{1}, Remove: []rollup.Removal{
			rollup.RemoveApp{},
			rollup.RemoveSeries{Series: rollup.Series{Metric: 255, Dim: "d\x00\xff"}},
			rollup.RemoveDims{Metric: 3, Prefix: "p"},
			rollup.RemoveValue{Series: rollup.Series{Metric: 1}, Value: ""},
			rollup.RemoveValues{Metric: 9, Values: []string{"a", "", strings.Repeat("v", 1024)}},
			rollup.RemoveFrom{Metric: 1, From: map[rollup.Grain]rollup.Bucket{rollup.Hour: 1, rollup.Month: math.MaxUint32}},
			rollup.RemoveBefore{Metric: 1, Before: map[rollup.Grain]rollup.Bucket{rollup.Day: 0}},
			rollup.EraseUsers{UIDs: []uint32{0, 7, math.MaxUint32}},
		}},
		{ID: model.AppID{1}, Cells: rollup.Delta{
			{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Bucket: 20_000}:                                   cell,
			{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Bucket: 20_001, Value: "v"}:                       {Count: 1},
			{Series: rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim("e", "s")}, Grain: rollup.Hour, Value: "x"}: {Sum: 0.1, First: 1},
		}},
		{ID: model.AppID{11: 9}, Replace: map[uint32]uint32{1: 2, math.MaxUint32: 3}, Unmerge: true, Merged: map[uint32]uint32{7: 0, 8: math.MaxUint32}},
	}
}

func same(t *testing.T, want, got block.Block) {
	t.Helper()
	users := cmp.Transformer("users", func(c rollup.Cell) any {
		set := []uint32{}
		if c.Users != nil {
			set = c.Users.ToArray()
		}
		return []any{c.First, c.Count, c.New, c.Requests, math.Float64bits(c.Sum), math.Float64bits(c.Dur), c.Flags, set}
	})
	if diff := cmp.Diff(want, got, users, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("block (-written +read):\n%s", diff)
	}
}

func TestBlock(t *testing.T) {
	t.Parallel()
	for _, b := range []block.Block{nil, {{}}, full()} {
		form, err := block.Append([]byte("before"), b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := block.Read(form[len("before"):])
		if err != nil {
			t.Fatal(err)
		}
		same(t, b, got)
		for range 5 { // whatever the order in which maps are walked
			again, err := block.Append([]byte("before"), full())
			if err != nil || len(b) > 1 && !bytes.Equal(again, form) {
				t.Fatalf("the same block has another form: %v", err)
			}
		}
		for n := range form[len("before"):] {
			if _, err := block.Read(form[len("before") : len("before")+n]); !errors.Is(err, block.ErrDamaged) {
				t.Fatalf("the first %d of %d bytes: %v", n, len(form), err)
			}
		}
		if _, err := block.Read(append(form[len("before"):], 0)); !errors.Is(err, block.ErrDamaged) {
			t.Errorf("with a byte more: %v", err)
		}
	}
	if !(block.Block{{}, {Cells: rollup.Delta{}}}).Empty() || full().Empty() {
		t.Error("empty blocks are not told from others")
	}
	if got, err := block.Read([]byte{2, 0}); err == nil {
		t.Errorf("a block of another version: %v", got)
	}
}

// TestEmptyCellsStay leaves out cells that change nothing.
func TestEmptyCellsStay(t *testing.T) {
	t.Parallel()
	form, err := block.Append(nil, block.Block{{Cells: rollup.Delta{{Value: "a"}: {}, {Value: "b"}: nil, {Value: "c"}: {Count: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := block.Read(form)
	if err != nil || len(got) != 1 || len(got[0].Cells) != 1 {
		t.Errorf("read %v, %v", got, err)
	}
}

// FuzzRead holds that nothing that is read makes a panic, and that what is read is written to what reads the same.
func FuzzRead(f *testing.F) {
	form, err := block.Append(nil, full())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(form)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		damaged := bytes.Clone(form)
		damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
		f.Add(damaged)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		b, err := block.Read(in)
		if err != nil {
			return
		}
		once, err := block.Append(nil, b)
		if err != nil {
			t.Fatal(err)
		}
		again, err := block.Read(once)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := block.Append(nil, again); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("written twice: %x and %x, %v", once, twice, err)
		}
	})
}
