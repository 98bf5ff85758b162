package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// ThrottleConfig bounds the guessing of passwords, so that no stranger can keep the owner of an
// account out.
//
// Attempts wrong passwords in a row, for one login from one client address (for IPv6: from one /64
// network), block this login for this address for Block; each further block of it is twice as long,
// up to MaxBlock. A device that signed in to the account before (see Service.Device) has a budget of
// the same size for itself, whatever its address; so has a member who confirms the own password.
//
// All other failures of a login are counted together, of each address those before its first block: so
// it takes many addresses to get further. AccountAttempts of them block the login for Block for
// devices that are not known, and from then on each Attempts failures from anywhere do so for twice as long, up to
// AccountMaxBlock.
//
// A right password, a global administrator (ResetThrottle) or MaxBlock of quiet after the last failure
// or block ends a series. A right password ends that of its own address or device only, and takes its failures
// off the login's. Attempts at a blocked login are refused whatever the password, and neither count
// for it nor prolong the block.
//
// AddressAttempts failures from one client address within a window of AddressWindow, refused ones
// included, refuse all attempts from there until the window ends, but those of known devices. A right
// password does not reset it, so that owning one account does not help to guess others.
//
// MaxStates bounds how many addresses and unknown logins are remembered; beyond, those
// that were quiet for longest are forgotten.
type ThrottleConfig struct {
	Attempts        int
	Block           time.Duration
	MaxBlock        time.Duration
	AccountAttempts int
	AccountMaxBlock time.Duration
	AddressAttempts int
	AddressWindow   time.Duration
	MaxStates       int
}

// state is a failed-login record: of a login, of a login from one address, of a login on one device, or of an
// address. It is never shown to anyone.
type state struct {
	ID       string `json:"_id"`
	Failures int    `json:"failures"` // since the last block, or in the window
	Charged  int    `json:"charged"`  // how many failures the login was charged with; of a login from one address only
	Blocks   int    `json:"blocks"`   // in a row; not of addresses
	Until    int64  `json:"until"`    // ms, end of the block; not of addresses
	Since    int64  `json:"since"`    // ms, start of the window; addresses only
	Last     int64  `json:"last"`     // ms, last failure
	// Kept states are those of members and their devices, which strangers cannot make more of.
	Kept bool `json:"kept"`
}

// Key returns the state's id.
func (s state) Key() string { return s.ID }

// Validate has nothing to refuse.
func (s state) Validate() error { return nil }

func throttleSpec() docs.Spec[state] {
	return docs.Spec[state]{Name: "auth.throttle", Version: 1, Indexes: []docs.Index[state]{{Name: "last", Path: ".last"}}}
}

// memberState is the id of a member's state, whichever of its names was used. Those of its
// addresses and devices begin with it.
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

// budget names the states that an attempt is counted in.
type budget struct {
	account string // of the login
	own     string // of the login from this address or on this device
	address string // "" for none
	known   bool   // a device that signed in before, or the member itself
	member  bool   // the login is a member's
}

// self stands for the device of a member who is signed in.
const self = "self"

// budgetOf finds the states of an attempt. It takes the same work whether the login is known or not.
func (s *Service) budgetOf(login string, a LoginAttempt) budget {
	m := s.members.login(login)
	b := budget{account: unknownState(login), address: addressState(a.Addr), member: m != nil}
	device := s.device(m, a.Device)
	if m != nil {
		b.account = memberState(m.ID)
	}
	if a.confirms {
		device = self
	}
	if b.known = device != ""; b.known {
		b.own = b.account + "#" + device
	} else {
		b.own = b.account + "@" + b.address
	}
	return b
}

// throttleFailed is the fault of a state that could not be read or written.
func throttleFailed(err error) error {
	return fault.Wrap(err, fault.Internal, "auth.throttle_failed", "Server Error")
}

// blocked reports whether an attempt is refused whatever the password.
func (s *Service) blocked(ctx context.Context, b budget) (bool, error) {
	now := s.now().UnixMilli()
	ids := []string{b.own, b.account}
	if b.known {
		ids = ids[:1]
	}
	for _, id := range ids {
		st, err := loadState(ctx, s.db, id)
		if err != nil {
			return false, throttleFailed(err)
		}
		if st.Until > now {
			return true, nil
		}
	}
	return false, nil
}

