package kafka_test

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"quipu/internal/store/journal/kafka"
)

// TestPlan lists the topic while it is missing, makes nothing, and lists nothing once it is there.
func TestPlan(t *testing.T) {
	t.Parallel()
	addrs := fake(t)
	o := kafka.Options{Client: []kgo.Opt{kgo.SeedBrokers(addrs...)}, Topic: "planned", Partitions: 3, Replicas: 1, MinInSync: 1}
	for range 2 {
		list, err := kafka.Plan(t.Context(), o)
		if err != nil || len(list) != 1 || list[0] != "make the topic planned with 3 partitions and 1 replicas" {
			t.Fatalf("%q, %v", list, err)
		}
	}
	j := open(t, addrs, o)
	if list, err := kafka.Plan(t.Context(), o); err != nil || len(list) != 0 {
		t.Errorf("%q, %v", list, err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	o.Partitions = 0
	if _, err := kafka.Plan(t.Context(), o); err == nil {
		t.Error("no partitions are planned")
	}
}
