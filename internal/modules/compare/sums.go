package compare

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
)

// mostSummed is how many apps one read sums up.
const mostSummed = 200

var errManySummed = fault.Newf(fault.Invalid, "compare.too_many", "Maximum length for parameter apps is %d", mostSummed)

// crashes is the name of the permission to read crashes.
const crashes = "crashes"

type sumsReq struct {
	api.Window

	// Apps are the ids of apps, a JSON list; none = all that the caller may compare.
	Apps params.Value `param:"apps"`
}

// counters are what an app, or all, come to.
type counters struct {
	Sessions int64   `json:"sessions"`
	Users    int64   `json:"users"`
	New      int64   `json:"new"`
	Events   int64   `json:"events"`
	Seconds  float64 `json:"seconds"`
	// Crashes are fatal ones, and CrashFree are users without one; nil where the caller may not read crashes.
	Crashes   *int64 `json:"crashes"`
	CrashFree *int64 `json:"crash_free"`
}

// sumRow is an app with its counters.
type sumRow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	counters
}

// totalRow are all apps. Users are people: users of several apps with one device id are one. Shared are those who use more than one app.
type totalRow struct {
	counters
	Shared int64 `json:"shared"`
}

type sumsRes struct {
	Apps  []sumRow `json:"apps"`
	Total totalRow `json:"total"`
	// More is how many further apps the caller may compare, which were not summed up.
	More int `json:"more"`
}

// sums answers what each app comes to in the period, each in its own time zone, and what all come to.
func (s *service) sums(ctx context.Context, c api.Caller, r sumsReq) (out sumsRes, err error) {
	chosen, more, err := s.summed(c, r.Apps)
	if err != nil {
		return out, err
	}
	out.More, out.Apps = more, make([]sumRow, 0, len(chosen))
	users := make([]query.AppUsers, 0, len(chosen))
	free := make([]query.AppUsers, 0, len(chosen))
	total := &out.Total.counters
	all := true
	for _, app := range chosen {
		row, active, crashFree, err := s.sum(ctx, c, app, r.Window)
		if err != nil {
			return out, err
		}
		out.Apps = append(out.Apps, row)
		users = append(users, query.AppUsers{App: app.ID, Users: active})
		total.Sessions = rollup.AddCount(total.Sessions, row.Sessions)
		total.New = rollup.AddCount(total.New, row.New)
		total.Events = rollup.AddCount(total.Events, row.Events)
		total.Seconds = rollup.AddSum(total.Seconds, row.Seconds)
		if row.Crashes == nil {
			all = false
			continue
		}
		if total.Crashes == nil {
			total.Crashes = new(int64)
		}
		*total.Crashes += *row.Crashes
		free = append(free, query.AppUsers{App: app.ID, Users: roaring.AndNot(active, crashFree)}) // who crashed
	}
	if total.Users, out.Total.Shared, err = s.people.Unite(ctx, users); err != nil {
		return out, err
	}
	if !all { // of some apps it is not known who crashed
		total.Crashes = nil
		return out, nil
	}
	crashed, _, err := s.people.Unite(ctx, free)
	if err == nil && len(chosen) > 0 {
		left := total.Users - crashed
		total.CrashFree = &left
	}
	return out, err
}

// sum answers what an app comes to, its active users, and those without a fatal crash where the caller may know them.
func (s *service) sum(ctx context.Context, c api.Caller, app *model.App, w api.Window) (row sumRow, active, free *roaring.Bitmap, err error) {
	row.ID, row.Name = app.ID.String(), app.Name
	p := w.Frame(c, app, &s.zones).ParseOrDefault(w.Period)
	active = roaring.New()
	readsCrashes := auth.Can(c.Member, app.ID, crashes, model.Read)
	if readsCrashes {
		row.Crashes, row.CrashFree = new(int64), new(int64)
	}
	if p.Empty() {
		return row, active, active, nil
	}
	t, err := s.query.Totals(ctx, app.ID, p.First, p.Last)
	if err != nil {
		return row, nil, nil, err
	}
	row.Sessions, row.New, row.Seconds = t.Sessions, t.New, t.Seconds
	events, err := s.query.EventTotals(ctx, app.ID, p)
	if err != nil {
		return row, nil, nil, err
	}
	for i := range events {
		row.Events = rollup.AddCount(row.Events, events[i].Count)
	}
	if active, err = s.query.ActiveUsers(ctx, app.ID, p.First, p.Last); err != nil {
		return row, nil, nil, err
	}
	row.Users = int64(active.GetCardinality()) // at most 2^32
	if !readsCrashes {
		return row, active, nil, nil
	}
	n, crashed, err := s.tables.Crashed(ctx, app.ID, p)
	if err != nil {
		return row, nil, nil, err
	}
	free = roaring.AndNot(active, crashed)
	*row.Crashes, *row.CrashFree = n, int64(free.GetCardinality())
	return row, active, free, nil
}

// summed are the apps that a read names, or all that the caller may compare, by name, and how many of these are left out.
func (s *service) summed(c api.Caller, v params.Value) (chosen []*model.App, more int, err error) {
	if v.String() != "" {
		var ids []string
		if json.Unmarshal(v.Raw(), &ids) == nil && len(ids) > mostSummed {
			return nil, 0, errManySummed
		}
		slices.Sort(ids)
		chosen, err = s.named(c, slices.Compact(ids))
		return chosen, 0, err
	}
	for _, app := range s.apps.All() {
		if c.Identity.AllowsApp(app.ID) && auth.Can(c.Member, app.ID, feature, model.Read) {
			chosen = append(chosen, app)
		}
	}
	slices.SortFunc(chosen, func(a, b *model.App) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	if len(chosen) > mostSummed {
		chosen, more = chosen[:mostSummed], len(chosen)-mostSummed
	}
	return chosen, more, nil
}
