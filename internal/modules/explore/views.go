package explore

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// view is a page of the dashboard with all that was chosen on it, under a name.
type view struct {
	ID        string         `json:"_id"`
	Name      string         `json:"name"`
	Page      string         `json:"page"`  // path below the app, as "explore"
	State     string         `json:"state"` // the query of the page's address
	Shared    bool           `json:"shared"`
	Owner     model.MemberID `json:"owner"`
	CreatedAt int64          `json:"created_at"` // ms
	EditedAt  int64          `json:"edited_at"`  // ms
}

// Bounds of views.
const (
	maxName  = 200 // characters
	maxState = 16 << 10
	maxViews = 500 // of a member in an app
	maxPage  = 1000
)

var pageForm = regexp.MustCompile(`^[a-z][a-z0-9/_-]{0,63}$`)

var (
	errView     = fault.New(fault.Invalid, "explore.bad_view", "Invalid view")
	errTooMany  = fault.New(fault.Invalid, "explore.too_many", "There are too many views")
	errNotFound = fault.New(fault.NotFound, "explore.not_found", "View not found")
	errNotYours = fault.New(fault.Forbidden, "explore.not_yours", "The view belongs to another member")
	errSharing  = fault.New(fault.Forbidden, "explore.no_sharing", "You may not share views of this app")
)

// Key returns the view's id.
func (v view) Key() string { return v.ID }

// Validate refuses what is no page of the dashboard, and what is too large.
func (v view) Validate() error {
	if name := strings.TrimSpace(v.Name); name == "" || len([]rune(name)) > maxName || !pageForm.MatchString(v.Page) || len(v.State) > maxState {
		return errView
	}
	if _, err := url.ParseQuery(v.State); err != nil {
		return errView
	}
	return nil
}

func spec() docs.Spec[view] {
	return docs.Spec[view]{Name: "explore.views", Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[view]{
		{Name: "owner", Path: ".owner"},
		{Name: "name", Path: ".name", Fold: true, Order: true},
		{Name: "edited", Path: ".edited_at", Order: true},
	}}
}

// changeableBy reports whether a member may change and delete the view: its owner, and
// administrators if it is shared.
func (v *view) changeableBy(m *model.Member, app model.AppID) bool {
	return v.Owner == m.ID || v.Shared && auth.IsAppAdmin(m, app)
}

type saveReq struct {
	ID     string `param:"view_id"`
	Name   string `param:"name"`
	Page   string `param:"page"`
	State  string `param:"state"`
	Shared bool   `param:"shared"`
}

// save keeps a view, or changes the one whose id is given, and answers with its id.
func (s *service) save(ctx context.Context, c api.Caller, r saveReq) (api.Result, error) {
	now := s.now().UnixMilli()
	next := view{
		ID: r.ID, Name: strings.TrimSpace(r.Name), Page: r.Page, State: r.State, Shared: r.Shared, Owner: c.Member.ID, CreatedAt: now, EditedAt: now,
	}
	if err := params.CheckName(next.Name); err != nil {
		return api.Result{}, err
	}
	if err := next.Validate(); err != nil {
		return api.Result{}, err
	}
	var before any
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		was := view{}
		if r.ID != "" {
			found, err := s.find(ctx, tx, c, r.ID)
			if err != nil {
				return err
			}
			was, before = found, found
			next.Owner, next.CreatedAt = was.Owner, was.CreatedAt
		}
		if next.Shared && !was.Shared && !auth.Can(c.Member, c.App.ID, "core", model.Create) {
			return errSharing
		}
		if r.ID != "" {
			return col.Put(ctx, next)
		}
		count, err := col.Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq("owner", c.Member.ID.String())}})
		if err != nil {
			return err
		}
		if count >= maxViews {
			return errTooMany
		}
		next.ID = model.NewID().String()
		return col.Create(ctx, next)
	})
	c.Audit("explore_view_saved", before, next, nil)
	return api.Result{Result: next.ID}, err
}

