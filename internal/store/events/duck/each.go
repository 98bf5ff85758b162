package duck

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
)

var (
	_ events.Rows = (*Store)(nil)
	_ events.Rows = (*kept)(nil)
)

// eachApps is how many small apps are read together.
const eachApps = 1024

// Each calls fn for apps in turn with a reader of their rows, which is valid until fn returns. The rows of small apps are read
// together, some tens of thousands at a time: with a statement for each of ten thousand apps, opening and planning would
// take minutes. Nothing may be written meanwhile.
func (s *Store) Each(ctx context.Context, apps []model.AppID, fn func(app model.AppID, rows events.Rows) error) error {
	extents, err := s.sharedExtents(ctx)
	if err != nil {
		return fmt.Errorf("measure apps: %w", err)
	}
	known := *s.apps.Load()
	for len(apps) > 0 {
		var (
			numbers = map[uint32]model.AppID{}
			rows    int64
			n       int
		)
		for _, app := range apps[:min(len(apps), eachApps)] {
			if p, ok := known.of(app); ok && !p.own {
				if rows += extents[p.number].rows; n > 0 && rows > s.opt.OwnRows {
					break
				}
				numbers[p.number] = app
			}
			n++
		}
		held, err := s.hold(ctx, numbers)
		if err != nil {
			return fmt.Errorf("read small apps: %w", err)
		}
		for _, app := range apps[:n] {
			var r events.Rows = held
			if p, ok := known.of(app); ok && p.own {
				r = s
			}
			if err := fn(app, r); err != nil {
				return err
			}
		}
		apps = apps[n:]
	}
	return nil
}

// sharedExtents returns the extents of the apps in shared tables, by their numbers.
func (s *Store) sharedExtents(ctx context.Context) (map[uint32]extent, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	var all map[uint32]extent
	err := s.retried(ctx, func() (err error) {
		if err = s.ready(ctx); err == nil {
			all, err = s.measureApps(ctx, 0)
		}
		return classify(err)
	})
	return all, err
}

// kept are all rows of some apps, in order.
type kept struct {
	rows     map[model.AppID][]events.Row
	requests map[model.AppID][]events.RequestRow
	states   map[model.AppID][]events.State
	users    map[model.AppID][]userRow
}

// hold reads all rows of apps in the shared tables, given by their numbers.
func (s *Store) hold(ctx context.Context, apps map[uint32]model.AppID) (*kept, error) {
	k := &kept{map[model.AppID][]events.Row{}, map[model.AppID][]events.RequestRow{}, map[model.AppID][]events.State{}, map[model.AppID][]userRow{}}
	if len(apps) == 0 {
		return k, nil
	}
	var names []string
	for number := range apps {
		names = append(names, strconv.FormatUint(uint64(number), 10))
	}
	from := func(table, columns string) string {
		return "SELECT " + columns + ", " + appColumn + " FROM " + table + " WHERE " + appColumn + " IN (" + strings.Join(names, ",") + ")"
	}
	var number uint32
	row, request, state, user := newRowScan(&number), newRequestScan(&number), newStateScan(&number), newUserScan(&number)
	for _, read := range []struct {
		statement string
		fn        func(events.Scanner) error
	}{
		{from(sharedTables.events, list(eventColumns)), func(r events.Scanner) error {
			v, err := row.scan(r)
			if err == nil {
				k.rows[apps[number]] = append(k.rows[apps[number]], *v)
			}
			return err
		}},
		{from(sharedTables.requests, list(requestColumns)), func(r events.Scanner) error {
			v, err := request.scan(r)
			if err == nil {
				k.requests[apps[number]] = append(k.requests[apps[number]], *v)
			}
			return err
		}},
		{from(sharedTables.states, list(stateColumns)), func(r events.Scanner) error {
			v, err := state.scan(r)
			if err == nil {
				k.states[apps[number]] = append(k.states[apps[number]], *v)
			}
			return err
		}},
		{from(sharedTables.users, list(userColumns)), func(r events.Scanner) error {
			v, err := user.scan(r)
			if err == nil {
				k.users[apps[number]] = append(k.users[apps[number]], v)
			}
			return err
		}},
	} {
		if err := s.ask(ctx, read.statement, read.fn); err != nil {
			return nil, err
		}
	}
	for _, app := range apps {
		slices.SortFunc(k.rows[app], func(a, b events.Row) int { return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Item, b.Item)) })
		slices.SortFunc(k.requests[app], func(a, b events.RequestRow) int {
			return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Item, b.Item))
		})
		slices.SortFunc(k.states[app], func(a, b events.State) int { return cmp.Compare(a.Number, b.Number) })
		slices.SortFunc(k.users[app], func(a, b userRow) int { return cmp.Compare(a.uid, b.uid) })
	}
	return k, nil
}

// after reports whether a row lies behind a place.
func after(p events.Place, off uint64, item uint32) bool {
	return off > p.Offset || off == p.Offset && item > p.Item
}

// ScanRows implements events.Rows.
func (k *kept) ScanRows(_ context.Context, app model.AppID, from events.Place, fn func(*events.Row) error) error {
	for _, r := range k.rows[app] {
		if !after(from, r.Offset, r.Item) {
			continue
		}
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

// ScanRequests implements events.Rows.
func (k *kept) ScanRequests(_ context.Context, app model.AppID, from events.Place, fn func(*events.RequestRow) error) error {
	for _, r := range k.requests[app] {
		if !after(from, r.Offset, r.Item) {
			continue
		}
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

// ScanStates implements events.Rows.
func (k *kept) ScanStates(_ context.Context, app model.AppID, from uint32, fn func(*events.State) error) error {
	for _, st := range k.states[app] {
		if st.Number <= from {
			continue
		}
		if err := fn(&st); err != nil {
			return err
		}
	}
	return nil
}

// ScanUsers implements events.Rows.
func (k *kept) ScanUsers(_ context.Context, app model.AppID, fn func(events.UserRow) error) error {
	for _, u := range k.users[app] {
		if err := fn(u); err != nil {
			return err
		}
	}
	return nil
}
