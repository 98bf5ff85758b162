// Package tokens serves the auth tokens of members: /i/token/* and
// /o/token/*. The tokens themselves are package auth's.
package tokens

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Module manages tokens.
func Module() kernel.Module {
	return kernel.Module{Name: "tokens", Setup: kernel.With(func(c *kernel.Capabilities) kernel.Directory { return c.Directory }, setup)}
}

type service struct{ auth *auth.Service }

func setup(s *kernel.Scope, n kernel.Directory) error {
	svc := &service{n.Auth}
	access := api.Authenticated().ForTokensOfApps()
	api.Handle(s.Routes, "/i/token/create", access, svc.create)
	api.Handle(s.Routes, "/i/token/delete", access, svc.remove)
	api.Handle(s.Routes, "/o/token/list", access.Confidential(), svc.list)
	api.Handle(s.Routes, "/o/token/check", access, svc.check)
	return nil
}

// defaultTTL is how long a token lasts when nobody says, in seconds.
const defaultTTL = 1800

type createReq struct {
	Purpose       string       `param:"purpose"`
	TTL           params.Value `param:"ttl"`
	Multi         params.Value `param:"multi"`
	Apps          params.Value `param:"apps"`
	App           params.Value `param:"app"` // as rows name it; used without apps
	Endpoint      params.Value `param:"endpoint"`
	EndpointQuery params.Value `param:"endpointquery"`
}

// Ignored implements [api.Lenient].
func (r *createReq) Ignored() []error {
	if text := strings.TrimSpace(r.TTL.String()); text != "" {
		if n, err := strconv.ParseFloat(text, 64); err != nil || n < 0 || math.IsNaN(n) {
			return []error{api.BadParam("ttl", text, "number of seconds")}
		}
	}
	return nil
}

func (s *service) create(ctx context.Context, c api.Caller, r createReq) (api.Result, error) {
	if blank(r.Apps) {
		r.Apps = r.App
	}
	n := auth.NewToken{
		TTL: ttl(r.TTL), Multi: r.Multi.String() != "false", Apps: list(r.Apps), Purpose: r.Purpose, Endpoint: endpointQuery(r.EndpointQuery),
		By: c.Identity,
	}
	if n.Endpoint == nil {
		n.Endpoint = endpoints(r.Endpoint)
	}
	switch {
	case len(n.Apps) == 0 && !blank(r.Apps):
		return api.Result{}, unreadable("apps")
	case n.Endpoint == nil && !blank(r.Endpoint):
		return api.Result{}, unreadable("endpoint")
	case n.Endpoint == nil && !blank(r.EndpointQuery):
		return api.Result{}, unreadable("endpointquery")
	}
	t, err := s.auth.CreateToken(ctx, c.Member.ID, n)
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", nil, audited(t), nil)
	return api.Result{Result: t.ID}, nil
}

// blank reports whether a limit was not sent, or sent as one that limits nothing.
func blank(v params.Value) bool {
	switch strings.TrimSpace(v.String()) {
	case "", "[]", "{}", "null":
		return true
	}
	return false
}

// unreadable refuses a limit that cannot be read: a token without it could do more than was asked for.
func unreadable(name string) error {
	return fault.Newf(fault.Invalid, "tokens.bad_limit", "Invalid parameter %q", name)
}

// audited is a token as the audit log shows it: nothing of the token itself, and the first digits of its digest, by
// which entries about one token belong together.
func audited(t auth.Token) row {
	out := shown(t)
	const kept = 8
	out.ID = "digest " + t.Digest[:min(kept, len(t.Digest))]
	return out
}

// shown is a token as its owner sees it.
func shown(t auth.Token) row {
	r := row{
		ID: t.ID, TTL: t.TTL, Ends: t.Ends, Multi: t.Multi, Owner: t.Owner, App: "", Endpoint: "",
		Purpose: t.Purpose, Temporary: t.Temporary,
	}
	if len(t.Apps) > 0 {
		r.App = t.Apps
	}
	if t.Endpoint != nil {
		r.Endpoint = t.Endpoint
	}
	return r
}

func ttl(v params.Value) int64 {
	n, err := strconv.ParseFloat(strings.TrimSpace(v.String()), 64)
	if err != nil || n < 0 || math.IsNaN(n) {
		return defaultTTL
	}
	return int64(min(n, 1e15))
}

