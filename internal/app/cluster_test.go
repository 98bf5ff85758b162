package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/store/pgtest"
	"quipu/internal/store/s3/s3test"
	"quipu/internal/testkit/clustered"
)

// clusterFile writes a cluster's file.
func clusterFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestClusterFile reads files with faults, all of which are reported at once.
func TestClusterFile(t *testing.T) {
	t.Setenv("QUIPU_TEST_ADDRESS", "postgres://quipu:hidden@db/quipu")
	const whole = `
journal: {engine: jetstream, addresses: ["nats://n1:4222"], system: {user: s, password: hidden}}
state: {address: {variable: QUIPU_TEST_ADDRESS}}
clickhouse: {addresses: ["https://c1:8443"], database: quipu}
files: files
`
	path := clusterFile(t, whole)
	cfg, err := app.LoadCluster(path)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Partitions != 16 || cfg.State.Address.Value == "" || cfg.Documents != cfg.State || cfg.Files.Folder != filepath.Join(filepath.Dir(path), "files") || cfg.Journal.System.Password.Value != "hidden" {
		t.Errorf("%+v", cfg)
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":             {"partitions: 0", []string{"partitions: must be", "journal.engine:", "journal.addresses: are missing", "state.address: is missing", "clickhouse.addresses: are missing", "clickhouse.database: is missing", "files: is missing"}},
		"files in two places": {strings.Replace(whole, "files: files", "files: {folder: files, s3: {endpoint: 'https://s3.example.org', bucket: quipu}}", 1), []string{"files: must be one of"}},
		"a store of files": {
			strings.Replace(whole, "files: files", "files: {s3: {endpoint: s3.example.org, prefix: a/../b, bucket: B, access_key: {variable: QUIPU_TEST_NONE}, secret_key: hidden, ca: none}}", 1),
			[]string{"files.s3.endpoint: is not", "files.s3.access_key: is missing", "files.s3.access_key: variable QUIPU_TEST_NONE is not set", "files.s3: \"B\" is not a bucket name", "files.s3.ca: open"},
		},
		"no bucket":    {strings.Replace(whole, "files: files", "files: {s3: {endpoint: 'https://s3.example.org', access_key: a, secret_key: hidden}}", 1), []string{"files.s3.bucket: is missing"}},
		"unknown keys": {whole + "replicas: 3\n", []string{"unknown keys: replicas"}},
		"secrets": {
			strings.NewReplacer("{variable: QUIPU_TEST_ADDRESS}", "{variable: QUIPU_TEST_NONE}", "password: hidden", "password: {value: hidden, file: none}").Replace(whole),
			[]string{"state.address: variable QUIPU_TEST_NONE is not set", "journal.system.password: must be one of"},
		},
		"addresses":           {strings.Replace(whole, "nats://n1:4222", "nats://u:hidden@n1:4222", 1), []string{"journal.addresses: number 1 has to be as"}},
		"no file":             {strings.Replace(whole, "password: hidden", "password: {file: none}", 1), []string{"journal.system.password: file: open"}},
		"kafka's users":       {strings.Replace(whole, "engine: jetstream", "engine: kafka, user: u", 1), []string{"journal.sasl:"}},
		"certificates":        {strings.Replace(whole, "engine: jetstream", "engine: jetstream, tls: {ca: none}", 1), []string{"journal.tls: open"}},
		"replicas of nothing": {strings.Replace(whole, "database: quipu", "database: quipu, replicated: true", 1), []string{"clickhouse.replicated: needs clickhouse.cluster"}},
		"too little memory":   {strings.Replace(whole, "database: quipu", "database: quipu, read_bytes: 1000000", 1), []string{"clickhouse.read_bytes: must be at least 268435456"}},
		"no YAML":             {"{", []string{"read cluster file"}},
	} {
		_, err := app.LoadCluster(clusterFile(t, c.text))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not in %v", name, want, err)
			}
		}
		if strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: a secret is in %v", name, err)
		}
	}
}

