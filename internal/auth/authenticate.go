package auth

import (
	"context"
	"encoding/json"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// Faults of authentication, in the words of the wire.
var (
	errCredentialsMissing = fault.New(fault.Invalid, "auth.credentials_missing", `Missing parameter "api_key" or "auth_token"`)
	errUnknownUser        = fault.New(fault.Unauthenticated, "auth.unknown_user", "User does not exist")
	errLocked             = fault.New(fault.Unauthenticated, "auth.locked", "User is locked")
)

// Credentials are what a request brings to say who it is from.
type Credentials struct {
	APIKey    string
	AuthToken string // parameter auth_token, or header service-token, countly-token or Authorization
	Cookie    string // the dashboard's session cookie
	CSRF      string // header X-CSRF-Token
	// Write is true for calls that change something; a session cookie then
	// needs the CSRF token too.
	Write bool
	// Again says that a stream looks whether its caller still may: that is no activity
	// of the member, and keeps no session from idling out.
	Again bool
	Path  string
	// Param and Times, the value of a parameter and how often it was sent (nil = once), let a token's
	// endpoints be checked; Reach and Apps, every app that the request names, its apps.
	Param func(name string) string
	Times func(name string) int
	Reach Reach
	Apps  func() []string
}

// Bearer returns what a header "Authorization: Bearer …" has: the key of a member or a token, which their lengths tell apart. Both are
// "" for other schemes.
func Bearer(header string) (apiKey, token string) {
	scheme, value, _ := strings.Cut(header, " ")
	value = strings.TrimSpace(value)
	switch {
	case !strings.EqualFold(scheme, "Bearer"):
		return "", ""
	case len(value) == apiKeyLength:
		return value, ""
	}
	return "", value
}

// Identity is a caller that was recognised.
type Identity struct {
	// Member is who calls, with no more rights than the credentials have: those of a token of apps end
	// with the apps.
	Member *model.Member
	// Session is true for the dashboard's cookie, whose answers are not HTML-escaped.
	Session bool
	// SessionID is the id of that session.
	SessionID string
	// Token is the auth token used, "" for other credentials.
	Token string
	// Apps are the only apps the token is good for; none: all.
	Apps []string
	// Endpoint restricts the paths the token is good for (see Token); nil: all.
	Endpoint json.RawMessage
	// Ends is the end of the token, s; 0 = never.
	Ends int64
	// Once is true for a token that was good for this one use.
	Once bool
	// Restricted is true for a token that is not good for everything its owner may do.
	Restricted bool
}

// Passing reports whether the credentials are a token that ends, or that was good for one use: its holder learns of no
// key and no token that outlasts it.
func (i Identity) Passing() bool { return i.Ends > 0 || i.Once }

// AllowsApp reports whether the credentials are good for an app. It says
// nothing of the member's rights.
func (i Identity) AllowsApp(app model.AppID) bool {
	return allowsApp(i.Apps, app.String())
}

// Authenticate finds out who calls. A token decides when there is one, even
// beside an api_key; then the api_key; then the session's cookie, which needs
// the CSRF token for writes.
//
// Faults: auth.credentials_missing, auth.unknown_user, auth.locked,
// auth.token_invalid, auth.csrf.
func (s *Service) Authenticate(ctx context.Context, c Credentials) (Identity, error) {
	if err := s.members.fresh(ctx); err != nil {
		return Identity{}, err
	}
	switch {
	case c.AuthToken != "":
		t, m, err := s.use(ctx, c)
		if err != nil {
			return Identity{}, err
		}
		id := lent(m, t)
		id.Token, id.Once = t.ID, !t.Multi
		if t.TTL > 0 {
			id.Ends = t.Ends
		}
		return id, nil
	case c.APIKey != "":
		m := s.members.apiKey(c.APIKey)
		if m == nil {
			return Identity{}, errUnknownUser
		}
		if m.Locked {
			return Identity{}, errLocked
		}
		return Identity{Member: m}, nil
	case c.Cookie != "":
		return s.bySession(ctx, c)
	}
	return Identity{}, errCredentialsMissing
}

// lent is what a token lends of its owner.
func lent(m *model.Member, t Token) Identity {
	return Identity{
		Member: narrowed(m, t.Apps), Apps: t.Apps, Endpoint: t.Endpoint, Restricted: len(t.Apps) > 0 || len(t.Endpoint) > 0,
	}
}

func (s *Service) bySession(ctx context.Context, c Credentials) (Identity, error) {
	look := s.Session
	if c.Again {
		look = s.lookSession
	}
	session, ok, err := look(ctx, c.Cookie)
	if err != nil {
		return Identity{}, err
	}
	if !ok {
		return Identity{}, errCredentialsMissing
	}
	if c.Write && !session.SameCSRF(c.CSRF) {
		return Identity{}, errCSRF
	}
	return Identity{Member: session.Member, Session: true, SessionID: session.ID}, nil
}
