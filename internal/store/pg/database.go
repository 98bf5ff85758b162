package pg

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// databaseForm is the form of a database's name that needs no quotes.
var databaseForm = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// MakeDatabase makes a database on the server of an address, whose user needs the right to, and returns the address of the new one.
func MakeDatabase(ctx context.Context, dsn, name string) (address string, err error) {
	if address, err = addressOf(dsn, name); err != nil {
		return "", err
	}
	return address, execute(ctx, dsn, "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8'")
}

// addressOf is the address of another database on the same server. An address that would lead anywhere else is refused.
func addressOf(dsn, name string) (address string, err error) {
	if !databaseForm.MatchString(name) {
		return "", fmt.Errorf("database %q must consist of lower-case letters, digits and underscores", name)
	}
	if strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://") {
		u, err := url.Parse(dsn)
		if err != nil {
			return "", ErrDSN
		}
		u.Path = "/" + name
		query := u.Query()
		query.Del("dbname") // these would come before the path
		query.Del("database")
		u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // libpq reads + literally, so spaces are written as %20
		address = u.String()
	} else {
		address = dsn + " dbname=" + name
	}
	if cfg, err := pgx.ParseConfig(address); err != nil || cfg.Database != name {
		return "", ErrDSN
	}
	return address, nil
}

// DropDatabase removes a database that MakeDatabase made, and ends all connections to it. One that is not there is none to remove.
func DropDatabase(ctx context.Context, dsn, name string) error {
	if !databaseForm.MatchString(name) {
		return fmt.Errorf("database %q must consist of lower-case letters, digits and underscores", name)
	}
	return execute(ctx, dsn, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

// Sizes are how much a database takes, bytes.
type Sizes struct {
	// Tables are those of its own, with their indexes.
	Tables map[string]int64
	// Log is how much the server has written to its log since it was made, for all of its databases.
	Log int64
}

// SizesOf asks the server of an address for the sizes of its database.
func SizesOf(ctx context.Context, dsn string) (Sizes, error) {
	s := Sizes{Tables: map[string]int64{}}
	err := connected(ctx, dsn, func(conn *pgx.Conn) error {
		err := conn.QueryRow(ctx, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint", pgx.QueryExecModeSimpleProtocol).Scan(&s.Log)
		if err != nil {
			return err
		}
		rows, err := conn.Query(ctx, `SELECT c.relname, pg_total_relation_size(c.oid) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
			WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'`, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		var name string
		var size int64
		_, err = pgx.ForEachRow(rows, []any{&name, &size}, func() error {
			s.Tables[name] += size
			return nil
		})
		return err
	})
	return s, err
}

// execute runs one statement in a connection of its own.
func execute(ctx context.Context, dsn, statement string) error {
	return connected(ctx, dsn, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
		return err
	})
}

// connected calls fn with a connection of its own.
func connected(ctx context.Context, dsn string, fn func(*pgx.Conn) error) error {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return ErrDSN // pgx's error may repeat parts of the address
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err == nil {
		err = errors.Join(fn(conn), conn.Close(context.WithoutCancel(ctx)))
	}
	return Redact(err, cfg.Password)
}
