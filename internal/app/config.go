package app

import (
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/knadh/koanf/parsers/json"
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"

	"quipu/internal/store/docs/postgres"
)

// Config is everything an operator may set. Each field can stand in the
// config file (YAML or JSON), in an environment variable (QUIPU_ and the key in
// upper case with dots as underscores) and, where a flag exists, on the command line; the
// later wins. Durations are texts such as "24h".
type Config struct {
	// Data is the folder that holds everything the server keeps.
	Data string `koanf:"data"`
	// Docs is the address of a PostgreSQL database that holds the documents, as postgres://USER:PASSWORD@HOST/DATABASE; "" = they are in a
	// file of the data folder.
	Docs string `koanf:"docs"`
	// Listen is HOST:PORT of the public listener.
	Listen string `koanf:"listen"`
	// MetricsListen is HOST:PORT of the listener of /metrics, for Prometheus; "" = none.
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
	Log           LogConfig      `koanf:"log"`
	Ingest        IngestConfig   `koanf:"ingest"`
	Login         LoginConfig    `koanf:"login"`
	Tasks         TasksConfig    `koanf:"tasks"`
	Mail          MailConfig     `koanf:"mail"`
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
	// RetentionDays is how many days event rows are kept; 0 = for ever. Cells stay.
	RetentionDays int `koanf:"retention_days"`
	// GeoDatabase is a country or city database in MaxMind's format; "" = the embedded one.
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

// maxRetention is the longest time that rows can be kept for, days.
const maxRetention = 36_500

// DefaultConfig returns the configuration of a server nobody configured.
func DefaultConfig() Config {
	return Config{
		Data: "./data", Listen: "127.0.0.1:8080", Memory: "1GiB",
		Log: LogConfig{Level: "info", Format: "text"},
		Ingest: IngestConfig{
			SessionTimeout: 30 * time.Minute, SessionCooldown: 15 * time.Second, SessionDurationLimit: 2 * time.Minute,
			PreventDuplicates: true, MaxBody: 20 << 20, JournalLimit: 2 << 30, DiskReserve: 256 << 20,
			EventLimit: 500, EventSegmentationLimit: 100, SegmentationValueLimit: 1000, MetricValueLimit: 1000,
		},
		Tasks: TasksConfig{RequestThreshold: 30 * time.Second, Workers: 2, Keep: 60 * 24 * time.Hour, MaxRun: 6 * time.Hour},
		Login: LoginConfig{Attempts: 3, Block: 5 * time.Minute, AccountAttempts: 30, AddressAttempts: 50, AddressWindow: 5 * time.Minute},
		Mail:  MailConfig{Port: 587, TLS: "starttls"},
	}
}

// LoadConfig reads the defaults, then the file (unless path is ""), then the
// environment (entries NAME=value), then flags (key → value). Unknown keys and
// QUIPU_ variables are refused; all faults are reported at once.
func LoadConfig(path string, environ []string, flags map[string]any) (Config, error) {
	cfg := DefaultConfig()
	k := koanf.New(".")
	if path != "" {
		parser := koanf.Parser(yaml.Parser())
		if filepath.Ext(path) == ".json" {
			parser = json.Parser()
		}
		if err := k.Load(file.Provider(path), parser); err != nil {
			return Config{}, fmt.Errorf("read config file %s: %w", path, err)
		}
	}
	env, err := fromEnviron(environ)
	if err != nil {
		return Config{}, err
	}
	for _, layer := range []map[string]any{env, flags} {
		if err := k.Load(confmap.Provider(layer, "."), nil); err != nil {
			return Config{}, fmt.Errorf("read configuration: %w", err)
		}
	}
	err = k.UnmarshalWithConf("", &cfg, koanf.UnmarshalConf{DecoderConfig: &mapstructure.DecoderConfig{
		DecodeHook: mapstructure.ComposeDecodeHookFunc(
			mapstructure.StringToTimeDurationHookFunc(), mapstructure.StringToSliceHookFunc(",")),
		Result: &cfg, WeaklyTypedInput: true, ErrorUnused: true, TagName: "koanf",
	}})
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %s", oneLine(err))
	}
	return cfg, cfg.Validate()
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// fromEnviron picks the QUIPU_ variables. Those of the first administrator and
// of the config file's path belong to the command line and are passed over.
func fromEnviron(environ []string) (map[string]any, error) {
	names := map[string]string{}
	for _, key := range keysOf(reflect.TypeFor[Config](), "") {
		names["QUIPU_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = key
	}
	out := map[string]any{}
	var errs []error
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "QUIPU_") || strings.HasPrefix(name, "QUIPU_ADMIN_") || name == "QUIPU_CONFIG" {
			continue
		}
		key, ok := names[name]
		if !ok {
			errs = append(errs, fmt.Errorf("unknown environment variable %s", name))
			continue
		}
		out[key] = value
	}
	return out, errors.Join(errs...)
}

