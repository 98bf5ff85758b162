package app

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
	"github.com/nats-io/nats.go"
	"github.com/twmb/franz-go/pkg/kgo"
	saslplain "github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/s3"
)

// ClusterConfig says where the stores of a cluster are: the file that Config.Cluster names, in YAML. It is the same on every node.
type ClusterConfig struct {
	// Partitions is into how many parts apps are divided, each of which one node works on at a time; fixed with the first start. 0 = 16.
	Partitions int           `koanf:"partitions"`
	Journal    JournalConfig `koanf:"journal"`
	// State is the PostgreSQL database of profiles, schemas and what is on its way, Documents that of members, apps and settings; without it they are in the same.
	State      DatabaseConfig   `koanf:"state"`
	Documents  DatabaseConfig   `koanf:"documents"`
	ClickHouse ClickHouseConfig `koanf:"clickhouse"`
	// Files says where uploaded files are.
	Files FilesConfig `koanf:"files"`
}

// FilesConfig says where uploaded files are: one of a folder that all nodes share, and an S3-compatible store. A text is the folder.
type FilesConfig struct {
	Folder string        `koanf:"folder"`
	S3     FilesS3Config `koanf:"s3"`
}

// FilesS3Config says where an S3-compatible store is, and in which of its buckets files are, under which prefix.
type FilesS3Config struct {
	// Endpoint is as https://HOST:PORT.
	Endpoint  string       `koanf:"endpoint"`
	Bucket    string       `koanf:"bucket"`
	Prefix    string       `koanf:"prefix"`
	Region    string       `koanf:"region"`
	AccessKey SecretConfig `koanf:"access_key"`
	SecretKey SecretConfig `koanf:"secret_key"`
	CA        string       `koanf:"ca"`
	// HostStyle names the bucket in the host instead of in the path.
	HostStyle bool `koanf:"host_style"`
	// CacheBytes bounds what a node keeps in its data folder of files that it has read or written; 0 = 1 GiB.
	CacheBytes int64 `koanf:"cache_bytes"`
}

// JournalConfig says where the journal is.
type JournalConfig struct {
	// Engine is jetstream or kafka.
	Engine string `koanf:"engine"`
	// Addresses are those of the servers: nats://HOST:4222, or HOST:9092 of Kafka's brokers.
	Addresses []string     `koanf:"addresses"`
	User      string       `koanf:"user"`
	Password  SecretConfig `koanf:"password"`
	// System is a user of the system account of NATS, which may ask the servers whether they sync before they acknowledge.
	System SystemConfig `koanf:"system"`
	// SASL is the mechanism by which Kafka authenticates the user: plain, scram-sha-256 or scram-sha-512.
	SASL string    `koanf:"sasl"`
	TLS  ServerTLS `koanf:"tls"`
	// Name begins the names of streams, or is that of the topic; "" = quipu, quipu-journal.
	Name string `koanf:"name"`
	// Replicas is how many servers keep each record; 0 = 3. MinInSync is how many of Kafka's have to have it before it is acknowledged; 0 = 2, or 1 with a single replica.
	Replicas  int `koanf:"replicas"`
	MinInSync int `koanf:"min_in_sync"`
}

// SystemConfig is a user of the system account.
type SystemConfig struct {
	User     string       `koanf:"user"`
	Password SecretConfig `koanf:"password"`
}

// DatabaseConfig is the address of a PostgreSQL database, as postgres://USER:PASSWORD@HOST/DATABASE?sslmode=verify-full.
type DatabaseConfig struct {
	Address SecretConfig `koanf:"address"`
}

// ClickHouseConfig says where ClickHouse is.
type ClickHouseConfig struct {
	// Addresses are those of servers that have the same tables, as https://HOST:8443. On a cluster, any of its servers answer for all.
	Addresses []string     `koanf:"addresses"`
	Database  string       `koanf:"database"`
	User      string       `koanf:"user"`
	Password  SecretConfig `koanf:"password"`
	CA        string       `koanf:"ca"`
	// Cluster is the name of a cluster in the servers' remote_servers, over whose shards tables are spread; "" = tables are on the server that answers. Replicated has the replicas of each shard keep them.
	Cluster    string `koanf:"cluster"`
	Replicated bool   `koanf:"replicated"`
	// ReadBytes bounds what a statement that reads may take of a server's memory; 0 = what the profile of the user allows, else a quarter of what the server may take.
	ReadBytes int64 `koanf:"read_bytes"`
}

// leastRead is the least with which a statement that groups and sorts much does not fail before it writes to the disk, bytes.
const leastRead = 256 << 20

// SecretConfig is a text that should not stand in the file: one of a value, a file that holds it, and a variable of the environment that does.
type SecretConfig struct {
	Value    string `koanf:"value"`
	File     string `koanf:"file"`
	Variable string `koanf:"variable"`
}

