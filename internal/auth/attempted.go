package auth

import (
	"context"
	"net/netip"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// SignIn is what became of an attempt to sign in. Texts are labels of metrics.
type SignIn string

// What attempts end as.
const (
	SignInAccepted SignIn = "accepted" // the password was right; it may still have to be changed
	SignInRefused  SignIn = "refused"  // unknown user, wrong password, or a locked member
	SignInBlocked  SignIn = "blocked"  // the throttle refuses whatever the password is
	SignInBusy     SignIn = "busy"     // too many attempts waited
	SignInFailed   SignIn = "failed"   // a fault of the server, or a client that left
)

// SignIns lists them.
func SignIns() []SignIn {
	return []SignIn{SignInAccepted, SignInRefused, SignInBlocked, SignInBusy, SignInFailed}
}

// Attempted is an attempt that has ended.
type Attempted struct {
	Outcome SignIn
	// Member has the login that was given; nil for a login that nobody has, which may be a password typed into the
	// wrong field and so is not passed on.
	Member *model.Member
	Addr   netip.Addr // of the client; may be the zero Addr
	// Confirms says that a member who is signed in was asked for the password again.
	Confirms bool
}

// attempt is one guess: it returns the member when the password is right and
// the member is not locked, and whether the hash should be recomputed.
func (s *Service) attempt(ctx context.Context, a LoginAttempt) (m *model.Member, stale bool, err error) {
	m, stale, blocked, err := s.try(ctx, a)
	if s.notify == nil {
		return m, stale, err
	}
	end := Attempted{Outcome: SignInAccepted, Member: m, Addr: a.Addr, Confirms: a.confirms}
	switch {
	case err == nil:
	case blocked:
		end.Outcome = SignInBlocked
	case fault.CodeOf(err) == errRefused.Code:
		end.Outcome = SignInRefused
	case fault.KindOf(err) == fault.Unavailable:
		end.Outcome = SignInBusy
	default:
		end.Outcome = SignInFailed
	}
	if end.Member == nil {
		end.Member = s.members.login(strings.TrimSpace(a.Login))
	}
	s.notify(context.WithoutCancel(ctx), end)
	return m, stale, err
}
