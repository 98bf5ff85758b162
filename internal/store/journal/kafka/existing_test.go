package kafka_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/journal/kafka"
)

// TestExistingFake runs existing against fake brokers.
func TestExistingFake(t *testing.T) {
	t.Parallel()
	existing(t, fake(t))
}

// existing reads, follows and trims a topic that stays as it is, and refuses one that is not there.
func existing(t *testing.T, addrs []string) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addrs...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	const topic = "existing"
	refused := func(what string, partitions int, want string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		j, err := kafka.Open(ctx, kafka.Options{Client: []kgo.Opt{kgo.SeedBrokers(addrs...)}, Topic: topic, Partitions: partitions, Existing: true})
		if err == nil {
			t.Errorf("%s: it is opened", what)
			_ = j.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q is not in %v", what, want, err)
		}
	}
	refused("no topic", 2, "the brokers have no topic "+topic)
	topics, err := admin.ListTopics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if topics.Has(topic) {
		t.Error("the topic was made")
	}
	// As no node would accept it: what was written under such settings is taken nevertheless.
	week := "604800000"
	if _, err := admin.CreateTopic(t.Context(), 2, 1, map[string]*string{"retention.ms": &week}, topic); err != nil {
		t.Fatal(err)
	}
	producer, err := kgo.NewClient(kgo.SeedBrokers(addrs...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	add := func(payload string, n int) {
		t.Helper()
		var list []*kgo.Record
		for i := range 2 * n {
			list = append(list, &kgo.Record{Topic: topic, Partition: int32(i % 2), Value: []byte(payload)}) // 0 or 1
		}
		if err := producer.ProduceSync(t.Context(), list...).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	ends := func(j journal.Journal, total uint64) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); j.End().Total() < total; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("it ends at %v", j.End())
			}
		}
	}
	add("before", 1)
	o := kafka.Options{Topic: topic, Partitions: 2, Existing: true}
	j := open(t, addrs, o)
	if _, err := j.Append(t.Context(), journal.Entries(0, []byte("x"))...); err == nil {
		t.Error("it appends")
	}
	from := j.End()
	add("after", 1)
	if err := j.Wait(t.Context(), from); err != nil {
		t.Error(err)
	}
	ends(j, 4)
	var got []string
	for _, r := range journaltest.All(t, j, from) {
		got = append(got, string(r.Payload))
	}
	if diff := cmp.Diff([]string{"after", "after"}, got); diff != "" {
		t.Error(diff)
	}
	add("enough for a trim", 5000)
	ends(j, 10_004)
	if err := j.Trim(t.Context(), j.End()); err != nil {
		t.Fatal(err)
	}
	again := open(t, addrs, o)
	if left := journaltest.All(t, again, nil); len(left) != 0 || again.End().Total() != 10_004 {
		t.Errorf("after a trim: %d records, ends at %v", len(left), again.End())
	}
	described, err := admin.DescribeTopicConfigs(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range described[0].Configs {
		if c.Key == "retention.ms" && c.MaybeValue() != week {
			t.Errorf("retention.ms became %s", c.MaybeValue())
		}
	}
	refused("another number of partitions", 3, "it has 2 partitions, not 3")
}
