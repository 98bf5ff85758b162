package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quipu/internal/model"
	"quipu/internal/store/profile"
	"quipu/internal/store/profile/shards"
	"quipu/internal/store/profile/stored"
)

// Profiles implements profile.Store. Those of a DB are for readers: what their shards changed nobody could commit.
type Profiles struct {
	*shards.Store
	db *DB
	// parts are the partitions whose open sessions are listed; nil = all.
	parts []int32
	// fresh makes what is kept of an app no older than Options.Age; nil = nobody else commits.
	fresh func(ctx context.Context, app model.AppID) error
}

var (
	_ profile.Store      = (*Profiles)(nil)
	_ profile.ManyReader = (*Profiles)(nil)
)

func (d *DB) newProfiles(ctx context.Context, parts []int32, cached int, prints int64) (*Profiles, error) {
	s, err := shards.Open(ctx, profileSource{d}, shards.Options{CacheProfiles: cached, PrintBytes: prints, Log: d.o.Log})
	if err != nil {
		return nil, err
	}
	return &Profiles{Store: s, db: d, parts: parts}, nil
}

// Profiles returns a reader of the profiles of all apps.
func (d *DB) Profiles() *Profiles { return d.profiles }

// Get implements profile.Reader.
func (p *Profiles) Get(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error) {
	found, err := profileSource{p.db}.Profile(ctx, app, id)
	if err == nil && found == nil {
		return nil, profile.ErrNotFound
	}
	return found, err
}

// GetMany implements profile.ManyReader.
func (p *Profiles) GetMany(ctx context.Context, app model.AppID, ids []model.ProfileID, fn func(*model.Profile) error) error {
	var list []*model.Profile
	err := profileSource{p.db}.Profiles(ctx, app, ids, func(found *model.Profile) { list = append(list, found) })
	if err != nil {
		return err
	}
	for _, found := range list {
		if err := fn(found); err != nil {
			return err
		}
	}
	return nil
}

// ByUID implements profile.Reader.
func (p *Profiles) ByUID(ctx context.Context, app model.AppID, uid uint32) (*model.Profile, error) {
	aliases, err := p.Aliases(ctx, app)
	if err != nil {
		return nil, err
	}
	if to, ok := aliases[uid]; ok {
		uid = to
	}
	id, err := profileSource{p.db}.ID(ctx, app, uid)
	if err != nil {
		return nil, err
	}
	return p.Get(ctx, app, id)
}

// Aliases implements profile.Index.
func (p *Profiles) Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error) {
	if p.fresh != nil {
		if err := p.fresh(ctx, app); err != nil {
			return nil, err
		}
	}
	return p.Store.Aliases(ctx, app)
}

// scanPage is how many profiles are read at once.
const scanPage = 2_000

// Scan implements profile.Reader. It reads page by page: a profile that comes meanwhile may be found or not.
func (p *Profiles) Scan(ctx context.Context, app model.AppID, fn func(*model.Profile) error) error {
	for last := []byte{}; last != nil; {
		var list []*model.Profile
		next := []byte(nil)
		err := p.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
			list, next = list[:0], nil
			rows, err := q.Query(ctx, "SELECT id, body FROM profiles WHERE app = $1 AND id > $2 ORDER BY id LIMIT $3", app[:], last, scanPage)
			if err != nil {
				return err
			}
			var id, body []byte
			_, err = pgx.ForEachRow(rows, []any{&id, &body}, func() error {
				found, err := stored.Decode(body)
				if err != nil {
					return fmt.Errorf("scan profile %x of app %s: %w", id, app, err)
				}
				if list = append(list, found); len(list) == scanPage {
					next = id
				}
				return nil
			})
			return err
		})
		if err != nil {
			return err
		}
		for _, found := range list {
			if err := fn(found); err != nil {
				return err
			}
		}
		last = next
	}
	return nil
}

// Apps lists the apps that have, or had, users.
func (p *Profiles) Apps(ctx context.Context) (list []model.AppID, err error) {
	err = p.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		list = list[:0]
		rows, err := q.Query(ctx, "SELECT app FROM sequences ORDER BY app")
		if err != nil {
			return err
		}
		var app []byte
		_, err = pgx.ForEachRow(rows, []any{&app}, func() error {
			if len(app) != len(model.AppID{}) {
				return fmt.Errorf("app has an id of %d bytes", len(app))
			}
			list = append(list, model.AppID(app))
			return nil
		})
		return err
	})
	return list, err
}

