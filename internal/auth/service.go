// Package auth knows who calls and what they may do: members and their
// passwords, the throttle of log-ins, the dashboard's sessions, auth tokens,
// and the evaluation of permissions.
//
// Members are kept in a Directory in memory, so that finding the owner of an
// api_key costs no query; it follows writes of this process at once and those of
// other processes within Config.Refresh.
//
// Faults, with the wire's texts as messages: auth.credentials_missing,
// auth.token_invalid (Invalid, 400), auth.unknown_user, auth.locked
// (Unauthenticated), auth.refused (Unauthenticated: a log-in that failed for
// whatever reason), auth.throttle_failed (Internal: the state of the throttle
// cannot be read or written), auth.busy (Unavailable: too many log-ins wait), auth.member_invalid, auth.password_short,
// auth.password_long, auth.password_leaked, auth.password_personal and auth.password_reused
// (Invalid), auth.password_due (Forbidden: the password is right, but has to be changed first),
// auth.member_exists, auth.not_first, auth.last_admin (Conflict),
// auth.member_not_found (NotFound), auth.token_scope (Invalid: a restriction that is too
// large).
package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"quipu/internal/seal"
	"quipu/internal/store/docs"
)

// Config holds the choices of an operator. DefaultConfig has the documented values.
type Config struct {
	Policy   PasswordPolicy
	Hash     HashParams
	Throttle ThrottleConfig
	Session  SessionConfig
	// Refresh is how old the directory of members may be with regard to
	// writes by other processes.
	Refresh time.Duration
	// Hashes is how many passwords are hashed at a time, at least 2; each takes
	// Hash.Memory. It bounds the memory that hostile log-ins can claim. One of them is for
	// known devices and members.
	Hashes int
}

// DefaultConfig returns the documented defaults.
func DefaultConfig() Config {
	return Config{
		Policy:   PasswordPolicy{MinLength: 8},
		Hash:     HashParams{Memory: 19 << 10, Passes: 2, Threads: 1},
		Throttle: ThrottleConfig{Attempts: 3, Block: 5 * time.Minute, MaxBlock: 24 * time.Hour, AccountAttempts: 30, AccountMaxBlock: time.Hour, AddressAttempts: 50, AddressWindow: 5 * time.Minute, MaxStates: 20_000},
		Session:  SessionConfig{Idle: 24 * time.Hour, Lifetime: 7 * 24 * time.Hour},
		Refresh:  time.Second,
		Hashes:   2,
	}
}

// Validate reports everything that is wrong with c.
func (c Config) Validate() error {
	var errs []error
	positive := func(name string, n int64) {
		if n <= 0 {
			errs = append(errs, fmt.Errorf("%s must be positive", name))
		}
	}
	positive("min password length", int64(c.Policy.MinLength))
	positive("hash memory", int64(c.Hash.Memory))
	positive("hash passes", int64(c.Hash.Passes))
	positive("hash threads", int64(c.Hash.Threads))
	positive("login attempts", int64(c.Throttle.Attempts))
	positive("login block", int64(c.Throttle.Block))
	positive("account attempts", int64(c.Throttle.AccountAttempts))
	positive("remembered addresses", int64(c.Throttle.MaxStates))
	positive("address attempts", int64(c.Throttle.AddressAttempts))
	positive("address window", int64(c.Throttle.AddressWindow))
	positive("idle session", int64(c.Session.Idle))
	positive("session lifetime", int64(c.Session.Lifetime))
	positive("refresh", int64(c.Refresh))
	positive("hashes", int64(c.Hashes))
	if c.Hashes < 2 {
		errs = append(errs, errors.New("fewer than two hashes at a time"))
	}
	if min(c.Throttle.MaxBlock, c.Throttle.AccountMaxBlock) < c.Throttle.Block {
		errs = append(errs, errors.New("the longest login block is shorter than the first"))
	}
	if c.Policy.MinLength > maxPassword {
		errs = append(errs, fmt.Errorf("min password length is above %d", maxPassword))
	}
	return errors.Join(errs...)
}

// Options are what a Service needs. DB, Log, Now and Config are required.
type Options struct {
	DB     docs.DB
	Log    *slog.Logger
	Now    func() time.Time
	Config Config
	// Passwords hashes and verifies; nil means Argon2 with Config.Hash.
	Passwords Passwords
	// Keys seal API keys and tokens. Without them members have no keys and no token opens anything, as a tool
	// may have it that looks after a folder whose key is elsewhere.
	Keys *seal.Keys
	// Purge takes what was overwritten off the disk, once after the keys of an older folder were sealed;
	// nil = nothing does.
	Purge func(context.Context) error
	// Rules tells the rules in force; nil means none.
	Rules func() PasswordRules
	// Attempted is notified of every attempt to sign in, or to confirm a password, that has ended; nil = nobody is.
	Attempted func(context.Context, Attempted)
	// Turns are shared with the other servers of a cluster; nil means that there are none.
	Turns Turns
}

// Service is the package's face. It is safe for concurrent use.
type Service struct {
	db        docs.DB
	log       *slog.Logger
	now       func() time.Time
	cfg       Config
	passwords Passwords
	rules     func() PasswordRules
	// dummy is a hash that no password has, for log-ins of unknown users.
	dummy string
	// Passwords of those who are not known are hashed behind one gate, those of known devices and
	// of members behind another, so that strangers cannot keep members waiting.
	strangers, known *gate
	attempts         Turns // one attempt at a time for each login, or known device
	notify           func(context.Context, Attempted)
	counted          atomic.Uint64                     // failures since the start
	setup            atomic.Pointer[[sha256.Size]byte] // of the setup code; nil = none
	members          *directory
	patterns         *patternCache
	vault            vault
}

// Open reads the members and returns the service.
func Open(ctx context.Context, o Options) (*Service, error) {
	if err := o.Config.Validate(); err != nil {
		return nil, fmt.Errorf("auth configuration: %w", err)
	}
	if o.Passwords == nil {
		o.Passwords = NewArgon2(o.Config.Hash)
	}
	if o.Rules == nil {
		o.Rules = func() PasswordRules { return PasswordRules{} }
	}
	patterns, err := newPatternCache()
	if err != nil {
		return nil, err
	}
	s := &Service{
		db: o.DB, log: o.Log, now: o.Now, cfg: o.Config, passwords: o.Passwords, rules: o.Rules,
		dummy: NewArgon2(o.Config.Hash).Impossible(), attempts: &turns{shared: o.Turns}, notify: o.Attempted, strangers: newGate(o.Config.Hashes - 1), known: newGate(1),
		members: newDirectory(o.DB, vault{o.Keys}, o.Now, o.Config.Refresh), patterns: patterns, vault: vault{o.Keys},
	}
	if err := s.adopt(ctx, o.Purge); err != nil {
		return nil, err
	}
	if err := s.members.reload(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Collection is the name of the collection of members.
func (s *Service) Collection() string { return membersSpec(s.vault).Name }

// Refresh reads all members again when another process has written since the last look. Members follow without it, within Config.Refresh.
func (s *Service) Refresh(ctx context.Context) error { return s.members.look(ctx) }

// hashing runs fn, which hashes a password that a member or an administrator chooses, when a slot is free.
func (s *Service) hashing(ctx context.Context, fn func() error) error { return s.known.run(ctx, fn) }

// Prune removes what has no effect any more: expired sessions and tokens, and
// states of the throttle that have decayed.
func (s *Service) Prune(ctx context.Context) error {
	return errors.Join(s.pruneSessions(ctx), s.pruneTokens(ctx), s.pruneThrottle(ctx))
}
