package members

import (
	"context"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
)

// openSession is a session of the dashboard as its owner sees it. Times are in seconds.
type openSession struct {
	ID      string `json:"_id"`
	Created int64  `json:"created"`
	Seen    int64  `json:"seen"`
	Expires int64  `json:"expires"`
	Addr    string `json:"addr"`
	Agent   string `json:"agent"`
	Current bool   `json:"current"` // the one that asks
}

type sessionsReq struct{ api.List }

func sessionListing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "created", Field: ".created"}, {Name: "seen", Field: "seen"}, {Name: "addr", Field: ".addr"}, {Name: "agent", Field: ".agent"}},
		Sort:    ".created", Desc: true, Usual: maxPage, Most: maxPage,
	}
}

// sessions lists the caller's own sessions, the newest first.
func (s *service) sessions(ctx context.Context, c api.Caller, r sessionsReq) (any, error) {
	p, err := s.auth.ListSessions(ctx, c.Member.ID, r.Query(sessionListing()))
	return api.Bare(r.List, api.TableOf(r.List, p, func(one auth.Session) openSession { return showSession(c, one) })), err
}

func showSession(c api.Caller, one auth.Session) openSession {
	return openSession{
		ID: one.ID, Created: one.Created.Unix(), Seen: one.Seen.Unix(), Expires: one.Expires.Unix(), Addr: one.Addr, Agent: one.Agent,
		Current: one.ID == c.Identity.SessionID,
	}
}

type endReq struct {
	ID     string `param:"session_id"`
	Others bool   `param:"others"`
}

// Validate asks which sessions.
func (r endReq) Validate() error {
	if r.ID == "" && !r.Others {
		return api.MissingParam("session_id")
	}
	return nil
}

// endSessions ends one of the caller's own sessions, or all but the one that asks.
func (s *service) endSessions(ctx context.Context, c api.Caller, r endReq) (api.Result, error) {
	list, err := s.auth.ListSessions(ctx, c.Member.ID, sessionsReq{}.Query(sessionListing()))
	if err != nil {
		return api.Result{}, err
	}
	ended := []openSession{}
	for _, one := range list.Docs {
		if shown := showSession(c, one); r.Others && !shown.Current || !r.Others && shown.ID == r.ID {
			ended = append(ended, shown)
		}
	}
	c.Audit("", map[string]any{"sessions": ended}, nil, nil)
	if r.Others {
		return api.Success(), s.auth.RevokeSessions(ctx, c.Member.ID, c.Identity.SessionID)
	}
	found, err := s.auth.EndSession(ctx, c.Member.ID, r.ID)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "members.session_not_found", "Session not found")
	}
	return api.Success(), err
}

type rotateReq struct {
	Member string `param:"user_id"`
}

// Validate asks whose key.
func (r rotateReq) Validate() error {
	if r.Member == "" {
		return api.MissingParam("user_id")
	}
	return nil
}

// rotated tells the owner of a key the new one.
type rotated struct {
	Result string `json:"result"`
	APIKey string `json:"api_key,omitempty"`
}

// rotateKey gives a member another API key: the caller, or anyone for a global administrator. Only the owner
// is shown the new one, so it takes credentials that last.
func (s *service) rotateKey(ctx context.Context, c api.Caller, r rotateReq) (rotated, error) {
	id, err := model.ParseID(r.Member)
	if err != nil {
		id = model.MemberID{} // an id in the wrong form is an unknown id
	}
	own := id == c.Member.ID
	if c.Identity.Restricted || own && c.Identity.Passing() || !own && !c.Member.GlobalAdmin {
		return rotated{}, fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	}
	m, err := s.auth.RotateKey(ctx, id)
	if err != nil {
		return rotated{}, err
	}
	c.Audit("", nil, map[string]any{"user_id": id, "api_key": "rotated"}, nil)
	out := rotated{Result: "Success"}
	if own {
		out.APIKey = m.APIKey
	}
	return out, nil
}

type passwordReq struct {
	Old string `param:"old_pwd"`
	New string `param:"new_pwd"`
	// RotateKey gives the caller another API key, too.
	RotateKey bool `param:"rotate_key"`
}

// Validate asks for both passwords.
func (r passwordReq) Validate() error {
	if r.Old == "" {
		return api.MissingParam("old_pwd")
	}
	if r.New == "" {
		return api.MissingParam("new_pwd")
	}
	return nil
}

// password changes the caller's own password, whatever its rights. The other sessions end.
func (s *service) password(ctx context.Context, c api.Caller, r passwordReq) (api.Result, error) {
	if err := s.auth.ConfirmPassword(ctx, c.Member, r.Old, c.IP); err != nil {
		if fault.KindOf(err) == fault.Unauthenticated {
			return api.Result{}, fault.New(fault.Invalid, "members.password_wrong", "The current password is wrong")
		}
		return api.Result{}, err
	}
	after, err := s.auth.UpdateMember(ctx, c.Member.ID, auth.MemberChange{Password: &r.New, Own: true, RotateKey: r.RotateKey}, c.Identity.SessionID)
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", nil, map[string]any{"user_id": c.Member.ID, "password_changed": after.PasswordChanged, "key_rotated": r.RotateKey}, nil)
	return api.Success(), nil
}
