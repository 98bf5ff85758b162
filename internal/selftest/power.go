package selftest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"quipu/internal/app"
	"quipu/internal/child"
	"quipu/internal/store/events"
)

// powerCut takes, at a random instant under load, what a cut of the power
// would have left on the disk, and goes on with that.
//
// For the state (Pebble: journal, profiles, cells) it is exact: the server runs in this process on Pebble's
// strict file system in memory, which knows for each byte and each name whether it
// was synced, and drops the others, all or a random part. For the event store it is
// an approximation: its files are copied at an instant before, during or after the commit of a batch, and its log is cut
// at a random place behind what the last commit that returned had synced. No checkpoint
// of the event store runs at that instant: a test of package duck cuts the power within those. The
// document store, to which the load writes nothing, is not tested.
func powerCut(ctx context.Context, t *trial) error {
	p := &powered{trial: t, fs: vfs.NewCrashableMem(), dir: t.data}
	for round := range t.result.Rounds {
		if err := p.round(ctx, round); err != nil {
			return fmt.Errorf("round %d: %w", round+1, err)
		}
	}
	return nil
}

// powered is a server in this process whose power can be cut.
type powered struct {
	*trial
	fs  *vfs.MemFS
	dir string
}

func (p *powered) config(dir string) app.Config {
	cfg := app.DefaultConfig()
	cfg.Data, cfg.Memory, cfg.Ingest.DiskReserve, cfg.Log.Level = dir, "256MiB", 0, "error"
	return cfg
}

func (p *powered) round(ctx context.Context, round int) error {
	next := filepath.Join(p.trial.dir, fmt.Sprintf("cut%d", round+1))
	c := &cutter{powered: p, to: next, done: make(chan struct{})}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	a, err := app.Open(ctx, p.config(p.dir), app.Process{
		Shared: true,
		Err:    p.Err, StateFS: p.fs, Events: c.wrap, Now: p.Now,
		FirstAdmin: app.NewAdmin{Username: child.AdminUser, Password: child.AdminPassword, Email: "selftest@example.org", FullName: "Selftest"},
	})
	if err != nil {
		return err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, a.Close()) //nolint:contextcheck // closing must not be cut short
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Run(serving, ln) }()
	err = p.sendAndCut(ctx, c, "http://"+ln.Addr().String())
	stop()
	// The doomed server ends in order; what it still does happens in a world that is gone.
	err = errors.Join(err, <-ended, a.Close()) //nolint:contextcheck // closing must not be cut short
	if err != nil {
		return err
	}
	p.load.undo(c.must)
	// The state is in memory under the same path, so the rest moves there too.
	if err := errors.Join(os.RemoveAll(p.dir), os.Rename(next, p.dir)); err != nil {
		return fmt.Errorf("replace data folder: %w", err)
	}
	p.fs = c.left
	faults := len(p.result.Faults)
	if err := p.compare(ctx, p.dir, app.Process{StateFS: c.left, Now: p.Now}, c.must); err != nil {
		return err
	}
	p.progress("round %d of %d: cut %s a commit, %d%% of unsynced data kept: %d acknowledged, %d faults",
		round+1, p.result.Rounds, c.phase, c.percent, len(c.must), len(p.result.Faults)-faults)
	return nil
}

// sendAndCut sends until the power is cut.
func (p *powered) sendAndCut(ctx context.Context, c *cutter, url string) error {
	ch := child.At(url)
	if p.load == nil {
		to, err := ch.Target(ctx)
		if err != nil {
			return err
		}
		p.loadOf(to)
	}
	sending, stop := context.WithCancel(ctx)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		p.load.runAt(sending, url, ch.Done)
	}()
	pause(ctx, p.between(100*time.Millisecond, 700*time.Millisecond))
	c.arm()
	select {
	case <-c.done:
	case <-ctx.Done():
	}
	stop()
	<-sent
	return c.err
}

// cutter stands between the pipeline and the event store.
type cutter struct {
	*powered
	events.Writer
	to string

	mu      sync.Mutex
	armed   bool
	phase   string
	percent int

	done chan struct{} // closed when the power was cut
	must map[int64]bool
	left *vfs.MemFS
	err  error
}

// holder is an event store whose checkpoints can be put off.
type holder interface {
	Hold(ctx context.Context) (logBytes int64, release func() error, err error)
}

func (c *cutter) wrap(w events.Writer) events.Writer {
	c.Writer = w
	return c
}

func (c *cutter) arm() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed = true
	c.phase = []string{"before", "during", "after"}[c.rng.IntN(3)]
	c.percent = []int{0, 0, 50, 100}[c.rng.IntN(4)]
}

// take returns the phase in which to cut, once.
func (c *cutter) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.armed {
		return ""
	}
	c.armed = false
	return c.phase
}

// Commit cuts the power when it is time.
func (c *cutter) Commit(ctx context.Context, b *events.Batch) (err error) {
	phase := c.take()
	if phase == "" {
		return c.Writer.Commit(ctx, b)
	}
	h, ok := c.Writer.(holder)
	if !ok {
		return fmt.Errorf("event store %T cannot put checkpoints off", c.Writer)
	}
	synced, release, err := h.Hold(ctx)
	if err != nil {
		return fmt.Errorf("put checkpoints off: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	switch phase {
	case "before":
		c.cut(synced)
		return c.Writer.Commit(ctx, b)
	case "during":
		done := make(chan error, 1)
		go func() { done <- c.Writer.Commit(ctx, b) }()
		pause(ctx, time.Duration(c.rng.Int64N(int64(10*time.Millisecond))))
		c.cut(synced)
		return <-done
	}
	err = c.Writer.Commit(ctx, b)
	c.cut(1 << 62) // all of the log was synced
	return err
}

// cut takes what is on the disk. The acknowledged come first: what is
// acknowledged later may not have been synced at the instant.
func (c *cutter) cut(synced int64) {
	defer close(c.done)
	c.must = c.load.ackedNow()
	c.left = c.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: c.percent, RNG: c.rng})
	lengths := map[string]int64{}
	const log = "events.duckdb.wal"
	if st, err := os.Stat(filepath.Join(c.dir, log)); err == nil && st.Size() > synced {
		lengths[log] = synced + c.rng.Int64N(st.Size()-synced+1)
	}
	c.err = copyFolder(c.dir, c.to, lengths)
}

// undo forgets answers that a world gave which is gone.
func (l *load) undo(must map[int64]bool) {
	l.each(func(s *sending) {
		if s.fate == acked && !must[s.items[0].no] {
			s.fate = unknown
		}
	})
}
