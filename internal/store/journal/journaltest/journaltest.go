// Package journaltest is the specification of journal.Journal as a test
// suite. Every implementation runs it.
package journaltest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"quipu/internal/store/journal"
)

// Opener returns a new, empty journal without bounds, and a function that
// closes it and opens it again with what it holds. The journal that is open at the
// end is closed by the opener's cleanup.
type Opener func(t *testing.T) (j journal.Journal, reopen func() journal.Journal)

// Option says how a journal differs from others within the contract.
type Option func(*options)

type options struct {
	slack int64 // bytes by which Size may be off within an append
}

// SizeWithin is for journals whose Size estimates the bytes of an append within which the watermark lies.
func SizeWithin(bytes int64) Option { return func(o *options) { o.slack = bytes } }

// Run tests the journals that open makes.
func Run(t *testing.T, open Opener, opts ...Option) {
	t.Helper()
	var o options
	for _, set := range opts {
		set(&o)
	}
	tests := []struct {
		name string
		run  func(t *testing.T, open Opener)
	}{
		{"payloads come back as they were", payloads},
		{"an append is consecutive", consecutive},
		{"an append of several routings", routings},
		{"the caller keeps its buffers", buffers},
		{"read stops where it is told", readBounds},
		{"wait", wait},
		{"a context that is done appends nothing", doneContext},
		{"trim and size", trim},
		{"offsets are never given out twice", neverTwice},
		{"concurrent appends", concurrent},
		{"appends while reading and trimming", busy},
		{"random operations match a model", func(t *testing.T, open Opener) { t.Helper(); random(t, open, o.slack) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open) })
	}
}

// All reads what lies after from, the payloads copied.
func All(t *testing.T, j journal.Journal, from journal.Watermark) []journal.Record {
	t.Helper()
	var out []journal.Record
	err := j.Read(context.Background(), from, 1<<40, func(r journal.Record) bool {
		r.Payload = bytes.Clone(r.Payload)
		out = append(out, r)
		return true
	})
	if err != nil {
		t.Fatalf("read from %v: %v", from, err)
	}
	return out
}

func appendTo(t *testing.T, j journal.Journal, routing uint64, payloads ...string) journal.Position {
	t.Helper()
	bs := make([][]byte, len(payloads))
	for i, p := range payloads {
		bs[i] = []byte(p)
	}
	pos, err := j.Append(context.Background(), journal.Entries(routing, bs...)...)
	if err != nil {
		t.Fatalf("append: %v", err)
	}
	return pos
}

func payloads(t *testing.T, open Opener) {
	t.Helper()
	j, reopen := open(t)
	want := []string{"plain", "", "\x00\xff\x00", string(bytes.Repeat([]byte("long "), 300_000)), "{}"}
	for _, p := range want {
		appendTo(t, j, 7, p)
	}
	for round := range 2 {
		if round == 1 {
			j = reopen()
		}
		got := All(t, j, nil)
		if len(got) != len(want) {
			t.Fatalf("got %d records, want %d", len(got), len(want))
		}
		for i, r := range got {
			if string(r.Payload) != want[i] {
				t.Errorf("record %d: %d bytes differ from the %d written", i, len(r.Payload), len(want[i]))
			}
			if r.Offset != uint64(i)+1 {
				t.Errorf("record %d has offset %d", i, r.Offset)
			}
		}
	}
}