// TestClusterRefused starts on servers none of which does: each is named, and nothing is left open.
func TestClusterRefused(t *testing.T) {
	nats := natstest.Start(t, natstest.Options{Lazy: true})
	clickhouse := chtest.Start(t, chdbtest.Open(t))
	clickhouse.User, clickhouse.Password = "quipu", "hidden"
	database := pgtest.Shared(t).Database(t)
	store := s3test.Start(t)
	file := func(address, password string) string {
		return clusterFile(t, `
partitions: 2
journal: {engine: jetstream, replicas: 1, addresses: ["`+nats.URL()+`"], user: `+natstest.User+`, password: `+natstest.User+`, system: {user: `+natstest.System+`, password: `+natstest.System+`}}
state: {address: "`+address+`"}
clickhouse: {addresses: ["`+clickhouse.Address()+`"], database: quipu, user: quipu, password: `+password+`}
files: {s3: {endpoint: "`+store.Endpoint+`", region: us-east-1, bucket: none, access_key: `+store.AccessKey+`, secret_key: `+store.SecretKey+`}}
`)
	}
	open := func(change func(*app.Config)) error {
		cfg := app.DefaultConfig()
		cfg.Data = t.TempDir()
		change(&cfg)
		a, err := app.Open(t.Context(), cfg, app.Process{Shared: true})
		if err == nil {
			t.Error("it is opened")
			return a.Close()
		}
		return err
	}
	for name, c := range map[string]struct {
		change func(*app.Config)
		want   []string
	}{
		"every server": {
			func(c *app.Config) { c.Cluster = file(strings.Replace(database, "?", "_none?", 1), "wrong") },
			[]string{"PostgreSQL: open state", "documents: open document store", "ClickHouse: clickhouse.denied", "journal: server n0 acknowledges before it syncs: set sync_interval: always", "has no bucket none; create it first"},
		},
		"another folder": {
			func(c *app.Config) {
				c.Cluster = file(database, "hidden")
				if err := os.WriteFile(filepath.Join(c.Data, "docs.sqlite"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			},
			[]string{"the data folder has the stores of a single server"},
		},
		"a file that is not there": {func(c *app.Config) { c.Cluster = "/nowhere.yaml" }, []string{"read cluster file"}},
	} {
		err := open(c.change)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not in %v", name, want, err)
			}
		}
		if err != nil && strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: a secret is in %v", name, err)
		}
	}
}

// TestClusterRights starts on a ClickHouse whose user may not make tables, and on one whose clock is off: each gets its line.
func TestClusterRights(t *testing.T) {
	stores := clustered.NewStores(t)
	start := func() string {
		t.Helper()
		cfg := app.DefaultConfig()
		cfg.Cluster, cfg.Data = stores.File, t.TempDir()
		a, err := app.Open(t.Context(), cfg, app.Process{Shared: true})
		if err != nil {
			return err.Error()
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		return ""
	}
	for _, c := range []struct {
		what  string
		deny  string
		ahead time.Duration
		want  []string
	}{
		{"no right to make tables", "CREATE TABLE", 0, []string{"ClickHouse: ", "clickhouse.denied", "necessary to have the grant CREATE TABLE"}},
		{"no right to read", "SELECT name FROM system.tables", 0, []string{"ClickHouse: ", "clickhouse.denied"}},
		{"a clock that is ahead", "", 2 * time.Minute, []string{"ClickHouse: the clock of ClickHouse is 2m0s ahead of this node's"}},
		{"a clock that is behind", "", -time.Hour, []string{"ClickHouse: the clock of ClickHouse is 1h0m0s behind this node's"}},
		{"a clock that is a little off", "", 30 * time.Second, nil},
	} {
		stores.ClickHouse.Ahead(c.ahead)
		stores.ClickHouse.Faults(func(r chtest.Request) chtest.Fault {
			if c.deny != "" && strings.Contains(r.Text, c.deny) {
				return chtest.Denied
			}
			return chtest.None
		})
		got := start()
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in %q", c.what, want, got)
			}
		}
		if c.want == nil && got != "" {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

// TestSkewed compares clocks with that of the node.
func TestSkewed(t *testing.T) {
	for off, want := range map[time.Duration]string{
		0: "", 58 * time.Second: "", -58 * time.Second: "",
		62 * time.Second: "the clock of PostgreSQL is 1m2s ahead of this node's", -62 * time.Second: "the clock of PostgreSQL is 1m2s behind this node's",
		time.Hour: "the clock of PostgreSQL is 1h0m0s ahead of this node's", -48 * time.Hour: "the clock of PostgreSQL is 48h0m0s behind this node's",
	} {
		err := app.Skewed(t.Context(), "PostgreSQL", func(context.Context) (time.Time, error) { return time.Now().Add(off), nil })
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%v off: %v, want %q", off, err, want)
		}
	}
	away := errors.New("away")
	if err := app.Skewed(t.Context(), "PostgreSQL", func(context.Context) (time.Time, error) { return time.Time{}, away }); !errors.Is(err, away) {
		t.Errorf("a clock that cannot be read: %v", err)
	}
}
