// Package hook is the in-process bus on which modules meet. A topic is a Go
// type (package topic lists them); subscribers are called in the order of their
// subscription, in the goroutine that emits.
//
// Subscriptions happen while the server is wired; after that the bus only
// emits, so it needs no lock on the hot path. A subscriber that must do slow
// work starts a job.
package hook

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
)

// Bus carries typed events. The zero value is not usable; call NewBus.
type Bus struct {
	mu      sync.RWMutex
	subs    map[reflect.Type][]subscriber
	enabled func(owner string) bool // nil = all are
}

// Binding is a topic that subscribers get even while they are switched off: what they hold has to
// follow all the same, as when data is erased.
type Binding interface{ Binding() }

type subscriber struct {
	owner string
	fn    any
}

// NewBus returns an empty bus.
func NewBus() *Bus { return &Bus{subs: map[reflect.Type][]subscriber{}} }

// On subscribes fn to the topic T. owner names the subscriber in errors and in
// the output of describe.
func On[T any](b *Bus, owner string, fn func(context.Context, T) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := reflect.TypeFor[T]()
	b.subs[t] = append(b.subs[t], subscriber{owner: owner, fn: fn})
}

// Switch lets subscribers be switched off: while enabled is false for the owner of a subscription, it
// gets Binding topics only. It is called while the server is wired.
func (b *Bus) Switch(enabled func(owner string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.enabled = enabled
}

// Emit calls every subscriber of T that is not switched off. All are called even if one fails; their
// errors are joined, each with its owner's name.
func Emit[T any](ctx context.Context, b *Bus, ev T) error {
	b.mu.RLock()
	subs, enabled := b.subs[reflect.TypeFor[T]()], b.enabled
	b.mu.RUnlock()
	if _, binding := any(ev).(Binding); binding {
		enabled = nil
	}
	var errs []error
	for _, s := range subs {
		if enabled != nil && !enabled(s.owner) {
			continue
		}
		fn, ok := s.fn.(func(context.Context, T) error)
		if !ok {
			continue // cannot happen: On stores under T only functions of T
		}
		if err := fn(ctx, ev); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.owner, err))
		}
	}
	return errors.Join(errs...)
}

// Topics lists each topic that has subscribers, with their owners, for describe.
func (b *Bus) Topics() map[string][]string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := map[string][]string{}
	for t, subs := range b.subs {
		for _, s := range subs {
			out[t.String()] = append(out[t.String()], s.owner)
		}
	}
	return out
}
