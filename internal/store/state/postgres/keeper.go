package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"quipu/internal/store/state"
)

// KeeperOptions say how a process shares partitions with others.
type KeeperOptions struct {
	// TTL is how long a lease holds that is not renewed, by the database's clock; 0 = LeaseTTL. Every is how often the keeper looks;
	// 0 = 1 s. The partitions of a process that has died are held by others after TTL + Every and the time in which a worker starts.
	TTL, Every time.Duration
	Worker     WorkerOptions
	Log        *slog.Logger
	// Idle says that the process takes no partitions: others share them among themselves. See Live.
	Idle bool
	// Alone says that the process takes all partitions: as long as it lives, others give back what they hold and take none. Of several such keepers the one
	// that was made first holds them, by the clocks of their processes. Programs that do not know of it see one more keeper.
	Alone bool
}

// LeaseTTL is how long leases hold that are not renewed, unless a keeper is given another time.
const LeaseTTL = 6 * time.Second

const defaultEvery = time.Second

// Keeper holds a fair share of the partitions for a process: as many as there are, divided by the keepers that live; or all, or none, see KeeperOptions. Those of
// one that ends are taken by the others at once, those of one that dies when its leases have run out.
type Keeper struct {
	db   *DB
	o    KeeperOptions
	name string
}

// Keep returns a keeper under a name that no other has or had.
func (d *DB) Keep(o KeeperOptions) *Keeper {
	if o.TTL <= 0 {
		o.TTL = LeaseTTL
	}
	if o.Every <= 0 {
		o.Every = defaultEvery
	}
	if o.Log == nil {
		o.Log = d.o.Log
	}
	name := rand.Text()
	switch {
	case o.Idle:
		name = idlePrefix + name
	case o.Alone:
		name = fmt.Sprintf("%s%016x-%s", alonePrefix, d.o.Now().UnixMicro(), name)
	}
	return &Keeper{db: d, o: o, name: name}
}

// idlePrefix begins the names of keepers that are Idle, alonePrefix those of keepers that are Alone: the time when they were made follows, so that the first of
// them is the first by name.
const (
	idlePrefix  = "-"
	alonePrefix = "!"
)

// Live says that the process lives, as Run does, until ctx is done: its tasks stay its own. It is for keepers that are Idle.
func (k *Keeper) Live(ctx context.Context) {
	failing := false
	for {
		limited, cancel := context.WithTimeout(ctx, k.o.TTL/2)
		_, _, err := k.db.beat(limited, k.name, k.o.TTL)
		cancel()
		if err != nil && ctx.Err() == nil && !failing {
			k.o.Log.ErrorContext(ctx, "the state cannot be told that the node lives", "error", err)
		}
		failing = err != nil
		if !pauseFor(ctx, k.o.Every) {
			break
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.o.TTL)
	defer cancel()
	if err := k.db.leave(last, k.name); err != nil {
		k.o.Log.WarnContext(ctx, "the state cannot be told that the node has ended", "error", err)
	}
}

// Name is the keeper's in the database.
func (k *Keeper) Name() string { return k.name }

// Run calls work with a worker for the partitions that are held, for as long as they stay the same: when some come, go to another keeper
// or are lost, the context of work is done, and when it has returned it is called with another worker. What work returns is logged; it is
// called again. Run returns when ctx is done, with the leases given back.
func (k *Keeper) Run(ctx context.Context, work func(ctx context.Context, w *Worker) error) error {
	var held []Lease
	defer func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), k.o.TTL)
		defer cancel()
		err := errors.Join(k.db.Release(last, held), k.db.leave(last, k.name))
		if err != nil {
			k.o.Log.WarnContext(ctx, "leases of partitions are not given back, they run out", "error", err)
		}
	}()
	for {
		var err error
		if held, err = k.share(ctx, held); err != nil && ctx.Err() == nil {
			k.o.Log.ErrorContext(ctx, "partitions cannot be claimed", "error", err)
		}
		if len(held) > 0 {
			held = k.hold(ctx, held, work)
		}
		if ctx.Err() != nil {
			return nil
		}
		if len(held) == 0 && !pauseFor(ctx, k.o.Every) {
			return nil
		}
	}
}

// pauseFor returns false when ctx was done first.
func pauseFor(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// share renews what is held, gives back what is more than a fair share, and claims what lacks to it.
func (k *Keeper) share(ctx context.Context, held []Lease) ([]Lease, error) {
	fair, err := k.fair(ctx)
	if err != nil {
		return held, err
	}
	if len(held) > 0 {
		if held, err = k.db.Renew(ctx, held, k.o.TTL); err != nil {
			return held, err
		}
	}
	slices.SortFunc(held, func(a, b Lease) int { return int(a.Partition) - int(b.Partition) })
	if len(held) > fair {
		err := k.db.Release(ctx, held[fair:])
		return held[:fair], err
	}
	if len(held) < fair {
		more, err := k.db.Claim(ctx, k.name, fair-len(held), k.o.TTL)
		return append(held, more...), err
	}
	return held, nil
}

// fair returns how many partitions a keeper holds at most, now.
func (k *Keeper) fair(ctx context.Context) (int, error) {
	live, alone, err := k.db.beat(ctx, k.name, k.o.TTL)
	switch alone {
	case "":
		live = max(live, 1)
	case k.name:
		live = 1
	default:
		return 0, err
	}
	return (k.db.o.Partitions + live - 1) / live, err
}

// hold has the worker of the leases work until they change, and returns those that are still held.
func (k *Keeper) hold(ctx context.Context, held []Lease, work func(context.Context, *Worker) error) []Lease {
	working, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- k.work(working, held, work) }()
	tick := time.NewTicker(k.o.Every)
	defer tick.Stop()
	renewed := k.db.o.Now()
	for {
		select {
		case err := <-ended:
			if err != nil && ctx.Err() == nil {
				k.o.Log.ErrorContext(ctx, "work on partitions has ended", "partitions", len(held), "error", err)
				pauseFor(ctx, k.o.Every)
			}
			return held
		case <-tick.C:
		}
		// What work does after its context is done takes a while, in which the leases are renewed, too.
		left, change, err := k.look(ctx, held)
		switch {
		case err != nil:
			if k.db.o.Now().Sub(renewed) > k.o.TTL { // others may have them by now, and no commit would pass
				stop()
			}
			continue
		case change:
			stop()
		}
		held, renewed = left, k.db.o.Now()
	}
}

// look renews leases and reports whether the worker has to end: some are lost, there are too many, or more to be had.
func (k *Keeper) look(ctx context.Context, held []Lease) (left []Lease, change bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), max(k.o.TTL/2, k.o.Every))
	defer cancel()
	if left, err = k.db.Renew(ctx, held, k.o.TTL); err != nil {
		return held, false, err
	}
	fair, err := k.fair(ctx)
	if err != nil || len(left) != len(held) || len(left) > fair {
		return left, len(left) != len(held) || err == nil, nil
	}
	if len(left) == fair {
		return left, false, nil
	}
	free, err := k.db.free(ctx)
	return left, free > 0, err
}

// work makes the worker and has it work.
func (k *Keeper) work(ctx context.Context, held []Lease, work func(context.Context, *Worker) error) error {
	w, err := k.db.Worker(ctx, held, k.o.Worker)
	if err != nil {
		return err
	}
	err = work(ctx, w)
	if errors.Is(err, state.ErrLost) {
		return fmt.Errorf("partitions went to another worker: %w", err)
	}
	return err
}
