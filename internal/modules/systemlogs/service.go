package systemlogs

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// maxPage is how many rows an answer has at most, and usually: nothing is paged unless that is asked for.
const maxPage = 10_000

type service struct {
	docs docs.DB
	auth *auth.Service
	now  func() time.Time
	keep time.Duration
	own  func(action string) bool // whether the server names a change so
}

// Bounds of what a member may report by /i/systemlogs.
const (
	maxReport     = 4 << 10 // bytes of action and data
	maxReports    = 100     // in reportsWithin
	reportsWithin = time.Hour
)

var (
	errReportSize = fault.Newf(fault.TooLarge, "systemlogs.too_large", "An entry may have at most %d bytes", maxReport)
	errReports    = &fault.Error{
		Kind: fault.RateLimited, Code: "systemlogs.too_many", Msg: "Too many entries, try again later", RetryAfter: reportsWithin,
	}
	errForged = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

// record writes an entry for a management write.
func (s *service) record(ctx context.Context, ev topic.Action) error {
	info := map[string]any{}
	maps.Copy(info, ev.Data)
	if ev.Before != nil {
		info["before"] = ev.Before
	}
	if ev.After != nil {
		info["update"] = ev.After
	}
	info, err := plain(info)
	if err != nil {
		return err
	}
	info, changed := shorten(info)
	if !changed {
		return nil
	}
	app := ""
	if !ev.App.IsZero() {
		app = ev.App.String()
	}
	return s.write(ctx, entry{Action: ev.Name, Info: info, User: ev.Username, IP: ev.IP, AppID: app, UserID: ev.Member.String()}, ev.At)
}

func (s *service) write(ctx context.Context, e entry, at time.Time) error {
	e.ID, e.TS, e.CD = model.NewID().String(), at.Unix(), at.UTC().Format(time.RFC3339)
	return spec().Global(s.docs).Create(ctx, e)
}

// plain brings values to their JSON form, so that they compare by value.
func plain(m map[string]any) (map[string]any, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	return out, json.Unmarshal(text, &out)
}

// shorten replaces before and update by what changed: before and after then
// hold only the top-level keys that differ. It reports false when both were
// given and nothing differs.
func shorten(info map[string]any) (map[string]any, bool) {
	before, hasBefore := info["before"].(map[string]any)
	update, hasUpdate := info["update"].(map[string]any)
	if !hasBefore || !hasUpdate {
		return info, true
	}
	was, is := map[string]any{}, map[string]any{}
	for k, v := range update {
		old, known := before[k]
		if known && reflect.DeepEqual(old, v) {
			continue
		}
		is[k] = v
		if known {
			was[k] = old
		}
	}
	info["before"], info["after"] = was, is
	return info, len(is) > 0
}

type addReq struct {
	Action string       `param:"action"`
	Data   params.Value `param:"data"`
}

// reportable refuses an entry of a client that is too large, one too many, or that would look like a change which
// the server saw, unless the member may do everything anyway.
func (s *service) reportable(ctx context.Context, c api.Caller, r addReq) error {
	if len(r.Action)+len(r.Data.Raw()) > maxReport {
		return errReportSize
	}
	col := spec().Global(s.docs)
	n, err := col.Count(ctx, docs.Query{Where: []docs.Cond{
		docs.Eq("user", c.Member.ID.String()), docs.Gt("ts", s.now().Add(-reportsWithin).Unix()), docs.Eq(".reported", true),
	}})
	switch {
	case err != nil:
		return err
	case n >= maxReports:
		return errReports
	case c.Member.GlobalAdmin:
		return nil
	case s.own(r.Action):
		return errForged
	}
	_, err = col.First(ctx, docs.Query{Where: []docs.Cond{docs.Eq("action", r.Action), docs.Missing(".reported")}})
	switch {
	case err == nil:
		return errForged
	case docs.IsNotFound(err):
		return nil
	}
	return err
}

// add writes an entry that a client describes.
func (s *service) add(ctx context.Context, c api.Caller, r addReq) (api.Result, error) {
	c.NoAudit()
	if r.Action == "" {
		return api.Result{}, api.MissingParam("action")
	}
	if err := s.reportable(ctx, c, r); err != nil {
		return api.Result{}, err
	}
	info := map[string]any{}
	if json.Unmarshal(r.Data.Raw(), &info) != nil || info == nil {
		info = map[string]any{}
	}
	api.Redact(info)
	info, changed := shorten(info)
	if !changed {
		return api.Success(), nil
	}
	app, _ := info["app_id"].(string)
	if id, err := model.ParseID(app); err != nil || !c.Member.GlobalAdmin && !auth.IsAppUser(c.Member, id) && !auth.IsAppAdmin(c.Member, id) {
		app = "" // not theirs to speak of
	}
	ip := ""
	if c.IP.IsValid() {
		ip = c.IP.String()
	}
	err := s.write(ctx, entry{
		Action: r.Action, Info: info, User: c.Member.Username, IP: ip, AppID: app, UserID: c.Member.ID.String(), Reported: true,
	}, s.now())
	return api.Success(), err
}

type listReq struct {
	api.List
	Query params.Value `param:"query"`
}

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "ts", Field: "ts"}, {Name: "a", Field: "action"}, {Name: "u", Field: ".u"}, {Name: "ip", Field: ".ip"}},
		Sort:    "ts", Usual: maxPage, Most: maxPage,
	}
}

// list returns entries, oldest first unless sorted otherwise. An unusable filter is none.
func (s *service) list(ctx context.Context, _ api.Caller, r listReq) (api.Table[entry], error) {
	q := r.List.Query(listing())
	q.Where = indexed(r.Query)
	if f, err := filter.Parse(r.Query.Raw()); err == nil {
		q.Filter = f
	}
	col := spec().Global(s.docs)
	p, err := col.Page(ctx, q)
	if err == nil && len(q.Where) > 0 { // conditions of the filter, too
		p.Total, err = col.Count(ctx, docs.Query{})
	}
	return api.TableOf(r.List, p, api.Itself[entry]), err
}

// indexed are the conditions of a filter that an index answers, so that not every entry need
// be looked at.
func indexed(v params.Value) []docs.Cond {
	var m map[string]any
	if json.Unmarshal(v.Raw(), &m) != nil {
		return nil
	}
	var out []docs.Cond
	for key, field := range map[string]docs.Field{"a": "action", "user_id": "user", "app_id": "app"} {
		if text, ok := m[key].(string); ok {
			out = append(out, docs.Eq(field, text))
		}
	}
	return out
}

// meta lists the actions that occur and the members.
func (s *service) meta(ctx context.Context, _ api.Caller, _ api.None) (map[string]any, error) {
	actions, err := spec().Global(s.docs).Tally(ctx, "action", docs.Query{})
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(actions))
	for _, a := range actions {
		if name, ok := a.Value.(string); ok {
			names = append(names, name)
		}
	}
	members, err := s.auth.Members(ctx)
	if err != nil {
		return nil, err
	}
	users := make([]map[string]string, 0, len(members))
	for _, m := range members {
		users = append(users, map[string]string{"_id": m.ID.String(), "full_name": m.FullName})
	}
	return map[string]any{"action": names, "users": users}, nil
}

// prune removes entries older than Config.Keep.
func (s *service) prune(ctx context.Context) error {
	_, err := spec().Global(s.docs).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Lt("ts", s.now().Add(-s.keep).Unix())}})
	return err
}
