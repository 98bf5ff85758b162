package query_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/kv"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/schema"
)

// BenchmarkReads reads from the embedded store: 1 M users over a year, of whom
// some 100,000 come on a day, from 60 countries; 100 event keys.
func BenchmarkReads(b *testing.B) {
	ctx := b.Context()
	changes := &pebblerollup.Changes{}
	db, err := kv.Open(ctx, kv.Options{Dir: b.TempDir(), Merger: pebblerollup.Merger(), Watch: changes.Watch})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	}()
	const (
		people    = 1_000_000
		daily     = 100_000
		countries = 60
		keys      = 100
	)
	r := rand.New(rand.NewPCG(1, 2))
	cal := period.NewCalendar(nil)
	last := period.DayOf(2031, 5, 14)
	sch := &memory{cal: cal}
	months := rollup.Delta{}
	for d := period.DayOf(2030, 6, 1); d <= last; d++ {
		delta := rollup.Delta{}
		put := func(s rollup.Series, value string, users *roaring.Bitmap, n int64) {
			c := rollup.Cell{First: uint64(d), Count: n, New: n / 20, Requests: 2 * n, Dur: float64(60 * n), Flags: rollup.HasDur, Users: users}
			delta.At(rollup.Key{Series: s, Grain: rollup.Day, Bucket: rollup.Bucket(d), Value: value}).Merge(&c)
			months.At(rollup.Key{Series: s, Grain: rollup.Month, Bucket: rollup.Bucket(d.Month()), Value: value}).Merge(&c)
		}
		all := roaring.New()
		parts := make([]*roaring.Bitmap, countries)
		for i := range parts {
			parts[i] = roaring.New()
		}
		ids := make([]uint32, daily)
		for i := range ids {
			ids[i] = uint32(r.IntN(people))
		}
		slices.Sort(ids)
		all.AddMany(ids)
		for _, id := range ids {
			parts[int(id)%countries*(int(id)%countries)/countries].Add(id)
		}
		put(rollup.Series{Metric: rollup.Users}, "", all, daily)
		for i, p := range parts {
			if !p.IsEmpty() {
				put(rollup.Series{Metric: rollup.Countries}, fmt.Sprintf("%c%c", 'A'+i/26, 'A'+i%26), p, int64(p.GetCardinality()))
				put(rollup.Series{Metric: rollup.Devices}, fmt.Sprintf("Device %d", i), p, int64(p.GetCardinality()))
			}
		}
		for i, m := range []rollup.Metric{rollup.OS, rollup.Carriers, rollup.Resolutions} {
			for j := range 4 {
				put(rollup.Series{Metric: m}, fmt.Sprintf("v%d-%d", i, j), parts[j], 100)
			}
		}
		for i := range 12 {
			put(rollup.Series{Metric: rollup.Frequency}, fmt.Sprint(i), nil, 1000)
			put(rollup.Series{Metric: rollup.Durations}, fmt.Sprint(i%8), nil, 1000)
		}
		for k := range keys {
			put(rollup.Series{Metric: rollup.Events}, fmt.Sprintf("event %d", k), nil, 1000)
		}
		for h := range 24 {
			at := rollup.Bucket(d.Hour(h))
			c := rollup.Cell{First: 1, Count: 10, Requests: 20, Users: parts[h]}
			delta.At(rollup.Key{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Hour, Bucket: at}).Merge(&c)
			for k := range keys {
				c := rollup.Cell{First: 1, Count: 10}
				delta.At(rollup.Key{Series: rollup.Series{Metric: rollup.Events}, Grain: rollup.Hour, Bucket: at, Value: fmt.Sprintf("event %d", k)}).Merge(&c)
			}
		}
		write(b, db, delta)
	}
	write(b, db, months)
	for k := range keys {
		sch.events = append(sch.events, schema.Event{Key: fmt.Sprintf("event %d", k), Seq: uint32(k + 1)})
	}

	// Today's cells change before every read, as on a server in use.
	now := rollup.Delta{}
	for _, m := range []rollup.Metric{rollup.Users, rollup.Countries, rollup.Devices} {
		for _, g := range []rollup.Key{
			{Grain: rollup.Day, Bucket: rollup.Bucket(last)}, {Grain: rollup.Month, Bucket: rollup.Bucket(last.Month())},
		} {
			g.Series = rollup.Series{Metric: m}
			now.At(g).Merge(&rollup.Cell{First: 1, Count: 1, Users: roaring.BitmapOf(7)})
		}
	}
	store := pebblerollup.NewStore(db.Reader(), rollup.NoAliases{})
	news := func(b *testing.B) {
		b.Helper()
		write(b, db, now)
	}
	b.Run("remembering", func(b *testing.B) {
		benchReads(b, query.New(query.Remember(store.Watched(changes), 64<<20), sch).Within(ample()), news, last, cal)
	})
	b.Run("plain", func(b *testing.B) { benchReads(b, query.New(query.Plain(store), sch).Within(ample()), news, last, cal) })

	// Before every read somebody new signs in, and so is merged into whom they were before.
	profiles, err := pebbleprofile.Open(db, pebbleprofile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	store = pebblerollup.NewStore(db.Reader(), profiles)
	stranger := uint32(people)
	b.Run("merging", func(b *testing.B) {
		benchReads(b, query.New(query.Remember(store.Watched(changes), 64<<20), sch).Within(ample()), func(b *testing.B) {
			b.Helper()
			stranger++
			for _, c := range now {
				c.Users = roaring.BitmapOf(stranger)
			}
			write(b, db, now)
			if err := profiles.PutAlias(testApp, stranger, 7); err != nil {
				b.Fatal(err)
			}
			c, end, err := profiles.Flush()
			if err != nil {
				b.Fatal(err)
			}
			batch := db.NewBatch()
			batch.OnEnd(end)
			if err := errors.Join(pebbleprofile.NewWriter(db).Write(batch, &c), db.CommitNoSync(batch)); err != nil {
				b.Fatal(err)
			}
		}, last, cal)
	})
}

