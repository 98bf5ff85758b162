package compliancehub

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"quipu/internal/api"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/store/profile"
)

// Rows of one answer.
const (
	defaultPage = 50
	maxPage     = 1000
)

// listReq is what all lists take; of two spellings the first counts.
type listReq struct {
	api.List
	Query      params.Value `param:"query"`
	Filter     params.Value `param:"filter"`
	Project    params.Value `param:"project"`
	Projection params.Value `param:"projection"`
	Limit      params.Value `param:"limit"`
	Skip       params.Value `param:"skip"`
	Period     string       `param:"period"`
}

// NumbersCursors says that numbers are cursors, too: how many rows are left out.
func (listReq) NumbersCursors() {}

func (r listReq) where() []byte { return first(r.Query, r.Filter) }

func first(a, b params.Value) []byte {
	if a.String() != "" {
		return a.Raw()
	}
	return b.Raw()
}

// page returns the first row that is wanted and how many.
func (r listReq) page() (skip, limit int) {
	l := r.List
	for _, other := range []struct {
		dst  *params.Value
		from params.Value
	}{{&l.Start, r.Skip}, {&l.Start, r.Cursor}, {&l.Length, r.Limit}} {
		if text := other.from.String(); text != "" && text != "0" && text != "null" {
			*other.dst = other.from
		}
	}
	return l.Part(defaultPage, maxPage)
}

// fields returns the top-level fields that are wanted; nil = all.
func (r listReq) fields() map[string]bool {
	var m map[string]any
	if json.Unmarshal(first(r.Project, r.Projection), &m) != nil {
		return nil
	}
	out := map[string]bool{}
	for name, v := range m {
		if v == true || v == 1.0 {
			out[name] = true
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// sort returns the field to sort by, "" for the usual one, which is sorted by down.
func (r listReq) sort() (key string, desc bool) {
	if key, desc = r.SortBy(); key == "" {
		return "", r.Dir != "asc"
	}
	return key, desc
}

// envelope is the table form of lists.
func (r listReq) envelope(total int64, rows []map[string]any) api.Table[map[string]any] {
	return api.Table[map[string]any]{Echo: r.Echo.Echo(), Total: int(total), Display: int(total), Rows: rows}
}

// changesTable is the table of changes, with what pages it otherwise.
type changesTable struct {
	api.Table[map[string]any]
	HasNext bool    `json:"hasNextPage"`
	Next    *string `json:"nextCursor"`
	Mode    string  `json:"paginationMode"`
	Approx  bool    `json:"isApproximate"`
}

// readable reads a filter; an unusable one is none.
func readable(raw []byte) filter.Expr {
	f, err := filter.Parse(raw)
	if err != nil {
		return filter.Expr{}
	}
	return f
}

type currentReq struct {
	Query  params.Value `param:"query"`
	Filter params.Value `param:"filter"`
}

// current returns what the first user that the query selects consents to.
func (s *service) current(ctx context.Context, c api.Caller, r currentReq) (map[string]bool, error) {
	uids, _, err := s.people.List(ctx, c.App.ID, query.Page{Filter: readable(first(r.Query, r.Filter)), Limit: 1})
	if err != nil || len(uids) == 0 {
		return map[string]bool{}, err
	}
	p, err := s.profiles.ByUID(ctx, c.App.ID, uids[0])
	if errors.Is(err, profile.ErrNotFound) {
		return map[string]bool{}, nil // deleted since it was listed
	}
	if err != nil || p.Consent == nil {
		return map[string]bool{}, err
	}
	return maps.Clone(p.Consent), nil
}

// users lists profiles with their consent.
func (s *service) users(ctx context.Context, c api.Caller, r listReq) (api.Table[map[string]any], error) {
	page := query.Page{Filter: readable(r.where()), Search: r.Search}
	page.Offset, page.Limit = r.page()
	if page.Sort, page.Desc = r.sort(); page.Sort == "" {
		page.Sort = "lac"
	}
	uids, total, err := s.people.List(ctx, c.App.ID, page)
	if err != nil {
		return api.Table[map[string]any]{}, err
	}
	fields, rows := r.fields(), []map[string]any{}
	for _, uid := range uids {
		p, err := s.profiles.ByUID(ctx, c.App.ID, uid)
		if errors.Is(err, profile.ErrNotFound) {
			continue // deleted since it was listed
		}
		if err != nil {
			return api.Table[map[string]any]{}, err
		}
		doc := p.Document()
		if fields != nil {
			maps.DeleteFunc(doc, func(name string, _ any) bool { return !fields[name] && name != "did" && name != "_id" })
		}
		rows = append(rows, doc)
	}
	return r.envelope(total, rows), nil
}

// search lists changes of consent, the newest first, page by page.
func (s *service) search(ctx context.Context, c api.Caller, r listReq) (changesTable, error) {
	skip, limit := r.page()
	rows, total, err := s.changes(ctx, c.App, r, skip, limit)
	if err != nil {
		return changesTable{}, err
	}
	out := changesTable{Table: r.envelope(total, rows), Mode: "offset"}
	if next := skip + len(rows); int64(next) < total && len(rows) > 0 {
		text := strconv.Itoa(next)
		out.HasNext, out.Next = true, &text
	}
	return out, nil
}

func (s *service) searchOld(ctx context.Context, c api.Caller, r listReq) (api.Table[map[string]any], error) {
	skip, limit := r.page()
	rows, total, err := s.changes(ctx, c.App, r, skip, limit)
	if err != nil {
		return api.Table[map[string]any]{}, err
	}
	return r.envelope(total, rows), nil
}

// person returns number and device of a user, as merges left them; unknown ones have none.
func (s *service) person(ctx context.Context, app model.AppID, uid string) (string, string, error) {
	n, err := strconv.ParseUint(uid, 10, 32)
	if err != nil {
		return uid, "", nil //nolint:nilerr // rows hold numbers only
	}
	p, err := s.profiles.ByUID(ctx, app, uint32(n))
	if errors.Is(err, profile.ErrNotFound) {
		return uid, "", nil
	}
	if err != nil {
		return uid, "", err
	}
	return strconv.FormatUint(uint64(p.UID), 10), p.DID, nil
}

// kept drops the fields of a row that are not wanted.
func kept(row map[string]any, fields map[string]bool) map[string]any {
	if fields != nil {
		maps.DeleteFunc(row, func(name string, _ any) bool { return !fields[name] && name != "_id" })
	}
	return row
}

// sorted lists the keys of a map.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
