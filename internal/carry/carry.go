// Package carry takes events of the bus to the other nodes of a cluster: as documents, which every node follows and delivers to its own subscribers.
// An event arrives at least once, those of one node in their order, within milliseconds where the store notifies of writes and after a second where it
// does not. A node that starts has nothing in memory that events before it are about, so it passes over them.
package carry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"quipu/internal/follow"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

const (
	// keep is how long an event can be delivered. A node that cannot ask the store for so long has lost its leases, and with them what it held in memory.
	keep = 10 * time.Minute
	// patience is how long an awaited event waits for nodes that live but do not deliver it.
	patience = 15 * time.Second
	// look is the time between two looks who has delivered it.
	look = 20 * time.Millisecond
)

// notice is an event on its way.
type notice struct {
	ID    string          `json:"_id"`
	Topic string          `json:"topic"`
	Event json.RawMessage `json:"event"`
	From  string          `json:"from"` // the node
	At    int64           `json:"at"`   // ms
	Await bool            `json:"await,omitempty"`
	Seen  []string        `json:"seen,omitempty"` // nodes that have delivered it, if that is awaited
}

// Key implements docs.Document.
func (n notice) Key() string { return n.ID }

// Validate implements docs.Document.
func (n notice) Validate() error {
	if n.ID == "" || n.Topic == "" || n.From == "" || !json.Valid(n.Event) {
		return errors.New("an event of another node needs an id, a topic, an event and a node")
	}
	return nil
}

func spec() docs.Spec[notice] {
	return docs.Spec[notice]{Name: "notices", Version: 1, Indexes: []docs.Index[notice]{{Name: "at", Path: ".at", Order: true}}}
}

// Options configure New. All are required.
type Options struct {
	Docs docs.DB
	Bus  *hook.Bus
	// Node is the name of this node, Nodes those of all that live.
	Node  string
	Nodes func(ctx context.Context) ([]string, error)
	Now   func() time.Time
	Log   *slog.Logger
}

// Post carries events. It implements hook.Carrier.
type Post struct {
	o    Options
	docs docs.Collection[notice]

	mu   sync.Mutex
	done map[string]int64 // notices that are delivered, or this node's own, with their times
}

// New returns the post of a node, whose bus it is connected to. It delivers what is carried from now on; before the node lives for others.
func New(ctx context.Context, o Options) (*Post, error) {
	p := &Post{o: o, docs: spec().Global(o.Docs), done: map[string]int64{}}
	if err := p.each(ctx, func(notice) error { return nil }); err != nil {
		return nil, fmt.Errorf("read events of other nodes: %w", err)
	}
	o.Bus.Connect(p)
	return p, nil
}

// Follower delivers what other nodes carry.
func (p *Post) Follower() follow.Follower {
	return follow.Follower{Name: "events of other nodes", Collections: []string{spec().Name}, Refresh: p.refresher()}
}

// refresher returns a Refresh that delivers what has come since.
func (p *Post) refresher() func(context.Context) error {
	last := int64(-1)
	return func(ctx context.Context) error {
		generation, err := p.docs.Generation(ctx)
		if err != nil || generation == last {
			return err
		}
		err = p.each(ctx, func(n notice) error {
			if err := p.o.Bus.Deliver(ctx, n.Topic, n.Event); err != nil && ctx.Err() == nil {
				p.o.Log.ErrorContext(ctx, "a subscriber failed", slog.String("topic", n.Topic), slog.Any("error", err))
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		last = generation
		return nil
	}
}

// Carry implements hook.Carrier.
func (p *Post) Carry(ctx context.Context, topic string, event []byte, await bool) error {
	now := p.o.Now().UnixMilli()
	n := notice{ID: model.NewID().String(), Topic: topic, Event: event, From: p.o.Node, At: now, Await: await}
	p.mu.Lock()
	p.done[n.ID] = now
	p.mu.Unlock()
	err := p.o.Docs.Tx(ctx, func(tx docs.Handle) error {
		list := spec().Global(tx)
		if _, err := list.DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Lt("at", now-keep.Milliseconds())}}); err != nil {
			return err
		}
		return list.Create(ctx, n)
	})
	if err != nil || !await {
		return err
	}
	return p.await(ctx, n.ID)
}

// await waits until every node that lives has delivered a notice.
func (p *Post) await(ctx context.Context, id string) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		nodes, err := p.o.Nodes(ctx)
		if err != nil {
			return fmt.Errorf("list the nodes: %w", err)
		}
		n, err := p.docs.Get(ctx, id)
		if err != nil {
			return err
		}
		missing := slices.DeleteFunc(nodes, func(name string) bool { return name == p.o.Node || slices.Contains(n.Seen, name) })
		if len(missing) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			p.o.Log.WarnContext(ctx, "nodes of the cluster do not deliver an event", slog.String("topic", n.Topic), slog.Any("nodes", missing))
			return nil
		case <-time.After(look):
		}
	}
}

// each calls fn with the notices of others that are new to this node, and notes that it has seen them.
func (p *Post) each(ctx context.Context, fn func(notice) error) error {
	list, err := p.docs.All(ctx, docs.Query{Sort: "at"})
	if err != nil {
		return err
	}
	p.mu.Lock()
	list = slices.DeleteFunc(list, func(n notice) bool { _, known := p.done[n.ID]; return known })
	p.mu.Unlock()
	for _, n := range list {
		if err := fn(n); err != nil {
			return err
		}
		if n.Await {
			_, err := p.docs.Update(ctx, n.ID, func(n *notice) error {
				if !slices.Contains(n.Seen, p.o.Node) {
					n.Seen = append(n.Seen, p.o.Node)
				}
				return nil
			})
			if err != nil && !docs.IsNotFound(err) {
				return err
			}
		}
		p.note(n)
	}
	return nil
}

// note notes that a notice is delivered, and forgets those that are long gone.
func (p *Post) note(n notice) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done[n.ID] = n.At
	if before := p.o.Now().Add(-2 * keep).UnixMilli(); len(p.done) > 1000 {
		for id, at := range p.done {
			if at < before {
				delete(p.done, id)
			}
		}
	}
}
