package kafka_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/journal/kafka"
	"quipu/internal/store/journal/kafka/kafkatest"
)

// TestBrokers runs the specification against three brokers of Kafka, refuses topics that would lose records, and kills brokers while two nodes append.
func TestBrokers(t *testing.T) { //nolint:tparallel // the brokers are killed only in the last part
	t.Parallel()
	c := kafkatest.Start(t, "../../../..", 3)
	t.Run("suite", func(t *testing.T) { suite(t, c.Addrs(), 3, 3) })
	t.Run("settings", func(t *testing.T) { settings(t, c.Addrs()) })
	t.Run("existing", func(t *testing.T) { existing(t, c.Addrs()) })
	t.Run("brokers go away", func(t *testing.T) { goAway(t, c) })
}

// settings opens journals on topics that someone else made.
func settings(t *testing.T, addrs []string) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addrs...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	day, one, three, small := "86400000", "1", "3", "1000000"
	if _, err := admin.CreateTopic(t.Context(), 2, 3, map[string]*string{"retention.ms": &day, "min.insync.replicas": &one, "max.message.bytes": &small}, "forgets"); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.CreateTopic(t.Context(), 3, 1, nil, "single"); err != nil {
		t.Fatal(err)
	}
	for topic, want := range map[string][]string{
		"forgets": {"retention.ms is 86400000", "min.insync.replicas is 1, want at least 2", "max.message.bytes"},
		"single":  {"partition 0 has 1 replicas, want 3", "it has 3 partitions, not 2"},
	} {
		_, err := kafka.Open(t.Context(), kafka.Options{Client: []kgo.Opt{kgo.SeedBrokers(addrs...)}, Topic: topic, Partitions: 2, MaxAppend: 8 << 20})
		if err == nil {
			t.Errorf("topic %s is accepted", topic)
			continue
		}
		for _, text := range want {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("topic %s: %q is missing from: %v", topic, text, err)
			}
		}
	}
	// Stricter than asked is fine.
	keep := "-1"
	size, unclean := "33554432", "false"
	if _, err := admin.CreateTopic(t.Context(), 2, 3, map[string]*string{
		"retention.ms": &keep, "min.insync.replicas": &three, "max.message.bytes": &size,
		"unclean.leader.election.enable": &unclean,
	}, "strict"); err != nil {
		t.Fatal(err)
	}
	open(t, addrs, kafka.Options{Topic: "strict", Partitions: 2})
}

// goAway appends from two nodes while brokers are killed and come back: what was acknowledged is there once, at its place.
func goAway(t *testing.T, c *kafkatest.Cluster) {
	t.Helper()
	o := kafka.Options{Topic: "away", Partitions: 3, Timeout: time.Minute, MaxAppend: 1 << 20}
	nodes := []*kafka.Journal{open(t, c.Addrs(), o), open(t, c.Addrs(), o)}
	var (
		mu   sync.Mutex
		want = map[string]journal.Position{}
		wg   sync.WaitGroup
	)
	ctx, stop := context.WithCancel(t.Context())
	for w := range 6 {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				payload := fmt.Sprintf("%d/%d", w, i)
				at, err := nodes[w%2].Append(t.Context(), journal.Entries(uint64(w), []byte(payload))...) //nolint:contextcheck // ctx ends the loop, not what is under way
				if err != nil {
					t.Errorf("append: %v", err) // two of three replicas are there
					return
				}
				mu.Lock()
				want[payload] = at
				mu.Unlock()
			}
		})
	}
	for round := range 2 {
		settle(t, nodes[0], 30)
		c.Kill(round)
		settle(t, nodes[1], 30)
		c.Run(round)
		c.Await(round)
	}
	settle(t, nodes[0], 30)
	stop()
	wg.Wait()
	t.Logf("%d records acknowledged", len(want))
	for _, j := range append(nodes, open(t, c.Addrs(), o)) {
		for end := time.Now().Add(30 * time.Second); j.End().Total() < uint64(len(want)) && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond) // the other node's records are noticed
		}
		found := map[string]int{}
		for _, r := range journaltest.All(t, j, nil) {
			found[string(r.Payload)]++
			if at := want[string(r.Payload)]; at != (journal.Position{Partition: r.Partition, Offset: r.Offset}) {
				t.Errorf("%s is at %d of partition %d, was acknowledged at %v", r.Payload, r.Offset, r.Partition, at)
			}
		}
		for payload := range want {
			if found[payload] != 1 {
				t.Errorf("%s was acknowledged and is there %d times", payload, found[payload])
			}
		}
	}
}

// settle waits until a journal has some more records.
func settle(t *testing.T, j journal.Journal, more uint64) {
	t.Helper()
	for from, end := j.End().Total(), time.Now().Add(2*time.Minute); j.End().Total() < from+more; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing is appended any more")
		}
	}
}

// TestFull fills a partition to its bound, and goes on after a trim.
func TestFull(t *testing.T) {
	t.Parallel()
	j := open(t, fake(t), kafka.Options{Partitions: 1, MaxBytes: 4 << 20})
	payload := []byte(strings.Repeat("x", 1<<20))
	var n uint64
	for {
		at, err := j.Append(t.Context(), journal.Entries(0, payload)...)
		if errors.Is(err, journal.ErrFull) {
			break
		}
		if err != nil || at.Offset > 4 {
			t.Fatalf("append %d: %v", at.Offset, err)
		}
		n = at.Offset
	}
	if n != 4 {
		t.Errorf("full after %d MiB of 4", n)
	}
	if err := j.Trim(t.Context(), journal.Watermark{0: 2}); err != nil {
		t.Fatal(err)
	}
	if at, err := j.Append(t.Context(), journal.Entries(0, payload)...); err != nil || at.Offset != n+1 {
		t.Errorf("after a trim: offset %d (%v), want %d", at.Offset, err, n+1)
	}
}

// TestRefused opens journals with options that make no sense, and appends what cannot be kept.
func TestRefused(t *testing.T) {
	t.Parallel()
	addrs := fake(t)
	for name, o := range map[string]kafka.Options{
		"no partition":               {},
		"more in sync than replicas": {Partitions: 1, Replicas: 1, MinInSync: 2},
		"no time":                    {Partitions: 1, Timeout: time.Millisecond},
		"records of nothing":         {Partitions: 1, MaxAppend: -1},
	} {
		o.Client = []kgo.Opt{kgo.SeedBrokers(addrs...)}
		if j, err := kafka.Open(t.Context(), o); err == nil {
			_ = j.Close()
			t.Errorf("%s: accepted", name)
		}
	}
	j := open(t, addrs, kafka.Options{Partitions: 1, MaxAppend: 1000})
	if _, err := j.Append(t.Context(), journal.Entries(0, make([]byte, 1001))...); err == nil {
		t.Error("a record that is too large is accepted")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append(t.Context(), journal.Entries(0, []byte("x"))...); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("append to a closed journal: %v", err)
	}
}
