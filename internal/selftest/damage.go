package selftest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"quipu/internal/app"
	"quipu/internal/child"
	"quipu/internal/store/files"
	"quipu/internal/store/files/disk"
)

// damage flips a bit or tears off the end of each file of a folder, one at a
// time, in a copy of the folder that a killed server left.
//
// A copy may be refused with a message when it is opened, be found to differ by
// `quipu verify`, or have lost nothing. What must not be: that something acknowledged is
// gone and nobody says so, or that the process crashes.
//
// One loss cannot be distinguished from what a power cut leaves of a write that nobody waited for: that of the
// last records in the log of the state which were not projected yet. It is counted by itself, and only
// when it is the end of the log and nothing else.
func damage(ctx context.Context, t *trial) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	err := t.sendUntil(ctx, func(ctx context.Context) error {
		pause(ctx, t.between(800*time.Millisecond, 1200*time.Millisecond))
		return t.killed()
	})
	if err != nil {
		return err
	}
	if err := t.picture(ctx); err != nil {
		return err
	}
	// Once with the logs of a killed server, once after all is settled in tables.
	for round := range t.result.Rounds {
		list, err := listFiles(t.data)
		if err != nil {
			return err
		}
		if err := t.undamaged(ctx); err != nil {
			return err
		}
		counts := map[string]int{}
		for _, name := range list {
			for _, harm := range []string{"flipped bit", "torn end"} {
				if t.Short && t.rng.IntN(4) > 0 {
					continue
				}
				verdict, err := t.harmed(ctx, name, harm)
				if err != nil {
					return fmt.Errorf("%s in %s: %w", harm, name, err)
				}
				if verdict != "" {
					counts[verdict]++
					t.progress("%s in %s: %s", harm, name, verdict)
				}
			}
		}
		t.note("round %d: %d refused at the start, %d served and reported by verify, %d without loss, %d cut off like a torn write",
			round+1, counts[refusedAtStart], counts[reported], counts[harmless], counts[cutOff])
		t.whole = nil
		if round == 0 {
			if err := t.settle(ctx, round); err != nil {
				return err
			}
		}
	}
	return nil
}

// What may come of damage.
const (
	refusedAtStart = "refused at the start"
	reported       = "reported by verify"
	harmless       = "nothing is lost"
	cutOff         = "the end of the log is cut off like a torn write"
)

// undamaged notes what a copy holds that is not harmed.
func (t *trial) undamaged(ctx context.Context) error {
	dir := filepath.Join(t.dir, "undamaged")
	if err := copyFolder(t.data, dir, nil); err != nil {
		return err
	}
	if err := t.compare(ctx, dir, app.Process{}, nil); err != nil {
		return err
	}
	t.whole = t.last.found
	return os.RemoveAll(dir)
}

// torn reports whether what is missing of an undamaged folder is the end of
// what was recorded.
func (t *trial) torn(missing []int64, present map[int64]*found) bool {
	if t.whole == nil {
		return false
	}
	first := ^uint64(0)
	for _, no := range missing {
		if f := t.whole[no]; f != nil {
			first = min(first, f.offset)
		}
	}
	for no := range present {
		if f := t.whole[no]; f == nil || f.offset > first {
			return false
		}
	}
	return true
}

// picture puts a file into the store of files, which the load does not use.
func (t *trial) picture(ctx context.Context) error {
	s, err := disk.Open(filepath.Join(t.data, "files"))
	if err != nil {
		return fmt.Errorf("open files: %w", err)
	}
	png := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 512)...)
	if _, err := s.Put(ctx, png, len(png), files.Images()); err != nil {
		return fmt.Errorf("store file: %w", err)
	}
	return nil
}

// harmed damages one file of a copy and tells what came of it; "" when the
// file is empty.
func (t *trial) harmed(ctx context.Context, name, harm string) (string, error) {
	dir := filepath.Join(t.dir, "harmed")
	if err := copyFolder(t.data, dir, nil); err != nil {
		return "", err
	}
	done, err := t.hurt(filepath.Join(dir, name), harm)
	if err != nil || !done {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	verdict, err := t.judge(ctx, dir, name, harm)
	if err != nil {
		return "", err
	}
	return verdict, os.RemoveAll(dir)
}

func (t *trial) hurt(path, harm string) (bool, error) {
	b, err := os.ReadFile(path)
	if err != nil || len(b) == 0 {
		return false, err
	}
	// Files are given out in large pieces; what was never written is not worth a try.
	end := len(b)
	for end > 1 && b[end-1] == 0 {
		end--
	}
	switch harm {
	case "torn end":
		b = b[:end-min(end, 1+t.rng.IntN(200))]
	default:
		at := t.rng.IntN(end)
		if t.rng.IntN(2) == 0 {
			at = end - 1 - t.rng.IntN(min(end, 4096))
		}
		b[at] ^= 1 << t.rng.IntN(8)
	}
	return true, os.WriteFile(path, b, 0o600)
}

// judge looks at a damaged folder with a process of its own, which may not survive it.
func (t *trial) judge(ctx context.Context, dir, name, harm string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, child.StartLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.Program, "verify", "--data", dir) // this very binary
	cmd.Env = append(append(os.Environ(), t.Env...), "QUIPU_INGEST_DISK_RESERVE=0", "QUIPU_MEMORY=256MiB", "QUIPU_LOG_LEVEL=error")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return t.compareHarmed(ctx, dir, name, harm)
	case !errors.As(err, &exit):
		return "", fmt.Errorf("run verify: %w", err)
	case exit.ExitCode() != 1:
		t.fault("%s in %s: verify crashes: %v: %s", harm, name, err, lastLines(string(out), 12))
		return "a crash", nil
	case strings.Contains(string(out), "compared"):
		return reported, nil
	}
	text := message(string(out))
	if text == "" {
		text = lastLines(string(out), 1)
		t.fault("%s in %s: refused without a message: %s", harm, name, text)
	}
	t.progress("%s in %s: %s", harm, name, text)
	return refusedAtStart, nil
}

// compareHarmed makes sure that nothing is lost where nothing was reported.
func (t *trial) compareHarmed(ctx context.Context, dir, name, harm string) (string, error) {
	before := len(t.result.Faults)
	if err := t.compare(ctx, dir, app.Process{}, nil); err != nil {
		return "", err
	}
	switch {
	case len(t.result.Faults) > before:
		t.fault("%s in %s: the loss above was not reported", harm, name)
		return "lost unnoticed", nil
	case t.last.cut > 0 && !strings.HasSuffix(name, ".log"):
		t.fault("%s in %s: the last %d items are lost unnoticed", harm, name, t.last.cut)
		return "lost unnoticed", nil
	case t.last.cut > 0:
		return cutOff, nil
	}
	return harmless, nil
}

// message returns the line with which a command ends; "" = there is none. Something in the
// background may have been logged behind it.
func message(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "quipu: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// lastLines returns the last n lines of a text.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
