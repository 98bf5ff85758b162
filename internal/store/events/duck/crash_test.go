package duck_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/journal"
)

// childEnv makes the test binary do one of the children's jobs, on the file in
// the variable with the suffix _PATH.
const childEnv = "QUIPU_DUCK_TEST_CHILD"

var children = map[string]func(s *duck.Store, out io.Writer) error{
	"commit": commitForever,
	"hold":   hold,
	"full":   fullDisk,
}

func TestMain(m *testing.M) {
	job, ok := children[os.Getenv(childEnv)]
	if !ok {
		os.Exit(m.Run())
	}
	s, err := duck.Open(context.Background(), duck.Options{Path: os.Getenv(childEnv + "_PATH"), Threads: 2, CheckpointBytes: 2 << 20, OwnRows: 4000})
	if err == nil {
		err = job(s, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stdout, "error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child is a process that does a job.
type child struct {
	cmd   *exec.Cmd
	in    io.Closer
	lines *bufio.Scanner
}

func start(t *testing.T, job, path string) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.CommandContext(context.Background(), exe)}
	c.cmd.Env = append(os.Environ(), childEnv+"="+job, childEnv+"_PATH="+path)
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.kill() })
	return c
}

// line returns the child's next line; "" at the end.
func (c *child) line(t *testing.T) string {
	t.Helper()
	c.lines.Scan()
	s := c.lines.Text()
	if strings.HasPrefix(s, "error:") {
		t.Fatalf("child: %s", s)
	}
	return s
}

// kill ends the child as a power cut would, as far as a process can tell.
func (c *child) kill() {
	_ = c.cmd.Process.Kill() // it may have ended
	_ = c.cmd.Wait()
}

// crashBatch is the batch at an offset: its size and users follow from the offset.
func crashBatch(off uint64) *events.Batch {
	n := size(off)
	b := batch(off, n, app)
	ab := b.Apps[app]
	ab.Users = ab.Users[:min(n, 20)]
	for _, p := range ab.Users {
		p.Sessions = int64(off)
	}
	if off%10 == 0 { // another table set appears now and then
		id := model.ID{8, byte(off / 10)}
		b.Apps[id] = &events.AppBatch{Rows: []events.Row{{Offset: off, Key: "k"}}}
	}
	return b
}

func size(off uint64) int { return 1 + int(off*off%7)*int(off%11)*20 }

func commitForever(s *duck.Store, out io.Writer) error {
	w, err := s.Watermark(context.Background())
	if err != nil {
		return err
	}
	for off := w[0] + 1; ; off++ {
		if err := s.Commit(context.Background(), crashBatch(off)); err != nil {
			return err
		}
		// Nothing else commits, so the log ends with this batch, or was taken into the file.
		c := committed{offset: off}
		if st, err := os.Stat(os.Getenv(childEnv+"_PATH") + ".wal"); err == nil {
			c.log, c.size = inode(st), int(st.Size())
		}
		if _, err := fmt.Fprintln(out, c.offset, c.log, c.size); err != nil {
			return err
		}
	}
}

// committed is what a child tells when a commit has returned.
type committed struct {
	offset uint64 // of the batch
	log    uint64 // the log's inode; 0 when there is none
	size   int    // the log's bytes
}

func parseCommitted(line string) (committed, error) {
	var c committed
	_, err := fmt.Sscan(line, &c.offset, &c.log, &c.size)
	return c, err
}

// inode tells files of one name apart.
func inode(st os.FileInfo) uint64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return sys.Ino
	}
	return 0
}

// whole checks that the store holds exactly the batches up to its watermark.
func whole(t *testing.T, s *duck.Store) uint64 {
	t.Helper()
	ctx := context.Background()
	w, err := s.Watermark(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"{events}", "{requests}", "{states}"} {
		key := "item"
		if table == "{states}" {
			key = "state"
		}
		next := uint64(1)
		statement := "SELECT off, count(*), count(DISTINCT " + key + ") FROM " + table + " GROUP BY off ORDER BY off"
		err := s.Query(ctx, app, statement, nil, func(r events.Scanner) error {
			var (
				off         uint64
				n, distinct int
			)
			if err := r.Scan(&off, &n, &distinct); err != nil {
				return err
			}
			if off != next || n != size(off) || distinct != n {
				return fmt.Errorf("%s has %d rows, %d distinct, of batch %d; want %d of batch %d", table, n, distinct, off, size(next), next)
			}
			next++
			return nil
		})
		if err != nil && (!errors.Is(err, events.ErrNoApp) || w[0] > 0) {
			t.Fatal(err)
		}
		if next != w[0]+1 {
			t.Fatalf("%s ends at batch %d, the watermark is %d", table, next-1, w[0])
		}
	}
	var last int64
	err = s.Query(ctx, app, "SELECT count(*) FROM {users} WHERE sc = ?", []any{w[0]}, func(row events.Scanner) error { return row.Scan(&last) })
	if w[0] > 0 && (err != nil || last != int64(min(size(w[0]), 20))) {
		t.Fatalf("%d users are of the last batch %d, %v", last, w[0], err)
	}
	return w[0]
}

