package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/selftest/cluster"
	"quipu/internal/testkit/clustered"
)

// killed are the servers of a cluster's stores, which a trial kills without notice and starts again: one of NATS is the leader of some partition at that moment.
func killed(s *clustered.Apart) []cluster.Server {
	nats := func(name string, choose func() (int, error)) cluster.Server {
		which := -1
		return cluster.Server{Name: name, Stop: func(context.Context) (err error) {
			if which, err = choose(); err != nil {
				return err
			}
			return s.NATS.Kill(which)
		}, Start: func(context.Context) error { return s.NATS.Again(which) }}
	}
	return []cluster.Server{
		{Name: "postgres", Stop: func(context.Context) error { return s.Postgres.Kill() }, Start: func(context.Context) error { return s.Postgres.Again() }},
		{Name: "clickhouse", Stop: func(context.Context) error { return s.ClickHouse.Kill() }, Start: func(context.Context) error { return s.ClickHouse.Run() }},
		nats("nats", func() (int, error) { return rand.IntN(3), nil }),
		nats("nats-leader", func() (int, error) {
			list, err := s.NATS.Streams("quipu_selftest_")
			if err != nil {
				return 0, err
			}
			if n := s.NATS.Leader(list[rand.IntN(len(list))]); n >= 0 {
				return n, nil
			}
			return 0, errors.New("no server leads the stream")
		}),
	}
}

// number is that of a variable of the environment, or another.
func number(t *testing.T, variable string, other int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return other
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// TestSelftestCluster disturbs a cluster of this binary and kills the servers that it stands on. The variables SELFTEST_REQUESTS, SELFTEST_ROUNDS and SELFTEST_FAULTS
// make it longer, or another one; SELFTEST_SEED repeats one.
func TestSelftestCluster(t *testing.T) {
	stores := clustered.NewApart(t)
	seed := rand.Uint64()
	if text := os.Getenv("SELFTEST_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	faults := []string{"kill", "halt", "answers-postgres", "server-postgres", "server-clickhouse", "server-nats-leader"}
	if text, ok := os.LookupEnv("SELFTEST_FAULTS"); ok {
		faults = strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	}
	requests := number(t, "SELFTEST_REQUESTS", 5000)
	_, err := cluster.Run(t.Context(), cluster.Options{
		Cluster: stores.File, Program: os.Args[0], Env: []string{asQuipu + "=1"}, Dir: os.Getenv("SELFTEST_DIR"), Short: requests < 100_000, Seed: seed,
		Apps: 8, Clients: 16, Requests: requests, Rounds: number(t, "SELFTEST_ROUNDS", 0), Faults: faults, Servers: killed(stores), Out: t.Output(), Now: time.Now,
	})
	if err != nil {
		t.Errorf("%v (SELFTEST_SEED=%d)", err, seed)
	}
}
