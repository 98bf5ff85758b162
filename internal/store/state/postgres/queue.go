package postgres

import (
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/marks"
	"quipu/internal/store/outbox"
	"quipu/internal/store/profile"
	profilestored "quipu/internal/store/profile/stored"
	"quipu/internal/store/schema"
	schemastored "quipu/internal/store/schema/stored"
	"quipu/internal/store/state"
)

// queue gathers the statements of a change: one of each kind for all that it holds, whatever the number of apps and users.
type queue struct {
	p  *packed
	db *DB
}

func (q queue) add(sql string, args ...any) { q.p.batch.Queue(sql, args...) }

// sized counts the bytes of a value.
func (q queue) sized(value []byte) []byte {
	q.p.bytes += int64(len(value))
	return value
}

// change adds all that a change says but its cells and watermark.
func (q queue) change(c *state.Change) error {
	q.clear(c)
	if err := q.profiles(c.Profiles.Apps); err != nil {
		return err
	}
	if err := q.schema(c.Schema.Apps); err != nil {
		return err
	}
	q.versions(c)
	q.marks(c.Apps)
	q.rows(&c.Rows)
	return nil
}

// cleared tells the tables of an app's profiles and schema, which are emptied before anything is written.
const (
	wipeProfiles = `WITH gone AS (DELETE FROM profiles WHERE app = ANY($1)), pairs AS (DELETE FROM aliases WHERE app = ANY($1)), counts AS (DELETE FROM sequences WHERE app = ANY($1))
		DELETE FROM prints WHERE app = ANY($1) AND day = ANY(ARRAY(WITH RECURSIVE days AS (
			(SELECT min(day) AS day FROM prints) UNION ALL SELECT (SELECT min(p.day) FROM prints AS p WHERE p.day > d.day) FROM days AS d WHERE d.day IS NOT NULL
		) SELECT day FROM days WHERE day IS NOT NULL))`
	wipeSchema = `WITH events AS (DELETE FROM schema_events WHERE app = ANY($1)), subjects AS (DELETE FROM schema_subjects WHERE app = ANY($1)), counters AS (DELETE FROM schema_counters WHERE app = ANY($1))
		DELETE FROM schema_values WHERE app = ANY($1)`
)

// clear removes all of the apps that were cleared.
func (q queue) clear(c *state.Change) {
	var profiles, schemas [][]byte
	for i := range c.Profiles.Apps {
		if a := &c.Profiles.Apps[i]; a.Cleared {
			profiles = append(profiles, a.App[:])
		}
	}
	for i := range c.Schema.Apps {
		if a := &c.Schema.Apps[i]; a.Cleared {
			schemas = append(schemas, a.App[:])
		}
	}
	if len(profiles)+len(schemas) == 0 {
		return
	}
	q.p.slow = true
	q.add("SELECT set_config('statement_timeout', $1, true)", fmt.Sprint((clearing * q.db.o.Patience).Milliseconds()))
	if len(profiles) > 0 {
		q.add(wipeProfiles, profiles)
	}
	if len(schemas) > 0 {
		q.add(wipeSchema, schemas)
	}
}

