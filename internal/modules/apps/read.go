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

func (s *service) all(_ context.Context, c api.Caller, _ api.None) (lists, error) {
	return s.listsOf(c.Member), nil
}

func (s *service) mine(_ context.Context, c api.Caller, _ api.None) (lists, error) {
	return s.listsOf(c.Member), nil
}

// listsOf sorts the apps into those a member administers and those it uses; a
// global administrator has all in both.
func (s *service) listsOf(m *model.Member) lists {
	out := lists{Admin: map[string]packed{}, User: map[string]packed{}}
	for _, a := range s.apps.All() {
		if auth.IsAppAdmin(m, a.ID) {
			out.Admin[a.ID.String()] = pack(a)
		}
		if m.GlobalAdmin || auth.IsAppUser(m, a.ID) {
			out.User[a.ID.String()] = pack(a)
		}
	}
	return out
}

func (s *service) allApps(context.Context, api.Caller, api.None) (map[string]packed, error) {
	out := map[string]packed{}
	for _, a := range s.apps.All() {
		out[a.ID.String()] = pack(a)
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
