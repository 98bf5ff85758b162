package auth

import (
	"context"
	"sync"
	"time"

	"quipu/internal/fault"
)

// inLine is how many attempts may wait for a gate, and perAddress how many of those come from one address.
const (
	inLine     = 64
	perAddress = 16
)

// busyFor is when a client that found the line full should come back.
const busyFor = 5 * time.Second

// errBusy answers an attempt that finds the line full, whatever its login.
var errBusy = &fault.Error{Kind: fault.Unavailable, Code: "auth.busy", Msg: "Server is busy, try again later", RetryAfter: busyFor}

// gate bounds how many passwords are hashed at a time, and how many callers wait for that.
type gate struct {
	slots chan struct{} // one element for each hash under way

	mu      sync.Mutex
	all     int            // callers between enter and leave
	address map[string]int // those of them that have one, by address
}

func newGate(slots int) *gate {
	return &gate{slots: make(chan struct{}, slots), address: map[string]int{}}
}

// enter takes a place in the line and returns the function that leaves it, or errBusy. The address may be "".
func (g *gate) enter(address string) (func(), error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all >= inLine || address != "" && g.address[address] >= perAddress {
		return nil, errBusy
	}
	g.all++
	if address != "" {
		g.address[address]++
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.all--
		if address == "" {
			return
		}
		if g.address[address]--; g.address[address] == 0 {
			delete(g.address, address)
		}
	}, nil
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