func benchReads(b *testing.B, q *query.Query, news func(*testing.B), last period.Day, cal *period.Calendar) {
	b.Helper()
	ctx := b.Context()
	p, err := period.Parse("30days", time.UnixMilli(cal.DayStart(last)+1000), cal)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		read func() error
	}{
		{"summary", func() error { _, err := q.Summary(ctx, testApp, p); return err }},
		{"total_users", func() error { _, err := q.TotalUsers(ctx, testApp, p); return err }},
		{"sessions", func() error { _, err := q.SessionRows(ctx, testApp, p, period.AutoStep); return err }},
		{"countries", func() error { _, err := q.CountryRows(ctx, testApp, p, 10); return err }},
		{"users_document", func() error { _, err := q.UsersDocument(ctx, testApp, p, query.Whole); return err }},
		{"users_refresh", func() error { _, err := q.UsersDocument(ctx, testApp, p, query.Refresh); return err }},
		{"devices_document", func() error { _, err := q.MetricDocument(ctx, testApp, "devices", p, query.Whole); return err }},
		{"event_document", func() error {
			_, err := q.EventDocument(ctx, testApp, []string{"event 7"}, "", p, query.Whole)
			return err
		}},
		{"event_rows", func() error { _, err := q.EventRows(ctx, testApp, single("event 7"), p, period.AutoStep); return err }},
		{"event_totals", func() error { _, err := q.EventTotals(ctx, testApp, p); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				news(b)
				b.StartTimer()
				if err := c.read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func write(b *testing.B, db *kv.DB, d rollup.Delta) {
	b.Helper()
	batch := db.NewBatch()
	if err := pebblerollup.Write(batch.Pebble(), testApp, d); err != nil {
		b.Fatal(err)
	}
	if err := db.CommitNoSync(batch); err != nil {
		b.Fatal(err)
	}
}
