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

// TestIdle lets apps go that no batch uses while nothing is under way, but none that has changes.
func TestIdle(t *testing.T) {
	t.Parallel()
	s, err := Open(&empty{}, Options{CachedApps: 10, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		for _, st := range s.all() {
			if st.writer != nil {
				n++
			}
		}
		return n
	}
	var changed schema.Writer
	for n := range 100 {
		l, err := s.App(model.AppID{byte(n)})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			changed = l
			l.AddEvent("not flushed")
		}
	}
	if got := count(); got != 100 {
		t.Errorf("%d apps are in memory while a batch may hold 100", got)
	}
	s.Idle()
	if got := count(); got != 11 {
		t.Errorf("%d apps are in memory when nothing is under way, want 10 and the changed one", got)
	}
	s.Idle()
	if l, err := s.App(model.AppID{0}); err != nil || l != changed {
		t.Errorf("the writer with changes is another one now: %v", err)
	}
}

// TestReadWhileCommitted reads an app while a change of it is under way: what was read before its end is read again after it. Of apps that nobody reads
// no view is made.
func TestReadWhileCommitted(t *testing.T) {
	t.Parallel()
	src := &empty{}
	s, err := Open(src, Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	read, unread := model.AppID{1}, model.AppID{2}
	for _, app := range []model.AppID{read, unread} {
		l, err := s.App(app)
		if err != nil {
			t.Fatal(err)
		}
		l.AddEvent("e")
	}
	_, end, err := s.Flush()
	if err != nil {
		t.Fatal(err)
	}
	s.Events(read)
	end(true)
	for app, st := range s.all() {
		if st.snap != nil {
			t.Errorf("there is a view of app %s", app)
		}
	}
	loads := src.loads
	s.Events(read)
	if src.loads != loads+1 {
		t.Error("what was read before the change ended stands after it")
	}
	l, err := s.App(read)
	if err != nil {
		t.Fatal(err)
	}
	l.AddEvent("f")
	if _, end, err = s.Flush(); err != nil {
		t.Fatal(err)
	}
	if loads = src.loads; len(s.Events(read)) != 0 {
		t.Error("a change that has not ended is seen")
	}
	if end(true); len(s.Events(read)) != 2 || src.loads != loads {
		t.Errorf("%v is seen of an app that is read, after %d loads", s.Events(read), src.loads-loads)
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