// list reads comma-separated texts, or an array of texts.
func list(v params.Value) []string {
	var parts []string
	if json.Unmarshal(v.Raw(), &parts) != nil {
		parts = strings.Split(v.String(), ",")
	}
	out := make([]string, 0, len(parts))
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func endpoints(v params.Value) json.RawMessage {
	if q := endpointQuery(v); q != nil {
		return q
	}
	texts := list(v)
	if len(texts) == 0 {
		return nil
	}
	raw, err := json.Marshal(texts)
	if err != nil {
		return nil // cannot happen: texts are always JSON
	}
	return raw
}

// endpointQuery returns an array or an object as it is, and nil for anything else
// and for empty ones, which would allow nothing.
func endpointQuery(v params.Value) json.RawMessage {
	raw := v.Raw()
	var array []json.RawMessage
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &array) == nil && len(array) > 0 || json.Unmarshal(raw, &object) == nil && len(object) > 0 {
		return raw
	}
	return nil
}

// row is a token on the wire; "" stands for no restriction.
type row struct {
	ID        string         `json:"_id"`
	TTL       int64          `json:"ttl"`
	Ends      int64          `json:"ends"`
	Multi     bool           `json:"multi"`
	Owner     model.MemberID `json:"owner"`
	App       any            `json:"app"`
	Endpoint  any            `json:"endpoint"`
	Purpose   string         `json:"purpose"`
	Temporary bool           `json:"temporary"`
}

type listReq struct{ api.List }

// maxPage is more tokens than anyone looks through.
const maxPage = 1000

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "ends", Field: ".ends"}, {Name: "purpose", Field: ".purpose"}, {Name: "ttl", Field: ".ttl"}},
		Sort:    ".ends", Usual: maxPage, Most: maxPage,
	}
}

// list answers the caller's own tokens. A restricted token, and one for a single use, does not hand out the others; one
// that ends hands out those that end no later.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (any, error) {
	q, only := r.Query(listing()), visible(c)
	if c.Identity.Ends > 0 {
		q.Where = append(q.Where, docs.Le("ends", c.Identity.Ends))
	}
	if c.Identity.Once {
		only = []string{c.Identity.Token}
	}
	p, err := s.auth.ListTokens(ctx, c.Member.ID, only, q)
	if err != nil {
		return nil, err
	}
	table := api.TableOf(r.List, p, shown)
	if r.InTable() {
		return table, nil
	}
	return api.Result{Result: table.Rows}, nil
}

// visible are the tokens that a caller may see and delete; nil = all of its own. A restricted token sees itself,
// and nothing where the server reads in its name.
func visible(c api.Caller) []string {
	if !c.Identity.Restricted {
		return nil
	}
	return []string{c.Identity.Token}
}

type deleteReq struct {
	ID string `param:"tokenid"`
}

// deleted has the form that clients of the protocol know from their driver.
type deleted struct {
	N            int `json:"n"`
	OK           int `json:"ok"`
	DeletedCount int `json:"deletedCount"`
}

func (s *service) remove(ctx context.Context, c api.Caller, r deleteReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, fault.New(fault.NotFound, "tokens.missing_id", "Token id not provided")
	}
	if only := visible(c); only != nil && !slices.Contains(only, r.ID) {
		c.NoAudit() // nothing that the caller knows of
		return api.Result{Result: deleted{OK: 1}}, nil
	}
	before, err := s.auth.ListTokens(ctx, c.Member.ID, []string{r.ID}, docs.Query{Limit: 1})
	if err != nil {
		return api.Result{}, err
	}
	found, err := s.auth.DeleteToken(ctx, c.Member.ID, r.ID)
	if err != nil {
		return api.Result{}, err
	}
	out := deleted{OK: 1}
	if found && len(before.Docs) > 0 {
		c.Audit("", audited(before.Docs[0]), nil, nil)
	} else {
		c.NoAudit() // nothing was there
	}
	if found {
		out.N, out.DeletedCount = 1, 1
	}
	return api.Result{Result: out}, nil
}

type checkReq struct {
	Token string `param:"token"`
}

type validity struct {
	Valid bool  `json:"valid"`
	Time  int64 `json:"time"` // s left, -1 forever
}

func (s *service) check(ctx context.Context, _ api.Caller, r checkReq) (api.Result, error) {
	if r.Token == "" {
		return api.Result{}, api.MissingParam("token")
	}
	valid, seconds, err := s.auth.CheckToken(ctx, r.Token)
	if err != nil {
		return api.Result{}, err
	}
	return api.Result{Result: validity{valid, seconds}}, nil
}
