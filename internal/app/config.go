package app

import (
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Config is everything an operator may set. Each field can stand in the
// config file (YAML or JSON), in an environment variable (QUIPU_ and the key in
// upper case with dots as underscores) and, where a flag exists, on the command line; the
// later wins. Durations are texts with a unit, such as "24h". What is tagged secret may stand in a file of
// its own, which the variable with _FILE at its end names.
type Config struct {
	// Data is the folder that holds everything the server keeps.
	Data string `koanf:"data"`
	// Docs is the address of a PostgreSQL database that holds the documents, as postgres://USER:PASSWORD@HOST/DATABASE; "" = they are in a
	// file of the data folder.
	Docs string `koanf:"docs" secret:"true"`
	// Cluster is a file that says where the stores of a cluster are, see ClusterConfig; "" = they are in the data folder.
	Cluster string `koanf:"cluster"`
	// Roles are what a node of a cluster does: ingest takes what devices send, work projects, runs jobs and queued tasks, read serves dashboard and API.
	Roles []string `koanf:"roles"`
	// Listen is HOST:PORT of the public listener, or unix:PATH.
	Listen string `koanf:"listen"`
	// BasePath is the path below which the server is reached, such as /analytics, behind a proxy for several servers; "" = none.
	BasePath string `koanf:"base_path"`
	// MetricsListen is HOST:PORT, or unix:PATH, of the listener of /metrics, for Prometheus; "" = none.
	// It asks nobody who they are.
	MetricsListen string `koanf:"metrics_listen"`
	// Memory caps the resident set of the process, as "1GiB" or bytes.
	Memory string `koanf:"memory"`
	// TrustedProxies are the addresses or networks whose X-Forwarded-For and
	// X-Forwarded-Proto headers are believed.
	TrustedProxies []string `koanf:"trusted_proxies"`
	// SecretKey seals API keys and tokens: 32 bytes, as 64 hex digits or in base64; "" = it stands in a file.
	SecretKey string `koanf:"secret_key"`
	// SecretKeyFile holds the secret key; "" = secret.key in the data folder, which the first start makes.
	SecretKeyFile string         `koanf:"secret_key_file"`
	TLS           TLSConfig      `koanf:"tls"`
	Log           LogConfig      `koanf:"log"`
	Ingest        IngestConfig   `koanf:"ingest"`
	Login         LoginConfig    `koanf:"login"`
	Tasks         TasksConfig    `koanf:"tasks"`
	Mail          MailConfig     `koanf:"mail"`
	Backup        BackupConfig   `koanf:"backup"`
	Upgrade       UpgradeConfig  `koanf:"upgrade"`
	Tracing       TracingConfig  `koanf:"tracing"`
	Modules       map[string]any `koanf:"modules"`
}

// LogConfig says what is logged and how.
type LogConfig struct {
	Level  string `koanf:"level"`  // debug, info, warn, error
	Format string `koanf:"format"` // text, json
}

// IngestConfig holds the rules of ingestion.
type IngestConfig struct {
	// SessionTimeout closes a session that gave no sign of life for so long.
	SessionTimeout time.Duration `koanf:"session_timeout"`
	// SessionCooldown continues the last session when a new one begins so soon after its end.
	SessionCooldown time.Duration `koanf:"session_cooldown"`
	// SessionDurationLimit caps one session_duration.
	SessionDurationLimit time.Duration `koanf:"session_duration_limit"`
	// PreventDuplicates drops requests that were sent again.
	PreventDuplicates bool `koanf:"prevent_duplicates"`
	// MaxBody bounds a request body, in bytes after decompression.
	MaxBody int64 `koanf:"max_body"`
	// JournalLimit bounds the bytes that wait for the pipeline; past it ingestion answers 503.
	JournalLimit int64 `koanf:"journal_limit"`
	// DiskReserve is the free disk space, in bytes, below which ingestion answers 503.
	DiskReserve int64 `koanf:"disk_reserve"`
	// RetentionDays is how many days event rows are kept; 0 = forever. Cells stay.
	RetentionDays int `koanf:"retention_days"`
	// GeoDatabase is a country or city database in MaxMind's format, which may change while the server runs; "" = the embedded one.
	GeoDatabase string `koanf:"geo_database"`
	// Limits of what aggregates distinguish.
	EventLimit             int `koanf:"event_limit"`
	EventSegmentationLimit int `koanf:"event_segmentation_limit"`
	SegmentationValueLimit int `koanf:"event_segmentation_value_limit"`
	MetricValueLimit       int `koanf:"metric_value_limit"`
}

// LoginConfig holds the throttle of log-ins.
type LoginConfig struct {
	// Attempts is how many wrong passwords in a row block a login for the address or the device that sent them.
	Attempts int `koanf:"attempts"`
	// Block is how long the first block lasts; each further one doubles.
	Block time.Duration `koanf:"block"`
	// AccountAttempts failures of one login from all addresses block it for devices that did not sign in before.
	AccountAttempts int `koanf:"account_attempts"`
	// AddressAttempts failures of one client address within AddressWindow block it.
	AddressAttempts int           `koanf:"address_attempts"`
	AddressWindow   time.Duration `koanf:"address_window"`
}

// TasksConfig holds the limits of long-running work.
type TasksConfig struct {
	// RequestThreshold is how long a caller waits before slow work goes on as a task.
	RequestThreshold time.Duration `koanf:"request_threshold"`
	// Workers is how many queued tasks run at a time.
	Workers int `koanf:"workers"`
	// Keep is how long a task and its result are kept after its end.
	Keep time.Duration `koanf:"keep"`
	// MaxRun ends a task that runs for longer.
	MaxRun time.Duration `koanf:"max_run"`
}

// DefaultConfig returns the configuration of a server nobody configured.
func DefaultConfig() Config {
	return Config{
		Data: "./data", Roles: allRoles(), Listen: "127.0.0.1:8080", Memory: "1GiB",
		Log: LogConfig{Level: "info", Format: "text"},
		Ingest: IngestConfig{
			SessionTimeout: 30 * time.Minute, SessionCooldown: 15 * time.Second, SessionDurationLimit: 2 * time.Minute,
			PreventDuplicates: true, MaxBody: 20 << 20, JournalLimit: 2 << 30, DiskReserve: 256 << 20,
			EventLimit: 500, EventSegmentationLimit: 100, SegmentationValueLimit: 1000, MetricValueLimit: 1000,
		},
		Tasks:   TasksConfig{RequestThreshold: 30 * time.Second, Workers: 2, Keep: 60 * 24 * time.Hour, MaxRun: 6 * time.Hour},
		Login:   LoginConfig{Attempts: 3, Block: 5 * time.Minute, AccountAttempts: 30, AddressAttempts: 50, AddressWindow: 5 * time.Minute},
		Mail:    MailConfig{Port: 587, TLS: "starttls"},
		Backup:  BackupConfig{Form: formIncremental, Every: 24 * time.Hour, Keep: 7},
		Upgrade: UpgradeConfig{Snapshot: true, Keep: 7 * 24 * time.Hour},
		Tracing: TracingConfig{Sample: 1, Service: "quipu", Queue: 2048, Timeout: 10 * time.Second},
	}
}

// Proxies returns TrustedProxies as networks.
func (c *Config) Proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range c.TrustedProxies {
		text = strings.TrimSpace(text)
		if p, err := netip.ParsePrefix(text); err == nil {
			out = append(out, p.Masked())
			continue
		}
		a, err := netip.ParseAddr(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network", text)
		}
		out = append(out, netip.PrefixFrom(a, a.BitLen()))
	}
	return out, nil
}

