package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/store/journal/journaltest"
)

// acknowledged is what callers were told is stored.
type acknowledged struct {
	mu   sync.Mutex
	want map[string]journal.Position
}

func (a *acknowledged) add(payload string, at journal.Position) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.want == nil {
		a.want = map[string]journal.Position{}
	}
	a.want[payload] = at
}

// compare reads a journal and compares it with what was acknowledged: each once, where it was said to be.
func (a *acknowledged) compare(t *testing.T, j journal.Journal) {
	t.Helper()
	found := map[string]int{}
	for _, r := range journaltest.All(t, j, nil) {
		found[string(r.Payload)]++
		if at, ok := a.want[string(r.Payload)]; ok && (at != journal.Position{Partition: r.Partition, Offset: r.Offset}) {
			t.Errorf("%s is at %d of partition %d, was acknowledged at %v", r.Payload, r.Offset, r.Partition, at)
		}
	}
	for payload := range a.want {
		if found[payload] != 1 {
			t.Errorf("%s was acknowledged and is there %d times", payload, found[payload])
		}
	}
	for payload, n := range found {
		if n != 1 {
			t.Errorf("%s is there %d times", payload, n)
		}
	}
}

// TestServersGoAway appends from two nodes while the leader of a stream and other servers stop and come back.
func TestServersGoAway(t *testing.T) {
	t.Parallel()
	c := natstest.Start(t, natstest.Options{Servers: 3})
	o := jetstream.Options{Partitions: 2, Timeout: 40 * time.Second}
	nodes := []*jetstream.Journal{open(t, c.Connect(), o), open(t, c.Connect(), o)}
	var done acknowledged
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				payload := fmt.Sprintf("%d/%d", w, i)
				at, err := nodes[w%2].Append(t.Context(), journal.Entries(uint64(w), []byte(payload))...) //nolint:contextcheck // ctx ends the loop, not what is under way
				if err != nil {
					t.Errorf("append: %v", err) // one server of three is away at a time
					return
				}
				done.add(payload, at)
			}
		})
	}
	for round := range 4 {
		at := round % 3
		if leader := c.Leader("quipu-journal-0"); round%2 == 0 && leader >= 0 {
			at = leader
		}
		c.Stop(at)
		if round == 0 { // a node that starts meanwhile does
			if err := jetstream.CheckServers(t.Context(), c.Operate(), 2); err != nil {
				t.Error(err)
			}
			open(t, c.Connect(), o)
		}
		settle(t, nodes[0], 20)
		c.Run(at)
		settle(t, nodes[1], 20)
	}
	stop()
	wg.Wait()
	t.Logf("%d records acknowledged", len(done.want))
	for _, j := range append(nodes, open(t, c.Connect(), o)) {
		for end := time.Now().Add(30 * time.Second); j.End().Total() < uint64(len(done.want)) && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond) // the other node's frames arrive
		}
		done.compare(t, j)
	}
}

// settle waits until a journal has some more records.
func settle(t *testing.T, j journal.Journal, more uint64) {
	t.Helper()
	for from, end := j.End().Total(), time.Now().Add(60*time.Second); j.End().Total() < from+more; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing is appended any more")
		}
	}
}

// TestTwoNodes appends, reads and trims at two nodes: both have the same offsets, and so has a third that starts later.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	c := natstest.Start(t, natstest.Options{})
	o := jetstream.Options{Partitions: 2, Replicas: 1}
	a, b := open(t, c.Connect(), o), open(t, c.Connect(), o)
	var wg sync.WaitGroup
	const each = 600
	var done acknowledged
	for w, j := range []*jetstream.Journal{a, b, a, b} {
		wg.Go(func() {
			for i := range each {
				payload := fmt.Sprintf("%d/%d/%s", w, i, strings.Repeat("x", 2000))
				at, err := j.Append(t.Context(), journal.Entries(uint64(w/2), []byte(payload))...)
				if err != nil {
					t.Errorf("append: %v", err)
					return
				}
				done.add(payload, at)
			}
		})
	}
	wg.Wait()
	want := journal.Watermark{0: 2 * each, 1: 2 * each}
	for _, j := range []*jetstream.Journal{a, b} {
		for p, end := range want {
			if err := j.Wait(t.Context(), journal.Watermark{p: end - 1, 1 - p: 1 << 40}); err != nil {
				t.Fatal(err)
			}
		}
		done.compare(t, j)
	}
	for _, through := range []uint64{each, each + 1, 2*each - 1} {
		if err := a.Trim(t.Context(), journal.Watermark{0: through, 1: through}); err != nil {
			t.Fatal(err)
		}
		if err := b.Trim(t.Context(), journal.Watermark{0: through, 1: through - 7}); err != nil {
			t.Fatal(err)
		}
		for _, j := range []*jetstream.Journal{a, b, open(t, c.Connect(), o)} {
			got := journaltest.All(t, j, journal.Watermark{0: through, 1: through})
			if len(got) != int(2*(2*each-through)) {
				t.Errorf("%d records after %d, want %d", len(got), through, 2*(2*each-through))
			}
			for _, r := range got {
				if at := done.want[string(r.Payload)]; at.Offset != r.Offset || at.Partition != r.Partition {
					t.Fatalf("a record of %v is at %d/%d after trims", at, r.Partition, r.Offset)
				}
			}
		}
	}
}