// profiles adds what changed of profiles, numbers, merges and fingerprints.
func (q queue) profiles(apps []profile.AppChange) error {
	var (
		goneApps, goneIDs              [][]byte
		putApps, putIDs, bodies        [][]byte
		uids                           []int64
		seens                          []*int64
		seqApps                        [][]byte
		seqParts                       []int32
		seqUIDs, seqStates, seqUsers   []int64
		dropApps, aliasApps, printApps [][]byte
		dropped, aliasGone, aliasStays []int64
		printDays, printParts          []int32
		printHashes                    [][]byte
	)
	for i := range apps {
		a := &apps[i]
		app := clone(a.App)
		for k := range a.Profiles {
			c := &a.Profiles[k]
			id := append([]byte(nil), c.ID[:]...)
			if c.Profile == nil {
				if c.Was.Stored {
					goneApps, goneIDs = append(goneApps, app), append(goneIDs, id)
				}
				continue
			}
			body, err := profilestored.Append(nil, c.Profile)
			if err != nil {
				return fmt.Errorf("write profiles of app %s: %w", a.App, err)
			}
			var seen *int64
			if c.Profile.Open.ID != 0 {
				at := max(c.Profile.Open.Seen, 0)
				seen = &at
			}
			putApps, putIDs, bodies = append(putApps, app), append(putIDs, id), append(bodies, q.sized(body))
			uids, seens = append(uids, int64(c.Profile.UID)), append(seens, seen)
		}
		if s := a.Sequence; s != nil {
			seqApps, seqParts = append(seqApps, app), append(seqParts, int32(q.db.Partition(a.App)))
			seqUIDs, seqStates, seqUsers = append(seqUIDs, int64(s.UID)), append(seqStates, int64(s.State)), append(seqUsers, s.Users)
		}
		for old, to := range a.Aliases {
			if to == 0 {
				dropApps, dropped = append(dropApps, app), append(dropped, int64(old))
				continue
			}
			aliasApps, aliasGone, aliasStays = append(aliasApps, app), append(aliasGone, int64(old)), append(aliasStays, int64(to))
		}
		for k := range a.Prints {
			printApps, printDays = append(printApps, app), append(printDays, int32(k.Day))
			printHashes, printParts = append(printHashes, append([]byte(nil), k.Hash[:]...)), append(printParts, int32(q.db.Partition(a.App)))
		}
	}
	if len(goneIDs) > 0 {
		q.add("DELETE FROM profiles AS p USING unnest($1::bytea[], $2::bytea[]) AS u(app, id) WHERE p.app = u.app AND p.id = u.id", goneApps, goneIDs)
	}
	if len(putIDs) > 0 {
		q.add(`INSERT INTO profiles (app, id, uid, seen, body) SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bytea[])
			ON CONFLICT (app, id) DO UPDATE SET uid = EXCLUDED.uid, seen = EXCLUDED.seen, body = EXCLUDED.body`, putApps, putIDs, uids, seens, bodies)
	}
	if len(seqApps) > 0 {
		q.add(`INSERT INTO sequences (app, partition, uid, state, users) SELECT * FROM unnest($1::bytea[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[])
			ON CONFLICT (app) DO UPDATE SET uid = EXCLUDED.uid, state = EXCLUDED.state, users = EXCLUDED.users`, seqApps, seqParts, seqUIDs, seqStates, seqUsers)
	}
	if len(dropped) > 0 {
		q.add("DELETE FROM aliases AS a USING unnest($1::bytea[], $2::bigint[]) AS u(app, gone) WHERE a.app = u.app AND a.gone = u.gone", dropApps, dropped)
	}
	if len(aliasGone) > 0 {
		q.add(`INSERT INTO aliases (app, gone, stays) SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[])
			ON CONFLICT (app, gone) DO UPDATE SET stays = EXCLUDED.stays`, aliasApps, aliasGone, aliasStays)
	}
	if len(printHashes) > 0 {
		q.add(`INSERT INTO prints (day, app, hash, partition) SELECT * FROM unnest($1::integer[], $2::bytea[], $3::bytea[], $4::integer[]) ON CONFLICT DO NOTHING`,
			printDays, printApps, printHashes, printParts)
	}
	return nil
}

// clone copies an id out of what may change.
func clone(app model.AppID) []byte { return append([]byte(nil), app[:]...) }