// TestCrash kills a process that commits, again and again.
func TestCrash(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "events.duckdb")
	var last uint64
	for round := range 10 {
		c := start(t, "commit", path)
		acked := last
		for range r.IntN(30) {
			done, err := parseCommitted(c.line(t))
			if err != nil {
				t.Fatal(err)
			}
			acked = done.offset
		}
		c.kill()
		s := open(t, duck.Options{Path: path})
		last = whole(t, s)
		if last < acked {
			t.Fatalf("round %d: batch %d was committed, after the crash the watermark is %d", round, acked, last)
		}
		for off := max(last, 3) - 2; off <= last; off++ {
			eventstest.Commit(t, s, crashBatch(off))
		}
		if got := whole(t, s); got != last {
			t.Fatalf("round %d: repeating batches moved the watermark from %d to %d", round, last, got)
		}
		if round%2 == 0 { // or leave the log to the next process
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := duck.Abandon(s); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d batches", last)
}

// TestTornLog opens files whose log ends in the middle, as after a power cut.
func TestTornLog(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	path := filepath.Join(dir, "events.duckdb")
	c := start(t, "commit", path)
	for range 25 {
		c.line(t)
	}
	c.kill()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + ".wal")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		n := len(log) - 1 - r.IntN(min(len(log)-1, 1<<(2*i)))
		torn := filepath.Join(dir, fmt.Sprint("torn", i, ".duckdb"))
		if err := errors.Join(os.WriteFile(torn, file, 0o600), os.WriteFile(torn+".wal", log[:n], 0o600)); err != nil {
			t.Fatal(err)
		}
		s, err := duck.Open(context.Background(), duck.Options{Path: torn, Threads: 2})
		if err != nil {
			t.Fatalf("log of %d bytes cut at %d: %v", len(log), n, err)
		}
		last := whole(t, s)
		eventstest.Commit(t, s, crashBatch(last+1))
		whole(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPowerCut damages what of the log was not yet synced, page by page.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	path := filepath.Join(dir, "events.duckdb")
	s := open(t, duck.Options{Path: path})
	var synced, log []byte
	const held = 12
	for off := uint64(1); off <= held+1; off++ { // the last batch is not synced
		synced = log
		eventstest.Commit(t, s, crashBatch(off))
		var err error
		if log, err = os.ReadFile(path + ".wal"); err != nil {
			t.Fatal(err)
		}
	}
	if err := duck.Abandon(s); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const sector = 512
	for i := range 15 {
		torn := append([]byte(nil), log...)
		for at := len(synced); at < len(torn); at += sector {
			if r.IntN(3) == 0 {
				clear(torn[at:min(at+sector, len(torn))])
			}
		}
		torn = append(torn, make([]byte, r.IntN(2)*r.IntN(5000))...)
		p := filepath.Join(dir, fmt.Sprint("torn", i, ".duckdb"))
		if err := errors.Join(os.WriteFile(p, file, 0o600), os.WriteFile(p+".wal", torn, 0o600)); err != nil {
			t.Fatal(err)
		}
		s := open(t, duck.Options{Path: p, Held: eventstest.At(held)})
		last := whole(t, s)
		if last < held {
			t.Fatalf("the watermark is %d, want %d", last, held)
		}
		eventstest.Commit(t, s, crashBatch(last+1))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, duck.Options{Path: p})
		if whole(t, s) != last+1 {
			t.Fatal("what was committed after the cut is lost")
		}
	}
	// Damage to what was synced is reported, and the files stay as they were.
	torn := append([]byte(nil), log...)
	torn[len(synced)/2] ^= 0x55
	p := filepath.Join(dir, "flipped.duckdb")
	if err := errors.Join(os.WriteFile(p, file, 0o600), os.WriteFile(p+".wal", torn, 0o600)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, held := range []journal.Watermark{nil, eventstest.At(held)} {
			if s, err := duck.Open(context.Background(), duck.Options{Path: p, Held: held}); !errors.Is(err, duck.ErrCorrupt) {
				t.Fatalf("damaged log opens with held %v: %v, %v", held, s, err)
			}
		}
	}
	for name, want := range map[string][]byte{p: file, p + ".wal": torn} {
		got, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s was changed, %v", name, err)
		}
	}
}

func hold(_ *duck.Store, out io.Writer) error {
	if _, err := fmt.Fprintln(out, "open"); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

func TestLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "events.duckdb")
	c := start(t, "hold", path)
	if got := c.line(t); got != "open" {
		t.Fatalf("child says %q", got)
	}
	if s, err := duck.Open(context.Background(), duck.Options{Path: path}); !errors.Is(err, duck.ErrLocked) {
		t.Fatalf("open of a file in use: %v, %v", s, err)
	}
	c.kill()
	open(t, duck.Options{Path: path})
}

// fullDisk lets writes fail from a size of the log on, as on a full disk.
func fullDisk(s *duck.Store, out io.Writer) error {
	ctx := context.Background()
	signal.Ignore(syscall.SIGXFSZ)
	for off := uint64(1); off <= 3; off++ {
		if err := s.Commit(ctx, batch(off, 100, app)); err != nil {
			return err
		}
	}
	st, err := os.Stat(os.Getenv(childEnv+"_PATH") + ".wal")
	if err != nil {
		return err
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	less := syscall.Rlimit{Cur: uint64(st.Size()) + 10_000, Max: old.Max}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &less); err != nil {
		return err
	}
	for range 3 {
		if err := s.Commit(ctx, batch(4, 100, app, model.ID{4})); err == nil {
			return errors.New("a commit to a full disk succeeds")
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	for off := uint64(4); off <= 5; off++ {
		if err := s.Commit(ctx, batch(off, 100, app, model.ID{4})); err != nil {
			return fmt.Errorf("when there is room again: %w", err)
		}
	}
	if _, err := fmt.Fprintln(out, "done"); err != nil {
		return err
	}
	return s.Close()
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "events.duckdb")
	c := start(t, "full", path)
	if got := c.line(t); got != "done" {
		t.Fatalf("child says %q", got)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	s := open(t, duck.Options{Path: path})
	exactly(t, s, app, 5, 100)
}
