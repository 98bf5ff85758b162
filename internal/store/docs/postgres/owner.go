package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/pg"
)

// owner is the connection through which a process writes documents that it has claimed. Its session holds an advisory lock;
// when the connection is lost so is the claim, and the next write claims it again first. Only the goroutine
// that holds the token of Store.write uses it.
type owner struct {
	cfg  *pgx.ConnConfig
	lock int64
	conn *pgx.Conn
}

// connection returns the connection, with the claim.
func (o *owner) connection(ctx context.Context) (*pgx.Conn, error) {
	if o.conn != nil && !o.conn.IsClosed() {
		return o.conn, nil
	}
	conn, err := pgx.ConnectConfig(ctx, o.cfg)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", o.lock); err != nil {
		_ = conn.Close(context.WithoutCancel(ctx)) // it has nothing to say
		return nil, err
	}
	o.conn = conn
	return conn, nil
}

// close gives the claim back.
func (o *owner) close(ctx context.Context) {
	if o.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, pg.ConnectTimeout)
	defer cancel()
	_ = o.conn.Close(ctx) // the session ends either way
}