// schema adds what changed of schemas.
func (q queue) schema(apps []schema.AppChange) error {
	var (
		purgeApps                            [][]byte
		purgeEvents, purgeSegments           []int64
		goneApps                             [][]byte
		gone                                 []int64
		goneSubApps                          [][]byte
		goneKinds                            []int32
		goneNums                             []int64
		evApps, evBodies, subApps, subBodies [][]byte
		evIDs, subNums                       []int64
		subKinds                             []int32
		countApps, counts, valApps, vals     [][]byte
		valEvents, valSegments, ordinals     []int64
	)
	for i := range apps {
		a := &apps[i]
		app := clone(a.App)
		for _, k := range a.Purged {
			purgeApps, purgeEvents, purgeSegments = append(purgeApps, app), append(purgeEvents, int64(k.Event)), append(purgeSegments, int64(k.Segment))
		}
		for _, id := range a.GoneEvents {
			goneApps, gone = append(goneApps, app), append(gone, int64(id))
		}
		for k := range a.Events {
			body, err := q.db.codec.Event(&a.Events[k])
			if err != nil {
				return fmt.Errorf("write schema of app %s: %w", a.App, err)
			}
			evApps, evIDs, evBodies = append(evApps, app), append(evIDs, int64(a.Events[k].ID)), append(evBodies, q.sized(body))
		}
		for _, id := range a.GoneSubjects {
			goneSubApps, goneKinds, goneNums = append(goneSubApps, app), append(goneKinds, int32(id.Kind)), append(goneNums, int64(id.Num))
		}
		for _, r := range a.Subjects {
			body, err := q.db.codec.Subject(r.Subject)
			if err != nil {
				return fmt.Errorf("write schema of app %s: %w", a.App, err)
			}
			subApps, subKinds = append(subApps, app), append(subKinds, int32(r.Kind))
			subNums, subBodies = append(subNums, int64(r.Subject.Num)), append(subBodies, q.sized(body))
		}
		if a.Counters != nil {
			countApps, counts = append(countApps, app), append(counts, schemastored.Counters(*a.Counters))
		}
		for _, v := range a.Values {
			for k, text := range v.Texts {
				valApps, valEvents, valSegments = append(valApps, app), append(valEvents, int64(v.Segment.Event)), append(valSegments, int64(v.Segment.Segment))
				ordinals, vals = append(ordinals, int64(v.First)+int64(k)), append(vals, q.sized([]byte(text)))
			}
		}
	}
	if len(purgeApps) > 0 {
		q.add("DELETE FROM schema_values AS v USING unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS u(app, event, segment) WHERE v.app = u.app AND v.event = u.event AND v.segment = u.segment", purgeApps, purgeEvents, purgeSegments)
	}
	if len(gone) > 0 {
		q.add("DELETE FROM schema_events AS e USING unnest($1::bytea[], $2::bigint[]) AS u(app, id) WHERE e.app = u.app AND e.id = u.id", goneApps, gone)
	}
	if len(evIDs) > 0 {
		q.add(`INSERT INTO schema_events (app, id, body) SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) ON CONFLICT (app, id) DO UPDATE SET body = EXCLUDED.body`, evApps, evIDs, evBodies)
	}
	if len(goneNums) > 0 {
		q.add("DELETE FROM schema_subjects AS s USING unnest($1::bytea[], $2::integer[], $3::bigint[]) AS u(app, kind, num) WHERE s.app = u.app AND s.kind = u.kind AND s.num = u.num", goneSubApps, goneKinds, goneNums)
	}
	if len(subNums) > 0 {
		q.add(`INSERT INTO schema_subjects (app, kind, num, body) SELECT * FROM unnest($1::bytea[], $2::integer[], $3::bigint[], $4::bytea[])
			ON CONFLICT (app, kind, num) DO UPDATE SET body = EXCLUDED.body`, subApps, subKinds, subNums, subBodies)
	}
	if len(countApps) > 0 {
		q.add("INSERT INTO schema_counters (app, body) SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT (app) DO UPDATE SET body = EXCLUDED.body", countApps, counts)
	}
	if len(vals) > 0 {
		q.add(`INSERT INTO schema_values (app, event, segment, ordinal, value) SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
			ON CONFLICT (app, event, segment, ordinal) DO UPDATE SET value = EXCLUDED.value`, valApps, valEvents, valSegments, ordinals, vals)
	}
	return nil
}