func consecutive(t *testing.T, open Opener) {
	t.Helper()
	j, _ := open(t)
	appendTo(t, j, 1, "first")
	pos := appendTo(t, j, 1, "a", "b", "c")
	if pos.Offset != 4 {
		t.Errorf("position of the last payload: got %d, want 4", pos.Offset)
	}
	var got []string
	for _, r := range All(t, j, journal.Watermark{pos.Partition: 1}) {
		got = append(got, fmt.Sprintf("%d=%s", r.Offset, r.Payload))
	}
	if want := []string{"2=a", "3=b", "4=c"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// routings appends entries of several routings at once: each follows what its routing brought before, in the
// same partition.
func routings(t *testing.T, open Opener) {
	t.Helper()
	const apps = 9
	j, reopen := open(t)
	home := map[uint64]uint16{}
	for routing := range uint64(apps) {
		home[routing] = appendTo(t, j, routing, fmt.Sprintf("%d/0", routing)).Partition
	}
	for n := 1; n <= 3; n++ {
		var entries []journal.Entry
		for routing := range uint64(apps) {
			entries = append(entries, journal.Entry{Routing: routing, Payload: fmt.Appendf(nil, "%d/%d", routing, n)})
		}
		pos, err := j.Append(t.Context(), entries...)
		if err != nil {
			t.Fatal(err)
		}
		if w := (journal.Watermark{pos.Partition: pos.Offset - 1}); pos.Partition != home[apps-1] {
			t.Errorf("position %v, want one of partition %d", pos, home[apps-1])
		} else if got := All(t, j, w); !slices.ContainsFunc(got, func(r journal.Record) bool {
			return r.Partition == pos.Partition && r.Offset == pos.Offset && string(r.Payload) == fmt.Sprintf("%d/%d", apps-1, n)
		}) {
			t.Errorf("the last entry is not at %v", pos)
		}
	}
	next := map[uint64]int{}
	for _, r := range All(t, reopen(), nil) {
		var routing uint64
		var n int
		if _, err := fmt.Sscanf(string(r.Payload), "%d/%d", &routing, &n); err != nil {
			t.Fatal(err)
		}
		if n != next[routing] || r.Partition != home[routing] {
			t.Errorf("%s is at %d of partition %d, want number %d in partition %d", r.Payload, r.Offset, r.Partition, next[routing], home[routing])
		}
		next[routing]++
	}
	for routing := range uint64(apps) {
		if next[routing] != 4 {
			t.Errorf("%d records of routing %d, want 4", next[routing], routing)
		}
	}
}

func buffers(t *testing.T, open Opener) {
	t.Helper()
	j, _ := open(t)
	buf := []byte("original")
	if _, err := j.Append(t.Context(), journal.Entries(1, buf)...); err != nil {
		t.Fatal(err)
	}
	copy(buf, "changed!")
	if got := All(t, j, nil); len(got) != 1 || string(got[0].Payload) != "original" {
		t.Errorf("got %v", got)
	}
}

func readBounds(t *testing.T, open Opener) {
	t.Helper()
	j, _ := open(t)
	if err := j.Read(t.Context(), nil, 100, func(journal.Record) bool { t.Error("an empty journal has a record"); return true }); err != nil {
		t.Errorf("read of an empty journal: %v", err)
	}
	var p uint16
	for range 10 {
		p = appendTo(t, j, 1, "0123456789").Partition
	}
	count := func(from journal.Watermark, maxBytes, limit int) (n int) {
		t.Helper()
		err := j.Read(t.Context(), from, maxBytes, func(journal.Record) bool { n++; return n < limit })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, tt := range []struct {
		name                  string
		from                  uint64
		maxBytes, limit, want int
	}{
		{"all", 0, 1 << 20, 99, 10},
		{"from the middle", 6, 1 << 20, 99, 4},
		{"from the end", 10, 1 << 20, 99, 0},
		{"from beyond the end", 99, 1 << 20, 99, 0},
		{"bytes that end with a record", 0, 30, 99, 3},
		{"bytes that end inside a record", 0, 31, 99, 4},
		{"at least one record", 3, 1, 99, 1},
		{"the reader has enough", 0, 1 << 20, 2, 2},
	} {
		if got := count(journal.Watermark{p: tt.from}, tt.maxBytes, tt.limit); got != tt.want {
			t.Errorf("%s: got %d records, want %d", tt.name, got, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Read(ctx, nil, 100, func(journal.Record) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("read with a context that is done: got %v", err)
	}
}

func wait(t *testing.T, open Opener) {
	t.Helper()
	j, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- j.Wait(ctx, nil) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("wait with a context that is done: got %v", err)
	}
	for range 3 {
		go func() { ended <- j.Wait(t.Context(), nil) }()
	}
	pos := appendTo(t, j, 1, "x")
	for range 3 {
		if err := <-ended; err != nil {
			t.Errorf("wait: %v", err)
		}
	}
	if err := j.Wait(t.Context(), nil); err != nil {
		t.Errorf("wait for what is there: %v", err)
	}
	w := journal.Watermark{pos.Partition: pos.Offset}
	go func() { ended <- j.Wait(t.Context(), w) }()
	appendTo(t, j, 1, "y")
	if err := <-ended; err != nil {
		t.Errorf("wait: %v", err)
	}
}

func doneContext(t *testing.T, open Opener) {
	t.Helper()
	j, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := j.Append(ctx, journal.Entries(1, []byte("x"))...); !errors.Is(err, context.Canceled) {
		t.Errorf("append: got %v, want context.Canceled", err)
	}
	if got := All(t, j, nil); len(got) != 0 {
		t.Errorf("%d records were stored", len(got))
	}
}

func size(t *testing.T, j journal.Journal, w journal.Watermark, records, bytes int64) {
	t.Helper()
	if r, b := j.Size(w); r != records || b != bytes {
		t.Errorf("size after %v: got %d records of %d bytes, want %d of %d", w, r, b, records, bytes)
	}
}

func trim(t *testing.T, open Opener) {
	t.Helper()
	j, reopen := open(t)
	var p uint16
	for range 10 {
		p = appendTo(t, j, 1, "12345").Partition
	}
	at := func(o uint64) journal.Watermark { return journal.Watermark{p: o} }
	size(t, j, nil, 10, 50)
	size(t, j, at(4), 6, 30)
	size(t, j, at(10), 0, 0)
	if err := j.Trim(t.Context(), at(4)); err != nil {
		t.Fatal(err)
	}
	if err := j.Trim(t.Context(), at(2)); err != nil { // behind: nothing to do
		t.Fatal(err)
	}
	size(t, j, at(4), 6, 30)
	size(t, j, at(7), 3, 15)
	if got := All(t, j, at(4)); len(got) != 6 || got[0].Offset != 5 {
		t.Errorf("after the trim: %d records", len(got))
	}
	j = reopen()
	size(t, j, at(4), 6, 30)
	if err := j.Trim(t.Context(), at(10)); err != nil {
		t.Fatal(err)
	}
	size(t, j, at(10), 0, 0)
	if got := All(t, j, at(10)); len(got) != 0 {
		t.Errorf("after the full trim: %d records", len(got))
	}
}

func neverTwice(t *testing.T, open Opener) {
	t.Helper()
	j, reopen := open(t)
	for want := uint64(1); want <= 12; want += 2 {
		pos := appendTo(t, j, 1, "a", "b")
		if pos.Offset != want+1 {
			t.Fatalf("got offset %d, want %d", pos.Offset, want+1)
		}
		if err := j.Trim(t.Context(), journal.Watermark{pos.Partition: pos.Offset}); err != nil {
			t.Fatal(err)
		}
		j = reopen()
	}
}

func concurrent(t *testing.T, open Opener) {
	t.Helper()
	const workers, each = 16, 50
	j, reopen := open(t)
	var wg sync.WaitGroup
	positions := make([][]journal.Position, workers)
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				pos, err := j.Append(context.Background(), journal.Entries(uint64(w), fmt.Appendf(nil, "%d/%d", w, i))...)
				if err != nil {
					t.Errorf("append: %v", err)
					return
				}
				positions[w] = append(positions[w], pos)
			}
		})
	}
	wg.Wait()
	byPos := map[journal.Position]string{}
	for _, r := range All(t, reopen(), nil) {
		byPos[journal.Position{Partition: r.Partition, Offset: r.Offset}] = string(r.Payload)
	}
	if len(byPos) != workers*each {
		t.Errorf("got %d records, want %d", len(byPos), workers*each)
	}
	for w := range positions {
		for i, pos := range positions[w] {
			if got, want := byPos[pos], fmt.Sprintf("%d/%d", w, i); got != want {
				t.Fatalf("at %v: got %q, want %q", pos, got, want)
			}
			if i > 0 && pos.Offset <= positions[w][i-1].Offset {
				t.Errorf("worker %d: offset %d after %d", w, pos.Offset, positions[w][i-1].Offset)
			}
		}
	}
}

// busy reads and trims like the pipeline while others append: every record
// arrives once, in order.
func busy(t *testing.T, open Opener) {
	t.Helper()
	const workers, each = 4, 200
	j, _ := open(t)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				if _, err := j.Append(context.Background(), journal.Entries(uint64(w), fmt.Appendf(nil, "%d/%d", w, i))...); err != nil {
					t.Errorf("append: %v", err)
					return
				}
			}
		})
	}
	w := journal.Watermark{}
	seen := map[string]bool{}
	for len(seen) < workers*each {
		if err := j.Wait(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		next := w.Clone()
		err := j.Read(t.Context(), w, 200, func(r journal.Record) bool {
			if r.Offset != next[r.Partition]+1 {
				t.Errorf("offset %d after %d", r.Offset, next[r.Partition])
			}
			next[r.Partition] = r.Offset
			seen[string(r.Payload)] = true
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		w = next
		if err := j.Trim(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		j.Size(w)
	}
	wg.Wait()
	size(t, j, w, 0, 0)
}

func random(t *testing.T, open Opener, slack int64) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	j, reopen := open(t)
	model := map[uint16][]string{} // partition → payloads, offset 1 first
	trimmed := journal.Watermark{}
	watermark := func() journal.Watermark { // at or after the trim
		w := trimmed.Clone()
		for p, records := range model {
			w[p] += rng.Uint64N(uint64(len(records)) - w[p] + 1)
		}
		return w
	}
	for step := range 600 {
		switch op := rng.IntN(20); {
		case op < 10:
			var batch []string
			for range 1 + rng.IntN(4) {
				b := make([]byte, rng.IntN(200))
				for i := range b {
					b[i] = byte(rng.Uint32())
				}
				batch = append(batch, string(b)+fmt.Sprint(step))
			}
			pos := appendTo(t, j, rng.Uint64(), batch...)
			model[pos.Partition] = append(model[pos.Partition], batch...)
			if got, want := pos.Offset, uint64(len(model[pos.Partition])); got != want {
				t.Fatalf("step %d: offset %d, want %d", step, got, want)
			}
		case op < 14:
			w := watermark()
			maxBytes := 1 + rng.IntN(1000)
			got, passed := w.Clone(), 0
			err := j.Read(t.Context(), w, maxBytes, func(r journal.Record) bool {
				if passed >= maxBytes {
					t.Errorf("step %d: record after %d of %d bytes", step, passed, maxBytes)
				}
				if r.Offset != got[r.Partition]+1 || string(r.Payload) != model[r.Partition][r.Offset-1] {
					t.Fatalf("step %d: record %d of partition %d is wrong after %d", step, r.Offset, r.Partition, got[r.Partition])
				}
				got[r.Partition] = r.Offset
				passed += len(r.Payload)
				return true
			})
			if err != nil {
				t.Fatalf("step %d: read: %v", step, err)
			}
			for p := range model {
				if passed < maxBytes && got[p] != uint64(len(model[p])) {
					t.Fatalf("step %d: read ended at %d of %d", step, got[p], len(model[p]))
				}
			}
		case op < 17:
			w := watermark()
			var records, bytes int64
			for p := range model {
				for _, payload := range model[p][w[p]:] {
					records++
					bytes += int64(len(payload))
				}
			}
			if r, b := j.Size(w); r != records || max(b-bytes, bytes-b) > slack*int64(len(model)) {
				t.Errorf("step %d: size after %v: got %d records of %d bytes, want %d of %d", step, w, r, b, records, bytes)
			}
		case op < 19:
			trimmed = watermark()
			if err := j.Trim(t.Context(), trimmed); err != nil {
				t.Fatalf("step %d: trim: %v", step, err)
			}
		default:
			j = reopen()
		}
		if t.Failed() {
			t.Fatalf("step %d", step)
		}
	}
}

// Numbered makes a payload of at least 8 bytes that says its number.
func Numbered(n uint64, size int) []byte {
	return append(binary.BigEndian.AppendUint64(nil, n), bytes.Repeat([]byte{byte(n)}, max(0, size-8))...)
}
