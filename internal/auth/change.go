package auth

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// PasswordRules are the rules of passwords that may change while the server runs. The zero value has none.
//
// Passwords do not expire and may come back unless an operator wants it: forced rotation makes people
// choose weaker passwords (OWASP ASVS 5.0, 6.2.10).
type PasswordRules struct {
	// Expiration is the lifetime of a password, counted from when it was set; 0 = never expires.
	Expiration time.Duration
	// History is how many passwords before the present one a member may not choose again, up to MaxHistory.
	History int
	// ForceChange makes who is given a password by someone else choose another at the next sign-in.
	ForceChange bool
}

// MaxHistory bounds PasswordRules.History: each password in it costs a hash when a new one is chosen.
const MaxHistory = 24

var (
	errPasswordDue = fault.New(fault.Forbidden, "auth.password_due",
		"The password has to be changed first: sign in to the dashboard with it and choose another.")
	errPasswordReused = &fault.Error{
		Kind: fault.Invalid, Code: "auth.password_reused", Msg: "Password must differ from the present one and from recent ones",
		Fields: map[string]string{"password": "Password must differ from the present one and from recent ones"},
	}
)

// IsPasswordDue reports whether err is a Login's answer that the password has to be changed first.
func IsPasswordDue(err error) bool { return fault.CodeOf(err) == errPasswordDue.Code }

// IsPasswordReused reports whether a password was refused since the member has it or had it.
func IsPasswordReused(err error) bool { return fault.CodeOf(err) == errPasswordReused.Code }

// PasswordDue reports whether a member has to choose another password before it gets a session.
func (s *Service) PasswordDue(m *model.Member) bool {
	return m.MustChangePassword || s.PasswordExpired(m)
}

// PasswordExpired reports whether the password of a member is as old as the rules let one become.
func (s *Service) PasswordExpired(m *model.Member) bool {
	most := s.rules().Expiration
	made := time.Unix(max(m.PasswordSet, m.PasswordChanged, m.CreatedAt), 0)
	return most > 0 && s.now().Sub(made) >= most
}

// ChangePassword is a log-in that gives the member another password, for the present one and under the
// throttle of any log-in, whether the password is due or not. All sessions of the member end.
//
// Faults: auth.refused, auth.busy, auth.throttle_failed, auth.password_reused, those of a weak password.
func (s *Service) ChangePassword(ctx context.Context, a LoginAttempt, password string) (*model.Member, error) {
	m, _, err := s.attempt(ctx, a)
	if err != nil {
		return nil, err
	}
	verified := m.PasswordHash
	after, err := s.change(ctx, m.ID, MemberChange{Password: &password, Own: true}, "", func(m *model.Member) error {
		if m.Locked || m.PasswordHash != verified {
			return errRefused // locked, or given another password, a moment ago
		}
		m.LastLogin = s.now().Unix()
		return nil
	})
	if fault.CodeOf(err) == errMemberNotFound.Code {
		return nil, errRefused
	}
	return after, err
}

// refuseReused refuses a password that a member has, or had a short while ago.
func (s *Service) refuseReused(ctx context.Context, id model.MemberID, password string) error {
	m, err := s.Member(ctx, id)
	if err != nil {
		return err
	}
	for i, hash := range append([]string{m.PasswordHash}, m.PasswordHistory...) {
		if i > s.rules().History {
			break
		}
		var same bool
		err := s.hashing(ctx, func() (err error) {
			same, _, err = s.compare(hash, password)
			return err
		})
		if err != nil {
			return fmt.Errorf("compare with passwords before: %w", err)
		}
		if same {
			return errPasswordReused
		}
	}
	return nil
}

// setPassword gives a member a password, which it chose or was given.
func (s *Service) setPassword(m *model.Member, hash string, own bool, rules PasswordRules) {
	before := append([]string{m.PasswordHash}, m.PasswordHistory...)
	m.PasswordHistory = before[:min(len(before), rules.History)]
	if len(m.PasswordHistory) == 0 {
		m.PasswordHistory = nil
	}
	m.PasswordHash, m.PasswordSet, m.PasswordChanged = hash, s.now().Unix(), 0
	switch {
	case own:
		m.PasswordChanged, m.MustChangePassword = m.PasswordSet, false
	case rules.ForceChange:
		m.MustChangePassword = true
	}
}