// keysOf lists the keys of a config struct in dotted form.
func keysOf(t reflect.Type, prefix string) []string {
	var keys []string
	for f := range t.Fields() {
		key := prefix + f.Tag.Get("koanf")
		switch f.Type.Kind() {
		case reflect.Struct:
			keys = append(keys, keysOf(f.Type, key+".")...)
		case reflect.Map: // only in files
		default:
			keys = append(keys, key)
		}
	}
	return keys
}

// Validate reports every fault of the configuration at once.
func (c *Config) Validate() error {
	var errs []error
	bad := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %s", key, fmt.Sprintf(format, args...)))
	}
	if c.Data == "" {
		bad("data", "is empty")
	}
	if err := postgres.CheckDSN(c.Docs); c.Docs != "" && err != nil {
		bad("docs", "%v", err)
	}
	if _, _, ok := strings.Cut(c.Listen, ":"); !ok {
		bad("listen", "%q is not HOST:PORT", c.Listen)
	}
	if _, _, ok := strings.Cut(c.MetricsListen, ":"); !ok && c.MetricsListen != "" {
		bad("metrics_listen", "%q is not HOST:PORT", c.MetricsListen)
	}
	if c.Ingest.RetentionDays < 0 || c.Ingest.RetentionDays > maxRetention {
		bad("ingest.retention_days", "must be from 0 to %d", maxRetention)
	}
	if n, err := ParseBytes(c.Memory); err != nil {
		bad("memory", "%v", err)
	} else if n < 128<<20 {
		bad("memory", "%q is less than 128MiB", c.Memory)
	}
	if _, err := c.Proxies(); err != nil {
		bad("trusted_proxies", "%v", err)
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.Log.Level) {
		bad("log.level", "%q is none of debug, info, warn, error", c.Log.Level)
	}
	if !slices.Contains([]string{"text", "json"}, c.Log.Format) {
		bad("log.format", "%q is neither text nor json", c.Log.Format)
	}
	positive := func(key string, n int64) {
		if n <= 0 {
			bad(key, "must be more than 0")
		}
	}
	positive("ingest.session_timeout", int64(c.Ingest.SessionTimeout))
	positive("ingest.session_duration_limit", int64(c.Ingest.SessionDurationLimit))
	positive("ingest.max_body", c.Ingest.MaxBody)
	positive("ingest.journal_limit", c.Ingest.JournalLimit)
	positive("ingest.event_limit", int64(c.Ingest.EventLimit))
	positive("ingest.event_segmentation_limit", int64(c.Ingest.EventSegmentationLimit))
	positive("ingest.event_segmentation_value_limit", int64(c.Ingest.SegmentationValueLimit))
	positive("ingest.metric_value_limit", int64(c.Ingest.MetricValueLimit))
	positive("login.attempts", int64(c.Login.Attempts))
	positive("login.block", int64(c.Login.Block))
	positive("login.account_attempts", int64(c.Login.AccountAttempts))
	positive("login.address_attempts", int64(c.Login.AddressAttempts))
	positive("login.address_window", int64(c.Login.AddressWindow))
	positive("tasks.request_threshold", int64(c.Tasks.RequestThreshold))
	positive("tasks.workers", int64(c.Tasks.Workers))
	positive("tasks.keep", int64(c.Tasks.Keep))
	positive("tasks.max_run", int64(c.Tasks.MaxRun))
	if c.Ingest.SessionCooldown < 0 || c.Ingest.DiskReserve < 0 {
		bad("ingest", "session_cooldown and disk_reserve must not be negative")
	}
	if err := c.Mail.mail().Validate(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
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
				name := "QUIPU_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
				out = append(out, fmt.Sprintf("%s = %v (%s)", key, value.Interface(), name))
			}
		}
	}
	walk(reflect.ValueOf(c), "")
	return out
}
