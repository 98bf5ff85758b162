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
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/journal/kafka/kafkatest"
	"quipu/internal/store/pgtest"
	"quipu/internal/testkit/clustered"
)

// killing is a server that is killed without notice and started again.
func killing(name string, kill, again func() error) cluster.Server {
	return cluster.Server{Name: name, Stop: func(context.Context) error { return kill() }, Start: func(context.Context) error { return again() }}
}

// killed are the servers of a cluster's stores; one of NATS is the leader of some partition at that moment.
func killed(s *clustered.Apart) []cluster.Server {
	nats := func(name string, choose func() (int, error)) cluster.Server {
		which := -1
		return killing(name, func() (err error) {
			if which, err = choose(); err != nil {
				return err
			}
			return s.NATS.Kill(which)
		}, func() error { return s.NATS.Again(which) })
	}
	return []cluster.Server{
		killing("postgres", s.Postgres.Kill, s.Postgres.Again),
		killing("clickhouse", s.ClickHouse.Kill, s.ClickHouse.Run),
		nats("nats", func() (int, error) { return rand.IntN(3), nil }),
		nats("nats-leader", func() (int, error) {
			list, err := s.NATS.Streams("quipu_selftest_")
			if err != nil {
				return 0, err
			}
			if len(list) == 0 {
				return 0, errors.New("there is no stream")
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

// try runs a trial of a cluster of this binary. The variables SELFTEST_REQUESTS, SELFTEST_ROUNDS, SELFTEST_RATE, SELFTEST_APPS and SELFTEST_FAULTS make it longer, or another one; SELFTEST_SEED repeats one.
func try(t *testing.T, o cluster.Options) {
	t.Helper()
	o.Seed = rand.Uint64()
	if text := os.Getenv("SELFTEST_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &o.Seed); err != nil {
			t.Fatal(err)
		}
	}
	if text, ok := os.LookupEnv("SELFTEST_FAULTS"); ok {
		o.Faults = strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	}
	o.Requests = number(t, "SELFTEST_REQUESTS", 3000)
	o.Short = o.Requests < 100_000
	o.Program, o.Env, o.Dir = os.Args[0], []string{asQuipu + "=1"}, os.Getenv("SELFTEST_DIR")
	o.Apps, o.Clients, o.Rounds, o.Rate, o.Out, o.Now = number(t, "SELFTEST_APPS", 3), 16, number(t, "SELFTEST_ROUNDS", 0), number(t, "SELFTEST_RATE", 300), t.Output(), time.Now
	if _, err := cluster.Run(t.Context(), o); err != nil {
		t.Errorf("%v (SELFTEST_SEED=%d)", err, o.Seed)
	}
}

// TestSelftestCluster disturbs a cluster on NATS JetStream and kills the servers that it stands on.
func TestSelftestCluster(t *testing.T) {
	stores := clustered.NewApart(t)
	try(t, cluster.Options{Cluster: stores.File, Servers: killed(stores), Faults: []string{"together", "halt", "answers-postgres", "server-clickhouse", "server-nats-leader"}})
}

// TestSelftestClusterKafka disturbs a cluster on brokers of Kafka, of which one is killed.
func TestSelftestClusterKafka(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: it starts three brokers of Kafka")
	}
	const database = "quipu"
	brokers := kafkatest.Start(t, "../..", 3)
	clickHouse := chtest.StartApart(t, database)
	file := clustered.File(t, pgtest.Shared(t).Database(t), clickHouse.Address(), database,
		fmt.Sprintf("journal:\n  engine: kafka\n  addresses: [%s]\n", strings.Join(brokers.Addrs(), ", ")))
	which := 0
	try(t, cluster.Options{Cluster: file, Faults: []string{"cut-journal", "server-kafka"}, Servers: []cluster.Server{
		killing("kafka", func() error { which = rand.IntN(3); brokers.Kill(which); return nil }, func() error { brokers.Run(which); brokers.Await(which); return nil }),
		killing("clickhouse", clickHouse.Kill, clickHouse.Run),
	}})
}
