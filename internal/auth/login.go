package auth

import (
	"context"
	"errors"
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
	Device   string     // the cookie of Service.Device that the client sent; "" for none

	confirms bool // by a member who is signed in
}

// Login checks a password and notes the time of the log-in. In this order: the state
// of the throttle, the password, the lock of the member, last_login.
//
// Attempts at one login are made one after the other, those of each known device apart, so that guessing in
// parallel gains nothing; at most Config.Hashes run at a time in all, one of which strangers
// cannot take, and a bounded number waits. Whether the user is unknown, locked or blocked, or the password wrong,
// an attempt costs the same work; only those from an address that has used up its attempts cost none.
//
// Faults: auth.refused, auth.busy when too many wait, auth.password_due when the password is right but has to be changed
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
	got, _, err := s.attempt(ctx, LoginAttempt{Login: m.Username, Password: password, Addr: addr, confirms: true})
	if err != nil {
		return err
	}
	if got.ID != m.ID {
		return errRefused // renamed a moment ago
	}
	return nil
}

// try is attempt; it also tells whether the throttle refused.
func (s *Service) try(ctx context.Context, a LoginAttempt) (m *model.Member, stale, blocked bool, err error) {
	login := strings.TrimSpace(a.Login)
	// Nobody has such a login or password, so that nothing is given away by
	// refusing them before any work.
	if login == "" || a.Password == "" || len(login) > maxLogin || len(a.Password) > maxGiven {
		return nil, false, false, errRefused
	}
	if err := s.members.fresh(ctx); err != nil {
		return nil, false, false, err
	}
	b := s.budgetOf(login, a)
	// Those whose address has used up its attempts do not wait in line.
	exhausted, err := s.exhausted(ctx, b)
	if err != nil || exhausted {
		return nil, false, exhausted, errors.Join(err, errIf(exhausted, errRefused))
	}
	line, key, account := s.strangers, b.account, ""
	if b.known {
		line, key, account = s.known, b.own, b.account
	}
	leave, err := line.enter(b.address, account)
	if err != nil {
		return nil, false, false, err
	}
	defer leave()
	unlock, err := s.attempts.Lock(ctx, key)
	if err != nil {
		return nil, false, false, err
	}
	defer unlock()
	err = line.run(ctx, func() error {
		m, stale, blocked, err = s.guess(ctx, login, a.Password, b)
		return err
	})
	if err != nil {
		return nil, false, blocked, err
	}
	return m, stale, false, nil
}

// guess is an attempt whose turn it is: it checks the password and counts what comes of it.
func (s *Service) guess(ctx context.Context, login, password string, b budget) (m *model.Member, stale, blocked bool, err error) {
	blocked, err = s.blocked(ctx, b)
	if err != nil {
		return nil, false, blocked, err
	}
	m, stale, err = s.verify(login, password, blocked)
	if err != nil {
		return nil, false, blocked, err
	}
	// What was found out is noted even if the client has gone.
	ctx = context.WithoutCancel(ctx)
	if m != nil {
		return m, stale, blocked, s.succeeded(ctx, b)
	}
	if err := s.failed(ctx, b, blocked); err != nil {
		return nil, false, blocked, err // not errRefused: guesses that are not counted would be free
	}
	return nil, false, blocked, errRefused
}

// verify returns the member that has the login and the password, is not
// locked and whose login is not blocked, else nil. It does the same work whatever it finds.
func (s *Service) verify(login, password string, blocked bool) (m *model.Member, stale bool, err error) {
	m = s.members.login(login)
	hash := s.dummy
	if m != nil && !blocked {
		hash = m.PasswordHash
	}
	ok, stale, err := s.compare(hash, password)
	if err != nil {
		return nil, false, err
	}
	if !ok || m == nil || m.Locked || blocked {
		return nil, false, nil
	}
	return m, stale, nil
}

// compare compares a password with a hash, which an older version may have made of a password that was not composed.
func (s *Service) compare(hash, password string) (ok, stale bool, err error) {
	ok, stale, err = s.passwords.Verify(hash, composed(password))
	if err == nil && !ok && composed(password) != password {
		ok, _, err = s.passwords.Verify(hash, password)
		stale = true
	}
	if err != nil {
		return false, false, fmt.Errorf("verify password: %w", err)
	}
	return ok, stale, nil
}