// exhausted reports whether an address has used up its attempts. It depends on nothing but the address.
func (s *Service) exhausted(ctx context.Context, b budget) (bool, error) {
	if b.known || b.address == "" {
		return false, nil
	}
	st, err := loadState(ctx, s.db, b.address)
	if err != nil {
		return false, throttleFailed(err)
	}
	return st.Failures >= s.cfg.Throttle.AddressAttempts && s.inWindow(st, s.now()), nil
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

// failed counts an attempt that was refused: a wrong password everywhere, one at a blocked login for the address only.
func (s *Service) failed(ctx context.Context, b budget, blocked bool) error {
	now := s.now()
	err := s.db.Tx(ctx, func(tx docs.Handle) error {
		if !blocked {
			if err := s.countLogin(ctx, tx, b, now); err != nil {
				return err
			}
		}
		return s.countAddress(ctx, tx, b.address, now)
	})
	if err == nil && s.counted.Add(1)%trimEvery == 0 {
		err = s.trimThrottle(ctx)
	}
	if err != nil {
		return throttleFailed(err)
	}
	return nil
}

// countLogin counts a wrong password for its address or device and, if that is not known, for the login.
func (s *Service) countLogin(ctx context.Context, tx docs.Handle, b budget, now time.Time) error {
	c := s.cfg.Throttle
	own, err := loadState(ctx, tx, b.own)
	if err != nil {
		return err
	}
	s.decay(&own, now)
	own.Kept = b.known
	if !b.known {
		all, err := loadState(ctx, tx, b.account)
		if err != nil {
			return err
		}
		s.decay(&all, now)
		if most := c.Attempts; own.Blocks == 0 || all.Blocks > 0 {
			if all.Blocks == 0 {
				most = c.AccountAttempts
			}
			s.count(&all, now, most, c.AccountMaxBlock)
			all.Kept = b.member
			own.Charged++
			if err := throttleSpec().Global(tx).Put(ctx, all); err != nil {
				return err
			}
		}
	}
	s.count(&own, now, c.Attempts, c.MaxBlock)
	return throttleSpec().Global(tx).Put(ctx, own)
}

// decay ends a series after MaxBlock of quiet.
func (s *Service) decay(st *state, now time.Time) {
	if now.UnixMilli()-max(st.Last, st.Until) > s.cfg.Throttle.MaxBlock.Milliseconds() {
		*st = state{ID: st.ID}
	}
}

// count adds a failure to a series, which attempts of them block for at most so long.
func (s *Service) count(st *state, now time.Time, attempts int, most time.Duration) {
	st.Last = now.UnixMilli()
	if st.Until > now.UnixMilli() {
		return // another process has blocked the login while this attempt was under way
	}
	if st.Failures++; st.Failures < attempts {
		return
	}
	block := most
	if st.Blocks < 30 { // beyond, shifting would overflow
		block = min(s.cfg.Throttle.Block<<st.Blocks, most)
	}
	st.Failures, st.Until = 0, now.Add(block).UnixMilli()
	st.Blocks++
}

func (s *Service) countAddress(ctx context.Context, tx docs.Handle, address string, now time.Time) error {
	if address == "" {
		return nil
	}
	st, err := loadState(ctx, tx, address)
	if err != nil {
		return err
	}
	if !s.inWindow(st, now) {
		st.Failures, st.Since = 0, now.UnixMilli()
	}
	st.Failures++
	st.Last = now.UnixMilli()
	return throttleSpec().Global(tx).Put(ctx, st)
}

// succeeded ends the series of an address or a device with a right password.
func (s *Service) succeeded(ctx context.Context, b budget) error {
	err := s.db.Tx(ctx, func(tx docs.Handle) error {
		own, err := loadState(ctx, tx, b.own)
		if err != nil {
			return err
		}
		if err := forget(ctx, tx, b.own); err != nil || b.known || own.Charged == 0 {
			return err
		}
		all, err := loadState(ctx, tx, b.account)
		if err != nil {
			return err
		}
		if all.Failures = max(0, all.Failures-own.Charged); all.Failures == 0 && all.Blocks == 0 {
			return forget(ctx, tx, b.account)
		}
		return throttleSpec().Global(tx).Put(ctx, all)
	})
	if err != nil {
		return throttleFailed(err)
	}
	return nil
}

// forget removes a state, if it is there.
func forget(ctx context.Context, h docs.Handle, id string) error {
	err := throttleSpec().Global(h).Delete(ctx, id)
	if docs.IsNotFound(err) {
		return nil
	}
	return err
}

// forgetLogin removes the state of a login with those of its addresses and devices.
func forgetLogin(ctx context.Context, h docs.Handle, account string) error {
	_, err := throttleSpec().Global(h).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Prefix("", account)}})
	return err
}

// ResetThrottle ends all blocks of a login, given by user name or e-mail
// address; it does nothing when there is none.
func (s *Service) ResetThrottle(ctx context.Context, login string) error {
	accounts := []string{unknownState(login)}
	if m := s.members.login(login); m != nil {
		accounts = append(accounts, memberState(m.ID))
	}
	for _, account := range accounts {
		if err := forgetLogin(ctx, s.db, account); err != nil {
			return fmt.Errorf("reset throttle: %w", err)
		}
	}
	return nil
}

// Blocked returns the members whose login is blocked now for some address, for a device, or for all devices that are not known.
func (s *Service) Blocked(ctx context.Context) (map[model.MemberID]bool, error) {
	out := map[model.MemberID]bool{}
	q := docs.Query{Where: []docs.Cond{docs.Prefix("", "member:"), docs.Gt(".until", s.now().UnixMilli())}}
	for st, err := range throttleSpec().Global(s.db).List(ctx, q) {
		if err != nil {
			return nil, fmt.Errorf("read throttle: %w", err)
		}
		text := st.ID[len("member:"):]
		if i := strings.IndexAny(text, "@#"); i >= 0 {
			text = text[:i]
		}
		id, err := model.ParseID(text)
		if err != nil {
			return nil, fmt.Errorf("read throttle: %w", err)
		}
		out[id] = true
	}
	return out, nil
}

// trimEvery is after how many failures the number of states is looked at.
const trimEvery = 256

// trimThrottle forgets the states beyond MaxStates that were quiet for longest.
func (s *Service) trimThrottle(ctx context.Context) error {
	col, strangers := throttleSpec().Global(s.db), docs.Ne(".kept", true)
	last, err := col.First(ctx, docs.Query{Where: []docs.Cond{strangers}, Sort: "last", Desc: true, Offset: s.cfg.Throttle.MaxStates, Limit: 1})
	if docs.IsNotFound(err) {
		return nil
	}
	if err == nil {
		_, err = col.DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Le("last", last.Last), strangers}})
	}
	if err != nil {
		return fmt.Errorf("trim throttle: %w", err)
	}
	return nil
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
