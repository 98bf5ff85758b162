package decode

import (
	"encoding/binary"
	"sync"

	"quipu/internal/model"
)

// Memory knows the requests that were received before. Both methods may be called from any goroutine.
type Memory interface {
	// SuppressesDuplicates reports whether an app's requests that are sent again are dropped.
	SuppressesDuplicates(app *model.App) bool
	// Knows reports whether a request of the app with this fingerprint was received in the days before.
	// It is asked for every request, so it must be quick; true must be certain, false need not be.
	Knows(app model.AppID, fingerprint [16]byte, received int64) bool
}

// duplicate reports whether sc's record was surely received before. It is only about what the client is
// told: the pipeline decides what counts, and gets the record in either case.
func (d *Decoder) duplicate(app *model.App, sc *scratch) bool {
	if d.o.Memory == nil && !sc.once.given {
		return false
	}
	if sc.print, sc.printed = sc.printer.Fingerprint(&sc.rec); !sc.printed {
		return false
	}
	sc.rec.Print = sc.print
	received := sc.rec.Received
	if !d.recent.has(sc.print, received) && (d.o.Memory == nil || !d.o.Memory.Knows(app.ID, sc.print, received)) {
		return false
	}
	return sc.once.given || d.o.Memory.SuppressesDuplicates(app)
}

// accepted notes that sc's record is durable; of a bulk request with an Idempotency-Key it notes the first, of others nothing.
func (d *Decoder) accepted(sc *scratch) {
	if sc.printed {
		d.recent.add(sc.print, sc.rec.Received)
	}
}

// Forget makes the decoder forget which requests it received a while ago. It is to be called when data
// of an app are removed, so that what is sent again counts as new.
func (d *Decoder) Forget() { d.recent.clear() }

// recent remembers the fingerprints of requests that the pipeline may not have reached yet: some of the last hour,
// the newer ones of each set. It is safe for concurrent use.
type recent struct {
	shards [recentShards]recentShard
}

const (
	recentShards = 64
	recentSets   = 256                // of a shard
	recentWays   = 4                  // of a set
	recentSpan   = int64(60 * 60_000) // ms
)

type recentShard struct {
	mu   sync.Mutex
	sets [recentSets][recentWays]recentPrint // newest first
}

type recentPrint struct {
	print    [16]byte
	received int64 // ms
}

// at returns the shard and the set of a fingerprint, which is a hash.
func (r *recent) at(print [16]byte) (*recentShard, *[recentWays]recentPrint) {
	n := binary.LittleEndian.Uint32(print[:])
	s := &r.shards[n%recentShards]
	return s, &s.sets[n/recentShards%recentSets]
}

func (r *recent) has(print [16]byte, received int64) bool {
	s, set := r.at(print)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range set {
		if e := &set[i]; e.print == print {
			return received-e.received < recentSpan && e.received-received < recentSpan
		}
	}
	return false
}

func (r *recent) add(print [16]byte, received int64) {
	s, set := r.at(print)
	s.mu.Lock()
	defer s.mu.Unlock()
	last := recentWays - 1
	for i := range set {
		if set[i].print == print {
			last = i
			break
		}
	}
	copy(set[1:last+1], set[:last])
	set[0] = recentPrint{print: print, received: received}
}

func (r *recent) clear() {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		clear(s.sets[:])
		s.mu.Unlock()
	}
}
