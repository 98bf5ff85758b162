package writers

import (
	"context"
	"log/slog"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// empty has nothing stored.
type empty struct{ loads int }

func (e *empty) Load(context.Context, model.AppID) (Stored, error) {
	e.loads++
	return Stored{}, nil
}

func (*empty) Values(context.Context, model.AppID, schema.SegmentID, func([]byte)) error { return nil }

// TestAppsLeave asks for many apps: those that were used last stay, and those of a batch that has not ended.
func TestAppsLeave(t *testing.T) {
	src := &empty{}
	s, err := Open(src, Options{CachedApps: 10, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	app := func(n int) model.AppID { return model.AppID{byte(n), byte(n >> 8)} }
	writer := func(n int) schema.Writer {
		l, err := s.App(app(n))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	inMemory := func() (written, read int) {
		for _, st := range s.all() {
			if st.writer != nil {
				written++
			}
			if st.snap != nil {
				read++
			}
		}
		return written, read
	}
	flush := func() func(bool) {
		_, end, err := s.Flush()
		if err != nil {
			t.Fatal(err)
		}
		return end
	}
	held := writer(0)
	for n := range 300 {
		if n == 100 {
			if got, _ := inMemory(); got != 101 {
				t.Errorf("%d apps are in memory while a batch may hold 101", got)
			}
			for range batchesUnderWay {
				flush()(true)
			}
			held = writer(0)
			held.AddEvent("changed, and not flushed")
		}
		writer(1000 + n)
		s.Events(app(1000 + n))
	}
	if written, read := inMemory(); written < 201 || written > 220 || read < 160 || read > 165 {
		t.Errorf("%d apps are in memory for writers, of which a batch may hold 201, and %d for readers", written, read)
	}
	if writer(0) != held {
		t.Error("a writer with changes is another one now")
	}
	end := flush()
	for range 2 * batchesUnderWay {
		_ = s.Events(app(5000)) // a reader
		s.trim()
	}
	if writer(0) != held {
		t.Error("a writer whose flush has not ended is another one now")
	}
	end(true)
	for range batchesUnderWay {
		flush()(true)
	}
	s.trim()
	if written, read := inMemory(); written != 10 || read != 160 {
		t.Errorf("%d and %d apps are in memory, want 10 and 160", written, read)
	}
	loads := src.loads
	if writer(0) != held || src.loads != loads {
		t.Error("the app that was used last has left")
	}
	if writer(1000); src.loads != loads+1 {
		t.Error("an app that was used long ago is still in memory")
	}
}

// Sets of few values take more memory than their values: each counts for itself, too.
func TestSetsCount(t *testing.T) {
	t.Parallel()
	const sets = 3
	c, err := newSetCache(sets * (setCost + 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(10) {
		c.put(model.AppID{}, schema.SegmentID{Event: i}, &valueSet{hashes: map[uint64]struct{}{uint64(i): {}}})
	}
	if c.lru.Len() != sets || c.n != sets*(setCost+1) {
		t.Errorf("%d sets are kept that count %d, want %d and %d", c.lru.Len(), c.n, sets, sets*(setCost+1))
	}
	if c.take(model.AppID{}, schema.SegmentID{Event: 9}) == nil || c.n != (sets-1)*(setCost+1) {
		t.Errorf("the last is not there, or what is left counts %d", c.n)
	}
}
