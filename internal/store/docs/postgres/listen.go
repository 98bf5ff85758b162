package postgres

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/pg"
)

const (
	// maxPayload bounds the names that a notification carries, bytes; the server takes less than 8000.
	maxPayload = 4000
	// leastBackoff and mostBackoff bound the pauses between attempts to listen.
	leastBackoff = 50 * time.Millisecond
	mostBackoff  = 5 * time.Second
)

// channel names the notifications of a schema. Channels are those of a database, which may hold several schemas.
func (d *Store) channel() string { return d.schema + "_changed" }

// payload names collections to who listens; "" = there are too many to name.
func payload(names []string) string {
	text := strings.Join(names, ",")
	if len(text) > maxPayload {
		return ""
	}
	return text
}

// moveOn counts the generations of collections up and has the server notify who listens, once the transaction has been committed.
func (t *writeTx) moveOn(ctx context.Context) error {
	if len(t.touched) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(t.touched))
	_, err := t.q.Exec(ctx, `WITH moved AS (UPDATE collections SET generation = generation + 1 WHERE name = ANY($1)) SELECT pg_notify($2, $3)`,
		names, t.db.channel(), payload(names))
	return err
}

// Listen calls heard whenever a transaction that writes to collections has been committed, by this process or another, with their names,
// until ctx is done. With nil it says that anything may have changed: when it begins to listen, also after its connection was lost, and
// when there are too many names. It is a hint to ask for generations, and not to be relied on: a notification that the
// server sends while nobody is connected is lost, and pools of connections between may keep them all. heard must not wait.
func (d *Store) Listen(ctx context.Context, heard func(collections []string)) {
	backoff, failing := leastBackoff, false
	for ctx.Err() == nil {
		err := d.listen(ctx, func(names []string) {
			backoff = leastBackoff
			if failing = false; ctx.Err() == nil {
				heard(names)
			}
		})
		if ctx.Err() != nil {
			return
		}
		if !failing {
			d.log.WarnContext(ctx, "notifications of changes are not received, they are looked for at intervals", slog.Any("error", d.fault(ctx, err)))
		}
		failing = true
		t := time.NewTimer(backoff)
		select {
		case <-ctx.Done():
		case <-t.C:
		}
		t.Stop()
		backoff = min(2*backoff, mostBackoff)
	}
}

// listen listens through a connection of its own until that is lost.
func (d *Store) listen(ctx context.Context, heard func([]string)) error {
	begin, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	conn, err := pgx.ConnectConfig(begin, d.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pg.ConnectTimeout)
		defer cancel()
		_ = conn.Close(ctx) // the session ends either way
	}()
	if _, err := conn.Exec(begin, "LISTEN "+pgx.Identifier{d.channel()}.Sanitize()); err != nil {
		return err
	}
	heard(nil)
	for {
		n, err := notification(ctx, conn, d.patience)
		switch {
		case err != nil:
			return err
		case n == nil: // it was silent for a while: is the server still there?
			limited, cancel := context.WithTimeout(ctx, d.patience)
			err := conn.Ping(limited)
			cancel()
			if err != nil {
				return err
			}
		case *n == "" || len(*n) > maxPayload:
			heard(nil)
		default:
			heard(strings.Split(*n, ","))
		}
	}
}

// notification waits for the payload of the next notification; nil = none came for a while.
func notification(ctx context.Context, conn *pgx.Conn, d time.Duration) (*string, error) {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	n, err := conn.WaitForNotification(limited)
	switch {
	case err == nil:
		return &n.Payload, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil && !conn.IsClosed():
		return nil, nil
	}
	return nil, err
}
