package query_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/schema"
)

func TestParseCountBy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]query.CountBy{"": query.CountUsers, "users": query.CountUsers, "sessions": query.CountSessions, "custom.company": "custom.company", "sg.a b": "sg.a b", "up.cc": "up.cc"} {
		if got, err := query.ParseCountBy(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"user", "uid", "chr", "sg.", "did", "$where", "sg." + strings.Repeat("x", 10_000), "'; DROP TABLE x"} {
		if got, err := query.ParseCountBy(text); fault.CodeOf(err) != "query.bad_count_by" || got != query.CountUsers {
			t.Errorf("%.20q: %q, %v", text, got, err)
		}
	}
}

// unitRow is a random row: who did what, where.
type unitRow struct {
	ts      int64
	user    uint32
	session uint64
	home    string
	key     int
}

// unit is what tells the row's unit; "" = none.
func (r unitRow) unit(by query.CountBy) string {
	switch by {
	case query.CountUsers:
		return fmt.Sprint(r.user)
	case query.CountSessions:
		return strings.TrimPrefix(fmt.Sprint(r.session), "0")
	}
	return r.home
}

// TestUnits compares rows by users, sessions and accounts, as they are read in one pass and in several, with what random rows are when they are looked at
// one by one; and the units that are counted by trends and listed.
func TestUnits(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	s, err := duck.Open(t.Context(), duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), Threads: 1, MemoryLimit: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	const count, keys = 3000, 3
	ab := &events.AppBatch{}
	var rows []unitRow
	homes := []string{"", "Acme", "acme", "'; --", "ü", strings.Repeat("long", 20)}
	for i := range 40 {
		homes = append(homes, fmt.Sprint("home ", i))
	}
	for i := range count {
		u := unitRow{ts: 1000 + r.Int64N(500), user: 1 + r.Uint32N(60), home: homes[r.IntN(len(homes))], key: r.IntN(keys)}
		u.session = uint64(u.user)*10 + r.Uint64N(4)
		if r.IntN(4) == 0 {
			u.session = 0
		}
		rows = append(rows, u)
		row := events.Row{Offset: uint64(i + 1), TS: u.ts, Key: events.CustomKey, Name: fmt.Sprint(u.key), UID: u.user, Session: u.session, Count: 1}
		if u.home != "" || r.IntN(2) == 0 {
			row.Text[0] = &u.home
		}
		ab.Rows = append(ab.Rows, row)
	}
	eventstest.Commit(t, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{testApp: ab}, Watermark: eventstest.At(count)})
	sch := &memory{}
	q := &query.FunnelQuery{To: 1 << 40}
	var all []string
	for key := range keys {
		all = append(all, fmt.Sprint(key))
		sch.events = append(sch.events, schema.Event{Key: all[key], Seq: uint32(key + 1), Segments: []schema.Segment{{Name: "home", Slot: schema.Slot{Kind: schema.Text, Index: 1}}}})
		q.Steps = append(q.Steps, []query.FunnelEvent{{Key: all[key]}})
	}
	tables := query.NewTables(s, sch)
	p, err := period.Parse("[1000,2000]", time.UnixMilli(5000), period.NewCalendar(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []query.CountBy{query.CountUsers, query.CountSessions, "sg.home"} {
		want := map[string]int{} // by what the rows of a unit are
		names := map[string]bool{}
		for unit, of := range inUnits(rows, by) {
			want[textOf(of)]++
			names[unit] = true
		}
		for _, limit := range []int64{1 << 20, 16_000, 6000} {
			f := query.NewFunnels(tables, limit)
			one := *q
			one.CountBy = by
			got, numbers := map[string]int{}, map[uint32]bool{}
			if _, err := f.Each(t.Context(), testApp, &one, func(n uint32, of []funnel.Row) {
				var text strings.Builder
				for _, row := range of {
					fmt.Fprint(&text, row.TS, " ", row.Match, ", ")
				}
				got[text.String()]++
				if numbers[n] {
					t.Errorf("%s: number %d twice", by, n)
				}
				numbers[n] = true
			}); err != nil {
				t.Fatal(by, limit, err)
			}
			for text, n := range want {
				if got[text] != n {
					t.Errorf("%s within %d bytes: %d times %.80s, want %d", by, limit, got[text], text, n)
				}
			}
			if len(got) != len(want) || len(numbers) != len(names) {
				t.Errorf("%s within %d bytes: %d sorts of %d units, want %d of %d", by, limit, len(got), len(numbers), len(want), len(names))
			}
		}
		one := *q
		one.CountBy = by
		list, err := query.NewFunnels(tables, 1<<20).Members(t.Context(), testApp, &one, func([]funnel.Row) bool { return true })
		slices.SortFunc(list, cmp.Compare)
		if err != nil || len(list) != len(names) || slices.ContainsFunc(list, func(name string) bool { return !names[name] }) || len(slices.Compact(list)) != len(names) {
			t.Errorf("%s: members %q, %v", by, list, err)
		}
		if n, err := query.NewFunnels(tables, 1<<20).Users(t.Context(), testApp, &query.FunnelQuery{To: 1 << 40, CountBy: by, UIDs: []uint32{1, 2}}); err != nil || int(n) != len(inUnits(slices.DeleteFunc(slices.Clone(rows), func(u unitRow) bool { return u.user > 2 }), by)) {
			t.Errorf("%s: %d of two users, %v", by, n, err)
		}
		figures, err := tables.TrendTotals(t.Context(), testApp, query.Trend{Events: all, Period: p, CountBy: by})
		if err != nil || int(figures.Users) != len(names) || figures.Count != count {
			t.Errorf("%s: trend %+v, %v", by, figures, err)
		}
		accounts, total, err := tables.TrendAccounts(t.Context(), testApp, query.Trend{Events: all, Period: p, CountBy: by}, 0, 1000)
		if err != nil || int(total) != len(names) || len(accounts) != len(names) {
			t.Errorf("%s: %d of %d accounts, %v", by, len(accounts), total, err)
		}
		for unit, of := range inUnits(rows, by) {
			users := map[uint32]bool{}
			for _, u := range of {
				users[u.user] = true
			}
			if !slices.ContainsFunc(accounts, func(a query.TrendAccount) bool {
				return a.Account == unit && a.Count == int64(len(of)) && a.Users == int64(len(users)) && a.Last == of[len(of)-1].ts
			}) {
				t.Errorf("%s: %d rows of %d users in %q: %+v", by, len(of), len(users), unit, accounts)
			}
		}
	}
	one := *q
	one.CountBy = "sg.home"
	if _, err := query.NewFunnels(tables, 40).Members(t.Context(), testApp, &one, func([]funnel.Row) bool { return true }); fault.CodeOf(err) != "funnels.too_many_events" {
		t.Errorf("an account that does not fit: %v", err)
	}
}

// inUnits are the rows of each unit, in the order of their time and arrival.
func inUnits(rows []unitRow, by query.CountBy) map[string][]unitRow {
	out := map[string][]unitRow{}
	for _, u := range rows {
		if unit := u.unit(by); unit != "" {
			out[unit] = append(out[unit], u)
		}
	}
	for _, of := range out {
		slices.SortStableFunc(of, func(a, b unitRow) int { return cmp.Compare(a.ts, b.ts) })
	}
	return out
}

func textOf(of []unitRow) string {
	var text strings.Builder
	for _, u := range of {
		fmt.Fprint(&text, u.ts, " ", 1<<u.key, ", ")
	}
	return text.String()
}
