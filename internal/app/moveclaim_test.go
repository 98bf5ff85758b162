package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// TestAim has a folder that moves nowhere, to a cluster, and to another one.
func TestAim(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if noted, err := aim(data, "one"); noted || err != nil {
		t.Errorf("a folder that moves nowhere: %t, %v", noted, err)
	}
	if _, err := os.Stat(movePath(data)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where it moves to is noted before the cluster was looked at: %v", err)
	}
	if err := os.MkdirAll(movePath(data), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := writeWhole(movePath(data, moveTarget), []byte("one")); err != nil {
		t.Fatal(err)
	}
	if noted, err := aim(data, "one"); !noted || err != nil {
		t.Errorf("the same cluster: %t, %v", noted, err)
	}
	if _, err := aim(data, "two"); err == nil || !strings.Contains(err.Error(), "already being moved to another cluster") {
		t.Errorf("another cluster: %v", err)
	}
}

// TestLockMove starts a second move of a folder.
func TestLockMove(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	lock, err := lockMove(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockMove(data); err == nil || !strings.Contains(err.Error(), "another quipu move of this folder runs") {
		t.Errorf("a second move: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if lock, err = lockMove(data); err != nil {
		t.Fatalf("when the first has ended: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Error(err)
	}
}

// TestGiveUpNothing gives up the move of a folder that does not move.
func TestGiveUpNothing(t *testing.T) {
	t.Parallel()
	cfg := DefaultConfig()
	cfg.Data = t.TempDir()
	if err := os.WriteFile(filepath.Join(cfg.Data, "LOCK"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := GiveUpMove(t.Context(), cfg, Process{}); !errors.Is(err, errNoMove) {
		t.Errorf("%v, want %v", err, errNoMove)
	}
	if _, err := os.Stat(movePath(cfg.Data)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left in the folder: %v", err)
	}
}

// heldFor is a keeper whose leases, of no partition, change every so often; every = 0: it has no lease at all, so that nothing works.
type heldFor struct{ every time.Duration }

func (s heldFor) Run(ctx context.Context, work func(context.Context, *postgres.Worker) error) error {
	if s.every == 0 {
		<-ctx.Done()
	}
	for ctx.Err() == nil {
		part, cancel := context.WithTimeout(ctx, s.every)
		_ = work(part, &postgres.Worker{})
		cancel()
	}
	return nil
}

// TestHoldingAll waits for partitions that others hold.
func TestHoldingAll(t *testing.T) {
	t.Parallel()
	for what, k := range map[string]heldFor{"no lease": {}, "leases that change": {20 * time.Second}, "a lease": {time.Hour}} {
		synctest.Test(t, func(t *testing.T) {
			began, said := time.Now(), ""
			say := func(format string, args ...any) { said = fmt.Sprintf(format, args...) }
			err := holdingAll(t.Context(), k, 3, say, func(context.Context, *postgres.Worker) error { return errors.New("it works without partitions") })
			if err == nil || !strings.Contains(err.Error(), "hold partitions of this cluster") || time.Since(began) != mostWaiting {
				t.Errorf("%s: %v after %v", what, err, time.Since(began))
			}
			if want := "holds 0 of 3 partitions, waits for the others"; k.every > 0 && said != want {
				t.Errorf("%s: said %q, want %q", what, said, want)
			}
		})
	}
	// Work takes longer than partitions are waited for, and is done again when some are lost.
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		err := holdingAll(t.Context(), heldFor{time.Hour}, 0, nil, func(context.Context, *postgres.Worker) error {
			time.Sleep(2 * mostWaiting)
			if tries++; tries < 3 {
				return state.ErrLost
			}
			return errMoved
		})
		if !errors.Is(err, errMoved) || tries != 3 {
			t.Errorf("%v after %d tries", err, tries)
		}
	})
}
