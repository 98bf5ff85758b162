package clustered

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/store/pgtest"
	"quipu/internal/testkit/respawn"
)

// Respawned are the servers that Apart runs, for respawn.Main.
func Respawned() map[string]respawn.Server {
	return map[string]respawn.Server{natstest.Respawned: natstest.Serve, chtest.Respawned: chtest.Serve}
}

// Apart are the stores of a cluster as servers that are processes of their own, which can be killed: PostgreSQL, ClickHouse's engine and three servers of NATS JetStream. Files are in a folder.
type Apart struct {
	// File is the cluster's file.
	File       string
	Postgres   *pgtest.Server
	ClickHouse *chtest.Process
	NATS       *natstest.Cluster
}

// NewApart starts them. The package's TestMain has to call respawn.Main, and then pgtest.Main.
func NewApart(tb testing.TB) *Apart {
	tb.Helper()
	const database = "quipu"
	s := &Apart{Postgres: pgtest.Shared(tb), ClickHouse: chtest.StartApart(tb, database), NATS: natstest.Start(tb, natstest.Options{Servers: 3, Apart: true})}
	s.File = File(tb, s.Postgres.Database(tb), s.ClickHouse.Address(), database, fmt.Sprintf(`journal:
  engine: jetstream
  addresses: [%q]
  user: %s
  password: %s
  system: {user: %s, password: %s}
  replicas: 3
`, s.NATS.URL(), natstest.User, natstest.User, natstest.System, natstest.System))
	return s
}

// File writes a cluster's file, with twelve partitions, the journal that it is given, and files in a folder.
func File(tb testing.TB, postgres, clickHouse, database, journal string) string {
	tb.Helper()
	dir := tb.TempDir()
	text := fmt.Sprintf("partitions: 12\n%sstate:\n  address: %q\nclickhouse:\n  addresses: [%q]\n  database: %s\nfiles: files\n", journal, postgres, clickHouse, database)
	path := filepath.Join(dir, "cluster.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "files"), 0o700); err != nil {
		tb.Fatal(err)
	}
	return path
}
