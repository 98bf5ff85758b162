package appusers

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/profile"
)

const (
	defaultPage = 50   // rows of a list that asks for none
	maxPage     = 1000 // rows of a list at most
)

type service struct {
	people   *query.People
	data     kernel.Data
	bus      *hook.Bus
	now      func() time.Time
	subjects *subjects
	tables   *query.Tables
	list     *listFiles
	zones    period.Zones
}

type detailsReq struct {
	api.List
	api.Window
	UID   string       `param:"uid"`
	DID   string       `param:"did"`
	Query params.Value `param:"query"`
	// Group is the id of a cohort: its members alone.
	Group string `param:"profile_group"`
	// Known is user-known for users with a name, an e-mail or the like, user-anonymous for the others; anything else is all.
	Known string `param:"filter"`
	// Calculate is what of one user is wanted, a key of calculations; "" = the profile.
	Calculate string `param:"calculate"`
	listForm
	personForm
}

// oneUser reports whether a read is for one profile.
func oneUser(p *params.Params) bool { return p.Has("uid") || p.Has("did") }

// OwnCursors reports whether the request is for something of one user, which [service.eventsTable] pages by itself.
func (r detailsReq) OwnCursors(param func(name string) string) bool { return param("calculate") != "" }

// details returns one profile (uid, did), something of it (calculate), or a page of profiles in one of its forms.
func (s *service) details(ctx context.Context, c api.Caller, r detailsReq) (any, error) {
	if r.Calculate != "" {
		return s.calculate(ctx, c, r)
	}
	if r.UID != "" || r.DID != "" {
		p, err := s.one(ctx, c.App, r)
		if errors.Is(err, profile.ErrNotFound) {
			return struct{}{}, nil
		}
		if err != nil {
			return nil, err
		}
		list, err := s.documents(ctx, c, []*model.Profile{p})
		if err != nil {
			return nil, err
		}
		return list[0], nil
	}
	page, err := s.pageOf(c, r)
	if err != nil {
		return nil, err
	}
	if r.Projection.String() != "" {
		return s.breakdown(ctx, c, r, page)
	}
	if r.Export {
		return s.list.submit(ctx, c, r, page)
	}
	if page.Search == "" && page.Limit > 0 {
		s.people.Prepare(c.App.ID) // who looks at a list searches next
	}
	uids, total, err := s.people.List(ctx, c.App.ID, page)
	if err != nil {
		return nil, err
	}
	var profiles []*model.Profile
	for _, uid := range uids {
		p, err := s.data.Profiles.ByUID(ctx, c.App.ID, uid)
		if errors.Is(err, profile.ErrNotFound) {
			continue // deleted since the list was made
		}
		if err != nil {
			return nil, err
		}
		profiles = append(profiles, p)
	}
	rows, err := s.documents(ctx, c, profiles)
	if err != nil {
		return nil, err
	}
	r.narrow(rows)
	return api.Table[map[string]any]{Echo: r.Echo.Echo(), Total: int(total), Display: int(total), Rows: rows}, nil
}

// pageOf reads which users are wanted, in which order.
func (s *service) pageOf(c api.Caller, r detailsReq) (query.Page, error) {
	f, err := filter.Parse(r.Query.Raw())
	if err != nil && r.Query.String() != "" {
		return query.Page{}, err
	}
	if r.Group != "" {
		group, err := filter.Parse(map[string]any{"chr": r.Group})
		if err != nil {
			return query.Page{}, err
		}
		f = filter.And(f, group)
	}
	if !auth.MayAskBy(c.Member, c.App.ID, f.Paths(), nil) {
		return query.Page{}, errRight
	}
	if only, ok := knownBy(r.Known); ok {
		f = filter.And(f, only)
	}
	page := query.Page{Filter: f, Search: strings.TrimSpace(r.Search)}
	page.Offset, page.Limit = r.Part(defaultPage, maxPage)
	page.Sort, page.Desc = r.order()
	return page, nil
}

// documents are profiles as the wire has them, with the cohorts that everyone sees and they are in (chr), for those who may read cohorts.
func (s *service) documents(ctx context.Context, c api.Caller, profiles []*model.Profile) ([]map[string]any, error) {
	out := []map[string]any{}
	for _, p := range profiles {
		out = append(out, p.Document())
	}
	if len(profiles) == 0 || !auth.Can(c.Member, c.App.ID, "cohorts", model.Read) {
		return out, nil
	}
	cohorts, err := s.data.Cohorts.Members(ctx, c.App.ID, nil, true)
	if err != nil {
		return nil, err
	}
	for i, p := range profiles {
		in := map[string]any{}
		for id, set := range cohorts {
			if set.Contains(p.UID) {
				in[id] = map[string]string{"in": "true"}
			}
		}
		if len(in) > 0 {
			out[i]["chr"] = in
		}
	}
	return out, nil
}

var errRight = fault.New(fault.Forbidden, "access.no_right", "User does not have right")

// knownBy is the filter that the wire has a name for; false where it selects everything.
func knownBy(name string) (filter.Expr, bool) {
	condition := map[string]any{"user-known": true, "user-anonymous": map[string]any{"$ne": true}}[name]
	if condition == nil {
		return filter.Expr{}, false
	}
	f, err := filter.Parse(map[string]any{"hasInfo": condition})
	return f, err == nil
}

// countsRes is how many users an app has, and how many of them nothing personal is known of.
type countsRes struct {
	Unidentified int64 `json:"unidentified"`
	Total        int64 `json:"total"`
}

// counts counts the users of an app.
func (s *service) counts(ctx context.Context, c api.Caller, _ api.None) (out countsRes, err error) {
	if _, out.Total, err = s.people.List(ctx, c.App.ID, query.Page{}); err != nil {
		return out, err
	}
	anonymous, _ := knownBy("user-anonymous")
	_, out.Unidentified, err = s.people.List(ctx, c.App.ID, query.Page{Filter: anonymous})
	return out, err
}

func (s *service) one(ctx context.Context, app *model.App, r detailsReq) (*model.Profile, error) {
	if r.UID != "" {
		n, err := strconv.ParseUint(r.UID, 10, 32)
		if err != nil {
			return nil, profile.ErrNotFound
		}
		return s.data.Profiles.ByUID(ctx, app.ID, uint32(n))
	}
	return s.data.Profiles.Get(ctx, app.ID, model.NewProfileID(app.IDKey, r.DID))
}

type loyaltyReq struct {
	Query params.Value `param:"query"`
}

type loyaltyRes struct {
	All   []query.LoyaltyRow `json:"all"`
	Week  []query.LoyaltyRow `json:"7days"`
	Month []query.LoyaltyRow `json:"30days"`
}

// loyalty counts users by their number of sessions; an unusable query is no filter.
func (s *service) loyalty(ctx context.Context, c api.Caller, r loyaltyReq) (loyaltyRes, error) {
	f, err := filter.Parse(r.Query.Raw())
	if err != nil {
		f = filter.Expr{}
	}
	var out loyaltyRes
	for _, part := range []struct {
		dst   *[]query.LoyaltyRow
		since time.Time
	}{
		{&out.All, time.Time{}}, {&out.Week, s.now().AddDate(0, 0, -7)}, {&out.Month, s.now().AddDate(0, 0, -30)},
	} {
		if *part.dst, err = s.people.Loyalty(ctx, c.App.ID, f, part.since); err != nil {
			return out, err
		}
	}
	return out, nil
}
