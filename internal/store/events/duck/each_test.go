package duck_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// TestEach reads small apps together, large ones between them, and apps that the store does not know.
func TestEach(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 50})
	var apps []model.AppID
	for i := range 40 {
		id := model.AppID{4, byte(i)}
		apps = append(apps, id, model.AppID{5, byte(i)})
		n := 1 + i%13 // so that some twenty apps are read together
		if i%10 == 7 {
			n = 60
		}
		for off := uint64(i*2 + 1); off <= uint64(i*2+2); off++ {
			b := batch(off, n, id)
			for j := range b.Apps[id].States {
				b.Apps[id].States[j].JSON = `{"custom.of":"` + id.String() + `"}`
			}
			eventstest.Commit(t, s, b)
		}
	}
	var seen []model.AppID
	own := 0
	err := s.Each(ctx, apps, func(app model.AppID, rows events.Rows) error {
		seen = append(seen, app)
		if s.Own(app) {
			own++
		}
		var got eventstest.Contents
		err := errors.Join(
			rows.ScanRows(ctx, app, events.Place{}, func(r *events.Row) error { got.Rows = append(got.Rows, *r); return nil }),
			rows.ScanRequests(ctx, app, events.Place{}, func(r *events.RequestRow) error { got.Requests = append(got.Requests, *r); return nil }),
			rows.ScanStates(ctx, app, 0, func(st *events.State) error { got.States = append(got.States, *st); return nil }),
			rows.ScanUsers(ctx, app, func(u events.UserRow) error {
				got.Users = append(got.Users, u.UID())
				if differs := u.Differs(&model.Profile{UID: u.UID(), DID: fmt.Sprint("device ", u.UID()-1)}); len(differs) > 0 {
					t.Errorf("user %d differs in %v", u.UID(), differs)
				}
				return nil
			}),
		)
		if diff := cmp.Diff(eventstest.Dump(t, s, app), got, cmpopts.EquateEmpty()); diff != "" { //nolint:contextcheck // reads a store of the test
			t.Errorf("app %s (-store +together):\n%s", app, diff)
		}
		if len(got.Rows) < 2 {
			return err
		}
		after := events.Place{Offset: got.Rows[0].Offset, Item: got.Rows[0].Item}
		n := 0
		err = errors.Join(err, rows.ScanRows(ctx, app, after, func(*events.Row) error { n++; return nil }))
		if n != len(got.Rows)-1 {
			t.Errorf("app %s has %d rows behind the first one, want %d", app, n, len(got.Rows)-1)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(apps, seen); diff != "" || own != 4 {
		t.Errorf("%d large apps; apps (-want +got):\n%s", own, diff)
	}
}
