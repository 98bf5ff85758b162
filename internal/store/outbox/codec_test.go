package outbox_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/outbox"
	"quipu/internal/store/schema"
)

// part is a part with its rows as they were before they were packed.
type part struct {
	*outbox.Part
	rows []events.Row
}

// diff compares parts.
func diff(want, got part) string {
	return cmp.Diff(want.Part, got.Part, cmpopts.IgnoreFields(outbox.Part{}, "Rows")) + cmp.Diff(want.rows, got.rows)
}

// randomPart makes a part of which any field may be extreme.
func randomPart(r *rand.Rand) part {
	p := part{Part: &outbox.Part{}}
	text := func() string {
		b := make([]byte, r.IntN(20))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	number := func() float64 {
		return []float64{0, math.Copysign(0, -1), 1, -17, 0.1, math.MaxFloat64, math.Inf(1), r.NormFloat64()}[r.IntN(8)]
	}
	integer := func() int64 { return []int64{0, 1, -1, 1_936_612_800_000, math.MaxInt64, math.MinInt64}[r.IntN(6)] }
	for range r.IntN(40) {
		row := events.Row{
			Offset: r.Uint64() >> r.IntN(64), Item: r.Uint32() >> r.IntN(32), TS: integer(), Received: integer(),
			Key: []string{"", "[CLY]_custom", text()}[r.IntN(3)], Name: text(), UID: r.Uint32(), Session: r.Uint64(), State: r.Uint32(),
			Count: integer(), Sum: number(), Dur: number(), Hour: int8(r.IntN(256) - 128), Dow: int8(r.IntN(8) - 1), Extra: text(),
		}
		for i := range schema.TextSlots {
			if r.IntN(3) == 0 {
				s := text()
				row.Text[i] = &s
			}
		}
		for i := range schema.NumberSlots {
			if r.IntN(3) == 0 {
				f := number()
				row.Num[i] = &f
			}
		}
		p.rows = append(p.rows, row)
	}
	p.Rows = outbox.Pack(p.rows...)
	for range r.IntN(10) {
		p.Requests = append(p.Requests, events.RequestRow{
			Offset: r.Uint64(), Item: r.Uint32(), TS: integer(), Received: integer(), UID: r.Uint32(), Flags: uint16(r.Uint32()), Dur: number(),
		})
		p.States = append(p.States, events.State{Number: r.Uint32(), Offset: r.Uint64(), UID: r.Uint32(), JSON: text()})
		p.Users = append(p.Users, model.ProfileID{byte(r.Uint32()), 7})
		p.Gone = append(p.Gone, r.Uint32())
	}
	for range r.IntN(4) {
		if p.Rewrites == nil {
			p.Rewrites = map[uint32]uint32{}
		}
		p.Rewrites[r.Uint32()] = r.Uint32()
	}
	return p
}

// read decodes a part with its rows, which come in pieces of n.
func read(s string, n int) (part, error) {
	p := part{Part: &outbox.Part{}}
	packed, err := outbox.DecodePart(s, p.Part)
	if err != nil {
		return part{}, err
	}
	err = outbox.PackedRows{packed}.Each(n, func(rows []events.Row) error {
		p.rows = append(p.rows, deep(rows)...)
		return nil
	})
	p.Rows = outbox.Pack(p.rows...)
	return p, err
}

// deep copies rows with what their slots point to.
func deep(rows []events.Row) []events.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		for j, t := range rows[i].Text {
			if t != nil {
				rows[i].Text[j] = new(*t)
			}
		}
		for j, f := range rows[i].Num {
			if f != nil {
				rows[i].Num[j] = new(*f)
			}
		}
	}
	return rows
}

func TestPartRoundTrip(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		want := randomPart(r)
		b := outbox.AppendPart(nil, want.Part)
		got, err := read(string(b), 1+r.IntN(50))
		if err != nil {
			t.Fatal(err)
		}
		if diff := diff(want, got); diff != "" {
			t.Fatalf("part (-want +got):\n%s", diff)
		}
		if n, err := outbox.RowsOf(b); err != nil || n != len(want.rows) {
			t.Fatalf("rows of: %d, %v; want %d", n, err, len(want.rows))
		}
		if len(b) > 1 {
			if _, err := read(string(b[:r.IntN(len(b)-1)+1]), 10); !errors.Is(err, outbox.ErrPart) {
				t.Fatalf("cut short: got %v", err)
			}
		}
	}
}

