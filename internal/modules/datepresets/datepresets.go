// Package datepresets is the module for ranges of dates that people save under
// a name, share, and put in an order.
package datepresets

import (
	"context"
	"net/http"
	"slices"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "datepresets", Requires: []string{"apps"}, Features: []string{"core"},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs, auth: n.Auth, now: s.Now}
			g := s.Routes
			api.Handle(g, "/i/date_presets/create", api.Feature("core", model.Create, api.AppParam), svc.create)
			api.Handle(g, "/i/date_presets/update", api.Feature("core", model.Update, api.AppParam), svc.update)
			api.Handle(g, "/i/date_presets/delete", api.Feature("core", model.Delete, api.AppParam), svc.delete)
			api.Handle(g, "/o/date_presets/getAll", api.Authenticated(), svc.all)
			api.Handle(g, "/o/date_presets/getById", api.Authenticated(), svc.one)
			hook.On(s.Bus, "datepresets", svc.forget)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Directory
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Directory} }

type service struct {
	docs docs.DB
	auth *auth.Service
	now  func() time.Time
}

var (
	errArgs = fault.New(fault.Invalid, "datepresets.args", "Not enough args")
	errNone = api.Status(http.StatusInternalServerError, fault.New(fault.NotFound, "datepresets.none", "Error getting presets"))
	errGone = api.Status(http.StatusInternalServerError, fault.New(fault.NotFound, "datepresets.not_found", "Could not find preset"))
	errOwn  = fault.New(fault.Unauthenticated, "datepresets.not_yours", "Not authorized")
)

// create puts a new preset before all others.
func (s *service) create(ctx context.Context, c api.Caller, r fields) (map[string]any, error) {
	if r.Name == "" || r.Range.String() == "" || r.ShareWith == "" {
		return nil, errArgs
	}
	p := preset{ID: model.NewID().String(), Owner: c.Member.ID, CreatedAt: s.now().UnixMilli()}
	if err := r.fill(&p); err != nil {
		return nil, err
	}
	var fav bool
	if err := read(r.Fav, "fav", &fav); err != nil {
		return nil, err
	}
	if fav {
		p.Favourites = []model.MemberID{c.Member.ID}
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		if err := shift(ctx, tx, 0, ""); err != nil {
			return err
		}
		return spec().Global(tx).Create(ctx, p)
	})
	c.Audit("", nil, p, nil)
	out := p.shown(c.Member)
	delete(out, "is_owner")
	return out, err
}

// shift makes room at a place in the order; except is the preset that comes there.
func shift(ctx context.Context, tx docs.Handle, from int, except string) error {
	col := spec().Global(tx)
	list, err := col.All(ctx, docs.Query{Where: []docs.Cond{docs.Ge("order", from)}})
	if err != nil {
		return err
	}
	for _, p := range list {
		if p.ID == except {
			continue
		}
		p.Order++
		if err := col.Put(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// update changes what was sent. Those who may only see a preset change their favour for it alone.
func (s *service) update(ctx context.Context, c api.Caller, r fields) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errArgs
	}
	var (
		fav   *bool
		order *int
	)
	if err := read(r.Fav, "fav", &fav); err != nil {
		return api.Result{}, err
	}
	if err := read(r.Order, "sort_order", &order); err != nil {
		return api.Result{}, err
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().Global(tx)
		p, err := col.Get(ctx, r.ID)
		if docs.IsNotFound(err) || err == nil && !p.readableBy(c.Member) {
			return errGone
		}
		if err != nil {
			return err
		}
		before := p
		before.Favourites = slices.Clone(p.Favourites)
		defer func() { c.Audit("", before, p, map[string]any{"id": p.ID}) }()
		if fav != nil {
			p.Favourites = slices.DeleteFunc(p.Favourites, func(id model.MemberID) bool { return id == c.Member.ID })
			if *fav {
				p.Favourites = append(p.Favourites, c.Member.ID)
			}
		}
		if p.editableBy(c.Member) {
			if err := r.fill(&p); err != nil {
				return err
			}
			if order != nil && *order >= 0 && *order != p.Order {
				if err := shift(ctx, tx, *order, p.ID); err != nil {
					return err
				}
				p.Order = *order
			}
			p.EditedAt = s.now().UnixMilli()
		}
		return col.Put(ctx, p)
	})
	return api.Result{Result: "Preset updated"}, err
}

type deleted struct {
	Acknowledged bool `json:"acknowledged"`
	Count        int  `json:"deletedCount"`
}

func (s *service) delete(ctx context.Context, c api.Caller, r fields) (deleted, error) {
	if r.ID == "" {
		return deleted{}, errArgs
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().Global(tx)
		p, err := col.Get(ctx, r.ID)
		switch {
		case docs.IsNotFound(err), err == nil && !p.readableBy(c.Member):
			return errGone
		case err != nil:
			return err
		case p.Owner != c.Member.ID && !c.Member.GlobalAdmin:
			return errOwn
		}
		c.Audit("", p, nil, nil)
		return col.Delete(ctx, r.ID)
	})
	return deleted{Acknowledged: true, Count: 1}, err
}

type listReq struct{ api.List }

const maxPage = 1000

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "sort_order", Field: "order"}, {Name: "name", Field: ".name"}, {Name: "created_at", Field: ".created_at"}},
		Sort:    "order", Usual: maxPage, Most: maxPage,
	}
}

// all lists the presets that a caller sees, in their order. That there are none is a fault on the wire, but not of
// a table.
func (s *service) all(ctx context.Context, c api.Caller, r listReq) (any, error) {
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	q := r.Query(listing())
	q.Where = readable(c.Member)
	p, err := spec().Global(s.docs).Page(ctx, q)
	if err != nil {
		return nil, err
	}
	if p.Total == 0 && !r.InTable() {
		return nil, errNone
	}
	return api.Bare(r.List, api.TableOf(r.List, p, func(p preset) map[string]any {
		row := p.shown(c.Member)
		row["owner_name"] = names[p.Owner]
		return row
	})), nil
}

func (s *service) names(ctx context.Context) (map[model.MemberID]string, error) {
	members, err := s.auth.Members(ctx)
	if err != nil {
		return nil, err
	}
	out := map[model.MemberID]string{}
	for _, m := range members {
		out[m.ID] = m.FullName
	}
	return out, nil
}

func (s *service) one(ctx context.Context, c api.Caller, r fields) (map[string]any, error) {
	if r.ID == "" {
		return nil, errArgs
	}
	p, err := spec().Global(s.docs).Get(ctx, r.ID)
	if docs.IsNotFound(err) || err == nil && !p.readableBy(c.Member) {
		return nil, errGone
	}
	if err != nil {
		return nil, err
	}
	return p.shown(c.Member), nil
}

// forget removes the presets of a member that was deleted, unless others see them too.
func (s *service) forget(ctx context.Context, ev topic.MemberDeleted) error {
	for p, err := range spec().Global(s.docs).List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		if p.Owner == ev.Member && p.ShareWith == shareNone {
			if err := spec().Global(s.docs).Delete(ctx, p.ID); err != nil && !docs.IsNotFound(err) {
				return err
			}
		}
	}
	return nil
}
