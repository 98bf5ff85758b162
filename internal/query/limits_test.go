package query_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// ratingCells is the metric of a crowd's ratings.
const ratingCells rollup.Metric = 200

// crowdDay is the last day of a crowd.
var crowdDay = period.DayOf(2031, 5, 14)

// crowd has the cells of three days: each of some values of several series has 500 of a million users on a day.
func crowd(t *testing.T, values int) *memory {
	t.Helper()
	r := rng(t)
	m := &memory{cal: period.NewCalendar(nil), cells: rollup.Delta{}}
	for d := crowdDay - 2; d <= crowdDay; d++ {
		for v := range values {
			users := roaring.New()
			for range 500 {
				users.Add(1 + r.Uint32N(1_000_000))
			}
			c := rollup.Cell{First: 1, Count: 500, Sum: 500, Users: users}
			put := func(metric rollup.Metric, value string) {
				for _, k := range []rollup.Key{{Grain: rollup.Day, Bucket: rollup.Bucket(d)}, {Grain: rollup.Month, Bucket: rollup.Bucket(d.Month())}} {
					k.Series, k.Value = rollup.Series{Metric: metric}, value
					m.cells.At(k).Merge(&c)
				}
			}
			put(rollup.Users, "")
			put(rollup.Devices, fmt.Sprintf("v%d", v))
			put(rollup.Countries, fmt.Sprintf("v%d", v))
			put(rollup.Views, rollup.SubjectValue(uint32(v)))
			put(ratingCells, query.RatingValue(v%3))
		}
	}
	return m
}

// week is the week that ends with the last day of a crowd.
func (m *memory) week(t *testing.T) period.Period {
	t.Helper()
	p, err := period.Parse("7days", time.UnixMilli(m.cal.DayStart(crowdDay)+1000), m.cal)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bounded are limits of reads that share a room.
func bounded(r *room, most int64) query.Limits {
	return query.Limits{
		Enter: func(_ context.Context, n int64) (query.Room, error) {
			own := &share{room: r}
			return own, own.Grow(n)
		},
		Most: most, Timeout: time.Minute,
	}
}

// crowded are reads of a crowd that hold much.
var crowded = map[string]func(context.Context, *query.Query, period.Period) (any, error){
	"rows of a metric": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		return q.MetricRows(ctx, testApp, rollup.Devices, p)
	},
	"users by value": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		return q.UsersByValue(ctx, testApp, rollup.Countries, p)
	},
	"document of a metric": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		text, err := q.MetricDocument(ctx, testApp, "devices", p, query.Whole)
		return string(text), err
	},
	"document of users": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		text, err := q.UsersDocument(ctx, testApp, p, query.Whole)
		return string(text), err
	},
	"active users": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		users, err := q.ActiveUsers(ctx, testApp, p.First, p.Last)
		if err != nil {
			return nil, err
		}
		return users.ToArray(), nil
	},
	"subjects": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		var subjects []uint32
		for v := range uint32(100) {
			subjects = append(subjects, v)
		}
		return q.SubjectRows(ctx, testApp, query.SubjectSeries{Of: rollup.Series{Metric: rollup.Views}}, subjects, p, period.DayStep)
	},
	"courses of values": func(ctx context.Context, q *query.Query, _ period.Period) (any, error) {
		var out []string
		err := q.Courses(ctx, testApp, []query.ValueOf{{Series: rollup.Series{Metric: rollup.Users}}, {Series: rollup.Series{Metric: rollup.Devices}, Value: "v7"}}, func(i int, at []int, c *rollup.Cell, users int64) {
			out = append(out, fmt.Sprint(i, at, c.Count, users))
		})
		return out, err
	},
	"new users of subjects": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		of := query.SubjectSeries{Of: rollup.Series{Metric: rollup.Views}}
		list, err := q.Subjects(ctx, testApp, of, p)
		if err != nil {
			return nil, err
		}
		return list, q.NewOfSubjects(ctx, testApp, of, p, list)
	},
	"spread": func(ctx context.Context, q *query.Query, p period.Period) (any, error) {
		return q.SampleSpread(ctx, testApp, query.SampleCells{Ratings: rollup.Series{Metric: ratingCells}}, p.First, p.Last)
	},
	"course of a spread": func(ctx context.Context, q *query.Query, p period.Period) (out any, err error) {
		var list []query.Spread
		err = q.SampleBuckets(ctx, testApp, query.SampleCells{Ratings: rollup.Series{Metric: ratingCells}}, p, period.DayStep, func(_ period.Bucket, s query.Spread) error {
			list = append(list, s)
			return nil
		})
		return list, err
	},
}

