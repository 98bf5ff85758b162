package query_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/active"
	"quipu/internal/query/retention"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// BenchmarkRetentionCells asks for the daily retention of 12 months from the cells of 1 M users, of whom 50,000 come on a day: most of them
// in the weeks behind their first session.
func BenchmarkRetentionCells(b *testing.B) {
	db, err := kv.Open(b.Context(), kv.Options{Dir: b.TempDir(), Merger: pebblerollup.Merger()})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	}()
	const people, daily, days = 1_000_000, 50_000, 365
	r := rand.New(rand.NewPCG(1, 2))
	first := period.DayOf(2030, 5, 15)
	for day := range period.Day(days) {
		users := roaring.New()
		known := int(day+1) * people / days
		ids := make([]uint32, daily)
		for i := range ids {
			age := min(int(r.ExpFloat64()*float64(people)/8), known-1)
			ids[i] = uint32(known - age)
		}
		slices.Sort(ids)
		users.AddMany(ids)
		write(b, db, rollup.Delta{rollup.Key{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Day, Bucket: rollup.Bucket(first + day)}: {Count: daily, Users: users}})
	}
	cells := &memory{cal: period.NewCalendar(nil)}
	reads := query.NewRetentions(query.New(query.Plain(pebblerollup.NewStore(db.Reader(), rollup.NoAliases{})), cells), query.NewFunnels(query.NewTables(noRows{}, cells), 64<<20))
	b.Run("active", func(b *testing.B) {
		actives := query.NewActives(query.New(query.Plain(pebblerollup.NewStore(db.Reader(), rollup.NoAliases{})), cells), query.NewFunnels(query.NewTables(noRows{}, cells), 64<<20))
		q := &query.ActiveQuery{Calendar: cells.cal, AppDays: true, Of: sessions, Question: active.Question{First: first + 30, Last: first + days - 1, Known: first + days}}
		for b.Loop() {
			if got, err := actives.Read(b.Context(), testApp, q); err != nil || !got.FromCells || got.Users == 0 {
				b.Fatal(err, got)
			}
		}
	})
	for _, most := range []int{30, 364} {
		for name, first1 := range map[string]bool{"first": true, "recurring": false} {
			for mode, text := range []string{"on", "on_or_after", "on_or_before", "streak"} {
				b.Run(fmt.Sprint(name, "/", text, "/ages=", most), func(b *testing.B) {
					q := retentionOf(b, cells.cal, first, first+days-1, period.DayStep, cells.cal.DayStart(first+days))
					q.First, q.Mode = first1, retention.Mode(mode)
					for age := 1; age <= most; age++ {
						q.Brackets = append(q.Brackets, retention.Bracket{From: age, To: age})
					}
					for b.Loop() {
						if got, err := reads.Read(b.Context(), testApp, q); err != nil || !got.FromCells || got.Users == 0 {
							b.Fatal(err, got)
						}
					}
				})
			}
		}
	}
}

// BenchmarkRetentionSets counts the sets of the same days, whatever it takes to read them: word by word, user by user, and by what is cheaper.
func BenchmarkRetentionSets(b *testing.B) {
	const people, daily, days = 1_000_000, 50_000, 365
	r := rand.New(rand.NewPCG(1, 2))
	first := period.DayOf(2030, 5, 15)
	sets := make([][]uint64, days)
	for day := range sets {
		sets[day] = make([]uint64, people/64+1)
		known := (day + 1) * people / days
		for range daily {
			user := known - min(int(r.ExpFloat64()*float64(people)/8), known-1)
			sets[day][user/64] |= 1 << (user % 64)
		}
	}
	cal := period.NewCalendar(nil)
	units := make([][]uint64, days)
	for _, most := range []int{30, 60, 90, 364} {
		for mode, text := range []string{"on", "on_or_after", "on_or_before"} {
			q := retentionOf(b, cal, first, first+days-1, period.DayStep, cal.DayStart(first+days))
			q.Mode = retention.Mode(mode)
			for age := 1; age <= most; age++ {
				q.Brackets = append(q.Brackets, retention.Bracket{From: age, To: age})
			}
			for _, way := range []struct {
				name        string
				limit, bias int64
			}{{"words", 0, 0}, {"users", 64 << 20, -1 << 50}, {"cheaper", 64 << 20, 0}} {
				b.Run(fmt.Sprint(text, "/ages=", most, "/", way.name), func(b *testing.B) {
					for b.Loop() {
						b.StopTimer()
						for i := range sets {
							units[i] = append(units[i][:0], sets[i]...)
						}
						b.StartTimer()
						if got, err := query.CountSets(b.Context(), q, units, nil, way.limit, way.bias); err != nil || got.Users == 0 {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkRetentionRows asks for the daily retention of a month from a million rows, or as many as QUIPU_ROWS says, of a tenth as many users, of which a tenth are
// starts or returns.
func BenchmarkRetentionRows(b *testing.B) {
	count, err := strconv.Atoi(cmp.Or(os.Getenv("QUIPU_ROWS"), "1000000"))
	if err != nil {
		b.Fatal(err)
	}
	s, err := duck.Open(b.Context(), duck.Options{Path: filepath.Join(b.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	}()
	const month = 30 * 86400_000
	r := rand.New(rand.NewPCG(1, 2))
	for off := 0; off < count; {
		ab := &events.AppBatch{}
		for range min(196_608, count-off) {
			off++
			ab.Rows = append(ab.Rows, events.Row{
				Offset: uint64(off), TS: int64(off)*month/int64(count) + r.Int64N(3000), Key: events.CustomKey, Name: fmt.Sprint("event-", r.IntN(20)),
				UID: 1 + r.Uint32N(uint32(count/10)), Count: 1, Sum: float64(r.IntN(100)),
			})
		}
		eventstest.Commit(b, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{testApp: ab}, Watermark: eventstest.At(uint64(off))})
	}
	cells := &memory{cal: period.NewCalendar(nil)}
	reads := query.NewRetentions(query.New(query.Plain(cells), cells), query.NewFunnels(query.NewTables(s, cells), 64<<20))
	for name, option := range map[string]func(*query.RetentionQuery){
		"recurring": func(*query.RetentionQuery) {},
		"first":     func(q *query.RetentionQuery) { q.First = true },
		"rolling":   func(q *query.RetentionQuery) { q.First, q.Rolling = true, 86400_000 },
		"value":     func(q *query.RetentionQuery) { q.First, q.Value = true, "s" },
		"breakdown": func(q *query.RetentionQuery) { q.First, q.Breakdown = true, "c" },
	} {
		b.Run(name, func(b *testing.B) {
			q := retentionOf(b, cells.cal, 0, 29, period.DayStep, month)
			option(q)
			q.Start, q.Return = []query.FunnelEvent{{Key: "event-1"}}, []query.FunnelEvent{{Key: "event-1"}, {Key: "event-2"}}
			for age := 1; age <= 29; age++ {
				q.Brackets = append(q.Brackets, retention.Bracket{From: age, To: age})
			}
			for b.Loop() {
				if got, err := reads.Read(b.Context(), testApp, q); err != nil || got.FromCells || got.Users == 0 {
					b.Fatal(err, got)
				}
			}
		})
	}
}