// ServerTLS says how servers are known, and how this node shows who it is. The zero value is no TLS.
type ServerTLS struct {
	On          bool   `koanf:"on"`
	CA          string `koanf:"ca"`
	Certificate string `koanf:"certificate"`
	Key         string `koanf:"key"`
}

// The engines of a journal.
const (
	engineJetStream = "jetstream"
	engineKafka     = "kafka"
)

// LoadCluster reads the file of a cluster. It reports every fault at once.
func LoadCluster(path string) (ClusterConfig, error) {
	cfg := ClusterConfig{Partitions: 16}
	k := koanf.New(".")
	if err := k.Load(file.Provider(path), yaml.Parser()); err != nil {
		return cfg, fmt.Errorf("read cluster file %s: %w", path, err)
	}
	err := k.UnmarshalWithConf("", &cfg, koanf.UnmarshalConf{DecoderConfig: &mapstructure.DecoderConfig{
		DecodeHook: mapstructure.DecodeHookFuncType(bare), Result: &cfg, ErrorUnused: true, TagName: "koanf",
	}})
	if err != nil {
		err = plain(err)
	} else {
		err = cfg.validate(filepath.Dir(path))
	}
	if err != nil {
		return cfg, fmt.Errorf("cluster file %s: %w", path, err)
	}
	return cfg, nil
}

// bare reads a text where a SecretConfig is wanted as its value, and where a FilesConfig is as the folder.
func bare(_, to reflect.Type, value any) (any, error) {
	text, ok := value.(string)
	switch {
	case ok && to == reflect.TypeFor[SecretConfig]():
		return SecretConfig{Value: text}, nil
	case ok && to == reflect.TypeFor[FilesConfig]():
		return FilesConfig{Folder: text}, nil
	}
	return value, nil
}

// validate fills in what is left out and reports every fault.
func (c *ClusterConfig) validate(dir string) error {
	var errs []error
	bad := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %s", key, fmt.Sprintf(format, args...)))
	}
	if c.Partitions < 1 || c.Partitions > 1024 {
		bad("partitions", "must be from 1 to 1024")
	}
	for key, s := range map[string]*SecretConfig{
		"journal.password": &c.Journal.Password, "journal.system.password": &c.Journal.System.Password, "state.address": &c.State.Address, "documents.address": &c.Documents.Address, "clickhouse.password": &c.ClickHouse.Password,
		"files.s3.access_key": &c.Files.S3.AccessKey, "files.s3.secret_key": &c.Files.S3.SecretKey,
	} {
		if err := s.load(dir); err != nil {
			bad(key, "%v", err)
		}
	}
	for _, path := range map[string]*string{"files": &c.Files.Folder, "files.s3.ca": &c.Files.S3.CA, "journal.tls.ca": &c.Journal.TLS.CA, "journal.tls.certificate": &c.Journal.TLS.Certificate, "journal.tls.key": &c.Journal.TLS.Key, "clickhouse.ca": &c.ClickHouse.CA} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	c.Files.validate(bad)
	if c.Documents.Address.Value == "" {
		c.Documents = c.State
	}
	for key, d := range map[string]DatabaseConfig{"state.address": c.State, "documents.address": c.Documents} {
		if d.Address.Value == "" {
			if key == "state.address" {
				bad(key, "is missing")
			}
		} else if err := postgres.CheckDSN(d.Address.Value); err != nil {
			bad(key, "%v", err)
		}
	}
	if len(c.ClickHouse.Addresses) == 0 {
		bad("clickhouse.addresses", "are missing")
	}
	if c.ClickHouse.Database == "" {
		bad("clickhouse.database", "is missing")
	}
	if n := c.ClickHouse.ReadBytes; n != 0 && n < leastRead {
		bad("clickhouse.read_bytes", "must be at least %d", leastRead)
	}
	if c.ClickHouse.Replicated && c.ClickHouse.Cluster == "" {
		bad("clickhouse.replicated", "needs clickhouse.cluster")
	}
	j := c.Journal
	if j.Engine != engineJetStream && j.Engine != engineKafka {
		bad("journal.engine", "%q is neither jetstream nor kafka", j.Engine)
	}
	if len(j.Addresses) == 0 {
		bad("journal.addresses", "are missing")
	}
	if j.Engine == engineKafka && (j.User != "") != slices.Contains([]string{"plain", "scram-sha-256", "scram-sha-512"}, j.SASL) {
		bad("journal.sasl", "is plain, scram-sha-256 or scram-sha-512 with a user, and nothing without")
	}
	if j.Engine == engineJetStream {
		if j.System.User == "" {
			bad("journal.system", "is missing: a user of the system account, who may ask whether the servers sync before they acknowledge")
		}
		for i, a := range j.Addresses {
			if u, err := url.Parse(a); err != nil || u.Host == "" || u.User != nil || !slices.Contains([]string{"nats", "tls"}, u.Scheme) {
				bad("journal.addresses", "number %d has to be as nats://HOST:4222, without user and password", i+1)
			}
		}
	}
	if _, err := j.TLS.config(); err != nil {
		bad("journal.tls", "%v", err)
	}
	slices.SortFunc(errs, byText)
	return errors.Join(errs...)
}

