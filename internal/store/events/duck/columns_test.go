package duck_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// TestNewColumns opens a file of a version that knew fewer dimensions: the columns come, users that are there stay, and
// the next ones have all their values.
func TestNewColumns(t *testing.T) {
	t.Parallel()
	t.Run("shared tables", func(t *testing.T) { t.Parallel(); newColumns(t, 0, "users") })
	t.Run("own tables", func(t *testing.T) { t.Parallel(); newColumns(t, 1, "u_"+model.AppID{7}.String()) })
}

func newColumns(t *testing.T, own int64, table string) {
	t.Helper()
	opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: own}
	app := model.AppID{7}
	user := func(uid uint32) *model.Profile {
		p := &model.Profile{UID: uid, DID: fmt.Sprint("device ", uid)}
		for i := range p.Dims {
			p.Dims[i] = fmt.Sprint(model.Dimensions[i].Name, " of ", uid)
		}
		return p
	}
	s := open(t, opt)
	eventstest.Commit(t, s, eventstest.Batch(1, app, &events.AppBatch{Users: []*model.Profile{user(1)}}))
	for _, d := range model.Dimensions[1:] {
		if err := duck.Statement(s, `ALTER TABLE `+table+` DROP COLUMN "`+d.Key+`"`); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time nothing is left to do
		s = open(t, opt)
		eventstest.Commit(t, s, eventstest.Batch(2, app, &events.AppBatch{Users: []*model.Profile{user(2)}}))
		got := map[uint32][]string{}
		if err := s.ScanUsers(t.Context(), app, func(r events.UserRow) error {
			got[r.UID()] = r.Differs(user(r.UID()))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var lost []string
		for _, d := range model.Dimensions[1:] {
			lost = append(lost, d.Key)
		}
		slices.Sort(lost)
		slices.Sort(got[1])
		if strings.Join(got[1], " ") != strings.Join(lost, " ") || len(got[2]) != 0 || len(got) != 2 {
			t.Errorf("rows differ in %v", got)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNewStateColumns opens a file of a version that kept dimensions in the JSON of states alone: they come apart, whatever is around
// them, and states that follow have theirs.
func TestNewStateColumns(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]int64{"shared tables": 0, "own tables": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := "states"
			app := model.AppID{7}
			if own > 0 {
				table = "st_" + app.String()
			}
			opt := duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: own}
			s := open(t, opt)
			objects := []string{
				`{"up.cc":"DE","up.av":"5:0","custom.cc":"no"}`, `{"custom.a":["up.cc",{"up.cc":"no"},"}"], "up.cc" : "a\\\"b\u00e4" }`, `{"up.cc":""}`, `{"up.cc":7,"up.p":"iOS"}`, `{}`, `{"custom.x":"\",\"up.cc\":\"no"}`, "",
			}
			want := []string{"DE|5:0|-", `a\"bä|-|-`, "|-|-", "-|-|iOS", "-|-|-", "-|-|-", "-|-|-"}
			number := uint32(0)
			add := func() {
				b := &events.AppBatch{}
				for _, o := range objects {
					number++
					b.States = append(b.States, events.State{Number: number, Offset: uint64(number), UID: 1, JSON: o})
				}
				eventstest.Commit(t, s, eventstest.Batch(uint64(number), app, b))
			}
			check := func(when string, want []string) {
				t.Helper()
				var got []string
				if err := duck.Texts(s, "SELECT coalesce(cc, '-') || '|' || coalesce(av, '-') || '|' || coalesce(p, '-') FROM "+table+" ORDER BY state", &got); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: %s", when, diff)
				}
			}
			add()
			check("written", want)
			for _, d := range model.Dimensions {
				if err := duck.Statement(s, `ALTER TABLE `+table+` DROP COLUMN "`+d.Key+`"`); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // the second time nothing is left to do
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, opt)
				check("opened", want)
			}
			add()
			check("written behind it", append(want, want...))
		})
	}
}
