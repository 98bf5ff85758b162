package app

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	"quipu/internal/store/docs/postgres"
)

// The bounds of what may be configured, which are those of the settings that it is the default of.
const (
	maxRetention = 36_500         // days for which rows can be kept
	maxSession   = 24 * time.Hour // of the times of sessions
	maxLimit     = 1_000_000      // of what aggregates distinguish
)

// basePath is what BasePath may be.
var basePath = regexp.MustCompile(`^(/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}){1,4}$`)

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
	if c.Cluster != "" && c.Docs != "" {
		bad("docs", "documents of a cluster are where the cluster's file says")
	}
	if c.Cluster != "" && c.Backup.To != "" {
		bad("backup.to", "the stores of a cluster are copied by their own tools")
	}
	if text := c.roleFaults(); text != "" {
		bad("roles", "%s", text)
	}
	if text := checkListen(c.Listen); text != "" {
		bad("listen", "%s", text)
	}
	for _, fault := range slices.Concat(c.TLS.faults(), c.Backup.faults(c.Data, c.Docs), c.Tracing.faults()) {
		bad(fault[0], "%s", fault[1])
	}
	if c.TLS.on() && strings.HasPrefix(c.Listen, unixPrefix) {
		bad("tls", "a socket of the file system speaks no TLS; the proxy in front does")
	}
	if c.BasePath != "" && !basePath.MatchString(c.BasePath) {
		bad("base_path", "%q is no path such as /analytics: letters, digits, - _ . and / between, without / at its end", c.BasePath)
	}
	if text := checkListen(c.MetricsListen); text != "" && c.MetricsListen != "" {
		bad("metrics_listen", "%s", text)
	} else if c.MetricsListen != "" && meet(c.Listen, c.MetricsListen) {
		bad("metrics_listen", "%q is the address of listen; it needs one of its own", c.MetricsListen)
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
	for key, d := range map[string]time.Duration{
		"ingest.session_timeout": c.Ingest.SessionTimeout, "login.block": c.Login.Block, "login.address_window": c.Login.AddressWindow,
		"tasks.request_threshold": c.Tasks.RequestThreshold, "tasks.keep": c.Tasks.Keep, "tasks.max_run": c.Tasks.MaxRun,
	} {
		positive(key, int64(d))
	}
	seconds := func(key string, d, least time.Duration) {
		if d < least || d > maxSession || d%time.Second != 0 {
			bad(key, "%v is not a number of whole seconds from %v to %v", d, least, maxSession)
		}
	}
	seconds("ingest.session_duration_limit", c.Ingest.SessionDurationLimit, time.Second)
	seconds("ingest.session_cooldown", c.Ingest.SessionCooldown, 0)
	for key, n := range map[string]int{
		"ingest.event_limit": c.Ingest.EventLimit, "ingest.event_segmentation_limit": c.Ingest.EventSegmentationLimit,
		"ingest.event_segmentation_value_limit": c.Ingest.SegmentationValueLimit, "ingest.metric_value_limit": c.Ingest.MetricValueLimit,
	} {
		if n < 1 || n > maxLimit {
			bad(key, "%d is not from 1 to %d", n, maxLimit)
		}
	}
	positive("upgrade.keep", int64(c.Upgrade.Keep))
	positive("ingest.max_body", c.Ingest.MaxBody)
	positive("ingest.journal_limit", c.Ingest.JournalLimit)
	if c.Ingest.DiskReserve < 0 {
		bad("ingest.disk_reserve", "must not be negative")
	}
	positive("login.attempts", int64(c.Login.Attempts))
	positive("login.account_attempts", int64(c.Login.AccountAttempts))
	positive("login.address_attempts", int64(c.Login.AddressAttempts))
	positive("tasks.workers", int64(c.Tasks.Workers))
	if err := c.Mail.mail().Validate(); err != nil {
		errs = append(errs, err)
	}
	slices.SortFunc(errs, byText)
	return errors.Join(errs...)
}

// meet reports whether two addresses of listeners take the same port of an interface; port 0 is any free one.
func meet(a, b string) bool {
	if strings.HasPrefix(a, unixPrefix) || strings.HasPrefix(b, unixPrefix) {
		return a == b
	}
	hostA, portA, _ := net.SplitHostPort(a)
	hostB, portB, _ := net.SplitHostPort(b)
	every := func(host string) bool { return host == "" || host == "0.0.0.0" || host == "::" }
	return portA == portB && portA != "0" && (hostA == hostB || every(hostA) || every(hostB))
}
