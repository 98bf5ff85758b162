package peruser_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quipu/internal/period"
	"quipu/internal/query/peruser"
	"quipu/internal/store/rollup"
)

// naive adds up rows one by one.
type naive struct {
	o    peruser.Options
	rows []peruser.Row
}

func (n *naive) rewrite(users map[uint32]uint32) {
	for i := range n.rows {
		if to, ok := users[n.rows[i].UID]; ok {
			n.rows[i].UID = to
		}
	}
}

// shown is a cell that can be compared.
type shown struct {
	Bucket rollup.Bucket
	Value  string
	Cell   rollup.Cell
	Number int64
	Users  []uint32
}

func (n *naive) cells(g peruser.Grain, from, to period.Day, users []uint64, want peruser.Want) []shown {
	type key struct {
		b rollup.Bucket
		v string
	}
	cells := map[key]*rollup.Cell{}
	for i := range n.rows {
		r := &n.rows[i]
		if r.Day < from || r.Day > to || users[r.UID/64]>>(r.UID%64)&1 == 0 {
			continue
		}
		b := bucket(g, r)
		c := cells[key{b, r.Value}]
		if c == nil {
			c = &rollup.Cell{}
			cells[key{b, r.Value}] = c
		}
		add := rollup.Cell{First: r.First, Count: r.Count, New: r.New, Requests: r.Requests, Sum: r.Sum, Dur: r.Dur}
		if n.o.SumFlag && r.Sum != 0 {
			add.Flags |= rollup.HasSum
		}
		if n.o.DurFlag && r.Dur != 0 {
			add.Flags |= rollup.HasDur
		}
		c.MergeCounters(&add)
		if want != peruser.Nothing && (n.o.Users == peruser.AllUsers || n.o.Users == peruser.IfCounted && r.Count > 0) {
			c.AddUser(r.UID)
		}
	}
	var out []shown
	for k, c := range cells {
		if !c.IsZero() {
			out = append(out, show(k.b, k.v, c, int64(c.Uniques()), want)) // few
		}
	}
	slices.SortFunc(out, func(a, b shown) int { return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Value, b.Value)) })
	return out
}

// bucket is the one of a row.
func bucket(g peruser.Grain, r *peruser.Row) rollup.Bucket {
	switch g {
	case peruser.Hour:
		return rollup.Bucket(r.Day.Hour(int(r.Hour)))
	case peruser.Day:
		return rollup.Bucket(r.Day)
	case peruser.Week:
		return rollup.Bucket(r.Day - period.Day(r.Day.Weekday())) // few
	case peruser.Month:
		return rollup.Bucket(r.Day.Month())
	default:
		return 0
	}
}

func show(b rollup.Bucket, v string, c *rollup.Cell, users int64, want peruser.Want) shown {
	s := shown{Bucket: b, Value: v, Cell: *c, Number: users}
	s.Cell.Users = nil
	if c.Users != nil && want == peruser.Set {
		s.Users = c.Users.ToArray()
	}
	return s
}

// different tells what differs between cells: "" if nothing does, as cmp.Diff, which takes long for many equal ones.
func different(want, got []shown) string {
	equal := func(a, b shown) bool {
		return a.Bucket == b.Bucket && a.Value == b.Value && a.Cell == b.Cell && a.Number == b.Number && slices.Equal(a.Users, b.Users)
	}
	if slices.EqualFunc(want, got, equal) {
		return ""
	}
	return cmp.Or(gocmp.Diff(want, got), "they differ")
}

func shownOf(cells []peruser.Cells, want peruser.Want) []shown {
	var out []shown
	for _, c := range cells {
		out = append(out, show(c.Bucket, c.Value, c.Cell, c.Users, want))
	}
	return out
}

