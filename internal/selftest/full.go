package selftest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"quipu/internal/app"
)

// diskFull makes room on the disk short in three ways while requests arrive.
//
// Reserve: a file takes the disk below the server's reserve (all that is free now, less 512 MiB), so
// that ingestion has to refuse with 503 and to go on when the file is gone.
// File size: the system refuses every write beyond the present size of any file of the process
// (RLIMIT_FSIZE set from outside): stores fail in the middle of their work, the server may
// end; then the limit is lifted and the server started again.
// Small disk: the data folder is on a file system in memory of 96 MiB which really runs full,
// once with a reserve, where SIGTERM has to end the server well, and once without, where it has to
// go on when there is room again. Only where the process may mount.
func diskFull(ctx context.Context, t *trial) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	t.stopped()
	for round := range t.result.Rounds {
		if err := t.reserve(ctx); err != nil {
			return err
		}
		if err := t.settle(ctx, round); err != nil {
			return err
		}
		if err := t.limited(ctx); err != nil {
			return err
		}
		if err := t.settle(ctx, round); err != nil {
			return err
		}
	}
	for i, reserve := range []int{32 << 20, 0} {
		if t.Short && i != t.rng.IntN(2) {
			continue
		}
		if err := t.smallDisk(ctx, reserve); err != nil {
			return err
		}
	}
	return nil
}

// free returns the free bytes of the disk under a folder.
func free(dir string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("read free disk space: %w", err)
	}
	return int64(st.Bavail) * st.Bsize, nil // below 2^63
}

// reserve takes the disk below the reserve and gives it free again.
func (t *trial) reserve(ctx context.Context) (err error) {
	const margin, ballast = 512 << 20, 1 << 30
	have, err := free(t.dir)
	if err != nil {
		return err
	}
	if have < 2*ballast {
		t.note("reserve: left out, less than 2 GiB are free")
		return nil
	}
	t.child, err = t.serve(ctx, t.data, []string{"QUIPU_INGEST_DISK_RESERVE=" + strconv.FormatInt(have-margin, 10)})
	if err != nil {
		return err
	}
	file := filepath.Join(t.dir, "ballast")
	err = t.sendUntil(ctx, func(ctx context.Context) error {
		pause(ctx, 200*time.Millisecond)
		if err := allocate(file, ballast); err != nil {
			return err
		}
		acks, refusals := t.waitFates(ctx, func(_, refused int64) bool { return refused >= 20 })
		if refusals < 20 {
			t.fault("reserve: %d requests were refused with the disk below the reserve", refusals)
		}
		if err := os.Remove(file); err != nil {
			return fmt.Errorf("remove ballast: %w", err)
		}
		if after, _ := t.waitFates(ctx, func(acks2, _ int64) bool { return acks2 > acks+20 }); after <= acks+20 {
			t.fault("reserve: ingestion does not go on with room on the disk")
		}
		return nil
	})
	t.stopped()
	return err
}

// waitFates waits up to ten seconds until the load has met ok.
func (t *trial) waitFates(ctx context.Context, ok func(acks, refusals int64) bool) (acks, refusals int64) {
	_, before := t.load.fates()
	for range 1000 {
		acks, refusals = t.load.fates()
		if ok(acks, refusals-before) {
			break
		}
		if !pause(ctx, 10*time.Millisecond) {
			break
		}
	}
	return acks, refusals - before
}

// allocate makes a file that really takes space.
func allocate(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("make ballast: %w", err)
	}
	if err := fallocate(f, size); err != nil {
		return errors.Join(fmt.Errorf("make ballast: %w", err), f.Close(), os.Remove(path))
	}
	return f.Close()
}

