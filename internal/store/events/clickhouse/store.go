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
	"quipu/internal/store/events/plan"
)

// Options of Open. Client, Ledger and Now are required.
type Options struct {
	Client *ch.Client
	// Ledger is where sendings are noted; nil = the store only reads.
	Ledger Ledger
	// State names the state that the rows belong to, where Ledger is nil: the tables are made all the same. nil = they are there.
	State func(ctx context.Context) (string, error)
	Now   func() time.Time
	// Alone calls fn while nobody else makes or migrates tables; nil = nobody else does.
	Alone func(ctx context.Context, fn func(context.Context) error) error
	// Hasty leaves it to the operating system when rows come to the disk: for tests, and where a power cut takes no more than one of several replicas.
	Hasty bool
	// ReadTimeout is the time budget of a read; 0 = events.ReadTimeout.
	ReadTimeout time.Duration
	// Merged is how many users of an app may be merged into others before their rows are rewritten; 0 = 1,000.
	Merged int
	// Fresh is how long what is known of an app holds when other processes write; 0 = 250 ms.
	Fresh time.Duration
	// Logger is notified of rewriting and the like; nil = nobody.
	Logger *slog.Logger
}

// Store is the event store. It implements events.Writer, whose calls take turns, and events.Reader. A read may see a part of what a commit that
// is under way has sent.
type Store struct {
	o   Options
	c   *ch.Client
	log *slog.Logger

	turn sync.Mutex // held by anyone who writes

	off     map[string]string // settings that turn off what is wrong in the server
	insists bool              // the server has the setting insisting

	mu   sync.Mutex
	apps map[model.AppID]app // what is known; dropped when it is much
}

// app is what is known of an app.
type app struct {
	exists bool
	// merged are the users whose rows are not yet those of the users they were merged into. It is replaced, never changed.
	merged map[uint32]uint32
	at     time.Time // when it was
}

var (
	_ events.Writer  = (*Store)(nil)
	_ events.Reader  = (*Store)(nil)
	_ events.Resumer = (*Store)(nil)
)

// tables are those of the store.
func tables(at ch.Place, durable bool) *ch.Tables {
	return &ch.Tables{Format: formatTable, Names: names(), Steps: steps(at, durable)}
}

// Plan returns what Open would do to the tables. Errors: those of ch.Tables.
func Plan(ctx context.Context, o Options) ([]ch.Step, error) {
	return tables(o.Client.Place(), !o.Hasty).Plan(ctx, o.Client)
}

// Open makes or migrates the tables and returns a store. Errors: those of ch.Tables, clickhouse.other_state when the rows belong to another state.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Client == nil || o.Now == nil {
		return nil, errors.New("event store options: Client and Now are required")
	}
	if o.ReadTimeout <= 0 {
		o.ReadTimeout = events.ReadTimeout
	}
	if o.Merged <= 0 {
		o.Merged = 1000
	}
	if o.Fresh <= 0 {
		o.Fresh = 250 * time.Millisecond
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Alone == nil {
		o.Alone = func(ctx context.Context, fn func(context.Context) error) error { return fn(ctx) }
	}
	s := &Store{o: o, c: o.Client, log: o.Logger, apps: map[model.AppID]app{}}
	if o.Ledger != nil {
		s.o.State = o.Ledger.State
	}
	if s.o.State != nil {
		if err := o.Alone(ctx, s.prepare); err != nil {
			return nil, fmt.Errorf("open event store: %w", err)
		}
	}
	err := s.c.Each(ctx, ch.Statement{SQL: "SELECT name FROM system.settings WHERE name IN (?)", Args: []any{[]string{Faulty, insisting}}}, func(b *ch.Block, row int) error {
		switch b.Columns[0].Text[row] {
		case Faulty:
			s.off = map[string]string{Faulty: "0"}
		case insisting:
			s.insists = true
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("open event store: %w", err)
	}
	return s, nil
}

// Faulty is a setting of newer servers that has to be off for plans: with it, a limit over a join whose condition is always true names a column that there is not
// (ClickHouse 26.5).
const Faulty = "query_plan_top_k_through_join"

// insisting is a setting of newer servers with which a profile of the user could have them ignore the names of blocks.
const insisting = "deduplicate_insert"

// prepare makes the tables and checks whose rows they hold.
func (s *Store) prepare(ctx context.Context) error {
	if err := tables(s.c.Place(), !s.o.Hasty).Migrate(ctx, s.c); err != nil {
		return err
	}
	if err := s.addColumns(ctx); err != nil {
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
		// Names of blocks would be those of another state, and dropped.
		return fault.New(fault.Conflict, "clickhouse.other_state", "the rows in ClickHouse belong to a different state than the one in PostgreSQL")
	}
	return nil
}

// addColumns adds the columns of dimensions that came since the tables were made. Users have NULL there until they are written again.
func (s *Store) addColumns(ctx context.Context) error {
	has := map[string]bool{}
	table := tableNames[plan.Users]
	err := s.c.Each(ctx, ch.Statement{SQL: "SELECT name FROM system.columns WHERE database = ? AND table = ?", Args: []any{s.c.Database(), table}}, func(b *ch.Block, row int) error {
		has[b.Columns[0].Text[row]] = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("list columns of users: %w", err)
	}
	for _, c := range plan.Columns(plan.Users) {
		if has[c.Name] {
			continue
		}
		for _, sql := range s.c.Place().Alter(table, "ADD COLUMN IF NOT EXISTS "+quote(c.Name)+" "+typeOf(plan.Users, c)) {
			if err := s.c.Exec(ctx, ch.Statement{SQL: sql}); err != nil {
				return fmt.Errorf("add column %s to users: %w", c.Name, err)
			}
		}
	}
	return nil
}

// maxKnown is of how many apps something is known.
const maxKnown = 50_000

// note keeps what is known of an app.
func (s *Store) note(id model.AppID, a app) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.apps) >= maxKnown {
		clear(s.apps)
	}
	a.at = s.o.Now()
	s.apps[id] = a
}

// forget has what is known of an app asked for again.
func (s *Store) forget(id model.AppID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.apps, id)
}

