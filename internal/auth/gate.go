package auth

import (
	"context"
	"sync"
	"time"

	"quipu/internal/fault"
)

// inLine is how many attempts may wait for a gate, perAddress how many of those come from one address, and perAccount how many are
// of one member, at the gate of known devices: a member must not take the places of all others.
const (
	inLine     = 64
	perAddress = 16
	perAccount = 8
)

// busyFor is when a client that found the line full should come back.
const busyFor = 5 * time.Second

// errBusy answers an attempt that finds the line full, whatever its login.
var errBusy = &fault.Error{Kind: fault.Unavailable, Code: "auth.busy", Msg: "Server is busy, try again later", RetryAfter: busyFor}

// gate bounds how many passwords are hashed at a time, and how many callers wait for that.
type gate struct {
	slots chan struct{} // one element for each hash under way

	mu   sync.Mutex
	all  int            // callers between enter and leave
	each map[string]int // those of them that have one, by address, and by account
}

func newGate(slots int) *gate {
	return &gate{slots: make(chan struct{}, slots), each: map[string]int{}}
}

// enter takes a place in the line and returns the function that leaves it, or errBusy. The ids of states, of an address and of an
// account, may be "", and do not count then.
func (g *gate) enter(address, account string) (func(), error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all >= inLine || g.each[address] >= perAddress || g.each[account] >= perAccount {
		return nil, errBusy
	}
	g.count(1, address, account)
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.count(-1, address, account)
	}, nil
}

// count adds a caller, or takes one away; mu is held.
func (g *gate) count(n int, ids ...string) {
	g.all += n
	for _, id := range ids {
		if id == "" {
			continue
		}
		if g.each[id] += n; g.each[id] == 0 {
			delete(g.each, id)
		}
	}
}

// run runs fn, which hashes a password, when a slot is free.
func (g *gate) run(ctx context.Context, fn func() error) error {
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-g.slots }()
	return fn()
}

// Turns lets attempts at one login, or from one known device, take turns, so that each sees the failures of those before. Where
// several servers share the members, they share the turns too.
type Turns interface {
	// Lock waits for the turn of a key and returns the function that ends it.
	Lock(ctx context.Context, key string) (end func(), err error)
}

// turns are those of this server, and of others that share the members; shared is nil when there are none.
type turns struct {
	own    keyedLocks
	shared Turns
}

// Lock implements Turns. Attempts at one server wait there, so that it asks the others for one of them at a time.
func (t *turns) Lock(ctx context.Context, key string) (func(), error) {
	end, err := t.own.Lock(ctx, key)
	if err != nil || t.shared == nil {
		return end, err
	}
	others, err := t.shared.Lock(ctx, key)
	if err != nil {
		end()
		if ctx.Err() == nil {
			busy := *errBusy
			busy.Err = err
			err = &busy
		}
		return nil, err
	}
	return func() { others(); end() }, nil
}

// keyedLocks are the Turns of one server: locks in its memory. The zero value is ready.
type keyedLocks struct {
	mu    sync.Mutex
	locks map[string]*keyedLock
}

type keyedLock struct {
	held  chan struct{} // holds one element while the key is locked
	users int           // holders and waiters; guarded by keyedLocks.mu
}

// Lock implements Turns.
func (k *keyedLocks) Lock(ctx context.Context, key string) (func(), error) {
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
