package kafka_test

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/journal/kafka"
)

// open opens a journal, which the end of the test closes.
func open(t *testing.T, addrs []string, o kafka.Options) *kafka.Journal {
	t.Helper()
	if o.MaxAppend == 0 {
		o.MaxAppend = 16 << 20
	}
	o.Client = []kgo.Opt{kgo.SeedBrokers(addrs...)}
	j, err := kafka.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func suite(t *testing.T, addrs []string, partitions, replicas int) {
	t.Helper()
	serial := 0
	journaltest.Run(t, func(t *testing.T) (journal.Journal, func() journal.Journal) {
		t.Helper()
		serial++
		o := kafka.Options{Topic: fmt.Sprintf("p%d-%d", partitions, serial), Partitions: partitions, Replicas: replicas}
		j := open(t, addrs, o)
		return j, func() journal.Journal {
			if err := j.Close(); err != nil {
				t.Error(err)
			}
			j = open(t, addrs, o)
			return j
		}
	}, journaltest.SizeWithin(1<<20))
}

// fake returns the addresses of three of franz-go's fake brokers, which the end of the test stops.
func fake(t *testing.T) []string {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(3))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.ListenAddrs()
}

// TestSuiteFake runs the specification against fake brokers, which need no Java.
func TestSuiteFake(t *testing.T) {
	t.Parallel()
	suite(t, fake(t), 3, 3)
}
