package duck_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
		if err := s.ScanUsers(t.Context(), app, func(r duck.UserRow) error {
			got[r.UID] = r.Differs(user(r.UID))
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
