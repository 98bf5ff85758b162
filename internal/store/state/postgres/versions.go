package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/model"
)

// versions know which state of an app's merges and schema readers keep. A commit that changes either counts it up.
type versions struct {
	db *DB

	mu   sync.Mutex
	apps map[model.AppID]*version
	// rounds counts the calls of DB.Stale.
	rounds uint64
}

// version is what is known of an app.
type version struct {
	mu              sync.Mutex // held while the database is asked, so that it is asked once
	aliases, schema int64
	asked           time.Time
	round           uint64 // when it was
}

// of returns what is known of an app, and which round it is.
func (v *versions) of(app model.AppID) (known *version, round uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.apps == nil {
		v.apps = map[model.AppID]*version{}
	}
	n := v.apps[app]
	if n == nil {
		n = &version{aliases: -1, schema: -1}
		v.apps[app] = n
	}
	return n, v.rounds
}

// look asks for the versions of an app, unless that was done a moment ago, and drops what is out of date.
func (v *versions) look(ctx context.Context, app model.AppID) error {
	n, round := v.of(app)
	n.mu.Lock()
	defer n.mu.Unlock()
	now := v.db.o.Now()
	if since := now.Sub(n.asked); since >= 0 && since < v.db.o.Age && n.round >= round {
		return nil
	}
	var aliases, schema int64
	err := v.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		aliases, schema = 0, 0
		err := q.QueryRow(ctx, "SELECT aliases, schema FROM versions WHERE app = $1", app[:]).Scan(&aliases, &schema)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	if aliases != n.aliases {
		v.db.profiles.Stale(app)
	}
	if schema != n.schema {
		v.db.schema.Stale(app)
	}
	n.aliases, n.schema, n.asked, n.round = aliases, schema, now, max(n.round, round)
	return nil
}
