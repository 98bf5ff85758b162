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
		return "", fmt.Errorf("database %q has to be of lower-case letters, digits and underscores", name)
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
		u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // a plus sign is itself in addresses of PostgreSQL
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
		return fmt.Errorf("database %q has to be of lower-case letters, digits and underscores", name)
	}
	return execute(ctx, dsn, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

// execute runs one statement in a connection of its own.
func execute(ctx context.Context, dsn, statement string) error {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return ErrDSN // pgx's error may repeat parts of the address
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err == nil {
		_, err = conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
		err = errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return Redact(err, cfg.Password)
}
