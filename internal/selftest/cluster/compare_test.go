package cluster_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"quipu/internal/selftest/cluster"
)

// TestComparison finds what is planted: losses, duplicates and differences, and nothing where there is none.
func TestComparison(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		plant func(*cluster.Sample)
		want  string // part of a fault, "" = there is none
	}{
		{"nothing", func(*cluster.Sample) {}, ""},
		{"a lost request", func(s *cluster.Sample) { s.Lose(7) }, "request 7 of app 0"},
		{"a lost request in figures", func(s *cluster.Sample) { s.Lose(7) }, "accepted requests: cells say"},
		{"a lost row", func(s *cluster.Sample) { s.LoseOne() }, "has 1 of 2 rows"},
		{"a request in two records", func(s *cluster.Sample) { s.Repeat(3, true) }, "request 3 is counted twice"},
		{"rows twice", func(s *cluster.Sample) { s.Repeat(3, false) }, "request 3 of app 0 has"},
		{"another event", func(s *cluster.Sample) { s.Move(5) }, "request 5 is in app 0 as event other"},
		{"count of requests", func(s *cluster.Sample) { s.Counted.Figure("requests", int64(101)) }, "requests: cells say 101"},
		{"count of events", func(s *cluster.Sample) { s.Counted.Figure("count of load", int64(1)) }, "events: cells say"},
		{"sum of events", func(s *cluster.Sample) { s.Counted.Figure("sum of load", 0.25) }, "sum of events: cells say"},
		{"too many duplicates", func(s *cluster.Sample) { s.Counted.Drop(101) }, "101 requests were dropped"},
		{"another outcome", func(s *cluster.Sample) { s.Counted.Refuse(1) }, "1 requests ended as"},
		{"a figure of own stores", func(s *cluster.Sample) { s.Own.Figure("seconds", 2.5) }, "seconds: the server with its own"},
		{"another user", func(s *cluster.Sample) { s.Counted.User(4) }, "user of device: the server with its own"},
		{"a missing user", func(s *cluster.Sample) { s.Counted.Forget() }, "user of device: the server with its own"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := cluster.NewSample(t.Context(), cluster.Options{Seed: 1, Out: t.Output(), Now: time.Now})
			tt.plant(s)
			got := strings.Join(s.Compare(), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("want %q, got %q", tt.want, got)
			}
		})
	}
}

// TestGivenUp has a run that was given up report no faults.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := cluster.NewSample(ctx, cluster.Options{Seed: 1, Out: t.Output(), Now: time.Now})
	s.Lose(7)
	cancel()
	if got := s.Compare(); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}