// TestSelect compares a series with a naive one, while rows are added and users rewritten. Sums are of eighths, which are the same in each order.
func TestSelect(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1)) // not for secrets
	for round := range 60 {
		o := peruser.Options{Users: peruser.Counting(r.IntN(3)), SumFlag: r.IntN(2) == 0, DurFlag: r.IntN(2) == 0}
		for range r.IntN(3) {
			o.Usual = append(o.Usual, rollup.Cell{Count: int64(r.IntN(2))})
		}
		if len(o.Usual) > 0 && r.IntN(4) == 0 {
			o.Usual[0].Dur, o.Usual[0].Requests = 2.5, -1
		}
		users := uint32(1 + r.IntN(1<<(1+r.IntN(14)))) // few
		s, n := peruser.New(o), &naive{o: o}
		place := uint64(1)<<48 + r.Uint64N(100)
		odd, late := r.IntN(3), r.IntN(3) == 0
		days, clock, values := []int{2, 70}[r.IntN(2)], []int{1, 2, 24}[r.IntN(3)], 1+r.IntN(4) // of few days and values, groups are large
		for step := range 6 {
			for range r.IntN(700) {
				row := peruser.Row{Day: period.Day(20_000 + r.IntN(days)), Hour: uint8(r.IntN(clock)), Value: fmt.Sprint("v", r.IntN(values)), Part: uint8(r.IntN(2)), UID: r.Uint32N(users), First: place}
				place += r.Uint64N(400)
				if late && r.IntN(9) == 0 {
					row.First = r.Uint64N(place)
				}
				u := &rollup.Cell{}
				if len(o.Usual) > 0 {
					u = &o.Usual[min(int(row.Part), len(o.Usual)-1)]
				}
				row.Count, row.New, row.Requests, row.Sum, row.Dur = u.Count, u.New, u.Requests, u.Sum, u.Dur
				if odd > 0 {
					row.Count = []int64{0, 1, 2, 255, 256, -1, 1 << 40}[r.IntN(3*odd)+odd-1]
					row.New, row.Requests = int64(r.IntN(2)), int64(r.IntN(300*odd))
					row.Sum, row.Dur = float64(r.IntN(5000))/8, float64(r.IntN(3)*odd*100)
				}
				s.Add(&row)
				n.rows = append(n.rows, row)
			}
			if r.IntN(2) == 0 {
				s.Compact()
			}
			if r.IntN(2) == 0 {
				to := map[uint32]uint32{r.Uint32N(users): r.Uint32N(users + 70)}
				s.Rewrite(to)
				n.rewrite(to)
			}
			words := make([]uint64, s.Words())
			dense := r.IntN(4)
			for i := range words {
				words[i] = r.Uint64()
				for range dense {
					words[i] &= r.Uint64()
				}
			}
			g, want := peruser.Grain(1+r.IntN(5)), peruser.Want(r.IntN(3)) // few
			from := period.Day(19_990 + r.IntN(80))
			to := from + period.Day(r.IntN(80)) // few
			if r.IntN(8) == 0 {
				from, to = period.Month(0).First(), period.MaxDay // all there are
			}
			expect := n.cells(g, from, to, words, want)
			narrow, ok := s.Narrow(from, to, peruser.NewUsers(words, r.IntN(2) == 0), 1<<40)
			if _, fits := s.Narrow(from, to, peruser.NewUsers(words, r.IntN(2) == 0), 1); !ok || fits != (narrow.Rows() == 0) {
				t.Fatalf("%d rows fit: %v, into a byte: %v", narrow.Rows(), ok, fits)
			}
			for name, of := range map[string]*peruser.Series{"all": s, "narrow": narrow} {
				users := peruser.NewUsers(words, r.IntN(2) == 0)
				if of == narrow {
					users = nil
				}
				cells, ok := of.Select(&peruser.Ask{Grain: g, From: from, To: to, Users: users, Want: want, Room: 1 << 40})
				got := shownOf(cells, want)
				if _, fits := of.Select(&peruser.Ask{Grain: g, From: from, To: to, Users: users, Want: want, Room: 1}); !ok || fits != (len(got) == 0) {
					t.Fatalf("%s: %d cells fit: %v, into a byte: %v", name, len(got), ok, fits)
				}
				if diff := different(expect, got); diff != "" {
					t.Fatalf("%s, round %d, step %d, grain %d, %+v (-want +got):\n%s", name, round, step, g, o, diff)
				}
			}
			within := from + period.Day(r.Int64N(int64(to-from)+1)) // a day
			expect = n.cells(g, within, to, words, want)
			cells, _ := narrow.Select(&peruser.Ask{Grain: g, From: within, To: to, Want: want, Room: 1 << 40})
			if diff := different(expect, shownOf(cells, want)); diff != "" {
				t.Fatalf("days %d to %d of %d on, round %d, step %d, grain %d, %+v (-want +got):\n%s", within, to, from, round, step, g, o, diff)
			}
			if s.Rows() != len(n.rows) || s.Bytes() < int64(4*s.Rows()) {
				t.Fatalf("%d rows, %d bytes", s.Rows(), s.Bytes())
			}
		}
	}
}

