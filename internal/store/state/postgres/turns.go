package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Turns are rights that one process at a time has, by their names: to run a job, say. They are leases by the database's clock. It implements jobs.Turns,
// jobs.Leases and auth.Turns.
type Turns struct {
	db     *DB
	holder string
	ttl    time.Duration
	// own reports whether a turn is every process's own.
	own func(name string) bool
}

// Turns returns the turns of a keeper's process. own says which names every process has a turn of its own of; nil = none.
func (k *Keeper) Turns(own func(name string) bool) *Turns {
	if own == nil {
		own = func(string) bool { return false }
	}
	return &Turns{db: k.db, holder: k.name, ttl: k.o.TTL, own: own}
}

// Take implements jobs.Turns. When the database cannot be asked, it is nobody's turn.
func (t *Turns) Take(ctx context.Context, name string) (run context.Context, end func(), ok bool) {
	if t.own(name) {
		return ctx, func() {}, true
	}
	if held, err := t.claim(ctx, name); err != nil || !held {
		if err != nil && ctx.Err() == nil {
			t.db.o.Log.WarnContext(ctx, "a turn cannot be taken", "name", name, "error", err)
		}
		return nil, nil, false
	}
	run, end = t.keep(ctx, name)
	return run, end, true
}

// keep renews a turn that is held until run or ctx is done, and gives it back with end.
func (t *Turns) keep(ctx context.Context, name string) (run context.Context, end func()) {
	run, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer stop()
		renewed := t.db.o.Now()
		for pauseFor(run, t.ttl/6) {
			held, err := t.claim(run, name)
			if err == nil && held {
				renewed = t.db.o.Now()
				continue
			}
			if err == nil || t.db.o.Now().Sub(renewed) > t.ttl/2 {
				return // another may have it soon
			}
		}
	}()
	return run, func() {
		stop()
		<-ended
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.ttl)
		defer cancel()
		err := t.db.read(limited, func(ctx context.Context, q *pgxpool.Pool) error {
			_, err := q.Exec(ctx, "DELETE FROM turns WHERE name = $1 AND holder = $2", name, t.holder)
			return err
		})
		if err != nil {
			t.db.o.Log.WarnContext(ctx, "a turn is not given back, it runs out", "name", name, "error", err)
		}
	}
}

// Lock implements auth.Turns: it waits for a turn of this process among others, a while at most. Callers in one process take turns themselves.
func (t *Turns) Lock(ctx context.Context, key string) (end func(), err error) {
	sum := sha256.Sum256([]byte(key))
	name := "lock:" + hex.EncodeToString(sum[:]) // it may be a person's name, and of any length
	waiting, cancel := context.WithTimeout(ctx, 2*t.ttl)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		held, err := t.claim(waiting, name)
		if held {
			_, end := t.keep(ctx, name)
			return end, nil
		}
		if err != nil && waiting.Err() == nil {
			return nil, err
		}
		if !pauseFor(waiting, pause) {
			return nil, context.Cause(waiting)
		}
	}
}

// claim takes or renews a turn, unless another holds it.
func (t *Turns) claim(ctx context.Context, name string) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, t.ttl/2)
	defer cancel()
	err = t.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		tag, err := q.Exec(ctx, `INSERT INTO turns AS t (name, holder, until) VALUES ($1, $2, clock_timestamp() + $3::interval)
			ON CONFLICT (name) DO UPDATE SET holder = $2, until = EXCLUDED.until WHERE t.holder = $2 OR t.until < clock_timestamp()`, name, t.holder, t.ttl)
		held = err == nil && tag.RowsAffected() == 1
		return err
	})
	return held, err
}

// Hold implements jobs.Leases: a task belongs to the process for as long as its keeper lives.
func (t *Turns) Hold(ctx context.Context, _ string) (holder string, run context.Context, end func()) {
	run, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer stop()
		seen := t.db.o.Now()
		for pauseFor(run, t.ttl/6) {
			lives, err := t.db.Lives(run, t.holder)
			if err == nil && lives {
				seen = t.db.o.Now()
			} else if t.db.o.Now().Sub(seen) > t.ttl/2 {
				return // others may think that it is free
			}
		}
	}()
	return t.holder, run, func() { stop(); <-ended }
}

// Gone implements jobs.Leases.
func (t *Turns) Gone(ctx context.Context, holder string) (bool, error) {
	if holder == t.holder {
		return false, nil
	}
	lives, err := t.db.Lives(ctx, holder)
	return !lives, err
}
