package journal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
)

// TestBehind numbers records behind those that others had.
func TestBehind(t *testing.T) {
	t.Parallel()
	m := journaltest.NewMemory(2)
	bases := journal.Watermark{0: 100}
	j := journal.Behind(m, bases)
	bases[0] = 7 // it is a copy
	if diff := cmp.Diff(journal.Watermark{0: 100}, j.End()); diff != "" {
		t.Errorf("end of an empty journal: %s", diff)
	}
	for i, want := range []journal.Position{{Offset: 101}, {Partition: 1, Offset: 1}, {Offset: 102}, {Offset: 103}} {
		at, err := j.Append(t.Context(), journal.Entry{Routing: uint64(want.Partition), Payload: []byte{byte(i)}})
		if err != nil || at != want {
			t.Errorf("append %d: %v, %v, want %v", i, at, err, want)
		}
	}
	read := func(from journal.Watermark) (got []journal.Position) {
		t.Helper()
		err := j.Read(t.Context(), from, 1<<20, func(r journal.Record) bool {
			got = append(got, journal.Position{Partition: r.Partition, Offset: r.Offset})
			return true
		})
		if err != nil {
			t.Error(err)
		}
		return got
	}
	if got := read(journal.Watermark{0: 101, 1: 1}); cmp.Diff([]journal.Position{{Offset: 102}, {Offset: 103}}, got) != "" {
		t.Errorf("behind 101: %v", got)
	}
	if got := read(journal.Watermark{0: 5, 1: 1}); len(got) != 3 { // before the first
		t.Errorf("behind 5: %v", got)
	}
	if n, _ := j.Size(journal.Watermark{0: 102}); n != 2 {
		t.Errorf("%d records, want 2", n)
	}
	if err := j.Wait(t.Context(), journal.Watermark{0: 102, 1: 1}); err != nil {
		t.Error(err)
	}
	if err := j.Trim(t.Context(), journal.Watermark{0: 101}); err != nil {
		t.Error(err)
	}
	if got := read(journal.Watermark{1: 1}); len(got) == 0 || got[0].Offset != 102 {
		t.Errorf("after a trim: %v", got)
	}
	if diff := cmp.Diff(journal.Watermark{0: 103, 1: 1}, j.End()); diff != "" {
		t.Errorf("end: %s", diff)
	}
	if journal.Behind(m, nil) != journal.Journal(m) {
		t.Error("a journal behind nothing is another one")
	}
}