// TestSelectMany compares a series of so many rows that several goroutines add them up with a naive one.
func TestSelectMany(t *testing.T) {
	t.Parallel()
	many{rows: 210_000, values: 5}.compare(t) // enough for two goroutines
}

// TestVolumeSelectMany is TestSelectMany with more rows, with hours in order, as most rows have them, and with many values.
func TestVolumeSelectMany(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]many{"hours in any order": {450_000, 5, false}, "hours in order": {450_000, 5, true}, "many values": {60_000, 40, true}} {
		t.Run(name, func(t *testing.T) { t.Parallel(); m.compare(t) })
	}
}

// many are rows whose counters are odd and whose hours are in no order, or small ones with hours in order but for some that are late.
type many struct {
	rows    uint64
	values  int
	ordered bool
}

func (m many) compare(t *testing.T) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2)) // not for secrets
	o := peruser.Options{Usual: []rollup.Cell{{Count: 1}}, Users: peruser.AllUsers, SumFlag: true}
	s, n := peruser.New(o), &naive{o: o}
	for i := range m.rows {
		row := peruser.Row{Day: period.Day(20_000 + r.IntN(70)), Hour: uint8(r.IntN(3)), Value: fmt.Sprint("v", r.IntN(m.values)), UID: r.Uint32N(5000), First: i + 1, Count: 1, Sum: float64(r.IntN(40)) / 8}
		if m.ordered {
			row.Hour, row.New, row.Sum = uint8(i*24/m.rows), int64(r.IntN(2)), float64(r.IntN(9)/8)
			if r.IntN(40) == 0 {
				row.Hour = uint8(r.IntN(24))
			}
			if r.IntN(2000) == 0 {
				row.First = r.Uint64N(i + 1)
			}
		}
		s.Add(&row)
		n.rows = append(n.rows, row)
	}
	words := make([]uint64, s.Words())
	for i := range words {
		words[i] = r.Uint64()
	}
	for _, g := range []peruser.Grain{peruser.Hour, peruser.Day, peruser.Week, peruser.Month, peruser.Whole} {
		all := n.cells(g, 20_001, 20_068, words, peruser.Set)
		for _, want := range []peruser.Want{peruser.Set, peruser.Number, peruser.Nothing} {
			expect := less(all, want)
			ask := peruser.Ask{Grain: g, From: 20_001, To: 20_068, Users: peruser.NewUsers(words, r.IntN(2) == 0), Want: want, Room: 1 << 40}
			cells, ok := s.Select(&ask)
			if diff := different(expect, shownOf(cells, want)); diff != "" || !ok {
				t.Fatalf("grain %d, want %d, %v (-want +got):\n%s", g, want, ok, diff)
			}
			ask.Room = 500
			if _, fits := s.Select(&ask); fits {
				t.Errorf("grain %d: %d cells fit into 500 bytes", g, len(cells))
			}
			ask.Room, ask.Users = 1<<40, nil
			narrow, ok := s.Narrow(20_001, 20_068, peruser.NewUsers(words, r.IntN(2) == 0), 1<<40)
			if !ok {
				t.Fatal("rows do not fit")
			}
			again, _ := narrow.Select(&ask)
			if diff := different(shownOf(cells, want), shownOf(again, want)); diff != "" {
				t.Fatalf("grain %d, want %d (-all +narrow):\n%s", g, want, diff)
			}
		}
	}
}

// less are cells without what is not wanted of their users.
func less(cells []shown, want peruser.Want) []shown {
	cells = slices.Clone(cells)
	for i := range cells {
		if want != peruser.Set {
			cells[i].Users = nil
		}
		if want == peruser.Nothing {
			cells[i].Number = 0
		}
	}
	return cells
}