// TestFull fills a partition to its bound, and goes on after a trim.
func TestFull(t *testing.T) {
	t.Parallel()
	c := natstest.Start(t, natstest.Options{})
	j := open(t, c.Connect(), jetstream.Options{Partitions: 1, Replicas: 1, MaxBytes: 16 << 20})
	payload := []byte(strings.Repeat("x", 1<<20))
	var n uint64
	for {
		at, err := j.Append(t.Context(), journal.Entries(0, payload)...)
		if errors.Is(err, journal.ErrFull) {
			break
		}
		if err != nil || at.Offset > 17 {
			t.Fatalf("append %d: %v", at.Offset, err)
		}
		n = at.Offset
	}
	if n < 14 {
		t.Errorf("full after %d MiB of 16", n)
	}
	if err := j.Trim(t.Context(), journal.Watermark{0: 3}); err != nil {
		t.Fatal(err)
	}
	at, err := j.Append(t.Context(), journal.Entries(0, payload)...)
	if err != nil || at.Offset != n+1 {
		t.Errorf("after a trim: offset %d (%v), want %d", at.Offset, err, n+1)
	}
}

// TestServersAway appends while no server answers: it fails in time, and what was not sent is not stored later.
func TestServersAway(t *testing.T) {
	t.Parallel()
	c := natstest.Start(t, natstest.Options{})
	j := open(t, c.Connect(), jetstream.Options{Partitions: 1, Replicas: 1, Timeout: 3 * time.Second})
	if _, err := j.Append(t.Context(), journal.Entries(0, []byte("before"))...); err != nil {
		t.Fatal(err)
	}
	c.Stop(0)
	failed := make(chan error)
	go func() {
		_, err := j.Append(t.Context(), journal.Entries(0, []byte("while away"))...)
		failed <- err
	}()
	if err := <-failed; !errors.Is(err, journal.ErrFailed) {
		t.Errorf("append without servers: %v, want ErrFailed", err)
	}
	c.Run(0)
	at, err := j.Append(t.Context(), journal.Entries(0, []byte("after"))...)
	if err != nil {
		t.Fatal(err)
	}
	got := journaltest.All(t, j, nil)
	if len(got) < 2 || string(got[0].Payload) != "before" || string(got[len(got)-1].Payload) != "after" || got[len(got)-1].Offset != at.Offset {
		t.Errorf("%d records, the last at %v", len(got), at)
	}
}

// TestForeignMessage puts into the stream what is no frame: it counts as no record, and what follows keeps its numbers.
func TestForeignMessage(t *testing.T) {
	t.Parallel()
	c := natstest.Start(t, natstest.Options{})
	o := jetstream.Options{Partitions: 1, Replicas: 1}
	nc := c.Connect()
	j := open(t, nc, o)
	for i := range 3 {
		if i == 1 {
			if _, err := nc.Request("quipu.journal.0", []byte("not a frame"), 5*time.Second); err != nil {
				t.Fatal(err)
			}
		}
		if at, err := j.Append(t.Context(), journal.Entries(0, fmt.Append(nil, i))...); err != nil || at.Offset != uint64(i)+1 {
			t.Fatalf("append %d: at %v, %v", i, at, err)
		}
	}
	for _, j := range []*jetstream.Journal{j, open(t, c.Connect(), o)} {
		got := journaltest.All(t, j, nil)
		if len(got) != 3 {
			t.Errorf("%d records, want 3", len(got))
		}
		for i, r := range got {
			if string(r.Payload) != fmt.Sprint(i) || r.Offset != uint64(i)+1 {
				t.Errorf("record %d is %q at %d", i, r.Payload, r.Offset)
			}
		}
	}
}

// TestRefused opens journals on servers, and with options, that would not keep what they promise.
func TestRefused(t *testing.T) {
	t.Parallel()
	small := natstest.Start(t, natstest.Options{MaxPayload: 1 << 20, Lazy: true})
	if _, err := jetstream.Open(t.Context(), small.Connect(), jetstream.Options{Partitions: 1, Replicas: 1, MaxAppend: 16 << 20}); err == nil || !strings.Contains(err.Error(), "max_payload") {
		t.Errorf("servers that take small messages: %v", err)
	}
	if err := jetstream.CheckServers(t.Context(), small.Operate(), 1); err == nil || !strings.Contains(err.Error(), "sync_interval: always") {
		t.Errorf("a server that acknowledges before it syncs: %v", err)
	}
	c := natstest.Start(t, natstest.Options{})
	if err := jetstream.CheckServers(t.Context(), c.Operate(), 1); err != nil {
		t.Errorf("a server that syncs: %v", err)
	}
	if err := jetstream.CheckServers(t.Context(), c.Operate(), 3); err == nil || !strings.Contains(err.Error(), "3 are needed") {
		t.Errorf("one server of three: %v", err)
	}
	nc := c.Connect()
	j := open(t, nc, jetstream.Options{Partitions: 2, Replicas: 1})
	for name, o := range map[string]jetstream.Options{
		"another number of partitions":  {Partitions: 3, Replicas: 1},
		"no partition":                  {Replicas: 1},
		"two replicas":                  {Partitions: 2, Replicas: 2},
		"more replicas than servers":    {Partitions: 2, Replicas: 3},
		"a bound below what trims free": {Partitions: 2, Replicas: 1, MaxBytes: 1000},
	} {
		if j, err := jetstream.Open(t.Context(), nc, o); err == nil {
			_ = j.Close()
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := j.Append(t.Context(), journal.Entries(0, make([]byte, 17<<20))...); err == nil {
		t.Error("an append larger than a message is accepted")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append(t.Context(), journal.Entries(0, []byte("x"))...); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("append to a closed journal: %v", err)
	}
}
