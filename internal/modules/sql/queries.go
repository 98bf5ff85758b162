package sql

import (
	"context"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// saved is a statement under a name.
type saved struct {
	ID        string         `json:"_id"`
	Name      string         `json:"name"`
	SQL       string         `json:"sql"`
	Period    string         `json:"period"`
	Chart     string         `json:"chart"`  // how the page shows the result: one of charts
	Shared    bool           `json:"shared"` // with all who may use SQL in the app
	Owner     model.MemberID `json:"owner"`
	CreatedAt int64          `json:"created_at"` // ms
	EditedAt  int64          `json:"edited_at"`  // ms
}

// Bounds of saved queries.
const (
	maxName    = 200      // characters
	maxSQL     = 64 << 10 // bytes
	maxPeriod  = 200      // bytes
	maxQueries = 500      // of a member in an app
)

var charts = []string{"table", "line", "bar"}

var (
	errQuery    = fault.New(fault.Invalid, "sql.bad_query", "A query needs a name of at most 200 characters, a statement, a period, and a chart of table, line and bar")
	errTooMany  = fault.New(fault.Invalid, "sql.too_many", "Too many saved queries, delete some")
	errNotFound = fault.New(fault.NotFound, "sql.not_found", "Query not found")
	errNotYours = fault.New(fault.Forbidden, "sql.not_yours", "The query belongs to another member")
	errSharing  = fault.New(fault.Forbidden, "sql.no_sharing", "You may not share queries of this app")
)

// Key returns the id.
func (q saved) Key() string { return q.ID }

// Validate refuses what is no query.
func (q saved) Validate() error {
	if name := strings.TrimSpace(q.Name); name == "" || len([]rune(name)) > maxName || strings.TrimSpace(q.SQL) == "" || len(q.SQL) > maxSQL || len(q.Period) > maxPeriod || !slices.Contains(charts, q.Chart) {
		return errQuery
	}
	return period.Check(q.Period)
}

func spec() docs.Spec[saved] {
	return docs.Spec[saved]{Name: "sql.queries", Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[saved]{
		{Name: "owner", Path: ".owner"},
		{Name: "name", Path: ".name", Fold: true, Order: true},
	}}
}

func (q *saved) changeableBy(m *model.Member, app model.AppID) bool {
	return q.Owner == m.ID || q.Shared && auth.IsAppAdmin(m, app)
}

type saveReq struct {
	ID     string `param:"query_id"`
	Name   string `param:"name"`
	SQL    string `param:"sql"`
	Period string `param:"period"`
	Chart  string `param:"chart"`
	Shared bool   `param:"shared"`
}

// save keeps a query, or changes the one whose id is given, and answers with its id.
func (s *service) save(ctx context.Context, c api.Caller, r saveReq) (api.Result, error) {
	now := s.now().UnixMilli()
	next := saved{
		ID: r.ID, Name: strings.TrimSpace(r.Name), SQL: r.SQL, Period: r.Period, Chart: r.Chart, Shared: r.Shared, Owner: c.Member.ID, CreatedAt: now, EditedAt: now,
	}
	if err := params.CheckName(next.Name); err != nil {
		return api.Result{}, err
	}
	if next.Period == "" {
		next.Period = usualPeriod
	}
	if next.Chart == "" {
		next.Chart = charts[0]
	}
	if err := next.Validate(); err != nil {
		return api.Result{}, err
	}
	var before any
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		was := saved{}
		if r.ID != "" {
			found, err := find(ctx, tx, c, r.ID)
			if err != nil {
				return err
			}
			was, before = found, found
			next.Owner, next.CreatedAt = was.Owner, was.CreatedAt
		}
		if next.Shared && !was.Shared && !auth.Can(c.Member, c.App.ID, feature, model.Update) {
			return errSharing
		}
		if r.ID != "" {
			return col.Put(ctx, next)
		}
		count, err := col.Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq("owner", c.Member.ID.String())}})
		if err != nil {
			return err
		}
		if count >= maxQueries {
			return errTooMany
		}
		next.ID = model.NewID().String()
		return col.Create(ctx, next)
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("sql_save", before, next, nil)
	return api.Result{Result: next.ID}, nil
}

// find returns a query that the caller may change.
func find(ctx context.Context, h docs.Handle, c api.Caller, id string) (saved, error) {
	q, err := spec().In(h, c.App.ID).Get(ctx, id)
	switch {
	case docs.IsNotFound(err), fault.CodeOf(err) == "docs.invalid_key", err == nil && !q.Shared && q.Owner != c.Member.ID:
		return saved{}, errNotFound
	case err != nil:
		return saved{}, err
	case !q.changeableBy(c.Member, c.App.ID):
		return saved{}, errNotYours
	}
	return q, nil
}

// remove deletes a query.
func (s *service) remove(ctx context.Context, c api.Caller, r struct {
	ID string `param:"query_id"`
},
) (api.Result, error) {
	var before saved
	err := s.docs.Tx(ctx, func(tx docs.Handle) (err error) {
		if before, err = find(ctx, tx, c, r.ID); err != nil {
			return err
		}
		return spec().In(tx, c.App.ID).Delete(ctx, r.ID)
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("sql_delete", before, nil, nil)
	return api.Result{Result: "Success"}, nil
}

// listed is a query as its readers see it.
type listed struct {
	saved
	Editable bool `json:"editable"`
}

// list answers with the queries that the caller sees, by name.
func (s *service) list(ctx context.Context, c api.Caller, _ struct{}) ([]listed, error) {
	out := []listed{}
	for q, err := range spec().In(s.docs, c.App.ID).List(ctx, docs.Query{Sort: "name"}) {
		if err != nil {
			return nil, err
		}
		if q.Shared || q.Owner == c.Member.ID {
			out = append(out, listed{q, q.changeableBy(c.Member, c.App.ID)})
		}
	}
	return out, nil
}

func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// memberDeleted deletes the queries that nobody sees any more.
func (s *service) memberDeleted(ctx context.Context, ev topic.MemberDeleted) error {
	q := docs.Query{Where: []docs.Cond{docs.Eq("owner", ev.Member.String())}}
	var own []docs.Found[saved]
	for f, err := range spec().AcrossApps(s.docs, "a member's own queries lie in every app they used").List(ctx, q) {
		if err != nil {
			return err
		}
		if !f.Doc.Shared {
			own = append(own, f)
		}
	}
	for _, f := range own {
		if err := spec().In(s.docs, f.App).Delete(ctx, f.Doc.ID); err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	return nil
}