// BenchmarkSelect adds up a third of a million users of 2 million rows of a month.
func BenchmarkSelect(b *testing.B) {
	s := peruser.New(peruser.Options{Usual: []rollup.Cell{{Count: 1}}, Users: peruser.AllUsers})
	r := rand.New(rand.NewPCG(1, 1)) // not for secrets
	for i := range uint64(2_000_000) {
		s.Add(&peruser.Row{Day: period.Day(i * 30 / 2_000_000), Value: "", UID: r.Uint32N(1_000_000), First: i + 1, Count: 1}) // few
	}
	s.Compact()
	words := make([]uint64, s.Words())
	for i := range words {
		words[i] = 0x9249249249249249
	}
	users := peruser.NewUsers(words, true)
	narrow, _ := s.Narrow(0, 30, users, 1<<40)
	for name, g := range map[string]peruser.Grain{"day": peruser.Day, "whole": peruser.Whole} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.Select(&peruser.Ask{Grain: g, To: 30, Users: users, Want: peruser.Set, Room: 1 << 40})
			}
			b.ReportMetric(float64(s.Bytes())/float64(s.Rows()), "B/row")
		})
		b.Run(name+"/narrow", func(b *testing.B) {
			for b.Loop() {
				narrow.Select(&peruser.Ask{Grain: g, To: 30, Want: peruser.Set, Room: 1 << 40})
			}
		})
	}
	b.Run("narrow", func(b *testing.B) {
		for b.Loop() {
			s.Narrow(0, 30, users, 1<<40)
		}
	})
}

// BenchmarkDocument makes what a document of sessions shows of a third of a million users: 2 million sessions of a month, with a request each, by hour, and by value.
func BenchmarkDocument(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1)) // not for secrets
	sessions := peruser.New(peruser.Options{Usual: []rollup.Cell{{Count: 1}, {Requests: 1}}, Users: peruser.IfCounted, DurFlag: true})
	often := peruser.New(peruser.Options{Usual: []rollup.Cell{{Count: 1}}})
	countries := peruser.New(peruser.Options{Usual: []rollup.Cell{{Count: 1}}, Users: peruser.AllUsers})
	for i := range uint64(2_000_000) {
		row := peruser.Row{Day: period.Day(i * 30 / 2_000_000), Hour: uint8(i * 720 / 2_000_000 % 24), UID: 1 + r.Uint32N(1_000_000), First: i + 1, Count: 1} // few
		sessions.Add(&row)
		request := row
		request.Part, request.Count, request.Requests, request.Dur = 1, 0, 1, 1
		sessions.Add(&request)
		row.Hour = 0
		often.Add(&row)
		row.Value = fmt.Sprint(row.UID % (1 + row.UID%60))
		countries.Add(&row)
	}
	for _, s := range []*peruser.Series{sessions, often, countries} {
		s.Compact()
	}
	words := make([]uint64, sessions.Words())
	for uid := uint32(3); uid <= 1_000_000; uid += 3 {
		words[uid/64] |= 1 << (uid % 64)
	}
	cells := func(b *testing.B, s *peruser.Series, want peruser.Want, grains ...peruser.Grain) {
		b.Helper()
		for _, g := range grains {
			if out, ok := s.Select(&peruser.Ask{Grain: g, To: 30, Want: want, Room: 1 << 40}); !ok || len(out) == 0 {
				b.Fatal("nothing")
			}
		}
	}
	for b.Loop() {
		users := peruser.NewUsers(words, true)
		for s, want := range map[*peruser.Series]peruser.Want{sessions: peruser.Number, often: peruser.Nothing, countries: peruser.Number} {
			narrow, ok := s.Narrow(0, 30, users, 1<<40)
			if !ok {
				b.Fatal("no room")
			}
			cells(b, narrow, want, peruser.Month, peruser.Day, peruser.Week)
			if want == peruser.Number {
				cells(b, narrow, want, peruser.Whole)
			}
			if s == sessions {
				cells(b, narrow, want, peruser.Hour)
			}
		}
	}
}
