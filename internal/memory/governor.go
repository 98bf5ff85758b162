package memory

import (
	"context"
	"log/slog"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// Usage is what the process takes, bytes.
type Usage struct {
	// Resident is all that is in memory, Files its pages of files: the binary above all.
	Resident, Files int64
	// Go is what the Go runtime holds, Heap what of it is in use by objects, dead ones included, and Live what
	// the last collection left.
	Go, Heap, Live int64
	// Allocated is how much was ever allocated on Go's heap.
	Allocated uint64
}

// Governor watches the resident set. Make one with New and call Run once.
type Governor struct {
	plan Plan
	log  *slog.Logger

	now   func() time.Time
	read  func() (Usage, error)
	limit func(int64)
	// percent sets how much Go's heap may grow between two collections; nil = the variable GOGC says it.
	percent func(int)
	// release gives unused memory of Go and the C library back, and pages of the binary.
	release func() error

	// holders give up what they need not hold at rest, before unused memory is given back.
	holders []func(context.Context) error

	usage    atomic.Pointer[Usage]
	strained atomic.Bool
	yielded  atomic.Bool // the holders have

	// Of the goroutine of Run.
	set       int64 // Go's limit at present
	grows     int   // per cent that Go's heap may grow at present
	others    int64 // what all but Go took lately
	allocated uint64
	// work is what was allocated beyond what counts as little, bytes; rate is how much is allocated at present and load how much was lately, bytes a second.
	work, rate, load float64
	// pace is the time between the last look and this one, quiet how long there was no work.
	pace, quiet time.Duration
	// sinceReleased counts looks.
	sinceReleased int
	rested        bool
	// stirred says that something was done at rest, still how long nothing was since then.
	stirred  bool
	still    time.Duration
	yielding bool // the holders are at it
}

// How often the governor looks, near the cap, while work is done, and while
// nothing happens.
const (
	nearEvery = 25 * time.Millisecond
	busyEvery = 100 * time.Millisecond
	restEvery = time.Second
	// restAfter so long without work, what is unused is given back: longer than a batch gathers under load, as
	// it takes a whole collection.
	restAfter = time.Second
	// stir is how much is allocated between two looks at rest when something is done, bytes.
	stir = 4 * mib
	// releaseAfter is how many looks lie between two forced collections of a strain.
	releaseAfter = 40
)

// New returns a Governor at rest. now is the time of the machine.
func New(plan Plan, log *slog.Logger, now func() time.Time) *Governor {
	return &Governor{
		plan: plan, log: log, now: now, read: readUsage, set: -1,
		limit:         func(n int64) { debug.SetMemoryLimit(n) },
		percent:       percent(),
		sinceReleased: releaseAfter,
		release:       release,
	}
}

func release() error {
	debug.FreeOSMemory()
	trimC()
	return dropFilePages()
}

// How much Go's heap may grow between two collections, unless the variable GOGC says otherwise: by what is allocated in a second, as far as the
// garbage of the plan, within per cents of what is alive. A server that has little to do has the time to collect often: it holds little garbage, and
// what is alive is not scattered over much of it, as the gaps in between are not given back. The limit, which follows the resident set, makes
// collections more frequent when memory is short.
const (
	mostGarbage  = 200
	leastGarbage = 25
	fullGarbage  = 50 // leastGarbage where the plan bounds the garbage
	// littleGarbage is allowed however little is allocated, bytes.
	littleGarbage = 32 * mib
)

// percent returns what sets how much Go's heap may grow, nil where the environment does.
func percent() func(int) {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return func(n int) { debug.SetGCPercent(n) }
}

// AtRest has fn called whenever the server comes to rest, before unused memory is given back: it is to give up what is held only while there is
// work, write buffers above all. It is called from a goroutine of its own, not again before it has returned, and is to be registered before Run.
func (g *Governor) AtRest(fn func(context.Context) error) { g.holders = append(g.holders, fn) }

// Run governs until ctx is done. On a system that does not tell the resident
// set it gives Go a fixed limit and returns.
func (g *Governor) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		u, err := g.read()
		if err != nil {
			g.limit(g.plan.Total - g.plan.Events - g.plan.Cache)
			g.log.DebugContext(ctx, "resident set is unknown, the memory cap is kept by fixed parts only", "error", err)
			return
		}
		timer.Reset(g.look(ctx, u))
	}
}

// look takes a reading and returns when to take the next.
func (g *Governor) look(ctx context.Context, u Usage) time.Duration {
	g.usage.Store(&u)
	g.sinceReleased++
	g.measure(u)
	g.steer(u)
	switch total := g.plan.Total; {
	case u.Resident > total/100*93:
		if g.sinceReleased >= releaseAfter {
			g.sinceReleased = 0
			g.giveBack(ctx)
		}
		if g.strained.Swap(true) {
			break
		}
		g.log.DebugContext(ctx, "memory is short, heavy work waits", "resident", u.Resident, "go", u.Go, "heap", u.Heap)
	case g.strained.Load() && u.Resident < total/100*90:
		g.strained.Store(false)
	}
	switch stirs := u.Allocated-g.allocated > stir; {
	case g.works(u) || g.strained.Load():
		g.quiet, g.rested = 0, false
	case g.rested && stirs: // a password was hashed, say, which leaves tens of megabytes behind
		g.stirred, g.still = true, 0
	default:
		g.quiet += g.pace
		g.still += g.pace
		if g.quiet >= restAfter && !g.rested || g.stirred && g.still >= restAfter {
			g.rested, g.stirred = true, false
			g.yield(ctx)
		}
	}
	if g.yielded.Swap(false) {
		g.yielding = false
		g.giveBack(ctx)
	}
	g.allocated = u.Allocated
	switch {
	case u.Resident > g.plan.Total/100*80:
		g.pace = nearEvery
	case g.quiet >= restAfter && !g.yielding:
		g.pace = restEvery
	default:
		g.pace = busyEvery
	}
	return g.pace
}

