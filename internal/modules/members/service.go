package members

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/topic"
)

func asFault(err error, dst **fault.Error) bool { return errors.As(err, dst) }

// account is a member on the wire. It never has the password's hash.
type account struct {
	ID              model.MemberID   `json:"_id"`
	FullName        string           `json:"full_name"`
	Username        string           `json:"username"`
	Email           string           `json:"email"`
	Permission      model.Permission `json:"permission"`
	GlobalAdmin     bool             `json:"global_admin"`
	Locked          bool             `json:"locked"`
	CreatedAt       int64            `json:"created_at"`
	LastLogin       int64            `json:"last_login"`
	PasswordChanged int64            `json:"password_changed"`
	Lang            string           `json:"lang,omitempty"`
	Settings        map[string]any   `json:"settings,omitempty"`
	HomeSettings    map[string]any   `json:"homeSettings,omitempty"`
	// MustChange asks for another password at the next sign-in. Absent unless true.
	MustChange bool `json:"must_change_password,omitempty"`
	// Expired only in all, and absent unless true: the password is too old to sign in with.
	Expired bool `json:"password_expired,omitempty"`
	// APIKey only in create and me.
	APIKey string `json:"api_key,omitempty"`
	// Blocked only in all.
	Blocked *bool `json:"blocked,omitempty"`
	// Current not in create.
	Current *bool `json:"is_current_user,omitempty"`
}

func show(m *model.Member) account {
	return account{
		ID: m.ID, FullName: m.FullName, Username: m.Username, Email: m.Email, Permission: m.Permission,
		GlobalAdmin: m.GlobalAdmin, Locked: m.Locked, CreatedAt: m.CreatedAt, LastLogin: m.LastLogin,
		PasswordChanged: m.PasswordChanged, MustChange: m.MustChangePassword, Lang: m.Lang, Settings: m.Settings, HomeSettings: m.HomeSettings,
	}
}

func showTo(c api.Caller, m *model.Member) account {
	a, current := show(m), m.ID == c.Member.ID
	a.Current = &current
	return a
}

type allReq struct{ api.List }

// maxPage is how many rows an answer has at most.
const maxPage = 10_000

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{
			{Name: "full_name", Field: "name"},
			{Name: "username", Field: ".username"},
			{Name: "email", Field: ".email"},
			{Name: "created_at", Field: ".created_at"},
			{Name: "last_login", Field: ".last_login"},
			{Name: "global_admin", Field: ".global_admin"},
			{Name: "locked", Field: ".locked"},
		},
		Sort: "name", Usual: maxPage, Most: maxPage,
	}
}

// all answers a map by id, or a table.
func (s *service) all(ctx context.Context, c api.Caller, r allReq) (any, error) {
	p, err := s.auth.ListMembers(ctx, r.Query(listing()))
	if err != nil {
		return nil, err
	}
	blocked, err := s.auth.Blocked(ctx)
	if err != nil {
		return nil, err
	}
	table := api.TableOf(r.List, p, func(m model.Member) account {
		a, is := showTo(c, &m), blocked[m.ID]
		a.Blocked, a.Expired = &is, s.auth.PasswordExpired(&m)
		return a
	})
	if r.InTable() {
		return table, nil
	}
	out := make(map[string]account, len(table.Rows))
	for _, a := range table.Rows {
		out[a.ID.String()] = a
	}
	return out, nil
}

// me shows the key only to callers with the same rights. A restricted token
// is never shown an unrestricted key, nor a token that expires one that outlasts it.
func (s *service) me(_ context.Context, c api.Caller, _ api.None) (account, error) {
	a := showTo(c, c.Member)
	if !c.Identity.Restricted && !c.Identity.Passing() {
		a.APIKey = c.Member.APIKey
	}
	return a, nil
}

type idReq struct {
	ID string `param:"id"`
}

func (s *service) byID(ctx context.Context, c api.Caller, r idReq) (map[string]account, error) {
	if r.ID == "" {
		return nil, fault.New(fault.Unauthenticated, "members.missing_id", "Missing user id parameter")
	}
	out := map[string]account{}
	id, err := model.ParseID(r.ID)
	if err != nil {
		return out, nil //nolint:nilerr // an id in the wrong form is an unknown id
	}
	m, err := s.auth.Member(ctx, id)
	switch {
	case err == nil:
		out[id.String()] = showTo(c, m)
	case fault.KindOf(err) != fault.NotFound:
		return nil, err
	}
	return out, nil
}

