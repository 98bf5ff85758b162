// Package places is the module for places: circles on the map that people keep under a name, for an app or for all of them, where an
// address is, and where the cities are that an app's users come from.
package places

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/ingest/geo"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "places", Requires: []string{"apps"}, Features: []string{"geo"},
		Plugin: &kernel.Plugin{
			Code: "geo", Title: "Places", Description: "Keeps circles on the map under a name, and finds where an address is.",
		},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			svc := &service{docs: n.Docs, apps: n.Apps, geo: n.Places, now: s.Now}
			g := s.Routes
			api.Handle(g, "/i/geolocations/create", api.Feature("geo", model.Create, api.AppParam), svc.create)
			api.Handle(g, "/i/geolocations/delete", api.Feature("geo", model.Delete, api.AppParam), svc.delete)
			api.HandleMethod(g, "get_locations", api.Feature("geo", model.Read, api.AppParamFirst), svc.list)
			api.HandleMethod(g, "lookup", api.Feature("geo", model.Read, api.AppParamFirst), svc.lookup)
			api.Handle(g, "/o/places/cities", api.Feature("core", model.Read, api.AppParam), svc.cities)
			api.Handle(g, "/o/places/database", api.GlobalAdmin(), svc.database)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Directory
	kernel.Geography
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Directory, c.Geography} }

type service struct {
	docs docs.DB
	apps *apps.Store
	geo  *geo.DB
	now  func() time.Time
}

// onWire is a fault that the wire answers with the status 200 and {"error": …}.
func onWire(err *fault.Error) error {
	return &api.StatusError{Status: http.StatusOK, InError: true, Err: err}
}

var (
	errArgs       = fault.New(fault.Invalid, "places.args", "Not enough args")
	errCreateArgs = onWire(errArgs)
	errBadGeo     = onWire(fault.New(fault.Invalid, "places.bad_geo", "Bad location geo object"))
	errGlobal     = onWire(fault.New(fault.Forbidden, "places.global_admin", "Only global admin is allowed to create non-app-specific geolocations"))
	errNoApp      = onWire(fault.New(fault.NotFound, "places.unknown_app", "Couldn't find the app"))
	errNotAdmin   = onWire(fault.New(fault.Forbidden, "places.app_admin", "Not an admin of the app"))

	errNone         = api.Status(http.StatusOK, fault.New(fault.NotFound, "places.none", "No location found"))
	errNotFound     = fault.New(fault.NotFound, "places.not_found", "Location not found")
	errDeleteGlobal = api.Status(http.StatusForbidden, fault.New(fault.Forbidden, "places.global_admin", "Only global admin can delete non-app-specific geolocations"))
	errDeleteAdmin  = api.Status(http.StatusForbidden, fault.New(fault.Forbidden, "places.app_admin", "Only admin of app can can delete geolocations"))

	errTooMany    = fault.New(fault.Conflict, "places.too_many", "There are too many places, delete some")
	errBadIP      = fault.New(fault.Invalid, "places.bad_address", `Invalid parameter "ip_address"`)
	errBadCountry = fault.New(fault.Invalid, "places.bad_country", `Invalid parameter "country": two capital letters are wanted`)
	errBadCities  = fault.Newf(fault.Invalid, "places.bad_cities", `Invalid parameter "cities": a list of at most %d names is wanted`, maxNames)
)

// create keeps a place, for the app that args name, or for all.
func (s *service) create(ctx context.Context, c api.Caller, r createReq) (created, error) {
	p, err := r.place()
	if err != nil {
		return created{}, err
	}
	col := spec().Global(s.docs)
	if p.App == "" {
		if !c.Member.GlobalAdmin {
			return created{}, errGlobal
		}
	} else {
		id, err := model.ParseID(p.App)
		if err != nil || s.apps.ByID(id) == nil {
			return created{}, errNoApp
		}
		if !auth.IsAppAdmin(c.Member, id) || !c.Identity.AllowsApp(id) {
			return created{}, errNotAdmin
		}
		col = spec().In(s.docs, id)
	}
	p.ID, p.Created, p.Address = model.NewID().String(), s.now().UnixMilli(), s.address(p)
	if err := col.CreateUpTo(ctx, p, maxPlaces, errTooMany); err != nil {
		return created{}, err
	}
	c.Audit("", nil, p, map[string]any{"id": p.ID})
	return created{p.shown(), p.Created}, nil
}

// near is how far a place may be from the city that it is named by, in kilometres.
const near = 100

// address names the city next to a place by the geo database; "" where that knows none.
func (s *service) address(p place) string {
	city, far, ok := s.geo.Nearest(p.lat(), p.lng())
	if !ok || far > near {
		return ""
	}
	return city.Name + ", " + query.CountryName(city.Country)
}

type deleteReq struct {
	ID string `param:"gid"`
}

// delete removes a place of the app, or one of all apps.
func (s *service) delete(ctx context.Context, c api.Caller, r deleteReq) (deleted, error) {
	if r.ID == "" {
		return deleted{}, errArgs
	}
	var p place
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		var err error
		if p, err = col.Get(ctx, r.ID); docs.IsNotFound(err) {
			col = spec().Global(tx)
			p, err = col.Get(ctx, r.ID)
		}
		switch {
		case docs.IsNotFound(err):
			return errNotFound
		case err != nil:
			return err
		case p.App == "" && !c.Member.GlobalAdmin:
			return errDeleteGlobal
		case p.App != "" && !auth.IsAppAdmin(c.Member, c.App.ID):
			return errDeleteAdmin
		}
		return col.Delete(ctx, r.ID)
	})
	if err != nil {
		return deleted{}, err
	}
	c.Audit("", p, nil, map[string]any{"id": p.ID})
	return deleted{p.shown(), true}, nil
}

// list answers with the places of the app, and then with those of all apps, each by title.
func (s *service) list(ctx context.Context, c api.Caller, _ api.None) ([]shown, error) {
	var out []shown
	for _, col := range []docs.Collection[place]{spec().In(s.docs, c.App.ID), spec().Global(s.docs)} {
		for p, err := range col.List(ctx, docs.Query{Sort: "title"}) {
			if err != nil {
				return nil, err
			}
			out = append(out, p.shown())
		}
	}
	if len(out) == 0 {
		return nil, errNone
	}
	return out, nil
}

type lookupReq struct {
	Address string `param:"ip_address"`
}

// location is where an address is.
type location struct {
	Country string      `json:"country"`
	Region  string      `json:"region"`
	City    string      `json:"city"`
	LL      *[2]float64 `json:"ll,omitempty"` // latitude, longitude
}

type lookupRes struct {
	Location *location `json:"location"` // null where the database knows nothing
}

// lookup finds an address, or the caller's, in the geo database.
func (s *service) lookup(_ context.Context, c api.Caller, r lookupReq) (lookupRes, error) {
	ip := c.IP
	if r.Address != "" {
		var err error
		if ip, err = netip.ParseAddr(r.Address); err != nil || len(r.Address) > maxAddress {
			return lookupRes{}, errBadIP
		}
	}
	p := s.geo.Lookup(ip)
	if p.Country == "" {
		return lookupRes{}, nil
	}
	out := location{Country: p.Country, Region: p.Region, City: p.City}
	if p.Located {
		out.LL = &[2]float64{p.Lat, p.Lng}
	}
	return lookupRes{&out}, nil
}