// validate reports what is wrong.
func (f FilesConfig) validate(bad func(key, format string, args ...any)) {
	there := f.S3 != FilesS3Config{}
	switch {
	case f.Folder != "" && there:
		bad("files", "must be one of a folder and s3")
	case f.Folder == "" && !there:
		bad("files", "is missing: a folder that all nodes share, or s3")
	case there:
		if f.S3.CacheBytes < 0 {
			bad("files.s3.cache_bytes", "must not be negative")
		}
		if f.S3.Bucket == "" {
			bad("files.s3.bucket", "is missing")
		} else if err := s3.CheckPlace(f.S3.Bucket, f.S3.Prefix); err != nil {
			bad("files.s3", "%v", err)
		}
		for _, fault := range f.S3.store().Check() {
			key := fault[0]
			if key == "ca_file" {
				key = "ca"
			}
			bad("files.s3."+key, "%s", fault[1])
		}
	}
}

// store says where the store is.
func (c FilesS3Config) store() s3.Config {
	return s3.Config{Endpoint: c.Endpoint, Region: c.Region, AccessKey: c.AccessKey.Value, SecretKey: c.SecretKey.Value, CAFile: c.CA, HostStyle: c.HostStyle}
}

// load reads the value from where it is.
func (s *SecretConfig) load(dir string) error {
	given := 0
	for _, t := range []string{s.Value, s.File, s.Variable} {
		if t != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("must be one of value, file and variable")
	case s.File != "":
		path := s.File
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		text, err := secretOf("file", path)
		s.Value = text
		return err
	case s.Variable != "":
		text, ok := os.LookupEnv(s.Variable)
		if !ok || text == "" {
			return fmt.Errorf("variable %s is not set", s.Variable)
		}
		s.Value = text
	}
	return nil
}

// config is that of connections; nil without TLS.
func (t ServerTLS) config() (*tls.Config, error) {
	if !t.On && t.CA == "" && t.Certificate == "" {
		return nil, nil
	}
	out := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.CA != "" {
		text, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, err
		}
		out.RootCAs = x509.NewCertPool()
		if !out.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s has no certificates", t.CA)
		}
	}
	if t.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(t.Certificate, t.Key)
		if err != nil {
			return nil, err
		}
		out.Certificates = []tls.Certificate{pair}
	}
	return out, nil
}

// nats connects a user to the servers of JetStream.
func (j JournalConfig) nats(user, password string, dial Dial) (*nats.Conn, error) {
	secure, err := j.TLS.config()
	if err != nil {
		return nil, err
	}
	o := []nats.Option{nats.Name("quipu"), nats.MaxReconnects(-1)}
	if user != "" {
		o = append(o, nats.UserInfo(user, password))
	}
	if secure != nil {
		o = append(o, nats.Secure(secure))
	}
	if dial != nil {
		o = append(o, nats.SetCustomDialer(natsDialer{dial}))
	}
	return nats.Connect(strings.Join(j.Addresses, ","), o...)
}

// synced refuses servers of JetStream that acknowledge before they sync. A majority has to answer; one that is away is checked at the next start.
func (j JournalConfig) synced(ctx context.Context, dial Dial) error {
	system, err := j.nats(j.System.User, j.System.Password.Value, dial)
	if err != nil {
		return fmt.Errorf("system account: %w", err)
	}
	defer system.Close()
	return jetstream.CheckServers(ctx, system, cmp.Or(j.Replicas, jetstream.DefaultReplicas)/2+1)
}

// kafka says how brokers are reached.
func (j JournalConfig) kafka(dial Dial) ([]kgo.Opt, error) {
	o := []kgo.Opt{kgo.SeedBrokers(j.Addresses...)}
	secure, err := j.TLS.config()
	if err != nil {
		return nil, err
	}
	switch {
	case dial != nil:
		o = append(o, kgo.Dialer(secured(dial, secure)))
	case secure != nil:
		o = append(o, kgo.DialTLSConfig(secure))
	}
	switch j.SASL {
	case "plain":
		o = append(o, kgo.SASL(saslplain.Plain(func(context.Context) (saslplain.Auth, error) {
			return saslplain.Auth{User: j.User, Pass: j.Password.Value}, nil
		})))
	case "scram-sha-256":
		o = append(o, kgo.SASL(scram.Sha256(func(context.Context) (scram.Auth, error) {
			return scram.Auth{User: j.User, Pass: j.Password.Value}, nil
		})))
	case "scram-sha-512":
		o = append(o, kgo.SASL(scram.Sha512(func(context.Context) (scram.Auth, error) {
			return scram.Auth{User: j.User, Pass: j.Password.Value}, nil
		})))
	}
	return o, nil
}