type features struct {
	Features     []string                                  `json:"features"`
	Dependencies map[string]map[string]map[string][]string `json:"featuresPermissionDependency"`
}

// permissions lists the features; none of them needs another one's rights.
func (s *service) permissions(context.Context, api.Caller, api.None) (features, error) {
	return features{s.features(), map[string]map[string]map[string][]string{}}, nil
}

type throttleReq struct {
	Username string `param:"username"`
}

func (s *service) resetThrottle(ctx context.Context, c api.Caller, r throttleReq) (bool, error) {
	if r.Username == "" {
		return false, api.MissingParam("username")
	}
	if err := s.auth.ResetThrottle(ctx, r.Username); err != nil {
		return false, fault.Wrap(err, fault.Internal, "members.throttle_not_reset", "Remove from collection failed.")
	}
	c.Audit("", map[string]any{"username": r.Username, "throttled": true}, map[string]any{"username": r.Username, "throttled": false}, nil)
	return true, nil
}

var errNoArgs = fault.New(fault.Invalid, "members.missing_args", "Missing 'args' parameter")

func (s *service) create(ctx context.Context, c api.Caller, r argsReq) (account, error) {
	a := r.read()
	if a == nil {
		return account{}, listed(errNoArgs)
	}
	ch, err := a.change()
	if err != nil {
		return account{}, listed(err)
	}
	if err := c.Ignore(s.ignored(a)...); err != nil {
		return account{}, listed(err)
	}
	n := auth.NewMember{
		FullName: deref(ch.FullName), Username: deref(ch.Username), Password: deref(ch.Password), Email: deref(ch.Email),
		Lang: deref(ch.Lang), GlobalAdmin: deref(ch.GlobalAdmin), Locked: deref(ch.Locked),
		Permission: auth.WithLegacy(deref(ch.Permission), ch.AdminOf, ch.UserOf), MustChangePassword: ch.MustChangePassword,
	}
	m, err := s.auth.CreateMember(ctx, n)
	if err != nil {
		return account{}, listed(err)
	}
	out := show(m)
	c.Audit("", nil, out, nil)
	if !c.Identity.Restricted { // a key has no restriction
		out.APIKey = m.APIKey
	}
	return out, nil
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func (s *service) update(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	a := r.read()
	if a == nil {
		return api.Result{}, listed(errNoArgs)
	}
	text, err := a.text("user_id")
	if err != nil {
		return api.Result{}, listed(err)
	}
	if deref(text) == "" {
		return api.Result{}, listed(fault.New(fault.Invalid, "members.missing_id", "Missing user_id argument"))
	}
	ch, err := a.change()
	if err != nil {
		return api.Result{}, listed(err)
	}
	if err := c.Ignore(s.ignored(a)...); err != nil {
		return api.Result{}, listed(err)
	}
	id, err := model.ParseID(*text)
	if err != nil {
		id = model.MemberID{} // an id in the wrong form is an unknown id
	}
	keep := ""
	if id == c.Member.ID {
		keep, ch.Own = c.Identity.SessionID, true
	}
	var before any
	if m, err := s.auth.Member(ctx, id); err == nil { // else the change fails, and says why
		before = show(m)
	}
	after, err := s.auth.UpdateMember(ctx, id, ch, keep)
	if err != nil {
		return api.Result{}, listed(err)
	}
	c.Audit("", before, show(after), map[string]any{"user_id": id})
	return api.Success(), nil
}

// remove skips the caller. Members that are not there (any more) count as removed.
func (s *service) remove(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	a := r.read()
	if a == nil {
		return api.Result{}, fault.New(fault.Invalid, "members.missing_args", "Error: Missing 'args' parameter")
	}
	if _, sent := a["user_ids"]; !sent {
		return api.Result{}, fault.New(fault.Invalid, "members.missing_ids", "Error: Missing user_ids argument")
	}
	ids, err := a.list("user_ids")
	if err != nil {
		return api.Result{}, fault.New(fault.Invalid, "members.invalid_ids", "Error: Invalid user_ids argument")
	}
	failed, removed := 0, map[string]account{}
	for _, text := range ids {
		id, err := model.ParseID(text)
		if err != nil || id == c.Member.ID {
			continue
		}
		m, known := s.auth.Member(ctx, id)
		if err := s.removeMember(ctx, id); err != nil {
			s.log.ErrorContext(ctx, "member not removed", slog.String("member", id.String()), slog.Any("error", err))
			failed++
		} else if known == nil {
			removed[text] = show(m)
		}
	}
	if len(removed) > 0 {
		c.Audit("", removed, nil, nil)
	} else {
		c.NoAudit() // nobody was there
	}
	switch {
	case failed == 0:
		return api.Success(), nil
	case failed == len(ids):
		return api.Result{}, fault.New(fault.Internal, "members.not_removed", "User deletion failed, please see logs for more detail")
	}
	return api.Result{Result: "Some users cannot be deleted, please see logs for more detail"}, nil
}

func (s *service) removeMember(ctx context.Context, id model.MemberID) error {
	err := s.auth.DeleteMember(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	return hook.Emit(ctx, s.bus, topic.MemberDeleted{Member: id})
}

type ownReq struct {
	Password string `param:"password"`
}

func (s *service) removeOwn(ctx context.Context, c api.Caller, r ownReq) (api.Result, error) {
	bad := func(code, text string) (api.Result, error) {
		return api.Result{}, fault.New(fault.Invalid, code, text)
	}
	if r.Password == "" {
		return bad("members.password_missing", "password mandatory")
	}
	if err := s.auth.ConfirmPassword(ctx, c.Member, r.Password, c.IP); err != nil {
		if fault.KindOf(err) == fault.Unauthenticated {
			return bad("members.password_wrong", "password not valid")
		}
		return api.Result{}, err
	}
	err := s.removeMember(ctx, c.Member.ID)
	if fault.KindOf(err) == fault.Conflict {
		return bad("members.last_admin", message(err))
	}
	if err != nil {
		s.log.ErrorContext(ctx, "member not removed", slog.String("member", c.Member.ID.String()), slog.Any("error", err))
		return api.Result{}, &api.StatusError{Status: http.StatusInternalServerError, Err: err, Result: map[string]string{
			"errorMessage": "User deletion failed. Failed to delete some data related to this user.",
		}}
	}
	c.Audit("", show(c.Member), nil, nil)
	return api.Success(), nil
}

// maxHomeSettings bounds the settings of one app, in bytes.
const maxHomeSettings = 64 << 10

type homeReq struct {
	AppID        string       `param:"app_id"`
	HomeSettings params.Value `param:"homeSettings"`
}

// homeSettings stores an object as it is; what is none is stored as an empty
// one, as old clients expect.
func (s *service) homeSettings(ctx context.Context, c api.Caller, r homeReq) (api.Result, error) {
	bad := func(kind fault.Kind, code, text string) (api.Result, error) {
		return api.Result{}, fault.New(kind, code, text)
	}
	raw := r.HomeSettings.Raw()
	if len(raw) == 0 {
		return bad(fault.Invalid, "members.missing_home_settings", "`homeSettings` should contain stringified object with home settings")
	}
	if len(raw) > maxHomeSettings {
		return bad(fault.TooLarge, "members.home_settings_too_large", "The home settings are too large")
	}
	if r.AppID == "" {
		return bad(fault.Invalid, "members.missing_app_id", "`app_id` must be passed")
	}
	id, err := model.ParseID(r.AppID)
	if err != nil || s.apps.ByID(id) == nil || !c.Identity.AllowsApp(id) {
		return bad(fault.Unauthenticated, "members.unknown_app", "App does not exist")
	}
	settings := map[string]any{}
	if json.Unmarshal(raw, &settings) != nil || settings == nil {
		settings = map[string]any{}
	}
	ch := auth.MemberChange{HomeSettings: map[string]any{id.String(): settings}}
	c.Audit("", map[string]any{"homeSettings": c.Member.HomeSettings[id.String()]}, map[string]any{"homeSettings": settings}, map[string]any{"app_id": id})
	if _, err := s.auth.UpdateMember(ctx, c.Member.ID, ch, ""); err != nil {
		if fault.KindOf(err) == fault.NotFound {
			return bad(fault.Invalid, "members.not_found", "Could not get member")
		}
		return api.Result{}, err
	}
	return api.Success(), nil
}
