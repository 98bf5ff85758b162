package auth

import "context"

// Known reports whether credentials are those of a member, before any right or scope is looked at. It uses
// up no token and is no activity. Errors of the store count as no.
func (s *Service) Known(ctx context.Context, c Credentials) bool {
	if s.members.fresh(ctx) != nil {
		return false
	}
	if c.AuthToken != "" {
		valid, _, err := s.CheckToken(ctx, c.AuthToken)
		return err == nil && valid
	}
	if c.APIKey != "" {
		m := s.members.apiKey(c.APIKey)
		return m != nil && !m.Locked
	}
	if c.Cookie != "" {
		_, ok, err := s.lookSession(ctx, c.Cookie)
		return err == nil && ok
	}
	return false
}
