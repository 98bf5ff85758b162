package move

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/profile"
	"quipu/internal/store/profile/stored"
	"quipu/internal/store/rollup"
)

// Figures are what one side of a move holds.
type Figures struct {
	Profiles profile.Reader
	Cells    rollup.AppScanner
	Rows     events.Reader
	// Places is as in Source.
	Places func(p *model.Profile, to func(place uint64) uint64)
}

// sum counts things and adds what they are, in whatever order they come.
type sum struct {
	N    int64
	Hash uint64
}

// tally is what a side has of an app: of each series, and of rows, requests, states and profiles.
type tally struct {
	seed   maphash.Seed
	series map[rollup.Series]sum
	others map[string]sum
}

// Compare reads all that both sides have of each app, places apart from their partition, and returns how they differ.
func Compare(ctx context.Context, apps []model.AppID, a, b Figures, show func(apps int)) (differences []string, err error) {
	seed := maphash.MakeSeed()
	for i, app := range apps {
		if show != nil {
			show(i)
		}
		one, err := a.tally(ctx, seed, app)
		if err != nil {
			return nil, fmt.Errorf("read app %s where it was: %w", app, err)
		}
		two, err := b.tally(ctx, seed, app)
		if err != nil {
			return nil, fmt.Errorf("read app %s where it went: %w", app, err)
		}
		differences = append(differences, one.differs(app, two)...)
	}
	return differences, nil
}

func (t *tally) differs(app model.AppID, o *tally) (out []string) {
	for _, what := range []string{"event rows", "requests", "user states", "profiles", "sequence"} {
		if x, y := t.others[what], o.others[what]; x != y {
			out = append(out, fmt.Sprintf("app %s: %s: %d before and %d now%s", app, what, x.N, y.N, unequal(x, y)))
		}
	}
	all := map[rollup.Series]bool{}
	for s := range t.series {
		all[s] = true
	}
	for s := range o.series {
		all[s] = true
	}
	for s := range all {
		if x, y := t.series[s], o.series[s]; x != y {
			out = append(out, fmt.Sprintf("app %s: cells of metric %d %q: %d before and %d now%s", app, s.Metric, s.Dim, x.N, y.N, unequal(x, y)))
		}
	}
	slices.Sort(out)
	return out
}

func unequal(x, y sum) string {
	if x.N == y.N {
		return ", which are not the same"
	}
	return ""
}

func (f Figures) tally(ctx context.Context, seed maphash.Seed, app model.AppID) (*tally, error) {
	t := &tally{seed: seed, series: map[rollup.Series]sum{}, others: map[string]sum{}}
	err := f.Cells.ScanApp(ctx, app, func(k rollup.Key, c *rollup.Cell) error {
		if c.IsZero() {
			return nil
		}
		s := t.series[k.Series]
		h := t.hash(uint64(k.Grain), uint64(k.Bucket), k.Value, Place(0, c.First), c.Count, c.New, c.Requests, c.Sum, c.Dur, uint64(c.Flags))
		if c.Users != nil && !c.Users.IsEmpty() {
			var users maphash.Hash
			users.SetSeed(seed)
			var b [4]byte
			for it := c.Users.Iterator(); it.HasNext(); {
				binary.LittleEndian.PutUint32(b[:], it.Next())
				_, _ = users.Write(b[:]) // it never fails
			}
			h += users.Sum64()
		}
		t.series[k.Series] = sum{s.N + 1, s.Hash + h}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = f.Rows.ScanRows(ctx, app, events.Place{}, func(r *events.Row) error {
		h := t.hash(Place(0, r.Offset), uint64(r.Item), r.TS, r.Received, r.Key, r.Name, uint64(r.UID), Place(0, r.Session), uint64(r.State), r.Count, r.Sum, r.Dur, int64(r.Hour), int64(r.Dow), r.Extra)
		for i := range r.Text {
			if r.Text[i] != nil {
				h += t.hash(uint64(i), *r.Text[i])
			}
		}
		for i := range r.Num {
			if r.Num[i] != nil {
				h += t.hash(uint64(i), *r.Num[i])
			}
		}
		t.add("event rows", h)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = f.Rows.ScanRequests(ctx, app, events.Place{}, func(r *events.RequestRow) error {
		t.add("requests", t.hash(Place(0, r.Offset), uint64(r.Item), r.TS, r.Received, uint64(r.UID), uint64(r.Flags), r.Dur))
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = f.Rows.ScanStates(ctx, app, 0, func(s *events.State) error {
		t.add("user states", t.hash(uint64(s.Number), Place(0, s.Offset), uint64(s.UID), s.JSON))
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = f.Profiles.Scan(ctx, app, func(p *model.Profile) error {
		body, err := stored.Append(nil, placed(p, 0, f.Places))
		t.add("profiles", t.hash(string(body)))
		return err
	})
	if err != nil {
		return nil, err
	}
	seq, err := f.Profiles.Sequence(ctx, app)
	t.others["sequence"] = sum{seq.Users, t.hash(uint64(seq.UID), uint64(seq.State))}
	return t, err
}

func (t *tally) add(what string, h uint64) {
	s := t.others[what]
	t.others[what] = sum{s.N + 1, s.Hash + h}
}

// hash is that of some values.
func (t *tally) hash(values ...any) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	var b [8]byte
	put := func(n uint64) {
		binary.LittleEndian.PutUint64(b[:], n)
		_, _ = h.Write(b[:]) // it never fails
	}
	for _, v := range values {
		switch v := v.(type) {
		case uint64:
			put(v)
		case int64:
			put(uint64(v)) // its bits
		case float64:
			put(math.Float64bits(v + 0)) // −0 is 0
		case string:
			put(uint64(len(v)))
			_, _ = h.WriteString(strings.ToValidUTF8(v, "\uFFFD")) // as event stores keep texts
		}
	}
	return h.Sum64()
}
