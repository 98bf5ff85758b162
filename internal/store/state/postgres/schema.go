package postgres

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/model"
	"quipu/internal/store/schema"
	"quipu/internal/store/schema/stored"
	"quipu/internal/store/schema/writers"
)

// Schema implements schema.Store. That of a DB is for readers: what its writers changed nobody could commit.
type Schema struct {
	*writers.Store
	log *slog.Logger
	// fresh makes what is kept of an app no older than Options.Age; nil = nobody else commits.
	fresh func(ctx context.Context, app model.AppID) error
}

var _ schema.Store = (*Schema)(nil)

func (d *DB) newSchema(o WorkerOptions) (*Schema, error) {
	s, err := writers.Open(schemaSource{d}, writers.Options{Limits: o.Limits, CachedValues: o.CachedValues, CachedApps: o.CachedApps, Log: d.o.Log})
	if err != nil {
		return nil, err
	}
	return &Schema{Store: s, log: d.o.Log}, nil
}

// Schema returns a reader of the schema of all apps.
func (d *DB) Schema() *Schema { return d.schema }

// look brings what is kept of an app up to date. Where that fails it is logged, and what is kept stands.
func (s *Schema) look(app model.AppID) {
	if s.fresh == nil {
		return
	}
	ctx := context.Background()
	if err := s.fresh(ctx, app); err != nil {
		s.log.ErrorContext(ctx, "schema may be out of date", "app", app.String(), "err", err)
	}
}

// Events implements schema.Reader.
func (s *Schema) Events(app model.AppID) []schema.Event {
	s.look(app)
	return s.Store.Events(app)
}

// Event implements schema.Reader.
func (s *Schema) Event(app model.AppID, key string) (schema.Event, bool) {
	s.look(app)
	return s.Store.Event(app, key)
}

// fresher is fresh for calls that return errors.
func (s *Schema) fresher(ctx context.Context, app model.AppID) error {
	if s.fresh == nil {
		return nil
	}
	return s.fresh(ctx, app)
}

// Values implements schema.Details.
func (s *Schema) Values(ctx context.Context, app model.AppID, event, segment string) ([]string, error) {
	if err := s.fresher(ctx, app); err != nil {
		return nil, err
	}
	return s.Store.Values(ctx, app, event, segment)
}

// Omitted implements schema.Details.
func (s *Schema) Omitted(ctx context.Context, app model.AppID) (map[string][]string, error) {
	if err := s.fresher(ctx, app); err != nil {
		return nil, err
	}
	return s.Store.Omitted(ctx, app)
}

// Whitelists implements schema.Details.
func (s *Schema) Whitelists(ctx context.Context, app model.AppID) (map[string][]string, error) {
	if err := s.fresher(ctx, app); err != nil {
		return nil, err
	}
	return s.Store.Whitelists(ctx, app)
}

// Subjects implements schema.Details.
func (s *Schema) Subjects(ctx context.Context, app model.AppID, kind schema.Kind) ([]schema.Subject, error) {
	if err := s.fresher(ctx, app); err != nil {
		return nil, err
	}
	return s.Store.Subjects(ctx, app, kind)
}

// schemaSource implements writers.Source.
type schemaSource struct{ db *DB }

var _ writers.Source = schemaSource{}

// Load implements writers.Source. What it returns is of one moment.
func (s schemaSource) Load(ctx context.Context, app model.AppID) (found writers.Stored, err error) {
	const sql = `SELECT 0, 0, 0::bigint, body FROM schema_counters WHERE app = $1
		UNION ALL SELECT 1, 0, id, body FROM schema_events WHERE app = $1
		UNION ALL SELECT 2, kind, num, body FROM schema_subjects WHERE app = $1 ORDER BY 1, 2, 3`
	err = s.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		found = writers.Stored{}
		rows, err := q.Query(ctx, sql, app[:])
		if err != nil {
			return err
		}
		var of, kind int
		var num uint32
		var body []byte
		_, err = pgx.ForEachRow(rows, []any{&of, &kind, &num, &body}, func() error {
			switch of {
			case 0:
				found.Counters, err = stored.ReadCounters(body)
				return err
			case 1:
				ev, err := s.db.codec.ReadEvent(num, body)
				found.Events = append(found.Events, ev)
				return err
			}
			v, err := s.db.codec.ReadSubject(num, body)
			found.Subjects = append(found.Subjects, schema.SubjectRecord{Kind: schema.Kind(kind), Subject: v}) // a byte
			return err
		})
		return err
	})
	return found, err
}

// Values implements writers.Source.
func (s schemaSource) Values(ctx context.Context, app model.AppID, k schema.SegmentID, fn func(value []byte)) error {
	err := s.db.each(ctx, func(row pgx.CollectableRow) error {
		var v []byte
		err := row.Scan(&v)
		if err == nil {
			fn(v)
		}
		return err
	}, "SELECT value FROM schema_values WHERE app = $1 AND event = $2 AND segment = $3 ORDER BY ordinal", app[:], int64(k.Event), int64(k.Segment))
	if err != nil {
		return fmt.Errorf("read segment values of app %s: %w", app, err)
	}
	return nil
}
