package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// ThrottleConfig bounds the guessing of passwords.
//
// Attempts wrong passwords in a row block a login for Block; each further
// block of it is twice as long, up to MaxBlock. A right password, a global
// administrator (ResetThrottle) or MaxBlock of quiet after the last failure or block
// ends the series. Attempts at a blocked login are refused unseen, whatever the password,
// and neither count nor prolong the block.
//
// AddressAttempts failures from one client address (for IPv6: from one /64
// network) within a window of AddressWindow refuse all attempts from there until the window
// ends. A right password does not reset it, so that owning one account does
// not help to guess others.
type ThrottleConfig struct {
	Attempts        int
	Block           time.Duration
	MaxBlock        time.Duration
	AddressAttempts int
	AddressWindow   time.Duration
}

// state is the failed-login record of one login or one client address. It is
// never shown to anyone.
type state struct {
	ID       string `json:"_id"`
	Failures int    `json:"failures"` // since the last block, or in the window
	Blocks   int    `json:"blocks"`   // in a row; logins only
	Until    int64  `json:"until"`    // ms, end of the block; logins only
	Since    int64  `json:"since"`    // ms, start of the window; addresses only
	Last     int64  `json:"last"`     // ms, last failure
}

// Key returns the state's id.
func (s state) Key() string { return s.ID }

// Validate has nothing to refuse.
func (s state) Validate() error { return nil }

func throttleSpec() docs.Spec[state] {
	return docs.Spec[state]{Name: "auth.throttle", Version: 1, Indexes: []docs.Index[state]{{Name: "last", Path: ".last"}}}
}

// memberState is the id of a member's state, whichever of its names was used.
func memberState(id model.MemberID) string { return "member:" + id.String() }

// unknownState is the id of the state of a login that nobody has.
func unknownState(login string) string {
	sum := sha256.Sum256([]byte(docs.Fold(login)))
	return "login:" + hex.EncodeToString(sum[:16])
}

// addressState is the id of an address's state; "" for the zero Addr.
func addressState(a netip.Addr) string {
	if !a.IsValid() {
		return ""
	}
	a = a.Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return "" // cannot happen: bits fit the address
	}
	return "address:" + p.Addr().String()
}

// throttleFailed is the fault of a state that could not be read or written.
func throttleFailed(err error) error {
	return fault.Wrap(err, fault.Internal, "auth.throttle_failed", "Server Error")
}

// blocked reads the state of a login and an address; address may be "".
func (s *Service) blocked(ctx context.Context, login, address string) (bool, error) {
	now := s.now()
	st, err := loadState(ctx, s.db, login)
	if err != nil {
		return false, throttleFailed(err)
	}
	if st.Until > now.UnixMilli() {
		return true, nil
	}
	if address == "" {
		return false, nil
	}
	st, err = loadState(ctx, s.db, address)
	if err != nil {
		return false, throttleFailed(err)
	}
	return st.Failures >= s.cfg.Throttle.AddressAttempts && s.inWindow(st, now), nil
}

func (s *Service) inWindow(st state, now time.Time) bool {
	return now.UnixMilli()-st.Since < s.cfg.Throttle.AddressWindow.Milliseconds()
}

func loadState(ctx context.Context, h docs.Handle, id string) (state, error) {
	st, err := throttleSpec().Global(h).Get(ctx, id)
	if docs.IsNotFound(err) {
		return state{ID: id}, nil
	}
	return st, err
}

// failed counts a wrong password for a login and an address.
func (s *Service) failed(ctx context.Context, login, address string) error {
	now := s.now()
	err := s.db.Tx(ctx, func(tx docs.Handle) error {
		st, err := loadState(ctx, tx, login)
		if err != nil {
			return err
		}
		s.countLogin(&st, now)
		if err := throttleSpec().Global(tx).Put(ctx, st); err != nil || address == "" {
			return err
		}
		if st, err = loadState(ctx, tx, address); err != nil {
			return err
		}
		if !s.inWindow(st, now) {
			st.Failures, st.Since = 0, now.UnixMilli()
		}
		st.Failures++
		st.Last = now.UnixMilli()
		return throttleSpec().Global(tx).Put(ctx, st)
	})
	if err != nil {
		return throttleFailed(err)
	}
	return nil
}