// TestPartsAdd decodes two parts into one.
func TestPartsAdd(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	a, b, got := randomPart(r), randomPart(r), &outbox.Part{}
	var packed outbox.PackedRows
	var want events.Slots
	for _, p := range []part{a, b} {
		rows, err := outbox.DecodePart(string(outbox.AppendPart(nil, p.Part)), got)
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, rows)
		for i := range p.rows {
			want.Note(&p.rows[i])
		}
	}
	if n, used := packed.Len(), packed.Slots(); n != len(a.rows)+len(b.rows) || used != want {
		t.Errorf("%d rows with slots %+v, want %+v", n, used, want)
	}
	for range 2 { // they can be read again
		var rows []events.Row
		err := packed.Each(7, func(some []events.Row) error {
			if len(some) > 7 {
				t.Errorf("%d rows at a time", len(some))
			}
			rows = append(rows, deep(some)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(slices.Concat(a.rows, b.rows), rows); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
	}
	stop := errors.New("stop")
	if err := packed.Each(3, func([]events.Row) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error ends the reading: got %v", err)
	}
	if len(got.Users) != len(a.Users)+len(b.Users) || len(got.Rewrites) != len(a.Rewrites)+len(b.Rewrites) {
		t.Errorf("%d users, %d moves", len(got.Users), len(got.Rewrites))
	}
}

// TestRewrite gives users of packed rows other numbers, shorter and longer ones, twice.
func TestRewrite(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 100 {
		p := randomPart(r)
		for i := range p.rows {
			p.rows[i].UID %= 1 << r.IntN(32)
		}
		packed := outbox.Pack(p.rows...)
		for range 2 {
			into := map[uint32]uint32{}
			for _, row := range p.rows {
				if r.IntN(2) == 0 {
					into[row.UID] = r.Uint32() >> r.IntN(32)
				}
			}
			packed.Rewrite(into)
			for i := range p.rows {
				if to, ok := into[p.rows[i].UID]; ok {
					p.rows[i].UID = to
				}
			}
		}
		var got []events.Row
		err := packed.Each(1+r.IntN(50), func(rows []events.Row) error {
			got = append(got, deep(rows)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p.rows, got); diff != "" || packed.Len() != len(p.rows) {
			t.Fatalf("%d rows (-want +got):\n%s", packed.Len(), diff)
		}
	}
}

// TestFirstVersion reads a part that was stored before rows came last.
func TestFirstVersion(t *testing.T) {
	t.Parallel()
	stored, err := os.ReadFile("testdata/part-v1.bin")
	if err != nil {
		t.Fatal(err)
	}
	want := randomPart(rand.New(rand.NewPCG(5, 6)))
	got, err := read(string(stored), 4)
	if err != nil {
		t.Fatal(err)
	}
	if diff := diff(want, got); diff != "" {
		t.Errorf("part (-want +got):\n%s", diff)
	}
	rows, err := outbox.DecodePart(string(stored), &outbox.Part{})
	var used events.Slots
	for i := range want.rows {
		used.Note(&want.rows[i])
	}
	if n, nerr := outbox.RowsOf(stored); err != nil || nerr != nil || n != len(want.rows) || (outbox.PackedRows{rows}).Slots() != used {
		t.Errorf("%d rows, %v, %v", n, err, nerr)
	}
}

// FuzzDecodePart checks that no bytes make the decoder panic or allocate
// without bounds, and that what it reads it writes again.
func FuzzDecodePart(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		f.Add(outbox.AppendPart(nil, randomPart(r).Part))
	}
	if stored, err := os.ReadFile("testdata/part-v1.bin"); err != nil {
		f.Error(err)
	} else {
		f.Add(stored)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := read(string(b), 16)
		if err != nil {
			return
		}
		again, err := read(string(outbox.AppendPart(nil, p.Part)), 5)
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		if len(again.rows) != len(p.rows) || len(again.States) != len(p.States) || len(again.Rewrites) != len(p.Rewrites) {
			t.Fatal("the second reading gives something else")
		}
	})
}

func BenchmarkPart(b *testing.B) {
	p := &outbox.Part{}
	var rows []events.Row
	key, plan := "Open Product", "business"
	price := 12.5
	for i := range 1000 {
		row := events.Row{
			Offset: uint64(i), TS: 1_936_612_800_000 + int64(i), Received: 1_936_612_800_200, Key: events.CustomKey, Name: key,
			UID: uint32(i), Session: uint64(i), State: 7, Count: 1, Hour: 12, Dow: 3,
		}
		row.Text[0], row.Text[1], row.Num[0] = &plan, &key, &price
		rows = append(rows, row)
	}
	p.Rows = outbox.Pack(rows...)
	stored := outbox.AppendPart(nil, p)
	b.Run("append", func(b *testing.B) {
		b.SetBytes(int64(len(stored)))
		var buf []byte
		for b.Loop() {
			p.Rows.Reset()
			for i := range rows {
				p.Rows.Append(&rows[i])
			}
			buf = outbox.AppendPart(buf[:0], p)
		}
	})
	b.Run("decode", func(b *testing.B) {
		const parts = 50 // a move has many, which share the memory of their rows
		b.SetBytes(parts * int64(len(stored)))
		b.ReportAllocs()
		for b.Loop() {
			rows := make(outbox.PackedRows, parts)
			var err error
			for i := range rows {
				rows[i], err = outbox.DecodePart(string(stored), &outbox.Part{})
				if err != nil {
					b.Fatal(err)
				}
			}
			if err := rows.Each(2048, func([]events.Row) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
