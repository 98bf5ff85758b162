package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block"
)

// Options of Open. Client and Now are required.
type Options struct {
	Client *ch.Client
	Now    func() time.Time
	// State names the state whose cells these are, and no other; nil = the store only reads.
	State func(ctx context.Context) (string, error)
	// Alone calls fn while nobody else makes or migrates tables; nil = nobody else does.
	Alone func(ctx context.Context, fn func(context.Context) error) error
	// Hasty leaves it to the operating system when rows come to the disk: for tests, and where a power cut takes no more than one of several replicas.
	Hasty bool
	// ReadTimeout is the time budget of a read; 0 = events.ReadTimeout.
	ReadTimeout time.Duration
	// Moment is for how long the process takes for unchanged what other processes may change; 0 = 1 s.
	Moment time.Duration
	// Lag is how far readers may be behind, this process's own changes included, so that they need not wait while Refresh asks what has changed. 0 = they see
	// what the process itself has put at once, and what others have after a Moment.
	Lag time.Duration
	// Logger is notified of what is done again; nil = nobody.
	Logger *slog.Logger
}

// Store holds cells. It implements block.Store, whose calls take turns, and the readers of package rollup. A read may see a part of what a sending that is
// under way brings.
type Store struct {
	o       Options
	c       *ch.Client
	log     *slog.Logger
	insists bool // the server has the setting insisting
	changes *Changes
	hot     hot

	turn sync.Mutex // held by anyone who writes
	// Of those who have the turn.
	eras map[model.AppID][]era
	at   map[uint16]uint64 // up to where the blocks of partitions are there; none = unknown
}

var (
	_ block.Store         = (*Store)(nil)
	_ rollup.Tracker      = (*Store)(nil)
	_ rollup.AppScanner   = (*Store)(nil)
	_ rollup.CountScanner = (*Store)(nil)
	_ rollup.ValueScanner = (*Store)(nil)
)

// settling is for how long a bucket is read again after its last change where there are replicas: what one of them says may come to another later.
const settling = 10 * time.Second

// insisting is a setting of newer servers with which a profile of the user could have them ignore the names of inserts.
const insisting = "deduplicate_insert"

// Plan returns what Open would do to the tables. Errors: those of ch.Tables.
func Plan(ctx context.Context, o Options) ([]ch.Step, error) {
	return tables(o.Client.Place(), !o.Hasty).Plan(ctx, o.Client)
}

// Open makes or migrates the tables and returns a store. Errors: those of ch.Tables, clickhouse.other_state when the cells belong to another state.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Client == nil || o.Now == nil {
		return nil, errors.New("cell store options: Client and Now are required")
	}
	if o.ReadTimeout <= 0 {
		o.ReadTimeout = events.ReadTimeout
	}
	if o.Moment <= 0 {
		o.Moment = time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Alone == nil {
		o.Alone = func(ctx context.Context, fn func(context.Context) error) error { return fn(ctx) }
	}
	s := &Store{
		o: o, c: o.Client, log: o.Logger, changes: &Changes{now: o.Now, moment: o.Moment, lag: o.Lag},
		eras: map[model.AppID][]era{}, at: map[uint16]uint64{},
	}
	s.changes.look, s.changes.readHot = s.look, s.rereadHot
	if s.c.Place().Replicated {
		s.changes.settle = settling
	}
	if o.State != nil {
		if err := o.Alone(ctx, s.prepare); err != nil {
			return nil, fmt.Errorf("open cells: %w", err)
		}
	}
	err := s.c.Each(ctx, ch.Statement{SQL: "SELECT name FROM system.settings WHERE name = ?", Args: []any{insisting}}, func(*ch.Block, int) error {
		s.insists = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("open cells: %w", err)
	}
	return s, nil
}

// prepare makes the tables and checks whose cells they hold.
func (s *Store) prepare(ctx context.Context) error {
	if err := tables(s.c.Place(), !s.o.Hasty).Migrate(ctx, s.c); err != nil {
		return err
	}
	want, err := s.o.State(ctx)
	if err != nil {
		return fmt.Errorf("name of the state: %w", err)
	}
	switch have, err := s.c.Claim(ctx, identityTable, want); {
	case err != nil:
		return err
	case have != want:
		// Names of inserts would be those of another state, and dropped.
		return fault.New(fault.Conflict, "clickhouse.other_state", "the cells in ClickHouse belong to a different state than the one in PostgreSQL")
	}
	return nil
}

// last are the settings of statements that see the last version of each row only.
func last() map[string]string { return map[string]string{"final": "1"} }

// nameless are the settings of inserts that may come twice and whose rows have versions.
func nameless() map[string]string { return map[string]string{"insert_deduplicate": "0"} }