func (s *Service) countLogin(st *state, now time.Time) {
	c := s.cfg.Throttle
	if now.UnixMilli()-max(st.Last, st.Until) > c.MaxBlock.Milliseconds() {
		*st = state{ID: st.ID}
	}
	st.Last = now.UnixMilli()
	if st.Until > now.UnixMilli() {
		return // another process has blocked the login while this attempt was under way
	}
	if st.Failures++; st.Failures < c.Attempts {
		return
	}
	block := c.MaxBlock
	if st.Blocks < 30 { // beyond, shifting would overflow
		block = min(c.Block<<st.Blocks, c.MaxBlock)
	}
	st.Failures, st.Until = 0, now.Add(block).UnixMilli()
	st.Blocks++
}

// forget removes a state, if it is there.
func forget(ctx context.Context, h docs.Handle, id string) error {
	err := throttleSpec().Global(h).Delete(ctx, id)
	if docs.IsNotFound(err) {
		return nil
	}
	return err
}

// ResetThrottle ends the block of a login, given by user name or e-mail
// address; it does nothing when there is none.
func (s *Service) ResetThrottle(ctx context.Context, login string) error {
	for _, id := range []string{s.stateOf(login), unknownState(login)} {
		if err := forget(ctx, s.db, id); err != nil {
			return fmt.Errorf("reset throttle: %w", err)
		}
	}
	return nil
}

// stateOf is the id of a login's state.
func (s *Service) stateOf(login string) string {
	if m := s.members.login(login); m != nil {
		return memberState(m.ID)
	}
	return unknownState(login)
}

// Blocked returns the members whose login is blocked now.
func (s *Service) Blocked(ctx context.Context) (map[model.MemberID]bool, error) {
	out := map[model.MemberID]bool{}
	q := docs.Query{Where: []docs.Cond{docs.Prefix("", "member:"), docs.Gt(".until", s.now().UnixMilli())}}
	for st, err := range throttleSpec().Global(s.db).List(ctx, q) {
		if err != nil {
			return nil, fmt.Errorf("read throttle: %w", err)
		}
		id, err := model.ParseID(st.ID[len("member:"):])
		if err != nil {
			return nil, fmt.Errorf("read throttle: %w", err)
		}
		out[id] = true
	}
	return out, nil
}

func (s *Service) pruneThrottle(ctx context.Context) error {
	now := s.now()
	_, err := throttleSpec().Global(s.db).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{
		docs.Lt("last", now.Add(-s.cfg.Throttle.MaxBlock-s.cfg.Throttle.AddressWindow).UnixMilli()),
		docs.Lt(".until", now.Add(-s.cfg.Throttle.MaxBlock).UnixMilli()),
	}})
	if err != nil {
		return fmt.Errorf("prune throttle: %w", err)
	}
	return nil
}

// keyedLocks gives each key a lock. The zero value is ready.
type keyedLocks struct {
	mu    sync.Mutex
	locks map[string]*keyedLock
}

type keyedLock struct {
	held  chan struct{} // holds one element while the key is locked
	users int           // holders and waiters; guarded by keyedLocks.mu
}

// lock waits for the key and returns the function that frees it.
func (k *keyedLocks) lock(ctx context.Context, key string) (func(), error) {
	k.mu.Lock()
	l := k.locks[key]
	if l == nil {
		if k.locks == nil {
			k.locks = map[string]*keyedLock{}
		}
		l = &keyedLock{held: make(chan struct{}, 1)}
		k.locks[key] = l
	}
	l.users++
	k.mu.Unlock()
	leave := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(k.locks, key)
		}
	}
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
