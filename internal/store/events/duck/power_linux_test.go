package duck_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"quipu/internal/store/events/duck"
	"quipu/internal/store/journal"
)

// TestPowerCutAnywhere stops a writing process at random instants, many of them within a
// checkpoint, asks the kernel which pages of the store's files are not on the disk yet, and
// takes each of them away or not. What a cut of the power leaves then must hold every
// batch whose commit returned, and nothing in part.
//
// Before each run all files are synced, so a page that is taken away is as it was then; the
// log's page that the last commit ended in is as that commit left it. A removal
// of the log that may not be on the disk yet is undone or not. What is not simulated: pages
// torn within, and disks that acknowledge a sync without it.
func TestPowerCutAnywhere(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "events.duckdb")
	c := start(t, "commit", path)
	p := &power{t: t, rng: rng, path: path, durable: map[string][]byte{}}
	acked := make(chan committed, 1<<16)
	go func() {
		defer close(acked)
		for c.lines.Scan() {
			if n, err := parseCommitted(c.lines.Text()); err == nil {
				acked <- n
			}
		}
	}()
	last := <-acked
	const rounds = 12
	for round := range rounds {
		p.stop(c)
		p.sync()
		p.resume(c)
		wait := time.NewTimer(time.Duration(rng.Int64N(int64(20 * time.Millisecond))))
		<-wait.C
		if round%4 > 0 { // the file is written by checkpoints only
			p.untilDirty("")
		} else {
			p.untilDirty(".wal")
		}
		p.stop(c)
		// What the child had written out by now was committed before.
		for more := true; more; {
			select {
			case n, ok := <-acked:
				if !ok {
					t.Fatal("the child ended")
				}
				last = n
			default:
				more = false
			}
		}
		left := filepath.Join(t.TempDir(), "left.duckdb")
		p.cut(left, last)
		p.resume(c)
		s, err := duck.Open(context.Background(), duck.Options{Path: left, Threads: 2, Held: journal.Watermark{0: last.offset}})
		if err != nil {
			t.Fatalf("round %d: %d committed: %v", round, last.offset, err)
		}
		if got := whole(t, s); got < last.offset {
			t.Fatalf("round %d: %d batches are left, %d were committed", round, got, last.offset)
		}
		if err := errors.Join(s.Check(context.Background()), s.Close()); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	t.Logf("%d cuts with unsynced pages of the file, %d of its log, %d while no log was there; %d pages lost of %d",
		p.file, p.log, p.without, p.lost, p.dirty)
}

// power cuts the power of a process.
type power struct {
	t    *testing.T
	rng  *rand.Rand
	path string
	// durable are the files as they were when all was synced, by suffix.
	durable map[string][]byte
	blind   bool // the kernel does not tell
	// What happened, to tell.
	file, log, without, dirty, lost int
}

// ask asks what of a file is not on the disk. A kernel before 6.5 cannot
// tell: then nothing is taken away, and the test is one of copies at an instant.
func (p *power) ask(f *os.File, part unix.CachestatRange, stat *unix.Cachestat_t) {
	p.t.Helper()
	err := unix.Cachestat(uint(f.Fd()), &part, stat, 0)
	if errors.Is(err, unix.ENOSYS) {
		p.blind = true
	} else if err != nil {
		p.t.Fatalf("ask which pages are on the disk: %v", err)
	}
}

