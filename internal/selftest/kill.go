package selftest

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/app"
	"quipu/internal/child"
)

// connections of a load, and how long each pauses before its next request where nothing has to pile up: there are always some under way.
const (
	connections = 8
	pace        = 4 * time.Millisecond
)

// begin starts the first server of a trial and makes its app and load.
func (t *trial) begin(ctx context.Context) error {
	var err error
	if t.child, err = t.serve(ctx, t.data, nil); err != nil {
		return err
	}
	return t.aim(ctx)
}

// aim makes the app and the load of the running server.
func (t *trial) aim(ctx context.Context) error {
	to, err := t.child.Target(ctx)
	if err != nil {
		return err
	}
	t.loadOf(to)
	return nil
}

// loadOf makes the load of an app.
func (t *trial) loadOf(to child.Target) {
	// Device times lie days in the past, so that the server's clock never comes before them.
	t.load = newLoad(to, t.Seed, connections, t.Now().Add(-9*24*time.Hour))
	if !t.rush {
		t.load.pace = pace
	}
}

// start starts a server again if none runs.
func (t *trial) start(ctx context.Context) (err error) {
	if t.child != nil {
		return nil
	}
	t.child, err = t.serve(ctx, t.data, nil)
	return err
}

// killed ends the server with SIGKILL.
func (t *trial) killed() error {
	err := t.child.Kill()
	t.child = nil
	return err
}

// stopped ends the server gracefully; a bad end is a fault.
func (t *trial) stopped() {
	if err := t.child.Stop(); err != nil {
		t.fault("%v", err)
	}
	t.child = nil
}

// sendUntil sends until harm returns.
func (t *trial) sendUntil(ctx context.Context, harm func(ctx context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.load.run(ctx, t.child)
	}()
	err := harm(ctx)
	stop()
	<-done
	return err
}

// between returns a random duration.
func (t *trial) between(least, most time.Duration) time.Duration {
	return least + time.Duration(t.rng.Int64N(int64(most-least)))
}

// settle starts the server again, drains it, stops it and compares.
func (t *trial) settle(ctx context.Context, round int) error {
	if err := t.start(ctx); err != nil {
		return err
	}
	if err := t.child.Drain(ctx, t.load.target); err != nil {
		return err
	}
	t.stopped()
	before := len(t.result.Faults)
	if err := t.compare(ctx, t.data, app.Process{}, nil); err != nil {
		return fmt.Errorf("round %d: %w", round+1, err)
	}
	acks, _ := t.load.fates()
	t.progress("round %d of %d: %d acknowledged so far, %d faults", round+1, t.result.Rounds, acks, len(t.result.Faults)-before)
	return nil
}

// kill ends the server with SIGKILL at random instants under load.
func kill(ctx context.Context, t *trial) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	for round := range t.result.Rounds {
		if err := t.start(ctx); err != nil {
			return err
		}
		err := t.sendUntil(ctx, func(ctx context.Context) error {
			pause(ctx, t.between(20*time.Millisecond, 900*time.Millisecond))
			return t.killed()
		})
		if err != nil {
			return err
		}
		if err := t.settle(ctx, round); err != nil {
			return err
		}
	}
	return nil
}

// killReplay kills the server under load, and then several times while it
// starts and works off what was left.
func killReplay(ctx context.Context, t *trial) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	for round := range t.result.Rounds {
		if err := t.start(ctx); err != nil {
			return err
		}
		err := t.sendUntil(ctx, func(ctx context.Context) error {
			pause(ctx, t.between(300*time.Millisecond, 900*time.Millisecond))
			return t.killed()
		})
		if err != nil {
			return err
		}
		for range 3 {
			if err := t.killStarting(ctx); err != nil {
				return err
			}
		}
		if err := t.settle(ctx, round); err != nil {
			return err
		}
	}
	return nil
}

// killStarting starts a server and kills it a moment later, wherever it is.
func (t *trial) killStarting(ctx context.Context) error {
	c, lines, err := t.spawn(ctx, nil, "serve", "--data", t.data, "--listen", "127.0.0.1:0", "--memory", "256MiB", "--log-level", "warn")
	if err != nil {
		return err
	}
	pause(ctx, t.between(30*time.Millisecond, 400*time.Millisecond))
	if err := c.Cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill server: %w", err)
	}
	_, _ = lines.Discard(1 << 20) // until the pipe closes
	_ = c.Cmd.Wait()              // it was killed
	return nil
}

// terminate ends the server with SIGTERM under load: it has to end well, and
// what it acknowledged has to be projected already.
func terminate(ctx context.Context, t *trial) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	for round := range t.result.Rounds {
		if err := t.start(ctx); err != nil {
			return err
		}
		err := t.sendUntil(ctx, func(ctx context.Context) error {
			pause(ctx, t.between(100*time.Millisecond, 900*time.Millisecond))
			t.stopped()
			return nil
		})
		if err != nil {
			return err
		}
		if err := t.settle(ctx, round); err != nil {
			return err
		}
	}
	return nil
}

// resend hangs up before the answer comes, sends everything up to three times
// on several connections, and kills the server in between.
func resend(ctx context.Context, t *trial) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	t.load.hasty = true
	for round := range t.result.Rounds {
		if err := t.start(ctx); err != nil {
			return err
		}
		err := t.sendUntil(ctx, func(ctx context.Context) error {
			pause(ctx, t.between(300*time.Millisecond, 900*time.Millisecond))
			return t.killed()
		})
		if err != nil {
			return err
		}
		if err := t.settle(ctx, round); err != nil {
			return err
		}
	}
	return nil
}