// TestLimits has reads end that would hold more than they may, and answer as without limits where they may hold that.
func TestLimits(t *testing.T) {
	t.Parallel()
	m := crowd(t, 200)
	p := m.week(t)
	free := query.New(query.Plain(m), m)
	for name, read := range crowded {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			small := &room{size: 1 << 30}
			if _, err := read(t.Context(), free.Within(bounded(small, 96<<10)), p); fault.CodeOf(err) != "figures.too_many" || fault.KindOf(err) != fault.Invalid {
				t.Errorf("with little memory: %v", err)
			}
			if small.held != 0 {
				t.Errorf("afterwards %d bytes are held", small.held)
			}
			want, err := read(t.Context(), free, p)
			if err != nil {
				t.Fatal(err)
			}
			enough := &room{size: 32 << 20}
			got, err := read(t.Context(), free.Within(bounded(enough, 32<<20)), p)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
			if enough.held != 0 {
				t.Errorf("afterwards %d bytes are held", enough.held)
			}
		})
	}
}

// TestLimitsAndMemo has reads that are refused leave nothing behind in what is remembered: the next reads have the right answers.
func TestLimitsAndMemo(t *testing.T) {
	t.Parallel()
	w := openWatched(t)
	m := crowd(t, 30)
	p := m.week(t)
	b := w.db.NewBatch()
	if err := pebblerollup.Write(b.Pebble(), testApp, m.cells); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Commit(b); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for round := range 3 {
		for name, read := range crowded {
			want, err := read(t.Context(), w.plain, p)
			if err != nil {
				t.Fatal(err)
			}
			for most := int64(8 << 10); most <= 64<<20; most *= 4 {
				r := &room{size: 1 << 30}
				got, err := read(t.Context(), w.remembering.Within(bounded(r, most)), p)
				switch {
				case fault.CodeOf(err) == "figures.too_many":
					refused++
				case err != nil:
					t.Fatal(err)
				default:
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%s, round %d, within %d bytes:\n%s", name, round, most, diff)
					}
				}
				if r.held != 0 {
					t.Errorf("%s: afterwards %d bytes are held", name, r.held)
				}
			}
		}
		w.add(crowdDay, rollup.Devices, "v7", 1, uint32(round+1)) // some of it is kept up to date from then on
		w.add(crowdDay, rollup.Users, "", 1, uint32(round+1))
	}
	if refused < 10 {
		t.Errorf("%d reads were refused, want more", refused)
	}
}

// halted is a reader that does something at the end of each scan, while its caller holds what it got.
type halted struct {
	*memory
	then func(context.Context) error
}

func (h *halted) Scan(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	if err := h.memory.Scan(ctx, app, s, g, from, to, fn); err != nil {
		return err
	}
	return h.then(ctx)
}

// TestLimitsTogether has reads within others, each while those around it hold what they got: the one for which there is no room ends, all others go on.
func TestLimitsTogether(t *testing.T) {
	t.Parallel()
	m := crowd(t, 200)
	p := m.week(t)
	all := &room{size: 8 << 20}
	h := &halted{memory: m}
	q := query.New(query.Plain(h), m).Within(bounded(all, all.size))
	read := func() error {
		_, err := q.MetricRows(t.Context(), testApp, rollup.Devices, p)
		return err
	}
	depth, refused := 0, 0
	h.then = func(context.Context) error {
		if depth++; depth > 20 {
			return errors.New("twenty reads have room")
		}
		if err := read(); errors.Is(err, errNoRoom) {
			refused++
		} else if err != nil {
			return err
		}
		return nil
	}
	if err := read(); err != nil || depth < 2 || refused != 1 {
		t.Errorf("%d reads went on, %d were refused: %v", depth, refused, err)
	}
	h.then = func(context.Context) error { return nil }
	if err := read(); err != nil || all.held != 0 {
		t.Errorf("afterwards %d bytes are held: %v", all.held, err)
	}
}