// Sequence implements profile.Reader.
func (p *Profiles) Sequence(ctx context.Context, app model.AppID) (profile.Sequence, error) {
	return profileSource{p.db}.Sequence(ctx, app)
}

// Online implements profile.Reader.
func (p *Profiles) Online(ctx context.Context, app model.AppID, since int64) (n int, err error) {
	err = p.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, "SELECT count(*) FROM profiles WHERE app = $1 AND seen >= $2", app[:], since).Scan(&n)
	})
	return n, err
}

// EachOnline implements profile.Reader.
func (p *Profiles) EachOnline(ctx context.Context, app model.AppID, since int64, fn func(profile.OpenSession) error) error {
	call := func(row pgx.CollectableRow) error {
		s, err := openSession(row)
		if err != nil {
			return err
		}
		return fn(s)
	}
	const fields = "SELECT app, id, uid, seen FROM profiles "
	if app != (model.AppID{}) {
		return p.db.each(ctx, call, fields+"WHERE app = $1 AND seen >= $2 ORDER BY seen, id", app[:], since)
	}
	return p.db.each(ctx, call, fields+"WHERE seen >= $1 ORDER BY app, seen, id", since)
}

// ExpiredSessions implements profile.Index. A worker lists those of its partitions.
func (p *Profiles) ExpiredSessions(ctx context.Context, before int64, limit int) (list []profile.OpenSession, err error) {
	// The apps that have open sessions are found by jumping from one to the next in the index.
	const sql = `WITH RECURSIVE apps AS (
			(SELECT app FROM profiles WHERE seen IS NOT NULL ORDER BY app LIMIT 1)
			UNION ALL
			SELECT (SELECT p.app FROM profiles AS p WHERE p.seen IS NOT NULL AND p.app > a.app ORDER BY p.app LIMIT 1) FROM apps AS a WHERE a.app IS NOT NULL
		)
		SELECT s.app, s.id, s.uid, s.seen FROM apps AS a JOIN sequences AS q ON q.app = a.app AND ($3::integer[] IS NULL OR q.partition = ANY($3)),
			LATERAL (SELECT p.app, p.id, p.uid, p.seen FROM profiles AS p WHERE p.app = a.app AND p.seen < $1 ORDER BY p.seen, p.id LIMIT $2) AS s
		ORDER BY s.app, s.seen, s.id LIMIT $2`
	err = p.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		rows, err := q.Query(ctx, sql, before, limit, p.parts)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, openSession)
		return err
	})
	return list, err
}

// openSession reads a row of app, id, uid, seen.
func openSession(row pgx.CollectableRow) (s profile.OpenSession, err error) {
	var app, id []byte
	if err := row.Scan(&app, &id, &s.UID, &s.Seen); err != nil {
		return s, err
	}
	if copy(s.App[:], app) != len(s.App) || copy(s.ID[:], id) != len(s.ID) {
		return s, fmt.Errorf("open session has an app of %d and an id of %d bytes", len(app), len(id))
	}
	return s, nil
}

// profileSource implements shards.Source and shards.Bulk.
type profileSource struct{ db *DB }

var (
	_ shards.Source = profileSource{}
	_ shards.Bulk   = profileSource{}
)

// Profile implements shards.Source.
func (s profileSource) Profile(ctx context.Context, app model.AppID, id model.ProfileID) (p *model.Profile, err error) {
	err = s.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		var body []byte
		err := q.QueryRow(ctx, "SELECT body FROM profiles WHERE app = $1 AND id = $2", app[:], id[:]).Scan(&body)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			p, err = stored.Decode(body)
		}
		return err
	})
	return p, err
}

// Profiles implements shards.Bulk.
func (s profileSource) Profiles(ctx context.Context, app model.AppID, ids []model.ProfileID, fn func(*model.Profile)) error {
	keys := make([][]byte, len(ids))
	for i := range ids {
		keys[i] = ids[i][:]
	}
	return s.db.each(ctx, func(row pgx.CollectableRow) error {
		var body []byte
		if err := row.Scan(&body); err != nil {
			return err
		}
		p, err := stored.Decode(body)
		if err == nil {
			fn(p)
		}
		return err
	}, "SELECT p.body FROM unnest($2::bytea[]) AS u(id) JOIN profiles AS p ON p.app = $1 AND p.id = u.id", app[:], keys)
}