// measure takes how much was allocated since the last look: more counts at once, less by and by.
func (g *Governor) measure(u Usage) {
	seconds := g.pace.Seconds()
	if seconds == 0 { // the first look
		return
	}
	now := float64(u.Allocated-g.allocated) / seconds
	slower := func(rate, half float64) float64 { return max(now, rate*math.Exp2(-seconds/half)) }
	g.rate, g.load = slower(g.rate, 0.5), slower(g.load, 10)
}

// works reports whether the server has much to do. One at rest allocates, too: jobs run, metrics are read. Behind a load it is little if it is
// a third of what the load allocated, and what would be given back is not needed again within a second.
func (g *Governor) works(u Usage) bool {
	const little, atOnce = 40 * mib, 12 * mib // bytes a second, bytes
	much := max(little, min(g.load/3, float64(u.Go-u.Live)))
	g.work = min(2*atOnce, max(0, g.work+float64(u.Allocated-g.allocated)-much*g.pace.Seconds()))
	return g.work > atOnce
}

// yield has the holders give up what they can, and then, at the next look, what is unused given back.
func (g *Governor) yield(ctx context.Context) {
	if g.yielding {
		return
	}
	g.yielding = true
	yield := func() {
		for _, fn := range g.holders {
			if err := fn(ctx); err != nil && ctx.Err() == nil {
				g.log.DebugContext(ctx, "memory that is not needed is not given up", "error", err)
			}
		}
		g.yielded.Store(true)
	}
	if len(g.holders) == 0 {
		yield()
		return
	}
	go yield()
}

// giveBack gives all unused memory back.
func (g *Governor) giveBack(ctx context.Context) {
	if err := g.release(); err != nil {
		g.log.DebugContext(ctx, "unused memory is not given back", "error", err)
	}
}

// steer gives Go what the others leave of the cap. They grow in leaps, when a
// checkpoint begins or a report, so what they took lately is left to them for a while.
func (g *Governor) steer(u Usage) {
	others := max(0, u.Resident-u.Go)
	g.others = max(others, g.others-(g.others-others)/200)
	limit := max(g.plan.Total/10, g.plan.Total-g.plan.margin()-g.others)
	const step = 4 * mib // a change stops the world for a moment
	if d := limit - g.set; g.set < 0 || d <= -step || d >= step {
		g.set = limit
		g.limit(limit)
	}
	g.grow(u.Live)
}

// grow bounds the garbage that comes with so much that is alive.
func (g *Governor) grow(live int64) {
	if g.percent == nil {
		return
	}
	least, garbage := int64(fullGarbage), g.plan.garbage()
	if second := max(littleGarbage, int64(g.rate)); second < garbage {
		least, garbage = leastGarbage, second
	}
	n := int(max(least, min(mostGarbage, garbage*100/max(1, live)))) // bounded
	step := max(5, g.grows/8)                                        // a change stops the world for a moment
	if d := n - g.grows; d <= -step || d >= step || n == mostGarbage && d != 0 {
		g.grows = n
		g.percent(n)
	}
}

// Collect collects Go's garbage and gives all its free memory back at once. It is for work that leaves tens of
// megabytes behind, which the next one may ask for as others, too.
func (g *Governor) Collect() { debug.FreeOSMemory() }

// Ease waits while memory is so short that the cap may be passed, for a moment at most, in which
// garbage is collected: work that cannot be put off for longer begins with it.
func (g *Governor) Ease(ctx context.Context) {
	if !g.Strained() {
		return
	}
	moment, cancel := context.WithTimeout(ctx, busyEvery)
	defer cancel()
	_ = g.calm(moment) // however it ends, the work goes on
}

// calm waits until the governor is not strained. Errors: ctx's.
func (g *Governor) calm(ctx context.Context) error {
	if !g.Strained() {
		return nil
	}
	poll := time.NewTicker(busyEvery / 2)
	defer poll.Stop()
	for g.Strained() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-poll.C:
		}
	}
	return nil
}

// Strained reports whether memory is so short that heavy work has to wait.
func (g *Governor) Strained() bool { return g.strained.Load() }

// Usage returns the last reading; the zero value before the first.
func (g *Governor) Usage() Usage {
	if u := g.usage.Load(); u != nil {
		return *u
	}
	return Usage{}
}

// Plan returns the parts of the cap.
func (g *Governor) Plan() Plan { return g.plan }

// readUsage asks the system and the Go runtime.
func readUsage() (u Usage, err error) {
	if u.Resident, u.Files, err = resident(); err != nil {
		return u, err
	}
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	metrics.Read(samples)
	u.Go = int64(samples[0].Value.Uint64() - samples[1].Value.Uint64()) // far below
	u.Heap = int64(samples[2].Value.Uint64())                           // far below
	u.Allocated = samples[3].Value.Uint64()
	u.Live = int64(samples[4].Value.Uint64()) // far below
	return u, nil
}
