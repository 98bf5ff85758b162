package jetstream_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/store/journal/journaltest"
)

// open opens a journal, which the end of the test closes.
func open(t *testing.T, nc *nats.Conn, o jetstream.Options) *jetstream.Journal {
	t.Helper()
	if o.MaxAppend == 0 {
		o.MaxAppend = 16 << 20
	}
	j, err := jetstream.Open(t.Context(), nc, o)
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

// TestSuite runs the specification on one server with one partition and with several, and on three servers.
func TestSuite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ servers, partitions int }{{1, 1}, {1, 3}, {3, 2}} {
		t.Run(fmt.Sprintf("servers=%d,partitions=%d", tt.servers, tt.partitions), func(t *testing.T) {
			t.Parallel()
			c := natstest.Start(t, natstest.Options{Servers: tt.servers})
			serial := 0
			journaltest.Run(t, func(t *testing.T) (journal.Journal, func() journal.Journal) {
				t.Helper()
				serial++
				nc := c.Connect()
				o := jetstream.Options{Prefix: fmt.Sprintf("q%d", serial), Partitions: tt.partitions, Replicas: tt.servers, Timeout: 30 * time.Second}
				j := open(t, nc, o)
				return j, func() journal.Journal {
					if err := j.Close(); err != nil {
						t.Error(err)
					}
					j = open(t, nc, o)
					return j
				}
			}, journaltest.SizeWithin(1000))
		})
	}
}
