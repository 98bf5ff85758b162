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
	for want, plant := range map[string]func(*cluster.Sample){
		"":                                      func(*cluster.Sample) {},
		"request 7 of app 0":                    func(s *cluster.Sample) { s.Lose(7) },
		"has 1 of 2 rows":                       func(s *cluster.Sample) { s.LoseOne() },
		"request 3 is counted twice":            func(s *cluster.Sample) { s.Repeat(3, true) },
		"request 3 of app 0 has":                func(s *cluster.Sample) { s.Repeat(3, false) },
		"request 5 is in app 0 as event other":  func(s *cluster.Sample) { s.Move(5) },
		"requests: cells say 101":               func(s *cluster.Sample) { s.Counted.Figure("requests", int64(101)) },
		"events: cells say":                     func(s *cluster.Sample) { s.Counted.Figure("count of load", int64(1)) },
		"sum of events: cells say":              func(s *cluster.Sample) { s.Counted.Figure("sum of load", 0.25) },
		"101 requests were dropped":             func(s *cluster.Sample) { s.Counted.Drop(101) },
		"1 requests ended as":                   func(s *cluster.Sample) { s.Counted.Refuse(1) },
		"accepted requests: cells say":          func(s *cluster.Sample) { s.Lose(7) },
		"seconds: the server with its own":      func(s *cluster.Sample) { s.Own.Figure("seconds", 2.5) },
		"user of device: the server with":       func(s *cluster.Sample) { s.Counted.User(4) },
		"user of device: the server with its o": func(s *cluster.Sample) { s.Counted.Forget() },
	} {
		s := cluster.NewSample(t.Context(), cluster.Options{Seed: 1, Out: t.Output(), Now: time.Now})
		plant(s)
		got := strings.Join(s.Compare(), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
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
