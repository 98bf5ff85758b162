package cluster

import "context"

// Sample is a trial whose servers are lists: some requests of one app, all of which were acknowledged and have all their rows, and what the stores say of them.
type Sample struct {
	t    *trial
	w    *worker
	rows []sampleRow
	// Counted is what the cells of the cluster say, and Own what a server with its own stores has.
	Counted, Own facts
}

type sampleRow struct {
	event  string
	no     int64
	offset uint64
}

// NewSample makes one.
func NewSample(ctx context.Context, o Options) *Sample {
	o.Apps, o.Requests, o.Rate = 1, 100, 1
	s := &Sample{t: newTrial(ctx, o)}
	s.t.load = newLoad(s.t, 1)
	s.w = s.t.load.workers[0]
	s.w.make(o.Requests)
	var count int64
	var sum float64
	for i := range s.w.items {
		it := &s.w.items[i]
		it.acked, it.sends = true, 2
		for _, e := range it.events[:it.n] {
			count, sum = count+int64(e.count), sum+float64(e.quarters)/4
			s.rows = append(s.rows, sampleRow{it.event(), s.w.no(i), uint64(i + 1)})
		}
	}
	of := func() facts {
		return facts{
			outcomes: map[string]int64{accepted: int64(o.Requests)},
			figures:  map[string]any{"requests": int64(o.Requests), "count of load": count, "sum of load": sum},
			users:    map[string]user{"device": {sessions: 3, dims: "a"}},
		}
	}
	s.Counted, s.Own = of(), of()
	return s
}

// Lose leaves out the rows of a request.
func (s *Sample) Lose(index int) {
	kept := s.rows[:0]
	for _, r := range s.rows {
		if r.no != s.w.no(index) {
			kept = append(kept, r)
		}
	}
	s.rows = kept
}

// LoseOne leaves out one row of the first request that has two.
func (s *Sample) LoseOne() {
	for i := 1; i < len(s.rows); i++ {
		if s.rows[i].no == s.rows[i-1].no {
			s.rows = append(s.rows[:i], s.rows[i+1:]...)
			return
		}
	}
}

// Repeat has the rows of a request twice, by records of their own, or by the same one.
func (s *Sample) Repeat(index int, apart bool) {
	for _, r := range s.rows {
		if r.no == s.w.no(index) {
			if apart {
				r.offset += 1000
			}
			s.rows = append(s.rows, r)
		}
	}
}

// Move has the rows of a request under another event.
func (s *Sample) Move(index int) {
	for i := range s.rows {
		if s.rows[i].no == s.w.no(index) {
			s.rows[i].event = "other"
		}
	}
}

// Drop counts duplicates.
func (f facts) Drop(n int64) { f.outcomes[duplicate] = n }

// Refuse counts requests with another outcome.
func (f facts) Refuse(n int64) { f.outcomes["request\x00dropped\x00other"] = n }

// Figure changes what cells say.
func (f facts) Figure(name string, value any) { f.figures[name] = value }

// User changes a user.
func (f facts) User(sessions int64) { f.users["device"] = user{sessions: sessions, dims: "a"} }

// Forget has a user missing.
func (f facts) Forget() { clear(f.users) }

// Compare returns the faults that the comparison finds.
func (s *Sample) Compare() []string {
	for _, r := range s.rows {
		s.t.row(0, r.event, r.no, r.offset)
	}
	s.t.figures(0, s.Counted, s.t.presence(0))
	s.t.same(0, s.Own, s.Counted)
	return s.t.result.Faults
}

// Away stops a server for a while.
func Away(ctx context.Context, o Options, s Server) error {
	h := &harm{trial: newTrial(ctx, o)}
	return h.away(ctx, s)
}