// ID implements shards.Source.
func (s profileSource) ID(ctx context.Context, app model.AppID, uid uint32) (id model.ProfileID, err error) {
	err = s.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		var found []byte
		err := q.QueryRow(ctx, "SELECT id FROM profiles WHERE app = $1 AND uid = $2", app[:], int64(uid)).Scan(&found)
		if errors.Is(err, pgx.ErrNoRows) {
			return profile.ErrNotFound
		}
		if err == nil && copy(id[:], found) != len(id) {
			err = fmt.Errorf("profile id has %d bytes, want %d", len(found), len(id))
		}
		return err
	})
	return id, err
}

// Sequence implements shards.Source.
func (s profileSource) Sequence(ctx context.Context, app model.AppID) (seq profile.Sequence, err error) {
	err = s.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		err := q.QueryRow(ctx, "SELECT uid, state, users FROM sequences WHERE app = $1", app[:]).Scan(&seq.UID, &seq.State, &seq.Users)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return seq, err
}

// Aliases implements shards.Source.
func (s profileSource) Aliases(ctx context.Context, app model.AppID) (m map[uint32]uint32, err error) {
	err = s.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		m = map[uint32]uint32{}
		rows, err := q.Query(ctx, "SELECT gone, stays FROM aliases WHERE app = $1", app[:])
		if err != nil {
			return err
		}
		var gone, stays uint32
		_, err = pgx.ForEachRow(rows, []any{&gone, &stays}, func() error {
			m[gone] = stays
			return nil
		})
		return err
	})
	return m, err
}

// HasPrint implements shards.Source.
func (s profileSource) HasPrint(ctx context.Context, app model.AppID, p profile.Print) (found bool, err error) {
	err = s.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		return q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM prints AS p JOIN partitions AS l USING (partition)
			WHERE p.day = $1 AND p.app = $2 AND p.hash = $3 AND p.day >= l.forgotten)`, int32(p.Day), app[:], p.Hash[:]).Scan(&found)
	})
	return found, err
}

// HavePrints implements shards.Bulk.
func (s profileSource) HavePrints(ctx context.Context, app model.AppID, prints []profile.Print, fn func(profile.Print)) error {
	days, hashes := make([]int32, len(prints)), make([][]byte, len(prints))
	for i := range prints {
		days[i], hashes[i] = int32(prints[i].Day), prints[i].Hash[:]
	}
	return s.db.each(ctx, func(row pgx.CollectableRow) error {
		var day uint16
		var hash []byte
		if err := row.Scan(&day, &hash); err != nil {
			return err
		}
		if len(hash) != len(profile.Fingerprint{}) {
			return fmt.Errorf("fingerprint has %d bytes", len(hash))
		}
		fn(profile.Print{Day: day, Hash: profile.Fingerprint(hash)})
		return nil
	}, `SELECT p.day, p.hash FROM unnest($2::integer[], $3::bytea[]) AS u(day, hash) JOIN prints AS p ON p.day = u.day AND p.app = $1 AND p.hash = u.hash
		JOIN partitions AS l USING (partition) WHERE p.day >= l.forgotten`, app[:], days, hashes)
}

// Days implements shards.Source.
func (s profileSource) Days(ctx context.Context) (list []uint16, err error) {
	err = s.db.read(ctx, func(ctx context.Context, q *pgxpool.Pool) error {
		rows, err := q.Query(ctx, `WITH RECURSIVE days AS (
				(SELECT min(day) AS day FROM prints) UNION ALL SELECT (SELECT min(p.day) FROM prints AS p WHERE p.day > d.day) FROM days AS d WHERE d.day IS NOT NULL
			) SELECT day FROM days WHERE day >= (SELECT min(forgotten) FROM partitions) ORDER BY day`)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[uint16])
		return err
	})
	return list, err
}

// Prints implements shards.Source.
func (s profileSource) Prints(ctx context.Context, day uint16, after []byte, n int, fn func(shards.Stored)) (next []byte, err error) {
	const appLen = len(model.AppID{})
	app, hash := []byte{}, []byte{}
	if len(after) > appLen {
		app, hash = after[:appLen], after[appLen:]
	}
	count := 0
	err = s.db.each(ctx, func(row pgx.CollectableRow) error {
		var a, h []byte
		if err := row.Scan(&a, &h); err != nil {
			return err
		}
		if len(a) == appLen && len(h) == len(profile.Fingerprint{}) {
			fn(shards.Stored{App: model.AppID(a), Hash: profile.Fingerprint(h)})
		}
		if count++; count == n {
			next = append(append([]byte{}, a...), h...)
		}
		return nil
	}, "SELECT app, hash FROM prints WHERE day = $1 AND (app, hash) > ($2, $3) ORDER BY app, hash LIMIT $4", int32(day), app, hash, n)
	return next, err
}
