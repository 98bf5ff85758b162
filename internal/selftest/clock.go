package selftest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// ServeCommand is the hidden command that serves with a clock that is off by
// what stands in a file; see Clock.
const ServeCommand = "selftest-serve"

// Clock returns a clock that is off by the milliseconds written in a file,
// which it reads again many times a second until ctx is done.
func Clock(ctx context.Context, path string, now func() time.Time) func() time.Time {
	var off atomic.Int64
	read := func() {
		b, err := os.ReadFile(path)
		if err != nil {
			return
		}
		if ms, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil {
			off.Store(ms)
		}
	}
	read()
	go func() {
		for pause(ctx, 5*time.Millisecond) {
			read()
		}
	}()
	return func() time.Time { return now().Add(time.Duration(off.Load()) * time.Millisecond) }
}

// clockJumps moves the server's clock up to 26 hours back and forth under
// load, while clients send things again. The clock is that of the process: the
// machine's own is left alone.
func clockJumps(ctx context.Context, t *trial) (err error) {
	file := filepath.Join(t.dir, "clock")
	jump := func() error {
		const most = 26 * 3600 * 1000
		ms := t.rng.Int64N(2*most) - most
		// Written aside and renamed, so that it is never read half.
		err := os.WriteFile(file+".new", []byte(strconv.FormatInt(ms, 10)), 0o600)
		return errors.Join(err, os.Rename(file+".new", file))
	}
	serve := func() (err error) {
		t.child, err = t.serve(ctx, t.data, nil, ServeCommand, "--clock", file)
		return err
	}
	if err := errors.Join(jump(), serve()); err != nil {
		return err
	}
	if err := t.aim(ctx); err != nil {
		return err
	}
	t.load.hasty = true
	for round := range t.result.Rounds {
		if t.child == nil {
			if err := serve(); err != nil {
				return err
			}
		}
		err := t.sendUntil(ctx, func(ctx context.Context) error {
			for range 15 {
				pause(ctx, t.between(20*time.Millisecond, 80*time.Millisecond))
				if err := jump(); err != nil {
					return err
				}
			}
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
