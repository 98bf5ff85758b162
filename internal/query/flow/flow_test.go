package flow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/query/flow"
	"quipu/internal/query/funnel"
)

// rowsOf reads rows: a letter a second is what happened, a capital matches the anchor, one with ! behind it the end, and a digit
// behind it is its key.
func rowsOf(text string) []funnel.Row {
	var rows []funnel.Row
	for i, c := range text {
		switch {
		case c == '!':
			rows[len(rows)-1].Match |= flow.EndBit
		case c >= '0' && c <= '9':
			rows[len(rows)-1].Key = uint32(c - '0')
		case c == ' ':
		default:
			r := funnel.Row{TS: int64(i) * 1000, Group: uint32(strings.ToLower(string(c))[0])}
			if c < 'a' {
				r.Match = flow.AnchorBit
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// show writes a path: < and > mean that it goes on, the anchor is a capital.
func show(p flow.Path) string {
	var b strings.Builder
	if !p.Begins {
		b.WriteByte('<')
	}
	for i, g := range p.Groups {
		s := string(rune(g))
		if i == p.Anchor {
			s = strings.ToUpper(s)
		}
		b.WriteString(s)
	}
	if !p.Ends {
		b.WriteByte('>')
	}
	return b.String()
}

func paths(t *testing.T, f flow.Flow, rows []funnel.Row) []string {
	t.Helper()
	w, err := flow.New(f)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	w.User(rows, func(p flow.Path) { out = append(out, show(p)) })
	return out
}

func TestPaths(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		flow flow.Flow
		rows string
		want string
	}{
		"forwards":                              {flow.Flow{After: 3}, "xAbcde", "<Abcd>"},
		"forwards to the end":                   {flow.Flow{After: 5}, "Abc", "Abc"},
		"backwards":                             {flow.Flow{Before: 2}, "abcDe", "<bcD>"},
		"around":                                {flow.Flow{Before: 5, After: 1}, "abCde", "abCd>"},
		"the anchor alone":                      {flow.Flow{After: 5}, "abC", "<C"},
		"no anchor":                             {flow.Flow{After: 5}, "abc", ""},
		"no rows":                               {flow.Flow{After: 5}, "", ""},
		"the first anchor alone":                {flow.Flow{After: 1}, "AbAcAd", "Ab>"},
		"one after another is one step":         {flow.Flow{After: 2}, "AabBcd", "Abc>"},
		"repeats":                               {flow.Flow{After: 2, Repeats: true}, "Aabc", "Aab>"},
		"the second of a step matches":          {flow.Flow{After: 2}, "xaAbb", "<Ab"},
		"until":                                 {flow.Flow{After: 5, Until: true}, "Abc!de!", "Abc>"},
		"until, too far":                        {flow.Flow{After: 1, Until: true}, "Abc!", ""},
		"until, from a later anchor":            {flow.Flow{After: 1, Until: true}, "AxAc!", "<Ac"},
		"until the anchor itself is no end":     {flow.Flow{After: 3, Until: true}, "A!bc", ""},
		"keys":                                  {flow.Flow{After: 3, Keyed: true}, "A1A2b1c2d0", "Ab Ac"},
		"a row without a key":                   {flow.Flow{After: 3, Keyed: true}, "A0b1", ""},
		"a window":                              {flow.Flow{After: 3, Window: 2000}, "Abcdef", "Abc"},
		"several in windows":                    {flow.Flow{After: 1, Window: 9000}, "AbAcdAe", "Ab> <Ac> <Ae"},
		"a window backwards":                    {flow.Flow{Before: 9, Window: 2000}, "abcDefgH", "bcD> fgH"},
		"a path does not reach behind the last": {flow.Flow{Before: 9, After: 1, Window: 9000}, "xAbcAd", "xAb> bcAd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(paths(t, tt.flow, rowsOf(tt.rows)), " "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestMeaningless(t *testing.T) {
	t.Parallel()
	for _, f := range []flow.Flow{{}, {After: -1}, {After: flow.MaxSteps + 1}, {Before: flow.MaxSteps + 1}, {Before: 1, Until: true}, {After: 1, Window: -1}} {
		if _, err := flow.New(f); !errors.Is(err, flow.ErrFlow) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// naive computes the same from the definition, with no regard to cost.
func naive(f flow.Flow, rows []funnel.Row) []string {
	classes := map[uint32][]funnel.Row{}
	for _, r := range rows {
		key := r.Key
		if !f.Keyed {
			key = 1
		}
		if key != 0 {
			classes[key] = append(classes[key], r)
		}
	}
	out := []string{}
	for key := uint32(1); key < 20; key++ {
		var steps []funnel.Row
		for _, r := range classes[key] {
			if n := len(steps); n > 0 && steps[n-1].Group == r.Group && !f.Repeats {
				steps[n-1].Match |= r.Match
			} else {
				steps = append(steps, r)
			}
		}
		begin, from := 0, 0 // where a path may begin, where an anchor may stand
		for i := range steps {
			if i < from || steps[i].Match&flow.AnchorBit == 0 {
				continue
			}
			near := func(j int) bool {
				return f.Window == 0 || steps[j].TS-steps[i].TS <= f.Window && steps[i].TS-steps[j].TS <= f.Window
			}
			var list []int
			for j := begin; j < len(steps); j++ {
				if near(j) && j >= i-f.Before && j <= i+f.After {
					list = append(list, j)
				}
			}
			if f.Until {
				end := slices.IndexFunc(list, func(j int) bool { return j > i && steps[j].Match&flow.EndBit != 0 })
				if end < 0 {
					continue
				}
				list = list[:end+1]
			}
			p := flow.Path{Begins: true, Ends: true}
			for _, j := range list {
				if j == i {
					p.Anchor = len(p.Groups)
				}
				p.Groups = append(p.Groups, steps[j].Group)
			}
			last := list[len(list)-1]
			for j := begin; j < len(steps); j++ {
				if near(j) && j < list[0] {
					p.Begins = false
				}
				if near(j) && j > last {
					p.Ends = false
				}
			}
			out = append(out, show(p))
			if f.Window == 0 {
				break
			}
			begin, from = last, last+1
		}
	}
	return out
}

// TestNaive compares with the naive model on random rows of random flows.
func TestNaive(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 1)) // tests
	found := 0
	for range 20_000 {
		f := flow.Flow{Before: rnd.IntN(4), After: rnd.IntN(4), Keyed: rnd.IntN(2) == 0, Repeats: rnd.IntN(3) == 0}
		f.Until = f.After > 0 && rnd.IntN(3) == 0
		if rnd.IntN(2) == 0 {
			f.Window = int64(1 + rnd.IntN(6))
		}
		if f.Before+f.After == 0 {
			continue
		}
		rows := make([]funnel.Row, rnd.IntN(14))
		ts := int64(0)
		for i := range rows {
			ts += int64(rnd.IntN(3))
			rows[i] = funnel.Row{TS: ts, Group: uint32('a' + rnd.IntN(4)), Key: uint32(rnd.IntN(3))}
			if rnd.IntN(3) == 0 {
				rows[i].Match |= flow.AnchorBit
			}
			if rnd.IntN(3) == 0 {
				rows[i].Match |= flow.EndBit
			}
		}
		got, want := paths(t, f, rows), naive(f, rows)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, %+v, %+v:\n%s", seed, f, rows, diff)
		}
		found += len(got)
	}
	if found < 10_000 {
		t.Errorf("only %d paths", found)
	}
}

func BenchmarkWalker(b *testing.B) {
	for _, f := range []flow.Flow{{After: 10, Keyed: true}, {Before: 5, After: 5, Window: 1 << 40}} {
		b.Run(fmt.Sprintf("%d before %d after", f.Before, f.After), func(b *testing.B) {
			rows := make([]funnel.Row, 100)
			for i := range rows {
				rows[i] = funnel.Row{TS: int64(i), Group: uint32(i % 7), Key: uint32(1 + i/20), Match: uint32(1 / (1 + i%7))}
			}
			w, err := flow.New(f)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				w.User(rows, func(flow.Path) { n++ })
			}
			if n == 0 {
				b.Fatal("no paths")
			}
		})
	}
}