// find returns a view that the caller may change.
func (s *service) find(ctx context.Context, h docs.Handle, c api.Caller, id string) (view, error) {
	v, err := spec().In(h, c.App.ID).Get(ctx, id)
	switch {
	case docs.IsNotFound(err), err == nil && !v.Shared && v.Owner != c.Member.ID:
		return view{}, errNotFound
	case err != nil:
		return view{}, err
	case !v.changeableBy(c.Member, c.App.ID):
		return view{}, errNotYours
	}
	return v, nil
}

type deleteReq struct {
	ID string `param:"view_id"`
}

func (s *service) delete(ctx context.Context, c api.Caller, r deleteReq) (api.Result, error) {
	var before view
	err := s.docs.Tx(ctx, func(tx docs.Handle) (err error) {
		if before, err = s.find(ctx, tx, c, r.ID); err != nil {
			return err
		}
		return spec().In(tx, c.App.ID).Delete(ctx, r.ID)
	})
	c.Audit("explore_view_deleted", before, nil, nil)
	return api.Success(), err
}

type listReq struct {
	api.List
	Desc bool `param:"desc"`
}

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "edited", Field: "edited"}},
		Sort:    "edited", Desc: true, Usual: maxPage, Most: maxPage,
	}
}

// row is a view in the list.
type row struct {
	view
	OwnerName string `json:"owner_name"`
	Mine      bool   `json:"mine"`
	MayChange bool   `json:"may_change"`
}

// list answers with a page of the caller's own views and those that are shared.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (api.Table[row], error) {
	q := r.Query(listing())
	if r.Desc {
		q.Desc = true
	}
	q.Where = []docs.Cond{docs.Any(docs.Eq("owner", c.Member.ID.String()), docs.Eq(".shared", true))}
	p, err := spec().In(s.docs, c.App.ID).Page(ctx, q)
	if err != nil {
		return api.Table[row]{}, err
	}
	members, err := s.auth.Members(ctx)
	if err != nil {
		return api.Table[row]{}, err
	}
	names := map[model.MemberID]string{}
	for _, m := range members {
		names[m.ID] = m.FullName
	}
	return api.TableOf(r.List, p, func(v view) row {
		return row{view: v, OwnerName: names[v.Owner], Mine: v.Owner == c.Member.ID, MayChange: v.changeableBy(c.Member, c.App.ID)}
	}), nil
}

// appDeleted removes the views of an app that is no more. A reset leaves them: they ask, and hold no data.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// memberDeleted removes what a member kept for themselves; what is shared stays.
func (s *service) memberDeleted(ctx context.Context, ev topic.MemberDeleted) error {
	var own []docs.Found[view]
	q := docs.Query{Where: []docs.Cond{docs.Eq("owner", ev.Member.String()), docs.Ne(".shared", true)}}
	for f, err := range spec().AcrossApps(s.docs, "a member's own views lie in every app they used").List(ctx, q) {
		if err != nil {
			return err
		}
		own = append(own, f)
	}
	for _, f := range own {
		if err := spec().In(s.docs, f.App).Delete(ctx, f.Doc.ID); err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// eachUse lists which events views name.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for v, err := range spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		u := kernel.EventUse{ID: v.ID, Name: v.Name, Events: v.events(), Visible: func(m *model.Member) bool { return v.Shared || v.Owner == m.ID }}
		if err := fn(u); err != nil {
			return err
		}
	}
	return nil
}

// events are the keys that a view names: pages keep them as a JSON list, that of retention the returns in what the page is narrowed to.
func (v view) events() []string {
	state, err := url.ParseQuery(v.State)
	if err != nil {
		return nil
	}
	var only struct {
		Return string `json:"return"` // a JSON list
	}
	_ = json.Unmarshal([]byte(state.Get("only")), &only) // of most pages it holds something else
	var out []string
	for _, text := range []string{state.Get("events"), only.Return} {
		var keys []string
		if json.Unmarshal([]byte(text), &keys) == nil {
			out = append(out, keys...)
		}
	}
	return out
}
