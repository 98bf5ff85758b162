// Package clustered runs the server of a test with its state in PostgreSQL, as a node of a cluster has it. Journal and cells stay in the data
// folder; cells get there in the blocks in which they would travel to another store.
package clustered

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/store/kv"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/rollup/block/blocktest"
	"quipu/internal/store/s3/s3test"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
	"quipu/internal/testkit"
)

// State keeps the state of a server in a database of its own. The package's TestMain has to call pgtest.Main.
func State(tb testing.TB) testkit.Option {
	tb.Helper()
	dsn := pgtest.Shared(tb).Database(tb)
	return testkit.WithState(func(ctx context.Context, folder *kv.DB, limits schema.Limits) (app.State, error) {
		db, err := postgres.Open(ctx, postgres.Options{DSN: dsn, Partitions: 1, Log: slog.New(slog.DiscardHandler), Now: time.Now}) //nolint:forbidigo // of a test
		if err != nil {
			return app.State{}, err
		}
		s, err := claim(ctx, db, folder, limits)
		if err != nil {
			return app.State{}, errors.Join(err, db.Close())
		}
		return s, nil
	})
}

// Stores are those of a cluster, for one or more nodes: PostgreSQL, ClickHouse's engine, NATS JetStream and an S3-compatible store, on loopback, until the test ends. The package's TestMain has to
// call pgtest.Main.
type Stores struct {
	// File is the cluster's file.
	File string
	// ClickHouse and NATS can be stopped.
	ClickHouse *chtest.Server
	NATS       *natstest.Cluster
	// S3 has the uploaded files.
	S3 *s3test.Server
}

// NewStores starts them.
func NewStores(tb testing.TB) *Stores {
	tb.Helper()
	s := &Stores{ClickHouse: chtest.Start(tb, chdbtest.Open(tb)), NATS: natstest.Start(tb, natstest.Options{}), S3: s3test.Start(tb, "files")}
	dir := tb.TempDir()
	for name, text := range map[string]string{
		"nats.password": natstest.User + "\n", "address": pgtest.Shared(tb).Database(tb),
		"cluster.yaml": fmt.Sprintf(`partitions: 4
journal:
  engine: jetstream
  addresses: [%q]
  user: %s
  password: {file: nats.password}
  system: {user: %s, password: %s}
  replicas: 1
state:
  address: {file: address}
clickhouse:
  addresses: [%q]
  database: %s
files:
  s3: {endpoint: %q, region: %s, bucket: files, prefix: quipu, access_key: %s, secret_key: {file: s3.secret}}
`, s.NATS.URL(), natstest.User, natstest.System, natstest.System, s.ClickHouse.Address(), s.ClickHouse.Client(tb).Database(), s.S3.Endpoint, s.S3.Region, s.S3.AccessKey),
		"s3.secret": s.S3.SecretKey + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	s.File = filepath.Join(dir, "cluster.yaml")
	return s
}

// Node makes a server a node of the cluster, with the secret key that all nodes have.
func (s *Stores) Node() testkit.Option {
	return testkit.WithConfig(func(c *app.Config) { c.Cluster, c.SecretKey = s.File, strings.Repeat("5a", 32) })
}

func claim(ctx context.Context, db *postgres.DB, folder *kv.DB, limits schema.Limits) (app.State, error) {
	leases, err := db.Claim(ctx, "test", 1, time.Hour)
	if err != nil {
		return app.State{}, err
	}
	w, err := db.Worker(ctx, leases, postgres.WorkerOptions{Limits: limits})
	if err != nil {
		return app.State{}, err
	}
	cells, err := blocktest.New(folder)
	if err != nil {
		return app.State{}, err
	}
	return app.State{
		Store: drained{w, w.MoveCells(cells)}, Outbox: w, Profiles: w.Profiles(), Schema: w.Schema(),
		Close: func() error { return errors.Join(db.Release(context.WithoutCancel(ctx), leases), db.Close()) },
	}, nil
}

// drained is a state whose commits end when their cells have arrived, so that tests read them at once.
type drained struct {
	*postgres.Worker
	cells *postgres.CellMover
}

// Commit implements state.Store.
func (d drained) Commit(ctx context.Context, c *state.Change) error {
	if err := d.Worker.Commit(ctx, c); err != nil {
		return err
	}
	return d.cells.Drain(context.WithoutCancel(ctx))
}

// Begin implements state.Store.
func (d drained) Begin(ctx context.Context, c *state.Change) (<-chan error, error) {
	ended, err := d.Worker.Begin(ctx, c)
	if err != nil {
		return nil, err
	}
	both := make(chan error, 1)
	go func() {
		err := <-ended
		if err == nil {
			err = d.cells.Drain(context.WithoutCancel(ctx))
		}
		both <- err
	}()
	return both, nil
}
