package apps

import (
	"context"
	"errors"
	"math"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
)

// packed is an app in lists.
type packed struct {
	ID       model.AppID `json:"_id"`
	Name     string      `json:"name"`
	Key      string      `json:"key"`
	Country  string      `json:"country"`
	Timezone string      `json:"timezone"`
	Category string      `json:"category"`
	Type     string      `json:"type"`
	Salt     string      `json:"salt,omitempty"`
	HasImage bool        `json:"has_image"`
}

func pack(a *model.App) packed {
	return packed{a.ID, a.Name, a.Key, a.Country, a.Timezone, a.Category, a.Type, a.Salt, a.HasImage}
}

// lists holds apps by id, those administered and those used.
type lists struct {
	Admin map[string]packed `json:"admin_of"`
	User  map[string]packed `json:"user_of"`
}

// held is an app in a table, with what the caller is in it.
type held struct {
	packed
	Admin bool `json:"admin_of"`
	User  bool `json:"user_of"`
}

type listReq struct{ api.List }

// maxPage is how many apps an answer has at most.
const maxPage = 10_000

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{
			{Name: "name", Field: "name"},
			{Name: "created_at", Field: ".created_at"},
			{Name: "country", Field: ".country"},
			{Name: "timezone", Field: ".timezone"},
			{Name: "category", Field: ".category"},
			{Name: "type", Field: ".type"},
		},
		Sort: "name", Usual: maxPage, Most: maxPage,
	}
}

// all answers for administrators of the server, mine for everybody, with maps of apps by id, or a table.
func (s *service) all(ctx context.Context, c api.Caller, r listReq) (any, error) {
	return s.list(ctx, c, r)
}

func (s *service) mine(ctx context.Context, c api.Caller, r listReq) (any, error) {
	return s.list(ctx, c, r)
}

// list sorts the apps into those a member administers and those it uses; a
// global administrator has all in both.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (any, error) {
	q, m := r.Query(listing()), c.Member
	if !m.GlobalAdmin {
		mine := []any{}
		for _, a := range s.apps.All() {
			if auth.IsAppAdmin(m, a.ID) || auth.IsAppUser(m, a.ID) {
				mine = append(mine, a.ID.String())
			}
		}
		q.Where = []docs.Cond{docs.In("", mine...)}
	}
	p, err := s.apps.List(ctx, q)
	if err != nil {
		return nil, err
	}
	table := api.TableOf(r.List, p, func(a model.App) held {
		return held{packed: pack(&a), Admin: auth.IsAppAdmin(m, a.ID), User: m.GlobalAdmin || auth.IsAppUser(m, a.ID)}
	})
	if r.InTable() {
		return table, nil
	}
	out := lists{Admin: map[string]packed{}, User: map[string]packed{}}
	for _, a := range table.Rows {
		if a.Admin {
			out.Admin[a.ID.String()] = a.packed
		}
		if a.User {
			out.User[a.ID.String()] = a.packed
		}
	}
	return out, nil
}

// allApps answers a map by id, or a table.
func (s *service) allApps(ctx context.Context, _ api.Caller, r listReq) (any, error) {
	p, err := s.apps.List(ctx, r.Query(listing()))
	if err != nil {
		return nil, err
	}
	table := api.TableOf(r.List, p, func(a model.App) packed { return pack(&a) })
	if r.InTable() {
		return table, nil
	}
	out := map[string]packed{}
	for _, a := range table.Rows {
		out[a.ID.String()] = a
	}
	return out, nil
}

// person is a member in the lists of an app.
type person struct {
	ID       model.MemberID `json:"_id"`
	FullName string         `json:"full_name"`
	Username string         `json:"username"`
}

type details struct {
	App struct {
		Owner         string         `json:"owner"`
		OwnerID       model.MemberID `json:"owner_id"`
		CreatedAt     int64          `json:"created_at"`
		EditedAt      int64          `json:"edited_at"`
		Plugins       map[string]any `json:"plugins"`
		LastData      int64          `json:"last_data"`       // s, 0 = never
		LastDataUsers int64          `json:"last_data_users"` // s, last activity of a user, 0 = never
	} `json:"app"`
	GlobalAdmin []person `json:"global_admin"`
	Admin       []person `json:"admin"`
	User        []person `json:"user"`
}

