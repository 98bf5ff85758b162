package auth

import (
	"context"
	"encoding/json"

	"quipu/internal/model"
)

// Proxy is what the server remembers of a caller for whom it does something
// later: who it was, and within which restrictions. It holds no secret and may be stored as JSON.
type Proxy struct {
	Member model.MemberID `json:"member"`
	// Apps and Endpoint are the restrictions of the token that was used (see Token); none for other credentials.
	Apps     []string        `json:"apps,omitempty"`
	Endpoint json.RawMessage `json:"endpoint,omitempty"`
	// Ends and Once are those of the token (see Identity).
	Ends int64 `json:"ends,omitempty"`
	Once bool  `json:"once,omitempty"`
}

// Proxy returns what is to be remembered of the caller.
func (i Identity) Proxy() Proxy {
	p := Proxy{Apps: i.Apps, Endpoint: i.Endpoint, Ends: i.Ends, Once: i.Once}
	if i.Member != nil {
		p.Member = i.Member.ID
	}
	return p
}

// Again recognises the caller of an earlier request for another one, whose path and parameters
// are in c; its credentials are not looked at. The rights are the present ones, and a token's restrictions hold
// for the new request as for any other. The token itself is not used up, and may have ended.
//
// Faults: auth.unknown_user, auth.locked, auth.token_invalid.
func (s *Service) Again(ctx context.Context, p Proxy, c Credentials) (Identity, error) {
	if err := s.members.fresh(ctx); err != nil {
		return Identity{}, err
	}
	m := s.members.id(p.Member)
	t := Token{Apps: p.Apps, Endpoint: p.Endpoint}
	switch {
	case m == nil:
		return Identity{}, errUnknownUser
	case m.Locked:
		return Identity{}, errLocked
	case !t.allowsApps(c) || !s.allowsPath(t, c):
		return Identity{}, errTokenInvalid
	}
	id := lent(m, t)
	id.Ends, id.Once = p.Ends, p.Once
	return id, nil
}
