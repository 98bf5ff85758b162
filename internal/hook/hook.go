// Package hook is the in-process bus on which modules meet. A topic is a Go
// type (package topic lists them); subscribers are called in the order of their
// subscription, in the goroutine that emits. Subscribers that hold data in memory use OnEach
// and are called on every node of a cluster.
//
// Subscriptions happen while the server is wired; after that the bus only
// emits, so it needs no lock on the hot path. A subscriber that must do slow
// work starts a job.
package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// Bus carries typed events. The zero value is not usable; call NewBus.
type Bus struct {
	mu      sync.RWMutex
	subs    map[reflect.Type][]subscriber
	enabled func(owner string) bool // nil = all are
	carrier Carrier                 // nil = there are no other processes
	// carried are the topics that have subscribers in every process, by name.
	carried map[string]func(context.Context, []byte) error
}

// Carrier takes events to the other processes that share the data of this one.
type Carrier interface {
	// Carry has every other process deliver an event, as JSON, to its subscribers of OnEach. With await it returns when all of them have; an error says that one has not.
	Carry(ctx context.Context, topic string, event []byte, await bool) error
}

// Binding is a topic that subscribers get even while they are switched off: what they hold has to
// follow all the same, as when data is erased.
type Binding interface{ Binding() }

// Awaited is a Binding topic of which every process of a cluster has to be notified before Emit returns.
type Awaited interface {
	Binding
	Awaited()
}

type subscriber struct {
	owner string
	fn    any
	each  bool // on every node
}

// NewBus returns an empty bus.
func NewBus() *Bus {
	return &Bus{subs: map[reflect.Type][]subscriber{}, carried: map[string]func(context.Context, []byte) error{}}
}

// On subscribes fn to the topic T. owner names the subscriber in errors and in
// the output of describe.
func On[T any](b *Bus, owner string, fn func(context.Context, T) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := reflect.TypeFor[T]()
	b.subs[t] = append(b.subs[t], subscriber{owner: owner, fn: fn})
}

// OnEach is On for what a subscriber holds in the memory of its process: in a cluster fn is called in every process, in those other than the one that
// emits a moment later, for an Awaited topic before Emit returns. It may be called twice for one event. T is a type that JSON carries; fields that
// are not carried are zero elsewhere.
func OnEach[T any](b *Bus, owner string, fn func(context.Context, T) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := reflect.TypeFor[T]()
	b.subs[t] = append(b.subs[t], subscriber{owner: owner, fn: fn, each: true})
	b.carried[t.String()] = func(ctx context.Context, event []byte) error {
		var ev T
		if err := json.Unmarshal(event, &ev); err != nil {
			return fmt.Errorf("read a %s of another process: %w", t, err)
		}
		return call(ctx, b, ev, true)
	}
}

// Connect has topics with subscribers of OnEach taken to other processes. It is called while the server is wired.
func (b *Bus) Connect(c Carrier) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.carrier = c
}

// Deliver calls the subscribers of OnEach to a topic with an event that another process has carried. A topic that nobody subscribes to is ignored.
func (b *Bus) Deliver(ctx context.Context, topic string, event []byte) error {
	b.mu.RLock()
	fn := b.carried[topic]
	b.mu.RUnlock()
	if fn == nil {
		return nil
	}
	return fn(ctx, event)
}

// Switch lets subscribers be switched off: while enabled is false for the owner of a subscription, it
// gets Binding topics only. It is called while the server is wired.
func (b *Bus) Switch(enabled func(owner string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.enabled = enabled
}

// Emit calls every subscriber of T that is not switched off, and has those of OnEach called in other processes. All are called even if one fails; their
// errors are joined, each with its owner's name.
func Emit[T any](ctx context.Context, b *Bus, ev T) error {
	// Others first: what they put into shared stores before they are notified is there for the subscribers that remove it.
	return errors.Join(carry(ctx, b, ev), call(ctx, b, ev, false))
}

// carry has an event delivered in other processes, if there are some and it concerns them.
func carry[T any](ctx context.Context, b *Bus, ev T) error {
	b.mu.RLock()
	carrier, name := b.carrier, reflect.TypeFor[T]().String()
	carried := b.carried[name] != nil
	b.mu.RUnlock()
	if carrier == nil || !carried {
		return nil
	}
	body, err := json.Marshal(ev)
	if err == nil {
		_, await := any(ev).(Awaited)
		err = carrier.Carry(ctx, name, body, await)
	}
	if err != nil {
		return fmt.Errorf("carry a %s to other processes: %w", name, err)
	}
	return nil
}

// call calls the subscribers of T, or with each those of OnEach alone.
func call[T any](ctx context.Context, b *Bus, ev T, each bool) error {
	b.mu.RLock()
	subs, enabled := b.subs[reflect.TypeFor[T]()], b.enabled
	b.mu.RUnlock()
	if _, binding := any(ev).(Binding); binding {
		enabled = nil
	}
	var errs []error
	for _, s := range subs {
		if each && !s.each || enabled != nil && !enabled(s.owner) {
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

// Topics lists each topic that has subscribers, with their owners, each once, for describe.
func (b *Bus) Topics() map[string][]string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := map[string][]string{}
	for t, subs := range b.subs {
		for _, s := range subs {
			if name := t.String(); !slices.Contains(out[name], s.owner) {
				out[name] = append(out[name], s.owner)
			}
		}
	}
	return out
}