func (s *service) details(ctx context.Context, c api.Caller, _ api.None) (details, error) {
	d := details{GlobalAdmin: []person{}, Admin: []person{}, User: []person{}}
	members, err := s.auth.Members(ctx)
	if err != nil {
		return d, err
	}
	a := &d.App
	a.OwnerID, a.CreatedAt, a.EditedAt, a.Plugins = c.App.Owner, c.App.CreatedAt, c.App.EditedAt, c.App.Plugins
	if a.LastDataUsers, err = s.lastActivity(ctx, c.App.ID); err != nil {
		return d, err
	}
	if a.LastData, err = s.lastData(ctx, c.App); err != nil {
		return d, err
	}
	if a.Plugins == nil {
		a.Plugins = map[string]any{}
	}
	for _, m := range members {
		p := person{m.ID, m.FullName, m.Username}
		if m.ID == c.App.Owner {
			a.Owner = m.FullName
		}
		if m.GlobalAdmin {
			d.GlobalAdmin = append(d.GlobalAdmin, p)
			continue
		}
		if auth.IsAppAdmin(&m, c.App.ID) {
			d.Admin = append(d.Admin, p)
		}
		if auth.IsAppUser(&m, c.App.ID) {
			d.User = append(d.User, p)
		}
	}
	return d, nil
}

type pluginsReq struct {
	AppID string `param:"app_id"`
	Name  string `param:"name"`
}

func (s *service) plugins(_ context.Context, _ api.Caller, r pluginsReq) (any, error) {
	if r.AppID == "" {
		return nil, invalid("apps.missing_app_id", "Error: Missing app_id argument")
	}
	id, err := model.ParseID(r.AppID)
	if err != nil {
		return nil, invalid("apps.not_found", "Error getting app plugins: App not found")
	}
	app := s.apps.ByID(id)
	if app == nil {
		return nil, invalid("apps.not_found", "Error getting app plugins: App not found")
	}
	plugins := app.Plugins
	if one, ok := plugins[r.Name]; ok {
		plugins = map[string]any{r.Name: one}
	}
	if plugins == nil {
		plugins = map[string]any{}
	}
	return map[string]any{"plugins": plugins}, nil
}

// lastActivity returns when a user was last active (s), 0 for never.
func (s *service) lastActivity(ctx context.Context, app model.AppID) (int64, error) {
	uids, _, err := s.people.List(ctx, app, query.Page{Sort: "lac", Desc: true, Limit: 1})
	if err != nil || len(uids) == 0 {
		return 0, err
	}
	p, err := s.data.Profiles.ByUID(ctx, app, uids[0])
	if errors.Is(err, profile.ErrNotFound) {
		return 0, nil // deleted since it was listed
	}
	if err != nil {
		return 0, err
	}
	return p.LastActivity, nil
}

// lastData returns the start (s) of the newest hour with data, 0 for none. Cells
// are scanned at the coarse grain first, so it reads few of them.
func (s *service) lastData(ctx context.Context, app *model.App) (int64, error) {
	last := func(g rollup.Grain, from, to rollup.Bucket) (newest rollup.Bucket, found bool, err error) {
		err = s.data.Cells.Scan(ctx, app.ID, rollup.Series{Metric: rollup.Users}, g, from, to,
			func(b rollup.Bucket, _ string, _ *rollup.Cell) error {
				newest, found = b, true
				return nil
			})
		return newest, found, err
	}
	month, found, err := last(rollup.Month, 0, math.MaxUint32)
	if err != nil || !found {
		return 0, err
	}
	m := period.Month(month)
	day, found, err := last(rollup.Day, rollup.Bucket(m.First()), rollup.Bucket(m.Last()))
	if err != nil || !found {
		return 0, err
	}
	d := period.Day(day)
	hour, found, err := last(rollup.Hour, rollup.Bucket(d.Hour(0)), rollup.Bucket(d.Hour(23)))
	if err != nil || !found {
		return 0, err
	}
	_, h := period.Hour(hour).Split()
	start := period.NewCalendar(app.Location()).DayStart(d)
	return start/1000 + int64(h)*3600, nil
}

// imageMaxAge is how long browsers may keep an icon.
const imageMaxAge = time.Hour