// Stale has what is known of all apps asked for again, however lately that was done.
func (s *Store) Stale() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.apps)
}

// about returns what is known of an app, and asks for it when that is old.
func (s *Store) about(ctx context.Context, id model.AppID) (app, error) {
	s.mu.Lock()
	a, ok := s.apps[id]
	s.mu.Unlock()
	if age := s.o.Now().Sub(a.at); ok && age >= 0 && age < s.o.Fresh {
		return a, nil
	}
	known, err := s.ask(ctx, id)
	return known[id], err
}

// ask asks for what is stored of apps.
func (s *Store) ask(ctx context.Context, ids ...model.AppID) (map[model.AppID]app, error) {
	out, names := make(map[model.AppID]app, len(ids)), make([]string, len(ids))
	byName := make(map[string]model.AppID, len(ids))
	for i, id := range ids {
		out[id], names[i] = app{}, id.String()
		byName[names[i]] = id
	}
	if len(ids) == 0 {
		return out, nil
	}
	statement := "SELECT app, toInt64(0), toInt64(0) FROM " + appsTable + " WHERE app IN (?) UNION ALL SELECT toString(app), old, new FROM " + mergedTable + " WHERE app IN (?)"
	err := s.c.Each(ctx, ch.Statement{SQL: statement, Args: []any{names, names}, Settings: last(), Ordered: true}, func(b *ch.Block, row int) error {
		id := byName[b.Columns[0].Text[row]]
		a := out[id]
		old, to := uint32(b.Columns[1].Whole[row]), uint32(b.Columns[2].Whole[row]) // numbers of users
		if old == 0 && to == 0 {
			a.exists = true
		} else {
			if a.merged == nil {
				a.merged = map[uint32]uint32{}
			}
			a.merged[old] = to
		}
		out[id] = a
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ask for %d apps in event store: %w", len(ids), err)
	}
	for id, a := range out {
		s.note(id, a)
	}
	return out, nil
}

// last are the settings of statements that see the last version of each row only.
func last() map[string]string { return map[string]string{"final": "1"} }

// patience bounds what a call without a context may wait.
const patience = 2 * time.Second

// HasApp implements events.Reader. When ClickHouse cannot be asked it answers what is known.
func (s *Store) HasApp(id model.AppID) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	a, err := s.about(ctx, id)
	if err != nil {
		s.mu.Lock()
		a = s.apps[id]
		s.mu.Unlock()
		s.log.WarnContext(ctx, "event store cannot say whether it has an app", "app", id.String(), "error", err)
	}
	return a.exists
}