// untilDirty waits until something of a file is not on the disk, if the file is there.
func (p *power) untilDirty(suffix string) {
	p.t.Helper()
	f, err := os.Open(p.path + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	for range 200_000 {
		var stat unix.Cachestat_t
		p.ask(f, unix.CachestatRange{}, &stat)
		if p.blind || stat.Dirty+stat.Writeback > 0 {
			return
		}
	}
}

// stop stops the process between two of its instructions.
func (p *power) stop(c *child) {
	p.t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		p.t.Fatal(err)
	}
	status := "/proc/" + strconv.Itoa(c.cmd.Process.Pid) + "/task"
	for { // until every thread has stopped
		tasks, err := os.ReadDir(status)
		if err != nil {
			p.t.Fatal(err)
		}
		stopped := 0
		for _, task := range tasks {
			b, err := os.ReadFile(filepath.Join(status, task.Name(), "stat"))
			if errors.Is(err, fs.ErrNotExist) {
				stopped++
				continue
			}
			if _, rest, ok := strings.Cut(string(b), ") "); ok && strings.HasPrefix(rest, "T") {
				stopped++
			}
		}
		if stopped == len(tasks) {
			return
		}
	}
}

func (p *power) resume(c *child) {
	p.t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		p.t.Fatal(err)
	}
}

// files lists the suffixes of the files that are there.
func (p *power) files() []string {
	p.t.Helper()
	found, err := filepath.Glob(p.path + "*")
	if err != nil {
		p.t.Fatal(err)
	}
	var out []string
	for _, f := range found {
		if st, err := os.Stat(f); err == nil && st.Mode().IsRegular() {
			out = append(out, strings.TrimPrefix(f, p.path))
		}
	}
	return out
}

// sync makes all files durable and remembers them.
func (p *power) sync() {
	p.t.Helper()
	clear(p.durable)
	for _, suffix := range p.files() {
		f, err := os.OpenFile(p.path+suffix, os.O_RDWR, 0)
		if err != nil {
			p.t.Fatal(err)
		}
		b, rerr := os.ReadFile(p.path + suffix)
		if err := errors.Join(rerr, f.Sync(), f.Close()); err != nil {
			p.t.Fatal(err)
		}
		p.durable[suffix] = b
	}
}

// cut writes what the disk may hold now, after a commit, to another place.
func (p *power) cut(left string, last committed) {
	p.t.Helper()
	keep := []float64{0, 0, 0.5, 0.9}[p.rng.IntN(4)] // of unsynced pages
	there := map[string]bool{}
	for _, suffix := range p.files() {
		there[suffix] = true
		now := p.image(suffix, keep, last)
		if err := os.WriteFile(left+suffix, now, 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
	if !there[".wal"] {
		p.without++
	}
	for suffix, b := range p.durable { // removed since: is the removal on the disk?
		if !there[suffix] && p.rng.IntN(2) == 0 {
			if err := os.WriteFile(left+suffix, b, 0o600); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// image is a file with some of the pages that are not on the disk as they
// were before.
func (p *power) image(suffix string, keep float64, last committed) []byte {
	p.t.Helper()
	f, err := os.Open(p.path + suffix)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	now, err := os.ReadFile(p.path + suffix)
	if err != nil {
		p.t.Fatal(err)
	}
	st, err := f.Stat()
	if err != nil {
		p.t.Fatal(err)
	}
	// The page in which the last commit ended may have been made unsynced by the next one: what
	// the commit left of it is on the disk. Every page before it must be clean.
	synced := 0
	if suffix == ".wal" && inode(st) == last.log {
		synced = min(last.size, len(now))
	}
	page := os.Getpagesize()
	dirty := 0
	for at := 0; at < len(now); at += page {
		var stat unix.Cachestat_t
		p.ask(f, unix.CachestatRange{Off: uint64(at), Len: uint64(page)}, &stat)
		if stat.Dirty == 0 && stat.Writeback == 0 {
			continue
		}
		dirty++
		if p.rng.Float64() < keep {
			continue
		}
		from, end := at, min(at+page, len(now))
		if synced > at && synced < end {
			from = synced
		}
		p.lost++
		clear(now[from:end])
		if old := p.durable[suffix]; from < len(old) {
			copy(now[from:end], old[from:])
		}
	}
	p.dirty += dirty
	if dirty > 0 {
		if suffix == "" {
			p.file++
		} else {
			p.log++
		}
	}
	return now
}