// limited lets writes fail by a limit on the size of files.
func (t *trial) limited(ctx context.Context) (err error) {
	if t.child, err = t.serve(ctx, t.data, nil); err != nil {
		return err
	}
	ended := false
	err = t.sendUntil(ctx, func(ctx context.Context) error {
		pause(ctx, t.between(100*time.Millisecond, 500*time.Millisecond))
		if err := limitFiles(t.child.Cmd.Process.Pid, 4096); err != nil {
			t.note("file size: left out, %v", err)
			return nil
		}
		pause(ctx, 500*time.Millisecond)
		select {
		case <-t.child.Done:
			ended = true // it gave up, which is right when its store has failed
			return nil
		default:
		}
		return limitFiles(t.child.Cmd.Process.Pid, -1)
	})
	if err != nil {
		return err
	}
	if ended {
		t.note("file size: the server ended when its state could not be written")
		if code := t.child.Cmd.ProcessState.ExitCode(); code != 1 {
			t.fault("file size: the server ended with status %d: %s", code, lastLines(t.child.Log.String(), 8))
		}
		t.child = nil
		return nil
	}
	t.note("file size: the server went on")
	return t.killed()
}

// smallDisk fills a small file system to the end.
func (t *trial) smallDisk(ctx context.Context, reserve int) (err error) {
	dir := filepath.Join(t.dir, "small")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	unmount, err := mountSmall(dir, 96<<20)
	if err != nil {
		t.note("small disk: left out, %v", err)
		return nil
	}
	data := filepath.Join(dir, "data")
	env := []string{"QUIPU_INGEST_DISK_RESERVE=" + strconv.Itoa(reserve)}
	sub := &trial{Options: t.Options, result: t.result, rush: t.rush, dir: dir, data: data, rng: t.rng}
	defer func() {
		if sub.child != nil {
			err = errors.Join(err, sub.child.Kill())
		}
		err = errors.Join(err, unmount())
	}()
	if sub.child, err = t.serve(ctx, data, env); err != nil {
		return err
	}
	if err := sub.aim(ctx); err != nil {
		return err
	}
	defer sub.load.count(t.result)
	err = sub.sendUntil(ctx, func(ctx context.Context) error {
		ballast := filepath.Join(dir, "ballast")
		have, err := free(dir)
		if err != nil {
			return err
		}
		// What is left beside the reserve runs full by what is received. The server takes
		// space meanwhile, for logs by the megabyte.
		size := have - int64(reserve) - (6 << 20)
		for err = allocate(ballast, size); errors.Is(err, syscall.ENOSPC) && size > 8<<20; err = allocate(ballast, size) {
			size -= 4 << 20
		}
		if err != nil {
			return err
		}
		for range 300 {
			if _, refusals := sub.load.fates(); refusals > 20 {
				break
			}
			select {
			case <-sub.child.Done:
				return os.Remove(ballast)
			default:
			}
			if !pause(ctx, 50*time.Millisecond) {
				break
			}
		}
		if _, refusals := sub.load.fates(); refusals <= 20 {
			sub.note("small disk with a reserve of %d MiB: nothing was refused in time", reserve>>20)
		}
		if reserve > 0 {
			sub.stopped() // with the disk still full
			return os.Remove(ballast)
		}
		return os.Remove(ballast)
	})
	if err != nil {
		return err
	}
	if sub.child != nil {
		select {
		case <-sub.child.Done:
			sub.fault("small disk without a reserve: the server ended with status %d: %s",
				sub.child.Cmd.ProcessState.ExitCode(), lastLines(sub.child.Log.String(), 8))
			sub.child = nil
		default:
			if err := sub.killed(); err != nil {
				return err
			}
		}
	}
	if sub.child, err = t.serve(ctx, data, []string{"QUIPU_INGEST_DISK_RESERVE=0"}); err != nil {
		return err
	}
	if err := sub.child.Drain(ctx, sub.load.target); err != nil {
		return err
	}
	sub.stopped()
	err = sub.compare(ctx, data, app.Process{}, nil)
	acks, refusals := sub.load.fates()
	sub.progress("small disk with a reserve of %d MiB: %d acknowledged, %d refused", reserve>>20, acks, refusals)
	return err
}