// versions counts up what readers keep of the apps whose merges or schema change.
func (q queue) versions(c *state.Change) {
	var apps [][]byte
	var aliases, schemas []int64
	at := map[model.AppID]int{}
	bump := func(app model.AppID, list *[]int64) {
		i, known := at[app]
		if !known {
			i = len(apps)
			at[app] = i
			apps, aliases, schemas = append(apps, clone(app)), append(aliases, 0), append(schemas, 0)
		}
		(*list)[i] = 1
	}
	for i := range c.Profiles.Apps {
		if a := &c.Profiles.Apps[i]; a.Cleared || len(a.Aliases) > 0 {
			bump(a.App, &aliases)
		}
	}
	for i := range c.Schema.Apps {
		if a := &c.Schema.Apps[i]; a.Cleared || len(a.Events)+len(a.GoneEvents)+len(a.Subjects)+len(a.GoneSubjects) > 0 {
			bump(a.App, &schemas)
		}
	}
	if len(apps) > 0 {
		q.add(`INSERT INTO versions (app, aliases, schema) SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[])
			ON CONFLICT (app) DO UPDATE SET aliases = versions.aliases + EXCLUDED.aliases, schema = versions.schema + EXCLUDED.schema`, apps, aliases, schemas)
	}
}

// marks adds the marks and settings that a change leaves each app with.
func (q queue) marks(apps []state.App) {
	type kept struct {
		marks, settings bool // they change
		m               *marks.Marks
		s               []byte
	}
	last, order := map[model.AppID]*kept{}, []model.AppID{}
	for i := range apps {
		a := &apps[i]
		if a.Marks == nil && a.Settings == nil && !a.ForgetMarks && !a.ForgetSettings {
			continue
		}
		k := last[a.ID]
		if k == nil {
			k = &kept{}
			last[a.ID] = k
			order = append(order, a.ID)
		}
		if a.ForgetSettings || a.Settings != nil {
			k.settings, k.s = true, a.Settings
		}
		if a.ForgetMarks || a.Marks != nil {
			k.marks, k.m = true, a.Marks
		}
	}
	for _, app := range order {
		k := last[app]
		switch {
		case !k.marks:
		case k.m == nil:
			q.add("DELETE FROM marks WHERE app = $1", clone(app))
		default:
			q.add(`INSERT INTO marks (app, dropped, deleted, merged, loose) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (app) DO UPDATE
				SET dropped = EXCLUDED.dropped, deleted = EXCLUDED.deleted, merged = EXCLUDED.merged, loose = EXCLUDED.loose`,
				clone(app), k.m.Dropped, int64(k.m.Deleted), int64(k.m.Merged), k.m.Loose) // and back in Marks
		}
		switch {
		case !k.settings:
		case k.s == nil:
			q.add("DELETE FROM settings WHERE app = $1", clone(app))
		default:
			q.add("INSERT INTO settings (app, body) VALUES ($1, $2) ON CONFLICT (app) DO UPDATE SET body = EXCLUDED.body", clone(app), append([]byte(nil), k.s...))
		}
	}
}

// rows adds parts on their way to the event store.
func (q queue) rows(b *outbox.Batch) {
	if len(b.Parts) == 0 {
		return
	}
	apps, values := make([][]byte, len(b.Parts)), make([][]byte, len(b.Parts))
	for i, p := range b.Parts {
		apps[i], values[i] = clone(p.App), q.sized(append([]byte(nil), p.Value...))
	}
	q.add("INSERT INTO outbox (partition, through, app, value) SELECT $1, $2, * FROM unnest($3::bytea[], $4::bytea[])", int32(b.Partition), int64(b.Through), apps, values) // offsets have 48 bits
}
