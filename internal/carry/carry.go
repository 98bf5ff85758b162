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
	"time"

	"quipu/internal/fault"
	"quipu/internal/follow"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

const (
	// keep is how many events are kept. A node that is behind by more misses some.
	keep = 10_000
	// patience is how long an awaited event waits for nodes that live but do not deliver it, and how long a delivery may take.
	patience = 15 * time.Second
	// look is the time between two looks which nodes have delivered it, and between two looks which nodes live.
	look, lookNodes = 20 * time.Millisecond, time.Second
)

// errWaiting is the fault of an awaited event that a node which lives has not delivered.
var errWaiting = fault.New(fault.Unavailable, "cluster.not_notified", "A node of the cluster did not confirm in time. Please try again")

// notice is an event on its way.
type notice struct {
	ID    string          `json:"_id"`
	Seq   int64           `json:"seq"` // from 1, in the order of commits; it does not depend on clocks
	Topic string          `json:"topic"`
	Event json.RawMessage `json:"event"`
	From  string          `json:"from"` // the node
	Await bool            `json:"await,omitempty"`
	Seen  []string        `json:"seen,omitempty"` // nodes that have delivered it, if that is awaited
}

// Key implements docs.Document.
func (n notice) Key() string { return n.ID }

// Validate implements docs.Document.
func (n notice) Validate() error {
	if n.ID == "" || n.Seq < 1 || n.Topic == "" || n.From == "" || !json.Valid(n.Event) {
		return errors.New("an event of another node needs an id, a place, a topic, an event and a node")
	}
	return nil
}

func spec() docs.Spec[notice] {
	return docs.Spec[notice]{Name: "notices", Version: 1, Indexes: []docs.Index[notice]{{Name: "seq", Path: ".seq", Order: true}}}
}

// Options configure New. All are required.
type Options struct {
	Docs docs.DB
	Bus  *hook.Bus
	// Node is the name of this node, Nodes those of all that live.
	Node  string
	Nodes func(ctx context.Context) ([]string, error)
	Log   *slog.Logger
}

// Post carries events. It implements hook.Carrier.
type Post struct {
	o    Options
	docs docs.Collection[notice]
	seen int64 // place of the last notice that was delivered or passed over; the follower's own
}

// New returns the post of a node, whose bus it is connected to. What was carried before is passed over. It is called before Nodes names this node.
func New(ctx context.Context, o Options) (*Post, error) {
	p := &Post{o: o, docs: spec().Global(o.Docs)}
	var err error
	if p.seen, err = newest(ctx, o.Docs); err != nil {
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
		if err := p.deliver(ctx); err != nil {
			return err
		}
		last = generation
		return nil
	}
}

// newest returns the place of the last notice; 0 = there is none.
func newest(ctx context.Context, h docs.Handle) (int64, error) {
	n, err := spec().Global(h).First(ctx, docs.Query{Sort: "seq", Desc: true})
	if docs.IsNotFound(err) {
		return 0, nil
	}
	return n.Seq, err
}

// Carry implements hook.Carrier. Fault: cluster.not_notified.
func (p *Post) Carry(ctx context.Context, topic string, event []byte, await bool) error {
	var nodes []string
	if await { // those that live now follow already, and those that begin to live have nothing in memory
		var err error
		if nodes, err = p.o.Nodes(ctx); err != nil {
			return fmt.Errorf("list the nodes: %w", err)
		}
	}
	n := notice{ID: model.NewID().String(), Topic: topic, Event: event, From: p.o.Node, Await: await}
	err := p.o.Docs.Tx(ctx, func(tx docs.Handle) error { // transactions take turns, so places are in their order
		last, err := newest(ctx, tx)
		if err != nil {
			return err
		}
		n.Seq = last + 1
		list := spec().Global(tx)
		if _, err := list.DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Le("seq", last-keep)}}); err != nil {
			return err
		}
		return list.Create(ctx, n)
	})
	if err != nil || !await {
		return err
	}
	return p.await(ctx, n.ID, nodes)
}

// await waits until every one of the nodes has delivered a notice, or lives no longer.
func (p *Post) await(ctx context.Context, id string, nodes []string) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	again := time.NewTicker(lookNodes)
	defer again.Stop()
	for {
		n, err := p.docs.Get(ctx, id)
		if err != nil {
			return err
		}
		nodes = slices.DeleteFunc(nodes, func(name string) bool { return name == p.o.Node || slices.Contains(n.Seen, name) })
		if len(nodes) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			p.o.Log.WarnContext(ctx, "nodes of the cluster do not deliver an event", slog.String("topic", n.Topic), slog.Any("nodes", nodes))
			return errWaiting
		case <-again.C:
			living, err := p.o.Nodes(ctx)
			if err != nil {
				return fmt.Errorf("list the nodes: %w", err)
			}
			nodes = slices.DeleteFunc(nodes, func(name string) bool { return !slices.Contains(living, name) })
		case <-time.After(look):
		}
	}
}

// deliver calls the subscribers of this node with the notices of others that are new to it, in their order. One that fails is logged; the node that publishes
// an awaited event then waits in vain.
func (p *Post) deliver(ctx context.Context) error {
	last, err := newest(ctx, p.o.Docs)
	if err != nil {
		return err
	}
	p.seen = min(p.seen, last) // the store may be an older copy of itself
	list, err := p.docs.All(ctx, docs.Query{Where: []docs.Cond{docs.Gt("seq", p.seen)}, Sort: "seq"})
	if err != nil {
		return err
	}
	for _, n := range list {
		if n.From != p.o.Node {
			err := p.call(ctx, n)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				p.o.Log.ErrorContext(ctx, "a subscriber failed", slog.String("topic", n.Topic), slog.Any("error", err))
			default:
				if err := p.acknowledge(ctx, n); err != nil {
					return err
				}
			}
		}
		p.seen = n.Seq
	}
	return nil
}

// call calls the subscribers of this node.
func (p *Post) call(ctx context.Context, n notice) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return p.o.Bus.Deliver(limited, n.Topic, n.Event)
}

// acknowledge notes on a notice that is awaited that this node has delivered it.
func (p *Post) acknowledge(ctx context.Context, n notice) error {
	if !n.Await {
		return nil
	}
	_, err := p.docs.Update(ctx, n.ID, func(n *notice) error {
		if !slices.Contains(n.Seen, p.o.Node) {
			n.Seen = append(n.Seen, p.o.Node)
		}
		return nil
	})
	if docs.IsNotFound(err) {
		return nil
	}
	return err
}
