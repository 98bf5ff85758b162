package auth

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// errRefused is the answer to every log-in that fails: it does not tell
// whether the user is unknown, the password wrong, the login blocked or the member locked.
var errRefused = fault.New(fault.Unauthenticated, "auth.refused", "Wrong user name or password")

// LoginAttempt is what someone gives to log in.
type LoginAttempt struct {
	Login    string // user name or e-mail address, in any case
	Password string
	Addr     netip.Addr // of the client; the zero Addr is not throttled by address
}

// Login checks a password and notes the time of the log-in. In this order: the state
// of the throttle, the password, the lock of the member, last_login.
//
// Attempts at one login are made one after the other, so that guessing in
// parallel gains nothing; at most Config.Hashes run at a time in all. An unknown user
// costs the same work as a wrong password.
//
// Faults: auth.refused, auth.password_due when the password is right but has to be changed
// (ChangePassword) before it opens anything, and auth.throttle_failed when the throttle's state
// cannot be read or written.
func (s *Service) Login(ctx context.Context, a LoginAttempt) (*model.Member, error) {
	m, stale, err := s.attempt(ctx, a)
	if err != nil {
		return nil, err
	}
	if s.PasswordDue(m) {
		return nil, errPasswordDue
	}
	verified, rehash := m.PasswordHash, ""
	if stale {
		if rehash, err = s.hash(ctx, a.Password); err != nil {
			return nil, err
		}
	}
	now := s.now().Unix()
	m, err = s.updateMember(ctx, m.ID, func(m *model.Member) error {
		if m.Locked || m.PasswordHash != verified {
			return errRefused // locked, or given another password, a moment ago
		}
		m.LastLogin = now
		if rehash != "" {
			m.PasswordHash = rehash
		}
		return nil
	}, nil)
	if fault.CodeOf(err) == errMemberNotFound.Code {
		return nil, errRefused
	}
	if err != nil {
		return nil, fmt.Errorf("note log-in: %w", err)
	}
	return m, nil
}

// ConfirmPassword checks the password of a member who is known already, under
// the same throttle as a log-in, so that a stolen key cannot be used to guess it.
func (s *Service) ConfirmPassword(ctx context.Context, m *model.Member, password string, addr netip.Addr) error {
	got, _, err := s.attempt(ctx, LoginAttempt{Login: m.Username, Password: password, Addr: addr})
	if err != nil {
		return err
	}
	if got.ID != m.ID {
		return errRefused // renamed a moment ago
	}
	return nil
}

// attempt is one guess: it returns the member when the password is right and
// the member is not locked, and whether the hash should be made anew.
func (s *Service) attempt(ctx context.Context, a LoginAttempt) (m *model.Member, stale bool, err error) {
	login := strings.TrimSpace(a.Login)
	// Nobody has such a login or password, so that nothing is given away by
	// refusing them before any work.
	if login == "" || a.Password == "" || len(login) > maxLogin || len(a.Password) > maxPassword {
		return nil, false, errRefused
	}
	if err := s.members.fresh(ctx); err != nil {
		return nil, false, err
	}
	state, address := s.stateOf(login), addressState(a.Addr)
	// Whoever is blocked does not wait in line.
	if err := s.refuseBlocked(ctx, state, address); err != nil {
		return nil, false, err
	}
	unlock, err := s.attempts.lock(ctx, state)
	if err != nil {
		return nil, false, err
	}
	defer unlock()
	err = s.hashing(ctx, func() error {
		// Those before in line may have used up the attempts.
		if err := s.refuseBlocked(ctx, state, address); err != nil {
			return err
		}
		m, stale, err = s.verify(login, a.Password)
		if err != nil {
			return err
		}
		// What was found out is noted even if the client has gone.
		ctx := context.WithoutCancel(ctx)
		if m == nil {
			if err := s.failed(ctx, state, address); err != nil {
				return err // not errRefused: guesses that are not counted would be free
			}
			return errRefused
		}
		if err := forget(ctx, s.db, state); err != nil {
			return throttleFailed(err)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return m, stale, nil
}

func (s *Service) refuseBlocked(ctx context.Context, state, address string) error {
	blocked, err := s.blocked(ctx, state, address)
	if err != nil {
		return err
	}
	return errIf(blocked, errRefused)
}

// verify returns the member that has the login and the password and is not
// locked, else nil. It hashes once whatever it finds.
func (s *Service) verify(login, password string) (m *model.Member, stale bool, err error) {
	m = s.members.login(login)
	hash := s.dummy
	if m != nil {
		hash = m.PasswordHash
	}
	ok, stale, err := s.passwords.Verify(hash, password)
	if err != nil {
		return nil, false, fmt.Errorf("verify password: %w", err)
	}
	if !ok || m == nil || m.Locked {
		return nil, false, nil
	}
	return m, stale, nil
}
