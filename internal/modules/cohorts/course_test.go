package cohorts_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quipu/internal/modules/cohorts"
	"quipu/internal/period"
	"quipu/internal/query"
)

func compareRows(a, b cohorts.Passing) int {
	return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.Off, b.Off), cmp.Compare(a.Item, b.Item))
}

// naiveDays are the days on which the last of some stages was met, found by trying each row before.
func naiveDays(within []int64, rows []cohorts.Passing) map[period.Day]bool {
	slices.SortStableFunc(rows, compareRows)
	met := make([][]bool, len(within)) // by stage, by row: the stage was met there, behind those before it
	out := map[period.Day]bool{}
	for stage := range within {
		met[stage] = make([]bool, len(rows))
		for i, r := range rows {
			if r.Stage != stage {
				continue
			}
			met[stage][i] = stage == 0
			for j := i - 1; j >= 0 && stage > 0 && r.TS-rows[j].TS <= within[stage]; j-- {
				if met[stage-1][j] && compareRows(rows[j], r) < 0 {
					met[stage][i] = true
					break
				}
			}
			if met[stage][i] && stage == len(within)-1 {
				out[period.Day(r.TS/86400_000)] = true
			}
		}
	}
	return out
}

// TestLateRows compares courses to which rows come early and late with the naive way.
func TestLateRows(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1)) // not for secrets
	const day = 86400_000
	for range 60 {
		within := make([]int64, 2+r.IntN(3))
		for i := range within {
			within[i] = []int64{1, 60_000, day / 4, 3 * day}[r.IntN(4)]
		}
		c := cohorts.NewCourse(within)
		var rows []cohorts.Passing
		now, off := int64(10*day), uint64(0)
		rare := r.IntN(3) // a stage that is seldom met
		for range 40 {
			var batch []cohorts.Passing
			for range r.IntN(60) {
				off++
				now += r.Int64N(day / 50)
				at := now
				switch r.IntN(12) {
				case 0:
					at -= r.Int64N(day / 10)
				case 1:
					at = r.Int64N(now)
				case 2:
					if len(rows) > 0 { // at the same time as another
						at = rows[r.IntN(len(rows))].TS
					}
				}
				p := cohorts.Passing{Moment: query.Moment{TS: at, Off: off, Item: r.Uint32N(3)}, Stage: r.IntN(len(within))}
				if p.Stage == rare && r.IntN(30) > 0 {
					p.Stage = (rare + 1) % len(within)
				}
				batch = append(batch, p)
				if r.IntN(10) == 0 { // the row is met by another stage, too
					p.Stage = (p.Stage + 1) % len(within)
					batch = append(batch, p)
				}
			}
			slices.SortStableFunc(batch, compareRows)
			rows = append(rows, batch...)
			n := c.Add(batch)
			want := naiveDays(within, rows)
			if diff := gocmp.Diff(want, c.Days()); diff != "" {
				t.Fatalf("within %v, %d rows (-want +got):\n%s", within, len(rows), diff)
			}
			distinct := slices.CompactFunc(slices.Clone(rows), func(a, b cohorts.Passing) bool { return a.Moment == b.Moment })
			if n != len(distinct) {
				t.Fatalf("%d moments, want %d", n, len(distinct))
			}
		}
	}
}

// BenchmarkLateRows adds a row to one user's course of 50,000, each at some distance from its end.
func BenchmarkLateRows(b *testing.B) {
	for name, back := range map[string]int64{"last": 0, "an hour": 3600_000, "a month": 30 * 86400_000} {
		b.Run(name, func(b *testing.B) {
			c := cohorts.NewCourse([]int64{0, 3600_000, 3600_000})
			const rows, step = 50_000, 60_000
			var list []cohorts.Passing
			for i := range rows {
				list = append(list, cohorts.Passing{Moment: query.Moment{TS: int64(i) * step, Off: uint64(i)}, Stage: i % 3}) // few
			}
			c.Add(list)
			off := uint64(rows)
			for b.Loop() {
				off++
				c.Add([]cohorts.Passing{{Moment: query.Moment{TS: rows*step - back + int64(off%1000), Off: off}, Stage: int(off % 3)}}) // few
			}
		})
	}
}
