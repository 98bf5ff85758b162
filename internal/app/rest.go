package app

import (
	"context"
	"errors"
	"time"
)

// How the server notices that it has little to do, and what it is worth to make the state small.
const (
	restLook   = 10 * time.Second
	restCalm   = 2        // looks in a row
	restLittle = 64 << 10 // bytes written between two looks
	restWorth  = 1 << 20  // bytes written since the last rest
)

// rest makes the files of the stores small whenever the server has little to do.
func (a *App) rest(ctx context.Context) {
	if a.kv == nil {
		return
	}
	var c calm
	t := time.NewTicker(restLook)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		var err error
		switch {
		case c.look(a.kv.Written()):
			err = errors.Join(a.kv.Rest(ctx), a.duck.Checkpoint(ctx), a.docs.Rest(ctx))
			c.rested(a.kv.Written())
		case c.still(): // users are mirrored later than rows are moved
			err = a.duck.Rest(ctx)
		}
		if err != nil && ctx.Err() == nil {
			a.log.WarnContext(ctx, "the stores' files are not made smaller", "error", err)
		}
	}
}

// calm looks at how much is written. The zero value is for a server that has just started.
type calm struct {
	written uint64 // at the last look
	looks   int    // in a row at which little was written
	done    bool
	last    uint64 // written at the last rest
}

// look takes how many bytes were written since the start, and reports whether it is time to rest.
func (c *calm) look(written uint64) bool {
	if written-c.written > restLittle {
		c.looks = 0
	} else {
		c.looks++
	}
	c.written = written
	return c.looks >= restCalm && (!c.done || written-c.last > restWorth)
}

// still reports whether little was written for some time.
func (c *calm) still() bool { return c.looks >= restCalm }

// rested notes that it was done, and how many bytes were written by then.
func (c *calm) rested(written uint64) { c.done, c.last, c.written = true, written, written }