// TestLimitOfTime ends a read whose time is over, and that of a statement, with a fault; that of a client who is gone is none.
func TestLimitOfTime(t *testing.T) {
	t.Parallel()
	m := &memory{cal: period.NewCalendar(nil), cells: rollup.Delta{}}
	p := m.week(t)
	read := func(ctx context.Context, timeout time.Duration, then func(context.Context) error) error {
		l := ample()
		l.Timeout = timeout
		_, err := query.New(query.Plain(&halted{m, then}), m).Within(l).MetricRows(ctx, testApp, rollup.Devices, p)
		return err
	}
	wait := func(ctx context.Context) error {
		<-ctx.Done()
		return fmt.Errorf("scan: %w", ctx.Err())
	}
	if err := read(t.Context(), time.Millisecond, wait); fault.CodeOf(err) != "read.too_slow" || fault.KindOf(err) != fault.Invalid {
		t.Errorf("a read over its time: %v", err)
	}
	if err := read(t.Context(), time.Minute, func(context.Context) error { return context.DeadlineExceeded }); fault.CodeOf(err) != "read.too_slow" {
		t.Errorf("a statement over its time: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	err := read(gone, time.Minute, func(ctx context.Context) error {
		cancel()
		return wait(ctx)
	})
	if !errors.Is(err, context.Canceled) || fault.CodeOf(err) != "" {
		t.Errorf("a client who is gone: %v", err)
	}
	impatient, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := read(impatient, time.Minute, wait); !errors.Is(err, context.DeadlineExceeded) || fault.CodeOf(err) != "" {
		t.Errorf("a client whose time is over: %v", err)
	}
}

// watched is a store that does something at each cell.
type watched struct {
	rollup.Reader
	at func()
}

func (w watched) Scan(ctx context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	return w.Reader.Scan(ctx, app, s, g, from, to, func(b rollup.Bucket, value string, c *rollup.Cell) error {
		w.at()
		return fn(b, value, c)
	})
}

// TestReadEndsWithItsClient has a client go away in the middle of a scan.
func TestReadEndsWithItsClient(t *testing.T) {
	t.Parallel()
	w := openWatched(t)
	d := rollup.Delta{}
	for v := range 5000 {
		k := rollup.Key{Series: rollup.Series{Metric: rollup.Devices}, Grain: rollup.Day, Bucket: rollup.Bucket(crowdDay), Value: fmt.Sprint(v)}
		d.At(k).Merge(&rollup.Cell{First: 1, Count: 1, Users: roaring.BitmapOf(1)})
	}
	b := w.db.NewBatch()
	if err := pebblerollup.Write(b.Pebble(), testApp, d); err != nil {
		t.Fatal(err)
	}
	if err := w.db.Commit(b); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	cells := watched{pebblerollup.NewStore(w.db.Reader(), rollup.NoAliases{}), func() {
		if seen++; seen == 1000 {
			cancel()
		}
	}}
	m := &memory{cal: period.NewCalendar(nil)}
	_, err := query.New(query.Plain(cells), m).Within(ample()).MetricRows(ctx, testApp, rollup.Devices, m.week(t))
	if !errors.Is(err, context.Canceled) || seen > 1000+256 {
		t.Errorf("%d cells were read: %v", seen, err)
	}
}

// TestReadsEnter holds that each exported method of Query that takes a context is a read within limits.
func TestReadsEnter(t *testing.T) {
	t.Parallel()
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	reads := 0
	for _, name := range names {
		if !strings.HasSuffix(name.Name(), ".go") || strings.HasSuffix(name.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(name.Name())
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name.Name(), text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() {
				continue
			}
			source := func(n ast.Node) string { return string(text[n.Pos()-1 : n.End()-1]) } // the only file of its set
			if source(f.Recv.List[0].Type) != "*Query" || !strings.HasPrefix(source(f.Type.Params), "(ctx context.Context") {
				continue
			}
			reads++
			if got, want := source(f.Body.List[0]), "defer q.enter(&ctx, &err)()"; got != want {
				t.Errorf("%s begins with %s, want %s", f.Name.Name, got, want)
			}
		}
	}
	if reads < 20 {
		t.Errorf("%d reads were found, want more", reads)
	}
}
