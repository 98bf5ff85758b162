// Package pg holds what the engines on PostgreSQL share: how they connect, which errors of a server mean what, what may be tried
// again, and the numbered steps that make and migrate tables.
package pg

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"maps"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrDSN says that the address of the database cannot be read. It does not repeat it, because it may hold a password.
var ErrDSN = errors.New("the address of the database is invalid; it must have the form postgres://USER:PASSWORD@HOST/DATABASE?sslmode=verify-full")

// ConnectTimeout bounds one attempt to connect.
const ConnectTimeout = 5 * time.Second

// settings of each connection, unless the DSN has its own; milliseconds.
func settings() map[string]string {
	return map[string]string{
		"application_name":                    "quipu",
		"statement_timeout":                   "60000",
		"lock_timeout":                        "10000",
		"idle_in_transaction_session_timeout": "60000",
		"tcp_keepalives_idle":                 "30", // seconds: how soon the server forgets a machine that was lost
		"tcp_keepalives_interval":             "10",
		"tcp_keepalives_count":                "3",
	}
}

// Dial makes a connection, as net.Dialer does.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// Configure returns how to connect to the address, a URL or name=value pairs as libpq has them, with the tables of a schema in sight and
// at least so many connections, which dial makes; nil = a net.Dialer. Errors: ErrDSN.
func Configure(dsn, schema string, conns int32, dial Dial) (*pgxpool.Config, error) {
	if dsn == "" {
		return nil, ErrDSN
	}
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, ErrDSN // pgx's error may repeat parts of the address
	}
	params := cfg.ConnConfig.RuntimeParams
	own := maps.Clone(params)
	maps.Copy(params, settings())
	maps.Copy(params, own)
	params["search_path"] = schema
	params["standard_conforming_strings"] = "on"
	params["client_encoding"] = "UTF8"
	if cfg.ConnConfig.ConnectTimeout <= 0 || cfg.ConnConfig.ConnectTimeout > time.Minute {
		cfg.ConnConfig.ConnectTimeout = ConnectTimeout
	}
	cfg.MaxConns = max(cfg.MaxConns, conns)
	if dial != nil {
		cfg.ConnConfig.DialFunc = dial
	}
	return cfg, nil
}

// LockKey is the key of the advisory lock with a name.
func LockKey(name string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return int64(h.Sum64())      // any 64 bits do
}

// Trouble is what an error of a server means.
type Trouble int

// The kinds of trouble. Other says nothing.
const (
	Other       Trouble = iota
	Unreachable         // the server was not reached, or was lost
	Unusable            // it has no resources, or only reads
	Full                // its disk is full
	Busy                // locks and time-outs
	Corrupt             // data or an index is damaged, or the server is
)

// TroubleOf returns what an error means.
func TroubleOf(err error) Trouble {
	if IsConnection(err) {
		return Unreachable
	}
	pe, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return Other
	}
	switch {
	case pe.Code == "53100": // disk_full
		return Full
	case pe.Code == "55P03", pe.Code == "57014", pe.Code == "40001", pe.Code == "40P01": // locks, time-outs
		return Busy
	case strings.HasPrefix(pe.Code, "53"), pe.Code == "25006", pe.Code == "25P03": // resources; a server that only reads; idle for too long
		return Unusable
	case strings.HasPrefix(pe.Code, "XX"):
		return Corrupt
	}
	return Other
}

// IsConnection reports whether the server was not reached, or was lost.
func IsConnection(err error) bool {
	if err == nil {
		return false
	}
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pe.Code {
		case "57P01", "57P02", "57P03": // shut down, crashed, not up yet
			return true
		}
		return strings.HasPrefix(pe.Code, "08")
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err) || strings.Contains(err.Error(), "conn closed")
}

// Redact takes a secret out of an error's message, should it hold it.
func Redact(err error, secret string) error {
	if err == nil || secret == "" || !strings.Contains(err.Error(), secret) {
		return err
	}
	return redacted{err, strings.ReplaceAll(err.Error(), secret, "…")}
}

// redacted is an error with another message.
type redacted struct {
	error
	message string
}

// Error returns the message without the password.
func (e redacted) Error() string { return e.message }

// Unwrap returns the cause, for its type; its message is not for logs.
func (e redacted) Unwrap() error { return e.error }

// pauses between the attempts of what may be tried again.
func pauses() []time.Duration {
	return []time.Duration{20 * time.Millisecond, 200 * time.Millisecond, time.Second}
}

// Again calls fn until it does not fail for want of a connection, four times at most. fn changes nothing, or nothing
// when it fails.
func Again(ctx context.Context, fn func() error) error {
	err := fn()
	for _, pause := range pauses() {
		if err == nil || ctx.Err() != nil || !IsConnection(err) {
			return err
		}
		if !wait(ctx, pause) {
			return err
		}
		err = fn()
	}
	return err
}

// wait returns false when ctx was done first.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Reach calls prepare until it does not fail because the server cannot be reached, for as long as it may take. waiting is called with
// each such failure that is not the last.
func Reach(ctx context.Context, patience time.Duration, unreachable func(error) bool, prepare func(context.Context) error, waiting func(error)) error {
	end := time.NewTimer(patience)
	defer end.Stop()
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := prepare(ctx)
		if !unreachable(err) {
			return err
		}
		again := time.NewTimer(pause)
		select {
		case <-again.C:
		case <-end.C:
			again.Stop()
			return err
		case <-ctx.Done():
			again.Stop()
			return errors.Join(ctx.Err(), err)
		}
		waiting(err)
	}
}
