package funnels

import (
	"context"
	"maps"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/filter"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

type listReq struct {
	api.List
	Group  string `param:"group"`
	Format string `param:"outputFormat"`
}

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "description", Field: ".description"}, {Name: "type", Field: ".type"}, {Name: "created", Field: "created"}},
		Sort:    "order", Usual: maxFunnels, Most: maxFunnels,
	}
}

// full is a table of funnels with how many of them are favourites of the caller.
type full struct {
	api.Table[Definition]
	Favourites []total `json:"favTotal"`
}

type total struct {
	Value int `json:"value"`
}

// list answers with a page of funnels: an array, or a table. A group "fav" is the caller's favourites.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (any, error) {
	col, q := spec().In(s.docs, c.App.ID), r.Query(listing())
	own := favourites + c.Member.ID.String()
	if r.Group == "fav" {
		r.Group = own
	}
	var err error
	if r.Group != "" {
		if q.Filter, err = inGroup(r.Group); err != nil {
			return nil, err
		}
	}
	p, err := col.Page(ctx, q)
	if err != nil {
		return nil, err
	}
	table := api.TableOf(r.List, p, func(d Definition) Definition { return hidden(d, c.Member.ID) })
	if r.Format != "full" {
		return api.Bare(r.List, table), nil
	}
	f, err := inGroup(own)
	if err != nil {
		return nil, err
	}
	favs, err := col.Page(ctx, docs.Query{Filter: f, Limit: 1})
	return full{table, []total{{favs.Matching}}}, err
}

// inGroup is the filter of the funnels of a group.
func inGroup(name string) (filter.Expr, error) {
	if !groupForm.MatchString(name) {
		name = "\x00" // no funnel is in it
	}
	return filter.Parse(map[string]any{"groups." + name: 1.0})
}

// hidden is a definition without the favourites of others.
func hidden(d Definition, who model.MemberID) Definition {
	d.Groups = maps.Clone(d.Groups)
	maps.DeleteFunc(d.Groups, func(name string, _ int) bool {
		return strings.HasPrefix(name, favourites) && name != favourites+who.String()
	})
	return d
}

type getReq struct {
	ID string `param:"funnel"`
}

// single is a funnel with who made it.
type single struct {
	Definition
	Member *maker `json:"memberData,omitempty"`
}

type maker struct {
	ID   model.MemberID `json:"_id"`
	Name string         `json:"full_name"`
}

// get answers with a funnel; an empty object where there is none, as the wire has it.
func (s *service) get(ctx context.Context, c api.Caller, r getReq) (any, error) {
	if r.ID == "" {
		return nil, errMissing
	}
	d, err := spec().In(s.docs, c.App.ID).Get(ctx, r.ID)
	if docs.IsNotFound(err) {
		return struct{}{}, nil
	}
	if err != nil {
		return nil, err
	}
	out := single{Definition: hidden(d, c.Member.ID)}
	members, err := s.auth.Members(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if m.ID == d.Creator {
			out.Member = &maker{m.ID, m.FullName}
		}
	}
	return out, nil
}

// eachUse lists which events funnels name.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for d, err := range spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		u := kernel.EventUse{ID: d.ID, Name: d.Name, Events: slices.Concat(d.Steps...)}
		if d.Options != nil {
			for _, x := range d.Options.Exclusions {
				u.Events = append(u.Events, x.Event)
			}
		}
		if err := fn(u); err != nil {
			return err
		}
	}
	return nil
}