// ParseBytes reads a size such as "512MiB", "1GB" or "1048576".
func ParseBytes(s string) (int64, error) {
	units := []struct {
		suffix string
		factor int64
	}{
		{"KiB", 1 << 10},
		{"MiB", 1 << 20},
		{"GiB", 1 << 30},
		{"TiB", 1 << 40},
		{"KB", 1e3},
		{"MB", 1e6},
		{"GB", 1e9},
		{"TB", 1e12},
		{"B", 1},
		{"", 1},
	}
	for _, u := range units {
		digits, ok := strings.CutSuffix(strings.TrimSpace(s), u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || n < 0 || n*float64(u.factor) > 1<<60 {
			return 0, fmt.Errorf("%q is not a size", s)
		}
		return int64(n * float64(u.factor)), nil
	}
	return 0, fmt.Errorf("%q is not a size", s)
}

// ConfigKeys lists every key as KEY = DEFAULT (VARIABLE).
func ConfigKeys() []string { return configLines(DefaultConfig()) }

// configLines lists every key with its environment variable and its value.
func configLines(c Config) []string {
	var out []string
	var walk func(v reflect.Value, prefix string)
	walk = func(v reflect.Value, prefix string) {
		for f, value := range v.Fields() {
			key := prefix + f.Tag.Get("koanf")
			switch {
			case f.Type.Kind() == reflect.Struct:
				walk(value, key+".")
			case f.Type.Kind() == reflect.Map:
				out = append(out, key+" (config file only)")
			default:
				name := variable(key)
				if f.Tag.Get("secret") != "" {
					name += " or " + name + "_FILE"
				}
				out = append(out, fmt.Sprintf("%s = %v (%s)", key, value.Interface(), name))
			}
		}
	}
	walk(reflect.ValueOf(c), "")
	return out
}
